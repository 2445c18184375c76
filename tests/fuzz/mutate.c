/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes real shaders and takes the results through the whole library: lift, print and parse, WGSL, SPIR-V, and
 * listings, which are changed as well, assembled; and the executor, where a mutant as it was read and as it was
 * lifted have to give the same bits.
 * Most changes know what a token stream is made of (instructions, operands, comments), so that many results
 * pass the checks and reach the lowering and the writers; one in eight is of plain bytes. A mutant depends
 * on the seed, its number and the shaders alone. Broken invariants, memory not given back, a call that takes
 * longer than HANG_SECONDS and internal errors abort, with the number that makes the mutant again.
 *
 * Usage: iri-mutate [--count N] [--seed N] [--from N] [--save FILE] [--keep FOLDER] [--no-write]
 *                   [--refusals] [FILE|FOLDER ...]
 *   --from N --count 1 --save FILE   keeps mutant N's bytes
 *   --keep FOLDER                    keeps what is written as NUMBER.wgsl and NUMBER.spv, for validators
 *   --no-write                       neither prints, lists nor writes: for long runs of the executor
 *   --refusals                       also says how many of each status there were
 */
#define _DEFAULT_SOURCE /* dirent.h, unistd.h's alarm */
#include "fuzz.h"
#include "mutate_run.h"

#include "read/d3d9/decode.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SHORT_RUN = 3000,
    HANG_SECONDS = 60,
    SHADERS_MAX = 4096,
    WORDS_MAX = 16384,
    CHANGES_MAX = 6
};

/* ---- numbers ---- */

static uint64_t random_state;

static uint32_t random_word(void)
{
    random_state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    uint64_t z = random_state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(z >> 31);
}

static uint32_t below(uint32_t count)
{
    return random_word() % count;
}

/* ---- memory that is counted ---- */

static size_t held, most_held;

static void *counted_alloc(void *user, size_t size)
{
    void *memory = malloc(size);
    (void)user;
    if (memory) {
        held += size;
        if (held > most_held)
            most_held = held;
    }
    return memory;
}

static void counted_free(void *user, void *memory, size_t size)
{
    (void)user;
    MUST(!memory || held >= size);
    held -= memory ? size : 0;
    free(memory);
}

static const iri_allocator counted = {counted_alloc, counted_free, NULL};

/* ---- streams ---- */

typedef struct shader {
    uint32_t *words;
    uint32_t count;
} shader;

static shader shaders[SHADERS_MAX];
static uint32_t shader_count;

/* A stream cut into pieces: instructions, comments, the end. The version word is in none. */
typedef struct stream {
    uint32_t words[WORDS_MAX];
    uint32_t count;
    uint32_t first[WORDS_MAX]; /* of each piece */
    uint32_t pieces;
} stream;

static uint32_t piece_length(const stream *s, uint32_t at)
{
    uint32_t word = s->words[at], opcode = word & 0xffff, length = 1;
    if (opcode == 0xfffe)
        length += word >> 16 & 0x7fff;
    else if (opcode == 0xffff)
        length = 1;
    else if ((s->words[0] >> 8 & 0xff) >= 2)
        length += word >> 24 & 15;
    else if (opcode == 81)
        length += 5;
    else
        while (at + length < s->count && s->words[at + length] >> 31)
            length++;
    return length < s->count - at ? length : s->count - at;
}

static void cut(stream *s)
{
    s->pieces = 0;
    for (uint32_t at = 1; at < s->count; at += piece_length(s, at))
        s->first[s->pieces++] = at;
}

static void load(stream *s, const shader *from)
{
    s->count = from->count < WORDS_MAX ? from->count : WORDS_MAX;
    memcpy(s->words, from->words, s->count * sizeof *s->words);
    cut(s);
}

