/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder's control flow, value numbers and faults, rewriting, comparing, and the public builder with
 * memory that runs out at every allocation.
 */
#include "base/number.h"
#include "ir/rewrite.h"
#include "ir/variables.h"
#include "tests/unit/test_ir.h"

#include <iridia/build.h>
#include <stdio.h>
#include <stdlib.h>

static void begin_main(iri_builder *b)
{
    ir_add_interface(b);
    iri_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
}

static void end_main(iri_builder *b, iri_id colour)
{
    iri_emit_output(b, 0, iri_lanes_first(4), colour);
    iri_emit_return(b, NULL, 0);
    iri_end_function(b);
}

/* The operations of a program as words, regions in braces. */
static void outline_region(const iri_program *p, iri_id region, char *text, size_t size)
{
    iri_for_each_inst(p, region, in)
    {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s ", iri_op_infos[in->op].name);
        for (uint32_t i = 0; i < in->region_count; i++) {
            snprintf(text + strlen(text), size - strlen(text), "{ ");
            outline_region(p, iri_regions(p, in)[i], text, size);
            snprintf(text + strlen(text), size - strlen(text), "} ");
        }
    }
}

static const char *outline(const ir_build *t)
{
    static char text[4096];
    text[0] = 0;
    if (!t->program)
        return t->why.reason;
    outline_region(t->program, t->program->functions[t->program->entry].body, text, sizeof text);
    return text;
}

static void expect_outline(void (*fill)(iri_builder *, void *), uint32_t flags,
                           const char *expected)
{
    ir_build t = {.flags = flags, .fill = fill};
    ir_build_run(&t);
    CHECK_STR(outline(&t), expected);
    ir_build_free(&t);
}

/* Checks of what an optimising builder finds; programs are also built without. Both evaluate. */
#define SEEN(condition) (void)((condition) || !argument || CHECK(!#condition))
#define SEEN_EQ(got, expected) seen_eq(argument != NULL, got, expected, #got)

static void seen_eq(bool wanted, iri_id got, iri_id expected, const char *text)
{
    if (wanted && got != expected)
        FAIL("%s is %u, not %u", text, (unsigned)got, (unsigned)expected);
}

/* ---- flow ---- */

static void fill_if(iri_builder *b, void *argument)
{
    (void)argument;
    begin_main(b);
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), r[2];
    iri_id c = iri_emit2(b, IRI_OP_LT, iri_emit_swizzle(b, x, IRI_LANES1(0)), iri_const_f32(b, 1));
    iri_begin_if(b, c);
    iri_id values[2] = {iri_emit1(b, IRI_OP_NEG, x), x};
    iri_emit_yield(b, values, 2);
    iri_begin_else(b);
    values[0] = x;
    iri_emit_yield(b, values, 2);
    iri_end_results(b, r, 2);
    end_main(b, iri_emit2(b, IRI_OP_ADD, r[0], r[1]));
}

TEST(ir_flow_if)
{
    for (uint32_t flags = 0; flags < 4; flags++) {
        ir_build t = {.flags = flags, .fill = fill_if};
        REQUIRE(ir_build_run(&t) == IRI_OK);
        CHECK_STR(outline(&t), "input swizzle lt if { neg yield } { yield } add output return ");
        const iri_program *p = t.program;
        iri_for_each_inst(p, p->functions[1].body, in)
        {
            if (in->op != IRI_OP_IF)
                continue;
            /* Both arms carry x as the second: under FOLD that is no result. */
            CHECK_EQ_U32(in->result_count, flags & IRI_BUILD_FOLD ? 1 : 2);
            CHECK_EQ_U32(iri_terminator(p, iri_regions(p, in)[0])->operand_count, in->result_count);
            CHECK_EQ_U32(iri_terminator(p, iri_regions(p, in)[1])->operand_count, in->result_count);
        }
        CHECK(p->arena.ctx == NULL);
        CHECK(iri_program_memory(p) >= 4096);
        ir_build_free(&t);
    }
}

static void fill_constant_if(iri_builder *b, void *argument)
{
    begin_main(b);
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), first;
    for (int live = 0; live < 2; live++) {
        iri_begin_if(b, iri_const_bool(b, live));
        iri_id yes[2] = {iri_emit1(b, IRI_OP_FLOOR, x), x};
        iri_emit_yield(b, yes, 2);
        iri_emit1(b, IRI_OP_SQRT, x); /* dead */
        iri_begin_else(b);
        iri_id no[2] = {iri_emit1(b, IRI_OP_ABS, x), x};
        iri_emit_yield(b, no, 2);
        SEEN_EQ(iri_end(b, &first), 2);
        x = iri_emit2(b, IRI_OP_MUL, first, first + 1);
    }
    /* Without an else, and left for good. */
    iri_begin_if(b, iri_const_bool(b, false));
    iri_emit_return(b, NULL, 0);
    SEEN_EQ(iri_end(b, NULL), 0);
    SEEN(!iri_is_closed(b));
    iri_begin_if(b, iri_const_bool(b, true));
    iri_emit_output(b, 0, iri_lanes_first(4), x);
    iri_emit_return(b, NULL, 0);
    iri_end(b, NULL);
    SEEN(iri_is_closed(b));
    iri_emit_output(b, 0, iri_lanes_first(4), x);
    iri_end_function(b);
}

TEST(ir_flow_constant_if)
{
    ir_build t = {.flags = IRI_BUILD_OPTIMISE, .fill = fill_constant_if, .argument = &t};
    CHECK(ir_build_run(&t) == IRI_OK);
    ir_build_free(&t);
    expect_outline(fill_constant_if, IRI_BUILD_OPTIMISE, "input abs mul floor mul output return ");
    expect_outline(
        fill_constant_if, 0,
        "input if { floor yield } { abs yield } mul if { floor yield } { abs yield } mul "
        "if { return } { yield } if { output return } { yield } output return ");
}

static void fill_loop(iri_builder *b, void *argument)
{
    (void)argument;
    begin_main(b);
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), r;
    iri_id initial[2] = {x, iri_const_f32(b, 0)}, at[2];
    uint32_t loop = iri_begin_loop(b, initial, 2, at);
    CHECK_EQ_U32(iri_builder_type(b, at[0]), IRI_TYPE_VEC4F);
    iri_begin_if(b, iri_emit2(b, IRI_OP_GE, at[1], iri_const_f32(b, 8)));
    iri_emit_break(b, loop, at, 1);
    iri_end(b, NULL);
    iri_id next[2] = {iri_emit2(b, IRI_OP_ADD, at[0], x),
                      iri_emit2(b, IRI_OP_ADD, at[1], iri_const_f32(b, 1))};
    iri_emit_continue(b, loop, next, 2);
    CHECK_EQ_U32(iri_end(b, &r), 1);
    end_main(b, r);
}

