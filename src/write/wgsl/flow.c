/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From regions to statements. A result of an `if`, `switch`, `block` or `loop`, and a loop's
 * parameter, is a `var` that the edges assign; a value with one use waits for it as an expression.
 *
 * What waits may be moved over anything: it is pure, and the names in it never change, but for the
 * `var`s of loop parameters, which change at the end of an iteration, where assign_all looks.
 */
#include "write/wgsl/memory.h"

static void emit_region(iri_wgsl *w, iri_id region, iri_stmt_list *list);

static _Noreturn void broken(iri_wgsl *w, const iri_inst *in, const char *why)
{
    iri_fail(w->ctx, IRI_INTERNAL, in->offset, "%s %s", iri_op_infos[in->op].name, why);
}

static void line(iri_wgsl *w, iri_str text)
{
    iri_stmt_add(w, IRI_STMT_LINE, IRI_STR_NONE, text);
}

/* ---- values ---- */

static void set_name(iri_wgsl *w, iri_id value, iri_str name, uint64_t vars)
{
    w->values[value].expr = (iri_wgsl_expr){.text = name, .level = IRI_LEVEL_POSTFIX, .vars = vars};
    w->values[value].named = true;
}

static iri_str let(iri_wgsl *w, iri_str name, iri_wgsl_expr e)
{
    iri_stmt_add(w, IRI_STMT_LET, name, e.text);
    return name;
}

/* A lookup's name: its texture's, in the manner of a local. */
static iri_str sample_name(iri_wgsl *w, const iri_inst *in)
{
    iri_str texture = w->resources[iri_immediates(w->p, in)[0]].name, name = texture;
    const char *source = w->p->interface.resources[iri_immediates(w->p, in)[0]].name;
    bool capital = texture.at[0] >= 'A' && texture.at[0] <= 'Z';
    if (source && capital) {
        char *lower = iri_arena_copy_text(w->arena, texture.at, texture.size);
        lower[0] = (char)(lower[0] - 'A' + 'a');
        name.at = lower;
    }
    if (!source || !capital || !iri_names_is_free(&w->names, name))
        name = IRI_WGSL_JOIN(w, name, IRI_STR("_sample"));
    return iri_names_claim(&w->locals, name, IRI_STR("sampled"));
}

/* Of a lookup only the lanes that something reads are kept, where they are one or the first few. */
static iri_wgsl_expr keep_lanes(iri_wgsl *w, iri_id value, iri_wgsl_expr e)
{
    static const uint8_t first[4] = {0, 1, 2, 3};
    iri_wgsl_value *v = &w->values[value];
    iri_type type = iri_type_of(w->p, value);
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    if (IRI_TYPE_LANES(type) < 4)
        return e;
    for (uint8_t lane = 0; lane < 4; lane++)
        if (v->lanes_used == 1u << lane) {
            v->kept_one = (uint8_t)(lane + 1);
            return iri_wgsl_swizzled(w, e, 4, &lane, 1, scalar);
        }
    for (uint8_t count = 2; count < 4; count++)
        if ((v->lanes_used & ~((1u << count) - 1u)) == 0) {
            v->kept = count;
            return iri_wgsl_swizzled(w, e, 4, first, count, scalar);
        }
    return e;
}

/* Gives a result its expression, at once under a name or waiting for its one use. */
static void define(iri_wgsl *w, const iri_inst *in)
{
    iri_id value = in->results;
    iri_wgsl_value *v = &w->values[value];
    bool movable = iri_wgsl_is_movable(w, in);
    bool waits = v->uses == 1 && v->loop == w->loop &&
                 (movable || (w->in_tail && v->whole && v->region == w->region));
    if (v->uses == 0 && iri_wgsl_is_removable(w, in))
        return;
    iri_wgsl_expr e = iri_wgsl_operation(w, in);
    if (v->uses == 0) { /* an effect */
        line(w, e.text);
        return;
    }
    bool sample = iri_wgsl_is_lookup(in->op);
    if (sample)
        e = keep_lanes(w, value, e);
    if (waits && e.text.size <= (size_t)(v->whole ? IRI_WGSL_WHOLE : IRI_WGSL_LINE)) {
        v->expr = e;
        return;
    }
    iri_str name = sample ? sample_name(w, in) : iri_wgsl_local_name(w, iri_type_of(w->p, value));
    set_name(w, value, let(w, name, e), 0);
}

