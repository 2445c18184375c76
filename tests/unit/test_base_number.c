/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of float text and half floats, against the C library's printf and strtod.
 */
#include "tests/unit/test.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The older Windows C library does not print and read doubles exactly. */
#ifdef _WIN32
enum { LIBRARY_IS_EXACT = 0 };
#else
enum { LIBRARY_IS_EXACT = 1 };
#endif

/* Significant digits of a printed number. */
static int significant(const char *text)
{
    int count = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && !count))
            continue;
        count++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return count - zeros;
}

/* Whether `text` is the shortest that identifies the value, and among those the nearest. `width` is
 * 32 or 64. */
static bool is_shortest(const char *text, double value, int width)
{
    char other[64];
    int digits = significant(text);
    if (value == 0 || !LIBRARY_IS_EXACT)
        return true;
    if (fabs(value) < 1e16 && value == floor(value)) {
        snprintf(other, sizeof other, "%.1f", value);
        return strcmp(text, other) == 0;
    }
    /* The C library's rounding to fewer digits is another value's, and to as many is this text,
     * unless it lies outside the interval (as below powers of two it can). */
    snprintf(other, sizeof other, "%.*e", digits - 1, value);
    double back = strtod(other, NULL);
    if ((width == 32 ? (double)strtof(other, NULL) : back) == value && back != strtod(text, NULL))
        return false;
    if (digits == 1)
        return true;
    snprintf(other, sizeof other, "%.*e", digits - 2, value);
    return (width == 32 ? (double)strtof(other, NULL) : strtod(other, NULL)) != value;
}

static bool check_f32(uint32_t bits, bool shortest)
{
    char text[IRI_NUMBER_TEXT];
    uint32_t back = ~bits;
    size_t size = iri_print_f32(text, bits);
    if (size != strlen(text) || iri_parse_f32(text, text + size, &back) != size || back != bits ||
        !(strchr(text, '.') || strchr(text, 'e'))) {
        FAIL("0x%08x is printed as %s and read as 0x%08x", (unsigned)bits, text, (unsigned)back);
        return false;
    }
    if (shortest && (iri_f32_bits(strtof(text, NULL)) != bits ||
                     !is_shortest(text, (double)iri_bits_f32(bits), 32))) {
        FAIL("0x%08x is printed as %s, which is not the shortest", (unsigned)bits, text);
        return false;
    }
    return true;
}

static bool check_f64(uint64_t bits, bool shortest)
{
    char text[IRI_NUMBER_TEXT];
    uint64_t back = ~bits;
    size_t size = iri_print_f64(text, bits);
    if (size != strlen(text) || iri_parse_f64(text, text + size, &back) != size || back != bits) {
        FAIL("0x%016llx is printed as %s and read as 0x%016llx", (unsigned long long)bits, text,
             (unsigned long long)back);
        return false;
    }
    if (shortest &&
        (iri_f64_bits(strtod(text, NULL)) != bits || !is_shortest(text, iri_bits_f64(bits), 64))) {
        FAIL("0x%016llx is printed as %s, which is not the shortest", (unsigned long long)bits,
             text);
        return false;
    }
    return true;
}

TEST(number_texts)
{
    static const struct {
        uint32_t bits;
        const char *text;
    } rows[] = {
        {0x00000000, "0.0"},
        {0x80000000, "-0.0"},
        {0x3f800000, "1.0"},
        {0xbf000000, "-0.5"},
        {0x3dcccccd, "0.1"},
        {0x3eaaaaab, "0.33333334"},
        {0x40490fdb, "3.1415927"},
        {0x3727c5ac, "0.00001"},
        {0x358637bd, "1e-6"},
        {0x00000001, "1e-45"},
        {0x00800000, "1.1754944e-38"},
        {0x7f7fffff, "3.4028235e38"},
        {0x4b800000, "16777216.0"},
        {0x4f800000, "4294967296.0"},
        {0x5a0e1bc9, "9999999198822400.0"},
        {0x5a0e1bca, "1e16"},
        {0x5a0e1bcb, "1.0000001e16"},
        {0x501502f9, "10000000000.0"},
        {0x42f6e979, "123.456"},
    };
    char text[IRI_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        iri_print_f32(text, rows[i].bits);
        CHECK_STR(text, rows[i].text);
    }
    iri_print_f64(text, UINT64_C(0x3fb999999999999a));
    CHECK_STR(text, "0.1");
    iri_print_f64(text, 1);
    CHECK_STR(text, "5e-324");
    iri_print_f64(text, UINT64_C(0x7fefffffffffffff));
    CHECK_STR(text, "1.7976931348623157e308");
    iri_print_f64(text, UINT64_C(0xffefffffffffffff) - 1);
    CHECK_STR(text, "-1.7976931348623155e308");
    iri_print_f16(text, 0x2e66);
    CHECK_STR(text, "0.1");
    iri_print_f16(text, 0x7bff);
    CHECK_STR(text, "65504.0");
    iri_print_f16(text, 1);
    CHECK_STR(text, "6e-8");
}

