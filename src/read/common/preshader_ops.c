/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the instructions of preshaders compute. D3DX computes in double precision and keeps what it computed as a
 * float; facts from Wine's dlls/d3dx9_36/preshader.c and its tests on Microsoft's own. A sum, product or quotient of
 * floats that is rounded to double and then to float is the same as rounded once (a double has more than twice a
 * float's digits and two), so that these are f32 operations; f64 ones stand only where a literal is no float, or
 * where two roundings come before the last.
 */
#include "read/common/preshader_lower.h"

#include "base/number.h"

typedef struct row row;
typedef iri_id (*lane_fn)(iri_pl *l, const iri_pres_inst *in, const row *how, const iri_id *x);

struct row {
    uint8_t operands;
    lane_fn build; /* NULL: not run */
    iri_op op;
};

static bool is_f64(const iri_pl *l, iri_id value)
{
    return iri_builder_type(l->b, value) == IRI_TYPE(IRI_F64, 1);
}

/* Operands of one width: f64 when one of them is, or when the result is to be rounded to no float. */
static void match(iri_pl *l, const iri_pres_inst *in, const iri_id *x, uint32_t count, iri_id *out)
{
    bool wide = iri_pl_keeps_double(in);
    for (uint32_t i = 0; i < count; i++)
        wide = wide || is_f64(l, x[i]);
    if (wide)
        iri_pl_note_single(l, in);
    for (uint32_t i = 0; i < count; i++)
        out[i] = wide ? iri_pl_widen(l, x[i]) : x[i];
}

static iri_id emit_move(iri_pl *l, const iri_pres_inst *in, const row *how, const iri_id *x)
{
    (void)how;
    return iri_pl_keeps_double(in) ? x[0] : iri_pl_narrow(l, x[0]);
}

static iri_id emit_arithmetic(iri_pl *l, const iri_pres_inst *in, const row *how, const iri_id *x)
{
    iri_id same[2];
    match(l, in, x, how->operands, same);
    return how->operands == 1 ? iri_emit1(l->b, how->op, same[0])
                              : iri_emit2(l->b, how->op, same[0], same[1]);
}

/* An operand of a function that has no f64 form. Compilers work functions of literals out themselves. */
static iri_id take_float(iri_pl *l, const iri_pres_inst *in, iri_id x)
{
    if (is_f64(l, x))
        iri_fail(l->ctx, IRI_UNSUPPORTED_OPCODE, in->offset, "%s of a literal that is no float",
                 iri_pres_op_name((iri_pres_op)in->op));
    return x;
}

/* Of a float the f32 form is correctly rounded, which rounding the f64 one would be but once in a billion. */
static iri_id emit_function(iri_pl *l, const iri_pres_inst *in, const row *how, const iri_id *x)
{
    iri_id a = take_float(l, in, x[0]);
    return how->operands == 1 ? iri_emit1(l->b, how->op, a)
                              : iri_emit2(l->b, how->op, a, take_float(l, in, x[1]));
}

static iri_id emit_log(iri_pl *l, const iri_pres_inst *in, const row *how, const iri_id *x)
{
    iri_id size = iri_emit1(l->b, IRI_OP_ABS, take_float(l, in, x[0]));
    iri_id zero = iri_const_f32(l->b, 0);
    return iri_emit_select(l->b, iri_emit2(l->b, IRI_OP_EQ, size, zero), zero,
                           iri_emit1(l->b, how->op, size));
}

static iri_id emit_rsq(iri_pl *l, const iri_pres_inst *in, const row *how, const iri_id *x)
{
    iri_id same;
    match(l, in, x, 1, &same);
    return iri_emit1(l->b, how->op, iri_emit1(l->b, IRI_OP_ABS, same));
}

static iri_id emit_compare(iri_pl *l, const iri_pres_inst *in, const row *how, const iri_id *x)
{
    iri_id same[2];
    match(l, in, x, 2, same);
    return iri_emit_select(l->b, iri_emit2(l->b, how->op, same[0], same[1]), iri_const_f32(l->b, 1),
                           iri_const_f32(l->b, 0));
}

static iri_id emit_cmp(iri_pl *l, const iri_pres_inst *in, const row *how, const iri_id *x)
{
    iri_id zero = iri_const_zero(l->b, iri_builder_type(l->b, x[0]));
    bool wide = iri_pl_keeps_double(in);
    return iri_emit_select(l->b, iri_emit2(l->b, how->op, x[0], zero),
                           wide ? iri_pl_widen(l, x[1]) : iri_pl_narrow(l, x[1]),
                           wide ? iri_pl_widen(l, x[2]) : iri_pl_narrow(l, x[2]));
}

static iri_id emit_div(iri_pl *l, const iri_pres_inst *in, const row *how, const iri_id *x)
{
    (void)how, (void)x;
    iri_add_note(l->b, "preshader-div", in->offset,
                 "div gives 0, as Microsoft's D3DX was seen to do; its compiler never writes it");
    return iri_const_f32(l->b, 0);
}

/* Products summed from the first on, to begin with 0. */
static iri_id sum_products(iri_pl *l, const iri_pres_inst *in, const iri_id *x, const iri_id *y,
                           uint32_t count)
{
    iri_id sum = iri_pl_widen(l, iri_const_f32(l->b, 0));
    for (uint32_t i = 0; i < count; i++)
        sum = iri_emit2(l->b, IRI_OP_ADD, sum,
                        iri_emit2(l->b, IRI_OP_MUL, iri_pl_widen(l, x[i]), iri_pl_widen(l, y[i])));
    iri_pl_note_single(l, in);
    return sum;
}

static iri_id emit_dotswiz(iri_pl *l, const iri_pres_inst *in, const row *how, const iri_id *x)
{
    (void)how;
    uint32_t half = in->operand_count / 2;
    return sum_products(l, in, x, x + half, half);
}

/* The whole of both operands. */
static iri_id emit_dot(iri_pl *l, const iri_pres_inst *in, const row *how, const iri_id *unused)
{
    iri_id x[2][IRI_PRES_LANES_MAX];
    (void)how, (void)unused;
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t lane = 0; lane < in->lanes; lane++)
            x[i][lane] = iri_pl_read(l, in, i, lane);
    return sum_products(l, in, x[0], x[1], in->lanes);
}

