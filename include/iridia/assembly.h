/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/assembly.h: shaders as assembly in Microsoft's syntax, both ways. docs/formats/d3d9-asm.md says what the
 * syntax is and where the two directions differ from Microsoft's tools.
 */
#ifndef IRIDIA_ASSEMBLY_H
#define IRIDIA_ASSEMBLY_H

#include <iridia/refusal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is the default. */
typedef struct iri_disassemble_options {
    size_t size;
    const iri_allocator *allocator;
    const iri_limits *limits;
    /* Keep the shader's comments (constant table, debug information, preshader) as lines that iri_assemble turns
     * back into them and that other assemblers take for comments. */
    bool comments;
    /* Called, in order, for each instruction, declaration and label: the byte offset of its token in `bytes`, and
     * the number of its line in the text, from 1. May be NULL. */
    void (*on_line)(void *user, uint32_t offset, uint32_t line);
    void *user;
} iri_disassemble_options;
#define IRI_DISASSEMBLE_OPTIONS(...) IRI_OPTIONS(iri_disassemble_options, __VA_ARGS__)

/* Lists a Direct3D 9 token stream as D3DDisassemble of d3dcompiler_47 does, character for character. Any stream
 * that can be decoded is listed, whatever its model allows. `out` is the caller's to free; empty on refusal.
 * Refuses with UNKNOWN_FORMAT, UNSUPPORTED_VERSION, MALFORMED_TRUNCATED, MALFORMED_TOKEN, MALFORMED_TABLE and the
 * limits. `options` and `why` may be NULL. Callable from any thread. Linear in the text. */
IRI_API iri_status iri_disassemble(const void *bytes, size_t size,
                                   const iri_disassemble_options *options, iri_text *out,
                                   iri_refusal *why);

/* All zero is the default. */
typedef struct iri_assemble_options {
    size_t size;
    const iri_allocator *allocator;
    const iri_limits *limits;
} iri_assemble_options;
#define IRI_ASSEMBLE_OPTIONS(...) IRI_OPTIONS(iri_assemble_options, __VA_ARGS__)

/* Assembles `size` bytes of text, of any of the models vs_1_0 to ps_3_sw, to a token stream: `out->data` holds
 * little-endian 32-bit words, the caller's to free; empty on refusal. Refuses with INVALID_TEXT, line and column,
 * and the limits. `options` and `why` may be NULL. Callable from any thread. Linear in the text. */
IRI_API iri_status iri_assemble(const char *text, size_t size, const iri_assemble_options *options,
                                iri_text *out, iri_refusal *why);

#ifdef __cplusplus
}
#endif
#endif
