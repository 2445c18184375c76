/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Direct3D 9 lowering on what others wrote: every real shader beside the repository lifts, and the
 * shaders of Wine's d3d9 tests give the numbers those tests expect. Both need ../shared (or IRIDIA_SHARED).
 */
#define _DEFAULT_SOURCE /* dirent.h's opendir */
#include "base/number.h"
#include "tests/unit/json.h"
#include "tests/unit/test.h"
#include "tests/unit/test_lower.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 1024, ROWS = 256 };

static const iri_state defaults = {NULL, 0, true};

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) >= 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        data = calloc(*size + 1, 1);
        if (data && fread(data, 1, *size, file) != *size) {
            free(data);
            data = NULL;
        }
    }
    fclose(file);
    return data;
}

static void shared_path(char path[PATH_SIZE], const char *rest)
{
    const char *root = getenv("IRIDIA_SHARED");
    snprintf(path, PATH_SIZE, "%s/%s", root ? root : "../shared", rest);
}

static iri_program *lift_file(const char *path, bool raw, iri_uninitialized uninitialized,
                              iri_refusal *why)
{
    size_t size;
    void *bytes = read_file(path, &size);
    iri_program *program = NULL;
    if (!bytes)
        iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "%s is not readable", path);
    else
        iri_lift(bytes, size,
                 IRI_LIFT_OPTIONS(.state = &defaults, .raw = raw, .uninitialized = uninitialized),
                 &program, NULL, why);
    free(bytes);
    return program;
}

/* ---- the corpus ---- */

static uint32_t visit_corpus(char path[PATH_SIZE])
{
    size_t length = strlen(path);
    uint32_t count = 0;
    DIR *dir = opendir(path);
    struct dirent *entry;
    if (!dir)
        return 0;
    while ((entry = readdir(dir)) != NULL) {
        struct stat status;
        iri_refusal why;
        char line[400];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path + length, PATH_SIZE - length, "/%s", entry->d_name);
        if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
            count += visit_corpus(path);
            continue;
        }
        /* mojoshader's tests_1 reads lanes that nothing writes. */
        bool reads_unwritten = strcmp(entry->d_name, "tests_1.vsa.d3d9") == 0;
        iri_program *p = lift_file(path, false, IRI_UNINITIALIZED_REFUSE, &why);
        if (!p && reads_unwritten && CHECK(why.status == IRI_UNINITIALIZED))
            p = lift_file(path, false, IRI_UNINITIALIZED_ZERO, &why);
        if (!p) {
            iri_refusal_line(&why, path, line, sizeof line);
            FAIL("%s", line);
        }
        iri_program_free(p);
        count++;
    }
    path[length] = 0;
    closedir(dir);
    return count;
}

TEST(lower_d3d9_corpus)
{
    char path[PATH_SIZE];
    shared_path(path, "corpus/d3d9");
    if (visit_corpus(path) == 0)
        SKIP("no ../shared/corpus/d3d9");
}

/* ---- Wine's tests ---- */

typedef struct stage_run {
    iri_program *program;
    iri_test_run run;
    uint32_t floats[ROWS * 4], integers[16 * 4], booleans[16];
} stage_run;

/* `texcoord0` of the cases for TEXCOORD0 of an interface. */
static bool is_named(const iri_io *io, const char *key)
{
    char label[64], lower[64];
    if (io->system_value == IRI_SV_POSITION && io->bank == IRI_BANK_VPOS)
        return strcmp(key, "vpos") == 0;
    if (io->system_value == IRI_SV_IS_FRONT_FACE)
        return strcmp(key, "vface") == 0;
    iri_io_label(io, label);
    size_t i = 0;
    for (; label[i]; i++)
        lower[i] = (char)tolower((unsigned char)label[i]);
    lower[i] = 0;
    return strcmp(lower, key) == 0;
}

static void set_input(stage_run *s, uint32_t index, const float lanes[4])
{
    const iri_io *io = &s->program->interface.inputs[index];
    uint32_t at = 0;
    if (io->system_value == IRI_SV_IS_FRONT_FACE) {
        s->run.inputs[index][0] = lanes[0] > 0;
        return;
    }
    for (uint32_t lane = 0; lane < 4; lane++)
        if (io->lanes >> lane & 1)
            s->run.inputs[index][at++] = iri_f32_bits(lanes[lane]);
}

