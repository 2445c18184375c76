/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preshaders to programs: lane by lane, since every lane has a place of its own. docs/formats/fx.md states the
 * rules; they are Wine's (dlls/d3dx9_36/preshader.c), which were found by tests on Microsoft's D3DX.
 */
#include "read/common/preshader_lower.h"

#include "base/bitset.h"
#include "base/number.h"
#include "base/sha256.h"
#include "read/common/ctab_members.h"
#include <stdio.h>

enum {
    CONSTANTS_MAX = 8192
}; /* float registers of software vertex processing: no device has more */

static bool is_output(uint32_t table)
{
    return table == IRI_PRES_OUTPUT || table == IRI_PRES_OUTPUT_BOOL ||
           table == IRI_PRES_OUTPUT_INT;
}

/* ---- values ---- */

iri_id iri_pl_narrow(iri_pl *l, iri_id value)
{
    if (iri_builder_type(l->b, value) == IRI_TYPE_F32)
        return value;
    return iri_emit_convert(l->b, IRI_OP_FTOF, IRI_F32, value);
}

iri_id iri_pl_widen(iri_pl *l, iri_id value)
{
    if (l->single || iri_builder_type(l->b, value) == IRI_TYPE(IRI_F64, 1))
        return value;
    return iri_emit_convert(l->b, IRI_OP_FTOF, IRI_F64, value);
}

bool iri_pl_keeps_double(const iri_pres_inst *in)
{
    return in->to.table == IRI_PRES_OUTPUT_INT || in->to.table == IRI_PRES_OUTPUT_BOOL;
}

void iri_pl_note_single(iri_pl *l, const iri_pres_inst *in)
{
    if (l->single)
        iri_add_note(l->b, "preshader-single", in->offset,
                     "%s is computed in f32, where Direct3D computes in f64",
                     iri_pres_op_name((iri_pres_op)in->op));
}

/* ---- operands ---- */

static iri_id read_literal(iri_pl *l, const iri_pres_inst *in, uint32_t index)
{
    uint64_t bits = l->p->literals[index];
    double value = iri_bits_f64(bits);
    float narrow = (float)value;
    if (value != value || (double)narrow == value)
        return iri_const_f32(l->b, narrow);
    if (!l->single)
        return iri_const(l->b, IRI_TYPE(IRI_F64, 1), (uint64_t[4]){bits, 0, 0, 0});
    iri_pl_note_single(l, in);
    return iri_const_f32(l->b, narrow);
}

static iri_id load(iri_pl *l, iri_id byte)
{
    return iri_emit_load_cb(l->b, l->cb, IRI_TYPE_F32, byte);
}

/* What a table holds at a place that is known. */
static iri_id read_place(iri_pl *l, const iri_pres_inst *in, uint32_t offset, uint32_t table,
                         uint32_t at)
{
    char lane = "xyzw"[at % 4];
    if (table == IRI_PRES_LITERAL) {
        if (at >= l->p->literal_count)
            iri_fail(l->ctx, IRI_MALFORMED_TABLE, offset, "literal %u of a preshader that has %u",
                     at, l->p->literal_count);
        return read_literal(l, in, at);
    }
    if (table == IRI_PRES_INPUT) {
        if (at / 4 >= l->input_rows)
            iri_fail(l->ctx, IRI_MALFORMED_REGISTER, offset,
                     "c%u.%c of a preshader whose parameters take %u registers", at / 4, lane,
                     l->input_rows);
        return load(l, iri_const_u32(l->b, at * 4));
    }
    if (table != IRI_PRES_TEMP && table != IRI_PRES_OUTPUT)
        iri_fail(l->ctx, IRI_MALFORMED_OPERAND, offset, "a preshader reads %s%u",
                 iri_pres_table_name(table, false), at / 4);
    const iri_pl_place place = {table, at};
    const uint32_t *value = iri_map_find(&l->lanes, &place, sizeof place);
    if (!value)
        iri_fail(l->ctx, IRI_UNINITIALIZED, offset, "%s%u.%c is read before it is written",
                 iri_pres_table_name(table, false), at / 4, lane);
    return *value;
}

