/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The listing of a shader (`iridia dis`), its lines found by the offsets that instructions have: for traces and maps.
 */
#include "cli.h"
#include <stdlib.h>
#include <string.h>

static void note_line(void *user, uint32_t offset, uint32_t line)
{
    cli_listing *l = user;
    if (l->count == l->capacity) {
        l->capacity = l->capacity ? l->capacity * 2 : 64;
        l->lines = cli_realloc(l->lines, l->capacity * sizeof *l->lines);
    }
    l->lines[l->count++] = (cli_listed){l->base + offset, line, ""};
}

cli_listing *cli_listing_read(const char *path, const cli_bytes *bytes)
{
    iri_text listing;
    iri_refusal why;
    if (iri_detect_format(bytes->data, bytes->size) != IRI_FORMAT_D3D9)
        return NULL; /* iridia's text has no source here */
    cli_listing *l = cli_alloc(sizeof *l);
    l->base = bytes->at;
    if (iri_disassemble(bytes->data, bytes->size,
                        IRI_DISASSEMBLE_OPTIONS(.on_line = note_line, .user = l), &listing,
                        &why) != IRI_OK) {
        cli_refused(&why, path); /* said; what asked goes without */
        cli_listing_free(l);
        return NULL;
    }
    l->text = cli_printf("%s", listing.data);
    iri_text_free(&listing);
    char *at = l->text;
    uint32_t line = 1;
    for (size_t i = 0; i < l->count; i++) {
        for (; line < l->lines[i].line; line++)
            at = strchr(at, '\n') + 1;
        l->lines[i].text = at + strspn(at, " ");
    }
    for (at = l->text; (at = strchr(at, '\n')) != NULL;)
        *at++ = 0;
    return l;
}

const cli_listed *cli_listing_at(const cli_listing *l, uint32_t offset)
{
    size_t low = 0, high = l ? l->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->lines[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return l && low < l->count && l->lines[low].offset == offset ? &l->lines[low] : NULL;
}

void cli_listing_free(cli_listing *l)
{
    if (!l)
        return;
    free(l->text);
    free(l->lines);
    free(l);
}
