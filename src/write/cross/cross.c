/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libiridia-cross: SPIR-V handed to SPIRV-Cross's C API. Uses iridia's public headers only. What
 * SPIRV-Cross cannot say is a refusal with its words; it throws nothing through its C API.
 */
#include <iridia/cross.h>

#include <spirv_cross_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_SIZE = 256 };

/* What a language lacks. SPIRV-Cross itself writes some of it all the same, as text that no compiler of the
 * language takes, or as something else. */
enum {
    LACKS_STORAGE = 1, /* buffers above 64 KiB */
    LACKS_SAMPLE = 2,  /* what runs or interpolates a sample at a time */
    LACKS_NO_PERSPECTIVE = 4,
    LACKS_CLIP = 8,
    LACKS_1D = 16,
    LACKS_CUBE_ARRAY = 32,
    LACKS_DEPTH_MODES = 64, /* early tests, depth that only grows or shrinks */
    LACKS_F16 = 128,
    LACKS_F64 = 256,
    LACKS_INT16 = 512,
    LACKS_INT64 = 1024,
    LACKS_WIDTHS = LACKS_F16 | LACKS_F64 | LACKS_INT16 | LACKS_INT64
};

static const char *const lacks_words[] = {"constants above 64 KiB",
                                          "interpolation or values of single samples",
                                          "interpolation without perspective",
                                          "clip distances",
                                          "1D textures",
                                          "arrays of cube textures",
                                          "early or one-sided depth",
                                          "f16",
                                          "f64",
                                          "16-bit integers",
                                          "64-bit integers"};

typedef struct cross_target {
    const char *name;
    spvc_backend backend;
    uint32_t version; /* GLSL's, MSL's as SPIRV-Cross counts them, HLSL's shader model */
    bool es;
    iri_spirv_demote demote; /* whether `discard` leaves a helper invocation running */
    uint32_t lacks;
} cross_target;

enum {
    OLD_GLSL = LACKS_STORAGE | LACKS_SAMPLE | LACKS_CUBE_ARRAY | LACKS_DEPTH_MODES | LACKS_WIDTHS,
    OLD_ESSL = OLD_GLSL | LACKS_NO_PERSPECTIVE | LACKS_CLIP | LACKS_1D
};

static const cross_target targets[IRI_CROSS_COUNT] = {
    [IRI_CROSS_GLSL_450] = {"glsl450", SPVC_BACKEND_GLSL, 450, false, IRI_SPIRV_DEMOTE_FLAG, 0},
    [IRI_CROSS_GLSL_330] = {"glsl330", SPVC_BACKEND_GLSL, 330, false, IRI_SPIRV_DEMOTE_FLAG,
                            OLD_GLSL},
    [IRI_CROSS_ESSL_300] = {"essl300", SPVC_BACKEND_GLSL, 300, true, IRI_SPIRV_DEMOTE_FLAG,
                            OLD_ESSL},
    [IRI_CROSS_MSL_23] = {"msl2.3", SPVC_BACKEND_MSL, SPVC_MAKE_MSL_VERSION(2, 3, 0), false,
                          IRI_SPIRV_DEMOTE_INSTRUCTION, LACKS_F64},
    [IRI_CROSS_MSL_20] = {"msl2.0", SPVC_BACKEND_MSL, SPVC_MAKE_MSL_VERSION(2, 0, 0), false,
                          IRI_SPIRV_DEMOTE_FLAG, LACKS_F64},
    [IRI_CROSS_HLSL_50] = {"hlsl5.0", SPVC_BACKEND_HLSL, 50, false, IRI_SPIRV_DEMOTE_INSTRUCTION,
                           LACKS_F16 | LACKS_INT16 | LACKS_INT64},
};

const char *iri_cross_target_name(iri_cross_target target)
{
    return (unsigned)target < IRI_CROSS_COUNT ? targets[target].name : NULL;
}

typedef struct cross_job {
    const iri_program *program;
    const iri_cross_options *options;
    const cross_target *target;
    iri_refusal *why;
    iri_text spirv;
    iri_spirv_map map;
    uint32_t *words;
    spvc_context context;
    spvc_compiler compiler;
    char said[sizeof(((iri_refusal *)0)->reason)]; /* SPIRV-Cross's last error */
} cross_job;

/* ---- refusing ---- */

