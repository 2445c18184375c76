/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * break_flags' decisions, made outermost first. A block becomes nested arms when what follows each way out
 * of it can go into the other arm; else a switch of a default
 * only, when a `continue` must pass out of it, or a loop that breaks at its end.
 */
#include "pass/break_flags.h"

enum { SINK_MAX = 8 /* arms that a sunk block may nest */ };

uint32_t iri_flags_arity(const iri_program *p, iri_id op, bool continues)
{
    const iri_inst *in = &p->insts[op];
    return continues ? in->operand_count : in->result_count;
}

iri_type iri_flags_type(const iri_program *p, iri_id op, bool continues, uint32_t index)
{
    const iri_inst *in = &p->insts[op];
    iri_id first = continues ? p->regions[iri_regions(p, in)[0]].parameters : in->results;
    return iri_type_of(p, first + index);
}

/* How many of ascending `places` lie in start .. end - 1; the index of the first in `*first`. */
static uint32_t count_between(const uint32_t *places, uint32_t count, uint32_t start, uint32_t end,
                              uint32_t *first)
{
    uint32_t bounds[2], limits[2] = {start, end};
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t low = 0, high = count;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (places[middle] < limits[k])
                low = middle + 1;
            else
                high = middle;
        }
        bounds[k] = low;
    }
    *first = bounds[0];
    return bounds[1] - bounds[0];
}

bool iri_flags_breaks_to(const iri_flags_plan *plan, iri_id op, iri_id block)
{
    const iri_flags_op *to = &plan->ops[block];
    uint32_t first;
    return count_between(to->breaks.at, to->breaks.count, plan->ops[op].start, plan->ops[op].end,
                         &first) > 0;
}

/* ---- survey ---- */

static void survey_region(iri_flags_plan *plan, iri_id region)
{
    const iri_program *p = plan->p;
    iri_for_each_inst(p, region, in)
    {
        iri_id inst = (iri_id)(in - p->insts);
        iri_flags_op *op = &plan->ops[inst];
        uint32_t place = plan->place++;
        if (in->op == IRI_OP_YIELD) {
            plan->ops[p->regions[region].owner].completes = true;
        } else if (in->op == IRI_OP_BREAK) {
            iri_flags_op *to = &plan->ops[plan->label_ops[iri_immediates(p, in)[0]]];
            to->completes = true;
            iri_push(plan->scratch, &to->breaks, place);
        } else if (in->op == IRI_OP_CONTINUE) {
            iri_push(plan->scratch, &plan->continues, place);
            iri_push(plan->scratch, &plan->continue_ops, plan->label_ops[iri_immediates(p, in)[0]]);
        }
        op->start = plan->place;
        for (uint32_t i = 0; i < in->region_count; i++)
            survey_region(plan, iri_regions(p, in)[i]);
        op->end = plan->place;
    }
}

/* ---- what blocks become ---- */

static bool can_sink(const iri_flags_plan *plan, iri_id block, iri_id region, uint32_t index,
                     const iri_flags_rest *rest, uint32_t depth);

/* Nothing is left to do but to yield. */
static bool is_over(const iri_program *p, iri_id region, uint32_t index, const iri_flags_rest *rest)
{
    for (;;) {
        const iri_region *r = &p->regions[region];
        const iri_inst *in = &p->insts[p->order[r->first + index]];
        if (in->op != IRI_OP_YIELD)
            return false;
        if (!rest)
            return true;
        region = rest->region;
        index = rest->index;
        rest = rest->next;
    }
}

static bool can_sink_if(const iri_flags_plan *plan, iri_id block, const iri_inst *in,
                        const iri_flags_rest *rest, uint32_t depth)
{
    const iri_program *p = plan->p;
    const uint32_t *arms = iri_regions(p, in);
    bool both = iri_terminator(p, arms[0])->op == IRI_OP_YIELD &&
                iri_terminator(p, arms[1])->op == IRI_OP_YIELD;
    if (depth >= SINK_MAX || (both && !is_over(p, rest->region, rest->index, rest->next)))
        return false;
    return can_sink(plan, block, arms[0], 0, rest, depth + 1) &&
           can_sink(plan, block, arms[1], 0, rest, depth + 1);
}

