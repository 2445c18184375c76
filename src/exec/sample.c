/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel of texture operations: gathers coordinates and derivatives of each active invocation, finds what
 * is bound, and looks it up or asks the caller's backend.
 */
#include "exec/texture.h"

#include "ir/eval.h"
#include <math.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3", "no-trapping-math", "no-math-errno", "fp-contract=off")
#endif

/* What the invocations of one step share, most often everything: the last bound pair is kept. */
typedef struct sample_state {
    const iri_machine *m;
    const iri_sample_site *site;
    uint32_t axes; /* of the declared texture's coordinates */
    const iri_cell *ddx[3], *ddy[3];
    uint32_t texture_index, sampler_index;
    bool opened, bound;
    iri_texture_view view;
} sample_state;

static void open_view(sample_state *s, uint32_t texture_index, uint32_t sampler_index)
{
    const iri_exec_resource *t = iri_bound(s->m, s->site->texture),
                            *p = iri_bound(s->m, s->site->sampler);
    if (s->opened && s->texture_index == texture_index && s->sampler_index == sampler_index)
        return;
    uint32_t textures = t && t->texture ? (t->count ? t->count : 1) : 0;
    uint32_t samplers = p && p->sampler ? (p->count ? p->count : 1) : 0;
    s->opened = true;
    s->texture_index = texture_index;
    s->sampler_index = sampler_index;
    s->bound = texture_index < textures &&
               iri_texture_open(&s->view, t->texture + texture_index,
                                sampler_index < samplers ? p->sampler + sampler_index : NULL);
}

static bool has_quad_lod(uint32_t op)
{
    return (iri_props(op) & IRI_PROP_DERIVATIVE) != 0;
}

/* Derivatives of the coordinates: the quad's (0 where there are no quads), or the operation's own. */
static void find_gradients(sample_state *s)
{
    const iri_sample_site *site = s->site;
    for (uint32_t i = 0; i < s->axes && i < 3; i++) {
        if (site->gradient_count) {
            s->ddx[i] = iri_column(s->m, site->ddx[i]);
            s->ddy[i] = iri_column(s->m, site->ddy[i]);
        } else if (has_quad_lod(site->op)) {
            iri_cell *x = (iri_cell *)s->m->scratch + (size_t)i * s->m->width;
            iri_cell *y = x + 3 * (size_t)s->m->width;
            iri_quad_difference(s->m, iri_column(s->m, site->coordinates[i]), false, x);
            iri_quad_difference(s->m, iri_column(s->m, site->coordinates[i]), true, y);
            s->ddx[i] = x;
            s->ddy[i] = y;
        }
    }
}

static bool ask_backend(const sample_state *s, const iri_exec_lookup *lookup, iri_cell out[4])
{
    const iri_exec_backend *backend = s->m->batch->backend;
    uint32_t words[4] = {0};
    if (!backend || !backend->sample || !backend->sample(backend->user, lookup, words))
        return false;
    for (int k = 0; k < 4; k++)
        out[k].u = words[k];
    return true;
}

/* Whether anything depends on the level. */
static bool needs_lod(const iri_texture_view *view)
{
    const iri_sampler *p = view->sampler;
    return p->min_filter != p->mag_filter || (view->levels > 1 && p->mip_filter != IRI_MIP_NONE);
}

static float find_lod(const sample_state *s, const iri_exec_lookup *lookup, const float *ddx,
                      const float *ddy)
{
    float bias = s->view.sampler->lod_bias;
    if (!needs_lod(&s->view))
        return 0;
    switch (lookup->op) {
    case IRI_OP_SAMPLE_LOD: return lookup->extra + bias;
    case IRI_OP_SAMPLE_CMP_LEVEL: return 0;
    case IRI_OP_SAMPLE_BIAS:
    case IRI_OP_SAMPLE_BIAS_CLAMP: bias += lookup->extra; break;
    default: break;
    }
    float lod = iri_texture_lod(&s->view, ddx, ddy) + bias;
    return s->site->has_clamp && lod < lookup->clamp ? lookup->clamp : lod;
}

