/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preshaders written by hand: what the compiler does not emit, and every instruction on special numbers.
 */
#ifndef IRI_TESTS_PRESHADER_MADE_H
#define IRI_TESTS_PRESHADER_MADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An operand: table * 0x10000 + place in lanes; with a place of an index in bits 32 on where it is at a run-time
 * place. */
typedef uint64_t made_operand;
#define MADE_AT(table, at) ((made_operand)(table) << 16 | (at))
#define MADE_L(at) MADE_AT(1, at) /* literal */
#define MADE_P(at) MADE_AT(2, at) /* parameter "p" */
#define MADE_C(at) MADE_AT(4, at) /* float result */
#define MADE_B(at) MADE_AT(5, at) /* truth */
#define MADE_I(at) MADE_AT(6, at) /* integer result */
#define MADE_R(at) MADE_AT(7, at) /* temporary */
#define MADE_INDEXED(operand, by) ((operand) | (made_operand)(by) << 32)
#define MADE_SCALAR 0x80000000u /* with the lanes */

typedef struct made {
    uint32_t words[1024];
    size_t count;
    size_t code; /* where the number of instructions stands */
    bool broken; /* too long */
} made;

/* Begins an expression whose parameter "p" is a float4[rows] (none when 0) and whose literals are `literals`. */
void made_begin(made *m, uint32_t rows, const double *literals, uint32_t literal_count);
/* One instruction: opcode, lanes (with MADE_SCALAR), destination, operands up to a 0. */
void made_op(made *m, uint32_t opcode, uint32_t lanes, made_operand to,
             const made_operand *operands);
#define MADE(m, opcode, lanes, to, ...) \
    made_op(m, opcode, lanes, to, (const made_operand[]){__VA_ARGS__, 0})
/* Ends it; its size in bytes. */
size_t made_end(made *m);

/* The collection: every instruction of every lane count, literals that are no floats, run-time places. */
typedef struct made_case {
    const char *name;
    uint32_t rows;
    void (*build)(made *m);
} made_case;
extern const made_case made_cases[];
extern const size_t made_case_count;

#endif
