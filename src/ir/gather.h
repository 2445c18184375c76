/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making one vector of lanes that several values hold.
 */
#ifndef IRI_IR_GATHER_H
#define IRI_IR_GATHER_H

#include "ir/emit.h"

/* A lane somewhere: `value` 0 is zero. `any`: nothing reads it, so it may be whatever is at hand. */
typedef struct iri_lane {
    iri_id value;
    uint8_t lane;
    bool any;
} iri_lane;

/* The value of `count` lanes, with as few operations as swizzle, insert or compose allow. */
iri_id iri_gather(iri_builder *b, iri_scalar scalar, const iri_lane *lanes, uint32_t count);

#endif
