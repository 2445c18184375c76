/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The executor's inside. A program becomes a list of steps over columns: a column is one 32-bit register of
 * as many invocations as the machine is wide (64-bit values have two columns' room). A step runs one
 * operation over the whole width with plain loops. Values are per lane, so that swizzles, composes, splats,
 * inserts and bitcasts are renamings and make no steps. Divergent flow is a mask column: arithmetic runs for
 * everyone, since what an inactive invocation computes is never looked at, and only moves into results
 * that outlive a region, locals, outputs and effects obey the mask.
 *
 * What depends on constants, constant buffers at constant offsets and state alone is computed once a run
 * on single numbers (iri_uniform_op), and broadcast into columns that stay.
 */
#ifndef IRI_EXEC_EXEC_H
#define IRI_EXEC_EXEC_H

#include "base/map.h"
#include "ir/memory.h"
#include <iridia/exec.h>

/* Kernels run over whole blocks of this many invocations, which lets their inner loops have a fixed length. */
#ifndef IRI_EXEC_BLOCK
#define IRI_EXEC_BLOCK 64
#endif

typedef union iri_cell {
    uint32_t u;
    int32_t i;
    float f;
} iri_cell;

typedef struct iri_machine iri_machine;
typedef struct iri_plane_lookup iri_plane_lookup;
typedef struct iri_step iri_step;
typedef void iri_kernel(iri_machine *m, const iri_step *s);

/* Until registers are allocated d, a, b, c are virtual registers; then columns. Lane k of the result is d[k],
 * of operands a[k], b[k], c[k]. x, y, z are the kernel's own: jump targets, indexes. */
struct iri_step {
    iri_kernel *run;
    uint16_t op;
    uint8_t lanes;
    uint8_t scalar, result; /* iri_scalar of the operands and results, for general kernels */
    bool pure;              /* only writes d: lanes of it that nothing reads are dropped */
    iri_id inst;
    uint32_t d[4], a[4], b[4], c[4];
    uint32_t x, y, z;
};
/* No operand, and a step that jumps nowhere. */
#define IRI_NO_COLUMN UINT32_MAX

/* The kernels of one instruction set, by operation and scalar; NULL where the general kernel does it. */
typedef enum iri_kernel_set {
    IRI_KERNELS_F32,
    IRI_KERNELS_I32,
    IRI_KERNELS_U32,
    IRI_KERNELS_COUNT
} iri_kernel_set;
typedef struct iri_kernels {
    const char *name;
    iri_kernel *lane[IRI_KERNELS_COUNT][IRI_OP_COUNT];
    iri_kernel *loose[IRI_OP_COUNT]; /* f32 ones that leave a NaN as the processor made it */
    iri_kernel *select, *dot[4], *dot_zero[4];
    iri_kernel *f32_to_i32, *f32_to_u32, *i32_to_f32, *u32_to_f32;
    iri_kernel *copy, *move; /* move obeys the mask */
    /* Every fourth word from `rows` on; four columns into rows of four words. */
    void (*split4)(const iri_cell *rows, uint32_t count, iri_cell *out);
    void (*join4)(const iri_cell *x, const iri_cell *y, const iri_cell *z, const iri_cell *w,
                  uint32_t count, iri_cell *rows);
    /* A block of invocations, from this one on (texture.h). */
    void (*sample_plane)(const iri_plane_lookup *lookup, uint32_t from);
} iri_kernels;

const iri_kernels *iri_kernels_baseline(void);
const iri_kernels *iri_kernels_avx2(void); /* NULL where this machine or build has none */
const iri_kernels *iri_kernels_avx512(void);
const iri_kernels *iri_kernels_best(bool portable);
iri_kernel iri_kernel_general, iri_kernel_copy64, iri_kernel_move64;

/* One operation on uniform numbers; operands and result are indexes of uniform numbers. */
typedef enum iri_uniform_kind {
    IRI_UNIFORM_LANE,
    IRI_UNIFORM_LOAD,
    IRI_UNIFORM_STATE
} iri_uniform_kind;
typedef struct iri_uniform_op {
    uint8_t kind;
    uint8_t scalar, result;
    uint16_t op;
    uint32_t operands[3]; /* load: offset, index (UINT32_MAX: none) */
    uint32_t x, y;        /* load: resource, bytes beyond the offset; state: id, index */
    uint32_t lane;        /* state */
    uint32_t to;
} iri_uniform_op;

typedef struct iri_broadcast {
    uint32_t uniform, column;
    uint8_t scalar;
} iri_broadcast;

/* A texture operation. Columns; counts 0 where there are none. */
typedef struct iri_sample_site {
    uint16_t op;
    uint8_t coordinate_count, gradient_count, lanes;
    uint8_t dimension, arrayed;
    bool has_extra, has_clamp, has_run_time_offset, has_texture_index, has_sampler_index;
    uint8_t component; /* that a gather collects */
    uint32_t texture, sampler;
    int8_t offset[3];
    uint32_t coordinates[4], extra, clamp, ddx[3], ddy[3], run_time_offset[2], texture_index,
        sampler_index, d[4];
} iri_sample_site;

/* An access of memory, a texel load or a query. Columns; counts 0 where there are none. */
typedef struct iri_access_site {
    uint16_t op;
    iri_memory_op memory;
    uint8_t function; /* iri_atomic */
    uint8_t place_count, lanes;
    bool has_index, has_level, is_signed;
    uint32_t resource; /* or workgroup variable */
    int8_t offset[3];
    uint32_t index, place[4], level, values[4], compare, d[4];
} iri_access_site;

typedef struct iri_trace_site {
    uint32_t kind;
    iri_id inst, region;
    uint32_t offset, count;
    iri_type types[IRI_EVENT_VALUES];
    uint32_t columns[IRI_EVENT_VALUES][4];
} iri_trace_site;

struct iri_exec {
    iri_arena arena;
    iri_allocator allocator;
    iri_limits limits;
    const iri_program *program;
    const iri_kernels *kernels;
    iri_step *steps;
    uint32_t step_count;
    uint64_t *uniform_start; /* the numbers that are known now */
    uint32_t uniform_count;
    iri_uniform_op *uniform_ops;
    uint32_t uniform_op_count;
    iri_broadcast *broadcasts;
    uint32_t broadcast_count;
    iri_sample_site *samples;
    iri_access_site *accesses;
    iri_trace_site *traces;
    uint32_t column_count;
    uint32_t width;
    uint32_t group_size;   /* invocations of a workgroup; 1 where there is none */
    uint32_t *shared_at;   /* where each workgroup variable begins, in words */
    uint32_t shared_words; /* of all of them */
    bool fine_derivatives, trace, d3d9;
    bool *
        covered; /* outputs that every invocation writes whole, so that they need not start as zero */
};

enum { IRI_COLUMN_MASK = 0, IRI_COLUMN_KILLED, IRI_COLUMN_STEPS, IRI_COLUMN_FIXED };

/* One run. */
struct iri_machine {
    iri_cell *file;
    uint32_t width, blocks;
    uint32_t pc;
    uint32_t first, count; /* invocations of the pass: which are lanes 0 .. count - 1 */
    bool quads, out_of_steps;
    uint32_t step_limit, stopped; /* the first invocation that met the limit */
    const iri_exec *exec;
    const iri_exec_batch *batch;
    uint64_t *uniform;
    float *scratch; /* for the texture unit: SCRATCH columns */
    uint32_t groups[3];
    uint32_t *shared; /* the workgroup variables of each group of the pass */
    iri_id diverged;  /* the barrier that stopped the run, 0 none */
    uint32_t diverged_group;
};

static inline iri_cell *iri_column(const iri_machine *m, uint32_t column)
{
    return m->file + (size_t)column * m->width;
}
/* A 64-bit column; its memory is only ever seen as such. */
static inline uint64_t *iri_column64(const iri_machine *m, uint32_t column)
{
    return (uint64_t *)(void *)iri_column(m, column);
}
static inline bool iri_is_wide(uint32_t scalar)
{
    return scalar >= IRI_I64;
}
/* A lane's bits as ops.def's expressions see them: bool is 0 or 1 there and all bits in a column. */
static inline uint64_t iri_get_lane(const iri_machine *m, uint32_t column, uint32_t scalar,
                                    uint32_t i)
{
    if (iri_is_wide(scalar))
        return iri_column64(m, column)[i];
    uint32_t word = iri_column(m, column)[i].u;
    return scalar == IRI_BOOL ? word & 1u : word;
}
static inline void iri_set_lane(const iri_machine *m, uint32_t column, uint32_t scalar, uint32_t i,
                                uint64_t bits)
{
    if (iri_is_wide(scalar))
        iri_column64(m, column)[i] = bits;
    else
        iri_column(m, column)[i].u =
            scalar == IRI_BOOL ? 0u - (uint32_t)(bits != 0) : (uint32_t)bits;
}

/* ---- compiling: compile.c, compile_flow.c, compile_regs.c ---- */

/* A lane of a value: a virtual register (from 1 on), or with this bit a uniform number. 0: not yet. */
#define IRI_REF_UNIFORM 0x80000000u

typedef struct iri_vreg {
    uint32_t first, last; /* steps in which it holds something */
    uint32_t column;
    bool wide, fixed;
} iri_vreg;

typedef IRI_VEC(uint32_t) iri_u32s;

/* The lanes that the results of an operation, or a loop's parameters, live in: four vregs a value. */
typedef struct iri_slots {
    const iri_type *types;
    uint32_t count;
    uint32_t (*lanes)[4];
} iri_slots;

/* Where an edge leads. `exits` collects the invocations that took it; of a loop, `again` those that go on. */
typedef struct iri_flow_target {
    uint32_t label; /* 0: a function's end */
    uint32_t exits, again;
    iri_slots results, parameters;
} iri_flow_target;

/* A loop in progress, and the vregs from outside that it uses. */
typedef struct iri_loop_span {
    uint32_t start;
    iri_u32s outliving;
} iri_loop_span;

/* Facts of a region, found before a function is compiled. */
typedef struct iri_exec_facts {
    int32_t
        leaves_to; /* nesting level of the outermost operation an edge inside ends; -1: the function */
    uint32_t cost; /* instructions, with those inside */
    uint32_t returns;
} iri_exec_facts;

typedef struct iri_exec_compiler {
    iri_ctx *ctx;
    iri_arena *scratch; /* of the call */
    iri_exec *exec;
    const iri_program *p;
    bool trace;
    uint32_t (*values)[4]; /* value -> ref of each lane */
    uint32_t (*locals)[4]; /* plain local -> vreg of each lane */
    uint32_t *arrays;      /* indexable local -> its first column among the arrays', + 1 */
    uint32_t array_columns;
    uint8_t *functions; /* 1: facts are known, 2: being inlined */
    iri_exec_facts *facts;
    int32_t *label_levels;
    int32_t level;       /* operations with regions around, in the function */
    int32_t call_levels; /* the same of the calls around it */
    uint32_t emitted;    /* instructions, calls inlined */
    bool *payloads;      /* value -> whether its NaNs' payloads can be seen */
    iri_map constants;
    IRI_VEC(iri_step) steps;
    IRI_VEC(iri_vreg) vregs;
    IRI_VEC(uint64_t) uniforms;
    IRI_VEC(iri_uniform_op) uniform_ops;
    IRI_VEC(iri_broadcast) broadcasts; /* column: the vreg */
    iri_map broadcast_of;
    IRI_VEC(iri_sample_site) samples;
    IRI_VEC(iri_access_site) accesses;
    IRI_VEC(iri_trace_site) traces;
    IRI_VEC(iri_flow_target) targets;
    IRI_VEC(iri_loop_span) loops;
    iri_u32s pending; /* steps whose x is the end of the region that is open */
} iri_exec_compiler;

uint32_t iri_exec_vreg(iri_exec_compiler *c, iri_scalar scalar);
/* A vreg that the step that comes next writes first. */
uint32_t iri_exec_define(iri_exec_compiler *c, iri_scalar scalar);
/* Notes that the step that comes next reads (or writes in part) a vreg. */
uint32_t iri_exec_touch(iri_exec_compiler *c, uint32_t vreg);
/* The vreg of a ref, as an operand of the step that comes next. */
uint32_t iri_exec_use(iri_exec_compiler *c, uint32_t ref, iri_scalar scalar);
/* The refs of a value's lanes. */
uint32_t *iri_exec_value(iri_exec_compiler *c, iri_id value);
/* Appends a step and gives its position. */
uint32_t iri_exec_push(iri_exec_compiler *c, const iri_step *step);
uint32_t iri_exec_uniform(iri_exec_compiler *c, uint64_t bits);
/* Copies of refs into vregs, `masked`: for the active invocations only. */
void iri_exec_moves(iri_exec_compiler *c, const uint32_t *to, const uint32_t *refs, uint32_t count,
                    iri_scalar scalar, bool masked);
/* Compiles what is not control flow. */
void iri_exec_compile_inst(iri_exec_compiler *c, const iri_inst *in);
void iri_exec_compile_access(iri_exec_compiler *c, const iri_inst *in);
void iri_exec_compile_entry(iri_exec_compiler *c);
void iri_exec_trace(iri_exec_compiler *c, uint32_t kind, const iri_inst *in, iri_id region);
/* Drops lanes that nothing reads and gives every vreg a column. */
void iri_exec_allocate(iri_exec_compiler *c);
/* Which values' NaN payloads can be seen; an array by value. */
bool *iri_exec_find_payloads(const iri_program *p, iri_arena *scratch);

/* Fills `exec`, whose arena is ready. */
void iri_exec_make(iri_ctx *ctx, iri_arena *scratch, iri_exec *exec, const iri_program *program,
                   const iri_exec_options *options);

/* ---- running ---- */

/* Everything of a batch, or of a dispatch where `groups` is given; fails through ctx. Returns whether no invocation
 * met the step limit. */
bool iri_exec_execute(iri_ctx *ctx, iri_arena *scratch, const iri_exec *exec,
                      const iri_exec_batch *batch, const uint32_t *groups, uint32_t *stopped);
/* The uniform part. */
void iri_exec_prepare(iri_ctx *ctx, iri_machine *m);
uint64_t iri_load_constant(const iri_machine *m, uint32_t resource, uint32_t index, uint64_t offset,
                           iri_scalar scalar);

iri_kernel iri_kernel_if, iri_kernel_if_saved, iri_kernel_enter, iri_kernel_join, iri_kernel_clear,
    iri_kernel_again, iri_kernel_switch, iri_kernel_case;
iri_kernel iri_kernel_input, iri_kernel_output, iri_kernel_load_cb, iri_kernel_demote,
    iri_kernel_zero, iri_kernel_zero_array, iri_kernel_load_array, iri_kernel_store_array,
    iri_kernel_ddx, iri_kernel_ddy, iri_kernel_sample, iri_kernel_trace, iri_kernel_thread,
    iri_kernel_barrier, iri_kernel_access;

/* What is bound to a resource, NULL: nothing. */
static inline const iri_exec_resource *iri_bound(const iri_machine *m, uint32_t resource)
{
    return m->batch->resources && resource < m->batch->resource_count
               ? &m->batch->resources[resource]
               : NULL;
}
/* Whether an invocation's effects count: it is active, and no helper. */
static inline bool iri_has_effect(const iri_machine *m, uint32_t i)
{
    return (iri_column(m, IRI_COLUMN_MASK)[i].u & ~iri_column(m, IRI_COLUMN_KILLED)[i].u) != 0;
}
/* access.c and query.c: the result of one access with what is bound, 0 where nothing is or out of range. */
void iri_access_memory(const iri_machine *m, const iri_access_site *site, uint32_t invocation,
                       const iri_exec_access *access, uint32_t result[4]);
void iri_access_texture(const iri_machine *m, const iri_exec_access *access, uint32_t result[4]);
/* format.c: whether what is stored in a DXGI format is known, and a texel as it reads back from there. */
bool iri_format_is_known(uint32_t format);
void iri_format_store(uint32_t format, uint32_t texel[4]);

/* The difference of a column over the quads, 0 where an invocation of the pair is not active. */
void iri_quad_difference(const iri_machine *m, const iri_cell *x, bool vertical, iri_cell *out);

enum { IRI_SCRATCH_COLUMNS = 12 };

/* ---- textures ---- */

uint32_t iri_level_size(uint32_t size, uint32_t level);

void iri_draw_run(iri_ctx *ctx, iri_arena *scratch, const iri_draw *draw, iri_draw_counts *counts);

#endif
