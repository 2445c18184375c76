/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names in a target's text. The rules are those that WGSL, GLSL, HLSL and MSL share: an identifier is
 * letters, digits and underscores, does not start with a digit, and has no double underscore.
 */
#include "write/names.h"

enum { NAME_SIZE = 64 /* longer names are cut: they are for people */, FIRST_SLOTS = 32 };

void iri_names_init(iri_names *names, iri_arena *arena, iri_reserved_fn *reserved,
                    const iri_names *outer)
{
    *names = (iri_names){.arena = arena, .outer = outer, .reserved = reserved};
}

/* ---- what is claimed ---- */

static uint32_t hash_of(iri_str name)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < name.size; i++)
        hash = (hash ^ (uint8_t)name.at[i]) * 16777619u;
    return hash ^ hash >> 15;
}

/* The slot of a name, or the empty one where it would be. */
static iri_name *slot_of(const iri_names *names, iri_str name, uint32_t hash)
{
    uint32_t mask = names->slot_count - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        iri_name *slot = &names->slots[i];
        if (!slot->text.at || (slot->hash == hash && iri_str_same(slot->text, name)))
            return slot;
    }
}

static void grow(iri_names *names)
{
    const iri_name *old = names->slots;
    uint32_t old_count = names->slot_count;
    names->slot_count = old_count ? old_count * 2 : FIRST_SLOTS;
    names->slots = iri_new_array(names->arena, iri_name, names->slot_count);
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i].text.at)
            *slot_of(names, old[i].text, old[i].hash) = old[i];
}

static iri_name *add(iri_names *names, iri_str name, uint32_t hash)
{
    if (4 * (names->count + 1) > 3 * names->slot_count)
        grow(names);
    iri_name *slot = slot_of(names, name, hash);
    if (!slot->text.at)
        names->count++;
    slot->text = name;
    slot->hash = hash;
    return slot;
}

/* Of a name like `v12`, the number; 0 of any other. */
static uint32_t number_of(iri_str name)
{
    uint32_t number = 0;
    if (name.size < 2 || name.size > 9 || name.at[0] < 'a' || name.at[0] > 'z' || name.at[1] == '0')
        return 0;
    for (size_t i = 1; i < name.size; i++) {
        if (name.at[i] < '0' || name.at[i] > '9')
            return 0;
        number = number * 10 + (uint32_t)(name.at[i] - '0');
    }
    return number;
}

static bool is_free(const iri_names *names, iri_str name, uint32_t hash)
{
    uint32_t number = number_of(name);
    if (names->reserved && names->reserved(name))
        return false;
    for (const iri_names *scope = names; scope; scope = scope->outer) {
        if (number && number <= scope->numbered[name.at[0] - 'a'])
            return false;
        if (scope->slot_count && slot_of(scope, name, hash)->text.at)
            return false;
    }
    return true;
}

bool iri_names_is_free(const iri_names *names, iri_str name)
{
    return is_free(names, name, hash_of(name));
}

/* ---- making names ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static iri_str keep(iri_arena *arena, const char *text, size_t size)
{
    char *copy = iri_arena_take(arena, size + 1);
    iri_copy_text(copy, text, size);
    copy[size] = 0;
    return (iri_str){copy, size};
}

iri_str iri_names_clean(iri_arena *arena, iri_str wanted, iri_str fallback)
{
    char text[NAME_SIZE + 2];
    size_t size = 0;
    for (size_t i = 0; i < wanted.size && size < NAME_SIZE; i++) {
        char c = wanted.at[i];
        bool kept = is_letter(c) || is_digit(c);
        if (kept && size == 0 && is_digit(c))
            text[size++] = '_';
        if (kept)
            text[size++] = c;
        else if (size == 0 ? c == '_' : text[size - 1] != '_')
            text[size++] = '_';
    }
    while (size > 0 && text[size - 1] == '_')
        size--;
    return size ? keep(arena, text, size) : keep(arena, fallback.at, fallback.size);
}

iri_str iri_names_claim(iri_names *names, iri_str wanted, iri_str fallback)
{
    iri_str base = iri_names_clean(names->arena, wanted, fallback), name = base;
    uint32_t hash = hash_of(base);
    if (!is_free(names, base, hash)) {
        /* Where to go on counting is remembered, so that a thousand equal names are not quadratic. */
        uint32_t base_hash = hash, number = add(names, base, hash)->tried;
        char text[NAME_SIZE + 2 + 1 + IRI_UINT_TEXT];
        iri_copy_text(text, base.at, base.size);
        text[base.size] = '_';
        if (!number)
            number = 1;
        do {
            size_t digits = iri_print_uint(text + base.size + 1, ++number);
            name = (iri_str){text, base.size + 1 + digits};
            hash = hash_of(name);
        } while (!is_free(names, name, hash));
        slot_of(names, base, base_hash)->tried = number;
        name = keep(names->arena, name.at, name.size);
    }
    add(names, name, hash);
    return name;
}

void iri_names_take(iri_names *names, iri_str name)
{
    add(names, name, hash_of(name));
}

iri_str iri_names_number(iri_names *names, char letter)
{
    char text[1 + IRI_UINT_TEXT];
    iri_str name = {text, 0};
    uint32_t *last = &names->numbered[letter - 'a'];
    text[0] = letter;
    for (;;) {
        uint32_t number = *last + 1;
        name.size = 1 + iri_print_uint(text + 1, number);
        bool free = is_free(names, name, hash_of(name));
        *last = number;
        if (free)
            return keep(names->arena, name.at, name.size);
    }
}