/* A loop that carries a value nobody needs around itself, an `if` of which one result is read, dead arithmetic. */
static void fill_needless(iri_builder *b, void *argument)
{
    (void)argument;
    begin_main(b);
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), r[2];
    iri_emit1(b, IRI_OP_SQRT, iri_emit1(b, IRI_OP_FLOOR, x));
    iri_id initial[3] = {x, iri_const_f32(b, 0), x}, at[3];
    uint32_t loop = iri_begin_loop(b, initial, 3, at);
    iri_begin_if(b, iri_emit2(b, IRI_OP_GE, at[1], iri_const_f32(b, 8)));
    iri_emit_break(b, loop, (iri_id[]){at[2], at[0]}, 2);
    iri_end(b, NULL);
    iri_id next[3] = {iri_emit2(b, IRI_OP_ADD, at[0], x),
                      iri_emit2(b, IRI_OP_ADD, at[1], iri_const_f32(b, 1)),
                      iri_emit1(b, IRI_OP_NEG, at[2])};
    iri_emit_continue(b, loop, next, 3);
    iri_end_results(b, r, 2);
    iri_id sum = r[1];
    iri_begin_if(
        b, iri_emit2(b, IRI_OP_LT, iri_emit_swizzle(b, x, IRI_LANES1(0)), iri_const_f32(b, 1)));
    iri_id values[2] = {iri_emit1(b, IRI_OP_ABS, sum), iri_emit1(b, IRI_OP_CEIL, sum)};
    iri_emit_yield(b, values, 2);
    iri_begin_else(b);
    iri_emit_yield(b, (iri_id[]){sum, x}, 2);
    iri_end_results(b, r, 2);
    end_main(b, r[0]);
}

TEST(ir_finish_drops)
{
    const char *all =
        "input floor sqrt loop { ge if { break } { yield } add add neg continue } swizzle "
        "lt if { abs ceil yield } { yield } output return ";
    const char *needed =
        "input loop { ge if { break } { yield } add add continue } swizzle lt if { "
        "abs yield } { yield } output return ";
    expect_outline(fill_needless, 0, all);
    expect_outline(fill_needless, IRI_BUILD_DROP, needed);
    expect_outline(fill_needless, IRI_BUILD_OPTIMISE | IRI_BUILD_DROP, needed);
    ir_build t = {.flags = IRI_BUILD_DROP, .fill = fill_needless};
    REQUIRE(ir_build_run(&t) == IRI_OK);
    const iri_program *p = t.program;
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        if (in->op == IRI_OP_LOOP)
            CHECK(in->operand_count == 2 && in->result_count == 1 &&
                  p->regions[iri_regions(p, in)[0]].parameter_count == 2);
        else if (in->op == IRI_OP_CONTINUE)
            CHECK_EQ_U32(in->operand_count, 2);
        else if (in->op == IRI_OP_BREAK || in->op == IRI_OP_YIELD)
            CHECK(in->operand_count <= 1);
    }
    ir_build_free(&t);
}

/* A variable whose lanes several values hold, and a read of one that nothing has written. */
typedef struct with_variables {
    iri_variables v;
    iri_arena *scratch;
} with_variables;

static void fill_variables(iri_builder *b, void *argument)
{
    with_variables *w = argument;
    iri_variables *v = &w->v;
    begin_main(b);
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), y = iri_emit1(b, IRI_OP_NEG, x);
    iri_variables_start(v, b, w->scratch, 2);
    iri_variables_declare(v, 0, IRI_F32, IRI_VARIABLE_UNSET);
    iri_variables_declare(v, 1, IRI_F32, IRI_VARIABLE_ZERO);
    iri_variables_write(v, 0, iri_lanes_first(4), x);
    CHECK_EQ_U32(iri_variables_read(v, 0, iri_lanes_first(4), 0, 1), x);
    uint32_t mark = iri_variables_mark(v);
    iri_variables_write(v, 0, IRI_LANES2(1, 2), iri_emit_swizzle(b, y, IRI_LANES2(3, 0)));
    iri_id mixed = iri_variables_read(v, 0, iri_lanes_first(4), 0, 2);
    CHECK(mixed != x && iri_builder_type(b, mixed) == IRI_TYPE_VEC4F);
    CHECK_EQ_U32(v->readings.count, 0);
    iri_variables_take_back(v, mark);
    CHECK_EQ_U32(iri_variables_read(v, 0, iri_lanes_first(4), 0, 3), x);
    iri_id zero =
        iri_variables_read(v, 1, IRI_LANES2(0, 1), 2, 4); /* the second lane is not needed */
    CHECK(iri_get_const(b, zero, NULL) && v->readings.count == 1 && v->readings.at[0].offset == 4);
    const iri_local names[2] = {{.name = "a"}, {.name = "b"}};
    iri_variables_judge(v, names, true);
    end_main(b, mixed);
}

TEST(ir_variables)
{
    with_variables w;
    ir_build t = {.flags = IRI_BUILD_OPTIMISE, .fill = fill_variables, .argument = &w};
    w.scratch = &t.scratch;
    REQUIRE(ir_build_run(&t) == IRI_OK);
    CHECK_STR(outline(&t), "input neg swizzle insert output return ");
    REQUIRE(t.program->note_count == 1);
    CHECK_STR(t.program->notes[0].text, "reads b.x, which starts as zero");
    ir_build_free(&t);
}

static void fill_switch(iri_builder *b, void *argument)
{
    (void)argument;
    begin_main(b);
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), r, y;
    iri_id s = iri_emit_convert(b, IRI_OP_FTOI, IRI_I32, iri_emit_swizzle(b, x, IRI_LANES1(3)));
    uint32_t outer = iri_begin_block(b);
    uint32_t label = iri_begin_switch(b, s);
    iri_emit_yield(b, &x, 1);
    iri_begin_case(b, (uint32_t[]){1, 2}, 2);
    y = iri_emit1(b, IRI_OP_NEG, x);
    iri_emit_break(b, label, &y, 1);
    iri_begin_case(b, (uint32_t[]){3}, 1);
    iri_emit_break(b, outer, &x, 1);
    iri_end_results(b, &r, 1);
    iri_emit_yield(b, &r, 1);
    iri_end_results(b, &r, 1);
    end_main(b, r);
}

