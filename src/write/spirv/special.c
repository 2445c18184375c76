/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations with Direct3D's numbers that take several instructions. legalize may have turned them
 * into calls of helper functions before; where it did not they are spelled here, as docs/numerics.md
 * states them. Comparisons with zero hold whatever a target does to denormals, NaN or infinities, as
 * a factor is replaced before anything could come of it.
 */
#include "write/spirv/module.h"

#include "base/number.h"

static uint32_t truth_type(iri_spv *s, iri_type type)
{
    return iri_spv_type(s, IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(type)));
}

static uint32_t is_zero(iri_spv *s, iri_type type, uint32_t id)
{
    return iri_spv_op2(s, IRI_SPV_OpFOrdEqual, truth_type(s, type), id, iri_spv_zero(s, type));
}

static uint32_t select(iri_spv *s, iri_type type, uint32_t condition, uint32_t yes, uint32_t no)
{
    return iri_spv_op3(s, IRI_SPV_OpSelect, iri_spv_type(s, type), condition, yes, no);
}

static uint32_t absolute(iri_spv *s, iri_type type, uint32_t id)
{
    return iri_spv_glsl(s, IRI_SPV_GlslFAbs, iri_spv_type(s, type), &id, 1);
}

static double largest(iri_type type)
{
    switch (IRI_TYPE_SCALAR(type)) {
    case IRI_F16: return 65504.0;
    case IRI_F64: return iri_bits_f64(UINT64_C(0x7fefffffffffffff));
    default: return (double)iri_bits_f32(0x7f7fffffu);
    }
}

typedef struct pair {
    uint32_t a, b;
} pair;

/* Each factor is zero where the other one is; a square needs no guard. */
static pair guard_factors(iri_spv *s, iri_type type, uint32_t a, uint32_t b)
{
    uint32_t zero = iri_spv_zero(s, type);
    if (a == b)
        return (pair){a, b};
    uint32_t a_zero = is_zero(s, type, a), b_zero = is_zero(s, type, b);
    return (pair){select(s, type, b_zero, zero, a), select(s, type, a_zero, zero, b)};
}

void iri_spv_form_mul_zero(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    iri_type type = iri_type_of(s->p, in->results);
    pair f = guard_factors(s, type, iri_spv_value(s, operands[0]), iri_spv_value(s, operands[1]));
    (void)row;
    iri_spv_define_rounded(s, in, iri_spv_op2(s, IRI_SPV_OpFMul, iri_spv_type(s, type), f.a, f.b));
}

/* OpDot may be done in any order and with fused steps (Vulkan, "Precision and Operation of SPIR-V
 * Instructions"), as ops.def's IRI_PROP_APPROXIMATE allows. */
void iri_spv_form_dot(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    iri_type type = iri_type_of(s->p, operands[0]);
    pair f = {iri_spv_value(s, operands[0]), iri_spv_value(s, operands[1])};
    uint32_t result = iri_spv_type(s, iri_type_of(s->p, in->results));
    (void)row;
    if (in->op == IRI_OP_DOT_ZERO)
        f = guard_factors(s, type, f.a, f.b);
    uint32_t code = IRI_TYPE_LANES(type) == 1 ? IRI_SPV_OpFMul : IRI_SPV_OpDot;
    iri_spv_define_rounded(s, in, iri_spv_op2(s, code, result, f.a, f.b));
}

/* a where the comparison holds, b otherwise. */
void iri_spv_form_pick(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    iri_type type = iri_type_of(s->p, in->results);
    uint32_t a = iri_spv_value(s, operands[0]), b = iri_spv_value(s, operands[1]);
    uint32_t holds = iri_spv_op2(s, row->code[0], truth_type(s, type), a, b);
    iri_spv_define(s, in, select(s, type, holds, a, b));
}

void iri_spv_form_saturate(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_type type = iri_type_of(s->p, in->results);
    const uint32_t values[3] = {iri_spv_value(s, iri_operands(s->p, in)[0]), iri_spv_zero(s, type),
                                iri_spv_float(s, type, 1)};
    iri_spv_define(s, in, iri_spv_glsl(s, row->code[0] & 0xffu, iri_spv_type(s, type), values, 3));
}

