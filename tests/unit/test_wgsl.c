/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The WGSL writer's parts: names, the binding plan, the preflight's limits, the map, linked programs.
 */
#include "base/arena.h"
#include "ir/emit.h"
#include "tests/unit/test.h"
#include "write/names.h"
#include "write/plan.h"
#include "write/wgsl/words.h"

#include <iridia/link.h>
#include <iridia/text.h>
#include <iridia/write.h>
#include <stdio.h>
#include <string.h>

/* ---- names ---- */

TEST(wgsl_names)
{
    static const struct {
        const char *wanted, *got;
    } rows[] = {
        {"Diffuse", "Diffuse"}, {"Diffuse", "Diffuse_2"}, {"Diffuse", "Diffuse_3"},
        {"diffuse", "diffuse"}, {"$x[0].y", "x_0_y"},     {"2nd", "_2nd"},
        {"", "thing"},          {"___", "thing_2"},       {"__x", "_x"},
        {"a__b", "a_b"},        {"loop", "loop_2"},       {"dot", "dot_2"},
        {"vec4f", "vec4f_2"},   {"texture", "texture"},   {"NULL", "NULL_2"},
        {"Self", "Self_2"},     {"self", "self_2"},       {"\xc3\xa9t\xc3\xa9", "t"},
        {"main", "main_2"},     {"f16", "f16_2"},         {"Diffuse_2", "Diffuse_2_2"},
    };
    iri_ctx ctx;
    iri_arena arena;
    iri_names names, inner;
    iri_ctx_init(&ctx, NULL, NULL, NULL);
    iri_arena_init(&arena, &ctx);
    iri_names_init(&names, &arena, iri_wgsl_is_reserved, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_STR(iri_names_claim(&names, iri_str_of(rows[i].wanted), IRI_STR("thing")).at,
                  rows[i].got);
    iri_names_init(&inner, &arena, iri_wgsl_is_reserved, &names);
    CHECK_STR(iri_names_claim(&inner, IRI_STR("Diffuse"), IRI_STR("thing")).at, "Diffuse_4");
    CHECK_STR(iri_names_claim(&inner, IRI_STR("out"), IRI_STR("thing")).at, "out");
    /* Numbered names pass over what is claimed and what is reserved, and are not claimed again. */
    CHECK_STR(iri_names_claim(&names, IRI_STR("v2"), IRI_STR("thing")).at, "v2");
    CHECK_STR(iri_names_number(&inner, 'v').at, "v1");
    CHECK_STR(iri_names_number(&inner, 'v').at, "v3");
    CHECK_STR(iri_names_claim(&inner, IRI_STR("v3"), IRI_STR("thing")).at, "v3_2");
    CHECK_STR(iri_names_claim(&inner, IRI_STR("v4"), IRI_STR("thing")).at, "v4");
    CHECK_STR(iri_names_number(&inner, 'v').at, "v5");
    for (int i = 1; i < 16; i++)
        iri_names_number(&inner, 'f');
    CHECK_STR(iri_names_number(&inner, 'f').at, "f17");
    iri_arena_free(&arena);
}

TEST(wgsl_reserved)
{
    static const char *const words[] = {"alias",         "fn",         "yield", "abs",
                                        "active",        "with",       "vec2h", "mat4x3f",
                                        "textureSample", "rgba8unorm", "__any", "NULL"};
    static const char *const free_words[] = {
        "alia", "aliass", "out", "Fn", "position", "x", "ab", "mat4x3 f", "textureSampl"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!iri_wgsl_is_reserved(iri_str_of(words[i])))
            FAIL("%s is not taken as reserved", words[i]);
    for (size_t i = 0; i < sizeof free_words / sizeof *free_words; i++)
        if (iri_wgsl_is_reserved(iri_str_of(free_words[i])))
            FAIL("%s is taken as reserved", free_words[i]);
}

/* ---- writing ---- */

/* Parses and writes; the status, and the text or the reason in `out`. */
static iri_status write_text(const char *text, const iri_wgsl_options *options, char *out,
                             size_t size, iri_wgsl_map *map)
{
    iri_program *program;
    iri_refusal why;
    iri_text written;
    out[0] = 0;
    if (iri_parse_text(text, strlen(text), NULL, &program, &why) != IRI_OK) {
        snprintf(out, size, "%u:%u: %s", (unsigned)why.line, (unsigned)why.column, why.reason);
        FAIL("%s\n%s", out, text);
        return why.status;
    }
    iri_status status = iri_write_wgsl(program, options, &written, map, &why);
    snprintf(out, size, "%s", status == IRI_OK ? written.data : why.reason);
    iri_text_free(&written);
    iri_program_free(program);
    return status;
}

static void check_refused(const char *text, const iri_wgsl_options *options, iri_status status,
                          const char *reason)
{
    char out[8192];
    iri_status got = write_text(text, options, out, sizeof out, NULL);
    if (got != status || !strstr(out, reason))
        FAIL("got %s: %s\nexpected %s: ...%s...", iri_status_name(got), out,
             iri_status_name(status), reason);
}

#define PIXEL "program pixel entry main\n"
#define VERTEX "program vertex entry main\n"
#define TARGET "output SV_Target0: vec4<f32> @oC0 sv target\n"
#define POSITION "output POSITION0: vec4<f32> @oPos sv position\n"
#define BODY "fn main { output 0.xyzw, splat4(1.0) return }\n"

/* A line `count` times, each with its number in place of the one %u. */
static void repeat(char *out, size_t size, const char *head, const char *line, uint32_t count,
                   const char *tail)
{
    size_t at = (size_t)snprintf(out, size, "%s", head);
    for (uint32_t i = 0; i < count && at < size; i++) {
        const char *number = strstr(line, "%u");
        at += (size_t)snprintf(out + at, size - at, "%.*s%u%s", (int)(number - line), line,
                               (unsigned)i, number + 2);
    }
    snprintf(out + at, size - at, "%s", tail);
}

TEST(wgsl_preflight)
{
    static const struct {
        const char *head, *line;
        uint32_t fits; /* so many do, one more does not */
        const char *tail, *reason;
    } rows[] = {
        {VERTEX POSITION, "input TEXCOORD%u: vec4<f32>\n", 16, BODY,
         "TEXCOORD16 needs location 16"},
        {PIXEL TARGET, "input TEXCOORD%u: vec4<f32> linear\n", 16, BODY,
         "TEXCOORD16 needs location 16; there are 16"},
        {PIXEL TARGET "input VFACE0: bool @vFace.x sv is_front_face flat\n",
         "input TEXCOORD%u: vec4<f32> linear\n", 15, BODY, "needs location 15; there are 15"},
        {VERTEX POSITION, "output TEXCOORD%u: vec4<f32>\n", 16, NULL,
         "TEXCOORD16 needs location 16"},
        {PIXEL TARGET, "texture t%u: 2d<f32>\n", 16, BODY, "t16 is one sampled texture too many"},
        {PIXEL TARGET, "sampler s%u\n", 16, BODY, "s16 is one sampler too many"},
        {PIXEL TARGET, "cbuffer cb%u size 64\n", 12, BODY, "cb12 is one uniform buffer too many"},
        {PIXEL TARGET, "cbuffer cb%u size 131072\n", 8, BODY, "cb8 is one storage buffer too many"},
        {PIXEL TARGET, "sampler s93%u\n", 6, BODY, "a group has 1000"},
    };
    char text[8192], out[16384];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char tail[4096];
        for (uint32_t extra = 0; extra < 2; extra++) {
            uint32_t count = rows[i].fits + extra;
            if (rows[i].tail) {
                snprintf(tail, sizeof tail, "%s", rows[i].tail);
            } else {
                repeat(tail, sizeof tail, "fn main { output 0.xyzw, splat4(1.0)\n",
                       "output 1%u.xyzw, splat4(0.0)\n", 0, "");
                size_t at = strlen(tail);
                for (uint32_t k = 1; k <= count; k++)
                    at += (size_t)snprintf(tail + at, sizeof tail - at,
                                           "output %u.xyzw, splat4(0.0)\n", (unsigned)k);
                snprintf(tail + at, sizeof tail - at, "return }\n");
            }
            repeat(text, sizeof text, rows[i].head, rows[i].line, count, tail);
            if (extra)
                check_refused(text, NULL, IRI_CAPABILITY, rows[i].reason);
            else if (write_text(text, NULL, out, sizeof out, NULL) != IRI_OK)
                FAIL("%s\n%s", out, text);
        }
    }
    check_refused(PIXEL "output SV_Target8: vec4<f32> @oC0 sv target\n" BODY, NULL, IRI_CAPABILITY,
                  "SV_Target8 needs location 8");
    check_refused(VERTEX "output TEXCOORD0: vec4<f32> @o0\n" BODY, NULL, IRI_UNWRITABLE,
                  "without a position");
    check_refused(PIXEL TARGET "texture t0: 2d<f32> count 4\n" BODY, NULL, IRI_CAPABILITY,
                  "t0 is a range of resources");
    check_refused(PIXEL TARGET "cbuffer cb0 size 268435456\n" BODY, NULL, IRI_CAPABILITY,
                  "cb0 has 268435456 bytes");
    check_refused(PIXEL TARGET
                  "fn main { local r: vec4<f32>[513] zero output 0.xyzw, splat4(1.0) return }",
                  NULL, IRI_CAPABILITY, "the variable r has 8208 bytes");
    check_refused("program geometry entry main\nfn main { return }", NULL, IRI_UNWRITABLE,
                  "a geometry program");
}

