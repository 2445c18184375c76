/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Direct3D's operations: calls of functions that special.def spells out, each printed once where something calls it.
 * WGSL has no generic functions, so there is one a width; all are constant text.
 */
#include "write/wgsl/wgsl.h"

typedef struct helper {
    iri_str name, text;
} helper;

#define IRI_SPECIAL(id, name, comment, parameters, result, body) \
    {{name, sizeof(name) - 1}, \
     {IRI_SPECIAL_TEXT(name, comment, parameters, result, body), \
      sizeof(IRI_SPECIAL_TEXT(name, comment, parameters, result, body)) - 1}},
#define IRI_SPECIAL_TEXT(name, comment, parameters, result, body) \
    "\n// " comment ".\nfn " name "(" parameters(result) body "}\n"

/* What several bodies share. */
#define ZERO_WINS \
    "    let least = min(x & " U("0x7fffffffu") ", y & " U( \
        "0x7fffffffu") ");\n" \
                       "    let most = max(x & " U("0x7fffffffu") ", y & " U( \
                           "0x7fffffffu") ");\n" \
                                          "    let zero_wins = (least < " U( \
                                              "0x800000u") ") & (most > " U("0x7f7fffffu") ");\n"
#define ORDERED \
    "    let most = max(x & " U("0x7fffffffu") ", y & " U( \
        "0x7fffffffu") ");\n" \
                       "    let ordered = most <= " U("0x7f800000u") ";\n"
#define IS_ZERO(x) "    let zero = (bitcast<" u ">(" x ") & " U("0x7f800000u") ") == " U("0u") ";\n"

/* f32 is given as it is computed. */
#define A_ONLY(result) "a: " f ") -> " result " {\n"
#define A_B(result) "a: " f ", b: " f ") -> " result " {\n"
#define GIVE(x) x
#define PICK(first) "bitcast<" f ">(select(y, x, " first "))"
#define LARGEST "0x1.fffffep+127"
#define H f
#define H1 "f32"
#define F(x) x
#define U(x) x
#define I(x) x
static const helper of_one[] = {
#define N ""
#define N_ ""
#define f "f32"
#define u "u32"
#define i "i32"
#include "write/wgsl/special.def"
#undef N
#undef N_
#undef f
#undef u
#undef i
};
#undef F
#undef U
#undef I
#define F(x) f "(" x ")"
#define U(x) u "(" x ")"
#define I(x) i "(" x ")"
static const helper of_two[] = {
#define N "2"
#define N_ "_2"
#define f "vec2f"
#define u "vec2u"
#define i "vec2i"
#include "write/wgsl/special.def"
#undef N
#undef N_
#undef f
#undef u
#undef i
};
static const helper of_three[] = {
#define N "3"
#define N_ "_3"
#define f "vec3f"
#define u "vec3u"
#define i "vec3i"
#include "write/wgsl/special.def"
#undef N
#undef N_
#undef f
#undef u
#undef i
};
static const helper of_four[] = {
#define N "4"
#define N_ "_4"
#define f "vec4f"
#define u "vec4u"
#define i "vec4i"
#include "write/wgsl/special.def"
#undef N
#undef N_
#undef f
#undef u
#undef i
};
#undef F
#undef U
#undef I
#undef A_ONLY
#undef A_B
#undef GIVE
#undef PICK
#undef LARGEST
#undef H
#undef H1

/* f16 is taken as f32 and given back; a NaN that is passed on keeps its payload. */
#define A_ONLY(result) "half: " H ") -> " result " {\n    let a = " f "(half);\n"
#define A_B(result) \
    "half: " H ", other: " H ") -> " result " {\n" \
    "    let a = " f "(half);\n" \
    "    let b = " f "(other);\n"
