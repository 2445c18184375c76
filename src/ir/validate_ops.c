/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types and words of one instruction: a loop over the letters of ops.def, then, for the operations whose
 * immediates mean something, a function each.
 */
#include "ir/signature.h"
#include "ir/validate.h"

/* The type variable: of the first operand that says it, else of the first result. */
static iri_type find_t(const iri_validator *v, const iri_inst *in, const iri_signature *s)
{
    const char *letters = s->operands;
    for (uint32_t i = 0; i < in->operand_count; i++)
        if (iri_letter_gives_t(iri_next_letter(&letters)))
            return iri_operand_type(v, in, i);
    return iri_result_type(v, in);
}

static bool check_count(iri_validator *v, uint32_t count, const char *letters, const char *what)
{
    iri_arity arity = iri_letter_arity(letters);
    if (count >= arity.least && count <= arity.most)
        return true;
    iri_found(v, "has %u %s, not %u", (unsigned)count, what, (unsigned)arity.least);
    return false;
}

static bool check_counts(iri_validator *v, const iri_inst *in, const iri_signature *s)
{
    bool good = check_count(v, in->operand_count, s->operands, "operands");
    good &= check_count(v, in->immediate_count, s->immediates, "immediates");
    good &= check_count(v, in->result_count, s->results, "results");
    if (!(iri_props(in->op) & IRI_PROP_REGION) && in->region_count) {
        iri_found(v, "has regions");
        good = false;
    }
    return good;
}

static bool check_letter(iri_validator *v, char letter, iri_type type, iri_type t, const char *what,
                         uint32_t index)
{
    if (iri_letter_fits(letter, type, t))
        return true;
    iri_found(v, "%s %u is %s, not %s", what, (unsigned)index + 1, iri_type_name(type),
              iri_letter_words(letter, t));
    return false;
}

static bool check_letters(iri_validator *v, const iri_inst *in, const iri_signature *s)
{
    iri_type t = s->type_class == '-' ? IRI_TYPE_VOID : find_t(v, in, s);
    const char *letters = s->operands;
    bool good = true;
    if (s->type_class != '-' && !iri_class_has(s->type_class, IRI_TYPE_SCALAR(t))) {
        iri_found(v, "is not for %s", iri_type_name(t));
        return false;
    }
    for (uint32_t i = 0; i < in->operand_count; i++)
        good &=
            check_letter(v, iri_next_letter(&letters), iri_operand_type(v, in, i), t, "operand", i);
    letters = s->results;
    for (uint32_t i = 0; i < in->result_count; i++)
        good &= check_letter(v, iri_next_letter(&letters), iri_type_of(v->p, in->results + i), t,
                             "result", i);
    return good;
}

/* ---- lanes ---- */

/* Whether `lanes` choose lanes of `from`. */
static bool check_lanes(iri_validator *v, iri_lanes lanes, iri_type from, bool mask)
{
    if (!iri_are_lanes(lanes, mask)) {
        iri_found(v, "0x%lx is no %s of lanes", (unsigned long)lanes, mask ? "mask" : "choice");
        return false;
    }
    uint32_t missing = iri_missing_lane(lanes, from);
    if (missing < 4)
        iri_found(v, "%s has no lane %c", iri_type_name(from), "xyzw"[missing]);
    return missing == 4;
}

/* `type` is the lanes of `from` that are chosen or written. */
static void check_chosen(iri_validator *v, iri_type type, iri_type from, iri_lanes lanes, bool mask)
{
    iri_type exact = IRI_TYPE(IRI_TYPE_SCALAR(from), IRI_LANES_COUNT(lanes));
    if (check_lanes(v, lanes, from, mask) && type != exact)
        iri_found(v, "%s where the lanes are %s", iri_type_name(type), iri_type_name(exact));
}

static void check_compose(iri_validator *v, const iri_inst *in)
{
    iri_type result = iri_result_type(v, in);
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < in->operand_count; i++) {
        iri_type type = iri_operand_type(v, in, i);
        lanes += IRI_TYPE_LANES(type);
        if (IRI_TYPE_SCALAR(type) != IRI_TYPE_SCALAR(result))
            iri_found(v, "joins %s into %s", iri_type_name(type), iri_type_name(result));
    }
    if (lanes != IRI_TYPE_LANES(result))
        iri_found(v, "joins %u lanes into %s", (unsigned)lanes, iri_type_name(result));
}

/* ---- interface, state, locals ---- */

static void check_input(iri_validator *v, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(v->p, in);
    if (imm[0] >= v->p->interface.input_count)
        iri_found(v, "there is no input %u", (unsigned)imm[0]);
    else
        check_chosen(v, iri_result_type(v, in), v->p->interface.inputs[imm[0]].type, imm[1], false);
}

