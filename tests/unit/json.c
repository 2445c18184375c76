/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tests' JSON reader (RFC 8259; \u escapes only to ASCII).
 */
#include "tests/unit/json.h"

#include <stdlib.h>
#include <string.h>

typedef struct parser {
    json *out;
    char *at;
} parser;

static void skip_space(parser *p)
{
    while (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t')
        p->at++;
}

static uint32_t add_node(parser *p, json_kind kind)
{
    json *j = p->out;
    if (j->count == j->capacity) {
        j->capacity = j->capacity ? j->capacity * 2 : 1024;
        j->nodes = realloc(j->nodes, j->capacity * sizeof *j->nodes);
        if (j->nodes == NULL)
            abort();
    }
    j->nodes[j->count] = (json_node){.kind = kind};
    return j->count++;
}

/* Undoes escapes in place. */
static const char *read_string(parser *p)
{
    char *text = ++p->at, *to = text;
    while (*p->at != '"') {
        if (*p->at == 0)
            return NULL;
        if (*p->at != '\\') {
            *to++ = *p->at++;
            continue;
        }
        char c = p->at[1];
        static const char from[] = "nrtbf", into[] = "\n\r\t\b\f";
        const char *found = c ? strchr(from, c) : NULL;
        if (c == 'u' && strlen(p->at) >= 6) {
            char hex[5] = {p->at[2], p->at[3], p->at[4], p->at[5], 0};
            *to++ = (char)strtol(hex, NULL, 16);
            p->at += 6;
        } else if (c) {
            *to++ = found ? into[found - from] : c;
            p->at += 2;
        } else {
            return NULL;
        }
    }
    p->at++;
    *to = 0;
    return text;
}

static uint32_t read_value(parser *p);

static uint32_t read_list(parser *p, json_kind kind)
{
    uint32_t list = add_node(p, kind), last = 0;
    char close = kind == JSON_ARRAY ? ']' : '}';
    p->at++;
    skip_space(p);
    if (*p->at == close) {
        p->at++;
        return list;
    }
    for (;;) {
        const char *key = NULL;
        skip_space(p);
        if (kind == JSON_OBJECT) {
            if (*p->at != '"' || (key = read_string(p)) == NULL)
                return 0;
            skip_space(p);
            if (*p->at++ != ':')
                return 0;
        }
        uint32_t value = read_value(p);
        if (value == 0)
            return 0;
        p->out->nodes[value].key = key;
        if (last)
            p->out->nodes[last].next = value;
        else
            p->out->nodes[list].child = value;
        last = value;
        skip_space(p);
        if (*p->at == close) {
            p->at++;
            return list;
        }
        if (*p->at++ != ',')
            return 0;
    }
}

static uint32_t read_word(parser *p, const char *word, json_kind kind, double number)
{
    size_t size = strlen(word);
    if (strncmp(p->at, word, size) != 0)
        return 0;
    p->at += size;
    uint32_t node = add_node(p, kind);
    p->out->nodes[node].number = number;
    return node;
}

static uint32_t read_value(parser *p)
{
    skip_space(p);
    switch (*p->at) {
    case '[': return read_list(p, JSON_ARRAY);
    case '{': return read_list(p, JSON_OBJECT);
    case 't': return read_word(p, "true", JSON_BOOL, 1);
    case 'f': return read_word(p, "false", JSON_BOOL, 0);
    case 'n': return read_word(p, "null", JSON_NULL, 0);
    case '"': {
        const char *text = read_string(p);
        uint32_t node = text ? add_node(p, JSON_STRING) : 0;
        if (node)
            p->out->nodes[node].text = text;
        return node;
    }
    default: break;
    }
    char *end;
    double number = strtod(p->at, &end);
    if (end == p->at)
        return 0;
    uint32_t node = add_node(p, JSON_NUMBER);
    p->out->nodes[node].number = number;
    p->at = end;
    return node;
}

bool json_parse(json *out, char *text)
{
    parser p = {out, text};
    *out = (json){.text = text};
    add_node(&p, JSON_NULL);
    bool right = read_value(&p) != 0;
    skip_space(&p);
    return right && *p.at == 0;
}

void json_free(json *j)
{
    free(j->nodes);
    free(j->text);
}

const json_node *json_first(const json *j, const json_node *parent)
{
    return parent && parent->child ? &j->nodes[parent->child] : NULL;
}

const json_node *json_next(const json *j, const json_node *node)
{
    return node->next ? &j->nodes[node->next] : NULL;
}

const json_node *json_get(const json *j, const json_node *object, const char *key)
{
    for (const json_node *n = json_first(j, object); n; n = json_next(j, n))
        if (n->key && strcmp(n->key, key) == 0)
            return n;
    return NULL;
}

double json_number(const json *j, const json_node *object, const char *key)
{
    const json_node *node = json_get(j, object, key);
    return node ? node->number : 0;
}

const char *json_string(const json *j, const json_node *object, const char *key)
{
    const json_node *node = json_get(j, object, key);
    return node ? node->text : NULL;
}
