/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fx_2_0 effects: the wrapper, the directory of parameters, techniques and passes, and the list of the
 * shaders inside.
 */
#include "read/fx/fx.h"

#include <string.h>

/* What XNA 4 puts before an effect: a word, and where the effect begins. */
#define XNA_TAG UINT32_C(0xbcf00bcf)

_Noreturn void iri_fx_fail(const iri_fx *fx, uint32_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    iri_vfail(fx->ctx, IRI_MALFORMED_EFFECT, offset, format, arguments);
}

static void mark(iri_fx *fx, uint32_t at, uint32_t size)
{
    for (uint32_t i = at / 4; i < (at + size + 3) / 4; i++)
        iri_bitset_add(&fx->seen, i);
}

uint32_t iri_fx_word(iri_fx *fx, iri_cursor *at)
{
    uint32_t start = at->at, word = iri_read_u32(at);
    mark(fx, start, 4);
    return word;
}

const uint8_t *iri_fx_bytes(iri_fx *fx, iri_cursor *at, uint32_t size)
{
    uint32_t start = at->at;
    const uint8_t *bytes = iri_read_bytes(at, size);
    uint32_t padding = (0u - size) & 3;
    iri_read_bytes(at, padding);
    mark(fx, start, size + padding);
    return bytes;
}

iri_cursor iri_fx_at(iri_fx *fx, uint32_t offset, uint32_t holder)
{
    if (offset >= fx->heap.size || offset % 4)
        iri_fx_fail(fx, holder, "an offset of 0x%x; the 0x%x bytes have %s there", offset,
                    fx->heap.size, offset % 4 ? "no word" : "nothing");
    iri_cursor at = fx->heap;
    at.at = offset;
    return at;
}

const char *iri_fx_text(iri_fx *fx, iri_cursor *at)
{
    uint32_t holder = iri_cursor_offset(at);
    iri_cursor text = iri_fx_at(fx, iri_fx_word(fx, at), holder);
    uint32_t size = iri_fx_word(fx, &text);
    if (!size)
        return "";
    const char *bytes = (const char *)iri_fx_bytes(fx, &text, size);
    const char *end = memchr(bytes, 0, size);
    if (!end)
        iri_fx_fail(fx, holder, "a name of %u bytes has no end", size);
    return iri_arena_copy_text(fx->arena, bytes, (size_t)(end - bytes));
}

void iri_fx_need(const iri_fx *fx, const iri_cursor *at, uint32_t count, uint32_t size,
                 const char *what)
{
    if ((uint64_t)count * size > iri_cursor_left(at))
        iri_fx_fail(fx, iri_cursor_offset(at), "%u %s in the %u bytes that are left", count, what,
                    iri_cursor_left(at));
}

/* ---- the directory ---- */

static const iri_effect_value *read_annotations(iri_fx *fx, iri_cursor *at, uint32_t count)
{
    iri_fx_need(fx, at, count, 8, "annotations");
    iri_effect_value *annotations = iri_new_array(fx->arena, iri_effect_value, count);
    for (uint32_t i = 0; i < count; i++)
        annotations[i] = iri_fx_value(fx, at);
    return annotations;
}

static void read_parameter(iri_fx *fx, iri_cursor *at, iri_effect_parameter *p)
{
    uint32_t holder = iri_cursor_offset(at);
    uint32_t type = iri_fx_word(fx, at), value = iri_fx_word(fx, at);
    p->flags = iri_fx_word(fx, at);
    p->annotation_count = iri_fx_word(fx, at);
    p->value = iri_fx_value_at(fx, type, value, holder);
    p->annotations = read_annotations(fx, at, p->annotation_count);
}

static void read_pass(iri_fx *fx, iri_cursor *at, iri_effect_pass *p)
{
    p->offset = iri_cursor_offset(at);
    p->name = iri_fx_text(fx, at);
    p->annotation_count = iri_fx_word(fx, at);
    p->state_count = iri_fx_word(fx, at);
    p->annotations = read_annotations(fx, at, p->annotation_count);
    p->states = iri_fx_states(fx, at, p->state_count);
}

