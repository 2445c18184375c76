/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * XNB files made for the tests: stored, LZ4 and LZX. The LZX here takes codes of fixed lengths and turns
 * through its three kinds of blocks, so that the reader meets each: small output is not the point.
 */
#include "pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes {
    uint8_t *at;
    size_t count, capacity;
} bytes;

static void put8(bytes *b, unsigned byte)
{
    if (b->count == b->capacity) {
        b->capacity = 2 * b->capacity + 64;
        b->at = realloc(b->at, b->capacity);
        if (!b->at)
            abort();
    }
    b->at[b->count++] = (uint8_t)byte;
}

static void put32(bytes *b, size_t word)
{
    for (int i = 0; i < 4; i++)
        put8(b, (unsigned)(word >> 8 * i) & 0xff);
}

static void put_bytes(bytes *b, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        put8(b, data[i]);
}

static void put_packed(bytes *b, size_t number)
{
    for (; number >= 0x80; number >>= 7)
        put8(b, (unsigned)(number & 0x7f) | 0x80);
    put8(b, (unsigned)number);
}

/* ---- matches ---- */

enum { HASHES = 1 << 12 };

typedef struct finder {
    uint32_t last[HASHES]; /* a position's successor */
} finder;

static unsigned hash_of(const uint8_t *p)
{
    return (p[0] | (unsigned)p[1] << 8 | (unsigned)p[2] << 16) * 2654435761u >> 20;
}

/* The distance of a match of at least 4 bytes that ends at `end` at most, or 0. */
static uint32_t find(finder *f, const uint8_t *data, uint32_t at, uint32_t end, uint32_t longest,
                     uint32_t *length)
{
    if (at + 4 > end)
        return 0;
    unsigned h = hash_of(data + at);
    uint32_t before = f->last[h];
    f->last[h] = at + 1;
    if (!before || at + 1 - before > 0xf000)
        return 0;
    uint32_t from = before - 1, n = 0;
    while (n < longest && at + n < end && data[from + n] == data[at + n])
        n++;
    *length = n;
    return n >= 4 ? at - from : 0;
}

/* ---- LZ4 ---- */

static void lz4_length(bytes *b, uint32_t length)
{
    if (length < 15)
        return;
    for (length -= 15; length >= 255; length -= 255)
        put8(b, 255);
    put8(b, length);
}

static void lz4_sequence(bytes *b, const uint8_t *literals, uint32_t count, uint32_t distance,
                         uint32_t length)
{
    uint32_t more = distance ? length - 4 : 0;
    put8(b, (count < 15 ? count : 15) << 4 | (more < 15 ? more : 15));
    lz4_length(b, count);
    put_bytes(b, literals, count);
    if (!distance)
        return;
    put8(b, distance & 0xff);
    put8(b, distance >> 8);
    lz4_length(b, more);
}

static void lz4(bytes *b, const uint8_t *data, uint32_t size)
{
    finder f = {{0}};
    uint32_t literals = 0, at = 0;
    while (at < size) {
        uint32_t length,
            distance = find(&f, data, at, size - (size > 5 ? 5 : size), UINT32_MAX, &length);
        if (!distance) {
            at++;
            continue;
        }
        lz4_sequence(b, data + literals, at - literals, distance, length);
        at += length;
        literals = at;
    }
    lz4_sequence(b, data + literals, size - literals, 0, 0);
}

/* ---- LZX ---- */

enum { MAIN = 512, LENGTHS = 249, FRAME = 1 << 15, BLOCK = 9001 };

typedef struct lzx {
    bytes *out;
    uint32_t word, bits; /* waiting: fewer than 16 */
    uint8_t main[MAIN], lengths[LENGTHS];
    uint32_t last[3];
} lzx;

