/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies of region operations, edges and functions for passes that change their operands or results.
 */
#include "pass/shape.h"

void iri_shape_stamp(iri_rewrite *rw, const iri_inst *in)
{
    bool relaxed =
        in->result_count > 0 && (rw->from->values[in->results].flags & IRI_VALUE_RELAXED) != 0;
    iri_set_offset(rw->b, in->offset);
    iri_set_relaxed(rw->b, relaxed);
    iri_set_precise(rw->b, (in->flags & IRI_INST_PRECISE) != 0);
}

void iri_shape_inst(iri_rewrite *rw, iri_id inst)
{
    if (iri_rewrite_visit(rw, inst) == IRI_REWRITE_COPY)
        iri_rewrite_copy(rw, inst);
}

const iri_inst *iri_shape_splice(iri_rewrite *rw, iri_id region)
{
    const iri_program *p = rw->from;
    const iri_region *r = &p->regions[region];
    for (uint32_t i = 0; i < r->count; i++) {
        iri_id inst = p->order[r->first + i];
        if (iri_is_closed(rw->b))
            return NULL;
        if (iri_props(p->insts[inst].op) & IRI_PROP_TERMINATOR)
            return &p->insts[inst];
        iri_shape_inst(rw, inst);
    }
    return NULL;
}

void iri_shape_region(iri_rewrite *rw, iri_id region)
{
    const iri_inst *last = iri_shape_splice(rw, region);
    if (last)
        iri_shape_inst(rw, (iri_id)(last - rw->from->insts));
}

uint32_t iri_shape_case(const iri_program *p, const iri_inst *in, uint32_t index,
                        const uint32_t **values)
{
    const uint32_t *at = iri_immediates(p, in) + 1;
    for (uint32_t i = 1; i < index; i++)
        at += 1 + at[0];
    *values = at + 1;
    return at[0];
}

void iri_shape_open(iri_rewrite *rw, const iri_inst *in, const iri_id *initial,
                    uint32_t initial_count, iri_id *parameters)
{
    const iri_program *p = rw->from;
    const uint32_t *immediates = iri_immediates(p, in);
    iri_shape_stamp(rw, in);
    if (in->op == IRI_OP_IF)
        iri_begin_if(rw->b, iri_rewrite_value(rw, iri_operands(p, in)[0]));
    else if (in->op == IRI_OP_LOOP)
        rw->labels[immediates[0]] = iri_begin_loop(rw->b, initial, initial_count, parameters);
    else if (in->op == IRI_OP_SWITCH)
        rw->labels[immediates[0]] =
            iri_begin_switch(rw->b, iri_rewrite_value(rw, iri_operands(p, in)[0]));
    else
        rw->labels[immediates[0]] = iri_begin_block(rw->b);
}

void iri_shape_next(iri_rewrite *rw, const iri_inst *in, uint32_t index)
{
    if (in->op == IRI_OP_IF) {
        iri_begin_else(rw->b);
    } else {
        const uint32_t *values;
        uint32_t count = iri_shape_case(rw->from, in, index, &values);
        iri_begin_case(rw->b, values, count);
    }
}

void iri_shape_edge(iri_rewrite *rw, const iri_inst *in, const iri_id *values, uint32_t count)
{
    const uint32_t *immediates = iri_immediates(rw->from, in);
    iri_shape_stamp(rw, in);
    if (in->op == IRI_OP_YIELD)
        iri_emit_yield(rw->b, values, count);
    else if (in->op == IRI_OP_BREAK)
        iri_emit_break(rw->b, rw->labels[immediates[0]], values, count);
    else if (in->op == IRI_OP_CONTINUE)
        iri_emit_continue(rw->b, rw->labels[immediates[0]], values, count);
    else if (in->op == IRI_OP_RETURN)
        iri_emit_return(rw->b, values, count);
    else
        iri_emit_unreachable(rw->b);
}

iri_id *iri_shape_operands(iri_rewrite *rw, const iri_inst *in)
{
    const uint32_t *old = iri_operands(rw->from, in);
    iri_id *values = iri_new_array(rw->scratch, iri_id, in->operand_count);
    for (uint32_t i = 0; i < in->operand_count; i++)
        values[i] = iri_rewrite_value(rw, old[i]);
    return values;
}

void iri_shape_map(iri_rewrite *rw, iri_id first, const iri_id *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        iri_rewrite_set(rw, first + i, values[i]);
}

static iri_id declare(iri_rewrite *rw, const iri_function *f)
{
    const iri_program *p = rw->from;
    const iri_type *types = f->external_types;
    uint32_t count = f->external_count;
    if (f->body) {
        const iri_region *body = &p->regions[f->body];
        iri_type *list = iri_new_array(rw->scratch, iri_type, body->parameter_count);
        for (uint32_t i = 0; i < body->parameter_count; i++)
            list[i] = iri_type_of(p, body->parameters + i);
        types = list;
        count = body->parameter_count;
    }
    return iri_declare_function(rw->b, f->name, types, count, f->result_types, f->result_count);
}

void iri_shape_declare(iri_rewrite *rw, const iri_bitset *keep)
{
    const iri_program *p = rw->from;
    for (iri_id f = 1; f < p->function_count; f++) {
        if (!keep || iri_bitset_has(keep, f))
            rw->functions[f] = declare(rw, &p->functions[f]);
    }
}

void iri_shape_begin_function(iri_rewrite *rw, iri_id function)
{
    const iri_program *p = rw->from;
    const iri_region *body = &p->regions[p->functions[function].body];
    iri_id *parameters = iri_new_array(rw->scratch, iri_id, body->parameter_count);
    iri_begin_declared(rw->b, rw->functions[function], parameters);
    iri_shape_map(rw, body->parameters, parameters, body->parameter_count);
    rw->function = function;
}

void iri_shape_local(iri_rewrite *rw, iri_id local)
{
    rw->locals[local] = iri_add_local(rw->b, &rw->from->locals[local]);
}

void iri_shape_header(iri_rewrite *rw)
{
    const iri_program *p = rw->from;
    iri_program *to = iri_builder_program(rw->b);
    to->conventions = p->conventions;
    to->float_env = p->float_env;
    to->interface.facts = p->interface.facts;
    iri_set_provenance(rw->b, &p->provenance);
    for (uint32_t i = 0; i < p->note_count; i++)
        iri_add_note(rw->b, p->notes[i].kind, p->notes[i].offset, "%s", p->notes[i].text);
    for (uint32_t i = 0; i < p->interface.output_count; i++)
        iri_add_output(rw->b, &p->interface.outputs[i]);
    for (uint32_t i = 0; i < p->interface.resource_count; i++)
        iri_add_resource(rw->b, &p->interface.resources[i]);
    for (uint32_t i = 0; i < p->interface.shared_count; i++)
        iri_add_shared(rw->b, &p->interface.shared[i]);
}

bool iri_shape_has_cfg(const iri_program *p)
{
    for (uint32_t f = 1; f < p->function_count; f++)
        if (p->functions[f].form == IRI_FORM_CFG)
            return true;
    return false;
}

iri_program *iri_shape_finish(iri_rewrite *rw)
{
    iri_builder_program(rw->b)->entry = rw->from->entry ? rw->functions[rw->from->entry] : 0;
    return iri_builder_finish(rw->b);
}

iri_id *iri_shape_label_ops(const iri_program *p, iri_arena *arena)
{
    iri_id *ops = iri_new_array(arena, iri_id, p->label_count);
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        if ((iri_props(in->op) & IRI_PROP_REGION) && in->immediate_count > 0)
            ops[iri_immediates(p, in)[0]] = i;
    }
    return ops;
}
