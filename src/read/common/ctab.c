/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constant tables to records. Facts: the D3DXSHADER_... structures of d3dx9shader.h
 * (docs/formats/d3d9.md). Every offset in a table counts from the word after the 'CTAB' tag.
 *
 * Records may share types and overlap, so a type is read once for each offset that names it, and
 * the types and members of one table are counted against its size.
 */
#include "read/common/ctab.h"

#include "base/map.h"

enum {
    HEADER_SIZE = 28,
    CONSTANT_SIZE = 20,
    TYPE_SIZE = 16,
    MEMBER_SIZE = 8,
    STRING_LIMIT = 4096,
    TYPE_NESTING = 32 /* structs inside each other; HLSL has no such limit, no table comes near */
};

typedef struct table {
    iri_ctx *ctx;
    iri_arena *arena;
    const uint8_t *data;
    uint32_t size, base;
    iri_map types;                   /* offset to index in `known` */
    IRI_VEC(iri_d3d9_ctype *) known; /* NULL while it is being read */
    uint32_t members;
} table;

static uint32_t word16(const table *t, uint32_t at)
{
    return (uint32_t)t->data[at] | (uint32_t)t->data[at + 1] << 8;
}

static uint32_t word32(const table *t, uint32_t at)
{
    return word16(t, at) | word16(t, at + 2) << 16;
}

/* `size` bytes at `at`, which the record at `holder` points to. */
static void need(const table *t, uint32_t holder, uint32_t at, uint64_t size, const char *what)
{
    if (at > t->size || size > t->size - at)
        iri_fail(t->ctx, IRI_MALFORMED_TABLE, t->base + holder,
                 "%s at 0x%x of the constant table's 0x%x bytes is outside them", what, at,
                 t->size);
}

/* Borrowed: its end was seen. The limit keeps a hostile table that names one long text many times
 * from costing its size squared. */
static const char *read_string(const table *t, uint32_t holder, uint32_t at, const char *what)
{
    if (at >= t->size)
        need(t, holder, at, 1, what);
    uint32_t left = t->size - at;
    if (memchr(t->data + at, 0, left < STRING_LIMIT ? left : STRING_LIMIT) == NULL)
        iri_fail(t->ctx, IRI_MALFORMED_TABLE, t->base + holder,
                 "%s at 0x%x of the constant table %s", what, at,
                 left < STRING_LIMIT ? "has no end" : "is too long");
    return (const char *)t->data + at;
}

