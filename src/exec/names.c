/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding elements of an interface by name, and constants by register or path; storing numbers as a
 * constant's layout wants them. Semantics are compared without case, as HLSL does; names of constants and resources
 * exactly.
 */
#include "exec/exec.h"

#include "base/number.h"

/* ---- semantics and resources ---- */

static bool same_letters(const char *a, const char *b)
{
    for (;; a++, b++) {
        char x = *a >= 'a' && *a <= 'z' ? (char)(*a - 32) : *a,
             y = *b >= 'a' && *b <= 'z' ? (char)(*b - 32) : *b;
        if (x != y)
            return false;
        if (!x)
            return true;
    }
}

static uint32_t find_io(const iri_io *elements, uint32_t count, const char *semantic,
                        uint32_t index)
{
    for (uint32_t i = 0; i < count; i++)
        if (elements[i].index == index && elements[i].name &&
            same_letters(elements[i].name, semantic))
            return i;
    return IRI_NOT_FOUND;
}

uint32_t iri_find_input(const iri_program *program, const char *semantic, uint32_t index)
{
    return find_io(program->interface.inputs, program->interface.input_count, semantic, index);
}

uint32_t iri_find_output(const iri_program *program, const char *semantic, uint32_t index)
{
    return find_io(program->interface.outputs, program->interface.output_count, semantic, index);
}

uint32_t iri_find_resource(const iri_program *program, const char *name)
{
    const iri_interface *io = &program->interface;
    char label[32];
    for (uint32_t i = 0; i < io->resource_count; i++)
        if (io->resources[i].name && strcmp(io->resources[i].name, name) == 0)
            return i;
    for (uint32_t i = 0; i < io->resource_count; i++)
        if (strcmp(iri_resource_label(&io->resources[i], label), name) == 0)
            return i;
    return IRI_NOT_FOUND;
}

/* ---- places ---- */

/* A decimal number below 2^24; -1 where none stands. */
static int32_t parse_number(const char **at)
{
    int32_t number = 0;
    const char *from = *at;
    for (; **at >= '0' && **at <= '9' && number < 1 << 20; (*at)++)
        number = number * 10 + (**at - '0');
    return *at == from ? -1 : number;
}

/* "[3]" when it stands there; -1 when not, -2 when broken. */
static int32_t parse_index(const char **at)
{
    if (**at != '[')
        return -1;
    (*at)++;
    int32_t index = parse_number(at);
    if (index < 0 || **at != ']')
        return -2;
    (*at)++;
    return index;
}

static uint32_t find_cbuffer(const iri_program *p, uint32_t reg)
{
    for (uint32_t i = 0; i < p->interface.resource_count; i++) {
        const iri_resource *r = &p->interface.resources[i];
        if (r->kind == IRI_RESOURCE_CBUFFER && r->reg == reg && !r->space)
            return i;
    }
    return IRI_NOT_FOUND;
}

/* Direct3D 9's registers: docs/design.md, the constant banks. */
static bool find_register(const iri_program *p, const char *path, iri_constant_place *place)
{
    static const struct {
        char letter;
        uint8_t scalar, reg, lanes;
    } banks[] = {{'c', IRI_F32, 0, 4}, {'i', IRI_I32, 1, 4}, {'b', IRI_BOOL, 2, 1}};
    for (uint32_t i = 0; i < 3; i++) {
        const char *at = path + 1, *lane;
        int32_t number = path[0] == banks[i].letter ? parse_number(&at) : -1;
        if (number < 0 || (*at && *at != '.'))
            continue;
        *place = (iri_constant_place){.resource = find_cbuffer(p, banks[i].reg),
                                      .rows = 1,
                                      .columns = banks[i].lanes,
                                      .elements = 1,
                                      .scalar = banks[i].scalar};
        place->offset = (uint32_t)number * 4 * banks[i].lanes;
        if (*at == '.') {
            lane = at[1] ? strchr("xyzw", at[1]) : NULL;
            if (!lane || at[2] || banks[i].lanes == 1)
                return false;
            place->offset += (uint32_t)(lane - "xyzw") * 4;
            place->columns = 1;
        }
        place->size = place->columns * 4;
        return place->resource != IRI_NOT_FOUND;
    }
    return false;
}

static const iri_member *find_member(const iri_member *members, uint32_t count, const char *name,
                                     size_t size)
{
    for (uint32_t i = 0; i < count; i++)
        if (members[i].name && strlen(members[i].name) == size &&
            memcmp(members[i].name, name, size) == 0)
            return &members[i];
    return NULL;
}

