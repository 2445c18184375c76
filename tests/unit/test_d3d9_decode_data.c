/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Direct3D 9 decoder on real shaders: the corpora and tables beside the repository (in
 * ../shared, or where IRIDIA_SHARED says; skipped when absent), and the malformed streams of
 * tests/cases/bad/d3d9.
 */
#define _DEFAULT_SOURCE /* dirent.h's opendir */
#include "read/common/d3dx.h"
#include "read/d3d9/ctab.h"
#include "base/number.h"
#include "tests/unit/json.h"
#include "tests/unit/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 1024 };

/* One file, and what reading it gave. */
typedef struct blob {
    uint8_t *data;
    size_t size;
    iri_ctx ctx;
    iri_arena arena;
    iri_refusal why;
    const iri_d3d9_shader *shader;
    const iri_d3d9_ctab *ctab;
} blob;

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) >= 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        data = malloc(*size + 1);
        if (data && fread(data, 1, *size, file) != *size) {
            free(data);
            data = NULL;
        }
        if (data)
            data[*size] = 0;
    }
    fclose(file);
    return data;
}

static void shared_path(char path[PATH_SIZE], const char *rest)
{
    const char *root = getenv("IRIDIA_SHARED");
    snprintf(path, PATH_SIZE, "%s/%s", root ? root : "../shared", rest);
}

static void decode_body(iri_ctx *ctx, void *argument)
{
    blob *b = argument;
    b->shader = iri_d3d9_decode(ctx, &b->arena, b->data, b->size, 0);
    b->ctab = iri_d3d9_ctab_read(ctx, &b->arena, b->shader);
}

static void check_body(iri_ctx *ctx, void *argument)
{
    iri_d3d9_check(ctx, ((blob *)argument)->shader);
}

static bool open_blob(blob *b, const char *path)
{
    *b = (blob){0};
    b->data = read_file(path, &b->size);
    if (b->data == NULL)
        return false;
    iri_ctx_init(&b->ctx, NULL, NULL, &b->why);
    iri_arena_init(&b->arena, &b->ctx);
    return true;
}

static void close_blob(blob *b)
{
    iri_arena_free(&b->arena);
    free(b->data);
}

/* Calls `visit` for every file under `path`, whose name is extended in place. How many. */
static uint32_t visit_files(char path[PATH_SIZE], void (*visit)(const char *path, void *user),
                            void *user)
{
    size_t length = strlen(path);
    uint32_t count = 0;
    DIR *dir = opendir(path);
    struct dirent *entry;
    if (dir == NULL)
        return 0;
    while ((entry = readdir(dir)) != NULL) {
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path + length, PATH_SIZE - length, "/%s", entry->d_name);
        if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
            count += visit_files(path, visit, user);
        } else {
            visit(path, user);
            count++;
        }
    }
    path[length] = 0;
    closedir(dir);
    return count;
}

/* The words that instructions, comments, the version and the end account for are all there are. */
static void account_for_words(const char *path, const iri_d3d9_shader *shader)
{
    uint64_t words = 2;
    for (uint32_t i = 0; i < shader->instruction_count; i++)
        words += 1u + shader->instructions[i].length;
    for (uint32_t i = 0; i < shader->comment_count; i++)
        words += 1u + shader->comments[i].size / 4;
    if (words * 4 != shader->size)
        FAIL("%s: %u bytes, %u accounted for", path, shader->size, (uint32_t)words * 4);
}

static void visit_corpus(const char *path, void *user)
{
    blob b;
    (void)user;
    if (!open_blob(&b, path)) {
        FAIL("%s is not readable", path);
        return;
    }
    if (iri_protect(&b.ctx, decode_body, &b) || iri_protect(&b.ctx, check_body, &b))
        FAIL("%s: %s", path, b.why.reason);
    else if (b.shader->trailing)
        FAIL("%s: %u trailing bytes", path, b.shader->trailing);
    else
        account_for_words(path, b.shader);
    close_blob(&b);
}

TEST(d3d9_corpus)
{
    char path[PATH_SIZE];
    shared_path(path, "corpus/d3d9");
    if (visit_files(path, visit_corpus, NULL) == 0)
        SKIP("no ../shared/corpus/d3d9");
}

