/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a batch: the uniform part once, then the steps for as many invocations at a time as the machine is
 * wide.
 */
#include "exec/exec.h"

#include "ir/eval.h"

enum { DEFAULT_STEP_LIMIT = 1000000, GROUPS_MAX = 65535 };

/* ---- the uniform part ---- */

static const uint32_t *find_state(const iri_state_entry *entries, uint32_t count, uint32_t id,
                                  uint32_t index)
{
    for (uint32_t i = count; i-- > 0;)
        if (entries[i].id == id && entries[i].index == index)
            return entries[i].source == IRI_STATE_VALUE ? entries[i].bits : NULL;
    return NULL;
}

static uint32_t state_bits(iri_ctx *ctx, const iri_machine *m, uint32_t id, uint32_t index,
                           uint32_t lane)
{
    const iri_state *given = m->batch->state;
    const iri_interface *interface = &m->exec->program->interface;
    const iri_state_info *info = iri_state_get_info((iri_state_id)id);
    const uint32_t *bits = given ? find_state(given->entries, given->count, id, index) : NULL;
    if (!bits)
        bits = find_state(interface->states, interface->state_count, id, index);
    if (!bits && given && given->defaults && info)
        bits = info->default_bits;
    if (!bits)
        iri_fail(ctx, IRI_UNSPECIFIED_STATE, IRI_NO_OFFSET, "state %s[%u] has no value to run with",
                 info ? info->name : "?", (unsigned)index);
    return bits[lane & 3u];
}

void iri_exec_prepare(iri_ctx *ctx, iri_machine *m)
{
    const iri_exec *e = m->exec;
    memcpy(m->uniform, e->uniform_start, e->uniform_count * sizeof *m->uniform);
    for (uint32_t i = 0; i < e->uniform_op_count; i++) {
        const iri_uniform_op *u = &e->uniform_ops[i];
        uint64_t in[3], *to = &m->uniform[u->to];
        switch ((iri_uniform_kind)u->kind) {
        case IRI_UNIFORM_LANE:
            for (uint32_t k = 0; k < 3; k++)
                in[k] = m->uniform[u->operands[k]];
            iri_eval_lane((iri_op)u->op, (iri_scalar)u->scalar, (iri_scalar)u->result, in, to);
            break;
        case IRI_UNIFORM_LOAD:
            *to = iri_load_constant(
                m, u->x, u->operands[1] == UINT32_MAX ? 0 : (uint32_t)m->uniform[u->operands[1]],
                (uint64_t)(uint32_t)m->uniform[u->operands[0]] + u->y, (iri_scalar)u->result);
            break;
        case IRI_UNIFORM_STATE: *to = state_bits(ctx, m, u->x, u->y, u->lane); break;
        }
    }
    for (uint32_t i = 0; i < e->broadcast_count; i++) {
        const iri_broadcast *b = &e->broadcasts[i];
        for (uint32_t k = 0; k < m->width; k++)
            iri_set_lane(m, b->column, b->scalar, k, m->uniform[b->uniform]);
    }
}

/* ---- a batch ---- */

/* Outputs that no path writes are zero. */
static void clear_outputs(const iri_exec *e, const iri_exec_batch *batch)
{
    const iri_interface *interface = &e->program->interface;
    for (uint32_t o = 0; batch->outputs && o < interface->output_count; o++) {
        const iri_exec_array *array = &batch->outputs[o];
        iri_type type = interface->outputs[o].type;
        uint32_t bits = iri_scalar_bits(IRI_TYPE_SCALAR(type));
        size_t bytes = bits == 64 ? 8 : bits == 16 ? 2 : 4;
        if (!array->data || e->covered[o])
            continue;
        for (uint32_t i = 0; i < batch->count; i++)
            for (uint32_t k = 0; k < IRI_TYPE_LANES(type); k++)
                memset((uint8_t *)array->data + array->stride * i +
                           (array->lane_stride ? array->lane_stride : bytes) * k,
                       0, bytes);
    }
}

static void report(const iri_machine *m)
{
    uint8_t *flags = m->batch->flags;
    const iri_cell *killed = iri_column(m, IRI_COLUMN_KILLED),
                   *steps = iri_column(m, IRI_COLUMN_STEPS);
    for (uint32_t i = 0; flags && i < m->count; i++)
        flags[m->first + i] = (uint8_t)((flags[m->first + i] & IRI_INVOCATION_HELPER) |
                                        (killed[i].u ? IRI_INVOCATION_KILLED : 0) |
                                        (steps[i].u ? 0 : IRI_INVOCATION_STEPS));
}

