/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Variables as values. See variables.h.
 */
#include "ir/variables.h"

#include "base/bitset.h"

/* What may reach a slot. */
enum { MAY_BE_SET = 1, MAY_BE_UNSET = 2, MAY_BE_ZERO = 4 };

/* ---- what reaches a slot ---- */

static uint32_t add_node(iri_variables *v, uint8_t may_be)
{
    iri_push(v->scratch, &v->nodes, may_be);
    iri_push(v->scratch, &v->first_edge, 0);
    return v->nodes.count - 1;
}

static void add_edge(iri_variables *v, uint32_t from, uint32_t to)
{
    iri_variable_edge edge = {to, v->first_edge.at[from]};
    if (from < IRI_VARIABLE_JOINS) {
        v->nodes.at[to] |= v->nodes.at[from];
        return;
    }
    v->first_edge.at[from] = v->edges.count;
    iri_push(v->scratch, &v->edges, edge);
}

/* Every node's MAY_BE_ reaches where its edges lead. */
static void spread_nodes(iri_variables *v)
{
    IRI_VEC(uint32_t) pending = {0};
    for (uint32_t i = IRI_VARIABLE_JOINS; i < v->nodes.count; i++)
        iri_push(v->scratch, &pending, i);
    while (pending.count > 0) {
        uint32_t node = pending.at[--pending.count];
        for (uint32_t e = v->first_edge.at[node]; e; e = v->edges.at[e].next) {
            uint8_t *to = &v->nodes.at[v->edges.at[e].to];
            if ((v->nodes.at[node] & ~*to) == 0)
                continue;
            *to |= v->nodes.at[node];
            iri_push(v->scratch, &pending, v->edges.at[e].to);
        }
    }
}

bool iri_variables_are_written(iri_variables *v)
{
    if (v->readings.count > 0)
        spread_nodes(v);
    for (uint32_t i = 0; i < v->readings.count; i++)
        if (v->nodes.at[v->readings.at[i].node] & (MAY_BE_UNSET | MAY_BE_ZERO))
            return false;
    return true;
}

static const char lane_names[] = "xyzw";

/* Notes a reading of what is not written on every path. */
static void note(iri_variables *v, const iri_reading *r, const char *name)
{
    uint8_t may_be = v->nodes.at[r->node];
    char lane = lane_names[r->slot % 4];
    if (may_be == MAY_BE_UNSET)
        iri_add_note(v->b, "uninitialized", r->offset, "reads %s.%c, which nothing writes: zero",
                     name, lane);
    else if (may_be & MAY_BE_UNSET)
        iri_add_note(v->b, "uninitialized", r->offset,
                     "reads %s.%c, which is not written on every path: zero there", name, lane);
    else
        iri_add_note(v->b, "starts-as-zero", r->offset, "reads %s.%c, which starts as zero", name,
                     lane);
}

void iri_variables_judge(iri_variables *v, const iri_local *locals, bool zero)
{
    iri_bitset noted = iri_bitset_make(v->scratch, v->count * 4);
    spread_nodes(v);
    for (uint32_t i = 0; i < v->readings.count; i++) {
        const iri_reading *r = &v->readings.at[i];
        uint8_t may_be = v->nodes.at[r->node];
        const char *name = locals[r->slot / 4].name;
        if (may_be == MAY_BE_UNSET && !zero)
            iri_fail(iri_builder_ctx(v->b), IRI_UNINITIALIZED, r->offset,
                     "reads %s.%c, which nothing writes", name, lane_names[r->slot % 4]);
        if ((may_be & (MAY_BE_UNSET | MAY_BE_ZERO)) == 0 || iri_bitset_has(&noted, r->slot))
            continue;
        iri_bitset_add(&noted, r->slot);
        note(v, r, name);
    }
}

/* ---- slots ---- */

void iri_variables_start(iri_variables *v, iri_builder *b, iri_arena *scratch, uint32_t count)
{
    iri_variable_edge none = {0, 0};
    *v = (iri_variables){.b = b, .scratch = scratch, .count = count};
    v->scalars = iri_new_array(scratch, uint8_t, count);
    v->held = iri_new_array(scratch, iri_holder, count * (size_t)4);
    iri_push(scratch, &v->edges, none);
    add_node(v, MAY_BE_UNSET);
    add_node(v, MAY_BE_SET);
    add_node(v, MAY_BE_ZERO);
}

