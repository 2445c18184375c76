/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entries of the text form.
 */
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
    print_call call = {.program = program, .offsets = !(options && options->no_offsets)};
    iri_ctx ctx;
    memset(out, 0, sizeof *out);
    iri_ctx_init(&ctx, options ? options->allocator : NULL, options ? options->limits : NULL, why);
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
