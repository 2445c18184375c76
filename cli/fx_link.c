/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia fx --to wgsl --out DIR`: each pass as the modules of a pipeline, and one manifest of them all
 * (docs/json.md). A pass that cannot be translated is refused in the manifest too, and the others are written.
 */
#include "fx_states.h"
#include "manifest.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PRESHADERS "preshaders.mjs"

/* One stage of a pass. */
typedef struct stage {
    uint32_t shader; /* in iri_effect.shaders; UINT32_MAX: none, or generated */
    iri_program *program, *preshader;
    iri_wgsl_map map;
    char *file; /* in the directory */
} stage;
enum { VERTEX, PIXEL, STAGES };
static const char *const stage_words[STAGES] = {"vertex", "fragment"};

typedef struct work {
    const iri_effect *effect;
    const char *path, *directory;
    cli_json json;
    char **names; /* of the passes written so far */
    size_t name_count;
    bool preshaders; /* whether any function is called for */
    bool refused;
} work;

/* ---- names ---- */

static bool is_taken(const work *w, const char *name)
{
    for (size_t i = 0; i < w->name_count; i++) {
        const char *a = w->names[i], *b = name;
        while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
            a++, b++;
        if (!*a && !*b) /* file systems may not tell cases apart */
            return true;
    }
    return false;
}

/* "TECHNIQUE.PASS", with what no file system takes as '_' and numbers for what has no name; with numbers behind it
 * where that is another pass's. */
static const char *name_pass(work *w, uint32_t t, uint32_t p)
{
    const char *technique = w->effect->techniques[t].name;
    const char *pass = w->effect->techniques[t].passes[p].name;
    char *first = *technique ? cli_printf("%s", technique) : cli_printf("technique%u", (unsigned)t);
    char *second = *pass ? cli_printf("%s", pass) : cli_printf("pass%u", (unsigned)p);
    char *name = cli_printf("%.64s.%.64s", first, second);
    free(first);
    free(second);
    fx_safe_name(name);
    for (unsigned again = 0; is_taken(w, name); again++) {
        char *other = cli_printf("%.130s_%u_%u_%u", name, (unsigned)t, (unsigned)p, again);
        free(name);
        name = other;
    }
    w->names = cli_realloc(w->names, (w->name_count + 1) * sizeof *w->names);
    w->names[w->name_count++] = name;
    return name;
}

/* ---- programs ---- */

/* Which shader a pass has for a stage, by its last assignment. False when that cannot be worked out. */
static bool find_shader(const work *w, const iri_effect_pass *pass, iri_stage which,
                        uint32_t *shader, fx_notes *notes, iri_refusal *why)
{
    const char *name = which == IRI_STAGE_VERTEX ? "VertexShader" : "PixelShader";
    *shader = UINT32_MAX;
    for (uint32_t i = 0; i < pass->state_count; i++) {
        const iri_effect_state *state = &pass->states[i];
        iri_effect_result result;
        if (state->class_ != IRI_EFFECT_SHADER_STATE || strcmp(state->name, name) != 0)
            continue;
        if (iri_effect_evaluate(w->effect, state, NULL, 0, &result, why) != IRI_OK)
            return false;
        *shader = UINT32_MAX;
        for (uint32_t k = 0; result.value && k < w->effect->shader_count; k++)
            if (w->effect->shaders[k].object == result.value->object &&
                w->effect->shaders[k].stage == which)
                *shader = k;
        if (state->source == IRI_EFFECT_SELECTOR && result.value)
            fx_note(notes, "selected", state->offset,
                    cli_printf("%s is %s[%u], which the parameters' default values choose", name,
                               state->reference,
                               (unsigned)(result.value -
                                          w->effect->parameters[state->parameter].value.items)));
    }
    return true;
}

static bool lift(const work *w, stage *s, const iri_state *state, iri_refusal *why)
{
    const iri_effect_shader *from = &w->effect->shaders[s->shader];
    return iri_lift(from->data, from->size,
                    IRI_LIFT_OPTIONS(.base = from->offset, .path = from->path, .state = state),
                    &s->program, NULL, why) == IRI_OK &&
           iri_preshader_lift(from->data, from->size,
                              IRI_PRESHADER_OPTIONS(.base = from->offset, .path = from->path),
                              &s->preshader, why) == IRI_OK;
}

static bool make_programs(const work *w, const iri_effect_pass *pass, stage *stages,
                          const fx_states *states, fx_notes *notes, iri_refusal *why)
{
    const iri_state state = {states->entries, states->entry_count, true};
    if (!find_shader(w, pass, IRI_STAGE_VERTEX, &stages[VERTEX].shader, notes, why) ||
        !find_shader(w, pass, IRI_STAGE_PIXEL, &stages[PIXEL].shader, notes, why))
        return false;
    for (uint32_t i = 0; i < STAGES; i++)
        if (stages[i].shader != UINT32_MAX && !lift(w, &stages[i], &state, why))
            return false;
    return stages[VERTEX].program || !stages[PIXEL].program ||
           iri_make_pass_through(stages[PIXEL].program, NULL, &stages[VERTEX].program, why) ==
               IRI_OK;
}

static bool write_module(const work *w, stage *s, const iri_program *linked, const char *name,
                         const char *word, bool *written, iri_refusal *why)
{
    iri_text text;
    const char *problem = NULL;
    if (iri_write_wgsl(s->program, IRI_WGSL_OPTIONS(.linked_pixel = linked), &text, &s->map, why) !=
        IRI_OK)
        return false;
    s->file = cli_printf("%s.%s.wgsl", name, word);
    char *path = cli_printf("%s/%s", w->directory, s->file);
    *written = cli_make_parents(path) && cli_write_quietly(path, text.data, text.size, &problem);
    if (!*written)
        cli_say(path, problem ? problem : "cannot make its folder");
    free(path);
    iri_text_free(&text);
    return true;
}

/* ---- constants as the effect has them ---- */

static void put_word(uint32_t *words, size_t count, size_t at, uint32_t word)
{
    if (at < count)
        words[at] = word;
}

/* What a preshader sets, of the bank that constant buffer `reg` is. */
static void put_preshader(const work *w, const stage *s, uint32_t reg, uint32_t *words,
                          size_t count)
{
    static const uint8_t banks[] = {IRI_BANK_C, IRI_BANK_I, IRI_BANK_B};
    const iri_interface *io = iri_program_interface(s->preshader);
    size_t size = io->resource_count ? io->resources[0].size : 0;
    uint8_t *constants = cli_alloc(size + 1);
    iri_preshader_register *set = cli_alloc((io->output_count + 1) * sizeof *set);
    iri_exec *exec;
    iri_refusal why;
    iri_effect_fill(w->effect, NULL, 0, s->preshader, 0, constants, size);
    if (iri_exec_compile(s->preshader, NULL, &exec, &why) == IRI_OK) {
        bool ran = iri_preshader_run(exec, constants, size, set, &why) == IRI_OK;
        for (uint32_t i = 0; ran && i < io->output_count; i++)
            for (uint32_t lane = 0; reg < 3 && set[i].bank == banks[reg] && lane < 4; lane++)
                if (set[i].lanes >> lane & 1)
                    put_word(words, count,
                             reg == 2 ? set[i].number : set[i].number * (size_t)4 + lane,
                             set[i].words[lane]);
        iri_exec_free(exec);
    }
    free(set);
    free(constants);
}

static void print_constants(work *w, const stage *s, const char *word)
{
    enum { RESOURCE = 0 };
    const iri_interface *io = iri_program_interface(s->program);
    for (size_t i = 0; i < s->map.name_count; i++) {
        const iri_emitted_name *name = &s->map.names[i];
        if (name->kind != RESOURCE || name->binding < 0 ||
            io->resources[name->index].kind != IRI_RESOURCE_CBUFFER)
            continue;
        const iri_resource *r = &io->resources[name->index];
        size_t count = ((size_t)r->size + 15) / 16 * 4;
        uint32_t *words = cli_alloc(count * sizeof *words + 1);
        for (uint32_t m = 0; m < r->member_count; m++)
            for (uint32_t k = 0; r->members[m].default_words && k < r->members[m].size / 4; k++)
                put_word(words, count, r->members[m].offset / 4 + k,
                         r->members[m].default_words[k]);
        iri_effect_fill(w->effect, NULL, 0, s->program, name->index, words, count * sizeof *words);
        if (s->preshader)
            put_preshader(w, s, r->reg, words, count);
        json_open(&w->json, NULL, '{');
        json_string(&w->json, "visibility", word);
        json_number(&w->json, "group", name->group);
        json_number(&w->json, "binding", name->binding);
        json_words(&w->json, "words", words, count);
        json_close(&w->json, '}');
        free(words);
    }
}

/* ---- the manifest ---- */

static const char *kind_of(const stage *stages)
{
    bool vertex = stages[VERTEX].shader != UINT32_MAX, pixel = stages[PIXEL].shader != UINT32_MAX;
    return vertex  ? pixel ? "vertex+pixel" : "vertex-only"
           : pixel ? "pixel-only"
                   : "fixed-function";
}

static void print_stages(work *w, const iri_effect_pass *pass, const stage *stages, fx_notes *notes)
{
    manifest_stage all[STAGES];
    size_t count = 0;
    for (uint32_t i = 0; i < STAGES; i++) {
        if (!stages[i].program)
            continue;
        all[count] = (manifest_stage){stages[i].program, &stages[i].map, NULL, stages[i].file};
        json_open(&w->json, stage_words[i], '{');
        json_bool(&w->json, "generated", stages[i].shader == UINT32_MAX);
        if (stages[i].shader != UINT32_MAX)
            json_string(&w->json, "shader", w->effect->shaders[stages[i].shader].path);
        if (stages[i].preshader) {
            char *function = cli_printf("shader_%03u", (unsigned)stages[i].shader);
            json_string(&w->json, "preshader", function);
            free(function);
            w->preshaders = true;
        }
        manifest_print_stage(&w->json, &all[count++]);
        json_close(&w->json, '}');
    }
    manifest_print_bindings(&w->json, all, count);
    json_open(&w->json, "constants", '[');
    for (uint32_t i = 0; i < STAGES; i++)
        if (stages[i].program)
            print_constants(w, &stages[i], stage_words[i]);
    json_close(&w->json, ']');
    json_open(&w->json, "samplers", '[');
    for (uint32_t i = 0; i < STAGES; i++)
        if (stages[i].program)
            fx_samplers_print(&w->json, w->effect, pass, stages[i].program, &stages[i].map, notes);
    json_close(&w->json, ']');
    manifest_print_needs(&w->json, all, count);
}

/* Expressions that states and selectors have, by the functions that they are. */
static void print_expressions(work *w, uint32_t t, uint32_t p)
{
    const iri_effect_pass *pass = &w->effect->techniques[t].passes[p];
    json_open(&w->json, "expressions", '[');
    for (uint32_t i = 0; i < pass->state_count; i++) {
        if (!pass->states[i].expression)
            continue;
        char *function = cli_printf("state_%u_%u_%u", (unsigned)t, (unsigned)p, (unsigned)i);
        json_open(&w->json, NULL, '{');
        json_string(&w->json, "state", pass->states[i].name);
        json_number(&w->json, "index", pass->states[i].index);
        json_string(&w->json, "function", function);
        json_close(&w->json, '}');
        free(function);
        w->preshaders = true;
    }
    json_close(&w->json, ']');
}

static void free_stage(stage *s)
{
    iri_program_free(s->program);
    iri_program_free(s->preshader);
    iri_wgsl_map_free(&s->map);
    free(s->file);
}

/* False when a file could not be written. */
static bool write_pass(work *w, uint32_t t, uint32_t p)
{
    const iri_effect_pass *pass = &w->effect->techniques[t].passes[p];
    stage stages[STAGES] = {{.shader = UINT32_MAX}, {.shader = UINT32_MAX}};
    const char *name = name_pass(w, t, p);
    fx_notes notes = {0};
    fx_states states;
    iri_refusal why;
    bool written = true;
    fx_states_of(w->effect, pass, &states, &notes);
    bool ok = make_programs(w, pass, stages, &states, &notes, &why);
    for (uint32_t i = 0; ok && written && i < STAGES; i++)
        if (stages[i].program)
            ok = write_module(w, &stages[i], i == VERTEX ? stages[PIXEL].program : NULL, name,
                              stage_words[i], &written, &why);
    json_open(&w->json, NULL, '{');
    json_string(&w->json, "technique", w->effect->techniques[t].name);
    json_string(&w->json, "pass", pass->name);
    json_string(&w->json, "kind", ok ? kind_of(stages) : "refused");
    if (!ok) {
        json_refusal(&w->json, "refusal", &why);
        cli_refused(&why, w->path);
        w->refused = true;
    } else if (stages[VERTEX].program && written) {
        print_stages(w, pass, stages, &notes);
        fx_states_print(&w->json, &states, stages[PIXEL].program);
    }
    if (ok && stages[VERTEX].program && !stages[PIXEL].program)
        fx_note(
            &notes, "vertex-only", pass->offset,
            cli_printf(
                "no pixel program: the pipeline writes depth alone, where Direct3D's fixed-function "
                "stages would colour"));
    print_expressions(w, t, p);
    fx_notes_print(&w->json, &notes);
    json_close(&w->json, '}');
    fx_notes_free(&notes);
    if (ok && written)
        printf("%s/%s  %s\n", w->directory, name, kind_of(stages));
    for (uint32_t i = 0; i < STAGES; i++)
        free_stage(&stages[i]);
    return written;
}

static bool finish(work *w)
{
    bool ok = true;
    char *manifest = cli_printf("%s/manifest.json", w->directory);
    char *preshaders = cli_printf("%s/" PRESHADERS, w->directory);
    json_string(&w->json, "preshaders", w->preshaders ? PRESHADERS : NULL);
    json_close(&w->json, '}');
    if (w->preshaders)
        ok = cli_make_parents(preshaders) &&
             fx_preshaders(w->effect, w->path, IRI_PRESHADER_JAVASCRIPT, true, preshaders);
    if (!cli_make_parents(manifest)) {
        cli_say(manifest, "cannot make its folder");
        ok = false;
    }
    ok = json_finish(&w->json, manifest) && ok;
    free(preshaders);
    free(manifest);
    return ok;
}

bool fx_link(const iri_effect *effect, const char *path, const char *directory)
{
    work w = {.effect = effect, .path = path, .directory = directory};
    bool ok = true;
    json_open(&w.json, NULL, '{');
    json_number(&w.json, "schema", 1);
    json_open(&w.json, "passes", '[');
    for (uint32_t t = 0; t < effect->technique_count && ok; t++)
        for (uint32_t p = 0; p < effect->techniques[t].pass_count && ok; p++)
            ok = write_pass(&w, t, p);
    json_close(&w.json, ']');
    if (ok)
        ok = finish(&w);
    else
        free(w.json.data);
    for (size_t i = 0; i < w.name_count; i++)
        free(w.names[i]);
    free(w.names);
    return ok && !w.refused;
}
