/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random statements and control flow. Loops count, so that all end; exits of every kind and depth are common.
 */
#include "random_internal.h"

enum { DEPTH_MAX = 5, LOOPS_MAX = 3, SETTLED_MAX = 10 };

/* ---- accumulators ---- */

iri_type random_accumulator_type(uint32_t i)
{
    return i ? IRI_TYPE_VEC4F : IRI_TYPE_U32;
}

iri_id random_get_accumulator(random_gen *g, uint32_t i)
{
    uint32_t words[2] = {g->accumulators[i], iri_lanes_first(i ? 4 : 1)};
    if (!g->accumulators_in_locals)
        return g->accumulators[i];
    return iri_build(g->b, IRI_OP_LOAD_LOCAL, IRI_TYPE_VOID, NULL, 0, words, 2);
}

void random_set_accumulator(random_gen *g, uint32_t i, iri_id value)
{
    uint32_t words[2] = {g->accumulators[i], iri_lanes_first(i ? 4 : 1)};
    if (g->accumulators_in_locals)
        iri_build(g->b, IRI_OP_STORE_LOCAL, IRI_TYPE_VOID, &value, 1, words, 2);
    else
        g->accumulators[i] = value;
}

/* All bits of a value as u32 lanes. */
static iri_id as_words(random_gen *g, iri_id x)
{
    iri_type type = iri_build_type(g->b, x);
    uint32_t lanes = IRI_TYPE_LANES(type), bits = iri_scalar_bits(IRI_TYPE_SCALAR(type));
    iri_type words = IRI_TYPE(IRI_U32, lanes), wide = IRI_TYPE(IRI_U64, lanes);
    if (bits == 1) {
        iri_id one = iri_build_constant(g->b, words, (uint64_t[4]){1, 1, 1, 1});
        iri_id none = iri_build_constant(g->b, words, (uint64_t[4]){0});
        return random_emit3(g, IRI_OP_SELECT, x, one, none);
    }
    if (bits == 16) {
        x = random_emit1(g, IRI_OP_BITCAST, IRI_TYPE(IRI_U16, lanes), x);
        return random_emit1(g, IRI_OP_ITOI, words, x);
    }
    if (bits == 64) {
        x = random_emit1(g, IRI_OP_BITCAST, wide, x);
        iri_id half = iri_build_constant(g->b, wide, (uint64_t[4]){32, 32, 32, 32});
        iri_id high = random_emit2(g, IRI_OP_SHR, x, half);
        iri_id low = random_emit1(g, IRI_OP_ITOI, words, x);
        high = random_emit1(g, IRI_OP_ITOI, words, high);
        return random_emit2(g, IRI_OP_XOR, low, high);
    }
    return random_emit1(g, IRI_OP_BITCAST, words, x);
}

static void mix_bits(random_gen *g, iri_id x)
{
    iri_id hash = random_get_accumulator(g, 0);
    uint32_t lanes = IRI_TYPE_LANES(iri_build_type(g->b, x));
    x = as_words(g, x);
    for (uint32_t i = 0; i < lanes; i++) {
        iri_id lane = lanes > 1 ? random_swizzle(g, x, IRI_LANES1(i)) : x;
        hash = random_emit2(g, i & 1 ? IRI_OP_IADD : IRI_OP_XOR, hash, lane);
    }
    iri_id odd = random_u32(g, 0x9e3779b1u);
    hash = random_emit2(g, IRI_OP_IMUL, hash, odd);
    iri_id shift = random_u32(g, 15);
    iri_id turned = random_emit2(g, IRI_OP_SHR, hash, shift);
    random_set_accumulator(g, 0, random_emit2(g, IRI_OP_XOR, hash, turned));
}

/* sum / 2 + x kept within 1: errors stay as small as they are. */
static void mix_float(random_gen *g, iri_id x)
{
    static const iri_lanes spread[] = {IRI_LANES4(0, 0, 0, 0), IRI_LANES4(0, 1, 0, 1),
                                       IRI_LANES4(0, 1, 2, 0)};
    uint32_t lanes = IRI_TYPE_LANES(iri_build_type(g->b, x));
    if (lanes < 4)
        x = random_swizzle(g, x, spread[lanes - 1]);
    iri_id low = random_f32(g, -1, 4), high = random_f32(g, 1, 4), half = random_f32(g, 0.5f, 4);
    x = random_emit2(g, IRI_OP_MAX, x, low);
    x = random_emit2(g, IRI_OP_MIN, x, high);
    iri_id sum = random_get_accumulator(g, 1);
    sum = random_emit2(g, IRI_OP_MUL, sum, half);
    random_set_accumulator(g, 1, random_emit2(g, IRI_OP_ADD, sum, x));
}

static void mix(random_gen *g, iri_id x)
{
    if (random_has(g, RANDOM_SHARP) && random_is_float(iri_build_type(g->b, x)))
        mix_float(g, x);
    else
        mix_bits(g, x);
}

