/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replaces an operation that spells out Direct3D's number rules by the plain one where the ranges of its
 * operands prove that both give the same bits: a table of pairs with the condition for a lane.
 */
#include "ir/facts/finite.h"
#include "pass/pass.h"

typedef bool lane_rule(const iri_range *a, const iri_range *b, iri_scalar result);

typedef struct relax {
    iri_pass_ctx *pc;
    iri_finite facts;
} relax;

/* 0 times what is not finite does not occur. */
static bool never_zero_times(const iri_range *a, const iri_range *b, iri_scalar result)
{
    (void)result;
    return (iri_range_is_finite(b) || iri_range_is_nonzero(a)) &&
           (iri_range_is_finite(a) || iri_range_is_nonzero(b));
}

static bool is_number(const iri_range *a, const iri_range *b, iri_scalar result)
{
    (void)b, (void)result;
    return !a->nan;
}

/* min and max differ from their comparisons where the second operand is NaN only. */
static bool second_is_number(const iri_range *a, const iri_range *b, iri_scalar result)
{
    (void)a, (void)result;
    return !b->nan;
}

static bool is_nonzero(const iri_range *a, const iri_range *b, iri_scalar result)
{
    (void)b, (void)result;
    return iri_range_is_nonzero(a);
}

static bool is_above_zero(const iri_range *a, const iri_range *b, iri_scalar result)
{
    (void)b, (void)result;
    return iri_range_is_nonzero(a) && iri_range_is_positive(a);
}

static bool is_positive(const iri_range *a, const iri_range *b, iri_scalar result)
{
    (void)b, (void)result;
    return iri_range_is_positive(a);
}

/* Within what a 32-bit integer and an f32 both hold. */
static bool fits_integer(const iri_range *a, const iri_range *b, iri_scalar result)
{
    (void)b;
    if (a->nan)
        return false;
    if (result == IRI_U32)
        return a->low >= 0 && a->high <= 4294967040.0f;
    return result == IRI_I32 && a->low >= -2147483648.0f && a->high <= 2147483520.0f;
}

/* Of the guarded operations: the plain one, and what must hold. */
static const struct {
    iri_op to;
    lane_rule *holds;
} plain_ops[IRI_OP_COUNT] = {
    [IRI_OP_MUL_ZERO] = {IRI_OP_MUL, never_zero_times},
    [IRI_OP_DOT_ZERO] = {IRI_OP_DOT, never_zero_times},
    [IRI_OP_SATURATE_ZERO] = {IRI_OP_SATURATE, is_number},
    [IRI_OP_MIN_LT] = {IRI_OP_MIN, second_is_number},
    [IRI_OP_MAX_GE] = {IRI_OP_MAX, second_is_number},
    [IRI_OP_RCP_MAX] = {IRI_OP_RCP, is_nonzero},
    [IRI_OP_RSQ_MAX] = {IRI_OP_RSQ, is_above_zero},
    [IRI_OP_LOG2_MAX] = {IRI_OP_LOG2, is_above_zero},
    [IRI_OP_POW_ABS] = {IRI_OP_POW, is_positive},
    [IRI_OP_FTOI_SAT] = {IRI_OP_FTOI, fits_integer},
};

static bool holds_everywhere(const relax *r, const iri_program *p, const iri_inst *in,
                             lane_rule *holds)
{
    const uint32_t *operands = iri_operands(p, in);
    iri_id second = operands[in->operand_count - 1];
    iri_scalar result = IRI_TYPE_SCALAR(iri_type_of(p, in->results));
    /* A square of zero is finite, whatever else the operand may be. */
    if (holds == never_zero_times && operands[0] == second)
        return true;
    for (uint32_t i = 0; i < IRI_TYPE_LANES(iri_type_of(p, operands[0])); i++) {
        if (!holds(&r->facts.lanes[operands[0]][i], &r->facts.lanes[second][i], result))
            return false;
    }
    return true;
}

/* The plain operation that will do in an instruction's place; NONE where it has no other, or must stay. */
static iri_op plain_op(const relax *r, const iri_program *p, const iri_inst *in)
{
    if (!plain_ops[in->op].holds)
        return IRI_OP_NONE;
    r->pc->counts->guards++;
    return holds_everywhere(r, p, in, plain_ops[in->op].holds) ? plain_ops[in->op].to : IRI_OP_NONE;
}

static bool has_guards(const iri_program *p)
{
    for (uint32_t op = 0; op < IRI_OP_COUNT; op++)
        if (plain_ops[op].holds && iri_has_op(p, (iri_op)op))
            return true;
    return false;
}

iri_program *iri_pass_relax(iri_pass_ctx *pc, const iri_program *program)
{
    relax r = {.pc = pc};
    if (!has_guards(program))
        return NULL;
    iri_program *p = pc->own ? pc->own : iri_pass_copy(pc, program, IRI_BUILD_OPTIMISE);
    iri_find_finite(pc->scratch, p, &r.facts);
    memset(p->ops, 0, sizeof p->ops);
    p->validated = false;
    for (iri_id i = 1; i < p->inst_count; i++) {
        iri_inst *in = &p->insts[i];
        iri_op plain = plain_op(&r, p, in);
        if (plain != IRI_OP_NONE) {
            r.pc->counts->guards_elided++;
            in->op = (uint16_t)plain;
        }
        p->ops[in->op / 64] |= UINT64_C(1) << (in->op % 64);
    }
    return p;
}
