/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs cases with expected numbers: every cases.json and simple.tsv below a folder, of the schema that
 * ../shared/cases/README.md describes. What a case is follows from its fields, so any folder of the schema can
 * be given. Prints a table by group and ends with `N passed, N failed, N skipped`.
 *
 * Usage: iri-run-cases [--group GROUP] [--verbose] [DIR]     DIR: ../shared/cases/d3d9 when absent
 */
#include "tests/oracle/run_cases.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { GROUPS = 256, REASONS = 32, FIELDS = 8 };

/* Cases that no reading of the sources makes right: where they fail they are skipped with the reason. At most
 * three of a group, each with a source that says so. */
static const struct {
    const char *group, *name, *reason;
} doubtful[] = {
    {"d3d9/corpus", "d3dx9/shader_with_invalid_ctab",
     "doubtful: made to have a constant table shorter than D3DXSHADER_CONSTANTTABLE; refused as such"},
};

typedef struct group {
    char name[128];
    uint32_t counts[3]; /* by verdict */
    char reasons[REASONS][96];
    uint32_t skipped[REASONS];
} group;

typedef struct runner {
    const char *only; /* NULL: all groups */
    bool verbose;
    group groups[GROUPS];
    uint32_t group_count;
} runner;

/* ---- files ---- */

bytes read_blob(const char *folder, const char *id)
{
    char path[CASE_PATH];
    snprintf(path, sizeof path, "%s/blobs/%s.bin", folder, id ? id : "");
    return read_bytes(path);
}

bool is_d3d9(bytes b)
{
    return b.at && b.size >= 4 && (b.at[2] == 0xfe || b.at[2] == 0xff) && b.at[3] == 0xff;
}

bool is_dxbc(bytes b)
{
    return b.at && b.size >= 4 && memcmp(b.at, "DXBC", 4) == 0;
}

/* ---- counting ---- */

static group *group_named(runner *r, const char *name)
{
    for (uint32_t i = 0; i < r->group_count; i++)
        if (strcmp(r->groups[i].name, name) == 0)
            return &r->groups[i];
    if (r->group_count == GROUPS)
        return &r->groups[GROUPS - 1];
    group *g = &r->groups[r->group_count++];
    size_t length = strlen(name), most = sizeof g->name - 1;
    memcpy(g->name, length > most ? name + length - most : name, length > most ? most : length);
    return g;
}

static void count_case(runner *r, group *g, const char *name, verdict v, const char *why)
{
    static const char *const words[] = {"passed", "FAILED", "skipped"};
    g->counts[v]++;
    if (v == CASE_FAILED || r->verbose)
        printf("%s: %s: %s%s%s\n", g->name, name, words[v], *why ? ": " : "", why);
    for (uint32_t i = 0; v == CASE_SKIPPED && i < REASONS; i++)
        if (!g->reasons[i][0] || strncmp(g->reasons[i], why, sizeof g->reasons[i] - 1) == 0) {
            snprintf(g->reasons[i], sizeof g->reasons[i], "%s", why);
            g->skipped[i]++;
            break;
        }
}

static int print_table(const runner *r)
{
    uint32_t total[3] = {0, 0, 0};
    for (uint32_t i = 0; i < r->group_count; i++) {
        const group *g = &r->groups[i];
        printf("%-28s %5u passed %5u failed %5u skipped\n", g->name, (unsigned)g->counts[0],
               (unsigned)g->counts[1], (unsigned)g->counts[2]);
        for (uint32_t k = 0; k < REASONS && g->reasons[k][0]; k++)
            printf("    skipped %u: %s\n", (unsigned)g->skipped[k], g->reasons[k]);
        for (int k = 0; k < 3; k++)
            total[k] += g->counts[k];
    }
    printf("%u passed, %u failed, %u skipped\n", (unsigned)total[0], (unsigned)total[1],
           (unsigned)total[2]);
    return total[1] || total[0] + total[1] + total[2] == 0;
}

/* ---- cases ---- */

