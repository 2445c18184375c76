/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The end of a program: what Direct3D 9's fixed pipeline does with a shader's results (fog, the alpha test,
 * user clip planes, the clamps of a vertex program's colours and fog), and the outputs. Facts: the pages
 * "Fog Formulas", "Alpha Testing State", "User clip planes" and the output register pages of the models.
 */
#include "read/d3d9/lower_internal.h"

bool iri_l9_state(iri_l9 *l, iri_state_id id, uint32_t index, uint32_t bits[4])
{
    iri_state_entry entry;
    bool by_default;
    if (!iri_find_state(l->options->state, id, index, &entry, &by_default))
        return false;
    if (entry.source != IRI_STATE_VALUE)
        iri_fail(l->ctx, IRI_UNSPECIFIED_STATE, IRI_NO_OFFSET,
                 "%s must be a number: it is read when lifting", iri_state_get_info(id)->name);
    memcpy(bits, entry.bits, sizeof entry.bits);
    return true;
}

iri_id iri_l9_emit_state(iri_l9 *l, iri_state_id id, uint32_t index)
{
    iri_state_entry entry;
    uint64_t lanes[4];
    bool by_default;
    if (l->options->raw || !iri_find_state(l->options->state, id, index, &entry, &by_default) ||
        entry.source != IRI_STATE_VALUE)
        return iri_emit_state(l->b, id, index);
    if (by_default)
        l->default_states[id] |= 1u << index;
    for (uint32_t i = 0; i < 4; i++)
        lanes[i] = entry.bits[i];
    return iri_const(l->b, iri_state_get_info(id)->type, lanes);
}

static bool is_position(const iri_l9 *l, const iri_l9_output *out)
{
    return iri_builder_program(l->b)->interface.outputs[out->io].system_value == IRI_SV_POSITION;
}

/* Those that are on, for a program that has a position to clip. */
static uint32_t clip_planes(iri_l9 *l)
{
    uint32_t bits[4];
    bool position = false;
    for (uint32_t i = 0; i < l->output_count; i++)
        position |= is_position(l, &l->outputs[i]);
    return position && iri_l9_state(l, IRI_STATE_CLIP_PLANES, 0, bits) ? bits[0] & 0x3fu : 0;
}

static uint32_t count_bits(uint32_t x)
{
    uint32_t count = 0;
    for (; x; x &= x - 1)
        count++;
    return count;
}

static const iri_l9_output *find_target(const iri_l9 *l)
{
    for (uint32_t i = 0; i < l->output_count; i++)
        if (l->outputs[i].target)
            return &l->outputs[i];
    return NULL;
}

void iri_l9_declare_state(iri_l9 *l)
{
    uint32_t planes = count_bits(clip_planes(l));
    for (uint32_t first = 0; first < planes; first += 4) {
        uint32_t lanes = planes - first < 4 ? planes - first : 4;
        iri_io io = {.name = "SV_ClipDistance",
                     .index = first / 4,
                     .type = IRI_TYPE(IRI_F32, lanes),
                     .system_value = IRI_SV_CLIP_DISTANCE,
                     .reg = (uint16_t)(first / 4),
                     .lanes = (uint8_t)((1u << lanes) - 1),
                     .used = (uint8_t)((1u << lanes) - 1),
                     .flags = IRI_IO_GENERATED,
                     .offset = IRI_NO_OFFSET};
        l->clip_io[first / 4] = iri_add_output(l->b, &io);
    }
    iri_builder_program(l->b)->interface.facts.clip_count = (uint8_t)planes;
    if (l->vertex || l->major >= 3 || !find_target(l))
        return;
    iri_io fog = {.name = "FOG",
                  .type = IRI_TYPE_F32,
                  .interpolation = IRI_INTERPOLATION_LINEAR,
                  .lanes = 1,
                  .used = 1,
                  .flags = IRI_IO_IMPLICIT | IRI_IO_GENERATED,
                  .offset = IRI_NO_OFFSET};
    l->fog_factor = iri_add_input(l->b, &fog) + 1;
    iri_io position = {.name = "SV_Position",
                       .type = IRI_TYPE_VEC4F,
                       .system_value = IRI_SV_POSITION,
                       .interpolation = IRI_INTERPOLATION_LINEAR,
                       .lanes = 15,
                       .used = 4,
                       .flags = IRI_IO_IMPLICIT | IRI_IO_GENERATED,
                       .offset = IRI_NO_OFFSET};
    l->fog_depth = iri_add_input(l->b, &position) + 1;
}

/* ---- fog ---- */

static iri_id is(iri_l9 *l, iri_id state, uint32_t number)
{
    return iri_emit2(l->b, IRI_OP_IEQ, state, iri_const_u32(l->b, number));
}

/* How much of the colour fog leaves: 1 none of it fogged. By depth for modes 1 to 3, for 4 the vertex
 * program's factor, of which NaN counts as 1. */
static iri_id fog_factor(iri_l9 *l, iri_id mode)
{
    iri_builder *b = l->b;
    iri_id depth = iri_emit_input(b, l->fog_depth - 1, IRI_LANES1(2));
    iri_id given = iri_emit_input(b, l->fog_factor - 1, IRI_LANES1(0));
    iri_id end = iri_l9_emit_state(l, IRI_STATE_FOG_END, 0);
    iri_id start = iri_l9_emit_state(l, IRI_STATE_FOG_START, 0);
    iri_id thick = iri_emit2(b, IRI_OP_MUL, depth, iri_l9_emit_state(l, IRI_STATE_FOG_DENSITY, 0));
    iri_id log2e = iri_const_f32(b, -1.44269504088896340736f);
    iri_id exp1 = iri_emit1(b, IRI_OP_EXP2, iri_emit2(b, IRI_OP_MUL, thick, log2e));
    iri_id exp2 = iri_emit1(
        b, IRI_OP_EXP2, iri_emit2(b, IRI_OP_MUL, iri_emit2(b, IRI_OP_MUL, thick, thick), log2e));
    iri_id range = iri_emit2(b, IRI_OP_SUB, end, start);
    iri_id line = iri_emit2(b, IRI_OP_DIV, iri_emit2(b, IRI_OP_SUB, end, depth), range);
    iri_id factor = iri_emit_select(b, is(l, mode, 3), line, given);
    factor = iri_emit_select(b, is(l, mode, 2), exp2, factor);
    factor = iri_emit_select(b, is(l, mode, 1), exp1, factor);
    iri_id number = iri_emit2(b, IRI_OP_EQ, factor, factor);
    iri_id one = iri_const_f32(b, 1);
    return iri_emit_select(b, number, iri_emit1(b, IRI_OP_SATURATE_ZERO, factor), one);
}

/* Whether a state is known to be a number. */
static bool is_known(const iri_l9 *l, iri_id state, uint32_t *number)
{
    uint64_t lanes[4];
    if (!iri_get_const(l->b, state, lanes))
        return false;
    *number = (uint32_t)lanes[0];
    return true;
}

static iri_id apply_fog(iri_l9 *l, iri_id colour)
{
    iri_builder *b = l->b;
    uint32_t known;
    if (!l->fog_factor)
        return colour;
    iri_lanes rgb = iri_lanes_first(3);
    iri_id mode = iri_l9_emit_state(l, IRI_STATE_FOG_MODE, 0);
    iri_id fog = iri_l9_emit_state(l, IRI_STATE_FOG_COLOR, 0);
    if (is_known(l, mode, &known) && known == 0) {
        /* Without fog nothing else is read; that defaults were taken is said of all alike. */
        for (uint32_t id = IRI_STATE_FOG_START; id <= IRI_STATE_FOG_DENSITY; id++)
            (void)iri_l9_emit_state(l, (iri_state_id)id, 0);
        return colour;
    }
    iri_id factor = iri_emit_splat(b, fog_factor(l, mode), 3);
    iri_id plain = iri_emit_swizzle(b, colour, rgb);
    iri_id mixed = iri_emit2(b, IRI_OP_MUL, factor, iri_emit2(b, IRI_OP_SUB, plain, fog));
    mixed = iri_emit_insert(b, colour, iri_emit2(b, IRI_OP_ADD, mixed, fog), rgb);
    return iri_emit_select(b, is(l, mode, 0), colour, mixed);
}

/* ---- the alpha test ---- */

/* A NaN passes `notequal` and `always` only. */
static void test_alpha(iri_l9 *l, iri_id colour)
{
    static const uint8_t ops[8] = {[2] = IRI_OP_LT, [3] = IRI_OP_EQ, [4] = IRI_OP_LE,
                                   [5] = IRI_OP_GT, [6] = IRI_OP_NE, [7] = IRI_OP_GE};
    enum { ALWAYS = 8 };
    iri_builder *b = l->b;
    uint32_t known = 0;
    iri_id func = iri_l9_emit_state(l, IRI_STATE_ALPHA_FUNC, 0);
    iri_id ref = iri_l9_emit_state(l, IRI_STATE_ALPHA_REF, 0);
    bool is_number = is_known(l, func, &known);
    if (is_number && known == ALWAYS)
        return;
    iri_id alpha = iri_emit_swizzle(b, colour, IRI_LANES1(3)), pass = is(l, func, ALWAYS);
    for (uint32_t i = 2; i < 8; i++) {
        if (is_number && known != i)
            continue;
        iri_id held = iri_emit2(b, (iri_op)ops[i], alpha, ref);
        held = iri_emit2(b, IRI_OP_AND, is(l, func, i), held);
        pass = iri_emit2(b, IRI_OP_OR, pass, held);
    }
    iri_id fail = iri_emit1(b, IRI_OP_NOT, pass);
    iri_emit(b, IRI_OP_DEMOTE, IRI_TYPE_VOID, &fail, 1, NULL, 0);
}

/* ---- outputs ---- */

static const char *lane_names(uint32_t lanes, char text[5])
{
    char *at = text;
    for (uint32_t i = 0; i < 4; i++)
        if (lanes >> i & 1)
            *at++ = "xyzw"[i];
    *at = 0;
    return text;
}

static iri_id load_output(iri_l9 *l, uint32_t slot, iri_lanes lanes)
{
    if (l->o_array && slot >= IRI_L9_O)
        return iri_emit_load_local(l->b, l->o_array, lanes, iri_const_u32(l->b, slot - IRI_L9_O));
    return iri_l9_load(l, slot, lanes);
}

/* The lanes of an output; those no instruction writes are zero. */
static iri_id output_value(iri_l9 *l, const iri_l9_output *out)
{
    iri_builder *b = l->b;
    uint32_t written = l->relative_o && out->slot >= IRI_L9_O ? 15u : l->written.at[out->slot];
    uint32_t lanes = out->lanes, have = written & out->own, count = iri_l9_count_lanes(lanes);
    iri_id value = 0;
    if (have != lanes) {
        const iri_io *io = &iri_builder_program(b)->interface.outputs[out->io];
        char text[5], label[64];
        iri_add_note(b, "unwritten-output", io->offset, "%s.%s is never written and taken as zero",
                     iri_io_label(io, label), lane_names(lanes & ~have, text));
    }
    if (have)
        value = load_output(l, out->slot, iri_lanes_from_bits(have));
    if (have == lanes)
        return value;
    iri_id zero = iri_const_zero(b, IRI_TYPE(IRI_F32, count));
    uint32_t positions = 0;
    for (uint32_t i = 0, at = 0; i < 4; i++)
        if (lanes >> i & 1)
            positions |= (have >> i & 1u) << at++;
    return have ? iri_emit_insert(b, zero, value, iri_lanes_from_bits(positions)) : zero;
}

static void emit_clip_distances(iri_l9 *l, iri_id position)
{
    uint32_t planes = clip_planes(l), count = 0;
    iri_id distances[6];
    for (uint32_t i = 0; i < 6; i++)
        if (planes >> i & 1)
            distances[count++] = iri_emit2(l->b, IRI_OP_DOT, position,
                                           iri_l9_emit_state(l, IRI_STATE_CLIP_PLANE, i));
    for (uint32_t first = 0; first < count; first += 4) {
        uint32_t lanes = count - first < 4 ? count - first : 4;
        iri_id value =
            lanes > 1 ? iri_emit_compose(l->b, distances + first, lanes) : distances[first];
        l->clip_value[first / 4] = value;
    }
}

/* The instruction that an output is said to come from: the last one of the stream that writes it. */
static uint32_t written_at(const iri_l9 *l, const iri_l9_output *out)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < 4; i++)
        if (out->lanes >> i & 1 && l->last_write[out->slot][i] > last)
            last = l->last_write[out->slot][i];
    return last ? last : IRI_NO_OFFSET; /* 0 is the version's */
}

