/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The context of one public call: counted memory, the landing pad, and filling refusals. Without
 * setjmp (wasm32 builds define IRI_NO_SETJMP) a refusal traps after it was filled, and the host
 * reads it from the caller's memory.
 */
#include "base/ctx.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *default_alloc(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void default_free(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

void iri_ctx_init(iri_ctx *ctx, const iri_allocator *allocator, const iri_limits *limits,
                  iri_refusal *why)
{
    memset(ctx, 0, sizeof *ctx);
    if (allocator) {
        ctx->allocator = *allocator;
    } else {
        ctx->allocator.alloc = default_alloc;
        ctx->allocator.free = default_free;
    }
    if (limits)
        ctx->limits = *limits;
    if (!ctx->limits.memory)
        ctx->limits.memory = (size_t)256 << 20;
    if (!ctx->limits.instructions)
        ctx->limits.instructions = 1000000;
    if (!ctx->limits.nesting)
        ctx->limits.nesting = 256;
    if (!ctx->limits.output)
        ctx->limits.output = (size_t)64 << 20;
    ctx->why = why ? why : &ctx->own_why;
}

void *iri_ctx_alloc(iri_ctx *ctx, size_t size)
{
    if (ctx->memory > ctx->limits.memory || size > ctx->limits.memory - ctx->memory)
        iri_fail(ctx, IRI_LIMIT_MEMORY, IRI_NO_OFFSET, "%llu bytes more than the %llu held",
                 (unsigned long long)size, (unsigned long long)ctx->memory);
    void *memory = ctx->allocator.alloc(ctx->allocator.user, size ? size : 1);
    if (!memory)
        iri_fail(ctx, IRI_NO_MEMORY, IRI_NO_OFFSET, "no memory for %llu bytes",
                 (unsigned long long)size);
    ctx->allocations++;
    ctx->memory += size;
    if (ctx->memory > ctx->memory_peak)
        ctx->memory_peak = ctx->memory;
    return memory;
}

void iri_ctx_free(iri_ctx *ctx, void *memory, size_t size)
{
    if (!memory)
        return;
    ctx->allocator.free(ctx->allocator.user, memory, size ? size : 1);
    /* An object made by an earlier call was not counted in this one. */
    ctx->memory -= size < ctx->memory ? size : ctx->memory;
}

iri_status iri_protect(iri_ctx *ctx, void (*body)(iri_ctx *ctx, void *argument), void *argument)
{
#ifdef IRI_NO_SETJMP
    body(ctx, argument);
    return IRI_OK;
#else
    /* Locals set before setjmp and not after it keep their values (C11 7.13.2.1). */
    jmp_buf *const outer = ctx->pad;
    jmp_buf pad;
    ctx->pad = &pad;
    if (setjmp(pad) == 0) {
        body(ctx, argument);
        ctx->pad = outer;
        return IRI_OK;
    }
    ctx->pad = outer;
    return ctx->why->status;
#endif
}

static void copy_cut(char *to, size_t size, const char *from)
{
    size_t length = from ? strlen(from) : 0;
    bool cut = length >= size;
    if (cut)
        length = size - 1;
    for (size_t i = 0; i < length; i++) {
        /* Names in hostile input may hold anything; a refusal stays one line of plain text. */
        char c = from[i];
        to[i] = c >= 0x20 && c < 0x7f ? c : '?';
    }
    if (cut)
        memcpy(to + length - 3, "...", 3);
    to[length] = 0;
}

static void fill(iri_refusal *why, iri_status status, uint32_t offset, const char *format,
                 va_list arguments)
{
    /* Longer than the reason, so that copy_cut sees whether something is missing. */
    char text[sizeof why->reason + 8];
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = 0;
    memset(why, 0, sizeof *why);
    why->status = status;
    why->group = iri_status_name(status);
    why->offset = offset;
    copy_cut(why->reason, sizeof why->reason, text);
}

static _Noreturn void leave(iri_ctx *ctx)
{
    copy_cut(ctx->why->format, sizeof ctx->why->format, ctx->format);
    copy_cut(ctx->why->unit, sizeof ctx->why->unit, ctx->unit);
    copy_cut(ctx->why->path, sizeof ctx->why->path, ctx->path);
#ifdef IRI_NO_SETJMP
    __builtin_trap();
#else
    assert(ctx->pad && "iri_fail outside iri_protect");
    if (!ctx->pad)
        abort();
    longjmp(*ctx->pad, 1);
#endif
}

iri_status iri_refuse(iri_refusal *why, iri_status status, const char *format_name,
                      const char *reason, ...)
{
    if (why) {
        va_list arguments;
        va_start(arguments, reason);
        fill(why, status, IRI_NO_OFFSET, reason, arguments);
        va_end(arguments);
        copy_cut(why->format, sizeof why->format, format_name);
    }
    return status;
}

void iri_vfail(iri_ctx *ctx, iri_status status, uint32_t offset, const char *format,
               va_list arguments)
{
    assert(status != IRI_OK);
    fill(ctx->why, status, offset, format, arguments);
    leave(ctx);
}

void iri_fail(iri_ctx *ctx, iri_status status, uint32_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    assert(status != IRI_OK);
    fill(ctx->why, status, offset, format, arguments);
    va_end(arguments);
    leave(ctx);
}

void iri_fail_at(iri_ctx *ctx, iri_status status, uint32_t line, uint32_t column,
                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    assert(status != IRI_OK);
    fill(ctx->why, status, IRI_NO_OFFSET, format, arguments);
    va_end(arguments);
    ctx->why->line = line;
    ctx->why->column = column;
    leave(ctx);
}
