/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Structured control flow (SPIR-V unified1, section 2.11): a construct's header names its merge
 * block, a loop's also its continue target, and results are OpPhi of the edges that meet there. A
 * value that only one edge brings needs none.
 */
#include "write/spirv/module.h"

static void write_region(iri_spv *s, iri_id region);

/* ---- blocks and edges ---- */

static void begin_block(iri_spv *s, uint32_t id)
{
    iri_spv_put1(s, &s->functions, IRI_SPV_OpLabel, id);
    s->block = id;
}

static void branch(iri_spv *s, uint32_t to)
{
    iri_spv_put1(s, &s->functions, IRI_SPV_OpBranch, to);
    s->block = 0;
}

static void begin_selection(iri_spv *s, uint32_t merge)
{
    iri_spv_put2(s, &s->functions, IRI_SPV_OpSelectionMerge, merge, 0);
}

static void branch_if(iri_spv *s, uint32_t condition, uint32_t yes, uint32_t no)
{
    iri_spv_put3(s, &s->functions, IRI_SPV_OpBranchConditional, condition, yes, no);
    s->block = 0;
}

iri_spv_guard iri_spv_begin_guard(iri_spv *s, uint32_t condition)
{
    iri_spv_guard guard = {s->block, iri_spv_new_id(s)};
    uint32_t inside = iri_spv_new_id(s);
    begin_selection(s, guard.after);
    branch_if(s, condition, inside, guard.after);
    begin_block(s, inside);
    s->depth++;
    return guard;
}

uint32_t iri_spv_end_guard(iri_spv *s, const iri_spv_guard *guard, iri_type type, uint32_t inside,
                           uint32_t outside)
{
    uint32_t from = s->block;
    branch(s, guard->after);
    begin_block(s, guard->after);
    s->depth--;
    if (!inside)
        return 0;
    const uint32_t words[4] = {inside, from, outside, guard->before};
    return iri_spv_op(s, IRI_SPV_OpPhi, iri_spv_type(s, type), words, 4);
}

static void add_edge(iri_spv *s, iri_spv_edges *edges, const iri_id *values)
{
    iri_spv_edge *edge = iri_new(s->arena, iri_spv_edge);
    edge->values = values;
    edge->from = s->block;
    if (!edges->last)
        edges->last = &edges->first;
    *edges->last = edge;
    edges->last = &edge->next;
    edges->count++;
}

/* The value that arrives over `edges`, at the head of the open block. */
static uint32_t arriving(iri_spv *s, const iri_spv_edges *edges, uint32_t index, iri_type type)
{
    const iri_spv_edge *edge = edges->first;
    uint32_t first = iri_spv_value(s, edge->values[index]);
    bool same = true;
    for (edge = edge->next; edge; edge = edge->next) /* each one, so that constants are declared */
        same = iri_spv_value(s, edge->values[index]) == first && same;
    if (same)
        return first;
    if (edges->count > 32000)
        iri_fail(s->ctx, IRI_CAPABILITY, IRI_NO_OFFSET, "%u edges meet in one block", edges->count);
    uint32_t id = iri_spv_new_id(s), type_id = iri_spv_type(s, type);
    uint32_t *at = iri_spv_put(s, &s->functions, IRI_SPV_OpPhi, 3 + 2 * edges->count);
    *at++ = type_id;
    *at++ = id;
    for (edge = edges->first; edge; edge = edge->next) {
        *at++ = s->ids[edge->values[index]];
        *at++ = edge->from;
    }
    return id;
}

/* Goes on behind a construct, its results known. */
static void merge(iri_spv *s, const iri_spv_frame *frame)
{
    const iri_inst *in = frame->in;
    begin_block(s, frame->merge);
    for (uint32_t i = 0; frame->ends.count && i < in->result_count; i++)
        s->ids[in->results + i] = arriving(s, &frame->ends, i, iri_type_of(s->p, in->results + i));
}

