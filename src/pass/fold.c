/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes the program anew through the folding builder, which evaluates constants and applies identities
 * that hold bit for bit. Here: arms never taken, operations with regions that run once, what a condition
 * says of itself inside its arms, and loop parameters that never change.
 */
#include "pass/shape.h"

typedef struct fold {
    uint32_t *breaks, *continues; /* label -> how many there are */
    uint8_t *changes;             /* value -> a loop parameter that some `continue` changes */
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

/* A parameter does not change where every `continue` gives it itself or what it started as. */
static void note_changes(fold *f, const iri_program *p, const iri_inst *in, const iri_inst *loop)
{
    iri_id parameters = p->regions[iri_regions(p, loop)[0]].parameters;
    for (uint32_t i = 0; i < in->operand_count; i++) {
        iri_id value = iri_operands(p, in)[i];
        if (value != parameters + i && value != iri_operands(p, loop)[i])
            f->changes[parameters + i] = 1;
    }
}

static void fold_loop(iri_rewrite *rw, const iri_inst *in)
{
    const iri_program *p = rw->from;
    const fold *f = rw->argument;
    iri_id body = iri_regions(p, in)[0], first = p->regions[body].parameters;
    iri_id *parameters = iri_new_array(rw->scratch, iri_id, in->operand_count);
    const iri_id *initial = iri_shape_operands(rw, in);
    iri_shape_open(rw, in, initial, in->operand_count, parameters);
    for (uint32_t i = 0; i < in->operand_count; i++)
        iri_rewrite_set(rw, first + i, f->changes[first + i] ? parameters[i] : initial[i]);
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

/* ---- whether there is anything to fold ---- */

static void count_edges(fold *f, iri_arena *scratch, const iri_program *p)
{
    const iri_inst **loops = iri_new_array(scratch, const iri_inst *, p->label_count);
    f->breaks = iri_new_array(scratch, uint32_t, p->label_count);
    f->continues = iri_new_array(scratch, uint32_t, p->label_count);
    f->changes = iri_new_array(scratch, uint8_t, p->value_count);
    for (iri_id i = 1; i < p->inst_count; i++)
        if (p->insts[i].op == IRI_OP_LOOP)
            loops[label_of(p, &p->insts[i])] = &p->insts[i];
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        if (in->op == IRI_OP_BREAK) {
            f->breaks[label_of(p, in)]++;
        } else if (in->op == IRI_OP_CONTINUE) {
            f->continues[label_of(p, in)]++;
            note_changes(f, p, in, loops[label_of(p, in)]);
        }
    }
}

typedef struct search {
    const fold *f;
    uint8_t *known; /* value -> it is the condition of an open `if` */
} search;

static bool folds_loop(const fold *f, const iri_program *p, const iri_inst *in)
{
    iri_id parameters = p->regions[iri_regions(p, in)[0]].parameters;
    for (uint32_t i = 0; i < in->operand_count; i++)
        if (!f->changes[parameters + i])
            return true;
    return f->continues[label_of(p, in)] == 0;
}

static bool folds_region(search *s, const iri_program *p, iri_id region);

static bool folds_inst(search *s, const iri_program *p, const iri_inst *in)
{
    bool folds = in->op == IRI_OP_BLOCK || in->op == IRI_OP_SWITCH ||
                 (in->op == IRI_OP_LOOP && folds_loop(s->f, p, in));
    for (uint32_t i = 0; i < in->operand_count && !folds; i++)
        folds = s->known[iri_operands(p, in)[i]] != 0;
    if (in->op == IRI_OP_IF) {
        iri_id condition = iri_operands(p, in)[0];
        folds |= iri_is_constant(p, condition);
        s->known[condition] = 1;
    }
    for (uint32_t i = 0; i < in->region_count && !folds; i++)
        folds = folds_region(s, p, iri_regions(p, in)[i]);
    if (in->op == IRI_OP_IF)
        s->known[iri_operands(p, in)[0]] = 0;
    return folds;
}

static bool folds_region(search *s, const iri_program *p, iri_id region)
{
    iri_for_each_inst(p, region, in)
    {
        if (folds_inst(s, p, in))
            return true;
    }
    return false;
}

/* What the folding builder made can hold more to fold only in its regions. */
static bool folds_any(const fold *f, iri_arena *scratch, const iri_program *p)
{
    search s = {f, iri_new_array(scratch, uint8_t, p->value_count)};
    for (iri_id i = 1; i < p->function_count; i++) {
        const iri_function *function = &p->functions[i];
        uint32_t blocks = function->form == IRI_FORM_CFG ? function->block_count : 1;
        for (uint32_t k = 0; function->body && k < blocks; k++)
            if (folds_region(&s, p, function->body + k))
                return true;
    }
    return false;
}

bool iri_hook_fold(iri_pass_ctx *pc, const iri_program *program, iri_hook *hook)
{
    bool built = (program->built & IRI_BUILD_OPTIMISE) == IRI_BUILD_OPTIMISE;
    if (built && !iri_has_props(program, IRI_PROP_REGION))
        return false;
    fold *f = iri_new(pc->scratch, fold);
    count_edges(f, pc->scratch, program);
    *hook = (iri_hook){visit, f};
    return !built || folds_any(f, pc->scratch, program);
}

iri_program *iri_pass_fold(iri_pass_ctx *pc, const iri_program *program)
{
    return iri_pass_run_hooks(pc, program, (iri_hook_fn *const[]){iri_hook_fold}, 1);
}
