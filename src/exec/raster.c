#include "exec/exec.h"
void iri_draw_run(iri_ctx *ctx, const iri_draw *draw, iri_draw_counts *counts)
{
    (void)ctx, (void)draw, (void)counts;
}
