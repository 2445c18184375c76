/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types and literals. A literal reads back to exactly the lane's bits (WGSL section 6.2): floats in
 * their shortest decimal form, or in hexadecimal where WGSL reads that form as another number or
 * refuses it. WGSL has no NaN and no infinity in constant expressions; they pass through the
 * parameter of a function, which is a run-time value.
 */
#include "write/wgsl/wgsl.h"

#include "base/number.h"

#define TEXT(literal) \
    { \
        literal, sizeof(literal) - 1 \
    }
static const iri_str types[IRI_SCALAR_COUNT][4] = {
    [IRI_BOOL] = {TEXT("bool"), TEXT("vec2<bool>"), TEXT("vec3<bool>"), TEXT("vec4<bool>")},
    [IRI_F16] = {TEXT("f16"), TEXT("vec2h"), TEXT("vec3h"), TEXT("vec4h")},
    [IRI_I32] = {TEXT("i32"), TEXT("vec2i"), TEXT("vec3i"), TEXT("vec4i")},
    [IRI_U32] = {TEXT("u32"), TEXT("vec2u"), TEXT("vec3u"), TEXT("vec4u")},
    [IRI_F32] = {TEXT("f32"), TEXT("vec2f"), TEXT("vec3f"), TEXT("vec4f")},
};
#undef TEXT

iri_str iri_wgsl_type(iri_wgsl *w, iri_type type)
{
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    if (scalar >= IRI_SCALAR_COUNT || !types[scalar][0].at)
        iri_fail(w->ctx, IRI_CAPABILITY, IRI_NO_OFFSET, "WGSL has no type %s", iri_type_name(type));
    return types[scalar][IRI_TYPE_LANES(type) - 1];
}

static char *put_hex(char *at, uint32_t number, uint32_t digits)
{
    for (uint32_t i = digits; i-- > 0;)
        *at++ = "0123456789abcdef"[number >> 4 * i & 15];
    return at;
}

static uint32_t hex_digits(uint32_t number)
{
    uint32_t digits = 1;
    while (digits < 8 && number >> 4 * digits)
        digits++;
    return digits;
}

/* `0x1.800000p+3`: the exact bits of a finite f32, whatever they are. */
static size_t print_hex_float(char text[IRI_NUMBER_TEXT], uint32_t bits)
{
    char *at = text;
    int32_t biased = (int32_t)(bits >> 23 & 0xff), exponent = biased ? biased - 127 : -126;
    if (bits >> 31)
        *at++ = '-';
    *at++ = '0';
    *at++ = 'x';
    *at++ = biased ? '1' : '0';
    *at++ = '.';
    at = put_hex(at, (bits & 0x7fffffu) << 1, 6);
    *at++ = 'p';
    *at++ = exponent < 0 ? '-' : '+';
    at += iri_print_uint(at, (uint64_t)(exponent < 0 ? -exponent : exponent));
    return (size_t)(at - text);
}

/* A decimal literal without suffix is first read as an f64 and must not lie above the largest f32
 * (section 6.2: FLT_MAX's own shortest spelling does). */
static bool reads_back(const char *text, size_t size, uint32_t bits)
{
    uint64_t wide = 0;
    if (iri_parse_f64(text, text + size, &wide) != size)
        return false;
    double value = iri_bits_f64(wide), limit = (double)iri_bits_f32(0x7f7fffffu);
    if (value > limit || value < -limit)
        return false;
    return iri_f32_bits((float)value) == bits;
}

static iri_wgsl_expr float_literal(iri_wgsl *w, uint32_t bits)
{
    iri_wgsl_expr e = {.level = bits >> 31 ? IRI_LEVEL_UNARY : IRI_LEVEL_POSTFIX};
    if ((bits & 0x7f800000u) == 0x7f800000u) {
        char digits[8];
        put_hex(digits, bits, 8);
        const iri_str pieces[] = {IRI_STR("from_bits(0x"), {digits, 8}, IRI_STR("u)")};
        w->from_bits = true;
        e.text = iri_wgsl_join(w, pieces, 3);
        e.level = IRI_LEVEL_POSTFIX;
        return e;
    }
    uint32_t place = bits * 0x9e3779b1u >> 26;
    if (!w->floats[place].text.at || w->floats[place].bits != bits) {
        char *text = iri_arena_take(w->arena, IRI_NUMBER_TEXT);
        size_t size = iri_print_f32(text, bits);
        if (!reads_back(text, size, bits))
            size = print_hex_float(text, bits);
        w->floats[place].bits = bits;
        w->floats[place].text = (iri_str){text, size};
    }
    e.text = w->floats[place].text;
    return e;
}

static iri_wgsl_expr half_literal(iri_wgsl *w, uint16_t bits)
{
    if ((bits & 0x7c00) == 0x7c00)
        iri_fail(w->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "WGSL cannot say the f16 0x%04x", bits);
    char *text = iri_arena_take(w->arena, IRI_NUMBER_TEXT + 1);
    size_t size = iri_print_f16(text, bits);
    text[size++] = 'h';
    return (iri_wgsl_expr){.text = {text, size},
                           .level = bits >> 15 ? IRI_LEVEL_UNARY : IRI_LEVEL_POSTFIX};
}

/* Large numbers are mostly bits, and better read in hexadecimal. */
static iri_str integer_text(iri_wgsl *w, uint32_t number, bool negative, const char *suffix)
{
    enum { DECIMAL_MAX = 0xffff };
    char *text = iri_arena_take(w->arena, IRI_UINT_TEXT + 4), *at = text;
    if (negative)
        *at++ = '-';
    if (number > DECIMAL_MAX && !negative) {
        *at++ = '0';
        *at++ = 'x';
        at = put_hex(at, number, hex_digits(number));
    } else {
        at += iri_print_uint(at, number);
    }
    if (*suffix)
        *at++ = *suffix;
    return (iri_str){text, (size_t)(at - text)};
}

iri_wgsl_expr iri_wgsl_literal(iri_wgsl *w, iri_scalar scalar, uint64_t bits)
{
    iri_wgsl_expr e = {.level = IRI_LEVEL_POSTFIX};
    uint32_t number = (uint32_t)bits;
    bool negative = number >> 31;
    switch (scalar) {
    case IRI_BOOL: e.text = bits ? IRI_STR("true") : IRI_STR("false"); return e;
    case IRI_U32: e.text = integer_text(w, number, false, "u"); return e;
    case IRI_I32:
        e.text = integer_text(w, negative ? 0u - number : number, negative, "");
        if (negative)
            e.level = IRI_LEVEL_UNARY;
        /* Without the type, the negation of 2147483648 would be one of an i32 that does not exist. */
        if (number == 0x80000000u)
            e.text = IRI_STR("i32(-2147483648)"), e.level = IRI_LEVEL_POSTFIX;
        return e;
    case IRI_F32: return float_literal(w, number);
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
    for (uint32_t i = 0; i < (different ? count : 1); i++)
        e[i] = iri_wgsl_literal(w, scalar, lanes[i]);
    return iri_wgsl_call(w, iri_wgsl_type(w, type), e, different ? count : 1);
}

iri_wgsl_expr iri_wgsl_zero(iri_wgsl *w, iri_type type)
{
    static const uint64_t zeros[4] = {0};
    return iri_wgsl_constant(w, type, zeros);
}
