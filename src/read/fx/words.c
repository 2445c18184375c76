/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The states' table, and the words that effect source has for their values: the names of D3DBLEND, D3DCMPFUNC
 * and so on without their prefix, by number.
 */
#include "read/fx/fx.h"

#include <stddef.h>

enum {
    NUMBER,
    BOOL,
    DEPTH,
    FILL,
    SHADE,
    BLEND,
    CULL,
    COMPARE,
    FOG,
    STENCIL,
    BLEND_OP,
    ADDRESS,
    FILTER,
    SHADER,
    LIST_COUNT
};

static const char *const words[LIST_COUNT][16] = {
    [BOOL] = {"FALSE", "TRUE"},
    [DEPTH] = {"FALSE", "TRUE", "USEW"},
    [FILL] = {NULL, "POINT", "WIREFRAME", "SOLID"},
    [SHADE] = {NULL, "FLAT", "GOURAUD", "PHONG"},
    [BLEND] = {NULL, "ZERO", "ONE", "SRCCOLOR", "INVSRCCOLOR", "SRCALPHA", "INVSRCALPHA",
               "DESTALPHA", "INVDESTALPHA", "DESTCOLOR", "INVDESTCOLOR", "SRCALPHASAT",
               "BOTHSRCALPHA", "BOTHINVSRCALPHA", "BLENDFACTOR", "INVBLENDFACTOR"},
    [CULL] = {NULL, "NONE", "CW", "CCW"},
    [COMPARE] = {NULL, "NEVER", "LESS", "EQUAL", "LESSEQUAL", "GREATER", "NOTEQUAL", "GREATEREQUAL",
                 "ALWAYS"},
    [FOG] = {"NONE", "EXP", "EXP2", "LINEAR"},
    [STENCIL] = {NULL, "KEEP", "ZERO", "REPLACE", "INCRSAT", "DECRSAT", "INVERT", "INCR", "DECR"},
    [BLEND_OP] = {NULL, "ADD", "SUBTRACT", "REVSUBTRACT", "MIN", "MAX"},
    [ADDRESS] = {NULL, "WRAP", "MIRROR", "CLAMP", "BORDER", "MIRRORONCE"},
    [FILTER] = {"NONE", "POINT", "LINEAR", "ANISOTROPIC", NULL, NULL, "PYRAMIDALQUAD",
                "GAUSSIANQUAD"},
    [SHADER] = {"NULL"},
};

const iri_fx_operation iri_fx_operations[IRI_FX_OPERATION_COUNT] = {
#define IRI_FX_STATE(name, class_, number, words) {name, IRI_EFFECT_##class_, words, number},
#include "read/fx/states.def"
#undef IRI_FX_STATE
};

const char *iri_fx_word_of(uint32_t operation, uint32_t value)
{
    if (operation >= IRI_FX_OPERATION_COUNT || value >= 16)
        return NULL;
    return words[iri_fx_operations[operation].words][value];
}
