/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of states.def as data.
 */
#include "ir/program.h"

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
