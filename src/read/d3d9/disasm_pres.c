/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preshaders in a listing: what an effect computes on the CPU before the shader runs. The PRES comment holds a
 * token stream of its own, of comments alone: a constant table, CLIT with 64-bit floats, FXLC with the code.
 * Layout and names: measured on d3dcompiler_47 (docs/formats/d3d9-asm.md).
 *
 * FXLC: the number of instructions, then each as a word (opcode in bits 20-30, bit 31 when the first operand is a
 * scalar, lanes in bits 0-15), the number of its operands, the operands and the destination. An operand is 0,
 * table, offset in lanes; or 1, the index's table and offset, and then table and offset.
 */
#include "base/cursor.h"
#include "base/number.h"
#include "read/d3d9/disasm.h"

enum { TABLE_LITERAL = 1, TABLE_OUTPUT = 4, TABLE_COUNT = 10, LANES_MAX = 16 };

static const char *const table_names[TABLE_COUNT] = {
    [2] = "c", [3] = "v", [TABLE_OUTPUT] = "c", [5] = "ob", [6] = "oi", [7] = "r", [9] = "ip"};

/* Rows by opcode, in its order. */
static const struct {
    uint16_t opcode;
    const char *name;
} opcodes[] = {
    {0x100, "mov"},          {0x101, "neg"},
    {0x103, "rcp"},          {0x104, "frc"},
    {0x105, "exp"},          {0x106, "log"},
    {0x107, "rsq"},          {0x108, "sin"},
    {0x109, "cos"},          {0x10a, "asin"},
    {0x10b, "acos"},         {0x10c, "atan"},
    {0x112, "sqrt"},         {0x120, "ineg"},
    {0x121, "not"},          {0x130, "itof"},
    {0x131, "utof"},         {0x132, "ftoi"},
    {0x133, "ftou"},         {0x134, "btof"},
    {0x135, "btoi"},         {0x136, "itob"},
    {0x137, "ftob"},         {0x138, "round"},
    {0x139, "floor"},        {0x13a, "ceil"},
    {0x200, "min"},          {0x201, "max"},
    {0x202, "lt"},           {0x203, "ge"},
    {0x204, "add"},          {0x205, "mul"},
    {0x206, "atan2"},        {0x208, "div"},
    {0x210, "bilt"},         {0x211, "bige"},
    {0x212, "bieq"},         {0x213, "bine"},
    {0x214, "buge"},         {0x215, "bult"},
    {0x216, "iadd"},         {0x217, "idiv"},
    {0x219, "imul"},         {0x21a, "udiv"},
    {0x21b, "umod"},         {0x21c, "umul"},
    {0x21d, "imin"},         {0x21e, "imax"},
    {0x21f, "umin"},         {0x220, "umax"},
    {0x230, "and"},          {0x231, "or"},
    {0x233, "xor"},          {0x234, "ishl"},
    {0x235, "ishr"},         {0x236, "ushr"},
    {0x300, "cmp"},          {0x301, "movc"},
    {0x500, "dot"},          {0x502, "noise"},
    {0x70e, "d3ds_dotswiz"}, {0x711, "d3ds_noiseswiz"},
};

typedef struct preshader {
    iri_ctx *ctx;
    iri_buf *buf;
    iri_cursor code; /* at the number of instructions */
    iri_cursor literals;
    bool has_code;
} preshader;

static uint32_t code_word(preshader *p)
{
    if (iri_cursor_left(&p->code) < 4)
        iri_fail(p->ctx, IRI_MALFORMED_TABLE, iri_cursor_offset(&p->code),
                 "a preshader's code ends inside an instruction");
    return iri_read_u32(&p->code);
}

static const char *opcode_name(uint32_t opcode)
{
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        if (opcodes[i].opcode == opcode)
            return opcodes[i].name;
    return "<unknown>";
}

