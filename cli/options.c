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
            snprintf(left, sizeof left, "%s%s%s", o->name, o->value ? " " : "",
                     o->value ? o->value : "");
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
    case CLI_FLAG: *(bool *)o->target = true; return true;
    case CLI_STRING: *(const char **)o->target = value; return true;
    case CLI_LIST: list_add(o->target, value); return true;
    case CLI_NUMBER: {
        char *end;
        unsigned long number = strtoul(value, &end, 10);
        if (*value < '0' || *value > '9' || *end || number > 1000000) {
            cli_usage(command, "%s takes a whole number up to 1000000, not '%s'", o->name, value);
            return false;
        }
        *(uint32_t *)o->target = (uint32_t)number;
        return true;
    }
    case CLI_OFFSET: {
        char *end;
        bool hexadecimal = value[0] == '0' && (value[1] == 'x' || value[1] == 'X');
        unsigned long long number = strtoull(value, &end, hexadecimal ? 16 : 10);
        if (*value < '0' || *value > '9' || *end || number >= UINT32_MAX) {
            cli_usage(command, "%s takes a byte offset, decimal or 0x..., not '%s'", o->name,
                      value);
            return false;
        }
        *(uint32_t *)o->target = (uint32_t)number;
        return true;
    }
    }
    return false;
}

bool cli_parse(const char *command, const char *usage, const char *teach,
               const cli_option *const *groups, int argc, char **argv, cli_list *operands,
               int *exit_code)
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

bool cli_begin(const char *command, const char *teach, const cli_option *const *groups, int argc,
               char **argv, const char **path, int *exit_code)
{
    cli_list operands = {0};
    bool ok =
        cli_parse(command, "[OPTION ...] FILE", teach, groups, argc, argv, &operands, exit_code);
    if (ok && operands.count != 1) {
        *exit_code = operands.count
                         ? cli_usage(command, "takes one FILE; `iridia batch` takes many")
                         : cli_usage(command, "no FILE given");
        ok = false;
    }
    if (ok)
        *path = operands.items[0];
    free(operands.items);
    return ok && cli_lift_finish(command, &cli_lift_given);
}

/* Which of `words` was given; NULL is the first. -1 and a line on stderr when none. */
static int find_word(const char *command, const char *option, const char *given,
                     const char *const *words)
{
    char list[128] = "";
    for (int i = 0; words[i]; i++) {
        if (!given || !strcmp(given, words[i]))
            return i;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? " or " : "", words[i]);
    }
    cli_usage(command, "%s takes %s, not '%s'", option, list, given);
    return -1;
}

/* ---- lifting ---- */

cli_lift cli_lift_given;

uint32_t cli_at;

