/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a module declares before its functions: overrides, resources, the struct of the outputs; and how the entry
 * point takes its inputs.
 */
#include "write/wgsl/memory.h"

void iri_wgsl_put_binding(iri_buf *out, const iri_binding *binding)
{
    iri_buf_put(out, IRI_STR("@group("));
    iri_buf_uint(out, binding->group);
    iri_buf_put(out, IRI_STR(") @binding("));
    iri_buf_uint(out, binding->binding);
    iri_buf_put(out, IRI_STR(") "));
}

static void write_states(iri_wgsl *w, iri_buf *out)
{
    const iri_interface *io = &w->p->interface;
    bool any = false;
    for (uint32_t i = 0; i < io->state_count; i++) {
        const iri_state_info *info = iri_state_get_info((iri_state_id)io->states[i].id);
        if (io->states[i].source != IRI_STATE_OVERRIDE || !w->overrides[i].at)
            continue;
        iri_buf_put(out, IRI_STR("override "));
        iri_buf_put(out, w->overrides[i]);
        iri_buf_put(out, IRI_STR(": "));
        iri_buf_put(out, iri_wgsl_type(w, info->type));
        iri_buf_put(out, IRI_STR(" = "));
        iri_buf_put(out,
                    iri_wgsl_literal(w, IRI_TYPE_SCALAR(info->type), io->states[i].bits[0]).text);
        iri_buf_put(out, IRI_STR("; // "));
        iri_buf_str(out, info->meaning);
        iri_buf_char(out, '\n');
        any = true;
    }
    if (any)
        iri_buf_char(out, '\n');
    w->declared = any;
}

static void write_resources(iri_wgsl *w, iri_buf *out)
{
    const iri_interface *io = &w->p->interface;
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        if (r->kind == IRI_RESOURCE_CBUFFER) {
            iri_wgsl_declare_constants(w, out, i);
            continue;
        }
        w->declared = true;
        if (r->kind == IRI_RESOURCE_BUFFER || r->kind == IRI_RESOURCE_STORAGE_BUFFER) {
            iri_wgsl_declare_buffer(w, out, i);
            continue;
        }
        iri_wgsl_put_binding(out, &w->resources[i].binding);
        iri_buf_put(out, IRI_STR("var "));
        iri_buf_put(out, w->resources[i].name);
        iri_buf_put(out, IRI_STR(": "));
        if (r->kind == IRI_RESOURCE_STORAGE_TEXTURE)
            iri_buf_str(out, iri_wgsl_storage_texture_type(w, r));
        else
            iri_buf_put(out, r->kind == IRI_RESOURCE_TEXTURE ? iri_wgsl_texture_type(w, r)
                             : r->comparison                 ? IRI_STR("sampler_comparison")
                                                             : IRI_STR("sampler"));
        iri_buf_put(out, IRI_STR(";\n"));
    }
    iri_wgsl_declare_counters(w, out);
}

static void write_private_inputs(iri_wgsl *w, iri_buf *out)
{
    bool any = false;
    for (uint32_t i = 0; i < w->io.input_count; i++) {
        if (w->input_names[i].at == w->argument_names[i].at)
            continue;
        if (!any)
            iri_buf_char(out, '\n');
        iri_buf_put(out, IRI_STR("var<private> "));
        iri_buf_put(out, w->input_names[i]);
        iri_buf_put(out, IRI_STR(": "));
        iri_buf_put(out, iri_wgsl_type(w, w->io.inputs[i].type));
        iri_buf_put(out, IRI_STR(";\n"));
        any = true;
    }
}

/* ---- the entry point's inputs and outputs ---- */

#define TEXT(literal) \
    { \
        literal, sizeof(literal) - 1 \
    }
