/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Effects with numbers: constants from parameters, expressions and array selectors worked out. What D3DX does:
 * Wine's dlls/d3dx9_36/effect.c (d3dx9_get_param_value_ptr) and preshader.c (set_constants).
 */
#include "base/ctx.h"
#include "base/number.h"
#include <iridia/preshader.h>
#include <stdio.h>
#include <string.h>

enum { PATH_MAX_SIZE = 512 };

/* ---- parameters by name ---- */

static const iri_effect_value *find_among(const iri_effect_value *items, uint32_t count,
                                          const char *name, size_t size)
{
    for (uint32_t i = 0; i < count; i++)
        if (strlen(items[i].name) == size && memcmp(items[i].name, name, size) == 0)
            return &items[i];
    return NULL;
}

/* "[12]" at `*at`, which moves behind it; false when it is none. */
static bool take_index(const char **at, uint32_t *index)
{
    const char *p = *at + 1;
    uint32_t number = 0;
    if (**at != '[' || *p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++)
        number = number > 99999 ? 999999 : number * 10 + (uint32_t)(*p - '0');
    *index = number;
    *at = p + 1;
    return *p == ']';
}

const iri_effect_value *iri_effect_find(const iri_effect *effect, const char *name)
{
    const iri_effect_value *v = NULL;
    for (uint32_t i = 0; i < effect->parameter_count && !v; i++)
        v = find_among(&effect->parameters[i].value, 1, name, strcspn(name, "[."));
    const char *at = name + strcspn(name, "[.");
    while (v && *at) {
        uint32_t index;
        if (*at == '.') {
            size_t size = strcspn(++at, "[.");
            v = v->elements ? NULL : find_among(v->items, v->item_count, at, size);
            at += size;
        } else {
            bool known = take_index(&at, &index) && v->elements && index < v->item_count;
            v = known ? &v->items[index] : NULL;
        }
    }
    return v;
}

/* A number as a parameter of its type takes it. */
static double converted(double number, uint8_t type)
{
    if (type == IRI_EFFECT_BOOL)
        return number != 0;
    if (type == IRI_EFFECT_INT)
        return number != number ? 0
                                : (double)(int32_t)(number < -2147483648.0  ? -2147483648.0
                                                    : number > 2147483647.0 ? 2147483647.0
                                                                            : number);
    return (double)(float)number;
}

static double stored(const iri_effect_value *v, uint32_t i)
{
    if (v->type == IRI_EFFECT_FLOAT)
        return (double)iri_bits_f32(v->words[i]);
    return v->type == IRI_EFFECT_INT ? (double)(int32_t)v->words[i] : v->words[i] != 0;
}

typedef struct fill {
    const iri_effect *effect;
    const iri_effect_given *given;
    size_t given_count;
    const iri_program *program;
    uint32_t resource;
    uint8_t *constants;
    size_t size, stored;
    char path[PATH_MAX_SIZE];
} fill;

/* `count` numbers of a value from `first` on: the last that was given, else what the effect has. */
static void numbers_of(const fill *f, const iri_effect_value *v, uint32_t first, uint32_t count,
                       double *numbers)
{
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = stored(v, first + i);
    for (size_t g = 0; g < f->given_count; g++) {
        const iri_effect_given *given = &f->given[g];
        if (given->count <= first || iri_effect_find(f->effect, given->name) != v)
            continue;
        for (uint32_t i = 0; i < count && first + i < given->count; i++)
            numbers[i] = converted(given->numbers[first + i], v->type);
    }
}

/* Element by element; one of another shape than the place's has none there. */
static void fill_numbers(fill *f, const iri_effect_value *v, const iri_constant_place *place)
{
    uint32_t each = v->rows * v->columns;
    double numbers[16];
    if (each != place->rows * place->columns)
        return;
    for (uint32_t element = 0; element < place->elements && (element + 1) * each <= v->word_count;
         element++) {
        iri_constant_place one = *place;
        uint64_t skipped = (uint64_t)element * place->array_stride;
        if (skipped >= place->size)
            return;
        one.offset += (uint32_t)skipped;
        one.size -= (uint32_t)skipped;
        one.elements = 1;
        numbers_of(f, v, element * each, each, numbers);
        f->stored += iri_store_constant(&one, numbers, each, f->constants, f->size);
    }
}

