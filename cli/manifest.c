/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The manifest of a module: descriptors in WebGPU's own words, so that a program makes its pipeline from it
 * alone.
 */
#include "manifest.h"
#include <stdlib.h>

static const iri_emitted_name *find_name(const manifest_stage *stage, uint32_t kind, uint32_t index)
{
    for (size_t i = 0; i < stage->map->name_count; i++)
        if (stage->map->names[i].kind == kind && stage->map->names[i].index == index)
            return &stage->map->names[i];
    return NULL;
}
enum { RESOURCE = 0, INPUT = 1, OUTPUT = 2, OVERRIDE = 4, COUNTER = 5 };

static const char *stage_word(const manifest_stage *stage)
{
    switch (iri_program_stage(stage->program)) {
    case IRI_STAGE_VERTEX: return "vertex";
    case IRI_STAGE_PIXEL: return "fragment";
    default: return "compute";
    }
}

/* ---- inputs and outputs ---- */

/* "float32x3": GPUVertexFormat of a value of the type in a buffer of such values. */
static void vertex_format(iri_type type, char text[16])
{
    static const char *const scalars[] = {"uint32", "sint32", "float32"};
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    uint32_t lanes = IRI_TYPE_LANES(type);
    const char *word = scalars[scalar == IRI_F32 ? 2 : scalar == IRI_I32 ? 1 : 0];
    if (lanes == 1)
        snprintf(text, 16, "%s", word);
    else
        snprintf(text, 16, "%sx%u", word, (unsigned)lanes);
}

/* The arguments of @interpolate that a varying has; NULL for WebGPU's default. */
static const char *interpolate(const iri_io *io)
{
    static const char *const words[IRI_INTERPOLATION_COUNT] = {
        [IRI_INTERPOLATION_LINEAR_CENTROID] = "perspective, centroid",
        [IRI_INTERPOLATION_LINEAR_SAMPLE] = "perspective, sample",
        [IRI_INTERPOLATION_NO_PERSPECTIVE] = "linear",
        [IRI_INTERPOLATION_NO_PERSPECTIVE_CENTROID] = "linear, centroid",
        [IRI_INTERPOLATION_NO_PERSPECTIVE_SAMPLE] = "linear, sample",
        [IRI_INTERPOLATION_FLAT] = "flat",
    };
    return words[io->interpolation];
}

static void print_io(cli_json *json, const manifest_stage *stage, const char *key, uint32_t kind)
{
    const iri_interface *io = iri_program_interface(stage->program);
    const iri_io *items = kind == INPUT ? io->inputs : io->outputs;
    uint32_t count = kind == INPUT ? io->input_count : io->output_count;
    bool vertex = iri_program_stage(stage->program) == IRI_STAGE_VERTEX;
    json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        const iri_emitted_name *name = find_name(stage, kind, i);
        char type[16];
        if (!name)
            continue;
        cli_type_text(items[i].type, type, sizeof type);
        json_open(json, NULL, '{');
        json_string(json, "semantic", items[i].name);
        json_number(json, "index", items[i].index);
        json_string(json, "type", type);
        if (name->location >= 0) {
            json_number(json, "shaderLocation", name->location);
            if (vertex && kind == INPUT) {
                vertex_format(items[i].type, type);
                json_string(json, "format", type);
            }
            if (interpolate(&items[i]))
                json_string(json, "interpolate", interpolate(&items[i]));
        } else {
            json_string(json, "builtin", iri_word(IRI_WORDS_SYSTEM_VALUE, items[i].system_value));
        }
        json_close(json, '}');
    }
    json_close(json, ']');
}

void manifest_print_stage(cli_json *json, const manifest_stage *stage)
{
    const iri_interface *io = iri_program_interface(stage->program);
    const iri_provenance *from = iri_program_provenance(stage->program);
    if (stage->path)
        json_string(json, "module", stage->path);
    json_string(json, "stage", stage_word(stage));
    json_string(json, "entryPoint", stage->entry ? stage->entry : "main");
    json_string(json, "target", from->target);
    print_io(json, stage, "inputs", INPUT);
    print_io(json, stage, "outputs", OUTPUT);
    json_open(json, "constants", '[');
    for (size_t i = 0; i < stage->map->name_count; i++) {
        const iri_emitted_name *n = &stage->map->names[i];
        if (n->kind != OVERRIDE)
            continue;
        json_open(json, NULL, '{');
        json_string(json, "state", n->source);
        json_string(json, "name", n->emitted);
        json_close(json, '}');
    }
    json_close(json, ']');
    if (iri_program_stage(stage->program) == IRI_STAGE_COMPUTE) {
        const iri_stage_facts *facts = &io->facts;
        json_words(json, "workgroupSize", facts->workgroup, 3);
    }
    cli_notes notes = cli_collect_notes(stage->program, stage->map->notes, stage->map->note_count);
    json_notes(json, &notes);
    free(notes.items);
}

