/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entries for shaders inside other bytes, and their hashes.
 */
#include "base/options.h"
#include "read/d3d9/frame.h"
#include <iridia/scan.h>

static const size_t default_program_size = (size_t)1 << 20;

size_t iri_frame_size(const void *bytes, size_t size)
{
    return bytes ? iri_d3d9_find_frame(bytes, size).size : 0;
}

/* The next place at or behind `at` where a version word can stand: its last byte is 0xff. */
static size_t next_version(const uint8_t *data, size_t size, size_t at)
{
    while (size - at >= 4) {
        const uint8_t *found = memchr(data + at + 3, 0xff, size - at - 3);
        if (!found)
            break;
        at = (size_t)(found - data) - 3;
        if (data[at + 2] >= 0xfe && data[at + 1] >= 1 && data[at + 1] <= 3)
            return at;
        at++;
    }
    return size;
}

size_t iri_scan(const void *bytes, size_t size, const iri_scan_options *options,
                void (*found)(void *user, const iri_scanned *program), void *user)
{
    const uint8_t *data = bytes;
    iri_scan_options known;
    size_t count = 0;
    iri_take_options(&known, sizeof known, options);
    size_t most = known.program_size ? known.program_size : default_program_size;
    if (!data)
        return 0;
    for (size_t at = next_version(data, size, 0); at < size; at = next_version(data, size, at)) {
        size_t left = size - at;
        iri_d3d9_frame frame = iri_d3d9_find_frame(data + at, left < most ? left : most);
        if (!frame.size || !frame.instructions) {
            at++;
            continue;
        }
        count++;
        if (found)
            found(user, &(iri_scanned){.offset = at,
                                       .size = frame.size,
                                       .format = IRI_FORMAT_D3D9,
                                       .target = iri_d3d9_models[frame.model].name});
        at += frame.size;
    }
    return count;
}

iri_hashes iri_hash_shader(const void *bytes, size_t size)
{
    const uint64_t prime = UINT64_C(0x100000001b3);
    const uint8_t *data = bytes;
    iri_hashes h = {.crc32 = UINT32_MAX, .fnv1 = UINT64_C(0xcbf29ce484222325), .migoto = 0};
    for (size_t i = 0; i < size; i++) {
        h.crc32 ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            h.crc32 = h.crc32 >> 1 ^ (h.crc32 & 1 ? 0xedb88320u : 0);
        h.fnv1 = h.fnv1 * prime ^ data[i];
        h.migoto = h.migoto * prime ^ data[i];
    }
    h.crc32 = ~h.crc32;
    return h;
}
