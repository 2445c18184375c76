/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON as the reporting commands print it: two spaces a level, keys in a fixed order. Bytes of a
 * string that are not UTF-8 become U+FFFD. docs/json.md is the schema.
 */
#include "cli.h"
#include <stdlib.h>
#include <string.h>

static void put(cli_json *json, const char *text, size_t size)
{
    if (json->size + size + 1 > json->capacity) {
        json->capacity = (json->size + size + 1) * 2;
        json->data = cli_realloc(json->data, json->capacity);
    }
    memcpy(json->data + json->size, text, size);
    json->size += size;
    json->data[json->size] = 0;
}

static void put_text(cli_json *json, const char *text)
{
    put(json, text, strlen(text));
}

static void put_line(cli_json *json)
{
    put_text(json, "\n");
    for (uint32_t i = 0; i < json->depth; i++)
        put_text(json, "  ");
}

/* How many bytes of well-formed UTF-8 stand at `s` as one character; 0 when none. */
static size_t utf8_size(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    size_t size = s[0] >= 0xf5 ? 0 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
    for (size_t i = 1; i < size; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return size;
}

static void put_quoted(cli_json *json, const char *value)
{
    put_text(json, "\"");
    for (const unsigned char *s = (const unsigned char *)value; *s;) {
        size_t size = utf8_size(s);
        if (size == 0) {
            put_text(json, "\\ufffd");
            s++;
        } else if (*s == '"' || *s == '\\') {
            put(json, (char[]){'\\', (char)*s}, 2);
            s++;
        } else if (*s < 0x20 || *s == 0x7f) {
            char escape[8];
            snprintf(escape, sizeof escape, "\\u%04x", *s);
            put_text(json, escape);
            s++;
        } else {
            put(json, (const char *)s, size);
            s += size;
        }
    }
    put_text(json, "\"");
}

static void put_key(cli_json *json, const char *key)
{
    if (json->depth > 0) {
        if (!json->first[json->depth])
            put_text(json, ",");
        json->first[json->depth] = false;
        put_line(json);
    }
    if (key) {
        put_quoted(json, key);
        put_text(json, ": ");
    }
}

void json_open(cli_json *json, const char *key, char bracket)
{
    put_key(json, key);
    put(json, &bracket, 1);
    json->depth++;
    json->first[json->depth] = true;
}

void json_close(cli_json *json, char bracket)
{
    bool empty = json->first[json->depth];
    json->depth--;
    if (!empty)
        put_line(json);
    put(json, &bracket, 1);
}

void json_string(cli_json *json, const char *key, const char *value)
{
    put_key(json, key);
    if (value)
        put_quoted(json, value);
    else
        put_text(json, "null");
}

void json_number(cli_json *json, const char *key, int64_t value)
{
    char text[24];
    put_key(json, key);
    snprintf(text, sizeof text, "%lld", (long long)value);
    put_text(json, text);
}

void json_real(cli_json *json, const char *key, double value)
{
    char text[32];
    put_key(json, key);
    snprintf(text, sizeof text, "%.9g", value);
    put_text(json, text);
}

void json_bool(cli_json *json, const char *key, bool value)
{
    put_key(json, key);
    put_text(json, value ? "true" : "false");
}

void json_words(cli_json *json, const char *key, const uint32_t *words, size_t count)
{
    put_key(json, key);
    put_text(json, "[");
    for (size_t i = 0; i < count; i++) {
        char text[16];
        snprintf(text, sizeof text, "%s%u", i ? ", " : "", (unsigned)words[i]);
        put_text(json, text);
    }
    put_text(json, "]");
}

static void put_offset(cli_json *json, const char *key, uint32_t offset)
{
    if (offset == IRI_NO_OFFSET)
        json_string(json, key, NULL);
    else
        json_number(json, key, offset);
}

void json_refusal(cli_json *json, const char *key, const iri_refusal *why)
{
    json_open(json, key, '{');
    json_string(json, "group", why->group);
    json_string(json, "format", why->format);
    json_string(json, "unit", why->unit);
    json_string(json, "path", why->path);
    put_offset(json, "offset", why->offset);
    if (why->line) {
        json_number(json, "line", why->line);
        json_number(json, "column", why->column);
    }
    json_string(json, "reason", why->reason);
    json_close(json, '}');
}

void json_notes(cli_json *json, const cli_notes *notes)
{
    json_open(json, "notes", '[');
    for (size_t i = 0; i < notes->count; i++) {
        json_open(json, NULL, '{');
        json_string(json, "kind", notes->items[i]->kind);
        put_offset(json, "offset", notes->items[i]->offset);
        json_string(json, "text", notes->items[i]->text);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void json_names(cli_json *json, const iri_emitted_name *names, size_t count, bool spirv)
{
    static const char *const kinds[] = {"resource", "input",    "output",
                                        "member",   "override", "counter"};
    enum { OVERRIDE = 4 };
    json_open(json, "names", '[');
    for (size_t i = 0; i < count; i++) {
        const iri_emitted_name *n = &names[i];
        json_open(json, NULL, '{');
        json_string(json, "kind", kinds[n->kind]);
        json_number(json, "index", n->index);
        json_string(json, "source", n->source);
        json_string(json, "emitted", n->emitted);
        if (spirv && n->kind == OVERRIDE) {
            json_number(json, "specId", n->binding);
        } else if (n->binding >= 0) {
            json_number(json, "group", n->group);
            json_number(json, "binding", n->binding);
        }
        if (n->location >= 0)
            json_number(json, "location", n->location);
        json_close(json, '}');
    }
    json_close(json, ']');
}

bool json_finish(cli_json *json, const char *path)
{
    put_text(json, "\n");
    bool ok = cli_write(path, json->data, json->size);
    free(json->data);
    *json = (cli_json){0};
    return ok;
}
