/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preshaders: the made ones, the fixtures' and the public corpus' against a second reading of their tokens; rules
 * worked by hand; parameters, expressions and selectors of effects.
 */
#include "preshader_made.h"
#include "preshader_reference.h"
#include "test.h"

#include <dirent.h>
#include <iridia/iridia.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 256, REGISTERS_MAX = 256, SETS = 64 };

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

/* Numbers of all kinds: special ones, whole ones as indexes are, any bits. */
static float some_number(void)
{
    static const float special[] = {0,        -0.0f,     1,     -1,       0.5f,  2,      1.5f,
                                    1e-40f,   -3e-39f,   3e38f, -3e38f,   1e10f, -1e10f, 2.5f,
                                    INFINITY, -INFINITY, NAN,   16777216, 0.1f,  1e-20f};
    uint64_t random = iri_test_random();
    switch (random >> 60) {
    case 0:
    case 1:
    case 2:
    case 3: return special[random % (sizeof special / sizeof *special)];
    case 4:
    case 5:
    case 6: return (float)((int)(random % 21) - 5);
    case 7: return float_of((uint32_t)random);
    default: return (float)(random % 100000) / 5000.0f - 10.0f;
    }
}

static bool alike(uint32_t a, uint32_t b, uint32_t ulps)
{
    float x = float_of(a), y = float_of(b);
    if (a == b || (x != x && y != y) || (x == 0 && y == 0))
        return true;
    int64_t distance = (int64_t)(int32_t)a - (int64_t)(int32_t)b;
    return (distance < 0 ? -distance : distance) <= (int64_t)ulps;
}

static uint32_t register_word(const reference *r, const iri_preshader_register *out, uint32_t lane)
{
    uint32_t at = out->number * 4u + lane;
    return out->bank == IRI_BANK_C   ? bits_of(r->c[at])
           : out->bank == IRI_BANK_I ? (uint32_t)r->i[at]
                                     : (uint32_t)r->b[out->number];
}

/* Runs a preshader on sets of numbers beside the second reading. Returns how many registers it sets, 0 when it is none. */
static uint32_t compare(const char *name, const uint8_t *bytes, size_t size)
{
    static reference r;
    static float constants[ROWS_MAX * 4];
    static iri_preshader_register registers[REGISTERS_MAX];
    iri_program *program;
    iri_exec *exec;
    iri_refusal why;
    char line[600];
    if (iri_preshader_lift(bytes, size, NULL, &program, &why) != IRI_OK) {
        iri_refusal_line(&why, name, line, sizeof line);
        FAIL("%s", line);
        return 0;
    }
    if (!program)
        return 0;
    const iri_interface *io = iri_program_interface(program);
    uint32_t count = io->output_count, rows = io->resource_count ? io->resources[0].size / 16 : 0;
    const uint8_t *stream = reference_find(bytes, size);
    CHECK(rows <= ROWS_MAX && count <= REGISTERS_MAX && stream);
    CHECK(iri_exec_compile(program, NULL, &exec, &why) == IRI_OK);
    uint32_t off = 0;
    for (uint32_t set = 0; set < SETS; set++) {
        for (uint32_t i = 0; i < rows * 4; i++)
            constants[i] = r.input[i] = some_number();
        CHECK(iri_preshader_run(exec, constants, sizeof constants, registers, &why) == IRI_OK);
        if (!CHECK(reference_run(&r, stream, size - (size_t)(stream - bytes), rows)))
            break;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t lane = 0; lane < 4; lane++) {
                uint32_t got = registers[i].words[lane],
                         wanted = register_word(&r, &registers[i], lane);
                if (!(registers[i].lanes >> lane & 1))
                    continue;
                off += !alike(got, wanted, 0);
                if (!alike(got, wanted, r.function ? 1 : 0))
                    FAIL("%s: set %u: register %u lane %u: %08x, not %08x", name, (unsigned)set,
                         registers[i].number, (unsigned)lane, (unsigned)got, (unsigned)wanted);
            }
    }
    CHECK(off < 4); /* by the last bit, of a function */
    iri_exec_free(exec);
    iri_program_free(program);
    return count;
}

