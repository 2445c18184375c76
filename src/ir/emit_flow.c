/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder's regions and terminators. An op with regions becomes an instruction when it is
 * ended: only then its results are known. Three kinds of frames hold no regions of their own: dead ones,
 * opened where code is dropped, and an `if` on a constant, whose live arm goes into the enclosing region.
 */
#include "ir/emit_internal.h"

/* Everything that recurses over regions is bounded by this, whatever the caller's limit. */
enum { NESTING_MAX = 1000 };

/* ---- regions ---- */

iri_id iri_new_region(iri_builder *b, iri_id owner)
{
    iri_room(b, regions, region_count, 1);
    b->p->regions[b->p->region_count] = (iri_region){0, 0, 0, 0, owner};
    return b->p->region_count++;
}

iri_frame *iri_push_frame(iri_builder *b, iri_op op)
{
    uint32_t most = b->ctx->limits.nesting < NESTING_MAX ? b->ctx->limits.nesting : NESTING_MAX;
    if (b->frames.count >= most)
        iri_fail(b->ctx, IRI_LIMIT_NESTING, b->offset, "regions nested deeper than %u",
                 (unsigned)most);
    iri_frame f = {0};
    f.op = (uint16_t)op;
    f.region = b->frames.count ? iri_top(b)->region : 0;
    f.pending = b->pending.count;
    f.numbers = b->numbers.count;
    f.operands = b->operands.count;
    f.immediates = b->immediates.count;
    f.regions = b->regions.count;
    f.first_value = b->p->value_count;
    f.offset = b->offset;
    f.flags = b->inst_flags;
    f.relaxed = b->relaxed;
    iri_push(b->scratch, &b->frames, f);
    return iri_top(b);
}

void iri_open_region(iri_builder *b, iri_frame *f, iri_id region)
{
    f->region = region;
    f->pending = b->pending.count;
    f->closed = false;
    f->arms++;
}

static void open_arm(iri_builder *b, iri_frame *f)
{
    iri_id region = iri_new_region(b, f->inst);
    iri_push(b->scratch, &b->regions, region);
    iri_open_region(b, f, region);
}

/* Moves the region's instructions from the stack to their place. */
static void close_region(iri_builder *b, iri_frame *f)
{
    uint32_t count = b->pending.count - f->pending;
    iri_region *region = &b->p->regions[f->region];
    iri_room(b, order, order_count, count);
    region->first = b->p->order_count;
    region->count = count;
    if (count)
        memcpy(b->p->order + b->p->order_count, b->pending.at + f->pending,
               count * sizeof *b->pending.at);
    b->p->order_count += count;
    b->pending.count = f->pending;
    iri_pop_numbers(b, f->numbers);
}

/* ---- terminators ---- */

/* An edge that completes `f`, carrying values in b->wide. */
static void carry(iri_builder *b, iri_frame *f, uint32_t count, iri_id inst, bool quiet)
{
    if (!f->carried) {
        f->carried = true;
        f->slots = b->slots.count;
        f->slot_count = count;
        for (uint32_t i = 0; i < count; i++) {
            iri_slot slot = {iri_builder_type(b, b->wide.at[i]), b->wide.at[i]};
            iri_push(b->scratch, &b->slots, slot);
        }
    } else if (count != f->slot_count) {
        if (!quiet)
            iri_op_fault(b, f->op, "an edge carries %u values, another %u", (unsigned)count,
                         (unsigned)f->slot_count);
        return;
    } else {
        for (uint32_t i = 0; i < count; i++) {
            iri_slot *slot = &b->slots.at[f->slots + i];
            iri_type type = iri_builder_type(b, b->wide.at[i]);
            if (type != slot->type && !quiet)
                iri_op_fault(b, f->op, "an edge carries %s as value %u, another %s",
                             iri_type_name(type), (unsigned)i + 1, iri_type_name(slot->type));
            if (slot->same != b->wide.at[i])
                slot->same = 0;
        }
    }
    if (inst) {
        iri_edge edge = {inst, f->edges};
        iri_push(b->scratch, &b->edges, edge);
        f->edges = b->edges.count;
    }
}

