/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every row of ops.def through the builder: with operands that fit, with each one wrong, on constants, and
 * in random expressions whose folded and exact forms must have the same bits.
 */
#include "ir/eval.h"
#include "ir/memory.h"
#include "tests/unit/test_ir.h"

/* ---- the table ---- */

TEST(ir_op_rows)
{
    CHECK(iri_op_get_info(IRI_OP_NONE) == NULL);
    CHECK(iri_op_get_info(IRI_OP_COUNT) == NULL);
    CHECK(iri_op_by_name("", 0) == IRI_OP_NONE);
    CHECK(iri_op_by_name("mu", 2) == IRI_OP_NONE);
    CHECK(iri_op_by_name("mul.zeroes", 10) == IRI_OP_NONE);
    for (int op = 1; op < IRI_OP_COUNT; op++) {
        const iri_op_info *info = iri_op_get_info((iri_op)op);
        CHECK(iri_op_by_name(info->name, strlen(info->name)) == (iri_op)op);
        CHECK(strchr("FHINLBA-", info->type_class) != NULL);
        CHECK(strspn(info->results, "TSBbufFINV*") == strlen(info->results));
        CHECK(strspn(info->operands, "TSCbufiV*?") == strlen(info->operands));
        CHECK(strspn(info->immediates, "rnolgLzmskxtway*") == strlen(info->immediates));
        if (info->properties & IRI_PROP_COMMUTATIVE)
            CHECK(info->operands[0] == info->operands[1]);
    }
    for (int id = 1; id < IRI_STATE_COUNT; id++) {
        const iri_state_info *info = iri_state_get_info((iri_state_id)id);
        CHECK(iri_state_by_name(info->name, strlen(info->name)) == (iri_state_id)id);
        CHECK(info->count > 0 && iri_scalar_bits(IRI_TYPE_SCALAR(info->type)) == 32);
    }
    CHECK(iri_state_get_info(IRI_STATE_NONE) == NULL &&
          iri_state_get_info(IRI_STATE_COUNT) == NULL);
}

TEST(ir_lanes)
{
    CHECK_EQ_U32(iri_lanes_first(1), IRI_LANES1(0));
    CHECK_EQ_U32(iri_lanes_first(4), IRI_LANES4(0, 1, 2, 3));
    for (uint32_t bits = 1; bits < 16; bits++)
        CHECK_EQ_U32(iri_lanes_to_bits(iri_lanes_from_bits(bits)), bits);
    CHECK_EQ_U32(iri_lanes_to_bits(IRI_LANES3(3, 0, 3)), 9);
    CHECK_STR(iri_type_name(IRI_TYPE(IRI_F16, 3)), "vec3<f16>");
    CHECK_STR(iri_type_name(IRI_TYPE_BOOL), "bool");
    CHECK_STR(iri_type_name(255), "?");
    CHECK_STR(iri_stage_name(IRI_STAGE_PIXEL), "pixel");
    CHECK_EQ_U32(iri_scalar_bits(IRI_I16), 16);
    CHECK_EQ_U32(iri_scalar_bits(IRI_VOID), 0);
}

/* ---- every row built ---- */

enum { ALL_TYPES = (IRI_SCALAR_COUNT - 1) * 4 };

typedef struct row {
    iri_op op;
    iri_type type;     /* of the type variable */
    uint32_t wrong;    /* operand to give another type, + 1; 0 none */
    uint32_t optional; /* how many of the optional operands */
    bool built;        /* out: the row takes this type */
    uint32_t operands; /* out */
} row;

static bool takes(char type_class, iri_scalar s)
{
    bool is_float = s == IRI_F16 || s == IRI_F32 || s == IRI_F64;
    switch (type_class) {
    case 'F': return is_float;
    case 'H': return is_float && s != IRI_F64;
    case 'I': return !is_float && s != IRI_BOOL;
    case 'N': return s != IRI_BOOL;
    case 'L': return !is_float;
    case 'B': return s == IRI_BOOL;
    default: return true;
    }
}

