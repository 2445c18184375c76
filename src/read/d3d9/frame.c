/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a token stream ends: a walk over whole instructions, by the rules that decode.c reads them by, so that no
 * word of a comment or operand is taken for the end token. Facts: docs/formats/d3d9.md.
 */
#include "read/d3d9/frame.h"

enum { OPCODE_COMMENT = 0xfffe, OPCODE_END = 0xffff, RELATIVE = 0x2000, PREDICATED = 0x10000000 };

static uint32_t word_at(const uint8_t *data, size_t index)
{
    const uint8_t *p = data + index * 4;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Passes a parameter and its index's word; false when none stands there. */
static bool pass_parameter(const uint8_t *data, size_t at, uint32_t *i, uint32_t length, bool sized)
{
    if (*i >= length || !(word_at(data, at + *i) >> 31))
        return false;
    bool relative = sized && word_at(data, at + *i) & RELATIVE;
    ++*i;
    return !relative || (*i < length && word_at(data, at + (*i)++) >> 31);
}

/* Whether words behind an instruction token of the row can be its operands: a parameter's bit where one stands, in
 * the order of the token stream. `length` counts the words, the predicate's and indices' included. */
static bool fits(const uint8_t *data, size_t at, uint32_t length, const char *operands,
                 bool predicated, bool sized)
{
    uint32_t i = 0;
    for (const char *kind = operands;; kind++) {
        if (predicated && *kind != 'U' && *kind != 'd' && *kind != 'k') {
            if (!pass_parameter(data, at, &i, length, sized))
                return false;
            predicated = false;
        }
        if (!*kind)
            return i == length;
        if (*kind < 'a')
            i += *kind == 'F' || *kind == 'I' ? 4 : 1;
        else if (!pass_parameter(data, at, &i, length, sized))
            return false;
    }
}

iri_d3d9_op iri_d3d9_fitting_row(const uint8_t *data, size_t at, uint32_t length, uint32_t token,
                                 iri_d3d9_model model)
{
    bool sized = (iri_d3d9_models[model].version >> 8 & 0xffu) >= 2;
    for (int foreign = 0; foreign < 2; foreign++)
        for (uint32_t op = 0; op < IRI_D3D9_OP_COUNT; op++)
            if (iri_d3d9_ops[op].number == (token & 0xffffu) &&
                iri_d3d9_model_has_op(model, (iri_d3d9_op)op) != (foreign == 1) &&
                fits(data, at, length, iri_d3d9_ops[op].operands, sized && token & PREDICATED,
                     sized))
                return (iri_d3d9_op)op;
    return IRI_D3D9_OP_COUNT;
}

/* Of the rows of a number the model's own, or else the first. */
static iri_d3d9_op row_of(uint32_t opcode, iri_d3d9_model model)
{
    uint32_t found = IRI_D3D9_OP_COUNT;
    for (uint32_t op = 0; op < IRI_D3D9_OP_COUNT; op++) {
        if (iri_d3d9_ops[op].number != opcode)
            continue;
        if (iri_d3d9_model_has_op(model, (iri_d3d9_op)op))
            return (iri_d3d9_op)op;
        found = found == IRI_D3D9_OP_COUNT ? op : found;
    }
    return (iri_d3d9_op)found;
}

/* Words of the instruction at word `at` of `count`, its token included; 0 when it is none. */
static size_t instruction_length(const uint8_t *data, size_t at, size_t count, iri_d3d9_model model)
{
    uint32_t token = word_at(data, at), length = token >> 24 & 0xfu;
    if (token >> 31)
        return 0;
    if ((iri_d3d9_models[model].version >> 8 & 0xffu) >= 2)
        return length < count - at &&
                       iri_d3d9_fitting_row(data, at + 1, length, token, model) != IRI_D3D9_OP_COUNT
                   ? 1 + length
                   : 0;
    iri_d3d9_op op = row_of(token & 0xffffu, model);
    if (op == IRI_D3D9_OP_COUNT)
        return 0;
    length = 0;
    for (const char *kind = iri_d3d9_ops[op].operands; *kind; kind++)
        length += *kind == 'F' || *kind == 'I' ? 4 : 1;
    return length < count - at &&
                   fits(data, at + 1, length, iri_d3d9_ops[op].operands, false, false)
               ? 1 + length
               : 0;
}

static bool find_model(uint32_t version, iri_d3d9_model *model)
{
    for (uint32_t m = 0; m < IRI_D3D9_MODEL_COUNT; m++) {
        if (iri_d3d9_models[m].version == version) {
            *model = (iri_d3d9_model)m;
            return true;
        }
    }
    return false;
}

iri_d3d9_frame iri_d3d9_find_frame(const uint8_t *data, size_t size)
{
    const iri_d3d9_frame none = {0, IRI_D3D9_MODEL_COUNT, 0};
    iri_d3d9_frame frame = none;
    size_t count = size / 4;
    if (!count || !find_model(word_at(data, 0), &frame.model))
        return none;
    for (size_t at = 1; at < count;) {
        uint32_t token = word_at(data, at);
        if (token == OPCODE_END) {
            frame.size = (at + 1) * 4;
            return frame;
        }
        size_t length;
        if ((token & 0x8000ffffu) == OPCODE_COMMENT) {
            length = 1 + (token >> 16 & 0x7fffu);
        } else {
            length = instruction_length(data, at, count, frame.model);
            frame.instructions++;
        }
        if (!length || length > count - at)
            return none;
        at += length;
    }
    return none;
}
