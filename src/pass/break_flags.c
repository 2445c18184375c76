/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes every exit one that WGSL and SPIR-V have. In the result
 *   - there is no `block`: it has become nested arms, a loop that breaks at its end, or a switch of a
 *     default only;
 *   - `break` leads out of the innermost loop or switch around it;
 *   - `continue` leads to the innermost loop around it, through switches;
 *   - `return` stands where it stood.
 * An exit of more levels leaves the innermost loop or switch with a flag (a number where there are
 * several) and its values as further results; behind that, an `if` on the flag makes the rest of the way,
 * by the same rule.
 */
#include "pass/break_flags.h"

typedef struct flags {
    iri_flags_plan plan;
    IRI_VEC(iri_id) open; /* operations of the result around, outermost first */
    uint32_t *labels;     /* of each such operation (by old instruction) in the result */
    iri_id region;        /* being written */
    iri_id sunk;          /* the sunk block whose exits are arms' ends, 0 outside */
    uint32_t sunk_depth;
    const iri_flags_rest *rest;
} flags;

static bool has_flag(const iri_flags_op *op)
{
    return op->exits.count > (op->completes ? 0u : 1u);
}

static bool is_number(const iri_flags_op *op)
{
    return op->exits.count > 1;
}

static iri_id flag_value(iri_rewrite *rw, const iri_flags_op *op, uint32_t number)
{
    return is_number(op) ? iri_const_u32(rw->b, number) : iri_const_bool(rw->b, number != 0);
}

/* How many results an operation has in the result: its values, then the flag. */
static uint32_t result_count(const flags *fl, iri_id op)
{
    return fl->plan.ops[op].values.count + has_flag(&fl->plan.ops[op]);
}

/* For the end of `op`: `values` at `places` (NULL: the first), zero elsewhere, and flag `number`. */
static const iri_id *values_at_end(iri_rewrite *rw, const flags *fl, iri_id op,
                                   const iri_id *values, uint32_t count, const uint32_t *places,
                                   uint32_t number)
{
    const iri_flags_op *plan = &fl->plan.ops[op];
    iri_id *all = iri_new_array(rw->scratch, iri_id, result_count(fl, op));
    for (uint32_t i = 0; i < count; i++)
        all[places ? places[i] : i] = values[i];
    for (uint32_t i = 0; i < plan->values.count; i++) {
        if (all[i] == 0)
            all[i] = iri_const_zero(rw->b, plan->values.at[i]);
    }
    if (has_flag(plan))
        all[plan->values.count] = flag_value(rw, plan, number);
    return all;
}

/* ---- edges ---- */

static uint32_t exit_number(const iri_flags_op *op, iri_id to, bool continues)
{
    for (uint32_t i = 0; i < op->exits.count; i++) {
        if (op->exits.at[i].op == to && op->exits.at[i].continues == continues)
            return i + 1;
    }
    assert(!"every exit is planned");
    return 0;
}

/* A break or continue to `op`, or its first step. */
static void write_exit(iri_rewrite *rw, flags *fl, iri_id op, bool continues, const iri_id *values)
{
    uint32_t count = iri_flags_arity(rw->from, op, continues);
    if (iri_flags_is_direct(&fl->plan, fl->open.at, fl->open.count, op, continues)) {
        if (continues)
            iri_emit_continue(rw->b, fl->labels[op], values, count);
        else
            iri_emit_break(rw->b, fl->labels[op], values_at_end(rw, fl, op, values, count, NULL, 0),
                           result_count(fl, op));
        return;
    }
    iri_id through = fl->open.at[fl->open.count - 1];
    const iri_flags_op *plan = &fl->plan.ops[through];
    uint32_t number = exit_number(plan, op, continues);
    iri_emit_break(
        rw->b, fl->labels[through],
        values_at_end(rw, fl, through, values, count, plan->exits.at[number - 1].places, number),
        result_count(fl, through));
}

