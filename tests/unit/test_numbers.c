/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each Direct3D 9 arithmetic instruction and modifier computes, as numbers worked by hand from the
 * definitions in Microsoft's instruction reference (docs/numerics.md). A row is a program that ends with its
 * result in r0; it is run as read, and again as lifted, where it must have become a constant.
 */
#include "base/number.h"
#include "tests/unit/test.h"
#include "tests/unit/test_lower.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define INF INFINITY
#define NAN_ NAN
#define MAX_ 3.40282346638528859812e38f

typedef struct row {
    const char *model, *body;
    float expect[4];
    uint32_t ulps;
    bool ieee;
} row;

/* a = (1, 2, 3, 4), b = (5, -6, 0.5, 8), z = (0, infinity, NaN, 2) */
#define A "def c0, 1, 2, 3, 4;"
#define B "def c1, 5, -6, 0.5, 8;"
#define Z "def c2, 0, inf, nan, 2;"
#define AB A B
#define ABZ A B Z
/* fractions for ps_1_x */
#define F "def c0, 0.25, 0.5, 0.75, 1;"
#define MATRIX \
    A B "def c4, 1, 0, 0, 0; def c5, 0, 2, 0, 0; def c6, 1, 1, 1, 1; def c7, 0, 0, 0, -1;"
/* rows for relative reads: cN is (N, N, N, -N) */
#define ROWS \
    "def c8, 8, 8, 8, -8; def c9, 9, 9, 9, -9; def c10, 10, 10, 10, -10; def c11, 11, 11, 11, -11;" \
    "def c12, 12, 12, 12, -12;"

