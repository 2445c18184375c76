/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds what something needs. Marking starts at effects and returns and goes backwards: an instruction needs
 * its operands and the operations around it; a region operation its condition and the exits that lead to
 * it; its results, and a loop's parameters, are needed one by one, so that a value that only feeds itself
 * around a loop goes. Functions nothing calls go too, and implicit inputs nothing reads. A loop without
 * effects that is only there to end goes as well; one that never ends by itself stays.
 */
#include "ir/emit_drop.h"

typedef struct drop {
    const iri_program *p;
    iri_arena *scratch;
    iri_keep keep;
    iri_id *label_ops;
    iri_id *region_of;   /* instruction -> region it stands in */
    iri_id *first_edge;  /* region op -> newest of the edges to it ... */
    iri_id *next_edge;   /* ... edge -> the one before */
    iri_id *first_store; /* local -> newest store, next_edge -> the one before */
    IRI_VEC(iri_id) pending_insts, pending_values, pending_functions;
} drop;

static void need_inst(drop *d, iri_id inst)
{
    if (inst == 0 || iri_bitset_has(&d->keep.insts, inst))
        return;
    iri_bitset_add(&d->keep.insts, inst);
    iri_push(d->scratch, &d->pending_insts, inst);
}

static void need_value(drop *d, iri_id value)
{
    if (iri_bitset_has(&d->keep.values, value))
        return;
    iri_bitset_add(&d->keep.values, value);
    iri_push(d->scratch, &d->pending_values, value);
}

static void need_function(drop *d, iri_id function)
{
    if (iri_bitset_has(&d->keep.functions, function))
        return;
    iri_bitset_add(&d->keep.functions, function);
    iri_push(d->scratch, &d->pending_functions, function);
}

/* ---- what there is ---- */

/* The operation an edge leads to, 0 where it leaves the function. */
static iri_id target_of(const drop *d, const iri_inst *in, iri_id region)
{
    if (in->op == IRI_OP_YIELD)
        return d->p->regions[region].owner;
    if (in->op == IRI_OP_BREAK || in->op == IRI_OP_CONTINUE)
        return d->label_ops[iri_immediates(d->p, in)[0]];
    return 0;
}

static void survey_region(drop *d, iri_id region)
{
    const iri_program *p = d->p;
    iri_for_each_inst(p, region, in)
    {
        iri_id inst = (iri_id)(in - p->insts), to = target_of(d, in, region);
        d->region_of[inst] = region;
        if (to) {
            d->next_edge[inst] = d->first_edge[to];
            d->first_edge[to] = inst;
        } else if (iri_props(in->op) & IRI_PROP_LOCAL_WRITE) {
            iri_id local = iri_immediates(p, in)[0];
            d->next_edge[inst] = d->first_store[local];
            d->first_store[local] = inst;
        } else if (in->op == IRI_OP_CALL) {
            need_function(d, iri_immediates(p, in)[0]);
        }
        if ((iri_props(in->op) & (IRI_PROP_EFFECT | IRI_PROP_CFG)) || in->op == IRI_OP_RETURN)
            need_inst(d, inst);
        for (uint32_t i = 0; i < in->region_count; i++)
            survey_region(d, iri_regions(p, in)[i]);
        if (in->op == IRI_OP_LOOP) {
            iri_id edge = d->first_edge[inst];
            while (edge && p->insts[edge].op == IRI_OP_CONTINUE)
                edge = d->next_edge[edge];
            if (edge == 0)
                need_inst(d, inst);
        }
    }
}

static void survey_function(drop *d, iri_id function)
{
    const iri_function *f = &d->p->functions[function];
    uint32_t blocks = f->form == IRI_FORM_CFG ? f->block_count : 1;
    for (uint32_t i = 0; f->body && i < blocks; i++)
        survey_region(d, f->body + i);
}

/* From the entry through calls; everything where there is no entry. */
static void survey_program(drop *d)
{
    const iri_program *p = d->p;
    for (iri_id f = 1; f < p->function_count; f++) {
        if (p->entry == 0 || f == p->entry)
            need_function(d, f);
    }
    while (d->pending_functions.count > 0)
        survey_function(d, d->pending_functions.at[--d->pending_functions.count]);
}

/* ---- marking ---- */

static void mark_inst(drop *d, iri_id inst)
{
    const iri_program *p = d->p;
    const iri_inst *in = &p->insts[inst];
    need_inst(d, p->regions[d->region_of[inst]].owner);
    if (iri_props(in->op) & IRI_PROP_REGION) {
        for (iri_id edge = d->first_edge[inst]; edge; edge = d->next_edge[edge])
            need_inst(d, edge);
        if (in->op == IRI_OP_LOOP)
            return;
    }
    if (in->op == IRI_OP_YIELD || in->op == IRI_OP_BREAK || in->op == IRI_OP_CONTINUE)
        return;
    for (uint32_t i = 0; i < in->operand_count; i++)
        need_value(d, iri_operands(p, in)[i]);
    if (iri_props(in->op) & IRI_PROP_LOCAL_READ) {
        iri_id local = iri_immediates(p, in)[0];
        for (iri_id s = d->first_store[local]; s; s = d->next_edge[s])
            need_inst(d, s);
        d->first_store[local] = 0; /* once is enough */
    }
}

