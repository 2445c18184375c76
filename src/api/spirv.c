/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entry of the SPIR-V writer: what a program goes through before it is written, and
 * handing over the words and the map. Passes that would change nothing are left out: each one makes
 * the whole program anew. legalize is none of them: what Direct3D's operations come to in SPIR-V is
 * a table of the writer's.
 */
#include "api/written.h"
#include "base/options.h"
#include "ir/validate.h"
#include "pass/pass.h"
#include "pass/shape.h"
#include "write/spirv/spirv.h"
#include <string.h>

enum { PASSES_MAX = 8 };

/* Everything a call makes, so that it can be freed wherever it ends. */
typedef struct spirv_job {
    const iri_program *program;
    const iri_spirv_options *options;
    iri_arena scratch, arena;
    iri_program *legal;
    iri_buf out;
    iri_spirv_result result;
    iri_spirv_map *map;
} spirv_job;

/* ---- which passes ---- */

/* Whether a state is to become a uniform and has not yet. */
static bool has_uniform_state(const iri_program *p)
{
    for (uint32_t i = 0; i < p->interface.state_count; i++)
        if (p->interface.states[i].source == IRI_STATE_UNIFORM)
            return true;
    return false;
}

/* A construct that exits can lead out of. */
typedef struct enclosing {
    const struct enclosing *outer;
    uint32_t label;
    bool loop;
} enclosing;

/* Whether an exit leaves one level, as SPIR-V has it: out of a loop from within switches, never out
 * of what is around an inner loop, or around an inner switch. */
static bool is_single_level(const enclosing *around, uint32_t label)
{
    bool crossed = false;
    for (; around; around = around->outer) {
        if (around->label == label)
            return around->loop || !crossed;
        if (around->loop)
            return false;
        crossed = true;
    }
    return false;
}

static bool exits_far(const iri_program *p, iri_id region, const enclosing *around)
{
    iri_for_each_inst(p, region, in)
    {
        bool labelled = in->op == IRI_OP_LOOP || in->op == IRI_OP_SWITCH;
        enclosing own = {around, labelled ? iri_immediates(p, in)[0] : 0, in->op == IRI_OP_LOOP};
        if (in->op == IRI_OP_BLOCK)
            return true;
        if ((in->op == IRI_OP_BREAK || in->op == IRI_OP_CONTINUE) &&
            !is_single_level(around, iri_immediates(p, in)[0]))
            return true;
        for (uint32_t i = 0; i < in->region_count; i++)
            if (exits_far(p, iri_regions(p, in)[i], labelled ? &own : around))
                return true;
    }
    return false;
}

static bool any_exits_far(const iri_program *p)
{
    for (uint32_t f = 1; f < p->function_count; f++)
        if (p->functions[f].body && exits_far(p, p->functions[f].body, NULL))
            return true;
    return false;
}

static void run(iri_pass_ctx *pc, spirv_job *job, const iri_pass_id *passes, size_t count)
{
    bool owned = job->legal != NULL;
    iri_program *program = owned ? job->legal : (iri_program *)job->program; /* only read then */
    job->legal = NULL; /* the run frees what it is given, also when it fails */
    program = iri_pass_run_list(pc, passes, count, program, owned);
    job->legal = program == job->program ? NULL : program;
}

static const iri_program *prepare(iri_ctx *ctx, spirv_job *job, iri_profile profile)
{
    static const iri_pass_id state[] = {IRI_PASS_LOWER_STATE, IRI_PASS_FOLD, IRI_PASS_DCE};
    iri_pass_counts counts = {0};
    iri_pass_options options = {.size = sizeof options,
                                .allocator = job->options->allocator,
                                .limits = job->options->limits,
                                .profile = profile,
                                .features = job->options->features};
    iri_pass_ctx pc = {
        .ctx = ctx, .scratch = &job->scratch, .options = &options, .counts = &counts};
    iri_pass_id passes[PASSES_MAX];
    size_t count = 0;
    bool cfg = iri_shape_has_cfg(job->program);
    if (cfg)
        passes[count++] = IRI_PASS_STRUCTURIZE;
    if (has_uniform_state(job->program)) {
        memcpy(passes + count, state, sizeof state);
        count += sizeof state / sizeof *state;
    }
    if (cfg || any_exits_far(job->program))
        passes[count++] = IRI_PASS_BREAK_FLAGS;
    if (count)
        run(&pc, job, passes, count);
    return job->legal ? job->legal : job->program;
}

/* ---- the map ---- */

static void make_map(iri_ctx *ctx, const iri_spirv_result *from, iri_spirv_map *map)
{
    iri_written copy =
        iri_written_copy(ctx, from->names.at, from->names.count, from->notes.at, from->notes.count);
    map->memory = copy.memory;
    map->names = copy.names;
    map->name_count = from->names.count;
    map->notes = copy.notes;
    map->note_count = from->notes.count;
}

void iri_spirv_map_free(iri_spirv_map *map)
{
    if (!map)
        return;
    iri_written_free(map->memory);
    memset(map, 0, sizeof *map);
}

/* ---- the call ---- */

static void write(iri_ctx *ctx, void *argument)
{
    spirv_job *job = argument;
    iri_profile profile = job->options->profile ? job->options->profile : IRI_PROFILE_VULKAN_1_1;
    iri_require_valid(ctx, &job->scratch, job->program, IRI_CAN_ALL, IRI_INVALID_PROGRAM);
    const iri_program *program = prepare(ctx, job, profile);
    iri_require_states(ctx, program);
    iri_spirv_write(ctx, &job->arena, program, job->options, &job->out, &job->result);
    if (job->map)
        make_map(ctx, &job->result, job->map);
}

iri_status iri_write_spirv(const iri_program *program, const iri_spirv_options *options,
                           iri_text *out, iri_spirv_map *map, iri_refusal *why)
{
    iri_spirv_options known;
    iri_ctx ctx;
    spirv_job job = {.program = program, .options = &known, .map = map};
    iri_take_options(&known, sizeof known, options);
    if (map)
        memset(map, 0, sizeof *map);
    if (out)
        memset(out, 0, sizeof *out);
    if (!program || !out)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_write_spirv: an argument is NULL");
    iri_profile profile = job.options->profile;
    if (profile && profile != IRI_PROFILE_VULKAN_1_1 && profile != IRI_PROFILE_VULKAN_1_3)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_write_spirv: no profile of Vulkan");
    if (job.options->demote > IRI_SPIRV_DEMOTE_FLAG)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                          "iri_write_spirv: no such way to demote");
    iri_ctx_init(&ctx, job.options->allocator, job.options->limits, why);
    ctx.format = program->provenance.format;
    ctx.unit = program->provenance.target;
    iri_arena_init(&job.scratch, &ctx);
    iri_arena_init(&job.arena, &ctx);
    iri_buf_init(&job.out, &ctx);
    job.result.wanted = map != NULL;
    iri_status status = iri_protect(&ctx, write, &job);
    if (status == IRI_OK)
        iri_buf_finish(&job.out, out);
    iri_buf_free(&job.out);
    iri_program_free(job.legal);
    iri_arena_free(&job.arena);
    iri_arena_free(&job.scratch);
    return status;
}
