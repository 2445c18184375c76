/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The forms of `iridia batch`.
 */
#ifndef IRI_CLI_BATCH_H
#define IRI_CLI_BATCH_H

#include "cli.h"

typedef struct batch_form {
    const char *name;   /* of --to */
    const char *ending; /* of the files */
    int version;        /* of the writer */
    /* Adds the writer's notes to `*notes`. Callable from any thread. */
    bool (*make)(const iri_program *program, iri_text *text, uint32_t *notes, iri_refusal *why);
} batch_form;

/* NULL is the first; NULL with a line on stderr when there is none of that name. */
const batch_form *batch_find_form(const char *name);
/* Reads the options that go with a form; false with a line on stderr when they do not. */
bool batch_form_finish(const batch_form *form);

#endif
