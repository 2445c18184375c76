/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One lookup in one texture: what texture.c offers sample.c.
 */
#ifndef IRI_EXEC_TEXTURE_H
#define IRI_EXEC_TEXTURE_H

#include "exec/exec.h"

enum { IRI_LEVELS_MAX = 16, IRI_SIZE_MAX = 1 << 15 };

/* A texture and a sampler made ready. `axes`: 1, 2 or 3 that are filtered. */
typedef struct iri_texture_view {
    const iri_exec_texture *texture;
    const iri_sampler *sampler;
    const iri_cell *texels;
    size_t level_at[IRI_LEVELS_MAX]; /* in words */
    uint32_t axes, levels, layers;
    bool cube;
} iri_texture_view;

/* Lookups of all invocations in one plain two-dimensional texture, or array of them, as columns. */
typedef enum iri_plane_lod {
    IRI_PLANE_LOD_NONE,  /* 0: nothing depends on it */
    IRI_PLANE_LOD_GIVEN, /* `extra` and the sampler's bias */
    IRI_PLANE_LOD_LANES, /* by ddx and ddy, plus biases */
    IRI_PLANE_LOD_QUADS  /* the same, where they are the same for the four invocations of a quad */
} iri_plane_lod;
struct iri_plane_lookup {
    const iri_texture_view *view;
    const float *texels;
    const iri_cell *coordinates[2], *layers, *extra; /* NULL where there are none */
    const iri_cell *ddx[2], *ddy[2];
    iri_cell *out[4];
    uint32_t lanes;
    uint32_t level_texels
        [IRI_LEVELS_MAX]; /* before each level; all together fewer than IRI_TEXEL_BORDER */
    int8_t offset[2];
    bool powers_of_two;
    iri_plane_lod lod;
};
#define IRI_TEXEL_BORDER 0x80000000u

/* False when nothing usable is bound. */
bool iri_texture_open(iri_texture_view *view, const iri_exec_texture *texture,
                      const iri_sampler *sampler);

/* The face of a direction and where it meets it, 0..1; the derivatives of that along with it. */
uint32_t iri_cube_face(const float direction[3], float st[2]);
void iri_cube_gradient(uint32_t face, const float direction[3], const float change[3],
                       float st_change[2]);

/* log2 of the larger extent of the footprint in texels of level 0: Direct3D's rho. */
float iri_texture_lod(const iri_texture_view *view, const float *ddx, const float *ddy);

/* What is out of an int's range, brought near: exact where it can be, NaN is 0. */
float iri_texture_near(float x, int32_t size);
/* A texel position in 0 .. size - 1, or -1 for the border, by iri_address. */
int32_t iri_texture_address(int32_t at, int32_t size, uint32_t mode);
/* Rounded to the nearest layer, a half to even; outside the nearest one. */
uint32_t iri_texture_layer(float at, uint32_t layers);

/* A filtered value: `lod` before the sampler's bias is in already; `reference` NULL: no comparison. */
void iri_texture_sample(const iri_texture_view *view, const float *coordinates, uint32_t layer,
                        const int8_t offset[3], float lod, const float *reference, iri_cell out[4]);
/* One lane, or how each compares, of the four texels that a linear filter would take from level 0: lower left, lower
 * right, upper right, upper left. */
void iri_texture_gather(const iri_texture_view *view, const float *coordinates, uint32_t layer,
                        const int8_t offset[3], uint32_t component, const float *reference,
                        iri_cell out[4]);
/* The level that a sample would use, and the same before it is brought into range. */
void iri_texture_levels(const iri_texture_view *view, float lod, iri_cell out[4]);

#endif
