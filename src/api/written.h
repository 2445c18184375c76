/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the public entries of all writers do alike: refusing state that nobody gave, and handing over names and
 * notes in one block of the caller's.
 */
#ifndef IRI_API_WRITTEN_H
#define IRI_API_WRITTEN_H

#include "ir/program.h"
#include <iridia/write.h>

/* A state that nobody gave is refused by name, before anything is written. */
void iri_require_states(iri_ctx *ctx, const iri_program *p);

/* Copies of names and notes with their texts, in one block. */
typedef struct iri_written {
    iri_emitted_name *names;
    iri_note *notes;
    void *memory; /* for iri_written_free */
} iri_written;
iri_written iri_written_copy(iri_ctx *ctx, const iri_emitted_name *names, size_t name_count,
                             const iri_note *notes, size_t note_count);
/* NULL is allowed. */
void iri_written_free(void *memory);

#endif