/* Replaces `old` words at `at` by `count` others; nothing when there is no room. */
static void replace(stream *s, uint32_t at, uint32_t old, const uint32_t *words, uint32_t count)
{
    if (at + old > s->count || s->count - old + count > WORDS_MAX)
        return;
    memmove(s->words + at + count, s->words + at + old, (s->count - at - old) * sizeof *s->words);
    if (count)
        memcpy(s->words + at, words, count * sizeof *words);
    s->count += count - old;
    cut(s);
}

static iri_d3d9_model model_of(const stream *s)
{
    for (uint32_t m = 0; m < IRI_D3D9_MODEL_COUNT; m++)
        if (iri_d3d9_models[m].version == s->words[0])
            return (iri_d3d9_model)m;
    return IRI_D3D9_MODEL_COUNT;
}

/* The row an instruction is read by; NULL for comments, the end and unknown numbers. */
static const iri_d3d9_op_row *row_of(const stream *s, uint32_t piece)
{
    uint32_t number = s->words[s->first[piece]] & 0xffff;
    iri_d3d9_model model = model_of(s);
    for (uint32_t op = 0; op < IRI_D3D9_OP_COUNT && model < IRI_D3D9_MODEL_COUNT; op++)
        if (iri_d3d9_ops[op].number == number && iri_d3d9_model_has_op(model, (iri_d3d9_op)op))
            return &iri_d3d9_ops[op];
    return NULL;
}

/* A piece that executes, or any where there is none. */
static uint32_t some_piece(const stream *s)
{
    for (uint32_t tries = 0; tries < 8; tries++) {
        uint32_t piece = below(s->pieces);
        const iri_d3d9_op_row *row = row_of(s, piece);
        if (row && !(row->flags & IRI_D3D9_FLAG_DECL))
            return piece;
    }
    return below(s->pieces);
}

/* ---- words ---- */

static uint32_t parameter(uint32_t type, uint32_t number)
{
    return 0x80000000u | (type & 7u) << 28 | (type & 0x18u) << 8 | number;
}

static uint32_t random_swizzle(void)
{
    static const uint32_t common[] = {0xe40000, 0xe40000, 0xe40000, 0,
                                      0x550000, 0xaa0000, 0xff0000, 0x1b0000};
    uint32_t pick = below(10);
    return pick < 8 ? common[pick] : below(256) << 16;
}

/* An operand that the letter of ops.def takes, most of the time one that the model has. */
static uint32_t operand(char kind, const stream *s)
{
    static const uint8_t source_types[] = {0, 0, 0, 0, 2, 2, 1, 3};
    bool vertex = s->words[0] >> 16 == 0xfffe;
    uint32_t major = s->words[0] >> 8 & 0xff;
    switch (kind) {
    case 'd': {
        uint32_t type = below(5) ? 0 : vertex ? 4 + below(3) : major == 1 ? 3 : 8;
        uint32_t modifier = below(8) ? 0 : below(8) << 20;
        return parameter(type, below(2)) | (below(3) ? 15 : 1 + below(15)) << 16 | modifier;
    }
    case 'k': return parameter(below(2) ? 0 : 3, below(3)) | 0xf0000;
    case 't': return parameter(10, below(2)) | 0xe40000;
    case 'l': return parameter(18, below(2)) | 0xe40000;
    case 'i': return parameter(7, below(2)) | 0xe40000;
    case 'b': return parameter(below(4) ? 14 : 19, 0) | 0xe40000;
    case 'p': return parameter(19, 0);
    case 'a': return parameter(15, 0) | 0xe40000;
    default: {
        uint32_t type = source_types[below(8)];
        return parameter(type, below(type == 2 ? 8 : 2)) | random_swizzle() |
               (below(4)   ? 0
                : below(8) ? 1u << 24
                           : below(14) << 24);
    }
    }
}

