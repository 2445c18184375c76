/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One block of LZ4, as MonoGame's content files hold it. A sequence: a token (the two lengths), more bytes of a
 * length while they are 255, literals, and but for the last a distance and a match.
 */
#include "read/fx/xnb.h"

#include <string.h>

enum { LEAST_MATCH = 4 };

static uint32_t read_length(iri_cursor *in, uint32_t length)
{
    if (length < 15)
        return length;
    uint8_t more;
    do {
        more = iri_read_u8(in);
        length += more;
    } while (more == 255);
    return length;
}

void iri_lz4_unpack(iri_cursor *in, uint8_t *out, uint32_t size)
{
    for (uint32_t at = 0;;) {
        uint32_t offset = iri_cursor_offset(in), token = iri_read_u8(in);
        uint32_t literals = read_length(in, token >> 4);
        if (literals > size - at)
            iri_fail(in->ctx, IRI_MALFORMED_EFFECT, offset,
                     "LZ4: %u literals where %u bytes are left", literals, size - at);
        if (literals)
            memcpy(out + at, iri_read_bytes(in, literals), literals);
        at += literals;
        if (!iri_cursor_left(in) && at == size)
            return;
        uint32_t distance = iri_read_u16(in);
        uint32_t length = read_length(in, token & 15) + LEAST_MATCH;
        if (!distance || distance > at || length > size - at)
            iri_fail(in->ctx, IRI_MALFORMED_EFFECT, offset,
                     "LZ4: %u bytes from %u before, at byte %u of %u", length, distance, at, size);
        for (; length; length--, at++)
            out[at] = out[at - distance];
    }
}
