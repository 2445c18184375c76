/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every operation that has a value lane by lane: executed, by each set of kernels, it gives the bits that
 * iri_eval gives, for every scalar and number of lanes, on special and random operands.
 */
#include "ir/emit.h"
#include "ir/eval.h"
#include "tests/unit/test_exec.h"

enum { INVOCATIONS = 192 };

typedef struct op_case {
    iri_op op;
    iri_type result, types[3];
    uint32_t operand_count, immediates[1], immediate_count;
    bool
        twice; /* only the double of the result is output, so that its NaNs' payloads are not seen */
    iri_arena scratch;
    iri_program *program;
} op_case;

static void build_case(iri_ctx *ctx, void *argument)
{
    op_case *t = argument;
    iri_builder *b = iri_builder_make(ctx, &t->scratch, IRI_STAGE_PIXEL, 0);
    iri_id operands[3];
    iri_io io = {.name = "TEXCOORD", .offset = IRI_NO_OFFSET};
    for (uint32_t i = 0; i < t->operand_count; i++) {
        io.type = t->types[i];
        io.index = i;
        iri_add_input(b, &io);
    }
    io.type = t->result;
    iri_add_output(b, &io);
    iri_program *p = iri_builder_program(b);
    p->entry = iri_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
    for (uint32_t i = 0; i < t->operand_count; i++)
        operands[i] = iri_emit_input(b, i, iri_lanes_first(IRI_TYPE_LANES(t->types[i])));
    iri_id x = iri_emit(b, t->op, t->result, operands, t->operand_count, t->immediates,
                        t->immediate_count);
    if (t->twice)
        x = iri_emit2(b, IRI_OP_ADD, x, x);
    iri_emit_output(b, 0, iri_lanes_first(IRI_TYPE_LANES(t->result)), x);
    iri_emit_return(b, NULL, 0);
    iri_end_function(b);
    t->program = iri_builder_finish(b);
}

static uint64_t some_lane(iri_scalar scalar)
{
    uint64_t r = iri_test_random();
    switch (scalar) {
    case IRI_BOOL: return r & 1;
    case IRI_F32: return exec_some_float();
    case IRI_F16: return r % 3 ? iri_f32_to_f16(iri_bits_f32(exec_some_float())) : r >> 30 & 0xffff;
    case IRI_F64: return r % 3 ? iri_f64_bits(iri_bits_f32(exec_some_float())) : iri_test_random();
    default:
        r = r % 3 == 0 ? r >> 50 : r % 3 == 1 ? (uint64_t)0 - (r >> 58) : iri_test_random();
        return r & (iri_scalar_bits(scalar) == 64 ? UINT64_MAX
                                                  : (UINT64_C(1) << iri_scalar_bits(scalar)) - 1);
    }
}

static void put(void *data, iri_scalar scalar, size_t at, uint64_t bits)
{
    if (iri_scalar_bits(scalar) == 64)
        ((uint64_t *)data)[at] = bits;
    else if (iri_scalar_bits(scalar) == 16)
        ((uint16_t *)data)[at] = (uint16_t)bits;
    else
        ((uint32_t *)data)[at] = (uint32_t)bits;
}

static uint64_t get(const void *data, iri_scalar scalar, size_t at)
{
    if (iri_scalar_bits(scalar) == 64)
        return ((const uint64_t *)data)[at];
    return iri_scalar_bits(scalar) == 16 ? ((const uint16_t *)data)[at]
                                         : ((const uint32_t *)data)[at];
}

static size_t lane_size(iri_scalar scalar)
{
    return iri_scalar_bits(scalar) == 64 ? 8 : iri_scalar_bits(scalar) == 16 ? 2 : 4;
}

static bool expect(const op_case *t, const uint64_t (*operands)[4], uint64_t result[4])
{
    if (!iri_eval(t->op, t->result, t->types, operands, t->operand_count, t->immediates, result))
        return false;
    if (t->twice) {
        uint64_t both[2][4];
        iri_type types[2] = {t->result, t->result};
        memcpy(both[0], result, sizeof both[0]);
        memcpy(both[1], result, sizeof both[1]);
        return iri_eval(IRI_OP_ADD, t->result, types, (const uint64_t(*)[4])both, 2, NULL, result);
    }
    return true;
}

