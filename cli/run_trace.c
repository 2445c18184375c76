/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace: what one invocation did, instruction by instruction, each with the offset of its source
 * instruction, that one's line in `iridia dis` and its own in `iridia text`.
 */
#include "run.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_EVENTS = 100000, TEXT_COLUMN_MAX = 64 };

void run_trace_event(void *user, const iri_exec_event *event)
{
    run_trace *t = user;
    if (t->count == MAX_EVENTS) {
        t->dropped++;
        return;
    }
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? t->capacity * 2 : 64;
        t->events = cli_realloc(t->events, t->capacity * sizeof *t->events);
    }
    t->events[t->count++] = *event;
}

void run_trace_free(run_trace *t)
{
    free(t->events);
    *t = (run_trace){0};
}

/* ---- lines of the text ---- */

typedef struct listing {
    const iri_program *p;
    char **lines; /* NUL-terminated, from line 1 on */
    uint32_t count;
    uint32_t *line_of; /* of an instruction; 0 where it has none */
    uint32_t at;
} listing;

static const char *trimmed(const listing *l, uint32_t line)
{
    const char *text = line < l->count ? l->lines[line] : "";
    return text + strspn(text, " ");
}

static const uint32_t *regions_of(const iri_program *p, const iri_inst *in)
{
    return iri_program_words(p, in) + in->operand_count + in->immediate_count;
}

/* The text has a line an instruction, in order; what holds regions also has lines that open and close
 * them. */
static void number_region(listing *l, iri_id region)
{
    for (uint32_t i = 0;; i++) {
        iri_id inst = iri_program_region_inst(l->p, region, i);
        if (!inst)
            return;
        const iri_inst *in = iri_program_inst(l->p, inst);
        const uint32_t *regions = regions_of(l->p, in);
        l->line_of[inst] = l->at++;
        for (uint32_t k = 0; k < in->region_count; k++) {
            if (in->op == IRI_OP_SWITCH)
                l->at++; /* "case 1 {" */
            else if (k > 0 && !strncmp(trimmed(l, l->at), "} else", 6))
                l->at++;
            else if (k > 0)
                continue; /* an else that does nothing is not written */
            number_region(l, regions[k]);
            if (in->op == IRI_OP_SWITCH)
                l->at++;
        }
        if (in->region_count)
            l->at++;
    }
}

static void number_functions(listing *l)
{
    uint32_t line = 1;
    for (uint32_t f = 1; f <= iri_program_function_count(l->p); f++) {
        const iri_function *function = iri_program_function(l->p, f);
        while (line < l->count && strncmp(l->lines[line], "fn ", 3) != 0 &&
               strncmp(l->lines[line], "extern fn ", 10) != 0)
            line++;
        line++;
        while (!strncmp(trimmed(l, line), "local ", 6))
            line++;
        l->at = line;
        if (function->body && function->form == IRI_FORM_STRUCTURED)
            number_region(l, function->body);
    }
}

/* The offset behind an instruction has a column of its own. */
static void cut_offset(char *line)
{
    char *found = NULL;
    for (char *at = strstr(line, " ; "); at; at = strstr(at + 1, " ; "))
        found = at;
    if (found && line[0] == ' ')
        *found = 0;
}

static bool make_listing(const run_stage *stage, listing *l)
{
    iri_text text;
    iri_refusal why;
    *l = (listing){.p = stage->program, .count = 1};
    if (iri_print_text(stage->program, IRI_TEXT_OPTIONS(0), &text, &why) != IRI_OK)
        return cli_refused(&why, stage->path) == CLI_OK;
    uint32_t lines = 2;
    for (size_t i = 0; i < text.size; i++)
        lines += text.data[i] == '\n';
    l->lines = cli_alloc(lines * sizeof *l->lines);
    for (char *at = text.data; *at;) {
        char *end = at + strcspn(at, "\n");
        bool more = *end == '\n';
        *end = 0;
        l->lines[l->count] = cli_printf("%s", at);
        cut_offset(l->lines[l->count++]);
        at = more ? end + 1 : end;
    }
    iri_text_free(&text);
    l->line_of = cli_alloc((iri_program_inst_count(stage->program) + 1) * sizeof *l->line_of);
    number_functions(l);
    return true;
}

