/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * structurize's graph: loops by their back edges, innermost first, each found loop taken for one block
 * from then on (Tarjan, "Testing flow graph reducibility", 1974); which blocks need a label, and where
 * each is written.
 */
#include "pass/structurize.h"

/* ---- loops ---- */

typedef struct search {
    iri_graph *g;
    iri_arena *scratch;
    uint32_t
        *standing; /* block -> one that stands for it; itself, or towards the header of its loop */
    IRI_VEC(uint32_t) pending;
} search;

static uint32_t stands_for(search *s, uint32_t block)
{
    uint32_t root = block;
    while (s->standing[root] != root)
        root = s->standing[root];
    while (s->standing[block] != root) {
        uint32_t next = s->standing[block];
        s->standing[block] = root;
        block = next;
    }
    return root;
}

static bool is_reachable(const iri_graph *g, uint32_t block)
{
    return g->cfg.rank[block] < g->cfg.reachable;
}

static void add_to_loop(search *s, uint32_t block, uint32_t header)
{
    uint32_t root = stands_for(s, block);
    iri_graph_block *b = &s->g->blocks[root];
    if (root == header)
        return;
    if (b->is_header)
        b->outer = header;
    else
        b->loop = header;
    s->standing[root] = header;
    iri_push(s->scratch, &s->pending, root);
}

static void find_loop(search *s, uint32_t header)
{
    const iri_cfg *cfg = &s->g->cfg;
    iri_graph_block *h = &s->g->blocks[header];
    for (uint32_t i = cfg->first_pred[header]; i < cfg->first_pred[header + 1]; i++) {
        uint32_t pred = cfg->preds[i];
        if (!is_reachable(s->g, pred) || cfg->rank[pred] < cfg->rank[header])
            continue;
        h->is_header = true;
        h->loop = header;
        add_to_loop(s, pred, header);
    }
    while (s->pending.count > 0) {
        uint32_t block = s->pending.at[--s->pending.count];
        for (uint32_t i = cfg->first_pred[block]; i < cfg->first_pred[block + 1]; i++) {
            if (is_reachable(s->g, cfg->preds[i]))
                add_to_loop(s, cfg->preds[i], header);
        }
    }
}

static void check_reducible(const iri_graph *g, iri_ctx *ctx)
{
    const iri_cfg *cfg = &g->cfg;
    for (uint32_t k = 0; k < cfg->reachable; k++) {
        uint32_t block = cfg->order[k];
        for (uint32_t i = cfg->first_pred[block]; i < cfg->first_pred[block + 1]; i++) {
            uint32_t pred = cfg->preds[i];
            if (!is_reachable(g, pred) || cfg->rank[pred] < k || iri_dominates(cfg, block, pred))
                continue;
            const iri_inst *last = iri_terminator(g->p, cfg->first + pred);
            iri_fail(ctx, IRI_IRREDUCIBLE, last->offset,
                     "the function %s is irreducible: block b%u is a loop's start that is not the "
                     "only way into it",
                     g->f->name, (unsigned)block);
        }
    }
}

static void find_loops(iri_graph *g, iri_arena *scratch)
{
    search s = {.g = g, .scratch = scratch};
    const iri_cfg *cfg = &g->cfg;
    s.standing = iri_new_array(scratch, uint32_t, cfg->count);
    for (uint32_t i = 0; i < cfg->count; i++)
        s.standing[i] = i;
    for (uint32_t k = cfg->reachable; k-- > 0;)
        find_loop(&s, cfg->order[k]);
    for (uint32_t k = 0; k < cfg->reachable; k++) {
        iri_graph_block *b = &g->blocks[cfg->order[k]];
        if (b->is_header)
            b->depth = b->outer == IRI_NO_BLOCK ? 1 : g->blocks[b->outer].depth + 1;
    }
}

