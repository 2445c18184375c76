/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One look over a Direct3D 9 shader before it is lowered (which registers it writes, reads and indexes),
 * and the interface that follows from it and from the declarations. Facts: Microsoft's register pages
 * per model and the dcl_usage pages; docs/formats/d3d9.md.
 */
#include "ir/d3d.h"
#include "read/d3d9/lower_internal.h"

uint8_t iri_l9_slot(const iri_l9 *l, uint32_t bank, uint32_t number)
{
    switch (bank) {
    case IRI_D3D9_BANK_R: return (uint8_t)(IRI_L9_R + number);
    case IRI_D3D9_BANK_A: return IRI_L9_A;
    case IRI_D3D9_BANK_P: return IRI_L9_P;
    case IRI_D3D9_BANK_T:
        return (uint8_t)(l->major == 1 && l->minor < 4 ? IRI_L9_T + number : IRI_L9_NO_SLOT);
    case IRI_D3D9_BANK_OC: return (uint8_t)(IRI_L9_OC + number);
    case IRI_D3D9_BANK_ODEPTH: return IRI_L9_ODEPTH;
    case IRI_D3D9_BANK_OPOS: return IRI_L9_OPOS;
    case IRI_D3D9_BANK_OFOG: return IRI_L9_OFOG;
    case IRI_D3D9_BANK_OPTS: return IRI_L9_OPTS;
    case IRI_D3D9_BANK_OD: return (uint8_t)(IRI_L9_OD + number);
    case IRI_D3D9_BANK_OT: return (uint8_t)(IRI_L9_OT + number);
    case IRI_D3D9_BANK_O: return (uint8_t)(IRI_L9_O + number);
    default: return IRI_L9_NO_SLOT;
    }
}

bool iri_l9_has_dst(const iri_d3d9_instruction *in)
{
    return iri_d3d9_ops[in->op].operands[0] == 'd' &&
           !(iri_d3d9_ops[in->op].flags & IRI_D3D9_FLAG_DECL);
}

uint8_t iri_l9_writes(const iri_l9 *l, const iri_d3d9_instruction *in, uint8_t *lanes)
{
    *lanes = 0;
    if (!iri_l9_has_dst(in) || in->op == IRI_D3D9_OP_TEXM3X2PAD || in->op == IRI_D3D9_OP_TEXM3X3PAD)
        return IRI_L9_NO_SLOT;
    if (in->op == IRI_D3D9_OP_TEXDEPTH || in->op == IRI_D3D9_OP_TEXM3X2DEPTH) {
        *lanes = 1;
        return IRI_L9_ODEPTH;
    }
    const iri_d3d9_operand *dst = iri_l9_operand(l, in, 0);
    *lanes = dst->mask;
    return iri_l9_slot(l, dst->bank, dst->number);
}

/* ---- the scan ---- */

static void scan_definition(iri_l9 *l, const iri_d3d9_instruction *in)
{
    const iri_d3d9_operand *dst = iri_l9_operand(l, in, 0);
    const uint32_t *words = l->shader->literals + in->literal;
    const uint32_t **rows = in->op == IRI_D3D9_OP_DEF    ? l->float_def
                            : in->op == IRI_D3D9_OP_DEFI ? l->int_def
                                                         : l->bool_def;
    rows[dst->number] = words;
    if (in->op != IRI_D3D9_OP_DEF)
        return;
    if (l->def_end == 0 || dst->number < l->def_first)
        l->def_first = dst->number;
    if (dst->number >= l->def_end)
        l->def_end = dst->number + 1u;
}

static void scan_constant(iri_l9 *l, const iri_d3d9_operand *o, uint32_t rows)
{
    if (o->relative) {
        l->relative_c = true;
        return;
    }
    for (uint32_t i = 0; i < rows && o->number + i < l->float_limit; i++)
        if (!l->float_def[o->number + i] && o->number + i >= l->float_rows)
            l->float_rows = o->number + i + 1;
}

static uint8_t swizzled(const iri_d3d9_operand *o, uint8_t positions)
{
    uint8_t lanes = 0;
    for (uint32_t i = 0; i < 4; i++)
        if (positions >> i & 1)
            lanes |= (uint8_t)(1u << o->swizzle[i]);
    return lanes;
}

