/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia wgsl`: one shader to one WGSL module.
 */
#include "manifest.h"
#include <stdlib.h>

static const char *output, *entry, *linked_pixel, *manifest, *lines;
static bool as_json, no_header, quiet;

static const cli_option options[] = {
    {"-o", "FILE", CLI_STRING, &output, "write there instead of to standard output"},
    {"--json", NULL, CLI_FLAG, &as_json,
     "print the text, names, bindings and notes as JSON (docs/json.md)"},
    {"--manifest", "FILE", CLI_STRING, &manifest,
     "write there what a pipeline needs to know of the module, as JSON (docs/json.md)"},
    {"--map", "FILE", CLI_STRING, &lines,
     "write there which lines come from which bytes and lines of the listing, as JSON"},
    {"--entry", "NAME", CLI_STRING, &entry, "the entry point's name (main)"},
    {"--linked-pixel", "FILE", CLI_STRING, &linked_pixel,
     "a vertex shader's outputs at the locations of this pixel shader"},
    {"--no-header", NULL, CLI_FLAG, &no_header,
     "leave out the comment that says where it came from"},
    {"--quiet", NULL, CLI_FLAG, &quiet, "print no notes on stderr"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char teach[] =
    "Translates a compiled shader to a WGSL module with one entry point. What was approximated is\n"
    "printed as notes on stderr; what cannot be said exactly is refused with its byte offset.\n\n"
    "examples:\n"
    "  iridia wgsl water.pso -o water.wgsl\n"
    "  iridia wgsl leaf.pso --state alpha_func=greater --state alpha_ref=0.5\n"
    "  iridia wgsl leaf.pso --state alpha_func=greater --state alpha_ref=override\n"
    "  iridia wgsl water.vso --linked-pixel water.pso -o water_vs.wgsl\n"
    "  iridia wgsl fxaa.pso --json | jq '.names[] | {source, emitted, group, binding}'\n\n"
    "Resources get group 0 (constants), 1 (textures), 2 (samplers) and their register as\n"
    "binding, a pixel shader's 64 more (--pixel-offset), so that it shares a pipeline with a\n"
    "vertex shader.\n\n"
    "State that the bytecode does not hold (alpha test, fog, ...) is Direct3D's default unless\n"
    "--state gives it: as a number or word it is folded in, 'override' makes it a pipeline\n"
    "constant, 'uniform' a member of a buffer.\n";

static void print_features(cli_json *json, uint32_t bits)
{
    uint32_t bit;
    const char *name;
    json_open(json, "features", '[');
    for (size_t i = 0; (name = cli_feature(i, &bit)); i++)
        if (bits & bit)
            json_string(json, NULL, name);
    json_close(json, ']');
}

static bool write_json(const iri_text *text, const iri_wgsl_map *map, const cli_notes *notes)
{
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_number(&json, "schema", 1);
    json_string(&json, "wgsl", text->data);
    print_features(&json, map->features_needed);
    json_names(&json, map->names, map->name_count, false);
    json_notes(&json, notes);
    json_close(&json, '}');
    return json_finish(&json, output);
}

static bool translate(const iri_program *program, const cli_bytes *bytes, const char *path)
{
    iri_text text;
    iri_wgsl_map map;
    iri_refusal why;
    if (iri_write_wgsl(program, &cli_target_given.options, &text, &map, &why) != IRI_OK)
        return cli_refused(&why, path) == CLI_OK;
    cli_notes notes = cli_collect_notes(program, map.notes, map.note_count);
    const manifest_stage stage = {program, &map, entry, output};
    bool ok = as_json ? write_json(&text, &map, &notes) : cli_write(output, text.data, text.size);
    ok = ok && (!manifest || manifest_write(&stage, manifest));
    if (ok && lines) {
        cli_listing *listing = cli_listing_read(path, bytes);
        ok = map_write(&map, listing, output, lines);
        cli_listing_free(listing);
    }
    if (ok && !as_json && !quiet)
        cli_print_notes(path, &notes);
    free(notes.items);
    iri_text_free(&text);
    iri_wgsl_map_free(&map);
    return ok;
}

int cli_wgsl(int argc, char **argv)
{
    const cli_option *const groups[] = {
        options, cli_at_options, cli_lift_options, cli_target_options, cli_layout_options, NULL};
    const char *path;
    int code;
    if (!cli_begin("wgsl", teach, groups, argc, argv, &path, &code))
        return code;
    if (!cli_target_finish("wgsl", &cli_target_given))
        return CLI_USAGE;
    cli_target_given.options.entry_name = entry;
    cli_target_given.options.no_header = no_header;
    cli_target_given.options.lines = lines != NULL;
    cli_bytes bytes;
    iri_program *program = cli_open_keeping(path, cli_at, NULL, &bytes);
    if (!program)
        return CLI_REFUSED;
    iri_program *pixel = linked_pixel ? cli_open(linked_pixel, 0, NULL) : NULL;
    cli_target_given.options.linked_pixel = pixel;
    bool ok = (pixel || !linked_pixel) && translate(program, &bytes, path);
    iri_program_free(pixel);
    iri_program_free(program);
    free(bytes.data);
    return ok ? CLI_OK : CLI_REFUSED;
}
