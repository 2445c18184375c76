/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lanes of registers meet where control flow meets, so that the lowering can write values at once and
 * never a local: a conditional or loop carries the lanes that it writes and that are live behind it, a loop's
 * head those that it writes and that are live there. Three walks over the main program's instructions:
 *   collect   pairs the instructions of each conditional and loop, and notes what it writes;
 *   live      backwards, until no loop's head changes (as many rounds as loops nest);
 *   webs      forwards, which lanes travel in one value (ir/webs.h).
 */
#include "read/d3d9/lower_internal.h"

#include "ir/webs.h"

typedef struct joins {
    iri_l9 *l;
    uint32_t end; /* of the instructions that run */
    iri_l9_region *open[IRI_L9_FRAMES];
    iri_join_plan results[IRI_L9_FRAMES], parameters[IRI_L9_FRAMES];
    uint32_t marks[IRI_L9_FRAMES];
    uint32_t depth;
    iri_l9_lanes live;
    bool changes;
    iri_webs webs;
} joins;

/* ---- what an instruction reads ---- */

typedef struct reads {
    iri_l9_access *at;
    uint32_t count;
} reads;

static void add_read(reads *r, uint32_t slot, uint32_t lanes)
{
    if (slot == IRI_L9_NO_SLOT || !lanes)
        return;
    assert(r->count < IRI_L9_READS);
    r->at[r->count++] = (iri_l9_access){(uint8_t)slot, (uint8_t)lanes};
}

static uint32_t swizzled(const iri_d3d9_operand *o, uint32_t positions)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < 4; i++)
        lanes |= (positions >> i & 1) << o->swizzle[i];
    return lanes;
}

static void read_index(reads *r, const iri_d3d9_operand *o)
{
    if (o->relative && o->relative_bank == IRI_D3D9_BANK_A)
        add_read(r, IRI_L9_A,
                 1u << (o->relative == IRI_D3D9_RELATIVE_TOKEN ? o->relative_swizzle[0] : 0));
}

static void read_source(const iri_l9 *l, reads *r, const iri_d3d9_instruction *in,
                        const iri_d3d9_operand *o, uint32_t i, uint32_t wanted)
{
    uint32_t lanes = swizzled(o, iri_l9_reads(l, in, i, wanted));
    bool matrix = (iri_d3d9_ops[in->op].flags & IRI_D3D9_FLAG_MATRIX) && i == 1;
    for (uint32_t row = 0; row < (matrix ? iri_d3d9_matrix_rows((iri_d3d9_op)in->op) : 1); row++)
        add_read(r, iri_l9_slot(l, o->bank, o->number + row), lanes);
    read_index(r, o);
}

uint32_t iri_l9_list_reads(const iri_l9 *l, const iri_d3d9_instruction *in, uint32_t wanted,
                           iri_l9_access list[IRI_L9_READS])
{
    reads r = {list, 0};
    uint32_t at = 0, source = 0;
    for (const char *kind = iri_d3d9_ops[in->op].operands; *kind; kind++) {
        if (*kind < 'a')
            continue;
        const iri_d3d9_operand *o = iri_l9_operand(l, in, at++);
        if (*kind == 'd')
            read_index(&r, o);
        else if (*kind == 'k')
            add_read(&r, iri_l9_slot(l, o->bank, o->number), o->mask);
        else if (o->bank == IRI_D3D9_BANK_P)
            add_read(&r, IRI_L9_P, swizzled(o, 1));
        else
            read_source(l, &r, in, o, source++, wanted);
    }
    if (in->predicate != IRI_D3D9_NONE) {
        uint8_t mask, slot = iri_l9_writes(l, in, &mask);
        add_read(&r, IRI_L9_P,
                 swizzled(&l->shader->operands[in->predicate], slot == IRI_L9_NO_SLOT ? 15 : mask));
    }
    return r.count;
}

/* The register an instruction writes; NO_SLOT also where it writes an array. */
static uint8_t written_by(const iri_l9 *l, const iri_d3d9_instruction *in, uint8_t *mask)
{
    uint8_t slot = iri_l9_writes(l, in, mask);
    return slot >= IRI_L9_O && l->relative_o ? IRI_L9_NO_SLOT : slot;
}

/* ---- collect ---- */

static void open_region(joins *j, const iri_d3d9_instruction *in, iri_l9_region **at)
{
    iri_l9_check_depth(j->l, in, j->depth);
    *at = j->open[j->depth++] = iri_new(j->l->scratch, iri_l9_region);
    (*at)->loop = in->op == IRI_D3D9_OP_LOOP || in->op == IRI_D3D9_OP_REP;
}