/* ---- the binding plan ---- */

TEST(wgsl_plan)
{
    static const char text[] =
        PIXEL TARGET "cbuffer cb2 size 64\ntexture t5: 2d<f32>\nsampler s7\n"
                     "texture t1_space3: 2d<f32>\ntexture t0_space1: 2d<f32>\n" BODY;
    static const iri_binding custom[] = {{3, 0}, {3, 1}, {3, 2}, {3, 3}, {3, 4}};
    static const iri_binding same[] = {{0, 0}, {1, 1}, {2, 2}, {1, 1}, {0, 4}};
    char out[8192];
    CHECK(write_text(text, NULL, out, sizeof out, NULL) == IRI_OK);
    CHECK(strstr(out, "@group(0) @binding(66) var<uniform> cb2") != NULL);
    CHECK(strstr(out, "@group(1) @binding(69) var t5:") != NULL);
    CHECK(strstr(out, "@group(2) @binding(71) var s7:") != NULL);
    CHECK(strstr(out, "@group(1) @binding(70) var t0_space1:") != NULL);
    CHECK(strstr(out, "@group(1) @binding(71) var t1_space3:") != NULL);
    CHECK(write_text(text, IRI_WGSL_OPTIONS(.bindings = {.pixel_offset = IRI_NO_PIXEL_OFFSET}), out,
                     sizeof out, NULL) == IRI_OK);
    CHECK(strstr(out, "@group(1) @binding(5) var t5:") != NULL);
    CHECK(write_text(text, IRI_WGSL_OPTIONS(.bindings = {.pixel_offset = 100}), out, sizeof out,
                     NULL) == IRI_OK);
    CHECK(strstr(out, "@group(2) @binding(107) var s7:") != NULL);
    CHECK(write_text(text, IRI_WGSL_OPTIONS(.bindings = {.custom = custom, .custom_count = 5}), out,
                     sizeof out, NULL) == IRI_OK);
    CHECK(strstr(out, "@group(3) @binding(2) var s7:") != NULL);
    check_refused(text, IRI_WGSL_OPTIONS(.bindings = {.custom = same, .custom_count = 5}),
                  IRI_BINDING_COLLISION, "t5 and t1_space3 would both be at group 1, binding 1");
    check_refused(text, IRI_WGSL_OPTIONS(.bindings = {.custom = custom, .custom_count = 4}),
                  IRI_INVALID_ARGUMENT, "4 bindings for 5 resources");
    /* A vertex program's bindings stay where they are. */
    CHECK(write_text(VERTEX POSITION "cbuffer cb1 size 64\n" BODY, NULL, out, sizeof out, NULL) ==
          IRI_OK);
    CHECK(strstr(out, "@group(0) @binding(1) var<uniform> cb1") != NULL);
}

