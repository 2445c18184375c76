/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of the shrinker share.
 */
#ifndef IRI_TESTS_ORACLE_GPU_SHRINK_H
#define IRI_TESTS_ORACLE_GPU_SHRINK_H

#include "tests/oracle/gpu.h"

/* ---- gpu_edit.c ---- */

typedef enum gpu_edit_kind {
    GPU_EDIT_LANE,    /* only lane `choice` of output `at` stays */
    GPU_EDIT_OUTPUT,  /* the value `at` goes out in place of all outputs */
    GPU_EDIT_INPUT,   /* the value `at` comes in, with the numbers that it had */
    GPU_EDIT_OPERAND, /* the value `at` is its operand `choice` */
    GPU_EDIT_DROP,    /* the instruction `at`, an effect, goes */
    GPU_EDIT_ARM,     /* the `if` `at` is its arm `choice` */
    GPU_EDIT_ONCE,    /* the loop `at`, of label `choice`, runs once */
    GPU_EDIT_PASS     /* the pass `choice` */
} gpu_edit_kind;

typedef struct gpu_edit {
    gpu_edit_kind kind;
    uint32_t at, choice;
    uint32_t serial; /* number of the new input */
} gpu_edit;

enum { GPU_EDITS = 4096 };

typedef struct gpu_edits {
    gpu_edit at[GPU_EDITS];
    uint32_t count, serial;
} gpu_edits;

void gpu_list_edits(gpu_edits *to, const iri_program *p);
/* The program changed, without what is dead then; NULL where that is no valid program. The caller's. */
iri_program *gpu_edited(const iri_program *p, const gpu_edit *edit);

/* ---- gpu_shrink.c ---- */

enum { GPU_TARGETS = 8 };

/* What runs jobs: a command on a folder; the executor after each pass when there is none. */
typedef struct gpu_target {
    char name[32];
    iri_profile profile;
    const char *command;
} gpu_target;

/* Reduces a shader on which the first target and the executor disagree to a small program on which they still
 * do, and prints it with its inputs and what each target makes of it. Returns its instructions, 0 when there is
 * no disagreement. `folder` is where jobs are put. */
uint32_t gpu_shrink(const char *folder, const gpu_target *targets, uint32_t count,
                    const char *path);

#endif
