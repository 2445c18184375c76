/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the assembler's files share: the scanner of asm_lex.c, the operands of asm_operand.c.
 */
#ifndef IRI_READ_D3D9_ASM_INTERNAL_H
#define IRI_READ_D3D9_ASM_INTERNAL_H

#include "base/buf.h"
#include "read/d3d9/decode.h"

/* A piece of the text and where it stands. */
typedef struct iri_d3d9_word {
    const char *text;
    uint32_t size;
    uint32_t line, column; /* from 1 */
} iri_d3d9_word;

typedef struct iri_d3d9_asm {
    iri_ctx *ctx;
    iri_buf *out;
    const char *at, *end, *line_begin;
    uint32_t line;
    iri_d3d9_model model; /* IRI_D3D9_MODEL_COUNT before the version */
    bool vertex;
    uint32_t major, minor;
} iri_d3d9_asm;

/* ---- asm_lex.c ---- */

/* Refuses at a place. */
#define iri_d3d9_asm_fail(a, word, ...) \
    iri_fail_at((a)->ctx, IRI_INVALID_TEXT, (word)->line, (word)->column, __VA_ARGS__)

iri_d3d9_word iri_d3d9_here(const iri_d3d9_asm *a);
/* Skips blanks and comments, but no line's end and none of our directives (`//!`). */
void iri_d3d9_skip_blanks(iri_d3d9_asm *a);
/* Whether nothing more stands on the line. */
bool iri_d3d9_at_line_end(iri_d3d9_asm *a);
void iri_d3d9_skip_line(iri_d3d9_asm *a); /* through its end */
/* Takes `c` behind blanks. */
bool iri_d3d9_accept(iri_d3d9_asm *a, char c);
void iri_d3d9_expect(iri_d3d9_asm *a, char c, const char *what);
/* Letters, digits and underscores, and what `more` has, behind blanks; empty when there are none. */
iri_d3d9_word iri_d3d9_take_word(iri_d3d9_asm *a, const char *more);
/* Whether the word is `name`, in upper or lower case. */
bool iri_d3d9_word_is(const iri_d3d9_word *word, const char *name);
/* Decimal digits at *at, moving it; false when there are none or the number is above 0xffffffff. */
bool iri_d3d9_digits(const char **at, const char *end, uint32_t *value);
uint32_t iri_d3d9_take_float(iri_d3d9_asm *a); /* bits */
uint32_t iri_d3d9_take_int(iri_d3d9_asm *a);
uint32_t iri_d3d9_take_bool(iri_d3d9_asm *a);

/* ---- asm_operand.c ---- */

/* An operand as written: what it means depends on where it stands. */
typedef struct iri_d3d9_written {
    iri_d3d9_word word;          /* its place */
    uint32_t bank, type, number; /* bank: iri_d3d9_bank */
    uint32_t modifier;           /* iri_d3d9_srcmod */
    bool relative;
    uint32_t index; /* the index register's token, SM2 on */
    bool has_lanes;
    uint32_t lane_count;
    uint8_t lanes[4];
} iri_d3d9_written;

void iri_d3d9_take_operand(iri_d3d9_asm *a, iri_d3d9_written *out);
/* Tokens without the index register's word; they refuse what cannot stand there. */
uint32_t iri_d3d9_source_token(const iri_d3d9_asm *a, const iri_d3d9_written *o);
uint32_t iri_d3d9_destination_token(const iri_d3d9_asm *a, const iri_d3d9_written *o,
                                    uint32_t modifiers, uint32_t shift);
bool iri_d3d9_has_index_word(const iri_d3d9_asm *a, const iri_d3d9_written *o);

#endif
