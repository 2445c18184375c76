/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the builder need not build: operations on constants, and identities that give the same bits for
 * every operand, infinities, NaNs and signed zeros included. One licence is taken: the payload of a NaN
 * that arithmetic passes on is unspecified (src/ir/eval.c gives all such results one NaN), so `mul x, 1` is x
 * and a conversion there and back is x, though both keep a payload that eval would not.
 */
#include "ir/emit_internal.h"

#include "base/number.h"
#include "ir/eval.h"
#include <string.h>

/* How many moves are looked through for where a lane comes from. */
enum { TRACE_MAX = 16 };

typedef struct fold {
    iri_builder *b;
    iri_op op;
    iri_type type; /* of the result */
    iri_id *operands;
    uint32_t count;
    const uint32_t *immediates;
    iri_scalar scalar; /* of the first operand */
} fold;

/* One lane of a value. */
typedef struct source {
    iri_id value;
    uint32_t lane;
} source;

/* The instruction that makes a value when it is of this operation, else NULL. */
static const iri_inst *made_by(const iri_builder *b, iri_id value, iri_op op)
{
    const iri_inst *in = iri_def(b->p, value);
    return in && in->op == op ? in : NULL;
}

/* Whether a NaN of this value can only be the one that arithmetic gives. */
static bool has_one_nan(const iri_builder *b, iri_id value)
{
    const iri_inst *in = iri_def(b->p, value);
    while (in && (in->op == IRI_OP_SWIZZLE || in->op == IRI_OP_SPLAT))
        in = iri_def(b->p, iri_operands(b->p, in)[0]);
    if (!in || (iri_props(in->op) & IRI_PROP_KEEPS_NAN))
        return false;
    return iri_op_infos[in->op].type_class == 'F' || iri_op_infos[in->op].type_class == 'H';
}

static iri_id operand_of(const iri_builder *b, const iri_inst *in, uint32_t i)
{
    return iri_operands(b->p, in)[i];
}

/* Whether a value is a constant with these bits in each lane. */
static bool is_splat(const iri_builder *b, iri_id value, uint64_t bits)
{
    if (!iri_is_constant(b->p, value))
        return false;
    const uint64_t *lanes = iri_constant(b->p, value);
    for (uint32_t i = 0; i < IRI_TYPE_LANES(iri_type_of(b->p, value)); i++)
        if (lanes[i] != bits)
            return false;
    return true;
}

static uint64_t float_bits(iri_scalar scalar, double value)
{
    return scalar == IRI_F16   ? iri_f64_to_f16(value)
           : scalar == IRI_F32 ? iri_f32_bits((float)value)
                               : iri_f64_bits(value);
}

static uint64_t all_ones(iri_scalar scalar)
{
    return UINT64_MAX >> (64 - iri_scalar_bits(scalar));
}

/* ---- constants ---- */

static iri_id fold_constants(fold *f)
{
    uint64_t lanes[4][4], result[4];
    iri_type types[4];
    if (f->count > 4)
        return 0;
    for (uint32_t i = 0; i < f->count; i++)
        if (!iri_is_constant(f->b->p, f->operands[i]))
            return 0;
    for (uint32_t i = 0; i < f->count; i++) {
        types[i] = iri_type_of(f->b->p, f->operands[i]);
        (void)iri_get_const(f->b, f->operands[i], lanes[i]);
    }
    if (!iri_eval(f->op, f->type, types, (const uint64_t(*)[4])lanes, f->count, f->immediates,
                  result))
        return 0;
    return iri_const(f->b, f->type, result);
}

/* ---- lanes ---- */

