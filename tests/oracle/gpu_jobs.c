/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder through which a driver is given jobs and gives back numbers: manifest.json, data.bin; out.bin,
 * results.tsv. docs/testing.md states the format.
 */
#include "tests/oracle/gpu.h"

#include <stdlib.h>
#include <string.h>

enum { HALVES = 6 * 16 * 16 * 4 }; /* of the largest texture */

static const char *const views[IRI_DIMENSION_COUNT] = {"", "1d", "2d", "3d", "cube"};

static uint16_t half_of(float x)
{
    uint32_t bits = gpu_bits(x);
    return bits ? (uint16_t)((bits >> 16 & 0x8000) | ((bits >> 23) - 112) << 10 |
                             (bits >> 13 & 1023))
                : 0;
}

/* ---- the folder ---- */

static size_t put(gpu_folder *f, const void *bytes, size_t size)
{
    static const char zeros[16];
    size_t at = f->at;
    fwrite(bytes, 1, size, f->data);
    fwrite(zeros, 1, (16 - size % 16) % 16, f->data);
    f->at += (size + 15) / 16 * 16;
    return at;
}

static FILE *open_in(const gpu_folder *f, const char *name, const char *mode)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    return fopen(path, mode);
}

static bool is_spirv(const gpu_folder *f)
{
    return f->profile == IRI_PROFILE_VULKAN_1_1 || f->profile == IRI_PROFILE_VULKAN_1_3;
}

/* What draws the pixels that SPIR-V's jobs run on. */
static bool put_vertex_program(gpu_folder *f)
{
    static const char text[] = "program vertex entry main\n"
                               "input POSITION0: vec4<f32> @v0\n"
                               "output POSITION0: vec4<f32> @oPos sv position\n"
                               "fn main {\n%0: vec4<f32> = input 0.xyzw\n"
                               "output 0.xyzw, %0\nreturn\n}\n";
    iri_program *p = NULL;
    iri_text words;
    bool good = iri_parse_text(text, strlen(text), NULL, &p, NULL) == IRI_OK &&
                iri_write_spirv(p, NULL, &words, NULL, NULL) == IRI_OK;
    if (good) {
        fprintf(f->manifest, "\"vertex\": %zu, \"vertexBytes\": %zu,\n",
                put(f, words.data, words.size), words.size);
        iri_text_free(&words);
    }
    iri_program_free(p);
    return good;
}

bool gpu_begin(gpu_folder *f)
{
    static uint16_t halves[HALVES];
    f->manifest = open_in(f, "manifest.json", "w");
    f->data = open_in(f, "data.bin", "wb");
    if (!f->manifest || !f->data)
        return false;
    fprintf(f->manifest, "{");
    if (is_spirv(f) && !put_vertex_program(f))
        return false;
    fprintf(f->manifest, "\"textures\": [");
    for (uint32_t d = IRI_DIMENSION_2D; d < IRI_DIMENSION_COUNT; d++)
        for (uint32_t k = 0; k < GPU_TEXTURES; k++) {
            const iri_exec_texture *t = gpu_texture(d, k);
            size_t words = iri_exec_texture_words(t);
            for (size_t i = 0; i < words; i++)
                halves[i] = half_of(((const float *)t->texels)[i]);
            fprintf(f->manifest, "%s{\"view\": \"%s\", \"size\": [%u, %u, %u], \"at\": %zu}",
                    d == IRI_DIMENSION_2D && !k ? "" : ", ", views[d], (unsigned)t->width,
                    (unsigned)t->height, (unsigned)(t->depth * t->layers),
                    put(f, halves, words * 2));
        }
    fprintf(f->manifest, "],\n\"banks\": [");
    for (uint32_t i = 0; i < 3; i++) {
        size_t size;
        const void *bank = gpu_bank(i, &size);
        fprintf(f->manifest, "%s{\"at\": %zu, \"size\": %zu}", i ? ", " : "", put(f, bank, size),
                size);
    }
    fprintf(f->manifest, "],\n\"jobs\": [");
    return true;
}

void gpu_end(gpu_folder *f)
{
    fprintf(f->manifest, "\n]}\n");
    fclose(f->manifest);
    fclose(f->data);
}

bool gpu_is_said(const gpu_folder *f, const iri_io *output)
{
    return is_spirv(f) || output->system_value != IRI_SV_POINT_SIZE;
}

static void say_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", to);
        else if (*text == '"' || *text == '\\')
            fprintf(to, "\\%c", *text);
        else
            fputc((uint8_t)*text < 32 ? ' ' : *text, to);
    fputc('"', to);
}

