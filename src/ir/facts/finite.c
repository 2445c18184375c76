/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Interval arithmetic in float: rounding is monotone, so the rounded ends of a range bound the rounded
 * results. The rows follow the lane expressions of ops.def.
 */
#include "ir/facts/finite.h"

#include "base/math32.h"
#include "base/number.h"
#include <float.h>
#include <math.h>

static const iri_range anything = {-INFINITY, INFINITY, true, true};

bool iri_range_is_finite(const iri_range *r)
{
    return !r->nan && r->low >= -FLT_MAX && r->high <= FLT_MAX;
}

bool iri_range_is_nonzero(const iri_range *r)
{
    return r->low >= FLT_MIN || r->high <= -FLT_MIN;
}

bool iri_range_is_positive(const iri_range *r)
{
    return r->low >= 0 && !r->minus_zero;
}

static bool is_unbounded(const iri_range *r)
{
    return r->low < -FLT_MAX || r->high > FLT_MAX;
}

static bool may_be_zero(const iri_range *r)
{
    return r->low <= 0 && r->high >= 0;
}

/* Ends are never NaN, which fminf and fmaxf would have to ask. */
static float lesser(float x, float y)
{
    return y < x ? y : x;
}
static float greater(float x, float y)
{
    return y > x ? y : x;
}

static iri_range unite(iri_range a, iri_range b)
{
    return (iri_range){lesser(a.low, b.low), greater(a.high, b.high), a.nan || b.nan,
                       a.minus_zero || b.minus_zero};
}

/* ---- operations: `b` and `c` are those of the second and third operand where there are any; `same`: both
 *      operands are one value ---- */

typedef iri_range rule(const iri_range *a, const iri_range *b, const iri_range *c, bool same);

/* An end of a range that came out as NaN could be anything. */
static float low_end(float x)
{
    return isnan(x) ? -INFINITY : x;
}
static float high_end(float x)
{
    return isnan(x) ? INFINITY : x;
}

static iri_range rule_add(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    bool cancels =
        (a->high > FLT_MAX && b->low < -FLT_MAX) || (a->low < -FLT_MAX && b->high > FLT_MAX);
    (void)c;
    return (iri_range){low_end(a->low + b->low), high_end(a->high + b->high),
                       a->nan || b->nan || (cancels && !same), a->minus_zero && b->minus_zero};
}

static iri_range rule_neg(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    (void)b, (void)c, (void)same;
    return (iri_range){-a->high, -a->low, a->nan, may_be_zero(a)};
}

static iri_range rule_sub(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    iri_range n = rule_neg(b, NULL, NULL, false);
    (void)same; /* inf - inf is NaN all the same */
    return rule_add(a, &n, c, false);
}

static float corner(float x, float y)
{
    return x == 0 || y == 0 ? 0 : x * y;
}

static iri_range product(const iri_range *a, const iri_range *b, bool same)
{
    float corners[4] = {corner(a->low, b->low), corner(a->low, b->high), corner(a->high, b->low),
                        corner(a->high, b->high)};
    iri_range r = {corners[0], corners[0], a->nan || b->nan, false};
    for (int i = 1; i < 4; i++) {
        r.low = lesser(r.low, corners[i]);
        r.high = greater(r.high, corners[i]);
    }
    if (same && r.low < 0)
        r.low = 0;
    r.minus_zero =
        !same && may_be_zero(&r) && !(iri_range_is_positive(a) && iri_range_is_positive(b));
    return r;
}

static iri_range rule_mul(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    iri_range r = product(a, b, same);
    (void)c;
    r.nan |= !same && ((may_be_zero(a) && is_unbounded(b)) || (may_be_zero(b) && is_unbounded(a)));
    return r;
}

static iri_range rule_mul_zero(const iri_range *a, const iri_range *b, const iri_range *c,
                               bool same)
{
    (void)c;
    return product(a, b, same);
}

static iri_range rule_abs(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    iri_range r = {0, greater(fabsf(a->low), fabsf(a->high)), a->nan, false};
    (void)b, (void)c, (void)same;
    if (a->low > 0)
        r.low = a->low;
    else if (a->high < 0)
        r.low = -a->high;
    return r;
}

