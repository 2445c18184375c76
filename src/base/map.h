/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A hash table from byte keys to 32-bit values, in an arena. Iteration order is insertion order, so
 * nothing printed ever depends on a hash.
 */
#ifndef IRI_BASE_MAP_H
#define IRI_BASE_MAP_H

#include "base/arena.h"

typedef struct iri_map_entry {
    const void *key; /* in the arena, NUL-terminated past its size */
    uint32_t size;
    uint32_t hash;
    uint32_t value;
} iri_map_entry;

typedef struct iri_map {
    iri_arena *arena;
    IRI_VEC(iri_map_entry) entries;
    uint32_t *slots; /* entry index + 1; 0 is empty */
    uint32_t slot_count;
} iri_map;

void iri_map_init(iri_map *map, iri_arena *arena);
/* The value's address, or NULL. Valid until the next insertion. */
uint32_t *iri_map_find(const iri_map *map, const void *key, uint32_t size);
/* The value's address, the entry made (value 0, key copied) where it was missing. */
uint32_t *iri_map_put(iri_map *map, const void *key, uint32_t size, bool *added);

uint32_t iri_hash_bytes(const void *bytes, size_t size);
static inline uint32_t iri_hash_mix(uint32_t hash, uint32_t word)
{
    hash = (hash ^ word) * 0x9e3779b1u;
    return hash ^ (hash >> 15);
}

#endif
