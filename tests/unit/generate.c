/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random programs. Loops count, so that all end; exits of every kind and depth are common.
 */
#include "tests/unit/generate.h"

#include "base/bitset.h"

enum { SCOPE = 400, LABELS = 24, LOCALS = 4, BLOCKS = 12 };

typedef struct label {
    uint32_t label;
    bool loop;
    iri_id counter;      /* a loop's */
    uint32_t results;    /* bit set: kinds of values that leaving carries: f32, vec4 */
    uint32_t parameters; /* the same for continuing, after the counter */
} label;

typedef struct generator {
    iri_builder *b;
    uint64_t state;
    uint32_t what;
    int budget;
    iri_id scalars[SCOPE], vectors[SCOPE];
    uint32_t scalar_count, vector_count;
    label labels[LABELS];
    uint32_t label_count;
    iri_id locals[LOCALS], array;
    iri_id functions[2];
    uint32_t function_count;
    bool in_function; /* not in the entry */
} generator;

static uint32_t below(generator *g, uint32_t count)
{
    g->state = g->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(g->state >> 33) % count;
}

static bool chance(generator *g, uint32_t percent)
{
    return below(g, 100) < percent;
}

/* ---- values ---- */

static void keep(generator *g, iri_id value)
{
    if (IRI_TYPE_LANES(iri_builder_type(g->b, value)) == 1 && g->scalar_count < SCOPE)
        g->scalars[g->scalar_count++] = value;
    else if (IRI_TYPE_LANES(iri_builder_type(g->b, value)) == 4 && g->vector_count < SCOPE)
        g->vectors[g->vector_count++] = value;
}

static float some_float(generator *g)
{
    static const float floats[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 2.0f, 3.0f, 1e30f, -1e-30f};
    return floats[below(g, sizeof floats / sizeof *floats)];
}

static iri_lanes some_lanes(generator *g, uint32_t count)
{
    iri_lanes lanes = (count - 1) << 8;
    for (uint32_t i = 0; i < count; i++)
        lanes |= below(g, 4) << (2 * i);
    return lanes;
}

static bool has_locals(const generator *g)
{
    return (g->what & GENERATE_LOCALS) != 0;
}

static iri_id load(generator *g, uint32_t count)
{
    if (g->array && chance(g, 10))
        return iri_emit_load_local(g->b, g->array, some_lanes(g, count),
                                   iri_const_u32(g->b, below(g, 4)));
    return iri_emit_load_local(g->b, g->locals[below(g, LOCALS)], some_lanes(g, count), 0);
}

static iri_id vector(generator *g);

static iri_id scalar(generator *g)
{
    if (g->scalar_count > 0 && chance(g, 40))
        return g->scalars[below(g, g->scalar_count)];
    if (has_locals(g) && chance(g, 60))
        return load(g, 1);
    if (chance(g, 30))
        return iri_const_f32(g->b, some_float(g));
    if (chance(g, 30))
        return iri_emit_input(g->b, below(g, 2), IRI_LANES1(below(g, 4)));
    return iri_emit_swizzle(g->b, vector(g), IRI_LANES1(below(g, 4)));
}

static iri_id vector(generator *g)
{
    if (g->vector_count > 0 && chance(g, 40))
        return g->vectors[below(g, g->vector_count)];
    if (has_locals(g) && chance(g, 60))
        return load(g, 4);
    if (chance(g, 30))
        return iri_emit_insert(g->b, iri_emit_input(g->b, below(g, 2), some_lanes(g, 4)), scalar(g),
                               IRI_LANES1(below(g, 4)));
    return iri_emit_input(g->b, below(g, 2), iri_lanes_first(4));
}

static iri_id value_of_kind(generator *g, uint32_t kind)
{
    return kind ? vector(g) : scalar(g);
}

static iri_id expression(generator *g, uint32_t kind)
{
    static const iri_op ops[] = {IRI_OP_ADD,      IRI_OP_SUB,    IRI_OP_MUL,
                                 IRI_OP_MUL_ZERO, IRI_OP_MIN,    IRI_OP_MAX,
                                 IRI_OP_MIN_LT,   IRI_OP_MAX_GE, IRI_OP_POW_ABS};
    static const iri_op ones[] = {
        IRI_OP_NEG, IRI_OP_ABS,     IRI_OP_SATURATE, IRI_OP_SATURATE_ZERO, IRI_OP_FRACT,
        IRI_OP_RCP, IRI_OP_RCP_MAX, IRI_OP_RSQ_MAX,  IRI_OP_LOG2_MAX,      IRI_OP_SIN};
    iri_id x = value_of_kind(g, kind);
    if (chance(g, 30))
        return iri_emit1(g->b, ones[below(g, sizeof ones / sizeof *ones)], x);
    if (!kind && chance(g, 20))
        return iri_emit2(g->b, chance(g, 50) ? IRI_OP_DOT : IRI_OP_DOT_ZERO, vector(g), vector(g));
    if (chance(g, 8))
        return iri_emit1(g->b, IRI_OP_DDX, x);
    return iri_emit2(g->b, ops[below(g, sizeof ops / sizeof *ops)], x, value_of_kind(g, kind));
}

