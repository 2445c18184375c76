/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text form: what is printed parses to the same program, for every operation, literal and field of the
 * interface; what does not parse is refused with its line and column; nothing crashes.
 */
#include "tests/unit/test.h"

#include "ir/emit.h"
#include "tests/unit/test_text.h"

#include <iridia/build.h>
#include <iridia/text.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t below(uint32_t count)
{
    return (uint32_t)(iri_test_random() % count);
}

/* Prints, parses, compares, prints again. */
static bool check_round_trip(const iri_program *p)
{
    char what[256] = "";
    iri_refusal why;
    iri_text first, second;
    iri_program *again;
    bool good = CHECK(iri_print_text(p, NULL, &first, &why) == IRI_OK);
    if (!good)
        return false;
    if (iri_parse_text(first.data, first.size, NULL, &again, &why) != IRI_OK) {
        FAIL("%lu:%lu: %s, in:\n%.4000s", (unsigned long)why.line, (unsigned long)why.column,
             why.reason, first.data);
        iri_text_free(&first);
        return false;
    }
    if (!iri_program_equal(p, again, what, sizeof what)) {
        FAIL("%s, in:\n%.4000s", what, first.data);
        good = false;
    }
    if (CHECK(iri_print_text(again, NULL, &second, &why) == IRI_OK)) {
        good = CHECK_STR(second.data, first.data) && good;
        iri_text_free(&second);
    }
    iri_text_free(&first);
    iri_program_free(again);
    return good;
}

static iri_program *parse(const char *text)
{
    iri_refusal why;
    iri_program *p;
    if (iri_parse_text(text, strlen(text), NULL, &p, &why) != IRI_OK) {
        FAIL("%lu:%lu: %s, in: %.300s", (unsigned long)why.line, (unsigned long)why.column,
             why.reason, text);
        return NULL;
    }
    return p;
}

/* ---- literals ---- */

TEST(text_literals)
{
    static const struct {
        const char *type, *text, *printed; /* NULL: as it was */
        uint64_t bits;                     /* of lane 0 */
    } rows[] = {
        {"bool", "true", NULL, 1},
        {"bool", "false", NULL, 0},
        {"f32", "0.25", NULL, 0x3e800000},
        {"f32", "-0.0", NULL, 0x80000000},
        {"f32", "1e-45", NULL, 1},
        {"f32", "2.50", "2.5", 0x40200000},
        {"f32", "1e2", "100.0", 0x42c80000},
        {"f32", "3.4028235e38", NULL, 0x7f7fffff},
        {"f32", "inf", NULL, 0x7f800000},
        {"f32", "-inf", NULL, 0xff800000},
        {"f32", "nan(0x7fc00001)", NULL, 0x7fc00001},
        {"f32", "nan(0xff800001)", NULL, 0xff800001},
        {"f16", "0.5h", NULL, 0x3800},
        {"f16", "-65504.0h", NULL, 0xfbff},
        {"f16", "infh", NULL, 0x7c00},
        {"f16", "-infh", NULL, 0xfc00},
        {"f16", "nanh(0x7e01)", NULL, 0x7e01},
        {"f64", "0.1d", NULL, UINT64_C(0x3fb999999999999a)},
        {"f64", "2d", "2.0d", UINT64_C(0x4000000000000000)},
        {"f64", "infd", NULL, UINT64_C(0x7ff0000000000000)},
        {"f64", "-infd", NULL, UINT64_C(0xfff0000000000000)},
        {"f64", "nand(0x7ff8000000000001)", NULL, UINT64_C(0x7ff8000000000001)},
        {"i32", "1i", NULL, 1},
        {"i32", "-2147483648i", NULL, 0x80000000},
        {"i32", "0x10i", "16i", 16},
        {"u32", "4294967295u", NULL, 0xffffffff},
        {"i16", "-5i16", NULL, 0xfffb},
        {"u16", "65535u16", NULL, 0xffff},
        {"i64", "-9223372036854775808i64", NULL, UINT64_C(0x8000000000000000)},
        {"u64", "18446744073709551615u64", NULL, UINT64_MAX},
        {"vec2<f32>", "splat2(0.25)", NULL, 0x3e800000},
        {"vec2<f32>", "vec2(0.25, 0.25)", "splat2(0.25)", 0x3e800000},
        {"vec2<f32>", "vec2(0.0, -0.0)", NULL, 0},
        {"vec3<i32>", "vec3(1i, 2i, -3i)", NULL, 1},
        {"vec4<u32>", "splat4(7u)", NULL, 7},
        {"vec4<bool>", "vec4(true, false, true, true)", NULL, 1},
        {"vec3<f16>", "vec3(1.0h, infh, nanh(0x7c01))", NULL, 0x3c00},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512], wanted[128];
        snprintf(text, sizeof text, "fn main {\n  %%0: %s = select true, %s, %s\n  return\n}\n",
                 rows[i].type, rows[i].text, rows[i].text);
        iri_program *p = parse(text);
        iri_text out;
        if (!p)
            continue;
        CHECK_EQ_U64(iri_program_constant(p, iri_program_words(p, iri_program_inst(p, 1))[1])[0],
                     rows[i].bits);
        if (CHECK(iri_print_text(p, NULL, &out, NULL) == IRI_OK)) {
            const char *printed = rows[i].printed ? rows[i].printed : rows[i].text;
            snprintf(wanted, sizeof wanted, "= select true, %s, %s\n", printed, printed);
            if (!strstr(out.data, wanted))
                FAIL("%s prints as:\n%s", rows[i].text, out.data);
            iri_text_free(&out);
        }
        check_round_trip(p);
        iri_program_free(p);
    }
}

