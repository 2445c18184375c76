/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operands of Direct3D 9 instructions: reading a source's lanes through swizzle, modifier and relative
 * address, and writing a destination's lanes through shift, saturate, mask and predicate. Facts: the
 * pages "Source Register Modifiers", "Destination Register Modifiers", "Instruction Modifiers" and
 * "Relative addressing" of Microsoft's shader reference.
 */
#include "read/d3d9/lower_internal.h"

enum { DEF_CHAIN = 3, DEF_ARRAY = 128 };

iri_type iri_l9_slot_type(uint32_t slot, uint32_t lanes)
{
    return IRI_TYPE(slot == IRI_L9_A ? IRI_I32 : slot == IRI_L9_P ? IRI_BOOL : IRI_F32, lanes);
}

static const char *slot_name(iri_l9 *l, uint32_t slot)
{
    static const struct {
        uint8_t first, count;
        const char *prefix;
        bool numbered;
    } rows[] = {{IRI_L9_R, 32, "r", true},       {IRI_L9_A, 1, "a0", false},
                {IRI_L9_P, 1, "p0", false},      {IRI_L9_T, 8, "t", true},
                {IRI_L9_OC, 4, "oC", true},      {IRI_L9_ODEPTH, 1, "oDepth", false},
                {IRI_L9_OPOS, 1, "oPos", false}, {IRI_L9_OFOG, 1, "oFog", false},
                {IRI_L9_OPTS, 1, "oPts", false}, {IRI_L9_OD, 2, "oD", true},
                {IRI_L9_OT, 8, "oT", true},      {IRI_L9_O, 16, "o", true}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (slot >= rows[i].first && slot < rows[i].first + (uint32_t)rows[i].count)
            return rows[i].numbered
                       ? iri_arena_printf(l->scratch, "%s%u", rows[i].prefix, slot - rows[i].first)
                       : rows[i].prefix;
    return "?";
}

static iri_id local_of(iri_l9 *l, uint32_t slot)
{
    if (l->locals[slot])
        return l->locals[slot];
    iri_local local = {.name = slot_name(l, slot),
                       .type = iri_l9_slot_type(slot, 4),
                       .init = l->call_writes_o && slot >= IRI_L9_O ? IRI_LOCAL_ZERO
                               : l->options->uninitialized == IRI_UNINITIALIZED_ZERO
                                   ? IRI_LOCAL_ZERO_NOTED
                                   : IRI_LOCAL_UNSET};
    return l->locals[slot] = iri_add_local(l->b, &local);
}

void iri_l9_start_variables(iri_l9 *l)
{
    iri_variables_start(&l->variables, l->b, l->scratch, IRI_L9_SLOTS);
    for (uint32_t slot = 0; slot < IRI_L9_SLOTS; slot++)
        iri_variables_declare(&l->variables, slot, IRI_TYPE_SCALAR(iri_l9_slot_type(slot, 1)),
                              IRI_VARIABLE_UNSET);
}

iri_id iri_l9_load(iri_l9 *l, uint32_t slot, iri_lanes lanes)
{
    return l->direct ? iri_variables_read(&l->variables, slot, lanes, 0, IRI_NO_OFFSET)
                     : iri_emit_load_local(l->b, local_of(l, slot), lanes, 0);
}

void iri_l9_store(iri_l9 *l, uint32_t slot, iri_lanes mask, iri_id value)
{
    if (l->direct)
        iri_variables_write(&l->variables, slot, mask, value);
    else
        iri_emit_store_local(l->b, local_of(l, slot), mask, value, 0);
}

/* ---- sources ---- */

/* The register lanes behind positions of a source. */
static iri_lanes through_swizzle(const iri_d3d9_operand *o, iri_lanes at)
{
    iri_lanes lanes = at & 0x300u;
    for (uint32_t i = 0; i < IRI_LANES_COUNT(at); i++)
        lanes |= (iri_lanes)(o->is_dst ? IRI_LANES_AT(at, i) : o->swizzle[IRI_LANES_AT(at, i)])
                 << (2 * i);
    return lanes;
}

static iri_id const_lanes(iri_l9 *l, const uint32_t *words, iri_lanes lanes)
{
    uint64_t bits[4] = {0};
    for (uint32_t i = 0; i < IRI_LANES_COUNT(lanes); i++)
        bits[i] = words[IRI_LANES_AT(lanes, i)];
    return iri_const(l->b, IRI_TYPE(IRI_F32, IRI_LANES_COUNT(lanes)), bits);
}

/* The number of a relatively addressed register, as i32. */
static iri_id register_index(iri_l9 *l, const iri_d3d9_operand *o, uint32_t row)
{
    iri_id index;
    if (o->relative_bank == IRI_D3D9_BANK_AL) {
        if (!l->al.value)
            iri_fail(l->ctx, IRI_MALFORMED_FLOW, o->offset, "aL is read outside any loop");
        index = l->al.value;
    } else {
        uint32_t lane = o->relative == IRI_D3D9_RELATIVE_TOKEN ? o->relative_swizzle[0] : 0;
        index = iri_l9_load(l, IRI_L9_A, IRI_LANES1(lane));
    }
    uint32_t first = o->number + row;
    return first ? iri_emit2(l->b, IRI_OP_IADD, index, iri_const_i32(l->b, (int32_t)first)) : index;
}

static iri_id load_row(iri_l9 *l, uint32_t number, iri_lanes lanes)
{
    uint32_t cb = l->cb[0] - 1, count = IRI_LANES_COUNT(lanes);
    if (!l->cb[0])
        return iri_const_zero(l->b, IRI_TYPE(IRI_F32, count));
    if (count == 1)
        return iri_emit_load_cb(l->b, cb, IRI_TYPE_F32,
                                iri_const_u32(l->b, number * 16 + IRI_LANES_AT(lanes, 0) * 4));
    return iri_emit_swizzle(
        l->b, iri_emit_load_cb(l->b, cb, IRI_TYPE_VEC4F, iri_const_u32(l->b, number * 16)), lanes);
}

static uint32_t def_count(const iri_l9 *l)
{
    uint32_t count = 0;
    for (uint32_t n = l->def_first; n < l->def_end; n++)
        count += l->float_def[n] != NULL;
    return count;
}

/* Numbers the registers of an operand may have; false when that is not known. */
static bool known_numbers(const iri_l9 *l, const iri_d3d9_operand *o, uint32_t row, int64_t *low,
                          int64_t *high)
{
    *low = l->al.low + o->number + row;
    *high = l->al.high + o->number + row;
    return o->relative_bank == IRI_D3D9_BANK_AL && l->al.known;
}

/* The number of a register among `length` of them; any other becomes `length`. */
static iri_id index_below(iri_l9 *l, const iri_d3d9_operand *o, uint32_t row, uint32_t length,
                          iri_id *any)
{
    int64_t low, high;
    /* Numbers below 0 are above the bank as u32. */
    *any = iri_emit_convert(l->b, IRI_OP_BITCAST, IRI_U32, register_index(l, o, row));
    if (known_numbers(l, o, row, &low, &high) && low >= 0 && high < length)
        return *any;
    return iri_emit2(l->b, IRI_OP_IMIN, *any, iri_const_u32(l->b, length));
}

/* A row at a run-time number: what a def holds where one stands, 0 outside the bank. */
static iri_id load_relative(iri_l9 *l, const iri_d3d9_operand *o, uint32_t row, iri_lanes lanes)
{
    iri_builder *b = l->b;
    int64_t low, high;
    iri_id index;
    /* A read past the buffer's end is 0. */
    iri_id inside = index_below(l, o, row, l->float_rows, &index);
    iri_id offset = iri_emit2(b, IRI_OP_IMUL, inside, iri_const_u32(b, 16));
    iri_id value = iri_emit_load_cb(b, l->cb[0] - 1, IRI_TYPE_VEC4F, offset);
    value = iri_emit_swizzle(b, value, lanes);
    bool known = known_numbers(l, o, row, &low, &high);
    if (known && (high < l->def_first || low >= l->def_end))
        return value;
    if (l->def_array) {
        iri_id at = iri_emit2(b, IRI_OP_ISUB, index, iri_const_u32(b, l->def_first));
        iri_id defined = iri_emit2(b, IRI_OP_ILT, at, iri_const_u32(b, l->def_end - l->def_first));
        return iri_emit_select(b, defined, iri_emit_load_local(b, l->def_array, lanes, at), value);
    }
    for (uint32_t n = l->def_first; n < l->def_end; n++)
        if (l->float_def[n] && (!known || (n >= low && n <= high))) {
            iri_id defined = const_lanes(l, l->float_def[n], lanes);
            iri_id here = iri_emit2(b, IRI_OP_IEQ, index, iri_const_u32(b, n));
            value = iri_emit_select(b, here, defined, value);
        }
    return value;
}

void iri_l9_begin_def_array(iri_l9 *l)
{
    uint32_t length = l->def_end - l->def_first;
    l->def_array = 0;
    if (!l->relative_c || length > DEF_ARRAY || def_count(l) <= DEF_CHAIN)
        return;
    iri_local local = {
        .name = "def", .type = IRI_TYPE_VEC4F, .init = IRI_LOCAL_ZERO, .length = length};
    l->def_array = iri_add_local(l->b, &local);
    for (uint32_t i = 0; i < length; i++) {
        const uint32_t *words = l->float_def[l->def_first + i];
        iri_lanes all = iri_lanes_first(4);
        iri_id row = words ? const_lanes(l, words, all) : load_row(l, l->def_first + i, all);
        iri_emit_store_local(l->b, l->def_array, all, row, iri_const_u32(l->b, i));
    }
}

/* What a c# of ps_1_x holds lies within -1 .. 1: the range that its register page gives. */
static iri_id clamp_constant(iri_l9 *l, iri_id value)
{
    uint32_t lanes = IRI_TYPE_LANES(iri_builder_type(l->b, value));
    iri_id low = iri_const_splat_f32(l->b, -1, lanes), high = iri_const_splat_f32(l->b, 1, lanes);
    return iri_emit2(l->b, IRI_OP_MIN, iri_emit2(l->b, IRI_OP_MAX, value, low), high);
}

static iri_id read_constant(iri_l9 *l, const iri_d3d9_operand *o, uint32_t row, iri_lanes lanes)
{
    if (o->relative)
        return load_relative(l, o, row, lanes);
    uint32_t number = o->number + row;
    bool defined = number < l->float_limit && l->float_def[number];
    iri_id value =
        defined ? const_lanes(l, l->float_def[number], lanes) : load_row(l, number, lanes);
    bool clamped = l->shader->stage == IRI_D3D9_PIXEL && l->shader->major == 1;
    return clamped ? clamp_constant(l, value) : value;
}

/* ---- registers indexed at run time ----
 * In the main program an array, with one element more than the last declared register: that is what any other
 * number reads (zero) or writes (lost), since Direct3D 9 feeds and takes declared registers alone. In
 * subroutines, and for outputs where those write some, a choice of each register, which needs no copies. */

static uint32_t declared_lanes(const iri_l9_input *reg)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < 4; i++)
        lanes |= reg->io[i] ? 1u << i : 0;
    return lanes;
}

