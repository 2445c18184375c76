/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random functions of CFG form: edges lead forwards, or back to a block that dominates, so that the graph is
 * reducible; a back edge is taken while a counter is small.
 */
#include "random_internal.h"

#include <string.h>

enum { EDGES = 3, ROUNDS = 8, SCOPE_MAX = 24 };

#define NO_EDGE UINT32_MAX

typedef struct graph {
    uint32_t count;
    uint32_t edges[BLOCKS_MAX][EDGES];
    uint32_t dominators[BLOCKS_MAX]; /* bit sets; all for what nothing reaches */
    bool back[BLOCKS_MAX];           /* the second edge leads back; then there are two */
    random_types parameters[BLOCKS_MAX];
    random_value scope[BLOCKS_MAX][SCOPE_MAX]; /* what a block leaves to those it dominates */
    uint32_t scope_counts[BLOCKS_MAX];
    iri_id first, counter;
} graph;

static void add_back_edge(random_gen *g, graph *gr, uint32_t from)
{
    uint32_t to = 1 + random_below(g, from);
    if (gr->edges[from][1] == NO_EDGE || gr->dominators[from] == UINT32_MAX ||
        !(gr->dominators[from] >> to & 1) || random_chance(g, 50))
        return;
    gr->edges[from][1] = to;
    gr->edges[from][2] = NO_EDGE;
    gr->back[from] = true;
}

static void make_graph(random_gen *g, graph *gr)
{
    memset(gr->edges, 0xff, sizeof gr->edges);
    gr->count = 2 + random_below(g, BLOCKS_MAX - 1);
    for (uint32_t i = 0; i < gr->count; i++)
        gr->dominators[i] = i ? UINT32_MAX : 1;
    for (uint32_t i = 0; i + 1 < gr->count; i++) {
        uint32_t count = 1 + random_below(g, EDGES);
        for (uint32_t k = 0; k < count; k++)
            gr->edges[i][k] =
                i + 1 + (random_chance(g, 60) ? 0 : random_below(g, gr->count - 1 - i));
    }
    for (uint32_t i = 0; i < gr->count; i++) {
        if (gr->dominators[i] == UINT32_MAX)
            continue;
        gr->dominators[i] |= 1u << i;
        if (i && i + 1 < gr->count)
            add_back_edge(g, gr, i);
        for (uint32_t k = 0; k < EDGES; k++)
            if (gr->edges[i][k] != NO_EDGE && gr->edges[i][k] > i)
                gr->dominators[gr->edges[i][k]] &= gr->dominators[i];
    }
}

/* ---- blocks ---- */

static void enter(random_gen *g, graph *gr, uint32_t i)
{
    iri_id parameters[CARRY_MAX];
    g->value_count = 0;
    g->closed = false;
    for (uint32_t d = 0; d < i && gr->dominators[i] != UINT32_MAX; d++)
        for (uint32_t k = 0; (gr->dominators[i] >> d & 1) && k < gr->scope_counts[d]; k++)
            g->values[g->value_count++] = gr->scope[d][k];
    if (!i)
        return;
    iri_build_begin_cfg_block(g->b, gr->first + i, gr->parameters[i].at, gr->parameters[i].count,
                              parameters);
    random_take(g, &gr->parameters[i], parameters);
}

static void remember(const random_gen *g, graph *gr, uint32_t i, uint32_t from)
{
    for (uint32_t k = from; k < g->value_count && gr->scope_counts[i] < SCOPE_MAX; k++)
        gr->scope[i][gr->scope_counts[i]++] = g->values[k];
}

static iri_id branch_condition(random_gen *g, const graph *gr, bool back)
{
    uint32_t words[2] = {gr->counter, IRI_LANES1(0)};
    if (!back)
        return random_pick(g, IRI_TYPE_BOOL);
    iri_id x = iri_build(g->b, IRI_OP_LOAD_LOCAL, IRI_TYPE_VOID, NULL, 0, words, 2);
    iri_id one = random_u32(g, 1);
    iri_id more = random_emit2(g, IRI_OP_IADD, x, one);
    iri_build(g->b, IRI_OP_STORE_LOCAL, IRI_TYPE_VOID, &more, 1, words, 2);
    iri_id rounds = random_u32(g, ROUNDS);
    return random_emit2(g, IRI_OP_ILT, x, rounds);
}

static void branch(random_gen *g, graph *gr, uint32_t i)
{
    iri_id operands[1 + EDGES * CARRY_MAX];
    const uint32_t *to = gr->edges[i];
    uint32_t count = 0, counts[EDGES] = {0}, edges = 0;
    bool back = gr->back[i];
    while (edges < EDGES && to[edges] != NO_EDGE)
        edges++;
    if (edges == 2)
        operands[count++] = branch_condition(g, gr, back);
    else if (edges == 3)
        operands[count++] = random_index(g, 4);
    /* br.if's first block is the one that its condition chooses: the back edge. */
    for (uint32_t k = 0; k < edges; k++) {
        uint32_t edge = edges == 2 ? 1 - k : k;
        counts[edge] = random_edge(g, &gr->parameters[to[edge]], operands + count);
        count += counts[edge];
    }
    uint32_t block[EDGES];
    for (uint32_t k = 0; k < edges; k++)
        block[k] = gr->first + to[k];
    if (edges == 1)
        iri_build(g->b, IRI_OP_BR, IRI_TYPE_VOID, operands, count, block, 1);
    else if (edges == 2)
        iri_build(g->b, IRI_OP_BR_IF, IRI_TYPE_VOID, operands, count,
                  (uint32_t[]){block[1], block[0], counts[1]}, 3);
    else
        iri_build(g->b, IRI_OP_BR_SWITCH, IRI_TYPE_VOID, operands, count,
                  (uint32_t[]){block[0], counts[0], 0, block[1], counts[1], 2, block[2], counts[2]},
                  8);
}

void random_graph(random_gen *g)
{
    graph gr = {0};
    iri_id at_entry[ACCUMULATORS] = {g->accumulators[0], g->accumulators[1]};
    iri_local local = {"rounds", IRI_TYPE_U32, IRI_LOCAL_ZERO, 0};
    gr.counter = iri_build_add_local(g->b, &local);
    g->diverged = true;
    make_graph(g, &gr);
    for (uint32_t i = 1; i < gr.count; i++)
        gr.parameters[i] = random_carried(g, 2);
    random_value parameters[CARRY_MAX];
    uint32_t parameter_count = g->value_count < CARRY_MAX ? g->value_count : CARRY_MAX;
    memcpy(parameters, g->values, parameter_count * sizeof *parameters);
    gr.first = iri_build_begin_cfg(g->b, gr.count);
    for (uint32_t i = 0; i < gr.count; i++) {
        enter(g, &gr, i);
        if (!i) {
            memcpy(g->values, parameters, parameter_count * sizeof *parameters);
            g->value_count = parameter_count;
            g->accumulators[0] = at_entry[0];
            g->accumulators[1] = at_entry[1];
        }
        uint32_t from = i ? g->value_count : 0;
        for (uint32_t k = 1 + random_below(g, 5); k > 0; k--)
            random_statement_in_block(g);
        random_settle(g, from);
        if (i + 1 == gr.count)
            random_finish(g);
        else
            branch(g, &gr, i);
        remember(g, &gr, i, from);
    }
}
