/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every fuzz target shares: the bounds on one run, and the invariants that hold for any program
 * that a reader made. A broken one aborts.
 */
#ifndef IRI_TESTS_FUZZ_H
#define IRI_TESTS_FUZZ_H

#include <iridia/iridia.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Makes a shader's bytes in `data` what the target takes, at most `capacity` bytes; the new size. */
size_t fuzz_seed(uint8_t *data, size_t size, size_t capacity);

#define MUST(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort(); \
        } \
    } while (0)

static const iri_limits fuzz_limits = {
    .memory = (size_t)64 << 20, .instructions = 20000, .output = (size_t)8 << 20};

/* A call says why it refused, and never that the fault is ours. */
static inline void must_refuse_well(iri_status status, const iri_refusal *why)
{
    MUST(status != IRI_OK);
    MUST(why->status == status);
    if (iri_status_kind_of(status) == IRI_KIND_BUG)
        fprintf(stderr, "%s\n", why->reason);
    MUST(iri_status_kind_of(status) != IRI_KIND_BUG);
    MUST(why->reason[0] != '\0');
}

/* Prints, parses back and prints again: the same text. Writes WGSL twice: the same text or refusal.
 * The program stays the caller's. */
static inline void must_hold(const iri_program *program)
{
    iri_refusal why = {0};
    iri_text first = {0}, second = {0};
    iri_program *parsed = NULL;
    iri_status status =
        iri_print_text(program, IRI_TEXT_OPTIONS(.limits = &fuzz_limits), &first, &why);
    if (status == IRI_OK) {
        status = iri_parse_text(first.data, first.size, IRI_TEXT_OPTIONS(.limits = &fuzz_limits),
                                &parsed, &why);
        if (status != IRI_OK)
            fprintf(stderr, "%s\n%.*s\n", why.reason, (int)first.size, first.data);
        MUST(status == IRI_OK);
        MUST(iri_print_text(parsed, IRI_TEXT_OPTIONS(.limits = &fuzz_limits), &second, &why) ==
             IRI_OK);
        MUST(first.size == second.size && !memcmp(first.data, second.data, first.size));
        iri_text_free(&second);
    } else {
        must_refuse_well(status, &why);
    }
    iri_text_free(&first);

    iri_status again;
    status = iri_write_wgsl(program, IRI_WGSL_OPTIONS(.limits = &fuzz_limits), &first, NULL, &why);
    if (status != IRI_OK)
        must_refuse_well(status, &why);
    again = iri_write_wgsl(parsed ? parsed : program, IRI_WGSL_OPTIONS(.limits = &fuzz_limits),
                           &second, NULL, &why);
    MUST(again == status);
    MUST(first.size == second.size);
    MUST(first.size == 0 || !memcmp(first.data, second.data, first.size));
    iri_text_free(&first);
    iri_text_free(&second);
    iri_program_free(parsed);
}

#endif