TEST(number_f32)
{
    /* Around every power of two, where the interval is uneven. */
    for (uint32_t exponent = 1; exponent < 255; exponent++)
        for (uint32_t near = 0; near < 16; near++)
            if (!check_f32((exponent << 23) + near - 8, true))
                return;
    for (uint32_t i = 0; i < 1000000; i++) {
        uint32_t bits = (uint32_t)iri_test_random();
        if (i % 4) /* what shaders hold: exponents near 0 */
            bits = (bits & 0x87ffffff) + 0x3a000000;
        if ((bits >> 23 & 0xff) != 0xff && !check_f32(bits, i % 8 == 0 || i % 8 == 1))
            return;
    }
    for (int i = -20000; i < 20000; i++)
        if (!check_f32(iri_f32_bits((float)i / 1000), i % 16 == 0) ||
            !check_f32(iri_f32_bits((float)i / 255), i % 16 == 0))
            return;
}

TEST(number_f64)
{
    for (uint64_t exponent = 0; exponent < 2047; exponent++)
        if (!check_f64(exponent << 52, true) || !check_f64((exponent << 52) + 1, exponent % 8 == 0))
            return;
    for (uint32_t i = 0; i < 50000; i++) {
        uint64_t bits = iri_test_random();
        if (i % 2)
            bits = (bits & UINT64_C(0x80ffffffffffffff)) + UINT64_C(0x3f80000000000000);
        if ((bits >> 52 & 0x7ff) != 0x7ff && !check_f64(bits, i % 4 < 2))
            return;
        if (!check_f64(iri_f64_bits((double)(int64_t)(bits >> 40) / 1000), i % 8 == 0))
            return;
    }
}

static bool check_parse(const char *text)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;
    size_t size = strlen(text);
    bool right = iri_parse_f64(text, text + size, &wide) == size &&
                 wide == iri_f64_bits(strtod(text, NULL)) &&
                 iri_parse_f32(text, text + size, &narrow) == size &&
                 narrow == iri_f32_bits(strtof(text, NULL));
    if (!right)
        FAIL("%.60s... (%u bytes) is read as 0x%016llx, 0x%08x", text, (unsigned)size,
             (unsigned long long)wide, (unsigned)narrow);
    return right;
}

TEST(number_parse_hard)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "+1",
        "1.",
        ".5",
        "-.5e+2",
        "00000000000000000000001",
        "0e999999999999999999999",
        "1e999999999999999999999",
        "-1e-999999999999999999999",
        "1e400",
        "1e309",
        "1e308",
        "1e39",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "179769313486231580793728971405301e276",
        "3.4028234e38",
        "3.4028235e38",
        "3.40282357e38",
        "3.4028235677973366e38",
        "340282356779733661637539395458142568447",
        "340282356779733661637539395458142568448",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "7.0064923216240853e-46",
        "7.0064923216240854e-46",
        "7.006492321624085e-46",
        "1.401298464324817e-45",
        "1.1754942807573643e-38",
        "9007199254740993",
        "9007199254740993.00000000000000000000000000000001",
        "16777217",
        "16777217.0000000000000000000000000000000001",
        "16777219",
        "33554434.99999999999999999999",
        "1.00000005960464477539062500000000000001",
        "1.000000059604644775390625",
        "1.00000017881393432617187499999999999999",
        "0.1e1",
        "123456789012345678901234567890e-30",
        "8.5070591730234615865843651857942052864e37",
        "1e23",
        "8.41e21",
        "9.5367431640625e-7",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_parse(texts[i]);

    /* Halfway between neighbours, exactly, and a little to both sides. */
    static char text[1300];
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t bits = (uint32_t)iri_test_random() % 0x7f000000u;
        double half = ((double)iri_bits_f32(bits) + (double)iri_bits_f32(bits + 1)) / 2;
        int length = snprintf(text, sizeof text, "%.*f", i % 2 ? 170 : 200, half);
        bool right = check_parse(text);
        memcpy(text + length, "00000000000000001", 18);
        right = right && check_parse(text);
        /* One below in the last nonzero place. */
        char *last = text + length - 1;
        while (*last == '0' || *last == '.')
            last--;
        --*last;
        if (!right || !check_parse(text))
            return;
    }
    /* Longer than what is kept: only the last digit tells. */
    strcpy(text, "1.000000059604644775390625");
    memset(text + strlen("1.000000059604644775390625"), '0', 1200);
    text[1250] = 0;
    CHECK(check_parse(text));
    text[1249] = '1';
    CHECK(check_parse(text));
    memset(text, '9', 1250);
    CHECK(check_parse(text));
    memcpy(text + 1240, "e-1240", 7);
    CHECK(check_parse(text));
    memset(text, '0', 1240);
    text[1] = '.';
    memcpy(text + 1200, "123e+1190", 10);
    CHECK(check_parse(text));
}

