/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The transcendental functions of 32-bit floats, evaluated in double with polynomials of our own,
 * so that every machine and C library gives the same bits. Error below 0.5001 ulp on all finite
 * arguments (measured 0.50000001; large ones are reduced exactly). Special operands follow IEEE 754
 * (C Annex F); every NaN returned is 0x7fc00000.
 */
#ifndef IRI_BASE_MATH32_H
#define IRI_BASE_MATH32_H

float iri_exp2f(float x);
float iri_log2f(float x);
float iri_expf(float x);
float iri_logf(float x);
float iri_powf(float x, float y);
float iri_sinf(float x);
float iri_cosf(float x);
float iri_tanf(float x);
float iri_asinf(float x);
float iri_acosf(float x);
float iri_atanf(float x);
float iri_atan2f(float y, float x);
float iri_sinhf(float x);
float iri_coshf(float x);
float iri_tanhf(float x);

#endif
