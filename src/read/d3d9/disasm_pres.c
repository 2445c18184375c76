/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preshaders in a listing: what an effect computes on the CPU before the shader runs. Syntax: measured on
 * d3dcompiler_47 (docs/formats/d3d9-asm.md).
 */
#include "base/number.h"
#include "read/common/preshader.h"
#include "read/d3d9/disasm.h"

static void list_lanes(iri_buf *buf, uint32_t at, uint32_t lanes)
{
    if (lanes == 4 && at % 4 == 0)
        return;
    iri_buf_char(buf, '.');
    for (uint32_t i = 0; i < lanes; i++)
        iri_buf_char(buf, "xyzw"[(at + i) % 4]);
}

static void list_literal(iri_buf *buf, const uint64_t *literals, uint32_t lanes, bool scalar)
{
    iri_buf_char(buf, '(');
    for (uint32_t i = 0; i < lanes; i++) {
        char text[IRI_NUMBER_TEXT];
        iri_print_f64_nine(text, literals[scalar ? 0 : i]);
        iri_buf_str(buf, i ? ", " : "");
        iri_buf_str(buf, text);
    }
    iri_buf_char(buf, ')');
}

/* A literal that an index leads away from is no register, and only a literal table can say which. */
static void list_register(iri_ctx *ctx, iri_buf *buf, const iri_pres_operand *o, uint32_t table,
                          uint32_t at, bool indexed)
{
    if (table == IRI_PRES_LITERAL)
        iri_fail(ctx, IRI_MALFORMED_TABLE, o->offset, "%u is no table of a preshader", table);
    iri_buf_str(buf, iri_pres_table_name(table, indexed));
    iri_buf_uint(buf, at / 4);
}

/* A scalar that goes with all lanes names one; as a literal it is said for each. */
static void list_operand(iri_ctx *ctx, iri_buf *buf, const iri_preshader *p,
                         const iri_pres_operand *o, uint32_t lanes, bool scalar)
{
    if (o->table == IRI_PRES_LITERAL && !o->indexed) {
        list_literal(buf, p->literals + o->at, lanes, scalar);
        return;
    }
    list_register(ctx, buf, o, o->table, o->at, o->indexed);
    if (o->indexed) {
        iri_buf_char(buf, '[');
        list_register(ctx, buf, o, o->index_table, o->index_at, false);
        list_lanes(buf, o->index_at, 1);
        iri_buf_char(buf, ']');
    }
    list_lanes(buf, o->at, scalar ? 1 : lanes);
}

static void list_instruction(iri_ctx *ctx, iri_buf *buf, const iri_preshader *p,
                             const iri_pres_inst *in)
{
    iri_buf_str(buf, "    ");
    iri_buf_str(buf, iri_pres_op_name((iri_pres_op)in->op));
    iri_buf_char(buf, ' ');
    list_operand(ctx, buf, p, &in->to, in->lanes, false);
    for (uint32_t i = 0; i < in->operand_count; i++) {
        iri_buf_str(buf, ", ");
        list_operand(ctx, buf, p, &in->operands[i], in->lanes, i == 0 && in->scalar);
    }
    iri_buf_char(buf, '\n');
}

void iri_d3d9_list_preshader(iri_ctx *ctx, iri_arena *scratch, iri_buf *buf,
                             const iri_d3d9_shader *shader)
{
    iri_cursor stream;
    if (!iri_d3d9_find_preshader(ctx, shader, &stream))
        return;
    const iri_preshader *p = iri_preshader_decode(ctx, scratch, stream);
    if (p->ctab)
        iri_d3d9_list_ctab(buf, scratch, p->ctab);
    iri_buf_str(buf, "    preshader\n");
    for (uint32_t i = 0; i < p->inst_count; i++)
        list_instruction(ctx, buf, p, &p->insts[i]);
    iri_buf_printf(buf, "\n// approximately %u instruction%s used\n", p->inst_count,
                   p->inst_count == 1 ? "" : "s");
}
