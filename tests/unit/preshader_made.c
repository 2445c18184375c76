/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preshaders written by hand.
 */
#include "preshader_made.h"
#include <string.h>

static void put(made *m, uint32_t word)
{
    m->broken = m->broken || m->count == sizeof m->words / sizeof *m->words;
    if (!m->broken)
        m->words[m->count++] = word;
}

/* A comment's token, to be given its length by `close`. */
static size_t open(made *m, const char tag[4])
{
    uint32_t word;
    memcpy(&word, tag, 4);
    put(m, 0xfffe);
    put(m, word);
    return m->count - 2;
}

static void close(made *m, size_t at)
{
    if (!m->broken)
        m->words[at] = 0xfffeu | (uint32_t)(m->count - at - 1) << 16;
}

void made_begin(made *m, uint32_t rows, const double *literals, uint32_t literal_count)
{
    memset(m, 0, sizeof *m);
    put(m, 0x46580201);
    if (rows) {
        /* Offsets count from the first word: the constant is at 28, its type at 48, its name at 64. */
        const uint32_t table[] = {28,   0,  0x46580201, 1,           28,          0,    0, 64, 2,
                                  rows, 48, 0,          1 | 3 << 16, 1 | 4 << 16, rows, 0, 'p'};
        size_t at = open(m, "CTAB");
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
            put(m, table[i]);
        close(m, at);
    }
    size_t at = open(m, "CLIT");
    put(m, literal_count);
    for (uint32_t i = 0; i < literal_count; i++) {
        uint64_t bits;
        memcpy(&bits, &literals[i], 8);
        put(m, (uint32_t)bits);
        put(m, (uint32_t)(bits >> 32));
    }
    close(m, at);
    m->code = open(m, "FXLC");
    put(m, 0);
}

static void put_operand(made *m, made_operand o)
{
    put(m, o >> 32 ? 1 : 0);
    if (o >> 32) {
        put(m, (uint32_t)(o >> 48));
        put(m, (uint32_t)(o >> 32 & 0xffff));
    }
    put(m, (uint32_t)(o >> 16 & 0xffff));
    put(m, (uint32_t)(o & 0xffff));
}

void made_op(made *m, uint32_t opcode, uint32_t lanes, made_operand to,
             const made_operand *operands)
{
    uint32_t count = 0;
    while (operands[count])
        count++;
    put(m, opcode << 20 | lanes);
    put(m, count);
    for (uint32_t i = 0; i < count; i++)
        put_operand(m, operands[i]);
    put_operand(m, to);
    m->words[m->code + 2]++;
}

size_t made_end(made *m)
{
    close(m, m->code);
    put(m, 0xffff);
    return m->broken ? 0 : m->count * 4;
}

/* ---- the collection ---- */

enum { MOV = 0x100, NEG, RCP = 0x103, FRC, EXP, LOG, RSQ, SIN, COS, ASIN, ACOS, ATAN };
enum {
    MIN = 0x200,
    MAX,
    LT,
    GE,
    ADD,
    MUL,
    ATAN2,
    DIV = 0x208,
    CMP = 0x300,
    DOT = 0x500,
    DOTSWIZ = 0x70e
};

static const double literals[] = {0.1, -1e-3, 16777217, 1e300, 0, 1, -0.0, 0.5};
enum { LITERALS = sizeof literals / sizeof *literals };

static void unary(made *m)
{
    made_begin(m, 1, literals, LITERALS);
    for (uint32_t op = MOV; op <= ATAN; op++)
        if (op != 0x102)
            MADE(m, op, 4, MADE_C((op - MOV) * 4), MADE_P(0));
}

static void unary_literal(made *m)
{
    made_begin(m, 1, literals, LITERALS);
    for (uint32_t op = MOV; op <= RSQ; op++)
        if (op != 0x102 && op != EXP && op != LOG)
            MADE(m, op, 4, MADE_C((op - MOV) * 4), MADE_L(0));
    MADE(m, MOV, 1, MADE_C(60), MADE_P(0));
}

static void binary(made *m)
{
    made_begin(m, 2, literals, LITERALS);
    for (uint32_t op = MIN; op <= DIV; op++)
        if (op != 0x207)
            MADE(m, op, 4, MADE_C((op - MIN) * 4), MADE_P(0), MADE_P(4));
}

