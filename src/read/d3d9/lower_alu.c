/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arithmetic instructions, from one table. What each computes is its page of Microsoft's instruction
 * reference (vs and ps), and where that leaves a number open, its DirectX 8.1 page, which gives code. A
 * value has the lanes of the destination's mask, computed on just those lanes, or one lane for all.
 */
#include "read/d3d9/lower_internal.h"

typedef iri_id emit_fn(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask);

/* How a row is computed. */
typedef enum row_kind {
    ROW_NONE,
    EACH,   /* the operation on the lanes of the mask */
    SCALAR, /* the operation on one lane, for all */
    DOT,    /* a product of vectors, for all lanes */
    CODE    /* the row's function */
} row_kind;

/* `reads`: a letter per source, the positions it is read at: m those of the mask, s w, a w of which the
 * magnitude counts, 2 xy, 3 xyz, 4 all, n xyz and the mask, c those a cross product needs, d e dst's, l lit's, f one lane of a flow instruction. */
typedef struct row {
    const char *reads;
    uint8_t kind;
    uint8_t op, ieee; /* iri_op; `ieee` where multiplication follows IEEE 754, 0: the same */
    emit_fn *emit;
} row;

static iri_id constant(iri_l9 *l, float value, iri_id like)
{
    return iri_const_splat_f32(l->b, value, IRI_TYPE_LANES(iri_builder_type(l->b, like)));
}

static iri_id source(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t i, uint32_t mask)
{
    return iri_l9_read(l, iri_l9_source(l, in, i), iri_lanes_from_bits(mask));
}

static iri_id scalar(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t i)
{
    return iri_l9_read_scalar(l, iri_l9_source(l, in, i));
}

/* A scalar of which only the magnitude counts: its sign need not be made first. */
static iri_id magnitude(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t i)
{
    iri_d3d9_operand o = *iri_l9_source(l, in, i);
    if (o.modifier == IRI_D3D9_SRC_NEG || o.modifier == IRI_D3D9_SRC_ABS ||
        o.modifier == IRI_D3D9_SRC_ABSNEG)
        o.modifier = IRI_D3D9_SRC_NONE;
    return iri_l9_read_scalar(l, &o);
}

/* x plus a source, or minus it: taking away is adding the negative, bit for bit. */
static iri_id add_source(iri_l9 *l, iri_id x, const iri_d3d9_instruction *in, uint32_t i,
                         uint32_t mask, bool minus)
{
    iri_d3d9_operand o = *iri_l9_source(l, in, i);
    if (o.modifier == IRI_D3D9_SRC_NEG || o.modifier == IRI_D3D9_SRC_ABSNEG) {
        o.modifier = o.modifier == IRI_D3D9_SRC_NEG ? IRI_D3D9_SRC_NONE : IRI_D3D9_SRC_ABS;
        minus = !minus;
    }
    iri_id y = iri_l9_read(l, &o, iri_lanes_from_bits(mask));
    return iri_emit2(l->b, minus ? IRI_OP_SUB : IRI_OP_ADD, x, y);
}

iri_id iri_l9_mul(iri_l9 *l, iri_id x, iri_id y)
{
    return iri_emit2(l->b, l->ieee ? IRI_OP_MUL : IRI_OP_MUL_ZERO, x, y);
}

iri_id iri_l9_dot(iri_l9 *l, iri_id x, iri_id y)
{
    return iri_emit2(l->b, l->ieee ? IRI_OP_DOT : IRI_OP_DOT_ZERO, x, y);
}

/* The lanes of `mask` out of four values, of which those needed are made. */
static iri_id gather(iri_l9 *l, uint32_t mask, const iri_id parts[4])
{
    iri_id used[4];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 4; i++)
        if (mask >> i & 1)
            used[count++] = parts[i];
    return count == 1 ? used[0] : iri_emit_compose(l->b, used, count);
}

/* ---- one function for each instruction that is more than an operation ---- */

