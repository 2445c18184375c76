/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations that are one instruction of SPIR-V or nearly so, and the table that says which
 * (ops.def). SPIR-V unified1, sections 3.52.11 to 3.52.16, and GLSL.std.450.
 */
#include "write/spirv/module.h"

#define OP(name) IRI_SPV_Op##name
#define GLSL(name) (IRI_SPV_GLSL_CODE | IRI_SPV_Glsl##name)
static const iri_spv_row rows[IRI_OP_COUNT] = {
#define IRI_SPIRV(id, form, f, i, u) [IRI_OP_##id] = {iri_spv_form_##form, {f, i, u}},
#include "write/spirv/ops.def"
#undef IRI_SPIRV
};
#undef OP
#undef GLSL

/* A row of iridia/ops.def without one here does not compile. */
enum {
#define IRI_SPIRV(id, ...) HAS_##id,
#include "write/spirv/ops.def"
#undef IRI_SPIRV
#define IRI_OP(id, ...) NEEDS_##id = HAS_##id,
#include <iridia/ops.def>
#undef IRI_OP
};

void iri_spv_operation(iri_spv *s, const iri_inst *in)
{
    const iri_spv_row *row = &rows[in->op];
    row->form(s, in, row);
}

/* ---- writing ---- */

uint32_t iri_spv_op(iri_spv *s, uint32_t opcode, uint32_t type, const uint32_t *operands,
                    uint32_t count)
{
    uint32_t id = iri_spv_new_id(s), *at = iri_spv_put(s, &s->functions, opcode, 3 + count);
    at[0] = type, at[1] = id;
    memcpy(at + 2, operands, count * sizeof *operands);
    return id;
}

uint32_t iri_spv_glsl(iri_spv *s, uint32_t number, uint32_t type, const uint32_t *operands,
                      uint32_t count)
{
    uint32_t id = iri_spv_new_id(s);
    uint32_t *at = iri_spv_put(s, &s->functions, IRI_SPV_OpExtInst, 5 + count);
    at[0] = type, at[1] = id, at[2] = s->glsl, at[3] = number;
    memcpy(at + 4, operands, count * sizeof *operands);
    return id;
}

void iri_spv_define(iri_spv *s, const iri_inst *in, uint32_t id)
{
    const iri_value *v = &s->p->values[in->results];
    s->ids[in->results] = id;
    if ((v->flags & IRI_VALUE_RELAXED) && iri_scalar_bits(IRI_TYPE_SCALAR(v->type)) == 32)
        iri_spv_decorate(s, id, IRI_SPV_RelaxedPrecision);
}

void iri_spv_round(iri_spv *s, const iri_inst *in, uint32_t id)
{
    if (!s->contracts || (in->flags & IRI_INST_PRECISE))
        iri_spv_decorate(s, id, IRI_SPV_NoContraction);
}

void iri_spv_define_rounded(iri_spv *s, const iri_inst *in, uint32_t id)
{
    iri_spv_round(s, in, id);
    iri_spv_define(s, in, id);
}

/* An id that other values have already, so that nothing more may be said of it. */
static void alias(iri_spv *s, const iri_inst *in, uint32_t id)
{
    s->ids[in->results] = id;
}

static iri_type result_type(const iri_spv *s, const iri_inst *in)
{
    return iri_type_of(s->p, in->results);
}

static uint32_t class_of(iri_scalar scalar)
{
    static const uint8_t classes[IRI_SCALAR_COUNT] = {
        [IRI_I16] = 1, [IRI_I32] = 1, [IRI_I64] = 1, [IRI_U16] = 2, [IRI_U32] = 2, [IRI_U64] = 2,
    };
    return classes[scalar];
}

static uint32_t write_plain(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    uint32_t values[3], count = in->operand_count;
    assert(count >= 1 && count <= 3);
    for (uint32_t i = 0; i < count; i++)
        values[i] = iri_spv_value(s, operands[i]);
    uint32_t type = iri_spv_type(s, result_type(s, in));
    uint32_t code = row->code[class_of(IRI_TYPE_SCALAR(iri_type_of(s->p, operands[0])))];
    if (code & IRI_SPV_GLSL_CODE)
        return iri_spv_glsl(s, code & 0xffu, type, values, count);
    return iri_spv_op(s, code, type, values, count);
}

void iri_spv_form_plain(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_spv_define(s, in, write_plain(s, in, row));
}

void iri_spv_form_rounded(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_spv_define_rounded(s, in, write_plain(s, in, row));
}

/* Derivatives are of 32-bit floats only (section 3.52.16). */
void iri_spv_form_derivative(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_type type = result_type(s, in), f32 = IRI_TYPE(IRI_F32, IRI_TYPE_LANES(type));
    uint32_t id = iri_spv_value(s, iri_operands(s->p, in)[0]), f32_id = iri_spv_type(s, f32);
    if (type != f32)
        id = iri_spv_op1(s, IRI_SPV_OpFConvert, f32_id, id);
    id = iri_spv_op1(s, row->code[0], f32_id, id);
    if (type != f32)
        id = iri_spv_op1(s, IRI_SPV_OpFConvert, iri_spv_type(s, type), id);
    iri_spv_define(s, in, id);
}