/* A yield ends a region of an `if`, a switch or a block. */
static void write_yield(iri_rewrite *rw, flags *fl, const iri_id *values)
{
    iri_id op = rw->from->regions[fl->region].owner;
    const iri_inst *in = &rw->from->insts[op];
    if (in->op == IRI_OP_IF)
        iri_emit_yield(rw->b, values, in->result_count);
    else if (fl->plan.ops[op].shape == IRI_FLAGS_LOOP)
        write_exit(rw, fl, op, false, values);
    else
        iri_emit_yield(rw->b, values_at_end(rw, fl, op, values, in->result_count, NULL, 0),
                       result_count(fl, op));
}

/* ---- operations ---- */

static void write_region(iri_rewrite *rw, flags *fl, iri_id region)
{
    iri_id outer = fl->region;
    fl->region = region;
    iri_shape_region(rw, region);
    fl->region = outer;
}

static iri_id *pick(iri_rewrite *rw, const iri_flags_exit *exit, const iri_id *results)
{
    uint32_t count = iri_flags_arity(rw->from, exit->op, exit->continues);
    iri_id *values = iri_new_array(rw->scratch, iri_id, count);
    for (uint32_t i = 0; i < count; i++)
        values[i] = results[exit->places[i]];
    return values;
}

static iri_id is_taken(iri_rewrite *rw, const iri_flags_op *plan, const iri_id *results,
                       uint32_t number)
{
    iri_id flag = results[plan->values.count];
    return is_number(plan) ? iri_emit2(rw->b, IRI_OP_IEQ, flag, iri_const_u32(rw->b, number))
                           : flag;
}

/* The rest of the way of the exits that left an operation, but of those to `sunk`. */
static void write_rest_of_exits(iri_rewrite *rw, flags *fl, iri_id op, const iri_id *results,
                                iri_id sunk)
{
    const iri_flags_op *plan = &fl->plan.ops[op];
    for (uint32_t e = 0; e < plan->exits.count; e++) {
        const iri_flags_exit *exit = &plan->exits.at[e];
        bool always = !plan->completes && !sunk && e + 1 == plan->exits.count;
        if (exit->op == sunk)
            continue;
        if (!always)
            iri_begin_if(rw->b, is_taken(rw, plan, results, e + 1));
        write_exit(rw, fl, exit->op, exit->continues, pick(rw, exit, results));
        if (always)
            break;
        iri_begin_else(rw->b);
        iri_emit_yield(rw->b, NULL, 0);
        iri_end_results(rw->b, NULL, 0);
    }
}

/* Closes the operation; returns all its results. */
static const iri_id *end_op(iri_rewrite *rw, flags *fl, iri_id op)
{
    const iri_inst *in = &rw->from->insts[op];
    uint32_t count = result_count(fl, op);
    iri_id *results = iri_new_array(rw->scratch, iri_id, count);
    iri_end_results(rw->b, results, count);
    iri_shape_map(rw, in->results, results, in->result_count);
    iri_shape_stamp(rw, in);
    iri_set_relaxed(rw->b, false);
    return results;
}

static void open_op(iri_rewrite *rw, flags *fl, iri_id op)
{
    const iri_program *p = rw->from;
    const iri_inst *in = &p->insts[op];
    iri_id *parameters = iri_new_array(rw->scratch, iri_id, in->operand_count);
    if (in->op != IRI_OP_BLOCK) {
        iri_shape_open(rw, in, iri_shape_operands(rw, in), in->operand_count, parameters);
        if (in->op == IRI_OP_LOOP)
            iri_shape_map(rw, p->regions[iri_regions(p, in)[0]].parameters, parameters,
                          in->operand_count);
        fl->labels[op] = rw->labels[iri_immediates(p, in)[0]];
        return;
    }
    iri_shape_stamp(rw, in);
    fl->labels[op] = fl->plan.ops[op].shape == IRI_FLAGS_LOOP
                         ? iri_begin_loop(rw->b, NULL, 0, NULL)
                         : iri_begin_switch(rw->b, iri_const_u32(rw->b, 0));
}

