/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texture instructions: texld and its kin of ps_2_0 and later (and vs_3_0's texldl), and the texture
 * addressing instructions of ps_1_x. Facts: each instruction's page in Microsoft's reference; where
 * ps_1_x leaves something to texture stage state, it is a `state` value or was said when lifting.
 */
#include "read/d3d9/lower_internal.h"

static uint32_t dimension_lanes(const iri_l9 *l, uint32_t stage)
{
    return l->dimension[stage] == IRI_DIMENSION_2D ? 2 : 3;
}

/* ---- what is read ---- */

bool iri_l9_is_texture(uint32_t op)
{
    return op == IRI_D3D9_OP_TEXLD || op == IRI_D3D9_OP_TEXLDL || op == IRI_D3D9_OP_TEXLDD ||
           op == IRI_D3D9_OP_TEXLD_1_4 || op == IRI_D3D9_OP_TEXCRD || op == IRI_D3D9_OP_BEM ||
           (op >= IRI_D3D9_OP_TEXCOORD && op <= IRI_D3D9_OP_TEXM3X3VSPEC) ||
           (op >= IRI_D3D9_OP_TEXREG2RGB && op <= IRI_D3D9_OP_TEXDEPTH);
}

static uint8_t coordinate_lanes(const iri_l9 *l, uint32_t stage)
{
    return l->dimension[stage] == IRI_DIMENSION_2D ? 3 : 7;
}

static uint8_t divisor_lane(const iri_d3d9_operand *o)
{
    return o->modifier == IRI_D3D9_SRC_DZ ? 4 : o->modifier == IRI_D3D9_SRC_DW ? 8 : 0;
}

uint8_t iri_l9_texture_reads(const iri_l9 *l, const iri_d3d9_instruction *in, uint32_t i)
{
    const iri_d3d9_operand *dst = iri_l9_operand(l, in, 0);
    if (in->op == IRI_D3D9_OP_TEXKILL)
        return 0;
    if (in->op == IRI_D3D9_OP_TEXCRD)
        return dst->mask | divisor_lane(iri_l9_source(l, in, 0));
    if (in->op == IRI_D3D9_OP_TEXLD_1_4)
        return coordinate_lanes(l, dst->number) | divisor_lane(iri_l9_source(l, in, 0)) |
               (l->shadow[dst->number] ? 4 : 0);
    if (in->op == IRI_D3D9_OP_BEM)
        return 3;
    if (in->op != IRI_D3D9_OP_TEXLD && in->op != IRI_D3D9_OP_TEXLDL && in->op != IRI_D3D9_OP_TEXLDD)
        return 15;
    uint32_t stage = iri_l9_source(l, in, 1)->number;
    uint8_t lanes = coordinate_lanes(l, stage) | (l->shadow[stage] ? 4 : 0);
    if (i == 1)
        return 0;
    if (i > 1)
        return coordinate_lanes(l, stage);
    return in->op == IRI_D3D9_OP_TEXLDL || (in->op == IRI_D3D9_OP_TEXLD && in->control) ? lanes | 8
                                                                                        : lanes;
}

/* 0, or the number of coordinates a stage's lookups are projected with. */
static uint32_t projected(iri_l9 *l, uint32_t stage, uint32_t offset)
{
    uint32_t bits[4];
    if (!iri_l9_state(l, IRI_STATE_TEXTURE_PROJECTED, stage, bits))
        iri_fail(
            l->ctx, IRI_UNSPECIFIED_STATE, offset,
            "whether stage %u projects its coordinates is not in the bytecode: give texture_projected[%u]",
            stage, stage);
    if (bits[0] != 0 && bits[0] != 3 && bits[0] != 4)
        iri_fail(l->ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET,
                 "texture_projected[%u] is %u: 0, 3 or 4 are meant", stage, bits[0]);
    return bits[0];
}

static uint8_t projected_lanes(iri_l9 *l, uint32_t stage, uint32_t offset)
{
    uint32_t count = projected(l, stage, offset);
    return coordinate_lanes(l, stage) | (uint8_t)(count ? 1u << (count - 1) : 0) |
           (l->shadow[stage] ? 4 : 0);
}

void iri_l9_implicit_coordinates(iri_l9 *l, const iri_d3d9_instruction *in, uint8_t used[8])
{
    uint32_t stage = in->count ? iri_l9_operand(l, in, 0)->number & 7u : 0;
    switch ((iri_d3d9_op)in->op) {
    case IRI_D3D9_OP_TEX:
    case IRI_D3D9_OP_TEXBEM:
    case IRI_D3D9_OP_TEXBEML: used[stage] |= projected_lanes(l, stage, in->offset); break;
    case IRI_D3D9_OP_TEXM3X3VSPEC:
        for (uint32_t i = 0; i < 3 && i <= stage; i++)
            used[stage - i] |= 15;
        break;
    case IRI_D3D9_OP_TEXCOORD:
    case IRI_D3D9_OP_TEXM3X2PAD:
    case IRI_D3D9_OP_TEXM3X2TEX:
    case IRI_D3D9_OP_TEXM3X2DEPTH:
    case IRI_D3D9_OP_TEXM3X3PAD:
    case IRI_D3D9_OP_TEXM3X3TEX:
    case IRI_D3D9_OP_TEXM3X3SPEC:
    case IRI_D3D9_OP_TEXM3X3:
    case IRI_D3D9_OP_TEXDP3:
    case IRI_D3D9_OP_TEXDP3TEX: used[stage] |= 7; break;
    default: break; /* the others name what they read */
    }
}

/* ---- looking up ---- */

/* What a lookup is given beside its coordinates: the value a shadow sampler compares with, a bias, a
 * level, or two gradients. */
typedef struct lookup {
    iri_op op;
    iri_id coordinates, reference, extra[2];
    uint32_t extra_count;
} lookup;

/* A depth texture compares with the third coordinate, which its formats clamp as they do their texels: all
 * that Direct3D 9 hardware compares through are fixed point. Such a texture has one level (Microsoft's page
 * of D3D11_FEATURE_DATA_D3D9_SHADOW_SUPPORT), so a bias, a level or gradients choose nothing; that they are
 * left out is noted. */
static iri_id compare_lookup(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t stage,
                             const lookup *k)
{
    bool implicit = k->op == IRI_OP_SAMPLE || k->op == IRI_OP_SAMPLE_BIAS;
    uint32_t immediates[3] = {l->textures[stage] - 1, l->samplers[stage] - 1, 0};
    uint64_t level[4] = {1};
    if (l->dimension[stage] != IRI_DIMENSION_2D || !k->reference)
        iri_fail(l->ctx, IRI_UNSUPPORTED_OPCODE, in->offset,
                 "%s through the shadow sampler s%u: %s", iri_d3d9_ops[in->op].name, stage,
                 k->reference ? "only 2D textures compare"
                              : "it has no third coordinate to compare with");
    bool base = k->op == IRI_OP_SAMPLE_LOD && iri_get_const(l->b, k->extra[0], level) &&
                level[0] << 33 == 0;
    if (k->op != IRI_OP_SAMPLE && !base && !(l->noted & IRI_L9_NOTE_SHADOW_LEVEL)) {
        l->noted |= IRI_L9_NOTE_SHADOW_LEVEL;
        iri_add_note(
            l->b, "shadow-level", in->offset,
            "a bias, level or gradients of a comparing lookup are left out: shadow maps have one level");
    }
    iri_id operands[2] = {k->coordinates, iri_emit1(l->b, IRI_OP_SATURATE_ZERO, k->reference)};
    iri_id x = iri_emit(l->b, implicit ? IRI_OP_SAMPLE_CMP : IRI_OP_SAMPLE_CMP_LEVEL, IRI_TYPE_F32,
                        operands, 2, immediates, 3);
    return iri_emit_splat(l->b, x, 4);
}

static iri_id look_up(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t stage, const lookup *k)
{
    if (!l->textures[stage])
        iri_fail(l->ctx, IRI_MALFORMED_DECLARATION, in->offset, "s%u is used and not declared",
                 stage);
    if (l->shadow[stage])
        return compare_lookup(l, in, stage, k);
    uint32_t immediates[3] = {l->textures[stage] - 1, l->samplers[stage] - 1, 0};
    iri_id operands[3] = {k->coordinates, k->extra[0], k->extra[1]};
    return iri_emit(l->b, k->op, IRI_TYPE_VEC4F, operands, 1 + k->extra_count, immediates, 3);
}

static iri_id first_lanes(iri_l9 *l, iri_id x, uint32_t count)
{
    return iri_emit_swizzle(l->b, x, iri_lanes_first(count));
}

static iri_id divide(iri_l9 *l, iri_id x, iri_id by)
{
    return iri_emit2(l->b, IRI_OP_DIV, x,
                     iri_emit_splat(l->b, by, IRI_TYPE_LANES(iri_builder_type(l->b, x))));
}

/* Lanes of the mask out of a value of four. */
static iri_id masked(iri_l9 *l, const iri_d3d9_instruction *in, iri_id value)
{
    return iri_emit_swizzle(l->b, value, iri_lanes_from_bits(iri_l9_operand(l, in, 0)->mask));
}

/* ---- ps_2_0 and later, vs_3_0 ---- */

static iri_id emit_texld(iri_l9 *l, const iri_d3d9_instruction *in)
{
    const iri_d3d9_operand *o = iri_l9_source(l, in, 0), *sampler = iri_l9_source(l, in, 1);
    uint32_t stage = sampler->number, count = dimension_lanes(l, stage);
    lookup k = {.op = IRI_OP_SAMPLE};
    bool shadow = l->shadow[stage];
    bool project = in->op == IRI_D3D9_OP_TEXLD && in->control == IRI_D3D9_TEXLD_PROJECT;
    iri_id x = iri_l9_read(l, o, iri_lanes_first(shadow ? 3 : count));
    if (project)
        x = divide(l, x, iri_l9_read(l, o, IRI_LANES1(3)));
    k.coordinates = first_lanes(l, x, count);
    if (shadow)
        k.reference = iri_emit_swizzle(l->b, x, IRI_LANES1(2));
    if (in->op == IRI_D3D9_OP_TEXLDL ||
        (in->op == IRI_D3D9_OP_TEXLD && in->control == IRI_D3D9_TEXLD_BIAS)) {
        k.op = in->op == IRI_D3D9_OP_TEXLDL ? IRI_OP_SAMPLE_LOD : IRI_OP_SAMPLE_BIAS;
        k.extra[k.extra_count++] = iri_l9_read(l, o, IRI_LANES1(3));
    } else if (in->op == IRI_D3D9_OP_TEXLDD) {
        k.op = IRI_OP_SAMPLE_GRAD;
        k.extra[k.extra_count++] = iri_l9_read(l, iri_l9_source(l, in, 2), iri_lanes_first(count));
        k.extra[k.extra_count++] = iri_l9_read(l, iri_l9_source(l, in, 3), iri_lanes_first(count));
    }
    iri_id texel = look_up(l, in, stage, &k);
    /* The sampler operand's swizzle is the value's. */
    uint32_t mask = iri_l9_operand(l, in, 0)->mask, n = 0;
    iri_lanes lanes = (iri_lanes)(iri_l9_count_lanes(mask) - 1) << 8;
    for (uint32_t i = 0; i < 4; i++)
        if (mask >> i & 1)
            lanes |= (iri_lanes)sampler->swizzle[i] << (2 * n++);
    return iri_emit_swizzle(l->b, texel, lanes);
}

/* ---- ps_1_4 ---- */

/* Positions of a texld's or texcrd's source, divided where its modifier says so. */
static iri_id read_projected(iri_l9 *l, const iri_d3d9_operand *o, iri_lanes at)
{
    uint8_t divisor = divisor_lane(o);
    if (!divisor)
        return iri_l9_read(l, o, at);
    iri_id by = iri_l9_read_plain(l, o, iri_lanes_from_bits(divisor));
    return divide(l, iri_l9_read_plain(l, o, at), by);
}

static iri_id emit_texld_1_4(iri_l9 *l, const iri_d3d9_instruction *in)
{
    const iri_d3d9_operand *o = iri_l9_source(l, in, 0);
    uint32_t stage = iri_l9_operand(l, in, 0)->number;
    bool shadow = l->shadow[stage];
    lookup k = {.op = IRI_OP_SAMPLE};
    k.coordinates = read_projected(l, o, iri_lanes_first(dimension_lanes(l, stage)));
    k.reference = shadow ? read_projected(l, o, IRI_LANES1(2)) : 0;
    return masked(l, in, look_up(l, in, stage, &k));
}

/* A displacement (du, dv) of coordinates by a stage's bump matrix. */
static iri_id displace(iri_l9 *l, uint32_t stage, iri_id uv, iri_id d)
{
    iri_builder *b = l->b;
    iri_id m = iri_l9_emit_state(l, IRI_STATE_BUMP_MATRIX, stage);
    iri_id by = iri_emit_swizzle(b, d, IRI_LANES2(0, 0));
    iri_id du = iri_l9_mul(l, iri_emit_swizzle(b, m, IRI_LANES2(0, 1)), by);
    by = iri_emit_swizzle(b, d, IRI_LANES2(1, 1));
    iri_id dv = iri_l9_mul(l, iri_emit_swizzle(b, m, IRI_LANES2(2, 3)), by);
    return iri_emit2(b, IRI_OP_ADD, iri_emit2(b, IRI_OP_ADD, uv, du), dv);
}

static iri_id emit_bem(iri_l9 *l, const iri_d3d9_instruction *in)
{
    const iri_d3d9_operand *dst = iri_l9_operand(l, in, 0);
    iri_id x = iri_l9_read(l, iri_l9_source(l, in, 0), IRI_LANES2(0, 1));
    iri_id d = iri_l9_read(l, iri_l9_source(l, in, 1), IRI_LANES2(0, 1));
    iri_id moved = displace(l, dst->number, x, d);
    return dst->mask == 3 ? moved
                          : iri_emit_swizzle(l->b, moved, iri_lanes_from_bits(dst->mask & 3u));
}

/* ---- depth ---- */

/* x / y, 1 where y is 0: what texdepth and texm3x2depth give the depth test. */
static void write_depth(iri_l9 *l, const iri_d3d9_instruction *in, iri_id x, iri_id y)
{
    iri_builder *b = l->b;
    iri_id one = iri_const_f32(b, 1), zero = iri_emit2(b, IRI_OP_EQ, y, iri_const_f32(b, 0));
    iri_id depth = iri_emit_select(b, zero, one, iri_emit2(b, IRI_OP_DIV, x, y));
    (void)in;
    iri_l9_store(l, IRI_L9_ODEPTH, IRI_LANES1(0), depth);
    l->sure.at[IRI_L9_ODEPTH] |= 1;
}

static iri_id emit_texdepth(iri_l9 *l, const iri_d3d9_instruction *in)
{
    uint32_t slot = IRI_L9_R + iri_l9_operand(l, in, 0)->number;
    iri_id below = iri_l9_load(l, slot, IRI_LANES1(1));
    write_depth(l, in, iri_l9_load(l, slot, IRI_LANES1(0)), below);
    return 0;
}

static iri_id emit_texkill(iri_l9 *l, const iri_d3d9_instruction *in)
{
    iri_builder *b = l->b;
    const iri_d3d9_operand *o = iri_l9_operand(l, in, 0);
    iri_lanes lanes = iri_lanes_from_bits(l->major == 1 ? 7u : o->mask ? o->mask : 15u);
    /* Below ps_1_4 the register names a coordinate set, whatever was loaded into it. */
    iri_id x = l->major == 1 && l->minor < 4 ? iri_l9_read_coordinates(l, o->number, lanes)
                                             : iri_l9_read(l, o, lanes);
    uint32_t count = IRI_LANES_COUNT(lanes);
    iri_id below = iri_emit2(b, IRI_OP_LT, x, iri_const_splat_f32(b, 0, count));
    if (in->predicate != IRI_D3D9_NONE)
        below = iri_emit2(b, IRI_OP_AND, below,
                          iri_l9_read_predicate(l, &l->shader->operands[in->predicate], lanes));
    iri_id any = count > 1 ? iri_emit1(b, IRI_OP_ANY, below) : below;
    iri_emit(b, IRI_OP_DEMOTE, IRI_TYPE_VOID, &any, 1, NULL, 0);
    return 0;
}

/* ---- ps_1_0 to ps_1_3 ---- */

static iri_id source_lanes(iri_l9 *l, const iri_d3d9_instruction *in, iri_lanes lanes)
{
    return iri_l9_read(l, iri_l9_source(l, in, 0), lanes);
}

/* A lookup at coordinates of which those the texture has are used; lanes that are not given are 0. */
static iri_id sample_stage(iri_l9 *l, const iri_d3d9_instruction *in, iri_id x)
{
    uint32_t stage = iri_l9_operand(l, in, 0)->number, count = dimension_lanes(l, stage);
    uint32_t have = IRI_TYPE_LANES(iri_builder_type(l->b, x));
    if (have < count) {
        iri_id parts[2] = {x, iri_const_zero(l->b, IRI_TYPE(IRI_F32, count - have))};
        x = iri_emit_compose(l->b, parts, 2);
    }
    lookup k = {.op = IRI_OP_SAMPLE, .coordinates = first_lanes(l, x, count)};
    if (l->shadow[stage])
        k.reference = have > 2 ? iri_emit_swizzle(l->b, x, IRI_LANES1(2)) : 0;
    return look_up(l, in, stage, &k);
}

/* A stage's own coordinates, projected when its state says so. */
static iri_id stage_coordinates(iri_l9 *l, uint32_t stage, uint32_t count, uint32_t offset)
{
    uint32_t divisor = projected(l, stage, offset);
    iri_id x = iri_l9_read_coordinates(l, stage, iri_lanes_first(count));
    return divisor ? divide(l, x, iri_l9_read_coordinates(l, stage, IRI_LANES1(divisor - 1))) : x;
}

static iri_id emit_tex(iri_l9 *l, const iri_d3d9_instruction *in)
{
    uint32_t stage = iri_l9_operand(l, in, 0)->number, count = dimension_lanes(l, stage);
    if (l->shadow[stage])
        count = 3;
    return sample_stage(l, in, stage_coordinates(l, stage, count, in->offset));
}

static iri_id emit_texcoord(iri_l9 *l, const iri_d3d9_instruction *in)
{
    /* u, v, w clamped to 0..1, and 1. */
    iri_id x = iri_l9_read_coordinates(l, iri_l9_operand(l, in, 0)->number, iri_lanes_first(3));
    iri_id parts[2] = {iri_emit1(l->b, IRI_OP_SATURATE_ZERO, x), iri_const_f32(l->b, 1)};
    return masked(l, in, iri_emit_compose(l->b, parts, 2));
}

static iri_id emit_texbem(iri_l9 *l, const iri_d3d9_instruction *in)
{
    iri_builder *b = l->b;
    uint32_t stage = iri_l9_operand(l, in, 0)->number;
    /* The projection is of the coordinates alone, before the displacement. */
    iri_id uv = stage_coordinates(l, stage, 2, in->offset);
    iri_id texel =
        sample_stage(l, in, displace(l, stage, uv, source_lanes(l, in, IRI_LANES2(0, 1))));
    if (in->op == IRI_D3D9_OP_TEXBEM)
        return texel;
    iri_id scale = iri_l9_emit_state(l, IRI_STATE_BUMP_LSCALE, stage);
    iri_id luminance = iri_l9_mul(l, source_lanes(l, in, IRI_LANES1(2)), scale);
    luminance =
        iri_emit2(b, IRI_OP_ADD, luminance, iri_l9_emit_state(l, IRI_STATE_BUMP_LOFFSET, stage));
    return iri_l9_mul(l, texel, iri_emit_splat(b, luminance, 4));
}

static iri_id emit_texreg2(iri_l9 *l, const iri_d3d9_instruction *in)
{
    iri_lanes lanes = in->op == IRI_D3D9_OP_TEXREG2AR   ? IRI_LANES2(3, 0)
                      : in->op == IRI_D3D9_OP_TEXREG2GB ? IRI_LANES2(1, 2)
                                                        : IRI_LANES3(0, 1, 2);
    return sample_stage(l, in, source_lanes(l, in, lanes));
}

/* One row of a matrix: the stage's coordinates times the colour of the source. */
static iri_id row_product(iri_l9 *l, const iri_d3d9_instruction *in)
{
    iri_lanes xyz = iri_lanes_first(3);
    iri_id colour = source_lanes(l, in, xyz);
    return iri_l9_dot(l, iri_l9_read_coordinates(l, iri_l9_operand(l, in, 0)->number, xyz), colour);
}

static iri_id emit_pad(iri_l9 *l, const iri_d3d9_instruction *in)
{
    if (l->row_count == 2)
        iri_fail(l->ctx, IRI_MALFORMED_FLOW, in->offset,
                 "a third row of padding in a texture matrix");
    l->row_stage[l->row_count] = iri_l9_operand(l, in, 0)->number;
    l->rows[l->row_count++] = row_product(l, in);
    return 0;
}

/* The product with the whole matrix, `count` rows with this instruction's. */
static iri_id matrix_product(iri_l9 *l, const iri_d3d9_instruction *in, uint32_t count)
{
    if (l->row_count + 1 != count)
        iri_fail(l->ctx, IRI_MALFORMED_FLOW, in->offset, "%s after %u rows of padding, not %u",
                 iri_d3d9_ops[in->op].name, l->row_count, count - 1);
    l->rows[l->row_count] = row_product(l, in);
    l->row_count = 0;
    return iri_emit_compose(l->b, l->rows, count);
}

static iri_id emit_texm3x2depth(iri_l9 *l, const iri_d3d9_instruction *in)
{
    (void)matrix_product(l, in, 2);
    write_depth(l, in, l->rows[0], l->rows[1]);
    return 0;
}

/* The eye vector's reflection by the normal: 2 (N.E / N.N) N - E. */
static iri_id reflect(iri_l9 *l, iri_id n, iri_id e)
{
    iri_builder *b = l->b;
    iri_id square = iri_l9_dot(l, n, n);
    iri_id ratio = iri_emit2(b, IRI_OP_DIV, iri_l9_dot(l, n, e), square);
    iri_id twice = iri_emit2(b, IRI_OP_MUL, ratio, iri_const_f32(b, 2));
    return iri_emit2(b, IRI_OP_SUB, iri_l9_mul(l, n, iri_emit_splat(b, twice, 3)), e);
}

static iri_id emit_texm3x3spec(iri_l9 *l, const iri_d3d9_instruction *in)
{
    uint32_t stages[3] = {l->row_stage[0], l->row_stage[1], iri_l9_operand(l, in, 0)->number};
    iri_id n = matrix_product(l, in, 3), e;
    if (in->op == IRI_D3D9_OP_TEXM3X3SPEC) {
        e = iri_l9_read(l, iri_l9_source(l, in, 1), iri_lanes_first(3));
    } else {
        iri_id parts[3];
        for (uint32_t i = 0; i < 3; i++)
            parts[i] = iri_l9_read_coordinates(l, stages[i], IRI_LANES1(3));
        e = iri_emit_compose(l->b, parts, 3);
    }
    return sample_stage(l, in, reflect(l, n, e));
}

static iri_id emit_texm3x3(iri_l9 *l, const iri_d3d9_instruction *in)
{
    iri_id parts[2] = {matrix_product(l, in, 3), iri_const_f32(l->b, 1)};
    return masked(l, in, iri_emit_compose(l->b, parts, 2));
}

iri_id iri_l9_texture(iri_l9 *l, const iri_d3d9_instruction *in)
{
    switch ((iri_d3d9_op)in->op) {
    case IRI_D3D9_OP_TEXLD:
    case IRI_D3D9_OP_TEXLDL:
    case IRI_D3D9_OP_TEXLDD: return emit_texld(l, in);
    case IRI_D3D9_OP_TEXLD_1_4: return emit_texld_1_4(l, in);
    case IRI_D3D9_OP_TEXCRD:
        return read_projected(l, iri_l9_source(l, in, 0),
                              iri_lanes_from_bits(iri_l9_operand(l, in, 0)->mask));
    case IRI_D3D9_OP_BEM: return emit_bem(l, in);
    case IRI_D3D9_OP_TEXDEPTH: return emit_texdepth(l, in);
    case IRI_D3D9_OP_TEXKILL: return emit_texkill(l, in);
    case IRI_D3D9_OP_TEX: return masked(l, in, emit_tex(l, in));
    case IRI_D3D9_OP_TEXCOORD: return emit_texcoord(l, in);
    case IRI_D3D9_OP_TEXBEM:
    case IRI_D3D9_OP_TEXBEML: return masked(l, in, emit_texbem(l, in));
    case IRI_D3D9_OP_TEXREG2AR:
    case IRI_D3D9_OP_TEXREG2GB:
    case IRI_D3D9_OP_TEXREG2RGB: return masked(l, in, emit_texreg2(l, in));
    case IRI_D3D9_OP_TEXM3X2PAD:
    case IRI_D3D9_OP_TEXM3X3PAD: return emit_pad(l, in);
    case IRI_D3D9_OP_TEXM3X2TEX:
        return masked(l, in, sample_stage(l, in, matrix_product(l, in, 2)));
    case IRI_D3D9_OP_TEXM3X3TEX:
        return masked(l, in, sample_stage(l, in, matrix_product(l, in, 3)));
    case IRI_D3D9_OP_TEXM3X3SPEC:
    case IRI_D3D9_OP_TEXM3X3VSPEC: return masked(l, in, emit_texm3x3spec(l, in));
    case IRI_D3D9_OP_TEXM3X3: return emit_texm3x3(l, in);
    case IRI_D3D9_OP_TEXDP3: return row_product(l, in);
    case IRI_D3D9_OP_TEXDP3TEX: return masked(l, in, sample_stage(l, in, row_product(l, in)));
    case IRI_D3D9_OP_TEXM3X2DEPTH: return emit_texm3x2depth(l, in);
    default: return 0; /* not a texture instruction */
    }
}