/* ---- deep nesting ---- */

TEST(wgsl_braces)
{
    static char text[65536], out[65536];
    for (uint32_t depth = 126; depth < 128; depth++) {
        size_t at =
            (size_t)snprintf(text, sizeof text, "%s",
                             PIXEL "input TEXCOORD0: f32 @v0.x linear\n" TARGET
                                   "cbuffer cb0 size 4096\nfn main {\n%0: f32 = input 0.x\n");
        for (uint32_t i = 0; i < depth; i++)
            at += (size_t)snprintf(text + at, sizeof text - at,
                                   "%%%u: bool = lt %%0, %u.5\nif %%%u {\n", (unsigned)i + 1,
                                   (unsigned)i, (unsigned)i + 1);
        at += (size_t)snprintf(text + at, sizeof text - at, "demote true\nyield }\n");
        for (uint32_t i = 1; i < depth; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "yield }\n");
        snprintf(text + at, sizeof text - at, "output 0.xyzw, splat4(1.0) return }\n");
        if (depth == 126)
            CHECK(write_text(text, NULL, out, sizeof out, NULL) == IRI_OK);
        else
            check_refused(text, NULL, IRI_CAPABILITY, "more than 127 statements inside each other");
    }
}

/* ---- the map and linking ---- */

static const iri_emitted_name *find(const iri_wgsl_map *map, uint32_t kind, const char *source)
{
    for (size_t i = 0; i < map->name_count; i++)
        if (map->names[i].kind == kind && strcmp(map->names[i].source, source) == 0)
            return &map->names[i];
    return NULL;
}

