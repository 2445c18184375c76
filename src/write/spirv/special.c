/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations with Direct3D's numbers that take several instructions, as docs/numerics.md states them.
 * The longer ones are functions of the module, made once for each type and called.
 *
 * A factor is replaced before anything could come of it, so the rules hold whatever a target does to
 * infinities and NaN; and this multiply is the form that drivers know as their hardware's own
 * (Mesa's nir_opt_algebraic: fmulz).
 */
#include "write/spirv/module.h"

#include "base/number.h"
#include <math.h>

/* What a spelled operation is of: the type of its operands, and that of its result. */
typedef struct shape {
    uint16_t op;
    iri_type type, result;
} shape;

static uint32_t truth_type(iri_spv *s, iri_type type)
{
    return iri_spv_type(s, IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(type)));
}

static uint32_t is_zero(iri_spv *s, iri_type type, uint32_t id)
{
    uint32_t truth = truth_type(s, type), zero = iri_spv_zero(s, type);
    return iri_spv_op2(s, IRI_SPV_OpFOrdEqual, truth, id, zero);
}

static uint32_t pick(iri_spv *s, iri_type type, uint32_t condition, uint32_t yes, uint32_t no)
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

/* ---- in place ---- */

/* a where the comparison holds, b otherwise. */
void iri_spv_form_pick(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    iri_type type = iri_type_of(s->p, in->results);
    uint32_t a = iri_spv_value(s, operands[0]), b = iri_spv_value(s, operands[1]);
    uint32_t holds = iri_spv_op2(s, row->code[0], truth_type(s, type), a, b);
    iri_spv_define(s, in, pick(s, type, holds, a, b));
}

void iri_spv_form_saturate(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_type type = iri_type_of(s->p, in->results);
    uint32_t value = iri_spv_value(s, iri_operands(s->p, in)[0]);
    uint32_t zero = iri_spv_zero(s, type), one = iri_spv_float(s, type, 1);
    const uint32_t values[3] = {value, zero, one};
    iri_spv_define(s, in, iri_spv_glsl(s, row->code[0] & 0xffu, iri_spv_type(s, type), values, 3));
}

void iri_spv_form_reciprocal(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_type type = iri_type_of(s->p, in->results);
    uint32_t a = iri_spv_value(s, iri_operands(s->p, in)[0]), one = iri_spv_float(s, type, 1);
    (void)row;
    iri_spv_define(s, in, iri_spv_op2(s, IRI_SPV_OpFDiv, iri_spv_type(s, type), one, a));
}

/* OpDot may be done in any order and with fused steps (Vulkan, "Precision and Operation of SPIR-V
 * Instructions"), as ops.def's IRI_PROP_APPROXIMATE allows. */
static uint32_t dot(iri_spv *s, iri_type type, uint32_t a, uint32_t b)
{
    uint32_t code = IRI_TYPE_LANES(type) == 1 ? IRI_SPV_OpFMul : IRI_SPV_OpDot;
    return iri_spv_op2(s, code, iri_spv_type(s, IRI_TYPE(IRI_TYPE_SCALAR(type), 1)), a, b);
}

void iri_spv_form_dot(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    uint32_t a = iri_spv_value(s, operands[0]), b = iri_spv_value(s, operands[1]);
    (void)row;
    iri_spv_define_rounded(s, in, dot(s, iri_type_of(s->p, operands[0]), a, b));
}

/* ---- spelled in functions ---- */

static uint32_t spell_product(iri_spv *s, const shape *h, const uint32_t *x)
{
    iri_type type = h->type;
    uint32_t zero = iri_spv_zero(s, type), type_id = iri_spv_type(s, type);
    uint32_t a = pick(s, type, is_zero(s, type, x[1]), zero, x[0]);
    uint32_t b = pick(s, type, is_zero(s, type, x[0]), zero, x[1]);
    uint32_t id = h->op == IRI_OP_DOT_ZERO ? dot(s, type, a, b)
                                           : iri_spv_op2(s, IRI_SPV_OpFMul, type_id, a, b);
    iri_spv_decorate(s, id, IRI_SPV_NoContraction);
    return id;
}

