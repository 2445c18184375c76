/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/exec.h: running programs on numbers. A program is compiled once and then run on batches of
 * invocations. What it computes is what the program says, to the bit: the arithmetic is that of ops.def's
 * lane expressions, the same that constants are folded with. It is the reference that writers are compared
 * with. docs/exec.md states every rule.
 *
 *     iri_exec *exec;
 *     iri_exec_compile(program, NULL, &exec, &why);
 *     iri_exec_array in[1] = {{positions, 16, 0}}, out[1] = {{colours, 16, 0}};
 *     iri_exec_resource bound[2] = {{.data = constants, .size = sizeof constants}, ...};
 *     iri_exec_run(exec, &(iri_exec_batch){.count = 1000, .inputs = in, .outputs = out, .resources = bound}, &why);
 *     iri_exec_free(exec);
 */
#ifndef IRIDIA_EXEC_H
#define IRIDIA_EXEC_H

#include <iridia/program.h>
#include <iridia/sampler.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- compiling ---- */

typedef struct iri_exec iri_exec;

/* All zero is the default. */
typedef struct iri_exec_options {
    size_t size;
    const iri_allocator *allocator;
    const iri_limits
        *limits; /* `memory` also bounds one run's; `instructions` what inlined calls make */
    uint32_t
        width;  /* invocations an instruction runs over at a time, rounded up to a multiple of 64;
                               * 0: chosen so that the registers stay in the cache */
    bool trace; /* keep every instruction, so that a run can report it (slower) */
    bool
        fine_derivatives; /* ddx from the own row of the quad and ddy from the own column; false: from the
                               * first row and column, as Direct3D's coarse derivatives */
    bool portable; /* use no instructions beyond the target's baseline; the numbers are the same */
} iri_exec_options;
#define IRI_EXEC_OPTIONS(...) IRI_OPTIONS(iri_exec_options, __VA_ARGS__)

/* Prepares the entry of a valid program. `program` is borrowed: it must outlive the result. Functions are
 * inlined. An iri_exec never changes, so many threads may run it at once. Statuses: IRI_RECURSION,
 * IRI_NOT_STRUCTURED (run the pass structurize first), IRI_LIMIT_*, IRI_NO_MEMORY, IRI_INVALID_ARGUMENT. */
IRI_API iri_status iri_exec_compile(const iri_program *program, const iri_exec_options *options,
                                    iri_exec **out, iri_refusal *why);
IRI_API void iri_exec_free(iri_exec *exec);

/* What compiling made. */
typedef struct iri_exec_stats {
    uint32_t steps;    /* in the instruction stream */
    uint32_t uniform;  /* operations done once a run instead of once an invocation */
    uint32_t columns;  /* 32-bit registers an invocation needs */
    uint32_t width;    /* invocations an instruction runs over */
    const char *lanes; /* instruction set of the kernels: "baseline", "avx2", "avx512" */
} iri_exec_stats;
IRI_API void iri_exec_get_stats(const iri_exec *exec, iri_exec_stats *stats);

/* ---- numbers in and out ---- */

/* Where an element of the interface has its numbers. Lane l of invocation i is at
 * `data + i * stride + l * lane_stride`, as many bytes as it has; a bool is a 32-bit word (any bit is true; written as
 * 0 or 1). `stride` 0: the same for all invocations (inputs only). `lane_stride` 0: the lanes lie side by side. NULL
 * data: an input is zero, an output is dropped. Nothing need be aligned. */
typedef struct iri_exec_array {
    void *data;
    size_t stride, lane_stride;
} iri_exec_array;

/* ---- textures ---- */

/* A texture as 32-bit words, four a texel (floats, or integers by the resource's scalar): level 0 first; in a
 * level layer by layer (a cube is six layers: +x -x +y -y +z -z), in a layer slice by slice, row by row. Each
 * level halves width, height and depth, down to 1. `iri_exec_texture_words` says how many words. A plain one is
 * `{IRI_DIMENSION_2D, width, height, 1, 1, 1, texels}`. A multisampled one has one level and the samples of a texel
 * side by side. */
typedef struct iri_exec_texture {
    uint32_t dimension; /* iri_dimension */
    uint32_t width, height, depth;
    uint32_t layers; /* 6 a cube; 1 when not arrayed */
    uint32_t levels;
    const void *texels;
    uint32_t samples; /* 0: not multisampled */
} iri_exec_texture;

