/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shrinking by rewriting: each candidate is the program with some instructions edited, all others copied. Larger
 * edits are tried first (half of all instructions, then a quarter, ...), as delta debugging does (Zeller and
 * Hildebrandt, 2002).
 */
#include "shrink.h"

#include "ir/rewrite.h"

#include <stdlib.h>

typedef enum edit_kind {
    EDIT_NONE = 0,
    EDIT_DROP,    /* its results are zero */
    EDIT_OPERAND, /* its result is operand `which` */
    EDIT_ARM      /* of its regions only `which` is run */
} edit_kind;

typedef struct edit {
    uint8_t kind;
    uint8_t which;
} edit;

typedef struct shrinking {
    iri_program *best;
    bool owned; /* best is not the caller's program */
    shrink_predicate *holds;
    void *user;
    uint32_t tries;
    edit *edits; /* by instruction of `best` */
} shrinking;

/* ---- one candidate ---- */

typedef struct candidate {
    const shrinking *s;
    iri_arena scratch;
    iri_builder *b;
    iri_program *program;
    iri_id *replaced; /* the op whose arm is spliced in, by the arm's region */
} candidate;

static void drop(iri_rewrite *rw, const iri_inst *in)
{
    for (uint32_t i = 0; i < in->result_count; i++) {
        iri_type type = iri_type_of(rw->from, in->results + i);
        iri_rewrite_set(rw, in->results + i, iri_const_zero(rw->b, type));
    }
}

/* A switch's arm becomes a block, since breaks may leave it; an if's stands in the open. */
static void splice_arm(iri_rewrite *rw, iri_id inst, uint32_t which)
{
    candidate *c = rw->argument;
    const iri_inst *in = &rw->from->insts[inst];
    iri_id region = iri_regions(rw->from, in)[which];
    if (in->op == IRI_OP_IF) {
        c->replaced[region] = inst;
        iri_rewrite_region(rw, region);
        return;
    }
    iri_id *results = iri_new_array(rw->scratch, iri_id, in->result_count + 1u);
    rw->labels[iri_immediates(rw->from, in)[0]] = iri_begin_block(rw->b);
    iri_rewrite_region(rw, region);
    iri_end_results(rw->b, results, in->result_count);
    for (uint32_t i = 0; i < in->result_count; i++) {
        iri_type type = iri_type_of(rw->from, in->results + i);
        if (iri_is_closed(rw->b))
            results[i] = iri_const_zero(rw->b, type);
        iri_rewrite_set(rw, in->results + i, results[i]);
    }
}

/* The yield of an arm that is spliced in gives the results of the op that held it. */
static bool ends_spliced(iri_rewrite *rw, iri_id inst)
{
    const candidate *c = rw->argument;
    const iri_program *p = rw->from;
    if (p->insts[inst].op != IRI_OP_YIELD)
        return false;
    for (iri_id r = 1; r < p->region_count; r++) {
        const iri_region *region = &p->regions[r];
        if (!c->replaced[r] || p->order[region->first + region->count - 1] != inst)
            continue;
        const iri_inst *op = &p->insts[c->replaced[r]];
        for (uint32_t i = 0; i < op->result_count; i++)
            iri_rewrite_set(rw, op->results + i,
                            iri_rewrite_value(rw, iri_operands(p, &p->insts[inst])[i]));
        return true;
    }
    return false;
}

static iri_rewrite_action visit(iri_rewrite *rw, iri_id inst)
{
    const candidate *c = rw->argument;
    const iri_inst *in = &rw->from->insts[inst];
    const edit *e = &c->s->edits[inst];
    if (ends_spliced(rw, inst))
        return IRI_REWRITE_DONE;
    switch ((edit_kind)e->kind) {
    case EDIT_DROP: drop(rw, in); return IRI_REWRITE_DROP;
    case EDIT_OPERAND:
        iri_rewrite_set(rw, in->results,
                        iri_rewrite_value(rw, iri_operands(rw->from, in)[e->which]));
        return IRI_REWRITE_DROP;
    case EDIT_ARM: splice_arm(rw, inst, e->which); return IRI_REWRITE_DONE;
    case EDIT_NONE: break;
    }
    return IRI_REWRITE_COPY;
}

static void make(iri_ctx *ctx, void *argument)
{
    candidate *c = argument;
    iri_rewrite rw;
    iri_arena_init(&c->scratch, ctx);
    c->replaced = iri_new_array(&c->scratch, iri_id, c->s->best->region_count);
    c->b = iri_builder_make(ctx, &c->scratch, c->s->best->stage, 0);
    iri_rewrite_init(&rw, c->b, c->s->best, &c->scratch, visit, c);
    iri_rewrite_program(&rw);
    c->program = iri_builder_finish(c->b);
    c->b = NULL;
}

