/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replaces calls by the bodies they call. A callee that returns in its middle becomes a block whose exits
 * are the returns. Its locals start anew at each call, which inside a loop takes stores of zero. Calls
 * from, or of, functions of CFG form stay, and so do calls of functions without a body; what is then
 * called no more is dropped.
 */
#include "pass/shape.h"

enum { STATE_NEW, STATE_OPEN, STATE_DONE };

typedef struct inliner {
    iri_pass_ctx *pc;
    const iri_program *p;
    uint8_t *middle;  /* function -> it returns elsewhere than at its end */
    uint32_t *size;   /* function -> instructions of its own */
    uint64_t visited; /* instructions of all callees so far: bounds empty ones too */
    uint32_t limit;
    uint32_t depth; /* of calls that are open */
    uint32_t loops; /* that are open */
    uint32_t label; /* the open callee's block; 0 where its only return ends it, or in no callee */
} inliner;

static bool is_inlined(const iri_program *p, iri_id callee)
{
    const iri_function *f = &p->functions[callee];
    return f->body != 0 && f->form == IRI_FORM_STRUCTURED;
}

/* ---- what is called ---- */

typedef struct survey {
    inliner *in;
    uint8_t *state;
    iri_bitset *called, *kept;
    iri_id function;
    uint32_t depth;
} survey;

static void survey_function(survey *s, iri_id function);

static void survey_inst(const iri_program *p, iri_id inst, void *argument)
{
    survey *s = argument;
    const iri_inst *in = &p->insts[inst];
    iri_id caller = s->function;
    s->in->size[caller]++;
    if (in->op == IRI_OP_RETURN && in != iri_terminator(p, p->functions[caller].body))
        s->in->middle[caller] = 1;
    if (in->op != IRI_OP_CALL)
        return;
    iri_id callee = iri_immediates(p, in)[0];
    if (!is_inlined(p, callee) || p->functions[caller].form == IRI_FORM_CFG)
        iri_bitset_add(s->kept, callee);
    iri_bitset_add(s->called, callee);
    if (s->state[callee] == STATE_OPEN)
        iri_fail(s->in->pc->ctx, IRI_LIMIT_NESTING, in->offset, "the function %s calls itself",
                 p->functions[callee].name);
    if (s->state[callee] == STATE_NEW) {
        survey_function(s, callee);
        s->function = caller;
    }
}

static void survey_function(survey *s, iri_id function)
{
    const iri_program *p = s->in->p;
    const iri_function *f = &p->functions[function];
    s->state[function] = STATE_OPEN;
    s->function = function;
    if (++s->depth > s->in->pc->ctx->limits.nesting)
        iri_fail(s->in->pc->ctx, IRI_LIMIT_NESTING, IRI_NO_OFFSET,
                 "calls nest deeper than %u at the function %s",
                 (unsigned)s->in->pc->ctx->limits.nesting, f->name);
    for (uint32_t i = 0; f->form == IRI_FORM_CFG && i < f->block_count; i++)
        iri_walk(p, f->body + i, survey_inst, s);
    if (f->body && f->form == IRI_FORM_STRUCTURED)
        iri_walk(p, f->body, survey_inst, s);
    s->depth--;
    s->state[function] = STATE_DONE;
}

/* The functions that the result has. */
static iri_bitset survey_program(inliner *in)
{
    const iri_program *p = in->p;
    iri_bitset called = iri_bitset_make(in->pc->scratch, p->function_count);
    iri_bitset kept = iri_bitset_make(in->pc->scratch, p->function_count);
    survey s = {.in = in, .called = &called, .kept = &kept};
    s.state = iri_new_array(in->pc->scratch, uint8_t, p->function_count);
    for (iri_id f = 1; f < p->function_count; f++) {
        if (s.state[f] == STATE_NEW)
            survey_function(&s, f);
    }
    for (iri_id f = 1; f < p->function_count; f++) {
        if (f == p->entry || !iri_bitset_has(&called, f))
            iri_bitset_add(&kept, f);
    }
    return kept;
}

/* ---- putting bodies in ---- */

static void zero_local(iri_rewrite *rw, const iri_local *local, iri_id id)
{
    uint32_t lanes = IRI_TYPE_LANES(local->type);
    iri_id zero = iri_const_zero(rw->b, local->type);
    if (local->length == 0)
        iri_emit_store_local(rw->b, id, iri_lanes_first(lanes), zero, 0);
    for (uint32_t i = 0; i < local->length; i++)
        iri_emit_store_local(rw->b, id, iri_lanes_first(lanes), zero, iri_const_u32(rw->b, i));
}

