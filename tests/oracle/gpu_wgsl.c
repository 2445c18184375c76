/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The WGSL of a program with its entry point turned into a function, called by an entry point that reads the
 * inputs from a storage buffer and writes the outputs into another. So every invocation gets its own numbers,
 * bit for bit, and no attachment's format comes between. Programs of both stages run over the pixels of a
 * target, four neighbouring invocations a quad.
 */
#include "tests/oracle/gpu.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WRAPPER = 65536 };

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
    uint32_t word = gpu_word_at(job->p->interface.inputs, n->index);
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
    uint32_t word = gpu_word_at(job->p->interface.outputs, n->index);
    uint32_t lanes = IRI_TYPE_LANES(job->p->interface.outputs[n->index].type);
    for (uint32_t k = 0; k < lanes; k++)
        say(w, "    oracle_out[o + %uu] = bitcast<u32>(r.%.*s%s%.1s);\n", (unsigned)(1 + word + k),
            (int)(colon - name), name, type[0] == 'v' ? "." : "", type[0] == 'v' ? &"xyzw"[k] : "");
    return true;
}

/* The corner of a triangle that lies within the target: clipping would divide quads, and pixels that help others
 * need not read buffers. */
static const char entry_points[] =
    "@vertex\nfn oracle_vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {\n"
    "    return vec4f(f32(i & 1u) * 2.0 - 1.0, 1.0 - f32(i >> 1u) * 2.0, 0.5, 1.0);\n}\n"
    "@fragment\nfn oracle_main(@builtin(position) p: vec4f) -> @location(0) vec4f {\n"
    "    let x = u32(p.x);\n    let y = u32(p.y);\n"
    "    oracle_run(((y >> 1u) * 32u + (x >> 1u)) * 4u + (y & 1u) * 2u + (x & 1u));\n"
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
    say(w, "}\n%s", entry_points);
    return good;
}

static void find_resources(gpu_module *m, const iri_wgsl_map *map, const char *wgsl)
{
    for (size_t i = 0; i < map->name_count; i++) {
        const iri_emitted_name *n = &map->names[i];
        char place[64];
        if (n->kind != 0 || m->bound_count == GPU_RESOURCES)
            continue;
        snprintf(place, sizeof place, "@group(%d) @binding(%d) var", (int)n->group,
                 (int)n->binding);
        const char *declared = strstr(wgsl, place);
        if (declared)
            m->bound[m->bound_count++] =
                (gpu_bound){(uint32_t)n->group, (uint32_t)n->binding, n->index,
                            strncmp(declared + strlen(place), "<storage", 8) == 0};
    }
}

bool gpu_make_wgsl(const gpu_job *job, iri_profile profile, gpu_module *m, char why[400])
{
    iri_text wgsl;
    iri_wgsl_map map;
    iri_refusal refusal;
    if (iri_write_wgsl(job->p, IRI_WGSL_OPTIONS(.profile = profile, .no_header = true), &wgsl, &map,
                       &refusal) != IRI_OK) {
        iri_refusal_line(&refusal, NULL, why, 400);
        return false;
    }
    wrapper w = {calloc(1, wgsl.size + WRAPPER), 0, wgsl.size + WRAPPER};
    /* Looks at declarations before the wrapper's are there. */
    find_resources(m, &map, (const char *)wgsl.data);
    bool good = w.at && wrap(&w, job, (char *)wgsl.data, &map);
    m->bytes = w.at;
    m->size = w.size;
    if (!good)
        snprintf(why, 400, "no entry point that can be wrapped");
    iri_text_free(&wgsl);
    iri_wgsl_map_free(&map);
    return good;
}
