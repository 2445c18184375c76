/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lane expressions on special operands, the expected bits worked by hand from IEEE 754, C's Annex F and the
 * rules of docs/numerics.md.
 */
#include "base/number.h"
#include "ir/eval.h"
#include "ir/program.h"
#include "tests/unit/test.h"

#include <string.h>

#define INF 0x7f800000u
#define NEG_INF 0xff800000u
#define ONE 0x3f800000u
#define NEG_ZERO 0x80000000u
#define NEG_ONE 0xbf800000u
#define TWO 0x40000000u
#define HALF 0x3f000000u
#define LARGEST 0x7f7fffffu
#define NAN_IN 0x7fc00001u  /* with a payload, to see where it goes */
#define NAN_OUT 0x7fc00000u /* what arithmetic makes */
#define TINY 1u             /* the smallest denormal */

static bool tested[IRI_OP_COUNT];

static uint64_t lane(iri_op op, iri_scalar scalar, iri_scalar result, uint64_t a, uint64_t b,
                     uint64_t c)
{
    uint64_t out = 0xdeadbeef;
    const uint64_t operands[3] = {a, b, c};
    tested[op] = true;
    if (!iri_eval_lane(op, scalar, result, operands, &out))
        FAIL("%s is not evaluated", iri_op_infos[op].name);
    return out;
}

static const uint32_t special[8] = {0, NEG_ZERO, ONE, INF, NEG_INF, NAN_IN, TINY, LARGEST};

static const struct {
    iri_op op;
    uint32_t expected[8]; /* for `special` */
} one_operand[] = {
    {IRI_OP_NEG, {NEG_ZERO, 0, NEG_ONE, NEG_INF, INF, 0xffc00001, 0x80000001, 0xff7fffff}},
    {IRI_OP_ABS, {0, 0, ONE, INF, INF, NAN_IN, TINY, LARGEST}},
    {IRI_OP_SATURATE, {0, 0, ONE, ONE, 0, 0, TINY, ONE}},
    {IRI_OP_SATURATE_ZERO, {0, 0, ONE, ONE, 0, 0, TINY, ONE}},
    {IRI_OP_FLOOR, {0, NEG_ZERO, ONE, INF, NEG_INF, NAN_OUT, 0, LARGEST}},
    {IRI_OP_CEIL, {0, NEG_ZERO, ONE, INF, NEG_INF, NAN_OUT, ONE, LARGEST}},
    {IRI_OP_TRUNC, {0, NEG_ZERO, ONE, INF, NEG_INF, NAN_OUT, 0, LARGEST}},
    {IRI_OP_FRACT, {0, 0, 0, NAN_OUT, NAN_OUT, NAN_OUT, TINY, 0}},
    {IRI_OP_ROUND_EVEN, {0, NEG_ZERO, ONE, INF, NEG_INF, NAN_OUT, 0, LARGEST}},
    {IRI_OP_ROUND_AWAY, {0, NEG_ZERO, ONE, INF, NEG_INF, NAN_OUT, 0, LARGEST}},
    /* sqrt(2^-149) is 2^-74.5; that of 2^128 (1 - 2^-24) is just below the tie under 2^64 */
    {IRI_OP_SQRT, {0, NEG_ZERO, ONE, INF, NAN_OUT, NAN_OUT, 0x1a3504f3, 0x5f7fffff}},
    {IRI_OP_RCP, {INF, NEG_INF, ONE, 0, NEG_ZERO, NAN_OUT, INF, 0x00200000}},
    {IRI_OP_RCP_MAX, {LARGEST, LARGEST, ONE, 0, NEG_ZERO, NAN_OUT, INF, 0x00200000}},
    {IRI_OP_RSQ, {INF, NEG_INF, ONE, 0, NAN_OUT, NAN_OUT, 0x64b504f3, 0x1f800000}},
    {IRI_OP_RSQ_MAX, {LARGEST, LARGEST, ONE, 0, 0, NAN_OUT, 0x64b504f3, 0x1f800000}},
    {IRI_OP_EXP2, {ONE, ONE, TWO, INF, 0, NAN_OUT, ONE, INF}},
    {IRI_OP_LOG2, {NEG_INF, NEG_INF, 0, INF, NAN_OUT, NAN_OUT, 0xc3150000, 0x43000000}},
    {IRI_OP_LOG2_MAX, {0xff7fffff, 0xff7fffff, 0, INF, INF, NAN_OUT, 0xc3150000, 0x43000000}},
    {IRI_OP_SIN, {0, NEG_ZERO, 0x3f576aa4, NAN_OUT, NAN_OUT, NAN_OUT, TINY, 0xbf0599b3}},
    {IRI_OP_COS, {ONE, ONE, 0x3f0a5140, NAN_OUT, NAN_OUT, NAN_OUT, ONE, 0x3f5a5f96}},
    /* pi / 2 is 0x3fc90fdb */
    {IRI_OP_ASIN, {0, NEG_ZERO, 0x3fc90fdb, NAN_OUT, NAN_OUT, NAN_OUT, TINY, NAN_OUT}},
    {IRI_OP_ACOS, {0x3fc90fdb, 0x3fc90fdb, 0, NAN_OUT, NAN_OUT, NAN_OUT, 0x3fc90fdb, NAN_OUT}},
    {IRI_OP_ATAN, {0, NEG_ZERO, 0x3f490fdb, 0x3fc90fdb, 0xbfc90fdb, NAN_OUT, TINY, 0x3fc90fdb}},
};

