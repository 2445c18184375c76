/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia text`: a program in iridia's text form, as read or after passes.
 */
#include "cli.h"
#include <stdlib.h>

static const char *output;
static bool raw, no_offsets;
static cli_list passes;

static const cli_option options[] = {
    {"-o", "FILE", CLI_STRING, &output, "write there instead of to standard output"},
    {"--raw", NULL, CLI_FLAG, &raw, "as the reader made it, before any pass"},
    {"--pass", "NAME", CLI_LIST, &passes, "run this pass, in the order given (repeatable)"},
    {"--no-offsets", NULL, CLI_FLAG, &no_offsets, "leave out the source byte offsets"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char teach[] =
    "Prints a shader in iridia's text form: stable, for diffs and tests, and readable back by\n"
    "every command.\n\n"
    "examples:\n"
    "  iridia text water.pso\n"
    "  iridia text water.pso --raw\n"
    "  iridia text edited.iri --pass fold --pass dce\n"
    "  iridia text water.pso | sed s/mul.zero/mul/ | iridia wgsl -\n\n"
    "passes:\n";

/* The names of the passes after `teach`, so that help lists what there is. */
static char *teach_with_passes(void)
{
    char *text = cli_printf("%s", teach);
    for (int i = 1; i < IRI_PASS_COUNT; i++) {
        char *longer = cli_printf("%s  %-13s %s\n", text, iri_pass_name((iri_pass_id)i),
                                  iri_pass_meaning((iri_pass_id)i));
        free(text);
        text = longer;
    }
    return text;
}

static iri_program *run_passes(iri_program *program, const char *path)
{
    for (size_t i = 0; i < passes.count; i++) {
        iri_program *next;
        iri_refusal why;
        const iri_pass_options *pass_options =
            IRI_PASS_OPTIONS(.state = cli_lift_given.options.state,
                             .uninitialized_zero =
                                 cli_lift_given.options.uninitialized == IRI_UNINITIALIZED_ZERO);
        iri_status status = iri_pass_apply(program, iri_pass_by_name(passes.items[i]), pass_options,
                                           &next, NULL, &why);
        iri_program_free(program);
        if (status != IRI_OK) {
            cli_refused(&why, path);
            return NULL;
        }
        program = next;
    }
    return program;
}

int cli_text(int argc, char **argv)
{
    const cli_option *const groups[] = {options, cli_at_options, cli_lift_options, NULL};
    const char *path;
    int code;
    char *teaching = teach_with_passes();
    bool parsed = cli_begin("text", teaching, groups, argc, argv, &path, &code);
    free(teaching);
    if (!parsed)
        return code;
    for (size_t i = 0; i < passes.count; i++)
        if (iri_pass_by_name(passes.items[i]) == IRI_PASS_NONE)
            return cli_usage("text", "no pass '%s'", passes.items[i]);
    cli_lift_given.options.raw = raw;
    iri_program *program = cli_open(path, cli_at, NULL);
    if (program)
        program = run_passes(program, path);
    if (!program)
        return CLI_REFUSED;
    iri_text text;
    iri_refusal why;
    bool ok =
        iri_print_text(program, IRI_TEXT_OPTIONS(.no_offsets = no_offsets), &text, &why) == IRI_OK;
    if (ok) {
        ok = cli_write(output, text.data, text.size);
        iri_text_free(&text);
    } else {
        cli_refused(&why, path);
    }
    iri_program_free(program);
    return ok ? CLI_OK : CLI_REFUSED;
}
