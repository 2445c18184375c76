/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Content files of XNA and MonoGame (XNB) that hold an effect, plain or compressed.
 */
#ifndef IRI_READ_FX_XNB_H
#define IRI_READ_FX_XNB_H

#include "base/arena.h"
#include "base/cursor.h"
#include <iridia/effect.h>

/* .NET's number of up to 32 bits, seven a byte, the lowest first. */
uint32_t iri_read_packed(iri_cursor *in);

bool iri_is_xnb(const iri_cursor *file);
/* The effect's bytes. Fills `container`, `compression` and the bytes that offsets count in. */
iri_cursor iri_xnb_open(iri_ctx *ctx, iri_arena *arena, const iri_cursor *file, iri_effect *effect);

/* lzx.c: Microsoft's LZX with a window of 64 KiB, cut into blocks as XNA cuts it. Reads the cursor to its end
 * and fills all of `out`, or fails. */
void iri_lzx_unpack(iri_cursor *in, uint8_t *out, uint32_t size, iri_arena *scratch);
/* lz4.c: one block of LZ4. */
void iri_lz4_unpack(iri_cursor *in, uint8_t *out, uint32_t size);

#endif
