/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MonoGame's state objects as the Direct3D 9 states that say the same. MonoGame numbers its enumerations as XNA
 * does; the lists here give Direct3D 9's number for each (D3DBLEND, D3DCMPFUNC and so on).
 */
#include "read/fx/fx.h"
#include "read/fx/mgfx.h"

enum { D3DRS_ALPHABLENDENABLE = 27, D3DRS_SEPARATEALPHABLENDENABLE = 206 };
enum { BLEND_ONE = 2, BLEND_ZERO = 1, BLEND_ADD = 1 };

typedef enum stored { STORED_U8, STORED_U32, STORED_F32, STORED_RGBA, STORED_AGAIN } stored;

typedef enum map {
    MAP_NUMBER,
    MAP_BLEND,
    MAP_BLEND_OP,
    MAP_COMPARE,
    MAP_STENCIL,
    MAP_CULL,
    MAP_FILL,
    MAP_ADDRESS,
    MAP_MIN_FILTER,
    MAP_MAG_FILTER,
    MAP_MIP_FILTER,
    MAP_COUNT
} map;

/* No list has Direct3D's number 0: it ends the list. */
static const uint8_t maps[MAP_COUNT][14] = {
    /* One, Zero, Source and Destination colour and alpha with their inverses, factor, saturation */
    [MAP_BLEND] = {2, 1, 3, 4, 5, 6, 9, 10, 7, 8, 14, 15, 11},
    [MAP_BLEND_OP] = {1, 2, 3, 4, 5},
    /* Always, Never, Less, LessEqual, Equal, GreaterEqual, Greater, NotEqual */
    [MAP_COMPARE] = {8, 1, 2, 4, 3, 7, 5, 6},
    /* Keep, Zero, Replace, Increment, Decrement, the two with saturation, Invert */
    [MAP_STENCIL] = {1, 2, 3, 7, 8, 4, 5, 6},
    [MAP_CULL] = {1, 2, 3},
    [MAP_FILL] = {3, 2},
    /* Wrap, Clamp, Mirror, Border */
    [MAP_ADDRESS] = {1, 3, 2, 4},
    /* Linear, Point, Anisotropic, LinearMipPoint, PointMipLinear, MinLinearMagPointMipLinear,
     * MinLinearMagPointMipPoint, MinPointMagLinearMipLinear, MinPointMagLinearMipPoint */
    [MAP_MIN_FILTER] = {2, 1, 3, 2, 1, 2, 2, 1, 1},
    [MAP_MAG_FILTER] = {2, 1, 3, 2, 1, 1, 1, 2, 2},
    [MAP_MIP_FILTER] = {2, 1, 2, 1, 2, 2, 1, 2, 1},
};

typedef struct field {
    uint8_t object, stored, class_, map;
    uint16_t number;
} field;

