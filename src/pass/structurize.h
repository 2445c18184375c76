/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What structurize finds out about the graph of one function before it writes it as regions.
 */
#ifndef IRI_PASS_STRUCTURIZE_H
#define IRI_PASS_STRUCTURIZE_H

#include "ir/dom.h"
#include "pass/shape.h"

typedef struct iri_graph_block {
    uint32_t loop;  /* header of the innermost loop it is in, IRI_NO_BLOCK in none */
    uint32_t outer; /* a header: that of the loop around its own */
    uint32_t depth; /* a header: of its loop, from 1 on */
    bool is_header;
    bool
        is_labelled; /* reached by leaving a labelled operation: more than one way, or out of a loop */
    uint32_t inside, after; /* first labelled blocks written at its end and after its loop ... */
    uint32_t next;          /* ... linked by this, in falling order; IRI_NO_BLOCK ends */
    uint32_t label;         /* of the operation whose end leads to it */
    uint32_t loop_label;
} iri_graph_block;

typedef struct iri_graph {
    const iri_program *p;
    const iri_function *f;
    iri_cfg cfg;
    iri_graph_block *blocks;
    uint32_t *block_of; /* instruction -> block, for this function's */
    uint8_t *crosses;   /* value -> used outside a loop that it is made in */
    iri_id *local_of;   /* such a value -> a local of the result that holds it */
} iri_graph;

/* Fails with IRI_IRREDUCIBLE. The arrays by instruction and value are the caller's, for the whole program. */
void iri_graph_make(iri_graph *g, iri_ctx *ctx, iri_arena *scratch, const iri_program *p,
                    const iri_function *f);
/* Whether a block is in the loop of a header. */
bool iri_graph_is_in(const iri_graph *g, uint32_t block, uint32_t header);
/* The block a value is made in, IRI_NO_BLOCK for constants. */
uint32_t iri_graph_home(const iri_graph *g, iri_id value);
/* Whether a value must be loaded where `block` uses it. */
bool iri_graph_crosses(const iri_graph *g, iri_id value, uint32_t block);

#endif
