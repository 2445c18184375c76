/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes of several values as one: the value itself or a swizzle of it where one holds them all, else the
 * cheaper of inserts into the value that holds most and a composition of runs. Constants' lanes cost
 * nothing.
 */
#include "ir/gather.h"

enum {
    COST_LANE = 2,
    COST_LANES = 1,
    COST_JOIN = 2
}; /* one lane taken; several; insert or compose */

typedef struct gather {
    iri_builder *b;
    iri_scalar scalar;
    uint32_t count;
    iri_lane lanes[4];
    bool constant[4];
} gather;

static uint32_t lanes_of(const gather *g, iri_id value)
{
    return IRI_TYPE_LANES(iri_builder_type(g->b, value));
}

/* Lane i and lane k come out of one value; constants count as one. */
static bool same_source(const gather *g, uint32_t i, uint32_t k)
{
    if (g->lanes[i].any || g->lanes[k].any)
        return true;
    if (g->constant[i] || g->constant[k])
        return g->constant[i] && g->constant[k];
    return g->lanes[i].value == g->lanes[k].value;
}

static uint64_t constant_bits(const gather *g, uint32_t i)
{
    uint64_t lanes[4] = {0};
    if (g->lanes[i].any || g->lanes[i].value == 0)
        return 0;
    iri_get_const(g->b, g->lanes[i].value, lanes);
    return lanes[g->lanes[i].lane];
}

/* The places from `at` on, `count` of them, that all come out of one value: their choice of its lanes. */
static iri_id source_of(const gather *g, uint32_t at, uint32_t count)
{
    for (uint32_t i = at; i < at + count; i++) {
        if (!g->lanes[i].any)
            return g->lanes[i].value;
    }
    return 0;
}

static iri_lanes choice_of(const gather *g, uint32_t at, uint32_t count)
{
    uint32_t size = lanes_of(g, source_of(g, at, count)), last = 0;
    iri_lanes lanes = (count - 1) << 8;
    for (uint32_t i = 0; i < count; i++) {
        if (!g->lanes[at + i].any)
            last = g->lanes[at + i].lane;
        else if (i < size)
            last = i;
        lanes |= last << (2 * i);
    }
    return lanes;
}

static uint32_t choice_cost(const gather *g, uint32_t at, uint32_t count)
{
    iri_id value = source_of(g, at, count);
    if (value == 0 || iri_get_const(g->b, value, NULL))
        return 0;
    if (lanes_of(g, value) == count && choice_of(g, at, count) == iri_lanes_first(count))
        return 0;
    return count == 1 ? COST_LANE : COST_LANES;
}

static iri_id take(const gather *g, uint32_t at, uint32_t count)
{
    iri_id value = source_of(g, at, count);
    if (value == 0 || iri_get_const(g->b, value, NULL)) {
        uint64_t bits[4] = {0};
        for (uint32_t i = 0; i < count; i++)
            bits[i] = constant_bits(g, at + i);
        return iri_const(g->b, IRI_TYPE(g->scalar, count), bits);
    }
    return iri_emit_swizzle(g->b, value, choice_of(g, at, count));
}

/* How many places from `at` on come out of one value. */
static uint32_t run_at(const gather *g, uint32_t at)
{
    uint32_t first = at, end = at + 1;
    while (end < g->count && same_source(g, first, end)) {
        if (g->lanes[first].any)
            first = end;
        end++;
    }
    return end - at;
}

static uint32_t compose_cost(const gather *g)
{
    uint32_t cost = COST_JOIN;
    for (uint32_t at = 0, run; at < g->count; at += run) {
        run = run_at(g, at);
        cost += choice_cost(g, at, run);
    }
    return cost;
}

static iri_id compose(const gather *g)
{
    iri_id parts[4];
    uint32_t count = 0;
    for (uint32_t at = 0, run; at < g->count; at += run) {
        run = run_at(g, at);
        parts[count++] = take(g, at, run);
    }
    return iri_emit_compose(g->b, parts, count);
}

/* The places that come out of the same value as place `of`, in `part` with the rest free ... */
static uint32_t whole_part(const gather *g, uint32_t of, gather *part)
{
    uint32_t places = 0;
    *part = *g;
    for (uint32_t i = 0; i < g->count; i++) {
        if (!g->lanes[i].any && same_source(g, of, i))
            places |= 1u << i;
        else
            part->lanes[i].any = true;
    }
    return places;
}

/* ... and packed together. */
static uint32_t packed_part(const gather *g, uint32_t of, gather *part)
{
    uint32_t places = 0, count = 0;
    *part = *g;
    for (uint32_t i = 0; i < g->count; i++) {
        if (!g->lanes[i].any && same_source(g, of, i)) {
            part->lanes[count] = g->lanes[i];
            part->constant[count++] = g->constant[i];
            places |= 1u << i;
        }
    }
    part->count = count;
    return places;
}

static uint32_t insert_cost(const gather *g, uint32_t base)
{
    gather part;
    uint32_t done = whole_part(g, base, &part), cost = choice_cost(&part, 0, g->count);
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->lanes[i].any || (done >> i & 1))
            continue;
        done |= packed_part(g, i, &part);
        cost += COST_JOIN + choice_cost(&part, 0, part.count);
    }
    return cost;
}

static iri_id insert(const gather *g, uint32_t base)
{
    gather part;
    uint32_t done = whole_part(g, base, &part);
    iri_id value = take(&part, 0, g->count);
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->lanes[i].any || (done >> i & 1))
            continue;
        uint32_t places = packed_part(g, i, &part);
        value =
            iri_emit_insert(g->b, value, take(&part, 0, part.count), iri_lanes_from_bits(places));
        done |= places;
    }
    return value;
}

iri_id iri_gather(iri_builder *b, iri_scalar scalar, const iri_lane *lanes, uint32_t count)
{
    gather g = {.b = b, .scalar = scalar, .count = count};
    uint32_t best, base = UINT32_MAX;
    assert(count <= 4);
    for (uint32_t i = 0; i < 4; i++) {
        g.lanes[i] = i < count ? lanes[i] : (iri_lane){.any = true};
        g.constant[i] =
            i < count && (lanes[i].value == 0 || iri_get_const(b, lanes[i].value, NULL));
    }
    if (run_at(&g, 0) == count)
        return take(&g, 0, count);
    best = compose_cost(&g);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cost = g.lanes[i].any ? UINT32_MAX : insert_cost(&g, i);
        if (cost < best) {
            best = cost;
            base = i;
        }
    }
    return base == UINT32_MAX ? compose(&g) : insert(&g, base);
}
