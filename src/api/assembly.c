/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entries of assembly in Microsoft's syntax.
 */
#include "base/options.h"
#include "read/d3d9/asm.h"
#include "read/d3d9/disasm.h"
#include <iridia/assembly.h>

typedef struct list_call {
    const void *bytes;
    size_t size;
    iri_disassemble_options options;
    iri_arena scratch;
    iri_buf buf;
} list_call;

static void list_body(iri_ctx *ctx, void *argument)
{
    list_call *call = argument;
    const iri_d3d9_shader *shader =
        iri_d3d9_decode(ctx, &call->scratch, call->bytes, call->size, 0);
    iri_d3d9_disassemble(&(iri_d3d9_listing){.ctx = ctx,
                                             .scratch = &call->scratch,
                                             .buf = &call->buf,
                                             .comments = call->options.comments,
                                             .on_line = call->options.on_line,
                                             .user = call->options.user},
                         shader);
}

iri_status iri_disassemble(const void *bytes, size_t size, const iri_disassemble_options *options,
                           iri_text *out, iri_refusal *why)
{
    list_call call = {.bytes = bytes, .size = size};
    iri_ctx ctx;
    if (!out || (!bytes && size))
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_disassemble: an argument is NULL");
    memset(out, 0, sizeof *out);
    iri_take_options(&call.options, sizeof call.options, options);
    iri_ctx_init(&ctx, call.options.allocator, call.options.limits, why);
    iri_arena_init(&call.scratch, &ctx);
    iri_buf_init(&call.buf, &ctx);
    iri_status status = iri_protect(&ctx, list_body, &call);
    iri_arena_free(&call.scratch);
    if (status == IRI_OK)
        iri_buf_finish(&call.buf, out);
    else
        iri_buf_free(&call.buf);
    return status;
}

typedef struct assemble_call {
    const char *text;
    size_t size;
    iri_buf buf;
} assemble_call;

static void assemble_body(iri_ctx *ctx, void *argument)
{
    assemble_call *call = argument;
    iri_d3d9_assemble(ctx, &call->buf, call->text, call->size);
}

iri_status iri_assemble(const char *text, size_t size, const iri_assemble_options *options,
                        iri_text *out, iri_refusal *why)
{
    assemble_call call = {.text = text, .size = size};
    iri_assemble_options known;
    iri_ctx ctx;
    if (!out || (!text && size))
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_assemble: an argument is NULL");
    memset(out, 0, sizeof *out);
    iri_take_options(&known, sizeof known, options);
    if (size > UINT32_MAX)
        return iri_refuse(why, IRI_INVALID_TEXT, "d3d9-asm", "more than 4 GiB of text");
    iri_ctx_init(&ctx, known.allocator, known.limits, why);
    iri_buf_init(&call.buf, &ctx);
    iri_status status = iri_protect(&ctx, assemble_body, &call);
    if (status == IRI_OK)
        iri_buf_finish(&call.buf, out);
    else
        iri_buf_free(&call.buf);
    return status;
}
