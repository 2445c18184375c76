/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles and the preflight. The numbers are the defaults of WebGPU's limits (section 3.6.2), which
 * every device has; those of WGSL are its section 2.4's.
 */
#include "write/profile.h"

static const iri_profile_limits profiles[IRI_PROFILE_COUNT] = {
    [IRI_PROFILE_BROWSER] =
        {
            .textures = 16,
            .samplers = 16,
            .uniform_buffers = 12,
            .storage_buffers = 8,
            .storage_textures = 4,
            .uniform_size = 65536,
            .storage_size = 134217728,
            .vertex_attributes = 16,
            .varyings = 16,
            .targets = 8,
            .function_memory = 8192,
            .struct_members = 1023,
            .features = IRI_FEATURE_SHADER_F16 | IRI_FEATURE_CLIP_DISTANCES |
                        IRI_FEATURE_DUAL_SOURCE | IRI_FEATURE_FLOAT32_FILTERABLE,
        },
    [IRI_PROFILE_NAGA] =
        {
            .textures = 16,
            .samplers = 16,
            .uniform_buffers = 12,
            .storage_buffers = 8,
            .storage_textures = 4,
            .uniform_size = 65536,
            .storage_size = 134217728,
            .vertex_attributes = 16,
            .varyings = 16,
            .targets = 8,
            .function_memory = 8192,
            .struct_members = 1023,
            .features = IRI_FEATURE_SHADER_F16 | IRI_FEATURE_CLIP_DISTANCES |
                        IRI_FEATURE_DUAL_SOURCE | IRI_FEATURE_FLOAT32_FILTERABLE,
        },
};

const iri_profile_limits *iri_profile_get_limits(iri_profile profile)
{
    return &profiles[profile];
}

typedef struct preflight {
    iri_ctx *ctx;
    const iri_program *p;
    const iri_profile_limits *limits;
    uint32_t features;
} preflight;

static void check_type(const preflight *pf, iri_type type, uint32_t offset, const char *what,
                       const char *name)
{
    switch (IRI_TYPE_SCALAR(type)) {
    case IRI_F16:
        if (pf->features & IRI_FEATURE_SHADER_F16)
            return;
        iri_fail(pf->ctx, IRI_CAPABILITY, offset, "%s %s is %s, which needs the feature shader-f16",
                 what, name, iri_type_name(type));
    case IRI_I16:
    case IRI_U16:
    case IRI_I64:
    case IRI_U64:
    case IRI_F64:
        iri_fail(pf->ctx, IRI_CAPABILITY, offset, "%s %s is %s, which WGSL does not have", what,
                 name, iri_type_name(type));
    case IRI_VOID:
    case IRI_BOOL:
    case IRI_I32:
    case IRI_U32:
    case IRI_F32:
    case IRI_SCALAR_COUNT: return;
    }
}

static void check_values(const preflight *pf)
{
    const iri_program *p = pf->p;
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        for (uint32_t k = 0; k < in->result_count; k++)
            check_type(pf, iri_type_of(p, in->results + k), in->offset, "a value of",
                       iri_op_infos[in->op].name);
    }
    for (iri_id r = 1; r < p->region_count; r++)
        for (uint32_t k = 0; k < p->regions[r].parameter_count; k++)
            check_type(pf, iri_type_of(p, p->regions[r].parameters + k), IRI_NO_OFFSET,
                       "a parameter of", "a loop or function");
    for (iri_id k = 1; k < p->local_count; k++) {
        const iri_local *local = &p->locals[k];
        uint64_t lanes = IRI_TYPE_LANES(local->type) == 3 ? 4 : IRI_TYPE_LANES(local->type);
        uint64_t size = lanes * 4 * (local->length ? local->length : 1);
        check_type(pf, local->type, IRI_NO_OFFSET, "the variable", local->name);
        if (size > pf->limits->function_memory)
            iri_fail(pf->ctx, IRI_CAPABILITY, IRI_NO_OFFSET,
                     "the variable %s has %llu bytes; a function's may have %u", local->name,
                     (unsigned long long)size, pf->limits->function_memory);
    }
}

static void check_count(const preflight *pf, uint32_t count, uint32_t limit,
                        const iri_resource *last, const char *what)
{
    char label[32];
    if (count > limit)
        iri_fail(pf->ctx, IRI_CAPABILITY, last->offset, "%s is one %s too many: a stage has %u",
                 iri_resource_label(last, label), what, limit);
}

