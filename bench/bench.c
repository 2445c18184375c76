/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Microseconds per shader and phase over a folder of compiled shaders, allocations and peak memory. Every file is read
 * first; then the whole folder is translated ROUNDS times and each file's fastest round counts. Memory is what a
 * counting allocator saw.
 * The writers write the same program. Where the build found MojoShader, which translates these bytes to GLSL, its time
 * on the same files stands beside.
 * --lanes N also prints how far vector code has come apart: swizzles to one lane, inserts and composes for each
 * instruction of the source, over all files and for the N worst.
 * --long measures shaders made to several lengths instead: microseconds an instruction, which must not grow.
 * Usage: bench [--rounds N] [--slowest N] [--lanes N] DIR ... | --long [--rounds N]
 */
#define _XOPEN_SOURCE 700
#include "long.h"

#include <ftw.h>
#include <iridia/iridia.h>
#include <iridia/spirv.h>
#ifdef IRI_BENCH_MOJOSHADER
#include <mojoshader/mojoshader.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DECODE, LOWER, PASSES, VALIDATE, LIFTED, WGSL = LIFTED, SPIRV, MOJOSHADER, PHASES };
static const char *const phase_names[PHASES] = {"decode", "lower", "passes",    "validate",
                                                "wgsl",   "spirv", "mojoshader"};

typedef struct sample {
    char *path;
    unsigned char *bytes;
    size_t size;
    uint64_t ns[PHASES], total;
    size_t peak;
    uint64_t allocations;
    uint32_t instructions;
    uint32_t lane_moves; /* swizzles to one lane, inserts, composes */
    bool accepted;
} sample;

static sample *samples;
static size_t sample_count;

/* ---- a counting allocator ---- */

typedef struct counter {
    size_t now, peak;
    uint64_t allocations;
} counter;

static void *count_alloc(void *user, size_t size)
{
    counter *c = user;
    void *memory = malloc(size);
    if (memory) {
        c->now += size;
        c->peak = c->now > c->peak ? c->now : c->peak;
        c->allocations++;
    }
    return memory;
}

static void count_free(void *user, void *memory, size_t size)
{
    counter *c = user;
    if (memory)
        c->now -= size;
    free(memory);
}

static uint64_t now_ns(void *user)
{
    struct timespec t;
    (void)user;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- input ---- */

static int add_file(const char *path, const struct stat *facts, int kind, struct FTW *ftw)
{
    (void)ftw;
    if (kind != FTW_F || facts->st_size > 1 << 24)
        return 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    sample s = {.path = strdup(path), .bytes = malloc((size_t)facts->st_size + 1)};
    s.size = fread(s.bytes, 1, (size_t)facts->st_size, file);
    fclose(file);
    if (iri_detect_format(s.bytes, s.size) == IRI_FORMAT_D3D9) {
        samples = realloc(samples, (sample_count + 1) * sizeof *samples);
        samples[sample_count++] = s;
    } else {
        free(s.path);
        free(s.bytes);
    }
    return 0;
}

static void add_long(void)
{
    for (int i = 0; i < LONG_SHAPES * LONG_SIZES; i++) {
        iri_text tokens;
        if (!long_make(i / LONG_SIZES, long_sizes[i % LONG_SIZES], &tokens))
            continue;
        sample s = {.path = strdup(long_name(i / LONG_SIZES)), .bytes = malloc(tokens.size)};
        s.size = tokens.size;
        memcpy(s.bytes, tokens.data, tokens.size);
        iri_text_free(&tokens);
        samples = realloc(samples, (sample_count + 1) * sizeof *samples);
        samples[sample_count++] = s;
    }
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const sample *)a)->path, ((const sample *)b)->path);
}

/* ---- measuring ---- */

static uint32_t count_lane_moves(const iri_program *p, iri_id region)
{
    uint32_t count = 0;
    iri_id id;
    for (uint32_t i = 0; (id = iri_program_region_inst(p, region, i)) != 0; i++) {
        const iri_inst *in = iri_program_inst(p, id);
        const uint32_t *regions =
            iri_program_words(p, in) + in->operand_count + in->immediate_count;
        if (in->op == IRI_OP_SWIZZLE)
            count += IRI_TYPE_LANES(iri_program_value(p, in->results)->type) == 1;
        else
            count += in->op == IRI_OP_INSERT || in->op == IRI_OP_COMPOSE;
        for (uint32_t r = 0; r < in->region_count; r++)
            count += count_lane_moves(p, regions[r]);
    }
    return count;
}

/* Nanoseconds that MojoShader takes from the same bytes to GLSL. */
static uint64_t measure_mojoshader(const sample *s)
{
#ifdef IRI_BENCH_MOJOSHADER
    uint64_t begin = now_ns(NULL);
    const MOJOSHADER_parseData *data =
        MOJOSHADER_parse(MOJOSHADER_PROFILE_GLSL, "main", s->bytes, (unsigned)s->size, NULL, 0,
                         NULL, 0, NULL, NULL, NULL);
    uint64_t ns = now_ns(NULL) - begin;
    MOJOSHADER_freeParseData(data);
    return ns;
#else
    (void)s;
    return 0;
#endif
}

