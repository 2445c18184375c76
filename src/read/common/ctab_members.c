/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The constant table's names and types as members of constant buffers. Types: D3DXSHADER_TYPEINFO
 * (d3dx9shader.h).
 */
#include "read/common/ctab_members.h"

#include "ir/d3d.h"

/* Bytes of a register of a set, in its buffer. */
uint32_t iri_d3d9_set_stride(uint32_t set)
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
static void describe(iri_builder *b, iri_arena *scratch, iri_member *m, const iri_d3d9_ctype *type,
                     uint32_t set, uint32_t registers, uint32_t offset)
{
    uint32_t stride = iri_d3d9_set_stride(set), full = type->registers[set];
    uint32_t elements = type->elements > 1 ? type->elements : 1;
    uint32_t each = full == UINT32_MAX || full == 0 ? registers : full / elements;
    const iri_d3d_row *row =
        iri_d3d_get(iri_builder_ctx(b), type->offset, IRI_D3D_PARAMETER_CLASS, type->class_);
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
    iri_member *members = iri_new_array(scratch, iri_member, type->member_count);
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; i < type->member_count && at < registers; i++) {
        uint32_t need = type->members[i].type->registers[set], left = registers - at;
        if (need > left)
            need = left; /* what is not read at the end was left off */
        if (need == 0)
            continue;
        members[count].name = type->members[i].name;
        describe(b, scratch, &members[count++], type->members[i].type, set, need, at * stride);
        at += need;
    }
    m->members = members;
    m->member_count = count;
}

static void describe_constant(iri_builder *b, iri_arena *scratch, iri_member *m,
                              const iri_d3d9_constant *c)
{
    m->name = c->name;
    describe(b, scratch, m, c->type, c->set, c->count, c->index * iri_d3d9_set_stride(c->set));
    if (c->defaults && c->default_words >= m->size / 4) {
        uint32_t *words = iri_new_array(scratch, uint32_t, m->size / 4);
        for (uint32_t i = 0; i < m->size / 4; i++)
            words[i] = iri_d3d9_default_word(c, i);
        m->default_words = words;
    }
    if (c->full_count == UINT32_MAX || c->count >= c->full_count || c->type->elements <= 1)
        return;
    if (m->elements < c->type->elements)
        iri_add_note(b, "short-array", c->offset,
                     "%s is declared with %u elements and allocated with %u", c->name,
                     c->type->elements, m->elements);
    else
        iri_add_note(b, "short-array", c->offset,
                     "%s takes %lu registers as declared and is allocated %u", c->name,
                     (unsigned long)c->full_count, c->count);
}

const iri_member *iri_d3d9_ctab_members(iri_builder *b, iri_arena *scratch,
                                        const iri_d3d9_ctab *ctab, uint32_t set, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; ctab && i < ctab->count; i++)
        *count += ctab->constants[i].set == set;
    iri_member *members = iri_new_array(scratch, iri_member, *count);
    for (uint32_t i = 0, at = 0; ctab && i < ctab->count; i++)
        if (ctab->constants[i].set == set)
            describe_constant(b, scratch, &members[at++], &ctab->constants[i]);
    return members;
}