static const row rows[] = {
    /* mov, swizzles, masks, negation, abs */
    {"vs_2_0", AB "mov r0, c0", {1, 2, 3, 4}},
    {"vs_2_0", AB "mov r0, -c0", {-1, -2, -3, -4}},
    {"vs_2_0", AB "mov r0, c0.wzyx", {4, 3, 2, 1}},
    {"vs_2_0", AB "mov r0, c0.y", {2, 2, 2, 2}},
    {"vs_2_0", AB "mov r0, c0.zzxw", {3, 3, 1, 4}},
    {"vs_2_0", AB "mov r0, c1; mov r0.xz, c0", {1, -6, 3, 8}},
    {"vs_2_0", AB "mov r0, c1; mov r0.yw, c0.x", {5, 1, 0.5f, 1}},
    {"vs_2_0", AB "mov r0, c1; mov r0.yzw, c0.wzyx", {5, 3, 2, 1}},
    {"vs_2_0", AB "mov r0, c0; mov r0.xy, r0.yx", {2, 1, 3, 4}},
    {"vs_2_0", "def c2, inf, -inf, max, tiny; mov r0, c2", {INF, -INF, MAX_, 1.401298464e-45f}},
    {"vs_2_0", ABZ "mov r0, c2.zzzz", {NAN_, NAN_, NAN_, NAN_}},
    {"vs_3_0", AB "mov r0, c1_abs", {5, 6, 0.5f, 8}},
    {"vs_3_0", AB "mov r0, -c1_abs", {-5, -6, -0.5f, -8}},
    {"vs_3_0", AB "mov r0, -c1_abs.wzyx", {-8, -0.5f, -6, -5}},
    {"ps_3_0", AB "add r0, c0, -c1_abs", {-4, -4, 2.5f, -4}},

    /* add, sub, mul, mad */
    {"vs_2_0", AB "add r0, c0, c1", {6, -4, 3.5f, 12}},
    {"vs_2_0", AB "add r0, c0, -c1", {-4, 8, 2.5f, -4}},
    {"vs_2_0", AB "add r0, c0.x, c1.wzyx", {9, 1.5f, -5, 6}},
    {"vs_2_0", ABZ "add r0, c2.y, -c2.y", {NAN_, NAN_, NAN_, NAN_}},
    {"vs_2_0",
     "def c0, 16777216, 1, 0, 0; add r0, c0.x, c0.y",
     {16777216, 16777216, 16777216, 16777216}},
    {"vs_2_0", AB "sub r0, c0, c1", {-4, 8, 2.5f, -4}},
    {"vs_2_0", AB "sub r0, c0, -c1", {6, -4, 3.5f, 12}},
    {"vs_3_0", AB "sub r0, -c0, -c1_abs", {4, 4, -2.5f, 4}},
    {"vs_2_0", AB "add r0, -c0, c1", {4, -8, -2.5f, 4}},
    {"vs_2_0", AB "add r0, -c0, -c1", {-6, 4, -3.5f, -12}},
    {"vs_3_0", AB "add r0, -c0_abs, c1", {4, -8, -2.5f, 4}},
    {"vs_3_0", AB "mad r0, c0, c1, -c1_abs", {0, -18, 1, 24}},
    {"ps_2_0", AB "sub r0, -c0, c1.x", {-6, -7, -8, -9}},
    {"vs_2_0", AB "mul r0, c0, c1", {5, -12, 1.5f, 32}},
    {"ps_2_0", AB "mul r0, c0.w, -c1", {-20, 24, -2, -32}},
    {"vs_2_0", ABZ "mul r0, c2.x, c2", {0, 0, 0, 0}},
    {"vs_2_0", ABZ "mul r0, c2, c2.x", {0, 0, 0, 0}},
    {"vs_2_0", ABZ "mul r0, -c2.x, c2", {0, 0, 0, 0}},
    {"vs_2_0", ABZ "mul r0, c2.y, c2", {0, INF, NAN_, INF}},
    {"vs_2_0", "def c0, max, max, -max, 1; mul r0, c0, c0.yxxx", {INF, INF, -INF, MAX_}},
    {"vs_2_0", ABZ "mul r0, c2.x, c2", {0, NAN_, NAN_, 0}, 0, true},
    {"vs_2_0", AB "mad r0, c0, c1, c0", {6, -10, 4.5f, 36}},
    {"ps_2_0", AB "mad r0, c0, -c1, c0.w", {-1, 16, 2.5f, -28}},
    {"vs_2_0", ABZ "mad r0, c2.x, c2, c0", {1, 2, 3, 4}},
    {"vs_2_0",
     "def c0, 1.000244140625, 1.00048828125, 0, 0; mad r0, c0.x, c0.x, -c0.y",
     {0, 0, 0, 0}},
    {"vs_2_0", AB "mov r0, c0; mad r0.xy, r0.yx, r0, r0", {3, 4, 3, 4}},

    /* dot products */
    {"vs_2_0", AB "dp3 r0, c0, c1", {-5.5f, -5.5f, -5.5f, -5.5f}},
    {"vs_2_0", AB "dp4 r0, c0, c1", {26.5f, 26.5f, 26.5f, 26.5f}},
    {"vs_2_0", AB "dp3 r0, c0.wzyx, c1", {3, 3, 3, 3}},
    {"vs_2_0", AB "dp3 r0, c0, -c1", {5.5f, 5.5f, 5.5f, 5.5f}},
    {"vs_2_0", AB "mov r0, c0; dp3 r0.y, c0, c1", {1, -5.5f, 3, 4}},
    {"vs_2_0", AB "mov r0, c0; dp4 r0.xw, r0, r0", {30, 2, 3, 30}},
    {"vs_2_0", Z "def c3, inf, 0, 0, 1; dp3 r0, c2, c3", {0, 0, 0, 0}},
    {"vs_2_0", Z "dp4 r0, c2.x, c2", {0, 0, 0, 0}},
    {"vs_2_0", Z "dp4 r0, c2.x, c2", {NAN_, NAN_, NAN_, NAN_}, 0, true},
    /* in the order x, y, z, w: 2^24 + 1 + 1 + 1 loses each 1 */
    {"vs_2_0",
     "def c0, 16777216, 1, 1, 1; def c1, 1, 1, 1, 1; dp4 r0, c0, c1",
     {16777216, 16777216, 16777216, 16777216}},
    {"ps_2_0", AB "dp2add r0, c0, c1, c0.z", {-4, -4, -4, -4}},
    {"ps_2_0", AB "dp2add r0, c0.zwzw, c1.wzzz, c1.y", {20, 20, 20, 20}},
    {"ps_2_0", Z "dp2add r0, c2.xyxx, c2.yxxx, c2.w", {2, 2, 2, 2}},
    {"ps_2_0", ABZ "dp2add r0, c1, c1, c2.x", {61, 61, 61, 61}},
    {"ps_2_0", AB "dp2add r0, c0, c1, -c0.x", {-8, -8, -8, -8}},

    /* rcp, rsq */
    {"vs_2_0", AB "rcp r0, c0.w", {0.25f, 0.25f, 0.25f, 0.25f}},
    {"vs_2_0", AB "rcp r0, -c0.y", {-0.5f, -0.5f, -0.5f, -0.5f}},
    {"vs_2_0", AB "rcp r0, c1.z", {2, 2, 2, 2}},
    {"vs_2_0", ABZ "rcp r0, c2.x", {MAX_, MAX_, MAX_, MAX_}},
    {"vs_2_0", ABZ "rcp r0, -c2.x", {MAX_, MAX_, MAX_, MAX_}},
    {"vs_2_0", ABZ "rcp r0, c2.y", {0, 0, 0, 0}},
    {"vs_2_0", ABZ "rcp r0, c2.z", {NAN_, NAN_, NAN_, NAN_}},
    {"vs_2_0", AB "mov r0, c0; rcp r0.z, c0.y", {1, 2, 0.5f, 4}},
    {"vs_2_0", ABZ "rcp r1, c2.x; mul r0, r1.x, c2.x", {0, 0, 0, 0}},
    {"vs_1_1", AB "rcp r0, c0", {0.25f, 0.25f, 0.25f, 0.25f}},
    {"vs_2_0", AB "rsq r0, c0.w", {0.5f, 0.5f, 0.5f, 0.5f}},
    {"vs_2_0", AB "rsq r0, -c0.w", {0.5f, 0.5f, 0.5f, 0.5f}},
    {"vs_2_0", ABZ "rsq r0, c2.x", {MAX_, MAX_, MAX_, MAX_}},
    {"vs_2_0", ABZ "rsq r0, c2.y", {0, 0, 0, 0}},
    {"vs_2_0",
     "def c0, 0.25, 1, 16, 64; rsq r0.x, c0.x; rsq r0.y, c0.y; rsq r0.z, c0.z; rsq r0.w, c0.w",
     {2, 1, 0.25f, 0.125f}},
    {"vs_1_1", AB "rsq r0, c0", {0.5f, 0.5f, 0.5f, 0.5f}},
    {"vs_3_0", AB "rsq r0, -c0_abs.w", {0.5f, 0.5f, 0.5f, 0.5f}},
    {"vs_3_0", AB "log r0, -c1_abs.w", {3, 3, 3, 3}},
    {"vs_3_0", AB "pow r0, -c0_abs.y, c0.z", {8, 8, 8, 8}},
    {"vs_3_0", AB "pow r0, c0.y, -c0_abs.x", {0.5f, 0.5f, 0.5f, 0.5f}},
    {"vs_3_0", AB "rcp r0, -c0_abs.w", {-0.25f, -0.25f, -0.25f, -0.25f}},

    /* min, max, slt, sge, sgn, abs, frc */
    {"vs_2_0", AB "min r0, c0, c1", {1, -6, 0.5f, 4}},
    {"vs_2_0", ABZ "min r0, c2.z, c0", {1, 2, 3, 4}},
    {"vs_2_0", ABZ "min r0, c0, c2.z", {NAN_, NAN_, NAN_, NAN_}},
    {"vs_2_0", ABZ "min r0, c0, c2.y", {1, 2, 3, 4}},
    {"vs_2_0", AB "max r0, c0, c1", {5, 2, 3, 8}},
    {"vs_2_0", ABZ "max r0, c2.z, c0", {1, 2, 3, 4}},
    {"vs_2_0", ABZ "max r0, c0, c2.z", {NAN_, NAN_, NAN_, NAN_}},
    {"vs_2_0", ABZ "max r0, c0, c2.x", {1, 2, 3, 4}},
    {"vs_2_0", AB "slt r0, c0, c1", {1, 0, 0, 1}},
    {"vs_2_0", AB "slt r0, c0, c0", {0, 0, 0, 0}},
    {"vs_2_0", ABZ "slt r0, c2.z, c0", {0, 0, 0, 0}},
    {"vs_2_0", AB "sge r0, c0, c1", {0, 1, 1, 0}},
    {"vs_2_0", AB "sge r0, c0, c0", {1, 1, 1, 1}},
    {"vs_2_0", ABZ "sge r0, c0, c2.z", {0, 0, 0, 0}},
    {"vs_2_0", AB "mov r0, c1; sge r0.yz, c0, c0.z", {5, 0, 1, 8}},
    {"vs_2_0", "def c0, -3, 0, 2, -0.0; sgn r0, c0, r1, r2", {-1, 0, 1, 0}},
    {"vs_3_0", "def c0, -inf, inf, -1e-30, 1e-30; sgn r0, c0", {-1, 1, -1, 1}},
    {"vs_2_0", AB "abs r0, c1", {5, 6, 0.5f, 8}},
    {"ps_2_0", "def c0, -inf, -0.0, nan, -1; abs r0, c0", {INF, 0, NAN_, 1}},
    {"vs_2_0", "def c0, 1.25, -1.25, 3, -0.5; frc r0, c0", {0.25f, 0.75f, 0, 0.5f}},
    {"ps_2_0", "def c0, 0.5, -3.75, 100.5, 0; frc r0, c0", {0.5f, 0.25f, 0.5f, 0}},

    /* exp, log and their partial kin */
    {"vs_2_0", AB "exp r0, c0.z", {8, 8, 8, 8}},
    {"vs_2_0", AB "exp r0, -c0.x", {0.5f, 0.5f, 0.5f, 0.5f}},
    {"vs_2_0", AB "exp r0, c1.z", {1.41421356f, 1.41421356f, 1.41421356f, 1.41421356f}, 1},
    {"vs_2_0", Z "exp r0.xz, c2.x; exp r0.y, c2.y; exp r0.w, -c2.y", {1, INF, 1, 0}},
    {"vs_1_1", AB "exp r0, c0", {16, 16, 16, 16}},
    {"vs_2_0", AB "log r0, c1.w", {3, 3, 3, 3}},
    {"vs_2_0", AB "log r0, -c1.w", {3, 3, 3, 3}},
    {"vs_2_0", AB "log r0, c1.z", {-1, -1, -1, -1}},
    {"vs_2_0", Z "log r0, c2.x", {-MAX_, -MAX_, -MAX_, -MAX_}},
    {"vs_2_0", Z "log r0, c2.y", {INF, INF, INF, INF}},
    {"vs_1_1", AB "log r0, c0", {2, 2, 2, 2}},
    {"vs_2_0", AB "expp r0, c0.z", {8, 8, 8, 8}},
    {"vs_1_1", "def c0, 2.5, 0, 0, 0; expp r0, c0.x", {4, 0.5f, 5.65685425f, 1}, 1},
    {"vs_1_1", "def c0, -1.5, 0, 0, 0; expp r0, c0.x", {0.25f, 0.5f, 0.353553391f, 1}, 1},
    {"vs_1_1", AB "expp r0, c0", {16, 0, 16, 1}},
    {"vs_1_1", AB "mov r0, c1; expp r0.yw, c1.z", {5, 0.5f, 0.5f, 1}},
    {"vs_2_0", AB "logp r0, c1.w", {3, 3, 3, 3}},
    {"vs_1_1", "def c0, 10, 0, 0, 0; logp r0, c0.x", {3, 1.25f, 3.32192809f, 1}, 1},
    {"vs_1_1", "def c0, -10, 0, 0, 0; logp r0, c0.x", {3, 1.25f, 3.32192809f, 1}, 1},
    {"vs_1_1", "def c0, 0.375, 0, 0, 0; logp r0, c0.x", {-2, 1.5f, -1.41503750f, 1}, 1},
    {"vs_1_1", Z "logp r0, c2.x", {-MAX_, 1, -MAX_, 1}},

    /* pow, lit, dst, lrp */
    {"vs_2_0", AB "pow r0, c0.y, c0.z", {8, 8, 8, 8}},
    {"vs_2_0", AB "pow r0, -c0.y, c0.z", {8, 8, 8, 8}},
    {"vs_2_0", AB "pow r0, c0.w, c1.z", {2, 2, 2, 2}},
    {"vs_2_0", AB "pow r0, c0.y, -c0.x", {0.5f, 0.5f, 0.5f, 0.5f}},
    {"vs_2_0", Z "pow r0, c2.x, c2.x", {1, 1, 1, 1}},
    {"vs_2_0", Z "pow r0, c2.x, c2.w", {0, 0, 0, 0}},
    {"vs_2_0", Z "pow r0, c2.y, c2.x", {1, 1, 1, 1}},
    {"vs_2_0", "def c0, 2, 3, 9, 2; lit r0, c0", {1, 2, 9, 1}},
    {"vs_2_0", "def c0, -1, 3, 0, 2; lit r0, c0", {1, 0, 0, 1}},
    {"vs_2_0", "def c0, 2, -3, 0, 2; lit r0, c0", {1, 2, 0, 1}},
    {"vs_2_0", "def c0, 0, 3, 0, 2; lit r0, c0", {1, 0, 0, 1}},
    {"vs_2_0", "def c0, 1, 0, 0, 0; lit r0, c0", {1, 1, 0, 1}},
    {"vs_2_0", "def c0, 1, nan, 0, 2; lit r0, c0", {1, 1, 0, 1}},
    {"vs_2_0", "def c0, 1, 1, 0, 200; lit r0, c0", {1, 1, 1, 1}},
    /* 2^127.9961 and (1/2)^-127.9961: the power is clamped */
    {"vs_2_0", "def c0, 1, 2, 0, 200; lit r0, c0", {1, 1, 3.39364e38f, 1}, 32},
    {"vs_2_0", "def c0, 1, 0.5, 0, -200; lit r0, c0", {1, 1, 3.39364e38f, 1}, 32},
    {"vs_2_0", AB "mov r0, c1; lit r0.z, c0", {5, -6, 16, 8}},
    {"vs_2_0", AB "dst r0, c0, c1", {1, -12, 3, 8}},
    {"vs_2_0", Z "dst r0, c2.xyzw, c2.yxzw", {1, 0, NAN_, 2}},
    {"vs_2_0", AB "mov r0, c0; dst r0.xy, c1, c1", {1, 36, 3, 4}},
    {"ps_2_0", AB "def c3, 0, 1, 0.5, 2; lrp r0, c3, c0, c1", {5, 2, 1.75f, 0}},
    {"ps_2_0", ABZ "lrp r0, c2.x, c2.y, c1", {5, -6, 0.5f, 8}},
    /* src0 * (src1 - src2) + src2: 1 - 2^25 rounds to -2^25 */
    {"ps_2_0", "def c0, 1, 1, 33554432, 0; lrp r0, c0.x, c0.y, c0.z", {0, 0, 0, 0}},
    {"vs_2_0", AB "mov r0, c0; lrp r0.xz, r0.y, r0.zwxy, r0", {5, 2, -1, 4}},

    /* matrices, whole and by a narrower mask, into their own source */
    {"vs_2_0", MATRIX "m4x4 r0, c0, c4", {1, 4, 10, -4}},
    {"vs_2_0", MATRIX "mov r0, c1; m4x3 r0.xyz, c0, c4", {1, 4, 10, 8}},
    {"vs_2_0", MATRIX "m3x4 r0, c0, c4", {1, 4, 6, 0}},
    {"vs_2_0", MATRIX "mov r0, c1; m3x3 r0.xyz, c0, c4", {1, 4, 6, 8}},
    {"vs_2_0", MATRIX "mov r0, c1; m3x2 r0.xy, c0, c4", {1, 4, 0.5f, 8}},
    {"vs_2_0", MATRIX "mov r0, c0; m4x4 r0, r0, c4", {1, 4, 10, -4}},
    {"vs_2_0", MATRIX "mov r0, c1; m4x4 r0.xz, c0, c4", {1, -6, 10, 8}},
    {"vs_2_0", MATRIX "mov r0, c1; m3x2 r0.y, c0.zyxw, c4", {5, 4, 0.5f, 8}},
    {"ps_2_0", MATRIX "m4x4 r0, -c0, c4", {-1, -4, -10, 4}},
    {"vs_1_1", MATRIX "m4x4 r0, c0, c4", {1, 4, 10, -4}},

    /* crs, nrm, sincos */
    {"vs_2_0", AB "mov r0, c0; crs r0.xyz, c0, c1", {19, 14.5f, -16, 4}},
    {"vs_2_0", AB "mov r0, c0; crs r0.xyz, r0, c1", {19, 14.5f, -16, 4}},
    {"vs_2_0", AB "mov r0, c0; crs r0.y, c0, c1", {1, 14.5f, 3, 4}},
    {"vs_2_0", AB "mov r0, c0; crs r0.xz, c0, c1", {19, 2, -16, 4}},
    {"vs_2_0", Z "mov r0, c2; crs r0.xyz, c2.xxx, c2.yyy", {0, 0, 0, 2}},
    {"vs_2_0", "def c0, 3, 4, 0, 10; nrm r0, c0", {0.6f, 0.8f, 0, 2}, 1},
    {"vs_2_0", "def c0, 0, 0, 0, 0; nrm r0, c0", {0, 0, 0, 0}},
    {"vs_2_0", "def c0, 0, 0, 0, 5; nrm r0, c0", {0, 0, 0, INF}},
    {"ps_2_0", "def c0, 0, 0, -2, 7; mov r0, c0; nrm r0.xyz, r0", {0, 0, -1, 7}},
    {"vs_2_0", "def c0, 8, 0, 0, 4; mov r0, c0; nrm r0.xw, r0", {1, 0, 0, 0.5f}},
    {"vs_2_0", AB "def c2, 0, 0, 0, 0; mov r0, c0; sincos r0.xy, c2.x, c1, c1", {1, 0, 3, 4}},
    {"vs_3_0", AB "mov r0, c0; sincos r0.xy, c0.x", {0.540302306f, 0.841470985f, 3, 4}, 1},
    {"vs_3_0", AB "mov r0, c0; sincos r0.y, -c0.x", {1, -0.841470985f, 3, 4}, 1},
    {"ps_3_0", AB "mov r0, c0; sincos r0.x, r0.x", {0.540302306f, 2, 3, 4}, 1},

    /* cmp, cnd */
    {"ps_2_0", AB "def c3, -1, 0, 1, -0.0; cmp r0, c3, c0, c1", {5, 2, 3, 4}},
    {"ps_2_0", ABZ "cmp r0, c2.z, c0, c1", {5, -6, 0.5f, 8}},
    {"ps_2_0", AB "def c3, -1, 0, 1, -0.0; cmp r0, -c3, c0, c1", {1, 2, 0.5f, 4}},
    {"ps_2_0", ABZ "cmp r0, -c2.z, c0, c1", {5, -6, 0.5f, 8}},
    {"ps_3_0", AB "def c3, -1, 0, 1, -0.0; cmp r0, -c3_abs, c0, c1", {5, 2, 0.5f, 4}},
    {"ps_3_0", AB "def c3, -1, 0, nan, -0.0; cmp r0, -c3_abs, c0, c1", {5, 2, 0.5f, 4}},
    {"ps_3_0", AB "def c3, -1, 0, nan, -0.0; cmp r0, c3_abs, c0, c1", {1, 2, 0.5f, 4}},
    {"ps_2_0", AB "mov r0, c0; cmp r0.yz, -c0, c0, c1", {1, -6, 0.5f, 4}},
    {"ps_1_2",
     F "def c1, -1, 0, 1, -1; def c2, 0, 0, 0, 0; cmp r0, c1, c0, c2",
     {0, 0.5f, 0.75f, 0}},
    {"ps_1_4", F "def c1, 1, 1, 1, 1; def c2, 0, 0, 0, 0; cnd r0, c0, c1, c2", {0, 0, 1, 1}},
    {"ps_1_1",
     F "def c1, 1, 1, 1, 1; def c2, 0, 0, 0, 0; mov r0, c0; cnd r0, r0.a, c1, c2",
     {1, 1, 1, 1}},
    {"ps_1_1",
     "def c0, 1, 1, 1, 0.5; def c1, 1, 1, 1, 1; def c2, 0, 0, 0, 0; mov r0, c0; cnd r0, r0.a, c1, c2",
     {0, 0, 0, 0}},

    /* ps_1_x source modifiers */
    {"ps_1_1", F "mov r0, c0_bias", {-0.25f, 0, 0.25f, 0.5f}},
    {"ps_1_1", F "mov r0, -c0_bias", {0.25f, 0, -0.25f, -0.5f}},
    {"ps_1_1", F "mov r0, c0_bx2", {-0.5f, 0, 0.5f, 1}},
    {"ps_1_1", F "mov r0, -c0_bx2", {0.5f, 0, -0.5f, -1}},
    {"ps_1_1", F "mov r0, 1-c0", {0.75f, 0.5f, 0.25f, 0}},
    {"ps_1_1", F "mov r0, -c0", {-0.25f, -0.5f, -0.75f, -1}},
    {"ps_1_4", F "mov r0, c0_x2", {0.5f, 1, 1.5f, 2}},
    {"ps_1_4", F "mov r0, -c0_x2", {-0.5f, -1, -1.5f, -2}},
    {"ps_1_1", F "mul r0, c0_bx2, 1-c0.a", {0, 0, 0, 0}},
    {"ps_1_1", F "dp3 r0, c0_bx2, c0_bx2", {0.5f, 0.5f, 0.5f, 0.5f}},

    /* ps_1_x destination shifts, saturation */
    {"ps_1_1", F "mov_x2 r0, c0", {0.5f, 1, 1.5f, 2}},
    {"ps_1_1", F "mov_x4 r0, c0", {1, 2, 3, 4}},
    {"ps_1_4", F "mov_x8 r0, c0", {2, 4, 6, 8}},
    {"ps_1_1", F "mov_d2 r0, c0", {0.125f, 0.25f, 0.375f, 0.5f}},
    {"ps_1_4", F "mov_d4 r0, c0", {0.0625f, 0.125f, 0.1875f, 0.25f}},
    {"ps_1_4", F "mov_d8 r0, c0", {0.03125f, 0.0625f, 0.09375f, 0.125f}},
    {"ps_1_1", F "mov_x2_sat r0, c0", {0.5f, 1, 1, 1}},
    {"ps_1_1", "def c0, 4, -1, 1, 0; mov_d2_sat r0, c0", {0.5f, 0, 0.5f, 0}}, /* c0.x is 1 */
    {"ps_1_4", "def c0, 4, -4, 1, -1; mov r0, c0", {1, -1, 1, -1}},
    {"ps_1_1", F "add_sat r0, c0, c0.a", {1, 1, 1, 1}},
    {"ps_1_1", F "sub_sat r0, c0, c0.b", {0, 0, 0, 0.25f}},
    {"ps_1_1", F "dp3_x4 r0, c0, c0", {3.5f, 3.5f, 3.5f, 3.5f}},
    {"ps_2_0", "def c0, nan, inf, -inf, 0.5; mov_sat r0, c0", {0, 1, 0, 0.5f}},
    {"vs_3_0", AB "mov_sat r0, c1", {1, 0, 0.5f, 1}},
    {"ps_2_0", AB "mad_sat r0, c0, c1.z, -c0.x", {0, 0, 0.5f, 1}},
    {"ps_2_0", AB "mul_pp r0, c0, c1", {5, -12, 1.5f, 32}},

    /* ps_1_x arithmetic */
    {"ps_1_1", F "mad r0, c0, c0, c0.a", {1.0625f, 1.25f, 1.5625f, 2}},
    {"ps_1_1", F "def c1, 1, 1, 1, 1; lrp r0, c0, c1, c0", {0.4375f, 0.75f, 0.9375f, 1}},
    {"ps_1_2", F "dp4 r0, c0, c0", {1.875f, 1.875f, 1.875f, 1.875f}},
    {"ps_1_1", F "mov r0, c0; mov r0.a, 1-c0.b", {0.25f, 0.5f, 0.75f, 0.25f}},
    {"ps_1_4", F "mov r0, c0; mov r0.rb, c0.a", {1, 0.5f, 1, 1}},
    /* a pair: alpha reads the old blue */
    {"ps_1_1", F "mov r0, c0; mov r0.rgb, r0.a; + mov r0.a, r0.b", {1, 1, 1, 0.75f}},
    {"ps_1_1",
     F "mov r0, c0; mov r1, 1-c0; mul r0.rgb, r0, r1; + add r0.a, r0.b, r1.b",
     {0.1875f, 0.25f, 0.1875f, 1}},
    /* a co-issued cnd that writes colour takes src1 */
    {"ps_1_1",
     "def c0, 0, 0, 0, 0; def c1, 1, 1, 1, 1; mov r0, c0; mov r1.a, c1; + cnd r0.rgb, r0.a, c1, c0",
     {1, 1, 1, 0}},
    {"ps_1_4", F "def c1, 1, 1, 0, 0; mov r0, c0; bem r0.rg, c0, c1", {0.25f, 0.5f, 0.75f, 1}},

    /* address registers and relative reads of what is def'd; out of range is 0 */
    {"vs_2_0",
     ROWS "def c0, 0.5, 1.5, -0.5, 0.4; mova a0.x, c0.x; mov r0, c[a0.x + 8]",
     {9, 9, 9, -9}},
    {"vs_2_0",
     ROWS "def c0, 0.5, 1.5, -0.5, 0.4; mova a0.y, c0.y; mov r0, c[a0.y + 8]",
     {10, 10, 10, -10}},
    {"vs_2_0",
     ROWS "def c0, 0.5, 1.5, -0.5, 0.4; mova a0.z, c0.z; mov r0, c[a0.z + 10]",
     {9, 9, 9, -9}},
    {"vs_2_0",
     ROWS "def c0, 0.5, 1.5, -0.5, 0.4; mova a0.w, c0.w; mov r0, c[a0.w + 8].wxyz",
     {-8, 8, 8, 8}},
    {"vs_2_0",
     ROWS "def c0, 2.5, -2.5, 0, 0; mova a0.xy, c0; add r0, c[a0.x + 8], c[a0.y + 15].w",
     {-1, -1, -1, -23}},
    {"vs_1_1", ROWS "def c0, 1.9, -0.5, 0, 0; mov a0.x, c0.x; mov r0, c[a0.x + 8]", {9, 9, 9, -9}},
    {"vs_1_1", ROWS "def c0, 1.9, -0.5, 0, 0; mov a0.x, c0.y; mov r0, c[a0.x + 10]", {9, 9, 9, -9}},
    {"vs_2_0",
     ROWS "def c0, 300, -20, 1e30, -1e30; mova a0.x, c0.x; mov r0, c[a0.x + 8]",
     {0, 0, 0, 0}},
    {"vs_2_0",
     ROWS "def c0, 300, -20, 1e30, -1e30; mova a0.y, c0.y; mov r0, c[a0.y + 8]",
     {0, 0, 0, 0}},
    {"vs_2_0",
     ROWS "def c0, 300, -20, 1e30, -1e30; mova a0.z, c0.z; mov r0, c[a0.z + 8]",
     {0, 0, 0, 0}},
    {"vs_2_0",
     ROWS "def c0, 300, -20, 268435456, -1e30; mova a0.z, c0.z; mov r0, c[a0.z + 8]",
     {0, 0, 0, 0}},
    {"vs_2_0",
     ROWS "def c0, 1, 2, 0, 0; mova a0.x, c0.x; m4x4 r0, c0.x, c[a0.x + 7]",
     {16, 18, 20, 22}},

    /* predicates */
    {"ps_3_0", AB "setp_gt p0, c0, c1; mov r0, c1; (p0) mov r0, c0", {5, 2, 3, 8}},
    {"ps_3_0", AB "setp_gt p0, c0, c1; mov r0, c1; (!p0) mov r0, c0", {1, -6, 0.5f, 4}},
    {"ps_3_0", AB "setp_gt p0, c0, c1; mov r0, c1; (p0.y) mov r0, c0", {1, 2, 3, 4}},
    {"ps_3_0", AB "setp_gt p0, c0, c1; mov r0, c1; (p0.wzyx) mov r0, c0", {5, 2, 3, 8}},
    {"ps_3_0", AB "setp_gt p0, c0, c1; mov r0, c1; (p0.yxwz) mov r0, c0", {1, -6, 0.5f, 4}},
    {"ps_3_0", AB "setp_gt p0, c0, c1; mov r0, c1; (!p0.yxwz) mov r0.zw, c0", {5, -6, 3, 8}},
    {"vs_3_0",
     A "def c1, 1, 3, 2, 4.5; setp_lt p0, c0, c1; mov r0, c0; (p0) mov r0, -c0",
     {1, -2, 3, -4}},
    {"vs_3_0",
     A "def c1, 1, 3, 2, 4.5; setp_le p0, c0, c1; mov r0, c0; (p0) mov r0, -c0",
     {-1, -2, 3, -4}},
    {"vs_3_0",
     A "def c1, 1, 3, 2, 4.5; setp_ge p0, c0, c1; mov r0, c0; (p0) mov r0, -c0",
     {-1, 2, -3, 4}},
    {"vs_3_0",
     A "def c1, 1, 3, 2, 4.5; setp_eq p0, c0, c1; mov r0, c0; (p0) mov r0, -c0",
     {-1, 2, 3, 4}},
    {"vs_3_0",
     A "def c1, 1, 3, 2, 4.5; setp_ne p0, c0, c1; mov r0, c0; (p0) mov r0, -c0",
     {1, -2, -3, -4}},
    {"vs_3_0", ABZ "setp_ne p0, c2.z, c2.z; mov r0, c0; (p0) mov r0, -c0", {-1, -2, -3, -4}},
    {"vs_2_x",
     AB "setp_gt p0.x, c0, c1; setp_gt p0.y, c0, c1; mov r0, c1; (p0.x) mov r0, c0",
     {5, -6, 0.5f, 8}},
    /* into lanes that nothing wrote before */
    {"ps_3_0", AB "setp_gt p0, c0, c1; (p0) mov r0, c0; (!p0) mov r0, c1", {5, 2, 3, 8}},
    {"ps_3_0", AB "setp_gt p0, c0, c1; (p0.x) mov r0, c0; (!p0.x) mov r0, c1", {5, -6, 0.5f, 8}},

    /* conditionals and loops that constants decide */
    {"vs_2_x", AB "mov r0, c0; if_gt c0.x, c1.x; mov r0, c1; endif", {1, 2, 3, 4}},
    {"vs_2_x", AB "if_lt c0.x, c1.x; mov r0, c1; else; mov r0, c0; endif", {5, -6, 0.5f, 8}},
    {"vs_2_0", AB "defb b0, true; mov r0, c0; if b0; mov r0.x, c1; endif", {5, 2, 3, 4}},
    {"vs_2_0", AB "defb b0, true; mov r0, c0; if !b0; mov r0.x, c1; endif", {1, 2, 3, 4}},
    {"vs_2_0",
     AB "defi i0, 3, 0, 0, 0; mov r0, c0; rep i0; add r0, r0, c0; endrep",
     {4, 8, 12, 16}},
    {"vs_2_0", AB "defi i0, 0, 0, 0, 0; mov r0, c0; rep i0; add r0, r0, c0; endrep", {1, 2, 3, 4}},
    {"vs_2_0",
     AB "defi i0, 0xfffffffd, 0, 0, 0; mov r0, c0; rep i0; add r0, r0, c0; endrep",
     {1, 2, 3, 4}},
    {"vs_2_0",
     AB "defi i0, 300, 0, 0, 0; mov r0, c0; rep i0; add r0, r0, c0; endrep",
     {256, 512, 768, 1024}},
    {"vs_2_0",
     ROWS "defi i0, 3, 8, 1, 0; mov r0, c8; loop aL, i0; add r0, r0, c[aL]; endloop",
     {35, 35, 35, -35}},
    {"vs_2_0",
     ROWS "defi i0, 2, 12, 0xfffffffe, 0; mov r0, c8; loop aL, i0; add r0, r0, c[aL]; endloop",
     {30, 30, 30, -30}},
    {"vs_2_0",
     ROWS "defi i0, 4, 9, 0, 0; mov r0, c8; loop aL, i0; add r0, r0, c[aL]; endloop",
     {44, 44, 44, -44}},
    {"vs_3_0",
     ROWS
     "defi i0, 2, 8, 1, 0; defi i1, 2, 11, 1, 0; mov r0, c8; loop aL, i0; loop aL, i1; add r0, r0, c[aL]; "
     "endloop; add r0, r0, c[aL]; endloop",
     {71, 71, 71, -71}},
    {"vs_2_x",
     AB "defi i0, 9, 0, 0, 0; mov r0, c0; rep i0; add r0, r0, c0; break_ge r0.x, c0.w; endrep",
     {4, 8, 12, 16}},
    {"vs_2_x",
     AB
     "defi i0, 9, 0, 0, 0; mov r0, c0; rep i0; add r0, r0, c0; if_ge r0.x, c0.z; break; endif; endrep",
     {3, 6, 9, 12}},
    {"vs_3_0",
     AB
     "defi i0, 9, 0, 0, 0; mov r0, c0; rep i0; add r0, r0, c0; setp_ge p0, r0, c1.w; breakp p0.w; endrep",
     {2, 4, 6, 8}},
};

