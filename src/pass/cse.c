/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computes equal values once where the first is in scope: the numbering builder does it all.
 */
#include "pass/shape.h"

iri_program *iri_pass_cse(iri_pass_ctx *pc, const iri_program *program)
{
    iri_rewrite rw;
    if (program->built & IRI_BUILD_NUMBER)
        return NULL;
    iri_builder *b = iri_pass_make_builder(pc, program, IRI_BUILD_NUMBER);
    iri_rewrite_init(&rw, b, program, pc->scratch, NULL, NULL);
    iri_rewrite_program(&rw);
    return iri_shape_finish(&rw);
}