/* ---- operations ---- */

static iri_scalar scalar_of_class(char type_class)
{
    switch (type_class) {
    case 'I': return IRI_I32;
    case 'L': return IRI_U32;
    case 'B': return IRI_BOOL;
    default: return IRI_F32;
    }
}

static iri_id a_constant(iri_builder *b, iri_type type)
{
    uint64_t lanes[4];
    for (uint32_t i = 0; i < 4; i++)
        lanes[i] = IRI_TYPE_SCALAR(type) == IRI_F32 ? below(0x7f800000) : below(2);
    return iri_const(b, type, lanes);
}

/* The operation with constants as its letters ask; 0 lanes of type given where it is not derived. */
static bool build_plain(iri_builder *b, iri_op op)
{
    const iri_op_info *info = &iri_op_infos[op];
    uint32_t lanes = 1 + below(4), count = 0;
    iri_scalar scalar = scalar_of_class(info->type_class);
    iri_type t = IRI_TYPE(scalar, lanes), given = t;
    iri_id operands[8];
    if (info->type_class == '-' || strchr(info->operands, 'V') || strchr(info->operands, '*') ||
        info->immediates[0])
        return false;
    for (const char *letter = info->operands; *letter; letter++)
        operands[count++] = a_constant(b, *letter == 'C'   ? IRI_TYPE(IRI_BOOL, lanes)
                                          : *letter == 'T' ? t
                                                           : IRI_TYPE_BOOL);
    if (info->results[0] == 'I')
        given = IRI_TYPE(IRI_U32, lanes);
    else if (info->results[0] == 'F')
        given = IRI_TYPE(IRI_F32, lanes);
    else if (info->results[0] == 'N')
        given = IRI_TYPE(IRI_I32, lanes);
    iri_emit(b, op, given, operands, count, NULL, 0);
    return true;
}

typedef struct building {
    iri_arena scratch;
    iri_builder *b;
    iri_program *program;
    bool *seen; /* operations */
} building;

static void build_plain_ops(iri_ctx *ctx, void *argument)
{
    building *job = argument;
    job->b = iri_builder_make(ctx, &job->scratch, IRI_STAGE_NONE, 0);
    iri_begin_function(job->b, "main", NULL, 0, NULL, 0, NULL);
    for (uint32_t op = 1; op < IRI_OP_COUNT; op++) {
        iri_set_offset(job->b, below(3) ? below(1000) : IRI_NO_OFFSET);
        iri_set_relaxed(job->b, below(2));
        iri_set_precise(job->b, below(2));
        job->seen[op] = build_plain(job->b, (iri_op)op);
        const char *fault = iri_builder_fault(job->b, NULL);
        if (fault) {
            FAIL("%s: %s", iri_op_infos[op].name, fault);
            break;
        }
    }
    iri_emit_return(job->b, NULL, 0);
    iri_end_function(job->b);
    job->program = iri_builder_finish(job->b);
}

static iri_program *build(void (*body)(iri_ctx *, void *), bool *seen)
{
    building job = {.seen = seen};
    iri_refusal why;
    iri_ctx ctx;
    iri_ctx_init(&ctx, NULL, NULL, &why);
    iri_arena_init(&job.scratch, &ctx);
    if (iri_protect(&ctx, body, &job) != IRI_OK)
        FAIL("%s", why.reason);
    iri_arena_free(&job.scratch);
    return job.program;
}

static void note_ops(const iri_program *p, bool *seen)
{
    for (iri_id i = 1; i < p->inst_count; i++)
        seen[p->insts[i].op] = true;
}

