/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entries of the executor.
 */
#include "base/options.h"
#include "exec/exec.h"

typedef struct compile_call {
    const iri_program *program;
    const iri_exec_options *options;
    iri_arena scratch, own;
    iri_exec *exec;
} compile_call;

static void compile_body(iri_ctx *ctx, void *argument)
{
    compile_call *call = argument;
    call->exec = iri_new(&call->own, iri_exec);
    call->exec->arena = call->own;
    iri_exec_make(ctx, &call->scratch, call->exec, call->program, call->options);
}

iri_status iri_exec_compile(const iri_program *program, const iri_exec_options *options,
                            iri_exec **out, iri_refusal *why)
{
    iri_exec_options known;
    compile_call call = {.program = program, .options = &known};
    iri_ctx ctx;
    *out = NULL;
    iri_take_options(&known, sizeof known, options);
    iri_ctx_init(&ctx, known.allocator, known.limits, why);
    ctx.format = program->provenance.format;
    ctx.unit = program->provenance.target;
    iri_arena_init(&call.scratch, &ctx);
    iri_arena_init(&call.own, &ctx);
    iri_status status = iri_protect(&ctx, compile_body, &call);
    iri_arena_free(&call.scratch);
    if (status == IRI_OK) {
        *out = call.exec;
        call.exec->arena.ctx = NULL;
    } else {
        /* The arena holds the struct that it is kept in. */
        if (call.exec)
            call.own = call.exec->arena;
        iri_arena_free(&call.own);
    }
    return status;
}

void iri_exec_free(iri_exec *exec)
{
    iri_ctx ctx;
    if (!exec)
        return;
    iri_ctx_init(&ctx, &exec->allocator, NULL, NULL);
    iri_arena arena = exec->arena;
    ctx.memory = arena.held;
    arena.ctx = &ctx;
    iri_arena_free(&arena);
}

void iri_exec_get_stats(const iri_exec *exec, iri_exec_stats *stats)
{
    stats->steps = exec->step_count;
    stats->uniform = exec->uniform_op_count;
    stats->columns = exec->column_count;
    stats->width = exec->width;
    stats->lanes = exec->kernels->name;
}

typedef struct run_call {
    const iri_exec *exec;
    const iri_exec_batch *batch;
    const uint32_t *groups;
    iri_arena scratch;
    bool finished;
    uint32_t stopped;
} run_call;

static void run_body(iri_ctx *ctx, void *argument)
{
    run_call *call = argument;
    call->finished = iri_exec_execute(ctx, &call->scratch, call->exec, call->batch, call->groups,
                                      &call->stopped);
}

static iri_status run(const iri_exec *exec, const iri_exec_batch *batch, const uint32_t *groups,
                      iri_refusal *why)
{
    run_call call = {.exec = exec, .batch = batch, .groups = groups};
    iri_ctx ctx;
    iri_ctx_init(&ctx, &exec->allocator, &exec->limits, why);
    ctx.format = exec->program->provenance.format;
    ctx.unit = exec->program->provenance.target;
    iri_arena_init(&call.scratch, &ctx);
    iri_status status = iri_protect(&ctx, run_body, &call);
    iri_arena_free(&call.scratch);
    if (status == IRI_OK && !call.finished)
        status = iri_refuse(why, IRI_LIMIT_STEPS, ctx.format, "invocation %u met its step limit",
                            (unsigned)call.stopped);
    return status;
}

iri_status iri_exec_run(const iri_exec *exec, const iri_exec_batch *batch, iri_refusal *why)
{
    return run(exec, batch, NULL, why);
}

iri_status iri_exec_dispatch(const iri_exec *exec, const iri_exec_batch *batch,
                             const uint32_t groups[3], iri_refusal *why)
{
    return run(exec, batch, groups, why);
}

typedef struct draw_call {
    const iri_draw *draw;
    iri_draw_counts *counts;
    iri_arena scratch;
} draw_call;

static void draw_body(iri_ctx *ctx, void *argument)
{
    draw_call *call = argument;
    iri_draw_run(ctx, &call->scratch, call->draw, call->counts);
}

iri_status iri_draw_triangles(const iri_draw *draw, iri_draw_counts *counts, iri_refusal *why)
{
    iri_draw_counts own = {0};
    draw_call call = {.draw = draw, .counts = counts ? counts : &own};
    iri_ctx ctx;
    iri_ctx_init(&ctx, draw->allocator, draw->limits, why);
    iri_arena_init(&call.scratch, &ctx);
    iri_status status = iri_protect(&ctx, draw_body, &call);
    iri_arena_free(&call.scratch);
    return status;
}