/* Lifts as the command does when told nothing; false and `why` when refused. */
static bool lift(bytes blob, iri_program **p, iri_refusal *refusal, char why[CASE_WHY])
{
    iri_state state = IRI_STATE_D3D9_DEFAULT;
    if (iri_lift(blob.at, blob.size,
                 IRI_LIFT_OPTIONS(.state = &state, .uninitialized = IRI_UNINITIALIZED_ZERO), p,
                 NULL, refusal) == IRI_OK)
        return true;
    iri_refusal_line(refusal, NULL, why, CASE_WHY);
    return false;
}

/* Lines of assembly and the token stream that they have to make. It is listed and assembled again, too. */
static verdict run_assembly(one_case *c, bytes blob)
{
    char text[4096];
    size_t size = 0;
    iri_text made = {0}, listing = {0}, again = {0};
    iri_refusal refusal;
    const json_node *lines = json_get(c->j, c->node, "text");
    for (const json_node *n = json_first(c->j, lines); n; n = json_next(c->j, n)) {
        int length = snprintf(text + size, sizeof text - size, "%s\n", n->text);
        if (length < 0 || (size_t)length >= sizeof text - size) {
            snprintf(c->why, CASE_WHY, "more text than the test takes");
            return CASE_FAILED;
        }
        size += (size_t)length;
    }
    bool refused = iri_assemble(text, size, NULL, &made, &refusal) != IRI_OK ||
                   iri_disassemble(blob.at, blob.size, NULL, &listing, &refusal) != IRI_OK ||
                   iri_assemble(listing.data, listing.size, NULL, &again, &refusal) != IRI_OK;
    bool first = made.size == blob.size && memcmp(made.data, blob.at, blob.size) == 0;
    bool second = again.size == blob.size && memcmp(again.data, blob.at, blob.size) == 0;
    if (refused)
        iri_refusal_line(&refusal, NULL, c->why, CASE_WHY);
    else if (!first || !second)
        snprintf(c->why, CASE_WHY, "other tokens%s", first ? " from its listing" : "");
    iri_text_free(&made);
    iri_text_free(&listing);
    iri_text_free(&again);
    return !refused && first && second ? CASE_PASSED : CASE_FAILED;
}

/* No expectation: it must be read, and written as WGSL unless that cannot say it (a vertex program without a
 * position, for one); then `why` says so. */
static verdict run_corpus(one_case *c, bytes blob)
{
    iri_program *p;
    iri_refusal refusal;
    iri_text text;
    if (!lift(blob, &p, &refusal, c->why))
        return CASE_FAILED;
    iri_status status = iri_write_wgsl(p, NULL, &text, NULL, &refusal);
    if (status == IRI_OK)
        iri_text_free(&text);
    else
        iri_refusal_line(&refusal, NULL, c->why, CASE_WHY);
    iri_program_free(p);
    iri_status_kind kind = iri_status_kind_of(status);
    return kind == IRI_KIND_OK || kind == IRI_KIND_TARGET ? CASE_PASSED : CASE_FAILED;
}

static uint32_t words_of(const json *j, const json_node *list, uint32_t *to, uint32_t count)
{
    uint32_t n = 0;
    for (const json_node *v = json_first(j, list); v && n < count; v = json_next(j, v))
        to[n++] = (uint32_t)(int64_t)v->number;
    return n;
}

/* "stage", constants of buffer 0 and bits of output 0, as later models' cases are. */
static verdict run_bits(one_case *c, bytes blob)
{
    static uint32_t words[4096];
    const json_node *expect = json_get(c->j, c->node, "expect"),
                    *cb = json_get(c->j, c->node, "cb");
    const char *type = json_string(c->j, expect, "type");
    probe p = {.cb = words, .ulps = (uint32_t)json_number(c->j, expect, "ulps")};
    p.cb_count = words_of(c->j, json_get(c->j, cb, "0"), words, 4096);
    p.count = words_of(c->j, json_get(c->j, expect, "bits"), p.expected, 8);
    snprintf(p.type, sizeof p.type, "%s", type ? type : "");
    bytes copy = {malloc(blob.size + 1), blob.size};
    if (!copy.at)
        return CASE_FAILED;
    memcpy(copy.at, blob.at, blob.size);
    return run_probe(copy, &p, c->why);
}

