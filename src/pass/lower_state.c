/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gives state values their numbers: those of the caller's entries, then of the program's own, then
 * Direct3D's defaults where the caller takes them (one note names which). A number is folded in; an
 * override stays, with an entry in the interface; a uniform becomes a member of one more constant buffer.
 * What nobody gives stays as it is, for a writer to refuse. Only states the body reads count.
 */
#include "base/buf.h"
#include "pass/shape.h"
#include <stdlib.h>

enum { ROW = 16 };

/* A state the body reads. */
typedef struct state_use {
    iri_state_entry entry;
    bool by_default;
    uint32_t offset;        /* of the first instruction that reads it */
    uint32_t member_offset; /* of a uniform */
} state_use;

typedef struct lower_state {
    iri_pass_ctx *pc;
    const iri_program *p;
    IRI_VEC(state_use) uses;       /* by id, then index */
    uint32_t resource;             /* the uniforms' */
    const iri_state_entry *points; /* that points are drawn, where it matters */
} lower_state;

static state_use resolve(const lower_state *ls, uint32_t id, uint32_t index, uint32_t offset)
{
    const iri_interface *io = &ls->p->interface;
    const iri_state own = {.entries = io->states, .count = io->state_count};
    const iri_state_info *info = iri_state_get_info((iri_state_id)id);
    state_use use = {.offset = offset};
    iri_state_entry program_own;
    bool no_default;
    bool given = iri_find_state(ls->pc->options->state, (iri_state_id)id, index, &use.entry,
                                &use.by_default);
    if ((!given || use.by_default) &&
        iri_find_state(&own, (iri_state_id)id, index, &program_own, &no_default)) {
        use.entry = program_own;
        use.by_default = false;
    }
    if (use.entry.source == IRI_STATE_OVERRIDE && IRI_TYPE_LANES(info->type) > 1)
        iri_fail(ls->pc->ctx, IRI_INVALID_ARGUMENT, offset,
                 "%s cannot be an override: it has %u lanes", info->name,
                 (unsigned)IRI_TYPE_LANES(info->type));
    return use;
}

static int compare_uses(const void *a, const void *b)
{
    const state_use *x = a, *y = b;
    if (x->entry.id != y->entry.id)
        return (x->entry.id > y->entry.id) - (x->entry.id < y->entry.id);
    if (x->entry.index != y->entry.index)
        return (x->entry.index > y->entry.index) - (x->entry.index < y->entry.index);
    return 0;
}

static state_use *find_use(const lower_state *ls, uint32_t id, uint32_t index)
{
    for (uint32_t i = 0; i < ls->uses.count; i++) {
        if (ls->uses.at[i].entry.id == id && ls->uses.at[i].entry.index == index)
            return &ls->uses.at[i];
    }
    return NULL;
}

static void find_uses(lower_state *ls)
{
    const iri_program *p = ls->p;
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        const uint32_t *immediates = iri_immediates(p, in);
        if (in->op != IRI_OP_STATE || find_use(ls, immediates[0], immediates[1]))
            continue;
        state_use use = resolve(ls, immediates[0], immediates[1], in->offset);
        iri_push(ls->pc->scratch, &ls->uses, use);
    }
    if (ls->uses.count > 1)
        qsort(ls->uses.at, ls->uses.count, sizeof *ls->uses.at, compare_uses);
}

/* "fog_color", "bump_matrix1" */
static const char *member_name(const lower_state *ls, const state_use *use)
{
    const iri_state_info *info = iri_state_get_info((iri_state_id)use->entry.id);
    if (info->count == 1)
        return info->name;
    return iri_arena_printf(ls->pc->scratch, "%s%u", info->name, (unsigned)use->entry.index);
}

/* ---- uniforms ---- */

/* The first constant buffer register that is free, and all after it. */
static uint32_t free_register(const iri_program *p)
{
    uint32_t reg = 0;
    for (uint32_t i = 0; i < p->interface.resource_count; i++) {
        const iri_resource *r = &p->interface.resources[i];
        if (r->kind == IRI_RESOURCE_CBUFFER && r->space == 0 && r->reg + r->count > reg)
            reg = r->reg + r->count;
    }
    return reg;
}

/* Direct3D's packing: a member does not straddle a row. */
static uint32_t place_members(lower_state *ls, iri_member *members, uint32_t *count)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < ls->uses.count; i++) {
        state_use *use = &ls->uses.at[i];
        iri_type type = iri_state_get_info((iri_state_id)use->entry.id)->type;
        uint32_t lanes = IRI_TYPE_LANES(type), size = lanes * 4;
        if (use->entry.source != IRI_STATE_UNIFORM)
            continue;
        if (at % ROW + size > ROW)
            at += ROW - at % ROW;
        use->member_offset = at;
        members[(*count)++] = (iri_member){
            .name = member_name(ls, use),
            .offset = at,
            .size = size,
            .member_class = lanes > 1 ? IRI_MEMBER_VECTOR : IRI_MEMBER_SCALAR,
            .scalar = (uint8_t)IRI_TYPE_SCALAR(type),
            .rows = 1,
            .columns = (uint8_t)lanes,
        };
        at += size;
    }
    return (at + ROW - 1) / ROW * ROW;
}