static bool can_sink(const iri_flags_plan *plan, iri_id block, iri_id region, uint32_t index,
                     const iri_flags_rest *rest, uint32_t depth)
{
    const iri_program *p = plan->p;
    for (;;) {
        iri_id inst = p->order[p->regions[region].first + index++];
        const iri_inst *in = &p->insts[inst];
        if (in->region_count > 0 && iri_flags_breaks_to(plan, inst, block)) {
            iri_flags_rest after = {rest, in, region, index};
            if (in->op == IRI_OP_IF)
                return can_sink_if(plan, block, in, &after, depth);
            /* Behind a loop or switch that the block is left from, the rest is the other arm. */
            if (in->op == IRI_OP_BLOCK || ++depth > SINK_MAX)
                return false;
        }
        if (!(iri_props(in->op) & IRI_PROP_TERMINATOR))
            continue;
        if (in->op != IRI_OP_YIELD || !rest)
            return true;
        region = rest->region;
        index = rest->index;
        rest = rest->next;
    }
}

/* Whether a continue inside leads outside. */
static bool continues_out(const iri_flags_plan *plan, iri_id block)
{
    const iri_flags_op *op = &plan->ops[block];
    uint32_t first, count = count_between(plan->continues.at, plan->continues.count, op->start,
                                          op->end, &first);
    for (uint32_t i = first; i < first + count; i++) {
        const iri_flags_op *to = &plan->ops[plan->continue_ops.at[i]];
        if (to->start < op->start)
            return true;
    }
    return false;
}

static uint8_t choose(const iri_flags_plan *plan, iri_id inst)
{
    const iri_program *p = plan->p;
    const iri_inst *in = &p->insts[inst];
    if (in->op == IRI_OP_IF)
        return IRI_FLAGS_IF;
    if (in->op == IRI_OP_LOOP)
        return IRI_FLAGS_LOOP;
    if (in->op == IRI_OP_SWITCH)
        return IRI_FLAGS_SWITCH;
    if (can_sink(plan, inst, iri_regions(p, in)[0], 0, NULL, 0))
        return IRI_FLAGS_SUNK;
    return continues_out(plan, inst) ? IRI_FLAGS_SWITCH : IRI_FLAGS_LOOP;
}

/* ---- exits ---- */

bool iri_flags_is_direct(const iri_flags_plan *plan, const iri_id *open, uint32_t count, iri_id op,
                         bool continues)
{
    while (continues && count > 0 && plan->ops[open[count - 1]].shape == IRI_FLAGS_SWITCH)
        count--;
    return count > 0 && open[count - 1] == op;
}

/* Only one exit is taken at a time, so that all share places, and with the results proper. */
static uint32_t *find_places(iri_flags_plan *plan, iri_flags_op *by, iri_id op, bool continues)
{
    uint32_t next[IRI_SCALAR_COUNT * 4] = {0};
    uint32_t count = iri_flags_arity(plan->p, op, continues);
    uint32_t *places = iri_new_array(plan->scratch, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        iri_type type = iri_flags_type(plan->p, op, continues, i);
        uint32_t place = next[type];
        while (place < by->values.count && by->values.at[place] != type)
            place++;
        if (place == by->values.count)
            iri_push(plan->scratch, &by->values, type);
        places[i] = place;
        next[type] = place + 1;
    }
    return places;
}

static void add_exit(iri_flags_plan *plan, iri_id through, iri_id op, bool continues)
{
    iri_flags_op *by = &plan->ops[through];
    for (uint32_t i = 0; i < by->exits.count; i++) {
        if (by->exits.at[i].op == op && by->exits.at[i].continues == continues)
            return;
    }
    iri_flags_exit exit = {op, continues, find_places(plan, by, op, continues)};
    iri_push(plan->scratch, &by->exits, exit);
}

