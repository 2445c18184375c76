/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table test of Direct3D 9's instructions: each fixture of tests/fixtures/tokens is assembled, decoded, listed,
 * lifted, validated and written as WGSL and SPIR-V, and compared with what Microsoft's tools made of it; each row of
 * ops.def has fixtures in every model that has the instruction. docs/testing.md has the format. `--update` rewrites
 * the tables' last column, what iridia makes of a fixture. Ends with `N passed, N failed, N skipped`.
 */
#include "read/d3d9/decode.h"

#include <iridia/assembly.h>
#include <iridia/program.h>
#include <iridia/read.h>
#include <iridia/spirv.h>
#include <iridia/write.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "tests/fixtures/tokens/"

static const char *const models[] = {"vs_1_1", "vs_2_0", "vs_2_x", "vs_3_0", "ps_1_1", "ps_1_2",
                                     "ps_1_3", "ps_1_4", "ps_2_0", "ps_2_x", "ps_3_0"};

enum {
    MODELS = sizeof models / sizeof *models,
    FRAME_PARTS = 5, /* version, declarations, texture instructions, values, outputs */
    STREAMS = 4,     /* the section of what Microsoft's assembler does not write */
    WORDS_MAX = 1024,
    TEXT_MAX = 16384
};

typedef enum column { SOURCE, TOKENS, LISTING, SLOTS, VALIDITY, OUTCOME, COLUMNS } column;

typedef struct row {
    char *cells[COLUMNS];
} row;

typedef struct table {
    const char *model;
    char *text;
    row frame[FRAME_PARTS];
    bool seen[IRI_D3D9_OP_COUNT]; /* the rows of ops.def that its fixtures have */
    unsigned fixtures, refused, lifted, written;
} table;

/* A difference to Microsoft's tools that stands, and why. */
typedef struct difference {
    char *model, *source, *outcome; /* patterns */
    bool met;
} difference;

typedef struct suite {
    char *differences_text;
    difference *differences;
    size_t difference_count;
    unsigned passed, failed;
    bool update;
} suite;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
fail(suite *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("FAIL ");
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
    s->failed++;
}

/* ---- files ---- */

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    if (text)
        text[fread(text, 1, (size_t)size, file)] = 0;
    fclose(file);
    return text;
}

/* Cuts `*at`'s first line off; NULL at the end. */
static char *next_line(char **at)
{
    char *line = *at;
    if (!*line)
        return NULL;
    char *end = line + strcspn(line, "\n");
    *at = *end ? end + 1 : end;
    *end = 0;
    return line;
}

/* Cuts `line` at its tabs; cells that are not there are empty. */
static void split(char *line, char **cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cells[i] = line;
        line += strcspn(line, "\t");
        if (*line)
            *line++ = 0;
    }
}

/* ---- a fixture within its frame ---- */

typedef void part_fn(void *user, const char *cell, size_t size);

/* Calls `part` with `what` of the frame up to its section, of the fixture, and of the rest, which is where the
 * fixture says `...`, or at its end. */
static void compose(const table *t, const row *r, unsigned section, column what, part_fn *part,
                    void *user)
{
    const char *cell = r->cells[what], *rest = strstr(cell, "...");
    size_t size = rest ? (size_t)(rest - cell) : strlen(cell);
    section = section == STREAMS ? STREAMS - 1 : section;
    for (unsigned i = 0; i <= section; i++)
        part(user, t->frame[i].cells[what], strlen(t->frame[i].cells[what]));
    part(user, cell, size);
    for (unsigned i = section + 1; i < FRAME_PARTS; i++)
        part(user, t->frame[i].cells[what], strlen(t->frame[i].cells[what]));
    if (rest)
        part(user, rest + 3, strlen(rest + 3));
}

typedef struct lines {
    char text[TEXT_MAX];
    size_t size;
    bool listing; /* with the margin a listing has */
} lines;

static void add_text(lines *to, const char *text, size_t size)
{
    if (to->size + size + 1 > sizeof to->text)
        abort();
    memcpy(to->text + to->size, text, size);
    to->size += size;
    to->text[to->size] = 0;
}

