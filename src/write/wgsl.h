/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the WGSL writer offers to src/api.
 */
#ifndef IRI_WRITE_WGSL_H
#define IRI_WRITE_WGSL_H

#include "base/buf.h"
#include "ir/program.h"
#include "write/result.h"

/* Writes a legalized program of structured form. Texts in `result` live in `arena`. Fails as iri_write_wgsl says. */
void iri_wgsl_write(iri_ctx *ctx, iri_arena *arena, const iri_program *program,
                    const iri_wgsl_options *options, iri_buf *out, iri_write_result *result);

#endif
