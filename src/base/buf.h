/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Growing text or bytes: what writers and printers append to. Counted against the context's output
 * limit. No float ever goes through printf: see base/number.h.
 */
#ifndef IRI_BASE_BUF_H
#define IRI_BASE_BUF_H

#include "base/ctx.h"
#include <string.h>

/* Text whose length is known; a NUL need not follow. */
typedef struct iri_str {
    const char *at;
    size_t size;
} iri_str;
#define IRI_STR(literal) ((iri_str){(literal), sizeof(literal) - 1})
#define IRI_STR_NONE ((iri_str){NULL, 0})

iri_str iri_str_of(const char *text); /* NUL-terminated */
bool iri_str_same(iri_str a, iri_str b);

/* memcpy for the short pieces that text is made of: where they end is known, so two moves that overlap do. */
static inline void iri_copy_text(char *to, const char *from, size_t size)
{
    if (size > 16) {
        memcpy(to, from, size);
    } else if (size >= 8) {
        memcpy(to, from, 8);
        memcpy(to + size - 8, from + size - 8, 8);
    } else if (size >= 4) {
        memcpy(to, from, 4);
        memcpy(to + size - 4, from + size - 4, 4);
    } else if (size) {
        to[0] = from[0];
        to[size / 2] = from[size / 2];
        to[size - 1] = from[size - 1];
    }
}

enum { IRI_UINT_TEXT = 20 /* bytes that hold any 64-bit number */ };
/* Decimal digits, without a NUL; returns how many. */
size_t iri_print_uint(char text[IRI_UINT_TEXT], uint64_t value);

typedef struct iri_buf {
    iri_ctx *ctx;
    char *data; /* always NUL-terminated once something was appended */
    size_t size, capacity;
} iri_buf;

void iri_buf_init(iri_buf *buf, iri_ctx *ctx);
void iri_buf_free(iri_buf *buf);
/* Makes room for `extra` bytes and a NUL, so that as many are appended without another allocation. */
void iri_buf_reserve(iri_buf *buf, size_t extra);
static inline void iri_buf_bytes(iri_buf *buf, const void *bytes, size_t size)
{
    if (size >= buf->capacity - buf->size) /* its last byte is the NUL's */
        iri_buf_reserve(buf, size);
    iri_copy_text(buf->data + buf->size, bytes, size);
    buf->size += size;
    buf->data[buf->size] = 0;
}
static inline void iri_buf_put(iri_buf *buf, iri_str text)
{
    iri_buf_bytes(buf, text.at, text.size);
}
static inline void iri_buf_char(iri_buf *buf, char c)
{
    iri_buf_bytes(buf, &c, 1);
}
void iri_buf_str(iri_buf *buf, const char *text);
void iri_buf_printf(iri_buf *buf, const char *format, ...) IRI_PRINTF(2, 3);
void iri_buf_uint(iri_buf *buf, uint64_t value); /* decimal, without printf's cost */
void iri_buf_indent(iri_buf *buf, uint32_t spaces);
/* Hands the contents to the caller as an iri_text (which takes over the memory); empties `buf`. */
void iri_buf_finish(iri_buf *buf, iri_text *out);

#endif