/* Lines are parted by " | ". */
static void add_lines(void *user, const char *cell, size_t size)
{
    lines *to = user;
    while (size) {
        const char *bar = cell;
        while (bar < cell + size && strncmp(bar, " | ", 3) != 0)
            bar++;
        size_t length = (size_t)(bar - cell);
        if (length) {
            if (to->listing)
                add_text(to, "    ", *cell == '+' ? 2 : 4);
            add_text(to, cell, length);
            add_text(to, "\n", 1);
        }
        length = length + 3 < size ? length + 3 : size;
        cell += length;
        size -= length;
    }
}

typedef struct stream {
    uint8_t bytes[WORDS_MAX * 4];
    size_t size;
} stream;

static void add_word(stream *to, uint32_t word)
{
    if (to->size + 4 > sizeof to->bytes)
        abort();
    for (unsigned b = 0; b < 4; b++)
        to->bytes[to->size++] = (uint8_t)(word >> 8 * b);
}

static void add_words(void *user, const char *cell, size_t size)
{
    const char *end = cell + size;
    while (cell < end) {
        char *stop;
        uint32_t word = (uint32_t)strtoul(cell, &stop, 16);
        if (stop == cell || stop > end)
            return;
        add_word(user, word);
        cell = stop;
    }
}

/* ---- what iridia makes of it ---- */

typedef struct decoding {
    const stream *code;
    bool *seen;
} decoding;

