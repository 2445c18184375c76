/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Structured flow as masks. The active invocations are one mask column. An operation with regions narrows it
 * for each; who ends a region by `yield` or leaves by `break`, `continue` or `return` is added to a mask of
 * the operation that the edge leads to, and after that operation its mask is the active one. A region that no one
 * enters is jumped over, and where no one comes out of an operation the rest of its region is. Where no edge
 * leaves an `if` other than by its arms' ends, the mask before it is kept instead.
 *
 * Calls are inlined; a function whose only return is its end needs no mask.
 */
#include "exec/exec.h"

/* Where a region's `yield` goes. */
typedef struct yield_target {
    const iri_slots *slots;
    bool masked;   /* someone may have written the results already */
    uint32_t join; /* vreg of the mask to be added to; 0: none */
} yield_target;

static void compile_region(iri_exec_compiler *c, iri_id region, const yield_target *yields);

/* ---- facts of regions ---- */

static int32_t outermost(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* `level` is that of the operation that holds the region; a function's body is at -1. */
static void find_facts(iri_exec_compiler *c, iri_id region, int32_t level)
{
    iri_exec_facts facts = {.leaves_to = INT32_MAX};
    if ((uint32_t)(level + 1) > c->ctx->limits.nesting)
        iri_fail(c->ctx, IRI_LIMIT_NESTING, IRI_NO_OFFSET, "regions nested deeper than %u",
                 (unsigned)c->ctx->limits.nesting);
    iri_for_each_inst(c->p, region, in)
    {
        const uint32_t *imm = iri_immediates(c->p, in);
        facts.cost++;
        if (in->op == IRI_OP_LOOP || in->op == IRI_OP_BLOCK || in->op == IRI_OP_SWITCH)
            c->label_levels[imm[0]] = level + 1;
        for (uint32_t i = 0; i < in->region_count; i++) {
            iri_id inner = iri_regions(c->p, in)[i];
            find_facts(c, inner, level + 1);
            facts.cost += c->facts[inner].cost;
            facts.returns += c->facts[inner].returns;
            facts.leaves_to = outermost(facts.leaves_to, c->facts[inner].leaves_to);
        }
        if (in->op == IRI_OP_BREAK || in->op == IRI_OP_CONTINUE)
            facts.leaves_to = outermost(facts.leaves_to, c->label_levels[imm[0]]);
        if (in->op == IRI_OP_RETURN || in->op == IRI_OP_UNREACHABLE) {
            facts.leaves_to = -1;
            facts.returns += in->op == IRI_OP_RETURN;
        }
    }
    c->facts[region] = facts;
}

/* ---- edges ---- */

static iri_slots make_slots(iri_exec_compiler *c, iri_id first, uint32_t count)
{
    iri_slots slots = {.count = count};
    iri_type *types = iri_new_array(c->scratch, iri_type, count + 1u);
    slots.lanes = iri_arena_alloc(c->scratch, count + 1u, sizeof *slots.lanes);
    slots.types = types;
    for (uint32_t i = 0; i < count; i++) {
        types[i] = iri_type_of(c->p, first + i);
        for (uint32_t k = 0; k < IRI_TYPE_LANES(types[i]); k++)
            slots.lanes[i][k] = c->values[first + i][k] =
                iri_exec_define(c, IRI_TYPE_SCALAR(types[i]));
    }
    return slots;
}

/* Keeps the slots' columns up to here: an edge taken earlier may have filled some invocations' lanes. */
static void touch_slots(iri_exec_compiler *c, const iri_slots *slots)
{
    for (uint32_t i = 0; i < slots->count; i++)
        for (uint32_t k = 0; k < IRI_TYPE_LANES(slots->types[i]); k++)
            iri_exec_touch(c, slots->lanes[i][k]);
}

static void carry(iri_exec_compiler *c, const iri_slots *slots, const uint32_t *values,
                  uint32_t count, bool masked)
{
    for (uint32_t i = 0; i < count && i < slots->count; i++)
        iri_exec_moves(c, slots->lanes[i], iri_exec_value(c, values[i]),
                       IRI_TYPE_LANES(slots->types[i]), IRI_TYPE_SCALAR(slots->types[i]), masked);
}

static bool in_slots(const iri_slots *slots, uint32_t ref)
{
    for (uint32_t i = 0; i < slots->count; i++)
        for (uint32_t k = 0; k < IRI_TYPE_LANES(slots->types[i]); k++)
            if (slots->lanes[i][k] == ref)
                return true;
    return false;
}

/* The same where the values may be the slots themselves in another order (a loop's parameters): those are
 * copied out first. */
static void carry_parallel(iri_exec_compiler *c, const iri_slots *slots, const uint32_t *values,
                           uint32_t count)
{
    uint32_t(*refs)[4] = iri_arena_alloc(c->scratch, count + 1u, sizeof *refs);
    for (uint32_t i = 0; i < count && i < slots->count; i++) {
        iri_scalar scalar = IRI_TYPE_SCALAR(slots->types[i]);
        memcpy(refs[i], iri_exec_value(c, values[i]), sizeof refs[i]);
        for (uint32_t k = 0; k < IRI_TYPE_LANES(slots->types[i]); k++) {
            if (refs[i][k] == slots->lanes[i][k] || !in_slots(slots, refs[i][k]))
                continue;
            uint32_t copy = iri_exec_vreg(c, scalar);
            iri_exec_moves(c, &copy, &refs[i][k], 1, scalar, false);
            refs[i][k] = copy;
        }
    }
    for (uint32_t i = 0; i < count && i < slots->count; i++)
        iri_exec_moves(c, slots->lanes[i], refs[i], IRI_TYPE_LANES(slots->types[i]),
                       IRI_TYPE_SCALAR(slots->types[i]), true);
}

/* ---- steps ---- */

static uint32_t push_flow(iri_exec_compiler *c, iri_kernel *run, uint32_t d0, uint32_t a0)
{
    iri_step s = {.run = run, .x = IRI_NO_COLUMN};
    s.d[0] = d0 ? iri_exec_touch(c, d0) : 0;
    s.a[0] = a0 ? iri_exec_touch(c, a0) : 0;
    return iri_exec_push(c, &s);
}

static void join(iri_exec_compiler *c, uint32_t mask)
{
    if (mask)
        push_flow(c, iri_kernel_join, mask, 0);
}

/* The mask after an operation. Where it is empty the rest of the region is skipped. */
static void leave(iri_exec_compiler *c, uint32_t mask)
{
    uint32_t at = push_flow(c, iri_kernel_enter, 0, mask);
    iri_push(c->scratch, &c->pending, at);
}

static void jump_here(iri_exec_compiler *c, uint32_t step)
{
    c->steps.at[step].x = c->steps.count;
}

/* ---- operations with regions ---- */

static const iri_inst *only_terminator(const iri_program *p, iri_id region)
{
    return p->regions[region].count == 1 ? iri_terminator(p, region) : NULL;
}

static void compile_if(iri_exec_compiler *c, const iri_inst *in)
{
    const uint32_t *regions = iri_regions(c->p, in);
    uint32_t condition = iri_exec_value(c, iri_operands(c->p, in)[0])[0];
    bool leaves =
        outermost(c->facts[regions[0]].leaves_to, c->facts[regions[1]].leaves_to) < c->level;
    iri_slots slots = make_slots(c, in->results, in->result_count);
    uint32_t others = iri_exec_define(c, IRI_BOOL), after = iri_exec_define(c, IRI_BOOL);
    iri_step s = {.run = leaves ? iri_kernel_if : iri_kernel_if_saved, .op = in->op};
    s.a[0] = iri_exec_use(c, condition, IRI_BOOL);
    s.d[0] = others;
    s.d[1] = after;
    uint32_t at = iri_exec_push(c, &s);

    c->level++;
    iri_exec_trace(c, IRI_EVENT_REGION, in, regions[0]);
    compile_region(c, regions[0], &(yield_target){&slots, false, leaves ? after : 0});
    jump_here(c, at);
    const iri_inst *otherwise = only_terminator(c->p, regions[1]);
    if (leaves || c->trace || !otherwise || otherwise->operand_count) {
        at = push_flow(c, iri_kernel_enter, 0, others);
        iri_exec_trace(c, IRI_EVENT_REGION, in, regions[1]);
        compile_region(c, regions[1], &(yield_target){&slots, true, leaves ? after : 0});
        jump_here(c, at);
    }
    c->level--;
    touch_slots(c, &slots);
    if (leaves)
        leave(c, after);
    else
        push_flow(c, iri_kernel_enter, 0, after);
}

static iri_flow_target *push_target(iri_exec_compiler *c, uint32_t label, uint32_t exits,
                                    const iri_slots *results)
{
    iri_flow_target target = {.label = label, .exits = exits, .results = *results};
    iri_push(c->scratch, &c->targets, target);
    return &c->targets.at[c->targets.count - 1];
}

static void compile_block(iri_exec_compiler *c, const iri_inst *in)
{
    iri_slots slots = make_slots(c, in->results, in->result_count);
    uint32_t exits = iri_exec_define(c, IRI_BOOL);
    push_flow(c, iri_kernel_clear, exits, 0);
    push_target(c, iri_immediates(c->p, in)[0], exits, &slots);
    c->level++;
    iri_exec_trace(c, IRI_EVENT_REGION, in, iri_regions(c->p, in)[0]);
    compile_region(c, iri_regions(c->p, in)[0], &(yield_target){&slots, true, exits});
    c->level--;
    c->targets.count--;
    touch_slots(c, &slots);
    leave(c, exits);
}

static void end_loop(iri_exec_compiler *c)
{
    iri_u32s outliving = c->loops.at[--c->loops.count].outliving;
    for (uint32_t i = 0; i < outliving.count; i++)
        iri_exec_touch(c, outliving.at[i]); /* and in the loops around this one */
}

static void compile_loop(iri_exec_compiler *c, const iri_inst *in)
{
    iri_id region = iri_regions(c->p, in)[0];
    const iri_region *body = &c->p->regions[region];
    iri_slots results = make_slots(c, in->results, in->result_count);
    iri_slots parameters = make_slots(c, body->parameters, body->parameter_count);
    uint32_t exits = iri_exec_define(c, IRI_BOOL);
    carry(c, &parameters, iri_operands(c->p, in), in->operand_count, false);
    push_flow(c, iri_kernel_clear, exits, 0);
    iri_flow_target *target = push_target(c, iri_immediates(c->p, in)[0], exits, &results);
    iri_loop_span span = {.start = c->steps.count};
    iri_push(c->scratch, &c->loops, span);
    uint32_t again = iri_exec_define(c, IRI_BOOL), top = push_flow(c, iri_kernel_clear, again, 0);
    target->again = again;
    target->parameters = parameters;

    c->level++;
    iri_exec_trace(c, IRI_EVENT_REGION, in, region);
    compile_region(c, region, &(yield_target){&results, true, exits});
    c->level--;
    c->targets.count--;
    touch_slots(c, &parameters);
    touch_slots(c, &results);
    iri_exec_touch(c, exits);
    end_loop(c);
    iri_step s = {.run = iri_kernel_again, .op = in->op, .x = top, .y = c->facts[region].cost};
    s.a[0] = iri_exec_touch(c, again);
    iri_exec_push(c, &s);
    leave(c, exits);
}

static void compile_switch(iri_exec_compiler *c, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(c->p, in), *regions = iri_regions(c->p, in);
    iri_id selector = iri_operands(c->p, in)[0];
    iri_scalar scalar = IRI_TYPE_SCALAR(iri_type_of(c->p, selector));
    iri_slots slots = make_slots(c, in->results, in->result_count);
    uint32_t rest = iri_exec_define(c, IRI_BOOL), exits = iri_exec_define(c, IRI_BOOL), word = 1;
    iri_step begin = {.run = iri_kernel_switch, .op = in->op};
    begin.d[0] = rest;
    begin.d[1] = exits;
    iri_exec_push(c, &begin);
    push_target(c, imm[0], exits, &slots);
    c->level++;
    for (uint32_t i = 1; i < in->region_count; i++) {
        iri_step s = {.run = iri_kernel_case, .op = in->op, .scalar = (uint8_t)scalar};
        s.a[0] = iri_exec_use(c, iri_exec_value(c, selector)[0], scalar);
        s.d[0] = iri_exec_touch(c, rest);
        s.y = in->words + in->operand_count + word + 1;
        s.z = imm[word];
        word += 1 + imm[word];
        uint32_t at = iri_exec_push(c, &s);
        iri_exec_trace(c, IRI_EVENT_REGION, in, regions[i]);
        compile_region(c, regions[i], &(yield_target){&slots, true, exits});
        jump_here(c, at);
    }
    uint32_t at = push_flow(c, iri_kernel_enter, 0, rest);
    iri_exec_trace(c, IRI_EVENT_REGION, in, regions[0]);
    compile_region(c, regions[0], &(yield_target){&slots, true, exits});
    jump_here(c, at);
    c->level--;
    c->targets.count--;
    touch_slots(c, &slots);
    leave(c, exits);
}

/* ---- functions ---- */

static void begin_locals(iri_exec_compiler *c, const iri_function *f)
{
    for (uint32_t i = 0; i < f->local_count; i++) {
        iri_id id = f->first_local + i;
        const iri_local *local = &c->p->locals[id];
        iri_scalar scalar = IRI_TYPE_SCALAR(local->type);
        uint32_t lanes = IRI_TYPE_LANES(local->type), words = iri_is_wide(scalar) ? 2 : 1;
        if (!local->length) {
            uint32_t zeros[4] = {IRI_REF_UNIFORM, IRI_REF_UNIFORM, IRI_REF_UNIFORM,
                                 IRI_REF_UNIFORM};
            for (uint32_t k = 0; k < lanes; k++)
                c->locals[id][k] = iri_exec_vreg(c, scalar);
            iri_exec_moves(c, c->locals[id], zeros, lanes, scalar, false);
            continue;
        }
        uint64_t columns = (uint64_t)local->length * lanes * words;
        if (!c->arrays[id]) {
            if ((c->array_columns + columns) * IRI_EXEC_BLOCK * sizeof(iri_cell) >
                c->ctx->limits.memory)
                iri_fail(c->ctx, IRI_LIMIT_MEMORY, IRI_NO_OFFSET, "%u elements of %s",
                         (unsigned)local->length, local->name);
            c->arrays[id] = c->array_columns + 1;
            c->array_columns += (uint32_t)columns;
        }
        iri_step s = {.run = iri_kernel_zero_array, .x = c->arrays[id], .y = (uint32_t)columns};
        iri_exec_push(c, &s);
    }
}

/* Their columns are kept to the function's end: a loop in it may read them again. */
static void end_locals(iri_exec_compiler *c, const iri_function *f)
{
    for (uint32_t i = 0; i < f->local_count; i++)
        for (uint32_t k = 0; k < 4; k++)
            if (c->locals[f->first_local + i][k] && !c->p->locals[f->first_local + i].length)
                iri_exec_touch(c, c->locals[f->first_local + i][k]);
}

enum { FACTS_KNOWN = 1, IN_PROGRESS = 2 };

static const iri_function *enter_function(iri_exec_compiler *c, iri_id function, uint32_t offset)
{
    const iri_function *f = &c->p->functions[function];
    if (c->functions[function] & IN_PROGRESS)
        iri_fail(c->ctx, IRI_RECURSION, offset, "function %s calls itself", f->name);
    if (!f->body)
        iri_fail(c->ctx, IRI_INVALID_ARGUMENT, offset, "function %s has no body to run", f->name);
    if (!(c->functions[function] & FACTS_KNOWN))
        find_facts(c, f->body, -1);
    c->functions[function] = FACTS_KNOWN | IN_PROGRESS;
    return f;
}

/* Whether the only return is the end of the body. */
static bool returns_at_end(const iri_exec_compiler *c, iri_id body)
{
    const iri_inst *end = iri_terminator(c->p, body);
    return end && end->op == IRI_OP_RETURN && c->facts[body].returns == 1;
}

static void compile_call(iri_exec_compiler *c, const iri_inst *in)
{
    iri_id function = iri_immediates(c->p, in)[0];
    const iri_function *f = enter_function(c, function, in->offset);
    const iri_region *body = &c->p->regions[f->body];
    const uint32_t *operands = iri_operands(c->p, in);
    bool simple = returns_at_end(c, f->body);
    for (uint32_t i = 0; i < in->operand_count && i < body->parameter_count; i++)
        memcpy(c->values[body->parameters + i], iri_exec_value(c, operands[i]),
               sizeof c->values[0]);

    iri_slots slots = {0};
    uint32_t exits = 0, first_target = c->targets.count;
    int32_t level = c->level;
    if (!simple) {
        slots = make_slots(c, in->results, in->result_count);
        exits = iri_exec_define(c, IRI_BOOL);
        push_flow(c, iri_kernel_clear, exits, 0);
    }
    push_target(c, 0, exits, &slots);
    /* Levels in the callee count from its body; stores need the mask as here. */
    c->call_levels += level + (simple ? 0 : 1);
    c->level = 0;
    iri_exec_trace(c, IRI_EVENT_REGION, in, f->body);
    begin_locals(c, f);
    compile_region(c, f->body, NULL);
    end_locals(c, f);
    c->level = level;
    c->call_levels -= level + (simple ? 0 : 1);
    c->targets.count = first_target;
    if (simple) {
        const iri_inst *end = iri_terminator(c->p, f->body);
        for (uint32_t i = 0; i < in->result_count; i++)
            memcpy(c->values[in->results + i], iri_exec_value(c, iri_operands(c->p, end)[i]),
                   sizeof c->values[0]);
    } else {
        touch_slots(c, &slots);
        leave(c, exits);
    }
    c->functions[function] = FACTS_KNOWN;
}

/* ---- terminators and regions ---- */

static const iri_flow_target *find_target(const iri_exec_compiler *c, uint32_t label)
{
    for (uint32_t i = c->targets.count; i-- > 0;)
        if (c->targets.at[i].label == label)
            return &c->targets.at[i];
    return NULL;
}

static void compile_terminator(iri_exec_compiler *c, const iri_inst *in, const yield_target *yields)
{
    const uint32_t *operands = iri_operands(c->p, in);
    const iri_flow_target *to = NULL;
    iri_exec_trace(c, IRI_EVENT_RESULT, in, 0);
    switch ((iri_op)in->op) {
    case IRI_OP_YIELD:
        carry(c, yields->slots, operands, in->operand_count, yields->masked);
        join(c, yields->join);
        break;
    case IRI_OP_BREAK:
    case IRI_OP_RETURN:
        to = find_target(c, in->op == IRI_OP_BREAK ? iri_immediates(c->p, in)[0] : 0);
        if (!to || !to->exits) /* the entry's return, or one at the only end of a function */
            break;
        carry(c, &to->results, operands, in->operand_count, true);
        join(c, to->exits);
        break;
    case IRI_OP_CONTINUE:
        to = find_target(c, iri_immediates(c->p, in)[0]);
        assert(to);
        carry_parallel(c, &to->parameters, operands, in->operand_count);
        join(c, to->again);
        break;
    default: break; /* unreachable */
    }
}

static void compile_any(iri_exec_compiler *c, const iri_inst *in, const yield_target *yields)
{
    if (++c->emitted > c->ctx->limits.instructions)
        iri_fail(c->ctx, IRI_LIMIT_INSTRUCTIONS, in->offset,
                 "more than %u instructions with calls inlined",
                 (unsigned)c->ctx->limits.instructions);
    switch ((iri_op)in->op) {
    case IRI_OP_IF: compile_if(c, in); break;
    case IRI_OP_LOOP: compile_loop(c, in); break;
    case IRI_OP_BLOCK: compile_block(c, in); break;
    case IRI_OP_SWITCH: compile_switch(c, in); break;
    case IRI_OP_CALL: compile_call(c, in); break;
    default:
        if (iri_props(in->op) & IRI_PROP_TERMINATOR)
            compile_terminator(c, in, yields);
        else
            iri_exec_compile_inst(c, in);
        return;
    }
    if (in->result_count)
        iri_exec_trace(c, IRI_EVENT_RESULT, in, 0);
}

static void compile_region(iri_exec_compiler *c, iri_id region, const yield_target *yields)
{
    uint32_t pending = c->pending.count;
    iri_for_each_inst(c->p, region, in) compile_any(c, in, yields);
    while (c->pending.count > pending)
        jump_here(c, c->pending.at[--c->pending.count]);
}

void iri_exec_compile_entry(iri_exec_compiler *c)
{
    const iri_function *f = enter_function(c, c->p->entry, IRI_NO_OFFSET);
    begin_locals(c, f);
    compile_region(c, f->body, NULL);
    end_locals(c, f);
}
