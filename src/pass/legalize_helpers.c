/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The helpers: Direct3D's operations in plain ones. WGSL lets an implementation assume that there are
 * no NaNs and infinities, and SPIR-V much the same, so each rule about them is a test on the bits of
 * an operand, decided before the arithmetic, and no infinity is made on the way. The executor gives
 * the same bits for a helper as for the operation it stands for.
 */
#include "pass/legalize.h"

#include "base/number.h"

#define ABS_BITS 0x7fffffffu
#define INF_BITS 0x7f800000u
#define MAX_BITS 0x7f7fffffu
#define F16_MAX_BITS 0x477fe000u /* 65504, the largest f16, as f32 */
#define ONE_BITS 0x3f800000u
#define NAN_BITS 0x7fc00000u

/* What a helper's body is built with. f16 is computed as f32. */
typedef struct helper {
    iri_builder *b;
    uint32_t lanes;
    iri_scalar result;
    uint32_t largest;     /* bits of the operand's type's largest number, as f32 */
    const iri_id *halves; /* the operands where they are f16, else NULL */
} helper;

static iri_id splat(const helper *h, iri_scalar scalar, uint32_t bits)
{
    const uint64_t lanes[4] = {bits, bits, bits, bits};
    return iri_const(h->b, IRI_TYPE(scalar, h->lanes), lanes);
}

static iri_id as(const helper *h, iri_scalar scalar, iri_id x)
{
    return iri_emit_convert(h->b, IRI_OP_BITCAST, scalar, x);
}

/* The bits without the sign: zero for both zeros, above INF_BITS for a NaN. */
static iri_id magnitude(const helper *h, iri_id x)
{
    return iri_emit2(h->b, IRI_OP_AND, as(h, IRI_U32, x), splat(h, IRI_U32, ABS_BITS));
}

static iri_id is_zero(const helper *h, iri_id x)
{
    return iri_emit2(h->b, IRI_OP_IEQ, magnitude(h, x), splat(h, IRI_U32, 0));
}

static iri_id above(const helper *h, iri_id magnitude, uint32_t bits)
{
    return iri_emit2(h->b, IRI_OP_ILT, splat(h, IRI_U32, bits), magnitude);
}

/* Both operands, or two zeros where one is zero and the other is not finite. */
static void guard_zero(const helper *h, iri_id x[2])
{
    iri_id a = magnitude(h, x[0]), b = magnitude(h, x[1]), zero = splat(h, IRI_U32, 0);
    iri_id special = above(h, iri_emit2(h->b, IRI_OP_IMAX, a, b), MAX_BITS);
    iri_id some = iri_emit2(h->b, IRI_OP_IEQ, iri_emit2(h->b, IRI_OP_IMIN, a, b), zero);
    iri_id guarded = iri_emit2(h->b, IRI_OP_AND, some, special);
    for (uint32_t i = 0; i < 2; i++)
        x[i] = as(h, IRI_F32, iri_emit_select(h->b, guarded, zero, as(h, IRI_U32, x[i])));
}

static iri_id build_mul_zero(const helper *h, iri_id *x)
{
    guard_zero(h, x);
    return iri_emit2(h->b, IRI_OP_MUL, x[0], x[1]);
}

static iri_id build_dot_zero(const helper *h, iri_id *x)
{
    guard_zero(h, x);
    for (uint32_t i = 0; i < 2 && h->halves; i++) /* its sums are rounded to f16 one by one */
        x[i] = iri_emit_convert(h->b, IRI_OP_FTOF, IRI_F16, x[i]);
    return iri_emit2(h->b, IRI_OP_DOT, x[0], x[1]);
}

/* Floats from 0 on are ordered as their bits are, and those below 0 are negative integers. */
static iri_id build_saturate_zero(const helper *h, iri_id *x)
{
    iri_id bits = as(h, IRI_I32, x[0]), zero = splat(h, IRI_I32, 0);
    iri_id nan = iri_emit2(h->b, IRI_OP_ILT, splat(h, IRI_I32, INF_BITS), bits);
    iri_id held = iri_emit2(h->b, IRI_OP_IMIN, iri_emit2(h->b, IRI_OP_IMAX, bits, zero),
                            splat(h, IRI_I32, ONE_BITS));
    return as(h, IRI_F32, iri_emit_select(h->b, nan, zero, held));
}

