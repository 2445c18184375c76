/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps. A program of CFG form is made structured first, for the executor; what that pass does is compared in the
 * interpreter, which takes both.
 */
#include "agree.h"

#include "execute.h"

#include "ir/rewrite.h"
#include "tests/unit/interp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { INVOCATIONS = EXECUTE_INVOCATIONS, STEP_LIMIT = 200000 };

typedef struct checking {
    const iri_program *program;
    uint64_t state;
    agree_counts *counts;
    char *what;
    execute_numbers numbers;
    execute_outcome first;
} checking;

static uint64_t next(checking *c)
{
    uint64_t z = c->state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static bool fault(checking *c, const char *step, const char *text)
{
    snprintf(c->what, AGREE_WHAT, "%s: %s", step, text);
    return false;
}

static const iri_state_entry state_entries[] = {
    {IRI_STATE_ALPHA_FUNC, 0, IRI_STATE_VALUE, {5}},
    {IRI_STATE_ALPHA_REF, 0, IRI_STATE_VALUE, {0x3f000000}},
    {IRI_STATE_FOG_MODE, 0, IRI_STATE_VALUE, {3}},
    {IRI_STATE_FOG_COLOR, 0, IRI_STATE_VALUE, {0x3e800000, 0xbf800000, 0x40490fdb}},
    {IRI_STATE_BUMP_MATRIX, 2, IRI_STATE_VALUE, {0x3f800000, 0x40000000, 0x80000000, 0x7f800000}},
};
static const iri_state state = {state_entries, sizeof state_entries / sizeof *state_entries, true};

static void fill_numbers(checking *c)
{
    c->numbers.count = INVOCATIONS;
    execute_fill_memory(&c->numbers, next(c));
    execute_fill_inputs(&c->numbers, c->program, next(c));
    c->numbers.step_limit = STEP_LIMIT;
    c->numbers.state = &state;
}

/* ---- executing ---- */

static bool same(checking *c, const char *step, const iri_program *p, const execute_outcome *got)
{
    char what[200];
    if (execute_same(c->program, &c->first, p, got, INVOCATIONS, what, sizeof what))
        return true;
    return fault(c, step, what);
}

static bool run_same(checking *c, const char *step, const iri_program *p,
                     const iri_exec_options *options)
{
    static execute_outcome got;
    iri_refusal why = {0};
    c->counts->runs++;
    if (p->interface.output_count != c->program->interface.output_count)
        return fault(c, step, "an output was added or dropped");
    if (!execute_run(p, &c->numbers, options, &got, &why))
        return fault(c, step, why.reason);
    if (got.status != IRI_OK) { /* a pass may make a loop's body longer */
        c->counts->step_limits++;
        return true;
    }
    return same(c, step, p, &got);
}

/* ---- what a program holds ---- */

static bool is_graph(const iri_program *p)
{
    for (iri_id f = 1; f < p->function_count; f++)
        if (p->functions[f].form == IRI_FORM_CFG)
            return true;
    return false;
}

/* Whether the interpreter knows all that it reads. */
static bool is_pure(const iri_program *p)
{
    return !iri_has_props(p, IRI_PROP_DERIVATIVE) && !p->interface.resource_count &&
           !iri_has_op(p, IRI_OP_STATE);
}

/* ---- text ---- */

static bool check_text(checking *c)
{
    iri_text first = {0}, second = {0};
    iri_program *parsed = NULL;
    iri_refusal why = {0};
    char difference[200] = "the text differs";
    bool good = iri_print_text(c->program, NULL, &first, &why) == IRI_OK &&
                iri_parse_text(first.data, first.size, NULL, &parsed, &why) == IRI_OK &&
                iri_print_text(parsed, NULL, &second, &why) == IRI_OK;
    if (!good)
        fault(c, "text", why.reason);
    else if (!iri_program_equal(c->program, parsed, difference, sizeof difference) ||
             first.size != second.size || memcmp(first.data, second.data, first.size) != 0)
        good = fault(c, "text", difference);
    iri_text_free(&first);
    iri_text_free(&second);
    iri_program_free(parsed);
    return good;
}

/* ---- the interpreter ---- */

static bool interpret(checking *c, const char *step, const iri_program *p)
{
    static execute_outcome got;
    const iri_interface *io = &p->interface;
    memset(&got, 0, sizeof got);
    for (uint32_t n = 0; n < INVOCATIONS; n++) {
        interp_lanes in[INTERP_IO] = {{{0}}};
        interp_result result;
        for (uint32_t i = 0; i < io->input_count; i++)
            for (uint32_t k = 0; k < IRI_TYPE_LANES(io->inputs[i].type); k++)
                in[i].at[k] = execute_get_lane(&c->numbers.inputs[i][n][k],
                                               IRI_TYPE_SCALAR(io->inputs[i].type));
        interp_run(p, in, STEP_LIMIT * 8, &result);
        if (!result.finished)
            return fault(c, step, "does not end");
        got.flags[n] = result.demoted ? IRI_INVOCATION_KILLED : 0;
        for (uint32_t i = 0; i < io->output_count; i++)
            for (uint32_t k = 0; k < IRI_TYPE_LANES(io->outputs[i].type); k++)
                execute_put_lane(&got.outputs[i][n][k], IRI_TYPE_SCALAR(io->outputs[i].type),
                                 result.outputs[i].at[k]);
    }
    return same(c, step, p, &got);
}

/* ---- the folder ---- */

typedef struct bake {
    checking *c;
    const iri_program *from;
    iri_arena scratch;
    iri_builder *b;
    iri_program *program;
    uint32_t invocation;
} bake;

static iri_rewrite_action bake_input(iri_rewrite *rw, iri_id inst)
{
    const bake *k = rw->argument;
    const iri_inst *in = &rw->from->insts[inst];
    if (in->op != IRI_OP_INPUT)
        return IRI_REWRITE_COPY;
    const uint32_t *words = iri_immediates(rw->from, in);
    iri_type type = iri_type_of(rw->from, in->results);
    uint64_t lanes[4] = {0};
    for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++)
        lanes[i] = execute_get_lane(
            &k->c->numbers.inputs[words[0]][k->invocation][IRI_LANES_AT(words[1], i)],
            IRI_TYPE_SCALAR(type));
    iri_rewrite_set(rw, in->results, iri_const(rw->b, type, lanes));
    return IRI_REWRITE_DONE;
}

