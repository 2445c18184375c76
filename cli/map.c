/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia wgsl --map`: which lines of the module, which bytes of the file and which lines of the listing belong
 * together. docs/json.md, "map".
 */
#include "manifest.h"
#include <stdlib.h>

static int compare_offsets(const void *a, const void *b)
{
    const iri_wgsl_line *x = a, *y = b;
    return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset)
                                  : (x->line > y->line) - (x->line < y->line);
}

static void print_instruction(cli_json *json, uint32_t offset, const cli_listed *listed,
                              const iri_wgsl_line *lines, size_t count)
{
    json_open(json, NULL, '{');
    json_number(json, "offset", offset);
    if (listed)
        json_number(json, "listingLine", listed->line);
    else
        json_string(json, "listingLine", NULL);
    json_string(json, "listing", listed ? listed->text : NULL);
    json_open(json, "lines", '[');
    for (size_t i = 0; i < count; i++)
        json_number(json, NULL, lines[i].line);
    json_close(json, ']');
    json_close(json, '}');
}

/* All of the listing, and what the map has beside it, by offset. `lines`: by offset. */
static void print_instructions(cli_json *json, const cli_listing *listing,
                               const iri_wgsl_line *lines, size_t count)
{
    size_t listed = listing ? listing->count : 0, l = 0, at = 0, end;
    json_open(json, "instructions", '[');
    while (l < listed || at < count) {
        const cli_listed *next = l < listed ? &listing->lines[l] : NULL;
        uint32_t offset = next && (at == count || next->offset <= lines[at].offset)
                              ? next->offset
                              : lines[at].offset;
        for (end = at; end < count && lines[end].offset == offset;)
            end++;
        bool has = next && next->offset == offset;
        print_instruction(json, offset, has ? next : NULL, lines + at, end - at);
        at = end;
        l += has;
    }
    json_close(json, ']');
}

/* `lines`: by line. */
static void print_lines(cli_json *json, const iri_wgsl_line *lines, size_t count)
{
    json_open(json, "lines", '[');
    for (size_t i = 0; i < count;) {
        uint32_t line = lines[i].line;
        json_open(json, NULL, '{');
        json_number(json, "line", line);
        json_open(json, "offsets", '[');
        for (; i < count && lines[i].line == line; i++)
            json_number(json, NULL, lines[i].offset);
        json_close(json, ']');
        json_close(json, '}');
    }
    json_close(json, ']');
}

bool map_write(const iri_wgsl_map *map, const cli_listing *listing, const char *module,
               const char *path)
{
    cli_json json = {0};
    size_t size = map->line_count * sizeof *map->lines;
    iri_wgsl_line *by_offset = cli_alloc(size);
    for (size_t i = 0; i < map->line_count; i++)
        by_offset[i] = map->lines[i];
    qsort(by_offset, map->line_count, sizeof *by_offset, compare_offsets);
    json_open(&json, NULL, '{');
    json_number(&json, "schema", 1);
    if (module)
        json_string(&json, "module", module);
    print_instructions(&json, listing, by_offset, map->line_count);
    print_lines(&json, map->lines, map->line_count);
    json_close(&json, '}');
    free(by_offset);
    return json_finish(&json, path);
}
