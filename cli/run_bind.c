/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The programs of `iridia run` and their constants. Constants start as the shader's own defaults (what
 * ID3DXConstantTable::SetDefaults would set), everything else as zero.
 */
#include "run.h"
#include <stdlib.h>
#include <string.h>

const char *const run_lacks_words[RUN_LACKS_COUNT] = {"inputs", "constants", "textures", "buffers"};

/* Makes room for what is bound to a stage's program. */
static bool prepare(run_stage *stage, bool trace)
{
    iri_refusal why;
    iri_stage is = iri_program_stage(stage->program);
    stage->prefix = is == IRI_STAGE_PIXEL ? "ps" : is == IRI_STAGE_COMPUTE ? "cs" : "vs";
    stage->io = iri_program_interface(stage->program);
    const iri_exec_options *options = IRI_EXEC_OPTIONS(.trace = trace);
    if (iri_exec_compile(stage->program, options, &stage->exec, &why) != IRI_OK)
        return cli_refused(&why, stage->path) == CLI_OK;
    uint32_t count = stage->io->resource_count + 1;
    stage->resources = cli_alloc(count * sizeof *stage->resources);
    stage->buffers = cli_alloc(count * sizeof *stage->buffers);
    stage->written = cli_alloc(count * sizeof *stage->written);
    stage->bound = cli_alloc(count * sizeof *stage->bound);
    for (int i = 0; i < RUN_LACKS_COUNT; i++)
        stage->lacking[i] = cli_printf("%s", "");
    return true;
}

/* What a shader's preshader works out of parameters; one that cannot be run leaves its registers to be given. */
static bool open_preshader(run_stage *stage, cli_bytes bytes)
{
    iri_program *program;
    iri_refusal why;
    if (iri_detect_format(bytes.data, bytes.size) != IRI_FORMAT_D3D9)
        return true;
    if (iri_preshader_lift(bytes.data, bytes.size, NULL, &program, &why) != IRI_OK) {
        char *path = cli_shown(stage->path), *reason = cli_shown(why.reason);
        fprintf(stderr, "%s: note: its preshader is not run: %s\n", path, reason);
        free(reason);
        free(path);
        return true;
    }
    if (!program)
        return true;
    stage->preshader = cli_alloc(sizeof *stage->preshader);
    *stage->preshader = (run_stage){.path = stage->path, .program = program};
    return prepare(stage->preshader, false);
}

bool run_open(run_stage *stage, const char *path, bool trace)
{
    *stage = (run_stage){.path = path};
    cli_bytes bytes;
    stage->program = cli_open_keeping(path, 0, NULL, &bytes);
    if (!stage->program)
        return false;
    if (trace)
        stage->source = cli_listing_read(path, &bytes);
    bool ok = prepare(stage, trace) && open_preshader(stage, bytes);
    free(bytes.data);
    return ok;
}

void run_close(run_stage *stage)
{
    if (stage->preshader)
        run_close(stage->preshader);
    free(stage->preshader);
    for (uint32_t i = 0; stage->resources && i < stage->io->resource_count; i++) {
        free(stage->buffers[i]);
        free(stage->written[i]);
        free(stage->bound[i].texels);
    }
    free(stage->resources);
    free(stage->buffers);
    free(stage->written);
    free(stage->bound);
    for (int i = 0; i < RUN_LACKS_COUNT; i++)
        free(stage->lacking[i]);
    iri_exec_free(stage->exec);
    iri_program_free(stage->program);
    cli_listing_free(stage->source);
    *stage = (run_stage){0};
}

/* ---- names ---- */

static void append(char **list, const char *item)
{
    char *longer = cli_printf("%s%s%s", *list, **list ? ", " : "", item);
    free(*list);
    *list = longer;
}

void run_lacks(run_stage *stage, int what, const char *name)
{
    append(&stage->lacking[what], name);
}

void run_say_lacking(const run_stage *stage)
{
    char *line = cli_printf("%s", "");
    for (int i = 0; i < RUN_LACKS_COUNT; i++) {
        if (!*stage->lacking[i])
            continue;
        char *longer = cli_printf("%s%s%s %s%s", line, *line ? "; " : "", run_lacks_words[i],
                                  stage->lacking[i],
                                  i == RUN_LACKS_TEXTURE ? " (lookups give 0, 0, 0, 1)" : "");
        free(line);
        line = longer;
    }
    if (*line) {
        char *path = cli_shown(stage->path), *shown = cli_shown(line);
        fprintf(stderr, "%s: note: not given, so zero: %s\n", path, shown);
        free(shown);
        free(path);
    }
    free(line);
}

