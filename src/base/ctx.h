/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The context of one public call: its allocator, limits, and the one way out. Inside a reader, pass
 * or writer a fault is `iri_fail`, which does not return: it fills the caller's refusal and jumps
 * to the landing pad that the public entry set with `iri_protect`. That is safe because everything
 * lives in arenas that the entry frees; the idea is Lua's (ldo.c, lundump.c).
 */
#ifndef IRI_BASE_CTX_H
#define IRI_BASE_CTX_H

#include <iridia/refusal.h>
#include <stdarg.h>

#ifndef IRI_NO_SETJMP
#include <setjmp.h>
#endif

typedef struct iri_ctx {
    iri_allocator allocator;
    iri_limits limits; /* no zeros: iri_ctx_init filled in the defaults */
    iri_refusal *why;  /* never NULL: points at `own_why` when the caller gave none */
    const char *format, *unit, *path; /* copied into refusals; may be NULL */
    size_t memory, memory_peak;       /* bytes held through iri_ctx_alloc now, and at most */
    uint64_t allocations;
#ifndef IRI_NO_SETJMP
    jmp_buf *pad; /* the innermost landing pad; NULL outside iri_protect */
#endif
    iri_refusal own_why;
} iri_ctx;

/* `allocator`, `limits` and `why` may be NULL. */
void iri_ctx_init(iri_ctx *ctx, const iri_allocator *allocator, const iri_limits *limits,
                  iri_refusal *why);

/* Memory counted against the context's limit; fails instead of returning NULL. Not zeroed. */
void *iri_ctx_alloc(iri_ctx *ctx, size_t size);
void iri_ctx_free(iri_ctx *ctx, void *memory, size_t size);

/* Runs `body(ctx, argument)` with a landing pad around it. IRI_OK, or the status it failed with. */
iri_status iri_protect(iri_ctx *ctx, void (*body)(iri_ctx *ctx, void *argument), void *argument);

/* Refuses: `offset` in bytes from the start of the caller's input, or IRI_NO_OFFSET. */
_Noreturn void iri_fail(iri_ctx *ctx, iri_status status, uint32_t offset, const char *format, ...)
    IRI_PRINTF(4, 5);
_Noreturn void iri_vfail(iri_ctx *ctx, iri_status status, uint32_t offset, const char *format,
                         va_list arguments);
/* The same for text input. */
_Noreturn void iri_fail_at(iri_ctx *ctx, iri_status status, uint32_t line, uint32_t column,
                           const char *format, ...) IRI_PRINTF(5, 6);

/* Fills `why` without leaving: for code outside any pad. Returns `status`. `why` may be NULL. */
iri_status iri_refuse(iri_refusal *why, iri_status status, const char *format_name,
                      const char *reason, ...) IRI_PRINTF(4, 5);

#endif
