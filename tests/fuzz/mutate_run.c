/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A few invocations of each form on the same numbers, under small limits.
 */
#include "mutate_run.h"

#include "execute.h"
#include "fuzz.h"

enum { COUNT = 8, STEP_LIMIT = 20000 };

/* Whether it ran to its end; one that a limit stops, or that lacks state, says nothing. */
static bool run(const iri_program *p, const execute_numbers *n, execute_outcome *out,
                mutant_counts *counts)
{
    iri_refusal why = {0};
    if (execute_run(p, n, IRI_EXEC_OPTIONS(.width = 64), out, &why)) {
        counts->limited += out->status != IRI_OK;
        return out->status == IRI_OK;
    }
    iri_status_kind kind = iri_status_kind_of(why.status);
    if (kind != IRI_KIND_RESOURCE && kind != IRI_KIND_STATE)
        fprintf(stderr, "exec: %s\n", why.reason);
    MUST(kind == IRI_KIND_RESOURCE || kind == IRI_KIND_STATE);
    counts->limited += kind == IRI_KIND_RESOURCE;
    return false;
}

static void measure(const iri_program *p, const execute_outcome *out, mutant_counts *counts)
{
    const iri_interface *io = iri_program_interface(p);
    for (uint32_t i = 0; i < io->output_count; i++)
        for (uint32_t lane = 0; lane < IRI_TYPE_LANES(io->outputs[i].type); lane++) {
            bool varies = false;
            for (uint32_t n = 1; n < COUNT; n++)
                varies |= out->outputs[i][n][lane] != out->outputs[i][0][lane];
            counts->lanes++;
            counts->varying += varies;
        }
}

void mutant_execute(const iri_program *raw, const iri_program *lifted, const iri_state *state,
                    uint64_t seed, const iri_allocator *allocator, mutant_counts *counts)
{
    static execute_numbers numbers;
    static execute_outcome before, after;
    char what[200];
    const iri_interface *io = iri_program_interface(raw);
    if (io->input_count > EXECUTE_IO || io->output_count > EXECUTE_IO ||
        io->resource_count > EXECUTE_RESOURCES)
        return;
    if (!numbers.count)
        execute_fill_memory(&numbers,
                            1); /* the same for all: it would take longer than the mutant */
    numbers.count = COUNT;
    execute_fill_inputs(&numbers, raw, seed);
    numbers.step_limit = STEP_LIMIT;
    numbers.state = state;
    numbers.allocator = allocator;
    numbers.limits = &fuzz_limits;
    counts->executed++;
    if (!run(raw, &numbers, &before, counts) || !lifted)
        return;
    /* The lifted form may take fewer inputs; those of one name get the same numbers. */
    bool no_quads = numbers.no_quads;
    execute_fill_inputs(&numbers, lifted, seed);
    numbers.no_quads = no_quads;
    if (!run(lifted, &numbers, &after, counts))
        return;
    bool same = execute_same(raw, &before, lifted, &after, COUNT, what, sizeof what);
    if (!same)
        fprintf(stderr, "raw and lifted: %s\n", what);
    MUST(same);
    counts->compared++;
    measure(lifted, &after, counts);
}
