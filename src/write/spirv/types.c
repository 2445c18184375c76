/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types and constants, each declared once, when it is first asked for (SPIR-V unified1, sections
 * 2.8 and 3.52.6).
 */
#include "write/spirv/module.h"

#include "base/map.h"
#include "base/number.h"

static uint32_t make_scalar(iri_spv *s, iri_scalar scalar)
{
    uint32_t id = iri_spv_new_id(s), bits = iri_scalar_bits(scalar);
    switch (scalar) {
    case IRI_VOID: iri_spv_put1(s, &s->globals, IRI_SPV_OpTypeVoid, id); return id;
    case IRI_BOOL: iri_spv_put1(s, &s->globals, IRI_SPV_OpTypeBool, id); return id;
    case IRI_F16:
    case IRI_F32:
    case IRI_F64:
        if (scalar != IRI_F32)
            iri_spv_capability(s, scalar == IRI_F16 ? IRI_SPV_CapabilityFloat16
                                                    : IRI_SPV_CapabilityFloat64);
        iri_spv_put2(s, &s->globals, IRI_SPV_OpTypeFloat, id, bits);
        return id;
    case IRI_I16:
    case IRI_U16: iri_spv_capability(s, IRI_SPV_CapabilityInt16); break;
    case IRI_I64:
    case IRI_U64: iri_spv_capability(s, IRI_SPV_CapabilityInt64); break;
    case IRI_I32:
    case IRI_U32:
    case IRI_SCALAR_COUNT: break;
    }
    bool is_signed = scalar == IRI_I16 || scalar == IRI_I32 || scalar == IRI_I64;
    iri_spv_put3(s, &s->globals, IRI_SPV_OpTypeInt, id, bits, is_signed);
    return id;
}

uint32_t iri_spv_make_type(iri_spv *s, iri_type type)
{
    uint32_t lanes = IRI_TYPE_LANES(type), id;
    if (lanes == 1) {
        id = make_scalar(s, IRI_TYPE_SCALAR(type));
    } else {
        uint32_t lane = iri_spv_type(s, IRI_TYPE(IRI_TYPE_SCALAR(type), 1));
        id = iri_spv_new_id(s);
        iri_spv_put3(s, &s->globals, IRI_SPV_OpTypeVector, id, lane, lanes);
    }
    s->types[type] = id;
    return id;
}

uint32_t iri_spv_pointer_to(iri_spv *s, uint32_t storage, uint32_t type)
{
    uint32_t id = iri_spv_new_id(s);
    iri_spv_put3(s, &s->globals, IRI_SPV_OpTypePointer, id, storage, type);
    return id;
}

uint32_t iri_spv_pointer(iri_spv *s, uint32_t storage, iri_type type)
{
    uint32_t *id = &s->pointers[storage][type];
    uint32_t to = iri_spv_type(s, type);
    if (!*id)
        *id = iri_spv_pointer_to(s, storage, to);
    return *id;
}

uint32_t iri_spv_array(iri_spv *s, uint32_t element, uint32_t length, uint32_t stride)
{
    enum { KEY = 4 };
    for (uint32_t i = 0; i < s->arrays.count; i += KEY) {
        const uint32_t *at = s->arrays.at + i;
        if (at[0] == element && at[1] == length && at[2] == stride)
            return at[3];
    }
    uint32_t count = iri_spv_u32(s, length), id = iri_spv_new_id(s);
    iri_spv_put3(s, &s->globals, IRI_SPV_OpTypeArray, id, element, count);
    if (stride)
        iri_spv_decorate1(s, id, IRI_SPV_ArrayStride, stride);
    const uint32_t entry[KEY] = {element, length, stride, id};
    for (uint32_t i = 0; i < KEY; i++)
        iri_push(s->arena, &s->arrays, entry[i]);
    return id;
}

/* ---- constants ---- */

static uint32_t hash_of(iri_type type, const uint64_t lanes[4])
{
    uint32_t hash = type;
    for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++)
        hash = iri_hash_mix(hash, (uint32_t)lanes[i] ^ (uint32_t)(lanes[i] >> 32) * 31u);
    /* Round floats differ in their top bits alone: only a product's top bits tell them apart. */
    return hash * 0x9e3779b1u >> 16;
}

static iri_spv_constant *find_slot(iri_spv_constant *slots, uint32_t count, iri_type type,
                                   const uint64_t lanes[4])
{
    uint32_t at = hash_of(type, lanes) & (count - 1);
    for (;; at = (at + 1) & (count - 1)) {
        iri_spv_constant *slot = &slots[at];
        if (!slot->id)
            return slot;
        if (slot->type == type &&
            memcmp(slot->lanes, lanes, IRI_TYPE_LANES(type) * sizeof *lanes) == 0)
            return slot;
    }
}