static void bits(lzx *l, uint32_t number, uint32_t count)
{
    while (count--) {
        l->word = l->word << 1 | (number >> count & 1);
        if (++l->bits == 16) {
            put8(l->out, l->word & 0xff);
            put8(l->out, l->word >> 8 & 0xff);
            l->word = l->bits = 0;
        }
    }
}

static void flush(lzx *l)
{
    if (l->bits)
        bits(l, 0, 16 - l->bits);
}

/* A symbol of a code without gaps, as other decoders want it: the first `few` of its symbols have a bit less
 * than the rest. */
static void symbol(lzx *l, uint32_t number, uint32_t few, uint32_t length)
{
    if (number < few)
        bits(l, number, length - 1);
    else
        bits(l, number + few, length);
}

enum { PRE_FEW = 12, PRE_LENGTH = 5, LENGTHS_FEW = 7, LENGTHS_LENGTH = 8 };

static void pre(lzx *l, uint32_t number)
{
    symbol(l, number, PRE_FEW, PRE_LENGTH);
}

static void send_lengths(lzx *l, uint8_t *now, const uint8_t *want, int from, int to)
{
    for (int i = 0; i < 20; i++)
        bits(l, i < PRE_FEW ? PRE_LENGTH - 1 : PRE_LENGTH, 4);
    for (int i = from; i < to;) {
        int run = 1;
        uint32_t delta = (now[i] + 17u - want[i]) % 17;
        while (i + run < to && want[i + run] == want[i])
            run++;
        int taken = 1;
        if (!want[i] && run >= 20) {
            taken = run < 51 ? run : 51;
            pre(l, 18);
            bits(l, (uint32_t)taken - 20, 5);
        } else if (!want[i] && run >= 4) {
            taken = run < 19 ? run : 19;
            pre(l, 17);
            bits(l, (uint32_t)taken - 4, 4);
        } else if (run >= 4) {
            taken = run < 5 ? 4 : 5;
            pre(l, 19);
            bits(l, (uint32_t)taken - 4, 1);
            pre(l, delta);
        } else {
            pre(l, delta);
        }
        for (; taken; taken--, i++)
            now[i] = want[i];
    }
}

/* The tree of lengths is there in every other block, so that differences to the block before are seen. */
static void send_trees(lzx *l, bool with_lengths)
{
    uint8_t main[MAIN], lengths[LENGTHS];
    memset(main, 9, sizeof main);
    memset(lengths, with_lengths ? LENGTHS_LENGTH : 0, sizeof lengths);
    memset(lengths, with_lengths ? LENGTHS_LENGTH - 1 : 0, LENGTHS_FEW);
    send_lengths(l, l->main, main, 0, 256);
    send_lengths(l, l->main, main, 256, MAIN);
    send_lengths(l, l->lengths, lengths, 0, LENGTHS);
}

static uint32_t extra_of(uint32_t slot)
{
    return slot < 4 ? 0 : slot / 2 - 1;
}

static uint32_t base_of(uint32_t slot)
{
    return slot < 4 ? slot : (2 + slot % 2) << extra_of(slot);
}

static void send_match(lzx *l, uint32_t distance, uint32_t length, bool aligned)
{
    uint32_t slot = 3, formatted = distance + 2, header = length - 2 < 7 ? length - 2 : 7;
    for (uint32_t i = 0; i < 3; i++)
        if (l->last[i] == distance && slot == 3)
            slot = i;
    bool repeated = slot < 3;
    if (!repeated)
        while (slot < 31 && base_of(slot + 1) <= formatted)
            slot++;
    bits(l, 256 + 8 * slot + header, 9);
    if (header == 7)
        symbol(l, length - 9, LENGTHS_FEW, LENGTHS_LENGTH);
    if (repeated) {
        l->last[slot] = l->last[0];
        l->last[0] = distance;
        return;
    }
    uint32_t extra = extra_of(slot), more = formatted - base_of(slot);
    if (aligned && extra >= 3) {
        bits(l, more >> 3, extra - 3);
        bits(l, more & 7, 3);
    } else {
        bits(l, more, extra);
    }
    l->last[2] = l->last[1];
    l->last[1] = l->last[0];
    l->last[0] = distance;
}

