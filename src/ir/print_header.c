/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints what stands above the functions: everything of iridia/interface.h, a line each. What is left out
 * has the value that the parser gives it.
 */
#include "ir/print.h"

#include <iridia/text.h>

static void put_string_if(iri_printer *pr, const char *before, const char *text)
{
    if (text && *text) {
        iri_put_str(pr, before);
        iri_put_string(pr, text);
    }
}

static void put_number_if(iri_printer *pr, const char *before, uint32_t value, uint32_t unless)
{
    if (value != unless)
        iri_put(pr, " %s %lu", before, (unsigned long)value);
}

static void put_offset(iri_printer *pr, uint32_t offset)
{
    if (pr->offsets && offset != IRI_NO_OFFSET)
        iri_put(pr, " offset 0x%lx", (unsigned long)offset);
}

static void put_flag(iri_printer *pr, uint32_t *flags, uint32_t flag, const char *word)
{
    if (*flags & flag)
        iri_put(pr, " %s", word);
    *flags &= ~flag;
}

static void print_provenance(iri_printer *pr)
{
    const iri_provenance *from = &pr->p->provenance;
    size_t before = pr->buf->size;
    iri_put_str(pr, "source");
    put_string_if(pr, " format ", from->format);
    put_string_if(pr, " target ", from->target);
    put_string_if(pr, " creator ", from->creator);
    put_string_if(pr, " lifter ", from->lifter);
    put_number_if(pr, "version", from->lifter_version, 0);
    if (from->has_hash) {
        iri_put_str(pr, " sha256 ");
        for (size_t i = 0; i < sizeof from->sha256; i++)
            iri_put(pr, "%02x", from->sha256[i]);
    }
    put_number_if(pr, "instructions", from->instruction_count, 0);
    put_string_if(pr, " policies ", from->policies);
    if (pr->buf->size == before + strlen("source")) {
        pr->buf->size = before; /* a program without a source has no such line */
        pr->buf->data[before] = 0;
    } else {
        iri_put_str(pr, "\n");
    }
}

static void print_numbers(iri_printer *pr)
{
    const iri_conventions *c = &pr->p->conventions;
    const iri_float_env *env = &pr->p->float_env;
    iri_put_str(pr, "conventions clip_depth ");
    iri_put_word(pr, IRI_WORDS_CLIP_DEPTH, c->clip_depth);
    iri_put_str(pr, " fragment_origin ");
    iri_put_word(pr, IRI_WORDS_ORIGIN, c->fragment_origin);
    iri_put_str(pr, " pixel_centre ");
    iri_put_word(pr, IRI_WORDS_PIXEL_CENTRE, c->pixel_centre);
    iri_put_str(pr, " texture_origin ");
    iri_put_word(pr, IRI_WORDS_ORIGIN, c->texture_origin);
    iri_put_str(pr, "\nfloat");
    for (uint32_t i = 0; i < 3; i++) {
        iri_put(pr, " f%u ", 16u << i);
        iri_put_word(pr, IRI_WORDS_DENORMALS, env->denormals[i]);
        iri_put_str(pr, " ");
        iri_put_word(pr, IRI_WORDS_ROUNDING, env->rounding[i]);
    }
    iri_put_str(pr, env->contract ? " contract" : "");
    iri_put_str(pr, env->reassociate ? " reassociate" : "");
    iri_put_str(pr, "\n");
}

static void print_facts(iri_printer *pr)
{
    const iri_stage_facts *f = &pr->p->interface.facts;
    const struct {
        const char *name;
        uint32_t value;
    } facts[] = {
#define IRI_FACT(name) {#name, f->name},
        IRI_FACT(depth_mode) IRI_FACT(early_depth) IRI_FACT(clip_count) IRI_FACT(cull_count)
            IRI_FACT(tessellator_domain) IRI_FACT(partitioning) IRI_FACT(output_topology)
                IRI_FACT(input_primitive) IRI_FACT(output_primitive_topology) IRI_FACT(input_points)
                    IRI_FACT(output_points) IRI_FACT(max_vertices) IRI_FACT(instances)
#undef IRI_FACT
    };
    bool any = f->workgroup[0] || f->workgroup[1] || f->workgroup[2];
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        any |= facts[i].value != 0;
    if (!any)
        return;
    iri_put_str(pr, "facts");
    if (f->workgroup[0] || f->workgroup[1] || f->workgroup[2])
        iri_put(pr, " workgroup %lu %lu %lu", (unsigned long)f->workgroup[0],
                (unsigned long)f->workgroup[1], (unsigned long)f->workgroup[2]);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        put_number_if(pr, facts[i].name, facts[i].value, 0);
    iri_put_str(pr, "\n");
}

