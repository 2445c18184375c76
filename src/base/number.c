/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact decimal text of binary floats. Printing generates digits until they identify the value
 * (Steele and White 1990, with the boundary rules of Burger and Dybvig 1996); parsing divides
 * exactly and rounds once. Both work on integers of up to 4096 bits, with a path before them for
 * what shaders mostly hold: short decimals, for which doubles are provably exact.
 */
#include "base/number.h"

#include <assert.h>
#include <float.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "float and double must be evaluated as such: on 32-bit x86 build with -msse2 -mfpmath=sse"
#endif

/* A binary format: `precision` bits with the implicit one, and its normal numbers' exponents. */
typedef struct format {
    int precision, min_exponent, max_exponent;
} format;

static const format f16_format = {11, -14, 15};
static const format f32_format = {24, -126, 127};
static const format f64_format = {53, -1022, 1023};

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* ---- Large integers ---- */

/* The largest is 10^1125 shifted by a word: see parse. */
enum { BIG_WORDS = 128 };

typedef struct big {
    uint32_t count; /* of words in use; the top one is not 0 */
    uint32_t words[BIG_WORDS];
} big;

static void big_set(big *b, uint64_t value)
{
    b->count = 0;
    for (; value; value >>= 32)
        b->words[b->count++] = (uint32_t)value;
}

static void big_multiply(big *b, uint32_t factor, uint32_t carry)
{
    uint64_t sum = carry;
    for (uint32_t i = 0; i < b->count; i++) {
        sum += (uint64_t)b->words[i] * factor;
        b->words[i] = (uint32_t)sum;
        sum >>= 32;
    }
    if (sum) {
        assert(b->count < BIG_WORDS);
        b->words[b->count++] = (uint32_t)sum;
    }
}

static void big_scale_ten(big *b, uint32_t power)
{
    for (; power >= 9; power -= 9)
        big_multiply(b, 1000000000u, 0);
    for (; power; power--)
        big_multiply(b, 10, 0);
}

static void big_shift(big *b, uint32_t bits)
{
    uint32_t whole = bits / 32, part = bits % 32;
    if (!b->count)
        return;
    if (part)
        big_multiply(b, UINT32_C(1) << part, 0);
    if (whole) {
        assert(b->count + whole <= BIG_WORDS);
        memmove(b->words + whole, b->words, b->count * sizeof *b->words);
        memset(b->words, 0, whole * sizeof *b->words);
        b->count += whole;
    }
}

static uint32_t big_bits(const big *b)
{
    uint32_t bits = b->count * 32;
    if (!bits)
        return 0;
    for (uint32_t top = b->words[b->count - 1]; !(top & 0x80000000u); top <<= 1)
        bits--;
    return bits;
}

static int big_compare(const big *a, const big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (uint32_t i = a->count; i-- > 0;)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

/* a -= b, where a >= b. */
static void big_subtract(big *a, const big *b)
{
    uint32_t borrow = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        uint64_t gone = (uint64_t)(i < b->count ? b->words[i] : 0) + borrow;
        borrow = a->words[i] < gone;
        a->words[i] = (uint32_t)(a->words[i] - gone);
    }
    assert(!borrow);
    while (a->count && !a->words[a->count - 1])
        a->count--;
}

