/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sampler states: each state alone and what it makes of a sampler, the notes, and what Direct3D 9 does not have.
 */
#include "tests/unit/test.h"
#include <iridia/iridia.h>
#include <string.h>

#define NOTE(id) (1u << IRI_SAMPLER_NOTE_##id)
enum { FLOAT_ONE = 0x3f800000, ANISOTROPIC = 3 };

/* Members, since bytes between them may be anything. */
static bool same(const iri_sampler *a, const iri_sampler *b)
{
    return a->min_filter == b->min_filter && a->mag_filter == b->mag_filter &&
           a->mip_filter == b->mip_filter && !memcmp(a->address, b->address, sizeof a->address) &&
           a->compare == b->compare && a->limit_lod == b->limit_lod && a->srgb == b->srgb &&
           a->max_anisotropy == b->max_anisotropy && a->lod_bias == b->lod_bias &&
           a->min_lod == b->min_lod && a->max_lod == b->max_lod &&
           !memcmp(a->border, b->border, sizeof a->border);
}

TEST(sampler_states_default)
{
    /* No state gives what is all zero; and so do Direct3D's defaults, each stated. */
    static const iri_sampler_state defaults[] = {
        {IRI_SAMPLER_STATE_ADDRESSU, 1},    {IRI_SAMPLER_STATE_ADDRESSV, 1},
        {IRI_SAMPLER_STATE_ADDRESSW, 1},    {IRI_SAMPLER_STATE_BORDERCOLOR, 0},
        {IRI_SAMPLER_STATE_MAGFILTER, 1},   {IRI_SAMPLER_STATE_MINFILTER, 1},
        {IRI_SAMPLER_STATE_MIPFILTER, 0},   {IRI_SAMPLER_STATE_MIPMAPLODBIAS, 0},
        {IRI_SAMPLER_STATE_MAXMIPLEVEL, 0}, {IRI_SAMPLER_STATE_MAXANISOTROPY, 1},
        {IRI_SAMPLER_STATE_SRGBTEXTURE, 0}, {IRI_SAMPLER_STATE_ELEMENTINDEX, 0},
        {IRI_SAMPLER_STATE_DMAPOFFSET, 0},
    };
    static const iri_sampler zero;
    uint32_t all = sizeof defaults / sizeof *defaults;
    for (uint32_t count = 0; count <= all; count += all) {
        iri_sampler s;
        uint32_t notes = 1;
        memset(&s, 0xff, sizeof s);
        REQUIRE(iri_sampler_states(defaults, count, &s, &notes, NULL) == IRI_OK);
        CHECK(same(&s, &zero));
        CHECK_EQ_U32(notes, 0);
    }
}

