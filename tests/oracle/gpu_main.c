/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes jobs for a GPU driver, and compares what it computed with the executor.
 *
 * Usage: oracle-gpu make|compare DIR browser|naga [--ops] [SHADER...]     SHADER "-": names follow on stdin
 */
#include "tests/oracle/gpu.h"

#include <stdlib.h>
#include <string.h>

static void each(gpu_folder *f, int argc, char **argv, bool compare, gpu_tally *t)
{
    for (int i = 4; i < argc; i++) {
        char line[1024];
        if (strcmp(argv[i], "--ops") == 0) {
            gpu_ops(f, compare, t);
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

int main(int argc, char **argv)
{
    gpu_folder f = {0};
    gpu_tally t = {0};
    if (argc < 5 || (strcmp(argv[1], "make") != 0 && strcmp(argv[1], "compare") != 0)) {
        fprintf(stderr, "usage: oracle-gpu make|compare DIR browser|naga [--ops] [SHADER...]\n");
        return 2;
    }
    bool compare = strcmp(argv[1], "compare") == 0;
    f.path = argv[2];
    f.profile = strcmp(argv[3], "naga") == 0 ? IRI_PROFILE_NAGA : IRI_PROFILE_BROWSER;
    if (!compare && !gpu_begin(&f)) {
        fprintf(stderr, "cannot write into %s\n", f.path);
        return 2;
    }
    each(&f, argc, argv, compare, &t);
    if (!compare) {
        gpu_end(&f);
        printf("%u jobs\n", (unsigned)f.written);
        return t.failed != 0;
    }
    printf(
        "lanes %llu: exact %llu, within the error %llu, free %llu, uncertain %llu, not finite %llu, "
        "constant %llu, killed %llu\n",
        (unsigned long long)t.lanes, (unsigned long long)t.exact, (unsigned long long)t.within,
        (unsigned long long)t.free_lanes, (unsigned long long)t.uncertain,
        (unsigned long long)t.not_finite, (unsigned long long)t.constant,
        (unsigned long long)t.killed);
    uint64_t good = t.exact + t.within;
    uint64_t compared = good + t.uncertain + t.not_finite;
    printf("finite and varying: %.1f %% of the lanes that are compared and not constant\n",
           compared ? 100.0 * (double)good / (double)compared : 0.0);
    printf("%u passed, %u failed, %u skipped\n", (unsigned)t.passed, (unsigned)t.failed,
           (unsigned)t.skipped);
    return t.failed != 0;
}
