/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the float transcendentals against the C library's of double, and against a hash of their
 * results, which must be the same on every machine.
 */
#include "tests/unit/test.h"

#include "base/math32.h"
#include "base/number.h"
#include "base/sha256.h"

#include <math.h>
#include <string.h>

#ifdef _WIN32
enum { ON_WINDOWS = 1 };
#else
enum { ON_WINDOWS = 0 };
#endif

/* Measured: 0.50000001 on a hundredth of all arguments and more. */
static const double ulp_bound = 0.5001;

typedef float function1(float x);
typedef double reference1(double x);
typedef float function2(float x, float y);
typedef double reference2(double x, double y);

static const struct {
    const char *name;
    function1 *function;
    reference1 *reference;
} functions1[] = {
    {"exp2", iri_exp2f, exp2}, {"log2", iri_log2f, log2}, {"exp", iri_expf, exp},
    {"log", iri_logf, log},    {"sin", iri_sinf, sin},    {"cos", iri_cosf, cos},
    {"tan", iri_tanf, tan},    {"asin", iri_asinf, asin}, {"acos", iri_acosf, acos},
    {"atan", iri_atanf, atan}, {"sinh", iri_sinhf, sinh}, {"cosh", iri_coshf, cosh},
    {"tanh", iri_tanhf, tanh},
};

static const struct {
    const char *name;
    function2 *function;
    reference2 *reference;
} functions2[] = {
    {"pow", iri_powf, pow},
    {"atan2", iri_atan2f, atan2},
};

static const uint32_t special[] = {
    0x00000000, 0x3f800000, 0x7f800000, 0x7fc00000, 0x7f800001, 0x40000000, 0x3f000000, 0x40400000,
    0x3fc00000, 0x00000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0x4b7fffff, 0x4b800001, 0x4afffffe,
    0x4affffff, 0x3f7fffff, 0x3f800001, 0x43000000, 0x42fe0000, 0x42ffffff, 0x43160000, 0x4315ffff,
    0x43150000, 0x42b17218, 0x42b17217, 0x42cff1b5, 0x3fc90fdb, 0x40490fdb, 0x3f490fdb, 0x3f490fda,
    0x4fc90fdb, 0x60000000, 0x5f31219b, 0x3eaaaaab, 0x41100000, 0x33800000, 0x39800000, 0x40b00000,
};

enum { SPECIALS = sizeof special / sizeof *special };

static uint32_t special_bits(uint32_t i)
{
    return special[i / 2] | (i & 1) << 31;
}

/* The distance in units of the last place the result has; huge where kinds or signs differ. */
static double ulps(float got, double wanted)
{
    double size = fabs(wanted);
    int exponent;
    if (isnan(wanted))
        return iri_f32_bits(got) == 0x7fc00000u ? 0 : 1e9;
    if (isnan(got) || (iri_f32_bits(got) >> 31) != (iri_f64_bits(wanted) >> 63))
        return 1e9;
    if (size >= 0x1.ffffffp127 || isinf(got))
        return isinf(got) && size >= 0x1.ffffffp127 ? 0 : 1e9;
    if (size == 0)
        return got == 0 ? 0 : 1e9;
    frexp(wanted, &exponent);
    return fabs(ldexp((double)got - wanted, exponent < -125 ? 149 : 24 - exponent));
}

static bool check1(size_t f, uint32_t bits)
{
    float x = iri_bits_f32(bits), got = functions1[f].function(x);
    double wanted = functions1[f].reference((double)x);
    if (ulps(got, wanted) <= ulp_bound)
        return true;
    FAIL("%s(%a) is %a, not %a: %f ulp", functions1[f].name, (double)x, (double)got, wanted,
         ulps(got, wanted));
    return false;
}

static bool check2(size_t f, float x, float y)
{
    float got = functions2[f].function(x, y);
    double wanted = functions2[f].reference((double)x, (double)y);
    if (ulps(got, wanted) <= ulp_bound)
        return true;
    FAIL("%s(%a, %a) is %a, not %a: %f ulp", functions2[f].name, (double)x, (double)y, (double)got,
         wanted, ulps(got, wanted));
    return false;
}

