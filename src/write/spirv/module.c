/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A SPIR-V module from top to bottom: the sections of its logical layout (unified1, section 2.4) and
 * how they are put together.
 */
#include "write/profile.h"
#include "write/spirv/module.h"

#include <stdio.h>
#include <string.h>

/* ---- sections ---- */

/* Capabilities that a device of Vulkan has only with a feature, which is noted. */
static const struct {
    uint16_t capability;
    const char *note;
} device_features[] = {
    {IRI_SPV_CapabilityFloat16, "the device has to have shaderFloat16"},
    {IRI_SPV_CapabilityFloat64, "the device has to have shaderFloat64"},
    {IRI_SPV_CapabilityInt64, "the device has to have shaderInt64"},
    {IRI_SPV_CapabilityInt16, "the device has to have shaderInt16"},
    {IRI_SPV_CapabilityUniformBufferArrayDynamicIndexing,
     "the device has to have shaderUniformBufferArrayDynamicIndexing"},
    {IRI_SPV_CapabilitySampledImageArrayDynamicIndexing,
     "the device has to have shaderSampledImageArrayDynamicIndexing"},
    {IRI_SPV_CapabilityStorageBufferArrayDynamicIndexing,
     "the device has to have shaderStorageBufferArrayDynamicIndexing"},
    {IRI_SPV_CapabilityStorageImageArrayDynamicIndexing,
     "the device has to have shaderStorageImageArrayDynamicIndexing"},
    {IRI_SPV_CapabilityImageGatherExtended, "the device has to have shaderImageGatherExtended"},
    {IRI_SPV_CapabilityStorageImageExtendedFormats,
     "the device has to have shaderStorageImageExtendedFormats"},
    {IRI_SPV_CapabilityStorageImageReadWithoutFormat,
     "the device has to have shaderStorageImageReadWithoutFormat"},
    {IRI_SPV_CapabilityStorageImageWriteWithoutFormat,
     "the device has to have shaderStorageImageWriteWithoutFormat"},
    {IRI_SPV_CapabilityClipDistance, "the device has to have shaderClipDistance"},
    {IRI_SPV_CapabilitySampleRateShading, "the device has to have sampleRateShading"},
    {IRI_SPV_CapabilitySampledCubeArray, "the device has to have imageCubeArray"},
    {IRI_SPV_CapabilityStorageInputOutput16, "the device has to have storageInputOutput16"},
    {IRI_SPV_CapabilityDemoteToHelperInvocation,
     "the device has to have shaderDemoteToHelperInvocation"},
};

void iri_spv_capability(iri_spv *s, uint32_t capability)
{
    for (uint32_t i = 0; i < s->capabilities.count; i += 2)
        if (s->capabilities.at[i + 1] == capability)
            return;
    iri_spv_put1(s, &s->capabilities, IRI_SPV_OpCapability, capability);
    for (size_t i = 0; i < sizeof device_features / sizeof *device_features; i++) {
        const iri_note note = {"device-feature", device_features[i].note, IRI_NO_OFFSET};
        bool core = s->spirv_1_6 && capability == IRI_SPV_CapabilityDemoteToHelperInvocation;
        if (device_features[i].capability == capability && !core)
            iri_push(s->arena, &s->result->notes, note);
    }
}

uint32_t iri_spv_string_words(const char *text)
{
    return (uint32_t)(strlen(text) / 4 + 1);
}

void iri_spv_string(uint32_t *at, const char *text)
{
    size_t size = strlen(text);
    memset(at, 0, (size / 4 + 1) * 4);
    for (size_t i = 0; i < size; i++) /* section 2.2.1: the first character in the lowest byte */
        at[i / 4] |= (uint32_t)(unsigned char)text[i] << 8 * (i % 4);
}

void iri_spv_extension(iri_spv *s, const char *name)
{
    iri_spv_string(
        iri_spv_put(s, &s->extensions, IRI_SPV_OpExtension, 1 + iri_spv_string_words(name)), name);
}

/* Names are for people: bytes that are no text of ASCII become '?', long ones are cut. */
static void put_name(iri_spv *s, uint32_t opcode, const uint32_t *words, uint32_t count,
                     const char *name)
{
    char text[IRI_SPV_NAME + 1];
    size_t size = 0;
    if (s->options->no_names)
        return;
    for (; name[size] && size < IRI_SPV_NAME; size++)
        text[size] = name[size] >= ' ' && name[size] < 0x7f ? name[size] : '?';
    text[size] = 0;
    uint32_t *at = iri_spv_put(s, &s->names, opcode, 1 + count + iri_spv_string_words(text));
    memcpy(at, words, count * sizeof *words);
    iri_spv_string(at + count, text);
}

void iri_spv_name(iri_spv *s, uint32_t id, const char *name)
{
    put_name(s, IRI_SPV_OpName, &id, 1, name);
}

void iri_spv_member_name(iri_spv *s, uint32_t id, uint32_t member, const char *name)
{
    const uint32_t words[2] = {id, member};
    put_name(s, IRI_SPV_OpMemberName, words, 2, name);
}

