/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes the program anew through the folding builder, which evaluates constants and applies identities
 * that hold bit for bit. Here: arms never taken, operations with regions that run once, what a condition
 * says of itself inside its arms, and loop parameters that never change.
 */
#include "pass/shape.h"

typedef struct fold {
    uint32_t *breaks, *continues; /* label -> how many there are */
} fold;

/* ---- operations that run one region once ---- */

static uint32_t label_of(const iri_program *p, const iri_inst *in)
{
    return iri_immediates(p, in)[0];
}

static void map_dead(iri_rewrite *rw, const iri_inst *in)
{
    for (uint32_t i = 0; i < in->result_count; i++)
        iri_rewrite_set(rw, in->results + i,
                        iri_const_zero(rw->b, iri_type_of(rw->from, in->results + i)));
}

static void map_block(iri_rewrite *rw, const iri_inst *in)
{
    iri_id *results = iri_new_array(rw->scratch, iri_id, in->result_count);
    iri_end_results(rw->b, results, in->result_count);
    if (iri_is_closed(rw->b))
        map_dead(rw, in);
    else
        iri_shape_map(rw, in->results, results, in->result_count);
}

/* The operation is one region run once: its instructions, in a block where something inside leaves it. */
static void run_once(iri_rewrite *rw, const iri_inst *in, iri_id region)
{
    const iri_program *p = rw->from;
    const fold *f = rw->argument;
    const iri_inst *last = iri_terminator(p, region);
    bool breaks_last = last->op == IRI_OP_BREAK && label_of(p, last) == label_of(p, in);
    if (f->breaks[label_of(p, in)] > breaks_last) {
        iri_shape_stamp(rw, in);
        rw->labels[label_of(p, in)] = iri_begin_block(rw->b);
        iri_shape_region(rw, region);
        map_block(rw, in);
        return;
    }
    if (iri_shape_splice(rw, region) == NULL) {
        map_dead(rw, in);
    } else if (last->op == IRI_OP_YIELD || breaks_last) {
        iri_shape_map(rw, in->results, iri_shape_operands(rw, last), in->result_count);
    } else {
        iri_shape_inst(rw, (iri_id)(last - p->insts));
        map_dead(rw, in);
    }
}

/* ---- loops ---- */

static void fold_loop_once(iri_rewrite *rw, const iri_inst *in)
{
    const iri_program *p = rw->from;
    iri_id body = iri_regions(p, in)[0];
    iri_shape_map(rw, p->regions[body].parameters, iri_shape_operands(rw, in), in->operand_count);
    run_once(rw, in, body);
}

/* Every `continue` gives a parameter itself or what it started as. */
typedef struct unchanged {
    const iri_inst *loop;
    iri_id parameters;
    uint8_t *changes;
} unchanged;

static void look_for_changes(const iri_program *p, iri_id inst, void *argument)
{
    const unchanged *u = argument;
    const iri_inst *in = &p->insts[inst];
    if (in->op != IRI_OP_CONTINUE || label_of(p, in) != label_of(p, u->loop))
        return;
    for (uint32_t i = 0; i < in->operand_count; i++) {
        iri_id value = iri_operands(p, in)[i];
        if (value != u->parameters + i && value != iri_operands(p, u->loop)[i])
            u->changes[i] = 1;
    }
}

static void fold_loop(iri_rewrite *rw, const iri_inst *in)
{
    const iri_program *p = rw->from;
    iri_id body = iri_regions(p, in)[0];
    iri_id *parameters = iri_new_array(rw->scratch, iri_id, in->operand_count);
    const iri_id *initial = iri_shape_operands(rw, in);
    unchanged u = {in, p->regions[body].parameters,
                   iri_new_array(rw->scratch, uint8_t, in->operand_count)};
    if (in->operand_count > 0)
        iri_walk(p, body, look_for_changes, &u);
    iri_shape_open(rw, in, initial, in->operand_count, parameters);
    for (uint32_t i = 0; i < in->operand_count; i++)
        iri_rewrite_set(rw, u.parameters + i, u.changes[i] ? parameters[i] : initial[i]);
    iri_shape_region(rw, body);
    map_block(rw, in);
}

