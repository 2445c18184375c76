/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drops what nothing reads. Marking starts at effects and returns and goes backwards: an instruction needs
 * its operands and the operations around it; a region operation its condition and the exits that lead to
 * it; its results, and a loop's parameters, are needed one by one, so that a value that only feeds itself
 * around a loop goes. Functions nothing calls go too, and implicit inputs nothing reads. A loop without
 * effects that is only there to end goes as well; one that never ends by itself stays.
 */
#include "pass/shape.h"

typedef struct dce {
    const iri_program *p;
    iri_arena *scratch;
    iri_bitset insts, values, locals, functions;
    iri_id *label_ops;
    iri_id *region_of;   /* instruction -> region it stands in */
    iri_id *first_edge;  /* region op -> newest of the edges to it ... */
    iri_id *next_edge;   /* ... edge -> the one before */
    iri_id *first_store; /* local -> newest store, next_edge -> the one before */
    IRI_VEC(iri_id) pending_insts, pending_values, pending_functions;
    uint32_t *inputs; /* old input -> new */
} dce;

static void need_inst(dce *d, iri_id inst)
{
    if (inst == 0 || iri_bitset_has(&d->insts, inst))
        return;
    iri_bitset_add(&d->insts, inst);
    iri_push(d->scratch, &d->pending_insts, inst);
}

static void need_value(dce *d, iri_id value)
{
    if (iri_bitset_has(&d->values, value))
        return;
    iri_bitset_add(&d->values, value);
    iri_push(d->scratch, &d->pending_values, value);
}

static void need_function(dce *d, iri_id function)
{
    if (iri_bitset_has(&d->functions, function))
        return;
    iri_bitset_add(&d->functions, function);
    iri_push(d->scratch, &d->pending_functions, function);
}

static bool is_needed(const dce *d, iri_id value)
{
    return iri_bitset_has(&d->values, value);
}

/* ---- what there is ---- */

/* The operation an edge leads to, 0 where it leaves the function. */
static iri_id target_of(const dce *d, const iri_inst *in, iri_id region)
{
    if (in->op == IRI_OP_YIELD)
        return d->p->regions[region].owner;
    if (in->op == IRI_OP_BREAK || in->op == IRI_OP_CONTINUE)
        return d->label_ops[iri_immediates(d->p, in)[0]];
    return 0;
}

static void survey_region(dce *d, iri_id region)
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

static void survey_function(dce *d, iri_id function)
{
    const iri_function *f = &d->p->functions[function];
    uint32_t blocks = f->form == IRI_FORM_CFG ? f->block_count : 1;
    for (uint32_t i = 0; f->body && i < blocks; i++)
        survey_region(d, f->body + i);
}

/* From the entry through calls; everything where there is no entry. */
static void survey_program(dce *d)
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

static void mark_inst(dce *d, iri_id inst)
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
    }
}

/* What the edges of the wanted kind carry in place `index`. */
static void mark_carried(dce *d, iri_id op, uint32_t index, bool to_head)
{
    const iri_program *p = d->p;
    for (iri_id edge = d->first_edge[op]; edge; edge = d->next_edge[edge]) {
        const iri_inst *in = &p->insts[edge];
        if ((in->op == IRI_OP_CONTINUE) == to_head)
            need_value(d, iri_operands(p, in)[index]);
    }
}

static void mark_value(dce *d, iri_id value)
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

static void mark_all(dce *d)
{
    while (d->pending_insts.count > 0 || d->pending_values.count > 0) {
        if (d->pending_insts.count > 0)
            mark_inst(d, d->pending_insts.at[--d->pending_insts.count]);
        else
            mark_value(d, d->pending_values.at[--d->pending_values.count]);
    }
}

/* ---- writing ---- */

/* New values of the operands whose place among `places` is needed; returns how many. */
static uint32_t needed_operands(iri_rewrite *rw, const iri_inst *in, iri_id places, iri_id *values)
{
    const dce *d = rw->argument;
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->operand_count; i++) {
        if (is_needed(d, places + i))
            values[count++] = iri_rewrite_value(rw, iri_operands(rw->from, in)[i]);
    }
    return count;
}

static void map_needed(iri_rewrite *rw, iri_id places, uint32_t count, const iri_id *values)
{
    const dce *d = rw->argument;
    for (uint32_t i = 0, at = 0; i < count; i++) {
        if (is_needed(d, places + i))
            iri_rewrite_set(rw, places + i, values[at++]);
    }
}

