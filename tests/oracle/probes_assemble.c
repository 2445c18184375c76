/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Assembles a probe's text, as recorded tokens were made of it by Microsoft's assembler.
 */
#include "tests/oracle/probes.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 4096 };

/* The text of a frame by name, "vs_2_0 | ... | mov oT0, r0"; NULL when there is none. */
static const char *frame_named(const probe *p, const char *name, size_t length)
{
    for (const char *const *f = p->frames; *f; f++)
        if (strncmp(*f, name, length) == 0 && (*f)[length] == ' ')
            return *f + length + 1;
    return NULL;
}

static void add(char text[TEXT], size_t *size, const char *from, size_t length)
{
    for (size_t i = 0; i < length && *size + 1 < TEXT; i++)
        text[(*size)++] = from[i] == '|' ? '\n' : from[i];
    text[*size] = 0;
}

bool probe_assemble(const probe *p, char why[CASE_WHY])
{
    const probe_line *line = probe_next(p, "asm", NULL);
    const char *body = line ? strstr(line->rest, ": ") : NULL;
    const char *frame = body ? frame_named(p, line->rest, (size_t)(body - line->rest)) : NULL;
    const char *hole = frame ? strstr(frame, "...") : NULL;
    char text[TEXT] = "";
    size_t size = 0;
    iri_text tokens;
    iri_refusal refusal;
    if (!line)
        return true;
    if (!hole)
        return stage_fail(why, "no such frame", line->rest);
    add(text, &size, frame, (size_t)(hole - frame));
    add(text, &size, body + 2, strlen(body + 2));
    add(text, &size, hole + 3, strlen(hole + 3));
    if (iri_assemble(text, size, NULL, &tokens, &refusal) != IRI_OK)
        return stage_refuse(why, &refusal);
    bool same = tokens.size == p->code_count * 4u;
    for (uint32_t i = 0; i < p->code_count && same; i++) {
        const uint8_t *b = (const uint8_t *)tokens.data + (size_t)i * 4;
        uint32_t word = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        same = word == p->code[i];
        if (!same)
            snprintf(why, CASE_WHY, "token %u is %08x, Microsoft's %08x", (unsigned)i,
                     (unsigned)word, (unsigned)p->code[i]);
    }
    if (!same && !why[0])
        stage_fail(why, "another count of tokens than Microsoft's", NULL);
    iri_text_free(&tokens);
    return same;
}