/* Of an iri_sampler anisotropy is not modelled, and `srgb` is the texels' business: give floats that are decoded
 * (iri_exec_from_rgba8). */

/* Words of a texture with these dimensions, all levels; 0 when they make none (or too many). */
IRI_API size_t iri_exec_texture_words(const iri_exec_texture *texture);
/* Word position of a texel's first lane. */
IRI_API size_t iri_exec_texture_at(const iri_exec_texture *texture, uint32_t level, uint32_t layer,
                                   uint32_t x, uint32_t y, uint32_t z);
/* `count` texels of 8-bit channels (R G B A in memory) as floats c / 255. With `srgb`, R G B through sRGB's curve. */
IRI_API void iri_exec_from_rgba8(const uint8_t *bytes, size_t count, bool srgb, float *texels);
/* Fills levels 1 and up of float texels from level 0: each texel is the mean of the texels it covers. */
IRI_API void iri_exec_make_mips(const iri_exec_texture *texture, float *texels);

/* ---- resources ---- */

/* The memory of one buffer or storage texture. A raw or structured buffer is its bytes (whole words, little-endian on
 * every machine); a typed one four 32-bit words an element; a storage texture's words lie as `iri_exec_texture`, which
 * is bound beside it, says. What a program stores in a known DXGI format is first converted to it as Direct3D does, lanes
 * that the format lacks becoming 0, 0, 1. */
typedef struct iri_exec_memory {
    void *data; /* only read where the resource is */
    size_t size;
    uint32_t counter; /* of a structured buffer that has one */
} iri_exec_memory;

/* What is bound to a resource of the interface; all zero binds nothing: constants and memory read 0, textures
 * (0, 0, 0, 1) in programs from Direct3D 9 and 0 in others. For a resource of several registers `texture`, `sampler`
 * and `memory` point at `count` of them. */
typedef struct iri_exec_resource {
    const void *data; /* constant buffer: its bytes */
    size_t
        size; /* what lies outside of it, or of the declared size, reads 0 for each 32-bit word */
    const iri_exec_texture *texture;
    const iri_sampler *sampler; /* NULL: the default sampler */
    uint32_t count; /* how many textures, samplers or memories; 0: one where there is any */
    iri_exec_memory *memory; /* buffers and storage textures */
} iri_exec_resource;

/* One lookup, for a backend of the caller's. Which numbers count depends on the operation: `bias` or `level` in
 * `extra` for sample.bias and sample.lod, the reference for sample.cmp* and gather.cmp*; `clamp` is the least level of
 * the .clamp forms. `coordinates` are as the operation has them (an array's layer follows). `ddx` and `ddy` are of the
 * quad, or sample.grad's own. A gather collects lane `component`. */
typedef struct iri_exec_lookup {
    uint32_t op; /* iri_op */
    uint32_t texture, sampler, texture_index,
        sampler_index; /* of the interface; register in their range */
    uint32_t invocation;
    float coordinates[4], extra, ddx[3], ddy[3];
    int8_t offset[3];
    uint8_t component;
    float clamp;
} iri_exec_lookup;

/* One access or query, for a backend of the caller's. `place` has the operands that say where: an address; an element
 * and a byte; coordinates; a query's level or sample. A load.texel's `offset` is not added yet. */
typedef struct iri_exec_access {
    uint32_t op;              /* iri_op */
    uint32_t function;        /* iri_atomic */
    uint32_t resource, index; /* of the interface; register in its range */
    uint32_t invocation;
    uint32_t place[4], level; /* `level`: load.texel's level or sample */
    int8_t offset[3];
    uint8_t lanes;               /* of the values or the result */
    uint32_t values[4], compare; /* stored, or the atomic's operand; what .cas compares with */
} iri_exec_access;

/* Answers what a program asks of its surroundings, and takes what it does to them, in place of what is bound. Both
 * functions fill the words of the result (a store has none) and return true, or return false to have what is bound
 * used; NULL: the same. `sample` is asked for lookups with a sampler, `access` for all other operations on textures,
 * buffers and storage textures. Called for the active invocations in order, in the thread of the run. */
typedef struct iri_exec_backend {
    bool (*sample)(void *user, const iri_exec_lookup *lookup, uint32_t result[4]);
    void *user;
    bool (*access)(void *user, const iri_exec_access *access, uint32_t result[4]);
} iri_exec_backend;