/* The operations whose operands or words mean something: in the rich text, or here. */
static const char other_ops[] =
    "program pixel entry main\n"
    "input A0: vec2<f32>\n"
    "texture t0: 2d<f32>\n"
    "texture t1: 2d<f32> comparison count 8\n"
    "sampler s0\n"
    "sampler s1 comparison\n"
    "fn main {\n"
    "  %0: vec2<f32> = input 0.xy\n"
    "  %1: vec4<f32> = sample.bias t0, s0, %0, 0.5\n"
    "  %2: vec4<f32> = sample.lod t0, s0, %0, 0.5\n"
    "  %3: vec4<f32> = sample.grad t0, s0, %0, %0, %0\n"
    "  %4: f32 = sample.cmp.level t1, s1, %0, 0.5, 7u, offset(-1, 7, 0)\n"
    "  %5: vec4<f32> = compose %0, 1.0, %4\n"
    "  %6: vec3<bool> = splat true\n"
    "  %7: bool = any %6\n"
    "  %8: vec2<u32> = bitcast %0\n"
    "  return\n"
    "}\n";

/* Memory and what else there is in compute programs. */
static const char memory_ops[] =
    "program compute entry main\n"
    "facts workgroup 8 4 1\n"
    "input SV_DispatchThreadID0: vec3<u32> @vThreadID.xyz sv dispatch_thread_id\n"
    "input SV_GroupID0: vec3<u32> @vThreadGroupID.xyz sv group_id\n"
    "input SV_GroupThreadID0: vec3<u32> @vThreadIDInGroup.xyz sv group_thread_id\n"
    "input SV_GroupIndex0: u32 @vThreadIDInGroupFlattened.x sv group_index\n"
    "texture t0: 2d<f32> array\n"
    "texture t1: 2d<f32> multisampled\n"
    "texture t2: 2d<f32> comparison count 2\n"
    "sampler s0\n"
    "sampler s1 comparison\n"
    "buffer t4: none<f32> typed read\n"
    "buffer t5 raw read\n"
    "storage_buffer u0 \"Bytes\" raw read write atomic count 4\n"
    "storage_buffer u4 structured read write atomic stride 16 counter coherent\n"
    "storage_buffer u5: none<i32> typed read write atomic\n"
    "storage_texture u6: 2d<u32> array read write atomic format 42\n"
    "shared g0 \"Tile\" size 1024 stride 16\n"
    "shared g7 size 4\n"
    "fn main {\n"
    "  %0: vec3<u32> = input 0.xyz\n"
    "  %1: u32 = input 3.x\n"
    "  %2: vec2<f32> = splat 0.5\n"
    "  %3: vec3<f32> = splat 0.5\n"
    "  %4: vec4<f32> = sample.clamp t0, s0, %3, 1.0\n"
    "  %5: vec4<f32> = sample.bias.clamp t0, s0, %3, 0.5, 1.0\n"
    "  %6: vec4<f32> = sample.grad.clamp t0, s0, %3, %2, %2, 1.0, offset(1, 0, 0)\n"
    "  %7: f32 = sample.cmp.clamp t2, s1, %2, 0.5, 1.0, 1u\n"
    "  %8: vec4<f32> = gather t0, s0, 2, %3, offset(-8, 7, 0)\n"
    "  %9: vec4<f32> = gather.po t0, s0, 3, %3, vec2(-32i, 31i)\n"
    "  %10: vec4<f32> = gather.cmp t2, s1, %2, 0.5, %1, 0u, offset(0, 1, 0)\n"
    "  %11: vec4<f32> = gather.cmp.po t2, s1, %2, splat2(1i), 0.5\n"
    "  %12: vec2<f32> = lod t0, s0, %2\n"
    "  %13: vec4<f32> = load.texel t0, %0, 2u, offset(1, -1, 0)\n"
    "  %14: vec4<f32> = load.texel.ms t1, vec2(1i, 2i), 3i\n"
    "  %15: vec3<u32> = texture.size t0, %1\n"
    "  %16: u32 = texture.levels t0\n"
    "  %17: u32 = texture.samples t1\n"
    "  %18: vec2<f32> = sample.position t1, %1\n"
    "  %19: u32 = access.status %13\n"
    "  %20: bool = access.mapped %19\n"
    "  %21: vec2<f32> = load.raw u0, %1, 3u\n"
    "  %22: vec4<f32> = load.structured u4, %1, 8u\n"
    "  %23: vec4<f32> = load.typed t4, %1\n"
    "  %24: vec4<u32> = load.image u6, %0\n"
    "  %25: u32 = load.shared g0, %1\n"
    "  store.raw u0, %1, %21, 0u\n"
    "  store.structured u4, %1, 12u, 1.5\n"
    "  store.typed u5, %1, splat4(1i)\n"
    "  store.image u6, %0, %24\n"
    "  store.shared g7, 0u, %22\n"
    "  %26: u32 = atomic.raw add, u0, 4u, %1, 1u\n"
    "  %27: i32 = atomic.structured min, u4, 0u, 4u, -5i\n"
    "  %28: i32 = atomic.typed exchange, u5, %1, 7i\n"
    "  %29: u32 = atomic.image xor, u6, %0, 1u\n"
    "  %30: u32 = atomic.shared or, g7, 0u, 1u\n"
    "  %31: u32 = atomic.raw.cas u0, 4u, 1u, 2u, %1\n"
    "  %32: i32 = atomic.structured.cas u4, 0u, 4u, -5i, 5i\n"
    "  %33: i32 = atomic.typed.cas u5, %1, 7i, 8i\n"
    "  %34: u32 = atomic.image.cas u6, %0, 1u, %1\n"
    "  %35: u32 = atomic.shared.cas g7, 0u, 1u, %1\n"
    "  %36: u32 = buffer.size u0, 2u\n"
    "  %37: u32 = counter.alloc u4\n"
    "  %38: u32 = counter.consume u4\n"
    "  %39: u32 = load.raw t5, %1\n"
    "  barrier global\n"
    "  barrier execution shared group\n"
    "  return\n"
    "}\n";

