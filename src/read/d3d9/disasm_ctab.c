/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The constant table's block of a listing: what was compiled by what, the parameters as HLSL declares them in the
 * order of the table, and their registers in the order of sets and numbers. Defaults are not shown.
 */
#include "read/d3d9/disasm.h"

#include <stdio.h>

enum { NAME_WIDTH = 12, INDENT = 4 };

static const char *type_name(uint32_t type)
{
    static const char *const names[IRI_D3D9_PT_COUNT] = {
        "void",        "bool",         "int",           "float",          "string",
        "Texture",     "Texture1D",    "Texture2D",     "Texture3D",      "TextureCube",
        "sampler",     "sampler1D",    "sampler2D",     "sampler3D",      "samplerCUBE",
        "PixelShader", "VertexShader", "pixelfragment", "vertexfragment", "uint"};
    return names[type];
}

static void begin_line(iri_buf *buf, uint32_t depth)
{
    iri_buf_str(buf, "//   ");
    iri_buf_indent(buf, depth * INDENT);
}

/* Declarations at one depth. Structs stand apart from what is before and behind them. */
static void list_declaration(iri_buf *buf, const char *name, const iri_d3d9_ctype *type,
                             uint32_t depth, bool first, bool last)
{
    if (type->class_ != IRI_D3D9_CLASS_STRUCT) {
        begin_line(buf, depth);
        if (type->class_ == IRI_D3D9_CLASS_MATRIX_ROWS)
            iri_buf_str(buf, "row_major ");
        iri_buf_str(buf, type_name(type->type));
        if (type->class_ == IRI_D3D9_CLASS_VECTOR)
            iri_buf_printf(buf, "%u", type->columns);
        else if (type->class_ == IRI_D3D9_CLASS_MATRIX_ROWS ||
                 type->class_ == IRI_D3D9_CLASS_MATRIX_COLUMNS)
            iri_buf_printf(buf, "%ux%u", type->rows, type->columns);
        iri_buf_char(buf, ' ');
    } else {
        if (!first) {
            begin_line(buf, depth);
            iri_buf_char(buf, '\n');
        }
        begin_line(buf, depth);
        iri_buf_str(buf, "struct\n");
        begin_line(buf, depth);
        iri_buf_str(buf, "{\n");
        bool apart = true;
        for (uint32_t i = 0; i < type->member_count; i++) {
            const iri_d3d9_cmember *m = &type->members[i];
            list_declaration(buf, m->name, m->type, depth + 1, apart, i + 1 == type->member_count);
            apart = m->type->class_ == IRI_D3D9_CLASS_STRUCT;
        }
        iri_buf_str(buf, "//\n");
        begin_line(buf, depth);
        iri_buf_str(buf, "} ");
    }
    iri_buf_str(buf, name);
    if (type->elements > 1)
        iri_buf_printf(buf, "[%u]", type->elements);
    iri_buf_str(buf, ";\n");
    if (type->class_ == IRI_D3D9_CLASS_STRUCT && !last) {
        begin_line(buf, depth);
        iri_buf_char(buf, '\n');
    }
}

/* Indices of the constants by set (booleans, integers, floats, samplers) and register; merged, so that equal ones
 * stay in the table's order. */
static uint32_t *sort_constants(iri_arena *scratch, const iri_d3d9_ctab *ctab)
{
    uint32_t count = ctab->count;
    uint32_t *from = iri_new_array(scratch, uint32_t, count);
    uint32_t *to = iri_new_array(scratch, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        from[i] = i;
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t begin = 0; begin < count; begin += 2 * width) {
            uint32_t middle = begin + width < count ? begin + width : count;
            uint32_t end = middle + width < count ? middle + width : count;
            uint32_t a = begin, b = middle;
            for (uint32_t i = begin; i < end; i++) {
                bool right = a == middle;
                if (!right && b < end) {
                    const iri_d3d9_constant *l = &ctab->constants[from[a]];
                    const iri_d3d9_constant *r = &ctab->constants[from[b]];
                    right = r->set != l->set ? r->set < l->set : r->index < l->index;
                }
                to[i] = from[right ? b++ : a++];
            }
        }
        uint32_t *other = from;
        from = to;
        to = other;
    }
    return from;
}

static void list_registers(iri_buf *buf, iri_arena *scratch, const iri_d3d9_ctab *ctab)
{
    const uint32_t *order = sort_constants(scratch, ctab);
    size_t width = NAME_WIDTH;
    for (uint32_t i = 0; i < ctab->count; i++) {
        size_t length = strlen(ctab->constants[i].name);
        width = length > width ? length : width;
    }
    iri_buf_printf(buf, "//   %-*s Reg   Size\n//   ", (int)width, "Name");
    for (size_t i = 0; i < width; i++)
        iri_buf_char(buf, '-');
    iri_buf_str(buf, " ----- ----\n");
    for (uint32_t i = 0; i < ctab->count; i++) {
        const iri_d3d9_constant *c = &ctab->constants[order[i]];
        char place[16];
        snprintf(place, sizeof place, "%c%u", "bics"[c->set], c -> index);
        iri_buf_printf(buf, "//   %-*s %-5s %4u\n", (int)width, c->name, place, c->count);
    }
}

void iri_d3d9_list_ctab(iri_buf *buf, iri_arena *scratch, const iri_d3d9_ctab *ctab)
{
    iri_buf_str(buf, "//\n// Generated by ");
    iri_buf_str(buf, ctab->has_creator ? ctab->creator : "Microsoft (R) D3DX9 Shader Disassembler");
    iri_buf_char(buf, '\n');
    if (!ctab->count)
        return;
    iri_buf_str(buf, "//\n// Parameters:\n//\n");
    bool apart = true;
    for (uint32_t i = 0; i < ctab->count; i++) {
        const iri_d3d9_constant *c = &ctab->constants[i];
        if (i && !strcmp(c[-1].name, c->name))
            continue; /* in several register sets, once each */
        list_declaration(buf, c->name, c->type, 0, apart, i + 1 == ctab->count);
        apart = c->type->class_ == IRI_D3D9_CLASS_STRUCT;
    }
    iri_buf_str(buf, "//\n//\n// Registers:\n//\n");
    list_registers(buf, scratch, ctab);
    iri_buf_str(buf, "//\n\n");
}