static bool run_case(const op_case *t, bool portable)
{
    static uint64_t inputs[3][INVOCATIONS * 4], outputs[INVOCATIONS * 4];
    iri_exec_array in[3] = {0}, out;
    iri_scalar scalar = IRI_TYPE_SCALAR(t->result);
    uint32_t lanes = IRI_TYPE_LANES(t->result);
    for (uint32_t o = 0; o < t->operand_count; o++) {
        iri_scalar from = IRI_TYPE_SCALAR(t->types[o]);
        uint32_t count = IRI_TYPE_LANES(t->types[o]);
        for (uint32_t i = 0; i < INVOCATIONS * count; i++)
            put(inputs[o], from, i, some_lane(from));
        in[o] = (iri_exec_array){inputs[o], lane_size(from) * count, 0};
    }
    out = (iri_exec_array){outputs, lane_size(scalar) * lanes, 0};
    iri_exec *e = exec_compile(t->program, IRI_EXEC_OPTIONS(.width = 128, .portable = portable));
    iri_exec_batch batch = {.count = INVOCATIONS, .inputs = in, .outputs = &out};
    bool good = e && CHECK(iri_exec_run(e, &batch, NULL) == IRI_OK);
    for (uint32_t i = 0; good && i < INVOCATIONS; i++) {
        uint64_t operands[3][4] = {{0}}, result[4];
        for (uint32_t o = 0; o < t->operand_count; o++)
            for (uint32_t k = 0; k < IRI_TYPE_LANES(t->types[o]); k++)
                operands[o][k] = get(inputs[o], IRI_TYPE_SCALAR(t->types[o]),
                                     i * IRI_TYPE_LANES(t->types[o]) + k);
        good = CHECK(expect(t, (const uint64_t(*)[4])operands, result));
        for (uint32_t k = 0; good && k < lanes; k++) {
            uint64_t got = get(outputs, scalar, i * lanes + k);
            good = got == result[k];
            if (!good)
                FAIL("%s %s%s lane %u of %llx %llx %llx: %llx, expected %llx",
                     iri_op_infos[t->op].name, iri_type_name(t->types[t->operand_count - 1]),
                     portable ? " portable" : "", (unsigned)k, (unsigned long long)operands[0][k],
                     (unsigned long long)operands[1][k], (unsigned long long)operands[2][k],
                     (unsigned long long)got, (unsigned long long)result[k]);
        }
    }
    iri_exec_free(e);
    return good;
}

static void check_case(op_case *t)
{
    iri_ctx ctx;
    iri_refusal why = {0};
    iri_ctx_init(&ctx, NULL, NULL, &why);
    iri_arena_init(&t->scratch, &ctx);
    t->program = NULL;
    if (iri_protect(&ctx, build_case, t) == IRI_OK) {
        run_case(t, false);
        run_case(t, true);
    } else {
        FAIL("%s %s: %s", iri_op_infos[t->op].name, iri_type_name(t->types[0]), why.reason);
    }
    iri_arena_free(&t->scratch);
    iri_program_free(t->program);
}

static bool in_class(char type_class, iri_scalar scalar)
{
    bool is_float = scalar == IRI_F16 || scalar == IRI_F32 || scalar == IRI_F64;
    switch (type_class) {
    case 'F': return is_float;
    case 'H': return scalar == IRI_F16 || scalar == IRI_F32;
    case 'I': return !is_float && scalar != IRI_BOOL;
    case 'N': return scalar != IRI_BOOL;
    case 'L': return !is_float;
    case 'B': return scalar == IRI_BOOL;
    default: return true;
    }
}

/* The result scalars that a row may give to operands of this one; `at` from 0, IRI_VOID past the last. */
static iri_scalar result_scalar(const iri_op_info *info, iri_scalar scalar, uint32_t at)
{
    uint32_t seen = 0;
    if (info->results[0] == 'B')
        return at ? IRI_VOID : IRI_BOOL;
    if (info->results[0] == 'T')
        return at ? IRI_VOID : scalar;
    for (iri_scalar to = IRI_I16; to < IRI_SCALAR_COUNT; to++)
        if (in_class(info->results[0], to) && to != scalar && seen++ == at)
            return to;
    return IRI_VOID;
}