TEST(text_every_op)
{
    bool seen[IRI_OP_COUNT] = {false};
    for (uint32_t i = 0; i < 20; i++) {
        iri_program *p = build(build_plain_ops, seen);
        if (!p || !check_round_trip(p)) {
            iri_program_free(p);
            return;
        }
        iri_program_free(p);
    }
    const char *const texts[] = {iri_test_rich_text, other_ops, memory_ops};
    for (size_t i = 0; i < 3; i++) {
        iri_program *p = parse(texts[i]);
        REQUIRE(p);
        note_ops(p, seen);
        check_round_trip(p);
        CHECK(iri_validate(p, IRI_CAN_ALL, NULL, NULL) == IRI_OK || i == 0);
        iri_program_free(p);
    }
    for (uint32_t op = 1; op < IRI_OP_COUNT; op++)
        if (!seen[op])
            FAIL("%s is in no text", iri_op_infos[op].name);
}

/* ---- the interface ---- */

static const char *a_name(char buffer[16])
{
    static const char bytes[] = "aZ_09.\"\\ \x01\x7f\xc3$";
    uint32_t size = below(8);
    for (uint32_t i = 0; i < size; i++)
        buffer[i] = bytes[below(sizeof bytes - 1)];
    buffer[size] = 0;
    return buffer;
}

