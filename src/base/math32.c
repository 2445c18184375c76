/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The transcendental functions of floats: each reduced to a short interval, a polynomial there in
 * double, and one rounding at the end. The polynomials interpolate at Chebyshev points and were
 * computed with 300 bits, then rounded; each is within 2^-54 of its function, so that what remains
 * is the last rounding. Only + - * / and sqrt are used, which IEEE 754 defines to the bit. Every
 * NaN returned is 0x7fc00000.
 */
#include "base/math32.h"
#include "base/math32_tables.h"
#include "base/number.h"

#include <float.h>
#include <math.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "float and double must be evaluated as such: on 32-bit x86 build with -msse2 -mfpmath=sse"
#endif

/* (asin(r) / r - 1) / r^2 in r^2, for |r| <= 1/2 */
static const double asin_poly[] = {
    0x1.5555555555555p-3,  0x1.3333333333388p-4, 0x1.6db6db6dac1e0p-5, 0x1.f1c71c7a52ba3p-6,
    0x1.6e8ba123e494cp-6,  0x1.1c4efce23019fp-6, 0x1.c990ad3d8fdcap-7, 0x1.7b027ee1dd585p-7,
    0x1.3b49de7121487p-7,  0x1.31622469ce5adp-7, 0x1.8f193743418ffp-9, 0x1.406192d124629p-6,
    -0x1.3b416bb7d9257p-6, 0x1.e529c6fce9bb4p-6,
};
/* (atan(r) / r - 1) / r^2 in r^2, for |r| <= sqrt 2 - 1 */
static const double atan_poly[] = {
    -0x1.5555555555555p-2, 0x1.9999999999953p-3, -0x1.249249248d7dcp-3, 0x1.c71c71c303dbbp-4,
    -0x1.745d165dc9713p-4, 0x1.3b1392d519db1p-4, -0x1.110e87b4357d2p-4, 0x1.e19a0bfa3eef9p-5,
    -0x1.ac7a5a79b3f26p-5, 0x1.74dccfb93fff0p-5, -0x1.1b311bb48c215p-5, 0x1.0acd9e91a5a35p-6,
};
/* (sinh(r) / r - 1) / r^2 in r^2, for |r| <= 1 */
static const double sinh_poly[] = {
    0x1.5555555555555p-3,  0x1.1111111111111p-7,  0x1.a01a01a01a001p-13, 0x1.71de3a556f96cp-19,
    0x1.ae6456792a77fp-26, 0x1.612467ccb2260p-33, 0x1.ae777c36fd5b6p-41, 0x1.99f0806c2628dp-49,
};
/* (tanh(r) / r - 1) / r^2 in r^2, for |r| <= 1/2 */
static const double tanh_poly[] = {
    -0x1.5555555555555p-2,  0x1.11111111110ecp-3,  -0x1.ba1ba1ba15daap-5,  0x1.664f487fed22ap-6,
    -0x1.226e34a851d2cp-7,  0x1.d6d39b48449bfp-9,  -0x1.7d9e74586c684p-10, 0x1.350ce30757046p-11,
    -0x1.efab6555ccc22p-13, 0x1.71eb85bee4b4ap-14, -0x1.8117b15cbb104p-16,
};

static const double ln2 = 0x1.62e42fefa39efp-1;
static const double pi = 0x1.921fb54442d18p+1;

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define POLY(coefficients, x) poly(coefficients, COUNT(coefficients), x)
/* r + r^3 p(r^2): the odd functions. */
#define ODD(coefficients, r) ((r) + (r) * ((r) * (r)*POLY(coefficients, (r) * (r))))

static double poly(const double *coefficients, int count, double x)
{
    double sum = coefficients[count - 1];
    for (int i = count - 2; i >= 0; i--)
        sum = sum * x + coefficients[i];
    return sum;
}

static float infinity(bool negative)
{
    return iri_bits_f32(negative ? 0xff800000u : 0x7f800000u);
}

static float not_a_number(void)
{
    return iri_bits_f32(0x7fc00000u);
}

static bool is_nan(float x)
{
    return (iri_f32_bits(x) & 0x7fffffffu) > 0x7f800000u;
}

static bool is_infinite(float x)
{
    return (iri_f32_bits(x) & 0x7fffffffu) == 0x7f800000u;
}

static bool is_negative(float x)
{
    return iri_f32_bits(x) >> 31 != 0;
}

/* The one rounding. C leaves conversion of what is too large undefined. */
static float to_float(double x)
{
    if (fabs(x) >= 0x1.ffffffp127)
        return infinity(x < 0);
    return (float)x;
}