static void grow_slots(iri_spv *s)
{
    uint32_t count = s->constant_slots ? s->constant_slots * 2 : 64;
    iri_spv_constant *slots = iri_new_array(s->arena, iri_spv_constant, count);
    for (uint32_t i = 0; i < s->constant_slots; i++) {
        const iri_spv_constant *old = &s->constants[i];
        if (old->id)
            *find_slot(slots, count, old->type, old->lanes) = *old;
    }
    s->constants = slots;
    s->constant_slots = count;
}

static uint32_t declare_scalar(iri_spv *s, iri_type type, uint64_t bits)
{
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    uint32_t type_id = iri_spv_type(s, type), id = iri_spv_new_id(s);
    if (scalar == IRI_BOOL) {
        iri_spv_put2(s, &s->globals, bits ? IRI_SPV_OpConstantTrue : IRI_SPV_OpConstantFalse,
                     type_id, id);
        return id;
    }
    if (scalar == IRI_I16) /* section 2.2.1: narrow signed literals are sign-extended */
        bits = (uint32_t)(int32_t)(int16_t)(uint16_t)bits;
    uint32_t wide = iri_scalar_bits(scalar) == 64;
    uint32_t *at = iri_spv_put(s, &s->globals, IRI_SPV_OpConstant, 4 + wide);
    at[0] = type_id, at[1] = id, at[2] = (uint32_t)bits;
    if (wide)
        at[3] = (uint32_t)(bits >> 32);
    return id;
}

static uint32_t declare_vector(iri_spv *s, iri_type type, const uint64_t lanes[4])
{
    uint32_t count = IRI_TYPE_LANES(type), parts[4];
    for (uint32_t i = 0; i < count; i++)
        parts[i] = iri_spv_make_constant(s, IRI_TYPE(IRI_TYPE_SCALAR(type), 1), &lanes[i]);
    uint32_t type_id = iri_spv_type(s, type), id = iri_spv_new_id(s);
    uint32_t *at = iri_spv_put(s, &s->globals, IRI_SPV_OpConstantComposite, 3 + count);
    at[0] = type_id, at[1] = id;
    memcpy(at + 2, parts, count * sizeof *parts);
    return id;
}

uint32_t iri_spv_make_constant(iri_spv *s, iri_type type, const uint64_t *lanes)
{
    uint32_t count = IRI_TYPE_LANES(type);
    uint64_t key[4] = {0};
    memcpy(key, lanes, count * sizeof *lanes);
    if ((s->constant_count + 1) * 2 > s->constant_slots)
        grow_slots(s);
    iri_spv_constant *slot = find_slot(s->constants, s->constant_slots, type, key);
    if (slot->id)
        return slot->id;
    uint32_t id = count == 1 ? declare_scalar(s, type, key[0]) : declare_vector(s, type, key);
    slot = find_slot(s->constants, s->constant_slots, type, key); /* lanes may have moved it */
    memcpy(slot->lanes, key, sizeof key);
    slot->type = type;
    slot->id = id;
    s->constant_count++;
    return id;
}

uint32_t iri_spv_splat(iri_spv *s, iri_type type, uint64_t bits)
{
    const uint64_t lanes[4] = {bits, bits, bits, bits};
    return iri_spv_make_constant(s, type, lanes);
}

uint32_t iri_spv_u32(iri_spv *s, uint32_t value)
{
    return iri_spv_splat(s, IRI_TYPE_U32, value);
}

uint32_t iri_spv_float(iri_spv *s, iri_type type, double value)
{
    switch (IRI_TYPE_SCALAR(type)) {
    case IRI_F16: return iri_spv_splat(s, type, iri_f64_to_f16(value));
    case IRI_F64: return iri_spv_splat(s, type, iri_f64_bits(value));
    default: return iri_spv_splat(s, type, iri_f32_bits((float)value));
    }
}

uint32_t iri_spv_zero(iri_spv *s, iri_type type)
{
    return iri_spv_splat(s, type, 0);
}

uint32_t iri_spv_constant_value(iri_spv *s, iri_id value)
{
    if (!iri_is_constant(s->p, value))
        iri_fail(s->ctx, IRI_INTERNAL, IRI_NO_OFFSET, "a value is read before it is written");
    uint32_t id = iri_spv_make_constant(s, iri_type_of(s->p, value), iri_constant(s->p, value));
    s->ids[value] = id;
    return id;
}