static verdict run_case(one_case *c)
{
    static const char *const keys[] = {"blob", "ps", "vs", "cs", "gs", "hs", "ds"};
    bytes blob = {NULL, 0};
    verdict v;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !blob.at; i++)
        if (json_string(c->j, c->node, keys[i]))
            blob = read_blob(c->folder, json_string(c->j, c->node, keys[i]));
    if (!blob.at) {
        snprintf(c->why, CASE_WHY, "no such blob");
        return CASE_FAILED;
    }
    if (is_dxbc(blob)) {
        snprintf(c->why, CASE_WHY, "dxbc: no reader yet");
        v = CASE_SKIPPED;
    } else if (json_get(c->j, c->node, "run")) {
        v = run_visual(c);
    } else if (json_get(c->j, c->node, "constants")) {
        v = run_table(c);
    } else if (!is_d3d9(blob)) {
        snprintf(c->why, CASE_WHY, "neither a Direct3D 9 stream nor a dxbc container");
        v = CASE_FAILED;
    } else if (json_get(c->j, c->node, "text")) {
        v = run_assembly(c, blob);
    } else if (json_get(c->j, c->node, "expect")) {
        v = run_bits(c, blob);
    } else {
        v = run_corpus(c, blob);
    }
    free(blob.at);
    return v;
}

static const char *doubt_of(const char *group_name, const char *name)
{
    for (size_t i = 0; name && i < sizeof doubtful / sizeof *doubtful; i++)
        if (strcmp(doubtful[i].group, group_name) == 0 && strcmp(doubtful[i].name, name) == 0)
            return doubtful[i].reason;
    return NULL;
}

static void run_json(runner *r, const char *folder, const char *path)
{
    bytes text = read_bytes(path);
    json j;
    if (!text.at)
        return;
    if (!json_parse(&j, (char *)text.at)) {
        count_case(r, group_named(r, path), "cases.json", CASE_FAILED, "no JSON");
        json_free(&j);
        return;
    }
    const char *name = json_string(&j, &j.nodes[1], "group");
    group *g = group_named(r, name ? name : folder);
    for (const json_node *n = json_first(&j, json_get(&j, &j.nodes[1], "cases")); n;
         n = json_next(&j, n)) {
        one_case c = {.folder = folder, .j = &j, .node = n};
        const char *case_name = json_string(&j, n, "name");
        verdict v = run_case(&c);
        if (v == CASE_FAILED && doubt_of(g->name, case_name)) {
            snprintf(c.why, sizeof c.why, "%s", doubt_of(g->name, case_name));
            v = CASE_SKIPPED;
        }
        count_case(r, g, case_name ? case_name : "?", v, c.why);
    }
    json_free(&j);
}

/* ---- rows ---- */

static uint32_t hex_words(const char *text, uint32_t *to, uint32_t count)
{
    uint32_t n = 0;
    while (*text && strcmp(text, "-") != 0 && n < count) {
        char *end;
        to[n++] = (uint32_t)strtoul(text, &end, 16);
        text = *end == ',' ? end + 1 : "";
    }
    return n;
}

static verdict run_row(const char *folder, char *fields[FIELDS], char why[CASE_WHY])
{
    static uint32_t words[8192 * 4];
    bytes blob = read_blob(folder, fields[2]);
    probe p = {.cb = words, .ulps = (uint32_t)strtoul(fields[6], NULL, 10)};
    char *end;
    if (is_dxbc(blob) || !is_d3d9(blob)) {
        snprintf(why, CASE_WHY, "%s", is_dxbc(blob) ? "dxbc: no reader yet" : "no such blob");
        verdict v = is_dxbc(blob) ? CASE_SKIPPED : CASE_FAILED;
        free(blob.at);
        return v;
    }
    p.cb_count = hex_words(fields[3], words, 8192 * 4);
    p.pixel[0] = strtof(fields[4], &end);
    p.pixel[1] = *end == ',' ? strtof(end + 1, NULL) : 0;
    snprintf(p.type, sizeof p.type, "%s", fields[5]);
    p.count = hex_words(fields[7], p.expected, 8);
    return run_probe(blob, &p, why);
}

