/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The constant table's names and types as constant buffers: cb0 the float registers, cb1 the integer
 * ones, cb2 the booleans. Types: D3DXSHADER_TYPEINFO (d3dx9shader.h).
 */
#include "ir/d3d.h"
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

/* Bytes of a register of a set, in its buffer. */
static uint32_t stride_of(uint32_t set)
{
    return set == IRI_D3D9_SET_BOOL ? 4 : 16;
}

/* What a word of the buffer is; a float register holds integers and truths as floats. */
static uint8_t scalar_of(uint32_t set)
{
    return set == IRI_D3D9_SET_BOOL ? IRI_BOOL : set == IRI_D3D9_SET_INT4 ? IRI_I32 : IRI_F32;
}

/* A type that lies in `registers` registers of a set, as a member. `registers` may be fewer than the type
 * needs; a struct nests as deep as the table's reader allows. */
static void describe(iri_l9 *l, iri_member *m, const iri_d3d9_ctype *type, uint32_t set,
                     uint32_t registers, uint32_t offset)
{
    uint32_t stride = stride_of(set), full = type->registers[set];
    uint32_t elements = type->elements > 1 ? type->elements : 1;
    uint32_t each = full == UINT32_MAX || full == 0 ? registers : full / elements;
    const iri_d3d_row *row =
        iri_d3d_get(l->ctx, type->offset, IRI_D3D_PARAMETER_CLASS, type->class_);
    m->member_class = (uint8_t)row->value;
    m->scalar = scalar_of(set);
    m->rows = (uint8_t)type->rows;
    m->columns = (uint8_t)type->columns;
    m->offset = offset;
    m->size = registers * stride;
    if (elements > 1) {
        /* The compiler leaves off what is not read at the end. */
        uint32_t held = each ? (registers + each - 1) / each : 0;
        m->elements = held < elements ? held : elements;
        m->array_stride = each * stride;
    }
    if (m->member_class == IRI_MEMBER_MATRIX_ROWS || m->member_class == IRI_MEMBER_MATRIX_COLUMNS)
        m->matrix_stride = stride;
    if (m->member_class != IRI_MEMBER_STRUCT || type->member_count == 0)
        return;
    iri_member *members = iri_new_array(l->scratch, iri_member, type->member_count);
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; i < type->member_count && at < registers; i++) {
        uint32_t need = type->members[i].type->registers[set], left = registers - at;
        if (need > left)
            need = left; /* what is not read at the end was left off */
        if (need == 0)
            continue;
        members[count].name = type->members[i].name;
        describe(l, &members[count++], type->members[i].type, set, need, at * stride);
        at += need;
    }
    m->members = members;
    m->member_count = count;
}

static void describe_constant(iri_l9 *l, iri_member *m, const iri_d3d9_constant *c)
{
    m->name = c->name;
    describe(l, m, c->type, c->set, c->count, c->index * stride_of(c->set));
    if (c->defaults && c->default_words >= m->size / 4) {
        uint32_t *words = iri_new_array(l->scratch, uint32_t, m->size / 4);
        for (uint32_t i = 0; i < m->size / 4; i++)
            words[i] = iri_d3d9_default_word(c, i);
        m->default_words = words;
    }
    if (c->full_count == UINT32_MAX || c->count >= c->full_count || c->type->elements <= 1)
        return;
    if (m->elements < c->type->elements)
        iri_add_note(l->b, "short-array", c->offset,
                     "%s is declared with %u elements and allocated with %u", c->name,
                     c->type->elements, m->elements);
    else
        iri_add_note(l->b, "short-array", c->offset,
                     "%s takes %lu registers as declared and is allocated %u", c->name,
                     (unsigned long)c->full_count, c->count);
}

static void declare_bank(iri_l9 *l, uint32_t set, uint32_t reg, uint32_t rows, uint32_t flags)
{
    uint32_t stride = stride_of(set), count = 0, end = rows;
    for (uint32_t i = 0; l->ctab && i < l->ctab->count; i++) {
        const iri_d3d9_constant *c = &l->ctab->constants[i];
        if (c->set != set)
            continue;
        count++;
        if (end < (uint32_t)c->index + c->count)
            end = (uint32_t)c->index + c->count;
    }
    if (end == 0)
        return;
    iri_member *members = iri_new_array(l->scratch, iri_member, count);
    for (uint32_t i = 0, at = 0; l->ctab && i < l->ctab->count; i++)
        if (l->ctab->constants[i].set == set)
            describe_constant(l, &members[at++], &l->ctab->constants[i]);
    iri_resource cb = {.kind = IRI_RESOURCE_CBUFFER,
                       .access = 1,
                       .reg = reg,
                       .count = 1,
                       .size = end * stride,
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