/* ---- tracing ---- */

typedef enum iri_exec_event_kind {
    IRI_EVENT_RESULT = 0, /* an instruction ran: its results */
    IRI_EVENT_EFFECT,     /* an instruction without results: its operands */
    IRI_EVENT_REGION /* a region was entered: which arm, the next pass of a loop, a called body */
} iri_exec_event_kind;

enum { IRI_EVENT_VALUES = 8 };

/* One thing that one invocation did. `values[i]` are the lanes' bits of the i-th result or operand, at most
 * IRI_EVENT_VALUES of them. */
typedef struct iri_exec_event {
    uint32_t kind; /* iri_exec_event_kind */
    iri_id inst, region;
    uint32_t offset; /* in the source's bytes, or IRI_NO_OFFSET */
    uint32_t count;
    iri_type types[8];
    uint64_t values[8][4];
} iri_exec_event;

/* ---- running ---- */

enum {
    IRI_INVOCATION_KILLED = 1, /* demoted: a target would store nothing */
    IRI_INVOCATION_STEPS = 2,  /* stopped at the step limit: its outputs are incomplete */
    IRI_INVOCATION_HELPER = 4  /* in: runs for its quad's sake only */
};

/* A batch. Pixel programs run in quads: invocations 4q .. 4q+3 are a quad's upper left, upper right, lower left
 * and lower right pixel; where the last quad is not full the missing ones take no part. In other stages, and
 * with `no_quads`, derivatives are 0, so that the level is the largest map and the magnification filter counts.
 *   inputs, outputs  by interface index, as many as the interface has; NULL: none. Outputs' lanes start as zero.
 *   resources        by interface index, `resource_count` of them; NULL: nothing is bound
 *   state            values of state left in the program, before those of its interface
 *   flags            NULL or a byte an invocation of IRI_INVOCATION_ bits: HELPER is read, the others are written
 *   step_limit       for each invocation; 0: 1,000,000. A step is an instruction of a loop's body (with what it
 *                    holds), counted when the loop goes round. */
typedef struct iri_exec_batch {
    uint32_t count;
    const iri_exec_array *inputs;
    const iri_exec_array *outputs;
    const iri_exec_resource *resources;
    uint32_t resource_count;
    const iri_state *state;
    const iri_exec_backend *backend;
    uint8_t *flags;
    uint32_t step_limit;
    bool no_quads;
    void (*trace)(void *user,
                  const iri_exec_event *event); /* needs a program compiled with `trace` */
    void *trace_user;
    uint32_t trace_invocation;
} iri_exec_batch;

/* Runs a batch. IRI_LIMIT_STEPS when an invocation met the limit: all others ran to their end and every output is
 * written. IRI_UNSPECIFIED_STATE, IRI_LIMIT_MEMORY, IRI_NO_MEMORY: nothing ran. `why` may be NULL. Time is linear
 * in `count`; each call prepares the uniform part anew, so batches should be large. */
IRI_API iri_status iri_exec_run(const iri_exec *exec, const iri_exec_batch *batch,
                                iri_refusal *why);

/* Runs a compute program: `groups` workgroups along x, y and z, at most 65,535 each. Its inputs follow from where an
 * invocation is, so that `batch->count`, `inputs` and `outputs` are not looked at; `flags` has a byte an invocation, group by
 * group (x first), in a group by its index. The invocations of a group run in lockstep; accesses of one
 * instruction are made in their order, so the result is the same every time. Statuses as iri_exec_run's and
 * IRI_DIVERGED_BARRIER, at which the run stops where it is: memory holds what was stored. */
IRI_API iri_status iri_exec_dispatch(const iri_exec *exec, const iri_exec_batch *batch,
                                     const uint32_t groups[3], iri_refusal *why);

/* ---- finding things by name ---- */

/* The interface index of an element by semantic ("TEXCOORD", 0), case ignored as HLSL does; IRI_NOT_FOUND. */
#define IRI_NOT_FOUND UINT32_MAX
IRI_API uint32_t iri_find_input(const iri_program *program, const char *semantic, uint32_t index);
IRI_API uint32_t iri_find_output(const iri_program *program, const char *semantic, uint32_t index);
/* The interface index of a resource by the name that its source gives it, or by register: "t0", "s3", "cb1". */
IRI_API uint32_t iri_find_resource(const iri_program *program, const char *name);