/* A made-up instruction of the model; its length. */
static uint32_t make_instruction(const stream *s, uint32_t words[8])
{
    iri_d3d9_model model = model_of(s);
    uint32_t op = 0, count = 1;
    if (model == IRI_D3D9_MODEL_COUNT)
        return 0;
    for (uint32_t tries = 0; tries < 100; tries++) {
        op = below(IRI_D3D9_OP_COUNT);
        if (iri_d3d9_model_has_op(model, (iri_d3d9_op)op) &&
            !(iri_d3d9_ops[op].flags & IRI_D3D9_FLAG_DECL))
            break;
    }
    const iri_d3d9_op_row *row = &iri_d3d9_ops[op];
    bool scalars = below(2);
    for (const char *kind = row->operands; *kind; kind++) {
        if (*kind < 'a')
            continue;
        words[count] = operand(*kind, s);
        if (scalars && *kind == 's')
            words[count] = (words[count] & ~0xff0000u) | below(4) * 0x550000u;
        count++;
    }
    words[0] = row->number | (row->flags & IRI_D3D9_FLAG_COMPARE ? (1 + below(6)) << 16 : 0);
    if ((s->words[0] >> 8 & 0xff) >= 2)
        words[0] |= (count - 1) << 24;
    return count;
}

/* ---- changes ---- */

/* A field of an operand, to something that its place may hold. */
static void change_field(uint32_t *word, char kind)
{
    switch (below(kind == 'd' ? 4 : kind == 's' ? 6 : 2)) {
    case 0: *word = (*word & ~0x7ffu) | below(4); break;
    case 1: *word ^= 1u << below(3); break; /* of its number */
    case 2:
        *word = kind == 'd' ? (*word & ~0xf0000u) | (1 + below(15)) << 16
                            : (*word & ~0xff0000u) | random_swizzle();
        break;
    case 3: *word ^= kind == 'd' ? 0x100000u << below(2) : 0x1000000u; break;
    case 4: *word = (*word & ~0xf000000u) | (below(2) ? 0 : 1 + below(11)) << 24; break;
    default: *word = (*word & ~0x70001800u) | (parameter(below(4), 0) & 0x70001800u); break;
    }
}

static void change_operand(stream *s)
{
    uint32_t piece = some_piece(s), at = s->first[piece], length = piece_length(s, at);
    const iri_d3d9_op_row *row = row_of(s, piece);
    if (length < 2 || at + length > s->count)
        return;
    uint32_t which = below(length - 1);
    uint32_t *word = &s->words[at + 1 + which];
    if (row && which < strlen(row->operands) && below(4)) {
        change_field(word, row->operands[which]);
        return;
    }
    switch (below(8)) {
    case 0: *word = (*word & ~0x7ffu) | below(4); break;
    case 1: *word = (*word & ~0x7ffu) | below(32); break;
    case 2: *word = (*word & ~0x70001800u) | (parameter(below(20), 0) & 0x70001800u); break;
    case 3: *word = (*word & ~0xff0000u) | random_swizzle(); break;
    case 4: *word = (*word & ~0xf000000u) | below(14) << 24; break;
    case 5: *word = (*word & ~0xf0000u) | (1 + below(15)) << 16; break;
    case 6: *word ^= 0x2000; break;
    default: *word = operand("dsstlibpak"[below(10)], s); break;
    }
}

/* Another instruction of the model that takes the same operands. */
static void change_opcode(stream *s)
{
    uint32_t piece = some_piece(s);
    const iri_d3d9_op_row *row = row_of(s, piece);
    iri_d3d9_model model = model_of(s);
    for (uint32_t tries = 0; row && tries < 60; tries++) {
        uint32_t op = below(IRI_D3D9_OP_COUNT);
        if (!iri_d3d9_model_has_op(model, (iri_d3d9_op)op) ||
            strcmp(iri_d3d9_ops[op].operands, row->operands) != 0)
            continue;
        uint32_t *word = &s->words[s->first[piece]];
        *word = (*word & ~0xffffu) | iri_d3d9_ops[op].number;
        return;
    }
}

