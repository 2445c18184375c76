/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Direct3D 9 decoder against its own tables: every row of ops.def in every model, every limit
 * of limits.def, and streams cut at every word.
 */
#include "read/d3d9/ctab.h"
#include "tests/unit/test.h"

#include <string.h>

enum { WORDS = 64 };

/* A stream being written, and what reading it gave. */
typedef struct stream {
    uint32_t words[WORDS];
    uint32_t count;
    size_t size; /* bytes; 0: all words */
    uint32_t base;
    bool check;
    uint8_t bytes[WORDS * 4];
    iri_ctx ctx;
    iri_arena arena;
    iri_refusal why;
    const iri_d3d9_shader *shader;
} stream;

static void begin(stream *s, uint32_t version)
{
    *s = (stream){.words = {version}, .count = 1, .check = true};
}

static uint32_t put(stream *s, uint32_t word)
{
    s->words[s->count++] = word;
    return s->count - 1;
}

static void body(iri_ctx *ctx, void *argument)
{
    stream *s = argument;
    s->shader = iri_d3d9_decode(ctx, &s->arena, s->bytes, s->size, s->base);
    if (s->check)
        iri_d3d9_check(ctx, s->shader);
}

/* Call `done` after it, whatever it returned. */
static iri_status decode(stream *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t b = 0; b < 4; b++)
            s->bytes[i * 4 + b] = (uint8_t)(s->words[i] >> 8 * b);
    if (s->size == 0)
        s->size = s->count * 4;
    iri_ctx_init(&s->ctx, NULL, NULL, &s->why);
    iri_arena_init(&s->arena, &s->ctx);
    return iri_protect(&s->ctx, body, s);
}

static void done(stream *s)
{
    iri_arena_free(&s->arena);
}

static uint32_t parameter(uint32_t type, uint32_t number, uint32_t rest)
{
    return 0x80000000u | (type & 7u) << 28 | (type & 0x18u) << 8 | number | rest;
}

#define DST(type, number) parameter(type, number, 0xf0000u)
#define SRC(type, number) parameter(type, number, 0xe40000u)
#define LANE(type, number) parameter(type, number, 0) /* .x */

static uint32_t operand_word(char kind, uint32_t k)
{
    switch (kind) {
    case 'd':
    case 'k': return DST(IRI_D3D9_TYPE_TEMP, k);
    case 't': return SRC(IRI_D3D9_TYPE_SAMPLER, k);
    case 'l': return SRC(IRI_D3D9_TYPE_LABEL, k);
    case 'i': return SRC(IRI_D3D9_TYPE_CONSTINT, k);
    case 'b': return SRC(IRI_D3D9_TYPE_CONSTBOOL, k);
    case 'p': return LANE(IRI_D3D9_TYPE_PREDICATE, 0);
    case 'a': return SRC(IRI_D3D9_TYPE_LOOP, 0);
    default: return parameter(IRI_D3D9_TYPE_CONST, k, 0x1b0000u | 1u << 24); /* -c#.wzyx */
    }
}

/* One instruction of row `op`; its words behind the token. */
static uint32_t put_instruction(stream *s, iri_d3d9_op op, bool sized, bool predicated)
{
    const iri_d3d9_op_row *row = &iri_d3d9_ops[op];
    uint32_t token = put(s, row->number | (predicated ? 0x10000000u : 0)), k = 0;
    bool wants = predicated;
    for (const char *kind = row->operands; *kind; kind++) {
        if (wants && *kind != 'd' && *kind != 'k' && *kind != 'U') {
            put(s, parameter(IRI_D3D9_TYPE_PREDICATE, 0, 0xd000000u));
            wants = false;
        }
        uint32_t literals = *kind == 'F' || *kind == 'I' ? 4 : *kind == 'U' || *kind == 'B' ? 1 : 0;
        for (uint32_t i = 0; i < literals; i++)
            put(s, 0x80000005u + i);
        if (!literals)
            put(s, operand_word(*kind, k++));
    }
    if (wants)
        put(s, parameter(IRI_D3D9_TYPE_PREDICATE, 0, 0xd000000u));
    uint32_t length = s->count - token - 1;
    if (sized)
        s->words[token] |= length << 24;
    return length;
}

