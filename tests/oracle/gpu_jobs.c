/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs: the WGSL of a program with its entry point turned into a function, called by an entry point that reads
 * the inputs from a storage buffer and writes the outputs into another. So every invocation gets its own
 * numbers, bit for bit, and no attachment's format comes between. Vertex programs run in a compute pass, pixel
 * programs over a small target, four neighbouring invocations a quad.
 */
#include "tests/oracle/gpu.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TEXELS = 6 * 16 * 16, WRAPPER = 65536 };

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

static uint32_t words_of(const iri_io *io, uint32_t count)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < count; i++)
        words += IRI_TYPE_LANES(io[i].type);
    return words;
}

uint32_t gpu_input_words(const iri_program *p)
{
    return words_of(p->interface.inputs, p->interface.input_count);
}

uint32_t gpu_output_words(const iri_program *p)
{
    return words_of(p->interface.outputs, p->interface.output_count);
}

/* ---- textures: 256ths, which halves hold exactly ---- */

static float texels[IRI_DIMENSION_COUNT][GPU_TEXTURES][TEXELS * 4];
static iri_exec_texture textures[IRI_DIMENSION_COUNT][GPU_TEXTURES];

const iri_exec_texture *gpu_texture(uint32_t dimension, uint32_t reg)
{
    iri_exec_texture *t = &textures[dimension][reg % GPU_TEXTURES];
    float *at = texels[dimension][reg % GPU_TEXTURES];
    if (t->texels)
        return t;
    uint64_t seed = dimension * 100 + reg % GPU_TEXTURES;
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

bool gpu_begin(gpu_folder *f)
{
    static uint16_t halves[TEXELS * 4];
    static const char *const views[] = {"", "1d", "2d", "3d", "cube"};
    f->manifest = open_in(f, "manifest.json", "w");
    f->data = open_in(f, "data.bin", "wb");
    if (!f->manifest || !f->data)
        return false;
    fprintf(f->manifest, "{\"textures\": {");
    for (uint32_t d = IRI_DIMENSION_2D; d < IRI_DIMENSION_COUNT; d++)
        for (uint32_t k = 0; k < GPU_TEXTURES; k++) {
            const iri_exec_texture *t = gpu_texture(d, k);
            size_t words = iri_exec_texture_words(t);
            for (size_t i = 0; i < words; i++)
                halves[i] = half_of(((const float *)t->texels)[i]);
            fprintf(f->manifest,
                    "%s\"%s_%u\": {\"view\": \"%s\", \"size\": [%u, %u, %u], \"at\": %zu}",
                    d == IRI_DIMENSION_2D && !k ? "" : ", ", views[d], (unsigned)k, views[d],
                    (unsigned)t->width, (unsigned)t->height, (unsigned)(t->depth * t->layers),
                    put(f, halves, words * 2));
        }
    fprintf(f->manifest, "},\n\"jobs\": [");
    return true;
}

void gpu_end(gpu_folder *f)
{
    fprintf(f->manifest, "\n]}\n");
    fclose(f->manifest);
    fclose(f->data);
}

/* ---- the wrapper ---- */

typedef struct wrapper {
    char *at;
    size_t size, capacity;
} wrapper;

static void say(wrapper *w, const char *format, ...) IRI_PRINTF(2, 3);
static void say(wrapper *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(w->at + w->size, w->capacity - w->size, format, arguments);
    va_end(arguments);
    if (size > 0)
        w->size += (size_t)size;
    if (w->size >= w->capacity)
        w->size = w->capacity - 1;
}

static const iri_emitted_name *named(const iri_wgsl_map *map, uint32_t kind, const char *name,
                                     size_t length)
{
    for (size_t i = 0; i < map->name_count; i++)
        if (map->names[i].kind == kind && strlen(map->names[i].emitted) == length &&
            memcmp(map->names[i].emitted, name, length) == 0)
            return &map->names[i];
    return NULL;
}

static uint32_t word_at(const iri_io *io, uint32_t index)
{
    return words_of(io, index);
}

static const char *scalar_word(const char *type)
{
    return type[0] == 'u' || (type[0] == 'v' && type[4] == 'u')   ? "u32"
           : type[0] == 'i' || (type[0] == 'v' && type[4] == 'i') ? "i32"
                                                                  : "f32";
}

/* An argument of the old entry point: `at` is behind its attributes, "NAME: TYPE,". */
static bool say_argument(wrapper *w, const gpu_job *job, const iri_wgsl_map *map, const char *at,
                         bool position)
{
    size_t length = strcspn(at, ":");
    const iri_emitted_name *n = named(map, 1, at, length);
    const char *type = at + length + 2;
    if (!n)
        return false;
    uint32_t word = word_at(job->p->interface.inputs, n->index);
    uint32_t lanes = IRI_TYPE_LANES(job->p->interface.inputs[n->index].type);
    uint32_t takes = strncmp(type, "vec", 3) == 0 ? (uint32_t)(type[3] - '0') : 1;
    if (strncmp(type, "bool", 4) == 0) {
        say(w, "oracle_in[b + %uu] != 0u,\n", (unsigned)word);
        return true;
    }
    if (takes > 1)
        say(w, "%.5s(", type);
    for (uint32_t k = 0; k < takes; k++) {
        /* Direct3D 9's pixels lie at whole numbers. */
        bool half = position && k < 2 &&
                    iri_program_conventions(job->p)->pixel_centre == IRI_PIXEL_CENTRE_INTEGER;
        if (k < lanes)
            say(w, "bitcast<%s>(oracle_in[b + %uu])%s", scalar_word(type), (unsigned)(word + k),
                half ? " + 0.5" : "");
        else
            say(w, position && k == 3 ? "1" : "0");
        say(w, k + 1 < takes ? ", " : "");
    }
    say(w, takes > 1 ? "),\n" : ",\n");
    return true;
}

/* The arguments between the brackets of `fn main(...)`; their attributes are blanked in place. */
static bool say_call(wrapper *w, const gpu_job *job, const iri_wgsl_map *map, char *at)
{
    while (*at != ')') {
        bool position = false;
        while (isspace((unsigned char)*at))
            at++;
        while (*at == '@') {
            char *end = at + strcspn(at, "( \n");
            if (*end == '(')
                end += strcspn(end, ")") + 1;
            position |= strncmp(at, "@builtin(position)", 18) == 0;
            memset(at, ' ', (size_t)(end - at));
            at = end + strspn(end, " ");
        }
        if (*at == ')')
            break;
        if (!say_argument(w, job, map, at, position))
            return false;
        at += strcspn(at, ",)");
        if (*at == ',')
            at++;
    }
    return true;
}

/* `line` is a member of the struct Out: "    @location(0) NAME: TYPE,". */
static bool say_result(wrapper *w, const gpu_job *job, const iri_wgsl_map *map, const char *line)
{
    const char *colon = line + strcspn(line, ":\n");
    const char *name = colon;
    while (name > line && name[-1] != ' ')
        name--;
    const iri_emitted_name *n = named(map, 2, name, (size_t)(colon - name));
    if (*colon != ':' || !n)
        return false;
    const char *type = colon + 2;
    uint32_t word = word_at(job->p->interface.outputs, n->index);
    uint32_t lanes = IRI_TYPE_LANES(job->p->interface.outputs[n->index].type);
    for (uint32_t k = 0; k < lanes; k++)
        say(w, "    oracle_out[o + %uu] = bitcast<u32>(r.%.*s%s%.1s);\n", (unsigned)(1 + word + k),
            (int)(colon - name), name, type[0] == 'v' ? "." : "", type[0] == 'v' ? &"xyzw"[k] : "");
    return true;
}

static const char vertex_entry[] =
    "@compute @workgroup_size(64)\n"
    "fn oracle_main(@builtin(global_invocation_id) id: vec3u) {\n    oracle_run(id.x);\n}\n";
/* The corner of a triangle that lies within the target: clipping would divide quads, and pixels that help others
 * need not read buffers. */
static const char pixel_entry[] =
    "@vertex\nfn oracle_vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {\n"
    "    return vec4f(f32(i & 1u) * 2.0 - 1.0, 1.0 - f32(i >> 1u) * 2.0, 0.5, 1.0);\n}\n"
    "@fragment\nfn oracle_main(@builtin(position) p: vec4f) -> @location(0) vec4f {\n"
    "    let x = u32(p.x);\n    let y = u32(p.y);\n"
    "    oracle_run(((y >> 1u) * 4u + (x >> 1u)) * 4u + (y & 1u) * 2u + (x & 1u));\n"
    "    return vec4f(0.0);\n}\n";

/* The module's text with the old entry point a function, and a new one. */
static bool wrap(wrapper *w, const gpu_job *job, char *wgsl, const iri_wgsl_map *map)
{
    bool pixel = job->p->stage == IRI_STAGE_PIXEL;
    char *attribute = strstr(wgsl, pixel ? "\n@fragment\n" : "\n@vertex\n");
    char *entry = attribute ? strstr(attribute, "\nfn main(") : NULL;
    const char *out = strstr(wgsl, "struct Out {\n");
    wrapper call = {calloc(1, WRAPPER), 0, WRAPPER};
    if (!entry || !call.at)
        return false;
    memset(attribute + 1, ' ', pixel ? 9 : 7);
    bool good = say_call(&call, job, map, entry + 9);
    say(w, "%s\n@group(3) @binding(500) var<storage, read> oracle_in: array<u32>;\n", wgsl);
    say(w, "@group(3) @binding(501) var<storage, read_write> oracle_out: array<u32>;\n");
    say(w, "fn oracle_run(i: u32) {\n    let b = i * %uu;\n    let o = i * %uu;\n",
        (unsigned)job->in_words, (unsigned)job->out_words + 1);
    say(w, "    %smain(%s);\n    oracle_out[o] = 1u;\n", out ? "let r = " : "", call.at);
    free(call.at);
    for (const char *line = out ? out + 13 : "}"; good && *line && *line != '}';
         line += strcspn(line, "\n") + 1)
        good = say_result(w, job, map, line);
    say(w, "}\n%s", pixel ? pixel_entry : vertex_entry);
    return good;
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

/* What is bound to a constant buffer. */
static size_t bank_bytes(const iri_resource *r)
{
    size_t size = (r->size + 255u) / 256 * 256;
    return size < GPU_ROWS * 16 ? GPU_ROWS * 16 : size < 8192 * 16 ? size : 8192 * 16;
}

static void say_resources(gpu_folder *f, const gpu_job *job, const iri_wgsl_map *map,
                          const char *wgsl)
{
    static const char *const views[] = {"", "1d", "2d", "3d", "cube"};
    const char *comma = "";
    for (size_t i = 0; i < map->name_count; i++) {
        const iri_emitted_name *n = &map->names[i];
        if (n->kind != 0)
            continue;
        const iri_resource *r = &job->p->interface.resources[n->index];
        char place[64];
        snprintf(place, sizeof place, "@group(%d) @binding(%d) var", (int)n->group,
                 (int)n->binding);
        const char *declared = strstr(wgsl, place);
        if (!declared)
            continue;
        fprintf(f->manifest, "%s{\"group\": %d, \"binding\": %d, ", comma, (int)n->group,
                (int)n->binding);
        comma = ", ";
        if (r->kind == IRI_RESOURCE_CBUFFER)
            fprintf(f->manifest, "\"kind\": \"%s\", \"at\": %zu, \"size\": %u}",
                    strncmp(declared + strlen(place), "<uniform", 8) == 0 ? "uniform"
                                                                          : "read-only-storage",
                    put(f, job->banks[r->reg % 3], bank_bytes(r)), (unsigned)bank_bytes(r));
        else if (r->kind == IRI_RESOURCE_TEXTURE)
            fprintf(f->manifest, "\"kind\": \"texture\", \"view\": \"%s\", \"texture\": \"%s_%u\"}",
                    views[r->dimension], views[r->dimension], (unsigned)(r->reg % GPU_TEXTURES));
        else
            fprintf(f->manifest, "\"kind\": \"sampler\"}");
    }
}

bool gpu_write_job(gpu_folder *f, const gpu_job *job, char why[400])
{
    iri_text wgsl;
    iri_wgsl_map map;
    iri_refusal refusal;
    if (iri_write_wgsl(job->p, IRI_WGSL_OPTIONS(.profile = f->profile, .no_header = true), &wgsl,
                       &map, &refusal) != IRI_OK) {
        iri_refusal_line(&refusal, NULL, why, 400);
        return false;
    }
    wrapper w = {calloc(1, wgsl.size + WRAPPER), 0, wgsl.size + WRAPPER};
    /* Looks at declarations before the wrapper's are there. */
    bool good = w.at && wrap(&w, job, (char *)wgsl.data, &map);
    if (good) {
        fprintf(f->manifest, "%s\n{\"name\": ", f->written++ ? "," : "");
        say_text(f->manifest, job->name);
        fprintf(f->manifest, ", \"pixel\": %s, \"count\": %u, \"in\": %zu, \"inBytes\": %zu, ",
                job->p->stage == IRI_STAGE_PIXEL ? "true" : "false", (unsigned)job->count,
                put(f, job->in, (size_t)job->count * job->in_words * 4),
                (size_t)job->count * job->in_words * 4);
        fprintf(f->manifest, "\"outBytes\": %zu, \"resources\": [",
                (size_t)job->count * (job->out_words + 1) * 4);
        say_resources(f, job, &map, wgsl.data);
        fprintf(f->manifest, "], \"wgsl\": ");
        say_text(f->manifest, w.at);
        fprintf(f->manifest, "}");
    } else {
        snprintf(why, 400, "no entry point that can be wrapped");
    }
    free(w.at);
    iri_text_free(&wgsl);
    iri_wgsl_map_free(&map);
    return good;
}

/* ---- running ---- */

void gpu_bind(const iri_program *p, const void *const banks[3],
              iri_exec_resource bound[GPU_RESOURCES])
{
    static const iri_exec_sampler nearest;
    memset(bound, 0, GPU_RESOURCES * sizeof *bound);
    for (uint32_t i = 0; i < p->interface.resource_count && i < GPU_RESOURCES; i++) {
        const iri_resource *r = &p->interface.resources[i];
        if (r->kind == IRI_RESOURCE_CBUFFER) {
            bound[i].data = banks[r->reg % 3];
            bound[i].size = bank_bytes(r);
        } else if (r->kind == IRI_RESOURCE_TEXTURE) {
            bound[i].texture = gpu_texture(r->dimension, r->reg);
        } else {
            bound[i].sampler = &nearest;
        }
    }
}

bool gpu_execute(const gpu_job *job, bool fine, uint32_t *out, uint8_t *flags, char why[400])
{
    const iri_interface *io = &job->p->interface;
    iri_exec_array in[GPU_IO], to[GPU_IO];
    iri_exec_resource bound[GPU_RESOURCES];
    iri_refusal refusal;
    iri_exec *exec;
    if (io->input_count > GPU_IO || io->output_count > GPU_IO ||
        io->resource_count > GPU_RESOURCES) {
        snprintf(why, 400, "more inputs, outputs or resources than the harness holds");
        return false;
    }
    for (uint32_t i = 0; i < io->input_count; i++)
        in[i] = (iri_exec_array){job->in + word_at(io->inputs, i), job->in_words * 4, 0};
    for (uint32_t i = 0; i < io->output_count; i++)
        to[i] = (iri_exec_array){out + word_at(io->outputs, i), job->out_words * 4, 0};
    gpu_bind(job->p, job->banks, bound);
    iri_status status =
        iri_exec_compile(job->p, IRI_EXEC_OPTIONS(.fine_derivatives = fine), &exec, &refusal);
    if (status == IRI_OK) {
        iri_exec_batch batch = {.count = job->count,
                                .inputs = in,
                                .outputs = to,
                                .resources = bound,
                                .resource_count = io->resource_count,
                                .state = &IRI_STATE_D3D9_DEFAULT,
                                .flags = flags};
        memset(flags, 0, job->count);
        memset(out, 0, (size_t)job->count * job->out_words * 4);
        status = iri_exec_run(exec, &batch, &refusal);
        iri_exec_free(exec);
    }
    if (status != IRI_OK)
        iri_refusal_line(&refusal, NULL, why, 400);
    return status == IRI_OK;
}

/* results.tsv: name, offset in out.bin or -1, why not. */
uint32_t *gpu_read_result(const gpu_folder *f, const gpu_job *job, char why[400])
{
    static char *index;
    static FILE *data;
    size_t length = strlen(job->name), size = (size_t)job->count * (job->out_words + 1) * 4;
    if (!index) {
        FILE *file = open_in(f, "results.tsv", "rb");
        index = calloc(1, 1 << 24);
        if (file && index)
            index[fread(index, 1, (1 << 24) - 1, file)] = 0;
        if (file)
            fclose(file);
        data = open_in(f, "out.bin", "rb");
    }
    snprintf(why, 400, "the driver gave no result");
    for (const char *line = index; line && *line; line += strcspn(line, "\n") + 1) {
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
        if (words && data && fseek(data, at, SEEK_SET) == 0 && fread(words, 1, size, data) == size)
            return words;
        free(words);
        return NULL;
    }
    return NULL;
}