/* `a OP b ? a : b`, false where one is NaN, whose payload is kept. */
static iri_id choose(const helper *h, iri_op op, iri_id *x)
{
    iri_id size = magnitude(h, x[1]);
    iri_id larger = iri_emit2(h->b, IRI_OP_IMAX, magnitude(h, x[0]), size);
    iri_id ordered = iri_emit2(h->b, IRI_OP_ILE, larger, splat(h, IRI_U32, INF_BITS));
    iri_id first = iri_emit2(h->b, IRI_OP_AND, iri_emit2(h->b, op, x[0], x[1]), ordered);
    if (h->halves)
        return iri_emit_select(h->b, first, h->halves[0], h->halves[1]);
    iri_id other = as(h, IRI_U32, x[1]);
    return as(h, IRI_F32, iri_emit_select(h->b, first, as(h, IRI_U32, x[0]), other));
}

static iri_id build_min_lt(const helper *h, iri_id *x)
{
    return choose(h, IRI_OP_LT, x);
}

static iri_id build_max_ge(const helper *h, iri_id *x)
{
    return choose(h, IRI_OP_GE, x);
}

/* `op` of x, which is given 1 in place of 0, where the result is `at_zero`. */
static iri_id finite_or(const helper *h, iri_op op, iri_id x, uint32_t at_zero)
{
    iri_id zero = is_zero(h, x);
    iri_id safe = iri_emit_select(h->b, zero, splat(h, IRI_F32, ONE_BITS), x);
    if (op != IRI_OP_RCP)
        safe = iri_emit1(h->b, IRI_OP_ABS, safe);
    return iri_emit_select(h->b, zero, splat(h, IRI_F32, at_zero), iri_emit1(h->b, op, safe));
}

static iri_id build_rcp_max(const helper *h, iri_id *x)
{
    return finite_or(h, IRI_OP_RCP, x[0], h->largest);
}

static iri_id build_rsq_max(const helper *h, iri_id *x)
{
    return finite_or(h, IRI_OP_RSQ, x[0], h->largest);
}

static iri_id build_log2_max(const helper *h, iri_id *x)
{
    return finite_or(h, IRI_OP_LOG2, x[0], h->largest | 0x80000000u);
}

/* 0 to the power of y is 0, infinity below 0, and NaN of NaN; bits, since it cannot be computed. */
static iri_id build_pow_abs(const helper *h, iri_id *x)
{
    iri_id zero = is_zero(h, x[0]), one = splat(h, IRI_F32, ONE_BITS);
    iri_id base = iri_emit1(h->b, IRI_OP_ABS, iri_emit_select(h->b, zero, one, x[0]));
    iri_id power = iri_emit2(h->b, IRI_OP_POW, base, x[1]);
    iri_id bits = as(h, IRI_I32, x[1]), nan = above(h, magnitude(h, x[1]), INF_BITS);
    iri_id of_zero = iri_emit_select(h->b, iri_emit2(h->b, IRI_OP_ILT, bits, splat(h, IRI_I32, 0)),
                                     splat(h, IRI_U32, INF_BITS), splat(h, IRI_U32, 0));
    of_zero = iri_emit_select(h->b, nan, splat(h, IRI_U32, NAN_BITS), of_zero);
    power = iri_emit_select(h->b, zero, of_zero, as(h, IRI_U32, power));
    return as(h, IRI_F32, iri_emit_select(h->b, is_zero(h, x[1]), as(h, IRI_U32, one), power));
}