/* One move back: false when the value is not a move of lanes. */
static bool step_back(const iri_builder *b, source *s)
{
    const iri_program *p = b->p;
    const iri_inst *in = iri_def(p, s->value);
    if (!in)
        return false;
    switch (in->op) {
    case IRI_OP_SWIZZLE:
        *s = (source){operand_of(b, in, 0), IRI_LANES_AT(iri_immediates(p, in)[0], s->lane)};
        return true;
    case IRI_OP_SPLAT: *s = (source){operand_of(b, in, 0), 0}; return true;
    case IRI_OP_COMPOSE:
        for (uint32_t i = 0; i < in->operand_count; i++) {
            uint32_t lanes = IRI_TYPE_LANES(iri_type_of(p, operand_of(b, in, i)));
            if (s->lane < lanes) {
                s->value = operand_of(b, in, i);
                return true;
            }
            s->lane -= lanes;
        }
        return false;
    case IRI_OP_INSERT: {
        iri_lanes mask = iri_immediates(p, in)[0];
        for (uint32_t i = 0; i < IRI_LANES_COUNT(mask); i++)
            if (IRI_LANES_AT(mask, i) == s->lane) {
                *s = (source){operand_of(b, in, 1), i};
                return true;
            }
        s->value = operand_of(b, in, 0);
        return true;
    }
    default: return false;
    }
}

static source trace(const iri_builder *b, iri_id value, uint32_t lane)
{
    source s = {value, lane};
    for (uint32_t i = 0; i < TRACE_MAX && step_back(b, &s); i++)
        continue;
    return s;
}

/* Where the lanes of the operation's result come from. */
static void find_sources(const fold *f, source sources[4])
{
    const iri_builder *b = f->b;
    uint32_t lanes = IRI_TYPE_LANES(f->type), n = 0;
    switch (f->op) {
    case IRI_OP_SWIZZLE:
        for (uint32_t i = 0; i < lanes; i++)
            sources[i] = trace(b, f->operands[0], IRI_LANES_AT(f->immediates[0], i));
        break;
    case IRI_OP_SPLAT:
        for (uint32_t i = 0; i < lanes; i++)
            sources[i] = trace(b, f->operands[0], 0);
        break;
    case IRI_OP_INSERT:
        for (uint32_t i = 0; i < lanes; i++)
            sources[i] = trace(b, f->operands[0], i);
        for (uint32_t i = 0; i < IRI_LANES_COUNT(f->immediates[0]); i++)
            sources[IRI_LANES_AT(f->immediates[0], i)] = trace(b, f->operands[1], i);
        break;
    default: /* compose */
        for (uint32_t p = 0; p < f->count; p++)
            for (uint32_t i = 0; i < IRI_TYPE_LANES(iri_type_of(b->p, f->operands[p])); i++)
                sources[n++] = trace(b, f->operands[p], i);
        break;
    }
}

/* A value of lanes that all come from one value, or all from constants; 0 when they do not. */
static iri_id gather(iri_builder *b, iri_type type, const source *sources)
{
    uint32_t lanes = IRI_TYPE_LANES(type), constants = 0, same = 0;
    uint64_t bits[4] = {0};
    iri_lanes choice = (lanes - 1) << 8;
    for (uint32_t i = 0; i < lanes; i++) {
        iri_id value = sources[i].value;
        if (iri_is_constant(b->p, value)) {
            bits[i] = iri_constant(b->p, value)[sources[i].lane];
            constants++;
        }
        same += value == sources[0].value;
        choice |= sources[i].lane << 2 * i;
    }
    if (constants == lanes)
        return iri_const(b, type, bits);
    if (same < lanes)
        return 0;
    return IRI_TYPE_LANES(iri_type_of(b->p, sources[0].value)) == 1
               ? iri_emit_splat(b, sources[0].value, lanes)
               : iri_emit_swizzle(b, sources[0].value, choice);
}

/* A swizzle of a compose that takes whole parts, in order or not, joins those parts. */
static iri_id fold_swizzle(fold *f)
{
    iri_builder *b = f->b;
    const iri_inst *in = made_by(b, f->operands[0], IRI_OP_COMPOSE);
    uint32_t lanes = IRI_TYPE_LANES(f->type), n = 0;
    iri_id parts[4];
    if (in) {
        for (uint32_t i = 0; i < lanes;) {
            source s = {f->operands[0], IRI_LANES_AT(f->immediates[0], i)};
            step_back(b, &s);
            uint32_t width = IRI_TYPE_LANES(iri_type_of(b->p, s.value));
            for (uint32_t k = 0; k < width; k++, i++) {
                source next = {f->operands[0], i < lanes ? IRI_LANES_AT(f->immediates[0], i) : 0};
                step_back(b, &next);
                if (i >= lanes || next.value != s.value || next.lane != k)
                    return 0;
            }
            parts[n++] = s.value;
        }
        return iri_emit_compose(b, parts, n);
    }
    in = made_by(b, f->operands[0], IRI_OP_SWIZZLE);
    if (in) {
        iri_lanes inner = iri_immediates(b->p, in)[0], choice = (lanes - 1) << 8;
        for (uint32_t i = 0; i < lanes; i++)
            choice |= IRI_LANES_AT(inner, IRI_LANES_AT(f->immediates[0], i)) << 2 * i;
        return iri_emit_swizzle(b, operand_of(b, in, 0), choice);
    }
    return 0;
}

