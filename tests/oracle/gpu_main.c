/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes jobs for a GPU driver, and compares what it computed with the executor.
 *
 * Usage: oracle-gpu make|compare DIR browser|naga|vulkan1.1|vulkan1.3 [--ops] [SHADER...]   SHADER "-": names follow on stdin
 */
#include "tests/oracle/gpu.h"

#include <stdlib.h>
#include <string.h>

static void each(gpu_folder *f, int argc, char **argv, bool compare, gpu_tally *t, gpu_tally *ops)
{
    for (int i = 4; i < argc; i++) {
        char line[1024];
        if (strcmp(argv[i], "--ops") == 0) {
            gpu_ops(f, compare, ops);
        } else if (strcmp(argv[i], "-") == 0) {
            while (fgets(line, sizeof line, stdin)) {
                line[strcspn(line, "\n")] = 0;
                gpu_shader(f, line, compare, t);
            }
        } else {
            gpu_shader(f, argv[i], compare, t);
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

static const char *const profiles[IRI_PROFILE_COUNT] = {"browser", "naga", "vulkan1.1",
                                                        "vulkan1.3"};

static int usage(void)
{
    fprintf(stderr, "usage: oracle-gpu make|compare DIR browser|naga|vulkan1.1|vulkan1.3 [--ops] "
                    "[SHADER...]\n");
    return 2;
}

int main(int argc, char **argv)
{
    gpu_folder f = {0};
    gpu_tally t = {0}, ops = {0};
    if (argc < 5 || (strcmp(argv[1], "make") != 0 && strcmp(argv[1], "compare") != 0)) {
        return usage();
    }
    bool compare = strcmp(argv[1], "compare") == 0;
    f.path = argv[2];
    while (f.profile < IRI_PROFILE_COUNT && strcmp(argv[3], profiles[f.profile]) != 0)
        f.profile++;
    if (f.profile == IRI_PROFILE_COUNT)
        return usage();
    if (!compare && !gpu_begin(&f)) {
        fprintf(stderr, "cannot write into %s\n", f.path);
        return 2;
    }
    if (compare && !gpu_open_results(&f)) {
        fprintf(stderr, "no results in %s\n", f.path);
        return 2;
    }
    each(&f, argc, argv, compare, &t, &ops);
    if (!compare) {
        gpu_end(&f);
        printf("%u jobs\n", (unsigned)f.written);
        return t.failed + ops.failed != 0;
    }
    gpu_close_results(&f);
    report("operations", &ops);
    bool enough = report("shaders", &t);
    t.failed += ops.failed + !enough;
    t.passed += ops.passed;
    t.skipped += ops.skipped;
    printf("%u passed, %u failed, %u skipped\n", (unsigned)t.passed, (unsigned)t.failed,
           (unsigned)t.skipped);
    return t.failed != 0;
}
