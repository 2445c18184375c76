/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What numbers the lanes of f32 values can be: a range, and whether NaN, zero and minus zero occur. One
 * walk over the program in order; a loop's parameters, and whatever comes from outside, can be anything.
 */
#ifndef IRI_IR_FACTS_FINITE_H
#define IRI_IR_FACTS_FINITE_H

#include "ir/program.h"

/* A lane that is not NaN lies between `low` and `high`. */
typedef struct iri_range {
    float low, high;
    bool nan;        /* may be NaN */
    bool minus_zero; /* may be -0 */
} iri_range;

typedef struct iri_finite {
    iri_range (*lanes)[4]; /* of each value; anything for those that are not f32 */
} iri_finite;

void iri_find_finite(iri_arena *arena, const iri_program *program, iri_finite *out);

/* Neither NaN nor infinite. */
bool iri_range_is_finite(const iri_range *r);
/* Not zero, nor so near that a target may flush it to zero. NaN counts as not zero. */
bool iri_range_is_nonzero(const iri_range *r);
/* The sign bit is clear, NaN aside. */
bool iri_range_is_positive(const iri_range *r);

#endif