static void decode(iri_ctx *ctx, void *argument)
{
    decoding *d = argument;
    iri_arena arena;
    iri_arena_init(&arena, ctx);
    const iri_d3d9_shader *shader = iri_d3d9_decode(ctx, &arena, d->code->bytes, d->code->size, 0);
    for (uint32_t i = 0; i < shader->instruction_count; i++)
        d->seen[shader->instructions[i].op] = true;
    iri_arena_free(&arena);
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
say(char *outcome, size_t size, const char *format, ...)
{
    if (*outcome && strlen(outcome) + 3 < size)
        strcat(outcome, "; ");
    size_t used = strlen(outcome);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(outcome + used, size - used, format, arguments);
    va_end(arguments);
}

/* Lifts, validates and writes. */
static void translate(suite *s, table *t, const char *source, const stream *code, char *outcome,
                      size_t size)
{
    static const iri_state defaults = {NULL, 0, true};
    iri_program *program;
    iri_text text;
    iri_refusal why;
    if (iri_lift(code->bytes, code->size, IRI_LIFT_OPTIONS(.state = &defaults), &program, NULL,
                 &why) != IRI_OK) {
        say(outcome, size, "lift [%s] %s", why.group, why.reason);
        return;
    }
    t->lifted++;
    if (iri_validate(program, IRI_CAN_ALL, NULL, &why) != IRI_OK)
        fail(s, "%s: %s: the program is invalid: %s", t->model, source, why.reason);
    bool wgsl = iri_write_wgsl(program, NULL, &text, NULL, &why) == IRI_OK;
    if (wgsl)
        iri_text_free(&text);
    else
        say(outcome, size, "wgsl [%s] %s", why.group, why.reason);
    bool spirv = iri_write_spirv(program, NULL, &text, NULL, &why) == IRI_OK;
    if (spirv)
        iri_text_free(&text);
    else
        say(outcome, size, "spirv [%s] %s", why.group, why.reason);
    if (wgsl && spirv) {
        say(outcome, size, "written");
        t->written++;
    }
    iri_program_free(program);
}

/* Whether `text` is as `pattern`, in which `*` is any characters. */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL, *from = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            from = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static bool differs(suite *s, const table *t, const row *r, const char *outcome)
{
    for (size_t i = 0; i < s->difference_count; i++) {
        difference *d = &s->differences[i];
        if (matches(d->source, r->cells[SOURCE]) && matches(d->model, t->model) &&
            matches(d->outcome, outcome)) {
            d->met = true;
            return true;
        }
    }
    return false;
}

/* Whether `code` is listed as Microsoft's disassembler lists it, and is its own code again from that. */
static bool list(const table *t, const row *r, unsigned section, const stream *code, char *outcome,
                 size_t size)
{
    iri_text text, back;
    iri_refusal why;
    char slots[160];
    lines expected = {.listing = true};
    int digits = (int)strspn(r->cells[SLOTS], "0123456789");
    compose(t, r, section, LISTING, add_lines, &expected);
    snprintf(slots, sizeof slots, "\n// approximately %.*s instruction slot%s used%s\n", digits,
             r->cells[SLOTS], digits == 1 && r->cells[SLOTS][0] == '1' ? "" : "s",
             r->cells[SLOTS] + digits);
    add_text(&expected, slots, strlen(slots));
    if (iri_disassemble(code->bytes, code->size, NULL, &text, &why) != IRI_OK) {
        say(outcome, size, "dis [%s] %s", why.group, why.reason);
        return false;
    }
    bool equal = text.size == expected.size && !memcmp(text.data, expected.text, text.size);
    if (!equal)
        say(outcome, size, "dis: another listing");
    if (iri_assemble(text.data, text.size, NULL, &back, &why) != IRI_OK) {
        say(outcome, size, "asm of its listing: %s", why.reason);
        equal = false;
    } else if (back.size != code->size || memcmp(back.data, code->bytes, code->size) != 0) {
        say(outcome, size, "asm of its listing: other tokens");
        equal = false;
    }
    iri_text_free(&back);
    iri_text_free(&text);
    return equal;
}

/* Whether iridia takes what Microsoft's assembler takes, to the same tokens. */
static bool assemble(const table *t, const row *r, unsigned section, const stream *code,
                     char *outcome, size_t size)
{
    iri_text made;
    iri_refusal why;
    lines source = {.size = 0};
    bool refused = !code->size;
    compose(t, r, section, SOURCE, add_lines, &source);
    if (iri_assemble(source.text, source.size, NULL, &made, &why) != IRI_OK) {
        say(outcome, size, "asm: %s", why.reason);
        return refused;
    }
    bool equal = made.size == code->size && !memcmp(made.data, code->bytes, made.size);
    if (!equal)
        say(outcome, size, refused ? "assembled" : "asm: other tokens");
    iri_text_free(&made);
    return equal;
}

static void run_row(suite *s, table *t, row *r, unsigned section, char *outcome, size_t size)
{
    stream code = {.size = 0};
    bool refused = !strncmp(r->cells[TOKENS], "refused", 7);
    if (!refused) {
        compose(t, r, section, TOKENS, add_words, &code);
        add_word(&code, 0x0000ffff);
    }
    bool equal = assemble(t, r, section, &code, outcome, size);
    t->fixtures++;
    t->refused += refused;
    if (!refused) {
        iri_ctx ctx;
        iri_refusal why;
        iri_ctx_init(&ctx, NULL, NULL, &why);
        if (iri_protect(&ctx, decode, &(decoding){&code, t->seen}) != IRI_OK)
            say(outcome, size, "decode [%s] %s", why.group, why.reason);
        /* What Microsoft's disassembler refuses has no listing to compare with. */
        if (strcmp(r->cells[LISTING], "refused") != 0)
            equal = list(t, r, section, &code, outcome, size) && equal;
        translate(s, t, r->cells[SOURCE], &code, outcome, size);
    }
    if (!equal && (section == STREAMS || !differs(s, t, r, outcome)))
        fail(s, "%s: %s: not as Microsoft's tools have it: %s", t->model, r->cells[SOURCE],
             outcome);
    else if (!s->update && strcmp(outcome, r->cells[OUTCOME]) != 0)
        fail(s, "%s: %s: %s, expected %s", t->model, r->cells[SOURCE], outcome, r->cells[OUTCOME]);
    else
        s->passed++;
}

/* ---- tables ---- */

/* Every instruction a model has is in its table. */
static void check_rows(suite *s, const table *t)
{
    static const char *const names[] = {
#define IRI_D3D9_OP(id, ...) #id,
#include "read/d3d9/ops.def"
#undef IRI_D3D9_OP
    };
    static const char *const model_names[] = {
#define IRI_D3D9_MODEL(id, name, ...) name,
#include "read/d3d9/models.def"
#undef IRI_D3D9_MODEL
    };
    unsigned model = 0;
    while (strcmp(model_names[model], t->model) != 0)
        model++;
    for (unsigned op = 0; op < IRI_D3D9_OP_COUNT; op++) {
        if (t->seen[op] || !iri_d3d9_model_has_op((iri_d3d9_model)model, (iri_d3d9_op)op))
            s->passed++;
        else
            fail(s, "%s: no fixture of the row %s of ops.def", t->model, names[op]);
    }
}

static void run_table(suite *s, const char *model)
{
    static const char *const sections[] = {"[frame]", "[declarations]", "[textures]",
                                           "[instructions]", "[streams]"};
    table t = {.model = model};
    char path[64], outcome[2048];
    snprintf(path, sizeof path, FOLDER "%s.tsv", model);
    t.text = read_file(path);
    FILE *out = t.text && s->update ? fopen(path, "wb") : NULL;
    if (!t.text || (s->update && !out)) {
        fail(s, "%s cannot be read or written", path);
        free(t.text);
        return;
    }
    unsigned section = 0, parts = 0;
    char *at = t.text;
    for (char *line; (line = next_line(&at));) {
        unsigned heading = 0;
        while (heading <= STREAMS && strcmp(line, sections[heading]) != 0)
            heading++;
        row r;
        if (heading <= STREAMS) {
            section = heading;
            if (out)
                fprintf(out, "%s\n", line);
            continue;
        }
        split(line, r.cells, COLUMNS);
        bool same = !strcmp(r.cells[LISTING], "=");
        if (same)
            r.cells[LISTING] = r.cells[SOURCE];
        if (section == 0) {
            if (parts < FRAME_PARTS)
                t.frame[parts++] = r;
            if (out)
                fprintf(out, "%s\t%s\t%s\n", r.cells[SOURCE], r.cells[TOKENS], r.cells[LISTING]);
            continue;
        }
        *outcome = 0;
        run_row(s, &t, &r, section, outcome, sizeof outcome);
        for (int i = 0; out && i < OUTCOME; i++)
            fprintf(out, "%s\t", i == LISTING && same ? "=" : r.cells[i]);
        if (out)
            fprintf(out, "%s\n", outcome);
    }
    check_rows(s, &t);
    printf(
        "%s: %u fixtures; Microsoft's assembler refuses %u; %u lift, %u become WGSL and SPIR-V\n",
        model, t.fixtures, t.refused, t.lifted, t.written);
    if (out && fclose(out))
        fail(s, "%s cannot be written", path);
    free(t.text);
}

static void read_differences(suite *s)
{
    char *text = read_file(FOLDER "differences.tsv");
    if (!text) {
        fail(s, "no " FOLDER "differences.tsv");
        return;
    }
    size_t count = 0;
    for (const char *c = text; *c; c++)
        count += *c == '\n';
    s->differences_text = text;
    s->differences = calloc(count + 1, sizeof *s->differences);
    if (!s->differences)
        abort();
    for (char *line; (line = next_line(&text));) {
        char *cells[4];
        if (*line == '#' || !*line)
            continue;
        split(line, cells, 4);
        s->differences[s->difference_count++] = (difference){cells[0], cells[1], cells[2], false};
        if (!*cells[3])
            fail(s, "differences.tsv: %s: no reason", cells[1]);
    }
}

int main(int argc, char **argv)
{
    suite s = {.update = argc > 1 && !strcmp(argv[1], "--update")};
    read_differences(&s);
    for (unsigned i = 0; i < MODELS; i++)
        run_table(&s, models[i]);
    for (size_t i = 0; i < s.difference_count; i++)
        if (!s.differences[i].met)
            fail(&s, "differences.tsv: %s: %s: no fixture of that", s.differences[i].model,
                 s.differences[i].source);
    free(s.differences);
    free(s.differences_text);
    printf("%u passed, %u failed, 0 skipped\n", s.passed, s.failed);
    return s.failed ? 1 : 0;
}