TEST(wgsl_map)
{
    static const char text[] = PIXEL
        "input TEXCOORD3: vec2<f32> @v0.xy linear\n" TARGET
        "texture t2 \"loop\": 2d<f32>\nsampler s2 \"loop\"\n"
        "cbuffer cb0 \"Globals\" size 32 { 0 \"dot\": vec4<f32> 16 \"Tint\": vec4<f32> }\n" BODY;
    char out[8192];
    iri_wgsl_map map;
    CHECK(write_text(text, NULL, out, sizeof out, &map) == IRI_OK);
    const iri_emitted_name *name = find(&map, 0, "loop");
    REQUIRE(name != NULL);
    CHECK_STR(name->emitted, "loop_2");
    CHECK_EQ_INT(name->group, 1);
    CHECK_EQ_INT(name->binding, 66);
    name = find(&map, 1, "TEXCOORD3");
    REQUIRE(name != NULL);
    CHECK_EQ_INT(name->location, 0);
    name = find(&map, 3, "dot");
    REQUIRE(name != NULL);
    CHECK_STR(name->emitted, "dot_2");
    CHECK(find(&map, 3, "Tint") != NULL && find(&map, 2, "SV_Target0") != NULL);
    CHECK(find(&map, 4, "alpha_ref") == NULL);
    iri_wgsl_map_free(&map);
    CHECK(map.names == NULL && map.name_count == 0);
    iri_wgsl_map_free(NULL);
}

TEST(wgsl_linked)
{
    static const char vertex[] =
        VERTEX POSITION "output TEXCOORD0: vec4<f32> @oT0\noutput COLOR0: vec4<f32> @oD0\n"
                        "output TEXCOORD5: vec2<f32> @oT5.xy\n"
                        "fn main { output 0.xyzw, splat4(1.0) output 1.xyzw, splat4(2.0)\n"
                        "output 2.xyzw, splat4(3.0) output 3.xy, splat2(4.0) return }\n";
    static const char pixel[] = PIXEL "input COLOR0: vec4<f32> @v0 linear_centroid\n"
                                      "input texcoord0: vec2<f32> @t0.xy linear\n"
                                      "input TEXCOORD7: f32 @t7.x linear\n" TARGET BODY;
    char out[8192];
    iri_program *linked;
    iri_refusal why;
    REQUIRE(iri_parse_text(pixel, strlen(pixel), NULL, &linked, &why) == IRI_OK);
    CHECK(write_text(vertex, IRI_WGSL_OPTIONS(.linked_pixel = linked), out, sizeof out, NULL) ==
          IRI_OK);
    CHECK(strstr(out, "@location(0) @interpolate(perspective, centroid) COLOR0: vec4f") != NULL);
    CHECK(strstr(out, "@location(1) TEXCOORD0: vec2f") != NULL);
    CHECK(strstr(out, "@location(2) TEXCOORD7: f32") != NULL);
    CHECK(strstr(out, "@location(3) TEXCOORD5: vec2f") != NULL);
    CHECK(strstr(out, "out.TEXCOORD7 = 0.0") != NULL);
    CHECK(strstr(out, "// note: TEXCOORD7 is zero") != NULL);
    CHECK(strstr(out, "// note: TEXCOORD5") == NULL && strstr(out, "texcoord0 is zero") == NULL);
    iri_program_free(linked);
}