static iri_id build_round_away(const helper *h, iri_id *x)
{
    iri_id whole = iri_emit1(h->b, IRI_OP_TRUNC, x[0]);
    iri_id rest = iri_emit1(h->b, IRI_OP_ABS, iri_emit2(h->b, IRI_OP_SUB, x[0], whole));
    iri_id below = iri_emit2(h->b, IRI_OP_LT, x[0], splat(h, IRI_F32, 0));
    iri_id step = iri_emit_select(h->b, below, splat(h, IRI_F32, ONE_BITS | 0x80000000u),
                                  splat(h, IRI_F32, ONE_BITS));
    iri_id away = iri_emit2(h->b, IRI_OP_GE, rest, splat(h, IRI_F32, iri_f32_bits(0.5f)));
    return iri_emit_select(h->b, away, iri_emit2(h->b, IRI_OP_ADD, whole, step), whole);
}

/* WGSL converts what lies outside to the nearest number that both types have. */
static iri_id build_ftoi_sat(const helper *h, iri_id *x)
{
    bool is_signed = h->result == IRI_I32;
    iri_id bits = as(h, IRI_U32, x[0]), m = magnitude(h, x[0]), zero = splat(h, IRI_U32, 0);
    iri_id outside = above(h, m, iri_f32_bits(is_signed ? 2147483648.0f : 4294967296.0f) - 1);
    iri_id negative = iri_emit2(h->b, IRI_OP_ILT, as(h, IRI_I32, x[0]), splat(h, IRI_I32, 0));
    iri_id safe = as(h, IRI_F32, iri_emit_select(h->b, outside, zero, bits));
    iri_id inside = iri_emit_convert(h->b, IRI_OP_FTOI, h->result, safe);
    iri_id end = iri_emit_select(h->b, negative, splat(h, h->result, is_signed ? 0x80000000u : 0),
                                 splat(h, h->result, is_signed ? 0x7fffffffu : 0xffffffffu));
    iri_id held = iri_emit_select(h->b, outside, end, inside);
    return iri_emit_select(h->b, above(h, m, INF_BITS), splat(h, h->result, 0), held);
}

/* ---- the table ---- */

typedef iri_id build_fn(const helper *h, iri_id *operands);

static const struct {
    uint16_t op;
    uint8_t operands;
    const char *name; /* NULL: by the result's scalar */
    build_fn *build;
} helpers[] = {
    {IRI_OP_MUL_ZERO, 2, "mul_zero", build_mul_zero},
    {IRI_OP_DOT_ZERO, 2, "dot_zero", build_dot_zero},
    {IRI_OP_SATURATE_ZERO, 1, "saturate_zero", build_saturate_zero},
    {IRI_OP_MIN_LT, 2, "min_lt", build_min_lt},
    {IRI_OP_MAX_GE, 2, "max_ge", build_max_ge},
    {IRI_OP_RCP_MAX, 1, "rcp_max", build_rcp_max},
    {IRI_OP_RSQ_MAX, 1, "rsq_max", build_rsq_max},
    {IRI_OP_LOG2_MAX, 1, "log2_max", build_log2_max},
    {IRI_OP_POW_ABS, 2, "pow_abs", build_pow_abs},
    {IRI_OP_ROUND_AWAY, 1, "round_away", build_round_away},
    {IRI_OP_FTOI_SAT, 1, NULL, build_ftoi_sat},
};
enum { HELPER_COUNT = sizeof helpers / sizeof *helpers };

bool iri_legalize_has_helper(uint32_t op)
{
    for (uint32_t i = 0; i < HELPER_COUNT; i++)
        if (helpers[i].op == op)
            return true;
    return false;
}

/* "to_i32_4": a digit behind a digit would be another number. */
static void name_helper(char name[32], const char *base, bool half, uint32_t lanes)
{
    strcpy(name, base);
    if (half)
        strcat(name, "_f16");
    size_t size = strlen(name);
    if (lanes > 1 && name[size - 1] >= '0' && name[size - 1] <= '9')
        name[size++] = '_';
    if (lanes > 1)
        name[size++] = (char)('0' + lanes);
    name[size] = 0;
}

