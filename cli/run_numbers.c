/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers in, numbers out: a batch of invocations, each of a pixel program the upper left of a quad of its
 * own, printed as aligned text or as JSON.
 */
#include "run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lanes ---- */

static uint64_t to_bits(iri_scalar scalar, double number)
{
    float f = (float)number;
    uint32_t word;
    uint64_t wide;
    switch (scalar) {
    case IRI_BOOL: return number != 0;
    case IRI_I16:
    case IRI_I32:
    case IRI_I64: return (uint64_t)(int64_t)(fabs(number) < 9e18 ? number : 0);
    case IRI_U16:
    case IRI_U32:
    case IRI_U64: return number > 0 && number < 1.8e19 ? (uint64_t)number : 0;
    case IRI_F64: memcpy(&wide, &number, sizeof wide); return wide;
    default: memcpy(&word, &f, sizeof word); return word;
    }
}

static size_t lane_size(iri_scalar scalar)
{
    uint32_t bits = iri_scalar_bits(scalar);
    return bits == 64 ? 8 : bits == 16 ? 2 : 4;
}

bool run_store(const run_stage *stage, const iri_io *io, const double *numbers, size_t count,
               uint8_t *to)
{
    iri_scalar scalar = IRI_TYPE_SCALAR(io->type);
    bool vertex = iri_program_stage(stage->program) == IRI_STAGE_VERTEX;
    if (scalar == IRI_F16)
        return run_unreadable(stage->path, "%s%u is f16, which takes no numbers here", io->name,
                              (unsigned)io->index);
    for (uint32_t k = 0; k < IRI_TYPE_LANES(io->type); k++) {
        double number = k < count ? numbers[k] : vertex && count && k == 3 ? 1 : 0;
        uint64_t bits = to_bits(scalar, number);
        uint8_t *lane = to + k * RUN_LANE;
        uint32_t word = (uint32_t)bits;
        uint16_t half = (uint16_t)bits;
        if (lane_size(scalar) == 8)
            memcpy(lane, &bits, 8);
        else if (lane_size(scalar) == 4)
            memcpy(lane, &word, 4);
        else
            memcpy(lane, &half, 2);
    }
    return true;
}

static void load_lanes(iri_type type, const uint8_t *from, uint64_t lanes[4])
{
    for (uint32_t k = 0; k < IRI_TYPE_LANES(type); k++) {
        uint64_t wide;
        uint32_t word;
        uint16_t half;
        size_t size = lane_size(IRI_TYPE_SCALAR(type));
        memcpy(&wide, from + k * RUN_LANE, 8);
        memcpy(&word, from + k * RUN_LANE, 4);
        memcpy(&half, from + k * RUN_LANE, 2);
        lanes[k] = size == 8 ? wide : size == 4 ? word : half;
    }
}

static double half_value(uint32_t bits)
{
    uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 31  ? fraction ? NAN : INFINITY
                   : exponent == 0 ? ldexp(fraction, -24)
                                   : ldexp(1024 + fraction, (int)exponent - 25);
    return bits >> 15 ? -value : value;
}

void run_lane_text(iri_scalar scalar, uint64_t bits, char text[32])
{
    uint32_t word = (uint32_t)bits;
    float f;
    double d;
    memcpy(&f, &word, sizeof f);
    memcpy(&d, &bits, sizeof d);
    switch (scalar) {
    case IRI_BOOL: snprintf(text, 32, "%s", bits & 1 ? "true" : "false"); return;
    case IRI_I16: snprintf(text, 32, "%d", (int)(int16_t)(uint16_t)bits); return;
    case IRI_I32: snprintf(text, 32, "%ld", (long)(int32_t)word); return;
    case IRI_I64: snprintf(text, 32, "%lld", (long long)(int64_t)bits); return;
    case IRI_U16:
    case IRI_U32:
    case IRI_U64: snprintf(text, 32, "%llu", (unsigned long long)bits); return;
    case IRI_F64: break;
    case IRI_F16: d = half_value(word); break;
    default: d = (double)f; break;
    }
    if (isnan(d)) {
        snprintf(text, 32, "nan");
        return;
    }
    /* As many digits as a whole number has, so that 20 is not 2e+01. */
    int first = fabs(d) >= 10 && fabs(d) < 1e9 ? (int)log10(fabs(d)) + 1 : 1;
    for (int digits = first; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, d);
        double back = strtod(text, NULL);
        if (scalar == IRI_F64 ? back == d : (float)back == (float)d)
            return;
    }
}

