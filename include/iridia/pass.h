/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/pass.h: rewriting programs. A pass takes a program and makes a new one; the original stays as it
 * was.
 */
#ifndef IRIDIA_PASS_H
#define IRIDIA_PASS_H

#include <iridia/program.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum iri_pass_id {
    IRI_PASS_NONE = 0,
#define IRI_PASS(id, name, meaning) IRI_PASS_##id,
#include <iridia/passes.def>
#undef IRI_PASS
    IRI_PASS_COUNT
} iri_pass_id;

/* A target's abilities. */
typedef enum iri_profile {
    IRI_PROFILE_BROWSER = 0, /* WebGPU core, as Tint accepts it */
    IRI_PROFILE_NAGA,        /* as naga accepts it */
    IRI_PROFILE_VULKAN_1_1,  /* SPIR-V 1.3 */
    IRI_PROFILE_VULKAN_1_3,  /* SPIR-V 1.6 */
    IRI_PROFILE_COUNT
} iri_profile;

/* Features that widen a profile: WebGPU's by its names. */
enum {
    IRI_FEATURE_SHADER_F16 = 1,
    IRI_FEATURE_CLIP_DISTANCES = 2,
    IRI_FEATURE_DUAL_SOURCE = 4,
    IRI_FEATURE_FLOAT32_FILTERABLE = 8
};

/* All zero is the default. */
typedef struct iri_pass_options {
    size_t size; /* sizeof this struct */
    const iri_allocator *allocator;
    const iri_limits *limits;
    const iri_state *state;  /* lower_state; NULL gives nothing */
    bool uninitialized_zero; /* promote: a lane no path writes is zero with a note, not refused */
    uint32_t inline_limit;   /* inline: instructions of the result (0: the limits' count) */
    uint32_t select_limit;   /* if_to_select: instructions an arm may have (0: 4) */
} iri_pass_options;
#define IRI_PASS_OPTIONS(...) IRI_OPTIONS(iri_pass_options, __VA_ARGS__)

/* What passes counted; added to, so that one struct can collect over a pipeline. */
typedef struct iri_pass_counts {
    uint32_t guards;        /* relax: operations with a Direct3D guard that it looked at */
    uint32_t guards_elided; /* and replaced by plain ones */
    uint32_t promoted;      /* promote: locals turned into values */
} iri_pass_counts;

/* Runs one pass. On success `*out` is a new program the caller frees; on refusal it is NULL. `program` is
 * untouched. `options`, `counts` and `why` may be NULL. Statuses: those of the pass, IRI_LIMIT_*,
 * IRI_NO_MEMORY. */
IRI_API iri_status iri_pass_apply(const iri_program *program, iri_pass_id pass,
                                  const iri_pass_options *options, iri_program **out,
                                  iri_pass_counts *counts, iri_refusal *why);

IRI_API const char *iri_pass_name(iri_pass_id pass); /* "promote"; NULL past the end */
IRI_API const char *iri_pass_meaning(iri_pass_id pass);
IRI_API iri_pass_id iri_pass_by_name(const char *name); /* IRI_PASS_NONE when unknown */

#ifdef __cplusplus
}
#endif
#endif
