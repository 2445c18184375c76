/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tokens, names, types and literals of the text form.
 */
#include "ir/parse.h"

#include "base/number.h"

#include <stdio.h>

void iri_parse_fail(iri_parser *ps, const iri_token *where, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    iri_fail_at(ps->ctx, IRI_INVALID_TEXT, where->line, where->column, "%s", text);
}

void iri_parse_check(iri_parser *ps, const iri_token *where)
{
    const char *fault = iri_builder_fault(ps->b, NULL);
    if (fault)
        iri_parse_fail(ps, where, "%s", fault);
}

static _Noreturn void expected(iri_parser *ps, const char *what)
{
    const iri_token *token = &ps->token;
    uint32_t size = token->size < 40 ? token->size : 40;
    if (token->kind == IRI_TOKEN_END)
        iri_parse_fail(ps, token, "%s expected, but the text ends", what);
    iri_parse_fail(ps, token, "%s expected, not '%.*s'", what, (int)size, token->at);
}

/* ---- tokens ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_space(iri_parser *ps)
{
    for (; ps->at < ps->end; ps->at++) {
        char c = *ps->at;
        if (c == '\n') {
            ps->line++;
            ps->line_start = ps->at + 1;
        } else if (c == '/' && ps->end - ps->at > 1 && ps->at[1] == '/') {
            while (ps->at + 1 < ps->end && ps->at[1] != '\n')
                ps->at++;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

static const char *skip_number(const char *at, const char *end)
{
    bool hex = end - at > 1 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    for (; at < end; at++) {
        bool exponent = !hex && (*at == 'e' || *at == 'E') && end - at > 2 &&
                        (at[1] == '-' || at[1] == '+') && is_digit(at[2]);
        bool point = *at == '.' && end - at > 1 && is_digit(at[1]);
        if (exponent)
            at++;
        else if (!is_digit(*at) && !is_letter(*at) && !point)
            break;
    }
    return at;
}

static const char *skip_string(iri_parser *ps, const char *at)
{
    for (at++; at < ps->end && *at != '"' && *at != '\n'; at++)
        if (*at == '\\' && ps->end - at > 1)
            at++;
    if (at >= ps->end || *at != '"')
        iri_parse_fail(ps, &ps->token, "the string does not end on its line");
    return at + 1;
}

void iri_next(iri_parser *ps)
{
    const char *before = ps->at;
    skip_space(ps);
    const char *at = ps->at, *end = ps->end;
    iri_token *token = &ps->token;
    token->spaced = at != before;
    token->at = at;
    token->line = ps->line;
    token->column = (uint32_t)(at - ps->line_start) + 1;
    if (at == end) {
        token->kind = IRI_TOKEN_END;
    } else if (is_letter(*at)) {
        token->kind = IRI_TOKEN_WORD;
        while (at < end && (is_letter(*at) || is_digit(*at)))
            at++;
    } else if (is_digit(*at)) {
        token->kind = IRI_TOKEN_NUMBER;
        at = skip_number(at, end);
    } else if (*at == '"') {
        token->kind = IRI_TOKEN_STRING;
        at = skip_string(ps, at);
    } else if (*at == '%' && end - at > 1 && is_digit(at[1])) {
        token->kind = IRI_TOKEN_VALUE;
        for (at++; at < end && is_digit(*at);)
            at++;
    } else {
        token->kind = IRI_TOKEN_MARK;
        at++;
    }
    token->size = (uint32_t)(at - token->at);
    ps->at = at;
}

bool iri_is_mark(const iri_parser *ps, char c)
{
    return ps->token.kind == IRI_TOKEN_MARK && *ps->token.at == c;
}

bool iri_accept_mark(iri_parser *ps, char c)
{
    bool is = iri_is_mark(ps, c);
    if (is)
        iri_next(ps);
    return is;
}

void iri_expect_mark(iri_parser *ps, char c)
{
    char what[4] = {'\'', c, '\'', 0};
    if (!iri_accept_mark(ps, c))
        expected(ps, what);
}

bool iri_is_word(const iri_parser *ps, const char *word)
{
    size_t size = strlen(word);
    return ps->token.kind == IRI_TOKEN_WORD && ps->token.size == size &&
           !memcmp(ps->token.at, word, size);
}

bool iri_accept_word(iri_parser *ps, const char *word)
{
    bool is = iri_is_word(ps, word);
    if (is)
        iri_next(ps);
    return is;
}

void iri_expect_word(iri_parser *ps, const char *word)
{
    if (!iri_accept_word(ps, word))
        expected(ps, word);
}

/* ---- numbers and names ---- */

