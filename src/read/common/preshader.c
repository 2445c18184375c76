/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preshaders to records.
 */
#include "read/common/preshader.h"

static const char *const table_names[IRI_PRES_TABLE_COUNT] = {[IRI_PRES_LITERAL] = "(literal)",
                                                              [IRI_PRES_INPUT] = "c",
                                                              [3] = "v",
                                                              [IRI_PRES_OUTPUT] = "c",
                                                              [IRI_PRES_OUTPUT_BOOL] = "ob",
                                                              [IRI_PRES_OUTPUT_INT] = "oi",
                                                              [IRI_PRES_TEMP] = "r",
                                                              [9] = "ip"};

static const struct {
    uint16_t opcode;
    const char *name;
} rows[IRI_PRES_OP_COUNT] = {
#define IRI_PRES(id, opcode, name) {opcode, name},
#include "read/common/preshader.def"
#undef IRI_PRES
};

const char *iri_pres_op_name(iri_pres_op op)
{
    return op < IRI_PRES_OP_COUNT ? rows[op].name : "<unknown>";
}

const char *iri_pres_table_name(uint32_t table, bool indexed)
{
    return indexed && table == IRI_PRES_OUTPUT ? "of" : table_names[table];
}

typedef struct reader {
    iri_ctx *ctx;
    iri_arena *arena;
    iri_preshader *out;
    iri_cursor code; /* at the number of instructions */
    bool has_code;
} reader;

static uint32_t code_word(reader *r)
{
    if (iri_cursor_left(&r->code) < 4)
        iri_fail(r->ctx, IRI_MALFORMED_TABLE, iri_cursor_offset(&r->code),
                 "a preshader's code ends inside an instruction");
    return iri_read_u32(&r->code);
}

static uint8_t take_table(reader *r, uint32_t at)
{
    uint32_t table = code_word(r);
    if (table >= IRI_PRES_TABLE_COUNT || !table_names[table])
        iri_fail(r->ctx, IRI_MALFORMED_TABLE, at, "%u is no table of a preshader", table);
    return (uint8_t)table;
}

static iri_pres_operand read_operand(reader *r, uint32_t lanes)
{
    iri_pres_operand o = {.offset = iri_cursor_offset(&r->code)};
    uint32_t indices = code_word(r);
    if (indices > 1)
        iri_fail(r->ctx, IRI_MALFORMED_TABLE, o.offset, "an operand of a preshader has %u indices",
                 indices);
    o.indexed = indices != 0;
    if (o.indexed) {
        o.index_table = take_table(r, o.offset);
        o.index_at = code_word(r);
    }
    o.table = take_table(r, o.offset);
    o.at = code_word(r);
    uint32_t known = r->out->literal_count;
    if (o.table == IRI_PRES_LITERAL && !o.indexed && (o.at > known || lanes > known - o.at))
        iri_fail(r->ctx, IRI_MALFORMED_TABLE, o.offset,
                 "literals %u to %u of a preshader that has %u", o.at, o.at + lanes - 1, known);
    return o;
}

static iri_pres_op op_of(uint32_t opcode)
{
    for (uint32_t i = 0; i < IRI_PRES_OP_COUNT; i++)
        if (rows[i].opcode == opcode)
            return (iri_pres_op)i;
    return IRI_PRES_OP_COUNT;
}

static void read_instruction(reader *r, iri_pres_inst *in)
{
    in->offset = iri_cursor_offset(&r->code);
    uint32_t word = code_word(r), lanes = word & 0xffffu;
    in->operand_count = code_word(r);
    in->opcode = word >> 20 & 0x7ffu;
    in->op = (uint8_t)op_of(in->opcode);
    in->scalar = word >> 31 != 0;
    if (!lanes || lanes > IRI_PRES_LANES_MAX)
        iri_fail(r->ctx, IRI_MALFORMED_TABLE, in->offset, "a preshader's instruction of %u lanes",
                 lanes);
    if (!in->operand_count || in->operand_count > iri_cursor_left(&r->code) / 12)
        iri_fail(r->ctx, IRI_MALFORMED_TABLE, in->offset,
                 "a preshader's instruction of %u operands", in->operand_count);
    in->lanes = (uint8_t)lanes;
    iri_pres_operand *operands = iri_new_array(r->arena, iri_pres_operand, in->operand_count);
    for (uint32_t i = 0; i < in->operand_count; i++)
        operands[i] = read_operand(r, in->scalar && i == 0 ? 1 : lanes);
    in->operands = operands;
    in->to = read_operand(r, lanes);
}

