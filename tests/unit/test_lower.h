/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of the Direct3D 9 lowering share: an assembler for token streams, so that a test says
 * what it means, and a plain interpreter of programs over ir/eval.
 */
#ifndef IRI_TESTS_UNIT_TEST_LOWER_H
#define IRI_TESTS_UNIT_TEST_LOWER_H

#include "ir/program.h"
#include <iridia/iridia.h>

enum { IRI_TEST_WORDS = 4096 };

/* Words of a shader written in Microsoft's syntax, lines ended by '\n' or ';', the first the model. Beside
 * it `dword 0x...` puts a word as it is. Returns how many; 0 after reporting a fault. */
uint32_t iri_test_assemble(const char *text, uint32_t words[IRI_TEST_WORDS]);
void iri_test_pack(const uint32_t *words, uint32_t count, uint8_t *bytes);

/* What one run of a program is given, and gives. Lanes are f32, unless a type says otherwise. */
typedef struct iri_test_run {
    const iri_program *p;
    uint32_t inputs[16][4]; /* by index of the interface */
    const uint32_t *cb[3];  /* words of cb0, cb1, cb2, as many as the buffers have; NULL: zeros */
    /* The value of a sample; NULL: (0, 0, 0, 1). `operands` are the operation's. */
    void (*sample)(void *user, const iri_inst *in, uint32_t texture, uint64_t (*operands)[4],
                   float texel[4]);
    void *user;
    uint32_t outputs[20][4]; /* lanes of each output's own type */
    bool killed;
    const char *fault; /* what could not be run, or NULL */

    uint64_t (*values)[4];
    uint64_t (*locals)[4];
    uint32_t *local_at;
    uint32_t steps;
    uint64_t carried[80][4];
    uint32_t label;
} iri_test_run;

/* Runs the entry. False, with `fault`, when it cannot. */
bool iri_test_interpret(iri_test_run *run);

/* Assembles and lifts under Direct3D's default state; NULL after reporting a fault. */
iri_program *iri_test_lift(const char *text, const iri_lift_options *options);

#endif
