/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An effect in the syntax of effect source, as far as a compiled one still has it. Names come from the file:
 * their control characters are shown, not printed.
 */
#include "fx.h"
#include <stdlib.h>
#include <string.h>

void fx_type_text(const iri_effect_value *v, char text[32])
{
    static const char *const names[IRI_EFFECT_TYPE_COUNT] = {
        "void",        "bool",         "int",           "float",          "string",
        "texture",     "texture1D",    "texture2D",     "texture3D",      "textureCUBE",
        "sampler",     "sampler1D",    "sampler2D",     "sampler3D",      "samplerCUBE",
        "pixelshader", "vertexshader", "pixelfragment", "vertexfragment", "unsupported"};
    const char *name = names[v->type];
    switch ((iri_effect_class)v->class_) {
    case IRI_EFFECT_VECTOR: snprintf(text, 32, "%s%u", name, (unsigned)v->columns); break;
    case IRI_EFFECT_MATRIX_ROWS:
        snprintf(text, 32, "%s%ux%u", name, (unsigned)v->rows, (unsigned)v->columns);
        break;
    case IRI_EFFECT_MATRIX_COLUMNS: /* of an effect's parameters: the exception */
        snprintf(text, 32, "column_major %s%ux%u", name, (unsigned)v->rows, (unsigned)v->columns);
        break;
    case IRI_EFFECT_STRUCT: snprintf(text, 32, "struct"); break;
    case IRI_EFFECT_SCALAR:
    case IRI_EFFECT_OBJECT:
    case IRI_EFFECT_CLASS_COUNT: snprintf(text, 32, "%s", name); break;
    }
}

void fx_number_text(const iri_effect_value *v, uint32_t word, char text[32])
{
    float number;
    memcpy(&number, &word, sizeof number);
    if (v->type == IRI_EFFECT_FLOAT)
        snprintf(text, 32, "%.9g", (double)number);
    else if (v->type == IRI_EFFECT_BOOL)
        snprintf(text, 32, "%s", word ? "true" : "false");
    else
        snprintf(text, 32, "%d", (int)word);
}

void fx_target_text(const iri_effect_shader *s, char text[16])
{
    const uint8_t *data = s->data;
    if (s->code == IRI_EFFECT_D3D9 && s->size >= 4 && data[3] == 0xff && data[2] >= 0xfe)
        snprintf(text, 16, "%cs_%u_%u", data[2] == 0xfe ? 'v' : 'p', data[1], data[0]);
    else
        snprintf(text, 16, "%s",
                 s->code == IRI_EFFECT_D3D9 ? "shader"
                                            : iri_effect_code_name((iri_effect_code)s->code));
}

static const iri_effect_shader *shader_of(const iri_effect *effect, uint32_t object)
{
    for (uint32_t i = 0; i < effect->shader_count; i++)
        if (effect->shaders[i].object == object)
            return &effect->shaders[i];
    return NULL;
}

static void put(const char *text)
{
    char *shown = cli_shown(text);
    fputs(shown, stdout);
    free(shown);
}

static void put_string(const char *text)
{
    putchar('"');
    put(text);
    putchar('"');
}

static void indent(int depth)
{
    printf("%*s", 4 * depth, "");
}

static void put_numbers(const iri_effect_value *v)
{
    if (v->word_count > 1)
        fputs("{", stdout);
    for (uint32_t i = 0; i < v->word_count; i++) {
        char text[32];
        fx_number_text(v, v->words[i], text);
        printf("%s%s", i ? ", " : "", text);
    }
    if (v->word_count > 1)
        fputs("}", stdout);
}

static void put_value(const iri_effect *effect, const iri_effect_value *v, int depth);

