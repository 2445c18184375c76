/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Assignments of passes and samplers, and the objects behind the directory, which say where a value comes
 * from: a shader's bytes, an expression, the name of a parameter, an element of an array.
 */
#include "read/fx/fx.h"

#include <string.h>

const iri_effect_state *iri_fx_states(iri_fx *fx, iri_cursor *at, uint32_t count)
{
    iri_fx_need(fx, at, count, 16, "states");
    iri_effect_state *states = iri_new_array(fx->arena, iri_effect_state, count);
    for (uint32_t i = 0; i < count; i++) {
        iri_effect_state *s = &states[i];
        s->offset = iri_cursor_offset(at);
        s->operation = iri_fx_word(fx, at);
        s->index = iri_fx_word(fx, at);
        s->reference = "";
        s->parameter = UINT32_MAX;
        if (s->operation >= IRI_FX_OPERATION_COUNT)
            iri_fx_fail(fx, s->offset, "%u is no state", s->operation);
        const iri_fx_operation *operation = &iri_fx_operations[s->operation];
        s->name = operation->name;
        s->class_ = operation->class_;
        s->number = operation->number;
        s->value = iri_fx_value(fx, at);
    }
    return states;
}

/* ---- objects ---- */

/* Reads an object's bytes. Number 0 is that of what needs none: the bytes belong to the record before them
 * alone. */
static iri_effect_object read_data(iri_fx *fx, iri_cursor *at, uint32_t id, uint32_t holder)
{
    iri_effect_object object = {NULL, iri_fx_word(fx, at), 0};
    if (id && id >= fx->object_count)
        iri_fx_fail(fx, holder, "object %u of %u", id, fx->object_count);
    object.offset = iri_cursor_offset(at);
    object.data = object.size ? iri_fx_bytes(fx, at, object.size) : NULL;
    if (id && fx->objects[id].data)
        iri_fx_fail(fx, holder, "object %u has bytes already", id);
    if (id)
        fx->objects[id] = object;
    return object;
}

/* What a resource record names. */
typedef struct where {
    uint32_t technique, index, element, state, offset;
} where;

static const iri_effect_state *find_state(iri_fx *fx, const iri_effect *effect, const where *w)
{
    const iri_effect_state *states;
    uint32_t count;
    if (w->technique == UINT32_MAX) {
        if (w->index >= effect->parameter_count)
            iri_fx_fail(fx, w->offset, "parameter %u of %u", w->index, effect->parameter_count);
        const iri_effect_value *v = &effect->parameters[w->index].value;
        if (w->element != UINT32_MAX && v->elements) {
            if (w->element >= v->item_count)
                iri_fx_fail(fx, w->offset, "element %u of %u of \"%s\"", w->element, v->item_count,
                            v->name);
            v = &v->items[w->element];
        }
        states = v->states;
        count = v->state_count;
    } else {
        if (w->technique >= effect->technique_count)
            iri_fx_fail(fx, w->offset, "technique %u of %u", w->technique, effect->technique_count);
        const iri_effect_technique *t = &effect->techniques[w->technique];
        if (w->index >= t->pass_count)
            iri_fx_fail(fx, w->offset, "pass %u of %u of \"%s\"", w->index, t->pass_count, t->name);
        states = t->passes[w->index].states;
        count = t->passes[w->index].state_count;
    }
    if (w->state >= count)
        iri_fx_fail(fx, w->offset, "state %u of %u", w->state, count);
    return &states[w->state];
}

static uint32_t find_parameter(const iri_effect *effect, const char *name)
{
    for (uint32_t i = 0; i < effect->parameter_count; i++)
        if (strcmp(effect->parameters[i].value.name, name) == 0)
            return i;
    return UINT32_MAX;
}

/* The text at the start of an object, NUL-terminated within `size`. */
static const char *object_text(iri_fx *fx, const iri_effect_object *object, uint32_t size)
{
    const void *end = size ? memchr(object->data, 0, size) : NULL;
    if (!end)
        iri_fx_fail(fx, object->offset, "the name of a parameter has no end");
    return iri_arena_copy_text(fx->arena, (const char *)object->data,
                               (size_t)((const uint8_t *)end - object->data));
}

/* A selector: the size of the array's name, the name, a word that is unknown, the index's expression. */
static void read_selector(iri_fx *fx, const iri_effect_object *object, iri_effect_state *s)
{
    iri_cursor in = iri_cursor_make(fx->ctx, object->data, object->size, object->offset);
    uint32_t size = iri_read_u32(&in);
    if (size > iri_cursor_left(&in) || size % 4)
        iri_fx_fail(fx, object->offset, "a selector's name of %u bytes", size);
    const iri_effect_object name = {object->data + 4, size, object->offset + 4};
    s->reference = object_text(fx, &name, size);
    iri_cursor_seek(&in, size);
    iri_read_u32(&in);
    s->expression = object->data + in.at;
    s->expression_size = iri_cursor_left(&in);
    s->expression_offset = iri_cursor_offset(&in);
}

static void read_resource(iri_fx *fx, iri_cursor *at, iri_effect *effect)
{
    where w = {.offset = iri_cursor_offset(at)};
    w.technique = iri_fx_word(fx, at);
    w.index = iri_fx_word(fx, at);
    w.element = iri_fx_word(fx, at);
    w.state = iri_fx_word(fx, at);
    uint32_t usage = iri_fx_word(fx, at);
    /* The states lie in the effect's own arena; only their reader changes them. */
    iri_effect_state *s = (iri_effect_state *)find_state(fx, effect, &w);
    bool shader =
        s->value.type == IRI_EFFECT_VERTEXSHADER || s->value.type == IRI_EFFECT_PIXELSHADER;
    const iri_effect_object data = read_data(fx, at, s->value.object, w.offset), *object = &data;
    if (usage == 0 && shader) {
        s->source = IRI_EFFECT_CONSTANT;
    } else if (usage == 0) {
        s->source = IRI_EFFECT_EXPRESSION;
        s->expression = object->data;
        s->expression_size = object->size;
        s->expression_offset = object->offset;
    } else if (usage == 1) {
        s->source = IRI_EFFECT_PARAMETER;
        s->reference = object_text(fx, object, object->size);
    } else if (usage == 2) {
        s->source = IRI_EFFECT_SELECTOR;
        read_selector(fx, object, s);
    } else {
        iri_fx_fail(fx, w.offset, "%u is no use of an object", usage);
    }
    if (*s->reference)
        s->parameter = find_parameter(effect, s->reference);
}

void iri_fx_objects(iri_fx *fx, iri_cursor *at, iri_effect *effect)
{
    uint32_t strings = iri_fx_word(fx, at), resources = iri_fx_word(fx, at);
    iri_fx_need(fx, at, strings, 8, "objects");
    for (uint32_t i = 0; i < strings; i++) {
        uint32_t offset = iri_cursor_offset(at);
        read_data(fx, at, iri_fx_word(fx, at), offset);
    }
    iri_fx_need(fx, at, resources, 24, "resources");
    for (uint32_t i = 0; i < resources; i++)
        read_resource(fx, at, effect);
}
