/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entries of effects.
 */
#include "base/options.h"
#include "read/common/d3dx.h"
#include "read/fx/fx.h"
#include "read/fx/mgfx.h"
#include "read/fx/xnb.h"

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
    iri_effect *effect = &own->effect;
    iri_cursor file = iri_cursor_make(ctx, j->bytes, j->size, 0);
    effect->container = effect->compression = effect->wrapper = "";
    effect->bytes = file.data;
    effect->byte_count = file.size;
    if (iri_is_xnb(&file))
        file = iri_xnb_open(ctx, &j->arena, &file, effect);
    if (iri_is_mgfx(&file))
        iri_mgfx_decode(ctx, &j->arena, &file, effect);
    else
        iri_fx_decode(ctx, &j->arena, &file, effect);
    own->allocator = ctx->allocator;
    j->effect = &own->effect;
}

bool iri_is_effect(const void *bytes, size_t size)
{
    static const uint8_t starts[3][4] = {
        {0x01, 0x09, 0xff, 0xfe}, {0xcf, 0x0b, 0xf0, 0xbc}, {'M', 'G', 'F', 'X'}};
    for (int i = 0; bytes && size >= 4 && i < 3; i++)
        if (memcmp(bytes, starts[i], 4) == 0)
            return true;
    return bytes && size >= 3 && memcmp(bytes, "XNB", 3) == 0;
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

const char *iri_effect_code_name(iri_effect_code code)
{
    static const char *const names[IRI_EFFECT_CODE_COUNT] = {"d3d9", "dxbc", "dxil", "glsl",
                                                             "spirv"};
    return (unsigned)code < IRI_EFFECT_CODE_COUNT ? names[code] : NULL;
}

const char *iri_effect_format_name(iri_effect_format format)
{
    static const char *const names[IRI_EFFECT_FORMAT_COUNT] = {"fx_2_0", "mgfx"};
    return (unsigned)format < IRI_EFFECT_FORMAT_COUNT ? names[format] : NULL;
}

const char *iri_effect_class_name(iri_effect_class class_)
{
    return iri_d3dx_class_name((uint32_t)class_);
}

const char *iri_effect_type_name(iri_effect_type type)
{
    return iri_d3dx_type_name((uint32_t)type);
}
