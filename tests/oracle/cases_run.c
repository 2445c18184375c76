/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cases that run a Direct3D 9 shader and look at numbers: one draw and one probed pixel. Rules of the pipeline
 * between the shaders are Microsoft's: a vertex without a diffuse colour is white and everything else that no
 * stage gives is 0; pixel centres lie at whole numbers.
 */
#include "tests/oracle/run_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATES = 64,
    FLOATS = 8192,
    INTS = 2048,
    STAGES = 20, /* vertex samplers are numbered 0 to 3, pixel samplers 0 to 15 */
    IO = 64,
    LANES = 4,
    QUAD = 4
};

typedef struct picture {
    iri_exec_texture texture;
    iri_exec_sampler sampler;
    float *texels;
    bool bound;
} picture;

/* A shader with what is bound to it, and its numbers for the four pixels of a quad. */
typedef struct stage {
    bytes shader;
    iri_program *p;
    const iri_interface *io;
    float floats[FLOATS][LANES];
    int32_t ints[INTS][LANES];
    uint32_t bools[INTS];
    picture pictures[STAGES];
    uint32_t in[IO][QUAD][LANES], out[IO][QUAD][LANES];
    uint8_t flags[QUAD];
} stage;

static bool fail(char why[CASE_WHY], const char *what, const char *detail)
{
    snprintf(why, CASE_WHY, "%s%s%s", what, detail ? ": " : "", detail ? detail : "");
    return false;
}

