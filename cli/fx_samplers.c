/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samplers of a pass's programs as GPUSamplerDescriptors: a sampler is set to what the effect's parameter of its
 * name says, and after it to what the pass itself assigns to its register.
 */
#include "fx_states.h"
#include <stdlib.h>

typedef struct gathered {
    iri_sampler_state *states;
    uint32_t count;
    const char *texture; /* the parameter's name, or NULL */
} gathered;

/* One assignment of a sampler or, to the register at hand, of a pass. */
static void gather_state(gathered *g, const iri_effect *effect, const iri_effect_state *state,
                         fx_notes *notes)
{
    iri_effect_result result;
    iri_refusal why;
    if (state->class_ == IRI_EFFECT_TEXTURE_STATE && *state->reference)
        g->texture = state->reference;
    if (state->class_ != IRI_EFFECT_SAMPLER_STATE)
        return;
    if (iri_effect_evaluate(effect, state, NULL, 0, &result, &why) != IRI_OK) {
        fx_note(notes, "state-value", state->offset,
                cli_printf("%s keeps its default: %s", state->name, why.reason));
        return;
    }
    if (!result.word_count)
        return;
    g->states = cli_realloc(g->states, (g->count + 1) * sizeof *g->states);
    g->states[g->count++] = (iri_sampler_state){state->number, result.words[0]};
}

static void gather_value(gathered *g, const iri_effect *effect, const iri_effect_value *v,
                         fx_notes *notes)
{
    for (uint32_t i = 0; v && i < v->state_count; i++)
        gather_state(g, effect, &v->states[i], notes);
}

/* What the pass assigns to register `reg` of pixel samplers. */
static void gather_pass(gathered *g, const iri_effect *effect, const iri_effect_pass *pass,
                        uint32_t reg, fx_notes *notes)
{
    for (uint32_t i = 0; i < pass->state_count; i++) {
        const iri_effect_state *state = &pass->states[i];
        if (state->index != reg)
            continue;
        if (state->class_ == IRI_EFFECT_SAMPLER_OBJECT &&
            state->parameter < effect->parameter_count)
            gather_value(g, effect, &effect->parameters[state->parameter].value, notes);
        else
            gather_state(g, effect, state, notes);
    }
}

static void print_descriptor(cli_json *json, const iri_sampler *s)
{
    static const char *const modes[] = {"repeat", "mirror-repeat", "clamp-to-edge", "clamp-to-edge",
                                        "mirror-repeat"};
    static const char *const keys[] = {"addressModeU", "addressModeV", "addressModeW"};
    bool linear = s->mag_filter == IRI_FILTER_LINEAR && s->min_filter == IRI_FILTER_LINEAR &&
                  s->mip_filter == IRI_MIP_LINEAR;
    json_open(json, "descriptor", '{');
    for (uint32_t i = 0; i < 3; i++)
        json_string(json, keys[i], modes[s->address[i]]);
    json_string(json, "magFilter", s->mag_filter == IRI_FILTER_LINEAR ? "linear" : "nearest");
    json_string(json, "minFilter", s->min_filter == IRI_FILTER_LINEAR ? "linear" : "nearest");
    json_string(json, "mipmapFilter", s->mip_filter == IRI_MIP_LINEAR ? "linear" : "nearest");
    if (s->min_lod > 0)
        json_real(json, "lodMinClamp", (double)s->min_lod);
    if (s->mip_filter == IRI_MIP_NONE) /* level 0 alone, with both filters: iridia/sampler.h */
        json_real(json, "lodMaxClamp", 0.25);
    else if (s->min_lod > 32) /* WebGPU's default maximum, which may not be below the minimum */
        json_real(json, "lodMaxClamp", (double)s->min_lod);
    if (s->max_anisotropy > 1 && linear)
        json_number(json, "maxAnisotropy", s->max_anisotropy);
    json_close(json, '}');
}

static void print_sampler(cli_json *json, const gathered *g, const iri_resource *r, fx_notes *notes)
{
    iri_sampler sampler = {0};
    iri_refusal why;
    uint32_t unsaid = 0;
    if (iri_sampler_states(g->states, g->count, &sampler, &unsaid, &why) != IRI_OK)
        fx_note(notes, "sampler", IRI_NO_OFFSET,
                cli_printf("%s has Direct3D's defaults: %s", r->name ? r->name : "a sampler",
                           why.reason));
    json_string(json, "texture", g->texture);
    print_descriptor(json, &sampler);
    json_open(json, "notes", '[');
    for (uint32_t i = 0; i < IRI_SAMPLER_NOTE_COUNT; i++)
        if (unsaid >> i & 1) {
            json_open(json, NULL, '{');
            json_string(json, "kind", iri_sampler_note_name((iri_sampler_note)i));
            json_string(json, "text", iri_sampler_note_meaning((iri_sampler_note)i));
            json_close(json, '}');
        }
    json_close(json, ']');
}

void fx_samplers_print(cli_json *json, const iri_effect *effect, const iri_effect_pass *pass,
                       const iri_program *program, const iri_wgsl_map *map, fx_notes *notes)
{
    enum { RESOURCE = 0 };
    const iri_interface *io = iri_program_interface(program);
    bool pixel = iri_program_stage(program) == IRI_STAGE_PIXEL;
    for (size_t i = 0; i < map->name_count; i++) {
        const iri_emitted_name *name = &map->names[i];
        if (name->kind != RESOURCE || name->binding < 0 ||
            io->resources[name->index].kind != IRI_RESOURCE_SAMPLER)
            continue;
        const iri_resource *r = &io->resources[name->index];
        gathered g = {0};
        gather_value(&g, effect, r->name ? iri_effect_find(effect, r->name) : NULL, notes);
        if (pixel)
            gather_pass(&g, effect, pass, r->reg, notes);
        json_open(json, NULL, '{');
        json_string(json, "visibility", pixel ? "fragment" : "vertex");
        json_number(json, "group", name->group);
        json_number(json, "binding", name->binding);
        json_string(json, "name", r->name);
        print_sampler(json, &g, r, notes);
        json_close(json, '}');
        free(g.states);
    }
}