static const struct {
    iri_op op;
    uint32_t a, b, c, expected;
} more_operands[] = {
    {IRI_OP_ADD, 0, NEG_ZERO, 0, 0},
    {IRI_OP_ADD, NEG_ZERO, NEG_ZERO, 0, NEG_ZERO},
    {IRI_OP_ADD, INF, NEG_INF, 0, NAN_OUT},
    {IRI_OP_ADD, NAN_IN, ONE, 0, NAN_OUT},
    {IRI_OP_ADD, LARGEST, LARGEST, 0, INF},
    {IRI_OP_ADD, TINY, TINY, 0, 2},
    {IRI_OP_ADD, ONE, INF, 0, INF},
    {IRI_OP_SUB, 0, 0, 0, 0},
    {IRI_OP_SUB, NEG_ZERO, 0, 0, NEG_ZERO},
    {IRI_OP_SUB, INF, INF, 0, NAN_OUT},
    {IRI_OP_SUB, TINY, TINY, 0, 0},
    {IRI_OP_SUB, ONE, NAN_IN, 0, NAN_OUT},
    {IRI_OP_MUL, 0, NEG_ZERO, 0, NEG_ZERO},
    {IRI_OP_MUL, 0, INF, 0, NAN_OUT},
    {IRI_OP_MUL, NEG_ONE, INF, 0, NEG_INF},
    {IRI_OP_MUL, LARGEST, TWO, 0, INF},
    {IRI_OP_MUL, TINY, HALF, 0, 0}, /* a tie, to even */
    {IRI_OP_MUL, TINY, ONE, 0, TINY},
    {IRI_OP_MUL_ZERO, 0, INF, 0, 0},
    {IRI_OP_MUL_ZERO, NEG_ZERO, INF, 0, 0},
    {IRI_OP_MUL_ZERO, INF, NEG_ZERO, 0, 0},
    {IRI_OP_MUL_ZERO, NAN_IN, 0, 0, 0},
    {IRI_OP_MUL_ZERO, NEG_ZERO, NAN_IN, 0, 0},
    {IRI_OP_MUL_ZERO, 0, NEG_ZERO, 0, NEG_ZERO},
    {IRI_OP_MUL_ZERO, NEG_ZERO, ONE, 0, NEG_ZERO},
    {IRI_OP_MUL_ZERO, 0, NEG_ONE, 0, NEG_ZERO},
    {IRI_OP_MUL_ZERO, INF, NEG_ONE, 0, NEG_INF},
    {IRI_OP_MUL_ZERO, NAN_IN, ONE, 0, NAN_OUT},
    {IRI_OP_MUL_ZERO, TINY, INF, 0, INF},
    {IRI_OP_DIV, ONE, 0, 0, INF},
    {IRI_OP_DIV, ONE, NEG_ZERO, 0, NEG_INF},
    {IRI_OP_DIV, 0, 0, 0, NAN_OUT},
    {IRI_OP_DIV, INF, INF, 0, NAN_OUT},
    {IRI_OP_DIV, ONE, NEG_INF, 0, NEG_ZERO},
    {IRI_OP_FMA, 0, INF, ONE, NAN_OUT},
    {IRI_OP_FMA, LARGEST, TWO, 0xff7fffff, LARGEST}, /* no overflow on the way */
    {IRI_OP_FMA, NEG_ZERO, ONE, 0, 0},
    {IRI_OP_FMA, TINY, HALF, TINY, 2}, /* 1.5 units: a tie, to even */
    {IRI_OP_MIN, NAN_IN, ONE, 0, ONE},
    {IRI_OP_MIN, ONE, NAN_IN, 0, ONE},
    {IRI_OP_MIN, NAN_IN, 0x7fc00002, 0, NAN_IN},
    {IRI_OP_MIN, 0, NEG_ZERO, 0, NEG_ZERO},
    {IRI_OP_MIN, NEG_INF, LARGEST, 0, NEG_INF},
    {IRI_OP_MAX, NAN_IN, ONE, 0, ONE},
    {IRI_OP_MAX, ONE, NAN_IN, 0, ONE},
    {IRI_OP_MAX, NAN_IN, 0x7fc00002, 0, NAN_IN},
    {IRI_OP_MAX, NEG_ZERO, 0, 0, NEG_ZERO},
    {IRI_OP_MAX, INF, LARGEST, 0, INF},
    {IRI_OP_MIN_LT, NAN_IN, ONE, 0, ONE},
    {IRI_OP_MIN_LT, ONE, NAN_IN, 0, NAN_IN},
    {IRI_OP_MIN_LT, 0, NEG_ZERO, 0, NEG_ZERO},
    {IRI_OP_MAX_GE, NAN_IN, ONE, 0, ONE},
    {IRI_OP_MAX_GE, ONE, NAN_IN, 0, NAN_IN},
    {IRI_OP_MAX_GE, NEG_ZERO, 0, 0, NEG_ZERO},
    {IRI_OP_ATAN2, 0, 0, 0, 0},
    {IRI_OP_ATAN2, NEG_ZERO, ONE, 0, NEG_ZERO},
    {IRI_OP_ATAN2, 0, NEG_ZERO, 0, 0x40490fdb},
    {IRI_OP_ATAN2, ONE, ONE, 0, 0x3f490fdb},
    {IRI_OP_ATAN2, ONE, 0, 0, 0x3fc90fdb},
    {IRI_OP_ATAN2, ONE, INF, 0, 0},
    {IRI_OP_ATAN2, NAN_IN, ONE, 0, NAN_OUT},
    {IRI_OP_POW, 0, 0, 0, ONE},
    {IRI_OP_POW, NAN_IN, 0, 0, ONE},
    {IRI_OP_POW, ONE, NAN_IN, 0, ONE},
    {IRI_OP_POW, TWO, NEG_ONE, 0, HALF},
    {IRI_OP_POW, NEG_ZERO, NEG_ONE, 0, NEG_INF},
    {IRI_OP_POW, NEG_ONE, HALF, 0, NAN_OUT},
    {IRI_OP_POW_ABS, 0, 0, 0, ONE},
    {IRI_OP_POW_ABS, NAN_IN, NEG_ZERO, 0, ONE},
    {IRI_OP_POW_ABS, NEG_ZERO, NEG_ONE, 0, INF},
    {IRI_OP_POW_ABS, NEG_ONE, HALF, 0, ONE},
    {IRI_OP_SELECT, 1, NAN_IN, ONE, NAN_IN},
    {IRI_OP_SELECT, 0, NAN_IN, 0x7f800001, 0x7f800001}, /* a signalling NaN stays one */
};