/* Test shaders that are refused on purpose, with the whole reason. */
static const struct {
    const char *id, *line;
} refused[] = {
    {"026db919d027", "0xc: d3d9 ps_3_0: vFace is used and not declared [bad-declaration]"},
    {"02d22de39c80",
     "0x8: d3d9 ps_1_3: texreg2ar of ps_1_3 does not take a shift by 2 [bad-operand]"},
    {"14f5821e5a04", "0xc: d3d9 vs_3_0: aL is read outside any loop [bad-flow]"},
    {"1906f255f370", "0x8: d3d9 ps_2_0: t0 is used and not declared [bad-declaration]"},
    {"2e9c4bbec804", "0x10: d3d9 vs_2_0: an index of more than one lane of a0 [bad-operand]"},
    {"4869590ac471",
     "0x10: d3d9 ps_1_3: texm3x3pad of ps_1_3 does not take a shift by 1 [bad-operand]"},
    {"6f397fc77300", "0xc: d3d9 vs_2_0: v0 is used and not declared [bad-declaration]"},
    {"6fce5c5cdeec", "0xc: d3d9 vs_2_0: v0 is used and not declared [bad-declaration]"},
    {"727ab21367d3", "0x8: d3d9 vs_2_0: l2047 is past the 16 l registers of vs_2_0 [bad-register]"},
    {"908f78d75e56", "0xc: d3d9 ps_3_0: v12 is past the 10 v registers of ps_3_0 [bad-register]"},
    {"b0a173417ff2", "0xc: d3d9 vs_3_0: v0 is used and not declared [bad-declaration]"},
    {"e5ef9f6c6f26", "0x8: d3d9 vs_2_0: crs has no value for all lanes of its mask [bad-operand]"},
    {"ecf198ba87f4", "0xc: d3d9 vs_3_0: aL is read outside any loop [bad-flow]"},
    {"f587ef8ac9d4",
     "0x10: d3d9 ps_1_3: texdp3tex of ps_1_3 does not take a shift by 3 [bad-operand]"},
    /* Made to have a table that is none. */
    {"e4498bf45a4a",
     "0xc: d3d9 vs_3_0: a constant table's header has 28 bytes, here are 16 [bad-table]"},
    /* Hand-shortened: the comment's length says more than there is. */
    {"501271cf6c7d",
     "0x1d0: d3d9 vs_2_0: the bytes end inside the comment of 123 words at 0x4 [truncated]"},
    {"bf8a5c7dc785",
     "0x144: d3d9 vs_2_0: the bytes end inside the comment of 88 words at 0x4 [truncated]"},
};

static const char *expected_refusal(const char *path)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strstr(path, refused[i].id))
            return refused[i].line;
    return NULL;
}

static void visit_case(const char *path, void *user)
{
    blob b;
    (void)user;
    if (strstr(path, ".bin") == NULL || !open_blob(&b, path))
        return;
    const char *expected = expected_refusal(path);
    iri_status status = iri_protect(&b.ctx, decode_body, &b);
    if (status == IRI_OK) {
        account_for_words(path, b.shader);
        status = iri_protect(&b.ctx, check_body, &b);
    }
    char line[512];
    iri_refusal_line(&b.why, NULL, line, sizeof line);
    if (status ? expected == NULL || strcmp(line, expected) != 0 : expected != NULL)
        FAIL("%s: %s", path, status ? line : "accepted");
    close_blob(&b);
}

TEST(d3d9_cases)
{
    char path[PATH_SIZE];
    shared_path(path, "cases/d3d9");
    if (visit_files(path, visit_case, NULL) == 0)
        SKIP("no ../shared/cases/d3d9");
}

/* A constant, an element or a member, as D3DX reports it. */
typedef struct found {
    const iri_d3d9_constant *constant;
    const char *name;
    const iri_d3d9_ctype *type;
    bool element;       /* one element of the type's */
    uint32_t registers; /* behind the constant's first */
} found;

static uint32_t registers_of(const found *f)
{
    uint32_t all = f->type->registers[f->constant->set];
    return f->element && f->type->elements > 1 ? all / f->type->elements : all;
}

