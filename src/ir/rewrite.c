/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copying programs through the builder. Every operation without regions is copied by one function that
 * follows the letters of ops.def; only the four ops with regions have code of their own. Blocks of a CFG
 * are visited in reverse postorder, so that values are met before their uses.
 */
#include "ir/rewrite.h"

iri_id iri_rewrite_value(iri_rewrite *rw, iri_id old)
{
    const iri_program *p = rw->from;
    assert(old < p->value_count);
    if (rw->values[old])
        return rw->values[old];
    if (iri_is_constant(p, old)) {
        uint64_t lanes[4] = {0};
        memcpy(lanes, iri_constant(p, old), IRI_TYPE_LANES(iri_type_of(p, old)) * sizeof lanes[0]);
        return rw->values[old] = iri_const(rw->b, iri_type_of(p, old), lanes);
    }
    /* In dead code anything of the type will do. */
    if (!iri_is_closed(rw->b))
        iri_builder_set_fault(rw->b, "value %u of the old program has no new one", (unsigned)old);
    return iri_const_zero(rw->b, old ? iri_type_of(p, old) : IRI_TYPE_F32);
}

static uint32_t map_block(const iri_rewrite *rw, iri_id block)
{
    const iri_function *old = &rw->from->functions[rw->function];
    const iri_function *made = &iri_builder_program(rw->b)->functions[rw->functions[rw->function]];
    return block - old->body + made->body;
}

/* The three lists of an instruction, mapped, on rw->words: operands, immediates, room for results. The
 * caller gives them back by setting the count to what it was. */
typedef struct lists {
    uint32_t *operands, *immediates, *results;
    uint32_t before;
} lists;

static lists map_lists(iri_rewrite *rw, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(rw->from, in);
    const uint32_t *immediates = iri_immediates(rw->from, in);
    const char *letters = iri_op_infos[in->op].immediates;
    lists l = {NULL, NULL, NULL, rw->words.count};
    iri_reserve(rw->scratch, &rw->words,
                (size_t)in->operand_count + in->immediate_count + in->result_count);
    l.operands = rw->words.at + l.before;
    l.immediates = l.operands + in->operand_count;
    l.results = l.immediates + in->immediate_count;
    rw->words.count += (uint32_t)in->operand_count + in->immediate_count + in->result_count;
    for (uint32_t i = 0; i < in->operand_count; i++)
        l.operands[i] = iri_rewrite_value(rw, operands[i]);
    for (uint32_t i = 0; i < in->immediate_count; i++) {
        char letter = *letters && *letters != '*' ? *letters++ : 0;
        switch (letter) {
        case 'l': l.immediates[i] = rw->locals[immediates[i]]; break;
        case 'L': l.immediates[i] = rw->labels[immediates[i]]; break;
        case 'g': l.immediates[i] = rw->functions[immediates[i]]; break;
        case 't': l.immediates[i] = map_block(rw, immediates[i]); break;
        default: l.immediates[i] = immediates[i]; break;
        }
    }
    for (uint32_t i = 2; in->op == IRI_OP_BR_SWITCH && i + 2 < in->immediate_count; i += 3)
        l.immediates[i + 1] = map_block(rw, immediates[i + 1]);
    return l;
}

static void copy_plain(iri_rewrite *rw, const iri_inst *in)
{
    lists l = map_lists(rw, in);
    iri_type type = in->result_count ? iri_type_of(rw->from, in->results) : IRI_TYPE_VOID;
    if (in->op == IRI_OP_CALL)
        iri_emit_call(rw->b, l.immediates[0], l.operands, in->operand_count, l.results);
    else if (in->result_count)
        l.results[0] = iri_emit(rw->b, (iri_op)in->op, type, l.operands, in->operand_count,
                                l.immediates, in->immediate_count);
    else
        iri_emit(rw->b, (iri_op)in->op, type, l.operands, in->operand_count, l.immediates,
                 in->immediate_count);
    for (uint32_t i = 0; i < in->result_count; i++)
        rw->values[in->results + i] = l.results[i];
    rw->words.count = l.before;
}

static void copy_loop(iri_rewrite *rw, const iri_inst *in)
{
    iri_id old = iri_regions(rw->from, in)[0];
    const iri_region *body = &rw->from->regions[old];
    lists l = map_lists(rw, in);
    iri_reserve(rw->scratch, &rw->words, body->parameter_count);
    l.operands = rw->words.at + l.before;
    iri_id *parameters = rw->words.at + rw->words.count;
    rw->labels[iri_immediates(rw->from, in)[0]] =
        iri_begin_loop(rw->b, l.operands, in->operand_count, parameters);
    for (uint32_t i = 0; i < body->parameter_count; i++)
        rw->values[body->parameters + i] = parameters[i];
    rw->words.count = l.before;
    iri_rewrite_region(rw, old);
}

