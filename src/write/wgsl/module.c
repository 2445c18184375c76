/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A WGSL module from top to bottom: header comment, directives, overrides, resources, structs,
 * functions, the entry point.
 */
#include "write/wgsl/memory.h"

#include "ir/facts/uniform.h"
#include "write/profile.h"
#include "write/wgsl/words.h"
#include <stdio.h>
#include <string.h>

void iri_wgsl_note(iri_wgsl *w, const char *kind, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = 0;
    va_end(arguments);
    iri_note note = {kind, iri_arena_copy_text(w->arena, text, strlen(text)), IRI_NO_OFFSET};
    iri_push(w->arena, &w->result->notes, note);
}

static void map_name(iri_wgsl *w, const char *source, const char *emitted, uint32_t kind,
                     uint32_t index, const iri_binding *binding, int32_t location)
{
    iri_emitted_name name = {source,
                             emitted,
                             kind,
                             index,
                             binding ? (int32_t)binding->group : -1,
                             binding ? (int32_t)binding->binding : -1,
                             location};
    iri_push(w->arena, &w->result->names, name);
}

void iri_wgsl_map_name(iri_wgsl *w, const char *source, const char *emitted, uint32_t kind,
                       uint32_t index, const iri_binding *binding)
{
    map_name(w, source, emitted, kind, index, binding, -1);
}

/* ---- names ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    for (size_t i = 0; a > b && i < b; i++) {
        char c = text[a - b + i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c + 32) : c) != end[i])
            return false;
    }
    return a > b;
}

/* Direct3D 9 has one name for a texture and its sampler. If it says "sampler" it is the sampler's, and
 * the texture has it without; otherwise it is the texture's. */
static const char *resource_name(iri_wgsl *w, const iri_resource *r)
{
    static const char *const banks[] = {"constants", "integers", "booleans"};
    char label[32];
    bool d3d9 = strcmp(w->p->provenance.format, "d3d9") == 0;
    if (r->flags & IRI_RESOURCE_STATE)
        return "state";
    if (!r->name || !r->name[0]) {
        if (d3d9 && r->kind == IRI_RESOURCE_CBUFFER && r->reg < 3 && !r->space)
            return banks[r->reg];
        iri_resource_label(r, label);
        return iri_arena_copy_text(w->arena, label, strlen(label));
    }
    const char *name = iri_names_clean(w->arena, r->name, "resource");
    bool says_sampler = ends_with(name, "sampler");
    if (r->kind == IRI_RESOURCE_TEXTURE && says_sampler) {
        size_t size = strlen(name) - strlen("sampler");
        while (size > 1 && name[size - 1] == '_')
            size--;
        return iri_arena_copy_text(w->arena, name, size);
    }
    if (r->kind == IRI_RESOURCE_SAMPLER && !says_sampler)
        return iri_wgsl_printf(w, "%s_sampler", name);
    if (r->kind == IRI_RESOURCE_CBUFFER) {
        char *lower = iri_arena_copy_text(w->arena, name, strlen(name));
        if (lower[0] >= 'A' && lower[0] <= 'Z')
            lower[0] = (char)(lower[0] - 'A' + 'a');
        return lower;
    }
    return name;
}

static void name_resources(iri_wgsl *w)
{
    const iri_interface *io = &w->p->interface;
    char label[32];
    iri_binding *bindings = iri_plan_bindings(w->ctx, w->arena, w->p, &w->options->bindings);
    w->resources = iri_new_array(w->arena, iri_wgsl_resource, io->resource_count);
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        const char *source = r->name && r->name[0] ? r->name : iri_resource_label(r, label);
        w->resources[i].binding = bindings[i];
        w->resources[i].name = iri_names_claim(&w->names, resource_name(w, r), "resource");
        map_name(w, iri_arena_copy_text(w->arena, source, strlen(source)), w->resources[i].name, 0,
                 i, &bindings[i], -1);
    }
}

