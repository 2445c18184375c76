/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * legalize's helpers have the bits of the operations they stand for: each on special operands, legalized,
 * inlined and folded, against ir/eval. And legalize leaves none of them.
 */
#include "base/number.h"
#include "ir/eval.h"
#include "ir/program.h"
#include "tests/unit/test.h"

#include <iridia/pass.h>
#include <iridia/text.h>
#include <stdio.h>
#include <string.h>

static const uint32_t special[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3effffff, 0x40200000,
    0xc0200000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f7fffff, 0xff7fffff, 0x00000001,
    0x80000001, 0x00800000, 0x4f000000, 0xcf000000, 0x4f800000, 0x4effffff, 0x60ad78ec, 0xe0ad78ec,
};
enum { SPECIAL_COUNT = sizeof special / sizeof *special };

static size_t put_operand(char *out, size_t size, uint32_t bits)
{
    char text[IRI_NUMBER_TEXT];
    if ((bits & 0x7f800000u) != 0x7f800000u) {
        iri_print_f32(text, bits);
        return (size_t)snprintf(out, size, "%s", text);
    }
    if (bits & 0x7fffffu)
        return (size_t)snprintf(out, size, "nan(0x%08x)", (unsigned)bits);
    return (size_t)snprintf(out, size, bits >> 31 ? "-inf" : "inf");
}

/* Runs the passes and gives the constant that is left as the first output. */
static bool run(const char *text, uint64_t *bits)
{
    static const iri_pass_id passes[] = {IRI_PASS_LEGALIZE, IRI_PASS_INLINE, IRI_PASS_FOLD};
    iri_program *p, *next;
    iri_refusal why;
    bool found = false;
    if (iri_parse_text(text, strlen(text), NULL, &p, &why) != IRI_OK) {
        FAIL("%s\n%s", why.reason, text);
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        if (iri_pass_apply(p, passes[i], NULL, &next, NULL, &why) != IRI_OK) {
            FAIL("%s\n%s", why.reason, text);
            iri_program_free(p);
            return false;
        }
        iri_program_free(p);
        p = next;
    }
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        if (in->op == IRI_OP_OUTPUT && iri_is_constant(p, iri_operands(p, in)[0])) {
            *bits = iri_constant(p, iri_operands(p, in)[0])[0];
            found = true;
        }
    }
    iri_program_free(p);
    return found;
}

static bool same(uint64_t a, uint64_t b, bool is_float)
{
    bool nan_a = (a & 0x7fffffffu) > 0x7f800000u, nan_b = (b & 0x7fffffffu) > 0x7f800000u;
    return a == b || (is_float && nan_a && nan_b);
}

static void check(iri_op op, iri_scalar result, uint32_t a, uint32_t b)
{
    const iri_op_info *info = iri_op_get_info(op);
    bool two = strlen(info->operands) == 2;
    uint64_t operands[3] = {a, b, 0}, expected = 0, got = 0;
    const char *type = iri_type_name(IRI_TYPE(result, 1));
    char text[1024];
    size_t at =
        (size_t)snprintf(text, sizeof text,
                         "program pixel entry main\noutput SV_Target0: %s @oC0.x sv target\n"
                         "fn main {\n%%0: %s = %s ",
                         type, type, info->name);
    at += put_operand(text + at, sizeof text - at, a);
    if (two) {
        at += (size_t)snprintf(text + at, sizeof text - at, ", ");
        at += put_operand(text + at, sizeof text - at, b);
    }
    snprintf(text + at, sizeof text - at, "\noutput 0.x, %%0\nreturn\n}\n");
    if (op == IRI_OP_DOT_ZERO)
        op = IRI_OP_MUL_ZERO; /* of one lane */
    REQUIRE(iri_eval_lane(op, IRI_F32, result, operands, &expected));
    if (!run(text, &got))
        FAIL("nothing constant is left of\n%s", text);
    else if (!same(got, expected, result == IRI_F32))
        FAIL("0x%08x, expected 0x%08x of\n%s", (unsigned)got, (unsigned)expected, text);
}

TEST(legalize_keeps_bits)
{
    static const struct {
        iri_op op;
        iri_scalar result;
    } rows[] = {
        {IRI_OP_MUL_ZERO, IRI_F32},   {IRI_OP_DOT_ZERO, IRI_F32}, {IRI_OP_SATURATE_ZERO, IRI_F32},
        {IRI_OP_MIN_LT, IRI_F32},     {IRI_OP_MAX_GE, IRI_F32},   {IRI_OP_RCP_MAX, IRI_F32},
        {IRI_OP_RSQ_MAX, IRI_F32},    {IRI_OP_LOG2_MAX, IRI_F32}, {IRI_OP_POW_ABS, IRI_F32},
        {IRI_OP_ROUND_AWAY, IRI_F32}, {IRI_OP_FTOI_SAT, IRI_I32}, {IRI_OP_FTOI_SAT, IRI_U32},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool two = strlen(iri_op_get_info(rows[i].op)->operands) == 2;
        for (uint32_t a = 0; a < SPECIAL_COUNT; a++)
            for (uint32_t b = 0; b < (two ? SPECIAL_COUNT : 1); b++)
                check(rows[i].op, rows[i].result, special[a], special[b]);
    }
}

/* The largest f16 stands where the largest f32 does for f32. */
TEST(legalize_keeps_half_bits)
{
    static const iri_op ops[] = {IRI_OP_RCP_MAX,       IRI_OP_RSQ_MAX,    IRI_OP_LOG2_MAX,
                                 IRI_OP_SATURATE_ZERO, IRI_OP_ROUND_AWAY, IRI_OP_POW_ABS,
                                 IRI_OP_MUL_ZERO,      IRI_OP_MIN_LT};
    static const struct {
        const char *text;
        uint16_t bits;
    } halves[] = {{"0.0h", 0},       {"-0.0h", 0x8000},    {"1.0h", 0x3c00},
                  {"-2.5h", 0xc100}, {"65504.0h", 0x7bff}, {"0.00006103515625h", 0x0400}};
    enum { HALVES = sizeof halves / sizeof *halves };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        const iri_op_info *info = iri_op_get_info(ops[i]);
        bool two = strlen(info->operands) == 2;
        for (uint32_t k = 0; k < HALVES * (two ? HALVES : 1u); k++) {
            uint64_t operands[3] = {halves[k % HALVES].bits, halves[k / HALVES].bits, 0};
            uint64_t expected = 0, got = 0;
            char text[400];
            snprintf(text, sizeof text,
                     "program pixel entry main\noutput SV_Target0: f16 @oC0.x sv target\n"
                     "fn main {\n%%0: f16 = %s %s%s%s\noutput 0.x, %%0\nreturn\n}\n",
                     info->name, halves[k % HALVES].text, two ? ", " : "",
                     two ? halves[k / HALVES].text : "");
            REQUIRE(iri_eval_lane(ops[i], IRI_F16, IRI_F16, operands, &expected));
            if (!run(text, &got) || got != expected)
                FAIL("0x%04x, expected 0x%04x of\n%s", (unsigned)got, (unsigned)expected, text);
        }
    }
}
