/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the preshaders' lowering share.
 */
#ifndef IRI_READ_COMMON_PRESHADER_LOWER_H
#define IRI_READ_COMMON_PRESHADER_LOWER_H

#include "base/map.h"
#include "read/common/preshader.h"

typedef struct iri_pl {
    iri_ctx *ctx;
    iri_arena *scratch;
    iri_builder *b;
    const iri_preshader *p;
    bool single;         /* no f64: what needs double precision is approximated */
    uint32_t cb;         /* the resource of the parameters */
    uint32_t input_rows; /* registers that they take */
    iri_map
        lanes; /* (table, place) to what was written there last, an f32; in the order of the first writes */
} iri_pl;

enum { IRI_PL_OPERANDS_MAX = 8 };

/* A place that was written, the key of iri_pl.lanes. */
typedef struct iri_pl_place {
    uint32_t table, at;
} iri_pl_place;

/* preshader_lower.c: lane `lane` of operand `i`: an f32, or where a literal is no float an f64. */
iri_id iri_pl_read(iri_pl *l, const iri_pres_inst *in, uint32_t i, uint32_t lane);
/* Rounded to an f32; an f32 as it is. */
iri_id iri_pl_narrow(iri_pl *l, iri_id value);
/* As an f64, or where there are to be none as an f32. */
iri_id iri_pl_widen(iri_pl *l, iri_id value);
/* Whether a result goes to an integer or a truth, which takes the double, not a float of it. */
bool iri_pl_keeps_double(const iri_pres_inst *in);
/* Notes that a result may not be Direct3D's to the last bit. */
void iri_pl_note_single(iri_pl *l, const iri_pres_inst *in);

/* preshader_ops.c: lane `lane` of an instruction's result, not yet rounded; a lane's operands are read when the
 * lanes before it have been written. Fails with UNSUPPORTED_OPCODE, MALFORMED_TABLE. */
iri_id iri_pl_lane(iri_pl *l, const iri_pres_inst *in, uint32_t lane);
/* Lanes of its result: 1 of an instruction that sums up. */
uint32_t iri_pl_result_lanes(const iri_pres_inst *in);
/* Refuses what is not run. */
void iri_pl_check(iri_pl *l, const iri_pres_inst *in);

#endif
