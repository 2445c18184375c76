/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs one probe on the executor: a vertex program once, a pixel program for the quad that holds the pixel.
 */
#include "tests/oracle/probes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t register_number(const char *word)
{
    return (uint32_t)strtoul(word + strcspn(word, "0123456789"), NULL, 10);
}

static void read_numbers(const probe_line *line, uint32_t from, float v[LANES])
{
    for (uint32_t k = 0; k < LANES; k++)
        v[k] = from + k < line->count ? probe_number(line->words[from + k]) : 0;
}

/* ---- what it is given ---- */

static void give_constants(const probe *p, stage *s)
{
    for (const probe_line *l = probe_next(p, "give", NULL); l; l = probe_next(p, "give", l)) {
        uint32_t n = register_number(l->words[1]);
        if (l->words[1][0] == 'c' && n < FLOATS)
            read_numbers(l, 2, s->floats[n]);
        else if (l->words[1][0] == 'b' && n < INTS)
            s->bools[n] = (uint32_t)atoi(l->words[2]);
        for (uint32_t k = 0; l->words[1][0] == 'i' && k < LANES && k + 2 < l->count && n < INTS;
             k++)
            s->ints[n][k] = atoi(l->words[k + 2]);
    }
}

/* `texture s0 2d 16x16 5 indexed`, `texture s1 2d 1x1 1 plain R G B A` */
static bool give_texture(const probe_line *l, stage *s, char why[CASE_WHY])
{
    uint32_t n = register_number(l->words[1]);
    if (l->count < 6 || n >= STAGES)
        return stage_fail(why, "a texture line of too few words", l->rest);
    picture *p = &s->pictures[n];
    iri_exec_texture *t = &p->texture;
    char *end;
    bool cube = strcmp(l->words[2], "cube") == 0, volume = strcmp(l->words[2], "volume") == 0;
    float plain[LANES];
    *t = (iri_exec_texture){
        IRI_DIMENSION_2D, 1, 1, 1, 1, (uint32_t)strtoul(l->words[4], NULL, 10), NULL};
    t->dimension = cube ? IRI_DIMENSION_CUBE : volume ? IRI_DIMENSION_3D : IRI_DIMENSION_2D;
    t->layers = cube ? 6 : 1;
    t->width = (uint32_t)strtoul(l->words[3], &end, 10);
    t->height = *end == 'x' ? (uint32_t)strtoul(end + 1, &end, 10) : 1;
    t->depth = *end == 'x' ? (uint32_t)strtoul(end + 1, &end, 10) : 1;
    size_t words = iri_exec_texture_words(t);
    p->texels = words ? calloc(words, sizeof *p->texels) : NULL;
    if (!p->texels)
        return stage_fail(why, "a texture of no size", l->rest);
    read_numbers(l, 6, plain);
    for (uint32_t level = 0; level < t->levels; level++)
        for (uint32_t layer = 0; layer < t->layers; layer++)
            for (uint32_t z = 0; z < (t->depth >> level ? t->depth >> level : 1); z++)
                for (uint32_t y = 0; y < (t->height >> level ? t->height >> level : 1); y++)
                    for (uint32_t x = 0; x < (t->width >> level ? t->width >> level : 1); x++) {
                        float *to = p->texels + iri_exec_texture_at(t, level, layer, x, y, z);
                        float place[LANES] = {(float)x, (float)y, (float)(cube ? layer : z),
                                              (float)level};
                        memcpy(to, strcmp(l->words[5], "indexed") == 0 ? place : plain,
                               sizeof place);
                    }
    t->texels = p->texels;
    p->bound = true;
    return true;
}

static uint8_t word_among(const char *word, const char *const *words, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return 0;
}

/* `sampler s0 min=linear u=clamp bias=1 level=2 border=R,G,B,A` */
static bool give_sampler(const probe_line *l, stage *s, char why[CASE_WHY])
{
    static const char *const addresses[] = {"wrap", "mirror", "clamp", "border", "mirroronce"};
    static const char *const mips[] = {"none", "point", "linear"};
    uint32_t n = register_number(l->words[1]);
    iri_sampler *to = &s->pictures[n % STAGES].sampler;
    for (uint32_t i = 2; i < l->count; i++) {
        const char *w = l->words[i], *value = strchr(w, '=');
        value = value ? value + 1 : "";
        if (strchr("uvw", w[0]) && w[1] == '=')
            to->address[w[0] - 'u'] = word_among(value, addresses, 5);
        else if (strncmp(w, "min=", 4) == 0)
            to->min_filter = strcmp(value, "linear") == 0;
        else if (strncmp(w, "mag=", 4) == 0)
            to->mag_filter = strcmp(value, "linear") == 0;
        else if (strncmp(w, "mip=", 4) == 0)
            to->mip_filter = word_among(value, mips, 3);
        else if (strncmp(w, "bias=", 5) == 0)
            to->lod_bias = probe_number(value);
        else if (strncmp(w, "level=", 6) == 0)
            to->min_lod = probe_number(value);
        else if (strncmp(w, "border=", 7) == 0)
            for (int k = 0; k < LANES; k++, value += strcspn(value, ",") + 1)
                to->border[k] = strtof(value, NULL);
        else
            return stage_fail(why, "a sampler's state that is not known", w);
    }
    return true;
}