static void make_baked(iri_ctx *ctx, void *argument)
{
    bake *k = argument;
    iri_rewrite rw;
    iri_arena_init(&k->scratch, ctx);
    k->b = iri_builder_make(ctx, &k->scratch, k->from->stage, IRI_BUILD_OPTIMISE);
    iri_rewrite_init(&rw, k->b, k->from, &k->scratch, bake_input, k);
    iri_rewrite_program(&rw);
    k->program = iri_builder_finish(k->b);
    k->b = NULL;
}

/* False with nothing in `what` when a target has no way to say it. */
static bool apply(checking *c, const char *step, const iri_program *p, iri_pass_id pass,
                  iri_program **out)
{
    iri_refusal why = {0};
    if (iri_pass_apply(p, pass, IRI_PASS_OPTIONS(.uninitialized_zero = true, .state = &state), out,
                       NULL, &why) != IRI_OK) {
        bool target = iri_status_kind_of(why.status) == IRI_KIND_TARGET;
        c->counts->refused[why.status] += target;
        return target && pass == IRI_PASS_LEGALIZE ? false : fault(c, step, why.reason);
    }
    if (iri_validate(*out, IRI_CAN_ALL, NULL, &why) != IRI_OK) {
        iri_program_free(*out);
        *out = NULL;
        return fault(c, step, why.reason);
    }
    return true;
}

/* Applies passes in turn and frees what is between; `p` is freed, or the caller's when it is the program's own. */
static iri_program *apply_all(checking *c, const char *step, iri_program *p,
                              const iri_pass_id *passes, uint32_t count)
{
    for (uint32_t i = 0; i < count && p; i++) {
        iri_program *q = NULL;
        apply(c, step, p, passes[i], &q);
        iri_program_free(p);
        p = q;
    }
    return p;
}

/* One invocation's inputs as constants, built through the folding builder, then folded until nothing is left. */
static bool check_folder(checking *c, const iri_program *from, uint32_t invocation)
{
    static const iri_pass_id passes[] = {IRI_PASS_INLINE, IRI_PASS_PROMOTE, IRI_PASS_FOLD,
                                         IRI_PASS_DCE,    IRI_PASS_FOLD,    IRI_PASS_DCE};
    static execute_outcome got;
    iri_ctx ctx;
    iri_refusal why = {0};
    bake k = {.c = c, .from = from, .invocation = invocation};
    iri_ctx_init(&ctx, NULL, NULL, &why);
    iri_status status = iri_protect(&ctx, make_baked, &k);
    if (k.b)
        iri_builder_discard(k.b);
    iri_arena_free(&k.scratch);
    if (status != IRI_OK)
        return fault(c, "folder", why.reason);
    iri_program *p = apply_all(c, "folder", k.program, passes, sizeof passes / sizeof *passes);
    if (!p)
        return false;
    c->counts->folded_insts += from->inst_count;
    c->counts->folded_left += p->inst_count;
    bool good = execute_run(p, &c->numbers, NULL, &got, &why);
    if (!good)
        fault(c, "folder", why.reason);
    /* Its invocations are all alike: the first is compared with the one that it was made from. */
    for (uint32_t i = 0; i < EXECUTE_IO && good; i++)
        memcpy(got.outputs[i][invocation], got.outputs[i][0], sizeof got.outputs[i][0]);
    for (uint32_t n = 0; n < INVOCATIONS && good; n++)
        if (n != invocation) {
            got.flags[n] = c->first.flags[n];
            for (uint32_t i = 0; i < EXECUTE_IO; i++)
                memcpy(got.outputs[i][n], c->first.outputs[i][n], sizeof got.outputs[i][n]);
        }
    good = good && same(c, "folder", p, &got);
    iri_program_free(p);
    return good;
}