static void note_undeclared_input(iri_l9 *l, const iri_d3d9_operand *o, uint32_t row,
                                  iri_lanes lanes)
{
    int64_t low, high;
    bool missing = !known_numbers(l, o, row, &low, &high) || low < 0 || high >= l->v_length;
    for (int64_t n = low; !missing && n <= high; n++)
        for (uint32_t i = 0; i < IRI_LANES_COUNT(lanes); i++)
            missing |= !l->v[n].io[IRI_LANES_AT(lanes, i)];
    if (!missing || l->noted & IRI_L9_NOTE_INDEXED_INPUT)
        return;
    l->noted |= IRI_L9_NOTE_INDEXED_INPUT;
    iri_add_note(l->b, "indexed-input", o->offset,
                 "v[] may name a register or lane that is not declared: it is zero");
}

static void note_undeclared_output(iri_l9 *l, const iri_d3d9_operand *o, uint32_t mask)
{
    int64_t low, high;
    bool missing = !known_numbers(l, o, 0, &low, &high) || low < 0 || high >= l->o_length;
    for (int64_t n = low; !missing && n <= high; n++)
        missing = mask & ~(uint32_t)l->declared_o[n];
    if (!missing || l->noted & IRI_L9_NOTE_INDEXED_OUTPUT)
        return;
    l->noted |= IRI_L9_NOTE_INDEXED_OUTPUT;
    iri_add_note(l->b, "indexed-output", o->offset,
                 "o[] may name a register or lane that is not declared: what it is given is lost");
}

