/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations as expressions: the rows of ops.def and the forms they name. Operators keep the order of
 * evaluation that the program has: `a * (b * c)` keeps its parentheses.
 */
#include "write/wgsl/memory.h"

typedef struct row row;
typedef iri_wgsl_expr form_fn(iri_wgsl *w, const iri_inst *in, const row *r);
struct row {
    form_fn *form;
    iri_str text;
    uint8_t level;
};

static iri_wgsl_expr operand(iri_wgsl *w, const iri_inst *in, uint32_t i)
{
    return iri_wgsl_operand(w, iri_operands(w->p, in)[i]);
}

static iri_type operand_type(const iri_wgsl *w, const iri_inst *in, uint32_t i)
{
    return iri_type_of(w->p, iri_operands(w->p, in)[i]);
}

static _Noreturn void broken(iri_wgsl *w, const iri_inst *in, const char *why)
{
    iri_fail(w->ctx, IRI_INTERNAL, in->offset, "%s %s", iri_op_infos[in->op].name, why);
}

static iri_wgsl_expr form_shuffle(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    return iri_wgsl_lanes(w, w->values[in->results].from,
                          IRI_TYPE_LANES(iri_type_of(w->p, in->results)));
}

static iri_wgsl_expr form_statement(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    broken(w, in, "is not an expression");
}

static iri_wgsl_expr form_special(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    return iri_wgsl_special(w, in);
}

static iri_wgsl_expr form_refused(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    broken(w, in, "stands in a function of CFG form");
}

/* Whether a vector's lanes are all one lane of one value; then `lane` gets it. */
static bool is_splat(const iri_wgsl *w, iri_id value, iri_wgsl_lane *lane)
{
    const iri_wgsl_lane *from = w->values[value].from;
    uint32_t count = IRI_TYPE_LANES(iri_type_of(w->p, value));
    *lane = (iri_wgsl_lane){value, 0};
    if (iri_is_constant(w->p, value)) {
        for (uint32_t i = 1; i < count; i++)
            if (iri_constant(w->p, value)[i] != iri_constant(w->p, value)[0])
                return false;
        return count > 1;
    }
    if (!from)
        return false;
    *lane = from[0];
    for (uint32_t i = 1; i < count; i++)
        if (from[i].value != from[0].value || from[i].lane != from[0].lane)
            return false;
    return count > 1;
}

/* The operands of an arithmetic operator: where one is a vector, a splat may be a scalar. A constant
 * stands last where the order does not matter. */
static void arithmetic(iri_wgsl *w, const iri_inst *in, iri_id v[2], iri_wgsl_expr e[2])
{
    const iri_id *operands = iri_operands(w->p, in);
    bool swap = (iri_props(in->op) & IRI_PROP_COMMUTATIVE) && iri_is_constant(w->p, operands[0]) &&
                !iri_is_constant(w->p, operands[1]);
    iri_wgsl_lane lanes[2];
    bool splat[2];
    v[0] = operands[swap];
    v[1] = operands[!swap];
    for (uint32_t i = 0; i < 2; i++)
        splat[i] = is_splat(w, v[i], &lanes[i]);
    for (uint32_t i = 0; i < 2; i++)
        e[i] = splat[i] && !(i == 0 && splat[1]) ? iri_wgsl_lanes(w, &lanes[i], 1)
                                                 : iri_wgsl_operand(w, v[i]);
}

static iri_wgsl_expr form_infix(iri_wgsl *w, const iri_inst *in, const row *r)
{
    iri_id v[2];
    iri_wgsl_expr e[2];
    arithmetic(w, in, v, e);
    return iri_wgsl_binary(w, e[0], (iri_wgsl_level)r->level, r->text, e[1],
                           (iri_wgsl_level)(r->level + 1), (iri_wgsl_level)r->level);
}

