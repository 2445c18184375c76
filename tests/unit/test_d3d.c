/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ir/d3d: each enumerator of Direct3D by its number, and the numbers next to them, which are errors.
 */
#include "ir/d3d.h"
#include "tests/unit/test.h"

#include <string.h>

/* The numbers of Microsoft's headers, once more and by hand. */
static const struct {
    iri_d3d_enum which;
    uint32_t number;
    const char *name;
    uint32_t value;
    const char *text;
} expected[] = {
    {IRI_D3D_USAGE, 0, "D3DDECLUSAGE_POSITION", 0, "POSITION"},
    {IRI_D3D_USAGE, 3, "D3DDECLUSAGE_NORMAL", 0, "NORMAL"},
    {IRI_D3D_USAGE, 4, "D3DDECLUSAGE_PSIZE", 0, "PSIZE"},
    {IRI_D3D_USAGE, 5, "D3DDECLUSAGE_TEXCOORD", 0, "TEXCOORD"},
    {IRI_D3D_USAGE, 9, "D3DDECLUSAGE_POSITIONT", 0, "POSITIONT"},
    {IRI_D3D_USAGE, 10, "D3DDECLUSAGE_COLOR", 0, "COLOR"},
    {IRI_D3D_USAGE, 11, "D3DDECLUSAGE_FOG", 0, "FOG"},
    {IRI_D3D_USAGE, 13, "D3DDECLUSAGE_SAMPLE", 0, "SAMPLE"},
    {IRI_D3D_SAMPLER_TYPE, 2, "D3DSTT_2D", IRI_DIMENSION_2D, "2d"},
    {IRI_D3D_SAMPLER_TYPE, 3, "D3DSTT_CUBE", IRI_DIMENSION_CUBE, "cube"},
    {IRI_D3D_SAMPLER_TYPE, 4, "D3DSTT_VOLUME", IRI_DIMENSION_3D, "volume"},
    {IRI_D3D_PARAMETER_CLASS, 0, "D3DXPC_SCALAR", IRI_MEMBER_SCALAR, "scalar"},
    {IRI_D3D_PARAMETER_CLASS, 3, "D3DXPC_MATRIX_COLUMNS", IRI_MEMBER_MATRIX_COLUMNS,
     "column_major matrix"},
    {IRI_D3D_PARAMETER_CLASS, 5, "D3DXPC_STRUCT", IRI_MEMBER_STRUCT, "struct"},
    {IRI_D3D_PARAMETER_TYPE, 1, "D3DXPT_BOOL", IRI_BOOL, "bool"},
    {IRI_D3D_PARAMETER_TYPE, 2, "D3DXPT_INT", IRI_I32, "int"},
    {IRI_D3D_PARAMETER_TYPE, 3, "D3DXPT_FLOAT", IRI_F32, "float"},
    {IRI_D3D_SAMPLER_PARAMETER, 11, "D3DXPT_SAMPLER1D", IRI_DIMENSION_2D, "sampler1D"},
    {IRI_D3D_SAMPLER_PARAMETER, 14, "D3DXPT_SAMPLERCUBE", IRI_DIMENSION_CUBE, "samplerCUBE"},
    {IRI_D3D_NAME, 1, "D3D_NAME_POSITION", IRI_SV_POSITION, "SV_Position"},
    {IRI_D3D_NAME, 6, "D3D_NAME_VERTEX_ID", IRI_SV_VERTEX_ID, "SV_VertexID"},
    {IRI_D3D_NAME, 9, "D3D_NAME_IS_FRONT_FACE", IRI_SV_IS_FRONT_FACE, "SV_IsFrontFace"},
    {IRI_D3D_NAME, 64, "D3D_NAME_TARGET", IRI_SV_TARGET, "SV_Target"},
    {IRI_D3D_NAME, 65, "D3D_NAME_DEPTH", IRI_SV_DEPTH, "SV_Depth"},
    {IRI_D3D_INTERPOLATION, 1, "D3D_INTERPOLATION_CONSTANT", IRI_INTERPOLATION_FLAT, "constant"},
    {IRI_D3D_INTERPOLATION, 3, "D3D_INTERPOLATION_LINEAR_CENTROID",
     IRI_INTERPOLATION_LINEAR_CENTROID, "linear centroid"},
    {IRI_D3D_RESOURCE_DIMENSION, 3, "D3D10_SB_RESOURCE_DIMENSION_TEXTURE2D", IRI_DIMENSION_2D,
     "texture2d"},
    {IRI_D3D_RESOURCE_DIMENSION, 10, "D3D10_SB_RESOURCE_DIMENSION_TEXTURECUBEARRAY",
     IRI_DIMENSION_CUBE | IRI_D3D_ARRAYED, "texturecubearray"},
    {IRI_D3D_RETURN_TYPE, 5, "D3D_RETURN_TYPE_FLOAT", IRI_F32, "float"},
    {IRI_D3D_COMPONENT_TYPE, 2, "D3D_REGISTER_COMPONENT_SINT32", IRI_I32, "int"},
    {IRI_D3D_TOPOLOGY, 13, "D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP_ADJ", 6, "trianglestrip_adj"},
    {IRI_D3D_PRIMITIVE, 8, "D3D_PRIMITIVE_1_CONTROL_POINT_PATCH", 1, "1-point patch"},
    {IRI_D3D_PRIMITIVE, 39, "D3D_PRIMITIVE_32_CONTROL_POINT_PATCH", 32, "32-point patch"},
    {IRI_D3D_DOMAIN, 2, "D3D_TESSELLATOR_DOMAIN_TRI", 3, "tri"},
    {IRI_D3D_PARTITIONING, 4, "D3D_TESSELLATOR_PARTITIONING_FRACTIONAL_EVEN", 4, "fractional_even"},
    {IRI_D3D_TEXTURE_ADDRESS, 1, "D3DTADDRESS_WRAP", IRI_ADDRESS_WRAP, "wrap"},
    {IRI_D3D_TEXTURE_ADDRESS, 5, "D3DTADDRESS_MIRRORONCE", IRI_ADDRESS_MIRROR_ONCE, "mirroronce"},
    {IRI_D3D_TEXTURE_FILTER, 0, "D3DTEXF_NONE", IRI_MIP_NONE, "none"},
    {IRI_D3D_TEXTURE_FILTER, 7, "D3DTEXF_GAUSSIANQUAD", IRI_MIP_LINEAR | IRI_D3D_QUAD,
     "gaussianquad"},
    {IRI_D3D_OUTPUT_PRIMITIVE, 4, "D3D_TESSELLATOR_OUTPUT_TRIANGLE_CCW", 4, "triangle_ccw"},
};