static iri_id fold_insert(fold *f)
{
    iri_builder *b = f->b;
    const iri_inst *in = made_by(b, f->operands[0], IRI_OP_INSERT);
    uint32_t bits = iri_lanes_to_bits(f->immediates[0]);
    if (IRI_LANES_COUNT(f->immediates[0]) == IRI_TYPE_LANES(f->type))
        return f->operands[1];
    /* What is overwritten at once was never there. */
    if (in && (iri_lanes_to_bits(iri_immediates(b->p, in)[0]) & ~bits) == 0)
        return iri_emit_insert(b, operand_of(b, in, 0), f->operands[1], f->immediates[0]);
    return 0;
}

/* Parts that are composed themselves become parts. */
static iri_id fold_compose(fold *f)
{
    iri_builder *b = f->b;
    iri_id parts[4];
    uint32_t n = 0;
    if (f->count == 1)
        return f->operands[0];
    for (uint32_t i = 0; i < f->count; i++) {
        const iri_inst *in = made_by(b, f->operands[i], IRI_OP_COMPOSE);
        for (uint32_t k = 0; in && k < in->operand_count; k++)
            parts[n++] = operand_of(b, in, k);
        if (!in)
            parts[n++] = f->operands[i];
    }
    return n > f->count ? iri_emit_compose(b, parts, n) : 0;
}

static iri_id fold_lanes(fold *f)
{
    source sources[4] = {{0, 0}};
    if (f->op == IRI_OP_SWIZZLE &&
        f->immediates[0] == iri_lanes_first(IRI_TYPE_LANES(iri_type_of(f->b->p, f->operands[0]))))
        return f->operands[0];
    find_sources(f, sources);
    /* A splat or swizzle that is already what gather would build is left to be built. */
    bool direct =
        (f->op == IRI_OP_SPLAT || f->op == IRI_OP_SWIZZLE) && sources[0].value == f->operands[0];
    iri_id value = direct ? 0 : gather(f->b, f->type, sources);
    if (value)
        return value;
    switch (f->op) {
    case IRI_OP_SWIZZLE:
        return IRI_TYPE_LANES(iri_type_of(f->b->p, f->operands[0])) == 1
                   ? iri_emit_splat(f->b, f->operands[0], IRI_TYPE_LANES(f->type))
                   : fold_swizzle(f);
    case IRI_OP_INSERT: return fold_insert(f);
    case IRI_OP_COMPOSE: return fold_compose(f);
    default: return 0;
    }
}

/* ---- identities ---- */

/* x op c, for a constant c that changes nothing: its bits in each lane. */
static bool neutral(const fold *f, uint64_t *bits)
{
    switch (f->op) {
    case IRI_OP_MUL:
    case IRI_OP_MUL_ZERO:
    case IRI_OP_DIV: *bits = float_bits(f->scalar, 1); return true;
    case IRI_OP_ADD: *bits = float_bits(f->scalar, -0.0); return true;
    case IRI_OP_SUB: *bits = 0; return true;
    case IRI_OP_IADD:
    case IRI_OP_ISUB:
    case IRI_OP_OR:
    case IRI_OP_XOR:
    case IRI_OP_SHL:
    case IRI_OP_SHR: *bits = 0; return true;
    case IRI_OP_IMUL: *bits = 1; return true;
    case IRI_OP_AND: *bits = all_ones(f->scalar); return true;
    default: return false;
    }
}

