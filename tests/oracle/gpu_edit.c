/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small changes to a program, each of which may make it smaller once dead code is dropped: what the shrinker
 * tries. And the planted fault of the harness' own test: one operation said as another.
 */
#include "tests/oracle/gpu_shrink.h"

#include "base/ctx.h"
#include "pass/shape.h"

#include <string.h>

typedef struct editing {
    const iri_program *from;
    const gpu_edit *edit;
    iri_arena scratch;
    iri_builder *b;
    iri_program *result;
    uint32_t input; /* the new one */
    iri_op planted[2];
} editing;

/* ---- visiting ---- */

static iri_type input_type(iri_type type)
{
    return IRI_TYPE_SCALAR(type) == IRI_BOOL ? IRI_TYPE(IRI_U32, IRI_TYPE_LANES(type)) : type;
}

static iri_lanes first_lanes(uint32_t count)
{
    static const iri_lanes lanes[] = {0, IRI_LANES1(0), IRI_LANES2(0, 1), IRI_LANES3(0, 1, 2),
                                      IRI_LANES4(0, 1, 2, 3)};
    return lanes[count];
}

/* The value is what a new input gives. */
static void put_input(iri_rewrite *rw, editing *e, iri_id value)
{
    iri_type type = iri_type_of(e->from, value);
    iri_id id = iri_emit_input(rw->b, e->input, first_lanes(IRI_TYPE_LANES(type)));
    if (IRI_TYPE_SCALAR(type) == IRI_BOOL)
        id = iri_emit2(rw->b, IRI_OP_INE, id, iri_const_zero(rw->b, input_type(type)));
    iri_rewrite_set(rw, value, id);
}

/* A value as floats: integers converted, truths as 0 and 1. */
static iri_id as_floats(iri_rewrite *rw, iri_id value)
{
    iri_id id = iri_rewrite_value(rw, value);
    iri_type type = iri_type_of(rw->from, value);
    uint32_t lanes = IRI_TYPE_LANES(type);
    if (IRI_TYPE_SCALAR(type) == IRI_BOOL)
        return iri_emit_select(rw->b, id, iri_const_splat_f32(rw->b, 1, lanes),
                               iri_const_splat_f32(rw->b, 0, lanes));
    return IRI_TYPE_SCALAR(type) == IRI_F32 ? id
                                            : iri_emit_convert(rw->b, IRI_OP_ITOF, IRI_F32, id);
}

/* Before a return: the value is the first output, or its first lanes; every other output is zero. */
static void put_outputs(iri_rewrite *rw, iri_id value)
{
    const iri_interface *io = &rw->from->interface;
    for (uint32_t i = 0; i < io->output_count; i++) {
        iri_type type = io->outputs[i].type;
        uint32_t lanes = IRI_TYPE_LANES(type);
        iri_id id = iri_const_zero(rw->b, type);
        if (i == 0 && rw->values[value]) {
            iri_id given = as_floats(rw, value);
            uint32_t has = IRI_TYPE_LANES(iri_type_of(rw->from, value));
            if (has >= lanes)
                id = iri_emit_resize(rw->b, given, lanes);
            else
                id = iri_emit_insert(rw->b, id, given, first_lanes(has));
        }
        iri_emit_output(rw->b, i, first_lanes(lanes), id);
    }
}

/* Of all outputs only one lane is other than zero. */
static void keep_lane(iri_rewrite *rw, const iri_inst *in, const gpu_edit *edit)
{
    const uint32_t *imm = iri_immediates(rw->from, in);
    iri_id value = iri_operands(rw->from, in)[0];
    iri_id id = iri_const_zero(rw->b, iri_type_of(rw->from, value));
    uint32_t lanes = IRI_LANES_COUNT(imm[1]);
    for (uint32_t i = 0; imm[0] == edit->at && i < lanes; i++) {
        iri_id old = iri_rewrite_value(rw, value);
        if (IRI_LANES_AT(imm[1], i) == edit->choice)
            id = lanes == 1
                     ? old
                     : iri_emit_insert(rw->b, id, iri_emit_swizzle(rw->b, old, IRI_LANES1(i)),
                                       IRI_LANES1(i));
    }
    iri_emit_output(rw->b, imm[0], imm[1], id);
}