static void measure(sample *s, bool first)
{
    counter c = {0};
    iri_allocator allocator = {count_alloc, count_free, &c};
    iri_state state = IRI_STATE_D3D9_DEFAULT;
    iri_lift_stats stats = {.clock = now_ns};
    iri_program *program;
    iri_text text;
    s->accepted = iri_lift(s->bytes, s->size,
                           IRI_LIFT_OPTIONS(.allocator = &allocator, .state = &state,
                                            .uninitialized = IRI_UNINITIALIZED_ZERO),
                           &program, &stats, NULL) == IRI_OK;
    if (!s->accepted)
        return;
    uint64_t begin = now_ns(NULL);
    s->accepted = iri_write_wgsl(program, IRI_WGSL_OPTIONS(.allocator = &allocator), &text, NULL,
                                 NULL) == IRI_OK;
    uint64_t ns[PHASES] = {stats.decode_ns, stats.lower_ns, stats.pass_ns, stats.validate_ns,
                           now_ns(NULL) - begin};
    if (s->accepted) {
        iri_text words;
        begin = now_ns(NULL);
        if (iri_write_spirv(program, NULL, &words, NULL, NULL) == IRI_OK) {
            ns[SPIRV] = now_ns(NULL) - begin;
            iri_text_free(&words);
        }
        ns[MOJOSHADER] = measure_mojoshader(s);
    }
    s->instructions = iri_program_provenance(program)->instruction_count;
    s->lane_moves =
        count_lane_moves(program, iri_program_function(program, iri_program_entry(program))->body);
    iri_program_free(program);
    if (!s->accepted)
        return;
    iri_text_free(&text);
    uint64_t total = 0;
    for (int i = 0; i <= WGSL; i++)
        total += ns[i];
    s->total = first || total < s->total ? total : s->total;
    for (int i = 0; i < PHASES; i++)
        s->ns[i] = first || ns[i] < s->ns[i] ? ns[i] : s->ns[i];
    s->peak = c.peak;
    s->allocations = c.allocations;
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_number);
    return count ? values[count / 2] : 0;
}

/* Mean and median microseconds. */
typedef struct timing {
    double mean, median;
} timing;

/* The sum of the phases whose bits `phases` has. */
static double phases_us(const sample *s, uint32_t phases)
{
    double us = 0;
    for (int k = 0; k < PHASES; k++)
        us += phases >> k & 1 ? (double)s->ns[k] / 1000 : 0;
    return us;
}

#ifdef IRI_BENCH_MOJOSHADER
static double median_ratio(uint32_t phases, double *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < sample_count; i++)
        if (samples[i].accepted)
            scratch[count++] =
                phases_us(&samples[i], phases) / phases_us(&samples[i], 1u << MOJOSHADER);
    return median(scratch, count);
}
#endif

/* Of the sum of the phases whose bits `phases` has; printed under a name. */
static timing print_phases(const char *name, uint32_t phases, double *scratch)
{
    double sum = 0;
    size_t count = 0, instructions = 0;
    for (size_t i = 0; i < sample_count; i++) {
        if (!samples[i].accepted)
            continue;
        double us = phases_us(&samples[i], phases);
        sum += us;
        instructions += samples[i].instructions;
        scratch[count++] = us;
    }
    timing t = {count ? sum / (double)count : 0, median(scratch, count)};
    printf("%-10s %10.1f %10.1f %14.3f\n", name, t.mean, t.median,
           instructions ? sum / (double)instructions : 0);
    return t;
}

static void print_table(double *scratch)
{
    uint32_t lifted = (1u << LIFTED) - 1;
    printf("phase         mean us  median us  us/instruction\n");
    for (int i = 0; i < MOJOSHADER; i++)
        print_phases(phase_names[i], 1u << i, scratch);
    timing wgsl = print_phases("to WGSL", lifted | 1u << WGSL, scratch);
    timing spirv = print_phases("to SPIR-V", lifted | 1u << SPIRV, scratch);
#ifdef IRI_BENCH_MOJOSHADER
    timing other = print_phases(phase_names[MOJOSHADER], 1u << MOJOSHADER, scratch);
    printf(
        "\nof MojoShader's time, in total and the median of each file's: WGSL %.2f %.2f, SPIR-V %.2f %.2f\n",
        wgsl.mean / other.mean, median_ratio(lifted | 1u << WGSL, scratch), spirv.mean / other.mean,
        median_ratio(lifted | 1u << SPIRV, scratch));
#else
    (void)wgsl;
    (void)spirv;
#endif
}

