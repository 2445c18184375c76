/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Storage images, typed buffers, texel loads, gathers and queries (SPIR-V unified1, section 3.52.10; the Vulkan
 * specification, "Image Operations"). A read out of range reads texel 0 of level 0 and takes 0 for it; a write
 * or atomic stands in a block that only those in range enter.
 */
#include "write/spirv/module.h"

enum { DIMENSION_BUFFER = 5, SCOPE_DEVICE = 1 };

/* ---- declarations ---- */

/* SPIR-V's format of a DXGI format (section 3.11), 0 unknown. */
static uint32_t format_of(uint32_t dxgi, bool *extended)
{
    static const struct {
        uint8_t dxgi, spirv, extended;
    } formats[] = {
        {2, 1, 0},   {10, 2, 0},  {41, 3, 0},  {28, 4, 0},  {31, 5, 0},  {16, 6, 1},  {34, 7, 1},
        {26, 8, 1},  {54, 9, 1},  {11, 10, 1}, {24, 11, 1}, {35, 12, 1}, {49, 13, 1}, {56, 14, 1},
        {61, 15, 1}, {13, 16, 1}, {37, 17, 1}, {51, 18, 1}, {58, 19, 1}, {63, 20, 1}, {4, 21, 0},
        {14, 22, 0}, {32, 23, 0}, {43, 24, 0}, {18, 25, 1}, {38, 26, 1}, {52, 27, 1}, {59, 28, 1},
        {64, 29, 1}, {3, 30, 0},  {12, 31, 0}, {30, 32, 0}, {42, 33, 0}, {25, 34, 1}, {17, 35, 1},
        {36, 36, 1}, {50, 37, 1}, {57, 38, 1}, {62, 39, 1},
    };
    *extended = false;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].dxgi == dxgi) {
            *extended = formats[i].extended != 0;
            return formats[i].spirv;
        }
    return 0;
}

/* Each image type once, as section 2.8 wants. */
static uint32_t image_type(iri_spv *s, iri_scalar scalar, uint32_t dimension, uint32_t arrayed,
                           uint32_t sampled, uint32_t format)
{
    enum { KEY = 6 };
    for (uint32_t i = 0; i < s->storage_images.count; i += KEY) {
        const uint32_t *at = s->storage_images.at + i;
        if (at[0] == (uint32_t)scalar && at[1] == dimension && at[2] == arrayed &&
            at[3] == sampled && at[4] == format)
            return at[5];
    }
    uint32_t lane = iri_spv_type(s, IRI_TYPE(scalar, 1)), id = iri_spv_new_id(s);
    uint32_t *at = iri_spv_put(s, &s->globals, IRI_SPV_OpTypeImage, 9);
    at[0] = id, at[1] = lane, at[2] = dimension, at[3] = 0, at[4] = arrayed, at[5] = 0;
    at[6] = sampled, at[7] = format;
    const uint32_t entry[KEY] = {(uint32_t)scalar, dimension, arrayed, sampled, format, id};
    for (uint32_t i = 0; i < KEY; i++)
        iri_push(s->arena, &s->storage_images, entry[i]);
    return id;
}

void iri_spv_declare_storage_image(iri_spv *s, uint32_t index)
{
    static const uint8_t dimensions[IRI_DIMENSION_COUNT] = {DIMENSION_BUFFER, 0, 1, 2, 3};
    const iri_resource *r = &s->p->interface.resources[index];
    iri_spv_resource *to = &s->resources[index];
    bool fetched = r->kind == IRI_RESOURCE_BUFFER, extended = false;
    uint32_t dimension = dimensions[r->dimension];
    uint32_t format = fetched ? 0 : format_of(r->format, &extended);
    if (dimension == DIMENSION_BUFFER)
        iri_spv_capability(s, fetched ? IRI_SPV_CapabilitySampledBuffer
                                      : IRI_SPV_CapabilityImageBuffer);
    if (dimension == 0)
        iri_spv_capability(s, IRI_SPV_CapabilityImage1D);
    if (!fetched && !format) {
        if (r->access & 1)
            iri_spv_capability(s, IRI_SPV_CapabilityStorageImageReadWithoutFormat);
        if (r->access & 2)
            iri_spv_capability(s, IRI_SPV_CapabilityStorageImageWriteWithoutFormat);
    } else if (!fetched && extended) {
        iri_spv_capability(s, IRI_SPV_CapabilityStorageImageExtendedFormats);
    }
    to->type =
        image_type(s, (iri_scalar)r->scalar, dimension, r->arrayed != 0, fetched ? 1 : 2, format);
}