void iri_l9_begin_input_array(iri_l9 *l)
{
    iri_local local = {
        .name = "v", .type = IRI_TYPE_VEC4F, .init = IRI_LOCAL_ZERO, .length = l->v_length + 1};
    l->v_array = iri_add_local(l->b, &local);
    for (uint32_t n = 0; n < l->v_length; n++) {
        uint32_t lanes = declared_lanes(&l->v[n]);
        if (!lanes)
            continue;
        iri_lanes mask = iri_lanes_from_bits(lanes);
        iri_id at = iri_const_u32(l->b, n);
        iri_emit_store_local(l->b, l->v_array, mask, iri_l9_read_input(l, &l->v[n], mask), at);
    }
}

void iri_l9_begin_output_array(iri_l9 *l)
{
    iri_local local = {
        .name = "o", .type = IRI_TYPE_VEC4F, .init = IRI_LOCAL_ZERO, .length = l->o_length + 1};
    l->o_array = iri_add_local(l->b, &local);
}

/* One run of lanes that one input has. */
static iri_id read_run(iri_l9 *l, const iri_l9_input *reg, iri_lanes lanes, uint32_t first,
                       uint32_t count)
{
    uint32_t io = reg->io[IRI_LANES_AT(lanes, first)];
    iri_lanes own = (iri_lanes)(count - 1) << 8;
    if (!io) {
        if (!(l->noted & IRI_L9_NOTE_UNDECLARED_LANE))
            iri_add_note(l->b, "undeclared-lane", IRI_NO_OFFSET,
                         "an input lane that no declaration has is read and taken as zero");
        l->noted |= IRI_L9_NOTE_UNDECLARED_LANE;
        return iri_const_zero(l->b, IRI_TYPE(IRI_F32, count));
    }
    for (uint32_t i = 0; i < count; i++)
        own |= (iri_lanes)reg->lane[IRI_LANES_AT(lanes, first + i)] << (2 * i);
    return iri_emit_input(l->b, io - 1, own);
}