TEST(ir_flow_loop_and_switch)
{
    expect_outline(fill_loop, IRI_BUILD_OPTIMISE,
                   "input loop { ge if { break } { yield } add add continue } output return ");
    ir_build t = {.flags = IRI_BUILD_OPTIMISE, .fill = fill_switch};
    REQUIRE(ir_build_run(&t) == IRI_OK);
    CHECK_STR(outline(&t), "input swizzle ftoi block { switch { yield } { neg break } { break } "
                           "yield } output return ");
    const iri_program *p = t.program;
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        const uint32_t *imm = iri_immediates(p, in);
        if (in->op != IRI_OP_SWITCH)
            continue;
        CHECK_EQ_U32(in->immediate_count, 6);
        CHECK(imm[0] == 2 && imm[1] == 2 && imm[2] == 1 && imm[3] == 2 && imm[4] == 1 &&
              imm[5] == 3);
    }
    ir_build_free(&t);
}

static void fill_no_exit(iri_builder *b, void *argument)
{
    (void)argument;
    begin_main(b);
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), c, r[1];
    c = iri_emit2(b, IRI_OP_LT, iri_emit_swizzle(b, x, IRI_LANES1(0)), iri_const_f32(b, 0));
    iri_begin_if(b, c);
    iri_emit_return(b, NULL, 0);
    iri_begin_else(b);
    uint32_t loop = iri_begin_loop(b, NULL, 0, NULL);
    (void)loop;
    iri_end_results(b, r, 1); /* never left */
    CHECK(iri_is_closed(b));
    iri_emit_output(b, 0, iri_lanes_first(4), r[0]); /* dead, whatever it is of */
    iri_end(b, NULL);
    CHECK(iri_is_closed(b));
    /* Dead ops give values of the right shape. */
    iri_begin_if(b, c);
    iri_id two[2] = {x, c};
    iri_emit_yield(b, two, 2);
    iri_begin_else(b);
    iri_end_results(b, two, 2);
    CHECK_EQ_U32(iri_builder_type(b, two[0]), IRI_TYPE_VEC4F);
    CHECK_EQ_U32(iri_builder_type(b, two[1]), IRI_TYPE_BOOL);
    iri_id parameter;
    uint32_t label = iri_begin_loop(b, &x, 1, &parameter);
    CHECK_EQ_U32(iri_builder_type(b, parameter), IRI_TYPE_VEC4F);
    iri_emit_break(b, label, &parameter, 1);
    iri_id first;
    CHECK_EQ_U32(iri_end(b, &first), 1);
    CHECK_EQ_U32(iri_builder_type(b, first), IRI_TYPE_VEC4F);
    CHECK_EQ_U32(iri_builder_type(b, iri_emit2(b, IRI_OP_DOT, first, x)), IRI_TYPE_F32);
    iri_end_function(b);
}

TEST(ir_flow_dead_code)
{
    expect_outline(fill_no_exit, 0,
                   "input swizzle lt if { return } { loop { continue } unreachable } unreachable ");
    expect_outline(fill_no_exit, IRI_BUILD_OPTIMISE,
                   "input swizzle lt if { return } { loop { continue } unreachable } unreachable ");
}

static void fill_empty_if(iri_builder *b, void *argument)
{
    (void)argument;
    begin_main(b);
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), r;
    iri_begin_if(
        b, iri_emit2(b, IRI_OP_LT, iri_emit_swizzle(b, x, IRI_LANES1(0)), iri_const_f32(b, 0)));
    iri_emit_yield(b, &x, 1);
    iri_begin_else(b);
    iri_emit_yield(b, &x, 1);
    iri_end_results(b, &r, 1);
    end_main(b, r);
}

TEST(ir_flow_empty_if)
{
    expect_outline(fill_empty_if, IRI_BUILD_OPTIMISE, "input swizzle lt output return ");
    expect_outline(fill_empty_if, 0, "input swizzle lt if { yield } { yield } output return ");
}

/* ---- faults of flow: each row a way to build wrongly ---- */

static const char *const flow_faults[] = {
    "else",    "case",           "end",          "twice",     "else twice",      "arity",
    "types",   "label",          "closed label", "continue",  "condition",       "selector",
    "open",    "open function",  "no function",  "nested",    "result",          "parameters",
    "unknown", "initial",        "cfg if",       "cfg late",  "cfg open",        "cfg arguments",
    "br",      "implicit yield", "results",      "call type", "implicit return", "void function"};