bool run_is_for(const run_stage *stage, const char *given, const char **name)
{
    bool prefixed = (!strncmp(given, "vs:", 3) || !strncmp(given, "ps:", 3));
    *name = prefixed ? given + 3 : given;
    return !prefixed || !strncmp(given, stage->prefix, 2);
}

char *run_io_name(const iri_io *io)
{
    return cli_printf("%s%u", io->name, (unsigned)io->index);
}

char *run_register_name(const iri_io *io)
{
    bool numbered = io->bank == IRI_BANK_V || io->bank == IRI_BANK_T || io->bank == IRI_BANK_O ||
                    io->bank == IRI_BANK_OD || io->bank == IRI_BANK_OT || io->bank == IRI_BANK_OC;
    if (io->bank == IRI_BANK_NONE)
        return cli_printf("%s", "");
    if (numbered)
        return cli_printf("%s%u", iri_word(IRI_WORDS_BANK, io->bank), (unsigned)io->reg);
    return cli_printf("%s", iri_word(IRI_WORDS_BANK, io->bank));
}

uint32_t run_find_input(const run_stage *stage, const char *name)
{
    size_t size = strlen(name);
    while (size && name[size - 1] >= '0' && name[size - 1] <= '9')
        size--;
    char *semantic = cli_printf("%.*s", (int)size, name);
    unsigned long index = strtoul(name + size, NULL, 10);
    uint32_t found = iri_find_input(stage->program, semantic, (uint32_t)index);
    free(semantic);
    for (uint32_t i = 0; found == IRI_NOT_FOUND && i < stage->io->input_count; i++) {
        char *reg = run_register_name(&stage->io->inputs[i]);
        if (*reg && !strcmp(reg, name))
            found = i;
        free(reg);
    }
    return found;
}

char *run_input_names(const run_stage *stage)
{
    char *list = cli_printf("%s", "");
    for (uint32_t i = 0; i < stage->io->input_count; i++) {
        char *name = run_io_name(&stage->io->inputs[i]);
        append(&list, name);
        free(name);
    }
    if (!*list)
        append(&list, "none");
    return list;
}

static void list_constants(char **list, const run_stage *stage)
{
    for (uint32_t i = 0; i < stage->io->resource_count; i++) {
        const iri_resource *r = &stage->io->resources[i];
        for (uint32_t k = 0; k < r->member_count; k++)
            if (!(r->members[k].flags & IRI_MEMBER_UNUSED))
                append(list, r->members[k].name);
    }
    if (stage->preshader)
        list_constants(list, stage->preshader);
}

static char *constant_names(const run_stage *stages, uint32_t count)
{
    char *list = cli_printf("%s", "");
    for (uint32_t s = 0; s < count; s++)
        list_constants(&list, &stages[s]);
    if (!*list)
        append(&list, "none by name");
    return list;
}

/* ---- inputs and outputs ---- */

const run_setting *run_setting_of(const run_stage *stage, const run_settings *list, uint32_t input)
{
    const run_setting *found = NULL;
    for (size_t i = 0; i < list->count; i++)
        if (run_find_input(stage, list->items[i].name) == input)
            found = &list->items[i];
    return found;
}

bool run_check_names(const run_stage *stage, const run_settings *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (run_find_input(stage, list->items[i].name) != IRI_NOT_FOUND)
            continue;
        char *names = run_input_names(stage);
        run_fault(list->items[i].where, "no such input; there are: %s", names);
        free(names);
        return false;
    }
    return true;
}

iri_exec_array *run_make_arrays(uint32_t elements, size_t invocations)
{
    iri_exec_array *arrays = cli_alloc((elements + 1) * sizeof *arrays);
    for (uint32_t i = 0; i < elements; i++)
        arrays[i] = (iri_exec_array){cli_alloc(invocations * RUN_ELEMENT), RUN_ELEMENT, RUN_LANE};
    return arrays;
}

void run_free_arrays(iri_exec_array *arrays, uint32_t elements)
{
    for (uint32_t i = 0; arrays && i < elements; i++)
        free(arrays[i].data);
    free(arrays);
}

/* ---- constants ---- */

static void set_defaults(const iri_member *members, uint32_t count, uint32_t base, uint8_t *buffer,
                         uint32_t size)
{
    for (uint32_t i = 0; i < count; i++) {
        const iri_member *m = &members[i];
        uint32_t at = base + m->offset;
        if (!m->default_words)
            set_defaults(m->members, m->member_count, at, buffer, size);
        else if (at <= size && m->size <= size - at)
            memcpy(buffer + at, m->default_words, m->size);
    }
}

