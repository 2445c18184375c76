/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia info`: what a shader is: interface, constants, state, provenance, notes; for people, or
 * as JSON.
 */
#include "cli.h"
#include <stdlib.h>
#include <string.h>

static bool as_json;

static const cli_option options[] = {
    {"--json", NULL, CLI_FLAG, &as_json, "print it as JSON (docs/json.md)"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char teach[] =
    "Says what a shader is: inputs and outputs by semantic name, constants with their\n"
    "registers and defaults, textures and samplers, the state it needs, the compiler it came\n"
    "from, and what reading it had to approximate.\n\n"
    "examples:\n"
    "  iridia info water.pso\n"
    "  iridia info water.pso --json | jq '.resources[].name'\n";

/* ---- state ---- */

enum { STATES_MAX = 128 }; /* states.def has fewer, each stage and plane counted */

typedef struct state_read {
    iri_state_id id;
    uint32_t index;
    iri_state_source source;
} state_read;

typedef struct states_read {
    state_read items[STATES_MAX];
    uint32_t count;
} states_read;

static void add_state(states_read *states, uint32_t id, uint32_t index, iri_state_source source)
{
    for (uint32_t i = 0; i < states->count; i++)
        if (states->items[i].id == (iri_state_id)id && states->items[i].index == index)
            return;
    if (states->count < STATES_MAX)
        states->items[states->count++] = (state_read){(iri_state_id)id, index, source};
}

static int by_state(const void *a, const void *b)
{
    const state_read *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* What is left to run time, which the interface has, and what was not given, which only the body
 * knows. */
static states_read find_states(const iri_program *p)
{
    states_read states = {.count = 0};
    const iri_interface *io = iri_program_interface(p);
    for (uint32_t i = 0; i < io->state_count; i++)
        add_state(&states, io->states[i].id, io->states[i].index,
                  (iri_state_source)io->states[i].source);
    for (iri_id i = 1; i < iri_program_inst_count(p); i++) {
        const iri_inst *in = iri_program_inst(p, i);
        if (in->op != IRI_OP_STATE)
            continue;
        const uint32_t *immediates = iri_program_words(p, in) + in->operand_count;
        add_state(&states, immediates[0], immediates[1], IRI_STATE_UNSPECIFIED);
    }
    qsort(states.items, states.count, sizeof *states.items, by_state);
    return states;
}

/* ---- for people ---- */

/* Prints a name or other text that comes from the shader: nothing of it reaches a terminal as a
 * command. */
static void print_shown(const char *before, const char *text, const char *after)
{
    char *shown = cli_shown(text);
    printf("%s%s%s", before, shown, after);
    free(shown);
}

static void print_io(const char *heading, const iri_io *items, uint32_t count)
{
    if (count)
        printf("\n%s:\n", heading);
    for (uint32_t i = 0; i < count; i++) {
        const iri_io *io = &items[i];
        char type[16], reg[16], lanes[8];
        char *semantic = cli_shown(io->name);
        char *name = cli_printf("%s%u", semantic, (unsigned)io->index);
        cli_type_text(io->type, type, sizeof type);
        cli_register_text(io, reg, sizeof reg);
        cli_lanes_text(io->lanes, lanes);
        printf("  %-16s %-10s %s%s", name, type, reg, *reg ? lanes : "");
        free(name);
        free(semantic);
        if (io->interpolation != IRI_INTERPOLATION_DEFAULT)
            printf("  %s", iri_word(IRI_WORDS_INTERPOLATION, io->interpolation));
        if (io->system_value != IRI_SV_NONE)
            printf("  = %s", iri_word(IRI_WORDS_SYSTEM_VALUE, io->system_value));
        if (io->used != io->lanes) {
            cli_lanes_text(io->used, lanes);
            printf("  (%s)", io->used ? lanes + 1 : "unused");
        }
        putchar('\n');
    }
}

static void print_default(const iri_member *m)
{
    if (!m->default_words)
        return;
    uint32_t shown = m->size / 4 < 16 ? m->size / 4 : 16;
    printf("  =");
    for (uint32_t i = 0; i < shown; i++) {
        float f;
        memcpy(&f, &m->default_words[i], sizeof f);
        if (m->scalar == IRI_F32)
            printf(" %g", (double)f);
        else
            printf(" %d", (int)(int32_t)m->default_words[i]);
    }
    if (m->size / 4 > shown)
        printf(" ...");
}

static void print_members(const iri_member *members, uint32_t count, uint32_t depth)
{
    for (uint32_t i = 0; i < count; i++) {
        const iri_member *m = &members[i];
        char type[96];
        cli_member_type_text(m, type, sizeof type);
        char *shown = cli_shown(type);
        printf("  %*s%5u  %-26s", (int)(2 * depth), "", (unsigned)m->offset, shown);
        free(shown);
        print_shown(" ", m->name, "");
        if (m->flags & IRI_MEMBER_UNUSED)
            printf("  (unused)");
        print_default(m);
        putchar('\n');
        print_members(m->members, m->member_count, depth + 1);
    }
}

static void print_resources(const iri_interface *io)
{
    static const char prefix[] = "?btstuu";
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        printf("\n%s %s%c%u", iri_word(IRI_WORDS_RESOURCE_KIND, r->kind),
               r->kind == IRI_RESOURCE_CBUFFER ? "c" : "", prefix[r->kind], (unsigned)r->reg);
        if (r->space)
            printf(" space %u", (unsigned)r->space);
        if (r->count != 1)
            printf(" range of %u", (unsigned)r->count);
        if (r->name)
            print_shown(" \"", r->name, "\"");
        if (r->dimension)
            printf(" %s%s%s", iri_word(IRI_WORDS_DIMENSION, r->dimension),
                   r->arrayed ? " array" : "", r->multisampled ? " multisampled" : "");
        if (r->comparison)
            printf(" comparison");
        if (r->kind == IRI_RESOURCE_CBUFFER)
            printf(" %u bytes%s", (unsigned)r->size,
                   r->flags & IRI_RESOURCE_DYNAMIC ? ", read at run-time offsets" : "");
        if (r->member_count)
            printf(":");
        putchar('\n');
        print_members(r->members, r->member_count, 0);
    }
}

static void print_states(const states_read *states)
{
    if (states->count)
        puts("\nstate it reads:");
    for (uint32_t i = 0; i < states->count; i++) {
        const state_read *s = &states->items[i];
        const iri_state_info *info = iri_state_get_info(s->id);
        char index[16] = "";
        if (info->count > 1)
            snprintf(index, sizeof index, "[%u]", (unsigned)s->index);
        printf("  %s%s %s: %s\n", info->name, index, iri_word(IRI_WORDS_STATE_SOURCE, s->source),
               info->meaning);
    }
}

static void print_hash(const uint8_t hash[32], char text[65])
{
    for (int i = 0; i < 32; i++)
        snprintf(text + 2 * i, 3, "%02x", hash[i]);
}

/* Of the shader through its end, which is what tools that hook Direct3D see; text has none. */
static bool hashed;
static iri_hashes hashes;

/* What a Direct3D 9 shader's preshader is; NULL where it has none, and also where it cannot be read: then why. */
static iri_program *preshader;
static iri_refusal preshader_why;

static void read_preshader(cli_bytes bytes)
{
    preshader_why.status = IRI_OK;
    if (iri_detect_format(bytes.data, bytes.size) == IRI_FORMAT_D3D9)
        iri_preshader_lift(bytes.data, bytes.size, NULL, &preshader, &preshader_why);
}

/* "c12.xyz", "b0". */
static void register_text(const iri_io *io, char text[24])
{
    int size = snprintf(text, 16, "%s%u", io->name, (unsigned)io->index);
    if (io->bank == IRI_BANK_B)
        return;
    text[size++] = '.';
    for (int lane = 0; lane < 4; lane++)
        if (io->lanes >> lane & 1)
            text[size++] = "xyzw"[lane];
    text[size] = 0;
}

static void print_preshader(void)
{
    if (preshader_why.status != IRI_OK) {
        printf("\npreshader: not read, ");
        print_shown("", preshader_why.reason, "\n");
    }
    if (!preshader)
        return;
    const iri_interface *io = iri_program_interface(preshader);
    printf("\npreshader: %u instructions, sets",
           (unsigned)iri_program_provenance(preshader)->instruction_count);
    for (uint32_t i = 0; i < io->output_count; i++) {
        char text[24];
        register_text(&io->outputs[i], text);
        printf(" %s", text);
    }
    puts(io->resource_count ? " from:" : "");
    for (uint32_t i = 0; i < io->resource_count; i++)
        print_members(io->resources[i].members, io->resources[i].member_count, 0);
}

static void print_info(const iri_program *p, const char *path, const iri_lift_stats *stats)
{
    const iri_provenance *from = iri_program_provenance(p);
    const iri_interface *io = iri_program_interface(p);
    print_shown("", path, ": ");
    printf("%s shader", iri_word(IRI_WORDS_STAGE, iri_program_stage(p)));
    if (from->target && *from->target) {
        print_shown(", ", from->format, " ");
        print_shown("", from->target, ", ");
        printf("%u instructions", (unsigned)from->instruction_count);
    }
    putchar('\n');
    if (from->creator && *from->creator)
        print_shown("creator   ", from->creator, "\n");
    if (from->has_hash) {
        char hash[65];
        print_hash(from->sha256, hash);
        printf("sha256    %s\n", hash);
    }
    if (hashed) {
        printf("crc32     %08lx\nfnv1      %016llx\n3dmigoto  %016llx\n",
               (unsigned long)hashes.crc32, (unsigned long long)hashes.fnv1,
               (unsigned long long)hashes.migoto);
    }
    if (from->lifter && *from->lifter) {
        print_shown("read by   ", from->lifter, "");
        printf(" %u, ", (unsigned)from->lifter_version);
        print_shown("", from->policies, "\n");
    }
    printf("program   %u instructions, %zu bytes\n", (unsigned)iri_program_inst_count(p) - 1,
           iri_program_memory(p));
    if (stats->passes.guards)
        printf("guards    %u operations with a Direct3D guard, %u proved plain\n",
               (unsigned)stats->passes.guards, (unsigned)stats->passes.guards_elided);
    print_io("inputs", io->inputs, io->input_count);
    print_io("outputs", io->outputs, io->output_count);
    print_resources(io);
    print_preshader();
    states_read states = find_states(p);
    print_states(&states);
    if (iri_note_count(p))
        puts("\nnotes:");
    for (size_t i = 0; i < iri_note_count(p); i++) {
        const iri_note *n = iri_note_at(p, i);
        if (n->offset == IRI_NO_OFFSET)
            printf("  ");
        else
            printf("  0x%x: ", (unsigned)n->offset);
        print_shown("", n->text, "");
        printf(" [%s]\n", n->kind);
    }
}

/* ---- JSON ---- */

static void json_io(cli_json *json, const char *key, const iri_io *items, uint32_t count)
{
    json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        const iri_io *io = &items[i];
        char type[16], reg[16], lanes[8];
        cli_type_text(io->type, type, sizeof type);
        cli_register_text(io, reg, sizeof reg);
        json_open(json, NULL, '{');
        json_string(json, "semantic", io->name);
        json_number(json, "index", io->index);
        json_string(json, "type", type);
        json_string(json, "register", reg);
        cli_lanes_text(io->lanes, lanes);
        json_string(json, "lanes", lanes + 1);
        cli_lanes_text(io->used, lanes);
        json_string(json, "used", lanes + 1);
        json_string(json, "systemValue", iri_word(IRI_WORDS_SYSTEM_VALUE, io->system_value));
        json_string(json, "interpolation", iri_word(IRI_WORDS_INTERPOLATION, io->interpolation));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void json_resources(cli_json *json, const iri_interface *io)
{
    json_open(json, "resources", '[');
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        json_open(json, NULL, '{');
        json_string(json, "kind", iri_word(IRI_WORDS_RESOURCE_KIND, r->kind));
        json_string(json, "name", r->name);
        json_number(json, "space", r->space);
        json_number(json, "register", r->reg);
        json_number(json, "count", r->count);
        if (r->kind == IRI_RESOURCE_CBUFFER) {
            json_number(json, "size", r->size);
            json_bool(json, "dynamic", (r->flags & IRI_RESOURCE_DYNAMIC) != 0);
            json_members(json, r->members, r->member_count);
        } else {
            json_string(json, "dimension", iri_word(IRI_WORDS_DIMENSION, r->dimension));
            json_bool(json, "array", r->arrayed);
            json_bool(json, "multisampled", r->multisampled);
            json_bool(json, "comparison", r->comparison);
        }
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void json_provenance(cli_json *json, const iri_provenance *from)
{
    json_open(json, "provenance", '{');
    json_string(json, "format", from->format);
    json_string(json, "target", from->target);
    json_string(json, "creator", from->creator);
    json_string(json, "lifter", from->lifter);
    json_number(json, "lifterVersion", from->lifter_version);
    if (from->has_hash) {
        char hash[65];
        print_hash(from->sha256, hash);
        json_string(json, "sha256", hash);
    } else {
        json_string(json, "sha256", NULL);
    }
    char crc32[16], fnv1[24], migoto[24];
    snprintf(crc32, sizeof crc32, "%08lx", (unsigned long)hashes.crc32);
    snprintf(fnv1, sizeof fnv1, "%016llx", (unsigned long long)hashes.fnv1);
    snprintf(migoto, sizeof migoto, "%016llx", (unsigned long long)hashes.migoto);
    json_string(json, "crc32", hashed ? crc32 : NULL);
    json_string(json, "fnv1", hashed ? fnv1 : NULL);
    json_string(json, "migoto", hashed ? migoto : NULL);
    json_number(json, "instructionCount", from->instruction_count);
    json_string(json, "policies", from->policies);
    json_close(json, '}');
}

static void json_states(cli_json *json, const states_read *states)
{
    json_open(json, "states", '[');
    for (uint32_t i = 0; i < states->count; i++) {
        const state_read *s = &states->items[i];
        json_open(json, NULL, '{');
        json_string(json, "name", iri_state_get_info(s->id)->name);
        json_number(json, "index", s->index);
        json_string(json, "source", iri_word(IRI_WORDS_STATE_SOURCE, s->source));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void json_preshader(cli_json *json)
{
    if (!preshader)
        return;
    const iri_interface *io = iri_program_interface(preshader);
    json_open(json, "preshader", '{');
    json_number(json, "instructionCount", iri_program_provenance(preshader)->instruction_count);
    json_open(json, "registers", '[');
    for (uint32_t i = 0; i < io->output_count; i++) {
        char text[24];
        register_text(&io->outputs[i], text);
        json_string(json, NULL, text);
    }
    json_close(json, ']');
    json_number(json, "size", io->resource_count ? io->resources[0].size : 0);
    json_members(json, io->resource_count ? io->resources[0].members : NULL,
                 io->resource_count ? io->resources[0].member_count : 0);
    json_close(json, '}');
}

static bool print_json(const iri_program *p, const char *path, const iri_lift_stats *stats)
{
    cli_json json = {0};
    const iri_interface *io = iri_program_interface(p);
    json_open(&json, NULL, '{');
    json_number(&json, "schema", 1);
    json_string(&json, "file", path);
    json_string(&json, "stage", iri_word(IRI_WORDS_STAGE, iri_program_stage(p)));
    json_provenance(&json, iri_program_provenance(p));
    json_io(&json, "inputs", io->inputs, io->input_count);
    json_io(&json, "outputs", io->outputs, io->output_count);
    json_resources(&json, io);
    json_preshader(&json);
    states_read states = find_states(p);
    json_states(&json, &states);
    json_number(&json, "programInstructions", iri_program_inst_count(p) - 1);
    json_number(&json, "guards", stats->passes.guards);
    json_number(&json, "guardsElided", stats->passes.guards_elided);
    cli_notes notes = cli_collect_notes(p, NULL, 0);
    json_notes(&json, &notes);
    free(notes.items);
    json_close(&json, '}');
    return json_finish(&json, NULL);
}

int cli_info(int argc, char **argv)
{
    const cli_option *const groups[] = {options, cli_at_options, cli_lift_options, NULL};
    const char *path;
    int code;
    if (!cli_begin("info", teach, groups, argc, argv, &path, &code))
        return code;
    iri_lift_stats stats = {0};
    cli_bytes bytes;
    iri_program *program = cli_open_keeping(path, cli_at, &stats, &bytes);
    if (!program)
        return CLI_REFUSED;
    size_t size = iri_frame_size(bytes.data, bytes.size);
    hashed = size != 0;
    hashes = iri_hash_shader(bytes.data, size);
    read_preshader(bytes);
    free(bytes.data);
    bool ok = true;
    if (as_json)
        ok = print_json(program, path, &stats);
    else
        print_info(program, path, &stats);
    iri_program_free(preshader);
    iri_program_free(program);
    return ok ? CLI_OK : CLI_REFUSED;
}
