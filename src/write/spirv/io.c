/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inputs and outputs of the entry point as variables (Vulkan, "Shader Input and Output Interfaces",
 * "Built-In Variables"). entry_io says what has a location and what is a built-in.
 */
#include "write/spirv/module.h"

#include <string.h>

/* ---- declaring ---- */

static void semantic(iri_spv *s, uint32_t id, const char *text)
{
    uint32_t size = iri_spv_string_words(text);
    uint32_t *at = iri_spv_put(s, &s->decorations, IRI_SPV_OpDecorateString, 3 + size);
    at[0] = id, at[1] = IRI_SPV_UserSemantic;
    iri_spv_string(at + 2, text);
}

static uint32_t builtin_of(const iri_spv *s, const iri_entry_value *v)
{
    switch ((iri_entry_builtin)v->builtin) {
    case IRI_ENTRY_POSITION:
        return s->p->stage == IRI_STAGE_PIXEL ? IRI_SPV_BuiltInFragCoord : IRI_SPV_BuiltInPosition;
    case IRI_ENTRY_CLIP_DISTANCES: return IRI_SPV_BuiltInClipDistance;
    case IRI_ENTRY_VERTEX_INDEX: return IRI_SPV_BuiltInVertexIndex;
    case IRI_ENTRY_INSTANCE_INDEX: return IRI_SPV_BuiltInInstanceIndex;
    case IRI_ENTRY_FRONT_FACING: return IRI_SPV_BuiltInFrontFacing;
    case IRI_ENTRY_SAMPLE_INDEX: return IRI_SPV_BuiltInSampleId;
    case IRI_ENTRY_SAMPLE_MASK: return IRI_SPV_BuiltInSampleMask;
    case IRI_ENTRY_FRAG_DEPTH: return IRI_SPV_BuiltInFragDepth;
    case IRI_ENTRY_GLOBAL_INVOCATION_ID: return IRI_SPV_BuiltInGlobalInvocationId;
    case IRI_ENTRY_WORKGROUP_ID: return IRI_SPV_BuiltInWorkgroupId;
    case IRI_ENTRY_LOCAL_INVOCATION_ID: return IRI_SPV_BuiltInLocalInvocationId;
    case IRI_ENTRY_LOCAL_INVOCATION_INDEX: return IRI_SPV_BuiltInLocalInvocationIndex;
    case IRI_ENTRY_LOCATION:
    case IRI_ENTRY_DROPPED:
    case IRI_ENTRY_UNSUPPORTED:
    case IRI_ENTRY_BUILTIN_COUNT: break;
    }
    iri_fail(s->ctx, IRI_INTERNAL, IRI_NO_OFFSET, "%s is no built-in of SPIR-V", v->name);
}

static void interpolate(iri_spv *s, uint32_t id, const iri_entry_value *v)
{
    iri_interpolation how = (iri_interpolation)v->interpolation;
    iri_scalar scalar = IRI_TYPE_SCALAR(v->type);
    bool is_float = scalar == IRI_F32 || scalar == IRI_F16;
    if (how == IRI_INTERPOLATION_FLAT || !is_float) {
        iri_spv_decorate(s, id, IRI_SPV_Flat);
        return;
    }
    if (how == IRI_INTERPOLATION_NO_PERSPECTIVE ||
        how == IRI_INTERPOLATION_NO_PERSPECTIVE_CENTROID ||
        how == IRI_INTERPOLATION_NO_PERSPECTIVE_SAMPLE)
        iri_spv_decorate(s, id, IRI_SPV_NoPerspective);
    if (how == IRI_INTERPOLATION_LINEAR_CENTROID ||
        how == IRI_INTERPOLATION_NO_PERSPECTIVE_CENTROID)
        iri_spv_decorate(s, id, IRI_SPV_Centroid);
    if (how == IRI_INTERPOLATION_LINEAR_SAMPLE || how == IRI_INTERPOLATION_NO_PERSPECTIVE_SAMPLE) {
        iri_spv_capability(s, IRI_SPV_CapabilitySampleRateShading);
        iri_spv_decorate(s, id, IRI_SPV_Sample);
    }
}