/* The row's program with its result in the first output. */
static const char *complete(const row *r, char *text, size_t size)
{
    bool vertex = r->model[0] == 'v', late = r->model[3] == '3';
    const char *end = !vertex ? (r->model[3] == '1' ? "" : "; mov oC0, r0")
                      : late  ? "; mov o0, r0"
                              : "; mov oT0, r0";
    snprintf(text, size, "%s; %s %s %s", r->model, vertex && late ? "dcl_texcoord o0;" : "",
             r->body, end);
    return text;
}

static bool close_enough(uint32_t got, float expected, uint32_t ulps)
{
    float value = iri_bits_f32(got);
    if (expected != expected)
        return value != value;
    if (value == expected)
        return true;
    int64_t distance = (int64_t)(int32_t)got - (int32_t)iri_f32_bits(expected);
    return (value < 0) == (expected < 0) && distance <= ulps && -distance <= ulps;
}

static void check_outputs(const row *r, const iri_program *p, const char *how)
{
    iri_test_run run = {.p = p};
    if (!iri_test_interpret(&run)) {
        FAIL("%s, %s: %s: cannot run: %s", r->model, how, r->body, run.fault);
        return;
    }
    if (run.killed)
        FAIL("%s, %s: %s: killed", r->model, how, r->body);
    for (uint32_t i = 0; i < 4; i++)
        if (!close_enough(run.outputs[0][i], r->expect[i], r->ulps))
            FAIL("%s, %s: %s: lane %u is %.9g (0x%08x), expected %.9g", r->model, how, r->body, i,
                 (double)iri_bits_f32(run.outputs[0][i]), run.outputs[0][i], (double)r->expect[i]);
}

