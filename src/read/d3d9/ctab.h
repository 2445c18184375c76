/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a shader keeps its constant table and its preshader: in comments.
 */
#ifndef IRI_READ_D3D9_CTAB_H
#define IRI_READ_D3D9_CTAB_H

#include "read/common/ctab.h"
#include "read/d3d9/decode.h"

/* Reads the shader's first CTAB comment; NULL when it has none. Fails with MALFORMED_TABLE. */
const iri_d3d9_ctab *iri_d3d9_ctab_read(iri_ctx *ctx, iri_arena *arena,
                                        const iri_d3d9_shader *shader);

/* The bytes of the shader's first preshader, from its version word; false when it has none. */
bool iri_d3d9_find_preshader(iri_ctx *ctx, const iri_d3d9_shader *shader, iri_cursor *out);

#endif