static void fill_flow_fault(iri_builder *b, void *argument)
{
    const char *fault = argument;
    iri_id r, p;
    ir_add_interface(b);
    if (strcmp(fault, "no function") == 0) {
        iri_emit_input(b, 0, iri_lanes_first(4));
        iri_begin_if(b, iri_const_bool(b, true));
        iri_end(b, NULL);
        iri_emit_return(b, NULL, 0);
        return;
    }
    iri_type f32 = IRI_TYPE_F32, none = IRI_TYPE_VOID;
    iri_id g = iri_begin_function(b, "g", &f32, 1, &f32, 1, &p);
    if (strcmp(fault, "implicit return") != 0)
        iri_emit_return(b, &p, 1);
    iri_end_function(b);
    iri_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), s = iri_emit_swizzle(b, x, IRI_LANES1(0));
    iri_id c = iri_emit2(b, IRI_OP_LT, s, iri_const_f32(b, 0)), two[2] = {x, c};
    if (strcmp(fault, "else") == 0) {
        iri_begin_else(b);
    } else if (strcmp(fault, "case") == 0) {
        iri_begin_if(b, c);
        iri_begin_case(b, NULL, 0);
        iri_end(b, NULL);
    } else if (strcmp(fault, "end") == 0) {
        iri_end(b, &r);
    } else if (strcmp(fault, "twice") == 0) {
        iri_end_function(b);
    } else if (strcmp(fault, "else twice") == 0) {
        iri_begin_if(b, c);
        iri_begin_else(b);
        iri_begin_else(b);
        iri_end(b, NULL);
    } else if (strcmp(fault, "arity") == 0) {
        iri_begin_if(b, c);
        iri_emit_yield(b, two, 2);
        iri_begin_else(b);
        iri_emit_yield(b, two, 1);
        iri_end_results(b, two, 2);
    } else if (strcmp(fault, "types") == 0) {
        iri_begin_if(b, c);
        iri_emit_yield(b, &x, 1);
        iri_begin_else(b);
        iri_emit_yield(b, &c, 1);
        iri_end_results(b, &r, 1);
    } else if (strcmp(fault, "label") == 0) {
        iri_begin_block(b);
        iri_emit_break(b, 99, NULL, 0);
        iri_end(b, NULL);
    } else if (strcmp(fault, "closed label") == 0) {
        uint32_t label = iri_begin_block(b);
        iri_end(b, NULL);
        iri_begin_block(b);
        iri_emit_break(b, label, NULL, 0);
        iri_end(b, NULL);
    } else if (strcmp(fault, "continue") == 0) {
        uint32_t label = iri_begin_block(b);
        iri_emit_continue(b, label, NULL, 0);
        iri_end(b, NULL);
    } else if (strcmp(fault, "condition") == 0) {
        iri_begin_if(b, s);
        iri_end(b, NULL);
    } else if (strcmp(fault, "selector") == 0) {
        iri_begin_switch(b, s);
        iri_end(b, NULL);
    } else if (strcmp(fault, "open") == 0) {
        iri_begin_if(b, c);
    } else if (strcmp(fault, "open function") == 0) {
        return;
    } else if (strcmp(fault, "nested") == 0) {
        iri_begin_function(b, "inner", NULL, 0, NULL, 0, NULL);
    } else if (strcmp(fault, "result") == 0) {
        iri_emit_return(b, &x, 1);
    } else if (strcmp(fault, "parameters") == 0) {
        uint32_t label = iri_begin_loop(b, &x, 1, &r);
        iri_emit_continue(b, label, &s, 1);
        iri_end(b, NULL);
    } else if (strcmp(fault, "unknown") == 0) {
        iri_emit2(b, IRI_OP_ADD, x, 12345);
    } else if (strcmp(fault, "initial") == 0) {
        r = 77777;
        iri_begin_loop(b, &r, 1, &p);
        iri_end(b, NULL);
    } else if (strcmp(fault, "cfg if") == 0) {
        iri_end_function(b);
        iri_begin_function(b, "blocks", NULL, 0, NULL, 0, NULL);
        iri_begin_cfg(b, 1);
        iri_begin_if(b, iri_const_bool(b, true));
        iri_end(b, NULL);
        iri_emit_return(b, NULL, 0);
    } else if (strcmp(fault, "cfg late") == 0) {
        iri_begin_cfg(b, 2);
    } else if (strcmp(fault, "cfg open") == 0) {
        iri_end_function(b);
        iri_begin_function(b, "blocks", NULL, 0, NULL, 0, NULL);
        iri_begin_cfg(b, 2);
        iri_emit_return(b, NULL, 0);
    } else if (strcmp(fault, "cfg arguments") == 0) {
        iri_end_function(b);
        iri_begin_function(b, "blocks", NULL, 0, NULL, 0, NULL);
        uint32_t block = iri_begin_cfg(b, 2) + 1;
        iri_emit(b, IRI_OP_BR, IRI_TYPE_VOID, NULL, 0, &block, 1);
        iri_begin_cfg_block(b, block, &f32, 1, &r);
        iri_emit_return(b, NULL, 0);
    } else if (strcmp(fault, "br") == 0) {
        uint32_t block = 1;
        iri_emit(b, IRI_OP_BR, IRI_TYPE_VOID, NULL, 0, &block, 1);
    } else if (strcmp(fault, "implicit yield") == 0) {
        iri_begin_if(b, c);
        iri_emit_yield(b, &x, 1);
        iri_end_results(b, &r, 1);
    } else if (strcmp(fault, "results") == 0) {
        iri_begin_if(b, c);
        iri_emit_yield(b, &x, 1);
        iri_begin_else(b);
        iri_emit_yield(b, &x, 1);
        iri_end_results(b, two, 2);
    } else if (strcmp(fault, "call type") == 0) {
        iri_emit_call(b, g, &x, 1, &r);
    } else if (strcmp(fault, "void function") == 0) {
        iri_end_function(b);
        iri_begin_function(b, "v", &none, 1, NULL, 0, &r);
    }
    iri_end_function(b);
}

TEST(ir_flow_faults)
{
    for (size_t i = 0; i < sizeof flow_faults / sizeof *flow_faults; i++)
        for (uint32_t flags = 0; flags < 4; flags++) {
            ir_build t = {
                .flags = flags, .fill = fill_flow_fault, .argument = (void *)flow_faults[i]};
            if (ir_build_run(&t) != IRI_INVALID_BUILD)
                FAIL("%s is no fault", flow_faults[i]);
            CHECK(t.why.reason[0] != 0);
            ir_build_free(&t);
        }
}

static void fill_first_fault(iri_builder *b, void *argument)
{
    (void)argument;
    begin_main(b);
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4));
    iri_set_offset(b, 0x40);
    iri_id bad = iri_emit2(b, IRI_OP_MUL, x, iri_const_f32(b, 1));
    CHECK_EQ_U32(iri_builder_type(b, bad), IRI_TYPE_VEC4F);
    iri_set_offset(b, 0x44);
    iri_emit_swizzle(b, 0, 0);
    iri_builder_set_fault(b, "later");
    end_main(b, bad);
}

TEST(ir_first_fault)
{
    ir_build t = {.fill = fill_first_fault};
    CHECK(ir_build_run(&t) == IRI_INVALID_BUILD);
    CHECK_STR(t.why.reason, "mul: operand 2 is f32, not vec4<f32> (instruction 2)");
    CHECK_EQ_U32(t.why.offset, 0x40);
    ir_build_free(&t);
}

/* ---- limits ---- */

static void fill_deep(iri_builder *b, void *argument)
{
    begin_main(b);
    for (uint32_t i = 0; i < *(uint32_t *)argument; i++)
        iri_begin_block(b);
    for (uint32_t i = 0; i < *(uint32_t *)argument; i++)
        iri_end(b, NULL);
    iri_end_function(b);
}

TEST(ir_build_limits)
{
    uint32_t depth = 255;
    ir_build fits = {.fill = fill_deep, .argument = &depth};
    CHECK(ir_build_run(&fits) == IRI_OK);
    ir_build_free(&fits);
    depth = 256;
    ir_build deep = {.fill = fill_deep, .argument = &depth};
    CHECK(ir_build_run(&deep) == IRI_LIMIT_NESTING);
    ir_build_free(&deep);
    depth = 100000;
    ir_build deeper = {.fill = fill_deep, .argument = &depth, .limits = {.nesting = UINT32_MAX}};
    CHECK(ir_build_run(&deeper) == IRI_LIMIT_NESTING);
    ir_build_free(&deeper);
    depth = 100;
    ir_build many = {.fill = fill_deep, .argument = &depth, .limits = {.instructions = 150}};
    CHECK(ir_build_run(&many) == IRI_LIMIT_INSTRUCTIONS);
    ir_build_free(&many);
    ir_build big = {.fill = fill_deep, .argument = &depth, .limits = {.memory = 8192}};
    CHECK(ir_build_run(&big) == IRI_LIMIT_MEMORY);
    ir_build_free(&big);
}