static void check_output(iri_validator *v, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(v->p, in);
    if (imm[0] >= v->p->interface.output_count)
        iri_found(v, "there is no output %u", (unsigned)imm[0]);
    else
        check_chosen(v, iri_operand_type(v, in, 0), v->p->interface.outputs[imm[0]].type, imm[1],
                     true);
}

static void check_state(iri_validator *v, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(v->p, in);
    const iri_interface *io = &v->p->interface;
    const iri_state_info *info = iri_state_get_info((iri_state_id)imm[0]);
    if (!info || imm[0] == IRI_STATE_NONE) {
        iri_found(v, "there is no state %u", (unsigned)imm[0]);
        return;
    }
    if (imm[1] >= info->count)
        iri_found(v, "there is no %s[%u]", info->name, (unsigned)imm[1]);
    if (iri_result_type(v, in) != info->type)
        iri_found(v, "the state is %s, not %s", iri_type_name(info->type),
                  iri_type_name(iri_result_type(v, in)));
    bool has_source = (v->capabilities & IRI_CAN_STATE) != 0;
    for (uint32_t i = 0; i < io->state_count; i++)
        has_source |= io->states[i].id == imm[0] && io->states[i].index == imm[1] &&
                      io->states[i].source != IRI_STATE_UNSPECIFIED;
    if (!has_source)
        iri_found(v, "the state has no source");
}

static void check_load_cb(iri_validator *v, const iri_inst *in)
{
    const iri_resource *r = iri_get_resource(v, in, 0);
    iri_type type = iri_result_type(v, in);
    iri_id offset = iri_operands(v->p, in)[0];
    char label[32];
    if (IRI_TYPE_SCALAR(type) == IRI_BOOL)
        iri_found(v, "memory holds no %s", iri_type_name(type));
    iri_check_range_index(v, r, in, 1);
    if (!r || IRI_TYPE_SCALAR(type) == IRI_BOOL)
        return;
    iri_resource_label(r, label);
    if (!iri_is_constant(v->p, offset)) {
        if (!(r->flags & IRI_RESOURCE_DYNAMIC))
            iri_found(v, "%s is not marked dynamic", label);
        return;
    }
    uint64_t at = iri_constant(v->p, offset)[0];
    uint32_t size = IRI_TYPE_LANES(type) * iri_scalar_bits(IRI_TYPE_SCALAR(type)) / 8;
    if (at % 4)
        iri_found(v, "byte %llu is no word's first", (unsigned long long)at);
    /* A run-time address that folds to a number may lie outside: it reads 0. */
    if (at + size > r->size && !(r->flags & IRI_RESOURCE_DYNAMIC))
        iri_found(v, "bytes %llu to %llu of %s, which has %lu", (unsigned long long)at,
                  (unsigned long long)(at + size), label, (unsigned long)r->size);
}

static void check_local(iri_validator *v, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(v->p, in);
    const iri_function *f = &v->p->functions[v->function];
    bool store = in->op == IRI_OP_STORE_LOCAL;
    if (imm[0] < f->first_local || imm[0] - f->first_local >= f->local_count) {
        iri_found(v, "the function has no local %u", (unsigned)imm[0]);
        return;
    }
    const iri_local *local = &v->p->locals[imm[0]];
    if ((in->operand_count > (store ? 1u : 0u)) != (local->length != 0))
        iri_found(v, "%.40s %s", local->name, local->length ? "needs an index" : "is no array");
    check_chosen(v, store ? iri_operand_type(v, in, 0) : iri_result_type(v, in), local->type,
                 imm[1], store);
}

/* ---- calls ---- */

static void check_call(iri_validator *v, const iri_inst *in)
{
    const iri_program *p = v->p;
    iri_id function = iri_immediates(p, in)[0];
    if (!function || function >= p->function_count) {
        iri_found(v, "there is no function %u", (unsigned)function);
        return;
    }
    const iri_function *f = &p->functions[function];
    const iri_region *body = &p->regions[f->body];
    uint32_t takes = f->body ? body->parameter_count : f->external_count;
    if (function == p->entry)
        iri_found(v, "calls the entry");
    if (in->operand_count != takes || in->result_count != f->result_count) {
        iri_found(v, "%.40s takes %u values and gives %u", f->name, (unsigned)takes,
                  (unsigned)f->result_count);
        return;
    }
    for (uint32_t i = 0; i < takes; i++) {
        iri_type wanted = f->body ? iri_type_of(p, body->parameters + i) : f->external_types[i];
        if (iri_operand_type(v, in, i) != wanted)
            iri_found(v, "argument %u is %s, not %s", (unsigned)i + 1,
                      iri_type_name(iri_operand_type(v, in, i)), iri_type_name(wanted));
    }
    for (uint32_t i = 0; i < f->result_count; i++)
        if (iri_type_of(p, in->results + i) != f->result_types[i])
            iri_found(v, "result %u is %s, not %s", (unsigned)i + 1,
                      iri_type_name(iri_type_of(p, in->results + i)),
                      iri_type_name(f->result_types[i]));
}

