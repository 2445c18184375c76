/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interface of random programs and what reads and writes it: inputs, outputs, constant buffers, state,
 * textures; and locals.
 */
#include "random_internal.h"

/* ---- the interface ---- */

static iri_io element(const char *name, uint32_t index, iri_type type, uint32_t system_value)
{
    uint8_t lanes = (uint8_t)((1u << IRI_TYPE_LANES(type)) - 1);
    return (iri_io){.name = name,
                    .index = index,
                    .type = type,
                    .system_value = (uint8_t)system_value,
                    .lanes = lanes,
                    .used = lanes,
                    .offset = IRI_NO_OFFSET};
}

static void add_input(random_gen *g, iri_io io)
{
    bool interpolates = g->stage == IRI_STAGE_PIXEL && io.system_value != IRI_SV_IS_FRONT_FACE;
    if (interpolates)
        io.interpolation =
            random_is_float(io.type) ? IRI_INTERPOLATION_LINEAR : IRI_INTERPOLATION_FLAT;
    g->inputs[g->input_count++] = io;
    iri_build_add_input(g->b, &io);
}

static void add_output(random_gen *g, iri_io io)
{
    g->outputs[g->output_count++] = io;
    iri_build_add_output(g->b, &io);
}

static void add_inputs(random_gen *g)
{
    bool sharp = random_has(g, RANDOM_SHARP);
    uint32_t count = 2 + random_below(g, 3);
    for (uint32_t i = 0; i < count; i++) {
        iri_type type = random_type(g);
        if (sharp || IRI_TYPE_SCALAR(type) == IRI_BOOL || i == 0)
            type = IRI_TYPE(IRI_F32, i ? IRI_TYPE_LANES(type) : 4);
        add_input(g, element("TEXCOORD", i, type, IRI_SV_NONE));
    }
    if (g->stage == IRI_STAGE_PIXEL && random_chance(g, 20))
        add_input(g, element("SV_Position", 0, IRI_TYPE_VEC4F, IRI_SV_POSITION));
    if (g->stage == IRI_STAGE_PIXEL && random_chance(g, 20))
        add_input(g, element("SV_IsFrontFace", 0, IRI_TYPE_BOOL, IRI_SV_IS_FRONT_FACE));
    if (g->stage == IRI_STAGE_VERTEX && random_chance(g, 20) && !sharp)
        add_input(g, element("SV_VertexID", 0, IRI_TYPE_U32, IRI_SV_VERTEX_ID));
}

/* The first takes the accumulators. */
static void add_outputs(random_gen *g)
{
    bool sharp = random_has(g, RANDOM_SHARP), pixel = g->stage == IRI_STAGE_PIXEL;
    uint32_t count = 1 + random_below(g, 3);
    if (!pixel)
        add_output(g, element("SV_Position", 0, IRI_TYPE_VEC4F, IRI_SV_POSITION));
    for (uint32_t i = 0; i < count; i++) {
        iri_type type = random_type(g);
        iri_type only = i ? IRI_TYPE_VEC4F : sharp ? IRI_TYPE_VEC4F : IRI_TYPE(IRI_U32, 4);
        if (sharp || i == 0 || IRI_TYPE_SCALAR(type) == IRI_BOOL)
            type = only;
        add_output(g, element(pixel ? "SV_Target" : "TEXCOORD", i, type,
                              pixel ? IRI_SV_TARGET : IRI_SV_NONE));
    }
    if (pixel && !sharp && random_chance(g, 15))
        add_output(g, element("SV_Depth", 0, IRI_TYPE_F32, IRI_SV_DEPTH));
}

static void add_resource(random_gen *g, iri_resource r)
{
    r.offset = IRI_NO_OFFSET;
    if (!r.count)
        r.count = 1;
    g->resources[g->resource_count++] = r;
    iri_build_add_resource(g->b, &r);
}

static void add_constants(random_gen *g)
{
    uint32_t count = 1 + random_below(g, 2);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rows = 1 + random_below(g, 16), dynamic = random_below(g, 2);
        uint32_t short_by = random_chance(g, 20) ? 4 * random_below(g, 4) : 0;
        add_resource(g, (iri_resource){.kind = IRI_RESOURCE_CBUFFER,
                                       .reg = i,
                                       .size = rows * 16 - short_by,
                                       .flags = dynamic ? IRI_RESOURCE_DYNAMIC : 0});
    }
}

