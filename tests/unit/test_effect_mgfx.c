/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MonoGame's effects and content files: a file made here byte by byte, the public corpus, effects wrapped by
 * the tests' own encoder, and hostile bytes.
 */
#include "pack.h"
#include "test.h"

#include <dirent.h>
#include <iridia/iridia.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Version 8, OpenGL: a buffer, a pixel shader with a sampler and its states, two parameters, a pass with
 * blending. The hash at byte 6 is filled in by nobody: it differs. */
static const uint8_t made[] = {
    'M', 'G', 'F', 'X', 8, 0, 1, 2, 3, 4,
    /* buffers */
    1, 1, 'b', 16, 0, 1, 0, 4, 0,
    /* shaders: a pixel shader of 4 bytes, a sampler with states, no buffer but 0, an attribute */
    1, 0, 4, 0, 0, 0, 'c', 'o', 'd', 'e', 1, 1, 2, 3, 1, 1, 2, 3, 0x10, 0x20, 0x30, 0x40, 5, 8, 0,
    0, 0, 2, 0, 0, 0, 0, 0, 0x80, 0x3f, 1, 's', 1, 1, 0, 1, 1, 'a', 3, 1, 0xff, 0xff,
    /* parameters: float2 p, texturecube t */
    2, 1, 3, 1, 'p', 1, 'S', 0, 1, 2, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 3, 9, 1, 't', 0, 0, 0,
    0, 0, 0,
    /* techniques: T, pass P, no vertex shader, pixel shader 0, blend state alone */
    1, 1, 'T', 0, 1, 1, 'P', 0, 0xff, 0, 1, 0, 5, 4, 1, 2, 3, 4, 0, 5, 4, 15, 7, 3, 1, 0x0f, 0, 0,
    0, 0, 0};

static uint32_t state_word(const iri_effect_state *states, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(states[i].name, name) == 0)
            return states[i].value.words[0];
    FAIL("there is no state %s", name);
    return 0;
}