static void swap_pieces(stream *s)
{
    static uint32_t words[WORDS_MAX];
    uint32_t a = some_piece(s), b = below(3) ? a + 1 : some_piece(s);
    if (b < a) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    if (a == b || b >= s->pieces)
        return;
    uint32_t at_a = s->first[a], at_b = s->first[b], count = 0;
    uint32_t length_a = piece_length(s, at_a), length_b = piece_length(s, at_b);
    memcpy(words, s->words + at_b, length_b * sizeof *words);
    count = length_b;
    memcpy(words + count, s->words + at_a + length_a, (at_b - at_a - length_a) * sizeof *words);
    count += at_b - at_a - length_a;
    memcpy(words + count, s->words + at_a, length_a * sizeof *words);
    count += length_a;
    replace(s, at_a, count, words, count);
}

static void copy_piece(stream *s)
{
    static uint32_t words[WORDS_MAX];
    uint32_t from = s->first[some_piece(s)], length = piece_length(s, from);
    memcpy(words, s->words + from, length * sizeof *words);
    replace(s, s->first[some_piece(s)], 0, words, length);
}

static void delete_piece(stream *s)
{
    uint32_t at = s->first[some_piece(s)];
    replace(s, at, piece_length(s, at), NULL, 0);
}

/* Some pieces of another shader, of the same stage where one is soon found. */
static void splice(stream *s)
{
    static stream other;
    uint32_t pick = below(shader_count);
    for (uint32_t tries = 0; tries < 40 && shaders[pick].words[0] != s->words[0]; tries++)
        pick = below(shader_count);
    load(&other, &shaders[pick]);
    if (!other.pieces)
        return;
    uint32_t first = some_piece(&other), run = 1 + below(12), last = first + run - 1;
    if (last >= other.pieces)
        last = other.pieces - 1;
    uint32_t at = other.first[first], end = other.first[last];
    end += piece_length(&other, end);
    replace(s, s->first[some_piece(s)], 0, other.words + at, end - at);
}

static void insert_made(stream *s)
{
    uint32_t words[8], count = make_instruction(s, words);
    if (count)
        replace(s, s->first[some_piece(s)], 0, words, count);
}

/* Control bits, co-issue, predicate and length of an instruction's word. */
static void change_head(stream *s)
{
    static const uint32_t bits[] = {0x10000,   0x20000,    0x40000,    0x1000000,
                                    0x2000000, 0x10000000, 0x40000000, 0x80000000};
    s->words[s->first[some_piece(s)]] ^= bits[below(8)];
    cut(s);
}

/* `(p0) op`, with the predicate's word where it belongs. */
static void predicate(stream *s)
{
    uint32_t piece = some_piece(s), at = s->first[piece], length = piece_length(s, at);
    uint32_t word = parameter(19, 0) | random_swizzle() | (below(2) ? 0xd000000u : 0);
    if (length < 3 || (s->words[at] & 0x10000000u))
        return;
    s->words[at] = (s->words[at] + 0x1000000u) | 0x10000000u;
    replace(s, at + 2, 0, &word, 1);
}

static void change_version(stream *s)
{
    s->words[0] = iri_d3d9_models[below(IRI_D3D9_MODEL_COUNT)].version;
    cut(s);
}

static void change_word(stream *s)
{
    static const uint32_t telling[] = {0,          1,          0xffffffff, 0x7fffffff, 0x80000000,
                                       0x0000ffff, 0xfffe0300, 0xffff0300, 0x0000fffe, 0x7fc00000,
                                       0x7f800000, 0x80e42000, 0x00010000, 0x000000ff, 28};
    uint32_t at = below(s->count);
    if (below(2))
        s->words[at] ^= 1u << below(32);
    else
        s->words[at] = telling[below(15)];
    cut(s);
}

static void change(stream *s)
{
    static void (*const kinds[])(stream *) = {
        change_operand, change_operand, change_operand, change_operand, change_opcode,
        change_opcode,  swap_pieces,    copy_piece,     delete_piece,   splice,
        splice,         insert_made,    insert_made,    insert_made,    change_head,
        predicate,      change_version, change_word};
    if (s->pieces)
        kinds[below(sizeof kinds / sizeof *kinds)](s);
}

