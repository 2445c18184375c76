/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions: text put together, how a value is said where it is used, lanes, names of locals. Text is never measured
 * or formatted twice: a piece has its length, and a join is one allocation and as many copies as it has pieces.
 */
#include "write/wgsl/wgsl.h"

iri_str iri_wgsl_join(iri_wgsl *w, const iri_str *pieces, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += pieces[i].size;
    char *text = iri_arena_take(w->arena, size), *at = text;
    for (size_t i = 0; i < count; i++) {
        iri_copy_text(at, pieces[i].at, pieces[i].size);
        at += pieces[i].size;
    }
    return (iri_str){text, size};
}

iri_str iri_wgsl_number(iri_wgsl *w, uint64_t number)
{
    char *text = iri_arena_take(w->arena, IRI_UINT_TEXT);
    return (iri_str){text, iri_print_uint(text, number)};
}

iri_wgsl_expr iri_wgsl_call(iri_wgsl *w, iri_str name, const iri_wgsl_expr *arguments,
                            uint32_t count)
{
    iri_wgsl_expr e = {.level = IRI_LEVEL_POSTFIX};
    size_t size = name.size + 2;
    for (uint32_t i = 0; i < count; i++) {
        size += arguments[i].text.size + (i ? 2 : 0);
        e.vars |= arguments[i].vars;
    }
    char *text = iri_arena_take(w->arena, size), *at = text;
    iri_copy_text(at, name.at, name.size);
    at += name.size;
    *at++ = '(';
    for (uint32_t i = 0; i < count; i++) {
        if (i) {
            *at++ = ',';
            *at++ = ' ';
        }
        iri_copy_text(at, arguments[i].text.at, arguments[i].text.size);
        at += arguments[i].text.size;
    }
    *at = ')';
    e.text = (iri_str){text, size};
    return e;
}

/* Between integers a conversion keeps the bits too, and is shorter. */
iri_wgsl_expr iri_wgsl_cast(iri_wgsl *w, iri_wgsl_expr e, iri_type from, iri_type to)
{
    iri_str type = iri_wgsl_type(w, to);
    if (from == to)
        return e;
    if (IRI_TYPE_SCALAR(from) != IRI_F32 && IRI_TYPE_SCALAR(to) != IRI_F32)
        return iri_wgsl_call(w, type, &e, 1);
    e.text = IRI_WGSL_JOIN(w, IRI_STR("bitcast<"), type, IRI_STR(">("), e.text, IRI_STR(")"));
    e.level = IRI_LEVEL_POSTFIX;
    return e;
}

iri_wgsl_expr iri_wgsl_binary(iri_wgsl *w, iri_wgsl_expr a, iri_wgsl_level least_a, iri_str text,
                              iri_wgsl_expr b, iri_wgsl_level least_b, iri_wgsl_level level)
{
    const iri_str pieces[] = {
        iri_wgsl_open(a, least_a), a.text, iri_wgsl_close(a, least_a), text,
        iri_wgsl_open(b, least_b), b.text, iri_wgsl_close(b, least_b),
    };
    return (iri_wgsl_expr){
        .text = iri_wgsl_join(w, pieces, sizeof pieces / sizeof *pieces),
        .level = (uint8_t)level,
        .vars = a.vars | b.vars,
    };
}

