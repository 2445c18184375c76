/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * legalize's parts: legalize.c walks the program, legalize_helpers.c builds the small functions that it
 * calls.
 */
#ifndef IRI_PASS_LEGALIZE_H
#define IRI_PASS_LEGALIZE_H

#include "pass/pass.h"

/* Whether an operation is spelled out by a call of a helper. */
bool iri_legalize_has_helper(uint32_t op);

/* Adds the helper of an operation on f32 of `lanes` lanes, named for it: "mul_zero4". `result` is the
 * scalar of the result. */
iri_id iri_legalize_add_helper(iri_builder *b, iri_op op, uint32_t lanes, iri_scalar result);

/* Adds the helper that reads `type` at byte `byte` of a row of a constant buffer, its number the
 * argument; what is not there is zero. */
iri_id iri_legalize_add_row(iri_builder *b, uint32_t resource, iri_type type, uint32_t byte);

#endif