static iri_id emit_mov(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_id x = source(l, in, 0, mask);
    if (iri_l9_operand(l, in, 0)->bank != IRI_D3D9_BANK_A)
        return x;
    /* mov to a0 is vs_1_1's only: it takes the floor. */
    x = iri_emit1(l->b, l->major == 1 ? IRI_OP_FLOOR : IRI_OP_ROUND_AWAY, x);
    return iri_emit_convert(l->b, IRI_OP_FTOI_SAT, IRI_I32, x);
}

static iri_id emit_mova(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_id x = iri_emit1(l->b, IRI_OP_ROUND_AWAY, source(l, in, 0, mask));
    return iri_emit_convert(l->b, IRI_OP_FTOI_SAT, IRI_I32, x);
}

static iri_id emit_add(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    /* -x + y is y - x: the sources change places. */
    uint32_t modifier = iri_l9_source(l, in, 0)->modifier;
    bool swap = modifier == IRI_D3D9_SRC_NEG || modifier == IRI_D3D9_SRC_ABSNEG;
    return add_source(l, source(l, in, swap, mask), in, !swap, mask, false);
}

static iri_id emit_sub(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    return add_source(l, source(l, in, 0, mask), in, 1, mask, true);
}

static iri_id emit_mad(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_id y = source(l, in, 1, mask), x = source(l, in, 0, mask);
    return add_source(l, iri_l9_mul(l, x, y), in, 2, mask, false);
}

static iri_id emit_lrp(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_id weight = source(l, in, 0, mask), x = source(l, in, 1, mask), y = source(l, in, 2, mask);
    return iri_emit2(l->b, IRI_OP_ADD, iri_l9_mul(l, weight, iri_emit2(l->b, IRI_OP_SUB, x, y)), y);
}

static iri_id emit_dp2add(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    (void)mask;
    iri_id x = source(l, in, 0, 3), y = source(l, in, 1, 3);
    iri_id product = iri_l9_dot(l, x, y);
    uint64_t lanes[4];
    /* A sum of squares is no -0, so adding 0 (as compilers do) changes nothing. */
    if (x == y && iri_get_const(l->b, scalar(l, in, 2), lanes) && lanes[0] << 33 == 0)
        return product;
    return add_source(l, product, in, 2, 8, false);
}

static iri_id one_or_zero(iri_l9 *l, iri_id condition, iri_id like)
{
    iri_id zero = constant(l, 0, like), one = constant(l, 1, like);
    return iri_emit_select(l->b, condition, one, zero);
}

static iri_id emit_slt(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_id x = source(l, in, 0, mask), y = source(l, in, 1, mask);
    return one_or_zero(l, iri_emit2(l->b, IRI_OP_LT, x, y), x);
}

static iri_id emit_sge(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_id x = source(l, in, 0, mask), y = source(l, in, 1, mask);
    return one_or_zero(l, iri_emit2(l->b, IRI_OP_GE, x, y), x);
}

static iri_id emit_sgn(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_id x = source(l, in, 0, mask), zero = constant(l, 0, x);
    iri_id above = constant(l, 1, x), below = constant(l, -1, x);
    iri_id other = iri_emit_select(l->b, iri_emit2(l->b, IRI_OP_EQ, x, zero), zero, above);
    return iri_emit_select(l->b, iri_emit2(l->b, IRI_OP_LT, x, zero), below, other);
}

static iri_id emit_cmp(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    const iri_d3d9_operand *o = iri_l9_source(l, in, 0);
    iri_id yes = source(l, in, 1, mask), no = source(l, in, 2, mask);
    if (o->bank == IRI_D3D9_BANK_VFACE && o->modifier <= IRI_D3D9_SRC_NEG) {
        iri_set_relaxed(l->b, false);
        iri_id front = iri_l9_read_face(l);
        iri_set_relaxed(l->b, l->relaxed);
        return o->modifier ? iri_emit_select(l->b, front, no, yes)
                           : iri_emit_select(l->b, front, yes, no);
    }
    /* -x >= 0 is x <= 0, and -|x| >= 0 is x == 0, also for NaN and both zeros. */
    iri_d3d9_operand plain = *o;
    iri_op op = o->modifier == IRI_D3D9_SRC_NEG      ? IRI_OP_LE
                : o->modifier == IRI_D3D9_SRC_ABSNEG ? IRI_OP_EQ
                                                     : IRI_OP_GE;
    if (op != IRI_OP_GE)
        plain.modifier = IRI_D3D9_SRC_NONE;
    iri_id x = iri_l9_read(l, &plain, iri_lanes_from_bits(mask));
    return iri_emit_select(l->b, iri_emit2(l->b, op, x, constant(l, 0, x)), yes, no);
}

