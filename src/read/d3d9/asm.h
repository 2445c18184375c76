/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The assembler of Direct3D 9 token streams: Microsoft's syntax, the listings of disasm.h included.
 */
#ifndef IRI_READ_D3D9_ASM_H
#define IRI_READ_D3D9_ASM_H

#include "base/buf.h"

/* Appends the token stream, little-endian words. Sets ctx->format and ctx->unit (static text). Fails with
 * INVALID_TEXT at a line and column. */
void iri_d3d9_assemble(iri_ctx *ctx, iri_buf *out, const char *text, size_t size);

#endif