static void say_resource(gpu_folder *f, const gpu_job *job, const gpu_bound *b)
{
    const iri_resource *r = &job->p->interface.resources[b->index];
    fprintf(f->manifest, "{\"group\": %u, \"binding\": %u, ", (unsigned)b->group,
            (unsigned)b->binding);
    if (r->kind == IRI_RESOURCE_CBUFFER)
        fprintf(f->manifest, "\"kind\": \"%s\", \"bank\": %u, \"size\": %zu}",
                b->storage ? "read-only-storage" : "uniform", (unsigned)(r->reg % 3),
                gpu_bank_bytes(r));
    else if (r->kind == IRI_RESOURCE_TEXTURE)
        fprintf(f->manifest, "\"kind\": \"texture\", \"view\": \"%s\", \"number\": %u}",
                views[r->dimension], (unsigned)(r->reg % GPU_TEXTURES));
    else
        fprintf(f->manifest, "\"kind\": \"sampler\"}");
}

static bool make_module(const gpu_folder *f, const gpu_job *job, gpu_module *m, char why[400])
{
    gpu_job own = *job;
    iri_program *planted = gpu_planted(job->p);
    own.p = planted ? planted : job->p;
    bool good = is_spirv(f) ? gpu_make_spirv(&own, f->profile, m, why)
                            : gpu_make_wgsl(&own, f->profile, m, why);
    iri_program_free(planted);
    return good;
}

bool gpu_write_job(gpu_folder *f, const gpu_job *job, char why[400])
{
    gpu_module m = {0};
    size_t in_bytes = (size_t)job->count * job->in_words * 4;
    bool good = make_module(f, job, &m, why);
    if (good) {
        fprintf(f->manifest, "%s\n{\"name\": ", f->written++ ? "," : "");
        say_text(f->manifest, job->name);
        fprintf(f->manifest,
                ", \"count\": %u, \"sets\": %u, \"firstSet\": %u, \"in\": %zu, \"inBytes\": %zu, ",
                (unsigned)job->count, (unsigned)job->sets, (unsigned)job->first_set,
                put(f, job->in, in_bytes), in_bytes);
        fprintf(f->manifest, "\"outBytes\": %zu, \"module\": %zu, \"moduleBytes\": %zu, ",
                (size_t)job->count * (job->out_words + 1) * 4, put(f, m.bytes, m.size), m.size);
        fprintf(f->manifest, "\"resources\": [");
        for (uint32_t i = 0; i < m.bound_count; i++) {
            fputs(i ? ", " : "", f->manifest);
            say_resource(f, job, &m.bound[i]);
        }
        fprintf(f->manifest, "]}");
    }
    free(m.bytes);
    return good;
}

/* ---- results ---- */

bool gpu_open_results(gpu_folder *f)
{
    FILE *file = open_in(f, "results.tsv", "rb");
    f->index = calloc(1, 1 << 24);
    if (file && f->index)
        f->index[fread(f->index, 1, (1 << 24) - 1, file)] = 0;
    if (file)
        fclose(file);
    f->results = open_in(f, "out.bin", "rb");
    return f->index && f->results;
}

void gpu_close_results(gpu_folder *f)
{
    free(f->index);
    if (f->results)
        fclose(f->results);
    f->index = NULL;
    f->results = NULL;
}

void gpu_note_failure(const gpu_folder *f, const char *path)
{
    FILE *file = f->path ? open_in(f, "failed.txt", "a") : NULL;
    if (file) {
        fprintf(file, "%s\n", path);
        fclose(file);
    }
}

/* results.tsv: name, offset in out.bin or -1, why not. */
uint32_t *gpu_read_result(const gpu_folder *f, const gpu_job *job, char why[400])
{
    size_t length = strlen(job->name), size = (size_t)job->count * (job->out_words + 1) * 4;
    snprintf(why, 400, "the driver gave no result");
    for (const char *line = f->index; line && *line; line += strcspn(line, "\n") + 1) {
        long at;
        if (strncmp(line, job->name, length) != 0 || line[length] != '\t')
            continue;
        at = strtol(line + length + 1, NULL, 10);
        if (at < 0) {
            const char *reason = line + length + 1 + strcspn(line + length + 1, "\t") + 1;
            snprintf(why, 400, "%.*s", (int)strcspn(reason, "\n"), reason);
            return NULL;
        }
        uint32_t *words = malloc(size);
        if (words && f->results && fseek(f->results, at, SEEK_SET) == 0 &&
            fread(words, 1, size, f->results) == size)
            return words;
        free(words);
        return NULL;
    }
    return NULL;
}