static void look_up(sample_state *s, const iri_exec_lookup *lookup, iri_cell out[4])
{
    float st[2], ddx[2] = {0}, ddy[2] = {0};
    const float *coordinates = lookup->coordinates, *x = lookup->ddx, *y = lookup->ddy;
    uint32_t layer = 0;
    open_view(s, lookup->texture_index, lookup->sampler_index);
    if (!s->bound) {
        out[0].u = out[1].u = out[2].u = 0;
        out[3].f = s->m->exec->d3d9 ? 1.0f : 0.0f;
        return;
    }
    if (s->site->arrayed)
        layer = iri_texture_layer(lookup->coordinates[s->axes],
                                  s->view.cube ? s->view.layers / 6 : s->view.layers);
    if (s->view.cube) {
        uint32_t face = iri_cube_face(lookup->coordinates, st);
        iri_cube_gradient(face, lookup->coordinates, lookup->ddx, ddx);
        iri_cube_gradient(face, lookup->coordinates, lookup->ddy, ddy);
        layer = layer * 6 + face;
        coordinates = st, x = ddx, y = ddy;
    }
    bool compare = iri_op_infos[lookup->op].results[0] == 'f' || lookup->op == IRI_OP_GATHER_CMP ||
                   lookup->op == IRI_OP_GATHER_CMP_PO;
    if (lookup->op == IRI_OP_LOD) {
        iri_texture_levels(&s->view, iri_texture_lod(&s->view, x, y), out);
        return;
    }
    if (lookup->op >= IRI_OP_GATHER && lookup->op <= IRI_OP_GATHER_CMP_PO) {
        iri_texture_gather(&s->view, coordinates, layer, lookup->offset, lookup->component,
                           compare ? &lookup->extra : NULL, out);
        return;
    }
    iri_texture_sample(&s->view, coordinates, layer, lookup->offset, find_lod(s, lookup, x, y),
                       compare ? &lookup->extra : NULL, out);
}

/* What counts of a run-time offset: -32 .. 31. */
static int8_t low_six_bits(uint32_t word)
{
    return (int8_t)((int32_t)((word & 63u) ^ 32u) - 32);
}

static void fill_lookup(const sample_state *s, uint32_t i, iri_exec_lookup *lookup)
{
    const iri_sample_site *site = s->site;
    for (uint32_t k = 0; k < site->coordinate_count; k++)
        lookup->coordinates[k] = iri_column(s->m, site->coordinates[k])[i].f;
    for (uint32_t k = 0; k < 3 && s->ddx[k]; k++) {
        lookup->ddx[k] = s->ddx[k][i].f;
        lookup->ddy[k] = s->ddy[k][i].f;
    }
    if (site->has_clamp)
        lookup->clamp = iri_column(s->m, site->clamp)[i].f;
    for (uint32_t k = 0; k < 2 && site->has_run_time_offset; k++)
        lookup->offset[k] = low_six_bits(iri_column(s->m, site->run_time_offset[k])[i].u);
    if (site->has_extra)
        lookup->extra = iri_column(s->m, site->extra)[i].f;
    if (site->has_texture_index)
        lookup->texture_index = iri_column(s->m, site->texture_index)[i].u;
    if (site->has_sampler_index)
        lookup->sampler_index = iri_column(s->m, site->sampler_index)[i].u;
    lookup->invocation = s->m->first + i;
}

static void store_result(const sample_state *s, uint32_t i, const iri_cell result[4],
                         iri_scalar scalar)
{
    for (uint32_t k = 0; k < s->site->lanes; k++) {
        uint64_t bits = result[k].u;
        if (scalar == IRI_F32 && result[k].f != result[k].f)
            bits = 0x7fc00000u;
        if (scalar == IRI_F16 || scalar == IRI_F64)
            iri_eval_lane(IRI_OP_FTOF, IRI_F32, scalar, (uint64_t[3]){bits, 0, 0}, &bits);
        iri_set_lane(s->m, s->site->d[k], scalar, i, bits);
    }
}

/* ---- all at once ---- */

static bool is_power_of_two(uint32_t x)
{
    return (x & (x - 1)) == 0;
}