static void check_resources(const preflight *pf)
{
    const iri_interface *io = &pf->p->interface;
    const iri_profile_limits *limits = pf->limits;
    uint32_t textures = 0, samplers = 0, uniforms = 0, storage = 0;
    char label[32];
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        if (r->count != 1)
            iri_fail(pf->ctx, IRI_CAPABILITY, r->offset,
                     "%s is a range of resources, which WGSL lacks", iri_resource_label(r, label));
        switch ((iri_resource_kind)r->kind) {
        case IRI_RESOURCE_CBUFFER:
            if (r->size > limits->storage_size)
                iri_fail(pf->ctx, IRI_CAPABILITY, r->offset,
                         "%s has %u bytes; a buffer may have %u", iri_resource_label(r, label),
                         (unsigned)r->size, limits->storage_size);
            if (r->size > limits->uniform_size)
                check_count(pf, ++storage, limits->storage_buffers, r, "storage buffer");
            else
                check_count(pf, ++uniforms, limits->uniform_buffers, r, "uniform buffer");
            break;
        case IRI_RESOURCE_TEXTURE:
            check_count(pf, ++textures, limits->textures, r, "sampled texture");
            if (r->multisampled)
                iri_fail(pf->ctx, IRI_UNWRITABLE, r->offset, "%s is multisampled",
                         iri_resource_label(r, label));
            break;
        case IRI_RESOURCE_SAMPLER:
            check_count(pf, ++samplers, limits->samplers, r, "sampler");
            break;
        case IRI_RESOURCE_NONE:
        case IRI_RESOURCE_BUFFER:
        case IRI_RESOURCE_STORAGE_BUFFER:
        case IRI_RESOURCE_STORAGE_TEXTURE:
        case IRI_RESOURCE_COUNT:
            iri_fail(pf->ctx, IRI_UNWRITABLE, r->offset, "%s is of a kind that is not written",
                     iri_resource_label(r, label));
        }
    }
}

/* Locations used, and the built-ins that take the place of one (WebGPU section 10.3.1: front_facing,
 * sample_index, sample_mask each one, clip distances one for four). */
static void check_varyings(const preflight *pf, const iri_entry_value *values, uint32_t count,
                           uint32_t limit, const char *what)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; i++) {
        const iri_entry_value *v = &values[i];
        check_type(pf, v->type, IRI_NO_OFFSET, what, v->name);
        if (v->builtin == IRI_ENTRY_FRONT_FACING || v->builtin == IRI_ENTRY_SAMPLE_INDEX ||
            v->builtin == IRI_ENTRY_SAMPLE_MASK)
            taken++;
        if (v->builtin == IRI_ENTRY_CLIP_DISTANCES)
            taken += (v->array + 3) / 4;
    }
    for (uint32_t i = 0; i < count; i++)
        if (values[i].builtin == IRI_ENTRY_LOCATION &&
            (uint32_t)values[i].location + taken >= limit)
            iri_fail(pf->ctx, IRI_CAPABILITY, IRI_NO_OFFSET,
                     "%s %s needs location %ld; there are %u", what, values[i].name,
                     (long)values[i].location, (unsigned)(limit - taken));
}

static void check_entry(const preflight *pf, const iri_entry_io *io)
{
    const iri_profile_limits *limits = pf->limits;
    bool vertex = pf->p->stage == IRI_STAGE_VERTEX, position = false;
    check_varyings(pf, io->inputs, io->input_count,
                   vertex ? limits->vertex_attributes : limits->varyings,
                   vertex ? "the vertex attribute" : "the varying");
    check_varyings(pf, io->outputs, io->output_count, vertex ? limits->varyings : limits->targets,
                   vertex ? "the varying" : "the colour");
    for (uint32_t i = 0; i < io->output_count; i++)
        position = position || io->outputs[i].builtin == IRI_ENTRY_POSITION;
    if (vertex && !position)
        iri_fail(pf->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "a vertex program without a position");
    if (io->clip_count > 8)
        iri_fail(pf->ctx, IRI_CAPABILITY, IRI_NO_OFFSET, "%u clip distances; there are 8",
                 (unsigned)io->clip_count);
}

void iri_profile_preflight(iri_ctx *ctx, const iri_program *p, const iri_entry_io *io,
                           iri_profile profile, uint32_t features)
{
    preflight pf = {ctx, p, &profiles[profile], features & profiles[profile].features};
    check_values(&pf);
    check_resources(&pf);
    check_entry(&pf, io);
}
