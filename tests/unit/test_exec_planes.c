/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lookups of many invocations at once against the same ones by one: random textures, samplers and coordinates, each
 * set of kernels, to the bit. A backend that answers nothing has every lookup made by itself.
 */
#include "exec/exec.h"
#include "tests/unit/test_exec.h"

enum { INVOCATIONS = 203, TEXELS = 40000 };

#define PROGRAM(type, coordinates, operation) \
    "iridia-ir 1\nprogram pixel entry main\n" \
    "input TEXCOORD0: vec4<f32> linear\ninput TEXCOORD1: vec4<f32> linear\noutput SV_Target0: vec4<f32> sv target\n" \
    "texture t0: " type "\nsampler s0\nfn main {\n" \
    "  %0: vec4<f32> = input 0.xyzw\n  %1: vec4<f32> = input 1.xyzw\n" \
    "  %2: " coordinates "\n  %3: f32 = swizzle %0.w\n" \
    "  %4: vec2<f32> = swizzle %1.xy\n  %5: vec2<f32> = swizzle %1.zw\n" \
    "  %6: vec4<f32> = " operation "\n  output 0.xyzw, %6\n  return\n}\n"
#define FLAT(operation) PROGRAM("2d<f32>", "vec2<f32> = swizzle %0.xy", operation)
#define ARRAY(operation) PROGRAM("2d<f32> array", "vec3<f32> = swizzle %0.xyz", operation)

static const char *const programs[] = {
    FLAT("sample t0, s0, %2"),
    FLAT("sample t0, s0, %2, offset(-3, 5, 0)"),
    FLAT("sample.bias t0, s0, %2, %3"),
    FLAT("sample.lod t0, s0, %2, %3"),
    FLAT("sample.grad t0, s0, %2, %4, %5"),
    ARRAY("sample t0, s0, %2"),
    ARRAY("sample.lod t0, s0, %2, %3"),
};

static float texels[TEXELS];
static float inputs[2][INVOCATIONS][4], outputs[2][INVOCATIONS][4];

static uint32_t below(uint32_t count)
{
    return (uint32_t)(iri_test_random() >> 20) % count;
}

static bool answer_nothing(void *user, const iri_exec_lookup *lookup, uint32_t result[4])
{
    (void)user, (void)lookup, (void)result;
    return false;
}

static float some_coordinate(void)
{
    switch (below(16)) {
    case 0: return iri_bits_f32(exec_some_float());
    case 1: return (float)((int)below(9) - 4) / 4;
    default: return (float)((int)below(4096) - 1500) / 1024;
    }
}

static void fill_inputs(void)
{
    /* Coordinates that grow steadily, as a triangle has them, or anything. */
    bool steady = below(2);
    float step = (float)below(64) / 512;
    for (uint32_t i = 0; i < INVOCATIONS; i++)
        for (uint32_t k = 0; k < 4; k++) {
            inputs[0][i][k] =
                steady ? (float)(i / 4 * 2 + (i >> (k & 1) & 1)) * step : some_coordinate();
            inputs[1][i][k] = some_coordinate() / 64;
        }
    for (uint32_t i = 0; i < INVOCATIONS; i++) {
        inputs[0][i][2] = (float)below(9) / 2 - 1;
        inputs[0][i][3] = some_coordinate() * 3;
    }
}

static void fill_texture(iri_exec_texture *t, bool arrayed)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 7, 8, 16, 31, 32};
    *t = (iri_exec_texture){IRI_DIMENSION_2D, sizes[below(9)], sizes[below(9)], 1, 1, 1, texels};
    t->layers = arrayed ? 1 + below(4) : 1;
    t->levels = 1 + below(6);
    for (uint32_t i = 0; i < TEXELS; i++)
        texels[i] = below(50) ? (float)below(1000) / 8 : iri_bits_f32(exec_some_float());
}

static iri_sampler some_sampler(void)
{
    iri_sampler s = {.min_filter = (uint8_t)below(2),
                     .mag_filter = (uint8_t)below(2),
                     .mip_filter = (uint8_t)below(3),
                     .address = {(uint8_t)below(5), (uint8_t)below(5), 0},
                     .limit_lod = below(2),
                     .border = {1, 2, -3, 0.5f}};
    s.lod_bias = below(3) ? 0 : some_coordinate();
    s.max_lod = (float)below(5);
    s.min_lod = below(3) ? 0 : (float)below(3) / 2;
    return s;
}

static bool run(iri_exec *e, const iri_exec_resource bound[2], const iri_exec_backend *backend,
                bool quads, float (*out)[4])
{
    iri_exec_array in[2] = {{inputs[0], 16, 0}, {inputs[1], 16, 0}}, to = {out, 16, 0};
    iri_exec_batch batch = {.count = INVOCATIONS,
                            .inputs = in,
                            .outputs = &to,
                            .resources = bound,
                            .resource_count = 2,
                            .backend = backend,
                            .no_quads = !quads};
    return CHECK(iri_exec_run(e, &batch, NULL) == IRI_OK);
}

static void compare(iri_exec *e, const char *text)
{
    const iri_kernels *sets[] = {iri_kernels_baseline(), iri_kernels_avx2(), iri_kernels_avx512()};
    const iri_exec_backend nothing = {.sample = answer_nothing};
    iri_exec_texture texture;
    iri_sampler sampler = some_sampler();
    iri_exec_resource bound[2] = {{.texture = &texture}, {.sampler = &sampler}};
    bool quads = below(8);
    fill_texture(&texture, strstr(text, "array") != NULL);
    fill_inputs();
    if (!run(e, bound, &nothing, quads, outputs[0]))
        return;
    for (uint32_t k = 0; k < 3; k++) {
        if (!sets[k])
            continue;
        e->kernels = sets[k];
        if (!run(e, bound, NULL, quads, outputs[1]))
            return;
        for (uint32_t i = 0; i < INVOCATIONS; i++)
            if (memcmp(outputs[0][i], outputs[1][i], 16) != 0) {
                FAIL(
                    "%s, %s, %u x %u, %u levels, address %u %u, filters %u %u %u, %u at (%g, %g): %g, not %g",
                    strstr(text, "sample"), sets[k]->name, (unsigned)texture.width,
                    (unsigned)texture.height, (unsigned)texture.levels, sampler.address[0],
                    sampler.address[1], sampler.min_filter, sampler.mag_filter, sampler.mip_filter,
                    (unsigned)i, (double)inputs[0][i][0], (double)inputs[0][i][1],
                    (double)outputs[1][i][0], (double)outputs[0][i][0]);
                return;
            }
    }
}

TEST(exec_sample_planes)
{
    for (uint32_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        iri_program *p = exec_parse(programs[i]);
        iri_exec *e =
            exec_compile(p, IRI_EXEC_OPTIONS(.width = 64, .fine_derivatives = i % 2 == 1));
        for (uint32_t round = 0; e && round < 150; round++)
            compare(e, programs[i]);
        iri_exec_free(e);
        iri_program_free(p);
    }
}
