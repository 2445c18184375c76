/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parses regions and instructions into the builder. An instruction is read whole, its source offset too,
 * before it is emitted; what the builder then finds wrong is a fault of that line.
 */
#include "ir/parse.h"

/* One instruction as read. */
typedef struct parsed {
    iri_token where;
    IRI_VEC(iri_parsed_value) results;
    IRI_VEC(iri_id) operands;
    IRI_VEC(uint32_t) immediates;
    bool precise;
    iri_op op;
} parsed;

/* ---- values, labels, names ---- */

iri_parsed_value iri_take_typed_value(iri_parser *ps)
{
    iri_parsed_value value = {.token = ps->token};
    value.number = iri_take_value_number(ps);
    iri_expect_mark(ps, ':');
    value.type = iri_take_type(ps);
    value.relaxed = iri_accept_word(ps, "relaxed");
    return value;
}

void iri_bind_value(iri_parser *ps, const iri_parsed_value *value, iri_id id)
{
    bool added;
    uint32_t *place = iri_map_put(&ps->values, &value->number, sizeof value->number, &added);
    if (!added)
        iri_parse_fail(ps, &value->token, "%%%lu is defined twice", (unsigned long)value->number);
    iri_type type = iri_builder_type(ps->b, id);
    if (type != value->type)
        iri_parse_fail(ps, &value->token, "%%%lu is %s, not %s", (unsigned long)value->number,
                       iri_type_name(type), iri_type_name(value->type));
    *place = id;
    iri_program *p = iri_builder_program(ps->b);
    if (value->relaxed)
        p->values[id].flags |= IRI_VALUE_RELAXED;
}

static iri_id take_operand(iri_parser *ps)
{
    uint64_t lanes[4];
    if (iri_is_literal(ps)) {
        iri_type type = iri_take_literal(ps, lanes);
        return iri_const(ps->b, type, lanes);
    }
    iri_token where = ps->token;
    uint32_t number = iri_take_value_number(ps);
    const uint32_t *id = iri_map_find(&ps->values, &number, sizeof number);
    if (!id)
        iri_parse_fail(ps, &where, "%%%lu is not defined above", (unsigned long)number);
    return *id;
}

static bool is_operand(const iri_parser *ps)
{
    return ps->token.kind == IRI_TOKEN_VALUE || iri_is_literal(ps);
}

static uint32_t take_label(iri_parser *ps)
{
    iri_token where = ps->token;
    iri_expect_mark(ps, '@');
    uint32_t number = iri_take_number(ps, UINT32_MAX - 1);
    const uint32_t *label = iri_map_find(&ps->labels, &number, sizeof number);
    if (!label)
        iri_parse_fail(ps, &where, "@%lu is no label above", (unsigned long)number);
    return *label;
}

/* The label of a loop, switch or block, which is bound once the builder has given one. */
static uint32_t *take_new_label(iri_parser *ps)
{
    bool added;
    iri_token where = ps->token;
    iri_expect_mark(ps, '@');
    uint32_t number = iri_take_number(ps, UINT32_MAX - 1);
    uint32_t *label = iri_map_put(&ps->labels, &number, sizeof number, &added);
    if (!added)
        iri_parse_fail(ps, &where, "label @%lu is there twice", (unsigned long)number);
    return label;
}

static uint32_t take_resource(iri_parser *ps)
{
    const iri_interface *io = &iri_builder_program(ps->b)->interface;
    iri_token where = ps->token;
    if (iri_accept_mark(ps, '#')) {
        if (!io->resource_count)
            iri_parse_fail(ps, &where, "there are no resources");
        return iri_take_number(ps, io->resource_count - 1);
    }
    if (where.kind != IRI_TOKEN_WORD)
        iri_parse_fail(ps, &where, "a resource such as t0 expected");
    iri_next(ps);
    for (uint32_t i = 0; i < io->resource_count; i++) {
        char label[32];
        if (strlen(iri_resource_label(&io->resources[i], label)) == where.size &&
            !memcmp(label, where.at, where.size))
            return i;
    }
    iri_parse_fail(ps, &where, "no resource %.*s", (int)(where.size < 40 ? where.size : 40),
                   where.at);
}

