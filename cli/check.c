/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia check`: every problem of a program, and whether a target can take it.
 */
#include "cli.h"
#include <stdlib.h>

static bool as_json, all_targets;

static const cli_option options[] = {
    {"--json", NULL, CLI_FLAG, &as_json, "print the result as JSON"},
    {"--all-targets", NULL, CLI_FLAG, &all_targets,
     "also ask every profile of WGSL and SPIR-V whether it can take it"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char teach[] =
    "Says whether a shader can be read and its program is valid; for a text program, lists\n"
    "every problem. With --all-targets it also says which profiles of which languages can\n"
    "take the program.\n\n"
    "examples:\n"
    "  iridia check water.pso\n"
    "  iridia check edited.iri\n"
    "  iridia check water.pso --all-targets\n\n"
    "Exit status: 0 when it is valid (and every target can take it); 1 when not.\n";

static bool ask_target(const iri_program *program, const cli_profile *target, iri_refusal *why)
{
    iri_text text;
    iri_status status;
    if (target->spirv)
        status = iri_write_spirv(program, IRI_SPIRV_OPTIONS(.profile = target->profile), &text,
                                 NULL, why);
    else
        status =
            iri_write_wgsl(program, IRI_WGSL_OPTIONS(.profile = target->profile), &text, NULL, why);
    iri_text_free(&text);
    return status == IRI_OK;
}

/* Whether every profile can take the program. */
static bool check_targets(const iri_program *program, const char *path, cli_json *json)
{
    bool all = true;
    char *file = cli_shown(path);
    if (json)
        json_open(json, "targets", '[');
    for (size_t i = 0; i < IRI_PROFILE_COUNT; i++) {
        const cli_profile *target = &cli_profiles[i];
        iri_refusal why;
        bool taken = ask_target(program, target, &why);
        all = all && taken;
        if (json) {
            json_open(json, NULL, '{');
            json_string(json, "profile", target->name);
            json_string(json, "language", target->spirv ? "spirv" : "wgsl");
            json_bool(json, "accepted", taken);
            if (!taken)
                json_refusal(json, "refusal", &why);
            json_close(json, '}');
        } else {
            char *line = taken ? NULL : cli_refusal_line(&why, NULL);
            printf("%s: %s, %s: %s%s\n", file, target->spirv ? "SPIR-V" : "WGSL", target->name,
                   taken ? "can be written" : "refused: ", taken ? "" : line);
            free(line);
        }
    }
    if (json)
        json_close(json, ']');
    free(file);
    return all;
}

static void print_problem(const char *path, const iri_problem *problem)
{
    char *file = cli_shown(path), *text = cli_shown(problem->text);
    if (problem->offset != IRI_NO_OFFSET)
        printf("%s:0x%x: %s\n", file, (unsigned)problem->offset, text);
    else
        printf("%s: %s\n", file, text);
    free(file);
    free(text);
}

static void json_problems(cli_json *json, const iri_problems *problems)
{
    json_open(json, "problems", '[');
    for (size_t i = 0; i < problems->count; i++) {
        const iri_problem *problem = &problems->items[i];
        json_open(json, NULL, '{');
        json_number(json, "function", problem->function);
        if (problem->offset != IRI_NO_OFFSET)
            json_number(json, "offset", problem->offset);
        json_string(json, "text", problem->text);
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* Text programs are parsed here and not lifted, so that the validator's whole list can be shown. */
static iri_program *open_unchecked(const cli_bytes *bytes, iri_refusal *why)
{
    iri_program *program = NULL;
    iri_format format = cli_lift_given.options.format;
    if (format == IRI_FORMAT_AUTO)
        format = iri_detect_format(bytes->data, bytes->size);
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
    bool ok = problems.count == 0;
    if (json) {
        json_bool(json, "valid", ok);
        json_problems(json, &problems);
    } else {
        for (size_t i = 0; i < problems.count; i++)
            print_problem(path, &problems.items[i]);
        char *file = cli_shown(path);
        if (ok)
            printf("%s: valid\n", file);
        free(file);
    }
    iri_problems_free(&problems);
    if (ok && all_targets)
        ok = check_targets(program, path, json);
    return ok;
}

static bool check_as_json(const iri_program *program, const iri_refusal *why, const char *path)
{
    cli_json json = {0};
    bool ok = false;
    json_open(&json, NULL, '{');
    json_number(&json, "schema", 1);
    json_string(&json, "file", path);
    if (program) {
        ok = check_program(program, path, &json);
    } else {
        json_bool(&json, "valid", false);
        json_refusal(&json, "refusal", why);
    }
    json_close(&json, '}');
    return json_finish(&json, NULL) && ok;
}

int cli_check(int argc, char **argv)
{
    const cli_option *const groups[] = {options, cli_lift_options, NULL};
    const char *path;
    int code;
    if (!cli_begin("check", teach, groups, argc, argv, &path, &code))
        return code;
    cli_bytes bytes;
    if (!cli_read_or_say(path, &bytes))
        return CLI_REFUSED;
    iri_refusal why;
    iri_program *program = open_unchecked(&bytes, &why);
    free(bytes.data);
    bool ok = false;
    if (as_json)
        ok = check_as_json(program, &why, path);
    else if (program)
        ok = check_program(program, path, NULL);
    else
        cli_refused(&why, path);
    iri_program_free(program);
    return ok ? CLI_OK : CLI_REFUSED;
}