static iri_id append_terminator(iri_builder *b, iri_op op, uint32_t flags, uint32_t offset,
                                uint32_t operand_count, const uint32_t *immediates,
                                uint32_t immediate_count)
{
    iri_id inst = iri_new_inst(b, op, flags, offset);
    iri_set_words(b, inst, b->wide.at, operand_count, immediates, immediate_count, NULL, 0);
    iri_push(b->scratch, &b->pending, inst);
    return inst;
}

static void close_top(iri_builder *b)
{
    iri_frame *top = iri_top(b);
    top->closed = true;
    top->left = top->live != 0;
}

/* Ends the open region by something nobody wrote. */
static void put_unreachable(iri_builder *b)
{
    append_terminator(b, IRI_OP_UNREACHABLE, 0, IRI_NO_OFFSET, 0, NULL, 0);
    close_top(b);
}

static iri_frame *find_label(iri_builder *b, uint32_t label)
{
    for (uint32_t i = b->frames.count; label && i-- > 1;)
        if (b->frames.at[i].label == label)
            return &b->frames.at[i];
    return NULL;
}

/* The op that a yield or break completes; NULL when there is none. */
static iri_frame *edge_target(iri_builder *b, iri_op op, const uint32_t *immediates, uint32_t count)
{
    iri_frame *top = iri_top(b);
    if (op == IRI_OP_YIELD)
        return !count &&
                       (top->op == IRI_OP_IF || top->op == IRI_OP_SWITCH || top->op == IRI_OP_BLOCK)
                   ? top
                   : NULL;
    return count == 1 ? find_label(b, immediates[0]) : NULL;
}

