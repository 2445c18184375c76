/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Effects: the fixtures against their sources, the public corpus (every byte of a file is accounted for), and
 * hostile bytes.
 */
#include "test.h"

#include <dirent.h>
#include <iridia/iridia.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct loaded {
    uint8_t *data;
    size_t size;
    iri_effect *effect;
} loaded;

static bool load(const char *path, loaded *out)
{
    FILE *file = fopen(path, "rb");
    memset(out, 0, sizeof *out);
    if (!CHECK(file != NULL))
        return false;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    out->size = size > 0 ? (size_t)size : 0;
    out->data = malloc(out->size + 1);
    bool read = out->data && fread(out->data, 1, out->size, file) == out->size;
    fclose(file);
    iri_refusal why;
    if (!CHECK(read))
        return false;
    if (iri_effect_read(out->data, out->size, NULL, &out->effect, &why) != IRI_OK) {
        char line[600];
        iri_refusal_line(&why, path, line, sizeof line);
        FAIL("%s", line);
        return false;
    }
    return true;
}

static void unload(loaded *l)
{
    iri_effect_free(l->effect);
    free(l->data);
}

static const iri_effect_parameter *find(const iri_effect *e, const char *name)
{
    for (uint32_t i = 0; i < e->parameter_count; i++)
        if (strcmp(e->parameters[i].value.name, name) == 0)
            return &e->parameters[i];
    FAIL("there is no parameter %s", name);
    return NULL;
}

static const iri_effect_state *find_state(const iri_effect_state *states, uint32_t count,
                                          const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(states[i].name, name) == 0)
            return &states[i];
    FAIL("there is no state %s", name);
    return NULL;
}

static void expect_floats(const iri_effect_value *v, const float *expected, uint32_t count)
{
    if (!CHECK(v->word_count == count) || !CHECK(v->type == IRI_EFFECT_FLOAT))
        return;
    for (uint32_t i = 0; i < count; i++) {
        float got;
        memcpy(&got, &v->words[i], 4);
        CHECK(got == expected[i]);
    }
}
#define EXPECT_FLOATS(value, ...) \
    expect_floats(value, (const float[]){__VA_ARGS__}, \
                  sizeof((const float[]){__VA_ARGS__}) / sizeof(float))

TEST(effect_parameters)
{
    loaded l;
    REQUIRE(load("tests/fixtures/effects/water.fxb", &l));
    const iri_effect *e = l.effect;
    CHECK(e->parameter_count == 11 && e->technique_count == 2 && e->shader_count == 5);
    const iri_effect_parameter *world = find(e, "World"), *sun = find(e, "SunDirection");
    const iri_effect_parameter *waves = find(e, "Waves"), *surface = find(e, "Surface");
    REQUIRE(world && sun && waves && surface);
    CHECK_STR(world->value.semantic, "WORLD");
    CHECK(world->value.rows == 4 && world->value.columns == 4 && world->value.word_count == 16);
    CHECK(world->value.class_ == IRI_EFFECT_MATRIX_ROWS);
    CHECK(sun->value.class_ == IRI_EFFECT_VECTOR && sun->value.columns == 3 &&
          sun->value.rows == 1);
    EXPECT_FLOATS(&sun->value, 0.25f, -0.5f, 0.75f);
    REQUIRE(sun->annotation_count == 2);
    CHECK_STR(sun->annotations[0].name, "UIName");
    const iri_effect_object *text = &e->objects[sun->annotations[0].object];
    REQUIRE(text->data && text->size == 14);
    CHECK_STR((const char *)text->data, "Sun direction");
    EXPECT_FLOATS(&sun->annotations[1], -1);
    CHECK(waves->value.elements == 3);
    EXPECT_FLOATS(&waves->value, 0.25f, 0.5f, 2);
    CHECK(surface->value.type == IRI_EFFECT_TEXTURE && surface->annotation_count == 1);
    CHECK(!e->objects[surface->value.object].data);
    const iri_effect_parameter *foam = find(e, "Foam"), *octaves = find(e, "Octaves");
    REQUIRE(foam && octaves && foam->value.word_count == 1 && octaves->value.word_count == 1);
    CHECK(foam->value.type == IRI_EFFECT_BOOL && foam->value.words[0] == 1);
    CHECK(octaves->value.type == IRI_EFFECT_INT && octaves->value.words[0] == 3);
    unload(&l);
}

