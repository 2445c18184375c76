/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plain interpreter of structured programs, for tests: one invocation, one instruction after another, the
 * value of each operation from ir/eval.
 */
#include "ir/eval.h"
#include "tests/unit/test.h"
#include "tests/unit/test_lower.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 1000000 };

typedef enum signal { NEXT, YIELD, BREAK, CONTINUE, RETURN, STUCK } signal;

static signal run_region(iri_test_run *r, iri_id region);

static signal stuck(iri_test_run *r, const char *why)
{
    if (!r->fault)
        r->fault = why;
    return STUCK;
}

static const uint64_t *value(const iri_test_run *r, iri_id id)
{
    return iri_is_constant(r->p, id) ? iri_constant(r->p, id) : r->values[id];
}

static uint32_t carry(iri_test_run *r, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(r->p, in);
    uint64_t copy[80][4];
    for (uint32_t i = 0; i < in->operand_count; i++)
        memcpy(copy[i], value(r, operands[i]), sizeof copy[i]);
    memcpy(r->carried, copy, in->operand_count * sizeof copy[0]);
    return in->operand_count;
}

static void give(iri_test_run *r, iri_id first, uint32_t count)
{
    if (count)
        memcpy(r->values[first], r->carried, count * sizeof *r->values);
}

static signal run_call(iri_test_run *r, iri_id function)
{
    const iri_function *f = &r->p->functions[function];
    for (uint32_t i = 0; i < f->local_count; i++) {
        iri_id local = f->first_local + i;
        uint32_t length = r->p->locals[local].length ? r->p->locals[local].length : 1;
        memset(r->locals[r->local_at[local]], 0, length * sizeof *r->locals);
    }
    give(r, r->p->regions[f->body].parameters, r->p->regions[f->body].parameter_count);
    return run_region(r, f->body);
}

static void load_cb(iri_test_run *r, const iri_inst *in, uint64_t out[4])
{
    const iri_resource *cb = &r->p->interface.resources[iri_immediates(r->p, in)[0]];
    uint64_t offset = (uint32_t)value(r, iri_operands(r->p, in)[0])[0];
    iri_type type = iri_type_of(r->p, in->results);
    for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++) {
        uint64_t at = offset + i * 4;
        out[i] = at + 4 <= cb->size && cb->reg < 3 && r->cb[cb->reg] ? r->cb[cb->reg][at / 4] : 0;
    }
}

static signal access_local(iri_test_run *r, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(r->p, in), *immediates = iri_immediates(r->p, in);
    bool store = in->op == IRI_OP_STORE_LOCAL;
    const iri_local *local = &r->p->locals[immediates[0]];
    uint32_t index = 0;
    if (in->operand_count > (store ? 1 : 0))
        index = (uint32_t)value(r, operands[store ? 1 : 0])[0];
    bool inside = index < (local->length ? local->length : 1);
    uint64_t *memory = inside ? r->locals[r->local_at[immediates[0]] + index] : NULL;
    for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[1]); i++) {
        uint32_t lane = IRI_LANES_AT(immediates[1], i);
        if (store && inside)
            memory[lane] = value(r, operands[0])[i];
        else if (!store)
            r->values[in->results][i] = inside ? memory[lane] : 0;
    }
    return NEXT;
}

static signal run_sample(iri_test_run *r, const iri_inst *in)
{
    uint64_t operands[5][4] = {{0}};
    float texel[4] = {0, 0, 0, 1};
    for (uint32_t i = 0; i < in->operand_count && i < 5; i++)
        memcpy(operands[i], value(r, iri_operands(r->p, in)[i]), sizeof operands[i]);
    if (r->sample)
        r->sample(r->user, in, r->p->interface.resources[iri_immediates(r->p, in)[0]].reg, operands,
                  texel);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t bits;
        memcpy(&bits, &texel[i], 4);
        r->values[in->results][i] = bits;
    }
    return NEXT;
}

static signal run_pure(iri_test_run *r, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(r->p, in);
    iri_type types[8];
    uint64_t lanes[8][4];
    if (in->operand_count > 8 || in->result_count != 1)
        return stuck(r, iri_op_infos[in->op].name);
    for (uint32_t i = 0; i < in->operand_count; i++) {
        types[i] = iri_type_of(r->p, operands[i]);
        memcpy(lanes[i], value(r, operands[i]), sizeof lanes[i]);
    }
    return iri_eval((iri_op)in->op, iri_type_of(r->p, in->results), types,
                    (const uint64_t(*)[4])lanes, in->operand_count, iri_immediates(r->p, in),
                    r->values[in->results])
               ? NEXT
               : stuck(r, iri_op_infos[in->op].name);
}

/* A loop, block or if: what leaves it, and with how many values. */
static signal run_loop(iri_test_run *r, const iri_inst *in)
{
    uint32_t label = iri_immediates(r->p, in)[0];
    iri_id body = iri_regions(r->p, in)[0];
    carry(r, in);
    for (;;) {
        give(r, r->p->regions[body].parameters, r->p->regions[body].parameter_count);
        signal s = run_region(r, body);
        if (s == CONTINUE && r->label == label)
            continue;
        if (s == BREAK && r->label == label)
            break;
        return s;
    }
    give(r, in->results, in->result_count);
    return NEXT;
}