/* The parameter of function f that has the type. */
static iri_id parameter(const iri_id *parameters, iri_type type)
{
    return parameters[type - 4];
}

static iri_type operand_type(const row *r, char letter, uint32_t i)
{
    switch (letter) {
    case 'T': return r->type;
    case 'S': return IRI_TYPE(IRI_TYPE_SCALAR(r->type), 1);
    case 'C': return IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(r->type));
    case 'b': return IRI_TYPE_BOOL;
    case 'u': return IRI_TYPE_U32;
    case 'f': return IRI_TYPE_F32;
    case 'i': return IRI_TYPE_I32;
    default: break;
    }
    switch (r->op) { /* V and * */
    case IRI_OP_INSERT: return i ? IRI_TYPE(IRI_TYPE_SCALAR(r->type), 1) : r->type;
    case IRI_OP_SPLAT: return IRI_TYPE(IRI_TYPE_SCALAR(r->type), 1);
    case IRI_OP_SWIZZLE: return r->type;
    case IRI_OP_COMPOSE: return IRI_TYPE(IRI_TYPE_SCALAR(r->type), 1);
    case IRI_OP_OUTPUT:
    case IRI_OP_STORE_LOCAL: return IRI_TYPE_VEC4F;
    default: return IRI_TYPE_VEC2F; /* coordinates and gradients */
    }
}

/* The resource of build_row of the first kind in a set. */
static uint32_t resource_of(uint32_t kinds)
{
    return kinds >> IRI_RESOURCE_CBUFFER & 1          ? 0
           : kinds >> IRI_RESOURCE_TEXTURE & 1        ? 1
           : kinds >> IRI_RESOURCE_SAMPLER & 1        ? 2
           : kinds >> IRI_RESOURCE_STORAGE_BUFFER & 1 ? 3
                                                      : 4;
}

/* One of each kind of memory, behind what ir_add_interface adds. */
static void add_memory(iri_builder *b)
{
    static const iri_resource buffer = {.kind = IRI_RESOURCE_STORAGE_BUFFER,
                                        .count = 1,
                                        .buffer_shape = IRI_BUFFER_RAW,
                                        .access = 7,
                                        .offset = IRI_NO_OFFSET};
    static const iri_resource image = {.kind = IRI_RESOURCE_STORAGE_TEXTURE,
                                       .reg = 1,
                                       .count = 1,
                                       .dimension = IRI_DIMENSION_2D,
                                       .scalar = IRI_U32,
                                       .access = 7,
                                       .offset = IRI_NO_OFFSET};
    static const iri_shared shared = {.size = 64, .offset = IRI_NO_OFFSET};
    iri_add_resource(b, &buffer);
    iri_add_resource(b, &image);
    iri_add_shared(b, &shared);
}

static uint32_t immediate(const row *r, char letter, uint32_t i, const iri_id *locals)
{
    switch (letter) {
    case 'r': return resource_of(iri_resource_kinds(r->op, i));
    case 'y': return IRI_BARRIER_ALL;
    case 'l': return locals[r->optional != 0];
    case 'z':
    case 'm':
        return r->op == IRI_OP_SWIZZLE || r->op == IRI_OP_INSERT ? IRI_LANES1(0)
                                                                 : iri_lanes_first(4);
    case 's': return IRI_STATE_FOG_COLOR;
    default: return 0;
    }
}

