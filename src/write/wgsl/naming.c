/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a module calls its resources, states, inputs, outputs and functions, and which functions it has.
 */
#include "write/wgsl/wgsl.h"

#include "ir/facts/uniform.h"
#include "write/wgsl/words.h"

void iri_wgsl_map_name(iri_wgsl *w, iri_str source, iri_str emitted, uint32_t kind, uint32_t index,
                       const iri_binding *binding, int32_t location)
{
    if (!w->result->wanted)
        return;
    iri_emitted_name name = {iri_arena_copy_text(w->arena, source.at, source.size),
                             emitted.at,
                             kind,
                             index,
                             binding ? (int32_t)binding->group : -1,
                             binding ? (int32_t)binding->binding : -1,
                             location};
    iri_push(w->arena, &w->result->names, name);
}

/* ---- resources, states, inputs and outputs ---- */

static bool ends_with(iri_str text, iri_str end)
{
    for (size_t i = 0; text.size > end.size && i < end.size; i++) {
        char c = text.at[text.size - end.size + i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c + 32) : c) != end.at[i])
            return false;
    }
    return text.size > end.size;
}

/* Direct3D 9 has one name for a texture and its sampler. If it says "sampler" it is the sampler's, and
 * the texture has it without; otherwise it is the texture's. */
static iri_str resource_name(iri_wgsl *w, const iri_resource *r, iri_str source)
{
    static const iri_str banks[] = {{"constants", 9}, {"integers", 8}, {"booleans", 8}};
    const iri_str sampler = IRI_STR("sampler");
    bool d3d9 = strcmp(w->p->provenance.format, "d3d9") == 0;
    if (r->flags & IRI_RESOURCE_STATE)
        return IRI_STR("state");
    if (!r->name || !r->name[0])
        return d3d9 && r->kind == IRI_RESOURCE_CBUFFER && r->reg < 3 && !r->space ? banks[r->reg]
                                                                                  : source;
    iri_str name = iri_names_clean(w->arena, source, IRI_STR("resource"));
    bool says_sampler = ends_with(name, sampler);
    if (r->kind == IRI_RESOURCE_TEXTURE && says_sampler) {
        name.size -= sampler.size;
        while (name.size > 1 && name.at[name.size - 1] == '_')
            name.size--;
    } else if (r->kind == IRI_RESOURCE_SAMPLER && !says_sampler) {
        name = IRI_WGSL_JOIN(w, name, IRI_STR("_sampler"));
    } else if (r->kind == IRI_RESOURCE_CBUFFER && name.at[0] >= 'A' && name.at[0] <= 'Z') {
        char *lower = iri_arena_copy_text(w->arena, name.at, name.size);
        lower[0] = (char)(lower[0] - 'A' + 'a');
        name.at = lower;
    }
    return name;
}

static void name_resources(iri_wgsl *w)
{
    const iri_interface *io = &w->p->interface;
    char label[32];
    iri_binding *bindings = iri_plan_bindings(w->ctx, w->arena, w->p, &w->options->bindings);
    w->resources = iri_new_array(w->arena, iri_wgsl_resource, io->resource_count);
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        iri_str source = iri_str_of(r->name && r->name[0] ? r->name : iri_resource_label(r, label));
        iri_str wanted = resource_name(w, r, source);
        w->resources[i].binding = bindings[i];
        w->resources[i].name = iri_names_claim(&w->names, wanted, IRI_STR("resource"));
        iri_wgsl_map_name(w, source, w->resources[i].name, 0, i, &bindings[i], -1);
    }
}

static bool reads_state(const iri_program *p, const iri_state_entry *s)
{
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        if (in->op == IRI_OP_STATE && iri_immediates(p, in)[0] == s->id &&
            iri_immediates(p, in)[1] == s->index)
            return true;
    }
    return false;
}

