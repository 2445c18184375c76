/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia spirv`: one shader to one SPIR-V module for Vulkan.
 */
#include "cli.h"
#include <stdlib.h>
#include <string.h>

static const char *output, *profile, *demote, *entry;
static bool as_json, quiet, raw_constants, no_names, semantics, no_pixel_offset;
static uint32_t pixel_offset;

static const cli_option options[] = {
    {"-o", "FILE", CLI_STRING, &output, "write there instead of to standard output"},
    {"--profile", "WORD", CLI_STRING, &profile,
     "vulkan1.1 (SPIR-V 1.3, the default) or vulkan1.3 (SPIR-V 1.6)"},
    {"--demote", "WORD", CLI_STRING, &demote,
     "texkill as an instruction, a flag, or auto: as the profile has it"},
    {"--entry", "NAME", CLI_STRING, &entry, "the entry point's name (main)"},
    {"--raw-constants", NULL, CLI_FLAG, &raw_constants,
     "constants as rows, never as named members"},
    {"--no-names", NULL, CLI_FLAG, &no_names, "leave out debug names"},
    {"--semantics", NULL, CLI_FLAG, &semantics,
     "decorate inputs and outputs with Direct3D's semantics"},
    {"--pixel-offset", "N", CLI_NUMBER, &pixel_offset, "added to a pixel shader's bindings (64)"},
    {"--no-pixel-offset", NULL, CLI_FLAG, &no_pixel_offset, "add nothing"},
    {"--json", NULL, CLI_FLAG, &as_json, "print names, bindings, notes and the words as JSON"},
    {"--quiet", NULL, CLI_FLAG, &quiet, "print no notes on stderr"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char teach[] =
    "Translates a compiled shader to a SPIR-V module. Descriptor sets are 0 (constants), 1 (textures),\n"
    "2 (samplers), the register is the binding, 64 more for a pixel shader. Positions are Direct3D's: draw\n"
    "with a viewport of negative height.\n\n"
    "examples:\n"
    "  iridia spirv water.pso -o water.spv\n"
    "  iridia spirv water.pso --profile vulkan1.3 | spirv-dis\n";

static bool read_words(iri_spirv_options *o)
{
    static const char *const ways[] = {"auto", "instruction", "flag"};
    if (profile && !strcmp(profile, "vulkan1.3"))
        o->profile = IRI_PROFILE_VULKAN_1_3;
    else if (profile && strcmp(profile, "vulkan1.1") != 0)
        return cli_usage("spirv", "'%s' is no profile: vulkan1.1 or vulkan1.3", profile) == CLI_OK;
    for (int i = 0; demote && i < 3; i++) {
        if (!strcmp(demote, ways[i])) {
            o->demote = (iri_spirv_demote)i;
            demote = NULL;
        }
    }
    if (demote)
        return cli_usage("spirv", "'%s' is no way to demote: auto, instruction or flag", demote) ==
               CLI_OK;
    o->raw_constants = raw_constants;
    o->no_names = no_names;
    o->semantics = semantics;
    o->entry_name = entry;
    o->bindings.pixel_offset = no_pixel_offset ? IRI_NO_PIXEL_OFFSET : pixel_offset;
    return true;
}

static void print_names(cli_json *json, const iri_spirv_map *map)
{
    static const char *const kinds[] = {"resource", "input", "output", "member", "override"};
    json_open(json, "names", '[');
    for (size_t i = 0; i < map->name_count; i++) {
        const iri_emitted_name *n = &map->names[i];
        json_open(json, NULL, '{');
        json_string(json, "kind", kinds[n->kind]);
        json_number(json, "index", n->index);
        json_string(json, "source", n->source);
        json_string(json, "emitted", n->emitted);
        if (n->kind == 4) {
            json_number(json, "spec_id", n->binding);
        } else if (n->binding >= 0) {
            json_number(json, "group", n->group);
            json_number(json, "binding", n->binding);
        }
        if (n->location >= 0)
            json_number(json, "location", n->location);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void print_json(cli_json *json, const iri_text *text, const iri_program *p,
                       const iri_spirv_map *map)
{
    size_t count = iri_note_count(p) + map->note_count, at = 0, words = text->size / 4;
    uint32_t *list = cli_alloc((words + 1) * sizeof *list);
    const iri_note **notes = cli_alloc((count + 1) * sizeof *notes);
    for (size_t i = 0; i < text->size; i++)
        list[i / 4] |= (uint32_t)(unsigned char)text->data[i] << 8 * (i % 4);
    for (size_t i = 0; i < iri_note_count(p); i++)
        notes[at++] = iri_note_at(p, i);
    for (size_t i = 0; i < map->note_count; i++)
        notes[at++] = &map->notes[i];
    json_open(json, NULL, '{');
    json_number(json, "schema", 1);
    json_words(json, "spirv", list, words);
    print_names(json, map);
    json_notes(json, "notes", notes, count);
    json_close(json, '}');
    free(notes);
    free(list);
}

static void print_note(const char *path, const iri_note *note)
{
    if (note->offset == IRI_NO_OFFSET)
        fprintf(stderr, "%s: note: %s [%s]\n", path, note->text, note->kind);
    else
        fprintf(stderr, "%s:0x%x: note: %s [%s]\n", path, (unsigned)note->offset, note->text,
                note->kind);
}

static bool deliver(const char *path, const iri_text *text, const iri_program *p,
                    const iri_spirv_map *map)
{
    if (as_json) {
        cli_json json = {0};
        print_json(&json, text, p, map);
        return json_finish(&json, output);
    }
    if (!cli_write(output, text->data, text->size))
        return false;
    for (size_t i = 0; !quiet && i < iri_note_count(p); i++)
        print_note(path, iri_note_at(p, i));
    for (size_t i = 0; !quiet && i < map->note_count; i++)
        print_note(path, &map->notes[i]);
    return true;
}

int cli_spirv(int argc, char **argv)
{
    const cli_option *const groups[] = {options, cli_lift_options, NULL};
    iri_spirv_options how = {.size = sizeof how};
    cli_list operands = {0};
    int code;
    if (!cli_parse("spirv", "[OPTION ...] FILE", teach, groups, argc, argv, &operands, &code))
        return code;
    if (operands.count != 1)
        return cli_usage("spirv", operands.count ? "one FILE at a time" : "which FILE?");
    if (!cli_lift_finish(&cli_lift_given) || !read_words(&how))
        return CLI_USAGE;
    const char *path = operands.items[0];
    cli_bytes bytes = {0};
    iri_program *program = cli_open(path, &cli_lift_given.options, &bytes);
    if (!program) {
        free(bytes.data);
        return CLI_REFUSED;
    }
    iri_text text;
    iri_spirv_map map;
    iri_refusal why;
    bool ok = iri_write_spirv(program, &how, &text, &map, &why) == IRI_OK;
    if (ok) {
        ok = deliver(path, &text, program, &map);
        iri_text_free(&text);
        iri_spirv_map_free(&map);
    } else {
        cli_refused(&why, path);
    }
    iri_program_free(program);
    free(bytes.data);
    return ok ? CLI_OK : CLI_REFUSED;
}
