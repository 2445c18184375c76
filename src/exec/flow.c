/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels of control flow: what compile_flow.c makes of regions. All work on the active mask, column
 * IRI_COLUMN_MASK; a jump sets `pc`.
 */
#include "exec/exec.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3", "no-trapping-math", "no-math-errno", "fp-contract=off")
#endif

static iri_cell *active(const iri_machine *m)
{
    return iri_column(m, IRI_COLUMN_MASK);
}

/* Goes on at the step's target when nobody is active. */
static void skip_unless(iri_machine *m, const iri_step *s, uint32_t any)
{
    if (!any && s->x != IRI_NO_COLUMN)
        m->pc = s->x;
}

/* d0 gets those of the other arm, d1 nobody yet (those who come out of an arm join it). */
void iri_kernel_if(iri_machine *m, const iri_step *s)
{
    iri_cell *mask = active(m), *others = iri_column(m, s->d[0]), *after = iri_column(m, s->d[1]);
    const iri_cell *condition = iri_column(m, s->a[0]);
    uint32_t any = 0;
    for (uint32_t i = 0; i < m->width; i++) {
        uint32_t in = mask[i].u & condition[i].u;
        others[i].u = mask[i].u & ~condition[i].u;
        after[i].u = 0;
        mask[i].u = in;
        any |= in;
    }
    skip_unless(m, s, any);
}

/* The same where all come out again: d1 keeps the mask. */
void iri_kernel_if_saved(iri_machine *m, const iri_step *s)
{
    iri_cell *mask = active(m), *others = iri_column(m, s->d[0]), *after = iri_column(m, s->d[1]);
    const iri_cell *condition = iri_column(m, s->a[0]);
    uint32_t any = 0;
    for (uint32_t i = 0; i < m->width; i++) {
        uint32_t in = mask[i].u & condition[i].u;
        others[i].u = mask[i].u & ~condition[i].u;
        after[i].u = mask[i].u;
        mask[i].u = in;
        any |= in;
    }
    skip_unless(m, s, any);
}

void iri_kernel_enter(iri_machine *m, const iri_step *s)
{
    iri_cell *mask = active(m);
    const iri_cell *a = iri_column(m, s->a[0]);
    uint32_t any = 0;
    for (uint32_t i = 0; i < m->width; i++) {
        mask[i].u = a[i].u;
        any |= a[i].u;
    }
    skip_unless(m, s, any);
}

void iri_kernel_join(iri_machine *m, const iri_step *s)
{
    const iri_cell *mask = active(m);
    iri_cell *d = iri_column(m, s->d[0]);
    for (uint32_t i = 0; i < m->width; i++)
        d[i].u |= mask[i].u;
}

void iri_kernel_clear(iri_machine *m, const iri_step *s)
{
    memset(iri_column(m, s->d[0]), 0, m->width * sizeof(iri_cell));
}

/* The end of a loop's body: those of a0 go round, and pay for it. */
void iri_kernel_again(iri_machine *m, const iri_step *s)
{
    iri_cell *mask = active(m), *steps = iri_column(m, IRI_COLUMN_STEPS);
    const iri_cell *a = iri_column(m, s->a[0]);
    uint32_t any = 0, over = 0;
    for (uint32_t i = 0; i < m->width; i++) {
        uint32_t left = steps[i].u > s->y ? steps[i].u - s->y : 0;
        steps[i].u = a[i].u ? left : steps[i].u;
        mask[i].u = steps[i].u ? a[i].u : 0;
        over |= a[i].u & ~mask[i].u;
        any |= mask[i].u;
    }
    if (over && !m->out_of_steps) {
        m->out_of_steps = true;
        for (uint32_t i = m->width; i-- > 0;)
            if (!steps[i].u)
                m->stopped = m->first + i;
    }
    if (any)
        m->pc = s->x;
}

void iri_kernel_switch(iri_machine *m, const iri_step *s)
{
    memcpy(iri_column(m, s->d[0]), active(m), m->width * sizeof(iri_cell));
    memset(iri_column(m, s->d[1]), 0, m->width * sizeof(iri_cell));
}

/* A case's value as the selector's type holds it: negative ones of 64 bits reach all of them. */
static uint64_t case_value(uint32_t word, uint32_t scalar)
{
    switch (scalar) {
    case IRI_I16:
    case IRI_U16: return word & 0xffffu;
    case IRI_I64: return (uint64_t)(int64_t)(int32_t)word;
    default: return word;
    }
}

/* Those of d0 whose selector a0 is one of the values. */
void iri_kernel_case(iri_machine *m, const iri_step *s)
{
    iri_cell *mask = active(m), *rest = iri_column(m, s->d[0]);
    const uint32_t *values = m->exec->program->words + s->y;
    uint32_t any = 0;
    for (uint32_t i = 0; i < m->width; i++) {
        uint64_t selector = iri_get_lane(m, s->a[0], s->scalar, i);
        bool chosen = false;
        for (uint32_t k = 0; k < s->z; k++)
            chosen |= selector == case_value(values[k], s->scalar);
        mask[i].u = chosen ? rest[i].u : 0;
        rest[i].u &= ~mask[i].u;
        any |= mask[i].u;
    }
    skip_unless(m, s, any);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