static iri_id condition(generator *g)
{
    iri_id c = iri_emit2(g->b, chance(g, 70) ? IRI_OP_LT : IRI_OP_EQ, scalar(g), scalar(g));
    return chance(g, 10) ? iri_const_bool(g->b, chance(g, 50)) : c;
}

/* ---- edges ---- */

static uint32_t some_kinds(generator *g)
{
    return (g->what & GENERATE_RESULTS) && chance(g, 60) ? below(g, 4) : 0;
}

static uint32_t values_of(generator *g, uint32_t kinds, iri_id *values)
{
    uint32_t count = 0;
    for (uint32_t kind = 0; kind < 2; kind++) {
        if (kinds >> kind & 1)
            values[count++] = value_of_kind(g, kind);
    }
    return count;
}

static void yield(generator *g, uint32_t kinds)
{
    iri_id values[2];
    if (!iri_is_closed(g->b))
        iri_emit_yield(g->b, values, values_of(g, kinds, values));
}

static void leave(generator *g, const label *to)
{
    iri_id values[2];
    iri_emit_break(g->b, to->label, values, values_of(g, to->results, values));
}

static void next(generator *g, const label *to)
{
    iri_id values[3];
    values[0] = iri_emit2(g->b, IRI_OP_IADD, to->counter, iri_const_u32(g->b, 1));
    iri_emit_continue(g->b, to->label, values, 1 + values_of(g, to->parameters, values + 1));
}

static void finish(generator *g)
{
    iri_id values[2];
    if (g->in_function) {
        iri_emit_return(g->b, values, values_of(g, 3, values));
        return;
    }
    iri_emit_output(g->b, 0, iri_lanes_first(4), vector(g));
    iri_emit_output(g->b, 1, iri_lanes_first(4), vector(g));
    for (uint32_t i = 0; i < 2; i++)
        iri_emit_output(g->b, i + 2, iri_lanes_first(4),
                        has_locals(g)
                            ? iri_emit_load_local(g->b, g->locals[i], iri_lanes_first(4), 0)
                            : vector(g));
    iri_emit_return(g->b, NULL, 0);
}

/* Ends a region in some way, or does not. */
static void maybe_leave(generator *g)
{
    if (iri_is_closed(g->b) || !chance(g, 35))
        return;
    if (g->label_count == 0 || chance(g, 5)) {
        if (chance(g, 15))
            finish(g);
        return;
    }
    const label *to = &g->labels[g->label_count - 1 - below(g, g->label_count)];
    if (to->loop && chance(g, 50))
        next(g, to);
    else
        leave(g, to);
}

/* ---- statements ---- */

static void statements(generator *g, uint32_t depth);

typedef struct mark {
    uint32_t scalars, vectors;
} mark;

static mark open_scope(const generator *g)
{
    return (mark){g->scalar_count, g->vector_count};
}

static void close_scope(generator *g, mark m)
{
    g->scalar_count = m.scalars;
    g->vector_count = m.vectors;
}

static void keep_results(generator *g, uint32_t kinds)
{
    iri_id values[2];
    uint32_t count = (kinds & 1) + (kinds >> 1 & 1);
    iri_end_results(g->b, values, count);
    if (iri_is_closed(g->b))
        return;
    for (uint32_t i = 0; i < count; i++)
        keep(g, values[i]);
}

static void an_arm(generator *g, uint32_t depth, uint32_t kinds)
{
    mark m = open_scope(g);
    statements(g, depth);
    maybe_leave(g);
    yield(g, kinds);
    close_scope(g, m);
}

static void an_if(generator *g, uint32_t depth)
{
    uint32_t kinds = some_kinds(g);
    iri_begin_if(g->b, condition(g));
    an_arm(g, depth, kinds);
    iri_begin_else(g->b);
    an_arm(g, depth, kinds);
    keep_results(g, kinds);
}

