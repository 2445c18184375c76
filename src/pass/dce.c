/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drops what nothing reads: a copy, finished by a builder that keeps only what something needs.
 */
#include "pass/pass.h"

iri_program *iri_pass_dce(iri_pass_ctx *pc, const iri_program *program)
{
    return program->built & IRI_BUILD_DROP ? NULL : iri_pass_copy(pc, program, IRI_BUILD_DROP);
}