static bool give_states(const probe *p, const stage *s, stage_states *to, char why[CASE_WHY])
{
    for (uint32_t i = 0; i < 16; i++)
        if (s->pictures[i].texture.dimension == IRI_DIMENSION_CUBE)
            stage_add_state(to, IRI_STATE_TEXTURE_TYPE, i, 3);
        else if (s->pictures[i].texture.dimension == IRI_DIMENSION_3D)
            stage_add_state(to, IRI_STATE_TEXTURE_TYPE, i, 4);
    for (const probe_line *l = probe_next(p, "state", NULL); l; l = probe_next(p, "state", l)) {
        size_t length = strcspn(l->words[1], "[");
        uint32_t index = l->words[1][length] ? (uint32_t)atoi(l->words[1] + length + 1) : 0;
        iri_state_id id = iri_state_by_name(l->words[1], length);
        if (id == IRI_STATE_NONE)
            return stage_fail(why, "no such state", l->words[1]);
        bool whole = IRI_TYPE_SCALAR(iri_state_get_info(id)->type) == IRI_U32;
        stage_add_state(to, (uint16_t)id, index, 0);
        for (uint32_t k = 0; k < LANES && k + 2 < l->count; k++)
            to->entries[to->count - 1].bits[k] =
                whole ? (uint32_t)atoi(l->words[k + 2]) : stage_bits(probe_number(l->words[k + 2]));
    }
    return true;
}

/* Inputs by register; the numbers are those of the pixel, the others of its quad follow from dx and dy. */
static void give_inputs(const probe *p, stage *s, const uint32_t pixel[2])
{
    for (const probe_line *l = probe_next(p, "give", NULL); l; l = probe_next(p, "give", l)) {
        float v[LANES], step[2][LANES] = {{0}, {0}};
        if (!strchr("vt", l->words[1][0]))
            continue;
        read_numbers(l, 2, v);
        for (int d = 0; d < 2; d++)
            for (const probe_line *m = probe_next(p, d ? "dy" : "dx", NULL); m;
                 m = probe_next(p, d ? "dy" : "dx", m))
                if (strcmp(m->words[1], l->words[1]) == 0)
                    read_numbers(m, 2, step[d]);
        for (uint32_t i = 0; i < s->io->input_count; i++) {
            if (!stage_is_called(&s->io->inputs[i], l->words[1]))
                continue;
            for (uint32_t n = 0; n < QUAD; n++) {
                float x = (float)(n & 1) - (float)(pixel[0] & 1);
                float y = (float)(n >> 1) - (float)(pixel[1] & 1);
                float at[LANES];
                for (int k = 0; k < LANES; k++) {
                    at[k] = v[k];
                    at[k] += step[0][k] != 0 ? step[0][k] * x : -0.0f; /* -0 changes nothing */
                    at[k] += step[1][k] != 0 ? step[1][k] * y : -0.0f;
                }
                stage_give(s, i, n, at);
            }
        }
    }
    for (uint32_t i = 0; i < s->io->input_count; i++)
        if (s->io->inputs[i].system_value == IRI_SV_IS_FRONT_FACE)
            for (uint32_t n = 0; n < QUAD; n++)
                s->in[i][n][0] = !probe_next(p, "back", NULL);
}

/* ---- what it wants ---- */

static bool same_number(const char *word, float got, float within)
{
    float want = probe_number(word);
    if (strcmp(word, "-") == 0)
        return true;
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got);
    if (want == got)
        return (word[0] != '+' || !signbit(got)) && (strcmp(word, "-0") != 0 || signbit(got));
    return isfinite(got) && fabsf(want - got) <= within * fmaxf(1, fabsf(want));
}

bool probe_same(const probe *p, const probe_line *want, const float got[LANES], uint32_t count)
{
    const probe_line *within = probe_next(p, "within", NULL);
    bool same = want->count == count + 2;
    for (uint32_t k = 0; k < count && same; k++)
        same = same_number(want->words[k + 2], got[k], within ? probe_number(within->words[1]) : 0);
    return same;
}

