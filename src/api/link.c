/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The vertex program that stands in for none.
 */
#include "base/options.h"
#include "ir/emit.h"
#include "ir/validate.h"
#include "write/entry_io.h"
#include <iridia/link.h>

typedef struct job {
    const iri_program *pixel;
    iri_arena scratch;
    iri_builder *b;
    iri_program *program;
} job;

static iri_lanes all_lanes(iri_type type)
{
    static const iri_lanes first[] = {IRI_LANES1(0), IRI_LANES2(0, 1), IRI_LANES3(0, 1, 2),
                                      IRI_LANES4(0, 1, 2, 3)};
    return first[IRI_TYPE_LANES(type) - 1];
}

/* An attribute and the output that it becomes. `reg` counts registers of both kinds. */
static void carry(iri_builder *b, iri_io io, uint8_t system_value, uint16_t reg, iri_id *value,
                  uint32_t *output)
{
    io.flags = IRI_IO_GENERATED;
    io.interpolation = IRI_INTERPOLATION_DEFAULT;
    io.lanes = io.used = (uint8_t)((1u << IRI_TYPE_LANES(io.type)) - 1);
    io.reg = reg;
    io.offset = IRI_NO_OFFSET;
    io.system_value = IRI_SV_NONE;
    io.bank = IRI_BANK_V;
    *value = iri_add_input(b, &io);
    io.system_value = system_value;
    io.bank = IRI_BANK_O;
    *output = iri_add_output(b, &io);
}

static void build(iri_ctx *ctx, job *j)
{
    const iri_interface *face = &j->pixel->interface;
    iri_builder *b = j->b;
    uint32_t count = face->input_count + 1, carried = 0;
    iri_id *inputs = iri_new_array(&j->scratch, iri_id, count);
    uint32_t *outputs = iri_new_array(&j->scratch, uint32_t, count);
    iri_entry_io io;
    iri_entry_io_make(ctx, &j->scratch, j->pixel, NULL, false, &io);
    const iri_io position = {.name = "POSITION", .type = IRI_TYPE_VEC4F};
    carry(b, position, IRI_SV_POSITION, 0, &inputs[0], &outputs[0]);
    carried = 1;
    for (uint32_t i = 0; i < io.input_count; i++) {
        const iri_entry_value *v = &io.inputs[i];
        if (v->builtin != IRI_ENTRY_LOCATION)
            continue;
        carry(b, face->inputs[v->element], IRI_SV_NONE, (uint16_t)carried, &inputs[carried],
              &outputs[carried]);
        carried++;
    }
    iri_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
    for (uint32_t i = 0; i < carried; i++) {
        iri_lanes lanes = all_lanes(iri_builder_program(b)->interface.inputs[inputs[i]].type);
        iri_emit_output(b, outputs[i], lanes, iri_emit_input(b, inputs[i], lanes));
    }
    iri_end_function(b);
}

static void body(iri_ctx *ctx, void *argument)
{
    job *j = argument;
    const iri_provenance from = {.format = "generated",
                                 .target = "pass-through",
                                 .creator = "",
                                 .lifter = "",
                                 .policies = ""};
    ctx->format = from.format;
    ctx->unit = from.target;
    j->b = iri_builder_make(ctx, &j->scratch, IRI_STAGE_VERTEX, 0);
    iri_builder_program(j->b)->conventions = j->pixel->conventions;
    iri_builder_program(j->b)->float_env = j->pixel->float_env;
    iri_set_provenance(j->b, &from);
    iri_add_note(
        j->b, "generated", IRI_NO_OFFSET,
        "no vertex program: POSITION is taken as the clip position and what the pixel program reads "
        "is passed on; nothing is transformed, lit or fogged");
    build(ctx, j);
    j->program = iri_builder_finish(j->b);
    iri_require_valid(ctx, &j->scratch, j->program, IRI_CAN_ALL, IRI_INTERNAL);
    j->program->validated = true;
}

iri_status iri_make_pass_through(const iri_program *pixel, const iri_pass_through_options *options,
                                 iri_program **out, iri_refusal *why)
{
    iri_pass_through_options known;
    iri_ctx ctx;
    job j = {.pixel = pixel};
    iri_take_options(&known, sizeof known, options);
    if (!out || !pixel)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                          "iri_make_pass_through: an argument is NULL");
    *out = NULL;
    if (pixel->stage != IRI_STAGE_PIXEL)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                          "iri_make_pass_through: a %s program, not a pixel one",
                          iri_stage_name(pixel->stage));
    iri_ctx_init(&ctx, known.allocator, known.limits, why);
    iri_arena_init(&j.scratch, &ctx);
    iri_status status = iri_protect(&ctx, body, &j);
    if (status == IRI_OK) {
        *out = j.program;
    } else {
        iri_builder_discard(j.b);
        iri_program_free(j.program);
    }
    iri_arena_free(&j.scratch);
    return status;
}