/* A place in a constant buffer. For registers and whole vectors `rows` is 1. */
typedef struct iri_constant_place {
    uint32_t resource;
    uint32_t offset; /* bytes */
    uint32_t
        size; /* bytes from there to the end of what was named, padding between elements included */
    uint32_t rows, columns, elements; /* elements: 1 when not an array */
    uint32_t array_stride, matrix_stride;
    uint8_t scalar;  /* iri_scalar */
    bool by_columns; /* a matrix whose columns, not rows, are `matrix_stride` apart */
} iri_constant_place;

/* Finds a constant by register of Direct3D 9 ("c12", "i3", "b2", also "c12.y") or by path: "World", "World[1]"
 * (an array's element, or a matrix's row), "lights[2].color". IRI_INVALID_ARGUMENT when there is none. */
IRI_API iri_status iri_find_constant(const iri_program *program, const char *path,
                                     iri_constant_place *place, iri_refusal *why);
/* The same among the resources from `first` on. A name of Direct3D 9 may lie in several register sets, a loop's count as
 * an integer and as a float: `place->resource + 1` as the next `first` finds them all. */
IRI_API iri_status iri_find_constant_from(const iri_program *program, const char *path,
                                          uint32_t first, iri_constant_place *place,
                                          iri_refusal *why);
/* Stores numbers into a buffer's `size` bytes at a place: element by element, row by row, as HLSL writes them,
 * converted to the place's scalar (integers truncate, booleans become 0 or 1). Numbers for lanes that the place or the
 * buffer does not hold are passed over: a compiler keeps only those columns of a matrix that a shader reads. Returns how
 * many were stored. */
IRI_API size_t iri_store_constant(const iri_constant_place *place, const double *numbers,
                                  size_t count, void *buffer, size_t size);

/* ---- drawing ---- */

typedef enum iri_cull {
    IRI_CULL_NONE = 0,
    IRI_CULL_CLOCKWISE,
    IRI_CULL_COUNTER_CLOCKWISE
} iri_cull;

/* A stage of a draw: its program compiled, and what is bound to it, by its own interface's indexes. */
typedef struct iri_draw_stage {
    const iri_exec *exec;
    const iri_exec_resource *resources;
    uint32_t resource_count;
    const iri_state *state;
} iri_draw_stage;

/* Triangles through a vertex and a pixel program. Outputs meet inputs by semantic name and index; an input no
 * output has is 0. Where the pixel's interface names the front face, the position, or a primitive's number, the
 * rasteriser gives it.
 *   vertex_inputs  by the vertex program's input index, one invocation a vertex of the buffers
 *   vertex_count   vertices of the buffers
 *   indices        three a triangle, or NULL: vertices in order; `index_count` of them (with NULL: the vertices)
 *   targets        by render target number: float RGBA, `pitch` floats a row; only written, never blended
 *   depth          one float a pixel, NULL: none
 *   depth_compare  iri_compare; 0: always
 *   x, y, width, height, min_depth, max_depth   the viewport in pixels; max_depth 0 with min_depth 0: 0 to 1
 *   cull           triangles drawn with this winding on the screen are dropped
 *   front_counter_clockwise  which winding is the front; Direct3D's default is clockwise */
typedef struct iri_draw {
    iri_draw_stage vertex, pixel;
    const iri_exec_array *vertex_inputs;
    uint32_t vertex_count;
    const uint32_t *indices;
    uint32_t index_count;
    float *targets[8];
    size_t pitch;
    float *depth;
    size_t depth_pitch;
    uint32_t target_width, target_height;
    float x, y, width, height, min_depth, max_depth;
    uint8_t depth_compare, cull;
    bool depth_write, front_counter_clockwise;
    uint32_t step_limit;
    const iri_allocator *allocator;
    const iri_limits *limits;
} iri_draw;

typedef struct iri_draw_counts {
    uint64_t vertices, triangles, clipped, culled, quads, pixels, killed, depth_failed;
} iri_draw_counts;

/* Draws. Pixel centres and depth range are the vertex program's conventions. `counts` may be NULL and is added to.
 * Statuses as iri_exec_run's; IRI_INVALID_ARGUMENT when the stages do not fit or an index is out of range. */
IRI_API iri_status iri_draw_triangles(const iri_draw *draw, iri_draw_counts *counts,
                                      iri_refusal *why);

#ifdef __cplusplus
}
#endif
#endif
