/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one statement of how an entry point carries a program's interface: which elements are
 * built-ins, which have locations, and with which type. Every writer for WebGPU or Vulkan goes by it.
 *
 * Inputs and outputs with locations are numbered in the order of the interface; a pixel program's
 * colours have the number of their render target. Where a pixel program is given with a vertex
 * program, the vertex program's outputs take the pixel program's locations, types and interpolation.
 */
#ifndef IRI_WRITE_ENTRY_IO_H
#define IRI_WRITE_ENTRY_IO_H

#include "ir/program.h"

typedef enum iri_entry_builtin {
    IRI_ENTRY_LOCATION = 0,
    IRI_ENTRY_POSITION,
    IRI_ENTRY_CLIP_DISTANCES,
    IRI_ENTRY_VERTEX_INDEX,
    IRI_ENTRY_INSTANCE_INDEX,
    IRI_ENTRY_FRONT_FACING,
    IRI_ENTRY_SAMPLE_INDEX,
    IRI_ENTRY_SAMPLE_MASK,
    IRI_ENTRY_FRAG_DEPTH,
    IRI_ENTRY_GLOBAL_INVOCATION_ID,
    IRI_ENTRY_WORKGROUP_ID,
    IRI_ENTRY_LOCAL_INVOCATION_ID,
    IRI_ENTRY_LOCAL_INVOCATION_INDEX,
    IRI_ENTRY_DROPPED,     /* the target has no such thing: see `iri_entry_io.point_size` */
    IRI_ENTRY_UNSUPPORTED, /* refused */
    IRI_ENTRY_BUILTIN_COUNT
} iri_entry_builtin;

/* One input or output of the entry point. */
typedef struct iri_entry_value {
    const char *name; /* "TEXCOORD0", "clip_distances" */
    uint32_t
        element;     /* its index in the interface; of the first, for clip distances; UINT32_MAX for
                               an output that only the linked pixel program knows */
    iri_type type;   /* as the entry point declares it */
    uint32_t array;  /* clip distances: how many; else 0 */
    uint8_t builtin; /* iri_entry_builtin */
    uint8_t interpolation; /* iri_interpolation */
    int32_t location;      /* -1 for built-ins */
} iri_entry_value;

typedef struct iri_entry_io {
    iri_entry_value *inputs, *outputs;
    uint32_t input_count, output_count;
    /* For each element of the interface: its place in the lists above, UINT32_MAX when it has none, and
     * for clip distances the first of its array elements. */
    uint32_t *input_at, *output_at, *clip_at;
    uint32_t clip_count;
    bool clip_varyings;  /* clip distances go out as plain varyings: nothing clips by them */
    uint32_t point_size; /* the output that has none, or UINT32_MAX */
} iri_entry_io;

/* `clip_distances`: the target has the built-in. `linked` may be NULL. */
void iri_entry_io_make(iri_ctx *ctx, iri_arena *arena, const iri_program *program,
                       const iri_program *linked, bool clip_distances, iri_entry_io *io);

#endif
