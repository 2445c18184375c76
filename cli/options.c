/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line: options by table, help made from the same tables, and the options that several
 * subcommands share.
 */
#include "cli.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int cli_usage(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "iridia %s: ", command);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "; see iridia %s --help\n", command);
    va_end(arguments);
    return CLI_USAGE;
}

static void print_options(const cli_option *const *groups)
{
    puts("\noptions:");
    for (; *groups; groups++) {
        for (const cli_option *o = *groups; o->name; o++) {
            char left[64];
            snprintf(left, sizeof left, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
            printf("  %-26s  %s\n", left, o->help);
        }
    }
    puts("  --help                      this");
}

static const cli_option *find_option(const cli_option *const *groups, const char *name, size_t size)
{
    for (; *groups; groups++)
        for (const cli_option *o = *groups; o->name; o++)
            if (strlen(o->name) == size && !memcmp(o->name, name, size))
                return o;
    return NULL;
}

static void list_add(cli_list *list, const char *item)
{
    list->items = cli_realloc(list->items, (list->count + 1) * sizeof *list->items);
    list->items[list->count++] = item;
}

static bool set_option(const char *command, const cli_option *o, const char *value)
{
    switch (o->kind) {
    case CLI_FLAG:
        *(bool *)o->target = true;
        return true;
    case CLI_STRING:
        *(const char **)o->target = value;
        return true;
    case CLI_LIST:
        list_add(o->target, value);
        return true;
    case CLI_NUMBER: {
        char *end;
        unsigned long number = strtoul(value, &end, 10);
        if (*value < '0' || *value > '9' || *end || number < 1 || number > 1000000) {
            cli_usage(command, "%s takes a whole number from 1 to 1000000, not '%s'", o->name, value);
            return false;
        }
        *(uint32_t *)o->target = (uint32_t)number;
        return true;
    }
    }
    return false;
}

bool cli_parse(const char *command, const char *usage, const char *teach, const cli_option *const *groups,
               int argc, char **argv, cli_list *operands, int *exit_code)
{
    *exit_code = CLI_USAGE;
    bool only_operands = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (only_operands || word[0] != '-' || !word[1]) {
            list_add(operands, word);
            continue;
        }
        if (!strcmp(word, "--")) {
            only_operands = true;
            continue;
        }
        if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
            printf("usage: iridia %s %s\n\n%s", command, usage, teach);
            print_options(groups);
            *exit_code = CLI_OK;
            return false;
        }
        const char *equals = strchr(word, '=');
        size_t size = equals ? (size_t)(equals - word) : strlen(word);
        const cli_option *o = find_option(groups, word, size);
        if (!o) {
            cli_usage(command, "no option '%.*s'", (int)size, word);
            return false;
        }
        const char *value = NULL;
        if (o->kind == CLI_FLAG && equals) {
            cli_usage(command, "%s takes no value", o->name);
            return false;
        }
        if (o->kind != CLI_FLAG) {
            value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
            if (!value) {
                cli_usage(command, "%s needs a value: %s", o->name, o->value);
                return false;
            }
        }
        if (!set_option(command, o, value))
            return false;
    }
    return true;
}

/* ---- lifting ---- */

cli_lift cli_lift_given;

