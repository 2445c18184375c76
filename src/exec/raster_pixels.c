/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quads of pixels: gathered over triangles until there are enough, run together, then tested against depth and
 * written one after another in the order they came, so that overlapping triangles do what they would alone.
 */
#include "exec/raster.h"

static iri_raster_link find_link(const iri_raster *r, const iri_io *input)
{
    const iri_program *vertex = r->draw->vertex.exec->program;
    iri_raster_link link = {.output = IRI_NOT_FOUND,
                            .system_value = input->system_value,
                            .interpolation = input->interpolation};
    if (input->system_value == IRI_SV_NONE || input->system_value == IRI_SV_CLIP_DISTANCE ||
        input->system_value == IRI_SV_CULL_DISTANCE)
        link.output = iri_find_output(vertex, input->name, input->index);
    if (iri_scalar_bits(IRI_TYPE_SCALAR(input->type)) != 32 &&
        IRI_TYPE_SCALAR(input->type) != IRI_BOOL)
        iri_fail(r->ctx, IRI_INVALID_ARGUMENT, input->offset,
                 "input %s%u has no 32-bit lanes to interpolate", input->name,
                 (unsigned)input->index);
    return link;
}

void iri_raster_begin_pixels(iri_raster *r)
{
    const iri_interface *io = &r->draw->pixel.exec->program->interface;
    r->links = iri_new_array(r->scratch, iri_raster_link, io->input_count + 1u);
    r->inputs = iri_new_array(r->scratch, iri_exec_array, io->input_count + 1u);
    r->outputs = iri_new_array(r->scratch, iri_exec_array, io->output_count + 1u);
    r->pixels = iri_new_array(r->scratch, iri_raster_pixel, IRI_RASTER_BATCH);
    r->flags = iri_new_array(r->scratch, uint8_t, IRI_RASTER_BATCH);
    r->depth_output = IRI_NOT_FOUND;
    for (uint32_t i = 0; i < IRI_RASTER_TARGETS; i++)
        r->target_outputs[i] = IRI_NOT_FOUND;
    for (uint32_t i = 0; i < io->input_count; i++) {
        r->links[i] = find_link(r, &io->inputs[i]);
        r->inputs[i] =
            (iri_exec_array){iri_new_array(r->scratch, uint32_t, IRI_RASTER_BATCH * 4), 16, 0};
    }
    for (uint32_t i = 0; i < io->output_count; i++) {
        r->outputs[i] =
            (iri_exec_array){iri_new_array(r->scratch, uint64_t, IRI_RASTER_BATCH * 4), 32, 0};
        if (io->outputs[i].system_value == IRI_SV_TARGET &&
            io->outputs[i].index < IRI_RASTER_TARGETS)
            r->target_outputs[io->outputs[i].index] = i;
        if (io->outputs[i].system_value == IRI_SV_DEPTH)
            r->depth_output = i;
    }
}

/* ---- inputs ---- */

static uint32_t float_word(double x)
{
    iri_cell c;
    c.f = (float)x;
    return c.u;
}

static void interpolate(const iri_raster_triangle *t, const iri_raster_link *link,
                        const iri_raster_pixel *p, uint32_t out[4])
{
    bool plain = link->interpolation >= IRI_INTERPOLATION_NO_PERSPECTIVE &&
                 link->interpolation <= IRI_INTERPOLATION_NO_PERSPECTIVE_SAMPLE;
    const double *weights = plain ? p->plain : p->weights;
    size_t at = (size_t)link->output * 4;
    if (link->interpolation == IRI_INTERPOLATION_FLAT) {
        memcpy(out, t->provoking + at, 4 * sizeof *out);
        return;
    }
    for (uint32_t k = 0; k < 4; k++) {
        double sum = 0;
        for (int i = 0; i < 3; i++)
            sum += weights[i] * (double)(iri_cell){t->corners[i][at + k]}.f;
        out[k] = float_word(sum);
    }
}

static void system_value(const iri_raster *r, const iri_raster_triangle *t, const iri_io *input,
                         const iri_raster_pixel *p, uint32_t out[4])
{
    const iri_program *pixel = r->draw->pixel.exec->program;
    double centre = pixel->conventions.pixel_centre == IRI_PIXEL_CENTRE_INTEGER ? 0 : 0.5;
    iri_scalar scalar = IRI_TYPE_SCALAR(input->type);
    memset(out, 0, 4 * sizeof *out);
    switch (input->system_value) {
    case IRI_SV_POSITION:
        out[0] = float_word(p->x + centre);
        out[1] = float_word(p->y + centre);
        out[2] = float_word(p->z);
        out[3] = float_word(p->w);
        break;
    case IRI_SV_IS_FRONT_FACE:
        out[0] = scalar == IRI_F32 ? float_word(t->front ? 1 : -1)
                 : t->front        ? (scalar == IRI_BOOL ? 1 : UINT32_MAX)
                                   : 0;
        break;
    case IRI_SV_PRIMITIVE_ID: out[0] = t->primitive; break;
    case IRI_SV_COVERAGE: out[0] = 1; break;
    default: break;
    }
}

