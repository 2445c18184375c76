/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutable variables of a function being built, turned into SSA values as it is built. A *slot* is one lane of
 * one variable, and is at any point held by a lane of some value: a write only says which, a read gathers
 * its lanes. Where edges meet, the slots that someone said matter there (a *join*) are carried by values of
 * their own, several lanes of one variable together (a *web*); a log takes the map of slots back where a
 * region ends.
 *
 * Whether a slot was written is known only when all edges are: every join's slot is a node of a small
 * graph, told by the edges what reaches it, and reads are judged at the end.
 */
#ifndef IRI_IR_VARIABLES_H
#define IRI_IR_VARIABLES_H

#include "ir/gather.h"

/* Lanes of a variable that one result or parameter carries. */
typedef struct iri_web {
    uint32_t variable;
    uint8_t lanes; /* bit set */
} iri_web;

typedef struct iri_join {
    iri_web *webs;
    uint32_t web_count;
    uint32_t first_node; /* of its lanes' initialisation, in the order of the webs */
} iri_join;

/* What a variable is before anything writes it. */
enum { IRI_VARIABLE_UNSET, IRI_VARIABLE_SET, IRI_VARIABLE_ZERO, IRI_VARIABLE_JOINS };

typedef struct iri_holder {
    iri_id value; /* 0: zero */
    uint32_t node;
    uint8_t lane;
} iri_holder;

typedef struct iri_variable_undo {
    uint32_t slot;
    iri_holder before;
} iri_variable_undo;

typedef struct iri_variable_edge {
    uint32_t to, next;
} iri_variable_edge;

typedef struct iri_reading {
    uint32_t slot, node, offset;
} iri_reading;

typedef struct iri_variables {
    iri_builder *b;
    iri_arena *scratch;
    uint32_t count;
    uint8_t *scalars; /* of each variable */
    iri_holder *held; /* slot -> what holds it */
    IRI_VEC(iri_variable_undo) log;
    IRI_VEC(uint8_t) nodes;       /* MAY_BE_ */
    IRI_VEC(uint32_t) first_edge; /* of each node, into `edges`; 0 none */
    IRI_VEC(iri_variable_edge) edges;
    IRI_VEC(iri_reading) readings; /* of slots not known to be written */
} iri_variables;

/* Begins a function with `count` variables, none of which is written. */
void iri_variables_start(iri_variables *v, iri_builder *b, iri_arena *scratch, uint32_t count);
/* Its scalar, and IRI_VARIABLE_UNSET, SET or ZERO. */
void iri_variables_declare(iri_variables *v, uint32_t variable, iri_scalar scalar, uint32_t start);

/* The lanes as one value. `unneeded` is a bit set of places that nothing reads. */
iri_id iri_variables_read(iri_variables *v, uint32_t variable, iri_lanes lanes, uint32_t unneeded,
                          uint32_t offset);
void iri_variables_write(iri_variables *v, uint32_t variable, iri_lanes mask, iri_id value);

/* Where the log stands, and going back there. */
static inline uint32_t iri_variables_mark(const iri_variables *v)
{
    return v->log.count;
}
void iri_variables_take_back(iri_variables *v, uint32_t mark);

/* Before any edge leads to a join. */
void iri_variables_open(iri_variables *v, iri_join *join);
/* The values that an edge carries to a join, one a web. */
void iri_variables_carry(iri_variables *v, const iri_join *join, iri_id *values);
/* From here on these values hold the join's slots. */
void iri_variables_arrive(iri_variables *v, const iri_join *join, const iri_id *values);

/* Whether every lane read was written on every path, once all edges are known. */
bool iri_variables_are_written(iri_variables *v);
/* Refuses or notes readings of what is not written on every path, each slot once; `locals` are the
 * variables' names. */
void iri_variables_judge(iri_variables *v, const iri_local *locals, bool zero);

#endif