static iri_type result_type(const row *r)
{
    switch (iri_op_infos[r->op].results[0]) {
    case 'F': return IRI_TYPE(IRI_F64, IRI_TYPE_LANES(r->type));
    case 'I': return IRI_TYPE(IRI_I16, IRI_TYPE_LANES(r->type));
    case 'N': { /* a bitcast: the other scalars of the width */
        static const uint8_t cast[IRI_SCALAR_COUNT] = {
            0, 0, IRI_F16, IRI_I16, IRI_U16, IRI_F32, IRI_I32, IRI_U32, IRI_F64, IRI_I64, IRI_U64};
        return IRI_TYPE(cast[IRI_TYPE_SCALAR(r->type)], IRI_TYPE_LANES(r->type));
    }
    case 'V':
        if (r->op == IRI_OP_SPLAT)
            return r->type;
        return iri_op_infos[r->op].type_class == 'A' || r->op == IRI_OP_INPUT ||
                       r->op == IRI_OP_STATE || r->op == IRI_OP_LOAD_LOCAL
                   ? IRI_TYPE_VOID
                   : IRI_TYPE_VEC4F;
    default: return IRI_TYPE_VOID;
    }
}

static void build_row(iri_builder *b, void *argument)
{
    row *r = argument;
    const iri_op_info *info = &iri_op_infos[r->op];
    iri_type types[ALL_TYPES];
    iri_id parameters[ALL_TYPES], operands[8], locals[2];
    uint32_t immediates[8], n = 0, optional = r->optional;
    for (uint32_t i = 0; i < ALL_TYPES; i++)
        types[i] = (iri_type)(i + 4);
    ir_add_interface(b);
    add_memory(b);
    iri_begin_function(b, "f", types, ALL_TYPES, NULL, 0, parameters);
    locals[0] = iri_add_local(b, &(iri_local){.name = "r0", .type = IRI_TYPE_VEC4F});
    locals[1] = iri_add_local(b, &(iri_local){.name = "x0", .type = IRI_TYPE_VEC4F, .length = 4});
    for (const char *l = info->operands; *l; l++) {
        if (*l == '?') {
            l++;
            if (!optional)
                continue;
            optional--;
        }
        iri_type type = operand_type(r, *l, n);
        if (r->wrong == n + 1) {
            /* A type that no row takes here: other lanes and another scalar. */
            bool truth = IRI_TYPE_SCALAR(type) == IRI_BOOL || info->type_class == 'L';
            type = IRI_TYPE(truth ? IRI_F32 : IRI_BOOL, IRI_TYPE_LANES(type) % 4 + 1);
        }
        operands[n++] = parameter(parameters, type);
        if (r->op == IRI_OP_COMPOSE && r->wrong)
            operands[n++] = parameter(parameters, IRI_TYPE_VEC4F);
    }
    r->operands = n;
    for (uint32_t i = 0; info->immediates[i]; i++)
        immediates[i] = immediate(r, info->immediates[i], i, locals);
    iri_emit(b, r->op, result_type(r), operands, n, immediates, (uint32_t)strlen(info->immediates));
    iri_emit_return(b, NULL, 0);
    iri_end_function(b);
}

/* Regions, terminators and calls have tests of their own. */
static bool is_plain(int op)
{
    return !(iri_op_infos[op].properties & (IRI_PROP_REGION | IRI_PROP_TERMINATOR)) &&
           op != IRI_OP_CALL;
}

static bool any_type_fits(iri_op op, uint32_t operand)
{
    /* Lookups take what a texture's dimension asks for, which the validator knows. */
    return iri_op_infos[op].operands[operand] == 'V' &&
           (strchr(iri_op_infos[op].immediates, 'r') || op == IRI_OP_ACCESS_STATUS);
}

