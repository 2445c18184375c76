/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a compute program has beyond others: where an invocation is, and barriers. The invocations of a pass
 * are whole workgroups, group by group.
 */
#include "exec/exec.h"

static uint32_t thread_value(const iri_machine *m, uint32_t system_value, uint32_t invocation,
                             uint32_t lane)
{
    const uint32_t *size = m->exec->program->interface.facts.workgroup;
    uint32_t group = invocation / m->exec->group_size, index = invocation % m->exec->group_size;
    uint32_t groups[3] = {group % m->groups[0], group / m->groups[0] % m->groups[1],
                          group / m->groups[0] / m->groups[1]};
    uint32_t threads[3] = {index % size[0], index / size[0] % size[1], index / size[0] / size[1]};
    switch (system_value) {
    case IRI_SV_DISPATCH_THREAD_ID: return groups[lane] * size[lane] + threads[lane];
    case IRI_SV_GROUP_ID: return groups[lane];
    case IRI_SV_GROUP_THREAD_ID: return threads[lane];
    default: return index;
    }
}

void iri_kernel_thread(iri_machine *m, const iri_step *s)
{
    uint32_t system_value = m->exec->program->interface.inputs[s->x].system_value;
    for (uint32_t k = 0; k < s->lanes; k++) {
        iri_cell *to = iri_column(m, s->d[k]);
        for (uint32_t i = 0; i < m->width; i++)
            to[i].u = i < m->count ? thread_value(m, system_value, m->first + i, s->a[k]) : 0;
    }
}

/* A group waits for all of its invocations; those who met the step limit are not waited for. */
void iri_kernel_barrier(iri_machine *m, const iri_step *s)
{
    const iri_cell *mask = iri_column(m, IRI_COLUMN_MASK);
    uint32_t size = m->exec->group_size;
    for (uint32_t first = 0; first < m->count && !m->out_of_steps; first += size) {
        uint32_t here = 0;
        for (uint32_t i = first; i < first + size; i++)
            here += mask[i].u != 0;
        if (here && here != size) {
            m->diverged = s->inst;
            m->diverged_group = (m->first + first) / size;
            m->pc = m->exec->step_count;
            return;
        }
    }
}
