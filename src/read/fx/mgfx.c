/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MonoGame's effects (MGFX), versions 2, 6 to 10 and 12: docs/formats/mgfx.md.
 */
#include "read/fx/mgfx.h"
#include "read/fx/xnb.h"

#include <string.h>

enum { NESTING = 32, PROFILE_OPENGL = 0 };

_Noreturn void iri_mgfx_fail(const iri_mgfx *m, uint32_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    iri_vfail(m->ctx, IRI_MALFORMED_EFFECT, offset, format, arguments);
}

/* ---- pieces ---- */

static uint32_t checked_count(iri_mgfx *m, bool wide, uint32_t size, const char *what)
{
    uint32_t offset = iri_cursor_offset(&m->in);
    uint32_t count = wide ? iri_read_u32(&m->in) : iri_read_u8(&m->in);
    if ((uint64_t)count * size > iri_cursor_left(&m->in))
        iri_mgfx_fail(m, offset, "%u %s in the %u bytes that are left", count, what,
                      iri_cursor_left(&m->in));
    return count;
}

uint32_t iri_mgfx_count(iri_mgfx *m, uint32_t size, const char *what)
{
    return checked_count(m, m->version >= 10, size, what);
}

uint32_t iri_mgfx_small_count(iri_mgfx *m, uint32_t size, const char *what)
{
    return checked_count(m, false, size, what);
}

/* A number below `count`, or UINT32_MAX for none, which is -1. */
static uint32_t read_index(iri_mgfx *m, bool wide, uint32_t count, const char *what)
{
    uint32_t offset = iri_cursor_offset(&m->in);
    uint32_t index = wide ? iri_read_u32(&m->in) : iri_read_u8(&m->in);
    if (index == (wide ? UINT32_MAX : 0xff))
        return UINT32_MAX;
    if (index >= count)
        iri_mgfx_fail(m, offset, "%s %u of %u", what, index, count);
    return index;
}

/* .NET's string: its size and UTF-8. */
const char *iri_mgfx_text(iri_mgfx *m)
{
    uint32_t offset = iri_cursor_offset(&m->in), size = iri_read_packed(&m->in);
    const char *text = (const char *)iri_read_bytes(&m->in, size);
    if (memchr(text, 0, size))
        iri_mgfx_fail(m, offset, "a string of %u bytes with a zero among them", size);
    return size ? iri_arena_copy_text(m->arena, text, size) : "";
}

/* ---- parameters ---- */

static const iri_effect_value *read_values(iri_mgfx *m, const char *what, uint32_t *count,
                                           unsigned depth);

static void read_numbers(iri_mgfx *m, iri_effect_value *v)
{
    v->value_offset = iri_cursor_offset(&m->in);
    v->word_count = v->rows * v->columns;
    if (v->word_count > iri_cursor_left(&m->in) / 4)
        iri_mgfx_fail(m, v->offset, "%u numbers in the %u bytes that are left", v->word_count,
                      iri_cursor_left(&m->in));
    uint32_t *words = iri_new_array(m->arena, uint32_t, v->word_count);
    for (uint32_t i = 0; i < v->word_count; i++)
        words[i] = iri_read_u32(&m->in);
    v->words = words;
}

