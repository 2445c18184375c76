/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The forms that `iridia batch` writes: what --to names, how a file of it ends, and how a program
 * becomes one.
 */
#include "batch.h"
#include <string.h>
#ifdef IRI_CLI_CROSS
#include <iridia/cross.h>
#endif

static iri_profile spirv_profile = IRI_PROFILE_VULKAN_1_1;

static bool make_wgsl(const iri_program *program, iri_text *text, uint32_t *notes, iri_refusal *why)
{
    iri_wgsl_map map;
    if (iri_write_wgsl(program, &cli_target_given.options, text, &map, why) != IRI_OK)
        return false;
    *notes += (uint32_t)map.note_count;
    iri_wgsl_map_free(&map);
    return true;
}

static bool make_spirv(const iri_program *program, iri_text *text, uint32_t *notes,
                       iri_refusal *why)
{
    iri_spirv_options how = {.size = sizeof how,
                             .profile = spirv_profile,
                             .raw_constants = cli_layout_given.raw_constants,
                             .bindings = cli_layout_given.plan};
    iri_spirv_map map;
    if (iri_write_spirv(program, &how, text, &map, why) != IRI_OK)
        return false;
    *notes += (uint32_t)map.note_count;
    iri_spirv_map_free(&map);
    return true;
}

static bool make_text(const iri_program *program, iri_text *text, uint32_t *notes, iri_refusal *why)
{
    (void)notes;
    return iri_print_text(program, NULL, text, why) == IRI_OK;
}

#ifdef IRI_CLI_CROSS
static bool make_cross(const iri_program *program, iri_cross_target target, iri_text *text,
                       iri_refusal *why)
{
    iri_cross_options how = {
        .size = sizeof how, .target = target, .raw_constants = cli_layout_given.raw_constants};
    return iri_cross_write(program, &how, text, why) == IRI_OK;
}

static bool make_glsl(const iri_program *program, iri_text *text, uint32_t *notes, iri_refusal *why)
{
    (void)notes;
    return make_cross(program, IRI_CROSS_GLSL_450, text, why);
}

static bool make_msl(const iri_program *program, iri_text *text, uint32_t *notes, iri_refusal *why)
{
    (void)notes;
    return make_cross(program, IRI_CROSS_MSL_23, text, why);
}

static bool make_hlsl(const iri_program *program, iri_text *text, uint32_t *notes, iri_refusal *why)
{
    (void)notes;
    return make_cross(program, IRI_CROSS_HLSL_50, text, why);
}
#endif

static const batch_form forms[] = {
    {"wgsl", "wgsl", IRI_WGSL_WRITER_VERSION, make_wgsl},
    {"spirv", "spv", IRI_SPIRV_WRITER_VERSION, make_spirv},
    {"text", "text", IRI_TEXT_VERSION, make_text},
#ifdef IRI_CLI_CROSS
    {"glsl", "glsl", IRI_SPIRV_WRITER_VERSION, make_glsl},
    {"msl", "metal", IRI_SPIRV_WRITER_VERSION, make_msl},
    {"hlsl", "hlsl", IRI_SPIRV_WRITER_VERSION, make_hlsl},
#endif
};
enum { FORM_COUNT = sizeof forms / sizeof *forms };

const batch_form *batch_find_form(const char *name)
{
    char list[64] = "";
    for (size_t i = 0; i < FORM_COUNT; i++) {
        if (!name || !strcmp(name, forms[i].name))
            return &forms[i];
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 !i                   ? ""
                 : i + 1 < FORM_COUNT ? ", "
                                      : " or ",
                 forms[i].name);
    }
    cli_usage("batch", "--to takes %s, not '%s'", list, name);
    return NULL;
}

bool batch_form_finish(const batch_form *form)
{
    cli_target *given = &cli_target_given;
    if (form->make == make_wgsl || form->make == make_text)
        return cli_target_finish("batch", given);
    if (given->features.count) {
        cli_usage("batch", "--feature goes with --to wgsl");
        return false;
    }
    if (form->make != make_spirv && given->profile) {
        cli_usage("batch", "--profile goes with --to wgsl or spirv");
        return false;
    }
    cli_layout_finish(&cli_layout_given);
    return cli_find_profile("batch", given->profile, true, &spirv_profile);
}
