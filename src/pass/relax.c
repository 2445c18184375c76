/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replaces an operation that spells out Direct3D's number rules by the plain one where the ranges of its
 * operands prove that both give the same bits: a table of pairs with the condition for a lane.
 */
#include "ir/facts/finite.h"
#include "pass/shape.h"

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

static const struct {
    iri_op from, to;
    lane_rule *holds;
} pairs[] = {
    {IRI_OP_MUL_ZERO, IRI_OP_MUL, never_zero_times},
    {IRI_OP_DOT_ZERO, IRI_OP_DOT, never_zero_times},
    {IRI_OP_SATURATE_ZERO, IRI_OP_SATURATE, is_number},
    {IRI_OP_MIN_LT, IRI_OP_MIN, second_is_number},
    {IRI_OP_MAX_GE, IRI_OP_MAX, second_is_number},
    {IRI_OP_RCP_MAX, IRI_OP_RCP, is_nonzero},
    {IRI_OP_RSQ_MAX, IRI_OP_RSQ, is_above_zero},
    {IRI_OP_LOG2_MAX, IRI_OP_LOG2, is_above_zero},
    {IRI_OP_POW_ABS, IRI_OP_POW, is_positive},
    {IRI_OP_FTOI_SAT, IRI_OP_FTOI, fits_integer},
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

static iri_rewrite_action visit(iri_rewrite *rw, iri_id inst)
{
    const relax *r = rw->argument;
    const iri_inst *in = &rw->from->insts[inst];
    for (uint32_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (in->op != pairs[i].from)
            continue;
        r->pc->counts->guards++;
        if (!holds_everywhere(r, rw->from, in, pairs[i].holds))
            break;
        r->pc->counts->guards_elided++;
        iri_shape_stamp(rw, in);
        iri_rewrite_set(rw, in->results,
                        iri_emit(rw->b, pairs[i].to, iri_type_of(rw->from, in->results),
                                 iri_shape_operands(rw, in), in->operand_count, NULL, 0));
        return IRI_REWRITE_DONE;
    }
    return IRI_REWRITE_COPY;
}

iri_program *iri_pass_relax(iri_pass_ctx *pc, const iri_program *program)
{
    relax r = {.pc = pc};
    iri_rewrite rw;
    bool any = false;
    for (uint32_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        any = any || iri_has_op(program, pairs[i].from);
    if (!any)
        return NULL;
    iri_builder *b = iri_pass_make_builder(pc, program, IRI_BUILD_OPTIMISE);
    iri_find_finite(pc->scratch, program, &r.facts);
    iri_rewrite_init(&rw, b, program, pc->scratch, visit, &r);
    iri_rewrite_program(&rw);
    return iri_shape_finish(&rw);
}