/* The other operand where one is NaN. */
static iri_range rule_min(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    iri_range r = {lesser(a->low, b->low), lesser(a->high, b->high), a->nan && b->nan,
                   a->minus_zero || b->minus_zero};
    (void)c, (void)same;
    if (a->nan)
        r.high = greater(r.high, b->high);
    if (b->nan)
        r.high = greater(r.high, a->high);
    return r;
}

static iri_range rule_max(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    iri_range x = rule_neg(a, NULL, NULL, false), y = rule_neg(b, NULL, NULL, false);
    iri_range r = rule_min(&x, &y, c, same);
    return (iri_range){-r.high, -r.low, r.nan, a->minus_zero || b->minus_zero};
}

/* The second operand where one is NaN. */
static iri_range rule_min_lt(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    iri_range r = rule_min(a, b, c, same);
    r.nan = b->nan;
    return r;
}

static iri_range rule_max_ge(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    iri_range r = rule_max(a, b, c, same);
    r.nan = b->nan;
    return r;
}

static float saturated(float x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

static iri_range rule_saturate(const iri_range *a, const iri_range *b, const iri_range *c,
                               bool same)
{
    (void)b, (void)c, (void)same;
    return (iri_range){a->nan ? 0 : saturated(a->low), saturated(a->high), false, false};
}

static iri_range rounded(const iri_range *a, float (*function)(float))
{
    return (iri_range){function(a->low), function(a->high), a->nan, true};
}

static iri_range rule_floor(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    (void)b, (void)c, (void)same;
    return rounded(a, floorf);
}
static iri_range rule_ceil(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    (void)b, (void)c, (void)same;
    return rounded(a, ceilf);
}
static iri_range rule_trunc(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    (void)b, (void)c, (void)same;
    return rounded(a, truncf);
}
static iri_range rule_even(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    (void)b, (void)c, (void)same;
    return rounded(a, rintf);
}
static iri_range rule_away(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    (void)b, (void)c, (void)same;
    return rounded(a, roundf);
}

/* A tiny negative number's rounds to 1. */
static iri_range rule_fract(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    (void)b, (void)c, (void)same;
    return (iri_range){0, 1, a->nan || is_unbounded(a), false};
}

static iri_range rule_sqrt(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    (void)b, (void)c, (void)same;
    return (iri_range){a->low > 0 ? sqrtf(a->low) : 0, a->high > 0 ? sqrtf(a->high) : 0,
                       a->nan || a->low < 0, a->minus_zero};
}

static iri_range rule_rcp(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    iri_range r = anything;
    (void)b, (void)c, (void)same;
    if (iri_range_is_nonzero(a)) {
        r.low = 1 / a->high;
        r.high = 1 / a->low;
    }
    r.nan = a->nan;
    r.minus_zero = a->low < -FLT_MAX;
    return r;
}

/* Finite even for the smallest denormal. */
static iri_range rule_rsq_max(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    iri_range r = {0, FLT_MAX, a->nan, false};
    (void)b, (void)c, (void)same;
    if (!is_unbounded(a))
        r.low = 5e-20f; /* below that of FLT_MAX, 5.4e-20 */
    return r;
}

static iri_range rule_exp2(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    (void)b, (void)c, (void)same;
    return (iri_range){a->low >= -125 ? FLT_MIN : 0, a->high <= 127 ? 0x1p127f : INFINITY, a->nan,
                       false};
}

static iri_range rule_log2_max(const iri_range *a, const iri_range *b, const iri_range *c,
                               bool same)
{
    (void)b, (void)c, (void)same;
    return (iri_range){-FLT_MAX, is_unbounded(a) ? INFINITY : 128, a->nan, false};
}

static iri_range rule_pow_abs(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    (void)c, (void)same;
    return (iri_range){0, INFINITY, a->nan || b->nan, false};
}

static iri_range rule_wave(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    (void)b, (void)c, (void)same;
    return (iri_range){-1, 1, a->nan || is_unbounded(a), true};
}

static iri_range rule_select(const iri_range *a, const iri_range *b, const iri_range *c, bool same)
{
    (void)a, (void)same;
    return unite(*b, *c);
}

static rule *const rules[IRI_OP_COUNT] = {
    [IRI_OP_ADD] = rule_add,           [IRI_OP_SUB] = rule_sub,
    [IRI_OP_MUL] = rule_mul,           [IRI_OP_MUL_ZERO] = rule_mul_zero,
    [IRI_OP_NEG] = rule_neg,           [IRI_OP_ABS] = rule_abs,
    [IRI_OP_MIN] = rule_min,           [IRI_OP_MAX] = rule_max,
    [IRI_OP_MIN_LT] = rule_min_lt,     [IRI_OP_MAX_GE] = rule_max_ge,
    [IRI_OP_SATURATE] = rule_saturate, [IRI_OP_SATURATE_ZERO] = rule_saturate,
    [IRI_OP_FLOOR] = rule_floor,       [IRI_OP_CEIL] = rule_ceil,
    [IRI_OP_TRUNC] = rule_trunc,       [IRI_OP_ROUND_EVEN] = rule_even,
    [IRI_OP_ROUND_AWAY] = rule_away,   [IRI_OP_FRACT] = rule_fract,
    [IRI_OP_SQRT] = rule_sqrt,         [IRI_OP_RCP] = rule_rcp,
    [IRI_OP_RCP_MAX] = rule_rcp,       [IRI_OP_RSQ_MAX] = rule_rsq_max,
    [IRI_OP_EXP2] = rule_exp2,         [IRI_OP_LOG2_MAX] = rule_log2_max,
    [IRI_OP_POW_ABS] = rule_pow_abs,   [IRI_OP_SIN] = rule_wave,
    [IRI_OP_COS] = rule_wave,          [IRI_OP_SELECT] = rule_select,
};

/* ---- the walk ---- */

typedef struct walk {
    const iri_program *p;
    iri_range (*lanes)[4];
    iri_id *label_ops;
} walk;

static void set_anything(const walk *w, iri_id value)
{
    for (uint32_t i = 0; i < 4; i++)
        w->lanes[value][i] = anything;
}

static void set_constant(const walk *w, iri_id value)
{
    const uint64_t *bits = iri_constant(w->p, value);
    for (uint32_t i = 0; i < IRI_TYPE_LANES(iri_type_of(w->p, value)); i++) {
        float x = iri_bits_f32((uint32_t)bits[i]);
        bool nan = isnan(x);
        w->lanes[value][i] = (iri_range){nan ? 0 : x, nan ? 0 : x, nan, x == 0 && signbit(x) != 0};
    }
}

static iri_range lane_of(const walk *w, iri_id value, uint32_t lane)
{
    return w->lanes[value][IRI_TYPE_LANES(iri_type_of(w->p, value)) == 1 ? 0 : lane];
}

static void set_moved(const walk *w, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(w->p, in), *immediates = iri_immediates(w->p, in);
    iri_range *to = w->lanes[in->results];
    uint32_t count = IRI_TYPE_LANES(iri_type_of(w->p, in->results));
    if (in->op == IRI_OP_COMPOSE) {
        for (uint32_t i = 0, at = 0; i < in->operand_count; i++) {
            for (uint32_t k = 0; k < IRI_TYPE_LANES(iri_type_of(w->p, operands[i])); k++)
                to[at++] = w->lanes[operands[i]][k];
        }
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        to[i] = w->lanes[operands[0]][in->op == IRI_OP_SWIZZLE ? IRI_LANES_AT(immediates[0], i)
                                      : in->op == IRI_OP_SPLAT ? 0
                                                               : i];
    for (uint32_t i = 0; in->op == IRI_OP_INSERT && i < IRI_LANES_COUNT(immediates[0]); i++)
        to[IRI_LANES_AT(immediates[0], i)] = w->lanes[operands[1]][i];
}

static void set_dot(const walk *w, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(w->p, in);
    rule *multiply = rules[in->op == IRI_OP_DOT ? IRI_OP_MUL : IRI_OP_MUL_ZERO];
    bool same = operands[0] == operands[1];
    iri_range sum = multiply(&w->lanes[operands[0]][0], &w->lanes[operands[1]][0], NULL, same);
    for (uint32_t i = 1; i < IRI_TYPE_LANES(iri_type_of(w->p, operands[0])); i++) {
        iri_range term = multiply(&w->lanes[operands[0]][i], &w->lanes[operands[1]][i], NULL, same);
        sum = rule_add(&sum, &term, NULL, false);
    }
    /* Targets may sum in another order. */
    sum.minus_zero = !same;
    w->lanes[in->results][0] = sum;
}

static void set_from_integer(const walk *w, const iri_inst *in)
{
    iri_scalar scalar = IRI_TYPE_SCALAR(iri_type_of(w->p, iri_operands(w->p, in)[0]));
    bool is_signed = scalar == IRI_I16 || scalar == IRI_I32 || scalar == IRI_I64;
    float end = ldexpf(1, (int)iri_scalar_bits(scalar) - is_signed);
    for (uint32_t i = 0; i < 4; i++)
        w->lanes[in->results][i] = (iri_range){is_signed ? -end : 0, end, false, false};
}

static bool is_f32(const iri_program *p, iri_id value)
{
    return IRI_TYPE_SCALAR(iri_type_of(p, value)) == IRI_F32;
}

static void set_ruled(const walk *w, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(w->p, in);
    uint32_t n = in->operand_count;
    for (uint32_t i = 0; i < IRI_TYPE_LANES(iri_type_of(w->p, in->results)); i++) {
        iri_range a = lane_of(w, operands[0], i), b = n > 1 ? lane_of(w, operands[1], i) : a;
        iri_range c = n > 2 ? lane_of(w, operands[2], i) : a;
        w->lanes[in->results][i] = rules[in->op](&a, &b, &c, n > 1 && operands[0] == operands[1]);
    }
}

static void set_result(const walk *w, const iri_inst *in)
{
    if (in->result_count != 1 || !is_f32(w->p, in->results))
        return;
    if (iri_op_infos[in->op].type_class == 'A' && !(iri_props(in->op) & IRI_PROP_LANE))
        set_moved(w, in);
    else if (in->op == IRI_OP_DOT || in->op == IRI_OP_DOT_ZERO)
        set_dot(w, in);
    else if (in->op == IRI_OP_ITOF)
        set_from_integer(w, in);
    else if (rules[in->op])
        set_ruled(w, in);
}

static void walk_region(const walk *w, iri_id region);

/* Results start as nothing and grow with every edge. */
static void walk_region_op(const walk *w, const iri_inst *in)
{
    for (uint32_t i = 0; i < in->result_count; i++) {
        for (uint32_t k = 0; k < 4 && is_f32(w->p, in->results + i); k++)
            w->lanes[in->results + i][k] = (iri_range){INFINITY, -INFINITY, false, false};
    }
    for (uint32_t i = 0; i < in->region_count; i++)
        walk_region(w, iri_regions(w->p, in)[i]);
}

static void walk_edge(const walk *w, const iri_inst *in, iri_id region)
{
    iri_id op = in->op == IRI_OP_YIELD ? w->p->regions[region].owner
                                       : w->label_ops[iri_immediates(w->p, in)[0]];
    iri_id results = w->p->insts[op].results;
    for (uint32_t i = 0; i < in->operand_count; i++) {
        iri_id value = iri_operands(w->p, in)[i];
        for (uint32_t k = 0; k < 4 && is_f32(w->p, value); k++)
            w->lanes[results + i][k] = unite(w->lanes[results + i][k], w->lanes[value][k]);
    }
}

static void walk_region(const walk *w, iri_id region)
{
    iri_for_each_inst(w->p, region, in)
    {
        if (in->region_count > 0)
            walk_region_op(w, in);
        else if (in->op == IRI_OP_YIELD || in->op == IRI_OP_BREAK)
            walk_edge(w, in, region);
        else
            set_result(w, in);
    }
}

void iri_find_finite(iri_arena *arena, const iri_program *program, iri_finite *out)
{
    walk w = {.p = program};
    w.lanes = iri_arena_take(arena, program->value_count * sizeof *w.lanes);
    w.label_ops = iri_new_array(arena, iri_id, program->label_count);
    for (iri_id i = 1; i < program->inst_count; i++) {
        const iri_inst *in = &program->insts[i];
        if (in->region_count > 0 && in->immediate_count > 0)
            w.label_ops[iri_immediates(program, in)[0]] = i;
    }
    for (iri_id v = 1; v < program->value_count; v++) {
        set_anything(&w, v);
        if (iri_is_constant(program, v) && is_f32(program, v))
            set_constant(&w, v);
    }
    for (iri_id f = 1; f < program->function_count; f++) {
        const iri_function *fn = &program->functions[f];
        if (fn->body && fn->form == IRI_FORM_STRUCTURED)
            walk_region(&w, fn->body);
    }
    out->lanes = w.lanes;
}
