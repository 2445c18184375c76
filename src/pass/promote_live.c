/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * promote's facts. Three walks over a function's regions:
 *   collect   what each region operation stores to;
 *   demand    which lanes of each value something needs, and liveness of slots, backwards, bit sets of
 *             the slots that are loaded at all; loops until their heads no longer change (as many rounds
 *             as loops nest). Demand and liveness take turns: a lane that is only copied to a lane nothing
 *             reads is not needed;
 *   webs      forwards, which store wrote each slot last: lanes that one store wrote together on some
 *             edge share a web.
 */
#include "pass/promote.h"
#include <stdlib.h>

#define NONE UINT32_MAX
enum { DEMAND_ROUNDS = 4 };

typedef struct access {
    iri_id inst;
    uint32_t next; /* of the same local; index in `stores`, NONE at the end */
} access;

typedef struct work {
    iri_promote_facts *f;
    const iri_program *p;
    iri_id function;
    iri_region_facts *facts;   /* f->regions.at, which no longer moves after collect */
    IRI_VEC(uint32_t) changed; /* collect: a stack of what open operations store to */
    IRI_VEC(access) stores;
    uint32_t *stores_of; /* local -> its last store */
    uint32_t *dense;     /* slot -> bit, NONE when it is never loaded */
    uint32_t bits, words;
    IRI_VEC(iri_id) pending;  /* demand: a queue of values whose demand grew */
    uint8_t *wanted;          /* demand's first round: local -> lanes some needed load reads */
    bool by_store;            /* later rounds: f->stored says what stores need */
    IRI_VEC(uint64_t *) pool; /* liveness: three sets a nesting level */
    uint32_t depth;
    bool changes;
    iri_webs webs;
} work;

/* ---- collect ---- */

static int compare_slots(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* What was pushed since `from` becomes the operation's sorted list; one copy stays for its parent. */
static void close_changed(work *w, uint32_t index, uint32_t from)
{
    uint32_t *list = w->changed.at + from, count = w->changed.count - from, kept = 0;
    iri_region_facts *facts = &w->f->regions.at[index];
    if (count > 0)
        qsort(list, count, sizeof *list, compare_slots);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || list[i] != list[i - 1])
            list[kept++] = list[i];
    }
    w->changed.count = from + kept;
    facts->changed = iri_new_array(w->f->scratch, uint32_t, kept);
    facts->live = iri_new_array(w->f->scratch, uint8_t, kept);
    facts->changed_count = kept;
    if (kept > 0)
        memcpy(facts->changed, list, kept * sizeof *list);
}

static void collect_store(work *w, iri_id inst, const uint32_t *immediates)
{
    access a = {inst, w->stores_of[immediates[0] - w->f->first_local]};
    w->stores_of[immediates[0] - w->f->first_local] = w->stores.count;
    iri_push(w->f->scratch, &w->stores, a);
    for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[1]); i++)
        iri_push(w->f->scratch, &w->changed,
                 iri_slot_of(w->f, immediates[0], IRI_LANES_AT(immediates[1], i)));
}

static void collect_load(work *w, const uint32_t *immediates)
{
    for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[1]); i++) {
        uint32_t slot = iri_slot_of(w->f, immediates[0], IRI_LANES_AT(immediates[1], i));
        if (w->dense[slot] == NONE)
            w->dense[slot] = w->bits++;
    }
}

static void collect_region(work *w, iri_id region);

static void collect_op(work *w, iri_id inst, const iri_inst *in)
{
    const iri_program *p = w->p;
    uint32_t index = w->f->regions.count, from = w->changed.count;
    iri_region_facts facts = {.inst = inst};
    iri_push(w->f->scratch, &w->f->regions, facts);
    w->f->facts_of[inst] = index;
    if (in->immediate_count > 0)
        w->f->op_of_label[iri_immediates(p, in)[0]] = index;
    for (uint32_t i = 0; i < in->region_count; i++)
        collect_region(w, iri_regions(p, in)[i]);
    close_changed(w, index, from);
}

static void collect_region(work *w, iri_id region)
{
    const iri_program *p = w->p;
    iri_for_each_inst(p, region, in)
    {
        iri_id inst = (iri_id)(in - p->insts);
        if (iri_props(in->op) & IRI_PROP_REGION)
            collect_op(w, inst, in);
        else if (!iri_is_plain_access(p, in))
            continue;
        else if (iri_props(in->op) & IRI_PROP_LOCAL_WRITE)
            collect_store(w, inst, iri_immediates(p, in));
        else
            collect_load(w, iri_immediates(p, in));
    }
}

/* ---- demand ---- */

