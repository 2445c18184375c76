/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formulas that fill generated textures of cases: precedence climbing over C's operators. Integers stay
 * integers (so that / truncates) until a number with a point comes in.
 */
#include "tests/oracle/run_cases.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct value {
    bool real;
    double d;
    int64_t i;
} value;

typedef struct formula {
    const char *at;
    const double *xyz;
    bool bad;
    int depth;
} formula;

static value integer(int64_t i)
{
    return (value){false, (double)i, i};
}

static value real(double d)
{
    bool fits = d > -9e18 && d < 9e18;
    return (value){true, d, fits ? (int64_t)d : 0};
}

static void spaces(formula *f)
{
    while (isspace((unsigned char)*f->at))
        f->at++;
}

static bool take(formula *f, const char *word)
{
    size_t length = strlen(word);
    spaces(f);
    if (strncmp(f->at, word, length) != 0)
        return false;
    if (isalpha((unsigned char)word[0]) && (isalnum((unsigned char)f->at[length])))
        return false;
    f->at += length;
    return true;
}

static value choice(formula *f);

static value number(formula *f)
{
    char *end;
    size_t digits = strspn(f->at, "0123456789");
    value v;
    if (f->at[0] == '0' && (f->at[1] == 'x' || f->at[1] == 'X'))
        v = integer((int64_t)strtoull(f->at, &end, 16));
    else if (f->at[digits] == '.' || f->at[digits] == 'e')
        v = real(strtod(f->at, &end));
    else
        v = integer(strtoll(f->at, &end, 10));
    f->at = end;
    while (*f->at && strchr("uUlLfF", *f->at))
        f->at++;
    return v;
}

static value call(formula *f)
{
    static const char *const names[] = {"min", "max", "abs", "floor", "round", "int", "float"};
    value a = {0}, b = {0};
    size_t which = 0;
    while (which < 7 && !take(f, names[which]))
        which++;
    f->bad |= which == 7 || !take(f, "(");
    if (f->bad)
        return a;
    a = choice(f);
    if (which < 2) {
        f->bad |= !take(f, ",");
        b = choice(f);
    }
    f->bad |= !take(f, ")");
    switch (which) {
    case 0: return a.d < b.d ? a : b;
    case 1: return a.d > b.d ? a : b;
    case 2: return a.real ? real(fabs(a.d)) : integer(a.i < 0 ? -a.i : a.i);
    case 3: return integer((int64_t)floor(a.d));
    case 4: return integer((int64_t)floor(a.d + 0.5));
    case 5: return integer(a.i);
    default: return real(a.d);
    }
}

static value unary(formula *f)
{
    spaces(f);
    if (f->bad || f->depth > 64) {
        f->bad = true;
        return integer(0);
    }
    f->depth++;
    value v = {0};
    if (take(f, "(")) {
        v = choice(f);
        f->bad |= !take(f, ")");
    } else if (take(f, "-")) {
        v = unary(f);
        v = v.real ? real(-v.d) : integer(-v.i);
    } else if (take(f, "~")) {
        v = integer(~unary(f).i);
    } else if (take(f, "!") || take(f, "not")) {
        v = integer(unary(f).d == 0);
    } else if (isdigit((unsigned char)*f->at) || *f->at == '.') {
        v = number(f);
    } else if (take(f, "x")) {
        v = integer((int64_t)f->xyz[0]);
    } else if (take(f, "y")) {
        v = integer((int64_t)f->xyz[1]);
    } else if (take(f, "z")) {
        v = integer((int64_t)f->xyz[2]);
    } else {
        v = call(f);
    }
    f->depth--;
    return v;
}

/* Longer spellings first; `level` is C's precedence. */
static const struct operation {
    const char *word;
    int level;
    char op;
} operations[] = {
    {"<<", 7, 'l'}, {">>", 7, 'r'}, {"<=", 6, 'n'}, {">=", 6, 'm'},  {"==", 5, 'e'}, {"!=", 5, 'd'},
    {"&&", 1, 'a'}, {"||", 0, 'o'}, {"//", 9, 'q'}, {"and", 1, 'a'}, {"or", 0, 'o'}, {"+", 8, '+'},
    {"-", 8, '-'},  {"*", 9, '*'},  {"/", 9, '/'},  {"%", 9, '%'},   {"&", 4, '&'},  {"^", 3, '^'},
    {"|", 2, '|'},  {"<", 6, '<'},  {">", 6, '>'},
};

static value apply(formula *f, char op, value a, value b)
{
    bool r = a.real || b.real;
    if (!r && strchr("/%q", op) && b.i == 0) {
        f->bad = true;
        return integer(0);
    }
    switch (op) {
    case '+': return r ? real(a.d + b.d) : integer(a.i + b.i);
    case '-': return r ? real(a.d - b.d) : integer(a.i - b.i);
    case '*': return r ? real(a.d * b.d) : integer(a.i * b.i);
    case '/': return r ? real(a.d / b.d) : integer(a.i / b.i);
    case 'q': return integer((int64_t)floor(a.d / b.d));
    case '%': return r ? real(fmod(a.d, b.d)) : integer(a.i % b.i);
    case 'l': return integer((int64_t)((uint64_t)a.i << (b.i & 63)));
    case 'r': return integer(a.i >> (b.i & 63));
    case '&': return integer(a.i & b.i);
    case '^': return integer(a.i ^ b.i);
    case '|': return integer(a.i | b.i);
    case '<': return integer(a.d < b.d);
    case '>': return integer(a.d > b.d);
    case 'n': return integer(a.d <= b.d);
    case 'm': return integer(a.d >= b.d);
    case 'e': return integer(a.d == b.d);
    case 'd': return integer(a.d != b.d);
    case 'a': return integer(a.d != 0 && b.d != 0);
    default: return integer(a.d != 0 || b.d != 0);
    }
}

static value binary(formula *f, int level)
{
    value a = unary(f);
    for (;;) {
        const char *before = f->at;
        size_t i = 0;
        while (i < sizeof operations / sizeof *operations && !take(f, operations[i].word))
            i++;
        if (f->bad || i == sizeof operations / sizeof *operations)
            return a;
        if (operations[i].level < level) {
            f->at = before;
            return a;
        }
        a = apply(f, operations[i].op, a, binary(f, operations[i].level + 1));
    }
}

static value choice(formula *f)
{
    value a = binary(f, 0);
    if (take(f, "?")) {
        value yes = choice(f);
        f->bad |= !take(f, ":");
        value no = choice(f);
        return a.d != 0 ? yes : no;
    }
    if (take(f, "if")) { /* a if condition else b */
        value condition = choice(f);
        f->bad |= !take(f, "else");
        value no = choice(f);
        return condition.d != 0 ? a : no;
    }
    return a;
}

bool formula_value(const char *text, const double xyz[3], double *out)
{
    formula f = {text, xyz, false, 0};
    value v = choice(&f);
    spaces(&f);
    *out = v.d;
    return !f.bad && *f.at == 0;
}
