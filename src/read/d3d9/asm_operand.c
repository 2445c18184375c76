/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operands of the assembler: registers with their numbers, indices, modifiers and lanes, and their tokens.
 */
#include "read/d3d9/asm_internal.h"

#include <string.h>

enum { INDEXED = 0x2000, NUMBER_MAX = 2047, CONSTANT_MAX = 8191 };

typedef struct name_row {
    const char *prefix;
    uint8_t type, number; /* `number` of those that have none of their own */
    bool numbered;
} name_row;

/* Longer prefixes first. */
static const name_row names[] = {
    {"oDepth", IRI_D3D9_TYPE_DEPTHOUT, 0, false}, {"vFace", IRI_D3D9_TYPE_MISCTYPE, 1, false},
    {"vPos", IRI_D3D9_TYPE_MISCTYPE, 0, false},   {"oPos", IRI_D3D9_TYPE_RASTOUT, 0, false},
    {"oFog", IRI_D3D9_TYPE_RASTOUT, 1, false},    {"oPts", IRI_D3D9_TYPE_RASTOUT, 2, false},
    {"aL", IRI_D3D9_TYPE_LOOP, 0, false},         {"oD", IRI_D3D9_TYPE_ATTROUT, 0, true},
    {"oT", IRI_D3D9_TYPE_TEXCRDOUT, 0, true},     {"oC", IRI_D3D9_TYPE_COLOROUT, 0, true},
    {"o", IRI_D3D9_TYPE_TEXCRDOUT, 0, true},      {"r", IRI_D3D9_TYPE_TEMP, 0, true},
    {"v", IRI_D3D9_TYPE_INPUT, 0, true},          {"c", IRI_D3D9_TYPE_CONST, 0, true},
    {"a", IRI_D3D9_TYPE_ADDR, 0, true},           {"t", IRI_D3D9_TYPE_ADDR, 0, true},
    {"i", IRI_D3D9_TYPE_CONSTINT, 0, true},       {"s", IRI_D3D9_TYPE_SAMPLER, 0, true},
    {"b", IRI_D3D9_TYPE_CONSTBOOL, 0, true},      {"l", IRI_D3D9_TYPE_LABEL, 0, true},
    {"p", IRI_D3D9_TYPE_PREDICATE, 0, true},
};

static uint32_t parameter(uint32_t type, uint32_t number)
{
    return 0x80000000u | (type & 7u) << 28 | (type & 0x18u) << 8 | number;
}

/* The bank that a name of the stage and model means. */
static iri_d3d9_bank bank_of(const iri_d3d9_asm *a, const name_row *row)
{
    for (uint32_t bank = 1; bank < IRI_D3D9_BANK_COUNT; bank++)
        if (strcmp(iri_d3d9_banks[bank].prefix, row->prefix) == 0 &&
            iri_d3d9_banks[bank].limits[a->model] != 0)
            return (iri_d3d9_bank)bank;
    return IRI_D3D9_BANK_NONE;
}

/* The name of a register; its number, when one follows it, is `digits`. */
static const name_row *find_name(const iri_d3d9_word *word, iri_d3d9_word *digits)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t size = (uint32_t)strlen(names[i].prefix);
        iri_d3d9_word prefix = *word;
        if (word->size < size)
            continue;
        prefix.size = size;
        *digits =
            (iri_d3d9_word){word->text + size, word->size - size, word->line, word->column + size};
        if (!iri_d3d9_word_is(&prefix, names[i].prefix))
            continue;
        const char *at = digits->text, *end = at + digits->size;
        while (at < end && *at >= '0' && *at <= '9')
            at++;
        if (at == end && (names[i].numbered || digits->size == 0))
            return &names[i];
    }
    return NULL;
}

/* The part of a word before its first underscore; `rest` is what follows it. */
static iri_d3d9_word split_word(const iri_d3d9_word *word, iri_d3d9_word *rest)
{
    iri_d3d9_word head = *word;
    const char *underscore = memchr(word->text, '_', word->size);
    head.size = underscore ? (uint32_t)(underscore - word->text) : word->size;
    *rest = (iri_d3d9_word){word->text + head.size, word->size - head.size, word->line,
                            word->column + head.size};
    return head;
}