static void add_textures(random_gen *g)
{
    bool sharp = random_has(g, RANDOM_SHARP);
    uint32_t count = random_below(g, 4);
    for (uint32_t i = 0; i < count; i++) {
        static const uint8_t dimensions[] = {IRI_DIMENSION_2D, IRI_DIMENSION_2D, IRI_DIMENSION_3D,
                                             IRI_DIMENSION_CUBE, IRI_DIMENSION_1D};
        iri_resource r = {.kind = IRI_RESOURCE_TEXTURE, .reg = 2 * i, .scalar = IRI_F32};
        /* WGSL has fewer lookups of the last, 1D. */
        r.dimension = dimensions[random_below(g, sizeof dimensions - (sharp ? 1 : 0))];
        r.arrayed = !sharp && r.dimension != IRI_DIMENSION_3D && random_chance(g, 20);
        r.comparison = !sharp && r.dimension == IRI_DIMENSION_2D && random_chance(g, 30);
        if (!sharp && !r.comparison && random_chance(g, 15))
            r.scalar = random_chance(g, 50) ? IRI_I32 : IRI_U32;
        r.count = !sharp && random_chance(g, 15) ? 2 : 1;
        add_resource(g, r);
    }
    if (count) {
        add_resource(g, (iri_resource){.kind = IRI_RESOURCE_SAMPLER, .reg = 0});
        if (!sharp)
            add_resource(g,
                         (iri_resource){.kind = IRI_RESOURCE_SAMPLER, .reg = 1, .comparison = 1});
    }
}

void random_add_interface(random_gen *g)
{
    add_inputs(g);
    add_outputs(g);
    if (!random_has(g, RANDOM_RESOURCES))
        return;
    add_constants(g);
    add_textures(g);
}

/* ---- reading ---- */

iri_id random_input(random_gen *g, uint32_t input, iri_lanes lanes)
{
    return iri_build(g->b, IRI_OP_INPUT, IRI_TYPE_VOID, NULL, 0, (uint32_t[]){input, lanes}, 2);
}

static iri_id load_input(random_gen *g, iri_type type)
{
    uint32_t first = random_below(g, g->input_count);
    for (uint32_t i = 0; i < g->input_count; i++) {
        uint32_t input = (first + i) % g->input_count;
        iri_type has = g->inputs[input].type;
        if (IRI_TYPE_SCALAR(has) != IRI_TYPE_SCALAR(type))
            continue;
        iri_lanes lanes = random_lanes(g, IRI_TYPE_LANES(type), IRI_TYPE_LANES(has));
        return random_input(g, input, lanes);
    }
    return 0;
}

static iri_id load_local(random_gen *g, iri_type type)
{
    for (uint32_t i = 0; i < g->array_count; i++) {
        const iri_local *array = &g->arrays[i];
        if (IRI_TYPE_SCALAR(array->type) != IRI_TYPE_SCALAR(type) || random_chance(g, 50))
            continue;
        iri_id index = random_index(g, 8);
        iri_lanes lanes = random_lanes(g, IRI_TYPE_LANES(type), IRI_TYPE_LANES(array->type));
        return iri_build(g->b, IRI_OP_LOAD_LOCAL, IRI_TYPE_VOID, &index, 1,
                         (uint32_t[]){g->array_ids[i], lanes}, 2);
    }
    uint32_t first = g->local_count ? random_below(g, g->local_count) : 0;
    for (uint32_t i = 0; i < g->local_count; i++) {
        uint32_t k = (first + i) % g->local_count;
        iri_type has = g->locals[k].type;
        if (IRI_TYPE_SCALAR(has) != IRI_TYPE_SCALAR(type))
            continue;
        iri_lanes lanes = random_lanes(g, IRI_TYPE_LANES(type), IRI_TYPE_LANES(has));
        return iri_build(g->b, IRI_OP_LOAD_LOCAL, IRI_TYPE_VOID, NULL, 0,
                         (uint32_t[]){g->local_ids[k], lanes}, 2);
    }
    return 0;
}

static iri_id load_constants(random_gen *g, iri_type type)
{
    const iri_resource *r = g->resources;
    uint32_t buffers = 0, offset;
    uint32_t size = IRI_TYPE_LANES(type) * iri_scalar_bits(IRI_TYPE_SCALAR(type)) / 8;
    while (buffers < g->resource_count && r[buffers].kind == IRI_RESOURCE_CBUFFER)
        buffers++;
    if (!buffers || IRI_TYPE_SCALAR(type) == IRI_BOOL)
        return 0;
    bool sharp = random_has(g, RANDOM_SHARP);
    uint32_t resource = random_below(g, buffers);
    if (sharp && random_is_float(type))
        resource = 0; /* the others hold small integers: as floats, denormals */
    bool dynamic = (r[resource].flags & IRI_RESOURCE_DYNAMIC) != 0;
    iri_id at;
    if (dynamic && random_chance(g, 60)) {
        /* A register, as relative addressing has it, or any word; some of them past the end. */
        iri_id index = random_index(g, 32);
        iri_id scale = random_u32(g, sharp || random_chance(g, 90) ? 16 : 4);
        at = random_emit2(g, IRI_OP_IMUL, index, scale);
    } else if (r[resource].size < size) {
        return 0;
    } else {
        offset = random_below(g, (r[resource].size - size) / 4 + 1) * 4;
        at = random_u32(g, offset);
    }
    return iri_build(g->b, IRI_OP_LOAD_CB, type, &at, 1, &resource, 1);
}

