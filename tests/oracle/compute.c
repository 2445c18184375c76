/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The compute programs of tests/fixtures/compute for a driver: writes each as WGSL with what it is bound to, and
 * compares what came back with the executor.
 *
 * Usage: oracle-compute make|compare DIR PROFILE       PROFILE: browser, naga
 */
#include "tests/unit/compute_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESOURCES = 16 };

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, mode);
    if (!file)
        perror(path);
    return file;
}

static iri_program *parse(const char *name)
{
    iri_program *p = NULL;
    iri_refusal why = {0};
    char *text = compute_read(name);
    if (!text || iri_parse_text(text, strlen(text), NULL, &p, &why) != IRI_OK)
        printf("%s: %s\n", name, text ? why.reason : "no such program");
    free(text);
    return p;
}

/* ---- making ---- */

typedef struct making {
    FILE *manifest, *data;
    size_t at; /* bytes of data so far */
} making;

static void put_json_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '\n')
            fputs("\\n", file);
        else if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else
            fputc(*text, file);
    }
    fputc('"', file);
}

static size_t put_data(making *m, const void *bytes, size_t size)
{
    static const char zeros[16];
    size_t at = m->at;
    fwrite(bytes, 1, size, m->data);
    m->at += size;
    while (m->at % 16)
        m->at += fwrite(zeros, 1, 16 - m->at % 16, m->data);
    return at;
}

static const iri_emitted_name *find_name(const iri_wgsl_map *map, uint32_t kind, uint32_t index)
{
    for (size_t i = 0; i < map->name_count; i++)
        if (map->names[i].kind == kind && map->names[i].index == index)
            return &map->names[i];
    return NULL;
}

static const char *kind_of(const iri_resource *r)
{
    switch ((iri_resource_kind)r->kind) {
    case IRI_RESOURCE_CBUFFER: return "uniform";
    case IRI_RESOURCE_TEXTURE: return "texture";
    case IRI_RESOURCE_SAMPLER: return "sampler";
    case IRI_RESOURCE_STORAGE_TEXTURE: return "image";
    default:
        return r->kind == IRI_RESOURCE_STORAGE_BUFFER && (r->access & 6) ? "storage"
                                                                         : "read-only-storage";
    }
}

static void put_texture(making *m, const iri_exec_texture *t, bool arrayed)
{
    const char *view = t->dimension == IRI_DIMENSION_3D ? "3d" : arrayed ? "2d-array" : "2d";
    fprintf(m->manifest, ",\"view\":\"%s\",\"size\":[%u,%u,%u],\"levels\":%u", view,
            (unsigned)t->width, (unsigned)t->height,
            (unsigned)(t->dimension == IRI_DIMENSION_3D ? t->depth : t->layers),
            (unsigned)t->levels);
}

static void put_binding(making *m, const compute_binding *b, const iri_resource *r,
                        const iri_emitted_name *at, const char *comma)
{
    fprintf(m->manifest, "%s{\"kind\":\"%s\",\"group\":%d,\"binding\":%d", comma, kind_of(r),
            (int)at->group, (int)at->binding);
    if (b) {
        fprintf(m->manifest, ",\"at\":%lu", (unsigned long)put_data(m, b->words, b->size * 4u));
        fprintf(m->manifest, ",\"bytes\":%u,\"out\":%s", (unsigned)b->size * 4,
                b->written ? "true" : "false");
        if (b->texture.width)
            put_texture(m, &b->texture, r->arrayed);
    }
    fprintf(m->manifest, "}");
}

static bool put_job(making *m, const compute_program *program, iri_profile profile,
                    const char *comma)
{
    static compute_run run;
    iri_program *p = parse(program->name);
    iri_text text = {0};
    iri_wgsl_map map = {0};
    iri_refusal why = {0};
    if (!p)
        return false;
    if (iri_write_wgsl(p, IRI_WGSL_OPTIONS(.profile = profile), &text, &map, &why) != IRI_OK) {
        printf("%s: %s\n", program->name, why.reason);
        iri_program_free(p);
        return false;
    }
    const iri_interface *io = iri_program_interface(p);
    memset(&run, 0, sizeof run);
    program->bind(&run);
    fprintf(m->manifest, "%s{\"name\":\"%s\",\"groups\":[%u,%u,%u],\"wgsl\":", comma, program->name,
            (unsigned)run.groups[0], (unsigned)run.groups[1], (unsigned)run.groups[2]);
    put_json_text(m->manifest, text.data);
    fprintf(m->manifest, ",\"bindings\":[");
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const compute_binding *bound = NULL;
        for (uint32_t k = 0; k < run.count; k++)
            if (iri_find_resource(p, run.bindings[k].name) == i)
                bound = &run.bindings[k];
        put_binding(m, bound, &io->resources[i], find_name(&map, 0, i), i ? "," : "");
    }
    /* Counters, in the order of what is bound, each a buffer that comes back. */
    for (uint32_t k = 0; k < run.count; k++) {
        const iri_emitted_name *at = find_name(&map, 5, iri_find_resource(p, run.bindings[k].name));
        if (at)
            fprintf(m->manifest,
                    ",{\"kind\":\"storage\",\"group\":%d,\"binding\":%d,\"at\":%lu,\"bytes\":4,"
                    "\"out\":true}",
                    (int)at->group, (int)at->binding,
                    (unsigned long)put_data(m, &run.bindings[k].counter, 4));
    }
    fprintf(m->manifest, "]}");
    iri_text_free(&text);
    iri_wgsl_map_free(&map);
    iri_program_free(p);
    return true;
}