static void scan_source(iri_l9 *l, const iri_d3d9_instruction *in, const iri_d3d9_operand *o,
                        uint32_t i)
{
    bool matrix = (iri_d3d9_ops[in->op].flags & IRI_D3D9_FLAG_MATRIX) && i == 1;
    uint32_t rows = matrix ? iri_d3d9_matrix_rows((iri_d3d9_op)in->op) : 1;
    switch (o->bank) {
    case IRI_D3D9_BANK_C: scan_constant(l, o, rows); break;
    case IRI_D3D9_BANK_I:
        if (!l->int_def[o->number] && o->number >= l->int_rows)
            l->int_rows = o->number + 1u;
        break;
    case IRI_D3D9_BANK_B:
        if (!l->bool_def[o->number] && o->number >= l->bool_rows)
            l->bool_rows = o->number + 1u;
        break;
    case IRI_D3D9_BANK_V:
        if (o->relative) {
            l->relative_v = true;
            memset(l->used_v, 15, sizeof l->used_v);
            break;
        }
        for (uint32_t k = 0; k < rows && o->number + k < 16; k++)
            l->used_v[o->number + k] |= swizzled(o, iri_l9_reads(l, in, i, 15));
        break;
    case IRI_D3D9_BANK_T:
        if (iri_l9_slot(l, o->bank, o->number) != IRI_L9_NO_SLOT)
            break; /* a register that an instruction has filled, not a coordinate set */
        for (uint32_t k = 0; k < rows && o->number + k < 8; k++)
            l->used_t[o->number + k] |= swizzled(o, iri_l9_reads(l, in, i, 15));
        break;
    default: break;
    }
}

static void scan_texkill(iri_l9 *l, const iri_d3d9_operand *o)
{
    uint8_t lanes = l->major == 1 ? 7 : o->mask;
    if (o->bank == IRI_D3D9_BANK_T)
        l->used_t[o->number] |= lanes;
    else if (o->bank == IRI_D3D9_BANK_V)
        l->used_v[o->number] |= lanes;
}

static void scan_instruction(iri_l9 *l, const iri_d3d9_instruction *in)
{
    const char *kind = iri_d3d9_ops[in->op].operands;
    uint8_t lanes, slot = iri_l9_writes(l, in, &lanes);
    if (slot != IRI_L9_NO_SLOT) {
        l->written.at[slot] |= lanes;
        for (uint32_t i = 0; i < 4; i++)
            if (lanes >> i & 1)
                l->last_write[slot][i] = in->offset;
    }
    uint32_t at = 0, source = 0;
    for (; *kind; kind++) {
        if (*kind < 'a')
            continue;
        const iri_d3d9_operand *o = iri_l9_operand(l, in, at++);
        if (*kind == 'd') {
            if (o->relative && o->bank == IRI_D3D9_BANK_O)
                l->relative_o = true;
        } else if (*kind == 'k') {
            scan_texkill(l, o);
        } else if (*kind == 't') {
            l->stages |= (uint16_t)(1u << o->number);
            source++;
        } else {
            scan_source(l, in, o, source++);
        }
    }
    if (l->major == 1 && iri_d3d9_ops[in->op].flags & IRI_D3D9_FLAG_SAMPLE)
        l->stages |= (uint16_t)(1u << iri_l9_operand(l, in, 0)->number);
    if (l->major == 1 && l->minor < 4 && !l->vertex)
        iri_l9_implicit_coordinates(l, in, l->used_t);
}

static uint8_t dimension_of_stage(iri_l9 *l, uint32_t stage)
{
    const iri_d3d9_constant *c = iri_l9_sampler_constant(l, stage);
    const iri_d3d_row *row = c ? iri_d3d_find(IRI_D3D_SAMPLER_PARAMETER, c->type->type) : NULL;
    if (row && row->value != IRI_DIMENSION_NONE)
        return (uint8_t)row->value;
    uint32_t bits[4];
    if (!iri_l9_state(l, IRI_STATE_TEXTURE_TYPE, stage, bits))
        iri_fail(
            l->ctx, IRI_UNSPECIFIED_STATE, IRI_NO_OFFSET,
            "what type of texture stage %u samples is not in the bytecode: give texture_type[%u]",
            stage, stage);
    row = iri_d3d_find(IRI_D3D_SAMPLER_TYPE, bits[0]);
    if (!row)
        iri_fail(l->ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET,
                 "texture_type[%u] is %u: 2 is 2D, 3 cube, 4 volume", stage, bits[0]);
    iri_add_note(l->b, "texture-type", IRI_NO_OFFSET,
                 "stage %u is taken to sample a %s texture: the bytecode does not say", stage,
                 row->text);
    return (uint8_t)row->value;
}

