/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The SPIR-V writer: every row of its table with every type, random programs, options, limits. Each module
 * is read by the tests' own reader, and by spirv-val where that is installed.
 */
#define _POSIX_C_SOURCE 200809L /* popen, getpid */
#include "tests/unit/generate.h"
#include "tests/unit/spirv_dis.h"
#include "tests/unit/test_ir.h"
#include "write/spirv/grammar.h"

#include <iridia/spirv.h>
#include <iridia/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const iri_profile profiles[2] = {IRI_PROFILE_VULKAN_1_1, IRI_PROFILE_VULKAN_1_3};
static const char *const environments[2] = {"vulkan1.1", "vulkan1.3"};

/* ---- validating ---- */

static bool has_validator(void)
{
    static int known = -1;
    if (known < 0)
        known = system("spirv-val --version >/dev/null 2>&1") == 0;
    return known == 1;
}

static bool validate(const iri_text *text, int environment, const char *what)
{
    char path[64], command[256], said[512] = "";
    uint32_t *words = malloc(text->size + 4);
    memcpy(words, text->data, text->size);
    const char *why = text->size % 4 ? "no whole words" : spirv_check(words, text->size / 4);
    free(words);
    if (why) {
        FAIL("%s for %s: %s", what, environments[environment], why);
        return false;
    }
    if (!has_validator())
        return true;
    snprintf(path, sizeof path, "/tmp/iridia-spirv-%ld.spv", (long)getpid());
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(text->data, 1, text->size, file) == text->size;
    if (file)
        fclose(file);
    snprintf(command, sizeof command, "spirv-val --target-env %s %s 2>&1",
             environments[environment], path);
    FILE *pipe = written ? popen(command, "r") : NULL;
    size_t size = pipe ? fread(said, 1, sizeof said - 1, pipe) : 0;
    said[size] = 0;
    bool good = pipe && pclose(pipe) == 0;
    remove(path);
    if (!good)
        FAIL("%s for %s: %s", what, environments[environment], said);
    return good;
}

static bool write_both(const iri_program *p, const iri_spirv_options *options, const char *what)
{
    bool good = true;
    for (int i = 0; i < 2; i++) {
        iri_spirv_options o =
            options ? *options : *IRI_SPIRV_OPTIONS(.features = IRI_FEATURE_SHADER_F16);
        iri_text text;
        iri_refusal why;
        o.profile = profiles[i];
        if (iri_write_spirv(p, &o, &text, NULL, &why) != IRI_OK) {
            FAIL("%s for %s: %s", what, environments[i], why.reason);
            return false;
        }
        good = validate(&text, i, what) && good;
        iri_text_free(&text);
    }
    return good;
}

/* ---- every operation ---- */

static bool takes(char type_class, iri_scalar s)
{
    bool is_float = s == IRI_F16 || s == IRI_F32 || s == IRI_F64;
    switch (type_class) {
    case 'F': return is_float;
    case 'H': return is_float && s != IRI_F64;
    case 'I': return !is_float && s != IRI_BOOL;
    case 'N': return s != IRI_BOOL;
    case 'L': return !is_float;
    case 'B': return s == IRI_BOOL;
    case 'A': return true;
    default: return false;
    }
}

enum { VALUE, SCALAR, TRUTHS, TRUTH, VALUE_COUNT };

static bool result_fits(char letter, iri_scalar from, iri_scalar to)
{
    bool is_float = to == IRI_F16 || to == IRI_F32 || to == IRI_F64;
    if (to == IRI_BOOL || to == IRI_VOID)
        return false;
    switch (letter) {
    case 'F': return is_float;
    case 'I': return !is_float;
    case 'N': return iri_scalar_bits(from) == iri_scalar_bits(to);
    default: return false;
    }
}

static void emit_row(iri_builder *b, iri_op op, iri_type type, iri_type result,
                     const iri_id *values)
{
    const iri_op_info *info = &iri_op_infos[op];
    iri_id operands[3];
    uint32_t n = 0, zero = IRI_LANES1(0);
    for (const char *l = info->operands; *l && n < 3; l++)
        operands[n++] = *l == 'S' ? values[SCALAR] : *l == 'C' ? values[TRUTHS] : values[VALUE];
    (void)type;
    iri_emit(b, op, result, operands, n, &zero, (uint32_t)strlen(info->immediates));
}

/* Swizzles and their like, of all lanes and of some. */
static void emit_lane_rows(iri_builder *b, iri_type type, const iri_id *values)
{
    uint32_t lanes = IRI_TYPE_LANES(type);
    iri_id x = values[VALUE], scalar = values[SCALAR];
    const iri_id parts[2] = {scalar, scalar};
    iri_emit_swizzle(b, x, IRI_LANES4(0, lanes - 1, 0, lanes / 2));
    iri_emit_swizzle(b, x, IRI_LANES1(lanes - 1));
    iri_emit_insert(b, x, scalar, IRI_LANES1(lanes - 1));
    if (lanes > 2)
        iri_emit_insert(b, x, iri_emit_compose(b, parts, 2), IRI_LANES2(0, 2));
    iri_emit_splat(b, scalar, lanes);
    iri_emit_select(b, values[TRUTH], x, x);
}

