/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Token streams of programs that copy. Layouts and numbers: docs/formats/d3d9.md, d3d9types.h.
 */
#include "companions.h"

enum { MOV = 1, DCL = 31, END = 0xffff };
enum { POSITION = 0, TEXCOORD = 5, COLOR = 10 };
/* Register types. Below model 3 coordinates of pixel programs are type 3, outputs of vertex programs 4, 5, 6. */
enum { TEMP = 0, INPUT = 1, COORDINATE = 3, RASTOUT = 4, ATTROUT = 5, OUTPUT = 6, COLOROUT = 8 };

typedef struct writer {
    unsigned long *to;
    unsigned count;
} writer;

static unsigned long parameter(unsigned type, unsigned number, unsigned long low)
{
    return 0x80000000ul | (type & 7ul) << 28 | (type & 0x18ul) << 8 | number | low;
}

static unsigned long destination(unsigned type, unsigned number)
{
    return parameter(type, number, 0xf0000);
}

static unsigned long source(unsigned type, unsigned number)
{
    return parameter(type, number, 0xe40000);
}

static void put(writer *w, unsigned op, unsigned long first, unsigned long second)
{
    w->to[w->count++] = op | 2ul << 24;
    w->to[w->count++] = first;
    w->to[w->count++] = second;
}

static void declare(writer *w, unsigned usage, unsigned index, unsigned type, unsigned number)
{
    put(w, DCL, 0x80000000ul | usage | index << 16, destination(type, number));
}

static unsigned finish(writer *w)
{
    w->to[w->count++] = END;
    return w->count;
}

unsigned companion_pass(unsigned major, const unsigned (*v)[2], unsigned count,
                        unsigned long *tokens)
{
    writer w = {tokens, 0};
    int late = major >= 3;
    w.to[w.count++] = late ? 0xfffe0300ul : 0xfffe0200ul;
    declare(&w, POSITION, 0, INPUT, 0);
    for (unsigned i = 0; i < count; i++)
        declare(&w, TEXCOORD, i, INPUT, i + 1);
    if (late)
        declare(&w, POSITION, 0, OUTPUT, 0);
    for (unsigned i = 0; late && i < count; i++)
        declare(&w, v[i][0], v[i][1], OUTPUT, i + 1);
    put(&w, MOV, destination(late ? OUTPUT : RASTOUT, 0), source(INPUT, 0));
    for (unsigned i = 0; i < count; i++)
        put(&w, MOV,
            late ? destination(OUTPUT, i + 1)
                 : destination(v[i][0] == COLOR ? ATTROUT : OUTPUT, v[i][1]),
            source(INPUT, i + 1));
    return finish(&w);
}

unsigned companion_show(unsigned major, const unsigned (*v)[2], unsigned count,
                        unsigned long *tokens)
{
    writer w = {tokens, 0};
    int late = major >= 3;
    w.to[w.count++] = late ? 0xffff0300ul : 0xffff0200ul;
    for (unsigned i = 0; i < count; i++) {
        unsigned type = late || v[i][0] == COLOR ? INPUT : COORDINATE;
        declare(&w, late ? v[i][0] : 0, late ? v[i][1] : 0, type, late ? i : v[i][1]);
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned type = late || v[i][0] == COLOR ? INPUT : COORDINATE;
        put(&w, MOV, destination(TEMP, i), source(type, late ? i : v[i][1]));
        put(&w, MOV, destination(COLOROUT, i), source(TEMP, i));
    }
    return finish(&w);
}