#define OP(id) [IRI_PRES_##id]
/* clang-format off */
static const row rows[IRI_PRES_OP_COUNT + 1] = {
    OP(MOV)     = {1, emit_move,       IRI_OP_NONE},
    OP(NEG)     = {1, emit_arithmetic, IRI_OP_NEG},
    OP(RCP)     = {1, emit_arithmetic, IRI_OP_RCP},
    OP(FRC)     = {1, emit_arithmetic, IRI_OP_FRACT},
    OP(EXP)     = {1, emit_function,   IRI_OP_EXP2},
    OP(LOG)     = {1, emit_log,        IRI_OP_LOG2},
    OP(RSQ)     = {1, emit_rsq,        IRI_OP_RSQ},
    OP(SIN)     = {1, emit_function,   IRI_OP_SIN},
    OP(COS)     = {1, emit_function,   IRI_OP_COS},
    OP(ASIN)    = {1, emit_function,   IRI_OP_ASIN},
    OP(ACOS)    = {1, emit_function,   IRI_OP_ACOS},
    OP(ATAN)    = {1, emit_function,   IRI_OP_ATAN},
    OP(MIN)     = {2, emit_arithmetic, IRI_OP_MIN},
    OP(MAX)     = {2, emit_arithmetic, IRI_OP_MAX},
    OP(LT)      = {2, emit_compare,    IRI_OP_LT},
    OP(GE)      = {2, emit_compare,    IRI_OP_GE},
    OP(ADD)     = {2, emit_arithmetic, IRI_OP_ADD},
    OP(MUL)     = {2, emit_arithmetic, IRI_OP_MUL},
    OP(ATAN2)   = {2, emit_function,   IRI_OP_ATAN2},
    OP(DIV)     = {2, emit_div,        IRI_OP_NONE},
    OP(CMP)     = {3, emit_cmp,        IRI_OP_GE},
    OP(DOT)     = {2, emit_dot,        IRI_OP_NONE},
    OP(DOTSWIZ) = {8, emit_dotswiz,    IRI_OP_NONE}, /* or 6 */
};
/* clang-format on */
#undef OP

void iri_pl_check(iri_pl *l, const iri_pres_inst *in)
{
    const row *how = &rows[in->op];
    const char *name = iri_pres_op_name((iri_pres_op)in->op);
    if (!how->build && in->op == IRI_PRES_OP_COUNT)
        iri_fail(l->ctx, IRI_UNSUPPORTED_OPCODE, in->offset,
                 "0x%x is no instruction of a preshader", in->opcode);
    if (!how->build)
        iri_fail(l->ctx, IRI_UNSUPPORTED_OPCODE, in->offset,
                 "what %s of a preshader computes is not known", name);
    if (in->operand_count != how->operands &&
        !(how->build == emit_dotswiz && in->operand_count == 6))
        iri_fail(l->ctx, IRI_MALFORMED_TABLE, in->offset, "%s of a preshader with %u operands",
                 name, in->operand_count);
}

uint32_t iri_pl_result_lanes(const iri_pres_inst *in)
{
    return rows[in->op].build == emit_dot ? 1 : in->lanes;
}

iri_id iri_pl_lane(iri_pl *l, const iri_pres_inst *in, uint32_t lane)
{
    const row *how = &rows[in->op];
    iri_id x[IRI_PL_OPERANDS_MAX];
    for (uint32_t i = 0; i < in->operand_count; i++)
        x[i] = iri_pl_read(l, in, i, lane);
    return how->build(l, in, how, x);
}
