/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs executed as they were read, and again after each pass, on the same inputs: every word of every output
 * has to stay what it was, and who was killed. The passes come in the order in which lifting and writing run them.
 */
#include "tests/oracle/gpu.h"

#include <stdlib.h>
#include <string.h>

static const iri_pass_id lifting[] = {
    IRI_PASS_INLINE, IRI_PASS_STRUCTURIZE,  IRI_PASS_PROMOTE, IRI_PASS_FOLD,
    IRI_PASS_CSE,    IRI_PASS_LOWER_STATE,  IRI_PASS_FOLD,    IRI_PASS_DCE,
    IRI_PASS_RELAX,  IRI_PASS_IF_TO_SELECT, IRI_PASS_FOLD,    IRI_PASS_DCE,
};
static const iri_pass_id writing[] = {IRI_PASS_LEGALIZE, IRI_PASS_BREAK_FLAGS, IRI_PASS_DCE};

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* One program's runs. */
typedef struct rerun {
    const gpu_job *job;
    uint32_t *before, *after;
    uint8_t *killed_before, *killed_after;
    bool show;
    char after_passes[64]; /* "fold (number 3)" */
} rerun;

static bool same_lane(const rerun *r, uint32_t invocation, uint32_t word)
{
    size_t at = (size_t)invocation * r->job->out_words + word;
    return r->before[at] == r->after[at];
}

static void complain(const rerun *r, uint32_t invocation, uint32_t word, uint32_t times)
{
    size_t at = (size_t)invocation * r->job->out_words + word;
    printf("%s: after %s: invocation %u, word %u: %08x (%g) became %08x (%g); %u lanes so\n",
           r->job->name, r->after_passes, (unsigned)invocation, (unsigned)word,
           (unsigned)r->before[at], (double)gpu_float(r->before[at]), (unsigned)r->after[at],
           (double)gpu_float(r->after[at]), (unsigned)times);
}

/* Runs a program after a pass and compares; false when something changed. */
static bool run_again(rerun *r, const iri_program *p, gpu_tally *t)
{
    char why[400];
    uint32_t wrong = 0, invocation = 0, word = 0;
    iri_program *planted = gpu_planted(p);
    bool ran = gpu_execute(r->job, planted ? planted : p, false, r->after, r->killed_after, why);
    iri_program_free(planted);
    if (!ran) {
        if (r->show)
            printf("%s: after %s: %s\n", r->job->name, r->after_passes, why);
        return false;
    }
    for (uint32_t n = 0; n < r->job->count; n++) {
        t->lanes += r->job->out_words;
        if (r->killed_before[n] != r->killed_after[n]) {
            if (r->show)
                printf("%s: after %s: invocation %u: killed %u became %u\n", r->job->name,
                       r->after_passes, (unsigned)n, (unsigned)r->killed_before[n],
                       (unsigned)r->killed_after[n]);
            return false;
        }
        if (r->killed_before[n]) {
            t->killed += r->job->out_words;
            continue;
        }
        for (uint32_t w = 0; w < r->job->out_words; w++) {
            bool same = same_lane(r, n, w);
            t->exact += same;
            if (!same && !wrong++) {
                invocation = n;
                word = w;
            }
        }
    }
    if (wrong && r->show)
        complain(r, invocation, word, wrong);
    return !wrong;
}

/* Applies a list of passes to `p`, running after each. Gives the last program, NULL when one failed. */
static iri_program *apply(rerun *r, const iri_program *p, const iri_pass_id *passes, size_t count,
                          bool *good, gpu_tally *t)
{
    iri_program *now = NULL;
    for (size_t i = 0; i < count && *good; i++) {
        iri_program *next = NULL;
        iri_refusal refusal;
        iri_status status = iri_pass_apply(
            now ? now : p, passes[i],
            IRI_PASS_OPTIONS(.state = &IRI_STATE_D3D9_DEFAULT, .uninitialized_zero = true), &next,
            NULL, &refusal);
        iri_program_free(now);
        now = next;
        snprintf(r->after_passes, sizeof r->after_passes, "%s (number %u)",
                 iri_pass_name(passes[i]), (unsigned)i);
        if (status != IRI_OK) {
            if (r->show)
                printf("%s: %s: %s\n", r->job->name, r->after_passes, refusal.reason);
            *good = false;
        } else {
            t->sets += r->job->sets;
            *good = run_again(r, now, t);
        }
    }
    return now;
}

bool gpu_passes(const gpu_job *job, bool show, gpu_tally *t)
{
    size_t words = (size_t)job->count * job->out_words + 1;
    rerun r = {.job = job,
               .show = show,
               .before = malloc(words * 4),
               .after = malloc(words * 4),
               .killed_before = malloc(job->count),
               .killed_after = malloc(job->count)};
    char why[400] = "no memory";
    iri_program *lifted = NULL;
    bool ran = r.before && r.after && r.killed_before && r.killed_after &&
               gpu_execute(job, job->p, false, r.before, r.killed_before, why);
    bool good = ran;
    if (!ran && show)
        printf("%s: %s\n", job->name, why);
    if (ran)
        lifted = apply(&r, job->p, lifting, COUNT_OF(lifting), &good, t);
    if (good)
        iri_program_free(apply(&r, lifted, writing, COUNT_OF(writing), &good, t));
    t->passed += good;
    t->failed += !good;
    iri_program_free(lifted);
    free(r.before);
    free(r.after);
    free(r.killed_before);
    free(r.killed_after);
    return ran;
}