/* ---- inputs and outputs ---- */

/* "TEXCOORD0" where that reads back, else the name quoted. */
static void put_semantic(iri_printer *pr, const char *name, uint32_t index)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t length = strlen(name);
    if (length && strspn(name, letters) == length && !(name[0] >= '0' && name[0] <= '9') &&
        !(name[length - 1] >= '0' && name[length - 1] <= '9')) {
        iri_put_str(pr, name);
        iri_put(pr, "%lu", (unsigned long)index);
    } else {
        iri_put_string(pr, name);
        iri_put(pr, " %lu", (unsigned long)index);
    }
}

static bool has_one_register(uint8_t bank)
{
    return bank == IRI_BANK_OPOS || bank == IRI_BANK_OFOG || bank == IRI_BANK_OPTS ||
           bank == IRI_BANK_ODEPTH || bank == IRI_BANK_VPOS ||
           (bank >= IRI_BANK_VFACE && bank < IRI_BANK_C);
}

static void print_io(iri_printer *pr, const char *keyword, const iri_io *io)
{
    uint32_t flags = io->flags;
    iri_put(pr, "%s ", keyword);
    put_semantic(pr, io->name, io->index);
    iri_put_str(pr, ": ");
    iri_put_type(pr, io->type);
    iri_put_str(pr, " @");
    if (io->bank)
        iri_put_word(pr, IRI_WORDS_BANK, io->bank);
    if (io->reg || !has_one_register(io->bank))
        iri_put(pr, "%u", (unsigned)io->reg);
    if (!(io->lanes & 15))
        iri_put_str(pr, ".none");
    else if ((io->lanes & 15) != 15 || IRI_TYPE_LANES(io->type) != 4)
        iri_put_lanes(pr, iri_lanes_from_bits(io->lanes & 15));
    if (io->system_value) {
        iri_put_str(pr, " sv ");
        iri_put_word(pr, IRI_WORDS_SYSTEM_VALUE, io->system_value);
    }
    if (io->interpolation) {
        iri_put_str(pr, " ");
        iri_put_word(pr, IRI_WORDS_INTERPOLATION, io->interpolation);
    }
    if (io->used != io->lanes) {
        iri_put_str(pr, io->used & 15 ? " used " : " unused");
        if (io->used & 15)
            iri_put_lanes(pr, iri_lanes_from_bits(io->used & 15));
    }
    put_number_if(pr, "stream", io->stream, 0);
    put_flag(pr, &flags, IRI_IO_IMPLICIT, "implicit");
    put_flag(pr, &flags, IRI_IO_GENERATED, "generated");
    put_number_if(pr, "flags", flags, 0);
    put_offset(pr, io->offset);
    iri_put_str(pr, "\n");
}

/* ---- resources ---- */

/* As HLSL spells scalars before RxC. */
static const char *const matrix_scalars[IRI_SCALAR_COUNT] = {
    "void", "bool",  "int16_t", "uint16_t", "float16_t", "int",
    "uint", "float", "int64_t", "uint64_t", "double",
};