static void check_row(row r, uint32_t flags)
{
    ir_build t = {.flags = flags, .fill = build_row, .argument = &r};
    bool fits = iri_op_infos[r.op].type_class == '-' ||
                takes(iri_op_infos[r.op].type_class, IRI_TYPE_SCALAR(r.type));
    if (iri_memory_of(r.op).act >= IRI_MEMORY_ATOMIC)
        fits =
            fits && IRI_TYPE_LANES(r.type) == 1 && iri_scalar_bits(IRI_TYPE_SCALAR(r.type)) == 32;
    iri_status status = ir_build_run(&t);
    if ((status == IRI_OK) != fits || (status != IRI_OK && status != IRI_INVALID_BUILD))
        FAIL("%s of %s: %s", iri_op_infos[r.op].name, iri_type_name(r.type), t.why.reason);
    if (fits && !flags && t.program) {
        const iri_inst *in = iri_program_inst(t.program, 1);
        CHECK_EQ_U32(in->op, r.op);
        CHECK_EQ_U32(in->operand_count, r.operands);
        CHECK_EQ_U32(in->result_count, iri_op_infos[r.op].results[0] != 0);
    }
    ir_build_free(&t);
    for (uint32_t i = 0; fits && i < r.operands; i++) {
        ir_build w = {.flags = flags, .fill = build_row, .argument = &r};
        r.wrong = i + 1;
        /* One lane more or less is all that a lone swizzle or bit test could take offence at. */
        bool lenient = any_type_fits(r.op, i) || r.op == IRI_OP_SWIZZLE;
        status = ir_build_run(&w);
        if (lenient ? status != IRI_OK && status != IRI_INVALID_BUILD : status != IRI_INVALID_BUILD)
            FAIL("%s of %s with operand %u wrong: status %d", iri_op_infos[r.op].name,
                 iri_type_name(r.type), (unsigned)i + 1, (int)status);
        ir_build_free(&w);
    }
}

TEST(ir_op_types)
{
    for (int op = 1; op < IRI_OP_COUNT; op++) {
        if (!is_plain(op))
            continue;
        bool typed = iri_op_infos[op].type_class != '-';
        uint32_t optional = 0;
        for (const char *l = iri_op_infos[op].operands; *l; l++)
            optional += *l == '?';
        for (uint32_t type = 4; type < (typed ? ALL_TYPES + 4 : 5); type++)
            for (uint32_t k = 0; k <= optional; k++) {
                row r = {.op = (iri_op)op, .type = (iri_type)type, .optional = k};
                check_row(r, 0);
                check_row(r, IRI_BUILD_OPTIMISE);
            }
    }
}

/* ---- wrong immediates ---- */

typedef struct wrong {
    iri_op op;
    iri_type type;
    uint32_t operands; /* vec4<f32> inputs */
    uint32_t immediates[4], immediate_count;
} wrong;

static void build_wrong(iri_builder *b, void *argument)
{
    const wrong *w = argument;
    iri_id x[4];
    ir_add_interface(b);
    iri_begin_function(b, "other", NULL, 0, NULL, 0, NULL);
    iri_add_local(b, &(iri_local){.name = "r0", .type = IRI_TYPE_VEC4F});
    iri_end_function(b);
    iri_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
    iri_add_local(b, &(iri_local){.name = "r1", .type = IRI_TYPE_VEC2F});
    for (uint32_t i = 0; i < 4; i++)
        x[i] = iri_emit_input(b, 0, iri_lanes_first(4));
    iri_emit(b, w->op, w->type, x, w->operands, w->immediates, w->immediate_count);
    iri_end_function(b);
}

