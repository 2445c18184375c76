/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Uniformity as WGSL's analysis sees it (WGSL section 15.2): which values may differ between the
 * invocations of a draw, and which instructions may be come to by some of them only. Derivatives and
 * lookups with implicit derivatives must not stand there.
 */
#ifndef IRI_IR_FACTS_UNIFORM_H
#define IRI_IR_FACTS_UNIFORM_H

#include "base/bitset.h"
#include "ir/program.h"

typedef struct iri_uniform {
    iri_bitset varying;  /* values that may differ */
    iri_bitset diverged; /* instructions that may be come to by some invocations only */
    iri_bitset locals;   /* local variables whose contents may differ */
} iri_uniform;

/* Looks at one function of structured form and no multi-level exits other than those `break` and `continue`
 * have by themselves. Parameters are taken to differ unless `uniform_parameters`. The sets are indexed by
 * the program's ids. */
void iri_find_uniform(iri_arena *arena, const iri_program *program, iri_id function,
                      bool uniform_parameters, iri_uniform *out);

#endif
