/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels for what kernels.def has no loops for: any lane operation of any scalar through iri_eval_lane, and moves
 * of 64-bit columns.
 */
#include "exec/exec.h"

#include "ir/eval.h"

void iri_kernel_general(iri_machine *m, const iri_step *s)
{
    const char *letters = iri_op_infos[s->op].operands;
    size_t count = strlen(letters);
    uint32_t first = letters[0] == 'C' ? IRI_BOOL : s->scalar;
    for (uint32_t lane = 0; lane < s->lanes; lane++) {
        for (uint32_t i = 0; i < m->width; i++) {
            uint64_t in[3] = {0, 0, 0}, out = 0;
            in[0] = iri_get_lane(m, s->a[lane], first, i);
            if (count > 1)
                in[1] = iri_get_lane(m, s->b[lane], s->scalar, i);
            if (count > 2)
                in[2] = iri_get_lane(m, s->c[lane], s->scalar, i);
            iri_eval_lane((iri_op)s->op, (iri_scalar)s->scalar, (iri_scalar)s->result, in, &out);
            iri_set_lane(m, s->d[lane], s->result, i, out);
        }
    }
}

void iri_kernel_copy64(iri_machine *m, const iri_step *s)
{
    for (uint32_t lane = 0; lane < s->lanes; lane++)
        memcpy(iri_column(m, s->d[lane]), iri_column(m, s->a[lane]), m->width * sizeof(uint64_t));
}

void iri_kernel_move64(iri_machine *m, const iri_step *s)
{
    const iri_cell *mask = iri_column(m, IRI_COLUMN_MASK);
    for (uint32_t lane = 0; lane < s->lanes; lane++) {
        const uint64_t *a = iri_column64(m, s->a[lane]);
        uint64_t *d = iri_column64(m, s->d[lane]);
        for (uint32_t i = 0; i < m->width; i++)
            d[i] = mask[i].u ? a[i] : d[i];
    }
}