static iri_spv_frame *find_frame(iri_spv *s, const iri_inst *in)
{
    uint32_t label = iri_immediates(s->p, in)[0];
    iri_spv_frame *f = s->frame;
    bool continues = in->op == IRI_OP_CONTINUE, crossed = false;
    for (; f; f = (iri_spv_frame *)f->outer) {
        bool loop = f->in->op == IRI_OP_LOOP;
        if (f->label == label && label) {
            /* Out of a switch or block only where no other is between; out of loops of any. */
            if (crossed && !loop)
                break;
            return f;
        }
        if (loop)
            break;
        crossed = crossed || f->label;
    }
    iri_fail(s->ctx, IRI_INTERNAL, in->offset,
             "%s leaves more than one level; break_flags should have run",
             continues ? "continue" : "break");
}

void iri_spv_form_edge(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *values = iri_operands(s->p, in);
    iri_spv_frame *frame = in->op == IRI_OP_YIELD ? s->frame : find_frame(s, in);
    bool continues = in->op == IRI_OP_CONTINUE;
    (void)row;
    add_edge(s, continues ? &frame->continues : &frame->ends, values);
    branch(s, continues ? frame->continue_block : frame->merge);
}

void iri_spv_form_unreachable(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    (void)in, (void)row;
    iri_spv_put(s, &s->functions, IRI_SPV_OpUnreachable, 1);
    s->block = 0;
}

/* ---- constructs ---- */

/* An arm with nothing but its end: the header branches to the merge block instead. */
static const iri_inst *empty_arm(const iri_program *p, iri_id region)
{
    const iri_inst *end = iri_terminator(p, region);
    return p->regions[region].count == 1 && end->op == IRI_OP_YIELD ? end : NULL;
}

static void write_arm(iri_spv *s, uint32_t block, iri_id region)
{
    begin_block(s, block);
    write_region(s, region);
}

void iri_spv_form_if(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_program *p = s->p;
    const iri_id *regions = iri_regions(p, in);
    uint32_t condition = iri_spv_value(s, iri_operands(p, in)[0]);
    const iri_inst *no_else = empty_arm(p, regions[1]);
    const iri_inst *no_then = no_else ? NULL : empty_arm(p, regions[0]);
    iri_spv_frame frame = {.outer = s->frame, .in = in, .merge = iri_spv_new_id(s)};
    uint32_t yes = no_then ? frame.merge : iri_spv_new_id(s);
    uint32_t no = no_else ? frame.merge : iri_spv_new_id(s);
    (void)row;
    if (no_then || no_else)
        add_edge(s, &frame.ends, iri_operands(p, no_then ? no_then : no_else));
    begin_selection(s, frame.merge);
    branch_if(s, condition, yes, no);
    s->frame = &frame;
    if (!no_then)
        write_arm(s, yes, regions[0]);
    if (!no_else)
        write_arm(s, no, regions[1]);
    s->frame = (iri_spv_frame *)frame.outer;
    merge(s, &frame);
}

/* What each parameter is on the way back, known when the body is written. */
static void close_loop(iri_spv *s, const iri_spv_frame *frame, uint32_t header, uint32_t back)
{
    const iri_region *body = &s->p->regions[iri_regions(s->p, frame->in)[0]];
    enum { PHI = 7, BACK_VALUE = 5 };
    begin_block(s, frame->continue_block);
    for (uint32_t i = 0; i < body->parameter_count; i++) {
        iri_type type = iri_type_of(s->p, body->parameters + i);
        uint32_t id = frame->continues.count ? arriving(s, &frame->continues, i, type)
                                             : iri_spv_zero(s, type); /* never comes back */
        s->functions.at[back + PHI * i + BACK_VALUE] = id;
    }
    branch(s, header);
}