/* Which textures the stages of a ps_1_x program sample, and those that later models declare: how many
 * coordinates a lookup reads follows from it. */
static void find_dimensions(iri_l9 *l)
{
    for (uint32_t i = 0; i < l->shader->instruction_count; i++) {
        const iri_d3d9_instruction *in = &l->shader->instructions[i];
        const iri_d3d9_operand *o = iri_l9_operand(l, in, 0);
        uint32_t bits[4];
        if (in->op == IRI_D3D9_OP_DCL && o->bank == IRI_D3D9_BANK_S) {
            uint32_t type = iri_d3d9_dcl_texture(l->shader->literals[in->literal]);
            l->dimension[o->number] =
                (uint8_t)iri_d3d_get(l->ctx, in->offset + 4, IRI_D3D_SAMPLER_TYPE, type)->value;
        } else if (l->major == 1 && iri_d3d9_ops[in->op].flags & IRI_D3D9_FLAG_SAMPLE) {
            if (!l->dimension[o->number])
                l->dimension[o->number] = dimension_of_stage(l, o->number);
        } else {
            continue;
        }
        l->shadow[o->number] =
            iri_l9_state(l, IRI_STATE_SHADOW_SAMPLER, o->number, bits) && bits[0] != 0;
    }
}

/* A place for each register of a constant bank that the shader names, and for the rows after it that a matrix
 * operation reads: a software model's banks are far larger than what its shaders use. */
static void make_tables(iri_l9 *l)
{
    const iri_d3d9_shader *s = l->shader;
    uint32_t last[IRI_D3D9_BANK_COUNT] = {0};
    for (uint32_t i = 0; i < s->operand_count; i++)
        if (last[s->operands[i].bank] < s->operands[i].number)
            last[s->operands[i].bank] = s->operands[i].number;
    l->float_def = iri_new_array(l->scratch, const uint32_t *, last[IRI_D3D9_BANK_C] + 4);
    l->int_def = iri_new_array(l->scratch, const uint32_t *, last[IRI_D3D9_BANK_I] + 4);
    l->bool_def = iri_new_array(l->scratch, const uint32_t *, last[IRI_D3D9_BANK_B] + 4);
}

void iri_l9_scan(iri_l9 *l)
{
    const iri_d3d9_shader *s = l->shader;
    l->float_limit = iri_d3d9_banks[IRI_D3D9_BANK_C].limits[s->model];
    for (uint32_t i = 0; i < s->instruction_count; i++)
        if (s->instructions[i].op == IRI_D3D9_OP_LABEL &&
            iri_l9_operand(l, &s->instructions[i], 0)->number >= l->function_limit)
            l->function_limit = iri_l9_operand(l, &s->instructions[i], 0)->number + 1u;
    if (l->function_limit)
        l->functions = iri_new_array(l->scratch, iri_l9_function, l->function_limit);
    make_tables(l);
    l->main_end = s->instruction_count;
    for (uint32_t i = 0; i < s->instruction_count; i++) {
        const iri_d3d9_instruction *in = &s->instructions[i];
        if (in->op == IRI_D3D9_OP_DEF || in->op == IRI_D3D9_OP_DEFI || in->op == IRI_D3D9_OP_DEFB) {
            scan_definition(l, in);
        } else if (in->op == IRI_D3D9_OP_LABEL) {
            if (l->main_end > i)
                l->main_end = i;
            l->functions[iri_l9_operand(l, in, 0)->number].first = i + 1;
        }
    }
    find_dimensions(l);
    for (uint32_t i = 0; i < s->instruction_count; i++) {
        if (!(iri_d3d9_ops[s->instructions[i].op].flags & IRI_D3D9_FLAG_DECL))
            scan_instruction(l, &s->instructions[i]);
        if (i >= l->main_end)
            continue;
        l->main_indexes_c = l->relative_c;
        l->main_indexes_v = l->relative_v;
    }
}

/* ---- inputs ---- */

static void place_input(iri_l9 *l, iri_l9_input *reg, const iri_io *io)
{
    uint32_t index = iri_add_input(l->b, io);
    uint8_t lane = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if (!(io->lanes >> i & 1))
            continue;
        reg->io[i] = (uint16_t)(index + 1);
        reg->lane[i] = lane++;
    }
}