TEST(sampler_states_values)
{
    static const struct {
        iri_sampler_state states[4];
        uint32_t count;
        iri_sampler sampler;
        uint32_t notes;
    } rows[] = {
        {{{IRI_SAMPLER_STATE_ADDRESSU, 2}}, 1, {.address = {IRI_ADDRESS_MIRROR}}, 0},
        {{{IRI_SAMPLER_STATE_ADDRESSV, 3}}, 1, {.address = {0, IRI_ADDRESS_CLAMP}}, 0},
        {{{IRI_SAMPLER_STATE_ADDRESSW, 4}, {IRI_SAMPLER_STATE_BORDERCOLOR, 0x80ff0033}},
         2,
         {.address = {0, 0, IRI_ADDRESS_BORDER},
          .border = {1, 0, (float)0x33 / 255.0f, (float)0x80 / 255.0f}},
         NOTE(BORDER)},
        {{{IRI_SAMPLER_STATE_ADDRESSU, 5}},
         1,
         {.address = {IRI_ADDRESS_MIRROR_ONCE}},
         NOTE(MIRROR_ONCE)},
        {{{IRI_SAMPLER_STATE_MINFILTER, 2}}, 1, {.min_filter = IRI_FILTER_LINEAR}, 0},
        {{{IRI_SAMPLER_STATE_MAGFILTER, 2}}, 1, {.mag_filter = IRI_FILTER_LINEAR}, 0},
        {{{IRI_SAMPLER_STATE_MIPFILTER, 1}}, 1, {.mip_filter = IRI_MIP_POINT}, 0},
        {{{IRI_SAMPLER_STATE_MIPFILTER, 2}, {IRI_SAMPLER_STATE_MAXMIPLEVEL, 3}},
         2,
         {.mip_filter = IRI_MIP_LINEAR, .min_lod = 3},
         0},
        {{{IRI_SAMPLER_STATE_MAXMIPLEVEL, 3}}, 1, {0}, 0},
        {{{IRI_SAMPLER_STATE_MIPMAPLODBIAS, FLOAT_ONE}}, 1, {.lod_bias = 1}, NOTE(LOD_BIAS)},
        {{{IRI_SAMPLER_STATE_SRGBTEXTURE, 1}}, 1, {.srgb = true}, NOTE(SRGB)},
        {{{IRI_SAMPLER_STATE_ELEMENTINDEX, 1}}, 1, {0}, NOTE(ELEMENT)},
        {{{IRI_SAMPLER_STATE_DMAPOFFSET, 1}}, 1, {0}, NOTE(DMAP_OFFSET)},
        /* Anisotropy counts with the filter alone. */
        {{{IRI_SAMPLER_STATE_MAXANISOTROPY, 8}}, 1, {0}, 0},
        {{{IRI_SAMPLER_STATE_MINFILTER, ANISOTROPIC}}, 1, {.min_filter = IRI_FILTER_LINEAR}, 0},
        {{{IRI_SAMPLER_STATE_MINFILTER, ANISOTROPIC}, {IRI_SAMPLER_STATE_MAXANISOTROPY, 8}},
         2,
         {.min_filter = IRI_FILTER_LINEAR, .max_anisotropy = 8},
         NOTE(ANISOTROPY)},
        {{{IRI_SAMPLER_STATE_MINFILTER, ANISOTROPIC},
          {IRI_SAMPLER_STATE_MAXANISOTROPY, 16},
          {IRI_SAMPLER_STATE_MAGFILTER, 2},
          {IRI_SAMPLER_STATE_MIPFILTER, 2}},
         4,
         {.min_filter = IRI_FILTER_LINEAR,
          .mag_filter = IRI_FILTER_LINEAR,
          .mip_filter = IRI_MIP_LINEAR,
          .max_anisotropy = 16},
         0},
        {{{IRI_SAMPLER_STATE_MINFILTER, 0}}, 1, {0}, NOTE(FILTER)},
        {{{IRI_SAMPLER_STATE_MAGFILTER, 7}}, 1, {.mag_filter = IRI_FILTER_LINEAR}, NOTE(FILTER)},
        {{{IRI_SAMPLER_STATE_MIPFILTER, 3}}, 1, {.mip_filter = IRI_MIP_LINEAR}, NOTE(FILTER)},
        /* The later counts. */
        {{{IRI_SAMPLER_STATE_ADDRESSU, 5}, {IRI_SAMPLER_STATE_ADDRESSU, 3}},
         2,
         {.address = {IRI_ADDRESS_CLAMP}},
         0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        iri_sampler s;
        uint32_t notes;
        memset(&s, 0xff, sizeof s);
        REQUIRE(iri_sampler_states(rows[i].states, rows[i].count, &s, &notes, NULL) == IRI_OK);
        if (!same(&s, &rows[i].sampler) || notes != rows[i].notes)
            FAIL("row %u: notes %x or the sampler differ", (unsigned)i, (unsigned)notes);
    }
}

TEST(sampler_states_refused)
{
    static const struct {
        iri_sampler_state state;
        const char *reason;
    } rows[] = {
        {{0, 0}, "0 is no D3DSAMPLERSTATETYPE"},
        {{14, 0}, "14 is no D3DSAMPLERSTATETYPE"},
        {{UINT32_MAX, 0}, "4294967295 is no D3DSAMPLERSTATETYPE"},
        {{IRI_SAMPLER_STATE_ADDRESSV, 0}, "AddressV: 0 is no D3DTEXTUREADDRESS"},
        {{IRI_SAMPLER_STATE_ADDRESSV, 6}, "AddressV: 6 is no D3DTEXTUREADDRESS"},
        {{IRI_SAMPLER_STATE_MIPFILTER, 4}, "MipFilter: 4 is no D3DTEXTUREFILTERTYPE"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        iri_sampler s = {.max_anisotropy = 77};
        iri_refusal why;
        CHECK(iri_sampler_states(&rows[i].state, 1, &s, NULL, &why) == IRI_INVALID_ARGUMENT);
        CHECK_STR(why.reason, rows[i].reason);
        CHECK(s.max_anisotropy == 77);
    }
    CHECK(iri_sampler_states(NULL, 1, NULL, NULL, NULL) == IRI_INVALID_ARGUMENT);
}

TEST(sampler_words)
{
    for (uint32_t i = 0; i < IRI_SAMPLER_NOTE_COUNT; i++)
        CHECK(iri_sampler_note_name((iri_sampler_note)i) &&
              iri_sampler_note_meaning((iri_sampler_note)i));
    CHECK(!iri_sampler_note_name(IRI_SAMPLER_NOTE_COUNT));
    CHECK(!iri_sampler_note_meaning(IRI_SAMPLER_NOTE_COUNT));
    CHECK_STR(iri_sampler_state_name(1), "AddressU");
    CHECK_STR(iri_sampler_state_name(13), "DMAPOffset");
    CHECK(!iri_sampler_state_name(0) && !iri_sampler_state_name(14));
    CHECK_STR(iri_word(IRI_WORDS_ADDRESS, IRI_ADDRESS_MIRROR_ONCE), "mirror-once");
    CHECK_STR(iri_word(IRI_WORDS_COMPARE, IRI_COMPARE_ALWAYS), "always");
}
