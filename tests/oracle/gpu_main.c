/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes jobs for a driver and compares what it computed with the executor; runs programs after each pass.
 *
 * Usage: oracle-gpu make|compare DIR PROFILE [--ops] [SHADER...]
 *        oracle-gpu passes [--ops] [SHADER...]
 * PROFILE: browser, naga, vulkan1.1, vulkan1.3. SHADER "-": names follow on the standard input.
 */
#include "tests/oracle/gpu.h"

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

int main(int argc, char **argv)
{
    static work w;
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "passes") == 0) {
        w.mode = GPU_PASSES;
        return passes(&w, argv + 2);
    }
    w.mode = strcmp(what, "compare") == 0 ? GPU_COMPARE : GPU_MAKE;
    if (argc > 3) {
        w.folder.path = argv[2];
        w.folder.profile = profile_of(argv[3]);
    }
    if (argc < 4 || (w.mode == GPU_MAKE && strcmp(what, "make") != 0) ||
        w.folder.profile == IRI_PROFILE_COUNT) {
        fprintf(stderr, "usage: oracle-gpu make|compare DIR browser|naga|vulkan1.1|vulkan1.3 "
                        "[--ops] [SHADER...]\n       oracle-gpu passes [--ops] [SHADER...]\n");
        return 2;
    }
    return w.mode == GPU_MAKE ? make(&w, argv + 4) : compare(&w, argv + 4);
}