void random_settle(random_gen *g, uint32_t from)
{
    uint32_t settled = 0;
    for (uint32_t i = g->value_count; i-- > from && settled < SETTLED_MAX;) {
        if (g->values[i].uses || random_chance(g, 10))
            continue;
        g->values[i].uses++;
        mix(g, g->values[i].id);
        settled++;
    }
}

/* ---- edges ---- */

/* The accumulators, unless they are locals, and up to `most` values more. */
random_types random_carried(random_gen *g, uint32_t most)
{
    random_types types = {.count = 0};
    for (uint32_t i = 0; i < g->accumulator_count && !g->accumulators_in_locals; i++)
        types.at[types.count++] = random_accumulator_type(i);
    for (uint32_t i = random_below(g, most + 1); i > 0; i--)
        types.at[types.count++] = random_type(g);
    return types;
}

uint32_t random_edge(random_gen *g, const random_types *types, iri_id *values)
{
    for (uint32_t i = 0; i < types->count; i++) {
        bool accumulator = !g->accumulators_in_locals && i < g->accumulator_count;
        values[i] = accumulator ? random_get_accumulator(g, i) : random_pick(g, types->at[i]);
    }
    return types->count;
}

void random_take(random_gen *g, const random_types *types, const iri_id *values)
{
    for (uint32_t i = 0; i < types->count; i++) {
        if (!g->accumulators_in_locals && i < g->accumulator_count)
            random_set_accumulator(g, i, values[i]);
        else
            random_keep(g, values[i], false);
    }
}

static void leave(random_gen *g, random_label *to)
{
    iri_id values[CARRY_MAX];
    uint32_t count = random_edge(g, &to->results, values);
    iri_build_break(g->b, to->label, values, count);
    to->left = true;
    g->closed = true;
}

static void go_on(random_gen *g, const random_label *to)
{
    iri_id values[CARRY_MAX + 1];
    uint32_t count = random_edge(g, &to->parameters, values + 1);
    iri_id one = random_u32(g, 1);
    values[0] = random_emit2(g, IRI_OP_IADD, to->counter, one);
    iri_build_continue(g->b, to->label, values, count + 1);
    g->closed = true;
}

void random_finish(random_gen *g)
{
    iri_id values[CARRY_MAX];
    uint32_t count = 0;
    if (g->function) {
        const random_types *types = &g->functions[g->function - 1].results;
        for (; count < types->count; count++)
            values[count] = count < g->accumulator_count ? random_get_accumulator(g, count)
                                                         : random_pick(g, types->at[count]);
    } else {
        random_write_outputs(g);
    }
    iri_build_return(g->b, values, count);
    g->closed = true;
    g->diverged |= g->depth != 0;
}

/* Ends a region in some way, or does not. */
static void maybe_leave(random_gen *g)
{
    if (g->closed || !random_chance(g, 30))
        return;
    if (random_chance(g, 8)) {
        random_finish(g);
        return;
    }
    if (!g->label_count)
        return;
    random_label *to = &g->labels[g->label_count - 1 - random_below(g, g->label_count)];
    if (to->loop && random_chance(g, 50))
        go_on(g, to);
    else
        leave(g, to);
}

/* ---- ops with regions ---- */

typedef struct scope {
    uint32_t values;
    iri_id accumulators[ACCUMULATORS];
} scope;

static scope open_region(random_gen *g)
{
    scope s = {g->value_count, {g->accumulators[0], g->accumulators[1]}};
    g->depth++;
    return s;
}

static void close_region(random_gen *g, const scope *s)
{
    g->value_count = s->values;
    for (uint32_t i = 0; i < ACCUMULATORS && !g->accumulators_in_locals; i++)
        g->accumulators[i] = s->accumulators[i];
    g->depth--;
    g->closed = false;
}

/* The statements of an arm and its yield; whether it has one. */
static bool an_arm(random_gen *g, const random_types *results)
{
    iri_id values[CARRY_MAX];
    scope s = open_region(g);
    random_statements(g);
    if (!g->closed)
        random_settle(g, s.values);
    maybe_leave(g);
    bool yields = !g->closed;
    if (yields) {
        uint32_t count = random_edge(g, results, values);
        iri_build_yield(g->b, values, count);
    }
    close_region(g, &s);
    return yields;
}

static void end(random_gen *g, const random_types *results, bool completed)
{
    iri_id values[CARRY_MAX];
    iri_build_end(g->b, values, results->count);
    if (completed)
        random_take(g, results, values);
    g->closed = !completed;
}

static iri_id condition(random_gen *g)
{
    return random_pick(g, IRI_TYPE_BOOL);
}

static void an_if(random_gen *g)
{
    random_types results = random_carried(g, 2);
    iri_build_begin_if(g->b, condition(g));
    bool completed = an_arm(g, &results);
    iri_build_begin_else(g->b);
    completed |= an_arm(g, &results);
    end(g, &results, completed);
}

static random_label *push_label(random_gen *g, random_label label)
{
    g->labels[g->label_count] = label;
    return &g->labels[g->label_count++];
}

