/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia batch`: every shader below some directories, in parallel. What is written and reported does not depend on
 * the number of jobs: files are taken in sorted order and reported in it. One bad file never stops the rest. A journal
 * in the output folder lets a stopped run go on.
 */
#define _POSIX_C_SOURCE 200809L /* lstat, getline, clock_gettime */
#include "walk.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *to, *out_directory, *report;
static uint32_t jobs;
static bool resume, as_json;

static const cli_option options[] = {
    {"--to", "FORM", CLI_STRING, &to, "wgsl (default) or text"},
    {"--out", "DIR", CLI_STRING, &out_directory, "write there, under the input's name; without it only the report is made"},
    {"--jobs", "N", CLI_NUMBER, &jobs, "threads (as many as processors)"},
    {"--report", "FILE", CLI_STRING, &report, "a JSON report of every file"},
    {"--json", NULL, CLI_FLAG, &as_json, "print the report on standard output instead of the summary"},
    {"--resume", NULL, CLI_FLAG, &resume, "go on with a stopped run: skip files done with the same options"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char teach[] =
    "Translates every shader below the given directories. Files that are no shaders are counted apart and left\n"
    "alone; a refused one is reported with its reason and group, and the rest goes on.\n\n"
    "examples:\n"
    "  iridia batch dump/ --to wgsl --out wgsl/ --report report.json\n"
    "  iridia batch dump/                        which would be refused, and why?\n"
    "  iridia batch dump/ --out wgsl/ --resume   go on where it was stopped\n\n"
    "Exit status: 0 when no shader was refused; 1 when some were, or a file could not be read or written.\n";

typedef enum outcome {
    PENDING = 0,
    DONE,
    REFUSED,
    NOT_A_SHADER,
    UNREADABLE,
    UNWRITABLE,
    OUTCOME_COUNT
} outcome;

static const char *const outcome_names[OUTCOME_COUNT] = {
    "pending", "written", "refused", "not-a-shader", "unreadable", "unwritable",
};

typedef struct result {
    outcome outcome;
    bool carried; /* from the journal */
    uint32_t notes;
    char *problem; /* unreadable, unwritable */
    iri_refusal why;
} result;

typedef struct batch {
    cli_files files;
    result *results;
    size_t next; /* file to take */
    size_t finished;
    size_t counts[OUTCOME_COUNT];
    pthread_mutex_t lock;
    FILE *journal;
    bool progress;
    int64_t shown; /* when the progress line was last drawn, milliseconds */
} batch;

/* ---- one file ---- */

static char *output_path(const cli_file *file)
{
    return cli_printf("%s/%s.%s", out_directory, file->relative, to);
}

static bool make_text(const iri_program *program, iri_text *text, uint32_t *notes, iri_refusal *why)
{
    *notes = (uint32_t)iri_note_count(program);
    if (!strcmp(to, "text"))
        return iri_print_text(program, NULL, text, why) == IRI_OK;
    iri_wgsl_map map;
    if (iri_write_wgsl(program, &cli_target_given.options, text, &map, why) != IRI_OK)
        return false;
    *notes += (uint32_t)map.note_count;
    iri_wgsl_map_free(&map);
    return true;
}

static void write_output(const cli_file *file, const iri_text *text, result *r)
{
    r->outcome = DONE;
    if (!out_directory)
        return;
    char *path = output_path(file);
    const char *problem = NULL;
    if (!cli_make_parents(path))
        problem = strerror(errno);
    if (problem || !cli_write_quietly(path, text->data, text->size, &problem)) {
        r->outcome = UNWRITABLE;
        r->problem = cli_printf("%s: %s", path, problem);
    }
    free(path);
}

/* Whether the first bytes look like a shader, so that a dump's large other files are not read whole. */
static bool looks_like_shader(const cli_file *file)
{
    if (cli_lift_given.options.format != IRI_FORMAT_AUTO)
        return true;
    uint8_t head[256];
    FILE *stream = fopen(file->path, "rb");
    if (!stream)
        return true; /* reading it will say why */
    size_t got = fread(head, 1, sizeof head, stream);
    fclose(stream);
    return iri_detect_format(head, got) != IRI_FORMAT_AUTO;
}

static void run_file(const cli_file *file, result *r)
{
    if (!looks_like_shader(file)) {
        r->outcome = NOT_A_SHADER;
        return;
    }
    cli_bytes bytes;
    const char *problem;
    if (!cli_read(file->path, &bytes, &problem)) {
        r->outcome = UNREADABLE;
        r->problem = cli_printf("%s", problem);
        return;
    }
    iri_program *program;
    iri_text text;
    r->outcome = REFUSED;
    if (iri_lift(bytes.data, bytes.size, &cli_lift_given.options, &program, NULL, &r->why) == IRI_OK) {
        if (make_text(program, &text, &r->notes, &r->why)) {
            write_output(file, &text, r);
            iri_text_free(&text);
        }
        iri_program_free(program);
    }
    free(bytes.data);
}

/* ---- the journal ---- */

/* What must be the same for a finished file to count as finished. */
static char *journal_key(void)
{
    char *key = cli_printf("iridia-batch 1 %u to=%s profile=%s strict=%d uninitialized=%s multiply=%s raw=%d offset=%u",
                           (unsigned)iri_version(), to,
                           cli_target_given.profile ? cli_target_given.profile : "browser", cli_lift_given.strict,
                           cli_lift_given.uninitialized ? cli_lift_given.uninitialized : "refuse",
                           cli_lift_given.multiply ? cli_lift_given.multiply : "zero-wins",
                           cli_target_given.raw_constants, (unsigned)cli_target_given.options.bindings.pixel_offset);
    for (size_t i = 0; i < cli_lift_given.states.count; i++) {
        char *longer = cli_printf("%s state:%s", key, cli_lift_given.states.items[i]);
        free(key);
        key = longer;
    }
    for (size_t i = 0; i < cli_target_given.features.count; i++) {
        char *longer = cli_printf("%s feature:%s", key, cli_target_given.features.items[i]);
        free(key);
        key = longer;
    }
    return key;
}

/* Only what was written whole is carried over; everything else is cheap or worth trying again. */
static void journal_line(FILE *journal, const cli_file *file, const result *r)
{
    if (r->outcome == DONE)
        fprintf(journal, "%llu %lld %u %s\n", (unsigned long long)file->size, (long long)file->modified,
                (unsigned)r->notes, file->relative);
}

static int find_by_relative(const void *key, const void *item)
{
    return strcmp(*(const char *const *)key, (*(const cli_file *const *)item)->relative);
}

static int files_by_relative(const void *a, const void *b)
{
    return strcmp((*(const cli_file *const *)a)->relative, (*(const cli_file *const *)b)->relative);
}

static void carry_line(batch *b, cli_file *const *sorted, char *line)
{
    unsigned long long size;
    long long modified;
    unsigned notes;
    int skip = 0;
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "%llu %lld %u %n", &size, &modified, &notes, &skip) != 3 || !skip)
        return;
    const char *relative = line + skip;
    cli_file *const *found = bsearch(&relative, sorted, b->files.count, sizeof *sorted, find_by_relative);
    if (!found || (*found)->size != size || (*found)->modified != modified)
        return;
    char *path = output_path(*found);
    if (access(path, F_OK) == 0) {
        result *r = &b->results[*found - b->files.items];
        r->outcome = DONE;
        r->carried = true;
        r->notes = notes;
    }
    free(path);
}

static void read_journal(batch *b, const char *path, const char *key)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    cli_file **sorted = cli_alloc((b->files.count + 1) * sizeof *sorted);
    for (size_t i = 0; i < b->files.count; i++)
        sorted[i] = &b->files.items[i];
    qsort(sorted, b->files.count, sizeof *sorted, files_by_relative);
    char *line = NULL;
    size_t capacity = 0;
    bool same = getline(&line, &capacity, file) > 0;
    if (same) {
        line[strcspn(line, "\n")] = 0;
        same = !strcmp(line, key);
    }
    while (same && getline(&line, &capacity, file) > 0)
        carry_line(b, sorted, line);
    free(line);
    free(sorted);
    fclose(file);
}

/* Opens the journal, with what a resumed run carries over; false when the folder cannot be written. */
static bool open_journal(batch *b)
{
    char *path = cli_printf("%s/iridia-batch.journal", out_directory), *key = journal_key();
    if (!cli_make_parents(path)) {
        fprintf(stderr, "iridia: cannot make %s: %s\n", out_directory, strerror(errno));
        free(path);
        free(key);
        return false;
    }
    if (resume)
        read_journal(b, path, key);
    b->journal = fopen(path, "w");
    if (!b->journal) {
        fprintf(stderr, "iridia: cannot write %s: %s\n", path, strerror(errno));
    } else {
        fprintf(b->journal, "%s\n", key);
        for (size_t i = 0; i < b->files.count; i++)
            journal_line(b->journal, &b->files.items[i], &b->results[i]);
        fflush(b->journal);
    }
    free(path);
    free(key);
    return b->journal != NULL;
}

/* ---- threads ---- */

static void show_progress(batch *b, bool last)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (!b->progress || (!last && ms - b->shown < 100))
        return;
    b->shown = ms;
    fprintf(stderr, "\r%zu/%zu  %zu written  %zu refused  %zu not shaders%s", b->finished, b->files.count,
            b->counts[DONE], b->counts[REFUSED], b->counts[NOT_A_SHADER], last ? "\n" : "");
    fflush(stderr);
}

static void *work(void *argument)
{
    batch *b = argument;
    pthread_mutex_lock(&b->lock);
    while (b->next < b->files.count) {
        size_t i = b->next++;
        result *r = &b->results[i];
        if (!r->carried) {
            pthread_mutex_unlock(&b->lock);
            run_file(&b->files.items[i], r);
            pthread_mutex_lock(&b->lock);
            if (b->journal) {
                journal_line(b->journal, &b->files.items[i], r);
                fflush(b->journal);
            }
        }
        b->finished++;
        b->counts[r->outcome]++;
        show_progress(b, false);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

static void run_threads(batch *b)
{
    if (!jobs) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        jobs = processors > 0 ? (uint32_t)processors : 1;
    }
    if (jobs > 256)
        jobs = 256;
    pthread_t threads[256];
    uint32_t started = 0;
    while (started + 1 < jobs && pthread_create(&threads[started], NULL, work, b) == 0)
        started++;
    work(b);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    show_progress(b, true);
}

/* ---- the report ---- */

static void json_result(cli_json *json, const cli_file *file, const result *r)
{
    json_open(json, NULL, '{');
    json_string(json, "file", file->path);
    json_string(json, "outcome", outcome_names[r->outcome]);
    if (r->outcome == DONE) {
        char *path = out_directory ? output_path(file) : NULL;
        json_string(json, "output", path);
        json_number(json, "notes", r->notes);
        free(path);
    } else if (r->outcome == REFUSED) {
        json_refusal(json, "refusal", &r->why);
    } else if (r->problem) {
        json_string(json, "problem", r->problem);
    }
    json_close(json, '}');
}

/* How many files were refused by group, most first, ties by name. */
typedef struct group_count {
    const char *group;
    size_t count;
} group_count;

static int by_count(const void *a, const void *b)
{
    const group_count *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->group, y->group);
}

static size_t count_groups(const batch *b, group_count groups[IRI_STATUS_COUNT])
{
    size_t count = 0;
    for (int status = 1; status < IRI_STATUS_COUNT; status++) {
        groups[count] = (group_count){iri_status_name((iri_status)status), 0};
        for (size_t i = 0; i < b->files.count; i++)
            groups[count].count += b->results[i].outcome == REFUSED && b->results[i].why.status == (iri_status)status;
        if (groups[count].count)
            count++;
    }
    qsort(groups, count, sizeof *groups, by_count);
    return count;
}

static bool write_report(const batch *b, const char *path)
{
    cli_json json = {0};
    group_count groups[IRI_STATUS_COUNT];
    json_open(&json, NULL, '{');
    json_number(&json, "schema", 1);
    json_open(&json, "summary", '{');
    for (int i = DONE; i < OUTCOME_COUNT; i++)
        json_number(&json, outcome_names[i], (int64_t)b->counts[i]);
    json_open(&json, "refusedByGroup", '{');
    size_t count = count_groups(b, groups);
    for (size_t i = 0; i < count; i++)
        json_number(&json, groups[i].group, (int64_t)groups[i].count);
    json_close(&json, '}');
    json_close(&json, '}');
    json_open(&json, "files", '[');
    for (size_t i = 0; i < b->files.count; i++)
        json_result(&json, &b->files.items[i], &b->results[i]);
    json_close(&json, ']');
    json_close(&json, '}');
    return json_finish(&json, path);
}

static void print_summary(const batch *b)
{
    for (size_t i = 0; i < b->files.count; i++) {
        const result *r = &b->results[i];
        if (r->outcome == REFUSED) {
            char line[1024];
            iri_refusal_line(&r->why, b->files.items[i].path, line, sizeof line);
            puts(line);
        } else if (r->problem) {
            printf("%s: %s\n", b->files.items[i].path, r->problem);
        }
    }
    group_count groups[IRI_STATUS_COUNT];
    size_t count = count_groups(b, groups);
    for (size_t i = 0; i < count; i++)
        printf("%6zu refused: %s\n", groups[i].count, groups[i].group);
    printf("%zu %s, %zu refused, %zu not shaders, %zu unreadable, %zu unwritable\n", b->counts[DONE],
           out_directory ? "written" : "accepted", b->counts[REFUSED], b->counts[NOT_A_SHADER], b->counts[UNREADABLE],
           b->counts[UNWRITABLE]);
}

static int run_batch(const cli_list *roots)
{
    batch b = {.lock = PTHREAD_MUTEX_INITIALIZER, .progress = isatty(STDERR_FILENO) == 1};
    if (!cli_walk(roots, &b.files))
        return CLI_REFUSED;
    b.results = cli_alloc((b.files.count + 1) * sizeof *b.results);
    bool ok = !out_directory || open_journal(&b);
    if (ok) {
        run_threads(&b);
        if (b.journal)
            fclose(b.journal);
        if (report)
            ok = write_report(&b, report);
        if (as_json)
            ok = write_report(&b, NULL) && ok;
        else
            print_summary(&b);
        ok = ok && !b.counts[REFUSED] && !b.counts[UNREADABLE] && !b.counts[UNWRITABLE] &&
             !b.files.unreadable_directories;
    }
    for (size_t i = 0; i < b.files.count; i++)
        free(b.results[i].problem);
    free(b.results);
    cli_files_free(&b.files);
    return ok ? CLI_OK : CLI_REFUSED;
}

int cli_batch(int argc, char **argv)
{
    const cli_option *const groups[] = {options, cli_lift_options, cli_target_options, NULL};
    cli_list operands = {0};
    int code;
    if (!cli_parse("batch", "[OPTION ...] DIR ...", teach, groups, argc, argv, &operands, &code))
        return code;
    if (!operands.count)
        return cli_usage("batch", "which DIR?");
    if (!to)
        to = "wgsl";
    if (strcmp(to, "wgsl") && strcmp(to, "text"))
        return cli_usage("batch", "--to takes wgsl or text, not '%s'", to);
    if (resume && !out_directory)
        return cli_usage("batch", "--resume goes with --out");
    if (!cli_lift_finish(&cli_lift_given) || !cli_target_finish(&cli_target_given))
        return CLI_USAGE;
    return run_batch(&operands);
}
