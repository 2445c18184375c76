/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texel loads and what a texture says of itself. Out of range anything is 0 (Direct3D 11.3 functional
 * specification, 22.4 "ld", "resinfo", "sampleinfo", "samplepos"; positions of samples: 19.2.4.1, the standard patterns).
 */
#include "exec/exec.h"

static const iri_exec_texture *texture_of(const iri_machine *m, const iri_exec_access *access)
{
    const iri_exec_resource *bound = iri_bound(m, access->resource);
    uint32_t count = bound && bound->texture ? (bound->count ? bound->count : 1) : 0;
    const iri_exec_texture *texture = access->index < count ? bound->texture + access->index : NULL;
    return texture && iri_exec_texture_words(texture) ? texture : NULL;
}

static void load(const iri_exec_texture *t, const iri_resource *declared,
                 const iri_exec_access *access, uint32_t result[4])
{
    uint32_t axes = iri_dimension_lanes(declared->dimension), at[3] = {0, 0, 0};
    bool samples = access->op == IRI_OP_LOAD_TEXEL_MS;
    uint32_t level = samples ? 0 : access->level, sample = samples ? access->level : 0;
    uint32_t layer = declared->arrayed ? access->place[axes] : 0;
    /* Offsets wrap, so that a coordinate that they take below 0 is out of range. */
    for (uint32_t i = 0; i < axes; i++)
        at[i] = access->place[i] + (uint32_t)(int32_t)access->offset[i];
    if (!t->texels || level >= t->levels || layer >= t->layers ||
        sample >= (t->samples ? t->samples : 1) || at[0] >= iri_level_size(t->width, level) ||
        at[1] >= iri_level_size(t->height, level) || at[2] >= iri_level_size(t->depth, level))
        return;
    size_t word = iri_exec_texture_at(t, level, layer, at[0], at[1], at[2]);
    if (t->samples)
        word = word * t->samples + (size_t)sample * 4;
    memcpy(result, (const uint8_t *)t->texels + word * 4, 16);
}

static void measure(const iri_exec_texture *t, const iri_resource *declared, uint32_t level,
                    uint32_t result[4])
{
    uint32_t sizes[3] = {t->width, t->height, t->depth};
    bool cube = declared->dimension == IRI_DIMENSION_CUBE;
    uint32_t axes = cube ? 2 : iri_dimension_lanes(declared->dimension);
    if (level >= t->levels)
        return;
    for (uint32_t i = 0; i < axes; i++)
        result[i] = iri_level_size(sizes[i], level);
    if (declared->arrayed)
        result[axes] = cube ? t->layers / 6 : t->layers;
}

/* Sixteenths of a pixel from its centre. */
static void find_position(uint32_t samples, uint32_t sample, uint32_t result[4])
{
    static const int8_t one[][2] = {{0, 0}};
    static const int8_t two[][2] = {{4, 4}, {-4, -4}};
    static const int8_t four[][2] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};
    static const int8_t eight[][2] = {{1, -3}, {-1, 3},  {5, 1}, {-3, -5},
                                      {-5, 5}, {-7, -1}, {3, 7}, {7, -7}};
    static const int8_t sixteen[][2] = {{1, 1},  {-1, -3}, {-3, 2}, {4, -1}, {-5, -2}, {2, 5},
                                        {5, 3},  {3, -5},  {-2, 6}, {0, -7}, {-4, -6}, {-6, 4},
                                        {-8, 0}, {7, -4},  {6, 7},  {-7, -8}};
    const int8_t(*positions)[2] = samples == 1    ? one
                                  : samples == 2  ? two
                                  : samples == 4  ? four
                                  : samples == 8  ? eight
                                  : samples == 16 ? sixteen
                                                  : NULL;
    for (uint32_t i = 0; i < 2 && positions && sample < samples; i++) {
        iri_cell at = {.f = (float)positions[sample][i] / 16.0f};
        result[i] = at.u;
    }
}

void iri_access_texture(const iri_machine *m, const iri_exec_access *access, uint32_t result[4])
{
    const iri_resource *declared = &m->exec->program->interface.resources[access->resource];
    const iri_exec_texture *t = texture_of(m, access);
    if (!t)
        return;
    uint32_t samples = t->samples ? t->samples : 1;
    switch (access->op) {
    case IRI_OP_TEXTURE_SIZE: measure(t, declared, access->place[0], result); break;
    case IRI_OP_TEXTURE_LEVELS: result[0] = t->levels; break;
    case IRI_OP_TEXTURE_SAMPLES: result[0] = samples; break;
    case IRI_OP_SAMPLE_POSITION: find_position(samples, access->place[0], result); break;
    default: load(t, declared, access, result); break;
    }
}