/* trunc(a), one further from zero where at least a half was cut off. */
static uint32_t spell_round_away(iri_spv *s, const shape *h, const uint32_t *x)
{
    iri_type type = h->type;
    uint32_t type_id = iri_spv_type(s, type);
    uint32_t whole = iri_spv_glsl(s, IRI_SPV_GlslTrunc, type_id, x, 1);
    uint32_t rest = absolute(s, type, iri_spv_op2(s, IRI_SPV_OpFSub, type_id, x[0], whole));
    uint32_t truth = truth_type(s, type), half = iri_spv_float(s, type, 0.5);
    uint32_t up = iri_spv_op2(s, IRI_SPV_OpFOrdGreaterThanEqual, truth, rest, half);
    uint32_t sign = iri_spv_glsl(s, IRI_SPV_GlslFSign, type_id, x, 1);
    return pick(s, type, up, iri_spv_op2(s, IRI_SPV_OpFAdd, type_id, whole, sign), whole);
}

static uint32_t spell_rcp_max(iri_spv *s, const shape *h, const uint32_t *x)
{
    uint32_t type_id = iri_spv_type(s, h->type), one = iri_spv_float(s, h->type, 1);
    uint32_t id = iri_spv_op2(s, IRI_SPV_OpFDiv, type_id, one, x[0]);
    uint32_t zero = is_zero(s, h->type, x[0]), end = iri_spv_float(s, h->type, largest(h->type));
    return pick(s, h->type, zero, end, id);
}

/* Of the absolute value; the largest number (log2: the lowest) where that is zero. */
static uint32_t spell_of_abs_max(iri_spv *s, const shape *h, const uint32_t *x)
{
    bool log2 = h->op == IRI_OP_LOG2_MAX;
    uint32_t size = absolute(s, h->type, x[0]);
    uint32_t id = iri_spv_glsl(s, log2 ? IRI_SPV_GlslLog2 : IRI_SPV_GlslInverseSqrt,
                               iri_spv_type(s, h->type), &size, 1);
    double end = log2 ? -largest(h->type) : largest(h->type);
    uint32_t zero = is_zero(s, h->type, x[0]), end_id = iri_spv_float(s, h->type, end);
    return pick(s, h->type, zero, end_id, id);
}

/* GLSL.std.450 leaves the power of 0 by 0 or less open: Direct3D's is 1, and infinity below. */
static uint32_t spell_pow_abs(iri_spv *s, const shape *h, const uint32_t *x)
{
    iri_type type = h->type;
    const uint32_t values[2] = {absolute(s, type, x[0]), x[1]};
    uint32_t id = iri_spv_glsl(s, IRI_SPV_GlslPow, iri_spv_type(s, type), values, 2);
    uint32_t truth = truth_type(s, type), zero = iri_spv_zero(s, type);
    uint32_t below = iri_spv_op2(s, IRI_SPV_OpFOrdLessThan, truth, x[1], zero);
    uint32_t open = iri_spv_op2(s, IRI_SPV_OpLogicalAnd, truth, is_zero(s, type, x[0]), below);
    id = pick(s, type, open, iri_spv_float(s, type, HUGE_VAL), id);
    uint32_t none = is_zero(s, type, x[1]), one = iri_spv_float(s, type, 1);
    return pick(s, type, none, one, id);
}

/* The conversion is of numbers in range only; what is above and below is chosen, NaN is in neither. */
static uint32_t spell_ftoi_sat(iri_spv *s, const shape *h, const uint32_t *x)
{
    iri_type type = h->type, result = h->result;
    iri_scalar scalar = IRI_TYPE_SCALAR(result);
    bool is_signed = scalar == IRI_I16 || scalar == IRI_I32 || scalar == IRI_I64;
    uint32_t bits = iri_scalar_bits(scalar) - (is_signed ? 1 : 0);
    double end = bits == 64 ? 18446744073709551616.0 : (double)(UINT64_C(1) << bits);
    uint64_t top = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    /* A half float's range ends before an integer's: then only its infinities are out of range. */
    double low = !is_signed ? 0.0 : end > largest(type) ? -largest(type) : -end;
    uint32_t lowest = iri_spv_float(s, type, low), truth = truth_type(s, type);
    uint32_t above =
        iri_spv_op2(s, IRI_SPV_OpFOrdGreaterThanEqual, truth, x[0], iri_spv_float(s, type, end));
    uint32_t enough = iri_spv_op2(s, IRI_SPV_OpFOrdGreaterThanEqual, truth, x[0], lowest);
    uint32_t fits = iri_spv_op2(s, IRI_SPV_OpLogicalAnd, truth, enough,
                                iri_spv_op1(s, IRI_SPV_OpLogicalNot, truth, above));
    uint32_t held = pick(s, type, fits, x[0], iri_spv_zero(s, type));
    uint32_t id = iri_spv_op1(s, is_signed ? IRI_SPV_OpConvertFToS : IRI_SPV_OpConvertFToU,
                              iri_spv_type(s, result), held);
    id = pick(s, result, above, iri_spv_splat(s, result, top), id);
    if (is_signed) {
        uint32_t below = iri_spv_op2(s, IRI_SPV_OpFOrdLessThan, truth, x[0], lowest);
        id = pick(s, result, below, iri_spv_splat(s, result, UINT64_C(1) << bits), id);
    }
    return id;
}

