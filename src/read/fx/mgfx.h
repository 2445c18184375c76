/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of MonoGame's effects (MGFX): records one after another, so that it is done when the bytes are.
 */
#ifndef IRI_READ_FX_MGFX_H
#define IRI_READ_FX_MGFX_H

#include "base/arena.h"
#include "base/cursor.h"
#include <iridia/effect.h>

typedef struct iri_mgfx {
    iri_ctx *ctx;
    iri_arena *arena;
    iri_cursor in;
    uint32_t version, profile;
    bool named; /* buffers, samplers and vertex attributes have the names that GLSL needs */
} iri_mgfx;

/* `offset` counts from the start of the caller's bytes. Does not return. */
_Noreturn void iri_mgfx_fail(const iri_mgfx *m, uint32_t offset, const char *format, ...)
    IRI_PRINTF(3, 4);

/* The state objects, mgfx_state.def's rows. */
typedef enum iri_mgfx_object {
    IRI_MGFX_BLEND,
    IRI_MGFX_DEPTH,
    IRI_MGFX_RASTER,
    IRI_MGFX_SAMPLER
} iri_mgfx_object;

/* The states that a state object becomes. Blending also says whether it is on, and whether alpha differs. */
enum { IRI_MGFX_STATES_MAX = 20 };

/* mgfx_state.c: reads an object's fields and gives the states they are, at most IRI_MGFX_STATES_MAX. */
uint32_t iri_mgfx_states(iri_mgfx *m, iri_mgfx_object object, iri_effect_state *states);
/* States copied to the effect. */
const iri_effect_state *iri_mgfx_keep(iri_mgfx *m, const iri_effect_state *states, uint32_t count);
/* A pass's state that sets a shader. */
iri_effect_state iri_mgfx_shader_state(iri_stage stage, uint32_t object, uint32_t offset);

/* mgfx_shader.c: a constant buffer; a shader, and all of its bytes as an object. */
void iri_mgfx_buffer(iri_mgfx *m, iri_effect_buffer *b);
void iri_mgfx_shader(iri_mgfx *m, iri_effect_shader *s, iri_effect_object *object);

/* mgfx.c: a count, a byte up to version 9; `size` bytes a record at least have to follow. */
uint32_t iri_mgfx_count(iri_mgfx *m, uint32_t size, const char *what);
/* The same where it is a byte in every version. */
uint32_t iri_mgfx_small_count(iri_mgfx *m, uint32_t size, const char *what);
const char *iri_mgfx_text(iri_mgfx *m);

/* Whether bytes begin as one. */
bool iri_is_mgfx(const iri_cursor *bytes);
/* Reads an effect, all of the cursor's bytes. */
void iri_mgfx_decode(iri_ctx *ctx, iri_arena *arena, const iri_cursor *bytes, iri_effect *effect);

#endif
