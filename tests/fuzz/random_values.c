/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random values: numbers, constants, and values of a type from those in scope. No call of a function that draws a
 * number stands among the arguments of another: their order would be the compiler's.
 */
#include "random_internal.h"

#include <string.h>

/* ---- numbers ---- */

/* Two of the caller's bytes make a draw, as long as there are any. */
static uint64_t next(random_gen *g)
{
    uint64_t z = g->state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    if (g->o && g->drawn + 2 <= g->o->byte_count) {
        z = (uint64_t)g->o->bytes[g->drawn] << 8 | g->o->bytes[g->drawn + 1];
        g->drawn += 2;
    }
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint32_t random_below(random_gen *g, uint32_t count)
{
    return (uint32_t)(next(g) >> 33) % count;
}

bool random_chance(random_gen *g, uint32_t percent)
{
    return random_below(g, 100) < percent;
}

/* ---- types and lanes ---- */

static bool in_class(iri_scalar s, char type_class)
{
    bool is_float = random_is_float(IRI_TYPE(s, 1));
    switch (type_class) {
    case 'F': return is_float;
    case 'H': return s == IRI_F16 || s == IRI_F32;
    case 'I': return !is_float && s != IRI_BOOL;
    case 'N': return s != IRI_BOOL;
    case 'L': return !is_float;
    case 'B': return s == IRI_BOOL;
    default: return true;
    }
}

iri_scalar random_scalar_of_class(random_gen *g, char type_class)
{
    iri_scalar fit[IRI_SCALAR_COUNT];
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->scalar_count; i++)
        if (in_class(g->scalars[i], type_class))
            fit[count++] = g->scalars[i];
    if (!count)
        return IRI_VOID;
    if (random_chance(g, 50) && in_class(IRI_F32, type_class))
        return IRI_F32;
    return fit[random_below(g, count)];
}

static uint32_t lane_count(random_gen *g)
{
    static const uint8_t counts[] = {1, 1, 1, 2, 2, 3, 4, 4};
    return counts[random_below(g, sizeof counts)];
}

iri_type random_type(random_gen *g)
{
    iri_scalar scalar = random_scalar_of_class(g, 'A');
    return IRI_TYPE(scalar, lane_count(g));
}

iri_lanes random_lanes(random_gen *g, uint32_t count, uint32_t among)
{
    iri_lanes lanes = (count - 1) << 8;
    for (uint32_t i = 0; i < count; i++)
        lanes |= random_below(g, among) << (2 * i);
    return lanes;
}

iri_lanes random_mask(random_gen *g, uint32_t among)
{
    return iri_lanes_from_bits(1 + random_below(g, (1u << among) - 1));
}

/* ---- emitting ---- */

iri_id random_emit1(random_gen *g, iri_op op, iri_type type, iri_id x)
{
    return iri_build(g->b, op, type, &x, 1, NULL, 0);
}

iri_id random_emit2(random_gen *g, iri_op op, iri_id x, iri_id y)
{
    return iri_build(g->b, op, IRI_TYPE_VOID, (iri_id[]){x, y}, 2, NULL, 0);
}

iri_id random_emit3(random_gen *g, iri_op op, iri_id x, iri_id y, iri_id z)
{
    return iri_build(g->b, op, IRI_TYPE_VOID, (iri_id[]){x, y, z}, 3, NULL, 0);
}

iri_id random_swizzle(random_gen *g, iri_id x, iri_lanes lanes)
{
    return iri_build(g->b, IRI_OP_SWIZZLE, IRI_TYPE_VOID, &x, 1, &lanes, 1);
}

static iri_id splat(random_gen *g, iri_id x, uint32_t lanes)
{
    iri_type type = iri_build_type(g->b, x);
    return random_emit1(g, IRI_OP_SPLAT, IRI_TYPE(IRI_TYPE_SCALAR(type), lanes), x);
}

iri_id random_u32(random_gen *g, uint32_t value)
{
    return iri_build_constant(g->b, IRI_TYPE_U32, (uint64_t[4]){value});
}

static uint64_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

iri_id random_f32(random_gen *g, float value, uint32_t lanes)
{
    uint64_t bits = float_bits(value);
    return iri_build_constant(g->b, IRI_TYPE(IRI_F32, lanes),
                              (uint64_t[4]){bits, bits, bits, bits});
}

/* ---- constants ---- */

