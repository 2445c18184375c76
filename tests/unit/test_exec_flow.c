/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Control flow in the executor: random programs, many invocations that diverge, against the reference
 * interpreter that runs one at a time.
 */
#include "tests/unit/generate.h"
#include "tests/unit/interp.h"
#include "tests/unit/test_exec.h"

enum { INVOCATIONS = 100, STEP_LIMIT = 20000, SEEDS = 400 };

typedef struct generate_job {
    iri_arena scratch;
    uint64_t seed;
    uint32_t what;
    iri_program *program;
} generate_job;

static void generate_body(iri_ctx *ctx, void *argument)
{
    generate_job *j = argument;
    j->program = generate_program(ctx, &j->scratch, j->seed, j->what);
}

static iri_program *make(uint64_t seed, uint32_t what)
{
    iri_ctx ctx;
    generate_job j = {.seed = seed, .what = what};
    iri_ctx_init(&ctx, NULL, NULL, NULL);
    iri_arena_init(&j.scratch, &ctx);
    if (iri_protect(&ctx, generate_body, &j) != IRI_OK)
        FAIL("seed %llu: not made", (unsigned long long)seed);
    iri_arena_free(&j.scratch);
    return j.program;
}

/* The interpreter has no quads: its derivatives are other numbers. */
static bool has_derivative(const iri_program *p)
{
    for (uint32_t i = 1; i < p->inst_count; i++)
        if (iri_props(p->insts[i].op) & IRI_PROP_DERIVATIVE)
            return true;
    return false;
}

typedef struct lane_data {
    uint32_t inputs[INTERP_IO][INVOCATIONS][4], outputs[INTERP_IO][INVOCATIONS][4];
    uint8_t flags[INVOCATIONS];
} lane_data;

static void show(const iri_program *p)
{
    iri_text text;
    if (iri_print_text(p, IRI_TEXT_OPTIONS(.no_offsets = true), &text, NULL) == IRI_OK)
        printf("%s\n", text.data);
    iri_text_free(&text);
}

static iri_status run_all(const iri_program *p, const iri_exec_options *options, lane_data *data)
{
    iri_exec_array in[INTERP_IO], out[INTERP_IO];
    iri_refusal why = {0};
    iri_exec *e = exec_compile(p, options);
    for (int i = 0; i < INTERP_IO; i++) {
        in[i] = (iri_exec_array){data->inputs[i], 16, 0};
        out[i] = (iri_exec_array){data->outputs[i], 16, 0};
    }
    memset(data->outputs, 0, sizeof data->outputs);
    iri_exec_batch batch = {.count = INVOCATIONS,
                            .inputs = in,
                            .outputs = out,
                            .flags = data->flags,
                            .step_limit = STEP_LIMIT * 60,
                            .state = &IRI_STATE_D3D9_DEFAULT};
    iri_status status = e ? iri_exec_run(e, &batch, &why) : IRI_INTERNAL;
    iri_exec_free(e);
    return status;
}

static bool same_lane(uint32_t a, uint32_t b)
{
    return a == b || ((a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000);
}

static bool check_invocation(const iri_program *p, const lane_data *data, uint32_t i)
{
    interp_lanes inputs[INTERP_IO] = {0};
    interp_result r;
    for (int k = 0; k < INTERP_IO * 4; k++)
        inputs[k / 4].at[k % 4] = data->inputs[k / 4][i][k % 4];
    interp_run(p, inputs, STEP_LIMIT, &r);
    if (!r.finished)
        return true;
    if (r.demoted != ((data->flags[i] & IRI_INVOCATION_KILLED) != 0) ||
        (data->flags[i] & IRI_INVOCATION_STEPS))
        return false;
    for (uint32_t o = 0; o < p->interface.output_count; o++)
        for (uint32_t k = 0; k < 4; k++)
            if (!same_lane((uint32_t)r.outputs[o].at[k], data->outputs[o][i][k])) {
                printf("invocation %u output %u.%u: %08x, expected %08x\n", (unsigned)i,
                       (unsigned)o, (unsigned)k, (unsigned)data->outputs[o][i][k],
                       (unsigned)r.outputs[o].at[k]);
                return false;
            }
    return true;
}

static bool check_seed(uint64_t seed, uint32_t what)
{
    static lane_data data;
    iri_program *p = make(seed, what), *q = NULL;
    bool good = true;
    if (p && (what & GENERATE_CFG)) {
        good = CHECK(iri_pass_apply(p, IRI_PASS_STRUCTURIZE, NULL, &q, NULL, NULL) == IRI_OK);
        iri_program_free(p);
        p = q;
    }
    if (p && !has_derivative(p)) {
        memset(&data, 0, sizeof data);
        for (int i = 0; i < INTERP_IO * INVOCATIONS * 4; i++)
            (&data.inputs[0][0][0])[i] =
                exec_some_float() & 0x7fc00000u ? exec_some_float() : 0x7fc00000u;
        iri_status status =
            run_all(p, IRI_EXEC_OPTIONS(.width = 64, .trace = seed % 5 == 0), &data);
        good = (status == IRI_OK || status == IRI_LIMIT_STEPS) && good;
        for (uint32_t i = 0; good && i < INVOCATIONS; i++)
            good = check_invocation(p, &data, i);
        if (!good) {
            FAIL("seed %llu, %u", (unsigned long long)seed, (unsigned)what);
            show(p);
        }
    }
    iri_program_free(p);
    return good;
}

static void check_seeds(uint64_t from, uint32_t what)
{
    for (uint64_t seed = from; seed < from + SEEDS; seed++)
        if (!check_seed(seed, what))
            return;
}

TEST(exec_random_structured)
{
    check_seeds(1, GENERATE_RESULTS);
}

TEST(exec_random_locals)
{
    check_seeds(1001, GENERATE_LOCALS);
    check_seeds(2001, GENERATE_LOCALS | GENERATE_RESULTS);
}

TEST(exec_random_calls)
{
    check_seeds(3001, GENERATE_CALLS | GENERATE_RESULTS);
    check_seeds(4001, GENERATE_CALLS | GENERATE_LOCALS);
}

TEST(exec_random_structurized)
{
    check_seeds(5001, GENERATE_CFG);
    check_seeds(6001, GENERATE_CFG | GENERATE_LOCALS);
}