static void make_buffers(run_stage *stage)
{
    for (uint32_t i = 0; i < stage->io->resource_count; i++) {
        const iri_resource *r = &stage->io->resources[i];
        if (r->kind != IRI_RESOURCE_CBUFFER)
            continue;
        stage->buffers[i] = cli_alloc(r->size);
        stage->written[i] = cli_alloc(r->size);
        set_defaults(r->members, r->member_count, 0, stage->buffers[i], r->size);
        stage->resources[i].data = stage->buffers[i];
        stage->resources[i].size = r->size;
    }
}

static size_t store(run_stage *stage, const iri_constant_place *place, const double *numbers,
                    size_t count)
{
    uint32_t size = stage->io->resources[place->resource].size;
    size_t stored =
        iri_store_constant(place, numbers, count, stage->buffers[place->resource], size);
    if (stored)
        memset(stage->written[place->resource] + place->offset, 1,
               place->size < size - place->offset ? place->size : size - place->offset);
    return stored;
}

/* "c12", "i3", "b0": numbers may run on into the registers behind it. */
static bool is_register(const char *name)
{
    return strchr("cib", name[0]) && name[1] && strspn(name + 1, "0123456789") == strlen(name + 1);
}

static bool store_numbers(run_stage *stage, const run_setting *s, const char *name,
                          iri_constant_place place, const double *numbers, size_t count)
{
    uint32_t room = place.elements * place.rows * place.columns;
    if (is_register(name) && place.rows == 1 && place.elements == 1) {
        size_t stored = 0;
        for (size_t at = 0; at < count; at += room, place.offset += place.size)
            stored += store(stage, &place, numbers + at, count - at < room ? count - at : room);
        if (!stored)
            return run_fault(s->where, "the %s program reads no register so high",
                             iri_word(IRI_WORDS_STAGE, iri_program_stage(stage->program)));
        return true;
    }
    if (count > room)
        return run_fault(s->where, "%zu numbers; it has room for %u", count, (unsigned)room);
    store(stage, &place, numbers, count);
    return true;
}

static bool store_helper(run_stage *stage, const run_setting *s, const char *name,
                         const iri_constant_place *place, const run_given *given)
{
    double numbers[16];
    run_matrix m;
    bool vector;
    size_t count = 0;
    if (!run_helper(given, s->word, &m, &vector))
        return run_fault(s->where,
                         "no value '%s'; there are @m, @v, @p, @mv, @vp, @mvp, @normal, "
                         "@identity, each also with .t, and @eye",
                         s->word);
    if (!vector && place->rows == 1 && is_register(name)) {
        for (; count < 16; count++) /* a column a register, as HLSL packs */
            numbers[count] = m.at[count % 4][count / 4];
        return store_numbers(stage, s, name, *place, numbers, count);
    }
    if (vector != (place->rows == 1))
        return run_fault(s->where, "it is %s matrix, and %s is %s", vector ? "a" : "no", s->word,
                         vector ? "a vector" : "one");
    iri_constant_place element = *place;
    element.elements = 1;
    for (uint32_t i = 0; i < place->rows && i < 4; i++)
        for (uint32_t j = 0; j < place->columns && j < 4; j++)
            numbers[count++] = m.at[i][j];
    for (uint32_t i = 0; i < place->elements; i++) {
        element.offset = place->offset + i * place->array_stride;
        element.size = place->size - i * place->array_stride;
        store(stage, &element, numbers, count);
    }
    return true;
}

static bool bind_place(run_stage *stage, const run_setting *s, const char *name,
                       const iri_constant_place *place, const run_given *given)
{
    if (s->word)
        return store_helper(stage, s, name, place, given);
    return store_numbers(stage, s, name, *place, s->rows[0].numbers, s->rows[0].count);
}

/* A constant may lie in several register sets: a loop's count as an integer and as a float. */
static bool bind_named(run_stage *stage, const run_setting *s, const char *name,
                       const run_given *given, bool *found)
{
    iri_constant_place place;
    uint32_t first = 0;
    while (iri_find_constant_from(stage->program, name, first, &place, NULL) == IRI_OK) {
        *found = true;
        first = place.resource + 1;
        if (!bind_place(stage, s, name, &place, given))
            return false;
    }
    /* A register is the shader's. */
    return !stage->preshader || is_register(name) ||
           bind_named(stage->preshader, s, name, given, found);
}

static bool bind_constant(run_stage *stages, uint32_t count, const run_setting *s,
                          const run_given *given)
{
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        const char *name;
        if (run_is_for(&stages[i], s->name, &name) &&
            !bind_named(&stages[i], s, name, given, &found))
            return false;
    }
    if (found)
        return true;
    char *names = constant_names(stages, count);
    run_fault(s->where, "no such constant; there are: %s", names);
    free(names);
    return false;
}

