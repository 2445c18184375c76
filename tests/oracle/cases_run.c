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
        return stage_fail(why, "a texture of no size", NULL);
    for (size_t i = 0; i * LANES < words; i++) {
        size_t row = i / x->width;
        double xyz[3] = {(double)(i % x->width), (double)(row % x->height),
                         (double)(row / x->height)};
        float *to = p->texels + i * LANES;
        if (formula ? !generated(j, formula, format ? format : "a8r8g8b8", xyz, to)
                    : !decode_texel(format ? format : "a8r8g8b8",
                                    (uint32_t)(int64_t)(data ? data->number : 0), to))
            return stage_fail(why, "a texture of a format or formula that is not known",
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

static void read_sampler(const json *j, const json_node *n, iri_sampler *s)
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

/* How many coordinates the lookup is projected with (D3DTTFF_COUNT3 or 4): the component by letter or place. */
static uint32_t projected(const json_node *n)
{
    if (n->kind == JSON_STRING)
        return n->text[0] == 'z' ? 3 : 4;
    return n->kind == JSON_NUMBER && n->number == 2 ? 3 : n->number != 0 ? 4 : 0;
}

static void read_state(const json *j, const json_node *c, const stage *pixel, stage_states *states)
{
    for (int i = 0; i < STAGES && i < 16; i++)
        if (pixel->pictures[i].texture.dimension == IRI_DIMENSION_CUBE)
            stage_add_state(states, IRI_STATE_TEXTURE_TYPE, (uint32_t)i, 3);
        else if (pixel->pictures[i].texture.dimension == IRI_DIMENSION_3D)
            stage_add_state(states, IRI_STATE_TEXTURE_TYPE, (uint32_t)i, 4);
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
            stage_add_state(states, IRI_STATE_BUMP_MATRIX, (uint32_t)at, 0);
            for (int k = 0; k < LANES; k++)
                states->entries[states->count - 1].bits[k] = stage_bits((float)v[k]);
        }
        for (int k = 0; k < 2; k++)
            if (json_get(j, s, scalars[k].key))
                stage_add_state(states, scalars[k].id, (uint32_t)at,
                                stage_bits((float)json_number(j, s, scalars[k].key)));
        const json_node *p = json_get(j, s, "projected");
        if (p && p->kind != JSON_NULL && projected(p))
            stage_add_state(states, IRI_STATE_TEXTURE_PROJECTED, (uint32_t)at, projected(p));
    }
}

/* ---- inputs ---- */

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
            for (uint32_t pixel = 0; pixel < QUAD && stage_is_called(&s->io->inputs[i], n->key);
                 pixel++) {
                float f[LANES];
                for (int k = 0; k < LANES; k++)
                    f[k] = (float)(v[k] + (pixel & 1 ? dx[k] : 0) + (pixel >> 1 ? dy[k] : 0));
                stage_give(s, i, pixel, f);
            }
    }
    return true;
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
        stage_take(vertex, k, v);
        for (uint32_t n = 0; n < QUAD; n++)
            stage_give(pixel, i, n, v);
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
            float depth = stage_float(pixel->out[i][0][0]);
            if ((double)depth >= bounds[0] && (double)depth <= bounds[1])
                return true;
            snprintf(why, CASE_WHY, "depth is %g, expected %g to %g", (double)depth, bounds[0],
                     bounds[1]);
            return false;
        }
    return stage_fail(why, "no depth is written", NULL);
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
            return stage_fail(why, "also written", name);
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
               stage_fail(why, is_killed ? "the pixel is killed" : "the pixel is not killed", NULL);
    if (!stage_find(pixel, "sv_target0", v) && json_get(j, expect, "rgba8"))
        return stage_fail(why, "no colour is written", NULL);
    if (!check_colour(j, expect, v, "oC0", why))
        return false;
    if (second) {
        memset(v, 0, sizeof v);
        if (!stage_find(pixel, "sv_target1", v))
            return stage_fail(why, "oC1 is not written", NULL);
        if (!check_colour(j, second, v, "oC1", why))
            return false;
    }
    return check_targets(j, only ? only : json_get(j, expect, "writes_only"), pixel, why) &&
           check_depth(j, depth ? depth : json_get(j, expect, "depth_range"), pixel, why);
}

/* ---- a case ---- */

static stage *open_stage(one_case *c, const char *key)
{
    const char *id = json_string(c->j, c->node, key);
    return id ? stage_open(read_blob(c->folder, id)) : NULL;
}