static void take_comment(reader *r, iri_cursor body)
{
    uint32_t tag = iri_read_u32(&body);
    iri_cursor inside = iri_cursor_sub(&body, body.at, iri_cursor_left(&body));
    if (tag == IRI_D3D9_TAG('C', 'T', 'A', 'B') && !r->out->ctab) {
        r->out->ctab =
            iri_d3d9_ctab_parse(r->ctx, r->arena, inside.data, inside.size, inside.base, 0);
    } else if (tag == IRI_D3D9_TAG('C', 'L', 'I', 'T')) {
        uint32_t at = iri_cursor_offset(&inside);
        uint32_t count = iri_cursor_left(&inside) ? iri_read_u32(&inside) : 0;
        if (count > iri_cursor_left(&inside) / 8)
            iri_fail(r->ctx, IRI_MALFORMED_TABLE, at, "%u literals in a preshader's %u bytes",
                     count, iri_cursor_left(&inside));
        uint64_t *literals = iri_new_array(r->arena, uint64_t, count);
        for (uint32_t i = 0; i < count; i++)
            literals[i] = iri_read_u64(&inside);
        r->out->literals = literals;
        r->out->literal_count = count;
    } else if (tag == IRI_D3D9_TAG('F', 'X', 'L', 'C')) {
        r->code = inside;
        r->has_code = true;
    }
}

static void read_comments(reader *r, iri_cursor stream)
{
    while (iri_cursor_left(&stream) >= 4) {
        uint32_t at = iri_cursor_offset(&stream), token = iri_read_u32(&stream);
        if (token == 0xffffu)
            return;
        uint32_t size = (token >> 16 & 0x7fffu) * 4;
        if ((token & 0x8000ffffu) != 0xfffeu || size > iri_cursor_left(&stream))
            iri_fail(r->ctx, IRI_MALFORMED_TABLE, at, "0x%08x is no comment of a preshader", token);
        if (size >= 4)
            take_comment(r, iri_cursor_sub(&stream, stream.at, size));
        iri_cursor_seek(&stream, stream.at + size);
    }
}

const iri_preshader *iri_preshader_decode(iri_ctx *ctx, iri_arena *arena, iri_cursor stream)
{
    reader r = {.ctx = ctx, .arena = arena, .out = iri_new(arena, iri_preshader)};
    iri_preshader *p = r.out;
    p->offset = iri_cursor_offset(&stream);
    p->data = stream.data + stream.at;
    p->size = iri_cursor_left(&stream);
    p->version = iri_read_u32(&stream);
    if (p->version >> 16 != IRI_PRESHADER_TAG)
        iri_fail(ctx, IRI_MALFORMED_TABLE, p->offset, "0x%08x is no version of a preshader",
                 p->version);
    read_comments(&r, stream);
    if (!r.has_code)
        iri_fail(ctx, IRI_MALFORMED_TABLE, p->offset, "a preshader without code");
    p->inst_count = code_word(&r);
    if (p->inst_count > iri_cursor_left(&r.code) / 32)
        iri_fail(ctx, IRI_MALFORMED_TABLE, iri_cursor_offset(&r.code) - 4,
                 "%u instructions in the %u bytes of a preshader's code", p->inst_count,
                 iri_cursor_left(&r.code));
    iri_pres_inst *insts = iri_new_array(arena, iri_pres_inst, p->inst_count);
    for (uint32_t i = 0; i < p->inst_count; i++)
        read_instruction(&r, &insts[i]);
    p->insts = insts;
    return p;
}
