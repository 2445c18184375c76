/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The source of a traced program: the listing of its shader (`iridia dis`), found by the offsets that instructions
 * have.
 */
#include "run.h"
#include <stdlib.h>
#include <string.h>

struct run_source {
    char *text; /* each line NUL-terminated */
    run_source_line *lines;
    size_t count, capacity;
};

static void note_line(void *user, uint32_t offset, uint32_t line)
{
    run_source *s = user;
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? s->capacity * 2 : 64;
        s->lines = cli_realloc(s->lines, s->capacity * sizeof *s->lines);
    }
    s->lines[s->count++] = (run_source_line){offset, line, ""};
}

run_source *run_source_read(const char *path, cli_bytes bytes)
{
    iri_text listing;
    iri_refusal why;
    if (iri_detect_format(bytes.data, bytes.size) != IRI_FORMAT_D3D9)
        return NULL; /* iridia's text has no source here */
    run_source *s = cli_alloc(sizeof *s);
    if (iri_disassemble(bytes.data, bytes.size,
                        IRI_DISASSEMBLE_OPTIONS(.on_line = note_line, .user = s), &listing,
                        &why) != IRI_OK) {
        cli_refused(&why, path); /* said; the trace goes without */
        run_source_free(s);
        return NULL;
    }
    s->text = cli_printf("%s", listing.data);
    iri_text_free(&listing);
    char *at = s->text;
    uint32_t line = 1;
    for (size_t i = 0; i < s->count; i++) {
        for (; line < s->lines[i].line; line++)
            at = strchr(at, '\n') + 1;
        s->lines[i].text = at + strspn(at, " ");
    }
    for (at = s->text; (at = strchr(at, '\n')) != NULL;)
        *at++ = 0;
    return s;
}

const run_source_line *run_source_at(const run_source *s, uint32_t offset)
{
    size_t low = 0, high = s ? s->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->lines[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return s && low < s->count && s->lines[low].offset == offset ? &s->lines[low] : NULL;
}

void run_source_free(run_source *s)
{
    if (!s)
        return;
    free(s->text);
    free(s->lines);
    free(s);
}