TEST(ir_op_immediates)
{
    static const wrong rows[] = {
        {IRI_OP_SWIZZLE, 0, 1, {0x400}, 1},            /* bits that mean nothing */
        {IRI_OP_SWIZZLE, 0, 1, {0x10}, 1},             /* a lane past the count */
        {IRI_OP_SWIZZLE, IRI_TYPE_F32, 1, {0x144}, 1}, /* two lanes, given as one */
        {IRI_OP_SWIZZLE, 0, 1, {0}, 0},
        {IRI_OP_INSERT, 0, 2, {0x1ff}, 1}, /* not ascending */
        {IRI_OP_INSERT, 0, 2, {0x104}, 1}, /* four lanes into two */
        {IRI_OP_INPUT, 0, 0, {1, 0}, 2},
        {IRI_OP_INPUT, 0, 0, {0}, 1},
        {IRI_OP_OUTPUT, 0, 1, {1, 0x3e4}, 2},
        {IRI_OP_OUTPUT, 0, 1, {0, 0x1e4}, 2},
        {IRI_OP_STATE, 0, 0, {0, 0}, 2},
        {IRI_OP_STATE, 0, 0, {IRI_STATE_COUNT, 0}, 2},
        {IRI_OP_STATE, 0, 0, {IRI_STATE_BUMP_MATRIX, 8}, 2},
        {IRI_OP_LOAD_LOCAL, 0, 0, {0, 0}, 2},
        {IRI_OP_LOAD_LOCAL, 0, 0, {1, 0}, 2}, /* another function's */
        {IRI_OP_LOAD_LOCAL, 0, 0, {2, 3}, 2}, /* lane w of a vec2 */
        {IRI_OP_LOAD_LOCAL, 0, 0, {3, 0}, 2},
        {IRI_OP_STORE_LOCAL, 0, 1, {2, 0x104}, 2},
        {IRI_OP_SAMPLE, IRI_TYPE_VEC4F, 1, {2, 1, 0}, 3},
        {IRI_OP_SAMPLE, IRI_TYPE_VEC4F, 1, {1, 1, 0}, 3},
        {IRI_OP_SAMPLE, IRI_TYPE_VEC4F, 1, {1, 3, 0}, 3},
        {IRI_OP_SAMPLE, IRI_TYPE_VOID, 1, {1, 2, 0}, 3},
        {IRI_OP_LOAD_RAW, IRI_TYPE_F32, 0, {0}, 1},
        {IRI_OP_BUFFER_SIZE, 0, 0, {0}, 1},
        {IRI_OP_TEXTURE_LEVELS, 0, 0, {2}, 1},
        {IRI_OP_TEXTURE_LEVELS, 0, 0, {3}, 1},
        {IRI_OP_BARRIER, 0, 0, {0}, 1},
        {IRI_OP_BARRIER, 0, 0, {16}, 1},
        {IRI_OP_BARRIER, 0, 0, {0}, 0},
        {IRI_OP_ADD, 0, 2, {0}, 1},
        {IRI_OP_ADD, 0, 1, {0}, 0},
        {IRI_OP_ADD, 0, 3, {0}, 0},
        {IRI_OP_COMPOSE, 0, 2, {0}, 0}, /* eight lanes */
        {IRI_OP_COMPOSE, 0, 0, {0}, 0},
        {IRI_OP_SPLAT, IRI_TYPE_VEC4F, 1, {0}, 0},
        {IRI_OP_BITCAST, IRI_TYPE(IRI_U64, 4), 1, {0}, 0},
        {IRI_OP_BITCAST, IRI_TYPE(IRI_BOOL, 4), 1, {0}, 0},
        {IRI_OP_FTOI, IRI_TYPE_I32, 1, {0}, 0},
        {IRI_OP_FTOI, IRI_TYPE_VEC4F, 1, {0}, 0},
        {IRI_OP_IF, 0, 1, {0}, 0},
        {IRI_OP_NONE, 0, 1, {0}, 0},
        {IRI_OP_COUNT, 0, 1, {0}, 0},
        {IRI_OP_CALL, 0, 0, {3}, 1},
        {IRI_OP_CALL, 0, 0, {0}, 1},
        {IRI_OP_CALL, 0, 1, {1}, 1},
        {IRI_OP_CALL, 0, 0, {0}, 0},
        {IRI_OP_DEMOTE, 0, 1, {0}, 0},
        {IRI_OP_BREAK, 0, 0, {1}, 1},
        {IRI_OP_BREAK, 0, 0, {0}, 0},
        {IRI_OP_CONTINUE, 0, 0, {1}, 1},
        {IRI_OP_YIELD, 0, 0, {0}, 0},
        {IRI_OP_RETURN, 0, 1, {0}, 0},
        {IRI_OP_RETURN, 0, 0, {0}, 1},
        {IRI_OP_UNREACHABLE, 0, 1, {0}, 0},
        {IRI_OP_BR, 0, 0, {1}, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        wrong w = rows[i];
        ir_build t = {.flags = i & 3, .fill = build_wrong, .argument = &w};
        if (ir_build_run(&t) != IRI_INVALID_BUILD)
            FAIL("row %u, %s, is no fault", (unsigned)i,
                 w.op < IRI_OP_COUNT ? iri_op_infos[w.op].name : "?");
        ir_build_free(&t);
    }
}

/* ---- random expressions: folded and exact have the same bits ---- */

enum { POOL = 96, VALUES_MAX = 4096 };

static uint64_t special_lane(iri_scalar s)
{
    static const uint32_t f32[] = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                   0x7f800000, 0xff800000, 0x7fc00001, 1,
                                   0x7f7fffff, 0x3f000000, 0x40490fdb, 0xc0200000};
    static const uint16_t f16[] = {0, 0x8000, 0x3c00, 0x7c00, 0xfc00, 0x7e01, 1, 0x7bff, 0xc100};
    static const uint64_t f64[] = {0,
                                   UINT64_C(1) << 63,
                                   UINT64_C(0x3ff0000000000000),
                                   UINT64_C(0x7ff0000000000000),
                                   UINT64_C(0x7ff8000000000001),
                                   1,
                                   UINT64_C(0xc009000000000000),
                                   UINT64_C(0x47efffffe0000000)};
    uint64_t random = iri_test_random();
    switch (s) {
    case IRI_BOOL: return random & 1;
    case IRI_F16: return f16[random % (sizeof f16 / sizeof *f16)];
    case IRI_F32: return f32[random % (sizeof f32 / sizeof *f32)];
    case IRI_F64: return f64[random % (sizeof f64 / sizeof *f64)];
    default: break;
    }
    uint32_t bits = iri_scalar_bits(s);
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    static const uint64_t whole[] = {0, 1, 2, UINT64_MAX, 31, 0x80};
    return (random % 8 < 6 ? whole[random % 8] : iri_test_random()) & mask;
}

