/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Passes keep what programs mean: random programs, run before and after, give the same bits.
 */
#include "tests/unit/generate.h"
#include "tests/unit/interp.h"
#include "tests/unit/test.h"

#include "base/number.h"
#include "ir/facts/finite.h"
#include "pass/pass.h"
#include <iridia/text.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 4, STEPS = 20000, SEEDS = 1500 };

typedef struct job {
    iri_arena scratch;
    uint64_t seed;
    uint32_t what;
    iri_program *program;
} job;

static void generate(iri_ctx *ctx, void *argument)
{
    job *j = argument;
    j->program = generate_program(ctx, &j->scratch, j->seed, j->what);
}

static void show(const iri_program *p)
{
    iri_text text;
    if (iri_print_text(p, IRI_TEXT_OPTIONS(.no_offsets = true), &text, NULL) == IRI_OK)
        printf("%s\n", text.data);
    iri_text_free(&text);
}

static iri_program *make(uint64_t seed, uint32_t what)
{
    iri_ctx ctx;
    job j = {.seed = seed, .what = what};
    iri_refusal why;
    iri_ctx_init(&ctx, NULL, NULL, &why);
    iri_arena_init(&j.scratch, &ctx);
    iri_status status = iri_protect(&ctx, generate, &j);
    iri_arena_free(&j.scratch);
    if (status != IRI_OK)
        FAIL("seed %llu: %s", (unsigned long long)seed, why.reason);
    else if (iri_validate(j.program, IRI_CAN_ALL, NULL, &why) != IRI_OK) {
        FAIL("seed %llu is invalid: %s", (unsigned long long)seed, why.reason);
        show(j.program);
    }
    return j.program;
}

static void some_inputs(uint64_t seed, interp_lanes inputs[INTERP_IO])
{
    static const float floats[] = {0, -0.0f, 1, -2.5f, 0.75f, 3, 1e38f, INFINITY};
    uint64_t state = seed;
    for (uint32_t i = 0; i < INTERP_IO; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            state = state * UINT64_C(6364136223846793005) + 1;
            uint32_t index = (uint32_t)(state >> 40) % 16;
            float f = index < 8 ? floats[index] : (float)(state >> 45) / 65536.0f - 4.0f;
            inputs[i].at[k] = index == 15 ? 0x7fc00000 : iri_f32_bits(f);
        }
    }
}

/* Whether two programs give the same on some inputs; those that take too long say nothing. */
static bool agree(const iri_program *a, const iri_program *b, uint64_t seed)
{
    for (uint32_t run = 0; run < RUNS; run++) {
        interp_lanes inputs[INTERP_IO];
        interp_result x, y;
        some_inputs(seed * RUNS + run, inputs);
        interp_run(a, inputs, STEPS, &x);
        if (!x.finished)
            continue;
        interp_run(b, inputs, STEPS * 50, &y);
        if (!y.finished || x.demoted != y.demoted ||
            memcmp(x.outputs, y.outputs, sizeof x.outputs) != 0)
            return false;
    }
    return true;
}

/* Runs passes in turn, each compared with the first program. */
static bool check_passes(uint64_t seed, uint32_t what, const iri_pass_id *passes, uint32_t count)
{
    iri_program *first = make(seed, what), *program = first;
    bool good = first != NULL;
    for (uint32_t i = 0; good && i < count; i++) {
        iri_refusal why;
        iri_program *next = NULL;
        iri_status status = iri_pass_apply(
            program, passes[i],
            IRI_PASS_OPTIONS(.uninitialized_zero = true, .state = &IRI_STATE_D3D9_DEFAULT), &next,
            NULL, &why);
        if (status != IRI_OK)
            FAIL("seed %llu, %s: %s", (unsigned long long)seed, iri_pass_name(passes[i]),
                 why.reason);
        else if (!agree(first, next, seed))
            FAIL("seed %llu: %s changes the meaning", (unsigned long long)seed,
                 iri_pass_name(passes[i]));
        else if (next) {
            if (program != first)
                iri_program_free(program);
            program = next;
            continue;
        }
        good = false;
        show(program);
        if (next)
            show(next);
        iri_program_free(next);
    }
    if (program != first)
        iri_program_free(program);
    iri_program_free(first);
    return good;
}