void iri_spv_form_loop(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_program *p = s->p;
    const iri_region *body = &p->regions[iri_regions(p, in)[0]];
    const iri_id *initial = iri_operands(p, in);
    uint32_t after = iri_spv_new_id(s), continue_block = iri_spv_new_id(s);
    iri_spv_frame frame = {.outer = s->frame,
                           .in = in,
                           .label = iri_immediates(p, in)[0],
                           .merge = after,
                           .continue_block = continue_block};
    uint32_t header = iri_spv_new_id(s), inside = iri_spv_new_id(s), before = s->block;
    (void)row;
    branch(s, header);
    begin_block(s, header);
    uint32_t back = s->functions.count;
    for (uint32_t i = 0; i < body->parameter_count; i++) {
        iri_type type = iri_type_of(p, body->parameters + i);
        uint32_t type_id = iri_spv_type(s, type), id = iri_spv_new_id(s);
        uint32_t first = iri_spv_value(s, initial[i]);
        uint32_t *at = iri_spv_put(s, &s->functions, IRI_SPV_OpPhi, 7);
        at[0] = type_id, at[1] = id, at[2] = first, at[3] = before, at[4] = 0;
        at[5] = frame.continue_block;
        s->ids[body->parameters + i] = id;
    }
    iri_spv_put3(s, &s->functions, IRI_SPV_OpLoopMerge, frame.merge, frame.continue_block, 0);
    branch(s, inside);
    s->frame = &frame;
    write_arm(s, inside, iri_regions(p, in)[0]);
    s->frame = (iri_spv_frame *)frame.outer;
    close_loop(s, &frame, header, back);
    merge(s, &frame);
}

/* The literals of the cases, each with its block. */
static void write_cases(iri_spv *s, const iri_inst *in, iri_scalar scalar, uint32_t first_block)
{
    const uint32_t *immediates = iri_immediates(s->p, in);
    uint32_t wide = iri_scalar_bits(scalar) == 64;
    for (uint32_t i = 1, at = 1; i < in->region_count; i++) {
        uint32_t count = immediates[at++];
        for (uint32_t k = 0; k < count; k++) {
            uint32_t value = immediates[at++];
            if (scalar == IRI_I16)
                value = (uint32_t)(int32_t)(int16_t)(uint16_t)value;
            iri_push(s->arena, &s->functions, value);
            if (wide)
                iri_push(s->arena, &s->functions,
                         scalar == IRI_I64 && value >> 31 ? UINT32_MAX : 0);
            iri_push(s->arena, &s->functions, first_block + i);
        }
    }
}

static uint32_t count_literals(const iri_program *p, const iri_inst *in)
{
    const uint32_t *immediates = iri_immediates(p, in);
    uint32_t total = 0;
    for (uint32_t i = 1, at = 1; i < in->region_count; i++) {
        total += immediates[at];
        at += 1 + immediates[at];
    }
    return total;
}

/* A block is a switch of a default only: its end is where breaks lead. */
void iri_spv_form_switch(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_program *p = s->p;
    const iri_id *regions = iri_regions(p, in);
    bool block = in->op == IRI_OP_BLOCK;
    iri_scalar scalar = block ? IRI_U32 : IRI_TYPE_SCALAR(iri_type_of(p, iri_operands(p, in)[0]));
    uint32_t selector = block ? iri_spv_u32(s, 0) : iri_spv_value(s, iri_operands(p, in)[0]);
    uint32_t literals = block ? 0 : count_literals(p, in);
    iri_spv_frame frame = {
        .outer = s->frame, .in = in, .label = iri_immediates(p, in)[0], .merge = iri_spv_new_id(s)};
    uint32_t first = s->next_id;
    (void)row;
    if (literals > IRI_SPV_CASES_MAX)
        iri_fail(s->ctx, IRI_CAPABILITY, in->offset, "a switch of %u values; there may be %u",
                 literals, (unsigned)IRI_SPV_CASES_MAX);
    s->next_id += in->region_count;
    begin_selection(s, frame.merge);
    uint32_t words = iri_scalar_bits(scalar) == 64 ? 3 : 2;
    uint32_t *at = iri_spv_put(s, &s->functions, IRI_SPV_OpSwitch, 3);
    at[-1] += literals * words << 16;
    at[0] = selector, at[1] = first;
    if (!block)
        write_cases(s, in, scalar, first);
    s->block = 0;
    s->frame = &frame;
    for (uint32_t i = 0; i < in->region_count; i++)
        write_arm(s, first + i, regions[i]);
    s->frame = (iri_spv_frame *)frame.outer;
    merge(s, &frame);
}

