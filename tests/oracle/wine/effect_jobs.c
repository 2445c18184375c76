/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * oracle-effects: what effects.exe should say of effects, and the jobs that make it say so. All are described; those
 * that compute something of their parameters also get sets of numbers.
 *
 * Usage: oracle-effects SETS JOBS EXPECTED EFFECT...
 */
#include <iridia/iridia.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GIVEN_MAX = 4096, NUMBERS_MAX = 65536 };

static FILE *jobs, *expected;
static const iri_effect *effect;

/* A set: the leaves of all parameters. */
static iri_effect_given given[GIVEN_MAX];
static double numbers[NUMBERS_MAX];
static size_t given_count, number_count;

static uint64_t state = 88172645463325252u;
static uint32_t random_word(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static void fail(const char *what)
{
    fprintf(stderr, "oracle-effects: %s\n", what);
    exit(1);
}

/* ---- descriptions, as effects.c writes them ---- */

static void describe(const iri_effect_value *v, const char *kind, uint32_t depth,
                     const iri_effect_value *annotations, uint32_t annotation_count)
{
    const iri_effect_value *one = v->elements && v->item_count ? &v->items[0] : v;
    fprintf(expected, "%*s%s %s : %s class %u type %u %ux%u elements %u members %u annotations %u",
            (int)depth, "", kind, v->name, v->semantic, v->class_, v->type, (unsigned)v->rows,
            (unsigned)v->columns, (unsigned)v->elements,
            (unsigned)(v->class_ == IRI_EFFECT_STRUCT ? one->item_count : 0),
            (unsigned)annotation_count);
    if (v->class_ <= IRI_EFFECT_MATRIX_COLUMNS) {
        fprintf(expected, " =");
        for (uint32_t i = 0; i < v->word_count; i++)
            fprintf(expected, " %x", (unsigned)v->words[i]);
    } else if (v->type == IRI_EFFECT_STRING && !v->elements) {
        const iri_effect_object *o = &effect->objects[v->object];
        fprintf(expected, " = %.*s", (int)(o->size ? o->size - 1 : 0),
                o->data ? (const char *)o->data : "");
    }
    fputc('\n', expected);
    for (uint32_t i = 0; i < v->item_count; i++)
        describe(&v->items[i], v->elements ? "element" : "member", depth + 1, NULL, 0);
    for (uint32_t i = 0; i < annotation_count; i++)
        describe(&annotations[i], "annotation", depth + 1, NULL, 0);
}

static void describe_annotations(const iri_effect_value *annotations, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        describe(&annotations[i], "annotation", 1, NULL, 0);
}

static void describe_effect(void)
{
    for (uint32_t i = 0; i < effect->parameter_count; i++)
        describe(&effect->parameters[i].value, "parameter", 0, effect->parameters[i].annotations,
                 effect->parameters[i].annotation_count);
    for (uint32_t i = 0; i < effect->technique_count; i++) {
        const iri_effect_technique *t = &effect->techniques[i];
        fprintf(expected, "technique %s passes %u annotations %u\n", t->name,
                (unsigned)t->pass_count, (unsigned)t->annotation_count);
        describe_annotations(t->annotations, t->annotation_count);
        for (uint32_t k = 0; k < t->pass_count; k++) {
            fprintf(expected, "pass %s annotations %u\n", t->passes[k].name,
                    (unsigned)t->passes[k].annotation_count);
            describe_annotations(t->passes[k].annotations, t->passes[k].annotation_count);
        }
    }
}

/* ---- sets of numbers ---- */

/* Integers are even and odd in turn, so that each set changes them: Wine works a selector's index out anew only when its
 * parameters have changed, and so takes the last element that there was when one that there is not is asked for twice. */
static int set_number;

static uint32_t some_word(uint8_t type)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                       0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
                                       0x80400000, 0x7f7fffff, 0x4b800000, 0x40200000};
    uint32_t word = random_word(), kind = word % 16;
    float number = kind < 6 ? (float)((int)(word / 16 % 12) - 3)
                            : (float)(word / 16 % 100000) / 5000.0f - 10.0f;
    if (type == IRI_EFFECT_BOOL)
        return word / 16 % 2;
    if (type == IRI_EFFECT_INT)
        return (uint32_t)((int32_t)(word / 16 % 5) * 2 - 3 + set_number % 2);
    if (kind == 15)
        return special[word / 16 % (sizeof special / sizeof *special)];
    memcpy(&word, &number, 4);
    return word;
}

static double as_number(uint32_t word, uint8_t type)
{
    float number;
    memcpy(&number, &word, 4);
    return type == IRI_EFFECT_FLOAT ? (double)number : (double)(int32_t)word;
}

/* The words of a value in the order in which D3DX keeps them, and the same as given leaves. */
static void give(const iri_effect_value *v, const char *path)
{
    char inner[512];
    for (uint32_t i = 0; i < v->item_count; i++) {
        if (v->elements)
            snprintf(inner, sizeof inner, "%s[%u]", path, (unsigned)i);
        else
            snprintf(inner, sizeof inner, "%s.%s", path, v->items[i].name);
        give(&v->items[i], inner);
    }
    if (!v->word_count || given_count == GIVEN_MAX || number_count + v->word_count > NUMBERS_MAX)
        return;
    char *name = malloc(strlen(path) + 1);
    strcpy(name, path);
    given[given_count++] = (iri_effect_given){name, numbers + number_count, v->word_count};
    for (uint32_t i = 0; i < v->word_count; i++) {
        uint32_t word = some_word(v->type);
        fprintf(jobs, " %x", (unsigned)word);
        numbers[number_count++] = as_number(word, v->type);
    }
}

static void take_back(void)
{
    while (given_count)
        free((char *)given[--given_count].name);
    number_count = 0;
}

