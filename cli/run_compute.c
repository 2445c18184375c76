/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compute programs in `iridia run`: buffers and storage textures from numbers or files, workgroups, and what is in
 * them afterwards as text, JSON or files.
 */
#include "run.h"
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 1 << 26 };

/* One resource that holds memory. */
typedef struct memory {
    iri_exec_memory bound;
    iri_exec_texture texture; /* of a storage texture */
    const run_setting *given; /* NULL: none */
    uint32_t scalar;          /* iri_scalar of its words: what all accesses have, else u32 */
} memory;

typedef struct compute {
    run_stage *stage;
    memory *memories; /* one an element of the interface */
    run_trace trace;
} compute;

static bool holds_memory(const iri_resource *r)
{
    return r->kind == IRI_RESOURCE_BUFFER || r->kind == IRI_RESOURCE_STORAGE_BUFFER ||
           r->kind == IRI_RESOURCE_STORAGE_TEXTURE;
}

static bool is_written(const iri_resource *r)
{
    return r->kind != IRI_RESOURCE_BUFFER && (r->access & 6);
}

/* The name of the source, or the register. The caller frees it. */
static char *name_of(const iri_resource *r)
{
    if (r->name && r->name[0])
        return cli_printf("%s", r->name);
    return cli_printf("%c%u", r->kind == IRI_RESOURCE_BUFFER ? 't' : 'u', (unsigned)r->reg);
}

/* ---- what words are ---- */

/* The operand that an access stores, by its letter; IRI_NOT_FOUND where it stores none. */
static uint32_t stored_operand(const iri_op_info *info)
{
    uint32_t place = 0;
    for (const char *letter = info->operands; *letter && *letter != '?'; letter++, place++)
        if (*letter == 'V' || *letter == 'T')
            return place;
    return IRI_NOT_FOUND;
}

static void note_access(compute *c, const iri_inst *in, bool *seen)
{
    const iri_program *p = c->stage->program;
    const iri_op_info *info = iri_op_get_info((iri_op)in->op);
    const char *letter = strchr(info->immediates, 'r');
    uint32_t place = stored_operand(info);
    bool loads = !strncmp(info->name, "load.", 5);
    if (!letter ||
        (!loads && strncmp(info->name, "store.", 6) && strncmp(info->name, "atomic.", 7)))
        return;
    const uint32_t *words = iri_program_words(p, in);
    uint32_t resource = words[in->operand_count + (uint32_t)(letter - info->immediates)];
    if (!holds_memory(&c->stage->io->resources[resource]) || (!loads && place == IRI_NOT_FOUND))
        return;
    iri_id value = loads ? in->results : words[place];
    uint32_t scalar = IRI_TYPE_SCALAR(iri_program_value(p, value)->type);
    memory *m = &c->memories[resource];
    m->scalar = seen[resource] && m->scalar != scalar ? (uint32_t)IRI_U32 : scalar;
    seen[resource] = true;
}

static void find_scalars(compute *c)
{
    const iri_interface *io = c->stage->io;
    bool *seen = cli_alloc(io->resource_count + 1);
    for (uint32_t i = 0; i < io->resource_count; i++)
        c->memories[i].scalar = IRI_U32;
    for (iri_id i = 1; i <= iri_program_inst_count(c->stage->program); i++)
        note_access(c, iri_program_inst(c->stage->program, i), seen);
    for (uint32_t i = 0; i < io->resource_count; i++)
        if (io->resources[i].kind == IRI_RESOURCE_STORAGE_TEXTURE ||
            io->resources[i].buffer_shape == IRI_BUFFER_TYPED)
            c->memories[i].scalar = io->resources[i].scalar;
    free(seen);
}

/* ---- what is given ---- */

static uint32_t to_word(double number, uint32_t scalar)
{
    float f = (float)number;
    uint32_t word;
    if (scalar != IRI_F32)
        return number < 0 ? (uint32_t)(int32_t)(int64_t)number : (uint32_t)(int64_t)number;
    memcpy(&word, &f, sizeof word);
    return word;
}