TEST(math32_one_operand)
{
    if (ON_WINDOWS)
        SKIP("the older Windows C library does not reduce large angles exactly");
    for (size_t f = 0; f < sizeof functions1 / sizeof *functions1; f++) {
        for (uint32_t i = 0; i < 2 * SPECIALS; i++)
            for (uint32_t near = 0; near < 5; near++)
                check1(f, special_bits(i) + near - 2);
        for (uint32_t i = 0; i < 200000; i++) {
            uint32_t bits = (uint32_t)iri_test_random();
            if (i % 4) /* of exponents -10 to 21 */
                bits = (bits & 0x8fffffff) + 0x3a800000;
            if (!check1(f, bits))
                break;
        }
    }
}

TEST(math32_two_operands)
{
    for (size_t f = 0; f < sizeof functions2 / sizeof *functions2; f++) {
        for (uint32_t i = 0; i < 2 * SPECIALS; i++)
            for (uint32_t j = 0; j < 2 * SPECIALS; j++)
                check2(f, iri_bits_f32(special_bits(i)), iri_bits_f32(special_bits(j)));
        for (uint32_t i = 0; i < 300000; i++) {
            uint64_t random = iri_test_random();
            float x = iri_bits_f32((uint32_t)random), y = iri_bits_f32((uint32_t)(random >> 32));
            if (i % 4 == 1) { /* small integers and quarters */
                x = (float)((int)(random & 0xfff) - 0x800) * 0.25f;
                y = (float)((int)(random >> 12 & 0x3f) - 0x20);
            } else if (i % 4 == 2) { /* lighting: a base in 0..1 */
                x = (float)(random & 0xffffff) * 0x1p-24f;
                y = (float)(random >> 40 & 0xffffff) * 0x1p-17f;
            } else if (i % 4 == 3) { /* powers in range */
                x = iri_bits_f32((uint32_t)random & 0x7fffffffu);
                y = (float)((double)(int32_t)(random >> 32) * 0x1p-24 / log2((double)x));
            }
            if (!check2(f, x, y))
                break;
        }
    }
}

TEST(math32_exact)
{
    for (int i = -149; i < 128; i++) {
        float power = (float)ldexp(1, i);
        CHECK(iri_exp2f((float)i) == power);
        CHECK(iri_log2f(power) == (float)i);
        CHECK(iri_powf(2, (float)i) == power);
        CHECK(iri_powf(power, 1) == power);
    }
    for (int i = 1; i < 4096; i++) {
        CHECK(iri_powf((float)i, 2) == (float)(i * i));
        CHECK(iri_powf((float)(i * i), 0.5f) == (float)i);
        CHECK(iri_powf((float)i, -1) == 1 / (float)i);
    }
}

/* 300,000 results, hashed: bits may not depend on the compiler, its options, the C
 * library or the processor. */
TEST(math32_same_bits)
{
    static const char expected[] =
        "6691b09cb87b947913e02cb957d4c2db15d92ec67db07539f907df591f53648b";
    iri_sha256 hash;
    uint8_t digest[32];
    char text[65];
    iri_sha256_init(&hash);
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t bits[2] = {(uint32_t)iri_test_random(), (uint32_t)iri_test_random()};
        uint8_t bytes[4];
        if (i % 4)
            bits[0] = (bits[0] & 0x8fffffff) + 0x3a800000;
        if (i % 4)
            bits[1] = (bits[1] & 0x83ffffff) + 0x3e800000;
        float x = iri_bits_f32(bits[0]), y = iri_bits_f32(bits[1]);
        for (size_t f = 0; f < sizeof functions1 / sizeof *functions1 + 2; f++) {
            float got = f < 2 ? functions2[f].function(i % 2 ? x : fabsf(x), y)
                              : functions1[f - 2].function(x);
            for (int b = 0; b < 4; b++)
                bytes[b] = (uint8_t)(iri_f32_bits(got) >> 8 * b);
            iri_sha256_add(&hash, bytes, sizeof bytes);
        }
    }
    iri_sha256_finish(&hash, digest);
    for (int i = 0; i < 64; i++)
        text[i] = "0123456789abcdef"[digest[i / 2] >> (i % 2 ? 0 : 4) & 15];
    text[64] = 0;
    CHECK_STR(text, expected);
}