/* ---- passes ---- */

static bool check_pass(checking *c, const char *list, const iri_program *p, iri_pass_id pass,
                       iri_program **out)
{
    char step[64];
    snprintf(step, sizeof step, "%s %s", list, iri_pass_name(pass));
    if (!apply(c, step, p, pass, out))
        return !c->what[0]; /* a target that cannot say it */
    c->counts->passes++;
    c->counts->passes_changed += (*out)->inst_count != p->inst_count;
    return run_same(c, step, *out, NULL);
}

static bool check_list(checking *c, const char *list, const iri_program *from,
                       const iri_pass_id *passes, uint32_t count)
{
    const iri_program *p = from;
    bool good = true;
    for (uint32_t i = 0; i < count && good && p; i++) {
        iri_program *q = NULL;
        good = check_pass(c, list, p, passes[i], &q);
        if (p != from)
            iri_program_free((iri_program *)(uintptr_t)p);
        p = q;
    }
    if (p != from)
        iri_program_free((iri_program *)(uintptr_t)p);
    return good;
}

static bool check_passes(checking *c, const iri_program *p)
{
    /* What a lifted shader goes through, and then what a writer does. */
    static const iri_pass_id lift[] = {
        IRI_PASS_INLINE, IRI_PASS_PROMOTE,     IRI_PASS_LOWER_STATE,  IRI_PASS_FOLD,
        IRI_PASS_DCE,    IRI_PASS_RELAX,       IRI_PASS_IF_TO_SELECT, IRI_PASS_FOLD,
        IRI_PASS_DCE,    IRI_PASS_BREAK_FLAGS, IRI_PASS_LEGALIZE};
    iri_pass_id any[5];
    for (int pass = 1; pass < IRI_PASS_COUNT; pass++) {
        iri_pass_id one = (iri_pass_id)pass;
        if (!check_list(c, "pass", p, &one, 1))
            return false;
    }
    if (!check_list(c, "lift", p, lift, sizeof lift / sizeof *lift))
        return false;
    for (uint32_t i = 0; i < sizeof any / sizeof *any; i++)
        any[i] = (iri_pass_id)(1 + next(c) % (IRI_PASS_COUNT - 1));
    return check_list(c, "random", p, any, sizeof any / sizeof *any);
}

/* ---- writers ---- */

static bool refuses_well(checking *c, const char *step, iri_status status, const iri_refusal *why)
{
    c->counts->refused[status]++;
    if (iri_status_kind_of(status) == IRI_KIND_TARGET && why->status == status && why->reason[0])
        return true;
    return fault(c, step, why->reason);
}

static bool check_writers(checking *c, const iri_program *p)
{
    iri_text text = {0};
    iri_refusal why = {0};
    iri_program *given = NULL;
    if (!apply(c, "lower_state", p, IRI_PASS_LOWER_STATE, &given))
        return false;
    bool f16 = next(c) % 2 != 0;
    iri_status status = iri_write_wgsl(
        given,
        IRI_WGSL_OPTIONS(.profile = next(c) % 2 ? IRI_PROFILE_NAGA : IRI_PROFILE_BROWSER,
                         .features = f16 ? IRI_FEATURE_SHADER_F16 : 0),
        &text, NULL, &why);
    bool good = status == IRI_OK || refuses_well(c, "wgsl", status, &why);
    c->counts->wgsl += status == IRI_OK;
    c->counts->wgsl_refused += status != IRI_OK;
    iri_text_free(&text);
    if (good) {
        status = iri_write_spirv(given,
                                 IRI_SPIRV_OPTIONS(.profile = next(c) % 2 ? IRI_PROFILE_VULKAN_1_3
                                                                          : IRI_PROFILE_VULKAN_1_1,
                                                   .features = f16 ? IRI_FEATURE_SHADER_F16 : 0),
                                 &text, NULL, &why);
        good = status == IRI_OK || refuses_well(c, "spirv", status, &why);
        c->counts->spirv += status == IRI_OK;
        c->counts->spirv_refused += status != IRI_OK;
        iri_text_free(&text);
    }
    iri_program_free(given);
    return good;
}