/* ---- effects ---- */

static void demote_now(iri_spv *s, uint32_t condition)
{
    uint32_t then = iri_spv_new_id(s), after = iri_spv_new_id(s);
    begin_selection(s, after);
    branch_if(s, condition, then, after);
    begin_block(s, then);
    iri_spv_put(s, &s->functions, IRI_SPV_OpDemoteToHelperInvocation, 1);
    branch(s, after);
    begin_block(s, after);
}

void iri_spv_form_demote(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_id operand = iri_operands(s->p, in)[0];
    uint32_t condition = iri_spv_value(s, operand), truth = iri_spv_type(s, IRI_TYPE_BOOL);
    (void)row;
    if (iri_is_constant(s->p, operand) && !iri_constant(s->p, operand)[0])
        return;
    if (!s->demote_flag) {
        demote_now(s, condition);
        return;
    }
    uint32_t before = iri_spv_op1(s, IRI_SPV_OpLoad, truth, s->killed);
    uint32_t now = iri_spv_op2(s, IRI_SPV_OpLogicalOr, truth, before, condition);
    iri_spv_put2(s, &s->functions, IRI_SPV_OpStore, s->killed, now);
}

/* An invocation that was demoted ends without writing anything. */
static void kill_demoted(iri_spv *s)
{
    uint32_t kill = iri_spv_new_id(s), live = iri_spv_new_id(s);
    uint32_t flag = iri_spv_op1(s, IRI_SPV_OpLoad, iri_spv_type(s, IRI_TYPE_BOOL), s->killed);
    begin_selection(s, live);
    branch_if(s, flag, kill, live);
    begin_block(s, kill);
    iri_spv_put(s, &s->functions, IRI_SPV_OpKill, 1);
    begin_block(s, live);
}

void iri_spv_form_return(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    (void)row;
    if (s->function == s->p->entry) {
        iri_spv_store_outputs(s);
        if (s->kills && s->demote_flag)
            kill_demoted(s);
    }
    if (in->operand_count == 0) {
        iri_spv_put(s, &s->functions, IRI_SPV_OpReturn, 1);
    } else {
        uint32_t id = iri_spv_value(s, operands[0]), count = in->operand_count;
        if (count > 1) {
            uint32_t *parts = iri_new_array(s->arena, uint32_t, count);
            for (uint32_t i = 0; i < count; i++)
                parts[i] = iri_spv_value(s, operands[i]);
            id = iri_spv_op(s, IRI_SPV_OpCompositeConstruct, s->function_structs[s->function],
                            parts, count);
        }
        iri_spv_put1(s, &s->functions, IRI_SPV_OpReturnValue, id);
    }
    s->block = 0;
}

/* ---- locals ---- */

static bool is_run_time_index(const iri_program *p, const iri_inst *in, uint32_t operand)
{
    return in->operand_count > operand && !iri_is_constant(p, iri_operands(p, in)[operand]);
}

/* Where a local, or its element, lies. An array has one element more than the program's: an index
 * past its end leads there. NULL-like 0 in `inside` where that cannot be. */
