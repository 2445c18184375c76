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

typedef struct cross_target {
    const char *name;
    spvc_backend backend;
    uint32_t version; /* GLSL's, MSL's as SPIRV-Cross counts them, HLSL's shader model */
    bool es;
    iri_spirv_demote demote; /* whether `discard` leaves a helper invocation running */
} cross_target;

static const cross_target targets[IRI_CROSS_COUNT] = {
    [IRI_CROSS_GLSL_450] = {"glsl450", SPVC_BACKEND_GLSL, 450, false, IRI_SPIRV_DEMOTE_FLAG},
    [IRI_CROSS_GLSL_330] = {"glsl330", SPVC_BACKEND_GLSL, 330, false, IRI_SPIRV_DEMOTE_FLAG},
    [IRI_CROSS_ESSL_300] = {"essl300", SPVC_BACKEND_GLSL, 300, true, IRI_SPIRV_DEMOTE_FLAG},
    [IRI_CROSS_MSL_23] = {"msl2.3", SPVC_BACKEND_MSL, SPVC_MAKE_MSL_VERSION(2, 3, 0), false,
                          IRI_SPIRV_DEMOTE_INSTRUCTION},
    [IRI_CROSS_MSL_20] = {"msl2.0", SPVC_BACKEND_MSL, SPVC_MAKE_MSL_VERSION(2, 0, 0), false,
                          IRI_SPIRV_DEMOTE_FLAG},
    [IRI_CROSS_HLSL_50] = {"hlsl5.0", SPVC_BACKEND_HLSL, 50, false, IRI_SPIRV_DEMOTE_INSTRUCTION},
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
    spvc_result result = spvc_compiler_build_combined_image_samplers(job->compiler);
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
    if (bindings.pixel_offset == 0)
        bindings.pixel_offset = IRI_NO_PIXEL_OFFSET;
    return iri_write_spirv(job->program,
                           IRI_SPIRV_OPTIONS(.allocator = job->options->allocator,
                                             .limits = job->options->limits, .bindings = bindings,
                                             .demote = job->target->demote,
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
    static const iri_cross_options defaults = {.size = sizeof defaults};
    cross_job job = {.program = program, .options = options ? options : &defaults, .why = why};
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
