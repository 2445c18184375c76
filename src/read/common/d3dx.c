/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * D3DX's names of parameter classes and types.
 */
#include "read/common/d3dx.h"

#include <stddef.h>

const char *iri_d3dx_class_name(uint32_t class_)
{
    static const char *const names[] = {"scalar",         "vector", "matrix_rows",
                                        "matrix_columns", "object", "struct"};
    return class_ < sizeof names / sizeof *names ? names[class_] : NULL;
}

const char *iri_d3dx_type_name(uint32_t type)
{
    static const char *const names[] = {
        "void",        "bool",         "int",           "float",          "string",
        "texture",     "texture1d",    "texture2d",     "texture3d",      "texturecube",
        "sampler",     "sampler1d",    "sampler2d",     "sampler3d",      "samplercube",
        "pixelshader", "vertexshader", "pixelfragment", "vertexfragment", "unsupported"};
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}