/* Stores a value whose place in the program is called `path`, and what is in it. */
static void fill_value(fill *f, const iri_effect_value *v, size_t length)
{
    for (uint32_t i = 0; i < v->item_count; i++) {
        char *end = f->path + length;
        size_t left = sizeof f->path - length;
        int size = v->elements ? snprintf(end, left, "[%u]", (unsigned)i)
                               : snprintf(end, left, ".%s", v->items[i].name);
        if (size > 0 && (size_t)size < left)
            fill_value(f, &v->items[i], length + (size_t)size);
        *end = 0;
    }
    iri_constant_place place;
    if (v->word_count && !iri_find_constant_from(f->program, f->path, f->resource, &place, NULL) &&
        place.resource == f->resource)
        fill_numbers(f, v, &place);
}

size_t iri_effect_fill(const iri_effect *effect, const iri_effect_given *given, size_t given_count,
                       const iri_program *program, uint32_t resource, void *constants, size_t size)
{
    fill f = {.effect = effect,
              .given = given,
              .given_count = given_count,
              .program = program,
              .resource = resource,
              .constants = constants,
              .size = size};
    const iri_interface *io = iri_program_interface(program);
    if (resource >= io->resource_count)
        return 0;
    for (uint32_t i = 0; i < io->resources[resource].member_count; i++) {
        const char *name = io->resources[resource].members[i].name;
        size_t length = strlen(name);
        const iri_effect_value *v = iri_effect_find(effect, name);
        if (!v || length >= sizeof f.path)
            continue;
        memcpy(f.path, name, length + 1);
        fill_value(&f, v, length);
    }
    return f.stored;
}

/* ---- states ---- */

static bool is_number(uint8_t type)
{
    return type == IRI_EFFECT_BOOL || type == IRI_EFFECT_INT || type == IRI_EFFECT_FLOAT;
}

/* A float as D3DX sets a number of another type to it: truncated; any bit makes a truth. */
static uint32_t word_as(uint32_t word, uint8_t type)
{
    float number = iri_bits_f32(word);
    if (type == IRI_EFFECT_BOOL)
        return word != 0;
    if (type != IRI_EFFECT_INT)
        return word;
    return number >= -2147483648.0f && number < 2147483648.0f ? (uint32_t)(int32_t)number
                                                              : 0x80000000u;
}

typedef struct expression {
    iri_program *program;
    iri_exec *exec;
    iri_preshader_register *registers;
    uint8_t *constants;
    iri_ctx ctx;
    uint32_t register_count;
    size_t size;
} expression;

/* The first words of the results, c0.x on, as many as `count`; of lanes that are not set `words` is left alone. */
static void take_results(const expression *e, uint8_t type, uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < e->register_count; i++)
        for (uint32_t lane = 0; lane < 4; lane++) {
            const iri_preshader_register *r = &e->registers[i];
            uint32_t at = r->number * 4u + lane;
            if (r->bank == IRI_BANK_C && (r->lanes >> lane & 1) && at < count)
                words[at] = word_as(r->words[lane], type);
        }
}

static void allocate(iri_ctx *ctx, void *argument)
{
    expression *e = argument;
    e->constants = iri_ctx_alloc(ctx, e->size + 1);
    memset(e->constants, 0, e->size + 1);
    e->registers = iri_ctx_alloc(ctx, (e->register_count + 1) * sizeof *e->registers);
}