static void read_lanes(const json *j, const json_node *array, float lanes[4])
{
    uint32_t i = 0;
    if (array->kind == JSON_NUMBER)
        lanes[0] = (float)array->number;
    for (const json_node *n = json_first(j, array); n && i < 4; n = json_next(j, n))
        lanes[i++] = (float)n->number;
}

static void set_inputs(stage_run *s, const json *j, const json_node *object)
{
    for (const json_node *n = object ? json_first(j, object) : NULL; n; n = json_next(j, n)) {
        float lanes[4] = {0, 0, 0, 1};
        read_lanes(j, n, lanes);
        for (uint32_t i = 0; i < s->program->interface.input_count; i++)
            if (is_named(&s->program->interface.inputs[i], n->key))
                set_input(s, i, lanes);
    }
}

/* A vertex program's outputs are the pixel program's inputs; a colour that is not there is white. */
static void link_stages(const stage_run *vs, stage_run *ps)
{
    const iri_interface *from = &vs->program->interface, *to = &ps->program->interface;
    for (uint32_t i = 0; i < to->input_count; i++) {
        bool colour = strcmp(to->inputs[i].name, "COLOR") == 0 && to->inputs[i].index == 0;
        float lanes[4] = {colour, colour, colour, 1};
        for (uint32_t k = 0; k < from->output_count; k++) {
            uint32_t at = 0;
            if (strcmp(from->outputs[k].name, to->inputs[i].name) != 0 ||
                from->outputs[k].index != to->inputs[i].index)
                continue;
            for (uint32_t lane = 0; lane < 4; lane++)
                if (from->outputs[k].lanes >> lane & 1)
                    lanes[lane] = iri_bits_f32(vs->run.outputs[k][at++]);
        }
        if (!(to->inputs[i].flags & IRI_IO_GENERATED))
            set_input(ps, i, lanes);
    }
}

static void set_constants(stage_run *s, const json *j, const json_node *floats,
                          const json_node *integers)
{
    for (const json_node *n = floats ? json_first(j, floats) : NULL; n; n = json_next(j, n)) {
        float lanes[4] = {0};
        uint32_t reg = (uint32_t)strtoul(n->key, NULL, 10);
        read_lanes(j, n, lanes);
        for (uint32_t i = 0; i < 4 && reg < ROWS; i++)
            s->floats[reg * 4 + i] = iri_f32_bits(lanes[i]);
    }
    for (const json_node *n = integers ? json_first(j, integers) : NULL; n; n = json_next(j, n)) {
        uint32_t i = 0, reg = (uint32_t)strtoul(n->key, NULL, 10);
        for (const json_node *x = json_first(j, n); x && i < 4 && reg < 16; x = json_next(j, x))
            s->integers[reg * 4 + i++] = (uint32_t)(int32_t)x->number;
    }
}

/* False when this test cannot run it. */
static bool open_stage(stage_run *s, const json *j, const json_node *c, const char *stage, bool raw)
{
    char path[PATH_SIZE], rest[128], key[16], line[400];
    iri_refusal why;
    memset(s, 0, sizeof *s);
    snprintf(rest, sizeof rest, "cases/d3d9/wine_visual/blobs/%s.bin", json_string(j, c, stage));
    shared_path(path, rest);
    s->program = lift_file(path, raw, IRI_UNINITIALIZED_ZERO, &why);
    if (!s->program) {
        iri_refusal_line(&why, path, line, sizeof line);
        FAIL("%s: %s", json_string(j, c, "name"), line);
        return false;
    }
    s->run.p = s->program;
    s->run.cb[0] = s->floats;
    s->run.cb[1] = s->integers;
    s->run.cb[2] = s->booleans;
    snprintf(key, sizeof key, "%s_f", stage);
    const json_node *floats = json_get(j, c, key);
    snprintf(key, sizeof key, "%s_i", stage);
    set_constants(s, j, floats, json_get(j, c, key));
    snprintf(key, sizeof key, "%s_in", stage);
    set_inputs(s, j, json_get(j, c, key));
    return true;
}

static bool matches(const json *j, const json_node *rgba8, double tolerance,
                    const uint32_t lanes[4])
{
    uint32_t i = 0;
    for (const json_node *n = json_first(j, rgba8); n && i < 4; n = json_next(j, n), i++) {
        float x = iri_bits_f32(lanes[i]);
        double byte = x > 0 ? (x < 1 ? (double)x * 255.0 + 0.5 : 255) : 0;
        double distance = (double)(int)byte - n->number;
        if (n->kind != JSON_NULL && (distance > tolerance || -distance > tolerance))
            return false;
    }
    return true;
}

