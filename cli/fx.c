/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia fx`: what is in an effect file; its shaders as files.
 */
#include "fx.h"
#include <stdlib.h>
#include <string.h>

static const char *extract, *preshaders, *output, *to, *out;
static bool as_json;

static const cli_option options[] = {
    {"--json", NULL, CLI_FLAG, &as_json, "print it as JSON (docs/json.md)"},
    {"--extract", "DIR", CLI_STRING, &extract, "write each shader inside to a file of DIR"},
    {"--preshaders", "LANGUAGE", CLI_STRING, &preshaders,
     "write preshaders and expressions as functions: js, c or wgsl"},
    {"-o", "FILE", CLI_STRING, &output, "write them to FILE, not to standard output"},
    {"--to", "wgsl", CLI_STRING, &to,
     "write each pass as WGSL modules that fit each other, and a manifest"},
    {"--out", "DIR", CLI_STRING, &out, "the directory for them: manifest.json and the modules"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char teach[] =
    "Lists a compiled effect: Direct3D 9's (fx_2_0), bare or as XNA wraps it, or MonoGame's (MGFX), also\n"
    "inside a content file (XNB), plain or compressed: parameters with their\n"
    "types, defaults and annotations, samplers, techniques, passes with every state, and the\n"
    "shaders inside. An extracted shader is a file like any other: `iridia wgsl` takes it.\n"
    "Preshaders (what Direct3D works out of parameters before a shader runs), expressions of states\n"
    "and indexes of arrays become functions of their parameters.\n"
    "With --to wgsl each pass becomes a vertex and a fragment module, with what a WebGPU program\n"
    "needs for its pipeline in DIR/manifest.json (docs/json.md); a pass without a vertex shader\n"
    "gets a generated one that passes on what its pixel shader reads.\n\n"
    "examples:\n"
    "  iridia fx BasicEffect.fxb\n"
    "  iridia fx BasicEffect.fxb --extract shaders/\n"
    "  iridia fx BasicEffect.fxb --json | jq '.parameters[].name'\n"
    "  iridia fx BasicEffect.fxb --preshaders js -o basic.mjs\n"
    "  iridia fx BasicEffect.fxb --to wgsl --out basic/\n";

void fx_safe_name(char *name)
{
    for (char *at = name; *at; at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *at))
            *at = '_';
}

/* "NUMBER.TECHNIQUE.PASS.ps.d3d9", or .glsl and so on, with what no file system takes as '_'. */
static char *file_name(const iri_effect *effect, uint32_t index)
{
    const iri_effect_shader *s = &effect->shaders[index];
    const char *stage = s->stage == IRI_STAGE_VERTEX ? "vs" : "ps";
    const char *code = iri_effect_code_name((iri_effect_code)s->code);
    char *name;
    if (s->technique != UINT32_MAX) {
        const iri_effect_technique *t = &effect->techniques[s->technique];
        name = cli_printf("%03u.%s.%s.%s.%s", index, t->name, t->passes[s->pass].name, stage, code);
    } else if (s->parameter != UINT32_MAX) {
        name = cli_printf("%03u.%s.%s.%s", index, effect->parameters[s->parameter].value.name,
                          stage, code);
    } else {
        name = cli_printf("%03u.%s.%s", index, stage, code);
    }
    fx_safe_name(name);
    return name;
}

static bool extract_shaders(const iri_effect *effect)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < effect->shader_count; i++) {
        const iri_effect_shader *s = &effect->shaders[i];
        char *name = file_name(effect, i), *path = cli_printf("%s/%s", extract, name);
        const char *problem = NULL;
        if (!cli_make_parents(path)) {
            cli_say(path, "cannot make its folder");
            ok = false;
        } else if (!cli_write_quietly(path, s->data, s->size, &problem)) {
            cli_say(path, problem);
            ok = false;
        } else if (!as_json) {
            char *shown = cli_shown(s->path);
            printf("%s  %s\n", path, shown);
            free(shown);
        }
        free(path);
        free(name);
    }
    return ok;
}

int cli_fx(int argc, char **argv)
{
    const cli_option *const groups[] = {options, NULL};
    cli_list operands = {0};
    int code;
    cli_bytes bytes;
    iri_effect *effect;
    iri_refusal why;
    iri_preshader_language language = IRI_PRESHADER_JAVASCRIPT;
    bool parsed = cli_parse("fx", "[OPTION ...] FILE", teach, groups, argc, argv, &operands, &code);
    const char *path = parsed && operands.count == 1 ? operands.items[0] : NULL;
    if (path)
        code = CLI_OK;
    else if (parsed)
        code = cli_usage("fx", operands.count ? "takes one FILE" : "no FILE given");
    if (path && extract && !*extract)
        code = cli_usage("fx", "--extract takes a directory");
    if (path && preshaders && (extract || as_json))
        code = cli_usage("fx", "--preshaders goes with neither --extract nor --json");
    if (path && preshaders && !fx_preshader_language(preshaders, &language))
        code = cli_usage("fx", "--preshaders takes js, c or wgsl, not '%s'", preshaders);
    if (path && output && !preshaders)
        code = cli_usage("fx", "-o goes with --preshaders");
    if (path && to && strcmp(to, "wgsl") != 0)
        code = cli_usage("fx", "--to takes wgsl, not '%s'", to);
    if (path && (!to != !out || (out && !*out)))
        code = cli_usage("fx", "--to wgsl and --out DIR go together");
    if (path && to && (extract || preshaders || as_json))
        code = cli_usage("fx", "--to goes with none of --extract, --preshaders and --json");
    free(operands.items);
    if (!path || code != CLI_OK)
        return code;
    if (!cli_read_or_say(path, &bytes))
        return CLI_REFUSED;
    if (iri_effect_read(bytes.data, bytes.size, NULL, &effect, &why) != IRI_OK) {
        free(bytes.data);
        return cli_refused(&why, path);
    }
    bool ok = !extract || extract_shaders(effect);
    if (to)
        ok = fx_link(effect, path, out);
    else if (ok && preshaders)
        ok = fx_preshaders(effect, path, language, false, output);
    else if (ok && as_json)
        ok = fx_json(effect, NULL);
    else if (ok && !extract)
        fx_list(effect);
    iri_effect_free(effect);
    free(bytes.data);
    return ok ? CLI_OK : CLI_REFUSED;
}
