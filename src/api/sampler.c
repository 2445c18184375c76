/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Direct3D 9's sampler states as samplers. Values and defaults are those of Microsoft's "D3DSAMPLERSTATETYPE
 * enumeration"; what is made of filters out of place is what Wine and DXVK make of them.
 */
#include "base/ctx.h"
#include "ir/d3d.h"
#include <string.h>

enum {
    WEBGPU_ANISOTROPY_MAX = 16
}; /* GPUSamplerDescriptor clamps to what the platform has, seldom more */

/* The states as they were set last, by their numbers. */
enum {
#define IRI_SAMPLER_STATE(id, name, number, values) +1
    STATE_COUNT = 1
#include <iridia/sampler_states.def>
#undef IRI_SAMPLER_STATE
};

static const char *const state_names[STATE_COUNT] = {
#define IRI_SAMPLER_STATE(id, name, number, values) [number] = name,
#include <iridia/sampler_states.def>
#undef IRI_SAMPLER_STATE
};

static const struct {
    const char *name, *meaning;
} notes_of[IRI_SAMPLER_NOTE_COUNT] = {
#define IRI_SAMPLER_NOTE(id, name, meaning) [IRI_SAMPLER_NOTE_##id] = {name, meaning},
#include <iridia/sampler_notes.def>
#undef IRI_SAMPLER_NOTE
};

const char *iri_sampler_state_name(uint32_t type)
{
    return type < STATE_COUNT ? state_names[type] : NULL;
}

const char *iri_sampler_note_name(iri_sampler_note note)
{
    return (uint32_t)note < IRI_SAMPLER_NOTE_COUNT ? notes_of[note].name : NULL;
}

const char *iri_sampler_note_meaning(iri_sampler_note note)
{
    return (uint32_t)note < IRI_SAMPLER_NOTE_COUNT ? notes_of[note].meaning : NULL;
}

/* Which enumeration a state's values are of; IRI_D3D_ENUM_COUNT for numbers. */
static iri_d3d_enum enum_of(uint32_t type)
{
    enum { ADDRESS = IRI_D3D_TEXTURE_ADDRESS, FILTER = IRI_D3D_TEXTURE_FILTER };
    enum { NUMBER = IRI_D3D_ENUM_COUNT, BOOL = IRI_D3D_ENUM_COUNT };
    static const uint8_t enums[STATE_COUNT] = {
#define IRI_SAMPLER_STATE(id, name, number, values) [number] = values,
#include <iridia/sampler_states.def>
#undef IRI_SAMPLER_STATE
    };
    return (iri_d3d_enum)enums[type];
}

static iri_status take(const iri_sampler_state *states, uint32_t count, uint32_t set[STATE_COUNT],
                       iri_refusal *why)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t type = states[i].type, value = states[i].value;
        if (!iri_sampler_state_name(type))
            return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "%u is no D3DSAMPLERSTATETYPE",
                              type);
        iri_d3d_enum which = enum_of(type);
        if (which != IRI_D3D_ENUM_COUNT && !iri_d3d_find(which, value))
            return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "%s: %u is no %s", state_names[type],
                              value, iri_d3d_enum_name(which));
        set[type] = value;
    }
    return IRI_OK;
}

static uint8_t address_of(uint32_t value)
{
    return (uint8_t)iri_d3d_find(IRI_D3D_TEXTURE_ADDRESS, value)->value;
}

static uint32_t filter_of(uint32_t value)
{
    return iri_d3d_find(IRI_D3D_TEXTURE_FILTER, value)->value;
}

/* The iri_mip of a filter without its flags. */
static uint8_t plain(uint32_t filter)
{
    return (uint8_t)(filter & 0xff);
}

static float unorm(uint32_t color, uint32_t shift)
{
    return (float)(color >> shift & 0xff) / 255.0f;
}

