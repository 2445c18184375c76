/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rewriting: a pass walks an old program and emits a new one through the builder. This copies what the
 * pass does not want to change. Values of the old program are looked up in a map; constants are copied on
 * demand.
 */
#ifndef IRI_IR_REWRITE_H
#define IRI_IR_REWRITE_H

#include "ir/emit.h"

typedef struct iri_rewrite iri_rewrite;

/* Called for each instruction before it is copied, the builder set to its source offset and flags; not for
 * code that has become dead. To replace it, emit what should stand there, map its
 * results with `iri_rewrite_set`, and return IRI_REWRITE_DONE. To copy it (with operands mapped, regions
 * rewritten) or drop it, return IRI_REWRITE_COPY or IRI_REWRITE_DROP. */
typedef enum iri_rewrite_action {
    IRI_REWRITE_COPY,
    IRI_REWRITE_DONE,
    IRI_REWRITE_DROP
} iri_rewrite_action;
typedef iri_rewrite_action iri_rewrite_fn(iri_rewrite *rw, iri_id inst);

/* What a rewrite calls, with rw->argument set to `argument`. */
typedef struct iri_hook {
    iri_rewrite_fn *visit;
    void *argument;
} iri_hook;

struct iri_rewrite {
    iri_builder *b;
    const iri_program *from;
    iri_arena *scratch;
    iri_id *values;        /* old value -> new value, 0 where none yet */
    uint32_t *labels;      /* old label -> new label */
    iri_id *locals;        /* old local -> new local */
    iri_id *functions;     /* old function -> new function */
    const iri_hook *hooks; /* asked in order, until one does not say IRI_REWRITE_COPY */
    uint32_t hook_count;
    iri_hook own;            /* that of iri_rewrite_init */
    void *argument;          /* the hook's own */
    iri_id function;         /* old function being rewritten */
    IRI_VEC(uint32_t) words; /* the rewriter's own */
};

/* `visit` NULL copies everything. */
void iri_rewrite_init(iri_rewrite *rw, iri_builder *b, const iri_program *from, iri_arena *scratch,
                      iri_rewrite_fn *visit, void *argument);
/* The same with several hooks, which have to live as long. */
void iri_rewrite_init_hooks(iri_rewrite *rw, iri_builder *b, const iri_program *from,
                            iri_arena *scratch, const iri_hook *hooks, uint32_t count);
/* What the hooks say of an instruction. */
iri_rewrite_action iri_rewrite_visit(iri_rewrite *rw, iri_id inst);
/* Everything: header, all functions (declared first, so that calls map), their locals and bodies. */
void iri_rewrite_program(iri_rewrite *rw);
/* The parts, for passes that do it piece by piece. `iri_rewrite_declare` makes the new functions. */
void iri_rewrite_declare(iri_rewrite *rw);
void iri_rewrite_function(iri_rewrite *rw, iri_id function);
/* The instructions of an old region into the open new one. */
void iri_rewrite_region(iri_rewrite *rw, iri_id region);
/* One instruction, copied (its regions rewritten through `visit`). */
void iri_rewrite_copy(iri_rewrite *rw, iri_id inst);
/* The new value for an old one. */
iri_id iri_rewrite_value(iri_rewrite *rw, iri_id old);
static inline void iri_rewrite_set(iri_rewrite *rw, iri_id old, iri_id value)
{
    rw->values[old] = value;
}

#endif
