/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a target profile can say, and the preflight that refuses what it cannot. docs/webgpu.md lists
 * the limits with their sections of the WebGPU specification.
 */
#ifndef IRI_WRITE_PROFILE_H
#define IRI_WRITE_PROFILE_H

#include "write/entry_io.h"
#include <iridia/pass.h>

/* Fails with IRI_UNWRITABLE for a program that is no entry point of a stage that is written. */
void iri_require_entry(iri_ctx *ctx, const iri_program *program);

/* Fails with IRI_CAPABILITY or IRI_UNWRITABLE, naming the value, varying or resource. Returns the features that the
 * program's types need. */
uint32_t iri_profile_preflight(iri_ctx *ctx, const iri_program *program, const iri_entry_io *io,
                               uint32_t features);

#endif
