/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random valid programs, made through the public builder. A program depends on its options alone: the same
 * everywhere. What it computes reaches its outputs: values that nothing reads are mixed into a hash that the
 * program gives out, and floats are kept from becoming all NaN or infinite.
 */
#ifndef IRI_TESTS_FUZZ_RANDOM_H
#define IRI_TESTS_FUZZ_RANDOM_H

#include <iridia/iridia.h>

/* What a program may have. */
enum {
    RANDOM_WIDE = 1,        /* scalars of 16 and 64 bits */
    RANDOM_RESOURCES = 2,   /* constant buffers, textures, pipeline state */
    RANDOM_DERIVATIVES = 4, /* ddx, ddy, lookups with implicit levels; the stage is pixel */
    RANDOM_DIVERGENT = 8,   /* those also where flow may have diverged */
    RANDOM_LOCALS = 16,     /* plain locals; what regions give then goes through them too */
    RANDOM_ARRAYS = 32,     /* indexed locals */
    RANDOM_CALLS = 64,
    RANDOM_GRAPHS = 128, /* functions of CFG form */
    RANDOM_SPECIAL =
        256, /* constants that are NaN, infinite, denormal, or the largest of their type */
    RANDOM_VERTEX = 512,
    /* For comparisons with a GPU: only what its standard computes exactly or to a stated error, and nothing that
     * hangs on a number with an error; all outputs are floats. */
    RANDOM_SHARP = 1024,
    RANDOM_DEMOTE = 2048
};

typedef struct random_options {
    uint64_t seed;
    uint32_t size; /* about how many statements */
    uint32_t what; /* RANDOM_ bits */
    /* What is drawn first, before numbers of the seed: a fuzzer changes a program here and there. */
    const uint8_t *bytes;
    size_t byte_count;
} random_options;

enum { RANDOM_INPUTS = 8, RANDOM_OUTPUTS = 6, RANDOM_RESOURCES_MAX = 12 };

/* The size and the bits that a seed stands for: any program, or one for a GPU. */
random_options random_from_seed(uint64_t seed, bool sharp);
/* The program is the caller's; NULL and `why` when the builder refuses it, which is a fault. */
iri_program *random_program(const random_options *options, iri_refusal *why);
/* How many rows of ops.def programs are made of. */
uint32_t random_op_count(void);

#endif
