/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Triangles through two programs: vertices, clipping, coverage, interpolation, and what happens to the pixels
 * (raster_pixels.c). Rules: Direct3D 11.3 functional specification, 15 (rasterizer): positions snapped to 1/256
 * pixel, the top-left rule, attributes linear in clip space; the first vertex is the one that counts for flat
 * ones. Clipping is against w, the depth range, the clip distances, and a guard band that keeps the snapped
 * numbers small.
 */
#include "exec/raster.h"

#include <math.h>

enum { PLANES_MAX = 7 + 8, POLYGON_MAX = 3 + PLANES_MAX, GUARD = 8 };

static const uint32_t *vertex_words(const iri_raster *r, uint32_t vertex)
{
    return r->vertices + (size_t)vertex * r->vertex_words;
}

/* ---- vertices ---- */

static void run_vertices(iri_raster *r)
{
    const iri_draw *d = r->draw;
    const iri_interface *io = &d->vertex.exec->program->interface;
    iri_exec_array *outputs = iri_new_array(r->scratch, iri_exec_array, io->output_count + 1u);
    r->vertex_words = io->output_count * 4;
    r->vertices =
        iri_new_array(r->scratch, uint32_t, (size_t)d->vertex_count * r->vertex_words + 1);
    for (uint32_t i = 0; i < io->output_count; i++)
        outputs[i] = (iri_exec_array){r->vertices + i * 4u, r->vertex_words * sizeof(uint32_t), 0};
    iri_exec_batch batch = {.count = d->vertex_count,
                            .inputs = d->vertex_inputs,
                            .outputs = outputs,
                            .resources = d->vertex.resources,
                            .resource_count = d->vertex.resource_count,
                            .state = d->vertex.state,
                            .step_limit = d->step_limit};
    iri_arena_mark mark = iri_arena_get_mark(r->scratch);
    uint32_t stopped;
    r->out_of_steps |=
        !iri_exec_execute(r->ctx, r->scratch, d->vertex.exec, &batch, NULL, &stopped);
    iri_arena_rewind(r->scratch, mark);
    r->counts->vertices += d->vertex_count;
}

/* ---- clipping ---- */

static float word_float(uint32_t word)
{
    return (iri_cell){word}.f;
}

/* The signed distance from plane `plane`: inside where it is not negative. */
static float distance(const iri_raster *r, const uint32_t *v, uint32_t plane)
{
    const uint32_t *p = v + r->position * 4;
    float x = word_float(p[0]), y = word_float(p[1]), z = word_float(p[2]), w = word_float(p[3]);
    switch (plane) {
    case 0: return w - 1e-20f;
    case 1: return r->symmetric_depth ? z + w : z;
    case 2: return w - z;
    case 3: return GUARD * w - x;
    case 4: return GUARD * w + x;
    case 5: return GUARD * w - y;
    case 6: return GUARD * w + y;
    default: return word_float(v[r->clip_words[plane - 7]]);
    }
}

/* Every output at parameter t of an edge, which the pixel program may interpolate or not. */
static void between(const iri_raster *r, const uint32_t *a, const uint32_t *b, float t,
                    uint32_t *out)
{
    for (uint32_t i = 0; i < r->vertex_words; i++) {
        iri_cell x = {a[i]};
        x.f = x.f + (word_float(b[i]) - x.f) * t;
        out[i] = x.u;
    }
}

/* Sutherland and Hodgman's way, a plane at a time; the polygon goes to and fro between two buffers. */
static uint32_t clip(iri_raster *r, const uint32_t **polygon)
{
    uint32_t count = 3;
    for (uint32_t plane = 0; plane < 7 + r->clip_count && count; plane++) {
        const uint32_t *kept[POLYGON_MAX + 1];
        uint32_t out = 0;
        for (uint32_t i = 0; i < count && out < POLYGON_MAX; i++) {
            const uint32_t *a = polygon[i], *b = polygon[(i + 1) % count];
            float da = distance(r, a, plane), db = distance(r, b, plane);
            if (da >= 0)
                kept[out++] = a;
            if ((da >= 0) != (db >= 0) && out < POLYGON_MAX) {
                uint32_t *made = r->made + (size_t)r->made_count++ * r->vertex_words;
                /* From the inside out, so that neighbours that share an edge get the same vertex. */
                if (da >= 0)
                    between(r, a, b, da / (da - db), made);
                else
                    between(r, b, a, db / (db - da), made);
                kept[out++] = made;
            }
        }
        memcpy(polygon, kept, out * sizeof *kept);
        count = out;
    }
    return count;
}

/* ---- triangles ---- */

/* A corner on the screen: snapped position, depth, 1/w. */
typedef struct corner {
    const uint32_t *words;
    int64_t x, y; /* 1/256 pixel; a pixel's centre at its whole number */
    double z, inverse_w;
} corner;

