/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The constant table ('CTAB' comment) of a Direct3D 9 shader or of a preshader: which names the compiler gave to
 * which registers, with types and default values. Facts: D3DXSHADER_CONSTANTTABLE, _CONSTANTINFO,
 * _TYPEINFO and _STRUCTMEMBERINFO in d3dx9shader.h; docs/formats/d3d9.md names the pages.
 */
#ifndef IRI_READ_COMMON_CTAB_H
#define IRI_READ_COMMON_CTAB_H

#include "base/arena.h"
#include "base/cursor.h"

#define IRI_D3D9_TAG(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* D3DXREGISTER_SET. */
typedef enum iri_d3d9_set {
    IRI_D3D9_SET_BOOL,
    IRI_D3D9_SET_INT4,
    IRI_D3D9_SET_FLOAT4,
    IRI_D3D9_SET_SAMPLER,
    IRI_D3D9_SET_COUNT
} iri_d3d9_set;

/* D3DXPARAMETER_CLASS. */
typedef enum iri_d3d9_class {
    IRI_D3D9_CLASS_SCALAR,
    IRI_D3D9_CLASS_VECTOR,
    IRI_D3D9_CLASS_MATRIX_ROWS,
    IRI_D3D9_CLASS_MATRIX_COLUMNS,
    IRI_D3D9_CLASS_OBJECT,
    IRI_D3D9_CLASS_STRUCT,
    IRI_D3D9_CLASS_COUNT
} iri_d3d9_class;

/* D3DXPARAMETER_TYPE. */
typedef enum iri_d3d9_ptype {
    IRI_D3D9_PT_VOID,
    IRI_D3D9_PT_BOOL,
    IRI_D3D9_PT_INT,
    IRI_D3D9_PT_FLOAT,
    IRI_D3D9_PT_STRING,
    IRI_D3D9_PT_TEXTURE,
    IRI_D3D9_PT_TEXTURE1D,
    IRI_D3D9_PT_TEXTURE2D,
    IRI_D3D9_PT_TEXTURE3D,
    IRI_D3D9_PT_TEXTURECUBE,
    IRI_D3D9_PT_SAMPLER,
    IRI_D3D9_PT_SAMPLER1D,
    IRI_D3D9_PT_SAMPLER2D,
    IRI_D3D9_PT_SAMPLER3D,
    IRI_D3D9_PT_SAMPLERCUBE,
    IRI_D3D9_PT_PIXELSHADER,
    IRI_D3D9_PT_VERTEXSHADER,
    IRI_D3D9_PT_PIXELFRAGMENT,
    IRI_D3D9_PT_VERTEXFRAGMENT,
    IRI_D3D9_PT_UNSUPPORTED,
    IRI_D3D9_PT_COUNT
} iri_d3d9_ptype;

typedef struct iri_d3d9_ctype iri_d3d9_ctype;

typedef struct iri_d3d9_cmember {
    const char *name; /* borrowed from the caller's bytes, as all text here */
    const iri_d3d9_ctype *type;
} iri_d3d9_cmember;

struct iri_d3d9_ctype {
    uint32_t offset; /* of the type record, from the start of the caller's input */
    uint8_t class_;  /* iri_d3d9_class */
    uint8_t type;    /* iri_d3d9_ptype */
    uint16_t rows, columns;
    uint16_t elements; /* 1 when not an array, as stored (0 is stored by some and kept) */
    uint16_t member_count;
    const iri_d3d9_cmember *members;
    uint32_t bytes; /* tight size as D3DX says: 4 * rows * columns * elements, members summed, an
                       object 4; UINT32_MAX when it does not fit, as in `registers` */
    /* Registers that all elements take, by iri_d3d9_set. Element k of an array begins k / elements
     * of them behind the first, a member behind those of the members before it: a float4 or int4
     * register holds a row (a column of a matrix_columns), a bool register one component. Index
     * with the set of the constant, whatever the member's own type. */
    uint32_t registers[IRI_D3D9_SET_COUNT];
};

typedef struct iri_d3d9_constant {
    const char *name; /* borrowed from the caller's bytes, as all text here */
    uint32_t offset;  /* of the constant's record, from the start of the caller's input */
    uint8_t set;      /* iri_d3d9_set */
    uint16_t index;   /* first register */
    uint16_t count;   /* registers allocated: may be fewer than the type needs when the compiler saw
                           that the last ones are not read */
    uint16_t reserved;
    uint32_t full_count; /* registers the whole type takes in this set: type->registers[set] */
    const iri_d3d9_ctype *type;
    /* Default values: four words a register for floats and integers, one a register for booleans,
     * of the lesser of `count` and `full_count` registers; NULL when there are none. Borrowed and
     * unaligned: read them with iri_d3d9_default_word. */
    const uint8_t *defaults;
    uint32_t default_words;
    uint32_t default_offset; /* of the values, from the start of the caller's input; 0 when none */
} iri_d3d9_constant;

/* Word i < default_words of the default value. */
static inline uint32_t iri_d3d9_default_word(const iri_d3d9_constant *constant, uint32_t i)
{
    const uint8_t *p = constant->defaults + (size_t)i * 4;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

typedef struct iri_d3d9_ctab {
    uint32_t
        offset; /* of the table (the word after the tag), from the start of the caller's input */
    uint32_t size;
    uint32_t version;    /* the same word as the stream's first */
    uint32_t flags;      /* D3DXSHADER_... compile flags */
    const char *creator; /* "" when there is none */
    bool has_creator;
    const char *target; /* "ps_3_0", "" when there is none: 2_a and 2_b differ here only */
    const iri_d3d9_constant *constants;
    uint32_t count;
} iri_d3d9_ctab;

/* Reads a table: `data` is its first byte, the one after the tag, `base` that byte's offset in the caller's input. `version` is the word the table must name, 0 for
 * any. Fails with MALFORMED_TABLE. */
const iri_d3d9_ctab *iri_d3d9_ctab_parse(iri_ctx *ctx, iri_arena *arena, const void *data,
                                         uint32_t size, uint32_t base, uint32_t version);

/* D3DX's name: "float4"; static; NULL past the end. */
const char *iri_d3d9_set_name(uint32_t set);

#endif
