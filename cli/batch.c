/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia batch`: every shader below some directories, in parallel. What is written and reported
 * does not depend on the number of jobs: files are taken in sorted order and reported in it. One
 * bad file never stops the rest. A journal in the output folder lets a stopped run go on.
 */
#define _POSIX_C_SOURCE 200809L /* getline, clock_gettime, sigaction */
#include "batch.h"
#include "walk.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *to, *out_directory, *report;
static const batch_form *form;
static uint32_t jobs;
static bool resume, as_json;

static const cli_option options[] = {
    {"--to", "FORM", CLI_STRING, &to,
     "wgsl (default), spirv, text, or with SPIRV-Cross glsl, msl, hlsl"},
    {"--out", "DIR", CLI_STRING, &out_directory,
     "write DIR/NAME.wgsl (.spv, ...) for each; without it only the report is made"},
    {"--jobs", "N", CLI_NUMBER, &jobs, "threads, at most 256 (as many as processors)"},
    {"--report", "FILE", CLI_STRING, &report, "a JSON report of every file"},
    {"--json", NULL, CLI_FLAG, &as_json,
     "print the report on standard output instead of the summary"},
    {"--resume", NULL, CLI_FLAG, &resume,
     "go on with a stopped run: skip files done with the same options"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char teach[] =
    "Translates every shader below the given directories. Files that are no shaders are\n"
    "counted apart and left alone; a refused one is reported with its reason and group, and\n"
    "the rest goes on. Links to directories are not followed. The order and the bytes of what\n"
    "is written do not depend on --jobs.\n\n"
    "examples:\n"
    "  iridia batch dump/ --to wgsl --out wgsl/ --report report.json\n"
    "  iridia batch dump/                        which would be refused, and why?\n"
    "  iridia batch dump/ --out wgsl/ --resume   go on where it was stopped\n\n"
    "Exit status: 0 when no shader was refused; 1 when some were, or a file could not be read or\n"
    "written, or a signal stopped it.\n";

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
    char *problem;    /* unreadable, unwritable */
    iri_refusal *why; /* refused */
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
    return cli_printf("%s/%s.%s", out_directory, file->relative, form->ending);
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

/* Whether the first bytes look like a shader, so that a dump's large other files are not read
 * whole. */
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
    if (file->problem) {
        r->outcome = UNREADABLE;
        r->problem = cli_printf("%s", file->problem);
        return;
    }
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
    iri_refusal why;
    r->outcome = REFUSED;
    if (iri_lift(bytes.data, bytes.size, &cli_lift_given.options, &program, NULL, &why) == IRI_OK) {
        r->notes = (uint32_t)iri_note_count(program);
        if (form->make(program, &text, &r->notes, &why)) {
            write_output(file, &text, r);
            iri_text_free(&text);
        }
        iri_program_free(program);
    }
    if (r->outcome == REFUSED) {
        r->why = cli_alloc(sizeof *r->why);
        *r->why = why;
    }
    free(bytes.data);
}

/* ---- the journal: a line with the options, then a line for each file that is done ---- */

/* Puts `%XX` for what would break a line or a word of the journal, and for '%' itself. */
static char *escaped(const char *text)
{
    char *out = cli_alloc(3 * strlen(text) + 1), *at = out;
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte <= ' ' || byte == '%' || byte == 0x7f)
            at += sprintf(at, "%%%02X", byte);
        else
            *at++ = *text;
    }
    return out;
}

static void add_to_key(char **key, const char *what, const cli_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        char *item = escaped(list->items[i]);
        char *longer = cli_printf("%s %s:%s", *key, what, item);
        free(item);
        free(*key);
        *key = longer;
    }
}

/* What must be the same for a finished file to count as finished. */
static char *journal_key(void)
{
    const iri_lift_options *lift = &cli_lift_given.options;
    char *key = cli_printf(
        "iridia-batch 3 version=%u,%d to=%s format=%d strict=%d uninitialized=%d multiply=%d "
        "profile=%s raw=%d offset=%u",
        (unsigned)iri_version(), form->version, form->name, (int)lift->format,
        cli_lift_given.strict, (int)lift->uninitialized, (int)lift->multiply,
        cli_target_given.profile ? cli_target_given.profile : "default",
        cli_layout_given.raw_constants, (unsigned)cli_layout_given.plan.pixel_offset);
    add_to_key(&key, "state", &cli_lift_given.states);
    add_to_key(&key, "feature", &cli_target_given.features);
    return key;
}

/* Only what was written whole is carried over; everything else is cheap or worth trying again. */
static void journal_line(FILE *journal, const cli_file *file, const result *r)
{
    if (r->outcome != DONE)
        return;
    char *name = escaped(file->relative);
    fprintf(journal, "%llu %lld %u %s\n", (unsigned long long)file->size, (long long)file->modified,
            (unsigned)r->notes, name);
    free(name);
}

/* A file by the name it has in the journal. */
typedef struct named {
    char *name;
    size_t index;
} named;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

static void carry_line(batch *b, const named *sorted, const char *line)
{
    unsigned long long size;
    long long modified;
    unsigned notes;
    int skip = 0;
    if (sscanf(line, "%llu %lld %u %n", &size, &modified, &notes, &skip) != 3 || !skip)
        return;
    named wanted = {cli_printf("%s", line + skip), 0};
    const named *found = bsearch(&wanted, sorted, b->files.count, sizeof *sorted, by_name);
    free(wanted.name);
    if (!found)
        return;
    const cli_file *file = &b->files.items[found->index];
    if (file->size != size || file->modified != modified)
        return;
    char *path = output_path(file);
    if (access(path, F_OK) == 0)
        b->results[found->index] = (result){.outcome = DONE, .carried = true, .notes = notes};
    free(path);
}

/* Reads a line without its end; false at the end of the file, and for a line that was cut short. */
static bool whole_line(FILE *file, char **line, size_t *capacity)
{
    ssize_t size = getline(line, capacity, file);
    if (size <= 0 || (*line)[size - 1] != '\n')
        return false;
    (*line)[size - 1] = 0;
    return true;
}

static void read_journal(batch *b, const char *path, const char *key)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    named *sorted = cli_alloc((b->files.count + 1) * sizeof *sorted);
    for (size_t i = 0; i < b->files.count; i++)
        sorted[i] = (named){escaped(b->files.items[i].relative), i};
    qsort(sorted, b->files.count, sizeof *sorted, by_name);
    char *line = NULL;
    size_t capacity = 0;
    if (whole_line(file, &line, &capacity) && !strcmp(line, key))
        while (whole_line(file, &line, &capacity))
            carry_line(b, sorted, line);
    free(line);
    for (size_t i = 0; i < b->files.count; i++)
        free(sorted[i].name);
    free(sorted);
    fclose(file);
}

/* Opens the journal, with what a resumed run carries over; false when the folder cannot be
 * written. */
static bool open_journal(batch *b)
{
    char *path = cli_printf("%s/iridia-batch.journal", out_directory), *key = journal_key();
    bool made = cli_make_parents(path);
    if (made && resume)
        read_journal(b, path, key);
    if (made)
        b->journal = fopen(path, "w");
    if (!b->journal) {
        char *problem = cli_printf("cannot write there: %s", strerror(errno));
        cli_say(out_directory, problem);
        free(problem);
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

static volatile sig_atomic_t
    stopped; /* by a signal: the files in work are finished, no more are taken */

static void stop(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

/* The first of these signals stops in order, the second at once. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = stop, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void show_progress(batch *b, bool last)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (!b->progress || (!last && ms - b->shown < 100))
        return;
    b->shown = ms;
    fprintf(stderr, "\r%zu/%zu  %zu %s  %zu refused  %zu not shaders%s", b->finished,
            b->files.count, b->counts[DONE], out_directory ? "written" : "accepted",
            b->counts[REFUSED], b->counts[NOT_A_SHADER], last ? "\n" : "");
    fflush(stderr);
}

static void *work(void *argument)
{
    batch *b = argument;
    pthread_mutex_lock(&b->lock);
    while (b->next < b->files.count && !stopped) {
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
        json_refusal(json, "refusal", r->why);
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
            groups[count].count +=
                b->results[i].outcome == REFUSED && b->results[i].why->status == (iri_status)status;
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
        const char *path = b->files.items[i].path;
        char *line = NULL;
        if (r->outcome == REFUSED) {
            line = cli_refusal_line(r->why, path);
        } else if (r->problem) {
            char *raw = cli_printf("%s: %s", path, r->problem);
            line = cli_shown(raw);
            free(raw);
        }
        if (line)
            puts(line);
        free(line);
    }
    group_count groups[IRI_STATUS_COUNT];
    size_t count = count_groups(b, groups);
    for (size_t i = 0; i < count; i++)
        printf("%6zu refused: %s\n", groups[i].count, groups[i].group);
    printf("%zu %s, %zu refused, %zu not shaders, %zu unreadable, %zu unwritable\n",
           b->counts[DONE], out_directory ? "written" : "accepted", b->counts[REFUSED],
           b->counts[NOT_A_SHADER], b->counts[UNREADABLE], b->counts[UNWRITABLE]);
}

static void free_batch(batch *b)
{
    for (size_t i = 0; i < b->files.count; i++) {
        free(b->results[i].problem);
        free(b->results[i].why);
    }
    free(b->results);
    cli_files_free(&b->files);
}

/* False when something could not be written. */
static bool tell(const batch *b)
{
    bool ok = true;
    if (stopped) {
        fprintf(stderr, "iridia: stopped after %zu of %zu files%s\n", b->finished, b->files.count,
                out_directory ? "; --resume goes on" : "");
        return false;
    }
    if (report)
        ok = write_report(b, report);
    if (as_json)
        ok = write_report(b, NULL) && ok;
    else
        print_summary(b);
    return ok;
}

static int run_batch(const cli_list *roots)
{
    batch b = {.lock = PTHREAD_MUTEX_INITIALIZER, .progress = isatty(STDERR_FILENO) == 1};
    /* What an earlier run wrote is not read, wherever it lies. */
    const char *const leave_out[2] = {out_directory, report};
    bool ok = cli_walk(roots, leave_out, &b.files);
    b.results = cli_alloc((b.files.count + 1) * sizeof *b.results);
    ok = ok && (!out_directory || open_journal(&b));
    if (ok) {
        catch_signals();
        run_threads(&b);
        if (b.journal)
            fclose(b.journal);
        ok = tell(&b) && !b.counts[REFUSED] && !b.counts[UNREADABLE] && !b.counts[UNWRITABLE];
    }
    free_batch(&b);
    return ok ? CLI_OK : CLI_REFUSED;
}

static bool same_directory(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* CLI_OK when the operands and options go together. */
static int check_arguments(const cli_list *roots)
{
    if (!roots->count)
        return cli_usage("batch", "no DIR given");
    form = batch_find_form(to);
    if (!form)
        return CLI_USAGE;
    if (resume && !out_directory)
        return cli_usage("batch", "--resume goes with --out");
    if (out_directory && !*out_directory)
        return cli_usage("batch", "--out takes a directory");
    for (size_t i = 0; out_directory && i < roots->count; i++)
        if (same_directory(roots->items[i], out_directory))
            return cli_usage("batch",
                             "--out has to be another directory than the one that is read");
    char *clash = cli_walk_clash(roots);
    if (clash) {
        cli_usage("batch", "two directories are called '%s', and their outputs would mix", clash);
        free(clash);
        return CLI_USAGE;
    }
    return CLI_OK;
}

int cli_batch(int argc, char **argv)
{
    const cli_option *const groups[] = {options, cli_lift_options, cli_target_options,
                                        cli_layout_options, NULL};
    cli_list operands = {0};
    int code;
    if (!cli_parse("batch", "[OPTION ...] DIR ...", teach, groups, argc, argv, &operands, &code)) {
        free(operands.items);
        return code;
    }
    code = check_arguments(&operands);
    if (code == CLI_OK && (!cli_lift_finish("batch", &cli_lift_given) || !batch_form_finish(form)))
        code = CLI_USAGE;
    if (code == CLI_OK)
        code = run_batch(&operands);
    free(operands.items);
    return code;
}