static corner place(const iri_raster *r, const uint32_t *words)
{
    const iri_draw *d = r->draw;
    const uint32_t *p = words + r->position * 4;
    double w = word_float(p[3]), x = word_float(p[0]) / w, y = word_float(p[1]) / w,
           z = word_float(p[2]) / w;
    corner c = {.words = words, .inverse_w = 1 / w};
    double sx = (double)d->x + (x * 0.5 + 0.5) * (double)d->width,
           sy = (double)d->y + (0.5 - y * 0.5) * (double)d->height;
    c.x = (int64_t)floor(sx * 256 + 0.5) - r->centre;
    c.y = (int64_t)floor(sy * 256 + 0.5) - r->centre;
    z = r->symmetric_depth ? z * 0.5 + 0.5 : z;
    c.z = (double)r->min_depth + z * ((double)r->max_depth - (double)r->min_depth);
    return c;
}

/* Twice the area to the left of a -> b as seen with y down: positive for a clockwise triangle's inside. */
static int64_t edge(const corner *a, const corner *b, int64_t x, int64_t y)
{
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

/* Points on a top or left edge are inside. */
static bool is_top_left(const corner *a, const corner *b)
{
    return (a->y == b->y && b->x > a->x) || b->y < a->y;
}

static int64_t least(int64_t a, int64_t b, int64_t c)
{
    int64_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

typedef struct coverage {
    const corner *corners; /* clockwise */
    int64_t area, bias[3];
    const iri_raster_triangle *triangle;
} coverage;

/* One pixel of a quad: barycentric weights always (helpers extrapolate), coverage. */
static bool cover(const coverage *c, int64_t x, int64_t y, iri_raster_pixel *pixel)
{
    double perspective = 0;
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        int64_t e = edge(&c->corners[(i + 1) % 3], &c->corners[(i + 2) % 3], x * 256, y * 256);
        inside &= e + c->bias[i] >= 0;
        pixel->plain[i] = (double)e / (double)c->area;
        pixel->weights[i] = pixel->plain[i] * c->corners[i].inverse_w;
        perspective += pixel->weights[i];
    }
    for (int i = 0; i < 3; i++)
        pixel->weights[i] = perspective != 0 ? pixel->weights[i] / perspective : pixel->plain[i];
    pixel->w = perspective != 0 ? 1 / perspective : 0;
    pixel->z = 0;
    for (int i = 0; i < 3; i++)
        pixel->z += pixel->plain[i] * c->corners[i].z;
    pixel->x = (int32_t)x;
    pixel->y = (int32_t)y;
    return inside;
}

static void fill_triangle(iri_raster *r, const coverage *c)
{
    const iri_draw *d = r->draw;
    const corner *k = c->corners;
    int64_t left = clamp(d->x < 0 ? 0 : (int64_t)d->x, 0, d->target_width);
    int64_t top = clamp(d->y < 0 ? 0 : (int64_t)d->y, 0, d->target_height);
    int64_t right = clamp((int64_t)ceilf(d->x + d->width), 0, d->target_width) - 1;
    int64_t bottom = clamp((int64_t)ceilf(d->y + d->height), 0, d->target_height) - 1;
    int64_t x0 = clamp((least(k[0].x, k[1].x, k[2].x) >> 8) - 1, left, right + 1);
    int64_t y0 = clamp((least(k[0].y, k[1].y, k[2].y) >> 8) - 1, top, bottom + 1);
    int64_t x1 = clamp((-least(-k[0].x, -k[1].x, -k[2].x) >> 8) + 1, left - 1, right);
    int64_t y1 = clamp((-least(-k[0].y, -k[1].y, -k[2].y) >> 8) + 1, top - 1, bottom);
    for (int64_t y = y0 & ~INT64_C(1); y <= y1; y += 2) {
        for (int64_t x = x0 & ~INT64_C(1); x <= x1; x += 2) {
            iri_raster_pixel quad[4];
            uint32_t covered = 0;
            for (int i = 0; i < 4; i++) {
                int64_t px = x + (i & 1), py = y + (i >> 1);
                bool in = cover(c, px, py, &quad[i]) && px >= left && px <= right && py >= top &&
                          py <= bottom;
                covered |= (uint32_t)in << i;
            }
            if (covered)
                iri_raster_add_quad(r, c->triangle, quad, covered);
        }
    }
}

/* One triangle of a clipped polygon. */
static void draw_triangle(iri_raster *r, iri_raster_triangle *t)
{
    corner k[3];
    coverage c = {.corners = k, .triangle = t};
    for (int i = 0; i < 3; i++)
        k[i] = place(r, t->corners[i]);
    c.area = edge(&k[0], &k[1], k[2].x, k[2].y);
    if (!c.area)
        return;
    bool clockwise = c.area > 0;
    if (r->draw->cull == (clockwise ? IRI_CULL_CLOCKWISE : IRI_CULL_COUNTER_CLOCKWISE)) {
        r->counts->culled++;
        return;
    }
    t->front = clockwise != r->draw->front_counter_clockwise;
    if (!clockwise) {
        corner other = k[1];
        k[1] = k[2];
        k[2] = other;
        c.area = -c.area;
    }
    for (int i = 0; i < 3; i++) {
        t->corners[i] = k[i].words;
        c.bias[i] = is_top_left(&k[(i + 1) % 3], &k[(i + 2) % 3]) ? 0 : -1;
    }
    fill_triangle(r, &c);
}

static void draw_primitive(iri_raster *r, uint32_t number, const uint32_t vertices[3])
{
    const uint32_t *polygon[POLYGON_MAX + 1];
    iri_raster_triangle t = {.primitive = number};
    for (int i = 0; i < 3; i++) {
        if (vertices[i] >= r->draw->vertex_count)
            iri_fail(r->ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET,
                     "triangle %u uses vertex %u of %u", (unsigned)number, (unsigned)vertices[i],
                     (unsigned)r->draw->vertex_count);
        polygon[i] = vertex_words(r, vertices[i]);
    }
    t.provoking = polygon[0];
    r->counts->triangles++;
    r->made_count = 0;
    uint32_t count = clip(r, polygon);
    if (r->made_count)
        r->counts->clipped++;
    for (uint32_t i = 1; i + 1 < count; i++) {
        t.corners[0] = polygon[0];
        t.corners[1] = polygon[i];
        t.corners[2] = polygon[i + 1];
        draw_triangle(r, &t);
    }
}

/* ---- a draw ---- */

static void find_vertex_outputs(iri_raster *r)
{
    const iri_interface *io = &r->draw->vertex.exec->program->interface;
    r->position = IRI_NOT_FOUND;
    for (uint32_t i = 0; i < io->output_count; i++) {
        if (io->outputs[i].system_value == IRI_SV_POSITION)
            r->position = i;
        for (uint32_t k = 0; k < IRI_TYPE_LANES(io->outputs[i].type); k++)
            if (io->outputs[i].system_value == IRI_SV_CLIP_DISTANCE && r->clip_count < 8)
                r->clip_words[r->clip_count++] = i * 4 + k;
    }
    if (r->position == IRI_NOT_FOUND)
        iri_fail(r->ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET,
                 "the vertex program gives no position");
}

static void check_draw(iri_ctx *ctx, const iri_draw *d)
{
    if (!d->vertex.exec || !d->pixel.exec || d->vertex.exec->program->stage != IRI_STAGE_VERTEX ||
        d->pixel.exec->program->stage != IRI_STAGE_PIXEL)
        iri_fail(ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET,
                 "a draw needs a vertex and a pixel program");
    if (!(d->width > 0 && d->height > 0 && d->width <= 32768 && d->height <= 32768 &&
          fabsf(d->x) <= 32768 && fabsf(d->y) <= 32768) ||
        d->target_width > 32768 || d->target_height > 32768)
        iri_fail(ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET,
                 "a viewport or target without size, or above 32768");
}

void iri_draw_run(iri_ctx *ctx, iri_arena *scratch, const iri_draw *draw, iri_draw_counts *counts)
{
    iri_raster r = {.ctx = ctx, .scratch = scratch, .draw = draw, .counts = counts};
    check_draw(ctx, draw);
    const iri_conventions *conventions = &draw->vertex.exec->program->conventions;
    r.symmetric_depth = conventions->clip_depth == IRI_CLIP_DEPTH_MINUS_ONE_TO_ONE;
    r.centre = conventions->pixel_centre == IRI_PIXEL_CENTRE_INTEGER ? 0 : 128;
    r.min_depth = draw->min_depth;
    r.max_depth = draw->min_depth == 0 && draw->max_depth == 0 ? 1 : draw->max_depth;
    find_vertex_outputs(&r);
    run_vertices(&r);
    r.made = iri_new_array(scratch, uint32_t, (size_t)2 * PLANES_MAX * r.vertex_words + 1);
    iri_raster_begin_pixels(&r);
    uint32_t count = (draw->index_count ? draw->index_count : draw->vertex_count) / 3;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertices[3] = {i * 3, i * 3 + 1, i * 3 + 2};
        for (int k = 0; draw->indices && k < 3; k++)
            vertices[k] = draw->indices[vertices[k]];
        draw_primitive(&r, i, vertices);
    }
    iri_raster_flush(&r);
    if (r.out_of_steps)
        iri_fail(ctx, IRI_LIMIT_STEPS, IRI_NO_OFFSET, "an invocation met its step limit");
}