static void begin_frame(bytes *out, size_t *header, uint32_t frame)
{
    if (frame != FRAME) {
        put8(out, 0xff);
        put8(out, frame >> 8);
        put8(out, frame & 0xff);
    }
    *header = out->count;
    put8(out, 0);
    put8(out, 0);
}

static void end_frame(bytes *out, size_t header)
{
    size_t packed = out->count - header - 2;
    out->at[header] = (uint8_t)(packed >> 8);
    out->at[header + 1] = (uint8_t)packed;
}

static void pack_lzx(bytes *out, const uint8_t *data, uint32_t size)
{
    static const uint32_t kinds[3] = {1, 2, 3};
    lzx l = {.out = out, .last = {1, 1, 1}};
    finder f = {{0}};
    uint32_t block_left = 0, block = 0, kind = 0;
    for (uint32_t at = 0; at < size;) {
        uint32_t end = size - at < FRAME ? size : at + FRAME;
        size_t header;
        begin_frame(out, &header, end - at);
        if (!at)
            bits(&l, 0, 1);
        while (at < end) {
            if (!block_left) {
                kind = kinds[block++ % 3];
                block_left = size - at < BLOCK ? size - at : BLOCK;
                bits(&l, kind, 3);
                bits(&l, block_left, 24);
                if (kind == 3) {
                    bits(&l, 0, l.bits ? 16 - l.bits : 16);
                    for (int i = 0; i < 3; i++)
                        put32(out, l.last[i]);
                } else {
                    for (int i = 0; kind == 2 && i < 8; i++)
                        bits(&l, 3, 3);
                    send_trees(&l, block % 2 == 1);
                }
            }
            uint32_t stop = block_left < end - at ? at + block_left : end;
            block_left -= stop - at;
            uint32_t longest =
                block % 2 == 1 ? 257 : 8; /* without a tree of lengths, what needs none */
            for (uint32_t from = at; kind == 3 && at < stop; at++) {
                put8(out, data[at]);
                if (at + 1 == stop && !block_left && (stop - from) && BLOCK % 2 && stop != size)
                    put8(out, 0);
            }
            while (at < stop) {
                uint32_t length, distance = find(&f, data, at, stop, longest, &length);
                if (distance) {
                    send_match(&l, distance, length, kind == 2);
                    at += length;
                } else {
                    bits(&l, data[at++], 9);
                }
            }
        }
        flush(&l);
        end_frame(out, header);
    }
}

/* ---- the file ---- */

uint8_t *pack_xnb(const uint8_t *effect, size_t size, pack_how how, const char *reader,
                  size_t *packed)
{
    bytes content = {0}, file = {0};
    put_packed(&content, 1);
    put_packed(&content, strlen(reader));
    put_bytes(&content, (const uint8_t *)reader, strlen(reader));
    put32(&content, 0);
    put_packed(&content, 0);
    put_packed(&content, 1);
    put32(&content, size);
    put_bytes(&content, effect, size);

    put_bytes(&file, (const uint8_t *)"XNBw\x05", 5);
    put8(&file, how == PACK_LZX ? 0x80 : how == PACK_LZ4 ? 0x40 : 0);
    put32(&file, 0);
    if (how != PACK_STORED)
        put32(&file, content.count);
    if (how == PACK_STORED)
        put_bytes(&file, content.at, content.count);
    else if (how == PACK_LZ4)
        lz4(&file, content.at, (uint32_t)content.count);
    else
        pack_lzx(&file, content.at, (uint32_t)content.count);
    for (int i = 0; i < 4; i++)
        file.at[6 + i] = (uint8_t)(file.count >> 8 * i);
    free(content.at);
    *packed = file.count;
    return file.at;
}