static bool take_numbers(memory *m, const run_setting *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->row_count; i++)
        count += s->rows[i].count;
    uint8_t *to = cli_alloc(count * 4 + 4);
    m->bound = (iri_exec_memory){to, count * 4, 0};
    for (size_t i = 0; i < s->row_count; i++)
        for (size_t k = 0; k < s->rows[i].count; k++, to += 4) {
            double number = s->rows[i].numbers[k];
            if (m->scalar != IRI_F32 && !(number >= -2147483648.0 && number <= 4294967295.0))
                return run_fault(s->where, "%g is not in a 32-bit integer's range", number);
            uint32_t word = to_word(number, m->scalar);
            memcpy(to, &word, sizeof word);
        }
    return true;
}

static bool take_zeros(memory *m, const run_setting *s, const char *text)
{
    char *end;
    unsigned long count = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || !count || count > WORDS_MAX)
        return run_fault(s->where, "zeros:N takes 1 to %d words, not '%s'", WORDS_MAX, text);
    m->bound = (iri_exec_memory){cli_alloc(count * 4), count * 4, 0};
    return true;
}

/* WIDTHxHEIGHT, and xDEPTH or xLAYERS: texels that are zero. */
static bool take_image(memory *m, const run_setting *s, const iri_resource *r)
{
    uint32_t sizes[3] = {1, 1, 1}, count = 0;
    const char *at = s->word ? s->word : "";
    for (; count < 3; count++) {
        char *end;
        unsigned long n = strtoul(at, &end, 10);
        if (*at < '0' || *at > '9' || !n || n > 8192)
            break;
        sizes[count] = (uint32_t)n;
        at = *end == 'x' ? end + 1 : end;
        if (*end != 'x') {
            count++;
            break;
        }
    }
    bool deep = r->dimension == IRI_DIMENSION_3D, flat = r->dimension == IRI_DIMENSION_1D;
    m->texture = (iri_exec_texture){.dimension = r->dimension,
                                    .width = sizes[0],
                                    .height = flat ? 1 : sizes[1],
                                    .depth = deep ? sizes[2] : 1,
                                    .layers = !r->arrayed ? 1
                                              : flat      ? sizes[1]
                                                          : sizes[2],
                                    .levels = 1};
    uint32_t wanted = (flat ? 1u : deep ? 3u : 2u) + (r->arrayed ? 1u : 0u);
    size_t words = iri_exec_texture_words(&m->texture);
    if (*at || count != wanted || !words || words > WORDS_MAX)
        return run_fault(s->where, "a storage texture of %u sizes, such as 16x16, expected",
                         (unsigned)wanted);
    m->bound = (iri_exec_memory){cli_alloc(words * 4), words * 4, 0};
    return true;
}

static bool take_file(memory *m, const run_setting *s)
{
    cli_bytes bytes;
    char *path = cli_printf("%s%s", s->word[0] == '/' ? "" : s->folder, s->word);
    bool ok = cli_read_or_say(path, &bytes);
    free(path);
    if (!ok)
        return false;
    m->bound = (iri_exec_memory){bytes.data, bytes.size & ~(size_t)3, 0};
    return true;
}

static uint32_t find_memory(const compute *c, const run_setting *s)
{
    uint32_t found = iri_find_resource(c->stage->program, s->name);
    if (found != IRI_NOT_FOUND && holds_memory(&c->stage->io->resources[found]))
        return found;
    char *names = cli_printf("%s", "");
    for (uint32_t i = 0; i < c->stage->io->resource_count; i++) {
        if (!holds_memory(&c->stage->io->resources[i]))
            continue;
        char *name = name_of(&c->stage->io->resources[i]);
        char *longer = cli_printf("%s%s%s", names, *names ? ", " : "", name);
        free(names);
        free(name);
        names = longer;
    }
    run_fault(s->where, "no such buffer; there are: %s", *names ? names : "none");
    free(names);
    return IRI_NOT_FOUND;
}

