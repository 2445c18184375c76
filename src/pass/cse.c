/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computes equal values once where the first is in scope: the numbering builder does it all.
 */
#include "pass/pass.h"

iri_program *iri_pass_cse(iri_pass_ctx *pc, const iri_program *program)
{
    return program->built & IRI_BUILD_NUMBER ? NULL : iri_pass_copy(pc, program, IRI_BUILD_NUMBER);
}
