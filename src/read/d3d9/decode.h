/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Direct3D 8 and 9 token streams (shader models 1.0 to 3.0) as records: exactly what is stored,
 * with nothing dropped. Facts: d3d9types.h and Microsoft's "Direct3D Shader Codes" driver
 * documentation; docs/formats/d3d9.md names a source for each.
 *
 * Decoding takes any stream whose layout is certain. Whether the model allows what stands there is
 * iri_d3d9_check's question; lowering asks it first and may then rely on every rule listed there.
 */
#ifndef IRI_READ_D3D9_DECODE_H
#define IRI_READ_D3D9_DECODE_H

#include "base/arena.h"

#define IRI_D3D9_NONE UINT32_MAX /* no such record */

typedef enum iri_d3d9_stage { IRI_D3D9_VERTEX, IRI_D3D9_PIXEL } iri_d3d9_stage;

typedef enum iri_d3d9_model {
#define IRI_D3D9_MODEL(id, name, stage, version) IRI_D3D9_##id,
#include "read/d3d9/models.def"
#undef IRI_D3D9_MODEL
    IRI_D3D9_MODEL_COUNT
} iri_d3d9_model;

/* Rows of ops.def. */
typedef enum iri_d3d9_op {
#define IRI_D3D9_OP(id, name, number, vs_first, vs_last, ps_first, ps_last, operands, flags) \
    IRI_D3D9_OP_##id,
#include "read/d3d9/ops.def"
#undef IRI_D3D9_OP
    IRI_D3D9_OP_COUNT
} iri_d3d9_op;

enum {
    IRI_D3D9_FLAG_COMPARE = 1,
    IRI_D3D9_FLAG_SAMPLE = 2,
    IRI_D3D9_FLAG_CONTROL = 4,
    IRI_D3D9_FLAG_FLOW = 8,
    IRI_D3D9_FLAG_DECL = 16,
    IRI_D3D9_FLAG_MATRIX = 32,
    IRI_D3D9_FLAG_ARITH = 64,
    IRI_D3D9_FLAG_DERIV = 128
};

typedef struct iri_d3d9_op_row {
    const char *name;
    uint16_t number; /* D3DSHADER_INSTRUCTION_OPCODE_TYPE */
    /* iri_d3d9_model; 0xff where the stage lacks it */
    uint8_t vs_first, vs_last, ps_first, ps_last;
    const char *operands; /* ops.def explains the letters */
    uint8_t flags;        /* IRI_D3D9_FLAG_... */
} iri_d3d9_op_row;

typedef struct iri_d3d9_model_row {
    const char *name; /* "ps_3_0" */
    uint8_t stage;    /* iri_d3d9_stage */
    uint32_t version; /* the first word of a stream */
} iri_d3d9_model_row;

extern const iri_d3d9_op_row iri_d3d9_ops[IRI_D3D9_OP_COUNT];
extern const iri_d3d9_model_row iri_d3d9_models[IRI_D3D9_MODEL_COUNT];

/* Whether the model has the instruction with just this layout. */
bool iri_d3d9_model_has_op(iri_d3d9_model model, iri_d3d9_op op);
/* Whether the source, counted from 0, names one lane: all its swizzle is alike. */
bool iri_d3d9_is_scalar(iri_d3d9_op op, uint32_t source);
/* Of an instruction with IRI_D3D9_FLAG_MATRIX: the registers from its second source on that it reads. */
uint32_t iri_d3d9_matrix_rows(iri_d3d9_op op);

/* D3DSHADER_PARAM_REGISTER_TYPE as stored. Type 3 is a0 in vertex shaders and t# in pixel shaders;
 * type 6 is oT# below vs_3_0 and o# in it; what a register *is* says iri_d3d9_bank. */
