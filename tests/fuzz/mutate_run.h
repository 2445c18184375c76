/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Executing a mutant as it was read and as it was lifted, which have to agree.
 */
#ifndef IRI_TESTS_FUZZ_MUTATE_RUN_H
#define IRI_TESTS_FUZZ_MUTATE_RUN_H

#include <iridia/iridia.h>

typedef struct mutant_counts {
    uint64_t executed, limited,
        compared;            /* mutants run, stopped at a limit, run in both forms to the end */
    uint64_t lanes, varying; /* of outputs, of what was compared */
} mutant_counts;

/* `lifted` may be NULL. Aborts where they differ, and on a refusal that is no limit's. */
void mutant_execute(const iri_program *raw, const iri_program *lifted, const iri_state *state,
                    uint64_t seed, const iri_allocator *allocator, mutant_counts *counts);

#endif
