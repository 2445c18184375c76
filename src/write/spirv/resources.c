/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Resources as variables: images and samplers apart (Vulkan, "Shader Resource Interface"), constant
 * buffers in constants.c. What no instruction uses is left out.
 */
#include "write/spirv/module.h"

#include <string.h>

static const char *label_of(iri_spv *s, uint32_t index)
{
    char label[32];
    iri_resource_label(&s->p->interface.resources[index], label);
    return iri_arena_copy_text(s->arena, label, strlen(label));
}

/* ---- what the program uses ---- */

static void use(iri_spv *s, const iri_inst *in, uint32_t immediate, uint32_t operand)
{
    iri_spv_resource *r = &s->resources[iri_immediates(s->p, in)[immediate]];
    r->used = true;
    if (in->operand_count > operand && !iri_is_constant(s->p, iri_operands(s->p, in)[operand]))
        r->indexed = true;
}

static void use_constants(iri_spv *s, const iri_inst *in)
{
    iri_spv_resource *r = &s->resources[iri_immediates(s->p, in)[0]];
    iri_scalar scalar = IRI_TYPE_SCALAR(iri_type_of(s->p, in->results));
    if (!r->used)
        r->scalar = scalar == IRI_F32 || scalar == IRI_I32 ? (uint8_t)scalar : IRI_U32;
    r->dynamic = r->dynamic || !iri_is_constant(s->p, iri_operands(s->p, in)[0]);
    use(s, in, 0, 1);
}

/* Textures, samplers, buffers: a sampler is chosen by the operand behind the texture's. */
static void use_memory(iri_spv *s, const iri_inst *in)
{
    iri_memory_op m = iri_memory_of(in->op);
    uint32_t resource = iri_immediates(s->p, in)[m.immediate], own = iri_range_operand(in->op);
    if (m.memory == IRI_MEMORY_SHARED) {
        s->shared_atomic = s->shared_atomic || m.act >= IRI_MEMORY_ATOMIC;
        return;
    }
    use(s, in, m.immediate, own);
    if (iri_resource_kinds(in->op, 1) >> IRI_RESOURCE_SAMPLER & 1)
        use(s, in, 1, own + 1);
    if (m.act >= IRI_MEMORY_ATOMIC)
        s->resources[resource].atomic = true;
    if (in->op == IRI_OP_COUNTER_ALLOC || in->op == IRI_OP_COUNTER_CONSUME)
        s->resources[resource].counted = true;
}

static void find_uses(iri_spv *s)
{
    const iri_program *p = s->p;
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        if (in->op == IRI_OP_LOAD_CB) {
            use_constants(s, in);
        } else if (iri_op_infos[in->op].immediates[0] == 'r' ||
                   iri_op_infos[in->op].immediates[0] == 'a' ||
                   iri_op_infos[in->op].immediates[0] == 'w') {
            use_memory(s, in);
        } else if (in->op == IRI_OP_DEMOTE) {
            s->kills = true;
        }
    }
}

/* ---- names ---- */

static bool ends_with_sampler(const char *text)
{
    static const char end[] = "sampler";
    size_t a = strlen(text), b = sizeof end - 1;
    for (size_t i = 0; a > b && i < b; i++) {
        char c = text[a - b + i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c + 32) : c) != end[i])
            return false;
    }
    return a > b;
}