static void free_listing(listing *l)
{
    for (uint32_t i = 1; i < l->count; i++)
        free(l->lines[i]);
    free(l->lines);
    free(l->line_of);
}

/* An event's line without the indentation of the function's body; of what holds regions not what they start
 * with. */
static const char *text_of(const listing *l, const iri_exec_event *e)
{
    char *text = l->lines[l->line_of[e->inst]];
    size_t size = strlen(text);
    if (iri_program_inst(l->p, e->inst)->region_count) {
        char *initial = strstr(text, " (%");
        if (size > 2 && !strcmp(text + size - 2, " {"))
            text[size - 2] = 0;
        if (initial)
            *initial = 0;
    }
    return strncmp(text, "  ", 2) ? text : text + 2;
}

/* Leaves out what has no line: the end of an else that does nothing. */
static void drop_unwritten(run_trace *t, const listing *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++)
        if (l->line_of[t->events[i].inst] && l->line_of[t->events[i].inst] < l->count)
            t->events[kept++] = t->events[i];
    t->count = kept;
}

/* ---- regions ---- */

/* "then", "else", "case 3", "pass 2": which region was entered. `passes` counts by instruction; a pass that no
 * `continue` leads to is the first. */
static char *region_text(const listing *l, const iri_exec_event *e, uint32_t *passes,
                         bool continued)
{
    const iri_inst *in = iri_program_inst(l->p, e->inst);
    const uint32_t *regions = regions_of(l->p, in);
    uint32_t index = 0;
    while (index < in->region_count && regions[index] != e->region)
        index++;
    switch ((iri_op)in->op) {
    case IRI_OP_IF: return cli_printf("%s", index ? "else" : "then");
    case IRI_OP_LOOP:
        passes[e->inst] = continued ? passes[e->inst] + 1 : 1;
        return cli_printf("pass %u", (unsigned)passes[e->inst]);
    case IRI_OP_BLOCK: return cli_printf("block");
    case IRI_OP_CALL: return cli_printf("call");
    default: break;
    }
    const uint32_t *words = iri_program_words(l->p, in) + in->operand_count;
    uint32_t at = 1; /* the label; then how many values a case has, and they */
    for (uint32_t i = 1; i < index; i++)
        at += 1 + words[at];
    return index ? cli_printf("case %ld", (long)(int32_t)words[at + 1]) : cli_printf("default");
}

/* Whether event `i` comes right after a `continue`. */
static bool is_continued(const run_trace *t, const listing *l, size_t i)
{
    return i > 0 && iri_program_inst(l->p, t->events[i - 1].inst)->op == IRI_OP_CONTINUE;
}

/* ---- as text ---- */

static int indentation(const char *text)
{
    return (int)strspn(text, " ");
}

static void print_values(const iri_exec_event *e)
{
    for (uint32_t v = 0; v < e->count; v++) {
        if (v)
            printf("  |");
        for (uint32_t k = 0; k < IRI_TYPE_LANES(e->types[v]); k++) {
            char text[32];
            run_lane_text(IRI_TYPE_SCALAR(e->types[v]), e->values[v][k], text);
            printf("  %12s", text);
        }
    }
}

/* The source instruction, before the first of those in a row that come from it. */
static void print_source(const run_trace *t, size_t i)
{
    uint32_t offset = t->events[i].offset;
    const cli_listed *source = cli_listing_at(t->stage->source, offset);
    if (source && (i == 0 || t->events[i - 1].offset != offset))
        printf("0x%04x    %4u: %s\n", (unsigned)offset, (unsigned)source->line, source->text);
}

