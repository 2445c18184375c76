/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Large programs go through every pass in little time: deep nests of loops, many exits, long runs. What is
 * quadratic or worse shows as a test that does not end.
 */
#include "tests/unit/test.h"

#include "ir/emit.h"
#include "pass/pass.h"

enum { DEEP = 240, LONG = 20000, LOCALS = 32 };

typedef struct big {
    iri_builder *b;
    iri_id locals[LOCALS];
    void (*fill)(struct big *big);
    iri_arena scratch;
    iri_program *program;
} big;

static void build(iri_ctx *ctx, void *argument)
{
    big *g = argument;
    iri_type result = IRI_TYPE_VEC4F;
    iri_id parameter;
    g->b = iri_builder_make(ctx, &g->scratch, IRI_STAGE_NONE, 0);
    iri_begin_function(g->b, "f", &result, 1, &result, 1, &parameter);
    for (uint32_t i = 0; i < LOCALS; i++) {
        iri_local local = {"r", IRI_TYPE_VEC4F, IRI_LOCAL_UNSET, 0};
        g->locals[i] = iri_add_local(g->b, &local);
        iri_emit_store_local(g->b, g->locals[i], iri_lanes_first(4), parameter, 0);
    }
    g->fill(g);
    iri_id sum = parameter;
    for (uint32_t i = 0; i < LOCALS; i++)
        sum = iri_emit2(g->b, IRI_OP_ADD, sum,
                        iri_emit_load_local(g->b, g->locals[i], iri_lanes_first(4), 0));
    iri_emit_return(g->b, &sum, 1);
    iri_end_function(g->b);
    iri_builder_program(g->b)->entry = 0;
    g->program = iri_builder_finish(g->b);
}

/* One lane of some local, read and written. */
static iri_id touch(big *g, uint32_t i)
{
    iri_id local = g->locals[i % LOCALS];
    iri_id x = iri_emit_load_local(g->b, local, IRI_LANES1(i % 4), 0);
    iri_id y = iri_emit2(g->b, IRI_OP_ADD, x, iri_const_f32(g->b, 1));
    iri_emit_store_local(g->b, local, IRI_LANES1(i / 4 % 4), y, 0);
    return y;
}

static iri_id some_condition(big *g, uint32_t i)
{
    return iri_emit2(g->b, IRI_OP_LT, touch(g, i), iri_const_f32(g->b, 8));
}

static void end_if(big *g)
{
    iri_begin_else(g->b);
    iri_emit_yield(g->b, NULL, 0);
    iri_end_results(g->b, NULL, 0);
}

static void deep_loops(big *g)
{
    uint32_t labels[DEEP];
    for (uint32_t i = 0; i < DEEP; i++) {
        labels[i] = iri_begin_loop(g->b, NULL, 0, NULL);
        iri_begin_if(g->b, some_condition(g, i));
        iri_emit_break(g->b, labels[i / 2], NULL, 0);
        end_if(g);
    }
    for (uint32_t i = DEEP; i-- > 0;) {
        touch(g, i * 7);
        iri_emit_continue(g->b, labels[i], NULL, 0);
        iri_end_results(g->b, NULL, 0);
    }
}

static void long_run(big *g)
{
    for (uint32_t i = 0; i < LONG; i++)
        touch(g, i * 13);
}

static void many_ifs(big *g)
{
    for (uint32_t i = 0; i < LONG / 4; i++) {
        iri_begin_if(g->b, some_condition(g, i));
        touch(g, i * 5);
        iri_emit_yield(g->b, NULL, 0);
        end_if(g);
    }
}

static void many_breaks(big *g)
{
    uint32_t label = iri_begin_block(g->b);
    for (uint32_t i = 0; i < LONG / 16; i++) {
        iri_begin_if(g->b, some_condition(g, i));
        iri_emit_break(g->b, label, NULL, 0);
        end_if(g);
    }
    iri_emit_yield(g->b, NULL, 0);
    iri_end_results(g->b, NULL, 0);
}

static void deep_blocks(big *g)
{
    uint32_t labels[DEEP];
    for (uint32_t i = 0; i < DEEP; i++)
        labels[i] = iri_begin_block(g->b);
    for (uint32_t i = 0; i < DEEP; i++) {
        iri_begin_if(g->b, some_condition(g, i));
        iri_emit_break(g->b, labels[i], NULL, 0);
        end_if(g);
    }
    for (uint32_t i = DEEP; i-- > 0;) {
        iri_emit_yield(g->b, NULL, 0);
        iri_end_results(g->b, NULL, 0);
        touch(g, i);
    }
}

static void check(void (*fill)(big *g))
{
    static const iri_pass_id passes[] = {
        IRI_PASS_INLINE,      IRI_PASS_STRUCTURIZE, IRI_PASS_PROMOTE, IRI_PASS_FOLD,
        IRI_PASS_CSE,         IRI_PASS_DCE,         IRI_PASS_RELAX,   IRI_PASS_IF_TO_SELECT,
        IRI_PASS_LOWER_STATE, IRI_PASS_BREAK_FLAGS};
    iri_ctx ctx;
    iri_refusal why;
    big g = {.fill = fill};
    iri_ctx_init(&ctx, NULL, NULL, &why);
    iri_arena_init(&g.scratch, &ctx);
    iri_status status = iri_protect(&ctx, build, &g);
    iri_arena_free(&g.scratch);
    if (!CHECK(status == IRI_OK))
        return;
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        iri_program *next;
        if (iri_pass_apply(g.program, passes[i], NULL, &next, NULL, &why) != IRI_OK) {
            FAIL("%s: %s", iri_pass_name(passes[i]), why.reason);
            break;
        }
        iri_program_free(g.program);
        g.program = next;
    }
    iri_program_free(g.program);
}

TEST(pass_size_deep_loops)
{
    check(deep_loops);
}

TEST(pass_size_deep_blocks)
{
    check(deep_blocks);
}

TEST(pass_size_long_run)
{
    check(long_run);
}

TEST(pass_size_many_ifs)
{
    check(many_ifs);
}

TEST(pass_size_many_breaks)
{
    check(many_breaks);
}
