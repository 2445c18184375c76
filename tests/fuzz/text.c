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

size_t fuzz_seed(uint8_t *data, size_t size, size_t capacity)
{
    iri_program *program = NULL;
    iri_text text = {0};
    if (iri_lift(data, size, NULL, &program, NULL, NULL) == IRI_OK &&
        iri_print_text(program, NULL, &text, NULL) == IRI_OK && text.size <= capacity) {
        memcpy(data, text.data, text.size);
        size = text.size;
    }
    iri_text_free(&text);
    iri_program_free(program);
    return size;
}