/* ---- one instruction ---- */

static void check_words(iri_validator *v, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(v->p, in);
    iri_type result = iri_result_type(v, in);
    switch (in->op) {
    case IRI_OP_SWIZZLE: check_chosen(v, result, iri_operand_type(v, in, 0), imm[0], false); break;
    case IRI_OP_INSERT:
        check_chosen(v, iri_operand_type(v, in, 1), iri_operand_type(v, in, 0), imm[0], true);
        break;
    case IRI_OP_COMPOSE: check_compose(v, in); break;
    case IRI_OP_SPLAT:
        if (iri_operand_type(v, in, 0) != IRI_TYPE(IRI_TYPE_SCALAR(result), 1))
            iri_found(v, "%s from %s", iri_type_name(result),
                      iri_type_name(iri_operand_type(v, in, 0)));
        break;
    case IRI_OP_BITCAST:
        if (iri_scalar_bits(IRI_TYPE_SCALAR(iri_operand_type(v, in, 0))) !=
            iri_scalar_bits(IRI_TYPE_SCALAR(result)))
            iri_found(v, "%s from %s", iri_type_name(result),
                      iri_type_name(iri_operand_type(v, in, 0)));
        break;
    case IRI_OP_INPUT: check_input(v, in); break;
    case IRI_OP_OUTPUT: check_output(v, in); break;
    case IRI_OP_STATE: check_state(v, in); break;
    case IRI_OP_LOAD_CB: check_load_cb(v, in); break;
    case IRI_OP_LOAD_LOCAL:
    case IRI_OP_STORE_LOCAL: check_local(v, in); break;
    case IRI_OP_CALL: check_call(v, in); break;
    case IRI_OP_DEMOTE:
        if (v->p->stage != IRI_STAGE_PIXEL && v->p->stage != IRI_STAGE_NONE)
            iri_found(v, "only pixel programs demote");
        break;
    default: iri_check_access(v, in); break;
    }
}

static void check_scalars(iri_validator *v, const iri_inst *in)
{
    const uint32_t widths = IRI_CAN_INT16 | IRI_CAN_F16 | IRI_CAN_INT64 | IRI_CAN_F64;
    uint32_t seen = 0;
    if ((v->capabilities & widths) == widths)
        return; /* all scalars are allowed */
    for (uint32_t i = 0; i < in->operand_count; i++)
        seen |= 1u << IRI_TYPE_SCALAR(iri_operand_type(v, in, i));
    for (uint32_t i = 0; i < in->result_count; i++)
        seen |= 1u << IRI_TYPE_SCALAR(iri_type_of(v->p, in->results + i));
    for (uint32_t s = 1; s < IRI_SCALAR_COUNT; s++)
        if (seen >> s & 1)
            iri_check_scalar(v, (iri_scalar)s);
}

static void check_constants(iri_validator *v, const iri_inst *in)
{
    for (uint32_t i = 0; i < in->operand_count; i++) {
        iri_id value = iri_operands(v->p, in)[i];
        uint32_t bits = iri_scalar_bits(IRI_TYPE_SCALAR(iri_type_of(v->p, value)));
        bool good = true;
        if (!iri_is_constant(v->p, value) || bits == 64)
            continue;
        for (uint32_t k = 0; k < IRI_TYPE_LANES(iri_type_of(v->p, value)); k++)
            good &= iri_constant(v->p, value)[k] >> bits == 0;
        if (!good)
            iri_found(v, "operand %u is a constant with more bits than its type", (unsigned)i + 1);
    }
}

void iri_check_inst(iri_validator *v, const iri_inst *in)
{
    const iri_signature *s = &iri_signatures[in->op];
    iri_type type;
    check_scalars(v, in);
    check_constants(v, in);
    if ((iri_props(in->op) & IRI_PROP_DERIVATIVE) && v->p->stage == IRI_STAGE_VERTEX)
        iri_found(v, "a vertex program has no derivatives");
    /* Nothing more is to be said of most. */
    if (in->immediate_count == 0 && in->region_count == 0 && in->result_count == 1 &&
        iri_are_alike(s, v->p->values, iri_operands(v->p, in), in->operand_count, &type) &&
        type == iri_type_of(v->p, in->results))
        return;
    if (check_counts(v, in, s) && check_letters(v, in, s))
        check_words(v, in);
}
