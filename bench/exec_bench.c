/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Million invocations a second of the executor on one thread, the process pinned to one core: a pixel shader of about 60
 * arithmetic instructions and one of four texture lookups. Beside them the same table of operations run one lane
 * at a time (single.c), and a Vulkan driver, by default SwiftShader, drawing the same (draw.c), where this was built with
 * Vulkan. Best of several rounds, in the process' own time; the driver's best of that, of its fence and of its
 * timestamps. Fails where results differ.
 * Usage: exec_bench [--rounds N] [--size PIXELS]
 */
#define _GNU_SOURCE
#include <iridia/iridia.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "single.h"
#include "draw.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define HEADER \
    "iridia-ir 1\nprogram pixel entry main\n" \
    "input TEXCOORD0: vec4<f32> linear\ninput TEXCOORD1: vec4<f32> linear\noutput SV_Target0: vec4<f32> sv target\n"

/* Diffuse and specular light of two lamps and a fog: what an SM3 material does. */
static const char alu[] = HEADER "cbuffer cb0 size 256\n"
                                 "fn main {\n"
                                 "  %0: vec3<f32> = input 0.xyz\n"
                                 "  %1: vec3<f32> = input 1.xyz\n"
                                 "  %2: f32 = dot.zero %0, %0\n"
                                 "  %3: f32 = rsq.max %2\n"
                                 "  %4: vec3<f32> = splat %3\n"
                                 "  %5: vec3<f32> = mul.zero %0, %4\n"
                                 "  %6: vec3<f32> = load.cb cb0, 0u\n"
                                 "  %7: vec3<f32> = sub %6, %1\n"
                                 "  %8: f32 = dot.zero %7, %7\n"
                                 "  %9: f32 = rsq.max %8\n"
                                 "  %10: vec3<f32> = splat %9\n"
                                 "  %11: vec3<f32> = mul.zero %7, %10\n"
                                 "  %12: f32 = dot.zero %5, %11\n"
                                 "  %13: f32 = saturate.zero %12\n"
                                 "  %14: vec3<f32> = load.cb cb0, 16u\n"
                                 "  %15: vec3<f32> = splat %13\n"
                                 "  %16: vec3<f32> = mul.zero %14, %15\n"
                                 "  %17: vec3<f32> = load.cb cb0, 32u\n"
                                 "  %18: vec3<f32> = sub %17, %1\n"
                                 "  %19: f32 = dot.zero %18, %18\n"
                                 "  %20: f32 = rsq.max %19\n"
                                 "  %21: vec3<f32> = splat %20\n"
                                 "  %22: vec3<f32> = mul.zero %18, %21\n"
                                 "  %23: f32 = dot.zero %5, %22\n"
                                 "  %24: f32 = saturate.zero %23\n"
                                 "  %25: vec3<f32> = load.cb cb0, 48u\n"
                                 "  %26: vec3<f32> = splat %24\n"
                                 "  %27: vec3<f32> = mul.zero %25, %26\n"
                                 "  %28: vec3<f32> = add %16, %27\n"
                                 "  %29: vec3<f32> = load.cb cb0, 64u\n"
                                 "  %30: vec3<f32> = sub %29, %1\n"
                                 "  %31: f32 = dot.zero %30, %30\n"
                                 "  %32: f32 = rsq.max %31\n"
                                 "  %33: vec3<f32> = splat %32\n"
                                 "  %34: vec3<f32> = mul.zero %30, %33\n"
                                 "  %35: vec3<f32> = add %34, %11\n"
                                 "  %36: f32 = dot.zero %35, %35\n"
                                 "  %37: f32 = rsq.max %36\n"
                                 "  %38: vec3<f32> = splat %37\n"
                                 "  %39: vec3<f32> = mul.zero %35, %38\n"
                                 "  %40: f32 = dot.zero %39, %5\n"
                                 "  %41: f32 = max.ge %40, 0.0\n"
                                 "  %42: f32 = mul.zero %41, %41\n"
                                 "  %43: f32 = mul.zero %42, %42\n"
                                 "  %44: f32 = mul.zero %43, %43\n"
                                 "  %45: f32 = mul.zero %44, %44\n"
                                 "  %46: vec3<f32> = load.cb cb0, 80u\n"
                                 "  %47: vec3<f32> = splat %45\n"
                                 "  %48: vec3<f32> = mul.zero %46, %47\n"
                                 "  %49: vec3<f32> = add %28, %48\n"
                                 "  %50: vec3<f32> = load.cb cb0, 96u\n"
                                 "  %51: vec3<f32> = add %49, %50\n"
                                 "  %52: f32 = rcp.max %32\n"
                                 "  %53: f32 = load.cb cb0, 112u\n"
                                 "  %54: f32 = load.cb cb0, 116u\n"
                                 "  %55: f32 = sub %52, %53\n"
                                 "  %56: f32 = mul.zero %55, %54\n"
                                 "  %57: f32 = saturate.zero %56\n"
                                 "  %58: f32 = sub 1.0, %57\n"
                                 "  %59: f32 = mul.zero %57, %57\n"
                                 "  %60: vec3<f32> = load.cb cb0, 128u\n"
                                 "  %61: vec3<f32> = sub %60, %51\n"
                                 "  %62: vec3<f32> = splat %59\n"
                                 "  %63: vec3<f32> = mul.zero %61, %62\n"
                                 "  %64: vec3<f32> = add %63, %51\n"
                                 "  %65: vec3<bool> = ge %64, splat3(0.0)\n"
                                 "  %66: vec3<f32> = select %65, %64, splat3(0.0)\n"
                                 "  %67: vec3<f32> = min.lt %66, splat3(1.0)\n"
                                 "  %68: vec4<f32> = compose %67, %58\n"
                                 "  output 0.xyzw, %68\n"
                                 "  return\n}\n";