/* The names that the WGSL writer gives too: Direct3D 9 has one for a texture and its sampler. */
static const char *name_of(iri_spv *s, uint32_t index)
{
    static const char *const banks[] = {"constants", "integers", "booleans"};
    const iri_resource *r = &s->p->interface.resources[index];
    bool d3d9 = strcmp(s->p->provenance.format, "d3d9") == 0;
    if (r->flags & IRI_RESOURCE_STATE)
        return "state";
    if (!r->name || !r->name[0])
        return d3d9 && r->kind == IRI_RESOURCE_CBUFFER && r->reg < 3 && !r->space
                   ? banks[r->reg]
                   : label_of(s, index);
    if (r->kind == IRI_RESOURCE_SAMPLER && !ends_with_sampler(r->name))
        return iri_arena_printf(s->arena, "%.180s_sampler", r->name);
    if (r->kind == IRI_RESOURCE_TEXTURE && ends_with_sampler(r->name)) {
        size_t size = strlen(r->name) - strlen("sampler");
        while (size > 1 && r->name[size - 1] == '_')
            size--;
        return iri_arena_copy_text(s->arena, r->name, size);
    }
    return r->name;
}

/* ---- images and samplers ---- */

static void declare_image(iri_spv *s, uint32_t index)
{
    static const uint8_t dimensions[IRI_DIMENSION_COUNT] = {1, 0, 1, 2, 3};
    const iri_resource *r = &s->p->interface.resources[index];
    iri_spv_resource *to = &s->resources[index];
    iri_scalar scalar = r->scalar ? (iri_scalar)r->scalar : IRI_F32;
    char label[32];
    if (iri_scalar_bits(scalar) != 32)
        iri_fail(s->ctx, IRI_CAPABILITY, r->offset, "%s gives %s", iri_resource_label(r, label),
                 iri_type_name(IRI_TYPE(scalar, 1)));
    if (r->dimension == IRI_DIMENSION_1D)
        iri_spv_capability(s, IRI_SPV_CapabilitySampled1D);
    if (r->dimension == IRI_DIMENSION_CUBE && r->arrayed)
        iri_spv_capability(s, IRI_SPV_CapabilitySampledCubeArray);
    uint32_t dimension = dimensions[r->dimension], depth = r->comparison != 0;
    uint32_t arrayed = r->arrayed != 0, ms = r->multisampled != 0;
    uint32_t kind = (scalar == IRI_F32   ? 0u
                     : scalar == IRI_I32 ? 1u
                                         : 2u)
                        << 5 |
                    dimension << 3 | depth << 2 | arrayed << 1 | ms;
    uint32_t *image = &s->images[kind], *sampled = &s->images[128 + kind];
    if (!*image) {
        uint32_t lane = iri_spv_type(s, IRI_TYPE(scalar, 1));
        *image = iri_spv_new_id(s);
        *sampled = iri_spv_new_id(s);
        uint32_t *at = iri_spv_put(s, &s->globals, IRI_SPV_OpTypeImage, 9);
        at[0] = *image, at[1] = lane, at[2] = dimension, at[3] = depth, at[4] = arrayed, at[5] = ms;
        at[6] = 1, at[7] = 0; /* used with a sampler; of unknown format */
        iri_spv_put2(s, &s->globals, IRI_SPV_OpTypeSampledImage, *sampled, *image);
    }
    to->type = *image;
    to->sampled = *sampled;
}

static void declare_opaque(iri_spv *s, uint32_t index)
{
    const iri_resource *r = &s->p->interface.resources[index];
    iri_spv_resource *to = &s->resources[index];
    uint32_t held;
    if (r->kind == IRI_RESOURCE_TEXTURE) {
        declare_image(s, index);
    } else if (r->kind != IRI_RESOURCE_SAMPLER) {
        iri_spv_declare_storage_image(s, index);
    } else {
        if (!s->sampler_type) {
            s->sampler_type = iri_spv_new_id(s);
            iri_spv_put1(s, &s->globals, IRI_SPV_OpTypeSampler, s->sampler_type);
        }
        to->type = s->sampler_type;
    }
    held = to->type;
    if (r->count != 1)
        held = iri_spv_array(s, to->type, r->count, 0);
    if (to->indexed)
        iri_spv_capability(s, r->kind == IRI_RESOURCE_STORAGE_TEXTURE ||
                                      r->kind == IRI_RESOURCE_STORAGE_BUFFER
                                  ? IRI_SPV_CapabilityStorageImageArrayDynamicIndexing
                                  : IRI_SPV_CapabilitySampledImageArrayDynamicIndexing);
    to->loaded = iri_new(s->arena, uint32_t);
    to->storage = IRI_SPV_ClassUniformConstant;
    to->pointer = iri_spv_pointer_to(s, to->storage, to->type);
    uint32_t pointer = r->count != 1 ? iri_spv_pointer_to(s, to->storage, held) : to->pointer;
    to->variable = iri_spv_new_id(s);
    iri_spv_put3(s, &s->globals, IRI_SPV_OpVariable, pointer, to->variable, to->storage);
    iri_spv_name(s, to->variable, to->name);
}

