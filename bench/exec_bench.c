/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Million invocations a second of the executor on one thread: a pixel shader of about 60 arithmetic
 * instructions and one of four texture lookups; the former beside the same table of operations run one lane
 * at a time: ops.def's expressions behind a switch, compiled with the same flags, which is what a plain
 * interpreter does. Best of several rounds, in the process' own time.
 * Usage: exec_bench [--rounds N] [--count N]
 */
#define _POSIX_C_SOURCE 199309L
#include <float.h>
#include <iridia/iridia.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* ---- one lane at a time ---- */

typedef union cell {
    uint32_t u;
    float f;
} cell;

static float rsqf(float x)
{
    return (float)(1 / sqrt((double)x));
}

#define IS_NAN(x) ((x) != (x))
#define FINITE(x) (fabsf(x) <= FLT_MAX)
#define MUL_ZERO(x, y) (((x) == 0 && !FINITE(y)) || ((y) == 0 && !FINITE(x)) ? 0 : (x) * (y))
#define NEG(x) (-(x))
#define ABS(x) fabsf(x)
#define LANE_MAX FLT_MAX
#define FN(name) name##f
#define NONE 0
#define FTOI_SAT(x) 0
#define CONVERT(x) 0
#define W(x, op, y) 0
#define BITS(x, op, y) 0
#define SHIFT(y) 0
#define SHL(x, n) 0
#define SHR(x, n) 0
#define NOT(x) 0
#define iri_exp2f(x) exp2f(x)
#define iri_log2f(x) log2f(x)
#define iri_powf(x, y) powf(x, y)
#define iri_sinf(x) sinf(x)
#define iri_cosf(x) cosf(x)

/* One lane of an f32 operation; truth is 0 or 1. */
static cell lane(uint32_t op, cell x, cell y, cell z)
{
    const float a = x.f, b = y.f, c = z.f;
    cell out = {0};
    (void)c;
    if (op == IRI_OP_SELECT)
        return x.u ? y : z;
    switch (op) {
#define IRI_OP(id, name, type_class, results, operands, immediates, properties, expression) \
    case IRI_OP_##id: \
        if (results[0] == 'B') \
            out.u = (expression) != 0; \
        else \
            out.f = expression; \
        if (results[0] != 'B' && out.f != out.f) \
            out.u = 0x7fc00000u; \
        return out;
#include <iridia/ops.def>
#undef IRI_OP
    default: return out;
    }
}

static void run_inst(const iri_program *p, const iri_inst *op, uint32_t i, float *const in[2],
                     const float *constants, float *out, cell (*values)[4])
{
    const uint32_t *operands = iri_program_words(p, op), *imm = operands + op->operand_count;
    cell *to = values[op->results], zero = {0};
    uint32_t lanes = op->result_count ? IRI_TYPE_LANES(iri_program_value(p, op->results)->type) : 0;
    switch (op->op) {
    case IRI_OP_INPUT:
        for (uint32_t k = 0; k < lanes; k++)
            to[k].f = in[imm[0]][i * 4 + IRI_LANES_AT(imm[1], k)];
        break;
    case IRI_OP_LOAD_CB:
        for (uint32_t k = 0; k < lanes; k++)
            to[k].f = constants[values[operands[0]][0].u / 4 + k];
        break;
    case IRI_OP_OUTPUT:
        for (uint32_t k = 0; k < 4; k++)
            out[i * 4 + k] = values[operands[0]][k].f;
        break;
    case IRI_OP_RETURN: break;
    case IRI_OP_SPLAT:
        for (uint32_t k = 0; k < lanes; k++)
            to[k] = values[operands[0]][0];
        break;
    case IRI_OP_COMPOSE:
        for (uint32_t part = 0, k = 0; part < op->operand_count; part++)
            for (uint32_t j = 0; j < IRI_TYPE_LANES(iri_program_value(p, operands[part])->type);
                 j++)
                to[k++] = values[operands[part]][j];
        break;
    case IRI_OP_DOT_ZERO:
        to[0] = lane(IRI_OP_MUL_ZERO, values[operands[0]][0], values[operands[1]][0], zero);
        for (uint32_t k = 1; k < IRI_TYPE_LANES(iri_program_value(p, operands[0])->type); k++)
            to[0] = lane(
                IRI_OP_ADD, to[0],
                lane(IRI_OP_MUL_ZERO, values[operands[0]][k], values[operands[1]][k], zero), zero);
        break;
    default:
        for (uint32_t k = 0; k < lanes; k++)
            to[k] = lane(op->op, values[operands[0]][k],
                         op->operand_count > 1 ? values[operands[1]][k] : zero,
                         op->operand_count > 2 ? values[operands[2]][k] : zero);
    }
}