typedef struct get {
    iri_d3d_enum which;
    uint32_t number;
    const iri_d3d_row *row;
} get;

static void run_get(iri_ctx *ctx, void *argument)
{
    get *g = argument;
    g->row = iri_d3d_get(ctx, 0x1a4, g->which, g->number);
}

TEST(d3d_enums)
{
    /* One past the last enumerator that this library maps. */
    static const uint32_t past[IRI_D3D_ENUM_COUNT] = {
        [IRI_D3D_USAGE] = 14,
        [IRI_D3D_SAMPLER_TYPE] = 5,
        [IRI_D3D_PARAMETER_CLASS] = 6,
        [IRI_D3D_PARAMETER_TYPE] = 4,
        [IRI_D3D_SAMPLER_PARAMETER] = 15,
        [IRI_D3D_NAME] = 67,
        [IRI_D3D_INTERPOLATION] = 8,
        [IRI_D3D_RESOURCE_DIMENSION] = 13,
        [IRI_D3D_RETURN_TYPE] = 8,
        [IRI_D3D_COMPONENT_TYPE] = 4,
        [IRI_D3D_TOPOLOGY] = 14,
        [IRI_D3D_PRIMITIVE] = 40,
        [IRI_D3D_DOMAIN] = 4,
        [IRI_D3D_PARTITIONING] = 5,
        [IRI_D3D_OUTPUT_PRIMITIVE] = 5,
        [IRI_D3D_TEXTURE_ADDRESS] = 6,
        [IRI_D3D_TEXTURE_FILTER] = 8,
    };
    for (uint32_t which = 0; which < IRI_D3D_ENUM_COUNT; which++) {
        uint32_t count, last = 0;
        const iri_d3d_row *rows = iri_d3d_rows((iri_d3d_enum)which, &count);
        REQUIRE(count > 0);
        for (uint32_t i = 0; i < count; i++) {
            iri_ctx ctx;
            iri_refusal why;
            get g = {.which = (iri_d3d_enum)which, .number = rows[i].number};
            iri_ctx_init(&ctx, NULL, NULL, &why);
            CHECK(iri_protect(&ctx, run_get, &g) == IRI_OK && g.row == &rows[i]);
            CHECK(i == 0 || rows[i].number > last);
            CHECK(rows[i].name && rows[i].text);
            last = rows[i].number;
        }
        iri_ctx ctx;
        iri_refusal why;
        get g = {.which = (iri_d3d_enum)which, .number = past[which]};
        iri_ctx_init(&ctx, NULL, NULL, &why);
        CHECK_EQ_U32(last + 1, past[which]);
        CHECK(iri_protect(&ctx, run_get, &g) == IRI_MALFORMED_TOKEN);
        CHECK_EQ_U32(why.offset, 0x1a4);
        CHECK(strstr(why.reason, iri_d3d_enum_name((iri_d3d_enum)which)) != NULL);
    }
    CHECK(iri_d3d_find(IRI_D3D_ENUM_COUNT, 0) == NULL);
    CHECK(iri_d3d_enum_name(IRI_D3D_ENUM_COUNT) == NULL);
}

TEST(d3d_numbers)
{
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const iri_d3d_row *row = iri_d3d_find(expected[i].which, expected[i].number);
        REQUIRE(row != NULL);
        CHECK_STR(row->name, expected[i].name);
        CHECK_STR(row->text, expected[i].text);
        CHECK_EQ_U32(row->value, expected[i].value);
    }
}
