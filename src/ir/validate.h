/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The validator. It trusts nothing: first whether ids and ranges hold together (validate_sound.c), and only
 * then what they mean: the interface (validate_interface.c), types and words of each instruction
 * (validate_ops.c, validate_access.c), scope and control flow (validate.c).
 */
#ifndef IRI_IR_VALIDATE_H
#define IRI_IR_VALIDATE_H

#include "base/bitset.h"
#include "ir/dom.h"
#include "ir/print.h"

enum { IRI_PROBLEMS_MAX = 1000, IRI_REGIONS_MAX = 1000 /* regions inside each other */ };

/* All problems of a program, in `arena`, at most IRI_PROBLEMS_MAX. Returns how many. */
uint32_t iri_find_problems(iri_arena *arena, const iri_program *p, uint32_t capabilities,
                           const iri_problem **problems);
/* Fails with `status` and the first problem when there is one. Does not look at a program that is marked as
 * validated. */
void iri_require_valid(iri_ctx *ctx, iri_arena *scratch, const iri_program *p,
                       uint32_t capabilities, iri_status status);

/* ---- the validator's own parts ---- */

typedef struct iri_validator {
    iri_arena *arena;
    const iri_program *p;
    uint32_t capabilities;
    IRI_VEC(iri_problem) problems;
    bool sound; /* ids are in range and regions a tree */
    iri_numbering numbers;
    const iri_numbering *numbering; /* NULL until a sound program's first problem */
    iri_id function, inst;          /* being looked at; 0: none */
    /* Of the function being looked at. */
    iri_bitset defined; /* values in scope */
    const iri_cfg *cfg; /* NULL in structured form */
    uint32_t block;     /* of the CFG */
    uint32_t *block_of; /* value -> the block that defines it, IRI_NO_BLOCK */
    /* Of the program. */
    iri_bitset labels;
    uint8_t *written; /* bits of each output's lanes since the region began */
} iri_validator;

void iri_found(iri_validator *v, const char *format, ...) IRI_PRINTF(2, 3);
bool iri_is_type(iri_type type); /* of a value */
/* Whether ids are in range and regions a tree. */
bool iri_check_sound(iri_validator *v);
bool iri_check_interface(iri_validator *v);                 /* false when it cannot even be read */
void iri_check_scalar(iri_validator *v, iri_scalar scalar); /* against the capabilities */
/* Everything of an instruction but scope and control flow. */
void iri_check_inst(iri_validator *v, const iri_inst *in);
/* Lookups, memory, queries and barriers, whose letters are known to fit; nothing of other operations. */
void iri_check_access(iri_validator *v, const iri_inst *in);
/* The resource that immediate `i` names, NULL (found) where there is none or it is of a wrong kind. */
const iri_resource *iri_get_resource(iri_validator *v, const iri_inst *in, uint32_t i);
/* An operand, where it is there, that indexes a range of registers. */
void iri_check_range_index(iri_validator *v, const iri_resource *r, const iri_inst *in,
                           uint32_t operand);

static inline iri_type iri_operand_type(const iri_validator *v, const iri_inst *in, uint32_t i)
{
    return iri_type_of(v->p, iri_operands(v->p, in)[i]);
}
static inline iri_type iri_result_type(const iri_validator *v, const iri_inst *in)
{
    return in->result_count ? iri_type_of(v->p, in->results) : IRI_TYPE_VOID;
}

#endif