TEST(mgfx_made)
{
    iri_effect *e;
    iri_refusal why;
    if (!CHECK(iri_effect_read(made, sizeof made, NULL, &e, &why) == IRI_OK)) {
        FAIL("0x%x: %s", why.offset, why.reason);
        return;
    }
    CHECK(e->format == IRI_EFFECT_MGFX && e->version == 8 && e->profile == 0 && e->hash_differs);
    CHECK(e->mojoshader && e->buffer_count == 1 && e->buffers[0].size == 16);
    CHECK(e->buffers[0].field_count == 1 && e->buffers[0].fields[0].offset == 4);
    CHECK(e->shader_count == 1 && e->shaders[0].code == IRI_EFFECT_GLSL);
    const iri_effect_shader *s = &e->shaders[0];
    CHECK(s->stage == IRI_STAGE_PIXEL && s->size == 4 && memcmp(s->data, "code", 4) == 0);
    CHECK(s->technique == 0 && s->pass == 0 && strcmp(s->path, "technique T/pass P/pixel") == 0);
    CHECK(s->sampler_count == 1 && s->samplers[0].type == IRI_EFFECT_SAMPLERCUBE);
    CHECK(s->samplers[0].texture_slot == 2 && s->samplers[0].sampler_slot == 3);
    CHECK(s->samplers[0].parameter == 1 && strcmp(s->samplers[0].name, "s") == 0);
    /* Clamp, Mirror, Border; a colour in red, green, blue, alpha; MinLinearMagPointMipLinear */
    const iri_effect_sampler *sampler = &s->samplers[0];
    CHECK_EQ_U32(state_word(sampler->states, sampler->state_count, "AddressU"), 3);
    CHECK_EQ_U32(state_word(sampler->states, sampler->state_count, "AddressV"), 2);
    CHECK_EQ_U32(state_word(sampler->states, sampler->state_count, "AddressW"), 4);
    CHECK_EQ_U32(state_word(sampler->states, sampler->state_count, "BorderColor"), 0x40102030);
    CHECK_EQ_U32(state_word(sampler->states, sampler->state_count, "MinFilter"), 2);
    CHECK_EQ_U32(state_word(sampler->states, sampler->state_count, "MagFilter"), 1);
    CHECK_EQ_U32(state_word(sampler->states, sampler->state_count, "MipFilter"), 2);
    CHECK_EQ_U32(state_word(sampler->states, sampler->state_count, "MaxAnisotropy"), 8);
    CHECK_EQ_U32(state_word(sampler->states, sampler->state_count, "MipMapLodBias"), 0x3f800000);
    CHECK(s->attribute_count == 1 && strcmp(s->attributes[0].semantic, "NORMAL") == 0);
    CHECK(s->attributes[0].index == 1 && s->attributes[0].location == -1);
    CHECK(e->parameter_count == 2 && e->parameters[0].value.word_count == 2);
    CHECK_EQ_U32(e->parameters[0].value.words[1], 0x40000000);
    CHECK(e->parameters[1].value.type == IRI_EFFECT_TEXTURECUBE);
    const iri_effect_pass *p = &e->techniques[0].passes[0];
    /* SourceAlpha, InverseSourceAlpha, Add */
    CHECK_EQ_U32(state_word(p->states, p->state_count, "SrcBlend"), 5);
    CHECK_EQ_U32(state_word(p->states, p->state_count, "DestBlend"), 6);
    CHECK_EQ_U32(state_word(p->states, p->state_count, "BlendOp"), 1);
    CHECK_EQ_U32(state_word(p->states, p->state_count, "BlendFactor"), 0x04010203);
    CHECK_EQ_U32(state_word(p->states, p->state_count, "AlphaBlendEnable"), 1);
    CHECK_EQ_U32(state_word(p->states, p->state_count, "SeparateAlphaBlendEnable"), 0);
    CHECK(strcmp(p->states[0].name, "PixelShader") == 0 && p->states[0].value.object == 1);
    iri_effect_free(e);
}

/* ---- the corpus, and content files of it ---- */

typedef struct file {
    uint8_t *data;
    size_t size;
} file;

static bool load(const char *path, file *out)
{
    FILE *in = fopen(path, "rb");
    if (!CHECK(in != NULL))
        return false;
    fseek(in, 0, SEEK_END);
    long size = ftell(in);
    rewind(in);
    out->size = size > 0 ? (size_t)size : 0;
    out->data = malloc(out->size + 1);
    bool read = out->data && fread(out->data, 1, out->size, in) == out->size;
    fclose(in);
    return CHECK(read);
}

static iri_effect *read_effect(const uint8_t *data, size_t size, const char *path)
{
    iri_effect *effect;
    iri_refusal why;
    if (iri_effect_read(data, size, NULL, &effect, &why) == IRI_OK)
        return effect;
    char line[600];
    iri_refusal_line(&why, path, line, sizeof line);
    FAIL("%s", line);
    return NULL;
}

/* The same effect: what it counts, and every byte of every shader. */
static void check_same(const iri_effect *a, const iri_effect *b, const char *path)
{
    bool same = a->format == b->format && a->shader_count == b->shader_count &&
                a->parameter_count == b->parameter_count &&
                a->technique_count == b->technique_count && a->object_count == b->object_count;
    for (uint32_t i = 0; same && i < a->shader_count; i++) {
        const iri_effect_shader *x = &a->shaders[i], *y = &b->shaders[i];
        same = x->size == y->size && memcmp(x->data, y->data, x->size) == 0 &&
               y->data == b->bytes + y->offset && y->offset + (size_t)y->size <= b->byte_count;
    }
    if (!CHECK(same))
        FAIL("%s", path);
}

