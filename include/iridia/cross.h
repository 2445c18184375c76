/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/cross.h: GLSL, ESSL, MSL and HLSL from a program, by way of SPIR-V and SPIRV-Cross. This is
 * the header of libiridia-cross, a library of its own, built where SPIRV-Cross's C API is found:
 * libiridia needs neither. Not part of iridia/iridia.h.
 */
#ifndef IRIDIA_CROSS_H
#define IRIDIA_CROSS_H

#include <iridia/spirv.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum iri_cross_target {
    IRI_CROSS_GLSL_450 = 0, /* OpenGL 4.5 */
    IRI_CROSS_GLSL_330,     /* OpenGL 3.3 */
    IRI_CROSS_ESSL_300,     /* OpenGL ES 3.0, WebGL 2 */
    IRI_CROSS_MSL_23,       /* Metal 2.3; the first whose discard leaves a helper */
    IRI_CROSS_MSL_20,       /* Metal 2.0 */
    IRI_CROSS_HLSL_50,      /* Direct3D 11 */
    IRI_CROSS_COUNT
} iri_cross_target;

/* "glsl450", "glsl330", "essl300", "msl2.3", "msl2.0", "hlsl5.0"; NULL past the end. */
IRI_API const char *iri_cross_target_name(iri_cross_target target);

/* All zero is the default. */
typedef struct iri_cross_options {
    size_t size; /* sizeof this struct */
    const iri_allocator *allocator;
    const iri_limits *limits;
    iri_cross_target target;
    iri_binding_plan
        bindings; /* a `pixel_offset` of 0 is none here: these targets bind each stage apart */
    const iri_program *linked_pixel; /* as in iri_wgsl_options */
    bool raw_constants;
    /* GLSL and ESSL clip z to -w..w. By default a vertex program's z is moved there from Direct3D's 0..w; true
     * leaves it, for contexts with glClipControl. */
    bool keep_clip_depth;
} iri_cross_options;
#define IRI_CROSS_OPTIONS(...) IRI_OPTIONS(iri_cross_options, __VA_ARGS__)

/* Writes a program in the target language, entry point `main` (MSL: main0). Where the language has textures and
 * samplers in one, they are called Texture_Sampler, or by their name where both have the same. HLSL's vertex
 * inputs have their semantics; what goes from stage to stage is TEXCOORDn by location. `out` is the caller's to
 * free with iri_text_free, empty on refusal. `options` and `why` may be NULL. Statuses: those of iri_write_spirv,
 * IRI_CAPABILITY naming what the language lacks, and IRI_UNWRITABLE with SPIRV-Cross's own words. */
IRI_API iri_status iri_cross_write(const iri_program *program, const iri_cross_options *options,
                                   iri_text *out, iri_refusal *why);

#ifdef __cplusplus
}
#endif
#endif