static void read_value(iri_mgfx *m, iri_effect_value *v, const iri_effect_value **annotations,
                       uint32_t *annotation_count, unsigned depth)
{
    /* EffectParameterClass; its types are numbered as D3DX's are. A matrix fills a register a column. */
    static const uint8_t classes[] = {IRI_EFFECT_SCALAR, IRI_EFFECT_VECTOR,
                                      IRI_EFFECT_MATRIX_COLUMNS, IRI_EFFECT_OBJECT,
                                      IRI_EFFECT_STRUCT};
    v->offset = v->value_offset = iri_cursor_offset(&m->in);
    uint8_t class_ = iri_read_u8(&m->in);
    v->type = iri_read_u8(&m->in);
    if (class_ >= sizeof classes)
        iri_mgfx_fail(m, v->offset, "%u is no class of a parameter", class_);
    if (v->type > IRI_EFFECT_TEXTURECUBE)
        iri_mgfx_fail(m, v->offset + 1, "%u is no type of a parameter", v->type);
    v->class_ = classes[class_];
    v->name = iri_mgfx_text(m);
    v->semantic = iri_mgfx_text(m);
    *annotations = read_values(m, "annotations", annotation_count, depth + 1);
    uint32_t shape = iri_cursor_offset(&m->in);
    v->rows = iri_read_u8(&m->in);
    v->columns = iri_read_u8(&m->in);
    if (v->rows > 4 || v->columns > 4)
        iri_mgfx_fail(m, shape, "\"%.60s\" has %u rows and %u columns", v->name, v->rows,
                      v->columns);
    v->items = read_values(m, "elements", &v->elements, depth + 1);
    v->item_count = v->elements;
    /* Of an array of structs the members are written again, as its first elements: they are read and left. */
    uint32_t member_count;
    const iri_effect_value *members = read_values(m, "members", &member_count, depth + 1);
    if (!v->elements) {
        v->items = members;
        v->item_count = member_count;
    }
    if (!v->item_count && v->type >= IRI_EFFECT_BOOL && v->type <= IRI_EFFECT_FLOAT)
        read_numbers(m, v);
}

static uint32_t value_size(const iri_mgfx *m)
{
    return m->version >= 10 ? 18 : 9; /* of one whose texts are empty */
}

static const iri_effect_value *read_values(iri_mgfx *m, const char *what, uint32_t *count,
                                           unsigned depth)
{
    if (depth > NESTING)
        iri_fail(m->ctx, IRI_LIMIT_NESTING, iri_cursor_offset(&m->in),
                 "parameters nested deeper than %d", NESTING);
    *count = iri_mgfx_count(m, value_size(m), what);
    iri_effect_value *values = iri_new_array(m->arena, iri_effect_value, *count);
    for (uint32_t i = 0; i < *count; i++) {
        const iri_effect_value *annotations;
        uint32_t annotation_count;
        read_value(m, &values[i], &annotations, &annotation_count, depth);
    }
    return values;
}

static void read_parameters(iri_mgfx *m, iri_effect *effect)
{
    effect->parameter_count = iri_mgfx_count(m, value_size(m), "parameters");
    iri_effect_parameter *parameters =
        iri_new_array(m->arena, iri_effect_parameter, effect->parameter_count);
    for (uint32_t i = 0; i < effect->parameter_count; i++)
        read_value(m, &parameters[i].value, &parameters[i].annotations,
                   &parameters[i].annotation_count, 0);
    effect->parameters = parameters;
}

/* ---- techniques ---- */

/* A shader's number, in the slots that a pass has for stages. */
static void read_pass_shaders(iri_mgfx *m, const iri_effect *effect, iri_effect_state *states,
                              uint32_t *count, uint32_t shaders[2])
{
    static const char *const later[] = {"hull", "domain", "geometry", "compute"};
    for (int i = 0; i < 2; i++) {
        uint32_t offset = iri_cursor_offset(&m->in);
        iri_stage stage = i ? IRI_STAGE_PIXEL : IRI_STAGE_VERTEX;
        shaders[i] = read_index(m, m->version >= 10, effect->shader_count, "shader");
        if (shaders[i] == UINT32_MAX)
            continue;
        if (effect->shaders[shaders[i]].stage != stage)
            iri_mgfx_fail(m, offset, "shader %u is not of this stage", shaders[i]);
        states[(*count)++] = iri_mgfx_shader_state(stage, shaders[i] + 1, offset);
    }
    for (int i = 0; m->version >= 12 && i < 4; i++) {
        uint32_t offset = iri_cursor_offset(&m->in);
        if (read_index(m, true, effect->shader_count, "shader") != UINT32_MAX)
            iri_mgfx_fail(m, offset, "a pass with a %s shader, which is not read", later[i]);
    }
}

