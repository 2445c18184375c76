/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia run`: runs a shader on numbers: numbers out, a trace, or a picture. docs/run.md.
 */
#include "run.h"
#include <stdlib.h>
#include <string.h>

static cli_list inputs, ddx, ddy, constants, textures, samplers, vary, buffers, counters, saves;
static const char *input_file, *pixel_path, *picture, *mesh_name, *size_text, *eye, *at, *turn,
    *fov, *clear, *cull, *trace_pixel, *groups_text;
static uint32_t count, step_limit, target, trace_invocation = UINT32_MAX;
static bool trace, raw, as_json, quiet, alpha, srgb;

static const cli_option number_options[] = {
    {"--in", "NAME=NUMBERS", CLI_LIST, &inputs,
     "an input by semantic: 1,2,3; 1,2:3,4 for two; 0..1 for all between (repeatable)"},
    {"--const", "NAME=NUMBERS", CLI_LIST, &constants,
     "a constant: World, Lights[1].color, c12, c12.y, i0, b1; or =@mvp (repeatable)"},
    {"--texture", "NAME=WHAT", CLI_LIST, &textures,
     "FILE.png, solid:1,0,0,1, checker, gradient or bumps (repeatable)"},
    {"--sampler", "NAME=WORDS", CLI_LIST, &samplers,
     "linear,mip-linear,clamp,...; without NAME= for all samplers (repeatable)"},
    {"--groups", "X,Y,Z", CLI_STRING, &groups_text, "workgroups of a compute program (1,1,1)"},
    {"--buffer", "NAME=WHAT", CLI_LIST, &buffers,
     "a buffer: 1,2,3, zeros:64 or a file; a storage texture: 16x16 (repeatable)"},
    {"--counter", "NAME=N", CLI_LIST, &counters, "where a buffer's counter starts (0, repeatable)"},
    {"--save", "NAME=FILE", CLI_LIST, &saves, "where a buffer's bytes go afterwards (repeatable)"},
    {"--input", "FILE", CLI_STRING, &input_file, "a JSON file with all of these (docs/run.md)"},
    {"--count", "N", CLI_NUMBER, &count, "how many invocations"},
    {"--ddx", "NAME=NUMBERS", CLI_LIST, &ddx,
     "what an input of a pixel program changes by to the right (repeatable)"},
    {"--ddy", "NAME=NUMBERS", CLI_LIST, &ddy, "and downwards (repeatable)"},
    {"--steps", "N", CLI_NUMBER, &step_limit, "step limit of an invocation (1000000)"},
    {"--json", NULL, CLI_FLAG, &as_json, "print it as JSON (docs/json.md)"},
    {"--quiet", NULL, CLI_FLAG, &quiet, "print no notes on stderr"},
    {"--trace", NULL, CLI_FLAG, &trace, "print every instruction's result"},
    {"--trace-invocation", "N", CLI_NUMBER, &trace_invocation, "of this invocation (0)"},
    {"--trace-pixel", "X,Y", CLI_STRING, &trace_pixel, "of this pixel of a picture"},
    {"--raw", NULL, CLI_FLAG, &raw, "run it as it was read, with its registers, before any pass"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const cli_option picture_options[] = {
    {"--picture", "FILE.png", CLI_STRING, &picture, "draw"},
    {"--size", "WxH", CLI_STRING, &size_text, "its size in pixels (256x256)"},
    {"--vary", "NAME=A:B", CLI_LIST, &vary,
     "an input from the upper left corner to the lower right one (repeatable)"},
    {"--pixel", "FILE", CLI_STRING, &pixel_path, "the pixel program that draws a mesh"},
    {"--mesh", "NAME", CLI_STRING, &mesh_name, "sphere, cube, quad, grid or FILE.obj"},
    {"--turn", "X,Y,Z", CLI_STRING, &turn, "how the mesh is turned, in degrees (0,0,0)"},
    {"--eye", "X,Y,Z", CLI_STRING, &eye, "where the viewer is (0,0,-3)"},
    {"--at", "X,Y,Z", CLI_STRING, &at, "where the viewer looks (0,0,0)"},
    {"--fov", "DEGREES", CLI_STRING, &fov, "the field of view from top to bottom (45)"},
    {"--cull", "WORD", CLI_STRING, &cull, "triangles not drawn: none (default), cw or ccw"},
    {"--clear", "R,G,B,A", CLI_STRING, &clear, "what is there before (0,0,0,0)"},
    {"--target", "N", CLI_NUMBER, &target, "which render target (0)"},
    {"--alpha", NULL, CLI_FLAG, &alpha, "keep alpha in the picture"},
    {"--srgb", NULL, CLI_FLAG, &srgb, "write colours through sRGB's curve"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char teach[] =
    "Runs a shader on this machine's processor, exactly as iridia understands it, and prints what comes out.\n"
    "`iridia info FILE` lists the names. What is not given is zero, and said.\n\n"
    "numbers (F is tests/fixtures/d3d9 here):\n"
    "  iridia run F/lambert_ps.d3d9 --in TEXCOORD0=0.5,0.25 --in COLOR0=1,0.5,0.5 \\\n"
    "      --texture DiffuseMap=solid:0.5,1,1,1\n"
    "  iridia run F/fog_vs11.d3d9 --in POSITION0=0,0,0..0,0,9 --count 4 --const FogRange=1,9,0.125 \\\n"
    "      --const WorldView=@identity --const Projection=@p\n"
    "a trace, the debugger that these shaders never had:\n"
    "  iridia run F/parallax_ps.d3d9 --in TEXCOORD1=0,0.5,1 --texture HeightMap=bumps --trace\n"
    "a compute program, its buffers before and after:\n"
    "  iridia run F/../compute/reduce.iri --groups 2 --buffer Sums=zeros:2 \\\n"
    "      --buffer Numbers=1,2,3,4,5,6,7,8\n"
    "pictures:\n"
    "  iridia run F/post_blur_ps20.d3d9 --picture blur.png --vary TEXCOORD0=0,0:1,1 \\\n"
    "      --texture Scene=checker --const Texel=0.01,0.01\n"
    "  iridia run F/lambert_vs.d3d9 --pixel F/lambert_ps.d3d9 --mesh sphere --picture ball.png \\\n"
    "      --const WorldViewProjection=@mvp --const World=@m --const LightDirection=0.5,-0.6,0.7 \\\n"
    "      --const Ambient=0.1,0.1,0.1,0 --texture DiffuseMap=checker --turn 20,30,0\n\n"
    "@m @v @p @mv @vp @mvp are matrices of the model, view and projection, @normal is for normals, @eye is\n"
    "the viewer's place; @mvp.t is transposed, for mul(matrix, vector). Constants start as the shader's own\n"
    "defaults. With two programs a name goes to both that have it; vs:NAME and ps:NAME to one.\n";

/* ---- reading ---- */

static bool read_lists(run_given *given)
{
    static const struct {
        const cli_list *from;
        const char *option;
    } lists[RUN_LIST_COUNT] = {[RUN_IN] = {&inputs, "--in"},
                               [RUN_DDX] = {&ddx, "--ddx"},
                               [RUN_DDY] = {&ddy, "--ddy"},
                               [RUN_VARY] = {&vary, "--vary"},
                               [RUN_CONST] = {&constants, "--const"},
                               [RUN_TEXTURE] = {&textures, "--texture"},
                               [RUN_SAMPLER] = {&samplers, "--sampler"},
                               [RUN_BUFFER] = {&buffers, "--buffer"},
                               [RUN_COUNTER] = {&counters, "--counter"},
                               [RUN_SAVE] = {&saves, "--save"}};
    for (int list = 0; list < RUN_LIST_COUNT; list++)
        for (size_t i = 0; i < lists[list].from->count; i++)
            if (!run_read_flag(&given->lists[list], (run_list)list, lists[list].option,
                               lists[list].from->items[i]))
                return false;
    return true;
}

static bool read_vector(const char *option, const char *text, run_vector *out)
{
    double numbers[3];
    if (!text)
        return true;
    if (!run_read_numbers(option, text, numbers, 3))
        return false;
    *out = (run_vector){numbers[0], numbers[1], numbers[2]};
    return true;
}

static bool read_cull(run_given *given)
{
    static const char *const words[] = {"none", "cw", "ccw"};
    for (int i = 0; i < 3; i++) {
        if (!cull || !strcmp(cull, words[i])) {
            given->cull = (iri_cull)i;
            return true;
        }
    }
    return run_fault("--cull", "takes none, cw or ccw, not '%s'", cull);
}

static bool read_words(run_given *given)
{
    double pixel[2] = {0};
    *given = (run_given){.step_limit = step_limit,
                         .count = count,
                         .width = 256,
                         .height = 256,
                         .target = target,
                         .groups = {1, 1, 1},
                         .has_groups = groups_text != NULL,
                         .eye = {0, 0, -3},
                         .fov = 45,
                         .picture = picture,
                         .mesh = mesh_name,
                         .alpha = alpha,
                         .srgb = srgb,
                         .json = as_json,
                         .quiet = quiet,
                         .raw = raw};
    given->trace = trace || trace_pixel || trace_invocation != UINT32_MAX;
    given->trace_invocation = trace_invocation == UINT32_MAX ? 0 : trace_invocation;
    if (!read_vector("--eye", eye, &given->eye) || !read_vector("--at", at, &given->at) ||
        !read_vector("--turn", turn, &given->turn) || !read_cull(given) ||
        (clear && !run_read_numbers("--clear", clear, given->clear, 4)) ||
        (fov && !run_read_numbers("--fov", fov, &given->fov, 1)) ||
        (trace_pixel && !run_read_numbers("--trace-pixel", trace_pixel, pixel, 2)) ||
        (groups_text && !run_read_groups("--groups", groups_text, given->groups)) ||
        (size_text && !run_read_size("--size", size_text, &given->width, &given->height)))
        return false;
    if (!(given->fov >= 1 && given->fov <= 170))
        return run_fault("--fov", "takes 1 to 170 degrees");
    if (target > 7)
        return run_fault("--target", "takes 0 to 7");
    if (pixel[0] < 0 || pixel[1] < 0 || pixel[0] > 8192 || pixel[1] > 8192)
        return run_fault("--trace-pixel", "takes a pixel of the picture");
    given->trace_x = (uint32_t)pixel[0];
    given->trace_y = (uint32_t)pixel[1];
    return true;
}

/* Options that do not go together. */
static bool check_words(void)
{
    const char *const mesh_words[][2] = {{"--pixel", pixel_path}, {"--mesh", mesh_name}};
    const char *const drawn[][2] = {{"--size", size_text},
                                    {"--cull", cull},
                                    {"--clear", clear},
                                    {"--trace-pixel", trace_pixel},
                                    {"--alpha", alpha ? "" : NULL},
                                    {"--srgb", srgb ? "" : NULL},
                                    {"--vary", vary.count ? "" : NULL}};
    for (int i = 0; i < 2; i++)
        if (mesh_words[i][1] && (!mesh_words[1 - i][1] || !picture))
            return run_fault(mesh_words[i][0],
                             "a mesh is drawn with --mesh, --pixel and --picture together");
    for (size_t i = 0; !picture && i < sizeof drawn / sizeof *drawn; i++)
        if (drawn[i][1] && strcmp(drawn[i][0], "--size") != 0)
            return run_fault(drawn[i][0], "goes with --picture");
    if (mesh_name && (trace || trace_pixel || trace_invocation != UINT32_MAX))
        return run_fault("--trace",
                         "a mesh has no trace; give the vertex's numbers with --in, or the "
                         "pixel's to the pixel program");
    if (mesh_name && vary.count)
        return run_fault("--vary", "a mesh has its own varyings");
    if (picture && (ddx.count || ddy.count))
        return run_fault(ddx.count ? "--ddx" : "--ddy", "a picture has its own derivatives");
    if (picture && (count || trace_invocation != UINT32_MAX))
        return run_fault(count ? "--count" : "--trace-invocation", "a picture has pixels instead");
    if (picture && !mesh_name && trace && !trace_pixel)
        return run_fault("--trace", "which pixel? --trace-pixel X,Y");
    return true;
}

/* ---- running ---- */

static bool check_stage(const run_stage *stage, iri_stage wanted, const char *for_what)
{
    iri_stage is = iri_program_stage(stage->program);
    return is == wanted ||
           run_fault(stage->path, "a %s program; %s takes a %s program",
                     iri_word(IRI_WORDS_STAGE, is), for_what, iri_word(IRI_WORDS_STAGE, wanted));
}

/* What only compute programs have, and what they do not. */
static bool check_compute(const run_stage *stage, const run_given *given)
{
    bool compute = iri_program_stage(stage->program) == IRI_STAGE_COMPUTE;
    const struct {
        const char *option;
        bool given, compute;
    } rows[] = {{"--groups", groups_text != NULL, true},
                {"--buffer", given->lists[RUN_BUFFER].count > 0, true},
                {"--counter", given->lists[RUN_COUNTER].count > 0, true},
                {"--save", given->lists[RUN_SAVE].count > 0, true},
                {"--in", given->lists[RUN_IN].count > 0, false},
                {"--ddx", given->lists[RUN_DDX].count > 0, false},
                {"--ddy", given->lists[RUN_DDY].count > 0, false},
                {"--count", given->count > 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].given && rows[i].compute != compute)
            return run_fault(rows[i].option, compute ? "a compute program has workgroups instead"
                                                     : "is for compute programs");
    return true;
}

static bool run_stages(run_stage stages[2], const char *path, const run_given *given)
{
    if (!run_open(&stages[0], path, given->trace) || !check_compute(&stages[0], given))
        return false;
    if (given->mesh) {
        return run_open(&stages[1], pixel_path, false) &&
               check_stage(&stages[0], IRI_STAGE_VERTEX, "--mesh") &&
               check_stage(&stages[1], IRI_STAGE_PIXEL, "--pixel") && run_bind(stages, 2, given) &&
               run_mesh(&stages[0], &stages[1], given);
    }
    if (given->picture)
        return check_stage(&stages[0], IRI_STAGE_PIXEL, "--picture without --mesh") &&
               run_bind(stages, 1, given) && run_rectangle(&stages[0], given);
    if (!run_bind(stages, 1, given))
        return false;
    return iri_program_stage(stages[0].program) == IRI_STAGE_COMPUTE
               ? run_compute(&stages[0], given)
               : run_numbers(&stages[0], given);
}

int cli_run(int argc, char **argv)
{
    const cli_option *const groups[] = {number_options, picture_options, cli_lift_options, NULL};
    run_stage stages[2] = {0};
    run_given given = {0};
    const char *path;
    int code;
    if (!cli_begin("run", teach, groups, argc, argv, &path, &code))
        return code;
    cli_lift_given.options.raw = raw;
    bool ok = read_words(&given) && check_words() &&
              (!input_file || run_read_file(&given, input_file)) && read_lists(&given) &&
              run_stages(stages, path, &given);
    run_close(&stages[0]);
    run_close(&stages[1]);
    run_given_free(&given);
    return ok ? CLI_OK : run_had_fault() ? CLI_USAGE : CLI_REFUSED;
}
