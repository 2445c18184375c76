/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The states of a pass as a WebGPU pipeline and the lifted programs have them.
 */
#ifndef IRI_CLI_FX_STATES_H
#define IRI_CLI_FX_STATES_H

#include "fx.h"

/* Notes of a pass, texts owned. */
typedef struct fx_notes {
    iri_note *items;
    size_t count;
} fx_notes;
/* Takes ownership of `text`. */
void fx_note(fx_notes *notes, const char *kind, uint32_t offset, char *text);
void fx_notes_print(cli_json *json, const fx_notes *notes);
void fx_notes_free(fx_notes *notes);

enum { FX_RENDER_STATES = 256, FX_LIFT_STATES = 8 };

/* Render states by their Direct3D number: Direct3D's defaults, and what the pass sets. */
typedef struct fx_states {
    uint32_t values[FX_RENDER_STATES];
    bool set[FX_RENDER_STATES];
    iri_state_entry entries[FX_LIFT_STATES]; /* of those, what the programs take in */
    uint32_t entry_count;
} fx_states;

/* Works a pass's states out with the parameters' default values, with notes for what no descriptor says. */
void fx_states_of(const iri_effect *effect, const iri_effect_pass *pass, fx_states *out,
                  fx_notes *notes);
/* "primitive", "depthStencil", and where there are any the "targets" of a pixel program (NULL: none), then
 * what is set on the encoder. */
void fx_states_print(cli_json *json, const fx_states *states, const iri_program *pixel);

/* fx_samplers.c: "samplers": a descriptor for each of a program's samplers, by the parameter of its name and
 * the pass's own states. */
void fx_samplers_print(cli_json *json, const iri_effect *effect, const iri_effect_pass *pass,
                       const iri_program *program, const iri_wgsl_map *map, fx_notes *notes);

#endif
