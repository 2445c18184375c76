/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What MonoGame's effects say beyond Direct3D's: constant buffers, and each shader's samplers and attributes.
 */
#include "fx.h"
#include <stdlib.h>

static void put(const char *before, const char *text, const char *behind)
{
    char *shown = cli_shown(text);
    printf("%s%s%s", before, shown, behind);
    free(shown);
}

static const char *parameter_name(const iri_effect *effect, uint32_t parameter)
{
    return parameter < effect->parameter_count ? effect->parameters[parameter].value.name : "none";
}

static void list_buffer(const iri_effect *effect, const iri_effect_buffer *b)
{
    put("\ncbuffer ", *b->name ? b->name : "(no name)", "");
    if (*b->instance)
        put(" ", b->instance, "");
    printf(" { // %u bytes\n", (unsigned)b->size);
    for (uint32_t i = 0; i < b->field_count; i++) {
        put("    ", parameter_name(effect, b->fields[i].parameter), ";");
        if (b->fields[i].offset != UINT32_MAX)
            printf(" // at %u", (unsigned)b->fields[i].offset);
        fputs("\n", stdout);
    }
    fputs("}\n", stdout);
}

static void list_shader(const iri_effect *effect, const iri_effect_shader *s)
{
    put("\n// ", s->path, "");
    printf(": %s of %u bytes at 0x%x\n", iri_effect_code_name((iri_effect_code)s->code),
           (unsigned)s->size, (unsigned)s->offset);
    for (uint32_t i = 0; i < s->buffer_count; i++)
        put("//   cbuffer ", effect->buffers[s->buffers[i]].name, "\n");
    for (uint32_t i = 0; i < s->sampler_count; i++) {
        const iri_effect_sampler *sampler = &s->samplers[i];
        printf("//   %s", iri_effect_type_name((iri_effect_type)sampler->type));
        put(" ", sampler->name, "");
        printf(" texture %u sampler %u", sampler->texture_slot, sampler->sampler_slot);
        put(" = ", parameter_name(effect, sampler->parameter), "\n");
        for (uint32_t k = 0; k < sampler->state_count; k++)
            printf("//     %s = 0x%x\n", sampler->states[k].name,
                   (unsigned)sampler->states[k].value.words[0]);
    }
    for (uint32_t i = 0; i < s->attribute_count; i++) {
        const iri_effect_attribute *a = &s->attributes[i];
        put("//   attribute ", a->name, "");
        printf(" : %s%u at %d\n", a->semantic, (unsigned)a->index, (int)a->location);
    }
}

void fx_list_mgfx(const iri_effect *effect)
{
    for (uint32_t i = 0; i < effect->buffer_count; i++)
        list_buffer(effect, &effect->buffers[i]);
    for (uint32_t i = 0; i < effect->shader_count; i++)
        list_shader(effect, &effect->shaders[i]);
}

void fx_json_mgfx_buffers(cli_json *json, const iri_effect *effect)
{
    json_number(json, "version", effect->version);
    json_number(json, "profile", effect->profile);
    json_bool(json, "mojoshader", effect->mojoshader);
    json_bool(json, "hashDiffers", effect->hash_differs);
    json_open(json, "buffers", '[');
    for (uint32_t i = 0; i < effect->buffer_count; i++) {
        const iri_effect_buffer *b = &effect->buffers[i];
        json_open(json, NULL, '{');
        json_string(json, "name", b->name);
        json_string(json, "instance", b->instance);
        json_number(json, "size", b->size);
        json_open(json, "fields", '[');
        for (uint32_t k = 0; k < b->field_count; k++) {
            json_open(json, NULL, '{');
            json_number(json, "parameter", b->fields[k].parameter);
            if (b->fields[k].offset != UINT32_MAX)
                json_number(json, "offset", b->fields[k].offset);
            json_close(json, '}');
        }
        json_close(json, ']');
        json_close(json, '}');
    }
    json_close(json, ']');
}

void fx_json_mgfx_shader(cli_json *json, const iri_effect *effect, const iri_effect_shader *s)
{
    json_words(json, "buffers", s->buffers, s->buffer_count);
    json_open(json, "samplers", '[');
    for (uint32_t i = 0; i < s->sampler_count; i++) {
        const iri_effect_sampler *sampler = &s->samplers[i];
        json_open(json, NULL, '{');
        json_string(json, "name", sampler->name);
        json_string(json, "type", iri_effect_type_name((iri_effect_type)sampler->type));
        json_number(json, "texture", sampler->texture_slot);
        json_number(json, "sampler", sampler->sampler_slot);
        if (sampler->parameter != UINT32_MAX)
            json_number(json, "parameter", sampler->parameter);
        fx_json_states(json, effect, sampler->states, sampler->state_count);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "attributes", '[');
    for (uint32_t i = 0; i < s->attribute_count; i++) {
        const iri_effect_attribute *a = &s->attributes[i];
        json_open(json, NULL, '{');
        json_string(json, "name", a->name);
        json_string(json, "semantic", a->semantic);
        json_number(json, "index", a->index);
        if (a->location >= 0)
            json_number(json, "location", (uint32_t)a->location);
        json_close(json, '}');
    }
    json_close(json, ']');
}
