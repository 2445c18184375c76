/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pixel shaders made to any length, up to the longest that their model allows: an instruction must cost the same in
 * all of them.
 */
#ifndef IRI_BENCH_LONG_H
#define IRI_BENCH_LONG_H

#include <iridia/iridia.h>

enum { LONG_SHAPES = 3, LONG_SIZES = 3 };

extern const unsigned long_sizes[LONG_SIZES]; /* instructions, about */

const char *long_name(int shape);
/* The token stream, to be freed with iri_text_free; false where it could not be made. */
bool long_make(int shape, unsigned instructions, iri_text *tokens);

#endif
