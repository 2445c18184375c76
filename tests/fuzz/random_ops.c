/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random operations, by the letters of ops.def: a row that is added there is generated without a word here, when its
 * letters are about values alone.
 */
#include "random_internal.h"

#include <string.h>

/* Operations with code of their own in this generator. */
static const iri_op made_elsewhere[] = {
    IRI_OP_INPUT,      IRI_OP_OUTPUT,      IRI_OP_STATE,      IRI_OP_LOAD_CB,
    IRI_OP_LOAD_LOCAL, IRI_OP_STORE_LOCAL, IRI_OP_SAMPLE,     IRI_OP_SAMPLE_BIAS,
    IRI_OP_SAMPLE_LOD, IRI_OP_SAMPLE_GRAD, IRI_OP_SAMPLE_CMP, IRI_OP_SAMPLE_CMP_LEVEL,
    IRI_OP_DEMOTE,     IRI_OP_IF,          IRI_OP_LOOP,       IRI_OP_SWITCH,
    IRI_OP_BLOCK,      IRI_OP_YIELD,       IRI_OP_BREAK,      IRI_OP_CONTINUE,
    IRI_OP_RETURN,     IRI_OP_UNREACHABLE, IRI_OP_CALL,       IRI_OP_BR,
    IRI_OP_BR_IF,      IRI_OP_BR_SWITCH,
};

static bool only(const char *letters, const char *of)
{
    return letters[strspn(letters, of)] == 0;
}

/* Whether letters alone say how to emit it. access.mapped takes words that access.status gives alone. */
static bool is_plain(iri_op op)
{
    const iri_op_info *info = iri_op_get_info(op);
    uint32_t other = IRI_PROP_EFFECT | IRI_PROP_LOCAL_READ | IRI_PROP_LOCAL_WRITE |
                     IRI_PROP_TERMINATOR | IRI_PROP_REGION;
    return op != IRI_OP_ACCESS_MAPPED && !(info->properties & other) && !info->immediates[0] &&
           info->results[0] && only(info->results, "TSBbufFIN") && only(info->operands, "TSBbufiC");
}

static bool is_lane_choice(iri_op op)
{
    return op == IRI_OP_SWIZZLE || op == IRI_OP_INSERT || op == IRI_OP_COMPOSE ||
           op == IRI_OP_SPLAT;
}

static bool is_made_elsewhere(iri_op op)
{
    for (size_t i = 0; i < sizeof made_elsewhere / sizeof *made_elsewhere; i++)
        if (made_elsewhere[i] == op)
            return true;
    return false;
}

uint32_t random_op_count(void)
{
    uint32_t count = 0;
    for (uint32_t op = 1; op < IRI_OP_COUNT; op++)
        count +=
            is_plain((iri_op)op) || is_lane_choice((iri_op)op) || is_made_elsewhere((iri_op)op);
    return count;
}

/* ---- by letters ---- */

/* A result whose type is given. */
static iri_type given_type(random_gen *g, iri_op op, char letter, iri_type t)
{
    iri_scalar scalar = random_scalar_of_class(g, letter);
    if (op == IRI_OP_BITCAST && iri_scalar_bits(scalar) != iri_scalar_bits(IRI_TYPE_SCALAR(t)))
        scalar = IRI_TYPE_SCALAR(t);
    return IRI_TYPE(scalar, IRI_TYPE_LANES(t));
}

static iri_type operand_type(random_gen *g, char letter, iri_type t)
{
    switch (letter) {
    case 'S': return IRI_TYPE(IRI_TYPE_SCALAR(t), 1);
    case 'B': return IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(t));
    case 'C': return IRI_TYPE(IRI_BOOL, random_chance(g, 50) ? 1 : IRI_TYPE_LANES(t));
    case 'b': return IRI_TYPE_BOOL;
    case 'u': return IRI_TYPE_U32;
    case 'f': return IRI_TYPE_F32;
    case 'i': return IRI_TYPE(random_scalar_of_class(g, 'I'), 1);
    default: return t;
    }
}

/* What must not be nearly right: the result is no float, or floats are compared on the way. */
static bool wants_exact(const iri_op_info *info)
{
    return strchr("BbuI", info->results[0]) != NULL;
}

/* Whether exact operands make it exact: it moves, chooses or rounds. */
static bool stays_exact(const iri_op_info *info, iri_op op)
{
    static const iri_op roundings[] = {IRI_OP_SATURATE,   IRI_OP_SATURATE_ZERO, IRI_OP_FLOOR,
                                       IRI_OP_CEIL,       IRI_OP_TRUNC,         IRI_OP_ROUND_EVEN,
                                       IRI_OP_ROUND_AWAY, IRI_OP_BITCAST};
    if (info->properties & IRI_PROP_KEEPS_NAN)
        return true;
    for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++)
        if (roundings[i] == op)
            return true;
    return false;
}

