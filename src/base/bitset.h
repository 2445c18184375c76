/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bit sets of fixed size in an arena.
 */
#ifndef IRI_BASE_BITSET_H
#define IRI_BASE_BITSET_H

#include "base/arena.h"

typedef struct iri_bitset {
    uint64_t *words;
    uint32_t count; /* of bits */
} iri_bitset;

static inline iri_bitset iri_bitset_make(iri_arena *arena, uint32_t count)
{
    iri_bitset set = {iri_new_array(arena, uint64_t, (count + 63u) / 64u), count};
    return set;
}
static inline bool iri_bitset_has(const iri_bitset *set, uint32_t bit)
{
    return bit < set->count && (set->words[bit / 64] >> (bit % 64) & 1) != 0;
}
static inline void iri_bitset_add(iri_bitset *set, uint32_t bit)
{
    set->words[bit / 64] |= UINT64_C(1) << (bit % 64);
}
static inline void iri_bitset_remove(iri_bitset *set, uint32_t bit)
{
    set->words[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
}
/* Whether `into` changed. The sets have the same size. */
static inline bool iri_bitset_unite(iri_bitset *into, const iri_bitset *from)
{
    uint64_t changed = 0;
    for (uint32_t i = 0; i < (into->count + 63u) / 64u; i++) {
        uint64_t before = into->words[i];
        into->words[i] |= from->words[i];
        changed |= before ^ into->words[i];
    }
    return changed != 0;
}

#endif