static void need(work *w, iri_id value, uint32_t lanes)
{
    uint8_t *demand = &w->f->demand[value];
    if ((lanes & ~*demand) == 0)
        return;
    *demand |= (uint8_t)lanes;
    iri_push(w->f->scratch, &w->pending, value);
}

static void need_all(work *w, const iri_inst *in)
{
    for (uint32_t i = 0; i < in->operand_count; i++)
        need(w, iri_operands(w->p, in)[i], 15);
}

/* The lanes of the stored value that go to `lanes` of the local. */
static uint32_t lanes_of_value(iri_lanes mask, uint32_t lanes)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < IRI_LANES_COUNT(mask); i++) {
        if (lanes >> IRI_LANES_AT(mask, i) & 1)
            bits |= 1u << i;
    }
    return bits;
}

static void need_store(work *w, iri_id inst, uint32_t lanes)
{
    const iri_inst *in = &w->p->insts[inst];
    need(w, iri_operands(w->p, in)[0], lanes_of_value(iri_immediates(w->p, in)[1], lanes));
}

/* A load's lanes in the first round: every store to them may have written what it reads. */
static void need_load(work *w, const iri_inst *in, uint32_t lanes)
{
    const uint32_t *immediates = iri_immediates(w->p, in);
    uint32_t local = immediates[0] - w->f->first_local, wanted = 0;
    if (w->by_store)
        return;
    for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[1]); i++) {
        if (lanes >> i & 1)
            wanted |= 1u << IRI_LANES_AT(immediates[1], i);
    }
    wanted &= ~(uint32_t)w->wanted[local];
    w->wanted[local] |= (uint8_t)wanted;
    for (uint32_t s = wanted ? w->stores_of[local] : NONE; s != NONE; s = w->stores.at[s].next)
        need_store(w, w->stores.at[s].inst, wanted);
}

static bool is_lanewise(const iri_op_info *info)
{
    return (info->properties & IRI_PROP_LANE) != 0 ||
           (strcmp(info->results, "T") == 0 &&
            strspn(info->operands, "T") == strlen(info->operands));
}

/* What an instruction needs of its operands for `lanes` of its result. */
static void need_operands(work *w, const iri_inst *in, uint32_t lanes)
{
    const uint32_t *operands = iri_operands(w->p, in), *immediates = iri_immediates(w->p, in);
    if (in->op == IRI_OP_SWIZZLE) {
        for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[0]); i++) {
            if (lanes >> i & 1)
                need(w, operands[0], 1u << IRI_LANES_AT(immediates[0], i));
        }
    } else if (in->op == IRI_OP_INSERT) {
        need(w, operands[0], lanes & ~iri_lanes_to_bits(immediates[0]));
        need(w, operands[1], lanes_of_value(immediates[0], lanes));
    } else if (in->op == IRI_OP_COMPOSE) {
        for (uint32_t i = 0, at = 0; i < in->operand_count; i++) {
            uint32_t count = IRI_TYPE_LANES(iri_type_of(w->p, operands[i]));
            need(w, operands[i], lanes >> at & ((1u << count) - 1));
            at += count;
        }
    } else if (is_lanewise(&iri_op_infos[in->op])) {
        for (uint32_t i = 0; i < in->operand_count; i++)
            need(w, operands[i], IRI_TYPE_LANES(iri_type_of(w->p, operands[i])) == 1 ? 1 : lanes);
    } else {
        need_all(w, in);
    }
}

static void seed_region(work *w, iri_id region)
{
    const iri_program *p = w->p;
    iri_for_each_inst(p, region, in)
    {
        if (iri_is_plain_access(p, in)) {
            iri_id inst = (iri_id)(in - p->insts);
            if (w->by_store && (iri_props(in->op) & IRI_PROP_LOCAL_WRITE))
                need_store(w, inst, w->f->stored[inst]);
        } else if (!iri_is_pure(in->op)) {
            need_all(w, in);
        }
        for (uint32_t i = 0; i < in->region_count; i++)
            seed_region(w, iri_regions(p, in)[i]);
    }
}

static void find_demand(work *w)
{
    const iri_program *p = w->p;
    for (uint32_t i = 0; i < w->pending.count; i++)
        w->f->demand[w->pending.at[i]] = 0;
    w->pending.count = 0;
    seed_region(w, p->functions[w->function].body);
    for (uint32_t i = 0; i < w->pending.count; i++) {
        iri_id value = w->pending.at[i];
        const iri_inst *in = iri_def(p, value);
        if (!in)
            continue;
        if (iri_is_plain_access(p, in))
            need_load(w, in, w->f->demand[value]);
        else if (iri_is_pure(in->op))
            need_operands(w, in, w->f->demand[value]);
    }
}

/* ---- liveness ---- */

static bool has_bit(const uint64_t *set, uint32_t bit)
{
    return bit != NONE && (set[bit / 64] >> (bit % 64) & 1) != 0;
}

