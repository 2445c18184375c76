/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A second reading of preshaders: their tokens run one after another in double precision, as D3DX does.
 */
#ifndef IRI_TESTS_PRESHADER_REFERENCE_H
#define IRI_TESTS_PRESHADER_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REFERENCE_LANES = 4096 };

typedef struct reference {
    float input[REFERENCE_LANES], temp[REFERENCE_LANES];
    float c[REFERENCE_LANES];
    int32_t i[REFERENCE_LANES], b[REFERENCE_LANES];
    bool function; /* ran one of C's functions, whose last bit may differ from iridia's */
} reference;

/* Runs the preshader that begins with the version word at `stream`; `rows` registers hold its parameters. False where
 * it does what this does not know. */
bool reference_run(reference *r, const uint8_t *stream, size_t size, uint32_t rows);

/* The version word of the preshader in a shader or an expression, found by its tags; NULL when there is none. */
const uint8_t *reference_find(const uint8_t *bytes, size_t size);

#endif