static uint32_t add_variable(iri_spv *s, uint32_t storage, uint32_t pointer, const char *name)
{
    uint32_t id = iri_spv_new_id(s);
    iri_spv_put3(s, &s->globals, IRI_SPV_OpVariable, pointer, id, storage);
    iri_spv_name(s, id, name);
    iri_push(s->arena, &s->variables, id);
    return id;
}

static uint32_t declare(iri_spv *s, const iri_entry_value *v, uint32_t storage)
{
    bool input = storage == IRI_SPV_ClassInput, pixel = s->p->stage == IRI_STAGE_PIXEL;
    const char *name = v->name;
    uint32_t pointer, length = v->builtin == IRI_ENTRY_SAMPLE_MASK ? 1 : v->array;
    if (input && s->p->stage == IRI_STAGE_VERTEX) /* outputs may have the same semantics */
        name = iri_arena_printf(s->arena, "in_%.190s", name);
    if (iri_scalar_bits(IRI_TYPE_SCALAR(v->type)) == 16)
        iri_spv_capability(s, IRI_SPV_CapabilityStorageInputOutput16);
    if (length)
        pointer =
            iri_spv_pointer_to(s, storage, iri_spv_array(s, iri_spv_type(s, v->type), length, 0));
    else
        pointer = iri_spv_pointer(s, storage, v->type);
    uint32_t id = add_variable(s, storage, pointer, name);
    if (v->builtin == IRI_ENTRY_LOCATION) {
        iri_spv_decorate1(s, id, IRI_SPV_Location, (uint32_t)v->location);
        if (pixel && input)
            interpolate(s, id, v);
    } else {
        iri_spv_decorate1(s, id, IRI_SPV_BuiltIn, builtin_of(s, v));
        if (v->builtin == IRI_ENTRY_SAMPLE_INDEX)
            iri_spv_capability(s, IRI_SPV_CapabilitySampleRateShading);
        if (v->builtin == IRI_ENTRY_CLIP_DISTANCES)
            iri_spv_capability(s, IRI_SPV_CapabilityClipDistance);
        if (pixel && input && v->type == IRI_TYPE_U32)
            iri_spv_decorate(s, id, IRI_SPV_Flat);
    }
    if (s->options->semantics)
        semantic(s, id, v->name);
    if (s->result->wanted && v->element != UINT32_MAX)
        iri_spv_map_name(s, v->name, name, input ? 1 : 2, v->element, NULL, v->location);
    return id;
}

/* Direct3D's point size, which entry_io leaves out as WebGPU has none. */
static void declare_point_size(iri_spv *s)
{
    const iri_io *e = &s->p->interface.outputs[s->io.point_size];
    char label[64];
    s->point_size =
        add_variable(s, IRI_SPV_ClassOutput, iri_spv_pointer(s, IRI_SPV_ClassOutput, IRI_TYPE_F32),
                     "point_size");
    iri_spv_decorate1(s, s->point_size, IRI_SPV_BuiltIn, IRI_SPV_BuiltInPointSize);
    if (s->result->wanted) {
        iri_io_label(e, label);
        iri_spv_map_name(s, iri_arena_copy_text(s->arena, label, strlen(label)), "point_size", 2,
                         s->io.point_size, NULL, -1);
    }
}

static void check_types(iri_spv *s, const iri_entry_value *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        iri_scalar scalar = IRI_TYPE_SCALAR(values[i].type);
        uint32_t bits = iri_scalar_bits(scalar);
        bool location = values[i].builtin == IRI_ENTRY_LOCATION;
        if (bits == 64 || (location && scalar == IRI_BOOL))
            iri_fail(s->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET,
                     "%s is %s, which is not passed between stages", values[i].name,
                     iri_type_name(values[i].type));
    }
}