/* Quarters between -8 and 8, and some that arithmetic knows. */
static uint64_t plain_float(random_gen *g, iri_scalar scalar)
{
    static const struct {
        uint16_t half;
        uint32_t single;
        uint64_t twice;
    } known[] = {{0, 0, 0},
                 {0x8000, 0x80000000, UINT64_C(0x8000000000000000)},
                 {0x3c00, 0x3f800000, UINT64_C(0x3ff0000000000000)},
                 {0xbc00, 0xbf800000, UINT64_C(0xbff0000000000000)},
                 {0x3800, 0x3f000000, UINT64_C(0x3fe0000000000000)},
                 {0x4000, 0x40000000, UINT64_C(0x4000000000000000)},
                 {0x4248, 0x40490fdb, UINT64_C(0x400921fb54442d18)},
                 {0x2e66, 0x3dcccccd, UINT64_C(0x3fb999999999999a)}};
    uint32_t pick = random_below(g, 16);
    /* 1 to 8 in quarters: sign, exponent and two bits of the mantissa. */
    uint64_t sign = random_below(g, 2), exponent = random_below(g, 3), quarter = random_below(g, 4);
    bool use_known = pick < 8;
    if (scalar == IRI_F16)
        return use_known ? known[pick].half : sign << 15 | (15 + exponent) << 10 | quarter << 8;
    if (scalar == IRI_F32)
        return use_known ? known[pick].single : sign << 31 | (127 + exponent) << 23 | quarter << 21;
    return use_known ? known[pick].twice : sign << 63 | (1023 + exponent) << 52 | quarter << 50;
}

/* NaN quiet and signalling, infinities, denormals, the least and the largest. */
static uint64_t special_float(random_gen *g, iri_scalar scalar)
{
    static const struct {
        uint16_t half;
        uint32_t single;
        uint64_t twice;
    } known[] = {{0x7e00, 0x7fc00000, UINT64_C(0x7ff8000000000000)},
                 {0xfe01, 0xffc00001, UINT64_C(0xfff8000000000001)},
                 {0x7d23, 0x7fa12345, UINT64_C(0x7ff4123456789abc)},
                 {0x7c00, 0x7f800000, UINT64_C(0x7ff0000000000000)},
                 {0xfc00, 0xff800000, UINT64_C(0xfff0000000000000)},
                 {0x0001, 0x00000001, UINT64_C(0x0000000000000001)},
                 {0x83ff, 0x807fffff, UINT64_C(0x800fffffffffffff)},
                 {0x0400, 0x00800000, UINT64_C(0x0010000000000000)},
                 {0x7bff, 0x7f7fffff, UINT64_C(0x7fefffffffffffff)},
                 {0xfbff, 0xcf000000, UINT64_C(0xffefffffffffffff)}};
    uint32_t pick = random_below(g, sizeof known / sizeof *known);
    return scalar == IRI_F16   ? known[pick].half
           : scalar == IRI_F32 ? known[pick].single
                               : known[pick].twice;
}

static uint64_t some_integer(random_gen *g, uint32_t bits)
{
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t wild = next(g);
    switch (random_below(g, 8)) {
    case 0: return mask;                          /* -1 */
    case 1: return UINT64_C(1) << (bits - 1);     /* the least */
    case 2: return mask >> 1;                     /* the largest */
    case 3: return bits - 1 + random_below(g, 3); /* shifts past the end */
    case 4: return wild & mask;
    default: return random_below(g, 9);
    }
}

static uint64_t constant_lane(random_gen *g, iri_scalar scalar)
{
    if (scalar == IRI_BOOL)
        return random_below(g, 2);
    if (!random_is_float(IRI_TYPE(scalar, 1)))
        return some_integer(g, iri_scalar_bits(scalar));
    if (random_has(g, RANDOM_SPECIAL) && random_chance(g, 20))
        return special_float(g, scalar);
    return plain_float(g, scalar);
}

iri_id random_constant(random_gen *g, iri_type type)
{
    uint64_t lanes[4] = {0};
    bool same = random_chance(g, 30);
    for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++)
        lanes[i] = i && same ? lanes[0] : constant_lane(g, IRI_TYPE_SCALAR(type));
    return iri_build_constant(g->b, type, lanes);
}

/* ---- values in scope ---- */

void random_keep(random_gen *g, iri_id value, bool exact)
{
    iri_type type = iri_build_type(g->b, value);
    if (g->value_count == VALUES_MAX || !type)
        return;
    g->values[g->value_count++] = (random_value){value, type, 0, exact || !random_is_float(type)};
}

/* One of the type, most of the time one that nothing reads yet; NULL when there is none. With `scalar` any lanes will
 * do, and with `any` any other scalar. */
typedef enum match { SAME_TYPE, SAME_SCALAR, OTHER_SCALAR } match;

static bool matches(const random_value *v, iri_type type, match how)
{
    bool same = IRI_TYPE_SCALAR(v->type) == IRI_TYPE_SCALAR(type);
    return how == SAME_TYPE ? v->type == type : how == SAME_SCALAR ? same : !same;
}

