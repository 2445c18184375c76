/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: any bytes as assembly; what is assembled is listed, and the listing is settled: it assembles to tokens
 * that are listed the same.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    iri_refusal why = {0};
    iri_text tokens = {0}, listing = {0}, again = {0}, settled = {0};
    iri_status status = iri_assemble((const char *)data, size,
                                     IRI_ASSEMBLE_OPTIONS(.limits = &fuzz_limits), &tokens, &why);
    if (status != IRI_OK) {
        MUST(tokens.data == NULL);
        must_refuse_well(status, &why);
        return 0;
    }
    const iri_disassemble_options *list =
        IRI_DISASSEMBLE_OPTIONS(.limits = &fuzz_limits, .comments = true);
    MUST(tokens.size % 4 == 0);
    status = iri_disassemble(tokens.data, tokens.size, list, &listing, &why);
    if (status != IRI_OK) {
        must_refuse_well(status, &why);
    } else if (iri_assemble(listing.data, listing.size,
                            IRI_ASSEMBLE_OPTIONS(.limits = &fuzz_limits), &again, &why) == IRI_OK) {
        MUST(iri_disassemble(again.data, again.size, list, &settled, &why) == IRI_OK);
        MUST(listing.size == settled.size && !memcmp(listing.data, settled.data, listing.size));
    } else {
        must_refuse_well(why.status, &why);
    }
    iri_text_free(&settled);
    iri_text_free(&again);
    iri_text_free(&listing);
    iri_text_free(&tokens);
    return 0;
}

size_t fuzz_seed(uint8_t *data, size_t size, size_t capacity)
{
    iri_text text = {0};
    if (iri_disassemble(data, size, IRI_DISASSEMBLE_OPTIONS(.comments = true), &text, NULL) ==
            IRI_OK &&
        text.size <= capacity) {
        memcpy(data, text.data, text.size);
        size = text.size;
    }
    iri_text_free(&text);
    return size;
}
