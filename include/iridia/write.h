/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/write.h: from a program to a target's text.
 */
#ifndef IRIDIA_WRITE_H
#define IRIDIA_WRITE_H

#include <iridia/pass.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a resource goes. */
typedef struct iri_binding {
    uint32_t group, binding;
} iri_binding;

/* How resources get groups and bindings. The D3D plan puts the register classes b, t, s, u in groups 0 to 3,
 * each register its binding; registers of spaces beyond 0 follow in order after the highest of space 0. A
 * pixel program's bindings are moved by `pixel_offset` so that it can share a pipeline with a vertex program.
 * `custom`, when given, has one binding for each resource of the interface, in order. */
typedef struct iri_binding_plan {
    uint32_t pixel_offset; /* 0: 64; IRI_NO_PIXEL_OFFSET: none */
    const iri_binding *custom;
    size_t custom_count;
} iri_binding_plan;
#define IRI_NO_PIXEL_OFFSET UINT32_MAX

/* All zero is the default. */
typedef struct iri_wgsl_options {
    size_t size;
    const iri_allocator *allocator;
    const iri_limits *limits;
    iri_profile profile;
    uint32_t features; /* IRI_FEATURE_ bits the device has beyond the profile */
    iri_binding_plan bindings;
    const char *entry_name; /* NULL: "main" */
    bool raw_constants;     /* constants as raw rows even where a struct would do */
    bool no_header;         /* leave out the comment that says where the module came from */
    /* Locations of a vertex program's outputs: those of the pixel program that reads them; NULL: its own
     * order. */
    const iri_program *linked_pixel;
    bool lines; /* fill in iri_wgsl_map.lines, which takes time */
} iri_wgsl_options;
#define IRI_WGSL_OPTIONS(...) IRI_OPTIONS(iri_wgsl_options, __VA_ARGS__)

/* How an element of the interface is called and placed in what was written. */
typedef struct iri_emitted_name {
    const char *source;               /* "Diffuse", "TEXCOORD0", a member's name */
    const char *emitted;              /* the name in the text */
    uint32_t kind;                    /* 0 resource, 1 input, 2 output, 3 member, 4 override, 5 a
                                       * buffer's counter (of the resource) */
    uint32_t index;                   /* in the interface's list of that kind */
    int32_t group, binding, location; /* -1 where it does not apply */
} iri_emitted_name;

/* A line of the text, from 1, and the byte offset in the source of an instruction that it says, as iri_lift counts it.
 * A line that says several has an entry for each, and so has an instruction that several lines say. */
typedef struct iri_wgsl_line {
    uint32_t line, offset;
} iri_wgsl_line;

/* What was written beside the text. Freed with iri_wgsl_map_free. */
typedef struct iri_wgsl_map {
    iri_emitted_name *names;
    size_t name_count;
    uint32_t features_needed; /* IRI_FEATURE_ bits */
    iri_note *notes;          /* of the writer: what it approximated or left out */
    size_t note_count;
    void *memory;
    iri_wgsl_line *lines; /* by line, then offset; none for lines that come from no instruction */
    size_t line_count;    /* 0 unless iri_wgsl_options.lines */
} iri_wgsl_map;
IRI_API void iri_wgsl_map_free(iri_wgsl_map *map);

/* WebGPU's name of a DXGI_FORMAT that a storage texture may have: "rgba8unorm"; NULL when it has none; static. */
IRI_API const char *iri_wgsl_texel_format(uint32_t dxgi_format);

/* A constant buffer of more bytes than WebGPU's maxUniformBufferBindingSize is written as a read-only storage
 * buffer. */
#define IRI_WGSL_UNIFORM_BYTES 65536u

/* Writes a program as a WGSL module with the entry point `main`. Runs the passes it needs by itself.
 * `out` is the caller's to free, empty on refusal. `map` may be NULL. Statuses: IRI_CAPABILITY (the profile
 * lacks what is named), IRI_UNSPECIFIED_STATE, IRI_BINDING_COLLISION, IRI_UNWRITABLE, IRI_LIMIT_*. */
IRI_API iri_status iri_write_wgsl(const iri_program *program, const iri_wgsl_options *options,
                                  iri_text *out, iri_wgsl_map *map, iri_refusal *why);

/* Where the version of a writer's output changes when anything it writes does. */
#define IRI_WGSL_WRITER_VERSION 1

#ifdef __cplusplus
}
#endif
#endif