static const char textures[] =
    HEADER "texture t0: 2d<f32>\ntexture t1: 2d<f32>\ntexture t2: 2d<f32>\ntexture t3: 2d<f32>\n"
           "sampler s0\nsampler s1\nsampler s2\nsampler s3\n"
           "fn main {\n"
           "  %0: vec2<f32> = input 0.xy\n"
           "  %1: vec2<f32> = input 1.xy\n"
           "  %2: vec4<f32> = sample t0, s0, %0\n"
           "  %3: vec4<f32> = sample t1, s1, %0\n"
           "  %4: vec4<f32> = sample t2, s2, %1\n"
           "  %5: vec4<f32> = sample t3, s3, %1\n"
           "  %6: vec4<f32> = mul.zero %2, %3\n"
           "  %7: vec4<f32> = mul.zero %4, %5\n"
           "  %8: vec4<f32> = add %6, %7\n"
           "  output 0.xyzw, %8\n"
           "  return\n}\n";

/* ---- measuring ---- */

typedef struct bench {
    uint32_t size, count, rounds; /* pixels a side, in all */
    float *inputs[2], *output, *check, *picture;
    float constants[64];
    float *texels;
    iri_exec_texture texture;
    iri_sampler sampler;
    bool draws, differs;
} bench;

/* What is interpolated: a texel a pixel for the first, 1.6 for the second, which needs a smaller level. Never at a
 * texel's edge, where rounding would choose. */
static const draw_plane varyings[2][4] = {
    {{1 / 256.0f, 0, 0.3f / 256},
     {0, 1 / 256.0f, 0.6f / 256},
     {1 / 256.0f, 0, 0.9f / 256},
     {1 / 256.0f, 0, 1.2f / 256}},
    {{0, 1.6f / 256, 0.1f / 256},
     {1.6f / 256, 0, 0.1f / 256},
     {0, 0.7f / 256, 1.5f / 256},
     {0, 0.7f / 256, 1.5f / 256}},
};

static iri_program *parse(const char *text)
{
    iri_program *p;
    iri_refusal why;
    if (iri_parse_text(text, strlen(text), NULL, &p, &why) != IRI_OK ||
        iri_validate(p, IRI_CAN_ALL, NULL, &why) != IRI_OK) {
        fprintf(stderr, "line %u: %s\n", (unsigned)why.line, why.reason);
        exit(1);
    }
    return p;
}

