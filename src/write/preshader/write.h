/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preshaders written as straight-line code: a module of functions in C, JavaScript or WGSL.
 */
#ifndef IRI_WRITE_PRESHADER_WRITE_H
#define IRI_WRITE_PRESHADER_WRITE_H

#include "base/arena.h"
#include "base/buf.h"
#include "ir/program.h"
#include <iridia/preshader.h>

/* Fails with UNWRITABLE. */
void iri_preshader_write(iri_ctx *ctx, iri_arena *scratch, iri_buf *out,
                         iri_preshader_language language, const iri_preshader_function *functions,
                         size_t count);

#endif