typedef struct expressions {
    uint64_t seed;
    iri_id pool[POOL];
} expressions;

static const iri_type parameter_types[] = {
    IRI_TYPE_VEC4F,       IRI_TYPE_VEC4F,        IRI_TYPE_F32,         IRI_TYPE_F32,
    IRI_TYPE_VEC2F,       IRI_TYPE_I32,          IRI_TYPE_U32,         IRI_TYPE(IRI_I32, 4),
    IRI_TYPE_BOOL,        IRI_TYPE(IRI_BOOL, 4), IRI_TYPE(IRI_F16, 2), IRI_TYPE(IRI_F64, 1),
    IRI_TYPE(IRI_U16, 2), IRI_TYPE(IRI_I64, 1)};
enum { PARAMETERS = sizeof parameter_types / sizeof *parameter_types };

/* An own stream of random numbers, so that two builders get the same operations. */
static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

static const iri_id *of_type(iri_builder *b, const iri_id *pool, uint32_t count, iri_type type,
                             uint64_t *seed)
{
    uint32_t start = next_random(seed) % count;
    for (uint32_t i = 0; i < count; i++)
        if (iri_builder_type(b, pool[(start + i) % count]) == type)
            return &pool[(start + i) % count];
    return NULL;
}

static iri_lanes random_lanes(uint32_t of, uint64_t *seed)
{
    uint32_t count = next_random(seed) % 4 + 1;
    iri_lanes lanes = (count - 1) << 8;
    for (uint32_t i = 0; i < count; i++)
        lanes |= next_random(seed) % of << 2 * i;
    return lanes;
}