typedef enum iri_d3d9_type {
    IRI_D3D9_TYPE_TEMP,
    IRI_D3D9_TYPE_INPUT,
    IRI_D3D9_TYPE_CONST,
    IRI_D3D9_TYPE_ADDR, /* TEXTURE in pixel shaders */
    IRI_D3D9_TYPE_RASTOUT,
    IRI_D3D9_TYPE_ATTROUT,
    IRI_D3D9_TYPE_TEXCRDOUT, /* OUTPUT in vs_3_0 */
    IRI_D3D9_TYPE_CONSTINT,
    IRI_D3D9_TYPE_COLOROUT,
    IRI_D3D9_TYPE_DEPTHOUT,
    IRI_D3D9_TYPE_SAMPLER,
    IRI_D3D9_TYPE_CONST2,
    IRI_D3D9_TYPE_CONST3,
    IRI_D3D9_TYPE_CONST4,
    IRI_D3D9_TYPE_CONSTBOOL,
    IRI_D3D9_TYPE_LOOP,
    IRI_D3D9_TYPE_TEMPFLOAT16,
    IRI_D3D9_TYPE_MISCTYPE,
    IRI_D3D9_TYPE_LABEL,
    IRI_D3D9_TYPE_PREDICATE,
    IRI_D3D9_TYPE_COUNT
} iri_d3d9_type;

/* What a register is, in its stage and model: rows of limits.def. */
typedef enum iri_d3d9_bank {
#define IRI_D3D9_BANK(id, prefix, ...) IRI_D3D9_BANK_##id,
#include "read/d3d9/limits.def"
#undef IRI_D3D9_BANK
    IRI_D3D9_BANK_COUNT
} iri_d3d9_bank;

typedef struct iri_d3d9_bank_row {
    const char *prefix; /* "r", "oPos" ... as Microsoft's assembler spells it */
    bool numbered;      /* false: the number is not spelled (oPos, vFace, aL ...) */
    uint16_t limits[IRI_D3D9_MODEL_COUNT]; /* registers the model has: 0 where there are none */
} iri_d3d9_bank_row;

extern const iri_d3d9_bank_row iri_d3d9_banks[IRI_D3D9_BANK_COUNT];

/* Source modifiers, D3DSHADER_PARAM_SRCMOD_TYPE >> 24. */
typedef enum iri_d3d9_srcmod {
    IRI_D3D9_SRC_NONE,
    IRI_D3D9_SRC_NEG,     /* -x */
    IRI_D3D9_SRC_BIAS,    /* x - 0.5 */
    IRI_D3D9_SRC_BIASNEG, /* -(x - 0.5) */
    IRI_D3D9_SRC_SIGN,    /* 2 * (x - 0.5) */
    IRI_D3D9_SRC_SIGNNEG, /* -(2 * (x - 0.5)) */
    IRI_D3D9_SRC_COMP,    /* 1 - x */
    IRI_D3D9_SRC_X2,      /* 2 * x */
    IRI_D3D9_SRC_X2NEG,   /* -(2 * x) */
    IRI_D3D9_SRC_DZ,      /* divide by z: texld, texcrd of ps_1_4 */
    IRI_D3D9_SRC_DW,      /* divide by w */
    IRI_D3D9_SRC_ABS,     /* abs(x) */
    IRI_D3D9_SRC_ABSNEG,  /* -abs(x) */
    IRI_D3D9_SRC_NOT,     /* !x, booleans and predicates */
    IRI_D3D9_SRC_COUNT
} iri_d3d9_srcmod;

/* Destination modifiers, D3DSPDM_... >> 20. */
enum { IRI_D3D9_DST_SAT = 1, IRI_D3D9_DST_PP = 2, IRI_D3D9_DST_CENTROID = 4 };

/* D3DSHADER_COMPARISON: the control bits of ifc, breakc and setp. */
typedef enum iri_d3d9_comparison {
    IRI_D3D9_CMP_RESERVED0,
    IRI_D3D9_CMP_GT,
    IRI_D3D9_CMP_EQ,
    IRI_D3D9_CMP_GE,
    IRI_D3D9_CMP_LT,
    IRI_D3D9_CMP_NE,
    IRI_D3D9_CMP_LE,
    IRI_D3D9_CMP_RESERVED1
} iri_d3d9_comparison;

