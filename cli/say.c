/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the command says about a file: refusals, problems and notes, each one line whatever is in a
 * name.
 */
#include "cli.h"
#include <stdlib.h>
#include <string.h>

char *cli_shown(const char *text)
{
    char *shown = cli_alloc(4 * strlen(text) + 1), *at = shown;
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '\n')
            at += sprintf(at, "\\n");
        else if (byte < 0x20 || byte == 0x7f)
            at += sprintf(at, "\\x%02x", byte);
        else
            *at++ = *text;
    }
    return shown;
}

void cli_say(const char *path, const char *problem)
{
    char *shown = cli_shown(path);
    fprintf(stderr, "iridia: %s: %s\n", shown, problem);
    free(shown);
}

char *cli_refusal_line(const iri_refusal *why, const char *path)
{
    size_t size = iri_refusal_line(why, path, NULL, 0) + 1;
    char *line = cli_alloc(size);
    iri_refusal_line(why, path, line, size);
    char *shown = cli_shown(line);
    free(line);
    return shown;
}

int cli_refused(const iri_refusal *why, const char *path)
{
    char *line = cli_refusal_line(why, path);
    fprintf(stderr, "iridia: %s\n", line);
    free(line);
    return CLI_REFUSED;
}

cli_notes cli_collect_notes(const iri_program *program, const iri_note *more, size_t count)
{
    size_t own = iri_note_count(program);
    cli_notes notes = {cli_alloc((own + count + 1) * sizeof *notes.items), own + count};
    for (size_t i = 0; i < own; i++)
        notes.items[i] = iri_note_at(program, i);
    for (size_t i = 0; i < count; i++)
        notes.items[own + i] = &more[i];
    return notes;
}

void cli_print_notes(const char *path, const cli_notes *notes)
{
    char *file = cli_shown(path);
    for (size_t i = 0; i < notes->count; i++) {
        const iri_note *note = notes->items[i];
        char place[16] = "", *text = cli_shown(note->text);
        if (note->offset != IRI_NO_OFFSET)
            snprintf(place, sizeof place, "0x%x:", (unsigned)note->offset);
        fprintf(stderr, "%s:%s note: %s [%s]\n", file, place, text, note->kind);
        free(text);
    }
    free(file);
}
