/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of precision.def, looked up.
 */
#include "tests/oracle/gpu.h"

#include <math.h>

typedef struct row {
    iri_op op;
    double ulps, per_x, absolute, from, to;
} row;

static const row rows[] = {
#define GPU_PRECISION(id, ulps, per_x, absolute, from, to) \
    {IRI_OP_##id, ulps, per_x, absolute, from, to},
#include "tests/oracle/precision.def"
#undef GPU_PRECISION
};

gpu_precision gpu_precision_of(iri_op op, double x)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        if (r->op != op)
            continue;
        if (r->absolute > 0 && fabs(x) >= r->from && fabs(x) <= r->to)
            return (gpu_precision){0, r->absolute};
        return (gpu_precision){r->ulps + (r->per_x > 0 ? r->per_x * fabs(x) : 0), 0};
    }
    return (gpu_precision){0, 0};
}
