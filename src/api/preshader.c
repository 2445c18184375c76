/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entries of preshaders.
 */
#include "api/written.h"
#include "base/number.h"
#include "base/options.h"
#include "exec/exec.h"
#include "ir/validate.h"
#include "read/common/preshader.h"
#include "read/d3d9/ctab.h"
#include "write/preshader/write.h"
#include <iridia/preshader.h>

typedef struct job {
    const void *bytes;
    size_t size;
    iri_preshader_options options;
    iri_arena scratch;
    iri_program *program; /* NULL: a shader without a preshader */
} job;

/* An expression begins with its own version word, a shader's preshader stands in one of its comments. */
static bool find_stream(iri_ctx *ctx, job *j, iri_cursor *stream)
{
    *stream = iri_cursor_make(ctx, j->bytes, j->size, j->options.base);
    if (j->size >= 4 && iri_peek_u32(stream, 0) >> 16 == IRI_PRESHADER_TAG)
        return true;
    const iri_d3d9_shader *shader =
        iri_d3d9_decode(ctx, &j->scratch, j->bytes, j->size, j->options.base);
    return iri_d3d9_find_preshader(ctx, shader, stream);
}

static void body(iri_ctx *ctx, void *argument)
{
    job *j = argument;
    iri_cursor stream;
    ctx->format = "d3d9";
    ctx->unit = "preshader";
    ctx->path = j->options.path;
    if (!find_stream(ctx, j, &stream))
        return;
    ctx->unit = "preshader";
    const iri_preshader *preshader = iri_preshader_decode(ctx, &j->scratch, stream);
    j->program = iri_preshader_lower(ctx, &j->scratch, preshader, j->options.single);
    iri_require_valid(ctx, &j->scratch, j->program, IRI_CAN_ALL, IRI_INTERNAL);
    j->program->validated = true;
}

iri_status iri_preshader_lift(const void *bytes, size_t size, const iri_preshader_options *options,
                              iri_program **out, iri_refusal *why)
{
    iri_ctx ctx;
    job j = {.bytes = bytes, .size = size};
    iri_take_options(&j.options, sizeof j.options, options);
    if (!out || (!bytes && size))
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                          "iri_preshader_lift: an argument is NULL");
    *out = NULL;
    if (size >= UINT32_MAX - j.options.base)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "input above 4 GiB");
    iri_ctx_init(&ctx, j.options.allocator, j.options.limits, why);
    iri_arena_init(&j.scratch, &ctx);
    iri_status status = iri_protect(&ctx, body, &j);
    if (status == IRI_OK)
        *out = j.program;
    else
        iri_program_free(j.program);
    iri_arena_free(&j.scratch);
    return status;
}

/* A lane as it is set; every NaN is one, so that results are the same wherever they are computed. */
static uint32_t lane_word(uint32_t word, uint8_t bank)
{
    bool nan = bank == IRI_BANK_C && (word & 0x7fffffffu) > 0x7f800000u;
    return nan ? 0x7fc00000u : word;
}

typedef struct run_job {
    const iri_exec *exec;
    const iri_exec_resource *constants;
    iri_preshader_register *registers;
    iri_refusal *why;
    iri_arena scratch;
    iri_status status;
} run_job;

static void run_body(iri_ctx *ctx, void *argument)
{
    (void)ctx;
    run_job *j = argument;
    const iri_interface *io = &j->exec->program->interface;
    iri_exec_array *outputs = iri_new_array(&j->scratch, iri_exec_array, io->output_count);
    uint32_t(*words)[4] = iri_arena_alloc(&j->scratch, io->output_count, sizeof *words);
    for (uint32_t i = 0; i < io->output_count; i++)
        outputs[i] = (iri_exec_array){words[i], 16, 0};
    j->status = iri_exec_run(j->exec,
                             &(iri_exec_batch){.count = 1,
                                               .outputs = outputs,
                                               .resources = j->constants,
                                               .resource_count = io->resource_count},
                             j->why);
    for (uint32_t i = 0; j->status == IRI_OK && i < io->output_count; i++) {
        const iri_io *o = &io->outputs[i];
        iri_preshader_register r = {.bank = o->bank, .lanes = o->lanes, .number = o->reg};
        for (uint32_t lane = 0, at = 0; lane < 4; lane++)
            if (o->lanes >> lane & 1)
                r.words[lane] = lane_word(words[i][at++], o->bank);
        j->registers[i] = r;
    }
}

iri_status iri_preshader_run(const iri_exec *exec, const void *constants, size_t size,
                             iri_preshader_register *registers, iri_refusal *why)
{
    const iri_interface *io = &exec->program->interface;
    const iri_exec_resource bound = {.data = constants, .size = size};
    iri_ctx ctx;
    run_job j = {.exec = exec, .constants = &bound, .registers = registers, .why = why};
    if (exec->program->stage != IRI_STAGE_NONE || io->input_count || io->resource_count > 1)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, exec->program->provenance.format,
                          "iri_preshader_run: no preshader");
    iri_ctx_init(&ctx, &exec->allocator, &exec->limits, why);
    iri_arena_init(&j.scratch, &ctx);
    iri_status status = iri_protect(&ctx, run_body, &j);
    iri_arena_free(&j.scratch);
    return status == IRI_OK ? j.status : status;
}

/* ---- writing ---- */

typedef struct write_job {
    const iri_preshader_function *functions;
    size_t count;
    iri_preshader_language language;
    iri_arena scratch;
    iri_buf out;
} write_job;

static void write_body(iri_ctx *ctx, void *argument)
{
    write_job *j = argument;
    iri_preshader_write(ctx, &j->scratch, &j->out, j->language, j->functions, j->count);
}

iri_status iri_write_preshaders(const iri_preshader_function *functions, size_t count,
                                iri_preshader_language language, iri_text *out, iri_refusal *why)
{
    iri_ctx ctx;
    write_job j = {functions, count, language, {0}, {0}};
    if (!out || (!functions && count) || language > IRI_PRESHADER_WGSL)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                          "iri_write_preshaders: an argument is missing");
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < count; i++)
        if (!functions[i].program || !iri_is_identifier(functions[i].name))
            return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                              "iri_write_preshaders: '%.60s' is no name, or has no program",
                              functions[i].name);
    iri_ctx_init(&ctx, NULL, NULL, why);
    iri_arena_init(&j.scratch, &ctx);
    iri_buf_init(&j.out, &ctx);
    iri_status status = iri_protect(&ctx, write_body, &j);
    iri_arena_free(&j.scratch);
    if (status == IRI_OK)
        iri_buf_finish(&j.out, out);
    else
        iri_buf_free(&j.out);
    return status;
}