static const struct {
    uint16_t op;
    const char *name;
    uint32_t (*spell)(iri_spv *s, const shape *h, const uint32_t *x);
} helpers[] = {
    {IRI_OP_MUL_ZERO, "mul_zero", spell_product},
    {IRI_OP_DOT_ZERO, "dot_zero", spell_product},
    {IRI_OP_RCP_MAX, "rcp_max", spell_rcp_max},
    {IRI_OP_RSQ_MAX, "rsq_max", spell_of_abs_max},
    {IRI_OP_LOG2_MAX, "log2_max", spell_of_abs_max},
    {IRI_OP_POW_ABS, "pow_abs", spell_pow_abs},
    {IRI_OP_ROUND_AWAY, "round_away", spell_round_away},
    {IRI_OP_FTOI_SAT, "to", spell_ftoi_sat},
};

/* "mul_zero4", "to_i32_4" */
static const char *helper_name(iri_spv *s, const char *base, const shape *h)
{
    uint32_t lanes = IRI_TYPE_LANES(h->type);
    iri_scalar from = IRI_TYPE_SCALAR(h->type), to = IRI_TYPE_SCALAR(h->result);
    const char *width = from == IRI_F16 ? "_f16" : from == IRI_F64 ? "_f64" : "";
    if (h->op == IRI_OP_FTOI_SAT)
        return iri_arena_printf(s->arena, lanes > 1 ? "to_%s%s_%u" : "to_%s%s",
                                iri_word(IRI_WORDS_SCALAR, to), width, (unsigned)lanes);
    if (*width)
        return iri_arena_printf(s->arena, lanes > 1 ? "%s%s_%u" : "%s%s", base, width,
                                (unsigned)lanes);
    return iri_arena_printf(s->arena, lanes > 1 ? "%s%u" : "%s", base, (unsigned)lanes);
}

static uint32_t make_helper(iri_spv *s, const shape *h, uint32_t count)
{
    const iri_type types[2] = {h->type, h->type};
    uint32_t parameters[2], at = 0;
    while (helpers[at].op != h->op)
        at++;
    iri_spv_helper open = iri_spv_begin_helper(s, helper_name(s, helpers[at].name, h), h->result,
                                               types, count, parameters);
    return iri_spv_end_helper(s, &open, helpers[at].spell(s, h, parameters));
}

void iri_spv_form_spelled(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    shape h = {in->op, iri_type_of(s->p, operands[0]), iri_type_of(s->p, in->results)};
    uint32_t key = (uint32_t)h.op << 16 | (uint32_t)h.type << 8 | h.result, function = 0, call[3];
    (void)row;
    for (uint32_t i = 0; i < s->spelled.count && !function; i += 2)
        function = s->spelled.at[i] == key ? s->spelled.at[i + 1] : 0;
    if (!function) {
        function = make_helper(s, &h, in->operand_count);
        iri_push(s->arena, &s->spelled, key);
        iri_push(s->arena, &s->spelled, function);
    }
    call[0] = function;
    for (uint32_t i = 0; i < in->operand_count; i++)
        call[1 + i] = iri_spv_value(s, operands[i]);
    iri_spv_define(s, in,
                   iri_spv_op(s, IRI_SPV_OpFunctionCall, iri_spv_type(s, h.result), call,
                              1u + in->operand_count));
}
