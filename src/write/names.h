/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names in a target's text: made legal, kept readable, unique, and the same on every run.
 */
#ifndef IRI_WRITE_NAMES_H
#define IRI_WRITE_NAMES_H

#include "base/map.h"

/* Whether the target language keeps this word for itself. */
typedef bool iri_reserved_fn(const char *name);

/* One scope of names. An inner scope (a function's) never takes a name of its outer one (the
 * module's), so nothing is ever shadowed. Names are compared with their case. */
typedef struct iri_names {
    iri_arena *arena;
    iri_map used; /* name -> the number last tried behind it */
    const struct iri_names *outer;
    iri_reserved_fn *reserved;
} iri_names;

void iri_names_init(iri_names *names, iri_arena *arena, iri_reserved_fn *reserved,
                    const iri_names *outer);

/* A legal name as near to `wanted` as can be: letters, digits and single underscores; anything else
 * becomes an underscore, a leading digit gets one before it, an empty one is `fallback`. Not claimed. */
const char *iri_names_clean(iri_arena *arena, const char *wanted, const char *fallback);

/* A free name from `wanted`, claimed: itself, or with `_2`, `_3` ... behind it. */
const char *iri_names_claim(iri_names *names, const char *wanted, const char *fallback);

/* Whether a name could be claimed as it is. */
bool iri_names_is_free(const iri_names *names, const char *name);

#endif