/* Whether a row must fold away: it has no loop and no array of constants. */
static bool folds(const row *r)
{
    return !strstr(r->body, "rep ") && !strstr(r->body, "loop ") && !strstr(r->body, "a0");
}

/* Whether nothing is left to compute. */
static bool is_constant_program(const iri_program *p)
{
    const iri_function *f = &p->functions[p->entry];
    bool constant = true;
    iri_for_each_inst(p, f->body, in) constant &=
        in->op == IRI_OP_OUTPUT || in->op == IRI_OP_RETURN;
    return constant;
}

TEST(numbers_d3d9)
{
    char text[1200];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        iri_lift_options options = {.size = sizeof options,
                                    .raw = true,
                                    .multiply =
                                        r->ieee ? IRI_MULTIPLY_IEEE : IRI_MULTIPLY_ZERO_WINS};
        iri_program *raw = iri_test_lift(complete(r, text, sizeof text), &options);
        if (!raw)
            continue;
        check_outputs(r, raw, "as read");
        iri_program_free(raw);
        options.raw = false;
        iri_program *lifted = iri_test_lift(text, &options);
        if (!lifted)
            continue;
        check_outputs(r, lifted, "lifted");
        if (folds(r) && !is_constant_program(lifted))
            FAIL("%s: %s: is no constant", r->model, r->body);
        iri_program_free(lifted);
    }
    CHECK(sizeof rows / sizeof *rows >= 150);
}