/* Whether a set's sample_plane does it: everything that shaders mostly do. */
static bool is_plane(const sample_state *s, iri_scalar scalar)
{
    const iri_sample_site *site = s->site;
    const iri_exec_backend *backend = s->m->batch->backend;
    if ((backend && backend->sample) || scalar != IRI_F32 || !s->bound)
        return false;
    if (site->has_texture_index || site->has_sampler_index || site->has_clamp ||
        site->has_run_time_offset || s->view.texture->samples > 1 ||
        (site->op != IRI_OP_SAMPLE && site->op != IRI_OP_SAMPLE_BIAS &&
         site->op != IRI_OP_SAMPLE_LOD && site->op != IRI_OP_SAMPLE_GRAD))
        return false;
    return s->axes == 2 && s->view.axes == 2 && !s->view.cube && s->view.texture->depth == 1 &&
           iri_exec_texture_words(s->view.texture) / 4 < IRI_TEXEL_BORDER;
}

static iri_plane_lod plane_lod(const sample_state *s)
{
    if (!needs_lod(&s->view))
        return IRI_PLANE_LOD_NONE;
    if (s->site->op == IRI_OP_SAMPLE_LOD)
        return IRI_PLANE_LOD_GIVEN;
    bool quads = s->site->op != IRI_OP_SAMPLE_GRAD && !s->m->exec->fine_derivatives;
    return quads ? IRI_PLANE_LOD_QUADS : IRI_PLANE_LOD_LANES;
}

static void sample_plane(const sample_state *s)
{
    const iri_machine *m = s->m;
    const iri_sample_site *site = s->site;
    const iri_cell *mask = iri_column(m, IRI_COLUMN_MASK);
    iri_plane_lookup l = {.view = &s->view,
                          .texels = s->view.texture->texels,
                          .lanes = site->lanes,
                          .offset = {site->offset[0], site->offset[1]},
                          .lod = plane_lod(s)};
    l.powers_of_two =
        is_power_of_two(s->view.texture->width) && is_power_of_two(s->view.texture->height);
    for (uint32_t i = 0; i < 2; i++) {
        l.coordinates[i] = iri_column(m, site->coordinates[i]);
        l.ddx[i] = s->ddx[i];
        l.ddy[i] = s->ddy[i];
    }
    if (site->arrayed)
        l.layers = iri_column(m, site->coordinates[2]);
    if (site->op == IRI_OP_SAMPLE_BIAS || site->op == IRI_OP_SAMPLE_LOD)
        l.extra = iri_column(m, site->extra);
    for (uint32_t i = 0; i < s->view.levels; i++)
        l.level_texels[i] = (uint32_t)(s->view.level_at[i] / 4);
    for (uint32_t i = 0; i < site->lanes; i++)
        l.out[i] = iri_column(m, site->d[i]);
    for (uint32_t from = 0; from < m->width; from += IRI_EXEC_BLOCK) {
        uint32_t active = 0;
        for (uint32_t i = 0; i < IRI_EXEC_BLOCK; i++)
            active |= mask[from + i].u;
        if (active)
            m->exec->kernels->sample_plane(&l, from);
    }
}

void iri_kernel_sample(iri_machine *m, const iri_step *step)
{
    const iri_sample_site *site = &m->exec->samples[step->x];
    const iri_program *p = m->exec->program;
    const iri_cell *mask = iri_column(m, IRI_COLUMN_MASK);
    iri_scalar scalar = IRI_TYPE_SCALAR(iri_type_of(p, p->insts[step->inst].results));
    sample_state s = {.m = m, .site = site};
    s.axes = site->dimension == IRI_DIMENSION_1D ? 1 : site->dimension == IRI_DIMENSION_2D ? 2 : 3;
    iri_exec_lookup lookup = {.op = site->op,
                              .texture = site->texture,
                              .sampler = site->sampler,
                              .component = site->component};
    memcpy(lookup.offset, site->offset, sizeof lookup.offset);
    open_view(&s, 0, 0);
    bool plane = is_plane(&s, scalar);
    if (!plane || needs_lod(&s.view))
        find_gradients(&s);
    if (plane) {
        sample_plane(&s);
        return;
    }
    for (uint32_t i = 0; i < m->count; i++) {
        iri_cell result[4];
        if (!mask[i].u)
            continue;
        fill_lookup(&s, i, &lookup);
        if (!ask_backend(&s, &lookup, result))
            look_up(&s, &lookup, result);
        store_result(&s, i, result, scalar);
    }
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