static const iri_id *write_op(iri_rewrite *rw, flags *fl, iri_id op)
{
    const iri_inst *in = &rw->from->insts[op];
    open_op(rw, fl, op);
    iri_push(rw->scratch, &fl->open, op);
    for (uint32_t i = 0; i < in->region_count; i++) {
        if (i > 0)
            iri_shape_next(rw, in, i);
        write_region(rw, fl, iri_regions(rw->from, in)[i]);
    }
    fl->open.count--;
    return end_op(rw, fl, op);
}

static void write_if(iri_rewrite *rw, flags *fl, const iri_inst *in)
{
    iri_id *results = iri_new_array(rw->scratch, iri_id, in->result_count);
    iri_shape_open(rw, in, NULL, 0, NULL);
    write_region(rw, fl, iri_regions(rw->from, in)[0]);
    iri_shape_next(rw, in, 1);
    write_region(rw, fl, iri_regions(rw->from, in)[1]);
    iri_end_results(rw->b, results, in->result_count);
    iri_shape_map(rw, in->results, results, in->result_count);
}

/* ---- blocks as nested arms ---- */

/* The block is completed with these values: at the end of an arm they are yielded, else its results. */
static void complete(iri_rewrite *rw, iri_id block, uint32_t depth, const iri_id *values)
{
    const iri_inst *in = &rw->from->insts[block];
    if (depth > 0)
        iri_emit_yield(rw->b, values, in->result_count);
    else
        iri_shape_map(rw, in->results, values, in->result_count);
}

static void sink(iri_rewrite *rw, flags *fl, iri_id block, iri_id region, uint32_t index,
                 const iri_flags_rest *rest, uint32_t depth);

static void sink_if(iri_rewrite *rw, flags *fl, iri_id block, const iri_inst *in,
                    const iri_flags_rest *rest, uint32_t depth)
{
    uint32_t count = rw->from->insts[block].result_count;
    iri_id *results = iri_new_array(rw->scratch, iri_id, count);
    iri_shape_open(rw, in, NULL, 0, NULL);
    sink(rw, fl, block, iri_regions(rw->from, in)[0], 0, rest, depth + 1);
    iri_shape_next(rw, in, 1);
    sink(rw, fl, block, iri_regions(rw->from, in)[1], 0, rest, depth + 1);
    iri_end_results(rw->b, results, count);
    if (!iri_is_closed(rw->b))
        complete(rw, block, depth, results);
}

/* A loop or switch that the block is left from: behind it that exit is an arm, the rest the other. */
static void sink_op(iri_rewrite *rw, flags *fl, iri_id block, iri_id op,
                    const iri_flags_rest *after, uint32_t depth)
{
    const iri_flags_op *plan = &fl->plan.ops[op];
    const iri_id *results = write_op(rw, fl, op);
    uint32_t number = exit_number(plan, block, false), count = rw->from->insts[block].result_count;
    const iri_id *values = pick(rw, &plan->exits.at[number - 1], results);
    write_rest_of_exits(rw, fl, op, results, block);
    if (!plan->completes) {
        complete(rw, block, depth, values);
        return;
    }
    iri_id *ends = iri_new_array(rw->scratch, iri_id, count);
    iri_begin_if(rw->b, is_taken(rw, plan, results, number));
    complete(rw, block, depth + 1, values);
    iri_begin_else(rw->b);
    sink(rw, fl, block, after->region, after->index, after->next, depth + 1);
    iri_end_results(rw->b, ends, count);
    if (!iri_is_closed(rw->b))
        complete(rw, block, depth, ends);
}