static void a_block(random_gen *g)
{
    random_label *l = push_label(g, (random_label){.results = random_carried(g, 2)});
    l->label = iri_build_begin_block(g->b);
    l->left |= an_arm(g, &l->results);
    g->label_count--;
    end(g, &l->results, l->left);
}

static void a_switch(random_gen *g)
{
    random_label *l = push_label(g, (random_label){.results = random_carried(g, 2)});
    iri_scalar scalar = random_chance(g, 50) ? IRI_U32 : IRI_I32;
    iri_type type = IRI_TYPE(scalar, 1);
    uint32_t cases = random_below(g, 4), used = 0;
    iri_id selector = random_pick(g, type);
    if (random_chance(g, 80)) {
        iri_id mask = iri_build_constant(g->b, type, (uint64_t[4]){3});
        selector = random_emit2(g, IRI_OP_AND, selector, mask);
    }
    l->label = iri_build_begin_switch(g->b, selector);
    l->left |= an_arm(g, &l->results);
    for (uint32_t i = 0; i < cases; i++) {
        uint32_t values[3], count = 1 + random_below(g, 3);
        for (uint32_t k = 0; k < count; k++)
            values[k] = used++ == 5 ? UINT32_MAX : used - 1;
        iri_build_begin_case(g->b, values, count);
        l->left |= an_arm(g, &l->results);
    }
    g->label_count--;
    end(g, &l->results, l->left);
}

static void a_loop(random_gen *g)
{
    random_label *l = push_label(g, (random_label){.loop = true});
    iri_id initial[CARRY_MAX + 1], parameters[CARRY_MAX + 1];
    l->results = random_carried(g, 2);
    l->parameters = random_carried(g, 2);
    initial[0] = random_u32(g, 0);
    uint32_t count = 1 + random_edge(g, &l->parameters, initial + 1);
    iri_id rounds = random_u32(g, 1 + random_below(g, 4));
    if (random_chance(g, 30))
        rounds = random_index(g, 4);
    scope s = open_region(g);
    l->label = iri_build_begin_loop(g->b, initial, count, parameters);
    l->counter = parameters[0];
    random_take(g, &l->parameters, parameters + 1);
    iri_id over = random_emit2(g, IRI_OP_ILE, rounds, l->counter);
    iri_build_begin_if(g->b, over);
    leave(g, l);
    iri_build_begin_else(g->b);
    iri_build_yield(g->b, NULL, 0);
    iri_build_end(g->b, NULL, 0);
    g->closed = false;
    g->loop_count++;
    random_statements(g);
    if (!g->closed)
        random_settle(g, s.values);
    maybe_leave(g);
    if (!g->closed)
        go_on(g, l);
    g->loop_count--;
    g->label_count--;
    close_region(g, &s);
    end(g, &l->results, true);
}

/* ---- calls ---- */

/* Those after the function being built, so that none calls itself. */
static void a_call(random_gen *g)
{
    uint32_t callees = g->function_count - g->function;
    iri_id arguments[CARRY_MAX], results[CARRY_MAX];
    if (!callees)
        return;
    const random_function *f = &g->functions[g->function + random_below(g, callees)];
    for (uint32_t i = 0; i < f->parameters.count; i++)
        arguments[i] = i < g->accumulator_count ? random_get_accumulator(g, i)
                                                : random_pick(g, f->parameters.at[i]);
    iri_build_call(g->b, f->id, arguments, f->parameters.count, results, f->results.count);
    for (uint32_t i = 0; i < f->results.count; i++) {
        if (i < g->accumulator_count)
            random_set_accumulator(g, i, results[i]);
        else
            random_keep(g, results[i], false);
    }
}

static void a_demote(random_gen *g)
{
    iri_id c = condition(g);
    iri_id d = condition(g);
    if (g->stage != IRI_STAGE_PIXEL || !random_has(g, RANDOM_DEMOTE))
        return;
    c = random_emit2(g, IRI_OP_AND, c, d);
    iri_build(g->b, IRI_OP_DEMOTE, IRI_TYPE_VOID, &c, 1, NULL, 0);
}

/* ---- statements ---- */

void random_statement_in_block(random_gen *g)
{
    uint32_t kind = random_below(g, 100);
    g->budget--;
    if (kind < 70)
        random_operation(g);
    else if (kind < 86)
        random_store(g);
    else if (kind < 91)
        random_lookup(g);
    else if (kind < 94)
        a_demote(g);
    else
        a_call(g);
}

void random_statements(random_gen *g)
{
    uint32_t count = 1 + random_below(g, g->depth ? 6 : 12);
    bool nests = g->depth < DEPTH_MAX && g->label_count < LABELS_MAX;
    for (uint32_t i = 0; i < count && g->budget > 0 && !g->closed; i++) {
        uint32_t kind = random_below(g, 100);
        if (kind < 70 || !nests) {
            random_statement_in_block(g);
            continue;
        }
        g->budget--;
        if (kind < 83)
            an_if(g);
        else if (kind < 89 && g->loop_count < LOOPS_MAX)
            a_loop(g);
        else if (kind < 95)
            a_block(g);
        else
            a_switch(g);
    }
}