static uint32_t take_shared(iri_parser *ps)
{
    const iri_interface *io = &iri_builder_program(ps->b)->interface;
    iri_token where = ps->token;
    if (iri_accept_mark(ps, '#')) {
        if (!io->shared_count)
            iri_parse_fail(ps, &where, "there are no workgroup variables");
        return iri_take_number(ps, io->shared_count - 1);
    }
    for (uint32_t i = 0; i < io->shared_count; i++)
        if (iri_accept_word(ps, iri_shared_label(&io->shared[i], (char[32]){0})))
            return i;
    iri_parse_fail(ps, &where, "a workgroup variable such as g0 expected");
}

/* Words such as "execution shared", or a number. */
static uint32_t take_barrier(iri_parser *ps)
{
    uint32_t bits = 0, bit;
    while (ps->token.kind == IRI_TOKEN_WORD &&
           iri_word_value(IRI_WORDS_BARRIER, ps->token.at, ps->token.size, &bit)) {
        bits |= 1u << bit;
        iri_next(ps);
    }
    return !bits || ps->token.kind == IRI_TOKEN_NUMBER ? bits | iri_take_number(ps, UINT32_MAX)
                                                       : bits;
}

static iri_id take_local(iri_parser *ps)
{
    iri_token where = ps->token;
    if (iri_accept_mark(ps, '#')) {
        if (!ps->locals.count)
            iri_parse_fail(ps, &where, "the function has no locals");
        return ps->first_local + iri_take_number(ps, ps->locals.count - 1);
    }
    const char *name = iri_take_name(ps);
    for (uint32_t i = 0; i < ps->locals.count; i++)
        if (!strcmp(ps->locals.at[i], name))
            return ps->first_local + i;
    iri_parse_fail(ps, &where, "no local %.40s", name);
}

uint32_t iri_take_function(iri_parser *ps)
{
    iri_token where = ps->token;
    if (iri_accept_mark(ps, '#')) {
        uint32_t number = ps->functions.count ? iri_take_number(ps, ps->functions.count) : 0;
        if (!number)
            iri_parse_fail(ps, &where, "functions are counted from #1");
        return number - 1;
    }
    const char *name = iri_take_name(ps);
    for (uint32_t i = 0; i < ps->functions.count; i++)
        if (!strcmp(ps->functions.at[i].name, name))
            return i;
    iri_parse_fail(ps, &where, "no function %.40s", name);
}

static uint32_t take_index(iri_parser *ps, uint32_t count, const char *what)
{
    iri_token where = ps->token;
    uint32_t index = iri_take_number(ps, UINT32_MAX);
    if (index >= count)
        iri_parse_fail(ps, &where, "no %s %lu", what, (unsigned long)index);
    return index;
}

static uint32_t take_block(iri_parser *ps)
{
    iri_token where;
    uint64_t block = 0;
    iri_expect_mark(ps, '@');
    where = ps->token;
    bool good =
        where.kind == IRI_TOKEN_WORD && where.size > 1 && where.size < 12 && where.at[0] == 'b';
    for (uint32_t i = 1; good && i < where.size; i++) {
        good = where.at[i] >= '0' && where.at[i] <= '9';
        block = block * 10 + (uint64_t)(where.at[i] - '0');
    }
    if (!good || block >= ps->block_count)
        iri_parse_fail(ps, &where, "no block of this function");
    iri_next(ps);
    return ps->body + (uint32_t)block;
}

/* ---- stamps ---- */

/* "; 0x1a4" or "; -": the source offset from here on; a terminator has its own or none. Returns what the
 * instruction has. */