static void live_store(work *w, const iri_inst *in, uint64_t *live)
{
    const uint32_t *immediates = iri_immediates(w->p, in);
    uint8_t *stored = &w->f->stored[in - w->p->insts];
    for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[1]); i++) {
        uint32_t lane = IRI_LANES_AT(immediates[1], i);
        uint32_t bit = w->dense[iri_slot_of(w->f, immediates[0], lane)];
        if (has_bit(live, bit)) {
            *stored |= (uint8_t)(1u << lane);
            live[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
        }
    }
}

static void live_load(work *w, const iri_inst *in, uint64_t *live)
{
    const uint32_t *immediates = iri_immediates(w->p, in);
    for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[1]); i++) {
        uint32_t bit = w->dense[iri_slot_of(w->f, immediates[0], IRI_LANES_AT(immediates[1], i))];
        if (w->f->demand[in->results] >> i & 1)
            live[bit / 64] |= UINT64_C(1) << (bit % 64);
    }
}

/* What is live before an edge. A yield's is its operation's, where `live` starts from. */
static void live_edge(work *w, const iri_inst *in, uint64_t *live)
{
    if (in->op == IRI_OP_YIELD)
        return;
    memset(live, 0, w->words * sizeof *live);
    if (in->op != IRI_OP_BREAK && in->op != IRI_OP_CONTINUE)
        return;
    const iri_region_facts *to = &w->facts[w->f->op_of_label[iri_immediates(w->p, in)[0]]];
    if (in->op == IRI_OP_BREAK) {
        memcpy(live, to->after, w->words * sizeof *live);
        return;
    }
    for (uint32_t i = 0; i < to->changed_count; i++) {
        uint32_t bit = w->dense[to->changed[i]];
        if (to->live[i] & LIVE_HEAD)
            live[bit / 64] |= UINT64_C(1) << (bit % 64);
    }
}

static void live_region(work *w, iri_id region, uint64_t *live);

static uint64_t *level_sets(work *w)
{
    if (w->depth == w->pool.count)
        iri_push(w->f->scratch, &w->pool, iri_new_array(w->f->scratch, uint64_t, w->words * 3u));
    return w->pool.at[w->depth];
}

static void live_op(work *w, const iri_inst *in, uint64_t *live)
{
    uint64_t *after = level_sets(w), *all = after + w->words, *one = all + w->words;
    iri_region_facts *facts = &w->facts[w->f->facts_of[in - w->p->insts]];
    size_t size = w->words * sizeof *live;
    memcpy(after, live, size);
    memset(all, 0, size);
    facts->after = after;
    for (uint32_t i = 0; i < facts->changed_count; i++) {
        if (has_bit(live, w->dense[facts->changed[i]]))
            facts->live[i] |= LIVE_AFTER;
    }
    w->depth++;
    for (uint32_t i = 0; i < in->region_count; i++) {
        memcpy(one, after, size);
        live_region(w, iri_regions(w->p, in)[i], one);
        for (uint32_t k = 0; k < w->words; k++)
            all[k] |= one[k];
    }
    w->depth--;
    memcpy(live, all, size);
    for (uint32_t i = 0; in->op == IRI_OP_LOOP && i < facts->changed_count; i++) {
        if (has_bit(live, w->dense[facts->changed[i]]) && !(facts->live[i] & LIVE_HEAD)) {
            facts->live[i] |= LIVE_HEAD;
            w->changes = true;
        }
    }
}

static void live_region(work *w, iri_id region, uint64_t *live)
{
    const iri_program *p = w->p;
    const iri_region *r = &p->regions[region];
    for (uint32_t i = r->count; i-- > 0;) {
        const iri_inst *in = &p->insts[p->order[r->first + i]];
        if (iri_props(in->op) & IRI_PROP_TERMINATOR)
            live_edge(w, in, live);
        else if (iri_props(in->op) & IRI_PROP_REGION)
            live_op(w, in, live);
        else if (!iri_is_plain_access(p, in))
            continue;
        else if (iri_props(in->op) & IRI_PROP_LOCAL_WRITE)
            live_store(w, in, live);
        else
            live_load(w, in, live);
    }
}

/* Returns how many stored lanes are read. */
static uint32_t find_liveness(work *w)
{
    uint64_t *live = iri_new_array(w->f->scratch, uint64_t, w->words);
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->stores.count; i++)
        w->f->stored[w->stores.at[i].inst] = 0;
    for (uint32_t i = 0; i < w->f->regions.count; i++)
        memset(w->facts[i].live, 0, w->facts[i].changed_count);
    do {
        w->changes = false;
        memset(live, 0, w->words * sizeof *live);
        live_region(w, w->p->functions[w->function].body, live);
    } while (w->changes);
    for (uint32_t i = 0; i < w->stores.count; i++) {
        for (uint32_t lanes = w->f->stored[w->stores.at[i].inst]; lanes; lanes &= lanes - 1)
            count++;
    }
    return count;
}

