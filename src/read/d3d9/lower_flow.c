/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Control flow of Direct3D 9 shaders: conditionals, counted loops and subroutines as structured regions and
 * functions. A subroutine gets the register lanes it may read and gives back those it may write; which these
 * are is found by one walk over its instructions. Facts: the pages of if, loop, rep, call, callnz, ret.
 */
#include "read/d3d9/lower_internal.h"

/* Values that an edge carries at most: a loop's counters and every lane of every register. */
enum { CARRIED = 2 + 4 * IRI_L9_SLOTS };

void iri_l9_check_depth(const iri_l9 *l, const iri_d3d9_instruction *in, uint32_t depth)
{
    if (depth == IRI_L9_FRAMES)
        iri_fail(l->ctx, IRI_LIMIT_NESTING, in->offset, "more than %u levels of nesting",
                 IRI_L9_FRAMES);
}

/* ---- what a subroutine reads and writes ---- */

typedef struct analysis {
    iri_l9 *l;
    iri_l9_function *f;
    iri_l9_lanes sure; /* written on every path to this point */
    iri_l9_lanes saved[IRI_L9_FRAMES], other[IRI_L9_FRAMES];
    uint8_t ops[IRI_L9_FRAMES];
    bool has_else[IRI_L9_FRAMES];
    uint32_t depth, loops;
} analysis;

static void analyse_function(iri_l9 *l, iri_l9_function *f);

static void note_read(analysis *a, uint32_t slot, uint32_t lanes)
{
    a->f->in.at[slot] |= (uint8_t)(lanes & ~a->sure.at[slot]);
}

/* What it reads, registers and others. */
static void analyse_reads(analysis *a, const iri_d3d9_instruction *in)
{
    iri_l9_access list[IRI_L9_READS];
    for (uint32_t k = iri_l9_list_reads(a->l, in, 15, list); k-- > 0;)
        note_read(a, list[k].slot, list[k].lanes);
    for (uint32_t i = 0; i < in->count; i++) {
        const iri_d3d9_operand *o = iri_l9_operand(a->l, in, i);
        bool al = o->bank == IRI_D3D9_BANK_AL && in->op != IRI_D3D9_OP_LOOP;
        al |= o->relative && o->relative_bank == IRI_D3D9_BANK_AL;
        a->f->reads_al |= al && !a->loops;
        a->f->writes_o |= o->bank == IRI_D3D9_BANK_O;
        a->f->indexes_c |= o->relative && o->bank == IRI_D3D9_BANK_C;
    }
}

static void analyse_write(analysis *a, const iri_d3d9_instruction *in)
{
    uint8_t mask, slot = iri_l9_writes(a->l, in, &mask);
    if (slot == IRI_L9_NO_SLOT)
        return;
    a->f->out.at[slot] |= mask;
    if (in->predicate == IRI_D3D9_NONE)
        a->sure.at[slot] |= mask;
}

static void analyse_call(analysis *a, const iri_d3d9_instruction *in, bool always)
{
    iri_l9_function *callee = &a->l->functions[iri_l9_operand(a->l, in, 0)->number];
    analyse_function(a->l, callee);
    for (uint32_t slot = 0; slot < IRI_L9_SLOTS; slot++) {
        note_read(a, slot, callee->in.at[slot]);
        a->f->out.at[slot] |= callee->out.at[slot];
        if (always)
            a->sure.at[slot] |= callee->sure.at[slot];
    }
    if (callee->reads_al && !a->loops)
        a->f->reads_al = true;
    a->f->writes_o |= callee->writes_o;
}

static void analyse_open(analysis *a, const iri_d3d9_instruction *in)
{
    iri_l9_check_depth(a->l, in, a->depth);
    a->saved[a->depth] = a->sure;
    a->ops[a->depth] = in->op;
    a->has_else[a->depth++] = false;
    a->loops += in->op == IRI_D3D9_OP_LOOP;
}

static void analyse_close(analysis *a)
{
    uint32_t depth = --a->depth;
    const iri_l9_lanes *other = a->has_else[depth] ? &a->other[depth] : &a->saved[depth];
    a->loops -= a->ops[depth] == IRI_D3D9_OP_LOOP;
    for (uint32_t i = 0; i < IRI_L9_SLOTS; i++)
        a->sure.at[i] &= other->at[i];
}