static uint32_t take_offset(iri_parser *ps, bool terminator)
{
    uint32_t offset = terminator ? IRI_NO_OFFSET : ps->offset;
    if (iri_accept_mark(ps, ';')) {
        offset = IRI_NO_OFFSET;
        if (!iri_accept_mark(ps, '-'))
            offset = iri_take_number(ps, UINT32_MAX - 1);
        if (!terminator)
            ps->offset = offset;
    }
    return offset;
}

static void stamp(iri_parser *ps, uint32_t offset, bool precise)
{
    iri_set_offset(ps->b, offset);
    iri_set_precise(ps->b, precise);
}

static void bind_results(iri_parser *ps, const parsed *in, iri_id first, uint32_t count)
{
    iri_parse_check(ps, &in->where);
    if (in->results.count != count)
        iri_parse_fail(ps, &in->where, "%s has %lu results here, not %lu",
                       iri_op_infos[in->op].name, (unsigned long)count,
                       (unsigned long)in->results.count);
    for (uint32_t i = 0; i < count; i++)
        iri_bind_value(ps, &in->results.at[i], first + i);
}

/* ---- operations ---- */

static int8_t take_texel_offset(iri_parser *ps)
{
    bool negative = iri_accept_mark(ps, '-');
    uint32_t value = iri_take_number(ps, negative ? 128 : 127);
    return (int8_t)(negative ? -(int)value : (int)value);
}

/* "offset(1, -1, 0)", of which "offset" is read */
static uint32_t take_texel_offsets(iri_parser *ps)
{
    uint32_t packed = 0;
    iri_expect_mark(ps, '(');
    for (uint32_t i = 0; i < 3; i++) {
        if (i)
            iri_expect_mark(ps, ',');
        packed |= (uint32_t)(uint8_t)take_texel_offset(ps) << (8 * i);
    }
    iri_expect_mark(ps, ')');
    return packed;
}

static uint32_t take_immediate(iri_parser *ps, char letter)
{
    const iri_interface *io = &iri_builder_program(ps->b)->interface;
    iri_token where = ps->token;
    switch (letter) {
    case 'r': return take_resource(ps);
    case 'n': return take_index(ps, io->input_count, "input");
    case 'o': return take_index(ps, io->output_count, "output");
    case 'l': return take_local(ps);
    case 'g': return ps->functions.at[iri_take_function(ps)].id;
    case 'L': return take_label(ps);
    case 'w': return take_shared(ps);
    case 'a': return iri_take_word(ps, IRI_WORDS_ATOMIC, "an atomic function");
    case 'y': return take_barrier(ps);
    case 's': {
        iri_state_id state =
            where.kind == IRI_TOKEN_WORD ? iri_state_by_name(where.at, where.size) : 0;
        if (state == IRI_STATE_NONE)
            iri_parse_fail(ps, &where, "the name of a state expected");
        iri_next(ps);
        return (uint32_t)state;
    }
    default: return iri_take_number(ps, UINT32_MAX);
    }
}

static iri_lanes take_lanes(iri_parser *ps, char letter)
{
    iri_token where = ps->token;
    iri_lanes lanes = iri_take_lanes(ps);
    for (uint32_t i = 1; letter == 'm' && i < IRI_LANES_COUNT(lanes); i++)
        if (IRI_LANES_AT(lanes, i) <= IRI_LANES_AT(lanes, i - 1))
            iri_parse_fail(ps, &where, "the lanes of a mask ascend");
    return lanes;
}