const cli_option cli_lift_options[] = {
    {"--format", "NAME", CLI_STRING, &cli_lift_given.format, "d3d9 or text; detected when not given"},
    {"--state", "NAME=VALUE", CLI_LIST, &cli_lift_given.states,
     "pipeline state: a number, 'override' or 'uniform' (repeatable)"},
    {"--strict", NULL, CLI_FLAG, &cli_lift_given.strict,
     "refuse state that is not given, instead of Direct3D's default"},
    {"--uninitialized", "WORD", CLI_STRING, &cli_lift_given.uninitialized,
     "refuse (default) or zero: a register lane read that nothing writes"},
    {"--multiply", "WORD", CLI_STRING, &cli_lift_given.multiply,
     "zero-wins (default): 0 * anything is 0, as Direct3D 9 says; or ieee"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

bool cli_lift_finish(cli_lift *given)
{
    given->options = *IRI_LIFT_OPTIONS(.state = &given->state);
    if (given->format) {
        given->options.format = iri_format_by_name(given->format);
        if (given->options.format == IRI_FORMAT_AUTO) {
            fprintf(stderr, "iridia: no format '%s'; there are d3d9 and text\n", given->format);
            return false;
        }
    }
    if (given->uninitialized) {
        if (strcmp(given->uninitialized, "zero") && strcmp(given->uninitialized, "refuse")) {
            fprintf(stderr, "iridia: --uninitialized takes refuse or zero\n");
            return false;
        }
        if (!strcmp(given->uninitialized, "zero"))
            given->options.uninitialized = IRI_UNINITIALIZED_ZERO;
    }
    if (given->multiply) {
        if (strcmp(given->multiply, "ieee") && strcmp(given->multiply, "zero-wins")) {
            fprintf(stderr, "iridia: --multiply takes zero-wins or ieee\n");
            return false;
        }
        if (!strcmp(given->multiply, "ieee"))
            given->options.multiply = IRI_MULTIPLY_IEEE;
    }
    given->state.defaults = !given->strict;
    given->entries = cli_alloc((given->states.count + 1) * sizeof *given->entries);
    for (size_t i = 0; i < given->states.count; i++) {
        iri_refusal why;
        if (iri_parse_state(given->states.items[i], &given->entries[i], &why) != IRI_OK) {
            fprintf(stderr, "iridia: --state %s: %s\n", given->states.items[i], why.reason);
            return false;
        }
    }
    given->state.entries = given->entries;
    given->state.count = (uint32_t)given->states.count;
    return true;
}

/* ---- writing ---- */

cli_target cli_target_given;

const cli_option cli_target_options[] = {
    {"--profile", "NAME", CLI_STRING, &cli_target_given.profile,
     "browser (default): WebGPU as browsers have it; naga: wgpu's"},
    {"--feature", "NAME", CLI_LIST, &cli_target_given.features,
     "a WebGPU feature the device has, such as clip-distances (repeatable)"},
    {"--raw-constants", NULL, CLI_FLAG, &cli_target_given.raw_constants,
     "constants as rows, not as a struct with their names"},
    {"--pixel-offset", "N", CLI_NUMBER, &cli_target_given.pixel_offset,
     "what is added to a pixel shader's bindings (64)"},
    {"--no-pixel-offset", NULL, CLI_FLAG, &cli_target_given.no_pixel_offset,
     "add nothing to a pixel shader's bindings"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const struct {
    const char *name;
    uint32_t bit;
} features[] = {
    {"shader-f16", IRI_FEATURE_SHADER_F16},
    {"clip-distances", IRI_FEATURE_CLIP_DISTANCES},
    {"dual-source-blending", IRI_FEATURE_DUAL_SOURCE},
    {"float32-filterable", IRI_FEATURE_FLOAT32_FILTERABLE},
};

static bool add_feature(cli_target *given, const char *name)
{
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        if (!strcmp(name, features[i].name)) {
            given->options.features |= features[i].bit;
            return true;
        }
    }
    fprintf(stderr, "iridia: no feature '%s'; there are", name);
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        fprintf(stderr, " %s", features[i].name);
    fputc('\n', stderr);
    return false;
}

bool cli_target_finish(cli_target *given)
{
    given->options = *IRI_WGSL_OPTIONS(.raw_constants = given->raw_constants);
    if (given->profile && !strcmp(given->profile, "naga")) {
        given->options.profile = IRI_PROFILE_NAGA;
    } else if (given->profile && strcmp(given->profile, "browser")) {
        fprintf(stderr, "iridia: no profile '%s'; there are browser and naga\n", given->profile);
        return false;
    }
    given->options.bindings.pixel_offset = given->no_pixel_offset ? IRI_NO_PIXEL_OFFSET : given->pixel_offset;
    for (size_t i = 0; i < given->features.count; i++)
        if (!add_feature(given, given->features.items[i]))
            return false;
    return true;
}
