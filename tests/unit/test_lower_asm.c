/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An assembler of Direct3D 9 token streams for tests: small, and trusting its input, which is ours.
 */
#include "base/number.h"
#include "read/d3d9/decode.h"
#include "tests/unit/test.h"
#include "tests/unit/test_lower.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct assembler {
    const char *at;
    uint32_t *words;
    uint32_t count;
    iri_d3d9_model model;
    bool failed;
} assembler;

static void fault(assembler *a, const char *why)
{
    if (!a->failed)
        FAIL("assembler: %s at '%.40s'", why, a->at);
    a->failed = true;
}

static void put(assembler *a, uint32_t word)
{
    if (a->count < IRI_TEST_WORDS)
        a->words[a->count++] = word;
}

static void skip(assembler *a)
{
    while (*a->at == ' ' || *a->at == '\t' || *a->at == ',')
        a->at++;
}

static bool ended(assembler *a)
{
    skip(a);
    return *a->at == 0 || *a->at == '\n' || *a->at == ';';
}

static bool take(assembler *a, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(a->at, text, length) != 0)
        return false;
    a->at += length;
    return true;
}

static uint32_t number(assembler *a)
{
    char *end;
    uint32_t x = (uint32_t)strtoul(a->at, &end, 0);
    a->at = end;
    return x;
}

/* ---- registers ---- */

static const struct {
    const char *name;
    uint8_t type, fixed; /* fixed: its number, 0xff: given */
} registers[] = {
    {"oPos", 4, 0},   {"oFog", 4, 1}, {"oPts", 4, 2}, {"oDepth", 9, 0}, {"vPos", 17, 0},
    {"vFace", 17, 1}, {"oD", 5, 255}, {"oT", 6, 255}, {"oC", 8, 255},   {"aL", 15, 0},
    {"o", 6, 255},    {"r", 0, 255},  {"v", 1, 255},  {"c", 2, 255},    {"a", 3, 255},
    {"t", 3, 255},    {"i", 7, 255},  {"s", 10, 255}, {"b", 14, 255},   {"l", 18, 255},
    {"p", 19, 255},
};

typedef struct reg {
    uint32_t token;
    uint32_t relative; /* token, 0 for none */
} reg;

static uint32_t type_bits(uint32_t type)
{
    return 0x80000000u | (type & 7u) << 28 | (type & 0x18u) << 8;
}

static uint32_t lane_of(char c)
{
    const char *xyzw = "xyzwrgba", *at = c ? strchr(xyzw, c) : NULL;
    return at ? (uint32_t)(at - xyzw) & 3u : 4;
}

static reg read_register(assembler *a);

/* `[a0.x + 4]` after a bank's name */
static void read_index(assembler *a, reg *r, uint32_t base)
{
    uint32_t total = base;
    while (*a->at != ']' && *a->at) {
        while (*a->at == ' ' || *a->at == '+')
            a->at++;
        if (isdigit((unsigned char)*a->at)) {
            total += number(a);
        } else if (*a->at != ']') {
            reg index = read_register(a);
            uint32_t lane = 0;
            if (*a->at == '.')
                lane = lane_of(a->at[1]), a->at += 2;
            r->relative = index.token | lane * 0x550000u;
        }
        if (a->failed)
            return;
    }
    a->at++;
    r->token |= total | (r->relative ? 0x2000u : 0);
}

static reg read_register(assembler *a)
{
    reg r = {0};
    skip(a);
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        if (!take(a, registers[i].name))
            continue;
        r.token = type_bits(registers[i].type);
        if (registers[i].fixed != 255) {
            r.token |= registers[i].fixed;
        } else {
            uint32_t base = isdigit((unsigned char)*a->at) ? number(a) : 0;
            if (*a->at == '[')
                a->at++, read_index(a, &r, base);
            else
                r.token |= base;
        }
        return r;
    }
    fault(a, "no register");
    return r;
}

static void put_register(assembler *a, reg r)
{
    put(a, r.token);
    if (r.relative && a->model != IRI_D3D9_VS_1_0 && a->model != IRI_D3D9_VS_1_1)
        put(a, r.relative);
}

static void read_destination(assembler *a, uint32_t modifiers)
{
    reg r = read_register(a);
    uint32_t mask = 0;
    if (*a->at == '.') {
        for (a->at++; lane_of(*a->at) < 4; a->at++)
            mask |= 1u << lane_of(*a->at);
    }
    r.token |= (mask ? mask : 15u) << 16 | modifiers;
    put_register(a, r);
}