/* The control bits of texld from ps_2_0 on. */
enum { IRI_D3D9_TEXLD_PROJECT = 1, IRI_D3D9_TEXLD_BIAS = 2 };

/* D3DDECLUSAGE. */
typedef enum iri_d3d9_usage {
    IRI_D3D9_USAGE_POSITION,
    IRI_D3D9_USAGE_BLENDWEIGHT,
    IRI_D3D9_USAGE_BLENDINDICES,
    IRI_D3D9_USAGE_NORMAL,
    IRI_D3D9_USAGE_PSIZE,
    IRI_D3D9_USAGE_TEXCOORD,
    IRI_D3D9_USAGE_TANGENT,
    IRI_D3D9_USAGE_BINORMAL,
    IRI_D3D9_USAGE_TESSFACTOR,
    IRI_D3D9_USAGE_POSITIONT,
    IRI_D3D9_USAGE_COLOR,
    IRI_D3D9_USAGE_FOG,
    IRI_D3D9_USAGE_DEPTH,
    IRI_D3D9_USAGE_SAMPLE,
    IRI_D3D9_USAGE_COUNT
} iri_d3d9_usage;

/* D3DSAMPLER_TEXTURE_TYPE >> 27. */
enum {
    IRI_D3D9_TEXTURE_UNKNOWN = 0,
    IRI_D3D9_TEXTURE_2D = 2,
    IRI_D3D9_TEXTURE_CUBE = 3,
    IRI_D3D9_TEXTURE_VOLUME = 4
};

/* How a register number is computed. In vs_1_x the index is a0.x and has no word of its own. */
typedef enum iri_d3d9_relative {
    IRI_D3D9_ABSOLUTE,
    IRI_D3D9_RELATIVE_IMPLICIT, /* a0.x, no word */
    IRI_D3D9_RELATIVE_TOKEN     /* the word after the operand */
} iri_d3d9_relative;

/* A parameter. `mask`, `modifiers` and `shift` are meaningful when `is_dst`, `swizzle` and
 * `modifier` when not; the others are 0. Reserved bits are only in `token`. */
typedef struct iri_d3d9_operand {
    uint32_t token;  /* as stored */
    uint32_t offset; /* of the token, from the start of the caller's input */
    uint32_t relative_token, relative_offset; /* RELATIVE_TOKEN: the word after */
    uint16_t number; /* const2/3/4 folded to one flat number: 2048, 4096, 6144 added */
    uint8_t type;    /* iri_d3d9_type as stored */
    uint8_t bank;    /* iri_d3d9_bank; BANK_NONE when the stage and model have no such type */
    bool is_dst;
    uint8_t mask;      /* bit 0 is x */
    uint8_t modifiers; /* IRI_D3D9_DST_... */
    int8_t shift;      /* result is multiplied by 2^shift: -8 .. 7 as stored */
    uint8_t swizzle[4];
    uint8_t modifier;      /* iri_d3d9_srcmod; 14 and 15 are decoded and refused by the check */
    uint8_t relative;      /* iri_d3d9_relative */
    uint8_t relative_bank; /* the index register: BANK_A or BANK_AL in a checked shader */
    uint16_t relative_number;
    uint8_t relative_swizzle[4]; /* all four alike in a checked shader */
} iri_d3d9_operand;

/* An instruction, declarations, labels and phase included; comments and the end are not. Operand k
 * of its signature (literals and the usage word not counted) is shader->operands[first + k]. */
