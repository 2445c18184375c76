/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spells out what the target profile cannot say, so that every writer has one expression an operation:
 *
 *   - Direct3D's special operations become calls of helpers (legalize_helpers.c), one an operation and
 *     type; f16 goes through f32, which is how it is evaluated;
 *   - a constant read at run time becomes a call of a helper that takes the row's number and gives zero
 *     for one that is not there; one at a known place that is not there is zero;
 *   - Direct3D 9's pixel position, whole numbers, is the floor of the fragment's;
 *   - a lookup in flow that is not uniform gets explicit gradients (legalize_flow.c).
 */
#include "pass/legalize.h"

typedef struct made {
    uint32_t op; /* or LOAD_CB */
    uint32_t resource, byte;
    iri_type type; /* of the operand; of the result, for a row */
    iri_scalar result;
    iri_id function;
} made;

typedef struct legalize {
    iri_pass_ctx *pc;
    iri_builder *b;
    IRI_VEC(made) made;
    bool floor_position;
    iri_legal_flow flow;
} legalize;

/* ---- reads of constants at run time ---- */

/* Where a read's row number comes from: the value `row` (of the old program), plus `add` rows, plus
 * `byte` bytes within the row. When `whole` is false the number is the offset's, divided by 16. */
typedef struct row_of {
    iri_id row;
    uint32_t add, byte;
    bool found, whole;
} row_of;

static bool constant_u32(const iri_program *p, iri_id value, uint32_t *out)
{
    if (!iri_is_constant(p, value))
        return false;
    *out = (uint32_t)iri_constant(p, value)[0];
    return true;
}

static row_of find_row(const iri_program *p, const iri_inst *load, uint32_t rows)
{
    row_of r = {0};
    uint32_t k, add = 0;
    iri_id offset = iri_operands(p, load)[0];
    const iri_inst *in = iri_def(p, offset);
    r.row = offset;
    if (in && in->op == IRI_OP_IADD && constant_u32(p, iri_operands(p, in)[1], &add))
        in = iri_def(p, iri_operands(p, in)[0]);
    bool scaled = in && (in->op == IRI_OP_IMUL || in->op == IRI_OP_SHL) &&
                  constant_u32(p, iri_operands(p, in)[1], &k) &&
                  (in->op == IRI_OP_SHL ? k == 4 : k == 16);
    if (!scaled || add % 4 || add % 16 + iri_legalize_bytes(iri_type_of(p, load->results)) > 16)
        return r;
    r.found = true;
    r.byte = add % 16;
    /* A number held below some limit does not wrap when it is scaled. */
    iri_id number = iri_operands(p, in)[0];
    const iri_inst *min = iri_def(p, number);
    uint32_t limit;
    if (iri_type_of(p, number) == IRI_TYPE_U32 && min && min->op == IRI_OP_IMIN &&
        constant_u32(p, iri_operands(p, min)[1], &limit) && limit < (1u << 27) &&
        add < (1u << 30)) {
        r.whole = true;
        r.add = add / 16;
        /* All that the limit changes is which row that is not there is read. */
        r.row = limit >= rows && r.add == 0 ? iri_operands(p, min)[0] : number;
    }
    return r;
}

static iri_id row_number(iri_rewrite *rw, const row_of *r)
{
    iri_builder *b = rw->b;
    iri_id row = iri_rewrite_value(rw, r->row);
    if (iri_builder_type(b, row) != IRI_TYPE_U32)
        row = iri_emit_convert(b, IRI_OP_BITCAST, IRI_U32, row);
    if (!r->whole)
        return iri_emit2(b, IRI_OP_SHR, row, iri_const_u32(b, 4));
    return r->add ? iri_emit2(b, IRI_OP_IADD, row, iri_const_u32(b, r->add)) : row;
}

/* A read that lies partly past the end: each word on its own, zero where there is none. */
static iri_id load_words(iri_rewrite *rw, const iri_inst *in, uint32_t offset, uint32_t size)
{
    iri_type type = iri_type_of(rw->from, in->results), part;
    uint32_t count = 0;
    uint64_t at = offset;
    iri_id words[4];
    for (uint32_t lane = 0; lane < IRI_TYPE_LANES(type); lane += IRI_TYPE_LANES(part)) {
        part = iri_legalize_word_at(type, lane);
        uint32_t bytes = iri_legalize_bytes(part);
        words[count++] = at + bytes <= size
                             ? iri_emit_load_cb(rw->b, iri_immediates(rw->from, in)[0], part,
                                                iri_const_u32(rw->b, (uint32_t)at))
                             : iri_const_zero(rw->b, part);
        at += bytes;
    }
    return iri_emit_compose(rw->b, words, count);
}