static void a_block(generator *g, uint32_t depth)
{
    label l = {.results = some_kinds(g)};
    l.label = iri_begin_block(g->b);
    g->labels[g->label_count++] = l;
    an_arm(g, depth, l.results);
    g->label_count--;
    keep_results(g, l.results);
}

static void a_switch(generator *g, uint32_t depth)
{
    label l = {.results = some_kinds(g)};
    uint32_t cases = below(g, 3), values[2];
    iri_id selector = iri_emit_convert(g->b, IRI_OP_FTOI_SAT, IRI_U32, scalar(g));
    l.label = iri_begin_switch(g->b, selector);
    g->labels[g->label_count++] = l;
    an_arm(g, depth, l.results);
    for (uint32_t i = 0; i < cases; i++) {
        values[0] = i * 2;
        values[1] = i * 2 + 1;
        iri_begin_case(g->b, values, 1 + below(g, 2));
        an_arm(g, depth, l.results);
    }
    g->label_count--;
    keep_results(g, l.results);
}

static void a_loop(generator *g, uint32_t depth)
{
    label l = {.loop = true, .results = some_kinds(g), .parameters = some_kinds(g)};
    iri_id initial[3], parameters[3];
    mark m = open_scope(g);
    initial[0] = iri_const_u32(g->b, 0);
    uint32_t count = 1 + values_of(g, l.parameters, initial + 1);
    l.label = iri_begin_loop(g->b, initial, count, parameters);
    l.counter = parameters[0];
    g->labels[g->label_count++] = l;
    for (uint32_t i = 1; i < count; i++)
        keep(g, parameters[i]);
    iri_begin_if(g->b,
                 iri_emit2(g->b, IRI_OP_ILE, iri_const_u32(g->b, 2 + below(g, 3)), l.counter));
    leave(g, &l);
    iri_begin_else(g->b);
    iri_emit_yield(g->b, NULL, 0);
    iri_end_results(g->b, NULL, 0);
    statements(g, depth);
    maybe_leave(g);
    if (!iri_is_closed(g->b))
        next(g, &l);
    g->label_count--;
    close_scope(g, m);
    keep_results(g, l.results);
}

static void a_store(generator *g)
{
    uint32_t bits = 1 + below(g, 15), count = 0;
    iri_id value;
    for (uint32_t i = bits; i; i &= i - 1)
        count++;
    value = count == 1 ? expression(g, 0) : expression(g, 1);
    if (count > 1)
        value = iri_emit_swizzle(g->b, value, some_lanes(g, count));
    if (g->array && chance(g, 10))
        iri_emit_store_local(g->b, g->array, iri_lanes_from_bits(bits), value,
                             iri_const_u32(g->b, below(g, 4)));
    else
        iri_emit_store_local(g->b, g->locals[below(g, LOCALS)], iri_lanes_from_bits(bits), value,
                             0);
}

static void a_call(generator *g)
{
    iri_id arguments[2], results[2];
    values_of(g, 3, arguments);
    iri_emit_call(g->b, g->functions[below(g, g->function_count)], arguments, 2, results);
    if (iri_is_closed(g->b))
        return;
    keep(g, results[0]);
    keep(g, results[1]);
    if (has_locals(g))
        iri_emit_store_local(g->b, g->locals[below(g, LOCALS)], iri_lanes_first(4), results[1], 0);
}

static void statements(generator *g, uint32_t depth)
{
    uint32_t count = below(g, 5);
    for (uint32_t i = 0; i < count && g->budget > 0 && !iri_is_closed(g->b); i++) {
        uint32_t kind = below(g, 100);
        bool nests = depth < 6 && g->label_count + 1 < LABELS;
        g->budget--;
        if (g->function_count > 0 && !g->in_function && chance(g, 12))
            a_call(g);
        else if (kind < 35 && has_locals(g))
            a_store(g);
        else if (kind < 50)
            keep(g, expression(g, below(g, 2)));
        else if (kind < 70 && nests)
            an_if(g, depth + 1);
        else if (kind < 80 && nests)
            a_loop(g, depth + 1);
        else if (kind < 88 && nests)
            a_block(g, depth + 1);
        else if (kind < 94 && nests)
            a_switch(g, depth + 1);
        else if (!g->in_function)
            iri_emit(g->b, IRI_OP_DEMOTE, IRI_TYPE_VOID, (iri_id[]){condition(g)}, 1, NULL, 0);
        else if (g->function_count > 0)
            a_call(g);
    }
}

/* ---- functions ---- */