static void analyse_instruction(analysis *a, const iri_d3d9_instruction *in)
{
    analyse_reads(a, in);
    switch (iri_l9_flow(in->op)) {
    case IRI_L9_FLOW_OPEN: analyse_open(a, in); break;
    case IRI_L9_FLOW_ELSE:
        a->other[a->depth - 1] = a->sure;
        a->sure = a->saved[a->depth - 1];
        a->has_else[a->depth - 1] = true;
        break;
    case IRI_L9_FLOW_CLOSE: analyse_close(a); break;
    case IRI_L9_FLOW_BREAK:
        /* What follows runs on no path, so everything is written there. */
        memset(&a->sure, 15, sizeof a->sure);
        break;
    case IRI_L9_FLOW_BREAK_IF: break;
    case IRI_L9_FLOW_NONE:
        if (in->op == IRI_D3D9_OP_CALL || in->op == IRI_D3D9_OP_CALLNZ)
            analyse_call(a, in, in->op == IRI_D3D9_OP_CALL);
        else
            analyse_write(a, in);
        break;
    }
}

static void analyse_function(iri_l9 *l, iri_l9_function *f)
{
    if (f->known)
        return;
    f->known = true; /* calls do not recurse: iri_d3d9_check */
    analysis *a = iri_new(l->scratch, analysis);
    a->l = l;
    a->f = f;
    for (uint32_t i = f->first; i < l->shader->instruction_count; i++) {
        const iri_d3d9_instruction *in = &l->shader->instructions[i];
        if (in->op == IRI_D3D9_OP_RET || in->op == IRI_D3D9_OP_LABEL)
            break;
        analyse_instruction(a, in);
    }
    f->sure = a->sure;
    /* A lane that only some paths write goes through. */
    for (uint32_t slot = 0; slot < IRI_L9_SLOTS; slot++)
        f->in.at[slot] |= (uint8_t)(f->out.at[slot] & ~f->sure.at[slot]);
}

/* ---- functions ---- */

/* Types of the lanes in `set`, a value a register; returns how many. */
static uint32_t list_types(const iri_l9_lanes *set, iri_type types[IRI_L9_SLOTS + 1])
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < IRI_L9_SLOTS; slot++)
        if (set->at[slot])
            types[count++] = iri_l9_slot_type(slot, iri_l9_count_lanes(set->at[slot]));
    return count;
}

static void declare_function(iri_l9 *l, uint32_t label)
{
    iri_l9_function *f = &l->functions[label];
    iri_type in[IRI_L9_SLOTS + 1], out[IRI_L9_SLOTS + 1];
    if (f->id)
        return;
    if (l->relative_o) /* which ones it writes is not known: all of them go through */
        for (uint32_t n = 0; n < IRI_L9_SLOTS - IRI_L9_O; n++)
            f->in.at[IRI_L9_O + n] = f->out.at[IRI_L9_O + n] = f->writes_o ? l->declared_o[n] : 0;
    uint32_t in_count = list_types(&f->in, in), out_count = list_types(&f->out, out);
    if (f->reads_al)
        in[in_count++] = IRI_TYPE_I32;
    f->id = iri_declare_function(l->b, iri_arena_printf(l->scratch, "l%u", label), in, in_count,
                                 out, out_count);
}

void iri_l9_find_functions(iri_l9 *l)
{
    if (!l->functions)
        return;
    for (uint32_t i = 0; i < l->shader->instruction_count; i++) {
        const iri_d3d9_instruction *in = &l->shader->instructions[i];
        if (in->op != IRI_D3D9_OP_CALL && in->op != IRI_D3D9_OP_CALLNZ)
            continue;
        uint32_t label = iri_l9_operand(l, in, 0)->number;
        analyse_function(l, &l->functions[label]);
        declare_function(l, label);
        l->call_writes_o |= l->relative_o && l->functions[label].writes_o;
    }
}

static void emit_call(iri_l9 *l, const iri_d3d9_instruction *in)
{
    iri_l9_function *f = &l->functions[iri_l9_operand(l, in, 0)->number];
    iri_id arguments[IRI_L9_SLOTS + 1], results[IRI_L9_SLOTS + 1];
    uint32_t count = 0, result = 0;
    for (uint32_t slot = 0; slot < IRI_L9_SLOTS; slot++) {
        if (f->in.at[slot])
            arguments[count++] = iri_l9_load(l, slot, iri_lanes_from_bits(f->in.at[slot]));
    }
    if (f->reads_al) {
        if (!l->al.value)
            iri_fail(l->ctx, IRI_MALFORMED_FLOW, in->offset,
                     "a subroutine that reads aL is called outside any loop");
        arguments[count++] = l->al.value;
    }
    iri_emit_call(l->b, f->id, arguments, count, results);
    for (uint32_t slot = 0; slot < IRI_L9_SLOTS; slot++) {
        if (!f->out.at[slot])
            continue;
        iri_l9_store(l, slot, iri_lanes_from_bits(f->out.at[slot]), results[result++]);
        l->sure.at[slot] |= f->sure.at[slot];
        l->some.at[slot] |= f->out.at[slot];
    }
}

