/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of oracle-gpu share. A job is a program with inputs; the executor runs it here, a GPU driver
 * runs the WGSL written of it elsewhere (gpu.mjs), and the numbers are compared lane by lane.
 */
#ifndef IRI_TESTS_ORACLE_GPU_H
#define IRI_TESTS_ORACLE_GPU_H

#include "ir/program.h"

#include <iridia/iridia.h>
#include <stdio.h>

enum { GPU_IO = 32, GPU_LANES = 4, GPU_TEXTURES = 4, GPU_ROWS = 256, GPU_RESOURCES = 64 };

/* What a job is given. `in` holds `in_words` words an invocation: the inputs' lanes in interface order. */
typedef struct gpu_job {
    char name[96];
    const iri_program *p;
    uint32_t count; /* invocations; a multiple of 64 */
    uint32_t in_words, out_words;
    uint32_t *in;
    const void *banks[3]; /* constants: floats, integers, booleans; 8192 rows of 16 bytes each */
    uint64_t seed;
} gpu_job;

/* ---- gpu_jobs.c ---- */

typedef struct gpu_folder {
    const char *path;
    iri_profile profile;
    FILE *manifest, *data; /* while making */
    size_t at;             /* bytes of data written */
    uint32_t written;      /* jobs */
} gpu_folder;

uint64_t gpu_random(uint64_t *seed);
uint64_t gpu_hash(const char *text);
uint32_t gpu_bits(float x);
float gpu_float(uint32_t bits);

/* Lanes of all inputs, of all outputs. */
uint32_t gpu_input_words(const iri_program *p);
uint32_t gpu_output_words(const iri_program *p);

/* Writes the textures that every job may read, and begins the manifest. */
bool gpu_begin(gpu_folder *f);
void gpu_end(gpu_folder *f);
/* Adds a job; false and `why` when the target refuses the program. */
bool gpu_write_job(gpu_folder *f, const gpu_job *job, char why[400]);
/* Executes it: `out` gets out_words words an invocation, `flags` a byte each. */
bool gpu_execute(const gpu_job *job, bool fine, uint32_t *out, uint8_t *flags, char why[400]);
void gpu_bind(const iri_program *p, const void *const banks[3],
              iri_exec_resource bound[GPU_RESOURCES]);
const iri_exec_texture *gpu_texture(uint32_t dimension, uint32_t reg);

/* What the driver gave: words of `count` invocations, each a word that is 1 when the invocation was not
 * killed and then the outputs' lanes. NULL and `why` when it gave none. From malloc. */
uint32_t *gpu_read_result(const gpu_folder *f, const gpu_job *job, char why[400]);

/* ---- gpu_error.c ---- */

/* How far each output lane may lie from what the executor computes, carried through one invocation's trace.
 * `fine` is NULL, or the program compiled with fine derivatives: an implementation may take either. `bound` is by output word; HUGE_VAL where nothing is known (a comparison may flip, a result is not finite). */
typedef struct gpu_bounds {
    double *bound;
    bool uncertain; /* flow or a kill hangs on a comparison that may flip */
} gpu_bounds;
bool gpu_carry_errors(const gpu_job *job, const iri_exec *traced, const iri_exec *fine,
                      uint32_t invocation, gpu_bounds *b, char why[400]);

/* ---- gpu_ops.c, gpu_shaders.c ---- */

typedef struct gpu_tally {
    uint32_t passed, failed, skipped;
    uint64_t lanes, exact, within, free_lanes, uncertain, constant, not_finite, killed;
    uint32_t shown;
} gpu_tally;

/* Every operation on every type: makes the jobs, or compares what came back. */
void gpu_ops(gpu_folder *f, bool compare, gpu_tally *t);
void gpu_shader(gpu_folder *f, const char *path, bool compare, gpu_tally *t);

#endif