static void define_shuffle(iri_wgsl *w, const iri_inst *in)
{
    if (!w->values[in->results].shared)
        return;
    iri_type type = iri_type_of(w->p, in->results);
    iri_wgsl_expr e = iri_wgsl_operation(w, in);
    set_name(w, in->results, let(w, iri_wgsl_local_name(w, type), e), 0);
}

/* ---- locals ---- */

/* Whether a run-time index is seen to be within an array: min(x, k) is. */
static bool is_within(const iri_program *p, iri_id index, uint32_t length)
{
    const iri_inst *in = iri_def(p, index);
    if (iri_is_constant(p, index))
        return iri_constant(p, index)[0] < length;
    if (!in || in->op != IRI_OP_IMIN)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        iri_id value = iri_operands(p, in)[i];
        if (iri_is_constant(p, value) && iri_constant(p, value)[0] < length)
            return true;
    }
    return false;
}

/* The index operand of a load or store of an array's element, 0 when it has none. */
static iri_id index_of(const iri_program *p, const iri_inst *in)
{
    uint32_t at = in->op == IRI_OP_STORE_LOCAL;
    return in->operand_count > at ? iri_operands(p, in)[at] : 0;
}

/* Arrays that something is stored in at an index that may be past the end get one element more, which it
 * goes to. */
static void find_spare(iri_wgsl *w)
{
    w->spare = iri_new_array(w->arena, bool, w->p->local_count);
    for (uint32_t i = 1; i < w->p->inst_count; i++) {
        const iri_inst *in = &w->p->insts[i];
        iri_id index = in->op == IRI_OP_STORE_LOCAL ? index_of(w->p, in) : 0;
        iri_id local = index ? iri_immediates(w->p, in)[0] : 0;
        if (index && !is_within(w->p, index, w->p->locals[local].length))
            w->spare[local] = true;
    }
}

/* Whether a number is the index and lies past the end: nothing is there, and WGSL refuses to say it. */
static bool is_outside(const iri_program *p, iri_id index, uint32_t length)
{
    return index && iri_is_constant(p, index) && iri_constant(p, index)[0] >= length;
}

/* A local, or an element of an array. An index past the end is held to the last element there is; `*guard`,
 * which may be NULL, then says whether it was within. */
static iri_str element(iri_wgsl *w, const iri_inst *in, iri_str *guard)
{
    iri_id local = iri_immediates(w->p, in)[0], value = index_of(w->p, in);
    iri_str name = w->local_names[local];
    uint32_t length = w->p->locals[local].length;
    if (!value)
        return name;
    if (iri_is_constant(w->p, value)) {
        uint32_t at = is_outside(w->p, value, length) ? length : iri_constant(w->p, value)[0];
        return IRI_WGSL_JOIN(w, name, IRI_STR("["), iri_wgsl_number(w, at), IRI_STR("]"));
    }
    iri_wgsl_expr index = iri_wgsl_operand(w, value);
    if (is_within(w->p, value, length))
        return IRI_WGSL_JOIN(w, name, IRI_STR("["), index.text, IRI_STR("]"));
    if (guard)
        *guard = IRI_WGSL_JOIN(w, iri_wgsl_open(index, IRI_LEVEL_SHIFT), index.text,
                               iri_wgsl_close(index, IRI_LEVEL_SHIFT), IRI_STR(" < "),
                               iri_wgsl_number(w, length), IRI_STR("u"));
    return IRI_WGSL_JOIN(w, name, IRI_STR("[min("), index.text, IRI_STR(", "),
                         iri_wgsl_number(w, w->spare[local] ? length : length - 1), IRI_STR("u)]"));
}

static void load_local(iri_wgsl *w, const iri_inst *in)
{
    const uint32_t *immediates = iri_immediates(w->p, in);
    iri_type type = w->p->locals[immediates[0]].type;
    uint8_t lanes[4];
    uint32_t count = IRI_LANES_COUNT(immediates[1]);
    if (!w->values[in->results].uses)
        return;
    for (uint32_t i = 0; i < count; i++)
        lanes[i] = (uint8_t)IRI_LANES_AT(immediates[1], i);
    iri_str guard = {NULL, 0};
    iri_wgsl_expr e;
    if (is_outside(w->p, index_of(w->p, in), w->p->locals[immediates[0]].length))
        e = iri_wgsl_zero(w, type);
    else
        e = (iri_wgsl_expr){.text = element(w, in, &guard), .level = IRI_LEVEL_POSTFIX};
    if (guard.size)
        e.text = IRI_WGSL_JOIN(w, IRI_STR("select("), iri_wgsl_zero(w, type).text, IRI_STR(", "),
                               e.text, IRI_STR(", "), guard, IRI_STR(")"));
    e = iri_wgsl_swizzled(w, e, IRI_TYPE_LANES(type), lanes, count, IRI_TYPE_SCALAR(type));
    iri_str name = iri_wgsl_local_name(w, iri_type_of(w->p, in->results));
    set_name(w, in->results, let(w, name, e), 0);
}