static uint32_t local_pointer(iri_spv *s, const iri_inst *in, uint32_t operand, uint32_t *inside)
{
    iri_id local = iri_immediates(s->p, in)[0];
    const iri_local *l = &s->p->locals[local];
    uint32_t variable = s->locals[local - s->p->functions[s->function].first_local];
    *inside = 0;
    if (in->operand_count <= operand)
        return variable;
    iri_id index = iri_operands(s->p, in)[operand];
    uint32_t id = iri_spv_value(s, index);
    if (is_run_time_index(s->p, in, operand)) {
        uint32_t length = iri_spv_u32(s, l->length);
        const uint32_t values[2] = {id, length};
        *inside = iri_spv_op2(s, IRI_SPV_OpULessThan, iri_spv_type(s, IRI_TYPE_BOOL), id, length);
        id = iri_spv_glsl(s, IRI_SPV_GlslUMin, iri_spv_type(s, IRI_TYPE_U32), values, 2);
    } else if (iri_constant(s->p, index)[0] >= l->length) {
        *inside = iri_spv_splat(s, IRI_TYPE_BOOL, 0);
        id = iri_spv_u32(s, l->length);
    }
    return iri_spv_op2(s, IRI_SPV_OpAccessChain, iri_spv_pointer(s, IRI_SPV_ClassFunction, l->type),
                       variable, id);
}

void iri_spv_form_load_local(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const uint32_t *immediates = iri_immediates(s->p, in);
    iri_type type = s->p->locals[immediates[0]].type, wanted = iri_type_of(s->p, in->results);
    uint32_t inside, pointer = local_pointer(s, in, 0, &inside);
    uint32_t id = iri_spv_op1(s, IRI_SPV_OpLoad, iri_spv_type(s, type), pointer);
    (void)row;
    id = iri_spv_choose(s, id, type, immediates[1]);
    if (inside) {
        uint32_t condition = inside;
        if (!s->spirv_1_6)
            condition = iri_spv_spread(s, inside, IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(wanted)));
        uint32_t type_id = iri_spv_type(s, wanted), zero = iri_spv_zero(s, wanted);
        id = iri_spv_op3(s, IRI_SPV_OpSelect, type_id, condition, id, zero);
    }
    s->ids[in->results] = id;
}

void iri_spv_form_store_local(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const uint32_t *immediates = iri_immediates(s->p, in);
    iri_id value = iri_operands(s->p, in)[0];
    iri_type type = s->p->locals[immediates[0]].type, lane = IRI_TYPE(IRI_TYPE_SCALAR(type), 1);
    uint32_t inside, pointer = local_pointer(s, in, 1, &inside);
    uint32_t count = IRI_LANES_COUNT(immediates[1]), id = iri_spv_value(s, value);
    (void)row;
    if (count == IRI_TYPE_LANES(type)) {
        iri_spv_put2(s, &s->functions, IRI_SPV_OpStore, pointer, id);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t part = iri_spv_choose(s, id, iri_type_of(s->p, value), IRI_LANES1(i));
        uint32_t type_id = iri_spv_pointer(s, IRI_SPV_ClassFunction, lane);
        uint32_t index = iri_spv_u32(s, IRI_LANES_AT(immediates[1], i));
        uint32_t to = iri_spv_op2(s, IRI_SPV_OpAccessChain, type_id, pointer, index);
        iri_spv_put2(s, &s->functions, IRI_SPV_OpStore, to, part);
    }
}

static void declare_locals(iri_spv *s, const iri_function *f)
{
    s->locals = iri_new_array(s->arena, uint32_t, f->local_count);
    for (uint32_t i = 0; i < f->local_count; i++) {
        const iri_local *l = &s->p->locals[f->first_local + i];
        uint32_t type = iri_spv_type(s, l->type);
        if (l->length == UINT32_MAX)
            iri_fail(s->ctx, IRI_CAPABILITY, IRI_NO_OFFSET, "the array %s is too long", l->name);
        if (l->length)
            type = iri_spv_array(s, type, l->length + 1, 0);
        uint32_t pointer = l->length ? iri_spv_pointer_to(s, IRI_SPV_ClassFunction, type)
                                     : iri_spv_pointer(s, IRI_SPV_ClassFunction, l->type);
        uint32_t zero = iri_spv_new_id(s);
        iri_spv_put2(s, &s->globals, IRI_SPV_OpConstantNull, type, zero);
        s->locals[i] = iri_spv_new_id(s);
        uint32_t *at = iri_spv_put(s, &s->functions, IRI_SPV_OpVariable, 5);
        at[0] = pointer, at[1] = s->locals[i], at[2] = IRI_SPV_ClassFunction, at[3] = zero;
        iri_spv_name(s, s->locals[i], l->name);
    }
}