/* ---- value numbers ---- */

static void fill_numbers(iri_builder *b, void *argument)
{
    begin_main(b);
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), w = iri_emit_swizzle(b, x, IRI_LANES1(3));
    SEEN_EQ(iri_emit_input(b, 0, iri_lanes_first(4)), x);
    SEEN(iri_emit_input(b, 0, IRI_LANES1(3)) != x);
    iri_id c = iri_emit2(b, IRI_OP_LT, w, iri_const_f32(b, 0));
    iri_id outer = iri_emit1(b, IRI_OP_SQRT, x);
    iri_begin_if(b, c);
    iri_id inner = iri_emit1(b, IRI_OP_FLOOR, x);
    SEEN_EQ(iri_emit1(b, IRI_OP_SQRT, x), outer);
    SEEN_EQ(iri_emit1(b, IRI_OP_FLOOR, x), inner);
    iri_emit_output(b, 0, iri_lanes_first(4), inner);
    iri_begin_else(b);
    iri_id other = iri_emit1(b, IRI_OP_FLOOR, x);
    SEEN(other != inner); /* a sibling's is out of scope */
    iri_emit_output(b, 0, iri_lanes_first(4), other);
    iri_end(b, NULL);
    iri_id after = iri_emit1(b, IRI_OP_FLOOR, x);
    SEEN(after != inner && after != other);
    /* Either order, for what commutes. */
    SEEN_EQ(iri_emit2(b, IRI_OP_ADD, after, x), iri_emit2(b, IRI_OP_ADD, x, after));
    SEEN(iri_emit2(b, IRI_OP_SUB, after, x) != iri_emit2(b, IRI_OP_SUB, x, after));
    /* What uses the quad is found in its own region only. */
    iri_id slope = iri_emit1(b, IRI_OP_DDX, x);
    SEEN_EQ(iri_emit1(b, IRI_OP_DDX, x), slope);
    iri_begin_if(b, c);
    SEEN(iri_emit1(b, IRI_OP_DDX, x) != slope);
    iri_end(b, NULL);
    /* A less exact value does not stand in for an exact one; the other way round it may. */
    iri_set_relaxed(b, true);
    iri_id loose = iri_emit1(b, IRI_OP_RSQ, x);
    iri_set_relaxed(b, false);
    iri_id strict = iri_emit1(b, IRI_OP_RSQ, x);
    SEEN(loose != strict);
    iri_set_relaxed(b, true);
    SEEN_EQ(iri_emit1(b, IRI_OP_RSQ, x), strict);
    iri_set_relaxed(b, false);
    /* Effects and locals are never numbered. */
    iri_id local = iri_add_local(b, &(iri_local){.name = "r0", .type = IRI_TYPE_VEC4F});
    iri_id load = iri_emit_load_local(b, local, iri_lanes_first(4), 0);
    iri_emit_store_local(b, local, iri_lanes_first(4), x, 0);
    SEEN(iri_emit_load_local(b, local, iri_lanes_first(4), 0) != load);
    end_main(b, after);
}

TEST(ir_numbering)
{
    ir_build t = {.flags = IRI_BUILD_OPTIMISE, .fill = fill_numbers, .argument = &t};
    CHECK(ir_build_run(&t) == IRI_OK);
    ir_build_free(&t);
}

static void fill_identities(iri_builder *b, void *argument)
{
    begin_main(b);
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), one = iri_const_splat_f32(b, 1, 4);
    iri_id xyz = iri_emit_swizzle(b, x, iri_lanes_first(3)),
           w = iri_emit_swizzle(b, x, IRI_LANES1(3));
    iri_id sum = iri_emit2(b, IRI_OP_ADD, x, iri_const_splat_f32(b, 2, 4));
    SEEN_EQ(iri_emit2(b, IRI_OP_MUL, one, sum), sum);
    SEEN_EQ(iri_emit2(b, IRI_OP_MUL_ZERO, sum, one), sum);
    SEEN_EQ(iri_emit2(b, IRI_OP_ADD, sum, iri_const_splat_f32(b, -0.0f, 4)), sum);
    SEEN(iri_emit2(b, IRI_OP_ADD, sum, iri_const_splat_f32(b, 0, 4)) != sum); /* -0 + 0 is 0 */
    SEEN_EQ(iri_emit2(b, IRI_OP_SUB, sum, iri_const_splat_f32(b, 0, 4)), sum);
    /* x may be a NaN with a payload, of which arithmetic makes the one without. */
    SEEN(iri_emit2(b, IRI_OP_MUL, one, x) != x);
    SEEN(!iri_get_const(b, iri_emit2(b, IRI_OP_MUL, x, iri_const_splat_f32(b, 0, 4)), NULL));
    SEEN(!iri_get_const(b, iri_emit2(b, IRI_OP_SUB, x, x), NULL));
    SEEN_EQ(iri_emit_compose(b, (iri_id[]){xyz, w}, 2), x);
    SEEN_EQ(
        iri_emit_swizzle(b, iri_emit_swizzle(b, x, IRI_LANES4(3, 2, 1, 0)), IRI_LANES4(3, 2, 1, 0)),
        x);
    SEEN_EQ(iri_emit_insert(b, x, xyz, iri_lanes_from_bits(7)), x);
    SEEN_EQ(iri_emit_insert(b, one, x, iri_lanes_first(4)), x);
    iri_id in = iri_emit_insert(b, one, w, IRI_LANES1(1));
    SEEN_EQ(iri_emit_swizzle(b, in, IRI_LANES1(1)), w);
    SEEN(iri_get_const(b, iri_emit_swizzle(b, in, IRI_LANES2(0, 3)), NULL));
    SEEN_EQ(iri_emit_insert(b, in, xyz, iri_lanes_from_bits(14)),
            iri_emit_insert(b, one, xyz, iri_lanes_from_bits(14)));
    SEEN_EQ(iri_emit_swizzle(b, iri_emit_splat(b, w, 4), IRI_LANES1(2)), w);
    SEEN_EQ(iri_emit_splat(b, w, 2), iri_emit_swizzle(b, x, IRI_LANES2(3, 3)));
    SEEN_EQ(iri_emit1(b, IRI_OP_NEG, iri_emit1(b, IRI_OP_NEG, x)), x);
    SEEN_EQ(iri_emit1(b, IRI_OP_ABS, iri_emit1(b, IRI_OP_NEG, x)), iri_emit1(b, IRI_OP_ABS, x));
    iri_id cast = iri_emit_convert(b, IRI_OP_BITCAST, IRI_U32, x);
    SEEN_EQ(iri_emit_convert(b, IRI_OP_BITCAST, IRI_F32, cast), x);
    SEEN_EQ(iri_emit_convert(b, IRI_OP_BITCAST, IRI_F32,
                             iri_emit_convert(b, IRI_OP_BITCAST, IRI_I32, cast)),
            x);
    iri_id lt = iri_emit2(b, IRI_OP_LT, w, iri_const_f32(b, 0));
    SEEN_EQ(iri_emit_select(b, lt, x, x), x);
    SEEN_EQ(iri_emit_select(b, iri_const_bool(b, false), x, one), one);
    SEEN_EQ(iri_emit_select(b, iri_emit1(b, IRI_OP_NOT, lt), x, one),
            iri_emit_select(b, lt, one, x));
    SEEN_EQ(iri_emit_select(b, lt, iri_const_bool(b, true), iri_const_bool(b, false)), lt);
    SEEN_EQ(iri_const_f32(b, 1), iri_const_f32(b, 1));
    SEEN(iri_const_f32(b, 0) != iri_const_f32(b, -0.0f));
    iri_emit(b, IRI_OP_DEMOTE, IRI_TYPE_VOID, (iri_id[]){iri_const_bool(b, false)}, 1, NULL, 0);
    end_main(b, x);
}

