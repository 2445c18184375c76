/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of oracle-wine share: Direct3D 9 shaders as jobs for d3d9.c, and its results.
 */
#ifndef IRI_TESTS_ORACLE_WINE_H
#define IRI_TESTS_ORACLE_WINE_H

#include "read/d3d9/decode.h"
#include "tests/oracle/gpu.h"

enum { WINE_VARYINGS = 16, WINE_TOKENS = 16384 };

/* A varying or attribute: D3DDECLUSAGE and its index. */
typedef struct wine_usage {
    uint8_t usage, index, reg;
} wine_usage;

/* A shader's registers by usage, and the shader as it is drawn. */
typedef struct wine_shader {
    const iri_d3d9_shader *s;
    wine_usage in[WINE_VARYINGS], out[WINE_VARYINGS];
    uint32_t in_count, out_count;
    uint32_t tokens[WINE_TOKENS], count;
    /* Of vertex programs: the attribute that places the point, and the varying that shows the program's own
     * position, or 0xff where none is free. */
    wine_usage place, position;
} wine_shader;

/* Fills `w` from a decoded shader. A vertex program is changed to draw at a place of ours: what it writes to its
 * position goes to a varying. False and `why` when its registers do not suffice. */
bool wine_prepare(wine_shader *w, const iri_d3d9_shader *s, char why[400]);

#endif
