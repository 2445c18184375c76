/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hash table: entries in insertion order beside a power-of-two table of entry numbers, probed
 * linearly and at most three quarters full. The hash is FNV-1a with a final mix; it is never
 * shown.
 */
#include "base/map.h"

static uint32_t *slot_of(const iri_map *map, const void *key, uint32_t size, uint32_t hash)
{
    uint32_t mask = map->slot_count - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &map->slots[i];
        if (!*slot)
            return slot;
        const iri_map_entry *entry = &map->entries.at[*slot - 1];
        if (entry->hash == hash && entry->size == size &&
            (!size || memcmp(entry->key, key, size) == 0))
            return slot;
    }
}

static void rehash(iri_map *map, uint32_t slot_count)
{
    map->slots = iri_new_array(map->arena, uint32_t, slot_count);
    map->slot_count = slot_count;
    for (uint32_t e = 0; e < map->entries.count; e++) {
        uint32_t i = map->entries.at[e].hash & (slot_count - 1);
        while (map->slots[i])
            i = (i + 1) & (slot_count - 1);
        map->slots[i] = e + 1;
    }
}

void iri_map_init(iri_map *map, iri_arena *arena)
{
    memset(map, 0, sizeof *map);
    map->arena = arena;
}

uint32_t *iri_map_find(const iri_map *map, const void *key, uint32_t size)
{
    if (!map->slot_count)
        return NULL;
    uint32_t slot = *slot_of(map, key, size, iri_hash_bytes(key, size));
    return slot ? &map->entries.at[slot - 1].value : NULL;
}

uint32_t *iri_map_put(iri_map *map, const void *key, uint32_t size, bool *added)
{
    if (map->entries.count >= map->slot_count - map->slot_count / 4) {
        if (map->slot_count > UINT32_MAX / 4)
            iri_fail(map->arena->ctx, IRI_LIMIT_MEMORY, IRI_NO_OFFSET, "too many names");
        rehash(map, map->slot_count ? map->slot_count * 2 : 16);
    }
    uint32_t hash = iri_hash_bytes(key, size);
    uint32_t *slot = slot_of(map, key, size, hash);
    bool missing = !*slot;
    if (missing) {
        const void *copy = iri_arena_copy_text(map->arena, key, size);
        iri_map_entry entry = {copy, size, hash, 0};
        iri_push(map->arena, &map->entries, entry);
        *slot = map->entries.count;
    }
    if (added)
        *added = missing;
    return &map->entries.at[*slot - 1].value;
}

uint32_t iri_hash_bytes(const void *bytes, size_t size)
{
    const uint8_t *b = bytes;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ b[i]) * 16777619u;
    return iri_hash_mix(hash, (uint32_t)size);
}
