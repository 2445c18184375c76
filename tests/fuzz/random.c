/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A random program: interface, entry, functions.
 */
#include "random_internal.h"

#include <string.h>

static void choose_scalars(random_gen *g)
{
    static const iri_scalar plain[] = {IRI_BOOL, IRI_F32, IRI_F32, IRI_I32, IRI_U32};
    static const iri_scalar wide[] = {IRI_I16, IRI_U16, IRI_F16, IRI_I64, IRI_U64, IRI_F64};
    memcpy(g->scalars, plain, sizeof plain);
    g->scalar_count = sizeof plain / sizeof *plain;
    for (uint32_t i = 0; i < 6 && random_has(g, RANDOM_WIDE); i++)
        if (random_chance(g, 60))
            g->scalars[g->scalar_count++] = wide[i];
}

/* At a function's start: its locals, and the accumulators from `values` or as constants. */
static void begin_body(random_gen *g, const iri_id *values)
{
    random_add_locals(g);
    for (uint32_t i = 0; i < g->accumulator_count; i++) {
        iri_type type = random_accumulator_type(i);
        iri_id start = values ? values[i] : iri_build_constant(g->b, type, (uint64_t[4]){0});
        if (g->accumulators_in_locals) {
            iri_local local = {i ? "sum" : "hash", type, IRI_LOCAL_ZERO, 0};
            g->accumulators[i] = iri_build_add_local(g->b, &local);
        }
        if (!g->accumulators_in_locals || values)
            random_set_accumulator(g, i, start);
    }
}

/* random_set_accumulator of a local stores, which CFG form does not allow before it begins. */
static void build_body(random_gen *g, const iri_id *values, uint32_t budget)
{
    bool graph = random_has(g, RANDOM_GRAPHS) && random_chance(g, 60);
    bool in_locals = g->accumulators_in_locals;
    if (graph && values)
        g->accumulators_in_locals = false;
    g->budget = (int)budget;
    begin_body(g, values);
    if (graph) {
        random_graph(g);
    } else {
        while (!g->closed && g->budget > 0)
            random_statements(g);
        if (!g->closed)
            random_settle(g, 0);
        if (!g->closed)
            random_finish(g);
    }
    g->accumulators_in_locals = in_locals;
}

static void declare(random_gen *g)
{
    static const char *const names[FUNCTIONS_MAX] = {"first", "second", "third"};
    uint32_t count = 1 + random_below(g, FUNCTIONS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        random_types *lists[2] = {&g->functions[i].parameters, &g->functions[i].results};
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t more = random_below(g, 3);
            for (uint32_t a = 0; a < g->accumulator_count; a++)
                lists[k]->at[lists[k]->count++] = random_accumulator_type(a);
            for (; more; more--)
                lists[k]->at[lists[k]->count++] = random_type(g);
        }
        g->functions[i].id = iri_build_declare_function(
            g->b, names[i], lists[0]->at, lists[0]->count, lists[1]->at, lists[1]->count);
    }
    g->function_count = count;
}

static void reset(random_gen *g, uint32_t function)
{
    g->function = function;
    g->value_count = g->label_count = g->loop_count = g->depth = 0;
    g->closed = g->diverged = false;
}

static void build_functions(random_gen *g)
{
    for (uint32_t i = 0; i < g->function_count; i++) {
        const random_function *f = &g->functions[i];
        iri_id parameters[CARRY_MAX];
        reset(g, i + 1);
        iri_build_begin_declared(g->b, f->id, parameters, f->parameters.count);
        for (uint32_t k = g->accumulator_count; k < f->parameters.count; k++)
            random_keep(g, parameters[k], false);
        build_body(g, parameters, 4 + random_below(g, 1 + g->o->size / 3));
        iri_build_end_function(g->b);
    }
}

iri_program *random_program(const random_options *o, iri_refusal *why)
{
    static random_gen gen; /* large */
    random_gen *g = &gen;
    iri_program *program = NULL;
    memset(g, 0, sizeof *g);
    g->o = o;
    g->state = o->seed * UINT64_C(0xd1342543de82ef95); /* not the step from number to number */
    g->stage = random_has(g, RANDOM_VERTEX) ? IRI_STAGE_VERTEX : IRI_STAGE_PIXEL;
    g->b = iri_build_new(g->stage, IRI_BUILD_OPTIONS(.exact = true));
    if (!g->b)
        return NULL;
    choose_scalars(g);
    g->accumulator_count = random_has(g, RANDOM_SHARP) ? 2 : 1;
    g->accumulators_in_locals = random_has(g, RANDOM_LOCALS) && random_chance(g, 70);
    random_add_interface(g);
    if (random_has(g, RANDOM_CALLS))
        declare(g);
    reset(g, 0);
    iri_build_begin_function(g->b, "main", NULL, 0, NULL, 0, NULL);
    build_body(g, NULL, o->size);
    iri_build_end_function(g->b);
    build_functions(g);
    iri_build_finish(g->b, &program, why);
    iri_build_free(g->b);
    return program;
}

random_options random_from_seed(uint64_t seed, bool sharp)
{
    static const struct {
        uint32_t bit;
        uint8_t any, sharp; /* of a hundred programs */
    } rows[] = {{RANDOM_WIDE, 35, 0},      {RANDOM_RESOURCES, 45, 70}, {RANDOM_DERIVATIVES, 40, 40},
                {RANDOM_DIVERGENT, 20, 0}, {RANDOM_LOCALS, 55, 50},    {RANDOM_ARRAYS, 30, 30},
                {RANDOM_CALLS, 45, 40},    {RANDOM_GRAPHS, 25, 15},    {RANDOM_SPECIAL, 60, 0},
                {RANDOM_VERTEX, 30, 35},   {RANDOM_DEMOTE, 40, 30}};
    random_gen g = {.state = ~seed * UINT64_C(0xd1342543de82ef95)};
    random_options o = {.seed = seed, .what = sharp ? RANDOM_SHARP : 0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (random_chance(&g, sharp ? rows[i].sharp : rows[i].any))
            o.what |= rows[i].bit;
    if (o.what & RANDOM_VERTEX)
        o.what &= ~(uint32_t)(RANDOM_DERIVATIVES | RANDOM_DEMOTE);
    static const uint8_t sizes[] = {4, 8, 16, 16, 30, 30, 60, 100};
    o.size = sizes[random_below(&g, sizeof sizes)];
    return o;
}
