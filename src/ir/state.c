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

void iri_note_default_states(iri_builder *b, const uint32_t states[IRI_STATE_COUNT])
{
    char list[512];
    size_t size = 0;
    for (uint32_t id = 1; id < IRI_STATE_COUNT; id++) {
        for (uint32_t i = 0; i < infos[id].count; i++) {
            char name[48];
            if (!(states[id] >> i & 1))
                continue;
            int length = infos[id].count == 1
                             ? snprintf(name, sizeof name, "%s%s", size ? ", " : "", infos[id].name)
                             : snprintf(name, sizeof name, "%s%s[%u]", size ? ", " : "",
                                        infos[id].name, (unsigned)i);
            if (length < 0 || size + (size_t)length >= sizeof list)
                continue;
            memcpy(list + size, name, (size_t)length);
            size += (size_t)length;
        }
    }
    list[size] = 0;
    if (size)
        iri_add_note(b, "default-state", IRI_NO_OFFSET, "Direct3D's default is taken for %s", list);
}
