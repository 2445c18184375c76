/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a debug build (fxc /Zi) says in its DBUG comment: the source line of each instruction and the variables it
 * writes. Layout: measured on d3dcompiler_47 (docs/formats/d3d9-asm.md). Offsets in it count from the word after
 * the tag.
 *
 * Header, ten words: size (40), creator, 0, files and where their names' offsets are, instructions and where their
 * records are, variables and where theirs are, the entry point's name. An instruction: line, file (16 bits each,
 * file 0xffff: none), offset in the shader. A variable: the offset of its function's name or 0, of its own name, of
 * its type, the number of its writes, where they are. A write: the instruction's index, and for each of the four
 * lanes the component of the variable that it holds (16 bits, 0xffff: none).
 */
#include "read/d3d9/disasm.h"

#include "base/cursor.h"

enum {
    HEADER_SIZE = 40,
    INSTRUCTION_SIZE = 8,
    VARIABLE_SIZE = 20,
    WRITE_SIZE = 12,
    NO_FILE = 0xffff,
    NO_COMPONENT = 0xffff,
    NAME_LIMIT = 4096
};

typedef struct variable {
    const char *function, *name; /* function: NULL where there is none */
} variable;

/* What a lane of an instruction's result holds: of several variables the last one that says so. */
typedef struct lane {
    const variable *variable; /* NULL: none */
    uint32_t component;
} lane;

struct iri_d3d9_debug {
    iri_cursor table;
    const char *entry;
    uint32_t file_count, files, instruction_count, instructions;
    uint32_t at;          /* the record of the instruction asked for, or of one behind it */
    uint32_t line, file;  /* of the instruction before */
    lane (*lanes)[4];     /* by record */
    uint32_t *written_by; /* by record: 1 + the variable whose write was taken last */
};

static const char *name_at(const iri_d3d9_debug *d, uint32_t at)
{
    uint32_t left = at < d->table.size ? d->table.size - at : 0;
    const char *name = left ? (const char *)d->table.data + at : NULL;
    if (!name || !memchr(name, 0, left < NAME_LIMIT ? left : NAME_LIMIT))
        iri_fail(d->table.ctx, IRI_MALFORMED_TABLE, d->table.base,
                 "a name at 0x%x of the debug information's 0x%x bytes", at, d->table.size);
    return name;
}

static void need(const iri_d3d9_debug *d, uint32_t at, uint32_t count, uint32_t size,
                 const char *what)
{
    if (at > d->table.size || count > (d->table.size - at) / size)
        iri_fail(d->table.ctx, IRI_MALFORMED_TABLE, d->table.base,
                 "%u %s at 0x%x of the debug information's 0x%x bytes", count, what, at,
                 d->table.size);
}

static uint32_t component_of(const iri_d3d9_debug *d, uint32_t write, uint32_t l)
{
    return iri_peek_u32(&d->table, write + 4 + l / 2 * 4) >> l % 2 * 16 & 0xffffu;
}

static void read_variable(iri_d3d9_debug *d, iri_arena *scratch, uint32_t index, uint32_t at)
{
    uint32_t function = iri_peek_u32(&d->table, at), name = iri_peek_u32(&d->table, at + 4);
    uint32_t count = iri_peek_u32(&d->table, at + 12), writes = iri_peek_u32(&d->table, at + 16);
    need(d, writes, count, WRITE_SIZE, "writes");
    variable *v = iri_new(scratch, variable);
    v->function = function ? name_at(d, function) : NULL;
    v->name = name_at(d, name);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = writes + i * WRITE_SIZE, record = iri_peek_u32(&d->table, place);
        /* Of a variable's writes by one instruction the first counts. */
        if (record >= d->instruction_count || d->written_by[record] == index + 1)
            continue;
        d->written_by[record] = index + 1;
        for (uint32_t l = 0; l < 4; l++)
            if (component_of(d, place, l) != NO_COMPONENT)
                d->lanes[record][l] = (lane){v, component_of(d, place, l)};
    }
}