static void list_lanes(iri_buf *buf, uint32_t offset, uint32_t lanes)
{
    if (lanes == 4 && offset % 4 == 0)
        return;
    iri_buf_char(buf, '.');
    for (uint32_t i = 0; i < lanes; i++)
        iri_buf_char(buf, "xyzw"[(offset + i) % 4]);
}

static void list_literal(preshader *p, uint32_t at, uint32_t offset, uint32_t lanes, bool scalar)
{
    uint32_t stored = scalar ? 1 : lanes;
    if (offset > p->literals.size / 8 || stored > p->literals.size / 8 - offset)
        iri_fail(p->ctx, IRI_MALFORMED_TABLE, at, "literals %u to %u of a preshader that has %u",
                 offset, offset + stored - 1, p->literals.size / 8);
    iri_cursor values = p->literals;
    iri_buf_char(p->buf, '(');
    for (uint32_t i = 0; i < lanes; i++) {
        char text[IRI_NUMBER_TEXT];
        iri_cursor_seek(&values, (offset + (scalar ? 0 : i)) * 8);
        iri_print_f64_nine(text, iri_read_u64(&values));
        iri_buf_str(p->buf, i ? ", " : "");
        iri_buf_str(p->buf, text);
    }
    iri_buf_char(p->buf, ')');
}

static void list_register(preshader *p, uint32_t at, uint32_t table, uint32_t offset, bool indexed)
{
    const char *name = table < TABLE_COUNT ? table_names[table] : NULL;
    if (!name)
        iri_fail(p->ctx, IRI_MALFORMED_TABLE, at, "%u is no table of a preshader", table);
    iri_buf_str(p->buf, indexed && table == TABLE_OUTPUT ? "of" : name);
    iri_buf_uint(p->buf, offset / 4);
}

/* A scalar that goes with all lanes names one; as a literal it is said for each. */
static void list_operand(preshader *p, uint32_t lanes, bool scalar)
{
    uint32_t at = iri_cursor_offset(&p->code), indexed = code_word(p);
    uint32_t index_table = 0, index_offset = 0;
    if (indexed > 1)
        iri_fail(p->ctx, IRI_MALFORMED_TABLE, at, "an operand of a preshader has %u indices",
                 indexed);
    if (indexed) {
        index_table = code_word(p);
        index_offset = code_word(p);
    }
    uint32_t table = code_word(p), offset = code_word(p);
    if (table == TABLE_LITERAL && !indexed) {
        list_literal(p, at, offset, lanes, scalar);
        return;
    }
    list_register(p, at, table, offset, indexed != 0);
    if (indexed) {
        iri_buf_char(p->buf, '[');
        list_register(p, at, index_table, index_offset, false);
        list_lanes(p->buf, index_offset, 1);
        iri_buf_char(p->buf, ']');
    }
    list_lanes(p->buf, offset, scalar ? 1 : lanes);
}

/* The destination is stored behind the operands and listed before them. */
static void skip_operand(preshader *p)
{
    uint32_t words = code_word(p) ? 4 : 2;
    while (words--)
        code_word(p);
}

static void list_instruction(preshader *p)
{
    uint32_t at = iri_cursor_offset(&p->code), word = code_word(p);
    uint32_t lanes = word & 0xffffu, count = code_word(p);
    if (!lanes || lanes > LANES_MAX)
        iri_fail(p->ctx, IRI_MALFORMED_TABLE, at, "a preshader's instruction of %u lanes", lanes);
    if (!count || count > iri_cursor_left(&p->code) / 12)
        iri_fail(p->ctx, IRI_MALFORMED_TABLE, at, "a preshader's instruction of %u operands",
                 count);
    uint32_t operands = p->code.at;
    for (uint32_t i = 0; i < count; i++)
        skip_operand(p);
    iri_buf_str(p->buf, "    ");
    iri_buf_str(p->buf, opcode_name(word >> 20 & 0x7ffu));
    iri_buf_char(p->buf, ' ');
    list_operand(p, lanes, false);
    uint32_t end = p->code.at;
    iri_cursor_seek(&p->code, operands);
    for (uint32_t i = 0; i < count; i++) {
        iri_buf_str(p->buf, ", ");
        list_operand(p, lanes, i == 0 && word >> 31);
    }
    iri_cursor_seek(&p->code, end);
    iri_buf_char(p->buf, '\n');
}