static bool same_types(iri_builder *b, iri_op op, uint32_t count, const iri_type *types,
                       uint32_t wanted)
{
    if (count != wanted) {
        iri_op_fault(b, op, "carries %u values, not %u", (unsigned)count, (unsigned)wanted);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        if (iri_builder_type(b, b->wide.at[i]) != types[i]) {
            iri_op_fault(b, op, "value %u is %s, not %s", (unsigned)i + 1,
                         iri_type_name(iri_builder_type(b, b->wide.at[i])),
                         iri_type_name(types[i]));
            return false;
        }
    return true;
}

static bool check_continue(iri_builder *b, uint32_t count, const uint32_t *immediates,
                           uint32_t immediate_count)
{
    iri_frame *f = immediate_count == 1 ? find_label(b, immediates[0]) : NULL;
    if (!f || f->op != IRI_OP_LOOP) {
        iri_op_fault(b, IRI_OP_CONTINUE, "no such loop is open");
        return false;
    }
    const iri_region *body = &b->p->regions[f->region];
    if (count != body->parameter_count) {
        iri_op_fault(b, IRI_OP_CONTINUE, "carries %u values, not %u", (unsigned)count,
                     (unsigned)body->parameter_count);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        iri_type type = iri_builder_type(b, body->parameters + i);
        if (iri_builder_type(b, b->wide.at[i]) != type) {
            iri_op_fault(b, IRI_OP_CONTINUE, "value %u is %s, not %s", (unsigned)i + 1,
                         iri_type_name(iri_builder_type(b, b->wide.at[i])), iri_type_name(type));
            return false;
        }
    }
    return true;
}

bool iri_is_block(const iri_builder *b, iri_id region)
{
    return b->block_count && region >= b->first_block && region - b->first_block < b->block_count;
}

/* A branch's shape; its arguments are checked when the function ends and all blocks are known. */
static bool check_branch(iri_builder *b, iri_op op, uint32_t count, const uint32_t *immediates,
                         uint32_t immediate_count)
{
    iri_type type = count ? iri_builder_type(b, b->wide.at[0]) : IRI_TYPE_VOID;
    bool good = b->block_count != 0;
    if (op == IRI_OP_BR)
        good = good && immediate_count == 1;
    else if (op == IRI_OP_BR_IF)
        good = good && immediate_count == 3 && type == IRI_TYPE_BOOL &&
               iri_is_block(b, immediates[1]) && immediates[2] < count;
    else
        good = good && immediate_count >= 2 && (immediate_count - 2) % 3 == 0 &&
               IRI_TYPE_LANES(type) == 1 && IRI_TYPE_SCALAR(type) > IRI_BOOL &&
               immediates[1] < count;
    if (!good || !iri_is_block(b, immediates[0])) {
        iri_op_fault(b, op, "is malformed, or has no such block");
        return false;
    }
    return true;
}

static bool check_terminator(iri_builder *b, iri_op op, iri_frame *target, uint32_t count,
                             const uint32_t *immediates, uint32_t immediate_count)
{
    const iri_function *f = &b->p->functions[b->function];
    for (uint32_t i = 0; i < count; i++)
        if (!b->wide.at[i]) {
            iri_op_fault(b, op, "operand %u is no value", (unsigned)i + 1);
            return false;
        }
    switch (op) {
    case IRI_OP_YIELD:
    case IRI_OP_BREAK:
        if (!target)
            iri_op_fault(b, op,
                         op == IRI_OP_YIELD ? "stands in no if, switch or block"
                                            : "no such op is open");
        return target != NULL;
    case IRI_OP_CONTINUE: return check_continue(b, count, immediates, immediate_count);
    case IRI_OP_RETURN:
        if (immediate_count)
            iri_op_fault(b, op, "has no immediates");
        return !immediate_count && same_types(b, op, count, f->result_types, f->result_count);
    case IRI_OP_UNREACHABLE:
        if (count || immediate_count)
            iri_op_fault(b, op, "has no operands");
        return !count && !immediate_count;
    default: return check_branch(b, op, count, immediates, immediate_count);
    }
}

void iri_emit_terminator(iri_builder *b, iri_op op, const iri_id *operands, uint32_t operand_count,
                         const uint32_t *immediates, uint32_t immediate_count)
{
    if (!b->function) {
        iri_op_fault(b, op, "stands outside any function");
        return;
    }
    bool completes = op == IRI_OP_YIELD || op == IRI_OP_BREAK;
    iri_frame *target = completes ? edge_target(b, op, immediates, immediate_count) : NULL;
    b->wide.count = 0;
    for (uint32_t i = 0; i < operand_count; i++)
        iri_push(b->scratch, &b->wide, iri_resolve(b, operands[i]));
    if (iri_is_dropping(b)) {
        /* A dead op still says how many results it would have. */
        if (target && target->dead && !target->carried)
            carry(b, target, operand_count, 0, true);
        return;
    }
    if (!check_terminator(b, op, target, operand_count, immediates, immediate_count)) {
        put_unreachable(b);
        return;
    }
    if (op == IRI_OP_YIELD && target->live) {
        carry(b, target, operand_count, 0, false);
        target->closed = true;
        return;
    }
    iri_id inst = append_terminator(b, op, b->inst_flags, b->offset, operand_count, immediates,
                                    immediate_count);
    if (completes)
        carry(b, target, operand_count, inst, false);
    close_top(b);
}

void iri_emit_yield(iri_builder *b, const iri_id *values, uint32_t count)
{
    iri_emit_terminator(b, IRI_OP_YIELD, values, count, NULL, 0);
}

void iri_emit_break(iri_builder *b, uint32_t label, const iri_id *values, uint32_t count)
{
    iri_emit_terminator(b, IRI_OP_BREAK, values, count, &label, 1);
}

void iri_emit_continue(iri_builder *b, uint32_t label, const iri_id *values, uint32_t count)
{
    iri_emit_terminator(b, IRI_OP_CONTINUE, values, count, &label, 1);
}

void iri_emit_return(iri_builder *b, const iri_id *values, uint32_t count)
{
    iri_emit_terminator(b, IRI_OP_RETURN, values, count, NULL, 0);
}

void iri_emit_unreachable(iri_builder *b)
{
    iri_emit_terminator(b, IRI_OP_UNREACHABLE, NULL, 0, NULL, 0);
}

bool iri_is_closed(const iri_builder *b)
{
    return !b->function || iri_is_dropping(b);
}

/* Ends the open arm, if nothing has, with what goes without saying. */
void iri_end_arm(iri_builder *b, iri_frame *f)
{
    uint32_t offset = b->offset;
    if (!f->closed) {
        iri_op op = f->op == IRI_OP_LOOP ? IRI_OP_CONTINUE : f->op ? IRI_OP_YIELD : IRI_OP_RETURN;
        b->offset = IRI_NO_OFFSET;
        if (!f->op && b->block_count) {
            iri_op_fault(b, f->op, "block %u ends without a terminator", (unsigned)f->region);
            put_unreachable(b);
        } else {
            iri_emit_terminator(b, op, NULL, 0, &f->label, f->op == IRI_OP_LOOP);
        }
        b->offset = offset;
    }
    close_region(b, f);
}

/* ---- ops with regions ---- */

/* Pushes a frame and, unless it is dead, reserves the instruction. `fits`: no fault was found. */
static iri_frame *begin(iri_builder *b, iri_op op, bool fits)
{
    bool dead = !fits || !b->function || iri_is_dropping(b) || b->block_count;
    if (!b->function)
        iri_op_fault(b, op, "stands outside any function");
    else if (b->block_count)
        iri_op_fault(b, op, "stands in a function of CFG form");
    iri_frame *f = iri_push_frame(b, op);
    if (op != IRI_OP_IF)
        f->label = b->p->label_count++;
    f->dead = dead;
    if (!dead) {
        f->inst = iri_new_inst(b, op, f->flags, f->offset);
        if (f->label)
            iri_push(b->scratch, &b->immediates, f->label);
    }
    return f;
}

void iri_begin_if(iri_builder *b, iri_id condition)
{
    bool closed = iri_is_closed(b);
    condition = iri_resolve(b, condition);
    iri_type type = iri_builder_type(b, condition);
    if (!closed && type != IRI_TYPE_BOOL)
        iri_op_fault(b, IRI_OP_IF, "the condition is %s, not bool", iri_type_name(type));
    if (!closed && type == IRI_TYPE_BOOL && (b->flags & IRI_BUILD_FOLD) && !b->block_count &&
        iri_is_constant(b->p, condition)) {
        iri_frame *f = iri_push_frame(b, IRI_OP_IF);
        f->live = iri_constant(b->p, condition)[0] ? 1 : 2;
        f->arms = 1;
        f->closed = f->live != 1;
        return;
    }
    iri_frame *f = begin(b, IRI_OP_IF, type == IRI_TYPE_BOOL);
    if (f->dead) {
        f->arms = 1;
        return;
    }
    iri_push(b->scratch, &b->operands, condition);
    open_arm(b, f);
}

void iri_begin_else(iri_builder *b)
{
    iri_frame *f = iri_top(b);
    if (!f || f->op != IRI_OP_IF || f->arms != 1) {
        iri_builder_set_fault(b, "else without an if (instruction %u)", (unsigned)b->p->inst_count);
    } else if (f->dead) {
        f->arms++;
    } else if (f->live) {
        if (!f->closed)
            iri_emit_yield(b, NULL, 0);
        f->arms++;
        f->closed = f->live != 2;
    } else {
        iri_end_arm(b, f);
        open_arm(b, f);
    }
}

uint32_t iri_begin_loop(iri_builder *b, const iri_id *initial, uint32_t count, iri_id *parameters)
{
    bool closed = iri_is_closed(b), fits = true;
    b->wide.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        iri_push(b->scratch, &b->wide, iri_resolve(b, initial[i]));
        if (!b->wide.at[i] && !closed) {
            iri_op_fault(b, IRI_OP_LOOP, "operand %u is no value", (unsigned)i + 1);
            fits = false;
        }
    }
    iri_frame *f = begin(b, IRI_OP_LOOP, fits);
    uint32_t label = f->label;
    if (f->dead) {
        for (uint32_t i = 0; i < count; i++)
            parameters[i] = iri_no_value(b, iri_builder_type(b, b->wide.at[i]));
        return label;
    }
    open_arm(b, f);
    iri_id region = f->region;
    for (uint32_t i = 0; i < count; i++) {
        iri_push(b->scratch, &b->operands, b->wide.at[i]);
        iri_id value = iri_new_value(b, iri_type_of(b->p, b->wide.at[i]), IRI_VALUE_PARAMETER,
                                     region, i, f->relaxed);
        if (!i)
            b->p->regions[region].parameters = value;
        parameters[i] = value;
    }
    b->p->regions[region].parameter_count = count;
    return label;
}

