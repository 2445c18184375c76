/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns plain locals into SSA values: loads and stores become reads and writes of ir/variables.h. Edges of
 * region operations carry the slots that are stored to inside and live at their end, lanes that some store
 * writes together in one value (see promote_live.c).
 */
#include "pass/promote.h"

typedef struct promote {
    iri_pass_ctx *pc;
    iri_builder *b;
    iri_promote_facts f;
    iri_variables v;
    iri_region_facts *open; /* the innermost region operation */
} promote;

static uint32_t variable_of(const promote *pr, iri_id local)
{
    return local - pr->f.first_local;
}

static void do_store(promote *pr, iri_rewrite *rw, const iri_inst *in)
{
    const uint32_t *immediates = iri_immediates(rw->from, in);
    iri_variables_write(&pr->v, variable_of(pr, immediates[0]), immediates[1],
                        iri_rewrite_value(rw, iri_operands(rw->from, in)[0]));
}

static void do_load(promote *pr, iri_rewrite *rw, const iri_inst *in)
{
    const uint32_t *immediates = iri_immediates(rw->from, in);
    iri_shape_stamp(rw, in);
    iri_rewrite_set(rw, in->results,
                    iri_variables_read(&pr->v, variable_of(pr, immediates[0]), immediates[1],
                                       ~(uint32_t)pr->f.demand[in->results], in->offset));
}

/* ---- joins ---- */

/* Old operands of an edge (or a loop), then those for a join. */
static iri_id *edge_values(promote *pr, iri_rewrite *rw, const iri_inst *in, const iri_join *join)
{
    const uint32_t *operands = iri_operands(rw->from, in);
    iri_id *values =
        iri_new_array(pr->f.scratch, iri_id, (size_t)in->operand_count + join->web_count);
    for (uint32_t i = 0; i < in->operand_count; i++)
        values[i] = iri_rewrite_value(rw, operands[i]);
    iri_shape_stamp(rw, in);
    iri_variables_carry(&pr->v, join, values + in->operand_count);
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
    iri_variables_open(&pr->v, &facts->parameters);
    const iri_id *initial = edge_values(pr, rw, in, join);
    iri_shape_open(rw, in, initial, count, parameters);
    iri_shape_map(rw, rw->from->regions[iri_regions(rw->from, in)[0]].parameters, parameters,
                  in->operand_count);
    iri_variables_arrive(&pr->v, join, parameters + in->operand_count);
}

static void do_region_op(promote *pr, iri_rewrite *rw, const iri_inst *in)
{
    iri_region_facts *facts = &pr->f.regions.at[pr->f.facts_of[in - rw->from->insts]];
    iri_region_facts *outer = pr->open;
    uint32_t mark = iri_variables_mark(&pr->v), count = in->result_count + facts->results.web_count;
    iri_id *results = iri_new_array(pr->f.scratch, iri_id, count);
    iri_variables_open(&pr->v, &facts->results);
    if (in->op == IRI_OP_LOOP)
        open_loop(pr, rw, in, facts);
    else
        iri_shape_open(rw, in, NULL, 0, NULL);
    pr->open = facts;
    for (uint32_t i = 0; i < in->region_count; i++) {
        uint32_t inner = iri_variables_mark(&pr->v);
        if (i > 0)
            iri_shape_next(rw, in, i);
        iri_shape_region(rw, iri_regions(rw->from, in)[i]);
        iri_variables_take_back(&pr->v, inner);
    }
    pr->open = outer;
    iri_variables_take_back(&pr->v, mark);
    iri_end_results(pr->b, results, count);
    iri_shape_map(rw, in->results, results, in->result_count);
    iri_variables_arrive(&pr->v, &facts->results, results + in->result_count);
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

static void start_variables(promote *pr)
{
    static const uint8_t starts[] = {[IRI_LOCAL_UNSET] = IRI_VARIABLE_UNSET,
                                     [IRI_LOCAL_ZERO_NOTED] = IRI_VARIABLE_ZERO,
                                     [IRI_LOCAL_ZERO] = IRI_VARIABLE_SET};
    const iri_local *locals = pr->f.p->locals + pr->f.first_local;
    iri_variables_start(&pr->v, pr->b, pr->f.scratch, pr->f.local_count);
    for (uint32_t i = 0; i < pr->f.local_count; i++)
        iri_variables_declare(&pr->v, i, IRI_TYPE_SCALAR(locals[i].type), starts[locals[i].init]);
}

static void promote_function(promote *pr, iri_rewrite *rw, iri_id function)
{
    const iri_function *fn = &rw->from->functions[function];
    iri_promote_analyse(&pr->f, function);
    start_variables(pr);
    iri_shape_begin_function(rw, function);
    for (uint32_t i = 0; i < fn->local_count; i++) {
        if (!iri_is_plain(rw->from, fn->first_local + i))
            iri_shape_local(rw, fn->first_local + i);
        else
            pr->pc->counts->promoted++;
    }
    iri_shape_region(rw, fn->body);
    iri_end_function(pr->b);
    iri_variables_judge(&pr->v, rw->from->locals + fn->first_local,
                        pr->pc->options->uninitialized_zero);
}

iri_program *iri_pass_promote(iri_pass_ctx *pc, const iri_program *program)
{
    promote pr = {.pc = pc};
    iri_rewrite rw;
    if (program->local_count <= 1)
        return NULL;
    pr.b = iri_pass_make_builder(pc, program, IRI_BUILD_OPTIMISE);
    iri_promote_init(&pr.f, program, pc->scratch);
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
