/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether operands and immediates fit an operation, by the letters of ops.def, and what type results. The
 * few operations whose result is "given" but follows from an immediate or the interface stand in `derive`.
 */
#include "ir/emit_internal.h"
#include "ir/memory.h"
#include "ir/signature.h"

enum { OPERANDS_MAX = 8 };

typedef struct check {
    iri_builder *b;
    iri_op op;
    const iri_signature *s;
    iri_type given;
    iri_type t; /* the type variable */
    iri_type types[OPERANDS_MAX];
    uint32_t count;
    const uint32_t *immediates;
    bool quiet, failed;
} check;

#define FAULT(c, ...) \
    do { \
        if (!(c)->quiet && !(c)->failed) \
            iri_op_fault((c)->b, (uint32_t)(c)->op, __VA_ARGS__); \
        (c)->failed = true; \
    } while (0)

/* The types of the operands, and the type variable. */
static void find_types(check *c, const iri_id *operands)
{
    const char *letters = c->s->operands;
    bool none = c->s->type_class == '-', found = none;
    c->t = c->given;
    for (uint32_t i = 0; i < c->count; i++) {
        c->types[i] = iri_builder_type(c->b, operands[i]);
        if (!found && iri_letter_gives_t(iri_next_letter(&letters))) {
            c->t = c->types[i];
            found = true;
        }
    }
    if (!none && c->t && !iri_class_has(c->s->type_class, IRI_TYPE_SCALAR(c->t)) &&
        (found || c->s->operands[0] != 'V'))
        FAULT(c, "is not for %s", iri_type_name(c->t));
}

static void check_operands(check *c)
{
    const char *letters = c->s->operands;
    for (uint32_t i = 0; i < c->count && !c->failed; i++) {
        char letter = iri_next_letter(&letters);
        if (!c->types[i])
            FAULT(c, "operand %u is no value", (unsigned)i + 1);
        else if (!iri_letter_fits(letter, c->types[i], c->t))
            FAULT(c, "operand %u is %s, not %s", (unsigned)i + 1, iri_type_name(c->types[i]),
                  iri_letter_words(letter, c->t));
    }
}

static void check_lanes(check *c, iri_lanes lanes, bool mask)
{
    if (!iri_are_lanes(lanes, mask))
        FAULT(c, "0x%x is no %s of lanes", (unsigned)lanes, mask ? "mask" : "choice");
}

/* Whether all lanes chosen are lanes of the type. */
static void lanes_within(check *c, iri_lanes lanes, iri_type type)
{
    uint32_t missing = iri_missing_lane(lanes, type);
    if (missing < 4)
        FAULT(c, "lane %c of %s", "xyzw"[missing], iri_type_name(type));
}

static void check_resource(check *c, uint32_t index, uint32_t kinds)
{
    static const char *const names[IRI_RESOURCE_COUNT] = {
        "resource", "constant buffer", "texture",        "sampler",
        "buffer",   "storage buffer",  "storage texture"};
    uint32_t kind = 0;
    while (!(kinds >> kind & 1))
        kind++;
    if (index >= c->b->resources.count)
        FAULT(c, "no resource %u", (unsigned)index);
    else if (!(kinds >> c->b->resources.at[index].kind & 1))
        FAULT(c, "resource %u is no %s", (unsigned)index, names[kind]);
}

static void check_immediate(check *c, uint32_t i, char letter)
{
    const iri_program *p = c->b->p;
    const iri_function *f = &p->functions[c->b->function];
    uint32_t word = c->immediates[i];
    switch (letter) {
    case 'r': check_resource(c, word, iri_resource_kinds((uint32_t)c->op, i)); break;
    case 'w':
        if (word >= c->b->shared.count)
            FAULT(c, "no workgroup variable %u", (unsigned)word);
        break;
    case 'a':
        if (word >= IRI_ATOMIC_COUNT)
            FAULT(c, "no atomic function %u", (unsigned)word);
        break;
    case 'y':
        if (word & ~(uint32_t)IRI_BARRIER_ALL || !word)
            FAULT(c, "no barrier of %u", (unsigned)word);
        break;
    case 'n':
        if (word >= c->b->inputs.count)
            FAULT(c, "no input %u", (unsigned)word);
        break;
    case 'o':
        if (word >= c->b->outputs.count)
            FAULT(c, "no output %u", (unsigned)word);
        break;
    case 'l':
        if (!c->b->function || word < f->first_local || word - f->first_local >= f->local_count)
            FAULT(c, "no local %u in this function", (unsigned)word);
        break;
    case 's':
        if (word == IRI_STATE_NONE || word >= IRI_STATE_COUNT)
            FAULT(c, "no state %u", (unsigned)word);
        break;
    case 'z': check_lanes(c, word, false); break;
    case 'm': check_lanes(c, word, true); break;
    default: break; /* numbers */
    }
}

