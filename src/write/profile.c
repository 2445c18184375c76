/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles and the preflight. The numbers are the defaults of WebGPU's limits (section 3.6.2), which
 * every device has; those of WGSL are its section 2.4's.
 */
#include "write/profile.h"

enum {
    TEXTURES = 16, /* a stage */
    SAMPLERS = 16,
    UNIFORM_BUFFERS = 12,
    STORAGE_BUFFERS = 8,
    STORAGE_TEXTURES = 4,
    UNIFORM_SIZE = 65536, /* bytes of one buffer */
    STORAGE_SIZE = 134217728,
    VERTEX_ATTRIBUTES = 16,
    VARYINGS = 16,
    TARGETS = 8,
    FUNCTION_MEMORY = 8192, /* bytes of one variable in a function */
    GROUP_X = 256,          /* of a workgroup */
    GROUP_Y = 256,
    GROUP_Z = 64,
    GROUP_SIZE = 256,
    GROUP_MEMORY = 16384 /* bytes */
};

/* Features that both profiles know. */
enum {
    KNOWN_FEATURES = IRI_FEATURE_SHADER_F16 | IRI_FEATURE_CLIP_DISTANCES | IRI_FEATURE_DUAL_SOURCE |
                     IRI_FEATURE_FLOAT32_FILTERABLE
};

