/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The assembler's scanner: words, numbers, blanks and comments.
 */
#include "read/d3d9/asm_internal.h"

#include "base/number.h"

#include <string.h>

iri_d3d9_word iri_d3d9_here(const iri_d3d9_asm *a)
{
    return (iri_d3d9_word){a->at, 0, a->line, (uint32_t)(a->at - a->line_begin) + 1};
}

static bool starts(const iri_d3d9_asm *a, const char *text)
{
    size_t size = strlen(text);
    return (size_t)(a->end - a->at) >= size && memcmp(a->at, text, size) == 0;
}

static void pass_newline(iri_d3d9_asm *a)
{
    a->at++;
    a->line++;
    a->line_begin = a->at;
}

static void skip_to_newline(iri_d3d9_asm *a)
{
    const char *newline = memchr(a->at, '\n', (size_t)(a->end - a->at));
    a->at = newline ? newline : a->end;
}

static void skip_block_comment(iri_d3d9_asm *a)
{
    iri_d3d9_word begin = iri_d3d9_here(a);
    for (a->at += 2; !starts(a, "*/");) {
        if (a->at == a->end)
            iri_d3d9_asm_fail(a, &begin, "the comment has no end");
        if (*a->at == '\n')
            pass_newline(a);
        else
            a->at++;
    }
    a->at += 2;
}

void iri_d3d9_skip_blanks(iri_d3d9_asm *a)
{
    while (a->at < a->end) {
        if (*a->at == ' ' || *a->at == '\t' || *a->at == '\r' || *a->at == '\f')
            a->at++;
        else if (*a->at == ';' || (starts(a, "//") && !starts(a, "//!")))
            skip_to_newline(a);
        else if (starts(a, "/*"))
            skip_block_comment(a);
        else
            return;
    }
}

bool iri_d3d9_at_line_end(iri_d3d9_asm *a)
{
    iri_d3d9_skip_blanks(a);
    return a->at == a->end || *a->at == '\n';
}

void iri_d3d9_skip_line(iri_d3d9_asm *a)
{
    skip_to_newline(a);
    if (a->at < a->end)
        pass_newline(a);
}

bool iri_d3d9_accept(iri_d3d9_asm *a, char c)
{
    iri_d3d9_skip_blanks(a);
    if (a->at == a->end || *a->at != c)
        return false;
    a->at++;
    return true;
}

void iri_d3d9_expect(iri_d3d9_asm *a, char c, const char *what)
{
    if (!iri_d3d9_accept(a, c)) {
        iri_d3d9_word here = iri_d3d9_here(a);
        iri_d3d9_asm_fail(a, &here, "'%c' must stand here, %s", c, what);
    }
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

iri_d3d9_word iri_d3d9_take_word(iri_d3d9_asm *a, const char *more)
{
    iri_d3d9_skip_blanks(a);
    iri_d3d9_word word = iri_d3d9_here(a);
    while (a->at < a->end && (is_word(*a->at) || (*a->at && strchr(more, *a->at))))
        a->at++;
    word.size = (uint32_t)(a->at - word.text);
    return word;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool iri_d3d9_word_is(const iri_d3d9_word *word, const char *name)
{
    uint32_t i = 0;
    while (i < word->size && name[i] && lower(word->text[i]) == lower(name[i]))
        i++;
    return i == word->size && !name[i];
}

bool iri_d3d9_digits(const char **at, const char *end, uint32_t *value)
{
    const char *begin = *at;
    uint64_t sum = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++) {
        sum = sum * 10 + (uint64_t)(**at - '0');
        if (sum > UINT32_MAX)
            return false;
    }
    *value = (uint32_t)sum;
    return *at != begin;
}

static int hex_digit(char c)
{
    c = lower(c);
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

uint32_t iri_d3d9_take_int(iri_d3d9_asm *a)
{
    bool negative = iri_d3d9_accept(a, '-'), hex = false, good;
    uint32_t value = 0, digits = 0;
    iri_d3d9_skip_blanks(a);
    iri_d3d9_word here = iri_d3d9_here(a);
    if (starts(a, "0x") || starts(a, "0X")) {
        hex = true;
        for (a->at += 2; a->at < a->end && hex_digit(*a->at) >= 0 && digits < 9; digits++)
            value = value << 4 | (uint32_t)hex_digit(*a->at++);
        good = digits > 0 && digits < 9;
    } else {
        good = iri_d3d9_digits(&a->at, a->end, &value);
    }
    if (good && !hex && value > (negative ? 0x80000000u : 0x7fffffffu))
        good = false;
    if (!good || (a->at < a->end && is_word(*a->at)))
        iri_d3d9_asm_fail(a, &here, "a 32-bit integer must stand here");
    return negative ? 0u - value : value;
}

/* What Microsoft's C library printed for what is no number; the sign stands before it. */
static bool take_special(iri_d3d9_asm *a, uint32_t *bits)
{
    static const struct {
        const char *text;
        uint32_t bits;
    } words[] = {{"1.#INF", 0x7f800000},
                 {"1.#IND", 0x7fc00000},
                 {"1.#QNAN", 0x7fc00000},
                 {"1.#SNAN", 0x7f800001}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (starts(a, words[i].text)) {
            a->at += strlen(words[i].text);
            *bits = words[i].bits;
            return true;
        }
    }
    return false;
}

uint32_t iri_d3d9_take_float(iri_d3d9_asm *a)
{
    bool negative = iri_d3d9_accept(a, '-');
    uint32_t bits = 0;
    if (!negative)
        iri_d3d9_accept(a, '+');
    iri_d3d9_skip_blanks(a);
    iri_d3d9_word here = iri_d3d9_here(a);
    if (starts(a, "0x") || starts(a, "0X")) {
        bits = iri_f32_bits((float)(int32_t)iri_d3d9_take_int(a));
    } else if (!take_special(a, &bits)) {
        size_t size = here.text < a->end && *here.text != '-' && *here.text != '+'
                          ? iri_parse_f32(here.text, a->end, &bits)
                          : 0;
        if (!size)
            iri_d3d9_asm_fail(a, &here, "a number must stand here");
        a->at += size;
        if (a->at < a->end && (*a->at == 'f' || *a->at == 'F'))
            a->at++;
    }
    if (a->at < a->end && is_word(*a->at))
        iri_d3d9_asm_fail(a, &here, "this is no number");
    /* The negative one without a payload has the name -1.#IND. */
    if (negative && bits == 0x7fc00000 && here.text[3] == 'Q')
        bits++;
    return bits | (negative ? 0x80000000u : 0);
}

uint32_t iri_d3d9_take_bool(iri_d3d9_asm *a)
{
    iri_d3d9_word word = iri_d3d9_take_word(a, "");
    if (iri_d3d9_word_is(&word, "true") || iri_d3d9_word_is(&word, "1"))
        return 1;
    if (!iri_d3d9_word_is(&word, "false") && !iri_d3d9_word_is(&word, "0"))
        iri_d3d9_asm_fail(a, &word, "true or false must stand here");
    return 0;
}
