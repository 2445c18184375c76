/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures: a pixel program over a rectangle of chosen varyings, or a mesh through a vertex and a pixel
 * program.
 */
#include "run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A picture as the render target holds it: RGBA floats. */
typedef struct canvas {
    uint32_t width, height;
    float *texels, *depth;
    uint64_t drawn, killed;
} canvas;

static canvas make_canvas(const run_given *given)
{
    size_t pixels = (size_t)given->width * given->height;
    canvas c = {.width = given->width, .height = given->height};
    c.texels = cli_alloc(pixels * 4 * sizeof *c.texels);
    c.depth = cli_alloc(pixels * sizeof *c.depth);
    for (size_t i = 0; i < pixels; i++) {
        for (int k = 0; k < 4; k++)
            c.texels[i * 4 + (size_t)k] = (float)given->clear[k];
        c.depth[i] = 1;
    }
    return c;
}

static void free_canvas(canvas *c)
{
    free(c->texels);
    free(c->depth);
}

/* A unorm of 8 bits, as Direct3D converts: NaN is 0, the nearest. */
static uint8_t to_byte(float value, bool srgb)
{
    double v = value > 0 ? value < 1 ? (double)value : 1 : 0;
    if (srgb)
        v = v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055;
    return (uint8_t)(v * 255 + 0.5);
}

static bool write_canvas(const canvas *c, const run_given *given)
{
    size_t pixels = (size_t)c->width * c->height;
    png_picture picture = {c->width, c->height, cli_alloc(pixels * 4)};
    for (size_t i = 0; i < pixels * 4; i++)
        picture.rgba[i] = to_byte(c->texels[i], given->srgb && i % 4 < 3);
    bool ok = png_write(given->picture, &picture, given->alpha);
    free(picture.rgba);
    return ok;
}

static bool find_target(const run_stage *stage, uint32_t target, uint32_t *output)
{
    for (uint32_t i = 0; i < stage->io->output_count; i++) {
        const iri_io *io = &stage->io->outputs[i];
        if (io->system_value != IRI_SV_TARGET || io->index != target)
            continue;
        *output = i;
        return IRI_TYPE_SCALAR(io->type) == IRI_F32 ||
               run_fault(stage->path, "render target %u holds no floats", (unsigned)target);
    }
    return run_fault(stage->path, "it writes no render target %u", (unsigned)target);
}

/* ---- what is said ---- */

static void json_program(cli_json *json, const run_stage *stage)
{
    json_open(json, NULL, '{');
    json_string(json, "file", stage->path);
    json_string(json, "stage", iri_word(IRI_WORDS_STAGE, iri_program_stage(stage->program)));
    run_json_lacking(json, stage);
    cli_notes notes = cli_collect_notes(stage->program, NULL, 0);
    json_notes(json, &notes);
    free(notes.items);
    json_close(json, '}');
}

static void json_begin_picture(cli_json *json, const run_given *given, const canvas *c)
{
    json_open(json, NULL, '{');
    json_number(json, "schema", 1);
    json_string(json, "picture", given->picture);
    json_number(json, "width", c->width);
    json_number(json, "height", c->height);
    json_number(json, "pixels", (int64_t)c->drawn);
    json_number(json, "killed", (int64_t)c->killed);
}

static void say_notes(const run_stage *stage, const run_given *given)
{
    if (given->quiet || given->json)
        return;
    cli_notes notes = cli_collect_notes(stage->program, NULL, 0);
    cli_print_notes(stage->path, &notes);
    free(notes.items);
    run_say_lacking(stage);
}

/* ---- a rectangle ---- */

/* What an input is over the rectangle. */
typedef struct field {
    const run_setting *vary; /* or NULL */
    double constant[4];
    size_t constant_count;
    uint8_t system_value;
} field;

typedef struct rectangle {
    run_stage *stage;
    const run_given *given;
    field *fields;
    iri_exec_array *inputs, *outputs;
    uint8_t *flags;
    uint32_t target, count; /* count: invocations of a band, two rows of pixels */
    run_trace trace;
} rectangle;

