/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder's functions, their locals, and CFG form.
 */
#include "ir/emit_internal.h"

/* ---- functions ---- */

static const iri_type *copy_types(iri_builder *b, const iri_type *types, uint32_t count)
{
    iri_type *copy = iri_new_array(b->scratch, iri_type, count);
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = types[i];
        if (!iri_scalar_bits(IRI_TYPE_SCALAR(types[i]))) {
            iri_builder_set_fault(b, "a function with a value of no type");
            copy[i] = IRI_TYPE_F32;
        }
    }
    return copy;
}

iri_id iri_declare_function(iri_builder *b, const char *name, const iri_type *parameter_types,
                            uint32_t parameter_count, const iri_type *result_types,
                            uint32_t result_count)
{
    if (!name)
        name = "";
    if (parameter_count > UINT16_MAX || result_count > UINT16_MAX)
        iri_fail(b->ctx, IRI_LIMIT_INSTRUCTIONS, b->offset, "a function with more than %u values",
                 (unsigned)UINT16_MAX);
    iri_room(b, functions, function_count, 1);
    iri_function *f = &b->p->functions[b->p->function_count];
    memset(f, 0, sizeof *f);
    f->name = iri_arena_copy_text(b->scratch, name, strlen(name));
    f->first_local = b->p->local_count;
    f->result_count = result_count;
    f->result_types = copy_types(b, result_types, result_count);
    f->external_count = parameter_count;
    f->external_types = copy_types(b, parameter_types, parameter_count);
    return b->p->function_count++;
}

static void add_parameters(iri_builder *b, iri_id region, const iri_type *types, uint32_t count,
                           iri_id *parameters)
{
    for (uint32_t i = 0; i < count; i++) {
        iri_id value = iri_new_value(b, types[i], IRI_VALUE_PARAMETER, region, i, false);
        if (!i)
            b->p->regions[region].parameters = value;
        if (parameters)
            parameters[i] = value;
    }
    b->p->regions[region].parameter_count = count;
}

/* Forgets the open ops. */
static void reset(iri_builder *b)
{
    b->frames.count = b->pending.count = b->operands.count = b->immediates.count = 0;
    b->regions.count = b->slots.count = b->edges.count = 0;
    b->function = 0;
    b->first_block = b->block_count = 0;
    iri_pop_numbers(b, 0);
}

void iri_begin_declared(iri_builder *b, iri_id function, iri_id *parameters)
{
    if (function == 0 || function >= b->p->function_count || b->p->functions[function].body) {
        iri_builder_set_fault(b, "function %u cannot be begun", (unsigned)function);
        return;
    }
    if (b->function) {
        iri_builder_set_fault(b, "function %s begins inside another",
                              b->p->functions[function].name);
        reset(b);
    }
    iri_id body = iri_new_region(b, 0);
    iri_function *f = &b->p->functions[function];
    f->body = body;
    f->first_local = b->p->local_count;
    add_parameters(b, body, f->external_types, f->external_count, parameters);
    f->external_count = 0;
    b->function = function;
    if (!b->p->entry)
        b->p->entry = function;
    iri_open_region(b, iri_push_frame(b, IRI_OP_NONE), body);
}

iri_id iri_begin_function(iri_builder *b, const char *name, const iri_type *parameter_types,
                          uint32_t parameter_count, const iri_type *result_types,
                          uint32_t result_count, iri_id *parameters)
{
    iri_id function =
        iri_declare_function(b, name, parameter_types, parameter_count, result_types, result_count);
    iri_begin_declared(b, function, parameters);
    return function;
}

iri_id iri_add_local(iri_builder *b, const iri_local *local)
{
    if (!b->function || !iri_scalar_bits(IRI_TYPE_SCALAR(local->type))) {
        iri_builder_set_fault(b,
                              b->function ? "a local of no type" : "a local outside any function");
        return 0;
    }
    const char *name = local->name ? local->name : "";
    iri_room(b, locals, local_count, 1);
    iri_local *copy = &b->p->locals[b->p->local_count];
    *copy = *local;
    copy->name = iri_arena_copy_text(b->scratch, name, strlen(name));
    b->p->functions[b->function].local_count++;
    return b->p->local_count++;
}