void iri_spv_decorate_storage_image(iri_spv *s, uint32_t index)
{
    const iri_resource *r = &s->p->interface.resources[index];
    uint32_t variable = s->resources[index].variable;
    if (r->kind == IRI_RESOURCE_BUFFER || r->kind == IRI_RESOURCE_TEXTURE)
        return;
    if (!(r->access & 6))
        iri_spv_decorate(s, variable, IRI_SPV_NonWritable);
    if (!(r->access & 5))
        iri_spv_decorate(s, variable, IRI_SPV_NonReadable);
    if (r->flags & IRI_RESOURCE_COHERENT)
        iri_spv_decorate(s, variable, IRI_SPV_Coherent);
}

/* ---- ranges ---- */

static iri_type truths(iri_type type)
{
    return IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(type));
}

/* Integer coordinates as u32. */
static uint32_t coordinates_of(iri_spv *s, const iri_inst *in, uint32_t packed, uint32_t axes,
                               iri_type *type)
{
    iri_id value = iri_operands(s->p, in)[0];
    iri_type own = iri_type_of(s->p, value);
    uint32_t id = iri_spv_value(s, value);
    uint64_t lanes[4] = {0};
    *type = IRI_TYPE(IRI_U32, IRI_TYPE_LANES(own));
    if (own != *type)
        id = iri_spv_op1(s, IRI_SPV_OpBitcast, iri_spv_type(s, *type), id);
    if (!packed)
        return id;
    for (uint32_t i = 0; i < axes; i++)
        lanes[i] = (uint32_t)(int32_t)(int8_t)(packed >> 8 * i & 0xff);
    uint32_t offset = iri_spv_make_constant(s, *type, lanes);
    return iri_spv_op2(s, IRI_SPV_OpIAdd, iri_spv_type(s, *type), id, offset);
}

static uint32_t all_less(iri_spv *s, uint32_t a, uint32_t b, iri_type type)
{
    uint32_t id = iri_spv_op2(s, IRI_SPV_OpULessThan, iri_spv_type(s, truths(type)), a, b);
    if (IRI_TYPE_LANES(type) > 1)
        id = iri_spv_op1(s, IRI_SPV_OpAll, iri_spv_type(s, IRI_TYPE_BOOL), id);
    return id;
}

/* `id` where the condition holds, else 0; both of `type`. */
static uint32_t or_zero(iri_spv *s, uint32_t condition, uint32_t id, iri_type type)
{
    uint32_t zero = iri_spv_zero(s, type), conditions = iri_spv_spread(s, condition, truths(type));
    return iri_spv_op3(s, IRI_SPV_OpSelect, iri_spv_type(s, type), conditions, id, zero);
}

static uint32_t query(iri_spv *s, uint32_t code, iri_type type, uint32_t image)
{
    iri_spv_capability(s, IRI_SPV_CapabilityImageQuery);
    return iri_spv_op1(s, code, iri_spv_type(s, type), image);
}

static uint32_t query_level(iri_spv *s, iri_type type, uint32_t image, uint32_t level)
{
    iri_spv_capability(s, IRI_SPV_CapabilityImageQuery);
    return iri_spv_op2(s, IRI_SPV_OpImageQuerySizeLod, iri_spv_type(s, type), image, level);
}

/* ---- storage images and typed buffers ---- */

static void load_texel(iri_spv *s, const iri_inst *in, bool fetched, uint32_t image, uint32_t at,
                       iri_type at_type, uint32_t good)
{
    iri_type type = iri_type_of(s->p, in->results);
    uint32_t inside = or_zero(s, good, at, at_type);
    uint32_t id = iri_spv_op2(s, fetched ? IRI_SPV_OpImageFetch : IRI_SPV_OpImageRead,
                              iri_spv_type(s, type), image, inside);
    iri_spv_define(s, in, or_zero(s, good, id, type));
}

static uint32_t texel_pointer(iri_spv *s, const iri_inst *in, uint32_t index, uint32_t at)
{
    const iri_resource *r = &s->p->interface.resources[index];
    uint32_t variable = iri_spv_resource_pointer(s, index, in, iri_range_operand(in->op));
    uint32_t type = iri_spv_pointer(s, IRI_SPV_ClassImage, IRI_TYPE(r->scalar, 1));
    uint32_t sample = iri_spv_u32(s, 0);
    return iri_spv_op3(s, IRI_SPV_OpImageTexelPointer, type, variable, at, sample);
}

