/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a program's arrays hold together: every id in range, every value defined where it says, every
 * region in one place only. Nothing is read before it was found to be there.
 */
#include "ir/validate.h"

bool iri_is_type(iri_type type)
{
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    return scalar > IRI_VOID && scalar < IRI_SCALAR_COUNT;
}

static bool in_range(uint32_t first, uint32_t count, uint32_t total)
{
    return first <= total && count <= total - first;
}

static bool types_are_good(iri_validator *v, const iri_type *types, uint32_t count,
                           const char *what)
{
    for (uint32_t i = 0; i < count; i++)
        if (!types || !iri_is_type(types[i])) {
            iri_found(v, "%s %u is of no type", what, (unsigned)i + 1);
            return false;
        }
    return true;
}

static bool check_function(iri_validator *v, const iri_function *f)
{
    const iri_program *p = v->p;
    bool good = true;
    if (!f->name) {
        iri_found(v, "has no name");
        return false;
    }
    if (f->form > IRI_FORM_CFG) {
        iri_found(v, "is of no form");
        good = false;
    }
    if (f->body >= p->region_count ||
        (f->form == IRI_FORM_CFG &&
         (!f->body || !f->block_count || !in_range(f->body, f->block_count, p->region_count)))) {
        iri_found(v, "its body is no region");
        good = false;
    }
    if (!in_range(f->first_local, f->local_count, p->local_count) ||
        (f->local_count && !f->first_local)) {
        iri_found(v, "its locals are out of range");
        return false;
    }
    for (uint32_t i = f->first_local; i < f->first_local + f->local_count; i++)
        if (!p->locals[i].name || !iri_is_type(p->locals[i].type) ||
            p->locals[i].init > IRI_LOCAL_ZERO) {
            iri_found(v, "local %u is malformed", (unsigned)i);
            good = false;
        }
    good &= types_are_good(v, f->result_types, f->result_count, "result");
    return types_are_good(v, f->external_types, f->external_count, "parameter") && good;
}

static bool check_value(iri_validator *v, iri_id id)
{
    const iri_program *p = v->p;
    const iri_value *value = &p->values[id];
    bool good = iri_is_type(value->type);
    switch (value->kind) {
    case IRI_VALUE_CONSTANT:
        good = good && in_range(value->def, IRI_TYPE_LANES(value->type), p->constant_count);
        break;
    case IRI_VALUE_RESULT:
        good = good && value->def && value->def < p->inst_count &&
               value->index < p->insts[value->def].result_count &&
               p->insts[value->def].results + value->index == id;
        break;
    case IRI_VALUE_PARAMETER:
        good = good && value->def && value->def < p->region_count &&
               value->index < p->regions[value->def].parameter_count &&
               p->regions[value->def].parameters + value->index == id;
        break;
    default: good = false; break;
    }
    if (!good)
        iri_found(v, "value %u is malformed", (unsigned)id);
    return good;
}

static bool check_inst_ranges(iri_validator *v, const iri_inst *in)
{
    const iri_program *p = v->p;
    uint32_t words = (uint32_t)in->operand_count + in->immediate_count + in->region_count;
    if (in->op == IRI_OP_NONE || in->op >= IRI_OP_COUNT) {
        iri_found(v, "there is no operation %u", (unsigned)in->op);
        return false;
    }
    if (!in_range(in->words, words, p->word_count)) {
        iri_found(v, "its words are out of range");
        return false;
    }
    if (in->result_count &&
        (!in->results || !in_range(in->results, in->result_count, p->value_count))) {
        iri_found(v, "its results are out of range");
        return false;
    }
    for (uint32_t i = 0; i < in->operand_count; i++)
        if (!iri_operands(p, in)[i] || iri_operands(p, in)[i] >= p->value_count) {
            iri_found(v, "operand %u is no value", (unsigned)i + 1);
            return false;
        }
    for (uint32_t i = 0; i < in->region_count; i++)
        if (!iri_regions(p, in)[i] || iri_regions(p, in)[i] >= p->region_count) {
            iri_found(v, "part %u is no region", (unsigned)i + 1);
            return false;
        }
    for (uint32_t i = 0; i < in->result_count; i++)
        if (p->values[in->results + i].kind != IRI_VALUE_RESULT ||
            p->values[in->results + i].def != (iri_id)(in - p->insts)) {
            iri_found(v, "result %u is another's", (unsigned)i + 1);
            return false;
        }
    return true;
}

