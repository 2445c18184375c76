/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: any bytes as a Direct3D 9 token stream, through every pass and the WGSL writer.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    iri_program *program = NULL;
    iri_refusal why = {0};
    iri_state state = IRI_STATE_D3D9_DEFAULT;
    iri_status status =
        iri_lift(data, size,
                 IRI_LIFT_OPTIONS(.limits = &fuzz_limits, .format = IRI_FORMAT_D3D9,
                                  .state = &state, .uninitialized = IRI_UNINITIALIZED_ZERO),
                 &program, NULL, &why);
    if (status == IRI_OK) {
        must_hold(program);
    } else {
        MUST(program == NULL);
        must_refuse_well(status, &why);
        MUST(why.offset == IRI_NO_OFFSET || why.offset <= size);
    }
    iri_program_free(program);
    return 0;
}

size_t fuzz_seed(uint8_t *data, size_t size, size_t capacity)
{
    (void)data, (void)capacity;
    return size;
}