static void plan_edge(iri_flags_plan *plan, const iri_inst *in)
{
    bool continues = in->op == IRI_OP_CONTINUE;
    iri_id op = plan->label_ops[iri_immediates(plan->p, in)[0]];
    uint32_t count = plan->open.count;
    if (plan->ops[op].shape == IRI_FLAGS_SUNK) {
        while (count > plan->ops[op].open_count)
            add_exit(plan, plan->open.at[--count], op, continues);
        return;
    }
    while (!iri_flags_is_direct(plan, plan->open.at, count, op, continues))
        add_exit(plan, plan->open.at[--count], op, continues);
}

static void plan_region(iri_flags_plan *plan, iri_id region)
{
    const iri_program *p = plan->p;
    iri_for_each_inst(p, region, in)
    {
        iri_id inst = (iri_id)(in - p->insts);
        if (in->op == IRI_OP_BREAK || in->op == IRI_OP_CONTINUE)
            plan_edge(plan, in);
        if (in->region_count == 0)
            continue;
        uint8_t shape = plan->ops[inst].shape = choose(plan, inst);
        plan->ops[inst].open_count = plan->open.count;
        for (uint32_t i = 0; i < in->result_count; i++)
            iri_push(plan->scratch, &plan->ops[inst].values, iri_type_of(p, in->results + i));
        bool opens = shape == IRI_FLAGS_LOOP || shape == IRI_FLAGS_SWITCH;
        if (opens)
            iri_push(plan->scratch, &plan->open, inst);
        for (uint32_t i = 0; i < in->region_count; i++)
            plan_region(plan, iri_regions(p, in)[i]);
        if (opens)
            plan->open.count--;
    }
}

void iri_flags_make(iri_flags_plan *plan, const iri_program *p, iri_arena *scratch)
{
    *plan = (iri_flags_plan){.p = p, .scratch = scratch, .place = 1};
    plan->ops = iri_new_array(scratch, iri_flags_op, p->inst_count);
    plan->label_ops = iri_shape_label_ops(p, scratch);
    for (iri_id f = 1; f < p->function_count; f++) {
        const iri_function *fn = &p->functions[f];
        if (fn->body == 0 || fn->form != IRI_FORM_STRUCTURED)
            continue;
        survey_region(plan, fn->body);
        plan_region(plan, fn->body);
    }
}

/* ---- whether there is anything to do ---- */

/* A construct around, outermost last. */
typedef struct enclosing {
    const struct enclosing *outer;
    uint32_t label;
    bool loop;
} enclosing;

/* The same rule as iri_flags_is_direct, on the program as it is. */
static bool is_direct(const enclosing *around, uint32_t label, bool continues)
{
    while (continues && around && !around->loop)
        around = around->outer;
    return around && around->label == label;
}

static bool is_needed(const iri_program *p, iri_id region, const enclosing *around)
{
    iri_for_each_inst(p, region, in)
    {
        bool labelled = in->op == IRI_OP_LOOP || in->op == IRI_OP_SWITCH;
        enclosing own = {around, labelled ? iri_immediates(p, in)[0] : 0, in->op == IRI_OP_LOOP};
        if ((in->op == IRI_OP_BREAK || in->op == IRI_OP_CONTINUE) &&
            !is_direct(around, iri_immediates(p, in)[0], in->op == IRI_OP_CONTINUE))
            return true;
        for (uint32_t i = 0; i < in->region_count; i++)
            if (is_needed(p, iri_regions(p, in)[i], labelled ? &own : around))
                return true;
    }
    return false;
}

bool iri_flags_are_needed(const iri_program *p)
{
    if (iri_has_op(p, IRI_OP_BLOCK))
        return true;
    if (!iri_has_op(p, IRI_OP_BREAK) && !iri_has_op(p, IRI_OP_CONTINUE))
        return false;
    for (iri_id f = 1; f < p->function_count; f++)
        if (p->functions[f].body && p->functions[f].form == IRI_FORM_STRUCTURED &&
            is_needed(p, p->functions[f].body, NULL))
            return true;
    return false;
}