static void fill_rows(iri_builder *b, void *argument)
{
    iri_type type = *(const iri_type *)argument;
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    const iri_type types[VALUE_COUNT] = {type, IRI_TYPE(scalar, 1),
                                         IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(type)), IRI_TYPE_BOOL};
    iri_id values[VALUE_COUNT], given[VALUE_COUNT];
    ir_add_interface(b);
    iri_id rows = iri_declare_function(b, "rows", types, VALUE_COUNT, NULL, 0);
    iri_program *p = iri_builder_program(b);
    iri_id main = iri_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
    for (uint32_t i = 0; i < VALUE_COUNT; i++)
        given[i] = iri_const_zero(b, types[i]);
    iri_emit_call(b, rows, given, VALUE_COUNT, NULL);
    iri_emit_output(b, 0, iri_lanes_first(4), iri_const_zero(b, IRI_TYPE_VEC4F));
    iri_emit_return(b, NULL, 0);
    iri_end_function(b);
    p->entry = main;
    iri_begin_declared(b, rows, values);
    emit_lane_rows(b, type, values);
    for (int op = 1; op < IRI_OP_COUNT; op++) {
        const iri_op_info *info = &iri_op_infos[op];
        if (!takes(info->type_class, scalar) || info->immediates[0] ||
            strchr(info->operands, 'V') || strchr(info->operands, '*'))
            continue;
        if (!strchr("FIN", info->results[0]))
            emit_row(b, (iri_op)op, type, 0, values);
        else
            for (int to = 1; to < IRI_SCALAR_COUNT; to++)
                if (result_fits(info->results[0], scalar, (iri_scalar)to))
                    emit_row(b, (iri_op)op, type, IRI_TYPE(to, IRI_TYPE_LANES(type)), values);
    }
    iri_emit_return(b, NULL, 0);
    iri_end_function(b);
}

TEST(spirv_every_operation)
{
    for (int scalar = IRI_BOOL; scalar < IRI_SCALAR_COUNT; scalar++) {
        for (uint32_t lanes = 1; lanes <= 4; lanes++) {
            iri_type type = IRI_TYPE(scalar, lanes);
            ir_build t = {.fill = fill_rows, .argument = &type};
            if (ir_build_run(&t) != IRI_OK)
                FAIL("%s: %s", iri_type_name(type), t.why.reason);
            else
                write_both(t.program, NULL, iri_type_name(type));
            ir_build_free(&t);
        }
    }
    if (!has_validator())
        iri_test_skip("spirv-val is not installed: only the structure was looked at");
}

/* ---- random programs ---- */

typedef struct random_program {
    uint64_t seed;
    uint32_t what;
    iri_arena *scratch;
    iri_program *program;
} random_program;

static void make_random(iri_ctx *ctx, void *argument)
{
    random_program *r = argument;
    r->program = generate_program(ctx, r->scratch, r->seed, r->what);
}

TEST(spirv_random_programs)
{
    enum { SEEDS = 400 };
    static const uint32_t kinds[] = {
        GENERATE_RESULTS, GENERATE_RESULTS | GENERATE_CALLS, GENERATE_RESULTS | GENERATE_LOCALS,
        GENERATE_CALLS | GENERATE_LOCALS | GENERATE_RESULTS, GENERATE_CFG};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        iri_ctx ctx;
        iri_arena scratch;
        char what[64];
        iri_ctx_init(&ctx, NULL, NULL, NULL);
        iri_arena_init(&scratch, &ctx);
        random_program r = {seed, kinds[seed % (sizeof kinds / sizeof *kinds)], &scratch, NULL};
        snprintf(what, sizeof what, "random program %u", (unsigned)seed);
        bool good = true;
        if (CHECK(iri_protect(&ctx, make_random, &r) == IRI_OK))
            good = write_both(r.program, NULL, what);
        iri_program_free(r.program);
        iri_arena_free(&scratch);
        if (!good)
            break;
    }
}

/* ---- text programs ---- */

static iri_program *parse(const char *text)
{
    iri_program *p = NULL;
    iri_refusal why;
    if (iri_parse_text(text, strlen(text), NULL, &p, &why) != IRI_OK)
        FAIL("line %u: %s", (unsigned)why.line, why.reason);
    return p;
}