TEST(effect_states)
{
    loaded l;
    REQUIRE(load("tests/fixtures/effects/water.fxb", &l));
    const iri_effect *e = l.effect;
    const iri_effect_parameter *sampler = find(e, "SurfaceSampler");
    REQUIRE(sampler && sampler->value.state_count == 8);
    const iri_effect_state *states = sampler->value.states, *s;
    uint32_t count = sampler->value.state_count;
    REQUIRE((s = find_state(states, count, "Texture")) != NULL);
    CHECK(s->source == IRI_EFFECT_PARAMETER && s->class_ == IRI_EFFECT_TEXTURE_STATE);
    CHECK_STR(s->reference, "Surface");
    REQUIRE(s->parameter < e->parameter_count);
    CHECK_STR(e->parameters[s->parameter].value.name, "Surface");
    REQUIRE((s = find_state(states, count, "AddressV")) != NULL && s->value.word_count == 1);
    CHECK(s->class_ == IRI_EFFECT_SAMPLER_STATE && s->number == 2);
    CHECK_STR(iri_effect_state_word(s, s->value.words[0]), "MIRROR");
    REQUIRE((s = find_state(states, count, "MipMapLodBias")) != NULL);
    EXPECT_FLOATS(&s->value, -0.5f);

    const iri_effect_technique *t = &e->techniques[0];
    CHECK_STR(t->name, "Water");
    REQUIRE(t->annotation_count == 1 && t->pass_count == 2);
    CHECK_STR(t->passes[0].name, "Opaque");
    CHECK(t->passes[0].annotation_count == 1 && t->passes[0].annotations[0].words[0] == 1);
    const iri_effect_pass *p = &t->passes[1];
    REQUIRE((s = find_state(p->states, p->state_count, "DestBlend")) != NULL);
    CHECK(s->class_ == IRI_EFFECT_RENDER_STATE && s->number == 20);
    CHECK_STR(iri_effect_state_word(s, s->value.words[0]), "INVSRCALPHA");
    REQUIRE((s = find_state(p->states, p->state_count, "AlphaRef")) != NULL);
    CHECK(s->source == IRI_EFFECT_EXPRESSION && s->expression_size > 0);
    CHECK(s->expression == l.data + s->expression_offset);
    REQUIRE((s = find_state(p->states, p->state_count, "PixelShader")) != NULL);
    CHECK(s->source == IRI_EFFECT_CONSTANT && e->objects[s->value.object].data != NULL);
    unload(&l);
}

TEST(effect_structs_and_selectors)
{
    loaded l;
    REQUIRE(load("tests/fixtures/effects/selectors.fxb", &l));
    const iri_effect *e = l.effect;
    const iri_effect_parameter *view = find(e, "View"), *main_light = find(e, "Main");
    const iri_effect_parameter *others = find(e, "Others"), *layers = find(e, "Layers");
    const iri_effect_parameter *author = find(e, "Author");
    REQUIRE(view && main_light && others && layers && author);
    CHECK(view->flags & IRI_EFFECT_SHARED);
    CHECK(!(main_light->flags & IRI_EFFECT_SHARED));
    REQUIRE(main_light->value.class_ == IRI_EFFECT_STRUCT && main_light->value.item_count == 4);
    CHECK_STR(main_light->value.items[2].name, "kind");
    CHECK(main_light->value.items[2].words[0] == 2);
    EXPECT_FLOATS(&main_light->value.items[1], 0.5f, 0.25f, 0.125f);
    EXPECT_FLOATS(&main_light->value.items[3], 1, 10, 2, 20);
    REQUIRE(others->value.elements == 3 && others->value.item_count == 3);
    CHECK(others->value.items[1].item_count == 4 && others->value.items[1].elements == 0);
    REQUIRE(layers->value.item_count == 2 && layers->value.items[1].state_count == 2);
    CHECK_STR(layers->value.items[1].states[0].reference, "Second");
    CHECK_STR((const char *)e->objects[author->value.object].data, "iridia");

    const iri_effect_pass *p = &e->techniques[0].passes[0];
    const iri_effect_state *s = find_state(p->states, p->state_count, "VertexShader");
    REQUIRE(s && s->source == IRI_EFFECT_SELECTOR);
    CHECK_STR(s->reference, "Vertices");
    CHECK(s->expression_size > 0 && s->expression == l.data + s->expression_offset);
    REQUIRE(s->parameter < e->parameter_count);
    CHECK(e->parameters[s->parameter].value.item_count == 3);
    REQUIRE((s = find_state(p->states, p->state_count, "LightDiffuse")) != NULL);
    CHECK(s->index == 1 && s->class_ == IRI_EFFECT_FIXED_STATE);

    /* Every shader inside, by its path, is one that is read. */
    uint32_t vertex = 0;
    REQUIRE(e->shader_count == 5);
    for (uint32_t i = 0; i < e->shader_count; i++) {
        iri_program *program;
        vertex += e->shaders[i].stage == IRI_STAGE_VERTEX;
        CHECK(iri_lift(e->shaders[i].data, e->shaders[i].size, NULL, &program, NULL, NULL) ==
              IRI_OK);
        iri_program_free(program);
    }
    CHECK(vertex == 3);
    CHECK_STR(e->shaders[2].path, "parameter Vertices[2]");

    /* A shader cut short is refused by its path and at the file's offset, not its own. */
    const iri_effect_shader *cut = &e->shaders[2];
    iri_program *none;
    iri_refusal alone, within;
    REQUIRE(iri_lift(cut->data, cut->size - 4, NULL, &none, NULL, &alone) != IRI_OK);
    REQUIRE(iri_lift(cut->data, cut->size - 4,
                     IRI_LIFT_OPTIONS(.base = cut->offset, .path = cut->path), &none, NULL,
                     &within) == alone.status);
    CHECK_STR(alone.path, "");
    CHECK_STR(within.path, "parameter Vertices[2]");
    CHECK(cut->offset > 0 && within.offset == alone.offset + cut->offset);
    CHECK(iri_lift(cut->data, cut->size, IRI_LIFT_OPTIONS(.base = UINT32_MAX - 4), &none, NULL,
                   &within) == IRI_INVALID_ARGUMENT);
    CHECK(iri_lift("iridia-ir", 9, IRI_LIFT_OPTIONS(.format = IRI_FORMAT_TEXT, .base = 4), &none,
                   NULL, &within) == IRI_INVALID_ARGUMENT);
    unload(&l);
}

