/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures: where texels lie, address modes, filters, levels, cubes. Everything is f32, in the order that
 * docs/exec.md states, so that results are the same on every machine; hardware's fixed-point weights
 * differ from it in the last bits. Sources: Direct3D 11.3 functional specification, 7.18 (texture sampling), and the
 * Vulkan specification, "Image Operations" (cube faces), which agree where both speak.
 */
#include "exec/texture.h"

#include "base/math32.h"
#include <math.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3", "no-trapping-math", "no-math-errno", "fp-contract=off")
#endif

enum { SAMPLES_MAX = 32 /* D3D11_MAX_MULTISAMPLE_SAMPLE_COUNT */ };

uint32_t iri_level_size(uint32_t size, uint32_t level)
{
    uint32_t at = level < 32 ? size >> level : 0;
    return at ? at : 1;
}

static size_t level_texels(const iri_exec_texture *t, uint32_t level)
{
    return (size_t)iri_level_size(t->width, level) * iri_level_size(t->height, level) *
           iri_level_size(t->depth, level) * t->layers;
}

/* Every dimension there and none so large that products of them overflow. */
static bool is_sound(const iri_exec_texture *t)
{
    if (!t->width || !t->height || !t->depth || !t->layers || !t->levels ||
        t->levels > IRI_LEVELS_MAX)
        return false;
    if (t->width > IRI_SIZE_MAX || t->height > IRI_SIZE_MAX || t->depth > 2048 ||
        t->layers > 2048 * 6)
        return false;
    return (uint64_t)t->width * t->height * t->depth * t->layers < UINT64_C(1) << 32;
}

size_t iri_exec_texture_words(const iri_exec_texture *texture)
{
    size_t texels = 0;
    if (texture->samples > SAMPLES_MAX || (texture->samples && texture->levels != 1))
        return 0;
    for (uint32_t level = 0; is_sound(texture) && level < texture->levels; level++)
        texels += level_texels(texture, level);
    return texels * 4 * (texture->samples ? texture->samples : 1);
}

static size_t texel_at(const iri_exec_texture *t, uint32_t level, uint32_t layer, uint32_t x,
                       uint32_t y, uint32_t z)
{
    uint32_t width = iri_level_size(t->width, level), height = iri_level_size(t->height, level);
    uint32_t depth = iri_level_size(t->depth, level);
    return ((((size_t)layer * depth + z) * height + y) * width + x) * 4;
}

size_t iri_exec_texture_at(const iri_exec_texture *texture, uint32_t level, uint32_t layer,
                           uint32_t x, uint32_t y, uint32_t z)
{
    size_t before = 0;
    for (uint32_t i = 0; i < level; i++)
        before += level_texels(texture, i) * 4;
    return before + texel_at(texture, level, layer, x, y, z);
}

void iri_exec_from_rgba8(const uint8_t *bytes, size_t count, bool srgb, float *texels)
{
    for (size_t i = 0; i < count * 4; i++) {
        float x = (float)bytes[i] / 255.0f;
        if (srgb && i % 4 != 3)
            x = x <= 0.04045f ? x / 12.92f : iri_powf((x + 0.055f) / 1.055f, 2.4f);
        texels[i] = x;
    }
}

/* The texels of the level above that a texel covers along one axis: the last one takes an odd rest too. */
static void covered(uint32_t at, uint32_t size, uint32_t above, uint32_t *first, uint32_t *count)
{
    *first = above == 1 ? 0 : at * 2;
    *count = above == 1 ? 1 : at + 1 == size ? above - at * 2 : 2;
}

static void mean(const iri_exec_texture *t, const float *texels, uint32_t level, uint32_t layer,
                 const uint32_t at[3], float out[4])
{
    uint32_t sizes[3] = {t->width, t->height, t->depth}, first[3], count[3];
    double sum[4] = {0};
    for (int axis = 0; axis < 3; axis++)
        covered(at[axis], iri_level_size(sizes[axis], level),
                iri_level_size(sizes[axis], level - 1), &first[axis], &count[axis]);
    for (uint32_t z = first[2]; z < first[2] + count[2]; z++)
        for (uint32_t y = first[1]; y < first[1] + count[1]; y++)
            for (uint32_t x = first[0]; x < first[0] + count[0]; x++)
                for (int k = 0; k < 4; k++)
                    sum[k] += texels[iri_exec_texture_at(t, level - 1, layer, x, y, z) + (size_t)k];
    for (int k = 0; k < 4; k++)
        out[k] = (float)(sum[k] / (count[0] * count[1] * count[2]));
}

