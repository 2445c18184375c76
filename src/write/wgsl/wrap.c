/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Breaks long lines: a call's arguments go one a line, a chain of operators one operand a line. Only
 * white space is added, so it cannot change what a text means.
 */
#include "write/wgsl/wgsl.h"

enum { WIDTH = 100, STEP = 4, DEPTH_MAX = 24 };

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

static int step_depth(char c)
{
    return c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
}

/* The loosest operators outside of all brackets; -1 when there are none. */
static int loosest(iri_str text)
{
    const char *end = text.at + text.size;
    int best = -1, depth = 0;
    size_t size;
    for (const char *at = text.at; at < end; at++) {
        if (*at != ' ') {
            depth += step_depth(*at);
        } else if (depth == 0) {
            int row = row_at(at + 1, end, &size);
            if (row >= 0 && (best < 0 || row < best))
                best = row;
        }
    }
    return best;
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
    int depth = 0;
    size_t from = 0, size;
    size_t at = column;
    for (size_t i = 0; i < text.size; i++) {
        depth += step_depth(text.at[i]);
        if (depth != 0 || text.at[i] != ' ' ||
            row_at(text.at + i + 1, text.at + text.size, &size) != row)
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

/* Where the bracket that ends `text` (but for a swizzle) begins; 0 when it is no call. */
static size_t call_open(iri_str text, size_t *close)
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

static void wrap_call(iri_buf *out, iri_str text, size_t open, size_t close, uint32_t indent,
                      uint32_t column, uint32_t nesting)
{
    int depth = 0;
    size_t from = open + 1, count = 1;
    for (size_t i = from; i < close; i++) {
        depth += step_depth(text.at[i]);
        count += depth == 0 && text.at[i] == ',';
    }
    iri_buf_bytes(out, text.at, open + 1);
    if (count == 1 && loosest((iri_str){text.at + from, close - from}) < 0) {
        wrap(out, (iri_str){text.at + from, close - from}, indent, column + open + 1, nesting);
        iri_buf_bytes(out, text.at + close, text.size - close);
        return;
    }
    for (size_t i = from; i <= close; i++) {
        depth += step_depth(text.at[i]);
        if (i < close && (depth != 0 || text.at[i] != ','))
            continue;
        new_line(out, indent + STEP);
        wrap(out, (iri_str){text.at + from, i - from}, indent + STEP, indent + STEP, nesting);
        if (i < close)
            iri_buf_char(out, ',');
        from = i + 2;
    }
    new_line(out, indent);
    iri_buf_bytes(out, text.at + close, text.size - close);
}

/* `column` is where the text begins on its line. */
static void wrap(iri_buf *out, iri_str text, uint32_t indent, size_t column, uint32_t depth)
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

void iri_wgsl_put_wrapped(iri_buf *out, iri_str text, uint32_t indent, size_t column)
{
    wrap(out, text, indent, column, DEPTH_MAX);
}
