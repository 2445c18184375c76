/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small JSON reader for tests that compare with data files. The whole text becomes a tree of
 * nodes in one array; nothing here is meant for hostile input.
 */
#ifndef IRI_TESTS_UNIT_JSON_H
#define IRI_TESTS_UNIT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

typedef struct json_node {
    json_kind kind;
    const char *key;      /* in an object, NUL-terminated */
    const char *text;     /* of strings (escapes undone) and numbers, NUL-terminated */
    double number;        /* of numbers; 1 for true */
    uint32_t child, next; /* 0: none */
} json_node;

typedef struct json {
    json_node *nodes; /* nodes[1] is the root; 0 is no node */
    uint32_t count, capacity;
    char *text;
} json;

/* Takes over `text` (from malloc, NUL-terminated). False when it is no JSON. */
bool json_parse(json *out, char *text);
void json_free(json *j);

/* NULL when there is none. `json_first` and `json_next` walk arrays and objects. */
const json_node *json_get(const json *j, const json_node *object, const char *key);
const json_node *json_first(const json *j, const json_node *parent);
const json_node *json_next(const json *j, const json_node *node);
/* Of a member; 0 or NULL when there is none. */
double json_number(const json *j, const json_node *object, const char *key);
const char *json_string(const json *j, const json_node *object, const char *key);

#endif