iri_id iri_l9_read_input(iri_l9 *l, const iri_l9_input *reg, iri_lanes lanes)
{
    uint32_t count = IRI_LANES_COUNT(lanes), parts = 0;
    iri_id part[4];
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count; end++)
            if (reg->io[IRI_LANES_AT(lanes, end)] != reg->io[IRI_LANES_AT(lanes, i)])
                break;
        part[parts++] = read_run(l, reg, lanes, i, end - i);
    }
    return parts == 1 ? part[0] : iri_emit_compose(l->b, part, parts);
}

static iri_id read_indexed_input(iri_l9 *l, const iri_d3d9_operand *o, uint32_t row,
                                 iri_lanes lanes)
{
    iri_builder *b = l->b;
    iri_id any, index = index_below(l, o, row, l->v_length, &any);
    if (l->v_array)
        return iri_emit_load_local(b, l->v_array, lanes, index);
    iri_id value = iri_const_zero(b, IRI_TYPE(IRI_F32, IRI_LANES_COUNT(lanes)));
    for (uint32_t n = 0; n < l->v_length; n++)
        if (declared_lanes(&l->v[n])) {
            iri_id input = iri_l9_read_input(l, &l->v[n], lanes);
            iri_id here = iri_emit2(b, IRI_OP_IEQ, any, iri_const_u32(b, n));
            value = iri_emit_select(b, here, input, value);
        }
    return value;
}

iri_id iri_l9_read_coordinates(iri_l9 *l, uint32_t set, iri_lanes lanes)
{
    return iri_l9_read_input(l, &l->t[set], lanes);
}

iri_id iri_l9_read_face(iri_l9 *l)
{
    return iri_emit_input(l->b, l->vface - 1, IRI_LANES1(0));
}

