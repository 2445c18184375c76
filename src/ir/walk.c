/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walking programs.
 */
#include "ir/program.h"

void iri_walk(const iri_program *p, iri_id region, iri_visit_fn *visit, void *argument)
{
    const iri_region *r = &p->regions[region];
    for (uint32_t i = 0; i < r->count; i++) {
        iri_id inst = p->order[r->first + i];
        const iri_inst *in = &p->insts[inst];
        visit(p, inst, argument);
        for (uint32_t k = 0; k < in->region_count; k++)
            iri_walk(p, iri_regions(p, in)[k], visit, argument);
    }
}

uint32_t *iri_count_uses(const iri_program *p, iri_arena *arena)
{
    uint32_t *uses = iri_new_array(arena, uint32_t, p->value_count);
    for (uint32_t i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        for (uint32_t k = 0; k < in->operand_count; k++)
            uses[iri_operands(p, in)[k]]++;
    }
    return uses;
}
