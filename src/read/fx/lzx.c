/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LZX as XNA's content files hold it: Microsoft's format ([MS-PATCH], "LZX DELTA" without the delta) with a
 * window of 64 KiB, whose output is cut into frames of at most 32 KiB, each of which begins with its sizes
 * and on a byte of its own. Trees, the three last distances and a block that is not done go on from frame to
 * frame.
 */
#include "read/fx/xnb.h"

#include <string.h>

enum {
    WINDOW = 1 << 16,
    FRAME = 1 << 15,
    SLOTS = 32, /* of distances, for this window */
    LITERALS = 256,
    MAIN = LITERALS + 8 * SLOTS,
    LENGTHS = 249,
    ALIGNED = 8,
    PRETREE = 20,
    LONGEST_CODE = 16,
    LEAST_MATCH = 2
};
enum { VERBATIM_BLOCK = 1, ALIGNED_BLOCK = 2, STORED_BLOCK = 3 };

/* A canonical Huffman code. */
typedef struct tree {
    uint16_t count[LONGEST_CODE + 1]; /* of codes, by length */
    uint16_t symbols[MAIN];           /* in the order of their codes */
} tree;

typedef struct lzx {
    iri_cursor in;       /* one frame's bytes */
    uint32_t word, bits; /* the lowest `bits` of `word` are not used yet */
    uint32_t block_left, block_type, block_size;
    bool begun;
    uint32_t last[3]; /* distances */
    uint8_t main_lengths[MAIN], length_lengths[LENGTHS];
    tree main, length, aligned;
} lzx;

static _Noreturn void fail(const lzx *l, const char *reason)
{
    iri_fail(l->in.ctx, IRI_MALFORMED_EFFECT, iri_cursor_offset(&l->in), "LZX: %s", reason);
}

/* ---- bits: words of 16, the high bit first ---- */

static uint32_t read_bits(lzx *l, uint32_t count)
{
    uint32_t number = 0;
    while (count) {
        if (!l->bits) {
            l->word = iri_read_u16(&l->in);
            l->bits = 16;
        }
        uint32_t some = count < l->bits ? count : l->bits;
        l->bits -= some;
        number = number << some | (l->word >> l->bits & ((1u << some) - 1));
        count -= some;
    }
    return number;
}

static uint32_t read_symbol(lzx *l, const tree *t)
{
    uint32_t code = 0, first = 0, index = 0;
    for (int length = 1; length <= LONGEST_CODE; length++) {
        code |= read_bits(l, 1);
        if (code - first < t->count[length])
            return t->symbols[index + code - first];
        index += t->count[length];
        first = (first + t->count[length]) << 1;
        code <<= 1;
    }
    fail(l, "a code that no symbol has");
}

static void make_tree(lzx *l, tree *t, const uint8_t *lengths, uint32_t count)
{
    uint16_t at[LONGEST_CODE + 2] = {0};
    memset(t->count, 0, sizeof t->count);
    for (uint32_t i = 0; i < count; i++)
        if (lengths[i])
            t->count[lengths[i]]++;
    int32_t room = 1;
    for (int i = 1; i <= LONGEST_CODE; i++) {
        at[i + 1] = (uint16_t)(at[i] + t->count[i]);
        room = (room << 1) - t->count[i];
        if (room < 0)
            fail(l, "a tree with more codes than there can be");
    }
    for (uint32_t i = 0; i < count; i++)
        if (lengths[i])
            t->symbols[at[lengths[i]]++] = (uint16_t)i;
}

/* ---- a block's trees ---- */

/* Lengths are differences to those of the block before, in a code of their own. */
static void read_lengths(lzx *l, uint8_t *lengths, uint32_t from, uint32_t to)
{
    uint8_t pretree_lengths[PRETREE];
    tree pretree;
    for (int i = 0; i < PRETREE; i++)
        pretree_lengths[i] = (uint8_t)read_bits(l, 4);
    make_tree(l, &pretree, pretree_lengths, PRETREE);
    while (from < to) {
        uint32_t symbol = read_symbol(l, &pretree), count = 1;
        bool zero = symbol == 17 || symbol == 18;
        if (symbol == 17)
            count = 4 + read_bits(l, 4);
        else if (symbol == 18)
            count = 20 + read_bits(l, 5);
        else if (symbol == 19) {
            count = 4 + read_bits(l, 1);
            symbol = read_symbol(l, &pretree);
            if (symbol > LONGEST_CODE)
                fail(l, "a run of lengths of a run");
        }
        if (count > to - from)
            fail(l, "a run of lengths past a tree's end");
        uint8_t length = zero ? 0 : (uint8_t)((lengths[from] + 17 - symbol) % 17);
        for (; count; count--)
            lengths[from++] = length;
    }
}

