/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts uses. Operations that only move lanes are looked through: a use of theirs is one of the
 * values whose lanes they move, once for each run of lanes that will be printed as one part. A value
 * with one use that is not inside another loop waits there as an expression; others get a name.
 */
#include "write/wgsl/wgsl.h"

bool iri_wgsl_is_shuffle(uint32_t op)
{
    return op == IRI_OP_SWIZZLE || op == IRI_OP_INSERT || op == IRI_OP_COMPOSE ||
           op == IRI_OP_SPLAT;
}

uint32_t iri_wgsl_parts(const iri_wgsl_lane *lanes, uint32_t count, const iri_program *p,
                        uint8_t starts[5])
{
    uint32_t parts = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || lanes[i].value != lanes[i - 1].value || iri_is_constant(p, lanes[i].value))
            starts[parts++] = (uint8_t)i;
    /* Lanes of one constant only are one constant. */
    bool constant = true;
    for (uint32_t i = 0; i < count; i++)
        constant = constant && iri_is_constant(p, lanes[i].value);
    if (constant && parts > 1)
        parts = 1;
    starts[parts] = (uint8_t)count;
    return parts;
}

/* Where the lanes of a shuffle come from; those of its operands are known. */
static void resolve(iri_wgsl *w, const iri_inst *in)
{
    const iri_program *p = w->p;
    const iri_id *operands = iri_operands(p, in);
    iri_wgsl_lane *to = w->values[in->results].from;
    uint32_t count = IRI_TYPE_LANES(iri_type_of(p, in->results));
    if (in->op == IRI_OP_SWIZZLE) {
        iri_lanes lanes = iri_immediates(p, in)[0];
        for (uint32_t i = 0; i < count; i++)
            to[i] = w->values[operands[0]].from[IRI_LANES_AT(lanes, i)];
    } else if (in->op == IRI_OP_SPLAT) {
        for (uint32_t i = 0; i < count; i++)
            to[i] = w->values[operands[0]].from[0];
    } else if (in->op == IRI_OP_INSERT) {
        iri_lanes mask = iri_immediates(p, in)[0];
        for (uint32_t i = 0; i < count; i++)
            to[i] = w->values[operands[0]].from[i];
        for (uint32_t i = 0; i < IRI_LANES_COUNT(mask); i++)
            to[IRI_LANES_AT(mask, i)] = w->values[operands[1]].from[i];
    } else {
        uint32_t at = 0;
        for (uint32_t i = 0; i < in->operand_count; i++)
            for (uint32_t k = 0; k < IRI_TYPE_LANES(iri_type_of(p, operands[i])) && at < 4; k++)
                to[at++] = w->values[operands[i]].from[k];
    }
}

typedef struct counting {
    iri_wgsl *w;
    iri_id *loops, *regions; /* where a shuffle stands */
} counting;

bool iri_wgsl_is_lookup(uint32_t op)
{
    return iri_op_infos[op].immediates[0] == 'r' && iri_op_infos[op].immediates[1] == 'r';
}

static void use(iri_wgsl *w, iri_id value, iri_id region, iri_id loop, uint32_t times, bool whole)
{
    iri_wgsl_value *v = &w->values[value];
    v->uses += times;
    v->whole = whole;
    v->region = region;
    v->loop = loop;
    v->lanes_used = 0xf;
}

/* Uses that print an operand's lanes in several places need it named. */
static uint32_t times_of(const iri_program *p, const iri_inst *in, uint32_t operand)
{
    if (in->op == IRI_OP_OUTPUT) {
        const uint32_t *immediates = iri_immediates(p, in);
        const iri_io *element = &p->interface.outputs[immediates[0]];
        return IRI_LANES_COUNT(immediates[1]) == IRI_TYPE_LANES(element->type) &&
                       element->system_value != IRI_SV_CLIP_DISTANCE
                   ? 1
                   : 2;
    }
    if (in->op == IRI_OP_STORE_LOCAL && operand == 0) {
        const uint32_t *immediates = iri_immediates(p, in);
        return IRI_LANES_COUNT(immediates[1]) == IRI_TYPE_LANES(p->locals[immediates[0]].type) ? 1
                                                                                               : 2;
    }
    /* Coordinates with something behind them, or a layer, are taken apart. */
    if (iri_wgsl_is_lookup(in->op) && iri_op_infos[in->op].operands[operand] == 'V') {
        const iri_resource *texture = &p->interface.resources[iri_immediates(p, in)[0]];
        iri_type type = iri_type_of(p, iri_operands(p, in)[operand]);
        return IRI_TYPE_LANES(type) == iri_wgsl_coordinates(texture) ? 1 : 2;
    }
    return 1;
}

static void count_region(counting *c, iri_id region, iri_id loop)
{
    iri_wgsl *w = c->w;
    const iri_program *p = w->p;
    iri_for_each_inst(p, region, in)
    {
        if (iri_wgsl_is_shuffle(in->op)) {
            resolve(w, in);
            c->loops[in->results] = loop;
            c->regions[in->results] = region;
            continue;
        }
        bool whole = (iri_props(in->op) & IRI_PROP_TERMINATOR) || in->op == IRI_OP_OUTPUT ||
                     in->op == IRI_OP_STORE_LOCAL;
        for (uint32_t i = 0; i < in->operand_count; i++)
            use(w, iri_operands(p, in)[i], region, loop, times_of(p, in, i), whole);
        for (uint32_t i = 0; i < in->region_count; i++) {
            iri_id inner = iri_regions(p, in)[i];
            count_region(c, inner, in->op == IRI_OP_LOOP ? inner : loop);
        }
    }
}

/* Passes a shuffle's uses on to the values whose lanes it moves. */
static void pass_on(counting *c, iri_id value)
{
    iri_wgsl *w = c->w;
    iri_wgsl_value *v = &w->values[value];
    uint8_t starts[5];
    uint32_t lanes = IRI_TYPE_LANES(iri_type_of(w->p, value));
    uint32_t parts = iri_wgsl_parts(v->from, lanes, w->p, starts);
    uint32_t times = v->uses;
    iri_id region = v->region, loop = v->loop;
    if (parts > 1 && times > 1) {
        iri_bitset_add(&w->shared, value);
        times = 1;
        region = c->regions[value];
        loop = c->loops[value];
    }
    for (uint32_t i = 0; i < parts; i++) {
        iri_wgsl_value *base = &w->values[v->from[starts[i]].value];
        base->uses += times;
        base->region = region;
        base->loop = loop;
        for (uint32_t k = starts[i]; k < starts[i + 1]; k++)
            base->lanes_used |= (uint8_t)(1u << v->from[k].lane);
    }
}

void iri_wgsl_count_uses(iri_wgsl *w)
{
    const iri_program *p = w->p;
    counting c = {w, iri_new_array(w->arena, iri_id, p->value_count),
                  iri_new_array(w->arena, iri_id, p->value_count)};
    w->values = iri_new_array(w->arena, iri_wgsl_value, p->value_count);
    w->shared = iri_bitset_make(w->arena, p->value_count);
    for (iri_id v = 1; v < p->value_count; v++)
        for (uint8_t lane = 0; lane < 4; lane++)
            w->values[v].from[lane] = (iri_wgsl_lane){v, lane};
    for (uint32_t f = 1; f < p->function_count; f++)
        if (p->functions[f].body)
            count_region(&c, p->functions[f].body, 0);
    for (iri_id v = 1; v < p->value_count; v++) {
        const iri_inst *in = iri_def(p, v);
        if (in && iri_wgsl_is_shuffle(in->op) && w->values[v].uses)
            pass_on(&c, v);
    }
}