static void copy_switch(iri_rewrite *rw, const iri_inst *in)
{
    const uint32_t *immediates = iri_immediates(rw->from, in), *at = immediates + 1;
    const uint32_t *regions = iri_regions(rw->from, in);
    rw->labels[immediates[0]] =
        iri_begin_switch(rw->b, iri_rewrite_value(rw, iri_operands(rw->from, in)[0]));
    iri_rewrite_region(rw, regions[0]);
    for (uint32_t i = 1; i < in->region_count; i++) {
        iri_begin_case(rw->b, at + 1, at[0]);
        iri_rewrite_region(rw, regions[i]);
        at += 1 + at[0];
    }
}

static void copy_regions(iri_rewrite *rw, const iri_inst *in)
{
    const uint32_t *regions = iri_regions(rw->from, in);
    uint32_t before = rw->words.count;
    switch (in->op) {
    case IRI_OP_IF:
        iri_begin_if(rw->b, iri_rewrite_value(rw, iri_operands(rw->from, in)[0]));
        iri_rewrite_region(rw, regions[0]);
        iri_begin_else(rw->b);
        iri_rewrite_region(rw, regions[1]);
        break;
    case IRI_OP_LOOP: copy_loop(rw, in); break;
    case IRI_OP_SWITCH: copy_switch(rw, in); break;
    case IRI_OP_BLOCK:
        rw->labels[iri_immediates(rw->from, in)[0]] = iri_begin_block(rw->b);
        iri_rewrite_region(rw, regions[0]);
        break;
    default: assert(!"an op with regions");
    }
    iri_reserve(rw->scratch, &rw->words, in->result_count);
    iri_id *results = rw->words.at + before;
    iri_end_results(rw->b, results, in->result_count);
    for (uint32_t i = 0; i < in->result_count; i++) {
        /* When no edge completes the new op, nothing is known of its results, and all is dead. */
        iri_type type = iri_type_of(rw->from, in->results + i);
        if (iri_builder_type(rw->b, results[i]) != type && iri_is_closed(rw->b))
            results[i] = iri_const_zero(rw->b, type);
        rw->values[in->results + i] = results[i];
    }
}

static void stamp(iri_rewrite *rw, const iri_inst *in)
{
    const iri_program *p = rw->from;
    iri_set_offset(rw->b, in->offset);
    iri_set_precise(rw->b, (in->flags & IRI_INST_PRECISE) != 0);
    iri_set_relaxed(rw->b,
                    in->result_count && (p->values[in->results].flags & IRI_VALUE_RELAXED) != 0);
}

void iri_rewrite_copy(iri_rewrite *rw, iri_id inst)
{
    const iri_inst *in = &rw->from->insts[inst];
    stamp(rw, in);
    if (in->region_count)
        copy_regions(rw, in);
    else
        copy_plain(rw, in);
}

iri_rewrite_action iri_rewrite_visit(iri_rewrite *rw, iri_id inst)
{
    /* A hook that rewrites regions comes back here, and then goes on with its own argument. */
    void *const outer = rw->argument;
    iri_rewrite_action action = IRI_REWRITE_COPY;
    for (uint32_t i = 0; i < rw->hook_count && action == IRI_REWRITE_COPY; i++) {
        rw->argument = rw->hooks[i].argument;
        action = rw->hooks[i].visit(rw, inst);
    }
    rw->argument = outer;
    return action;
}

void iri_rewrite_region(iri_rewrite *rw, iri_id region)
{
    const iri_region *r = &rw->from->regions[region];
    for (uint32_t i = 0; i < r->count && !iri_is_closed(rw->b); i++) {
        iri_id inst = rw->from->order[r->first + i];
        stamp(rw, &rw->from->insts[inst]);
        if (iri_rewrite_visit(rw, inst) == IRI_REWRITE_COPY)
            iri_rewrite_copy(rw, inst);
    }
}

/* ---- functions ---- */

/* The `i`-th block that a terminator branches to, 0 past the last. */
static iri_id successor(const iri_program *p, iri_id block, uint32_t i)
{
    const iri_inst *in = iri_terminator(p, block);
    const uint32_t *imm = in ? iri_immediates(p, in) : NULL;
    if (!in)
        return 0;
    if (in->op == IRI_OP_BR)
        return i < 1 ? imm[0] : 0;
    if (in->op == IRI_OP_BR_IF)
        return i < 2 ? imm[i] : 0;
    if (in->op == IRI_OP_BR_SWITCH && 3 * i < in->immediate_count)
        return i ? imm[3 * i] : imm[0];
    return 0;
}

/* Fills `order` with the blocks in reverse postorder, as numbers from the body on; returns how many are
 * reached. */