void iri_raster_add_quad(iri_raster *r, const iri_raster_triangle *t,
                         const iri_raster_pixel quad[4], uint32_t covered)
{
    const iri_interface *io = &r->draw->pixel.exec->program->interface;
    if (r->pending + 4 > IRI_RASTER_BATCH)
        iri_raster_flush(r);
    for (uint32_t i = 0; i < 4; i++, r->pending++) {
        r->pixels[r->pending] = quad[i];
        r->flags[r->pending] = covered >> i & 1u ? 0 : IRI_INVOCATION_HELPER;
        for (uint32_t k = 0; k < io->input_count; k++) {
            uint32_t *out = (uint32_t *)r->inputs[k].data + (size_t)r->pending * 4;
            if (r->links[k].output != IRI_NOT_FOUND)
                interpolate(t, &r->links[k], &quad[i], out);
            else
                system_value(r, t, &io->inputs[k], &quad[i], out);
        }
    }
    r->counts->quads++;
}

/* ---- outputs ---- */

static const float *result(const iri_raster *r, uint32_t output, uint32_t i)
{
    return (const float *)(const void *)((const uint8_t *)r->outputs[output].data + (size_t)i * 32);
}

static bool passes(uint32_t function, float new_depth, float old_depth)
{
    switch (function) {
    case IRI_COMPARE_NEVER: return false;
    case IRI_COMPARE_LESS: return new_depth < old_depth;
    case IRI_COMPARE_EQUAL: return new_depth == old_depth;
    case IRI_COMPARE_LESS_EQUAL: return new_depth <= old_depth;
    case IRI_COMPARE_GREATER: return new_depth > old_depth;
    case IRI_COMPARE_NOT_EQUAL: return new_depth != old_depth;
    case IRI_COMPARE_GREATER_EQUAL: return new_depth >= old_depth;
    default: return true;
    }
}

/* The pixel's depth in the viewport's range: its own where the program gives one. */
static float depth_of(const iri_raster *r, uint32_t i)
{
    float z = (float)r->pixels[i].z;
    float low = r->min_depth < r->max_depth ? r->min_depth : r->max_depth;
    float high = r->min_depth < r->max_depth ? r->max_depth : r->min_depth;
    if (r->depth_output != IRI_NOT_FOUND)
        z = result(r, r->depth_output, i)[0];
    return z > low ? (z < high ? z : high) : low;
}

static void store_pixel(iri_raster *r, uint32_t i)
{
    const iri_draw *d = r->draw;
    const iri_raster_pixel *p = &r->pixels[i];
    if (r->flags[i] & IRI_INVOCATION_HELPER)
        return;
    if (r->flags[i] & (IRI_INVOCATION_KILLED | IRI_INVOCATION_STEPS)) {
        r->counts->killed++;
        return;
    }
    if (d->depth) {
        float *at = d->depth + (size_t)p->y * (d->depth_pitch ? d->depth_pitch : d->target_width) +
                    (size_t)p->x;
        float z = depth_of(r, i);
        if (!passes(d->depth_compare, z, *at)) {
            r->counts->depth_failed++;
            return;
        }
        *at = d->depth_write ? z : *at;
    }
    r->counts->pixels++;
    for (uint32_t k = 0; k < IRI_RASTER_TARGETS; k++) {
        const iri_interface *io = &d->pixel.exec->program->interface;
        uint32_t output = r->target_outputs[k];
        if (!d->targets[k] || output == IRI_NOT_FOUND)
            continue;
        float *to = d->targets[k] +
                    (size_t)p->y * (d->pitch ? d->pitch : (size_t)d->target_width * 4) +
                    (size_t)p->x * 4;
        memcpy(to, result(r, output, i), IRI_TYPE_LANES(io->outputs[output].type) * sizeof *to);
    }
}

void iri_raster_flush(iri_raster *r)
{
    const iri_draw *d = r->draw;
    iri_exec_batch batch = {.count = r->pending,
                            .inputs = r->inputs,
                            .outputs = r->outputs,
                            .resources = d->pixel.resources,
                            .resource_count = d->pixel.resource_count,
                            .state = d->pixel.state,
                            .flags = r->flags,
                            .step_limit = d->step_limit};
    iri_arena_mark mark = iri_arena_get_mark(r->scratch);
    uint32_t stopped;
    r->out_of_steps |= !iri_exec_execute(r->ctx, r->scratch, d->pixel.exec, &batch, NULL, &stopped);
    iri_arena_rewind(r->scratch, mark);
    for (uint32_t i = 0; i < r->pending; i++)
        store_pixel(r, i);
    r->pending = 0;
}