static void read_technique(iri_fx *fx, iri_cursor *at, iri_effect_technique *t)
{
    t->offset = iri_cursor_offset(at);
    t->name = iri_fx_text(fx, at);
    t->annotation_count = iri_fx_word(fx, at);
    t->pass_count = iri_fx_word(fx, at);
    t->annotations = read_annotations(fx, at, t->annotation_count);
    iri_fx_need(fx, at, t->pass_count, 12, "passes");
    iri_effect_pass *passes = iri_new_array(fx->arena, iri_effect_pass, t->pass_count);
    for (uint32_t i = 0; i < t->pass_count; i++)
        read_pass(fx, at, &passes[i]);
    t->passes = passes;
}

static void read_directory(iri_fx *fx, iri_cursor *at, iri_effect *effect)
{
    effect->parameter_count = iri_fx_word(fx, at);
    effect->technique_count = iri_fx_word(fx, at);
    iri_fx_word(fx, at); /* unknown */
    uint32_t holder = iri_cursor_offset(at);
    fx->object_count = iri_fx_word(fx, at);
    /* An object without bytes, such as a texture, is named by a value of a word. */
    if (fx->object_count > fx->heap.size / 4)
        iri_fx_fail(fx, holder, "%u objects in %u bytes", fx->object_count, fx->heap.size);
    fx->objects = iri_new_array(fx->arena, iri_effect_object, fx->object_count);
    effect->objects = fx->objects;
    effect->object_count = fx->object_count;

    iri_fx_need(fx, at, effect->parameter_count, 16, "parameters");
    iri_effect_parameter *parameters =
        iri_new_array(fx->arena, iri_effect_parameter, effect->parameter_count);
    for (uint32_t i = 0; i < effect->parameter_count; i++)
        read_parameter(fx, at, &parameters[i]);
    effect->parameters = parameters;

    iri_fx_need(fx, at, effect->technique_count, 12, "techniques");
    iri_effect_technique *techniques =
        iri_new_array(fx->arena, iri_effect_technique, effect->technique_count);
    for (uint32_t i = 0; i < effect->technique_count; i++)
        read_technique(fx, at, &techniques[i]);
    effect->techniques = techniques;
}

/* ---- the shaders ---- */

typedef struct listing {
    iri_fx *fx;
    IRI_VEC(iri_effect_shader) shaders;
    iri_bitset listed; /* objects */
} listing;

static bool is_shader(const iri_effect_value *v)
{
    return v->class_ == IRI_EFFECT_OBJECT &&
           (v->type == IRI_EFFECT_VERTEXSHADER || v->type == IRI_EFFECT_PIXELSHADER);
}

static void list_shader(listing *l, const iri_effect_value *v, iri_effect_shader shader)
{
    const iri_effect_object *object = &l->fx->objects[v->object];
    if (!object->data || iri_bitset_has(&l->listed, v->object))
        return;
    iri_bitset_add(&l->listed, v->object);
    shader.stage = v->type == IRI_EFFECT_VERTEXSHADER ? IRI_STAGE_VERTEX : IRI_STAGE_PIXEL;
    shader.data = object->data;
    shader.size = object->size;
    shader.offset = object->offset;
    shader.object = v->object;
    iri_push(l->fx->arena, &l->shaders, shader);
}

static void list_parameter(listing *l, const iri_effect *effect, uint32_t index)
{
    iri_arena *arena = l->fx->arena;
    const iri_effect_value *v = &effect->parameters[index].value;
    iri_effect_shader shader = {.technique = UINT32_MAX, .pass = UINT32_MAX, .parameter = index};
    if (!is_shader(v))
        return;
    if (!v->elements) {
        shader.path = iri_arena_printf(arena, "parameter %s", v->name);
        list_shader(l, v, shader);
    }
    for (uint32_t i = 0; v->elements && i < v->item_count; i++) {
        shader.path = iri_arena_printf(arena, "parameter %s[%u]", v->name, i);
        list_shader(l, &v->items[i], shader);
    }
}

