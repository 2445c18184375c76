/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Direct3D's enumerations as tables. Sources: d3d9types.h (D3DDECLUSAGE, D3DSAMPLER_TEXTURE_TYPE and other D3DT...),
 * d3dx9shader.h (D3DXPARAMETER_CLASS, D3DXPARAMETER_TYPE), d3dcommon.h (D3D_...).
 */
#include "ir/d3d.h"

static const iri_d3d_row usage[] = {
    {0, 0, "D3DDECLUSAGE_POSITION", "POSITION"},
    {1, 0, "D3DDECLUSAGE_BLENDWEIGHT", "BLENDWEIGHT"},
    {2, 0, "D3DDECLUSAGE_BLENDINDICES", "BLENDINDICES"},
    {3, 0, "D3DDECLUSAGE_NORMAL", "NORMAL"},
    {4, 0, "D3DDECLUSAGE_PSIZE", "PSIZE"},
    {5, 0, "D3DDECLUSAGE_TEXCOORD", "TEXCOORD"},
    {6, 0, "D3DDECLUSAGE_TANGENT", "TANGENT"},
    {7, 0, "D3DDECLUSAGE_BINORMAL", "BINORMAL"},
    {8, 0, "D3DDECLUSAGE_TESSFACTOR", "TESSFACTOR"},
    {9, 0, "D3DDECLUSAGE_POSITIONT", "POSITIONT"},
    {10, 0, "D3DDECLUSAGE_COLOR", "COLOR"},
    {11, 0, "D3DDECLUSAGE_FOG", "FOG"},
    {12, 0, "D3DDECLUSAGE_DEPTH", "DEPTH"},
    {13, 0, "D3DDECLUSAGE_SAMPLE", "SAMPLE"},
};

static const iri_d3d_row sampler_type[] = {
    {2, IRI_DIMENSION_2D, "D3DSTT_2D", "2d"},
    {3, IRI_DIMENSION_CUBE, "D3DSTT_CUBE", "cube"},
    {4, IRI_DIMENSION_3D, "D3DSTT_VOLUME", "volume"},
};

static const iri_d3d_row parameter_class[] = {
    {0, IRI_MEMBER_SCALAR, "D3DXPC_SCALAR", "scalar"},
    {1, IRI_MEMBER_VECTOR, "D3DXPC_VECTOR", "vector"},
    {2, IRI_MEMBER_MATRIX_ROWS, "D3DXPC_MATRIX_ROWS", "row_major matrix"},
    {3, IRI_MEMBER_MATRIX_COLUMNS, "D3DXPC_MATRIX_COLUMNS", "column_major matrix"},
    {5, IRI_MEMBER_STRUCT, "D3DXPC_STRUCT", "struct"},
};

static const iri_d3d_row parameter_type[] = {
    {1, IRI_BOOL, "D3DXPT_BOOL", "bool"},
    {2, IRI_I32, "D3DXPT_INT", "int"},
    {3, IRI_F32, "D3DXPT_FLOAT", "float"},
};

static const iri_d3d_row sampler_parameter[] = {
    {10, IRI_DIMENSION_NONE, "D3DXPT_SAMPLER", "sampler"},
    {11, IRI_DIMENSION_2D, "D3DXPT_SAMPLER1D", "sampler1D"}, /* Direct3D 9 has no 1D textures */
    {12, IRI_DIMENSION_2D, "D3DXPT_SAMPLER2D", "sampler2D"},
    {13, IRI_DIMENSION_3D, "D3DXPT_SAMPLER3D", "sampler3D"},
    {14, IRI_DIMENSION_CUBE, "D3DXPT_SAMPLERCUBE", "samplerCUBE"},
};

static const iri_d3d_row name[] = {
    {0, IRI_SV_NONE, "D3D_NAME_UNDEFINED", ""},
    {1, IRI_SV_POSITION, "D3D_NAME_POSITION", "SV_Position"},
    {2, IRI_SV_CLIP_DISTANCE, "D3D_NAME_CLIP_DISTANCE", "SV_ClipDistance"},
    {3, IRI_SV_CULL_DISTANCE, "D3D_NAME_CULL_DISTANCE", "SV_CullDistance"},
    {6, IRI_SV_VERTEX_ID, "D3D_NAME_VERTEX_ID", "SV_VertexID"},
    {7, IRI_SV_PRIMITIVE_ID, "D3D_NAME_PRIMITIVE_ID", "SV_PrimitiveID"},
    {8, IRI_SV_INSTANCE_ID, "D3D_NAME_INSTANCE_ID", "SV_InstanceID"},
    {9, IRI_SV_IS_FRONT_FACE, "D3D_NAME_IS_FRONT_FACE", "SV_IsFrontFace"},
    {10, IRI_SV_SAMPLE_INDEX, "D3D_NAME_SAMPLE_INDEX", "SV_SampleIndex"},
    {64, IRI_SV_TARGET, "D3D_NAME_TARGET", "SV_Target"},
    {65, IRI_SV_DEPTH, "D3D_NAME_DEPTH", "SV_Depth"},
    {66, IRI_SV_COVERAGE, "D3D_NAME_COVERAGE", "SV_Coverage"},
};

