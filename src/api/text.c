/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entries of the text form.
 */
#include "base/options.h"
#include "ir/parse.h"
#include "ir/print.h"
#include <iridia/text.h>

typedef struct print_call {
    const iri_program *program;
    bool offsets;
    iri_arena scratch;
    iri_buf buf;
} print_call;

static void print_body(iri_ctx *ctx, void *argument)
{
    print_call *call = argument;
    (void)ctx;
    iri_print_program(&call->buf, &call->scratch, call->program, call->offsets);
}

iri_status iri_print_text(const iri_program *program, const iri_text_options *options,
                          iri_text *out, iri_refusal *why)
{
    print_call call = {.program = program};
    iri_text_options known;
    iri_ctx ctx;
    if (!program || !out)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_print_text: an argument is NULL");
    memset(out, 0, sizeof *out);
    iri_take_options(&known, sizeof known, options);
    call.offsets = !known.no_offsets;
    iri_ctx_init(&ctx, known.allocator, known.limits, why);
    ctx.format = "iridia-ir";
    iri_arena_init(&call.scratch, &ctx);
    iri_buf_init(&call.buf, &ctx);
    iri_status status = iri_protect(&ctx, print_body, &call);
    iri_arena_free(&call.scratch);
    if (status == IRI_OK)
        iri_buf_finish(&call.buf, out);
    else
        iri_buf_free(&call.buf);
    return status;
}

typedef struct parse_call {
    const char *text;
    size_t size;
    iri_arena scratch;
    iri_builder *builder;
    iri_program *program;
} parse_call;

static void parse_body(iri_ctx *ctx, void *argument)
{
    parse_call *call = argument;
    call->program = iri_parse_program(ctx, &call->scratch, call->text, call->size, &call->builder);
}

iri_status iri_parse_text(const char *text, size_t size, const iri_text_options *options,
                          iri_program **out, iri_refusal *why)
{
    parse_call call = {.text = text, .size = size};
    iri_text_options known;
    iri_ctx ctx;
    if (!out || (!text && size))
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_parse_text: an argument is NULL");
    *out = NULL;
    iri_take_options(&known, sizeof known, options);
    if (size > UINT32_MAX)
        return iri_refuse(why, IRI_INVALID_TEXT, "iridia-ir", "more than 4 GiB of text");
    iri_ctx_init(&ctx, known.allocator, known.limits, why);
    ctx.format = "iridia-ir";
    iri_arena_init(&call.scratch, &ctx);
    iri_status status = iri_protect(&ctx, parse_body, &call);
    if (status == IRI_OK)
        *out = call.program;
    else
        iri_builder_discard(call.builder);
    iri_arena_free(&call.scratch);
    return status;
}