static bool take_buffers(compute *c, const run_settings *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const run_setting *s = &list->items[i];
        uint32_t index = find_memory(c, s);
        if (index == IRI_NOT_FOUND)
            return false;
        const iri_resource *r = &c->stage->io->resources[index];
        memory *m = &c->memories[index];
        free(m->bound.data);
        m->bound = (iri_exec_memory){0};
        m->given = s;
        bool ok = r->kind == IRI_RESOURCE_STORAGE_TEXTURE ? take_image(m, s, r)
                  : !s->word                              ? take_numbers(m, s)
                  : !strncmp(s->word, "zeros:", 6)        ? take_zeros(m, s, s->word + 6)
                                                          : take_file(m, s);
        if (!ok)
            return false;
    }
    return true;
}

static bool take_counters(compute *c, const run_settings *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const run_setting *s = &list->items[i];
        uint32_t index = find_memory(c, s);
        if (index == IRI_NOT_FOUND)
            return false;
        double number = s->rows[0].numbers[0];
        if (!(c->stage->io->resources[index].flags & IRI_RESOURCE_COUNTER))
            return run_fault(s->where, "the buffer has no counter");
        if (s->rows[0].count != 1 || !(number >= 0 && number <= 4294967295.0))
            return run_fault(s->where, "one number from 0 to 4294967295 expected");
        c->memories[index].bound.counter = (uint32_t)number;
    }
    return true;
}

static bool bind_memory(compute *c, const run_given *given)
{
    find_scalars(c);
    if (!take_buffers(c, &given->lists[RUN_BUFFER]) ||
        !take_counters(c, &given->lists[RUN_COUNTER]))
        return false;
    for (uint32_t i = 0; i < c->stage->io->resource_count; i++) {
        memory *m = &c->memories[i];
        if (!holds_memory(&c->stage->io->resources[i]))
            continue;
        c->stage->resources[i].memory = &m->bound;
        if (m->texture.width)
            c->stage->resources[i].texture = &m->texture;
        if (!m->given) {
            char *name = name_of(&c->stage->io->resources[i]);
            run_lacks(c->stage, RUN_LACKS_BUFFER, name);
            free(name);
        }
    }
    return true;
}

/* ---- what comes out ---- */

static uint32_t word_at(const memory *m, size_t i)
{
    uint32_t word;
    memcpy(&word, (const uint8_t *)m->bound.data + i * 4, sizeof word);
    return word;
}

static void print_memory(const iri_resource *r, const memory *m)
{
    size_t words = m->bound.size / 4, row = r->stride ? r->stride / 4 : 4;
    char *name = name_of(r), *shown = cli_shown(name), text[32];
    printf("%s", shown);
    if (r->flags & IRI_RESOURCE_COUNTER)
        printf("  counter %lu", (unsigned long)m->bound.counter);
    putchar('\n');
    for (size_t i = 0; i < words; i++) {
        if (i % row == 0)
            printf("  %zu:", i / row);
        run_lane_text((iri_scalar)m->scalar, word_at(m, i), text);
        printf(" %s%s", text, i % row + 1 == row || i + 1 == words ? "\n" : "");
    }
    free(shown);
    free(name);
}

static bool print_json(compute *c, const run_given *given, const uint8_t *flags, size_t count)
{
    const iri_interface *io = c->stage->io;
    cli_json json = {0};
    char text[32];
    uint32_t stopped = 0;
    for (size_t i = 0; i < count; i++)
        stopped += (flags[i] & IRI_INVOCATION_STEPS) != 0;
    json_open(&json, NULL, '{');
    json_number(&json, "schema", 1);
    json_string(&json, "file", c->stage->path);
    json_string(&json, "stage", "compute");
    json_open(&json, "groups", '[');
    for (uint32_t i = 0; i < 3; i++)
        json_number(&json, NULL, given->groups[i]);
    json_close(&json, ']');
    json_number(&json, "stopped", stopped);
    json_open(&json, "buffers", '[');
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const memory *m = &c->memories[i];
        if (!is_written(&io->resources[i]) || !m->bound.data)
            continue;
        char *name = name_of(&io->resources[i]);
        json_open(&json, NULL, '{');
        json_string(&json, "name", name);
        json_string(&json, "type", iri_word(IRI_WORDS_SCALAR, m->scalar));
        json_number(&json, "stride", io->resources[i].stride);
        if (io->resources[i].flags & IRI_RESOURCE_COUNTER)
            json_number(&json, "counter", m->bound.counter);
        json_open(&json, "words", '[');
        for (size_t k = 0; k < m->bound.size / 4; k++) {
            snprintf(text, sizeof text, "0x%08lx", (unsigned long)word_at(m, k));
            json_string(&json, NULL, text);
        }
        json_close(&json, ']');
        json_close(&json, '}');
        free(name);
    }
    json_close(&json, ']');
    run_json_lacking(&json, c->stage);
    if (given->trace) {
        json_number(&json, "traceInvocation", given->trace_invocation);
        if (!run_trace_json(&c->trace, &json)) {
            free(json.data);
            return false;
        }
    }
    cli_notes notes = cli_collect_notes(c->stage->program, NULL, 0);
    json_notes(&json, &notes);
    free(notes.items);
    json_close(&json, '}');
    return json_finish(&json, NULL);
}