static const char demoting[] = "program pixel entry main\n"
                               "input TEXCOORD0: vec4<f32> @v0 linear\n"
                               "output SV_Target0: vec4<f32> @oC0 sv target\n"
                               "fn main {\n"
                               "  %0: vec4<f32> = input 0.xyzw\n"
                               "  %1: f32 = swizzle %0.w\n"
                               "  %2: bool = lt %1, 0.5\n"
                               "  demote %2\n"
                               "  output 0.xyzw, %0\n"
                               "  return\n"
                               "}\n";

static bool contains(const iri_text *text, uint32_t op)
{
    const uint32_t *words = (const uint32_t *)(const void *)text->data;
    for (size_t i = 5; i < text->size / 4; i += words[i] >> 16)
        if ((words[i] & 0xffff) == op)
            return true;
    return false;
}

TEST(spirv_demote)
{
    iri_program *p = parse(demoting);
    iri_text text;
    if (!p)
        return;
    for (int profile = 0; profile < 2; profile++)
        for (int how = 0; how < 3; how++) {
            iri_spirv_options o =
                *IRI_SPIRV_OPTIONS(.profile = profiles[profile], .demote = (iri_spirv_demote)how);
            bool flag =
                how == IRI_SPIRV_DEMOTE_FLAG || (how == IRI_SPIRV_DEMOTE_AUTO && profile == 0);
            if (!CHECK(iri_write_spirv(p, &o, &text, NULL, NULL) == IRI_OK))
                continue;
            CHECK(contains(&text, IRI_SPV_OpKill) == flag);
            CHECK(contains(&text, IRI_SPV_OpDemoteToHelperInvocation) == !flag);
            validate(&text, profile, "demote");
            iri_text_free(&text);
        }
    iri_program_free(p);
}

TEST(spirv_options)
{
    iri_program *p = parse(demoting);
    iri_text text;
    iri_refusal why;
    if (!p)
        return;
    CHECK(write_both(p, IRI_SPIRV_OPTIONS(.no_names = true), "without names"));
    CHECK(write_both(p, IRI_SPIRV_OPTIONS(.semantics = true), "with semantics"));
    CHECK(write_both(p, IRI_SPIRV_OPTIONS(.entry_name = "pixel"), "another entry"));
    CHECK(iri_write_spirv(p, IRI_SPIRV_OPTIONS(.no_names = true), &text, NULL, NULL) == IRI_OK);
    CHECK(!contains(&text, IRI_SPV_OpName));
    iri_text_free(&text);
    CHECK(iri_write_spirv(p, IRI_SPIRV_OPTIONS(.profile = IRI_PROFILE_NAGA), &text, NULL, &why) ==
          IRI_INVALID_ARGUMENT);
    CHECK(text.data == NULL);
    CHECK(iri_write_spirv(NULL, NULL, &text, NULL, &why) == IRI_INVALID_ARGUMENT);
    iri_limits small = {.output = 64};
    CHECK(iri_write_spirv(p, IRI_SPIRV_OPTIONS(.limits = &small), &text, NULL, &why) ==
          IRI_LIMIT_OUTPUT);
    CHECK(text.data == NULL);
    iri_program_free(p);
}

TEST(spirv_map)
{
    iri_program *p = parse(demoting);
    iri_text text;
    iri_spirv_map map;
    if (!p)
        return;
    CHECK(iri_write_spirv(p, NULL, &text, &map, NULL) == IRI_OK);
    CHECK_EQ_U32(map.name_count, 2);
    CHECK_STR(map.names[0].source, "TEXCOORD0");
    CHECK_EQ_INT(map.names[0].location, 0);
    CHECK_STR(map.names[1].emitted, "SV_Target0");
    iri_spirv_map_free(&map);
    iri_text_free(&text);
    iri_program_free(p);
}

/* ---- without memory ---- */

typedef struct countdown {
    uint32_t left;
    size_t held;
} countdown;

static void *count_alloc(void *user, size_t size)
{
    countdown *c = user;
    void *memory = c->left ? malloc(size) : NULL;
    c->left -= c->left != 0;
    c->held += memory ? size : 0;
    return memory;
}

static void count_free(void *user, void *memory, size_t size)
{
    countdown *c = user;
    c->held -= memory ? size : 0;
    free(memory);
}

TEST(spirv_without_memory)
{
    iri_program *p = parse(demoting);
    bool done = false;
    for (uint32_t k = 0; p && k < 200 && !done; k++) {
        countdown c = {k, 0};
        iri_allocator allocator = {count_alloc, count_free, &c};
        iri_text text;
        iri_spirv_map map;
        iri_status status =
            iri_write_spirv(p, IRI_SPIRV_OPTIONS(.allocator = &allocator), &text, &map, NULL);
        done = status == IRI_OK;
        CHECK(done || status == IRI_NO_MEMORY);
        iri_text_free(&text);
        iri_spirv_map_free(&map);
        if (!CHECK(c.held == 0))
            break;
    }
    CHECK(done);
    iri_program_free(p);
}