static iri_d3d9_debug *read_debug(iri_ctx *ctx, iri_arena *scratch, iri_cursor table)
{
    iri_d3d9_debug *d = iri_new(scratch, iri_d3d9_debug);
    d->table = table;
    if (table.size < HEADER_SIZE)
        iri_fail(ctx, IRI_MALFORMED_TABLE, table.base, "debug information of %u bytes", table.size);
    d->file_count = iri_peek_u32(&table, 12);
    d->files = iri_peek_u32(&table, 16);
    d->instruction_count = iri_peek_u32(&table, 20);
    d->instructions = iri_peek_u32(&table, 24);
    uint32_t variables = iri_peek_u32(&table, 28), first = iri_peek_u32(&table, 32);
    uint32_t entry = iri_peek_u32(&table, 36);
    need(d, d->files, d->file_count, 4, "files");
    need(d, d->instructions, d->instruction_count, INSTRUCTION_SIZE, "instructions");
    need(d, first, variables, VARIABLE_SIZE, "variables");
    d->entry = entry ? name_at(d, entry) : "";
    d->file = NO_FILE;
    d->lanes = iri_arena_alloc(scratch, d->instruction_count, sizeof *d->lanes);
    d->written_by = iri_new_array(scratch, uint32_t, d->instruction_count);
    for (uint32_t i = 0; i < variables; i++)
        read_variable(d, scratch, i, first + i * VARIABLE_SIZE);
    return d;
}

iri_d3d9_debug *iri_d3d9_debug_read(iri_ctx *ctx, iri_arena *scratch, const iri_d3d9_shader *shader)
{
    for (uint32_t i = 0; i < shader->comment_count; i++) {
        const iri_d3d9_comment *c = &shader->comments[i];
        if (c->size >= 4 && c->tag == IRI_D3D9_TAG('D', 'B', 'U', 'G'))
            return read_debug(ctx, scratch,
                              iri_cursor_make(ctx, shader->data + (c->offset - shader->base) + 8,
                                              c->size - 4, c->offset + 8));
    }
    return NULL;
}

/* The record of the instruction at `offset` in the shader; false when there is none. */
static bool find_record(iri_d3d9_debug *d, uint32_t offset)
{
    while (d->at < d->instruction_count &&
           iri_peek_u32(&d->table, d->instructions + d->at * INSTRUCTION_SIZE + 4) < offset)
        d->at++;
    return d->at < d->instruction_count &&
           iri_peek_u32(&d->table, d->instructions + d->at * INSTRUCTION_SIZE + 4) == offset;
}

/* As in a preprocessor's output, a step of a line or two is left to be counted. */
static bool is_near(uint32_t a, uint32_t b)
{
    return a > b ? a - b <= 2 : b - a <= 2;
}

void iri_d3d9_list_place(iri_d3d9_debug *d, iri_buf *buf, uint32_t offset)
{
    if (!find_record(d, offset))
        return;
    uint32_t word = iri_peek_u32(&d->table, d->instructions + d->at * INSTRUCTION_SIZE);
    uint32_t line = word & 0xffffu, file = word >> 16;
    bool said = file == d->file;
    bool silent = file == NO_FILE || (said && is_near(line, d->line));
    d->line = line;
    d->file = file;
    if (silent)
        return;
    iri_buf_printf(buf, "\n#line %u", line);
    if (!said) {
        if (file >= d->file_count)
            iri_fail(d->table.ctx, IRI_MALFORMED_TABLE, d->table.base,
                     "file %u of the debug information's %u", file, d->file_count);
        iri_buf_str(buf, " \"");
        iri_buf_str(buf, name_at(d, iri_peek_u32(&d->table, d->files + file * 4)));
        iri_buf_char(buf, '"');
    }
    iri_buf_char(buf, '\n');
}

void iri_d3d9_list_variables(iri_d3d9_debug *d, iri_buf *buf, uint32_t offset)
{
    const variable *open = NULL;
    if (!find_record(d, offset))
        return;
    for (uint32_t l = 0; l < 4; l++) {
        const lane *now = &d->lanes[d->at][l];
        const variable *v = now->variable;
        if (!v)
            continue;
        if (open && v != open)
            iri_buf_char(buf, '>');
        if (v != open) {
            iri_buf_str(buf, open ? ", " : "  // ");
            if (!v->function || strcmp(v->function, d->entry) != 0) {
                iri_buf_str(buf, v->function ? v->function : "");
                iri_buf_str(buf, "::");
            }
            iri_buf_str(buf, v->name);
        }
        iri_buf_char(buf, v == open ? ',' : '<');
        iri_buf_uint(buf, now->component);
        open = v;
    }
    if (open)
        iri_buf_char(buf, '>');
}