static void run_pass(iri_machine *m)
{
    const iri_exec *e = m->exec;
    iri_cell *mask = iri_column(m, IRI_COLUMN_MASK), *killed = iri_column(m, IRI_COLUMN_KILLED),
             *steps = iri_column(m, IRI_COLUMN_STEPS);
    for (uint32_t i = 0; i < m->width; i++) {
        mask[i].u = i < m->count ? UINT32_MAX : 0;
        killed[i].u = 0;
        steps[i].u = m->step_limit;
    }
    for (uint32_t i = 0; m->batch->flags && i < m->count; i++)
        if (m->batch->flags[m->first + i] & IRI_INVOCATION_HELPER)
            killed[i].u = UINT32_MAX;
    memset(m->shared, 0, (size_t)(m->count / e->group_size) * e->shared_words * sizeof *m->shared);
    m->pc = 0;
    while (m->pc < e->step_count) {
        const iri_step *s = &e->steps[m->pc++];
        s->run(m, s);
    }
    report(m);
}

/* How many invocations a dispatch has; more than an invocation's number can say are too many. */
static uint32_t count_invocations(iri_ctx *ctx, const iri_exec *exec, const uint32_t groups[3])
{
    uint64_t all = exec->group_size;
    for (uint32_t i = 0; i < 3; i++) {
        if (groups[i] > GROUPS_MAX)
            iri_fail(ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET, "%u workgroups; there may be %d",
                     (unsigned)groups[i], GROUPS_MAX);
        all *= groups[i];
        if (all > UINT32_MAX)
            iri_fail(ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET,
                     "more invocations than a dispatch is run with: %lu",
                     (unsigned long)UINT32_MAX);
    }
    return (uint32_t)all;
}

bool iri_exec_execute(iri_ctx *ctx, iri_arena *scratch, const iri_exec *exec,
                      const iri_exec_batch *batch, const uint32_t *groups, uint32_t *stopped)
{
    bool compute = exec->program->stage == IRI_STAGE_COMPUTE;
    if (compute != (groups != NULL))
        iri_fail(ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET, "a %s program is %s",
                 iri_stage_name(exec->program->stage),
                 compute ? "dispatched in workgroups" : "not dispatched in workgroups");
    uint32_t width = exec->width,
             all = groups ? count_invocations(ctx, exec, groups) : batch->count;
    if (width > all)
        width = (all + IRI_EXEC_BLOCK - 1) / IRI_EXEC_BLOCK * IRI_EXEC_BLOCK;
    iri_machine m = {
        .width = width, .blocks = width / IRI_EXEC_BLOCK, .exec = exec, .batch = batch};
    m.quads = exec->program->stage == IRI_STAGE_PIXEL && !batch->no_quads;
    m.step_limit = batch->step_limit ? batch->step_limit : DEFAULT_STEP_LIMIT;
    if (!all)
        return true;
    size_t columns = (size_t)exec->column_count + IRI_SCRATCH_COLUMNS,
           bytes = columns * width * sizeof *m.file + 64;
    uint8_t *memory = iri_arena_alloc(scratch, bytes, 1);
    m.file = (iri_cell *)(void *)(memory + (64 - (uintptr_t)memory % 64) % 64);
    m.scratch = &m.file[(size_t)exec->column_count * width].f;
    m.uniform = iri_new_array(scratch, uint64_t, exec->uniform_count + 1u);
    uint32_t whole = width - width % exec->group_size;
    if (groups)
        memcpy(m.groups, groups, sizeof m.groups);
    m.shared = iri_new_array(scratch, uint32_t,
                             (size_t)(whole / exec->group_size) * exec->shared_words + 1u);
    iri_exec_prepare(ctx, &m);
    clear_outputs(exec, batch);
    for (m.first = 0; m.first < all && !m.diverged; m.first += m.count) {
        m.count = all - m.first < whole ? all - m.first : whole;
        run_pass(&m);
    }
    if (m.diverged)
        iri_fail(ctx, IRI_DIVERGED_BARRIER, exec->program->insts[m.diverged].offset,
                 "workgroup %u: not all of its invocations reach a barrier",
                 (unsigned)m.diverged_group);
    *stopped = m.stopped;
    return !m.out_of_steps;
}