static iri_id read_exactly(iri_l9 *l, const iri_d3d9_operand *o, uint32_t row, iri_lanes lanes)
{
    iri_builder *b = l->b;
    uint32_t count = IRI_LANES_COUNT(lanes), slot = iri_l9_slot(l, o->bank, o->number + row);
    if (slot != IRI_L9_NO_SLOT)
        return iri_l9_load(l, slot, lanes);
    switch (o->bank) {
    case IRI_D3D9_BANK_C: return read_constant(l, o, row, lanes);
    case IRI_D3D9_BANK_V:
        if (!o->relative)
            return iri_l9_read_input(l, &l->v[o->number + row], lanes);
        note_undeclared_input(l, o, row, lanes);
        return read_indexed_input(l, o, row, lanes);
    case IRI_D3D9_BANK_T: return iri_l9_read_input(l, &l->t[o->number + row], lanes);
    case IRI_D3D9_BANK_VPOS: return iri_emit_input(b, l->vpos - 1, lanes);
    case IRI_D3D9_BANK_VFACE: {
        /* The register's sign is that of the face's area: positive for the front. */
        iri_id back = iri_const_f32(b, -1), front = iri_const_f32(b, 1);
        return iri_emit_splat(b, iri_emit_select(b, iri_l9_read_face(l), front, back), count);
    }
    case IRI_D3D9_BANK_AL:
        if (!l->al.value)
            iri_fail(l->ctx, IRI_MALFORMED_FLOW, o->offset, "aL is read outside any loop");
        return iri_emit_splat(b, iri_emit_convert(b, IRI_OP_ITOF, IRI_F32, l->al.value), count);
    default:
        iri_fail(l->ctx, IRI_MALFORMED_OPERAND, o->offset, "%s%u is no register that can be read",
                 iri_d3d9_banks[o->bank].prefix, o->number);
    }
}

/* Partial precision is of what is computed, not of what is read. */
static iri_id read_register(iri_l9 *l, const iri_d3d9_operand *o, uint32_t row, iri_lanes lanes)
{
    iri_set_relaxed(l->b, false);
    iri_id value = read_exactly(l, o, row, lanes);
    iri_set_relaxed(l->b, l->relaxed);
    return value;
}

/* A constant in as many lanes as the value has. */
static iri_id like(iri_l9 *l, iri_id x, float value)
{
    return iri_const_splat_f32(l->b, value, IRI_TYPE_LANES(iri_builder_type(l->b, x)));
}

static iri_id less_half(iri_l9 *l, iri_id x)
{
    return iri_emit2(l->b, IRI_OP_SUB, x, like(l, x, 0.5f));
}

static iri_id twice(iri_l9 *l, iri_id x)
{
    return iri_emit2(l->b, IRI_OP_MUL, x, like(l, x, 2));
}

static iri_id negative(iri_l9 *l, iri_id x)
{
    return iri_emit1(l->b, IRI_OP_NEG, x);
}

static iri_id modify(iri_l9 *l, iri_id x, uint32_t modifier)
{
    switch ((iri_d3d9_srcmod)modifier) {
    case IRI_D3D9_SRC_NEG: return negative(l, x);
    case IRI_D3D9_SRC_BIAS: return less_half(l, x);
    case IRI_D3D9_SRC_BIASNEG: return negative(l, less_half(l, x));
    case IRI_D3D9_SRC_SIGN: return twice(l, less_half(l, x));
    case IRI_D3D9_SRC_SIGNNEG: return negative(l, twice(l, less_half(l, x)));
    case IRI_D3D9_SRC_COMP: return iri_emit2(l->b, IRI_OP_SUB, like(l, x, 1), x);
    case IRI_D3D9_SRC_X2: return twice(l, x);
    case IRI_D3D9_SRC_X2NEG: return negative(l, twice(l, x));
    case IRI_D3D9_SRC_ABS: return iri_emit1(l->b, IRI_OP_ABS, x);
    case IRI_D3D9_SRC_ABSNEG: return negative(l, iri_emit1(l->b, IRI_OP_ABS, x));
    case IRI_D3D9_SRC_NONE:
    case IRI_D3D9_SRC_DZ: /* texld's and texcrd's, which divide */
    case IRI_D3D9_SRC_DW:
    case IRI_D3D9_SRC_NOT: /* of booleans, which are not read here */
    case IRI_D3D9_SRC_COUNT: break;
    }
    return x;
}

iri_id iri_l9_read_row(iri_l9 *l, const iri_d3d9_operand *o, uint32_t row, iri_lanes at)
{
    return modify(l, read_register(l, o, row, through_swizzle(o, at)), o->is_dst ? 0 : o->modifier);
}

iri_id iri_l9_read(iri_l9 *l, const iri_d3d9_operand *o, iri_lanes at)
{
    return iri_l9_read_row(l, o, 0, at);
}

iri_id iri_l9_read_plain(iri_l9 *l, const iri_d3d9_operand *o, iri_lanes at)
{
    return read_register(l, o, 0, through_swizzle(o, at));
}

iri_id iri_l9_read_scalar(iri_l9 *l, const iri_d3d9_operand *o)
{
    /* A scalar source has one lane in all four positions; without a swizzle (vs_1_x) it is .w. */
    return iri_l9_read(l, o, IRI_LANES1(3));
}

