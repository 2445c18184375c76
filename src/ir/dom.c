/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dominators by iteration over reverse postorder (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
 * Algorithm", 2001).
 */
#include "ir/dom.h"

uint32_t iri_cfg_edge_count(const iri_inst *in)
{
    switch (in->op) {
    case IRI_OP_BR: return 1;
    case IRI_OP_BR_IF: return 2;
    case IRI_OP_BR_SWITCH:
        return 1 + (in->immediate_count < 2 ? 0 : (in->immediate_count - 2u) / 3);
    default: return 0;
    }
}

bool iri_cfg_get_edge(const iri_program *p, const iri_inst *in, uint32_t index, iri_cfg_edge *out)
{
    const uint32_t *immediates = iri_immediates(p, in);
    uint64_t at = in->op == IRI_OP_BR ? 0 : 1; /* the operand the edge's arguments begin at */
    memset(out, 0, sizeof *out);
    if (index >= iri_cfg_edge_count(in) || in->operand_count < at)
        return false;
    if (in->op == IRI_OP_BR) {
        if (in->immediate_count != 1)
            return false;
        out->block = immediates[0];
        out->count = in->operand_count;
    } else if (in->op == IRI_OP_BR_IF) {
        if (in->immediate_count != 3 || immediates[2] > in->operand_count - 1u)
            return false;
        out->block = immediates[index];
        out->count = index ? in->operand_count - 1u - immediates[2] : immediates[2];
        at += index ? immediates[2] : 0;
    } else {
        if (in->immediate_count < 2 || (in->immediate_count - 2u) % 3)
            return false;
        out->is_default = index == 0;
        out->block = immediates[index ? 3 * index : 0];
        out->value = index ? immediates[3 * index - 1] : 0;
        out->count = immediates[index ? 3 * index + 1 : 1];
        for (uint32_t i = 0; i < index; i++)
            at += immediates[i ? 3 * i + 1 : 1];
    }
    out->arguments = iri_operands(p, in) + (at < in->operand_count ? at : 0);
    return at + out->count <= in->operand_count;
}

/* The block an edge goes to, IRI_NO_BLOCK when it is none of the function's. */
static uint32_t target(const iri_program *p, const iri_cfg *cfg, uint32_t block, uint32_t index)
{
    const iri_inst *in = iri_terminator(p, cfg->first + block);
    iri_cfg_edge edge;
    if (!in || !iri_cfg_get_edge(p, in, index, &edge))
        return IRI_NO_BLOCK;
    uint32_t to = edge.block - cfg->first;
    return edge.block >= cfg->first && to < cfg->count ? to : IRI_NO_BLOCK;
}

static uint32_t edges_of(const iri_program *p, const iri_cfg *cfg, uint32_t block)
{
    const iri_inst *in = iri_terminator(p, cfg->first + block);
    return in ? iri_cfg_edge_count(in) : 0;
}

static void make_preds(iri_arena *arena, const iri_program *p, iri_cfg *cfg)
{
    uint32_t total = 0;
    cfg->first_pred = iri_new_array(arena, uint32_t, (size_t)cfg->count + 2);
    for (uint32_t b = 0; b < cfg->count; b++)
        for (uint32_t e = edges_of(p, cfg, b); e-- > 0;) {
            uint32_t to = target(p, cfg, b, e);
            if (to != IRI_NO_BLOCK) {
                cfg->first_pred[to + 2]++;
                total++;
            }
        }
    for (uint32_t b = 0; b < cfg->count; b++)
        cfg->first_pred[b + 2] += cfg->first_pred[b + 1];
    /* first_pred[b + 1] is now where those of block b begin; filling moves it to where they end. */
    cfg->preds = iri_new_array(arena, uint32_t, total + 1u);
    for (uint32_t b = 0; b < cfg->count; b++)
        for (uint32_t e = 0; e < edges_of(p, cfg, b); e++) {
            uint32_t to = target(p, cfg, b, e);
            if (to != IRI_NO_BLOCK)
                cfg->preds[cfg->first_pred[to + 1]++] = b;
        }
}

/* Edges are followed from the last, so that the first's block comes first in the order. */
static void make_order(iri_arena *arena, const iri_program *p, iri_cfg *cfg)
{
    uint32_t *stack = iri_new_array(arena, uint32_t, cfg->count);
    uint32_t *left = iri_new_array(arena, uint32_t, cfg->count); /* edges not followed yet */
    uint32_t depth = 0, at = cfg->count;
    for (uint32_t b = 0; b < cfg->count; b++)
        cfg->rank[b] = IRI_NO_BLOCK;
    stack[depth++] = 0;
    left[0] = edges_of(p, cfg, 0);
    cfg->rank[0] = 0;
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (!left[b]) {
            cfg->order[--at] = b;
            depth--;
            continue;
        }
        uint32_t to = target(p, cfg, b, --left[b]);
        if (to != IRI_NO_BLOCK && cfg->rank[to] == IRI_NO_BLOCK) {
            cfg->rank[to] = 0;
            left[to] = edges_of(p, cfg, to);
            stack[depth++] = to;
        }
    }
    cfg->reachable = cfg->count - at;
    memmove(cfg->order, cfg->order + at, cfg->reachable * sizeof *cfg->order);
    for (uint32_t b = 0, end = cfg->reachable; b < cfg->count; b++)
        if (cfg->rank[b] == IRI_NO_BLOCK)
            cfg->order[end++] = b;
    for (uint32_t i = 0; i < cfg->count; i++)
        cfg->rank[cfg->order[i]] = i;
}

static uint32_t intersect(const iri_cfg *cfg, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (cfg->rank[a] > cfg->rank[b])
            a = cfg->idom[a];
        while (cfg->rank[b] > cfg->rank[a])
            b = cfg->idom[b];
    }
    return a;
}

static void make_idoms(iri_cfg *cfg)
{
    for (uint32_t b = 0; b < cfg->count; b++)
        cfg->idom[b] = IRI_NO_BLOCK;
    cfg->idom[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < cfg->reachable; i++) {
            uint32_t b = cfg->order[i], idom = IRI_NO_BLOCK;
            for (uint32_t k = cfg->first_pred[b]; k < cfg->first_pred[b + 1]; k++) {
                uint32_t pred = cfg->preds[k];
                if (cfg->idom[pred] != IRI_NO_BLOCK)
                    idom = idom == IRI_NO_BLOCK ? pred : intersect(cfg, pred, idom);
            }
            changed |= idom != cfg->idom[b];
            cfg->idom[b] = idom;
        }
    }
}

void iri_cfg_make(iri_arena *arena, const iri_program *p, const iri_function *function,
                  iri_cfg *out)
{
    memset(out, 0, sizeof *out);
    out->first = function->body;
    out->count = function->block_count;
    assert(out->count > 0 && out->first + out->count <= p->region_count);
    out->order = iri_new_array(arena, uint32_t, out->count);
    out->rank = iri_new_array(arena, uint32_t, out->count);
    out->idom = iri_new_array(arena, uint32_t, out->count);
    make_preds(arena, p, out);
    make_order(arena, p, out);
    make_idoms(out);
}

bool iri_dominates(const iri_cfg *cfg, uint32_t a, uint32_t b)
{
    if (cfg->rank[a] >= cfg->reachable || cfg->rank[b] >= cfg->reachable)
        return false;
    while (cfg->rank[b] > cfg->rank[a])
        b = cfg->idom[b];
    return a == b;
}
