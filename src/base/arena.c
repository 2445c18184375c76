/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arenas as a stack of chunks. Each new chunk is half as large as all before it together, from 4 KiB
 * up to 1 MiB, so that a small shader holds little and a large one allocates rarely; a larger
 * allocation gets a chunk of its own size. What a growing array leaves behind is kept by size and
 * given out again.
 */
#include "base/arena.h"

#include <stdio.h>

enum { CHUNK_MIN = 4 << 10, CHUNK_MAX = 1 << 20 };

struct iri_chunk {
    iri_chunk *below;
    size_t size; /* this header included */
};

_Static_assert(sizeof(iri_chunk) % 8 == 0, "allocations are aligned to 8");

static _Noreturn void fail_size(iri_arena *arena, size_t count, size_t size)
{
    iri_fail(arena->ctx, IRI_LIMIT_MEMORY, IRI_NO_OFFSET, "an array of %llu elements of %llu bytes",
             (unsigned long long)count, (unsigned long long)size);
}

static size_t checked_size(iri_arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - 64) / size)
        fail_size(arena, count, size);
    return (count * size + 7) & ~(size_t)7;
}

static void free_chunk(iri_arena *arena, iri_chunk *chunk)
{
    arena->held -= chunk->size;
    iri_ctx_free(arena->ctx, chunk, chunk->size);
}

static void drop_spare(iri_arena *arena)
{
    if (arena->spare)
        free_chunk(arena, arena->spare);
    arena->spare = NULL;
}

static void pop_chunk(iri_arena *arena)
{
    iri_chunk *chunk = arena->chunks;
    arena->chunks = chunk->below;
    if (arena->spare && arena->spare->size >= chunk->size) {
        free_chunk(arena, chunk);
    } else {
        drop_spare(arena);
        arena->spare = chunk;
    }
}

static void push_chunk(iri_arena *arena, size_t size)
{
    iri_chunk *chunk = arena->spare;
    size_t needed = size + sizeof *chunk;
    if (chunk && chunk->size >= needed) {
        arena->spare = NULL;
    } else {
        size_t wanted = arena->held / 2;
        if (wanted < CHUNK_MIN)
            wanted = CHUNK_MIN;
        if (wanted > CHUNK_MAX)
            wanted = CHUNK_MAX;
        if (wanted < needed)
            wanted = needed;
        drop_spare(arena);
        chunk = iri_ctx_alloc(arena->ctx, wanted);
        chunk->size = wanted;
        arena->held += wanted;
    }
    chunk->below = arena->chunks;
    arena->chunks = chunk;
    arena->at = (uint8_t *)(chunk + 1);
    arena->end = (uint8_t *)chunk + chunk->size;
}

/* ---- memory that growing arrays left behind ---- */

typedef struct left_over {
    struct left_over *next;
    size_t size;
} left_over;

/* Class k holds blocks of 2^(k + LEFT_OVER_SHIFT) bytes and more, below twice that. */
enum { LEFT_OVER_SHIFT = 6 };

static uint32_t left_over_class(size_t size)
{
    uint32_t k = 0;
    while (k + 1 < IRI_ARENA_LEFT_OVERS && size >> (k + LEFT_OVER_SHIFT + 1))
        k++;
    return k;
}

static void leave(iri_arena *arena, void *memory, size_t size)
{
    if (size < (size_t)1 << LEFT_OVER_SHIFT)
        return;
    left_over *block = memory;
    left_over **list = (left_over **)&arena->left_over[left_over_class(size)];
    *block = (left_over){*list, size};
    *list = block;
}

/* The first block of the size's own class, or of the next, that is large enough. */
static void *reuse(iri_arena *arena, size_t size)
{
    uint32_t k = left_over_class(size);
    for (uint32_t end = k + 2; k < end && k < IRI_ARENA_LEFT_OVERS; k++) {
        left_over *block = arena->left_over[k];
        if (block && block->size >= size) {
            arena->left_over[k] = block->next;
            return block;
        }
    }
    return NULL;
}