iri_id iri_l9_read_predicate(iri_l9 *l, const iri_d3d9_operand *o, iri_lanes at)
{
    iri_id p = iri_l9_load(l, IRI_L9_P, through_swizzle(o, at));
    return o->modifier == IRI_D3D9_SRC_NOT ? iri_emit1(l->b, IRI_OP_NOT, p) : p;
}

iri_id iri_l9_read_bool(iri_l9 *l, const iri_d3d9_operand *o)
{
    iri_builder *b = l->b;
    if (o->bank == IRI_D3D9_BANK_P)
        return iri_l9_read_predicate(l, o, IRI_LANES1(0));
    const uint32_t *word = l->bool_def[o->number];
    iri_id value;
    if (word) {
        value = iri_const_bool(b, *word != 0);
    } else {
        value = iri_emit_load_cb(b, l->cb[2] - 1, IRI_TYPE_U32, iri_const_u32(b, o->number * 4u));
        value = iri_emit2(b, IRI_OP_INE, value, iri_const_u32(b, 0));
    }
    return o->modifier == IRI_D3D9_SRC_NOT ? iri_emit1(b, IRI_OP_NOT, value) : value;
}

iri_id iri_l9_read_int(iri_l9 *l, const iri_d3d9_operand *o, uint32_t lane)
{
    const uint32_t *words = l->int_def[o->number];
    if (words)
        return iri_const_i32(l->b, (int32_t)words[lane]);
    return iri_emit_load_cb(l->b, l->cb[1] - 1, IRI_TYPE_I32,
                            iri_const_u32(l->b, o->number * 16u + lane * 4));
}

/* ---- destinations ---- */

static iri_id scale_and_clamp(iri_l9 *l, const iri_d3d9_operand *dst, iri_id value)
{
    iri_builder *b = l->b;
    uint32_t lanes = IRI_TYPE_LANES(iri_builder_type(b, value));
    if (dst->shift) {
        float scale =
            dst->shift > 0 ? (float)(1u << dst->shift) : 1.0f / (float)(1u << -dst->shift);
        value = iri_emit2(b, IRI_OP_MUL, value, iri_const_splat_f32(b, scale, lanes));
    }
    if (dst->modifiers & IRI_D3D9_DST_SAT)
        value = iri_emit1(b, IRI_OP_SATURATE_ZERO, value);
    return value;
}

/* Positions of the lanes of `part` within a value that has the lanes of `mask`. */
static iri_lanes positions_in(uint32_t mask, uint32_t part)
{
    uint32_t at = 0, count = 0;
    iri_lanes lanes = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if (!(mask >> i & 1))
            continue;
        if (part >> i & 1)
            lanes |= (iri_lanes)at << (2 * count++);
        at++;
    }
    return lanes | (iri_lanes)(count - 1) << 8;
}

/* What lanes hold before a predicated write: zero where nothing has written them, once noted. */
static iri_id old_value(iri_l9 *l, uint32_t slot, uint32_t mask, uint32_t offset)
{
    iri_builder *b = l->b;
    uint32_t have = l->sure.at[slot] & mask;
    iri_id zero = iri_const_zero(b, iri_l9_slot_type(slot, iri_l9_count_lanes(mask)));
    if (have != mask && !(l->noted & IRI_L9_NOTE_PREDICATED))
        iri_add_note(b, "uninitialized", offset,
                     "a predicated write to lanes that nothing wrote before: zero where it is off");
    if (have != mask)
        l->noted |= IRI_L9_NOTE_PREDICATED;
    if (!have)
        return zero;
    iri_id old = iri_l9_load(l, slot, iri_lanes_from_bits(have));
    return have == mask ? old : iri_emit_insert(b, zero, old, positions_in(mask, have));
}