/* A number of a value's own width. */
static iri_id constant_as(iri_pl *l, iri_id like, double number)
{
    if (iri_builder_type(l->b, like) == IRI_TYPE_F32)
        return iri_const_f32(l->b, (float)number);
    return iri_const(l->b, IRI_TYPE(IRI_F64, 1), (uint64_t[4]){iri_f64_bits(number), 0, 0, 0});
}

/* As x86 rounds to an integer: to even, and to the most negative one what does not fit. */
static iri_id to_int(iri_pl *l, iri_id value)
{
    iri_builder *b = l->b;
    iri_id whole = iri_emit1(b, IRI_OP_ROUND_EVEN, value);
    iri_id fits = iri_emit2(b, IRI_OP_LT, iri_emit1(b, IRI_OP_ABS, whole),
                            constant_as(l, whole, 2147483648.0));
    return iri_emit_select(b, fits, iri_emit_convert(b, IRI_OP_FTOI, IRI_I32, whole),
                           iri_const_i32(b, INT32_MIN));
}

/* A parameter at a run-time place. Past the parameters the place wraps at the next power of two, and what lies
 * between them and that is 0: outside the buffer. */
static iri_id read_indexed(iri_pl *l, const iri_pres_inst *in, const iri_pres_operand *o,
                           uint32_t at)
{
    iri_builder *b = l->b;
    uint32_t size = 1;
    if (o->table != IRI_PRES_INPUT)
        iri_fail(l->ctx, IRI_MALFORMED_OPERAND, o->offset,
                 "%s at a run-time place: a preshader indexes its parameters alone",
                 iri_pres_table_name(o->table, true));
    if (!l->input_rows)
        iri_fail(l->ctx, IRI_MALFORMED_OPERAND, o->offset,
                 "a preshader without parameters indexes them");
    while (size < l->input_rows)
        size *= 2;
    iri_id index =
        to_int(l, iri_pl_narrow(l, read_place(l, in, o->offset, o->index_table, o->index_at)));
    index = iri_emit_convert(b, IRI_OP_BITCAST, IRI_U32, index);
    index = iri_emit2(b, IRI_OP_IADD, index, iri_const_u32(b, at / 4));
    index = iri_emit2(b, IRI_OP_AND, index, iri_const_u32(b, size - 1));
    index = iri_emit2(b, IRI_OP_SHL, index, iri_const_u32(b, 4));
    return load(l, iri_emit2(b, IRI_OP_IADD, index, iri_const_u32(b, at % 4 * 4)));
}

iri_id iri_pl_read(iri_pl *l, const iri_pres_inst *in, uint32_t i, uint32_t lane)
{
    const iri_pres_operand *o = &in->operands[i];
    uint32_t at = o->at + (in->scalar && i == 0 ? 0 : lane);
    if (at < o->at)
        iri_fail(l->ctx, IRI_MALFORMED_REGISTER, o->offset, "lane %u of a preshader's table", at);
    return o->indexed ? read_indexed(l, in, o, at) : read_place(l, in, o->offset, o->table, at);
}

/* ---- results ---- */

static void write(iri_pl *l, const iri_pres_inst *in, uint32_t lane, iri_id value)
{
    const iri_pres_operand *to = &in->to;
    bool added;
    iri_pl_place place = {to->table, to->at + lane};
    if (to->table == IRI_PRES_OUTPUT_BOOL) /* a register of one lane each, where others have four */
        place.at = to->at / 4 + lane;
    if (to->indexed || !(is_output(to->table) || to->table == IRI_PRES_TEMP))
        iri_fail(l->ctx, IRI_MALFORMED_OPERAND, to->offset, "a preshader writes to %s%s",
                 iri_pres_table_name(to->table, to->indexed),
                 to->indexed ? " at a run-time place" : "");
    if (place.at < lane || (is_output(to->table) && place.at / 4 >= CONSTANTS_MAX))
        iri_fail(l->ctx, IRI_MALFORMED_REGISTER, to->offset, "a preshader writes to %s%u",
                 iri_pres_table_name(to->table, false), place.at / 4);
    *iri_map_put(&l->lanes, &place, sizeof place, &added) =
        iri_pl_keeps_double(in) ? value : iri_pl_narrow(l, value);
}