/* 2^x for any x but NaN; 0 or above float's range where it is out of that by far. */
static double exp2_double(double x)
{
    if (x > 1000)
        x = 1000;
    if (x < -1000)
        return 0;
    int whole = (int)(x < 0 ? x - 0.5 : x + 0.5);
    double scale = iri_bits_f64((uint64_t)(1023 + whole) << 52);
    return scale * POLY(exp2_poly, x - whole);
}

/* x = 2^*exponent * m for positive finite x, sqrt(1/2) < m < sqrt 2; returns log m. */
static double log_double(double x, int *exponent)
{
    uint64_t bits = iri_f64_bits(x);
    double m = iri_bits_f64((bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52);
    *exponent = (int)(bits >> 52) - 1023;
    if (m > 0x1.6a09e667f3bcdp+0) {
        m *= 0.5;
        *exponent += 1;
    }
    double s = (m - 1) / (m + 1);
    return s * (2 + s * s * POLY(log_poly, s * s));
}

/* Of positive finite x; exact for powers of two. */
static double log2_double(double x)
{
    int exponent;
    double rest = log_double(x, &exponent);
    return exponent + rest * log2_e;
}

float iri_exp2f(float x)
{
    return is_nan(x) ? not_a_number() : to_float(exp2_double(x));
}

float iri_expf(float x)
{
    return is_nan(x) ? not_a_number() : to_float(exp2_double((double)x * log2_e));
}

float iri_log2f(float x)
{
    if (x == 0)
        return infinity(true);
    if (is_nan(x) || is_negative(x))
        return not_a_number();
    return is_infinite(x) ? x : to_float(log2_double(x));
}

float iri_logf(float x)
{
    int exponent;
    if (x == 0)
        return infinity(true);
    if (is_nan(x) || is_negative(x))
        return not_a_number();
    if (is_infinite(x))
        return x;
    double rest = log_double(x, &exponent);
    return to_float(exponent * ln2 + rest);
}

/* Whether y is an integer: 0 no, 1 even, 2 odd. */
static int parity(float y)
{
    uint32_t bits = iri_f32_bits(y);
    int exponent = (int)(bits >> 23 & 0xff) - 127;
    if (exponent < 0)
        return (bits & 0x7fffffffu) == 0;
    if (exponent > 23)
        return 1;
    uint32_t m = (bits & 0x7fffffu) | 0x800000u, fraction_bits = (uint32_t)(23 - exponent);
    if (m & ((UINT32_C(1) << fraction_bits) - 1))
        return 0;
    return m >> fraction_bits & 1 ? 2 : 1;
}

float iri_powf(float x, float y)
{
    float size = iri_bits_f32(iri_f32_bits(x) & 0x7fffffffu);
    if (y == 0 || x == 1)
        return 1;
    if (is_nan(x) || is_nan(y))
        return not_a_number();
    if (is_infinite(y)) {
        if (size == 1)
            return 1;
        return (size > 1) == is_negative(y) ? 0.0f : infinity(false);
    }
    bool negative = is_negative(x) && parity(y) == 2;
    if (size == 0 || is_infinite(size)) {
        if ((size == 0) == is_negative(y))
            return infinity(negative);
        return negative ? -0.0f : 0.0f;
    }
    if (is_negative(x) && !parity(y))
        return not_a_number();
    double power = exp2_double((double)y * log2_double(size));
    return to_float(negative ? -power : power);
}

/* r with x = quadrant * pi/2 + r and |r| <= pi/4, quadrant modulo 4, for finite x. Large arguments
 * are reduced with integers (Payne and Hanek 1983): of the bits of 2/pi only those can matter whose
 * product with x's 24 is neither a multiple of 4 nor below 2^-70; no multiple of pi/2 is nearer
 * than 2^-30 to a float. */
static double reduce(float x, uint32_t *quadrant)
{
    uint32_t bits = iri_f32_bits(x) & 0x7fffffffu;
    *quadrant = 0;
    if (fabs((double)x) <= pi_4)
        return x;
    /* |x| = m * 2^exponent; the first bit of 2/pi that counts has the weight 2^(1 - exponent). */
    uint64_t m = (bits & 0x7fffffu) | 0x800000u;
    int exponent = (int)(bits >> 23) - 150;
    uint32_t first = (uint32_t)(exponent - 1 + 31), words[3];
    const uint32_t *from = two_over_pi + first / 32;
    for (int i = 0; i < 3; i++)
        words[i] = first % 32 ? from[i] << first % 32 | from[i + 1] >> (32 - first % 32) : from[i];

    /* The product modulo 4, in units of 2^-94. */
    uint64_t low = m * words[2];
    uint64_t middle = m * words[1] + (low >> 32);
    uint64_t high = m * words[0] + (middle >> 32);
    uint64_t top = high << 32 | (middle & 0xffffffffu);
    uint64_t fraction = top << 2 | (low & 0xffffffffu) >> 30;
    double tail = (double)(low & 0x3fffffffu) * 0x1p-94;
    double turns;
    *quadrant = (uint32_t)(top >> 62);
    if (fraction >> 63) {
        *quadrant += 1;
        turns = tail - (double)(0 - fraction) * 0x1p-64;
    } else {
        turns = (double)fraction * 0x1p-64 + tail;
    }
    if (is_negative(x)) {
        *quadrant = 0 - *quadrant;
        turns = -turns;
    }
    *quadrant &= 3;
    return turns * pi_2;
}

static double sin_double(double r, uint32_t quadrant)
{
    double value = quadrant & 1 ? 1 + r * r * POLY(cos_poly, r * r) : ODD(sin_poly, r);
    return quadrant & 2 ? -value : value;
}

float iri_sinf(float x)
{
    uint32_t quadrant;
    if (is_nan(x) || is_infinite(x))
        return not_a_number();
    if (x == 0)
        return x; /* the sign of zero */
    double r = reduce(x, &quadrant);
    return to_float(sin_double(r, quadrant));
}

float iri_cosf(float x)
{
    uint32_t quadrant;
    if (is_nan(x) || is_infinite(x))
        return not_a_number();
    double r = reduce(x, &quadrant);
    return to_float(sin_double(r, quadrant + 1));
}

float iri_tanf(float x)
{
    uint32_t quadrant;
    if (is_nan(x) || is_infinite(x))
        return not_a_number();
    if (x == 0)
        return x;
    double r = reduce(x, &quadrant);
    return to_float(sin_double(r, quadrant) / sin_double(r, quadrant + 1));
}

/* asin of (1 - |x|) / 2's root: half of acos |x|, for |x| >= 1/2. */
static double half_acos(double x)
{
    double root = sqrt((1 - fabs(x)) * 0.5);
    return ODD(asin_poly, root);
}

float iri_asinf(float x)
{
    double size = fabs((double)x);
    if (is_nan(x) || size > 1)
        return not_a_number();
    if (x == 0)
        return x;
    if (size <= 0.5)
        return to_float(ODD(asin_poly, (double)x));
    double angle = pi_2 - 2 * half_acos(size);
    return to_float(x < 0 ? -angle : angle);
}

float iri_acosf(float x)
{
    double wide = x;
    if (is_nan(x) || fabs(wide) > 1)
        return not_a_number();
    if (fabs(wide) <= 0.5)
        return to_float(pi_2 - ODD(asin_poly, wide));
    return to_float(x < 0 ? pi - 2 * half_acos(wide) : 2 * half_acos(wide));
}

/* atan of x >= 0, which may be infinite. */
static double atan_double(double x)
{
    bool inverse = x > 1;
    double t = inverse ? 1 / x : x, angle;
    if (t > 0x1.a827999fcef32p-2) /* tan(pi/8) = sqrt 2 - 1 */
        t = (t - 1) / (t + 1), angle = pi_4 + ODD(atan_poly, t);
    else
        angle = ODD(atan_poly, t);
    return inverse ? pi_2 - angle : angle;
}

float iri_atanf(float x)
{
    if (is_nan(x))
        return not_a_number();
    if (x == 0)
        return x;
    double angle = atan_double(fabs((double)x));
    return to_float(x < 0 ? -angle : angle);
}

float iri_atan2f(float y, float x)
{
    double angle;
    if (is_nan(x) || is_nan(y))
        return not_a_number();
    if (y == 0)
        angle = 0;
    else if (is_infinite(x) && is_infinite(y))
        angle = pi_4;
    else
        angle = atan_double(fabs((double)y) / fabs((double)x));
    if (is_negative(x))
        angle = pi - angle;
    return to_float(is_negative(y) ? -angle : angle);
}

float iri_sinhf(float x)
{
    double size = fabs((double)x);
    if (is_nan(x))
        return not_a_number();
    if (x == 0)
        return x;
    if (size <= 1)
        return to_float(ODD(sinh_poly, (double)x));
    double power = exp2_double(size * log2_e);
    double value = 0.5 * (power - 1 / power);
    return to_float(x < 0 ? -value : value);
}

float iri_coshf(float x)
{
    if (is_nan(x))
        return not_a_number();
    double power = exp2_double(fabs((double)x) * log2_e);
    return to_float(0.5 * (power + 1 / power));
}

float iri_tanhf(float x)
{
    double size = fabs((double)x);
    if (is_nan(x))
        return not_a_number();
    if (x == 0)
        return x;
    if (size <= 0.5)
        return to_float(ODD(tanh_poly, (double)x));
    double value = 1 - 2 / (exp2_double(size * (2 * log2_e)) + 1);
    return to_float(x < 0 ? -value : value);
}
