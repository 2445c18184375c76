/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a shader on which a target and the executor disagree to a small program on which they still do. In each
 * round every edit of gpu_edit.c makes a candidate; the smallest one that still disagrees is what goes on. An
 * edit need not keep what the program means: only the disagreement counts.
 */
#include "tests/oracle/gpu_shrink.h"

#include <stdlib.h>
#include <string.h>

enum { QUAD = 4, BATCH = 48 };

/* A quad's numbers: of each value what it was last. */
typedef struct traced {
    uint32_t (*lanes[QUAD])[GPU_LANES]; /* invocation -> value -> lanes */
    uint32_t now;                       /* the invocation being traced */
    uint32_t value_count;
    const iri_program *p;
} traced;

typedef struct shrinker {
    const char *folder;
    const gpu_target *target;
    gpu_job job; /* the smallest so far: one quad of one set */
    gpu_found found;
} shrinker;

/* ---- running candidates ---- */

static bool run_command(const char *command, const char *folder)
{
    char line[4096];
    int size = snprintf(line, sizeof line, "%s '%s' >'%s/said.txt' 2>&1", command, folder, folder);
    return size < (int)sizeof line && system(line) == 0;
}

static bool differs_after_passes(const gpu_job *job)
{
    gpu_tally t = {0};
    return gpu_passes(job, false, &t) && t.failed != 0;
}

/* Which of the jobs the target does differently: `found[i].wrong`. */
static void try_jobs(const char *folder, const gpu_target *target, gpu_job *jobs, uint32_t count,
                     gpu_found *found)
{
    gpu_folder f = {.path = folder, .profile = target->profile};
    gpu_tally t = {0};
    char why[400];
    memset(found, 0, count * sizeof *found);
    if (!target->command) {
        for (uint32_t i = 0; i < count; i++)
            found[i].wrong = differs_after_passes(&jobs[i]);
        return;
    }
    if (!gpu_begin(&f))
        return;
    for (uint32_t i = 0; i < count; i++) {
        snprintf(jobs[i].name, sizeof jobs[i].name, "candidate %u", (unsigned)i);
        gpu_write_job(&f, &jobs[i], why);
    }
    gpu_end(&f);
    bool ran = run_command(target->command, folder) && gpu_open_results(&f);
    for (uint32_t i = 0; ran && i < count; i++)
        if (!gpu_compare(&f, &jobs[i], &t, &found[i], why))
            found[i].wrong = 0;
    gpu_close_results(&f);
}

/* ---- numbers of a run ---- */

static void see(void *user, const iri_exec_event *event)
{
    traced *t = user;
    const iri_inst *in = &t->p->insts[event->inst];
    for (uint32_t k = 0;
         event->kind == IRI_EVENT_RESULT && k < in->result_count && k < event->count; k++)
        for (uint32_t i = 0; i < GPU_LANES; i++)
            t->lanes[t->now][in->results + k][i] = (uint32_t)event->values[k][i];
}

static bool trace(traced *t, const gpu_job *job)
{
    const iri_interface *io = &job->p->interface;
    iri_exec *exec = NULL;
    iri_exec_array in[GPU_IO];
    iri_exec_resource bound[GPU_RESOURCES];
    *t = (traced){.p = job->p, .value_count = job->p->value_count};
    bool good = iri_exec_compile(job->p, IRI_EXEC_OPTIONS(.trace = true), &exec, NULL) == IRI_OK;
    for (uint32_t i = 0; i < io->input_count; i++)
        in[i] = (iri_exec_array){job->in + gpu_word_at(io->inputs, i), job->in_words * 4, 0};
    gpu_bind(job->p, job->first_set, bound);
    for (t->now = 0; good && t->now < QUAD; t->now++) {
        t->lanes[t->now] = calloc(t->value_count, sizeof *t->lanes[0]);
        good =
            t->lanes[t->now] && iri_exec_run(exec,
                                             &(iri_exec_batch){.count = QUAD,
                                                               .inputs = in,
                                                               .resources = bound,
                                                               .resource_count = io->resource_count,
                                                               .state = &IRI_STATE_D3D9_DEFAULT,
                                                               .trace = see,
                                                               .trace_user = t,
                                                               .trace_invocation = t->now},
                                             NULL) == IRI_OK;
    }
    iri_exec_free(exec);
    return good;
}