/* What put_operands in print.c prints. */
static void parse_operands(iri_parser *ps, parsed *in)
{
    const char *letters = iri_op_infos[in->op].immediates;
    uint32_t lanes_at = UINT32_MAX, offset_at = UINT32_MAX;
    bool first = true;
    for (uint32_t i = 0; letters[i]; i++) {
        uint32_t word = 0;
        if (letters[i] == 'x') {
            offset_at = i;
        } else if ((letters[i] == 'z' || letters[i] == 'm') && i == 0) {
            lanes_at = i;
        } else if (letters[i] == 'z' || letters[i] == 'm') {
            word = take_lanes(ps, letters[i]);
        } else if (letters[i] == 'k' && i > 0 && letters[i - 1] == 's') {
            if (iri_accept_mark(ps, '[')) {
                word = iri_take_number(ps, UINT32_MAX);
                iri_expect_mark(ps, ']');
            }
        } else {
            if (!first)
                iri_expect_mark(ps, ',');
            first = false;
            word = take_immediate(ps, letters[i]);
        }
        iri_push(ps->scratch, &in->immediates, word);
    }
    while (first ? is_operand(ps) : iri_accept_mark(ps, ',')) {
        first = false;
        if (offset_at != UINT32_MAX && iri_accept_word(ps, "offset")) {
            in->immediates.at[offset_at] = take_texel_offsets(ps);
            break;
        }
        iri_push(ps->scratch, &in->operands, take_operand(ps));
        if (lanes_at != UINT32_MAX && in->operands.count == 1)
            in->immediates.at[lanes_at] = take_lanes(ps, letters[lanes_at]);
    }
}

static void parse_call(iri_parser *ps, parsed *in)
{
    const iri_program *p = iri_builder_program(ps->b);
    iri_id function = in->immediates.at[0];
    uint32_t count = p->functions[function].result_count;
    iri_id *results = iri_new_array(ps->scratch, iri_id, count + 1u);
    iri_emit_call(ps->b, function, in->operands.at, in->operands.count, results);
    bind_results(ps, in, results[0], count);
}

static void parse_plain(iri_parser *ps, parsed *in)
{
    const iri_op_info *info = &iri_op_infos[in->op];
    parse_operands(ps, in);
    stamp(ps, take_offset(ps, (info->properties & IRI_PROP_TERMINATOR) != 0), in->precise);
    if (in->op == IRI_OP_CALL) {
        parse_call(ps, in);
        return;
    }
    iri_type type = in->results.count ? in->results.at[0].type : IRI_TYPE_VOID;
    iri_id first = iri_emit(ps->b, in->op, type, in->operands.at, in->operands.count,
                            in->immediates.at, in->immediates.count);
    bind_results(ps, in, first, info->results[0] == '*' ? 0 : (uint32_t)strlen(info->results));
}

/* "@b1(%2, %3)": pushes the block and its arguments, returns how many these are. */
static uint32_t parse_edge(iri_parser *ps, parsed *in)
{
    uint32_t before = in->operands.count;
    iri_push(ps->scratch, &in->immediates, take_block(ps));
    if (iri_accept_mark(ps, '(')) {
        do
            iri_push(ps->scratch, &in->operands, take_operand(ps));
        while (iri_accept_mark(ps, ','));
        iri_expect_mark(ps, ')');
    }
    return in->operands.count - before;
}

static void parse_branch(iri_parser *ps, parsed *in)
{
    uint32_t count;
    if (in->op != IRI_OP_BR) {
        iri_push(ps->scratch, &in->operands, take_operand(ps));
        iri_expect_mark(ps, ',');
    }
    if (in->op == IRI_OP_BR_SWITCH) {
        iri_expect_word(ps, "default");
        count = parse_edge(ps, in);
        iri_push(ps->scratch, &in->immediates, count);
        while (iri_accept_mark(ps, ',')) {
            iri_push(ps->scratch, &in->immediates, iri_take_number(ps, UINT32_MAX));
            count = parse_edge(ps, in);
            iri_push(ps->scratch, &in->immediates, count);
        }
    } else {
        count = parse_edge(ps, in);
        if (in->op == IRI_OP_BR_IF) {
            iri_expect_mark(ps, ',');
            parse_edge(ps, in);
            iri_push(ps->scratch, &in->immediates, count);
        }
    }
    stamp(ps, take_offset(ps, true), in->precise);
    iri_emit(ps->b, in->op, IRI_TYPE_VOID, in->operands.at, in->operands.count, in->immediates.at,
             in->immediates.count);
    bind_results(ps, in, 0, 0);
}

