/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where lines come from: for each statement the byte offsets, in the source, of the instructions that it says. These are
 * the one that is being written and all whose results wait for it as expressions; what has a name has a line of its own.
 * Done only where it is asked for; how the text looks does not depend on it.
 */
#include "write/wgsl/wgsl.h"

#include <stdlib.h>

/* A statement's bytes in the text. */
typedef struct span {
    size_t start, end;
    iri_wgsl_origin origin;
} span;

/* What gave an output's lane last, before anything is looked through. */
typedef struct gift {
    uint32_t offset;
    iri_wgsl_lane lane;
} gift;

struct iri_wgsl_origins {
    IRI_VEC(uint32_t) offsets; /* of all statements, one after the other */
    IRI_VEC(span) spans;
    IRI_VEC(uint32_t) told; /* offsets of all that is not merely read or moved, in order */
    uint32_t offset;        /* of the instruction that is being written */
    uint32_t *seen, turn;   /* by value: the turn in which it came by last */
    gift (*given)[4];       /* by output */
};

/* What is merely read or moved is often shared by several instructions, and has the offset of the first. */
static bool is_merely_read(const iri_program *p, const iri_inst *in)
{
    return in->op == IRI_OP_INPUT || iri_wgsl_is_shuffle(in->op) ||
           (in->op == IRI_OP_LOAD_CB && iri_wgsl_is_static_load(p, in));
}

static int compare_offsets(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void collect_told(iri_wgsl *w)
{
    iri_wgsl_origins *o = w->origins;
    for (iri_id i = 1; i < w->p->inst_count; i++)
        if (!is_merely_read(w->p, &w->p->insts[i]))
            iri_push(w->arena, &o->told, w->p->insts[i].offset);
    if (o->told.count)
        qsort(o->told.at, o->told.count, sizeof *o->told.at, compare_offsets);
}

void iri_wgsl_origin_start(iri_wgsl *w)
{
    const iri_program *p = w->p;
    iri_wgsl_origins *o = w->origins = iri_new(w->arena, iri_wgsl_origins);
    o->seen = iri_new_array(w->arena, uint32_t, p->value_count);
    o->given = iri_arena_alloc(w->arena, p->interface.output_count, sizeof *o->given);
    collect_told(w);
}

static void add_offset(iri_wgsl *w, uint32_t offset)
{
    if (offset == IRI_NO_OFFSET)
        return;
    iri_push(w->arena, &w->origins->offsets, offset);
    w->origin.count++;
}

/* A read or a move stands for an instruction where nothing else does: `mov`. */
static void add_read(iri_wgsl *w, uint32_t offset)
{
    const iri_wgsl_origins *o = w->origins;
    if (!o->told.count ||
        !bsearch(&offset, o->told.at, o->told.count, sizeof offset, compare_offsets))
        add_offset(w, offset);
}

static void begin(iri_wgsl *w)
{
    w->origin = (iri_wgsl_origin){w->origins->offsets.count, 0};
    w->origins->turn++;
}

static void add_value(iri_wgsl *w, iri_id value);

/* What a lane comes from, as far as it has no name. A waiting expression is no deeper than its text is long, which is
 * bounded; shuffles, which may be any number, are followed one after the other. */
static void add_lane(iri_wgsl *w, iri_id value, uint32_t lane)
{
    const iri_program *p = w->p;
    for (;;) {
        const iri_wgsl_value *v = &w->values[value];
        const iri_inst *in = iri_def(p, value);
        if (v->named)
            return;
        if (v->alias) {
            value = v->alias;
        } else if (!in) {
            return;
        } else if (iri_wgsl_is_shuffle(in->op)) {
            add_read(w, in->offset);
            iri_wgsl_lane from = iri_wgsl_shuffled(p, in, lane);
            value = from.value;
            lane = from.lane;
        } else if (w->origins->seen[value] == w->origins->turn) {
            return;
        } else {
            w->origins->seen[value] = w->origins->turn;
            if (is_merely_read(p, in))
                add_read(w, in->offset);
            else
                add_offset(w, in->offset);
            for (uint32_t i = 0; i < in->operand_count; i++)
                add_value(w, iri_operands(p, in)[i]);
            return;
        }
    }
}

static void add_value(iri_wgsl *w, iri_id value)
{
    for (uint32_t i = 0; i < IRI_TYPE_LANES(iri_type_of(w->p, value)); i++)
        add_lane(w, value, i);
}

void iri_wgsl_origin_inst(iri_wgsl *w, const iri_inst *in)
{
    w->origins->offset = in->offset;
    begin(w);
    add_offset(w, in->offset);
    for (uint32_t i = 0; i < in->operand_count; i++)
        add_value(w, iri_operands(w->p, in)[i]);
}

void iri_wgsl_origin_value(iri_wgsl *w, iri_id value)
{
    begin(w);
    add_offset(w, w->origins->offset);
    if (value)
        add_value(w, value);
}

void iri_wgsl_origin_lane(iri_wgsl *w, iri_id value, uint32_t lane)
{
    begin(w);
    add_offset(w, w->origins->offset);
    add_lane(w, value, lane);
}

void iri_wgsl_origin_give(iri_wgsl *w, const iri_inst *in)
{
    const uint32_t *immediates = iri_immediates(w->p, in);
    gift *given = w->origins->given[immediates[0]];
    for (uint32_t i = 0; i < IRI_LANES_COUNT(immediates[1]); i++)
        given[IRI_LANES_AT(immediates[1], i)] =
            (gift){in->offset, {iri_operands(w->p, in)[0], (uint8_t)i}};
}

void iri_wgsl_origin_output(iri_wgsl *w, uint32_t element, uint32_t first, uint32_t count)
{
    begin(w);
    for (uint32_t i = first; i < first + count; i++) {
        if (!w->outputs[element][i].value)
            continue;
        const gift *given = &w->origins->given[element][i];
        add_offset(w, given->offset);
        add_lane(w, given->lane.value, given->lane.lane);
    }
}

void iri_wgsl_origin_said(iri_wgsl *w, const iri_stmt *s, const iri_buf *out, size_t start)
{
    span said = {start, out->size > start ? out->size - 1 : start, s->origin};
    if (s->origin.count)
        iri_push(w->arena, &w->origins->spans, said);
}

static int compare_starts(const void *a, const void *b)
{
    const span *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->end > y->end) - (x->end < y->end);
}

