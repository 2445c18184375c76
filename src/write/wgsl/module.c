/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A WGSL module from top to bottom: header comment, directives, declarations, functions, the entry point. What is to be
 * said is known before the first line is printed: the statements of all functions are made first.
 */
#include "write/wgsl/memory.h"

#include "write/profile.h"
#include "write/wgsl/words.h"

void iri_wgsl_note(iri_wgsl *w, const char *kind, const char *text)
{
    iri_note note = {kind, text, IRI_NO_OFFSET};
    iri_push(w->arena, &w->result->notes, note);
}

/* ---- functions ---- */

static void make_function(iri_wgsl *w, iri_id function)
{
    const iri_region *body = &w->p->regions[w->p->functions[function].body];
    iri_names_init(&w->locals, w->arena, iri_wgsl_is_reserved, &w->names);
    if (function == w->p->entry)
        w->outputs = iri_arena_alloc(w->arena, w->p->interface.output_count, sizeof *w->outputs);
    for (uint32_t i = 0; i < body->parameter_count; i++) {
        iri_id v = body->parameters + i;
        iri_str wanted = {&"abcd"[i < 3 ? i : 3], 1};
        iri_str name = iri_names_claim(&w->locals, wanted, wanted);
        w->values[v].expr = (iri_wgsl_expr){.text = name, .level = IRI_LEVEL_POSTFIX};
        w->values[v].named = true;
    }
    iri_wgsl_function_body(w, function, &w->functions[function].body);
}

static void write_results(iri_wgsl *w, iri_buf *out, iri_id function)
{
    const iri_function *f = &w->p->functions[function];
    const iri_wgsl_function *to = &w->functions[function];
    iri_buf_put(out, IRI_STR("\nstruct "));
    iri_buf_put(out, to->result);
    iri_buf_put(out, IRI_STR(" {\n"));
    for (uint32_t i = 0; i < f->result_count; i++) {
        iri_buf_put(out, IRI_STR("    "));
        iri_buf_put(out, to->result_members[i]);
        iri_buf_put(out, IRI_STR(": "));
        iri_buf_put(out, iri_wgsl_type(w, f->result_types[i]));
        iri_buf_put(out, IRI_STR(",\n"));
    }
    iri_buf_put(out, IRI_STR("}\n"));
}

static void write_filter(iri_wgsl *w, iri_buf *out, iri_id function)
{
    iri_buf_char(out, '\n');
    if (w->functions[function].derivative)
        iri_buf_put(out, IRI_STR("@diagnostic(off, derivative_uniformity)\n"));
}

static void write_function(iri_wgsl *w, iri_buf *out, iri_id function)
{
    const iri_wgsl_function *to = &w->functions[function];
    const iri_region *body = &w->p->regions[w->p->functions[function].body];
    if (to->result_members)
        write_results(w, out, function);
    write_filter(w, out, function);
    iri_buf_put(out, IRI_STR("fn "));
    iri_buf_put(out, to->name);
    iri_buf_char(out, '(');
    for (uint32_t i = 0; i < body->parameter_count; i++) {
        iri_id v = body->parameters + i;
        if (i)
            iri_buf_put(out, IRI_STR(", "));
        iri_buf_put(out, w->values[v].expr.text);
        iri_buf_put(out, IRI_STR(": "));
        iri_buf_put(out, iri_wgsl_type(w, iri_type_of(w->p, v)));
    }
    iri_buf_char(out, ')');
    if (to->result.at) {
        iri_buf_put(out, IRI_STR(" -> "));
        iri_buf_put(out, to->result);
    }
    iri_buf_put(out, IRI_STR(" {\n"));
    iri_stmt_print(w, out, &to->body, 4);
    iri_buf_put(out, IRI_STR("}\n"));
}