static iri_rewrite_action load_cb(iri_rewrite *rw, const iri_inst *in)
{
    const iri_program *p = rw->from;
    const legalize *lz = rw->argument;
    uint32_t index = iri_immediates(p, in)[0], size = p->interface.resources[index].size;
    iri_type type = iri_type_of(p, in->results);
    uint32_t offset, bytes = iri_legalize_bytes(type);
    if (in->operand_count > 1)
        return IRI_REWRITE_COPY;
    if (constant_u32(p, iri_operands(p, in)[0], &offset)) {
        /* Of 64 bits half may be there, but no target reads them. */
        if ((offset <= size && bytes <= size - offset) ||
            iri_scalar_bits(IRI_TYPE_SCALAR(type)) == 64)
            return IRI_REWRITE_COPY;
        iri_rewrite_set(rw, in->results, load_words(rw, in, offset, size));
        return IRI_REWRITE_DONE;
    }
    row_of r = find_row(p, in, iri_legalize_rows(size));
    for (uint32_t i = 0; i < lz->made.count; i++) {
        const made *m = &lz->made.at[i];
        if (m->op != IRI_OP_LOAD_CB || m->resource != index || m->type != type || m->byte != r.byte)
            continue;
        iri_id row = row_number(rw, &r), value;
        iri_emit_call(rw->b, m->function, &row, 1, &value);
        iri_rewrite_set(rw, in->results, value);
        return IRI_REWRITE_DONE;
    }
    iri_rewrite_set(rw, in->results, iri_const_zero(rw->b, type)); /* a buffer without a row */
    return IRI_REWRITE_DONE;
}

/* ---- the pixel position ---- */

static iri_rewrite_action position(iri_rewrite *rw, const iri_inst *in)
{
    const uint32_t *immediates = iri_immediates(rw->from, in);
    iri_lanes lanes = immediates[1];
    uint32_t whole = 0;
    iri_id value = iri_emit_input(rw->b, immediates[0], lanes);
    for (uint32_t i = 0; i < IRI_LANES_COUNT(lanes); i++)
        if (IRI_LANES_AT(lanes, i) < 2)
            whole |= 1u << i;
    if (whole == (1u << IRI_LANES_COUNT(lanes)) - 1) {
        value = iri_emit1(rw->b, IRI_OP_FLOOR, value);
    } else if (whole) {
        iri_lanes chosen = iri_lanes_from_bits(whole);
        iri_id part = iri_emit1(rw->b, IRI_OP_FLOOR, iri_emit_swizzle(rw->b, value, chosen));
        value = iri_emit_insert(rw->b, value, part, chosen);
    }
    iri_rewrite_set(rw, in->results, value);
    return IRI_REWRITE_DONE;
}

/* ---- operations ---- */

static iri_id find_helper(const legalize *lz, uint32_t op, iri_type type, iri_scalar result)
{
    for (uint32_t i = 0; i < lz->made.count; i++) {
        const made *m = &lz->made.at[i];
        if (m->op == op && m->type == type && m->result == result)
            return m->function;
    }
    return 0;
}

static iri_type helper_type(const iri_program *p, const iri_inst *in)
{
    return iri_type_of(p, iri_operands(p, in)[0]);
}

static iri_scalar helper_result(const iri_program *p, const iri_inst *in)
{
    return IRI_TYPE_SCALAR(iri_type_of(p, in->results));
}

/* Whether there is a helper for these types; what there is none for, the preflight refuses. */
static bool takes_helper(const iri_program *p, const iri_inst *in)
{
    if (!iri_legalize_has_helper(in->op))
        return false;
    iri_scalar scalar = IRI_TYPE_SCALAR(helper_type(p, in)), result = helper_result(p, in);
    return (scalar == IRI_F32 || scalar == IRI_F16) &&
           (result == scalar || result == IRI_I32 || result == IRI_U32);
}

