/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See single.h.
 */
#include "single.h"

#include <float.h>
#include <math.h>

typedef union cell {
    uint32_t u;
    float f;
} cell;

static float rsqf(float x)
{
    return (float)(1 / sqrt((double)x));
}

#define IS_NAN(x) ((x) != (x))
#define FINITE(x) (fabsf(x) <= FLT_MAX)
#define MUL_ZERO(x, y) (((x) == 0 && !FINITE(y)) || ((y) == 0 && !FINITE(x)) ? 0 : (x) * (y))
#define NEG(x) (-(x))
#define ABS(x) fabsf(x)
#define LANE_MAX FLT_MAX
#define FN(name) name##f
#define NONE 0
#define FTOI_SAT(x) 0
#define CONVERT(x) 0
#define W(x, op, y) 0
#define BITS(x, op, y) 0
#define SHIFT(y) 0
#define SHL(x, n) 0
#define SHR(x, n) 0
#define NOT(x) 0
#define iri_exp2f(x) exp2f(x)
#define iri_log2f(x) log2f(x)
#define iri_powf(x, y) powf(x, y)
#define iri_sinf(x) sinf(x)
#define iri_cosf(x) cosf(x)
#define iri_asinf(x) asinf(x)
#define iri_acosf(x) acosf(x)
#define iri_atanf(x) atanf(x)
#define iri_atan2f(x, y) atan2f(x, y)

/* One lane of an f32 operation; truth is 0 or 1. */
static cell lane(uint32_t op, cell x, cell y, cell z)
{
    const float a = x.f, b = y.f, c = z.f;
    cell out = {0};
    (void)c;
    if (op == IRI_OP_SELECT)
        return x.u ? y : z;
    switch (op) {
#define IRI_OP(id, name, type_class, results, operands, immediates, properties, expression) \
    case IRI_OP_##id: \
        if (results[0] == 'B') \
            out.u = (expression) != 0; \
        else \
            out.f = expression; \
        if (results[0] != 'B' && out.f != out.f) \
            out.u = 0x7fc00000u; \
        return out;
#include <iridia/ops.def>
#undef IRI_OP
    default: return out;
    }
}

static void run_inst(const iri_program *p, const iri_inst *op, uint32_t i, float *const in[2],
                     const float *constants, float *out, cell (*values)[4])
{
    const uint32_t *operands = iri_program_words(p, op), *imm = operands + op->operand_count;
    cell *to = values[op->results], zero = {0};
    uint32_t lanes = op->result_count ? IRI_TYPE_LANES(iri_program_value(p, op->results)->type) : 0;
    switch (op->op) {
    case IRI_OP_INPUT:
        for (uint32_t k = 0; k < lanes; k++)
            to[k].f = in[imm[0]][i * 4 + IRI_LANES_AT(imm[1], k)];
        break;
    case IRI_OP_LOAD_CB:
        for (uint32_t k = 0; k < lanes; k++)
            to[k].f = constants[values[operands[0]][0].u / 4 + k];
        break;
    case IRI_OP_OUTPUT:
        for (uint32_t k = 0; k < 4; k++)
            out[i * 4 + k] = values[operands[0]][k].f;
        break;
    case IRI_OP_RETURN: break;
    case IRI_OP_SPLAT:
        for (uint32_t k = 0; k < lanes; k++)
            to[k] = values[operands[0]][0];
        break;
    case IRI_OP_COMPOSE:
        for (uint32_t part = 0, k = 0; part < op->operand_count; part++)
            for (uint32_t j = 0; j < IRI_TYPE_LANES(iri_program_value(p, operands[part])->type);
                 j++)
                to[k++] = values[operands[part]][j];
        break;
    case IRI_OP_DOT_ZERO:
        to[0] = lane(IRI_OP_MUL_ZERO, values[operands[0]][0], values[operands[1]][0], zero);
        for (uint32_t k = 1; k < IRI_TYPE_LANES(iri_program_value(p, operands[0])->type); k++)
            to[0] = lane(
                IRI_OP_ADD, to[0],
                lane(IRI_OP_MUL_ZERO, values[operands[0]][k], values[operands[1]][k], zero), zero);
        break;
    default:
        for (uint32_t k = 0; k < lanes; k++)
            to[k] = lane(op->op, values[operands[0]][k],
                         op->operand_count > 1 ? values[operands[1]][k] : zero,
                         op->operand_count > 2 ? values[operands[2]][k] : zero);
    }
}

void single_run(const iri_program *p, uint32_t count, float *const in[2], const float *constants,
                float *out)
{
    static cell values[SINGLE_VALUES][4];
    iri_id body = iri_program_function(p, iri_program_entry(p))->body, id;
    for (uint32_t v = 1; v <= iri_program_value_count(p); v++)
        for (uint32_t k = 0;
             iri_program_constant(p, v) && k < IRI_TYPE_LANES(iri_program_value(p, v)->type); k++)
            values[v][k].u = (uint32_t)iri_program_constant(p, v)[k];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; (id = iri_program_region_inst(p, body, k)) != 0; k++)
            run_inst(p, iri_program_inst(p, id), i, in, constants, out, values);
}