static void write_region_op(iri_rewrite *rw, const iri_inst *in)
{
    const dce *d = rw->argument;
    const iri_region *body = &rw->from->regions[iri_regions(rw->from, in)[0]];
    uint32_t count = 0;
    iri_id *values =
        iri_new_array(rw->scratch, iri_id, (size_t)in->operand_count * 2 + in->result_count);
    iri_id *parameters = values + in->operand_count, *results = parameters + in->operand_count;
    if (in->op == IRI_OP_LOOP)
        count = needed_operands(rw, in, body->parameters, values);
    iri_shape_open(rw, in, values, count, parameters);
    if (in->op == IRI_OP_LOOP)
        map_needed(rw, body->parameters, in->operand_count, parameters);
    for (uint32_t i = 0; i < in->region_count; i++) {
        if (i > 0)
            iri_shape_next(rw, in, i);
        iri_shape_region(rw, iri_regions(rw->from, in)[i]);
    }
    count = 0;
    for (uint32_t i = 0; i < in->result_count; i++)
        count += is_needed(d, in->results + i);
    iri_end_results(rw->b, results, count);
    map_needed(rw, in->results, in->result_count, results);
}

static void write_edge(iri_rewrite *rw, const iri_inst *in)
{
    const dce *d = rw->argument;
    const iri_program *p = rw->from;
    iri_id to = target_of(d, in, d->region_of[in - p->insts]);
    iri_id places = p->insts[to].results;
    iri_id *values = iri_new_array(rw->scratch, iri_id, in->operand_count);
    if (in->op == IRI_OP_CONTINUE)
        places = p->regions[iri_regions(p, &p->insts[to])[0]].parameters;
    iri_shape_edge(rw, in, values, needed_operands(rw, in, places, values));
}

static iri_rewrite_action visit(iri_rewrite *rw, iri_id inst)
{
    const dce *d = rw->argument;
    const iri_inst *in = &rw->from->insts[inst];
    if (iri_props(in->op) & IRI_PROP_TERMINATOR) {
        if (target_of(d, in, d->region_of[inst]) == 0)
            return IRI_REWRITE_COPY;
        write_edge(rw, in);
    } else if (!iri_bitset_has(&d->insts, inst)) {
        return IRI_REWRITE_DROP;
    } else if (iri_props(in->op) & IRI_PROP_REGION) {
        write_region_op(rw, in);
    } else if (in->op == IRI_OP_INPUT) {
        const uint32_t *immediates = iri_immediates(rw->from, in);
        iri_shape_stamp(rw, in);
        iri_rewrite_set(rw, in->results,
                        iri_emit_input(rw->b, d->inputs[immediates[0]], immediates[1]));
    } else {
        return IRI_REWRITE_COPY;
    }
    return IRI_REWRITE_DONE;
}

static void write_inputs(dce *d, iri_builder *b)
{
    const iri_program *p = d->p;
    iri_bitset used = iri_bitset_make(d->scratch, p->interface.input_count);
    d->inputs = iri_new_array(d->scratch, uint32_t, p->interface.input_count);
    for (iri_id i = 1; i < p->inst_count; i++) {
        if (p->insts[i].op == IRI_OP_INPUT && iri_bitset_has(&d->insts, i))
            iri_bitset_add(&used, iri_immediates(p, &p->insts[i])[0]);
    }
    for (uint32_t i = 0; i < p->interface.input_count; i++) {
        const iri_io *io = &p->interface.inputs[i];
        if (!(io->flags & IRI_IO_IMPLICIT) || iri_bitset_has(&used, i))
            d->inputs[i] = iri_add_input(b, io);
    }
}

static void make_tables(dce *d)
{
    const iri_program *p = d->p;
    d->insts = iri_bitset_make(d->scratch, p->inst_count);
    d->values = iri_bitset_make(d->scratch, p->value_count);
    d->functions = iri_bitset_make(d->scratch, p->function_count);
    d->label_ops = iri_shape_label_ops(p, d->scratch);
    d->region_of = iri_new_array(d->scratch, iri_id, p->inst_count);
    d->first_edge = iri_new_array(d->scratch, iri_id, p->inst_count);
    d->next_edge = iri_new_array(d->scratch, iri_id, p->inst_count);
    d->first_store = iri_new_array(d->scratch, iri_id, p->local_count);
}

iri_program *iri_pass_dce(iri_pass_ctx *pc, const iri_program *program)
{
    dce d = {.p = program, .scratch = pc->scratch};
    iri_rewrite rw;
    iri_builder *b = iri_pass_make_builder(pc, program, 0);
    make_tables(&d);
    survey_program(&d);
    mark_all(&d);
    iri_rewrite_init(&rw, b, program, pc->scratch, visit, &d);
    write_inputs(&d, b);
    iri_shape_header(&rw);
    for (uint32_t i = 0; i < program->interface.state_count; i++)
        iri_add_state_entry(b, &program->interface.states[i]);
    iri_shape_declare(&rw, &d.functions);
    for (iri_id f = 1; f < program->function_count; f++) {
        if (iri_bitset_has(&d.functions, f) && program->functions[f].body)
            iri_rewrite_function(&rw, f);
    }
    iri_program *result = iri_shape_finish(&rw);
    result->built = program->built; /* nothing new was built */
    return result;
}
