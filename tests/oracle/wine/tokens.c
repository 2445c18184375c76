/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes a shader where a point has to be drawn at a place of our own. Layouts: docs/formats/d3d9.md.
 */
#include "tests/oracle/wine/wine.h"

#include <stdio.h>
#include <string.h>

enum { END = 0xffff, MOV = 1, CALL = 25, RET = 28, LABEL = 30, DCL = 31 };
enum { SPARE_TEMP = 31, LAST_OUTPUT = 11, NO_LABEL = 0xffff };

static uint32_t parameter(uint32_t type, uint32_t number, uint32_t low)
{
    return 0x80000000u | (type & 7u) << 28 | (type & 0x18u) << 8 | number | low;
}

static uint32_t destination(uint32_t type, uint32_t number)
{
    return parameter(type, number, 0xf0000u);
}

static uint32_t source(uint32_t type, uint32_t number)
{
    return parameter(type, number, 0xe40000u);
}

typedef struct writer {
    uint32_t *to, count, major;
} writer;

static void put(writer *w, uint32_t token)
{
    w->to[w->count++] = token;
}

static void put_two(writer *w, uint32_t op, uint32_t first, uint32_t second)
{
    put(w, op | (w->major >= 2 ? 2u << 24 : 0));
    put(w, first);
    put(w, second);
}

static void put_dcl(writer *w, uint32_t usage, uint32_t index, uint32_t type, uint32_t number)
{
    put_two(w, DCL, 0x80000000u | usage | index << 16, destination(type, number));
}

static void note_usage(wine_usage *list, uint32_t *count, uint32_t usage, uint32_t index,
                       uint32_t reg)
{
    for (uint32_t i = 0; i < *count; i++)
        if (list[i].usage == usage && list[i].index == index && list[i].reg == reg)
            return;
    if (*count < WINE_VARYINGS)
        list[(*count)++] = (wine_usage){(uint8_t)usage, (uint8_t)index, (uint8_t)reg};
}

/* Declarations; registers whose name is their usage. */
static void find_usages(wine_shader *w)
{
    const iri_d3d9_shader *s = w->s;
    for (uint32_t i = 0; i < s->instruction_count; i++) {
        const iri_d3d9_instruction *in = &s->instructions[i];
        uint32_t word = in->op == IRI_D3D9_OP_DCL ? s->literals[in->literal] : 0;
        for (uint32_t k = 0; k < in->count; k++) {
            const iri_d3d9_operand *o = &s->operands[in->first + k];
            bool declared =
                in->op == IRI_D3D9_OP_DCL && (s->stage == IRI_D3D9_VERTEX || s->major == 3);
            uint32_t usage = declared ? iri_d3d9_dcl_usage(word)
                             : o->bank == IRI_D3D9_BANK_T || o->bank == IRI_D3D9_BANK_OT
                                 ? (uint32_t)IRI_D3D9_USAGE_TEXCOORD
                                 : (uint32_t)IRI_D3D9_USAGE_COLOR;
            uint32_t index = declared ? iri_d3d9_dcl_index(word) : o->number;
            bool early_in = s->stage == IRI_D3D9_PIXEL && s->major < 3 &&
                            (o->bank == IRI_D3D9_BANK_T || o->bank == IRI_D3D9_BANK_V);
            if (early_in || (declared && o->bank == IRI_D3D9_BANK_V))
                note_usage(w->in, &w->in_count, usage, index, o->number);
            else if (o->bank == IRI_D3D9_BANK_OT || o->bank == IRI_D3D9_BANK_OD ||
                     (declared && o->bank == IRI_D3D9_BANK_O))
                note_usage(w->out, &w->out_count, usage, index, o->number);
        }
    }
}

/* A register of `type` that nothing has, below `limit`; `limit` when all are taken. */
static uint32_t free_register(const iri_d3d9_shader *s, iri_d3d9_bank bank, uint32_t limit)
{
    for (uint32_t n = limit; n-- > 0;) {
        bool taken = false;
        for (uint32_t i = 0; i < s->operand_count && !taken; i++)
            taken = s->operands[i].bank == bank && s->operands[i].number == n;
        if (!taken)
            return n;
    }
    return limit;
}

static bool has_usage(const wine_usage *list, uint32_t count, uint32_t usage, uint32_t index)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i].usage == usage && list[i].index == index)
            return true;
    return false;
}

static uint32_t free_index(const wine_usage *list, uint32_t count, uint32_t limit)
{
    uint32_t n = limit;
    while (n-- > 0 && has_usage(list, count, IRI_D3D9_USAGE_TEXCOORD, n))
        ;
    return n; /* wraps when there is none */
}

/* Where the main part ends: before its ret, or the end. */
static uint32_t main_end(const iri_d3d9_shader *s)
{
    for (uint32_t i = 0; i < s->instruction_count; i++)
        if (s->instructions[i].op == IRI_D3D9_OP_RET)
            return s->instructions[i].offset / 4;
    return s->size / 4 - 1;
}

