/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading JSON as RFC 8259 has it: nothing more is taken, a key given twice is a fault, and nesting is
 * bounded.
 */
#include "jsonread.h"
#include "cli.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 32 };

typedef struct reader {
    const char *at, *end; /* the text is NUL-terminated */
    uint32_t line, depth;
    const char *problem;
} reader;

static bool fail(reader *r, const char *problem)
{
    if (!r->problem)
        r->problem = problem;
    return false;
}

static void skip_space(reader *r)
{
    for (; *r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n'; r->at++)
        r->line += *r->at == '\n';
}

static bool take(reader *r, char byte)
{
    skip_space(r);
    if (*r->at != byte)
        return false;
    r->at++;
    return true;
}

/* ---- strings ---- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool read_hex4(reader *r, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        int digit = hex_digit(*r->at);
        if (digit < 0)
            return fail(r, "\\u takes four hexadecimal digits");
        *out = *out << 4 | (uint32_t)digit;
    }
    return true;
}

static char *put_utf8(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

/* After "\u": a character, or the two halves of one. */
static bool read_escaped_code(reader *r, char **to)
{
    uint32_t code, low;
    if (!read_hex4(r, &code))
        return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (r->at[0] != '\\' || r->at[1] != 'u')
            return fail(r, "half a surrogate pair");
        r->at += 2;
        if (!read_hex4(r, &low))
            return false;
        if (low < 0xdc00 || low > 0xdfff)
            return fail(r, "half a surrogate pair");
        code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
    } else if (code >= 0xdc00 && code < 0xe000) {
        return fail(r, "half a surrogate pair");
    }
    if (!code)
        return fail(r, "a NUL in a string");
    *to = put_utf8(*to, code);
    return true;
}

static bool read_escape(reader *r, char **to)
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char c = *r->at;
    const char *found = c ? strchr(escapes, c) : NULL;
    if (c == 'u') {
        r->at++;
        return read_escaped_code(r, to);
    }
    if (!found)
        return fail(r, "no such escape in a string");
    *(*to)++ = meant[found - escapes];
    r->at++;
    return true;
}

/* The opening quote is read. What is written is never longer than what is read. */
static bool read_string(reader *r, char **out)
{
    const char *close = r->at;
    while (close < r->end && *close != '"')
        close += *close == '\\' && close + 1 < r->end ? 2 : 1;
    char *to = *out = cli_alloc((size_t)(close - r->at) + 1);
    while (r->at < r->end && *r->at != '"') {
        if ((unsigned char)*r->at < 0x20)
            return fail(r, "a control character in a string");
        if (*r->at != '\\') {
            *to++ = *r->at++;
            continue;
        }
        r->at++;
        if (!read_escape(r, &to))
            return false;
    }
    if (r->at >= r->end)
        return fail(r, "a string without an end");
    r->at++;
    return true;
}

/* ---- values ---- */

static bool read_value(reader *r, jsonread_value *out);

static const char *skip_digits(const char *s)
{
    while (*s >= '0' && *s <= '9')
        s++;
    return s;
}

static bool read_number(reader *r, jsonread_value *out)
{
    const char *s = r->at + (*r->at == '-'), *digits = s;
    s = skip_digits(s);
    if (s == digits || (*digits == '0' && s > digits + 1))
        return fail(r, "a value expected");
    if (*s == '.') {
        digits = ++s;
        s = skip_digits(s);
        if (s == digits)
            return fail(r, "digits expected behind the point");
    }
    if (*s == 'e' || *s == 'E') {
        s += s[1] == '+' || s[1] == '-' ? 2 : 1;
        digits = s;
        s = skip_digits(s);
        if (s == digits)
            return fail(r, "digits expected in the exponent");
    }
    out->kind = JSONREAD_NUMBER;
    out->number = strtod(r->at, NULL); /* no locale is set: the point is a point */
    r->at = s;
    return true;
}

static jsonread_value *add_item(jsonread_value *list)
{
    if ((list->count & (list->count - 1)) == 0)
        list->items =
            cli_realloc(list->items, (list->count ? list->count * 2 : 1) * sizeof *list->items);
    list->items[list->count] = (jsonread_value){0};
    return &list->items[list->count++];
}

static bool read_member(reader *r, jsonread_value *object)
{
    char *key = NULL;
    if (!take(r, '"'))
        return fail(r, "a key in quotes expected");
    bool ok = read_string(r, &key);
    for (size_t i = 0; ok && i < object->count; i++)
        if (!strcmp(object->items[i].key, key))
            ok = fail(r, "a key given twice");
    if (!ok) {
        free(key);
        return false;
    }
    jsonread_value *item = add_item(object);
    item->key = key;
    if (!take(r, ':'))
        return fail(r, "':' expected behind a key");
    return read_value(r, item);
}

static bool read_list(reader *r, jsonread_value *out, char close)
{
    bool ok = true;
    if (++r->depth > MAX_DEPTH)
        return fail(r, "nested deeper than 32 levels");
    out->kind = close == '}' ? JSONREAD_OBJECT : JSONREAD_ARRAY;
    if (!take(r, close)) {
        do {
            ok = close == '}' ? read_member(r, out) : read_value(r, add_item(out));
        } while (ok && take(r, ','));
        if (ok && !take(r, close))
            ok = fail(r, close == '}' ? "',' or '}' expected" : "',' or ']' expected");
    }
    r->depth--;
    return ok;
}

static bool read_word(reader *r, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
        return false;
    r->at += size;
    return true;
}

static bool read_value(reader *r, jsonread_value *out)
{
    char *key = out->key;
    skip_space(r);
    *out = (jsonread_value){.line = r->line, .key = key};
    if (take(r, '{'))
        return read_list(r, out, '}');
    if (take(r, '['))
        return read_list(r, out, ']');
    if (take(r, '"')) {
        out->kind = JSONREAD_STRING;
        return read_string(r, &out->string);
    }
    if (read_word(r, "null"))
        return true;
    if ((out->number = read_word(r, "true")) != 0 || read_word(r, "false")) {
        out->kind = JSONREAD_BOOL;
        return true;
    }
    return read_number(r, out);
}

bool jsonread_parse(const char *text, size_t size, jsonread_value *out, const char **problem,
                    uint32_t *line)
{
    char *copy = cli_alloc(size + 1);
    memcpy(copy, text, size);
    reader r = {.at = copy, .end = copy + size, .line = 1};
    *out = (jsonread_value){0};
    bool ok = read_value(&r, out);
    skip_space(&r);
    if (ok && r.at < r.end)
        ok = fail(&r, "something behind the end");
    *problem = r.problem;
    *line = r.line;
    free(copy);
    if (!ok)
        jsonread_free(out);
    return ok;
}

void jsonread_free(jsonread_value *value)
{
    for (size_t i = 0; i < value->count; i++)
        jsonread_free(&value->items[i]);
    free(value->items);
    free(value->string);
    free(value->key);
    *value = (jsonread_value){0};
}