uint32_t iri_begin_block(iri_builder *b)
{
    iri_frame *f = begin(b, IRI_OP_BLOCK, true);
    uint32_t label = f->label;
    if (!f->dead)
        open_arm(b, f);
    return label;
}

uint32_t iri_begin_switch(iri_builder *b, iri_id selector)
{
    selector = iri_resolve(b, selector);
    iri_type type = iri_builder_type(b, selector);
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    bool fits = IRI_TYPE_LANES(type) == 1 && scalar > IRI_BOOL && scalar != IRI_F16 &&
                scalar != IRI_F32 && scalar != IRI_F64;
    if (!fits && !iri_is_closed(b))
        iri_op_fault(b, IRI_OP_SWITCH, "the selector is %s, not an integer", iri_type_name(type));
    iri_frame *f = begin(b, IRI_OP_SWITCH, fits);
    uint32_t label = f->label;
    if (!f->dead) {
        iri_push(b->scratch, &b->operands, selector);
        open_arm(b, f);
    }
    return label;
}

void iri_begin_case(iri_builder *b, const uint32_t *values, uint32_t count)
{
    iri_frame *f = iri_top(b);
    if (!f || f->op != IRI_OP_SWITCH) {
        iri_builder_set_fault(b, "case without a switch (instruction %u)",
                              (unsigned)b->p->inst_count);
        return;
    }
    if (f->dead)
        return;
    iri_end_arm(b, f);
    iri_push(b->scratch, &b->immediates, count);
    for (uint32_t i = 0; i < count; i++)
        iri_push(b->scratch, &b->immediates, values[i]);
    open_arm(b, f);
}

