/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names in a target's text: made legal, kept readable, unique, and the same on every run.
 */
#ifndef IRI_WRITE_NAMES_H
#define IRI_WRITE_NAMES_H

#include "base/arena.h"
#include "base/buf.h"

/* Whether the target language keeps this word for itself. */
typedef bool iri_reserved_fn(iri_str name);

typedef struct iri_name {
    iri_str text; /* in the arena, NUL-terminated */
    uint32_t hash;
    uint32_t tried; /* the number last tried behind it */
} iri_name;

/* One scope of names. An inner scope (a function's) never takes a name of its outer one (the
 * module's), so nothing is ever shadowed. Names are compared with their case. */
typedef struct iri_names {
    iri_arena *arena;
    const struct iri_names *outer;
    iri_reserved_fn *reserved;
    iri_name *slots; /* a hash table, probed linearly; an empty slot has no text */
    uint32_t slot_count, count;
    uint32_t numbered[26]; /* of the names a1, a2 ... b1, b2 ...: the last that was given */
} iri_names;

void iri_names_init(iri_names *names, iri_arena *arena, iri_reserved_fn *reserved,
                    const iri_names *outer);

/* A legal name as near to `wanted` as can be: letters, digits and single underscores; anything else
 * becomes an underscore, a leading digit gets one before it, an empty one is `fallback`. Not claimed. */
iri_str iri_names_clean(iri_arena *arena, iri_str wanted, iri_str fallback);

/* A free name from `wanted`, claimed: itself, or with `_2`, `_3` ... behind it. NUL-terminated. */
iri_str iri_names_claim(iri_names *names, iri_str wanted, iri_str fallback);

/* Claims a legal name as it is, free or not. */
void iri_names_take(iri_names *names, iri_str name);

/* The next free name of a lowercase letter and a number, claimed. NUL-terminated. */
iri_str iri_names_number(iri_names *names, char letter);

/* Whether a name could be claimed as it is. */
bool iri_names_is_free(const iri_names *names, iri_str name);

#endif
