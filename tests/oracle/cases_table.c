/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cases of constant tables: what D3DX reports for each constant, element and member, compared with what the
 * reader reads.
 */
#include "read/common/d3dx.h"
#include "read/d3d9/ctab.h"
#include "tests/oracle/run_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct table_job {
    bytes blob;
    iri_arena arena;
    const iri_d3d9_ctab *table;
} table_job;

static void whole_body(iri_ctx *ctx, void *argument)
{
    table_job *job = argument;
    job->table = iri_d3d9_ctab_read(
        ctx, &job->arena, iri_d3d9_decode(ctx, &job->arena, job->blob.at, job->blob.size, 0));
}

/* The table alone, for streams whose comment is longer than they are: version, comment token, tag, table. */
static void alone_body(iri_ctx *ctx, void *argument)
{
    table_job *job = argument;
    job->table = iri_d3d9_ctab_parse(ctx, &job->arena, job->blob.at + 12,
                                     (uint32_t)job->blob.size - 12, 12, 0);
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

static bool named(const char *name, const char *path, size_t length)
{
    return strlen(name) == length && memcmp(name, path, length) == 0;
}

static bool find_member(found *f, const char *path, size_t length)
{
    const iri_d3d9_ctype *type = f->type;
    for (uint32_t i = 0; i < type->member_count; i++) {
        if (named(type->members[i].name, path, length)) {
            f->name = type->members[i].name;
            f->type = type->members[i].type;
            f->element = false;
            return true;
        }
        f->registers += type->members[i].type->registers[f->constant->set];
    }
    return false;
}

/* `path` is "a", "a[1]", "a.b" or "a[1].b". */
static bool find_path(const iri_d3d9_ctab *table, const char *path, found *f)
{
    size_t length = strcspn(path, ".[");
    *f = (found){0};
    for (uint32_t i = 0; i < table->count && !f->constant; i++)
        if (named(table->constants[i].name, path, length))
            f->constant = &table->constants[i];
    if (!f->constant)
        return false;
    f->name = f->constant->name;
    f->type = f->constant->type;
    for (path += length; *path;) {
        if (*path == '[') {
            char *end;
            f->element = true;
            f->registers += (uint32_t)strtoul(path + 1, &end, 10) * registers_of(f);
            path = *end ? end + 1 : end;
            continue;
        }
        length = strcspn(++path, ".[");
        if (!find_member(f, path, length))
            return false;
        path += length;
    }
    return true;
}

static bool same_number(one_case *c, const json_node *expected, const char *key, uint32_t got)
{
    const json_node *n = json_get(c->j, expected, key);
    if (!n || (uint32_t)n->number == got)
        return true;
    snprintf(c->why, CASE_WHY, "%s: %s is %u, expected %g", json_string(c->j, expected, "name"),
             key, (unsigned)got, n->number);
    return false;
}

static bool same_text(one_case *c, const json_node *expected, const char *key, const char *got)
{
    const char *text = json_string(c->j, expected, key);
    if (!text || (got && strcmp(text, got) == 0))
        return true;
    snprintf(c->why, CASE_WHY, "%s: %s is %s, expected %s", json_string(c->j, expected, "name"),
             key, got ? got : "none", text);
    return false;
}

static bool same_defaults(one_case *c, const json_node *expected, const iri_d3d9_ctab *table,
                          const found *f)
{
    uint32_t i = 0, words = f->constant->set == IRI_D3D9_SET_BOOL ? 1 : 4;
    if (!same_number(c, expected, "default_dword_offset",
                     (f->constant->default_offset - table->offset) / 4 + f->registers * words))
        return false;
    for (const json_node *v = json_first(c->j, json_get(c->j, expected, "default_value")); v;
         v = json_next(c->j, v), i++) {
        float value = (float)v->number;
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        if (i >= f->constant->default_words || iri_d3d9_default_word(f->constant, i) != bits) {
            snprintf(c->why, CASE_WHY, "%s: default value %u is not %g", f->name, (unsigned)i,
                     v->number);
            return false;
        }
    }
    return true;
}

static bool same_constant(one_case *c, const json_node *expected, const iri_d3d9_ctab *table)
{
    const char *name = json_string(c->j, expected, "name"),
               *path = json_string(c->j, expected, "path");
    found f;
    if (!find_path(table, path ? path : name, &f)) {
        snprintf(c->why, CASE_WHY, "%s is not in the table", path ? path : name);
        return false;
    }
    bool whole = f.type == f.constant->type && !f.element;
    uint32_t all = f.type->elements ? f.type->elements : 1;
    uint32_t elements = f.element ? 1 : f.type->elements;
    uint32_t left = f.registers < f.constant->count ? f.constant->count - f.registers : 0;
    uint32_t count = registers_of(&f) < left ? registers_of(&f) : left;
    return same_text(c, expected, "name", f.name) &&
           same_text(c, expected, "register_set", iri_d3d9_set_name(f.constant->set)) &&
           same_number(c, expected, "register_index", f.constant->index + f.registers) &&
           same_number(c, expected, "register_count", whole ? f.constant->count : count) &&
           same_text(c, expected, "class", iri_d3dx_class_name(f.type->class_)) &&
           same_text(c, expected, "type", iri_d3dx_type_name(f.type->type)) &&
           same_number(c, expected, "rows", f.type->rows) &&
           same_number(c, expected, "columns", f.type->columns) &&
           same_number(c, expected, "elements", elements) &&
           same_number(c, expected, "struct_members", f.type->member_count) &&
           same_number(c, expected, "bytes", f.type->bytes / all * elements) &&
           same_defaults(c, expected, table, &f);
}

verdict run_table(one_case *c)
{
    table_job job = {.blob = read_blob(c->folder, json_string(c->j, c->node, "blob"))};
    iri_refusal why = {0};
    iri_ctx ctx;
    verdict v = CASE_FAILED;
    if (!job.blob.at) {
        snprintf(c->why, CASE_WHY, "no such blob");
        return CASE_FAILED;
    }
    iri_ctx_init(&ctx, NULL, NULL, &why);
    iri_arena_init(&job.arena, &ctx);
    iri_status status = iri_protect(&ctx, whole_body, &job);
    if (status == IRI_MALFORMED_TRUNCATED && job.blob.size > 12)
        status = iri_protect(&ctx, alone_body, &job);
    if (status != IRI_OK) {
        iri_refusal_line(&why, NULL, c->why, CASE_WHY);
    } else if (!job.table) {
        snprintf(c->why, CASE_WHY, "no constant table");
    } else {
        v = CASE_PASSED;
        for (const json_node *e = json_first(c->j, json_get(c->j, c->node, "constants"));
             e && v == CASE_PASSED; e = json_next(c->j, e))
            v = same_constant(c, e, job.table) ? CASE_PASSED : CASE_FAILED;
    }
    iri_arena_free(&job.arena);
    free(job.blob.at);
    return v;
}
