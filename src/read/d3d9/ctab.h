/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The constant table ('CTAB' comment) of a Direct3D 9 shader: which names the compiler gave to which
 * registers, with types and default values. Facts: D3DXSHADER_CONSTANTTABLE, _CONSTANTINFO, _TYPEINFO
 * and _STRUCTMEMBERINFO in d3dx9shader.h; docs/formats/d3d9.md names the pages.
 */
#ifndef IRI_READ_D3D9_CTAB_H
#define IRI_READ_D3D9_CTAB_H

#include "read/d3d9/decode.h"

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
    const char *name; /* in the arena */
    const iri_d3d9_ctype *type;
    /* Where the member lies in one element of its struct, in registers of the constant's set. */
    uint32_t register_offset;
} iri_d3d9_cmember;

struct iri_d3d9_ctype {
    uint32_t offset;   /* of the type record, from the start of the caller's input */
    uint8_t class_;    /* iri_d3d9_class */
    uint8_t type;      /* iri_d3d9_ptype */
    uint16_t rows, columns;
    uint16_t elements; /* 1 when not an array, as stored (0 is stored by some and kept) */
    uint16_t member_count;
    const iri_d3d9_cmember *members;
    uint32_t bytes; /* tight size as D3DX says: 4 * rows * columns * elements, members summed; a sampler is 4 */
};

typedef struct iri_d3d9_constant {
    const char *name; /* in the arena */
    uint32_t offset;  /* of the constant's record, from the start of the caller's input */
    uint8_t set;      /* iri_d3d9_set */
    uint16_t index;   /* first register */
    uint16_t count;   /* registers allocated: may be fewer than the type needs when the compiler saw
                         that the last ones are not read */
    uint16_t reserved;
    uint32_t full_count; /* registers the whole type needs in this set */
    const iri_d3d9_ctype *type;
    /* Default values as stored: `count` rows of four words for float and integer registers, one word a
     * register for booleans; NULL when there are none. Copied, in host order. */
    const uint32_t *defaults;
    uint32_t default_words;
    uint32_t default_offset; /* of the values, from the start of the caller's input; 0 when none */
} iri_d3d9_constant;

typedef struct iri_d3d9_ctab {
    uint32_t offset; /* of the table (the word after the tag), from the start of the caller's input */
    uint32_t size;
    uint32_t version;    /* the same word as the stream's first */
    uint32_t flags;      /* D3DXSHADER_... compile flags */
    const char *creator; /* in the arena; "" when there is none */
    const char *target;  /* "ps_3_0", "" when there is none: 2_a and 2_b differ here only */
    const iri_d3d9_constant *constants;
    uint32_t count;
} iri_d3d9_ctab;

/* Reads the shader's first CTAB comment; NULL when it has none. Fails with MALFORMED_TABLE. */
const iri_d3d9_ctab *iri_d3d9_ctab_read(iri_ctx *ctx, iri_arena *arena, const iri_d3d9_shader *shader);

/* Registers a type takes in a register set, all elements; UINT32_MAX when that is more than fits. */
uint32_t iri_d3d9_ctype_registers(const iri_d3d9_ctype *type, uint32_t set);

#endif