/* ---- inputs and outputs at run-time numbers ----
 * Lane k of the interface's input i is 10 i + k + 1. */

#define PS3 "ps_3_0; dcl_texcoord v0; dcl_texcoord1 v2; def c0, 0, 0, 0, 0; "
#define VS3 \
    "vs_3_0; dcl_position v0; dcl_color v1; dcl_position o0; dcl_color o1; dcl_texcoord o2.xy; "
#define ADD_EACH "mov r0, c0; loop aL, i0; add r0, r0, v[aL]; endloop; mov oC0, r0"
#define CALL_EACH \
    "mov r0, c0; loop aL, i0; call l0; endloop; mov oC0, r0; ret; label l0; add r0, r0, v[aL]; ret"

static const struct {
    const char *text;
    float expect[3][4];
} indexed_rows[] = {
    /* v0 and v2 are declared; any other register is zero */
    {PS3 "defi i0, 5, 0, 1, 0; " ADD_EACH, {{12, 14, 16, 18}}},
    {PS3 "defi i0, 5, 0, 1, 0; " CALL_EACH, {{12, 14, 16, 18}}},
    {PS3 "defi i0, 4, 0xfffffffd, 1, 0; " ADD_EACH, {{1, 2, 3, 4}}},
    {PS3 "defi i0, 4, 0xfffffffd, 1, 0; " CALL_EACH, {{1, 2, 3, 4}}},
    {PS3 "defi i0, 255, 100, 1, 0; " ADD_EACH, {{0, 0, 0, 0}}},
    {PS3 "defi i0, 3, 2, 0xffffffff, 0; mov r0, c0; loop aL, i0; mad r0, v[aL].x, v[aL + 2].y, r0;"
         "endloop; mov oC0, r0",
     {{12, 12, 12, 12}}},
    /* lanes: v1 has two */
    {"ps_3_0; dcl_texcoord v0; dcl_texcoord1 v1.yz; defi i0, 1, 1, 1, 0; loop aL, i0;"
     "mov r0, v[aL]; endloop; mov oC0, r0",
     {{0, 11, 12, 0}}},
    {VS3 "def c0, 1, 0, -1, 2; mova a0, c0; mov o0, v[a0.x]; add o1, v[a0.y], v[a0.z];"
         "mov o2.xy, v[a0.w]",
     {{11, 12, 13, 14}, {1, 2, 3, 4}, {0, 0}}},
    /* outputs: what lies beside o0 to o2 is lost */
    {VS3 "defi i0, 9, 0xfffffffe, 1, 0; loop aL, i0; mov o[aL], v1; endloop",
     {{11, 12, 13, 14}, {11, 12, 13, 14}, {11, 12}}},
    {VS3 "defi i0, 2, 0, 1, 0; mov o2.xy, v0; loop aL, i0; mov r0, aL; mov o[aL], r0; endloop",
     {{0, 0, 0, 0}, {1, 1, 1, 1}, {1, 2}}},
    {VS3 "defi i0, 3, 3, 1, 0; mov o0, v0; mov o1, v1; mov o2.xy, v1; loop aL, i0; mov o[aL], v0;"
         "endloop",
     {{1, 2, 3, 4}, {11, 12, 13, 14}, {11, 12}}},
    {VS3 "defi i0, 1, 1, 1, 0; mov o0, v0; mov o1, v1; setp_gt p0, v0, v0.y; loop aL, i0;"
         "(p0) mov o[aL], -v0; endloop",
     {{1, 2, 3, 4}, {11, 12, -3, -4}, {0, 0}}},
    /* in subroutines */
    {VS3 "defi i0, 9, 0xfffffffe, 1, 0; loop aL, i0; call l0; endloop; ret; label l0;"
         "mov o[aL], v1; ret",
     {{11, 12, 13, 14}, {11, 12, 13, 14}, {11, 12}}},
    {VS3 "defb b0, true; defi i0, 3, 0, 1, 0; mov o1, v0; loop aL, i0; callnz l0, b0; endloop; ret;"
         "label l0; mov r0, aL; mov o[aL].xw, r0; call l1; ret; label l1; mov o2.y, v1.w; ret",
     {{0, 0, 0, 0}, {1, 2, 3, 1}, {2, 14}}},
    {VS3 "defi i0, 1, 1, 1, 0; mov o0, v0; mov o1, v1; setp_gt p0, v0, v0.y; loop aL, i0; call l0;"
         "endloop; ret; label l0; (p0) mov o[aL], -v0; (!p0) mov o2.xy, v1; ret",
     {{1, 2, 3, 4}, {11, 12, -3, -4}, {11, 12}}},
};

