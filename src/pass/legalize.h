/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * legalize's parts: legalize.c walks the program, legalize_helpers.c builds the small functions that it
 * calls.
 */
#ifndef IRI_PASS_LEGALIZE_H
#define IRI_PASS_LEGALIZE_H

#include "ir/facts/uniform.h"
#include "pass/pass.h"

/* Derivatives that stand in flow that is not uniform, and what was found for them before it. */
typedef struct iri_legal_flow {
    iri_uniform uniform; /* of the function in progress */
    bool active;         /* its stage has derivatives, and some stand so */
    iri_id *ddx, *ddy;   /* by old instruction: new values, or 0 */
} iri_legal_flow;

void iri_legalize_flow_begin(iri_legal_flow *flow, iri_arena *scratch, const iri_program *p,
                             iri_id function);
/* Before an op with regions is copied: computes, where flow is still uniform, the gradients that lookups
 * and derivatives inside need, as far as their coordinates can be known there. */
void iri_legalize_flow_enter(iri_legal_flow *flow, iri_rewrite *rw, iri_id inst);
/* Replaces a derivative or lookup for which that was done. */
iri_rewrite_action iri_legalize_flow_use(iri_legal_flow *flow, iri_rewrite *rw, iri_id inst);

/* Whether an operation is spelled out by a call of a helper. */
bool iri_legalize_has_helper(uint32_t op);

/* Adds the helper of an operation on f32 or f16, named for it: "mul_zero4", "mul_zero_f16_4". `result` is the
 * scalar of the result. */
iri_id iri_legalize_add_helper(iri_builder *b, iri_op op, iri_type type, iri_scalar result);

/* Rows of a constant buffer, the last perhaps not whole. */
static inline uint32_t iri_legalize_rows(uint32_t size)
{
    return size / 16 + (size % 16 != 0);
}
/* Bytes of a value in memory. */
static inline uint32_t iri_legalize_bytes(iri_type type)
{
    return IRI_TYPE_LANES(type) * iri_scalar_bits(IRI_TYPE_SCALAR(type)) / 8;
}
/* The lanes from `lane` on that are there or not as one: those in a word, of wider ones a lane. */
static inline iri_type iri_legalize_word_at(iri_type type, uint32_t lane)
{
    bool pair = iri_scalar_bits(IRI_TYPE_SCALAR(type)) == 16 && lane + 1 < IRI_TYPE_LANES(type);
    return IRI_TYPE(IRI_TYPE_SCALAR(type), pair ? 2 : 1);
}

/* Adds the helper that reads `type` at byte `byte` of a row of a constant buffer, its number the
 * argument; what is not there is zero. */
iri_id iri_legalize_add_row(iri_builder *b, uint32_t resource, iri_type type, uint32_t byte);

#endif