static const struct {
    iri_op op;
    uint32_t a, b;
    bool expected;
} compared[] = {
    {IRI_OP_LT, 0, ONE, true},       {IRI_OP_LT, NEG_ZERO, 0, false},
    {IRI_OP_LT, NAN_IN, ONE, false}, {IRI_OP_LT, 0, TINY, true},
    {IRI_OP_LE, NEG_ZERO, 0, true},  {IRI_OP_LE, ONE, NAN_IN, false},
    {IRI_OP_GT, INF, LARGEST, true}, {IRI_OP_GT, NAN_IN, 0, false},
    {IRI_OP_GE, 0, NEG_ZERO, true},  {IRI_OP_GE, NAN_IN, NAN_IN, false},
    {IRI_OP_EQ, 0, NEG_ZERO, true},  {IRI_OP_EQ, NAN_IN, NAN_IN, false},
    {IRI_OP_NE, 0, NEG_ZERO, false}, {IRI_OP_NE, NAN_IN, NAN_IN, true},
};

TEST(ir_eval_floats)
{
    for (size_t i = 0; i < sizeof one_operand / sizeof *one_operand; i++)
        for (int k = 0; k < 8; k++) {
            iri_op op = one_operand[i].op;
            uint64_t got = lane(op, IRI_F32, IRI_F32, special[k], 0, 0);
            if (got != one_operand[i].expected[k])
                FAIL("%s of 0x%08x is 0x%08x, not 0x%08x", iri_op_infos[op].name, special[k],
                     (unsigned)got, one_operand[i].expected[k]);
        }
    for (size_t i = 0; i < sizeof more_operands / sizeof *more_operands; i++) {
        iri_op op = more_operands[i].op;
        uint64_t got =
            lane(op, IRI_F32, IRI_F32, more_operands[i].a, more_operands[i].b, more_operands[i].c);
        if (got != more_operands[i].expected)
            FAIL("row %u, %s, is 0x%08x, not 0x%08x", (unsigned)i, iri_op_infos[op].name,
                 (unsigned)got, more_operands[i].expected);
    }
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        iri_op op = compared[i].op;
        if (lane(op, IRI_F32, IRI_BOOL, compared[i].a, compared[i].b, 0) != compared[i].expected)
            FAIL("row %u, %s", (unsigned)i, iri_op_infos[op].name);
    }
}

