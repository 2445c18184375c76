/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of oracle-gpu share. A job is a program with inputs; the executor runs it here, a driver runs
 * the WGSL or SPIR-V written of it elsewhere (gpu.mjs, vulkan_run.c), and the numbers are compared lane by lane.
 */
#ifndef IRI_TESTS_ORACLE_GPU_H
#define IRI_TESTS_ORACLE_GPU_H

#include "ir/program.h"

#include <iridia/iridia.h>
#include <stdio.h>

enum {
    GPU_IO = 32,
    GPU_LANES = 4,
    GPU_TEXTURES = 8, /* of each dimension */
    GPU_SETS = 64,    /* sets of constants and textures */
    GPU_ROWS = 256,   /* least rows of constants that are bound */
    GPU_RESOURCES = 64,
    GPU_SIDE = 64,                   /* pixels of the square that jobs run on, */
    GPU_COUNT = GPU_SIDE * GPU_SIDE, /* and so the most invocations */
    GPU_BANK_STEP = 256,             /* bytes from one set's constants to the next one's */
    GPU_BINDING_IN = 500,
    GPU_BINDING_OUT, /* in group 3 */
};

/* What a job is given. Invocations come in quads; each set of constants and textures has `count / sets` of
 * them, which is a power of two of quads. `in` holds `in_words` words an invocation: the inputs' lanes in
 * interface order. */
typedef struct gpu_job {
    char name[96];
    const iri_program *p;
    uint32_t count, sets, first_set;
    uint32_t in_words, out_words;
    uint32_t *in;
    uint64_t seed;
} gpu_job;

/* ---- gpu_inputs.c: numbers, constants and textures, and the executor on them ---- */

uint64_t gpu_random(uint64_t *seed);
uint64_t gpu_hash(const char *text);
uint32_t gpu_bits(float x);
float gpu_float(uint32_t bits);

/* Lanes of all inputs, of all outputs, of those before `index`. */
uint32_t gpu_input_words(const iri_program *p);
uint32_t gpu_output_words(const iri_program *p);
uint32_t gpu_word_at(const iri_io *io, uint32_t index);
/* The element of `all` that is the `wanted` one of another program, `count` when there is none. */
uint32_t gpu_same_element(const iri_io *all, uint32_t count, const iri_io *wanted);

/* Constants of all sets: 0 floats, 1 integers, 2 booleans. Set n has those from byte n * GPU_BANK_STEP. */
const void *gpu_bank(uint32_t bank, size_t *size);
size_t gpu_bank_bytes(const iri_resource *r); /* what is bound */
/* Set n has the texture register + n. */
const iri_exec_texture *gpu_texture(uint32_t dimension, uint32_t number);

void gpu_bind(const iri_program *p, uint32_t set, iri_exec_resource bound[GPU_RESOURCES]);
/* Executes `p`, which has the job's interface: `out` gets out_words words an invocation, `flags` a byte each. */
bool gpu_execute(const gpu_job *job, const iri_program *p, bool fine, uint32_t *out, uint8_t *flags,
                 char why[400]);

/* ---- gpu_jobs.c: the folder through which a driver is given jobs ---- */

typedef struct gpu_folder {
    const char *path;
    iri_profile profile;   /* vulkan1.1 and vulkan1.3: SPIR-V; else WGSL */
    FILE *manifest, *data; /* while making */
    size_t at;             /* bytes of data written */
    uint32_t written;      /* jobs */
    char *index;           /* while reading results */
    FILE *results;
} gpu_folder;

/* Writes what jobs share, and begins the manifest. */
bool gpu_begin(gpu_folder *f);
void gpu_end(gpu_folder *f);
/* Adds a job; false and `why` when the target refuses the program. */
bool gpu_write_job(gpu_folder *f, const gpu_job *job, char why[400]);

bool gpu_open_results(gpu_folder *f);
void gpu_close_results(gpu_folder *f);
/* What the driver gave: words of `count` invocations, each a word that is 1 when the invocation was not
 * killed and then the outputs' lanes. NULL and `why` when it gave none. From malloc. */