/* A straight program, instruction by instruction for each invocation. */
static void run_single(const iri_program *p, uint32_t count, float *const in[2],
                       const float *constants, float *out, cell (*values)[4])
{
    iri_id body = iri_program_function(p, iri_program_entry(p))->body, id;
    for (uint32_t v = 1; v <= iri_program_value_count(p); v++)
        for (uint32_t k = 0;
             iri_program_constant(p, v) && k < IRI_TYPE_LANES(iri_program_value(p, v)->type); k++)
            values[v][k].u = (uint32_t)iri_program_constant(p, v)[k];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; (id = iri_program_region_inst(p, body, k)) != 0; k++)
            run_inst(p, iri_program_inst(p, id), i, in, constants, out, values);
}

/* ---- measuring ---- */

typedef struct bench {
    uint32_t count, rounds;
    float *inputs[2], *output, *check;
    float constants[64];
    float *texels;
    iri_exec_texture texture;
    iri_exec_sampler sampler;
} bench;

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

static void compare_alu(bench *b)
{
    iri_program *p = parse(alu);
    iri_exec_stats stats;
    static cell values[256][4];
    uint32_t few = b->count / 16;
    double best = 1e30;
    double wide = run_wide(b, p, NULL, &stats);
    for (uint32_t i = 0; i < b->rounds / 4 + 1; i++) {
        double start = now();
        run_single(p, few, b->inputs, b->constants, b->check, values);
        double took = now() - start;
        best = took < best ? took : best;
    }
    double single = few / best / 1e6;
    printf(
        "alu: %u instructions, %u columns, width %u, %s: %.2f M/s; one lane at a time %.3f M/s; %.1f times\n",
        (unsigned)iri_program_inst_count(p), (unsigned)stats.columns, (unsigned)stats.width,
        stats.lanes, wide, single, wide / single);
    if (memcmp(b->check, b->output, (size_t)few * 16) != 0)
        printf("alu: the two disagree\n");
    double portable = run_wide(b, p, IRI_EXEC_OPTIONS(.portable = true), &stats);
    printf("alu: %s: %.2f M/s; %.1f times\n", stats.lanes, portable, portable / single);
    for (uint32_t width = 64; width <= 1024; width *= 2)
        printf("alu: width %u: %.2f M/s\n", (unsigned)width,
               run_wide(b, p, IRI_EXEC_OPTIONS(.width = width), &stats));
    iri_program_free(p);
}

static void measure_textures(bench *b)
{
    iri_program *p = parse(textures);
    iri_exec_stats stats;
    b->sampler = (iri_exec_sampler){0};
    printf("textures: point: %.2f M/s\n", run_wide(b, p, NULL, &stats));
    b->sampler.min_filter = b->sampler.mag_filter = IRI_FILTER_LINEAR;
    printf("textures: bilinear: %.2f M/s\n", run_wide(b, p, NULL, &stats));
    b->sampler.mip_filter = IRI_MIP_LINEAR;
    printf("textures: trilinear: %.2f M/s\n", run_wide(b, p, NULL, &stats));
    iri_program_free(p);
}

int main(int argc, char **argv)
{
    bench b = {.count = 1 << 16, .rounds = 20};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--rounds") == 0)
            b.rounds = (uint32_t)atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--count") == 0)
            b.count = (uint32_t)atoi(argv[i + 1]);
    }
    for (int i = 0; i < 2; i++)
        b.inputs[i] = malloc((size_t)b.count * 16);
    b.output = malloc((size_t)b.count * 16);
    b.check = malloc((size_t)b.count * 16);
    for (uint32_t i = 0; i < b.count * 4; i++) {
        /* Quads of a 256-pixel row, about a texel a pixel. */
        uint32_t quad = i / 16, x = quad % 128 * 2 + (i / 4 & 1), y = quad / 128 * 2 + (i / 8 & 1);
        b.inputs[0][i] = ((float)(i % 4 == 1 ? y : x) + 0.3f * (float)(i % 4)) / 256.0f;
        b.inputs[1][i] = ((float)(i % 4 == 1 ? x : y) * 0.7f + 1.5f) / 256.0f;
    }
    for (int i = 0; i < 64; i++)
        b.constants[i] = 0.37f * (float)(i % 11) - 0.8f;
    b.texture = (iri_exec_texture){IRI_DIMENSION_2D, 256, 256, 1, 1, 9, NULL};
    b.texels = malloc(iri_exec_texture_words(&b.texture) * 4);
    for (uint32_t i = 0; i < 256 * 256 * 4; i++)
        b.texels[i] = (float)(i * 2654435761u >> 24) / 255.0f;
    b.texture.texels = b.texels;
    iri_exec_make_mips(&b.texture, b.texels);
    compare_alu(&b);
    measure_textures(&b);
    free(b.inputs[0]), free(b.inputs[1]), free(b.output), free(b.check), free(b.texels);
    return 0;
}