/* The name and number of a register; `suffix` is what its word has behind them. */
static void take_register(iri_d3d9_asm *a, iri_d3d9_written *o, iri_d3d9_word *suffix)
{
    iri_d3d9_word digits, *word = &o->word;
    *word = iri_d3d9_take_word(a, "");
    iri_d3d9_word head = split_word(word, suffix);
    const name_row *row = find_name(&head, &digits);
    if (!row)
        iri_d3d9_asm_fail(a, word, "'%.*s' is no register",
                          (int)(word->size < 60 ? word->size : 60), word->text);
    iri_d3d9_bank bank = bank_of(a, row);
    if (bank == IRI_D3D9_BANK_NONE)
        iri_d3d9_asm_fail(a, word, "%s has no %s register", iri_d3d9_models[a->model].name,
                          row->prefix);
    o->bank = bank;
    o->type = row->type;
    o->number = row->number;
    const char *at = digits.text;
    bool bare = digits.size == 0;
    if (row->numbered && !bare && !iri_d3d9_digits(&at, at + digits.size, &o->number))
        iri_d3d9_asm_fail(a, word, "no register has this number");
    if (row->numbered && bare && (a->at == a->end || *a->at != '['))
        iri_d3d9_asm_fail(a, word, "the register has no number");
}

/* As Microsoft's assembler does it: of constants and labels, and where an index is added, it takes any number that
 * a token can hold. */
static void check_number(const iri_d3d9_asm *a, const iri_d3d9_written *o)
{
    uint32_t limit = iri_d3d9_banks[o->bank].limits[a->model];
    bool constant = o->type == IRI_D3D9_TYPE_CONST;
    if (o->number > (constant ? (uint32_t)CONSTANT_MAX : (uint32_t)NUMBER_MAX))
        iri_d3d9_asm_fail(a, &o->word, "no register has this number");
    if (!constant && o->bank != IRI_D3D9_BANK_L && !o->relative &&
        iri_d3d9_banks[o->bank].numbered && o->number >= limit)
        iri_d3d9_asm_fail(a, &o->word, "%s has %u %s register%s", iri_d3d9_models[a->model].name,
                          limit, iri_d3d9_banks[o->bank].prefix, limit == 1 ? "" : "s");
}

/* ---- lanes ---- */

static bool lane_of(char c, uint8_t *lane)
{
    static const char letters[] = "xyzwrgbaXYZWRGBA";
    const char *found = c ? strchr(letters, c) : NULL;
    *lane = found ? (uint8_t)((found - letters) % 4) : 0;
    return found != NULL;
}

/* `.xyz` behind a register, if it is there. A listing may have the point alone, for a mask of no lane. */
static void take_lanes(iri_d3d9_asm *a, iri_d3d9_written *o)
{
    if (a->at == a->end || *a->at != '.')
        return;
    a->at++;
    o->has_lanes = true;
    iri_d3d9_word begin = iri_d3d9_here(a);
    for (uint8_t lane; a->at < a->end && lane_of(*a->at, &lane); a->at++) {
        if (o->lane_count == 4)
            iri_d3d9_asm_fail(a, &begin, "more than four lanes");
        o->lanes[o->lane_count++] = lane;
    }
    if (a->at < a->end && ((*a->at >= 'a' && *a->at <= 'z') || (*a->at >= '0' && *a->at <= '9')))
        iri_d3d9_asm_fail(a, &begin, "lanes are of xyzw or rgba");
}

/* The last lane named is the one of those that are not. */
static uint32_t swizzle_bits(const iri_d3d9_asm *a, const iri_d3d9_written *o)
{
    uint32_t bits = 0;
    if (!o->has_lanes)
        return 0xe40000u;
    if (!o->lane_count)
        iri_d3d9_asm_fail(a, &o->word, "a source names no lane behind its point");
    for (uint32_t i = 0; i < 4; i++)
        bits |= (uint32_t)o->lanes[i < o->lane_count ? i : o->lane_count - 1] << (16 + 2 * i);
    return bits;
}

/* ---- indices ---- */

static void take_index_register(iri_d3d9_asm *a, iri_d3d9_written *o)
{
    iri_d3d9_written index = {0};
    iri_d3d9_word suffix;
    bool twice = o->relative;
    take_register(a, &index, &suffix);
    check_number(a, &index);
    take_lanes(a, &index);
    if (twice)
        iri_d3d9_asm_fail(a, &index.word, "a register has one index register");
    if (suffix.size)
        iri_d3d9_asm_fail(a, &suffix, "an index register has no modifier");
    o->relative = true;
    o->index = parameter(index.type, index.number) | swizzle_bits(a, &index);
    if (a->major < 2 && o->index != parameter(IRI_D3D9_TYPE_ADDR, 0)) /* lane x is 0 */
        iri_d3d9_asm_fail(a, &index.word, "%s indexes by a0.x alone",
                          iri_d3d9_models[a->model].name);
}

/* `[a0.x + 3]`: numbers are added to the register's own, one register may be among them. */
static void take_index(iri_d3d9_asm *a, iri_d3d9_written *o)
{
    do {
        iri_d3d9_skip_blanks(a);
        iri_d3d9_word here = iri_d3d9_here(a);
        if (a->at < a->end && *a->at >= '0' && *a->at <= '9') {
            uint32_t value;
            if (!iri_d3d9_digits(&a->at, a->end, &value) || value > CONSTANT_MAX)
                iri_d3d9_asm_fail(a, &here, "no register has this number");
            o->number += value;
            if (o->number > CONSTANT_MAX)
                iri_d3d9_asm_fail(a, &here, "no register has this number");
        } else {
            take_index_register(a, o);
        }
    } while (iri_d3d9_accept(a, '+'));
    iri_d3d9_expect(a, ']', "behind an index");
}