static iri_l9_region *innermost_loop(const joins *j)
{
    for (uint32_t i = j->depth; i-- > 0;)
        if (j->open[i]->loop)
            return j->open[i];
    return NULL;
}

static iri_l9_region *close_region(joins *j)
{
    const iri_l9_region *r = j->open[--j->depth];
    for (uint32_t i = 0; j->depth && i < IRI_L9_SLOTS; i++)
        j->open[j->depth - 1]->written.at[i] |= r->written.at[i];
    return j->open[j->depth];
}

static void collect(joins *j)
{
    iri_l9 *l = j->l;
    for (uint32_t i = 0; i < j->end; i++) {
        const iri_d3d9_instruction *in = &l->shader->instructions[i];
        iri_l9_region **at = &l->region_at[i];
        uint8_t mask, slot;
        switch (iri_l9_flow(in->op)) {
        case IRI_L9_FLOW_OPEN: open_region(j, in, at); break;
        case IRI_L9_FLOW_ELSE:
            *at = j->open[j->depth - 1];
            (*at)->has_else = true;
            break;
        case IRI_L9_FLOW_CLOSE: *at = close_region(j); break;
        case IRI_L9_FLOW_BREAK:
        case IRI_L9_FLOW_BREAK_IF: *at = innermost_loop(j); break;
        case IRI_L9_FLOW_NONE:
            slot = written_by(l, in, &mask);
            if (j->depth && slot != IRI_L9_NO_SLOT)
                j->open[j->depth - 1]->written.at[slot] |= mask;
            break;
        }
    }
}

/* ---- live ---- */

static void add_lanes(iri_l9_lanes *to, const iri_l9_lanes *from)
{
    for (uint32_t i = 0; i < IRI_L9_SLOTS; i++)
        to->at[i] |= from->at[i];
}

static void live_open(joins *j, iri_l9_region *r)
{
    if (!r->loop) {
        add_lanes(&j->live, r->has_else ? &r->inner : &r->after);
        return;
    }
    add_lanes(&j->live, &r->after); /* a loop may end at its head */
    j->changes |= memcmp(&r->inner, &j->live, sizeof j->live) != 0;
    r->inner = j->live;
}

static void live_reads(joins *j, const iri_d3d9_instruction *in, uint32_t wanted)
{
    iri_l9_access list[IRI_L9_READS];
    for (uint32_t k = iri_l9_list_reads(j->l, in, wanted, list); k-- > 0;)
        j->live.at[list[k].slot] |= list[k].lanes;
}

/* What computes lanes that nothing reads needs nothing. */
static void live_plain(joins *j, const iri_d3d9_instruction *in)
{
    uint8_t mask, slot = written_by(j->l, in, &mask);
    uint32_t wanted = slot == IRI_L9_NO_SLOT ? 15 : mask & j->live.at[slot];
    if (slot != IRI_L9_NO_SLOT && in->predicate == IRI_D3D9_NONE)
        j->live.at[slot] &= (uint8_t)~mask;
    if (wanted)
        live_reads(j, in, wanted);
}

static void live(joins *j)
{
    iri_l9 *l = j->l;
    memset(&j->live, 0, sizeof j->live);
    memset(j->live.at + IRI_L9_OC, 15, IRI_L9_SLOTS - IRI_L9_OC);
    for (uint32_t i = j->end; i-- > 0;) {
        const iri_d3d9_instruction *in = &l->shader->instructions[i];
        iri_l9_region *r = l->region_at[i];
        switch (iri_l9_flow(in->op)) {
        case IRI_L9_FLOW_OPEN:
            live_open(j, r);
            live_reads(j, in, 15);
            break;
        case IRI_L9_FLOW_ELSE:
            r->inner = j->live;
            j->live = r->after;
            break;
        case IRI_L9_FLOW_CLOSE:
            r->after = j->live;
            if (r->loop)
                j->live = r->inner;
            break;
        case IRI_L9_FLOW_BREAK: j->live = r->after; break;
        case IRI_L9_FLOW_BREAK_IF:
            add_lanes(&j->live, &r->after);
            live_reads(j, in, 15);
            break;
        case IRI_L9_FLOW_NONE: live_plain(j, in); break;
        }
    }
}

/* ---- webs ---- */

static void plan(joins *j, iri_join_plan *p, const iri_l9_lanes *written,
                 const iri_l9_lanes *needed)
{
    iri_webs_plan(&j->webs, p, IRI_L9_SLOTS);
    for (uint32_t slot = 0; slot < IRI_L9_SLOTS; slot++)
        if (written->at[slot] & needed->at[slot])
            iri_webs_add(p, slot, written->at[slot] & needed->at[slot]);
}

