/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures: their types and lookups (WGSL sections 6.6, 17.7). A texture that holds depth gives one
 * lane; Direct3D gives (depth, 0, 0, 1).
 */
#include "write/wgsl/wgsl.h"

uint32_t iri_wgsl_coordinates(const iri_resource *texture)
{
    switch ((iri_dimension)texture->dimension) {
    case IRI_DIMENSION_1D: return 1;
    case IRI_DIMENSION_3D:
    case IRI_DIMENSION_CUBE: return 3;
    case IRI_DIMENSION_2D:
    case IRI_DIMENSION_NONE:
    case IRI_DIMENSION_COUNT: break;
    }
    return 2;
}

iri_str iri_wgsl_texture_type(iri_wgsl *w, const iri_resource *r)
{
    static const iri_str dimensions[IRI_DIMENSION_COUNT] = {
        {"2d", 2}, {"1d", 2}, {"2d", 2}, {"3d", 2}, {"cube", 4}};
    char label[32];
    bool flat = r->dimension == IRI_DIMENSION_2D || r->dimension == IRI_DIMENSION_CUBE;
    if ((r->arrayed || r->comparison) && !flat)
        iri_fail(w->ctx, IRI_CAPABILITY, r->offset,
                 "%s: WGSL has no %s %stexture of this dimension", iri_resource_label(r, label),
                 r->comparison ? "depth" : "array", r->comparison && r->arrayed ? "array " : "");
    if (r->multisampled && r->arrayed)
        iri_fail(w->ctx, IRI_CAPABILITY, r->offset,
                 "%s: WGSL has no arrays of multisampled textures", iri_resource_label(r, label));
    iri_str array = r->arrayed ? IRI_STR("_array") : IRI_STR_NONE;
    iri_str samples = r->multisampled ? IRI_STR("multisampled_") : IRI_STR_NONE;
    if (r->comparison)
        return IRI_WGSL_JOIN(w, IRI_STR("texture_depth_"), samples, dimensions[r->dimension],
                             array);
    iri_str scalar = iri_wgsl_type(w, IRI_TYPE(r->scalar ? r->scalar : IRI_F32, 1));
    return IRI_WGSL_JOIN(w, IRI_STR("texture_"), samples, dimensions[r->dimension], array,
                         IRI_STR("<"), scalar, IRI_STR(">"));
}

/* What WGSL has no function for. */
static void check(iri_wgsl *w, const iri_inst *in, const iri_resource *texture)
{
    char label[32];
    const char *why = NULL;
    bool compares = in->op == IRI_OP_SAMPLE_CMP || in->op == IRI_OP_SAMPLE_CMP_LEVEL;
    if (iri_immediates(w->p, in)[2] && texture->dimension == IRI_DIMENSION_CUBE)
        why = "a cube lookup with a texel offset";
    else if (texture->dimension == IRI_DIMENSION_1D && in->op != IRI_OP_SAMPLE)
        why = "a 1D lookup with a level, bias or gradients";
    else if (texture->comparison && (in->op == IRI_OP_SAMPLE_BIAS || in->op == IRI_OP_SAMPLE_GRAD))
        why = "a depth lookup with bias or gradients";
    else if (compares && !texture->comparison)
        why = "a comparison with a texture that does not hold depth";
    if (why)
        iri_fail(w->ctx, IRI_CAPABILITY, in->offset, "%s: WGSL has no %s",
                 iri_resource_label(texture, label), why);
}

static iri_wgsl_expr offset_of(iri_wgsl *w, const iri_resource *texture, uint32_t packed)
{
    uint64_t lanes[4];
    for (uint32_t i = 0; i < 3; i++)
        lanes[i] = (uint32_t)(int32_t)(int8_t)(uint8_t)(packed >> 8 * i);
    return iri_wgsl_constant(w, IRI_TYPE(IRI_I32, iri_wgsl_coordinates(texture)), lanes);
}

/* Direct3D rounds an array's layer to the nearest; so does `round`, a half to even as well. */
static iri_wgsl_expr layer_of(iri_wgsl *w, iri_id coordinates, uint32_t lane)
{
    iri_wgsl_expr e = iri_wgsl_slice(w, coordinates, lane, 1);
    e.text = IRI_WGSL_JOIN(w, IRI_STR("i32(round("), e.text, IRI_STR("))"));
    e.level = IRI_LEVEL_POSTFIX;
    return e;
}