static signal run_arm(iri_test_run *r, const iri_inst *in, uint32_t arm)
{
    signal s = run_region(r, iri_regions(r->p, in)[arm]);
    bool own = in->op != IRI_OP_IF && s == BREAK && r->label == iri_immediates(r->p, in)[0];
    if (s != YIELD && !own)
        return s;
    give(r, in->results, in->result_count);
    return NEXT;
}

static signal run_inst(iri_test_run *r, const iri_inst *in)
{
    const iri_program *p = r->p;
    const uint32_t *operands = iri_operands(p, in), *immediates = iri_immediates(p, in);
    if (++r->steps > STEPS)
        return stuck(r, "too many steps");
    switch ((iri_op)in->op) {
    case IRI_OP_INPUT:
        for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[1]); i++)
            r->values[in->results][i] = r->inputs[immediates[0]][IRI_LANES_AT(immediates[1], i)];
        return NEXT;
    case IRI_OP_OUTPUT:
        for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[1]); i++)
            r->outputs[immediates[0]][IRI_LANES_AT(immediates[1], i)] =
                (uint32_t)value(r, operands[0])[i];
        return NEXT;
    case IRI_OP_STATE: {
        const iri_state_info *info = iri_state_get_info((iri_state_id)immediates[0]);
        for (uint32_t i = 0; i < 4; i++)
            r->values[in->results][i] = info->default_bits[i];
        return NEXT;
    }
    case IRI_OP_LOAD_CB: load_cb(r, in, r->values[in->results]); return NEXT;
    case IRI_OP_LOAD_LOCAL:
    case IRI_OP_STORE_LOCAL: return access_local(r, in);
    case IRI_OP_SAMPLE:
    case IRI_OP_SAMPLE_BIAS:
    case IRI_OP_SAMPLE_LOD:
    case IRI_OP_SAMPLE_GRAD:
    case IRI_OP_SAMPLE_CMP:
    case IRI_OP_SAMPLE_CMP_LEVEL: return run_sample(r, in);
    case IRI_OP_DEMOTE: r->killed |= value(r, operands[0])[0] != 0; return NEXT;
    case IRI_OP_IF: return run_arm(r, in, value(r, operands[0])[0] ? 0 : 1);
    case IRI_OP_BLOCK: return run_arm(r, in, 0);
    case IRI_OP_LOOP: return run_loop(r, in);
    case IRI_OP_CALL: {
        carry(r, in);
        signal s = run_call(r, immediates[0]);
        if (s != RETURN)
            return s;
        give(r, in->results, in->result_count);
        return NEXT;
    }
    case IRI_OP_YIELD: carry(r, in); return YIELD;
    case IRI_OP_RETURN: carry(r, in); return RETURN;
    case IRI_OP_BREAK:
    case IRI_OP_CONTINUE:
        carry(r, in);
        r->label = immediates[0];
        return in->op == IRI_OP_BREAK ? BREAK : CONTINUE;
    default: return run_pure(r, in);
    }
}

static signal run_region(iri_test_run *r, iri_id region)
{
    for (uint32_t i = 0; i < r->p->regions[region].count; i++) {
        signal s = run_inst(r, &r->p->insts[r->p->order[r->p->regions[region].first + i]]);
        if (s != NEXT)
            return s;
    }
    return stuck(r, "a region without an end");
}

bool iri_test_interpret(iri_test_run *run)
{
    const iri_program *p = run->p;
    uint32_t rows = 0;
    run->local_at = calloc(p->local_count + 1u, sizeof *run->local_at);
    for (uint32_t i = 1; i < p->local_count; i++) {
        run->local_at[i] = rows;
        rows += p->locals[i].length ? p->locals[i].length : 1;
    }
    run->locals = calloc(rows + 1u, sizeof *run->locals);
    run->values = calloc(p->value_count + 1u, sizeof *run->values);
    run->steps = 0;
    run->killed = false;
    run->fault = NULL;
    signal s = run_call(run, p->entry);
    free(run->values);
    free(run->locals);
    free(run->local_at);
    if (s != RETURN && !run->fault)
        run->fault = "the entry did not return";
    return s == RETURN;
}

iri_program *iri_test_lift(const char *text, const iri_lift_options *options)
{
    static uint32_t words[IRI_TEST_WORDS];
    static uint8_t bytes[IRI_TEST_WORDS * 4];
    static const iri_state defaults = {NULL, 0, true};
    iri_lift_options own = options ? *options : (iri_lift_options){.size = sizeof own};
    iri_program *program;
    iri_refusal why;
    char line[400];
    uint32_t count = iri_test_assemble(text, words);
    if (!count)
        return NULL;
    iri_test_pack(words, count, bytes);
    if (!own.state)
        own.state = &defaults;
    if (iri_lift(bytes, count * 4, &own, &program, NULL, &why) == IRI_OK)
        return program;
    iri_refusal_line(&why, NULL, line, sizeof line);
    FAIL("%s\n%s", line, text);
    return NULL;
}
