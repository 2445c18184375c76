/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the WGSL writer offers to src/api.
 */
#ifndef IRI_WRITE_WGSL_H
#define IRI_WRITE_WGSL_H

#include "base/buf.h"
#include "ir/program.h"
#include <iridia/write.h>

/* A name and a note as the writer collects them, in its arena. */
typedef struct iri_wgsl_result {
    IRI_VEC(iri_emitted_name) names;
    IRI_VEC(iri_note) notes;
    uint32_t features_needed;
    iri_buf declarations, functions; /* parts of the text in progress: the caller's to free */
} iri_wgsl_result;

/* Writes a legalized program of structured form. Texts in `result` live in `arena`. Fails as iri_write_wgsl says. */
void iri_wgsl_write(iri_ctx *ctx, iri_arena *arena, const iri_program *program,
                    const iri_wgsl_options *options, iri_buf *out, iri_wgsl_result *result);

#endif