static void free_traced(traced *t)
{
    for (uint32_t i = 0; i < QUAD; i++)
        free(t->lanes[i]);
}

/* ---- candidates ---- */

typedef struct candidate {
    gpu_job job;
    uint32_t size;
} candidate;

/* The inputs of a program made by an edit: those it had, and the new one as traced. */
static uint32_t *give_inputs(const gpu_job *from, const gpu_edit *edit, const traced *t,
                             const iri_program *p)
{
    const iri_interface *old = &from->p->interface;
    uint32_t words = gpu_input_words(p), *in = calloc(QUAD * words + 1, sizeof *in);
    for (uint32_t i = 0; in && i < p->interface.input_count; i++) {
        const iri_io *io = &p->interface.inputs[i];
        uint32_t was = gpu_same_element(old->inputs, old->input_count, io);
        uint32_t at = gpu_word_at(p->interface.inputs, i);
        for (uint32_t n = 0; n < QUAD; n++)
            for (uint32_t k = 0; k < IRI_TYPE_LANES(io->type); k++)
                in[n * words + at + k] =
                    was == old->input_count
                        ? t->lanes[n][edit->at][k]
                        : from->in[n * from->in_words + gpu_word_at(old->inputs, was) + k];
    }
    return in;
}

/* What shrinks: instructions, and of these an input is the least. */
static uint32_t size_of(const iri_program *p)
{
    uint32_t size = 0;
    for (iri_id i = 1; i < p->inst_count; i++)
        size += p->insts[i].op == IRI_OP_INPUT ? 1 : 2;
    return size;
}

static bool make_candidate(const gpu_job *from, const gpu_edit *edit, const traced *t, candidate *c)
{
    iri_program *p = gpu_edited(from->p, edit);
    if (p && size_of(p) < size_of(from->p) && p->interface.input_count <= GPU_IO) {
        c->job = *from;
        c->job.p = p;
        c->job.in_words = gpu_input_words(p);
        c->job.out_words = gpu_output_words(p);
        c->job.in = give_inputs(from, edit, t, p);
        c->size = size_of(p);
        if (c->job.in)
            return true;
    }
    iri_program_free(p);
    return false;
}

static void free_job(gpu_job *job)
{
    iri_program_free((iri_program *)(uintptr_t)job->p);
    free(job->in);
}

static int by_size(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->size < y->size ? -1 : x->size > y->size;
}