void iri_l9_finish_main(iri_l9 *l)
{
    iri_builder *b = l->b;
    iri_id values[sizeof l->outputs / sizeof *l->outputs];
    iri_set_offset(b, IRI_NO_OFFSET);
    iri_set_relaxed(b, false);
    for (uint32_t i = 0; i < l->output_count; i++) {
        const iri_l9_output *out = &l->outputs[i];
        values[i] = output_value(l, out);
        if (out->saturate)
            values[i] = iri_emit1(b, IRI_OP_SATURATE_ZERO, values[i]);
        if (out->target) {
            test_alpha(l, values[i]);
            values[i] = apply_fog(l, values[i]);
        }
        if (is_position(l, out))
            emit_clip_distances(l, values[i]);
    }
    for (uint32_t i = 0; i < l->output_count; i++) {
        iri_set_offset(b, written_at(l, &l->outputs[i]));
        iri_emit_output(b, l->outputs[i].io,
                        iri_lanes_first(IRI_TYPE_LANES(iri_builder_type(b, values[i]))), values[i]);
    }
    iri_set_offset(b, IRI_NO_OFFSET);
    for (uint32_t i = 0; i < 2; i++)
        if (l->clip_value[i])
            iri_emit_output(b, l->clip_io[i],
                            iri_lanes_first(IRI_TYPE_LANES(iri_builder_type(b, l->clip_value[i]))),
                            l->clip_value[i]);
    iri_emit_return(b, NULL, 0);
}

void iri_l9_note_states(iri_l9 *l)
{
    iri_note_default_states(l->b, l->default_states);
}
