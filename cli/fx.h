/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of `iridia fx` share.
 */
#ifndef IRI_CLI_FX_H
#define IRI_CLI_FX_H

#include "cli.h"

/* fx_list.c: the effect as effect source has it. */
void fx_list(const iri_effect *effect);
/* fx_json.c: the same as JSON (docs/json.md). */
bool fx_json(const iri_effect *effect, const char *path);

/* fx_preshaders.c: preshaders and expressions as functions of a language, to standard output or a file. One that is
 * refused is left out without a word (`lenient`), or the whole is. */
bool fx_preshaders(const iri_effect *effect, const char *path, iri_preshader_language language,
                   bool lenient, const char *output);
/* "js", "c", "wgsl". */
bool fx_preshader_language(const char *name, iri_preshader_language *language);

/* fx_link.c: each pass as WGSL modules that fit each other, with a manifest, in a directory. False (lines on
 * stderr) when a pass is refused or a file cannot be written. */
bool fx_link(const iri_effect *effect, const char *path, const char *directory);
/* What no file system takes becomes '_'. */
void fx_safe_name(char *name);

/* "float4x3", "sampler2D", "struct": how source says a value's type, without the array. The caller has
 * room for 32 characters. */
void fx_type_text(const iri_effect_value *v, char text[32]);
/* One number of a value. */
void fx_number_text(const iri_effect_value *v, uint32_t word, char text[32]);
/* "ps_3_0", "vs_2_0" by a token stream's first word, "shader" when it is none; of others "glsl" and so on. */
void fx_target_text(const iri_effect_shader *s, char text[16]);

/* fx_mgfx.c: what MGFX says beyond: constant buffers; samplers and attributes of each shader. */
void fx_list_mgfx(const iri_effect *effect);
void fx_json_mgfx_shader(cli_json *json, const iri_effect *effect, const iri_effect_shader *s);
void fx_json_mgfx_buffers(cli_json *json, const iri_effect *effect);
/* fx_json.c: the states of a pass or sampler, as the member "states". */
void fx_json_states(cli_json *json, const iri_effect *effect, const iri_effect_state *states,
                    uint32_t count);

#endif