static random_value *find(random_gen *g, iri_type type, match how, bool exact)
{
    uint32_t fresh[32], any[32], fresh_count = 0, any_count = 0;
    for (uint32_t i = g->value_count; i-- > 0 && any_count < 32;) {
        const random_value *v = &g->values[i];
        if (!matches(v, type, how) || (exact && !v->exact))
            continue;
        any[any_count++] = i;
        if (!v->uses)
            fresh[fresh_count++] = i;
    }
    if (!any_count)
        return NULL;
    bool unread = fresh_count && random_chance(g, 70);
    uint32_t pick = random_below(g, unread ? fresh_count : any_count);
    random_value *v = &g->values[unread ? fresh[pick] : any[pick]];
    v->uses++;
    return v;
}

/* ---- conversions ---- */

static iri_id to_scalar(random_gen *g, iri_id x, iri_scalar scalar)
{
    iri_type type = iri_build_type(g->b, x);
    iri_type to = IRI_TYPE(scalar, IRI_TYPE_LANES(type));
    iri_scalar from = IRI_TYPE_SCALAR(type);
    bool from_float = random_is_float(type), to_float = random_is_float(to);
    if (from == scalar)
        return x;
    if (from == IRI_BOOL) {
        iri_id yes = random_constant(g, to);
        iri_id no = random_constant(g, to);
        return random_emit3(g, IRI_OP_SELECT, x, yes, no);
    }
    if (scalar == IRI_BOOL) {
        static const iri_op floats[] = {IRI_OP_LT, IRI_OP_GE, IRI_OP_NE, IRI_OP_GT};
        static const iri_op integers[] = {IRI_OP_ILT, IRI_OP_INE, IRI_OP_ILE, IRI_OP_IEQ};
        iri_id other = random_constant(g, type);
        uint32_t pick = random_below(g, 4);
        return random_emit2(g, from_float ? floats[pick] : integers[pick], x, other);
    }
    /* On a GPU a zero's sign may be lost, and the bits of an integer may be no number. */
    if (iri_scalar_bits(from) == iri_scalar_bits(scalar) &&
        !(random_has(g, RANDOM_SHARP) && (from_float || to_float)) &&
        (random_chance(g, 25) || (!from_float && !to_float && random_chance(g, 50))))
        return random_emit1(g, IRI_OP_BITCAST, to, x);
    return random_emit1(g,
                        from_float ? to_float ? IRI_OP_FTOF : IRI_OP_FTOI_SAT
                        : to_float ? IRI_OP_ITOF
                                   : IRI_OP_ITOI,
                        to, x);
}

iri_id random_convert(random_gen *g, iri_id x, iri_type type)
{
    uint32_t have = IRI_TYPE_LANES(iri_build_type(g->b, x)), lanes = IRI_TYPE_LANES(type);
    if (have == 1 && lanes > 1) {
        x = to_scalar(g, x, IRI_TYPE_SCALAR(type));
        return splat(g, x, lanes);
    }
    if (have != lanes || random_chance(g, 20)) {
        iri_lanes choice = random_lanes(g, lanes, have);
        x = random_swizzle(g, x, choice);
    }
    return to_scalar(g, x, IRI_TYPE_SCALAR(type));
}

/* Whether a float value must be exact to become one of the type: it decides what cannot be nearly right. */
static bool needs_exact(const random_gen *g, iri_type type, bool exact)
{
    return random_has(g, RANDOM_SHARP) && (exact || !random_is_float(type));
}

static iri_id pick(random_gen *g, iri_type type, bool exact)
{
    exact = needs_exact(g, type, exact);
    if (random_chance(g, 70)) {
        const random_value *v = find(g, type, SAME_TYPE, exact);
        if (v)
            return v->id;
    }
    uint32_t how = random_below(g, 100);
    if (how < 15)
        return random_constant(g, type);
    if (how < 45 && !(exact && random_is_float(type))) {
        iri_id loaded = random_load(g, type);
        if (loaded)
            return loaded;
    }
    const random_value *v = find(g, type, how < 75 ? SAME_SCALAR : OTHER_SCALAR, exact);
    if (!v)
        v = find(g, type, how < 75 ? OTHER_SCALAR : SAME_SCALAR, exact);
    if (v)
        return random_convert(g, v->id, type);
    if (g->input_count && !g->function) {
        uint32_t input = random_below(g, g->input_count);
        uint32_t lanes = IRI_TYPE_LANES(g->inputs[input].type);
        iri_lanes choice = random_lanes(g, 1 + random_below(g, lanes), lanes);
        iri_id x = random_input(g, input, choice);
        return random_convert(g, x, type);
    }
    return random_constant(g, type);
}

iri_id random_pick(random_gen *g, iri_type type)
{
    return pick(g, type, false);
}

iri_id random_pick_exact(random_gen *g, iri_type type)
{
    return pick(g, type, true);
}

iri_id random_index(random_gen *g, uint32_t count)
{
    iri_id x = random_pick(g, IRI_TYPE_U32);
    iri_id mask = random_u32(g, count - 1);
    return random_emit2(g, IRI_OP_AND, x, mask);
}
