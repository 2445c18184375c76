/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/spirv.h: from a program to a SPIR-V module for Vulkan.
 */
#ifndef IRIDIA_SPIRV_H
#define IRIDIA_SPIRV_H

#include <iridia/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How `demote` (Direct3D 9's texkill) is said. Both leave the invocation running as a helper, so that
 * derivatives stay those of the source, and both keep it from writing anything. */
typedef enum iri_spirv_demote {
    IRI_SPIRV_DEMOTE_AUTO = 0,    /* the instruction for vulkan1.3, the flag for vulkan1.1 */
    IRI_SPIRV_DEMOTE_INSTRUCTION, /* OpDemoteToHelperInvocation; for vulkan1.1 with the extension
                                     SPV_EXT_demote_to_helper_invocation */
    IRI_SPIRV_DEMOTE_FLAG /* a variable that is looked at before the entry point returns; then OpKill */
} iri_spirv_demote;

/* All zero is the default. */
typedef struct iri_spirv_options {
    size_t size; /* sizeof this struct */
    const iri_allocator *allocator;
    const iri_limits *limits;
    /* IRI_PROFILE_VULKAN_1_1 (also when 0): SPIR-V 1.3. IRI_PROFILE_VULKAN_1_3: SPIR-V 1.6. */
    iri_profile profile;
    uint32_t features; /* IRI_FEATURE_SHADER_F16: 16-bit floats in values, inputs and outputs */
    iri_binding_plan bindings; /* the same as WGSL's: a group is a descriptor set */
    const char *entry_name;    /* NULL: "main" */
    iri_spirv_demote demote;
    bool raw_constants; /* constants as raw rows even where a struct would do */
    bool no_names;      /* leave out OpName and OpMemberName */
    bool semantics; /* decorate inputs and outputs with their semantics: needs the device extension
                                   VK_GOOGLE_hlsl_functionality1 */
    const iri_program *linked_pixel; /* as in iri_wgsl_options */
} iri_spirv_options;
#define IRI_SPIRV_OPTIONS(...) IRI_OPTIONS(iri_spirv_options, __VA_ARGS__)

/* What was written beside the words. `names` are as in iri_wgsl_map, with `emitted` the OpName; an
 * override's `binding` is its SpecId. Freed with iri_spirv_map_free. */
typedef struct iri_spirv_map {
    iri_emitted_name *names;
    size_t name_count;
    iri_note *notes; /* of the writer */
    size_t note_count;
    void *memory;
} iri_spirv_map;
IRI_API void iri_spirv_map_free(iri_spirv_map *map);

/* Writes a program as a SPIR-V module: `out` gets its words, little-endian whatever the machine, `size` in
 * bytes. Runs the passes it needs by itself. Positions are Direct3D's, y up: give Vulkan a viewport of
 * negative height. `options`, `map` and `why` may be NULL; `out` is the caller's to free, empty on refusal.
 * Statuses: IRI_CAPABILITY, IRI_UNSPECIFIED_STATE, IRI_BINDING_COLLISION, IRI_UNWRITABLE, IRI_LIMIT_*.
 * docs/spirv.md says what is written how. */
IRI_API iri_status iri_write_spirv(const iri_program *program, const iri_spirv_options *options,
                                   iri_text *out, iri_spirv_map *map, iri_refusal *why);

/* Changes when anything the writer writes does. */
#define IRI_SPIRV_WRITER_VERSION 1

#ifdef __cplusplus
}
#endif
#endif
