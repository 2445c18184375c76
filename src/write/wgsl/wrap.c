/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Breaks long lines: a call's arguments go one a line, a chain of operators one operand a line. Only
 * white space is added, so it cannot change what a text means.
 */
#include "write/wgsl/wgsl.h"

#include <string.h>

enum { WIDTH = 100, STEP = 4, DEPTH_MAX = 24 };

typedef struct span {
    const char *at;
    size_t size;
} span;

static void wrap(iri_buf *out, span text, uint32_t indent, uint32_t column, uint32_t depth);

/* Operators between spaces, those that bind loosest first; a row binds alike. */
static const char *const operators[][6] = {
    {"||"}, {"&&"}, {"<", "<=", ">", ">=", "==", "!="}, {"|", "&", "^"}, {"+", "-"}, {"*", "/"},
};

/* The row of the operator that begins after the space at `text[i]`, its length in `*size`. */
static int row_at(span text, size_t i, size_t *size)
{
    size_t end = i + 1;
    while (end < text.size && text.at[end] != ' ')
        end++;
    *size = end - i - 1;
    if (text.at[i] != ' ' || end >= text.size || *size == 0 || *size > 2)
        return -1;
    for (int row = 0; row < (int)(sizeof operators / sizeof *operators); row++)
        for (int k = 0; k < 6 && operators[row][k]; k++)
            if (strlen(operators[row][k]) == *size &&
                memcmp(operators[row][k], text.at + i + 1, *size) == 0)
                return row;
    return -1;
}

static int step_depth(char c)
{
    return c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
}

/* The loosest operators outside of all brackets; -1 when there are none. */
static int loosest(span text)
{
    int best = -1, depth = 0;
    size_t size;
    for (size_t i = 0; i < text.size; i++) {
        depth += step_depth(text.at[i]);
        int row = depth == 0 ? row_at(text, i, &size) : -1;
        if (row >= 0 && (best < 0 || row < best))
            best = row;
    }
    return best;
}

static void new_line(iri_buf *out, uint32_t indent)
{
    iri_buf_char(out, '\n');
    iri_buf_indent(out, indent);
}

/* Operands of the loosest operators, one a line. */
static void wrap_chain(iri_buf *out, span text, int row, uint32_t indent, uint32_t column,
                       uint32_t nesting)
{
    int depth = 0;
    size_t from = 0, size;
    uint32_t at = column;
    for (size_t i = 0; i < text.size; i++) {
        depth += step_depth(text.at[i]);
        if (depth != 0 || row_at(text, i, &size) != row)
            continue;
        wrap(out, (span){text.at + from, i - from}, indent + STEP, at, nesting);
        new_line(out, indent + STEP);
        iri_buf_bytes(out, text.at + i + 1, size + 1);
        at = indent + STEP + (uint32_t)size + 1;
        from = i + size + 2;
        i = from - 1;
    }
    wrap(out, (span){text.at + from, text.size - from}, indent + STEP, at, nesting);
}

/* Where the bracket that ends `text` (but for a swizzle) begins; 0 when it is no call. */
static size_t call_open(span text, size_t *close)
{
    int depth = 0;
    size_t open = 0;
    *close = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.at[i] == '(' && depth == 0)
            open = i;
        depth += step_depth(text.at[i]);
        if (text.at[i] == ')' && depth == 0)
            *close = i;
    }
    return *close > open && text.size - *close <= 6 ? open : 0;
}

static void wrap_call(iri_buf *out, span text, size_t open, size_t close, uint32_t indent,
                      uint32_t column, uint32_t nesting)
{
    int depth = 0;
    size_t from = open + 1, count = 1;
    for (size_t i = from; i < close; i++) {
        depth += step_depth(text.at[i]);
        count += depth == 0 && text.at[i] == ',';
    }
    iri_buf_bytes(out, text.at, open + 1);
    if (count == 1 && loosest((span){text.at + from, close - from}) < 0) {
        wrap(out, (span){text.at + from, close - from}, indent, column + (uint32_t)open + 1,
             nesting);
        iri_buf_bytes(out, text.at + close, text.size - close);
        return;
    }
    for (size_t i = from; i <= close; i++) {
        depth += step_depth(text.at[i]);
        if (i < close && (depth != 0 || text.at[i] != ','))
            continue;
        new_line(out, indent + STEP);
        wrap(out, (span){text.at + from, i - from}, indent + STEP, indent + STEP, nesting);
        if (i < close)
            iri_buf_char(out, ',');
        from = i + 2;
    }
    new_line(out, indent);
    iri_buf_bytes(out, text.at + close, text.size - close);
}

/* `column` is where the text begins on its line. */
static void wrap(iri_buf *out, span text, uint32_t indent, uint32_t column, uint32_t depth)
{
    size_t close;
    if (column + text.size <= WIDTH || depth == 0) {
        iri_buf_bytes(out, text.at, text.size);
        return;
    }
    int row = loosest(text);
    if (row >= 0) {
        wrap_chain(out, text, row, indent, column, depth - 1);
        return;
    }
    size_t open = call_open(text, &close);
    if (open)
        wrap_call(out, text, open, close, indent, column, depth - 1);
    else
        iri_buf_bytes(out, text.at, text.size);
}

void iri_wgsl_put_line(iri_buf *out, const char *text, uint32_t indent)
{
    size_t size = strlen(text), head = 0;
    /* What is assigned or returned; `=` stands nowhere before it. */
    const char *equals = strstr(text, " = ");
    if (equals)
        head = (size_t)(equals - text) + 3;
    else if (strncmp(text, "return ", 7) == 0)
        head = 7;
    iri_buf_bytes(out, text, head);
    wrap(out, (span){text + head, size - head}, indent, indent + (uint32_t)head, DEPTH_MAX);
}