static iri_status refuse(cross_job *job, iri_status status, const char *reason)
{
    const iri_provenance *from = iri_program_provenance(job->program);
    iri_refusal *why = job->why;
    if (!why)
        return status;
    memset(why, 0, sizeof *why);
    why->status = status;
    why->group = iri_status_name(status);
    why->offset = IRI_NO_OFFSET;
    snprintf(why->format, sizeof why->format, "%s", from->format ? from->format : "");
    snprintf(why->unit, sizeof why->unit, "%s", from->target ? from->target : "");
    snprintf(why->reason, sizeof why->reason, "%s: %s", job->target->name, reason);
    for (char *c = why->reason; *c; c++)
        if (*c == '\n')
            *c = ' ';
    return status;
}

static void remember_error(void *user, const char *error)
{
    cross_job *job = user;
    snprintf(job->said, sizeof job->said, "%s", error ? error : "");
}

static bool failed(spvc_result result)
{
    return result != SPVC_SUCCESS;
}

static iri_status give_up(cross_job *job, spvc_result result)
{
    if (result == SPVC_ERROR_OUT_OF_MEMORY)
        return refuse(job, IRI_NO_MEMORY, "SPIRV-Cross has no memory");
    /* What it calls invalid SPIR-V or an argument of ours would be our fault. */
    iri_status status = result == SPVC_ERROR_UNSUPPORTED_SPIRV ? IRI_UNWRITABLE : IRI_INTERNAL;
    return refuse(job, status, job->said[0] ? job->said : "SPIRV-Cross gives no reason");
}

/* ---- what the language lacks ---- */

static uint32_t needs_of_values(const iri_program *p)
{
    static const uint32_t needs[IRI_SCALAR_COUNT] = {
        [IRI_F16] = LACKS_F16,   [IRI_F64] = LACKS_F64,   [IRI_I16] = LACKS_INT16,
        [IRI_U16] = LACKS_INT16, [IRI_I64] = LACKS_INT64, [IRI_U64] = LACKS_INT64,
    };
    uint32_t found = 0;
    for (uint32_t v = 1; v < iri_program_value_count(p); v++)
        found |= needs[IRI_TYPE_SCALAR(iri_program_value(p, v)->type)];
    return found;
}

static uint32_t needs_of_io(const iri_io *list, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t how = list[i].interpolation, sv = list[i].system_value;
        if (how == IRI_INTERPOLATION_LINEAR_SAMPLE ||
            how == IRI_INTERPOLATION_NO_PERSPECTIVE_SAMPLE || sv == IRI_SV_SAMPLE_INDEX ||
            sv == IRI_SV_COVERAGE)
            found |= LACKS_SAMPLE;
        if (how >= IRI_INTERPOLATION_NO_PERSPECTIVE &&
            how <= IRI_INTERPOLATION_NO_PERSPECTIVE_SAMPLE)
            found |= LACKS_NO_PERSPECTIVE;
        if (sv == IRI_SV_CLIP_DISTANCE)
            found |= LACKS_CLIP;
    }
    return found;
}

static uint32_t needs_of_resource(const iri_resource *r)
{
    if (r->kind == IRI_RESOURCE_CBUFFER && r->size > 65536)
        return LACKS_STORAGE;
    if (r->kind == IRI_RESOURCE_TEXTURE && r->dimension == IRI_DIMENSION_1D)
        return LACKS_1D;
    if (r->kind == IRI_RESOURCE_TEXTURE && r->dimension == IRI_DIMENSION_CUBE && r->arrayed)
        return LACKS_CUBE_ARRAY;
    return 0;
}

static iri_status check(cross_job *job)
{
    const iri_interface *io = iri_program_interface(job->program);
    uint32_t needs = needs_of_values(job->program) | needs_of_io(io->inputs, io->input_count) |
                     needs_of_io(io->outputs, io->output_count);
    char reason[128];
    if (io->facts.depth_mode > 1 || io->facts.early_depth)
        needs |= LACKS_DEPTH_MODES;
    for (size_t i = 0; i < job->map.name_count; i++)
        if (job->map.names[i].kind == 0) /* a resource that is used */
            needs |= needs_of_resource(&io->resources[job->map.names[i].index]);
    needs &= job->target->lacks;
    for (size_t i = 0; i < sizeof lacks_words / sizeof *lacks_words; i++) {
        if (!(needs >> i & 1))
            continue;
        snprintf(reason, sizeof reason, "the language has no %s", lacks_words[i]);
        return refuse(job, IRI_CAPABILITY, reason);
    }
    return IRI_OK;
}