static void web_open(joins *j, iri_l9_region *r)
{
    uint32_t d = j->depth++;
    j->open[d] = r;
    j->marks[d] = iri_webs_mark(&j->webs);
    plan(j, &j->results[d], &r->written, &r->after);
    if (!r->loop)
        return;
    plan(j, &j->parameters[d], &r->written, &r->inner);
    iri_webs_edge(&j->webs, &j->parameters[d]);
    iri_webs_arrive(&j->webs, &j->parameters[d]);
    iri_webs_edge(&j->webs, &j->results[d]);
}

static void web_else(joins *j)
{
    uint32_t d = j->depth - 1;
    iri_webs_edge(&j->webs, &j->results[d]);
    iri_webs_take_back(&j->webs, j->marks[d]);
}

static void web_close(joins *j, iri_l9_region *r)
{
    uint32_t d = --j->depth;
    iri_webs_edge(&j->webs, r->loop ? &j->parameters[d] : &j->results[d]);
    iri_webs_take_back(&j->webs, j->marks[d]);
    if (r->loop)
        iri_webs_finish(&j->webs, &j->parameters[d], &r->parameters);
    else if (!r->has_else)
        iri_webs_edge(&j->webs, &j->results[d]);
    iri_webs_finish(&j->webs, &j->results[d], &r->results);
    iri_webs_arrive(&j->webs, &j->results[d]);
}

static void web_break(joins *j, const iri_l9_region *loop)
{
    uint32_t d = j->depth;
    while (d > 0 && j->open[d - 1] != loop)
        d--;
    if (d > 0)
        iri_webs_edge(&j->webs, &j->results[d - 1]);
}

static void find_webs(joins *j)
{
    iri_l9 *l = j->l;
    iri_webs_start(&j->webs, l->scratch, IRI_L9_SLOTS);
    for (uint32_t i = 0; i < j->end; i++) {
        const iri_d3d9_instruction *in = &l->shader->instructions[i];
        iri_l9_region *r = l->region_at[i];
        uint8_t mask, slot;
        switch (iri_l9_flow(in->op)) {
        case IRI_L9_FLOW_OPEN: web_open(j, r); break;
        case IRI_L9_FLOW_ELSE: web_else(j); break;
        case IRI_L9_FLOW_CLOSE: web_close(j, r); break;
        case IRI_L9_FLOW_BREAK:
        case IRI_L9_FLOW_BREAK_IF: web_break(j, r); break;
        case IRI_L9_FLOW_NONE:
            slot = written_by(l, in, &mask);
            if (slot != IRI_L9_NO_SLOT)
                iri_webs_write(&j->webs, slot, mask);
            break;
        }
    }
}

/* ---- the whole ---- */

iri_l9_flow_kind iri_l9_flow(uint32_t op)
{
    switch ((iri_d3d9_op)op) {
    case IRI_D3D9_OP_IF:
    case IRI_D3D9_OP_IFC:
    case IRI_D3D9_OP_LOOP:
    case IRI_D3D9_OP_REP: return IRI_L9_FLOW_OPEN;
    case IRI_D3D9_OP_ELSE: return IRI_L9_FLOW_ELSE;
    case IRI_D3D9_OP_ENDIF:
    case IRI_D3D9_OP_ENDLOOP:
    case IRI_D3D9_OP_ENDREP: return IRI_L9_FLOW_CLOSE;
    case IRI_D3D9_OP_BREAK: return IRI_L9_FLOW_BREAK;
    case IRI_D3D9_OP_BREAKC:
    case IRI_D3D9_OP_BREAKP: return IRI_L9_FLOW_BREAK_IF;
    default: return IRI_L9_FLOW_NONE;
    }
}

void iri_l9_find_joins(iri_l9 *l)
{
    uint32_t end = 0;
    bool any = false;
    for (; end < l->main_end && l->shader->instructions[end].op != IRI_D3D9_OP_RET; end++)
        any |= iri_l9_flow(l->shader->instructions[end].op) != IRI_L9_FLOW_NONE;
    if (!any)
        return;
    joins *j = iri_new(l->scratch, joins);
    j->l = l;
    j->end = end;
    l->region_at = iri_new_array(l->scratch, iri_l9_region *, j->end);
    collect(j);
    do {
        j->changes = false;
        live(j);
    } while (j->changes);
    find_webs(j);
}