static const iri_str builtins[IRI_ENTRY_BUILTIN_COUNT] = {
    [IRI_ENTRY_POSITION] = TEXT("@builtin(position) "),
    [IRI_ENTRY_CLIP_DISTANCES] = TEXT("@builtin(clip_distances) "),
    [IRI_ENTRY_VERTEX_INDEX] = TEXT("@builtin(vertex_index) "),
    [IRI_ENTRY_INSTANCE_INDEX] = TEXT("@builtin(instance_index) "),
    [IRI_ENTRY_FRONT_FACING] = TEXT("@builtin(front_facing) "),
    [IRI_ENTRY_SAMPLE_INDEX] = TEXT("@builtin(sample_index) "),
    [IRI_ENTRY_SAMPLE_MASK] = TEXT("@builtin(sample_mask) "),
    [IRI_ENTRY_FRAG_DEPTH] = TEXT("@builtin(frag_depth) "),
    [IRI_ENTRY_GLOBAL_INVOCATION_ID] = TEXT("@builtin(global_invocation_id) "),
    [IRI_ENTRY_WORKGROUP_ID] = TEXT("@builtin(workgroup_id) "),
    [IRI_ENTRY_LOCAL_INVOCATION_ID] = TEXT("@builtin(local_invocation_id) "),
    [IRI_ENTRY_LOCAL_INVOCATION_INDEX] = TEXT("@builtin(local_invocation_index) "),
};
static const iri_str flat = TEXT("@interpolate(flat) ");
static const iri_str interpolations[IRI_INTERPOLATION_COUNT] = {
    [IRI_INTERPOLATION_LINEAR_CENTROID] = TEXT("@interpolate(perspective, centroid) "),
    [IRI_INTERPOLATION_LINEAR_SAMPLE] = TEXT("@interpolate(perspective, sample) "),
    [IRI_INTERPOLATION_NO_PERSPECTIVE] = TEXT("@interpolate(linear) "),
    [IRI_INTERPOLATION_NO_PERSPECTIVE_CENTROID] = TEXT("@interpolate(linear, centroid) "),
    [IRI_INTERPOLATION_NO_PERSPECTIVE_SAMPLE] = TEXT("@interpolate(linear, sample) "),
    [IRI_INTERPOLATION_FLAT] = TEXT("@interpolate(flat) "),
};
#undef TEXT

static void put_attributes(iri_buf *out, const iri_entry_value *v, bool varying)
{
    bool integer = IRI_TYPE_SCALAR(v->type) == IRI_I32 || IRI_TYPE_SCALAR(v->type) == IRI_U32;
    if (v->builtin != IRI_ENTRY_LOCATION) {
        iri_buf_put(out, builtins[v->builtin]);
        return;
    }
    iri_buf_put(out, IRI_STR("@location("));
    iri_buf_uint(out, (uint32_t)v->location);
    iri_buf_put(out, IRI_STR(") "));
    if (varying)
        iri_buf_put(out, integer ? flat : interpolations[v->interpolation]);
}

void iri_wgsl_write_arguments(iri_wgsl *w, iri_buf *out)
{
    bool pixel = w->p->stage == IRI_STAGE_PIXEL, several = w->io.input_count > 1;
    for (uint32_t i = 0; i < w->io.input_count; i++) {
        const iri_entry_value *v = &w->io.inputs[i];
        if (several)
            iri_buf_put(out, IRI_STR("\n    "));
        put_attributes(out, v, pixel);
        iri_buf_put(out, w->argument_names[i]);
        iri_buf_put(out, IRI_STR(": "));
        iri_buf_put(out, iri_wgsl_type(w, v->type));
        if (several)
            iri_buf_char(out, ',');
    }
    iri_buf_put(out, several ? IRI_STR("\n)") : IRI_STR(")"));
}

static void write_out_struct(iri_wgsl *w, iri_buf *out)
{
    bool vertex = w->p->stage == IRI_STAGE_VERTEX;
    if (!w->io.output_count)
        return;
    if (w->declared)
        iri_buf_char(out, '\n');
    iri_buf_put(out, IRI_STR("struct "));
    iri_buf_put(out, w->out_struct);
    iri_buf_put(out, IRI_STR(" {\n"));
    for (uint32_t i = 0; i < w->io.output_count; i++) {
        const iri_entry_value *v = &w->io.outputs[i];
        iri_buf_put(out, IRI_STR("    "));
        put_attributes(out, v, vertex);
        iri_buf_put(out, w->output_names[i]);
        iri_buf_put(out, IRI_STR(": "));
        if (v->array) {
            iri_buf_put(out, IRI_STR("array<f32, "));
            iri_buf_uint(out, v->array);
            iri_buf_char(out, '>');
        } else {
            iri_buf_put(out, iri_wgsl_type(w, v->type));
        }
        iri_buf_put(out, IRI_STR(",\n"));
    }
    iri_buf_put(out, IRI_STR("}\n"));
}

void iri_wgsl_declare(iri_wgsl *w, iri_buf *out)
{
    write_states(w, out);
    write_resources(w, out);
    write_out_struct(w, out);
    write_private_inputs(w, out);
    iri_wgsl_declare_group(w, out);
}
