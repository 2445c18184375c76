/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arenas: memory that is freed all at once. There are two lifetimes only: a program's own arena and
 * scratch arenas of a call. Allocation never returns NULL; it fails through the context.
 */
#ifndef IRI_BASE_ARENA_H
#define IRI_BASE_ARENA_H

#include "base/ctx.h"
#include <string.h>

typedef struct iri_chunk iri_chunk;

enum { IRI_ARENA_LEFT_OVERS = 16 };

typedef struct iri_arena {
    iri_ctx *ctx;      /* of the call in progress: set anew by each public entry that allocates */
    iri_chunk *chunks; /* the newest, which `at` lies in, first */
    iri_chunk *spare;  /* the largest one emptied since, or NULL */
    uint8_t *at, *end;
    size_t held;                           /* bytes taken from the allocator */
    void *left_over[IRI_ARENA_LEFT_OVERS]; /* by size: what growing arrays left behind */
} iri_arena;

typedef struct iri_arena_mark {
    iri_chunk *chunk;
    uint8_t *at;
} iri_arena_mark;

void iri_arena_init(iri_arena *arena, iri_ctx *ctx);
/* Uses the allocator in arena->ctx. */
void iri_arena_free(iri_arena *arena);
/* Empties the arena, keeping its largest chunk for reuse. */
void iri_arena_reset(iri_arena *arena);
iri_arena_mark iri_arena_get_mark(iri_arena *arena);
/* Frees what was allocated since the mark. What stood before it must not have been grown since. */
void iri_arena_rewind(iri_arena *arena, iri_arena_mark mark);

/* Zeroed, aligned to 8. `count * size` is checked. */
void *iri_arena_alloc(iri_arena *arena, size_t count, size_t size);
#define iri_new(arena, type) ((type *)iri_arena_alloc(arena, 1, sizeof(type)))
#define iri_new_array(arena, type, count) ((type *)iri_arena_alloc(arena, count, sizeof(type)))

/* `size` bytes that hold anything, aligned to 8. */
void *iri_arena_take_slow(iri_arena *arena, size_t size);
static inline void *iri_arena_take(iri_arena *arena, size_t size)
{
    size_t room = (size_t)(arena->end - arena->at);
    if (!size || size > room || ((size + 7) & ~(size_t)7) > room)
        return iri_arena_take_slow(arena, size);
    void *memory = arena->at;
    arena->at += (size + 7) & ~(size_t)7;
    return memory;
}
/* Asks the allocator for room for `size` bytes at once, where it is not there. */
void iri_arena_reserve(iri_arena *arena, size_t size);

/* Grows an array of `count` elements to `capacity`; in place where it is the last allocation. The
 * added part holds anything. */
void *iri_arena_grow(iri_arena *arena, void *memory, size_t count, size_t capacity, size_t size);

char *iri_arena_copy_text(iri_arena *arena, const char *text, size_t size); /* adds a NUL */
char *iri_arena_printf(iri_arena *arena, const char *format, ...) IRI_PRINTF(2, 3);

/* A growing array: `IRI_VEC(uint32_t) v = {0}; iri_push(arena, &v, x);` */
#define IRI_VEC(type) \
    struct { \
        type *at; \
        uint32_t count, capacity; \
    }
#define iri_reserve(arena, vec, extra) \
    ((vec)->count + (size_t)(extra) > (vec)->capacity \
         ? (void)((vec)->at = iri_vec_grow(arena, (vec)->at, (vec)->count, &(vec)->capacity, \
                                           (vec)->count + (size_t)(extra), sizeof *(vec)->at)) \
         : (void)0)
#define iri_push(arena, vec, value) \
    (iri_reserve(arena, vec, 1), (void)((vec)->at[(vec)->count++] = (value)))

void *iri_vec_grow(iri_arena *arena, void *memory, uint32_t count, uint32_t *capacity,
                   size_t needed, size_t size);

#endif
