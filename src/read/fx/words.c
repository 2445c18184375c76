/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The states' table, and the words that effect source has for their values: the names of D3DBLEND, D3DCMPFUNC
 * and so on without their prefix, by number.
 */
#include "read/fx/fx.h"

#include "ir/d3d.h"

enum {
    FX_WORDS_NUMBER,
    FX_WORDS_BOOL,
    FX_WORDS_DEPTH,
    FX_WORDS_FILL,
    FX_WORDS_SHADE,
    FX_WORDS_BLEND,
    FX_WORDS_CULL,
    FX_WORDS_COMPARE,
    FX_WORDS_FOG,
    FX_WORDS_STENCIL,
    FX_WORDS_BLEND_OP,
    FX_WORDS_ADDRESS, /* these two: ir/d3d.h */
    FX_WORDS_FILTER,
    FX_WORDS_SHADER,
    FX_WORDS_COUNT
};

static const char *const fx_words[FX_WORDS_COUNT][16] = {
    [FX_WORDS_BOOL] = {"FALSE", "TRUE"},
    [FX_WORDS_DEPTH] = {"FALSE", "TRUE", "USEW"},
    [FX_WORDS_FILL] = {NULL, "POINT", "WIREFRAME", "SOLID"},
    [FX_WORDS_SHADE] = {NULL, "FLAT", "GOURAUD", "PHONG"},
    [FX_WORDS_BLEND] = {NULL, "ZERO", "ONE", "SRCCOLOR", "INVSRCCOLOR", "SRCALPHA", "INVSRCALPHA",
                        "DESTALPHA", "INVDESTALPHA", "DESTCOLOR", "INVDESTCOLOR", "SRCALPHASAT",
                        "BOTHSRCALPHA", "BOTHINVSRCALPHA", "BLENDFACTOR", "INVBLENDFACTOR"},
    [FX_WORDS_CULL] = {NULL, "NONE", "CW", "CCW"},
    [FX_WORDS_COMPARE] = {NULL, "NEVER", "LESS", "EQUAL", "LESSEQUAL", "GREATER", "NOTEQUAL",
                          "GREATEREQUAL", "ALWAYS"},
    [FX_WORDS_FOG] = {"NONE", "EXP", "EXP2", "LINEAR"},
    [FX_WORDS_STENCIL] = {NULL, "KEEP", "ZERO", "REPLACE", "INCRSAT", "DECRSAT", "INVERT", "INCR",
                          "DECR"},
    [FX_WORDS_BLEND_OP] = {NULL, "ADD", "SUBTRACT", "REVSUBTRACT", "MIN", "MAX"},
    [FX_WORDS_SHADER] = {"NULL"},
};

const iri_fx_operation iri_fx_operations[IRI_FX_OPERATION_COUNT] = {
#define IRI_FX_STATE(name, class_, number, words) \
    {name, IRI_EFFECT_##class_, FX_WORDS_##words, number},
#include "read/fx/states.def"
#undef IRI_FX_STATE
};

/* "D3DTADDRESS_WRAP" less its prefix. */
static const char *d3d_word(iri_d3d_enum which, uint32_t value)
{
    const iri_d3d_row *row = iri_d3d_find(which, value);
    return row ? strchr(row->name, '_') + 1 : NULL;
}

const char *iri_fx_word_of(uint32_t operation, uint32_t value)
{
    if (operation >= IRI_FX_OPERATION_COUNT || value >= 16)
        return NULL;
    uint32_t words = iri_fx_operations[operation].words;
    return words == FX_WORDS_ADDRESS  ? d3d_word(IRI_D3D_TEXTURE_ADDRESS, value)
           : words == FX_WORDS_FILTER ? d3d_word(IRI_D3D_TEXTURE_FILTER, value)
                                      : fx_words[words][value];
}
