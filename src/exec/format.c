/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a texel becomes when it is stored in a DXGI format and read back: the conversions of the Direct3D 11.3
 * functional specification, 3.2.3. Numbers of formats are dxgiformat.h's.
 */
#include "exec/exec.h"

#include "base/number.h"
#include <math.h>

typedef enum lane_kind { UNORM, SNORM, FLOAT, UINT, SINT } lane_kind;

/* By format: what its lanes are, and bits of each; 0 bits: it has no such lane. */
static const struct {
    uint16_t format;
    uint8_t kind, bits[4];
} formats[] = {
    {2, FLOAT, {32, 32, 32, 32}},  {3, UINT, {32, 32, 32, 32}},   {4, SINT, {32, 32, 32, 32}},
    {10, FLOAT, {16, 16, 16, 16}}, {11, UNORM, {16, 16, 16, 16}}, {12, UINT, {16, 16, 16, 16}},
    {13, SNORM, {16, 16, 16, 16}}, {14, SINT, {16, 16, 16, 16}},  {16, FLOAT, {32, 32, 0, 0}},
    {17, UINT, {32, 32, 0, 0}},    {18, SINT, {32, 32, 0, 0}},    {24, UNORM, {10, 10, 10, 2}},
    {25, UINT, {10, 10, 10, 2}},   {28, UNORM, {8, 8, 8, 8}},     {30, UINT, {8, 8, 8, 8}},
    {31, SNORM, {8, 8, 8, 8}},     {32, SINT, {8, 8, 8, 8}},      {34, FLOAT, {16, 16, 0, 0}},
    {35, UNORM, {16, 16, 0, 0}},   {36, UINT, {16, 16, 0, 0}},    {37, SNORM, {16, 16, 0, 0}},
    {38, SINT, {16, 16, 0, 0}},    {41, FLOAT, {32, 0, 0, 0}},    {42, UINT, {32, 0, 0, 0}},
    {43, SINT, {32, 0, 0, 0}},     {49, UNORM, {8, 8, 0, 0}},     {50, UINT, {8, 8, 0, 0}},
    {51, SNORM, {8, 8, 0, 0}},     {52, SINT, {8, 8, 0, 0}},      {54, FLOAT, {16, 0, 0, 0}},
    {56, UNORM, {16, 0, 0, 0}},    {57, UINT, {16, 0, 0, 0}},     {58, SNORM, {16, 0, 0, 0}},
    {59, SINT, {16, 0, 0, 0}},     {61, UNORM, {8, 0, 0, 0}},     {62, UINT, {8, 0, 0, 0}},
    {63, SNORM, {8, 0, 0, 0}},     {64, SINT, {8, 0, 0, 0}},      {87, UNORM, {8, 8, 8, 8}},
};

static int find_format(uint32_t format)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].format == format)
            return (int)i;
    return -1;
}

bool iri_format_is_known(uint32_t format)
{
    return find_format(format) >= 0;
}

/* NaN is 0; what is beyond the ends is the end; else the nearest, a half away from zero. */
static float normalised(float x, float least, float most)
{
    x = x != x ? 0 : x < least ? least : x > 1 ? 1 : x;
    x *= most;
    return truncf(x + (x < 0 ? -0.5f : 0.5f)) / most;
}

static uint32_t store_lane(lane_kind kind, uint32_t bits, uint32_t word)
{
    iri_cell x = {.u = word};
    float most = (float)((1u << (bits < 31 ? bits - (kind == SNORM) : 0)) - 1);
    int32_t high = bits < 32 ? (1 << (bits - 1)) - 1 : INT32_MAX;
    switch (kind) {
    case UNORM: x.f = normalised(x.f, 0, most); break;
    case SNORM: x.f = normalised(x.f, -1, most); break;
    case FLOAT:
        if (bits == 16)
            x.f = iri_f16_to_f32(iri_f32_to_f16(x.f));
        break;
    case UINT:
        if (bits < 32 && x.u >> bits)
            x.u = (1u << bits) - 1;
        break;
    case SINT: x.i = x.i > high ? high : x.i < -high - 1 ? -high - 1 : x.i; break;
    }
    return x.u;
}

void iri_format_store(uint32_t format, uint32_t texel[4])
{
    int at = find_format(format);
    if (at < 0)
        return;
    lane_kind kind = (lane_kind)formats[at].kind;
    for (uint32_t i = 0; i < 4; i++) {
        iri_cell one = {.f = 1};
        if (formats[at].bits[i])
            texel[i] = store_lane(kind, formats[at].bits[i], texel[i]);
        else
            texel[i] = i < 3 ? 0 : kind == UINT || kind == SINT ? 1 : one.u;
    }
}