static void lower_function(iri_l9 *l, iri_l9_function *f)
{
    iri_id parameters[IRI_L9_SLOTS + 1], results[IRI_L9_SLOTS + 1];
    uint32_t count = 0;
    memset(l->locals, 0, sizeof l->locals);
    l->v_array = l->o_array = l->def_array = 0;
    l->al = (iri_l9_counter){0};
    l->depth = 0;
    l->sure = l->some = f->in;
    l->loops = 0;
    iri_begin_declared(l->b, f->id, parameters);
    iri_set_offset(l->b, IRI_NO_OFFSET);
    if (f->indexes_c)
        iri_l9_begin_def_array(l);
    for (uint32_t slot = 0; slot < IRI_L9_SLOTS; slot++)
        if (f->in.at[slot])
            iri_l9_store(l, slot, iri_lanes_from_bits(f->in.at[slot]), parameters[count++]);
    if (f->reads_al)
        l->al.value = parameters[count];
    iri_l9_body(l, f->first, l->shader->instruction_count);
    count = 0;
    for (uint32_t slot = 0; slot < IRI_L9_SLOTS; slot++)
        if (f->out.at[slot])
            results[count++] = iri_l9_load(l, slot, iri_lanes_from_bits(f->out.at[slot]));
    iri_emit_return(l->b, results, count);
    iri_end_function(l->b);
}

void iri_l9_lower_functions(iri_l9 *l)
{
    for (uint32_t label = 0; l->functions && label < l->function_limit; label++)
        if (l->functions[label].id)
            lower_function(l, &l->functions[label]);
}

/* ---- bodies ---- */

static iri_l9_frame *open_frame(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t op)
{
    iri_l9_check_depth(l, in, l->depth);
    if (!l->frames)
        l->frames = iri_new_array(l->scratch, iri_l9_frame, IRI_L9_FRAMES);
    iri_l9_frame *frame = &l->frames[l->depth++];
    *frame = (iri_l9_frame){.op = (uint8_t)op, .before = l->sure};
    if (l->region_at) {
        iri_l9_region *region = l->region_at[in - l->shader->instructions];
        iri_variables_open(&l->variables, &region->results);
        iri_variables_open(&l->variables, &region->parameters);
        frame->region = region;
        frame->mark = iri_variables_mark(&l->variables);
    }
    return frame;
}

/* What both arms of the innermost frame have written, or what was before a loop or an if without else. */
static iri_l9_frame *close_frame(iri_l9 *l)
{
    iri_l9_frame *frame = &l->frames[--l->depth];
    const iri_l9_lanes *other = frame->has_else ? &frame->other : &frame->before;
    for (uint32_t i = 0; i < IRI_L9_SLOTS; i++)
        l->sure.at[i] &= other->at[i];
    return frame;
}

/* Registers that the edge from here carries: to a conditional's or loop's end, or to a loop's head. Returns how
 * many values. */
static uint32_t carry_results(iri_l9 *l, const iri_l9_frame *frame, iri_id *values)
{
    if (!frame->region)
        return 0;
    iri_variables_carry(&l->variables, &frame->region->results, values);
    return frame->region->results.web_count;
}

static uint32_t carry_parameters(iri_l9 *l, const iri_l9_frame *frame, iri_id *values)
{
    if (!frame->region)
        return 0;
    iri_variables_carry(&l->variables, &frame->region->parameters, values);
    return frame->region->parameters.web_count;
}

/* Ends an arm of a conditional; the registers are again what they were before it. */
static void end_arm(iri_l9 *l, const iri_l9_frame *frame)
{
    iri_id values[CARRIED] = {0};
    if (!iri_is_closed(l->b))
        iri_emit_yield(l->b, values, carry_results(l, frame, values));
    if (frame->region)
        iri_variables_take_back(&l->variables, frame->mark);
}

/* The results of what was ended hold registers from here on. */
static void end_region(iri_l9 *l, const iri_l9_frame *frame)
{
    iri_id results[CARRIED];
    if (!frame->region) {
        iri_end(l->b, NULL);
        return;
    }
    iri_variables_take_back(&l->variables, frame->mark);
    iri_end_results(l->b, results, frame->region->results.web_count);
    iri_variables_arrive(&l->variables, &frame->region->results, results);
}