static void put_member_type(iri_printer *pr, const iri_member *m)
{
    bool matrix =
        m->member_class == IRI_MEMBER_MATRIX_ROWS || m->member_class == IRI_MEMBER_MATRIX_COLUMNS;
    const char *scalar = iri_word(IRI_WORDS_SCALAR, m->scalar);
    if (m->member_class == IRI_MEMBER_STRUCT)
        iri_put_str(pr, "struct");
    else if (matrix)
        iri_put(pr, "%s%ux%u", m->scalar < IRI_SCALAR_COUNT ? matrix_scalars[m->scalar] : "void",
                (unsigned)m->rows, (unsigned)m->columns);
    else if (m->member_class == IRI_MEMBER_VECTOR)
        iri_put(pr, "vec%u<%s>", (unsigned)m->columns, scalar ? scalar : "void");
    else
        iri_put_str(pr, scalar ? scalar : "void");
    if (m->elements)
        iri_put(pr, "[%lu]", (unsigned long)m->elements);
    if (matrix)
        iri_put_str(pr, m->member_class == IRI_MEMBER_MATRIX_ROWS ? " row_major" : " column_major");
    if (m->type_name) {
        iri_put_str(pr, " type ");
        iri_put_string(pr, m->type_name);
    }
    if (m->member_class == IRI_MEMBER_STRUCT) {
        if (m->scalar)
            iri_put(pr, " scalar %s", scalar ? scalar : "void");
        put_number_if(pr, "rows", m->rows, 0);
        put_number_if(pr, "columns", m->columns, 0);
    } else if (!matrix) {
        put_number_if(pr, "rows", m->rows, 1);
        if (m->member_class == IRI_MEMBER_SCALAR)
            put_number_if(pr, "columns", m->columns, 1);
    }
}

static void print_members(iri_printer *pr, const iri_member *members, uint32_t count,
                          uint32_t spaces)
{
    iri_put_str(pr, " {\n");
    for (uint32_t i = 0; i < count; i++) {
        const iri_member *m = &members[i];
        uint32_t flags = m->flags;
        iri_put_spaces(pr, spaces + 2);
        iri_put(pr, "%lu", (unsigned long)m->offset);
        if (m->name) {
            iri_put_str(pr, " ");
            iri_put_string(pr, m->name);
        }
        iri_put_str(pr, ": ");
        put_member_type(pr, m);
        iri_put(pr, " size %lu", (unsigned long)m->size);
        put_number_if(pr, "stride", m->array_stride, 0);
        put_number_if(pr, "matrix_stride", m->matrix_stride, 0);
        put_flag(pr, &flags, IRI_MEMBER_UNUSED, "unused");
        put_number_if(pr, "flags", flags, 0);
        if (m->default_words) {
            iri_put_str(pr, " = [");
            for (uint32_t k = 0; k < m->size / 4; k++)
                iri_put(pr, "%s0x%lx", k ? ", " : "", (unsigned long)m->default_words[k]);
            iri_put_str(pr, "]");
        }
        if (m->member_count)
            print_members(pr, m->members, m->member_count, spaces + 2);
        iri_put_str(pr, "\n");
    }
    iri_put_spaces(pr, spaces);
    iri_put_str(pr, "}");
}

static void print_resource(iri_printer *pr, const iri_resource *r)
{
    uint32_t flags = r->flags;
    iri_put_word(pr, IRI_WORDS_RESOURCE_KIND, r->kind);
    iri_put_str(pr, " ");
    iri_put_resource_label(pr, r);
    if (r->name) {
        iri_put_str(pr, " ");
        iri_put_string(pr, r->name);
    }
    if (r->dimension || r->scalar) {
        iri_put_str(pr, ": ");
        iri_put_word(pr, IRI_WORDS_DIMENSION, r->dimension);
        iri_put_str(pr, "<");
        iri_put_word(pr, IRI_WORDS_SCALAR, r->scalar);
        iri_put_str(pr, ">");
    }
    iri_put_str(pr, r->arrayed ? " array" : "");
    iri_put_str(pr, r->multisampled ? " multisampled" : "");
    iri_put_str(pr, r->comparison ? " comparison" : "");
    if (r->buffer_shape) {
        iri_put_str(pr, " ");
        iri_put_word(pr, IRI_WORDS_BUFFER_SHAPE, r->buffer_shape);
    }
    iri_put_str(pr, r->access & 1 ? " read" : "");
    iri_put_str(pr, r->access & 2 ? " write" : "");
    iri_put_str(pr, r->access & 4 ? " atomic" : "");
    put_number_if(pr, "count", r->count, 1);
    put_number_if(pr, "stride", r->stride, 0);
    put_number_if(pr, "format", r->format, 0);
    put_number_if(pr, "size", r->size, 0);
    put_flag(pr, &flags, IRI_RESOURCE_DYNAMIC, "dynamic");
    put_flag(pr, &flags, IRI_RESOURCE_STATE, "state_values");
    put_flag(pr, &flags, IRI_RESOURCE_COUNTER, "counter");
    put_flag(pr, &flags, IRI_RESOURCE_COHERENT, "coherent");
    put_number_if(pr, "flags", flags, 0);
    put_offset(pr, r->offset);
    if (r->member_count)
        print_members(pr, r->members, r->member_count, 0);
    iri_put_str(pr, "\n");
}

