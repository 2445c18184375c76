/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs the cases below this folder: text files of a title, `[input ...]`, `[run]` and `[expect]`; README.md
 * says what each may hold. `--update` rewrites `[expect]` and nothing else. Other arguments choose the cases
 * whose path contains one of them. Ends with `N passed, N failed, N skipped`.
 */
#include "read/d3d9/ctab.h"
#include "read/d3d9/decode.h"
#include "tests/unit/spirv_dis.h"

#include <iridia/assembly.h>
#include <iridia/preshader.h>
#include <iridia/read.h>
#include <iridia/spirv.h>
#include <iridia/text.h>
#include <iridia/write.h>

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES_MAX = 32, WORDS_MAX = 16 };

/* ---- text that grows ---- */

typedef struct text {
    char *at;
    size_t size, capacity;
} text;

static void add(text *to, const char *bytes, size_t size)
{
    if (to->size + size + 1 > to->capacity) {
        to->capacity = (to->size + size + 1) * 2;
        to->at = realloc(to->at, to->capacity);
        if (!to->at)
            abort();
    }
    memcpy(to->at + to->size, bytes, size);
    to->size += size;
    to->at[to->size] = 0;
}

static void add_line(text *to, const char *format, ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    add(to, line, strlen(line));
    add(to, "\n", 1);
}

static bool read_file(const char *path, text *out)
{
    char buffer[4096];
    size_t size;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
        add(out, buffer, size);
    fclose(file);
    add(out, "", 0);
    return true;
}

/* ---- a case ---- */

typedef struct section {
    const char *at;
    size_t size;
    char kind[16]; /* "ir", "d3d9", "file" of an input; the start of a todo's reason */
} section;

typedef struct test {
    const char *path;
    text source;
    section input, run, expect, todo;
    text bytes;  /* of the input */
    text output; /* of what was run */
    iri_program *program;
    bool is_text; /* the input is iridia text */
    bool refused; /* nothing more is run */
} test;

/* "[input ir]" and the like at `line`. */
static section *section_at(test *t, const char *line, size_t size)
{
    static const char *const names[] = {"input", "run", "expect", "todo"};
    section *const sections[] = {&t->input, &t->run, &t->expect, &t->todo};
    if (size < 3 || line[0] != '[' || line[size - 1] != ']')
        return NULL;
    for (size_t i = 0; i < 4; i++) {
        size_t length = strlen(names[i]);
        if (size > length + 1 && !memcmp(line + 1, names[i], length) &&
            (line[length + 1] == ']' || line[length + 1] == ' ')) {
            section *s = sections[i];
            size_t rest = line[length + 1] == ' ' ? size - length - 3 : 0;
            snprintf(s->kind, sizeof s->kind, "%.*s", (int)(rest < 15 ? rest : 15),
                     line + length + 2);
            return s;
        }
    }
    return NULL;
}

/* Cuts the file into its sections; false, with a word on it, when one is missing. */
static bool split(test *t)
{
    const char *at = t->source.at, *end = at + t->source.size;
    section *open = NULL;
    while (at < end) {
        const char *line = at, *stop = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((stop ? stop : end) - line);
        at = stop ? stop + 1 : end;
        section *s = section_at(t, line, size);
        if (open && s)
            open->size = (size_t)(line - open->at);
        if (s) {
            if (s->at) {
                printf("FAIL %s: [%.*s is there twice\n", t->path, (int)size - 1, line + 1);
                return false;
            }
            s->at = at;
            s->size = (size_t)(end - at);
            open = s;
        }
    }
    if (!t->input.at || !t->run.at || !t->expect.at || open != &t->expect ||
        t->source.at[0] == '[') {
        printf("FAIL %s: a title, [input], [run] and, last, [expect] are needed\n", t->path);
        return false;
    }
    return true;
}

/* ---- input ---- */

