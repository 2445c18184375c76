/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns plain locals into SSA values. Each slot (a lane of a local) is at any point held by a lane of some
 * value: a store only says which; a load gathers its lanes. Edges of region operations carry the slots that
 * are stored to inside and live at their end, lanes that some store writes together in one value (a *web*,
 * see promote_live.c). An undo list takes the map of slots back where a region ends.
 *
 * Whether a slot was written is known only when all edges are: every join's slot is a node of a small
 * graph, told by the edges what reaches it, and loads are judged at the end.
 */
#include "pass/gather.h"
#include "pass/promote.h"

/* What may reach a slot. */
enum { MAY_BE_SET = 1, MAY_BE_UNSET = 2, MAY_BE_ZERO = 4 };
/* Nodes that stand for one of these; joins' slots follow. */
enum { NODE_SET, NODE_UNSET, NODE_ZERO, NODE_FIRST };

typedef struct holder {
    iri_id value; /* 0: zero */
    uint32_t node;
    uint8_t lane;
} holder;

typedef struct edge_of_node {
    uint32_t to, next;
} edge_of_node;

typedef struct undo {
    uint32_t slot;
    holder before;
} undo;

typedef struct reading {
    uint32_t slot, node, offset;
} reading;

typedef struct promote {
    iri_pass_ctx *pc;
    iri_builder *b;
    iri_promote_facts f;
    holder *held; /* slot -> what holds it */
    IRI_VEC(undo) log;
    IRI_VEC(uint8_t) nodes;       /* MAY_BE_ */
    IRI_VEC(uint32_t) first_edge; /* of each node, into `edges`; 0 none */
    IRI_VEC(edge_of_node) edges;
    IRI_VEC(reading) readings;
    iri_region_facts *open; /* the innermost region operation */
} promote;

static iri_scalar scalar_of(const promote *pr, iri_id local)
{
    return IRI_TYPE_SCALAR(pr->f.p->locals[local].type);
}

/* ---- what reaches a slot ---- */

static uint32_t add_node(promote *pr, uint8_t may_be)
{
    iri_push(pr->f.scratch, &pr->nodes, may_be);
    iri_push(pr->f.scratch, &pr->first_edge, 0);
    return pr->nodes.count - 1;
}

static void add_edge(promote *pr, uint32_t from, uint32_t to)
{
    edge_of_node edge = {to, pr->first_edge.at[from]};
    if (from < NODE_FIRST) {
        pr->nodes.at[to] |= pr->nodes.at[from];
        return;
    }
    pr->first_edge.at[from] = pr->edges.count;
    iri_push(pr->f.scratch, &pr->edges, edge);
}

/* Every node's MAY_BE_ reaches where its edges lead. */
static void spread_nodes(promote *pr)
{
    IRI_VEC(uint32_t) pending = {0};
    for (uint32_t i = NODE_FIRST; i < pr->nodes.count; i++)
        iri_push(pr->f.scratch, &pending, i);
    while (pending.count > 0) {
        uint32_t node = pending.at[--pending.count];
        for (uint32_t e = pr->first_edge.at[node]; e; e = pr->edges.at[e].next) {
            uint8_t *to = &pr->nodes.at[pr->edges.at[e].to];
            if ((pr->nodes.at[node] & ~*to) == 0)
                continue;
            *to |= pr->nodes.at[node];
            iri_push(pr->f.scratch, &pending, pr->edges.at[e].to);
        }
    }
}

static const char lane_names[] = "xyzw";

static void refuse(promote *pr, const reading *r, const char *name)
{
    iri_fail(pr->pc->ctx, IRI_UNINITIALIZED, r->offset, "reads %s.%c, which nothing writes", name,
             lane_names[r->slot % 4]);
}

/* Notes a reading of what is not written on every path. */
static void note(promote *pr, const reading *r, const char *name)
{
    uint8_t may_be = pr->nodes.at[r->node];
    char lane = lane_names[r->slot % 4];
    if (may_be == MAY_BE_UNSET)
        iri_add_note(pr->b, "uninitialized", r->offset, "reads %s.%c, which nothing writes: zero",
                     name, lane);
    else if (may_be & MAY_BE_UNSET)
        iri_add_note(pr->b, "uninitialized", r->offset,
                     "reads %s.%c, which is not written on every path: zero there", name, lane);
    else
        iri_add_note(pr->b, "starts-as-zero", r->offset, "reads %s.%c, which starts as zero", name,
                     lane);
}

/* Loads of what is not written on every path: refused, or noted once a slot. */
static void judge_readings(promote *pr)
{
    iri_bitset noted = iri_bitset_make(pr->f.scratch, pr->f.local_count * 4);
    spread_nodes(pr);
    for (uint32_t i = 0; i < pr->readings.count; i++) {
        const reading *r = &pr->readings.at[i];
        uint8_t may_be = pr->nodes.at[r->node];
        const char *name = pr->f.p->locals[r->slot / 4 + pr->f.first_local].name;
        if (may_be == MAY_BE_UNSET && !pr->pc->options->uninitialized_zero)
            refuse(pr, r, name);
        if ((may_be & (MAY_BE_UNSET | MAY_BE_ZERO)) == 0 || iri_bitset_has(&noted, r->slot))
            continue;
        iri_bitset_add(&noted, r->slot);
        note(pr, r, name);
    }
}