/* ---- operations with regions ---- */

/* The brace that opens an op, and its source offset. */
static uint32_t open_brace(iri_parser *ps)
{
    iri_expect_mark(ps, '{');
    return take_offset(ps, false);
}

/* Ends the op, stamped as where it began. */
static void end_op(iri_parser *ps, const parsed *in, uint32_t offset)
{
    iri_id first = 0;
    stamp(ps, offset, in->precise);
    uint32_t count = iri_end(ps->b, &first);
    bind_results(ps, in, first, count);
    if (iri_is_closed(ps->b) && !iri_is_word(ps, "unreachable"))
        iri_parse_fail(ps, &ps->token, "no edge completes the %s: only unreachable can follow",
                       iri_op_infos[in->op].name);
}

static void parse_if(iri_parser *ps, parsed *in)
{
    iri_id condition = take_operand(ps);
    uint32_t offset = open_brace(ps);
    stamp(ps, offset, in->precise);
    iri_begin_if(ps->b, condition);
    iri_parse_check(ps, &in->where);
    iri_parse_region(ps);
    iri_begin_else(ps->b);
    if (iri_accept_word(ps, "else")) {
        iri_expect_mark(ps, '{');
        iri_parse_region(ps);
    } else {
        stamp(ps, IRI_NO_OFFSET, false);
        iri_emit_yield(ps->b, NULL, 0);
    }
    end_op(ps, in, offset);
}

static void parse_loop(iri_parser *ps, parsed *in)
{
    IRI_VEC(iri_parsed_value) parameters = {0};
    uint32_t *label = take_new_label(ps);
    if (iri_accept_mark(ps, '(')) {
        do {
            iri_parsed_value parameter = iri_take_typed_value(ps);
            iri_push(ps->scratch, &parameters, parameter);
            iri_expect_mark(ps, '=');
            iri_push(ps->scratch, &in->operands, take_operand(ps));
        } while (iri_accept_mark(ps, ','));
        iri_expect_mark(ps, ')');
    }
    uint32_t offset = open_brace(ps);
    iri_id *ids = iri_new_array(ps->scratch, iri_id, parameters.count + 1u);
    stamp(ps, offset, in->precise);
    *label = iri_begin_loop(ps->b, in->operands.at, in->operands.count, ids);
    iri_parse_check(ps, &in->where);
    for (uint32_t i = 0; i < parameters.count; i++)
        iri_bind_value(ps, &parameters.at[i], ids[i]);
    iri_parse_region(ps);
    end_op(ps, in, offset);
}

static void parse_block(iri_parser *ps, parsed *in)
{
    uint32_t *label = take_new_label(ps);
    uint32_t offset = open_brace(ps);
    stamp(ps, offset, in->precise);
    *label = iri_begin_block(ps->b);
    iri_parse_region(ps);
    end_op(ps, in, offset);
}

static uint32_t take_case_value(iri_parser *ps)
{
    bool negative = iri_accept_mark(ps, '-');
    uint32_t value = iri_take_number(ps, negative ? 0x80000000u : UINT32_MAX);
    return negative ? 0u - value : value;
}

static void parse_switch(iri_parser *ps, parsed *in)
{
    uint32_t *label = take_new_label(ps);
    iri_expect_mark(ps, ',');
    iri_id selector = take_operand(ps);
    uint32_t offset = open_brace(ps);
    stamp(ps, offset, in->precise);
    *label = iri_begin_switch(ps->b, selector);
    iri_parse_check(ps, &in->where);
    iri_expect_word(ps, "default");
    iri_expect_mark(ps, '{');
    iri_parse_region(ps);
    while (iri_accept_word(ps, "case")) {
        IRI_VEC(uint32_t) values = {0};
        do
            iri_push(ps->scratch, &values, take_case_value(ps));
        while (iri_accept_mark(ps, ','));
        iri_expect_mark(ps, '{');
        iri_begin_case(ps->b, values.at, values.count);
        iri_parse_region(ps);
    }
    iri_expect_mark(ps, '}');
    end_op(ps, in, offset);
}

