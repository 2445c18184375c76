/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entry of the WGSL writer.
 */
#include "api/written.h"
#include "base/options.h"
#include "write/wgsl.h"
#include <string.h>

/* WebGPU draws points of one pixel. What the program gives in their place may be left out, unless the
 * caller has said that points are drawn. */
static void check_points(iri_ctx *ctx, const iri_program *p)
{
    const iri_interface *io = &p->interface;
    for (uint32_t i = 0; i < io->output_count; i++) {
        if (io->outputs[i].system_value != IRI_SV_POINT_SIZE)
            continue;
        for (uint32_t k = 0; k < io->state_count; k++)
            if (io->states[k].id == IRI_STATE_POINTS && io->states[k].source == IRI_STATE_VALUE &&
                io->states[k].bits[0])
                iri_fail(ctx, IRI_CAPABILITY, io->outputs[i].offset,
                         "the point size matters, as points are drawn, and WebGPU has none");
    }
}

static void write(iri_write_job *job)
{
    check_points(&job->ctx, job->given);
    iri_wgsl_write(&job->ctx, &job->arena, job->program, job->options, &job->out, &job->result);
}

iri_status iri_write_wgsl(const iri_program *program, const iri_wgsl_options *options,
                          iri_text *out, iri_wgsl_map *map, iri_refusal *why)
{
    iri_wgsl_options known;
    iri_take_options(&known, sizeof known, options);
    if (map)
        memset(map, 0, sizeof *map);
    if (out)
        memset(out, 0, sizeof *out);
    if (!program || !out)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_write_wgsl: an argument is NULL");
    if (known.profile != IRI_PROFILE_BROWSER && known.profile != IRI_PROFILE_NAGA)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_write_wgsl: no profile of WebGPU");
    if (known.entry_name && !iri_is_identifier(known.entry_name))
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_write_wgsl: '%.60s' is no name",
                          known.entry_name);
    iri_write_job job = {
        .given = program,
        .options = &known,
        .passes = {.size = sizeof job.passes, .allocator = known.allocator, .limits = known.limits},
        .gradients = true,
        .result = {.wanted = map != NULL, .lines_wanted = map && known.lines},
        .write = write,
    };
    iri_status status = iri_write_run(&job, out, why);
    if (status == IRI_OK && map)
        *map = (iri_wgsl_map){.names = job.names,
                              .name_count = job.result.names.count,
                              .features_needed = job.result.features_needed,
                              .notes = job.notes,
                              .note_count = job.result.notes.count,
                              .memory = job.copied,
                              .lines = job.lines,
                              .line_count = job.result.lines.count};
    return status;
}

void iri_wgsl_map_free(iri_wgsl_map *map)
{
    if (!map)
        return;
    iri_written_free(map->memory);
    memset(map, 0, sizeof *map);
}