/* Memory beyond 100 times the bytecode and 256 KiB, whichever is larger, is more than promised. */
static void print_memory(double *scratch)
{
    size_t count = 0, over = 0, worst = 0;
    double allocations = 0;
    for (size_t i = 0; i < sample_count; i++) {
        const sample *s = &samples[i];
        size_t bound = s->size * 100 > 256 * 1024 ? s->size * 100 : 256 * 1024;
        if (!s->accepted)
            continue;
        if (s->peak > samples[worst].peak || !samples[worst].accepted)
            worst = i;
        over += s->peak > bound;
        allocations += (double)s->allocations;
        scratch[count++] = (double)s->peak / 1024;
    }
    if (!count)
        return;
    printf("\npeak memory KiB: median %.0f, largest %.0f (%s, %zu bytes); over the bound: %zu\n",
           median(scratch, count), (double)samples[worst].peak / 1024, samples[worst].path,
           samples[worst].size, over);
    printf("allocations per shader: %.1f\n", allocations / (double)count);
}

/* Each sample on a line: microseconds an instruction, and peak memory of the bytecode's size. */
static void print_each(void)
{
    printf("shape     instructions  lower  passes   to WGSL  to SPIR-V  memory\n");
    for (size_t i = 0; i < sample_count; i++) {
        const sample *s = &samples[i];
        double lifted = 0, per = 1 / (1000.0 * (s->accepted ? s->instructions : 1));
        for (int k = 0; k < LIFTED; k++)
            lifted += (double)s->ns[k];
        printf("%-10s %11u %6.2f %7.2f %9.2f %10.2f %6.0fx\n", s->path, (unsigned)s->instructions,
               (double)s->ns[LOWER] * per, (double)s->ns[PASSES] * per,
               (lifted + (double)s->ns[WGSL]) * per, (lifted + (double)s->ns[SPIRV]) * per,
               (double)s->peak / (double)s->size);
    }
}

static int by_total(const void *a, const void *b)
{
    uint64_t x = ((const sample *)a)->total, y = ((const sample *)b)->total;
    return x > y ? -1 : x < y;
}

static double lane_ratio(const sample *s)
{
    return s->instructions ? (double)s->lane_moves / s->instructions : 0;
}

static int by_lane_ratio(const void *a, const void *b)
{
    double x = lane_ratio(a), y = lane_ratio(b);
    return x > y ? -1 : x < y;
}

static void print_lanes(int worst, size_t instructions)
{
    size_t moves = 0;
    for (size_t i = 0; i < sample_count; i++)
        moves += samples[i].lane_moves;
    printf("\nlane moves (swizzles to one lane, inserts, composes) per instruction: %.3f\n",
           instructions ? (double)moves / (double)instructions : 0);
    qsort(samples, sample_count, sizeof *samples, by_lane_ratio);
    for (int i = 0; i < worst && (size_t)i < sample_count; i++)
        printf("%8.3f  %5u instructions  %s\n", lane_ratio(&samples[i]),
               (unsigned)samples[i].instructions, samples[i].path);
}

int main(int argc, char **argv)
{
    int rounds = 5, slowest = 0, lanes = 0;
    bool lengths = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--rounds") && i + 1 < argc)
            rounds = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--slowest") && i + 1 < argc)
            slowest = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--lanes") && i + 1 < argc)
            lanes = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--long"))
            lengths = true;
        else
            nftw(argv[i], add_file, 16, FTW_PHYS);
    }
    if (lengths)
        add_long();
    if (!sample_count || rounds < 1) {
        fprintf(
            stderr,
            "usage: bench [--rounds N] [--slowest N] [--lanes N] DIR ... | --long  (no Direct3D 9 shader found)\n");
        return 2;
    }
    if (!lengths)
        qsort(samples, sample_count, sizeof *samples, by_path);
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < sample_count; i++)
            measure(&samples[i], round == 0);

    size_t accepted = 0, bytes = 0, instructions = 0;
    for (size_t i = 0; i < sample_count; i++) {
        accepted += samples[i].accepted;
        bytes += samples[i].size;
        instructions += samples[i].instructions;
    }
    printf("%zu shaders, %zu translated, %zu bytes, %zu instructions, fastest of %d rounds\n\n",
           sample_count, accepted, bytes, instructions, rounds);
    double *scratch = malloc(sample_count * sizeof *scratch);
    if (lengths) {
        print_each();
    } else {
        print_table(scratch);
        print_memory(scratch);
    }
    if (slowest > 0)
        qsort(samples, sample_count, sizeof *samples, by_total);
    for (int i = 0; i < slowest && (size_t)i < sample_count; i++)
        printf("%8.1f us  %5u instructions  %s\n", (double)samples[i].total / 1000,
               (unsigned)samples[i].instructions, samples[i].path);
    if (lanes > 0)
        print_lanes(lanes, instructions);
    free(scratch);
    for (size_t i = 0; i < sample_count; i++) {
        free(samples[i].path);
        free(samples[i].bytes);
    }
    free(samples);
    return 0;
}
