/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * XNB: a header, the names of the classes that read what is inside, then one object by one of them. Only
 * effects are read: docs/formats/mgfx.md.
 */
#include "read/fx/xnb.h"

#include <string.h>

enum { FLAG_LZX = 0x80, FLAG_LZ4 = 0x40 };

uint32_t iri_read_packed(iri_cursor *in)
{
    uint32_t offset = iri_cursor_offset(in), number = 0;
    for (uint32_t shift = 0; shift <= 28; shift += 7) {
        uint32_t byte = iri_read_u8(in);
        if (shift == 28 && byte > 15)
            break;
        number |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    iri_fail(in->ctx, IRI_MALFORMED_EFFECT, offset, "a number of more than 32 bits");
}

/* The reader's class without its assembly: "Microsoft.Xna.Framework.Content.EffectReader". */
static const char *read_class(iri_cursor *in, uint32_t *size)
{
    uint32_t length = iri_read_packed(in);
    const char *name = (const char *)iri_read_bytes(in, length);
    const char *comma = memchr(name, ',', length);
    *size = comma ? (uint32_t)(comma - name) : length;
    return name;
}

static bool ends_with(const char *name, uint32_t size, const char *end)
{
    size_t length = strlen(end);
    return size >= length && memcmp(name + size - length, end, length) == 0;
}

/* What refusals may quote: the start of a name, if it is plain ASCII. */
static bool is_plain(const char *name, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        if (name[i] < 0x20 || name[i] > 0x7e)
            return false;
    return true;
}

static iri_cursor open_object(iri_ctx *ctx, iri_cursor *in)
{
    uint32_t readers = iri_read_packed(in), offset = iri_cursor_offset(in);
    uint32_t first_size = 0, effect = 0;
    const char *first = "";
    if (readers > iri_cursor_left(in) / 5)
        iri_fail(ctx, IRI_MALFORMED_EFFECT, offset, "%u readers in the %u bytes that are left",
                 readers, iri_cursor_left(in));
    for (uint32_t i = 0; i < readers; i++) {
        uint32_t size;
        const char *name = read_class(in, &size);
        iri_read_u32(in); /* the reader's version */
        if (!i) {
            first = name;
            first_size = size;
        }
        if (!effect && ends_with(name, size, ".EffectReader"))
            effect = i + 1;
    }
    if (iri_read_packed(in))
        iri_fail(ctx, IRI_MALFORMED_EFFECT, iri_cursor_offset(in) - 1,
                 "an effect that shares resources with others");
    if (iri_read_packed(in) != effect || !effect) {
        bool plain = first_size < 100 && is_plain(first, first_size);
        iri_fail(ctx, IRI_UNKNOWN_FORMAT, offset,
                 "the file holds no effect, but what \"%.*s\" reads", plain ? (int)first_size : 1,
                 plain ? first : "?");
    }
    uint32_t holder = iri_cursor_offset(in), size = iri_read_u32(in);
    if (size != iri_cursor_left(in))
        iri_fail(ctx, IRI_MALFORMED_EFFECT, holder, "an effect of %u bytes in the %u that are left",
                 size, iri_cursor_left(in));
    return iri_cursor_sub(in, in->at, size);
}

bool iri_is_xnb(const iri_cursor *file)
{
    return file->size >= 3 && memcmp(file->data, "XNB", 3) == 0;
}

/* Replaces what is left of `in` by what it unpacks to. */
static void unpack(iri_ctx *ctx, iri_arena *arena, iri_cursor *in, bool lzx, iri_effect *effect)
{
    uint32_t holder = iri_cursor_offset(in), size = iri_read_u32(in);
    /* The most that a byte can become: LZ4's and LZX's longest matches, repeated. */
    if (size / 4096 > iri_cursor_left(in))
        iri_fail(ctx, IRI_MALFORMED_EFFECT, holder, "%u bytes out of %u", size,
                 iri_cursor_left(in));
    uint8_t *bytes = iri_arena_take(arena, size);
    effect->compression = lzx ? "lzx" : "lz4";
    if (lzx)
        iri_lzx_unpack(in, bytes, size, arena);
    else
        iri_lz4_unpack(in, bytes, size);
    *in = iri_cursor_make(ctx, bytes, size, 0);
    effect->bytes = bytes;
    effect->byte_count = size;
}

iri_cursor iri_xnb_open(iri_ctx *ctx, iri_arena *arena, const iri_cursor *file, iri_effect *effect)
{
    iri_cursor in = *file;
    ctx->format = "xnb";
    effect->container = "xnb";
    iri_read_bytes(&in, 3);
    uint8_t platform = iri_read_u8(&in);
    uint32_t offset = iri_cursor_offset(&in);
    uint8_t version = iri_read_u8(&in), flags = iri_read_u8(&in);
    if (platform == 'x')
        iri_fail(ctx, IRI_UNSUPPORTED_VERSION, offset - 1,
                 "content for Xbox 360: its shaders are of another machine; build it for Windows");
    if (version < 3 || version > 5)
        iri_fail(ctx, IRI_UNSUPPORTED_VERSION, offset, "XNB version %u; 3 to 5 are read", version);
    uint32_t holder = iri_cursor_offset(&in), size = iri_read_u32(&in);
    if (size != file->size)
        iri_fail(ctx, IRI_MALFORMED_EFFECT, holder, "a file of %u bytes says it has %u", file->size,
                 size);
    if ((flags & (FLAG_LZX | FLAG_LZ4)) == (FLAG_LZX | FLAG_LZ4))
        iri_fail(ctx, IRI_MALFORMED_EFFECT, offset + 1, "it is said to be compressed in two ways");
    if (flags & (FLAG_LZX | FLAG_LZ4))
        unpack(ctx, arena, &in, (flags & FLAG_LZX) != 0, effect);
    return open_object(ctx, &in);
}