static void map_zero(iri_rewrite *rw, const iri_inst *in)
{
    for (uint32_t i = 0; i < in->result_count; i++)
        iri_rewrite_set(rw, in->results + i,
                        iri_const_zero(rw->b, iri_type_of(rw->from, in->results + i)));
}

/* One arm in place of the `if`. */
static void put_arm(iri_rewrite *rw, const iri_inst *in, uint32_t arm)
{
    const iri_inst *last = iri_shape_splice(rw, iri_regions(rw->from, in)[arm]);
    if (last && last->op == IRI_OP_YIELD) {
        iri_shape_map(rw, in->results, iri_shape_operands(rw, last), in->result_count);
        return;
    }
    if (last)
        iri_shape_inst(rw, (iri_id)(last - rw->from->insts));
    map_zero(rw, in);
}

/* A loop's body, run once: it ends where it would have gone round, with what it would have taken along. */
static void put_body(iri_rewrite *rw, const iri_inst *in)
{
    const iri_program *p = rw->from;
    const iri_region *body = &p->regions[iri_regions(p, in)[0]];
    iri_id *results = iri_new_array(rw->scratch, iri_id, in->result_count);
    iri_shape_map(rw, body->parameters, iri_shape_operands(rw, in), in->operand_count);
    rw->labels[iri_immediates(p, in)[0]] = iri_begin_block(rw->b);
    iri_rewrite_region(rw, iri_regions(p, in)[0]);
    iri_end_results(rw->b, results, in->result_count);
    if (iri_is_closed(rw->b))
        map_zero(rw, in);
    else
        iri_shape_map(rw, in->results, results, in->result_count);
}

/* The loop's results are the first values carried round of their types, or zero. */
static iri_rewrite_action end_body(iri_rewrite *rw, const iri_inst *end, const iri_inst *loop)
{
    const iri_program *p = rw->from;
    iri_id *results = iri_new_array(rw->scratch, iri_id, loop->result_count);
    for (uint32_t i = 0; i < loop->result_count; i++) {
        iri_type type = iri_type_of(p, loop->results + i);
        uint32_t k = 0;
        while (k < end->operand_count && iri_type_of(p, iri_operands(p, end)[k]) != type)
            k++;
        results[i] = k < end->operand_count ? iri_rewrite_value(rw, iri_operands(p, end)[k])
                                            : iri_const_zero(rw->b, type);
    }
    iri_emit_break(rw->b, rw->labels[iri_immediates(p, loop)[0]], results, loop->result_count);
    return IRI_REWRITE_DONE;
}

static iri_rewrite_action visit(iri_rewrite *rw, iri_id inst)
{
    editing *e = rw->argument;
    const gpu_edit *edit = e->edit;
    const iri_inst *in = &rw->from->insts[inst];
    bool of_value = edit->kind == GPU_EDIT_INPUT || edit->kind == GPU_EDIT_OPERAND;
    bool defines = of_value && iri_def(rw->from, edit->at) == in;
    switch (edit->kind) {
    case GPU_EDIT_LANE:
        if (in->op != IRI_OP_OUTPUT)
            return IRI_REWRITE_COPY;
        keep_lane(rw, in, edit);
        return IRI_REWRITE_DONE;
    case GPU_EDIT_OUTPUT:
        if (in->op == IRI_OP_OUTPUT)
            return IRI_REWRITE_DROP;
        if (in->op == IRI_OP_RETURN && rw->function == rw->from->entry)
            put_outputs(rw, edit->at);
        return IRI_REWRITE_COPY;
    case GPU_EDIT_INPUT:
        if (!defines)
            return IRI_REWRITE_COPY;
        iri_rewrite_copy(rw, inst);
        put_input(rw, e, edit->at);
        return IRI_REWRITE_DONE;
    case GPU_EDIT_OPERAND:
        if (!defines)
            return IRI_REWRITE_COPY;
        iri_rewrite_set(rw, edit->at,
                        iri_rewrite_value(rw, iri_operands(rw->from, in)[edit->choice]));
        return IRI_REWRITE_DONE;
    case GPU_EDIT_DROP: return inst == edit->at ? IRI_REWRITE_DROP : IRI_REWRITE_COPY;
    case GPU_EDIT_ARM:
        if (inst != edit->at)
            return IRI_REWRITE_COPY;
        put_arm(rw, in, edit->choice);
        return IRI_REWRITE_DONE;
    case GPU_EDIT_ONCE:
        if (in->op == IRI_OP_CONTINUE && iri_immediates(rw->from, in)[0] == edit->choice)
            return end_body(rw, in, &rw->from->insts[edit->at]);
        if (inst != edit->at)
            return IRI_REWRITE_COPY;
        put_body(rw, in);
        return IRI_REWRITE_DONE;
    case GPU_EDIT_PASS: break;
    }
    return IRI_REWRITE_COPY;
}