TEST(ir_eval_rounding)
{
    /* -2.5 -1.5 -0.5 0.5 1.5 2.5 */
    static const float in[6] = {-2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f};
    static const float even[6] = {-2, -2, -0.0f, 0, 2, 2}, away[6] = {-3, -2, -1, 1, 2, 3};
    static const float down[6] = {-3, -2, -1, 0, 1, 2}, up[6] = {-2, -1, -0.0f, 1, 2, 3};
    for (int i = 0; i < 6; i++) {
        uint64_t x = iri_f32_bits(in[i]);
        CHECK_EQ_U64(lane(IRI_OP_ROUND_EVEN, IRI_F32, IRI_F32, x, 0, 0), iri_f32_bits(even[i]));
        CHECK_EQ_U64(lane(IRI_OP_ROUND_AWAY, IRI_F32, IRI_F32, x, 0, 0), iri_f32_bits(away[i]));
        CHECK_EQ_U64(lane(IRI_OP_FLOOR, IRI_F32, IRI_F32, x, 0, 0), iri_f32_bits(down[i]));
        CHECK_EQ_U64(lane(IRI_OP_CEIL, IRI_F32, IRI_F32, x, 0, 0), iri_f32_bits(up[i]));
    }
}

/* mul.zero is mul wherever both operands are finite. */
TEST(ir_eval_zero_wins)
{
    for (int i = 0; i < 100000; i++) {
        uint64_t a = (uint32_t)iri_test_random(), b = (uint32_t)iri_test_random();
        if (i % 3 == 0)
            a &= 0x80000000;
        bool finite = (a & INF) != INF && (b & INF) != INF;
        uint64_t zero = lane(IRI_OP_MUL_ZERO, IRI_F32, IRI_F32, a, b, 0);
        if (finite && !CHECK_EQ_U64(zero, lane(IRI_OP_MUL, IRI_F32, IRI_F32, a, b, 0)))
            break;
    }
}