static int make(const char *folder, iri_profile profile)
{
    making m = {open_in(folder, "manifest.json", "wb"), open_in(folder, "data.bin", "wb"), 0};
    uint32_t written = 0;
    if (!m.manifest || !m.data)
        return 1;
    fprintf(m.manifest, "{\"compute\":true,\"jobs\":[");
    for (uint32_t i = 0; i < compute_program_count; i++)
        written += put_job(&m, &compute_programs[i], profile, written ? ",\n" : "\n");
    fprintf(m.manifest, "]}\n");
    fclose(m.manifest);
    fclose(m.data);
    printf("%u programs\n", (unsigned)written);
    return written == compute_program_count ? 0 : 1;
}

/* ---- comparing ---- */

/* What the executor makes of a program. */
static bool execute(const iri_program *p, compute_run *run)
{
    iri_exec_resource resources[RESOURCES];
    iri_exec_memory memories[RESOURCES];
    iri_exec_batch batch = {.resources = resources, .resource_count = RESOURCES};
    iri_exec *e = NULL;
    iri_refusal why = {0};
    compute_resources(run, p, resources, memories);
    bool good = iri_exec_compile(p, NULL, &e, &why) == IRI_OK &&
                iri_exec_dispatch(e, &batch, run->groups, &why) == IRI_OK;
    if (!good)
        printf("the executor: %s\n", why.reason);
    for (uint32_t i = 0; good && i < run->count; i++)
        run->bindings[i].counter = memories[iri_find_resource(p, run->bindings[i].name)].counter;
    iri_exec_free(e);
    return good;
}

/* What a driver left in out.bin, in the order of the manifest. */
static bool read_back(FILE *out, long at, const iri_program *p, compute_run *run)
{
    const iri_interface *io = iri_program_interface(p);
    bool good = fseek(out, at, SEEK_SET) == 0;
    for (uint32_t i = 0; i < io->resource_count; i++)
        for (uint32_t k = 0; k < run->count; k++) {
            compute_binding *b = &run->bindings[k];
            if (iri_find_resource(p, b->name) == i && b->written)
                good = good && fread(b->words, 4, b->size, out) == b->size;
        }
    for (uint32_t k = 0; k < run->count; k++) {
        uint32_t resource = iri_find_resource(p, run->bindings[k].name);
        if (io->resources[resource].flags & IRI_RESOURCE_COUNTER)
            good = good && fread(&run->bindings[k].counter, 4, 1, out) == 1;
    }
    return good;
}

static bool compare_program(const compute_program *program, const char *line, FILE *out)
{
    static compute_run wanted, got;
    iri_program *p = parse(program->name);
    char what[160];
    const char *tab = strchr(line, '\t'), *why = tab ? strchr(tab + 1, '\t') : NULL;
    long at = tab ? strtol(tab + 1, NULL, 10) : -1;
    bool good = p != NULL;
    memset(&wanted, 0, sizeof wanted);
    memset(&got, 0, sizeof got);
    program->bind(&wanted);
    program->bind(&got);
    if (at < 0) {
        printf("%s: %s\n", program->name, why ? why + 1 : "no result");
        good = false;
    } else if (good) {
        good = execute(p, &wanted);
        if (!read_back(out, at, p, &got) || !compute_same(&got, &wanted, what, sizeof what)) {
            printf("%s: %s\n", program->name, what);
            good = false;
        }
    }
    iri_program_free(p);
    return good;
}

static int compare(const char *folder)
{
    FILE *out = open_in(folder, "out.bin", "rb"), *results = open_in(folder, "results.tsv", "r");
    uint32_t passed = 0, failed = 0;
    char line[512];
    while (out && results && fgets(line, sizeof line, results)) {
        line[strcspn(line, "\n")] = 0;
        for (uint32_t i = 0; i < compute_program_count; i++) {
            size_t size = strlen(compute_programs[i].name);
            if (strncmp(line, compute_programs[i].name, size) == 0 && line[size] == '\t') {
                if (compare_program(&compute_programs[i], line, out))
                    passed++;
                else
                    failed++;
            }
        }
    }
    if (passed + failed < compute_program_count)
        failed += compute_program_count - passed - failed;
    printf("%u passed, %u failed, 0 skipped\n", (unsigned)passed, (unsigned)failed);
    return failed != 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "make") == 0)
        return make(argv[2], strcmp(argv[3], "naga") == 0 ? IRI_PROFILE_NAGA : IRI_PROFILE_BROWSER);
    if (argc == 4 && strcmp(argv[1], "compare") == 0)
        return compare(argv[2]);
    fprintf(stderr, "usage: oracle-compute make|compare DIR PROFILE\n");
    return 2;
}
