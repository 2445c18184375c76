/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a shader keeps its constant table and its preshader.
 */
#include "read/d3d9/ctab.h"

/* The first comment of a tag that holds `least` bytes behind it, as a cursor on those bytes. */
static bool find_comment(iri_ctx *ctx, const iri_d3d9_shader *shader, uint32_t tag, uint32_t least,
                         iri_cursor *out)
{
    for (uint32_t i = 0; i < shader->comment_count; i++) {
        const iri_d3d9_comment *c = &shader->comments[i];
        if (c->size < 4 + least || c->tag != tag)
            continue;
        *out = iri_cursor_make(ctx, shader->data + (c->offset - shader->base) + 8, c->size - 4,
                               c->offset + 8);
        return true;
    }
    return false;
}

const iri_d3d9_ctab *iri_d3d9_ctab_read(iri_ctx *ctx, iri_arena *arena,
                                        const iri_d3d9_shader *shader)
{
    iri_cursor table;
    if (!find_comment(ctx, shader, IRI_D3D9_TAG('C', 'T', 'A', 'B'), 0, &table))
        return NULL;
    return iri_d3d9_ctab_parse(ctx, arena, table.data, table.size, table.base, shader->version);
}

bool iri_d3d9_find_preshader(iri_ctx *ctx, const iri_d3d9_shader *shader, iri_cursor *out)
{
    return find_comment(ctx, shader, IRI_D3D9_TAG('P', 'R', 'E', 'S'), 4, out);
}