static void add_uniforms(lower_state *ls, iri_builder *b)
{
    iri_member *members = iri_new_array(ls->pc->scratch, iri_member, ls->uses.count);
    uint32_t count = 0, size = place_members(ls, members, &count);
    iri_resource resource = {
        .name = "State",
        .kind = IRI_RESOURCE_CBUFFER,
        .access = 1,
        .reg = free_register(ls->p),
        .count = 1,
        .size = size,
        .members = members,
        .member_count = count,
        .flags = IRI_RESOURCE_STATE,
        .offset = IRI_NO_OFFSET,
    };
    if (count > 0)
        ls->resource = iri_add_resource(b, &resource);
}

/* ---- writing ---- */

static void add_default_note(const lower_state *ls, iri_builder *b)
{
    uint32_t states[IRI_STATE_COUNT] = {0};
    for (uint32_t i = 0; i < ls->uses.count; i++)
        if (ls->uses.at[i].by_default)
            states[ls->uses.at[i].entry.id] |= 1u << ls->uses.at[i].entry.index;
    iri_note_default_states(b, states);
}

static iri_id constant_of(iri_builder *b, const state_use *use)
{
    uint64_t lanes[4];
    for (uint32_t i = 0; i < 4; i++)
        lanes[i] = use->entry.bits[i];
    return iri_const(b, iri_state_get_info((iri_state_id)use->entry.id)->type, lanes);
}

static iri_rewrite_action visit(iri_rewrite *rw, iri_id inst)
{
    const lower_state *ls = rw->argument;
    const iri_inst *in = &rw->from->insts[inst];
    if (in->op != IRI_OP_STATE)
        return IRI_REWRITE_COPY;
    const uint32_t *immediates = iri_immediates(rw->from, in);
    const state_use *use = find_use(ls, immediates[0], immediates[1]);
    iri_id value;
    if (use->entry.source == IRI_STATE_VALUE) {
        value = constant_of(rw->b, use);
    } else if (use->entry.source == IRI_STATE_UNIFORM) {
        iri_shape_stamp(rw, in);
        value = iri_emit_load_cb(rw->b, ls->resource, iri_type_of(rw->from, in->results),
                                 iri_const_u32(rw->b, use->member_offset));
    } else {
        return IRI_REWRITE_COPY;
    }
    iri_rewrite_set(rw, in->results, value);
    return IRI_REWRITE_DONE;
}

/* That points are drawn is said on, to the writers that have no point size, where the program writes one. */
static bool keeps_points(lower_state *ls)
{
    const iri_interface *io = &ls->p->interface;
    bool written = false;
    ls->points = NULL;
    for (uint32_t i = 0; i < io->output_count; i++)
        written = written || io->outputs[i].system_value == IRI_SV_POINT_SIZE;
    if (!written)
        return false;
    for (uint32_t i = 0; i < io->state_count; i++)
        if (io->states[i].id == IRI_STATE_POINTS)
            ls->points = &io->states[i];
    const iri_state *given = ls->pc->options->state;
    for (uint32_t i = 0; given && i < given->count; i++)
        if (given->entries[i].id == IRI_STATE_POINTS)
            ls->points = &given->entries[i];
    return ls->points && ls->points->source == IRI_STATE_VALUE && ls->points->bits[0];
}

iri_program *iri_pass_lower_state(iri_pass_ctx *pc, const iri_program *program)
{
    lower_state ls = {.pc = pc, .p = program};
    iri_rewrite rw;
    if (!iri_has_op(program, IRI_OP_STATE) && !program->interface.state_count && !keeps_points(&ls))
        return NULL;
    iri_builder *b = iri_pass_make_builder(pc, program, IRI_BUILD_OPTIMISE);
    find_uses(&ls);
    iri_rewrite_init(&rw, b, program, pc->scratch, visit, &ls);
    for (uint32_t i = 0; i < program->interface.input_count; i++)
        iri_add_input(b, &program->interface.inputs[i]);
    iri_shape_header(&rw);
    add_uniforms(&ls, b);
    add_default_note(&ls, b);
    if (keeps_points(&ls))
        iri_add_state_entry(b, ls.points);
    for (uint32_t i = 0; i < ls.uses.count; i++) {
        if (ls.uses.at[i].entry.source == IRI_STATE_OVERRIDE)
            iri_add_state_entry(b, &ls.uses.at[i].entry);
    }
    iri_shape_declare(&rw, NULL);
    for (iri_id f = 1; f < program->function_count; f++) {
        if (program->functions[f].body)
            iri_rewrite_function(&rw, f);
    }
    return iri_shape_finish(&rw);
}
