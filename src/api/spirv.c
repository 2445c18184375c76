/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entry of the SPIR-V writer.
 */
#include "api/written.h"
#include "base/options.h"
#include "write/spirv/spirv.h"
#include <string.h>

static void write(iri_write_job *job)
{
    iri_spirv_write(&job->ctx, &job->arena, job->program, job->options, &job->out, &job->result);
}

iri_status iri_write_spirv(const iri_program *program, const iri_spirv_options *options,
                           iri_text *out, iri_spirv_map *map, iri_refusal *why)
{
    iri_spirv_options known;
    iri_take_options(&known, sizeof known, options);
    if (map)
        memset(map, 0, sizeof *map);
    if (out)
        memset(out, 0, sizeof *out);
    if (!program || !out)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_write_spirv: an argument is NULL");
    if (!known.profile)
        known.profile = IRI_PROFILE_VULKAN_1_1;
    if (known.profile != IRI_PROFILE_VULKAN_1_1 && known.profile != IRI_PROFILE_VULKAN_1_3)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_write_spirv: no profile of Vulkan");
    if (known.demote > IRI_SPIRV_DEMOTE_FLAG)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                          "iri_write_spirv: no such way to demote");
    iri_write_job job = {
        .given = program,
        .options = &known,
        .passes = {.size = sizeof job.passes, .allocator = known.allocator, .limits = known.limits},
        .result = {.wanted = map != NULL},
        .write = write,
    };
    iri_status status = iri_write_run(&job, out, why);
    if (status == IRI_OK && map)
        *map = (iri_spirv_map){.names = job.names,
                               .name_count = job.result.names.count,
                               .notes = job.notes,
                               .note_count = job.result.notes.count,
                               .memory = job.copied};
    return status;
}

void iri_spirv_map_free(iri_spirv_map *map)
{
    if (!map)
        return;
    iri_written_free(map->memory);
    memset(map, 0, sizeof *map);
}
