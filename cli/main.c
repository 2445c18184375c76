/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command `iridia`: picks the subcommand. Exit codes: 0 done, 1 refused or unreadable, 2 wrong
 * arguments.
 */
#include "cli.h"
#include <string.h>

static const cli_command commands[] = {
    {"wgsl", "translate a shader to WGSL", cli_wgsl},
    {"spirv", "translate a shader to SPIR-V", cli_spirv},
    {"glsl", "translate a shader to GLSL", cli_glsl},
    {"msl", "translate a shader to the Metal shading language", cli_msl},
    {"hlsl", "translate a shader to HLSL 5.0", cli_hlsl},
    {"info", "say what a shader is: interface, constants, provenance, notes", cli_info},
    {"text", "print a shader in iridia's text form", cli_text},
    {"fx", "list a compiled effect, take out its shaders", cli_fx},
    {"dis", "list a shader as Microsoft's disassembler does", cli_dis},
    {"asm", "assemble a shader from such a listing", cli_asm},
    {"scan", "find every shader inside any file", cli_scan},
    {"run", "run a shader on numbers: numbers, a trace or a picture out", cli_run},
    {"check", "validate a shader or a text program, list every problem", cli_check},
    {"batch", "translate a whole folder, in parallel", cli_batch},
};

static void print_help(FILE *out)
{
    fputs("iridia reads compiled Direct3D 9 shaders and writes them in other languages.\n\n"
          "usage: iridia COMMAND [OPTION ...] FILE\n\ncommands:\n",
          out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  %-6s  %s\n", commands[i].name, commands[i].summary);
    fputs("\nstart here:\n"
          "  iridia info water.pso                 what is in this file?\n"
          "  iridia wgsl water.pso -o water.wgsl   translate it\n"
          "  iridia batch dump/ --to wgsl --out wgsl/ --report report.json\n"
          "\nFILE may be - for standard input. `iridia COMMAND --help` explains a command and its\n"
          "options, `iridia help state` the pipeline state that can be given.\n"
          "Exit status: 0 done; 1 refused, unreadable or unwritable (one line on stderr); 2 wrong\n"
          "arguments.\n",
          out);
}

/* `iridia help state`: what --state may name. */
static void print_states(void)
{
    fputs(
        "Pipeline state that Direct3D 9 bytecode does not hold, for --state NAME=VALUE. VALUE is\n"
        "a number, or numbers with commas; 'override' (a pipeline constant) or 'uniform' (a\n"
        "member of the buffer State) leaves it to run time. Some have words: alpha_func=greater,\n"
        "fog_mode=linear, texture_type[0]=cube. What is needed and not given is Direct3D's\n"
        "default, with a note, or refused with --strict.\n\n",
        stdout);
    for (int id = IRI_STATE_NONE + 1; id < IRI_STATE_COUNT; id++) {
        const iri_state_info *info = iri_state_get_info((iri_state_id)id);
        char name[48];
        if (info->count > 1)
            snprintf(name, sizeof name, "%s[0..%u]", info->name, (unsigned)info->count - 1);
        else
            snprintf(name, sizeof name, "%s", info->name);
        printf("  %-24s  %s\n", name, info->meaning);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--version") || !strcmp(name, "version")) {
        uint32_t v = iri_version();
        printf("iridia %u.%u.%u\n", v >> 16, v >> 8 & 0xff, v & 0xff);
        return cli_end(CLI_OK);
    }
    bool help = !strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help");
    if (help && argc < 3) {
        print_help(stdout);
        return cli_end(CLI_OK);
    }
    if (help && !strcmp(argv[2], "state")) {
        print_states();
        return cli_end(CLI_OK);
    }
    char *help_arguments[] = {argv[0], "--help"};
    if (help)
        name = argv[2];
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!strcmp(name, commands[i].name))
            return cli_end(help ? commands[i].run(2, help_arguments)
                                : commands[i].run(argc - 1, argv + 1));
    }
    fprintf(stderr, "iridia: no command '%s'; see iridia --help\n", name);
    return CLI_USAGE;
}