/* What a pixel program reads goes through; what it declares for fog alone, and built-ins, do not. */
TEST(wgsl_pass_through)
{
    static const char text[] = PIXEL "input COLOR0: vec4<f32> @v0 linear_centroid\n"
                                     "input TEXCOORD3: vec2<f32> @t3.xy linear\n"
                                     "input VPOS0: vec2<f32> @vPos.xy sv position linear\n"
                                     "input FOG0: f32 @v1.x linear implicit\n" TARGET BODY;
    iri_program *pixel, *vertex;
    iri_refusal why;
    iri_text out;
    REQUIRE(iri_parse_text(text, strlen(text), NULL, &pixel, &why) == IRI_OK);
    REQUIRE(iri_make_pass_through(pixel, NULL, &vertex, &why) == IRI_OK);
    const iri_interface *io = iri_program_interface(vertex);
    CHECK(io->input_count == 3 && io->output_count == 3);
    CHECK(io->outputs[0].system_value == IRI_SV_POSITION);
    for (uint32_t i = 0; i < io->input_count; i++)
        CHECK(io->inputs[i].flags == IRI_IO_GENERATED && io->outputs[i].flags == IRI_IO_GENERATED);
    CHECK_STR(iri_program_provenance(vertex)->format, "generated");
    REQUIRE(iri_write_wgsl(vertex, IRI_WGSL_OPTIONS(.linked_pixel = pixel), &out, NULL, &why) ==
            IRI_OK);
    CHECK(strstr(out.data, "main: vertex, from generated pass-through") != NULL);
    CHECK(strstr(out.data, "out.TEXCOORD3 = TEXCOORD3") != NULL);
    CHECK(strstr(out.data, "FOG0") == NULL && strstr(out.data, "VPOS0") == NULL);
    iri_text_free(&out);
    iri_program *none = vertex;
    CHECK(iri_make_pass_through(vertex, NULL, &none, &why) == IRI_INVALID_ARGUMENT && !none);
    CHECK(iri_make_pass_through(NULL, NULL, &none, &why) == IRI_INVALID_ARGUMENT);
    iri_program_free(vertex);
    iri_program_free(pixel);
}

TEST(wgsl_arguments)
{
    static const char text[] = PIXEL TARGET BODY;
    char out[4096];
    CHECK(write_text(text, IRI_WGSL_OPTIONS(.entry_name = "ps_main"), out, sizeof out, NULL) ==
          IRI_OK);
    CHECK(strstr(out, "fn ps_main()") != NULL);
    check_refused(text, IRI_WGSL_OPTIONS(.entry_name = "a b"), IRI_INVALID_ARGUMENT,
                  "'a b' is no name");
    check_refused(text, IRI_WGSL_OPTIONS(.profile = IRI_PROFILE_COUNT), IRI_INVALID_ARGUMENT,
                  "no profile of WebGPU");
    iri_refusal why;
    CHECK(iri_write_wgsl(NULL, NULL, NULL, NULL, &why) == IRI_INVALID_ARGUMENT);
    iri_limits limits = {.output = 64};
    check_refused(text, IRI_WGSL_OPTIONS(.limits = &limits), IRI_LIMIT_OUTPUT, "64");
}