/* ---- slots ---- */

static void hold(promote *pr, uint32_t slot, iri_id value, uint32_t lane, uint32_t node)
{
    undo entry = {slot, pr->held[slot]};
    iri_push(pr->f.scratch, &pr->log, entry);
    pr->held[slot] = (holder){value, node, (uint8_t)lane};
}

static void take_back(promote *pr, uint32_t mark)
{
    while (pr->log.count > mark) {
        const undo *entry = &pr->log.at[--pr->log.count];
        pr->held[entry->slot] = entry->before;
    }
}

static void do_store(promote *pr, iri_rewrite *rw, const iri_inst *in)
{
    const uint32_t *immediates = iri_immediates(rw->from, in);
    iri_id value = iri_rewrite_value(rw, iri_operands(rw->from, in)[0]);
    for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[1]); i++)
        hold(pr, iri_slot_of(&pr->f, immediates[0], IRI_LANES_AT(immediates[1], i)), value, i,
             NODE_SET);
}

static void do_load(promote *pr, iri_rewrite *rw, const iri_inst *in)
{
    const uint32_t *immediates = iri_immediates(rw->from, in);
    uint32_t count = IRI_LANES_COUNT(immediates[1]);
    iri_lane lanes[4];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = iri_slot_of(&pr->f, immediates[0], IRI_LANES_AT(immediates[1], i));
        const holder *h = &pr->held[slot];
        lanes[i] = (iri_lane){h->value, h->lane, !(pr->f.demand[in->results] >> i & 1)};
        if (!lanes[i].any && h->node != NODE_SET) {
            reading r = {slot, h->node, in->offset};
            iri_push(pr->f.scratch, &pr->readings, r);
        }
    }
    iri_shape_stamp(rw, in);
    iri_rewrite_set(rw, in->results, iri_gather(pr->b, scalar_of(pr, immediates[0]), lanes, count));
}

/* ---- joins ---- */

static uint32_t web_slots(const promote *pr, const iri_web *web, uint32_t slots[4])
{
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < 4; lane++) {
        if (web->lanes >> lane & 1)
            slots[count++] = iri_slot_of(&pr->f, web->local, lane);
    }
    return count;
}

static void make_nodes(promote *pr, iri_join *join)
{
    join->first_node = pr->nodes.count;
    for (uint32_t i = 0; i < join->web_count; i++) {
        for (uint32_t lanes = join->webs[i].lanes; lanes; lanes &= lanes - 1)
            add_node(pr, 0);
    }
}

/* The values an edge carries for the webs of where it leads. */
static void gather_join(promote *pr, const iri_join *join, iri_id *values)
{
    uint32_t node = join->first_node;
    for (uint32_t i = 0; i < join->web_count; i++) {
        const iri_web *web = &join->webs[i];
        uint32_t slots[4], count = web_slots(pr, web, slots);
        iri_lane lanes[4];
        for (uint32_t k = 0; k < count; k++) {
            const holder *h = &pr->held[slots[k]];
            lanes[k] = (iri_lane){h->value, h->lane, false};
            add_edge(pr, h->node, node++);
        }
        values[i] = iri_gather(pr->b, scalar_of(pr, web->local), lanes, count);
    }
}

/* From here on the webs' slots are held by these values. */
static void hold_join(promote *pr, const iri_join *join, const iri_id *values)
{
    uint32_t node = join->first_node;
    for (uint32_t i = 0; i < join->web_count; i++) {
        uint32_t slots[4], count = web_slots(pr, &join->webs[i], slots);
        for (uint32_t k = 0; k < count; k++)
            hold(pr, slots[k], values[i], k, node++);
    }
}

/* Old operands of an edge (or a loop), then those for a join. */
static iri_id *edge_values(promote *pr, iri_rewrite *rw, const iri_inst *in, const iri_join *join)
{
    const uint32_t *operands = iri_operands(rw->from, in);
    iri_id *values =
        iri_new_array(pr->f.scratch, iri_id, (size_t)in->operand_count + join->web_count);
    for (uint32_t i = 0; i < in->operand_count; i++)
        values[i] = iri_rewrite_value(rw, operands[i]);
    iri_shape_stamp(rw, in);
    gather_join(pr, join, values + in->operand_count);
    return values;
}

static void do_edge(promote *pr, iri_rewrite *rw, const iri_inst *in)
{
    iri_region_facts *to = pr->open;
    if (in->op != IRI_OP_YIELD)
        to = &pr->f.regions.at[pr->f.op_of_label[iri_immediates(rw->from, in)[0]]];
    const iri_join *join = in->op == IRI_OP_CONTINUE ? &to->parameters : &to->results;
    const iri_id *values = edge_values(pr, rw, in, join);
    iri_shape_edge(rw, in, values, in->operand_count + join->web_count);
}

