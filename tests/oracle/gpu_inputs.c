/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What jobs are given beside their inputs, the same for the executor and for drivers: constants, textures, and
 * the executor's run on them.
 */
#include "tests/oracle/gpu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXELS = 6 * 16 * 16,
    BANK_ROWS = 8192,
    BANK = BANK_ROWS * 4 + GPU_SETS * GPU_BANK_STEP / 4
};

uint64_t gpu_random(uint64_t *seed)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

uint64_t gpu_hash(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 0x100000001b3;
    return hash;
}

uint32_t gpu_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

float gpu_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

uint32_t gpu_word_at(const iri_io *io, uint32_t index)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < index; i++)
        words += IRI_TYPE_LANES(io[i].type);
    return words;
}

uint32_t gpu_input_words(const iri_program *p)
{
    return gpu_word_at(p->interface.inputs, p->interface.input_count);
}

uint32_t gpu_output_words(const iri_program *p)
{
    return gpu_word_at(p->interface.outputs, p->interface.output_count);
}

/* ---- textures: 256ths, which halves hold exactly ---- */

static float texels[IRI_DIMENSION_COUNT][GPU_TEXTURES][TEXELS * 4];
static iri_exec_texture textures[IRI_DIMENSION_COUNT][GPU_TEXTURES];

const iri_exec_texture *gpu_texture(uint32_t dimension, uint32_t number)
{
    iri_exec_texture *t = &textures[dimension][number % GPU_TEXTURES];
    float *at = texels[dimension][number % GPU_TEXTURES];
    if (t->texels)
        return t;
    uint64_t seed = dimension * 100 + number % GPU_TEXTURES;
    for (uint32_t i = 0; i < TEXELS * 4; i++)
        at[i] = (float)(gpu_random(&seed) >> 56) / 256;
    *t = (iri_exec_texture){dimension,
                            16,
                            dimension == IRI_DIMENSION_1D ? 1 : 16,
                            dimension == IRI_DIMENSION_3D ? 4 : 1,
                            dimension == IRI_DIMENSION_CUBE ? 6 : 1,
                            1,
                            at};
    return t;
}

/* ---- constants ---- */

const void *gpu_bank(uint32_t bank, size_t *size)
{
    static uint32_t banks[3][BANK];
    static bool filled;
    uint64_t seed = 9;
    for (uint32_t i = 0; !filled && i < BANK; i++) {
        banks[0][i] = gpu_bits((float)(int32_t)(gpu_random(&seed) >> 32) / 1073741824.0f);
        banks[1][i] = (uint32_t)(gpu_random(&seed) % 5);
        banks[2][i] = gpu_random(&seed) >> 60 & 1;
    }
    filled = true;
    *size = sizeof banks[0];
    return banks[bank % 3];
}

size_t gpu_bank_bytes(const iri_resource *r)
{
    size_t size = (r->size + 255u) / 256 * 256;
    return size < GPU_ROWS * 16 ? GPU_ROWS * 16 : size < BANK_ROWS * 16 ? size : BANK_ROWS * 16;
}

/* ---- running ---- */

void gpu_bind(const iri_program *p, uint32_t set, iri_exec_resource bound[GPU_RESOURCES])
{
    static const iri_sampler nearest;
    size_t size;
    memset(bound, 0, GPU_RESOURCES * sizeof *bound);
    for (uint32_t i = 0; i < p->interface.resource_count && i < GPU_RESOURCES; i++) {
        const iri_resource *r = &p->interface.resources[i];
        if (r->kind == IRI_RESOURCE_CBUFFER) {
            bound[i].data = (const char *)gpu_bank(r->reg, &size) + (size_t)set * GPU_BANK_STEP;
            bound[i].size = gpu_bank_bytes(r);
        } else if (r->kind == IRI_RESOURCE_TEXTURE) {
            bound[i].texture = gpu_texture(r->dimension, r->reg + set);
        } else {
            bound[i].sampler = &nearest;
        }
    }
}

/* Passes may drop inputs, so indexes differ. */
uint32_t gpu_same_element(const iri_io *all, uint32_t count, const iri_io *wanted)
{
    for (uint32_t i = 0; i < count; i++)
        if (all[i].index == wanted->index && all[i].reg == wanted->reg &&
            all[i].bank == wanted->bank && all[i].lanes == wanted->lanes &&
            all[i].system_value == wanted->system_value && strcmp(all[i].name, wanted->name) == 0)
            return i;
    return count;
}

static uint32_t word_of(const iri_io *all, uint32_t count, const iri_io *wanted)
{
    uint32_t i = gpu_same_element(all, count, wanted);
    assert(i < count);
    return gpu_word_at(all, i);
}

static iri_status run_set(const gpu_job *job, const iri_exec *exec, const iri_program *p,
                          uint32_t set, uint32_t *out, uint8_t *flags, iri_refusal *refusal)
{
    const iri_interface *io = &job->p->interface, *own = &p->interface;
    uint32_t count = job->count / job->sets, first = set * count;
    iri_exec_array in[GPU_IO], to[GPU_IO];
    iri_exec_resource bound[GPU_RESOURCES];
    iri_exec_batch batch = {.count = count,
                            .inputs = in,
                            .outputs = to,
                            .resources = bound,
                            .resource_count = p->interface.resource_count,
                            .state = &IRI_STATE_D3D9_DEFAULT,
                            .flags = flags + first};
    for (uint32_t i = 0; i < own->input_count; i++)
        in[i] = (iri_exec_array){job->in + first * job->in_words +
                                     word_of(io->inputs, io->input_count, &own->inputs[i]),
                                 job->in_words * 4, 0};
    for (uint32_t i = 0; i < own->output_count; i++)
        to[i] = (iri_exec_array){out + first * job->out_words +
                                     word_of(io->outputs, io->output_count, &own->outputs[i]),
                                 job->out_words * 4, 0};
    gpu_bind(p, job->first_set + set, bound);
    return iri_exec_run(exec, &batch, refusal);
}

bool gpu_execute(const gpu_job *job, const iri_program *p, bool fine, uint32_t *out, uint8_t *flags,
                 char why[400])
{
    iri_refusal refusal;
    iri_exec *exec;
    if (p->interface.input_count > GPU_IO || p->interface.output_count > GPU_IO ||
        p->interface.resource_count > GPU_RESOURCES) {
        snprintf(why, 400, "more inputs, outputs or resources than the harness holds");
        return false;
    }
    iri_status status =
        iri_exec_compile(p, IRI_EXEC_OPTIONS(.fine_derivatives = fine), &exec, &refusal);
    memset(flags, 0, job->count);
    memset(out, 0, (size_t)job->count * job->out_words * 4);
    for (uint32_t set = 0; status == IRI_OK && set < job->sets; set++)
        status = run_set(job, exec, p, set, out, flags, &refusal);
    if (status != IRI_OK)
        iri_refusal_line(&refusal, NULL, why, 400);
    iri_exec_free(exec);
    return status == IRI_OK;
}