static const struct {
    const char *suffix;
    uint8_t plain, negative;
} modifiers[] = {{"_bias", 2, 3}, {"_bx2", 4, 5},  {"_x2", 7, 8},
                 {"_dz", 9, 9},   {"_dw", 10, 10}, {"_abs", 11, 12}};

static uint32_t read_swizzle(assembler *a)
{
    uint32_t swizzle = 0, lane = 0, count = 0;
    if (*a->at != '.')
        return 0xe40000;
    for (a->at++; lane_of(*a->at) < 4; a->at++) {
        lane = lane_of(*a->at);
        swizzle |= lane << (16 + 2 * count++);
    }
    for (; count < 4; count++)
        swizzle |= lane << (16 + 2 * count);
    return swizzle;
}

static void read_source(assembler *a)
{
    skip(a);
    uint32_t modifier = 0;
    bool negative = take(a, "-");
    if (take(a, "1-"))
        modifier = 6;
    else if (take(a, "!"))
        modifier = 13;
    else if (negative)
        modifier = 1;
    reg r = read_register(a);
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
        if (take(a, modifiers[i].suffix))
            modifier = negative ? modifiers[i].negative : modifiers[i].plain;
    r.token |= read_swizzle(a) | modifier << 24;
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
        if (take(a, modifiers[i].suffix)) /* t0.xyw_dw */
            r.token = (r.token & ~0xf000000u) | (uint32_t)modifiers[i].plain << 24;
    put_register(a, r);
}

static void read_float(assembler *a)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } names[] = {{"-inf", 0xff800000}, {"inf", 0x7f800000}, {"nan", 0x7fc00000},
                 {"-max", 0xff7fffff}, {"max", 0x7f7fffff}, {"tiny", 1}};
    skip(a);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (take(a, names[i].name)) {
            put(a, names[i].bits);
            return;
        }
    uint32_t bits = 0;
    size_t length = iri_parse_f32(a->at, a->at + strlen(a->at), &bits);
    if (!length)
        fault(a, "no number");
    a->at += length;
    put(a, bits);
}

/* ---- instructions ---- */

static bool word_is(const char *word, const char *text)
{
    return strcmp(word, text) == 0;
}

static uint32_t comparison(const char *word)
{
    for (uint32_t i = 0; i < 8; i++)
        if (iri_d3d9_comparison_name(i) && word_is(word, iri_d3d9_comparison_name(i)))
            return i;
    return 0;
}

/* What follows the mnemonic: `_sat`, `_x2`, `_pp`, `_gt` ... */
static bool suffix(const char *word, uint32_t *modifier_bits, uint32_t *control)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } rows[] = {{"sat", 1u << 20}, {"pp", 2u << 20},  {"centroid", 4u << 20},
                {"x2", 1u << 24},  {"x4", 2u << 24},  {"x8", 3u << 24},
                {"d2", 15u << 24}, {"d4", 14u << 24}, {"d8", 13u << 24}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (word_is(word, rows[i].name)) {
            *modifier_bits |= rows[i].bits;
            return true;
        }
    *control = comparison(word);
    return *control != 0;
}

static bool has_op(const assembler *a, uint32_t op)
{
    return iri_d3d9_model_has_op(a->model, (iri_d3d9_op)op);
}

static uint32_t find_op(assembler *a, const char *name, uint32_t control)
{
    if (control && word_is(name, "if"))
        return IRI_D3D9_OP_IFC;
    if (control && word_is(name, "break"))
        return IRI_D3D9_OP_BREAKC;
    for (uint32_t op = IRI_D3D9_OP_COUNT; op-- > 0;) /* of two layouts the later one */
        if (has_op(a, op) && word_is(iri_d3d9_ops[op].name, name))
            return op;
    fault(a, name);
    return 0;
}

static uint32_t usage_word(assembler *a, const char *name)
{
    static const char *const types[] = {"", "", "2d", "cube", "volume"};
    char text[24];
    size_t length = strlen(name);
    uint32_t index = 0;
    for (uint32_t i = 2; i < 5; i++)
        if (word_is(name, types[i]))
            return 0x80000000u | i << 27;
    while (length && isdigit((unsigned char)name[length - 1]))
        length--;
    if (name[length])
        index = (uint32_t)atoi(name + length);
    memcpy(text, name, length);
    text[length] = 0;
    for (uint32_t i = 0; i < IRI_D3D9_USAGE_COUNT; i++)
        if (word_is(text, iri_d3d9_usage_name(i)))
            return 0x80000000u | i | index << 16;
    if (length)
        fault(a, "no usage");
    return 0x80000000u;
}

