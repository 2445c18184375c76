/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/ir.h: the intermediate representation as plain data: types, values, instructions, regions,
 * functions. A program is a set of dense arrays indexed by 32-bit ids; id 0 is "none" everywhere.
 * docs/design.md explains the form; docs/ops.md lists every operation.
 */
#ifndef IRIDIA_IR_H
#define IRIDIA_IR_H

#include <iridia/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types ---- */

/* What one lane holds. There is no other width; memory and matrices are the interface's. */
typedef enum iri_scalar {
    IRI_VOID = 0,
    IRI_BOOL,
    IRI_I16,
    IRI_U16,
    IRI_F16,
    IRI_I32,
    IRI_U32,
    IRI_F32,
    IRI_I64,
    IRI_U64,
    IRI_F64,
    IRI_SCALAR_COUNT
} iri_scalar;

/* A scalar or a vector of 2 to 4 lanes, packed: scalar * 4 + lanes - 1. 0 is void. */
typedef uint8_t iri_type;
#define IRI_TYPE(scalar, lanes) ((iri_type)((unsigned)(scalar)*4u + (unsigned)(lanes)-1u))
#define IRI_TYPE_SCALAR(type) ((iri_scalar)((type) >> 2))
#define IRI_TYPE_LANES(type) (((type)&3u) + 1u)
#define IRI_TYPE_VOID ((iri_type)0)
#define IRI_TYPE_BOOL IRI_TYPE(IRI_BOOL, 1)
#define IRI_TYPE_F32 IRI_TYPE(IRI_F32, 1)
#define IRI_TYPE_VEC2F IRI_TYPE(IRI_F32, 2)
#define IRI_TYPE_VEC3F IRI_TYPE(IRI_F32, 3)
#define IRI_TYPE_VEC4F IRI_TYPE(IRI_F32, 4)
#define IRI_TYPE_I32 IRI_TYPE(IRI_I32, 1)
#define IRI_TYPE_U32 IRI_TYPE(IRI_U32, 1)

/* Bits of one lane: 1 for bool, 16, 32 or 64; 0 for void. */
IRI_API uint32_t iri_scalar_bits(iri_scalar scalar);

/* A choice of 1 to 4 lanes in order: two bits a lane from bit 0, the count less one in bits 8-9. As
 * a mask its lanes ascend without repeats. `.zx` is IRI_LANES2(2, 0). */
typedef uint32_t iri_lanes;
#define IRI_LANES1(a) ((iri_lanes)(a))
#define IRI_LANES2(a, b) ((iri_lanes)((a) | (b) << 2 | 1u << 8))
#define IRI_LANES3(a, b, c) ((iri_lanes)((a) | (b) << 2 | (c) << 4 | 2u << 8))
#define IRI_LANES4(a, b, c, d) ((iri_lanes)((a) | (b) << 2 | (c) << 4 | (d) << 6 | 3u << 8))
#define IRI_LANES_COUNT(lanes) (((lanes) >> 8 & 3u) + 1u)
#define IRI_LANES_AT(lanes, i) ((lanes) >> (2u * (unsigned)(i)) & 3u)
/* The identity choice of `count` lanes, and the mask that bit set `bits` (bit 0 = x) names. */
IRI_API iri_lanes iri_lanes_first(uint32_t count);
IRI_API iri_lanes iri_lanes_from_bits(uint32_t bits);
IRI_API uint32_t iri_lanes_to_bits(iri_lanes lanes);

/* ---- operations ---- */

/* Every operation; the rows are in include/iridia/ops.def, documented in docs/ops.md. */
typedef enum iri_op {
    IRI_OP_NONE = 0,
#define IRI_OP(id, ...) IRI_OP_##id,
#include <iridia/ops.def>
#undef IRI_OP
    IRI_OP_COUNT
} iri_op;

/* Properties of an operation. One with none of EFFECT, LOCAL_READ, LOCAL_WRITE, MEMORY_READ, TERMINATOR, REGION is
 * pure: it may be numbered and removed. */
enum {
    IRI_PROP_COMMUTATIVE = 1 << 0, /* its first two operands may change places */
    IRI_PROP_LANE = 1 << 1,        /* has a lane expression: folds, runs lane by lane */
    IRI_PROP_CONVERGENT = 1 << 2,  /* uses the other invocations of a quad: stays in its region */
    IRI_PROP_DERIVATIVE = 1 << 3,  /* needs uniform control flow in WGSL */
    IRI_PROP_EFFECT = 1 << 4,      /* kept and ordered though nothing reads its results */
    IRI_PROP_LOCAL_READ = 1 << 5,
    IRI_PROP_LOCAL_WRITE = 1 << 6,
    IRI_PROP_TERMINATOR = 1 << 7,
    IRI_PROP_REGION = 1 << 8,       /* holds regions */
    IRI_PROP_CFG = 1 << 9,          /* only in functions of CFG form */
    IRI_PROP_ZERO_WINS = 1 << 10,   /* 0 times anything is 0 */
    IRI_PROP_APPROXIMATE = 1 << 11, /* targets compute it to a stated error, not exactly */
    IRI_PROP_KEEPS_NAN = 1 << 12,   /* moves an operand or its sign: a NaN's payload survives */
    IRI_PROP_MEMORY_READ = 1 << 13  /* of a resource or variable that others may write: stays in its
                                     * place among effects; removed when nothing reads it */
};