static uint32_t reverse_postorder(iri_rewrite *rw, const iri_function *f, uint32_t *order)
{
    uint32_t n = f->block_count, depth = 0, at = n;
    uint32_t *stack = iri_new_array(rw->scratch, uint32_t, n);
    uint32_t *next = iri_new_array(rw->scratch, uint32_t, n); /* successor to try, + 1; 0 unseen */
    stack[depth++] = 0;
    next[0] = 1;
    while (depth) {
        uint32_t block = stack[depth - 1];
        iri_id to = successor(rw->from, f->body + block, next[block] - 1);
        next[block]++;
        if (!to) {
            order[--at] = block;
            depth--;
        } else if (!next[to - f->body]) {
            stack[depth++] = to - f->body;
            next[to - f->body] = 1;
        }
    }
    memmove(order, order + at, (n - at) * sizeof *order);
    uint32_t reached = n - at, end = reached;
    for (uint32_t i = 0; i < n; i++)
        if (!next[i])
            order[end++] = i;
    return reached;
}

static void rewrite_blocks(iri_rewrite *rw, const iri_function *f)
{
    uint32_t *order = iri_new_array(rw->scratch, uint32_t, f->block_count);
    uint32_t reached = reverse_postorder(rw, f, order);
    iri_id first = iri_begin_cfg(rw->b, f->block_count);
    for (uint32_t i = 0; i < f->block_count; i++) {
        const iri_region *block = &rw->from->regions[f->body + order[i]];
        if (i) {
            iri_type *types = iri_new_array(rw->scratch, iri_type, block->parameter_count);
            iri_id *parameters = iri_new_array(rw->scratch, iri_id, block->parameter_count);
            for (uint32_t k = 0; k < block->parameter_count; k++)
                types[k] = iri_type_of(rw->from, block->parameters + k);
            iri_begin_cfg_block(rw->b, first + order[i], types, block->parameter_count, parameters);
            for (uint32_t k = 0; k < block->parameter_count; k++)
                rw->values[block->parameters + k] = parameters[k];
        }
        /* What is never reached may use anything, so it is not copied. */
        if (i < reached)
            iri_rewrite_region(rw, f->body + order[i]);
        else
            iri_emit_unreachable(rw->b);
    }
}

void iri_rewrite_init_hooks(iri_rewrite *rw, iri_builder *b, const iri_program *from,
                            iri_arena *scratch, const iri_hook *hooks, uint32_t count)
{
    memset(rw, 0, sizeof *rw);
    rw->b = b;
    rw->from = from;
    rw->scratch = scratch;
    rw->values = iri_new_array(scratch, iri_id, from->value_count);
    rw->labels = iri_new_array(scratch, uint32_t, from->label_count);
    rw->locals = iri_new_array(scratch, iri_id, from->local_count);
    rw->functions = iri_new_array(scratch, iri_id, from->function_count);
    iri_reserve(scratch, &rw->words, 16); /* so that it is never NULL */
    rw->hooks = hooks;
    rw->hook_count = count;
}

void iri_rewrite_init(iri_rewrite *rw, iri_builder *b, const iri_program *from, iri_arena *scratch,
                      iri_rewrite_fn *visit, void *argument)
{
    iri_rewrite_init_hooks(rw, b, from, scratch, &rw->own, visit != NULL);
    rw->own = (iri_hook){visit, argument};
    rw->argument = argument;
}

void iri_rewrite_declare(iri_rewrite *rw)
{
    const iri_program *p = rw->from;
    for (iri_id f = 1; f < p->function_count; f++) {
        const iri_function *old = &p->functions[f];
        uint32_t count = old->body ? p->regions[old->body].parameter_count : old->external_count;
        iri_type *types = iri_new_array(rw->scratch, iri_type, count);
        for (uint32_t i = 0; i < count; i++)
            types[i] = old->body ? iri_type_of(p, p->regions[old->body].parameters + i)
                                 : old->external_types[i];
        rw->functions[f] = iri_declare_function(rw->b, old->name, types, count, old->result_types,
                                                old->result_count);
    }
    iri_builder_program(rw->b)->entry = rw->functions[p->entry];
}

void iri_rewrite_function(iri_rewrite *rw, iri_id function)
{
    const iri_program *p = rw->from;
    const iri_function *f = &p->functions[function];
    if (!f->body)
        return;
    const iri_region *body = &p->regions[f->body];
    iri_id *parameters = iri_new_array(rw->scratch, iri_id, body->parameter_count);
    rw->function = function;
    iri_begin_declared(rw->b, rw->functions[function], parameters);
    for (uint32_t i = 0; i < body->parameter_count; i++)
        rw->values[body->parameters + i] = parameters[i];
    for (uint32_t i = 0; i < f->local_count; i++)
        rw->locals[f->first_local + i] = iri_add_local(rw->b, &p->locals[f->first_local + i]);
    if (f->form == IRI_FORM_CFG)
        rewrite_blocks(rw, f);
    else
        iri_rewrite_region(rw, f->body);
    iri_end_function(rw->b);
}

void iri_rewrite_program(iri_rewrite *rw)
{
    iri_copy_header(rw->b, rw->from);
    iri_rewrite_declare(rw);
    for (iri_id f = 1; f < rw->from->function_count; f++)
        iri_rewrite_function(rw, f);
    iri_builder_program(rw->b)->entry = rw->functions[rw->from->entry];
}
