/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of a CFG function: its edges, an order of its blocks, and dominators. Blocks are counted from 0
 * here: block i is the region `first + i`.
 */
#ifndef IRI_IR_DOM_H
#define IRI_IR_DOM_H

#include "ir/program.h"

#define IRI_NO_BLOCK UINT32_MAX

/* One edge of a terminator: where it goes and what it gives the block's parameters. */
typedef struct iri_cfg_edge {
    iri_id block;
    const uint32_t *arguments;
    uint32_t count;
    uint32_t value;  /* of a br.switch case */
    bool is_default; /* of a br.switch */
} iri_cfg_edge;

/* How many edges a terminator of CFG form has, 0 for others. */
uint32_t iri_cfg_edge_count(const iri_inst *in);
/* Edge `index`, or false when the instruction's words do not hold it. br.if: 0 is the edge taken when true;
 * br.switch: 0 is the default. */
bool iri_cfg_get_edge(const iri_program *p, const iri_inst *in, uint32_t index, iri_cfg_edge *out);

typedef struct iri_cfg {
    iri_id first;
    uint32_t count;
    uint32_t *order;    /* reachable blocks in reverse postorder, then the others as they stand */
    uint32_t reachable; /* how many of `order` are */
    uint32_t *rank;     /* block -> its place in `order` */
    uint32_t *
        idom; /* block -> immediate dominator; the entry's is itself; IRI_NO_BLOCK if unreachable */
    uint32_t *preds;      /* predecessors, reachable or not, one per edge ... */
    uint32_t *first_pred; /* ... those of block i from first_pred[i] to first_pred[i + 1] */
} iri_cfg;

/* Safe on broken programs: edges that leave the function are ignored. */
void iri_cfg_make(iri_arena *arena, const iri_program *p, const iri_function *function,
                  iri_cfg *out);
/* Whether every path to reachable block `b` passes `a`; a block dominates itself. */
bool iri_dominates(const iri_cfg *cfg, uint32_t a, uint32_t b);

#endif
