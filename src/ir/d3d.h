/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Direct3D's enumerations in this library's words: which semantic a D3DDECLUSAGE is, which dimension a
 * sampler type, and so on. The only place that knows their numbers; readers ask here. Numbers and names
 * are those of d3d9types.h, d3dx9shader.h, d3dcommon.h and d3d12tokenizedprogramformat.hpp.
 */
#ifndef IRI_IR_D3D_H
#define IRI_IR_D3D_H

#include "base/ctx.h"
#include <iridia/interface.h>
#include <iridia/sampler.h>

typedef enum iri_d3d_enum {
    IRI_D3D_USAGE,           /* D3DDECLUSAGE; value: -, text: the HLSL semantic */
    IRI_D3D_SAMPLER_TYPE,    /* D3DSAMPLER_TEXTURE_TYPE >> 27; value: iri_dimension */
    IRI_D3D_PARAMETER_CLASS, /* D3DXPARAMETER_CLASS; value: iri_member_class */
    IRI_D3D_PARAMETER_TYPE,  /* D3DXPARAMETER_TYPE that constants have; value: iri_scalar */
    IRI_D3D_SAMPLER_PARAMETER, /* D3DXPARAMETER_TYPE that samplers have; value: iri_dimension, NONE for
                                  the sampler that says none */
    IRI_D3D_NAME,              /* D3D_NAME; value: iri_system_value, text: the HLSL semantic */
    IRI_D3D_INTERPOLATION,     /* D3D_INTERPOLATION_MODE; value: iri_interpolation */
    IRI_D3D_RESOURCE_DIMENSION, /* D3D10_SB_RESOURCE_DIMENSION; value: iri_dimension, IRI_D3D_ARRAYED and
                                   IRI_D3D_MULTISAMPLED, IRI_D3D_BUFFER */
    IRI_D3D_RETURN_TYPE,        /* D3D_RESOURCE_RETURN_TYPE; value: iri_scalar */
    IRI_D3D_COMPONENT_TYPE,   /* D3D_REGISTER_COMPONENT_TYPE; value: iri_scalar */
    IRI_D3D_TOPOLOGY,         /* D3D_PRIMITIVE_TOPOLOGY; value: vertices a primitive has */
    IRI_D3D_PRIMITIVE,        /* D3D_PRIMITIVE; value: vertices it has */
    IRI_D3D_DOMAIN,           /* D3D_TESSELLATOR_DOMAIN; value: coordinates a domain point has */
    IRI_D3D_PARTITIONING,     /* D3D_TESSELLATOR_PARTITIONING; value: the number itself */
    IRI_D3D_OUTPUT_PRIMITIVE, /* D3D_TESSELLATOR_OUTPUT_PRIMITIVE; value: the number itself */
    IRI_D3D_TEXTURE_ADDRESS,  /* D3DTEXTUREADDRESS; value: iri_address */
    IRI_D3D_TEXTURE_FILTER, /* D3DTEXTUREFILTERTYPE; value: iri_mip, IRI_D3D_ANISOTROPIC, IRI_D3D_QUAD */
    IRI_D3D_ENUM_COUNT
} iri_d3d_enum;

/* Flags beside an iri_dimension. */
enum { IRI_D3D_ARRAYED = 0x100, IRI_D3D_MULTISAMPLED = 0x200, IRI_D3D_BUFFER = 0x400 };
/* Flags beside the iri_mip that a filter is, or stands nearest to. */
enum { IRI_D3D_ANISOTROPIC = 0x100, IRI_D3D_QUAD = 0x200 };

typedef struct iri_d3d_row {
    uint32_t number;
    uint32_t value;
    const char *name; /* the enumerator, as Microsoft's header spells it */
    const char *text; /* what a person reads: "TEXCOORD", "linearCentroid"; never NULL */
} iri_d3d_row;

/* NULL when the enumeration has no such number. */
const iri_d3d_row *iri_d3d_find(iri_d3d_enum which, uint32_t number);
/* The same, failing with IRI_MALFORMED_TOKEN at `offset`: "17 is no D3DDECLUSAGE". */
const iri_d3d_row *iri_d3d_get(iri_ctx *ctx, uint32_t offset, iri_d3d_enum which, uint32_t number);
/* All rows of an enumeration, by ascending number. */
const iri_d3d_row *iri_d3d_rows(iri_d3d_enum which, uint32_t *count);
const char *iri_d3d_enum_name(iri_d3d_enum which);

#endif