static uint8_t flat_or(iri_l9 *l, uint32_t usage, bool centroid)
{
    uint32_t bits[4];
    if (l->vertex)
        return IRI_INTERPOLATION_DEFAULT;
    if (usage == IRI_D3D9_USAGE_COLOR && iri_l9_state(l, IRI_STATE_SHADE_FLAT, 0, bits) && bits[0])
        return IRI_INTERPOLATION_FLAT;
    /* Colours are sampled at the centroid whether or not the declaration says so. */
    return centroid || usage == IRI_D3D9_USAGE_COLOR ? IRI_INTERPOLATION_LINEAR_CENTROID
                                                     : IRI_INTERPOLATION_LINEAR;
}

/* Whether another declaration names the same register. */
static bool shares_register(const iri_l9 *l, const iri_d3d9_instruction *dcl)
{
    const iri_d3d9_operand *o = iri_l9_operand(l, dcl, 0);
    for (uint32_t i = 0; i < l->shader->instruction_count; i++) {
        const iri_d3d9_instruction *in = &l->shader->instructions[i];
        if (in->op != IRI_D3D9_OP_DCL || in == dcl)
            continue;
        const iri_d3d9_operand *other = iri_l9_operand(l, in, 0);
        if (other->bank == o->bank && other->number == o->number)
            return true;
    }
    return false;
}

/* The lanes of an input: in a vertex program, where a fetch fills all four, those that are read though not
 * declared belong to the register's only declaration. */
static uint8_t widened(const iri_l9 *l, const iri_d3d9_instruction *dcl, const iri_d3d9_operand *o)
{
    return l->vertex && !shares_register(l, dcl) ? o->mask | l->used_v[o->number] : o->mask;
}

static void declare_input(iri_l9 *l, const iri_d3d9_instruction *dcl)
{
    const iri_d3d9_operand *o = iri_l9_operand(l, dcl, 0);
    uint32_t word = l->shader->literals[dcl->literal];
    uint32_t usage = iri_d3d9_dcl_usage(word), index = iri_d3d9_dcl_index(word);
    bool texture = o->bank == IRI_D3D9_BANK_T;
    if (!l->vertex && l->major == 2) {
        usage = texture ? IRI_D3D9_USAGE_TEXCOORD : IRI_D3D9_USAGE_COLOR;
        index = o->number;
    }
    uint8_t lanes = texture ? o->mask : widened(l, dcl, o);
    uint8_t used = (texture ? l->used_t[o->number] : l->used_v[o->number]) & lanes;
    iri_io io = {.name = iri_d3d_get(l->ctx, dcl->offset + 4, IRI_D3D_USAGE, usage)->text,
                 .index = index,
                 .type = IRI_TYPE(IRI_F32, iri_l9_count_lanes(lanes)),
                 .interpolation = flat_or(l, usage, (o->modifiers & IRI_D3D9_DST_CENTROID) != 0),
                 .bank = texture ? IRI_BANK_T : IRI_BANK_V,
                 .reg = o->number,
                 .lanes = lanes,
                 .used = used,
                 .offset = dcl->offset};
    place_input(l, texture ? &l->t[o->number] : &l->v[o->number], &io);
    if (!texture && o->number >= l->v_length)
        l->v_length = o->number + 1u;
}

static void declare_misc(iri_l9 *l, const iri_d3d9_instruction *dcl)
{
    const iri_d3d9_operand *o = iri_l9_operand(l, dcl, 0);
    iri_io io = {.name = "VFACE",
                 .type = IRI_TYPE_BOOL,
                 .system_value = IRI_SV_IS_FRONT_FACE,
                 .interpolation = IRI_INTERPOLATION_FLAT,
                 .bank = IRI_BANK_VFACE,
                 .lanes = 1,
                 .used = 1,
                 .offset = dcl->offset};
    if (o->bank == IRI_D3D9_BANK_VFACE) {
        l->vface = iri_add_input(l->b, &io) + 1;
        return;
    }
    io.name = "VPOS";
    io.type = IRI_TYPE_VEC4F;
    io.system_value = IRI_SV_POSITION;
    io.interpolation = IRI_INTERPOLATION_LINEAR;
    io.bank = IRI_BANK_VPOS;
    io.lanes = 15;
    io.used = o->mask;
    l->vpos = iri_add_input(l->b, &io) + 1;
}