void run_type_text(iri_type type, char text[16])
{
    const char *scalar = iri_word(IRI_WORDS_SCALAR, IRI_TYPE_SCALAR(type));
    if (IRI_TYPE_LANES(type) == 1)
        snprintf(text, 16, "%s", scalar);
    else
        snprintf(text, 16, "vec%u<%s>", IRI_TYPE_LANES(type), scalar);
}

/* A list on one line: json.c writes an empty one, whose bracket is opened again. */
static void json_line(cli_json *json, const char *key, const char *items)
{
    size_t size = strlen(items) + 2;
    json_words(json, key, NULL, 0);
    json->data = cli_realloc(json->data, json->capacity + size);
    json->capacity += size;
    snprintf(json->data + json->size - 1, size, "%s]", items);
    json->size += size - 2;
}

/* Numbers; what JSON cannot say as one ("nan", "inf") is a string. */
void run_json_lanes(cli_json *json, const char *key, iri_type type, const uint64_t lanes[4])
{
    char items[160] = "";
    for (uint32_t k = 0; k < IRI_TYPE_LANES(type); k++) {
        char text[32];
        run_lane_text(IRI_TYPE_SCALAR(type), lanes[k], text);
        const char *quote = !strcmp(text, "nan") || strstr(text, "inf") ? "\"" : "";
        size_t used = strlen(items);
        snprintf(items + used, sizeof items - used, "%s%s%s%s", k ? ", " : "", quote, text, quote);
    }
    json_line(json, key, items);
}

void run_json_bits(cli_json *json, const char *key, iri_type type, const uint64_t lanes[4])
{
    char items[128] = "";
    for (uint32_t k = 0; k < IRI_TYPE_LANES(type); k++) {
        size_t used = strlen(items);
        snprintf(items + used, sizeof items - used, "%s\"0x%0*llx\"", k ? ", " : "",
                 (int)lane_size(IRI_TYPE_SCALAR(type)) * 2, (unsigned long long)lanes[k]);
    }
    json_line(json, key, items);
}

void run_json_lacking(cli_json *json, const run_stage *stage)
{
    json_open(json, "notGiven", '{');
    for (int i = 0; i < RUN_LACKS_COUNT; i++) {
        json_open(json, run_lacks_words[i], '[');
        char *list = cli_printf("%s", stage->lacking[i]);
        for (char *at = list, *next; at && *at; at = next) {
            next = strstr(at, ", ");
            if (next) {
                *next = 0;
                next += 2;
            }
            json_string(json, NULL, at);
        }
        free(list);
        json_close(json, ']');
    }
    json_close(json, '}');
}

/* ---- a batch ---- */

typedef struct numbers {
    run_stage *stage;
    uint32_t count, step; /* invocations asked for; the batch has `step` times as many */
    iri_exec_array *inputs, *outputs;
    uint8_t *flags;
    run_trace trace;
} numbers;

static bool count_invocations(numbers *n, const run_given *given)
{
    const run_setting *s;
    size_t most = 1;
    for (uint32_t i = 0; i < n->stage->io->input_count; i++) {
        s = run_setting_of(n->stage, &given->lists[RUN_IN], i);
        if (s && !s->sweep && s->row_count > most)
            most = s->row_count;
    }
    if (!given->count && most > 1000000)
        return run_fault("--in", "more than 1000000 invocations");
    n->count = given->count ? given->count : (uint32_t)most;
    for (uint32_t i = 0; i < n->stage->io->input_count; i++) {
        s = run_setting_of(n->stage, &given->lists[RUN_IN], i);
        if (s && s->sweep && n->count < 2)
            return run_fault(s->where, "what runs from A..B needs --count");
        if (s && !s->sweep && s->row_count > 1 && s->row_count != n->count)
            return run_fault(s->where, "%zu lists of numbers for %u invocations", s->row_count,
                             (unsigned)n->count);
    }
    return true;
}