static iri_rewrite_action call_helper(iri_rewrite *rw, const iri_inst *in)
{
    const iri_program *p = rw->from;
    iri_id operands[2], value;
    for (uint32_t i = 0; i < in->operand_count && i < 2; i++)
        operands[i] = iri_rewrite_value(rw, iri_operands(p, in)[i]);
    iri_id function = find_helper(rw->argument, in->op, helper_type(p, in), helper_result(p, in));
    iri_emit_call(rw->b, function, operands, in->operand_count, &value);
    iri_rewrite_set(rw, in->results, value);
    return IRI_REWRITE_DONE;
}

static iri_rewrite_action visit(iri_rewrite *rw, iri_id inst)
{
    const iri_program *p = rw->from;
    const iri_inst *in = &p->insts[inst];
    legalize *lz = rw->argument;
    if (lz->flow.active && in->region_count)
        iri_legalize_flow_enter(&lz->flow, rw, inst);
    if (lz->flow.active && (iri_props(in->op) & IRI_PROP_DERIVATIVE))
        return iri_legalize_flow_use(&lz->flow, rw, inst);
    if (in->op == IRI_OP_LOAD_CB)
        return load_cb(rw, in);
    if (in->op == IRI_OP_INPUT && lz->floor_position &&
        p->interface.inputs[iri_immediates(p, in)[0]].system_value == IRI_SV_POSITION)
        return position(rw, in);
    return takes_helper(p, in) ? call_helper(rw, in) : IRI_REWRITE_COPY;
}

/* Adds the helpers that a program needs, in the order it needs them. */
static void add_helpers(legalize *lz, const iri_program *p)
{
    iri_arena *scratch = lz->pc->scratch;
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        made m = {.op = in->op};
        bool known = false;
        if (in->op == IRI_OP_LOAD_CB && in->operand_count == 1 &&
            !iri_is_constant(p, iri_operands(p, in)[0])) {
            m.resource = iri_immediates(p, in)[0];
            m.type = iri_type_of(p, in->results);
            uint32_t rows = iri_legalize_rows(p->interface.resources[m.resource].size);
            row_of r = find_row(p, in, rows);
            if (!r.found)
                iri_fail(lz->pc->ctx, IRI_UNWRITABLE, in->offset,
                         "a constant is read at a run-time offset that is not that of a row");
            m.byte = r.byte;
            if (rows == 0)
                continue;
        } else if (takes_helper(p, in)) {
            m.type = helper_type(p, in);
            m.result = helper_result(p, in);
        } else {
            continue;
        }
        for (uint32_t k = 0; k < lz->made.count && !known; k++) {
            const made *other = &lz->made.at[k];
            known = other->op == m.op && other->type == m.type && other->result == m.result &&
                    other->resource == m.resource && other->byte == m.byte;
        }
        if (known)
            continue;
        m.function = m.op == IRI_OP_LOAD_CB
                         ? iri_legalize_add_row(lz->b, m.resource, m.type, m.byte)
                         : iri_legalize_add_helper(lz->b, (iri_op)m.op, m.type, m.result);
        iri_push(scratch, &lz->made, m);
    }
}

iri_program *iri_pass_legalize(iri_pass_ctx *pc, const iri_program *program)
{
    iri_rewrite rw;
    legalize lz = {.pc = pc, .b = iri_pass_make_builder(pc, program, IRI_BUILD_OPTIMISE)};
    lz.floor_position = program->stage == IRI_STAGE_PIXEL &&
                        program->conventions.pixel_centre == IRI_PIXEL_CENTRE_INTEGER;
    iri_rewrite_init(&rw, lz.b, program, pc->scratch, visit, &lz);
    iri_copy_header(lz.b, program);
    if (lz.floor_position)
        iri_builder_program(lz.b)->conventions.pixel_centre = IRI_PIXEL_CENTRE_HALF;
    add_helpers(&lz, program);
    iri_rewrite_declare(&rw);
    for (iri_id f = 1; f < program->function_count; f++) {
        iri_legalize_flow_begin(&lz.flow, pc->scratch, program, f);
        iri_rewrite_function(&rw, f);
    }
    iri_builder_program(lz.b)->entry = rw.functions[program->entry];
    return iri_builder_finish(lz.b);
}