/* a + -b is a - b, to the bit. */
static iri_wgsl_expr form_add(iri_wgsl *w, const iri_inst *in, const row *r)
{
    iri_id v[2];
    iri_wgsl_expr e[2];
    arithmetic(w, in, v, e);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t k = 1 - i; /* the second operand first */
        const iri_inst *def = iri_def(w->p, iri_wgsl_from(w, v[k], 0).value);
        bool negated = e[k].level == IRI_LEVEL_UNARY && e[k].text.at[0] == '-' &&
                       ((def && def->op == IRI_OP_NEG) || iri_is_constant(w->p, v[k]));
        if (!negated)
            continue;
        e[k].text.at++;
        e[k].text.size--;
        return iri_wgsl_binary(w, e[1 - k], IRI_LEVEL_ADD, IRI_STR(" - "), e[k], IRI_LEVEL_MUL,
                               IRI_LEVEL_ADD);
    }
    return iri_wgsl_binary(w, e[0], IRI_LEVEL_ADD, r->text, e[1], IRI_LEVEL_MUL, IRI_LEVEL_ADD);
}

/* ` < ` turned round is ` > `. */
static iri_str turned(iri_str text)
{
    if (text.at[1] == '<')
        return text.size == 3 ? IRI_STR(" > ") : IRI_STR(" >= ");
    if (text.at[1] == '>')
        return text.size == 3 ? IRI_STR(" < ") : IRI_STR(" <= ");
    return text;
}

/* A constant stands last, the operator turned round. */
static iri_wgsl_expr form_compare(iri_wgsl *w, const iri_inst *in, const row *r)
{
    const iri_id *operands = iri_operands(w->p, in);
    bool swap = iri_is_constant(w->p, operands[0]) && !iri_is_constant(w->p, operands[1]);
    iri_wgsl_expr a = operand(w, in, swap), b = operand(w, in, !swap);
    return iri_wgsl_binary(w, a, IRI_LEVEL_SHIFT, swap ? turned(r->text) : r->text, b,
                           IRI_LEVEL_SHIFT, (iri_wgsl_level)r->level);
}

static iri_wgsl_expr form_prefix(iri_wgsl *w, const iri_inst *in, const row *r)
{
    iri_wgsl_expr e = operand(w, in, 0);
    /* Not `--x`: that is a token of its own. */
    bool twice = e.level == IRI_LEVEL_UNARY && e.text.at[0] == r->text.at[0];
    iri_wgsl_level least = twice ? IRI_LEVEL_POSTFIX : IRI_LEVEL_UNARY;
    e.text = IRI_WGSL_JOIN(w, r->text, iri_wgsl_open(e, least), e.text, iri_wgsl_close(e, least));
    e.level = IRI_LEVEL_UNARY;
    return e;
}

/* WGSL has no negation of unsigned numbers. */
static iri_wgsl_expr form_negate(iri_wgsl *w, const iri_inst *in, const row *r)
{
    iri_type type = operand_type(w, in, 0);
    if (IRI_TYPE_SCALAR(type) != IRI_U32)
        return form_prefix(w, in, r);
    iri_wgsl_expr zero = iri_wgsl_literal(w, IRI_U32, 0), e = operand(w, in, 0);
    return iri_wgsl_binary(w, zero, IRI_LEVEL_ADD, IRI_STR(" - "), e, IRI_LEVEL_MUL, IRI_LEVEL_ADD);
}

static iri_wgsl_expr form_function(iri_wgsl *w, const iri_inst *in, const row *r)
{
    iri_wgsl_expr e[4];
    for (uint32_t i = 0; i < in->operand_count && i < 4; i++)
        e[i] = operand(w, in, i);
    return iri_wgsl_call(w, r->text, e, in->operand_count);
}

static iri_wgsl_expr form_reciprocal(iri_wgsl *w, const iri_inst *in, const row *r)
{
    bool half = IRI_TYPE_SCALAR(operand_type(w, in, 0)) == IRI_F16;
    iri_wgsl_expr one = {.text = half ? IRI_STR("1.0h") : IRI_STR("1.0"),
                         .level = IRI_LEVEL_POSTFIX};
    return iri_wgsl_binary(w, one, IRI_LEVEL_MUL, r->text, operand(w, in, 0), IRI_LEVEL_UNARY,
                           IRI_LEVEL_MUL);
}