void iri_exec_make_mips(const iri_exec_texture *texture, float *texels)
{
    const iri_exec_texture *t = texture;
    for (uint32_t level = 1; is_sound(t) && level < t->levels; level++)
        for (uint32_t layer = 0; layer < t->layers; layer++)
            for (uint32_t z = 0; z < iri_level_size(t->depth, level); z++)
                for (uint32_t y = 0; y < iri_level_size(t->height, level); y++)
                    for (uint32_t x = 0; x < iri_level_size(t->width, level); x++)
                        mean(t, texels, level, layer, (uint32_t[3]){x, y, z},
                             texels + iri_exec_texture_at(t, level, layer, x, y, z));
}

bool iri_texture_open(iri_texture_view *view, const iri_exec_texture *texture,
                      const iri_sampler *sampler)
{
    static const iri_sampler default_sampler = {0};
    if (!texture || !texture->texels || !is_sound(texture))
        return false;
    view->texture = texture;
    view->sampler = sampler ? sampler : &default_sampler;
    view->texels = texture->texels;
    view->levels = texture->levels;
    view->layers = texture->layers;
    view->cube = texture->dimension == IRI_DIMENSION_CUBE;
    view->axes = texture->dimension == IRI_DIMENSION_1D   ? 1
                 : texture->dimension == IRI_DIMENSION_3D ? 3
                                                          : 2;
    if (view->cube && (texture->layers % 6 || texture->width != texture->height))
        return false;
    size_t at = 0;
    for (uint32_t level = 0; level < texture->levels; level++) {
        view->level_at[level] = at;
        at += level_texels(texture, level) * 4;
    }
    return true;
}

/* ---- cubes ---- */

/* Per face: which lane is the axis, s and t, and their signs; the axis' sign is the face's. */
static const struct {
    uint8_t s, t;
    int8_t s_sign, t_sign;
} faces[6] = {
    {2, 1, -1, -1}, {2, 1, 1, -1}, {0, 2, 1, 1}, {0, 2, 1, -1}, {0, 1, 1, -1}, {0, 1, -1, -1},
};

/* Where lanes tie, z goes before y and y before x. */
uint32_t iri_cube_face(const float direction[3], float st[2])
{
    float x = fabsf(direction[0]), y = fabsf(direction[1]), z = fabsf(direction[2]);
    uint32_t axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    float major = axis == 2 ? z : axis == 1 ? y : x;
    uint32_t face = axis * 2 + (direction[axis] < 0);
    float s = (float)faces[face].s_sign * direction[faces[face].s];
    float t = (float)faces[face].t_sign * direction[faces[face].t];
    st[0] = major > 0 ? 0.5f * (s / major) + 0.5f : 0.5f;
    st[1] = major > 0 ? 0.5f * (t / major) + 0.5f : 0.5f;
    return face;
}

void iri_cube_gradient(uint32_t face, const float direction[3], const float change[3],
                       float st_change[2])
{
    uint32_t axis = face / 2;
    float sign = face & 1u ? -1.0f : 1.0f, major = sign * direction[axis],
          major_change = sign * change[axis];
    float s = (float)faces[face].s_sign * direction[faces[face].s];
    float t = (float)faces[face].t_sign * direction[faces[face].t];
    float s_change = (float)faces[face].s_sign * change[faces[face].s];
    float t_change = (float)faces[face].t_sign * change[faces[face].t];
    float square = major * major;
    st_change[0] = square > 0 ? 0.5f * (s_change * major - s * major_change) / square : 0;
    st_change[1] = square > 0 ? 0.5f * (t_change * major - t * major_change) / square : 0;
}

/* ---- levels ---- */

float iri_texture_lod(const iri_texture_view *view, const float *ddx, const float *ddy)
{
    const iri_exec_texture *t = view->texture;
    float sizes[3] = {(float)t->width, (float)t->height, (float)t->depth}, x = 0, y = 0;
    for (uint32_t i = 0; i < view->axes; i++) {
        float dx = ddx[i] * sizes[i], dy = ddy[i] * sizes[i];
        x += dx * dx;
        y += dy * dy;
    }
    return 0.5f * iri_log2f(x > y ? x : y);
}

/* ---- addresses and texels ---- */

/* A texel position in 0 .. size - 1, or -1 for the border. */
int32_t iri_texture_address(int32_t at, int32_t size, uint32_t mode)
{
    int32_t rest;
    if ((uint32_t)at < (uint32_t)size)
        return at;
    switch (mode) {
    case IRI_ADDRESS_WRAP: rest = at % size; return rest < 0 ? rest + size : rest;
    case IRI_ADDRESS_MIRROR:
        rest = at % (2 * size);
        rest = rest < 0 ? rest + 2 * size : rest;
        return rest < size ? rest : 2 * size - 1 - rest;
    case IRI_ADDRESS_BORDER: return -1;
    case IRI_ADDRESS_MIRROR_ONCE: at = at < 0 ? -1 - at : at; return at < size ? at : size - 1;
    default: return at < 0 ? 0 : size - 1;
    }
}