void iri_spv_map_name(iri_spv *s, const char *source, const char *emitted, uint32_t kind,
                      uint32_t index, const iri_binding *binding, int32_t location)
{
    iri_emitted_name name = {source ? source : "",
                             emitted,
                             kind,
                             index,
                             binding ? (int32_t)binding->group : -1,
                             binding ? (int32_t)binding->binding : -1,
                             location};
    iri_push(s->arena, &s->result->names, name);
}

/* ---- state ---- */

/* State left to run time: specialisation constants, numbered by their place in the interface. */
static void declare_states(iri_spv *s)
{
    const iri_interface *io = &s->p->interface;
    s->specs = iri_new_array(s->arena, uint32_t, io->state_count);
    for (uint32_t i = 0; i < io->state_count; i++) {
        const iri_state_entry *entry = &io->states[i];
        const iri_state_info *info = iri_state_get_info((iri_state_id)entry->id);
        if (entry->source != IRI_STATE_OVERRIDE)
            continue;
        if (IRI_TYPE_LANES(info->type) > 1)
            iri_fail(s->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET,
                     "the state %s is a vector, and a specialisation constant is a scalar",
                     info->name);
        const char *name =
            info->count > 1 ? iri_arena_printf(s->arena, "%s%u", info->name, (unsigned)entry->index)
                            : info->name;
        uint32_t type = iri_spv_type(s, info->type), id = s->specs[i] = iri_spv_new_id(s);
        iri_spv_put3(s, &s->globals, IRI_SPV_OpSpecConstant, type, id, entry->bits[0]);
        iri_spv_decorate1(s, id, IRI_SPV_SpecId, i);
        iri_spv_name(s, id, name);
        if (s->result->wanted) {
            const iri_binding spec = {0, i};
            iri_spv_map_name(s, name, name, 4, i, &spec, -1);
        }
    }
}

/* ---- the entry point ---- */

static void choose_demote(iri_spv *s)
{
    iri_spirv_demote how = s->options->demote;
    if (how == IRI_SPIRV_DEMOTE_AUTO)
        how = s->spirv_1_6 ? IRI_SPIRV_DEMOTE_INSTRUCTION : IRI_SPIRV_DEMOTE_FLAG;
    s->demote_flag = how == IRI_SPIRV_DEMOTE_FLAG;
    if (!s->kills)
        return;
    if (!s->demote_flag) {
        iri_spv_capability(s, IRI_SPV_CapabilityDemoteToHelperInvocation);
        if (!s->spirv_1_6)
            iri_spv_extension(s, "SPV_EXT_demote_to_helper_invocation");
        return;
    }
    uint32_t pointer = iri_spv_pointer(s, IRI_SPV_ClassPrivate, IRI_TYPE_BOOL);
    uint32_t no = iri_spv_splat(s, IRI_TYPE_BOOL, 0);
    s->killed = iri_spv_new_id(s);
    uint32_t *at = iri_spv_put(s, &s->globals, IRI_SPV_OpVariable, 5);
    at[0] = pointer, at[1] = s->killed, at[2] = IRI_SPV_ClassPrivate, at[3] = no;
    iri_spv_name(s, s->killed, "demoted");
    if (s->spirv_1_6)
        iri_push(s->arena, &s->variables, s->killed);
}

static void put_mode(iri_spv *s, uint32_t function, uint32_t mode)
{
    iri_spv_put2(s, &s->modes, IRI_SPV_OpExecutionMode, function, mode);
}

static void declare_modes(iri_spv *s, uint32_t function)
{
    static const uint32_t depth[4] = {0, 0, IRI_SPV_ModeDepthGreater, IRI_SPV_ModeDepthLess};
    const iri_stage_facts *facts = &s->p->interface.facts;
    if (s->p->stage == IRI_STAGE_COMPUTE) {
        uint32_t *at = iri_spv_put(s, &s->modes, IRI_SPV_OpExecutionMode, 6);
        at[0] = function, at[1] = IRI_SPV_ModeLocalSize;
        memcpy(at + 2, facts->workgroup, sizeof facts->workgroup);
    }
    if (s->p->stage != IRI_STAGE_PIXEL)
        return;
    put_mode(s, function, IRI_SPV_ModeOriginUpperLeft);
    if (facts->early_depth)
        put_mode(s, function, IRI_SPV_ModeEarlyFragmentTests);
    for (uint32_t i = 0; i < s->io.output_count; i++) {
        if (s->io.outputs[i].builtin != IRI_ENTRY_FRAG_DEPTH)
            continue;
        put_mode(s, function, IRI_SPV_ModeDepthReplacing);
        if (depth[facts->depth_mode & 3])
            put_mode(s, function, depth[facts->depth_mode & 3]);
    }
}

