/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reference interpreter: walks regions recursively, or follows blocks.
 */
#include "tests/unit/interp.h"
#include "ir/dom.h"
#include "ir/eval.h"
#include "base/number.h"

#include <stdlib.h>

enum { CARRIED = 256 };

typedef enum flow { FLOW_NEXT, FLOW_YIELD, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_STOP } flow;

typedef struct interp {
    const iri_program *p;
    const interp_lanes *inputs;
    interp_result *result;
    const interp_watch *watch; /* or NULL */
    interp_lanes *values;
    interp_lanes **locals; /* local -> elements */
    uint32_t limit;
    uint32_t label; /* of the break or continue on its way */
    interp_lanes carried[CARRIED];
    uint32_t carried_count;
} interp;

static void set_value(interp *in, iri_id value, interp_lanes lanes)
{
    in->values[value] = lanes;
    if (in->watch)
        in->watch->see(in->watch->argument, value, &lanes);
}

static uint32_t mix(uint32_t hash, uint64_t word)
{
    hash = (hash ^ (uint32_t)word ^ (uint32_t)(word >> 32)) * 2654435761u;
    return hash ^ hash >> 13;
}

static uint64_t made_up_lane(iri_type type, uint32_t hash)
{
    float f = (float)(hash >> 8) / 16777216.0f;
    if (IRI_TYPE_SCALAR(type) == IRI_F32)
        return iri_f32_bits(f);
    return hash & (IRI_TYPE_SCALAR(type) == IRI_BOOL ? 1 : 7);
}

/* Some value that depends on all operands and immediates (a derivative's lanes: on theirs), floats
 * between 0 and 1. */
static interp_lanes made_up(const interp *in, const iri_inst *i)
{
    uint32_t hash = i->op;
    interp_lanes lanes = {{0}};
    iri_type type = iri_type_of(in->p, i->results);
    for (uint32_t k = 0; k < i->operand_count; k++) {
        iri_id value = iri_operands(in->p, i)[k];
        for (uint32_t lane = 0; lane < IRI_TYPE_LANES(iri_type_of(in->p, value)); lane++)
            hash = mix(hash, in->values[value].at[lane]);
    }
    for (uint32_t k = 0; k < i->immediate_count; k++)
        hash = mix(hash, iri_immediates(in->p, i)[k]);
    for (uint32_t lane = 0; lane < IRI_TYPE_LANES(type); lane++) {
        if (i->op == IRI_OP_DDX || i->op == IRI_OP_DDY)
            hash = mix(i->op, in->values[iri_operands(in->p, i)[0]].at[lane]);
        lanes.at[lane] = made_up_lane(type, hash);
        hash = mix(hash, lane);
    }
    return lanes;
}

static void evaluate(interp *in, const iri_inst *i)
{
    const iri_program *p = in->p;
    iri_type types[8] = {0};
    uint64_t operands[8][4];
    interp_lanes lanes = {{0}};
    for (uint32_t k = 0; k < i->operand_count && k < 8; k++) {
        types[k] = iri_type_of(p, iri_operands(p, i)[k]);
        memcpy(operands[k], in->values[iri_operands(p, i)[k]].at, sizeof operands[k]);
    }
    if (!iri_eval((iri_op)i->op, iri_type_of(p, i->results), types, (const uint64_t(*)[4])operands,
                  i->operand_count, iri_immediates(p, i), lanes.at))
        lanes = made_up(in, i);
    set_value(in, i->results, lanes);
}

static interp_lanes *element(interp *in, const iri_inst *i, uint32_t index_at)
{
    static interp_lanes outside;
    const iri_program *p = in->p;
    const uint32_t *immediates = iri_immediates(p, i);
    uint64_t index =
        i->operand_count > index_at ? in->values[iri_operands(p, i)[index_at]].at[0] : 0;
    uint32_t length = p->locals[immediates[0]].length;
    memset(&outside, 0, sizeof outside);
    return index < (length ? length : 1) ? &in->locals[immediates[0]][index] : &outside;
}

static void carry(interp *in, const iri_inst *i, uint32_t from, uint32_t count)
{
    assert(count <= CARRIED);
    for (uint32_t k = 0; k < count; k++)
        in->carried[k] = in->values[iri_operands(in->p, i)[from + k]];
    in->carried_count = count;
}