static void run_rows(runner *r, const char *folder, const char *path)
{
    bytes text = read_bytes(path);
    char name[160];
    if (!text.at)
        return;
    /* The group is what the folder's path ends with, as cases.json names it. */
    const char *tail = folder + strlen(folder);
    for (int slashes = 0; tail > folder && slashes < 2; tail--)
        slashes += tail[-1] == '/' && (slashes == 1 || *tail);
    snprintf(name, sizeof name, "%s (rows)", *tail == '/' ? tail + 1 : tail);
    group *g = group_named(r, name);
    for (char *line = (char *)text.at, *next; line && *line; line = next) {
        char *fields[FIELDS], why[CASE_WHY] = "";
        uint32_t n = 0;
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        if (*line && line[strlen(line) - 1] == '\r')
            line[strlen(line) - 1] = 0;
        for (char *at = line; at && n < FIELDS; n++) {
            fields[n] = at;
            at = strchr(at, '\t');
            if (at)
                *at++ = 0;
        }
        if (n == FIELDS) {
            verdict v = run_row(folder, fields, why);
            count_case(r, g, fields[0], v, why);
        } else if (*line) {
            count_case(r, g, line, CASE_FAILED, "a row of fewer than eight fields");
        }
    }
    free(text.at);
}

/* ---- folders ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool wanted(const runner *r, const char *path)
{
    const char *at = r->only ? strstr(path, r->only) : path;
    size_t length = r->only ? strlen(r->only) : 0;
    for (; r->only && at; at = strstr(at + 1, r->only))
        if ((at == path || at[-1] == '/') && (at[length] == 0 || at[length] == '/'))
            return true;
    return !r->only;
}

static void run_folder(runner *r, const char *folder)
{
    char path[CASE_PATH];
    char *names[1024];
    size_t count = 0;
    struct dirent *entry;
    DIR *dir = opendir(folder);
    while (dir && (entry = readdir(dir)) != NULL && count < 1024)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "blobs") != 0) {
            names[count] = malloc(strlen(entry->d_name) + 1);
            if (names[count])
                strcpy(names[count++], entry->d_name);
        }
    if (dir)
        closedir(dir);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (is_folder(path))
            run_folder(r, path);
        else if (strcmp(names[i], "cases.json") == 0 && wanted(r, folder))
            run_json(r, folder, path);
        else if (strcmp(names[i], "simple.tsv") == 0 && wanted(r, folder))
            run_rows(r, folder, path);
        free(names[i]);
    }
}

int main(int argc, char **argv)
{
    static runner r;
    static char folder[CASE_PATH];
    const char *shared = getenv("IRIDIA_SHARED");
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--verbose") == 0) {
            r.verbose = true;
        } else if (strcmp(argv[i], "--group") == 0 && i + 1 < argc) {
            r.only = argv[++i];
        } else if (argv[i][0] != '-' && !folder[0]) {
            snprintf(folder, sizeof folder, "%s", argv[i]);
        } else {
            fprintf(stderr, "usage: iri-run-cases [--group GROUP] [--verbose] [DIR]\n");
            return 2;
        }
    }
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/cases/d3d9", shared ? shared : "../shared");
        if (!is_folder(folder)) {
            printf("skipped: no ../shared/cases/d3d9\n0 passed, 0 failed, 1 skipped\n");
            return 0;
        }
    }
    while (strlen(folder) > 1 && folder[strlen(folder) - 1] == '/')
        folder[strlen(folder) - 1] = 0;
    run_folder(&r, folder);
    if (!r.group_count)
        printf("no cases in %s\n", folder);
    return print_table(&r);
}