static iri_rewrite_action visit_planted(iri_rewrite *rw, iri_id inst)
{
    const editing *e = rw->argument;
    const iri_inst *in = &rw->from->insts[inst];
    iri_id operands[3];
    if (in->op != e->planted[0])
        return IRI_REWRITE_COPY;
    for (uint32_t i = 0; i < in->operand_count && i < 3; i++)
        operands[i] = iri_rewrite_value(rw, iri_operands(rw->from, in)[i]);
    iri_rewrite_set(rw, in->results,
                    iri_emit(rw->b, e->planted[1], iri_type_of(rw->from, in->results), operands,
                             in->operand_count, NULL, 0));
    return IRI_REWRITE_DONE;
}

/* ---- making ---- */

/* A new input, and all of them such that they go when nothing reads them. */
static void add_input(editing *e)
{
    iri_io io = {.name = "VALUE",
                 .index = e->edit->serial,
                 .interpolation = IRI_INTERPOLATION_LINEAR,
                 .bank = IRI_BANK_V,
                 .reg = (uint16_t)(32 + e->edit->serial),
                 .flags = IRI_IO_GENERATED | IRI_IO_IMPLICIT,
                 .offset = IRI_NO_OFFSET};
    iri_interface *to = &iri_builder_program(e->b)->interface;
    for (uint32_t i = 0; i < to->input_count; i++)
        ((iri_io *)(uintptr_t)to->inputs)[i].flags |= IRI_IO_IMPLICIT;
    if (e->edit->kind != GPU_EDIT_INPUT)
        return;
    io.type = input_type(iri_type_of(e->from, e->edit->at));
    io.lanes = io.used = (uint8_t)((1u << IRI_TYPE_LANES(io.type)) - 1);
    if (IRI_TYPE_SCALAR(io.type) != IRI_F32)
        io.interpolation = IRI_INTERPOLATION_FLAT;
    if (e->from->stage != IRI_STAGE_PIXEL)
        io.interpolation = IRI_INTERPOLATION_DEFAULT;
    e->input = iri_add_input(e->b, &io);
}

static void make(iri_ctx *ctx, void *argument)
{
    editing *e = argument;
    iri_rewrite rw;
    iri_arena_init(&e->scratch, ctx);
    e->b = iri_builder_make(ctx, &e->scratch, e->from->stage, 0);
    iri_rewrite_init(&rw, e->b, e->from, &e->scratch, e->edit ? visit : visit_planted, e);
    iri_copy_header(e->b, e->from);
    if (e->edit)
        add_input(e);
    iri_rewrite_declare(&rw);
    for (iri_id f = 1; f < e->from->function_count; f++)
        iri_rewrite_function(&rw, f);
    e->result = iri_shape_finish(&rw);
}

static iri_program *finish(editing *e)
{
    iri_ctx ctx;
    iri_refusal why;
    iri_ctx_init(&ctx, NULL, NULL, &why);
    iri_status status = iri_protect(&ctx, make, e);
    if (status != IRI_OK && e->b)
        iri_builder_discard(e->b);
    iri_arena_free(&e->scratch);
    return status == IRI_OK ? e->result : NULL;
}

