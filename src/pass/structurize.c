/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns functions of CFG form into structured ones by walking the dominator tree (Ramsey, "Beyond
 * Relooper", 2022): a loop's header opens a loop; a block that is reached in more than one way stands
 * after a labelled block that the ways leave; every other block stands where the one branch to it is. A
 * block that a loop is left for stands after the loop, not inside it as there, so that what follows a
 * loop is not part of it; values of the loop that it uses go through locals, which promote turns into
 * results.
 */
#include "pass/structurize.h"

typedef struct structurize {
    iri_pass_ctx *pc;
    iri_rewrite *rw;
    iri_graph g;
} structurize;

/* ---- values that leave loops ---- */

static void store_value(structurize *s, iri_id value)
{
    const iri_program *p = s->rw->from;
    iri_type type = iri_type_of(p, value);
    iri_local local = {"crossing", type, IRI_LOCAL_ZERO, 0};
    if (!s->g.crosses[value])
        return;
    s->g.local_of[value] = iri_add_local(s->rw->b, &local);
    iri_emit_store_local(s->rw->b, s->g.local_of[value], iri_lanes_first(IRI_TYPE_LANES(type)),
                         iri_rewrite_value(s->rw, value), 0);
}

/* The new value for an old one where `block` uses it. */
static iri_id use(structurize *s, iri_id value, uint32_t block)
{
    if (!s->g.crosses[value] || !iri_graph_crosses(&s->g, value, block))
        return iri_rewrite_value(s->rw, value);
    return iri_emit_load_local(s->rw->b, s->g.local_of[value],
                               iri_lanes_first(IRI_TYPE_LANES(iri_type_of(s->rw->from, value))), 0);
}

static void write_inst(structurize *s, const iri_inst *in, uint32_t block)
{
    iri_rewrite *rw = s->rw;
    const uint32_t *operands = iri_operands(rw->from, in);
    iri_id *kept = iri_new_array(rw->scratch, iri_id, in->operand_count);
    for (uint32_t i = 0; i < in->operand_count; i++)
        kept[i] = rw->values[operands[i]];
    for (uint32_t i = 0; i < in->operand_count; i++)
        iri_rewrite_set(rw, operands[i], use(s, operands[i], block));
    iri_rewrite_copy(rw, (iri_id)(in - rw->from->insts));
    for (uint32_t i = 0; i < in->operand_count; i++) {
        if (s->g.crosses[operands[i]])
            iri_rewrite_set(rw, operands[i], kept[i]);
    }
    for (uint32_t i = 0; i < in->result_count; i++)
        store_value(s, in->results + i);
}

/* ---- edges ---- */

static void write_tree(structurize *s, uint32_t block);

static const iri_region *region_of(const structurize *s, uint32_t block)
{
    return &s->rw->from->regions[s->g.cfg.first + block];
}

static void set_parameters(structurize *s, uint32_t block, const iri_id *values)
{
    const iri_region *r = region_of(s, block);
    iri_shape_map(s->rw, r->parameters, values, r->parameter_count);
}

/* Returns the block that is to be written here, IRI_NO_BLOCK when the edge leaves. */
static uint32_t write_edge(structurize *s, uint32_t from, const iri_cfg_edge *edge)
{
    uint32_t to = edge->block - s->g.cfg.first;
    const iri_graph_block *b = &s->g.blocks[to];
    iri_id *values = iri_new_array(s->rw->scratch, iri_id, edge->count);
    for (uint32_t i = 0; i < edge->count; i++)
        values[i] = use(s, edge->arguments[i], from);
    if (s->g.cfg.rank[to] <= s->g.cfg.rank[from]) {
        iri_emit_continue(s->rw->b, b->loop_label, values, edge->count);
    } else if (b->is_labelled) {
        iri_emit_break(s->rw->b, b->label, values, edge->count);
    } else {
        set_parameters(s, to, values);
        return to;
    }
    return IRI_NO_BLOCK;
}

static void write_arm(structurize *s, uint32_t from, const iri_inst *in, uint32_t index)
{
    iri_cfg_edge edge;
    iri_cfg_get_edge(s->rw->from, in, index, &edge);
    uint32_t to = write_edge(s, from, &edge);
    if (to != IRI_NO_BLOCK)
        write_tree(s, to);
}

static bool same_edges(const iri_cfg_edge *a, const iri_cfg_edge *b)
{
    return a->block == b->block && a->count == b->count &&
           (a->count == 0 ||
            memcmp(a->arguments, b->arguments, a->count * sizeof *a->arguments) == 0);
}

/* Cases that follow each other and go the same way are one region. */
static void write_switch(structurize *s, uint32_t from, const iri_inst *in)
{
    const iri_program *p = s->rw->from;
    uint32_t count = iri_cfg_edge_count(in),
             *values = iri_new_array(s->rw->scratch, uint32_t, count);
    iri_begin_switch(s->rw->b, use(s, iri_operands(p, in)[0], from));
    write_arm(s, from, in, 0);
    for (uint32_t i = 1, n; i < count; i += n) {
        iri_cfg_edge edge, other;
        iri_cfg_get_edge(p, in, i, &edge);
        values[0] = edge.value;
        for (n = 1;
             i + n < count && iri_cfg_get_edge(p, in, i + n, &other) && same_edges(&edge, &other);
             n++)
            values[n] = other.value;
        iri_begin_case(s->rw->b, values, n);
        write_arm(s, from, in, i);
    }
    iri_end_results(s->rw->b, NULL, 0);
}

/* Returns the block to go on with, as write_edge does. */
static uint32_t write_terminator(structurize *s, uint32_t block, const iri_inst *in)
{
    const iri_program *p = s->rw->from;
    iri_cfg_edge edge;
    iri_shape_stamp(s->rw, in);
    if (in->op == IRI_OP_BR) {
        iri_cfg_get_edge(p, in, 0, &edge);
        return write_edge(s, block, &edge);
    }
    if (in->op == IRI_OP_BR_IF) {
        iri_begin_if(s->rw->b, use(s, iri_operands(p, in)[0], block));
        write_arm(s, block, in, 0);
        iri_begin_else(s->rw->b);
        write_arm(s, block, in, 1);
        iri_end_results(s->rw->b, NULL, 0);
    } else if (in->op == IRI_OP_BR_SWITCH) {
        write_switch(s, block, in);
    } else {
        write_inst(s, in, block);
    }
    return IRI_NO_BLOCK;
}

/* ---- blocks ---- */

static void open_labels(structurize *s, uint32_t first)
{
    for (uint32_t y = first; y != IRI_NO_BLOCK; y = s->g.blocks[y].next)
        s->g.blocks[y].label = iri_begin_block(s->rw->b);
}

/* Closes the operation whose end is `block`'s start; its results are the parameters. */
static void close_label(structurize *s, uint32_t block)
{
    const iri_region *r = region_of(s, block);
    iri_id *results = iri_new_array(s->rw->scratch, iri_id, r->parameter_count);
    iri_end_results(s->rw->b, results, r->parameter_count);
    set_parameters(s, block, results);
}

/* The labelled blocks of a list, rising, but the last, which is returned. */
static uint32_t write_labelled(structurize *s, uint32_t first)
{
    uint32_t count = 0, *list;
    for (uint32_t y = first; y != IRI_NO_BLOCK; y = s->g.blocks[y].next)
        count++;
    list = iri_new_array(s->rw->scratch, uint32_t, count);
    for (uint32_t y = first, i = count; y != IRI_NO_BLOCK; y = s->g.blocks[y].next)
        list[--i] = y;
    for (uint32_t i = 0; i < count; i++) {
        close_label(s, list[i]);
        if (i + 1 < count)
            write_tree(s, list[i]);
    }
    return count ? list[count - 1] : IRI_NO_BLOCK;
}

static void open_loop(structurize *s, uint32_t block)
{
    const iri_region *r = region_of(s, block);
    iri_graph_block *b = &s->g.blocks[block];
    iri_id *values = iri_new_array(s->rw->scratch, iri_id, r->parameter_count);
    uint32_t last = b->after;
    for (uint32_t i = 0; i < r->parameter_count; i++)
        values[i] = iri_rewrite_value(s->rw, r->parameters + i);
    /* The loop's own end leads to the first block after it, the last of the list. */
    for (uint32_t y = b->after; y != IRI_NO_BLOCK; y = s->g.blocks[y].next) {
        last = y;
        if (s->g.blocks[y].next != IRI_NO_BLOCK)
            s->g.blocks[y].label = iri_begin_block(s->rw->b);
    }
    b->loop_label = iri_begin_loop(s->rw->b, values, r->parameter_count, values);
    if (last != IRI_NO_BLOCK)
        s->g.blocks[last].label = b->loop_label;
    set_parameters(s, block, values);
}

/* A block's instructions, what they branch to and what stands at its end. Returns the block that goes on
 * after it in the same region. */
static uint32_t write_block(structurize *s, uint32_t block)
{
    const iri_program *p = s->rw->from;
    const iri_graph_block *b = &s->g.blocks[block];
    const iri_inst *last = iri_terminator(p, s->g.cfg.first + block);
    const iri_region *r = region_of(s, block);
    for (uint32_t i = 0; i < r->parameter_count; i++)
        store_value(s, r->parameters + i);
    iri_for_each_inst(p, s->g.cfg.first + block, in)
    {
        if (in != last)
            write_inst(s, in, block);
    }
    open_labels(s, b->inside);
    uint32_t next = write_terminator(s, block, last);
    if (b->inside == IRI_NO_BLOCK)
        return next;
    if (next != IRI_NO_BLOCK)
        write_tree(s, next);
    return write_labelled(s, b->inside);
}

/* A block and all it dominates. What goes on in the same region is not recursion: only nesting is, which
 * the builder bounds. */
static void write_tree(structurize *s, uint32_t block)
{
    while (block != IRI_NO_BLOCK) {
        const iri_graph_block *b = &s->g.blocks[block];
        if (!b->is_header) {
            block = write_block(s, block);
            continue;
        }
        open_loop(s, block);
        uint32_t next = write_block(s, block);
        write_tree(s, next);
        if (b->after == IRI_NO_BLOCK) {
            iri_end_results(s->rw->b, NULL, 0);
            return;
        }
        block = write_labelled(s, b->after);
    }
}

static void structurize_function(structurize *s, iri_id function)
{
    const iri_function *f = &s->rw->from->functions[function];
    iri_graph_make(&s->g, s->pc->ctx, s->pc->scratch, s->rw->from, f);
    iri_shape_begin_function(s->rw, function);
    for (uint32_t i = 0; i < f->local_count; i++)
        iri_shape_local(s->rw, f->first_local + i);
    write_tree(s, 0);
    iri_end_function(s->rw->b);
}

iri_program *iri_pass_structurize(iri_pass_ctx *pc, const iri_program *program)
{
    iri_rewrite rw;
    structurize s = {.pc = pc, .rw = &rw};
    if (!iri_shape_has_cfg(program))
        return NULL;
    iri_builder *b = iri_pass_make_builder(pc, program, 0);
    s.g.block_of = iri_new_array(pc->scratch, uint32_t, program->inst_count);
    s.g.crosses = iri_new_array(pc->scratch, uint8_t, program->value_count);
    s.g.local_of = iri_new_array(pc->scratch, iri_id, program->value_count);
    iri_rewrite_init(&rw, b, program, pc->scratch, NULL, NULL);
    iri_copy_header(b, program);
    iri_rewrite_declare(&rw);
    for (iri_id f = 1; f < program->function_count; f++) {
        if (program->functions[f].body && program->functions[f].form == IRI_FORM_CFG)
            structurize_function(&s, f);
        else
            iri_rewrite_function(&rw, f);
    }
    return iri_shape_finish(&rw);
}
