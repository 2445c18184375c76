/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of the executor share: programs from text, and one-line runs.
 */
#ifndef IRI_TESTS_UNIT_TEST_EXEC_H
#define IRI_TESTS_UNIT_TEST_EXEC_H

#include "base/number.h"
#include "tests/unit/test.h"
#include <iridia/iridia.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A valid program from text; NULL and a fault reported otherwise. */
static inline iri_program *exec_parse(const char *text)
{
    iri_program *p = NULL;
    iri_refusal why = {0};
    if (iri_parse_text(text, strlen(text), NULL, &p, &why) != IRI_OK ||
        iri_validate(p, IRI_CAN_ALL, NULL, &why) != IRI_OK) {
        iri_test_fail(__FILE__, __LINE__, "line %u: %s", (unsigned)why.line, why.reason);
        iri_program_free(p);
        return NULL;
    }
    return p;
}

/* Compiled; NULL and a fault reported when it is refused. */
static inline iri_exec *exec_compile(const iri_program *p, const iri_exec_options *options)
{
    iri_exec *e = NULL;
    iri_refusal why = {0};
    if (p && iri_exec_compile(p, options, &e, &why) != IRI_OK)
        iri_test_fail(__FILE__, __LINE__, "%s", why.reason);
    return e;
}

static inline uint32_t exec_bits(float x)
{
    return iri_f32_bits(x);
}

/* Floats that find faults, and any others. */
static inline uint32_t exec_some_float(void)
{
    static const uint32_t special[] = {
        0,          0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40490fdb,
        0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7fa12345, 1,
        0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x4f000000, 0xcf000000,
        0x4f800000, 0x3effffff, 0x4b000001, 0xc0200000, 0x3e99999a, 0x42c80000,
    };
    uint64_t r = iri_test_random();
    if (r % 3 == 0)
        return special[r / 3 % (sizeof special / sizeof *special)];
    if (r % 3 == 1)
        return (uint32_t)(r >> 20);
    return iri_f32_bits((float)((int32_t)(r >> 20) % 4096) / 256.0f);
}

#endif