/* Far away from the texture a float says no texel any more: what is out of int's range is brought near by
 * whole mirror periods, or to the end. NaN is 0. */
float iri_texture_near(float x, int32_t size)
{
    if (fabsf(x) < 1073741824.0f)
        return x;
    if (x != x)
        return 0;
    if (fabsf(x) > 3.0e38f)
        return x > 0 ? 1073741824.0f : -1073741824.0f;
    return x > 0 ? 1073741824.0f + (float)fmod((double)x, 2.0 * size)
                 : -1073741824.0f + (float)fmod((double)x, 2.0 * size);
}

uint32_t iri_texture_layer(float at, uint32_t layers)
{
    float whole = rintf(at);
    if (!(whole > 0))
        return 0;
    return whole >= (float)layers ? layers - 1 : (uint32_t)whole;
}

typedef struct axis_taps {
    int32_t at[2];
    float weight; /* of the second */
} axis_taps;

static axis_taps find_taps(float coordinate, int32_t size, int32_t offset, uint32_t mode,
                           bool linear)
{
    axis_taps taps = {{0, 0}, 0};
    float x = iri_texture_near(coordinate * (float)size, size);
    if (linear)
        x -= 0.5f;
    int32_t floor_x = (int32_t)x; /* x is in range: iri_texture_near */
    floor_x -= x < (float)floor_x;
    float whole = (float)floor_x;
    int32_t first = floor_x + offset;
    taps.at[0] = iri_texture_address(first, size, mode);
    if (linear) {
        taps.weight = x - whole;
        taps.at[1] = iri_texture_address(first + 1, size, mode);
    }
    return taps;
}

static bool compares(uint32_t function, float reference, float texel)
{
    switch (function) {
    case IRI_COMPARE_LESS: return reference < texel;
    case IRI_COMPARE_EQUAL: return reference == texel;
    case IRI_COMPARE_LESS_EQUAL: return reference <= texel;
    case IRI_COMPARE_GREATER: return reference > texel;
    case IRI_COMPARE_NOT_EQUAL: return reference != texel;
    case IRI_COMPARE_GREATER_EQUAL: return reference >= texel;
    case IRI_COMPARE_ALWAYS: return true;
    default: return false;
    }
}

typedef struct level_lookup {
    const iri_texture_view *view;
    uint32_t level, layer;
    axis_taps taps[3];
    const float *reference;
} level_lookup;

/* The texel of one corner: bit k of `corner` chooses axis k's second tap. */
static void fetch(const level_lookup *l, uint32_t corner, iri_cell out[4])
{
    const iri_exec_texture *t = l->view->texture;
    int32_t at[3] = {0, 0, 0};
    bool border = false;
    for (uint32_t axis = 0; axis < l->view->axes; axis++) {
        at[axis] = l->taps[axis].at[corner >> axis & 1u];
        border |= at[axis] < 0;
    }
    if (border)
        memcpy(out, l->view->sampler->border, 4 * sizeof *out);
    else
        memcpy(
            out,
            l->view->texels + l->view->level_at[l->level] +
                texel_at(t, l->level, l->layer, (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]),
            4 * sizeof *out);
    if (l->reference) {
        out[0].f = compares(l->view->sampler->compare, *l->reference, out[0].f) ? 1.0f : 0.0f;
        out[1] = out[2] = out[3] = out[0];
    }
}

/* `a` where the weight is 0, so that a texel that has no part in it cannot spoil it. */
static void mix(iri_cell a[4], const iri_cell b[4], float weight)
{
    if (weight == 0)
        return;
    for (int k = 0; k < 4; k++)
        a[k].f = a[k].f + (b[k].f - a[k].f) * weight;
}

/* Axis by axis: x first. */
static void filter(const level_lookup *l, uint32_t axes, uint32_t corner, iri_cell out[4])
{
    iri_cell other[4];
    if (!axes) {
        fetch(l, corner, out);
        return;
    }
    filter(l, axes - 1, corner, out);
    if (l->taps[axes - 1].weight == 0)
        return;
    filter(l, axes - 1, corner | 1u << (axes - 1), other);
    mix(out, other, l->taps[axes - 1].weight);
}

