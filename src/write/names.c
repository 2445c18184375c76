/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names in a target's text. The rules are those that WGSL, GLSL, HLSL and MSL share: an identifier is
 * letters, digits and underscores, does not start with a digit, and has no double underscore.
 */
#include "write/names.h"

#include <string.h>

enum { NAME_SIZE = 64 /* longer names are cut: they are for people */ };

void iri_names_init(iri_names *names, iri_arena *arena, iri_reserved_fn *reserved,
                    const iri_names *outer)
{
    memset(names, 0, sizeof *names);
    names->arena = arena;
    names->outer = outer;
    names->reserved = reserved;
    iri_map_init(&names->used, arena);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

const char *iri_names_clean(iri_arena *arena, const char *wanted, const char *fallback)
{
    char text[NAME_SIZE + 2];
    size_t size = 0;
    for (const char *c = wanted ? wanted : ""; *c && size < NAME_SIZE; c++) {
        bool kept = is_letter(*c) || is_digit(*c);
        if (kept && size == 0 && is_digit(*c))
            text[size++] = '_';
        if (kept)
            text[size++] = *c;
        else if (size == 0 ? *c == '_' : text[size - 1] != '_')
            text[size++] = '_';
    }
    while (size > 0 && text[size - 1] == '_')
        size--;
    if (size == 0)
        return iri_arena_copy_text(arena, fallback, strlen(fallback));
    return iri_arena_copy_text(arena, text, size);
}

bool iri_names_is_free(const iri_names *names, const char *name)
{
    if (names->reserved && names->reserved(name))
        return false;
    for (const iri_names *scope = names; scope; scope = scope->outer)
        if (iri_map_find(&scope->used, name, (uint32_t)strlen(name)))
            return false;
    return true;
}

const char *iri_names_claim(iri_names *names, const char *wanted, const char *fallback)
{
    const char *base = iri_names_clean(names->arena, wanted, fallback);
    const char *name = base;
    bool added;
    if (!iri_names_is_free(names, base)) {
        /* Where to go on counting is remembered, so that a thousand equal names are not quadratic. */
        uint32_t size = (uint32_t)strlen(base);
        uint32_t *found = iri_map_find(&names->used, base, size);
        uint32_t number = found && *found ? *found : 1;
        do {
            name = iri_arena_printf(names->arena, "%s_%u", base, ++number);
        } while (!iri_names_is_free(names, name));
        *iri_map_put(&names->used, base, size, &added) = number;
    }
    iri_map_put(&names->used, name, (uint32_t)strlen(name), &added);
    return name;
}