/* Million invocations a second. */
static double run_wide(bench *b, const iri_program *p, const iri_exec_options *options,
                       iri_exec_stats *stats)
{
    iri_exec *e;
    iri_refusal why;
    double best = 1e30;
    if (iri_exec_compile(p, options, &e, &why) != IRI_OK)
        exit(1);
    iri_exec_array in[2] = {{b->inputs[0], 16, 0}, {b->inputs[1], 16, 0}}, out = {b->output, 16, 0};
    iri_exec_resource bound[8];
    for (int i = 0; i < 8; i++)
        bound[i] =
            (iri_exec_resource){b->constants, sizeof b->constants, &b->texture, &b->sampler, 0};
    iri_exec_batch batch = {
        .count = b->count, .inputs = in, .outputs = &out, .resources = bound, .resource_count = 8};
    for (uint32_t i = 0; i < b->rounds; i++) {
        double start = now();
        if (iri_exec_run(e, &batch, &why) != IRI_OK)
            exit(1);
        double took = now() - start;
        best = took < best ? took : best;
    }
    iri_exec_get_stats(e, stats);
    iri_exec_free(e);
    return b->count / best / 1e6;
}

static double run_single(bench *b, const iri_program *p)
{
    uint32_t few = b->count / 16;
    double best = 1e30;
    for (uint32_t i = 0; i < b->rounds / 4 + 1; i++) {
        double start = now();
        single_run(p, few, b->inputs, b->constants, b->check);
        double took = now() - start;
        best = took < best ? took : best;
    }
    if (memcmp(b->check, b->output, (size_t)few * 16) != 0) {
        printf("the executor and the plain interpreter disagree\n");
        b->differs = true;
    }
    return few / best / 1e6;
}

/* Where pixel i of the batch lies, whose order is quads. */
static void place(const bench *b, uint32_t i, uint32_t *x, uint32_t *y)
{
    uint32_t quad = i / 4, across = b->size / 2;
    *x = quad % across * 2 + (i & 1u);
    *y = quad / across * 2 + (i >> 1 & 1u);
}

#ifdef IRI_BENCH_VULKAN
/* The largest difference between the picture and the executor's output. */
static float largest_difference(const bench *b)
{
    float largest = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t x, y;
        place(b, i, &x, &y);
        for (uint32_t k = 0; k < 4; k++) {
            float d = fabsf(b->picture[(y * b->size + x) * 4 + k] - b->output[i * 4 + k]);
            largest = d > largest || d != d ? d : largest;
        }
    }
    return largest;
}

static void print_draw(bench *b, const char *name, const iri_program *p, double wide)
{
    draw_scene scene = {.pixel = p,
                        .width = b->size,
                        .height = b->size,
                        .rounds = b->rounds,
                        .varyings = varyings,
                        .constants = b->constants,
                        .constant_size = sizeof b->constants,
                        .texture = &b->texture,
                        .sampler = &b->sampler};
    for (int bytes = 0; b->draws && bytes < 2; bytes++) {
        scene.bytes = bytes;
        draw_times t = draw_measure(&scene, b->picture);
        double least = t.cpu < t.wall ? t.cpu : t.wall;
        least = t.timestamps > 0 && t.timestamps < least ? t.timestamps : least;
        double drawn = b->count / least / 1e6;
        printf(
            "%s: driver, %s: %.2f M/s (busy %.3f ms, fence %.3f ms, timestamps %.3f ms); exec at %.2f of it",
            name, bytes ? "rgba8" : "rgba32f", drawn, t.cpu * 1e3, t.wall * 1e3, t.timestamps * 1e3,
            wide / drawn);
        if (!bytes) {
            float d = largest_difference(b);
            printf("; pictures differ by %.2g", d);
            b->differs |= !(d < 0.02f);
        }
        printf("\n");
    }
}
#else
static void print_draw(bench *b, const char *name, const iri_program *p, double wide)
{
    (void)b, (void)name, (void)p, (void)wide;
}
#endif

