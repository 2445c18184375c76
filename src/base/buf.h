/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Growing text or bytes: what writers and printers append to. Counted against the context's output
 * limit. No float ever goes through printf: see base/number.h.
 */
#ifndef IRI_BASE_BUF_H
#define IRI_BASE_BUF_H

#include "base/ctx.h"

typedef struct iri_buf {
    iri_ctx *ctx;
    char *data; /* always NUL-terminated once something was appended */
    size_t size, capacity;
} iri_buf;

void iri_buf_init(iri_buf *buf, iri_ctx *ctx);
void iri_buf_free(iri_buf *buf);
void iri_buf_bytes(iri_buf *buf, const void *bytes, size_t size);
void iri_buf_char(iri_buf *buf, char c);
void iri_buf_str(iri_buf *buf, const char *text);
void iri_buf_printf(iri_buf *buf, const char *format, ...) IRI_PRINTF(2, 3);
void iri_buf_uint(iri_buf *buf, uint64_t value); /* decimal, without printf's cost */
void iri_buf_indent(iri_buf *buf, uint32_t spaces);
/* Hands the contents to the caller as an iri_text (which takes over the memory); empties `buf`. */
void iri_buf_finish(iri_buf *buf, iri_text *out);

#endif