/* Whether the region holds nothing but a yield of nothing. */
static bool is_empty(const iri_program *p, iri_id region)
{
    const iri_inst *last = iri_terminator(p, region);
    return p->regions[region].count == 1 && last->op == IRI_OP_YIELD && !last->operand_count;
}

/* Takes away what every edge carries alike from outside; marks those slots by a void type. */
static void drop_same(iri_builder *b, const iri_frame *f)
{
    iri_slot *slots = b->slots.at + f->slots;
    uint32_t dropped = 0;
    for (uint32_t i = 0; i < f->slot_count; i++)
        if (slots[i].same &&
            (slots[i].same < f->first_value || iri_is_constant(b->p, slots[i].same))) {
            slots[i].type = IRI_TYPE_VOID;
            dropped++;
        }
    for (uint32_t e = f->edges; e && dropped; e = b->edges.at[e - 1].next) {
        iri_inst *in = &b->p->insts[b->edges.at[e - 1].inst];
        uint32_t *words = b->p->words + in->words, n = 0;
        for (uint32_t i = 0; i < (uint32_t)in->operand_count + in->immediate_count; i++)
            if (i >= in->operand_count || slots[i].type)
                words[n++] = words[i];
        in->operand_count = (uint16_t)(in->operand_count - dropped);
    }
}