/* ---- options ---- */

static spvc_result set_options(cross_job *job)
{
    const cross_target *t = job->target;
    spvc_compiler_options options;
    spvc_result result = spvc_compiler_create_compiler_options(job->compiler, &options);
    bool glsl = t->backend == SPVC_BACKEND_GLSL;
    if (failed(result))
        return result;
    if (glsl) {
        spvc_compiler_options_set_uint(options, SPVC_COMPILER_OPTION_GLSL_VERSION, t->version);
        spvc_compiler_options_set_bool(options, SPVC_COMPILER_OPTION_GLSL_ES, t->es);
        spvc_compiler_options_set_bool(options, SPVC_COMPILER_OPTION_GLSL_ENABLE_420PACK_EXTENSION,
                                       SPVC_FALSE);
        spvc_compiler_options_set_bool(
            options, SPVC_COMPILER_OPTION_GLSL_ES_DEFAULT_FLOAT_PRECISION_HIGHP, SPVC_TRUE);
        spvc_compiler_options_set_bool(options, SPVC_COMPILER_OPTION_FIXUP_DEPTH_CONVENTION,
                                       !job->options->keep_clip_depth);
    } else if (t->backend == SPVC_BACKEND_MSL) {
        spvc_compiler_options_set_uint(options, SPVC_COMPILER_OPTION_MSL_VERSION, t->version);
    } else {
        spvc_compiler_options_set_uint(options, SPVC_COMPILER_OPTION_HLSL_SHADER_MODEL, t->version);
        /* Direct3D 11 has no point size. */
        spvc_compiler_options_set_bool(options, SPVC_COMPILER_OPTION_HLSL_POINT_SIZE_COMPAT,
                                       SPVC_TRUE);
    }
    return spvc_compiler_install_compiler_options(job->compiler, options);
}

/* ---- names ---- */

/* What the source calls a resource, given the name in the SPIR-V. */
static const char *source_name(const cross_job *job, const char *emitted)
{
    for (size_t i = 0; i < job->map.name_count; i++)
        if (job->map.names[i].kind == 0 && strcmp(job->map.names[i].emitted, emitted) == 0)
            return job->map.names[i].source;
    return emitted;
}

static spvc_result name_combined(cross_job *job)
{
    const spvc_combined_image_sampler *pairs;
    size_t count;
    spvc_variable_id
        dummy; /* for texels that are fetched without a sampler; 0 where there are none */
    spvc_result result =
        spvc_compiler_build_dummy_sampler_for_combined_images(job->compiler, &dummy);
    if (result == SPVC_SUCCESS)
        result = spvc_compiler_build_combined_image_samplers(job->compiler);
    if (failed(result))
        return result;
    result = spvc_compiler_get_combined_image_samplers(job->compiler, &pairs, &count);
    for (size_t i = 0; !failed(result) && i < count; i++) {
        char name[2 * NAME_MAX_SIZE + 2];
        const char *image = spvc_compiler_get_name(job->compiler, pairs[i].image_id);
        const char *sampler = spvc_compiler_get_name(job->compiler, pairs[i].sampler_id);
        if (strcmp(source_name(job, image), source_name(job, sampler)) == 0)
            snprintf(name, sizeof name, "%.*s", NAME_MAX_SIZE, image);
        else
            snprintf(name, sizeof name, "%.*s_%.*s", NAME_MAX_SIZE, image, NAME_MAX_SIZE, sampler);
        spvc_compiler_set_name(job->compiler, pairs[i].combined_id, name);
        spvc_compiler_set_decoration(
            job->compiler, pairs[i].combined_id, SpvDecorationBinding,
            spvc_compiler_get_decoration(job->compiler, pairs[i].sampler_id, SpvDecorationBinding));
    }
    return result;
}

/* Semantics of a vertex program's inputs. */
static spvc_result name_attributes(cross_job *job)
{
    spvc_result result = SPVC_SUCCESS;
    if (iri_program_stage(job->program) != IRI_STAGE_VERTEX)
        return result;
    for (size_t i = 0; i < job->map.name_count && !failed(result); i++) {
        const iri_emitted_name *n = &job->map.names[i];
        if (n->kind != 1 || n->location < 0)
            continue;
        const spvc_hlsl_vertex_attribute_remap remap = {(unsigned)n->location, n->source};
        result = spvc_compiler_hlsl_add_vertex_attribute_remap(job->compiler, &remap, 1);
    }
    return result;
}