/* Runs a state's expression. */
static iri_status run_expression(const iri_effect *effect, const iri_effect_state *state,
                                 const iri_effect_given *given, size_t given_count, uint8_t type,
                                 uint32_t *words, uint32_t count, iri_refusal *why)
{
    expression e = {.program = NULL};
    iri_ctx_init(&e.ctx, NULL, NULL, why);
    iri_status status = iri_preshader_lift(
        state->expression, state->expression_size,
        IRI_PRESHADER_OPTIONS(.base = state->expression_offset, .path = state->name), &e.program,
        why);
    if (status == IRI_OK && !e.program)
        status =
            iri_refuse(why, IRI_MALFORMED_EFFECT, "fx_2_0", "%s has no expression", state->name);
    if (status == IRI_OK)
        status = iri_exec_compile(e.program, NULL, &e.exec, why);
    if (status == IRI_OK) {
        const iri_interface *io = iri_program_interface(e.program);
        e.register_count = io->output_count;
        e.size = io->resource_count ? io->resources[0].size : 0;
        status = iri_protect(&e.ctx, allocate, &e);
    }
    if (status == IRI_OK) {
        iri_effect_fill(effect, given, given_count, e.program, 0, e.constants, e.size);
        status = iri_preshader_run(e.exec, e.constants, e.size, e.registers, why);
    }
    if (status == IRI_OK)
        take_results(&e, type, words, count);
    if (e.constants)
        iri_ctx_free(&e.ctx, e.constants, e.size + 1);
    if (e.registers)
        iri_ctx_free(&e.ctx, e.registers, (e.register_count + 1) * sizeof *e.registers);
    iri_exec_free(e.exec);
    iri_program_free(e.program);
    return status;
}

static iri_status select_element(const iri_effect *effect, const iri_effect_state *state,
                                 const iri_effect_given *given, size_t given_count,
                                 iri_effect_result *result, iri_refusal *why)
{
    const iri_effect_value *array = &effect->parameters[state->parameter].value;
    uint32_t index = 0;
    iri_status status =
        run_expression(effect, state, given, given_count, IRI_EFFECT_INT, &index, 1, why);
    if (status != IRI_OK)
        return status;
    if (index == UINT32_MAX)
        index = 0;
    if (index >= array->item_count || !array->elements)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, "fx_2_0", "%s: element %ld of the %u of %s",
                          state->name, (long)(int32_t)index, array->elements, array->name);
    result->value = &array->items[index];
    return IRI_OK;
}

static void take_numbers(const fill *f, const iri_effect_value *v, iri_effect_result *result)
{
    double numbers[16];
    result->word_count = v->word_count < 16 ? v->word_count : 16;
    numbers_of(f, v, 0, result->word_count, numbers);
    for (uint32_t i = 0; i < result->word_count; i++)
        result->words[i] = v->type == IRI_EFFECT_FLOAT ? iri_f32_bits((float)numbers[i])
                                                       : (uint32_t)(int32_t)numbers[i];
}

iri_status iri_effect_evaluate(const iri_effect *effect, const iri_effect_state *state,
                               const iri_effect_given *given, size_t given_count,
                               iri_effect_result *result, iri_refusal *why)
{
    const fill f = {.effect = effect, .given = given, .given_count = given_count};
    memset(result, 0, sizeof *result);
    if ((state->source == IRI_EFFECT_PARAMETER || state->source == IRI_EFFECT_SELECTOR) &&
        state->parameter >= effect->parameter_count)
        return iri_refuse(why, IRI_MALFORMED_EFFECT, "fx_2_0",
                          "%s refers to \"%s\", which is no parameter", state->name,
                          state->reference);
    switch ((iri_effect_source)state->source) {
    case IRI_EFFECT_CONSTANT: result->value = &state->value; break;
    case IRI_EFFECT_PARAMETER: result->value = &effect->parameters[state->parameter].value; break;
    case IRI_EFFECT_SELECTOR: return select_element(effect, state, given, given_count, result, why);
    case IRI_EFFECT_EXPRESSION:
        take_numbers(&f, &state->value, result);
        return run_expression(effect, state, given, given_count, state->value.type, result->words,
                              result->word_count, why);
    }
    if (is_number(result->value->type))
        take_numbers(&f, result->value, result);
    return IRI_OK;
}
