/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running batches: quads and derivatives, demotes, limits, what lies out of range, state, traces, refusals,
 * memory that runs out.
 */
#include "tests/unit/test_exec.h"

#include "ir/emit.h"

/* One pixel program over four-float inputs and outputs. */
static iri_status run_pixels(const iri_program *p, const iri_exec_options *options,
                             iri_exec_batch *batch, const float *input, float *output)
{
    iri_exec *e = exec_compile(p, options);
    iri_exec_array in = {(void *)(uintptr_t)input, 16, 0}, out = {output, 16, 0};
    batch->inputs = &in;
    batch->outputs = &out;
    iri_status status = e ? iri_exec_run(e, batch, NULL) : IRI_INTERNAL;
    iri_exec_free(e);
    return status;
}

static const char derivatives[] = "iridia-ir 1\n"
                                  "program pixel entry main\n"
                                  "input TEXCOORD0: vec4<f32> linear\n"
                                  "output SV_Target0: vec4<f32> sv target\n"
                                  "fn main {\n"
                                  "  %0: vec4<f32> = input 0.xyzw\n"
                                  "  %1: f32 = swizzle %0.x\n"
                                  "  %2: f32 = ddx %1\n"
                                  "  %3: f32 = ddy %1\n"
                                  "  %4: f32 = swizzle %0.y\n"
                                  "  %5: bool = lt 0.5, %4\n"
                                  "  %6: f32 = if %5 {\n"
                                  "    %7: f32 = ddx %1\n"
                                  "    yield %7\n"
                                  "  } else {\n"
                                  "    yield -7.0\n"
                                  "  }\n"
                                  "  %8: vec4<f32> = compose %2, %3, %6, %1\n"
                                  "  output 0.xyzw, %8\n"
                                  "  return\n"
                                  "}\n";

TEST(exec_derivatives)
{
    iri_program *p = exec_parse(derivatives);
    /* x: 1 4 / 9 16; y > 0.5: all of the first quad, the left column of the second. */
    float in[7][4] = {{1, 1}, {4, 1}, {9, 1}, {16, 1}, {1, 1}, {4, 0}, {9, 1}}, out[7][4];
    iri_exec_batch batch = {.count = 7};
    REQUIRE(p);
    CHECK(run_pixels(p, NULL, &batch, in[0], out[0]) == IRI_OK);
    for (int i = 0; i < 4; i++)
        CHECK(out[i][0] == 3 && out[i][1] == 8 && out[i][2] == 3);
    for (int i = 4; i < 7; i++)
        CHECK(out[i][0] == 3 && out[i][1] == 8 && out[i][2] == (i == 5 ? -7 : 0));
    CHECK(run_pixels(p, IRI_EXEC_OPTIONS(.fine_derivatives = true), &batch, in[0], out[0]) ==
          IRI_OK);
    CHECK(out[0][0] == 3 && out[2][0] == 7 && out[3][0] == 7 && out[0][1] == 8 && out[1][1] == 12 &&
          out[3][1] == 12);
    CHECK(out[6][0] == 0); /* its neighbour is missing */
    batch.no_quads = true;
    CHECK(run_pixels(p, NULL, &batch, in[0], out[0]) == IRI_OK);
    CHECK(out[3][0] == 0 && out[3][1] == 0 && out[3][2] == 0 && out[3][3] == 16);
    iri_program_free(p);
}

TEST(exec_demote)
{
    iri_program *p =
        exec_parse("iridia-ir 1\nprogram pixel entry main\n"
                   "input TEXCOORD0: vec4<f32> linear\noutput SV_Target0: vec4<f32> sv target\n"
                   "fn main {\n"
                   "  %0: vec4<f32> = input 0.xyzw\n"
                   "  %1: f32 = swizzle %0.x\n"
                   "  %2: bool = lt %1, 0.0\n"
                   "  demote %2\n"
                   "  %3: f32 = ddx %1\n"
                   "  %4: vec4<f32> = splat %3\n"
                   "  output 0.xyzw, %4\n"
                   "  return\n}\n");
    float in[8][4] = {{-1}, {2}, {3}, {4}, {5}, {6}, {-7}, {8}}, out[8][4];
    uint8_t flags[8] = {0, 0, 0, 0, 0, IRI_INVOCATION_HELPER, 0, 0xff & ~IRI_INVOCATION_HELPER};
    iri_exec_batch batch = {.count = 8, .flags = flags};
    REQUIRE(p);
    CHECK(run_pixels(p, NULL, &batch, in[0], out[0]) == IRI_OK);
    for (int i = 0; i < 8; i++)
        CHECK(((flags[i] & IRI_INVOCATION_KILLED) != 0) == (i == 0 || i == 5 || i == 6));
    CHECK(out[0][0] == 3 && out[1][0] == 3); /* the demoted one still helps its quad */
    CHECK_EQ_U32(flags[5], IRI_INVOCATION_HELPER | IRI_INVOCATION_KILLED);
    iri_program_free(p);
}