static void compare_alu(bench *b)
{
    iri_program *p = parse(alu);
    iri_exec_stats stats;
    double wide = run_wide(b, p, NULL, &stats), single = run_single(b, p);
    printf(
        "alu: %u instructions, %u columns, width %u, %s: %.2f M/s; one lane at a time %.3f M/s; %.1f times\n",
        (unsigned)iri_program_inst_count(p), (unsigned)stats.columns, (unsigned)stats.width,
        stats.lanes, wide, single, wide / single);
    print_draw(b, "alu", p, wide);
    double portable = run_wide(b, p, IRI_EXEC_OPTIONS(.portable = true), &stats);
    printf("alu: %s: %.2f M/s; %.1f times\n", stats.lanes, portable, portable / single);
    for (uint32_t width = 64; width <= 1024; width *= 2)
        printf("alu: width %u: %.2f M/s\n", (unsigned)width,
               run_wide(b, p, IRI_EXEC_OPTIONS(.width = width), &stats));
    iri_program_free(p);
}

static void measure_textures(bench *b, const char *name)
{
    iri_program *p = parse(textures);
    iri_exec_stats stats;
    double wide = run_wide(b, p, NULL, &stats);
    printf("%s: %s: %.2f M/s\n", name, stats.lanes, wide);
    print_draw(b, name, p, wide);
    iri_program_free(p);
}

static void make_inputs(bench *b)
{
    for (int i = 0; i < 2; i++)
        b->inputs[i] = malloc((size_t)b->count * 16);
    b->output = malloc((size_t)b->count * 16);
    b->check = malloc((size_t)b->count * 16);
    b->picture = malloc((size_t)b->count * 16);
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t x, y;
        place(b, i, &x, &y);
        for (uint32_t k = 0; k < 8; k++) {
            const float *plane = varyings[k / 4][k % 4];
            b->inputs[k / 4][i * 4 + k % 4] = (float)x * plane[0] + (float)y * plane[1] + plane[2];
        }
    }
    for (int i = 0; i < 64; i++)
        b->constants[i] = 0.37f * (float)(i % 11) - 0.8f;
    b->texture = (iri_exec_texture){IRI_DIMENSION_2D, 256, 256, 1, 1, 9, NULL};
    b->texels = malloc(iri_exec_texture_words(&b->texture) * 4);
    for (uint32_t i = 0; i < 256 * 256 * 4; i++)
        b->texels[i] = (float)(i * 2654435761u >> 24) / 255.0f;
    b->texture.texels = b->texels;
    iri_exec_make_mips(&b->texture, b->texels);
}

/* One core for all threads, the driver's too. */
static void pin(void)
{
#ifdef __linux__
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        printf("not pinned to one core\n");
#endif
}

static void open_driver(bench *b)
{
#ifdef IRI_BENCH_VULKAN
    static const char swiftshader[] = "/usr/lib/chromium/vk_swiftshader_icd.json";
    char name[256];
    const char *why;
    setenv("VK_DRIVER_FILES", swiftshader, 0);
    b->draws = draw_open(name, &why);
    if (b->draws)
        printf("driver: %s\n", name);
    else
        printf("driver: skipped: %s\n", why);
#else
    printf("driver: skipped: built without Vulkan\n");
    (void)b;
#endif
}

int main(int argc, char **argv)
{
    bench b = {.size = 256, .rounds = 20};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--rounds") == 0)
            b.rounds = (uint32_t)atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--size") == 0)
            b.size = (uint32_t)atoi(argv[i + 1]) & ~1u;
    }
    b.count = b.size * b.size;
    pin();
    make_inputs(&b);
    open_driver(&b);
    compare_alu(&b);
    measure_textures(&b, "textures, point");
    b.sampler.min_filter = b.sampler.mag_filter = IRI_FILTER_LINEAR;
    measure_textures(&b, "textures, bilinear");
    b.sampler.mip_filter = IRI_MIP_LINEAR;
    measure_textures(&b, "textures, trilinear");
#ifdef IRI_BENCH_VULKAN
    if (b.draws)
        draw_close();
#endif
    free(b.inputs[0]), free(b.inputs[1]), free(b.output), free(b.check), free(b.picture),
        free(b.texels);
    return b.differs;
}