/* Without blank lines at the end. */
static size_t trimmed(const char *at, size_t size)
{
    while (size && (at[size - 1] == '\n' || at[size - 1] == '\r' || at[size - 1] == ' '))
        size--;
    return size;
}

/* Words in hexadecimal, little-endian in the bytes; comments as in C++. */
static bool read_tokens(test *t)
{
    const char *at = t->input.at, *end = at + t->input.size;
    while (at < end) {
        char word[16] = "";
        size_t size = 0;
        if (*at == '/' || *at == ';') {
            while (at < end && *at != '\n')
                at++;
            continue;
        }
        if (strchr(" \t\r\n,", *at)) {
            at++;
            continue;
        }
        while (at < end && !strchr(" \t\r\n,", *at) && size < sizeof word - 1)
            word[size++] = *at++;
        char *stop;
        unsigned long value = strtoul(word, &stop, 16);
        bool bytes = size == 2 && stop == word + 2; /* a lone byte, for broken files */
        if (*stop || size > 10) {
            printf("FAIL %s: '%s' is no token\n", t->path, word);
            return false;
        }
        for (int i = 0; i < (bytes ? 1 : 4); i++) {
            char byte = (char)(value >> (8 * i) & 0xff);
            add(&t->bytes, &byte, 1);
        }
    }
    add(&t->bytes, "", 0);
    return true;
}

static bool read_input(test *t)
{
    if (!strcmp(t->input.kind, "ir")) {
        t->is_text = true;
        add(&t->bytes, t->input.at, t->input.size);
        return true;
    }
    if (!strcmp(t->input.kind, "d3d9"))
        return read_tokens(t);
    if (!strcmp(t->input.kind, "asm")) {
        add(&t->bytes, t->input.at, trimmed(t->input.at, t->input.size));
        add(&t->bytes, "\n", 1);
        return true;
    }
    if (strcmp(t->input.kind, "file")) {
        printf("FAIL %s: no [input %s]\n", t->path, t->input.kind);
        return false;
    }
    char path[256] = "";
    snprintf(path, sizeof path, "%.*s", (int)strcspn(t->input.at, "\r\n"), t->input.at);
    if (!read_file(path, &t->bytes)) {
        printf("FAIL %s: cannot read '%s'\n", t->path, path);
        return false;
    }
    return true;
}

static void refuse(test *t, const iri_refusal *why)
{
    char line[1024];
    iri_refusal_line(why, NULL, line, sizeof line);
    add_line(&t->output, "%s", line);
    t->refused = true;
}

static void replace(test *t, iri_program *program)
{
    iri_program_free(t->program);
    t->program = program;
}

/* The program, parsed from the input when nothing made one yet. */
static bool have_program(test *t)
{
    iri_refusal why;
    if (t->program)
        return true;
    if (!t->is_text) {
        add_line(&t->output, "there is no program: lift it first");
        t->refused = true;
    } else if (iri_parse_text(t->bytes.at, t->bytes.size, NULL, &t->program, &why) != IRI_OK) {
        refuse(t, &why);
    }
    return t->program != NULL;
}

/* ---- what can be run ---- */

typedef struct words {
    char *at[WORDS_MAX];
    uint32_t count;
} words;

/* "key=value" among the words: the value. */
static const char *option(const words *w, const char *key)
{
    size_t size = strlen(key);
    for (uint32_t i = 1; i < w->count; i++)
        if (!strncmp(w->at[i], key, size) && w->at[i][size] == '=')
            return w->at[i] + size + 1;
    return NULL;
}

static bool flag(const words *w, const char *word)
{
    for (uint32_t i = 1; i < w->count; i++)
        if (!strcmp(w->at[i], word))
            return true;
    return false;
}

static void run_print(test *t, const words *w)
{
    iri_refusal why;
    iri_text out;
    if (iri_print_text(t->program, IRI_TEXT_OPTIONS(.no_offsets = flag(w, "no_offsets")), &out,
                       &why) != IRI_OK) {
        refuse(t, &why);
        return;
    }
    add(&t->output, out.data, out.size);
    iri_text_free(&out);
}

