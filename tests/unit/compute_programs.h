/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The compute programs of tests/fixtures/compute: what each is bound to, and what it does in plain C.
 */
#ifndef IRI_TESTS_UNIT_COMPUTE_PROGRAMS_H
#define IRI_TESTS_UNIT_COMPUTE_PROGRAMS_H

#include <iridia/iridia.h>

#include <stdbool.h>
#include <stdint.h>

enum { COMPUTE_BINDINGS = 8, COMPUTE_WORDS = 8192 };

/* What one resource is bound to. */
typedef struct compute_binding {
    const char *name; /* of the resource */
    uint32_t size;    /* words */
    uint32_t words[COMPUTE_WORDS];
    uint32_t counter;
    iri_exec_texture texture; /* width 0: a buffer */
    bool written, unordered;  /* unordered: its words may come in any order */
} compute_binding;

typedef struct compute_run {
    compute_binding bindings[COMPUTE_BINDINGS];
    uint32_t count;
    uint32_t groups[3];
} compute_run;

typedef struct compute_program {
    const char *name; /* of the file, without .iri */
    void (*bind)(compute_run *run);
    void (*compute)(compute_run *run);
} compute_program;

extern const compute_program compute_programs[];
extern const uint32_t compute_program_count;

/* The text of a program; the caller frees it. NULL when there is no such file. */
char *compute_read(const char *name);
/* Binds a run's memory to a program's resources; both arrays have as many elements as the interface. */
void compute_resources(compute_run *run, const iri_program *p, iri_exec_resource *resources,
                       iri_exec_memory *memories);
/* Whether two runs of one program ended alike; `what` gets the first difference. */
bool compute_same(const compute_run *a, const compute_run *b, char *what, uint32_t size);

#endif