static void lower_instruction(iri_pl *l, const iri_pres_inst *in)
{
    iri_set_offset(l->b, in->offset);
    iri_pl_check(l, in);
    for (uint32_t lane = 0; lane < iri_pl_result_lanes(in); lane++)
        write(l, in, lane, iri_pl_lane(l, in, lane));
}

/* What each table of results is in the program. */
static const struct {
    const char *name;
    uint8_t bank, lanes, scalar;
} files[IRI_PRES_TABLE_COUNT] = {
    [IRI_PRES_OUTPUT] = {"c", IRI_BANK_C, 4, IRI_F32},
    [IRI_PRES_OUTPUT_BOOL] = {"b", IRI_BANK_B, 1, IRI_BOOL},
    [IRI_PRES_OUTPUT_INT] = {"i", IRI_BANK_I, 4, IRI_I32},
};

static iri_id to_register(iri_pl *l, uint32_t table, iri_id value)
{
    if (table == IRI_PRES_OUTPUT_INT)
        return to_int(l, value);
    if (table == IRI_PRES_OUTPUT_BOOL) /* a NaN is true */
        return iri_emit2(l->b, IRI_OP_NE, value, constant_as(l, value, 0));
    return value;
}

/* A register that was set, with all its lanes that were, becomes an output. */
static void add_output(iri_pl *l, uint32_t table, uint32_t reg)
{
    uint32_t lanes = files[table].lanes, count = 0;
    iri_id parts[4];
    iri_io io = {.name = files[table].name,
                 .index = reg,
                 .bank = files[table].bank,
                 .reg = (uint16_t)reg,
                 .offset = IRI_NO_OFFSET};
    for (uint32_t lane = 0; lane < lanes; lane++) {
        const iri_pl_place place = {table, reg * lanes + lane};
        const uint32_t *value = iri_map_find(&l->lanes, &place, sizeof place);
        if (!value)
            continue;
        io.lanes |= (uint8_t)(1u << lane);
        parts[count++] = to_register(l, table, *value);
    }
    io.used = io.lanes;
    io.type = IRI_TYPE(files[table].scalar, count);
    iri_emit_output(l->b, iri_add_output(l->b, &io), iri_lanes_first(count),
                    iri_emit_compose(l->b, parts, count));
}

/* Registers in ascending order, tables in theirs. */
static void add_outputs(iri_pl *l)
{
    iri_bitset set[IRI_PRES_TABLE_COUNT];
    for (uint32_t table = 0; table < IRI_PRES_TABLE_COUNT; table++) {
        if (!files[table].name)
            continue;
        uint32_t lanes = files[table].lanes;
        set[table] = iri_bitset_make(l->scratch, CONSTANTS_MAX * 4);
        for (uint32_t i = 0; i < l->lanes.entries.count; i++) {
            const iri_pl_place *place = l->lanes.entries.at[i].key;
            if (place->table == table)
                iri_bitset_add(&set[table], place->at / lanes);
        }
        for (uint32_t reg = 0; reg < CONSTANTS_MAX * 4; reg++)
            if (iri_bitset_has(&set[table], reg))
                add_output(l, table, reg);
    }
}

/* ---- programs ---- */