static uint32_t digit_value(char c)
{
    if (is_digit(c))
        return (uint32_t)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (uint32_t)(c - 'a') + 10;
    return c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10 : 99;
}

/* All of [at, end) as a decimal or 0x number; false when it is none or exceeds `most`. */
static bool read_integer(const char *at, const char *end, uint64_t most, uint64_t *out)
{
    uint32_t base = 10;
    uint64_t value = 0;
    if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        base = 16;
        at += 2;
    }
    if (at == end)
        return false;
    for (; at < end; at++) {
        uint32_t digit = digit_value(*at);
        if (digit >= base || value > (UINT64_MAX - digit) / base)
            return false;
        value = value * base + digit;
    }
    *out = value;
    return value <= most;
}

uint32_t iri_take_number(iri_parser *ps, uint32_t most)
{
    uint64_t value = 0;
    const iri_token *token = &ps->token;
    if (token->kind != IRI_TOKEN_NUMBER)
        expected(ps, "a number");
    if (!read_integer(token->at, token->at + token->size, most, &value))
        iri_parse_fail(ps, token, "'%.*s' is no whole number up to %lu",
                       (int)(token->size < 40 ? token->size : 40), token->at, (unsigned long)most);
    iri_next(ps);
    return (uint32_t)value;
}

uint32_t iri_take_value_number(iri_parser *ps)
{
    uint64_t value = 0;
    if (ps->token.kind != IRI_TOKEN_VALUE)
        expected(ps, "a value");
    if (!read_integer(ps->token.at + 1, ps->token.at + ps->token.size, UINT32_MAX - 1, &value))
        iri_parse_fail(ps, &ps->token, "the value's number is too large");
    iri_next(ps);
    return (uint32_t)value;
}

const char *iri_take_string(iri_parser *ps)
{
    if (ps->token.kind != IRI_TOKEN_STRING)
        expected(ps, "a string");
    const char *at = ps->token.at + 1, *end = ps->token.at + ps->token.size - 1;
    char *text = iri_new_array(ps->scratch, char, ps->token.size), *to = text;
    while (at < end) {
        char c = *at++;
        if (c == '\\') {
            c = *at++;
            if (c == 'x' && end - at >= 2 && digit_value(at[0]) < 16 && digit_value(at[1]) < 16) {
                c = (char)(digit_value(at[0]) * 16 + digit_value(at[1]));
                at += 2;
            } else if (c != '"' && c != '\\') {
                iri_parse_fail(ps, &ps->token, "escapes are \\\\, \\\" and \\x with two digits");
            }
        }
        if (!c)
            iri_parse_fail(ps, &ps->token, "a name cannot hold a zero byte");
        *to++ = c;
    }
    *to = 0;
    iri_next(ps);
    return text;
}

bool iri_is_name(const iri_parser *ps)
{
    return ps->token.kind == IRI_TOKEN_WORD || ps->token.kind == IRI_TOKEN_STRING;
}

const char *iri_take_name(iri_parser *ps)
{
    if (ps->token.kind == IRI_TOKEN_STRING)
        return iri_take_string(ps);
    if (ps->token.kind != IRI_TOKEN_WORD)
        expected(ps, "a name");
    const char *name = iri_arena_copy_text(ps->scratch, ps->token.at, ps->token.size);
    iri_next(ps);
    return name;
}

uint32_t iri_take_word(iri_parser *ps, iri_vocabulary vocabulary, const char *what)
{
    uint32_t value;
    /* "2d" is a number to the lexer. */
    bool may = ps->token.kind == IRI_TOKEN_WORD || ps->token.kind == IRI_TOKEN_NUMBER;
    if (!may || !iri_word_value(vocabulary, ps->token.at, ps->token.size, &value))
        expected(ps, what);
    iri_next(ps);
    return value;
}

/* "vec4" with the given word before the digit: the digit, or 0. */
static uint32_t word_with_lanes(const iri_token *token, const char *word, uint32_t least)
{
    size_t size = strlen(word);
    if (token->kind != IRI_TOKEN_WORD || token->size != size + 1 || memcmp(token->at, word, size))
        return 0;
    uint32_t lanes = digit_value(token->at[size]);
    return lanes >= least && lanes <= 4 ? lanes : 0;
}

