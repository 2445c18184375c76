/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia check`: every problem of a program, and whether a target can take it.
 */
#include "cli.h"
#include <stdlib.h>
#include <string.h>

static bool as_json, all_targets;

static const cli_option options[] = {
    {"--json", NULL, CLI_FLAG, &as_json, "print the result as JSON"},
    {"--all-targets", NULL, CLI_FLAG, &all_targets, "also ask every profile whether it can take the program"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char teach[] =
    "Says whether a shader is read whole and its program valid; for a text program, lists every problem.\n\n"
    "examples:\n"
    "  iridia check water.pso\n"
    "  iridia check edited.iri\n"
    "  iridia check water.pso --all-targets\n";

static const char *const profile_names[IRI_PROFILE_COUNT] = {"browser", "naga", "vulkan1.1", "vulkan1.3"};

static bool check_targets(const iri_program *program, const char *path, cli_json *json)
{
    bool ok = true;
    if (json)
        json_open(json, "targets", '[');
    for (int i = 0; i < IRI_PROFILE_COUNT; i++) {
        iri_text text;
        iri_refusal why;
        iri_profile profile = (iri_profile)i;
        bool vulkan = profile == IRI_PROFILE_VULKAN_1_1 || profile == IRI_PROFILE_VULKAN_1_3;
        iri_status status =
            vulkan ? iri_write_spirv(program, IRI_SPIRV_OPTIONS(.profile = profile), &text, NULL, &why)
                   : iri_write_wgsl(program, IRI_WGSL_OPTIONS(.profile = profile), &text, NULL, &why);
        bool taken = status == IRI_OK;
        ok = ok && taken;
        if (json) {
            json_open(json, NULL, '{');
            json_string(json, "profile", profile_names[i]);
            json_bool(json, "accepted", taken);
            if (!taken)
                json_refusal(json, "refusal", &why);
            json_close(json, '}');
        } else if (taken) {
            printf("%s: %s can take it\n", path, profile_names[i]);
        } else {
            char line[1024];
            iri_refusal_line(&why, path, line, sizeof line);
            puts(line);
        }
        if (taken)
            iri_text_free(&text);
    }
    if (json)
        json_close(json, ']');
    return ok;
}

static bool print_problems(const iri_problems *problems, const char *path, cli_json *json)
{
    if (json)
        json_open(json, "problems", '[');
    for (size_t i = 0; i < problems->count; i++) {
        const iri_problem *problem = &problems->items[i];
        if (json) {
            json_open(json, NULL, '{');
            json_number(json, "function", problem->function);
            if (problem->offset != IRI_NO_OFFSET)
                json_number(json, "offset", problem->offset);
            json_string(json, "text", problem->text);
            json_close(json, '}');
        } else if (problem->offset != IRI_NO_OFFSET) {
            printf("%s:0x%x: %s\n", path, (unsigned)problem->offset, problem->text);
        } else {
            printf("%s: %s\n", path, problem->text);
        }
    }
    if (json)
        json_close(json, ']');
    return problems->count == 0;
}

/* Text programs are parsed here and not lifted, so that the validator's whole list can be shown. */
static iri_program *open_unchecked(const char *path, cli_bytes *bytes, iri_refusal *why)
{
    iri_program *program = NULL;
    iri_format format = cli_lift_given.options.format;
    if (format == IRI_FORMAT_AUTO)
        format = iri_detect_format(bytes->data, bytes->size);
    (void)path;
    if (format == IRI_FORMAT_TEXT)
        iri_parse_text((const char *)bytes->data, bytes->size, NULL, &program, why);
    else
        iri_lift(bytes->data, bytes->size, &cli_lift_given.options, &program, NULL, why);
    return program;
}

static bool check_program(const iri_program *program, const char *path, cli_json *json)
{
    iri_problems problems = {0};
    iri_validate(program, IRI_CAN_ALL, &problems, NULL);
    bool ok = print_problems(&problems, path, json);
    iri_problems_free(&problems);
    if (ok && !json)
        printf("%s: valid\n", path);
    if (ok && all_targets)
        ok = check_targets(program, path, json);
    return ok;
}

int cli_check(int argc, char **argv)
{
    const cli_option *const groups[] = {options, cli_lift_options, NULL};
    cli_list operands = {0};
    int code;
    if (!cli_parse("check", "[OPTION ...] FILE", teach, groups, argc, argv, &operands, &code))
        return code;
    if (operands.count != 1)
        return cli_usage("check", operands.count ? "one FILE at a time" : "which FILE?");
    if (!cli_lift_finish(&cli_lift_given))
        return CLI_USAGE;

    const char *path = operands.items[0];
    cli_bytes bytes = {0};
    if (!cli_read_or_say(path, &bytes))
        return CLI_REFUSED;
    iri_refusal why;
    iri_program *program = open_unchecked(path, &bytes, &why);
    cli_json json = {0};
    bool ok = program != NULL;
    if (as_json) {
        json_open(&json, NULL, '{');
        json_number(&json, "schema", 1);
        json_string(&json, "file", path);
    }
    if (program)
        ok = check_program(program, path, as_json ? &json : NULL);
    else if (as_json)
        json_refusal(&json, "refusal", &why);
    else
        cli_refused(&why, path);
    if (as_json) {
        json_bool(&json, "valid", ok);
        json_close(&json, '}');
        ok = json_finish(&json, NULL) && ok;
    }
    iri_program_free(program);
    free(bytes.data);
    return ok ? CLI_OK : CLI_REFUSED;
}