static const struct {
    iri_op op;
    iri_scalar scalar, result;
    uint64_t a, b, expected;
} integers[] = {
    {IRI_OP_IADD, IRI_I32, IRI_I32, 0x7fffffff, 1, 0x80000000},
    {IRI_OP_IADD, IRI_U16, IRI_U16, 0xffff, 2, 1},
    {IRI_OP_IADD, IRI_I64, IRI_I64, INT64_MAX, 1, UINT64_C(1) << 63},
    {IRI_OP_ISUB, IRI_U32, IRI_U32, 0, 1, 0xffffffff},
    {IRI_OP_ISUB, IRI_I16, IRI_I16, 0x8000, 1, 0x7fff},
    {IRI_OP_IMUL, IRI_U16, IRI_U16, 0xffff, 0xffff, 1},
    {IRI_OP_IMUL, IRI_I32, IRI_I32, 0x10000, 0x10000, 0},
    {IRI_OP_IMUL, IRI_I64, IRI_I64, UINT64_MAX, 3, UINT64_MAX - 2},
    {IRI_OP_INEG, IRI_I32, IRI_I32, 0x80000000, 0, 0x80000000},
    {IRI_OP_INEG, IRI_U32, IRI_U32, 1, 0, 0xffffffff},
    {IRI_OP_IMIN, IRI_I32, IRI_I32, 0xffffffff, 1, 0xffffffff},
    {IRI_OP_IMIN, IRI_U32, IRI_U32, 0xffffffff, 1, 1},
    {IRI_OP_IMAX, IRI_I16, IRI_I16, 0xffff, 0, 0},
    {IRI_OP_IMAX, IRI_U64, IRI_U64, UINT64_MAX, 0, UINT64_MAX},
    {IRI_OP_ILT, IRI_I32, IRI_BOOL, 0xffffffff, 0, 1},
    {IRI_OP_ILT, IRI_U32, IRI_BOOL, 0xffffffff, 0, 0},
    {IRI_OP_ILE, IRI_I64, IRI_BOOL, UINT64_MAX, UINT64_MAX, 1},
    {IRI_OP_IEQ, IRI_U16, IRI_BOOL, 5, 5, 1},
    {IRI_OP_INE, IRI_U16, IRI_BOOL, 5, 5, 0},
    {IRI_OP_SHL, IRI_I32, IRI_I32, 1, 31, 0x80000000},
    {IRI_OP_SHL, IRI_U32, IRI_U32, 1, 33, 2},
    {IRI_OP_SHL, IRI_U16, IRI_U16, 0xffff, 15, 0x8000},
    {IRI_OP_SHL, IRI_I64, IRI_I64, 1, 0xffffffffffffffff, UINT64_C(1) << 63},
    {IRI_OP_SHR, IRI_I32, IRI_I32, 0x80000000, 31, 0xffffffff},
    {IRI_OP_SHR, IRI_U32, IRI_U32, 0x80000000, 31, 1},
    {IRI_OP_SHR, IRI_I16, IRI_I16, 0x8000, 17, 0xc000},
    {IRI_OP_AND, IRI_U32, IRI_U32, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
    {IRI_OP_OR, IRI_I16, IRI_I16, 0xf000, 0x000f, 0xf00f},
    {IRI_OP_XOR, IRI_U64, IRI_U64, UINT64_MAX, 1, UINT64_MAX - 1},
    {IRI_OP_NOT, IRI_U16, IRI_U16, 0x00ff, 0, 0xff00},
    {IRI_OP_NOT, IRI_I64, IRI_I64, 0, 0, UINT64_MAX},
    {IRI_OP_AND, IRI_BOOL, IRI_BOOL, 1, 0, 0},
    {IRI_OP_OR, IRI_BOOL, IRI_BOOL, 1, 0, 1},
    {IRI_OP_XOR, IRI_BOOL, IRI_BOOL, 1, 1, 0},
    {IRI_OP_NOT, IRI_BOOL, IRI_BOOL, 1, 0, 0},
    {IRI_OP_NOT, IRI_BOOL, IRI_BOOL, 0, 0, 1},
};

static const struct {
    iri_op op;
    iri_scalar from, to;
    uint64_t in, expected;
} conversions[] = {
    {IRI_OP_FTOI, IRI_F32, IRI_I32, 0xc0200000, 0xfffffffe}, /* -2.5 */
    {IRI_OP_FTOI_SAT, IRI_F32, IRI_I32, NAN_IN, 0},
    {IRI_OP_FTOI_SAT, IRI_F32, IRI_I32, INF, 0x7fffffff},
    {IRI_OP_FTOI_SAT, IRI_F32, IRI_I32, NEG_INF, 0x80000000},
    {IRI_OP_FTOI_SAT, IRI_F32, IRI_I32, 0x4f000000, 0x7fffffff}, /* 2^31 */
    {IRI_OP_FTOI_SAT, IRI_F32, IRI_I32, 0xcf000000, 0x80000000},
    {IRI_OP_FTOI_SAT, IRI_F32, IRI_U32, NEG_ONE, 0},
    {IRI_OP_FTOI_SAT, IRI_F32, IRI_U32, 0x4f800000, 0xffffffff}, /* 2^32 */
    {IRI_OP_FTOI_SAT, IRI_F32, IRI_U16, 0x47800000, 0xffff},     /* 65536 */
    {IRI_OP_FTOI_SAT, IRI_F32, IRI_I16, 0xc7800000, 0x8000},
    {IRI_OP_FTOI_SAT, IRI_F32, IRI_U64, LARGEST, UINT64_MAX},
    {IRI_OP_FTOI_SAT, IRI_F32, IRI_I64, LARGEST, INT64_MAX},
    {IRI_OP_FTOI_SAT, IRI_F16, IRI_I32, 0xfbff, 0xffff0020}, /* -65504 */
    {IRI_OP_FTOI_SAT, IRI_F64, IRI_I64, UINT64_C(0xbfe0000000000000), 0},
    {IRI_OP_ITOF, IRI_I32, IRI_F32, 0xffffffff, NEG_ONE},
    {IRI_OP_ITOF, IRI_U32, IRI_F32, 0xffffffff, 0x4f800000},
    {IRI_OP_ITOF, IRI_I32, IRI_F32, 16777217, 0x4b800000}, /* 2^24 + 1: a tie, to even */
    {IRI_OP_ITOF, IRI_I32, IRI_F32, 16777219, 0x4b800002},
    {IRI_OP_ITOF, IRI_U64, IRI_F32, UINT64_C(0x8000008000000001), 0x5f000001}, /* above a tie */
    {IRI_OP_ITOF, IRI_I64, IRI_F32, UINT64_C(0x4000004000000001), 0x5e800001},
    {IRI_OP_ITOF, IRI_U32, IRI_F16, 65519, 0x7bff},
    {IRI_OP_ITOF, IRI_U32, IRI_F16, 65520, 0x7c00},
    {IRI_OP_ITOF, IRI_I16, IRI_F64, 0x8000, UINT64_C(0xc0e0000000000000)},
    {IRI_OP_ITOI, IRI_I16, IRI_I32, 0x8000, 0xffff8000},
    {IRI_OP_ITOI, IRI_U16, IRI_I32, 0x8000, 0x8000},
    {IRI_OP_ITOI, IRI_I32, IRI_U64, 0xffffffff, UINT64_MAX},
    {IRI_OP_ITOI, IRI_U64, IRI_I16, UINT64_C(0x123456789abcdef0), 0xdef0},
    {IRI_OP_FTOF, IRI_F32, IRI_F16, 0x477fefff, 0x7bff}, /* just below the tie to infinity */
    {IRI_OP_FTOF, IRI_F32, IRI_F16, 0x477ff000, 0x7c00},
    {IRI_OP_FTOF, IRI_F32, IRI_F16, NAN_IN, 0x7e00},
    {IRI_OP_FTOF, IRI_F16, IRI_F32, 1, 0x33800000},
    {IRI_OP_FTOF, IRI_F64, IRI_F32, UINT64_C(0x3ff0000010000000), ONE}, /* a tie, to even */
    {IRI_OP_FTOF, IRI_F64, IRI_F32, UINT64_C(0x7fefffffffffffff), INF},
    {IRI_OP_FTOF, IRI_F32, IRI_F64, NEG_ZERO, UINT64_C(1) << 63},
};

TEST(ir_eval_integers)
{
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        uint64_t got = lane(integers[i].op, integers[i].scalar, integers[i].result, integers[i].a,
                            integers[i].b, 0);
        if (got != integers[i].expected)
            FAIL("row %u, %s, is 0x%llx", (unsigned)i, iri_op_infos[integers[i].op].name,
                 (unsigned long long)got);
    }
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++) {
        uint64_t got = lane(conversions[i].op, conversions[i].from, conversions[i].to,
                            conversions[i].in, 0, 0);
        if (got != conversions[i].expected)
            FAIL("conversion %u, %s, is 0x%llx", (unsigned)i, iri_op_infos[conversions[i].op].name,
                 (unsigned long long)got);
    }
}