/* A register that is read without a declaration, where the model allows that. */
static void declare_implicit(iri_l9 *l, bool texture, uint32_t number)
{
    uint8_t used = texture ? l->used_t[number] : l->used_v[number];
    iri_l9_input *reg = texture ? &l->t[number] : &l->v[number];
    if (!used || reg->io[0] || reg->io[1] || reg->io[2] || reg->io[3])
        return;
    uint32_t usage = texture ? IRI_D3D9_USAGE_TEXCOORD : IRI_D3D9_USAGE_COLOR;
    iri_io io = {.name = l->vertex ? "v" : iri_d3d_find(IRI_D3D_USAGE, usage)->text,
                 .index = number,
                 .type = IRI_TYPE_VEC4F,
                 .interpolation = flat_or(l, usage, false),
                 .bank = texture ? IRI_BANK_T : IRI_BANK_V,
                 .reg = (uint16_t)number,
                 .lanes = 15,
                 .used = used,
                 .offset = IRI_NO_OFFSET};
    place_input(l, reg, &io);
    if (l->vertex)
        iri_add_note(l->b, "undeclared-input", IRI_NO_OFFSET,
                     "v%u has no declaration and is kept under its register's name", number);
}

/* ---- outputs ---- */

static iri_l9_output *add_output(iri_l9 *l, uint8_t slot, const iri_io *io, bool scalar)
{
    assert(l->output_count < IRI_L9_OUTPUTS);
    iri_l9_output *out = &l->outputs[l->output_count++];
    *out = (iri_l9_output){.io = iri_add_output(l->b, io),
                           .slot = slot,
                           .lanes = io->lanes,
                           .own = io->lanes,
                           .scalar = scalar};
    return out;
}

static void declare_output(iri_l9 *l, const iri_d3d9_instruction *dcl)
{
    const iri_d3d9_operand *o = iri_l9_operand(l, dcl, 0);
    uint32_t word = l->shader->literals[dcl->literal];
    uint32_t usage = iri_d3d9_dcl_usage(word), index = iri_d3d9_dcl_index(word);
    bool position = usage == IRI_D3D9_USAGE_POSITION && index == 0;
    bool size = usage == IRI_D3D9_USAGE_PSIZE && index == 0;
    uint8_t slot = (uint8_t)(IRI_L9_O + o->number), lanes = position ? 15 : o->mask;
    if (position && o->mask != 15 && shares_register(l, dcl))
        iri_fail(l->ctx, IRI_MALFORMED_DECLARATION, dcl->offset,
                 "the position shares its register with another output");
    if (size)
        lanes &= (uint8_t)(~lanes + 1u); /* a scalar: its lowest lane */
    iri_io io = {.name = iri_d3d_get(l->ctx, dcl->offset + 4, IRI_D3D_USAGE, usage)->text,
                 .index = index,
                 .type = IRI_TYPE(IRI_F32, iri_l9_count_lanes(lanes)),
                 .system_value = position ? IRI_SV_POSITION
                                 : size   ? IRI_SV_POINT_SIZE
                                          : IRI_SV_NONE,
                 .bank = IRI_BANK_O,
                 .reg = o->number,
                 .lanes = lanes,
                 .used = l->relative_o ? lanes : (uint8_t)(l->written.at[slot] & lanes),
                 .offset = dcl->offset};
    l->declared_o[o->number] |= o->mask;
    if (o->number >= l->o_length)
        l->o_length = o->number + 1u;
    add_output(l, slot, &io, size)->own = o->mask & lanes;
}