static void end_if(iri_l9 *l)
{
    const iri_l9_frame *frame = close_frame(l);
    end_arm(l, frame);
    if (!frame->has_else) {
        iri_begin_else(l->b);
        end_arm(l, frame);
    }
    end_region(l, frame);
}

static void break_loop(iri_l9 *l, const iri_l9_frame *frame, iri_id condition)
{
    iri_id values[CARRIED] = {0};
    if (condition)
        iri_begin_if(l->b, condition);
    if (!iri_is_closed(l->b))
        iri_emit_break(l->b, frame->label, values, carry_results(l, frame, values));
    if (condition)
        iri_end(l->b, NULL);
}

static void begin_else(iri_l9 *l)
{
    iri_l9_frame *frame = &l->frames[l->depth - 1];
    end_arm(l, frame);
    frame->other = l->sure;
    frame->has_else = true;
    l->sure = frame->before;
    iri_begin_else(l->b);
}

/* The iterations of a loop or rep, 0 to 255. */
static iri_id iteration_count(iri_l9 *l, const iri_d3d9_operand *o)
{
    iri_id least = iri_const_i32(l->b, 0), most = iri_const_i32(l->b, 255);
    iri_id count = iri_emit2(l->b, IRI_OP_IMAX, iri_l9_read_int(l, o, 0), least);
    return iri_emit2(l->b, IRI_OP_IMIN, count, most);
}

/* Between which numbers aL stays while a loop runs, where its integers are def'd. */
static iri_l9_counter counter_of(const iri_l9 *l, const iri_d3d9_operand *o)
{
    const uint32_t *words = l->int_def[o->number];
    iri_l9_counter al = {0};
    if (!words)
        return al;
    int64_t count = (int32_t)words[0], start = (int32_t)words[1];
    count = count < 0 ? 0 : count > 255 ? 255 : count;
    int64_t last = start + (count ? count - 1 : 0) * (int32_t)words[2];
    al.low = start < last ? start : last;
    al.high = start < last ? last : start;
    al.known = al.low >= INT32_MIN && al.high <= INT32_MAX;
    return al;
}

/* The loop counts its iterations apart from aL, which may stand still or go down. */
static void begin_loop(iri_l9 *l, const iri_d3d9_instruction *in)
{
    bool counted = in->op == IRI_D3D9_OP_LOOP;
    const iri_d3d9_operand *o = iri_l9_operand(l, in, counted ? 1 : 0);
    iri_l9_frame *frame = open_frame(l, in, in->op);
    iri_id initial[CARRIED] = {iteration_count(l, o)}, parameters[CARRIED];
    uint32_t own = counted ? 2 : 1;
    if (counted) {
        initial[1] = iri_l9_read_int(l, o, 1);
        frame->step = iri_l9_read_int(l, o, 2);
    }
    l->loops++;
    uint32_t count = own + carry_parameters(l, frame, initial + own);
    frame->label = iri_begin_loop(l->b, initial, count, parameters);
    if (frame->region)
        iri_variables_arrive(&l->variables, &frame->region->parameters, parameters + own);
    frame->counter = parameters[0];
    frame->outer = l->al;
    if (counted) {
        l->al = counter_of(l, o);
        l->al.value = frame->al = parameters[1];
    }
    break_loop(l, frame, iri_emit2(l->b, IRI_OP_IEQ, frame->counter, iri_const_i32(l->b, 0)));
}

static void end_loop(iri_l9 *l)
{
    iri_l9_frame *frame = close_frame(l);
    l->loops--;
    iri_id next[CARRIED];
    uint32_t own = frame->al ? 2 : 1;
    if (!iri_is_closed(l->b)) {
        next[0] = iri_emit2(l->b, IRI_OP_ISUB, frame->counter, iri_const_i32(l->b, 1));
        if (frame->al)
            next[1] = iri_emit2(l->b, IRI_OP_IADD, frame->al, frame->step);
        iri_emit_continue(l->b, frame->label, next, own + carry_parameters(l, frame, next + own));
    }
    end_region(l, frame);
    l->al = frame->outer;
}

static void emit_break(iri_l9 *l, const iri_d3d9_instruction *in, iri_id condition)
{
    uint32_t depth = l->depth;
    while (depth && l->frames[depth - 1].op == IRI_D3D9_OP_IF)
        depth--;
    if (!depth)
        iri_fail(l->ctx, IRI_MALFORMED_FLOW, in->offset, "%s outside any loop",
                 iri_d3d9_ops[in->op].name);
    break_loop(l, &l->frames[depth - 1], condition);
}

