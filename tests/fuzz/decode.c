/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: any bytes decoded alone, not lifted: framed, found by a scan, and listed, with each line's offset.
 */
#include "fuzz.h"

typedef struct walk {
    size_t size, end; /* of the bytes; of what was reported last */
    uint32_t line;
} walk;

static void on_line(void *user, uint32_t offset, uint32_t line)
{
    walk *w = user;
    MUST(offset % 4 == 0 && offset >= w->end && offset < w->size);
    MUST(line > w->line);
    w->end = (size_t)offset + 4;
    w->line = line;
}

static void on_program(void *user, const iri_scanned *program)
{
    walk *w = user;
    MUST(program->offset >= w->end && program->size && program->target);
    MUST(program->offset <= w->size && program->size <= w->size - program->offset);
    w->end = program->offset + program->size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    iri_refusal why = {0};
    iri_text listing = {0};
    walk lines = {.size = size}, found = {.size = size};
    MUST(iri_frame_size(data, size) <= size);
    iri_scan(data, size, NULL, on_program, &found);
    iri_status status =
        iri_disassemble(data, size,
                        IRI_DISASSEMBLE_OPTIONS(.limits = &fuzz_limits, .comments = size % 2 != 0,
                                                .on_line = on_line, .user = &lines),
                        &listing, &why);
    if (status != IRI_OK) {
        MUST(listing.data == NULL);
        must_refuse_well(status, &why);
        MUST(why.offset == IRI_NO_OFFSET || why.offset <= size);
    } else {
        MUST(strlen(listing.data) == listing.size);
    }
    iri_text_free(&listing);
    return 0;
}

size_t fuzz_seed(uint8_t *data, size_t size, size_t capacity)
{
    (void)data, (void)capacity;
    return size;
}