static void keep(const char *folder, uint64_t number, const char *end, const iri_text *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%llu.%s", folder, (unsigned long long)number, end);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text->data, 1, text->size, file) != text->size || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
}

void agree_keep(const iri_program *program, const char *folder, uint64_t number)
{
    iri_program *given = NULL;
    iri_text text = {0};
    if (iri_pass_apply(program, IRI_PASS_LOWER_STATE, IRI_PASS_OPTIONS(.state = &state), &given,
                       NULL, NULL) != IRI_OK)
        return;
    if (iri_write_wgsl(given, NULL, &text, NULL, NULL) == IRI_OK)
        keep(folder, number, "wgsl", &text);
    iri_text_free(&text);
    if (iri_write_spirv(given, NULL, &text, NULL, NULL) == IRI_OK)
        keep(folder, number, "spv", &text);
    iri_text_free(&text);
    iri_program_free(given);
}

/* ---- how much the programs say ---- */

static bool is_float(iri_scalar s)
{
    return s == IRI_F16 || s == IRI_F32 || s == IRI_F64;
}

static bool is_finite(uint64_t bits, iri_scalar scalar)
{
    uint64_t ones = scalar == IRI_F16   ? 0x7c00
                    : scalar == IRI_F32 ? 0x7f800000
                                        : UINT64_C(0x7ff0000000000000);
    return (bits & ones) != ones;
}

static void measure(checking *c)
{
    const iri_interface *io = &c->program->interface;
    agree_counts *n = c->counts;
    iri_program *needed = NULL;
    for (uint32_t i = 0; i < io->output_count; i++) {
        iri_scalar scalar = IRI_TYPE_SCALAR(io->outputs[i].type);
        for (uint32_t lane = 0; lane < IRI_TYPE_LANES(io->outputs[i].type); lane++) {
            bool varies = false;
            for (uint32_t k = 0; k < INVOCATIONS; k++) {
                uint64_t bits = execute_get_lane(&c->first.outputs[i][k][lane], scalar);
                varies |= bits != execute_get_lane(&c->first.outputs[i][0][lane], scalar);
                n->lanes++;
                n->float_lanes += is_float(scalar);
                n->finite_lanes += is_float(scalar) && is_finite(bits, scalar);
            }
            n->output_lanes++;
            n->varying_lanes += varies;
        }
    }
    for (uint32_t k = 0; k < INVOCATIONS; k++)
        n->demoted += (c->first.flags[k] & IRI_INVOCATION_KILLED) != 0;
    if (iri_pass_apply(c->program, IRI_PASS_DCE, NULL, &needed, NULL, NULL) == IRI_OK) {
        n->insts += c->program->inst_count;
        n->needed_insts += needed->inst_count;
        iri_program_free(needed);
    }
}

/* ---- all of it ---- */

static bool check_structured(checking *c, const iri_program *p)
{
    static const iri_exec_options others[] = {
        {.size = sizeof(iri_exec_options), .width = 64},
        {.size = sizeof(iri_exec_options), .portable = true},
        {.size = sizeof(iri_exec_options), .trace = true},
    };
    iri_refusal why = {0};
    if (!execute_run(p, &c->numbers, NULL, &c->first, &why))
        return fault(c, "exec", why.reason);
    c->counts->runs++;
    if (c->first.status != IRI_OK) {
        c->counts->step_limits++;
        return true;
    }
    measure(c);
    uint32_t other = (uint32_t)(next(c) % (sizeof others / sizeof *others));
    if (!run_same(c, "other exec", p, &others[other]))
        return false;
    if (is_pure(c->program)) {
        c->counts->interpreted++;
        if (!interpret(c, "interpreter", c->program))
            return false;
        c->counts->folded++;
        uint32_t invocation = (uint32_t)(next(c) % INVOCATIONS);
        if (!check_folder(c, p, invocation))
            return false;
    }
    return check_passes(c, p) && check_writers(c, c->program);
}

bool agree_check(const iri_program *program, uint64_t seed, agree_counts *counts,
                 char what[AGREE_WHAT])
{
    static checking checks; /* large */
    checking *c = &checks;
    iri_refusal why = {0};
    iri_program *structured = NULL;
    memset(c, 0, sizeof *c);
    *c = (checking){.program = program,
                    .state = seed * UINT64_C(0xaef17502108ef2d9),
                    .counts = counts,
                    .what = what};
    what[0] = 0;
    counts->programs++;
    if (iri_validate(program, IRI_CAN_ALL, NULL, &why) != IRI_OK)
        return fault(c, "validator", why.reason);
    if (!check_text(c))
        return false;
    fill_numbers(c);
    if (!is_graph(program))
        return check_structured(c, program);
    bool good = apply(c, "structurize", program, IRI_PASS_STRUCTURIZE, &structured) &&
                check_structured(c, structured);
    iri_program_free(structured);
    return good;
}
