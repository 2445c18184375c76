/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What runs one Direct3D 9 shader on given numbers, for cases and probes: see stage.h. Rules of the pipeline
 * between the shaders are Microsoft's: a vertex without a diffuse colour is white and everything else that no
 * stage gives is 0; pixel centres lie at whole numbers.
 */
#include "tests/oracle/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- small things ---- */

bytes read_bytes(const char *path)
{
    FILE *file = fopen(path, "rb");
    bytes b = {NULL, 0};
    if (!file)
        return b;
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) >= 0) {
        b.size = (size_t)ftell(file);
        rewind(file);
        b.at = malloc(b.size + 1);
        if (b.at && fread(b.at, 1, b.size, file) != b.size) {
            free(b.at);
            b.at = NULL;
        }
        if (b.at)
            b.at[b.size] = 0;
    }
    fclose(file);
    return b;
}

bool stage_fail(char why[CASE_WHY], const char *what, const char *detail)
{
    snprintf(why, CASE_WHY, "%s%s%s", what, detail ? ": " : "", detail ? detail : "");
    return false;
}

bool stage_refuse(char why[CASE_WHY], const iri_refusal *refusal)
{
    iri_refusal_line(refusal, NULL, why, CASE_WHY);
    return false;
}

uint32_t stage_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

float stage_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- running ---- */

void stage_add_state(stage_states *states, uint16_t id, uint32_t index, uint32_t bits)
{
    if (states->count < STATES)
        states->entries[states->count++] =
            (iri_state_entry){id, (uint16_t)index, IRI_STATE_VALUE, {bits, 0, 0, 0}};
}

bool stage_lift(stage *s, const iri_state *state, char why[CASE_WHY])
{
    iri_refusal refusal;
    if (iri_lift(s->shader.at, s->shader.size,
                 IRI_LIFT_OPTIONS(.state = state, .uninitialized = IRI_UNINITIALIZED_ZERO,
                                  .raw = s->raw),
                 &s->p, NULL, &refusal) != IRI_OK)
        return stage_refuse(why, &refusal);
    s->io = iri_program_interface(s->p);
    if (s->io->input_count > IO || s->io->output_count > IO)
        return stage_fail(why, "more inputs or outputs than this runner holds", NULL);
    return true;
}

bool stage_run(stage *s, uint32_t count, const iri_state *state, char why[CASE_WHY])
{
    iri_exec_array in[IO], out[IO];
    iri_exec_resource bound[IO] = {{0}};
    iri_refusal refusal;
    iri_exec *exec;
    if (s->io->resource_count > IO)
        return stage_fail(why, "more resources than this runner holds", NULL);
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
        return stage_refuse(why, &refusal);
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
    return status == IRI_OK || stage_refuse(why, &refusal);
}

stage *stage_open(bytes shader)
{
    stage *s = calloc(1, sizeof *s);
    if (s)
        s->shader = shader;
    else
        free(shader.at);
    return s;
}

void stage_free(stage *s)
{
    if (!s)
        return;
    for (int i = 0; i < STAGES; i++)
        free(s->pictures[i].texels);
    free(s->shader.at);
    iri_program_free(s->p);
    free(s);
}

/* ---- inputs and outputs ---- */

/* Whether an element is what the case calls `key`: "texcoord0", "vface", or a plain register "v0". */
bool stage_is_called(const iri_io *io, const char *key)
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
void stage_give(stage *s, uint32_t input, uint32_t pixel, const float v[LANES])
{
    const iri_io *io = &s->io->inputs[input];
    uint32_t lane = 0;
    if (IRI_TYPE_SCALAR(io->type) == IRI_BOOL) {
        s->in[input][pixel][0] = v[0] > 0;
        return;
    }
    for (uint32_t k = 0; k < LANES && lane < IRI_TYPE_LANES(io->type); k++)
        if (io->lanes >> k & 1)
            s->in[input][pixel][lane++] = stage_bits(v[k]);
}

static bool is_diffuse(const iri_io *io)
{
    return stage_is_called(io, "color0");
}

void stage_give_defaults(stage *s, const float place[2])
{
    for (uint32_t i = 0; i < s->io->input_count; i++)
        for (uint32_t pixel = 0; pixel < QUAD; pixel++) {
            const iri_io *io = &s->io->inputs[i];
            float white = is_diffuse(io) ? 1.0f : 0.0f;
            float v[LANES] = {white, white, white, white};
            if (iri_program_stage(s->p) == IRI_STAGE_PIXEL && stage_is_called(io, "vpos")) {
                bool half = iri_program_conventions(s->p)->pixel_centre == IRI_PIXEL_CENTRE_HALF;
                v[0] = place[0] + (float)(pixel & 1) + (half ? 0.5f : 0);
                v[1] = place[1] + (float)(pixel >> 1) + (half ? 0.5f : 0);
                v[3] = 1;
            }
            stage_give(s, i, pixel, v);
        }
}

/* The four numbers of an output's register; lanes that nothing writes are those of `v`. */
void stage_take(const stage *s, uint32_t output, float v[LANES])
{
    const iri_io *io = &s->io->outputs[output];
    uint32_t lane = 0;
    for (uint32_t k = 0; k < LANES && lane < IRI_TYPE_LANES(io->type); k++)
        if (io->lanes >> k & 1)
            v[k] = stage_float(s->out[output][0][lane++]);
}

bool stage_find(const stage *s, const char *key, float v[LANES])
{
    for (uint32_t i = 0; i < s->io->output_count; i++)
        if (stage_is_called(&s->io->outputs[i], key)) {
            stage_take(s, i, v);
            return true;
        }
    return false;
}