iri_id iri_legalize_add_helper(iri_builder *b, iri_op op, iri_type type, iri_scalar result)
{
    bool half = IRI_TYPE_SCALAR(type) == IRI_F16;
    uint32_t lanes = IRI_TYPE_LANES(type), i = 0;
    iri_type types[2] = {type, type};
    iri_type result_type = IRI_TYPE(result, op == IRI_OP_DOT_ZERO ? 1 : lanes);
    iri_id parameters[2], singles[2];
    helper h = {b, lanes, result, half ? F16_MAX_BITS : MAX_BITS, half ? parameters : NULL};
    char name[32];
    while (helpers[i].op != op)
        i++;
    name_helper(name,
                helpers[i].name     ? helpers[i].name
                : result == IRI_I32 ? "to_i32"
                                    : "to_u32",
                half, lanes);
    iri_id function =
        iri_begin_function(b, name, types, helpers[i].operands, &result_type, 1, parameters);
    for (uint32_t k = 0; k < helpers[i].operands; k++)
        singles[k] =
            half ? iri_emit_convert(b, IRI_OP_FTOF, IRI_F32, parameters[k]) : parameters[k];
    iri_id value = helpers[i].build(&h, singles);
    if (result == IRI_F16 && IRI_TYPE_SCALAR(iri_builder_type(b, value)) != IRI_F16)
        value = iri_emit_convert(b, IRI_OP_FTOF, IRI_F16, value);
    iri_emit_return(b, &value, 1);
    iri_end_function(b);
    return function;
}

/* How many rows have all the bytes from `byte` on. */
static uint32_t rows_with(uint32_t size, uint32_t byte, uint32_t bytes)
{
    return size < byte + bytes ? 0 : (size - byte - bytes) / 16 + 1;
}

/* What row `row` has at `byte`, zero from row `rows` on. */
static iri_id load_row(iri_builder *b, uint32_t resource, iri_type type, uint32_t byte, iri_id row,
                       uint32_t rows)
{
    if (!rows)
        return iri_const_zero(b, type);
    iri_id inside = iri_emit2(b, IRI_OP_ILT, row, iri_const_u32(b, rows));
    iri_id held = iri_emit2(b, IRI_OP_IMIN, row, iri_const_u32(b, rows - 1));
    iri_id offset = iri_emit2(b, IRI_OP_SHL, held, iri_const_u32(b, 4));
    if (byte)
        offset = iri_emit2(b, IRI_OP_IADD, offset, iri_const_u32(b, byte));
    iri_id value = iri_emit_load_cb(b, resource, type, offset);
    return iri_emit_select(b, inside, value, iri_const_zero(b, type));
}

iri_id iri_legalize_add_row(iri_builder *b, uint32_t resource, iri_type type, uint32_t byte)
{
    const iri_resource *r = &iri_builder_program(b)->interface.resources[resource];
    uint32_t size = r->size, count = 0, rows = rows_with(size, byte, iri_legalize_bytes(type));
    iri_type u32 = IRI_TYPE_U32, part = iri_legalize_word_at(type, 0);
    char label[32], name[48] = "row_of_";
    strcat(name, iri_resource_label(r, label));
    iri_id row, value, parts[4];
    iri_id function = iri_begin_function(b, name, &u32, 1, &type, 1, &row);
    if (rows == rows_with(size, byte, iri_legalize_bytes(part))) {
        value = load_row(b, resource, type, byte, row, rows);
    } else { /* the last row ends within the value */
        for (uint32_t lane = 0; lane < IRI_TYPE_LANES(type); lane += IRI_TYPE_LANES(part)) {
            part = iri_legalize_word_at(type, lane);
            uint32_t bytes = iri_legalize_bytes(part);
            parts[count++] = load_row(b, resource, part, byte, row, rows_with(size, byte, bytes));
            byte += bytes;
        }
        value = iri_emit_compose(b, parts, count);
    }
    iri_emit_return(b, &value, 1);
    iri_end_function(b);
    return function;
}