/* ---- operands ---- */

static uint32_t suffix_modifier(const iri_d3d9_asm *a, const iri_d3d9_word *suffix)
{
    static const struct {
        const char *text;
        uint8_t modifier;
    } words[] = {{"_bias", IRI_D3D9_SRC_BIAS}, {"_bx2", IRI_D3D9_SRC_SIGN},
                 {"_x2", IRI_D3D9_SRC_X2},     {"_dz", IRI_D3D9_SRC_DZ},
                 {"_db", IRI_D3D9_SRC_DZ},     {"_dw", IRI_D3D9_SRC_DW},
                 {"_da", IRI_D3D9_SRC_DW},     {"_abs", IRI_D3D9_SRC_ABS}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (iri_d3d9_word_is(suffix, words[i].text))
            return words[i].modifier;
    if (suffix->size)
        iri_d3d9_asm_fail(a, suffix, "'%.*s' is no modifier of a source",
                          (int)(suffix->size < 60 ? suffix->size : 60), suffix->text);
    return IRI_D3D9_SRC_NONE;
}

void iri_d3d9_take_operand(iri_d3d9_asm *a, iri_d3d9_written *o)
{
    iri_d3d9_word suffix, begin;
    memset(o, 0, sizeof *o);
    iri_d3d9_skip_blanks(a);
    begin = iri_d3d9_here(a);
    bool negated = iri_d3d9_accept(a, '-'), inverted = !negated && iri_d3d9_accept(a, '!');
    bool complement = false;
    iri_d3d9_skip_blanks(a);
    if (!negated && !inverted && a->at < a->end && *a->at == '1') {
        a->at++;
        iri_d3d9_expect(a, '-', "behind the 1 of a complement");
        complement = true;
    }
    take_register(a, o, &suffix);
    if (a->at < a->end && suffix.size == 0) {
        if (iri_d3d9_accept(a, '['))
            take_index(a, o);
        if (a->at < a->end && *a->at == '_')
            suffix = iri_d3d9_take_word(a, "");
    }
    o->modifier = suffix_modifier(a, &suffix);
    take_lanes(a, o);
    o->word.line = begin.line;
    o->word.column = begin.column;
    check_number(a, o);
    if (negated) {
        if (o->modifier == IRI_D3D9_SRC_DZ || o->modifier == IRI_D3D9_SRC_DW)
            iri_d3d9_asm_fail(a, &o->word, "a divided source is not negated");
        o->modifier++; /* each negated one is behind the plain one */
    }
    if ((inverted || complement) && o->modifier)
        iri_d3d9_asm_fail(a, &o->word, "a source has one modifier, and a sign");
    if (inverted)
        o->modifier = IRI_D3D9_SRC_NOT;
    if (complement)
        o->modifier = IRI_D3D9_SRC_COMP;
}

bool iri_d3d9_has_index_word(const iri_d3d9_asm *a, const iri_d3d9_written *o)
{
    return o->relative && a->major >= 2;
}

static uint32_t register_token(const iri_d3d9_written *o)
{
    static const uint8_t parts[] = {IRI_D3D9_TYPE_CONST, IRI_D3D9_TYPE_CONST2, IRI_D3D9_TYPE_CONST3,
                                    IRI_D3D9_TYPE_CONST4};
    uint32_t type = o->type == IRI_D3D9_TYPE_CONST ? parts[o->number / 2048] : o->type;
    return parameter(type, o->number % 2048) | (o->relative ? INDEXED : 0);
}

uint32_t iri_d3d9_source_token(const iri_d3d9_asm *a, const iri_d3d9_written *o)
{
    return register_token(o) | swizzle_bits(a, o) | o->modifier << 24;
}

uint32_t iri_d3d9_destination_token(const iri_d3d9_asm *a, const iri_d3d9_written *o,
                                    uint32_t modifiers, uint32_t shift)
{
    uint32_t mask = o->has_lanes ? 0 : 15;
    if (o->modifier)
        iri_d3d9_asm_fail(a, &o->word, "a destination has no modifier of a source");
    for (uint32_t i = 0; i < o->lane_count; i++) {
        if (mask >> o->lanes[i])
            iri_d3d9_asm_fail(a, &o->word, "a mask names lanes once each, in order");
        mask |= 1u << o->lanes[i];
    }
    return register_token(o) | mask << 16 | modifiers << 20 | shift << 24;
}
