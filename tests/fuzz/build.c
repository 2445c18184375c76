/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: any bytes as the choices of iri-random's generator. What it makes through the public builder is a valid
 * program, and means the same printed and parsed, run, folded, after each pass and before it.
 */
#include "agree.h"
#include "fuzz.h"
#include "random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static agree_counts counts;
    char what[AGREE_WHAT];
    uint8_t first[2] = {0};
    iri_refusal why = {0};
    memcpy(first, data, size < sizeof first ? size : sizeof first);
    size_t rest = size < sizeof first ? size : sizeof first;
    uint64_t seed = (uint64_t)first[0] | (uint64_t)first[1] << 8;
    random_options options = random_from_seed(seed, false);
    options.bytes = data + rest;
    options.byte_count = size - rest;
    iri_program *program = random_program(&options, &why);
    if (!program)
        fprintf(stderr, "the builder refuses: %s\n", why.reason);
    MUST(program);
    if (!agree_check(program, seed, &counts, what)) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
    iri_program_free(program);
    return 0;
}

/* A shader's version token is the same in most; what follows tells them apart. */
size_t fuzz_seed(uint8_t *data, size_t size, size_t capacity)
{
    (void)capacity;
    for (size_t i = 4; i < size && size > 4; i++)
        data[i % 2] = (uint8_t)(data[i % 2] * 31u + data[i]);
    return size;
}