TEST(exec_step_limit)
{
    /* Those above 0 go round for ever. */
    iri_program *p =
        exec_parse("iridia-ir 1\nprogram pixel entry main\n"
                   "input TEXCOORD0: vec4<f32> linear\noutput SV_Target0: vec4<f32> sv target\n"
                   "fn main {\n"
                   "  %0: vec4<f32> = input 0.xyzw\n"
                   "  %1: f32 = swizzle %0.x\n"
                   "  %2: f32 = loop @1 (%3: f32 = 10.0) {\n"
                   "    %4: f32 = add %3, 1.0\n"
                   "    %5: bool = le %1, 0.0\n"
                   "    if %5 {\n"
                   "      break @1, %4\n"
                   "    } else {\n"
                   "      yield\n"
                   "    }\n"
                   "    continue @1, %4\n"
                   "  }\n"
                   "  %6: vec4<f32> = splat %2\n"
                   "  output 0.xyzw, %6\n"
                   "  return\n}\n");
    float in[70][4] = {{0}}, out[70][4];
    uint8_t flags[70] = {0};
    iri_exec_batch batch = {.count = 70, .flags = flags, .step_limit = 10000};
    REQUIRE(p);
    in[66][0] = in[68][0] = 1;
    CHECK(run_pixels(p, NULL, &batch, in[0], out[0]) == IRI_LIMIT_STEPS);
    for (int i = 0; i < 70; i++) {
        bool stopped = i == 66 || i == 68;
        CHECK_EQ_U32(flags[i], stopped ? IRI_INVOCATION_STEPS : 0);
        CHECK(out[i][0] == (stopped ? 0 : 11));
    }
    iri_program_free(p);
}

TEST(exec_out_of_range)
{
    iri_program *p =
        exec_parse("iridia-ir 1\nprogram pixel entry main\n"
                   "input TEXCOORD0: vec4<f32> linear\noutput SV_Target0: vec4<f32> sv target\n"
                   "cbuffer cb0 size 40 dynamic\n"
                   "fn main {\n"
                   "  local a0: vec2<f32>[3] zero\n"
                   "  %0: vec4<f32> = input 0.xyzw\n"
                   "  %10: f32 = swizzle %0.y\n"
                   "  %11: u32 = ftoi.sat %10\n"
                   "  %1: vec4<f32> = load.cb cb0, %11\n"
                   "  %2: f32 = swizzle %0.x\n"
                   "  %3: u32 = ftoi.sat %2\n"
                   "  %4: vec2<f32> = load.cb cb0, %3\n"
                   "  store.local a0.xy, %4, %3\n"
                   "  %5: f32 = load.local a0.y, %3\n"
                   "  %6: f32 = swizzle %1.y\n"
                   "  %7: f32 = swizzle %1.z\n"
                   "  %8: f32 = swizzle %4.x\n"
                   "  %9: vec4<f32> = compose %6, %7, %8, %5\n"
                   "  output 0.xyzw, %9\n"
                   "  return\n}\n");
    float constants[16], in[4][4] = {{0, 32}, {2, 32}, {36, 32}, {4.0e9f, 32}}, out[4][4];
    for (int i = 0; i < 16; i++)
        constants[i] = (float)(i + 1);
    iri_exec_resource bound = {.data = constants, .size = sizeof constants};
    iri_exec_batch batch = {.count = 4, .resources = &bound, .resource_count = 1, .no_quads = true};
    REQUIRE(p);
    CHECK(run_pixels(p, NULL, &batch, in[0], out[0]) == IRI_OK);
    CHECK(out[0][0] == 10 && out[0][1] == 0); /* the declared size ends after ten words */
    CHECK(out[0][2] == 1 && out[0][3] == 2);
    CHECK(out[2][2] == 10 && out[2][3] == 0 && out[3][2] == 0 && out[3][3] == 0);
    bound.size = 36;
    CHECK(run_pixels(p, NULL, &batch, in[0], out[0]) == IRI_OK);
    CHECK(out[0][0] == 0 && out[2][2] == 0); /* and the given one after nine */
    batch.resources = NULL;
    CHECK(run_pixels(p, NULL, &batch, in[0], out[0]) == IRI_OK);
    CHECK(out[0][2] == 0);
    iri_program_free(p);
}