static size_t change_bytes(uint8_t *data, size_t size)
{
    for (uint32_t n = 1 + below(4); n && size; n--) {
        uint32_t at = below((uint32_t)size);
        switch (below(4)) {
        case 0: data[at] ^= (uint8_t)(1u << below(8)); break;
        case 1: data[at] = (uint8_t)below(256); break;
        case 2: data[at] = data[below((uint32_t)size)]; break;
        default: size = below(4) ? size : at; break;
        }
    }
    return size;
}

/* ---- one mutant ---- */

static struct {
    uint64_t all, checked, lifted, wgsl, spirv, listed, assembled, statuses[IRI_STATUS_COUNT];
} counts;
static uint64_t now_seed, now_number;
static const char *kept_folder; /* or NULL */
static bool no_write;
static mutant_counts executions;

static void report(int number)
{
    /* Not what a handler may do, but the process ends either way. */
    fprintf(stderr, "signal %d%s: make it again with --seed %llu --from %llu --count 1\n", number,
            number == SIGALRM ? " (a call does not end)" : "", (unsigned long long)now_seed,
            (unsigned long long)now_number);
    signal(number, SIG_DFL);
    raise(number == SIGALRM ? SIGABRT : number);
}

typedef struct checking {
    const uint8_t *data;
    size_t size;
    iri_arena arena;
} checking;

static void check(iri_ctx *ctx, void *argument)
{
    checking *job = argument;
    iri_d3d9_check(ctx, iri_d3d9_decode(ctx, &job->arena, job->data, job->size, 0));
}

/* Whether a stream passes decoding and the check, that is, reaches the lowering. */
static bool passes_check(const uint8_t *data, size_t size)
{
    iri_ctx ctx;
    iri_refusal why;
    checking job = {.data = data, .size = size};
    iri_ctx_init(&ctx, &counted, &fuzz_limits, &why);
    iri_arena_init(&job.arena, &ctx);
    bool passes = iri_protect(&ctx, check, &job) == IRI_OK;
    iri_arena_free(&job.arena);
    return passes;
}

/* State that decides how a program is read, sometimes other than Direct3D's. */
static iri_state random_state_of(iri_state_entry entries[4])
{
    static const struct {
        uint16_t id, count;
        uint8_t limit;
    } kinds[] = {{IRI_STATE_SHADOW_SAMPLER, 4, 2},    {IRI_STATE_TEXTURE_TYPE, 4, 5},
                 {IRI_STATE_TEXTURE_PROJECTED, 4, 5}, {IRI_STATE_ALPHA_FUNC, 1, 9},
                 {IRI_STATE_FOG_MODE, 1, 5},          {IRI_STATE_SHADE_FLAT, 1, 2},
                 {IRI_STATE_CLIP_PLANES, 1, 64}};
    iri_state state = {entries, below(2) ? 0 : below(5), below(16) != 0};
    for (uint32_t i = 0; i < state.count; i++) {
        uint32_t kind = below(7);
        entries[i] = (iri_state_entry){.id = kinds[kind].id,
                                       .index = (uint16_t)below(kinds[kind].count),
                                       .source = IRI_STATE_VALUE,
                                       .bits = {below(kinds[kind].limit)}};
    }
    return state;
}

/* A refusal blames the bytes or the target, and not a program that the library itself made. */
static void must_blame_input(iri_status status, const iri_refusal *why)
{
    must_refuse_well(status, why);
    if (iri_status_kind_of(status) == IRI_KIND_PROGRAM)
        fprintf(stderr, "%s: %s\n", iri_status_name(status), why->reason);
    MUST(iri_status_kind_of(status) != IRI_KIND_PROGRAM);
}

static void keep(const iri_text *out, const char *extension)
{
    if (!kept_folder)
        return;
    char path[1024];
    snprintf(path, sizeof path, "%s/%llu.%s", kept_folder, (unsigned long long)now_number,
             extension);
    FILE *file = fopen(path, "wb");
    MUST(file && fwrite(out->data, 1, out->size, file) == out->size && fclose(file) == 0);
}

