/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts uses, last instruction first, so that what nothing uses uses nothing itself. Operations that only move lanes
 * are looked through: a use of theirs is one of the values whose lanes they move, once for each run of lanes that will
 * be printed as one part. A value with one use that is not inside another loop waits there as an expression; others
 * get a name.
 */
#include "write/wgsl/wgsl.h"

uint32_t iri_wgsl_parts(const iri_wgsl_lane *lanes, uint32_t count, const iri_program *p,
                        uint8_t starts[5])
{
    uint32_t parts = 0;
    bool constant = true; /* lanes of constants only are one constant */
    for (uint32_t i = 0; i < count; i++) {
        bool is_constant = iri_is_constant(p, lanes[i].value);
        constant = constant && is_constant;
        if (i == 0 || is_constant || lanes[i].value != lanes[i - 1].value)
            starts[parts++] = (uint8_t)i;
    }
    if (constant && parts > 1)
        parts = 1;
    starts[parts] = (uint8_t)count;
    return parts;
}

iri_wgsl_lane iri_wgsl_shuffled(const iri_program *p, const iri_inst *in, uint32_t lane)
{
    const iri_id *operands = iri_operands(p, in);
    iri_lanes lanes = in->immediate_count ? iri_immediates(p, in)[0] : 0;
    iri_id value = operands[0];
    if (in->op == IRI_OP_SWIZZLE) {
        lane = IRI_LANES_AT(lanes, lane);
    } else if (in->op == IRI_OP_SPLAT) {
        lane = 0;
    } else if (in->op == IRI_OP_INSERT) {
        for (uint32_t i = 0; i < IRI_LANES_COUNT(lanes); i++)
            if (IRI_LANES_AT(lanes, i) == lane)
                return (iri_wgsl_lane){operands[1], (uint8_t)i};
    } else {
        for (uint32_t i = 0; lane >= IRI_TYPE_LANES(iri_type_of(p, value)); value = operands[++i])
            lane -= IRI_TYPE_LANES(iri_type_of(p, value));
    }
    return (iri_wgsl_lane){value, (uint8_t)lane};
}

/* Where the lanes of a shuffle come from; those of its operands are known. */
static void resolve(iri_wgsl *w, const iri_inst *in)
{
    uint32_t count = IRI_TYPE_LANES(iri_type_of(w->p, in->results));
    iri_wgsl_lane *to = iri_arena_take(w->arena, count * sizeof *to);
    for (uint32_t i = 0; i < count; i++) {
        iri_wgsl_lane from = iri_wgsl_shuffled(w->p, in, i);
        to[i] = iri_wgsl_from(w, from.value, from.lane);
    }
    w->values[in->results].from = to;
}

bool iri_wgsl_is_movable(const iri_wgsl *w, const iri_inst *in)
{
    if (in->op == IRI_OP_CALL)
        return w->functions[iri_immediates(w->p, in)[0]].pure && in->result_count == 1;
    if (iri_is_pure(in->op))
        return !(iri_props(in->op) & IRI_PROP_CONVERGENT);
    return iri_reads_constants(&w->p->interface, in->op, iri_immediates(w->p, in));
}

bool iri_wgsl_is_removable(const iri_wgsl *w, const iri_inst *in)
{
    uint32_t reads = IRI_PROP_LOCAL_READ | IRI_PROP_MEMORY_READ | IRI_PROP_CONVERGENT;
    return (iri_props(in->op) & reads) || iri_wgsl_is_movable(w, in);
}

typedef struct place {
    iri_id region, loop;
} place;

/* `times` uses of a value; the last one in the program is the first to be counted. */
static iri_wgsl_value *use(iri_wgsl *w, iri_id value, place at, uint32_t times)
{
    iri_wgsl_value *v = &w->values[value];
    if (!v->uses) {
        v->region = at.region;
        v->loop = at.loop;
    }
    v->uses += times;
    return v;
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

/* Passes a shuffle's uses on to the values whose lanes it moves. */
static void pass_on(iri_wgsl *w, const iri_inst *in, place here)
{
    iri_wgsl_value *v = &w->values[in->results];
    uint8_t starts[5];
    uint32_t lanes = IRI_TYPE_LANES(iri_type_of(w->p, in->results)), times = v->uses;
    uint32_t parts = iri_wgsl_parts(v->from, lanes, w->p, starts);
    place at = {v->region, v->loop};
    if (parts > 1 && times > 1) {
        v->shared = true;
        times = 1;
        at = here;
    }
    for (uint32_t i = 0; i < parts; i++) {
        iri_wgsl_value *base = use(w, v->from[starts[i]].value, at, times);
        for (uint32_t k = starts[i]; k < starts[i + 1]; k++)
            base->lanes_used |= (uint8_t)(1u << v->from[k].lane);
    }
}

static void count_operands(iri_wgsl *w, const iri_inst *in, place at)
{
    const iri_program *p = w->p;
    uint32_t props = iri_props(in->op);
    bool whole =
        (props & IRI_PROP_TERMINATOR) || in->op == IRI_OP_OUTPUT || in->op == IRI_OP_STORE_LOCAL;
    bool row = in->op == IRI_OP_LOAD_CB && !iri_wgsl_is_static_load(p, in);
    for (uint32_t i = in->operand_count; i-- > 0;) {
        iri_id value = row && i == 0 ? iri_wgsl_row_operand(w, in) : iri_operands(p, in)[i];
        bool first = !w->values[value].uses;
        iri_wgsl_value *v = use(w, value, at, times_of(p, in, i));
        if (first)
            v->whole = whole;
        v->lanes_used = 0xf;
    }
}

static void count_region(iri_wgsl *w, place at)
{
    const iri_program *p = w->p;
    const iri_region *r = &p->regions[at.region];
    for (uint32_t i = r->count; i-- > 0;) {
        const iri_inst *in = &p->insts[p->order[r->first + i]];
        if (in->result_count == 1 && !w->values[in->results].uses && iri_wgsl_is_removable(w, in))
            continue;
        if (iri_wgsl_is_shuffle(in->op)) {
            pass_on(w, in, at);
            continue;
        }
        for (uint32_t k = in->region_count; k-- > 0;) {
            iri_id inner = iri_regions(p, in)[k];
            count_region(w, (place){inner, in->op == IRI_OP_LOOP ? inner : at.loop});
        }
        count_operands(w, in, at);
    }
}

void iri_wgsl_count_uses(iri_wgsl *w)
{
    const iri_program *p = w->p;
    w->values = iri_new_array(w->arena, iri_wgsl_value, p->value_count);
    for (iri_id i = 1; i < p->inst_count; i++)
        if (iri_wgsl_is_shuffle(p->insts[i].op))
            resolve(w, &p->insts[i]);
    for (uint32_t f = p->function_count; f-- > 1;)
        if (p->functions[f].body)
            count_region(w, (place){p->functions[f].body, 0});
}
