/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A draw in progress: raster.c makes quads, raster_pixels.c runs them.
 */
#ifndef IRI_EXEC_RASTER_H
#define IRI_EXEC_RASTER_H

#include "exec/exec.h"

enum { IRI_RASTER_BATCH = 4096, IRI_RASTER_TARGETS = 8 };

/* A triangle's corners as the words of all vertex outputs, four an output. */
typedef struct iri_raster_triangle {
    const uint32_t *corners[3], *provoking;
    uint32_t primitive;
    bool front;
} iri_raster_triangle;

/* A pixel of a quad: weights of the corners, perspective-correct and plain. */
typedef struct iri_raster_pixel {
    double weights[3], plain[3], z, w;
    int32_t x, y;
} iri_raster_pixel;

/* Where a pixel input comes from. */
typedef struct iri_raster_link {
    uint32_t output; /* of the vertex program, or IRI_NOT_FOUND */
    uint8_t system_value, interpolation;
} iri_raster_link;

typedef struct iri_raster {
    iri_ctx *ctx;
    iri_arena *scratch;
    const iri_draw *draw;
    iri_draw_counts *counts;
    bool out_of_steps;

    uint32_t *vertices, vertex_words; /* words a vertex */
    uint32_t position, clip_words[8], clip_count;
    uint32_t *made, made_count; /* vertices that clipping makes */
    bool symmetric_depth;
    int64_t centre;
    float min_depth, max_depth;

    iri_raster_link *links; /* by pixel input */
    iri_exec_array *inputs, *outputs;
    uint32_t pending; /* invocations gathered */
    iri_raster_pixel *pixels;
    uint8_t *flags;
    uint32_t target_outputs[IRI_RASTER_TARGETS], depth_output;
} iri_raster;

void iri_raster_begin_pixels(iri_raster *r);
/* `covered`: a bit for each of the four; the others are helpers. */
void iri_raster_add_quad(iri_raster *r, const iri_raster_triangle *t,
                         const iri_raster_pixel quad[4], uint32_t covered);
void iri_raster_flush(iri_raster *r);

#endif
