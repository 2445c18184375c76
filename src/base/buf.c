/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Growing text or bytes, doubling. One byte more than asked for is always there for the NUL.
 */
#include "base/buf.h"

#include <stdio.h>
#include <string.h>

iri_str iri_str_of(const char *text)
{
    return (iri_str){text, strlen(text)};
}

bool iri_str_same(iri_str a, iri_str b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

size_t iri_print_uint(char text[IRI_UINT_TEXT], uint64_t value)
{
    char digits[IRI_UINT_TEXT];
    size_t at = sizeof digits, size;
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    size = sizeof digits - at;
    memcpy(text, digits + at, size);
    return size;
}

/* The capacity never lies above the limit on output and the NUL, so that what fits in it is allowed. */
void iri_buf_reserve(iri_buf *buf, size_t extra)
{
    iri_ctx *ctx = buf->ctx;
    if (buf->size > ctx->limits.output || extra > ctx->limits.output - buf->size)
        iri_fail(ctx, IRI_LIMIT_OUTPUT, IRI_NO_OFFSET, "more than %llu bytes of output",
                 (unsigned long long)ctx->limits.output);
    size_t needed = buf->size + extra + 1;
    if (needed <= buf->capacity)
        return;
    size_t capacity = buf->capacity < SIZE_MAX / 2 ? buf->capacity * 2 : SIZE_MAX;
    if (capacity < 256)
        capacity = 256;
    if (capacity > ctx->limits.output)
        capacity = ctx->limits.output + 1;
    if (capacity < needed)
        capacity = needed;
    char *data = iri_ctx_alloc(ctx, capacity);
    if (buf->size)
        memcpy(data, buf->data, buf->size);
    data[buf->size] = 0;
    iri_ctx_free(ctx, buf->data, buf->capacity);
    buf->data = data;
    buf->capacity = capacity;
}

void iri_buf_init(iri_buf *buf, iri_ctx *ctx)
{
    memset(buf, 0, sizeof *buf);
    buf->ctx = ctx;
}

void iri_buf_free(iri_buf *buf)
{
    iri_ctx_free(buf->ctx, buf->data, buf->capacity);
    iri_buf_init(buf, buf->ctx);
}

void iri_buf_str(iri_buf *buf, const char *text)
{
    iri_buf_bytes(buf, text, strlen(text));
}

void iri_buf_printf(iri_buf *buf, const char *format, ...)
{
    va_list arguments;
    iri_buf_reserve(buf, 0);
    size_t room = buf->capacity - buf->size;
    va_start(arguments, format);
    int length = vsnprintf(buf->data + buf->size, room, format, arguments);
    va_end(arguments);
    buf->data[buf->size] = 0; /* should the next line fail */
    if (length < 0)
        iri_fail(buf->ctx, IRI_INTERNAL, IRI_NO_OFFSET, "a text could not be formatted");
    iri_buf_reserve(buf, (size_t)length);
    /* Formatted again: the NUL above fell on the first byte, and the rest may not have fitted. */
    va_start(arguments, format);
    vsnprintf(buf->data + buf->size, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buf->size += (size_t)length;
}

void iri_buf_uint(iri_buf *buf, uint64_t value)
{
    char text[IRI_UINT_TEXT];
    iri_buf_bytes(buf, text, iri_print_uint(text, value));
}

void iri_buf_indent(iri_buf *buf, uint32_t spaces)
{
    if (spaces >= buf->capacity - buf->size)
        iri_buf_reserve(buf, spaces);
    memset(buf->data + buf->size, ' ', spaces);
    buf->size += spaces;
    buf->data[buf->size] = 0;
}

void iri_buf_finish(iri_buf *buf, iri_text *out)
{
    iri_buf_reserve(buf, 0); /* an empty text is NUL-terminated as well */
    out->data = buf->data;
    out->size = buf->size;
    out->capacity = buf->capacity;
    out->allocator = buf->ctx->allocator;
    /* The caller holds it now. */
    buf->ctx->memory -= buf->capacity < buf->ctx->memory ? buf->capacity : buf->ctx->memory;
    iri_buf_init(buf, buf->ctx);
}
