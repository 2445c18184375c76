/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Uniformity of a structured function. One walk carries whether the flow so far is uniform; a loop is
 * walked again until nothing more is found to differ. What a region does to the flow after it is how it
 * can be left: an `if` that is always left at its end gives back the flow it began with, whatever its
 * condition, and so do loops and switches that are only left by their own breaks.
 */
#include "ir/facts/uniform.h"

#include "ir/memory.h"

/* Ways to leave a region other than at its end. */
enum { LEAVES_BREAK = 1, LEAVES_CONTINUE = 2, LEAVES_RETURN = 4 };

typedef struct frame {
    const iri_inst *in;
    uint32_t label;
    struct frame *outer;
    bool carried; /* a loop: some way back to its head is not uniform */
} frame;

typedef struct walker {
    const iri_program *p;
    iri_uniform *u;
    frame *frame;
    bool changed;
} walker;

/* What is known after a region. */
typedef struct after {
    bool diverged;        /* the flow at its end */
    uint32_t leaves;      /* LEAVES_ */
    bool leaves_diverged; /* and some such way is not taken by all */
} after;

static after walk_region(walker *w, iri_id region, bool diverged);

static void set(walker *w, iri_bitset *in, uint32_t bit)
{
    if (iri_bitset_has(in, bit))
        return;
    iri_bitset_add(in, bit);
    w->changed = true;
}

static bool varies(const walker *w, iri_id value)
{
    return iri_bitset_has(&w->u->varying, value);
}

static bool any_operand_varies(const walker *w, const iri_inst *in)
{
    for (uint32_t i = 0; i < in->operand_count; i++)
        if (varies(w, iri_operands(w->p, in)[i]))
            return true;
    return false;
}

static void results_vary(walker *w, const iri_inst *in)
{
    for (uint32_t i = 0; i < in->result_count; i++)
        set(w, &w->u->varying, in->results + i);
}

/* An edge gives its values to results or parameters. */
static void carry(walker *w, const iri_inst *edge, iri_id to, bool diverged)
{
    for (uint32_t i = 0; i < edge->operand_count; i++)
        if (diverged || varies(w, iri_operands(w->p, edge)[i]))
            set(w, &w->u->varying, to + i);
}

static after walk_edge(walker *w, const iri_inst *in, bool diverged)
{
    after end = {.diverged = diverged, .leaves_diverged = diverged};
    frame *f = w->frame;
    if (in->op == IRI_OP_YIELD) {
        if (f)
            carry(w, in, f->in->results, diverged);
        end.leaves_diverged = false;
        return end;
    }
    if (in->op != IRI_OP_BREAK && in->op != IRI_OP_CONTINUE) {
        end.leaves = LEAVES_RETURN;
        return end;
    }
    while (f && f->label != iri_immediates(w->p, in)[0])
        f = f->outer;
    if (in->op == IRI_OP_BREAK) {
        if (f)
            carry(w, in, f->in->results, diverged);
        end.leaves = LEAVES_BREAK;
    } else {
        if (f) {
            iri_id body = iri_regions(w->p, f->in)[0];
            carry(w, in, w->p->regions[body].parameters, diverged);
            f->carried = f->carried || diverged;
        }
        end.leaves = LEAVES_CONTINUE;
    }
    return end;
}

/* `if`, `switch`, `block`: what they can be left by is theirs, minus a switch's own breaks. */
static after walk_choice(walker *w, const iri_inst *in, bool diverged)
{
    bool condition = in->operand_count && varies(w, iri_operands(w->p, in)[0]);
    after end = {.diverged = diverged};
    frame f = {.in = in, .outer = w->frame, .carried = false};
    if (in->op != IRI_OP_IF)
        f.label = iri_immediates(w->p, in)[0];
    w->frame = &f;
    for (uint32_t i = 0; i < in->region_count; i++) {
        after arm = walk_region(w, iri_regions(w->p, in)[i], diverged || condition);
        end.leaves |= arm.leaves;
        end.leaves_diverged = end.leaves_diverged || arm.leaves_diverged;
    }
    w->frame = f.outer;
    if (in->op != IRI_OP_IF)
        end.leaves &= ~(uint32_t)LEAVES_BREAK;
    if (end.leaves)
        end.diverged = diverged || end.leaves_diverged;
    else
        end.leaves_diverged = false;
    if (condition)
        results_vary(w, in);
    return end;
}

