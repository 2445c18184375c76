/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the public entries of all writers do alike. A pass that has nothing to do makes nothing, and a program that
 * this library has just validated is not validated again, so that most programs are written as they were given.
 */
#include "api/written.h"

#include "ir/validate.h"
#include <string.h>

bool iri_is_identifier(const char *name)
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

/* ---- before writing ---- */

/* A state that nobody gave is refused by name, before anything is written. */
static void require_states(iri_ctx *ctx, const iri_program *p)
{
    if (!iri_has_op(p, IRI_OP_STATE))
        return;
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        const uint32_t *immediates = iri_immediates(p, in);
        bool given = in->op != IRI_OP_STATE;
        for (uint32_t k = 0; k < p->interface.state_count && !given; k++) {
            const iri_state_entry *s = &p->interface.states[k];
            given = s->id == immediates[0] && s->index == immediates[1] &&
                    s->source != IRI_STATE_UNSPECIFIED;
        }
        if (given)
            continue;
        const iri_state_info *info = iri_state_get_info((iri_state_id)immediates[0]);
        if (info->count > 1)
            iri_fail(ctx, IRI_UNSPECIFIED_STATE, in->offset, "the state %s[%u] is not given: %s",
                     info->name, (unsigned)immediates[1], info->meaning);
        iri_fail(ctx, IRI_UNSPECIFIED_STATE, in->offset, "the state %s is not given: %s",
                 info->name, info->meaning);
    }
}

static void run_passes(iri_write_job *job, const iri_pass_id *passes, size_t count)
{
    iri_pass_counts counts = {0};
    iri_pass_ctx pc = {
        .ctx = &job->ctx, .scratch = &job->scratch, .options = &job->passes, .counts = &counts};
    bool owned = job->made != NULL;
    iri_program *program = owned ? job->made : (iri_program *)job->given; /* only read then */
    job->made = NULL; /* the run frees what it is given, also when it fails */
    program = iri_pass_run_list(&pc, passes, count, program, owned);
    job->made = program == job->given ? NULL : program;
}

static void prepare(iri_write_job *job)
{
    static const iri_pass_id form[] = {IRI_PASS_STRUCTURIZE, IRI_PASS_LOWER_STATE},
                             gradients[] = {IRI_PASS_LEGALIZE}, exits[] = {IRI_PASS_BREAK_FLAGS},
                             rest[] = {IRI_PASS_DCE};
    iri_require_valid(&job->ctx, &job->scratch, job->given, IRI_CAN_ALL, IRI_INVALID_PROGRAM);
    run_passes(job, form, 2);
    if (job->gradients)
        run_passes(job, gradients, 1);
    run_passes(job, exits, 1);
    if (job->made)
        run_passes(job, rest, 1);
    job->program = job->made ? job->made : job->given;
    require_states(&job->ctx, job->program);
    iri_arena_free(&job->scratch); /* what the passes held is not held beside the output */
}

/* ---- names and notes in one block of the caller's ---- */

/* What the block begins with. */
typedef struct block_head {
    iri_allocator allocator;
    size_t size;
} block_head;

static const char *put_text(char **at, const char *text)
{
    size_t size = strlen(text) + 1;
    char *to = *at;
    memcpy(to, text, size);
    *at += size;
    return to;
}

static void copy_result(iri_write_job *job)
{
    const iri_write_result *from = &job->result;
    size_t size = sizeof(block_head) + from->names.count * sizeof *from->names.at +
                  from->notes.count * sizeof *from->notes.at +
                  from->lines.count * sizeof *from->lines.at;
    for (size_t i = 0; i < from->names.count; i++)
        size += strlen(from->names.at[i].source) + strlen(from->names.at[i].emitted) + 2;
    for (size_t i = 0; i < from->notes.count; i++)
        size += strlen(from->notes.at[i].kind) + strlen(from->notes.at[i].text) + 2;
    block_head *head = iri_ctx_alloc(&job->ctx, size);
    job->copied = head;
    job->names = (iri_emitted_name *)(head + 1);
    job->notes = (iri_note *)(job->names + from->names.count);
    job->lines = (iri_wgsl_line *)(job->notes + from->notes.count);
    char *at = (char *)(job->lines + from->lines.count);
    if (from->lines.count)
        memcpy(job->lines, from->lines.at, from->lines.count * sizeof *job->lines);
    head->allocator = job->ctx.allocator;
    head->size = size;
    for (size_t i = 0; i < from->names.count; i++) {
        job->names[i] = from->names.at[i];
        job->names[i].source = put_text(&at, from->names.at[i].source);
        job->names[i].emitted = put_text(&at, from->names.at[i].emitted);
    }
    for (size_t i = 0; i < from->notes.count; i++) {
        job->notes[i] = from->notes.at[i];
        job->notes[i].kind = put_text(&at, from->notes.at[i].kind);
        job->notes[i].text = put_text(&at, from->notes.at[i].text);
    }
}

void iri_written_free(void *memory)
{
    block_head *head = memory;
    if (head) {
        iri_allocator allocator = head->allocator;
        allocator.free(allocator.user, head, head->size);
    }
}

/* ---- the call ---- */

static void run(iri_ctx *ctx, void *argument)
{
    iri_write_job *job = argument;
    (void)ctx;
    prepare(job);
    job->write(job);
    if (job->result.wanted)
        copy_result(job);
}

iri_status iri_write_run(iri_write_job *job, iri_text *out, iri_refusal *why)
{
    iri_ctx *ctx = &job->ctx;
    iri_ctx_init(ctx, job->passes.allocator, job->passes.limits, why);
    ctx->format = job->given->provenance.format;
    ctx->unit = job->given->provenance.target;
    iri_arena_init(&job->scratch, ctx);
    iri_arena_init(&job->arena, ctx);
    iri_buf_init(&job->out, ctx);
    iri_status status = iri_protect(ctx, run, job);
    if (status == IRI_OK)
        iri_buf_finish(&job->out, out);
    iri_buf_free(&job->out);
    iri_program_free(job->made);
    iri_arena_free(&job->arena);
    iri_arena_free(&job->scratch);
    return status;
}
