/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/link.h: vertex and pixel programs that fit each other. A vertex program written with
 * `.linked_pixel` (write.h, spirv.h) has its outputs where the pixel program reads them; here is what stands
 * in for a vertex program that there is none of.
 */
#ifndef IRIDIA_LINK_H
#define IRIDIA_LINK_H

#include <iridia/program.h>
#include <iridia/refusal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is the default. */
typedef struct iri_pass_through_options {
    size_t size;
    const iri_allocator *allocator;
    const iri_limits *limits;
} iri_pass_through_options;
#define IRI_PASS_THROUGH_OPTIONS(...) IRI_OPTIONS(iri_pass_through_options, __VA_ARGS__)

/* Makes the vertex program that a pixel program without one is drawn with, as post-processing passes of effects
 * are: POSITION0 goes out as the clip position, and of the pixel program's inputs each that comes from a vertex
 * program and is read is an input of the same semantic and type that goes out unchanged. All of its interface
 * has IRI_IO_GENERATED; its provenance's format is "generated", and a note says what it does not do: Direct3D's
 * fixed-function pipeline would transform, light and fog. The caller frees `*out`, NULL on refusal.
 * IRI_INVALID_ARGUMENT: no pixel program. `options` and `why` may be NULL. */
IRI_API iri_status iri_make_pass_through(const iri_program *pixel,
                                         const iri_pass_through_options *options, iri_program **out,
                                         iri_refusal *why);

#ifdef __cplusplus
}
#endif
#endif