static void set_carried(interp *in, iri_id first, uint32_t count)
{
    assert(count == in->carried_count);
    for (uint32_t k = 0; k < count; k++)
        set_value(in, first + k, in->carried[k]);
}

static flow run_function(interp *in, iri_id function);
static flow run_region(interp *in, iri_id region);

static iri_id switch_region(const interp *in, const iri_inst *i)
{
    const uint32_t *at = iri_immediates(in->p, i) + 1;
    uint64_t selector = in->values[iri_operands(in->p, i)[0]].at[0];
    for (uint32_t k = 1; k < i->region_count; k++) {
        for (uint32_t v = 1; v <= at[0]; v++) {
            if (at[v] == (uint32_t)selector)
                return iri_regions(in->p, i)[k];
        }
        at += 1 + at[0];
    }
    return iri_regions(in->p, i)[0];
}

static flow run_loop(interp *in, const iri_inst *i)
{
    const iri_program *p = in->p;
    const iri_region *body = &p->regions[iri_regions(p, i)[0]];
    uint32_t label = iri_immediates(p, i)[0];
    flow f;
    carry(in, i, 0, i->operand_count);
    do {
        set_carried(in, body->parameters, body->parameter_count);
        f = run_region(in, iri_regions(p, i)[0]);
    } while (f == FLOW_CONTINUE && in->label == label);
    if (f == FLOW_BREAK && in->label == label)
        return FLOW_YIELD;
    return f;
}

static flow run_region_op(interp *in, const iri_inst *i)
{
    const iri_program *p = in->p;
    flow f;
    if (i->op == IRI_OP_IF)
        f = run_region(in, iri_regions(p, i)[!in->values[iri_operands(p, i)[0]].at[0]]);
    else if (i->op == IRI_OP_SWITCH)
        f = run_region(in, switch_region(in, i));
    else if (i->op == IRI_OP_BLOCK)
        f = run_region(in, iri_regions(p, i)[0]);
    else
        f = run_loop(in, i);
    if (i->op != IRI_OP_IF && f == FLOW_BREAK && in->label == iri_immediates(p, i)[0])
        f = FLOW_YIELD;
    if (f != FLOW_YIELD)
        return f;
    set_carried(in, i->results, i->result_count);
    return FLOW_NEXT;
}

static flow run_call(interp *in, const iri_inst *i)
{
    const iri_program *p = in->p;
    iri_id callee = iri_immediates(p, i)[0];
    const iri_region *body = &p->regions[p->functions[callee].body];
    carry(in, i, 0, i->operand_count);
    set_carried(in, body->parameters, body->parameter_count);
    flow f = run_function(in, callee);
    if (f != FLOW_RETURN)
        return f;
    set_carried(in, i->results, i->result_count);
    return FLOW_NEXT;
}

static flow run_terminator(interp *in, const iri_inst *i)
{
    carry(in, i, 0, i->operand_count);
    if (i->immediate_count)
        in->label = iri_immediates(in->p, i)[0];
    switch (i->op) {
    case IRI_OP_YIELD: return FLOW_YIELD;
    case IRI_OP_BREAK: return FLOW_BREAK;
    case IRI_OP_CONTINUE: return FLOW_CONTINUE;
    case IRI_OP_RETURN: return FLOW_RETURN;
    default: return FLOW_STOP;
    }
}

static flow run_inst(interp *in, const iri_inst *i)
{
    const iri_program *p = in->p;
    const uint32_t *immediates = iri_immediates(p, i), *operands = iri_operands(p, i);
    interp_lanes lanes = {{0}};
    if (++in->result->steps > in->limit)
        return FLOW_STOP;
    if (iri_props(i->op) & IRI_PROP_REGION)
        return run_region_op(in, i);
    if (iri_props(i->op) & IRI_PROP_TERMINATOR)
        return run_terminator(in, i);
    if (i->op == IRI_OP_CALL)
        return run_call(in, i);
    if (i->op == IRI_OP_INPUT) {
        for (uint32_t k = 0; k < IRI_LANES_COUNT(immediates[1]); k++)
            lanes.at[k] = in->inputs[immediates[0]].at[IRI_LANES_AT(immediates[1], k)];
        set_value(in, i->results, lanes);
    } else if (i->op == IRI_OP_LOAD_LOCAL) {
        const interp_lanes *from = element(in, i, 0);
        for (uint32_t k = 0; k < IRI_LANES_COUNT(immediates[1]); k++)
            lanes.at[k] = from->at[IRI_LANES_AT(immediates[1], k)];
        set_value(in, i->results, lanes);
    } else if (i->op == IRI_OP_STORE_LOCAL || i->op == IRI_OP_OUTPUT) {
        interp_lanes *to =
            i->op == IRI_OP_OUTPUT ? &in->result->outputs[immediates[0]] : element(in, i, 1);
        for (uint32_t k = 0; k < IRI_LANES_COUNT(immediates[1]); k++)
            to->at[IRI_LANES_AT(immediates[1], k)] = in->values[operands[0]].at[k];
    } else if (i->op == IRI_OP_DEMOTE) {
        in->result->demoted |= in->values[operands[0]].at[0] != 0;
    } else {
        evaluate(in, i);
    }
    return FLOW_NEXT;
}

