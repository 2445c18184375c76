/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every operation on every type it takes, alone in a program, as WGSL. With IRI_WGSL_OUT set to a folder the
 * modules are left there, for tests/cli/wgsl-ops to have them validated.
 */
#include "tests/unit/generate.h"
#include "tests/unit/test.h"

#include <iridia/text.h>
#include <iridia/write.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 4096 };

typedef struct source {
    char text[TEXT_SIZE];
    size_t size;
    uint32_t values;
} source;

static void put(source *s, const char *format, ...) IRI_PRINTF(2, 3);
static void put(source *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(s->text + s->size, TEXT_SIZE - s->size, format, arguments);
    va_end(arguments);
    if (size > 0)
        s->size += (size_t)size;
}

/* Defines a value of a type that nothing folds; returns its number. */
static uint32_t put_operand(source *s, iri_type type, uint32_t which)
{
    static const char *const lanes[3][4] = {
        {"x", "xy", "xyz", "xyzw"}, {"y", "zw", "yzw", "wzyx"}, {"z", "yx", "zwx", "yxwz"}};
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    uint32_t count = IRI_TYPE_LANES(type), input = scalar == IRI_I32   ? 1
                                                   : scalar == IRI_U32 ? 2
                                                                       : 0;
    bool truth = scalar == IRI_BOOL;
    iri_type read = truth ? IRI_TYPE(IRI_F32, count) : type;
    put(s, "%%%u: %s = input %u.%s\n", s->values, iri_type_name(read), input,
        lanes[which][count - 1]);
    if (!truth)
        return s->values++;
    s->values++;
    put(s, "%%%u: %s = lt %%%u, ", s->values, iri_type_name(type), s->values - 1);
    put(s, count > 1 ? "splat%u(0.5)\n" : "0.5\n", count);
    return s->values++;
}

/* Makes four floats of the last value, so that it counts. */
static void put_result(source *s, iri_type type)
{
    uint32_t count = IRI_TYPE_LANES(type), value = s->values - 1;
    iri_type as_float = IRI_TYPE(IRI_F32, count);
    if (IRI_TYPE_SCALAR(type) == IRI_BOOL) {
        put(s,
            count > 1 ? "%%%u: %s = select %%%u, splat%u(1.0), splat%u(0.0)\n"
                      : "%%%u: %s = select %%%u, 1.0, 0.0\n",
            s->values, iri_type_name(as_float), value, count, count);
        value = s->values++;
    } else if (IRI_TYPE_SCALAR(type) != IRI_F32) {
        put(s, "%%%u: %s = itof %%%u\n", s->values, iri_type_name(as_float), value);
        value = s->values++;
    }
    if (count == 1)
        put(s, "%%%u: vec4<f32> = splat %%%u\n", s->values, value), value = s->values++;
    else if (count < 4)
        put(s, "%%%u: vec4<f32> = compose %%%u%s\n", s->values, value,
            count == 2 ? ", 0.0, 1.0" : ", 1.0"),
            value = s->values++;
    put(s, "output 0.xyzw, %%%u\nreturn\n}\n", value);
}

static bool takes(char type_class, iri_scalar s)
{
    switch (type_class) {
    case 'F':
    case 'H': return s == IRI_F32;
    case 'I': return s == IRI_I32 || s == IRI_U32;
    case 'N': return s != IRI_BOOL;
    case 'L': return s != IRI_F32;
    case 'B': return s == IRI_BOOL;
    case 'A': return true;
    default: return false;
    }
}

static iri_type letter_type(char letter, iri_type type, iri_scalar given)
{
    switch (letter) {
    case 'S': return IRI_TYPE(IRI_TYPE_SCALAR(type), 1);
    case 'B':
    case 'C': return IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(type));
    case 'b': return IRI_TYPE_BOOL;
    case 'F':
    case 'I':
    case 'N': return IRI_TYPE(given, IRI_TYPE_LANES(type));
    default: return type;
    }
}

/* Writes a program, and leaves the module in the folder that the environment names. */
static bool write_program(const iri_program *program, const char *name)
{
    const char *folder = getenv("IRI_WGSL_OUT");
    iri_refusal why;
    iri_text out;
    char line[512];
    if (iri_write_wgsl(program, NULL, &out, NULL, &why) != IRI_OK) {
        iri_refusal_line(&why, name, line, sizeof line);
        FAIL("%s", line);
        return false;
    }
    CHECK(strstr(out.data, "fn main(") != NULL);
    if (folder) {
        snprintf(line, sizeof line, "%s/%s.wgsl", folder, name);
        FILE *file = fopen(line, "wb");
        if (CHECK(file != NULL)) {
            CHECK(fwrite(out.data, 1, out.size, file) == out.size);
            fclose(file);
        }
    }
    iri_text_free(&out);
    return true;
}

static void check_program(const source *s, const char *name)
{
    iri_program *program;
    iri_refusal why;
    char line[512];
    if (iri_parse_text(s->text, s->size, NULL, &program, &why) != IRI_OK) {
        iri_refusal_line(&why, name, line, sizeof line);
        FAIL("%s\n%s", line, s->text);
        return;
    }
    if (!write_program(program, name))
        FAIL("%s", s->text);
    iri_program_free(program);
}