static iri_id emit_cnd(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    bool early = l->minor < 4;
    iri_id yes = source(l, in, 1, mask), no = source(l, in, 2, mask);
    /* Below ps_1_4 the condition is r0.a alone, and hardware gives src1 to a co-issued cnd that writes
     * colour: Wine's d3d9 tests saw it on Windows (cnd_test). */
    if (early && in->coissue && mask != 8)
        return yes;
    iri_id x = early ? scalar(l, in, 0) : source(l, in, 0, mask);
    return iri_emit_select(l->b, iri_emit2(l->b, IRI_OP_GT, x, constant(l, 0.5f, x)), yes, no);
}

static iri_id emit_lit(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_builder *b = l->b;
    const iri_d3d9_operand *o = iri_l9_source(l, in, 0);
    iri_id parts[4] = {0}, zero = iri_const_f32(b, 0), x = 0;
    parts[0] = parts[3] = iri_const_f32(b, 1);
    if (mask & 6)
        x = iri_l9_read(l, o, IRI_LANES1(0));
    if (mask & 2)
        parts[1] = iri_emit2(b, IRI_OP_MAX_GE, x, zero);
    if (mask & 4) {
        iri_id y = iri_l9_read(l, o, IRI_LANES1(1)), w = iri_l9_read(l, o, IRI_LANES1(3));
        iri_id most = iri_const_f32(b, 127.9961f), least = iri_const_f32(b, -127.9961f);
        iri_id power = iri_emit2(b, IRI_OP_MIN_LT, iri_emit2(b, IRI_OP_MAX_GE, w, least), most);
        iri_id above = iri_emit2(b, IRI_OP_GT, y, zero);
        iri_id lit = iri_emit2(b, IRI_OP_AND, iri_emit2(b, IRI_OP_GT, x, zero), above);
        iri_id base = iri_emit2(b, IRI_OP_MAX_GE, y, zero);
        parts[2] = iri_emit_select(b, lit, iri_emit2(b, IRI_OP_POW_ABS, base, power), zero);
    }
    return gather(l, mask, parts);
}

static iri_id emit_dst(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    const iri_d3d9_operand *x = iri_l9_source(l, in, 0), *y = iri_l9_source(l, in, 1);
    iri_id parts[4] = {iri_const_f32(l->b, 1), 0, 0, 0};
    if (mask & 2) {
        iri_id second = iri_l9_read(l, y, IRI_LANES1(1));
        parts[1] = iri_l9_mul(l, iri_l9_read(l, x, IRI_LANES1(1)), second);
    }
    if (mask & 4)
        parts[2] = iri_l9_read(l, x, IRI_LANES1(2));
    if (mask & 8)
        parts[3] = iri_l9_read(l, y, IRI_LANES1(3));
    return gather(l, mask, parts);
}

static iri_id emit_nrm(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_id v = source(l, in, 0, 7);
    iri_id scale = iri_emit1(l->b, IRI_OP_RSQ_MAX, iri_l9_dot(l, v, v));
    iri_id x = source(l, in, 0, mask);
    return iri_l9_mul(l, x, iri_emit_splat(l->b, scale, iri_l9_count_lanes(mask)));
}

/* The mask's lanes, each moved on by `by` of three. */
static iri_lanes rotated(uint32_t mask, uint32_t by)
{
    uint32_t count = 0;
    iri_lanes lanes = 0;
    for (uint32_t i = 0; i < 3; i++)
        if (mask >> i & 1)
            lanes |= (iri_lanes)((i + by) % 3) << (2 * count++);
    return lanes | (iri_lanes)(count - 1) << 8;
}