TEST(ir_identities)
{
    ir_build t = {.flags = IRI_BUILD_OPTIMISE, .fill = fill_identities, .argument = &t};
    CHECK(ir_build_run(&t) == IRI_OK);
    CHECK(strstr(outline(&t), "demote") == NULL);
    ir_build_free(&t);
}

/* ---- CFG form ---- */

static void fill_cfg(iri_builder *b, void *argument)
{
    (void)argument;
    begin_main(b);
    iri_id first = iri_begin_cfg(b, 4), at[1], last[1];
    iri_type f32 = IRI_TYPE_F32;
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), w = iri_emit_swizzle(b, x, IRI_LANES1(3));
    iri_id c = iri_emit2(b, IRI_OP_LT, w, iri_const_f32(b, 0));
    /* The first goes to 3 or 1; 3, which dominates nothing, is built before 1. */
    iri_emit(b, IRI_OP_BR_IF, IRI_TYPE_VOID, (iri_id[]){c, w}, 2,
             (uint32_t[]){first + 3, first + 1, 0}, 3);
    iri_begin_cfg_block(b, first + 3, NULL, 0, NULL);
    iri_emit(b, IRI_OP_BR, IRI_TYPE_VOID, (iri_id[]){w}, 1, (uint32_t[]){first + 2}, 1);
    iri_begin_cfg_block(b, first + 1, &f32, 1, at);
    iri_id s = iri_emit_convert(b, IRI_OP_FTOI, IRI_I32, at[0]);
    iri_emit(b, IRI_OP_BR_SWITCH, IRI_TYPE_VOID, (iri_id[]){s, at[0], w}, 3,
             (uint32_t[]){first + 2, 1, 7, first + 2, 1, 9, first + 3, 0}, 8);
    iri_begin_cfg_block(b, first + 2, &f32, 1, last);
    end_main(b, iri_emit_splat(b, last[0], 4));
}

TEST(ir_cfg)
{
    ir_build t = {.flags = IRI_BUILD_OPTIMISE, .fill = fill_cfg};
    REQUIRE(ir_build_run(&t) == IRI_OK);
    const iri_function *f = iri_program_function(t.program, 1);
    CHECK_EQ_U32(f->form, IRI_FORM_CFG);
    CHECK_EQ_U32(f->block_count, 4);
    CHECK_EQ_U32(iri_terminator(t.program, f->body + 1)->op, IRI_OP_BR_SWITCH);
    CHECK_EQ_U32(iri_immediates(t.program, iri_terminator(t.program, f->body + 1))[6], f->body + 3);
    ir_build_free(&t);
}

/* ---- rewriting and comparing ---- */

static void fill_calls(iri_builder *b, void *argument)
{
    (void)argument;
    iri_type types[2] = {IRI_TYPE_VEC4F, IRI_TYPE_F32};
    iri_id p[2], r[2];
    ir_add_interface(b);
    iri_add_note(b, "partial-precision", 8, "run as %s", "f32");
    iri_add_note(b, "partial-precision", 8, "run as %s", "f32");
    iri_set_provenance(b,
                       &(iri_provenance){.format = "d3d9", .target = "ps_3_0", .has_hash = true});
    iri_add_state_entry(
        b, &(iri_state_entry){.id = IRI_STATE_ALPHA_REF, .source = IRI_STATE_OVERRIDE});
    iri_id helper = iri_declare_function(b, "helper", types, 2, types, 2);
    iri_declare_function(b, "outside", types, 1, types, 1);
    iri_id entry = iri_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
    iri_id local =
        iri_add_local(b, &(iri_local){.name = "x0", .type = IRI_TYPE_VEC2F, .length = 8});
    iri_id x = iri_emit_input(b, 0, iri_lanes_first(4)), w = iri_emit_swizzle(b, x, IRI_LANES1(3));
    iri_set_offset(b, 16);
    iri_set_precise(b, true);
    iri_emit_store_local(b, local, IRI_LANES1(1), w, iri_const_u32(b, 3));
    iri_set_precise(b, false);
    iri_emit_call(b, helper, (iri_id[]){x, w}, 2, r);
    end_main(b, r[0]);
    iri_begin_declared(b, helper, p);
    iri_set_relaxed(b, true);
    p[0] = iri_emit2(b, IRI_OP_POW_ABS, p[0], p[0]);
    iri_emit_return(b, p, 2);
    iri_end_function(b);
    iri_builder_program(b)->entry = entry;
    iri_builder_program(b)->conventions = IRI_CONVENTIONS_D3D9;
}

static void (*const samples[])(iri_builder *, void *) = {
    fill_if,       fill_constant_if, fill_loop,       fill_switch, fill_no_exit,
    fill_empty_if, fill_numbers,     fill_identities, fill_cfg,    fill_calls};
enum { SAMPLES = sizeof samples / sizeof *samples };

static void fill_rewrite(iri_builder *b, void *argument)
{
    iri_rewrite rw;
    iri_arena *scratch = iri_new(&iri_builder_program(b)->arena, iri_arena);
    iri_arena_init(scratch, iri_builder_ctx(b));
    iri_rewrite_init(&rw, b, argument, scratch, NULL, NULL);
    iri_rewrite_program(&rw);
    iri_arena_free(scratch);
}