static void write_stage(iri_wgsl *w, iri_buf *out)
{
    const uint32_t *size = w->p->interface.facts.workgroup;
    if (w->p->stage != IRI_STAGE_COMPUTE) {
        iri_buf_put(out, w->p->stage == IRI_STAGE_VERTEX ? IRI_STR("@vertex\nfn ")
                                                         : IRI_STR("@fragment\nfn "));
        return;
    }
    iri_buf_put(out, IRI_STR("@compute @workgroup_size("));
    for (uint32_t i = 0; i < 3; i++) {
        if (i)
            iri_buf_put(out, IRI_STR(", "));
        iri_buf_uint(out, size[i]);
    }
    iri_buf_put(out, IRI_STR(")\nfn "));
}

static void write_entry(iri_wgsl *w, iri_buf *out, iri_str entry)
{
    write_filter(w, out, w->p->entry);
    write_stage(w, out);
    iri_buf_put(out, entry);
    iri_buf_char(out, '(');
    iri_wgsl_write_arguments(w, out);
    if (w->io.output_count) {
        iri_buf_put(out, IRI_STR(" -> "));
        iri_buf_put(out, w->out_struct);
    }
    iri_buf_put(out, IRI_STR(" {\n"));
    for (uint32_t i = 0; i < w->io.input_count; i++) {
        if (w->input_names[i].at == w->argument_names[i].at)
            continue;
        iri_buf_put(out, IRI_STR("    "));
        iri_buf_put(out, w->input_names[i]);
        iri_buf_put(out, IRI_STR(" = "));
        iri_buf_put(out, w->argument_names[i]);
        iri_buf_put(out, IRI_STR(";\n"));
    }
    iri_stmt_print(w, out, &w->functions[w->p->entry].body, 4);
    iri_buf_put(out, IRI_STR("}\n"));
}

/* ---- the head ---- */

/* Text of the source for a comment: what could end the line is left out. */
static void put_comment(iri_buf *out, const char *text)
{
    for (; *text; text++)
        iri_buf_char(out, *text >= ' ' && *text < 0x7f ? *text : '?');
}

static void write_header(iri_wgsl *w, iri_buf *out, iri_str entry)
{
    enum { NOTES_SHOWN = 12, HASH_SHOWN = 8 };
    const iri_provenance *from = &w->p->provenance;
    iri_buf_put(out, IRI_STR("// "));
    iri_buf_put(out, entry);
    iri_buf_put(out, IRI_STR(": "));
    iri_buf_str(out, iri_stage_name(w->p->stage));
    if (from->format[0]) {
        iri_buf_put(out, IRI_STR(", from "));
        iri_buf_str(out, from->format);
        iri_buf_char(out, ' ');
        put_comment(out, from->target);
    }
    if (from->creator[0]) {
        iri_buf_put(out, IRI_STR(" ("));
        put_comment(out, from->creator);
        iri_buf_char(out, ')');
    }
    if (from->has_hash) {
        iri_buf_put(out, IRI_STR(", sha256 "));
        for (uint32_t i = 0; i < HASH_SHOWN; i++) {
            iri_buf_char(out, "0123456789abcdef"[from->sha256[i] >> 4]);
            iri_buf_char(out, "0123456789abcdef"[from->sha256[i] & 15]);
        }
    }
    iri_buf_char(out, '\n');
    uint32_t count = w->p->note_count, own = w->result->notes.count, shown = 0;
    for (uint32_t i = 0; i < count + own && shown < NOTES_SHOWN; i++, shown++) {
        const iri_note *note = i < count ? &w->p->notes[i] : &w->result->notes.at[i - count];
        iri_buf_put(out, IRI_STR("// note: "));
        put_comment(out, note->text);
        iri_buf_char(out, '\n');
    }
    if (count + own > shown) {
        iri_buf_put(out, IRI_STR("// and "));
        iri_buf_uint(out, count + own - shown);
        iri_buf_put(out, IRI_STR(" more notes\n"));
    }
    iri_buf_char(out, '\n');
}