static void name_states(iri_wgsl *w)
{
    const iri_interface *io = &w->p->interface;
    w->overrides = iri_new_array(w->arena, const char *, io->state_count);
    for (uint32_t i = 0; i < io->state_count; i++) {
        const iri_state_entry *s = &io->states[i];
        const iri_state_info *info = iri_state_get_info((iri_state_id)s->id);
        uint64_t lanes[4] = {s->bits[0], s->bits[1], s->bits[2], s->bits[3]};
        if (s->source == IRI_STATE_VALUE)
            w->overrides[i] = iri_wgsl_constant(w, info->type, lanes).text;
        if (s->source != IRI_STATE_OVERRIDE)
            continue;
        if (IRI_TYPE_LANES(info->type) > 1)
            iri_fail(w->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET,
                     "the state %s is a vector, and a WGSL override is a scalar", info->name);
        const char *name =
            info->count > 1 ? iri_wgsl_printf(w, "%s%u", info->name, s->index) : info->name;
        w->overrides[i] = iri_names_claim(&w->names, name, "state");
        map_name(w, name, w->overrides[i], 4, i, NULL, -1);
    }
}

static void look_at_input(const iri_program *p, iri_id inst, void *argument)
{
    const iri_inst *in = &p->insts[inst];
    if (in->op == IRI_OP_INPUT)
        iri_bitset_add(argument, iri_immediates(p, in)[0]);
}

/* Inputs that something other than the entry point reads. */
static iri_bitset shared_inputs(iri_wgsl *w)
{
    const iri_program *p = w->p;
    iri_bitset shared = iri_bitset_make(w->arena, p->interface.input_count);
    for (uint32_t f = 1; f < p->function_count; f++)
        if (f != p->entry && p->functions[f].body)
            iri_walk(p, p->functions[f].body, look_at_input, &shared);
    return shared;
}

static void name_entry(iri_wgsl *w)
{
    iri_bitset shared = shared_inputs(w);
    iri_names members;
    iri_names_init(&members, w->arena, iri_wgsl_is_reserved, NULL);
    w->input_names = iri_new_array(w->arena, const char *, w->io.input_count);
    w->argument_names = iri_new_array(w->arena, const char *, w->io.input_count);
    w->output_names = iri_new_array(w->arena, const char *, w->io.output_count);
    for (uint32_t i = 0; i < w->io.input_count; i++) {
        const iri_entry_value *v = &w->io.inputs[i];
        w->input_names[i] = w->argument_names[i] = iri_names_claim(&w->names, v->name, "input");
        if (iri_bitset_has(&shared, v->element))
            w->argument_names[i] =
                iri_names_claim(&w->names, iri_wgsl_printf(w, "%s_in", v->name), "input");
        map_name(w, v->name, w->argument_names[i], 1, v->element, NULL, v->location);
    }
    for (uint32_t i = 0; i < w->io.output_count; i++) {
        const iri_entry_value *v = &w->io.outputs[i];
        w->output_names[i] = iri_names_claim(&members, v->name, "output");
        if (v->element != UINT32_MAX)
            map_name(w, v->name, w->output_names[i], 2, v->element, NULL, v->location);
    }
    w->out_struct = iri_names_claim(&w->names, "Out", "Out");
}

/* ---- functions ---- */

typedef struct looking {
    iri_wgsl *w;
    bool pure;
    iri_bitset *reached;
    bool more;
} looking;

static void look_at_inst(const iri_program *p, iri_id inst, void *argument)
{
    looking *l = argument;
    const iri_inst *in = &p->insts[inst];
    uint32_t props = iri_props(in->op);
    if (in->op == IRI_OP_CALL) {
        iri_id callee = iri_immediates(p, in)[0];
        if (!l->w->functions[callee].pure)
            l->pure = false;
        if (l->reached && !iri_bitset_has(l->reached, callee)) {
            iri_bitset_add(l->reached, callee);
            l->more = true;
        }
        return;
    }
    if (props & (IRI_PROP_EFFECT | IRI_PROP_CONVERGENT | IRI_PROP_MEMORY_READ))
        l->pure = false;
}