const cli_option cli_at_options[] = {
    {"--at", "OFFSET", CLI_OFFSET, &cli_at,
     "the shader that begins at this byte of FILE (`iridia scan` finds them)"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

const cli_option cli_lift_options[] = {
    {"--format", "NAME", CLI_STRING, &cli_lift_given.format,
     "d3d9 or text; found out from the bytes when not given"},
    {"--state", "NAME=VALUE", CLI_LIST, &cli_lift_given.states,
     "pipeline state (repeatable); `iridia help state` lists it"},
    {"--strict", NULL, CLI_FLAG, &cli_lift_given.strict,
     "refuse when needed state is not given, instead of taking the default"},
    {"--uninitialized", "WORD", CLI_STRING, &cli_lift_given.uninitialized,
     "a register lane read that nothing writes: refuse (default) or zero"},
    {"--multiply", "WORD", CLI_STRING, &cli_lift_given.multiply,
     "zero-wins (default): 0 * anything is 0, as Direct3D 9 says; or ieee"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

bool cli_lift_finish(const char *command, cli_lift *given)
{
    static const char *const formats[] = {"d3d9", "text", NULL};
    static const char *const uninitialized[] = {"refuse", "zero", NULL};
    static const char *const multiply[] = {"zero-wins", "ieee", NULL};
    int format, lanes, product;
    if ((format = find_word(command, "--format", given->format, formats)) < 0 ||
        (lanes = find_word(command, "--uninitialized", given->uninitialized, uninitialized)) < 0 ||
        (product = find_word(command, "--multiply", given->multiply, multiply)) < 0)
        return false;
    given->options = *IRI_LIFT_OPTIONS(.state = &given->state);
    if (given->format)
        given->options.format = iri_format_by_name(formats[format]);
    given->options.uninitialized = lanes ? IRI_UNINITIALIZED_ZERO : IRI_UNINITIALIZED_REFUSE;
    given->options.multiply = product ? IRI_MULTIPLY_IEEE : IRI_MULTIPLY_ZERO_WINS;
    given->state.defaults = !given->strict;
    given->entries = cli_alloc((given->states.count + 1) * sizeof *given->entries);
    for (size_t i = 0; i < given->states.count; i++) {
        iri_refusal why;
        if (iri_parse_state(given->states.items[i], &given->entries[i], &why) != IRI_OK) {
            cli_usage(command, "--state %s: %s", given->states.items[i], why.reason);
            return false;
        }
    }
    given->state.entries = given->entries;
    given->state.count = (uint32_t)given->states.count;
    return true;
}

/* ---- writing ---- */

const cli_profile cli_profiles[IRI_PROFILE_COUNT] = {
    {"browser", IRI_PROFILE_BROWSER, false},
    {"naga", IRI_PROFILE_NAGA, false},
    {"vulkan1.1", IRI_PROFILE_VULKAN_1_1, true},
    {"vulkan1.3", IRI_PROFILE_VULKAN_1_3, true},
};

bool cli_find_profile(const char *command, const char *name, bool spirv, iri_profile *out)
{
    const char *words[IRI_PROFILE_COUNT + 1] = {NULL};
    iri_profile profiles[IRI_PROFILE_COUNT];
    int count = 0;
    for (int i = 0; i < IRI_PROFILE_COUNT; i++) {
        if (cli_profiles[i].spirv == spirv) {
            words[count] = cli_profiles[i].name;
            profiles[count++] = cli_profiles[i].profile;
        }
    }
    int found = find_word(command, "--profile", name, words);
    if (found >= 0)
        *out = profiles[found];
    return found >= 0;
}

cli_layout cli_layout_given = {.pixel_offset = 64};

const cli_option cli_layout_options[] = {
    {"--raw-constants", NULL, CLI_FLAG, &cli_layout_given.raw_constants,
     "constants as rows, not as a struct with their names"},
    {"--pixel-offset", "N", CLI_NUMBER, &cli_layout_given.pixel_offset,
     "what is added to a pixel shader's bindings (64)"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

void cli_layout_finish(cli_layout *given)
{
    given->plan.pixel_offset = given->pixel_offset ? given->pixel_offset : IRI_NO_PIXEL_OFFSET;
}

cli_target cli_target_given;

const cli_option cli_target_options[] = {
    {"--profile", "NAME", CLI_STRING, &cli_target_given.profile,
     "browser (default): WebGPU as browsers have it; naga: as wgpu has it"},
    {"--feature", "NAME", CLI_LIST, &cli_target_given.features,
     "a WebGPU feature the device has, such as clip-distances (repeatable)"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

const char *cli_feature(size_t i, uint32_t *bit)
{
    static const struct {
        const char *name;
        uint32_t bit;
    } features[] = {
        {"shader-f16", IRI_FEATURE_SHADER_F16},
        {"clip-distances", IRI_FEATURE_CLIP_DISTANCES},
        {"dual-source-blending", IRI_FEATURE_DUAL_SOURCE},
        {"float32-filterable", IRI_FEATURE_FLOAT32_FILTERABLE},
    };
    if (i >= sizeof features / sizeof *features)
        return NULL;
    *bit = features[i].bit;
    return features[i].name;
}

static bool add_feature(const char *command, cli_target *given, const char *wanted)
{
    const char *words[16] = {NULL};
    uint32_t bits[16];
    for (size_t i = 0; i < 15 && (words[i] = cli_feature(i, &bits[i])); i++)
        continue;
    int found = find_word(command, "--feature", wanted, words);
    if (found >= 0)
        given->options.features |= bits[found];
    return found >= 0;
}

bool cli_target_finish(const char *command, cli_target *given)
{
    cli_layout_finish(&cli_layout_given);
    given->options = *IRI_WGSL_OPTIONS(.raw_constants = cli_layout_given.raw_constants,
                                       .bindings = cli_layout_given.plan);
    if (!cli_find_profile(command, given->profile, false, &given->options.profile))
        return false;
    for (size_t i = 0; i < given->features.count; i++)
        if (!add_feature(command, given, given->features.items[i]))
            return false;
    return true;
}
