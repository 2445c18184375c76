/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the public entries of all writers do alike: bringing a program to the form that is written, refusing state
 * that nobody gave, and handing over the output, the names and the notes.
 */
#ifndef IRI_API_WRITTEN_H
#define IRI_API_WRITTEN_H

#include "base/buf.h"
#include "pass/pass.h"
#include "write/result.h"

typedef struct iri_write_job iri_write_job;

/* One call of a writer. The entry fills in the first part. */
struct iri_write_job {
    const iri_program *given;
    const void *options;     /* the writer's own */
    iri_pass_options passes; /* the allocator, limits, profile and features that the caller gave */
    bool gradients; /* lookups in flow that is not uniform need explicit gradients: legalize */
    iri_write_result result;
    /* Writes `program`, in form for it, to `out`. Everything it allocates is in `arena`. */
    void (*write)(iri_write_job *job);

    iri_ctx ctx;
    const iri_program *program; /* `given`, or `made` of it */
    iri_program *made;
    iri_arena scratch, arena;
    iri_buf out;
    void *copied; /* of the result: the caller's, with `names`, `notes` and `lines` in it */
    iri_emitted_name *names;
    iri_note *notes;
    iri_wgsl_line *lines;
};

/* Whether a name can stand in WGSL, C and JavaScript, but for their reserved words. */
bool iri_is_identifier(const char *name);

/* Runs a job whose first part is filled in. On IRI_OK `out` is the caller's, and when result.wanted so is
 * `copied`, for iri_written_free. */
iri_status iri_write_run(iri_write_job *job, iri_text *out, iri_refusal *why);
/* NULL is allowed. */
void iri_written_free(void *memory);

#endif
