/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running a program on random numbers, and comparing what two forms of it gave, bit for bit.
 */
#ifndef IRI_TESTS_FUZZ_EXECUTE_H
#define IRI_TESTS_FUZZ_EXECUTE_H

#include <iridia/iridia.h>

enum {
    EXECUTE_IO = 24,
    EXECUTE_RESOURCES = 64,
    EXECUTE_INVOCATIONS = 32,
    EXECUTE_BANK = 1200, /* words of a constant buffer */
    EXECUTE_SIDE = 4,    /* texels a side of a texture */
    EXECUTE_TEXELS = 2 * 6 * 2 * EXECUTE_SIDE * EXECUTE_SIDE * EXECUTE_SIDE
};

/* What a program is run on. A lane of an input or output lies at the start of its eight bytes. */
typedef struct execute_numbers {
    uint64_t inputs[EXECUTE_IO][EXECUTE_INVOCATIONS][4];
    uint32_t constants[3][EXECUTE_BANK]; /* by register: floats, small integers, booleans */
    uint32_t texels[EXECUTE_TEXELS * 4];
    uint32_t count; /* invocations */
    bool no_quads;
    uint32_t step_limit;
    const iri_state *state;
    const iri_allocator *allocator; /* or NULL */
    const iri_limits *limits;       /* or NULL */
} execute_numbers;

typedef struct execute_outcome {
    uint64_t outputs[EXECUTE_IO][EXECUTE_INVOCATIONS][4];
    uint8_t flags[EXECUTE_INVOCATIONS];
    iri_status status; /* IRI_OK or IRI_LIMIT_STEPS */
} execute_outcome;

/* Constants and texels from a seed. */
void execute_fill_memory(execute_numbers *n, uint64_t seed);
/* The program's inputs for `count` invocations; half of the seeds have special numbers. Derivatives are run in quads
 * unless some may stand in divergent flow: they mean nothing there, so then all are made 0. */
void execute_fill_inputs(execute_numbers *n, const iri_program *p, uint64_t seed);
uint64_t execute_get_lane(const uint64_t *at, iri_scalar scalar);
void execute_put_lane(uint64_t *at, iri_scalar scalar, uint64_t bits);

/* False and `why` when it cannot be run. `options` may be NULL; the numbers' allocator and limits go before its own. */
bool execute_run(const iri_program *p, const execute_numbers *n, const iri_exec_options *options,
                 execute_outcome *out, iri_refusal *why);
/* Inputs and outputs meet by name, since a pass may drop some. False and a line in `what` where they differ. */
bool execute_same(const iri_program *a, const execute_outcome *x, const iri_program *b,
                  const execute_outcome *y, uint32_t count, char *what, size_t size);

#endif
