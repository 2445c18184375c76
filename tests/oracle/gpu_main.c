/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes jobs for a driver and compares what it computed with the executor; runs programs after each pass.
 *
 * Usage: oracle-gpu make|compare DIR PROFILE [--ops] [SHADER...]
 *        oracle-gpu passes DIR [--ops] [SHADER...]
 *        oracle-gpu shrink DIR TARGET... SHADER
 * PROFILE: browser, naga, vulkan1.1, vulkan1.3. SHADER "-": names follow on the standard input.
 * TARGET: passes, or PROFILE=COMMAND; the first is the one to shrink on. --plant A=B before all: targets say the
 * operation B for A.
 */
#include "tests/oracle/gpu_shrink.h"

#include <stdlib.h>
#include <string.h>

/* What is run, and what came of it. */
typedef struct work {
    gpu_folder folder;
    gpu_mode mode;
    gpu_tally operations, shaders;
} work;

static void each(work *w, char **names)
{
    for (; *names; names++) {
        char line[1024];
        if (strcmp(*names, "--ops") == 0) {
            gpu_ops(&w->folder, w->mode, &w->operations);
        } else if (strcmp(*names, "-") == 0) {
            while (fgets(line, sizeof line, stdin)) {
                line[strcspn(line, "\n")] = 0;
                gpu_shader(&w->folder, line, w->mode, &w->shaders);
            }
        } else {
            gpu_shader(&w->folder, *names, w->mode, &w->shaders);
        }
    }
}

static unsigned long long ull(uint64_t n)
{
    return n;
}

/* Prints what was compared. Of the lanes of shaders that may vary, at least nine tenths have to be finite and
 * vary: otherwise the inputs prove little. */
static bool report(const char *what, const gpu_tally *t)
{
    uint64_t good = t->exact + t->within;
    uint64_t compared = good + t->uncertain + t->not_finite + t->constant;
    double share = compared ? 100.0 * (double)good / (double)compared : 100.0;
    if (!t->lanes)
        return true;
    printf("%s: %u compared, lanes %llu: exact %llu, within the bound %llu, ", what,
           (unsigned)(t->passed + t->failed), ull(t->lanes), ull(t->exact), ull(t->within));
    if (!t->sets) {
        printf("free %llu\n", ull(t->free_lanes));
        return true;
    }
    printf("uncertain %llu, not finite %llu, constant %llu, fixed %llu, killed %llu\n",
           ull(t->uncertain), ull(t->not_finite), ull(t->constant), ull(t->fixed), ull(t->killed));
    printf(
        "%s: %llu input sets, %llu flips, %.1f %% of the lanes that may vary are finite and do\n",
        what, ull(t->sets), ull(t->flips), share);
    if (share < 90)
        printf("%s: that is less than 90 %%\n", what);
    return share >= 90;
}

static void report_passes(const char *what, const gpu_tally *t)
{
    if (t->lanes)
        printf(
            "%s: %u run after each pass on %llu input sets, lanes %llu: same %llu, killed %llu\n",
            what, (unsigned)(t->passed + t->failed), ull(t->sets), ull(t->lanes), ull(t->exact),
            ull(t->killed));
}

static int end(const work *w, bool enough)
{
    uint32_t failed = w->operations.failed + w->shaders.failed + !enough;
    printf("%u passed, %u failed, %u skipped\n",
           (unsigned)(w->operations.passed + w->shaders.passed), (unsigned)failed,
           (unsigned)(w->operations.skipped + w->shaders.skipped));
    return failed != 0;
}

static int make(work *w, char **names)
{
    if (!gpu_begin(&w->folder)) {
        fprintf(stderr, "cannot write into %s\n", w->folder.path);
        return 2;
    }
    each(w, names);
    gpu_end(&w->folder);
    printf("%u jobs\n", (unsigned)w->folder.written);
    return w->shaders.failed + w->operations.failed != 0;
}

static int compare(work *w, char **names)
{
    if (!gpu_open_results(&w->folder)) {
        fprintf(stderr, "no results in %s\n", w->folder.path);
        return 2;
    }
    each(w, names);
    gpu_close_results(&w->folder);
    bool enough = report("operations", &w->operations);
    enough &= report("shaders", &w->shaders);
    return end(w, enough);
}

static int passes(work *w, char **names)
{
    each(w, names);
    report_passes("operations", &w->operations);
    report_passes("shaders", &w->shaders);
    return end(w, true);
}

static iri_profile profile_of(const char *name)
{
    static const char *const names[IRI_PROFILE_COUNT] = {"browser", "naga", "vulkan1.1",
                                                         "vulkan1.3"};
    int i = 0;
    while (i < IRI_PROFILE_COUNT && strcmp(name, names[i]) != 0)
        i++;
    return (iri_profile)i;
}

static int shrink(const char *folder, char **names)
{
    static gpu_target targets[GPU_TARGETS];
    uint32_t count = 0;
    for (; names[0] && names[1] && count < GPU_TARGETS; names++) {
        gpu_target *t = &targets[count++];
        size_t length = strcspn(names[0], "=");
        snprintf(t->name, sizeof t->name, "%.*s", (int)length, names[0]);
        t->command = names[0][length] ? names[0] + length + 1 : NULL;
        t->profile = t->command ? profile_of(t->name) : IRI_PROFILE_BROWSER;
        if (t->profile == IRI_PROFILE_COUNT || (!t->command && strcmp(t->name, "passes") != 0))
            return -1;
    }
    return count && names[0] ? gpu_shrink(folder, targets, count, names[0]) == 0 : -1;
}

static int run(const char *what, char **arguments)
{
    static work w;
    w.folder.path = arguments[0];
    if (strcmp(what, "passes") == 0) {
        w.mode = GPU_PASSES;
        return passes(&w, arguments + 1);
    }
    if (strcmp(what, "shrink") == 0)
        return shrink(arguments[0], arguments + 1);
    w.mode = strcmp(what, "compare") == 0 ? GPU_COMPARE : GPU_MAKE;
    w.folder.profile = arguments[1] ? profile_of(arguments[1]) : IRI_PROFILE_COUNT;
    if (w.folder.profile == IRI_PROFILE_COUNT)
        return -1;
    if (w.mode == GPU_COMPARE)
        return compare(&w, arguments + 2);
    return strcmp(what, "make") == 0 ? make(&w, arguments + 2) : -1;
}

int main(int argc, char **argv)
{
    int status = -1;
    if (argc > 2 && strcmp(argv[1], "--plant") == 0) {
        if (!gpu_plant(argv[2])) {
            fprintf(stderr, "no such operations: %s\n", argv[2]);
            return 2;
        }
        argc -= 2;
        argv += 2;
    }
    if (argc > 2)
        status = run(argv[1], argv + 2);
    if (status >= 0)
        return status;
    fprintf(stderr, "usage: oracle-gpu make|compare DIR browser|naga|vulkan1.1|vulkan1.3 [--ops] "
                    "[SHADER...]\n       oracle-gpu passes DIR [--ops] [SHADER...]\n"
                    "       oracle-gpu shrink DIR passes|PROFILE=COMMAND... SHADER\n");
    return 2;
}
