/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a program means the same everywhere here: printed and parsed, executed, interpreted, folded, after each
 * pass, and written.
 */
#ifndef IRI_TESTS_FUZZ_AGREE_H
#define IRI_TESTS_FUZZ_AGREE_H

#include <iridia/iridia.h>

typedef struct agree_counts {
    uint64_t programs, runs, lanes;
    uint64_t float_lanes, finite_lanes;   /* of outputs */
    uint64_t output_lanes, varying_lanes; /* between invocations */
    uint64_t insts, needed_insts;         /* before and after dce */
    uint64_t interpreted, folded;         /* programs */
    uint64_t folded_insts, folded_left;   /* before folding, and after */
    uint64_t passes, passes_changed;
    uint64_t step_limits, demoted;
    uint64_t wgsl, spirv, wgsl_refused, spirv_refused;
    uint64_t refused[IRI_STATUS_COUNT]; /* by the writers */
} agree_counts;

enum { AGREE_WHAT = 600 };

/* Runs everything on numbers that `seed` gives. False when something differs or refuses that should not: `what`
 * then begins with the step, up to a colon. `counts` are added to. */
bool agree_check(const iri_program *program, uint64_t seed, agree_counts *counts,
                 char what[AGREE_WHAT]);

/* Writes the program's WGSL and SPIR-V, as far as it is not refused, into FOLDER/NUMBER.wgsl and .spv. */
void agree_keep(const iri_program *program, const char *folder, uint64_t number);

#endif