static bool refuse(char why[CASE_WHY], const iri_refusal *refusal)
{
    iri_refusal_line(refusal, NULL, why, CASE_WHY);
    return false;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- numbers of the case ---- */

/* Up to `count` numbers of an array, or one of a plain number. */
static uint32_t numbers(const json *j, const json_node *from, double *to, uint32_t count)
{
    uint32_t n = 0;
    if (from && (from->kind == JSON_NUMBER || from->kind == JSON_BOOL) && count) {
        to[n++] = from->number;
    } else if (from && from->kind == JSON_ARRAY) {
        for (const json_node *v = json_first(j, from); v && n < count; v = json_next(j, v))
            to[n++] = v->number;
    }
    return n;
}

static void read_constants(const json *j, const json_node *c, const char *prefix, stage *s)
{
    char key[16];
    double v[LANES];
    snprintf(key, sizeof key, "%s_f", prefix);
    for (const json_node *r = json_first(j, json_get(j, c, key)); r; r = json_next(j, r))
        for (uint32_t reg = (uint32_t)atoi(r->key), n = numbers(j, r, v, LANES), k = 0;
             k < n && reg < FLOATS; k++)
            s->floats[reg][k] = (float)v[k];
    snprintf(key, sizeof key, "%s_i", prefix);
    for (const json_node *r = json_first(j, json_get(j, c, key)); r; r = json_next(j, r))
        for (uint32_t reg = (uint32_t)atoi(r->key), n = numbers(j, r, v, LANES), k = 0;
             k < n && reg < INTS; k++)
            s->ints[reg][k] = (int32_t)v[k];
    snprintf(key, sizeof key, "%s_b", prefix);
    for (const json_node *r = json_first(j, json_get(j, c, key)); r; r = json_next(j, r))
        if (numbers(j, r, v, 1) && atoi(r->key) < INTS)
            s->bools[atoi(r->key)] = v[0] != 0;
}

/* ---- textures ---- */

static float signed_fraction(uint32_t bits, int width)
{
    float most = width == 8 ? 127 : 32767;
    float x = width == 8 ? (float)(int8_t)bits : (float)(int16_t)bits;
    return x < -most ? -1 : x / most;
}

/* What a texel of a Direct3D format reads: channels that a format lacks are 1. */
static bool decode_texel(const char *format, uint32_t t, float to[LANES])
{
    float byte[LANES];
    for (int i = 0; i < LANES; i++) {
        byte[i] = (float)(t >> 8 * i & 255) / 255;
        to[i] = 1;
    }
    if (strcmp(format, "a8r8g8b8") == 0 || strcmp(format, "x8r8g8b8") == 0) {
        to[0] = byte[2];
        to[1] = byte[1];
        to[2] = byte[0];
        to[3] = format[0] == 'a' ? byte[3] : 1;
    } else if (strcmp(format, "v8u8") == 0) {
        to[0] = signed_fraction(t, 8);
        to[1] = signed_fraction(t >> 8, 8);
    } else if (strcmp(format, "v16u16") == 0) {
        to[0] = signed_fraction(t, 16);
        to[1] = signed_fraction(t >> 16, 16);
    } else if (strcmp(format, "l8") == 0) {
        to[0] = to[1] = to[2] = byte[0];
    } else if (strcmp(format, "a8l8") == 0) {
        to[0] = to[1] = to[2] = byte[0];
        to[3] = byte[1];
    } else if (strcmp(format, "l6v5u5") == 0) {
        to[0] = (float)((int32_t)(t << 27) >> 27) / 15;
        to[1] = (float)((int32_t)(t << 22) >> 27) / 15;
        to[2] = (float)(t >> 10 & 63) / 63;
        for (int i = 0; i < 2; i++)
            to[i] = to[i] < -1 ? -1 : to[i];
    } else if (strcmp(format, "x8l8v8u8") == 0) {
        to[0] = signed_fraction(t, 8);
        to[1] = signed_fraction(t >> 8, 8);
        to[2] = byte[2];
    } else {
        return false;
    }
    return true;
}

static iri_dimension dimension_of(const char *word)
{
    if (word && (strcmp(word, "3d") == 0 || strcmp(word, "volume") == 0))
        return IRI_DIMENSION_3D;
    return word && strcmp(word, "cube") == 0 ? IRI_DIMENSION_CUBE : IRI_DIMENSION_2D;
}

/* One texel by a formula: of the packed number, or one for each channel, 0 to 255. */
static bool generated(const json *j, const json_node *formula, const char *format,
                      const double xyz[3], float to[LANES])
{
    static const char *const channels[] = {"r", "g", "b", "a"};
    double v = 0;
    if (formula->kind == JSON_STRING)
        return formula_value(formula->text, xyz, &v) &&
               decode_texel(format, (uint32_t)(int64_t)v, to);
    for (uint32_t i = 0; i < LANES; i++) {
        const char *text = json_string(j, formula, channels[i]);
        to[i] = 1;
        if (text && !formula_value(text, xyz, &v))
            return false;
        if (text || json_get(j, formula, channels[i]))
            to[i] = (float)((text ? v : json_number(j, formula, channels[i])) / 255);
    }
    return formula->kind == JSON_OBJECT;
}

static bool read_texture(const json *j, const json_node *t, picture *p, char why[CASE_WHY])
{
    const char *format = json_string(j, t, "format");
    const json_node *formula = json_get(j, t, "generate");
    const json_node *data = json_first(j, json_get(j, t, "data"));
    iri_exec_texture *x = &p->texture;
    double size[3] = {json_number(j, t, "width"), json_number(j, t, "height"),
                      json_number(j, t, "depth")};
    for (int i = 0; i < 3; i++)
        size[i] = size[i] >= 1 && size[i] <= 4096 ? size[i] : 1;
    const char *dimension = json_string(j, t, "dim");
    *x = (iri_exec_texture){(uint32_t)dimension_of(dimension),
                            (uint32_t)size[0],
                            (uint32_t)size[1],
                            (uint32_t)size[2],
                            1,
                            1,
                            NULL};
    if (x->dimension == IRI_DIMENSION_CUBE)
        x->layers = 6, x->height = x->width;
    size_t words = iri_exec_texture_words(x);
    p->texels = calloc(words ? words : 1, sizeof *p->texels);
    x->texels = p->texels;
    if (!words || !p->texels)
        return fail(why, "a texture of no size", NULL);
    for (size_t i = 0; i * LANES < words; i++) {
        size_t row = i / x->width;
        double xyz[3] = {(double)(i % x->width), (double)(row % x->height),
                         (double)(row / x->height)};
        float *to = p->texels + i * LANES;
        if (formula ? !generated(j, formula, format ? format : "a8r8g8b8", xyz, to)
                    : !decode_texel(format ? format : "a8r8g8b8",
                                    (uint32_t)(int64_t)(data ? data->number : 0), to))
            return fail(why, "a texture of a format or formula that is not known",
                        formula && formula->text ? formula->text : format);
        data = data ? json_next(j, data) : NULL;
    }
    p->bound = true;
    return true;
}

static uint8_t address_of(const char *word)
{
    static const char *const words[] = {"wrap", "mirror", "clamp", "border", "mirroronce"};
    for (uint8_t i = 0; word && i < 5; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return word && strcmp(word, "mirror_once") == 0 ? IRI_ADDRESS_MIRROR_ONCE : IRI_ADDRESS_WRAP;
}

static void read_sampler(const json *j, const json_node *n, iri_exec_sampler *s)
{
    static const char *const axes[] = {"address_u", "address_v", "address_w"};
    const char *all = json_string(j, n, "filter");
    const char *min = json_string(j, n, "min"), *mag = json_string(j, n, "mag");
    const char *mip = json_string(j, n, "mip");
    const json_node *address = json_get(j, n, "address"), *each = json_first(j, address);
    min = min ? min : all;
    mag = mag ? mag : all;
    s->min_filter = min && strcmp(min, "point") != 0 && strcmp(min, "none") != 0;
    s->mag_filter = mag && strcmp(mag, "point") != 0 && strcmp(mag, "none") != 0;
    s->mip_filter = !mip || strcmp(mip, "none") == 0 ? IRI_MIP_NONE
                    : strcmp(mip, "point") == 0      ? IRI_MIP_POINT
                                                     : IRI_MIP_LINEAR;
    for (int i = 0; i < 3; i++) {
        const char *own = json_string(j, n, axes[i]);
        const char *word = address && address->kind == JSON_STRING ? address->text : NULL;
        if (address && address->kind == JSON_ARRAY && each) {
            word = each->text;
            each = json_next(j, each);
        }
        s->address[i] = address_of(own ? own : word);
    }
    s->lod_bias = (float)json_number(j, n, "lod_bias");
}

static bool read_pictures(const json *j, const json_node *textures, const json_node *samplers,
                          stage *s, char why[CASE_WHY])
{
    for (const json_node *t = json_first(j, textures); t; t = json_next(j, t)) {
        int at = atoi(t->key);
        if (t->kind == JSON_OBJECT && at >= 0 && at < STAGES &&
            !read_texture(j, t, &s->pictures[at], why))
            return false;
    }
    for (const json_node *n = json_first(j, samplers); n; n = json_next(j, n)) {
        int at = atoi(n->key);
        if (at >= 0 && at < STAGES)
            read_sampler(j, n, &s->pictures[at].sampler);
    }
    return true;
}

/* ---- pipeline state ---- */

static void add_state(iri_state_entry *entries, uint32_t *count, uint16_t id, int index,
                      uint32_t bits)
{
    if (*count < STATES)
        entries[(*count)++] =
            (iri_state_entry){id, (uint16_t)index, IRI_STATE_VALUE, {bits, 0, 0, 0}};
}

/* How many coordinates the lookup is projected with (D3DTTFF_COUNT3 or 4): the component by letter or place. */
static uint32_t projected(const json_node *n)
{
    if (n->kind == JSON_STRING)
        return n->text[0] == 'z' ? 3 : 4;
    return n->kind == JSON_NUMBER && n->number == 2 ? 3 : n->number != 0 ? 4 : 0;
}

static uint32_t read_state(const json *j, const json_node *c, const stage *pixel,
                           iri_state_entry entries[STATES])
{
    uint32_t count = 0;
    for (int i = 0; i < STAGES && i < 16; i++)
        if (pixel->pictures[i].texture.dimension == IRI_DIMENSION_CUBE)
            add_state(entries, &count, IRI_STATE_TEXTURE_TYPE, i, 3);
        else if (pixel->pictures[i].texture.dimension == IRI_DIMENSION_3D)
            add_state(entries, &count, IRI_STATE_TEXTURE_TYPE, i, 4);
    for (const json_node *s = json_first(j, json_get(j, c, "stages")); s; s = json_next(j, s)) {
        static const struct {
            const char *key;
            uint16_t id;
        } scalars[] = {{"bumpenvlscale", IRI_STATE_BUMP_LSCALE},
                       {"bumpenvloffset", IRI_STATE_BUMP_LOFFSET}};
        int at = atoi(s->key);
        double v[LANES] = {0};
        if (at < 0 || at > 7)
            continue;
        if (numbers(j, json_get(j, s, "bumpenvmat"), v, LANES)) {
            add_state(entries, &count, IRI_STATE_BUMP_MATRIX, at, 0);
            for (int k = 0; k < LANES; k++)
                entries[count - 1].bits[k] = bits_of((float)v[k]);
        }
        for (int k = 0; k < 2; k++)
            if (json_get(j, s, scalars[k].key))
                add_state(entries, &count, scalars[k].id, at,
                          bits_of((float)json_number(j, s, scalars[k].key)));
        const json_node *p = json_get(j, s, "projected");
        if (p && p->kind != JSON_NULL && projected(p))
            add_state(entries, &count, IRI_STATE_TEXTURE_PROJECTED, at, projected(p));
    }
    return count;
}

/* ---- a stage ---- */

static bool lift(stage *s, const iri_state *state, char why[CASE_WHY])
{
    iri_refusal refusal;
    if (iri_lift(s->shader.at, s->shader.size,
                 IRI_LIFT_OPTIONS(.state = state, .uninitialized = IRI_UNINITIALIZED_ZERO), &s->p,
                 NULL, &refusal) != IRI_OK)
        return refuse(why, &refusal);
    s->io = iri_program_interface(s->p);
    if (s->io->input_count > IO || s->io->output_count > IO)
        return fail(why, "more inputs or outputs than this runner holds", NULL);
    return true;
}

static bool run(stage *s, uint32_t count, const iri_state *state, char why[CASE_WHY])
{
    iri_exec_array in[IO], out[IO];
    iri_exec_resource bound[IO] = {{0}};
    iri_refusal refusal;
    iri_exec *exec;
    if (s->io->resource_count > IO)
        return fail(why, "more resources than this runner holds", NULL);
    for (uint32_t i = 0; i < IO; i++) {
        in[i] = (iri_exec_array){s->in[i], sizeof s->in[i][0], 0};
        out[i] = (iri_exec_array){s->out[i], sizeof s->out[i][0], 0};
    }
    for (uint32_t i = 0; i < s->io->resource_count; i++) {
        const iri_resource *r = &s->io->resources[i];
        const picture *p = &s->pictures[r->reg % STAGES];
        if (r->kind == IRI_RESOURCE_CBUFFER) {
            bound[i].data = r->reg == 0   ? (void *)s->floats
                            : r->reg == 1 ? (void *)s->ints
                                          : (void *)s->bools;
            bound[i].size = r->reg == 0   ? sizeof s->floats
                            : r->reg == 1 ? sizeof s->ints
                                          : sizeof s->bools;
        } else if (r->kind == IRI_RESOURCE_TEXTURE && p->bound) {
            bound[i].texture = &p->texture;
        } else if (r->kind == IRI_RESOURCE_SAMPLER) {
            bound[i].sampler = &p->sampler;
        }
    }
    if (iri_exec_compile(s->p, NULL, &exec, &refusal) != IRI_OK)
        return refuse(why, &refusal);
    iri_status status = iri_exec_run(exec,
                                     &(iri_exec_batch){.count = count,
                                                       .inputs = in,
                                                       .outputs = out,
                                                       .resources = bound,
                                                       .resource_count = s->io->resource_count,
                                                       .state = state,
                                                       .flags = s->flags},
                                     &refusal);
    iri_exec_free(exec);
    return status == IRI_OK || refuse(why, &refusal);
}

static void free_stage(stage *s)
{
    if (!s)
        return;
    for (int i = 0; i < STAGES; i++)
        free(s->pictures[i].texels);
    free(s->shader.at);
    iri_program_free(s->p);
    free(s);
}

/* ---- inputs ---- */

/* Whether an element is what the case calls `key`: "texcoord0", "vface", or a plain register "v0". */
static bool is_called(const iri_io *io, const char *key)
{
    size_t letters = strcspn(key, "0123456789");
    uint32_t index = (uint32_t)strtoul(key + letters, NULL, 10);
    if (strcmp(key, "vface") == 0)
        return io->system_value == IRI_SV_IS_FRONT_FACE;
    if (strcmp(key, "vpos") == 0)
        return io->system_value == IRI_SV_POSITION;
    if (letters == 1 && (key[0] == 'v' || key[0] == 't'))
        return io->reg == index && io->bank == (key[0] == 'v' ? IRI_BANK_V : IRI_BANK_T);
    if (strlen(io->name) != letters || io->index != index)
        return false;
    for (size_t i = 0; i < letters; i++)
        if ((io->name[i] | 32) != (key[i] | 32))
            return false;
    return io->system_value != IRI_SV_IS_FRONT_FACE;
}

/* Gives an input the four numbers of its register; its own lanes are those that it occupies. */
static void give(stage *s, uint32_t input, uint32_t pixel, const float v[LANES])
{
    const iri_io *io = &s->io->inputs[input];
    uint32_t lane = 0;
    if (IRI_TYPE_SCALAR(io->type) == IRI_BOOL) {
        s->in[input][pixel][0] = v[0] > 0;
        return;
    }
    for (uint32_t k = 0; k < LANES && lane < IRI_TYPE_LANES(io->type); k++)
        if (io->lanes >> k & 1)
            s->in[input][pixel][lane++] = bits_of(v[k]);
}

static bool is_diffuse(const iri_io *io)
{
    return is_called(io, "color0");
}

static void give_defaults(stage *s, const float place[2])
{
    for (uint32_t i = 0; i < s->io->input_count; i++)
        for (uint32_t pixel = 0; pixel < QUAD; pixel++) {
            const iri_io *io = &s->io->inputs[i];
            float white = is_diffuse(io) ? 1.0f : 0.0f;
            float v[LANES] = {white, white, white, white};
            if (iri_program_stage(s->p) == IRI_STAGE_PIXEL && is_called(io, "vpos")) {
                bool half = iri_program_conventions(s->p)->pixel_centre == IRI_PIXEL_CENTRE_HALF;
                v[0] = place[0] + (float)(pixel & 1) + (half ? 0.5f : 0);
                v[1] = place[1] + (float)(pixel >> 1) + (half ? 0.5f : 0);
                v[3] = 1;
            }
            give(s, i, pixel, v);
        }
}

/* `down` and `right`: what is added for the next pixel. */
static bool give_inputs(stage *s, const json *j, const json_node *from, const json_node *right,
                        const json_node *down)
{
    for (const json_node *n = json_first(j, from); n; n = json_next(j, n)) {
        double v[LANES] = {0}, dx[LANES] = {0}, dy[LANES] = {0};
        numbers(j, n, v, LANES);
        numbers(j, json_get(j, right, n->key), dx, LANES);
        numbers(j, json_get(j, down, n->key), dy, LANES);
        for (uint32_t i = 0; i < s->io->input_count; i++)
            for (uint32_t pixel = 0; pixel < QUAD && is_called(&s->io->inputs[i], n->key);
                 pixel++) {
                float f[LANES];
                for (int k = 0; k < LANES; k++)
                    f[k] = (float)(v[k] + (pixel & 1 ? dx[k] : 0) + (pixel >> 1 ? dy[k] : 0));
                give(s, i, pixel, f);
            }
    }
    return true;
}

/* The four numbers of an output's register; lanes that nothing writes are those of `v`. */
static void take_output(const stage *s, uint32_t output, float v[LANES])
{
    const iri_io *io = &s->io->outputs[output];
    uint32_t lane = 0;
    for (uint32_t k = 0; k < LANES && lane < IRI_TYPE_LANES(io->type); k++)
        if (io->lanes >> k & 1)
            v[k] = float_of(s->out[output][0][lane++]);
}

static bool find_output(const stage *s, const char *key, float v[LANES])
{
    for (uint32_t i = 0; i < s->io->output_count; i++)
        if (is_called(&s->io->outputs[i], key)) {
            take_output(s, i, v);
            return true;
        }
    return false;
}

/* The vertex program's outputs straight into the pixel program. */
static void link_stages(const stage *vertex, stage *pixel)
{
    for (uint32_t i = 0; i < pixel->io->input_count; i++) {
        const iri_io *in = &pixel->io->inputs[i];
        uint32_t k = iri_find_output(vertex->p, in->name, in->index);
        float v[LANES] = {0};
        if (k == IRI_NOT_FOUND || in->system_value != IRI_SV_NONE)
            continue;
        take_output(vertex, k, v);
        for (uint32_t n = 0; n < QUAD; n++)
            give(pixel, i, n, v);
    }
}

/* ---- what is expected ---- */

static bool matches(const json *j, const json_node *rgba, double tolerance, const float v[LANES])
{
    int i = 0;
    for (const json_node *n = json_first(j, rgba); n && i < LANES; n = json_next(j, n), i++) {
        float x = v[i] > 0 ? v[i] < 1 ? v[i] : 1 : 0;
        double byte = floor((double)x * 255 + 0.5);
        if (n->kind == JSON_NUMBER && fabs(byte - n->number) > tolerance)
            return false;
    }
    return true;
}

static bool check_colour(const json *j, const json_node *expect, const float v[LANES],
                         const char *what, char why[CASE_WHY])
{
    double tolerance = json_number(j, expect, "tol");
    const json_node *rgba = json_get(j, expect, "rgba8");
    char numbers_expected[64] = "";
    if (!rgba || matches(j, rgba, tolerance, v))
        return true;
    for (const json_node *n = json_first(j, json_get(j, expect, "also_accepted")); n;
         n = json_next(j, n))
        if (matches(j, n->kind == JSON_OBJECT ? json_get(j, n, "rgba8") : n, tolerance, v)) {
            snprintf(why, CASE_WHY, "an answer that is also accepted");
            return true;
        }
    for (const json_node *n = json_first(j, rgba); n; n = json_next(j, n)) {
        size_t at = strlen(numbers_expected);
        if (n->kind == JSON_NUMBER)
            snprintf(numbers_expected + at, sizeof numbers_expected - at, " %g", n->number);
        else
            snprintf(numbers_expected + at, sizeof numbers_expected - at, " -");
    }
    snprintf(why, CASE_WHY, "%s is %g %g %g %g; as bytes expected%s within %g", what, (double)v[0],
             (double)v[1], (double)v[2], (double)v[3], numbers_expected, tolerance);
    return false;
}

static bool check_depth(const json *j, const json_node *range, const stage *pixel,
                        char why[CASE_WHY])
{
    double bounds[2] = {0, 0};
    if (numbers(j, range, bounds, 2) != 2)
        return true;
    for (uint32_t i = 0; i < pixel->io->output_count; i++)
        if (pixel->io->outputs[i].system_value == IRI_SV_DEPTH) {
            float depth = float_of(pixel->out[i][0][0]);
            if ((double)depth >= bounds[0] && (double)depth <= bounds[1])
                return true;
            snprintf(why, CASE_WHY, "depth is %g, expected %g to %g", (double)depth, bounds[0],
                     bounds[1]);
            return false;
        }
    return fail(why, "no depth is written", NULL);
}

/* `only` names the colours that the program may write: "oC0". */
static bool check_targets(const json *j, const json_node *only, const stage *pixel,
                          char why[CASE_WHY])
{
    for (uint32_t i = 0; only && i < pixel->io->output_count; i++) {
        const iri_io *io = &pixel->io->outputs[i];
        bool named = io->system_value != IRI_SV_TARGET;
        char name[16];
        snprintf(name, sizeof name, "oC%u", (unsigned)io->index);
        for (const json_node *n = json_first(j, only); n && !named; n = json_next(j, n))
            named = n->text && strcmp(n->text, name) == 0;
        if (!named)
            return fail(why, "also written", name);
    }
    return true;
}

static bool check_pixel(const json *j, const json_node *c, const stage *pixel, char why[CASE_WHY])
{
    const json_node *expect = json_get(j, c, "expect"), *killed = json_get(j, c, "killed");
    const json_node *second = json_get(j, c, "expect_oc1"), *only = json_get(j, c, "writes_only");
    const json_node *depth = json_get(j, c, "depth_range");
    bool is_killed = pixel->flags[0] & IRI_INVOCATION_KILLED;
    bool kill = killed && killed->number != 0;
    float v[LANES] = {0};
    if (is_killed || kill)
        return is_killed == kill ||
               fail(why, is_killed ? "the pixel is killed" : "the pixel is not killed", NULL);
    if (!find_output(pixel, "sv_target0", v) && json_get(j, expect, "rgba8"))
        return fail(why, "no colour is written", NULL);
    if (!check_colour(j, expect, v, "oC0", why))
        return false;
    if (second) {
        memset(v, 0, sizeof v);
        if (!find_output(pixel, "sv_target1", v))
            return fail(why, "oC1 is not written", NULL);
        if (!check_colour(j, second, v, "oC1", why))
            return false;
    }
    return check_targets(j, only ? only : json_get(j, expect, "writes_only"), pixel, why) &&
           check_depth(j, depth ? depth : json_get(j, expect, "depth_range"), pixel, why);
}

/* ---- a case ---- */

static stage *open_stage(const char *folder, const char *id)
{
    stage *s = id ? calloc(1, sizeof *s) : NULL;
    if (s)
        s->shader = read_blob(folder, id);
    return s;
}

static bool run_stages(one_case *c, stage *vertex, stage *pixel)
{
    const json *j = c->j;
    iri_state_entry entries[STATES];
    iri_state state = {entries, 0, true};
    double place[2] = {0, 0};
    float pixel_place[2];
    if ((vertex && !vertex->shader.at) || (pixel && !pixel->shader.at) || (!vertex && !pixel))
        return fail(c->why, "no such blob", NULL);
    if (pixel && !read_pictures(j, json_get(j, c->node, "textures"),
                                json_get(j, c->node, "samplers"), pixel, c->why))
        return false;
    if (vertex && !read_pictures(j, json_get(j, c->node, "vs_textures"),
                                 json_get(j, c->node, "vs_samplers"), vertex, c->why))
        return false;
    if (pixel)
        state.count = read_state(j, c->node, pixel, entries);
    numbers(j, json_get(j, c->node, "pixel"), place, 2);
    pixel_place[0] = (float)place[0];
    pixel_place[1] = (float)place[1];
    if (vertex) {
        read_constants(j, c->node, "vs", vertex);
        if (!lift(vertex, &state, c->why))
            return false;
        give_defaults(vertex, pixel_place);
        give_inputs(vertex, j, json_get(j, c->node, "vs_in"), NULL, NULL);
        if (!run(vertex, 1, &state, c->why))
            return false;
    }
    if (!pixel) {
        const char *check = json_string(j, c->node, "check");
        float v[LANES] = {1, 1, 1, 1};
        check = check ? check : "color0";
        if (!find_output(vertex, check, v) && strcmp(check, "color0") != 0)
            return fail(c->why, "the shader does not write", check);
        return check_colour(j, json_get(j, c->node, "expect"), v, check, c->why);
    }
    read_constants(j, c->node, "ps", pixel);
    if (!lift(pixel, &state, c->why))
        return false;
    give_defaults(pixel, pixel_place);
    if (vertex)
        link_stages(vertex, pixel);
    give_inputs(pixel, j, json_get(j, c->node, "ps_in"), json_get(j, c->node, "ps_in_ddx"),
                json_get(j, c->node, "ps_in_ddy"));
    return run(pixel, QUAD, &state, c->why) && check_pixel(j, c->node, pixel, c->why);
}

verdict run_visual(one_case *c)
{
    const char *how = json_string(c->j, c->node, "run");
    bool vertex_only = strcmp(how, "vs") == 0, pixel_only = strcmp(how, "ps") == 0;
    stage *vertex = pixel_only ? NULL : open_stage(c->folder, json_string(c->j, c->node, "vs"));
    stage *pixel = vertex_only ? NULL : open_stage(c->folder, json_string(c->j, c->node, "ps"));
    bool good = run_stages(c, vertex, pixel);
    free_stage(vertex);
    free_stage(pixel);
    return good ? CASE_PASSED : CASE_FAILED;
}

/* ---- probes ---- */

/* Floats taken as ordered integers, so that -0 is 0. */
static int64_t order(uint32_t bits)
{
    return bits >> 31 ? -(int64_t)(bits & 0x7fffffff) : (int64_t)bits;
}

static bool check_words(const stage *s, const probe *p, char why[CASE_WHY])
{
    bool is_float = strcmp(p->type, "f32") == 0;
    float v[LANES] = {0};
    if (!find_output(s, "sv_target0", v))
        return fail(why, "no colour is written", NULL);
    for (uint32_t k = 0; k < p->count && k < LANES; k++) {
        uint32_t got = bits_of(v[k]);
        int64_t apart = order(got) - order(p->expected[k]);
        if (is_float ? apart > p->ulps || -apart > p->ulps : got != p->expected[k]) {
            snprintf(why, CASE_WHY, "lane %u is %08x (%g), expected %08x (%g) within %u",
                     (unsigned)k, (unsigned)got, (double)v[k], (unsigned)p->expected[k],
                     (double)float_of(p->expected[k]), (unsigned)p->ulps);
            return false;
        }
    }
    return true;
}

verdict run_probe(bytes shader, const probe *p, char why[CASE_WHY])
{
    stage *s = calloc(1, sizeof *s);
    iri_state state = {NULL, 0, true};
    bool good = false;
    if (!s || strlen(p->type) != 3 || strchr("fui", p->type[0]) == NULL) {
        free(s);
        free(shader.at);
        snprintf(why, CASE_WHY, "no probe of %s in Direct3D 9", p->type);
        return CASE_FAILED;
    }
    s->shader = shader;
    memcpy(s->floats, p->cb, (p->cb_count < FLOATS * LANES ? p->cb_count : FLOATS * LANES) * 4);
    if (lift(s, &state, why)) {
        give_defaults(s, p->pixel);
        good = run(s, QUAD, &state, why) && check_words(s, p, why);
    }
    free_stage(s);
    return good ? CASE_PASSED : CASE_FAILED;
}
