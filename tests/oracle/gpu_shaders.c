/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole shaders on random inputs: a quad of invocations for each of 64 sets of constants and textures. Quads of
 * pixels get inputs that change by the same step in a row and in a column, as interpolated ones do.
 */
#include "tests/oracle/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4 * GPU_SETS };

static float some(uint64_t *seed, float range)
{
    return (float)((int32_t)(gpu_random(seed) >> 32)) / 2147483648.0f * range;
}

static void fill_inputs(gpu_job *job)
{
    const iri_interface *io = &job->p->interface;
    bool pixel = job->p->stage == IRI_STAGE_PIXEL;
    uint64_t seed = job->seed;
    uint32_t word = 0;
    for (uint32_t i = 0; i < io->input_count; i++)
        for (uint32_t k = 0; k < IRI_TYPE_LANES(io->inputs[i].type); k++, word++) {
            const iri_io *in = &io->inputs[i];
            bool colour = strcmp(in->name, "COLOR") == 0;
            float start = 0, right = 0, down = 0;
            for (uint32_t n = 0; n < job->count; n++) {
                uint32_t x = (n / 4 % 32) * 2 + (n & 1), y = n / 128 * 2 + (n >> 1 & 1);
                float v;
                if (!pixel || n % 4 == 0) {
                    start = colour ? fabsf(some(&seed, 1)) : some(&seed, 2);
                    right = some(&seed, 0.0625f);
                    down = some(&seed, 0.0625f);
                }
                v = start + (pixel && n & 1 ? right : 0) + (pixel && n & 2 ? down : 0);
                if (pixel && in->system_value == IRI_SV_POSITION)
                    v = k == 0 ? (float)x : k == 1 ? (float)y : k == 2 ? 0.5f : 1.0f;
                uint32_t bits = gpu_bits(v);
                if (IRI_TYPE_SCALAR(in->type) != IRI_F32)
                    bits = (uint32_t)(start > 0);
                job->in[n * job->in_words + word] = bits;
            }
        }
}

/* ---- a shader ---- */

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    void *data = malloc(1 << 20);
    *size = file && data ? fread(data, 1, 1 << 20, file) : 0;
    if (file)
        fclose(file);
    return data;
}

bool gpu_load(const char *path, bool raw, gpu_job *job)
{
    static uint32_t in[COUNT * GPU_IO * GPU_LANES];
    size_t size, length = strlen(path);
    void *bytes = read_file(path, &size);
    iri_program *p = NULL;
    iri_status status =
        iri_lift(bytes, size,
                 IRI_LIFT_OPTIONS(.state = &IRI_STATE_D3D9_DEFAULT,
                                  .uninitialized = IRI_UNINITIALIZED_ZERO, .raw = raw),
                 &p, NULL, NULL);
    free(bytes);
    if (status != IRI_OK)
        return false;
    *job = (gpu_job){.p = p, .count = COUNT, .sets = GPU_SETS, .in = in};
    snprintf(job->name, sizeof job->name, "%s", path + (length > 80 ? length - 80 : 0));
    job->in_words = gpu_input_words(p);
    job->out_words = gpu_output_words(p);
    job->seed = gpu_hash(job->name);
    if (p->interface.input_count <= GPU_IO)
        fill_inputs(job);
    return true;
}

static void compare_shader(gpu_folder *f, const gpu_job *job, const char *path, gpu_tally *t)
{
    char why[400];
    gpu_found worst;
    bool good = gpu_compare(f, job, t, &worst, why);
    if (!good)
        printf("%s: %s\n", job->name, why);
    gpu_complain(job, &worst);
    if (worst.wrong)
        gpu_note_failure(f, path);
    t->failed += !good || worst.wrong;
    t->passed += good && !worst.wrong;
    t->sets += good ? job->sets : 0;
}

void gpu_shader(gpu_folder *f, const char *path, gpu_mode mode, gpu_tally *t)
{
    char why[400];
    gpu_job job;
    if (!gpu_load(path, mode == GPU_PASSES, &job)) {
        t->skipped++;
        return;
    }
    if (job.p->interface.input_count > GPU_IO) {
        printf("%s: more inputs than the harness holds\n", job.name);
        t->failed += mode != GPU_MAKE;
    } else if (mode == GPU_COMPARE) {
        compare_shader(f, &job, path, t);
    } else if (mode == GPU_PASSES) {
        uint32_t failed = t->failed;
        gpu_passes(&job, true, t);
        if (t->failed > failed)
            gpu_note_failure(f, path);
    } else if (!gpu_write_job(f, &job, why)) {
        printf("%s: not written: %s\n", job.name, why);
    }
    iri_program_free((iri_program *)job.p);
}
