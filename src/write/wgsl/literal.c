/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types and literals. A literal reads back to exactly the lane's bits (WGSL section 6.2): floats in
 * their shortest decimal form, or in hexadecimal where WGSL reads that form as another number or
 * refuses it. WGSL has no NaN and no infinity in constant expressions; they pass through the
 * parameter of a function, which is a run-time value.
 */
#include "write/wgsl/wgsl.h"

#include "base/number.h"
#include <string.h>

static const struct {
    const char *scalar;
    const char *suffix; /* of vecN; NULL: vecN<scalar> */
} types[IRI_SCALAR_COUNT] = {
    [IRI_BOOL] = {"bool", NULL}, [IRI_F16] = {"f16", "h"}, [IRI_I32] = {"i32", "i"},
    [IRI_U32] = {"u32", "u"},    [IRI_F32] = {"f32", "f"},
};

const char *iri_wgsl_type(iri_wgsl *w, iri_type type)
{
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    const char *name = scalar < IRI_SCALAR_COUNT ? types[scalar].scalar : NULL;
    if (!name)
        iri_fail(w->ctx, IRI_CAPABILITY, IRI_NO_OFFSET, "WGSL has no type %s", iri_type_name(type));
    if (IRI_TYPE_LANES(type) == 1)
        return name;
    if (!types[scalar].suffix)
        return iri_wgsl_printf(w, "vec%u<%s>", IRI_TYPE_LANES(type), name);
    return iri_wgsl_printf(w, "vec%u%s", IRI_TYPE_LANES(type), types[scalar].suffix);
}

/* `0x1.8p+3`: the exact bits of a finite f32, whatever they are. */
static const char *hex_float(iri_wgsl *w, uint32_t bits)
{
    int32_t exponent = (int32_t)(bits >> 23 & 0xff);
    uint32_t fraction = (bits & 0x7fffffu) << 1;
    return iri_wgsl_printf(w, "%s0x%u.%06xp%+d", bits >> 31 ? "-" : "", exponent ? 1u : 0u,
                           (unsigned)fraction, exponent ? (int)exponent - 127 : -126);
}

/* A decimal literal without suffix is first read as an f64 and must not lie above the largest f32
 * (section 6.2: FLT_MAX's own shortest spelling does). */
static bool reads_back(const char *text, uint32_t bits)
{
    uint64_t wide = 0;
    size_t size = strlen(text);
    if (iri_parse_f64(text, text + size, &wide) != size)
        return false;
    double value = iri_bits_f64(wide), limit = (double)iri_bits_f32(0x7f7fffffu);
    if (value > limit || value < -limit)
        return false;
    return iri_f32_bits((float)value) == bits;
}

static iri_wgsl_expr float_literal(iri_wgsl *w, uint32_t bits)
{
    char text[IRI_NUMBER_TEXT];
    iri_wgsl_expr e = {.level = bits >> 31 ? IRI_LEVEL_UNARY : IRI_LEVEL_POSTFIX};
    if ((bits & 0x7f800000u) == 0x7f800000u) {
        if (!w->from_bits)
            w->from_bits = iri_names_claim(&w->names, "from_bits", "from_bits");
        e.text = iri_wgsl_printf(w, "%s(0x%08xu)", w->from_bits, (unsigned)bits);
        e.level = IRI_LEVEL_POSTFIX;
        return e;
    }
    size_t size = iri_print_f32(text, bits);
    e.text =
        reads_back(text, bits) ? iri_arena_copy_text(w->arena, text, size) : hex_float(w, bits);
    return e;
}

static iri_wgsl_expr half_literal(iri_wgsl *w, uint16_t bits)
{
    char text[IRI_NUMBER_TEXT];
    if ((bits & 0x7c00) == 0x7c00)
        iri_fail(w->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "WGSL cannot say the f16 0x%04x", bits);
    iri_print_f16(text, bits);
    return (iri_wgsl_expr){.text = iri_wgsl_printf(w, "%sh", text),
                           .level = bits >> 15 ? IRI_LEVEL_UNARY : IRI_LEVEL_POSTFIX};
}

iri_wgsl_expr iri_wgsl_literal(iri_wgsl *w, iri_scalar scalar, uint64_t bits)
{
    iri_wgsl_expr e = {.level = IRI_LEVEL_POSTFIX};
    int32_t number = (int32_t)(uint32_t)bits;
    switch (scalar) {
    case IRI_BOOL: e.text = bits ? "true" : "false"; return e;
    case IRI_U32:
        e.text = iri_wgsl_printf(w, bits > 0xffff ? "0x%xu" : "%uu", (unsigned)bits);
        return e;
    case IRI_I32:
        e.text = iri_wgsl_printf(w, number > 0xffff ? "0x%lx" : "%ld", (long)number);
        if (number < 0)
            e.level = IRI_LEVEL_UNARY;
        /* Without the type, the negation of 2147483648 would be one of an i32 that does not exist. */
        if (number == INT32_MIN)
            e.text = "i32(-2147483648)", e.level = IRI_LEVEL_POSTFIX;
        return e;
    case IRI_F32: return float_literal(w, (uint32_t)bits);
    case IRI_F16: return half_literal(w, (uint16_t)bits);
    case IRI_VOID:
    case IRI_I16:
    case IRI_U16:
    case IRI_I64:
    case IRI_U64:
    case IRI_F64:
    case IRI_SCALAR_COUNT: break;
    }
    iri_wgsl_type(w, IRI_TYPE(scalar, 1)); /* refuses it */
    return e;
}

iri_wgsl_expr iri_wgsl_constant(iri_wgsl *w, iri_type type, const uint64_t *lanes)
{
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    uint32_t count = IRI_TYPE_LANES(type), different = 0;
    if (count == 1)
        return iri_wgsl_literal(w, scalar, lanes[0]);
    for (uint32_t i = 1; i < count; i++)
        different += lanes[i] != lanes[0];
    iri_wgsl_expr e[4];
    for (uint32_t i = 0; i < count; i++)
        e[i] = iri_wgsl_literal(w, scalar, lanes[i]);
    return iri_wgsl_call(w, iri_wgsl_type(w, type), e, different ? count : 1);
}