bool iri_graph_is_in(const iri_graph *g, uint32_t block, uint32_t header)
{
    uint32_t loop = g->blocks[block].loop;
    while (loop != IRI_NO_BLOCK && g->blocks[loop].depth > g->blocks[header].depth)
        loop = g->blocks[loop].outer;
    return loop == header;
}

/* ---- places ---- */

/* The header of the outermost loop that `from` is in and `block` is not, IRI_NO_BLOCK when there is
 * none. */
static uint32_t left_loop(const iri_graph *g, uint32_t from, uint32_t block)
{
    uint32_t left = IRI_NO_BLOCK;
    for (uint32_t loop = g->blocks[from].loop; loop != IRI_NO_BLOCK; loop = g->blocks[loop].outer) {
        if (iri_graph_is_in(g, block, loop))
            break;
        left = loop;
    }
    return left;
}

static uint32_t count_entries(const iri_graph *g, uint32_t block)
{
    const iri_cfg *cfg = &g->cfg;
    uint32_t count = 0;
    for (uint32_t i = cfg->first_pred[block]; i < cfg->first_pred[block + 1]; i++) {
        uint32_t pred = cfg->preds[i];
        count += is_reachable(g, pred) && cfg->rank[pred] < cfg->rank[block];
    }
    return count;
}

/* In rising order, so that each list falls. */
static void place_blocks(iri_graph *g)
{
    const iri_cfg *cfg = &g->cfg;
    for (uint32_t k = 1; k < cfg->reachable; k++) {
        uint32_t block = cfg->order[k], parent = cfg->idom[block];
        iri_graph_block *b = &g->blocks[block];
        uint32_t left = left_loop(g, parent, block), *list = &g->blocks[parent].inside;
        if (left != IRI_NO_BLOCK)
            list = &g->blocks[left].after;
        else if (count_entries(g, block) < 2)
            continue;
        b->is_labelled = true;
        b->next = *list;
        *list = block;
    }
}

/* ---- values ---- */

uint32_t iri_graph_home(const iri_graph *g, iri_id value)
{
    const iri_value *v = &g->p->values[value];
    if (v->kind == IRI_VALUE_RESULT)
        return g->block_of[v->def];
    return v->kind == IRI_VALUE_PARAMETER ? v->def - g->cfg.first : IRI_NO_BLOCK;
}

bool iri_graph_crosses(const iri_graph *g, iri_id value, uint32_t block)
{
    uint32_t home = iri_graph_home(g, value);
    return home != IRI_NO_BLOCK && left_loop(g, home, block) != IRI_NO_BLOCK;
}

static void find_crossings(iri_graph *g)
{
    const iri_program *p = g->p;
    for (uint32_t k = 0; k < g->cfg.reachable; k++) {
        uint32_t block = g->cfg.order[k];
        iri_for_each_inst(p, g->cfg.first + block, in)
        {
            g->block_of[in - p->insts] = block;
        }
    }
    for (uint32_t k = 0; k < g->cfg.reachable; k++) {
        uint32_t block = g->cfg.order[k];
        iri_for_each_inst(p, g->cfg.first + block, in)
        {
            for (uint32_t i = 0; i < in->operand_count; i++) {
                iri_id value = iri_operands(p, in)[i];
                if (!g->crosses[value] && iri_graph_crosses(g, value, block))
                    g->crosses[value] = 1;
            }
        }
    }
}

void iri_graph_make(iri_graph *g, iri_ctx *ctx, iri_arena *scratch, const iri_program *p,
                    const iri_function *f)
{
    g->p = p;
    g->f = f;
    iri_cfg_make(scratch, p, f, &g->cfg);
    g->blocks = iri_new_array(scratch, iri_graph_block, g->cfg.count);
    for (uint32_t i = 0; i < g->cfg.count; i++) {
        iri_graph_block *b = &g->blocks[i];
        b->loop = b->outer = b->inside = b->after = b->next = IRI_NO_BLOCK;
    }
    check_reducible(g, ctx);
    find_loops(g, scratch);
    place_blocks(g);
    find_crossings(g);
}
