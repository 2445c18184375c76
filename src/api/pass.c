/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entry points of passes.
 */
#include "base/options.h"
#include "pass/pass.h"

static const struct {
    const char *name, *meaning;
} pass_rows[IRI_PASS_COUNT] = {
    {NULL, NULL},
#define IRI_PASS(id, name, meaning) {#name, meaning},
#include <iridia/passes.def>
#undef IRI_PASS
};

typedef struct apply {
    iri_pass_ctx pc;
    iri_arena scratch;
    iri_pass_id pass;
    const iri_program *program;
    iri_program *result;
} apply;

static void run(iri_ctx *ctx, void *argument)
{
    apply *a = argument;
    (void)ctx;
    a->result = iri_pass_run_one(&a->pc, a->pass, a->program);
}

iri_status iri_pass_apply(const iri_program *program, iri_pass_id pass,
                          const iri_pass_options *options, iri_program **out,
                          iri_pass_counts *counts, iri_refusal *why)
{
    iri_pass_options known;
    iri_pass_counts none = {0};
    iri_ctx ctx;
    apply a = {.pass = pass, .program = program};
    iri_take_options(&known, sizeof known, options);
    options = &known;
    if (!out || !program || pass <= IRI_PASS_NONE || pass >= IRI_PASS_COUNT)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_pass_apply: %s",
                          out && program ? "no such pass" : "an argument is NULL");
    *out = NULL;
    iri_ctx_init(&ctx, options->allocator, options->limits, why);
    ctx.format = program->provenance.format;
    ctx.unit = program->provenance.target;
    iri_arena_init(&a.scratch, &ctx);
    a.pc = (iri_pass_ctx){
        .ctx = &ctx, .scratch = &a.scratch, .options = options, .counts = counts ? counts : &none};
    iri_status status = iri_protect(&ctx, run, &a);
    iri_arena_free(&a.scratch);
    *out = a.result;
    return status;
}

const char *iri_pass_name(iri_pass_id pass)
{
    return pass > IRI_PASS_NONE && pass < IRI_PASS_COUNT ? pass_rows[pass].name : NULL;
}

const char *iri_pass_meaning(iri_pass_id pass)
{
    return pass > IRI_PASS_NONE && pass < IRI_PASS_COUNT ? pass_rows[pass].meaning : NULL;
}

iri_pass_id iri_pass_by_name(const char *name)
{
    for (int i = 1; name && i < IRI_PASS_COUNT; i++) {
        if (strcmp(pass_rows[i].name, name) == 0)
            return (iri_pass_id)i;
    }
    return IRI_PASS_NONE;
}
