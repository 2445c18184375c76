/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lookups and derivatives in flow that is not uniform. Direct3D leaves their gradients undefined where
 * some invocations of a quad are elsewhere; WGSL refuses them. Where the coordinates are known before
 * the flow divides, so are the gradients that all invocations together give: they are computed there,
 * and the lookup takes them. What is left, a writer has to say with a filter.
 */
#include "pass/legalize.h"

enum { DEPTH_MAX = 24 /* of operations computed again before the flow divides */ };

static bool is_derivative(const iri_inst *in)
{
    return (iri_props(in->op) & IRI_PROP_DERIVATIVE) != 0;
}

typedef struct looking {
    const iri_uniform *uniform;
    bool found;
} looking;

static void look(const iri_program *p, iri_id inst, void *argument)
{
    looking *l = argument;
    if (is_derivative(&p->insts[inst]) && iri_bitset_has(&l->uniform->diverged, inst))
        l->found = true;
}

void iri_legalize_flow_begin(iri_legal_flow *flow, iri_arena *scratch, const iri_program *p,
                             iri_id function)
{
    const iri_function *f = &p->functions[function];
    flow->active = false;
    if (p->stage != IRI_STAGE_PIXEL || !f->body || f->form != IRI_FORM_STRUCTURED)
        return;
    iri_find_uniform(scratch, p, function, false, &flow->uniform);
    looking l = {&flow->uniform, false};
    iri_walk(p, f->body, look, &l);
    flow->active = l.found;
    if (flow->active && !flow->ddx) {
        flow->ddx = iri_new_array(scratch, iri_id, p->inst_count);
        flow->ddy = iri_new_array(scratch, iri_id, p->inst_count);
    }
}

/* Whether a value is known already, or can be computed from such without anything but arithmetic. */
static bool is_available(const iri_rewrite *rw, iri_id value, uint32_t depth)
{
    const iri_inst *in = iri_def(rw->from, value);
    if (rw->values[value] || iri_is_constant(rw->from, value))
        return true;
    if (!in || !iri_is_pure(in->op) || (iri_props(in->op) & IRI_PROP_CONVERGENT) || !depth)
        return false;
    for (uint32_t i = 0; i < in->operand_count; i++)
        if (!is_available(rw, iri_operands(rw->from, in)[i], depth - 1))
            return false;
    return true;
}

/* Computes it. Where it stands it is computed again, which the builder finds to be the same. */
static void make_available(iri_rewrite *rw, iri_id value)
{
    const iri_inst *in = iri_def(rw->from, value);
    if (rw->values[value] || !in)
        return;
    for (uint32_t i = 0; i < in->operand_count; i++)
        make_available(rw, iri_operands(rw->from, in)[i]);
    iri_id inst = (iri_id)(in - rw->from->insts);
    if (rw->visit(rw, inst) == IRI_REWRITE_COPY)
        iri_rewrite_copy(rw, inst);
}

/* How many lanes of a lookup's coordinates are coordinates; 0 where it cannot take gradients. */
static uint32_t gradient_lanes(const iri_program *p, const iri_inst *in)
{
    if (in->op == IRI_OP_DDX || in->op == IRI_OP_DDY)
        return IRI_TYPE_LANES(iri_type_of(p, iri_operands(p, in)[0]));
    const iri_resource *texture = &p->interface.resources[iri_immediates(p, in)[0]];
    bool plain = (in->op == IRI_OP_SAMPLE && in->operand_count == 1) ||
                 (in->op == IRI_OP_SAMPLE_BIAS && in->operand_count == 2);
    if (!plain || texture->comparison)
        return 0;
    switch ((iri_dimension)texture->dimension) {
    case IRI_DIMENSION_2D: return 2;
    case IRI_DIMENSION_3D:
    case IRI_DIMENSION_CUBE: return 3;
    case IRI_DIMENSION_NONE:
    case IRI_DIMENSION_1D:
    case IRI_DIMENSION_COUNT: break;
    }
    return 0;
}

typedef struct entering {
    iri_legal_flow *flow;
    iri_rewrite *rw;
} entering;

static void enter_inst(const iri_program *p, iri_id inst, void *argument)
{
    entering *e = argument;
    const iri_inst *in = &p->insts[inst];
    if (!is_derivative(in) || e->flow->ddx[inst] ||
        !iri_bitset_has(&e->flow->uniform.diverged, inst))
        return;
    uint32_t lanes = gradient_lanes(p, in);
    iri_id coordinates = iri_operands(p, in)[0];
    if (!lanes || !is_available(e->rw, coordinates, DEPTH_MAX))
        return;
    make_available(e->rw, coordinates);
    iri_id value = iri_rewrite_value(e->rw, coordinates);
    if (IRI_TYPE_LANES(iri_builder_type(e->rw->b, value)) > lanes)
        value = iri_emit_swizzle(e->rw->b, value, iri_lanes_first(lanes));
    e->flow->ddx[inst] = iri_emit1(e->rw->b, in->op == IRI_OP_DDY ? IRI_OP_DDY : IRI_OP_DDX, value);
    e->flow->ddy[inst] = in->op == IRI_OP_DDX || in->op == IRI_OP_DDY
                             ? e->flow->ddx[inst]
                             : iri_emit1(e->rw->b, IRI_OP_DDY, value);
}

void iri_legalize_flow_enter(iri_legal_flow *flow, iri_rewrite *rw, iri_id inst)
{
    const iri_inst *in = &rw->from->insts[inst];
    entering e = {flow, rw};
    if (iri_bitset_has(&flow->uniform.diverged, inst))
        return;
    for (uint32_t i = 0; i < in->region_count; i++)
        iri_walk(rw->from, iri_regions(rw->from, in)[i], enter_inst, &e);
}

iri_rewrite_action iri_legalize_flow_use(iri_legal_flow *flow, iri_rewrite *rw, iri_id inst)
{
    const iri_inst *in = &rw->from->insts[inst];
    const iri_id *operands = iri_operands(rw->from, in);
    if (!flow->ddx[inst])
        return IRI_REWRITE_COPY;
    iri_id x = flow->ddx[inst], y = flow->ddy[inst];
    if (in->op == IRI_OP_DDX || in->op == IRI_OP_DDY) {
        iri_rewrite_set(rw, in->results, x);
        return IRI_REWRITE_DONE;
    }
    if (in->op == IRI_OP_SAMPLE_BIAS) {
        /* A level more is twice the gradient. */
        iri_id scale = iri_emit1(rw->b, IRI_OP_EXP2, iri_rewrite_value(rw, operands[1]));
        scale = iri_emit_splat(rw->b, scale, IRI_TYPE_LANES(iri_builder_type(rw->b, x)));
        x = iri_emit2(rw->b, IRI_OP_MUL, x, scale);
        y = iri_emit2(rw->b, IRI_OP_MUL, y, scale);
    }
    iri_id with[3] = {iri_rewrite_value(rw, operands[0]), x, y};
    iri_id value = iri_emit(rw->b, IRI_OP_SAMPLE_GRAD, iri_type_of(rw->from, in->results), with, 3,
                            iri_immediates(rw->from, in), in->immediate_count);
    iri_rewrite_set(rw, in->results, value);
    return IRI_REWRITE_DONE;
}