static after walk_loop(walker *w, const iri_inst *in, bool diverged)
{
    iri_id body = iri_regions(w->p, in)[0];
    frame f = {.in = in, .outer = w->frame, .label = iri_immediates(w->p, in)[0]};
    after end = {.diverged = false}, inside;
    carry(w, in, w->p->regions[body].parameters, diverged);
    bool any = w->changed, again;
    w->frame = &f;
    do {
        bool before = f.carried;
        w->changed = false;
        inside = walk_region(w, body, diverged || before);
        again = w->changed || before != f.carried;
        any = any || w->changed;
    } while (again);
    w->frame = f.outer;
    w->changed = any;
    end.leaves = inside.leaves & LEAVES_RETURN;
    end.leaves_diverged = end.leaves && inside.leaves_diverged;
    end.diverged = diverged || end.leaves_diverged;
    return end;
}

static void walk_plain(walker *w, const iri_inst *in, bool diverged)
{
    bool differs = any_operand_varies(w, in);
    const uint32_t *immediates = iri_immediates(w->p, in);
    if (in->op == IRI_OP_INPUT)
        differs = w->p->interface.inputs[immediates[0]].system_value != IRI_SV_GROUP_ID;
    /* Another invocation may write what this one reads, between its reading and theirs. */
    if (in->result_count && (iri_props(in->op) & (IRI_PROP_MEMORY_READ | IRI_PROP_EFFECT)) &&
        in->op != IRI_OP_CALL)
        differs = differs || !iri_reads_constants(&w->p->interface, in->op, immediates);
    /* What a function reads is not looked into, but that what it gives may depend on it. */
    if (in->op == IRI_OP_CALL && in->operand_count == 0)
        differs = true;
    if (in->op == IRI_OP_LOAD_LOCAL)
        differs = differs || iri_bitset_has(&w->u->locals, immediates[0]);
    if (in->op == IRI_OP_STORE_LOCAL && (differs || diverged))
        set(w, &w->u->locals, immediates[0]);
    if (differs)
        results_vary(w, in);
}

static after walk_region(walker *w, iri_id region, bool diverged)
{
    after end = {.diverged = diverged};
    iri_for_each_inst(w->p, region, in)
    {
        after step = {.diverged = end.diverged};
        if (end.diverged)
            set(w, &w->u->diverged, (uint32_t)(in - w->p->insts));
        if (iri_props(in->op) & IRI_PROP_TERMINATOR)
            step = walk_edge(w, in, end.diverged);
        else if (in->op == IRI_OP_LOOP)
            step = walk_loop(w, in, end.diverged);
        else if (in->region_count)
            step = walk_choice(w, in, end.diverged);
        else
            walk_plain(w, in, end.diverged);
        end.diverged = step.diverged;
        end.leaves |= step.leaves;
        end.leaves_diverged = end.leaves_diverged || step.leaves_diverged;
    }
    return end;
}

void iri_find_uniform(iri_arena *arena, const iri_program *p, iri_id function,
                      bool uniform_parameters, iri_uniform *out)
{
    walker w = {.p = p, .u = out};
    const iri_region *body = &p->regions[p->functions[function].body];
    out->varying = iri_bitset_make(arena, p->value_count);
    out->diverged = iri_bitset_make(arena, p->inst_count);
    out->locals = iri_bitset_make(arena, p->local_count);
    for (uint32_t i = 0; i < body->parameter_count && !uniform_parameters; i++)
        iri_bitset_add(&out->varying, body->parameters + i);
    /* Once more while a local that was read before it was found to differ may change something. */
    do {
        w.changed = false;
        walk_region(&w, p->functions[function].body, false);
    } while (w.changed);
}