static void place_member(iri_constant_place *place, const iri_member *m, uint32_t offset,
                         bool element)
{
    bool columns = m->member_class == IRI_MEMBER_MATRIX_COLUMNS,
         matrix = columns || m->member_class == IRI_MEMBER_MATRIX_ROWS;
    place->offset = offset;
    place->size =
        element && m->array_stride && m->array_stride < m->size ? m->array_stride : m->size;
    place->rows = matrix ? m->rows : 1;
    place->columns = m->columns ? m->columns : 1;
    place->elements = element || !m->elements ? 1 : m->elements;
    place->array_stride = m->array_stride;
    place->matrix_stride = m->matrix_stride;
    place->scalar = m->scalar;
    place->by_columns = columns;
}

/* The row of a matrix that is kept by rows; one kept by columns has its row's numbers apart. */
static bool place_row(iri_constant_place *place, uint32_t row)
{
    if (row >= place->rows || place->rows == 1)
        return false;
    place->offset += row * (place->by_columns ? 4 : place->matrix_stride);
    if (!place->by_columns)
        place->size = place->columns * 4;
    place->rows = 1;
    return true;
}

/* What of a path follows a member's name: an element, a row. -1: not of this member. */
static bool follow(const char **at, const iri_member *m, uint32_t *offset,
                   iri_constant_place *place)
{
    int32_t index = parse_index(at);
    bool element = index >= 0 && m->elements > 0;
    if (index == -2 || (element && (uint32_t)index >= m->elements))
        return false;
    if (element)
        *offset += (uint32_t)index * m->array_stride;
    place_member(place, m, *offset, element);
    if (element)
        index = parse_index(at);
    return index == -1 || (index >= 0 && place_row(place, (uint32_t)index));
}

/* A compiler leaves off the registers at a constant's end that are not read: what would lie in them has no place. */
static void clip(iri_constant_place *place, uint32_t end)
{
    if (place->offset >= end)
        place->size = 0;
    else if (place->size > end - place->offset)
        place->size = end - place->offset;
}

static bool find_path(const iri_member *members, uint32_t count, const char *path,
                      iri_constant_place *place)
{
    uint32_t offset = 0, end = UINT32_MAX;
    for (uint32_t depth = 0; depth < 64; depth++) {
        size_t size = strcspn(path, "[.");
        const iri_member *m = find_member(members, count, path, size);
        if (!m)
            return false;
        path += size;
        offset += m->offset;
        if (offset + m->size < end)
            end = offset + m->size;
        if (!follow(&path, m, &offset, place))
            return false;
        clip(place, end);
        if (!*path)
            return m->member_class != IRI_MEMBER_STRUCT;
        if (*path++ != '.' || m->member_class != IRI_MEMBER_STRUCT)
            return false;
        members = m->members;
        count = m->member_count;
    }
    return false;
}

iri_status iri_find_constant(const iri_program *program, const char *path,
                             iri_constant_place *place, iri_refusal *why)
{
    return iri_find_constant_from(program, path, 0, place, why);
}

iri_status iri_find_constant_from(const iri_program *program, const char *path, uint32_t first,
                                  iri_constant_place *place, iri_refusal *why)
{
    const iri_interface *io = &program->interface;
    for (uint32_t i = first; i < io->resource_count; i++) {
        *place = (iri_constant_place){.resource = i};
        if (find_path(io->resources[i].members, io->resources[i].member_count, path, place))
            return IRI_OK;
    }
    if (find_register(program, path, place) && place->resource >= first)
        return IRI_OK;
    *place = (iri_constant_place){0};
    return iri_refuse(why, IRI_INVALID_ARGUMENT, program->provenance.format,
                      "no constant is called %s", path);
}

/* ---- storing ---- */

static uint32_t to_word(double number, iri_scalar scalar)
{
    switch (scalar) {
    case IRI_BOOL: return number != 0;
    case IRI_I32:
        return number >= 2147483647.0    ? 0x7fffffffu
               : number <= -2147483648.0 ? 0x80000000u
               : number == number        ? (uint32_t)(int32_t)number
                                         : 0;
    case IRI_U32: return number >= 4294967295.0 ? UINT32_MAX : number > 0 ? (uint32_t)number : 0;
    default: return iri_f32_bits((float)number);
    }
}

size_t iri_store_constant(const iri_constant_place *place, const double *numbers, size_t count,
                          void *buffer, size_t size)
{
    size_t stored = 0, next = 0;
    for (uint32_t element = 0; element < place->elements; element++)
        for (uint32_t row = 0; row < place->rows; row++)
            for (uint32_t column = 0; column < place->columns && next < count; column++, next++) {
                uint64_t at = (uint64_t)element * place->array_stride;
                at += place->by_columns ? (uint64_t)column * place->matrix_stride + 4u * row
                                        : (uint64_t)row * place->matrix_stride + 4u * column;
                uint32_t word;
                if (at + 4 > place->size || place->offset + at + 4 > size)
                    continue;
                word = to_word(numbers[next], (iri_scalar)place->scalar);
                memcpy((uint8_t *)buffer + place->offset + at, &word, 4);
                stored++;
            }
    return stored;
}