/* trunc(a), one further from zero where at least a half was cut off. */
void iri_spv_form_round_away(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_type type = iri_type_of(s->p, in->results);
    uint32_t type_id = iri_spv_type(s, type), a = iri_spv_value(s, iri_operands(s->p, in)[0]);
    uint32_t whole = iri_spv_glsl(s, IRI_SPV_GlslTrunc, type_id, &a, 1);
    uint32_t rest = absolute(s, type, iri_spv_op2(s, IRI_SPV_OpFSub, type_id, a, whole));
    uint32_t up = iri_spv_op2(s, IRI_SPV_OpFOrdGreaterThanEqual, truth_type(s, type), rest,
                              iri_spv_float(s, type, 0.5));
    uint32_t sign = iri_spv_glsl(s, IRI_SPV_GlslFSign, type_id, &a, 1);
    uint32_t further = iri_spv_op2(s, IRI_SPV_OpFAdd, type_id, whole, sign);
    (void)row;
    iri_spv_define(s, in, select(s, type, up, further, whole));
}

void iri_spv_form_reciprocal(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_type type = iri_type_of(s->p, in->results);
    uint32_t a = iri_spv_value(s, iri_operands(s->p, in)[0]);
    uint32_t id =
        iri_spv_op2(s, IRI_SPV_OpFDiv, iri_spv_type(s, type), iri_spv_float(s, type, 1), a);
    (void)row;
    if (in->op == IRI_OP_RCP_MAX)
        id = select(s, type, is_zero(s, type, a), iri_spv_float(s, type, largest(type)), id);
    iri_spv_define(s, in, id);
}

/* Of the absolute value; the largest number (log2: the lowest) where that is zero. */
void iri_spv_form_of_abs_max(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_type type = iri_type_of(s->p, in->results);
    uint32_t a = iri_spv_value(s, iri_operands(s->p, in)[0]), size = absolute(s, type, a);
    uint32_t id = iri_spv_glsl(s, row->code[0] & 0xffu, iri_spv_type(s, type), &size, 1);
    double end = in->op == IRI_OP_LOG2_MAX ? -largest(type) : largest(type);
    iri_spv_define(s, in, select(s, type, is_zero(s, type, a), iri_spv_float(s, type, end), id));
}

void iri_spv_form_pow_abs(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    iri_type type = iri_type_of(s->p, in->results);
    uint32_t exponent = iri_spv_value(s, operands[1]);
    const uint32_t values[2] = {absolute(s, type, iri_spv_value(s, operands[0])), exponent};
    uint32_t id = iri_spv_glsl(s, row->code[0] & 0xffu, iri_spv_type(s, type), values, 2);
    uint32_t none = is_zero(s, type, exponent);
    iri_spv_define(s, in, select(s, type, none, iri_spv_float(s, type, 1), id));
}

/* The conversion is of numbers in range only; what is above and below is chosen, NaN is in neither. */
void iri_spv_form_ftoi_sat(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_id from = iri_operands(s->p, in)[0];
    iri_type type = iri_type_of(s->p, from), result = iri_type_of(s->p, in->results);
    iri_scalar scalar = IRI_TYPE_SCALAR(result);
    bool is_signed = scalar == IRI_I16 || scalar == IRI_I32 || scalar == IRI_I64;
    uint32_t bits = iri_scalar_bits(scalar) - (is_signed ? 1 : 0);
    double end = bits >= 63 ? (bits == 64 ? 18446744073709551616.0 : 9223372036854775808.0)
                            : (double)(UINT64_C(1) << bits);
    uint64_t top = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t bottom = is_signed ? UINT64_C(1) << bits : 0;
    uint32_t a = iri_spv_value(s, from), truth = truth_type(s, type);
    /* A half float's range ends before an integer's: then only its infinities are out of range. */
    double low = !is_signed ? 0.0 : end > largest(type) ? -largest(type) : -end;
    uint32_t lowest = iri_spv_float(s, type, low);
    uint32_t above =
        iri_spv_op2(s, IRI_SPV_OpFOrdGreaterThanEqual, truth, a, iri_spv_float(s, type, end));
    uint32_t enough = iri_spv_op2(s, IRI_SPV_OpFOrdGreaterThanEqual, truth, a, lowest);
    uint32_t fits = iri_spv_op2(s, IRI_SPV_OpLogicalAnd, truth, enough,
                                iri_spv_op1(s, IRI_SPV_OpLogicalNot, truth, above));
    uint32_t held = select(s, type, fits, a, iri_spv_zero(s, type));
    uint32_t id = iri_spv_op1(s, is_signed ? IRI_SPV_OpConvertFToS : IRI_SPV_OpConvertFToU,
                              iri_spv_type(s, result), held);
    id = select(s, result, above, iri_spv_splat(s, result, top), id);
    (void)row;
    if (is_signed) {
        uint32_t below = iri_spv_op2(s, IRI_SPV_OpFOrdLessThan, truth, a, lowest);
        id = select(s, result, below, iri_spv_splat(s, result, bottom), id);
    }
    iri_spv_define(s, in, id);
}