static iri_id emit_crs(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    const iri_d3d9_operand *x = iri_l9_source(l, in, 0), *y = iri_l9_source(l, in, 1);
    iri_lanes yzx = rotated(mask, 1), zxy = rotated(mask, 2);
    iri_id right = iri_l9_read(l, y, zxy);
    iri_id plus = iri_l9_mul(l, iri_l9_read(l, x, yzx), right);
    right = iri_l9_read(l, y, yzx);
    iri_id minus = iri_l9_mul(l, iri_l9_read(l, x, zxy), right);
    return iri_emit2(l->b, IRI_OP_SUB, plus, minus);
}

static iri_id emit_sincos(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_id x = scalar(l, in, 0), parts[4] = {0};
    if (mask & 1)
        parts[0] = iri_emit1(l->b, IRI_OP_COS, x);
    if (mask & 2)
        parts[1] = iri_emit1(l->b, IRI_OP_SIN, x);
    parts[2] = parts[3] = iri_const_f32(l->b, 0);
    return gather(l, mask, parts);
}

static iri_id emit_matrix(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    uint32_t width = in->op == IRI_D3D9_OP_M4X4 || in->op == IRI_D3D9_OP_M4X3 ? 4 : 3;
    iri_lanes lanes = iri_lanes_first(width);
    iri_id v = iri_l9_read(l, iri_l9_source(l, in, 0), lanes), parts[4] = {0};
    for (uint32_t i = 0; i < 4; i++)
        if (mask >> i & 1)
            parts[i] = iri_l9_dot(l, v, iri_l9_read_row(l, iri_l9_source(l, in, 1), i, lanes));
    return gather(l, mask, parts);
}

/* vs_1_x: an exponential in parts, z to the full precision that its page lets it have. */
static iri_id emit_expp(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_builder *b = l->b;
    iri_id x = scalar(l, in, 0), parts[4] = {0};
    if (l->major >= 2)
        return iri_emit1(b, IRI_OP_EXP2, x);
    if (mask & 1)
        parts[0] = iri_emit1(b, IRI_OP_EXP2, iri_emit1(b, IRI_OP_FLOOR, x));
    if (mask & 2)
        parts[1] = iri_emit1(b, IRI_OP_FRACT, x);
    if (mask & 4)
        parts[2] = iri_emit1(b, IRI_OP_EXP2, x);
    parts[3] = iri_const_f32(b, 1);
    return gather(l, mask, parts);
}

/* vs_1_x: exponent, mantissa and logarithm of |x|; -FLT_MAX, 1, -FLT_MAX of 0. */
static iri_id emit_logp(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_builder *b = l->b;
    iri_id x = magnitude(l, in, 0), parts[4] = {0};
    if (l->major >= 2)
        return iri_emit1(b, IRI_OP_LOG2_MAX, x);
    iri_id bits = 0, zero = 0;
    if (mask & 3) {
        iri_id size = iri_emit1(b, IRI_OP_ABS, x);
        bits = iri_emit_convert(b, IRI_OP_BITCAST, IRI_U32, size);
        zero = iri_emit2(b, IRI_OP_EQ, size, iri_const_f32(b, 0));
    }
    if (mask & 1) {
        iri_id power = iri_emit2(b, IRI_OP_SHR, bits, iri_const_u32(b, 23));
        iri_id least = iri_const_f32(b, -3.40282346638528859812e38f), bias = iri_const_i32(b, 127);
        power = iri_emit_convert(b, IRI_OP_BITCAST, IRI_I32, power);
        power = iri_emit2(b, IRI_OP_ISUB, power, bias);
        power = iri_emit_convert(b, IRI_OP_ITOF, IRI_F32, power);
        parts[0] = iri_emit_select(b, zero, least, power);
    }
    if (mask & 2) {
        iri_id mantissa = iri_emit2(b, IRI_OP_AND, bits, iri_const_u32(b, 0x7fffff));
        mantissa = iri_emit2(b, IRI_OP_OR, mantissa, iri_const_u32(b, 0x3f800000));
        mantissa = iri_emit_convert(b, IRI_OP_BITCAST, IRI_F32, mantissa);
        parts[1] = iri_emit_select(b, zero, iri_const_f32(b, 1), mantissa);
    }
    if (mask & 4)
        parts[2] = iri_emit1(b, IRI_OP_LOG2_MAX, x);
    parts[3] = iri_const_f32(b, 1);
    return gather(l, mask, parts);
}