static void write_all(const iri_program *program)
{
    iri_refusal why = {0};
    iri_text out = {0};
    iri_status status = iri_write_wgsl(
        program, IRI_WGSL_OPTIONS(.allocator = &counted, .limits = &fuzz_limits), &out, NULL, &why);
    if (status == IRI_OK) {
        counts.wgsl++;
        keep(&out, "wgsl");
    } else {
        must_blame_input(status, &why);
    }
    iri_text_free(&out);
    status =
        iri_write_spirv(program, IRI_SPIRV_OPTIONS(.allocator = &counted, .limits = &fuzz_limits),
                        &out, NULL, &why);
    if (status == IRI_OK) {
        counts.spirv++;
        keep(&out, "spv");
    } else {
        must_blame_input(status, &why);
    }
    iri_text_free(&out);
}

/* What assembles can be decoded, and only a comment may then say what makes no sense. */
static void assemble(const char *text, size_t size, iri_text *out)
{
    iri_refusal why = {0};
    iri_text listing = {0};
    const iri_limits *limits = &fuzz_limits;
    iri_status status = iri_assemble(
        text, size, IRI_ASSEMBLE_OPTIONS(.allocator = &counted, .limits = limits), out, &why);
    if (status != IRI_OK) {
        must_blame_input(status, &why);
        MUST(iri_status_kind_of(status) == IRI_KIND_RESOURCE || (why.line && why.column));
        return;
    }
    counts.assembled++;
    status = iri_disassemble(out->data, out->size,
                             IRI_DISASSEMBLE_OPTIONS(.allocator = &counted, .limits = limits),
                             &listing, &why);
    if (status != IRI_OK)
        must_blame_input(status, &why);
    MUST(status == IRI_OK || status == IRI_MALFORMED_TABLE || status == IRI_LIMIT_OUTPUT ||
         status == IRI_LIMIT_MEMORY);
    iri_text_free(&listing);
}

/* A few characters, words or lines of assembly changed, lost or said twice. */
static size_t change_text(char *text, size_t size, size_t capacity)
{
    static const char letters[] = "\n ,.+-_()[]!#/*0123456789xyzwrcvtsaLopdef\t\xff";
    for (uint32_t n = 1 + below(4); n && size; n--) {
        size_t at = below((uint32_t)size), length = 1 + below(below(4) ? 4 : 60);
        length = length < size - at ? length : size - at;
        switch (below(4)) {
        case 0: text[at] = letters[below(sizeof letters - 1)]; break;
        case 1: memmove(text + at, text + at + length, size - at - length), size -= length; break;
        case 2:
            if (size + length <= capacity) {
                memmove(text + at + length, text + at, size - at);
                size += length;
            }
            break;
        default: memcpy(text + at, text + below((uint32_t)(size - length + 1)), 1); break;
        }
    }
    return size;
}

/* The mutant's listing; what it assembles to has the same one (but for breakp, which listings show ambiguously, and
 * for a pixel shader's dcl whose reserved bits make it a dcl_position);
 * and a changed listing. */
static void list(const uint8_t *data, size_t size)
{
    static char changed[1 << 20];
    iri_refusal why = {0};
    iri_text text = {0}, tokens = {0}, again = {0}, more = {0};
    const iri_disassemble_options *options =
        IRI_DISASSEMBLE_OPTIONS(.allocator = &counted, .limits = &fuzz_limits,
                                .comments = below(2) != 0);
    iri_status status = iri_disassemble(data, size, options, &text, &why);
    bool decoded = status != IRI_MALFORMED_TOKEN && status != IRI_MALFORMED_TRUNCATED &&
                   status != IRI_UNKNOWN_FORMAT && status != IRI_UNSUPPORTED_VERSION;
    /* The walk that finds a program's end takes what is decoded, and nothing else. */
    if (size % 4 == 0 && status != IRI_LIMIT_INSTRUCTIONS && status != IRI_LIMIT_MEMORY)
        MUST(decoded == (iri_frame_size(data, size) != 0));
    if (status != IRI_OK) {
        must_blame_input(status, &why);
        MUST(why.offset == IRI_NO_OFFSET || why.offset <= size);
        return;
    }
    counts.listed++;
    assemble(text.data, text.size, &tokens);
    if (tokens.data && !strstr(text.data, "break") && !strstr(text.data, "dcl_position") &&
        iri_disassemble(tokens.data, tokens.size, options, &again, &why) == IRI_OK &&
        options->comments) {
        MUST(again.size == text.size && memcmp(again.data, text.data, text.size) == 0);
    }
    if (text.size < sizeof changed / 2) {
        memcpy(changed, text.data, text.size);
        assemble(changed, change_text(changed, text.size, sizeof changed), &more);
    }
    iri_text_free(&text);
    iri_text_free(&tokens);
    iri_text_free(&again);
    iri_text_free(&more);
}