/* Prints, parses, compares. */
static void run_roundtrip(test *t, const words *w)
{
    char what[256];
    iri_refusal why;
    iri_text out;
    iri_program *again;
    (void)w;
    if (iri_print_text(t->program, NULL, &out, &why) != IRI_OK) {
        refuse(t, &why);
        return;
    }
    if (iri_parse_text(out.data, out.size, NULL, &again, &why) != IRI_OK) {
        refuse(t, &why);
    } else {
        bool same = iri_program_equal(t->program, again, what, sizeof what);
        add_line(&t->output, "%s", same ? "same" : what);
        iri_program_free(again);
    }
    iri_text_free(&out);
}

static void run_validate(test *t, const words *w)
{
    static const struct {
        const char *word;
        uint32_t bit;
    } abilities[] = {{"-f16", IRI_CAN_F16},     {"-f64", IRI_CAN_F64}, {"-int16", IRI_CAN_INT16},
                     {"-int64", IRI_CAN_INT64}, {"-cfg", IRI_CAN_CFG}, {"-locals", IRI_CAN_LOCALS},
                     {"-state", IRI_CAN_STATE}};
    uint32_t can = IRI_CAN_ALL;
    iri_problems problems;
    for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++)
        if (flag(w, abilities[i].word))
            can &= ~abilities[i].bit;
    iri_status status = iri_validate(t->program, can, &problems, NULL);
    for (size_t i = 0; i < problems.count; i++) {
        const iri_problem *p = &problems.items[i];
        const char *name =
            p->function ? iri_program_function(t->program, p->function)->name : "interface";
        if (p->offset != IRI_NO_OFFSET)
            add_line(&t->output, "%s:0x%lx: %s", name, (unsigned long)p->offset, p->text);
        else
            add_line(&t->output, "%s: %s", name, p->text);
    }
    if (status == IRI_OK)
        add_line(&t->output, "valid");
    iri_problems_free(&problems);
}

/* Words that are none of `known` are entries of state. */
static bool take_state(test *t, const words *w, const char *const *known, iri_state_entry *entries,
                       iri_state *state)
{
    iri_refusal why;
    state->entries = entries;
    for (uint32_t i = 1; i < w->count; i++) {
        bool skip = false;
        for (uint32_t k = 0; known[k]; k++)
            skip |= !strncmp(w->at[i], known[k], strlen(known[k]));
        if (skip)
            continue;
        if (!strcmp(w->at[i], "defaults")) {
            state->defaults = true;
        } else if (state->count < STATES_MAX &&
                   iri_parse_state(w->at[i], &entries[state->count], &why) == IRI_OK) {
            state->count++;
        } else {
            add_line(&t->output, "'%s' is no option here", w->at[i]);
            t->refused = true;
            return false;
        }
    }
    return true;
}

static uint32_t take_number(const words *w, const char *key)
{
    const char *value = option(w, key);
    return value ? (uint32_t)strtoul(value, NULL, 0) : 0;
}

static iri_profile take_profile(const words *w)
{
    const char *value = option(w, "profile");
    return value && !strcmp(value, "naga") ? IRI_PROFILE_NAGA : IRI_PROFILE_BROWSER;
}

static uint32_t take_features(const words *w)
{
    return (flag(w, "f16") ? IRI_FEATURE_SHADER_F16 : 0u) |
           (flag(w, "clip_distances") ? IRI_FEATURE_CLIP_DISTANCES : 0u) |
           (flag(w, "dual_source") ? IRI_FEATURE_DUAL_SOURCE : 0u) |
           (flag(w, "filterable") ? IRI_FEATURE_FLOAT32_FILTERABLE : 0u);
}