/* ---- bind groups ---- */

static const char *sample_type(const iri_resource *r)
{
    if (r->comparison)
        return "depth";
    return r->scalar == IRI_I32 ? "sint" : r->scalar == IRI_U32 ? "uint" : "float";
}

static void view_dimension(const iri_resource *r, char text[16])
{
    static const char *const words[IRI_DIMENSION_COUNT] = {"2d", "1d", "2d", "3d", "cube"};
    snprintf(text, 16, "%s%s", words[r->dimension], r->arrayed ? "-array" : "");
}

/* A constant buffer too large for a uniform one. */
static bool is_storage(const iri_resource *r)
{
    return r->size > IRI_WGSL_UNIFORM_BYTES;
}

static bool is_written(const iri_resource *r)
{
    return r->kind != IRI_RESOURCE_BUFFER && (r->access & (2 | 4));
}

static void print_layout(cli_json *json, const iri_resource *r)
{
    char dimension[16];
    view_dimension(r, dimension);
    switch ((iri_resource_kind)r->kind) {
    case IRI_RESOURCE_CBUFFER:
        json_open(json, "buffer", '{');
        json_string(json, "type", is_storage(r) ? "read-only-storage" : "uniform");
        json_number(json, "minBindingSize", (r->size + 15) & ~15u);
        break;
    case IRI_RESOURCE_BUFFER:
    case IRI_RESOURCE_STORAGE_BUFFER:
        json_open(json, "buffer", '{');
        json_string(json, "type", is_written(r) ? "storage" : "read-only-storage");
        break;
    case IRI_RESOURCE_TEXTURE:
        json_open(json, "texture", '{');
        json_string(json, "sampleType", sample_type(r));
        json_string(json, "viewDimension", dimension);
        json_bool(json, "multisampled", r->multisampled);
        break;
    case IRI_RESOURCE_SAMPLER:
        json_open(json, "sampler", '{');
        json_string(json, "type", r->comparison ? "comparison" : "filtering");
        break;
    case IRI_RESOURCE_STORAGE_TEXTURE:
        json_open(json, "storageTexture", '{');
        json_string(json, "access",
                    !is_written(r)  ? "read-only"
                    : r->access & 1 ? "read-write"
                                    : "write-only");
        json_string(json, "format", iri_wgsl_texel_format(r->format));
        json_string(json, "viewDimension", dimension);
        break;
    case IRI_RESOURCE_NONE:
    case IRI_RESOURCE_COUNT: json_open(json, "none", '{'); break;
    }
    json_close(json, '}');
}

static void print_entry(cli_json *json, const manifest_stage *stage, uint32_t index,
                        const iri_emitted_name *name)
{
    const iri_resource *r = &iri_program_interface(stage->program)->resources[index];
    json_open(json, NULL, '{');
    json_number(json, "binding", name->binding);
    json_string(json, "visibility", stage_word(stage));
    print_layout(json, r);
    json_string(json, "kind", iri_word(IRI_WORDS_RESOURCE_KIND, r->kind));
    json_string(json, "name", r->name);
    json_string(json, "emitted", name->emitted);
    json_number(json, "register", r->reg);
    if (r->kind == IRI_RESOURCE_CBUFFER) {
        json_number(json, "size", r->size);
        json_members(json, r->members, r->member_count);
    }
    json_close(json, '}');
}

static void print_counter(cli_json *json, const manifest_stage *stage, const iri_emitted_name *name)
{
    json_open(json, NULL, '{');
    json_number(json, "binding", name->binding);
    json_string(json, "visibility", stage_word(stage));
    json_open(json, "buffer", '{');
    json_string(json, "type", "storage");
    json_number(json, "minBindingSize", 4);
    json_close(json, '}');
    json_string(json, "kind", "counter");
    json_string(json, "name", name->source);
    json_string(json, "emitted", name->emitted);
    json_close(json, '}');
}

/* The entries of one group, whether there are any or they are printed too. */
static bool print_group(cli_json *json, const manifest_stage *stages, size_t count, int32_t group)
{
    bool any = false;
    for (size_t s = 0; s < count; s++) {
        const iri_interface *io = iri_program_interface(stages[s].program);
        for (uint32_t i = 0; i < io->resource_count; i++) {
            const iri_emitted_name *name = find_name(&stages[s], RESOURCE, i);
            if (!name || name->group != group || name->binding < 0)
                continue;
            any = true;
            if (json)
                print_entry(json, &stages[s], i, name);
        }
        for (size_t i = 0; i < stages[s].map->name_count; i++) {
            const iri_emitted_name *name = &stages[s].map->names[i];
            if (name->kind != COUNTER || name->group != group)
                continue;
            any = true;
            if (json)
                print_counter(json, &stages[s], name);
        }
    }
    return any;
}