iri_wgsl_expr iri_wgsl_sample(iri_wgsl *w, const iri_inst *in, iri_str function)
{
    const iri_id *operands = iri_operands(w->p, in);
    const uint32_t *immediates = iri_immediates(w->p, in);
    const iri_resource *texture = &w->p->interface.resources[immediates[0]];
    uint32_t lanes = iri_wgsl_coordinates(texture), count = 0;
    iri_wgsl_expr e[8];
    check(w, in, texture);
    e[count++] = (iri_wgsl_expr){.text = w->resources[immediates[0]].name};
    e[count++] = (iri_wgsl_expr){.text = w->resources[immediates[1]].name};
    e[count++] = iri_wgsl_slice(w, operands[0], 0, lanes);
    if (texture->arrayed)
        e[count++] = layer_of(w, operands[0], lanes);
    uint32_t extra = in->op == IRI_OP_SAMPLE ? 0 : in->op == IRI_OP_SAMPLE_GRAD ? 2 : 1;
    for (uint32_t i = 1; i <= extra; i++)
        e[count++] = in->op == IRI_OP_SAMPLE_GRAD ? iri_wgsl_slice(w, operands[i], 0, lanes)
                                                  : iri_wgsl_operand(w, operands[i]);
    bool depth =
        texture->comparison && in->op != IRI_OP_SAMPLE_CMP && in->op != IRI_OP_SAMPLE_CMP_LEVEL;
    if (depth && in->op == IRI_OP_SAMPLE_LOD)
        e[count - 1] = iri_wgsl_call(w, IRI_STR("i32"), &e[count - 1], 1);
    if (immediates[2])
        e[count++] = offset_of(w, texture, immediates[2]);
    iri_wgsl_expr call = iri_wgsl_call(w, function, e, count);
    if (depth)
        call.text = IRI_WGSL_JOIN(w, IRI_STR("vec4f("), call.text, IRI_STR(", 0.0, 0.0, 1.0)"));
    return call;
}

/* A run-time offset is one of WGSL's only where it is a constant. */
static iri_wgsl_expr gather_offset(iri_wgsl *w, const iri_inst *in)
{
    iri_id value = iri_operands(w->p, in)[1];
    uint64_t lanes[4] = {0};
    bool fits = iri_is_constant(w->p, value);
    for (uint32_t i = 0; i < 2 && fits; i++) {
        int32_t offset = (int32_t)(((uint32_t)iri_constant(w->p, value)[i] & 63u) ^ 32u) - 32;
        fits = offset >= -8 && offset <= 7;
        lanes[i] = (uint32_t)offset;
    }
    if (!fits)
        iri_fail(w->ctx, IRI_CAPABILITY, in->offset,
                 "%s: WGSL has no gather with an offset known at run time or not in -8..7",
                 iri_op_infos[in->op].name);
    return iri_wgsl_constant(w, IRI_TYPE(IRI_I32, 2), lanes);
}

iri_wgsl_expr iri_wgsl_gather(iri_wgsl *w, const iri_inst *in, iri_str function)
{
    const iri_id *operands = iri_operands(w->p, in);
    const uint32_t *imm = iri_immediates(w->p, in);
    const iri_resource *texture = &w->p->interface.resources[imm[0]];
    bool run_time = in->op == IRI_OP_GATHER_PO || in->op == IRI_OP_GATHER_CMP_PO;
    bool compares = in->op == IRI_OP_GATHER_CMP || in->op == IRI_OP_GATHER_CMP_PO;
    uint32_t lanes = iri_wgsl_coordinates(texture), count = 0;
    uint32_t packed = in->op == IRI_OP_GATHER ? imm[3] : in->op == IRI_OP_GATHER_CMP ? imm[2] : 0;
    char label[32];
    iri_wgsl_expr e[8];
    if (!compares && texture->comparison && imm[2])
        iri_fail(w->ctx, IRI_CAPABILITY, in->offset,
                 "%s holds depth: WGSL gathers its one lane only",
                 iri_resource_label(texture, label));
    if (!compares && !texture->comparison)
        e[count++] = (iri_wgsl_expr){.text = iri_wgsl_number(w, imm[2])};
    e[count++] = (iri_wgsl_expr){.text = w->resources[imm[0]].name};
    e[count++] = (iri_wgsl_expr){.text = w->resources[imm[1]].name};
    e[count++] = iri_wgsl_slice(w, operands[0], 0, lanes);
    if (texture->arrayed)
        e[count++] = layer_of(w, operands[0], lanes);
    if (compares)
        e[count++] = iri_wgsl_operand(w, operands[run_time ? 2 : 1]);
    if (run_time)
        e[count++] = gather_offset(w, in);
    else if (packed)
        e[count++] = offset_of(w, texture, packed);
    return iri_wgsl_call(w, function, e, count);
}