static void print_event(const listing *l, const iri_exec_event *e, int column, uint32_t *passes,
                        bool continued)
{
    uint32_t line = l->line_of[e->inst];
    const char *text = text_of(l, e);
    char offset[16] = "";
    if (e->offset != IRI_NO_OFFSET)
        snprintf(offset, sizeof offset, "0x%04x", (unsigned)e->offset);
    printf("%-8s  %4u  ", offset, (unsigned)line);
    if (e->kind == IRI_EVENT_REGION) {
        char *region = region_text(l, e, passes, continued);
        printf("%*s-> %s\n", indentation(text) + 2, "", region);
        free(region);
        return;
    }
    printf("%-*s", e->count ? column : 0, text);
    print_values(e);
    putchar('\n');
}

bool run_trace_print(run_trace *t)
{
    listing l;
    int column = 0;
    if (!make_listing(t->stage, &l))
        return false;
    drop_unwritten(t, &l);
    uint32_t *passes = cli_alloc((iri_program_inst_count(l.p) + 1) * sizeof *passes);
    for (size_t i = 0; i < t->count; i++) {
        int width = (int)strlen(text_of(&l, &t->events[i]));
        if (width > column && width <= TEXT_COLUMN_MAX && t->events[i].count)
            column = width;
    }
    printf("%-8s  %4s  %-*s  %12s  %12s  %12s  %12s\n", "offset", "line", column, "instruction",
           "x", "y", "z", "w");
    for (size_t i = 0; i < t->count; i++) {
        print_source(t, i);
        print_event(&l, &t->events[i], column, passes, is_continued(t, &l, i));
    }
    if (t->dropped)
        printf("and %zu more\n", t->dropped);
    free(passes);
    free_listing(&l);
    return true;
}

/* ---- as JSON ---- */

static void json_event(const listing *l, const cli_listing *source, const iri_exec_event *e,
                       cli_json *json, uint32_t *passes, bool continued)
{
    const cli_listed *from = cli_listing_at(source, e->offset);
    static const char *const kinds[] = {"result", "effect", "region"};
    json_open(json, NULL, '{');
    json_string(json, "kind", kinds[e->kind]);
    if (e->offset == IRI_NO_OFFSET)
        json_string(json, "offset", NULL);
    else
        json_number(json, "offset", e->offset);
    if (from)
        json_number(json, "listingLine", from->line);
    else
        json_string(json, "listingLine", NULL);
    json_string(json, "listing", from ? from->text : NULL);
    json_number(json, "line", l->line_of[e->inst]);
    const char *text = text_of(l, e);
    json_string(json, "text", text + indentation(text));
    if (e->kind == IRI_EVENT_REGION) {
        char *region = region_text(l, e, passes, continued);
        json_string(json, "region", region);
        free(region);
    } else {
        json_open(json, "values", '[');
        for (uint32_t v = 0; v < e->count; v++) {
            char type[16];
            run_type_text(e->types[v], type);
            json_open(json, NULL, '{');
            json_string(json, "type", type);
            run_json_lanes(json, "values", e->types[v], e->values[v]);
            run_json_bits(json, "bits", e->types[v], e->values[v]);
            json_close(json, '}');
        }
        json_close(json, ']');
    }
    json_close(json, '}');
}

bool run_trace_json(run_trace *t, cli_json *json)
{
    listing l;
    if (!make_listing(t->stage, &l))
        return false;
    drop_unwritten(t, &l);
    uint32_t *passes = cli_alloc((iri_program_inst_count(l.p) + 1) * sizeof *passes);
    json_open(json, "trace", '[');
    for (size_t i = 0; i < t->count; i++)
        json_event(&l, t->stage->source, &t->events[i], json, passes, is_continued(t, &l, i));
    json_close(json, ']');
    json_number(json, "traceDropped", (int64_t)t->dropped);
    free(passes);
    free_listing(&l);
    return true;
}