typedef struct iri_d3d9_instruction {
    uint32_t token;
    uint32_t offset; /* of the token, from the start of the caller's input */
    uint32_t first;  /* into operands */
    /* Into operands, or IRI_D3D9_NONE: `(p0) add ...`; not counted in `count`. */
    uint32_t predicate;
    /* Into literals, or IRI_D3D9_NONE: def and defi 4 words, defb 1, dcl its usage word. */
    uint32_t literal;
    uint16_t opcode; /* as stored */
    uint8_t op;      /* iri_d3d9_op */
    uint8_t count;   /* operands */
    uint8_t length;  /* words after the token that belong to it, whatever the length field says */
    uint8_t control; /* bits 16-23 of the token */
    bool coissue;    /* bit 30: `+` */
} iri_d3d9_instruction;

/* A comment: kept where it stands. Its first word usually is a tag ('CTAB', 'DBUG', 'PRES', 'FXLC',
 * 'CLIT', 'TXTC' ...), the bytes from which everything inside counts its offsets start after it. */
typedef struct iri_d3d9_comment {
    uint32_t offset; /* of the comment token, from the start of the caller's input */
    uint32_t tag;    /* the first word, 0 when empty */
    uint32_t size;   /* bytes after the token, tag included */
    uint32_t before; /* index of the instruction that follows */
} iri_d3d9_comment;

typedef struct iri_d3d9_shader {
    const uint8_t *data; /* borrowed: the caller's bytes, from the version word */
    uint32_t base;       /* offset of data[0] in the caller's input */
    uint32_t size;       /* bytes through the end token */
    uint32_t trailing;   /* bytes after it */
    uint32_t version;    /* the first word */
    uint8_t model;       /* iri_d3d9_model */
    uint8_t stage;       /* iri_d3d9_stage */
    uint8_t major, minor;
    const char *target; /* "ps_3_0", static */
    const iri_d3d9_instruction *instructions;
    uint32_t instruction_count;
    const iri_d3d9_operand *operands;
    uint32_t operand_count;
    const uint32_t *literals;
    uint32_t literal_count;
    const iri_d3d9_comment *comments;
    uint32_t comment_count;
} iri_d3d9_shader;

/* Decodes the stream at `data`, whose first byte is byte `base` of the caller's input. Sets
 * ctx->format and ctx->unit (static text). The result lives in `arena` and borrows `data`. Fails
 * with UNKNOWN_FORMAT, UNSUPPORTED_VERSION, MALFORMED_TRUNCATED, MALFORMED_TOKEN or
 * LIMIT_INSTRUCTIONS. */
const iri_d3d9_shader *iri_d3d9_decode(iri_ctx *ctx, iri_arena *arena, const void *data,
                                       size_t size, uint32_t base);

/* The row whose operands the `length` words at word `at` can be, the model's own first; IRI_D3D9_OP_COUNT when there
 * is none. Of shader models from 2 on, where `length` is the instruction token's. */
iri_d3d9_op iri_d3d9_fitting_row(const uint8_t *data, size_t at, uint32_t length, uint32_t token,
                                 iri_d3d9_model model);

/* Refuses what the shader's model does not have, at the offset of the token in question: opcodes,
 * registers and their numbers, modifiers, shifts, masks, relative addressing, predicates,
 * declarations, control flow that does not pair up, calls to nowhere, recursion, nesting. */
void iri_d3d9_check(iri_ctx *ctx, const iri_d3d9_shader *shader);

/* Its last part, which needs registers to be checked. */
void iri_d3d9_check_flow(iri_ctx *ctx, const iri_d3d9_shader *shader);

/* The fields of a dcl's usage word (literals[instruction->literal]). */
static inline uint32_t iri_d3d9_dcl_usage(uint32_t word)
{
    return word & 0x1fu;
}
static inline uint32_t iri_d3d9_dcl_index(uint32_t word)
{
    return word >> 16 & 0xfu;
}
static inline uint32_t iri_d3d9_dcl_texture(uint32_t word)
{
    return word >> 27 & 0xfu;
}

/* Names as Microsoft's assembler spells them; static; NULL past the end. */
const char *iri_d3d9_usage_name(uint32_t usage);           /* "texcoord" */
const char *iri_d3d9_comparison_name(uint32_t comparison); /* "gt" */

#endif
