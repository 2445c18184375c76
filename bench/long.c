/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Long shaders: a few lines of assembly, each of which needs what the last time round left, as often as it takes.
 */
#include "long.h"

#include <iridia/assembly.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *lines;
    unsigned instructions;
} shapes[LONG_SHAPES] = {
    {"straight",
     "mad r0, r0, c1, r1\n"
     "mul r1.xy, r1, r0.wzyx\n"
     "dp3 r2.w, r0, r1\n"
     "add r1, r1, r2.w\n",
     4},
    {"branches",
     "if_lt r0.x, c0.y\n"
     "add r0.xyz, r0, r1\n"
     "else\n"
     "mad r1, r1, r0, c1\n"
     "endif\n",
     5},
    {"loops",
     "rep i0\n"
     "add r0, r0, c0\n"
     "break_gt r0.x, c0.x\n"
     "mul r1.yz, r1, r0\n"
     "endrep\n",
     5},
};

const char *long_name(int shape)
{
    return shapes[shape].name;
}

const unsigned long_sizes[LONG_SIZES] = {256, 2048, 32000};

bool long_make(int shape, unsigned instructions, iri_text *tokens)
{
    static const char head[] = "ps_3_0\n"
                               "dcl_texcoord0 v0\n"
                               "mov r0, v0\n"
                               "mov r1, v0.wzyx\n"
                               "mov r2, v0\n";
    static const char tail[] = "add oC0, r0, r1\n";
    size_t unit = strlen(shapes[shape].lines), size = sizeof head - 1;
    unsigned times = instructions / shapes[shape].instructions;
    char *text = malloc(sizeof head + times * unit + sizeof tail);
    if (!text)
        return false;
    memcpy(text, head, size);
    for (unsigned i = 0; i < times; i++, size += unit)
        memcpy(text + size, shapes[shape].lines, unit);
    memcpy(text + size, tail, sizeof tail);
    bool made = iri_assemble(text, size + sizeof tail - 1, NULL, tokens, NULL) == IRI_OK;
    free(text);
    return made;
}