static void run_pass(test *t, const words *w)
{
    static const char *const known[] = {"profile=",      "f16",           "clip_distances",
                                        "dual_source",   "filterable",    "zero",
                                        "inline_limit=", "select_limit=", NULL};
    iri_state_entry entries[STATES_MAX];
    iri_state state = {0};
    iri_refusal why;
    iri_program *out;
    words rest = *w;
    iri_pass_id pass = w->count > 1 ? iri_pass_by_name(w->at[1]) : IRI_PASS_NONE;
    if (pass == IRI_PASS_NONE) {
        add_line(&t->output, "there is no such pass");
        t->refused = true;
        return;
    }
    rest.count--;
    memmove(rest.at, rest.at + 1, rest.count * sizeof *rest.at);
    if (!take_state(t, &rest, known, entries, &state))
        return;
    iri_status status =
        iri_pass_apply(t->program, pass,
                       IRI_PASS_OPTIONS(.state = &state, .uninitialized_zero = flag(w, "zero"),
                                        .inline_limit = take_number(w, "inline_limit"),
                                        .select_limit = take_number(w, "select_limit")),
                       &out, NULL, &why);
    if (status == IRI_OK)
        replace(t, out);
    else
        refuse(t, &why);
}

static void run_lift(test *t, const words *w)
{
    static const char *const known[] = {"uninitialized=", "multiply=", "raw", NULL};
    iri_state_entry entries[STATES_MAX];
    iri_state state = {0};
    iri_refusal why;
    iri_program *out;
    const char *uninitialized = option(w, "uninitialized"), *multiply = option(w, "multiply");
    if (!take_state(t, w, known, entries, &state))
        return;
    iri_status status =
        iri_lift(t->bytes.at, t->bytes.size,
                 IRI_LIFT_OPTIONS(.state = &state, .raw = flag(w, "raw"),
                                  .uninitialized = uninitialized && !strcmp(uninitialized, "zero")
                                                       ? IRI_UNINITIALIZED_ZERO
                                                       : IRI_UNINITIALIZED_REFUSE,
                                  .multiply = multiply && !strcmp(multiply, "ieee")
                                                  ? IRI_MULTIPLY_IEEE
                                                  : IRI_MULTIPLY_ZERO_WINS),
                 &out, NULL, &why);
    if (status == IRI_OK)
        replace(t, out);
    else
        refuse(t, &why);
}

typedef struct checking {
    const test *t;
    iri_arena scratch;
} checking;

static void check_body(iri_ctx *ctx, void *argument)
{
    checking *c = argument;
    const iri_d3d9_shader *shader =
        iri_d3d9_decode(ctx, &c->scratch, c->t->bytes.at, c->t->bytes.size, 0);
    iri_d3d9_check(ctx, shader);
    iri_d3d9_ctab_read(ctx, &c->scratch, shader);
}

/* Direct3D 9 bytes decoded and checked, their constant table too, without lowering. */
static void run_check(test *t, const words *w)
{
    checking c = {.t = t};
    iri_refusal why;
    iri_ctx ctx;
    (void)w;
    iri_ctx_init(&ctx, NULL, NULL, &why);
    iri_arena_init(&c.scratch, &ctx);
    if (iri_protect(&ctx, check_body, &c) == IRI_OK)
        add_line(&t->output, "good");
    else
        refuse(t, &why);
    iri_arena_free(&c.scratch);
}

static void run_effect(test *t, const words *w)
{
    iri_effect *effect;
    iri_refusal why;
    (void)w;
    if (iri_effect_read(t->bytes.at, t->bytes.size, NULL, &effect, &why) != IRI_OK) {
        refuse(t, &why);
        return;
    }
    add_line(&t->output, "%u parameters, %u techniques, %u objects",
             (unsigned)effect->parameter_count, (unsigned)effect->technique_count,
             (unsigned)effect->object_count);
    iri_effect_free(effect);
}