TEST(number_parse_bounds)
{
    static const struct {
        const char *text;
        size_t size, read;
    } rows[] = {
        {"", 0, 0},     {"-", 1, 0},   {".", 1, 0},     {"e5", 2, 0},   {"x", 1, 0},
        {"inf", 3, 0},  {"nan", 3, 0}, {"1e", 2, 1},    {"1e+", 3, 1},  {"1e+5", 4, 4},
        {"1e+5", 3, 1}, {"12", 1, 1},  {"1.5.5", 5, 3}, {"1f", 2, 1},   {"+-1", 3, 0},
        {"1 2", 3, 1},  {" 1", 2, 0},  {"-.", 2, 0},    {"1.e3", 4, 4}, {"0x10", 4, 1},
        {"1E2", 3, 3},  {"-5", 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t bits = 0x55;
        /* A copy that ends where the text does, so that a sanitizer sees a read past it. */
        char *copy = malloc(rows[i].size + 1);
        if (!copy)
            SKIP("no memory");
        memcpy(copy + 1, rows[i].text, rows[i].size);
        size_t read = iri_parse_f32(copy + 1, copy + 1 + rows[i].size, &bits);
        if (read != rows[i].read || (!read && bits != 0x55))
            FAIL("'%.*s': %u bytes read", (int)rows[i].size, rows[i].text, (unsigned)read);
        free(copy);
    }
}

/* The definition: sign, 1.fraction * 2^(exponent - 15) or fraction * 2^-24. */
static double half_value(uint32_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double m = (double)(bits & 0x3ff);
    double value = exponent ? ldexp(m + 1024, exponent - 25) : ldexp(m, -24);
    return bits >> 15 ? -value : value;
}

TEST(number_f16_all)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        uint16_t half = (uint16_t)bits, back = (uint16_t)~bits;
        float value = iri_f16_to_f32(half);
        CHECK_EQ_U32(iri_f32_to_f16(value), bits);
        if ((bits & 0x7c00) == 0x7c00) {
            CHECK((bits & 0x3ff) ? isnan(value) : isinf(value) && (value < 0) == (bits >> 15 != 0));
            continue;
        }
        CHECK_EQ_U32(iri_f64_to_f16(half_value(bits)), bits);
        if (!CHECK(iri_f64_bits((double)value) == iri_f64_bits(half_value(bits))))
            return;
        char text[IRI_NUMBER_TEXT];
        size_t size = iri_print_f16(text, half);
        if (!CHECK_EQ_U64(iri_parse_f16(text, text + size, &back), size) ||
            !CHECK_EQ_U32(back, bits))
            return;
    }
    /* NaNs stay NaNs, with their payload's top. */
    CHECK_EQ_U32(iri_f32_to_f16(iri_bits_f32(0x7f800001)), 0x7e00);
    CHECK_EQ_U32(iri_f32_to_f16(iri_bits_f32(0xffc12345)), 0xfe09);
    CHECK_EQ_U32(iri_f64_to_f16(iri_bits_f64(UINT64_C(0xfff0000000000001))), 0xfe00);
}

TEST(number_f16_rounding)
{
    /* Between each two neighbours: the half goes to even, the rest to the nearer one. */
    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        double low = half_value(bits), high = half_value(bits + 1), half = (low + high) / 2;
        uint32_t even = bits + (bits & 1);
        double little = (high - low) / 4096;
        bool right = iri_f64_to_f16(half) == even && iri_f32_to_f16((float)half) == even &&
                     iri_f32_to_f16((float)-half) == (even | 0x8000) &&
                     iri_f32_to_f16((float)(half - little)) == bits &&
                     iri_f32_to_f16((float)(half + little)) == bits + 1 &&
                     iri_f64_to_f16(half - little * 0x1p-20) == bits &&
                     iri_f64_to_f16(half + little * 0x1p-20) == bits + 1;
        if (!right) {
            FAIL("beside 0x%04x", (unsigned)bits);
            return;
        }
    }
    CHECK_EQ_U32(iri_f32_to_f16(65519.996f), 0x7bff);
    CHECK_EQ_U32(iri_f32_to_f16(65520.0f), 0x7c00);
    CHECK_EQ_U32(iri_f32_to_f16(-1e30f), 0xfc00);
    CHECK_EQ_U32(iri_f64_to_f16(-1e300), 0xfc00);
    CHECK_EQ_U32(iri_f32_to_f16(-1e-30f), 0x8000);
    CHECK_EQ_U32(iri_f64_to_f16(4e-320), 0);
}
