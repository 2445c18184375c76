/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words that WGSL keeps for itself.
 */
#ifndef IRI_WRITE_WGSL_WORDS_H
#define IRI_WRITE_WGSL_WORDS_H

#include <stdbool.h>

/* Keywords, reserved words, and the predeclared names that a declaration would hide. */
bool iri_wgsl_is_reserved(const char *name);

#endif
