/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of states.def as data, and what callers say of them.
 */
#include "ir/emit.h"

#include <stdio.h>

static const iri_state_info infos[IRI_STATE_COUNT] = {
#define IRI_STATE(id, name, scalar, lanes, count, bits0, bits1, bits2, bits3, meaning) \
    [IRI_STATE_##id] = {name, IRI_TYPE(scalar, lanes), count, bits0, bits1, bits2, bits3, meaning},
#include <iridia/states.def>
#undef IRI_STATE
};

const iri_state_info *iri_state_get_info(iri_state_id id)
{
    return id > IRI_STATE_NONE && id < IRI_STATE_COUNT ? &infos[id] : NULL;
}

iri_state_id iri_state_by_name(const char *name, size_t size)
{
    if (!name || !size)
        return IRI_STATE_NONE;
    for (int id = IRI_STATE_NONE + 1; id < IRI_STATE_COUNT; id++)
        if (strncmp(infos[id].name, name, size) == 0 && !infos[id].name[size])
            return (iri_state_id)id;
    return IRI_STATE_NONE;
}

bool iri_find_state(const iri_state *given, iri_state_id id, uint32_t index, iri_state_entry *out,
                    bool *by_default)
{
    *by_default = false;
    *out = (iri_state_entry){.id = (uint16_t)id, .index = (uint16_t)index};
    for (uint32_t i = given ? given->count : 0; i-- > 0;) {
        const iri_state_entry *entry = &given->entries[i];
        if (entry->id != id || entry->index != index)
            continue;
        if (entry->source == IRI_STATE_UNSPECIFIED)
            break;
        *out = *entry;
        return true;
    }
    if (!given || !given->defaults)
        return false;
    *by_default = true;
    out->source = IRI_STATE_VALUE;
    memcpy(out->bits, infos[id].default_bits, sizeof out->bits);
    return true;
}

enum { LIST_SIZE = 512 };

/* Adds a name to a list of them, and its index where it has one, if there is room. */
static void add_name(char list[LIST_SIZE], size_t *size, const char *name, uint32_t index,
                     bool indexed)
{
    char number[16] = "";
    if (indexed)
        (void)snprintf(number, sizeof number, "[%u]", (unsigned)index);
    const char *const parts[] = {*size ? ", " : "", name, number};
    size_t lengths[3], total = 0;
    for (uint32_t i = 0; i < 3; i++)
        total += lengths[i] = strlen(parts[i]);
    if (*size + total >= LIST_SIZE)
        return;
    for (uint32_t i = 0; i < 3; i++) {
        memcpy(list + *size, parts[i], lengths[i]);
        *size += lengths[i];
    }
}

void iri_note_default_states(iri_builder *b, const uint32_t states[IRI_STATE_COUNT])
{
    char list[LIST_SIZE];
    size_t size = 0;
    for (uint32_t id = 1; id < IRI_STATE_COUNT; id++)
        for (uint32_t i = 0; states[id] >> i && i < infos[id].count; i++)
            if (states[id] >> i & 1)
                add_name(list, &size, infos[id].name, i, infos[id].count > 1);
    list[size] = 0;
    if (size)
        iri_add_note(b, "default-state", IRI_NO_OFFSET, "Direct3D's default is taken for %s", list);
}
