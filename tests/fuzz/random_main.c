/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random programs, built through the public builder, have to mean the same everywhere: printed and parsed,
 * executed, interpreted, folded with their inputs as constants, after every pass, and written or refused as
 * WGSL and SPIR-V. The first that does not is made smaller and printed.
 *
 * Usage: iri-random [--count N] [--seed N] [--sharp] [--keep FOLDER] [--text FOLDER]
 *   --sharp         programs for a GPU: of exact operations, or ones with a stated error
 *   --keep FOLDER   keeps what is written as NUMBER.wgsl and NUMBER.spv, for validators
 *   --text FOLDER   keeps the programs, structured and with Direct3D's default state, as NUMBER.iri
 */
#include "agree.h"
#include "random.h"
#include "shrink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT_RUN = 1500, SHRINK_TRIES = 3000 };

static double percent(uint64_t part, uint64_t of)
{
    return of ? 100.0 * (double)part / (double)of : 0.0;
}

static void print_counts(const agree_counts *n)
{
    printf(
        "%llu programs of %u of %u operations, %llu instructions (%.1f %% reach an output), %llu runs, "
        "%llu at the step limit\n",
        (unsigned long long)n->programs, (unsigned)random_op_count(), (unsigned)IRI_OP_COUNT - 1,
        (unsigned long long)n->insts, percent(n->needed_insts, n->insts),
        (unsigned long long)n->runs, (unsigned long long)n->step_limits);
    printf(
        "outputs: %.1f %% of %llu lanes vary; %.1f %% of the float numbers are finite; %.1f %% of "
        "invocations demoted\n",
        percent(n->varying_lanes, n->output_lanes), (unsigned long long)n->output_lanes,
        percent(n->finite_lanes, n->float_lanes), percent(n->demoted, n->programs * 32));
    printf(
        "interpreted and folded %llu, of whose instructions %.1f %% went; passes %llu, of which %.1f "
        "%% changed the size\n",
        (unsigned long long)n->folded, 100.0 - percent(n->folded_left, n->folded_insts),
        (unsigned long long)n->passes, percent(n->passes_changed, n->passes));
    printf("written: WGSL %.1f %%, SPIR-V %.1f %%; refused:",
           percent(n->wgsl, n->wgsl + n->wgsl_refused),
           percent(n->spirv, n->spirv + n->spirv_refused));
    for (uint32_t i = 0; i < IRI_STATUS_COUNT; i++)
        if (n->refused[i])
            printf(" %llu %s", (unsigned long long)n->refused[i], iri_status_name((iri_status)i));
    printf("\n");
}

/* ---- a fault ---- */

typedef struct fault {
    uint64_t seed;
    size_t step; /* how much of `what` names the step */
    const char *what;
} fault;

static bool shows(const iri_program *program, void *user)
{
    static agree_counts ignored;
    const fault *f = user;
    char what[AGREE_WHAT];
    return !agree_check(program, f->seed, &ignored, what) &&
           strncmp(what, f->what, f->step + 1) == 0;
}

static void report(const iri_program *program, uint64_t seed, const char *what)
{
    fault f = {seed, strcspn(what, ":"), what};
    iri_text text = {0};
    iri_program *smaller = shrink_program(program, shows, &f, SHRINK_TRIES);
    printf("seed %llu: %s\n", (unsigned long long)seed, what);
    if (iri_print_text(smaller ? smaller : program, IRI_TEXT_OPTIONS(.no_offsets = true), &text,
                       NULL) == IRI_OK)
        printf("%s\n", text.data);
    iri_text_free(&text);
    iri_program_free(smaller);
}

/* ---- programs to keep ---- */

static void keep_text(const iri_program *program, const char *folder, uint64_t number)
{
    static const iri_pass_id passes[] = {IRI_PASS_STRUCTURIZE, IRI_PASS_LOWER_STATE};
    const iri_program *p = program;
    iri_text text = {0};
    char path[600];
    for (uint32_t i = 0; i < 2; i++) {
        iri_program *q = NULL;
        iri_refusal why;
        if (iri_pass_apply(p, passes[i], IRI_PASS_OPTIONS(.state = &IRI_STATE_D3D9_DEFAULT), &q,
                           NULL, &why) != IRI_OK) {
            fprintf(stderr, "program %llu: %s\n", (unsigned long long)number, why.reason);
            exit(1);
        }
        if (p != program)
            iri_program_free((iri_program *)(uintptr_t)p);
        p = q;
    }
    snprintf(path, sizeof path, "%s/%llu.iri", folder, (unsigned long long)number);
    FILE *file = fopen(path, "wb");
    if (!file || iri_print_text(p, NULL, &text, NULL) != IRI_OK ||
        fwrite(text.data, 1, text.size, file) != text.size || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
    iri_text_free(&text);
    if (p != program)
        iri_program_free((iri_program *)(uintptr_t)p);
}

/* ---- the command line ---- */

typedef struct options {
    uint64_t count, seed;
    bool sharp;
    const char *keep, *text;
} options;

static bool check_seed(const options *o, uint64_t seed, agree_counts *counts)
{
    iri_refusal why = {0};
    char what[AGREE_WHAT];
    random_options r = random_from_seed(seed, o->sharp);
    iri_program *program = random_program(&r, &why);
    if (!program) {
        printf("seed %llu: the builder refuses: %s\n", (unsigned long long)seed, why.reason);
        return false;
    }
    bool good = agree_check(program, seed, counts, what);
    if (!good)
        report(program, seed, what);
    if (o->keep)
        agree_keep(program, o->keep, seed);
    if (o->text)
        keep_text(program, o->text, seed);
    iri_program_free(program);
    return good;
}

static bool parse(int argc, char **argv, options *o)
{
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--sharp") == 0)
            o->sharp = true;
        else if (more && strcmp(argv[i], "--count") == 0)
            o->count = strtoull(argv[++i], NULL, 10);
        else if (more && strcmp(argv[i], "--seed") == 0)
            o->seed = strtoull(argv[++i], NULL, 10);
        else if (more && strcmp(argv[i], "--keep") == 0)
            o->keep = argv[++i];
        else if (more && strcmp(argv[i], "--text") == 0)
            o->text = argv[++i];
        else
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    static agree_counts counts;
    options o = {.count = SHORT_RUN, .seed = 1};
    uint64_t failed = 0;
    if (!parse(argc, argv, &o)) {
        fprintf(stderr, "usage: iri-random [--count N] [--seed N] [--sharp] [--keep FOLDER] "
                        "[--text FOLDER]\n");
        return 2;
    }
    for (uint64_t i = 0; i < o.count && failed < 5; i++)
        failed += !check_seed(&o, o.seed + i, &counts);
    print_counts(&counts);
    printf("%llu passed, %llu failed, 0 skipped\n", (unsigned long long)(counts.programs - failed),
           (unsigned long long)failed);
    return failed != 0;
}