static void take_comment(preshader *p, iri_arena *scratch, iri_cursor body)
{
    uint32_t tag = iri_read_u32(&body);
    iri_cursor inside = iri_cursor_sub(&body, body.at, iri_cursor_left(&body));
    if (tag == IRI_D3D9_TAG('C', 'T', 'A', 'B')) {
        iri_d3d9_list_ctab(
            p->buf, scratch,
            iri_d3d9_ctab_parse(p->ctx, scratch, inside.data, inside.size, inside.base, 0));
    } else if (tag == IRI_D3D9_TAG('C', 'L', 'I', 'T')) {
        uint32_t at = iri_cursor_offset(&inside);
        uint32_t count = iri_cursor_left(&inside) ? iri_read_u32(&inside) : 0;
        if (count > iri_cursor_left(&inside) / 8)
            iri_fail(p->ctx, IRI_MALFORMED_TABLE, at, "%u literals in a preshader's %u bytes",
                     count, iri_cursor_left(&inside));
        p->literals = iri_cursor_sub(&inside, inside.at, count * 8);
    } else if (tag == IRI_D3D9_TAG('F', 'X', 'L', 'C')) {
        p->code = inside;
        p->has_code = true;
    }
}

static void read_comments(preshader *p, iri_arena *scratch, iri_cursor stream)
{
    while (iri_cursor_left(&stream) >= 4) {
        uint32_t at = iri_cursor_offset(&stream), token = iri_read_u32(&stream);
        if (token == 0xffffu)
            return;
        uint32_t size = (token >> 16 & 0x7fffu) * 4;
        if ((token & 0x8000ffffu) != 0xfffeu || size > iri_cursor_left(&stream))
            iri_fail(p->ctx, IRI_MALFORMED_TABLE, at, "0x%08x is no comment of a preshader", token);
        if (size >= 4)
            take_comment(p, scratch, iri_cursor_sub(&stream, stream.at, size));
        iri_cursor_seek(&stream, stream.at + size);
    }
}

static void list_preshader(preshader *p, iri_arena *scratch, iri_cursor body)
{
    uint32_t at = iri_cursor_offset(&body), version = iri_read_u32(&body);
    if (version >> 16 != 0x4658u) /* "FX" */
        iri_fail(p->ctx, IRI_MALFORMED_TABLE, at, "0x%08x is no version of a preshader", version);
    read_comments(p, scratch, body);
    if (!p->has_code)
        iri_fail(p->ctx, IRI_MALFORMED_TABLE, at, "a preshader without code");
    iri_buf_str(p->buf, "    preshader\n");
    uint32_t count = code_word(p);
    for (uint32_t i = 0; i < count; i++)
        list_instruction(p);
    iri_buf_printf(p->buf, "\n// approximately %u instruction%s used\n", count,
                   count == 1 ? "" : "s");
}

void iri_d3d9_list_preshader(iri_ctx *ctx, iri_arena *scratch, iri_buf *buf,
                             const iri_d3d9_shader *shader)
{
    for (uint32_t i = 0; i < shader->comment_count; i++) {
        const iri_d3d9_comment *c = &shader->comments[i];
        if (c->size < 8 || c->tag != IRI_D3D9_TAG('P', 'R', 'E', 'S'))
            continue;
        preshader p = {.ctx = ctx, .buf = buf};
        const uint8_t *data = shader->data + (c->offset - shader->base) + 8;
        p.literals = iri_cursor_make(ctx, data, 0, c->offset + 8);
        list_preshader(&p, scratch, iri_cursor_make(ctx, data, c->size - 4, c->offset + 8));
        return;
    }
}