static const iri_d3d_row interpolation[] = {
    {0, IRI_INTERPOLATION_DEFAULT, "D3D_INTERPOLATION_UNDEFINED", ""},
    {1, IRI_INTERPOLATION_FLAT, "D3D_INTERPOLATION_CONSTANT", "constant"},
    {2, IRI_INTERPOLATION_LINEAR, "D3D_INTERPOLATION_LINEAR", "linear"},
    {3, IRI_INTERPOLATION_LINEAR_CENTROID, "D3D_INTERPOLATION_LINEAR_CENTROID", "linear centroid"},
    {4, IRI_INTERPOLATION_NO_PERSPECTIVE, "D3D_INTERPOLATION_LINEAR_NOPERSPECTIVE",
     "linear noperspective"},
    {5, IRI_INTERPOLATION_NO_PERSPECTIVE_CENTROID,
     "D3D_INTERPOLATION_LINEAR_NOPERSPECTIVE_CENTROID", "linear noperspective centroid"},
    {6, IRI_INTERPOLATION_LINEAR_SAMPLE, "D3D_INTERPOLATION_LINEAR_SAMPLE", "linear sample"},
    {7, IRI_INTERPOLATION_NO_PERSPECTIVE_SAMPLE, "D3D_INTERPOLATION_LINEAR_NOPERSPECTIVE_SAMPLE",
     "linear noperspective sample"},
};

static const iri_d3d_row resource_dimension[] = {
    {1, IRI_D3D_BUFFER, "D3D10_SB_RESOURCE_DIMENSION_BUFFER", "buffer"},
    {2, IRI_DIMENSION_1D, "D3D10_SB_RESOURCE_DIMENSION_TEXTURE1D", "texture1d"},
    {3, IRI_DIMENSION_2D, "D3D10_SB_RESOURCE_DIMENSION_TEXTURE2D", "texture2d"},
    {4, IRI_DIMENSION_2D | IRI_D3D_MULTISAMPLED, "D3D10_SB_RESOURCE_DIMENSION_TEXTURE2DMS",
     "texture2dms"},
    {5, IRI_DIMENSION_3D, "D3D10_SB_RESOURCE_DIMENSION_TEXTURE3D", "texture3d"},
    {6, IRI_DIMENSION_CUBE, "D3D10_SB_RESOURCE_DIMENSION_TEXTURECUBE", "texturecube"},
    {7, IRI_DIMENSION_1D | IRI_D3D_ARRAYED, "D3D10_SB_RESOURCE_DIMENSION_TEXTURE1DARRAY",
     "texture1darray"},
    {8, IRI_DIMENSION_2D | IRI_D3D_ARRAYED, "D3D10_SB_RESOURCE_DIMENSION_TEXTURE2DARRAY",
     "texture2darray"},
    {9, IRI_DIMENSION_2D | IRI_D3D_ARRAYED | IRI_D3D_MULTISAMPLED,
     "D3D10_SB_RESOURCE_DIMENSION_TEXTURE2DMSARRAY", "texture2dmsarray"},
    {10, IRI_DIMENSION_CUBE | IRI_D3D_ARRAYED, "D3D10_SB_RESOURCE_DIMENSION_TEXTURECUBEARRAY",
     "texturecubearray"},
    {11, IRI_D3D_BUFFER, "D3D11_SB_RESOURCE_DIMENSION_RAW_BUFFER", "raw buffer"},
    {12, IRI_D3D_BUFFER, "D3D11_SB_RESOURCE_DIMENSION_STRUCTURED_BUFFER", "structured buffer"},
};

static const iri_d3d_row return_type[] = {
    {1, IRI_F32, "D3D_RETURN_TYPE_UNORM", "unorm"},
    {2, IRI_F32, "D3D_RETURN_TYPE_SNORM", "snorm"},
    {3, IRI_I32, "D3D_RETURN_TYPE_SINT", "sint"},
    {4, IRI_U32, "D3D_RETURN_TYPE_UINT", "uint"},
    {5, IRI_F32, "D3D_RETURN_TYPE_FLOAT", "float"},
    {6, IRI_U32, "D3D_RETURN_TYPE_MIXED", "mixed"},
    {7, IRI_F64, "D3D_RETURN_TYPE_DOUBLE", "double"},
};