/* WGSL assigns a whole variable or one lane of it. */
static void store_local(iri_wgsl *w, const iri_inst *in)
{
    const uint32_t *immediates = iri_immediates(w->p, in);
    iri_id value = iri_operands(w->p, in)[0];
    uint32_t lanes = IRI_TYPE_LANES(w->p->locals[immediates[0]].type);
    uint32_t count = IRI_LANES_COUNT(immediates[1]);
    iri_str to = element(w, in, NULL);
    if (count == lanes) {
        iri_stmt_add(w, IRI_STMT_ASSIGN, to, iri_wgsl_operand(w, value).text);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        iri_str lane = {&"xyzw"[IRI_LANES_AT(immediates[1], i)], 1};
        iri_wgsl_lane from = iri_wgsl_from(w, value, i);
        iri_str part = iri_wgsl_lanes(w, &from, 1).text;
        if (w->origins)
            iri_wgsl_origin_lane(w, value, i);
        iri_stmt_add(w, IRI_STMT_ASSIGN, IRI_WGSL_JOIN(w, to, IRI_STR("."), lane), part);
    }
}

/* ---- outputs ---- */

static void give_output(iri_wgsl *w, const iri_inst *in)
{
    const uint32_t *immediates = iri_immediates(w->p, in);
    iri_id value = iri_operands(w->p, in)[0];
    if (w->origins)
        iri_wgsl_origin_give(w, in);
    for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[1]); i++)
        w->outputs[immediates[0]][IRI_LANES_AT(immediates[1], i)] = iri_wgsl_from(w, value, i);
}

/* An output as the entry point declares it: lanes never given are zero. */
static iri_wgsl_expr output_value(iri_wgsl *w, const iri_entry_value *out)
{
    iri_wgsl_lane lanes[4];
    iri_wgsl_expr parts[4];
    iri_scalar scalar = IRI_TYPE_SCALAR(out->type);
    uint32_t count = IRI_TYPE_LANES(out->type), have = 0, given = 0;
    if (out->element != UINT32_MAX)
        have = IRI_TYPE_LANES(w->p->interface.outputs[out->element].type);
    if (w->origins)
        iri_wgsl_origin_output(w, out->element, 0, count < have ? count : have);
    if (out->element == UINT32_MAX)
        return iri_wgsl_zero(w, out->type);
    for (uint32_t i = 0; i < count; i++) {
        lanes[i] = i < have ? w->outputs[out->element][i] : (iri_wgsl_lane){0, 0};
        given += lanes[i].value != 0;
    }
    if (given == 0)
        return iri_wgsl_zero(w, out->type);
    uint32_t n = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t run = 1;
        while (lanes[i].value && i + run < count && lanes[i + run].value)
            run++;
        parts[n++] = lanes[i].value ? iri_wgsl_lanes(w, &lanes[i], run)
                                    : iri_wgsl_zero(w, IRI_TYPE(scalar, run));
        i += run;
    }
    return n == 1 ? parts[0] : iri_wgsl_call(w, iri_wgsl_type(w, out->type), parts, n);
}

static void assign_clip_distances(iri_wgsl *w, iri_str out, iri_str member)
{
    const iri_interface *io = &w->p->interface;
    for (uint32_t i = 0; i < io->output_count; i++) {
        if (io->outputs[i].system_value != IRI_SV_CLIP_DISTANCE)
            continue;
        for (uint32_t lane = 0; lane < IRI_TYPE_LANES(io->outputs[i].type); lane++) {
            if (!w->outputs[i][lane].value)
                continue;
            if (w->origins)
                iri_wgsl_origin_output(w, i, lane, 1);
            iri_str number = iri_wgsl_number(w, w->io.clip_at[i] + lane);
            iri_str to =
                IRI_WGSL_JOIN(w, out, IRI_STR("."), member, IRI_STR("["), number, IRI_STR("]"));
            iri_stmt_add(w, IRI_STMT_ASSIGN, to, iri_wgsl_lanes(w, &w->outputs[i][lane], 1).text);
        }
    }
}

