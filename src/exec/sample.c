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

/* Derivatives of the coordinates: the quad's, or the operation's own. */
static void find_gradients(sample_state *s)
{
    const iri_sample_site *site = s->site;
    for (uint32_t i = 0; i < s->axes && i < 3; i++) {
        if (site->gradient_count) {
            s->ddx[i] = iri_column(s->m, site->ddx[i]);
            s->ddy[i] = iri_column(s->m, site->ddy[i]);
        } else if (has_quad_lod(site->op) && s->m->quads) {
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

/* Rounded to the nearest layer, a half to even; outside the nearest one. */
static uint32_t choose_layer(const sample_state *s, float at)
{
    uint32_t layers = s->view.cube ? s->view.layers / 6 : s->view.layers;
    float whole = rintf(at);
    if (!(whole > 0))
        return 0;
    return whole >= (float)layers ? layers - 1 : (uint32_t)whole;
}

/* Whether anything depends on the level. */
static bool needs_lod(const iri_texture_view *view)
{
    const iri_exec_sampler *p = view->sampler;
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
    uint32_t layer = s->site->arrayed ? choose_layer(s, lookup->coordinates[s->axes]) : 0;
    open_view(s, lookup->texture_index, lookup->sampler_index);
    if (!s->bound) {
        out[0].u = out[1].u = out[2].u = 0;
        out[3].f = s->m->exec->d3d9 ? 1.0f : 0.0f;
        return;
    }
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
    find_gradients(&s);
    open_view(&s, 0, 0);
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
