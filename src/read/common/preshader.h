/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preshaders: what an effect computes on the CPU before a shader runs, and the expressions of effects, which are
 * the same. A token stream of its own, of comments alone: CTAB with the parameters, CLIT with 64-bit floats, FXLC
 * with the code. Layout and names: measured on d3dcompiler_47 (docs/formats/d3d9-asm.md). What instructions
 * compute: docs/formats/fx.md.
 *
 * FXLC: the number of instructions, then each as a word (opcode in bits 20-30, bit 31 when the first operand is a
 * scalar, lanes in bits 0-15), the number of its operands, the operands and the destination. An operand is 0,
 * table, offset in lanes; or 1, the index's table and offset, and then table and offset.
 */
#ifndef IRI_READ_COMMON_PRESHADER_H
#define IRI_READ_COMMON_PRESHADER_H

#include "ir/emit.h"
#include "read/common/ctab.h"

typedef enum iri_pres_op {
#define IRI_PRES(id, opcode, name) IRI_PRES_##id,
#include "read/common/preshader.def"
#undef IRI_PRES
    IRI_PRES_OP_COUNT /* an opcode that has no row */
} iri_pres_op;

/* The tables that operands name, with their numbers; there are two more, which only listings know. */
typedef enum iri_pres_table {
    IRI_PRES_LITERAL = 1, /* 64-bit floats */
    IRI_PRES_INPUT =
        2, /* c: the preshader's own registers, where its constant table puts parameters */
    IRI_PRES_OUTPUT = 4, /* c: the shader's float constants, or an expression's result */
    IRI_PRES_OUTPUT_BOOL = 5,
    IRI_PRES_OUTPUT_INT = 6,
    IRI_PRES_TEMP = 7, /* r */
    IRI_PRES_TABLE_COUNT = 10
} iri_pres_table;

enum { IRI_PRES_LANES_MAX = 16 };

typedef struct iri_pres_operand {
    uint32_t offset; /* in the caller's bytes */
    bool indexed;
    uint8_t table, index_table; /* iri_pres_table */
    uint32_t at, index_at;      /* in lanes: register * 4 + lane */
} iri_pres_operand;

typedef struct iri_pres_inst {
    uint32_t offset;
    uint16_t opcode;
    uint8_t op;    /* iri_pres_op */
    uint8_t lanes; /* 1..IRI_PRES_LANES_MAX */
    bool scalar;   /* the first operand is one lane, for all */
    uint32_t operand_count;
    const iri_pres_operand *operands;
    iri_pres_operand to;
} iri_pres_inst;

typedef struct iri_preshader {
    uint32_t offset; /* of the version word */
    uint32_t version;
    const uint8_t *data; /* borrowed: the stream */
    uint32_t size;
    const iri_d3d9_ctab *ctab; /* NULL: no parameters */
    const uint64_t *literals;
    uint32_t literal_count;
    const iri_pres_inst *insts;
    uint32_t inst_count;
} iri_preshader;

/* Reads a preshader from its version word on. Every table that an operand names exists, and every literal that is
 * named without an index. Fails with MALFORMED_TABLE. */
const iri_preshader *iri_preshader_decode(iri_ctx *ctx, iri_arena *arena, iri_cursor stream);

/* "mov"; "<unknown>" for IRI_PRES_OP_COUNT. */
const char *iri_pres_op_name(iri_pres_op op);
/* "c", "ob", "r": of a table that exists; an output that is indexed is "of". */
const char *iri_pres_table_name(uint32_t table, bool indexed);

/* The high half of a version word: "FX". */
#define IRI_PRESHADER_TAG 0x4658u

#define IRI_PRESHADER_LIFTER "iridia-preshader"
#define IRI_PRESHADER_LIFTER_VERSION 1

/* The program of a preshader: of no stage, with a constant buffer cb0 that holds the parameters as the constant
 * table lays them out, and an output for each register that it sets (bank c, i or b). Fails with MALFORMED_TABLE,
 * MALFORMED_REGISTER, MALFORMED_OPERAND, UNINITIALIZED, UNSUPPORTED_OPCODE. `single`: without f64, with notes. */
iri_program *iri_preshader_lower(iri_ctx *ctx, iri_arena *scratch, const iri_preshader *preshader,
                                 bool single);

#endif
