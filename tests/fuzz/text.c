/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: any bytes as the text form; what parses and validates goes on to the printer and the
 * WGSL writer.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    iri_program *program = NULL;
    iri_refusal why = {0};
    iri_status status =
        iri_lift(data, size, IRI_LIFT_OPTIONS(.limits = &fuzz_limits, .format = IRI_FORMAT_TEXT),
                 &program, NULL, &why);
    if (status == IRI_OK) {
        must_hold(program);
    } else {
        MUST(program == NULL);
        must_refuse_well(status, &why);
    }
    iri_program_free(program);
    return 0;
}
