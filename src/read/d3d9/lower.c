/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The driver of the Direct3D 9 lowering: header, interface, the main function, subroutines.
 */
#include "read/d3d9/lower_internal.h"

#include "base/sha256.h"

typedef struct job {
    iri_l9 *l;
    iri_program *program;
} job;

static uint32_t count_instructions(const iri_d3d9_shader *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->instruction_count; i++)
        count += !(iri_d3d9_ops[s->instructions[i].op].flags & IRI_D3D9_FLAG_DECL) &&
                 s->instructions[i].op != IRI_D3D9_OP_LABEL;
    return count;
}

static const char *policies_of(const iri_l9 *l)
{
    bool zero = l->options->uninitialized == IRI_UNINITIALIZED_ZERO;
    if (l->ieee)
        return zero ? "multiply=ieee uninitialized=zero" : "multiply=ieee uninitialized=refuse";
    return zero ? "multiply=zero-wins uninitialized=zero"
                : "multiply=zero-wins uninitialized=refuse";
}

static void set_header(iri_l9 *l)
{
    const iri_d3d9_shader *s = l->shader;
    iri_program *p = iri_builder_program(l->b);
    iri_provenance provenance = {
        .format = "d3d9",
        .target = s->target,
        .creator = l->ctab ? l->ctab->creator : "",
        .lifter = IRI_D3D9_LIFTER,
        .lifter_version = IRI_D3D9_LIFTER_VERSION,
        .has_hash = true,
        .instruction_count = count_instructions(s),
        .policies = policies_of(l),
    };
    iri_sha256 hash;
    iri_sha256_init(&hash);
    iri_sha256_add(&hash, s->data, (size_t)s->size + s->trailing);
    iri_sha256_finish(&hash, provenance.sha256);
    p->conventions = IRI_CONVENTIONS_D3D9;
    /* Direct3D 9 says nothing of denormals; sums are in the order written, and nothing is fused. */
    memset(&p->float_env, 0, sizeof p->float_env);
    iri_set_provenance(l->b, &provenance);
    if (s->trailing)
        iri_add_note(l->b, "trailing-bytes", s->base + s->size,
                     "%u bytes follow the end token and are not read", s->trailing);
}

static void build(iri_ctx *ctx, void *argument)
{
    job *j = argument;
    iri_l9 *l = j->l;
    const iri_type *none = NULL;
    (void)ctx;
    set_header(l);
    iri_l9_scan(l);
    iri_l9_declare(l);
    l->main = iri_declare_function(l->b, "main", none, 0, none, 0);
    iri_builder_program(l->b)->entry = l->main;
    iri_l9_find_functions(l);
    iri_begin_declared(l->b, l->main, NULL);
    if (l->direct) {
        iri_l9_find_joins(l);
        iri_l9_start_variables(l);
    }
    iri_set_offset(l->b, IRI_NO_OFFSET);
    if (l->main_indexes_v)
        iri_l9_begin_input_array(l);
    if (l->relative_o && !l->call_writes_o)
        iri_l9_begin_output_array(l);
    if (l->main_indexes_c)
        iri_l9_begin_def_array(l);
    if (l->call_writes_o)
        memcpy(l->sure.at + IRI_L9_O, l->declared_o, sizeof l->declared_o);
    iri_l9_body(l, 0, l->main_end);
    iri_l9_finish_main(l);
    iri_end_function(l->b);
    iri_l9_lower_functions(l);
    iri_l9_note_states(l);
    if (l->direct && (l->unsuited || !iri_variables_are_written(&l->variables)))
        iri_builder_discard(l->b);
    else
        j->program = iri_builder_finish(l->b);
}

/* Whether one function holds everything, so that what a register holds is known wherever it is read. */
static bool has_no_calls(const iri_d3d9_shader *s)
{
    for (uint32_t i = 0; i < s->instruction_count; i++)
        if (s->instructions[i].op == IRI_D3D9_OP_CALL ||
            s->instructions[i].op == IRI_D3D9_OP_CALLNZ)
            return false;
    return true;
}

/* NULL when lowering `direct`, without locals, met a read of a register that some path has not written: whether
 * that matters is promote's to say. */
static iri_program *lower(iri_ctx *ctx, iri_arena *scratch, const iri_d3d9_shader *shader,
                          const iri_d3d9_ctab *ctab, const iri_lift_options *options, bool direct)
{
    iri_l9 *l = iri_new(scratch, iri_l9);
    job j = {.l = l};
    l->ctx = ctx;
    l->scratch = scratch;
    l->shader = shader;
    l->ctab = ctab;
    l->options = options;
    l->direct = direct;
    l->vertex = shader->stage == IRI_D3D9_VERTEX;
    l->ieee = options->multiply == IRI_MULTIPLY_IEEE;
    l->major = shader->major;
    l->minor = shader->minor;
    l->b = iri_builder_make(ctx, scratch, l->vertex ? IRI_STAGE_VERTEX : IRI_STAGE_PIXEL,
                            options->raw ? 0 : IRI_BUILD_OPTIMISE | IRI_BUILD_DROP);
    /* A failure leaves no half-built program behind. */
    iri_status status = iri_protect(ctx, build, &j);
    if (status != IRI_OK) {
        iri_refusal why = *ctx->why;
        iri_builder_discard(l->b);
        iri_fail(ctx, status, why.offset, "%s", why.reason);
    }
    return j.program;
}

iri_program *iri_d3d9_lower(iri_ctx *ctx, iri_arena *scratch, const iri_d3d9_shader *shader,
                            const iri_d3d9_ctab *ctab, const iri_lift_options *options)
{
    iri_arena_mark mark = iri_arena_get_mark(scratch);
    iri_program *program = NULL;
    if (!options->raw && has_no_calls(shader))
        program = lower(ctx, scratch, shader, ctab, options, true);
    if (program)
        return program;
    iri_arena_rewind(scratch, mark);
    return lower(ctx, scratch, shader, ctab, options, false);
}