TEST(preshader_made)
{
    made m;
    for (size_t i = 0; i < made_case_count; i++) {
        made_cases[i].build(&m);
        size_t size = made_end(&m);
        if (CHECK(size > 0))
            CHECK(compare(made_cases[i].name, (const uint8_t *)m.words, size) > 0);
    }
}

/* ---- files ---- */

static uint8_t *read_whole(const char *path, size_t *size)
{
    *size = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    uint8_t *data = malloc((size_t)length + 1);
    *size = fread(data, 1, (size_t)length, file);
    fclose(file);
    return data;
}

/* Every preshader and expression of an effect. */
static uint32_t compare_effect(const char *path)
{
    size_t size;
    uint8_t *data = read_whole(path, &size);
    iri_effect *effect;
    iri_refusal why;
    uint32_t count = 0;
    if (!CHECK(data != NULL) ||
        !CHECK(iri_effect_read(data, size, NULL, &effect, &why) == IRI_OK)) {
        free(data);
        return 0;
    }
    for (uint32_t i = 0; i < effect->shader_count; i++)
        count +=
            compare(effect->shaders[i].path, effect->shaders[i].data, effect->shaders[i].size) > 0;
    for (uint32_t t = 0; t < effect->technique_count; t++)
        for (uint32_t p = 0; p < effect->techniques[t].pass_count; p++) {
            const iri_effect_pass *pass = &effect->techniques[t].passes[p];
            for (uint32_t s = 0; s < pass->state_count; s++)
                if (pass->states[s].expression)
                    count += compare(pass->states[s].name, pass->states[s].expression,
                                     pass->states[s].expression_size) > 0;
        }
    iri_effect_free(effect);
    free(data);
    return count;
}

static uint32_t compare_folder(const char *folder)
{
    uint32_t count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[512];
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".fxb") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        count += compare_effect(path);
    }
    if (dir)
        closedir(dir);
    return count;
}

TEST(preshader_fixtures)
{
    CHECK(compare_folder("tests/fixtures/effects") >= 14);
}

TEST(preshader_corpus)
{
    static const char *const folders[] = {"DXDecompiler", "FNA", "MonoGame"};
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[128];
        snprintf(path, sizeof path, "../shared/corpus/fxb/%s", folders[i]);
        count += compare_folder(path);
    }
    if (!count)
        SKIP("there is no ../shared/corpus/fxb");
    CHECK_EQ_U32(count, 17);
}

/* ---- by hand ---- */

/* Runs one instruction on p, a float4[rows], to c0. */
static void run_one(uint32_t opcode, uint32_t lanes, const made_operand *operands,
                    const double *literals, uint32_t literal_count, const float *p, uint32_t rows,
                    uint32_t out[4])
{
    made m;
    iri_program *program;
    iri_exec *exec;
    iri_refusal why;
    iri_preshader_register r[1] = {{0}};
    made_begin(&m, rows, literals, literal_count);
    made_op(&m, opcode, lanes, MADE_C(0), operands);
    size_t size = made_end(&m);
    REQUIRE(iri_preshader_lift(m.words, size, NULL, &program, &why) == IRI_OK && program);
    CHECK(iri_exec_compile(program, NULL, &exec, &why) == IRI_OK);
    CHECK(iri_preshader_run(exec, p, rows * 16, r, &why) == IRI_OK);
    memcpy(out, r[0].words, sizeof r[0].words);
    iri_exec_free(exec);
    iri_program_free(program);
}