static const field fields[] = {
#define MGFX_FIELD(object, stored, class_, number, map) \
    {IRI_MGFX_##object, STORED_##stored, IRI_EFFECT_##class_, MAP_##map, number},
#include "read/fx/mgfx_state.def"
#undef MGFX_FIELD
};

static iri_effect_state named(iri_effect_state_class class_, uint32_t number, const char *name)
{
    iri_effect_state state = {.class_ = (uint8_t)class_, .number = number, .reference = ""};
    state.parameter = UINT32_MAX;
    state.value.name = state.value.semantic = "";
    for (uint32_t i = 0; i < IRI_FX_OPERATION_COUNT; i++) {
        const iri_fx_operation *o = &iri_fx_operations[i];
        if (o->class_ == class_ && (name ? strcmp(o->name, name) == 0 : o->number == number)) {
            state.operation = i;
            state.name = o->name;
        }
    }
    return state;
}

static iri_effect_state number_state(iri_mgfx *m, const field *f, uint32_t word, uint32_t offset)
{
    iri_effect_state state = named((iri_effect_state_class)f->class_, f->number, NULL);
    uint32_t *words = iri_new(m->arena, uint32_t);
    *words = word;
    state.offset = offset;
    state.value.type = f->stored == STORED_F32 ? IRI_EFFECT_FLOAT : IRI_EFFECT_INT;
    state.value.rows = state.value.columns = 1;
    state.value.words = words;
    state.value.word_count = 1;
    state.value.offset = state.value.value_offset = offset;
    return state;
}

static uint32_t mapped(const iri_mgfx *m, map by, uint32_t number, uint32_t offset)
{
    if (by == MAP_NUMBER)
        return number;
    if (number >= sizeof maps[by] || !maps[by][number])
        iri_mgfx_fail(m, offset, "%u is no value of its enumeration", number);
    return maps[by][number];
}

static uint32_t read_stored(iri_mgfx *m, stored how, uint32_t before)
{
    switch (how) {
    case STORED_U8: return iri_read_u8(&m->in);
    case STORED_RGBA: {
        uint32_t word =
            iri_read_u32(&m->in); /* alpha last; a D3DCOLOR has it in its top byte, red next */
        return (word & 0xff00ff00) | (word & 0xff) << 16 | (word >> 16 & 0xff);
    }
    case STORED_AGAIN: return before;
    default: return iri_read_u32(&m->in);
    }
}

static uint32_t value_of(const iri_effect_state *states, uint32_t count, uint32_t number)
{
    for (uint32_t i = 0; i < count; i++)
        if (states[i].number == number)
            return states[i].value.words[0];
    return 0;
}

/* MonoGame turns blending on unless it would change nothing, and has one equation for colour and one for alpha. */
static uint32_t add_blend_switches(iri_mgfx *m, iri_effect_state *states, uint32_t count)
{
    static const uint16_t pairs[3][3] = {
        {19, 207, BLEND_ONE}, {20, 208, BLEND_ZERO}, {171, 209, BLEND_ADD}};
    bool plain = true, separate = false;
    for (int i = 0; i < 3; i++) {
        uint32_t colour = value_of(states, count, pairs[i][0]);
        uint32_t alpha = value_of(states, count, pairs[i][1]);
        plain = plain && colour == pairs[i][2] && alpha == pairs[i][2];
        separate = separate || colour != alpha;
    }
    field on = {.class_ = IRI_EFFECT_RENDER_STATE, .number = D3DRS_ALPHABLENDENABLE};
    states[count] = number_state(m, &on, !plain, states[0].offset);
    on.number = D3DRS_SEPARATEALPHABLENDENABLE;
    states[count + 1] = number_state(m, &on, separate, states[0].offset);
    return count + 2;
}

uint32_t iri_mgfx_states(iri_mgfx *m, iri_mgfx_object object, iri_effect_state *states)
{
    uint32_t count = 0, raw = 0;
    for (uint32_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const field *f = &fields[i];
        if (f->object != object)
            continue;
        uint32_t offset = iri_cursor_offset(&m->in);
        raw = read_stored(m, (stored)f->stored, raw);
        states[count++] = number_state(m, f, mapped(m, (map)f->map, raw, offset), offset);
    }
    return object == IRI_MGFX_BLEND ? add_blend_switches(m, states, count) : count;
}

iri_effect_state iri_mgfx_shader_state(iri_stage stage, uint32_t object, uint32_t offset)
{
    bool vertex = stage == IRI_STAGE_VERTEX;
    iri_effect_state state =
        named(IRI_EFFECT_SHADER_STATE, 0, vertex ? "VertexShader" : "PixelShader");
    state.offset = offset;
    state.value.class_ = IRI_EFFECT_OBJECT;
    state.value.type = vertex ? IRI_EFFECT_VERTEXSHADER : IRI_EFFECT_PIXELSHADER;
    state.value.object = object;
    state.value.offset = state.value.value_offset = offset;
    return state;
}

const iri_effect_state *iri_mgfx_keep(iri_mgfx *m, const iri_effect_state *states, uint32_t count)
{
    iri_effect_state *kept = iri_new_array(m->arena, iri_effect_state, count);
    for (uint32_t i = 0; i < count; i++)
        kept[i] = states[i];
    return kept;
}