static void set_header(iri_pl *l)
{
    const iri_preshader *p = l->p;
    char target[16];
    snprintf(target, sizeof target, "fx_%u_%u", (unsigned)(p->version >> 8 & 0xff),
             (unsigned)(p->version & 0xff));
    iri_provenance provenance = {.format = "d3d9",
                                 .target = target,
                                 .creator = p->ctab ? p->ctab->creator : "",
                                 .lifter = IRI_PRESHADER_LIFTER,
                                 .lifter_version = IRI_PRESHADER_LIFTER_VERSION,
                                 .has_hash = true,
                                 .instruction_count = p->inst_count,
                                 .policies = l->single ? "precision=single" : ""};
    iri_sha256 hash;
    iri_sha256_init(&hash);
    iri_sha256_add(&hash, p->data, p->size);
    iri_sha256_finish(&hash, provenance.sha256);
    iri_builder_program(l->b)->conventions = IRI_CONVENTIONS_D3D9;
    iri_set_provenance(l->b, &provenance);
}

/* Parameters of other sets than floats have no place that an operand could name. */
static void declare_parameters(iri_pl *l)
{
    const iri_d3d9_ctab *ctab = l->p->ctab;
    uint32_t count;
    bool indexed = false;
    for (uint32_t i = 0; ctab && i < ctab->count; i++) {
        const iri_d3d9_constant *c = &ctab->constants[i];
        if (c->set != IRI_D3D9_SET_FLOAT4)
            iri_fail(l->ctx, IRI_MALFORMED_TABLE, c->offset,
                     "a parameter of a preshader among the %s registers",
                     iri_d3d9_set_name(c->set));
        if (l->input_rows < (uint32_t)c->index + c->count)
            l->input_rows = (uint32_t)c->index + c->count;
    }
    for (uint32_t i = 0; i < l->p->inst_count; i++)
        for (uint32_t k = 0; k < l->p->insts[i].operand_count; k++)
            indexed = indexed || l->p->insts[i].operands[k].indexed;
    if (!l->input_rows)
        return;
    const iri_member *members =
        iri_d3d9_ctab_members(l->b, l->scratch, ctab, IRI_D3D9_SET_FLOAT4, &count);
    const iri_resource cb = {.kind = IRI_RESOURCE_CBUFFER,
                             .access = 1,
                             .count = 1,
                             .size = l->input_rows * 16,
                             .members = members,
                             .member_count = count,
                             .flags = indexed ? IRI_RESOURCE_DYNAMIC : 0,
                             .offset = IRI_NO_OFFSET};
    l->cb = iri_add_resource(l->b, &cb);
}

typedef struct job {
    iri_pl *l;
    iri_program *program;
} job;

static void build(iri_ctx *ctx, void *argument)
{
    job *j = argument;
    iri_pl *l = j->l;
    (void)ctx;
    set_header(l);
    declare_parameters(l);
    iri_map_init(&l->lanes, l->scratch);
    iri_begin_function(l->b, "main", NULL, 0, NULL, 0, NULL);
    for (uint32_t i = 0; i < l->p->inst_count; i++)
        lower_instruction(l, &l->p->insts[i]);
    iri_set_offset(l->b, IRI_NO_OFFSET);
    add_outputs(l);
    iri_emit_return(l->b, NULL, 0);
    iri_end_function(l->b);
    j->program = iri_builder_finish(l->b);
}

iri_program *iri_preshader_lower(iri_ctx *ctx, iri_arena *scratch, const iri_preshader *preshader,
                                 bool single)
{
    iri_pl l = {.ctx = ctx, .scratch = scratch, .p = preshader, .single = single};
    job j = {.l = &l};
    l.b = iri_builder_make(ctx, scratch, IRI_STAGE_NONE, IRI_BUILD_OPTIMISE | IRI_BUILD_DROP);
    /* A failure leaves no half-built program behind. */
    iri_status status = iri_protect(ctx, build, &j);
    if (status != IRI_OK) {
        iri_refusal why = *ctx->why;
        iri_builder_discard(l.b);
        iri_fail(ctx, status, why.offset, "%s", why.reason);
    }
    return j.program;
}