void iri_spv_access_image(iri_spv *s, const iri_inst *in, iri_memory_op m)
{
    uint32_t index = iri_immediates(s->p, in)[m.immediate];
    const iri_resource *r = &s->p->interface.resources[index];
    iri_type at_type;
    uint32_t image = iri_spv_load_resource(s, index, in, iri_range_operand(in->op));
    uint32_t at = coordinates_of(s, in, 0, 0, &at_type);
    uint32_t size = query(s, IRI_SPV_OpImageQuerySize, at_type, image),
             good = all_less(s, at, size, at_type);
    if (m.act == IRI_MEMORY_LOAD) {
        load_texel(s, in, r->kind == IRI_RESOURCE_BUFFER, image, at, at_type, good);
        return;
    }
    uint32_t value = iri_spv_value(s, iri_operands(s->p, in)[m.places]);
    iri_spv_guard guard = iri_spv_begin_guard(s, good);
    if (m.act == IRI_MEMORY_STORE) {
        iri_spv_put3(s, &s->functions, IRI_SPV_OpImageWrite, image, at, value);
        iri_spv_end_guard(s, &guard, IRI_TYPE_VOID, 0, 0);
        return;
    }
    iri_type type = IRI_TYPE(r->scalar, 1);
    uint32_t pointer = texel_pointer(s, in, index, at), zero = iri_spv_zero(s, type);
    uint32_t old = iri_spv_atomic(s, in, m, type, pointer, SCOPE_DEVICE);
    iri_spv_define(s, in, iri_spv_end_guard(s, &guard, type, old, zero));
}

/* ---- texel loads ---- */

void iri_spv_form_texel(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const uint32_t *imm = iri_immediates(s->p, in);
    const iri_resource *r = &s->p->interface.resources[imm[0]];
    iri_id level_value = iri_operands(s->p, in)[1];
    iri_type at_type, own = iri_type_of(s->p, level_value), word = IRI_TYPE_U32;
    iri_type type = iri_type_of(s->p, in->results);
    bool samples = in->op == IRI_OP_LOAD_TEXEL_MS;
    uint32_t image = iri_spv_load_resource(s, imm[0], in, iri_range_operand(in->op));
    uint32_t at = coordinates_of(s, in, imm[1], iri_dimension_lanes(r->dimension), &at_type);
    uint32_t level = iri_spv_value(s, level_value), truth = iri_spv_type(s, IRI_TYPE_BOOL);
    (void)row;
    if (own != word)
        level = iri_spv_op1(s, IRI_SPV_OpBitcast, iri_spv_type(s, word), level);
    uint32_t most =
        query(s, samples ? IRI_SPV_OpImageQuerySamples : IRI_SPV_OpImageQueryLevels, word, image);
    uint32_t has_level = all_less(s, level, most, word);
    uint32_t there = or_zero(s, has_level, level, word);
    uint32_t size = samples ? query(s, IRI_SPV_OpImageQuerySize, at_type, image)
                            : query_level(s, at_type, image, there);
    uint32_t inside = all_less(s, at, size, at_type);
    uint32_t good = iri_spv_op2(s, IRI_SPV_OpLogicalAnd, truth, inside, has_level);
    uint32_t place = or_zero(s, good, at, at_type), from = or_zero(s, good, there, word);
    const uint32_t words[4] = {image, place, samples ? IRI_SPV_ImageSample : IRI_SPV_ImageLod,
                               from};
    uint32_t id = iri_spv_op(s, IRI_SPV_OpImageFetch, iri_spv_type(s, type), words, 4);
    iri_spv_define(s, in, or_zero(s, good, id, type));
}

/* ---- queries ---- */

/* Of a typed buffer: its elements. */
void iri_spv_image_size(iri_spv *s, const iri_inst *in)
{
    uint32_t index = iri_immediates(s->p, in)[0];
    uint32_t image = iri_spv_load_resource(s, index, in, iri_range_operand(in->op));
    iri_spv_define(s, in, query(s, IRI_SPV_OpImageQuerySize, IRI_TYPE_U32, image));
}