TEST(exec_state)
{
    iri_program *p =
        exec_parse("iridia-ir 1\nprogram pixel entry main\noutput SV_Target0: vec4<f32> sv target\n"
                   "fn main {\n"
                   "  %0: f32 = state fog_end\n"
                   "  %1: vec4<f32> = splat %0\n"
                   "  output 0.xyzw, %1\n"
                   "  return\n}\n");
    float out[4] = {0};
    iri_exec_array array = {out, 16, 0};
    iri_state_entry entry = {
        .id = IRI_STATE_FOG_END, .source = IRI_STATE_VALUE, .bits = {exec_bits(2.5f)}};
    iri_exec_batch batch = {.count = 1, .outputs = &array};
    REQUIRE(p);
    iri_exec *e = exec_compile(p, NULL);
    iri_refusal why;
    REQUIRE(e);
    CHECK(iri_exec_run(e, &batch, &why) == IRI_UNSPECIFIED_STATE);
    batch.state = &IRI_STATE_D3D9_DEFAULT;
    CHECK(iri_exec_run(e, &batch, &why) == IRI_OK && out[0] == 1);
    batch.state = &(iri_state){&entry, 1, false};
    CHECK(iri_exec_run(e, &batch, &why) == IRI_OK && out[0] == 2.5f);
    iri_exec_free(e);
    iri_program_free(p);
}

typedef struct trace_log {
    uint32_t count, regions, offset;
    uint64_t last;
} trace_log;

static void log_event(void *user, const iri_exec_event *event)
{
    trace_log *log = user;
    log->count++;
    log->regions += event->kind == IRI_EVENT_REGION;
    if (event->kind == IRI_EVENT_RESULT && event->count)
        log->last = event->values[0][0];
}

TEST(exec_trace)
{
    iri_program *p = exec_parse(derivatives);
    float in[70][4] = {{0}}, out[70][4];
    trace_log log = {0};
    iri_exec_batch batch = {
        .count = 70, .trace = log_event, .trace_user = &log, .trace_invocation = 69};
    REQUIRE(p);
    in[69][0] = 6;
    in[69][1] = 1;
    CHECK(run_pixels(p, IRI_EXEC_OPTIONS(.trace = true), &batch, in[0], out[0]) == IRI_OK);
    /* Nine results, the arm, its yield, the output and the return. */
    CHECK_EQ_U32(log.count, 13);
    CHECK_EQ_U32(log.regions, 1);
    CHECK_EQ_U32(log.last, exec_bits(out[69][0]));
    iri_program_free(p);
}

/* ---- refusals ---- */

static void fill_recursion(iri_builder *b, bool indirect)
{
    iri_id f = iri_declare_function(b, "f", NULL, 0, NULL, 0),
           g = iri_declare_function(b, "g", NULL, 0, NULL, 0);
    iri_builder_program(b)->entry = iri_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
    iri_emit_call(b, f, NULL, 0, NULL);
    iri_emit_return(b, NULL, 0);
    iri_end_function(b);
    iri_begin_declared(b, f, NULL);
    iri_emit_call(b, indirect ? g : f, NULL, 0, NULL);
    iri_emit_return(b, NULL, 0);
    iri_end_function(b);
    iri_begin_declared(b, g, NULL);
    iri_emit_call(b, f, NULL, 0, NULL);
    iri_emit_return(b, NULL, 0);
    iri_end_function(b);
}