/* What a state is set to. */
static void put_assigned(const iri_effect *effect, const iri_effect_state *s, int depth)
{
    const char *word =
        s->value.word_count == 1 ? iri_effect_state_word(s, s->value.words[0]) : NULL;
    switch ((iri_effect_source)s->source) {
    case IRI_EFFECT_CONSTANT:
        if (word)
            fputs(word, stdout);
        else if (s->value.type == IRI_EFFECT_INT && s->value.word_count == 1 &&
                 s->value.words[0] >> 16)
            printf("0x%08x", (unsigned)s->value.words[0]); /* a colour */
        else
            put_value(effect, &s->value, depth);
        break;
    case IRI_EFFECT_PARAMETER:
        fputs("<", stdout);
        put(s->reference);
        fputs(">", stdout);
        break;
    case IRI_EFFECT_EXPRESSION:
        printf("expression of %u bytes at 0x%x", (unsigned)s->expression_size,
               (unsigned)s->expression_offset);
        break;
    case IRI_EFFECT_SELECTOR:
        fputs("<", stdout);
        put(s->reference);
        printf("[expression of %u bytes at 0x%x]>", (unsigned)s->expression_size,
               (unsigned)s->expression_offset);
        break;
    }
}

/* The index of a sampler's own state means nothing. */
static void put_states(const iri_effect *effect, const iri_effect_state *states, uint32_t count,
                       bool in_pass, int depth)
{
    for (uint32_t i = 0; i < count; i++) {
        indent(depth);
        fputs(states[i].name, stdout);
        if (states[i].index && in_pass)
            printf("[%u]", (unsigned)states[i].index);
        fputs(" = ", stdout);
        put_assigned(effect, &states[i], depth);
        fputs(";\n", stdout);
    }
}

static void put_object(const iri_effect *effect, const iri_effect_value *v, int depth)
{
    const iri_effect_object *object = &effect->objects[v->object];
    char target[16];
    if (v->states || v->state_count) {
        fputs("sampler_state {\n", stdout);
        put_states(effect, v->states, v->state_count, false, depth + 1);
        indent(depth);
        fputs("}", stdout);
    } else if (v->type == IRI_EFFECT_STRING) {
        char *copy =
            cli_printf("%.*s", (int)object->size, object->data ? (const char *)object->data : "");
        put_string(copy);
        free(copy);
    } else if (object->data) {
        const iri_effect_shader *s = shader_of(effect, v->object);
        snprintf(target, sizeof target, "object");
        if (s)
            fx_target_text(s, target);
        printf("%s of %u bytes at 0x%x", target, (unsigned)(s ? s->size : object->size),
               (unsigned)(s ? s->offset : object->offset));
    } else {
        fputs("NULL", stdout);
    }
}

static void put_value(const iri_effect *effect, const iri_effect_value *v, int depth)
{
    if (v->class_ != IRI_EFFECT_OBJECT && v->class_ != IRI_EFFECT_STRUCT) {
        put_numbers(v);
    } else if (v->items) {
        fputs("{", stdout);
        for (uint32_t i = 0; i < v->item_count; i++) {
            fputs(i ? ", " : "", stdout);
            put_value(effect, &v->items[i], depth);
        }
        fputs("}", stdout);
    } else if (v->class_ == IRI_EFFECT_OBJECT) {
        put_object(effect, v, depth);
    } else {
        fputs("{}", stdout);
    }
}

static bool is_default(const iri_effect *effect, const iri_effect_value *v)
{
    bool zero =
        v->class_ != IRI_EFFECT_OBJECT ? true : !v->state_count && !effect->objects[v->object].data;
    for (uint32_t i = 0; zero && i < v->word_count; i++)
        zero = v->words[i] == 0;
    for (uint32_t i = 0; zero && i < v->item_count; i++)
        zero = is_default(effect, &v->items[i]);
    return zero;
}

static void put_declaration(const iri_effect *effect, const iri_effect_value *v, int depth);