static bool check_region_ranges(iri_validator *v, iri_id id)
{
    const iri_program *p = v->p;
    const iri_region *r = &p->regions[id];
    bool good = in_range(r->first, r->count, p->order_count) &&
                (!r->parameter_count ||
                 (r->parameters && in_range(r->parameters, r->parameter_count, p->value_count)));
    for (uint32_t i = 0; good && i < r->count; i++)
        good = p->order[r->first + i] && p->order[r->first + i] < p->inst_count;
    for (uint32_t i = 0; good && i < r->parameter_count; i++)
        good = p->values[r->parameters + i].kind == IRI_VALUE_PARAMETER &&
               p->values[r->parameters + i].def == id;
    if (!good)
        iri_found(v, "region %u is malformed", (unsigned)id);
    return good;
}

typedef struct visited {
    iri_bitset regions, insts;
} visited;

/* Everything in range, so that only being met twice or too deep can be wrong. */
static bool check_tree(iri_validator *v, visited *seen, iri_id region, iri_id owner, uint32_t depth)
{
    const iri_program *p = v->p;
    const iri_region *r = &p->regions[region];
    bool good = !iri_bitset_has(&seen->regions, region);
    if (!good || r->owner != owner || depth > IRI_REGIONS_MAX) {
        iri_found(v, "region %u %s", (unsigned)region,
                  !good                     ? "is in two places"
                  : depth > IRI_REGIONS_MAX ? "is nested too deep"
                                            : "names another owner");
        return false;
    }
    iri_bitset_add(&seen->regions, region);
    for (uint32_t i = 0; good && i < r->count; i++) {
        iri_id inst = p->order[r->first + i];
        const iri_inst *in = &p->insts[inst];
        if (iri_bitset_has(&seen->insts, inst)) {
            iri_found(v, "instruction %u is in two places", (unsigned)inst);
            return false;
        }
        iri_bitset_add(&seen->insts, inst);
        for (uint32_t k = 0; good && k < in->region_count; k++)
            good = check_tree(v, seen, iri_regions(p, in)[k], inst, depth + 1);
    }
    return good;
}

static bool check_arrays(iri_validator *v)
{
    const iri_program *p = v->p;
    bool good = true;
    if (!p->function_count || !p->inst_count || !p->value_count || !p->region_count ||
        !p->local_count || p->entry >= p->function_count) {
        iri_found(v, "the program has no element 0, or no such entry");
        return false;
    }
    for (v->function = 1; v->function < p->function_count; v->function++)
        good &= check_function(v, &p->functions[v->function]);
    v->function = 0;
    for (v->inst = 1; v->inst < p->inst_count; v->inst++)
        good &= check_inst_ranges(v, &p->insts[v->inst]);
    v->inst = 0;
    for (iri_id i = 1; i < p->region_count; i++)
        good &= check_region_ranges(v, i);
    for (iri_id i = 1; i < p->value_count; i++)
        good &= check_value(v, i);
    return good;
}

bool iri_check_sound(iri_validator *v)
{
    const iri_program *p = v->p;
    if (!check_arrays(v))
        return false;
    bool good = true;
    visited seen = {iri_bitset_make(v->arena, p->region_count),
                    iri_bitset_make(v->arena, p->inst_count)};
    for (v->function = 1; v->function < p->function_count; v->function++) {
        const iri_function *f = &p->functions[v->function];
        uint32_t count = !f->body ? 0 : f->form == IRI_FORM_CFG ? f->block_count : 1;
        for (uint32_t i = 0; i < count; i++)
            good &= check_tree(v, &seen, f->body + i, 0, 1);
    }
    v->function = 0;
    return good;
}