uint32_t *gpu_read_result(const gpu_folder *f, const gpu_job *job, char why[400]);
/* Adds a shader to failed.txt, from which it is shrunk. */
void gpu_note_failure(const gpu_folder *f, const char *path);
/* Whether the target says this output at all: WebGPU has no size of points. */
bool gpu_is_said(const gpu_folder *f, const iri_io *output);

/* ---- gpu_wgsl.c, gpu_spirv.c: modules with an entry point that reads and writes buffers ---- */

/* A resource of a module. */
typedef struct gpu_bound {
    uint32_t group, binding, index; /* index: in the interface */
    bool storage;
} gpu_bound;

typedef struct gpu_module {
    char *bytes; /* text or words, from malloc */
    size_t size;
    gpu_bound bound[GPU_RESOURCES];
    uint32_t bound_count;
} gpu_module;

bool gpu_make_wgsl(const gpu_job *job, iri_profile profile, gpu_module *m, char why[400]);
bool gpu_make_spirv(const gpu_job *job, iri_profile profile, gpu_module *m, char why[400]);

/* ---- gpu_precision.c ---- */

/* What one operation on x may add: units in the last place of its result, or a number. */
typedef struct gpu_precision {
    double ulps, absolute;
} gpu_precision;
gpu_precision gpu_precision_of(iri_op op, double x);

/* ---- gpu_error.c ---- */

/* How far each output lane may lie from what the executor computes, carried through one invocation's trace.
 * `fine` is NULL, or the program compiled with fine derivatives: an implementation may take either. `bound` is by output word; HUGE_VAL where nothing is known (a comparison may flip, a result is not finite). */
typedef struct gpu_bounds {
    double *bound;
    bool uncertain; /* flow or a kill hangs on a comparison that may flip */
    uint32_t flips; /* comparisons, steps and lookups that may come out otherwise */
} gpu_bounds;
bool gpu_carry_errors(const gpu_job *job, const iri_exec *traced, const iri_exec *fine,
                      uint32_t invocation, gpu_bounds *b, char why[400]);

/* ---- gpu_compare.c ---- */

typedef struct gpu_tally {
    uint32_t passed, failed, skipped;
    /* lanes: of all; then each of one kind. exact, within the bound: finite and varying; free: anything may come;
     * uncertain: hangs on a flip; constant: could vary and did not; fixed: the program gives one number. */
    uint64_t lanes, exact, within, free_lanes, uncertain, constant, not_finite, killed, fixed;
    uint64_t flips, sets;
} gpu_tally;

/* The lane that is furthest off, of `wrong`. */
typedef struct gpu_found {
    uint32_t wrong, invocation, word;
    double expected, got, bound;
    bool kill; /* the invocation is killed in one and not in the other */
} gpu_found;

/* Compares a job's results and adds to the counts; false and `why` when there are none. */
bool gpu_compare(const gpu_folder *f, const gpu_job *job, gpu_tally *t, gpu_found *worst,
                 char why[400]);
void gpu_complain(const gpu_job *job, const gpu_found *f);
const char *gpu_output_name(const iri_program *p, uint32_t word, char to[48]);

/* ---- gpu_ops.c, gpu_shaders.c, gpu_passes.c ---- */

typedef enum gpu_mode { GPU_MAKE, GPU_COMPARE, GPU_PASSES } gpu_mode;

/* Every operation on every type: makes the jobs, compares what came back, or runs them after each pass. */
void gpu_ops(gpu_folder *f, gpu_mode mode, gpu_tally *t);
void gpu_shader(gpu_folder *f, const char *path, gpu_mode mode, gpu_tally *t);
/* A shader with its inputs, as `raw` as the reader gives it. False when it is refused. The program is the caller's. */
bool gpu_load(const char *path, bool raw, gpu_job *job);
/* Runs a program after each pass, and compares with the run before; says what changed when `show`. False when
 * there was no run before. */
bool gpu_passes(const gpu_job *job, bool show, gpu_tally *t);

/* ---- gpu_edit.c: a planted fault, by which the harness itself is tested ---- */

/* "min=max": what targets are given says max for min. False when no operation is called so. */
bool gpu_plant(const char *text);
/* The program with the fault; NULL when none is planted. The caller's. */
iri_program *gpu_planted(const iri_program *p);

#endif