static void compare_instruction(const stream *s, iri_d3d9_op op, uint32_t length, bool predicated)
{
    const iri_d3d9_op_row *row = &iri_d3d9_ops[op];
    const iri_d3d9_instruction *in = &s->shader->instructions[0];
    uint32_t at = 2, k = 0, literals = 0;
    CHECK_EQ_U32(s->shader->instruction_count, 1);
    CHECK_EQ_U32(in->opcode, row->number);
    CHECK_STR(iri_d3d9_ops[in->op].operands, row->operands);
    CHECK_EQ_U32(in->length, length);
    CHECK_EQ_U32(in->offset, 4);
    CHECK_EQ_U32(in->predicate, predicated ? in->count : IRI_D3D9_NONE);
    bool wants = predicated;
    for (const char *kind = row->operands; *kind; kind++) {
        bool dst = *kind == 'd' || *kind == 'k';
        uint32_t words = *kind == 'F' || *kind == 'I' ? 4 : *kind == 'U' || *kind == 'B' ? 1 : 0;
        at += wants && !dst && *kind != 'U';
        wants = wants && (dst || *kind == 'U');
        for (uint32_t i = 0; i < words; i++, at++)
            CHECK_EQ_U32(s->shader->literals[in->literal + literals++], s->words[at]);
        if (words)
            continue;
        const iri_d3d9_operand *o = &s->shader->operands[in->first + k++];
        CHECK_EQ_U32(o->token, s->words[at]);
        CHECK_EQ_U32(o->offset, at * 4);
        CHECK_EQ_U32(o->is_dst, dst);
        CHECK_EQ_U32(o->number, s->words[at] & 0x7ffu);
        if (dst)
            CHECK_EQ_U32(o->mask, 15);
        else if (*kind == 's')
            CHECK(o->swizzle[0] == 3 && o->swizzle[1] == 2 && o->swizzle[2] == 1 &&
                  o->swizzle[3] == 0 && o->modifier == IRI_D3D9_SRC_NEG &&
                  o->bank == IRI_D3D9_BANK_C);
        at++;
    }
    CHECK_EQ_U32(in->count, k);
    CHECK_EQ_U32(s->shader->literal_count, literals);
    if (predicated)
        CHECK(s->shader->operands[in->predicate].modifier == IRI_D3D9_SRC_NOT &&
              s->shader->operands[in->predicate].type == IRI_D3D9_TYPE_PREDICATE);
}

/* The row a model reads a number by, when it has more than one. */
static bool is_models_row(iri_d3d9_model model, iri_d3d9_op op)
{
    if (iri_d3d9_model_has_op(model, op))
        return true;
    for (uint32_t other = 0; other < IRI_D3D9_OP_COUNT; other++)
        if (iri_d3d9_ops[other].number == iri_d3d9_ops[op].number &&
            (iri_d3d9_model_has_op(model, (iri_d3d9_op)other) || other < op))
            return false;
    return true;
}

