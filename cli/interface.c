/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How elements of an interface are said, for people and as JSON.
 */
#include "cli.h"
#include <stdio.h>

void cli_type_text(iri_type type, char *text, size_t size)
{
    const char *scalar = iri_word(IRI_WORDS_SCALAR, IRI_TYPE_SCALAR(type));
    if (IRI_TYPE_LANES(type) == 1)
        snprintf(text, size, "%s", scalar);
    else
        snprintf(text, size, "vec%u<%s>", IRI_TYPE_LANES(type), scalar);
}

void cli_lanes_text(uint32_t bits, char text[8])
{
    char *at = text;
    *at++ = '.';
    for (int i = 0; i < 4; i++)
        if (bits >> i & 1)
            *at++ = "xyzw"[i];
    *at = 0;
}

void cli_register_text(const iri_io *io, char *text, size_t size)
{
    const char *bank = iri_word(IRI_WORDS_BANK, io->bank);
    bool numbered = io->bank == IRI_BANK_V || io->bank == IRI_BANK_T || io->bank == IRI_BANK_O ||
                    io->bank == IRI_BANK_OD || io->bank == IRI_BANK_OT || io->bank == IRI_BANK_OC;
    if (io->bank == IRI_BANK_NONE)
        snprintf(text, size, "%s", "");
    else if (numbered)
        snprintf(text, size, "%s%u", bank, io->reg);
    else
        snprintf(text, size, "%s", bank);
}

void cli_member_type_text(const iri_member *m, char *text, size_t size)
{
    char array[16] = "";
    if (m->elements)
        snprintf(array, sizeof array, "[%u]", (unsigned)m->elements);
    const char *scalar = m->scalar == IRI_F32   ? "float"
                         : m->scalar == IRI_I32 ? "int"
                         : m->scalar == IRI_U32 ? "uint"
                                                : iri_word(IRI_WORDS_SCALAR, m->scalar);
    switch ((iri_member_class)m->member_class) {
    case IRI_MEMBER_SCALAR: snprintf(text, size, "%s%s", scalar, array); break;
    case IRI_MEMBER_VECTOR: snprintf(text, size, "%s%u%s", scalar, m->columns, array); break;
    case IRI_MEMBER_MATRIX_ROWS:
    case IRI_MEMBER_MATRIX_COLUMNS:
        snprintf(text, size, "%s%ux%u%s %s", scalar, m->rows, m->columns, array,
                 iri_word(IRI_WORDS_MEMBER_CLASS, m->member_class));
        break;
    case IRI_MEMBER_STRUCT:
    case IRI_MEMBER_CLASS_COUNT:
        snprintf(text, size, "struct %s%s", m->type_name ? m->type_name : "", array);
        break;
    }
}

void json_members(cli_json *json, const iri_member *members, uint32_t count)
{
    json_open(json, "members", '[');
    for (uint32_t i = 0; i < count; i++) {
        const iri_member *m = &members[i];
        char type[96];
        cli_member_type_text(m, type, sizeof type);
        json_open(json, NULL, '{');
        json_string(json, "name", m->name);
        json_string(json, "type", type);
        json_string(json, "class", iri_word(IRI_WORDS_MEMBER_CLASS, m->member_class));
        json_string(json, "scalar", iri_word(IRI_WORDS_SCALAR, m->scalar));
        json_number(json, "rows", m->rows);
        json_number(json, "columns", m->columns);
        json_number(json, "elements", m->elements);
        json_number(json, "offset", m->offset);
        json_number(json, "size", m->size);
        json_number(json, "arrayStride", m->array_stride);
        json_number(json, "matrixStride", m->matrix_stride);
        json_bool(json, "unused", (m->flags & IRI_MEMBER_UNUSED) != 0);
        if (m->default_words)
            json_words(json, "defaultWords", m->default_words, m->size / 4);
        if (m->member_count && json->depth < 28)
            json_members(json, m->members, m->member_count);
        json_close(json, '}');
    }
    json_close(json, ']');
}