static void check_operation(iri_op op, iri_type type, iri_scalar given)
{
    const iri_op_info *info = iri_op_get_info(op);
    source s = {.size = 0};
    uint32_t operands[3], count = 0;
    char name[64];
    put(&s, "program pixel entry main\ninput TEXCOORD0: vec4<f32> @v0 linear\n"
            "input TEXCOORD1: vec4<i32> @v1 flat\ninput TEXCOORD2: vec4<u32> @v2 flat\n"
            "output SV_Target0: vec4<f32> @oC0 sv target\nfn main {\n");
    for (const char *c = info->operands; *c && count < 3; c++, count++)
        operands[count] = put_operand(&s, letter_type(*c, type, given), count);
    iri_type result = letter_type(info->results[0], type, given);
    put(&s, "%%%u: %s = %s", s.values++, iri_type_name(result), info->name);
    for (uint32_t i = 0; i < count; i++)
        put(&s, "%s %%%u", i ? "," : "", operands[i]);
    put(&s, "\n");
    put_result(&s, result);
    snprintf(name, sizeof name, "%s_%u_%u_%u", info->name, (unsigned)IRI_TYPE_SCALAR(type),
             (unsigned)IRI_TYPE_LANES(type), (unsigned)given);
    check_program(&s, name);
}

TEST(wgsl_every_operation)
{
    static const iri_scalar scalars[] = {IRI_BOOL, IRI_I32, IRI_U32, IRI_F32};
    uint32_t count = 0;
    for (int op = 1; op < IRI_OP_COUNT; op++) {
        const iri_op_info *info = iri_op_get_info((iri_op)op);
        bool lanes_only =
            strpbrk(info->operands, "V*") || info->immediates[0] || !info->operands[0];
        if (info->type_class == '-' || lanes_only || (info->properties & IRI_PROP_CFG))
            continue;
        for (uint32_t k = 0; k < 16; k++) {
            iri_scalar s = scalars[k / 4];
            iri_type type = IRI_TYPE(s, k % 4 + 1);
            if (!takes(info->type_class, s))
                continue;
            for (uint32_t g = 1; g < 4; g++) {
                char letter = info->results[0];
                bool fits = letter == 'I'   ? scalars[g] != IRI_F32
                            : letter == 'F' ? scalars[g] == IRI_F32 && op != IRI_OP_FTOF
                            : letter == 'N' ? scalars[g] != s
                                            : g == 1;
                if (!fits)
                    continue;
                check_operation((iri_op)op, type, scalars[g]);
                count++;
            }
        }
    }
    if (count < 300)
        FAIL("only %u programs", (unsigned)count);
}

/* ---- random programs ---- */

typedef struct generating {
    iri_arena scratch;
    iri_program *program;
    uint64_t seed;
    uint32_t what;
} generating;

static void generate(iri_ctx *ctx, void *argument)
{
    generating *g = argument;
    g->program = generate_program(ctx, &g->scratch, g->seed, g->what);
}

TEST(wgsl_random)
{
    for (uint32_t i = 0; i < 192; i++) {
        iri_ctx ctx;
        generating g = {.seed = 9000 + i, .what = i % 16};
        char name[32];
        iri_ctx_init(&ctx, NULL, NULL, NULL);
        iri_arena_init(&g.scratch, &ctx);
        snprintf(name, sizeof name, "random_%u", (unsigned)i);
        if (CHECK(iri_protect(&ctx, generate, &g) == IRI_OK))
            write_program(g.program, name);
        iri_program_free(g.program);
        iri_arena_free(&g.scratch);
    }
}

/* ---- memory ---- */

typedef struct counting {
    size_t left; /* allocations that succeed */
    size_t held;
} counting;

static void *count_alloc(void *user, size_t size)
{
    counting *c = user;
    if (c->left == 0)
        return NULL;
    c->left--;
    c->held += size;
    return malloc(size);
}

static void count_free(void *user, void *memory, size_t size)
{
    counting *c = user;
    c->held -= size;
    free(memory);
}

TEST(wgsl_without_memory)
{
    static const char text[] =
        "program pixel entry main\ninput TEXCOORD0: vec4<f32> linear\n"
        "output SV_Target0: vec4<f32> @oC0 sv target\ntexture t0: 2d<f32>\n"
        "sampler s0\ncbuffer cb0 size 64 { 0 \"A\": vec4<f32> }\nfn main {\n"
        "%0: vec4<f32> = input 0.xyzw\n%1: vec2<f32> = swizzle %0.xy\n"
        "%2: vec4<f32> = sample t0, s0, %1\n%3: vec4<f32> = load.cb cb0, 0u\n"
        "%4: vec4<f32> = mul.zero %2, %3\noutput 0.xyzw, %4\nreturn\n}\n";
    iri_program *program;
    iri_refusal why;
    iri_status status = IRI_NO_MEMORY;
    REQUIRE(iri_parse_text(text, strlen(text), NULL, &program, &why) == IRI_OK);
    for (size_t k = 0; status == IRI_NO_MEMORY && k < 100000; k++) {
        counting c = {.left = k};
        iri_allocator allocator = {count_alloc, count_free, &c};
        iri_wgsl_map map;
        iri_text out;
        status =
            iri_write_wgsl(program, IRI_WGSL_OPTIONS(.allocator = &allocator), &out, &map, &why);
        if (status == IRI_OK) {
            iri_text_free(&out);
            iri_wgsl_map_free(&map);
        }
        if (!CHECK(c.held == 0 && (status == IRI_OK || status == IRI_NO_MEMORY)))
            break;
    }
    CHECK(status == IRI_OK);
    iri_program_free(program);
}
