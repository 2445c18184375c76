/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From bytes to a simplified, validated program. Pipelines are data: a list of passes per format.
 */
#include "api/formats.h"
#include "base/options.h"
#include "ir/parse.h"
#include "ir/validate.h"
#include "pass/pass.h"
#include "read/d3d9/lower.h"

/* What every lifted shader goes through; a pass that has nothing to do costs nothing. All builders fold,
 * number and drop, so fold is left with what arms and loops hide. State comes first among the
 * simplifications, so that what it turns off is gone before anything else looks at it. */
static const iri_pass_id d3d9_passes[] = {
    IRI_PASS_INLINE,       IRI_PASS_PROMOTE, IRI_PASS_LOWER_STATE,
    IRI_PASS_IF_TO_SELECT, IRI_PASS_FOLD,    IRI_PASS_RELAX,
};

typedef struct lift {
    const void *bytes;
    size_t size;
    const iri_lift_options *options;
    iri_format format;
    iri_lift_stats *stats; /* never NULL */
    iri_arena scratch, pass_scratch;
    iri_builder *builder; /* of the text parser */
    iri_program *program; /* what to free on failure, or the result */
} lift;

static uint64_t now(const lift *job)
{
    return job->stats->clock ? job->stats->clock(job->stats->clock_user) : 0;
}

static void run_passes(iri_ctx *ctx, lift *job)
{
    const iri_lift_options *o = job->options;
    iri_pass_options options = {.size = sizeof options,
                                .allocator = o->allocator,
                                .limits = o->limits,
                                .state = o->state,
                                .uninitialized_zero = o->uninitialized == IRI_UNINITIALIZED_ZERO};
    iri_pass_ctx pc = {.ctx = ctx,
                       .scratch = &job->pass_scratch,
                       .options = &options,
                       .counts = &job->stats->passes,
                       .build = IRI_BUILD_DROP};
    iri_program *program = job->program;
    job->program = NULL; /* the run frees what it is given, also when it fails */
    job->program = iri_pass_run_list(&pc, d3d9_passes, sizeof d3d9_passes / sizeof *d3d9_passes,
                                     program, true);
}

static void lift_d3d9(iri_ctx *ctx, lift *job)
{
    uint64_t start = now(job);
    const iri_d3d9_shader *shader =
        iri_d3d9_decode(ctx, &job->scratch, job->bytes, job->size, job->options->base);
    iri_d3d9_check(ctx, shader);
    const iri_d3d9_ctab *ctab = iri_d3d9_ctab_read(ctx, &job->scratch, shader);
    uint64_t decoded = now(job);
    job->program = iri_d3d9_lower(ctx, &job->scratch, shader, ctab, job->options);
    iri_arena_reset(&job->scratch); /* a program keeps nothing of it */
    uint64_t lowered = now(job);
    if (!job->options->raw)
        run_passes(ctx, job);
    job->stats->decode_ns += decoded - start;
    job->stats->lower_ns += lowered - decoded;
    job->stats->pass_ns += now(job) - lowered;
}

static void lift_text(iri_ctx *ctx, lift *job)
{
    uint64_t start = now(job);
    ctx->format = "iridia-ir";
    job->program = iri_parse_program(ctx, &job->scratch, job->bytes, job->size, &job->builder);
    job->builder = NULL;
    job->stats->decode_ns += now(job) - start;
}

static void body(iri_ctx *ctx, void *argument)
{
    lift *job = argument;
    bool text = job->format == IRI_FORMAT_TEXT;
    if (job->format == IRI_FORMAT_AUTO) /* of a whole file the place says nothing */
        iri_fail(ctx, IRI_UNKNOWN_FORMAT, job->options->path ? job->options->base : IRI_NO_OFFSET,
                 "%s", iri_unread_format(job->bytes, job->size));
    if (text)
        lift_text(ctx, job);
    else
        lift_d3d9(ctx, job);
    uint64_t start = now(job);
    iri_require_valid(ctx, &job->scratch, job->program, IRI_CAN_ALL,
                      text ? IRI_INVALID_PROGRAM : IRI_INTERNAL);
    job->program->validated = true;
    job->stats->validate_ns += now(job) - start;
}

iri_status iri_lift(const void *bytes, size_t size, const iri_lift_options *options,
                    iri_program **out, iri_lift_stats *stats, iri_refusal *why)
{
    iri_lift_options known;
    iri_lift_stats own = {0};
    iri_ctx ctx;
    lift job = {.bytes = bytes, .size = size, .options = &known};
    iri_take_options(&known, sizeof known, options);
    job.stats = stats ? stats : &own;
    if (!out || (!bytes && size))
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_lift: an argument is NULL");
    *out = NULL;
    job.format = job.options->format;
    if (job.format == IRI_FORMAT_AUTO)
        job.format = iri_detect_format(bytes, size);
    if (job.format >= IRI_FORMAT_COUNT || size >= UINT32_MAX)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                          size >= UINT32_MAX ? "input above 4 GiB" : "iri_lift: no such format");
    if (job.options->base &&
        (job.format == IRI_FORMAT_TEXT || size >= UINT32_MAX - job.options->base))
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                          job.format == IRI_FORMAT_TEXT ? "iri_lift: a text form has no base"
                                                        : "iri_lift: the bytes end above 4 GiB");
    iri_ctx_init(&ctx, job.options->allocator, job.options->limits, why);
    ctx.path = job.options->path;
    iri_arena_init(&job.scratch, &ctx);
    iri_arena_init(&job.pass_scratch, &ctx);
    iri_status status = iri_protect(&ctx, body, &job);
    if (status == IRI_OK) {
        *out = job.program;
    } else {
        if (job.builder)
            iri_builder_discard(job.builder);
        iri_program_free(job.program);
    }
    iri_arena_free(&job.pass_scratch);
    iri_arena_free(&job.scratch);
    job.stats->memory_peak = ctx.memory_peak;
    job.stats->allocations += ctx.allocations;
    return status;
}