/* Runs after the tests above: every operation with a lane expression stood in one of their tables. */
TEST(ir_eval_all_tested)
{
    for (int op = 1; op < IRI_OP_COUNT; op++)
        if ((iri_op_infos[op].properties & IRI_PROP_LANE) && !tested[op])
            FAIL("%s has no hand-worked value", iri_op_infos[op].name);
}

/* f16 is float, rounded; f64 is double. */
TEST(ir_eval_widths)
{
    CHECK_EQ_U64(lane(IRI_OP_ADD, IRI_F16, IRI_F16, 0x7bff, 0x7bff, 0), 0x7c00);
    CHECK_EQ_U64(lane(IRI_OP_MUL, IRI_F16, IRI_F16, 0x3c01, 0x3c01, 0), 0x3c02);
    CHECK_EQ_U64(lane(IRI_OP_RCP_MAX, IRI_F16, IRI_F16, 0x8000, 0, 0), 0x7bff);
    CHECK_EQ_U64(lane(IRI_OP_NEG, IRI_F16, IRI_F16, 0x7c01, 0, 0), 0xfc01);
    CHECK_EQ_U64(lane(IRI_OP_ADD, IRI_F16, IRI_F16, 0x7c01, 0, 0), 0x7e00);
    CHECK_EQ_U64(lane(IRI_OP_DIV, IRI_F64, IRI_F64, UINT64_C(0x3ff0000000000000), 0, 0),
                 UINT64_C(0x7ff0000000000000));
    CHECK_EQ_U64(lane(IRI_OP_SUB, IRI_F64, IRI_F64, UINT64_C(0x7ff0000000000000),
                      UINT64_C(0x7ff0000000000000), 0),
                 UINT64_C(0x7ff8000000000000));
    CHECK_EQ_U64(lane(IRI_OP_RSQ, IRI_F64, IRI_F64, UINT64_C(0x4010000000000000), 0, 0),
                 UINT64_C(0x3fe0000000000000));
}