static void write_directives(iri_buf *out, uint32_t features)
{
    if (features & IRI_FEATURE_SHADER_F16)
        iri_buf_put(out, IRI_STR("enable f16;\n"));
    if (features & IRI_FEATURE_CLIP_DISTANCES)
        iri_buf_put(out, IRI_STR("enable clip_distances;\n"));
    if (features)
        iri_buf_char(out, '\n');
}

static void note_losses(iri_wgsl *w)
{
    for (uint32_t i = 0; i < w->io.output_count; i++)
        if (w->io.outputs[i].element == UINT32_MAX)
            iri_wgsl_note(w, "unwritten-input",
                          iri_arena_printf(w->arena,
                                           "%s is zero: the pixel program reads it, and this "
                                           "vertex program does not write it",
                                           w->io.outputs[i].name));
    if (w->io.point_size != UINT32_MAX)
        iri_wgsl_note(w, "point-size",
                      "the point size is left out: WebGPU draws points of one pixel");
    if (w->io.clip_varyings)
        iri_wgsl_note(w, "clip-distances",
                      "clip distances go out as varyings, and nothing is clipped by them: the "
                      "feature clip-distances is not there");
}

/* ---- the module ---- */

enum { TEXT_PER_INST = 96 /* bytes of text in progress, about twice what is printed */ };

/* Collects all that is to be said. */
static void make(iri_wgsl *w, iri_str entry)
{
    const iri_program *p = w->p;
    iri_entry_io_make(w->ctx, w->arena, p, w->options->linked_pixel,
                      (w->options->features & IRI_FEATURE_CLIP_DISTANCES) != 0, &w->io);
    w->result->features_needed = iri_profile_preflight(w->ctx, p, &w->io, w->options->features);
    if (w->io.clip_count)
        w->result->features_needed |= IRI_FEATURE_CLIP_DISTANCES;
    iri_wgsl_name_all(w, entry);
    iri_wgsl_plan_memory(w);
    iri_wgsl_name_counters(w);
    iri_wgsl_count_uses(w);
    iri_wgsl_plan_constants(w);
    note_losses(w);
    for (uint32_t f = 1; f < p->function_count; f++)
        if (w->functions[f].written && f != p->entry)
            make_function(w, f);
    make_function(w, p->entry);
}

static void print(iri_wgsl *w, iri_buf *out, iri_str entry)
{
    const iri_program *p = w->p;
    if (!w->options->no_header)
        write_header(w, out, entry);
    write_directives(out, w->result->features_needed);
    iri_wgsl_declare(w, out);
    iri_wgsl_write_special(w, out);
    iri_wgsl_write_added(w, out);
    for (uint32_t i = 0; i < p->interface.resource_count; i++)
        iri_wgsl_write_row_function(w, out, i);
    for (uint32_t f = 1; f < p->function_count; f++)
        if (w->functions[f].written && f != p->entry)
            write_function(w, out, f);
    write_entry(w, out, entry);
}

void iri_wgsl_write(iri_ctx *ctx, iri_arena *arena, const iri_program *p,
                    const iri_wgsl_options *options, iri_buf *out, iri_write_result *result)
{
    iri_wgsl w = {.ctx = ctx, .arena = arena, .p = p, .options = options, .result = result};
    iri_str entry = iri_str_of(options->entry_name ? options->entry_name : "main");
    iri_require_entry(ctx, p);
    /* What most programs take, in one allocation each. */
    iri_arena_reserve(arena, 4096 + (size_t)p->value_count * sizeof *w.values +
                                 (size_t)p->inst_count * TEXT_PER_INST);
    iri_buf_reserve(out, 1024 + (size_t)p->inst_count * TEXT_PER_INST / 2);
    if (result->lines_wanted)
        iri_wgsl_origin_start(&w);
    make(&w, entry);
    print(&w, out, entry);
    if (w.origins)
        iri_wgsl_origin_finish(&w, out);
}