/* The type, with a struct's members. */
static void put_type(const iri_effect *effect, const iri_effect_value *v, int depth)
{
    char type[32];
    fx_type_text(v, type);
    fputs(type, stdout);
    if (v->class_ != IRI_EFFECT_STRUCT)
        return;
    const iri_effect_value *one = v->elements && v->item_count ? &v->items[0] : v;
    fputs(" {\n", stdout);
    for (uint32_t i = 0; i < one->item_count; i++) {
        indent(depth + 1);
        put_declaration(effect, &one->items[i], depth + 1);
        fputs(";\n", stdout);
    }
    indent(depth);
    fputs("}", stdout);
}

static void put_declaration(const iri_effect *effect, const iri_effect_value *v, int depth)
{
    put_type(effect, v, depth);
    putchar(' ');
    put(v->name);
    if (v->elements)
        printf("[%u]", (unsigned)v->elements);
    if (*v->semantic) {
        fputs(" : ", stdout);
        put(v->semantic);
    }
}

static void put_annotations(const iri_effect *effect, const iri_effect_value *annotations,
                            uint32_t count, int depth)
{
    if (!count)
        return;
    fputs(" <", stdout);
    for (uint32_t i = 0; i < count; i++) {
        putchar(' ');
        put_declaration(effect, &annotations[i], depth);
        fputs(" = ", stdout);
        put_value(effect, &annotations[i], depth);
        putchar(';');
    }
    fputs(" >", stdout);
}

static void put_pass(const iri_effect *effect, const iri_effect_pass *p)
{
    fputs("    pass", stdout);
    if (*p->name)
        putchar(' ');
    put(p->name);
    put_annotations(effect, p->annotations, p->annotation_count, 1);
    fputs(" {\n", stdout);
    put_states(effect, p->states, p->state_count, true, 2);
    fputs("    }\n", stdout);
}

void fx_list(const iri_effect *effect)
{
    fputs("// ", stdout);
    if (*effect->container)
        printf("%s%s%s, ", effect->container, *effect->compression ? " compressed as " : "",
               effect->compression);
    fputs(iri_effect_format_name((iri_effect_format)effect->format), stdout);
    if (effect->format == IRI_EFFECT_MGFX)
        printf(" version %u, profile %u%s", (unsigned)effect->version, (unsigned)effect->profile,
               effect->hash_differs ? ", its hash is of other bytes" : "");
    printf("%s: %u parameters, %u techniques, %u shaders\n",
           *effect->wrapper ? ", wrapped by XNA" : "", (unsigned)effect->parameter_count,
           (unsigned)effect->technique_count, (unsigned)effect->shader_count);
    for (uint32_t i = 0; i < effect->gap_count; i++)
        printf("// %u bytes at 0x%x that nothing refers to%s\n", (unsigned)effect->gaps[i].size,
               (unsigned)effect->gaps[i].offset, effect->gaps[i].zero ? ", all zero" : "");
    for (uint32_t i = 0; i < effect->parameter_count; i++) {
        const iri_effect_parameter *p = &effect->parameters[i];
        if (!i)
            putchar('\n');
        if (p->flags & IRI_EFFECT_SHARED)
            fputs("shared ", stdout);
        put_declaration(effect, &p->value, 0);
        put_annotations(effect, p->annotations, p->annotation_count, 0);
        if (!is_default(effect, &p->value)) {
            fputs(" = ", stdout);
            put_value(effect, &p->value, 0);
        }
        fputs(";\n", stdout);
    }
    for (uint32_t i = 0; i < effect->technique_count; i++) {
        const iri_effect_technique *t = &effect->techniques[i];
        fputs("\ntechnique", stdout);
        if (*t->name)
            putchar(' ');
        put(t->name);
        put_annotations(effect, t->annotations, t->annotation_count, 0);
        fputs(" {\n", stdout);
        for (uint32_t k = 0; k < t->pass_count; k++)
            put_pass(effect, &t->passes[k]);
        fputs("}\n", stdout);
    }
    if (effect->format == IRI_EFFECT_MGFX)
        fx_list_mgfx(effect);
}
