/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bounds-checked cursor. Words are put together from bytes, so that neither alignment nor the
 * machine's byte order matters.
 */
#include "base/cursor.h"

#include <string.h>

static _Noreturn void fail_end(const iri_cursor *cursor, uint32_t at, uint64_t needed)
{
    uint32_t left = at < cursor->size ? cursor->size - at : 0;
    iri_fail(cursor->ctx, IRI_MALFORMED_TRUNCATED, cursor->base + cursor->size,
             "%llu bytes needed at 0x%lx, %lu left", (unsigned long long)needed,
             (unsigned long)cursor->base + at, (unsigned long)left);
}

static const uint8_t *bytes_at(const iri_cursor *cursor, uint32_t at, uint32_t size)
{
    if (at > cursor->size || size > cursor->size - at)
        fail_end(cursor, at, size);
    return cursor->data + at;
}

static const uint8_t *take(iri_cursor *cursor, uint32_t size)
{
    const uint8_t *bytes = bytes_at(cursor, cursor->at, size);
    cursor->at += size;
    return bytes;
}

static uint32_t word(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

iri_cursor iri_cursor_make(iri_ctx *ctx, const void *data, size_t size, uint32_t base)
{
    static const uint8_t nothing[1] = {0};
    if (size > UINT32_MAX - base)
        iri_fail(ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET, "input of 4 GiB or more");
    /* No arithmetic on NULL, which an empty input may be. */
    return (iri_cursor){ctx, data ? data : nothing, data ? (uint32_t)size : 0, 0, base};
}

iri_cursor iri_cursor_sub(const iri_cursor *cursor, uint32_t at, uint32_t size)
{
    const uint8_t *bytes = bytes_at(cursor, at, size);
    return (iri_cursor){cursor->ctx, bytes, size, 0, cursor->base + at};
}

uint8_t iri_read_u8(iri_cursor *cursor)
{
    return *take(cursor, 1);
}

uint16_t iri_read_u16(iri_cursor *cursor)
{
    const uint8_t *b = take(cursor, 2);
    return (uint16_t)(b[0] | b[1] << 8);
}

uint32_t iri_read_u32(iri_cursor *cursor)
{
    return word(take(cursor, 4));
}

uint64_t iri_read_u64(iri_cursor *cursor)
{
    const uint8_t *b = take(cursor, 8);
    return word(b) | (uint64_t)word(b + 4) << 32;
}

const uint8_t *iri_read_bytes(iri_cursor *cursor, uint32_t size)
{
    return take(cursor, size);
}

void iri_cursor_seek(iri_cursor *cursor, uint32_t at)
{
    bytes_at(cursor, at, 0);
    cursor->at = at;
}

uint32_t iri_peek_u32(const iri_cursor *cursor, uint32_t at)
{
    return word(bytes_at(cursor, at, 4));
}

const char *iri_peek_string(const iri_cursor *cursor, uint32_t at)
{
    const uint8_t *text = bytes_at(cursor, at, 1);
    if (!memchr(text, 0, cursor->size - at))
        iri_fail(cursor->ctx, IRI_MALFORMED_TRUNCATED, cursor->base + cursor->size,
                 "the string at 0x%lx has no end", (unsigned long)cursor->base + at);
    return (const char *)text;
}