/* x op c that is c whatever x. */
static bool absorbing(const fold *f, uint64_t *bits)
{
    switch (f->op) {
    case IRI_OP_IMUL:
    case IRI_OP_AND: *bits = 0; return true;
    case IRI_OP_OR: *bits = all_ones(f->scalar); return true;
    default: return false;
    }
}

static iri_id truth(fold *f, bool value)
{
    return iri_const(f->b, f->type, (uint64_t[4]){value, value, value, value});
}

/* x op x. */
static iri_id fold_same(fold *f)
{
    switch (f->op) {
    case IRI_OP_MIN:
    case IRI_OP_MAX:
    case IRI_OP_MIN_LT:
    case IRI_OP_MAX_GE:
    case IRI_OP_IMIN:
    case IRI_OP_IMAX:
    case IRI_OP_AND:
    case IRI_OP_OR: return f->operands[0];
    case IRI_OP_ISUB:
    case IRI_OP_XOR: return iri_const_zero(f->b, f->type);
    case IRI_OP_IEQ:
    case IRI_OP_ILE: return truth(f, true);
    case IRI_OP_INE:
    case IRI_OP_ILT: return truth(f, false);
    default: return 0;
    }
}

static iri_id fold_select(fold *f)
{
    iri_builder *b = f->b;
    iri_id condition = f->operands[0], yes = f->operands[1], no = f->operands[2];
    iri_type type = iri_type_of(b->p, condition);
    if (yes == no || is_splat(b, condition, 1))
        return yes;
    if (is_splat(b, condition, 0))
        return no;
    const iri_inst *in = made_by(b, condition, IRI_OP_NOT);
    if (in)
        return iri_emit_select(b, operand_of(b, in, 0), no, yes);
    if (type == f->type && is_splat(b, yes, 1) && is_splat(b, no, 0))
        return condition;
    if (type == f->type && is_splat(b, yes, 0) && is_splat(b, no, 1))
        return iri_emit1(b, IRI_OP_NOT, condition);
    return 0;
}

/* The operation that gives the opposite truth of the same operands; NONE where a NaN forbids it. */
static iri_op opposite(iri_op op, bool *swapped)
{
    *swapped = false;
    switch (op) {
    case IRI_OP_EQ: return IRI_OP_NE;
    case IRI_OP_NE: return IRI_OP_EQ;
    case IRI_OP_IEQ: return IRI_OP_INE;
    case IRI_OP_INE: return IRI_OP_IEQ;
    case IRI_OP_ILT: *swapped = true; return IRI_OP_ILE; /* not (a < b) is b <= a */
    case IRI_OP_ILE: *swapped = true; return IRI_OP_ILT;
    default: return IRI_OP_NONE;
    }
}

/* f(g(x)) of two operations with one operand. */
static iri_id fold_nested(fold *f)
{
    iri_builder *b = f->b;
    const iri_inst *in = iri_def(b->p, f->operands[0]);
    if (!in || in->operand_count == 0 || !iri_is_pure(in->op))
        return 0;
    iri_op inner = (iri_op)in->op;
    iri_id x = operand_of(b, in, 0);
    bool swapped;
    switch (f->op) {
    case IRI_OP_NEG:
    case IRI_OP_INEG: return inner == f->op ? x : 0;
    case IRI_OP_ABS:
        if (inner == IRI_OP_NEG)
            return iri_emit1(b, IRI_OP_ABS, x);
        return inner == IRI_OP_ABS ? f->operands[0] : 0;
    case IRI_OP_NOT:
        if (inner == IRI_OP_NOT)
            return x;
        inner = opposite(inner, &swapped);
        if (inner == IRI_OP_NONE)
            return 0;
        return swapped ? iri_emit2(b, inner, operand_of(b, in, 1), x)
                       : iri_emit2(b, inner, x, operand_of(b, in, 1));
    case IRI_OP_SATURATE:
    case IRI_OP_SATURATE_ZERO:
        return inner == IRI_OP_SATURATE || inner == IRI_OP_SATURATE_ZERO ? f->operands[0] : 0;
    case IRI_OP_FLOOR:
    case IRI_OP_CEIL:
    case IRI_OP_TRUNC:
    case IRI_OP_ROUND_EVEN:
    case IRI_OP_ROUND_AWAY: /* of what is whole already */
        return inner == IRI_OP_FLOOR || inner == IRI_OP_CEIL || inner == IRI_OP_TRUNC ||
                       inner == IRI_OP_ROUND_EVEN || inner == IRI_OP_ROUND_AWAY
                   ? f->operands[0]
                   : 0;
    default: return 0;
    }
}

