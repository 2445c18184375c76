/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How an entry point carries a program's interface. The built-ins are those of WGSL section 13.3
 * and mean the same in Vulkan.
 */
#include "write/entry_io.h"

#include "base/buf.h"
#include <string.h>

/* The built-in of a system value, as a stage's input or output. */
static uint8_t builtin_of(iri_stage stage, uint8_t system_value, bool output)
{
    bool vertex = stage == IRI_STAGE_VERTEX, pixel = stage == IRI_STAGE_PIXEL;
    switch ((iri_system_value)system_value) {
    case IRI_SV_NONE: return IRI_ENTRY_LOCATION;
    case IRI_SV_POSITION:
        /* Direct3D's vertex programs may call an input so; it is an ordinary attribute. */
        return vertex && !output                          ? IRI_ENTRY_LOCATION
               : (vertex && output) || (pixel && !output) ? IRI_ENTRY_POSITION
                                                          : IRI_ENTRY_UNSUPPORTED;
    case IRI_SV_CLIP_DISTANCE: return output ? IRI_ENTRY_CLIP_DISTANCES : IRI_ENTRY_LOCATION;
    case IRI_SV_VERTEX_ID:
        return vertex && !output ? IRI_ENTRY_VERTEX_INDEX : IRI_ENTRY_UNSUPPORTED;
    case IRI_SV_INSTANCE_ID:
        return vertex && !output ? IRI_ENTRY_INSTANCE_INDEX : IRI_ENTRY_LOCATION;
    case IRI_SV_IS_FRONT_FACE:
        return pixel && !output ? IRI_ENTRY_FRONT_FACING : IRI_ENTRY_UNSUPPORTED;
    case IRI_SV_SAMPLE_INDEX:
        return pixel && !output ? IRI_ENTRY_SAMPLE_INDEX : IRI_ENTRY_UNSUPPORTED;
    case IRI_SV_COVERAGE: return pixel ? IRI_ENTRY_SAMPLE_MASK : IRI_ENTRY_UNSUPPORTED;
    case IRI_SV_TARGET: return pixel && output ? IRI_ENTRY_LOCATION : IRI_ENTRY_UNSUPPORTED;
    case IRI_SV_DEPTH: return pixel && output ? IRI_ENTRY_FRAG_DEPTH : IRI_ENTRY_UNSUPPORTED;
    case IRI_SV_POINT_SIZE: return output ? IRI_ENTRY_DROPPED : IRI_ENTRY_LOCATION;
    case IRI_SV_DISPATCH_THREAD_ID: return IRI_ENTRY_GLOBAL_INVOCATION_ID;
    case IRI_SV_GROUP_ID: return IRI_ENTRY_WORKGROUP_ID;
    case IRI_SV_GROUP_THREAD_ID: return IRI_ENTRY_LOCAL_INVOCATION_ID;
    case IRI_SV_GROUP_INDEX: return IRI_ENTRY_LOCAL_INVOCATION_INDEX;
    case IRI_SV_CULL_DISTANCE:
    case IRI_SV_PRIMITIVE_ID:
    case IRI_SV_COUNT: break;
    }
    return IRI_ENTRY_UNSUPPORTED;
}