/* ---- the call ---- */

static void *use_malloc(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void use_free(void *user, void *memory, size_t size)
{
    (void)user, (void)size;
    free(memory);
}

static iri_status hand_over(cross_job *job, const char *source, iri_text *out)
{
    static const iri_allocator standard = {use_malloc, use_free, NULL};
    const iri_allocator *allocator = job->options->allocator ? job->options->allocator : &standard;
    size_t size = strlen(source);
    if (job->options->limits && job->options->limits->output && size > job->options->limits->output)
        return refuse(job, IRI_LIMIT_OUTPUT, "more output than the limit");
    out->data = allocator->alloc(allocator->user, size + 1);
    if (!out->data)
        return refuse(job, IRI_NO_MEMORY, "the allocator returned NULL");
    memcpy(out->data, source, size + 1);
    out->size = size;
    out->capacity = size + 1;
    out->allocator = *allocator;
    return IRI_OK;
}

static iri_status write_spirv(cross_job *job)
{
    iri_binding_plan bindings = job->options->bindings;
    uint32_t features = job->target->lacks & LACKS_F16 ? 0 : IRI_FEATURE_SHADER_F16;
    if (bindings.pixel_offset == 0)
        bindings.pixel_offset = IRI_NO_PIXEL_OFFSET;
    return iri_write_spirv(job->program,
                           IRI_SPIRV_OPTIONS(.allocator = job->options->allocator,
                                             .limits = job->options->limits, .features = features,
                                             .bindings = bindings, .demote = job->target->demote,
                                             .raw_constants = job->options->raw_constants,
                                             .linked_pixel = job->options->linked_pixel),
                           &job->spirv, &job->map, job->why);
}

static spvc_result compile(cross_job *job, const char **source)
{
    spvc_parsed_ir ir;
    size_t count = job->spirv.size / 4;
    spvc_result result = spvc_context_create(&job->context);
    if (failed(result))
        return result;
    spvc_context_set_error_callback(job->context, remember_error, job);
    job->words = malloc(job->spirv.size);
    if (!job->words)
        return SPVC_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *b = (const unsigned char *)job->spirv.data + 4 * i;
        job->words[i] =
            (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    }
    result = spvc_context_parse_spirv(job->context, job->words, count, &ir);
    if (!failed(result))
        result = spvc_context_create_compiler(job->context, job->target->backend, ir,
                                              SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &job->compiler);
    if (!failed(result))
        result = set_options(job);
    if (!failed(result) && job->target->backend == SPVC_BACKEND_GLSL)
        result = name_combined(job);
    if (!failed(result) && job->target->backend == SPVC_BACKEND_HLSL)
        result = name_attributes(job);
    return failed(result) ? result : spvc_compiler_compile(job->compiler, source);
}

iri_status iri_cross_write(const iri_program *program, const iri_cross_options *options,
                           iri_text *out, iri_refusal *why)
{
    iri_cross_options known = {.size = sizeof known};
    cross_job job = {.program = program, .options = &known, .why = why};
    if (options) /* a caller built against older headers has fewer */
        memcpy(&known, options, options->size < sizeof known ? options->size : sizeof known);
    const char *source = NULL;
    if (out)
        memset(out, 0, sizeof *out);
    if (!program || !out || (unsigned)job.options->target >= IRI_CROSS_COUNT) {
        if (why) {
            memset(why, 0, sizeof *why);
            why->status = IRI_INVALID_ARGUMENT;
            why->group = iri_status_name(IRI_INVALID_ARGUMENT);
            why->offset = IRI_NO_OFFSET;
            snprintf(why->reason, sizeof why->reason, "iri_cross_write: %s",
                     program && out ? "no such target" : "an argument is NULL");
        }
        return IRI_INVALID_ARGUMENT;
    }
    job.target = &targets[job.options->target];
    iri_status status = write_spirv(&job);
    if (status == IRI_OK)
        status = check(&job);
    if (status == IRI_OK) {
        spvc_result result = compile(&job, &source);
        status = failed(result) ? give_up(&job, result) : hand_over(&job, source, out);
    }
    if (job.context)
        spvc_context_destroy(job.context);
    free(job.words);
    iri_spirv_map_free(&job.map);
    iri_text_free(&job.spirv);
    return status;
}