static bool find_field(rectangle *r, uint32_t input)
{
    const iri_io *io = &r->stage->io->inputs[input];
    field *f = &r->fields[input];
    f->system_value = io->system_value;
    const run_setting *constant = run_setting_of(r->stage, &r->given->lists[RUN_IN], input);
    f->vary = run_setting_of(r->stage, &r->given->lists[RUN_VARY], input);
    if (constant && constant->row_count != 1)
        return run_fault(constant->where, "a picture takes one list of numbers, or --vary");
    if (constant) {
        memcpy(f->constant, constant->rows[0].numbers, constant->rows[0].count * sizeof(double));
        f->constant_count = constant->rows[0].count;
    }
    bool found = f->vary || constant;
    if (found)
        f->system_value = IRI_SV_NONE;
    if (!found && f->system_value == IRI_SV_NONE && io->used) {
        char *name = run_io_name(io);
        run_lacks(r->stage, RUN_LACKS_INPUT, name);
        free(name);
    }
    return true;
}

/* Two corners: x from left to right, y from top to bottom, the rest along the diagonal. Three: upper left,
 * upper right, lower left. Four: with the lower right, bilinear. */
static size_t vary_at(const run_setting *s, double x, double y, double out[4])
{
    size_t lanes = 4;
    for (size_t i = 0; i < s->row_count; i++)
        lanes = s->rows[i].count < lanes ? s->rows[i].count : lanes;
    for (size_t k = 0; k < lanes; k++) {
        double a = s->rows[0].numbers[k], b = s->rows[1].numbers[k];
        if (s->row_count == 2) {
            out[k] = a + (b - a) * (k == 0 ? x : k == 1 ? y : (x + y) / 2);
            continue;
        }
        double c = s->rows[2].numbers[k];
        double d = s->row_count == 4 ? s->rows[3].numbers[k] : b + c - a;
        out[k] = a + (b - a) * x + (c - a) * y + (a - b - c + d) * x * y;
    }
    return lanes;
}

static bool fill_pixel(rectangle *r, uint32_t x, uint32_t y, uint32_t invocation)
{
    const run_given *given = r->given;
    double half =
        iri_program_conventions(r->stage->program)->pixel_centre == IRI_PIXEL_CENTRE_HALF ? 0.5 : 0;
    for (uint32_t i = 0; i < r->stage->io->input_count; i++) {
        const field *f = &r->fields[i];
        double numbers[4] = {0};
        size_t count = 4;
        if (f->vary) {
            count = vary_at(f->vary, (x + 0.5) / given->width, (y + 0.5) / given->height, numbers);
        } else if (f->system_value == IRI_SV_POSITION) {
            numbers[0] = x + half;
            numbers[1] = y + half;
            numbers[3] = 1;
        } else if (f->system_value == IRI_SV_IS_FRONT_FACE) {
            numbers[0] = 1;
        } else {
            memcpy(numbers, f->constant, sizeof numbers);
            count = f->constant_count;
        }
        if (!run_store(r->stage, &r->stage->io->inputs[i], numbers, count,
                       (uint8_t *)r->inputs[i].data + (size_t)invocation * RUN_ELEMENT))
            return false;
    }
    return true;
}

/* The colours of a band; killed pixels leave the canvas as it is. */
static void keep_band(const rectangle *r, uint32_t top, canvas *c)
{
    const iri_io *io = &r->stage->io->outputs[r->target];
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t x = i / 4 * 2 + i % 2, y = top + i % 4 / 2;
        if (x >= c->width || y >= c->height)
            continue;
        if (r->flags[i] & IRI_INVOCATION_KILLED) {
            c->killed++;
            continue;
        }
        c->drawn++;
        float *to = c->texels + ((size_t)y * c->width + x) * 4;
        const uint8_t *from = (const uint8_t *)r->outputs[r->target].data + (size_t)i * RUN_ELEMENT;
        for (uint32_t k = 0; k < 4; k++)
            to[k] = k == 3 ? 1 : 0;
        for (uint32_t k = 0; k < IRI_TYPE_LANES(io->type); k++)
            memcpy(&to[k], from + k * RUN_LANE, sizeof *to);
    }
}