static void declare_entry(iri_spv *s, uint32_t function)
{
    const char *name = s->options->entry_name ? s->options->entry_name : "main";
    uint32_t size = iri_spv_string_words(name), count = s->variables.count;
    if (strlen(name) > IRI_SPV_NAME || (uint64_t)count + size > 60000)
        iri_fail(s->ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET, "the entry point's name is too long");
    uint32_t *at = iri_spv_put(s, &s->entry, IRI_SPV_OpEntryPoint, 3 + size + count);
    at[0] = s->p->stage == IRI_STAGE_VERTEX    ? IRI_SPV_ModelVertex
            : s->p->stage == IRI_STAGE_COMPUTE ? IRI_SPV_ModelGLCompute
                                               : IRI_SPV_ModelFragment;
    at[1] = function;
    iri_spv_string(at + 2, name);
    if (count)
        memcpy(at + 2 + size, s->variables.at, count * sizeof *at);
    iri_spv_name(s, function, name);
}

/* ---- what Vulkan does not have ---- */

static void check_types(const iri_spv *s)
{
    const iri_program *p = s->p;
    for (iri_id v = 1; v < p->value_count; v++)
        if (IRI_TYPE_SCALAR(p->values[v].type) == IRI_F16 &&
            !(s->options->features & IRI_FEATURE_SHADER_F16))
            iri_fail(s->ctx, IRI_CAPABILITY, IRI_NO_OFFSET,
                     "a value of %s, which needs the feature shader-f16",
                     iri_type_name(p->values[v].type));
}

/* ---- putting together ---- */

static void put_words(iri_buf *out, const uint32_t *words, uint32_t count)
{
    const union {
        uint32_t word;
        uint8_t bytes[4];
    } probe = {1};
    if (probe.bytes[0]) {
        iri_buf_bytes(out, words, (size_t)count * 4);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 4; k++)
            iri_buf_char(out, (char)(words[i] >> 8 * k & 0xff));
}

static void assemble(iri_spv *s, iri_buf *out)
{
    const iri_spv_words *sections[] = {&s->entry,   &s->modes,     &s->names,  &s->decorations,
                                       &s->globals, &s->functions, &s->helpers};
    const uint32_t header[5] = {IRI_SPV_MAGIC, s->spirv_1_6 ? IRI_SPV_1_6 : IRI_SPV_1_3, 0,
                                s->next_id, 0};
    iri_spv_words preamble = {0};
    iri_spv_string(iri_spv_put(s, &preamble, IRI_SPV_OpExtInstImport, 6) + 1, "GLSL.std.450");
    preamble.at[1] = s->glsl;
    iri_spv_put2(s, &preamble, IRI_SPV_OpMemoryModel, 0, 1); /* Logical, GLSL450 */
    size_t words = 5 + s->capabilities.count + s->extensions.count + preamble.count;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        words += sections[i]->count;
    iri_buf_reserve(out, words * 4);
    put_words(out, header, 5);
    put_words(out, s->capabilities.at, s->capabilities.count);
    if (s->extensions.count)
        put_words(out, s->extensions.at, s->extensions.count);
    put_words(out, preamble.at, preamble.count);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (sections[i]->count)
            put_words(out, sections[i]->at, sections[i]->count);
}

/* Sizes that most programs end up with, so that sections rarely grow. */
static void reserve_sections(iri_spv *s)
{
    uint32_t count = s->p->inst_count;
    iri_arena_reserve(s->arena, 12288 + (size_t)count * 64); /* with what else they take */
    iri_reserve(s->arena, &s->functions, 256 + count * 8);
    iri_reserve(s->arena, &s->globals, 512);
    iri_reserve(s->arena, &s->decorations, 256 + count * 2);
    iri_reserve(s->arena, &s->names, 256);
}

void iri_spirv_write(iri_ctx *ctx, iri_arena *arena, const iri_program *p,
                     const iri_spirv_options *options, iri_buf *out, iri_write_result *result)
{
    iri_spv writer = {.ctx = ctx, .arena = arena, .p = p, .options = options, .result = result};
    iri_spv *s = &writer;
    iri_require_entry(ctx, p);
    s->spirv_1_6 = options->profile == IRI_PROFILE_VULKAN_1_3;
    s->contracts = p->float_env.contract;
    s->next_id = 1;
    reserve_sections(s);
    s->ids = iri_new_array(arena, uint32_t, p->value_count);
    check_types(s);
    iri_spv_capability(s, IRI_SPV_CapabilityShader);
    s->glsl = iri_spv_new_id(s);
    uint32_t function = iri_spv_new_id(s);
    declare_states(s);
    iri_spv_declare_io(s);
    iri_spv_declare_resources(s);
    choose_demote(s);
    iri_spv_functions(s, function);
    declare_modes(s, function);
    declare_entry(s, function);
    if (s->next_id > IRI_SPV_ID_MAX)
        iri_fail(ctx, IRI_LIMIT_OUTPUT, IRI_NO_OFFSET, "%u ids; a module may have %u", s->next_id,
                 (unsigned)IRI_SPV_ID_MAX);
    assemble(s, out);
}