static void give_all(void)
{
    take_back();
    for (uint32_t i = 0; i < effect->parameter_count; i++) {
        const iri_effect_value *v = &effect->parameters[i].value;
        if (v->class_ == IRI_EFFECT_OBJECT)
            continue;
        fprintf(jobs, "set %s", v->name);
        give(v, v->name);
        fputc('\n', jobs);
    }
}

/* ---- what is expected of a pass ---- */

static void expect_function(const char *stage, const iri_effect_object *o)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i + 4 <= o->size; i += 4)
        sum = sum * 31 + ((uint32_t)o->data[i] | (uint32_t)o->data[i + 1] << 8 |
                          (uint32_t)o->data[i + 2] << 16 | (uint32_t)o->data[i + 3] << 24);
    fprintf(expected, "%s function %u %x\n", stage, (unsigned)o->size, (unsigned)sum);
}

static void expect_registers(const char *stage, const iri_effect_object *o)
{
    static const char banks[] = {[IRI_BANK_C] = 'c', [IRI_BANK_I] = 'i', [IRI_BANK_B] = 'b'};
    static iri_preshader_register registers[8192];
    static uint8_t constants[65536];
    iri_program *program;
    iri_exec *exec;
    iri_refusal why;
    if (iri_preshader_lift(o->data, o->size, NULL, &program, &why) != IRI_OK)
        fail(why.reason);
    if (!program)
        return;
    if (iri_exec_compile(program, NULL, &exec, &why) != IRI_OK)
        fail(why.reason);
    memset(constants, 0, sizeof constants);
    iri_effect_fill(effect, given, given_count, program, 0, constants, sizeof constants);
    if (iri_preshader_run(exec, constants, sizeof constants, registers, &why) != IRI_OK)
        fail(why.reason);
    for (uint32_t i = 0; i < iri_program_interface(program)->output_count; i++)
        for (uint32_t lane = 0; lane < 4; lane++)
            if (registers[i].lanes >> lane & 1)
                fprintf(expected, "%s %c %u %x\n", stage, banks[registers[i].bank],
                        (unsigned)(registers[i].bank == IRI_BANK_B
                                       ? registers[i].number
                                       : registers[i].number * 4u + lane),
                        (unsigned)registers[i].words[lane]);
    iri_exec_free(exec);
    iri_program_free(program);
}

static void expect_state(const iri_effect_state *s)
{
    iri_effect_result result;
    iri_refusal why;
    const char *stage = s->value.type == IRI_EFFECT_VERTEXSHADER ? "vs" : "ps";
    if (s->class_ != IRI_EFFECT_SHADER_STATE &&
        !(s->class_ == IRI_EFFECT_RENDER_STATE && s->source == IRI_EFFECT_EXPRESSION))
        return;
    if (iri_effect_evaluate(effect, s, given, given_count, &result, &why) != IRI_OK) {
        if (s->source != IRI_EFFECT_SELECTOR || why.status != IRI_INVALID_ARGUMENT)
            fail(why.reason);
        fprintf(expected, "unset %s\n", s->name);
    } else if (s->class_ == IRI_EFFECT_RENDER_STATE) {
        fprintf(expected, "render %u %x\n", (unsigned)s->number, (unsigned)result.words[0]);
    } else if (effect->objects[result.value->object].data) {
        expect_function(stage, &effect->objects[result.value->object]);
        expect_registers(stage, &effect->objects[result.value->object]);
    }
}

static bool computes(void)
{
    for (uint32_t i = 0; i < effect->shader_count; i++) {
        iri_program *program;
        if (iri_preshader_lift(effect->shaders[i].data, effect->shaders[i].size, NULL, &program,
                               NULL) == IRI_OK &&
            program) {
            iri_program_free(program);
            return true;
        }
    }
    for (uint32_t t = 0; t < effect->technique_count; t++)
        for (uint32_t p = 0; p < effect->techniques[t].pass_count; p++)
            for (uint32_t s = 0; s < effect->techniques[t].passes[p].state_count; s++)
                if (effect->techniques[t].passes[p].states[s].expression)
                    return true;
    return false;
}

/* The first has the effect's own values. */
static void add_sets(int sets)
{
    take_back();
    for (set_number = 0; set_number <= sets; set_number++) {
        if (set_number)
            give_all();
        for (uint32_t t = 0; t < effect->technique_count; t++)
            for (uint32_t p = 0; p < effect->techniques[t].pass_count; p++) {
                const iri_effect_pass *pass = &effect->techniques[t].passes[p];
                fprintf(jobs, "pass %u %u\n", (unsigned)t, (unsigned)p);
                fprintf(expected, "begun %u %u\n", (unsigned)t, (unsigned)p);
                for (uint32_t s = 0; s < pass->state_count; s++)
                    expect_state(&pass->states[s]);
            }
    }
}

static void add_effect(const char *path, int sets)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(size + 1);
    iri_effect *read = NULL;
    iri_refusal why;
    if (fread(data, 1, size, file) != size ||
        iri_effect_read(data, size, NULL, &read, &why) != IRI_OK)
        fail(path);
    fclose(file);
    effect = read;
    fprintf(jobs, "effect %s\n", path);
    fprintf(expected, "effect %s\n", path);
    describe_effect();
    if (computes())
        add_sets(sets);
    iri_effect_free(read);
    free(data);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        fail("usage: oracle-effects SETS JOBS EXPECTED EFFECT...");
    jobs = fopen(argv[2], "w");
    expected = fopen(argv[3], "w");
    if (!jobs || !expected)
        fail("cannot write");
    for (int i = 4; i < argc; i++)
        add_effect(argv[i], atoi(argv[1]));
    return fclose(jobs) || fclose(expected);
}