TEST(preshader_by_hand)
{
    static const struct {
        uint32_t opcode;
        float x, y;
        uint32_t expected;
    } rows[] = {
        {0x103, 0, 0, 0x7f800000}, /* rcp of 0 */
        {0x103, -0.0f, 0, 0xff800000},
        {0x104, -0.25f, 0, 0x3f400000}, /* frc is x - floor(x) */
        {0x104, -1e-9f, 0, 0x3f800000}, /* rounded up to 1 */
        {0x105, 3, 0, 0x41000000},      /* exp is of base 2 */
        {0x106, 0, 0, 0},               /* log of 0 is 0 */
        {0x106, -8, 0, 0x40400000},     /* of the size */
        {0x107, 0, 0, 0x7f800000},      /* rsq of 0 */
        {0x107, -4, 0, 0x3f000000},     /* of the size */
        {0x10a, 2, 0, 0x7fc00000},      /* asin beyond 1 */
        {0x10b, -1, 0, 0x40490fdb},
        {0x200, NAN, 2, 0x40000000}, /* min and max take the number */
        {0x201, 2, NAN, 0x40000000},
        {0x202, 1, 1, 0},
        {0x202, NAN, 1, 0},
        {0x203, 1, 1, 0x3f800000},
        {0x206, 1, -0.0f, 0x3fc90fdb},
        {0x206, 0, -1, 0x40490fdb},
        {0x208, 6, 3, 0},                 /* div */
        {0x205, INFINITY, 0, 0x7fc00000}, /* no zero wins */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const float p[8] = {rows[i].x, 0, 0, 0, rows[i].y};
        const made_operand one[] = {MADE_P(0), 0}, two[] = {MADE_P(0), MADE_P(4), 0};
        uint32_t out[4] = {0};
        run_one(rows[i].opcode, 1, rows[i].opcode >> 8 == 1 ? one : two, NULL, 0, p, 2, out);
        if (out[0] != rows[i].expected)
            FAIL("0x%x of %g and %g: %08x, not %08x", (unsigned)rows[i].opcode, (double)rows[i].x,
                 (double)rows[i].y, (unsigned)out[0], (unsigned)rows[i].expected);
    }
}

/* A literal counts as the double it is: a third of 3 is not a float's third of 3; products are summed as doubles. */
TEST(preshader_doubles)
{
    static const double tenth[] = {0.1};
    static const float p[8] = {1e8f, 1, -1e8f, 0, 1e8f, 1, 1e8f, 0};
    const made_operand compared[] = {MADE_P(0), MADE_L(0), 0}, summed[] = {MADE_P(0), MADE_P(4), 0};
    const float near[4] = {0.1f};
    uint32_t out[4] = {0};
    run_one(0x203, 1, compared, tenth, 1, near, 1, out); /* 0.1f is above 0.1 */
    CHECK_EQ_U32(out[0], 0x3f800000);
    run_one(0x202, 1, compared, tenth, 1, near, 1, out);
    CHECK_EQ_U32(out[0], 0);
    run_one(0x500, 3, summed, NULL, 0, p, 2,
            out); /* 1e16 + 1 - 1e16: 0 as floats, and 1e16 + 1 is a double's tie */
    CHECK_EQ_U32(out[0], 0);
    const float q[8] = {1e7f, 1, -1e7f, 0, 1e7f, 1, 1e7f, 0};
    run_one(0x500, 3, summed, NULL, 0, q, 2, out); /* 1e14 + 1 - 1e14 */
    CHECK_EQ_U32(out[0], 0x3f800000);
}

/* An integer is rounded from the double, a truth is that of the double: 1e-30 * 1e-30 is no float but 0. */
TEST(preshader_doubles_to_registers)
{
    made m;
    iri_program *program;
    iri_exec *exec;
    iri_refusal why;
    iri_preshader_register r[2];
    static const double literals[] = {0.5000000001};
    static const float p[4] = {2, 1e-30f, 0, 0};
    made_begin(&m, 1, literals, 1);
    MADE(&m, 0x204, 1, MADE_I(0), MADE_P(0), MADE_L(0));
    MADE(&m, 0x205, 1, MADE_B(0), MADE_P(1), MADE_P(1));
    size_t size = made_end(&m);
    REQUIRE(iri_preshader_lift(m.words, size, NULL, &program, &why) == IRI_OK);
    CHECK(iri_exec_compile(program, NULL, &exec, &why) == IRI_OK);
    CHECK(iri_preshader_run(exec, p, sizeof p, r, &why) == IRI_OK);
    CHECK(r[0].bank == IRI_BANK_B && r[0].words[0] == 1);
    CHECK(r[1].bank == IRI_BANK_I && r[1].words[0] == 3);
    iri_exec_free(exec);
    iri_program_free(program);
}

