/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the preshaders' writer share.
 */
#ifndef IRI_WRITE_PRESHADER_INTERNAL_H
#define IRI_WRITE_PRESHADER_INTERNAL_H

#include "write/preshader/write.h"

/* layout.c: what of a function's arguments holds what. `indent` begins each line. */
void iri_preshader_write_parameters(iri_buf *out, const iri_program *p,
                                    iri_preshader_language language, const char *name);
/* The registers that it sets, as a comment or in JavaScript as a table. */
void iri_preshader_write_results(iri_buf *out, const iri_program *p,
                                 iri_preshader_language language, const char *name);
/* JavaScript's function that packs a parameter. */
void iri_preshader_write_setter(iri_buf *out);

#endif