/* ---- CFG form ---- */

iri_id iri_begin_cfg(iri_builder *b, uint32_t count)
{
    iri_frame *top = iri_top(b);
    if (!b->function || b->frames.count != 1 || b->block_count || top->closed || !count ||
        b->pending.count || top->region + 1 != b->p->region_count) {
        iri_builder_set_fault(b, "CFG form begins at the start of a function");
        return 0;
    }
    iri_room(b, regions, region_count, count);
    for (uint32_t i = 1; i < count; i++)
        iri_new_region(b, 0);
    b->first_block = top->region;
    b->block_count = count;
    b->p->functions[b->function].form = IRI_FORM_CFG;
    b->p->functions[b->function].block_count = count;
    return b->first_block;
}

void iri_begin_cfg_block(iri_builder *b, iri_id block, const iri_type *types, uint32_t count,
                         iri_id *parameters)
{
    iri_frame *top = iri_top(b);
    if (!iri_is_block(b, block) || block == top->region || b->p->regions[block].count) {
        iri_builder_set_fault(b, "block %u cannot be begun", (unsigned)block);
        for (uint32_t i = 0; i < count; i++)
            parameters[i] = iri_no_value(b, types[i]);
        return;
    }
    iri_end_arm(b, top);
    iri_open_region(b, top, block);
    add_parameters(b, block, copy_types(b, types, count), count, parameters);
}

/* Whether `count` arguments from `at` on are what the block takes; moves `at` past them. */
static void check_arguments(iri_builder *b, const iri_inst *in, iri_id block, uint32_t *at,
                            uint32_t count)
{
    const iri_program *p = b->p;
    bool good = iri_is_block(b, block) && p->regions[block].parameter_count == count &&
                count <= in->operand_count - *at;
    for (uint32_t i = 0; good && i < count; i++)
        good = iri_type_of(p, iri_operands(p, in)[*at + i]) ==
               iri_type_of(p, p->regions[block].parameters + i);
    if (!good)
        iri_op_fault(b, in->op, "arguments do not fit block %u", (unsigned)block);
    *at += good ? count : 0;
}

static void check_blocks(iri_builder *b)
{
    const iri_program *p = b->p;
    for (iri_id block = b->first_block; block < b->first_block + b->block_count; block++) {
        const iri_inst *in = iri_terminator(p, block);
        if (!in) {
            iri_op_fault(b, IRI_OP_NONE, "block %u is never begun", (unsigned)block);
            continue;
        }
        const uint32_t *imm = iri_immediates(p, in);
        uint32_t at = in->op != IRI_OP_BR;
        if (in->op == IRI_OP_BR) {
            check_arguments(b, in, imm[0], &at, in->operand_count);
        } else if (in->op == IRI_OP_BR_IF) {
            check_arguments(b, in, imm[0], &at, imm[2]);
            check_arguments(b, in, imm[1], &at, in->operand_count - at);
        } else if (in->op == IRI_OP_BR_SWITCH) {
            check_arguments(b, in, imm[0], &at, imm[1]);
            for (uint32_t i = 2; i + 2 < in->immediate_count; i += 3)
                check_arguments(b, in, imm[i + 1], &at, imm[i + 2]);
            if (at != in->operand_count)
                iri_op_fault(b, in->op, "%u operands", (unsigned)in->operand_count);
        }
    }
}

void iri_end_function(iri_builder *b)
{
    if (!b->function) {
        iri_builder_set_fault(b, "no function is open");
        return;
    }
    if (b->frames.count > 1) {
        iri_op_fault(b, iri_top(b)->op, "is still open at the function's end");
    } else {
        iri_end_arm(b, iri_top(b));
        check_blocks(b);
    }
    reset(b);
}