static void add_locals(generator *g)
{
    static const char *const names[LOCALS] = {"r0", "r1", "r2", "r3"};
    g->array = 0;
    for (uint32_t i = 0; has_locals(g) && i < LOCALS; i++) {
        iri_local local = {names[i], IRI_TYPE_VEC4F, (uint8_t)below(g, 3), 0};
        g->locals[i] = iri_add_local(g->b, &local);
        if (!g->in_function && !(g->what & GENERATE_CFG) && chance(g, 80))
            iri_emit_store_local(g->b, g->locals[i], iri_lanes_first(4),
                                 iri_emit_input(g->b, i % 2, some_lanes(g, 4)), 0);
    }
    if (has_locals(g) && chance(g, 30)) {
        iri_local local = {"x0", IRI_TYPE_VEC4F, IRI_LOCAL_ZERO, 4};
        g->array = iri_add_local(g->b, &local);
    }
}

static void a_function(generator *g, const char *name)
{
    static const iri_type types[] = {IRI_TYPE_F32, IRI_TYPE_VEC4F};
    iri_id parameters[2];
    iri_id function = iri_begin_function(g->b, name, types, 2, types, 2, parameters);
    g->in_function = true;
    g->budget = 30;
    add_locals(g);
    keep(g, parameters[0]);
    keep(g, parameters[1]);
    statements(g, 3);
    if (!iri_is_closed(g->b))
        finish(g);
    iri_end_function(g->b);
    g->in_function = false;
    g->scalar_count = g->vector_count = 0;
    g->functions[g->function_count++] = function;
}

static void add_interface(generator *g)
{
    for (uint32_t i = 0; i < 4; i++) {
        iri_io io = {.name = "TEXCOORD",
                     .index = i,
                     .type = IRI_TYPE_VEC4F,
                     .reg = (uint16_t)i,
                     .interpolation = IRI_INTERPOLATION_LINEAR,
                     .bank = IRI_BANK_V,
                     .lanes = 15,
                     .used = 15,
                     .offset = IRI_NO_OFFSET};
        if (i < 2)
            iri_add_input(g->b, &io);
        io.name = "SV_Target";
        io.system_value = IRI_SV_TARGET;
        io.bank = IRI_BANK_OC;
        io.interpolation = IRI_INTERPOLATION_DEFAULT;
        iri_add_output(g->b, &io);
    }
}

/* ---- graphs ---- */

typedef struct graph {
    uint32_t count;
    uint32_t edges[BLOCKS][3];   /* UINT32_MAX: none */
    uint32_t dominators[BLOCKS]; /* bit sets */
    bool back[BLOCKS][3];
} graph;

/* Edges forwards, then backwards to dominators only. */
static void make_graph(generator *g, graph *gr)
{
    gr->count = 2 + below(g, BLOCKS - 1);
    memset(gr->edges, 0xff, sizeof gr->edges);
    memset(gr->back, 0, sizeof gr->back);
    for (uint32_t i = 0; i < gr->count; i++)
        gr->dominators[i] = i == 0 ? 1 : UINT32_MAX;
    for (uint32_t i = 0; i + 1 < gr->count; i++) {
        uint32_t count = 1 + below(g, 3);
        for (uint32_t k = 0; k < count; k++)
            gr->edges[i][k] = i + 1 + (chance(g, 60) ? 0 : below(g, gr->count - 1 - i));
    }
    for (uint32_t i = 0; i < gr->count; i++) {
        gr->dominators[i] |= 1u << i;
        bool reachable = gr->dominators[i] != UINT32_MAX;
        if (!reachable)
            gr->dominators[i] = 1u << i;
        for (uint32_t k = 0; k < 3 && i + 1 < gr->count && i > 0; k++) {
            uint32_t to = below(g, i + 1);
            if (k > 0 && gr->edges[i][k] != UINT32_MAX && chance(g, 40) && to > 0 &&
                (gr->dominators[i] >> to & 1)) {
                gr->edges[i][1] = to;
                gr->edges[i][2] = UINT32_MAX;
                gr->back[i][1] = true;
                break;
            }
        }
        for (uint32_t k = 0; k < 3 && reachable; k++) {
            if (gr->edges[i][k] != UINT32_MAX && !gr->back[i][k])
                gr->dominators[gr->edges[i][k]] &= gr->dominators[i];
        }
    }
}

/* A back edge is taken while `counter` is small. */
static iri_id branch_condition(generator *g, iri_id counter, bool back)
{
    if (!back)
        return condition(g);
    iri_id x = iri_emit_load_local(g->b, counter, IRI_LANES1(0), 0);
    iri_emit_store_local(g->b, counter, IRI_LANES1(0),
                         iri_emit2(g->b, IRI_OP_IADD, x, iri_const_u32(g->b, 1)), 0);
    return iri_emit2(g->b, IRI_OP_ILT, x, iri_const_u32(g->b, 10));
}

