/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entries of effects.
 */
#include "base/options.h"
#include "read/common/d3dx.h"
#include "read/fx/fx.h"

typedef struct job {
    const void *bytes;
    size_t size;
    iri_arena arena;
    iri_effect *effect;
} job;

/* An effect as it is freed: with the arena that it lies in. */
typedef struct owned {
    iri_effect effect; /* first: the caller's pointer is to it */
    iri_arena arena;
    iri_allocator allocator;
} owned;

static void body(iri_ctx *ctx, void *argument)
{
    job *j = argument;
    owned *own = iri_new(&j->arena, owned);
    iri_fx_decode(ctx, &j->arena, j->bytes, j->size, &own->effect);
    own->allocator = ctx->allocator;
    j->effect = &own->effect;
}

bool iri_is_effect(const void *bytes, size_t size)
{
    static const uint8_t starts[2][4] = {{0x01, 0x09, 0xff, 0xfe}, {0xcf, 0x0b, 0xf0, 0xbc}};
    return bytes && size >= 4 &&
           (memcmp(bytes, starts[0], 4) == 0 || memcmp(bytes, starts[1], 4) == 0);
}

iri_status iri_effect_read(const void *bytes, size_t size, const iri_effect_options *options,
                           iri_effect **out, iri_refusal *why)
{
    iri_effect_options known;
    iri_ctx ctx;
    job j = {.bytes = bytes, .size = size};
    iri_take_options(&known, sizeof known, options);
    if (!out || !bytes)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_effect_read: an argument is NULL");
    *out = NULL;
    if (size >= UINT32_MAX)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "input above 4 GiB");
    iri_ctx_init(&ctx, known.allocator, known.limits, why);
    iri_arena_init(&j.arena, &ctx);
    iri_status status = iri_protect(&ctx, body, &j);
    if (status != IRI_OK) {
        iri_arena_free(&j.arena);
        return status;
    }
    ((owned *)j.effect)->arena = j.arena;
    *out = j.effect;
    return IRI_OK;
}

void iri_effect_free(iri_effect *effect)
{
    if (!effect)
        return;
    owned *own = (owned *)effect;
    iri_arena arena = own->arena;
    iri_ctx ctx;
    iri_ctx_init(&ctx, &own->allocator, NULL, NULL);
    arena.ctx = &ctx;
    iri_arena_free(&arena);
}

const char *iri_effect_state_word(const iri_effect_state *state, uint32_t value)
{
    return iri_fx_word_of(state->operation, value);
}

const char *iri_effect_class_name(iri_effect_class class_)
{
    return iri_d3dx_class_name((uint32_t)class_);
}

const char *iri_effect_type_name(iri_effect_type type)
{
    return iri_d3dx_type_name((uint32_t)type);
}