static void check_seeds(uint64_t from, uint32_t what, const iri_pass_id *passes, uint32_t count)
{
    for (uint64_t seed = from; seed < from + SEEDS; seed++) {
        if (!check_passes(seed, what, passes, count))
            return;
    }
}

#define CHECK_SEEDS(from, what, ...) \
    check_seeds(from, what, (const iri_pass_id[]){__VA_ARGS__}, \
                sizeof((const iri_pass_id[]){__VA_ARGS__}) / sizeof(iri_pass_id))

TEST(pass_promote_keeps_meaning)
{
    CHECK_SEEDS(1, GENERATE_LOCALS, IRI_PASS_PROMOTE);
    CHECK_SEEDS(10001, GENERATE_LOCALS | GENERATE_RESULTS, IRI_PASS_PROMOTE, IRI_PASS_DCE,
                IRI_PASS_FOLD, IRI_PASS_DCE);
}

TEST(pass_simplifying_keeps_meaning)
{
    CHECK_SEEDS(20001, GENERATE_RESULTS, IRI_PASS_FOLD, IRI_PASS_CSE, IRI_PASS_DCE);
    CHECK_SEEDS(30001, GENERATE_RESULTS | GENERATE_LOCALS, IRI_PASS_DCE, IRI_PASS_FOLD);
    CHECK_SEEDS(40001, GENERATE_RESULTS, IRI_PASS_RELAX, IRI_PASS_LOWER_STATE,
                IRI_PASS_IF_TO_SELECT);
}

TEST(pass_inline_keeps_meaning)
{
    CHECK_SEEDS(50001, GENERATE_CALLS | GENERATE_RESULTS, IRI_PASS_INLINE, IRI_PASS_FOLD);
    CHECK_SEEDS(60001, GENERATE_CALLS | GENERATE_LOCALS, IRI_PASS_INLINE, IRI_PASS_PROMOTE,
                IRI_PASS_DCE);
    CHECK_SEEDS(70001, GENERATE_CALLS | GENERATE_LOCALS, IRI_PASS_PROMOTE, IRI_PASS_INLINE,
                IRI_PASS_BREAK_FLAGS);
}

TEST(pass_break_flags_keeps_meaning)
{
    CHECK_SEEDS(80001, GENERATE_RESULTS, IRI_PASS_BREAK_FLAGS, IRI_PASS_DCE);
    CHECK_SEEDS(90001, GENERATE_LOCALS, IRI_PASS_PROMOTE, IRI_PASS_BREAK_FLAGS);
}

TEST(pass_structurize_keeps_meaning)
{
    CHECK_SEEDS(100001, GENERATE_CFG, IRI_PASS_STRUCTURIZE, IRI_PASS_PROMOTE, IRI_PASS_FOLD,
                IRI_PASS_DCE, IRI_PASS_BREAK_FLAGS);
    CHECK_SEEDS(110001, GENERATE_CFG | GENERATE_LOCALS, IRI_PASS_STRUCTURIZE, IRI_PASS_PROMOTE,
                IRI_PASS_BREAK_FLAGS);
}

/* ---- facts ---- */

typedef struct watching {
    const iri_program *p;
    const iri_finite *facts;
    uint64_t seed;
    uint32_t seen, wrong, bounded;
} watching;

static bool holds(const iri_range *r, uint32_t bits)
{
    float x = iri_bits_f32(bits);
    if (isnan(x))
        return r->nan;
    return x >= r->low && x <= r->high && (r->minus_zero || bits != 0x80000000);
}

static void see(void *argument, iri_id value, const interp_lanes *lanes)
{
    watching *w = argument;
    iri_type type = iri_type_of(w->p, value);
    for (uint32_t i = 0; IRI_TYPE_SCALAR(type) == IRI_F32 && i < IRI_TYPE_LANES(type); i++) {
        const iri_range *r = &w->facts->lanes[value][i];
        w->seen++;
        w->bounded += iri_range_is_finite(r);
        if (!holds(r, (uint32_t)lanes->at[i]) && w->wrong++ == 0)
            FAIL("seed %llu: %%%u lane %u is %g, which its range does not have",
                 (unsigned long long)w->seed, (unsigned)value, (unsigned)i,
                 (double)iri_bits_f32((uint32_t)lanes->at[i]));
    }
}