iri_id iri_l9_compare(iri_l9 *l, uint32_t comparison, iri_id x, iri_id y)
{
    static const uint8_t ops[8] = {[IRI_D3D9_CMP_GT] = IRI_OP_GT, [IRI_D3D9_CMP_EQ] = IRI_OP_EQ,
                                   [IRI_D3D9_CMP_GE] = IRI_OP_GE, [IRI_D3D9_CMP_LT] = IRI_OP_LT,
                                   [IRI_D3D9_CMP_NE] = IRI_OP_NE, [IRI_D3D9_CMP_LE] = IRI_OP_LE};
    assert(ops[comparison & 7]);
    return iri_emit2(l->b, (iri_op)ops[comparison & 7], x, y);
}

static iri_id emit_setp(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t mask)
{
    iri_id y = source(l, in, 1, mask), x = source(l, in, 0, mask);
    return iri_l9_compare(l, in->control & 7u, x, y);
}

/* ---- the table ---- */

static const row rows[IRI_D3D9_OP_COUNT] = {
#define OP(id) [IRI_D3D9_OP_##id]
    OP(MOV) = {"m", CODE, 0, 0, emit_mov},
    OP(ADD) = {"mm", CODE, 0, 0, emit_add},
    OP(SUB) = {"mm", CODE, 0, 0, emit_sub},
    OP(MUL) = {"mm", EACH, IRI_OP_MUL_ZERO, IRI_OP_MUL, NULL},
    OP(MAD) = {"mmm", CODE, 0, 0, emit_mad},
    OP(RCP) = {"s", SCALAR, IRI_OP_RCP_MAX, 0, NULL},
    OP(RSQ) = {"a", SCALAR, IRI_OP_RSQ_MAX, 0, NULL},
    OP(DP3) = {"33", DOT, IRI_OP_DOT_ZERO, IRI_OP_DOT, NULL},
    OP(DP4) = {"44", DOT, IRI_OP_DOT_ZERO, IRI_OP_DOT, NULL},
    OP(MIN) = {"mm", EACH, IRI_OP_MIN_LT, 0, NULL},
    OP(MAX) = {"mm", EACH, IRI_OP_MAX_GE, 0, NULL},
    OP(SLT) = {"mm", CODE, 0, 0, emit_slt},
    OP(SGE) = {"mm", CODE, 0, 0, emit_sge},
    OP(EXP) = {"s", SCALAR, IRI_OP_EXP2, 0, NULL},
    OP(LOG) = {"a", SCALAR, IRI_OP_LOG2_MAX, 0, NULL},
    OP(LIT) = {"l", CODE, 0, 0, emit_lit},
    OP(DST) = {"de", CODE, 0, 0, emit_dst},
    OP(LRP) = {"mmm", CODE, 0, 0, emit_lrp},
    OP(FRC) = {"m", EACH, IRI_OP_FRACT, 0, NULL},
    OP(M4X4) = {"44", CODE, 0, 0, emit_matrix},
    OP(M4X3) = {"44", CODE, 0, 0, emit_matrix},
    OP(M3X4) = {"33", CODE, 0, 0, emit_matrix},
    OP(M3X3) = {"33", CODE, 0, 0, emit_matrix},
    OP(M3X2) = {"33", CODE, 0, 0, emit_matrix},
    OP(IFC) = {"ff", ROW_NONE, 0, 0, NULL},
    OP(BREAKC) = {"ff", ROW_NONE, 0, 0, NULL},
    OP(POW) = {"as", SCALAR, IRI_OP_POW_ABS, 0, NULL},
    OP(CRS) = {"cc", CODE, 0, 0, emit_crs},
    OP(SGN) = {"m", CODE, 0, 0, emit_sgn}, /* the scratch registers are not read */
    OP(SGN_3) = {"m", CODE, 0, 0, emit_sgn},
    OP(ABS) = {"m", EACH, IRI_OP_ABS, 0, NULL},
    OP(NRM) = {"n", CODE, 0, 0, emit_nrm},
    OP(SINCOS) = {"s", CODE, 0, 0, emit_sincos}, /* nor are the coefficients */
    OP(SINCOS_3) = {"s", CODE, 0, 0, emit_sincos},
    OP(MOVA) = {"m", CODE, 0, 0, emit_mova},
    OP(EXPP) = {"s", CODE, 0, 0, emit_expp},
    OP(LOGP) = {"s", CODE, 0, 0, emit_logp},
    OP(CND) = {"hmm", CODE, 0, 0, emit_cnd},
    OP(CMP) = {"mmm", CODE, 0, 0, emit_cmp},
    OP(DP2ADD) = {"22s", CODE, 0, 0, emit_dp2add},
    OP(DSX) = {"m", EACH, IRI_OP_DDX, 0, NULL},
    OP(DSY) = {"m", EACH, IRI_OP_DDY, 0, NULL},
    OP(SETP) = {"mm", CODE, 0, 0, emit_setp},
#undef OP
};

