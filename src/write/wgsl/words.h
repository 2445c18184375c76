/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words that WGSL keeps for itself.
 */
#ifndef IRI_WRITE_WGSL_WORDS_H
#define IRI_WRITE_WGSL_WORDS_H

#include "base/buf.h"

/* Keywords, reserved words, the predeclared names that a declaration would hide, and the writer's own functions. */
bool iri_wgsl_is_reserved(iri_str name);

#endif