/* One random operation of values in the pool; 0 when it does not fit. */
static iri_id random_op(iri_builder *b, const iri_id *pool, uint32_t count, uint64_t *seed)
{
    iri_op op = (iri_op)(1 + next_random(seed) % IRI_OP_BITCAST);
    const iri_op_info *info = &iri_op_infos[op];
    iri_id first = pool[next_random(seed) % count], operands[4];
    iri_type t = iri_builder_type(b, first);
    iri_scalar s = IRI_TYPE_SCALAR(t);
    uint32_t lanes = IRI_TYPE_LANES(t), n = (uint32_t)strlen(info->operands), word = 0;
    if (info->properties & IRI_PROP_DERIVATIVE)
        return 0;
    /* A NaN's payload is unspecified, so what an integer made of one is too. */
    if (op == IRI_OP_BITCAST && takes('F', s))
        return 0;
    switch (op) {
    case IRI_OP_SWIZZLE: return iri_emit_swizzle(b, first, random_lanes(lanes, seed));
    case IRI_OP_SPLAT: return lanes == 1 ? iri_emit_splat(b, first, 1 + next_random(seed) % 4) : 0;
    case IRI_OP_COMPOSE:
        for (n = 0; n < 3; n++) {
            const iri_id *part =
                of_type(b, pool, count, IRI_TYPE(s, 1 + (n ? 0 : lanes % 2)), seed);
            if (!part)
                return 0;
            operands[n] = *part;
        }
        return iri_emit_compose(b, operands, 2 + next_random(seed) % 2);
    case IRI_OP_INSERT:
        word = iri_lanes_from_bits(1 + next_random(seed) % ((1u << lanes) - 1));
        break;
    default: break;
    }
    if (!takes(info->type_class, s))
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        iri_type type = info->operands[i] == 'C'   ? IRI_TYPE(IRI_BOOL, lanes)
                        : op == IRI_OP_INSERT && i ? IRI_TYPE(s, IRI_LANES_COUNT(word))
                                                   : t;
        const iri_id *value = of_type(b, pool, count, type, seed);
        if (!value)
            return 0;
        operands[i] = *value;
    }
    row r = {.op = op, .type = t};
    iri_type given = result_type(&r);
    if (info->results[0] == 'I')
        given = IRI_TYPE(next_random(seed) & 1 ? IRI_I32 : IRI_U16, lanes);
    if (info->results[0] == 'F')
        given = IRI_TYPE(next_random(seed) & 1 ? IRI_F32 : IRI_F16, lanes);
    return iri_emit(b, op, given, operands, n, &word, (uint32_t)strlen(info->immediates));
}

static void build_expressions(iri_builder *b, void *argument)
{
    expressions *e = argument;
    uint64_t seed = e->seed;
    uint32_t count = PARAMETERS;
    iri_begin_function(b, "f", parameter_types, PARAMETERS, NULL, 0, e->pool);
    for (uint32_t i = 0; i < PARAMETERS; i++, count++) {
        uint64_t lanes[4] = {0};
        uint64_t bit = next_random(&seed);
        for (uint32_t k = 0; k < 4; k++) /* neutral elements more often than not */
            lanes[k] = bit % 4 == 0 ? 0 : bit % 4 == 1 ? 1 : UINT64_MAX;
        if (bit % 4 == 3 || IRI_TYPE_SCALAR(parameter_types[i]) == IRI_F32)
            for (uint32_t k = 0; k < 4; k++)
                lanes[k] = bit & 8 ? 0x3f800000 : 0x80000000;
        e->pool[count] = iri_const(b, parameter_types[i], lanes);
    }
    while (count < POOL) {
        iri_id value = random_op(b, e->pool, count, &seed);
        if (value)
            e->pool[count++] = value;
    }
}