static void return_outputs(iri_wgsl *w)
{
    if (w->io.output_count == 0) {
        iri_stmt_add(w, IRI_STMT_RETURN, IRI_STR_NONE, IRI_STR_NONE);
        return;
    }
    if (w->io.output_count == 1 && !w->io.outputs[0].array) {
        iri_wgsl_expr e = output_value(w, &w->io.outputs[0]);
        iri_stmt_add(w, IRI_STMT_RETURN, IRI_STR_NONE, iri_wgsl_call(w, w->out_struct, &e, 1).text);
        return;
    }
    iri_str out = iri_names_claim(&w->locals, IRI_STR("out"), IRI_STR("out"));
    iri_stmt_add(w, IRI_STMT_DECLARE, out, w->out_struct);
    for (uint32_t k = 0; k < w->io.output_count; k++) {
        const iri_entry_value *value = &w->io.outputs[k];
        if (value->array)
            assign_clip_distances(w, out, w->output_names[k]);
        else
            iri_stmt_add(w, IRI_STMT_ASSIGN,
                         IRI_WGSL_JOIN(w, out, IRI_STR("."), w->output_names[k]),
                         output_value(w, value).text);
    }
    if (w->origins)
        iri_wgsl_origin_value(w, 0);
    iri_stmt_add(w, IRI_STMT_RETURN, IRI_STR_NONE, out);
}

static void emit_return(iri_wgsl *w, const iri_inst *in)
{
    if (w->function == w->p->entry) {
        return_outputs(w);
        memset(w->outputs, 0, w->p->interface.output_count * sizeof *w->outputs);
        return;
    }
    iri_wgsl_expr *e = iri_new_array(w->arena, iri_wgsl_expr, in->operand_count);
    for (uint32_t i = 0; i < in->operand_count; i++)
        e[i] = iri_wgsl_operand(w, iri_operands(w->p, in)[i]);
    iri_str text = IRI_STR_NONE;
    if (in->operand_count == 1)
        text = e[0].text;
    else if (in->operand_count > 1)
        text = iri_wgsl_call(w, w->functions[w->function].result, e, in->operand_count).text;
    iri_stmt_add(w, IRI_STMT_RETURN, IRI_STR_NONE, text);
}

/* ---- edges ---- */

/* Assigns `values` to `names` as if at once. `vars` are the names' numbers where a waiting expression
 * may read them; a name that is none needs no assignment. */
static void assign_all(iri_wgsl *w, const iri_id *values, const iri_str *names,
                       const uint32_t *vars, uint32_t count)
{
    iri_wgsl_expr *e = iri_new_array(w->arena, iri_wgsl_expr, count);
    uint64_t changed = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!names[i].at)
            continue;
        e[i] = iri_wgsl_operand(w, values[i]);
        if (w->origins)
            iri_wgsl_origin_value(w, values[i]);
        bool same = iri_str_same(e[i].text, names[i]);
        if (!same && (e[i].vars & changed))
            e[i].text = let(w, iri_wgsl_local_name(w, iri_type_of(w->p, values[i])), e[i]);
        if (!same && vars)
            changed |= UINT64_C(1) << vars[i] % 64;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!names[i].at || iri_str_same(e[i].text, names[i]))
            continue;
        if (w->origins)
            iri_wgsl_origin_value(w, values[i]);
        iri_stmt_add(w, IRI_STMT_ASSIGN, names[i], e[i].text);
    }
}

static iri_wgsl_frame *find_frame(iri_wgsl *w, uint32_t label, const iri_inst *in, bool loops)
{
    iri_wgsl_frame *f = w->frame;
    while (f && !(f->label == label && label)) {
        /* WGSL's `break` leaves the innermost loop or switch, `continue` goes on with the innermost loop. */
        if (loops ? f->in->op == IRI_OP_LOOP : f->breakable)
            broken(w, in, "leaves more than one level; break_flags should have run");
        f = (iri_wgsl_frame *)f->outer;
    }
    if (!f)
        broken(w, in, "has no such label around it");
    return f;
}