static int compare_places(const void *a, const void *b)
{
    const iri_wgsl_line *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->offset > y->offset) - (x->offset < y->offset);
}

static uint32_t lines_between(const iri_buf *out, size_t from, size_t to)
{
    uint32_t lines = 0;
    for (; from < to; from++)
        lines += out->data[from] == '\n';
    return lines;
}

void iri_wgsl_origin_finish(iri_wgsl *w, const iri_buf *out)
{
    iri_wgsl_origins *o = w->origins;
    iri_write_result *result = w->result;
    uint32_t line = 1, kept = 0;
    size_t at = 0;
    if (o->spans.count)
        qsort(o->spans.at, o->spans.count, sizeof *o->spans.at, compare_starts);
    for (uint32_t i = 0; i < o->spans.count; i++) {
        const span *s = &o->spans.at[i];
        line += lines_between(out, at, s->start);
        at = s->start;
        uint32_t last = line + lines_between(out, s->start, s->end);
        for (uint32_t l = line; l <= last; l++)
            for (uint32_t k = 0; k < s->origin.count; k++) {
                iri_wgsl_line place = {l, o->offsets.at[s->origin.first + k]};
                iri_push(w->arena, &result->lines, place);
            }
    }
    if (result->lines.count)
        qsort(result->lines.at, result->lines.count, sizeof *result->lines.at, compare_places);
    for (uint32_t i = 0; i < result->lines.count; i++)
        if (!i || compare_places(&result->lines.at[i], &result->lines.at[kept - 1]))
            result->lines.at[kept++] = result->lines.at[i];
    result->lines.count = kept;
}
