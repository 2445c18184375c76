/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Differences over quads, and traces. Four invocations in a row are a quad: upper left, upper right, lower
 * left, lower right. Where one of the two invocations of a difference is not active the difference is 0:
 * what an inactive one computed must not be seen, since it is nothing that the program says.
 */
#include "exec/exec.h"

#include "ir/eval.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3", "no-trapping-math", "no-math-errno", "fp-contract=off")
#endif

/* The two invocations whose difference lane i gets: coarse ones are those of the quad's first row or column. */
static void pair(const iri_machine *m, uint32_t i, bool vertical, uint32_t *from, uint32_t *to)
{
    uint32_t quad = i & ~3u, own = i & 3u;
    if (!m->exec->fine_derivatives)
        own = 0;
    *from = quad + (vertical ? own & 1u : own & 2u);
    *to = *from + (vertical ? 2 : 1);
}

/* x[to] - x[from], the one NaN; 0 without both. */
static uint32_t difference_bits(const iri_cell *x, const iri_cell *mask, uint32_t from, uint32_t to)
{
    iri_cell d = {.f = x[to].f - x[from].f};
    return (d.f != d.f ? 0x7fc00000u : d.u) & mask[from].u & mask[to].u;
}

void iri_quad_difference(const iri_machine *m, const iri_cell *x, bool vertical, iri_cell *out)
{
    const iri_cell *mask = iri_column(m, IRI_COLUMN_MASK);
    uint32_t step = vertical ? 2 : 1, other = vertical ? 1 : 2; /* the second pair begins there */
    if (!m->quads) {
        memset(out, 0, m->width * sizeof *out);
        return;
    }
    for (uint32_t q = 0; q < m->width; q += 4) {
        uint32_t first = difference_bits(x + q, mask + q, 0, step), second = first;
        if (m->exec->fine_derivatives)
            second = difference_bits(x + q, mask + q, other, other + step);
        out[q].u = out[q + step].u = first;
        out[q + other].u = out[q + 3].u = second;
    }
}

static void difference(iri_machine *m, const iri_step *s, bool vertical)
{
    const iri_cell *mask = iri_column(m, IRI_COLUMN_MASK);
    for (uint32_t k = 0; k < s->lanes; k++) {
        if (s->scalar == IRI_F32) {
            iri_quad_difference(m, iri_column(m, s->a[k]), vertical, iri_column(m, s->d[k]));
            continue;
        }
        for (uint32_t i = 0; i < m->width; i++) {
            uint32_t from, to;
            uint64_t result = 0;
            pair(m, i, vertical, &from, &to);
            uint64_t in[3] = {iri_get_lane(m, s->a[k], s->scalar, to),
                              iri_get_lane(m, s->a[k], s->scalar, from), 0};
            if (m->quads && mask[from].u && mask[to].u)
                iri_eval_lane(IRI_OP_SUB, (iri_scalar)s->scalar, (iri_scalar)s->scalar, in,
                              &result);
            iri_set_lane(m, s->d[k], s->scalar, i, result);
        }
    }
}

void iri_kernel_ddx(iri_machine *m, const iri_step *s)
{
    difference(m, s, false);
}

void iri_kernel_ddy(iri_machine *m, const iri_step *s)
{
    difference(m, s, true);
}

void iri_kernel_trace(iri_machine *m, const iri_step *s)
{
    const iri_trace_site *site = &m->exec->traces[s->x];
    uint32_t i = m->batch->trace_invocation - m->first;
    if (!m->batch->trace || i >= m->count || !iri_column(m, IRI_COLUMN_MASK)[i].u)
        return;
    iri_exec_event event = {.kind = site->kind,
                            .inst = site->inst,
                            .region = site->region,
                            .offset = site->offset,
                            .count = site->count};
    for (uint32_t v = 0; v < site->count; v++) {
        event.types[v] = site->types[v];
        for (uint32_t k = 0; k < IRI_TYPE_LANES(site->types[v]); k++)
            event.values[v][k] =
                iri_get_lane(m, site->columns[v][k], IRI_TYPE_SCALAR(site->types[v]), i);
    }
    m->batch->trace(m->batch->trace_user, &event);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
