/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constant buffers: cb0 the float registers, cb1 the integer ones, cb2 the booleans.
 */
#include "read/common/ctab_members.h"
#include "read/d3d9/lower_internal.h"

const iri_d3d9_constant *iri_l9_sampler_constant(const iri_l9 *l, uint32_t number)
{
    for (uint32_t i = 0; l->ctab && i < l->ctab->count; i++) {
        const iri_d3d9_constant *c = &l->ctab->constants[i];
        if (c->set == IRI_D3D9_SET_SAMPLER && number >= c->index && number - c->index < c->count)
            return c;
    }
    return NULL;
}

static void declare_bank(iri_l9 *l, uint32_t set, uint32_t reg, uint32_t rows, uint32_t flags)
{
    uint32_t count = 0, end = rows;
    for (uint32_t i = 0; l->ctab && i < l->ctab->count; i++) {
        const iri_d3d9_constant *c = &l->ctab->constants[i];
        if (c->set != set)
            continue;
        if (end < (uint32_t)c->index + c->count)
            end = (uint32_t)c->index + c->count;
    }
    if (end == 0)
        return;
    const iri_member *members = iri_d3d9_ctab_members(l->b, l->scratch, l->ctab, set, &count);
    iri_resource cb = {.kind = IRI_RESOURCE_CBUFFER,
                       .access = 1,
                       .reg = reg,
                       .count = 1,
                       .size = end * iri_d3d9_set_stride(set),
                       .members = members,
                       .member_count = count,
                       .flags = flags,
                       .offset = IRI_NO_OFFSET};
    l->cb[reg] = iri_add_resource(l->b, &cb) + 1;
    if (reg == 0)
        l->float_rows = end;
}

void iri_l9_declare_constants(iri_l9 *l)
{
    if (l->relative_c) {
        /* The whole bank: a program may index past what it names. */
        if (l->float_rows < l->float_limit)
            l->float_rows = l->float_limit;
    }
    declare_bank(l, IRI_D3D9_SET_FLOAT4, 0, l->float_rows,
                 l->relative_c ? IRI_RESOURCE_DYNAMIC : 0);
    declare_bank(l, IRI_D3D9_SET_INT4, 1, l->int_rows, 0);
    declare_bank(l, IRI_D3D9_SET_BOOL, 2, l->bool_rows, 0);
}