/* Makes the instruction of a popped frame, its results those slots that have a type. */
static void place_op(iri_builder *b, const iri_frame *f)
{
    uint32_t results = 0;
    iri_set_words(b, f->inst, b->operands.at + f->operands, b->operands.count - f->operands,
                  b->immediates.at + f->immediates, b->immediates.count - f->immediates,
                  b->regions.at + f->regions, b->regions.count - f->regions);
    const iri_id *regions = b->regions.at + f->regions;
    bool both_empty = (b->flags & IRI_BUILD_FOLD) && f->op == IRI_OP_IF &&
                      is_empty(b->p, regions[0]) && is_empty(b->p, regions[1]);
    b->operands.count = f->operands;
    b->immediates.count = f->immediates;
    b->regions.count = f->regions;
    if (both_empty)
        return;
    iri_push(b->scratch, &b->pending, f->inst);
    for (uint32_t i = 0; i < (f->carried ? f->slot_count : 0); i++) {
        iri_slot *slot = &b->slots.at[f->slots + i];
        if (!slot->type)
            continue;
        iri_id value = iri_new_value(b, slot->type, IRI_VALUE_RESULT, f->inst, results, f->relaxed);
        if (!results++)
            b->p->insts[f->inst].results = value;
        slot->same = value;
    }
    b->p->insts[f->inst].result_count = (uint16_t)results;
    if (!f->carried)
        put_unreachable(b);
}

/* Closes the innermost op. Afterwards `f`'s slots hold in `same` what each result is. False when there is
 * nothing to close. */
static bool end_op(iri_builder *b, iri_frame *f, bool drop)
{
    iri_frame *top = iri_top(b);
    if (!top || !top->op) {
        iri_builder_set_fault(b, "end without an open op (instruction %u)",
                              (unsigned)b->p->inst_count);
        return false;
    }
    if (top->dead) {
        for (uint32_t i = 0; i < top->slot_count; i++) {
            iri_slot *slot = &b->slots.at[top->slots + i];
            slot->same = iri_no_value(b, slot->type);
        }
    } else if (top->live) {
        if (top->arms == 1 && top->live == 2) /* the arm taken is the else that is not there */
            top->closed = false;
        if (!top->closed)
            iri_emit_yield(b, NULL, 0);
    } else {
        if (top->op == IRI_OP_IF && top->arms == 1) {
            iri_end_arm(b, top);
            open_arm(b, top);
        }
        iri_end_arm(b, top);
    }
    *f = *top;
    b->frames.count--;
    if (f->live && f->left)
        close_top(b);
    if (!f->dead && !f->live) {
        if (drop && f->carried)
            drop_same(b, f);
        place_op(b, f);
    }
    return true;
}

uint32_t iri_end(iri_builder *b, iri_id *first)
{
    iri_frame f;
    if (first)
        *first = 0;
    if (!end_op(b, &f, false) || !f.carried || !f.slot_count)
        return 0;
    iri_id start = b->slots.at[f.slots].same;
    bool follow = true;
    for (uint32_t i = 0; i < f.slot_count; i++)
        follow = follow && b->slots.at[f.slots + i].same == start + i;
    if (!follow) {
        start = b->p->value_count;
        for (uint32_t i = 0; i < f.slot_count; i++) {
            iri_slot *slot = &b->slots.at[f.slots + i];
            iri_id value = iri_new_value(b, slot->type, IRI_VALUE_NONE, slot->same, 0, false);
            b->p->values[value].kind = IRI_VALUE_ALIAS;
        }
    }
    if (first)
        *first = start;
    return f.slot_count;
}

void iri_end_results(iri_builder *b, iri_id *results, uint32_t count)
{
    iri_frame f;
    bool ended = end_op(b, &f, (b->flags & IRI_BUILD_FOLD) != 0);
    uint32_t have = ended && f.carried ? f.slot_count : 0;
    if (ended && f.carried && !f.dead && have != count)
        iri_op_fault(b, f.op, "%u results, not %u", (unsigned)have, (unsigned)count);
    for (uint32_t i = 0; i < count; i++)
        results[i] = i < have ? b->slots.at[f.slots + i].same : iri_no_value(b, IRI_TYPE_F32);
}