static void name_states(iri_wgsl *w)
{
    const iri_interface *io = &w->p->interface;
    w->overrides = iri_new_array(w->arena, iri_str, io->state_count);
    for (uint32_t i = 0; i < io->state_count; i++) {
        const iri_state_entry *s = &io->states[i];
        const iri_state_info *info = iri_state_get_info((iri_state_id)s->id);
        uint64_t lanes[4] = {s->bits[0], s->bits[1], s->bits[2], s->bits[3]};
        if (!reads_state(w->p, s))
            continue;
        if (s->source == IRI_STATE_VALUE)
            w->overrides[i] = iri_wgsl_constant(w, info->type, lanes).text;
        if (s->source != IRI_STATE_OVERRIDE)
            continue;
        if (IRI_TYPE_LANES(info->type) > 1)
            iri_fail(w->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET,
                     "the state %s is a vector, and a WGSL override is a scalar", info->name);
        iri_str name = iri_str_of(info->name);
        if (info->count > 1)
            name = IRI_WGSL_JOIN(w, name, iri_wgsl_number(w, s->index));
        w->overrides[i] = iri_names_claim(&w->names, name, IRI_STR("state"));
        iri_wgsl_map_name(w, name, w->overrides[i], 4, i, NULL, -1);
    }
}

static void look_at_input(const iri_program *p, iri_id inst, void *argument)
{
    const iri_inst *in = &p->insts[inst];
    if (in->op == IRI_OP_INPUT)
        iri_bitset_add(argument, iri_immediates(p, in)[0]);
}

/* Inputs that something other than the entry point reads. */
static iri_bitset shared_inputs(iri_wgsl *w)
{
    const iri_program *p = w->p;
    iri_bitset shared = iri_bitset_make(w->arena, p->interface.input_count);
    for (uint32_t f = 1; f < p->function_count; f++)
        if (f != p->entry && p->functions[f].body)
            iri_walk(p, p->functions[f].body, look_at_input, &shared);
    return shared;
}

static void name_entry(iri_wgsl *w)
{
    const iri_str input = IRI_STR("input");
    iri_bitset shared = shared_inputs(w);
    iri_names members;
    iri_names_init(&members, w->arena, iri_wgsl_is_reserved, NULL);
    w->input_names = iri_new_array(w->arena, iri_str, w->io.input_count);
    w->argument_names = iri_new_array(w->arena, iri_str, w->io.input_count);
    w->output_names = iri_new_array(w->arena, iri_str, w->io.output_count);
    for (uint32_t i = 0; i < w->io.input_count; i++) {
        const iri_entry_value *v = &w->io.inputs[i];
        iri_str wanted = iri_str_of(v->name);
        w->input_names[i] = w->argument_names[i] = iri_names_claim(&w->names, wanted, input);
        if (iri_bitset_has(&shared, v->element))
            w->argument_names[i] =
                iri_names_claim(&w->names, IRI_WGSL_JOIN(w, wanted, IRI_STR("_in")), input);
        iri_wgsl_map_name(w, wanted, w->argument_names[i], 1, v->element, NULL, v->location);
    }
    for (uint32_t i = 0; i < w->io.output_count; i++) {
        const iri_entry_value *v = &w->io.outputs[i];
        iri_str wanted = iri_str_of(v->name);
        w->output_names[i] = iri_names_claim(&members, wanted, IRI_STR("output"));
        if (v->element != UINT32_MAX)
            iri_wgsl_map_name(w, wanted, w->output_names[i], 2, v->element, NULL, v->location);
    }
    w->out_struct = iri_names_claim(&w->names, IRI_STR("Out"), IRI_STR("Out"));
}

/* ---- functions ---- */

typedef struct looking {
    iri_wgsl *w;
    bool pure;
    iri_bitset *reached;
    bool more;
} looking;

static void look_at_inst(const iri_program *p, iri_id inst, void *argument)
{
    looking *l = argument;
    const iri_inst *in = &p->insts[inst];
    uint32_t props = iri_props(in->op);
    if (in->op == IRI_OP_CALL) {
        iri_id callee = iri_immediates(p, in)[0];
        if (!l->w->functions[callee].pure)
            l->pure = false;
        if (l->reached && !iri_bitset_has(l->reached, callee)) {
            iri_bitset_add(l->reached, callee);
            l->more = true;
        }
        return;
    }
    if (props & (IRI_PROP_EFFECT | IRI_PROP_CONVERGENT | IRI_PROP_MEMORY_READ))
        l->pure = false;
}

/* A function is pure unless something in it, or in what it calls, is not. */
static void find_pure(iri_wgsl *w)
{
    const iri_program *p = w->p;
    bool changed = true;
    for (uint32_t f = 1; f < p->function_count; f++)
        w->functions[f].pure = p->functions[f].body != 0;
    while (changed) {
        changed = false;
        for (uint32_t f = 1; f < p->function_count; f++) {
            looking l = {w, true, NULL, false};
            if (!w->functions[f].pure)
                continue;
            iri_walk(p, p->functions[f].body, look_at_inst, &l);
            changed = changed || !l.pure;
            w->functions[f].pure = l.pure;
        }
    }
}