static void emit_edge(iri_wgsl *w, const iri_inst *in, bool last)
{
    const iri_id *values = iri_operands(w->p, in);
    if (in->op == IRI_OP_YIELD) {
        if (w->frame)
            assign_all(w, values, w->frame->results, NULL, in->operand_count);
        return;
    }
    iri_wgsl_frame *f = find_frame(w, iri_immediates(w->p, in)[0], in, in->op == IRI_OP_CONTINUE);
    if (in->op == IRI_OP_BREAK) {
        assign_all(w, values, f->results, NULL, in->operand_count);
        /* The end of a case leaves the switch by itself. */
        if (w->origins)
            iri_wgsl_origin_value(w, 0);
        if (f != w->frame || f->in->op == IRI_OP_LOOP)
            iri_stmt_add(w, IRI_STMT_BREAK, IRI_STR_NONE, IRI_STR_NONE);
    } else {
        assign_all(w, values, f->parameters, f->parameter_vars, in->operand_count);
        if (w->origins)
            iri_wgsl_origin_value(w, 0);
        if (!last)
            iri_stmt_add(w, IRI_STMT_CONTINUE, IRI_STR_NONE, IRI_STR_NONE);
    }
}

/* ---- regions ---- */

/* Where the results of an op go that ends a region and is passed on by its terminator only: into the
 * `var`s that the terminator would assign. None: new ones. */
static iri_str passed_on(iri_wgsl *w, iri_id result)
{
    const iri_wgsl_value *v = &w->values[result];
    if (v->uses != 1 || !w->frame)
        return IRI_STR_NONE;
    const iri_inst *end = iri_terminator(w->p, v->region);
    const iri_inst *def = iri_def(w->p, result);
    bool here = false;
    if (!end || end->op == IRI_OP_CONTINUE || end->op == IRI_OP_RETURN)
        return IRI_STR_NONE;
    const iri_region *r = &w->p->regions[v->region];
    here = r->count >= 2 && &w->p->insts[w->p->order[r->first + r->count - 2]] == def;
    for (uint32_t i = 0; here && i < end->operand_count; i++) {
        if (iri_operands(w->p, end)[i] != result)
            continue;
        if (end->op == IRI_OP_YIELD)
            return w->frame->results[i];
        if (end->op == IRI_OP_BREAK)
            return find_frame(w, iri_immediates(w->p, end)[0], end, false)->results[i];
    }
    return IRI_STR_NONE;
}

/* Makes or finds a `var` for each result; those that are given get no declaration. */
static void declare_results(iri_wgsl *w, const iri_inst *in, iri_wgsl_frame *f,
                            const iri_id *initial)
{
    f->results = iri_new_array(w->arena, iri_str, in->result_count);
    for (uint32_t i = 0; i < in->result_count; i++) {
        iri_id result = in->results + i;
        iri_type type = iri_type_of(w->p, result);
        iri_str name = passed_on(w, result);
        bool is_new = !name.at;
        if (is_new)
            name = iri_wgsl_local_name(w, type);
        f->results[i] = name;
        if (w->origins && initial)
            iri_wgsl_origin_value(w, initial[i]);
        if (initial)
            iri_stmt_add(w, is_new ? IRI_STMT_VAR : IRI_STMT_ASSIGN, name,
                         iri_wgsl_operand(w, initial[i]).text);
        else if (is_new)
            iri_stmt_add(w, IRI_STMT_DECLARE, name, iri_wgsl_type(w, type));
        set_name(w, result, name, 0);
    }
}

static void enter(iri_wgsl *w, const iri_inst *in, uint32_t braces)
{
    w->braces += braces;
    if (w->braces > IRI_WGSL_BRACES)
        iri_fail(w->ctx, IRI_CAPABILITY, in->offset,
                 "more than %d statements inside each other, which WGSL allows", IRI_WGSL_BRACES);
}

/* Whether a region does nothing but yield. */
static const iri_inst *only_yields(const iri_program *p, iri_id region)
{
    const iri_inst *end = iri_terminator(p, region);
    return p->regions[region].count == 1 && end->op == IRI_OP_YIELD ? end : NULL;
}

static void emit_if(iri_wgsl *w, const iri_inst *in)
{
    const iri_id *regions = iri_regions(w->p, in);
    iri_id condition = iri_operands(w->p, in)[0];
    iri_wgsl_expr e = iri_wgsl_operand(w, condition);
    iri_wgsl_frame frame = {.in = in, .outer = w->frame};
    /* An arm that only gives values gives them before, where it is the only one that can be so said. */
    const iri_inst *initial = in->result_count ? only_yields(w->p, regions[1]) : NULL;
    if (in->result_count && only_yields(w->p, regions[0]))
        initial = NULL;
    declare_results(w, in, &frame, initial ? iri_operands(w->p, initial) : NULL);
    enter(w, in, 1);
    if (w->origins)
        iri_wgsl_origin_inst(w, in);
    iri_stmt *s = iri_stmt_add(w, IRI_STMT_IF, IRI_STR_NONE, e.text);
    s->level = e.level;
    s->opposite = iri_wgsl_opposite(w, condition);
    w->frame = &frame;
    emit_region(w, regions[0], &s->body);
    if (!initial)
        emit_region(w, regions[1], &s->other);
    w->frame = (iri_wgsl_frame *)frame.outer;
    w->braces--;
}