static iri_id comparison(iri_l9 *l, const iri_d3d9_instruction *in)
{
    iri_id y = iri_l9_read_scalar(l, iri_l9_operand(l, in, 1));
    iri_id x = iri_l9_read_scalar(l, iri_l9_operand(l, in, 0));
    return iri_l9_compare(l, in->control & 7u, x, y);
}

static bool lower_flow(iri_l9 *l, const iri_d3d9_instruction *in)
{
    switch ((iri_d3d9_op)in->op) {
    case IRI_D3D9_OP_IF:
        open_frame(l, in, IRI_D3D9_OP_IF);
        iri_begin_if(l->b, iri_l9_read_bool(l, iri_l9_operand(l, in, 0)));
        return true;
    case IRI_D3D9_OP_IFC:
        open_frame(l, in, IRI_D3D9_OP_IF);
        iri_begin_if(l->b, comparison(l, in));
        return true;
    case IRI_D3D9_OP_ELSE: begin_else(l); return true;
    case IRI_D3D9_OP_ENDIF: end_if(l); return true;
    case IRI_D3D9_OP_LOOP:
    case IRI_D3D9_OP_REP: begin_loop(l, in); return true;
    case IRI_D3D9_OP_ENDLOOP:
    case IRI_D3D9_OP_ENDREP: end_loop(l); return true;
    case IRI_D3D9_OP_BREAK: emit_break(l, in, 0); return true;
    case IRI_D3D9_OP_BREAKC: emit_break(l, in, comparison(l, in)); return true;
    case IRI_D3D9_OP_BREAKP:
        emit_break(l, in, iri_l9_read_bool(l, iri_l9_operand(l, in, 0)));
        return true;
    case IRI_D3D9_OP_CALL: emit_call(l, in); return true;
    case IRI_D3D9_OP_CALLNZ:
        open_frame(l, in, IRI_D3D9_OP_IF);
        iri_begin_if(l->b, iri_l9_read_bool(l, iri_l9_operand(l, in, 1)));
        emit_call(l, in);
        end_if(l);
        return true;
    default: return false;
    }
}

static iri_id compute(iri_l9 *l, const iri_d3d9_instruction *in)
{
    bool partial = iri_l9_has_dst(in) && iri_l9_operand(l, in, 0)->modifiers & IRI_D3D9_DST_PP;
    if (partial && !(l->noted & IRI_L9_NOTE_PARTIAL)) {
        l->noted |= IRI_L9_NOTE_PARTIAL;
        iri_add_note(l->b, "partial-precision", in->offset,
                     "partial precision (_pp) is computed as f32");
    }
    iri_set_offset(l->b, in->offset);
    iri_set_relaxed(l->b, l->relaxed = partial);
    return iri_l9_is_texture(in->op) ? iri_l9_texture(l, in) : iri_l9_compute(l, in);
}

static void write_result(iri_l9 *l, const iri_d3d9_instruction *in, iri_id value)
{
    l->relaxed = iri_l9_has_dst(in) && iri_l9_operand(l, in, 0)->modifiers & IRI_D3D9_DST_PP;
    iri_set_offset(l->b, in->offset);
    iri_set_relaxed(l->b, l->relaxed);
    iri_l9_write(l, in, value);
    iri_set_relaxed(l->b, l->relaxed = false);
}

void iri_l9_body(iri_l9 *l, uint32_t first, uint32_t end)
{
    const iri_d3d9_instruction *all = l->shader->instructions;
    for (uint32_t i = first; i < end; i++) {
        const iri_d3d9_instruction *in = &all[i];
        if (in->op == IRI_D3D9_OP_RET || in->op == IRI_D3D9_OP_LABEL)
            return;
        if (iri_d3d9_ops[in->op].flags & IRI_D3D9_FLAG_DECL || in->op == IRI_D3D9_OP_NOP ||
            in->op == IRI_D3D9_OP_PHASE)
            continue;
        iri_set_offset(l->b, in->offset);
        if (lower_flow(l, in))
            continue;
        iri_id value = compute(l, in), paired = 0;
        /* Both of a co-issued pair read before either writes. */
        bool pair = i + 1 < end && all[i + 1].coissue;
        if (pair)
            paired = compute(l, in + 1);
        write_result(l, in, value);
        if (pair) {
            write_result(l, in + 1, paired);
            i++;
        }
    }
}