static bool run_band(rectangle *r, uint32_t top, canvas *c)
{
    const run_given *given = r->given;
    iri_refusal why;
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t x = i / 4 * 2 + i % 2, y = top + i % 4 / 2;
        r->flags[i] = x >= c->width || y >= c->height ? IRI_INVOCATION_HELPER : 0;
        if (!fill_pixel(r, x, y, i))
            return false;
    }
    bool traced = given->trace && given->trace_y / 2 == top / 2;
    iri_exec_batch batch = {.count = r->count,
                            .inputs = r->inputs,
                            .outputs = r->outputs,
                            .resources = r->stage->resources,
                            .resource_count = r->stage->io->resource_count,
                            .state = &cli_lift_given.state,
                            .flags = r->flags,
                            .step_limit = given->step_limit,
                            .trace = traced ? run_trace_event : NULL,
                            .trace_user = &r->trace,
                            .trace_invocation = given->trace_x / 2 * 4 + given->trace_x % 2 +
                                                given->trace_y % 2 * 2};
    if (iri_exec_run(r->stage->exec, &batch, &why) != IRI_OK)
        return cli_refused(&why, r->stage->path) == CLI_OK;
    keep_band(r, top, c);
    return true;
}

static bool say_rectangle(rectangle *r, const canvas *c)
{
    const run_given *given = r->given;
    say_notes(r->stage, given);
    if (!given->json)
        return !given->trace || run_trace_print(&r->trace);
    cli_json json = {0};
    json_begin_picture(&json, given, c);
    json_open(&json, "programs", '[');
    json_program(&json, r->stage);
    json_close(&json, ']');
    if (given->trace && !run_trace_json(&r->trace, &json)) {
        free(json.data);
        return false;
    }
    json_close(&json, '}');
    return json_finish(&json, NULL);
}

bool run_rectangle(run_stage *pixel, const run_given *given)
{
    rectangle r = {.stage = pixel, .given = given, .trace = {.stage = pixel}};
    const iri_interface *io = pixel->io;
    if (!find_target(pixel, given->target, &r.target) ||
        !run_check_names(pixel, &given->lists[RUN_IN]) ||
        !run_check_names(pixel, &given->lists[RUN_VARY]))
        return false;
    if (given->trace && (given->trace_x >= given->width || given->trace_y >= given->height))
        return run_fault("--trace-pixel", "the picture has %u by %u pixels, counted from 0",
                         (unsigned)given->width, (unsigned)given->height);
    r.count = (given->width + 1) / 2 * 4;
    r.fields = cli_alloc((io->input_count + 1) * sizeof *r.fields);
    r.inputs = run_make_arrays(io->input_count, r.count);
    r.outputs = run_make_arrays(io->output_count, r.count);
    r.flags = cli_alloc(r.count);
    canvas c = make_canvas(given);
    bool ok = true;
    for (uint32_t i = 0; ok && i < io->input_count; i++)
        ok = find_field(&r, i);
    for (uint32_t y = 0; ok && y < given->height; y += 2)
        ok = run_band(&r, y, &c);
    ok = ok && write_canvas(&c, given) && say_rectangle(&r, &c);
    free_canvas(&c);
    run_free_arrays(r.inputs, io->input_count);
    run_free_arrays(r.outputs, io->output_count);
    free(r.fields);
    free(r.flags);
    run_trace_free(&r.trace);
    return ok;
}

/* ---- a mesh ---- */

static bool same_semantic(const char *a, const char *b)
{
    for (;; a++, b++) {
        char x = *a >= 'a' && *a <= 'z' ? (char)(*a - 32) : *a;
        if (x != *b || !x)
            return x == *b;
    }
}

/* The numbers of one input of the vertex program: --in's, the mesh's, or none. */
static bool find_vertex_input(run_stage *stage, uint32_t input, const mesh *m,
                              const run_given *given, iri_exec_array *out)
{
    const iri_io *io = &stage->io->inputs[input];
    const run_setting *found = run_setting_of(stage, &given->lists[RUN_IN], input);
    if (found) {
        if (found->row_count != 1)
            return run_fault(found->where, "a mesh takes one list of numbers for all vertices");
        *out = (iri_exec_array){cli_alloc(RUN_ELEMENT), 0, RUN_LANE};
        return run_store(stage, io, found->rows[0].numbers, found->rows[0].count, out->data);
    }
    for (int i = 0; io->index == 0 && i < MESH_ATTRIBUTE_COUNT; i++) {
        if (!same_semantic(io->name, mesh_semantics[i]))
            continue;
        if (IRI_TYPE_SCALAR(io->type) != IRI_F32)
            return run_unreadable(stage->path, "%s0 takes no floats", io->name);
        size_t bytes = (size_t)m->vertex_count * sizeof *m->attributes[i];
        *out = (iri_exec_array){cli_alloc(bytes), sizeof *m->attributes[i], 0};
        memcpy(out->data, m->attributes[i], bytes);
        return true;
    }
    if (io->used) {
        char *name = run_io_name(io);
        run_lacks(stage, RUN_LACKS_INPUT, name);
        free(name);
    }
    return true;
}

