/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Listings of Direct3D 9 token streams in Microsoft's syntax: the text that D3DDisassemble writes, character for
 * character. There is no specification of it: every rule was measured on d3dcompiler_47
 * (docs/formats/d3d9-asm.md says how).
 */
#ifndef IRI_READ_D3D9_DISASM_H
#define IRI_READ_D3D9_DISASM_H

#include "base/buf.h"
#include "read/d3d9/ctab.h"

/* Told of each instruction that was listed: the offset of its token and the number of its line, from 1. */
typedef void (*iri_d3d9_line_fn)(void *user, uint32_t offset, uint32_t line);

typedef struct iri_d3d9_listing {
    iri_ctx *ctx;
    iri_arena *scratch;
    iri_buf *buf;
    bool comments; /* keep comments as directives that the assembler reads */
    iri_d3d9_line_fn on_line;
    void *user;
} iri_d3d9_listing;

/* Fails with MALFORMED_TABLE where a constant table, preshader or debug information makes no sense. */
void iri_d3d9_disassemble(const iri_d3d9_listing *listing, const iri_d3d9_shader *shader);

/* The block that says what a constant table names. */
void iri_d3d9_list_ctab(iri_buf *buf, iri_arena *scratch, const iri_d3d9_ctab *ctab);

/* The shader's first preshader, where it has one. */
void iri_d3d9_list_preshader(iri_ctx *ctx, iri_arena *scratch, iri_buf *buf,
                             const iri_d3d9_shader *shader);

/* What a debug build says of instructions (the DBUG comment). */
typedef struct iri_d3d9_debug iri_d3d9_debug;
/* NULL when the shader has none. */
iri_d3d9_debug *iri_d3d9_debug_read(iri_ctx *ctx, iri_arena *scratch,
                                    const iri_d3d9_shader *shader);
/* The #line before the instruction at `offset` in the shader, where there is one to say. To be asked in order. */
void iri_d3d9_list_place(iri_d3d9_debug *debug, iri_buf *buf, uint32_t offset);
/* The variables that the instruction writes, behind it. */
void iri_d3d9_list_variables(iri_d3d9_debug *debug, iri_buf *buf, uint32_t offset);

#endif