/* Functions that each call the one before twice: more instructions than there are atoms. */
static void fill_doubling(iri_builder *b)
{
    iri_id last = iri_begin_function(b, "f", NULL, 0, NULL, 0, NULL);
    iri_emit_return(b, NULL, 0);
    iri_end_function(b);
    for (int i = 0; i < 64; i++) {
        iri_id next = iri_begin_function(b, "g", NULL, 0, NULL, 0, NULL);
        iri_emit_call(b, last, NULL, 0, NULL);
        iri_emit_call(b, last, NULL, 0, NULL);
        iri_emit_return(b, NULL, 0);
        iri_end_function(b);
        last = next;
    }
    iri_builder_program(b)->entry = last;
}

static void fill_graph(iri_builder *b)
{
    iri_builder_program(b)->entry = iri_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
    iri_begin_cfg(b, 1);
    iri_emit_return(b, NULL, 0);
    iri_end_function(b);
}

typedef struct refusal_job {
    int which;
    iri_arena scratch;
    iri_program *program;
} refusal_job;

static void build_refused(iri_ctx *ctx, void *argument)
{
    refusal_job *j = argument;
    iri_builder *b = iri_builder_make(ctx, &j->scratch, IRI_STAGE_PIXEL, 0);
    if (j->which < 2)
        fill_recursion(b, j->which == 1);
    else if (j->which == 2)
        fill_doubling(b);
    else
        fill_graph(b);
    j->program = iri_builder_finish(b);
}

TEST(exec_refusals)
{
    static const iri_status expected[] = {IRI_RECURSION, IRI_RECURSION, IRI_LIMIT_INSTRUCTIONS,
                                          IRI_NOT_STRUCTURED};
    for (int which = 0; which < 4; which++) {
        iri_ctx ctx;
        iri_refusal why;
        iri_exec *e;
        refusal_job j = {.which = which};
        iri_ctx_init(&ctx, NULL, NULL, &why);
        iri_arena_init(&j.scratch, &ctx);
        if (CHECK(iri_protect(&ctx, build_refused, &j) == IRI_OK)) {
            CHECK_EQ_INT(iri_exec_compile(j.program, NULL, &e, &why), expected[which]);
            CHECK(e == NULL);
        }
        iri_arena_free(&j.scratch);
        iri_program_free(j.program);
    }
}

/* ---- memory ---- */

typedef struct failing {
    uint32_t left;
    size_t held;
} failing;

static void *failing_alloc(void *user, size_t size)
{
    failing *f = user;
    if (!f->left)
        return NULL;
    f->left--;
    f->held += size;
    return malloc(size);
}

static void failing_free(void *user, void *memory, size_t size)
{
    failing *f = user;
    if (memory)
        f->held -= size;
    free(memory);
}

TEST(exec_out_of_memory)
{
    iri_program *p = exec_parse(derivatives);
    float in[8][4] = {{0}}, out[8][4];
    iri_exec_array a = {in, 16, 0}, b = {out, 16, 0};
    iri_exec_batch batch = {.count = 8, .inputs = &a, .outputs = &b};
    bool finished = false;
    REQUIRE(p);
    for (uint32_t k = 0; k < 100 && !finished; k++) {
        failing f = {.left = k};
        iri_allocator allocator = {failing_alloc, failing_free, &f};
        iri_exec *e;
        iri_status status =
            iri_exec_compile(p, IRI_EXEC_OPTIONS(.allocator = &allocator), &e, NULL);
        if (status == IRI_OK)
            status = iri_exec_run(e, &batch, NULL);
        finished = status == IRI_OK;
        CHECK(finished || status == IRI_NO_MEMORY);
        iri_exec_free(e);
        CHECK_EQ_U64(f.held, 0);
    }
    CHECK(finished);
    iri_limits limits = {.memory = 20000};
    iri_exec *e = exec_compile(p, NULL), *small = NULL;
    CHECK(iri_exec_compile(p, IRI_EXEC_OPTIONS(.limits = &limits, .width = 4096), &small, NULL) ==
              IRI_LIMIT_MEMORY ||
          iri_exec_run(small, &(iri_exec_batch){.count = 4096}, NULL) == IRI_LIMIT_MEMORY);
    iri_exec_free(small);
    iri_exec_free(e);
    iri_program_free(p);
}
