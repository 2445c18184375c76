/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: any bytes as an effect (fx_2_0, MGFX, either in XNB); what it holds lies within the bytes, and
 * each shader inside is lifted or refused well.
 */
#include "fuzz.h"

/* Walks a value: text that ends, counts that go with their arrays, object numbers that exist. */
static void walk(const iri_effect *effect, const iri_effect_value *v, unsigned *visited);

static void walk_states(const iri_effect *effect, const iri_effect_state *states, uint32_t count,
                        unsigned *visited)
{
    for (uint32_t i = 0; i < count; i++) {
        MUST(states[i].name && *states[i].name && states[i].reference);
        MUST(states[i].parameter == UINT32_MAX || states[i].parameter < effect->parameter_count);
        MUST(!states[i].expression_size || states[i].expression);
        walk(effect, &states[i].value, visited);
    }
}

static void walk(const iri_effect *effect, const iri_effect_value *v, unsigned *visited)
{
    ++*visited;
    MUST(v->name && v->semantic && strlen(v->name) < SIZE_MAX && strlen(v->semantic) < SIZE_MAX);
    MUST(iri_effect_class_name((iri_effect_class)v->class_) &&
         iri_effect_type_name((iri_effect_type)v->type));
    MUST(!v->word_count || v->words);
    MUST(!v->object || v->object < effect->object_count);
    for (uint32_t i = 0; i < v->item_count; i++)
        walk(effect, &v->items[i], visited);
    walk_states(effect, v->states, v->state_count, visited);
}

/* A preshader or expression is a program that runs and is written, or is refused well. */
static void take_preshader(const uint8_t *data, uint32_t size, uint32_t base)
{
    iri_program *program = NULL;
    iri_refusal why = {0};
    iri_text text;
    iri_status status = iri_preshader_lift(
        data, size, IRI_PRESHADER_OPTIONS(.limits = &fuzz_limits, .base = base), &program, &why);
    if (status != IRI_OK) {
        must_refuse_well(status, &why);
        MUST(why.offset == IRI_NO_OFFSET || (why.offset >= base && why.offset <= base + size));
        return;
    }
    const iri_preshader_function function = {"f", program, NULL};
    for (int language = IRI_PRESHADER_C; program && language <= IRI_PRESHADER_WGSL; language++) {
        status = iri_write_preshaders(&function, 1, (iri_preshader_language)language, &text, &why);
        MUST(status == IRI_OK || (status == IRI_UNWRITABLE && language == IRI_PRESHADER_WGSL));
        if (status == IRI_OK)
            iri_text_free(&text);
    }
    iri_program_free(program);
}

/* Worked out, an expression gives what its state holds, a selector an element. */
static void evaluate(const iri_effect *effect, const iri_effect_state *state)
{
    static const double two[] = {2, 2};
    const iri_effect_given given = {effect->parameter_count ? effect->parameters[0].value.name : "",
                                    two, 2};
    iri_effect_result result;
    iri_refusal why = {0};
    if (state->expression)
        take_preshader(state->expression, state->expression_size, state->expression_offset);
    iri_status status = iri_effect_evaluate(effect, state, &given, 1, &result, &why);
    if (status != IRI_OK)
        must_refuse_well(status, &why);
    else
        MUST(result.word_count <= 16 && (state->source == IRI_EFFECT_EXPRESSION || result.value));
}

static void walk_effect(const iri_effect *effect)
{
    /* The caller's bytes, or what they unpacked to. */
    const uint8_t *data = effect->bytes;
    size_t size = effect->byte_count;
    unsigned visited = 0;
    for (uint32_t i = 0; i < effect->parameter_count; i++) {
        walk(effect, &effect->parameters[i].value, &visited);
        for (uint32_t k = 0; k < effect->parameters[i].annotation_count; k++)
            walk(effect, &effect->parameters[i].annotations[k], &visited);
    }
    for (uint32_t i = 0; i < effect->technique_count; i++)
        for (uint32_t k = 0; k < effect->techniques[i].pass_count; k++)
            walk_states(effect, effect->techniques[i].passes[k].states,
                        effect->techniques[i].passes[k].state_count, &visited);
    MUST(visited <= size);
    for (uint32_t i = 0; i < effect->technique_count; i++)
        for (uint32_t k = 0; k < effect->techniques[i].pass_count; k++)
            for (uint32_t s = 0; s < effect->techniques[i].passes[k].state_count; s++)
                evaluate(effect, &effect->techniques[i].passes[k].states[s]);
    for (uint32_t i = 0; i < effect->shader_count; i++) {
        const iri_effect_shader *s = &effect->shaders[i];
        MUST(s->data >= data && s->offset + (size_t)s->size <= size && s->path);
        iri_program *program = NULL;
        iri_refusal why = {0};
        iri_status status = iri_lift(
            s->data, s->size,
            IRI_LIFT_OPTIONS(.limits = &fuzz_limits, .uninitialized = IRI_UNINITIALIZED_ZERO),
            &program, NULL, &why);
        if (status != IRI_OK)
            must_refuse_well(status, &why);
        iri_program_free(program);
        take_preshader(s->data, s->size, s->offset);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    iri_effect *effect = NULL;
    iri_refusal why = {0};
    iri_status status =
        iri_effect_read(data, size, IRI_EFFECT_OPTIONS(.limits = &fuzz_limits), &effect, &why);
    if (status == IRI_OK) {
        walk_effect(effect);
    } else {
        MUST(effect == NULL);
        must_refuse_well(status, &why);
        /* Of compressed content the offset is one in what it unpacks to. */
        bool packed = size > 5 && memcmp(data, "XNB", 3) == 0 && data[5] & 0xc0;
        MUST(why.offset == IRI_NO_OFFSET || packed || why.offset <= size);
    }
    iri_effect_free(effect);
    return 0;
}

size_t fuzz_seed(uint8_t *data, size_t size, size_t capacity)
{
    (void)data, (void)capacity;
    return size;
}
