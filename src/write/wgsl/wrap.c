/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Breaks long lines: a call's arguments go one a line, a chain of operators one operand a line. Only
 * white space is added, so it cannot change what a text means.
 */
#include "write/wgsl/wgsl.h"

enum {
    WIDTH = 100,
    STEP = 4,
    DEPTH_MAX = 24,
    SWIZZLE_MAX = 6 /* with its bracket, behind a call */
};

static void wrap(iri_buf *out, iri_str text, uint32_t indent, size_t column, uint32_t depth);

/* How tightly an operator binds, loosest first, that begins at `at` and ends before the next space; -1 when none does. */
static int row_at(const char *at, const char *end, size_t *size)
{
    if (end - at < 2)
        return -1;
    *size = at[1] == ' ' ? 1 : 2;
    if (*size == 2 && (end - at < 3 || at[2] != ' '))
        return -1;
    switch (at[0]) {
    case '|': return *size == 1 ? 3 : at[1] == '|' ? 0 : -1;
    case '&': return *size == 1 ? 3 : at[1] == '&' ? 1 : -1;
    case '^': return *size == 1 ? 3 : -1;
    case '<':
    case '>': return *size == 1 || at[1] == '=' ? 2 : -1;
    case '=':
    case '!': return *size == 2 && at[1] == '=' ? 2 : -1;
    case '+':
    case '-': return *size == 1 ? 4 : -1;
    case '*':
    case '/': return *size == 1 ? 5 : -1;
    default: return -1;
    }
}

/* What a character is to the layout; most are nothing. */
enum { NOTHING, OPEN, CLOSE, SPACE, COMMA };
static const uint8_t classes[256] = {
    ['('] = OPEN, ['['] = OPEN, [')'] = CLOSE, [']'] = CLOSE, [' '] = SPACE, [','] = COMMA,
};

static uint8_t class_of(char c)
{
    return classes[(uint8_t)c];
}

/* The outside of a text, seen in one look. */
typedef struct shape {
    int row;            /* of the loosest operators outside of all brackets; -1: none */
    size_t open, close; /* the last brackets outside of which nothing is */
} shape;

static shape shape_of(iri_str text)
{
    const char *end = text.at + text.size;
    shape s = {-1, 0, 0};
    int depth = 0;
    size_t size;
    for (const char *at = text.at; at < end; at++) {
        switch (class_of(*at)) {
        case OPEN:
            if (depth++ == 0 && *at == '(')
                s.open = (size_t)(at - text.at);
            break;
        case CLOSE:
            if (--depth == 0 && *at == ')')
                s.close = (size_t)(at - text.at);
            break;
        case SPACE:
            if (depth == 0) {
                int row = row_at(at + 1, end, &size);
                if (row >= 0 && (s.row < 0 || row < s.row))
                    s.row = row;
            }
            break;
        default: break;
        }
    }
    return s;
}

/* The next place from `i` on of a class outside of all brackets; the end when there is none. */
static size_t next_outside(iri_str text, size_t i, uint8_t class)
{
    int depth = 0;
    for (; i < text.size; i++) {
        uint8_t c = class_of(text.at[i]);
        if (c == NOTHING)
            continue;
        if (c == class && depth == 0)
            break;
        depth += c == OPEN ? 1 : c == CLOSE ? -1 : 0;
    }
    return i;
}

static void new_line(iri_buf *out, uint32_t indent)
{
    iri_buf_char(out, '\n');
    iri_buf_indent(out, indent);
}

/* Operands of the loosest operators, one a line. */
static void wrap_chain(iri_buf *out, iri_str text, int row, uint32_t indent, size_t column,
                       uint32_t nesting)
{
    size_t from = 0, size, at = column;
    for (size_t i = next_outside(text, 0, SPACE); i < text.size;
         i = next_outside(text, i + 1, SPACE)) {
        if (row_at(text.at + i + 1, text.at + text.size, &size) != row)
            continue;
        wrap(out, (iri_str){text.at + from, i - from}, indent + STEP, at, nesting);
        new_line(out, indent + STEP);
        iri_buf_bytes(out, text.at + i + 1, size + 1);
        at = indent + STEP + size + 1;
        from = i + size + 2;
        i = from - 1;
    }
    wrap(out, (iri_str){text.at + from, text.size - from}, indent + STEP, at, nesting);
}

static void wrap_call(iri_buf *out, iri_str text, size_t open, size_t close, uint32_t indent,
                      size_t column, uint32_t nesting)
{
    iri_str inside = {text.at + open + 1, close - open - 1};
    size_t end = next_outside(inside, 0, COMMA), from = 0;
    iri_buf_bytes(out, text.at, open + 1);
    if (end == inside.size && shape_of(inside).row < 0) {
        wrap(out, inside, indent, column + open + 1, nesting);
        iri_buf_bytes(out, text.at + close, text.size - close);
        return;
    }
    for (;; end = next_outside(inside, from, COMMA)) {
        new_line(out, indent + STEP);
        wrap(out, (iri_str){inside.at + from, end - from}, indent + STEP, indent + STEP, nesting);
        if (end == inside.size)
            break;
        iri_buf_char(out, ',');
        from = end + 2;
    }
    new_line(out, indent);
    iri_buf_bytes(out, text.at + close, text.size - close);
}

/* `column` is where the text begins on its line. */
static void wrap(iri_buf *out, iri_str text, uint32_t indent, size_t column, uint32_t depth)
{
    if (column + text.size <= WIDTH || depth == 0) {
        iri_buf_put(out, text);
        return;
    }
    shape s = shape_of(text);
    if (s.row >= 0)
        wrap_chain(out, text, s.row, indent, column, depth - 1);
    else if (s.open && s.close > s.open && text.size - s.close <= SWIZZLE_MAX)
        wrap_call(out, text, s.open, s.close, indent, column, depth - 1);
    else
        iri_buf_put(out, text);
}

void iri_wgsl_put_wrapped(iri_buf *out, iri_str text, uint32_t indent, size_t column)
{
    wrap(out, text, indent, column, DEPTH_MAX);
}
