/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of a program under construction is kept when it is finished: all of it, or with IRI_BUILD_DROP what
 * something needs.
 */
#ifndef IRI_IR_EMIT_DROP_H
#define IRI_IR_EMIT_DROP_H

#include "base/bitset.h"
#include "ir/program.h"

typedef struct iri_keep {
    bool all; /* then the sets are empty */
    iri_bitset insts, values, functions, inputs;
} iri_keep;

/* What something needs. Inputs that nobody declared go too where nothing reads them. */
iri_keep iri_find_needed(iri_arena *scratch, const iri_program *p);

static inline bool iri_keeps(const iri_keep *keep, const iri_bitset *set, uint32_t index)
{
    return keep->all || iri_bitset_has(set, index);
}

#endif
