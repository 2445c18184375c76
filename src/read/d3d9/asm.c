#include "read/d3d9/asm.h"
void iri_d3d9_assemble(iri_ctx *ctx, iri_buf *out, const char *text, size_t size)
{
    (void)out, (void)text, (void)size;
    iri_fail_at(ctx, IRI_INVALID_TEXT, 1, 1, "none");
}
