/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a token stream ends, without reading it into records.
 */
#ifndef IRI_READ_D3D9_FRAME_H
#define IRI_READ_D3D9_FRAME_H

#include "read/d3d9/decode.h"

typedef struct iri_d3d9_frame {
    size_t size; /* bytes through the end token; 0: there is none */
    iri_d3d9_model model;
    uint32_t instructions; /* comments not counted */
} iri_d3d9_frame;

/* The stream that `data` begins with, among at most `size` bytes. */
iri_d3d9_frame iri_d3d9_find_frame(const uint8_t *data, size_t size);

#endif