/* The bytes are a shader with a preshader, or an expression, which becomes the program. */
static void run_preshader(test *t, const words *w)
{
    iri_program *out;
    iri_refusal why;
    iri_status status = iri_preshader_lift(
        t->bytes.at, t->bytes.size, IRI_PRESHADER_OPTIONS(.single = flag(w, "single")), &out, &why);
    if (status != IRI_OK)
        refuse(t, &why);
    else if (out)
        replace(t, out);
    else
        add_line(&t->output, "no preshader");
}

/* Lifting that must refuse. */
static void run_refusal(test *t, const words *w)
{
    run_lift(t, w);
    if (!t->refused)
        add_line(&t->output, "not refused");
    t->refused = true;
}

static void run_disassemble(test *t, const words *w)
{
    iri_refusal why;
    iri_text out;
    if (iri_disassemble(t->bytes.at, t->bytes.size,
                        IRI_DISASSEMBLE_OPTIONS(.comments = flag(w, "comments")), &out,
                        &why) != IRI_OK) {
        refuse(t, &why);
        return;
    }
    add(&t->output, out.data, out.size);
    iri_text_free(&out);
}

/* The bytes become the token stream that they are the assembly of; `tokens` prints it. */
static void run_assemble(test *t, const words *w)
{
    iri_refusal why;
    iri_text out;
    if (iri_assemble(t->bytes.at, t->bytes.size, NULL, &out, &why) != IRI_OK) {
        refuse(t, &why);
        return;
    }
    t->bytes.size = 0;
    add(&t->bytes, out.data, out.size);
    iri_text_free(&out);
    for (size_t i = 0; flag(w, "tokens") && i + 4 <= t->bytes.size; i += 4) {
        const uint8_t *p = (const uint8_t *)t->bytes.at + i;
        add_line(&t->output, "%02x%02x%02x%02x", p[3], p[2], p[1], p[0]);
    }
}

static void run_notes(test *t, const words *w)
{
    (void)w;
    for (size_t i = 0; i < iri_note_count(t->program); i++) {
        const iri_note *note = iri_note_at(t->program, i);
        if (note->offset != IRI_NO_OFFSET)
            add_line(&t->output, "0x%lx: %s: %s", (unsigned long)note->offset, note->kind,
                     note->text);
        else
            add_line(&t->output, "%s: %s", note->kind, note->text);
    }
}

static void run_wgsl(test *t, const words *w)
{
    iri_refusal why;
    iri_text out;
    iri_wgsl_map map = {0};
    iri_status status =
        iri_write_wgsl(t->program,
                       IRI_WGSL_OPTIONS(.profile = take_profile(w), .features = take_features(w),
                                        .raw_constants = flag(w, "raw_constants"),
                                        .no_header = !flag(w, "header")),
                       &out, &map, &why);
    if (status != IRI_OK) {
        refuse(t, &why);
        return;
    }
    add(&t->output, out.data, out.size);
    for (size_t i = 0; flag(w, "notes") && i < map.note_count; i++)
        add_line(&t->output, "note %s: %s", map.notes[i].kind, map.notes[i].text);
    iri_wgsl_map_free(&map);
    iri_text_free(&out);
}

static void add_listed(void *user, const char *line)
{
    test *t = user;
    add_line(&t->output, "%s", line);
}