static const iri_d3d_row component_type[] = {
    {0, IRI_VOID, "D3D_REGISTER_COMPONENT_UNKNOWN", ""},
    {1, IRI_U32, "D3D_REGISTER_COMPONENT_UINT32", "uint"},
    {2, IRI_I32, "D3D_REGISTER_COMPONENT_SINT32", "int"},
    {3, IRI_F32, "D3D_REGISTER_COMPONENT_FLOAT32", "float"},
};

static const iri_d3d_row topology[] = {
    {1, 1, "D3D_PRIMITIVE_TOPOLOGY_POINTLIST", "pointlist"},
    {2, 2, "D3D_PRIMITIVE_TOPOLOGY_LINELIST", "linelist"},
    {3, 2, "D3D_PRIMITIVE_TOPOLOGY_LINESTRIP", "linestrip"},
    {4, 3, "D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST", "trianglelist"},
    {5, 3, "D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP", "trianglestrip"},
    {10, 4, "D3D_PRIMITIVE_TOPOLOGY_LINELIST_ADJ", "linelist_adj"},
    {11, 4, "D3D_PRIMITIVE_TOPOLOGY_LINESTRIP_ADJ", "linestrip_adj"},
    {12, 6, "D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST_ADJ", "trianglelist_adj"},
    {13, 6, "D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP_ADJ", "trianglestrip_adj"},
};

#define PATCH(n) \
    { \
        7 + (n), n, "D3D_PRIMITIVE_" #n "_CONTROL_POINT_PATCH", #n "-point patch" \
    }
static const iri_d3d_row primitive[] = {
    {1, 1, "D3D_PRIMITIVE_POINT", "point"},
    {2, 2, "D3D_PRIMITIVE_LINE", "line"},
    {3, 3, "D3D_PRIMITIVE_TRIANGLE", "triangle"},
    {6, 4, "D3D_PRIMITIVE_LINE_ADJ", "lineadj"},
    {7, 6, "D3D_PRIMITIVE_TRIANGLE_ADJ", "triangleadj"},
    PATCH(1),
    PATCH(2),
    PATCH(3),
    PATCH(4),
    PATCH(5),
    PATCH(6),
    PATCH(7),
    PATCH(8),
    PATCH(9),
    PATCH(10),
    PATCH(11),
    PATCH(12),
    PATCH(13),
    PATCH(14),
    PATCH(15),
    PATCH(16),
    PATCH(17),
    PATCH(18),
    PATCH(19),
    PATCH(20),
    PATCH(21),
    PATCH(22),
    PATCH(23),
    PATCH(24),
    PATCH(25),
    PATCH(26),
    PATCH(27),
    PATCH(28),
    PATCH(29),
    PATCH(30),
    PATCH(31),
    PATCH(32),
};

static const iri_d3d_row domain[] = {
    {1, 2, "D3D_TESSELLATOR_DOMAIN_ISOLINE", "isoline"},
    {2, 3, "D3D_TESSELLATOR_DOMAIN_TRI", "tri"},
    {3, 2, "D3D_TESSELLATOR_DOMAIN_QUAD", "quad"},
};

static const iri_d3d_row partitioning[] = {
    {1, 1, "D3D_TESSELLATOR_PARTITIONING_INTEGER", "integer"},
    {2, 2, "D3D_TESSELLATOR_PARTITIONING_POW2", "pow2"},
    {3, 3, "D3D_TESSELLATOR_PARTITIONING_FRACTIONAL_ODD", "fractional_odd"},
    {4, 4, "D3D_TESSELLATOR_PARTITIONING_FRACTIONAL_EVEN", "fractional_even"},
};

static const iri_d3d_row output_primitive[] = {
    {1, 1, "D3D_TESSELLATOR_OUTPUT_POINT", "point"},
    {2, 2, "D3D_TESSELLATOR_OUTPUT_LINE", "line"},
    {3, 3, "D3D_TESSELLATOR_OUTPUT_TRIANGLE_CW", "triangle_cw"},
    {4, 4, "D3D_TESSELLATOR_OUTPUT_TRIANGLE_CCW", "triangle_ccw"},
};