iri_id random_state_value(random_gen *g, iri_type *type)
{
    uint32_t words[2] = {1 + random_below(g, IRI_STATE_COUNT - 1), 0};
    const iri_state_info *info = iri_state_get_info((iri_state_id)words[0]);
    words[1] = random_below(g, info->count);
    *type = info->type;
    return iri_build(g->b, IRI_OP_STATE, IRI_TYPE_VOID, NULL, 0, words, 2);
}

iri_id random_load(random_gen *g, iri_type type)
{
    uint32_t how = random_below(g, 10);
    if (how < 4)
        return load_input(g, type);
    if (how < 7)
        return load_local(g, type);
    if (how < 9)
        return load_constants(g, type);
    if (!random_has(g, RANDOM_RESOURCES))
        return 0;
    iri_type has;
    iri_id x = random_state_value(g, &has);
    return random_convert(g, x, type);
}

/* ---- textures ---- */

static uint32_t texel_offset(random_gen *g, uint32_t dimension)
{
    uint32_t packed = 0, lanes = dimension == IRI_DIMENSION_CUBE ? 0 : dimension;
    for (uint32_t i = 0; i < lanes; i++)
        packed |= ((random_below(g, 16) - 8u) & 0xff) << (8 * i);
    return packed;
}

static uint32_t find_resource(const random_gen *g, uint32_t kind, bool comparison)
{
    for (uint32_t i = 0; i < g->resource_count; i++)
        if (g->resources[i].kind == kind && (g->resources[i].comparison != 0) == comparison)
            return i;
    return UINT32_MAX;
}

static bool may_derive(const random_gen *g)
{
    return random_has(g, RANDOM_DERIVATIVES) &&
           (random_has(g, RANDOM_DIVERGENT) || (!g->depth && !g->diverged && !g->function));
}

static iri_op lookup_op(random_gen *g, bool comparison)
{
    static const iri_op ops[] = {IRI_OP_SAMPLE_LOD, IRI_OP_SAMPLE_GRAD, IRI_OP_SAMPLE,
                                 IRI_OP_SAMPLE_BIAS};
    uint32_t pick = random_below(g, may_derive(g) ? 4 : 2);
    if (comparison)
        return pick > 1 ? IRI_OP_SAMPLE_CMP : IRI_OP_SAMPLE_CMP_LEVEL;
    return ops[pick];
}

void random_lookup(random_gen *g)
{
    static const uint8_t lanes_of[IRI_DIMENSION_COUNT] = {0, 1, 2, 3, 3};
    uint32_t textures[RANDOM_RESOURCES_MAX], count = 0, operand_count = 1;
    iri_id operands[5];
    for (uint32_t i = 0; i < g->resource_count; i++)
        if (g->resources[i].kind == IRI_RESOURCE_TEXTURE)
            textures[count++] = i;
    if (!count)
        return;
    uint32_t texture = textures[random_below(g, count)];
    const iri_resource *r = &g->resources[texture];
    uint32_t lanes = lanes_of[r->dimension];
    iri_op op = lookup_op(g, r->comparison != 0);
    uint32_t words[3] = {texture, find_resource(g, IRI_RESOURCE_SAMPLER, r->comparison != 0), 0};
    iri_type coordinates = IRI_TYPE(IRI_F32, lanes + (r->arrayed ? 1u : 0u));
    operands[0] = random_pick_exact(g, coordinates);
    if (op == IRI_OP_SAMPLE_GRAD) {
        operands[operand_count++] = random_pick_exact(g, IRI_TYPE(IRI_F32, lanes));
        operands[operand_count++] = random_pick_exact(g, IRI_TYPE(IRI_F32, lanes));
    } else if (op != IRI_OP_SAMPLE) {
        operands[operand_count++] = random_pick_exact(g, IRI_TYPE_F32);
    }
    if (r->count > 1)
        operands[operand_count++] = random_index(g, r->count);
    if (random_chance(g, 20))
        words[2] = texel_offset(g, r->dimension);
    iri_type type = r->comparison ? IRI_TYPE_F32 : IRI_TYPE(r->scalar, 4);
    iri_id x = iri_build(g->b, op, type, operands, operand_count, words, 3);
    random_keep(g, x, false);
}

/* ---- locals ---- */

