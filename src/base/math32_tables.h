/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What math32.c and the executor's loops over many lanes (src/exec/math_lanes.def) have in common: polynomials,
 * lowest power first, and the constants that arguments are reduced with. See math32.c.
 */
#ifndef IRI_BASE_MATH32_TABLES_H
#define IRI_BASE_MATH32_TABLES_H

#include <stdint.h>

/* 2^r for |r| <= 1/2 */
static const double exp2_poly[] = {
    0x1p+0,
    0x1.62e42fefa39efp-1,
    0x1.ebfbdff82c58fp-3,
    0x1.c6b08d704a0d1p-5,
    0x1.3b2ab6fba4e7bp-7,
    0x1.5d87fe78a2293p-10,
    0x1.430912f86ac5bp-13,
    0x1.ffcbfc75f2b51p-17,
    0x1.62c022460176ep-20,
    0x1.b524db399897cp-24,
    0x1.e4cf03bac04a7p-28,
    0x1.ea04423f983ddp-32,
    0x1.c4b5b04b1e8f9p-36,
};
/* (log((1 + s) / (1 - s)) / s - 2) / s^2 in s^2, for |s| <= 3 - sqrt 8 */
static const double log_poly[] = {
    0x1.5555555555555p-1, 0x1.9999999999998p-2, 0x1.2492492492959p-2,
    0x1.c71c71c64c8ccp-3, 0x1.745d17d35328cp-3, 0x1.3b137b347f3c2p-3,
    0x1.111d273ca8a70p-3, 0x1.debedbffa1d9ep-4, 0x1.e6afc55fa9490p-4,
};
/* (sin(r) / r - 1) / r^2 in r^2, for |r| <= pi/4 */
static const double sin_poly[] = {
    -0x1.5555555555555p-3,  0x1.1111111111111p-7,  -0x1.a01a01a01a019p-13, 0x1.71de3a556c2c3p-19,
    -0x1.ae64567e723afp-26, 0x1.61245fb3dc7eep-33, -0x1.ae7c524f65a8ep-41, 0x1.9241fe47ad0d1p-49,
};
/* (cos(r) - 1) / r^2 in r^2, for |r| <= pi/4 */
static const double cos_poly[] = {
    -0x1p-1,
    0x1.5555555555555p-5,
    -0x1.6c16c16c16c14p-10,
    0x1.a01a01a019590p-16,
    -0x1.27e4fb767da6cp-22,
    0x1.1eed8d2fe42c5p-29,
    -0x1.9393d2906f5d9p-37,
    0x1.ab092266ef1a7p-45,
};
/* The bits of 2/pi below the point, after one word of zeros above it. */
static const uint32_t two_over_pi[] = {
    0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
    0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
};

static const double log2_e = 0x1.71547652b82fep+0;
static const double pi_2 = 0x1.921fb54442d18p+0;
static const double pi_4 = 0x1.921fb54442d18p-1;

#endif