/* A function is pure unless something in it, or in what it calls, is not. */
static void find_pure(iri_wgsl *w)
{
    const iri_program *p = w->p;
    bool changed = true;
    for (uint32_t f = 1; f < p->function_count; f++)
        w->functions[f].pure = p->functions[f].body != 0;
    while (changed) {
        changed = false;
        for (uint32_t f = 1; f < p->function_count; f++) {
            looking l = {w, true, NULL, false};
            if (!w->functions[f].pure)
                continue;
            iri_walk(p, p->functions[f].body, look_at_inst, &l);
            changed = changed || !l.pure;
            w->functions[f].pure = l.pure;
        }
    }
}

static void find_reached(iri_wgsl *w)
{
    const iri_program *p = w->p;
    iri_bitset reached = iri_bitset_make(w->arena, p->function_count);
    looking l = {w, true, &reached, true};
    iri_bitset_add(&reached, p->entry);
    while (l.more) {
        l.more = false;
        for (uint32_t f = 1; f < p->function_count; f++)
            if (iri_bitset_has(&reached, f) && p->functions[f].body)
                iri_walk(p, p->functions[f].body, look_at_inst, &l);
    }
    for (uint32_t f = 1; f < p->function_count; f++) {
        w->functions[f].written = iri_bitset_has(&reached, f);
        if (w->functions[f].written && !p->functions[f].body)
            iri_fail(w->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "the function %s has no body",
                     p->functions[f].name);
    }
}

typedef struct filtering {
    iri_wgsl *w;
    iri_uniform uniform;
    iri_id function;
    bool found;
} filtering;

static void look_at_derivative(const iri_program *p, iri_id inst, void *argument)
{
    filtering *f = argument;
    const iri_inst *in = &p->insts[inst];
    bool derivative = (iri_props(in->op) & IRI_PROP_DERIVATIVE) != 0;
    if (!derivative && in->op != IRI_OP_CALL)
        return;
    if (!iri_bitset_has(&f->uniform.diverged, inst))
        return;
    if (derivative)
        f->w->functions[f->function].derivative = f->found = true;
    else if (!f->w->functions[iri_immediates(p, in)[0]].pure)
        f->w->functions[iri_immediates(p, in)[0]].derivative = f->found = true;
}

/* Derivatives in flow that is not uniform are an error unless a filter says otherwise. The narrowest one
 * that naga's parser takes is an attribute of the function. */
static void find_filters(iri_wgsl *w)
{
    const iri_program *p = w->p;
    filtering f = {.w = w};
    if (p->stage != IRI_STAGE_PIXEL)
        return;
    for (f.function = 1; f.function < p->function_count; f.function++) {
        if (!w->functions[f.function].written || w->functions[f.function].pure)
            continue;
        iri_find_uniform(w->arena, p, f.function, false, &f.uniform);
        iri_walk(p, p->functions[f.function].body, look_at_derivative, &f);
    }
    if (f.found)
        iri_wgsl_note(
            w, "derivative-uniformity",
            "derivatives are taken where only some pixels of a quad may be: they are what "
            "the device makes of them");
}

static void name_functions(iri_wgsl *w)
{
    const iri_program *p = w->p;
    w->functions = iri_new_array(w->arena, iri_wgsl_function, p->function_count);
    find_pure(w);
    find_reached(w);
    find_filters(w);
    for (uint32_t f = 1; f < p->function_count; f++) {
        const iri_function *from = &p->functions[f];
        iri_wgsl_function *to = &w->functions[f];
        if (f == p->entry || !to->written)
            continue;
        to->name = iri_names_claim(&w->names, from->name, "function");
        if (from->result_count == 1)
            to->result = iri_wgsl_type(w, from->result_types[0]);
        if (from->result_count < 2)
            continue;
        const char **members = iri_new_array(w->arena, const char *, from->result_count);
        for (uint32_t i = 0; i < from->result_count; i++)
            members[i] = iri_wgsl_printf(w, "r%u", (unsigned)i);
        to->result_members = members;
        to->result =
            iri_names_claim(&w->names, iri_wgsl_printf(w, "%s_results", to->name), "results");
    }
}