/* ---- webs ---- */

static void start_join(work *w, iri_join_plan *plan, const iri_region_facts *facts, uint32_t live)
{
    iri_webs_plan(&w->webs, plan, facts->changed_count);
    for (uint32_t i = 0; i < facts->changed_count; i++) {
        if (facts->live[i] & live)
            iri_webs_add(plan, facts->changed[i] / 4, 1u << facts->changed[i] % 4);
    }
}

static void web_region(work *w, iri_id region, iri_region_facts *owner);

static void web_op(work *w, const iri_inst *in)
{
    iri_region_facts *facts = &w->facts[w->f->facts_of[in - w->p->insts]];
    uint32_t mark = iri_webs_mark(&w->webs);
    start_join(w, &facts->result_plan, facts, LIVE_AFTER);
    if (in->op == IRI_OP_LOOP) {
        start_join(w, &facts->parameter_plan, facts, LIVE_HEAD);
        iri_webs_edge(&w->webs, &facts->parameter_plan);
        iri_webs_arrive(&w->webs, &facts->parameter_plan);
    }
    for (uint32_t i = 0; i < in->region_count; i++) {
        uint32_t inner = iri_webs_mark(&w->webs);
        web_region(w, iri_regions(w->p, in)[i], facts);
        iri_webs_take_back(&w->webs, inner);
    }
    iri_webs_take_back(&w->webs, mark);
    iri_webs_finish(&w->webs, &facts->parameter_plan, &facts->parameters);
    iri_webs_finish(&w->webs, &facts->result_plan, &facts->results);
    iri_webs_arrive(&w->webs, &facts->result_plan);
}

static void web_region(work *w, iri_id region, iri_region_facts *owner)
{
    const iri_program *p = w->p;
    iri_for_each_inst(p, region, in)
    {
        const uint32_t *immediates = iri_immediates(p, in);
        if (iri_props(in->op) & IRI_PROP_REGION) {
            web_op(w, in);
        } else if (in->op == IRI_OP_YIELD) {
            iri_webs_edge(&w->webs, &owner->result_plan);
        } else if (in->op == IRI_OP_BREAK) {
            iri_webs_edge(&w->webs, &w->facts[w->f->op_of_label[immediates[0]]].result_plan);
        } else if (in->op == IRI_OP_CONTINUE) {
            iri_webs_edge(&w->webs, &w->facts[w->f->op_of_label[immediates[0]]].parameter_plan);
        } else if (iri_is_plain_access(p, in) && (iri_props(in->op) & IRI_PROP_LOCAL_WRITE)) {
            iri_webs_write(&w->webs, immediates[0] - w->f->first_local,
                           iri_lanes_to_bits(immediates[1]));
        }
    }
}

/* ---- the whole ---- */

void iri_promote_init(iri_promote_facts *f, const iri_program *p, iri_arena *scratch)
{
    *f = (iri_promote_facts){.p = p, .scratch = scratch};
    f->demand = iri_new_array(scratch, uint8_t, p->value_count);
    f->stored = iri_new_array(scratch, uint8_t, p->inst_count);
    f->facts_of = iri_new_array(scratch, uint32_t, p->inst_count);
    f->op_of_label = iri_new_array(scratch, uint32_t, p->label_count);
}

void iri_promote_analyse(iri_promote_facts *f, iri_id function)
{
    const iri_function *fn = &f->p->functions[function];
    work w = {.f = f, .p = f->p, .function = function};
    uint32_t read = NONE;
    f->first_local = fn->first_local;
    f->local_count = fn->local_count;
    f->regions.count = 0;
    w.stores_of = iri_new_array(f->scratch, uint32_t, fn->local_count);
    w.wanted = iri_new_array(f->scratch, uint8_t, fn->local_count);
    w.dense = iri_new_array(f->scratch, uint32_t, fn->local_count * (size_t)4);
    iri_webs_start(&w.webs, f->scratch, fn->local_count);
    memset(w.stores_of, 0xff, fn->local_count * sizeof *w.stores_of);
    memset(w.dense, 0xff, fn->local_count * (size_t)4 * sizeof *w.dense);
    collect_region(&w, fn->body);
    w.facts = f->regions.at;
    w.words = (w.bits + 63) / 64;
    for (uint32_t round = 0; round < DEMAND_ROUNDS; round++) {
        uint32_t count;
        find_demand(&w);
        count = find_liveness(&w);
        if (count == read)
            break;
        read = count;
        w.by_store = true;
    }
    web_region(&w, fn->body, NULL);
}
