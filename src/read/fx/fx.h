/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of fx_2_0 effects.
 *
 * The file: a version word, the offset of the directory from the byte behind it, then the heap that names,
 * types and values stand in, all found by offsets from that same byte. The directory holds parameters,
 * techniques with passes and their states; then the objects (strings, shaders, expressions) follow, each
 * with its bytes.
 */
#ifndef IRI_READ_FX_FX_H
#define IRI_READ_FX_FX_H

#include "base/arena.h"
#include "base/bitset.h"
#include "base/cursor.h"
#include <iridia/effect.h>

/* What reads an effect's directory: the heap, and what has been seen of the file. */
typedef struct iri_fx {
    iri_ctx *ctx;
    iri_arena *arena; /* of the effect */
    iri_cursor heap;  /* from the byte that offsets count from to the end */
    iri_bitset seen;  /* words of the heap that something was read from */
    uint32_t values;  /* made so far: bounded by the size of the file */
    iri_effect_object *objects;
    uint32_t object_count;
} iri_fx;

/* The effect's version word. */
#define IRI_FX_VERSION UINT32_C(0xfeff0901)

/* A row of states.def. */
typedef struct iri_fx_operation {
    const char *name;
    uint8_t class_; /* iri_effect_state_class */
    uint8_t words;  /* which list of words.c its values are of */
    uint16_t number;
} iri_fx_operation;
enum {
#define IRI_FX_STATE(name, class_, number, words) +1
    IRI_FX_OPERATION_COUNT = 0
#include "read/fx/states.def"
#undef IRI_FX_STATE
};
extern const iri_fx_operation iri_fx_operations[IRI_FX_OPERATION_COUNT];
/* The word for a value of an operation, "SRCALPHA"; NULL when it has none. */
const char *iri_fx_word_of(uint32_t operation, uint32_t value);

/* `offset` counts from the start of the caller's bytes. Does not return. */
_Noreturn void iri_fx_fail(const iri_fx *fx, uint32_t offset, const char *format, ...)
    IRI_PRINTF(3, 4);

/* Reads a word and marks it as seen. */
uint32_t iri_fx_word(iri_fx *fx, iri_cursor *at);
/* `size` bytes, to the next multiple of 4. */
const uint8_t *iri_fx_bytes(iri_fx *fx, iri_cursor *at, uint32_t size);
/* A cursor at an offset from the heap's start. `holder` is the offset of the word that holds it, in the
 * caller's bytes. */
iri_cursor iri_fx_at(iri_fx *fx, uint32_t offset, uint32_t holder);
/* Reads an offset and the text there, copied. */
const char *iri_fx_text(iri_fx *fx, iri_cursor *at);
/* Fails when `count` records of at least `size` bytes do not fit behind `at`. */
void iri_fx_need(const iri_fx *fx, const iri_cursor *at, uint32_t count, uint32_t size,
                 const char *what);

/* value.c: the value whose type and bytes stand at two offsets, read from `at`. */
iri_effect_value iri_fx_value(iri_fx *fx, iri_cursor *at);
/* The same, when other words stand between the two offsets. */
iri_effect_value iri_fx_value_at(iri_fx *fx, uint32_t type, uint32_t bytes, uint32_t holder);

/* assign.c: states of a pass, or of a sampler. */
const iri_effect_state *iri_fx_states(iri_fx *fx, iri_cursor *at, uint32_t count);

/* The objects behind the directory, and what they mean to the states that name them. */
void iri_fx_objects(iri_fx *fx, iri_cursor *at, iri_effect *effect);

/* decode.c: reads an effect, all of the cursor's bytes. */
void iri_fx_decode(iri_ctx *ctx, iri_arena *arena, const iri_cursor *bytes, iri_effect *effect);

#endif