static void check_wrapped(const file *f, const iri_effect *plain, const char *path)
{
    static const char *const names[] = {"", "lz4", "lzx"};
    for (int how = PACK_STORED; how <= PACK_LZX; how++) {
        size_t size;
        uint8_t *xnb = pack_xnb(f->data, f->size, (pack_how)how,
                                "Microsoft.Xna.Framework.Content.EffectReader, Assembly", &size);
        iri_effect *effect = read_effect(xnb, size, path);
        if (effect) {
            CHECK(strcmp(effect->container, "xnb") == 0);
            CHECK(strcmp(effect->compression, names[how]) == 0);
            check_same(plain, effect, path);
        }
        /* Cut anywhere it is refused, and nothing is read past the end. */
        for (size_t cut = 1; effect && cut < size; cut += size / 37 + 1) {
            iri_effect *none;
            uint8_t *part = malloc(size - cut);
            memcpy(part, xnb, size - cut);
            CHECK(iri_effect_read(part, size - cut, NULL, &none, NULL) != IRI_OK);
            free(part);
        }
        iri_effect_free(effect);
        free(xnb);
    }
}

static uint32_t read_folder(const char *folder, const char *extension)
{
    uint32_t count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[1024];
        file f;
        size_t size = strlen(entry->d_name), end = strlen(extension);
        if (size < end || strcmp(entry->d_name + size - end, extension) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (!load(path, &f))
            continue;
        iri_effect *effect = read_effect(f.data, f.size, path);
        if (effect) {
            CHECK(!effect->hash_differs && effect->shader_count && effect->technique_count);
            check_wrapped(&f, effect, path);
        }
        iri_effect_free(effect);
        free(f.data);
        count++;
    }
    if (dir)
        closedir(dir);
    return count;
}

TEST(mgfx_corpus)
{
    uint32_t count = read_folder("../shared/corpus/mgfxo/MonoGame", ".mgfxo");
    if (!count)
        SKIP("there is no ../shared/corpus/mgfxo");
    CHECK_EQ_U32(count, 45);
}

TEST(xnb_fixtures)
{
    CHECK(read_folder("tests/fixtures/effects", ".fxb") == 3);
}

/* Long runs, long literals, distances past 32 KiB: whatever the effect, the bytes come back. What is packed is
 * no effect, so that the refusal names its first bytes' fault and not the packing's. */
TEST(xnb_packing)
{
    enum { SIZE = 150000 };
    uint8_t *data = malloc(SIZE);
    uint32_t random = 1;
    for (uint32_t i = 0; i < SIZE; i++) {
        random = random * 1664525 + 1013904223;
        bool noise = i / 3000 % 3 == 0;
        data[i] = noise        ? (uint8_t)(random >> 24)
                  : i >= 40000 ? data[i - 40000]
                               : (uint8_t)(i / 700);
    }
    /* An fx_2_0 effect of nothing, with noise behind it, which is a gap. */
    static const uint32_t start[] = {0xfeff0901, 0, 0, 0, 0, 1, 0, 0};
    memcpy(data, start, sizeof start);
    file f = {data, SIZE};
    iri_effect *plain = read_effect(data, SIZE, "made");
    for (int how = PACK_LZ4; plain && how <= PACK_LZX; how++) {
        size_t size;
        uint8_t *xnb = pack_xnb(f.data, f.size, (pack_how)how, "EffectReader", &size);
        iri_effect *effect;
        iri_refusal why;
        /* Without a namespace it is no reader of effects. */
        CHECK(iri_effect_read(xnb, size, NULL, &effect, &why) == IRI_UNKNOWN_FORMAT);
        CHECK(strstr(why.reason, "\"EffectReader\"") != NULL);
        free(xnb);
        xnb = pack_xnb(f.data, f.size, (pack_how)how, "A.EffectReader", &size);
        effect = read_effect(xnb, size, "made");
        if (effect)
            CHECK(effect->byte_count > SIZE &&
                  memcmp(effect->bytes + effect->byte_count - SIZE, data, SIZE) == 0);
        iri_effect_free(effect);
        free(xnb);
    }
    iri_effect_free(plain);
    free(data);
}