static uint8_t rotated_bits(uint32_t mask)
{
    uint8_t bits = 0;
    for (uint32_t i = 0; i < 3; i++)
        if (mask >> i & 1)
            bits |= (uint8_t)(1u << (i + 1) % 3 | 1u << (i + 2) % 3);
    return bits;
}

uint8_t iri_l9_reads(const iri_l9 *l, const iri_d3d9_instruction *in, uint32_t i, uint32_t wanted)
{
    if (iri_l9_is_texture(in->op))
        return iri_l9_texture_reads(l, in, i);
    const char *reads = rows[in->op].reads;
    if (!reads)
        return 0;
    for (uint32_t k = 0; k <= i; k++)
        if (!reads[k])
            return 0;
    uint32_t mask = iri_l9_has_dst(in) ? iri_l9_operand(l, in, 0)->mask & wanted : 0;
    switch (reads[i]) {
    case 'm': return (uint8_t)mask;
    case 's':
    case 'a':
    case 'f': return 8;
    case '2': return 3;
    case '3': return 7;
    case '4': return 15;
    case 'n': return (uint8_t)(mask | 7);
    case 'c': return rotated_bits(mask);
    case 'd': return mask & 6;
    case 'e': return mask & 10;
    case 'h': return (uint8_t)(l->minor < 4 ? 8 : mask);
    case 'l': return (uint8_t)((mask & 6 ? 1 : 0) | (mask & 4 ? 10 : 0));
    default: assert(!"a letter of the table"); return 15;
    }
}

static uint32_t width_of(char letter)
{
    return letter == '2' ? 3 : letter == '3' ? 7 : 15;
}

iri_id iri_l9_compute(iri_l9 *l, const iri_d3d9_instruction *in)
{
    const row *r = &rows[in->op];
    if (r->kind == ROW_NONE)
        return 0;
    uint32_t mask = iri_l9_operand(l, in, 0)->mask;
    if (r->kind == CODE)
        return r->emit(l, in, mask);
    iri_op op = (iri_op)(l->ieee && r->ieee ? r->ieee : r->op);
    iri_id operands[3];
    uint32_t count = 0;
    for (; r->reads[count]; count++)
        operands[count] = r->reads[count] == 'a' ? magnitude(l, in, count)
                          : r->kind == SCALAR    ? scalar(l, in, count)
                          : r->kind == DOT       ? source(l, in, count, width_of(r->reads[count]))
                                                 : source(l, in, count, mask);
    return iri_emit(l->b, op, IRI_TYPE_VOID, operands, count, NULL, 0);
}