/* The numbers of invocation `i`. */
static size_t row_at(const run_setting *s, uint32_t i, uint32_t count, double out[4])
{
    const run_row *a = &s->rows[s->row_count > 1 && !s->sweep ? i : 0];
    size_t lanes = a->count;
    for (size_t k = 0; k < lanes; k++)
        out[k] = a->numbers[k];
    if (!s->sweep)
        return lanes;
    const run_row *b = &s->rows[1];
    if (b->count < lanes)
        lanes = b->count;
    for (size_t k = 0; k < lanes; k++)
        out[k] += (b->numbers[k] - out[k]) * i / (count - 1);
    return lanes;
}

static bool fill_input(numbers *n, const run_given *given, uint32_t input)
{
    const iri_io *io = &n->stage->io->inputs[input];
    const run_setting *s = run_setting_of(n->stage, &given->lists[RUN_IN], input);
    const run_setting *steps[2] = {run_setting_of(n->stage, &given->lists[RUN_DDX], input),
                                   run_setting_of(n->stage, &given->lists[RUN_DDY], input)};
    if (!s && io->used) {
        char *name = run_io_name(io);
        run_lacks(n->stage, RUN_LACKS_INPUT, name);
        free(name);
    }
    for (uint32_t i = 0; i < n->count * n->step; i++) {
        double row[4] = {0};
        size_t lanes = s ? row_at(s, i / n->step, n->count, row) : 0;
        for (uint32_t way = 0; way < 2; way++) {
            if (!steps[way] || n->step == 1 || !(i % 4 >> way & 1))
                continue;
            const run_row *by = &steps[way]->rows[0];
            for (size_t k = 0; k < by->count; k++)
                row[k] += by->numbers[k];
            lanes = by->count > lanes ? by->count : lanes;
        }
        if (!run_store(n->stage, io, row, lanes,
                       (uint8_t *)n->inputs[input].data + (size_t)i * RUN_ELEMENT))
            return false;
    }
    return true;
}

/* ---- what is printed ---- */

static const uint8_t *output_at(const numbers *n, uint32_t output, uint32_t i)
{
    return (const uint8_t *)n->outputs[output].data + (size_t)i * n->step * RUN_ELEMENT;
}

static void print_text(const numbers *n)
{
    const iri_interface *io = n->stage->io;
    int widths[5] = {0};
    char text[32];
    uint64_t lanes[4];
    for (uint32_t o = 0; o < io->output_count; o++) {
        const iri_io *out = &io->outputs[o];
        char *name = run_io_name(out);
        widths[4] = (int)strlen(name) > widths[4] ? (int)strlen(name) : widths[4];
        free(name);
        for (uint32_t i = 0; i < n->count; i++) {
            load_lanes(out->type, output_at(n, o, i), lanes);
            for (uint32_t k = 0; k < IRI_TYPE_LANES(out->type); k++) {
                run_lane_text(IRI_TYPE_SCALAR(out->type), lanes[k], text);
                int width = (int)strlen(text);
                widths[k] = width > widths[k] ? width : widths[k];
            }
        }
    }
    int digits = snprintf(text, sizeof text, "%u", (unsigned)(n->count - 1));
    for (uint32_t i = 0; i < n->count; i++) {
        uint8_t flags = n->flags[i * n->step];
        for (uint32_t o = 0; o < io->output_count; o++) {
            const iri_io *out = &io->outputs[o];
            char *name = run_io_name(out), *shown = cli_shown(name);
            if (n->count > 1)
                printf("%-*u  ", digits, (unsigned)i);
            printf("%-*s", widths[4], shown);
            free(shown);
            free(name);
            load_lanes(out->type, output_at(n, o, i), lanes);
            for (uint32_t k = 0; k < IRI_TYPE_LANES(out->type); k++) {
                run_lane_text(IRI_TYPE_SCALAR(out->type), lanes[k], text);
                printf("  %*s", widths[k], text);
            }
            if (flags & IRI_INVOCATION_KILLED)
                printf("  killed");
            if (flags & IRI_INVOCATION_STEPS)
                printf("  stopped at the step limit");
            putchar('\n');
        }
    }
}