/* ---- bad bytes ---- */

/* Every prefix, and every byte changed in some ways: refused with a place, or read. */
TEST(mgfx_hostile)
{
    static const uint8_t masks[] = {0xff, 0x80, 0x01, 0x10};
    uint8_t copy[sizeof made];
    iri_effect *e;
    iri_refusal why;
    for (size_t size = 4; size < sizeof made; size++) {
        uint8_t *part = malloc(size);
        memcpy(part, made, size);
        if (CHECK(iri_effect_read(part, size, NULL, &e, &why) != IRI_OK))
            CHECK(why.offset <= size);
        free(part);
    }
    for (size_t i = 4; i < sizeof made; i++)
        for (size_t k = 0; k < sizeof masks; k++) {
            memcpy(copy, made, sizeof made);
            copy[i] ^= masks[k];
            if (iri_effect_read(copy, sizeof copy, NULL, &e, &why) == IRI_OK)
                iri_effect_free(e);
            else
                CHECK(why.offset <= sizeof made && *why.reason);
        }
}

typedef struct fault {
    uint32_t at;
    uint8_t byte;
    iri_status status;
    uint32_t offset;
    const char *reason;
} fault;

TEST(mgfx_refusals)
{
    static const fault faults[] = {
        {4, 11, IRI_UNSUPPORTED_VERSION, 4, "version 11"},
        {10, 200, IRI_MALFORMED_EFFECT, 10, "200 constant buffers"},
        {16, 9, IRI_MALFORMED_EFFECT, 11, "parameter 9 of 2"},
        {30, 9, IRI_MALFORMED_EFFECT, 30, "no type of sampler"},
        {34, 9, IRI_MALFORMED_EFFECT, 34, "no value"},
        {74, 5, IRI_MALFORMED_EFFECT, 74, "has 5 rows"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        uint8_t copy[sizeof made];
        iri_effect *e;
        iri_refusal why;
        memcpy(copy, made, sizeof made);
        copy[faults[i].at] = faults[i].byte;
        CHECK_EQ_U32(iri_effect_read(copy, sizeof copy, NULL, &e, &why), faults[i].status);
        CHECK_EQ_U32(why.offset, faults[i].offset);
        if (!strstr(why.reason, faults[i].reason))
            FAIL("\"%s\" does not say \"%s\"", why.reason, faults[i].reason);
    }
    uint8_t longer[sizeof made + 1] = {0};
    iri_effect *e;
    iri_refusal why;
    memcpy(longer, made, sizeof made);
    CHECK_EQ_U32(iri_effect_read(longer, sizeof longer, NULL, &e, &why), IRI_MALFORMED_EFFECT);
    CHECK_EQ_U32(why.offset, sizeof made);
}

TEST(xnb_refusals)
{
    static const struct {
        uint32_t at;
        uint8_t byte;
        uint32_t offset;
        const char *reason;
    } bad[] = {
        {3, 'x', 3, "Xbox 360"},
        {4, 9, 4, "XNB version 9"},
        {5, 0xc0, 5, "two ways"},
        {6, 1, 6, "a file of"},
    };
    size_t size;
    uint8_t *xnb = pack_xnb(made, sizeof made, PACK_STORED, "A.EffectReader", &size);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        iri_effect *e;
        iri_refusal why;
        uint8_t was = xnb[bad[i].at];
        xnb[bad[i].at] = bad[i].byte;
        CHECK(iri_effect_read(xnb, size, NULL, &e, &why) != IRI_OK);
        CHECK_EQ_U32(why.offset, bad[i].offset);
        if (!strstr(why.reason, bad[i].reason))
            FAIL("\"%s\" does not say \"%s\"", why.reason, bad[i].reason);
        xnb[bad[i].at] = was;
    }
    free(xnb);
}