TEST(d3d9_ops_decode)
{
    for (uint32_t m = 0; m < IRI_D3D9_MODEL_COUNT; m++) {
        bool sized = (iri_d3d9_models[m].version >> 8 & 0xffu) >= 2;
        for (uint32_t op = 0; op < IRI_D3D9_OP_COUNT; op++) {
            for (int predicated = 0; predicated <= (int)sized; predicated++) {
                stream s;
                begin(&s, iri_d3d9_models[m].version);
                s.check = false;
                uint32_t length = put_instruction(&s, (iri_d3d9_op)op, sized, predicated != 0);
                put(&s, 0xffff);
                iri_status status = decode(&s);
                if (is_models_row((iri_d3d9_model)m, (iri_d3d9_op)op)) {
                    if (CHECK_EQ_INT(status, IRI_OK))
                        compare_instruction(&s, (iri_d3d9_op)op, length, predicated != 0);
                    else
                        FAIL("%s %s: %s", iri_d3d9_models[m].name, iri_d3d9_ops[op].name,
                             s.why.reason);
                }
                bool has = iri_d3d9_model_has_op(
                    (iri_d3d9_model)m,
                    s.shader && status == IRI_OK ? s.shader->instructions[0].op : op);
                done(&s);
                s.check = true;
                s.shader = NULL;
                if (!has && status == IRI_OK) {
                    CHECK_EQ_INT(decode(&s), IRI_MALFORMED_TOKEN);
                    CHECK_EQ_U32(s.why.offset, 4);
                    done(&s);
                }
            }
        }
    }
}

/* Every shorter stream is refused as truncated at its end, every length field that is off by one
 * too. */
TEST(d3d9_cut_streams)
{
    for (uint32_t op = 0; op < IRI_D3D9_OP_COUNT; op++) {
        uint32_t model =
            iri_d3d9_ops[op].ps_last != 0xff ? iri_d3d9_ops[op].ps_last : iri_d3d9_ops[op].vs_last;
        bool sized = (iri_d3d9_models[model].version >> 8 & 0xffu) >= 2;
        stream s;
        begin(&s, iri_d3d9_models[model].version);
        s.check = false;
        s.base = 100;
        put_instruction(&s, (iri_d3d9_op)op, sized, false);
        put(&s, 0xffff);
        for (uint32_t size = 0; size < s.count * 4; size++) {
            s.size = size;
            if (size == 0) /* `decode` takes 0 for all */
                continue;
            CHECK_EQ_INT(decode(&s), IRI_MALFORMED_TRUNCATED);
            CHECK_EQ_U32(s.why.offset, 100 + size);
            done(&s);
        }
        s.size = 0;
        if (sized) {
            s.words[1] += 0x1000000u;
            CHECK(decode(&s) != IRI_OK);
            done(&s);
        }
    }
}

/* A shader that is right but for register `number` of `bank`. The register's word, 0: cannot be
 * said. */