/* All values in order of their making: operands come before. */
static void evaluate(const iri_program *p, const uint64_t (*arguments)[4], uint64_t (*values)[4])
{
    for (uint32_t v = 1; v < p->value_count; v++) {
        const iri_inst *in = iri_def(p, v);
        uint64_t operands[4][4];
        iri_type types[4];
        memset(values[v], 0, sizeof values[v]);
        if (iri_is_constant(p, v)) {
            memcpy(values[v], iri_constant(p, v), IRI_TYPE_LANES(iri_type_of(p, v)) * 8);
        } else if (!in) {
            memcpy(values[v], arguments[p->values[v].index], sizeof values[v]);
        } else {
            for (uint32_t i = 0; i < in->operand_count; i++) {
                memcpy(operands[i], values[iri_operands(p, in)[i]], sizeof operands[i]);
                types[i] = iri_type_of(p, iri_operands(p, in)[i]);
            }
            CHECK(iri_eval((iri_op)in->op, iri_type_of(p, v), types, (const uint64_t(*)[4])operands,
                           in->operand_count, iri_immediates(p, in), values[v]));
        }
    }
}

static bool is_nan(iri_scalar s, uint64_t bits)
{
    return (s == IRI_F16 && (bits & 0x7fff) > 0x7c00) ||
           (s == IRI_F32 && (bits & 0x7fffffff) > 0x7f800000) ||
           (s == IRI_F64 && (bits & INT64_MAX) > UINT64_C(0x7ff0000000000000));
}

static bool same_bits(iri_type type, const uint64_t *a, const uint64_t *b)
{
    for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++)
        if (a[i] != b[i] &&
            !(is_nan(IRI_TYPE_SCALAR(type), a[i]) && is_nan(IRI_TYPE_SCALAR(type), b[i])))
            return false;
    return true;
}

TEST(ir_folding_keeps_bits)
{
    static uint64_t exact[VALUES_MAX][4], folded[VALUES_MAX][4];
    uint32_t smaller = 0;
    for (uint32_t round = 0; round < 2000; round++) {
        expressions a = {.seed = iri_test_random()}, c = a;
        ir_build plain = {.flags = 0, .fill = build_expressions, .argument = &a, .keep = true};
        ir_build optimised = {
            .flags = IRI_BUILD_OPTIMISE, .fill = build_expressions, .argument = &c, .keep = true};
        CHECK(ir_build_run(&plain) == IRI_OK && ir_build_run(&optimised) == IRI_OK);
        const iri_program *p = iri_builder_program(plain.b), *q = iri_builder_program(optimised.b);
        CHECK(iri_builder_fault(plain.b, NULL) == NULL);
        CHECK(iri_builder_fault(optimised.b, NULL) == NULL);
        smaller += q->inst_count < p->inst_count;
        bool good = p->value_count <= VALUES_MAX && q->value_count <= VALUES_MAX;
        for (uint32_t trial = 0; good && trial < 8; trial++) {
            uint64_t arguments[PARAMETERS][4];
            for (uint32_t i = 0; i < PARAMETERS; i++)
                for (uint32_t k = 0; k < 4; k++)
                    arguments[i][k] = special_lane(IRI_TYPE_SCALAR(parameter_types[i]));
            evaluate(p, (const uint64_t(*)[4])arguments, exact);
            evaluate(q, (const uint64_t(*)[4])arguments, folded);
            for (uint32_t i = 0; good && i < POOL; i++) {
                iri_type type = iri_builder_type(plain.b, a.pool[i]);
                good = CHECK_EQ_U32(type, iri_builder_type(optimised.b, c.pool[i])) &&
                       same_bits(type, exact[a.pool[i]], folded[c.pool[i]]);
                if (!good)
                    FAIL("round %u: %s differs", (unsigned)round,
                         iri_def(p, a.pool[i]) ? iri_op_infos[iri_def(p, a.pool[i])->op].name
                                               : "?");
            }
        }
        ir_build_free(&plain);
        ir_build_free(&optimised);
        if (!good)
            break;
    }
    CHECK(smaller > 1000);
}
