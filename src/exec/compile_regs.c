/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From virtual registers to columns. A linear scan: a vreg holds its column from the first step that
 * touches it to the last, or to the end of a loop that it was made before. Results and operands of one step
 * never share a column, so that kernels may run in any order. Uniform numbers have columns of their own, the
 * lanes of indexable locals theirs at the end.
 */
#include "exec/exec.h"

static void count_uses(const iri_exec_compiler *c, uint32_t *uses)
{
    for (uint32_t i = 0; i < c->samples.count; i++) {
        const iri_sample_site *s = &c->samples.at[i];
        for (uint32_t k = 0; k < 4; k++) {
            uses[s->coordinates[k]]++;
            if (k < 3)
                uses[s->ddx[k]]++, uses[s->ddy[k]]++;
        }
        uses[s->extra]++, uses[s->texture_index]++, uses[s->sampler_index]++;
        uses[s->clamp]++, uses[s->run_time_offset[0]]++, uses[s->run_time_offset[1]]++;
    }
    for (uint32_t i = 0; i < c->accesses.count; i++) {
        const iri_access_site *s = &c->accesses.at[i];
        for (uint32_t k = 0; k < 4; k++)
            uses[s->place[k]]++, uses[s->values[k]]++;
        uses[s->index]++, uses[s->level]++, uses[s->compare]++;
    }
    for (uint32_t i = 0; i < c->steps.count; i++) {
        const iri_step *s = &c->steps.at[i];
        bool has_columns = s->op != IRI_OP_INPUT;
        for (uint32_t k = 0; has_columns && k < 4; k++) {
            uses[s->a[k]]++;
            if (s->op != IRI_OP_OUTPUT)
                uses[s->b[k]]++;
            if (s->op != IRI_OP_LOAD_CB && s->op != IRI_OP_LOAD_LOCAL &&
                s->op != IRI_OP_STORE_LOCAL)
                uses[s->c[k]]++;
            if (!s->pure)
                uses[s->d[k]]++;
        }
    }
}

/* From the end back, so that what only dropped lanes read goes too. */
static void drop_unread(iri_exec_compiler *c)
{
    uint32_t *uses = iri_new_array(c->scratch, uint32_t, c->vregs.count);
    count_uses(c, uses);
    for (uint32_t i = c->steps.count; i-- > 0;) {
        iri_step *s = &c->steps.at[i];
        uint32_t kept = 0;
        if (!s->pure)
            continue;
        for (uint32_t k = 0; k < s->lanes; k++) {
            if (uses[s->d[k]]) {
                s->d[kept] = s->d[k], s->a[kept] = s->a[k], s->b[kept] = s->b[k],
                s->c[kept++] = s->c[k];
                continue;
            }
            uses[s->a[k]]--, uses[s->b[k]]--;
            if (s->op != IRI_OP_LOAD_CB)
                uses[s->c[k]]--;
        }
        for (uint32_t k = kept; k < 4; k++)
            s->d[k] = s->a[k] = s->b[k] = s->c[k] = 0;
        s->lanes = (uint8_t)kept;
    }
}

typedef struct column_pool {
    iri_u32s free[2]; /* of one column, of two */
    uint32_t count;
} column_pool;

static uint32_t take(iri_exec_compiler *c, column_pool *pool, bool wide)
{
    iri_u32s *list = &pool->free[wide];
    (void)c;
    if (list->count)
        return list->at[--list->count];
    pool->count += wide ? 2 : 1;
    return pool->count - (wide ? 2 : 1);
}

/* vregs by the step they begin or end at: lists through `next`, UINT32_MAX ends one. */
static void scan(iri_exec_compiler *c, column_pool *pool)
{
    uint32_t steps = c->steps.count + 1, vregs = c->vregs.count;
    uint32_t *begin = iri_new_array(c->scratch, uint32_t, steps),
             *end = iri_new_array(c->scratch, uint32_t, steps);
    uint32_t *next_begin = iri_new_array(c->scratch, uint32_t, vregs);
    uint32_t *next_end = iri_new_array(c->scratch, uint32_t, vregs);
    for (uint32_t v = vregs; v-- > 1;) {
        const iri_vreg *r = &c->vregs.at[v];
        if (r->fixed || r->first >= steps)
            continue;
        uint32_t last = r->last < steps ? r->last : steps - 1;
        next_begin[v] = begin[r->first], begin[r->first] = v;
        next_end[v] = end[last], end[last] = v;
    }
    for (uint32_t i = 0; i < steps; i++) {
        for (uint32_t v = begin[i]; v; v = next_begin[v])
            c->vregs.at[v].column = take(c, pool, c->vregs.at[v].wide);
        for (uint32_t v = end[i]; v; v = next_end[v])
            iri_push(c->scratch, &pool->free[c->vregs.at[v].wide], c->vregs.at[v].column);
    }
}

static void rename_columns(const iri_exec_compiler *c, uint32_t *columns, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t column = c->vregs.at[columns[i]].column;
        columns[i] = column == IRI_NO_COLUMN ? 0 : column;
    }
}

static void rename_all(iri_exec_compiler *c, uint32_t arrays)
{
    for (uint32_t i = 0; i < c->steps.count; i++) {
        iri_step *s = &c->steps.at[i];
        bool array = s->run == iri_kernel_load_array || s->run == iri_kernel_store_array ||
                     s->run == iri_kernel_zero_array;
        rename_columns(c, s->d, 4);
        if (s->op != IRI_OP_INPUT)
            rename_columns(c, s->a, 4);
        if (s->op != IRI_OP_OUTPUT)
            rename_columns(c, s->b, 4);
        if (!array && s->op != IRI_OP_LOAD_CB)
            rename_columns(c, s->c, 4);
        if (array)
            s->x += arrays - 1;
    }
    for (uint32_t i = 0; i < c->samples.count; i++) {
        iri_sample_site *s = &c->samples.at[i];
        rename_columns(c, s->coordinates, 4);
        rename_columns(c, s->ddx, 3);
        rename_columns(c, s->ddy, 3);
        rename_columns(c, s->d, 4);
        rename_columns(c, &s->extra, 1);
        rename_columns(c, &s->clamp, 1);
        rename_columns(c, s->run_time_offset, 2);
        rename_columns(c, &s->texture_index, 1);
        rename_columns(c, &s->sampler_index, 1);
    }
    for (uint32_t i = 0; i < c->accesses.count; i++) {
        iri_access_site *s = &c->accesses.at[i];
        rename_columns(c, s->place, 4);
        rename_columns(c, s->values, 4);
        rename_columns(c, s->d, 4);
        rename_columns(c, &s->index, 1);
        rename_columns(c, &s->level, 1);
        rename_columns(c, &s->compare, 1);
    }
    for (uint32_t i = 0; i < c->traces.count; i++)
        for (uint32_t k = 0; k < IRI_EVENT_VALUES; k++)
            rename_columns(c, c->traces.at[i].columns[k], 4);
    for (uint32_t i = 0; i < c->broadcasts.count; i++)
        rename_columns(c, &c->broadcasts.at[i].column, 1);
}

void iri_exec_allocate(iri_exec_compiler *c)
{
    column_pool pool = {.count = IRI_COLUMN_FIXED};
    if (!c->trace)
        drop_unread(c);
    for (uint32_t i = 0; i < c->broadcasts.count; i++) {
        iri_vreg *v = &c->vregs.at[c->broadcasts.at[i].column];
        v->column = take(c, &pool, v->wide);
    }
    scan(c, &pool);
    rename_all(c, pool.count);
    c->exec->column_count = pool.count + c->array_columns;
}
