/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Not written yet: a copy.
 */
#include "pass/shape.h"

iri_program *iri_pass_if_to_select(iri_pass_ctx *pc, const iri_program *program)
{
    iri_rewrite rw;
    iri_builder *b = iri_pass_make_builder(pc, program, 0);
    iri_rewrite_init(&rw, b, program, pc->scratch, NULL, NULL);
    iri_rewrite_program(&rw);
    return iri_shape_finish(&rw);
}