static uint32_t word_at(const iri_d3d9_shader *s, uint32_t i)
{
    const uint8_t *b = s->data + i * 4;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* The program's own position to a varying, and the place to the position. */
static void put_place(wine_shader *w, writer *to, uint32_t output)
{
    bool late = w->s->major == 3;
    if (!late && w->position.usage != 0xff)
        put_two(to, MOV, destination(IRI_D3D9_TYPE_TEXCRDOUT, w->position.index),
                source(IRI_D3D9_TYPE_TEMP, SPARE_TEMP));
    put_two(to, MOV,
            late ? destination(IRI_D3D9_TYPE_TEXCRDOUT, output)
                 : destination(IRI_D3D9_TYPE_RASTOUT, 0),
            source(IRI_D3D9_TYPE_INPUT, w->place.reg));
}

static void put_one(writer *w, uint32_t op, uint32_t parameter)
{
    put(w, op | 1u << 24);
    put(w, parameter);
}

/* What stands at the end of the main part. Where there are subroutines it is one of its own, the last of the
 * stream and called last: Wine's OpenGL back end hands the outputs on at the end of the stream, wherever that is. */
static void put_ending(wine_shader *w, writer *to, uint32_t output, uint32_t label)
{
    if (label == NO_LABEL)
        put_place(w, to, output);
    else
        put_one(to, CALL, source(IRI_D3D9_TYPE_LABEL, label));
}

static void put_last(wine_shader *w, writer *to, uint32_t output, uint32_t label)
{
    if (label == NO_LABEL)
        return;
    put_one(to, LABEL, source(IRI_D3D9_TYPE_LABEL, label));
    put_place(w, to, output);
    put(to, RET);
}

/* A label for that, when the shader has labels. */
static uint32_t ending_label(const iri_d3d9_shader *s)
{
    for (uint32_t i = 0; i < s->instruction_count; i++)
        if (s->instructions[i].op == IRI_D3D9_OP_LABEL)
            return free_register(s, IRI_D3D9_BANK_L, 16);
    return NO_LABEL;
}

static bool change_vertex(wine_shader *w, char why[400])
{
    const iri_d3d9_shader *s = w->s;
    writer to = {w->tokens, 0, s->major};
    bool late = s->major == 3;
    uint32_t attribute = free_register(s, IRI_D3D9_BANK_V, 16);
    uint32_t output = late ? free_register(s, IRI_D3D9_BANK_O, LAST_OUTPUT + 1) : 0;
    uint32_t in_index = free_index(w->in, w->in_count, 16);
    uint32_t out_index = free_index(w->out, w->out_count, late ? 16 : 8);
    uint32_t end = main_end(s), label = ending_label(s);
    bool takes_spare = false;
    for (uint32_t i = 0; i < s->operand_count; i++)
        takes_spare |=
            s->operands[i].bank == IRI_D3D9_BANK_R && s->operands[i].number == SPARE_TEMP;
    if (attribute == 16 || in_index >= 16 || output > LAST_OUTPUT || takes_spare ||
        (late && out_index >= 16)) {
        snprintf(why, 400, "no register is free to place the point");
        return false;
    }
    w->place = (wine_usage){IRI_D3D9_USAGE_TEXCOORD, (uint8_t)in_index, (uint8_t)attribute};
    w->position = (wine_usage){IRI_D3D9_USAGE_TEXCOORD, (uint8_t)out_index, 0};
    if (out_index >= 16)
        w->position.usage = 0xff;
    put(&to, word_at(s, 0));
    put_dcl(&to, w->place.usage, in_index, IRI_D3D9_TYPE_INPUT, attribute);
    if (late)
        put_dcl(&to, IRI_D3D9_USAGE_POSITION, 0, IRI_D3D9_TYPE_TEXCRDOUT, output);
    for (uint32_t i = 0; i < s->instruction_count; i++) {
        const iri_d3d9_instruction *in = &s->instructions[i];
        uint32_t at = in->offset / 4;
        if (at == end)
            put_ending(w, &to, output, label);
        for (uint32_t k = 0; k <= in->length; k++)
            put(&to, word_at(s, at + k));
        uint32_t *words = to.to + to.count - in->length - 1;
        if (late && in->op == IRI_D3D9_OP_DCL && s->operands[in->first].bank == IRI_D3D9_BANK_O &&
            iri_d3d9_dcl_usage(s->literals[in->literal]) == IRI_D3D9_USAGE_POSITION &&
            iri_d3d9_dcl_index(s->literals[in->literal]) == 0)
            words[1] = 0x80000000u | IRI_D3D9_USAGE_TEXCOORD | out_index << 16;
        for (uint32_t k = 0; !late && k < in->count; k++) {
            const iri_d3d9_operand *o = &s->operands[in->first + k];
            if (o->bank == IRI_D3D9_BANK_OPOS)
                words[o->offset / 4 - at] =
                    parameter(IRI_D3D9_TYPE_TEMP, SPARE_TEMP, o->token & 0x0fff0000u);
        }
    }
    if (end == s->size / 4 - 1)
        put_ending(w, &to, output, label);
    put_last(w, &to, output, label);
    put(&to, END);
    w->count = to.count;
    return true;
}

bool wine_prepare(wine_shader *w, const iri_d3d9_shader *s, char why[400])
{
    *w = (wine_shader){.s = s};
    if (s->size / 4 + 64 > WINE_TOKENS) {
        snprintf(why, 400, "a shader of too many tokens");
        return false;
    }
    find_usages(w);
    if (s->stage == IRI_D3D9_VERTEX)
        return change_vertex(w, why);
    for (uint32_t i = 0; i < s->size / 4; i++)
        w->tokens[w->count++] = word_at(s, i);
    return true;
}