void iri_spv_declare_resources(iri_spv *s)
{
    const iri_interface *io = &s->p->interface;
    iri_binding *bindings = iri_plan_bindings(s->ctx, s->arena, s->p, &s->options->bindings);
    char label[32];
    s->resources = iri_new_array(s->arena, iri_spv_resource, io->resource_count);
    find_uses(s);
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        iri_spv_resource *to = &s->resources[i];
        to->binding = bindings[i];
        if (!to->used)
            continue;
        if (r->count == 0)
            iri_fail(s->ctx, IRI_CAPABILITY, r->offset, "%s is a range without an end",
                     iri_resource_label(r, label));
        to->name = name_of(s, i);
        if (r->kind == IRI_RESOURCE_CBUFFER)
            iri_spv_declare_constants(s, i);
        else if (r->buffer_shape == IRI_BUFFER_RAW || r->buffer_shape == IRI_BUFFER_STRUCTURED)
            iri_spv_declare_buffer(s, i);
        else
            declare_opaque(s, i);
        if (r->kind == IRI_RESOURCE_STORAGE_TEXTURE || r->buffer_shape == IRI_BUFFER_TYPED)
            iri_spv_decorate_storage_image(s, i);
        iri_spv_decorate1(s, to->variable, IRI_SPV_DescriptorSet, to->binding.group);
        iri_spv_decorate1(s, to->variable, IRI_SPV_Binding, to->binding.binding);
        if (s->spirv_1_6)
            iri_push(s->arena, &s->variables, to->variable);
        if (s->result->wanted)
            iri_spv_map_name(s, r->name && r->name[0] ? r->name : label_of(s, i), to->name, 0, i,
                             &to->binding, -1);
    }
    iri_spv_declare_counters(s);
}

/* ---- lookups ---- */

uint32_t iri_spv_resource_pointer(iri_spv *s, uint32_t index, const iri_inst *in, uint32_t operand)
{
    const iri_spv_resource *r = &s->resources[index];
    if (s->p->interface.resources[index].count == 1)
        return r->variable;
    uint32_t chosen = in->operand_count > operand
                          ? iri_spv_value(s, iri_operands(s->p, in)[operand])
                          : iri_spv_u32(s, 0);
    return iri_spv_op2(s, IRI_SPV_OpAccessChain, r->pointer, r->variable, chosen);
}

/* One that is chosen by number is loaded anew each time. */
uint32_t iri_spv_load_resource(iri_spv *s, uint32_t index, const iri_inst *in, uint32_t operand)
{
    iri_spv_resource *r = &s->resources[index];
    bool one = s->p->interface.resources[index].count == 1;
    if (one && r->loaded[0])
        return r->loaded[0];
    uint32_t pointer = iri_spv_resource_pointer(s, index, in, operand);
    uint32_t id = iri_spv_op1(s, IRI_SPV_OpLoad, r->type, pointer);
    if (one)
        iri_spv_keep(s, &r->loaded[0], id);
    return id;
}

static uint32_t offsets(iri_spv *s, uint32_t packed, uint32_t lanes)
{
    uint64_t values[4] = {0};
    for (uint32_t i = 0; i < 3; i++)
        values[i] = (uint32_t)(int32_t)(int8_t)(uint8_t)(packed >> 8 * i);
    return iri_spv_make_constant(s, IRI_TYPE(IRI_I32, lanes), values);
}