void random_add_locals(random_gen *g)
{
    static const char *const names[] = {"r0", "r1", "r2", "r3", "x0", "x1"};
    g->local_count = random_has(g, RANDOM_LOCALS) ? 1 + random_below(g, LOCALS_MAX) : 0;
    g->array_count = random_has(g, RANDOM_ARRAYS) ? 1 + random_below(g, 2) : 0;
    for (uint32_t i = 0; i < g->local_count; i++) {
        iri_type type = random_type(g);
        uint8_t init = (uint8_t)random_below(g, 3);
        g->locals[i] = (iri_local){names[i], type, init, 0};
        g->local_ids[i] = iri_build_add_local(g->b, &g->locals[i]);
    }
    for (uint32_t i = 0; i < g->array_count; i++) {
        iri_type type = random_type(g);
        uint32_t length = 1 + random_below(g, 8);
        g->arrays[i] = (iri_local){names[4 + i], type, IRI_LOCAL_ZERO, length};
        g->array_ids[i] = iri_build_add_local(g->b, &g->arrays[i]);
    }
}

void random_store(random_gen *g)
{
    bool array = g->array_count && random_chance(g, 50);
    if (!array && !g->local_count)
        return;
    uint32_t i = random_below(g, array ? g->array_count : g->local_count);
    iri_type type = array ? g->arrays[i].type : g->locals[i].type;
    iri_lanes mask = random_mask(g, IRI_TYPE_LANES(type));
    iri_id operands[2];
    operands[0] = random_pick(g, IRI_TYPE(IRI_TYPE_SCALAR(type), IRI_LANES_COUNT(mask)));
    if (array)
        operands[1] = random_index(g, 8);
    iri_build(g->b, IRI_OP_STORE_LOCAL, IRI_TYPE_VOID, operands, array ? 2 : 1,
              (uint32_t[]){array ? g->array_ids[i] : g->local_ids[i], mask}, 2);
}

/* ---- writing ---- */

static void write_lanes(random_gen *g, uint32_t output, iri_lanes mask, iri_id x)
{
    iri_build(g->b, IRI_OP_OUTPUT, IRI_TYPE_VOID, &x, 1, (uint32_t[]){output, mask}, 2);
}

/* The hash, a different turn of it in each lane; for a GPU its bits as a whole float and the sum. */
static iri_id accumulated(random_gen *g, iri_type type)
{
    iri_id hash = random_get_accumulator(g, 0);
    if (IRI_TYPE_SCALAR(type) != IRI_F32) {
        iri_id odd =
            iri_build_constant(g->b, type, (uint64_t[4]){1, 0x85ebca6bu, 0xc2b2ae35u, 0x27d4eb2fu});
        iri_id wide = random_emit1(g, IRI_OP_SPLAT, type, hash);
        return random_emit2(g, IRI_OP_IMUL, wide, odd);
    }
    iri_id mask = random_u32(g, 0xffff);
    iri_id low = random_emit2(g, IRI_OP_AND, hash, mask);
    iri_id whole = random_emit1(g, IRI_OP_ITOF, IRI_TYPE_F32, low);
    iri_id sum = random_get_accumulator(g, 1);
    iri_lanes x = IRI_LANES1(3);
    return iri_build(g->b, IRI_OP_INSERT, IRI_TYPE_VOID, (iri_id[]){sum, whole}, 2, &x, 1);
}

/* All that is written is made before the first output: only outputs and the return follow one. */
void random_write_outputs(random_gen *g)
{
    iri_id values[RANDOM_OUTPUTS];
    bool done = false;
    for (uint32_t i = 0; i < g->output_count; i++) {
        const iri_io *io = &g->outputs[i];
        bool hash = !done && io->system_value != IRI_SV_POSITION;
        values[i] = hash ? 0 : random_pick(g, io->type);
        done |= hash;
    }
    random_settle(g, 0);
    done = false;
    for (uint32_t i = 0; i < g->output_count; i++) {
        if (values[i] || done)
            continue;
        values[i] = accumulated(g, g->outputs[i].type);
        done = true;
    }
    iri_lanes halves[2] = {IRI_LANES2(0, 1), IRI_LANES2(2, 3)};
    for (uint32_t i = 0; i < g->output_count; i++) {
        uint32_t lanes = IRI_TYPE_LANES(g->outputs[i].type);
        if (lanes < 4 || random_chance(g, 70)) {
            write_lanes(g, i, iri_lanes_first(lanes), values[i]);
            continue;
        }
        iri_id first = random_swizzle(g, values[i], halves[0]);
        write_lanes(g, i, halves[0], first);
        iri_id second = random_swizzle(g, values[i], halves[1]);
        write_lanes(g, i, halves[1], second);
    }
}