iri_type iri_take_type(iri_parser *ps)
{
    uint32_t lanes = word_with_lanes(&ps->token, "vec", 2);
    if (lanes) {
        iri_next(ps);
        iri_expect_mark(ps, '<');
    }
    iri_token where = ps->token;
    uint32_t scalar = iri_take_word(ps, IRI_WORDS_SCALAR, "a type");
    if (scalar == IRI_VOID)
        iri_parse_fail(ps, &where, "nothing is of type void");
    if (lanes)
        iri_expect_mark(ps, '>');
    return IRI_TYPE(scalar, lanes ? lanes : 1);
}

iri_lanes iri_take_lanes(iri_parser *ps)
{
    iri_lanes lanes = 0;
    iri_expect_mark(ps, '.');
    const iri_token *token = &ps->token;
    if (token->kind != IRI_TOKEN_WORD || token->size > 4 || token->spaced)
        expected(ps, "lanes such as .xyz");
    for (uint32_t i = 0; i < token->size; i++) {
        char c = token->at[i];
        if (c < 'w' || c > 'z')
            expected(ps, "lanes such as .xyz");
        lanes |= (iri_lanes)(c == 'w' ? 3 : c - 'x') << (2 * i);
    }
    lanes |= (token->size - 1) << 8;
    iri_next(ps);
    return lanes;
}

/* ---- literals ---- */

static const struct {
    const char *suffix;
    iri_scalar scalar;
} suffixes[] = {
    {"i16", IRI_I16}, {"u16", IRI_U16}, {"i64", IRI_I64}, {"u64", IRI_U64},
    {"i", IRI_I32},   {"u", IRI_U32},   {"h", IRI_F16},   {"d", IRI_F64},
};
/* nan(0x7fc00000), infh ... */
static const struct {
    const char *word;
    iri_scalar scalar;
    bool nan;
    uint64_t bits;
} specials[] = {
    {"inf", IRI_F32, false, 0x7f800000},
    {"infh", IRI_F16, false, 0x7c00},
    {"infd", IRI_F64, false, UINT64_C(0x7ff0000000000000)},
    {"nan", IRI_F32, true, 0x7f800000},
    {"nanh", IRI_F16, true, 0x7c00},
    {"nand", IRI_F64, true, UINT64_C(0x7ff0000000000000)},
};
enum { SPECIALS = sizeof specials / sizeof *specials };

static uint32_t find_special(const iri_parser *ps)
{
    uint32_t i = 0;
    while (i < SPECIALS && !iri_is_word(ps, specials[i].word))
        i++;
    return i;
}

bool iri_is_literal(const iri_parser *ps)
{
    return ps->token.kind == IRI_TOKEN_NUMBER || iri_is_mark(ps, '-') || iri_is_word(ps, "true") ||
           iri_is_word(ps, "false") || find_special(ps) < SPECIALS ||
           word_with_lanes(&ps->token, "vec", 2) || word_with_lanes(&ps->token, "splat", 2);
}

