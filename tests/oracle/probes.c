/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs the probes of tests/probes: each shader as read and as lifted against the numbers worked by hand, and what
 * Wine's Direct3D 9 was recorded to give, which has to be the same or to carry a reason. Then asks whether every
 * instruction, modifier and register has a probe in every group of models. Ends with `N passed, N failed, N skipped`.
 *
 * Usage: iri-probes [-v] [WORD]     WORD: only probes whose name contains it, and no question of what is covered
 */
#include "tests/oracle/probes.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "tests/probes"

enum { FILES = 64, REASONS = 64, NAMES = 1024, FEWEST = 300 };

typedef struct runner {
    const char *only;
    bool verbose;
    uint32_t passed, failed;
    uint32_t probes, same, differing, unseen; /* of Wine's answers */
    const char *reasons[REASONS];
    uint32_t used[REASONS], reason_count;
    char names[NAMES][64];
} runner;

/* ---- reading ---- */

float probe_number(const char *word)
{
    const float max = 3.40282346638528859812e38f;
    bool negative = word[0] == '-';
    if (strncmp(word, "0x", 2) == 0)
        return stage_float((uint32_t)strtoul(word, NULL, 16));
    if (strcmp(word + negative, "max") == 0)
        return negative ? -max : max;
    return strtof(word, NULL);
}

const probe_line *probe_next(const probe *p, const char *key, const probe_line *from)
{
    for (uint32_t i = from ? (uint32_t)(from - p->lines) + 1 : 0; i < p->count; i++)
        if (strcmp(p->lines[i].words[0], key) == 0)
            return &p->lines[i];
    return NULL;
}

static char *take_line(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    *at = end ? end + 1 : line + strlen(line);
    if (end)
        *end = 0;
    return line + strspn(line, " ");
}

static bool read_code(probe *p, char *line)
{
    for (char *w = strtok(line, " "); w; w = strtok(NULL, " ")) {
        if (p->code_count == PROBE_CODE)
            return false;
        p->code[p->code_count++] = (uint32_t)strtoul(w, NULL, 16);
    }
    return true;
}

static bool read_line(probe *p, char *line)
{
    static const char *const prose[] = {"by ", "asm ", "hand ", "says "};
    if (strncmp(line, "code ", 5) == 0)
        return read_code(p, line + 5);
    if (p->count == PROBE_LINES)
        return false;
    probe_line *l = &p->lines[p->count++];
    l->count = 0;
    for (size_t i = 0; i < sizeof prose / sizeof *prose; i++)
        if (strncmp(line, prose[i], strlen(prose[i])) == 0) {
            line[strlen(prose[i]) - 1] = 0;
            l->words[l->count++] = line;
            l->rest = line + strlen(prose[i]);
            return true;
        }
    for (char *w = strtok(line, " "); w; w = strtok(NULL, " ")) {
        if (l->count == PROBE_WORDS)
            return false;
        l->words[l->count++] = w;
    }
    l->rest = l->count > 1 ? l->words[1] : "";
    return true;
}

bool probe_parse(char *text, const char *file, void (*take)(void *user, const probe *p), void *user,
                 char why[CASE_WHY])
{
    static probe p;
    const char *frames[PROBE_FRAMES + 1] = {NULL};
    uint32_t number = 0, frame_count = 0;
    p = (probe){.name = NULL};
    while (*text) {
        char *line = take_line(&text);
        number++;
        if (strncmp(line, "probe ", 6) == 0) {
            if (p.name)
                take(user, &p);
            p = (probe){.name = line + 6, .file = file, .frames = frames, .line = number};
        } else if (strncmp(line, "frame ", 6) == 0 && frame_count < PROBE_FRAMES) {
            frames[frame_count++] = line + 6;
        } else if (p.name && *line && !read_line(&p, line)) {
            snprintf(why, CASE_WHY, "%.200s:%u: a line of too many words", file, (unsigned)number);
            return false;
        }
    }
    if (p.name)
        take(user, &p);
    return true;
}

/* The first words of reasons.txt's lines. */
static void read_reasons(runner *r, char *text)
{
    while (*text && r->reason_count < REASONS) {
        char *line = take_line(&text);
        if (*line && *line != '#') {
            line[strcspn(line, " ")] = 0;
            r->reasons[r->reason_count++] = line;
        }
    }
}

/* ---- checking ---- */

static void report(runner *r, const probe *p, const char *what, bool good, const char *why)
{
    r->passed += good;
    r->failed += !good;
    if (!good || r->verbose)
        printf("%s:%u: %s, %s: %s%s%s\n", p->file, (unsigned)p->line, p->name, what,
               good ? "passed" : "FAILED", *why ? ": " : "", why);
}