/* One round: whether something smaller still disagrees. */
static bool shrink_once(shrinker *s, gpu_edits *edits)
{
    traced t;
    bool found = false;
    uint32_t count = 0;
    candidate *c = calloc(GPU_EDITS, sizeof *c);
    if (c && trace(&t, &s->job)) {
        gpu_list_edits(edits, s->job.p);
        for (uint32_t i = 0; i < edits->count; i++)
            count += make_candidate(&s->job, &edits->at[i], &t, &c[count]);
        qsort(c, count, sizeof *c, by_size);
    }
    for (uint32_t first = 0; first < count && !found; first += BATCH) {
        gpu_job jobs[BATCH];
        gpu_found which[BATCH];
        uint32_t n = count - first < BATCH ? count - first : BATCH;
        for (uint32_t i = 0; i < n; i++)
            jobs[i] = c[first + i].job;
        try_jobs(s->folder, s->target, jobs, n, which);
        for (uint32_t i = 0; i < n && !found; i++) {
            if (!which[i].wrong)
                continue;
            free_job(&s->job);
            s->job = jobs[i];
            s->found = which[i];
            c[first + i].job = (gpu_job){0};
            found = true;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        free_job(&c[i].job);
    if (c)
        free_traced(&t);
    free(c);
    return found;
}

/* ---- what is said at the end ---- */

static void print_words(const uint32_t *words, const iri_io *io, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        printf(" %s%u (", io[i].name, (unsigned)io[i].index);
        for (uint32_t k = 0; k < IRI_TYPE_LANES(io[i].type); k++, words++)
            printf(IRI_TYPE_SCALAR(io[i].type) == IRI_F32 ? "%s%08x %.9g" : "%s%08x", k ? ", " : "",
                   (unsigned)*words, (double)gpu_float(*words));
        printf(")");
    }
    printf("\n");
}

static void print_program(const iri_program *p)
{
    iri_text text;
    if (iri_print_text(p, IRI_TEXT_OPTIONS(.no_offsets = true), &text, NULL) == IRI_OK) {
        printf("%.*s", (int)text.size, (const char *)text.data);
        iri_text_free(&text);
    }
}

/* What a target makes of the program, or that it agrees by the harness' rules. */
static void print_target(const shrinker *s, const gpu_target *target)
{
    const iri_interface *io = &s->job.p->interface;
    gpu_job job = s->job;
    gpu_found found;
    char why[400];
    try_jobs(s->folder, target, &job, 1, &found);
    printf("%s%s:\n", target->name, found.wrong ? " disagrees" : "");
    gpu_folder f = {.path = s->folder, .profile = target->profile};
    uint32_t *got = target->command && gpu_open_results(&f) ? gpu_read_result(&f, &job, why) : NULL;
    for (uint32_t n = 0; got && n < QUAD; n++) {
        printf(got[n * (job.out_words + 1)] == 1 ? "  %u:" : "  %u, killed:", (unsigned)n);
        print_words(got + n * (job.out_words + 1) + 1, io->outputs, io->output_count);
    }
    gpu_close_results(&f);
    free(got);
}

static void print_shrunk(const shrinker *s, const gpu_target *targets, uint32_t count)
{
    const iri_interface *io = &s->job.p->interface;
    uint32_t *out = calloc(QUAD * s->job.out_words + 1, sizeof *out);
    uint8_t flags[QUAD];
    char why[400];
    print_program(s->job.p);
    printf("inputs, with the constants and textures of set %u:\n", (unsigned)s->job.first_set);
    for (uint32_t n = 0; n < QUAD; n++) {
        printf("  %u:", (unsigned)n);
        print_words(s->job.in + n * s->job.in_words, io->inputs, io->input_count);
    }
    printf("exec:\n");
    if (out && gpu_execute(&s->job, s->job.p, false, out, flags, why))
        for (uint32_t n = 0; n < QUAD; n++) {
            printf(flags[n] & IRI_INVOCATION_KILLED ? "  %u, killed:" : "  %u:", (unsigned)n);
            print_words(out + n * s->job.out_words, io->outputs, io->output_count);
        }
    for (uint32_t i = 0; i < count; i++)
        print_target(s, &targets[i]);
    free(out);
}

/* The quad that starts with invocation `first` as a job of its own: whether it disagrees alone. */
static bool take_quad(shrinker *s, const gpu_job *job, uint32_t first)
{
    size_t words = QUAD * (size_t)job->in_words;
    s->job = *job;
    s->job.count = QUAD;
    s->job.sets = 1;
    s->job.first_set = first / (job->count / job->sets);
    s->job.in = malloc(words * 4 + 4);
    if (s->job.in) {
        memcpy(s->job.in, job->in + (size_t)first * job->in_words, words * 4);
        try_jobs(s->folder, s->target, &s->job, 1, &s->found);
    }
    if (s->found.wrong)
        return true;
    free(s->job.in);
    return false;
}

static bool find_quad(shrinker *s, const char *path)
{
    gpu_job job;
    bool found = false;
    if (!gpu_load(path, !s->target->command, &job))
        return false;
    if (s->target->command) {
        try_jobs(s->folder, s->target, &job, 1, &s->found);
        found = s->found.wrong && take_quad(s, &job, s->found.invocation / QUAD * QUAD);
    } else {
        for (uint32_t first = 0; first < job.count && !found; first += QUAD)
            found = take_quad(s, &job, first);
    }
    if (!found)
        iri_program_free((iri_program *)(uintptr_t)job.p);
    return found;
}

uint32_t gpu_shrink(const char *folder, const gpu_target *targets, uint32_t count, const char *path)
{
    static gpu_edits edits;
    shrinker s = {.folder = folder, .target = &targets[0]};
    uint32_t rounds = 0;
    edits.serial = 0;
    if (!find_quad(&s, path)) {
        printf("%s: %s and the executor agree\n", path, targets[0].name);
        return 0;
    }
    uint32_t before = s.job.p->inst_count - 1;
    while (shrink_once(&s, &edits))
        rounds++;
    uint32_t after = s.job.p->inst_count - 1;
    printf("%s: %s disagrees: %u instructions shrunk to %u in %u rounds\n", path, targets[0].name,
           (unsigned)before, (unsigned)after, (unsigned)rounds);
    print_shrunk(&s, targets, count);
    free_job(&s.job);
    return after;
}