/* `path` is "a", "a[1]", "a.b" or "a[1].b". */
static bool find_path(const iri_d3d9_ctab *ctab, const char *path, found *f)
{
    size_t length = strcspn(path, ".[");
    *f = (found){0};
    for (uint32_t i = 0; i < ctab->count && f->constant == NULL; i++)
        if (strlen(ctab->constants[i].name) == length &&
            memcmp(ctab->constants[i].name, path, length) == 0)
            f->constant = &ctab->constants[i];
    if (f->constant == NULL)
        return false;
    f->name = f->constant->name;
    f->type = f->constant->type;
    for (path += length; *path;) {
        if (*path == '[') {
            f->element = true;
            f->registers += (uint32_t)strtoul(path + 1, (char **)&path, 10) * registers_of(f);
            path++;
            continue;
        }
        const iri_d3d9_ctype *type = f->type;
        uint32_t i = 0;
        length = strcspn(++path, ".[");
        for (; i < type->member_count; i++) {
            if (strlen(type->members[i].name) == length &&
                memcmp(type->members[i].name, path, length) == 0)
                break;
            f->registers += type->members[i].type->registers[f->constant->set];
        }
        if (i == type->member_count)
            return false;
        f->name = type->members[i].name;
        f->type = type->members[i].type;
        f->element = false;
        path += length;
    }
    return true;
}

static uint32_t words_of_bytes(uint32_t set)
{
    return set == IRI_D3D9_SET_BOOL ? 1 : 4;
}

static void compare_defaults(const json *j, const json_node *expected, const iri_d3d9_ctab *ctab,
                             const found *f)
{
    const json_node *dword = json_get(j, expected, "default_dword_offset");
    const json_node *values = json_get(j, expected, "default_value");
    if (dword)
        CHECK_EQ_U32((f->constant->default_offset - ctab->offset) / 4 +
                         f->registers * words_of_bytes(f->constant->set),
                     (uint32_t)dword->number);
    uint32_t i = 0;
    for (const json_node *v = json_first(j, values); v; v = json_next(j, v), i++)
        if (CHECK(i < f->constant->default_words))
            CHECK_EQ_U32(iri_d3d9_default_word(f->constant, i), iri_f32_bits((float)v->number));
}

static void compare_constant(const json *j, const json_node *expected, const iri_d3d9_ctab *ctab)
{
    const char *path = json_string(j, expected, "path");
    found f;
    if (!find_path(ctab, path ? path : json_string(j, expected, "name"), &f)) {
        FAIL("%s is not in the table", path ? path : json_string(j, expected, "name"));
        return;
    }
    bool whole = f.type == f.constant->type && !f.element;
    uint32_t elements = f.element ? 1 : f.type->elements;
    uint32_t taken = f.registers < f.constant->count ? f.constant->count - f.registers : 0;
    uint32_t count = registers_of(&f);
    CHECK_STR(f.name, json_string(j, expected, "name"));
    CHECK_STR(iri_d3d9_set_name(f.constant->set), json_string(j, expected, "register_set"));
    CHECK_EQ_U32(f.constant->index + f.registers,
                 (uint32_t)json_number(j, expected, "register_index"));
    CHECK_EQ_U32(whole           ? f.constant->count
                 : count < taken ? count
                                 : taken,
                 (uint32_t)json_number(j, expected, "register_count"));
    CHECK_STR(iri_d3dx_class_name(f.type->class_), json_string(j, expected, "class"));
    CHECK_STR(iri_d3dx_type_name(f.type->type), json_string(j, expected, "type"));
    CHECK_EQ_U32(f.type->rows, (uint32_t)json_number(j, expected, "rows"));
    CHECK_EQ_U32(f.type->columns, (uint32_t)json_number(j, expected, "columns"));
    CHECK_EQ_U32(elements, (uint32_t)json_number(j, expected, "elements"));
    CHECK_EQ_U32(f.type->member_count, (uint32_t)json_number(j, expected, "struct_members"));
    CHECK_EQ_U32(f.type->bytes / f.type->elements * elements,
                 (uint32_t)json_number(j, expected, "bytes"));
    compare_defaults(j, expected, ctab, &f);
}

/* The table alone, for streams whose comment is longer than they are. */
static void ctab_body(iri_ctx *ctx, void *argument)
{
    blob *b = argument;
    b->ctab = iri_d3d9_ctab_parse(ctx, &b->arena, b->data + 12, (uint32_t)b->size - 12, 12, 0);
}