/* ---- workgroup variables, states, notes ---- */

static void print_shared(iri_printer *pr, const iri_shared *shared)
{
    iri_put(pr, "shared g%lu", (unsigned long)shared->reg);
    if (shared->name) {
        iri_put_str(pr, " ");
        iri_put_string(pr, shared->name);
    }
    put_number_if(pr, "size", shared->size, 0);
    put_number_if(pr, "stride", shared->stride, 0);
    put_offset(pr, shared->offset);
    iri_put_str(pr, "\n");
}

static void print_state(iri_printer *pr, const iri_state_entry *entry)
{
    const iri_state_info *info = iri_state_get_info((iri_state_id)entry->id);
    uint32_t lanes = info ? IRI_TYPE_LANES(info->type) : 0;
    bool zero = true, typed = info != NULL;
    uint64_t bits[4];
    for (uint32_t i = 0; i < 4; i++) {
        bits[i] = entry->bits[i];
        zero &= bits[i] == 0;
        typed &= i < lanes || bits[i] == 0;
    }
    iri_put_str(pr, "state ");
    if (info)
        iri_put_str(pr, info->name);
    else
        iri_put(pr, "#%u", (unsigned)entry->id);
    if (entry->index)
        iri_put(pr, "[%u]", (unsigned)entry->index);
    iri_put_str(pr, " = ");
    iri_put_word(pr, IRI_WORDS_STATE_SOURCE, entry->source);
    if (typed && (!zero || entry->source == IRI_STATE_VALUE)) {
        iri_put_str(pr, " ");
        iri_put_literal(pr, info->type, bits);
    } else if (!typed) {
        iri_put(pr, " [0x%lx, 0x%lx, 0x%lx, 0x%lx]", (unsigned long)bits[0], (unsigned long)bits[1],
                (unsigned long)bits[2], (unsigned long)bits[3]);
    }
    iri_put_str(pr, "\n");
}

void iri_print_header(iri_printer *pr)
{
    const iri_program *p = pr->p;
    const iri_interface *io = &p->interface;
    iri_put(pr, "iridia-ir %d\nprogram ", IRI_TEXT_VERSION);
    iri_put_word(pr, IRI_WORDS_STAGE, p->stage);
    if (p->entry) {
        iri_put_str(pr, " entry ");
        iri_put_function_name(pr, p->entry);
    }
    iri_put_str(pr, "\n");
    print_provenance(pr);
    print_numbers(pr);
    print_facts(pr);
    for (uint32_t i = 0; i < io->input_count; i++)
        print_io(pr, "input", &io->inputs[i]);
    for (uint32_t i = 0; i < io->output_count; i++)
        print_io(pr, "output", &io->outputs[i]);
    for (uint32_t i = 0; i < io->resource_count; i++)
        print_resource(pr, &io->resources[i]);
    for (uint32_t i = 0; i < io->shared_count; i++)
        print_shared(pr, &io->shared[i]);
    for (uint32_t i = 0; i < io->state_count; i++)
        print_state(pr, &io->states[i]);
    for (uint32_t i = 0; i < p->note_count; i++) {
        iri_put_str(pr, "note ");
        iri_put_string(pr, p->notes[i].kind);
        iri_put_str(pr, " ");
        iri_put_string(pr, p->notes[i].text);
        put_offset(pr, p->notes[i].offset);
        iri_put_str(pr, "\n");
    }
}