static void begin_block(lzx *l)
{
    if (!l->begun) {
        l->begun = true;
        /* Calls of x86 code translated: nothing that an effect is made of. */
        if (read_bits(l, 1))
            fail(l, "translated x86 code");
    }
    l->block_type = read_bits(l, 3);
    l->block_size = l->block_left = read_bits(l, 24);
    if (!l->block_size)
        fail(l, "a block of no bytes");
    if (l->block_type == STORED_BLOCK) {
        /* On to a whole word; 16 bits are passed over where it is one already. */
        read_bits(l, l->bits ? l->bits : 16);
        for (int i = 0; i < 3; i++)
            l->last[i] = iri_read_u32(&l->in);
        return;
    }
    if (l->block_type == ALIGNED_BLOCK) {
        uint8_t lengths[ALIGNED];
        for (int i = 0; i < ALIGNED; i++)
            lengths[i] = (uint8_t)read_bits(l, 3);
        make_tree(l, &l->aligned, lengths, ALIGNED);
    } else if (l->block_type != VERBATIM_BLOCK) {
        fail(l, "a block of no type there is");
    }
    read_lengths(l, l->main_lengths, 0, LITERALS);
    read_lengths(l, l->main_lengths, LITERALS, MAIN);
    make_tree(l, &l->main, l->main_lengths, MAIN);
    read_lengths(l, l->length_lengths, 0, LENGTHS);
    make_tree(l, &l->length, l->length_lengths, LENGTHS);
}

/* ---- matches ---- */

/* Slots go in pairs, each pair with a bit more behind it from the third on. */
static uint32_t extra_bits(uint32_t slot)
{
    return slot < 4 ? 0 : slot / 2 - 1;
}

static uint32_t slot_base(uint32_t slot)
{
    return slot < 4 ? slot : (2 + slot % 2) << extra_bits(slot);
}

static uint32_t read_distance(lzx *l, uint32_t slot)
{
    if (slot < 3) {
        uint32_t distance = l->last[slot];
        l->last[slot] = l->last[0];
        return l->last[0] = distance;
    }
    uint32_t extra = extra_bits(slot), more = 0;
    if (l->block_type == ALIGNED_BLOCK && extra >= 3) {
        more = read_bits(l, extra - 3) << 3;
        more += read_symbol(l, &l->aligned);
    } else {
        more = read_bits(l, extra);
    }
    l->last[2] = l->last[1];
    l->last[1] = l->last[0];
    return l->last[0] = slot_base(slot) + more - 2;
}

/* Decodes up to `size` bytes of a block behind the `at` that there are. */
static uint32_t read_coded(lzx *l, uint8_t *out, uint32_t at, uint32_t size)
{
    uint32_t end = at + size;
    while (at < end) {
        uint32_t symbol = read_symbol(l, &l->main);
        if (symbol < LITERALS) {
            out[at++] = (uint8_t)symbol;
            continue;
        }
        uint32_t length = symbol % 8;
        if (length == 7)
            length += read_symbol(l, &l->length);
        length += LEAST_MATCH;
        uint32_t distance = read_distance(l, (symbol - LITERALS) / 8);
        if (!distance || distance > at || distance > WINDOW)
            fail(l, "a match that begins before the output");
        if (length > end - at)
            fail(l, "a match across the end of a block or frame");
        for (; length; length--, at++)
            out[at] = out[at - distance];
    }
    return at;
}

static uint32_t unpack_frame(lzx *l, uint8_t *out, uint32_t at, uint32_t size)
{
    uint32_t end = at + size;
    l->bits = 0;
    while (at < end) {
        if (!l->block_left)
            begin_block(l);
        uint32_t some = l->block_left < end - at ? l->block_left : end - at;
        l->block_left -= some;
        if (l->block_type != STORED_BLOCK) {
            at = read_coded(l, out, at, some);
            continue;
        }
        memcpy(out + at, iri_read_bytes(&l->in, some), some);
        at += some;
        if (!l->block_left && l->block_size % 2 && iri_cursor_left(&l->in))
            iri_read_u8(&l->in);
    }
    return at;
}

/* A frame's sizes: of what it is packed to alone (two bytes), or behind 0xff also of what it unpacks to. */
void iri_lzx_unpack(iri_cursor *in, uint8_t *out, uint32_t size, iri_arena *scratch)
{
    lzx *l = iri_new(scratch, lzx);
    l->last[0] = l->last[1] = l->last[2] = 1;
    for (uint32_t at = 0; at < size;) {
        uint32_t offset = iri_cursor_offset(in), first = iri_read_u8(in);
        uint32_t frame = FRAME;
        if (first == 0xff) {
            frame = (uint32_t)iri_read_u8(in) << 8;
            frame |= iri_read_u8(in);
            first = iri_read_u8(in);
        } else if (size - at < FRAME) {
            frame = size - at;
        }
        uint32_t packed = first << 8;
        packed |= iri_read_u8(in);
        if (!packed || !frame || frame > FRAME || frame > size - at)
            iri_fail(in->ctx, IRI_MALFORMED_EFFECT, offset,
                     "LZX: a frame of %u bytes packed to %u where %u are left", frame, packed,
                     size - at);
        l->in = iri_cursor_sub(in, in->at, packed);
        iri_read_bytes(in, packed);
        at = unpack_frame(l, out, at, frame);
    }
}