/* The output that a register is: r0 of ps_1_x is written oC0. */
static const iri_io *output_of(const stage *s, const char *name, uint32_t *index)
{
    static const struct {
        const char *prefix;
        iri_bank bank;
    } banks[] = {{"oPos", IRI_BANK_OPOS},     {"oFog", IRI_BANK_OFOG}, {"oPts", IRI_BANK_OPTS},
                 {"oDepth", IRI_BANK_ODEPTH}, {"oD", IRI_BANK_OD},     {"oT", IRI_BANK_OT},
                 {"oC", IRI_BANK_OC},         {"o", IRI_BANK_O}};
    for (size_t b = 0; b < sizeof banks / sizeof *banks; b++) {
        size_t length = strlen(banks[b].prefix);
        if (strncmp(name, banks[b].prefix, length) != 0)
            continue;
        for (uint32_t i = 0; i < s->io->output_count; i++)
            if (s->io->outputs[i].bank == banks[b].bank &&
                s->io->outputs[i].reg == strtoul(name + length, NULL, 10)) {
                *index = i;
                return &s->io->outputs[i];
            }
        return NULL;
    }
    return NULL;
}

static bool check_wants(const probe *p, const stage *s, uint32_t at, char why[CASE_WHY])
{
    bool killed = s->flags[at] & IRI_INVOCATION_KILLED;
    for (const probe_line *l = probe_next(p, "want", NULL); l; l = probe_next(p, "want", l)) {
        uint32_t i = 0, lane = 0;
        float got[LANES] = {0};
        if (killed || strcmp(l->words[1], "killed") == 0) {
            if (killed != (strcmp(l->words[1], "killed") == 0))
                return stage_fail(why, killed ? "it is killed" : "it is not killed", NULL);
            continue;
        }
        const iri_io *io = output_of(s, l->words[1], &i);
        if (!io)
            return stage_fail(why, "nothing writes", l->words[1]);
        for (uint32_t k = 0; k < LANES && lane < IRI_TYPE_LANES(io->type); k++)
            if (io->lanes >> k & 1)
                got[k] = stage_float(s->out[i][at][lane++]);
        if (!probe_same(p, l, got, l->count - 2)) {
            snprintf(why, CASE_WHY, "%s is %.9g %.9g %.9g %.9g", l->rest, (double)got[0],
                     (double)got[1], (double)got[2], (double)got[3]);
            return false;
        }
    }
    return true;
}

static bool run_with(const probe *p, stage *s, char why[CASE_WHY])
{
    const probe_line *place = probe_next(p, "pixel", NULL);
    bool vertex = p->code[0] >> 16 == 0xfffe;
    uint32_t pixel[2] = {0, 0};
    stage_states states = {.count = 0};
    if (place && place->count == 3) {
        pixel[0] = (uint32_t)atoi(place->words[1]);
        pixel[1] = (uint32_t)atoi(place->words[2]);
    }
    give_constants(p, s);
    for (const probe_line *l = probe_next(p, "texture", NULL); l; l = probe_next(p, "texture", l))
        if (!give_texture(l, s, why))
            return false;
    for (const probe_line *l = probe_next(p, "sampler", NULL); l; l = probe_next(p, "sampler", l))
        if (!give_sampler(l, s, why))
            return false;
    if (!give_states(p, s, &states, why))
        return false;
    const iri_state state = {states.entries, states.count, true};
    if (!stage_lift(s, &state, why))
        return false;
    const float corner[2] = {(float)(pixel[0] & ~1u), (float)(pixel[1] & ~1u)};
    stage_give_defaults(s, corner);
    give_inputs(p, s, pixel);
    return stage_run(s, vertex ? 1 : QUAD, &state, why) &&
           check_wants(p, s, vertex ? 0 : (pixel[0] & 1) + 2 * (pixel[1] & 1), why);
}

bool probe_run(const probe *p, bool raw, char why[CASE_WHY])
{
    bytes code = {malloc(p->code_count * 4u + 1), p->code_count * 4u};
    if (!code.at || p->code_count == 0) {
        free(code.at);
        return stage_fail(why, "no code", NULL);
    }
    for (uint32_t i = 0; i < p->code_count * 4; i++)
        code.at[i] = (uint8_t)(p->code[i / 4] >> 8 * (i % 4));
    stage *s = stage_open(code);
    if (!s)
        return stage_fail(why, "no memory", NULL);
    s->raw = raw;
    bool good = run_with(p, s, why);
    stage_free(s);
    return good;
}