static uint32_t set_filters(iri_sampler *s, const uint32_t set[STATE_COUNT])
{
    uint32_t min = filter_of(set[IRI_SAMPLER_STATE_MINFILTER]);
    uint32_t mag = filter_of(set[IRI_SAMPLER_STATE_MAGFILTER]);
    uint32_t mip = filter_of(set[IRI_SAMPLER_STATE_MIPFILTER]);
    uint32_t most = set[IRI_SAMPLER_STATE_MAXANISOTROPY], notes = 0;
    s->min_filter = plain(min) == IRI_MIP_LINEAR ? IRI_FILTER_LINEAR : IRI_FILTER_POINT;
    s->mag_filter = plain(mag) == IRI_MIP_LINEAR ? IRI_FILTER_LINEAR : IRI_FILTER_POINT;
    s->mip_filter = plain(mip);
    if (plain(min) == IRI_MIP_NONE || plain(mag) == IRI_MIP_NONE || mip > IRI_MIP_LINEAR ||
        ((min | mag) & IRI_D3D_QUAD))
        notes |= 1u << IRI_SAMPLER_NOTE_FILTER;
    if (!((min | mag) & IRI_D3D_ANISOTROPIC) || most <= 1)
        return notes;
    s->max_anisotropy = (uint8_t)(most < UINT8_MAX ? most : UINT8_MAX);
    if (s->min_filter != IRI_FILTER_LINEAR || s->mag_filter != IRI_FILTER_LINEAR ||
        s->mip_filter != IRI_MIP_LINEAR || most > WEBGPU_ANISOTROPY_MAX)
        notes |= 1u << IRI_SAMPLER_NOTE_ANISOTROPY;
    return notes;
}

static uint32_t set_addresses(iri_sampler *s, const uint32_t set[STATE_COUNT])
{
    uint32_t notes = 0, color = set[IRI_SAMPLER_STATE_BORDERCOLOR]; /* D3DCOLOR: alpha on top */
    for (uint32_t i = 0; i < 3; i++) {
        s->address[i] = address_of(set[IRI_SAMPLER_STATE_ADDRESSU + i]);
        notes |= (uint32_t)(s->address[i] == IRI_ADDRESS_BORDER) << IRI_SAMPLER_NOTE_BORDER;
        notes |= (uint32_t)(s->address[i] == IRI_ADDRESS_MIRROR_ONCE)
                 << IRI_SAMPLER_NOTE_MIRROR_ONCE;
    }
    for (uint32_t i = 0; i < 4; i++)
        s->border[i] = unorm(color, i < 3 ? 16 - 8 * i : 24);
    return notes;
}

iri_status iri_sampler_states(const iri_sampler_state *states, uint32_t count, iri_sampler *sampler,
                              uint32_t *notes, iri_refusal *why)
{
    uint32_t set[STATE_COUNT] = {
        [IRI_SAMPLER_STATE_ADDRESSU] = 1,  [IRI_SAMPLER_STATE_ADDRESSV] = 1,
        [IRI_SAMPLER_STATE_ADDRESSW] = 1,  [IRI_SAMPLER_STATE_MAGFILTER] = 1,
        [IRI_SAMPLER_STATE_MINFILTER] = 1, [IRI_SAMPLER_STATE_MAXANISOTROPY] = 1,
    };
    if (!sampler || (!states && count))
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                          "iri_sampler_states: an argument is NULL");
    iri_status status = take(states, count, set, why);
    if (status != IRI_OK)
        return status;
    iri_sampler s = {.srgb = set[IRI_SAMPLER_STATE_SRGBTEXTURE] != 0};
    memcpy(&s.lod_bias, &set[IRI_SAMPLER_STATE_MIPMAPLODBIAS], sizeof s.lod_bias);
    uint32_t unsaid = set_filters(&s, set) | set_addresses(&s, set);
    if (s.mip_filter != IRI_MIP_NONE)
        s.min_lod = (float)set[IRI_SAMPLER_STATE_MAXMIPLEVEL];
    unsaid |= (uint32_t)(s.lod_bias != 0) << IRI_SAMPLER_NOTE_LOD_BIAS; /* NaN too */
    unsaid |= (uint32_t)s.srgb << IRI_SAMPLER_NOTE_SRGB;
    unsaid |= (uint32_t)(set[IRI_SAMPLER_STATE_ELEMENTINDEX] != 0) << IRI_SAMPLER_NOTE_ELEMENT;
    unsaid |= (uint32_t)(set[IRI_SAMPLER_STATE_DMAPOFFSET] != 0) << IRI_SAMPLER_NOTE_DMAP_OFFSET;
    *sampler = s;
    if (notes)
        *notes = unsaid;
    return IRI_OK;
}
