/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texture lookups with numbers worked by hand from docs/exec.md's rules.
 */
#include "tests/unit/test_exec.h"

#include <math.h>

#define HEADER \
    "iridia-ir 1\nprogram pixel entry main\ninput TEXCOORD0: vec4<f32> linear\noutput SV_Target0: vec4<f32> sv target\n"

/* One lookup a invocation, its coordinates the input's lanes. */
static bool look_up(const char *text, const iri_exec_texture *texture, const iri_sampler *sampler,
                    uint32_t count, float (*in)[4], float (*out)[4],
                    const iri_exec_backend *backend)
{
    iri_program *p = exec_parse(text);
    iri_exec *e = exec_compile(p, NULL);
    iri_exec_array a = {in, 16, 0}, b = {out, 16, 0};
    iri_exec_resource bound[2] = {{.texture = texture}, {.sampler = sampler}};
    iri_exec_batch batch = {.count = count,
                            .inputs = &a,
                            .outputs = &b,
                            .resources = bound,
                            .resource_count = 2,
                            .backend = backend};
    bool good = e && CHECK(iri_exec_run(e, &batch, NULL) == IRI_OK);
    iri_exec_free(e);
    iri_program_free(p);
    return good;
}

#define BODY_2D(operation) \
    HEADER \
    "texture t0: 2d<f32>\nsampler s0\nfn main {\n  %0: vec4<f32> = input 0.xyzw\n  %1: vec2<f32> = swizzle %0.xy\n" \
    "  %2: f32 = swizzle %0.z\n  %3: vec2<f32> = swizzle %0.zw\n  %4: vec4<f32> = " operation \
    "\n  output 0.xyzw, %4\n  return\n}\n"

static const char lod_2d[] = BODY_2D("sample.lod t0, s0, %1, %2");
static const char plain_2d[] = BODY_2D("sample t0, s0, %1");
static const char bias_2d[] = BODY_2D("sample.bias t0, s0, %1, %2");
static const char grad_2d[] = BODY_2D("sample.grad t0, s0, %1, %3, splat2(0.0)");

/* 4 x 2 texels, x + 10 y in the first lane, then 2 x 1 and 1 x 1. */
static float small[(8 + 2 + 1) * 4];
static iri_exec_texture make_small(void)
{
    iri_exec_texture t = {IRI_DIMENSION_2D, 4, 2, 1, 1, 3, small};
    for (int i = 0; i < 8; i++)
        small[i * 4] = (float)(i % 4 + i / 4 * 10), small[i * 4 + 3] = 1;
    iri_exec_make_mips(&t, small);
    return t;
}

TEST(exec_sample_point)
{
    iri_exec_texture t = make_small();
    /* u, v in quarters and halves; wrap -1/4 is texel 3, 5/4 is texel 1. */
    float in[8][4] = {{0.1f, 0.1f}, {0.3f, 0.6f}, {0.99f, 0}, {-0.2f, 0},
                      {1.3f, 0},    {0.25f, 0},   {NAN, 0},   {1e30f, -1e30f}};
    static const float expected[3][7] = {{0, 11, 3, 3, 1, 1, 0},  /* wrap */
                                         {0, 11, 3, 0, 2, 1, 0},  /* mirror */
                                         {0, 11, 3, 0, 3, 1, 0}}; /* clamp */
    float out[8][4];
    for (uint8_t mode = 0; mode < 3; mode++) {
        iri_sampler s = {.address = {mode, mode, mode}};
        REQUIRE(look_up(lod_2d, &t, &s, 8, in, out, NULL));
        for (int i = 0; i < 7; i++)
            if (out[i][0] != expected[mode][i])
                FAIL("mode %u, %d: %g", mode, i, (double)out[i][0]);
    }
    iri_sampler s = {.address = {IRI_ADDRESS_BORDER, IRI_ADDRESS_MIRROR_ONCE, 0},
                     .border = {7, 0, 0, 5}};
    in[0][1] = -0.4f, in[1][1] = -0.6f;
    REQUIRE(look_up(lod_2d, &t, &s, 8, in, out, NULL));
    CHECK(out[0][0] == 0 && out[1][0] == 11 && out[3][0] == 7 && out[3][3] == 5 && out[4][0] == 7);
}