static bool run_stages(one_case *c, stage *vertex, stage *pixel)
{
    const json *j = c->j;
    stage_states states = {.count = 0};
    double place[2] = {0, 0};
    float pixel_place[2];
    if ((vertex && !vertex->shader.at) || (pixel && !pixel->shader.at) || (!vertex && !pixel))
        return stage_fail(c->why, "no such blob", NULL);
    if (pixel && !read_pictures(j, json_get(j, c->node, "textures"),
                                json_get(j, c->node, "samplers"), pixel, c->why))
        return false;
    if (vertex && !read_pictures(j, json_get(j, c->node, "vs_textures"),
                                 json_get(j, c->node, "vs_samplers"), vertex, c->why))
        return false;
    if (pixel)
        read_state(j, c->node, pixel, &states);
    const iri_state state = {states.entries, states.count, true};
    numbers(j, json_get(j, c->node, "pixel"), place, 2);
    pixel_place[0] = (float)place[0];
    pixel_place[1] = (float)place[1];
    if (vertex) {
        read_constants(j, c->node, "vs", vertex);
        if (!stage_lift(vertex, &state, c->why))
            return false;
        stage_give_defaults(vertex, pixel_place);
        give_inputs(vertex, j, json_get(j, c->node, "vs_in"), NULL, NULL);
        if (!stage_run(vertex, 1, &state, c->why))
            return false;
    }
    if (!pixel) {
        const char *check = json_string(j, c->node, "check");
        float v[LANES] = {1, 1, 1, 1};
        check = check ? check : "color0";
        if (!stage_find(vertex, check, v) && strcmp(check, "color0") != 0)
            return stage_fail(c->why, "the shader does not write", check);
        return check_colour(j, json_get(j, c->node, "expect"), v, check, c->why);
    }
    read_constants(j, c->node, "ps", pixel);
    if (!stage_lift(pixel, &state, c->why))
        return false;
    stage_give_defaults(pixel, pixel_place);
    if (vertex)
        link_stages(vertex, pixel);
    give_inputs(pixel, j, json_get(j, c->node, "ps_in"), json_get(j, c->node, "ps_in_ddx"),
                json_get(j, c->node, "ps_in_ddy"));
    return stage_run(pixel, QUAD, &state, c->why) && check_pixel(j, c->node, pixel, c->why);
}

verdict run_visual(one_case *c)
{
    const char *how = json_string(c->j, c->node, "run");
    bool vertex_only = strcmp(how, "vs") == 0, pixel_only = strcmp(how, "ps") == 0;
    stage *vertex = pixel_only ? NULL : open_stage(c, "vs");
    stage *pixel = vertex_only ? NULL : open_stage(c, "ps");
    bool good = run_stages(c, vertex, pixel);
    stage_free(vertex);
    stage_free(pixel);
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
    if (!stage_find(s, "sv_target0", v))
        return stage_fail(why, "no colour is written", NULL);
    for (uint32_t k = 0; k < p->count && k < LANES; k++) {
        uint32_t got = stage_bits(v[k]);
        int64_t apart = order(got) - order(p->expected[k]);
        if (is_float ? apart > p->ulps || -apart > p->ulps : got != p->expected[k]) {
            snprintf(why, CASE_WHY, "lane %u is %08x (%g), expected %08x (%g) within %u",
                     (unsigned)k, (unsigned)got, (double)v[k], (unsigned)p->expected[k],
                     (double)stage_float(p->expected[k]), (unsigned)p->ulps);
            return false;
        }
    }
    return true;
}

verdict run_probe(bytes shader, const probe *p, char why[CASE_WHY])
{
    stage *s = stage_open(shader);
    iri_state state = {NULL, 0, true};
    bool good = false;
    if (!s || strlen(p->type) != 3 || strchr("fui", p->type[0]) == NULL) {
        stage_free(s);
        snprintf(why, CASE_WHY, "no probe of %s in Direct3D 9", p->type);
        return CASE_FAILED;
    }
    memcpy(s->floats, p->cb, (p->cb_count < FLOATS * LANES ? p->cb_count : FLOATS * LANES) * 4);
    if (stage_lift(s, &state, why)) {
        stage_give_defaults(s, p->pixel);
        good = stage_run(s, QUAD, &state, why) && check_words(s, p, why);
    }
    stage_free(s);
    return good ? CASE_PASSED : CASE_FAILED;
}