/* The module's listing; `code`: without names, decorations and types. */
static void run_spirv(test *t, const words *w)
{
    iri_profile profile = flag(w, "vulkan1.3") ? IRI_PROFILE_VULKAN_1_3 : IRI_PROFILE_VULKAN_1_1;
    iri_refusal why;
    iri_text out;
    iri_spirv_map map;
    iri_status status =
        iri_write_spirv(t->program,
                        IRI_SPIRV_OPTIONS(.profile = profile,
                                          .demote = flag(w, "demote") ? IRI_SPIRV_DEMOTE_INSTRUCTION
                                                                      : IRI_SPIRV_DEMOTE_AUTO,
                                          .semantics = flag(w, "semantics"),
                                          .raw_constants = flag(w, "raw_constants")),
                        &out, &map, &why);
    if (status != IRI_OK) {
        refuse(t, &why);
        return;
    }
    uint32_t *module = malloc(out.size + 4);
    if (!module)
        abort();
    memcpy(module, out.data, out.size);
    const char *fault = spirv_check(module, out.size / 4);
    if (fault)
        add_line(&t->output, "broken: %s", fault);
    else
        spirv_list(module, out.size / 4, flag(w, "code"), add_listed, t);
    for (size_t i = 0; i < map.note_count; i++)
        add_line(&t->output, "note %s: %s", map.notes[i].kind, map.notes[i].text);
    iri_spirv_map_free(&map);
    free(module);
    iri_text_free(&out);
}

static const struct {
    const char *name;
    void (*run)(test *t, const words *w);
    bool on_bytes; /* needs no program */
} commands[] = {
    {"print", run_print, false},
    {"roundtrip", run_roundtrip, false},
    {"validate", run_validate, false},
    {"pass", run_pass, false},
    {"notes", run_notes, false},
    {"wgsl", run_wgsl, false},
    {"lift", run_lift, true},
    {"refusal", run_refusal, true},
    {"check", run_check, true},
    {"spirv", run_spirv, false},
    {"disassemble", run_disassemble, true},
    {"assemble", run_assemble, true},
    {"effect", run_effect, true},
    {"preshader", run_preshader, true},
};

static void run_line(test *t, char *line)
{
    words w = {{0}, 0};
    for (char *word = strtok(line, " \t\r"); word && w.count < WORDS_MAX;
         word = strtok(NULL, " \t\r"))
        w.at[w.count++] = word;
    if (!w.count)
        return;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(w.at[0], commands[i].name)) {
            if (commands[i].on_bytes || have_program(t))
                commands[i].run(t, &w);
            return;
        }
    add_line(&t->output, "'%s' cannot be run", w.at[0]);
    t->refused = true;
}

static void run_lines(test *t)
{
    const char *at = t->run.at, *end = at + t->run.size;
    add(&t->output, "", 0);
    while (at < end && !t->refused) {
        char line[512];
        size_t size = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s",
                 (int)(size < (size_t)(end - at) ? size : (size_t)(end - at)), at);
        run_line(t, line);
        at += size + 1;
    }
}

/* ---- comparing ---- */

static const char *next_line(const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return stop ? stop + 1 : end;
}

static const char *last_line(const char *at, const char *end)
{
    end -= end > at;
    while (end > at && end[-1] != '\n')
        end--;
    return end;
}

static void print_lines(char mark, const char *at, const char *end)
{
    for (uint32_t i = 0; at < end; i++) {
        const char *next = next_line(at, end);
        if (i == 40) {
            printf("  %c ...\n", mark);
            return;
        }
        printf("  %c %.*s\n", mark, (int)(next - at - (next > at && next[-1] == '\n')), at);
        at = next;
    }
}

/* The lines between what both begin and end with. */
static void print_difference(const char *a, const char *a_end, const char *b, const char *b_end)
{
    while (a < a_end && b < b_end) {
        const char *a_next = next_line(a, a_end), *b_next = next_line(b, b_end);
        if (a_next - a != b_next - b || memcmp(a, b, (size_t)(a_next - a)))
            break;
        a = a_next;
        b = b_next;
    }
    while (a < a_end && b < b_end) {
        const char *a_last = last_line(a, a_end), *b_last = last_line(b, b_end);
        if (a_end - a_last != b_end - b_last || memcmp(a_last, b_last, (size_t)(a_end - a_last)))
            break;
        a_end = a_last;
        b_end = b_last;
    }
    print_lines('-', a, a_end);
    print_lines('+', b, b_end);
}