/* ---- choices ---- */

static void fold_if(iri_rewrite *rw, const iri_inst *in)
{
    const iri_program *p = rw->from;
    iri_id old = iri_operands(p, in)[0], condition = iri_rewrite_value(rw, old);
    iri_shape_open(rw, in, NULL, 0, NULL);
    for (uint32_t arm = 0; arm < 2; arm++) {
        if (arm == 1)
            iri_shape_next(rw, in, 1);
        if (!iri_is_constant(p, old))
            iri_rewrite_set(rw, old, iri_const_bool(rw->b, arm == 0));
        iri_shape_region(rw, iri_regions(p, in)[arm]);
    }
    iri_rewrite_set(rw, old, condition);
    map_block(rw, in);
}

/* The region a switch on a known selector takes. */
static iri_id taken(const iri_program *p, const iri_inst *in, uint64_t selector)
{
    for (uint32_t i = 1; i < in->region_count; i++) {
        const uint32_t *values;
        uint32_t count = iri_shape_case(p, in, i, &values);
        for (uint32_t k = 0; k < count; k++) {
            if (values[k] == (uint32_t)selector)
                return iri_regions(p, in)[i];
        }
    }
    return iri_regions(p, in)[0];
}

static bool fold_switch(iri_rewrite *rw, const iri_inst *in)
{
    const iri_program *p = rw->from;
    uint64_t selector[4] = {0};
    bool known = iri_get_const(rw->b, iri_rewrite_value(rw, iri_operands(p, in)[0]), selector);
    if (!known && in->region_count > 1)
        return false;
    run_once(rw, in, taken(p, in, selector[0]));
    return true;
}

static iri_rewrite_action visit(iri_rewrite *rw, iri_id inst)
{
    const fold *f = rw->argument;
    const iri_inst *in = &rw->from->insts[inst];
    if (in->op == IRI_OP_IF)
        fold_if(rw, in);
    else if (in->op == IRI_OP_BLOCK)
        run_once(rw, in, iri_regions(rw->from, in)[0]);
    else if (in->op == IRI_OP_LOOP && f->continues[label_of(rw->from, in)] == 0)
        fold_loop_once(rw, in);
    else if (in->op == IRI_OP_LOOP)
        fold_loop(rw, in);
    else if (in->op != IRI_OP_SWITCH || !fold_switch(rw, in))
        return IRI_REWRITE_COPY;
    return IRI_REWRITE_DONE;
}

bool iri_hook_fold(iri_pass_ctx *pc, const iri_program *program, iri_hook *hook)
{
    /* What the folding builder made can hold more to fold only in how its regions end. */
    if ((program->built & IRI_BUILD_OPTIMISE) == IRI_BUILD_OPTIMISE &&
        !iri_has_props(program, IRI_PROP_REGION))
        return false;
    fold *f = iri_new(pc->scratch, fold);
    f->breaks = iri_new_array(pc->scratch, uint32_t, program->label_count);
    f->continues = iri_new_array(pc->scratch, uint32_t, program->label_count);
    for (iri_id i = 1; i < program->inst_count; i++) {
        const iri_inst *in = &program->insts[i];
        if (in->op == IRI_OP_BREAK)
            f->breaks[label_of(program, in)]++;
        else if (in->op == IRI_OP_CONTINUE)
            f->continues[label_of(program, in)]++;
    }
    *hook = (iri_hook){visit, f};
    return true;
}

iri_program *iri_pass_fold(iri_pass_ctx *pc, const iri_program *program)
{
    return iri_pass_run_hooks(pc, program, (iri_hook_fn *const[]){iri_hook_fold}, 1);
}