void manifest_print_bindings(cli_json *json, const manifest_stage *stages, size_t count)
{
    json_open(json, "bindGroups", '[');
    for (int32_t group = 0; group < 4; group++) {
        if (!print_group(NULL, stages, count, group))
            continue;
        json_open(json, NULL, '{');
        json_number(json, "group", group);
        json_open(json, "entries", '[');
        print_group(json, stages, count, group);
        json_close(json, ']');
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* ---- what the device needs ---- */

typedef struct counts {
    uint32_t textures, samplers, uniforms, storage, images, attributes, varyings, targets;
} counts;

static void count_resource(counts *c, const iri_resource *r)
{
    switch ((iri_resource_kind)r->kind) {
    case IRI_RESOURCE_CBUFFER: *(is_storage(r) ? &c->storage : &c->uniforms) += 1; break;
    case IRI_RESOURCE_TEXTURE: c->textures++; break;
    case IRI_RESOURCE_SAMPLER: c->samplers++; break;
    case IRI_RESOURCE_BUFFER:
    case IRI_RESOURCE_STORAGE_BUFFER: c->storage++; break;
    case IRI_RESOURCE_STORAGE_TEXTURE: c->images++; break;
    case IRI_RESOURCE_NONE:
    case IRI_RESOURCE_COUNT: break;
    }
}

static uint32_t highest(const manifest_stage *stage, uint32_t kind)
{
    uint32_t count = 0;
    for (size_t i = 0; i < stage->map->name_count; i++) {
        const iri_emitted_name *n = &stage->map->names[i];
        if (n->kind == kind && n->location >= 0 && (uint32_t)n->location + 1 > count)
            count = (uint32_t)n->location + 1;
    }
    return count;
}

static counts count_stage(const manifest_stage *stage)
{
    counts c = {0};
    const iri_interface *io = iri_program_interface(stage->program);
    bool vertex = iri_program_stage(stage->program) == IRI_STAGE_VERTEX;
    for (uint32_t i = 0; i < io->resource_count; i++)
        if (find_name(stage, RESOURCE, i))
            count_resource(&c, &io->resources[i]);
    for (size_t i = 0; i < stage->map->name_count; i++)
        c.storage += stage->map->names[i].kind == COUNTER;
    *(vertex ? &c.attributes : &c.varyings) = highest(stage, INPUT);
    *(vertex ? &c.varyings : &c.targets) = highest(stage, OUTPUT);
    return c;
}

static void print_limit(cli_json *json, const char *name, uint32_t value, uint32_t without_asking)
{
    if (value > without_asking)
        json_number(json, name, value);
}

void manifest_print_needs(cli_json *json, const manifest_stage *stages, size_t count)
{
    uint32_t features = 0, bit;
    const char *name;
    counts most = {0};
    for (size_t s = 0; s < count; s++) {
        counts c = count_stage(&stages[s]);
        const uint32_t *from = (const uint32_t *)&c;
        uint32_t *to = (uint32_t *)&most;
        features |= stages[s].map->features_needed;
        for (size_t i = 0; i < sizeof c / sizeof *from; i++)
            to[i] = from[i] > to[i] ? from[i] : to[i];
    }
    json_open(json, "requiredFeatures", '[');
    for (size_t i = 0; (name = cli_feature(i, &bit)); i++)
        if (features & bit)
            json_string(json, NULL, name);
    json_close(json, ']');
    /* WebGPU's default limits, section 3.6.2 "Limits". */
    json_open(json, "requiredLimits", '{');
    print_limit(json, "maxSampledTexturesPerShaderStage", most.textures, 16);
    print_limit(json, "maxSamplersPerShaderStage", most.samplers, 16);
    print_limit(json, "maxUniformBuffersPerShaderStage", most.uniforms, 12);
    print_limit(json, "maxStorageBuffersPerShaderStage", most.storage, 8);
    print_limit(json, "maxStorageTexturesPerShaderStage", most.images, 4);
    print_limit(json, "maxVertexAttributes", most.attributes, 16);
    print_limit(json, "maxInterStageShaderVariables", most.varyings, 16);
    print_limit(json, "maxColorAttachments", most.targets, 8);
    json_close(json, '}');
}

bool manifest_write(const manifest_stage *stage, const char *path)
{
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_number(&json, "schema", 1);
    manifest_print_stage(&json, stage);
    manifest_print_bindings(&json, stage, 1);
    manifest_print_needs(&json, stage, 1);
    json_close(&json, '}');
    return json_finish(&json, path);
}
