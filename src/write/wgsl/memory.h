/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The WGSL writer's memory: what memory.c offers the rest of it, and helpers.c to memory.c.
 */
#ifndef IRI_WRITE_WGSL_MEMORY_H
#define IRI_WRITE_WGSL_MEMORY_H

#include "write/wgsl/wgsl.h"

/* Finds out what the body does with each buffer and workgroup variable, and names the latter. */
void iri_wgsl_plan_memory(iri_wgsl *w);
void iri_wgsl_name_counters(iri_wgsl *w);
void iri_wgsl_declare_buffer(iri_wgsl *w, iri_buf *out, uint32_t resource);
void iri_wgsl_declare_counters(iri_wgsl *w, iri_buf *out);
void iri_wgsl_declare_group(iri_wgsl *w, iri_buf *out);
const char *iri_wgsl_storage_texture_type(iri_wgsl *w, const iri_resource *resource);

/* The expressions of loads, stores and atomics, of texel loads, of queries and counters. */
iri_wgsl_expr iri_wgsl_access(iri_wgsl *w, const iri_inst *in);
iri_wgsl_expr iri_wgsl_texel(iri_wgsl *w, const iri_inst *in);
iri_wgsl_expr iri_wgsl_query(iri_wgsl *w, const iri_inst *in);
void iri_wgsl_barrier(iri_wgsl *w, const iri_inst *in);

/* ---- helpers.c: functions of the module, made when they are first asked for ---- */

/* An access of words; `words` is the type of what it moves. */
const char *iri_wgsl_access_helper(iri_wgsl *w, const iri_inst *in, iri_memory_op m,
                                   const iri_wgsl_memory *memory, iri_type words);
/* A texel of a texture (coordinates, level or sample) or storage texture (coordinates). */
const char *iri_wgsl_texel_helper(iri_wgsl *w, uint32_t resource);
/* Its size at a level. */
const char *iri_wgsl_size_helper(iri_wgsl *w, uint32_t resource);
void iri_wgsl_write_added(iri_wgsl *w, iri_buf *out);

#endif