/* Which value each way out of a loop gives for a result, where it is one and the same and its lanes are
 * those of parameters or constants: then it is said by those where the result is used, since the
 * parameters' `var`s keep what they held. */
typedef struct breaks {
    iri_wgsl *w;
    uint32_t label;
    iri_id parameters;
    uint32_t parameter_count;
    iri_id *same; /* by result: the value; 0 none; UINT32_MAX not yet known */
    bool leaves;  /* some way out exists: a break or a return */
} breaks;

static bool outlives(const breaks *b, iri_id value)
{
    const iri_program *p = b->w->p;
    for (uint32_t i = 0; i < IRI_TYPE_LANES(iri_type_of(p, value)); i++) {
        iri_id base = iri_wgsl_from(b->w, value, i).value;
        bool parameter = base >= b->parameters && base < b->parameters + b->parameter_count;
        if (!parameter && !iri_is_constant(p, base))
            return false;
    }
    return true;
}

static void look_at_break(const iri_program *p, iri_id inst, void *argument)
{
    breaks *b = argument;
    const iri_inst *in = &p->insts[inst];
    b->leaves = b->leaves || in->op == IRI_OP_RETURN;
    if (in->op != IRI_OP_BREAK || iri_immediates(p, in)[0] != b->label)
        return;
    b->leaves = true;
    for (uint32_t i = 0; i < in->operand_count; i++) {
        iri_id v = iri_operands(p, in)[i];
        if (b->same[i] == UINT32_MAX)
            b->same[i] = outlives(b, v) ? v : 0;
        else if (b->same[i] != v)
            b->same[i] = 0;
    }
}

static void emit_loop(iri_wgsl *w, const iri_inst *in)
{
    const iri_program *p = w->p;
    iri_id body = iri_regions(p, in)[0], outer_loop = w->loop;
    const iri_region *r = &p->regions[body];
    iri_wgsl_frame frame = {
        .in = in, .outer = w->frame, .label = iri_immediates(p, in)[0], .breakable = true};
    breaks b = {w,
                frame.label,
                r->parameters,
                r->parameter_count,
                iri_new_array(w->arena, iri_id, in->result_count),
                false};
    memset(b.same, 0xff, in->result_count * sizeof *b.same);
    iri_walk(p, body, look_at_break, &b);
    if (!b.leaves)
        iri_fail(w->ctx, IRI_UNWRITABLE, in->offset,
                 "a loop without a way out, which WGSL refuses");
    frame.parameters = iri_new_array(w->arena, iri_str, r->parameter_count);
    frame.parameter_vars = iri_new_array(w->arena, uint32_t, r->parameter_count);
    frame.results = iri_new_array(w->arena, iri_str, in->result_count);
    for (uint32_t i = 0; i < r->parameter_count; i++) {
        iri_type type = iri_type_of(p, r->parameters + i);
        iri_str name = iri_wgsl_local_name(w, type);
        iri_wgsl_expr e = iri_wgsl_operand(w, iri_operands(p, in)[i]);
        if (w->origins)
            iri_wgsl_origin_value(w, iri_operands(p, in)[i]);
        iri_stmt_add(w, IRI_STMT_VAR, name, e.text);
        frame.parameters[i] = name;
        frame.parameter_vars[i] = w->var_count++;
        set_name(w, r->parameters + i, name, UINT64_C(1) << frame.parameter_vars[i] % 64);
    }
    for (uint32_t i = 0; i < in->result_count; i++) {
        if (b.same[i] == UINT32_MAX || b.same[i])
            continue;
        iri_str name = passed_on(w, in->results + i);
        if (!name.at) {
            iri_type type = iri_type_of(p, in->results + i);
            name = iri_wgsl_local_name(w, type);
            iri_stmt_add(w, IRI_STMT_DECLARE, name, iri_wgsl_type(w, type));
        }
        frame.results[i] = name;
    }
    enter(w, in, 1);
    iri_stmt *s = iri_stmt_add(w, IRI_STMT_LOOP, IRI_STR_NONE, IRI_STR_NONE);
    w->frame = &frame;
    w->loop = body;
    emit_region(w, body, &s->body);
    w->loop = outer_loop;
    w->frame = (iri_wgsl_frame *)frame.outer;
    w->braces--;
    for (uint32_t i = 0; i < in->result_count; i++) {
        if (frame.results[i].at)
            set_name(w, in->results + i, frame.results[i], 0);
        else
            w->values[in->results + i].alias = b.same[i];
    }
}