static iri_wgsl_expr form_dot(iri_wgsl *w, const iri_inst *in, const row *r)
{
    if (IRI_TYPE_LANES(operand_type(w, in, 0)) > 1)
        return form_function(w, in, r);
    iri_wgsl_expr a = operand(w, in, 0), b = operand(w, in, 1);
    return iri_wgsl_binary(w, a, IRI_LEVEL_MUL, IRI_STR(" * "), b, IRI_LEVEL_UNARY, IRI_LEVEL_MUL);
}

static iri_wgsl_expr form_select(iri_wgsl *w, const iri_inst *in, const row *r)
{
    iri_wgsl_expr e[3];
    for (uint32_t i = 0; i < 3; i++)
        e[i] = operand(w, in, 2 - i);
    return iri_wgsl_call(w, r->text, e, 3);
}

/* Shift counts are u32 and use their lowest bits only; WGSL says so of 32-bit values at run time, and
 * refuses a larger constant. */
static iri_wgsl_expr form_shift(iri_wgsl *w, const iri_inst *in, const row *r)
{
    iri_id count = iri_operands(w->p, in)[1];
    iri_type type = iri_type_of(w->p, count),
             unsigned_type = IRI_TYPE(IRI_U32, IRI_TYPE_LANES(type));
    iri_wgsl_expr e;
    if (iri_is_constant(w->p, count)) {
        uint64_t bits[4];
        for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++)
            bits[i] = iri_constant(w->p, count)[i] & 31u;
        e = iri_wgsl_constant(w, unsigned_type, bits);
    } else {
        const uint64_t masks[4] = {31, 31, 31, 31};
        e = iri_wgsl_operand(w, count);
        if (type != unsigned_type)
            e = iri_wgsl_call(w, iri_wgsl_type(w, unsigned_type), &e, 1);
        e = iri_wgsl_binary(w, e, IRI_LEVEL_UNARY, IRI_STR(" & "),
                            iri_wgsl_constant(w, unsigned_type, masks), IRI_LEVEL_UNARY,
                            IRI_LEVEL_BITS);
    }
    return iri_wgsl_binary(w, operand(w, in, 0), IRI_LEVEL_UNARY, r->text, e, IRI_LEVEL_UNARY,
                           (iri_wgsl_level)r->level);
}

/* On scalar booleans && and || read better and mean the same: operands have no effects. */
static iri_wgsl_expr form_bits(iri_wgsl *w, const iri_inst *in, const row *r)
{
    iri_type type = operand_type(w, in, 0);
    iri_wgsl_expr a = operand(w, in, 0), b = operand(w, in, 1);
    if (IRI_TYPE_SCALAR(type) == IRI_BOOL && in->op == IRI_OP_XOR)
        return iri_wgsl_binary(w, a, IRI_LEVEL_SHIFT, IRI_STR(" != "), b, IRI_LEVEL_SHIFT,
                               IRI_LEVEL_COMPARE);
    if (type == IRI_TYPE_BOOL) {
        iri_wgsl_level level = in->op == IRI_OP_AND ? IRI_LEVEL_AND : IRI_LEVEL_OR;
        return iri_wgsl_binary(w, a, a.level == level ? level : IRI_LEVEL_COMPARE,
                               in->op == IRI_OP_AND ? IRI_STR(" && ") : IRI_STR(" || "), b,
                               IRI_LEVEL_COMPARE, level);
    }
    return iri_wgsl_binary(w, a, IRI_LEVEL_UNARY, r->text, b, IRI_LEVEL_UNARY,
                           (iri_wgsl_level)r->level);
}

static iri_wgsl_expr form_not(iri_wgsl *w, const iri_inst *in, const row *r)
{
    row logical = {NULL, IRI_STR("!"), r->level};
    return form_prefix(w, in, IRI_TYPE_SCALAR(operand_type(w, in, 0)) == IRI_BOOL ? &logical : r);
}

static iri_wgsl_expr form_over_lanes(iri_wgsl *w, const iri_inst *in, const row *r)
{
    return IRI_TYPE_LANES(operand_type(w, in, 0)) == 1 ? operand(w, in, 0)
                                                       : form_function(w, in, r);
}

static iri_wgsl_expr form_convert(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    iri_wgsl_expr e = operand(w, in, 0);
    return iri_wgsl_call(w, iri_wgsl_type(w, iri_type_of(w->p, in->results)), &e, 1);
}