static uint32_t probe(stream *s, uint32_t m, uint32_t bank, uint32_t number)
{
    bool vertex = iri_d3d9_models[m].stage == IRI_D3D9_VERTEX;
    uint32_t version = iri_d3d9_models[m].version, major = version >> 8 & 0xffu;
    uint32_t size = major >= 2 ? 1u << 24 : 0, n = number & 0x7ffu, at;
    bool early_pixel = major == 1 && !vertex; /* has no dcl, and t# for a# */
    if ((number > 0x7ff && bank != IRI_D3D9_BANK_C) ||
        (early_pixel &&
         (bank == IRI_D3D9_BANK_A || bank == IRI_D3D9_BANK_S || bank == IRI_D3D9_BANK_O)))
        return 0;
    begin(s, version);
    switch (bank) {
    case IRI_D3D9_BANK_R:
        put(s, 1 | 2 * size);
        at = put(s, DST(IRI_D3D9_TYPE_TEMP, n));
        put(s, SRC(IRI_D3D9_TYPE_CONST, 0));
        break;
    case IRI_D3D9_BANK_C:
        put(s, 81 | 5 * size);
        at = put(
            s,
            DST(number < 2048 ? IRI_D3D9_TYPE_CONST : IRI_D3D9_TYPE_CONST2 + number / 2048 - 1, n));
        for (int i = 0; i < 4; i++)
            put(s, 0);
        break;
    case IRI_D3D9_BANK_I:
    case IRI_D3D9_BANK_B:
        put(s, bank == IRI_D3D9_BANK_I ? 48 | 5 * size : 47 | 2 * size);
        at = put(
            s, DST(bank == IRI_D3D9_BANK_I ? IRI_D3D9_TYPE_CONSTINT : IRI_D3D9_TYPE_CONSTBOOL, n));
        for (int i = 0; i < (bank == IRI_D3D9_BANK_I ? 4 : 1); i++)
            put(s, 1);
        break;
    case IRI_D3D9_BANK_A:
        put(s, (major == 1 ? 1u : 46u) | 2 * size);
        at = put(s, parameter(IRI_D3D9_TYPE_ADDR, n, 0x10000u));
        put(s, SRC(IRI_D3D9_TYPE_CONST, 0));
        break;
    case IRI_D3D9_BANK_T:
        if (major == 1) {
            put(s, 1);
            put(s, DST(IRI_D3D9_TYPE_TEMP, 0));
            at = put(s, SRC(IRI_D3D9_TYPE_ADDR, n));
            break;
        }
        put(s, 31 | 2 * size);
        put(s, 0x80000000u);
        at = put(s, DST(IRI_D3D9_TYPE_ADDR, n));
        break;
    case IRI_D3D9_BANK_V:
    case IRI_D3D9_BANK_S:
    case IRI_D3D9_BANK_O:
        if (early_pixel) {
            put(s, 1);
            put(s, DST(IRI_D3D9_TYPE_TEMP, 0));
            at = put(s, SRC(IRI_D3D9_TYPE_INPUT, n));
            break;
        }
        put(s, 31 | 2 * size);
        put(s, 0x90000005u);
        at = put(s, DST(bank == IRI_D3D9_BANK_V   ? IRI_D3D9_TYPE_INPUT
                        : bank == IRI_D3D9_BANK_S ? IRI_D3D9_TYPE_SAMPLER
                                                  : IRI_D3D9_TYPE_TEXCRDOUT,
                        n));
        break;
    case IRI_D3D9_BANK_OD:
    case IRI_D3D9_BANK_OT:
    case IRI_D3D9_BANK_OC:
    case IRI_D3D9_BANK_ODEPTH:
        put(s, 1 | 2 * size);
        at = put(s, DST(bank == IRI_D3D9_BANK_OD   ? IRI_D3D9_TYPE_ATTROUT
                        : bank == IRI_D3D9_BANK_OT ? IRI_D3D9_TYPE_TEXCRDOUT
                        : bank == IRI_D3D9_BANK_OC ? IRI_D3D9_TYPE_COLOROUT
                                                   : IRI_D3D9_TYPE_DEPTHOUT,
                        n));
        put(s, SRC(IRI_D3D9_TYPE_CONST, 0));
        break;
    case IRI_D3D9_BANK_OPOS: /* oPos, oFog, oPts are 0, 1, 2 of one type */
        put(s, 1 | 2 * size);
        at = put(s, DST(IRI_D3D9_TYPE_RASTOUT, n ? 2 + n : 0));
        put(s, SRC(IRI_D3D9_TYPE_CONST, 0));
        break;
    case IRI_D3D9_BANK_VPOS: /* vPos and vFace are 0 and 1 */
        put(s, 31 | 2 * size);
        put(s, 0x80000000u);
        at = put(s, DST(IRI_D3D9_TYPE_MISCTYPE, n ? 1 + n : 0));
        break;
    case IRI_D3D9_BANK_P:
        put(s, 94 | 0x10000u | 3 * size);
        at = put(s, DST(IRI_D3D9_TYPE_PREDICATE, n));
        put(s, SRC(IRI_D3D9_TYPE_CONST, 0));
        put(s, SRC(IRI_D3D9_TYPE_CONST, 0));
        break;
    case IRI_D3D9_BANK_L:
        put(s, 28);
        put(s, 30 | size);
        at = put(s, SRC(IRI_D3D9_TYPE_LABEL, n));
        put(s, 28);
        break;
    case IRI_D3D9_BANK_AL:
        put(s, 27 | 2 * size);
        at = put(s, SRC(IRI_D3D9_TYPE_LOOP, n));
        put(s, SRC(IRI_D3D9_TYPE_CONSTINT, 0));
        put(s, 29);
        break;
    default: return 0; /* oFog, oPts and vFace share a type with what is probed */
    }
    put(s, 0xffff);
    return at;
}