/* What the helpers that legalize adds are for, by the start of their names. */
static const char *helper_comment(const char *name)
{
    static const char *const rows[][2] = {
        {"mul_zero", "a * b, where a zero wins over an infinity or a NaN"},
        {"dot_zero", "dot(a, b), where a zero wins over an infinity or a NaN"},
        {"saturate_zero", "saturate(a), where NaN becomes 0"},
        {"min_lt", "a < b ? a : b, which is b where one is NaN"},
        {"max_ge", "a >= b ? a : b, which is b where one is NaN"},
        {"rcp_max", "1 / a, and the largest number where a is 0"},
        {"rsq_max", "1 / sqrt(|a|), and the largest number where a is 0"},
        {"log2_max", "log2(|a|), and the lowest number where a is 0"},
        {"pow_abs", "|a| to the power of b; 1 where b is 0"},
        {"round_away", "a to the nearest whole number, halves away from zero"},
        {"to_i32", "a truncated and held within i32; NaN becomes 0"},
        {"to_u32", "a truncated and held within u32; NaN becomes 0"},
        {"row_of_", "constants[row], and zero where there is no such row"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(name, rows[i][0], strlen(rows[i][0])) == 0)
            return rows[i][1];
    return NULL;
}

/* Names the parameters and makes the statements of a function. */
static void make_function(iri_wgsl *w, iri_id function)
{
    const iri_function *f = &w->p->functions[function];
    const iri_region *body = &w->p->regions[f->body];
    iri_names_init(&w->locals, w->arena, iri_wgsl_is_reserved, &w->names);
    memset(w->counters, 0, sizeof w->counters);
    for (uint32_t i = 0; i < body->parameter_count; i++) {
        iri_id v = body->parameters + i;
        const char *wanted = strncmp(f->name, "row_of_", 7) == 0 ? "row"
                             : i < 3 ? (const char *[]){"a", "b", "c"}[i]
                                     : "d";
        const char *name = iri_names_claim(&w->locals, wanted, "a");
        w->values[v].expr = (iri_wgsl_expr){.text = name, .level = IRI_LEVEL_POSTFIX};
        w->values[v].named = true;
    }
    iri_wgsl_function_body(w, function, &w->functions[function].body);
}

static void write_function(iri_wgsl *w, iri_buf *out, iri_id function)
{
    const iri_function *f = &w->p->functions[function];
    const iri_wgsl_function *to = &w->functions[function];
    const iri_region *body = &w->p->regions[f->body];
    const char *comment = helper_comment(f->name);
    if (to->result_members) {
        iri_buf_printf(out, "\nstruct %s {\n", to->result);
        for (uint32_t i = 0; i < f->result_count; i++)
            iri_buf_printf(out, "    %s: %s,\n", to->result_members[i],
                           iri_wgsl_type(w, f->result_types[i]));
        iri_buf_str(out, "}\n");
    }
    iri_buf_char(out, '\n');
    if (comment)
        iri_buf_printf(out, "// %s.\n", comment);
    if (to->derivative)
        iri_buf_str(out, "@diagnostic(off, derivative_uniformity)\n");
    iri_buf_printf(out, "fn %s(", to->name);
    for (uint32_t i = 0; i < body->parameter_count; i++) {
        iri_id v = body->parameters + i;
        iri_buf_printf(out, "%s%s: %s", i ? ", " : "", w->values[v].expr.text,
                       iri_wgsl_type(w, iri_type_of(w->p, v)));
    }
    iri_buf_str(out, ")");
    if (to->result)
        iri_buf_printf(out, " -> %s", to->result);
    iri_buf_str(out, " {\n");
    iri_stmt_print(w, out, &to->body, 4);
    iri_buf_str(out, "}\n");
}

/* ---- the entry point ---- */

static const char *attributes(iri_wgsl *w, const iri_entry_value *v, bool varying)
{
    static const char *const builtins[IRI_ENTRY_BUILTIN_COUNT] = {
        [IRI_ENTRY_POSITION] = "position",
        [IRI_ENTRY_CLIP_DISTANCES] = "clip_distances",
        [IRI_ENTRY_VERTEX_INDEX] = "vertex_index",
        [IRI_ENTRY_INSTANCE_INDEX] = "instance_index",
        [IRI_ENTRY_FRONT_FACING] = "front_facing",
        [IRI_ENTRY_SAMPLE_INDEX] = "sample_index",
        [IRI_ENTRY_SAMPLE_MASK] = "sample_mask",
        [IRI_ENTRY_FRAG_DEPTH] = "frag_depth",
        [IRI_ENTRY_GLOBAL_INVOCATION_ID] = "global_invocation_id",
        [IRI_ENTRY_WORKGROUP_ID] = "workgroup_id",
        [IRI_ENTRY_LOCAL_INVOCATION_ID] = "local_invocation_id",
        [IRI_ENTRY_LOCAL_INVOCATION_INDEX] = "local_invocation_index",
    };
    static const char *const interpolations[IRI_INTERPOLATION_COUNT] = {
        [IRI_INTERPOLATION_LINEAR_CENTROID] = "perspective, centroid",
        [IRI_INTERPOLATION_LINEAR_SAMPLE] = "perspective, sample",
        [IRI_INTERPOLATION_NO_PERSPECTIVE] = "linear",
        [IRI_INTERPOLATION_NO_PERSPECTIVE_CENTROID] = "linear, centroid",
        [IRI_INTERPOLATION_NO_PERSPECTIVE_SAMPLE] = "linear, sample",
        [IRI_INTERPOLATION_FLAT] = "flat",
    };
    if (v->builtin != IRI_ENTRY_LOCATION)
        return iri_wgsl_printf(w, "@builtin(%s)", builtins[v->builtin]);
    const char *how = varying ? interpolations[v->interpolation] : NULL;
    bool integer = IRI_TYPE_SCALAR(v->type) == IRI_I32 || IRI_TYPE_SCALAR(v->type) == IRI_U32;
    if (varying && integer)
        how = "flat";
    if (!how)
        return iri_wgsl_printf(w, "@location(%ld)", (long)v->location);
    return iri_wgsl_printf(w, "@location(%ld) @interpolate(%s)", (long)v->location, how);
}

static void write_out_struct(iri_wgsl *w, iri_buf *out)
{
    bool vertex = w->p->stage == IRI_STAGE_VERTEX;
    if (!w->io.output_count)
        return;
    iri_buf_printf(out, "%sstruct %s {\n", w->declared ? "\n" : "", w->out_struct);
    for (uint32_t i = 0; i < w->io.output_count; i++) {
        const iri_entry_value *v = &w->io.outputs[i];
        const char *type = iri_wgsl_type(w, v->type);
        if (v->array)
            type = iri_wgsl_printf(w, "array<f32, %u>", (unsigned)v->array);
        iri_buf_printf(out, "    %s %s: %s,\n", attributes(w, v, vertex), w->output_names[i], type);
    }
    iri_buf_str(out, "}\n");
}

static void write_arguments(iri_wgsl *w, iri_buf *out)
{
    bool pixel = w->p->stage == IRI_STAGE_PIXEL, several = w->io.input_count > 1;
    for (uint32_t i = 0; i < w->io.input_count; i++) {
        const iri_entry_value *v = &w->io.inputs[i];
        iri_buf_str(out, several ? "\n    " : "");
        iri_buf_printf(out, "%s %s: %s", attributes(w, v, pixel), w->argument_names[i],
                       iri_wgsl_type(w, v->type));
        iri_buf_str(out, several ? "," : "");
    }
    iri_buf_str(out, several ? "\n)" : ")");
}

static void make_entry(iri_wgsl *w)
{
    iri_names_init(&w->locals, w->arena, iri_wgsl_is_reserved, &w->names);
    memset(w->counters, 0, sizeof w->counters);
    w->outputs = iri_arena_alloc(w->arena, w->p->interface.output_count, sizeof *w->outputs);
    iri_wgsl_function_body(w, w->p->entry, &w->functions[w->p->entry].body);
}

static void write_entry(iri_wgsl *w, iri_buf *out, const char *entry)
{
    iri_buf_char(out, '\n');
    if (w->functions[w->p->entry].derivative)
        iri_buf_str(out, "@diagnostic(off, derivative_uniformity)\n");
    if (w->p->stage == IRI_STAGE_COMPUTE) {
        const uint32_t *size = w->p->interface.facts.workgroup;
        iri_buf_printf(out, "@compute @workgroup_size(%u, %u, %u)\nfn %s(", (unsigned)size[0],
                       (unsigned)size[1], (unsigned)size[2], entry);
    } else {
        iri_buf_printf(out, "@%s\nfn %s(", w->p->stage == IRI_STAGE_VERTEX ? "vertex" : "fragment",
                       entry);
    }
    write_arguments(w, out);
    if (w->io.output_count)
        iri_buf_printf(out, " -> %s", w->out_struct);
    iri_buf_str(out, " {\n");
    for (uint32_t i = 0; i < w->io.input_count; i++)
        if (w->input_names[i] != w->argument_names[i])
            iri_buf_printf(out, "    %s = %s;\n", w->input_names[i], w->argument_names[i]);
    iri_stmt_print(w, out, &w->functions[w->p->entry].body, 4);
    iri_buf_str(out, "}\n");
}

/* ---- declarations ---- */

/* Text of the source for a comment: what could end the line is left out. */
static void put_comment(iri_buf *out, const char *text)
{
    for (; *text; text++)
        iri_buf_char(out, *text >= ' ' && *text < 0x7f ? *text : '?');
}

static void write_header(iri_wgsl *w, iri_buf *out, const char *entry)
{
    enum { NOTES_SHOWN = 12 };
    const iri_provenance *from = &w->p->provenance;
    iri_buf_printf(out, "// %s: %s", entry, iri_stage_name(w->p->stage));
    if (from->format[0]) {
        iri_buf_printf(out, ", from %s ", from->format);
        put_comment(out, from->target);
    }
    if (from->creator[0]) {
        iri_buf_str(out, " (");
        put_comment(out, from->creator);
        iri_buf_str(out, ")");
    }
    if (from->has_hash) {
        iri_buf_str(out, ", sha256 ");
        for (uint32_t i = 0; i < 8; i++)
            iri_buf_printf(out, "%02x", from->sha256[i]);
    }
    iri_buf_char(out, '\n');
    uint32_t count = w->p->note_count, own = w->result->notes.count, shown = 0;
    for (uint32_t i = 0; i < count + own && shown < NOTES_SHOWN; i++, shown++) {
        const iri_note *note = i < count ? &w->p->notes[i] : &w->result->notes.at[i - count];
        iri_buf_str(out, "// note: ");
        put_comment(out, note->text);
        iri_buf_char(out, '\n');
    }
    if (count + own > shown)
        iri_buf_printf(out, "// and %u more notes\n", (unsigned)(count + own - shown));
    iri_buf_char(out, '\n');
}

static void write_states(iri_wgsl *w, iri_buf *out)
{
    const iri_interface *io = &w->p->interface;
    bool any = false;
    for (uint32_t i = 0; i < io->state_count; i++) {
        const iri_state_info *info = iri_state_get_info((iri_state_id)io->states[i].id);
        if (io->states[i].source != IRI_STATE_OVERRIDE)
            continue;
        iri_buf_printf(out, "override %s: %s = %s; // %s\n", w->overrides[i],
                       iri_wgsl_type(w, info->type),
                       iri_wgsl_literal(w, IRI_TYPE_SCALAR(info->type), io->states[i].bits[0]).text,
                       info->meaning);
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
        const iri_binding *at = &w->resources[i].binding;
        if (r->kind == IRI_RESOURCE_CBUFFER) {
            iri_wgsl_declare_constants(w, out, i);
            continue;
        }
        w->declared = true;
        if (r->kind == IRI_RESOURCE_BUFFER || r->kind == IRI_RESOURCE_STORAGE_BUFFER) {
            iri_wgsl_declare_buffer(w, out, i);
            continue;
        }
        iri_buf_printf(out, "@group(%u) @binding(%u) var %s: %s;\n", (unsigned)at->group,
                       (unsigned)at->binding, w->resources[i].name,
                       r->kind == IRI_RESOURCE_TEXTURE ? iri_wgsl_texture_type(w, r)
                       : r->kind == IRI_RESOURCE_STORAGE_TEXTURE
                           ? iri_wgsl_storage_texture_type(w, r)
                       : r->comparison ? "sampler_comparison"
                                       : "sampler");
    }
    iri_wgsl_declare_counters(w, out);
}

static void write_private_inputs(iri_wgsl *w, iri_buf *out)
{
    bool any = false;
    for (uint32_t i = 0; i < w->io.input_count; i++) {
        if (w->input_names[i] == w->argument_names[i])
            continue;
        iri_buf_printf(out, "%svar<private> %s: %s;\n", any ? "" : "\n", w->input_names[i],
                       iri_wgsl_type(w, w->io.inputs[i].type));
        any = true;
    }
}

static void note_losses(iri_wgsl *w)
{
    if (w->io.point_size != UINT32_MAX)
        iri_wgsl_note(w, "point-size",
                      "the point size is left out: WebGPU draws points of one pixel");
    if (w->io.clip_varyings)
        iri_wgsl_note(w, "clip-distances",
                      "clip distances go out as varyings, and nothing is clipped by them: the "
                      "feature clip-distances is not there");
}

static void write_directives(iri_buf *out, uint32_t features)
{
    if (features & IRI_FEATURE_SHADER_F16)
        iri_buf_str(out, "enable f16;\n");
    if (features & IRI_FEATURE_CLIP_DISTANCES)
        iri_buf_str(out, "enable clip_distances;\n");
    if (features)
        iri_buf_char(out, '\n');
}

void iri_wgsl_write(iri_ctx *ctx, iri_arena *arena, const iri_program *p,
                    const iri_wgsl_options *options, iri_buf *out, iri_write_result *result)
{
    iri_wgsl writer = {.ctx = ctx, .arena = arena, .p = p, .options = options, .result = result};
    iri_wgsl *w = &writer;
    const char *entry = options->entry_name ? options->entry_name : "main";
    if (p->stage != IRI_STAGE_VERTEX && p->stage != IRI_STAGE_PIXEL &&
        p->stage != IRI_STAGE_COMPUTE)
        iri_fail(ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "a %s program", iri_stage_name(p->stage));
    if (!p->entry)
        iri_fail(ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "a program without an entry point");
    iri_entry_io_make(ctx, arena, p, options->linked_pixel,
                      (options->features & IRI_FEATURE_CLIP_DISTANCES) != 0, &w->io);
    result->features_needed = iri_profile_preflight(ctx, p, &w->io, options->features);
    iri_names_init(&w->names, arena, iri_wgsl_is_reserved, NULL);
    bool added;
    iri_map_put(&w->names.used, entry, (uint32_t)strlen(entry), &added);
    name_resources(w);
    name_states(w);
    name_entry(w);
    name_functions(w);
    iri_wgsl_plan_memory(w);
    iri_wgsl_name_counters(w);
    iri_wgsl_count_uses(w);
    iri_wgsl_plan_constants(w);
    note_losses(w);

    for (uint32_t f = 1; f < p->function_count; f++)
        if (w->functions[f].written && f != p->entry)
            make_function(w, f);
    make_entry(w);

    if (!options->no_header)
        write_header(w, out, entry);
    if (w->io.clip_count)
        result->features_needed |= IRI_FEATURE_CLIP_DISTANCES;
    write_directives(out, result->features_needed);
    write_states(w, out);
    write_resources(w, out);
    write_out_struct(w, out);
    write_private_inputs(w, out);
    iri_wgsl_declare_group(w, out);
    if (w->from_bits)
        iri_buf_printf(
            out,
            "\n// The number with these bits: WGSL has no literal for infinities and NaN.\n"
            "fn %s(bits: u32) -> f32 {\n    return bitcast<f32>(bits);\n}\n",
            w->from_bits);
    iri_wgsl_write_helpers(w, out);
    for (uint32_t f = 1; f < p->function_count; f++)
        if (w->functions[f].written && f != p->entry)
            write_function(w, out, f);
    write_entry(w, out, entry);
}