static flow run_region(interp *in, iri_id region)
{
    iri_for_each_inst(in->p, region, i)
    {
        flow f = run_inst(in, i);
        if (f != FLOW_NEXT)
            return f;
    }
    return FLOW_STOP;
}

/* Which edge of a block's terminator is taken. */
static uint32_t taken(const interp *in, const iri_inst *i)
{
    uint64_t selector = i->op == IRI_OP_BR ? 1 : in->values[iri_operands(in->p, i)[0]].at[0];
    iri_cfg_edge edge;
    if (i->op == IRI_OP_BR)
        return 0;
    if (i->op == IRI_OP_BR_IF)
        return selector ? 0 : 1;
    for (uint32_t k = 1; iri_cfg_get_edge(in->p, i, k, &edge); k++) {
        if (edge.value == (uint32_t)selector)
            return k;
    }
    return 0;
}

static flow run_blocks(interp *in, iri_id block)
{
    const iri_program *p = in->p;
    for (;;) {
        const iri_inst *last = iri_terminator(p, block);
        iri_cfg_edge edge;
        iri_for_each_inst(p, block, i)
        {
            if (i == last)
                break;
            if (run_inst(in, i) != FLOW_NEXT)
                return FLOW_STOP;
        }
        if (++in->result->steps > in->limit)
            return FLOW_STOP;
        if (iri_cfg_edge_count(last) == 0)
            return run_terminator(in, last);
        iri_cfg_get_edge(p, last, taken(in, last), &edge);
        for (uint32_t k = 0; k < edge.count; k++)
            in->carried[k] = in->values[edge.arguments[k]];
        in->carried_count = edge.count;
        block = edge.block;
        set_carried(in, p->regions[block].parameters, p->regions[block].parameter_count);
    }
}

static flow run_function(interp *in, iri_id function)
{
    const iri_function *f = &in->p->functions[function];
    for (uint32_t i = 0; i < f->local_count; i++) {
        iri_id local = f->first_local + i;
        uint32_t length = in->p->locals[local].length;
        memset(in->locals[local], 0, (length ? length : 1) * sizeof(interp_lanes));
    }
    return f->form == IRI_FORM_CFG ? run_blocks(in, f->body) : run_region(in, f->body);
}

void interp_run_watched(const iri_program *p, const interp_lanes inputs[INTERP_IO], uint32_t steps,
                        const interp_watch *watch, interp_result *result)
{
    interp in = {.p = p, .inputs = inputs, .result = result, .watch = watch, .limit = steps};
    memset(result, 0, sizeof *result);
    in.values = calloc(p->value_count, sizeof *in.values);
    in.locals = calloc(p->local_count, sizeof *in.locals);
    for (iri_id v = 1; v < p->value_count; v++) {
        interp_lanes lanes = {{0}};
        if (!iri_is_constant(p, v))
            continue;
        memcpy(lanes.at, iri_constant(p, v),
               IRI_TYPE_LANES(iri_type_of(p, v)) * sizeof lanes.at[0]);
        set_value(&in, v, lanes);
    }
    for (iri_id l = 1; l < p->local_count; l++)
        in.locals[l] = calloc(p->locals[l].length ? p->locals[l].length : 1, sizeof(interp_lanes));
    result->finished = run_function(&in, p->entry) == FLOW_RETURN;
    for (iri_id l = 1; l < p->local_count; l++)
        free(in.locals[l]);
    free(in.locals);
    free(in.values);
}

void interp_run(const iri_program *p, const interp_lanes inputs[INTERP_IO], uint32_t steps,
                interp_result *result)
{
    interp_run_watched(p, inputs, steps, NULL, result);
}