TEST(exec_sample_bilinear)
{
    iri_exec_texture t = make_small();
    iri_sampler s = {.min_filter = IRI_FILTER_LINEAR,
                     .mag_filter = IRI_FILTER_LINEAR,
                     .address = {IRI_ADDRESS_WRAP, IRI_ADDRESS_CLAMP, 0}};
    /* Texel centres at (i + 1/2) / 4: u 1/2 lies between 1 and 2; u 0 between 3 and 0. */
    float in[4][4] = {{0.125f, 0.25f}, {0.5f, 0.25f}, {0.5f, 0.5f}, {0, 0}}, out[4][4];
    REQUIRE(look_up(lod_2d, &t, &s, 4, in, out, NULL));
    CHECK(out[0][0] == 0 && out[1][0] == 1.5f && out[2][0] == 6.5f && out[3][0] == 1.5f);
    /* A texel without a part in it may be anything. */
    small[4] = INFINITY;
    REQUIRE(look_up(lod_2d, &t, &s, 1, in, out, NULL));
    CHECK(out[0][0] == 0);
    s.address[0] = IRI_ADDRESS_BORDER;
    s.border[0] = -4;
    REQUIRE(look_up(lod_2d, &t, &s, 4, in, out, NULL));
    CHECK(out[3][0] == -2); /* half of the border and half of texel 0 */
}

TEST(exec_sample_levels)
{
    iri_exec_texture t = make_small();
    iri_sampler s = {.mip_filter = IRI_MIP_POINT};
    float in[8][4] = {{0, 0, -3}, {0, 0, 0.49f}, {0, 0, 0.5f}, {0, 0, 1.6f}, {0, 0, 9}}, out[8][4];
    REQUIRE(look_up(lod_2d, &t, &s, 8, in, out, NULL));
    CHECK(out[0][0] == 0 && out[1][0] == 0 && out[2][0] == 5.5f && out[3][0] == 6.5f &&
          out[4][0] == 6.5f);
    s = (iri_sampler){.mip_filter = IRI_MIP_LINEAR, .lod_bias = 0.25f};
    REQUIRE(look_up(lod_2d, &t, &s, 8, in, out, NULL));
    CHECK(out[0][0] == 0 && out[2][0] == 5.5f * 0.75f && out[4][0] == 6.5f);
    s = (iri_sampler){.mip_filter = IRI_MIP_POINT, .limit_lod = true, .max_lod = 1, .min_lod = 1};
    REQUIRE(look_up(lod_2d, &t, &s, 8, in, out, NULL));
    CHECK(out[0][0] == 5.5f && out[4][0] == 5.5f);
    /* A quad: two texels of level 0 a pixel along x, so level 1; half a texel along y does not count. */
    float quad[4][4] = {{0, 0}, {0.5f, 0}, {0, 0.25f}, {0.5f, 0.25f}};
    s = (iri_sampler){.mip_filter = IRI_MIP_POINT};
    REQUIRE(look_up(plain_2d, &t, &s, 4, quad, out, NULL));
    CHECK(out[0][0] == 5.5f && out[1][0] == 7.5f && out[2][0] == 5.5f);
    for (int i = 0; i < 4; i++)
        quad[i][2] = 1;
    REQUIRE(look_up(bias_2d, &t, &s, 4, quad, out, NULL));
    CHECK(out[0][0] == 6.5f);
    /* The gradient is given: (1/4, 1/2) is a texel in both, root 2 of one: level 1/2. */
    float grad[1][4] = {{0, 0, 0.25f, 0.5f}};
    s = (iri_sampler){.mip_filter = IRI_MIP_LINEAR};
    REQUIRE(look_up(grad_2d, &t, &s, 1, grad, out, NULL));
    CHECK(fabsf(out[0][0] - 2.75f) < 1e-5f);
    /* Minification and magnification differ at level 0. */
    s = (iri_sampler){.min_filter = IRI_FILTER_LINEAR};
    float two[2][4] = {{0.25f, 0.25f, 0}, {0.25f, 0.25f, 0.001f}};
    REQUIRE(look_up(lod_2d, &t, &s, 2, two, out, NULL));
    CHECK(out[0][0] == 1 && out[1][0] == 0.5f);
}

TEST(exec_sample_compare)
{
    iri_exec_texture t = make_small();
    iri_sampler s = {.compare = IRI_COMPARE_LESS};
    static const char text[] = HEADER
        "texture t0: 2d<f32> comparison\nsampler s0 comparison\nfn main {\n  %0: vec4<f32> = input 0.xyzw\n"
        "  %1: vec2<f32> = swizzle %0.xy\n  %2: f32 = swizzle %0.z\n  %3: f32 = sample.cmp.level t0, s0, %1, %2\n"
        "  %4: vec4<f32> = splat %3\n  output 0.xyzw, %4\n  return\n}\n";
    float in[2][4] = {{0.5f, 0.25f, 1.5f}, {0.5f, 0.25f, 2}}, out[2][4];
    REQUIRE(look_up(text, &t, &s, 2, in, out, NULL));
    CHECK(out[0][0] == 1 && out[1][0] == 0);
    s.min_filter = s.mag_filter = IRI_FILTER_LINEAR;
    REQUIRE(look_up(text, &t, &s, 2, in, out, NULL));
    CHECK(out[0][0] == 0.5f && out[1][0] == 0); /* of texels 1 and 2 */
}