/* A float kept near zero: of large numbers only their sizes would be left, and of NaN nothing. */
static iri_id tame(random_gen *g, iri_id x)
{
    iri_type type = iri_build_type(g->b, x);
    uint32_t lanes = IRI_TYPE_LANES(type);
    if (type != IRI_TYPE(IRI_F32, lanes))
        return x;
    if (random_has(g, RANDOM_SHARP) || random_chance(g, 50)) {
        iri_id low = random_f32(g, -8, lanes);
        iri_id high = random_f32(g, 8, lanes);
        x = random_emit2(g, IRI_OP_MAX, x, low);
        return random_emit2(g, IRI_OP_MIN, x, high);
    }
    iri_id size = random_emit1(g, IRI_OP_ABS, IRI_TYPE_VOID, x);
    iri_id bound = random_f32(g, 4096, lanes);
    iri_id small = random_emit2(g, IRI_OP_LT, size, bound);
    iri_id other = random_constant(g, type);
    return random_emit3(g, IRI_OP_SELECT, small, x, other);
}

static void keep_tame(random_gen *g, iri_id x, bool exact)
{
    if (random_chance(g, 35))
        x = tame(g, x);
    random_keep(g, x, exact);
}

static void by_letters(random_gen *g, iri_op op)
{
    const iri_op_info *info = iri_op_get_info(op);
    iri_scalar scalar = random_scalar_of_class(g, info->type_class);
    if (!scalar)
        return;
    iri_type any = random_type(g);
    iri_type t = IRI_TYPE(scalar, IRI_TYPE_LANES(any));
    bool exact = wants_exact(info) || (random_has(g, RANDOM_SHARP) && random_chance(g, 40));
    iri_id operands[4];
    uint32_t count = 0;
    for (const char *letter = info->operands; *letter; letter++) {
        iri_type type = operand_type(g, *letter, t);
        iri_id x = exact ? random_pick_exact(g, type) : random_pick(g, type);
        if ((info->properties & IRI_PROP_APPROXIMATE) && random_chance(g, 50))
            x = tame(g, x);
        operands[count++] = x;
    }
    iri_type given = IRI_TYPE_VOID;
    if (strchr("FIN", info->results[0]))
        given = given_type(g, op, info->results[0], t);
    if (random_has(g, RANDOM_SHARP) && op == IRI_OP_BITCAST) {
        if (random_is_float(given) && !random_is_float(t))
            return;             /* any bits: NaN, denormals */
        if (random_is_float(t)) /* a computed zero's sign may be lost */
            operands[0] = random_input(g, 0, random_lanes(g, IRI_TYPE_LANES(t), 4));
    }
    iri_id result = iri_build(g->b, op, given, operands, count, NULL, 0);
    keep_tame(g, result, exact && stays_exact(info, op));
}

/* ---- lanes ---- */

static void lane_choice(random_gen *g, iri_op op)
{
    iri_type type = random_type(g);
    uint32_t lanes = IRI_TYPE_LANES(type);
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    iri_id parts[4];
    bool exact = random_has(g, RANDOM_SHARP) && random_chance(g, 50);
    if (op == IRI_OP_SWIZZLE) {
        iri_id x = exact ? random_pick_exact(g, type) : random_pick(g, type);
        uint32_t count = 1 + random_below(g, 4);
        iri_lanes choice = random_lanes(g, count, lanes);
        random_keep(g, random_swizzle(g, x, choice), exact);
    } else if (op == IRI_OP_INSERT) {
        iri_lanes mask = random_mask(g, lanes);
        parts[0] = exact ? random_pick_exact(g, type) : random_pick(g, type);
        iri_type inner = IRI_TYPE(scalar, IRI_LANES_COUNT(mask));
        parts[1] = exact ? random_pick_exact(g, inner) : random_pick(g, inner);
        random_keep(g, iri_build(g->b, op, IRI_TYPE_VOID, parts, 2, &mask, 1), exact);
    } else if (op == IRI_OP_COMPOSE) {
        uint32_t count = 0;
        for (uint32_t left = lanes; left;) {
            uint32_t part = 1 + random_below(g, left);
            iri_type inner = IRI_TYPE(scalar, part);
            parts[count++] = exact ? random_pick_exact(g, inner) : random_pick(g, inner);
            left -= part;
        }
        random_keep(g, iri_build(g->b, op, IRI_TYPE_VOID, parts, count, NULL, 0), exact);
    } else {
        iri_type inner = IRI_TYPE(scalar, 1);
        iri_id x = exact ? random_pick_exact(g, inner) : random_pick(g, inner);
        random_keep(g, random_emit1(g, op, type, x), exact);
    }
}

void random_operation(random_gen *g)
{
    for (uint32_t tries = 0; tries < 40; tries++) {
        iri_op op = (iri_op)(1 + random_below(g, IRI_OP_COUNT - 1));
        const iri_op_info *info = iri_op_get_info(op);
        if (is_lane_choice(op)) {
            lane_choice(g, op);
            return;
        }
        if (!is_plain(op))
            continue;
        if ((info->properties & IRI_PROP_DERIVATIVE) &&
            (!random_has(g, RANDOM_DERIVATIVES) ||
             (!random_has(g, RANDOM_DIVERGENT) && (g->depth || g->diverged || g->function))))
            continue;
        by_letters(g, op);
        return;
    }
}