iri_program *gpu_edited(const iri_program *p, const gpu_edit *edit)
{
    editing e = {.from = p, .edit = edit};
    iri_program *changed = NULL, *small = NULL;
    if (edit->kind != GPU_EDIT_PASS)
        changed = finish(&e);
    else if (iri_pass_apply(p, (iri_pass_id)edit->choice, NULL, &changed, NULL, NULL) != IRI_OK)
        changed = NULL;
    if (changed && iri_pass_apply(changed, IRI_PASS_DCE, NULL, &small, NULL, NULL) != IRI_OK)
        small = NULL;
    iri_program_free(changed);
    if (small && iri_validate(small, IRI_CAN_ALL, NULL, NULL) != IRI_OK) {
        iri_program_free(small);
        small = NULL;
    }
    return small;
}

/* ---- the planted fault ---- */

static iri_op planted[2];

static iri_op op_named(const char *name, size_t length)
{
    for (int op = 1; op < IRI_OP_COUNT; op++) {
        const char *own = iri_op_get_info((iri_op)op)->name;
        if (strlen(own) == length && memcmp(own, name, length) == 0)
            return (iri_op)op;
    }
    return (iri_op)0;
}

bool gpu_plant(const char *text)
{
    size_t length = strcspn(text, "=");
    planted[0] = op_named(text, length);
    planted[1] = text[length] ? op_named(text + length + 1, strlen(text + length + 1)) : (iri_op)0;
    return planted[0] && planted[1];
}

iri_program *gpu_planted(const iri_program *p)
{
    editing e = {.from = p, .planted = {planted[0], planted[1]}};
    return planted[0] ? finish(&e) : NULL;
}

/* ---- which there are ---- */

static void add(gpu_edits *to, gpu_edit_kind kind, uint32_t at, uint32_t choice)
{
    if (to->count < GPU_EDITS)
        to->at[to->count++] = (gpu_edit){kind, at, choice, to->serial};
}

static void list_region(gpu_edits *to, const iri_program *p, iri_id region, bool top)
{
    iri_for_each_inst(p, region, in)
    {
        iri_id inst = (iri_id)(in - p->insts);
        for (uint32_t k = 0; k < in->result_count; k++) {
            iri_id value = in->results + k;
            if (top)
                add(to, GPU_EDIT_OUTPUT, value, 0);
            if (in->op != IRI_OP_INPUT)
                add(to, GPU_EDIT_INPUT, value, 0);
            for (uint32_t i = 0; i < in->operand_count && !in->region_count; i++)
                if (iri_type_of(p, iri_operands(p, in)[i]) == iri_type_of(p, value))
                    add(to, GPU_EDIT_OPERAND, value, i);
        }
        if (in->op == IRI_OP_DEMOTE || (iri_props(in->op) & IRI_PROP_LOCAL_WRITE))
            add(to, GPU_EDIT_DROP, inst, 0);
        for (uint32_t i = 0; in->op == IRI_OP_IF && i < 2; i++)
            add(to, GPU_EDIT_ARM, inst, i);
        if (in->op == IRI_OP_LOOP)
            add(to, GPU_EDIT_ONCE, inst, iri_immediates(p, in)[0]);
        for (uint32_t i = 0; i < in->region_count; i++)
            list_region(to, p, iri_regions(p, in)[i], false);
    }
}

void gpu_list_edits(gpu_edits *to, const iri_program *p)
{
    to->count = 0;
    to->serial++;
    add(to, GPU_EDIT_PASS, 0, IRI_PASS_PROMOTE);
    add(to, GPU_EDIT_PASS, 0, IRI_PASS_FOLD);
    list_region(to, p, p->functions[p->entry].body, true);
    for (uint32_t i = 0; i < p->interface.output_count; i++)
        for (uint32_t k = 0; k < IRI_TYPE_LANES(p->interface.outputs[i].type); k++)
            add(to, GPU_EDIT_LANE, i, k);
}