static uint64_t mask_of(iri_scalar scalar)
{
    uint32_t bits = iri_scalar_bits(scalar);
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static uint64_t take_special(iri_parser *ps, uint32_t special, bool negative, iri_scalar *scalar)
{
    iri_token where = ps->token;
    uint64_t infinity = specials[special].bits, bits = infinity;
    *scalar = specials[special].scalar;
    iri_next(ps);
    if (!specials[special].nan)
        return negative ? bits | (mask_of(*scalar) ^ mask_of(*scalar) >> 1) : bits;
    iri_expect_mark(ps, '(');
    const iri_token *token = &ps->token;
    if (negative || token->kind != IRI_TOKEN_NUMBER ||
        !read_integer(token->at, token->at + token->size, mask_of(*scalar), &bits) ||
        (bits & infinity) != infinity || !(bits & (mask_of(*scalar) >> 1) & ~infinity))
        iri_parse_fail(ps, &where, "nan takes the bits of a NaN of its width, sign included");
    iri_next(ps);
    iri_expect_mark(ps, ')');
    return bits;
}

static uint64_t read_float(iri_parser *ps, const iri_token *token, const char *end, bool negative,
                           iri_scalar scalar)
{
    uint16_t f16 = 0;
    uint32_t f32 = 0;
    uint64_t f64 = 0, sign = mask_of(scalar) ^ mask_of(scalar) >> 1;
    size_t read = scalar == IRI_F16   ? iri_parse_f16(token->at, end, &f16)
                  : scalar == IRI_F32 ? iri_parse_f32(token->at, end, &f32)
                                      : iri_parse_f64(token->at, end, &f64);
    uint64_t bits = scalar == IRI_F16 ? f16 : scalar == IRI_F32 ? f32 : f64;
    uint32_t fraction = scalar == IRI_F16 ? 10 : scalar == IRI_F32 ? 23 : 52;
    if (read != (size_t)(end - token->at))
        iri_parse_fail(ps, token, "not a number");
    if (bits >> fraction == (sign - 1) >> fraction)
        iri_parse_fail(ps, token, "too large for its type; infinity is spelled inf");
    return negative ? bits | sign : bits;
}

static uint64_t take_lane(iri_parser *ps, iri_scalar *scalar)
{
    iri_token where = ps->token;
    bool negative = iri_accept_mark(ps, '-');
    uint32_t special = find_special(ps);
    if (special < SPECIALS)
        return take_special(ps, special, negative, scalar);
    if (!negative && (iri_is_word(ps, "true") || iri_is_word(ps, "false"))) {
        uint64_t bits = iri_is_word(ps, "true");
        *scalar = IRI_BOOL;
        iri_next(ps);
        return bits;
    }
    iri_token token = ps->token;
    if (token.kind != IRI_TOKEN_NUMBER)
        expected(ps, "a literal");
    const char *end = token.at + token.size;
    *scalar = IRI_VOID;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && *scalar == IRI_VOID; i++) {
        size_t size = strlen(suffixes[i].suffix);
        bool hex = token.size > 1 && token.at[1] == 'x' && suffixes[i].scalar == IRI_F64;
        if (!hex && token.size > size && !memcmp(end - size, suffixes[i].suffix, size)) {
            *scalar = suffixes[i].scalar;
            end -= size;
        }
    }
    iri_next(ps);
    if (*scalar == IRI_VOID) {
        bool is_float = memchr(token.at, '.', token.size) || memchr(token.at, 'e', token.size) ||
                        memchr(token.at, 'E', token.size);
        if (!is_float)
            iri_parse_fail(ps, &where,
                           "a literal is typed: 1.0, 1i, 1u, 1.0h, 1.0d, 1i16, 1u16, 1i64, 1u64");
        *scalar = IRI_F32;
    }
    if (*scalar == IRI_F16 || *scalar == IRI_F32 || *scalar == IRI_F64)
        return read_float(ps, &token, end, negative, *scalar);
    bool is_signed = *scalar == IRI_I16 || *scalar == IRI_I32 || *scalar == IRI_I64;
    uint64_t bits, most = is_signed  ? (mask_of(*scalar) >> 1) + negative
                          : negative ? 0
                                     : mask_of(*scalar);
    if (!read_integer(token.at, end, most, &bits))
        iri_parse_fail(ps, &where, "not a whole number in the range of its type");
    return (negative ? 0 - bits : bits) & mask_of(*scalar);
}

iri_type iri_take_literal(iri_parser *ps, uint64_t lanes[4])
{
    uint32_t splat = word_with_lanes(&ps->token, "splat", 2),
             count = word_with_lanes(&ps->token, "vec", 2);
    iri_scalar scalar, other;
    memset(lanes, 0, 4 * sizeof *lanes);
    if (!splat && !count) {
        lanes[0] = take_lane(ps, &scalar);
        return IRI_TYPE(scalar, 1);
    }
    iri_next(ps);
    iri_expect_mark(ps, '(');
    lanes[0] = take_lane(ps, &scalar);
    for (uint32_t i = 1; i < splat; i++)
        lanes[i] = lanes[0];
    for (uint32_t i = 1; i < count; i++) {
        iri_expect_mark(ps, ',');
        iri_token where = ps->token;
        lanes[i] = take_lane(ps, &other);
        if (other != scalar)
            iri_parse_fail(ps, &where, "the lanes of a literal have one type");
    }
    iri_expect_mark(ps, ')');
    return IRI_TYPE(scalar, splat ? splat : count);
}