static bool save(compute *c, const run_settings *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const run_setting *s = &list->items[i];
        uint32_t index = find_memory(c, s);
        if (index == IRI_NOT_FOUND)
            return false;
        const memory *m = &c->memories[index];
        if (!m->bound.data)
            return run_fault(s->where, "nothing is bound to it; --buffer says what");
        if (!cli_write(s->word, m->bound.data, m->bound.size))
            return false;
    }
    return true;
}

static bool print_all(compute *c, const run_given *given, const uint8_t *flags, size_t count)
{
    const iri_interface *io = c->stage->io;
    if (!given->quiet && !given->json) {
        cli_notes notes = cli_collect_notes(c->stage->program, NULL, 0);
        cli_print_notes(c->stage->path, &notes);
        free(notes.items);
        run_say_lacking(c->stage);
    }
    if (!save(c, &given->lists[RUN_SAVE]))
        return false;
    if (given->json)
        return print_json(c, given, flags, count);
    if (given->trace) {
        if (!run_trace_print(&c->trace))
            return false;
        putchar('\n');
    }
    for (uint32_t i = 0; i < io->resource_count; i++)
        if (is_written(&io->resources[i]) && c->memories[i].bound.data)
            print_memory(&io->resources[i], &c->memories[i]);
    return true;
}

/* ---- running ---- */

static bool execute(compute *c, const run_given *given)
{
    const uint32_t *size = c->stage->io->facts.workgroup;
    uint64_t count = (uint64_t)size[0] * size[1] * size[2];
    iri_refusal why;
    for (uint32_t i = 0; i < 3; i++) {
        count *= given->groups[i];
        if (count > WORDS_MAX)
            return run_fault("--groups", "more than %d invocations", WORDS_MAX);
    }
    if (given->trace && given->trace_invocation >= count)
        return run_fault("--trace-invocation", "there are %llu invocations, counted from 0",
                         (unsigned long long)count);
    uint8_t *flags = cli_alloc(count + 1);
    iri_exec_batch batch = {.resources = c->stage->resources,
                            .resource_count = c->stage->io->resource_count,
                            .state = &cli_lift_given.state,
                            .flags = flags,
                            .step_limit = given->step_limit,
                            .trace = given->trace ? run_trace_event : NULL,
                            .trace_user = &c->trace,
                            .trace_invocation = given->trace_invocation};
    iri_status status = iri_exec_dispatch(c->stage->exec, &batch, given->groups, &why);
    bool ran = status == IRI_OK || status == IRI_LIMIT_STEPS;
    bool ok = ran && print_all(c, given, flags, (size_t)count);
    if (status != IRI_OK)
        ok = cli_refused(&why, c->stage->path) == CLI_OK && ok;
    free(flags);
    return ok;
}

bool run_compute(run_stage *stage, const run_given *given)
{
    compute c = {.stage = stage, .trace = {.stage = stage}};
    c.memories = cli_alloc((stage->io->resource_count + 1) * sizeof *c.memories);
    bool ok = bind_memory(&c, given) && execute(&c, given);
    for (uint32_t i = 0; i < stage->io->resource_count; i++)
        free(c.memories[i].bound.data);
    free(c.memories);
    run_trace_free(&c.trace);
    return ok;
}
