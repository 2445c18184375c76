/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/sampler.h: what a sampler is, in one vocabulary: for the executor, for manifests, and for the sampler states
 * of Direct3D 9, which are read into it.
 */
#ifndef IRIDIA_SAMPLER_H
#define IRIDIA_SAMPLER_H

#include <iridia/refusal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Their words: iri_word with IRI_WORDS_FILTER, IRI_WORDS_MIP, IRI_WORDS_ADDRESS, IRI_WORDS_COMPARE. */
typedef enum iri_filter { IRI_FILTER_POINT = 0, IRI_FILTER_LINEAR } iri_filter;
typedef enum iri_mip { IRI_MIP_NONE = 0, IRI_MIP_POINT, IRI_MIP_LINEAR } iri_mip;
typedef enum iri_address {
    IRI_ADDRESS_WRAP = 0,
    IRI_ADDRESS_MIRROR,
    IRI_ADDRESS_CLAMP,
    IRI_ADDRESS_BORDER,
    IRI_ADDRESS_MIRROR_ONCE
} iri_address;
/* The numbers are Direct3D's (D3DCMPFUNC); 0 is never, as 1. */
typedef enum iri_compare {
    IRI_COMPARE_NEVER = 1,
    IRI_COMPARE_LESS,
    IRI_COMPARE_EQUAL,
    IRI_COMPARE_LESS_EQUAL,
    IRI_COMPARE_GREATER,
    IRI_COMPARE_NOT_EQUAL,
    IRI_COMPARE_GREATER_EQUAL,
    IRI_COMPARE_ALWAYS
} iri_compare;

/* A sampler. All zero is Direct3D 9's default: point filters, no mips, wrap. */
typedef struct iri_sampler {
    uint8_t min_filter, mag_filter; /* iri_filter */
    uint8_t mip_filter;             /* iri_mip; without mips it is level 0 */
    uint8_t address[3];             /* iri_address, of u, v, w */
    uint8_t compare;                /* iri_compare: reference FUNC texel */
    bool limit_lod;                 /* whether max_lod counts */
    bool srgb;                      /* texels are decoded from sRGB before they are filtered */
    uint8_t max_anisotropy;         /* 0 and 1: none; else how many times as long as wide */
    float lod_bias, min_lod, max_lod;
    float border[4]; /* red, green, blue, alpha */
} iri_sampler;

/* D3DSAMPLERSTATETYPE, with its numbers. */
typedef enum iri_sampler_state_type {
#define IRI_SAMPLER_STATE(id, name, number, values) IRI_SAMPLER_STATE_##id = number,
#include <iridia/sampler_states.def>
#undef IRI_SAMPLER_STATE
} iri_sampler_state_type;

/* The name that effect source has for a state, "AddressU"; NULL when there is none of that number. Static. */
IRI_API const char *iri_sampler_state_name(uint32_t type);

/* As IDirect3DDevice9::SetSamplerState takes it. */
typedef struct iri_sampler_state {
    uint32_t type; /* iri_sampler_state_type */
    uint32_t
        value; /* a float's bits, D3DCOLOR, D3DTEXTUREADDRESS, D3DTEXTUREFILTERTYPE, a number */
} iri_sampler_state;

/* What a WebGPU sampler leaves unsaid of a sampler: bit numbers of what iri_sampler_states returns. */
typedef enum iri_sampler_note {
#define IRI_SAMPLER_NOTE(id, name, meaning) IRI_SAMPLER_NOTE_##id,
#include <iridia/sampler_notes.def>
#undef IRI_SAMPLER_NOTE
    IRI_SAMPLER_NOTE_COUNT
} iri_sampler_note;

/* "border-color"; NULL past the end; static. */
IRI_API const char *iri_sampler_note_name(iri_sampler_note note);
/* One sentence; NULL past the end; static. */
IRI_API const char *iri_sampler_note_meaning(iri_sampler_note note);

/* Makes a sampler of Direct3D 9's states: `count` of them, in the order they were set, over Direct3D's defaults, so of
 * two of one type the later counts. `*notes` is set to the bits (1 << iri_sampler_note) of what WebGPU's samplers
 * cannot say of the result; 0 when they can say all. The rest a descriptor takes as it is, lodMinClamp being `min_lod`;
 * where `mip_filter` is IRI_MIP_NONE, lodMaxClamp is 0.25 with mipmapFilter "nearest", which keeps to level 0 and has
 * both of the other filters. IRI_INVALID_ARGUMENT: a type or a value that Direct3D 9 does not have; `*sampler` is then as it
 * was. `notes` and `why` may be NULL. Allocates nothing. */
IRI_API iri_status iri_sampler_states(const iri_sampler_state *states, uint32_t count,
                                      iri_sampler *sampler, uint32_t *notes, iri_refusal *why);

#ifdef __cplusplus
}
#endif
#endif