static uint32_t a_number(void)
{
    static const uint32_t special[] = {0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    return below(2) ? below(300) : special[below(6)];
}

static iri_io a_io(char name[16])
{
    iri_io io;
    io.name = a_name(name);
    io.index = a_number();
    io.type = IRI_TYPE(1 + below(IRI_SCALAR_COUNT - 1), 1 + below(4));
    io.system_value = (uint8_t)below(IRI_SV_COUNT);
    io.interpolation = (uint8_t)below(IRI_INTERPOLATION_COUNT);
    io.bank = (uint8_t)below(IRI_BANK_COUNT);
    io.reg = (uint16_t)(below(2) ? below(65536) : 0);
    io.lanes = (uint8_t)below(16);
    io.used = (uint8_t)below(16);
    io.stream = (uint8_t)below(256);
    io.flags = (uint8_t)below(below(2) ? 4 : 256);
    io.offset = a_number();
    return io;
}

typedef struct many {
    iri_member members[64];
    char names[64][16], types[64][16];
    uint32_t words[64][8];
    uint32_t used;
} many;

static const iri_member *a_member_list(many *all, uint32_t *count, uint32_t depth)
{
    *count = below(4);
    if (!*count || all->used + *count > 64)
        return (*count = 0, NULL);
    iri_member *list = &all->members[all->used];
    uint32_t first = all->used;
    all->used += *count;
    for (uint32_t i = 0; i < *count; i++) {
        iri_member *m = &list[i];
        memset(m, 0, sizeof *m);
        m->name = below(4) ? a_name(all->names[first + i]) : NULL;
        m->offset = a_number();
        m->size = below(2) ? below(8) * 4 : a_number();
        m->member_class = (uint8_t)below(IRI_MEMBER_CLASS_COUNT);
        m->scalar = (uint8_t)below(IRI_SCALAR_COUNT);
        m->rows = (uint8_t)below(below(2) ? 5 : 256);
        m->columns = (uint8_t)below(below(2) ? 5 : 256);
        if (m->member_class == IRI_MEMBER_VECTOR && !m->columns)
            m->columns = 1;
        m->elements = below(2) ? a_number() : 0;
        m->array_stride = below(2) ? a_number() : 0;
        m->matrix_stride = below(2) ? a_number() : 0;
        m->type_name = below(2) ? a_name(all->types[first + i]) : NULL;
        m->flags = below(2) ? a_number() : 0;
        for (uint32_t k = 0; k < 8; k++)
            all->words[first + i][k] = a_number();
        m->default_words = m->size <= 32 && below(2) ? all->words[first + i] : NULL;
        if (depth < 4)
            m->members = a_member_list(all, &m->member_count, depth + 1);
    }
    return list;
}

static iri_resource a_resource(char name[16], many *all)
{
    iri_resource r = {0};
    r.name = below(3) ? a_name(name) : NULL;
    r.kind = (uint8_t)(1 + below(IRI_RESOURCE_COUNT - 1));
    r.dimension = (uint8_t)below(IRI_DIMENSION_COUNT);
    r.arrayed = (uint8_t)below(2);
    r.multisampled = (uint8_t)below(2);
    r.comparison = (uint8_t)below(2);
    r.buffer_shape = (uint8_t)below(IRI_BUFFER_COUNT);
    r.scalar = (uint8_t)below(IRI_SCALAR_COUNT);
    r.access = (uint8_t)below(8);
    r.space = below(2) ? a_number() : 0;
    r.reg = a_number();
    r.count = a_number();
    r.stride = a_number();
    r.format = a_number();
    r.size = a_number();
    r.flags = a_number();
    r.offset = a_number();
    all->used = 0;
    r.members = a_member_list(all, &r.member_count, 0);
    return r;
}

static void build_interface(iri_ctx *ctx, void *argument)
{
    building *job = argument;
    char name[16], other[16], third[16], fourth[16];
    many *all = iri_new(&job->scratch, many);
    iri_builder *b = job->b =
        iri_builder_make(ctx, &job->scratch, (iri_stage)below(IRI_STAGE_COUNT), 0);
    iri_program *p = iri_builder_program(b);
    p->conventions = (iri_conventions){(uint8_t)below(2), (uint8_t)below(2), (uint8_t)below(2),
                                       (uint8_t)below(2)};
    for (uint32_t i = 0; i < 3; i++) {
        p->float_env.denormals[i] = (uint8_t)below(3);
        p->float_env.rounding[i] = (uint8_t)below(2);
    }
    p->float_env.contract = below(2);
    p->float_env.reassociate = below(2);
    iri_stage_facts *f = &p->interface.facts;
    if (below(2)) {
        *f = (iri_stage_facts){{a_number(), a_number(), a_number()},
                               1,
                               2,
                               3,
                               4,
                               5,
                               6,
                               7,
                               8,
                               9,
                               a_number(),
                               a_number(),
                               a_number(),
                               a_number()};
        f->depth_mode = (uint8_t)below(256);
    }
    iri_provenance from = {a_name(name), a_name(other), "c",        a_name(third), a_number(),
                           below(2),     {0},           a_number(), a_name(fourth)};
    for (uint32_t i = 0; from.has_hash && i < 32; i++)
        from.sha256[i] = (uint8_t)below(256);
    iri_set_provenance(b, &from);
    for (uint32_t i = below(4); i-- > 0;) {
        iri_io io = a_io(name);
        iri_add_input(b, &io);
    }
    for (uint32_t i = below(4); i-- > 0;) {
        iri_io io = a_io(name);
        iri_add_output(b, &io);
    }
    for (uint32_t i = below(6); i-- > 0;) {
        iri_resource r = a_resource(name, all);
        iri_add_resource(b, &r);
    }
    for (uint32_t i = below(4); i-- > 0;) {
        iri_state_entry entry = {(uint16_t)(1 + below(IRI_STATE_COUNT - 1)),
                                 (uint16_t)below(below(2) ? 9 : 65536),
                                 below(4),
                                 {below(2) ? a_number() : 0, 0, below(2) ? a_number() : 0, 0}};
        iri_add_state_entry(b, &entry);
    }
    for (uint32_t i = below(4); i-- > 0;) {
        iri_shared shared = {below(2) ? a_name(name) : NULL, a_number(), a_number(), a_number(),
                             a_number()};
        iri_add_shared(b, &shared);
    }
    for (uint32_t i = below(4); i-- > 0;)
        iri_add_note(b, a_name(name), a_number(), "%s", a_name(other));
    for (uint32_t i = below(4); i-- > 0;) {
        iri_local local = {a_name(name), IRI_TYPE_VEC4F, (uint8_t)below(3),
                           below(2) ? a_number() : 0};
        iri_type type = IRI_TYPE_F32;
        iri_begin_function(b, a_name(other), &type, below(2), NULL, 0, NULL);
        iri_add_local(b, &local);
        iri_add_local(b, &local); /* of the same name */
        iri_emit_return(b, NULL, 0);
        iri_end_function(b);
    }
    if (below(2))
        p->entry = 0;
    job->program = iri_builder_finish(b);
}

TEST(text_interface)
{
    for (uint32_t i = 0; i < 2000; i++) {
        iri_program *p = build(build_interface, NULL);
        bool good = p && check_round_trip(p);
        iri_program_free(p);
        if (!good)
            break;
    }
}

/* ---- what does not parse ---- */

TEST(text_errors)
{
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *reason;
    } rows[] = {
        {"iridia-ir 2\n", 1, 11, "version 2 of the text form; this is version 1"},
        {"nonsense", 1, 1, "a function or a line of the header expected, not 'nonsense'"},
        {"program pixle", 1, 9, "a stage expected, not 'pixle'"},
        {"program pixel entry main", 1, 21, "no function main"},
        {"fn main {\n  return", 2, 9, "'}' expected: a terminator ends its region"},
        {"fn main {\n  %0: f32 = neg 1.0\n}", 3, 1, "the region ends without a terminator"},
        {"fn main {\n", 2, 1, "an operation expected"},
        {"fn main {\n  %0: f32 = add 1.0, 2i\n  return\n}", 2, 3,
         "add: operand 2 is i32, not f32 (instruction 1)"},
        {"fn main {\n  %0: i32 = add 1.0, 2.0\n  return\n}", 2, 3, "%0 is f32, not i32"},
        {"fn main {\n  %0: f32 = frob 1.0\n  return\n}", 2, 13, "no operation frob"},
        {"fn main {\n  %0: f32 = add %1, 1.0\n  return\n}", 2, 17, "%1 is not defined above"},
        {"fn main {\n  %0: f32 = neg 1.0\n  %0: f32 = neg 1.0\n  return\n}", 3, 3,
         "%0 is defined twice"},
        {"fn main {\n  neg 1.0\n  return\n}", 2, 3, "neg has 1 results here, not 0"},
        {"fn main {\n  %0: f32 = neg 1\n  return\n}", 2, 17,
         "a literal is typed: 1.0, 1i, 1u, 1.0h, 1.0d, 1i16, 1u16, 1i64, 1u64"},
        {"fn main {\n  %0: f32 = neg 1e99\n  return\n}", 2, 17,
         "too large for its type; infinity is spelled inf"},
        {"fn main {\n  %0: i32 = ineg 2147483648i\n  return\n}", 2, 18,
         "not a whole number in the range of its type"},
        {"fn main {\n  %0: f32 = neg nan(0x7f800000)\n  return\n}", 2, 17,
         "nan takes the bits of a NaN of its width, sign included"},
        {"fn main {\n  %0: vec2<f32> = neg vec2(1.0, 1i)\n  return\n}", 2, 33,
         "the lanes of a literal have one type"},
        {"fn main {\n  return\n  return\n}", 3, 3, "'}' expected: a terminator ends its region"},
        {"fn main {\n  break @1\n}", 2, 9, "@1 is no label above"},
        {"fn main {\n  loop @1 {\n    yield\n  }\n  return\n}", 3, 5,
         "yield: stands in no if, switch or block (instruction 2)"},
        {"fn main {\n  loop @1 {\n    continue @1\n  }\n  return\n}", 5, 3,
         "no edge completes the loop: only unreachable can follow"},
        {"fn main {\n  block @1 { block @1 { yield } yield }\n  return\n}", 2, 20,
         "label @1 is there twice"},
        {"fn main {\n  output 0.x, 1.0\n  return\n}", 2, 10, "no output 0"},
        {"fn main {\n  %0: vec4<f32> = load.cb cb0, 0u\n  return\n}", 2, 27, "no resource cb0"},
        {"fn main {\n  store.local r0.x, 1.0\n  return\n}", 2, 15, "no local r0"},
        {"fn main {\n  local r0: vec4<f32>\n  store.local r0.yx, splat2(1.0)\n  return\n}", 3, 17,
         "the lanes of a mask ascend"},
        {"fn main {\n  local r0: vec2<f32>\n  %0: f32 = load.local r0.z\n  return\n}", 3, 3,
         "load.local: lane z of vec2<f32> (instruction 1)"},
        {"fn main {\n  %0: f32 = swizzle splat2(1.0).q\n  return\n}", 2, 33,
         "lanes such as .xyz expected, not 'q'"},
        {"fn main {\n  call other\n  return\n}", 2, 8, "no function other"},
        {"fn main {\n  %0: f32 = state alpha\n  return\n}", 2, 19, "the name of a state expected"},
        {"fn main cfg {\n  block @b1 {\n    return\n  }\n}", 2, 10,
         "blocks are @b0, which comes first, to @b0, each once"},
        {"fn main cfg {\n  block @b0 {\n    br @b1\n  }\n}", 3, 9, "no block of this function"},
        {"input A0 vec2<f32>", 1, 10, "':' expected, not 'vec2'"},
        {"input A0: vec5<f32>", 1, 11, "a type expected, not 'vec5'"},
        {"input A0: f32 @q1.x", 1, 16, "'q1' is no register"},
        {"input A00: f32", 1, 7, "'A00' does not end in a number up to 4294967295"},
        {"texture s0", 1, 9, "a register such as t0 expected"},
        {"cbuffer cb0 size 16 {\n  0 \"a\": float4x4\n}", 3, 1, "column_major expected, not '}'"},
        {"cbuffer cb0 size 16 {\n  0 \"a\": f32[4]\n}", 2, 10, "the member's size is missing"},
        {"cbuffer cb0 size 16 {\n  0 \"a\": f32 = [0x0, 0x0]\n}", 2, 16,
         "2 words for a member of 4 bytes"},
        {"note \"a\\q\" \"b\"", 1, 6, "escapes are \\\\, \\\" and \\x with two digits"},
        {"note \"a", 1, 6, "the string does not end on its line"},
        {"note \"a\\x00\" \"b\"", 1, 6, "a name cannot hold a zero byte"},
        {"state alpha_ref = value 1u", 1, 25, "the state is f32, not u32"},
        {"source sha256 1234", 1, 15, "64 hexadecimal digits expected"},
        {"fn main { %0: f32 = neg 1.0 ; 99999999999\n return }", 1, 31,
         "'99999999999' is no whole number up to 4294967294"},
        {"", 0, 0, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        iri_refusal why;
        iri_program *p;
        iri_status status = iri_parse_text(rows[i].text, strlen(rows[i].text), NULL, &p, &why);
        if (!rows[i].reason) {
            CHECK(status == IRI_OK);
            iri_program_free(p);
            continue;
        }
        bool same = status == IRI_INVALID_TEXT && why.line == rows[i].line &&
                    why.column == rows[i].column && !strcmp(why.reason, rows[i].reason);
        if (!same)
            FAIL("'%s': %lu:%lu: %s", rows[i].text, status ? (unsigned long)why.line : 0,
                 status ? (unsigned long)why.column : 0, status ? why.reason : "parses");
        iri_program_free(p);
    }
}

TEST(text_limits)
{
    enum { DEPTH = 300 };
    static char text[DEPTH * 40];
    iri_refusal why;
    iri_program *p;
    size_t at = (size_t)snprintf(text, sizeof text, "fn main {\n");
    for (int i = 0; i < DEPTH; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "block @%d {\n", i);
    for (int i = 0; i < DEPTH; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "yield }\n");
    snprintf(text + at, sizeof text - at, "return }\n");
    CHECK(iri_parse_text(text, strlen(text), NULL, &p, &why) == IRI_LIMIT_NESTING);
    iri_limits limits = {.nesting = 400};
    if (CHECK(iri_parse_text(text, strlen(text), IRI_TEXT_OPTIONS(.limits = &limits), &p, &why) ==
              IRI_OK)) {
        iri_text out;
        limits = (iri_limits){.output = 100};
        CHECK(iri_print_text(p, IRI_TEXT_OPTIONS(.limits = &limits), &out, &why) ==
              IRI_LIMIT_OUTPUT);
        CHECK(!out.data);
        CHECK(iri_validate(p, IRI_CAN_ALL, NULL, &why) == IRI_OK);
    }
    iri_program_free(p);
    limits = (iri_limits){.instructions = 3};
    CHECK(iri_parse_text(iri_test_rich_text, strlen(iri_test_rich_text),
                         IRI_TEXT_OPTIONS(.limits = &limits), &p, &why) == IRI_LIMIT_INSTRUCTIONS);
    limits = (iri_limits){.memory = 4000};
    CHECK(iri_parse_text(iri_test_rich_text, strlen(iri_test_rich_text),
                         IRI_TEXT_OPTIONS(.limits = &limits), &p, &why) == IRI_LIMIT_MEMORY);
}

TEST(text_offsets)
{
    iri_program *p = parse(iri_test_rich_text);
    iri_text out;
    char line[128];
    REQUIRE(p);
    if (CHECK(iri_print_text(p, IRI_TEXT_OPTIONS(.no_offsets = true), &out, NULL) == IRI_OK)) {
        CHECK(!strstr(out.data, " ; ") && !strstr(out.data, " offset 0x"));
        iri_text_free(&out);
    }
    CHECK_EQ_U32(p->insts[1].offset, 0x10);
    CHECK_EQ_U32(p->insts[2].offset, 0x10);
    CHECK_EQ_U32(p->insts[3].offset, 0x20);
    iri_describe_inst(p, 2, line, sizeof line);
    CHECK_STR(line, "%1: vec4<f32> relaxed = sample t0, s0, %0, offset(1, -8, 0)");
    iri_describe_inst(p, 2, line, 12);
    CHECK_STR(line, "%1: vec4<f3");
    iri_program_free(p);
}

/* Fails from the countdown's end on. */
typedef struct failing {
    uint32_t left;
} failing;

static void *alloc_failing(void *user, size_t size)
{
    failing *f = user;
    return f->left && f->left-- ? malloc(size) : NULL;
}

static void free_failing(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

TEST(text_allocations)
{
    failing countdown = {0};
    iri_allocator allocator = {alloc_failing, free_failing, &countdown};
    iri_program *p = NULL;
    iri_text out = {0};
    iri_problems problems;
    iri_refusal why;
    iri_status status = IRI_NO_MEMORY;
    for (uint32_t k = 0; status == IRI_NO_MEMORY; k++) {
        countdown.left = k;
        status = iri_parse_text(iri_test_rich_text, strlen(iri_test_rich_text),
                                IRI_TEXT_OPTIONS(.allocator = &allocator), &p, &why);
    }
    CHECK_EQ_INT(status, IRI_OK);
    REQUIRE(p);
    status = IRI_NO_MEMORY;
    for (uint32_t k = 0; status == IRI_NO_MEMORY; k++) {
        countdown.left = k;
        status = iri_print_text(p, IRI_TEXT_OPTIONS(.allocator = &allocator), &out, &why);
    }
    CHECK_EQ_INT(status, IRI_OK);
    iri_text_free(&out);
    p->insts[1].flags = 8;
    status = IRI_NO_MEMORY;
    for (uint32_t k = 0; status == IRI_NO_MEMORY; k++) {
        countdown.left = k;
        status = iri_validate(p, IRI_CAN_ALL, &problems, &why);
    }
    CHECK_EQ_INT(status, IRI_INVALID_PROGRAM);
    CHECK_EQ_U64(problems.count, 1);
    iri_problems_free(&problems);
    iri_program_free(p);
}

/* ---- broken text ---- */

/* What still parses prints, parses back and validates without a crash. */
static void try_text(const char *text, size_t size)
{
    iri_refusal why;
    iri_program *p;
    iri_limits limits = {.memory = 64 << 20};
    if (iri_parse_text(text, size, IRI_TEXT_OPTIONS(.limits = &limits), &p, &why) != IRI_OK)
        return;
    iri_problems problems;
    iri_status status = iri_validate(p, IRI_CAN_ALL, &problems, NULL);
    iri_problems_free(&problems);
    if (status == IRI_OK)
        check_round_trip(p);
    iri_program_free(p);
}

TEST(text_mutations)
{
    static const char *const pieces[] = {
        "{",  "}",    "(",       ")",     "%0",   "%9",    "@1",      "@b0",  ",",  "; 0x1",
        "-",  "vec4", "fn main", "block", "loop", "yield", "br",      "0",    "1u", "1.0",
        "\"", "\\x",  "f32",     "local", "=",    ":",     "splat2(", "call", "#1", "return"};
    size_t size = strlen(iri_test_rich_text);
    char *text = malloc(size + 64);
    REQUIRE(text);
    for (uint32_t round = 0; round < 20000; round++) {
        size_t length = size;
        memcpy(text, iri_test_rich_text, size);
        for (uint32_t i = 1 + below(4); i-- > 0;) {
            const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
            size_t at = below((uint32_t)length), piece_size = strlen(piece);
            size_t cut = below(2) ? piece_size : below(12);
            cut = at + cut > length ? length - at : cut;
            if (below(4) == 0) { /* one byte */
                text[at] = (char)below(256);
                continue;
            }
            if (length - cut + piece_size > size + 63)
                continue;
            memmove(text + at + piece_size, text + at + cut, length - at - cut);
            memcpy(text + at, piece, piece_size);
            length = length - cut + piece_size;
        }
        /* Exactly as large as it is, so that the address sanitizer sees a byte too many. */
        char *exact = malloc(length ? length : 1);
        if (exact) {
            memcpy(exact, text, length);
            try_text(exact, length);
        }
        free(exact);
    }
    free(text);
}

TEST(text_garbage)
{
    static const char bytes[] = "fn main{}()%@#;:,.=<>-\"\\ \n0123456789abcdefx";
    for (uint32_t round = 0; round < 20000; round++) {
        char text[64];
        size_t size = below(sizeof text);
        for (size_t i = 0; i < size; i++)
            text[i] = below(8) ? bytes[below(sizeof bytes - 1)] : (char)below(256);
        try_text(text, size);
    }
}