static void emit_case(iri_wgsl *w, iri_str text, iri_id region, iri_stmt_list *cases)
{
    iri_stmt_list *outer = w->list;
    w->list = cases;
    if (w->origins)
        iri_wgsl_origin_inst(w, w->frame->in);
    iri_stmt *s = iri_stmt_add(w, IRI_STMT_CASE, IRI_STR_NONE, text);
    emit_region(w, region, &s->body);
    w->list = outer;
}

static void emit_switch(iri_wgsl *w, const iri_inst *in)
{
    const iri_program *p = w->p;
    const iri_id *regions = iri_regions(p, in);
    const uint32_t *immediates = iri_immediates(p, in);
    bool block = in->op == IRI_OP_BLOCK;
    iri_type type = block ? IRI_TYPE_I32 : iri_type_of(p, iri_operands(p, in)[0]);
    iri_wgsl_expr selector =
        block ? iri_wgsl_literal(w, IRI_I32, 0) : iri_wgsl_operand(w, iri_operands(p, in)[0]);
    iri_wgsl_frame frame = {.in = in, .outer = w->frame, .label = immediates[0], .breakable = true};
    declare_results(w, in, &frame, NULL);
    enter(w, in, 2);
    iri_stmt *s = iri_stmt_add(w, IRI_STMT_SWITCH, IRI_STR_NONE, selector.text);
    w->frame = &frame;
    for (uint32_t i = 1, at = 1; i < in->region_count; i++) {
        uint32_t count = immediates[at++];
        iri_str text = IRI_STR("case ");
        for (uint32_t k = 0; k < count; k++) {
            iri_str value = iri_wgsl_literal(w, IRI_TYPE_SCALAR(type), immediates[at++]).text;
            text = IRI_WGSL_JOIN(w, text, k ? IRI_STR(", ") : IRI_STR_NONE, value);
        }
        emit_case(w, text, regions[i], &s->body);
    }
    emit_case(w, IRI_STR("default"), regions[0], &s->body);
    w->frame = (iri_wgsl_frame *)frame.outer;
    w->braces -= 2;
}

/* ---- instructions ---- */

static void emit_call(iri_wgsl *w, const iri_inst *in)
{
    const iri_wgsl_function *f = &w->functions[iri_immediates(w->p, in)[0]];
    if (f->pure && in->result_count == 1) {
        define(w, in);
        return;
    }
    iri_wgsl_expr e = iri_wgsl_operation(w, in);
    if (in->result_count == 0) {
        line(w, e.text);
    } else if (in->result_count == 1) {
        iri_str name = iri_wgsl_local_name(w, iri_type_of(w->p, in->results));
        set_name(w, in->results, let(w, name, e), 0);
    } else {
        iri_str all = iri_names_claim(&w->locals, IRI_STR("results"), IRI_STR("results"));
        let(w, all, e);
        for (uint32_t i = 0; i < in->result_count; i++)
            set_name(w, in->results + i, IRI_WGSL_JOIN(w, all, IRI_STR("."), f->result_members[i]),
                     0);
    }
}

static void emit_demote(iri_wgsl *w, const iri_inst *in)
{
    iri_wgsl_expr e = iri_wgsl_operand(w, iri_operands(w->p, in)[0]);
    if (iri_is_constant(w->p, iri_operands(w->p, in)[0])) {
        if (iri_constant(w->p, iri_operands(w->p, in)[0])[0])
            line(w, IRI_STR("discard"));
        return;
    }
    iri_stmt *s = iri_stmt_add(w, IRI_STMT_IF, IRI_STR_NONE, e.text);
    iri_stmt_list *outer = w->list;
    s->level = e.level;
    w->list = &s->body;
    line(w, IRI_STR("discard"));
    w->list = outer;
}

