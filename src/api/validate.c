/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entry of the validator. What it found is copied out of the call's arena into one allocation.
 */
#include "ir/validate.h"

/* What iri_problems.memory points at, with items and texts behind it. */
typedef struct holding {
    iri_allocator allocator;
    size_t size;
    iri_problem items[];
} holding;

typedef struct call {
    const iri_program *program;
    uint32_t capabilities;
    iri_arena scratch;
    const iri_problem *found;
    uint32_t count;
    holding *held;
    bool keep;
} call;

static void keep(iri_ctx *ctx, call *c)
{
    size_t size = sizeof *c->held + c->count * sizeof *c->found;
    for (uint32_t i = 0; i < c->count; i++)
        size += strlen(c->found[i].text) + 1;
    c->held = iri_ctx_alloc(ctx, size);
    c->held->allocator = ctx->allocator;
    c->held->size = size;
    char *texts = (char *)&c->held->items[c->count];
    for (uint32_t i = 0; i < c->count; i++) {
        size_t length = strlen(c->found[i].text) + 1;
        c->held->items[i] = c->found[i];
        c->held->items[i].text = memcpy(texts, c->found[i].text, length);
        texts += length;
    }
}

static void body(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    c->scratch.ctx = ctx;
    c->count = iri_find_problems(&c->scratch, c->program, c->capabilities, &c->found);
    if (c->keep && c->count)
        keep(ctx, c);
}

iri_status iri_validate(const iri_program *program, uint32_t capabilities, iri_problems *problems,
                        iri_refusal *why)
{
    call c = {.program = program, .capabilities = capabilities, .keep = problems != NULL};
    iri_ctx ctx;
    if (problems)
        memset(problems, 0, sizeof *problems);
    iri_ctx_init(&ctx, &program->allocator, NULL, why);
    iri_arena_init(&c.scratch, &ctx);
    iri_status status = iri_protect(&ctx, body, &c);
    if (status == IRI_OK && c.count) {
        status = iri_refuse(why, IRI_INVALID_PROGRAM, "iridia-ir", "%s", c.found[0].text);
        if (why)
            why->offset = c.found[0].offset;
    }
    iri_arena_free(&c.scratch);
    if (c.held) {
        problems->items = c.held->items;
        problems->count = c.count;
        problems->memory = c.held;
    }
    return status;
}

void iri_problems_free(iri_problems *problems)
{
    if (!problems)
        return;
    holding *held = problems->memory;
    if (held) {
        iri_allocator allocator = held->allocator;
        allocator.free(allocator.user, held, held->size);
    }
    memset(problems, 0, sizeof *problems);
}