/* ---- functions ---- */

void iri_spv_form_call(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_id function = iri_immediates(s->p, in)[0];
    const iri_function *f = &s->p->functions[function];
    const iri_id *operands = iri_operands(s->p, in);
    uint32_t *arguments = iri_new_array(s->arena, uint32_t, in->operand_count + 1u), type;
    (void)row;
    if (!f->body)
        iri_fail(s->ctx, IRI_UNWRITABLE, in->offset, "the function %s has no body", f->name);
    if (!s->function_ids[function]) {
        s->function_ids[function] = iri_spv_new_id(s);
        if (f->result_count > 1) {
            uint32_t id = s->function_structs[function] = iri_spv_new_id(s);
            for (uint32_t i = 0; i < f->result_count; i++)
                iri_spv_type(s, f->result_types[i]);
            uint32_t *at = iri_spv_put(s, &s->globals, IRI_SPV_OpTypeStruct, 2 + f->result_count);
            at[0] = id;
            for (uint32_t i = 0; i < f->result_count; i++)
                at[1 + i] = s->types[f->result_types[i]];
        }
        iri_push(s->arena, &s->called, function);
    }
    arguments[0] = s->function_ids[function];
    for (uint32_t i = 0; i < in->operand_count; i++)
        arguments[1 + i] = iri_spv_value(s, operands[i]);
    type = f->result_count > 1
               ? s->function_structs[function]
               : iri_spv_type(s, f->result_count ? f->result_types[0] : IRI_TYPE_VOID);
    uint32_t id = iri_spv_op(s, IRI_SPV_OpFunctionCall, type, arguments, in->operand_count + 1u);
    if (in->result_count == 1)
        iri_spv_define(s, in, id);
    for (uint32_t i = 0; in->result_count > 1 && i < in->result_count; i++)
        s->ids[in->results + i] =
            iri_spv_op2(s, IRI_SPV_OpCompositeExtract,
                        iri_spv_type(s, iri_type_of(s->p, in->results + i)), id, i);
}

/* The type of a function, each declared once (section 2.8). `words` are the ids of its result and of
 * what it takes, `count` in all. */
static uint32_t function_type(iri_spv *s, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < s->signatures.count; i += s->signatures.at[i] + 2)
        if (s->signatures.at[i] == count &&
            memcmp(s->signatures.at + i + 2, words, count * sizeof *words) == 0)
            return s->signatures.at[i + 1];
    uint32_t id = iri_spv_new_id(s);
    uint32_t *at = iri_spv_put(s, &s->globals, IRI_SPV_OpTypeFunction, 2 + count);
    at[0] = id;
    memcpy(at + 1, words, count * sizeof *words);
    iri_push(s->arena, &s->signatures, count);
    iri_push(s->arena, &s->signatures, id);
    for (uint32_t i = 0; i < count; i++)
        iri_push(s->arena, &s->signatures, words[i]);
    return id;
}

static void begin_function(iri_spv *s, uint32_t id, uint32_t result, uint32_t type)
{
    uint32_t *at = iri_spv_put(s, &s->functions, IRI_SPV_OpFunction, 5);
    at[0] = result, at[1] = id, at[2] = 0, at[3] = type;
}

static uint32_t add_parameter(iri_spv *s, uint32_t type, uint32_t index)
{
    static const char *const names[4] = {"a", "b", "c", "d"};
    uint32_t id = iri_spv_new_id(s);
    iri_spv_put2(s, &s->functions, IRI_SPV_OpFunctionParameter, type, id);
    iri_spv_name(s, id, index < 4 ? names[index] : "e");
    return id;
}

