/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia spirv`: one shader to one SPIR-V module for Vulkan.
 */
#include "cli.h"
#include <stdlib.h>
#include <string.h>

static const char *output, *profile, *demote, *entry, *linked_pixel;
static bool as_json, quiet, no_names, semantics;

static const cli_option options[] = {
    {"-o", "FILE", CLI_STRING, &output, "write there instead of to standard output"},
    {"--profile", "NAME", CLI_STRING, &profile,
     "vulkan1.1 (SPIR-V 1.3, the default) or vulkan1.3 (SPIR-V 1.6)"},
    {"--demote", "WORD", CLI_STRING, &demote,
     "what texkill becomes: auto (default, by the profile), instruction or flag"},
    {"--entry", "NAME", CLI_STRING, &entry, "the entry point's name (main)"},
    {"--linked-pixel", "FILE", CLI_STRING, &linked_pixel,
     "a vertex shader's outputs at the locations of this pixel shader"},
    {"--no-names", NULL, CLI_FLAG, &no_names, "leave out debug names"},
    {"--semantics", NULL, CLI_FLAG, &semantics,
     "decorate inputs and outputs with Direct3D's semantics"},
    {"--json", NULL, CLI_FLAG, &as_json,
     "print the words, names, bindings and notes as JSON (docs/json.md)"},
    {"--quiet", NULL, CLI_FLAG, &quiet, "print no notes on stderr"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char teach[] =
    "Translates a compiled shader to a SPIR-V module. Descriptor sets are 0 (constants), 1\n"
    "(textures), 2 (samplers), the register is the binding, 64 more for a pixel shader\n"
    "(--pixel-offset). Positions are Direct3D's: draw with a viewport of negative height.\n\n"
    "examples:\n"
    "  iridia spirv water.pso -o water.spv\n"
    "  iridia spirv water.pso --profile vulkan1.3 | spirv-dis\n";

static bool read_words(iri_spirv_options *o)
{
    static const char *const ways[] = {"auto", "instruction", "flag"};
    bool found = !demote;
    if (!cli_find_profile("spirv", profile, true, &o->profile))
        return false;
    for (int i = 0; demote && i < 3; i++) {
        if (!strcmp(demote, ways[i])) {
            o->demote = (iri_spirv_demote)i;
            found = true;
        }
    }
    if (!found)
        return cli_usage("spirv", "--demote takes auto, instruction or flag, not '%s'", demote) ==
               CLI_OK;
    cli_layout_finish(&cli_layout_given);
    o->raw_constants = cli_layout_given.raw_constants;
    o->bindings = cli_layout_given.plan;
    o->no_names = no_names;
    o->semantics = semantics;
    o->entry_name = entry;
    return true;
}

static bool write_json(const iri_text *text, const iri_spirv_map *map, const cli_notes *notes)
{
    cli_json json = {0};
    size_t words = text->size / 4;
    uint32_t *list = cli_alloc((words + 1) * sizeof *list);
    for (size_t i = 0; i < text->size; i++)
        list[i / 4] |= (uint32_t)(unsigned char)text->data[i] << 8 * (i % 4);
    json_open(&json, NULL, '{');
    json_number(&json, "schema", 1);
    json_words(&json, "spirv", list, words);
    json_names(&json, map->names, map->name_count, true);
    json_notes(&json, notes);
    json_close(&json, '}');
    free(list);
    return json_finish(&json, output);
}

static bool translate(const iri_program *program, const iri_spirv_options *how, const char *path)
{
    iri_text text;
    iri_spirv_map map;
    iri_refusal why;
    if (iri_write_spirv(program, how, &text, &map, &why) != IRI_OK)
        return cli_refused(&why, path) == CLI_OK;
    cli_notes notes = cli_collect_notes(program, map.notes, map.note_count);
    bool ok = as_json ? write_json(&text, &map, &notes) : cli_write(output, text.data, text.size);
    if (ok && !as_json && !quiet)
        cli_print_notes(path, &notes);
    free(notes.items);
    iri_text_free(&text);
    iri_spirv_map_free(&map);
    return ok;
}

int cli_spirv(int argc, char **argv)
{
    const cli_option *const groups[] = {options, cli_at_options, cli_lift_options,
                                        cli_layout_options, NULL};
    iri_spirv_options how = {.size = sizeof how};
    const char *path;
    int code;
    if (!cli_begin("spirv", teach, groups, argc, argv, &path, &code))
        return code;
    if (!read_words(&how))
        return CLI_USAGE;
    iri_program *program = cli_open(path, cli_at, NULL);
    if (!program)
        return CLI_REFUSED;
    iri_program *pixel = linked_pixel ? cli_open(linked_pixel, 0, NULL) : NULL;
    how.linked_pixel = pixel;
    bool ok = (pixel || !linked_pixel) && translate(program, &how, path);
    iri_program_free(pixel);
    iri_program_free(program);
    return ok ? CLI_OK : CLI_REFUSED;
}