/* ---- what was not given ---- */

static bool has_default(const iri_member *m)
{
    bool has = m->default_words != NULL;
    for (uint32_t i = 0; i < m->member_count && !has; i++)
        has = has_default(&m->members[i]);
    return has;
}

static void find_lacking_constants(run_stage *stage)
{
    static const char letters[] = "cib";
    for (uint32_t i = 0; i < stage->io->resource_count; i++) {
        const iri_resource *r = &stage->io->resources[i];
        if (r->kind != IRI_RESOURCE_CBUFFER || (r->flags & IRI_RESOURCE_STATE))
            continue;
        for (uint32_t k = 0; k < r->member_count; k++) {
            const iri_member *m = &r->members[k];
            bool written = has_default(m) || (m->flags & IRI_MEMBER_UNUSED);
            for (uint32_t at = m->offset; !written && at < m->offset + m->size && at < r->size;
                 at++)
                written = stage->written[i][at];
            if (!written)
                run_lacks(stage, RUN_LACKS_CONSTANT, m->name);
        }
        if (!r->member_count && r->size && r->reg < 3 && !memchr(stage->written[i], 1, r->size)) {
            char *name = cli_printf("all %c registers", letters[r->reg]);
            run_lacks(stage, RUN_LACKS_CONSTANT, name);
            free(name);
        }
    }
}

/* ---- preshaders ---- */

/* The buffer that a register of a bank is in; UINT32_MAX when the program has none. */
static uint32_t find_bank(const run_stage *stage, uint8_t bank)
{
    uint32_t reg = bank == IRI_BANK_C ? 0 : bank == IRI_BANK_I ? 1 : 2;
    for (uint32_t i = 0; i < stage->io->resource_count; i++)
        if (stage->io->resources[i].kind == IRI_RESOURCE_CBUFFER &&
            stage->io->resources[i].reg == reg &&
            !(stage->io->resources[i].flags & IRI_RESOURCE_STATE))
            return i;
    return UINT32_MAX;
}

/* Sets a register but for what was given by hand. */
static void set_register(run_stage *stage, const iri_preshader_register *r)
{
    uint32_t bank = find_bank(stage, r->bank), stride = r->bank == IRI_BANK_B ? 4 : 16;
    for (uint32_t lane = 0; bank != UINT32_MAX && lane < 4; lane++) {
        uint32_t at = r->number * stride + lane * 4;
        if (!(r->lanes >> lane & 1) || at + 4 > stage->io->resources[bank].size ||
            stage->written[bank][at])
            continue;
        memcpy(stage->buffers[bank] + at, &r->words[lane], 4);
        memset(stage->written[bank] + at, 1, 4);
    }
}

static bool run_preshader(run_stage *stage)
{
    run_stage *pre = stage->preshader;
    iri_refusal why;
    iri_preshader_register *registers = cli_alloc((pre->io->output_count + 1) * sizeof *registers);
    const void *constants = pre->io->resource_count ? pre->buffers[0] : NULL;
    uint32_t size = pre->io->resource_count ? pre->io->resources[0].size : 0;
    bool ok = iri_preshader_run(pre->exec, constants, size, registers, &why) == IRI_OK ||
              cli_refused(&why, stage->path) == CLI_OK;
    for (uint32_t i = 0; ok && i < pre->io->output_count; i++)
        set_register(stage, &registers[i]);
    free(registers);
    return ok;
}

/* What was not given to a preshader was not given to its shader. */
static void hand_on_lacking(run_stage *stage)
{
    find_lacking_constants(stage->preshader);
    if (*stage->preshader->lacking[RUN_LACKS_CONSTANT])
        run_lacks(stage, RUN_LACKS_CONSTANT, stage->preshader->lacking[RUN_LACKS_CONSTANT]);
}

bool run_bind(run_stage *stages, uint32_t count, const run_given *given)
{
    const run_settings *constants = &given->lists[RUN_CONST];
    for (uint32_t i = 0; i < count; i++) {
        make_buffers(&stages[i]);
        if (stages[i].preshader)
            make_buffers(stages[i].preshader);
    }
    for (size_t i = 0; i < constants->count; i++)
        if (!bind_constant(stages, count, &constants->items[i], given))
            return false;
    for (uint32_t i = 0; i < count; i++) {
        if (stages[i].preshader && !run_preshader(&stages[i]))
            return false;
        find_lacking_constants(&stages[i]);
        if (stages[i].preshader)
            hand_on_lacking(&stages[i]);
    }
    return run_bind_textures(stages, count, given);
}
