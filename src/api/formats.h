/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What bytes are, by how they begin.
 */
#ifndef IRI_API_FORMATS_H
#define IRI_API_FORMATS_H

#include <iridia/read.h>

/* Why bytes that `iri_detect_format` knows no format of are refused: what they are, where that shows. Static. */
const char *iri_unread_format(const void *bytes, size_t size);

#endif
