/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scope and control flow of functions, and the order in which a program is checked. A value is in scope when
 * it was defined before in its region, or before one of the enclosing ones in theirs; in CFG form, when its
 * block dominates.
 */
#include "ir/validate.h"

#include "base/map.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An op whose regions are being looked at. */
typedef struct frame {
    const struct frame *outer;
    const iri_inst *in;
    uint32_t label;
    iri_id region;   /* a loop's body */
    bool *completed; /* an edge completes it */
} frame;

/* ---- what was found ---- */

void iri_found(iri_validator *v, const char *format, ...)
{
    char text[512], message[192];
    va_list arguments;
    if (v->problems.count >= IRI_PROBLEMS_MAX)
        return;
    if (v->sound && !v->numbering) {
        /* Only the program that has faults pays for the numbers of its values. */
        iri_number_program(v->arena, v->p, &v->numbers);
        v->numbering = &v->numbers;
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    iri_printer pr = {.p = v->p,
                      .text = text,
                      .size = sizeof text - sizeof message - 2,
                      .numbering = v->numbering,
                      .function = v->function};
    if (v->inst && v->numbering)
        iri_put_inst(&pr, v->inst);
    else if (v->inst)
        iri_put(&pr, "instruction %lu", (unsigned long)v->inst);
    size_t length = pr.length;
    snprintf(text + length, sizeof text - length, "%s%s", length ? ": " : "", message);
    for (char *c = text; *c; c++) /* names may hold anything; a problem stays one plain line */
        if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
            *c = '?';
    iri_problem problem = {v->function, v->inst, IRI_NO_OFFSET, NULL};
    if (v->inst && v->inst < v->p->inst_count)
        problem.offset = v->p->insts[v->inst].offset;
    problem.text = iri_arena_copy_text(v->arena, text, strlen(text));
    iri_push(v->arena, &v->problems, problem);
}

/* ---- scope ---- */

static bool in_scope(const iri_validator *v, iri_id value)
{
    if (iri_is_constant(v->p, value) || iri_bitset_has(&v->defined, value))
        return true;
    if (!v->cfg || v->block_of[value] == IRI_NO_BLOCK || v->block_of[value] == v->block)
        return false;
    uint32_t by = v->block_of[value];
    if (v->cfg->rank[v->block] >=
        v->cfg->reachable) /* no path leads here; what reaches others will do */
        return v->cfg->rank[by] < v->cfg->reachable;
    return iri_dominates(v->cfg, by, v->block);
}

static void check_operands(iri_validator *v, const iri_inst *in)
{
    for (uint32_t i = 0; i < in->operand_count; i++)
        if (!in_scope(v, iri_operands(v->p, in)[i]))
            iri_found(v, "operand %u is not in scope", (unsigned)i + 1);
}

static void define(iri_validator *v, iri_id first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        iri_bitset_add(&v->defined, first + i);
}

static void undefine_region(iri_validator *v, iri_id region)
{
    const iri_region *r = &v->p->regions[region];
    for (uint32_t i = 0; i < r->parameter_count; i++)
        iri_bitset_remove(&v->defined, r->parameters + i);
    iri_for_each_inst(v->p, region, in) for (uint32_t i = 0; i < in->result_count; i++)
        iri_bitset_remove(&v->defined, in->results + i);
}

/* ---- edges ---- */

/* Values carried to places of other values, or of listed types. */
static void check_carried(iri_validator *v, const uint32_t *values, uint32_t count, iri_id places,
                          const iri_type *types, uint32_t wanted, const char *what)
{
    if (count != wanted) {
        iri_found(v, "carries %u values, but %s %u", (unsigned)count, what, (unsigned)wanted);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        iri_type type = iri_type_of(v->p, values[i]);
        iri_type place = types ? types[i] : iri_type_of(v->p, places + i);
        if (type != place)
            iri_found(v, "carries %s as value %u, but %s %s there", iri_type_name(type),
                      (unsigned)i + 1, what, iri_type_name(place));
    }
}

static void complete(iri_validator *v, const iri_inst *in, const frame *to)
{
    *to->completed = true;
    check_carried(v, iri_operands(v->p, in), in->operand_count, to->in->results, NULL,
                  to->in->result_count, "the op has");
}

static const frame *find_label(const frame *f, uint32_t label)
{
    while (f && f->label != label)
        f = f->outer;
    return f;
}

static void check_exit(iri_validator *v, const iri_inst *in, const frame *innermost)
{
    const iri_program *p = v->p;
    const frame *to = NULL;
    if (in->immediate_count == 1 && iri_immediates(p, in)[0])
        to = find_label(innermost, iri_immediates(p, in)[0]);
    if (!to) {
        iri_found(v, "no op around it has this label");
    } else if (in->op == IRI_OP_BREAK) {
        complete(v, in, to);
    } else if (to->in->op != IRI_OP_LOOP) {
        iri_found(v, "the label is no loop's");
    } else {
        const iri_region *body = &p->regions[to->region];
        check_carried(v, iri_operands(p, in), in->operand_count, body->parameters, NULL,
                      body->parameter_count, "the loop has");
    }
}

static void check_edges(iri_validator *v, const iri_inst *in, const iri_function *f)
{
    for (uint32_t i = 0; i < iri_cfg_edge_count(in); i++) {
        iri_cfg_edge edge;
        if (!iri_cfg_get_edge(v->p, in, i, &edge)) {
            iri_found(v, "its words do not make edges");
            return;
        }
        if (edge.block < f->body || edge.block - f->body >= f->block_count) {
            iri_found(v, "edge %u leads to no block of the function", (unsigned)i + 1);
        } else if (edge.block == f->body) {
            iri_found(v, "edge %u leads to the entry block", (unsigned)i + 1);
        } else {
            const iri_region *to = &v->p->regions[edge.block];
            check_carried(v, edge.arguments, edge.count, to->parameters, NULL, to->parameter_count,
                          "the block has");
        }
    }
}

static void check_terminator(iri_validator *v, const iri_inst *in, const frame *innermost)
{
    const iri_function *f = &v->p->functions[v->function];
    bool branch = (iri_props(in->op) & IRI_PROP_CFG) != 0;
    bool plain = in->op == IRI_OP_RETURN || in->op == IRI_OP_UNREACHABLE;
    if (!plain && branch != (f->form == IRI_FORM_CFG)) {
        iri_found(v, "%s",
                  branch ? "stands in a structured function" : "stands in a function of CFG form");
        return;
    }
    if (in->op == IRI_OP_RETURN) {
        check_carried(v, iri_operands(v->p, in), in->operand_count, 0, f->result_types,
                      f->result_count, "the function has");
    } else if (in->op == IRI_OP_YIELD) {
        if (!innermost || innermost->in->op == IRI_OP_LOOP)
            iri_found(v, "%s",
                      innermost ? "ends a loop's body" : "stands in no if, switch or block");
        else
            complete(v, in, innermost);
    } else if (branch) {
        check_edges(v, in, f);
    } else if (!plain) {
        check_exit(v, in, innermost);
    }
}

/* ---- outputs ---- */

static bool has_outputs(const iri_validator *v)
{
    iri_stage stage = v->p->stage;
    return v->function == v->p->entry &&
           (stage == IRI_STAGE_VERTEX || stage == IRI_STAGE_PIXEL || stage == IRI_STAGE_NONE);
}

static void note_output(iri_validator *v, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(v->p, in);
    if (v->function != v->p->entry)
        iri_found(v, "stands in a function that is not the entry");
    if (in->immediate_count != 2 || imm[0] >= v->p->interface.output_count)
        return;
    uint32_t bits = iri_lanes_to_bits(imm[1]);
    if (v->written[imm[0]] & bits)
        iri_found(v, "lanes are written twice");
    v->written[imm[0]] |= (uint8_t)bits;
}

/* At a `return`: every lane of every output. Forgets what was written. */
static void check_written(iri_validator *v, bool returns)
{
    const iri_interface *io = &v->p->interface;
    for (uint32_t i = 0; i < io->output_count; i++) {
        uint32_t all = (1u << IRI_TYPE_LANES(io->outputs[i].type)) - 1;
        char label[64];
        if (returns && v->written[i] != all)
            iri_found(v, "output %s is %s", iri_io_label(&io->outputs[i], label),
                      v->written[i] ? "not written whole" : "never written");
        v->written[i] = 0;
    }
}

/* ---- ops with regions ---- */

static int compare_words(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void check_cases(iri_validator *v, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(v->p, in);
    IRI_VEC(uint32_t) values = {0};
    uint32_t at = 1, arms = 1;
    for (; at < in->immediate_count; arms++) {
        uint32_t count = imm[at++];
        if (!count || count > in->immediate_count - at) {
            iri_found(v, "case %u is malformed", (unsigned)arms);
            return;
        }
        for (uint32_t i = 0; i < count; i++)
            iri_push(v->arena, &values, imm[at + i]);
        at += count;
    }
    if (arms != in->region_count)
        iri_found(v, "has %u regions for %u arms", (unsigned)in->region_count, (unsigned)arms);
    if (values.count)
        qsort(values.at, values.count, sizeof *values.at, compare_words);
    for (uint32_t i = 1; i < values.count; i++)
        if (values.at[i] == values.at[i - 1]) {
            iri_found(v, "case %lu is there twice", (unsigned long)values.at[i]);
            break;
        }
}

static void check_label(iri_validator *v, uint32_t label)
{
    if (!label || label >= v->p->label_count) {
        iri_found(v, "label %lu is out of range", (unsigned long)label);
    } else if (iri_bitset_has(&v->labels, label)) {
        iri_found(v, "its label is another's too");
    } else {
        iri_bitset_add(&v->labels, label);
    }
}

/* Whether the op has the regions it should, so that they can be looked at. */
static bool check_shape(iri_validator *v, const iri_inst *in)
{
    const iri_program *p = v->p;
    uint32_t wanted = in->op == IRI_OP_IF ? 2 : 1;
    if (v->p->functions[v->function].form == IRI_FORM_CFG) {
        iri_found(v, "stands in a function of CFG form");
        return false;
    }
    if (in->op == IRI_OP_SWITCH ? !in->region_count : in->region_count != wanted) {
        iri_found(v, "has %u regions", (unsigned)in->region_count);
        return false;
    }
    if (in->op != IRI_OP_IF && in->immediate_count)
        check_label(v, iri_immediates(p, in)[0]);
    if (in->op == IRI_OP_SWITCH)
        check_cases(v, in);
    for (uint32_t i = 0; i < in->region_count; i++) {
        const iri_region *r = &p->regions[iri_regions(p, in)[i]];
        if (in->op == IRI_OP_LOOP)
            check_carried(v, iri_operands(p, in), in->operand_count, r->parameters, NULL,
                          r->parameter_count, "the body has");
        else if (r->parameter_count)
            iri_found(v, "a region has parameters");
    }
    return true;
}

static void check_region(iri_validator *v, iri_id region, const frame *innermost);

static void check_regions(iri_validator *v, const iri_inst *in, const frame *outer,
                          bool last_but_one)
{
    const iri_program *p = v->p;
    bool completed = false;
    iri_id inst = v->inst;
    if (!check_shape(v, in))
        return;
    uint32_t label = in->op != IRI_OP_IF && in->immediate_count ? iri_immediates(p, in)[0] : 0;
    frame f = {outer, in, label, iri_regions(p, in)[0], &completed};
    for (uint32_t i = 0; i < in->region_count; i++)
        check_region(v, iri_regions(p, in)[i], &f);
    v->inst = inst;
    if (completed)
        return;
    if (in->result_count)
        iri_found(v, "has results, but no edge completes it");
    if (!last_but_one)
        iri_found(v, "no edge completes it, and more than unreachable follows");
}

/* ---- regions ---- */

static void check_place(iri_validator *v, const iri_inst *in, bool last, bool *outputs)
{
    uint32_t effects = IRI_PROP_EFFECT | IRI_PROP_LOCAL_WRITE | IRI_PROP_REGION;
    bool ends = (iri_props(in->op) & IRI_PROP_TERMINATOR) != 0;
    if (ends && !last)
        iri_found(v, "a terminator that is not the last of its region");
    if (!ends && last)
        iri_found(v, "the region does not end in a terminator");
    if (in->op == IRI_OP_OUTPUT)
        note_output(v, in);
    else if (*outputs && (iri_props(in->op) & effects))
        iri_found(v, "stands between an output and the return");
    *outputs |= in->op == IRI_OP_OUTPUT;
    if (last && *outputs && in->op != IRI_OP_RETURN)
        iri_found(v, "the region writes outputs and does not return");
    if (in->flags & ~IRI_INST_PRECISE)
        iri_found(v, "has flags that do not exist");
    if (last)
        check_written(v, in->op == IRI_OP_RETURN && has_outputs(v));
}

static void check_region(iri_validator *v, iri_id region, const frame *innermost)
{
    const iri_program *p = v->p;
    const iri_region *r = &p->regions[region];
    bool outputs = false;
    define(v, r->parameters, r->parameter_count);
    if (!r->count)
        iri_found(v, "a region is empty");
    for (uint32_t i = 0; i < r->count; i++) {
        const iri_inst *in = &p->insts[p->order[r->first + i]];
        bool unreachable_next =
            i + 2 == r->count && p->insts[p->order[r->first + i + 1]].op == IRI_OP_UNREACHABLE;
        v->inst = p->order[r->first + i];
        check_operands(v, in);
        iri_check_inst(v, in);
        check_place(v, in, i + 1 == r->count, &outputs);
        if (iri_props(in->op) & IRI_PROP_REGION)
            check_regions(v, in, innermost, unreachable_next);
        else if (iri_props(in->op) & IRI_PROP_TERMINATOR)
            check_terminator(v, in, innermost);
        define(v, in->results, in->result_count);
    }
    undefine_region(v, region);
    v->inst = innermost ? (iri_id)(innermost->in - p->insts) : 0;
}

/* ---- functions ---- */

static void check_blocks(iri_validator *v, const iri_function *f)
{
    const iri_program *p = v->p;
    iri_cfg cfg;
    if (!(v->capabilities & IRI_CAN_CFG))
        iri_found(v, "has CFG form, not allowed here");
    iri_cfg_make(v->arena, p, f, &cfg);
    v->cfg = &cfg;
    v->block_of = iri_new_array(v->arena, uint32_t, p->value_count);
    memset(v->block_of, 0xff, p->value_count * sizeof *v->block_of);
    for (uint32_t b = 0; b < cfg.count; b++) {
        const iri_region *r = &p->regions[cfg.first + b];
        for (uint32_t i = 0; i < r->parameter_count; i++)
            v->block_of[r->parameters + i] = b;
        iri_for_each_inst(p, cfg.first + b, in) for (uint32_t i = 0; i < in->result_count; i++)
            v->block_of[in->results + i] = b;
    }
    for (v->block = 0; v->block < cfg.count; v->block++)
        check_region(v, cfg.first + v->block, NULL);
    v->cfg = NULL;
}

static void check_function(iri_validator *v)
{
    const iri_program *p = v->p;
    const iri_function *f = &p->functions[v->function];
    if (v->function == p->entry &&
        (!f->body || f->result_count || p->regions[f->body].parameter_count))
        iri_found(v, "the entry has a body, no parameters and no results");
    for (uint32_t i = 0; i < f->local_count; i++) {
        const iri_local *local = &p->locals[f->first_local + i];
        if (!local->length && !(v->capabilities & IRI_CAN_LOCALS))
            iri_found(v, "local %.40s is plain, not allowed here", local->name);
        iri_check_scalar(v, IRI_TYPE_SCALAR(local->type));
    }
    if (!f->body)
        return;
    if (f->form == IRI_FORM_CFG)
        check_blocks(v, f);
    else
        check_region(v, f->body, NULL);
}

typedef struct pair {
    iri_id caller, callee;
} pair;

typedef struct calls {
    iri_validator *v;
    IRI_VEC(pair) pairs;
    iri_id caller;
} calls;

static void note_call(const iri_program *p, iri_id inst, void *argument)
{
    calls *c = argument;
    const iri_inst *in = &p->insts[inst];
    if (in->op != IRI_OP_CALL || in->immediate_count != 1)
        return;
    pair call = {c->caller, iri_immediates(p, in)[0]};
    if (call.callee < p->function_count)
        iri_push(c->v->arena, &c->pairs, call);
}

/* Takes away functions that call none of those left (Kahn's topological order): what stays is recursive, or
 * calls what is. */
static void check_recursion(iri_validator *v)
{
    const iri_program *p = v->p;
    calls c = {.v = v};
    uint32_t *left =
        iri_new_array(v->arena, uint32_t, p->function_count); /* calls not taken away */
    uint32_t *first = iri_new_array(v->arena, uint32_t, p->function_count + 2u);
    iri_id *queue = iri_new_array(v->arena, iri_id, p->function_count);
    uint32_t queued = 0;
    for (c.caller = 1; c.caller < p->function_count; c.caller++) {
        const iri_function *f = &p->functions[c.caller];
        uint32_t count = !f->body ? 0 : f->form == IRI_FORM_CFG ? f->block_count : 1;
        for (uint32_t i = 0; i < count; i++)
            iri_walk(p, f->body + i, note_call, &c);
    }
    /* Callers by callee: those of f from first[f] to first[f + 1], once filled. */
    iri_id *callers = iri_new_array(v->arena, iri_id, c.pairs.count + 1u);
    for (uint32_t i = 0; i < c.pairs.count; i++) {
        first[c.pairs.at[i].callee + 2]++;
        left[c.pairs.at[i].caller]++;
    }
    for (uint32_t i = 0; i < p->function_count; i++)
        first[i + 1] += first[i];
    for (uint32_t i = 0; i < c.pairs.count; i++)
        callers[first[c.pairs.at[i].callee + 1]++] = c.pairs.at[i].caller;
    for (iri_id f = 1; f < p->function_count; f++)
        if (!left[f])
            queue[queued++] = f;
    for (uint32_t i = 0; i < queued; i++)
        for (uint32_t k = first[queue[i]]; k < first[queue[i] + 1]; k++)
            if (--left[callers[k]] == 0)
                queue[queued++] = callers[k];
    for (v->function = 1; v->function < p->function_count; v->function++)
        if (left[v->function])
            iri_found(v, "calls itself, or a function that does");
    v->function = 0;
}

/* ---- programs ---- */

static void check_entry(iri_validator *v)
{
    iri_stage stage = v->p->stage;
    bool needed =
        stage == IRI_STAGE_VERTEX || stage == IRI_STAGE_PIXEL || stage == IRI_STAGE_COMPUTE;
    if (needed && !v->p->entry)
        iri_found(v, "the program has no entry");
}

/* Calls and the text form name functions. */
static void check_names(iri_validator *v)
{
    const iri_program *p = v->p;
    iri_map names;
    if (p->function_count <= 2)
        return;
    iri_map_init(&names, v->arena);
    for (v->function = 1; v->function < p->function_count; v->function++) {
        const char *name = p->functions[v->function].name;
        bool added;
        iri_map_put(&names, name, (uint32_t)strlen(name), &added);
        if (!added)
            iri_found(v, "another function before it has this name");
    }
    v->function = 0;
}

uint32_t iri_find_problems(iri_arena *arena, const iri_program *p, uint32_t capabilities,
                           const iri_problem **problems)
{
    iri_validator v = {.arena = arena, .p = p, .capabilities = capabilities};
    bool readable = iri_check_interface(&v);
    if (iri_check_sound(&v) && readable) {
        v.sound = true;
        v.defined = iri_bitset_make(arena, p->value_count);
        v.labels = iri_bitset_make(arena, p->label_count + 1u);
        v.written = iri_new_array(arena, uint8_t, p->interface.output_count);
        check_entry(&v);
        for (v.function = 1; v.function < p->function_count; v.function++)
            check_function(&v);
        v.function = v.inst = 0;
        check_recursion(&v);
        check_names(&v);
    }
    *problems = v.problems.at;
    return v.problems.count;
}

void iri_require_valid(iri_ctx *ctx, iri_arena *scratch, const iri_program *p,
                       uint32_t capabilities, iri_status status)
{
    const iri_problem *problems;
    if (!p->validated && iri_find_problems(scratch, p, capabilities, &problems))
        iri_fail(ctx, status, problems[0].offset, "%s", problems[0].text);
}
