/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia fx --preshaders`: what an effect computes of its parameters, as functions. A shader's is called
 * shader_NUMBER, as `--extract` numbers them; an expression's state_TECHNIQUE_PASS_STATE.
 */
#include "fx.h"
#include <stdlib.h>
#include <string.h>

bool fx_preshader_language(const char *name, iri_preshader_language *language)
{
    static const char *const names[] = {"c", "js", "wgsl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name)) {
            *language = (iri_preshader_language)i;
            return true;
        }
    return false;
}

typedef struct collection {
    const char *path;
    bool single, lenient;
    iri_preshader_function *functions;
    char **names, **about;
    size_t count;
} collection;

/* Takes ownership of `name` and `about`. */
static bool add(collection *c, const uint8_t *data, uint32_t size, uint32_t offset, char *name,
                char *about)
{
    iri_program *program;
    iri_refusal why = {0};
    const iri_preshader_options *options =
        IRI_PRESHADER_OPTIONS(.base = offset, .path = about, .single = c->single);
    if (iri_preshader_lift(data, size, options, &program, &why) != IRI_OK || !program) {
        bool none = c->lenient || why.status == IRI_OK;
        if (!none)
            cli_refused(&why, c->path);
        free(name);
        free(about);
        return none;
    }
    c->functions = cli_realloc(c->functions, (c->count + 1) * sizeof *c->functions);
    c->names = cli_realloc(c->names, (c->count + 1) * sizeof *c->names);
    c->about = cli_realloc(c->about, (c->count + 1) * sizeof *c->about);
    c->names[c->count] = name;
    c->about[c->count] = about;
    c->functions[c->count++] = (iri_preshader_function){name, program, about};
    return true;
}

static bool add_pass(collection *c, const iri_effect *effect, uint32_t t, uint32_t p)
{
    const iri_effect_technique *technique = &effect->techniques[t];
    const iri_effect_pass *pass = &technique->passes[p];
    bool ok = true;
    for (uint32_t s = 0; ok && s < pass->state_count; s++) {
        const iri_effect_state *state = &pass->states[s];
        if (state->expression)
            ok = add(
                c, state->expression, state->expression_size, state->expression_offset,
                cli_printf("state_%u_%u_%u", (unsigned)t, (unsigned)p, (unsigned)s),
                cli_printf("technique %s/pass %s/%s", technique->name, pass->name, state->name));
    }
    return ok;
}

bool fx_preshaders(const iri_effect *effect, const char *path, iri_preshader_language language,
                   bool lenient, const char *output)
{
    collection c = {.path = path, .single = language == IRI_PRESHADER_WGSL, .lenient = lenient};
    iri_refusal why;
    iri_text text;
    bool ok = true;
    for (uint32_t i = 0; ok && i < effect->shader_count; i++) {
        const iri_effect_shader *s = &effect->shaders[i];
        if (s->code != IRI_EFFECT_D3D9)
            continue; /* only Direct3D 9's have one */
        ok = add(&c, s->data, s->size, s->offset, cli_printf("shader_%03u", (unsigned)i),
                 cli_printf("%s", s->path));
    }
    for (uint32_t t = 0; ok && t < effect->technique_count; t++)
        for (uint32_t p = 0; ok && p < effect->techniques[t].pass_count; p++)
            ok = add_pass(&c, effect, t, p);
    if (ok && iri_write_preshaders(c.functions, c.count, language, &text, &why) != IRI_OK) {
        cli_refused(&why, path);
        ok = false;
    } else if (ok) {
        ok = cli_write(output, text.data, text.size);
        iri_text_free(&text);
    }
    for (size_t i = 0; i < c.count; i++) {
        iri_program_free((iri_program *)c.functions[i].program);
        free(c.names[i]);
        free(c.about[i]);
    }
    free(c.functions);
    free(c.names);
    free(c.about);
    return ok;
}
