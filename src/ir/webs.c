/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes that travel together. See webs.h.
 */
#include "ir/webs.h"

void iri_webs_start(iri_webs *w, iri_arena *scratch, uint32_t variables)
{
    *w = (iri_webs){.scratch = scratch, .next_token = 1};
    w->token = iri_new_array(scratch, uint32_t, variables * (size_t)4);
}

static void set_token(iri_webs *w, uint32_t slot, uint32_t token)
{
    iri_push(w->scratch, &w->undo, slot);
    iri_push(w->scratch, &w->undo, w->token[slot]);
    w->token[slot] = token;
}

void iri_webs_write(iri_webs *w, uint32_t variable, uint32_t lanes)
{
    uint32_t token = w->next_token++;
    for (uint32_t lane = 0; lane < 4; lane++) {
        if (lanes >> lane & 1)
            set_token(w, variable * 4 + lane, token);
    }
}

void iri_webs_take_back(iri_webs *w, uint32_t mark)
{
    while (w->undo.count > mark) {
        w->undo.count -= 2;
        w->token[w->undo.at[w->undo.count]] = w->undo.at[w->undo.count + 1];
    }
}

void iri_webs_plan(iri_webs *w, iri_join_plan *plan, uint32_t variables)
{
    if (!plan->at)
        plan->at = iri_new_array(w->scratch, iri_join_lanes, variables);
    plan->count = 0;
}

void iri_webs_add(iri_join_plan *plan, uint32_t variable, uint32_t lanes)
{
    if (plan->count == 0 || plan->at[plan->count - 1].variable != variable)
        plan->at[plan->count++] = (iri_join_lanes){variable, 0, {0, 1, 2, 3}};
    plan->at[plan->count - 1].lanes |= (uint8_t)lanes;
}

static void unite(iri_join_lanes *l, uint32_t a, uint32_t b)
{
    uint8_t from = l->class[b], to = l->class[a];
    for (uint32_t i = 0; i < 4; i++) {
        if (l->class[i] == from)
            l->class[i] = to;
    }
}

void iri_webs_edge(const iri_webs *w, iri_join_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        iri_join_lanes *l = &plan->at[i];
        const uint32_t *token = w->token + l->variable * (size_t)4;
        for (uint32_t a = 0; a < 4; a++) {
            for (uint32_t b = a + 1; b < 4; b++) {
                if ((l->lanes >> a & 1) && (l->lanes >> b & 1) && token[a] && token[a] == token[b])
                    unite(l, a, b);
            }
        }
    }
}

void iri_webs_arrive(iri_webs *w, const iri_join_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        const iri_join_lanes *l = &plan->at[i];
        for (uint32_t lane = 0; lane < 4; lane++) {
            if (l->lanes >> lane & 1)
                set_token(w, l->variable * 4 + lane, w->next_token + l->class[lane]);
        }
        w->next_token += 4;
    }
}

void iri_webs_finish(iri_webs *w, const iri_join_plan *plan, iri_join *join)
{
    join->webs = iri_new_array(w->scratch, iri_web, plan->count * (size_t)4);
    for (uint32_t i = 0; i < plan->count; i++) {
        const iri_join_lanes *l = &plan->at[i];
        for (uint32_t lane = 0, done = 0; lane < 4; lane++) {
            uint8_t lanes = 0;
            if (!(l->lanes >> lane & 1) || (done >> lane & 1))
                continue;
            for (uint32_t k = lane; k < 4; k++) {
                if ((l->lanes >> k & 1) && l->class[k] == l->class[lane])
                    lanes |= (uint8_t)(1u << k);
            }
            done |= lanes;
            join->webs[join->web_count++] = (iri_web){l->variable, lanes};
        }
    }
}