static void run(const uint8_t *data, size_t size)
{
    iri_program *program = NULL, *raw = NULL;
    iri_refusal why = {0};
    iri_state_entry entries[4];
    iri_state state = random_state_of(entries);
    /* A buffer of exactly that size, so that the sanitizer sees a read past its end. */
    uint8_t *copy = malloc(size ? size : 1);
    MUST(copy);
    if (size)
        memcpy(copy, data, size);
    alarm(HANG_SECONDS);
    counts.all++;
    counts.checked += passes_check(copy, size);
    if (!no_write)
        list(copy, size);
    iri_lift_options options = {.size = sizeof options,
                                .allocator = &counted,
                                .limits = &fuzz_limits,
                                .format = IRI_FORMAT_D3D9,
                                .state = &state};
    options.uninitialized = below(4) != 0 ? IRI_UNINITIALIZED_ZERO : IRI_UNINITIALIZED_REFUSE;
    options.multiply = below(4) == 0 ? IRI_MULTIPLY_IEEE : IRI_MULTIPLY_ZERO_WINS;
    bool write_raw = below(8) == 0;
    iri_status status = iri_lift(copy, size, &options, &program, NULL, &why);
    if (status == IRI_OK) {
        MUST(program != NULL);
    } else {
        MUST(program == NULL);
        must_blame_input(status, &why);
        MUST(why.offset == IRI_NO_OFFSET || why.offset <= size);
    }
    options.raw = true;
    if (iri_lift(copy, size, &options, &raw, NULL, &why) != IRI_OK)
        MUST(program == NULL || iri_status_kind_of(why.status) == IRI_KIND_RESOURCE);
    free(copy); /* a program keeps nothing of its bytes */
    counts.statuses[status]++;
    counts.lifted += status == IRI_OK;
    if (raw)
        mutant_execute(raw, program, &state, now_number, &counted, &executions);
    const iri_program *written = write_raw && raw ? raw : program;
    if (written && !no_write) {
        write_all(written);
        if (below(8) == 0)
            must_hold(written);
    }
    iri_program_free(raw);
    iri_program_free(program);
    MUST(held == 0);
    alarm(0);
}