static iri_id fold_conversion(fold *f)
{
    iri_builder *b = f->b;
    iri_scalar to = IRI_TYPE_SCALAR(f->type);
    if (iri_type_of(b->p, f->operands[0]) == f->type)
        return f->op != IRI_OP_FTOF || has_one_nan(b, f->operands[0]) ? f->operands[0] : 0;
    const iri_inst *in = made_by(b, f->operands[0], f->op);
    if (!in)
        return 0;
    iri_id x = operand_of(b, in, 0);
    uint32_t middle = iri_scalar_bits(f->scalar);
    switch (f->op) {
    case IRI_OP_BITCAST: break;
    case IRI_OP_ITOI: /* the middle keeps all bits that are kept in the end */
        if (middle < iri_scalar_bits(to))
            return 0;
        break;
    default: /* a float made wider and back, but for a NaN's payload */
        if (iri_type_of(b->p, x) != f->type || middle < iri_scalar_bits(to) || !has_one_nan(b, x))
            return 0;
        break;
    }
    return iri_type_of(b->p, x) == f->type ? x : iri_emit_convert(b, f->op, to, x);
}

/* Constants second, else the older value first: equal sums then look equal. */
static void order_operands(fold *f)
{
    iri_id x = f->operands[0], y = f->operands[1];
    bool x_constant = iri_is_constant(f->b->p, x), y_constant = iri_is_constant(f->b->p, y);
    if (x_constant != y_constant ? x_constant : x > y) {
        f->operands[0] = y;
        f->operands[1] = x;
    }
}

static iri_id fold_two(fold *f)
{
    uint64_t bits;
    if (f->operands[0] == f->operands[1]) {
        iri_id value = fold_same(f);
        if (value)
            return value;
    }
    if (!iri_is_constant(f->b->p, f->operands[1]))
        return 0;
    /* Arithmetic gives the one NaN, whatever NaN it is given. */
    bool keeps = iri_op_infos[f->op].type_class != 'F' || (iri_props(f->op) & IRI_PROP_KEEPS_NAN) ||
                 has_one_nan(f->b, f->operands[0]);
    if (keeps && neutral(f, &bits) && is_splat(f->b, f->operands[1], bits))
        return f->operands[0];
    if (absorbing(f, &bits) && is_splat(f->b, f->operands[1], bits))
        return f->operands[1];
    return 0;
}

iri_id iri_fold(iri_builder *b, iri_op op, iri_type type, iri_id *operands, uint32_t operand_count,
                const uint32_t *immediates)
{
    fold f = {b,
              op,
              type,
              operands,
              operand_count,
              immediates,
              IRI_TYPE_SCALAR(iri_type_of(b->p, operands[0]))};
    iri_id value = fold_constants(&f);
    if (value)
        return value;
    if ((iri_props(op) & IRI_PROP_COMMUTATIVE) && operand_count >= 2)
        order_operands(&f);
    switch (op) {
    case IRI_OP_SWIZZLE:
    case IRI_OP_INSERT:
    case IRI_OP_COMPOSE:
    case IRI_OP_SPLAT: return fold_lanes(&f);
    case IRI_OP_SELECT: return fold_select(&f);
    case IRI_OP_ITOI:
    case IRI_OP_FTOF:
    case IRI_OP_BITCAST: return fold_conversion(&f);
    case IRI_OP_ANY:
    case IRI_OP_ALL: return IRI_TYPE_LANES(iri_type_of(b->p, operands[0])) == 1 ? operands[0] : 0;
    default: break;
    }
    if (operand_count == 2)
        return fold_two(&f);
    return operand_count == 1 ? fold_nested(&f) : 0;
}