static void *take(iri_arena *arena, size_t size)
{
    if (!size)
        size = 8; /* never NULL, never twice the same address */
    if (size >= (size_t)1 << LEFT_OVER_SHIFT) {
        void *again = reuse(arena, size);
        if (again)
            return again;
    }
    if (size > (size_t)(arena->end - arena->at))
        push_chunk(arena, size);
    void *memory = arena->at;
    arena->at += size;
    return memory;
}

void iri_arena_init(iri_arena *arena, iri_ctx *ctx)
{
    memset(arena, 0, sizeof *arena);
    arena->ctx = ctx;
}

void iri_arena_free(iri_arena *arena)
{
    iri_chunk *below;
    for (iri_chunk *chunk = arena->chunks; chunk; chunk = below) {
        below = chunk->below;
        free_chunk(arena, chunk);
    }
    drop_spare(arena);
    iri_arena_init(arena, arena->ctx);
}

void iri_arena_reset(iri_arena *arena)
{
    iri_arena_rewind(arena, (iri_arena_mark){NULL, NULL});
}

iri_arena_mark iri_arena_get_mark(iri_arena *arena)
{
    return (iri_arena_mark){arena->chunks, arena->at};
}

void iri_arena_rewind(iri_arena *arena, iri_arena_mark mark)
{
    while (arena->chunks != mark.chunk)
        pop_chunk(arena);
    memset(arena->left_over, 0, sizeof arena->left_over);
    arena->at = mark.at;
    arena->end = mark.chunk ? (uint8_t *)mark.chunk + mark.chunk->size : NULL;
}

void *iri_arena_alloc(iri_arena *arena, size_t count, size_t size)
{
    size_t bytes = checked_size(arena, count, size);
    void *memory = take(arena, bytes);
    memset(memory, 0, bytes);
    return memory;
}

void *iri_arena_take_slow(iri_arena *arena, size_t size)
{
    return take(arena, checked_size(arena, size, 1));
}

void iri_arena_reserve(iri_arena *arena, size_t size)
{
    if (checked_size(arena, size, 1) > (size_t)(arena->end - arena->at))
        push_chunk(arena, checked_size(arena, size, 1));
}

void *iri_arena_grow(iri_arena *arena, void *memory, size_t count, size_t capacity, size_t size)
{
    size_t bytes = checked_size(arena, capacity, size);
    size_t old = checked_size(arena, count, size);
    size_t used = count * size;
    uint8_t *grown = memory;
    if (memory && bytes <= old)
        return memory;
    /* In place where it is the newest allocation and the chunk has room. */
    if (memory && old && grown + old == arena->at &&
        bytes - old <= (size_t)(arena->end - arena->at))
        arena->at += bytes - old;
    else
        grown = take(arena, bytes);
    if (grown != memory && used)
        memcpy(grown, memory, used);
    if (grown != memory && memory)
        leave(arena, memory, old);
    return grown;
}

char *iri_arena_copy_text(iri_arena *arena, const char *text, size_t size)
{
    if (size > SIZE_MAX - 64)
        fail_size(arena, size, 1);
    char *copy = take(arena, checked_size(arena, size + 1, 1));
    if (size)
        memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

char *iri_arena_printf(iri_arena *arena, const char *format, ...)
{
    char small[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length < 0)
        iri_fail(arena->ctx, IRI_INTERNAL, IRI_NO_OFFSET, "a text could not be formatted");
    if ((size_t)length < sizeof small)
        return iri_arena_copy_text(arena, small, (size_t)length);
    char *text = take(arena, checked_size(arena, (size_t)length + 1, 1));
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void *iri_vec_grow(iri_arena *arena, void *memory, uint32_t count, uint32_t *capacity,
                   size_t needed, size_t size)
{
    uint64_t wanted = (uint64_t)*capacity * 2;
    if (needed > UINT32_MAX)
        fail_size(arena, needed, size);
    if (wanted < needed)
        wanted = needed;
    if (wanted < 8)
        wanted = 8;
    if (wanted > UINT32_MAX)
        wanted = UINT32_MAX;
    /* The whole old capacity is the allocation, of which `count` elements hold something. */
    (void)count;
    memory = iri_arena_grow(arena, memory, memory ? *capacity : 0, (size_t)wanted, size);
    *capacity = (uint32_t)wanted;
    return memory;
}