/* The first pass that sets a shader names it. */
static void name_shaders(iri_mgfx *m, iri_effect_shader *shaders, const uint32_t set[2],
                         const iri_effect_technique *t, uint32_t technique, uint32_t pass)
{
    for (int i = 0; i < 2; i++) {
        if (set[i] == UINT32_MAX || shaders[set[i]].technique != UINT32_MAX)
            continue;
        shaders[set[i]].technique = technique;
        shaders[set[i]].pass = pass;
        shaders[set[i]].path = iri_arena_printf(m->arena, "technique %s/pass %s/%s", t->name,
                                                t->passes[pass].name, i ? "pixel" : "vertex");
    }
}

static void read_pass(iri_mgfx *m, const iri_effect *effect, iri_effect_pass *p, uint32_t set[2])
{
    p->offset = iri_cursor_offset(&m->in);
    p->name = iri_mgfx_text(m);
    p->annotations = read_values(m, "annotations", &p->annotation_count, 0);
    iri_effect_state states[2 + 3 * IRI_MGFX_STATES_MAX];
    read_pass_shaders(m, effect, states, &p->state_count, set);
    for (int object = IRI_MGFX_BLEND; m->version > 2 && object <= IRI_MGFX_RASTER; object++)
        if (iri_read_u8(&m->in))
            p->state_count += iri_mgfx_states(m, (iri_mgfx_object)object, states + p->state_count);
    p->states = iri_mgfx_keep(m, states, p->state_count);
}

static void read_techniques(iri_mgfx *m, iri_effect *effect, iri_effect_shader *shaders)
{
    uint32_t least = m->version >= 10 ? 12 : 3;
    effect->technique_count = iri_mgfx_count(m, least - 3, "techniques");
    iri_effect_technique *techniques =
        iri_new_array(m->arena, iri_effect_technique, effect->technique_count);
    for (uint32_t i = 0; i < effect->technique_count; i++) {
        iri_effect_technique *t = &techniques[i];
        t->offset = iri_cursor_offset(&m->in);
        t->name = iri_mgfx_text(m);
        t->annotations = read_values(m, "annotations", &t->annotation_count, 0);
        t->pass_count = iri_mgfx_count(m, least, "passes");
        iri_effect_pass *passes = iri_new_array(m->arena, iri_effect_pass, t->pass_count);
        t->passes = passes;
        for (uint32_t k = 0; k < t->pass_count; k++) {
            uint32_t set[2];
            read_pass(m, effect, &passes[k], set);
            name_shaders(m, shaders, set, t, i, k);
        }
    }
    effect->techniques = techniques;
}

/* ---- the file ---- */

/* MonoGame's hash: FNV-1a with a last stir. Shifts to the right keep the sign. */
static uint32_t hash(const uint8_t *bytes, uint32_t size)
{
    uint32_t h = UINT32_C(2166136261);
    for (uint32_t i = 0; i < size; i++)
        h = (h ^ bytes[i]) * UINT32_C(16777619);
    h += h << 13;
    h ^= h >> 7 | (h & UINT32_C(0x80000000) ? UINT32_C(0xfe000000) : 0);
    h += h << 3;
    h ^= h >> 17 | (h & UINT32_C(0x80000000) ? UINT32_C(0xffff8000) : 0);
    return h + (h << 5);
}

static void read_header(iri_mgfx *m, iri_effect *effect)
{
    iri_read_u32(&m->in);
    uint32_t offset = iri_cursor_offset(&m->in);
    m->version = effect->version = iri_read_u8(&m->in);
    m->profile = effect->profile = iri_read_u8(&m->in);
    if (m->version != 2 && m->version != 12 && (m->version < 6 || m->version > 10))
        iri_fail(m->ctx, IRI_UNSUPPORTED_VERSION, offset,
                 "MGFX version %u; 2, 6 to 10 and 12 are read", m->version);
    effect->mojoshader = m->version < 12 && m->profile == PROFILE_OPENGL;
    m->named = m->version >= 8 || (m->version > 2 && m->profile == PROFILE_OPENGL);
    if (m->version == 2)
        return;
    uint32_t stored = iri_read_u32(&m->in), tail = m->version >= 10 ? 4 : 0;
    if (iri_cursor_left(&m->in) < tail)
        iri_read_bytes(&m->in, tail);
    effect->hash_differs = stored != hash(m->in.data + m->in.at, iri_cursor_left(&m->in) - tail);
    if (m->version >= 12)
        effect->mojoshader = iri_read_u8(&m->in) != 0;
}

