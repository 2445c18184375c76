/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/text.h: the stable text form, docs/text.md. Printing and parsing are inverse: what was printed
 * parses to a structurally equal program.
 */
#ifndef IRIDIA_TEXT_H
#define IRIDIA_TEXT_H

#include <iridia/program.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IRI_TEXT_VERSION 1

typedef struct iri_text_options {
    size_t size;
    const iri_allocator *allocator;
    const iri_limits *limits;
    bool no_offsets; /* leave out source byte offsets */
} iri_text_options;
#define IRI_TEXT_OPTIONS(...) IRI_OPTIONS(iri_text_options, __VA_ARGS__)

/* Prints a program. `out` is the caller's to free; empty on refusal. */
IRI_API iri_status iri_print_text(const iri_program *program, const iri_text_options *options,
                                  iri_text *out, iri_refusal *why);

/* Parses text into a new program, not validated; a bare `fn main { ... }` without a header also parses, its
 * inputs, outputs and resources declared by lines above it or absent. Refuses with IRI_INVALID_TEXT, line and
 * column. */
IRI_API iri_status iri_parse_text(const char *text, size_t size, const iri_text_options *options,
                                  iri_program **out, iri_refusal *why);

#ifdef __cplusplus
}
#endif
#endif