static bool update(const test *t)
{
    FILE *file = fopen(t->path, "wb");
    if (!file)
        return false;
    size_t before = (size_t)(t->expect.at - t->source.at);
    bool good = fwrite(t->source.at, 1, before, file) == before;
    size_t size = trimmed(t->output.at, t->output.size);
    good &= fwrite(t->output.at, 1, size, file) == size;
    good &= size == 0 || fputc('\n', file) != EOF;
    return fclose(file) == 0 && good;
}

typedef enum outcome { PASSED, FAILED, SKIPPED } outcome;

static outcome judge(test *t, bool updating)
{
    size_t got = trimmed(t->output.at, t->output.size),
           wanted = trimmed(t->expect.at, t->expect.size);
    bool same = got == wanted && !memcmp(t->output.at, t->expect.at, got);
    if (t->todo.at) {
        const char *line = t->todo.at;
        while (line > t->source.at && line[-1] != '[')
            line--;
        if (same) {
            printf("FAIL %s: passes now: take its [todo] away\n", t->path);
            return FAILED;
        }
        printf("SKIP %s: %.*s\n", t->path, (int)strcspn(line, "]\n"), line);
        return SKIPPED;
    }
    if (same)
        return PASSED;
    if (updating) {
        printf("%s %s\n", update(t) ? "updated" : "cannot write", t->path);
        return PASSED;
    }
    printf("FAIL %s\n", t->path);
    print_difference(t->expect.at, t->expect.at + wanted, t->output.at, t->output.at + got);
    return FAILED;
}

static outcome run_test(const char *path, bool updating)
{
    test t = {.path = path};
    outcome result = FAILED;
    if (!read_file(path, &t.source)) {
        printf("FAIL %s: cannot be read\n", path);
    } else if (split(&t) && read_input(&t)) {
        run_lines(&t);
        result = judge(&t, updating);
    }
    iri_program_free(t.program);
    free(t.source.at);
    free(t.bytes.at);
    free(t.output.at);
    return result;
}

/* ---- finding them ---- */

typedef struct paths {
    char **at;
    size_t count, capacity;
} paths;

static void find(const char *folder, paths *list)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory && (entry = readdir(directory)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');
        if (entry->d_name[0] == '.')
            continue;
        size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        char *path = malloc(size);
        if (!path)
            abort();
        snprintf(path, size, "%s/%s", folder, entry->d_name);
        if (!dot) {
            find(path, list);
            free(path);
        } else if (!strcmp(dot, ".test")) {
            if (list->count == list->capacity) {
                list->capacity = list->capacity * 2 + 64;
                list->at = realloc(list->at, list->capacity * sizeof *list->at);
                if (!list->at)
                    abort();
            }
            list->at[list->count++] = path;
        } else {
            free(path);
        }
    }
    if (directory)
        closedir(directory);
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int count, char **arguments)
{
    uint32_t outcomes[3] = {0};
    bool updating = count > 1 && !strcmp(arguments[1], "--update");
    int first = updating ? 2 : 1;
    paths list = {0};
    find("tests/cases", &list);
    if (list.count)
        qsort(list.at, list.count, sizeof *list.at, compare_paths);
    for (size_t i = 0; i < list.count; i++) {
        bool wanted = first == count;
        for (int k = first; k < count; k++)
            wanted |= strstr(list.at[i], arguments[k]) != NULL;
        if (wanted)
            outcomes[run_test(list.at[i], updating)]++;
        free(list.at[i]);
        fflush(stdout);
    }
    free(list.at);
    if (!list.count) {
        printf("FAIL no cases in tests/cases: run this from the repository\n");
        outcomes[FAILED]++;
    }
    printf("%u passed, %u failed, %u skipped\n", (unsigned)outcomes[PASSED],
           (unsigned)outcomes[FAILED], (unsigned)outcomes[SKIPPED]);
    return outcomes[FAILED] != 0;
}