static void emit_inst(iri_wgsl *w, const iri_inst *in, bool last)
{
    if (w->origins)
        iri_wgsl_origin_inst(w, in);
    switch ((iri_op)in->op) {
    case IRI_OP_INPUT:
        if (iri_wgsl_is_computed_input(w, in))
            define(w, in);
        return;
    case IRI_OP_OUTPUT: give_output(w, in); return;
    case IRI_OP_LOAD_CB:
        if (!iri_wgsl_is_static_load(w->p, in))
            define(w, in);
        return;
    case IRI_OP_LOAD_LOCAL: load_local(w, in); return;
    case IRI_OP_STORE_LOCAL: store_local(w, in); return;
    case IRI_OP_DEMOTE: emit_demote(w, in); return;
    case IRI_OP_IF: emit_if(w, in); return;
    case IRI_OP_LOOP: emit_loop(w, in); return;
    case IRI_OP_SWITCH:
    case IRI_OP_BLOCK: emit_switch(w, in); return;
    case IRI_OP_YIELD:
    case IRI_OP_BREAK:
    case IRI_OP_CONTINUE: emit_edge(w, in, last); return;
    case IRI_OP_RETURN: emit_return(w, in); return;
    case IRI_OP_UNREACHABLE: return;
    case IRI_OP_CALL: emit_call(w, in); return;
    case IRI_OP_BARRIER: iri_wgsl_barrier(w, in); return;
    default: break;
    }
    if (!in->result_count) { /* a store */
        line(w, iri_wgsl_operation(w, in).text);
        return;
    }
    if (iri_wgsl_is_shuffle(in->op))
        define_shuffle(w, in);
    else
        define(w, in);
}

/* From where on a region does nothing but compute, give outputs and end: there what uses the other
 * invocations of a quad may wait for the end too. */
static uint32_t tail_of(const iri_program *p, const iri_region *r)
{
    uint32_t i = r->count ? r->count - 1 : 0;
    while (i > 0) {
        uint32_t op = p->insts[p->order[r->first + i - 1]].op;
        if (!iri_is_pure(op) && op != IRI_OP_OUTPUT)
            break;
        i--;
    }
    return i;
}

static void emit_region(iri_wgsl *w, iri_id region, iri_stmt_list *list)
{
    iri_stmt_list *outer = w->list;
    bool loop_body = w->frame && w->frame->in->op == IRI_OP_LOOP && w->loop == region;
    const iri_region *r = &w->p->regions[region];
    iri_id outer_region = w->region;
    bool outer_tail = w->in_tail;
    uint32_t tail = tail_of(w->p, r);
    w->list = list;
    w->region = region;
    for (uint32_t i = 0; i < r->count; i++) {
        w->in_tail = i >= tail;
        emit_inst(w, &w->p->insts[w->p->order[r->first + i]], loop_body);
    }
    w->list = outer;
    w->region = outer_region;
    w->in_tail = outer_tail;
}

static void declare_locals(iri_wgsl *w, const iri_function *f)
{
    w->local_names = iri_new_array(w->arena, iri_str, w->p->local_count);
    for (uint32_t i = f->first_local; i < f->first_local + f->local_count; i++) {
        const iri_local *local = &w->p->locals[i];
        iri_str type = iri_wgsl_type(w, local->type);
        iri_str wanted = iri_str_of(local->name ? local->name : "");
        w->local_names[i] = iri_names_claim(&w->locals, wanted, IRI_STR("local"));
        if (local->length && !w->spare)
            find_spare(w);
        if (local->length)
            type = IRI_WGSL_JOIN(w, IRI_STR("array<"), type, IRI_STR(", "),
                                 iri_wgsl_number(w, local->length + w->spare[i]), IRI_STR(">"));
        iri_stmt_add(w, IRI_STMT_DECLARE, w->local_names[i], type);
    }
}

void iri_wgsl_function_body(iri_wgsl *w, iri_id function, iri_stmt_list *body)
{
    const iri_function *f = &w->p->functions[function];
    w->function = function;
    w->origin = (iri_wgsl_origin){0, 0};
    w->frame = NULL;
    w->loop = 0;
    w->braces = 1;
    w->list = body;
    declare_locals(w, f);
    emit_region(w, f->body, body);
    /* The last line of a function without a result. */
    if (body->last && body->last->kind == IRI_STMT_RETURN && !body->last->text.at) {
        iri_stmt *s = body->first;
        if (s == body->last) {
            body->first = body->last = NULL;
            return;
        }
        while (s->next != body->last)
            s = s->next;
        s->next = NULL;
        body->last = s;
    }
}
