/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing a pixel program over a whole target with a Vulkan driver, both stages' SPIR-V written by iridia.
 */
#ifndef IRI_BENCH_DRAW_H
#define IRI_BENCH_DRAW_H

#include <iridia/iridia.h>

/* A varying's lane is at pixel (x, y): x * plane[0] + y * plane[1] + plane[2]. */
typedef float draw_plane[3];

typedef struct draw_scene {
    const iri_program
        *pixel; /* inputs TEXCOORD0 and TEXCOORD1, a constant buffer, textures and samplers */
    uint32_t width, height, rounds;
    const draw_plane (*varyings)[4]; /* two */
    const void *constants;
    size_t constant_size;
    const iri_exec_texture *texture; /* for every texture of the program */
    const iri_sampler *sampler;
    bool bytes; /* target and texture of 8-bit channels; otherwise 32-bit floats */
} draw_scene;

/* Of one draw, the fastest of the rounds in seconds. `cpu`: what the process' threads were busy, which another
 * process' share of the core does not change. */
typedef struct draw_times {
    double cpu, wall, timestamps;
} draw_times;

/* False and a reason where there is no driver. `name`: what the driver calls itself. */
bool draw_open(char name[256], const char **why);
/* Draws; `picture` (four floats a pixel) is filled unless it is NULL or the target is of bytes. */
draw_times draw_measure(const draw_scene *scene, float *picture);
void draw_close(void);

#endif