TEST(ir_rewrite_copies)
{
    for (int i = 0; i < SAMPLES; i++)
        for (uint32_t flags = 0; flags < 4; flags++) {
            char what[256];
            ir_build t = {.flags = flags, .fill = samples[i]};
            REQUIRE(ir_build_run(&t) == IRI_OK);
            ir_build again = {.flags = flags, .fill = fill_rewrite, .argument = t.program};
            if (ir_build_run(&again) != IRI_OK)
                FAIL("sample %d: %s", i, again.why.reason);
            else if (!iri_program_equal(t.program, again.program, what, sizeof what))
                FAIL("sample %d, flags %u: %s", i, (unsigned)flags, what);
            /* Exact programs, optimised on the way, too. */
            ir_build other = {
                .flags = IRI_BUILD_OPTIMISE, .fill = fill_rewrite, .argument = t.program};
            CHECK(ir_build_run(&other) == IRI_OK);
            ir_build_free(&other);
            ir_build_free(&again);
            ir_build_free(&t);
        }
}

TEST(ir_equal_differs)
{
    char what[256];
    for (int i = 0; i < SAMPLES; i++)
        for (int k = 0; k < SAMPLES; k++) {
            ir_build a = {.fill = samples[i]}, c = {.fill = samples[k]};
            REQUIRE(ir_build_run(&a) == IRI_OK && ir_build_run(&c) == IRI_OK);
            bool equal = iri_program_equal(a.program, c.program, what, sizeof what);
            CHECK(equal == (i == k));
            CHECK((what[0] != 0) == (i != k));
            CHECK(iri_program_equal(a.program, c.program, NULL, 0) == equal);
            ir_build_free(&a);
            ir_build_free(&c);
        }
    ir_build t = {.fill = fill_calls};
    REQUIRE(ir_build_run(&t) == IRI_OK);
    CHECK_EQ_U32(iri_note_count(t.program), 1);
    CHECK_STR(iri_note_at(t.program, 0)->text, "run as f32");
    CHECK(iri_note_at(t.program, 1) == NULL);
    CHECK_EQ_U32(iri_program_modes(t.program), IRI_MODE_ZERO_WINS);
    CHECK_EQ_U32(iri_program_function_count(t.program), 3);
    CHECK_EQ_U32(iri_program_entry(t.program), 3);
    CHECK_STR(iri_program_provenance(t.program)->target, "ps_3_0");
    CHECK_STR(iri_program_provenance(t.program)->lifter, "");
    CHECK(iri_program_local(t.program, 1)->length == 8 && !iri_program_local(t.program, 2));
    CHECK(iri_program_inst(t.program, 0) == NULL && iri_program_value(t.program, 0) == NULL);
    ir_build_free(&t);
}

/* ---- random calls ---- */

static iri_id random_value(iri_builder *b)
{
    uint64_t random = iri_test_random();
    return random % 16 == 0 ? (iri_id)(random >> 32)
                            : (iri_id)((random >> 8) % iri_builder_program(b)->value_count);
}

static void fill_storm(iri_builder *b, void *argument)
{
    (void)argument;
    iri_id values[4], out[4];
    uint32_t words[4];
    begin_main(b);
    iri_add_local(b, &(iri_local){.name = "r0", .type = IRI_TYPE_VEC4F});
    iri_emit_input(b, 0, iri_lanes_first(4));
    for (int i = 0; i < 200; i++) {
        uint64_t random = iri_test_random();
        uint32_t count = random >> 8 & 3;
        for (int k = 0; k < 4; k++) {
            values[k] = random_value(b);
            words[k] = (uint32_t)(iri_test_random() % (random >> 16 & 1 ? 4 : 1024));
        }
        switch (random % 32) {
        case 0: iri_begin_if(b, values[0]); break;
        case 1: iri_begin_else(b); break;
        case 2: iri_begin_loop(b, values, count, out); break;
        case 3: iri_begin_block(b); break;
        case 4: iri_begin_switch(b, values[0]); break;
        case 5: iri_begin_case(b, words, count); break;
        case 6: iri_end(b, out); break;
        case 7: iri_end_results(b, out, count); break;
        case 8: iri_emit_yield(b, values, count); break;
        case 9: iri_emit_break(b, words[0], values, count); break;
        case 10: iri_emit_continue(b, words[0], values, count); break;
        case 11:
            if (random >> 20 & 1)
                iri_end_function(b);
            else
                iri_begin_function(b, NULL, NULL, 0, NULL, 0, NULL);
            break;
        case 12:
            if (iri_begin_cfg(b, 1 + count))
                iri_begin_cfg_block(b, words[0], NULL, 0, NULL);
            break;
        case 13: iri_emit_call(b, words[0], values, count, NULL); break;
        case 14: iri_const(b, (iri_type)random, (uint64_t[4]){random, 1, 0, 0}); break;
        case 15: iri_emit_compose(b, values, 1 + count); break;
        case 16: iri_emit_splat(b, values[0], words[0]); break;
        default:
            iri_emit(b, (iri_op)(random >> 24 & 127), (iri_type)(random >> 40), values, count,
                     words, random >> 48 & 3);
            break;
        }
    }
}

TEST(ir_storms)
{
    for (int i = 0; i < 3000; i++) {
        ir_build t = {.flags = (uint32_t)i & 3, .fill = fill_storm};
        iri_status status = ir_build_run(&t);
        CHECK(status == IRI_OK || status == IRI_INVALID_BUILD || status == IRI_LIMIT_NESTING);
        ir_build_free(&t);
    }
}

/* ---- the public builder ---- */

typedef struct failing {
    uint32_t left, live;
} failing;

static void *failing_alloc(void *user, size_t size)
{
    failing *f = user;
    if (!f->left)
        return NULL;
    f->left--;
    f->live++;
    return malloc(size);
}

static void failing_free(void *user, void *memory, size_t size)
{
    (void)size;
    ((failing *)user)->live--;
    free(memory);
}

/* Two blocks: the first stores its parameters in a local and hands one on. */
static void build_graph(iri_builder *b, iri_id function, iri_type type)
{
    iri_id parameters[2], x;
    iri_build_begin_declared(b, function, parameters, 2);
    iri_id local = iri_build_add_local(b, &(iri_local){"r0", type, IRI_LOCAL_ZERO, 0});
    iri_id first = iri_build_begin_cfg(b, 2);
    uint32_t where[2] = {local, iri_lanes_first(4)}, to = first + 1;
    iri_build(b, IRI_OP_STORE_LOCAL, IRI_TYPE_VOID, parameters, 1, where, 2);
    iri_build(b, IRI_OP_BR, IRI_TYPE_VOID, parameters + 1, 1, &to, 1);
    iri_build_begin_cfg_block(b, first + 1, &type, 1, &x);
    iri_id loaded = iri_build(b, IRI_OP_LOAD_LOCAL, IRI_TYPE_VOID, NULL, 0, where, 2);
    iri_build_return(b, (iri_id[]){x, loaded}, 2);
    iri_build_end_function(b);
}

