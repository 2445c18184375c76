/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What constant tables and effects share: D3DX's names of its parameter classes and types.
 */
#ifndef IRI_READ_COMMON_D3DX_H
#define IRI_READ_COMMON_D3DX_H

#include <stdint.h>

/* "matrix_columns", "sampler2d": D3DXPARAMETER_CLASS and D3DXPARAMETER_TYPE by number; static; NULL past the
 * end. */
const char *iri_d3dx_class_name(uint32_t class_);
const char *iri_d3dx_type_name(uint32_t type);

#endif