iri_spv_helper iri_spv_begin_helper(iri_spv *s, const char *name, iri_type result,
                                    const iri_type *types, uint32_t count, uint32_t *parameters)
{
    iri_spv_helper helper = {s->functions, iri_spv_new_id(s)};
    uint32_t words[3];
    assert(count <= 2);
    words[0] = iri_spv_type(s, result);
    for (uint32_t i = 0; i < count; i++)
        words[1 + i] = iri_spv_type(s, types[i]);
    s->functions = s->helpers;
    begin_function(s, helper.id, words[0], function_type(s, words, 1 + count));
    for (uint32_t i = 0; i < count; i++)
        parameters[i] = add_parameter(s, words[1 + i], i);
    iri_spv_put1(s, &s->functions, IRI_SPV_OpLabel, iri_spv_new_id(s));
    iri_spv_name(s, helper.id, name);
    return helper;
}

uint32_t iri_spv_end_helper(iri_spv *s, const iri_spv_helper *helper, uint32_t value)
{
    iri_spv_put1(s, &s->functions, IRI_SPV_OpReturnValue, value);
    iri_spv_put(s, &s->functions, IRI_SPV_OpFunctionEnd, 1);
    s->helpers = s->functions;
    s->functions = helper->functions;
    return helper->id;
}

static void write_region(iri_spv *s, iri_id region)
{
    s->depth++;
    iri_for_each_inst(s->p, region, in) iri_spv_operation(s, in);
    s->depth--;
    assert(!s->block);
}

static void write_function(iri_spv *s, iri_id function)
{
    const iri_function *f = &s->p->functions[function];
    const iri_region *body = &s->p->regions[f->body];
    uint32_t count = body->parameter_count + 1, words[IRI_SPV_ARGUMENTS_MAX + 1];
    if (f->form != IRI_FORM_STRUCTURED)
        iri_fail(s->ctx, IRI_INTERNAL, IRI_NO_OFFSET, "the function %s is a graph of blocks",
                 f->name);
    if (count > IRI_SPV_ARGUMENTS_MAX)
        iri_fail(s->ctx, IRI_CAPABILITY, IRI_NO_OFFSET, "the function %s takes %u values", f->name,
                 count - 1);
    words[0] = f->result_count > 1
                   ? s->function_structs[function]
                   : iri_spv_type(s, f->result_count ? f->result_types[0] : IRI_TYPE_VOID);
    for (uint32_t i = 1; i < count; i++)
        words[i] = iri_spv_type(s, iri_type_of(s->p, body->parameters + i - 1));
    s->function = function;
    s->frame = NULL;
    s->depth = 0;
    for (uint32_t i = 0; i < s->kept.count; i++)
        *s->kept.at[i] = 0;
    s->kept.count = 0;
    begin_function(s, s->function_ids[function], words[0], function_type(s, words, count));
    for (uint32_t i = 1; i < count; i++)
        s->ids[body->parameters + i - 1] = add_parameter(s, words[i], i - 1);
    begin_block(s, iri_spv_new_id(s));
    declare_locals(s, f);
    iri_for_each_inst(s->p, f->body, in) iri_spv_operation(s, in);
    assert(!s->block);
    iri_spv_put(s, &s->functions, IRI_SPV_OpFunctionEnd, 1);
    if (function != s->p->entry)
        iri_spv_name(s, s->function_ids[function], f->name);
}

void iri_spv_functions(iri_spv *s, uint32_t entry_id)
{
    s->function_ids = iri_new_array(s->arena, uint32_t, s->p->function_count);
    s->function_structs = iri_new_array(s->arena, uint32_t, s->p->function_count);
    s->function_ids[s->p->entry] = entry_id;
    write_function(s, s->p->entry);
    for (uint32_t i = 0; i < s->called.count; i++)
        write_function(s, s->called.at[i]);
}