void iri_spv_form_query(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    uint32_t index = iri_immediates(s->p, in)[0];
    const iri_resource *r = &s->p->interface.resources[index];
    iri_type type = iri_type_of(s->p, in->results);
    uint32_t image = iri_spv_load_resource(s, index, in, iri_range_operand(in->op));
    bool one = r->multisampled || r->kind == IRI_RESOURCE_STORAGE_TEXTURE;
    if (in->op != IRI_OP_TEXTURE_SIZE || one) {
        iri_spv_define(
            s, in,
            query(s, in->op == IRI_OP_TEXTURE_SIZE ? IRI_SPV_OpImageQuerySize : row->code[0], type,
                  image));
        return;
    }
    uint32_t level = iri_spv_value(s, iri_operands(s->p, in)[0]);
    uint32_t most = query(s, IRI_SPV_OpImageQueryLevels, IRI_TYPE_U32, image);
    uint32_t good = all_less(s, level, most, IRI_TYPE_U32);
    uint32_t there = or_zero(s, good, level, IRI_TYPE_U32);
    iri_spv_define(s, in, or_zero(s, good, query_level(s, type, image, there), type));
}

static uint32_t sampled_image(iri_spv *s, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(s->p, in);
    uint32_t own = iri_range_operand(in->op);
    uint32_t image = iri_spv_load_resource(s, imm[0], in, own);
    uint32_t sampler = iri_spv_load_resource(s, imm[1], in, own + 1);
    return iri_spv_op2(s, IRI_SPV_OpSampledImage, s->resources[imm[0]].sampled, image, sampler);
}

void iri_spv_form_lod(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    uint32_t coordinates = iri_spv_value(s, iri_operands(s->p, in)[0]);
    char label[32];
    (void)row;
    if (s->p->stage != IRI_STAGE_PIXEL)
        iri_fail(
            s->ctx, IRI_CAPABILITY, in->offset,
            "%s: SPIR-V has no lookup by derivatives outside a pixel program",
            iri_resource_label(&s->p->interface.resources[iri_immediates(s->p, in)[0]], label));
    iri_spv_capability(s, IRI_SPV_CapabilityImageQuery);
    uint32_t image = sampled_image(s, in), type = iri_spv_type(s, IRI_TYPE_VEC2F);
    iri_spv_define(s, in, iri_spv_op2(s, IRI_SPV_OpImageQueryLod, type, image, coordinates));
}

/* ---- gathers ---- */

/* The low six bits of a run-time offset, signed. */
static uint32_t run_time_offset(iri_spv *s, iri_id value)
{
    iri_type type = iri_type_of(s->p, value);
    uint32_t id = iri_spv_value(s, value), type_id = iri_spv_type(s, type);
    uint32_t shift = iri_spv_splat(s, type, 26);
    id = iri_spv_op2(s, IRI_SPV_OpShiftLeftLogical, type_id, id, shift);
    return iri_spv_op2(s, IRI_SPV_OpShiftRightArithmetic, type_id, id, shift);
}

void iri_spv_form_gather(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    const uint32_t *imm = iri_immediates(s->p, in);
    bool run_time = in->op == IRI_OP_GATHER_PO || in->op == IRI_OP_GATHER_CMP_PO;
    bool compares = in->op == IRI_OP_GATHER_CMP || in->op == IRI_OP_GATHER_CMP_PO;
    uint32_t packed = in->op == IRI_OP_GATHER ? imm[3] : in->op == IRI_OP_GATHER_CMP ? imm[2] : 0;
    uint32_t words[6], count = 1;
    words[count++] = iri_spv_value(s, operands[0]);
    words[count++] =
        compares ? iri_spv_value(s, operands[run_time ? 2 : 1]) : iri_spv_u32(s, imm[2]);
    if (run_time) {
        iri_spv_capability(s, IRI_SPV_CapabilityImageGatherExtended);
        words[count++] = IRI_SPV_ImageOffset;
        words[count++] = run_time_offset(s, operands[1]);
    } else if (packed) {
        uint64_t lanes[4] = {0};
        for (uint32_t i = 0; i < 2; i++)
            lanes[i] = (uint32_t)(int32_t)(int8_t)(packed >> 8 * i & 0xff);
        words[count++] = IRI_SPV_ImageConstOffset;
        words[count++] = iri_spv_make_constant(s, IRI_TYPE(IRI_I32, 2), lanes);
    }
    uint32_t type = iri_spv_type(s, iri_type_of(s->p, in->results));
    words[0] = sampled_image(s, in);
    iri_spv_define(s, in, iri_spv_op(s, row->code[0], type, words, count));
}