void iri_variables_declare(iri_variables *v, uint32_t variable, iri_scalar scalar, uint32_t start)
{
    v->scalars[variable] = (uint8_t)scalar;
    for (uint32_t lane = 0; lane < 4; lane++)
        v->held[variable * 4 + lane].node = start;
}

static void hold(iri_variables *v, uint32_t slot, iri_id value, uint32_t lane, uint32_t node)
{
    iri_variable_undo entry = {slot, v->held[slot]};
    iri_push(v->scratch, &v->log, entry);
    v->held[slot] = (iri_holder){value, node, (uint8_t)lane};
}

void iri_variables_take_back(iri_variables *v, uint32_t mark)
{
    while (v->log.count > mark) {
        const iri_variable_undo *entry = &v->log.at[--v->log.count];
        v->held[entry->slot] = entry->before;
    }
}

void iri_variables_write(iri_variables *v, uint32_t variable, iri_lanes mask, iri_id value)
{
    for (uint32_t i = 0; i < IRI_LANES_COUNT(mask); i++)
        hold(v, variable * 4 + IRI_LANES_AT(mask, i), value, i, IRI_VARIABLE_SET);
}

/* All lanes out of one value that was written, as most reads are: that value's choice of lanes; else 0. */
static iri_id read_one(iri_variables *v, uint32_t variable, iri_lanes lanes)
{
    const iri_holder *held = v->held + variable * (size_t)4;
    iri_id value = held[IRI_LANES_AT(lanes, 0)].value;
    iri_lanes choice = lanes & 0x300u;
    for (uint32_t i = 0; i < IRI_LANES_COUNT(lanes); i++) {
        const iri_holder *h = &held[IRI_LANES_AT(lanes, i)];
        if (h->value != value || h->node != IRI_VARIABLE_SET)
            return 0;
        choice |= (iri_lanes)h->lane << (2 * i);
    }
    return value && !iri_get_const(v->b, value, NULL) ? iri_emit_swizzle(v->b, value, choice) : 0;
}

iri_id iri_variables_read(iri_variables *v, uint32_t variable, iri_lanes lanes, uint32_t unneeded,
                          uint32_t offset)
{
    uint32_t count = IRI_LANES_COUNT(lanes);
    iri_lane from[4];
    iri_id value = unneeded & ((1u << count) - 1) ? 0 : read_one(v, variable, lanes);
    if (value)
        return value;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = variable * 4 + IRI_LANES_AT(lanes, i);
        const iri_holder *h = &v->held[slot];
        from[i] = (iri_lane){h->value, h->lane, (unneeded >> i & 1) != 0};
        if (!from[i].any && h->node != IRI_VARIABLE_SET) {
            iri_reading r = {slot, h->node, offset};
            iri_push(v->scratch, &v->readings, r);
        }
    }
    return iri_gather(v->b, (iri_scalar)v->scalars[variable], from, count);
}

/* ---- joins ---- */

static uint32_t web_slots(const iri_web *web, uint32_t slots[4])
{
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < 4; lane++)
        if (web->lanes >> lane & 1)
            slots[count++] = web->variable * 4 + lane;
    return count;
}

void iri_variables_open(iri_variables *v, iri_join *join)
{
    join->first_node = v->nodes.count;
    for (uint32_t i = 0; i < join->web_count; i++)
        for (uint32_t lanes = join->webs[i].lanes; lanes; lanes &= lanes - 1)
            add_node(v, 0);
}

void iri_variables_carry(iri_variables *v, const iri_join *join, iri_id *values)
{
    uint32_t node = join->first_node;
    for (uint32_t i = 0; i < join->web_count; i++) {
        const iri_web *web = &join->webs[i];
        uint32_t slots[4], count = web_slots(web, slots);
        iri_lane lanes[4];
        for (uint32_t k = 0; k < count; k++) {
            const iri_holder *h = &v->held[slots[k]];
            lanes[k] = (iri_lane){h->value, h->lane, false};
            add_edge(v, h->node, node++);
        }
        values[i] = iri_gather(v->b, (iri_scalar)v->scalars[web->variable], lanes, count);
    }
}

void iri_variables_arrive(iri_variables *v, const iri_join *join, const iri_id *values)
{
    uint32_t node = join->first_node;
    for (uint32_t i = 0; i < join->web_count; i++) {
        uint32_t slots[4], count = web_slots(&join->webs[i], slots);
        for (uint32_t k = 0; k < count; k++)
            hold(v, slots[k], values[i], k, node++);
    }
}
