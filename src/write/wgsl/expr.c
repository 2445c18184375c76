/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions: how a value is said where it is used, lanes, parentheses, names of locals.
 */
#include "write/wgsl/wgsl.h"

#include <stdio.h>
#include <string.h>

const char *iri_wgsl_printf(iri_wgsl *w, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (size < 0)
        size = 0;
    if ((size_t)size < sizeof text)
        return iri_arena_copy_text(w->arena, text, (size_t)size);
    char *long_text = iri_arena_alloc(w->arena, (size_t)size + 1, 1);
    va_start(arguments, format);
    vsnprintf(long_text, (size_t)size + 1, format, arguments);
    va_end(arguments);
    return long_text;
}

const char *iri_wgsl_at(iri_wgsl *w, iri_wgsl_expr e, iri_wgsl_level level)
{
    return e.level >= level ? e.text : iri_wgsl_printf(w, "(%s)", e.text);
}

iri_wgsl_expr iri_wgsl_call(iri_wgsl *w, const char *name, const iri_wgsl_expr *arguments,
                            uint32_t count)
{
    iri_wgsl_expr e = {.level = IRI_LEVEL_POSTFIX};
    size_t size = strlen(name) + 3;
    for (uint32_t i = 0; i < count; i++) {
        size += strlen(arguments[i].text) + 2;
        e.vars |= arguments[i].vars;
    }
    char *text = iri_arena_alloc(w->arena, size, 1), *at = text;
    at += snprintf(at, size, "%s(", name);
    for (uint32_t i = 0; i < count; i++)
        at += snprintf(at, size - (size_t)(at - text), i ? ", %s" : "%s", arguments[i].text);
    snprintf(at, size - (size_t)(at - text), ")");
    e.text = text;
    return e;
}

/* Between integers a conversion keeps the bits too, and is shorter. */
iri_wgsl_expr iri_wgsl_cast(iri_wgsl *w, iri_wgsl_expr e, iri_type from, iri_type to)
{
    const char *type = iri_wgsl_type(w, to);
    if (from == to)
        return e;
    if (IRI_TYPE_SCALAR(from) == IRI_F32 || IRI_TYPE_SCALAR(to) == IRI_F32)
        type = iri_wgsl_printf(w, "bitcast<%s>", type);
    return iri_wgsl_call(w, type, &e, 1);
}

iri_wgsl_expr iri_wgsl_swizzled(iri_wgsl *w, iri_wgsl_expr e, uint32_t of, const uint8_t *lanes,
                                uint32_t count, iri_scalar scalar)
{
    char letters[5] = {0};
    bool identity = count == of;
    if (of == 1) {
        if (count == 1)
            return e;
        return iri_wgsl_call(w, iri_wgsl_type(w, IRI_TYPE(scalar, count)), &e, 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        letters[i] = "xyzw"[lanes[i]];
        identity = identity && lanes[i] == i;
    }
    if (identity)
        return e;
    e.text = iri_wgsl_printf(w, "%s.%s", iri_wgsl_at(w, e, IRI_LEVEL_POSTFIX), letters);
    e.level = IRI_LEVEL_POSTFIX;
    return e;
}

/* Lanes of an `input` instruction's result. The fragment position's fourth lane is WGSL's 1/w and
 * Direct3D's w (NUMERICS: "WGSL's own numbers"). */
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
    bool reciprocal = false;
    for (uint32_t i = 0; i < count; i++) {
        chosen[i] = (uint8_t)IRI_LANES_AT(immediates[1], lanes[i]);
        reciprocal = reciprocal || (entry->builtin == IRI_ENTRY_POSITION && chosen[i] == 3);
    }
    if (IRI_TYPE_SCALAR(entry->type) != scalar) {
        iri_wgsl_expr converted = iri_wgsl_call(
            w, iri_wgsl_type(w, IRI_TYPE(scalar, IRI_TYPE_LANES(entry->type))), &e, 1);
        return iri_wgsl_swizzled(w, converted, of, chosen, count, scalar);
    }
    if (!reciprocal)
        return iri_wgsl_swizzled(w, e, of, chosen, count, scalar);
    iri_wgsl_expr parts[4];
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = iri_wgsl_swizzled(w, e, of, &chosen[i], 1, scalar);
        if (chosen[i] == 3)
            parts[i] = (iri_wgsl_expr){.text = iri_wgsl_printf(w, "1.0 / %s", parts[i].text),
                                       .level = IRI_LEVEL_MUL};
    }
    return count == 1 ? parts[0]
                      : iri_wgsl_call(w, iri_wgsl_type(w, IRI_TYPE(scalar, count)), parts, count);
}

/* Lanes of one value that is not a shuffle. */
static iri_wgsl_expr base_lanes(iri_wgsl *w, iri_id value, const uint8_t *lanes, uint32_t count)
{
    const iri_program *p = w->p;
    const iri_inst *in = iri_def(p, value);
    iri_type type = iri_type_of(p, value);
    if (in && in->op == IRI_OP_INPUT)
        return input_lanes(w, in, lanes, count);
    if (in && in->op == IRI_OP_LOAD_CB && iri_wgsl_is_static_load(p, in))
        return iri_wgsl_constant_place(w, in, lanes, count);
    const iri_wgsl_value *v = &w->values[value];
    if (v->alias) {
        iri_wgsl_lane mapped[4];
        for (uint32_t i = 0; i < count; i++)
            mapped[i] = w->values[v->alias].from[lanes[i]];
        return iri_wgsl_lanes(w, mapped, count);
    }
    if (!v->expr.text)
        iri_fail(w->ctx, IRI_INTERNAL, in ? in->offset : IRI_NO_OFFSET,
                 "a value is written before it is known");
    uint32_t of = v->kept_one ? 1 : v->kept ? v->kept : IRI_TYPE_LANES(type);
    return iri_wgsl_swizzled(w, v->expr, of, lanes, count, IRI_TYPE_SCALAR(type));
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
    const iri_inst *in = iri_def(w->p, value);
    uint32_t count = IRI_TYPE_LANES(iri_type_of(w->p, value));
    if (in && iri_wgsl_is_shuffle(in->op) && w->values[value].expr.text)
        return w->values[value].expr;
    return iri_wgsl_lanes(w, w->values[value].from, count);
}

iri_wgsl_expr iri_wgsl_slice(iri_wgsl *w, iri_id value, uint32_t first, uint32_t count)
{
    const iri_inst *in = iri_def(w->p, value);
    iri_type type = iri_type_of(w->p, value);
    uint8_t lanes[4];
    if (!in || !iri_wgsl_is_shuffle(in->op) || !w->values[value].expr.text)
        return iri_wgsl_lanes(w, w->values[value].from + first, count);
    for (uint32_t i = 0; i < count; i++)
        lanes[i] = (uint8_t)(first + i);
    return iri_wgsl_swizzled(w, w->values[value].expr, IRI_TYPE_LANES(type), lanes, count,
                             IRI_TYPE_SCALAR(type));
}

const char *iri_wgsl_local_name(iri_wgsl *w, iri_type type)
{
    char name[16];
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    uint32_t kind = scalar == IRI_BOOL  ? 4
                    : scalar == IRI_U32 ? 3
                    : scalar == IRI_I32 ? 2
                                        : IRI_TYPE_LANES(type) == 1;
    do {
        snprintf(name, sizeof name, "%c%u", "vfiub"[kind], (unsigned)++w->counters[kind]);
    } while (!iri_names_is_free(&w->locals, name));
    return iri_names_claim(&w->locals, name, name);
}
