/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gives lookups and derivatives in flow that is not uniform the gradients of before. Direct3D leaves them undefined where
 * some invocations of a quad are elsewhere; WGSL refuses them. Where the coordinates are known before the flow divides,
 * so are the gradients that all invocations together give: they are computed there, and the lookup takes them. What is
 * left, a writer has to say with a filter.
 *
 * This is all of bringing a program to what a target can say that takes more than one place of it: what one operation
 * comes to is a table of each writer's.
 */
#include "ir/facts/uniform.h"
#include "pass/pass.h"

enum { DEPTH_MAX = 24 /* of operations computed again before the flow divides */ };

typedef struct gradients {
    iri_uniform uniform; /* of the function in progress */
    bool active;         /* some derivatives stand in flow that is not uniform */
    iri_id *ddx, *ddy;   /* by old instruction: new values found for them before it, or 0 */
} gradients;

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

static void begin_function(gradients *g, iri_arena *scratch, const iri_program *p, iri_id function)
{
    const iri_function *f = &p->functions[function];
    g->active = false;
    if (!f->body || f->form != IRI_FORM_STRUCTURED)
        return;
    iri_find_uniform(scratch, p, function, false, &g->uniform);
    looking l = {&g->uniform, false};
    iri_walk(p, f->body, look, &l);
    g->active = l.found;
    if (g->active && !g->ddx) {
        g->ddx = iri_new_array(scratch, iri_id, p->inst_count);
        g->ddy = iri_new_array(scratch, iri_id, p->inst_count);
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
    if (iri_rewrite_visit(rw, inst) == IRI_REWRITE_COPY)
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
    gradients *g;
    iri_rewrite *rw;
} entering;

static void enter_inst(const iri_program *p, iri_id inst, void *argument)
{
    entering *e = argument;
    const iri_inst *in = &p->insts[inst];
    if (!is_derivative(in) || e->g->ddx[inst] || !iri_bitset_has(&e->g->uniform.diverged, inst))
        return;
    uint32_t lanes = gradient_lanes(p, in);
    iri_id coordinates = iri_operands(p, in)[0];
    if (!lanes || !is_available(e->rw, coordinates, DEPTH_MAX))
        return;
    make_available(e->rw, coordinates);
    iri_id value = iri_rewrite_value(e->rw, coordinates);
    if (IRI_TYPE_LANES(iri_builder_type(e->rw->b, value)) > lanes)
        value = iri_emit_swizzle(e->rw->b, value, iri_lanes_first(lanes));
    e->g->ddx[inst] = iri_emit1(e->rw->b, in->op == IRI_OP_DDY ? IRI_OP_DDY : IRI_OP_DDX, value);
    e->g->ddy[inst] = in->op == IRI_OP_DDX || in->op == IRI_OP_DDY
                          ? e->g->ddx[inst]
                          : iri_emit1(e->rw->b, IRI_OP_DDY, value);
}

static void enter(gradients *g, iri_rewrite *rw, iri_id inst)
{
    const iri_inst *in = &rw->from->insts[inst];
    entering e = {g, rw};
    if (iri_bitset_has(&g->uniform.diverged, inst))
        return;
    for (uint32_t i = 0; i < in->region_count; i++)
        iri_walk(rw->from, iri_regions(rw->from, in)[i], enter_inst, &e);
}

static iri_rewrite_action use(gradients *g, iri_rewrite *rw, iri_id inst)
{
    const iri_inst *in = &rw->from->insts[inst];
    const iri_id *operands = iri_operands(rw->from, in);
    if (!g->ddx[inst])
        return IRI_REWRITE_COPY;
    iri_id x = g->ddx[inst], y = g->ddy[inst];
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

static iri_rewrite_action visit(iri_rewrite *rw, iri_id inst)
{
    const iri_inst *in = &rw->from->insts[inst];
    gradients *g = rw->argument;
    if (!g->active)
        return IRI_REWRITE_COPY;
    if (in->region_count)
        enter(g, rw, inst);
    return is_derivative(in) ? use(g, rw, inst) : IRI_REWRITE_COPY;
}

/* Derivatives stand where flow is not uniform only behind or inside something that divides it. */
static bool is_needed(iri_pass_ctx *pc, const iri_program *p)
{
    if (p->stage != IRI_STAGE_PIXEL || !iri_has_props(p, IRI_PROP_DERIVATIVE) ||
        !iri_has_props(p, IRI_PROP_REGION))
        return false;
    for (iri_id f = 1; f < p->function_count; f++) {
        gradients g = {.active = false};
        begin_function(&g, pc->scratch, p, f);
        if (g.active)
            return true;
    }
    return false;
}

iri_program *iri_pass_legalize(iri_pass_ctx *pc, const iri_program *program)
{
    iri_rewrite rw;
    gradients g = {.active = false};
    if (!is_needed(pc, program))
        return NULL;
    iri_builder *b = iri_pass_make_builder(pc, program, IRI_BUILD_OPTIMISE);
    iri_rewrite_init(&rw, b, program, pc->scratch, visit, &g);
    iri_copy_header(b, program);
    iri_rewrite_declare(&rw);
    for (iri_id f = 1; f < program->function_count; f++) {
        begin_function(&g, pc->scratch, program, f);
        iri_rewrite_function(&rw, f);
    }
    iri_builder_program(b)->entry = rw.functions[program->entry];
    return iri_builder_finish(b);
}
