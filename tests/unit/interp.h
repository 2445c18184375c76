/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reference interpreter for tests: runs a program, structured or of CFG form, lane by lane with
 * iri_eval. What it cannot know (textures, derivatives, state) is some fixed function of the operands.
 */
#ifndef IRI_TESTS_UNIT_INTERP_H
#define IRI_TESTS_UNIT_INTERP_H

#include "ir/program.h"

enum { INTERP_IO = 8 };

typedef struct interp_lanes {
    uint64_t at[4];
} interp_lanes;

typedef struct interp_result {
    bool finished; /* returned within the steps */
    bool demoted;
    interp_lanes outputs[INTERP_IO];
    uint32_t steps;
} interp_result;

/* Told of every value that an instruction, an edge or a constant gives. */
typedef struct interp_watch {
    void (*see)(void *argument, iri_id value, const interp_lanes *lanes);
    void *argument;
} interp_watch;

/* Runs the entry on these inputs. */
void interp_run(const iri_program *p, const interp_lanes inputs[INTERP_IO], uint32_t steps,
                interp_result *result);
void interp_run_watched(const iri_program *p, const interp_lanes inputs[INTERP_IO], uint32_t steps,
                        const interp_watch *watch, interp_result *result);

#endif
