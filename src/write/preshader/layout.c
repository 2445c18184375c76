/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a preshader's parameters lie and which registers it sets: a comment in C and WGSL, tables in JavaScript with
 * a function that fills by them.
 */
#include "write/preshader/internal.h"

#include <stdio.h>
#include <string.h>

typedef struct layout {
    iri_buf *out;
    bool script;
} layout;

/* A name in quotes; of what cannot stand there as it is the code. */
static void put_quoted(iri_buf *out, const char *text)
{
    iri_buf_char(out, '"');
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == '"' || *c == '\\' || *c >= 0x7f)
            iri_buf_printf(out, "\\x%02x", *c);
        else
            iri_buf_char(out, (char)*c);
    iri_buf_char(out, '"');
}

/* `end` is where the whole parameter ends: what would lie behind it was left off. */
static void put_member(const layout *l, const char *path, const iri_member *m, uint32_t offset,
                       uint32_t end, uint32_t nesting)
{
    char inner[512];
    uint32_t elements = m->elements ? m->elements : 1;
    if (offset >= end)
        return;
    uint32_t size = m->size < end - offset ? m->size : end - offset;
    if (m->member_class == IRI_MEMBER_STRUCT && nesting < 32) {
        for (uint32_t e = 0; e < elements; e++)
            for (uint32_t i = 0; i < m->member_count; i++) {
                char index[16] = "";
                if (m->elements)
                    snprintf(index, sizeof index, "[%u]", (unsigned)e);
                snprintf(inner, sizeof inner, "%.400s%s.%.80s", path, index, m->members[i].name);
                put_member(l, inner, &m->members[i],
                           offset + e * m->array_stride + m->members[i].offset, end, nesting + 1);
            }
        return;
    }
    bool columns = m->member_class == IRI_MEMBER_MATRIX_COLUMNS;
    if (l->script) {
        iri_buf_str(l->out, "    { name: ");
        put_quoted(l->out, path);
        iri_buf_printf(
            l->out,
            ", at: %u, size: %u, rows: %u, columns: %u, elements: %u, stride: %u, byColumns: %s },\n",
            offset / 4, size / 4, m->rows, m->columns, elements, m->array_stride / 4,
            columns ? "true" : "false");
        return;
    }
    iri_buf_str(l->out, "//   ");
    put_quoted(l->out, path);
    iri_buf_printf(l->out, ": p[%u..%u], %ux%u%s", offset / 4, (offset + size) / 4 - 1, m->rows,
                   m->columns, columns ? " by columns" : "");
    if (m->elements)
        iri_buf_printf(l->out, ", %u elements %u apart", m->elements, m->array_stride / 4);
    iri_buf_char(l->out, '\n');
}

void iri_preshader_write_parameters(iri_buf *out, const iri_program *p,
                                    iri_preshader_language language, const char *name)
{
    const layout l = {out, language == IRI_PRESHADER_JAVASCRIPT};
    uint32_t size = p->interface.resource_count ? p->interface.resources[0].size / 4 : 0;
    if (l.script)
        iri_buf_printf(out, "%s.size = %u;\n%s.parameters = [\n", name, size, name);
    else
        iri_buf_printf(out, "// p has %u numbers:\n", size);
    for (uint32_t r = 0; r < p->interface.resource_count; r++)
        for (uint32_t i = 0; i < p->interface.resources[r].member_count; i++) {
            const iri_member *m = &p->interface.resources[r].members[i];
            put_member(&l, m->name, m, m->offset, m->offset + m->size, 0);
        }
    if (l.script)
        iri_buf_str(out, "];\n");
}

void iri_preshader_write_results(iri_buf *out, const iri_program *p,
                                 iri_preshader_language language, const char *name)
{
    bool script = language == IRI_PRESHADER_JAVASCRIPT;
    if (script)
        iri_buf_printf(out, "%s.registers = [", name);
    else
        iri_buf_str(out, "// It sets");
    for (uint32_t i = 0; i < p->interface.output_count; i++) {
        const iri_io *io = &p->interface.outputs[i];
        iri_buf_printf(out, script ? "%s\"%s%u" : "%s %s%u", i ? "," : "", io->name, io->index);
        for (uint32_t lane = 0; io->bank != IRI_BANK_B && lane < 4; lane++)
            if (io->lanes >> lane & 1)
                iri_buf_printf(out, "%s%c", io->lanes & ((1u << lane) - 1) ? "" : ".",
                               "xyzw"[lane]);
        if (script)
            iri_buf_char(out, '"');
    }
    iri_buf_str(out, script ? "];\n" : p->interface.output_count ? ".\n" : " nothing.\n");
}

void iri_preshader_write_setter(iri_buf *out)
{
    iri_buf_str(
        out,
        "// Stores a parameter's numbers (elements after each other, rows after each other) in p, a\n"
        "// Float32Array of PRESHADER.size. False when the preshader has no parameter of that name.\n"
        "export function setParameter(preshader, p, name, numbers) {\n"
        "    const m = preshader.parameters.find(parameter => parameter.name === name);\n"
        "    if (!m)\n"
        "        return false;\n"
        "    let next = 0;\n"
        "    for (let element = 0; element < m.elements; element++)\n"
        "        for (let row = 0; row < m.rows; row++)\n"
        "            for (let column = 0; column < m.columns && next < numbers.length; column++, next++) {\n"
        "                const at = element * m.stride + (m.byColumns ? 4 * column + row : 4 * row + column);\n"
        "                if (at < m.size)\n"
        "                    p[m.at + at] = numbers[next];\n"
        "            }\n"
        "    return true;\n"
        "}\n");
}
