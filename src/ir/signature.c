/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the letters of ops.def.
 */
#include "ir/signature.h"

const iri_signature iri_signatures[IRI_OP_COUNT] = {
#define IRI_OP(id, name, type_class, results, operands, immediates, properties, lane) \
    [IRI_OP_##id] = {results, immediates, operands, type_class, sizeof immediates - 1},
#include <iridia/ops.def>
#undef IRI_OP
};

iri_arity iri_letter_arity(const char *letters)
{
    iri_arity arity = {0, 0};
    for (; *letters; letters++) {
        if (*letters == '*') {
            arity.most = IRI_ANY_NUMBER;
            break;
        }
        if (*letters == '?')
            letters++;
        else
            arity.least++;
        arity.most++;
    }
    return arity;
}

bool iri_class_has(char type_class, iri_scalar scalar)
{
    switch (type_class) {
    case 'F': return iri_is_float(scalar);
    case 'H': return scalar == IRI_F16 || scalar == IRI_F32;
    case 'I': return iri_is_integer(scalar);
    case 'N': return scalar > IRI_BOOL && scalar < IRI_SCALAR_COUNT;
    case 'L': return scalar == IRI_BOOL || iri_is_integer(scalar);
    case 'B': return scalar == IRI_BOOL;
    case 'A': return scalar > IRI_VOID && scalar < IRI_SCALAR_COUNT;
    default: return true;
    }
}

/* The one type that fits the letter, void where there are several. */
static iri_type exact_type(char letter, iri_type t)
{
    switch (letter) {
    case 'T': return t;
    case 'S': return IRI_TYPE(IRI_TYPE_SCALAR(t), 1);
    case 'C':
    case 'B': return IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(t));
    case 'b': return IRI_TYPE_BOOL;
    case 'u': return IRI_TYPE_U32;
    case 'f': return IRI_TYPE_F32;
    default: return IRI_TYPE_VOID;
    }
}

bool iri_letter_fits(char letter, iri_type type, iri_type t)
{
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    bool same_lanes = IRI_TYPE_LANES(type) == IRI_TYPE_LANES(t);
    iri_type exact = exact_type(letter, t);
    if (exact)
        return type == exact || (letter == 'C' && type == IRI_TYPE_BOOL);
    switch (letter) {
    case 'i': return iri_is_integer(scalar) && IRI_TYPE_LANES(type) == 1;
    case 'F': return iri_is_float(scalar) && same_lanes;
    case 'I': return iri_is_integer(scalar) && same_lanes;
    case 'N': return iri_class_has('N', scalar) && same_lanes;
    default: return true;
    }
}

const char *iri_letter_words(char letter, iri_type t)
{
    switch (letter) {
    case 'i': return "an integer";
    case 'F': return "floats of as many lanes";
    case 'I': return "integers of as many lanes";
    case 'N': return "numbers of as many lanes";
    default: return iri_type_name(exact_type(letter, t));
    }
}

bool iri_are_lanes(iri_lanes lanes, bool mask)
{
    uint32_t count = IRI_LANES_COUNT(lanes);
    if (lanes & ~(0x300u | ((1u << 2 * count) - 1u)))
        return false;
    for (uint32_t i = 1; mask && i < count; i++)
        if (IRI_LANES_AT(lanes, i) <= IRI_LANES_AT(lanes, i - 1))
            return false;
    return true;
}

uint32_t iri_missing_lane(iri_lanes lanes, iri_type type)
{
    for (uint32_t i = 0; i < IRI_LANES_COUNT(lanes); i++)
        if (IRI_LANES_AT(lanes, i) >= IRI_TYPE_LANES(type))
            return IRI_LANES_AT(lanes, i);
    return 4;
}