static iri_status build_public(const iri_allocator *allocator, iri_program **program,
                               iri_refusal *why)
{
    iri_builder *b = iri_build_new(IRI_STAGE_PIXEL, IRI_BUILD_OPTIONS(.allocator = allocator));
    *program = NULL;
    if (!b)
        return IRI_NO_MEMORY;
    iri_io io = {.name = "TEXCOORD",
                 .type = IRI_TYPE_VEC4F,
                 .lanes = 15,
                 .used = 15,
                 .interpolation = IRI_INTERPOLATION_LINEAR,
                 .offset = IRI_NO_OFFSET};
    uint32_t input = iri_build_add_input(b, &io);
    io = (iri_io){.name = "SV_Target",
                  .type = IRI_TYPE_VEC4F,
                  .lanes = 15,
                  .used = 15,
                  .system_value = IRI_SV_TARGET,
                  .offset = IRI_NO_OFFSET};
    uint32_t output = iri_build_add_output(b, &io);
    const iri_type pair[2] = {IRI_TYPE_VEC4F, IRI_TYPE_VEC4F};
    iri_id swap = iri_build_declare_function(b, "swap", pair, 2, pair, 2), swapped[2];
    iri_build_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
    iri_id x = iri_build(b, IRI_OP_INPUT, IRI_TYPE_VOID, NULL, 0,
                         (uint32_t[]){input, iri_lanes_first(4)}, 2);
    for (int i = 0; i < 100; i++) { /* enough to make every array grow */
        iri_id c = iri_build_constant(b, IRI_TYPE_VEC4F, (uint64_t[4]){(uint64_t)i + 5, 1, 2, 3});
        x = iri_build(b, IRI_OP_ADD, IRI_TYPE_VOID, (iri_id[]){x, c}, 2, NULL, 0);
    }
    iri_id w = iri_build(b, IRI_OP_SWIZZLE, IRI_TYPE_VOID, &x, 1, (uint32_t[]){IRI_LANES1(3)}, 1);
    iri_id c =
        iri_build(b, IRI_OP_LT, IRI_TYPE_VOID, (iri_id[]){w, iri_build_f32(b, 1)}, 2, NULL, 0);
    iri_build_begin_if(b, c);
    iri_id y = iri_build(b, IRI_OP_NEG, IRI_TYPE_VOID, &x, 1, NULL, 0);
    iri_build_yield(b, &y, 1);
    iri_build_begin_else(b);
    iri_build_yield(b, &x, 1);
    iri_build_end(b, &y, 1);
    iri_id at;
    uint32_t loop = iri_build_begin_loop(b, &y, 1, &at);
    iri_build_break(b, loop, &at, 1);
    iri_build_end(b, &y, 1);
    iri_build_call(b, swap, (iri_id[]){x, y}, 2, swapped, 2);
    iri_build(b, IRI_OP_OUTPUT, IRI_TYPE_VOID, swapped, 1, (uint32_t[]){output, iri_lanes_first(4)},
              2);
    iri_build_return(b, NULL, 0);
    iri_build_end_function(b);
    build_graph(b, swap, IRI_TYPE_VEC4F);
    iri_status status = iri_build_finish(b, program, why);
    if (status == IRI_OK) {
        CHECK(iri_build_check(b, NULL) == IRI_OK);
        iri_program *second;
        CHECK(iri_build_finish(b, &second, why) == IRI_INVALID_ARGUMENT && !second);
        CHECK_EQ_U32(iri_build_f32(b, 1), 0);
    } else {
        CHECK(iri_build_check(b, NULL) == status);
    }
    iri_build_free(b);
    return status;
}

TEST(ir_public_builder)
{
    iri_program *program;
    iri_refusal why = {0};
    iri_status status = build_public(NULL, &program, &why);
    if (status != IRI_OK)
        FAIL("%s", why.reason);
    else
        CHECK(iri_program_function(program, iri_program_entry(program))->form ==
                  IRI_FORM_STRUCTURED &&
              iri_program_function(program, 1)->block_count == 2);
    iri_program_free(program);
    /* Memory that runs out at every allocation. */
    bool finished = false;
    for (uint32_t k = 0; k < 1000 && !finished; k++) {
        failing f = {.left = k};
        iri_allocator allocator = {failing_alloc, failing_free, &f};
        status = build_public(&allocator, &program, &why);
        finished = status == IRI_OK;
        CHECK(finished || status == IRI_NO_MEMORY);
        iri_program_free(program);
        if (!CHECK_EQ_U32(f.live, 0))
            break;
    }
    CHECK(finished);
    /* A fault stays the first, and is reported with a place. */
    iri_builder *b = iri_build_new(IRI_STAGE_VERTEX, NULL);
    REQUIRE(b != NULL);
    CHECK(iri_build_check(b, &why) == IRI_OK);
    iri_build_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
    iri_id bad =
        iri_build(b, IRI_OP_NOT, IRI_TYPE_VOID, (iri_id[]){iri_build_f32(b, 1)}, 1, NULL, 0);
    CHECK_EQ_U32(iri_build_type(b, bad), IRI_TYPE_F32);
    iri_build_begin_case(b, NULL, 0);
    CHECK(iri_build_check(b, &why) == IRI_INVALID_BUILD);
    CHECK_STR(why.reason, "not: is not for f32 (instruction 1)");
    iri_build_end_function(b);
    CHECK(iri_build_finish(b, &program, &why) == IRI_INVALID_BUILD && !program);
    iri_build_free(b);
    iri_build_free(NULL);
}

TEST(ir_public_builder_counts)
{
    static const iri_type type = IRI_TYPE_F32;
    for (int call = 0; call < 2; call++) {
        iri_refusal why = {0};
        iri_id ids[3] = {0};
        iri_builder *b = iri_build_new(IRI_STAGE_VERTEX, NULL);
        REQUIRE(b != NULL);
        iri_id function = iri_build_declare_function(b, "half", &type, 1, &type, 1);
        if (call) {
            iri_build_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
            iri_id x = iri_build_f32(b, 1);
            iri_build_call(b, function, &x, 1, ids, 2);
        } else {
            iri_build_begin_declared(b, function, ids, 3);
        }
        CHECK(iri_build_check(b, &why) == IRI_INVALID_BUILD);
        CHECK_STR(why.reason,
                  call ? "half gives 1 values, not 2" : "half is begun with 3 parameters, not 1");
        iri_build_free(b);
    }
}