static bool is_expected(const json *j, const json_node *c, const uint32_t lanes[4])
{
    const json_node *expect = json_get(j, c, "expect"),
                    *also = json_get(j, expect, "also_accepted");
    double tolerance = json_number(j, expect, "tol");
    if (matches(j, json_get(j, expect, "rgba8"), tolerance, lanes))
        return true;
    for (const json_node *n = also ? json_first(j, also) : NULL; n; n = json_next(j, n))
        if (matches(j, n, tolerance, lanes))
            return true;
    return false;
}

static void check_result(const json *j, const json_node *c, const stage_run *s, bool vertex,
                         bool raw)
{
    const json_node *killed = json_get(j, c, "killed");
    uint32_t output = 0;
    if (killed && (killed->number != 0) != s->run.killed)
        FAIL("%s: killed is %d", json_string(j, c, "name"), s->run.killed);
    if (s->run.killed)
        return;
    for (uint32_t i = 0; i < s->program->interface.output_count; i++)
        if (vertex && strcmp(s->program->interface.outputs[i].name, "COLOR") == 0 &&
            s->program->interface.outputs[i].index == 0)
            output = i;
    const uint32_t *lanes = s->run.outputs[output];
    if (!is_expected(j, c, lanes))
        FAIL("%s (%s): %.6g %.6g %.6g %.6g", json_string(j, c, "name"), raw ? "as read" : "lifted",
             (double)iri_bits_f32(lanes[0]), (double)iri_bits_f32(lanes[1]),
             (double)iri_bits_f32(lanes[2]), (double)iri_bits_f32(lanes[3]));
}

/* 1 when it was run, 0 when it needs what this test does not have. */
static uint32_t run_case(const json *j, const json_node *c, bool raw)
{
    stage_run vs = {0}, ps = {0};
    const char *run = json_string(j, c, "run");
    bool vertex = strstr(run, "vs") != NULL, pixel = strstr(run, "ps") != NULL, ok = true;
    if (json_get(j, c, "textures") || json_get(j, c, "vs_textures") || json_get(j, c, "ps_in_ddy"))
        return 0;
    if (vertex)
        ok = open_stage(&vs, j, c, "vs", raw) && iri_test_interpret(&vs.run);
    if (ok && pixel) {
        ok = open_stage(&ps, j, c, "ps", raw);
        if (ok && vertex)
            link_stages(&vs, &ps);
        ok = ok && iri_test_interpret(&ps.run);
    }
    const char *fault = vs.run.fault ? vs.run.fault : ps.run.fault;
    if (ok)
        check_result(j, c, pixel ? &ps : &vs, !pixel, raw);
    else if (fault && strcmp(fault, "ddx") != 0 && strcmp(fault, "ddy") != 0)
        FAIL("%s: cannot run: %s", json_string(j, c, "name"), fault);
    iri_program_free(vs.program);
    iri_program_free(ps.program);
    return ok;
}

TEST(lower_d3d9_cases)
{
    char path[PATH_SIZE];
    size_t size;
    json j;
    shared_path(path, "cases/d3d9/wine_visual/cases.json");
    char *text = read_file(path, &size);
    if (!text)
        SKIP("no ../shared/cases/d3d9");
    REQUIRE(json_parse(&j, text));
    uint32_t count = 0;
    const json_node *cases = json_get(&j, &j.nodes[1], "cases");
    for (const json_node *c = json_first(&j, cases); c; c = json_next(&j, c)) {
        count += run_case(&j, c, true);
        count += run_case(&j, c, false);
    }
    CHECK(count >= 200);
    json_free(&j);
}

/* ---- formats and states by name ---- */