static iri_wgsl_expr form_bitcast(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    return iri_wgsl_cast(w, operand(w, in, 0), operand_type(w, in, 0),
                         iri_type_of(w->p, in->results));
}

static iri_wgsl_expr form_access(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    return iri_wgsl_access(w, in);
}

static iri_wgsl_expr form_texel(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    return iri_wgsl_texel(w, in);
}

static iri_wgsl_expr form_query(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    return iri_wgsl_query(w, in);
}

static iri_wgsl_expr form_gather(iri_wgsl *w, const iri_inst *in, const row *r)
{
    return iri_wgsl_gather(w, in, r->text);
}

static iri_wgsl_expr form_state(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    const iri_interface *io = &w->p->interface;
    const uint32_t *immediates = iri_immediates(w->p, in);
    for (uint32_t i = io->state_count; i-- > 0;)
        if (io->states[i].id == immediates[0] && io->states[i].index == immediates[1] &&
            w->overrides[i].at)
            return (iri_wgsl_expr){.text = w->overrides[i], .level = IRI_LEVEL_POSTFIX};
    iri_fail(w->ctx, IRI_UNSPECIFIED_STATE, in->offset, "the state %s[%u] was not given",
             iri_state_get_info((iri_state_id)immediates[0])->name, (unsigned)immediates[1]);
}

static iri_wgsl_expr form_input(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    return iri_wgsl_input(w, in);
}

static iri_wgsl_expr form_load(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    return iri_wgsl_dynamic_load(w, in);
}

static iri_wgsl_expr form_sample(iri_wgsl *w, const iri_inst *in, const row *r)
{
    return iri_wgsl_sample(w, in, r->text);
}

static iri_wgsl_expr form_call(iri_wgsl *w, const iri_inst *in, const row *r)
{
    (void)r;
    iri_wgsl_expr *e = iri_new_array(w->arena, iri_wgsl_expr, in->operand_count);
    for (uint32_t i = 0; i < in->operand_count; i++)
        e[i] = operand(w, in, i);
    return iri_wgsl_call(w, w->functions[iri_immediates(w->p, in)[0]].name, e, in->operand_count);
}

static const row rows[IRI_OP_COUNT] = {
#define IRI_WGSL(id, form, text, level) \
    [IRI_OP_##id] = {form_##form, {text, sizeof(text) - 1}, IRI_LEVEL_##level},
#include "write/wgsl/ops.def"
#undef IRI_WGSL
};

/* A row twice gives an enumerator twice; a row too few or too many another count. */
enum {
#define IRI_WGSL(id, form, text, level) ROW_##id,
#include "write/wgsl/ops.def"
#undef IRI_WGSL
    ROW_COUNT
};
_Static_assert(ROW_COUNT == IRI_OP_COUNT - 1, "write/wgsl/ops.def lacks an operation");

iri_wgsl_expr iri_wgsl_operation(iri_wgsl *w, const iri_inst *in)
{
    return rows[in->op].form(w, in, &rows[in->op]);
}

/* The comparison that holds where `op` does not; NULL where NaN would make it another. */
static const row *opposite_of(uint32_t op)
{
    switch (op) {
    case IRI_OP_EQ: return &rows[IRI_OP_NE];
    case IRI_OP_NE: return &rows[IRI_OP_EQ];
    case IRI_OP_IEQ: return &rows[IRI_OP_INE];
    case IRI_OP_INE: return &rows[IRI_OP_IEQ];
    case IRI_OP_ILT: return &rows[IRI_OP_GE];
    case IRI_OP_ILE: return &rows[IRI_OP_GT];
    default: return NULL;
    }
}

iri_str iri_wgsl_opposite(iri_wgsl *w, iri_id condition)
{
    const iri_inst *in = iri_def(w->p, condition);
    if (!in || w->values[condition].named || IRI_TYPE_LANES(iri_type_of(w->p, condition)) > 1)
        return IRI_STR_NONE;
    if (in->op == IRI_OP_NOT)
        return operand(w, in, 0).text;
    const row *r = opposite_of(in->op);
    return r ? form_compare(w, in, r).text : IRI_STR_NONE;
}