static void end_block(generator *g, const graph *gr, uint32_t i, iri_id first, iri_id counter)
{
    iri_id operands[8] = {0};
    const uint32_t *to = gr->edges[i];
    if (to[0] == UINT32_MAX) {
        finish(g);
    } else if (to[1] == UINT32_MAX) {
        values_of(g, 3, operands);
        iri_emit(g->b, IRI_OP_BR, IRI_TYPE_VOID, operands, 2, (uint32_t[]){first + to[0]}, 1);
    } else if (to[2] == UINT32_MAX) {
        operands[0] = branch_condition(g, counter, gr->back[i][1]);
        values_of(g, 3, operands + 1);
        values_of(g, 3, operands + 3);
        iri_emit(g->b, IRI_OP_BR_IF, IRI_TYPE_VOID, operands, 5,
                 (uint32_t[]){first + to[1], first + to[0], 2}, 3);
    } else {
        operands[0] = iri_emit_convert(g->b, IRI_OP_FTOI_SAT, IRI_U32, scalar(g));
        for (uint32_t k = 0; k < 3; k++)
            values_of(g, 3, operands + 1 + 2 * k);
        iri_emit(g->b, IRI_OP_BR_SWITCH, IRI_TYPE_VOID, operands, 7,
                 (uint32_t[]){first + to[0], 2, 0, first + to[1], 2, 1, first + to[2], 2}, 8);
    }
}

/* The values that a block's dominators leave, to be seen again in it. */
typedef struct block_scope {
    iri_id values[BLOCKS][32];
    uint32_t counts[BLOCKS];
} block_scope;

static void enter_block(generator *g, const graph *gr, const block_scope *scope, uint32_t i)
{
    g->scalar_count = g->vector_count = 0;
    for (uint32_t d = 0; d < i; d++) {
        for (uint32_t k = 0; (gr->dominators[i] >> d & 1) && k < scope->counts[d]; k++)
            keep(g, scope->values[d][k]);
    }
}

static void leave_block(const generator *g, block_scope *scope, uint32_t i, mark m)
{
    for (uint32_t k = m.scalars; k < g->scalar_count && scope->counts[i] < 16; k++)
        scope->values[i][scope->counts[i]++] = g->scalars[k];
    for (uint32_t k = m.vectors; k < g->vector_count && scope->counts[i] < 32; k++)
        scope->values[i][scope->counts[i]++] = g->vectors[k];
}

static void blocks(generator *g)
{
    static const iri_type types[] = {IRI_TYPE_F32, IRI_TYPE_VEC4F};
    graph gr;
    block_scope scope = {0};
    iri_local local = {"count", IRI_TYPE_U32, IRI_LOCAL_ZERO, 0};
    iri_id counter = iri_add_local(g->b, &local);
    make_graph(g, &gr);
    iri_id first = iri_begin_cfg(g->b, gr.count);
    for (uint32_t i = 0; i < gr.count; i++) {
        iri_id parameters[2];
        enter_block(g, &gr, &scope, i);
        mark m = open_scope(g);
        if (i > 0) {
            iri_begin_cfg_block(g->b, first + i, types, 2, parameters);
            keep(g, parameters[0]);
            keep(g, parameters[1]);
        }
        for (uint32_t k = below(g, 4); k > 0; k--) {
            keep(g, expression(g, below(g, 2)));
            if (has_locals(g))
                a_store(g);
        }
        end_block(g, &gr, i, first, counter);
        leave_block(g, &scope, i, m);
    }
}

iri_program *generate_program(iri_ctx *ctx, iri_arena *scratch, uint64_t seed, uint32_t what)
{
    generator g = {.state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1, .what = what};
    g.b = iri_builder_make(ctx, scratch, IRI_STAGE_PIXEL, 0);
    add_interface(&g);
    if (what & GENERATE_CALLS) {
        a_function(&g, "first");
        a_function(&g, "second");
    }
    iri_id entry = iri_begin_function(g.b, "main", NULL, 0, NULL, 0, NULL);
    g.budget = 60;
    add_locals(&g);
    if (what & GENERATE_CFG) {
        blocks(&g);
    } else {
        statements(&g, 0);
        statements(&g, 0);
        if (!iri_is_closed(g.b))
            finish(&g);
    }
    iri_end_function(g.b);
    iri_builder_program(g.b)->entry = entry;
    return iri_builder_finish(g.b);
}