/* Of three registers: places wrap at four, and the fourth is 0. */
TEST(preshader_places)
{
    static const struct {
        float index;
        float expected;
    } rows[] = {{0, 1},  {1, 2},    {2, 7},    {3, 0},    {4, 1},    {5, 2},   {-1, 0},
                {-2, 7}, {0.5f, 1}, {1.5f, 7}, {2.5f, 7}, {3e9f, 1}, {NAN, 1}, {-INFINITY, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const float p[12] = {1, 0, 0, 0, 2, 0, 0, 0, 7, rows[i].index, 0, 0};
        const made_operand x[] = {MADE_INDEXED(MADE_P(0), MADE_P(9)), 0};
        uint32_t out[4] = {0};
        run_one(0x100, 1, x, NULL, 0, p, 3, out);
        if (float_of(out[0]) != rows[i].expected)
            FAIL("place %g: %g, not %g", (double)rows[i].index, (double)float_of(out[0]),
                 (double)rows[i].expected);
    }
}

static void check_refused(made *m, iri_status status, const char *reason)
{
    iri_program *program = NULL;
    iri_refusal why;
    size_t size = made_end(m);
    CHECK(iri_preshader_lift(m->words, size, IRI_PRESHADER_OPTIONS(.base = 0x100, .path = "here"),
                             &program, &why) == status);
    CHECK(program == NULL);
    CHECK(why.offset >= 0x100 && why.offset < 0x100 + size);
    CHECK_STR(why.path, "here");
    if (!strstr(why.reason, reason))
        FAIL("'%s', not '%s'", why.reason, reason);
}

TEST(preshader_refused)
{
    made m;
    made_begin(&m, 1, NULL, 0);
    MADE(&m, 0x216, 1, MADE_C(0), MADE_P(0), MADE_P(0));
    check_refused(&m, IRI_UNSUPPORTED_OPCODE, "what iadd of a preshader computes is not known");
    made_begin(&m, 1, NULL, 0);
    MADE(&m, 0x102, 1, MADE_C(0), MADE_P(0));
    check_refused(&m, IRI_UNSUPPORTED_OPCODE, "0x102 is no instruction");
    made_begin(&m, 1, NULL, 0);
    MADE(&m, 0x204, 1, MADE_C(0), MADE_P(0));
    check_refused(&m, IRI_MALFORMED_TABLE, "add of a preshader with 1 operands");
    made_begin(&m, 1, NULL, 0);
    MADE(&m, 0x100, 1, MADE_C(0), MADE_P(4));
    check_refused(&m, IRI_MALFORMED_REGISTER, "c1.x of a preshader whose parameters take 1");
    made_begin(&m, 1, NULL, 0);
    MADE(&m, 0x100, 1, MADE_C(0), MADE_R(1));
    check_refused(&m, IRI_UNINITIALIZED, "r0.y is read before it is written");
    made_begin(&m, 1, NULL, 0);
    MADE(&m, 0x100, 1, MADE_P(0), MADE_P(0));
    check_refused(&m, IRI_MALFORMED_OPERAND, "writes to c");
    made_begin(&m, 1, NULL, 0);
    MADE(&m, 0x100, 1, MADE_INDEXED(MADE_C(0), MADE_P(0)), MADE_P(0));
    check_refused(&m, IRI_MALFORMED_OPERAND, "writes to of at a run-time place");
    made_begin(&m, 1, NULL, 0);
    MADE(&m, 0x100, 1, MADE_C(0), MADE_INDEXED(MADE_R(0), MADE_P(0)));
    check_refused(&m, IRI_MALFORMED_OPERAND, "r at a run-time place");
    made_begin(&m, 0, NULL, 0);
    MADE(&m, 0x100, 1, MADE_C(0xffff), MADE_P(0));
    check_refused(&m, IRI_MALFORMED_REGISTER, "take 0 registers");
    made_begin(&m, 1, NULL, 0);
    MADE(&m, 0x100, 1, MADE_C(0xffff), MADE_P(0));
    check_refused(&m, IRI_MALFORMED_REGISTER, "writes to c16383");
    made_begin(&m, 1, NULL, 0);
    MADE(&m, 0x100, 1, MADE_C(0), MADE_B(0));
    check_refused(&m, IRI_MALFORMED_OPERAND, "reads ob0");
    static const double tenth[] = {0.1};
    made_begin(&m, 1, tenth, 1);
    MADE(&m, 0x108, 1, MADE_C(0), MADE_L(0));
    check_refused(&m, IRI_UNSUPPORTED_OPCODE, "sin of a literal that is no float");
    made_begin(&m, 1, NULL, 0);
    MADE(&m, 0x100, 1, MADE_C(0), MADE_L(0));
    check_refused(&m, IRI_MALFORMED_TABLE, "literals 0 to 0 of a preshader that has 0");
}

/* ---- effects with numbers ---- */

static const iri_effect_state *find_state(const iri_effect *effect, const char *name)
{
    for (uint32_t t = 0; t < effect->technique_count; t++)
        for (uint32_t p = 0; p < effect->techniques[t].pass_count; p++) {
            const iri_effect_pass *pass = &effect->techniques[t].passes[p];
            for (uint32_t s = 0; s < pass->state_count; s++)
                if (!strcmp(pass->states[s].name, name))
                    return &pass->states[s];
        }
    return NULL;
}

TEST(effect_values)
{
    size_t size;
    uint8_t *data = read_whole("tests/fixtures/effects/selectors.fxb", &size);
    iri_effect *effect;
    iri_effect_result result;
    iri_refusal why;
    REQUIRE(data && iri_effect_read(data, size, NULL, &effect, &why) == IRI_OK);
    CHECK(iri_effect_find(effect, "Main.range") && iri_effect_find(effect, "Others[2].color"));
    CHECK(!iri_effect_find(effect, "Others[3].color") && !iri_effect_find(effect, "Main.nothing") &&
          !iri_effect_find(effect, "Nothing") && !iri_effect_find(effect, "Main[0]"));
    /* FogStart = 8 * Fade; FogEnable = Quality > 0; LightDiffuse[1] = Main.position * Fade */
    const double fade = 0.25, quality = 0, position[] = {1, 2, 3, 4};
    const iri_effect_given given[] = {
        {"Fade", &fade, 1}, {"Quality", &quality, 1}, {"Main.position", position, 4}};
    CHECK(iri_effect_evaluate(effect, find_state(effect, "FogStart"), given, 1, &result, &why) ==
          IRI_OK);
    CHECK(result.word_count == 1 && result.words[0] == bits_of(2));
    CHECK(iri_effect_evaluate(effect, find_state(effect, "FogEnable"), NULL, 0, &result, &why) ==
          IRI_OK);
    CHECK_EQ_U32(result.words[0], 1);
    CHECK(iri_effect_evaluate(effect, find_state(effect, "FogEnable"), given, 2, &result, &why) ==
          IRI_OK);
    CHECK_EQ_U32(result.words[0], 0);
    CHECK(iri_effect_evaluate(effect, find_state(effect, "LightDiffuse"), given, 3, &result,
                              &why) == IRI_OK);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQ_U32(result.words[i], bits_of(0.25f * (float)(i + 1)));
    /* VertexShader = Vertices[Quality + 1]; of three, and -1 counts as 0. */
    static const struct {
        double quality;
        int element;
    } rows[] = {{1, 2}, {0, 1}, {-1, 0}, {-2, 0}, {2, -1}, {-3, -1}, {1.75, 2}};
    const iri_effect_value *array = iri_effect_find(effect, "Vertices");
    REQUIRE(array != NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const iri_effect_given one = {"Quality", &rows[i].quality, 1};
        iri_status status =
            iri_effect_evaluate(effect, find_state(effect, "VertexShader"), &one, 1, &result, &why);
        CHECK((status == IRI_OK) == (rows[i].element >= 0));
        if (status == IRI_OK)
            CHECK(result.value == &array->items[rows[i].element]);
        else
            CHECK(strstr(why.reason, "of the 3 of Vertices") != NULL);
    }
    iri_effect_free(effect);
    free(data);
}

/* Of the last element of `two` the compiler left off the last member, where another parameter begins. */
TEST(preshader_members_left_off)
{
    size_t size;
    uint8_t *data = read_whole("tests/fixtures/effects/preshaders.fxb", &size);
    iri_effect *effect;
    iri_refusal why;
    iri_text text;
    REQUIRE(data && iri_effect_read(data, size, NULL, &effect, &why) == IRI_OK);
    bool seen = false;
    for (uint32_t i = 0; i < effect->shader_count; i++) {
        iri_program *program;
        iri_constant_place shape, kind;
        CHECK(iri_preshader_lift(effect->shaders[i].data, effect->shaders[i].size, NULL, &program,
                                 &why) == IRI_OK);
        if (program && iri_find_constant(program, "two[1].shape", &shape, NULL) == IRI_OK) {
            CHECK(iri_find_constant(program, "two[1].kind", &kind, NULL) != IRI_OK ||
                  kind.size == 0);
            CHECK(shape.size == 16);
            const iri_preshader_function function = {"f", program, NULL};
            REQUIRE(iri_write_preshaders(&function, 1, IRI_PRESHADER_JAVASCRIPT, &text, &why) ==
                    IRI_OK);
            CHECK(strstr(text.data, "\"two[1].shape\"") && !strstr(text.data, "\"two[1].kind\""));
            iri_text_free(&text);
            seen = true;
        }
        iri_program_free(program);
    }
    CHECK(seen);
    iri_effect_free(effect);
    free(data);
}

TEST(preshader_written)
{
    made m;
    iri_program *program;
    iri_refusal why;
    iri_text text = {0};
    static const double tenth[] = {0.1};
    made_begin(&m, 1, tenth, 1);
    MADE(&m, 0x205, 1, MADE_C(0), MADE_P(0), MADE_L(0));
    size_t size = made_end(&m);
    REQUIRE(iri_preshader_lift(m.words, size, NULL, &program, &why) == IRI_OK);
    const iri_preshader_function wrong = {"1st", program, NULL}, right = {"first", program, "a\nb"};
    CHECK(iri_write_preshaders(&wrong, 1, IRI_PRESHADER_C, &text, &why) == IRI_INVALID_ARGUMENT);
    CHECK(iri_write_preshaders(&right, 1, IRI_PRESHADER_WGSL, &text, &why) == IRI_UNWRITABLE);
    CHECK(strstr(why.reason, "f64") != NULL);
    REQUIRE(iri_write_preshaders(&right, 1, IRI_PRESHADER_C, &text, &why) == IRI_OK);
    CHECK(strstr(text.data, "// a?b\n") && strstr(text.data, "(double)p[0]") &&
          strstr(text.data, " * 0.1;"));
    iri_text_free(&text);
    iri_program_free(program);
    /* Without f64 it can be written, and says what it is not. */
    REQUIRE(iri_preshader_lift(m.words, size, IRI_PRESHADER_OPTIONS(.single = true), &program,
                               &why) == IRI_OK);
    CHECK(iri_note_count(program) == 1 &&
          !strcmp(iri_note_at(program, 0)->kind, "preshader-single"));
    const iri_preshader_function single = {"first", program, NULL};
    REQUIRE(iri_write_preshaders(&single, 1, IRI_PRESHADER_WGSL, &text, &why) == IRI_OK);
    CHECK(strstr(text.data, "computed in f32") != NULL);
    iri_text_free(&text);
    iri_program_free(program);
}