/* Which type the entry point declares: a built-in's own, four lanes for a colour. */
static iri_type type_of(const iri_io *element, uint8_t builtin)
{
    switch ((iri_entry_builtin)builtin) {
    case IRI_ENTRY_POSITION: return IRI_TYPE_VEC4F;
    case IRI_ENTRY_FRAG_DEPTH:
    case IRI_ENTRY_CLIP_DISTANCES: return IRI_TYPE_F32;
    case IRI_ENTRY_FRONT_FACING: return IRI_TYPE_BOOL;
    case IRI_ENTRY_VERTEX_INDEX:
    case IRI_ENTRY_INSTANCE_INDEX:
    case IRI_ENTRY_SAMPLE_INDEX:
    case IRI_ENTRY_LOCAL_INVOCATION_INDEX:
    case IRI_ENTRY_SAMPLE_MASK: return IRI_TYPE_U32;
    case IRI_ENTRY_GLOBAL_INVOCATION_ID:
    case IRI_ENTRY_WORKGROUP_ID:
    case IRI_ENTRY_LOCAL_INVOCATION_ID: return IRI_TYPE(IRI_U32, 3);
    case IRI_ENTRY_LOCATION:
        if (element->system_value == IRI_SV_TARGET)
            return IRI_TYPE(IRI_TYPE_SCALAR(element->type), 4);
        break;
    case IRI_ENTRY_DROPPED:
    case IRI_ENTRY_UNSUPPORTED:
    case IRI_ENTRY_BUILTIN_COUNT: break;
    }
    return element->type;
}

static bool reads_input(const iri_program *p, uint32_t index)
{
    for (iri_id i = 1; i < p->inst_count; i++)
        if (p->insts[i].op == IRI_OP_INPUT && iri_immediates(p, &p->insts[i])[0] == index)
            return true;
    return false;
}

/* What only pipeline state would make used, and nothing here reads. */
static bool is_left_out(const iri_program *p, uint32_t index)
{
    return (p->interface.inputs[index].flags & IRI_IO_IMPLICIT) && !reads_input(p, index);
}

static const char *name_of(iri_arena *arena, const iri_io *element)
{
    size_t size = strlen(element->name);
    char *name = iri_arena_take(arena, size + IRI_UINT_TEXT + 1);
    memcpy(name, element->name, size);
    size += iri_print_uint(name + size, element->index);
    name[size] = 0;
    return name;
}

static iri_entry_value value_of(iri_ctx *ctx, iri_arena *arena, iri_stage stage, const iri_io *e,
                                uint32_t index, bool output)
{
    uint8_t builtin = builtin_of(stage, e->system_value, output);
    if (builtin == IRI_ENTRY_UNSUPPORTED)
        iri_fail(ctx, IRI_UNWRITABLE, e->offset, "a %s program's %s %s%u is no built-in there",
                 iri_stage_name(stage), output ? "output" : "input", e->name, e->index);
    return (iri_entry_value){
        .name = name_of(arena, e),
        .element = index,
        .type = type_of(e, builtin),
        .builtin = builtin,
        .interpolation = e->interpolation,
        .location = -1,
    };
}

static void make_inputs(iri_ctx *ctx, iri_arena *arena, const iri_program *p, iri_entry_io *io)
{
    const iri_interface *face = &p->interface;
    io->inputs = iri_new_array(arena, iri_entry_value, face->input_count);
    io->input_at = iri_new_array(arena, uint32_t, face->input_count);
    int32_t location = 0;
    for (uint32_t i = 0; i < face->input_count; i++) {
        io->input_at[i] = UINT32_MAX;
        if (is_left_out(p, i))
            continue;
        iri_entry_value v = value_of(ctx, arena, p->stage, &face->inputs[i], i, false);
        if (v.builtin == IRI_ENTRY_LOCATION)
            v.location = location++;
        io->input_at[i] = io->input_count;
        io->inputs[io->input_count++] = v;
    }
}