void iri_spv_form_unwritten(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    (void)row;
    iri_fail(s->ctx, IRI_UNWRITABLE, in->offset, "%s is not written as SPIR-V",
             iri_op_infos[in->op].name);
}

void iri_spv_form_refused(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    (void)row;
    iri_fail(s->ctx, IRI_INTERNAL, in->offset, "%s in a structured function",
             iri_op_infos[in->op].name);
}

/* ---- lanes ---- */

static bool is_identity(iri_lanes lanes, uint32_t of)
{
    return lanes == iri_lanes_first(of);
}

uint32_t iri_spv_spread(iri_spv *s, uint32_t id, iri_type type)
{
    const uint32_t parts[4] = {id, id, id, id};
    if (IRI_TYPE_LANES(type) == 1)
        return id;
    return iri_spv_op(s, IRI_SPV_OpCompositeConstruct, iri_spv_type(s, type), parts,
                      IRI_TYPE_LANES(type));
}

uint32_t iri_spv_choose(iri_spv *s, uint32_t id, iri_type type, iri_lanes lanes)
{
    uint32_t count = IRI_LANES_COUNT(lanes);
    iri_type result = IRI_TYPE(IRI_TYPE_SCALAR(type), count);
    if (is_identity(lanes, IRI_TYPE_LANES(type)))
        return id;
    if (IRI_TYPE_LANES(type) == 1)
        return iri_spv_spread(s, id, result);
    uint32_t type_id = iri_spv_type(s, result);
    if (count == 1)
        return iri_spv_op2(s, IRI_SPV_OpCompositeExtract, type_id, id, IRI_LANES_AT(lanes, 0));
    uint32_t operands[6] = {id, id};
    for (uint32_t i = 0; i < count; i++)
        operands[2 + i] = IRI_LANES_AT(lanes, i);
    return iri_spv_op(s, IRI_SPV_OpVectorShuffle, type_id, operands, 2 + count);
}

void iri_spv_form_swizzle(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_id from = iri_operands(s->p, in)[0];
    uint32_t id = iri_spv_value(s, from);
    uint32_t chosen = iri_spv_choose(s, id, iri_type_of(s->p, from), iri_immediates(s->p, in)[0]);
    (void)row;
    if (chosen == id)
        alias(s, in, id);
    else
        iri_spv_define(s, in, chosen);
}

void iri_spv_form_insert(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    iri_type type = result_type(s, in);
    iri_lanes mask = iri_immediates(s->p, in)[0];
    uint32_t lanes = IRI_TYPE_LANES(type), count = IRI_LANES_COUNT(mask);
    uint32_t value = iri_spv_value(s, operands[1]);
    (void)row;
    if (count == lanes) {
        alias(s, in, value);
        return;
    }
    uint32_t base = iri_spv_value(s, operands[0]), type_id = iri_spv_type(s, type);
    if (count == 1) {
        iri_spv_define(
            s, in,
            iri_spv_op3(s, IRI_SPV_OpCompositeInsert, type_id, value, base, IRI_LANES_AT(mask, 0)));
        return;
    }
    uint32_t list[6] = {base, value};
    for (uint32_t i = 0; i < lanes; i++)
        list[2 + i] = i;
    for (uint32_t i = 0; i < count; i++)
        list[2 + IRI_LANES_AT(mask, i)] = lanes + i;
    iri_spv_define(s, in, iri_spv_op(s, IRI_SPV_OpVectorShuffle, type_id, list, 2 + lanes));
}

void iri_spv_form_compose(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    uint32_t parts[4], count = in->operand_count;
    (void)row;
    assert(count >= 1 && count <= 4);
    for (uint32_t i = 0; i < count; i++)
        parts[i] = iri_spv_value(s, operands[i]);
    if (count == 1)
        alias(s, in, parts[0]);
    else
        iri_spv_define(s, in,
                       iri_spv_op(s, IRI_SPV_OpCompositeConstruct,
                                  iri_spv_type(s, result_type(s, in)), parts, count));
}

void iri_spv_form_splat(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_type type = result_type(s, in);
    uint32_t id = iri_spv_value(s, iri_operands(s->p, in)[0]);
    (void)row;
    if (IRI_TYPE_LANES(type) == 1)
        alias(s, in, id);
    else
        iri_spv_define(s, in, iri_spv_spread(s, id, type));
}

void iri_spv_form_select(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    iri_type type = result_type(s, in);
    uint32_t condition = iri_spv_value(s, operands[0]);
    uint32_t yes = iri_spv_value(s, operands[1]), no = iri_spv_value(s, operands[2]);
    (void)row;
    /* One condition for all lanes is allowed from SPIR-V 1.4 on only. */
    if (!s->spirv_1_6 && IRI_TYPE_LANES(iri_type_of(s->p, operands[0])) == 1)
        condition = iri_spv_spread(s, condition, IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(type)));
    iri_spv_define(s, in,
                   iri_spv_op3(s, IRI_SPV_OpSelect, iri_spv_type(s, type), condition, yes, no));
}

