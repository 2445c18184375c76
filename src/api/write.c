/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entry of the WGSL writer: what a program goes through before it is written, and handing
 * over the text and the map.
 */
#include "api/written.h"
#include "base/options.h"
#include "ir/validate.h"
#include "pass/pass.h"
#include "write/wgsl.h"
#include <string.h>

/* Everything a call makes, so that it can be freed wherever it ends. */
typedef struct write_job {
    const iri_program *program;
    const iri_wgsl_options *options;
    iri_arena scratch, arena;
    iri_program *legal;
    iri_buf out;
    iri_wgsl_result result;
    iri_wgsl_map *map;
} write_job;

static const iri_pass_id before_writing[] = {
    IRI_PASS_STRUCTURIZE, IRI_PASS_LOWER_STATE, IRI_PASS_LEGALIZE,
    IRI_PASS_BREAK_FLAGS, IRI_PASS_DCE,
};

/* WebGPU draws points of one pixel. What the program gives in their place may be left out, unless the
 * caller has said that points are drawn. The state is looked for before lower_state drops it. */
static void check_points(iri_ctx *ctx, const iri_program *p)
{
    const iri_interface *io = &p->interface;
    for (uint32_t i = 0; i < io->output_count; i++) {
        if (io->outputs[i].system_value != IRI_SV_POINT_SIZE)
            continue;
        for (uint32_t k = 0; k < io->state_count; k++)
            if (io->states[k].id == IRI_STATE_POINTS && io->states[k].source == IRI_STATE_VALUE &&
                io->states[k].bits[0])
                iri_fail(ctx, IRI_CAPABILITY, io->outputs[i].offset,
                         "the point size matters, as points are drawn, and WebGPU has none");
    }
}

static void prepare(iri_ctx *ctx, write_job *job)
{
    iri_pass_counts counts = {0};
    iri_pass_options options = {.size = sizeof options,
                                .allocator = job->options->allocator,
                                .limits = job->options->limits,
                                .profile = job->options->profile,
                                .features = job->options->features};
    iri_pass_ctx pc = {
        .ctx = ctx, .scratch = &job->scratch, .options = &options, .counts = &counts};
    /* Not owned, so never changed or freed. */
    job->legal =
        iri_pass_run_list(&pc, before_writing, sizeof before_writing / sizeof *before_writing,
                          (iri_program *)job->program, false);
}

/* ---- the map ---- */

static void make_map(iri_ctx *ctx, const iri_wgsl_result *from, iri_wgsl_map *map)
{
    iri_written copy =
        iri_written_copy(ctx, from->names.at, from->names.count, from->notes.at, from->notes.count);
    map->memory = copy.memory;
    map->names = copy.names;
    map->name_count = from->names.count;
    map->notes = copy.notes;
    map->note_count = from->notes.count;
    map->features_needed = from->features_needed;
}

void iri_wgsl_map_free(iri_wgsl_map *map)
{
    if (!map)
        return;
    iri_written_free(map->memory);
    memset(map, 0, sizeof *map);
}

/* ---- the call ---- */

static void write(iri_ctx *ctx, void *argument)
{
    write_job *job = argument;
    iri_require_valid(ctx, &job->scratch, job->program, IRI_CAN_ALL, IRI_INVALID_PROGRAM);
    check_points(ctx, job->program);
    prepare(ctx, job);
    iri_require_states(ctx, job->legal);
    iri_arena_free(&job->scratch); /* what the passes held is not held beside the text */
    iri_wgsl_write(ctx, &job->arena, job->legal, job->options, &job->out, &job->result);
    if (job->map)
        make_map(ctx, &job->result, job->map);
}

static bool is_identifier(const char *name)
{
    bool digit = false;
    for (const char *c = name; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        digit = *c >= '0' && *c <= '9';
        if (!letter && !(digit && c > name))
            return false;
    }
    return name[0] && !(name[0] == '_' && (name[1] == '_' || !name[1]));
}

iri_status iri_write_wgsl(const iri_program *program, const iri_wgsl_options *options,
                          iri_text *out, iri_wgsl_map *map, iri_refusal *why)
{
    iri_wgsl_options known;
    iri_ctx ctx;
    write_job job = {.program = program, .options = &known, .map = map};
    iri_take_options(&known, sizeof known, options);
    if (map)
        memset(map, 0, sizeof *map);
    if (out)
        memset(out, 0, sizeof *out);
    if (!program || !out)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_write_wgsl: an argument is NULL");
    if ((unsigned)job.options->profile >= IRI_PROFILE_COUNT)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_write_wgsl: no such profile");
    if (job.options->entry_name && !is_identifier(job.options->entry_name))
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_write_wgsl: '%.60s' is no name",
                          job.options->entry_name);
    iri_ctx_init(&ctx, job.options->allocator, job.options->limits, why);
    ctx.format = program->provenance.format;
    ctx.unit = program->provenance.target;
    iri_arena_init(&job.scratch, &ctx);
    iri_arena_init(&job.arena, &ctx);
    iri_buf_init(&job.out, &ctx);
    iri_buf_init(&job.result.declarations, &ctx);
    iri_buf_init(&job.result.functions, &ctx);
    iri_status status = iri_protect(&ctx, write, &job);
    if (status == IRI_OK)
        iri_buf_finish(&job.out, out);
    iri_buf_free(&job.out);
    iri_buf_free(&job.result.declarations);
    iri_buf_free(&job.result.functions);
    iri_program_free(job.legal);
    iri_arena_free(&job.arena);
    iri_arena_free(&job.scratch);
    return status;
}
