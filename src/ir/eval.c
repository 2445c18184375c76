/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ops.def's lane expressions, compiled for every scalar, and the whole operations around them. The
 * numbers must be the same on every machine: f32 in float and f64 in double without contraction, f16 as
 * float and rounded, transcendentals from base/math32, and one NaN for all results that arithmetic makes.
 */
#include "ir/eval.h"

#include "base/math32.h"
#include "base/number.h"
#include "ir/program.h"
#include <float.h>
#include <math.h>
#include <string.h>

static bool is_evaluated(const char *lane)
{
    return strcmp(lane, "NONE") != 0;
}

/* The bits of a NaN with nothing but the quiet bit for any NaN's, others as they are. */
static uint64_t one_nan(uint64_t bits, uint32_t width)
{
    uint64_t infinity = width == 16   ? UINT64_C(0x7c00)
                        : width == 32 ? UINT64_C(0x7f800000)
                                      : UINT64_C(0x7ff0000000000000);
    uint64_t mantissa = (infinity & -infinity) - 1;
    bool nan = (bits & infinity) == infinity && (bits & mantissa) != 0;
    return nan ? infinity | (infinity & -infinity) >> 1 : bits;
}

static uint64_t mask_of(uint32_t width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static bool is_signed(iri_scalar scalar)
{
    return scalar == IRI_I16 || scalar == IRI_I32 || scalar == IRI_I64;
}

/* The ends of an integer type are powers of two or one less; compared as doubles with the power. */
static uint64_t float_to_int(double x, iri_scalar to)
{
    uint32_t width = iri_scalar_bits(to);
    if (x != x || width < 16)
        return 0;
    double whole = trunc(x);
    if (is_signed(to)) {
        double end = ldexp(1, (int)width - 1);
        if (whole >= end)
            return mask_of(width - 1);
        return whole < -end ? UINT64_C(1) << (width - 1)
                            : (uint64_t)(int64_t)whole & mask_of(width);
    }
    if (whole >= ldexp(1, (int)width))
        return mask_of(width);
    return whole <= 0 ? 0 : (uint64_t)whole;
}

static uint64_t float_to_float(double x, iri_scalar to)
{
    if (to == IRI_F16)
        return one_nan(iri_f64_to_f16(x), 16);
    if (to == IRI_F32)
        return one_nan(iri_f32_bits((float)x), 32);
    return one_nan(iri_f64_bits(x), 64);
}

/* Each conversion rounds once: an integer above 2^53, which a double may round, is infinite as an f16. */
static uint64_t int_to_any(uint64_t bits, bool from_signed, uint32_t width, iri_scalar to)
{
    if (from_signed && width < 64 && bits >> (width - 1) & 1)
        bits |= ~mask_of(width);
    switch (to) {
    case IRI_F16: return iri_f64_to_f16(from_signed ? (double)(int64_t)bits : (double)bits);
    case IRI_F32: return iri_f32_bits(from_signed ? (float)(int64_t)bits : (float)bits);
    case IRI_F64: return iri_f64_bits(from_signed ? (double)(int64_t)bits : (double)bits);
    default: return bits & mask_of(iri_scalar_bits(to));
    }
}

/* In double, so that f32's is within 0.51 ulp and the same everywhere. */
static float rsqf(float x)
{
    return (float)(1 / sqrt((double)x));
}
static double rsq(double x)
{
    return 1 / sqrt(x);
}

/* What FN(f) names for integers, which have no such rows. */
#define no_fma(x, y, z) 0
#define no_fabs(x) 0
#define no_floor(x) 0
#define no_ceil(x) 0
#define no_trunc(x) 0
#define no_rint(x) 0
#define no_round(x) 0
#define no_sqrt(x) 0
#define no_rsq(x) 0
#define NONE 0

#if defined(__GNUC__)
/* Rows that a scalar's class excludes still compile for it. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#pragma GCC diagnostic ignored "-Wsign-compare"
#endif

#define KIND f16
#define LANE float
#define FLOATING 1
#define BIT_COUNT 16
#define CLASSES "FHNA"
#define FROM(w) iri_f16_to_f32((uint16_t)(w))
#define TO(x) ((uint64_t)iri_f32_to_f16(x))
#define LANE_MAX 65504.0f
#define FN(name) name##f
#define NEG_BITS UINT64_C(0x8000)
#include "ir/eval_lanes.def"

#define KIND f32
#define LANE float
#define FLOATING 1
#define BIT_COUNT 32
#define CLASSES "FHNA"
#define FROM(w) iri_bits_f32((uint32_t)(w))
#define TO(x) ((uint64_t)iri_f32_bits(x))
#define LANE_MAX FLT_MAX
#define FN(name) name##f
#define NEG_BITS UINT64_C(0x80000000)
#include "ir/eval_lanes.def"

#define KIND f64
#define LANE double
#define FLOATING 1
#define BIT_COUNT 64
#define CLASSES "FNA"
#define FROM(w) iri_bits_f64(w)
#define TO(x) iri_f64_bits(x)
#define LANE_MAX DBL_MAX
#define FN(name) name
#define NEG_BITS UINT64_C(0x8000000000000000)
/* No row of class H runs for f64. */
#define iri_exp2f(x) 0
#define iri_log2f(x) 0
#define iri_powf(x, y) 0
#define iri_sinf(x) 0
#define iri_asinf(x) 0
#define iri_acosf(x) 0
#define iri_atanf(x) 0
#define iri_atan2f(x, y) 0
#define iri_cosf(x) 0
#include "ir/eval_lanes.def"

#define INTEGER_CLASSES "INLA"

#define KIND i16
#define LANE int16_t
#define FLOATING 0
#define UNSIGNED uint32_t
#define BIT_COUNT 16
#define CLASSES INTEGER_CLASSES
#define FROM(w) ((int16_t)(uint16_t)(w))
#define TO(x) ((uint64_t)(uint16_t)(x))
#include "ir/eval_lanes.def"

#define KIND u16
#define LANE uint16_t
#define FLOATING 0
#define UNSIGNED uint32_t
#define BIT_COUNT 16
#define CLASSES INTEGER_CLASSES
#define FROM(w) ((uint16_t)(w))
#define TO(x) ((uint64_t)(uint16_t)(x))
#include "ir/eval_lanes.def"

#define KIND i32
#define LANE int32_t
#define FLOATING 0
#define UNSIGNED uint32_t
#define BIT_COUNT 32
#define CLASSES INTEGER_CLASSES
#define FROM(w) ((int32_t)(uint32_t)(w))
#define TO(x) ((uint64_t)(uint32_t)(x))
#include "ir/eval_lanes.def"

#define KIND u32
#define LANE uint32_t
#define FLOATING 0
#define UNSIGNED uint32_t
#define BIT_COUNT 32
#define CLASSES INTEGER_CLASSES
#define FROM(w) ((uint32_t)(w))
#define TO(x) ((uint64_t)(uint32_t)(x))
#include "ir/eval_lanes.def"

#define KIND i64
#define LANE int64_t
#define FLOATING 0
#define UNSIGNED uint64_t
#define BIT_COUNT 64
#define CLASSES INTEGER_CLASSES
#define FROM(w) ((int64_t)(w))
#define TO(x) ((uint64_t)(x))
#include "ir/eval_lanes.def"

#define KIND u64
#define LANE uint64_t
#define FLOATING 0
#define UNSIGNED uint64_t
#define BIT_COUNT 64
#define CLASSES INTEGER_CLASSES
#define FROM(w) (w)
#define TO(x) ((uint64_t)(x))
#include "ir/eval_lanes.def"

#define KIND truth
#define LANE uint8_t
#define FLOATING 0
#define UNSIGNED uint32_t
#define BIT_COUNT 1
#define CLASSES "BLA"
#define FROM(w) ((uint8_t)((w) != 0))
#define TO(x) ((uint64_t)((x) != 0))
#include "ir/eval_lanes.def"

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

bool iri_eval_lane(iri_op op, iri_scalar scalar, iri_scalar result, const uint64_t operands[3],
                   uint64_t *out)
{
    if (op <= IRI_OP_NONE || op >= IRI_OP_COUNT)
        return false;
    /* A choice moves bits: it must not pass a NaN through a float register. */
    if (iri_op_infos[op].operands[0] == 'C') {
        *out = operands[0] ? operands[1] : operands[2];
        return true;
    }
    switch (scalar) {
    case IRI_BOOL: return lane_truth(op, result, operands, out);
    case IRI_I16: return lane_i16(op, result, operands, out);
    case IRI_U16: return lane_u16(op, result, operands, out);
    case IRI_F16: return lane_f16(op, result, operands, out);
    case IRI_I32: return lane_i32(op, result, operands, out);
    case IRI_U32: return lane_u32(op, result, operands, out);
    case IRI_F32: return lane_f32(op, result, operands, out);
    case IRI_I64: return lane_i64(op, result, operands, out);
    case IRI_U64: return lane_u64(op, result, operands, out);
    case IRI_F64: return lane_f64(op, result, operands, out);
    case IRI_VOID:
    case IRI_SCALAR_COUNT: break;
    }
    return false;
}

static bool eval_lanes(iri_op op, iri_type result_type, const iri_type *types,
                       const uint64_t (*operands)[4], uint32_t count, uint64_t result[4])
{
    if (!count || count > 3)
        return false;
    iri_scalar scalar = IRI_TYPE_SCALAR(types[count - 1]);
    for (uint32_t lane = 0; lane < IRI_TYPE_LANES(result_type); lane++) {
        uint64_t in[3] = {0, 0, 0};
        for (uint32_t i = 0; i < count; i++)
            in[i] = operands[i][IRI_TYPE_LANES(types[i]) > lane ? lane : 0];
        if (!iri_eval_lane(op, scalar, IRI_TYPE_SCALAR(result_type), in, &result[lane]))
            return false;
    }
    return true;
}

/* Products summed from lane x on, each step rounded to the lane's width. */
static bool eval_dot(iri_op op, const iri_type *types, const uint64_t (*operands)[4],
                     uint64_t result[4])
{
    iri_scalar scalar = IRI_TYPE_SCALAR(types[0]);
    for (uint32_t lane = 0; lane < IRI_TYPE_LANES(types[0]); lane++) {
        uint64_t in[3] = {operands[0][lane], operands[1][lane], 0}, product;
        if (!iri_eval_lane(op, scalar, scalar, in, &product))
            return false;
        uint64_t sum[3] = {result[0], product, 0};
        if (!lane)
            result[0] = product;
        else if (!iri_eval_lane(IRI_OP_ADD, scalar, scalar, sum, &result[0]))
            return false;
    }
    return true;
}

bool iri_eval(iri_op op, iri_type result_type, const iri_type *types, const uint64_t (*operands)[4],
              uint32_t operand_count, const uint32_t *immediates, uint64_t result[4])
{
    uint32_t lanes = IRI_TYPE_LANES(result_type), n = 0;
    if (op <= IRI_OP_NONE || op >= IRI_OP_COUNT || !operand_count)
        return false;
    memset(result, 0, 4 * sizeof result[0]);
    if (iri_op_infos[op].properties & IRI_PROP_LANE)
        return eval_lanes(op, result_type, types, operands, operand_count, result);
    switch (op) {
    case IRI_OP_SWIZZLE:
        for (uint32_t i = 0; i < lanes; i++)
            result[i] = operands[0][IRI_LANES_AT(immediates[0], i)];
        return true;
    case IRI_OP_INSERT:
        memcpy(result, operands[0], lanes * sizeof result[0]);
        for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[0]); i++)
            result[IRI_LANES_AT(immediates[0], i)] = operands[1][i];
        return true;
    case IRI_OP_COMPOSE:
        for (uint32_t p = 0; p < operand_count; p++)
            for (uint32_t i = 0; i < IRI_TYPE_LANES(types[p]) && n < 4; i++)
                result[n++] = operands[p][i];
        return true;
    case IRI_OP_SPLAT:
        for (uint32_t i = 0; i < lanes; i++)
            result[i] = operands[0][0];
        return true;
    case IRI_OP_BITCAST: memcpy(result, operands[0], lanes * sizeof result[0]); return true;
    case IRI_OP_DOT:
    case IRI_OP_DOT_ZERO: return eval_dot(op, types, operands, result);
    case IRI_OP_ANY:
    case IRI_OP_ALL:
        result[0] = op == IRI_OP_ALL;
        for (uint32_t i = 0; i < IRI_TYPE_LANES(types[0]); i++)
            if ((operands[0][i] != 0) == (op == IRI_OP_ANY))
                result[0] = op == IRI_OP_ANY;
        return true;
    default: return false; /* the rest need a shader's surroundings */
    }
}