/* Numbers that came before what they count. */
static void check_numbers(const iri_mgfx *m, const iri_effect *effect)
{
    for (uint32_t i = 0; i < effect->buffer_count; i++) {
        const iri_effect_buffer *b = &effect->buffers[i];
        for (uint32_t k = 0; k < b->field_count; k++)
            if (b->fields[k].parameter >= effect->parameter_count)
                iri_mgfx_fail(m, b->offset, "parameter %u of %u", b->fields[k].parameter,
                              effect->parameter_count);
    }
    for (uint32_t i = 0; i < effect->shader_count; i++) {
        const iri_effect_shader *s = &effect->shaders[i];
        for (uint32_t k = 0; k < s->buffer_count; k++)
            if (s->buffers[k] >= effect->buffer_count)
                iri_mgfx_fail(m, s->offset, "constant buffer %u of %u", s->buffers[k],
                              effect->buffer_count);
        for (uint32_t k = 0; k < s->sampler_count; k++)
            if (s->samplers[k].parameter != UINT32_MAX &&
                s->samplers[k].parameter >= effect->parameter_count)
                iri_mgfx_fail(m, s->samplers[k].offset, "parameter %u of %u",
                              s->samplers[k].parameter, effect->parameter_count);
    }
}

static void read_end(iri_mgfx *m)
{
    uint32_t offset = iri_cursor_offset(&m->in);
    if (m->version >= 10 && memcmp(iri_read_bytes(&m->in, 4), "MGFX", 4) != 0)
        iri_mgfx_fail(m, offset, "the effect does not end with \"MGFX\"");
    if (iri_cursor_left(&m->in))
        iri_mgfx_fail(m, iri_cursor_offset(&m->in), "%u bytes behind the effect's end",
                      iri_cursor_left(&m->in));
}

bool iri_is_mgfx(const iri_cursor *bytes)
{
    return bytes->size >= 4 && memcmp(bytes->data, "MGFX", 4) == 0;
}

void iri_mgfx_decode(iri_ctx *ctx, iri_arena *arena, const iri_cursor *bytes, iri_effect *effect)
{
    iri_mgfx m = {.ctx = ctx, .arena = arena, .in = *bytes};
    ctx->format = "mgfx";
    effect->format = IRI_EFFECT_MGFX;
    read_header(&m, effect);

    effect->buffer_count = iri_mgfx_count(&m, 3, "constant buffers");
    iri_effect_buffer *buffers = iri_new_array(arena, iri_effect_buffer, effect->buffer_count);
    for (uint32_t i = 0; i < effect->buffer_count; i++)
        iri_mgfx_buffer(&m, &buffers[i]);
    effect->buffers = buffers;

    /* Object 0 is none; a shader's number is one less than its object's. */
    effect->shader_count = iri_mgfx_count(&m, 5, "shaders");
    effect->object_count = effect->shader_count + 1;
    iri_effect_shader *shaders = iri_new_array(arena, iri_effect_shader, effect->shader_count);
    iri_effect_object *objects = iri_new_array(arena, iri_effect_object, effect->object_count);
    for (uint32_t i = 0; i < effect->shader_count; i++) {
        iri_mgfx_shader(&m, &shaders[i], &objects[i + 1]);
        shaders[i].object = i + 1;
        shaders[i].technique = shaders[i].pass = shaders[i].parameter = UINT32_MAX;
        shaders[i].path = iri_arena_printf(arena, "shader %u", i);
    }
    effect->shaders = shaders;
    effect->objects = objects;

    read_parameters(&m, effect);
    read_techniques(&m, effect, shaders);
    read_end(&m);
    check_numbers(&m, effect);
}