/* Wine's line for one `want`, in order. */
static bool wine_agrees(const probe *p)
{
    const probe_line *wine = probe_next(p, "wine", NULL);
    for (const probe_line *want = probe_next(p, "want", NULL); want;
         want = probe_next(p, "want", want)) {
        float got[LANES] = {0};
        if (!wine || strcmp(wine->words[1], want->words[1]) != 0)
            return false;
        for (uint32_t k = 0; k < LANES && k + 2 < wine->count; k++)
            got[k] = probe_number(wine->words[k + 2]);
        if (strcmp(want->words[1], "killed") != 0 && !probe_same(p, want, got, wine->count - 2))
            return false;
        wine = probe_next(p, "wine", wine);
    }
    return true;
}

static bool check_wine(runner *r, const probe *p, char why[CASE_WHY])
{
    const probe_line *says = probe_next(p, "says", NULL), *wine = probe_next(p, "wine", NULL);
    bool agrees = wine_agrees(p), known = false;
    for (uint32_t i = 0; says && i < r->reason_count; i++)
        if (strcmp(r->reasons[i], says->rest) == 0) {
            known = true;
            r->used[i]++;
        }
    if (!wine || wine->count < 2)
        return stage_fail(why, "no answer of Wine's is recorded", NULL);
    r->same += agrees;
    r->unseen += strcmp(wine->words[1], "unseen") == 0;
    r->differing += !agrees && strcmp(wine->words[1], "unseen") != 0;
    if (agrees && says)
        return stage_fail(why, "Wine's answer is the same, and has a reason all the same", NULL);
    if (!agrees && !says)
        return stage_fail(why, "Wine's answer differs without a reason", NULL);
    if (says && !known)
        return stage_fail(why, "no such reason in reasons.txt", says->rest);
    return true;
}

static void take_probe(void *user, const probe *p)
{
    runner *r = user;
    char why[CASE_WHY] = "";
    bool good = true;
    if (r->only && !strstr(p->name, r->only))
        return;
    for (uint32_t i = 0; i < r->probes && i < NAMES && good; i++)
        good = strcmp(r->names[i], p->name) != 0;
    if (!good)
        report(r, p, "name", false, "another probe has it");
    snprintf(r->names[r->probes % NAMES], sizeof r->names[0], "%s", p->name);
    r->probes++;
    if (!probe_next(p, "by", NULL) || !probe_next(p, "want", NULL))
        report(r, p, "lines", false, "no definition, or nothing wanted");
    if (!cover_add(p, why))
        report(r, p, "decoding", false, why);
    report(r, p, "assembled", probe_assemble(p, why), why);
    why[0] = 0;
    report(r, p, "as read", probe_run(p, true, why), why);
    why[0] = 0;
    report(r, p, "lifted", probe_run(p, false, why), why);
    why[0] = 0;
    report(r, p, "Wine", check_wine(r, p, why), why);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static uint32_t list_files(char names[FILES][256])
{
    DIR *dir = opendir(FOLDER);
    uint32_t count = 0;
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL && count < FILES;) {
        const char *dot = strrchr(e->d_name, '.');
        if (dot && strcmp(dot, ".probes") == 0 && strlen(e->d_name) < 200)
            snprintf(names[count++], 256, FOLDER "/%.200s", e->d_name);
    }
    if (dir)
        closedir(dir);
    qsort(names, count, 256, by_name);
    return count;
}

static void check_all(runner *r)
{
    uint32_t holes = cover_report();
    printf(
        "%u probes; Wine's answer is the same in %u, differs with a reason in %u, cannot be seen in %u\n",
        (unsigned)r->probes, (unsigned)r->same, (unsigned)r->differing, (unsigned)r->unseen);
    r->passed += holes == 0;
    r->failed += holes != 0;
    for (uint32_t i = 0; i < r->reason_count; i++)
        if (!r->used[i]) {
            printf(FOLDER "/reasons.txt: %s: no probe has it\n", r->reasons[i]);
            r->failed++;
        }
    if (r->probes < FEWEST) {
        printf("fewer than %d probes\n", FEWEST);
        r->failed++;
    }
}

int main(int argc, char **argv)
{
    static runner r;
    static char files[FILES][256];
    uint32_t count = list_files(files);
    bytes reasons = read_bytes(FOLDER "/reasons.txt");
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-v") == 0)
            r.verbose = true;
        else
            r.only = argv[i];
    if (reasons.at)
        read_reasons(&r, (char *)reasons.at);
    for (uint32_t i = 0; i < count; i++) {
        bytes text = read_bytes(files[i]);
        char why[CASE_WHY] = "no such file";
        if (!text.at || !probe_parse((char *)text.at, files[i], take_probe, &r, why)) {
            printf("%s\n", why);
            r.failed++;
        }
        free(text.at);
    }
    if (!r.only)
        check_all(&r);
    free(reasons.at);
    printf("%u passed, %u failed, 0 skipped\n", (unsigned)r.passed, (unsigned)r.failed);
    return r.failed || r.passed == 0;
}
