/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns an `if` whose arms only compute a little into their instructions and a select for each result.
 * Nothing moves that has effects, uses the invocations around, or reads a texture or memory; moves of lanes
 * cost nothing.
 */
#include "pass/shape.h"

enum { LIMIT_DEFAULT = 4, TOO_MUCH = INT32_MAX, UNKNOWN = 0 };

typedef struct if_to_select {
    uint32_t limit;
    uint32_t *costs; /* region -> its cost + 1; UNKNOWN yet, or TOO_MUCH */
} if_to_select;

static uint32_t region_cost(if_to_select *s, const iri_program *p, iri_id region);

/* What the instructions of a converted `if` cost, TOO_MUCH where it stays. */
static uint32_t if_cost(if_to_select *s, const iri_program *p, const iri_inst *in)
{
    uint32_t total = in->result_count;
    for (uint32_t arm = 0; arm < 2; arm++) {
        uint32_t cost = region_cost(s, p, iri_regions(p, in)[arm]);
        if (cost == TOO_MUCH)
            return TOO_MUCH;
        total += cost;
    }
    return total;
}

static bool is_cheap(const iri_inst *in)
{
    bool reads = iri_op_infos[in->op].immediates[0] == 'r' && in->op != IRI_OP_LOAD_CB;
    return iri_is_pure(in->op) && !(iri_props(in->op) & IRI_PROP_CONVERGENT) && !reads;
}

static uint32_t region_cost(if_to_select *s, const iri_program *p, iri_id region)
{
    uint32_t total = 0;
    if (s->costs[region] != UNKNOWN)
        return s->costs[region] == TOO_MUCH ? TOO_MUCH : s->costs[region] - 1;
    s->costs[region] = TOO_MUCH;
    iri_for_each_inst(p, region, in)
    {
        bool moves = iri_op_infos[in->op].type_class == 'A' && !(iri_props(in->op) & IRI_PROP_LANE);
        uint32_t cost = moves ? 0 : 1;
        if (in->op == IRI_OP_YIELD)
            break;
        if (in->op == IRI_OP_IF)
            cost = if_cost(s, p, in);
        else if (!is_cheap(in))
            cost = TOO_MUCH;
        if (cost > s->limit || total + cost > s->limit)
            return TOO_MUCH;
        total += cost;
    }
    s->costs[region] = total + 1;
    return total;
}

static iri_rewrite_action visit(iri_rewrite *rw, iri_id inst)
{
    const iri_program *p = rw->from;
    const iri_inst *in = &p->insts[inst];
    const iri_inst *ends[2];
    if (in->op != IRI_OP_IF || if_cost(rw->argument, p, in) == TOO_MUCH)
        return IRI_REWRITE_COPY;
    for (uint32_t arm = 0; arm < 2; arm++)
        ends[arm] = iri_shape_splice(rw, iri_regions(p, in)[arm]);
    iri_shape_stamp(rw, in);
    iri_id condition = iri_rewrite_value(rw, iri_operands(p, in)[0]);
    for (uint32_t i = 0; i < in->result_count; i++) {
        iri_id yes = iri_rewrite_value(rw, iri_operands(p, ends[0])[i]);
        iri_id no = iri_rewrite_value(rw, iri_operands(p, ends[1])[i]);
        iri_rewrite_set(rw, in->results + i, iri_emit_select(rw->b, condition, yes, no));
    }
    return IRI_REWRITE_DONE;
}

static bool converts_any(if_to_select *s, const iri_program *p)
{
    for (iri_id i = 1; i < p->inst_count; i++)
        if (p->insts[i].op == IRI_OP_IF && if_cost(s, p, &p->insts[i]) != TOO_MUCH)
            return true;
    return false;
}

bool iri_hook_if_to_select(iri_pass_ctx *pc, const iri_program *program, iri_hook *hook)
{
    if (!iri_has_op(program, IRI_OP_IF))
        return false;
    if_to_select *s = iri_new(pc->scratch, if_to_select);
    s->limit = pc->options->select_limit ? pc->options->select_limit : LIMIT_DEFAULT;
    s->costs = iri_new_array(pc->scratch, uint32_t, program->region_count);
    *hook = (iri_hook){visit, s};
    return converts_any(s, program);
}

iri_program *iri_pass_if_to_select(iri_pass_ctx *pc, const iri_program *program)
{
    return iri_pass_run_hooks(pc, program, (iri_hook_fn *const[]){iri_hook_if_to_select}, 1);
}