/* x written through a mask into something of the type. */
static void check_masked(check *c, iri_type into, iri_type x, iri_lanes mask)
{
    lanes_within(c, mask, into);
    if (IRI_TYPE_SCALAR(x) != IRI_TYPE_SCALAR(into) || IRI_TYPE_LANES(x) != IRI_LANES_COUNT(mask))
        FAULT(c, "%s written to %u lanes of %s", iri_type_name(x), (unsigned)IRI_LANES_COUNT(mask),
              iri_type_name(into));
}

static iri_type chosen(check *c, iri_type from, iri_lanes lanes)
{
    lanes_within(c, lanes, from);
    return IRI_TYPE(IRI_TYPE_SCALAR(from), IRI_LANES_COUNT(lanes));
}

static iri_type derive_compose(check *c)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        lanes += IRI_TYPE_LANES(c->types[i]);
        if (IRI_TYPE_SCALAR(c->types[i]) != IRI_TYPE_SCALAR(c->types[0])) {
            FAULT(c, "joins %s and %s", iri_type_name(c->types[0]), iri_type_name(c->types[i]));
            return c->types[0];
        }
    }
    if (lanes < 1 || lanes > 4) {
        FAULT(c, "joins %u lanes", (unsigned)lanes);
        return c->count ? c->types[0] : IRI_TYPE_VOID;
    }
    return IRI_TYPE(IRI_TYPE_SCALAR(c->types[0]), lanes);
}

static void check_index(check *c, const iri_local *local, uint32_t operands_without)
{
    if ((c->count > operands_without) != (local->length != 0))
        FAULT(c, "%s %s an index", local->name, local->length ? "needs" : "has no use for");
}

/* Memory is made of words. */
static void check_words(check *c, iri_type type)
{
    if (iri_scalar_bits(IRI_TYPE_SCALAR(type)) != 32)
        FAULT(c, "memory holds no %s", iri_type_name(type));
}

static void check_memory(check *c, iri_memory_op m)
{
    if (m.act == IRI_MEMORY_LOAD)
        check_words(c, c->given);
    else
        check_words(c, c->types[m.places]);
    if (m.act >= IRI_MEMORY_ATOMIC && IRI_TYPE_LANES(c->t) != 1)
        FAULT(c, "is of one lane, not %s", iri_type_name(c->t));
}

/* What the letters leave open, for an operation whose letters fit: the result where it is derived (void:
 * given), and the rules between operands and immediates. */
static iri_type derive(check *c)
{
    const iri_program *p = c->b->p;
    const uint32_t *imm = c->immediates;
    switch (c->op) {
    case IRI_OP_SWIZZLE: return chosen(c, c->types[0], imm[0]);
    case IRI_OP_INSERT: check_masked(c, c->t, c->types[1], imm[0]); return c->t;
    case IRI_OP_COMPOSE: return derive_compose(c);
    case IRI_OP_SPLAT:
        if (IRI_TYPE_LANES(c->types[0]) != 1 ||
            IRI_TYPE_SCALAR(c->types[0]) != IRI_TYPE_SCALAR(c->given))
            FAULT(c, "%s of %s", iri_type_name(c->given), iri_type_name(c->types[0]));
        return c->given;
    case IRI_OP_BITCAST:
        if (iri_scalar_bits(IRI_TYPE_SCALAR(c->types[0])) !=
            iri_scalar_bits(IRI_TYPE_SCALAR(c->given)))
            FAULT(c, "from %s to %s", iri_type_name(c->types[0]), iri_type_name(c->given));
        return IRI_TYPE_VOID;
    case IRI_OP_INPUT: return chosen(c, c->b->inputs.at[imm[0]].type, imm[1]);
    case IRI_OP_OUTPUT:
        check_masked(c, c->b->outputs.at[imm[0]].type, c->types[0], imm[1]);
        return IRI_TYPE_VOID;
    case IRI_OP_STATE:
        if (imm[1] >= iri_state_get_info((iri_state_id)imm[0])->count)
            FAULT(c, "no %s %u", iri_state_get_info((iri_state_id)imm[0])->name, (unsigned)imm[1]);
        return iri_state_get_info((iri_state_id)imm[0])->type;
    case IRI_OP_LOAD_CB:
        if (IRI_TYPE_SCALAR(c->given) == IRI_BOOL)
            FAULT(c, "memory holds no %s", iri_type_name(c->given));
        return IRI_TYPE_VOID;
    case IRI_OP_LOAD_LOCAL:
        check_index(c, &p->locals[imm[0]], 0);
        return chosen(c, p->locals[imm[0]].type, imm[1]);
    case IRI_OP_STORE_LOCAL:
        check_index(c, &p->locals[imm[0]], 1);
        check_masked(c, p->locals[imm[0]].type, c->types[0], imm[1]);
        return IRI_TYPE_VOID;
    default: break;
    }
    iri_memory_op m = iri_memory_of((uint32_t)c->op);
    if (m.memory)
        check_memory(c, m);
    return IRI_TYPE_VOID;
}