/* `(p0) op dst`: a lane keeps its value where its predicate is false. */
static void write_predicated(iri_l9 *l, const iri_d3d9_operand *p, uint32_t slot, uint32_t mask,
                             iri_id value)
{
    iri_builder *b = l->b;
    iri_lanes lanes = iri_lanes_from_bits(mask);
    bool alike = p->swizzle[0] == p->swizzle[1] && p->swizzle[0] == p->swizzle[2] &&
                 p->swizzle[0] == p->swizzle[3];
    uint32_t unsure = mask & ~(uint32_t)l->sure.at[slot];
    if (!unsure || (!l->loops && !(unsure & l->some.at[slot]))) {
        iri_id condition = iri_l9_read_predicate(l, p, alike ? IRI_LANES1(0) : lanes);
        iri_id old = old_value(l, slot, mask, p->offset);
        iri_l9_store(l, slot, lanes, iri_emit_select(b, condition, value, old));
        l->sure.at[slot] |= mask;
        return;
    }
    /* Only some paths have written what is kept: that is promote's to say, so an arm for each lane. */
    l->unsuited = true;
    for (uint32_t lane = 0; lane < 4; lane++) {
        uint32_t part = 0, at = 0;
        for (uint32_t i = 0; i < 4; i++)
            if ((mask >> i & 1) && p->swizzle[i] == lane)
                part |= 1u << (at = i);
        if (!part)
            continue;
        iri_begin_if(b, iri_l9_read_predicate(l, p, IRI_LANES1(at)));
        iri_l9_store(l, slot, iri_lanes_from_bits(part),
                     iri_emit_swizzle(b, value, positions_in(mask, part)));
        iri_end(b, NULL);
    }
}

/* Each output register gets the value where the index is its number. */
static void write_chosen_output(iri_l9 *l, const iri_d3d9_operand *p, const iri_d3d9_operand *dst,
                                iri_id value)
{
    iri_builder *b = l->b;
    iri_id index;
    (void)index_below(l, dst, 0, l->o_length, &index);
    for (uint32_t n = 0; n < l->o_length; n++) {
        uint32_t mask = dst->mask & l->declared_o[n];
        if (!mask)
            continue;
        iri_lanes lanes = iri_lanes_from_bits(mask);
        iri_id old = iri_l9_load(l, IRI_L9_O + n, lanes);
        iri_id chosen = iri_emit2(b, IRI_OP_IEQ, index, iri_const_u32(b, n));
        iri_id x = iri_emit_swizzle(b, value, positions_in(dst->mask, mask));
        if (p)
            x = iri_emit_select(b, iri_l9_read_predicate(l, p, lanes), x, old);
        iri_l9_store(l, IRI_L9_O + n, lanes, iri_emit_select(b, chosen, x, old));
    }
}

static void write_indexed_output(iri_l9 *l, const iri_d3d9_instruction *in,
                                 const iri_d3d9_operand *dst, iri_id value)
{
    iri_builder *b = l->b;
    iri_lanes lanes = iri_lanes_from_bits(dst->mask);
    const iri_d3d9_operand *p =
        in->predicate == IRI_D3D9_NONE ? NULL : &l->shader->operands[in->predicate];
    if (dst->relative)
        note_undeclared_output(l, dst, dst->mask);
    if (l->call_writes_o) {
        write_chosen_output(l, p, dst, value);
        return;
    }
    iri_id any, index = dst->relative ? index_below(l, dst, 0, l->o_length, &any)
                                      : iri_const_u32(b, dst->number);
    if (p) {
        iri_id old = iri_emit_load_local(b, l->o_array, lanes, index);
        value = iri_emit_select(b, iri_l9_read_predicate(l, p, lanes), value, old);
    }
    iri_emit_store_local(b, l->o_array, lanes, value, index);
}

void iri_l9_write(iri_l9 *l, const iri_d3d9_instruction *in, iri_id value)
{
    iri_builder *b = l->b;
    const iri_d3d9_operand *dst = iri_l9_operand(l, in, 0);
    uint8_t mask, slot = iri_l9_writes(l, in, &mask);
    if (slot == IRI_L9_NO_SLOT || !value)
        return;
    uint32_t lanes = iri_l9_count_lanes(mask);
    if (slot != IRI_L9_A && slot != IRI_L9_P)
        value = scale_and_clamp(l, dst, value);
    if (IRI_TYPE_LANES(iri_builder_type(b, value)) != lanes)
        value = iri_emit_splat(b, value, lanes);
    if (dst->bank == IRI_D3D9_BANK_O && (dst->relative || (l->relative_o && !l->call_writes_o))) {
        write_indexed_output(l, in, dst, value);
        return;
    }
    if (in->predicate != IRI_D3D9_NONE) {
        write_predicated(l, &l->shader->operands[in->predicate], slot, mask, value);
    } else {
        iri_l9_store(l, slot, iri_lanes_from_bits(mask), value);
        l->sure.at[slot] |= mask;
    }
    l->some.at[slot] |= mask;
}