TEST(ir_eval_whole)
{
    uint64_t r[4];
    const iri_type v4[2] = {IRI_TYPE_VEC4F, IRI_TYPE_VEC4F};
    const uint64_t in[2][4] = {{ONE, TWO, INF, 0}, {TWO, HALF, 0, ONE}};
    /* 1 * 2 + 2 * 0.5 + inf * 0 + 0 * 1 */
    CHECK(iri_eval(IRI_OP_DOT, IRI_TYPE_F32, v4, in, 2, NULL, r));
    CHECK_EQ_U64(r[0], NAN_OUT);
    CHECK(iri_eval(IRI_OP_DOT_ZERO, IRI_TYPE_F32, v4, in, 2, NULL, r));
    CHECK_EQ_U64(r[0], 0x40400000);
    /* 2^24 + 1 + 1 from lane x on loses both ones */
    const uint64_t order[2][4] = {{0x4b800000, ONE, ONE, 0}, {ONE, ONE, ONE, ONE}};
    CHECK(iri_eval(IRI_OP_DOT, IRI_TYPE_F32, v4, order, 2, NULL, r));
    CHECK_EQ_U64(r[0], 0x4b800000);
    uint32_t choice = IRI_LANES3(2, 0, 2);
    CHECK(iri_eval(IRI_OP_SWIZZLE, IRI_TYPE_VEC3F, v4, in, 1, &choice, r));
    CHECK(r[0] == INF && r[1] == ONE && r[2] == INF);
    uint32_t mask = IRI_LANES2(1, 3);
    const iri_type insert[2] = {IRI_TYPE_VEC4F, IRI_TYPE_VEC2F};
    CHECK(iri_eval(IRI_OP_INSERT, IRI_TYPE_VEC4F, insert, in, 2, &mask, r));
    CHECK(r[0] == ONE && r[1] == TWO && r[2] == INF && r[3] == HALF);
    const iri_type parts[2] = {IRI_TYPE_F32, IRI_TYPE_VEC3F};
    CHECK(iri_eval(IRI_OP_COMPOSE, IRI_TYPE_VEC4F, parts, in, 2, NULL, r));
    CHECK(r[0] == ONE && r[1] == TWO && r[2] == HALF && r[3] == 0);
    const iri_type truths[1] = {IRI_TYPE(IRI_BOOL, 3)};
    const uint64_t some[1][4] = {{0, 1, 0, 0}}, every[1][4] = {{1, 1, 1, 0}};
    CHECK(iri_eval(IRI_OP_ANY, IRI_TYPE_BOOL, truths, some, 1, NULL, r) && r[0] == 1);
    CHECK(iri_eval(IRI_OP_ALL, IRI_TYPE_BOOL, truths, some, 1, NULL, r) && r[0] == 0);
    CHECK(iri_eval(IRI_OP_ALL, IRI_TYPE_BOOL, truths, every, 1, NULL, r) && r[0] == 1);
    CHECK(!iri_eval(IRI_OP_DDX, IRI_TYPE_VEC4F, v4, in, 1, NULL, r));
    CHECK(!iri_eval_lane(IRI_OP_IADD, IRI_F32, IRI_F32, in[0], r));
    CHECK(!iri_eval_lane(IRI_OP_EXP2, IRI_F64, IRI_F64, in[0], r));
    CHECK(!iri_eval_lane(IRI_OP_ADD, IRI_BOOL, IRI_BOOL, in[0], r));
}