void iri_spv_declare_io(iri_spv *s)
{
    iri_entry_io *io = &s->io;
    iri_entry_io_make(s->ctx, s->arena, s->p, s->options->linked_pixel, true, io);
    check_types(s, io->inputs, io->input_count);
    check_types(s, io->outputs, io->output_count);
    if (s->options->semantics)
        iri_spv_extension(s, "SPV_GOOGLE_hlsl_functionality1");
    s->input_variables = iri_new_array(s->arena, uint32_t, io->input_count);
    s->input_loaded = iri_new_array(s->arena, uint32_t, io->input_count);
    s->output_variables = iri_new_array(s->arena, uint32_t, io->output_count);
    s->outputs = iri_arena_alloc(s->arena, s->p->interface.output_count, sizeof *s->outputs);
    for (uint32_t i = 0; i < io->input_count; i++)
        s->input_variables[i] = declare(s, &io->inputs[i], IRI_SPV_ClassInput);
    for (uint32_t i = 0; i < io->output_count; i++)
        s->output_variables[i] = declare(s, &io->outputs[i], IRI_SPV_ClassOutput);
    if (io->point_size != UINT32_MAX)
        declare_point_size(s);
}

/* ---- reading ---- */

/* Fragments have half centres; Direct3D 9 has the pixel's numbers. */
static uint32_t pixel_position(iri_spv *s, uint32_t id)
{
    uint32_t vec4 = iri_spv_type(s, IRI_TYPE_VEC4F);
    uint32_t whole = iri_spv_glsl(s, IRI_SPV_GlslFloor, vec4, &id, 1);
    const uint32_t mixed[6] = {whole, id, 0, 1, 6, 7};
    return iri_spv_op(s, IRI_SPV_OpVectorShuffle, vec4, mixed, 6);
}

/* A whole input, of the type the entry point declares. */
static uint32_t load_input(iri_spv *s, uint32_t place)
{
    const iri_entry_value *v = &s->io.inputs[place];
    uint32_t pointer = s->input_variables[place], id;
    if (s->input_loaded[place])
        return s->input_loaded[place];
    if (v->builtin == IRI_ENTRY_SAMPLE_MASK) {
        uint32_t type_id = iri_spv_pointer(s, IRI_SPV_ClassInput, v->type);
        uint32_t first = iri_spv_u32(s, 0);
        pointer = iri_spv_op2(s, IRI_SPV_OpAccessChain, type_id, pointer, first);
    }
    id = iri_spv_op1(s, IRI_SPV_OpLoad, iri_spv_type(s, v->type), pointer);
    if (v->builtin == IRI_ENTRY_POSITION &&
        s->p->conventions.pixel_centre == IRI_PIXEL_CENTRE_INTEGER)
        id = pixel_position(s, id);
    iri_spv_keep(s, &s->input_loaded[place], id);
    return id;
}

void iri_spv_form_input(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const uint32_t *immediates = iri_immediates(s->p, in);
    uint32_t place = s->io.input_at[immediates[0]];
    const iri_entry_value *v = &s->io.inputs[place];
    iri_type wanted = iri_type_of(s->p, in->results);
    (void)row;
    assert(place < s->io.input_count);
    iri_scalar held = IRI_TYPE_SCALAR(v->type);
    uint32_t id = iri_spv_choose(s, load_input(s, place), v->type, immediates[1]);
    if (held != IRI_TYPE_SCALAR(wanted)) {
        if (iri_scalar_bits(held) != iri_scalar_bits(IRI_TYPE_SCALAR(wanted)))
            iri_fail(s->ctx, IRI_UNWRITABLE, in->offset, "%s as %s", v->name,
                     iri_type_name(wanted));
        id = iri_spv_op1(s, IRI_SPV_OpBitcast, iri_spv_type(s, wanted), id);
    }
    s->ids[in->results] = id;
}

/* ---- writing ---- */

void iri_spv_form_output(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const uint32_t *immediates = iri_immediates(s->p, in);
    iri_id value = iri_operands(s->p, in)[0];
    (void)row;
    for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[1]); i++)
        s->outputs[immediates[0]][IRI_LANES_AT(immediates[1], i)] =
            (iri_spv_lane){value, (uint8_t)i};
}

static uint32_t lane_id(iri_spv *s, iri_spv_lane lane)
{
    return iri_spv_choose(s, iri_spv_value(s, lane.value), iri_type_of(s->p, lane.value),
                          IRI_LANES1(lane.lane));
}