static void find_reached(iri_wgsl *w)
{
    const iri_program *p = w->p;
    iri_bitset reached = iri_bitset_make(w->arena, p->function_count);
    looking l = {w, true, &reached, iri_has_op(p, IRI_OP_CALL)};
    iri_bitset_add(&reached, p->entry);
    while (l.more) {
        l.more = false;
        for (uint32_t f = 1; f < p->function_count; f++)
            if (iri_bitset_has(&reached, f) && p->functions[f].body)
                iri_walk(p, p->functions[f].body, look_at_inst, &l);
    }
    for (uint32_t f = 1; f < p->function_count; f++) {
        w->functions[f].written = iri_bitset_has(&reached, f);
        if (w->functions[f].written && !p->functions[f].body)
            iri_fail(w->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "the function %s has no body",
                     p->functions[f].name);
    }
}

typedef struct filtering {
    iri_wgsl *w;
    iri_uniform uniform;
    iri_id function;
    bool found;
} filtering;

static void look_at_derivative(const iri_program *p, iri_id inst, void *argument)
{
    filtering *f = argument;
    const iri_inst *in = &p->insts[inst];
    bool derivative = (iri_props(in->op) & IRI_PROP_DERIVATIVE) != 0;
    if (!derivative && in->op != IRI_OP_CALL)
        return;
    if (!iri_bitset_has(&f->uniform.diverged, inst))
        return;
    if (derivative)
        f->w->functions[f->function].derivative = f->found = true;
    else if (!f->w->functions[iri_immediates(p, in)[0]].pure)
        f->w->functions[iri_immediates(p, in)[0]].derivative = f->found = true;
}

/* Derivatives in flow that is not uniform are an error unless a filter says otherwise. The narrowest one
 * that naga's parser takes is an attribute of the function. */
static void find_filters(iri_wgsl *w)
{
    const iri_program *p = w->p;
    filtering f = {.w = w};
    bool may_diverge = iri_has_props(p, IRI_PROP_REGION) || iri_has_op(p, IRI_OP_CALL);
    if (p->stage != IRI_STAGE_PIXEL || !may_diverge || !iri_has_props(p, IRI_PROP_DERIVATIVE))
        return;
    for (f.function = 1; f.function < p->function_count; f.function++) {
        if (!w->functions[f.function].written || w->functions[f.function].pure)
            continue;
        iri_find_uniform(w->arena, p, f.function, false, &f.uniform);
        iri_walk(p, p->functions[f.function].body, look_at_derivative, &f);
    }
    if (f.found)
        iri_wgsl_note(
            w, "derivative-uniformity",
            "derivatives are taken where only some pixels of a quad may be: they are what "
            "the device makes of them");
}

static void name_functions(iri_wgsl *w)
{
    const iri_program *p = w->p;
    w->functions = iri_new_array(w->arena, iri_wgsl_function, p->function_count);
    if (p->function_count > 2)
        find_pure(w);
    find_reached(w);
    find_filters(w);
    for (uint32_t f = 1; f < p->function_count; f++) {
        const iri_function *from = &p->functions[f];
        iri_wgsl_function *to = &w->functions[f];
        if (f == p->entry || !to->written)
            continue;
        to->name = iri_names_claim(&w->names, iri_str_of(from->name), IRI_STR("function"));
        if (from->result_count == 1)
            to->result = iri_wgsl_type(w, from->result_types[0]);
        if (from->result_count < 2)
            continue;
        iri_str *members = iri_new_array(w->arena, iri_str, from->result_count);
        for (uint32_t i = 0; i < from->result_count; i++)
            members[i] = IRI_WGSL_JOIN(w, IRI_STR("r"), iri_wgsl_number(w, i));
        to->result_members = members;
        to->result = iri_names_claim(&w->names, IRI_WGSL_JOIN(w, to->name, IRI_STR("_results")),
                                     IRI_STR("results"));
    }
}

void iri_wgsl_name_all(iri_wgsl *w, iri_str entry)
{
    iri_names_init(&w->names, w->arena, iri_wgsl_is_reserved, NULL);
    iri_names_take(&w->names, entry);
    name_resources(w);
    name_states(w);
    name_entry(w);
    name_functions(w);
}