static void find_facts(iri_ctx *ctx, void *argument)
{
    static iri_finite facts;
    job *j = argument;
    iri_arena_init(&j->scratch, ctx);
    iri_find_finite(&j->scratch, j->program, &facts);
    watching w = {.p = j->program, .facts = &facts, .seed = j->seed};
    interp_watch watch = {see, &w};
    for (uint32_t run = 0; run < RUNS; run++) {
        interp_lanes inputs[INTERP_IO];
        interp_result result;
        some_inputs(j->seed * RUNS + run, inputs);
        interp_run_watched(j->program, inputs, STEPS, &watch, &result);
    }
    iri_arena_free(&j->scratch);
    j->what = w.bounded; /* how many lanes were known to be finite */
}

TEST(pass_ranges_hold)
{
    uint64_t bounded = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        iri_ctx ctx;
        job j = {.seed = seed, .program = make(seed, GENERATE_RESULTS | GENERATE_CALLS)};
        iri_ctx_init(&ctx, NULL, NULL, NULL);
        CHECK(iri_protect(&ctx, find_facts, &j) == IRI_OK);
        bounded += j.what;
        iri_program_free(j.program);
    }
    CHECK(bounded > SEEDS);
}

/* ---- the runner ---- */

/* Fails at call `left`; counts what is held. */
typedef struct poor {
    uint32_t left;
    int64_t held;
} poor;

static void *poor_alloc(void *user, size_t size)
{
    poor *p = user;
    if (p->left == 0)
        return NULL;
    p->left--;
    p->held += (int64_t)size;
    return malloc(size);
}

static void poor_free(void *user, void *memory, size_t size)
{
    ((poor *)user)->held -= (int64_t)size;
    free(memory);
}

TEST(pass_without_memory)
{
    for (int pass = 1; pass < IRI_PASS_COUNT; pass++) {
        uint32_t what = pass == IRI_PASS_STRUCTURIZE ? GENERATE_CFG
                        : pass == IRI_PASS_PROMOTE   ? GENERATE_LOCALS
                                                     : GENERATE_CALLS | GENERATE_RESULTS;
        iri_program *program = make(7, what);
        for (uint32_t calls = 0; program; calls++) {
            poor p = {calls, 0};
            iri_allocator allocator = {poor_alloc, poor_free, &p};
            iri_program *next;
            iri_refusal why;
            iri_status status = iri_pass_apply(
                program, (iri_pass_id)pass,
                IRI_PASS_OPTIONS(.allocator = &allocator, .uninitialized_zero = true), &next, NULL,
                &why);
            CHECK((next != NULL) == (status == IRI_OK));
            iri_program_free(next);
            CHECK(p.held == 0);
            if (status != IRI_OK && status != IRI_NO_MEMORY)
                FAIL("pass %s after %u calls: %s", iri_pass_name((iri_pass_id)pass),
                     (unsigned)calls, why.reason);
            if (status == IRI_OK || !CHECK(status == IRI_NO_MEMORY && calls < 1000))
                break;
        }
        iri_program_free(program);
    }
}

TEST(pass_names)
{
    iri_program *next = NULL, *program = make(1, 0);
    iri_refusal why;
    for (int pass = 1; pass < IRI_PASS_COUNT; pass++) {
        CHECK(iri_pass_by_name(iri_pass_name((iri_pass_id)pass)) == (iri_pass_id)pass);
        CHECK(iri_pass_meaning((iri_pass_id)pass) != NULL);
    }
    CHECK(iri_pass_by_name("nothing") == IRI_PASS_NONE);
    CHECK(iri_pass_name(IRI_PASS_NONE) == NULL && iri_pass_name(IRI_PASS_COUNT) == NULL);
    CHECK(iri_pass_apply(program, IRI_PASS_NONE, NULL, &next, NULL, &why) == IRI_INVALID_ARGUMENT);
    CHECK(iri_pass_apply(NULL, IRI_PASS_FOLD, NULL, &next, NULL, &why) == IRI_INVALID_ARGUMENT);
    iri_program_free(program);
}