/* The lanes given to an output as a value of `type`; those never given are zero. */
static uint32_t gather(iri_spv *s, const iri_spv_lane *lanes, uint32_t have, iri_type type)
{
    uint32_t count = IRI_TYPE_LANES(type), parts[4], given = 0;
    iri_id from = have ? lanes[0].value : 0;
    iri_lanes same = (count - 1) << 8;
    bool one = true;
    for (uint32_t i = 0; i < count; i++) {
        bool there = i < have && lanes[i].value;
        given += there;
        one = one && there && lanes[i].value == from;
        same |= there ? (uint32_t)lanes[i].lane << 2 * i : 0;
    }
    if (!given)
        return iri_spv_zero(s, type);
    if (one)
        return iri_spv_choose(s, iri_spv_value(s, from), iri_type_of(s->p, from), same);
    uint32_t used = 0;
    for (uint32_t i = 0, run; i < count; i += run) {
        iri_id value = i < have ? lanes[i].value : 0;
        iri_lanes chosen = 0;
        for (run = 0; i + run < count && (i + run < have ? lanes[i + run].value : 0) == value;
             run++)
            chosen |= value ? (uint32_t)lanes[i + run].lane << 2 * run : 0;
        iri_type run_type = IRI_TYPE(IRI_TYPE_SCALAR(type), run);
        parts[used++] = value ? iri_spv_choose(s, iri_spv_value(s, value), iri_type_of(s->p, value),
                                               chosen | (run - 1) << 8)
                              : iri_spv_zero(s, run_type);
    }
    return iri_spv_op(s, IRI_SPV_OpCompositeConstruct, iri_spv_type(s, type), parts, used);
}

static void store(iri_spv *s, uint32_t variable, uint32_t id)
{
    iri_spv_put2(s, &s->functions, IRI_SPV_OpStore, variable, id);
}

/* An element of a built-in that is an array: clip distances, the sample mask. */
static void store_element(iri_spv *s, uint32_t variable, iri_type type, uint32_t index, uint32_t id)
{
    uint32_t type_id = iri_spv_pointer(s, IRI_SPV_ClassOutput, type);
    uint32_t at = iri_spv_u32(s, index);
    store(s, iri_spv_op2(s, IRI_SPV_OpAccessChain, type_id, variable, at), id);
}

static void store_clip_distances(iri_spv *s, uint32_t variable)
{
    const iri_interface *io = &s->p->interface;
    for (uint32_t i = 0; i < io->output_count; i++) {
        if (io->outputs[i].system_value != IRI_SV_CLIP_DISTANCE)
            continue;
        for (uint32_t lane = 0; lane < IRI_TYPE_LANES(io->outputs[i].type); lane++)
            store_element(s, variable, IRI_TYPE_F32, s->io.clip_at[i] + lane,
                          s->outputs[i][lane].value ? lane_id(s, s->outputs[i][lane])
                                                    : iri_spv_zero(s, IRI_TYPE_F32));
    }
}

static uint32_t output_value(iri_spv *s, const iri_entry_value *v)
{
    if (v->element == UINT32_MAX)
        return iri_spv_zero(s, v->type);
    iri_type own = s->p->interface.outputs[v->element].type;
    iri_type type = IRI_TYPE(IRI_TYPE_SCALAR(own), IRI_TYPE_LANES(v->type));
    uint32_t id = gather(s, s->outputs[v->element], IRI_TYPE_LANES(own), type);
    if (type == v->type)
        return id;
    if (iri_scalar_bits(IRI_TYPE_SCALAR(own)) != iri_scalar_bits(IRI_TYPE_SCALAR(v->type)))
        iri_fail(s->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "%s as %s", v->name,
                 iri_type_name(v->type));
    return iri_spv_op1(s, IRI_SPV_OpBitcast, iri_spv_type(s, v->type), id);
}

void iri_spv_store_outputs(iri_spv *s)
{
    for (uint32_t k = 0; k < s->io.output_count; k++) {
        const iri_entry_value *v = &s->io.outputs[k];
        if (v->array)
            store_clip_distances(s, s->output_variables[k]);
        else if (v->builtin == IRI_ENTRY_SAMPLE_MASK)
            store_element(s, s->output_variables[k], v->type, 0, output_value(s, v));
        else
            store(s, s->output_variables[k], output_value(s, v));
    }
    if (s->point_size)
        store(s, s->point_size, gather(s, s->outputs[s->io.point_size], 1, IRI_TYPE_F32));
    memset(s->outputs, 0, s->p->interface.output_count * sizeof *s->outputs);
}