/* ---- regions ---- */

/* The builder ends an op that nothing completes with an unreachable of its own; the text gives its marks. */
static void parse_after_end(iri_parser *ps, parsed *in)
{
    iri_program *p = iri_builder_program(ps->b);
    uint32_t offset = take_offset(ps, true);
    iri_inst *last = &p->insts[p->inst_count - 1];
    if (in->op != IRI_OP_UNREACHABLE || in->results.count || last->op != IRI_OP_UNREACHABLE)
        iri_parse_fail(ps, &in->where, "the region has ended");
    last->offset = offset;
    last->flags = in->precise ? IRI_INST_PRECISE : 0;
}

static iri_op take_op(iri_parser *ps)
{
    iri_token first = ps->token;
    if (first.kind != IRI_TOKEN_WORD)
        iri_parse_fail(ps, &first, "an operation expected");
    const char *end = first.at + first.size;
    iri_next(ps);
    while (iri_is_mark(ps, '.') && !ps->token.spaced && ps->at < ps->end && *ps->at >= 'a' &&
           *ps->at <= 'z') {
        iri_next(ps);
        end = ps->token.at + ps->token.size;
        iri_next(ps);
    }
    iri_op op = iri_op_by_name(first.at, (size_t)(end - first.at));
    if (op == IRI_OP_NONE)
        iri_parse_fail(ps, &first, "no operation %.*s",
                       (int)(end - first.at < 40 ? end - first.at : 40), first.at);
    return op;
}

/* Whether the instruction ends its region. */
static bool parse_inst(iri_parser *ps)
{
    parsed in = {.where = ps->token};
    if (ps->token.kind == IRI_TOKEN_VALUE) {
        do {
            iri_parsed_value result = iri_take_typed_value(ps);
            iri_push(ps->scratch, &in.results, result);
        } while (iri_accept_mark(ps, ','));
        iri_expect_mark(ps, '=');
    }
    in.precise = iri_accept_word(ps, "precise");
    in.op = take_op(ps);
    bool ends = (iri_props(in.op) & IRI_PROP_TERMINATOR) != 0;
    iri_set_relaxed(ps->b, false);
    if (iri_is_closed(ps->b)) {
        parse_after_end(ps, &in);
        return true;
    }
    switch (in.op) {
    case IRI_OP_IF: parse_if(ps, &in); break;
    case IRI_OP_LOOP: parse_loop(ps, &in); break;
    case IRI_OP_SWITCH: parse_switch(ps, &in); break;
    case IRI_OP_BLOCK: parse_block(ps, &in); break;
    case IRI_OP_BR:
    case IRI_OP_BR_IF:
    case IRI_OP_BR_SWITCH: parse_branch(ps, &in); break;
    default: parse_plain(ps, &in); break;
    }
    return ends;
}

void iri_parse_region(iri_parser *ps)
{
    if (++ps->depth > ps->ctx->limits.nesting)
        iri_fail_at(ps->ctx, IRI_LIMIT_NESTING, ps->token.line, ps->token.column,
                    "regions nested deeper than %lu", (unsigned long)ps->ctx->limits.nesting);
    bool ended = false;
    while (!iri_is_mark(ps, '}')) {
        if (ended)
            iri_parse_fail(ps, &ps->token, "'}' expected: a terminator ends its region");
        ended = parse_inst(ps);
    }
    if (!ended)
        iri_parse_fail(ps, &ps->token, "the region ends without a terminator");
    iri_next(ps);
    ps->depth--;
}
