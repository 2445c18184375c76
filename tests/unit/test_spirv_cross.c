/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libiridia-cross: names, semantics, depth, refusals. Whether all languages are written for real shaders is
 * tests/oracle/spirv's to see.
 */
#include "tests/unit/test.h"

#ifndef IRI_CLI_CROSS
TEST(spirv_cross)
{
    SKIP("built without SPIRV-Cross (libspirv-cross-c-shared-dev)");
}
#else
#include <iridia/cross.h>
#include <iridia/text.h>
#include <stdlib.h>
#include <string.h>

static const char vertex[] = "program vertex entry main\n"
                             "input POSITION0: vec4<f32> @v0\n"
                             "input TEXCOORD0: vec4<f32> @v1\n"
                             "output POSITION0: vec4<f32> @oPos sv position\n"
                             "output TEXCOORD0: vec4<f32> @oT0\n"
                             "fn main {\n"
                             "  %0: vec4<f32> = input 0.xyzw\n"
                             "  %1: vec4<f32> = input 1.xyzw\n"
                             "  output 0.xyzw, %0\n"
                             "  output 1.xyzw, %1\n"
                             "  return\n"
                             "}\n";
static const char pixel[] = "program pixel entry main\n"
                            "input TEXCOORD0: vec2<f32> @v0.xy linear\n"
                            "output SV_Target0: vec4<f32> @oC0 sv target\n"
                            "texture t0 \"Diffuse\": 2d<f32>\n"
                            "texture t1 \"Normals\": 2d<f32>\n"
                            "sampler s0 \"Diffuse\"\n"
                            "sampler s1 \"Point\"\n"
                            "fn main {\n"
                            "  %0: vec2<f32> = input 0.xy\n"
                            "  %1: vec4<f32> = sample t0, s0, %0\n"
                            "  %2: vec4<f32> = sample t1, s1, %0\n"
                            "  %3: vec4<f32> = add %1, %2\n"
                            "  output 0.xyzw, %3\n"
                            "  return\n"
                            "}\n";
static const char large[] = "program pixel entry main\n"
                            "output SV_Target0: vec4<f32> @oC0 sv target\n"
                            "cbuffer cb0 size 70000\n"
                            "fn main {\n"
                            "  %0: vec4<f32> = load.cb cb0, 69984u\n"
                            "  output 0.xyzw, %0\n"
                            "  return\n"
                            "}\n";

static iri_program *parse(const char *text)
{
    iri_program *p = NULL;
    iri_refusal why;
    if (iri_parse_text(text, strlen(text), NULL, &p, &why) != IRI_OK)
        FAIL("line %u: %s", (unsigned)why.line, why.reason);
    return p;
}

/* The program in one language has, or has not, a text in it. */
static void expect(const iri_program *p, const iri_cross_options *options, const char *part,
                   bool there)
{
    iri_text text;
    iri_refusal why;
    if (iri_cross_write(p, options, &text, &why) != IRI_OK) {
        FAIL("%s", why.reason);
        return;
    }
    if ((strstr(text.data, part) != NULL) != there)
        FAIL("%s: '%s' is %s:\n%s", iri_cross_target_name(options->target), part,
             there ? "not there" : "there", text.data);
    iri_text_free(&text);
}

static void *no_memory(void *user, size_t size)
{
    (void)user, (void)size;
    return NULL;
}

static void no_free(void *user, void *memory, size_t size)
{
    (void)user, (void)memory, (void)size;
}

TEST(spirv_cross)
{
    iri_program *v = parse(vertex), *p = parse(pixel), *big = parse(large);
    iri_text text;
    iri_refusal why;
    if (!v || !p || !big)
        return;
    for (int t = 0; t < IRI_CROSS_COUNT; t++) {
        CHECK(iri_cross_target_name((iri_cross_target)t) != NULL);
        expect(v, IRI_CROSS_OPTIONS(.target = (iri_cross_target)t), "main", true);
    }
    CHECK(iri_cross_target_name(IRI_CROSS_COUNT) == NULL);
    expect(p, IRI_CROSS_OPTIONS(.target = IRI_CROSS_GLSL_330), "uniform sampler2D Diffuse;", true);
    expect(p, IRI_CROSS_OPTIONS(.target = IRI_CROSS_GLSL_330), "uniform sampler2D Normals_Point",
           true);
    expect(p, IRI_CROSS_OPTIONS(.target = IRI_CROSS_HLSL_50), "Texture2D<float4> Diffuse", true);
    expect(v, IRI_CROSS_OPTIONS(.target = IRI_CROSS_HLSL_50), ": POSITION0", true);
    expect(v, IRI_CROSS_OPTIONS(.target = IRI_CROSS_ESSL_300), "gl_Position.z =", true);
    expect(v, IRI_CROSS_OPTIONS(.target = IRI_CROSS_ESSL_300, .keep_clip_depth = true),
           "gl_Position.z =", false);
    CHECK(iri_cross_write(big, IRI_CROSS_OPTIONS(.target = IRI_CROSS_ESSL_300), &text, &why) ==
          IRI_CAPABILITY);
    CHECK(text.data == NULL && strncmp(why.reason, "essl300: ", 9) == 0);
    CHECK_STR(why.group, "capability");
    iri_allocator none = {no_memory, no_free, NULL};
    CHECK(iri_cross_write(p, IRI_CROSS_OPTIONS(.allocator = &none), &text, &why) == IRI_NO_MEMORY);
    CHECK(iri_cross_write(NULL, NULL, &text, &why) == IRI_INVALID_ARGUMENT);
    CHECK(iri_cross_write(p, IRI_CROSS_OPTIONS(.target = IRI_CROSS_COUNT), &text, NULL) ==
          IRI_INVALID_ARGUMENT);
    iri_program_free(v);
    iri_program_free(p);
    iri_program_free(big);
}
#endif