#define GIVE(x) H "(" x ")"
#define PICK(first) "select(other, half, " first ")"
#define LARGEST "65504.0"
#define H1 "f16"
#define F(x) x
#define U(x) x
#define I(x) x
static const helper of_half[] = {
#define N "_f16"
#define N_ "_f16"
#define H "f16"
#define f "f32"
#define u "u32"
#define i "i32"
#include "write/wgsl/special.def"
#undef N
#undef N_
#undef H
#undef f
#undef u
#undef i
};
#undef F
#undef U
#undef I
#define F(x) f "(" x ")"
#define U(x) u "(" x ")"
#define I(x) i "(" x ")"
static const helper of_two_halves[] = {
#define N "_f16_2"
#define N_ "_f16_2"
#define H "vec2h"
#define f "vec2f"
#define u "vec2u"
#define i "vec2i"
#include "write/wgsl/special.def"
#undef N
#undef N_
#undef H
#undef f
#undef u
#undef i
};
static const helper of_three_halves[] = {
#define N "_f16_3"
#define N_ "_f16_3"
#define H "vec3h"
#define f "vec3f"
#define u "vec3u"
#define i "vec3i"
#include "write/wgsl/special.def"
#undef N
#undef N_
#undef H
#undef f
#undef u
#undef i
};
static const helper of_four_halves[] = {
#define N "_f16_4"
#define N_ "_f16_4"
#define H "vec4h"
#define f "vec4f"
#define u "vec4u"
#define i "vec4i"
#include "write/wgsl/special.def"
#undef N
#undef N_
#undef H
#undef f
#undef u
#undef i
};
#undef F
#undef U
#undef I
#undef A_ONLY
#undef A_B
#undef GIVE
#undef PICK
#undef LARGEST
#undef H1
#undef ZERO_WINS
#undef ORDERED
#undef IS_ZERO
#undef IRI_SPECIAL
#undef IRI_SPECIAL_TEXT

/* The rows' numbers. */
enum {
#define IRI_SPECIAL(id, name, comment, parameters, result, body) HELPER_##id,
#include "write/wgsl/special.def"
#undef IRI_SPECIAL
    HELPER_COUNT
};
_Static_assert(HELPER_COUNT * 4 <= 64, "a bit each in iri_wgsl.special");

/* By whether it is f16, and lanes - 1. */
static const helper *const tables[2][4] = {
    {of_one, of_two, of_three, of_four},
    {of_half, of_two_halves, of_three_halves, of_four_halves},
};

static uint32_t helper_of(iri_wgsl *w, const iri_inst *in, uint32_t lanes)
{
    switch (in->op) {
    /* A product of one lane is the sum of one. */
    case IRI_OP_DOT_ZERO: return lanes == 1 ? HELPER_MUL_ZERO : HELPER_DOT_ZERO;
    case IRI_OP_MUL_ZERO: return HELPER_MUL_ZERO;
    case IRI_OP_SATURATE_ZERO: return HELPER_SATURATE_ZERO;
    case IRI_OP_MIN_LT: return HELPER_MIN_LT;
    case IRI_OP_MAX_GE: return HELPER_MAX_GE;
    case IRI_OP_RCP_MAX: return HELPER_RCP_MAX;
    case IRI_OP_RSQ_MAX: return HELPER_RSQ_MAX;
    case IRI_OP_LOG2_MAX: return HELPER_LOG2_MAX;
    case IRI_OP_POW_ABS: return HELPER_POW_ABS;
    case IRI_OP_ROUND_AWAY: return HELPER_ROUND_AWAY;
    case IRI_OP_FTOI_SAT:
        return IRI_TYPE_SCALAR(iri_type_of(w->p, in->results)) == IRI_U32 ? HELPER_FTOI_SAT_U32
                                                                          : HELPER_FTOI_SAT;
    default:
        iri_fail(w->ctx, IRI_INTERNAL, in->offset, "%s has no function of its own",
                 iri_op_infos[in->op].name);
    }
}

iri_wgsl_expr iri_wgsl_special(iri_wgsl *w, const iri_inst *in)
{
    const iri_id *operands = iri_operands(w->p, in);
    iri_type type = iri_type_of(w->p, operands[0]);
    uint32_t lanes = IRI_TYPE_LANES(type), number = helper_of(w, in, lanes);
    bool half = IRI_TYPE_SCALAR(type) == IRI_F16;
    iri_wgsl_expr e[2] = {{.level = 0}};
    for (uint32_t k = 0; k < in->operand_count && k < 2; k++)
        e[k] = iri_wgsl_operand(w, operands[k]);
    w->special[half] |= UINT64_C(1) << (number * 4 + lanes - 1);
    return iri_wgsl_call(w, tables[half][lanes - 1][number].name, e, in->operand_count);
}

void iri_wgsl_write_special(const iri_wgsl *w, iri_buf *out)
{
    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t bit = 0; w->special[half] >> bit; bit++)
            if (w->special[half] >> bit & 1)
                iri_buf_put(out, tables[half][bit % 4][bit / 4].text);
    if (w->from_bits)
        iri_buf_put(out, IRI_STR("\n// The number with these bits: WGSL has no literal for "
                                 "infinities and NaN.\n"
                                 "fn from_bits(bits: u32) -> f32 {\n"
                                 "    return bitcast<f32>(bits);\n"
                                 "}\n"));
}
