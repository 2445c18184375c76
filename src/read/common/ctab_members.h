/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A constant table as members of constant buffers, one for each register set.
 */
#ifndef IRI_READ_COMMON_CTAB_MEMBERS_H
#define IRI_READ_COMMON_CTAB_MEMBERS_H

#include "ir/emit.h"
#include "read/common/ctab.h"

/* Bytes of a register of a set, in its buffer: 16, of booleans 4. */
uint32_t iri_d3d9_set_stride(uint32_t set);

/* The constants of a set in the table's order, in `scratch`. `ctab` may be NULL. Notes arrays that are shorter than
 * their type. */
const iri_member *iri_d3d9_ctab_members(iri_builder *b, iri_arena *scratch,
                                        const iri_d3d9_ctab *ctab, uint32_t set, uint32_t *count);

#endif