static void open_loop(promote *pr, iri_rewrite *rw, const iri_inst *in, iri_region_facts *facts)
{
    const iri_join *join = &facts->parameters;
    uint32_t count = in->operand_count + join->web_count;
    iri_id *parameters = iri_new_array(pr->f.scratch, iri_id, count);
    make_nodes(pr, &facts->parameters);
    const iri_id *initial = edge_values(pr, rw, in, join);
    iri_shape_open(rw, in, initial, count, parameters);
    iri_shape_map(rw, rw->from->regions[iri_regions(rw->from, in)[0]].parameters, parameters,
                  in->operand_count);
    hold_join(pr, join, parameters + in->operand_count);
}

static void do_region_op(promote *pr, iri_rewrite *rw, const iri_inst *in)
{
    iri_region_facts *facts = &pr->f.regions.at[pr->f.facts_of[in - rw->from->insts]];
    iri_region_facts *outer = pr->open;
    uint32_t mark = pr->log.count, count = in->result_count + facts->results.web_count;
    iri_id *results = iri_new_array(pr->f.scratch, iri_id, count);
    make_nodes(pr, &facts->results);
    if (in->op == IRI_OP_LOOP)
        open_loop(pr, rw, in, facts);
    else
        iri_shape_open(rw, in, NULL, 0, NULL);
    pr->open = facts;
    for (uint32_t i = 0; i < in->region_count; i++) {
        uint32_t inner = pr->log.count;
        if (i > 0)
            iri_shape_next(rw, in, i);
        iri_shape_region(rw, iri_regions(rw->from, in)[i]);
        take_back(pr, inner);
    }
    pr->open = outer;
    take_back(pr, mark);
    iri_end_results(pr->b, results, count);
    iri_shape_map(rw, in->results, results, in->result_count);
    hold_join(pr, &facts->results, results + in->result_count);
}

static iri_rewrite_action visit(iri_rewrite *rw, iri_id inst)
{
    promote *pr = rw->argument;
    const iri_inst *in = &rw->from->insts[inst];
    if (rw->from->functions[rw->function].form == IRI_FORM_CFG)
        return IRI_REWRITE_COPY;
    if (iri_is_plain_access(rw->from, in)) {
        if (iri_props(in->op) & IRI_PROP_LOCAL_WRITE)
            do_store(pr, rw, in);
        else
            do_load(pr, rw, in);
    } else if (iri_props(in->op) & IRI_PROP_REGION) {
        do_region_op(pr, rw, in);
    } else if (in->op == IRI_OP_YIELD || in->op == IRI_OP_BREAK || in->op == IRI_OP_CONTINUE) {
        do_edge(pr, rw, in);
    } else {
        return IRI_REWRITE_COPY;
    }
    return IRI_REWRITE_DONE;
}

/* ---- functions ---- */

static void start_slots(promote *pr)
{
    const iri_program *p = pr->f.p;
    pr->held = iri_new_array(pr->f.scratch, holder, pr->f.local_count * (size_t)4);
    for (uint32_t slot = 0; slot < pr->f.local_count * 4; slot++) {
        uint32_t init = p->locals[slot / 4 + pr->f.first_local].init;
        pr->held[slot].node = init == IRI_LOCAL_UNSET        ? NODE_UNSET
                              : init == IRI_LOCAL_ZERO_NOTED ? NODE_ZERO
                                                             : NODE_SET;
    }
    pr->log.count = pr->nodes.count = pr->first_edge.count = pr->readings.count = 0;
    pr->edges.count = 1;
    add_node(pr, MAY_BE_SET);
    add_node(pr, MAY_BE_UNSET);
    add_node(pr, MAY_BE_ZERO);
}

static void promote_function(promote *pr, iri_rewrite *rw, iri_id function)
{
    const iri_function *fn = &rw->from->functions[function];
    iri_promote_analyse(&pr->f, function);
    start_slots(pr);
    iri_shape_begin_function(rw, function);
    for (uint32_t i = 0; i < fn->local_count; i++) {
        if (!iri_is_plain(rw->from, fn->first_local + i))
            iri_shape_local(rw, fn->first_local + i);
        else
            pr->pc->counts->promoted++;
    }
    iri_shape_region(rw, fn->body);
    iri_end_function(pr->b);
    judge_readings(pr);
}

iri_program *iri_pass_promote(iri_pass_ctx *pc, const iri_program *program)
{
    promote pr = {.pc = pc};
    edge_of_node none = {0, 0};
    iri_rewrite rw;
    if (program->local_count <= 1)
        return NULL;
    pr.b = iri_pass_make_builder(pc, program, IRI_BUILD_OPTIMISE);
    iri_promote_init(&pr.f, program, pc->scratch);
    iri_push(pc->scratch, &pr.edges, none);
    iri_rewrite_init(&rw, pr.b, program, pc->scratch, visit, &pr);
    iri_copy_header(pr.b, program);
    iri_rewrite_declare(&rw);
    for (iri_id f = 1; f < program->function_count; f++) {
        const iri_function *fn = &program->functions[f];
        if (fn->body && fn->form == IRI_FORM_STRUCTURED)
            promote_function(&pr, &rw, f);
        else
            iri_rewrite_function(&rw, f);
    }
    return iri_shape_finish(&rw);
}
