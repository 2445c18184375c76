/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Option structs grow: each begins with its size as the caller's headers have it. A call works on a copy of
 * what both sides know; the rest is zero, which is every option's default.
 */
#ifndef IRI_BASE_OPTIONS_H
#define IRI_BASE_OPTIONS_H

#include <string.h>

/* `given` may be NULL. Its size is taken from its first field and may be smaller or larger than `size`. */
static inline void iri_take_options(void *options, size_t size, const void *given)
{
    size_t known = 0;
    memset(options, 0, size);
    if (given)
        memcpy(&known, given, sizeof known);
    if (known)
        memcpy(options, given, known < size ? known : size);
    memcpy(options, &size, sizeof size);
}

#endif
