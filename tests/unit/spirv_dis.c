/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See spirv_dis.h.
 */
#include "tests/unit/spirv_dis.h"

#include "write/spirv/grammar.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct op_row {
    const char *name;
    uint16_t number;
    bool has_type, has_result;
    const char *operands;
} op_row;

static const op_row op_rows[] = {
#define IRI_SPV_OP(name, number, has_type, has_result, operands) \
    {#name, number, has_type, has_result, operands},
#include "write/spirv/grammar.def"
#undef IRI_SPV_OP
};

static const op_row *find_op(uint32_t number)
{
    for (size_t i = 0; i < sizeof op_rows / sizeof *op_rows; i++)
        if (op_rows[i].number == number)
            return &op_rows[i];
    return NULL;
}

enum { HEADER = 5, ID_MAX = 1 << 22 };

/* ---- checking ---- */

/* The section of an instruction before the functions (unified1, section 2.4), 0 where it may not be. */
static int section_of(uint32_t op)
{
    switch (op) {
    case IRI_SPV_OpCapability: return 1;
    case IRI_SPV_OpExtension: return 2;
    case IRI_SPV_OpExtInstImport: return 3;
    case IRI_SPV_OpMemoryModel: return 4;
    case IRI_SPV_OpEntryPoint: return 5;
    case IRI_SPV_OpExecutionMode: return 6;
    case IRI_SPV_OpName:
    case IRI_SPV_OpMemberName: return 7;
    case IRI_SPV_OpDecorate:
    case IRI_SPV_OpMemberDecorate:
    case IRI_SPV_OpDecorateString: return 8;
    case IRI_SPV_OpFunction: return 10;
    default: return 9;
    }
}

/* Calls `visit` with each operand that is an id. */
static void each_id(const op_row *row, const uint32_t *at, uint32_t count,
                    void (*visit)(void *user, uint32_t id), void *user)
{
    uint32_t i = 1 + (uint32_t)row->has_type + (uint32_t)row->has_result;
    if (row->has_type)
        visit(user, at[1]);
    for (const char *k = row->operands; *k && i < count; k++) {
        if (*k == 's') {
            while (i < count && (at[i] >> 24) != 0)
                i++;
            i++;
        } else if (*k == '*') {
            for (; i < count; i++)
                visit(user, at[i]);
        } else if (*k == 'p') {
            for (visit(user, at[i++]); i + 1 < count; i += 2)
                visit(user, at[i + 1]);
        } else if (*k == 'i') {
            visit(user, at[i++]);
        } else if (*k == 'L') {
            i = count;
        } else {
            i++;
        }
    }
}

typedef struct check {
    uint8_t *defined; /* 1 used, 2 defined */
    uint32_t bound;
    const char *why;
} check;

static void use_id(void *user, uint32_t id)
{
    check *c = user;
    if (id == 0 || id >= c->bound)
        c->why = "an id out of bounds is used";
    else
        c->defined[id] |= 1;
}

static void define_id(check *c, uint32_t id)
{
    if (id == 0 || id >= c->bound)
        c->why = "an id out of bounds is defined";
    else if (c->defined[id] & 2)
        c->why = "an id is defined twice";
    else
        c->defined[id] |= 2;
}

const char *spirv_check(const uint32_t *words, size_t count)
{
    check c = {NULL, 0, NULL};
    int section = 1;
    bool open = false;
    if (count < HEADER || words[0] != IRI_SPV_MAGIC || words[3] > ID_MAX || words[4] != 0)
        return "no header";
    c.bound = words[3];
    c.defined = calloc(c.bound + 1, 1);
    for (size_t i = HEADER; i < count && !c.why;) {
        uint32_t length = words[i] >> 16, op = words[i] & 0xffff;
        const op_row *row = find_op(op);
        if (!row || !length || length > count - i) {
            c.why = row ? "an instruction's length" : "an instruction that is not in the grammar";
            break;
        }
        int own = open ? 10 : section_of(op);
        if (own < section || (section == 10 && !open && op != IRI_SPV_OpFunction))
            c.why = "an instruction out of its section";
        section = own;
        if (op == IRI_SPV_OpFunction || op == IRI_SPV_OpFunctionEnd)
            open = op == IRI_SPV_OpFunction;
        if (row->has_result)
            define_id(&c, words[i + 1 + (row->has_type ? 1 : 0)]);
        each_id(row, words + i, length, use_id, &c);
        i += length;
    }
    if (open && !c.why)
        c.why = "a function without an end";
    for (uint32_t id = 1; id < c.bound && !c.why; id++)
        if (c.defined[id] == 1)
            c.why = "an id is used and never defined";
    free(c.defined);
    return c.why;
}

/* ---- listing ---- */

typedef struct listing {
    const char **names; /* by id; NULL where it has none of its own */
    char line[4096];
    size_t size;
} listing;

static void put(listing *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(l->line + l->size, sizeof l->line - l->size, format, arguments);
    va_end(arguments);
    if (size > 0)
        l->size += (size_t)size;
    if (l->size >= sizeof l->line)
        l->size = sizeof l->line - 1;
}

static void put_id(void *user, uint32_t id)
{
    listing *l = user;
    if (l->names[id])
        put(l, " %%%s", l->names[id]);
    else
        put(l, " %%%u", (unsigned)id);
}

static void name_ids(listing *l, const uint32_t *words, size_t count)
{
    for (size_t i = HEADER; i < count; i += words[i] >> 16) {
        bool taken = false;
        if ((words[i] & 0xffff) != IRI_SPV_OpName)
            continue;
        const char *name = (const char *)(words + i + 2);
        for (uint32_t id = 0; id < words[3]; id++)
            taken = taken || (l->names[id] && strcmp(l->names[id], name) == 0);
        if (!taken && name[0])
            l->names[words[i + 1]] = name;
    }
}

static void list_operands(listing *l, const op_row *row, const uint32_t *at, uint32_t count)
{
    uint32_t i = 1 + (uint32_t)row->has_type + (uint32_t)row->has_result;
    if (row->has_type)
        put_id(l, at[1]);
    for (const char *k = row->operands; *k && i < count; k++) {
        if (*k == 's') {
            put(l, " \"%s\"", (const char *)(at + i));
            while (i < count && (at[i] >> 24) != 0)
                i++;
            i++;
        } else if (*k == '*') {
            for (; i < count; i++)
                put_id(l, at[i]);
        } else if (*k == 'p') {
            for (put_id(l, at[i++]); i + 1 < count; i += 2) {
                put(l, " %u", (unsigned)at[i]);
                put_id(l, at[i + 1]);
            }
        } else if (*k == 'i') {
            put_id(l, at[i++]);
        } else if (*k == 'L') {
            for (; i < count; i++)
                put(l, " %u", (unsigned)at[i]);
        } else {
            put(l, " %u", (unsigned)at[i++]);
        }
    }
}

void spirv_list(const uint32_t *words, size_t count, int only,
                void (*line)(void *user, const char *text), void *user)
{
    listing l = {.names = calloc(words[3] + 1, sizeof *l.names)};
    bool functions = false;
    name_ids(&l, words, count);
    for (size_t i = HEADER; i < count; i += words[i] >> 16) {
        const op_row *row = find_op(words[i] & 0xffff);
        functions = functions || row->number == IRI_SPV_OpFunction;
        if (only == 1 && !functions && section_of(row->number) >= 7)
            continue;
        l.size = 0;
        if (row->has_result) {
            put_id(&l, words[i + 1 + (row->has_type ? 1 : 0)]);
            put(&l, " =");
        }
        put(&l, " Op%s", row->name);
        list_operands(&l, row, words + i, words[i] >> 16);
        line(user, l.line + 1);
    }
    free(l.names);
}