/* The same as `filter` for two axes, without a comparison and inside the texture. */
static void filter_plane(const level_lookup *l, iri_cell out[4])
{
    const iri_texture_view *view = l->view;
    const iri_exec_texture *t = view->texture;
    const axis_taps *x = &l->taps[0], *y = &l->taps[1];
    size_t width = iri_level_size(t->width, l->level), height = iri_level_size(t->height, l->level);
    const iri_cell *plane = view->texels + view->level_at[l->level] + l->layer * width * height * 4;
    const iri_cell *top = plane + (size_t)y->at[0] * width * 4,
                   *bottom = plane + (size_t)y->at[1] * width * 4;
    size_t left = (size_t)x->at[0] * 4, right = (size_t)x->at[1] * 4;
    iri_cell low[4];
    memcpy(out, top + left, 4 * sizeof *out);
    mix(out, top + right, x->weight);
    if (y->weight == 0)
        return;
    memcpy(low, bottom + left, sizeof low);
    mix(low, bottom + right, x->weight);
    mix(out, low, y->weight);
}

static void sample_level(const iri_texture_view *view, uint32_t level, const float *coordinates,
                         uint32_t layer, const int8_t offset[3], bool linear,
                         const float *reference, iri_cell out[4])
{
    const iri_exec_texture *t = view->texture;
    uint32_t sizes[3] = {t->width, t->height, t->depth};
    level_lookup l = {.view = view, .level = level, .layer = layer, .reference = reference};
    for (uint32_t axis = 0; axis < view->axes; axis++)
        l.taps[axis] =
            find_taps(coordinates[axis], (int32_t)iri_level_size(sizes[axis], level), offset[axis],
                      view->cube ? IRI_ADDRESS_CLAMP : view->sampler->address[axis], linear);
    if (view->axes == 2 && !reference &&
        (l.taps[0].at[0] | l.taps[0].at[1] | l.taps[1].at[0] | l.taps[1].at[1]) >= 0)
        filter_plane(&l, out);
    else
        filter(&l, view->axes, 0, out);
}

void iri_texture_sample(const iri_texture_view *view, const float *coordinates, uint32_t layer,
                        const int8_t offset[3], float lod, const float *reference, iri_cell out[4])
{
    const iri_sampler *s = view->sampler;
    float last = (float)(view->levels - 1), fraction = 0;
    uint32_t level = 0;
    lod = lod != lod ? 0 : lod;
    if (s->limit_lod && lod > s->max_lod)
        lod = s->max_lod;
    lod = lod < s->min_lod ? s->min_lod : lod;
    bool linear = (lod > 0 ? s->min_filter : s->mag_filter) == IRI_FILTER_LINEAR;
    float clamped = lod < 0 ? 0 : lod > last ? last : lod;
    if (s->mip_filter == IRI_MIP_POINT) {
        level = (uint32_t)(clamped + 0.5f);
    } else if (s->mip_filter == IRI_MIP_LINEAR) {
        level = (uint32_t)clamped;
        fraction = clamped - (float)level;
    }
    sample_level(view, level, coordinates, layer, offset, linear, reference, out);
    if (fraction > 0) {
        iri_cell next[4];
        sample_level(view, level + 1, coordinates, layer, offset, linear, reference, next);
        mix(out, next, fraction);
    }
}

void iri_texture_gather(const iri_texture_view *view, const float *coordinates, uint32_t layer,
                        const int8_t offset[3], uint32_t component, const float *reference,
                        iri_cell out[4])
{
    static const uint8_t corners[4] = {2, 3, 1, 0};
    const iri_exec_texture *t = view->texture;
    uint32_t sizes[2] = {t->width, t->height};
    level_lookup l = {.view = view, .layer = layer, .reference = reference};
    for (uint32_t axis = 0; axis < 2; axis++)
        l.taps[axis] =
            find_taps(coordinates[axis], (int32_t)sizes[axis], offset[axis],
                      view->cube ? IRI_ADDRESS_CLAMP : view->sampler->address[axis], true);
    for (uint32_t i = 0; i < 4; i++) {
        iri_cell texel[4];
        fetch(&l, corners[i], texel);
        out[i] = texel[component];
    }
}

void iri_texture_levels(const iri_texture_view *view, float lod, iri_cell out[4])
{
    const iri_sampler *s = view->sampler;
    float last = (float)(view->levels - 1), clamped;
    lod += s->lod_bias;
    out[1].f = lod;
    clamped = s->limit_lod && lod > s->max_lod ? s->max_lod : lod;
    clamped = clamped < s->min_lod ? s->min_lod : clamped;
    clamped = !(clamped > 0) ? 0 : clamped > last ? last : clamped;
    out[0].f = s->mip_filter == IRI_MIP_LINEAR  ? clamped
               : s->mip_filter == IRI_MIP_POINT ? floorf(clamped + 0.5f)
                                                : 0;
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
