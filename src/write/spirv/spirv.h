/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the SPIR-V writer offers to src/api.
 */
#ifndef IRI_WRITE_SPIRV_SPIRV_H
#define IRI_WRITE_SPIRV_SPIRV_H

#include "base/buf.h"
#include "ir/program.h"
#include "write/result.h"
#include <iridia/spirv.h>

/* Writes a program of structured form whose exits are of one level. Texts in `result` live in
 * `arena`. Fails as iri_write_spirv says. */
void iri_spirv_write(iri_ctx *ctx, iri_arena *arena, const iri_program *program,
                     const iri_spirv_options *options, iri_buf *out, iri_write_result *result);

#endif