static void binary_literal(made *m)
{
    made_begin(m, 1, literals, LITERALS);
    for (uint32_t op = MIN; op <= MUL; op++) {
        MADE(m, op, 4, MADE_C((op - MIN) * 8), MADE_P(0), MADE_L(0));
        MADE(m, op, 4 | MADE_SCALAR, MADE_C((op - MIN) * 8 + 4), MADE_L(0), MADE_P(0));
    }
}

static void choice(made *m)
{
    made_begin(m, 3, literals, LITERALS);
    MADE(m, CMP, 4, MADE_C(0), MADE_P(0), MADE_P(4), MADE_P(8));
    MADE(m, CMP, 4 | MADE_SCALAR, MADE_C(4), MADE_P(1), MADE_P(4), MADE_L(0));
    MADE(m, CMP, 3, MADE_C(8), MADE_L(0), MADE_P(4), MADE_P(8));
}

static void sums(made *m)
{
    made_begin(m, 4, literals, LITERALS);
    for (uint32_t lanes = 1; lanes <= 4; lanes++)
        MADE(m, DOT, lanes, MADE_C(lanes - 1), MADE_P(0), MADE_P(4));
    MADE(m, DOT, 4 | MADE_SCALAR, MADE_C(4), MADE_P(2), MADE_P(8));
    MADE(m, DOT, 4, MADE_C(5), MADE_P(0), MADE_L(0));
    MADE(m, DOTSWIZ, 1, MADE_C(6), MADE_P(0), MADE_P(1), MADE_P(2), MADE_P(4), MADE_P(5),
         MADE_P(6));
    MADE(m, DOTSWIZ, 2, MADE_C(8), MADE_P(0), MADE_P(4), MADE_P(8), MADE_P(12), MADE_P(2),
         MADE_P(6), MADE_P(10), MADE_P(14));
}

static void temporaries(made *m)
{
    made_begin(m, 2, literals, LITERALS);
    MADE(m, MUL, 4, MADE_R(0), MADE_P(0), MADE_P(4));
    MADE(m, ADD, 4, MADE_R(4), MADE_R(0), MADE_L(0));
    MADE(m, MUL, 2 | MADE_SCALAR, MADE_R(1), MADE_R(4), MADE_R(2));
    MADE(m, ADD, 4 | MADE_SCALAR, MADE_R(0), MADE_R(0), MADE_R(4)); /* what it has just written */
    MADE(m, MOV, 4, MADE_C(0), MADE_R(0));
    MADE(m, MUL, 4, MADE_C(4), MADE_C(0), MADE_R(4));
}

static void registers(made *m)
{
    made_begin(m, 1, literals, LITERALS);
    for (uint32_t i = 0; i < 4; i++)
        MADE(m, MOV, 1, MADE_B(i * 4), MADE_P(i));
    MADE(m, MOV, 4, MADE_I(0), MADE_P(0));
    MADE(m, MUL, 2, MADE_I(5), MADE_P(0), MADE_P(2));
    MADE(m, ADD, 2, MADE_I(8), MADE_P(0), MADE_L(0));
    MADE(m, MUL, 1, MADE_B(16), MADE_P(0), MADE_P(1));
    MADE(m, CMP, 1, MADE_I(10), MADE_P(0), MADE_P(1), MADE_L(2));
    MADE(m, RSQ, 1, MADE_I(11), MADE_P(3));
    MADE(m, NEG, 3, MADE_C(9), MADE_P(1));
}

/* Five registers: places wrap at eight. */
static void places(made *m)
{
    made_begin(m, 5, literals, LITERALS);
    MADE(m, MOV, 4, MADE_C(0), MADE_INDEXED(MADE_P(0), MADE_P(16)));
    MADE(m, MOV, 3, MADE_C(4), MADE_INDEXED(MADE_P(5), MADE_P(17)));
    MADE(m, ADD, 1, MADE_R(3), MADE_P(18), MADE_P(19));
    MADE(m, ADD, 4, MADE_C(8), MADE_INDEXED(MADE_P(12), MADE_R(3)),
         MADE_INDEXED(MADE_P(8), MADE_L(5)));
}

const made_case made_cases[] = {
    {"unary", 1, unary},
    {"unary_literal", 1, unary_literal},
    {"binary", 2, binary},
    {"binary_literal", 1, binary_literal},
    {"choice", 3, choice},
    {"sums", 4, sums},
    {"temporaries", 2, temporaries},
    {"registers", 1, registers},
    {"places", 5, places},
};
const size_t made_case_count = sizeof made_cases / sizeof *made_cases;
