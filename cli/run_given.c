/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `iridia run` is given: NAME=VALUE on the command line, and the same in a JSON file. The command line
 * comes after the file, and later settings count.
 */
#include "jsonread.h"
#include "run.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool had_fault;

static void say(const char *where, const char *format, va_list arguments)
{
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    char *place = cli_shown(where), *shown = cli_shown(text);
    fprintf(stderr, "iridia run: %s: %s\n", place, shown);
    free(shown);
    free(place);
}

bool run_fault(const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(where, format, arguments);
    va_end(arguments);
    had_fault = true;
    return false;
}

bool run_had_fault(void)
{
    return had_fault;
}

bool run_unreadable(const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(where, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- numbers ---- */

static void add_number(run_row *row, double number)
{
    if ((row->count & (row->count - 1)) == 0)
        row->numbers =
            cli_realloc(row->numbers, (row->count ? row->count * 2 : 1) * sizeof *row->numbers);
    row->numbers[row->count++] = number;
}

static run_row *add_row(run_setting *s)
{
    if ((s->row_count & (s->row_count - 1)) == 0)
        s->rows = cli_realloc(s->rows, (s->row_count ? s->row_count * 2 : 1) * sizeof *s->rows);
    s->rows[s->row_count] = (run_row){0};
    return &s->rows[s->row_count++];
}

/* One number, "true" or "false"; nothing may follow within `size`. */
static bool parse_number(const char *text, size_t size, double *out)
{
    char copy[64], *end;
    while (size && *text == ' ') {
        text++;
        size--;
    }
    while (size && text[size - 1] == ' ')
        size--;
    if (!size || size >= sizeof copy)
        return false;
    memcpy(copy, text, size);
    copy[size] = 0;
    if (!strcmp(copy, "true") || !strcmp(copy, "false")) {
        *out = copy[0] == 't';
        return true;
    }
    *out = strtod(copy, &end); /* no locale is set: the point is a point */
    return !*end;
}

static bool parse_row(const char *where, const char *text, size_t size, run_row *row)
{
    for (;;) {
        const char *comma = memchr(text, ',', size);
        size_t length = comma ? (size_t)(comma - text) : size;
        double number;
        if (!parse_number(text, length, &number))
            return run_fault(where, "'%.*s' is no number", (int)(length < 60 ? length : 60), text);
        add_number(row, number);
        if (!comma)
            return true;
        text = comma + 1;
        size -= length + 1;
    }
}

/* "1,2:3,4" are two rows, "1,2..3,4" all between two. */
static bool parse_rows(run_setting *s, const char *text)
{
    const char *dots = strstr(text, "..");
    if (dots) {
        s->sweep = true;
        return parse_row(s->where, text, (size_t)(dots - text), add_row(s)) &&
               parse_row(s->where, dots + 2, strlen(dots + 2), add_row(s));
    }
    for (;;) {
        size_t size = strcspn(text, ":");
        if (!parse_row(s->where, text, size, add_row(s)))
            return false;
        if (!text[size])
            return true;
        text += size + 1;
    }
}

bool run_read_numbers(const char *where, const char *text, double *numbers, size_t count)
{
    run_row row = {0};
    bool ok = parse_row(where, text, strlen(text), &row);
    if (ok && row.count != count)
        ok = run_fault(where, "takes %zu numbers with commas, not '%s'", count, text);
    if (ok)
        memcpy(numbers, row.numbers, count * sizeof *numbers);
    for (size_t i = 0; ok && i < count; i++)
        if (!isfinite(numbers[i]))
            ok = run_fault(where, "takes finite numbers, not '%s'", text);
    free(row.numbers);
    return ok;
}

bool run_is_group_count(double number)
{
    return number >= 1 && number <= 65535 && number == floor(number);
}

bool run_read_groups(const char *where, const char *text, uint32_t groups[3])
{
    run_row row = {0};
    bool ok = parse_row(where, text, strlen(text), &row);
    bool fits = row.count >= 1 && row.count <= 3;
    for (size_t i = 0; i < row.count; i++)
        fits = fits && run_is_group_count(row.numbers[i]);
    if (ok && !fits)
        ok = run_fault(where, "takes X, X,Y or X,Y,Z, each 1 to 65535, not '%s'", text);
    for (size_t i = 0; ok && i < row.count; i++)
        groups[i] = (uint32_t)row.numbers[i];
    free(row.numbers);
    return ok;
}

bool run_read_size(const char *where, const char *text, uint32_t *width, uint32_t *height)
{
    char *end;
    unsigned long w = strtoul(text, &end, 10), h = 0;
    bool ok = *text >= '0' && *text <= '9' && *end == 'x' && end[1] >= '0' && end[1] <= '9';
    if (ok)
        h = strtoul(end + 1, &end, 10);
    if (!ok || *end || !w || !h || w > 8192 || h > 8192)
        return run_fault(where, "takes WIDTHxHEIGHT, each 1 to 8192, not '%s'", text);
    *width = (uint32_t)w;
    *height = (uint32_t)h;
    return true;
}

/* ---- settings ---- */

static run_setting *add_setting(run_settings *to, const char *name, size_t size)
{
    to->items = cli_realloc(to->items, (to->count + 1) * sizeof *to->items);
    run_setting *s = &to->items[to->count++];
    *s = (run_setting){.folder = ""};
    s->name = cli_printf("%.*s", (int)size, name);
    return s;
}

static bool is_words(run_list list)
{
    return list == RUN_TEXTURE || list == RUN_SAMPLER || list == RUN_SAVE;
}

/* Numbers of a buffer, and not a file's name or a size such as 16x16. */
static bool are_numbers(const char *text)
{
    return strchr("0123456789+-.", text[0]) && strspn(text, "0123456789+-.,:eE ") == strlen(text);
}

static bool check_rows(const run_setting *s, run_list list)
{
    for (size_t i = 0; i < s->row_count; i++) {
        if (!s->rows[i].count)
            return run_fault(s->where, "no number given");
        if (list != RUN_CONST && list != RUN_BUFFER && s->rows[i].count > 4)
            return run_fault(s->where, "%zu numbers; a semantic has at most 4", s->rows[i].count);
    }
    if ((list == RUN_CONST || list == RUN_DDX || list == RUN_DDY) && s->row_count > 1)
        return run_fault(s->where, "one list of numbers expected, the same for all invocations");
    if (list == RUN_VARY && (s->row_count < 2 || s->row_count > 4))
        return run_fault(s->where, "2, 3 or 4 corners expected, with ':' between them");
    return true;
}

bool run_read_flag(run_settings *to, run_list list, const char *option, const char *text)
{
    const char *equals = strchr(text, '=');
    bool all = list == RUN_SAMPLER && !equals;
    if (!all && (!equals || equals == text || !equals[1]))
        return run_fault(option, "takes NAME=VALUE, not '%s'", text);
    run_setting *s = add_setting(to, all ? "" : text, all ? 0 : (size_t)(equals - text));
    const char *value = all ? text : equals + 1;
    s->where = cli_printf("%s %s", option, all ? text : s->name);
    if (is_words(list) || (list == RUN_CONST && value[0] == '@') ||
        (list == RUN_BUFFER && !are_numbers(value))) {
        s->word = cli_printf("%s", value);
        return true;
    }
    return parse_rows(s, value) && check_rows(s, list);
}

/* ---- files ---- */

static bool json_number_of(const char *where, const jsonread_value *v, double *out)
{
    *out = v->number;
    if (v->kind == JSONREAD_NUMBER || v->kind == JSONREAD_BOOL)
        return true;
    if (v->kind == JSONREAD_STRING && parse_number(v->string, strlen(v->string), out))
        return true; /* "nan", "inf": JSON has no other way */
    return run_fault(where, "a number expected");
}

static bool json_row(const char *where, const jsonread_value *v, run_row *row)
{
    double number;
    for (size_t i = 0; i < v->count; i++) {
        if (!json_number_of(where, &v->items[i], &number))
            return false;
        add_number(row, number);
    }
    return true;
}

static bool json_setting(run_setting *s, run_list list, const jsonread_value *v)
{
    double number;
    if (v->kind == JSONREAD_STRING) {
        if (list != RUN_CONST && list != RUN_BUFFER && !is_words(list))
            return run_fault(s->where, "numbers expected");
        s->word = cli_printf("%s", v->string);
        return true;
    }
    if (is_words(list))
        return run_fault(s->where, "a string expected");
    if (v->kind != JSONREAD_ARRAY) {
        if (!json_number_of(s->where, v, &number))
            return false;
        add_number(add_row(s), number);
        return true;
    }
    if (!v->count || v->items[0].kind != JSONREAD_ARRAY)
        return json_row(s->where, v, add_row(s)) && check_rows(s, list);
    run_row *row = NULL;
    for (size_t i = 0; i < v->count; i++) {
        if (v->items[i].kind != JSONREAD_ARRAY)
            return run_fault(s->where, "lists of numbers expected");
        if (!row || list != RUN_CONST) /* a constant's are the rows of its matrix */
            row = add_row(s);
        if (!json_row(s->where, &v->items[i], row))
            return false;
    }
    return check_rows(s, list);
}

static bool json_list(run_given *given, run_list list, const char *path, const char *folder,
                      const jsonread_value *object)
{
    if (object->kind != JSONREAD_OBJECT)
        return run_fault(path, "\"%s\" is no object", object->key);
    for (size_t i = 0; i < object->count; i++) {
        const jsonread_value *v = &object->items[i];
        run_setting *s = add_setting(&given->lists[list], v->key, strlen(v->key));
        s->where = cli_printf("%s:%u: %s", path, (unsigned)v->line, v->key);
        s->folder = folder;
        if (!json_setting(s, list, v))
            return false;
    }
    return true;
}

static bool json_groups(run_given *given, const char *path, const jsonread_value *v)
{
    double numbers[3] = {1, 1, 1};
    bool ok = v->kind == JSONREAD_ARRAY && v->count >= 1 && v->count <= 3;
    for (size_t i = 0; ok && i < v->count; i++)
        ok = v->items[i].kind == JSONREAD_NUMBER &&
             run_is_group_count(numbers[i] = v->items[i].number);
    if (!ok)
        return run_fault(path, "\"groups\" takes one to three whole numbers from 1 to 65535");
    for (int i = 0; i < 3 && !given->has_groups; i++)
        given->groups[i] = (uint32_t)numbers[i];
    return true;
}

static bool json_document(run_given *given, const char *path, const char *folder,
                          const jsonread_value *document)
{
    static const char *const keys[RUN_LIST_COUNT] = {
        "in", "ddx", "ddy", "vary", "const", "texture", "sampler", "buffer", "counter", "save"};
    if (document->kind != JSONREAD_OBJECT)
        return run_fault(path, "an object expected");
    for (size_t i = 0; i < document->count; i++) {
        const jsonread_value *v = &document->items[i];
        int list = 0;
        while (list < RUN_LIST_COUNT && strcmp(keys[list], v->key) != 0)
            list++;
        if (list < RUN_LIST_COUNT) {
            if (!json_list(given, (run_list)list, path, folder, v))
                return false;
        } else if (!strcmp(v->key, "count")) {
            if (v->kind != JSONREAD_NUMBER || v->number < 1 || v->number > 1000000 ||
                v->number != floor(v->number))
                return run_fault(path, "\"count\" is no whole number from 1 to 1000000");
            if (!given->count)
                given->count = (uint32_t)v->number;
        } else if (!strcmp(v->key, "groups")) {
            if (!json_groups(given, path, v))
                return false;
        } else if (strcmp(v->key, "comment") != 0) {
            return run_fault(path,
                             "no key '%s'; there are in, ddx, ddy, vary, const, texture, "
                             "sampler, buffer, counter, save, groups, count, comment",
                             v->key);
        }
    }
    return true;
}

/* The folder a path lies in, with its slash. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return cli_printf("%.*s", slash ? (int)(slash - path) + 1 : 0, path);
}

bool run_read_file(run_given *given, const char *path)
{
    cli_bytes bytes;
    jsonread_value document;
    const char *problem;
    uint32_t line;
    if (!cli_read_or_say(path, &bytes))
        return false;
    bool ok = jsonread_parse((const char *)bytes.data, bytes.size, &document, &problem, &line);
    free(bytes.data);
    if (!ok) {
        char *where = cli_printf("%s:%u", path, (unsigned)line);
        run_unreadable(where, "no JSON: %s", problem);
        free(where);
        return false;
    }
    given->folder = folder_of(path);
    ok = json_document(given, path, given->folder, &document);
    jsonread_free(&document);
    return ok;
}

void run_given_free(run_given *given)
{
    for (int list = 0; list < RUN_LIST_COUNT; list++) {
        run_settings *settings = &given->lists[list];
        for (size_t i = 0; i < settings->count; i++) {
            run_setting *s = &settings->items[i];
            for (size_t k = 0; k < s->row_count; k++)
                free(s->rows[k].numbers);
            free(s->rows);
            free(s->name);
            free(s->where);
            free(s->word);
        }
        free(settings->items);
    }
    free(given->folder);
}
