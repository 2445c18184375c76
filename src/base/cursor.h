/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A bounds-checked cursor over little-endian bytes: the only way hostile input is read. A read past
 * the end fails with MALFORMED_TRUNCATED at the offset where the bytes end, counted from the start
 * of the caller's input (`base` is where this cursor's bytes begin in it).
 */
#ifndef IRI_BASE_CURSOR_H
#define IRI_BASE_CURSOR_H

#include "base/ctx.h"

typedef struct iri_cursor {
    iri_ctx *ctx;
    const uint8_t *data;
    uint32_t size; /* input above 4 GiB is refused before a cursor is made */
    uint32_t at;
    uint32_t base;
} iri_cursor;

iri_cursor iri_cursor_make(iri_ctx *ctx, const void *data, size_t size, uint32_t base);
/* The `size` bytes at `at` as a cursor of their own; fails when they are not all there. */
iri_cursor iri_cursor_sub(const iri_cursor *cursor, uint32_t at, uint32_t size);

static inline uint32_t iri_cursor_left(const iri_cursor *cursor)
{
    return cursor->size - cursor->at;
}
static inline uint32_t iri_cursor_offset(const iri_cursor *cursor)
{
    return cursor->base + cursor->at;
}

uint8_t iri_read_u8(iri_cursor *cursor);
uint16_t iri_read_u16(iri_cursor *cursor);
uint32_t iri_read_u32(iri_cursor *cursor);
uint64_t iri_read_u64(iri_cursor *cursor);
const uint8_t *iri_read_bytes(iri_cursor *cursor, uint32_t size); /* borrowed from the input */
void iri_cursor_seek(iri_cursor *cursor, uint32_t at);            /* `at` may equal the size */
/* The word at byte `at`, without moving. */
uint32_t iri_peek_u32(const iri_cursor *cursor, uint32_t at);
/* The NUL-terminated string at `at`, without moving; borrowed. Fails when no NUL follows. */
const char *iri_peek_string(const iri_cursor *cursor, uint32_t at);

#endif