static iri_type result_type(check *c)
{
    char letter = c->s->results[0];
    switch (letter) {
    case 0: return IRI_TYPE_VOID;
    case 'T': return c->t;
    case 'S': return IRI_TYPE(IRI_TYPE_SCALAR(c->t), 1);
    case 'B': return IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(c->t));
    case 'b': return IRI_TYPE_BOOL;
    case 'f': return IRI_TYPE_F32;
    case 'u': return IRI_TYPE_U32;
    case 'V':
        if (!iri_class_has('A', IRI_TYPE_SCALAR(c->given)))
            FAULT(c, "gives no type");
        return c->given;
    default:
        if (!iri_letter_fits(letter, c->given, c->t))
            FAULT(c, "%s from %s", iri_type_name(c->given), iri_type_name(c->t));
        return c->given;
    }
}

/* The commonest operation that is not of one type. */
static bool is_good_swizzle(const iri_builder *b, iri_op op, const iri_id *operands,
                            uint32_t operand_count, const uint32_t *immediates,
                            uint32_t immediate_count, iri_type *result)
{
    if (op != IRI_OP_SWIZZLE || operand_count != 1 || immediate_count != 1)
        return false;
    iri_type type = iri_builder_type(b, operands[0]);
    if (!type || !iri_are_lanes(immediates[0], false) || iri_missing_lane(immediates[0], type) < 4)
        return false;
    *result = IRI_TYPE(IRI_TYPE_SCALAR(type), IRI_LANES_COUNT(immediates[0]));
    return true;
}

bool iri_check_op(iri_builder *b, iri_op op, iri_type given, const iri_id *operands,
                  uint32_t operand_count, const uint32_t *immediates, uint32_t immediate_count,
                  bool quiet, iri_type *result)
{
    const iri_signature *s = &iri_signatures[op];
    if (immediate_count == 0 && iri_are_alike(s, b->p->values, operands, operand_count, result))
        return true;
    if (!given &&
        is_good_swizzle(b, op, operands, operand_count, immediates, immediate_count, result))
        return true;
    check c = {.b = b,
               .op = op,
               .s = s,
               .given = given,
               .count = operand_count,
               .immediates = immediates,
               .quiet = quiet};
    iri_arity arity = iri_letter_arity(s->operands);
    if (operand_count < arity.least || operand_count > arity.most || operand_count > OPERANDS_MAX)
        FAULT(&c, "%u operands", (unsigned)operand_count);
    if (c.count > OPERANDS_MAX)
        c.count = OPERANDS_MAX;
    find_types(&c, operands);
    check_operands(&c);
    if (immediate_count != s->immediate_letters)
        FAULT(&c, "%u immediates", (unsigned)immediate_count);
    for (uint32_t i = 0; i < immediate_count && !c.failed; i++)
        check_immediate(&c, i, s->immediates[i]);
    iri_type derived = c.failed ? IRI_TYPE_VOID : derive(&c);
    if (!derived || s->results[0] != 'V')
        *result = result_type(&c);
    else
        *result = derived;
    if (derived && derived != given && given && s->results[0] == 'V')
        FAULT(&c, "gives %s, not %s", iri_type_name(derived), iri_type_name(given));
    if (c.failed && s->results[0] && !iri_scalar_bits(IRI_TYPE_SCALAR(*result)))
        *result = IRI_TYPE_F32;
    return !c.failed;
}
