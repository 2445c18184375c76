/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia glsl`, `msl`, `hlsl`: one shader through SPIR-V and SPIRV-Cross. In a build without
 * libiridia-cross they only say so.
 */
#include "cli.h"
#ifdef IRI_CLI_CROSS
#include <iridia/cross.h>
#include <stdlib.h>
#include <string.h>

static const char *output, *version;
static bool quiet, raw_constants, keep_clip_depth;

#define COMMON \
    {"-o", "FILE", CLI_STRING, &output, "write there instead of to standard output"}, \
        {"--raw-constants", NULL, CLI_FLAG, &raw_constants, \
         "constants as rows, not as a struct with their names"}, \
    { \
        "--quiet", NULL, CLI_FLAG, &quiet, "print no notes on stderr" \
    }
static const cli_option glsl_options[] = {
    COMMON,
    {"--version", "N", CLI_STRING, &version,
     "450 (the default), 330, or 300es for OpenGL ES and WebGL"},
    {"--keep-clip-depth", NULL, CLI_FLAG, &keep_clip_depth, "leave z in 0..w, for glClipControl"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};
static const cli_option msl_options[] = {
    COMMON,
    {"--version", "N", CLI_STRING, &version, "2.3 (the default) or 2.0"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};
static const cli_option hlsl_options[] = {COMMON, {NULL, NULL, CLI_FLAG, NULL, NULL}};
#undef COMMON

typedef struct language {
    const char *command, *teach;
    const cli_option *options;
    struct {
        const char *version; /* the first is the default */
        iri_cross_target target;
    } versions[3];
} language;

static const language glsl = {
    "glsl",
    "Translates a compiled shader to GLSL, entry point main. A vertex shader's z is moved\n"
    "from Direct3D's 0..w to OpenGL's -w..w.\n\n"
    "examples:\n  iridia glsl water.pso --version 330\n",
    glsl_options,
    {{"450", IRI_CROSS_GLSL_450}, {"330", IRI_CROSS_GLSL_330}, {"300es", IRI_CROSS_ESSL_300}},
};
static const language msl = {
    "msl",
    "Translates a compiled shader to the Metal shading language, entry point main0.\n\n"
    "examples:\n  iridia msl water.pso -o water.metal\n",
    msl_options,
    {{"2.3", IRI_CROSS_MSL_23}, {"2.0", IRI_CROSS_MSL_20}, {NULL, IRI_CROSS_COUNT}},
};
static const language hlsl = {
    "hlsl",
    "Translates a compiled shader to HLSL of shader model 5.0, entry point main.\n\n"
    "examples:\n  iridia hlsl water.pso -o water.hlsl\n",
    hlsl_options,
    {{"5.0", IRI_CROSS_HLSL_50}, {NULL, IRI_CROSS_COUNT}, {NULL, IRI_CROSS_COUNT}},
};

static bool find_target(const language *to, iri_cross_target *target)
{
    for (size_t i = 0; i < 3 && to->versions[i].version; i++) {
        if (!version || !strcmp(version, to->versions[i].version)) {
            *target = to->versions[i].target;
            return true;
        }
    }
    char list[48] = "";
    for (size_t i = 0; i < 3 && to->versions[i].version; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? " or " : "", to->versions[i].version);
    }
    cli_usage(to->command, "--version takes %s, not '%s'", list, version);
    return false;
}

static int translate(const language *to, int argc, char **argv)
{
    const cli_option *const groups[] = {to->options, cli_at_options, cli_lift_options, NULL};
    iri_cross_options how = {.size = sizeof how};
    const char *path;
    int code;
    if (!cli_begin(to->command, to->teach, groups, argc, argv, &path, &code))
        return code;
    if (!find_target(to, &how.target))
        return CLI_USAGE;
    how.raw_constants = raw_constants;
    how.keep_clip_depth = keep_clip_depth;
    iri_program *program = cli_open(path, cli_at, NULL);
    if (!program)
        return CLI_REFUSED;
    iri_text text;
    iri_refusal why;
    bool ok = iri_cross_write(program, &how, &text, &why) == IRI_OK;
    if (ok) {
        ok = cli_write(output, text.data, text.size);
        cli_notes notes = cli_collect_notes(program, NULL, 0);
        if (ok && !quiet)
            cli_print_notes(path, &notes);
        free(notes.items);
        iri_text_free(&text);
    } else {
        cli_refused(&why, path);
    }
    iri_program_free(program);
    return ok ? CLI_OK : CLI_REFUSED;
}

int cli_glsl(int argc, char **argv)
{
    return translate(&glsl, argc, argv);
}

int cli_msl(int argc, char **argv)
{
    return translate(&msl, argc, argv);
}

int cli_hlsl(int argc, char **argv)
{
    return translate(&hlsl, argc, argv);
}
#else
static int not_built(const char *command)
{
    return cli_usage(command, "this build of iridia has no SPIRV-Cross, which that needs");
}

int cli_glsl(int argc, char **argv)
{
    (void)argc, (void)argv;
    return not_built("glsl");
}

int cli_msl(int argc, char **argv)
{
    (void)argc, (void)argv;
    return not_built("msl");
}

int cli_hlsl(int argc, char **argv)
{
    (void)argc, (void)argv;
    return not_built("hlsl");
}
#endif