static void check_indexed(const char *text, const float expect[3][4], bool raw)
{
    iri_lift_options options = {.size = sizeof options, .raw = raw};
    iri_program *p = iri_test_lift(text, &options);
    iri_test_run run = {.p = p};
    if (!p)
        return;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 4; k++)
            run.inputs[i][k] = iri_f32_bits((float)(10 * i + k + 1));
    if (!iri_test_interpret(&run))
        FAIL("%s: cannot run: %s", text, run.fault);
    for (uint32_t i = 0; i < p->interface.output_count && i < 3; i++)
        for (uint32_t k = 0; k < IRI_TYPE_LANES(p->interface.outputs[i].type); k++)
            if (iri_bits_f32(run.outputs[i][k]) != expect[i][k])
                FAIL("%s, %s: output %u lane %u is %g, expected %g", text,
                     raw ? "as read" : "lifted", i, k, (double)iri_bits_f32(run.outputs[i][k]),
                     (double)expect[i][k]);
    iri_program_free(p);
}

TEST(numbers_indexed)
{
    for (size_t i = 0; i < sizeof indexed_rows / sizeof *indexed_rows; i++) {
        check_indexed(indexed_rows[i].text, indexed_rows[i].expect, true);
        check_indexed(indexed_rows[i].text, indexed_rows[i].expect, false);
    }
}
