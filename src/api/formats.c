/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formats there are: by name, and by how they begin. What is known and not read is named, so that its
 * refusal says more than "unknown".
 */
#include "api/formats.h"
#include <string.h>

static const char *const format_names[IRI_FORMAT_COUNT] = {"auto", "d3d9", "text"};

/* The first bytes of formats, the longest first where one begins another. */
static const struct {
    const char *start;
    uint8_t size;
    uint8_t format;
    const char *unread; /* why it is refused, when it is not read */
} starts[] = {
    {"iridia-ir ", 10, IRI_FORMAT_TEXT, NULL},
    {"fn ", 3, IRI_FORMAT_TEXT, NULL},
    {"DXBC", 4, IRI_FORMAT_AUTO,
     "this is a DXBC container (Direct3D 10 and later), which is not read yet"},
    {"\x01\x09\xff\xfe", 4, IRI_FORMAT_AUTO,
     "this is a Direct3D 9 effect (fx_2_0), not a shader: `iridia fx` lists it and takes its shaders out"},
    {"\xcf\x0b\xf0\xbc", 4, IRI_FORMAT_AUTO,
     "this is an effect of XNA, not a shader: `iridia fx` lists it and takes its shaders out"},
    {"\xbc\xf0\x0b\xcf", 4, IRI_FORMAT_AUTO,
     "this is an effect of XNA for Xbox 360, which is not read: its shaders are of another machine; build the "
     "effect for Windows"},
    {"MGFX", 4, IRI_FORMAT_AUTO,
     "this is an effect of MonoGame (MGFX), not a shader: `iridia fx` lists it and takes its shaders out"},
    {"\x01\x20\xff\xfe", 4, IRI_FORMAT_AUTO,
     "this is a Direct3D 10 or 11 effect, which is not read yet"},
    {"XNB", 3, IRI_FORMAT_AUTO,
     "this is a content file of XNA or MonoGame (XNB): `iridia fx` lists the effect in one"},
    {"\x03\x02\x23\x07", 4, IRI_FORMAT_AUTO, "this is SPIR-V, which is written, not read"},
    {"#ifdef G", 8, IRI_FORMAT_AUTO, "this is GLSL, which is not read yet"},
    {"#version", 8, IRI_FORMAT_AUTO, "this is GLSL, which is not read yet"},
    {"BC\xc0\xde", 4, IRI_FORMAT_AUTO,
     "this is LLVM bitcode without its container, which is not read"},
};

iri_format iri_detect_format(const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    if (!p)
        return IRI_FORMAT_AUTO;
    if (size >= 4 && p[3] == 0xff && (p[2] == 0xfe || p[2] == 0xff) && p[1] >= 1 && p[1] <= 3)
        return IRI_FORMAT_D3D9;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (size >= starts[i].size && memcmp(p, starts[i].start, starts[i].size) == 0)
            return (iri_format)starts[i].format;
    return IRI_FORMAT_AUTO;
}

const char *iri_unread_format(const void *bytes, size_t size)
{
    if (!size)
        return "there are no bytes";
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (starts[i].unread && size >= starts[i].size &&
            memcmp(bytes, starts[i].start, starts[i].size) == 0)
            return starts[i].unread;
    return "no format that is known begins with these bytes";
}

const char *iri_format_name(iri_format format)
{
    return (unsigned)format < IRI_FORMAT_COUNT ? format_names[format] : NULL;
}

iri_format iri_format_by_name(const char *name)
{
    for (int i = 0; name && i < IRI_FORMAT_COUNT; i++)
        if (strcmp(format_names[i], name) == 0)
            return (iri_format)i;
    return IRI_FORMAT_AUTO;
}
