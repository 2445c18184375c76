/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plain interpreter, for comparison: ops.def's expressions behind a switch, one lane at a time, instruction by
 * instruction for each invocation, compiled with the library's flags.
 */
#ifndef IRI_BENCH_SINGLE_H
#define IRI_BENCH_SINGLE_H

#include <iridia/iridia.h>

/* Runs `count` invocations of a straight program of f32 with two inputs, an output and a constant buffer, at most
 * SINGLE_VALUES values. Inputs and output: four floats an invocation. */
enum { SINGLE_VALUES = 256 };
void single_run(const iri_program *p, uint32_t count, float *const in[2], const float *constants,
                float *out);

#endif