/* What an atomic operation stores, of what was there and its operand. Signedness is the type's. */
typedef enum iri_atomic {
    IRI_ATOMIC_ADD = 0,
    IRI_ATOMIC_AND,
    IRI_ATOMIC_OR,
    IRI_ATOMIC_XOR,
    IRI_ATOMIC_MIN,
    IRI_ATOMIC_MAX,
    IRI_ATOMIC_EXCHANGE,
    IRI_ATOMIC_COUNT
} iri_atomic;

/* What a barrier waits for and orders: Direct3D's sync flags. */
enum {
    IRI_BARRIER_EXECUTION = 1, /* _t: every invocation of the workgroup has come here */
    IRI_BARRIER_SHARED = 2,    /* _g: accesses of workgroup variables */
    IRI_BARRIER_GROUP = 4,     /* _ugroup: accesses of resources, for the workgroup */
    IRI_BARRIER_GLOBAL = 8,    /* _uglobal: accesses of resources, for the whole dispatch */
    IRI_BARRIER_ALL = 15
};

/* One row of ops.def. The letters of `results`, `operands` and `immediates` are explained there. */
typedef struct iri_op_info {
    const char *name;
    char type_class;
    const char *results, *operands, *immediates;
    uint32_t properties;
} iri_op_info;

/* The row of an operation; NULL for IRI_OP_NONE and past the end. */
IRI_API const iri_op_info *iri_op_get_info(iri_op op);
/* IRI_OP_NONE when no operation has this name. */
IRI_API iri_op iri_op_by_name(const char *name, size_t size);

/* ---- values, instructions, regions, functions ---- */

typedef uint32_t iri_id; /* of a value, instruction, region, local or function; 0 is none */

typedef enum iri_value_kind {
    IRI_VALUE_NONE = 0,
    IRI_VALUE_CONSTANT, /* `def`: index of lane 0 in the program's constant lanes */
    IRI_VALUE_RESULT,   /* `def`: the instruction; `index`: which of its results */
    IRI_VALUE_PARAMETER /* `def`: the region; `index`: which of its parameters */
} iri_value_kind;

enum { IRI_VALUE_RELAXED = 1 /* may be computed with less precision (D3D9's _pp) */ };

typedef struct iri_value {
    iri_type type;
    uint8_t kind;  /* iri_value_kind */
    uint8_t flags; /* IRI_VALUE_RELAXED */
    uint16_t index;
    uint32_t def;
} iri_value;

enum { IRI_INST_PRECISE = 1 /* no contraction, no reassociation (HLSL's precise) */ };

/* One struct for all operations. Its words are operands (value ids), then immediates, then region
 * ids, in the program's word array from `words` on; its results are `result_count` values from
 * `results` on. */
typedef struct iri_inst {
    uint16_t op; /* iri_op */
    uint16_t flags;
    uint16_t operand_count, immediate_count, region_count, result_count;
    uint32_t words;
    iri_id results;
    uint32_t offset; /* of the source instruction in the caller's bytes, or IRI_NO_OFFSET */
} iri_inst;

/* A list of instructions, the last a terminator. Parameters are `parameter_count` values from
 * `parameters` on. In a CFG function a region is a block. */
typedef struct iri_region {
    uint32_t first, count; /* into the program's order array of instruction ids */
    iri_id parameters;
    uint32_t parameter_count;
    iri_id owner; /* the instruction that holds it; 0 for a function's body or a block */
} iri_region;

typedef enum iri_local_init {
    IRI_LOCAL_UNSET = 0,  /* a lane no path writes is refused; on some paths: zero, noted */
    IRI_LOCAL_ZERO_NOTED, /* starts as zero; a read of it is noted */
    IRI_LOCAL_ZERO        /* starts as zero, silently */
} iri_local_init;

/* A mutable variable of one function. `length` 0 is a plain one, else an array of that many. */
typedef struct iri_local {
    const char *name; /* "r0"; never NULL */
    iri_type type;
    uint8_t init; /* iri_local_init */
    uint32_t length;
} iri_local;

typedef enum iri_form { IRI_FORM_STRUCTURED = 0, IRI_FORM_CFG } iri_form;

/* A function. The body's parameters are the function's. In CFG form `body` is the entry block and
 * blocks are the regions body .. body + block_count - 1. One without a body (ray tracing's calls) has
 * `body` 0 and its parameter types in `external_types`. */
typedef struct iri_function {
    const char *name;
    uint8_t form; /* iri_form */
    iri_id body;
    uint32_t block_count;
    uint32_t first_local, local_count; /* ids into the program's locals */
    uint32_t result_count;
    const iri_type *result_types;
    uint32_t external_count;
    const iri_type *external_types;
} iri_function;

#ifdef __cplusplus
}
#endif
#endif