static uint32_t saturate(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* Sizes of a type whose members are known. */
static void measure_type(iri_d3d9_ctype *type)
{
    uint64_t elements = type->elements ? type->elements : 1;
    uint64_t components = (uint64_t)type->rows * type->columns;
    uint64_t bytes = 4 * components, registers[IRI_D3D9_SET_COUNT] = {0};
    uint32_t lines = type->class_ == IRI_D3D9_CLASS_MATRIX_ROWS      ? type->rows
                     : type->class_ == IRI_D3D9_CLASS_MATRIX_COLUMNS ? type->columns
                                                                     : 1;
    if (type->class_ == IRI_D3D9_CLASS_STRUCT) {
        bytes = 0;
        for (uint32_t i = 0; i < type->member_count; i++) {
            bytes += type->members[i].type->bytes;
            for (uint32_t set = 0; set < IRI_D3D9_SET_COUNT; set++)
                registers[set] += type->members[i].type->registers[set];
        }
    } else {
        if (type->class_ == IRI_D3D9_CLASS_OBJECT)
            bytes = 4;
        registers[IRI_D3D9_SET_BOOL] = type->class_ == IRI_D3D9_CLASS_OBJECT ? 1 : components;
        registers[IRI_D3D9_SET_INT4] = registers[IRI_D3D9_SET_FLOAT4] = lines;
        registers[IRI_D3D9_SET_SAMPLER] = 1;
    }
    type->bytes = saturate(bytes * elements);
    for (uint32_t set = 0; set < IRI_D3D9_SET_COUNT; set++)
        type->registers[set] = saturate(registers[set] * elements);
}

static void check_shape(const table *t, const iri_d3d9_ctype *type)
{
    if (type->class_ >= IRI_D3D9_CLASS_COUNT || type->type >= IRI_D3D9_PT_COUNT)
        iri_fail(t->ctx, IRI_MALFORMED_TABLE, type->offset, "%u is no %s of a constant",
                 type->class_ >= IRI_D3D9_CLASS_COUNT ? type->class_ : type->type,
                 type->class_ >= IRI_D3D9_CLASS_COUNT ? "class" : "type");
    if (type->class_ <= IRI_D3D9_CLASS_MATRIX_COLUMNS &&
        (type->rows < 1 || type->rows > 4 || type->columns < 1 || type->columns > 4))
        iri_fail(t->ctx, IRI_MALFORMED_TABLE, type->offset, "a constant of %u rows and %u columns",
                 type->rows, type->columns);
}

static const iri_d3d9_ctype *read_type(table *t, uint32_t holder, uint32_t at, uint32_t depth);

static void read_members(table *t, iri_d3d9_ctype *type, uint32_t holder, uint32_t at,
                         uint32_t depth)
{
    need(t, holder, at, (uint64_t)type->member_count * MEMBER_SIZE, "an array of struct members");
    if (type->member_count > t->size - t->members)
        iri_fail(t->ctx, IRI_MALFORMED_TABLE, type->offset,
                 "the constant table's structs have more members than it has bytes");
    t->members += type->member_count;
    iri_d3d9_cmember *members = iri_new_array(t->arena, iri_d3d9_cmember, type->member_count);
    for (uint32_t i = 0; i < type->member_count; i++) {
        uint32_t member = at + i * MEMBER_SIZE;
        members[i].name = read_string(t, member, word32(t, member), "a member's name");
        members[i].type = read_type(t, member, word32(t, member + 4), depth + 1);
    }
    type->members = members;
}

static const iri_d3d9_ctype *read_type(table *t, uint32_t holder, uint32_t at, uint32_t depth)
{
    need(t, holder, at, TYPE_SIZE, "a type");
    bool added;
    uint32_t *slot = iri_map_put(&t->types, &at, sizeof at, &added);
    if (!added && t->known.at[*slot] == NULL)
        iri_fail(t->ctx, IRI_MALFORMED_TABLE, t->base + at,
                 "a struct of the constant table contains itself");
    if (!added)
        return t->known.at[*slot];
    if (depth > TYPE_NESTING)
        iri_fail(t->ctx, IRI_MALFORMED_TABLE, t->base + at, "structs nested deeper than %d",
                 TYPE_NESTING);
    uint32_t index = *slot = t->known.count;
    iri_push(t->arena, &t->known, NULL);

    iri_d3d9_ctype *type = iri_new(t->arena, iri_d3d9_ctype);
    uint32_t class_ = word16(t, at), kind = word16(t, at + 2);
    type->offset = t->base + at;
    type->class_ = (uint8_t)(class_ < 0xff ? class_ : 0xff);
    type->type = (uint8_t)(kind < 0xff ? kind : 0xff);
    type->rows = (uint16_t)word16(t, at + 4);
    type->columns = (uint16_t)word16(t, at + 6);
    type->elements = (uint16_t)word16(t, at + 8);
    check_shape(t, type);
    if (type->class_ == IRI_D3D9_CLASS_STRUCT) {
        type->member_count = (uint16_t)word16(t, at + 10);
        read_members(t, type, at, word32(t, at + 12), depth);
    }
    measure_type(type);
    t->known.at[index] = type;
    return type;
}

static void read_defaults(const table *t, iri_d3d9_constant *constant, uint32_t holder, uint32_t at)
{
    uint32_t registers =
        constant->count < constant->full_count ? constant->count : constant->full_count;
    constant->default_offset = t->base + at;
    if (constant->set == IRI_D3D9_SET_SAMPLER)
        return;
    constant->default_words = registers * (constant->set == IRI_D3D9_SET_BOOL ? 1 : 4);
    need(t, holder, at, (uint64_t)constant->default_words * 4, "a default value");
    constant->defaults = t->data + at;
}

static void read_constant(table *t, iri_d3d9_constant *constant, uint32_t at)
{
    uint32_t set = word16(t, at + 4);
    constant->offset = t->base + at;
    constant->name = read_string(t, at, word32(t, at), "a constant's name");
    if (set >= IRI_D3D9_SET_COUNT)
        iri_fail(t->ctx, IRI_MALFORMED_TABLE, t->base + at + 4, "%u is no register set", set);
    constant->set = (uint8_t)set;
    constant->index = (uint16_t)word16(t, at + 6);
    constant->count = (uint16_t)word16(t, at + 8);
    constant->reserved = (uint16_t)word16(t, at + 10);
    if ((uint32_t)constant->index + constant->count > 0x10000u)
        iri_fail(t->ctx, IRI_MALFORMED_TABLE, t->base + at + 6, "registers %u to %u of a constant",
                 constant->index, (uint32_t)constant->index + constant->count - 1);
    constant->type = read_type(t, at, word32(t, at + 12), 0);
    constant->full_count = constant->type->registers[set];
    if (word32(t, at + 16) != 0)
        read_defaults(t, constant, at, word32(t, at + 16));
}

const iri_d3d9_ctab *iri_d3d9_ctab_parse(iri_ctx *ctx, iri_arena *arena, const void *data,
                                         uint32_t size, uint32_t base, uint32_t version)
{
    table t = {.ctx = ctx, .arena = arena, .data = data, .size = size, .base = base};
    if (size < HEADER_SIZE || word32(&t, 0) != HEADER_SIZE)
        iri_fail(ctx, IRI_MALFORMED_TABLE, base,
                 "a constant table's header has 28 bytes, here are %u",
                 size < HEADER_SIZE ? size : word32(&t, 0));
    iri_map_init(&t.types, arena);
    iri_d3d9_ctab *ctab = iri_new(arena, iri_d3d9_ctab);
    uint32_t creator = word32(&t, 4), target = word32(&t, 24), constants = word32(&t, 16);
    ctab->offset = base;
    ctab->size = size;
    ctab->version = word32(&t, 8);
    ctab->count = word32(&t, 12);
    ctab->flags = word32(&t, 20);
    if (version != 0 && ctab->version != version)
        iri_fail(ctx, IRI_MALFORMED_TABLE, base + 8,
                 "the constant table is of version 0x%08x, the shader of 0x%08x", ctab->version,
                 version);
    ctab->has_creator = creator != 0;
    ctab->creator = creator ? read_string(&t, 4, creator, "the creator") : "";
    ctab->target = target ? read_string(&t, 24, target, "the target") : "";
    need(&t, 12, constants, (uint64_t)ctab->count * CONSTANT_SIZE, "the array of constants");
    iri_d3d9_constant *list = iri_new_array(arena, iri_d3d9_constant, ctab->count);
    for (uint32_t i = 0; i < ctab->count; i++)
        read_constant(&t, &list[i], constants + i * CONSTANT_SIZE);
    ctab->constants = list;
    return ctab;
}

const char *iri_d3d9_set_name(uint32_t set)
{
    static const char *const names[IRI_D3D9_SET_COUNT] = {"bool", "int4", "float4", "sampler"};
    return set < IRI_D3D9_SET_COUNT ? names[set] : NULL;
}