static void mutate(uint64_t seed, uint64_t number, const char *save)
{
    static stream s;
    static uint8_t data[WORDS_MAX * 4];
    random_state = seed * UINT64_C(0xd1342543de82ef95) + number * UINT64_C(0x2545f4914f6cdd1d);
    now_number = number;
    load(&s, &shaders[below(shader_count)]);
    bool plain = below(8) == 0;
    for (uint32_t n = plain ? 0 : 1 + below(1 + below(CHANGES_MAX)); n; n--)
        change(&s);
    size_t size = (size_t)s.count * 4;
    for (uint32_t i = 0; i < size; i++)
        data[i] = (uint8_t)(s.words[i / 4] >> 8 * (i % 4));
    if (plain)
        size = change_bytes(data, size);
    if (save) {
        FILE *file = fopen(save, "wb");
        MUST(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    }
    run(data, size);
}

/* ---- the shaders that are changed ---- */

static void read_shader(const char *path)
{
    static uint8_t data[WORDS_MAX * 4];
    FILE *file = fopen(path, "rb");
    if (!file || shader_count == SHADERS_MAX) {
        fprintf(stderr, "cannot take %s\n", path);
        exit(1);
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    if (size < 8 || size == sizeof data)
        return;
    shader *s = &shaders[shader_count++];
    s->count = (uint32_t)(size / 4);
    s->words = malloc(size);
    MUST(s->words);
    for (uint32_t i = 0; i < s->count; i++)
        s->words[i] = (uint32_t)data[i * 4] | (uint32_t)data[i * 4 + 1] << 8 |
                      (uint32_t)data[i * 4 + 2] << 16 | (uint32_t)data[i * 4 + 3] << 24;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Files in the order of names: the file system's own differs between machines. */
static void read_path(const char *path)
{
    char **names = NULL;
    size_t count = 0;
    DIR *dir = opendir(path);
    if (!dir) {
        read_shader(path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        size_t size = strlen(path) + strlen(entry->d_name) + 2;
        names = realloc(names, (count + 1) * sizeof *names);
        MUST(names && (names[count] = malloc(size)));
        snprintf(names[count++], size, "%s/%s", path, entry->d_name);
    }
    closedir(dir);
    if (count)
        qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        read_path(names[i]);
        free(names[i]);
    }
    free(names);
}

int main(int argument_count, char **arguments)
{
    uint64_t count = SHORT_RUN, from = 0;
    const char *save = NULL;
    bool refusals = false;
    now_seed = 1;
    for (int i = 1; i < argument_count; i++) {
        const char *word = arguments[i], *next = i + 1 < argument_count ? arguments[i + 1] : "0";
        if (!strcmp(word, "--refusals")) {
            refusals = true;
        } else if (!strcmp(word, "--no-write")) {
            no_write = true;
        } else if (word[0] == '-') {
            if (!strcmp(word, "--count"))
                count = strtoull(next, NULL, 0);
            else if (!strcmp(word, "--seed"))
                now_seed = strtoull(next, NULL, 0);
            else if (!strcmp(word, "--from"))
                from = strtoull(next, NULL, 0);
            else if (!strcmp(word, "--save"))
                save = next;
            else if (!strcmp(word, "--keep"))
                kept_folder = next;
            else
                return fprintf(stderr, "there is no %s\n", word), 2;
            i++;
        } else {
            read_path(word);
        }
    }
    if (!shader_count)
        read_path("tests/fixtures/d3d9");
    const int signals[] = {SIGABRT, SIGALRM, SIGSEGV, SIGFPE, SIGBUS, SIGILL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], report);
    for (uint64_t i = 0; i < count && shader_count; i++)
        mutate(now_seed, from + i, save);
    printf("%u shaders, %llu mutants: %llu pass the check, %llu lift, %llu become WGSL, "
           "%llu SPIR-V, %llu listings, %llu assembled; at most %zu bytes held\n",
           shader_count, (unsigned long long)counts.all, (unsigned long long)counts.checked,
           (unsigned long long)counts.lifted, (unsigned long long)counts.wgsl,
           (unsigned long long)counts.spirv, (unsigned long long)counts.listed,
           (unsigned long long)counts.assembled, most_held);
    printf(
        "%llu executed, %llu stopped at a limit, %llu the same as read and as lifted; %.1f %% of the "
        "outputs' lanes vary\n",
        (unsigned long long)executions.executed, (unsigned long long)executions.limited,
        (unsigned long long)executions.compared,
        executions.lanes ? 100.0 * (double)executions.varying / (double)executions.lanes : 0.0);
    for (uint32_t i = 0; refusals && i < IRI_STATUS_COUNT; i++)
        if (counts.statuses[i])
            printf("  %llu %s\n", (unsigned long long)counts.statuses[i],
                   iri_status_name((iri_status)i));
    for (uint32_t i = 0; i < shader_count; i++)
        free(shaders[i].words);
    printf("%u passed, 0 failed, %u skipped\n", shader_count != 0, shader_count == 0);
    return 0;
}