static const iri_d3d_row texture_address[] = {
    {1, IRI_ADDRESS_WRAP, "D3DTADDRESS_WRAP", "wrap"},
    {2, IRI_ADDRESS_MIRROR, "D3DTADDRESS_MIRROR", "mirror"},
    {3, IRI_ADDRESS_CLAMP, "D3DTADDRESS_CLAMP", "clamp"},
    {4, IRI_ADDRESS_BORDER, "D3DTADDRESS_BORDER", "border"},
    {5, IRI_ADDRESS_MIRROR_ONCE, "D3DTADDRESS_MIRRORONCE", "mirroronce"},
};

static const iri_d3d_row texture_filter[] = {
    {0, IRI_MIP_NONE, "D3DTEXF_NONE", "none"},
    {1, IRI_MIP_POINT, "D3DTEXF_POINT", "point"},
    {2, IRI_MIP_LINEAR, "D3DTEXF_LINEAR", "linear"},
    {3, IRI_MIP_LINEAR | IRI_D3D_ANISOTROPIC, "D3DTEXF_ANISOTROPIC", "anisotropic"},
    {6, IRI_MIP_LINEAR | IRI_D3D_QUAD, "D3DTEXF_PYRAMIDALQUAD", "pyramidalquad"},
    {7, IRI_MIP_LINEAR | IRI_D3D_QUAD, "D3DTEXF_GAUSSIANQUAD", "gaussianquad"},
};

static const struct {
    const char *name;
    const iri_d3d_row *rows;
    uint32_t count;
} tables[IRI_D3D_ENUM_COUNT] = {
#define TABLE(id, text, rows) [IRI_D3D_##id] = {text, rows, sizeof rows / sizeof *rows}
    TABLE(USAGE, "D3DDECLUSAGE", usage),
    TABLE(SAMPLER_TYPE, "D3DSAMPLER_TEXTURE_TYPE", sampler_type),
    TABLE(PARAMETER_CLASS, "D3DXPARAMETER_CLASS of a constant", parameter_class),
    TABLE(PARAMETER_TYPE, "D3DXPARAMETER_TYPE of a constant", parameter_type),
    TABLE(SAMPLER_PARAMETER, "D3DXPARAMETER_TYPE of a sampler", sampler_parameter),
    TABLE(NAME, "D3D_NAME", name),
    TABLE(INTERPOLATION, "D3D_INTERPOLATION_MODE", interpolation),
    TABLE(RESOURCE_DIMENSION, "D3D10_SB_RESOURCE_DIMENSION", resource_dimension),
    TABLE(RETURN_TYPE, "D3D_RESOURCE_RETURN_TYPE", return_type),
    TABLE(COMPONENT_TYPE, "D3D_REGISTER_COMPONENT_TYPE", component_type),
    TABLE(TOPOLOGY, "D3D_PRIMITIVE_TOPOLOGY", topology),
    TABLE(PRIMITIVE, "D3D_PRIMITIVE", primitive),
    TABLE(DOMAIN, "D3D_TESSELLATOR_DOMAIN", domain),
    TABLE(PARTITIONING, "D3D_TESSELLATOR_PARTITIONING", partitioning),
    TABLE(OUTPUT_PRIMITIVE, "D3D_TESSELLATOR_OUTPUT_PRIMITIVE", output_primitive),
    TABLE(TEXTURE_ADDRESS, "D3DTEXTUREADDRESS", texture_address),
    TABLE(TEXTURE_FILTER, "D3DTEXTUREFILTERTYPE", texture_filter),
#undef TABLE
};

const iri_d3d_row *iri_d3d_rows(iri_d3d_enum which, uint32_t *count)
{
    *count = which < IRI_D3D_ENUM_COUNT ? tables[which].count : 0;
    return which < IRI_D3D_ENUM_COUNT ? tables[which].rows : NULL;
}

const char *iri_d3d_enum_name(iri_d3d_enum which)
{
    return which < IRI_D3D_ENUM_COUNT ? tables[which].name : NULL;
}

const iri_d3d_row *iri_d3d_find(iri_d3d_enum which, uint32_t number)
{
    uint32_t count;
    const iri_d3d_row *rows = iri_d3d_rows(which, &count);
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].number == number)
            return &rows[i];
    return NULL;
}

const iri_d3d_row *iri_d3d_get(iri_ctx *ctx, uint32_t offset, iri_d3d_enum which, uint32_t number)
{
    const iri_d3d_row *row = iri_d3d_find(which, number);
    if (!row)
        iri_fail(ctx, IRI_MALFORMED_TOKEN, offset, "%u is no %s", number, iri_d3d_enum_name(which));
    return row;
}