static void list_pass(listing *l, const iri_effect_technique *t, uint32_t technique, uint32_t pass)
{
    const iri_effect_pass *p = &t->passes[pass];
    for (uint32_t i = 0; i < p->state_count; i++) {
        const iri_effect_value *v = &p->states[i].value;
        if (!is_shader(v) || v->elements || p->states[i].source != IRI_EFFECT_CONSTANT)
            continue;
        iri_effect_shader shader = {.technique = technique, .pass = pass, .parameter = UINT32_MAX};
        shader.path = iri_arena_printf(l->fx->arena, "technique %s/pass %s/%s", t->name, p->name,
                                       v->type == IRI_EFFECT_VERTEXSHADER ? "vertex" : "pixel");
        list_shader(l, v, shader);
    }
}

static void list_shaders(iri_fx *fx, iri_effect *effect)
{
    listing l = {.fx = fx, .listed = iri_bitset_make(fx->arena, fx->object_count)};
    for (uint32_t i = 0; i < effect->technique_count; i++)
        for (uint32_t k = 0; k < effect->techniques[i].pass_count; k++)
            list_pass(&l, &effect->techniques[i], i, k);
    for (uint32_t i = 0; i < effect->parameter_count; i++)
        list_parameter(&l, effect, i);
    effect->shaders = l.shaders.at;
    effect->shader_count = l.shaders.count;
}

/* ---- what nothing refers to ---- */

static void list_gaps(iri_fx *fx, iri_effect *effect)
{
    IRI_VEC(iri_effect_gap) gaps = {NULL, 0, 0};
    uint32_t words = (fx->heap.size + 3) / 4;
    for (uint32_t i = 0; i < words; i++) {
        if (iri_bitset_has(&fx->seen, i))
            continue;
        uint32_t first = i;
        while (i < words && !iri_bitset_has(&fx->seen, i))
            i++;
        uint32_t end = 4 * i < fx->heap.size ? 4 * i : fx->heap.size;
        iri_effect_gap gap = {fx->heap.base + 4 * first, end - 4 * first, true};
        for (uint32_t k = 4 * first; k < end; k++)
            gap.zero = gap.zero && !fx->heap.data[k];
        iri_push(fx->arena, &gaps, gap);
    }
    effect->gaps = gaps.at;
    effect->gap_count = gaps.count;
}

void iri_fx_decode(iri_ctx *ctx, iri_arena *arena, const iri_cursor *bytes, iri_effect *effect)
{
    ctx->format = "fx_2_0";
    iri_cursor whole = *bytes;
    uint32_t tag = iri_read_u32(&whole);
    if (tag == XNA_TAG) {
        uint32_t start = iri_read_u32(&whole);
        if (start < 8 || start % 4)
            iri_fail(ctx, IRI_MALFORMED_EFFECT, whole.base + 4, "an effect that begins at byte %u",
                     start);
        iri_cursor_seek(&whole, start);
        tag = iri_read_u32(&whole);
        effect->wrapper = "xna";
    }
    if (tag != IRI_FX_VERSION)
        iri_fail(ctx, IRI_UNSUPPORTED_VERSION, whole.base + whole.at - 4,
                 "0x%08x is not the version of an fx_2_0 effect, 0x%08x", tag, IRI_FX_VERSION);
    uint32_t directory = iri_read_u32(&whole), holder = iri_cursor_offset(&whole) - 4;
    iri_fx fx = {.ctx = ctx,
                 .arena = arena,
                 .heap = iri_cursor_sub(&whole, whole.at, iri_cursor_left(&whole))};
    fx.seen = iri_bitset_make(arena, (fx.heap.size + 3) / 4);
    iri_cursor at = iri_fx_at(&fx, directory, holder);
    read_directory(&fx, &at, effect);
    iri_fx_objects(&fx, &at, effect);
    list_shaders(&fx, effect);
    list_gaps(&fx, effect);
}
