/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Direct3D 9 reader's tables: ops.def, models.def and limits.def as data, and names.
 */
#include "read/d3d9/decode.h"

#define ROW_ID(id) IRI_D3D9_ROW_##id
enum {
    IRI_D3D9_ROW_NONE = 0xff,
#define IRI_D3D9_MODEL(id, name, stage, version) IRI_D3D9_ROW_##id = IRI_D3D9_##id,
#include "read/d3d9/models.def"
#undef IRI_D3D9_MODEL
    COMPARE = IRI_D3D9_FLAG_COMPARE,
    SAMPLE = IRI_D3D9_FLAG_SAMPLE,
    CONTROL = IRI_D3D9_FLAG_CONTROL,
    FLOW = IRI_D3D9_FLAG_FLOW,
    DECL = IRI_D3D9_FLAG_DECL,
    MATRIX = IRI_D3D9_FLAG_MATRIX,
    ARITH = IRI_D3D9_FLAG_ARITH,
    DERIV = IRI_D3D9_FLAG_DERIV
};

const iri_d3d9_op_row iri_d3d9_ops[IRI_D3D9_OP_COUNT] = {
#define IRI_D3D9_OP(id, name, number, vs_first, vs_last, ps_first, ps_last, operands, flags) \
    {name,     number, ROW_ID(vs_first), ROW_ID(vs_last), ROW_ID(ps_first), ROW_ID(ps_last), \
     operands, flags},
#include "read/d3d9/ops.def"
#undef IRI_D3D9_OP
};

const iri_d3d9_model_row iri_d3d9_models[IRI_D3D9_MODEL_COUNT] = {
#define IRI_D3D9_MODEL(id, name, stage, version) {name, IRI_D3D9_##stage, version},
#include "read/d3d9/models.def"
#undef IRI_D3D9_MODEL
};

const iri_d3d9_bank_row iri_d3d9_banks[IRI_D3D9_BANK_COUNT] = {
#define IRI_D3D9_BANK(id, prefix, numbered, ...) {prefix, numbered, {__VA_ARGS__}},
#include "read/d3d9/limits.def"
#undef IRI_D3D9_BANK
};

bool iri_d3d9_model_has_op(iri_d3d9_model model, iri_d3d9_op op)
{
    const iri_d3d9_op_row *row = &iri_d3d9_ops[op];
    bool vertex = iri_d3d9_models[model].stage == IRI_D3D9_VERTEX;
    uint32_t first = vertex ? row->vs_first : row->ps_first;
    uint32_t last = vertex ? row->vs_last : row->ps_last;
    return first != IRI_D3D9_ROW_NONE && model >= first && model <= last;
}

const char *iri_d3d9_usage_name(uint32_t usage)
{
    static const char *const names[IRI_D3D9_USAGE_COUNT] = {
        "position", "blendweight", "blendindices", "normal", "psize", "texcoord", "tangent",
        "binormal", "tessfactor",  "positiont",    "color",  "fog",   "depth",    "sample"};
    return usage < IRI_D3D9_USAGE_COUNT ? names[usage] : NULL;
}

const char *iri_d3d9_comparison_name(uint32_t comparison)
{
    static const char *const names[] = {NULL, "gt", "eq", "ge", "lt", "ne", "le", NULL};
    return comparison < 8 ? names[comparison] : NULL;
}

bool iri_d3d9_is_scalar(iri_d3d9_op op, uint32_t source)
{
    switch (op) {
    case IRI_D3D9_OP_RCP:
    case IRI_D3D9_OP_RSQ:
    case IRI_D3D9_OP_EXP:
    case IRI_D3D9_OP_LOG:
    case IRI_D3D9_OP_EXPP:
    case IRI_D3D9_OP_LOGP:
    case IRI_D3D9_OP_POW: return true;
    case IRI_D3D9_OP_SINCOS:
    case IRI_D3D9_OP_SINCOS_3: return source == 0;
    case IRI_D3D9_OP_DP2ADD: return source == 2;
    default: return false;
    }
}

uint32_t iri_d3d9_matrix_rows(iri_d3d9_op op)
{
    static const uint8_t rows[] = {4, 3, 4, 3, 2}; /* m4x4 m4x3 m3x4 m3x3 m3x2 */
    return rows[op - IRI_D3D9_OP_M4X4];
}