static void make_outputs(iri_ctx *ctx, iri_arena *arena, const iri_program *p, bool clip_distances,
                         iri_entry_io *io)
{
    const iri_interface *face = &p->interface;
    int32_t location = 0;
    uint32_t clip = UINT32_MAX;
    for (uint32_t i = 0; i < face->output_count; i++) {
        const iri_io *e = &face->outputs[i];
        iri_entry_value v = value_of(ctx, arena, p->stage, e, i, true);
        io->output_at[i] = UINT32_MAX;
        if (v.builtin == IRI_ENTRY_DROPPED) {
            io->point_size = i;
            continue;
        }
        if (v.builtin == IRI_ENTRY_CLIP_DISTANCES && !clip_distances) {
            io->clip_varyings = true;
            v.builtin = IRI_ENTRY_LOCATION;
            v.type = e->type;
        }
        if (v.builtin == IRI_ENTRY_CLIP_DISTANCES) {
            io->clip_at[i] = io->clip_count;
            io->clip_count += IRI_TYPE_LANES(e->type);
            if (clip != UINT32_MAX) {
                io->output_at[i] = clip;
                io->outputs[clip].array = io->clip_count;
                continue;
            }
            clip = io->output_count;
            v.name = "clip_distances";
            v.array = io->clip_count;
        }
        if (v.builtin == IRI_ENTRY_LOCATION)
            v.location = e->system_value == IRI_SV_TARGET ? (int32_t)e->index : location++;
        io->output_at[i] = io->output_count;
        io->outputs[io->output_count++] = v;
    }
}

static bool same_word(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a;
        char y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
        if (x != y)
            return false;
    }
    return *a == *b;
}

/* The linked pixel program's inputs decide where a vertex program's outputs go. What it does not read
 * follows after; what it reads and is not written is an output of zeros. */
static void link(iri_ctx *ctx, iri_arena *arena, const iri_program *p, const iri_program *pixel,
                 iri_entry_io *io)
{
    iri_entry_io other = {0};
    make_inputs(ctx, arena, pixel, &other);
    int32_t next = 0;
    for (uint32_t k = 0; k < io->output_count; k++)
        if (io->outputs[k].builtin == IRI_ENTRY_LOCATION)
            io->outputs[k].location = -1;
    for (uint32_t i = 0; i < other.input_count; i++) {
        const iri_entry_value *in = &other.inputs[i];
        const iri_io *wanted = &pixel->interface.inputs[in->element];
        if (in->builtin != IRI_ENTRY_LOCATION)
            continue;
        iri_entry_value *out = NULL;
        for (uint32_t k = 0; k < io->output_count && !out; k++) {
            uint32_t element = io->outputs[k].element;
            if (io->outputs[k].builtin == IRI_ENTRY_LOCATION && element != UINT32_MAX &&
                p->interface.outputs[element].index == wanted->index &&
                same_word(p->interface.outputs[element].name, wanted->name))
                out = &io->outputs[k];
        }
        if (out && IRI_TYPE_SCALAR(out->type) != IRI_TYPE_SCALAR(in->type))
            iri_fail(ctx, IRI_UNWRITABLE, IRI_NO_OFFSET,
                     "%s is %s here and %s in the pixel program", in->name,
                     iri_type_name(out->type), iri_type_name(in->type));
        if (!out) {
            out = &io->outputs[io->output_count++];
            *out = *in;
            out->element = UINT32_MAX;
        }
        out->type = in->type;
        out->interpolation = in->interpolation;
        out->location = in->location;
        if (in->location >= next)
            next = in->location + 1;
    }
    for (uint32_t k = 0; k < io->output_count; k++)
        if (io->outputs[k].builtin == IRI_ENTRY_LOCATION && io->outputs[k].location < 0)
            io->outputs[k].location = next++;
}

void iri_entry_io_make(iri_ctx *ctx, iri_arena *arena, const iri_program *p,
                       const iri_program *linked, bool clip_distances, iri_entry_io *io)
{
    const iri_interface *face = &p->interface;
    size_t outputs = face->output_count + (linked ? (size_t)linked->interface.input_count : 0);
    memset(io, 0, sizeof *io);
    io->point_size = UINT32_MAX;
    io->outputs = iri_new_array(arena, iri_entry_value, outputs);
    io->output_at = iri_new_array(arena, uint32_t, face->output_count);
    io->clip_at = iri_new_array(arena, uint32_t, face->output_count);
    make_inputs(ctx, arena, p, io);
    make_outputs(ctx, arena, p, clip_distances, io);
    if (linked && p->stage == IRI_STAGE_VERTEX)
        link(ctx, arena, p, linked, io);
}