typedef struct preflight {
    iri_ctx *ctx;
    const iri_program *p;
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

/* What each value is of, told by what makes it. */
static _Noreturn void refuse_value(const preflight *pf, iri_id value)
{
    const iri_inst *in = iri_def(pf->p, value);
    check_type(pf, iri_type_of(pf->p, value), in ? in->offset : IRI_NO_OFFSET, "a value of",
               in ? iri_op_infos[in->op].name : "a loop or function");
    iri_fail(pf->ctx, IRI_INTERNAL, IRI_NO_OFFSET, "a type was refused that is none to refuse");
}

/* Returns whether there are half floats. */
static bool check_values(const preflight *pf)
{
    enum { REFUSED = 1 << IRI_I16 | 1 << IRI_U16 | 1 << IRI_I64 | 1 << IRI_U64 | 1 << IRI_F64 };
    const iri_program *p = pf->p;
    uint32_t refused = REFUSED, found = 0;
    if (!(pf->features & IRI_FEATURE_SHADER_F16))
        refused |= 1 << IRI_F16;
    for (iri_id v = 1; v < p->value_count; v++) {
        if (p->values[v].kind == IRI_VALUE_CONSTANT)
            continue;
        uint32_t bit = 1u << IRI_TYPE_SCALAR(p->values[v].type);
        if (bit & refused)
            refuse_value(pf, v);
        found |= bit;
    }
    for (iri_id k = 1; k < p->local_count; k++) {
        const iri_local *local = &p->locals[k];
        uint64_t lanes = IRI_TYPE_LANES(local->type) == 3 ? 4 : IRI_TYPE_LANES(local->type);
        uint64_t size = lanes * 4 * (local->length ? local->length : 1);
        check_type(pf, local->type, IRI_NO_OFFSET, "the variable", local->name);
        found |= 1u << IRI_TYPE_SCALAR(local->type);
        if (size > FUNCTION_MEMORY)
            iri_fail(pf->ctx, IRI_CAPABILITY, IRI_NO_OFFSET,
                     "the variable %s has %llu bytes; a function's may have %u", local->name,
                     (unsigned long long)size, (unsigned)FUNCTION_MEMORY);
    }
    return (found >> IRI_F16 & 1) != 0;
}

static void check_count(const preflight *pf, uint32_t count, uint32_t limit,
                        const iri_resource *last, const char *what)
{
    char label[32];
    if (count > limit)
        iri_fail(pf->ctx, IRI_CAPABILITY, last->offset, "%s is one %s too many: a stage has %u",
                 iri_resource_label(last, label), what, limit);
}

/* WebGPU section 8.1.1: a vertex shader's storage is only read. */
static void check_written(const preflight *pf, const iri_resource *r, bool vertex)
{
    char label[32];
    if (vertex && (r->access & 6))
        iri_fail(pf->ctx, IRI_CAPABILITY, r->offset,
                 "%s is written, which a vertex shader cannot do in WebGPU",
                 iri_resource_label(r, label));
}

static void check_workgroup(const preflight *pf)
{
    const iri_interface *io = &pf->p->interface;
    const uint32_t *size = io->facts.workgroup;
    uint64_t all = (uint64_t)size[0] * size[1] * size[2], shared = 0;
    if (size[0] > GROUP_X || size[1] > GROUP_Y || size[2] > GROUP_Z || all > GROUP_SIZE)
        iri_fail(pf->ctx, IRI_CAPABILITY, IRI_NO_OFFSET,
                 "a workgroup of %u x %u x %u invocations; it may have %d", (unsigned)size[0],
                 (unsigned)size[1], (unsigned)size[2], GROUP_SIZE);
    for (uint32_t i = 0; i < io->shared_count; i++)
        shared += (io->shared[i].size + 15u) & ~15u;
    if (shared > GROUP_MEMORY)
        iri_fail(pf->ctx, IRI_CAPABILITY, io->shared[0].offset,
                 "workgroup variables of %llu bytes; there may be %d", (unsigned long long)shared,
                 GROUP_MEMORY);
}

static void check_resources(const preflight *pf)
{
    const iri_interface *io = &pf->p->interface;
    uint32_t textures = 0, samplers = 0, uniforms = 0, storage = 0, images = 0;
    bool vertex = pf->p->stage == IRI_STAGE_VERTEX;
    char label[32];
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        if (r->count != 1)
            iri_fail(pf->ctx, IRI_CAPABILITY, r->offset,
                     "%s is a range of resources, which WGSL lacks", iri_resource_label(r, label));
        switch ((iri_resource_kind)r->kind) {
        case IRI_RESOURCE_CBUFFER:
            if (r->size > STORAGE_SIZE)
                iri_fail(pf->ctx, IRI_CAPABILITY, r->offset,
                         "%s has %u bytes; a buffer may have %u", iri_resource_label(r, label),
                         (unsigned)r->size, STORAGE_SIZE);
            if (r->size > UNIFORM_SIZE)
                check_count(pf, ++storage, STORAGE_BUFFERS, r, "storage buffer");
            else
                check_count(pf, ++uniforms, UNIFORM_BUFFERS, r, "uniform buffer");
            break;
        case IRI_RESOURCE_TEXTURE:
            check_count(pf, ++textures, TEXTURES, r, "sampled texture");
            break;
        case IRI_RESOURCE_SAMPLER: check_count(pf, ++samplers, SAMPLERS, r, "sampler"); break;
        case IRI_RESOURCE_BUFFER:
        case IRI_RESOURCE_STORAGE_BUFFER:
            if (r->buffer_shape == IRI_BUFFER_TYPED)
                iri_fail(pf->ctx, IRI_CAPABILITY, r->offset,
                         "%s is a typed buffer, which WGSL lacks", iri_resource_label(r, label));
            check_count(pf, ++storage, STORAGE_BUFFERS, r, "storage buffer");
            if (r->flags & IRI_RESOURCE_COUNTER)
                check_count(pf, ++storage, STORAGE_BUFFERS, r, "storage buffer");
            check_written(pf, r, vertex);
            break;
        case IRI_RESOURCE_STORAGE_TEXTURE:
            check_count(pf, ++images, STORAGE_TEXTURES, r, "storage texture");
            check_written(pf, r, vertex);
            break;
        case IRI_RESOURCE_NONE:
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
    bool vertex = pf->p->stage == IRI_STAGE_VERTEX, position = false;
    check_varyings(pf, io->inputs, io->input_count, vertex ? VERTEX_ATTRIBUTES : VARYINGS,
                   vertex ? "the vertex attribute" : "the varying");
    check_varyings(pf, io->outputs, io->output_count, vertex ? VARYINGS : TARGETS,
                   vertex ? "the varying" : "the colour");
    for (uint32_t i = 0; i < io->output_count; i++)
        position = position || io->outputs[i].builtin == IRI_ENTRY_POSITION;
    if (vertex && !position)
        iri_fail(pf->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "a vertex program without a position");
    if (io->clip_count > 8)
        iri_fail(pf->ctx, IRI_CAPABILITY, IRI_NO_OFFSET, "%u clip distances; there are 8",
                 (unsigned)io->clip_count);
}

uint32_t iri_profile_preflight(iri_ctx *ctx, const iri_program *p, const iri_entry_io *io,
                               uint32_t features)
{
    preflight pf = {ctx, p, features & KNOWN_FEATURES};
    bool halves = check_values(&pf);
    check_resources(&pf);
    check_workgroup(&pf);
    check_entry(&pf, io);
    for (uint32_t i = 0; i < io->input_count; i++)
        halves = halves || IRI_TYPE_SCALAR(io->inputs[i].type) == IRI_F16;
    for (uint32_t i = 0; i < io->output_count; i++)
        halves = halves || IRI_TYPE_SCALAR(io->outputs[i].type) == IRI_F16;
    return halves ? IRI_FEATURE_SHADER_F16 : 0;
}

void iri_require_entry(iri_ctx *ctx, const iri_program *program)
{
    iri_stage stage = program->stage;
    if (stage == IRI_STAGE_NONE)
        iri_fail(
            ctx, IRI_UNWRITABLE, IRI_NO_OFFSET,
            "the program is of no stage: iridia's text names one, as in 'program pixel entry main'");
    if (stage != IRI_STAGE_VERTEX && stage != IRI_STAGE_PIXEL && stage != IRI_STAGE_COMPUTE)
        iri_fail(ctx, IRI_UNWRITABLE, IRI_NO_OFFSET,
                 "a %s program; vertex, pixel and compute programs are written",
                 iri_stage_name(stage));
    if (!program->entry)
        iri_fail(ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "the program has no entry point");
}