iri_wgsl_expr iri_wgsl_swizzled(iri_wgsl *w, iri_wgsl_expr e, uint32_t of, const uint8_t *lanes,
                                uint32_t count, iri_scalar scalar)
{
    char letters[5] = {'.'};
    bool identity = count == of;
    if (of == 1) {
        if (count == 1)
            return e;
        return iri_wgsl_call(w, iri_wgsl_type(w, IRI_TYPE(scalar, count)), &e, 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        letters[1 + i] = "xyzw"[lanes[i]];
        identity = identity && lanes[i] == i;
    }
    if (identity)
        return e;
    const iri_str pieces[] = {iri_wgsl_open(e, IRI_LEVEL_POSTFIX),
                              e.text,
                              iri_wgsl_close(e, IRI_LEVEL_POSTFIX),
                              {letters, 1 + count}};
    e.text = iri_wgsl_join(w, pieces, sizeof pieces / sizeof *pieces);
    e.level = IRI_LEVEL_POSTFIX;
    return e;
}

/* How lanes of the fragment's position are Direct3D's: the fourth is WGSL's 1/w and Direct3D's w (NUMERICS:
 * "WGSL's own numbers"); Direct3D 9's pixels are at whole numbers, the floor of the fragment's. */
typedef enum position_lane { LANE_PLAIN, LANE_FLOOR, LANE_RECIPROCAL } position_lane;

static position_lane position_lane_of(const iri_wgsl *w, uint8_t lane)
{
    if (lane == 3)
        return LANE_RECIPROCAL;
    return lane < 2 && w->p->conventions.pixel_centre == IRI_PIXEL_CENTRE_INTEGER ? LANE_FLOOR
                                                                                  : LANE_PLAIN;
}

static iri_wgsl_expr position_lanes(iri_wgsl *w, iri_wgsl_expr e, const uint8_t *chosen,
                                    uint32_t count)
{
    static const iri_wgsl_expr one = {.text = {"1.0", 3}, .level = IRI_LEVEL_POSTFIX};
    iri_wgsl_expr parts[4];
    uint32_t part_count = 0;
    for (uint32_t i = 0; i < count;) {
        position_lane kind = position_lane_of(w, chosen[i]);
        uint32_t run = 1;
        while (i + run < count && kind != LANE_RECIPROCAL &&
               position_lane_of(w, chosen[i + run]) == kind)
            run++;
        iri_wgsl_expr part = iri_wgsl_swizzled(w, e, 4, chosen + i, run, IRI_F32);
        if (kind == LANE_FLOOR)
            part = iri_wgsl_call(w, IRI_STR("floor"), &part, 1);
        else if (kind == LANE_RECIPROCAL)
            part = iri_wgsl_binary(w, one, IRI_LEVEL_MUL, IRI_STR(" / "), part, IRI_LEVEL_UNARY,
                                   IRI_LEVEL_MUL);
        parts[part_count++] = part;
        i += run;
    }
    if (part_count == 1)
        return parts[0];
    return iri_wgsl_call(w, iri_wgsl_type(w, IRI_TYPE(IRI_F32, count)), parts, part_count);
}

bool iri_wgsl_is_computed_input(const iri_wgsl *w, const iri_inst *in)
{
    return w->p->interface.inputs[iri_immediates(w->p, in)[0]].system_value == IRI_SV_POSITION &&
           w->p->stage == IRI_STAGE_PIXEL &&
           w->p->conventions.pixel_centre == IRI_PIXEL_CENTRE_INTEGER;
}

/* Lanes of an `input` instruction's result. */
static iri_wgsl_expr input_lanes(iri_wgsl *w, const iri_inst *in, const uint8_t *lanes,
                                 uint32_t count)
{
    const uint32_t *immediates = iri_immediates(w->p, in);
    const iri_io *element = &w->p->interface.inputs[immediates[0]];
    uint32_t at = w->io.input_at[immediates[0]];
    assert(at != UINT32_MAX);
    const iri_entry_value *entry = &w->io.inputs[at];
    iri_wgsl_expr e = {.text = w->input_names[at], .level = IRI_LEVEL_POSTFIX};
    iri_scalar scalar = IRI_TYPE_SCALAR(element->type);
    uint32_t of = IRI_TYPE_LANES(entry->type);
    uint8_t chosen[4];
    for (uint32_t i = 0; i < count; i++)
        chosen[i] = (uint8_t)IRI_LANES_AT(immediates[1], lanes[i]);
    if (IRI_TYPE_SCALAR(entry->type) != scalar)
        e = iri_wgsl_call(w, iri_wgsl_type(w, IRI_TYPE(scalar, of)), &e, 1);
    else if (entry->builtin == IRI_ENTRY_POSITION)
        return position_lanes(w, e, chosen, count);
    return iri_wgsl_swizzled(w, e, of, chosen, count, scalar);
}

iri_wgsl_expr iri_wgsl_input(iri_wgsl *w, const iri_inst *in)
{
    static const uint8_t all[4] = {0, 1, 2, 3};
    return input_lanes(w, in, all, IRI_TYPE_LANES(iri_type_of(w->p, in->results)));
}

/* Lanes of one value that is not a shuffle. */
static iri_wgsl_expr base_lanes(iri_wgsl *w, iri_id value, const uint8_t *lanes, uint32_t count)
{
    const iri_program *p = w->p;
    const iri_inst *in = iri_def(p, value);
    iri_type type = iri_type_of(p, value);
    const iri_wgsl_value *v = &w->values[value];
    if (v->expr.text.at) {
        uint32_t of = v->kept_one ? 1 : v->kept ? v->kept : IRI_TYPE_LANES(type);
        return iri_wgsl_swizzled(w, v->expr, of, lanes, count, IRI_TYPE_SCALAR(type));
    }
    if (in && in->op == IRI_OP_INPUT)
        return input_lanes(w, in, lanes, count);
    if (in && in->op == IRI_OP_LOAD_CB && iri_wgsl_is_static_load(p, in))
        return iri_wgsl_constant_place(w, in, lanes, count);
    if (!v->alias)
        iri_fail(w->ctx, IRI_INTERNAL, in ? in->offset : IRI_NO_OFFSET,
                 "a value is written before it is known");
    iri_wgsl_lane mapped[4];
    for (uint32_t i = 0; i < count; i++)
        mapped[i] = iri_wgsl_from(w, v->alias, lanes[i]);
    return iri_wgsl_lanes(w, mapped, count);
}

/* A run of lanes of one value, or of constants. */
static iri_wgsl_expr part(iri_wgsl *w, const iri_wgsl_lane *lanes, uint32_t count)
{
    uint8_t chosen[4];
    uint64_t bits[4];
    if (iri_is_constant(w->p, lanes[0].value)) {
        iri_scalar scalar = IRI_TYPE_SCALAR(iri_type_of(w->p, lanes[0].value));
        for (uint32_t i = 0; i < count; i++)
            bits[i] = iri_constant(w->p, lanes[i].value)[lanes[i].lane];
        return iri_wgsl_constant(w, IRI_TYPE(scalar, count), bits);
    }
    for (uint32_t i = 0; i < count; i++)
        chosen[i] = lanes[i].lane;
    return base_lanes(w, lanes[0].value, chosen, count);
}

iri_wgsl_expr iri_wgsl_lanes(iri_wgsl *w, const iri_wgsl_lane *lanes, uint32_t count)
{
    uint8_t starts[5];
    uint32_t parts = iri_wgsl_parts(lanes, count, w->p, starts);
    iri_wgsl_expr e[4];
    for (uint32_t i = 0; i < parts; i++)
        e[i] = part(w, lanes + starts[i], (uint32_t)starts[i + 1] - starts[i]);
    if (parts == 1)
        return e[0];
    iri_scalar scalar = IRI_TYPE_SCALAR(iri_type_of(w->p, lanes[0].value));
    return iri_wgsl_call(w, iri_wgsl_type(w, IRI_TYPE(scalar, count)), e, parts);
}

iri_wgsl_expr iri_wgsl_operand(iri_wgsl *w, iri_id value)
{
    const iri_wgsl_value *v = &w->values[value];
    uint32_t count = IRI_TYPE_LANES(iri_type_of(w->p, value));
    static const uint8_t all[4] = {0, 1, 2, 3};
    if (v->from)
        return v->expr.text.at ? v->expr : iri_wgsl_lanes(w, v->from, count);
    if (iri_is_constant(w->p, value))
        return iri_wgsl_constant(w, iri_type_of(w->p, value), iri_constant(w->p, value));
    return base_lanes(w, value, all, count);
}

iri_wgsl_expr iri_wgsl_slice(iri_wgsl *w, iri_id value, uint32_t first, uint32_t count)
{
    const iri_wgsl_value *v = &w->values[value];
    iri_type type = iri_type_of(w->p, value);
    iri_wgsl_lane from[4];
    uint8_t lanes[4];
    for (uint32_t i = 0; i < count; i++) {
        from[i] = iri_wgsl_from(w, value, first + i);
        lanes[i] = (uint8_t)(first + i);
    }
    if (!v->from || !v->expr.text.at)
        return iri_wgsl_lanes(w, from, count);
    return iri_wgsl_swizzled(w, v->expr, IRI_TYPE_LANES(type), lanes, count, IRI_TYPE_SCALAR(type));
}

iri_str iri_wgsl_local_name(iri_wgsl *w, iri_type type)
{
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    char letter = scalar == IRI_BOOL          ? 'b'
                  : scalar == IRI_U32         ? 'u'
                  : scalar == IRI_I32         ? 'i'
                  : IRI_TYPE_LANES(type) == 1 ? 'f'
                                              : 'v';
    return iri_names_number(&w->locals, letter);
}
