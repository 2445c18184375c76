/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lanes of a variable one value carries along edges (ir/variables.h). Walking forwards, every write gives
 * its lanes a token; lanes that one write wrote together on some edge to a join share a web there.
 */
#ifndef IRI_IR_WEBS_H
#define IRI_IR_WEBS_H

#include "ir/variables.h"

/* The lanes of a variable that edges to one place carry, while they are grouped. */
typedef struct iri_join_lanes {
    uint32_t variable;
    uint8_t lanes;    /* bit set */
    uint8_t class[4]; /* lanes of one class share a web */
} iri_join_lanes;

typedef struct iri_join_plan {
    iri_join_lanes *at; /* ascending */
    uint32_t count;
} iri_join_plan;

typedef struct iri_webs {
    iri_arena *scratch;
    uint32_t *token;        /* slot -> what wrote it last */
    IRI_VEC(uint32_t) undo; /* slot, token before, ... */
    uint32_t next_token;
} iri_webs;

void iri_webs_start(iri_webs *w, iri_arena *scratch, uint32_t variables);
/* A write of a bit set of lanes. */
void iri_webs_write(iri_webs *w, uint32_t variable, uint32_t lanes);

/* Where the tokens stand, and going back there. */
static inline uint32_t iri_webs_mark(const iri_webs *w)
{
    return w->undo.count;
}
void iri_webs_take_back(iri_webs *w, uint32_t mark);

/* Empties a plan that is zero or was used before for as many `variables` or more. */
void iri_webs_plan(iri_webs *w, iri_join_plan *plan, uint32_t variables);
/* Lanes of a variable not below the last one added. */
void iri_webs_add(iri_join_plan *plan, uint32_t variable, uint32_t lanes);
/* An edge leads to the join from here. */
void iri_webs_edge(const iri_webs *w, iri_join_plan *plan);
/* From here on the join is what wrote its lanes, each class of them together. */
void iri_webs_arrive(iri_webs *w, const iri_join_plan *plan);
/* The classes as webs, when all edges are known. */
void iri_webs_finish(iri_webs *w, const iri_join_plan *plan, iri_join *join);

#endif