static void sink(iri_rewrite *rw, flags *fl, iri_id block, iri_id region, uint32_t index,
                 const iri_flags_rest *rest, uint32_t depth)
{
    const iri_program *p = rw->from;
    iri_id outer = fl->region;
    fl->region = region;
    while (!iri_is_closed(rw->b)) {
        iri_id inst = p->order[p->regions[fl->region].first + index++];
        const iri_inst *in = &p->insts[inst];
        if (in->region_count > 0 && iri_flags_breaks_to(&fl->plan, inst, block)) {
            iri_flags_rest after = {rest, in, fl->region, index};
            if (in->op == IRI_OP_IF)
                sink_if(rw, fl, block, in, &after, depth);
            else
                sink_op(rw, fl, block, inst, &after, depth);
            break;
        }
        bool leaves =
            in->op == IRI_OP_BREAK && fl->plan.label_ops[iri_immediates(p, in)[0]] == block;
        if (leaves || (in->op == IRI_OP_YIELD && !rest)) {
            iri_shape_stamp(rw, in);
            complete(rw, block, depth, iri_shape_operands(rw, in));
            break;
        }
        if (in->op == IRI_OP_YIELD) {
            iri_shape_map(rw, rest->op->results, iri_shape_operands(rw, in), in->operand_count);
            fl->region = rest->region;
            index = rest->index;
            rest = rest->next;
            continue;
        }
        iri_shape_inst(rw, inst);
    }
    fl->region = outer;
}

static void write_sunk(iri_rewrite *rw, flags *fl, iri_id block)
{
    const iri_inst *in = &rw->from->insts[block];
    for (uint32_t i = 0; i < in->result_count; i++) /* where nothing completes it */
        iri_rewrite_set(rw, in->results + i,
                        iri_const_zero(rw->b, iri_type_of(rw->from, in->results + i)));
    sink(rw, fl, block, iri_regions(rw->from, in)[0], 0, NULL, 0);
}

static iri_rewrite_action visit(iri_rewrite *rw, iri_id inst)
{
    flags *fl = rw->argument;
    const iri_program *p = rw->from;
    const iri_inst *in = &p->insts[inst];
    if (p->functions[rw->function].form == IRI_FORM_CFG)
        return IRI_REWRITE_COPY;
    if (in->region_count > 0) {
        if (fl->plan.ops[inst].shape == IRI_FLAGS_IF)
            write_if(rw, fl, in);
        else if (fl->plan.ops[inst].shape == IRI_FLAGS_SUNK)
            write_sunk(rw, fl, inst);
        else
            write_rest_of_exits(rw, fl, inst, write_op(rw, fl, inst), 0);
        return IRI_REWRITE_DONE;
    }
    if (in->op != IRI_OP_YIELD && in->op != IRI_OP_BREAK && in->op != IRI_OP_CONTINUE)
        return IRI_REWRITE_COPY;
    iri_shape_stamp(rw, in);
    if (in->op == IRI_OP_YIELD)
        write_yield(rw, fl, iri_shape_operands(rw, in));
    else
        write_exit(rw, fl, fl->plan.label_ops[iri_immediates(p, in)[0]], in->op == IRI_OP_CONTINUE,
                   iri_shape_operands(rw, in));
    return IRI_REWRITE_DONE;
}

iri_program *iri_pass_break_flags(iri_pass_ctx *pc, const iri_program *program)
{
    flags fl = {.labels = NULL};
    iri_rewrite rw;
    if (!iri_flags_are_needed(program))
        return NULL;
    iri_builder *b = iri_pass_make_builder(pc, program, IRI_BUILD_OPTIMISE);
    iri_flags_make(&fl.plan, program, pc->scratch);
    fl.labels = iri_new_array(pc->scratch, uint32_t, program->inst_count);
    iri_rewrite_init(&rw, b, program, pc->scratch, visit, &fl);
    iri_copy_header(b, program);
    iri_rewrite_declare(&rw);
    for (iri_id f = 1; f < program->function_count; f++) {
        const iri_function *fn = &program->functions[f];
        fl.region = fn->body;
        if (fn->body)
            iri_rewrite_function(&rw, f);
    }
    return iri_shape_finish(&rw);
}