TEST(exec_sample_cube)
{
    static float texels[6 * 4 * 4];
    iri_exec_texture t = {IRI_DIMENSION_CUBE, 2, 2, 1, 6, 1, texels};
    static const char text[] =
        HEADER "texture t0: cube<f32>\nsampler s0\nfn main {\n  %0: vec3<f32> = input 0.xyz\n"
               "  %1: vec4<f32> = sample.lod t0, s0, %0, 0.0\n  output 0.xyzw, %1\n  return\n}\n";
    /* Faces +x -x +y -y +z -z; in each texel s + 2 t. Ties: z before y before x. */
    float in[9][4] = {{2, 0.5f, 0.5f},  {-2, 0.5f, 0.5f}, {0.5f, 2, 0.5f},
                      {0.5f, -2, 0.5f}, {0.5f, 0.5f, 2},  {0.5f, 0.5f, -2},
                      {1, 1, 1},        {1, -1, 0.5f},    {0, 0, 0}};
    static const float expected[9] = {0, 11, 23, 31, 41, 50, 41, 31, 43};
    float out[9][4];
    iri_sampler s = {0};
    for (int i = 0; i < 24; i++)
        texels[i * 4] = (float)(i / 4 * 10 + i % 4);
    REQUIRE(look_up(text, &t, &s, 9, in, out, NULL));
    for (int i = 0; i < 9; i++)
        if (out[i][0] != expected[i])
            FAIL("direction %d: %g", i, (double)out[i][0]);
}

TEST(exec_sample_other_dimensions)
{
    static float texels[2 * 2 * 2 * 4 * 3];
    static const char volume[] =
        HEADER "texture t0: 3d<f32>\nsampler s0\nfn main {\n  %0: vec3<f32> = input 0.xyz\n"
               "  %1: vec4<f32> = sample.lod t0, s0, %0, 0.0\n  output 0.xyzw, %1\n  return\n}\n";
    static const char array[] =
        HEADER "texture t0: 2d<f32> array\nsampler s0\nfn main {\n  %0: vec3<f32> = input 0.xyz\n"
               "  %1: vec4<f32> = sample.lod t0, s0, %0, 0.0\n  output 0.xyzw, %1\n  return\n}\n";
    iri_sampler s = {.min_filter = IRI_FILTER_LINEAR, .mag_filter = IRI_FILTER_LINEAR};
    float in[4][4] = {{0.5f, 0.5f, 0.5f},
                      {0.25f, 0.25f, 0.25f},
                      {0.25f, 0.25f, 1.5f},
                      {0.25f, 0.25f, 9}},
          out[4][4];
    for (int i = 0; i < 24; i++)
        texels[i * 4] = (float)i;
    iri_exec_texture t = {IRI_DIMENSION_3D, 2, 2, 2, 1, 1, texels};
    REQUIRE(look_up(volume, &t, &s, 2, in, out, NULL));
    CHECK(out[0][0] == 3.5f && out[1][0] == 0);
    t = (iri_exec_texture){IRI_DIMENSION_2D, 2, 2, 1, 3, 1, texels};
    REQUIRE(look_up(array, &t, &s, 4, in, out, NULL));
    CHECK(out[1][0] == 0 && out[2][0] == 8 &&
          out[3][0] == 8); /* a half to the even layer; the last one */
}

static bool answer(void *user, const iri_exec_lookup *lookup, uint32_t result[4])
{
    (*(uint32_t *)user)++;
    for (int k = 0; k < 4; k++)
        result[k] = exec_bits(lookup->coordinates[0] + (float)k);
    return lookup->invocation != 1;
}

TEST(exec_sample_bound)
{
    float in[2][4] = {{5}, {6}}, out[2][4];
    uint32_t asked = 0;
    iri_exec_backend backend = {answer, &asked};
    REQUIRE(look_up(lod_2d, NULL, NULL, 2, in, out, &backend));
    CHECK_EQ_U32(asked, 2);
    CHECK(out[0][0] == 5 && out[0][3] == 8);
    CHECK(out[1][0] == 0 && out[1][3] == 0); /* nothing is bound */
    iri_exec_texture wrong = {IRI_DIMENSION_2D, 0, 4, 1, 1, 1, small},
                     large = {IRI_DIMENSION_3D, 32768, 32768, 2048, 1, 1, small};
    CHECK_EQ_U64(iri_exec_texture_words(&wrong), 0);
    CHECK_EQ_U64(iri_exec_texture_words(&large), 0);
    REQUIRE(look_up(lod_2d, &wrong, NULL, 2, in, out, NULL));
    float texel[8];
    iri_exec_from_rgba8((const uint8_t[]){255, 0, 51, 128, 255, 0, 0, 255}, 2, true, texel);
    CHECK(texel[0] == 1 && texel[1] == 0 && fabsf(texel[2] - 0.0331048f) < 1e-6f &&
          texel[3] == 128.0f / 255.0f);
}