static bool print_json(numbers *n, const run_given *given)
{
    const iri_interface *io = n->stage->io;
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_number(&json, "schema", 1);
    json_string(&json, "file", n->stage->path);
    json_string(&json, "stage", iri_word(IRI_WORDS_STAGE, iri_program_stage(n->stage->program)));
    json_open(&json, "invocations", '[');
    for (uint32_t i = 0; i < n->count; i++) {
        uint8_t flags = n->flags[i * n->step];
        json_open(&json, NULL, '{');
        json_bool(&json, "killed", flags & IRI_INVOCATION_KILLED);
        json_bool(&json, "stopped", flags & IRI_INVOCATION_STEPS);
        json_open(&json, "outputs", '[');
        for (uint32_t o = 0; o < io->output_count; o++) {
            const iri_io *out = &io->outputs[o];
            uint64_t lanes[4];
            char type[16];
            run_type_text(out->type, type);
            load_lanes(out->type, output_at(n, o, i), lanes);
            json_open(&json, NULL, '{');
            json_string(&json, "semantic", out->name);
            json_number(&json, "index", out->index);
            json_string(&json, "type", type);
            run_json_lanes(&json, "values", out->type, lanes);
            run_json_bits(&json, "bits", out->type, lanes);
            json_close(&json, '}');
        }
        json_close(&json, ']');
        json_close(&json, '}');
    }
    json_close(&json, ']');
    run_json_lacking(&json, n->stage);
    if (given->trace) {
        json_number(&json, "traceInvocation", given->trace_invocation);
        if (!run_trace_json(&n->trace, &json)) {
            free(json.data);
            return false;
        }
    }
    cli_notes notes = cli_collect_notes(n->stage->program, NULL, 0);
    json_notes(&json, &notes);
    free(notes.items);
    json_close(&json, '}');
    return json_finish(&json, NULL);
}

static bool print_all(numbers *n, const run_given *given)
{
    if (!given->quiet && !given->json) {
        cli_notes notes = cli_collect_notes(n->stage->program, NULL, 0);
        cli_print_notes(n->stage->path, &notes);
        free(notes.items);
        run_say_lacking(n->stage);
    }
    if (given->json)
        return print_json(n, given);
    if (given->trace) {
        if (!run_trace_print(&n->trace))
            return false;
        putchar('\n');
    }
    print_text(n);
    return true;
}

static bool execute(numbers *n, const run_given *given)
{
    iri_refusal why;
    for (uint32_t i = 0; i < n->stage->io->input_count; i++)
        if (!fill_input(n, given, i))
            return false;
    for (uint32_t i = 0; n->step == 4 && i < n->count * 4; i++)
        n->flags[i] = i % 4 ? IRI_INVOCATION_HELPER : 0;
    iri_exec_batch batch = {.count = n->count * n->step,
                            .inputs = n->inputs,
                            .outputs = n->outputs,
                            .resources = n->stage->resources,
                            .resource_count = n->stage->io->resource_count,
                            .state = &cli_lift_given.state,
                            .flags = n->flags,
                            .step_limit = given->step_limit,
                            .trace = given->trace ? run_trace_event : NULL,
                            .trace_user = &n->trace,
                            .trace_invocation = given->trace_invocation * n->step};
    iri_status status = iri_exec_run(n->stage->exec, &batch, &why);
    if (status != IRI_OK && status != IRI_LIMIT_STEPS)
        return cli_refused(&why, n->stage->path) == CLI_OK;
    bool printed = print_all(n, given);
    return printed && (status == IRI_OK || cli_refused(&why, n->stage->path) == CLI_OK);
}

bool run_numbers(run_stage *stage, const run_given *given)
{
    numbers n = {.stage = stage, .trace = {.stage = stage}};
    n.step = iri_program_stage(stage->program) == IRI_STAGE_PIXEL ? 4 : 1;
    if (!run_check_names(stage, &given->lists[RUN_IN]) ||
        !run_check_names(stage, &given->lists[RUN_DDX]) ||
        !run_check_names(stage, &given->lists[RUN_DDY]) || !count_invocations(&n, given))
        return false;
    if (given->trace && given->trace_invocation >= n.count)
        return run_fault("--trace-invocation", "there are %u invocations, counted from 0",
                         (unsigned)n.count);
    size_t all = (size_t)n.count * n.step;
    n.inputs = run_make_arrays(stage->io->input_count, all);
    n.outputs = run_make_arrays(stage->io->output_count, all);
    n.flags = cli_alloc(all);
    bool ok = execute(&n, given);
    run_free_arrays(n.inputs, stage->io->input_count);
    run_free_arrays(n.outputs, stage->io->output_count);
    free(n.flags);
    run_trace_free(&n.trace);
    return ok;
}