/* What is known and not read is named in its refusal. */
TEST(lift_unread_formats)
{
    static const struct {
        const char *bytes, *named;
    } rows[] = {
        {"DXBC....", "DXBC container"},
        {"\x01\x09\xff\xfe....", "Direct3D 9 effect"},
        {"\xcf\x0b\xf0\xbc....", "effect of XNA"},
        {"MGFX\x0a...", "effect of MonoGame"},
        {"\x01\x20\xff\xfe....", "Direct3D 10 or 11 effect"},
        {"XNBw\x05...", "XNB"},
        {"\x03\x02\x23\x07....", "SPIR-V"},
        {"BC\xc0\xde....", "LLVM bitcode"},
        {"\x89PNG....", "no format that is known"},
        {"#ifdef GL_ES\n", "GLSL"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        iri_program *program;
        iri_refusal why;
        CHECK(iri_detect_format(rows[i].bytes, 8) == IRI_FORMAT_AUTO);
        CHECK(iri_lift(rows[i].bytes, 8, NULL, &program, NULL, &why) == IRI_UNKNOWN_FORMAT);
        CHECK(strstr(why.reason, rows[i].named) != NULL);
    }
}

TEST(lift_formats)
{
    static const uint8_t d3d9[] = {0, 3, 0xff, 0xff}, png[] = {0x89, 'P', 'N', 'G'};
    CHECK(iri_detect_format(d3d9, 4) == IRI_FORMAT_D3D9);
    CHECK(iri_detect_format(d3d9, 3) == IRI_FORMAT_AUTO);
    CHECK(iri_detect_format(png, 4) == IRI_FORMAT_AUTO);
    CHECK(iri_detect_format("iridia-ir 1\n", 12) == IRI_FORMAT_TEXT);
    CHECK(iri_detect_format("fn main {", 9) == IRI_FORMAT_TEXT);
    CHECK(iri_detect_format(NULL, 0) == IRI_FORMAT_AUTO);
    CHECK(iri_format_by_name("d3d9") == IRI_FORMAT_D3D9);
    CHECK(iri_format_by_name("nothing") == IRI_FORMAT_AUTO);
    CHECK_STR(iri_format_name(IRI_FORMAT_TEXT), "text");
    CHECK(iri_format_name(IRI_FORMAT_COUNT) == NULL);
    iri_program *program;
    iri_refusal why;
    CHECK(iri_lift(png, 4, NULL, &program, NULL, &why) == IRI_UNKNOWN_FORMAT && program == NULL);
    CHECK(iri_lift("", 0, NULL, &program, NULL, &why) == IRI_UNKNOWN_FORMAT);
    CHECK(iri_lift(d3d9, 4, NULL, &program, NULL, &why) == IRI_MALFORMED_TRUNCATED);
    CHECK(iri_lift(d3d9, 4, NULL, NULL, NULL, &why) == IRI_INVALID_ARGUMENT);
}

TEST(lift_states)
{
    static const struct {
        const char *text;
        uint16_t id, index;
        uint32_t source, bits[4];
    } good[] = {
        {"alpha_func=greater", IRI_STATE_ALPHA_FUNC, 0, IRI_STATE_VALUE, {5}},
        {"alpha_func=5", IRI_STATE_ALPHA_FUNC, 0, IRI_STATE_VALUE, {5}},
        {"alpha_ref=0.5", IRI_STATE_ALPHA_REF, 0, IRI_STATE_VALUE, {0x3f000000}},
        {"alpha_ref=override", IRI_STATE_ALPHA_REF, 0, IRI_STATE_OVERRIDE, {0}},
        {"fog_color=uniform", IRI_STATE_FOG_COLOR, 0, IRI_STATE_UNIFORM, {0}},
        {"fog_mode=vertex", IRI_STATE_FOG_MODE, 0, IRI_STATE_VALUE, {4}},
        {"texture_type[15]=cube", IRI_STATE_TEXTURE_TYPE, 15, IRI_STATE_VALUE, {3}},
        {"bump_matrix[1]=1,0,-2,1e-1",
         IRI_STATE_BUMP_MATRIX,
         1,
         IRI_STATE_VALUE,
         {0x3f800000, 0, 0xc0000000, 0x3dcccccd}},
    };
    static const char *const bad[] = {"",
                                      "nothing=1",
                                      "alpha_ref",
                                      "alpha_ref=",
                                      "alpha_ref=0.5x",
                                      "alpha_ref=0.5,1",
                                      "alpha_func=-1",
                                      "alpha_func=99999999999",
                                      "bump_matrix[8]=1,0,0,1",
                                      "bump_matrix[1=1,0,0,1",
                                      "bump_matrix[]=1,0,0,1",
                                      "bump_matrix=1,0,0",
                                      "fog_color=override"};
    iri_state_entry entry;
    iri_refusal why;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (!CHECK(iri_parse_state(good[i].text, &entry, &why) == IRI_OK))
            continue;
        CHECK_EQ_U32(entry.id, good[i].id);
        CHECK_EQ_U32(entry.index, good[i].index);
        CHECK_EQ_U32(entry.source, good[i].source);
        CHECK(memcmp(entry.bits, good[i].bits, sizeof entry.bits) == 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (iri_parse_state(bad[i], &entry, &why) != IRI_INVALID_ARGUMENT)
            FAIL("'%s' was taken", bad[i]);
}
