/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs passes: one, or a list of which each takes what the one before made. In debug and test builds the
 * validator looks at every result.
 */
#include "pass/pass.h"
#include "pass/shape.h"
#include "base/ctx.h"
#include "ir/validate.h"

static iri_pass_fn *const pass_functions[IRI_PASS_COUNT] = {
    NULL,
#define IRI_PASS(id, name, meaning) iri_pass_##name,
#include <iridia/passes.def>
#undef IRI_PASS
};

#ifndef NDEBUG
static const char *const pass_names[IRI_PASS_COUNT] = {
    NULL,
#define IRI_PASS(id, name, meaning) #name,
#include <iridia/passes.def>
#undef IRI_PASS
};
#endif

iri_builder *iri_pass_make_builder(iri_pass_ctx *pc, const iri_program *program, uint32_t flags)
{
    assert(!pc->builder);
    pc->builder = iri_builder_make(pc->ctx, pc->scratch, program->stage, flags | pc->build);
    iri_builder_expect(pc->builder, program);
    return pc->builder;
}

/* Fails again as the landing pad was told. */
static _Noreturn void fail_again(iri_ctx *ctx, iri_status status)
{
    char reason[sizeof ctx->why->reason];
    memcpy(reason, ctx->why->reason, sizeof reason);
    iri_fail(ctx, status, ctx->why->offset, "%s", reason);
}

iri_program *iri_pass_copy(iri_pass_ctx *pc, const iri_program *program, uint32_t flags)
{
    iri_rewrite rw;
    iri_builder *b = iri_pass_make_builder(pc, program, flags);
    iri_rewrite_init(&rw, b, program, pc->scratch, NULL, NULL);
    iri_rewrite_program(&rw);
    iri_program *copy = iri_shape_finish(&rw);
    copy->built |= program->built; /* nothing new was built */
    pc->builder = NULL;
    return pc->copy = copy;
}

static void free_program(iri_pass_ctx *pc, iri_program *program)
{
    /* The program lies in its own arena; its memory no longer counts against the call's limit. */
    iri_arena arena = program->arena;
    arena.ctx = pc->ctx;
    iri_arena_free(&arena);
}

/* ---- rewrites that passes share ---- */

enum { HOOKS_MAX = 8 };

static iri_hook_fn *const hooks_of[IRI_PASS_COUNT] = {
    [IRI_PASS_FOLD] = iri_hook_fold,
    [IRI_PASS_IF_TO_SELECT] = iri_hook_if_to_select,
};

iri_program *iri_pass_run_hooks(iri_pass_ctx *pc, const iri_program *program,
                                iri_hook_fn *const *hooks, size_t count)
{
    iri_hook made[HOOKS_MAX];
    uint32_t used = 0;
    iri_rewrite rw;
    assert(count <= HOOKS_MAX);
    for (size_t i = 0; i < count; i++)
        used += hooks[i](pc, program, &made[used]);
    if (used == 0)
        return NULL;
    iri_builder *b = iri_pass_make_builder(pc, program, IRI_BUILD_OPTIMISE);
    iri_rewrite_init_hooks(&rw, b, program, pc->scratch, made, used);
    iri_rewrite_program(&rw);
    return iri_shape_finish(&rw);
}

/* ---- the runner ---- */

typedef struct iri_pass_run {
    iri_pass_ctx *pc;
    const iri_pass_id *passes;
    size_t count;
    iri_program *program; /* of the pass that ran last, to be freed when `owned` */
    bool owned;
    bool own; /* the caller is promised a program of its own */
} iri_pass_run;

/* As many of the passes as go together, from `passes` on; returns how many. */
static size_t run_some(iri_pass_ctx *pc, iri_pass_run *run, const iri_pass_id *passes, size_t left)
{
    iri_hook_fn *hooks[HOOKS_MAX];
    size_t count = 0;
    while (count < left && count < HOOKS_MAX && hooks_of[passes[count]]) {
        hooks[count] = hooks_of[passes[count]];
        count++;
    }
    pc->own = run->owned ? run->program : NULL;
    iri_program *result = count ? iri_pass_run_hooks(pc, run->program, hooks, count)
                                : pass_functions[passes[0]](pc, run->program);
    count += count == 0;
    pc->builder = NULL;
    pc->copy = NULL;
    iri_arena_reset(pc->scratch);
    if (!result)
        return count;
    if (run->owned && result != run->program)
        free_program(pc, run->program);
    run->program = result;
    run->owned = true;
#ifndef NDEBUG
    const iri_problem *problems;
    if (iri_find_problems(pc->scratch, result, IRI_CAN_ALL, &problems))
        iri_fail(pc->ctx, IRI_INTERNAL, problems[0].offset,
                 "the pass %s made an invalid program: %s", pass_names[passes[0]],
                 problems[0].text);
    iri_arena_reset(pc->scratch);
#endif
    return count;
}

static void run_passes(iri_ctx *ctx, void *argument)
{
    iri_pass_run *run = argument;
    (void)ctx;
    for (size_t i = 0; i < run->count;)
        i += run_some(run->pc, run, run->passes + i, run->count - i);
    if (!run->own || run->owned)
        return;
    /* No pass had anything to do. */
    run->program = iri_pass_copy(run->pc, run->program, 0);
    run->pc->copy = NULL;
    run->owned = true;
    iri_arena_reset(run->pc->scratch);
}

static iri_program *run_list(iri_pass_run *run)
{
    iri_pass_ctx *pc = run->pc;
    pc->builder = NULL;
    pc->copy = NULL;
    iri_status status = iri_protect(pc->ctx, run_passes, run);
    if (status != IRI_OK) {
        if (pc->builder)
            iri_builder_discard(pc->builder);
        pc->builder = NULL;
        if (pc->copy)
            free_program(pc, pc->copy);
        if (run->owned)
            free_program(pc, run->program);
        fail_again(pc->ctx, status);
    }
    return run->program;
}

iri_program *iri_pass_run_list(iri_pass_ctx *pc, const iri_pass_id *passes, size_t count,
                               iri_program *program, bool owned)
{
    iri_pass_run run = {pc, passes, count, program, owned, false};
    return run_list(&run);
}

iri_program *iri_pass_run_one(iri_pass_ctx *pc, iri_pass_id pass, const iri_program *program)
{
    /* Not owned, so never freed or changed. */
    iri_pass_run run = {pc, &pass, 1, (iri_program *)program, false, true};
    return run_list(&run);
}