/* ---- the corpus ---- */

static uint32_t read_folder(const char *folder)
{
    uint32_t count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[1024];
        loaded l;
        size_t size = strlen(entry->d_name);
        if (size < 4 || strcmp(entry->d_name + size - 4, ".fxb") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (load(path, &l))
            for (uint32_t i = 0; i < l.effect->gap_count; i++)
                if (!l.effect->gaps[i].zero)
                    FAIL("%s: %u bytes at 0x%x are of nothing", path, l.effect->gaps[i].size,
                         l.effect->gaps[i].offset);
        unload(&l);
        count++;
    }
    if (dir)
        closedir(dir);
    return count;
}

TEST(effect_corpus)
{
    static const char *const folders[] = {"DXDecompiler", "FNA", "MonoGame"};
    uint32_t count = 0;
    CHECK(read_folder("tests/fixtures/effects") == 3);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[128];
        snprintf(path, sizeof path, "../shared/corpus/fxb/%s", folders[i]);
        count += read_folder(path);
    }
    if (!count)
        SKIP("there is no ../shared/corpus/fxb");
    CHECK_EQ_U32(count, 42);
}

/* ---- bad bytes ---- */

static iri_status try_bytes(const uint8_t *data, size_t size, iri_refusal *why)
{
    iri_effect *effect = NULL;
    /* Exactly that many, so that a sanitizer sees a read past the end. */
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    iri_status status = iri_effect_read(copy, size, NULL, &effect, why);
    CHECK((status == IRI_OK) == (effect != NULL));
    iri_effect_free(effect);
    free(copy);
    return status;
}

TEST(effect_truncated)
{
    loaded l;
    REQUIRE(load("tests/fixtures/effects/selectors.fxb", &l));
    for (size_t size = 0; size < l.size; size += size < 512 ? 1 : 7) {
        iri_refusal why;
        iri_status status = try_bytes(l.data, size, &why);
        if (!CHECK(status == IRI_MALFORMED_TRUNCATED || status == IRI_MALFORMED_EFFECT))
            FAIL("%u of %u bytes: %s", (unsigned)size, (unsigned)l.size, iri_status_name(status));
        else
            CHECK(why.offset <= size);
    }
    unload(&l);
}

/* A word changed to a hostile one: refused at its place, or read as something else, but never believed
 * beyond the file. */
TEST(effect_bad)
{
    static const struct {
        const char *what;
        uint32_t word, value;
        iri_status status;
        uint32_t offset;
        const char *reason;
    } rows[] = {
        {"the version of another", 0, 0xfeff0801, IRI_UNSUPPORTED_VERSION, 0, "0xfeff0801"},
        {"a directory past the end", 4, 0x7ffffff0, IRI_MALFORMED_EFFECT, 4, "0x7ffffff0"},
        {"a directory between words", 4, 0x16, IRI_MALFORMED_EFFECT, 4, "no word"},
    };
    loaded l;
    REQUIRE(load("tests/fixtures/effects/water.fxb", &l));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        iri_refusal why;
        uint32_t kept;
        memcpy(&kept, l.data + rows[i].word, 4);
        memcpy(l.data + rows[i].word, &rows[i].value, 4);
        CHECK(try_bytes(l.data, l.size, &why) == rows[i].status);
        CHECK_EQ_U32(why.offset, rows[i].offset);
        CHECK(strstr(why.reason, rows[i].reason) != NULL);
        memcpy(l.data + rows[i].word, &kept, 4);
    }
    /* Counts of the directory: parameters, techniques, objects. */
    uint32_t directory;
    memcpy(&directory, l.data + 4, 4);
    static const uint32_t counts[] = {0, 1, 3};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        iri_refusal why;
        uint8_t *at = l.data + 8 + directory + 4 * counts[i];
        uint32_t kept, hostile = 0xffffffff;
        memcpy(&kept, at, 4);
        memcpy(at, &hostile, 4);
        CHECK(try_bytes(l.data, l.size, &why) == IRI_MALFORMED_EFFECT);
        CHECK(why.offset >= 8 + directory && why.offset <= l.size);
        memcpy(at, &kept, 4);
    }
    unload(&l);
}
