/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types and values of effects. A type record: type, class, name, semantic, elements; then by class rows and
 * columns (a vector has them the other way round), or the number of members and their records. A value
 * stands elsewhere, without its type: numbers in words, objects as their numbers, a sampler as a count and
 * its states.
 */
#include "read/fx/fx.h"

#include "read/common/d3dx.h"

enum { NESTING = 32 };

static bool is_number(uint32_t type)
{
    return type == IRI_EFFECT_BOOL || type == IRI_EFFECT_INT || type == IRI_EFFECT_FLOAT;
}

static bool is_sampler(const iri_effect_value *v)
{
    return v->type >= IRI_EFFECT_SAMPLER && v->type <= IRI_EFFECT_SAMPLERCUBE;
}

/* One more value: hostile counts of empty structs would make them without end. */
static void count_values(iri_fx *fx, uint64_t more, uint32_t offset)
{
    if (more + fx->values > fx->heap.size)
        iri_fx_fail(fx, offset, "it describes more values than its %u bytes can hold",
                    fx->heap.size);
    fx->values += (uint32_t)more;
}

static void read_shape(iri_fx *fx, iri_cursor *at, iri_effect_value *v)
{
    bool vector = v->class_ == IRI_EFFECT_VECTOR;
    uint32_t first = iri_fx_word(fx, at), second = iri_fx_word(fx, at);
    v->rows = vector ? second : first;
    v->columns = vector ? first : second;
    if (!is_number(v->type) && v->type != IRI_EFFECT_VOID)
        iri_fx_fail(fx, v->offset, "a %s cannot be a %s", iri_d3dx_type_name(v->type),
                    iri_d3dx_class_name(v->class_));
    if (v->rows > 4 || v->columns > 4 || !v->rows || !v->columns)
        iri_fx_fail(fx, v->offset, "\"%s\" has %u rows and %u columns; 1 to 4 are possible",
                    v->name, v->rows, v->columns);
}

/* Reads the type record at `at` and all inside it; the values come later. */
static iri_effect_value read_type(iri_fx *fx, iri_cursor *at, uint32_t nesting)
{
    iri_effect_value v = {.offset = iri_cursor_offset(at)};
    if (nesting > NESTING)
        iri_fx_fail(fx, v.offset, "structs more than %d deep", NESTING);
    count_values(fx, 1, v.offset);
    uint32_t type = iri_fx_word(fx, at), class_ = iri_fx_word(fx, at);
    if (type >= IRI_EFFECT_TYPE_COUNT || class_ >= IRI_EFFECT_CLASS_COUNT)
        iri_fx_fail(fx, v.offset, "%u is no type or %u no class of a parameter", type, class_);
    v.type = (uint8_t)type;
    v.class_ = (uint8_t)class_;
    v.name = iri_fx_text(fx, at);
    v.semantic = iri_fx_text(fx, at);
    v.elements = iri_fx_word(fx, at);
    if (class_ == IRI_EFFECT_STRUCT) {
        v.item_count = iri_fx_word(fx, at);
        iri_fx_need(fx, at, v.item_count, 20, "members of a struct");
        iri_effect_value *items = iri_new_array(fx->arena, iri_effect_value, v.item_count);
        for (uint32_t i = 0; i < v.item_count; i++)
            items[i] = read_type(fx, at, nesting + 1);
        v.items = items;
    } else if (class_ != IRI_EFFECT_OBJECT) {
        read_shape(fx, at, &v);
    } else if (type < IRI_EFFECT_STRING) {
        iri_fx_fail(fx, v.offset, "a %s cannot be an object", iri_d3dx_type_name(type));
    }
    return v;
}

static void read_value(iri_fx *fx, iri_cursor *at, iri_effect_value *v);

static void read_object(iri_fx *fx, iri_cursor *at, iri_effect_value *v)
{
    if (is_sampler(v)) {
        v->state_count = iri_fx_word(fx, at);
        v->states = iri_fx_states(fx, at, v->state_count);
        return;
    }
    uint32_t offset = iri_cursor_offset(at);
    v->object = iri_fx_word(fx, at);
    if (v->object >= fx->object_count)
        iri_fx_fail(fx, offset, "\"%s\" is object %u of %u", v->name, v->object, fx->object_count);
}

/* Elements of an array of structs or objects: each a value of its own. */
static void read_elements(iri_fx *fx, iri_cursor *at, iri_effect_value *v)
{
    count_values(fx, (uint64_t)v->elements * (v->item_count + 1), v->offset);
    iri_effect_value *elements = iri_new_array(fx->arena, iri_effect_value, v->elements);
    for (uint32_t i = 0; i < v->elements; i++) {
        elements[i] = *v;
        elements[i].elements = 0;
        read_value(fx, at, &elements[i]);
    }
    v->items = elements;
    v->item_count = v->elements;
}

static void read_numbers(iri_fx *fx, iri_cursor *at, iri_effect_value *v)
{
    uint32_t count = v->elements ? v->elements : 1;
    iri_fx_need(fx, at, count, v->rows * v->columns * 4, "numbers");
    v->word_count = count * v->rows * v->columns;
    uint32_t *words = iri_new_array(fx->arena, uint32_t, v->word_count);
    for (uint32_t i = 0; i < v->word_count; i++)
        words[i] = iri_fx_word(fx, at);
    v->words = words;
}

static void read_members(iri_fx *fx, iri_cursor *at, iri_effect_value *v)
{
    /* Elements of an array share the type's records: each gets members of its own. */
    iri_effect_value *members = iri_new_array(fx->arena, iri_effect_value, v->item_count);
    for (uint32_t i = 0; i < v->item_count; i++) {
        members[i] = v->items[i];
        read_value(fx, at, &members[i]);
    }
    v->items = members;
}

static void read_value(iri_fx *fx, iri_cursor *at, iri_effect_value *v)
{
    v->value_offset = iri_cursor_offset(at);
    if (v->class_ != IRI_EFFECT_STRUCT && v->class_ != IRI_EFFECT_OBJECT)
        read_numbers(fx, at, v);
    else if (v->elements)
        read_elements(fx, at, v);
    else if (v->class_ == IRI_EFFECT_STRUCT)
        read_members(fx, at, v);
    else
        read_object(fx, at, v);
}

iri_effect_value iri_fx_value_at(iri_fx *fx, uint32_t type, uint32_t bytes, uint32_t holder)
{
    iri_cursor at = iri_fx_at(fx, type, holder);
    iri_effect_value v = read_type(fx, &at, 0);
    at = iri_fx_at(fx, bytes, holder);
    read_value(fx, &at, &v);
    return v;
}

iri_effect_value iri_fx_value(iri_fx *fx, iri_cursor *at)
{
    uint32_t holder = iri_cursor_offset(at);
    uint32_t type = iri_fx_word(fx, at), bytes = iri_fx_word(fx, at);
    return iri_fx_value_at(fx, type, bytes, holder);
}