static iri_program *apply(const shrinking *s)
{
    iri_ctx ctx;
    iri_refusal why;
    candidate c = {.s = s};
    iri_ctx_init(&ctx, NULL, NULL, &why);
    iri_protect(&ctx, make, &c);
    if (c.b)
        iri_builder_discard(c.b);
    iri_arena_free(&c.scratch);
    return c.program;
}

/* Takes a smaller program in place of the best when the fault is still there. */
static bool adopt(shrinking *s, iri_program *p)
{
    bool good = p && s->tries > 0 && iri_validate(p, IRI_CAN_ALL, NULL, NULL) == IRI_OK;
    if (good) {
        s->tries--;
        good = s->holds(p, s->user);
    }
    if (!good) {
        iri_program_free(p);
        return false;
    }
    if (s->owned)
        iri_program_free(s->best);
    s->best = p;
    s->owned = true;
    free(s->edits);
    s->edits = calloc(p->inst_count, sizeof *s->edits);
    return s->edits != NULL;
}

/* Tries the edits that stand; clears them when they fail. */
static bool attempt(shrinking *s)
{
    if (adopt(s, apply(s)))
        return true;
    memset(s->edits, 0, s->best->inst_count * sizeof *s->edits);
    return false;
}

/* ---- what is tried ---- */

static bool may_drop(const iri_program *p, iri_id inst)
{
    return !(iri_props(p->insts[inst].op) & IRI_PROP_TERMINATOR);
}

static bool drop_many(shrinking *s)
{
    bool any = false;
    for (uint32_t size = s->best->inst_count; size; size /= 2)
        for (uint32_t at = 1; at < s->best->inst_count && s->tries;) {
            bool marked = false;
            for (uint32_t i = at; i < at + size && i < s->best->inst_count; i++)
                if (may_drop(s->best, i)) {
                    s->edits[i].kind = EDIT_DROP;
                    marked = true;
                }
            if (marked && attempt(s))
                any = true;
            else
                at += size;
        }
    return any;
}

static bool one(shrinking *s, iri_id inst, edit_kind kind, uint32_t which)
{
    s->edits[inst] = (edit){(uint8_t)kind, (uint8_t)which};
    return attempt(s);
}

static bool shrink_inst(shrinking *s, iri_id inst)
{
    const iri_program *p = s->best;
    const iri_inst *in = &p->insts[inst];
    if (in->op == IRI_OP_IF || in->op == IRI_OP_SWITCH) {
        for (uint32_t i = 0; i < in->region_count && i < 256; i++)
            if (one(s, inst, EDIT_ARM, i))
                return true;
    } else if (in->result_count == 1 && !in->region_count) {
        for (uint32_t i = 0; i < in->operand_count && i < 256; i++) {
            iri_id x = iri_operands(p, in)[i];
            if (iri_type_of(p, x) == iri_type_of(p, in->results) && one(s, inst, EDIT_OPERAND, i))
                return true;
        }
    }
    return false;
}

static bool replace_each(shrinking *s)
{
    bool any = false;
    for (iri_id i = 1; i < s->best->inst_count && s->tries;) {
        if (shrink_inst(s, i))
            any = true;
        else
            i++;
    }
    return any;
}

static uint32_t size_of(const iri_program *p)
{
    return p->inst_count + p->interface.input_count + p->interface.output_count +
           p->function_count + p->local_count;
}

/* A pass that leaves less of it. */
static bool simplify(shrinking *s, iri_pass_id pass)
{
    iri_program *p = NULL;
    if (iri_pass_apply(s->best, pass, NULL, &p, NULL, NULL) != IRI_OK)
        return false;
    if (size_of(p) >= size_of(s->best)) {
        iri_program_free(p);
        return false;
    }
    return adopt(s, p);
}

iri_program *shrink_program(const iri_program *program, shrink_predicate *holds, void *user,
                            uint32_t tries)
{
    shrinking s = {(iri_program *)(uintptr_t)program, false, holds, user, tries, NULL};
    s.edits = calloc(program->inst_count, sizeof *s.edits);
    for (bool any = true; any && s.edits && s.tries;) {
        any = simplify(&s, IRI_PASS_DCE);
        any |= drop_many(&s);
        any |= replace_each(&s);
    }
    free(s.edits);
    return s.owned ? s.best : NULL;
}