void iri_spv_form_over_lanes(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_id from = iri_operands(s->p, in)[0];
    if (IRI_TYPE_LANES(iri_type_of(s->p, from)) == 1)
        alias(s, in, iri_spv_value(s, from));
    else
        iri_spv_form_plain(s, in, row);
}

/* ---- integers and conversions ---- */

/* Whether all lanes of a shift's count are below the width, as the instruction wants. */
static bool is_small(const iri_spv *s, iri_id count, uint32_t bits)
{
    iri_type type = iri_type_of(s->p, count);
    if (!iri_is_constant(s->p, count))
        return false;
    for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++)
        if (iri_constant(s->p, count)[i] >= bits)
            return false;
    return true;
}

void iri_spv_form_shift(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_id *operands = iri_operands(s->p, in);
    iri_type type = result_type(s, in);
    uint32_t bits = iri_scalar_bits(IRI_TYPE_SCALAR(type)), type_id = iri_spv_type(s, type);
    uint32_t value = iri_spv_value(s, operands[0]), count = iri_spv_value(s, operands[1]);
    if (!is_small(s, operands[1], bits))
        count =
            iri_spv_op2(s, IRI_SPV_OpBitwiseAnd, type_id, count, iri_spv_splat(s, type, bits - 1));
    uint32_t code = row->code[class_of(IRI_TYPE_SCALAR(type))];
    iri_spv_define(s, in, iri_spv_op2(s, code, type_id, value, count));
}

static iri_scalar unsigned_of(iri_scalar scalar)
{
    return scalar == IRI_I16   ? IRI_U16
           : scalar == IRI_I32 ? IRI_U32
           : scalar == IRI_I64 ? IRI_U64
                               : scalar;
}

void iri_spv_form_convert(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_id from = iri_operands(s->p, in)[0];
    iri_type type = result_type(s, in);
    iri_scalar a = IRI_TYPE_SCALAR(iri_type_of(s->p, from)), b = IRI_TYPE_SCALAR(type);
    uint32_t id = iri_spv_value(s, from), code, from_class = class_of(a), to_class = class_of(b);
    (void)row;
    if (a == b) {
        alias(s, in, id);
        return;
    }
    if (!from_class)
        code = !to_class       ? IRI_SPV_OpFConvert
               : to_class == 1 ? IRI_SPV_OpConvertFToS
                               : IRI_SPV_OpConvertFToU;
    else if (!to_class)
        code = from_class == 1 ? IRI_SPV_OpConvertSToF : IRI_SPV_OpConvertUToF;
    else if (iri_scalar_bits(a) == iri_scalar_bits(b))
        code = IRI_SPV_OpBitcast;
    else
        code = from_class == 1 ? IRI_SPV_OpSConvert : IRI_SPV_OpUConvert;
    if (code == IRI_SPV_OpUConvert && to_class == 1) {
        /* Its result must be unsigned (section 3.52.11). */
        iri_type plain = IRI_TYPE(unsigned_of(b), IRI_TYPE_LANES(type));
        id = iri_spv_op1(s, code, iri_spv_type(s, plain), id);
        code = IRI_SPV_OpBitcast;
    }
    iri_spv_define(s, in, iri_spv_op1(s, code, iri_spv_type(s, type), id));
}

void iri_spv_form_bitcast(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_id from = iri_operands(s->p, in)[0];
    iri_type type = result_type(s, in);
    uint32_t id = iri_spv_value(s, from);
    (void)row;
    if (type == iri_type_of(s->p, from))
        alias(s, in, id);
    else
        iri_spv_define(s, in, iri_spv_op1(s, IRI_SPV_OpBitcast, iri_spv_type(s, type), id));
}

/* ---- state ---- */

void iri_spv_form_state(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const uint32_t *immediates = iri_immediates(s->p, in);
    const iri_interface *io = &s->p->interface;
    const iri_state_info *info = iri_state_get_info((iri_state_id)immediates[0]);
    (void)row;
    for (uint32_t i = 0; i < io->state_count; i++) {
        const iri_state_entry *entry = &io->states[i];
        if (entry->id != immediates[0] || entry->index != immediates[1])
            continue;
        if (entry->source == IRI_STATE_OVERRIDE) {
            alias(s, in, s->specs[i]);
            return;
        }
        if (entry->source == IRI_STATE_VALUE) {
            const uint64_t lanes[4] = {entry->bits[0], entry->bits[1], entry->bits[2],
                                       entry->bits[3]};
            alias(s, in, iri_spv_make_constant(s, info->type, lanes));
            return;
        }
    }
    iri_fail(s->ctx, IRI_UNSPECIFIED_STATE, in->offset, "the state %s was not given", info->name);
}