static void check_lane_row(iri_op op, iri_scalar scalar, uint32_t lanes)
{
    const iri_op_info *info = &iri_op_infos[op];
    iri_scalar result;
    for (uint32_t at = 0; (result = result_scalar(info, scalar, at)) != IRI_VOID; at++) {
        op_case t = {.op = op, .result = IRI_TYPE(result, lanes)};
        t.operand_count = (uint32_t)strlen(info->operands);
        for (uint32_t i = 0; i < t.operand_count; i++)
            t.types[i] = info->operands[i] == 'C' ? IRI_TYPE(IRI_BOOL, at % 2 ? 1 : lanes)
                                                  : IRI_TYPE(scalar, lanes);
        check_case(&t);
        if (info->operands[0] == 'C') {
            t.types[0] = IRI_TYPE_BOOL;
            check_case(&t);
        }
        t.twice = scalar == IRI_F32 && result == IRI_F32;
        if (t.twice)
            check_case(&t);
    }
}

TEST(exec_every_lane_operation)
{
    for (iri_op op = IRI_OP_NONE + 1; op < IRI_OP_COUNT; op++)
        for (iri_scalar scalar = IRI_BOOL; scalar < IRI_SCALAR_COUNT; scalar++)
            for (uint32_t lanes = 1; lanes <= 4; lanes++)
                if ((iri_props(op) & IRI_PROP_LANE) &&
                    in_class(iri_op_infos[op].type_class, scalar))
                    check_lane_row(op, scalar, lanes);
}

static void check_float_dots(iri_scalar scalar, uint32_t lanes)
{
    op_case t = {.op = IRI_OP_DOT, .result = IRI_TYPE(scalar, 1), .operand_count = 2};
    t.types[0] = t.types[1] = IRI_TYPE(scalar, lanes);
    check_case(&t);
    t.op = IRI_OP_DOT_ZERO;
    check_case(&t);
}

static void check_renamings(iri_scalar scalar, uint32_t lanes)
{
    op_case t = {.op = IRI_OP_SWIZZLE,
                 .result = IRI_TYPE(scalar, 3),
                 .operand_count = 1,
                 .immediate_count = 1};
    t.types[0] = IRI_TYPE(scalar, lanes);
    t.immediates[0] = IRI_LANES3(lanes - 1, 0, lanes / 2);
    check_case(&t);
    t.op = IRI_OP_INSERT;
    t.result = t.types[0];
    t.types[1] = IRI_TYPE(scalar, 1);
    t.operand_count = 2;
    t.immediates[0] = IRI_LANES1(lanes - 1);
    check_case(&t);
    t.immediate_count = 0;
    if (lanes < 4) {
        t.op = IRI_OP_COMPOSE;
        t.result = IRI_TYPE(scalar, lanes + 1);
        check_case(&t);
    }
    t.op = IRI_OP_SPLAT;
    t.operand_count = 1;
    t.types[0] = IRI_TYPE(scalar, 1);
    t.result = IRI_TYPE(scalar, lanes);
    if (lanes > 1)
        check_case(&t);
}

TEST(exec_every_other_operation)
{
    static const iri_scalar others[][2] = {{IRI_F32, IRI_U32}, {IRI_I32, IRI_F32},
                                           {IRI_F16, IRI_U16}, {IRI_F64, IRI_I64},
                                           {IRI_U64, IRI_F64}, {IRI_I16, IRI_F16}};
    for (uint32_t lanes = 1; lanes <= 4; lanes++) {
        for (iri_scalar scalar = IRI_BOOL; scalar < IRI_SCALAR_COUNT; scalar++) {
            if (in_class('F', scalar) && lanes > 1)
                check_float_dots(scalar, lanes);
            check_renamings(scalar, lanes);
        }
        op_case t = {.op = IRI_OP_ANY,
                     .result = IRI_TYPE_BOOL,
                     .types = {IRI_TYPE(IRI_BOOL, lanes)},
                     .operand_count = 1};
        check_case(&t);
        t.op = IRI_OP_ALL;
        check_case(&t);
        t.op = IRI_OP_BITCAST;
        for (uint32_t i = 0; i < sizeof others / sizeof *others; i++) {
            t.types[0] = IRI_TYPE(others[i][0], lanes);
            t.result = IRI_TYPE(others[i][1], lanes);
            check_case(&t);
        }
    }
}
