/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An effect as JSON: docs/json.md.
 */
#include "fx.h"
#include <stdlib.h>
#include <string.h>

static void json_content(cli_json *json, const iri_effect *effect, const iri_effect_value *v)
{
    const iri_effect_object *object = &effect->objects[v->object];
    if (v->words)
        json_words(json, "words", v->words, v->word_count);
    if (v->items) {
        json_open(json, "items", '[');
        for (uint32_t i = 0; i < v->item_count; i++) {
            json_open(json, NULL, '{');
            if (!v->elements)
                json_string(json, "name", v->items[i].name);
            json_string(json, "type", iri_effect_type_name((iri_effect_type)v->items[i].type));
            json_content(json, effect, &v->items[i]);
            json_close(json, '}');
        }
        json_close(json, ']');
    } else if (v->type >= IRI_EFFECT_SAMPLER && v->type <= IRI_EFFECT_SAMPLERCUBE) {
        fx_json_states(json, effect, v->states, v->state_count);
    } else if (v->type == IRI_EFFECT_STRING) {
        char *text =
            cli_printf("%.*s", (int)object->size, object->data ? (const char *)object->data : "");
        json_string(json, "string", text);
        free(text);
    } else if (v->class_ == IRI_EFFECT_OBJECT) {
        json_number(json, "object", v->object);
    }
}

static void json_value(cli_json *json, const iri_effect *effect, const iri_effect_value *v)
{
    json_string(json, "name", v->name);
    json_string(json, "semantic", v->semantic);
    json_string(json, "class", iri_effect_class_name((iri_effect_class)v->class_));
    json_string(json, "type", iri_effect_type_name((iri_effect_type)v->type));
    json_number(json, "rows", v->rows);
    json_number(json, "columns", v->columns);
    json_number(json, "elements", v->elements);
    json_number(json, "offset", v->offset);
    json_content(json, effect, v);
}

static void json_annotations(cli_json *json, const iri_effect *effect,
                             const iri_effect_value *annotations, uint32_t count)
{
    json_open(json, "annotations", '[');
    for (uint32_t i = 0; i < count; i++) {
        json_open(json, NULL, '{');
        json_value(json, effect, &annotations[i]);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void fx_json_states(cli_json *json, const iri_effect *effect, const iri_effect_state *states,
                    uint32_t count)
{
    static const char *const classes[] = {"render", "stage",    "sampler", "fixed-function",
                                          "shader", "constant", "texture", "sampler-object"};
    static const char *const sources[] = {"constant", "parameter", "expression", "selector"};
    json_open(json, "states", '[');
    for (uint32_t i = 0; i < count; i++) {
        const iri_effect_state *s = &states[i];
        json_open(json, NULL, '{');
        json_string(json, "name", s->name);
        json_number(json, "index", s->index);
        json_string(json, "class", classes[s->class_]);
        json_number(json, "number", s->number);
        json_string(json, "source", sources[s->source]);
        json_number(json, "offset", s->offset);
        if (s->source == IRI_EFFECT_CONSTANT) {
            json_string(json, "type", iri_effect_type_name((iri_effect_type)s->value.type));
            json_content(json, effect, &s->value);
            if (s->value.word_count == 1)
                json_string(json, "word", iri_effect_state_word(s, s->value.words[0]));
        }
        if (*s->reference)
            json_string(json, "reference", s->reference);
        if (s->expression) {
            json_number(json, "expressionOffset", s->expression_offset);
            json_number(json, "expressionSize", s->expression_size);
        }
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void json_parameters(cli_json *json, const iri_effect *effect)
{
    json_open(json, "parameters", '[');
    for (uint32_t i = 0; i < effect->parameter_count; i++) {
        const iri_effect_parameter *p = &effect->parameters[i];
        json_open(json, NULL, '{');
        json_value(json, effect, &p->value);
        json_bool(json, "shared", p->flags & IRI_EFFECT_SHARED);
        json_annotations(json, effect, p->annotations, p->annotation_count);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void json_techniques(cli_json *json, const iri_effect *effect)
{
    json_open(json, "techniques", '[');
    for (uint32_t i = 0; i < effect->technique_count; i++) {
        const iri_effect_technique *t = &effect->techniques[i];
        json_open(json, NULL, '{');
        json_string(json, "name", t->name);
        json_annotations(json, effect, t->annotations, t->annotation_count);
        json_open(json, "passes", '[');
        for (uint32_t k = 0; k < t->pass_count; k++) {
            json_open(json, NULL, '{');
            json_string(json, "name", t->passes[k].name);
            json_annotations(json, effect, t->passes[k].annotations, t->passes[k].annotation_count);
            fx_json_states(json, effect, t->passes[k].states, t->passes[k].state_count);
            json_close(json, '}');
        }
        json_close(json, ']');
        json_close(json, '}');
    }
    json_close(json, ']');
}

bool fx_json(const iri_effect *effect, const char *path)
{
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_number(&json, "schema", 1);
    json_string(&json, "format", iri_effect_format_name((iri_effect_format)effect->format));
    json_string(&json, "container", *effect->container ? effect->container : NULL);
    json_string(&json, "compression", *effect->compression ? effect->compression : NULL);
    json_string(&json, "wrapper", *effect->wrapper ? effect->wrapper : NULL);
    if (effect->format == IRI_EFFECT_MGFX)
        fx_json_mgfx_buffers(&json, effect);
    json_parameters(&json, effect);
    json_techniques(&json, effect);
    json_open(&json, "shaders", '[');
    for (uint32_t i = 0; i < effect->shader_count; i++) {
        const iri_effect_shader *s = &effect->shaders[i];
        char target[16];
        fx_target_text(s, target);
        json_open(&json, NULL, '{');
        json_string(&json, "path", s->path);
        json_string(&json, "target", target);
        json_number(&json, "object", s->object);
        json_number(&json, "offset", s->offset);
        json_number(&json, "size", s->size);
        if (effect->format == IRI_EFFECT_MGFX)
            fx_json_mgfx_shader(&json, effect, s);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_open(&json, "gaps", '[');
    for (uint32_t i = 0; i < effect->gap_count; i++) {
        json_open(&json, NULL, '{');
        json_number(&json, "offset", effect->gaps[i].offset);
        json_number(&json, "size", effect->gaps[i].size);
        json_bool(&json, "zero", effect->gaps[i].zero);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    return json_finish(&json, path);
}
