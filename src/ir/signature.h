/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The letters of ops.def, and what they say of types: the one reading of them that the builder and the
 * validator share. See ops.def for what each letter means.
 */
#ifndef IRI_IR_SIGNATURE_H
#define IRI_IR_SIGNATURE_H

#include "ir/program.h"

/* The letters of a row, in place: no pointer is followed to read them. */
typedef struct iri_signature {
    char results[3], immediates[9], operands[12];
    char type_class;
    uint8_t immediate_letters;
} iri_signature;

extern const iri_signature iri_signatures[IRI_OP_COUNT];

enum { IRI_ANY_NUMBER = UINT16_MAX };

/* How many things a list of letters allows. */
typedef struct iri_arity {
    uint16_t least, most; /* IRI_ANY_NUMBER: as many as there are */
} iri_arity;

iri_arity iri_letter_arity(const char *letters);

/* The letter of the thing that comes next, `*` for all that are left, 0 where there is none; moves
 * `letters` on. */
static inline char iri_next_letter(const char **letters)
{
    const char *at = *letters;
    if (*at == '?')
        at++;
    *letters = at + (*at && *at != '*');
    return *at;
}

static inline bool iri_is_float(iri_scalar s)
{
    /* What no scalar has as its number is none: types of a caller's making come here. */
    return s < IRI_SCALAR_COUNT && (1u << s & (1u << IRI_F16 | 1u << IRI_F32 | 1u << IRI_F64)) != 0;
}
static inline bool iri_is_integer(iri_scalar s)
{
    return s > IRI_BOOL && s < IRI_SCALAR_COUNT && !iri_is_float(s);
}

/* Whether the type variable of a row of this class may have the scalar. */
bool iri_class_has(char type_class, iri_scalar scalar);

/* Most operations: every operand is of one type, which gives the result's, and there are no immediates. False
 * where it takes more to say. */
static inline bool iri_are_alike(const iri_signature *s, const iri_value *values,
                                 const iri_id *operands, uint32_t count, iri_type *result)
{
    if (!count || count >= sizeof s->operands || s->immediate_letters)
        return false;
    iri_type t = values[operands[0]].type;
    for (uint32_t i = 0; i < count; i++)
        if (s->operands[i] != 'T' || values[operands[i]].type != t)
            return false;
    if (s->operands[count] || !t || !iri_class_has(s->type_class, IRI_TYPE_SCALAR(t)))
        return false;
    *result = s->results[0] == 'T'   ? t
              : s->results[0] == 'S' ? IRI_TYPE(IRI_TYPE_SCALAR(t), 1)
              : s->results[0] == 'B' ? IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(t))
                                     : IRI_TYPE_VOID;
    return *result != IRI_TYPE_VOID;
}

/* Whether something of the type can stand where the letter is, `t` being the type variable. */
bool iri_letter_fits(char letter, iri_type type, iri_type t);
/* Words for what should stand there: "vec4<f32>", "an integer". */
const char *iri_letter_words(char letter, iri_type t);

/* Whether the letter says what the type variable is. */
static inline bool iri_letter_gives_t(char letter)
{
    return letter == 'T' || letter == 'B' || letter == 'S';
}

/* Whether `lanes` is a choice of lanes, or as `mask` one that ascends. */
bool iri_are_lanes(iri_lanes lanes, bool mask);
/* The first lane chosen that the type does not have, 4 when it has all. */
uint32_t iri_missing_lane(iri_lanes lanes, iri_type type);

#endif