/* Outputs that are registers of fixed meaning. */
static void declare_fixed_outputs(iri_l9 *l)
{
    static const struct {
        uint8_t slot, count, bank, sv;
        bool scalar, saturate;
        const char *name;
    } rows[] = {
        {IRI_L9_OPOS, 1, IRI_BANK_OPOS, IRI_SV_POSITION, false, false, "POSITION"},
        {IRI_L9_OD, 2, IRI_BANK_OD, IRI_SV_NONE, false, true, "COLOR"},
        {IRI_L9_OT, 8, IRI_BANK_OT, IRI_SV_NONE, false, false, "TEXCOORD"},
        {IRI_L9_OFOG, 1, IRI_BANK_OFOG, IRI_SV_NONE, true, true, "FOG"},
        {IRI_L9_OPTS, 1, IRI_BANK_OPTS, IRI_SV_POINT_SIZE, true, false, "PSIZE"},
        {IRI_L9_OC, 4, IRI_BANK_OC, IRI_SV_TARGET, false, false, "SV_Target"},
        {IRI_L9_ODEPTH, 1, IRI_BANK_ODEPTH, IRI_SV_DEPTH, true, false, "SV_Depth"},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint32_t n = 0; n < rows[i].count; n++) {
            bool colour = rows[i].bank == IRI_BANK_OC;
            bool whole = colour || rows[i].bank == IRI_BANK_OPOS;
            bool r0 = colour && n == 0 && !l->vertex && l->major == 1;
            uint8_t slot = (uint8_t)(r0 ? IRI_L9_R : rows[i].slot + n),
                    written = l->written.at[slot];
            if (!written && !r0)
                continue;
            uint8_t lanes = whole ? 15 : rows[i].scalar ? written & (~written + 1u) : written;
            iri_io io = {.name = rows[i].name,
                         .index = n,
                         .type = IRI_TYPE(IRI_F32, iri_l9_count_lanes(lanes)),
                         .system_value = rows[i].sv,
                         .bank = rows[i].bank,
                         .reg = (uint16_t)n,
                         .lanes = lanes,
                         .used = written & lanes,
                         .offset = IRI_NO_OFFSET};
            iri_l9_output *out = add_output(l, slot, &io, rows[i].scalar);
            out->saturate = rows[i].saturate;
            out->target = colour && n == 0;
        }
    }
    if (l->written.at[IRI_L9_ODEPTH])
        iri_builder_program(l->b)->interface.facts.depth_mode = 1;
}

/* ---- samplers ---- */

static void declare_sampler(iri_l9 *l, uint32_t number, uint32_t offset)
{
    const iri_d3d9_constant *c = iri_l9_sampler_constant(l, number);
    const char *name = c ? c->name : NULL;
    if (c && c->count > 1)
        name = iri_arena_printf(l->scratch, "%s[%u]", c->name, number - c->index);
    iri_resource texture = {.name = name,
                            .kind = IRI_RESOURCE_TEXTURE,
                            .dimension = l->dimension[number],
                            .comparison = l->shadow[number],
                            .scalar = IRI_F32,
                            .access = 1,
                            .reg = number,
                            .count = 1,
                            .offset = offset};
    iri_resource sampler = {.name = name,
                            .kind = IRI_RESOURCE_SAMPLER,
                            .comparison = l->shadow[number],
                            .access = 1,
                            .reg = number,
                            .count = 1,
                            .offset = offset};
    l->textures[number] = iri_add_resource(l->b, &texture) + 1;
    l->samplers[number] = iri_add_resource(l->b, &sampler) + 1;
}

static void declare_one(iri_l9 *l, const iri_d3d9_instruction *dcl)
{
    const iri_d3d9_operand *o = iri_l9_operand(l, dcl, 0);
    switch (o->bank) {
    case IRI_D3D9_BANK_V:
    case IRI_D3D9_BANK_T: declare_input(l, dcl); break;
    case IRI_D3D9_BANK_VPOS:
    case IRI_D3D9_BANK_VFACE: declare_misc(l, dcl); break;
    case IRI_D3D9_BANK_O: declare_output(l, dcl); break;
    case IRI_D3D9_BANK_S: declare_sampler(l, o->number, dcl->offset); break;
    default: break;
    }
}

void iri_l9_declare(iri_l9 *l)
{
    const iri_d3d9_shader *s = l->shader;
    iri_l9_declare_constants(l);
    for (uint32_t i = 0; i < s->instruction_count; i++)
        if (s->instructions[i].op == IRI_D3D9_OP_DCL)
            declare_one(l, &s->instructions[i]);
    for (uint32_t n = 0; n < 16 && l->major < 3; n++)
        declare_implicit(l, false, n);
    for (uint32_t n = 0; n < 8 && l->major < 3 && !l->vertex; n++)
        declare_implicit(l, true, n);
    for (uint32_t n = 0; n < 16 && l->major == 1; n++)
        if (l->stages >> n & 1)
            declare_sampler(l, n, IRI_NO_OFFSET);
    declare_fixed_outputs(l);
    iri_l9_declare_state(l);
}