/* What the edges of the wanted kind carry in place `index`. */
static void mark_carried(drop *d, iri_id op, uint32_t index, bool to_head)
{
    const iri_program *p = d->p;
    for (iri_id edge = d->first_edge[op]; edge; edge = d->next_edge[edge]) {
        const iri_inst *in = &p->insts[edge];
        if ((in->op == IRI_OP_CONTINUE) == to_head)
            need_value(d, iri_operands(p, in)[index]);
    }
}

static void mark_value(drop *d, iri_id value)
{
    const iri_program *p = d->p;
    const iri_value *v = &p->values[value];
    if (v->kind == IRI_VALUE_RESULT) {
        need_inst(d, v->def);
        if (iri_props(p->insts[v->def].op) & IRI_PROP_REGION)
            mark_carried(d, v->def, v->index, false);
    } else if (v->kind == IRI_VALUE_PARAMETER && p->regions[v->def].owner) {
        iri_id loop = p->regions[v->def].owner;
        need_value(d, iri_operands(p, &p->insts[loop])[v->index]);
        mark_carried(d, loop, v->index, true);
    }
}

static void mark_all(drop *d)
{
    while (d->pending_insts.count > 0 || d->pending_values.count > 0) {
        if (d->pending_insts.count > 0)
            mark_inst(d, d->pending_insts.at[--d->pending_insts.count]);
        else
            mark_value(d, d->pending_values.at[--d->pending_values.count]);
    }
}

/* ---- the whole ---- */

static void mark_inputs(drop *d)
{
    const iri_program *p = d->p;
    d->keep.inputs = iri_bitset_make(d->scratch, p->interface.input_count);
    for (uint32_t i = 0; i < p->interface.input_count; i++)
        if (!(p->interface.inputs[i].flags & IRI_IO_IMPLICIT))
            iri_bitset_add(&d->keep.inputs, i);
    for (iri_id i = 1; i < p->inst_count; i++)
        if (p->insts[i].op == IRI_OP_INPUT && iri_bitset_has(&d->keep.insts, i))
            iri_bitset_add(&d->keep.inputs, iri_immediates(p, &p->insts[i])[0]);
}

/* One region without any inside, from its end to its start. */
static void mark_straight(drop *d, iri_id region)
{
    const iri_program *p = d->p;
    const iri_region *r = &p->regions[region];
    for (uint32_t i = r->count; i-- > 0;) {
        iri_id inst = p->order[r->first + i];
        const iri_inst *in = &p->insts[inst];
        bool needed = (iri_props(in->op) & (IRI_PROP_EFFECT | IRI_PROP_TERMINATOR)) != 0;
        for (uint32_t k = 0; !needed && k < in->result_count; k++)
            needed = iri_bitset_has(&d->keep.values, in->results + k);
        if (!needed)
            continue;
        iri_bitset_add(&d->keep.insts, inst);
        for (uint32_t k = 0; k < in->operand_count; k++)
            iri_bitset_add(&d->keep.values, iri_operands(p, in)[k]);
    }
}

/* Whether the program is its entry alone, one region, without locals. */
static bool is_straight(const iri_program *p)
{
    const iri_function *entry = &p->functions[p->entry];
    return p->function_count == 2 && p->entry && entry->body && entry->form != IRI_FORM_CFG &&
           p->region_count == 2 && p->local_count == 1;
}

static void make_tables(drop *d)
{
    const iri_program *p = d->p;
    d->region_of = iri_new_array(d->scratch, iri_id, p->inst_count);
    d->first_edge = iri_new_array(d->scratch, iri_id, p->inst_count);
    d->next_edge = iri_new_array(d->scratch, iri_id, p->inst_count);
    d->first_store = iri_new_array(d->scratch, iri_id, p->local_count);
    d->label_ops = iri_new_array(d->scratch, iri_id, p->label_count);
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        if (in->region_count && in->immediate_count)
            d->label_ops[iri_immediates(p, in)[0]] = i;
    }
}

iri_keep iri_find_needed(iri_arena *scratch, const iri_program *p)
{
    drop d = {.p = p, .scratch = scratch};
    d.keep.insts = iri_bitset_make(scratch, p->inst_count);
    d.keep.values = iri_bitset_make(scratch, p->value_count);
    d.keep.functions = iri_bitset_make(scratch, p->function_count);
    if (is_straight(p)) {
        iri_bitset_add(&d.keep.functions, p->entry);
        mark_straight(&d, p->functions[p->entry].body);
    } else {
        make_tables(&d);
        survey_program(&d);
        mark_all(&d);
    }
    mark_inputs(&d);
    return d.keep;
}