static void read_operands(assembler *a, uint32_t op, uint32_t modifier_bits, uint32_t usage,
                          const char *predicate)
{
    bool wants = predicate != NULL;
    for (const char *kind = iri_d3d9_ops[op].operands; *kind; kind++) {
        bool destination = *kind == 'd' || *kind == 'k';
        if (wants && !destination) {
            assembler p = {
                .at = predicate, .words = a->words, .count = a->count, .model = a->model};
            read_source(&p);
            a->count = p.count;
            wants = false;
        }
        if (*kind == 'U')
            put(a, usage);
        else if (destination)
            read_destination(a, modifier_bits);
        else if (*kind == 'F')
            for (int i = 0; i < 4; i++)
                read_float(a);
        else if (*kind == 'I' || *kind == 'B')
            for (int i = 0; i < (*kind == 'I' ? 4 : 1); i++)
                skip(a), put(a, take(a, "true") ? 1 : take(a, "false") ? 0 : number(a));
        else
            read_source(a);
    }
}

static void read_instruction(assembler *a)
{
    char words[4][24] = {{0}}, predicate[24];
    uint32_t count = 0, modifier_bits = 0, control = 0, usage = 0x80000000u, flags = 0;
    const char *guard = NULL;
    if (take(a, "(")) {
        size_t length = strcspn(a->at, ")");
        memcpy(predicate, a->at, length);
        predicate[length] = 0;
        guard = predicate;
        flags |= 0x10000000u;
        a->at += length + 1;
        skip(a);
    }
    if (take(a, "+"))
        flags |= 0x40000000u;
    skip(a);
    if (take(a, "dword")) {
        skip(a);
        put(a, number(a));
        return;
    }
    for (size_t length = 0; isalnum((unsigned char)*a->at) || *a->at == '_'; a->at++) {
        if (*a->at == '_' && count < 3)
            count++, length = 0;
        else if (length < sizeof words[0] - 1)
            words[count][length++] = *a->at;
    }
    bool dcl = word_is(words[0], "dcl");
    for (uint32_t i = 1; i <= count; i++)
        if (!suffix(words[i], &modifier_bits, &control) && dcl)
            usage = usage_word(a, words[i]);
    if (word_is(words[0], "texldp") || word_is(words[0], "texldb")) {
        control = words[0][5] == 'p' ? IRI_D3D9_TEXLD_PROJECT : IRI_D3D9_TEXLD_BIAS;
        words[0][5] = 0;
    }
    uint32_t op = find_op(a, words[0], control), start = a->count;
    put(a, iri_d3d9_ops[op].number | control << 16 | flags);
    read_operands(a, op, modifier_bits, usage, guard);
    if (iri_d3d9_models[a->model].version >> 8 & 0xfeu)
        a->words[start] |= (a->count - start - 1) << 24;
}

uint32_t iri_test_assemble(const char *text, uint32_t words[IRI_TEST_WORDS])
{
    assembler a = {.at = text, .words = words, .model = IRI_D3D9_MODEL_COUNT};
    skip(&a);
    for (uint32_t m = 0; m < IRI_D3D9_MODEL_COUNT; m++) {
        size_t length = strlen(iri_d3d9_models[m].name);
        if (strncmp(a.at, iri_d3d9_models[m].name, length) == 0 &&
            !isalnum((unsigned char)a.at[length]))
            a.model = (iri_d3d9_model)m;
    }
    if (a.model == IRI_D3D9_MODEL_COUNT) {
        fault(&a, "no model");
        return 0;
    }
    put(&a, iri_d3d9_models[a.model].version);
    a.at += strlen(iri_d3d9_models[a.model].name);
    while (*a.at && !a.failed) {
        if (ended(&a)) {
            a.at += *a.at != 0;
            continue;
        }
        read_instruction(&a);
        if (!a.failed && !ended(&a))
            fault(&a, "more than an instruction");
    }
    put(&a, 0x0000ffff);
    return a.failed ? 0 : a.count;
}

void iri_test_pack(const uint32_t *words, uint32_t count, uint8_t *bytes)
{
    for (uint32_t i = 0; i < count * 4; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}
