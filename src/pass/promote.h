/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What promote finds out about one function before it writes it anew. A *slot* is one lane of one plain
 * local. Which slots are live where, and which lanes of a local travel together, is decided here; see
 * promote.c for the whole.
 */
#ifndef IRI_PASS_PROMOTE_H
#define IRI_PASS_PROMOTE_H

#include "ir/webs.h"
#include "pass/shape.h"

/* A region operation. */
typedef struct iri_region_facts {
    iri_id inst;
    uint32_t *changed; /* slots stored to inside, ascending */
    uint32_t changed_count;
    uint8_t *live;   /* per changed slot: LIVE_AFTER, LIVE_HEAD */
    uint64_t *after; /* liveness after it, while liveness walks inside */
    iri_join_plan result_plan, parameter_plan;
    iri_join results, parameters;
} iri_region_facts;

enum { LIVE_AFTER = 1, LIVE_HEAD = 2 };

typedef struct iri_promote_facts {
    const iri_program *p;
    iri_arena *scratch;
    uint32_t first_local, local_count; /* of the function */
    uint8_t *demand;                   /* value -> lanes something needs; of the whole program */
    uint8_t *stored;       /* store.local -> lanes of the local that are read after it */
    uint32_t *facts_of;    /* instruction -> index in `regions` */
    uint32_t *op_of_label; /* label -> index in `regions` */
    IRI_VEC(iri_region_facts) regions;
} iri_promote_facts;

static inline bool iri_is_plain(const iri_program *p, iri_id local)
{
    return p->locals[local].length == 0;
}
/* Whether an instruction loads or stores a plain local. */
static inline bool iri_is_plain_access(const iri_program *p, const iri_inst *in)
{
    return (iri_props(in->op) & (IRI_PROP_LOCAL_READ | IRI_PROP_LOCAL_WRITE)) != 0 &&
           iri_is_plain(p, iri_immediates(p, in)[0]);
}
static inline uint32_t iri_slot_of(const iri_promote_facts *f, iri_id local, uint32_t lane)
{
    return (local - f->first_local) * 4 + lane;
}

/* Once for a program, then for each of its structured functions. */
void iri_promote_init(iri_promote_facts *f, const iri_program *p, iri_arena *scratch);
void iri_promote_analyse(iri_promote_facts *f, iri_id function);

#endif
