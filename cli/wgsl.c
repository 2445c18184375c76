/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia wgsl`: one shader to one WGSL module.
 */
#include "cli.h"
#include <stdlib.h>

static const char *output;
static const char *entry;
static bool as_json, no_header, quiet;

static const cli_option options[] = {
    {"-o", "FILE", CLI_STRING, &output, "write there instead of to standard output"},
    {"--json", NULL, CLI_FLAG, &as_json, "print the text, names, bindings and notes as JSON"},
    {"--entry", "NAME", CLI_STRING, &entry, "the entry point's name (main)"},
    {"--no-header", NULL, CLI_FLAG, &no_header, "leave out the comment that says where it came from"},
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
    "  iridia wgsl fxaa.pso --json | jq .bindings\n\n"
    "Resources get group 0 (constants), 1 (textures), 2 (samplers) and their register as binding, a pixel\n"
    "shader's 64 more, so that it shares a pipeline with a vertex shader.\n";

static void print_json(cli_json *json, const iri_text *text, const iri_program *p, const iri_wgsl_map *map)
{
    static const char *const kinds[] = {"resource", "input", "output", "member", "override"};
    json_open(json, NULL, '{');
    json_number(json, "schema", 1);
    json_string(json, "wgsl", text->data);
    json_open(json, "names", '[');
    for (size_t i = 0; i < map->name_count; i++) {
        const iri_emitted_name *n = &map->names[i];
        json_open(json, NULL, '{');
        json_string(json, "kind", kinds[n->kind]);
        json_number(json, "index", n->index);
        json_string(json, "source", n->source);
        json_string(json, "emitted", n->emitted);
        if (n->binding >= 0) {
            json_number(json, "group", n->group);
            json_number(json, "binding", n->binding);
        }
        if (n->location >= 0)
            json_number(json, "location", n->location);
        json_close(json, '}');
    }
    json_close(json, ']');
    size_t count = iri_note_count(p) + map->note_count, at = 0;
    const iri_note **notes = cli_alloc((count + 1) * sizeof *notes);
    for (size_t i = 0; i < iri_note_count(p); i++)
        notes[at++] = iri_note_at(p, i);
    for (size_t i = 0; i < map->note_count; i++)
        notes[at++] = &map->notes[i];
    json_notes(json, "notes", notes, count);
    json_close(json, '}');
    free(notes);
}

static void print_note(const char *path, const iri_note *note)
{
    if (note->offset == IRI_NO_OFFSET)
        fprintf(stderr, "%s: note: %s [%s]\n", path, note->text, note->kind);
    else
        fprintf(stderr, "%s:0x%x: note: %s [%s]\n", path, (unsigned)note->offset, note->text, note->kind);
}

static void print_notes(const char *path, const iri_program *p, const iri_wgsl_map *map)
{
    for (size_t i = 0; i < iri_note_count(p); i++)
        print_note(path, iri_note_at(p, i));
    for (size_t i = 0; i < map->note_count; i++)
        print_note(path, &map->notes[i]);
}

int cli_wgsl(int argc, char **argv)
{
    const cli_option *const groups[] = {options, cli_lift_options, cli_target_options, NULL};
    cli_list operands = {0};
    int code;
    if (!cli_parse("wgsl", "[OPTION ...] FILE", teach, groups, argc, argv, &operands, &code))
        return code;
    if (operands.count != 1)
        return cli_usage("wgsl", operands.count ? "one FILE at a time (iridia batch takes many)" : "which FILE?");
    if (!cli_lift_finish(&cli_lift_given) || !cli_target_finish(&cli_target_given))
        return CLI_USAGE;
    cli_target_given.options.entry_name = entry;
    cli_target_given.options.no_header = no_header;

    const char *path = operands.items[0];
    cli_bytes bytes = {0};
    iri_program *program = cli_open(path, &cli_lift_given.options, &bytes);
    if (!program) {
        free(bytes.data);
        return CLI_REFUSED;
    }
    iri_text text;
    iri_wgsl_map map;
    iri_refusal why;
    bool ok = iri_write_wgsl(program, &cli_target_given.options, &text, &map, &why) == IRI_OK;
    if (!ok) {
        cli_refused(&why, path);
    } else {
        if (as_json) {
            cli_json json = {0};
            print_json(&json, &text, program, &map);
            ok = json_finish(&json, output);
        } else {
            ok = cli_write(output, text.data, text.size);
            if (ok && !quiet)
                print_notes(path, program, &map);
        }
        iri_text_free(&text);
        iri_wgsl_map_free(&map);
    }
    iri_program_free(program);
    free(bytes.data);
    return ok ? CLI_OK : CLI_REFUSED;
}
