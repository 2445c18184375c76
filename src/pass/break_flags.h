/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What break_flags decides before it writes: what becomes of each region operation, and which exits
 * pass through it.
 */
#ifndef IRI_PASS_BREAK_FLAGS_H
#define IRI_PASS_BREAK_FLAGS_H

#include "pass/shape.h"

/* What a region operation is in the result. */
typedef enum iri_flags_shape {
    IRI_FLAGS_IF,     /* an `if` */
    IRI_FLAGS_LOOP,   /* a loop, or a block that becomes one */
    IRI_FLAGS_SWITCH, /* a switch, or a block that becomes one of a default only */
    IRI_FLAGS_SUNK    /* a block whose exits become ends of nested arms */
} iri_flags_shape;

/* An exit of more than one level: `op` is the break's or continue's target. */
typedef struct iri_flags_exit {
    iri_id op;
    bool continues;
    uint32_t *places; /* of its values among the operation's */
} iri_flags_exit;

typedef struct iri_flags_op {
    uint8_t shape;            /* iri_flags_shape */
    uint32_t open_count;      /* of a sunk block: how many operations are open around it */
    bool completes;           /* some edge of the old program leads to its end */
    uint32_t start, end;      /* of its inside, in order of appearance */
    IRI_VEC(uint32_t) breaks; /* places of the breaks to it, ascending */
    IRI_VEC(iri_flags_exit) exits;
    IRI_VEC(iri_type) values; /* what its end carries: its results, then what exits need beyond */
} iri_flags_op;

typedef struct iri_flags_plan {
    const iri_program *p;
    iri_arena *scratch;
    iri_flags_op *ops; /* of each instruction */
    iri_id *label_ops;
    uint32_t place;               /* counts instructions in order of appearance */
    IRI_VEC(uint32_t) continues;  /* places of all continues, ascending ... */
    IRI_VEC(iri_id) continue_ops; /* ... and where they lead */
    IRI_VEC(iri_id) open;         /* operations around, outermost first, but ifs and sunk blocks */
} iri_flags_plan;

/* Where the rest of a sunk block goes on: after `index` of `region`, the results of `op` known. */
typedef struct iri_flags_rest {
    const struct iri_flags_rest *next;
    const iri_inst *op;
    iri_id region;
    uint32_t index;
} iri_flags_rest;

/* Whether a program has a block, or an exit of more than one level. */
bool iri_flags_are_needed(const iri_program *p);
void iri_flags_make(iri_flags_plan *plan, const iri_program *p, iri_arena *scratch);
/* Whether `op`, or something inside it, breaks to `block`. */
bool iri_flags_breaks_to(const iri_flags_plan *plan, iri_id op, iri_id block);
/* How many values a break or continue to `op` carries, the type of value `index`. */
uint32_t iri_flags_arity(const iri_program *p, iri_id op, bool continues);
iri_type iri_flags_type(const iri_program *p, iri_id op, bool continues, uint32_t index);
/* Whether an exit is direct where the innermost operations around are `open`, `count` of them. */
bool iri_flags_is_direct(const iri_flags_plan *plan, const iri_id *open, uint32_t count, iri_id op,
                         bool continues);

#endif