TEST(d3d9_register_limits)
{
    uint32_t probed = 0;
    for (uint32_t m = 0; m < IRI_D3D9_MODEL_COUNT; m++) {
        for (uint32_t bank = 1; bank < IRI_D3D9_BANK_COUNT; bank++) {
            uint32_t limit = iri_d3d9_banks[bank].limits[m], at;
            stream s;
            if (limit && probe(&s, m, bank, limit - 1)) {
                if (decode(&s) != IRI_OK)
                    FAIL("%s %s%u: %s", iri_d3d9_models[m].name, iri_d3d9_banks[bank].prefix,
                         limit - 1, s.why.reason);
                done(&s);
                probed++;
            }
            if (limit < 8192 && (at = probe(&s, m, bank, limit)) != 0) {
                iri_status status = decode(&s);
                /* Where the bank is missing, what stands before the register may be what is
                 * refused. */
                if (limit ? !(status == IRI_MALFORMED_REGISTER && s.why.offset == at * 4)
                          : status == IRI_OK)
                    FAIL("%s %s%u: %s at 0x%x", iri_d3d9_models[m].name,
                         iri_d3d9_banks[bank].prefix, limit, status ? s.why.reason : "accepted",
                         s.why.offset);
                done(&s);
                probed++;
            }
        }
    }
    CHECK(probed > 400);
}

TEST(d3d9_operand_fields)
{
    stream s;
    begin(&s, 0xfffe0300);
    s.check = false;
    s.base = 0x40;
    put(&s, 0x0001fffe);
    put(&s, IRI_D3D9_TAG('A', 'B', 'C', 'D'));
    put(&s, 0x06000004); /* mad, two of its parameters with an index word */
    put(&s, parameter(IRI_D3D9_TYPE_TEXCRDOUT, 3, 0x2000u | 0x50000u | 0x700000u | 0xd000000u));
    put(&s, parameter(IRI_D3D9_TYPE_LOOP, 0, 0));
    put(&s, parameter(IRI_D3D9_TYPE_CONST4, 5, 0x2000u | 0x1b0000u | 0xc000000u));
    put(&s, parameter(IRI_D3D9_TYPE_ADDR, 0, 0xaa0000u));
    put(&s, SRC(IRI_D3D9_TYPE_TEMP, 1));
    put(&s, SRC(IRI_D3D9_TYPE_TEMP, 2));
    put(&s, 0x0000ffff);
    put(&s, 0xdeadbeef);
    REQUIRE(decode(&s) == IRI_OK);
    const iri_d3d9_shader *shader = s.shader;
    CHECK_EQ_U32(shader->size, 44);
    CHECK_EQ_U32(shader->trailing, 4);
    CHECK_STR(shader->target, "vs_3_0");
    CHECK_EQ_U32(shader->comment_count, 1);
    CHECK_EQ_U32(shader->comments[0].tag, IRI_D3D9_TAG('A', 'B', 'C', 'D'));
    CHECK_EQ_U32(shader->comments[0].offset, 0x44);
    CHECK_EQ_U32(shader->instructions[0].offset, 0x4c);
    const iri_d3d9_operand *d = &shader->operands[0], *o = d + 1;
    CHECK(d->bank == IRI_D3D9_BANK_O && d->number == 3 && d->mask == 5 && d->modifiers == 7 &&
          d->shift == -3);
    CHECK(d->relative == IRI_D3D9_RELATIVE_TOKEN && d->relative_bank == IRI_D3D9_BANK_AL);
    CHECK_EQ_U32(d->relative_offset, 0x54);
    CHECK(o->bank == IRI_D3D9_BANK_C && o->number == 6149 && o->modifier == IRI_D3D9_SRC_ABSNEG);
    CHECK(o->relative_bank == IRI_D3D9_BANK_A && o->relative_swizzle[0] == 2 && o->swizzle[0] == 3);
    done(&s);
}
