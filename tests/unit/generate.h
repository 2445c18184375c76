/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random valid programs for tests: the same seed gives the same program.
 */
#ifndef IRI_TESTS_UNIT_GENERATE_H
#define IRI_TESTS_UNIT_GENERATE_H

#include "ir/emit.h"

enum {
    GENERATE_CALLS = 1,   /* functions to call */
    GENERATE_LOCALS = 2,  /* plain locals and arrays */
    GENERATE_RESULTS = 4, /* region operations with results, loops with parameters */
    GENERATE_CFG = 8      /* the entry has CFG form, reducible */
};

/* Inputs 0..1 and outputs 0..1 are vec4<f32>. The builder's landing pad is the caller's. */
iri_program *generate_program(iri_ctx *ctx, iri_arena *scratch, uint64_t seed, uint32_t what);

#endif