/* The image operands of a lookup, by its operation; returns how many words. */
static uint32_t image_operands(iri_spv *s, const iri_inst *in, uint32_t lanes, uint32_t words[4])
{
    const iri_id *operands = iri_operands(s->p, in);
    uint32_t packed = iri_immediates(s->p, in)[2], count = 1;
    words[0] = 0;
    switch (in->op) {
    case IRI_OP_SAMPLE_BIAS: words[0] = IRI_SPV_ImageBias; break;
    case IRI_OP_SAMPLE_LOD:
    case IRI_OP_SAMPLE_CMP_LEVEL: words[0] = IRI_SPV_ImageLod; break;
    case IRI_OP_SAMPLE_GRAD: words[0] = IRI_SPV_ImageGrad; break;
    default: break;
    }
    if (in->op == IRI_OP_SAMPLE_CMP_LEVEL)
        words[count++] = iri_spv_zero(s, IRI_TYPE_F32); /* Direct3D's is always of level 0 */
    else if (words[0])
        words[count++] = iri_spv_value(s, operands[1]);
    if (in->op == IRI_OP_SAMPLE_GRAD)
        words[count++] = iri_spv_value(s, operands[2]);
    if (packed) {
        words[0] |= IRI_SPV_ImageConstOffset;
        words[count++] = offsets(s, packed, lanes);
    }
    return words[0] ? count : 0;
}

static void check_lookup(iri_spv *s, const iri_inst *in, const iri_resource *texture)
{
    char label[32];
    const char *why = NULL;
    if ((iri_props(in->op) & IRI_PROP_DERIVATIVE) && s->p->stage != IRI_STAGE_PIXEL)
        why = "lookup by derivatives outside a pixel program";
    else if (iri_immediates(s->p, in)[2] && texture->dimension == IRI_DIMENSION_CUBE)
        why = "cube lookup with a texel offset";
    if (why)
        iri_fail(s->ctx, IRI_CAPABILITY, in->offset, "%s: SPIR-V has no %s",
                 iri_resource_label(texture, label), why);
}

void iri_spv_form_sample(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    static const uint8_t lanes_of[IRI_DIMENSION_COUNT] = {2, 1, 2, 3, 3};
    const uint32_t *immediates = iri_immediates(s->p, in);
    const iri_resource *texture = &s->p->interface.resources[immediates[0]];
    bool compares = in->op == IRI_OP_SAMPLE_CMP || in->op == IRI_OP_SAMPLE_CMP_LEVEL;
    uint32_t own = in->op == IRI_OP_SAMPLE ? 1 : in->op == IRI_OP_SAMPLE_GRAD ? 3 : 2;
    uint32_t words[8], count = 0;
    check_lookup(s, in, texture);
    uint32_t image = iri_spv_load_resource(s, immediates[0], in, own);
    uint32_t sampler = iri_spv_load_resource(s, immediates[1], in, own + 1);
    uint32_t coordinates = iri_spv_value(s, iri_operands(s->p, in)[0]);
    uint32_t reference = compares ? iri_spv_value(s, iri_operands(s->p, in)[1]) : 0;
    uint32_t rest[5], more = image_operands(s, in, lanes_of[texture->dimension], rest);
    uint32_t type = iri_spv_type(s, iri_type_of(s->p, in->results));
    /* Both in the same block, as section 2.16.1 wants. */
    words[count++] =
        iri_spv_op2(s, IRI_SPV_OpSampledImage, s->resources[immediates[0]].sampled, image, sampler);
    words[count++] = coordinates;
    if (compares)
        words[count++] = reference;
    for (uint32_t i = 0; i < more; i++)
        words[count++] = rest[i];
    iri_spv_define(s, in, iri_spv_op(s, row->code[0], type, words, count));
}