static bool say_mesh(const run_stage *vertex, const run_stage *pixel, const run_given *given,
                     const canvas *c, const iri_draw_counts *counts)
{
    say_notes(vertex, given);
    say_notes(pixel, given);
    if (!counts->pixels && !given->quiet && !given->json)
        fprintf(stderr,
                "iridia run: note: no pixel was drawn; triangles: %llu, clipped %llu, culled %llu; "
                "pixels killed: %llu\n",
                (unsigned long long)counts->triangles, (unsigned long long)counts->clipped,
                (unsigned long long)counts->culled, (unsigned long long)counts->killed);
    if (!given->json)
        return true;
    cli_json json = {0};
    json_begin_picture(&json, given, c);
    json_number(&json, "vertices", (int64_t)counts->vertices);
    json_number(&json, "triangles", (int64_t)counts->triangles);
    json_number(&json, "clipped", (int64_t)counts->clipped);
    json_number(&json, "culled", (int64_t)counts->culled);
    json_number(&json, "depthFailed", (int64_t)counts->depth_failed);
    json_open(&json, "programs", '[');
    json_program(&json, vertex);
    json_program(&json, pixel);
    json_close(&json, ']');
    json_close(&json, '}');
    return json_finish(&json, NULL);
}

static iri_draw_stage draw_stage(const run_stage *stage)
{
    return (iri_draw_stage){stage->exec, stage->resources, stage->io->resource_count,
                            &cli_lift_given.state};
}

static bool draw(run_stage *vertex, run_stage *pixel, const run_given *given, const mesh *m,
                 iri_exec_array *inputs)
{
    iri_draw_counts counts = {0};
    iri_refusal why;
    canvas c = make_canvas(given);
    bool ok = true;
    for (uint32_t i = 0; ok && i < vertex->io->input_count; i++)
        ok = find_vertex_input(vertex, i, m, given, &inputs[i]);
    iri_draw d = {.vertex = draw_stage(vertex),
                  .pixel = draw_stage(pixel),
                  .vertex_inputs = inputs,
                  .vertex_count = m->vertex_count,
                  .indices = m->indices,
                  .index_count = m->index_count,
                  .pitch = (size_t)c.width * 4,
                  .depth = c.depth,
                  .depth_pitch = c.width,
                  .target_width = c.width,
                  .target_height = c.height,
                  .width = (float)c.width,
                  .height = (float)c.height,
                  .depth_compare = IRI_COMPARE_LESS_EQUAL,
                  .depth_write = true,
                  .cull = (uint8_t)given->cull,
                  .step_limit = given->step_limit};
    d.targets[given->target] = c.texels;
    if (ok && iri_draw_triangles(&d, &counts, &why) != IRI_OK)
        ok = cli_refused(&why, vertex->path) == CLI_OK;
    c.drawn = counts.pixels;
    c.killed = counts.killed;
    ok = ok && write_canvas(&c, given) && say_mesh(vertex, pixel, given, &c, &counts);
    free_canvas(&c);
    return ok;
}

bool run_mesh(run_stage *vertex, run_stage *pixel, const run_given *given)
{
    uint32_t target;
    mesh m;
    if (!find_target(pixel, given->target, &target) ||
        !run_check_names(vertex, &given->lists[RUN_IN]) || !mesh_make(given->mesh, &m))
        return false;
    iri_exec_array *inputs = cli_alloc((vertex->io->input_count + 1) * sizeof *inputs);
    bool ok = draw(vertex, pixel, given, &m, inputs);
    for (uint32_t i = 0; i < vertex->io->input_count; i++)
        free(inputs[i].data);
    free(inputs);
    mesh_free(&m);
    return ok;
}
