/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading JSON (RFC 8259) into a tree, for the files that `iridia run --input` takes.
 */
#ifndef IRI_CLI_JSONREAD_H
#define IRI_CLI_JSONREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum jsonread_kind {
    JSONREAD_NULL,
    JSONREAD_BOOL,
    JSONREAD_NUMBER,
    JSONREAD_STRING,
    JSONREAD_ARRAY,
    JSONREAD_OBJECT
} jsonread_kind;

typedef struct jsonread_value {
    jsonread_kind kind;
    uint32_t line;
    double number; /* a boolean's too: 0 or 1 */
    char *string;
    char *key;                    /* of an object's member; else NULL */
    struct jsonread_value *items; /* of an array or object, in order */
    size_t count;
} jsonread_value;

/* Reads one document. False: `*problem` is a static text and `*line` where; nothing need be freed then. */
bool jsonread_parse(const char *text, size_t size, jsonread_value *out, const char **problem,
                    uint32_t *line);
void jsonread_free(jsonread_value *value);

#endif