/* Compares a + b with c. */
static int big_compare_sum(const big *a, const big *b, const big *c)
{
    big sum = a->count > b->count ? *a : *b;
    const big *other = a->count > b->count ? b : a;
    uint64_t carry = 0;
    for (uint32_t i = 0; i < sum.count; i++) {
        carry += (uint64_t)sum.words[i] + (i < other->count ? other->words[i] : 0);
        sum.words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        sum.words[sum.count++] = (uint32_t)carry;
    return big_compare(&sum, c);
}

/* ---- Printing ---- */

/* Digits with the decimal exponent of the first: 1.25e3 is "125" and 3. */
typedef struct decimal {
    uint32_t count;
    int exponent;
    char digits[20];
} decimal;

/* A positive value m * 2^e. It is `uneven` where the next smaller value is at half the distance. */
typedef struct binary {
    uint64_t m;
    int e;
    bool uneven;
} binary;

static void set_digits(decimal *out, uint64_t integer, int places)
{
    char text[20];
    uint32_t length = 0, count;
    for (; integer; integer /= 10)
        text[length++] = (char)('0' + integer % 10);
    for (count = 0; count < length; count++)
        out->digits[count] = text[length - 1 - count];
    out->exponent = (int)length - 1 - places;
    while (count > 1 && out->digits[count - 1] == '0')
        count--;
    out->count = count;
}

/* 2^e for exponents of normal doubles. */
static double two_to(int e)
{
    return iri_bits_f64((uint64_t)(1023 + e) << 52);
}

/* Values of at most 24 bits below 2^24, with up to eleven decimal places: the interval's ends have
 * 26 bits and 5^11 has 26, so every product here is exact. With the fewest places come the fewest
 * digits: where the interval spans an integer besides the value, both were read as integers. */
static bool shortest_of_short(const binary *v, decimal *out)
{
    double value = (double)v->m * two_to(v->e);
    double high = value + 0.5 * two_to(v->e);
    double low = value - (v->uneven ? 0.25 : 0.5) * two_to(v->e);
    bool closed = (v->m & 1) == 0; /* the ends read back as the value: ties go to even */
    if (value >= 16777216.0)
        return false;
    for (int places = 0; places <= 11; places++) {
        double scale = powers_of_ten[places], middle = value * scale;
        uint64_t first = (uint64_t)(low * scale), last = (uint64_t)(high * scale);
        if ((double)first < low * scale || !closed)
            first++;
        if ((double)last == high * scale && !closed)
            last--;
        if (first > last)
            continue;
        uint64_t nearest = (uint64_t)middle;
        double rest = middle - (double)nearest;
        if (rest > 0.5 || (rest == 0.5 && (nearest & 1)))
            nearest++;
        if (nearest < first)
            nearest = first;
        if (nearest > last)
            nearest = last;
        set_digits(out, nearest, places);
        return true;
    }
    return false;
}

/* Integers that are written without an exponent: fewer significant digits would only turn digits
 * into zeros, so the exact ones are as short. */
static bool shortest_of_integer(const binary *v, decimal *out)
{
    if (v->e < 0 || v->e > 53 || v->m > UINT64_C(9999999999999999) >> v->e)
        return false;
    set_digits(out, v->m << v->e, 0);
    return true;
}

/* Doubles that are decimals of at most 15 digits: one such at most lies in a double's interval, and
 * the quotient of two exact doubles is what reading it back gives (Clinger 1990). */
static bool shortest_of_double(const binary *v, decimal *out)
{
    if (v->e < -1000 || v->e > 0)
        return false;
    double value = (double)v->m * two_to(v->e);
    for (int places = 0; places <= 22; places++) {
        double scaled = value * powers_of_ten[places];
        if (scaled >= 1e15)
            return false;
        uint64_t nearest = (uint64_t)(scaled + 0.5);
        if ((double)nearest / powers_of_ten[places] == value) {
            set_digits(out, nearest, places);
            return true;
        }
    }
    return false;
}

/* The value is r / s, its distances to the interval's ends `below` / s and `above` / s. */
static void shortest_of_any(const binary *v, decimal *out)
{
    big r, s, below, above;
    bool closed = (v->m & 1) == 0;
    int bits = 0;
    while (v->m >> bits)
        bits++;
    /* The estimate of the exponent plus one is right or one too small, as 0.30103 * log2 v is. */
    int64_t scaled = (int64_t)(v->e + bits - 1) * 78913;
    int point = (int)(scaled >= 0 ? scaled >> 18 : -((-scaled + 0x3ffff) >> 18));

    big_set(&r, v->m);
    big_set(&s, v->uneven ? 4 : 2);
    big_set(&below, 1);
    big_shift(&r, (uint32_t)(v->uneven ? 2 : 1) + (uint32_t)(v->e > 0 ? v->e : 0));
    big_shift(&below, (uint32_t)(v->e > 0 ? v->e : 0));
    big_shift(&s, (uint32_t)(v->e < 0 ? -v->e : 0));
    if (point > 0) {
        big_scale_ten(&s, (uint32_t)point);
    } else {
        big_scale_ten(&r, (uint32_t)-point);
        big_scale_ten(&below, (uint32_t)-point);
    }
    above = below;
    if (v->uneven)
        big_shift(&above, 1);
    while (big_compare_sum(&r, &above, &s) >= (closed ? 0 : 1)) {
        big_multiply(&s, 10, 0);
        point++;
    }

    out->count = 0;
    out->exponent = point - 1;
    for (;;) {
        char digit = '0';
        big_multiply(&r, 10, 0);
        big_multiply(&below, 10, 0);
        big_multiply(&above, 10, 0);
        for (; big_compare(&r, &s) >= 0; digit++)
            big_subtract(&r, &s);
        bool down = big_compare(&r, &below) < (closed ? 1 : 0);
        bool up = big_compare_sum(&r, &above, &s) >= (closed ? 0 : 1);
        if (down && up) {
            int half = big_compare_sum(&r, &r, &s);
            up = half > 0 || (half == 0 && (digit & 1));
        }
        /* A digit above 9 cannot be: the value then had fewer digits. */
        out->digits[out->count++] = (char)(digit + (up ? 1 : 0));
        if (down || up)
            break;
    }
}

static size_t write_decimal(char *text, const decimal *d)
{
    char *at = text;
    int exponent = d->exponent;
    uint32_t i = 0;
    if (exponent >= 0 && exponent <= 15) {
        for (int place = 0; place <= exponent; place++)
            *at++ = i < d->count ? d->digits[i++] : '0';
        *at++ = '.';
        if (i == d->count)
            *at++ = '0';
        while (i < d->count)
            *at++ = d->digits[i++];
    } else if (exponent < 0 && exponent >= -5) {
        *at++ = '0';
        *at++ = '.';
        for (int place = -1; place > exponent; place--)
            *at++ = '0';
        while (i < d->count)
            *at++ = d->digits[i++];
    } else {
        *at++ = d->digits[i++];
        if (i < d->count)
            *at++ = '.';
        while (i < d->count)
            *at++ = d->digits[i++];
        *at++ = 'e';
        if (exponent < 0) {
            *at++ = '-';
            exponent = -exponent;
        }
        if (exponent >= 100)
            *at++ = (char)('0' + exponent / 100);
        if (exponent >= 10)
            *at++ = (char)('0' + exponent / 10 % 10);
        *at++ = (char)('0' + exponent % 10);
    }
    *at = 0;
    return (size_t)(at - text);
}

static size_t print(char *text, const format *f, uint64_t bits)
{
    int fraction_bits = f->precision - 1;
    uint64_t implicit = UINT64_C(1) << fraction_bits;
    uint64_t fraction = bits & (implicit - 1);
    uint32_t exponent_mask = (uint32_t)(2 * f->max_exponent + 1);
    uint32_t biased = (uint32_t)(bits >> fraction_bits) & exponent_mask;
    size_t sign = bits >> fraction_bits > exponent_mask;
    decimal d;
    assert(biased != exponent_mask);
    if (sign)
        *text++ = '-';
    if (!biased && !fraction) {
        memcpy(text, "0.0", 4);
        return sign + 3;
    }
    binary v = {biased ? fraction | implicit : fraction,
                f->min_exponent - fraction_bits + (int)(biased ? biased - 1 : 0),
                biased > 1 && !fraction};
    if (!shortest_of_integer(&v, &d) &&
        !(f->precision <= 24 ? shortest_of_short(&v, &d) : shortest_of_double(&v, &d)))
        shortest_of_any(&v, &d);
    return sign + write_decimal(text, &d);
}

size_t iri_print_f16(char text[IRI_NUMBER_TEXT], uint16_t bits)
{
    return print(text, &f16_format, bits);
}

size_t iri_print_f32(char text[IRI_NUMBER_TEXT], uint32_t bits)
{
    return print(text, &f32_format, bits);
}

size_t iri_print_f64(char text[IRI_NUMBER_TEXT], uint64_t bits)
{
    return print(text, &f64_format, bits);
}

enum { NINE = 9 };

/* v to nine significant digits, ties to even. */
static void nearest_nine(const binary *v, decimal *out)
{
    big r, s;
    int bits = 0, point;
    while (v->m >> bits)
        bits++;
    int64_t scaled = (int64_t)(v->e + bits - 1) * 78913; /* as above */
    point = (int)(scaled >= 0 ? scaled >> 18 : -((-scaled + 0x3ffff) >> 18));
    big_set(&r, v->m);
    big_set(&s, 1);
    big_shift(v->e > 0 ? &r : &s, (uint32_t)(v->e > 0 ? v->e : -v->e));
    big_scale_ten(point > 0 ? &s : &r, (uint32_t)(point > 0 ? point : -point));
    while (big_compare(&r, &s) >= 0) {
        big_multiply(&s, 10, 0);
        point++;
    }
    for (out->count = 0; out->count < NINE; out->count++) {
        char digit = '0';
        big_multiply(&r, 10, 0);
        for (; big_compare(&r, &s) >= 0; digit++)
            big_subtract(&r, &s);
        out->digits[out->count] = digit;
    }
    int half = big_compare_sum(&r, &r, &s);
    if (half > 0 || (half == 0 && (out->digits[NINE - 1] & 1))) {
        uint32_t i = NINE;
        while (i && out->digits[i - 1] == '9')
            out->digits[--i] = '0';
        if (i)
            out->digits[i - 1]++;
        else
            out->digits[0] = '1', point++;
    }
    while (out->count > 1 && out->digits[out->count - 1] == '0')
        out->count--;
    out->exponent = point - 1;
}

/* As %g lays out the digits: an exponent below -4 or from nine on. */
static size_t write_general(char *text, const decimal *d)
{
    char *at = text;
    uint32_t i = 0;
    int exponent = d->exponent, point = exponent;
    bool scientific = exponent < -4 || exponent >= NINE;
    if (scientific)
        point = 0;
    if (point < 0) {
        *at++ = '0';
        *at++ = '.';
        for (int place = -1; place > point; place--)
            *at++ = '0';
    }
    for (; i < d->count || (int)i <= point; i++) {
        if (point >= 0 && (int)i == point + 1)
            *at++ = '.';
        *at++ = i < d->count ? d->digits[i] : '0';
    }
    if (scientific) {
        uint32_t size = (uint32_t)(exponent < 0 ? -exponent : exponent);
        *at++ = 'e';
        *at++ = exponent < 0 ? '-' : '+';
        *at++ = (char)('0' + size / 100);
        *at++ = (char)('0' + size / 10 % 10);
        *at++ = (char)('0' + size % 10);
    }
    *at = 0;
    return (size_t)(at - text);
}

size_t iri_print_f64_nine(char text[IRI_NUMBER_TEXT], uint64_t bits)
{
    const uint64_t quiet = UINT64_C(1) << 51;
    uint64_t fraction = bits & (2 * quiet - 1);
    uint32_t biased = (uint32_t)(bits >> 52) & 0x7ffu;
    size_t sign = bits >> 63;
    if (sign)
        *text++ = '-';
    if (biased == 0x7ff) {
        const char *word = !fraction                   ? "1.#INF"
                           : !(fraction & quiet)       ? "1.#SNAN"
                           : sign && fraction == quiet ? "1.#IND"
                                                       : "1.#QNAN";
        strcpy(text, word);
        return sign + strlen(word);
    }
    if (!biased && !fraction) {
        strcpy(text, "0");
        return sign + 1;
    }
    binary v = {biased ? fraction | 2 * quiet : fraction, biased ? (int)biased - 1075 : -1074,
                false};
    decimal d;
    nearest_nine(&v, &d);
    return sign + write_general(text, &d);
}

uint64_t iri_f32_to_f64_bits(uint32_t bits)
{
    uint64_t sign = (uint64_t)(bits >> 31) << 63;
    if ((bits & 0x7f800000u) == 0x7f800000u) {
        uint64_t fraction = (uint64_t)(bits & 0x7fffffu) << 29;
        return sign | UINT64_C(0x7ff0000000000000) | fraction | (fraction ? UINT64_C(1) << 51 : 0);
    }
    return iri_f64_bits((double)iri_bits_f32(bits));
}

/* ---- Rounding ---- */

/* q * 2^(exponent - 63), q's top bit set, plus a little more where `sticky`, rounded to nearest
 * with ties to even: the bits without sign. *tie tells whether it lay halfway, sticky aside. */
static uint64_t round_to(const format *f, uint64_t q, int64_t exponent, bool sticky, bool *tie)
{
    uint64_t infinity = (uint64_t)(2 * f->max_exponent + 1) << (f->precision - 1);
    int64_t kept = f->precision;
    *tie = false;
    if (exponent > f->max_exponent)
        return infinity;
    if (exponent < f->min_exponent)
        kept -= f->min_exponent - exponent;
    if (kept < 0)
        return 0;
    uint64_t m = kept ? q >> (64 - kept) : 0;
    uint64_t half = q >> (63 - kept) & 1;
    bool rest = q << (kept + 1) != 0;
    *tie = half && !rest;
    if (half && (rest || sticky || (m & 1)))
        m++;
    if (exponent < f->min_exponent)
        return m;
    /* The implicit bit in m adds one to the exponent, and a carry out of m another. */
    return ((uint64_t)(exponent - f->min_exponent) << (f->precision - 1)) + m;
}

/* ---- Parsing ---- */

enum { DIGITS_KEPT = 800 }; /* a double's halfway point has at most 767 */

/* A decimal as read: digits, as characters without leading zeros, times 10^exponent. */
typedef struct scanned {
    const char *digits; /* may contain one '.' */
    const char *end;
    uint64_t count;
    int64_t exponent;
    bool negative;
} scanned;

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static const char *scan_exponent(const char *at, const char *end, int64_t *exponent)
{
    const char *start = at;
    int64_t value = 0;
    bool negative = false;
    *exponent = 0;
    if (at == end || (*at != 'e' && *at != 'E'))
        return start;
    at++;
    if (at < end && (*at == '+' || *at == '-'))
        negative = *at++ == '-';
    if (!is_digit(at, end))
        return start;
    for (; is_digit(at, end); at++)
        if (value < INT64_C(1000000000000000)) /* no text has that many digits to make up for it */
            value = value * 10 + (*at - '0');
    *exponent = negative ? -value : value;
    return at;
}

/* The bytes of the number, 0 where there is none. */
static size_t scan(const char *text, const char *end, scanned *s)
{
    const char *at = text;
    bool any = false, point = false;
    int64_t places = 0;
    memset(s, 0, sizeof *s);
    if (at < end && (*at == '+' || *at == '-'))
        s->negative = *at++ == '-';
    for (; is_digit(at, end) || (at < end && *at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        any = true;
        places += point;
        if (!s->digits && *at != '0')
            s->digits = at;
        s->count += s->digits != NULL;
    }
    if (!any)
        return 0;
    s->end = at;
    at = scan_exponent(at, end, &s->exponent);
    s->exponent -= places;
    return (size_t)(at - text);
}

/* At most 19 digits, exactly a double times or over an exact power of ten: one rounding, and a
 * second one to a narrower format errs only where the first met its halfway point. */
static bool parse_short(const format *f, const scanned *s, uint64_t *bits)
{
    uint64_t integer = 0;
    bool tie;
    if (s->count > 19 || s->exponent < -22 || s->exponent > 22)
        return false;
    for (const char *at = s->digits; at < s->end; at++)
        if (*at != '.')
            integer = integer * 10 + (uint64_t)(*at - '0');
    if (integer >> 53)
        return false;
    double value = s->exponent < 0 ? (double)integer / powers_of_ten[-s->exponent]
                                   : (double)integer * powers_of_ten[s->exponent];
    uint64_t exact = iri_f64_bits(value);
    if (f->precision == 53) {
        *bits = exact;
        return true;
    }
    *bits =
        round_to(f, exact << 11 | UINT64_C(1) << 63, (int64_t)(exact >> 52) - 1023, false, &tie);
    return !tie;
}

static uint64_t parse_exactly(const format *f, const scanned *s)
{
    big n, d;
    uint64_t kept = 0, q = 0;
    bool more = false, tie;
    int64_t exponent = s->exponent;

    big_set(&n, 0);
    for (const char *at = s->digits; at < s->end; at++) {
        if (*at == '.')
            continue;
        if (kept < DIGITS_KEPT)
            big_multiply(&n, 10, (uint32_t)(*at - '0'));
        else
            more |= *at != '0';
        kept++;
    }
    if (kept > DIGITS_KEPT) {
        exponent += (int64_t)(kept - DIGITS_KEPT);
        kept = DIGITS_KEPT;
    }
    /* 10^(kept-1+exponent) <= value < 10^(kept+exponent) */
    if ((int64_t)kept + exponent > 310)
        return round_to(f, UINT64_C(1) << 63, INT32_MAX, false, &tie);
    if ((int64_t)kept + exponent < -325)
        return 0;

    big_set(&d, 1);
    big_scale_ten(exponent < 0 ? &d : &n, (uint32_t)(exponent < 0 ? -exponent : exponent));
    /* Scaled by 2^-binary so that 1 <= n/d < 2; then 64 bits of the quotient. */
    int64_t binary_exponent = (int64_t)big_bits(&n) - (int64_t)big_bits(&d);
    if (binary_exponent >= 0)
        big_shift(&d, (uint32_t)binary_exponent);
    else
        big_shift(&n, (uint32_t)-binary_exponent);
    if (big_compare(&n, &d) < 0) {
        big_shift(&n, 1);
        binary_exponent--;
    }
    for (int i = 0; i < 64; i++) {
        q <<= 1;
        if (big_compare(&n, &d) >= 0) {
            big_subtract(&n, &d);
            q |= 1;
        }
        big_shift(&n, 1);
    }
    return round_to(f, q, binary_exponent, more || n.count, &tie);
}

static size_t parse(const format *f, const char *text, const char *end, uint64_t *bits)
{
    scanned s;
    size_t size = scan(text, end, &s);
    if (!size)
        return 0;
    *bits = 0;
    if (s.digits && !parse_short(f, &s, bits))
        *bits = parse_exactly(f, &s);
    if (s.negative)
        *bits |= (uint64_t)(2 * f->max_exponent + 2) << (f->precision - 1);
    return size;
}

size_t iri_parse_f16(const char *text, const char *end, uint16_t *bits)
{
    uint64_t wide;
    size_t size = parse(&f16_format, text, end, &wide);
    if (size)
        *bits = (uint16_t)wide;
    return size;
}

size_t iri_parse_f32(const char *text, const char *end, uint32_t *bits)
{
    uint64_t wide;
    size_t size = parse(&f32_format, text, end, &wide);
    if (size)
        *bits = (uint32_t)wide;
    return size;
}

size_t iri_parse_f64(const char *text, const char *end, uint64_t *bits)
{
    return parse(&f64_format, text, end, bits);
}

/* ---- Half floats ---- */

uint16_t iri_f32_to_f16(float value)
{
    /* Exact, and keeps a NaN's payload in the top bits. */
    uint32_t bits = iri_f32_bits(value);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    uint32_t biased = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    bool tie;
    if (biased == 0xff && fraction)
        return (uint16_t)(sign | 0x7c00 | (fraction >> 13 ? fraction >> 13 : 0x200));
    if (biased == 0xff)
        return (uint16_t)(sign | 0x7c00);
    if (biased == 0) /* far below half of the least half */
        return sign;
    uint64_t q = (uint64_t)(fraction | 0x800000) << 40;
    return (uint16_t)(sign | round_to(&f16_format, q, (int)biased - 127, false, &tie));
}

uint16_t iri_f64_to_f16(double value)
{
    uint64_t bits = iri_f64_bits(value);
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    uint32_t biased = (uint32_t)(bits >> 52) & 0x7ff;
    uint64_t fraction = bits & UINT64_C(0xfffffffffffff);
    bool tie;
    if (biased == 0x7ff && fraction)
        return (uint16_t)(sign | 0x7c00 | (fraction >> 42 ? fraction >> 42 : 0x200));
    if (biased == 0x7ff)
        return (uint16_t)(sign | 0x7c00);
    if (biased == 0)
        return sign;
    uint64_t q = fraction << 11 | UINT64_C(1) << 63;
    return (uint16_t)(sign | round_to(&f16_format, q, (int)biased - 1023, false, &tie));
}

float iri_f16_to_f32(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
    uint32_t biased = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    if (biased == 0x1f)
        return iri_bits_f32(sign | 0x7f800000u | fraction << 13);
    if (biased)
        return iri_bits_f32(sign | (biased + 112) << 23 | fraction << 13);
    /* A multiple of 2^-24. */
    float value = (float)fraction * iri_bits_f32(0x33800000u);
    return iri_bits_f32(sign | iri_f32_bits(value));
}
