/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as exact text, both ways, and half floats. Independent of locale and of the C library's
 * printf and strtod, so that the same bits give the same text on every machine.
 */
#ifndef IRI_BASE_NUMBER_H
#define IRI_BASE_NUMBER_H

#include <iridia/base.h>

#define IRI_NUMBER_TEXT 40 /* bytes that hold any number printed here, NUL included */

/* The shortest decimal text that reads back to the same bits, always with a '.' or an exponent
 * ("1.0", "0.1", "1e-45", "3.4028235e38", "-0.0"). The bits must be finite. Returns the length.
 * Exponent form is used when the decimal exponent is below -5 or above 15; integers without one are
 * written exactly. */
size_t iri_print_f16(char text[IRI_NUMBER_TEXT], uint16_t bits);
size_t iri_print_f32(char text[IRI_NUMBER_TEXT], uint32_t bits);
size_t iri_print_f64(char text[IRI_NUMBER_TEXT], uint64_t bits);

/* What "%.9g" of Microsoft's C library up to Visual C++ 2013 gives, which its shader tools use: nine significant
 * digits, ties to even, exponents of at least three digits, "1.#INF", "-1.#IND", "1.#QNAN", "1.#SNAN". */
size_t iri_print_f64_nine(char text[IRI_NUMBER_TEXT], uint64_t bits);

/* Reads an optional sign, decimal digits, '.', digits, exponent; rounds to nearest, ties to even,
 * exactly, however many digits; overflow gives infinity. Returns the bytes read, 0 if no number
 * stands there. Never reads past `end`. */
size_t iri_parse_f16(const char *text, const char *end, uint16_t *bits);
size_t iri_parse_f32(const char *text, const char *end, uint32_t *bits);
size_t iri_parse_f64(const char *text, const char *end, uint64_t *bits);

/* Round to nearest even; NaNs keep as much payload as fits and stay NaNs. */
uint16_t iri_f32_to_f16(float value);
uint16_t iri_f64_to_f16(double value);
float iri_f16_to_f32(uint16_t bits);

static inline uint32_t iri_f32_bits(float value)
{
    union {
        float f;
        uint32_t u;
    } v = {value};
    return v.u;
}
static inline float iri_bits_f32(uint32_t bits)
{
    union {
        uint32_t u;
        float f;
    } v = {bits};
    return v.f;
}
/* Exactly, on bits: a signalling NaN becomes quiet, as by every conversion. */
uint64_t iri_f32_to_f64_bits(uint32_t bits);
static inline uint64_t iri_f64_bits(double value)
{
    union {
        double f;
        uint64_t u;
    } v = {value};
    return v.u;
}
static inline double iri_bits_f64(uint64_t bits)
{
    union {
        uint64_t u;
        double f;
    } v = {bits};
    return v.f;
}

#endif