static void start_locals(iri_rewrite *rw, const inliner *in, const iri_function *callee)
{
    for (uint32_t i = 0; i < callee->local_count; i++) {
        iri_id local = callee->first_local + i;
        iri_shape_local(rw, local);
        if (in->loops > 0)
            zero_local(rw, &rw->from->locals[local], rw->locals[local]);
    }
}

static void map_call(iri_rewrite *rw, const iri_inst *call, const iri_id *results)
{
    const iri_program *p = rw->from;
    for (uint32_t i = 0; i < call->result_count; i++)
        iri_rewrite_set(rw, call->results + i,
                        results ? results[i]
                                : iri_const_zero(rw->b, iri_type_of(p, call->results + i)));
}

static void put_body(iri_rewrite *rw, inliner *in, const iri_inst *call, iri_id callee)
{
    const iri_function *f = &rw->from->functions[callee];
    uint32_t outer = in->label;
    in->label = 0;
    if (in->middle[callee]) {
        iri_id *results = iri_new_array(rw->scratch, iri_id, call->result_count);
        in->label = iri_begin_block(rw->b);
        iri_shape_region(rw, f->body);
        iri_end_results(rw->b, results, call->result_count);
        map_call(rw, call, iri_is_closed(rw->b) ? NULL : results);
    } else {
        const iri_inst *last = iri_shape_splice(rw, f->body);
        if (last && last->op == IRI_OP_RETURN) {
            map_call(rw, call, iri_shape_operands(rw, last));
        } else {
            if (last)
                iri_rewrite_copy(rw, (iri_id)(last - rw->from->insts));
            map_call(rw, call, NULL);
        }
    }
    in->label = outer;
}

static void do_call(iri_rewrite *rw, inliner *in, const iri_inst *call)
{
    const iri_program *p = rw->from;
    iri_id callee = iri_immediates(p, call)[0], caller = rw->function;
    const iri_function *f = &p->functions[callee];
    in->visited += in->size[callee] + 1u;
    if (in->visited > in->limit || iri_builder_program(rw->b)->inst_count > in->limit)
        iri_fail(in->pc->ctx, IRI_LIMIT_INSTRUCTIONS, call->offset,
                 "putting the function %s in makes more than %u instructions", f->name,
                 (unsigned)in->limit);
    for (uint32_t i = 0; i < call->operand_count; i++)
        iri_rewrite_set(rw, p->regions[f->body].parameters + i,
                        iri_rewrite_value(rw, iri_operands(p, call)[i]));
    iri_shape_stamp(rw, call);
    start_locals(rw, in, f);
    rw->function = callee;
    in->depth++;
    put_body(rw, in, call, callee);
    in->depth--;
    rw->function = caller;
}

static iri_rewrite_action visit(iri_rewrite *rw, iri_id inst)
{
    inliner *in = rw->argument;
    const iri_inst *old = &rw->from->insts[inst];
    if (old->op == IRI_OP_LOOP) {
        in->loops++;
        iri_rewrite_copy(rw, inst);
        in->loops--;
        return IRI_REWRITE_DONE;
    }
    if (old->op == IRI_OP_CALL && is_inlined(rw->from, iri_immediates(rw->from, old)[0]) &&
        rw->from->functions[rw->function].form == IRI_FORM_STRUCTURED) {
        do_call(rw, in, old);
        return IRI_REWRITE_DONE;
    }
    if (old->op == IRI_OP_RETURN && in->label) {
        iri_shape_stamp(rw, old);
        iri_emit_break(rw->b, in->label, iri_shape_operands(rw, old), old->operand_count);
        return IRI_REWRITE_DONE;
    }
    return IRI_REWRITE_COPY;
}

iri_program *iri_pass_inline(iri_pass_ctx *pc, const iri_program *program)
{
    inliner in = {.pc = pc, .p = program, .limit = pc->options->inline_limit};
    iri_rewrite rw;
    if (!iri_has_op(program, IRI_OP_CALL))
        return NULL;
    iri_builder *b = iri_pass_make_builder(pc, program, 0);
    if (in.limit == 0 || in.limit > pc->ctx->limits.instructions)
        in.limit = pc->ctx->limits.instructions;
    in.middle = iri_new_array(pc->scratch, uint8_t, program->function_count);
    in.size = iri_new_array(pc->scratch, uint32_t, program->function_count);
    iri_bitset kept = survey_program(&in);
    iri_rewrite_init(&rw, b, program, pc->scratch, visit, &in);
    iri_copy_header(b, program);
    iri_shape_declare(&rw, &kept);
    for (iri_id f = 1; f < program->function_count; f++) {
        if (iri_bitset_has(&kept, f) && program->functions[f].body)
            iri_rewrite_function(&rw, f);
    }
    return iri_shape_finish(&rw);
}
