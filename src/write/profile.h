/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a target profile can say, and the preflight that refuses what it cannot. docs/webgpu.md lists
 * the limits with their sections of the WebGPU specification.
 */
#ifndef IRI_WRITE_PROFILE_H
#define IRI_WRITE_PROFILE_H

#include "write/entry_io.h"
#include <iridia/pass.h>

typedef struct iri_profile_limits {
    uint32_t textures, samplers, uniform_buffers, storage_buffers, storage_textures; /* a stage */
    uint32_t uniform_size, storage_size; /* bytes of one buffer */
    uint32_t vertex_attributes, varyings, targets;
    uint32_t function_memory; /* bytes of one variable in a function */
    uint32_t struct_members;
    uint32_t features; /* which IRI_FEATURE_ bits it knows at all */
} iri_profile_limits;

const iri_profile_limits *iri_profile_get_limits(iri_profile profile);

/* Fails with IRI_CAPABILITY or IRI_UNWRITABLE, naming the value, varying or resource. */
void iri_profile_preflight(iri_ctx *ctx, const iri_program *program, const iri_entry_io *io,
                           iri_profile profile, uint32_t features);

#endif