TEST(d3d9_constant_tables)
{
    char path[PATH_SIZE];
    size_t size = 0;
    uint32_t constants = 0;
    shared_path(path, "cases/d3d9/ctab/cases.json");
    char *text = (char *)read_file(path, &size);
    if (text == NULL)
        SKIP("no ../shared/cases/d3d9/ctab");
    json j;
    if (!CHECK(json_parse(&j, text))) {
        json_free(&j);
        return;
    }
    for (const json_node *c = json_first(&j, json_get(&j, &j.nodes[1], "cases")); c;
         c = json_next(&j, c)) {
        char rest[128];
        blob b;
        snprintf(rest, sizeof rest, "cases/d3d9/ctab/blobs/%s.bin", json_string(&j, c, "blob"));
        shared_path(path, rest);
        if (!CHECK(open_blob(&b, path)))
            continue;
        if (CHECK_EQ_INT(iri_protect(&b.ctx, expected_refusal(path) ? ctab_body : decode_body, &b),
                         IRI_OK))
            for (const json_node *e = json_first(&j, json_get(&j, c, "constants")); e;
                 e = json_next(&j, e)) {
                compare_constant(&j, e, b.ctab);
                constants++;
            }
        close_blob(&b);
    }
    CHECK(constants > 100);
    json_free(&j);
}

/* The part of a .test file below `heading`, up to the next heading; NUL-terminated in place. */
static char *section(char *text, const char *heading)
{
    char *at = strstr(text, heading);
    if (at == NULL || (at = strchr(at, '\n')) == NULL)
        return NULL;
    char *end = strstr(++at, "\n[");
    size_t size = end ? (size_t)(end - at) : strlen(at);
    char *copy = malloc(size + 1);
    if (copy) {
        memcpy(copy, at, size);
        while (size && (copy[size - 1] == '\n' || copy[size - 1] == ' '))
            size--;
        copy[size] = 0;
    }
    return copy;
}

/* Words of eight hex digits, bytes of two. */
static size_t parse_tokens(const char *text, uint8_t *bytes)
{
    size_t size = 0;
    while (*(text += strspn(text, " \n"))) {
        size_t digits = strspn(text, "0123456789abcdef");
        uint32_t word = (uint32_t)strtoul(text, NULL, 16);
        for (size_t i = 0; i < digits / 2; i++)
            bytes[size++] = (uint8_t)(word >> 8 * i);
        text += digits ? digits : 1;
    }
    return size;
}

static void visit_bad(const char *path, void *user)
{
    size_t size = 0;
    uint32_t *seen = user;
    char *text = (char *)read_file(path, &size);
    if (text == NULL || strstr(path, ".test") == NULL) {
        free(text);
        return;
    }
    char *input = section(text, "[input d3d9]"), *expected = section(text, "[expect]");
    blob b = {0};
    b.data = malloc(size + 1);
    if (CHECK(input && expected && b.data)) {
        char line[512];
        b.size = parse_tokens(input, b.data);
        iri_ctx_init(&b.ctx, NULL, NULL, &b.why);
        iri_arena_init(&b.arena, &b.ctx);
        if (iri_protect(&b.ctx, decode_body, &b) == IRI_OK &&
            iri_protect(&b.ctx, check_body, &b) == IRI_OK) {
            FAIL("%s is accepted", path);
        } else {
            iri_refusal_line(&b.why, NULL, line, sizeof line);
            if (strcmp(line, expected) != 0)
                FAIL("%s: %s", path, line);
            seen[b.why.status]++;
        }
        iri_arena_free(&b.arena);
    }
    free(b.data);
    free(input);
    free(expected);
    free(text);
}

TEST(d3d9_malformed)
{
    char path[PATH_SIZE] = "tests/cases/bad/d3d9";
    uint32_t seen[IRI_STATUS_COUNT] = {0};
    CHECK(visit_files(path, visit_bad, seen) > 40);
    for (uint32_t status = IRI_MALFORMED_TRUNCATED; status <= IRI_MALFORMED_DECLARATION; status++)
        if (seen[status] == 0)
            FAIL("no case of %s", iri_status_name((iri_status)status));
    CHECK(seen[IRI_UNSUPPORTED_VERSION] && seen[IRI_UNKNOWN_FORMAT]);
}
