/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The constant buffers and shaders of an MGFX file, with their samplers and vertex attributes.
 */
#include "read/fx/mgfx.h"

#include <string.h>

enum { PROFILE_VULKAN = 80 };

/* ---- constant buffers ---- */

/* Parameters come after the buffers: `check_parameters` looks at the numbers then. */
void iri_mgfx_buffer(iri_mgfx *m, iri_effect_buffer *b)
{
    b->offset = iri_cursor_offset(&m->in);
    b->name = m->named ? iri_mgfx_text(m) : "";
    b->instance = m->version >= 12 ? iri_mgfx_text(m) : "";
    b->size = iri_read_u16(&m->in);
    if (m->version >= 12)
        iri_read_u8(&m->in); /* unknown; 0 in every file seen */
    b->field_count = iri_mgfx_count(m, m->version == 2 ? 1 : 3, "fields");
    iri_effect_field *fields = iri_new_array(m->arena, iri_effect_field, b->field_count);
    for (uint32_t i = 0; i < b->field_count; i++) {
        fields[i].parameter = m->version >= 10 ? iri_read_u32(&m->in) : iri_read_u8(&m->in);
        fields[i].offset = m->version == 2 ? UINT32_MAX : iri_read_u16(&m->in);
    }
    b->fields = fields;
}

/* ---- shaders ---- */

/* By a container's table of chunks, as far as it goes; its reader checks it. */
static bool holds_dxil(const iri_cursor *code)
{
    for (uint32_t i = 32; i + 4 <= code->size && i < 32 + 4 * 64; i += 4) {
        uint32_t at = iri_peek_u32(code, i);
        if (at >= code->size || code->size - at < 4)
            return false;
        if (memcmp(code->data + at, "DXIL", 4) == 0)
            return true;
    }
    return false;
}

static void read_code(iri_mgfx *m, iri_effect_shader *s, iri_effect_object *object)
{
    uint32_t size = m->version == 2 ? iri_read_u16(&m->in) : iri_read_u32(&m->in);
    iri_cursor code = iri_cursor_sub(&m->in, m->in.at, size);
    iri_read_bytes(&m->in, size);
    *object = (iri_effect_object){code.data, size, code.base};
    if (m->profile == PROFILE_VULKAN) {
        /* Masks of slots, then Vulkan's descriptor bindings, 24 bytes each, then the module. */
        for (int i = 0; i < 4; i++)
            iri_read_u32(&code);
        uint32_t bindings = iri_read_u32(&code);
        if (bindings > iri_cursor_left(&code) / 24)
            iri_mgfx_fail(m, iri_cursor_offset(&code) - 4,
                          "%u bindings in the %u bytes that are left", bindings,
                          iri_cursor_left(&code));
        iri_read_bytes(&code, 24 * bindings);
    }
    s->data = code.data + code.at;
    s->size = iri_cursor_left(&code);
    s->offset = iri_cursor_offset(&code);
    if (m->profile == PROFILE_VULKAN)
        s->code = IRI_EFFECT_SPIRV;
    else if (s->size >= 4 && memcmp(s->data, "DXBC", 4) == 0)
        s->code = holds_dxil(&code) ? IRI_EFFECT_DXIL : IRI_EFFECT_DXBC;
    else
        s->code = IRI_EFFECT_GLSL;
}

static void read_sampler(iri_mgfx *m, iri_effect_sampler *s)
{
    static const uint8_t types[] = {IRI_EFFECT_SAMPLER2D, IRI_EFFECT_SAMPLERCUBE,
                                    IRI_EFFECT_SAMPLER3D, IRI_EFFECT_SAMPLER1D};
    s->offset = iri_cursor_offset(&m->in);
    uint8_t type = iri_read_u8(&m->in);
    if (type >= sizeof types)
        iri_mgfx_fail(m, s->offset, "%u is no type of sampler", type);
    s->type = types[type];
    s->texture_slot = iri_read_u8(&m->in);
    s->sampler_slot = iri_read_u8(&m->in);
    s->name = "";
    s->parameter = UINT32_MAX;
    if (m->version == 2)
        return;
    if (iri_read_u8(&m->in)) {
        iri_effect_state states[IRI_MGFX_STATES_MAX];
        s->state_count = iri_mgfx_states(m, IRI_MGFX_SAMPLER, states);
        s->states = iri_mgfx_keep(m, states, s->state_count);
    }
    if (m->named)
        s->name = iri_mgfx_text(m);
    uint8_t parameter = iri_read_u8(&m->in);
    s->parameter = parameter == 0xff ? UINT32_MAX : parameter;
}

static void read_attribute(iri_mgfx *m, iri_effect_attribute *a)
{
    /* VertexElementUsage */
    static const char *const usages[] = {
        "POSITION",    "COLOR", "TEXCOORD", "NORMAL", "BINORMAL", "TANGENT",   "BLENDINDICES",
        "BLENDWEIGHT", "DEPTH", "FOG",      "PSIZE",  "SAMPLE",   "TESSFACTOR"};
    a->name = iri_mgfx_text(m);
    uint32_t offset = iri_cursor_offset(&m->in), usage = iri_read_u8(&m->in);
    if (usage >= sizeof usages / sizeof *usages)
        iri_mgfx_fail(m, offset, "%u is no use of a vertex element", usage);
    a->semantic = usages[usage];
    a->index = iri_read_u8(&m->in);
    a->location = (int16_t)iri_read_u16(&m->in);
    if (m->version >= 12)
        iri_read_u8(&m->in); /* unknown; 1 in every file seen */
}

void iri_mgfx_shader(iri_mgfx *m, iri_effect_shader *s, iri_effect_object *object)
{
    uint32_t offset = iri_cursor_offset(&m->in);
    uint32_t stage = m->version >= 12 ? iri_read_u32(&m->in) : !iri_read_u8(&m->in);
    static const uint8_t stages[] = {IRI_STAGE_VERTEX, IRI_STAGE_PIXEL};
    if (stage >= sizeof stages)
        iri_mgfx_fail(m, offset, "stage %u: only vertex (0) and pixel (1) shaders are known",
                      stage);
    s->stage = (iri_stage)stages[stage];
    read_code(m, s, object);

    s->sampler_count = iri_mgfx_small_count(m, 3, "samplers");
    iri_effect_sampler *samplers = iri_new_array(m->arena, iri_effect_sampler, s->sampler_count);
    for (uint32_t i = 0; i < s->sampler_count; i++)
        read_sampler(m, &samplers[i]);
    s->samplers = samplers;

    s->buffer_count = iri_mgfx_small_count(m, 1, "constant buffers");
    uint32_t *buffers = iri_new_array(m->arena, uint32_t, s->buffer_count);
    for (uint32_t i = 0; i < s->buffer_count; i++)
        buffers[i] = iri_read_u8(&m->in);
    s->buffers = buffers;

    if (m->named)
        s->attribute_count = iri_mgfx_small_count(m, 5, "attributes");
    iri_effect_attribute *attributes =
        iri_new_array(m->arena, iri_effect_attribute, s->attribute_count);
    for (uint32_t i = 0; i < s->attribute_count; i++)
        read_attribute(m, &attributes[i]);
    s->attributes = attributes;
    if (m->version >= 12)
        iri_read_u8(&m->in); /* unknown; 0 in every file seen */
}
