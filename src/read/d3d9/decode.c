/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Direct3D 8 and 9 token streams to records, in one pass over the words. Facts: d3d9types.h and the
 * token pages of Microsoft's driver documentation (docs/formats/d3d9.md).
 *
 * SM1 tokens have no length: the table says how many parameters follow, and what has bit 31 set is
 * a parameter. From SM2 on bits 24-27 give the words that follow, and the table must agree with
 * them.
 */
#include "read/d3d9/decode.h"

#define NO_OP 0xffu
#define OPCODE_SLOTS 97u /* opcodes 0 .. 96; phase (0xfffd) is outside */
#define PARAMETER_BIT 0x80000000u
#define RELATIVE_BIT 0x2000u
#define PREDICATED_BIT 0x10000000u
#define COISSUE_BIT 0x40000000u

enum { OPCODE_PHASE = 0xfffd, OPCODE_COMMENT = 0xfffe, OPCODE_END = 0xffff };

typedef IRI_VEC(iri_d3d9_instruction) instruction_vec;
typedef IRI_VEC(iri_d3d9_operand) operand_vec;
typedef IRI_VEC(iri_d3d9_comment) comment_vec;
typedef IRI_VEC(uint32_t) word_vec;

/* A row's operand letters, counted. */
typedef struct layout {
    uint8_t words;             /* fewest words after the token */
    uint8_t parameters;        /* parameters among them */
    uint8_t leading, trailing; /* literal words before and after the parameters */
    bool has_dst, known;
} layout;

typedef struct decoder {
    iri_ctx *ctx;
    iri_arena *arena;
    iri_d3d9_shader *shader;
    const uint8_t *data;
    uint32_t at, count;         /* in words */
    uint8_t rows[OPCODE_SLOTS]; /* opcode to iri_d3d9_op */
    bool shared[OPCODE_SLOTS];  /* whether several rows have the opcode */
    uint8_t banks[32];          /* register type to bank; rastout and misctype apart */
    layout layouts[IRI_D3D9_OP_COUNT];
    instruction_vec instructions;
    operand_vec parameters;
    comment_vec comments;
    word_vec literals;
} decoder;

static uint32_t load_word(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t offset_of(const decoder *d, uint32_t word)
{
    return d->shader->base + word * 4;
}

static _Noreturn void fail_cut(const decoder *d, uint32_t begin)
{
    iri_fail(d->ctx, IRI_MALFORMED_TRUNCATED, offset_of(d, d->count),
             "the bytes end inside the instruction at 0x%x", offset_of(d, begin));
}

/* The next word of an instruction that begins at word `begin`. */
static inline uint32_t next_word(decoder *d, uint32_t begin)
{
    if (d->at >= d->count)
        fail_cut(d, begin);
    return load_word(d->data + (size_t)4 * d->at++);
}

static uint32_t type_of(uint32_t token)
{
    return (token >> 28 & 7u) | (token >> 8 & 0x18u);
}

/* The bank and flat number of a parameter token. */
static inline void place_register(const decoder *d, uint32_t token, uint8_t *bank, uint16_t *number)
{
    static const uint16_t first[32] = {[IRI_D3D9_TYPE_CONST2] = 2048,
                                       [IRI_D3D9_TYPE_CONST3] = 4096,
                                       [IRI_D3D9_TYPE_CONST4] = 6144};
    uint32_t type = type_of(token), n = token & 0x7ffu;
    *bank = d->banks[type];
    *number = (uint16_t)(n + first[type]);
    if (*bank != IRI_D3D9_BANK_OPOS && *bank != IRI_D3D9_BANK_VPOS)
        return;
    /* Types whose number says which register it is. */
    if (n < (*bank == IRI_D3D9_BANK_OPOS ? 3u : 2u)) {
        *bank = (uint8_t)(*bank + n);
        *number = 0;
    } else {
        *bank = IRI_D3D9_BANK_NONE;
    }
}

static inline void unpack_swizzle(uint8_t swizzle[4], uint32_t token)
{
    swizzle[0] = token >> 16 & 3u;
    swizzle[1] = token >> 18 & 3u;
    swizzle[2] = token >> 20 & 3u;
    swizzle[3] = token >> 22 & 3u;
}

static void read_relative(decoder *d, iri_d3d9_operand *o, uint32_t begin)
{
    if (d->shader->major < 2) {
        o->relative = IRI_D3D9_RELATIVE_IMPLICIT;
        o->relative_bank = IRI_D3D9_BANK_A;
        return;
    }
    o->relative = IRI_D3D9_RELATIVE_TOKEN;
    o->relative_offset = offset_of(d, d->at);
    o->relative_token = next_word(d, begin);
    if (!(o->relative_token & PARAMETER_BIT))
        iri_fail(d->ctx, IRI_MALFORMED_TOKEN, o->relative_offset,
                 "0x%08x stands where the index register's token must", o->relative_token);
    place_register(d, o->relative_token, &o->relative_bank, &o->relative_number);
    unpack_swizzle(o->relative_swizzle, o->relative_token);
}

static inline void read_parameter(decoder *d, iri_d3d9_operand *o, bool is_dst, uint32_t begin)
{
    uint32_t offset = offset_of(d, d->at), token = next_word(d, begin);
    if (!(token & PARAMETER_BIT))
        iri_fail(d->ctx, IRI_MALFORMED_TOKEN, offset,
                 "0x%08x stands where a parameter token (bit 31 set) must", token);
    *o = (iri_d3d9_operand){.token = token, .offset = offset, .is_dst = is_dst};
    o->type = (uint8_t)type_of(token);
    place_register(d, token, &o->bank, &o->number);
    if (is_dst) {
        o->mask = token >> 16 & 0xfu;
        o->modifiers = token >> 20 & 0xfu;
        o->shift = (int8_t)(((int)(token >> 24 & 0xfu) ^ 8) - 8);
    } else {
        unpack_swizzle(o->swizzle, token);
        o->modifier = token >> 24 & 0xfu;
    }
    if (token & RELATIVE_BIT)
        read_relative(d, o, begin);
}

/* Few of the rows occur in a shader, so that each is counted when it is met. */
static const layout *layout_of(decoder *d, uint32_t op)
{
    layout *l = &d->layouts[op];
    if (l->known)
        return l;
    l->known = true;
    for (const char *kind = iri_d3d9_ops[op].operands; *kind; kind++) {
        if (*kind == 'U')
            l->leading = 1;
        else if (*kind == 'F' || *kind == 'I' || *kind == 'B')
            l->trailing = *kind == 'B' ? 1 : 4;
        else
            l->parameters++;
        l->has_dst |= *kind == 'd' || *kind == 'k';
    }
    l->words = (uint8_t)(l->leading + l->parameters + l->trailing);
    return l;
}

static void read_literals(decoder *d, iri_d3d9_instruction *in, uint32_t count, uint32_t begin)
{
    in->literal = d->literals.count;
    iri_reserve(d->arena, &d->literals, count);
    for (uint32_t i = 0; i < count; i++)
        d->literals.at[d->literals.count++] = next_word(d, begin);
}

/* Operands in the order of the table: a usage word, a destination, the predicate, sources,
 * literals, of which an instruction has some. The predicate's record goes behind all others. */
static void read_operands(decoder *d, iri_d3d9_instruction *in, bool predicated, uint32_t begin)
{
    const layout *l = layout_of(d, in->op);
    in->first = d->parameters.count;
    in->count = l->parameters;
    in->literal = in->predicate = IRI_D3D9_NONE;
    iri_reserve(d->arena, &d->parameters, in->count + 1u);
    iri_d3d9_operand *o = &d->parameters.at[in->first], *end = o + in->count;
    d->parameters.count += in->count + (uint32_t)predicated;
    if (l->leading)
        read_literals(d, in, l->leading, begin);
    if (l->has_dst)
        read_parameter(d, o++, true, begin);
    if (predicated) {
        in->predicate = in->first + in->count;
        read_parameter(d, end, false, begin);
    }
    while (o < end)
        read_parameter(d, o++, false, begin);
    if (l->trailing)
        read_literals(d, in, l->trailing, begin);
}

static _Noreturn void fail_length(const decoder *d, uint32_t begin, uint32_t op, uint32_t length,
                                  uint32_t read)
{
    iri_fail(d->ctx, IRI_MALFORMED_TOKEN, offset_of(d, begin),
             "%s is said to have %u words, its operands take %s%u", iri_d3d9_ops[op].name, length,
             read > length ? "at least " : "", read);
}

static void read_instruction(decoder *d, uint32_t token, uint32_t begin)
{
    uint32_t opcode = token & 0xffffu;
    uint32_t op = opcode < OPCODE_SLOTS    ? d->rows[opcode]
                  : opcode == OPCODE_PHASE ? (uint32_t)IRI_D3D9_OP_PHASE
                                           : NO_OP;
    if (op == NO_OP || token & 0x80000000u)
        iri_fail(d->ctx, IRI_MALFORMED_TOKEN, offset_of(d, begin),
                 "0x%08x is no instruction token%s", token,
                 token & 0x80000000u ? ": bit 31 is set" : "");
    bool predicated = d->shader->major >= 2 && token & PREDICATED_BIT;
    uint32_t length = token >> 24 & 0xfu;
    const layout *l = layout_of(d, op);
    uint32_t least = l->words + (uint32_t)predicated;
    bool outside = length < least || length > least + l->parameters;
    if (d->shader->major >= 2 && (outside || d->shared[opcode % OPCODE_SLOTS])) {
        if (length > d->count - d->at)
            fail_cut(d, begin);
        uint32_t fits =
            iri_d3d9_fitting_row(d->data, d->at, length, token, (iri_d3d9_model)d->shader->model);
        if (fits != IRI_D3D9_OP_COUNT)
            op = fits;
        else if (outside)
            fail_length(d, begin, op, length, least);
    }
    iri_reserve(d->arena, &d->instructions, 1);
    iri_d3d9_instruction *in = &d->instructions.at[d->instructions.count++];
    *in = (iri_d3d9_instruction){.token = token,
                                 .offset = offset_of(d, begin),
                                 .opcode = (uint16_t)opcode,
                                 .op = (uint8_t)op,
                                 .control = token >> 16 & 0xffu,
                                 .coissue = (token & COISSUE_BIT) != 0};
    read_operands(d, in, predicated, begin);
    in->length = (uint8_t)(d->at - begin - 1);
    if (d->shader->major >= 2 && in->length != length)
        fail_length(d, begin, op, length, in->length);
}

static void read_comment(decoder *d, uint32_t token, uint32_t begin)
{
    uint32_t words = token >> 16 & 0x7fffu;
    if (token & 0x80000000u)
        iri_fail(d->ctx, IRI_MALFORMED_TOKEN, offset_of(d, begin),
                 "0x%08x is no comment token: bit 31 is set", token);
    if (words > d->count - d->at)
        iri_fail(d->ctx, IRI_MALFORMED_TRUNCATED, offset_of(d, d->count),
                 "the bytes end inside the comment of %u words at 0x%x", words,
                 offset_of(d, begin));
    iri_d3d9_comment comment = {.offset = offset_of(d, begin),
                                .tag = words ? load_word(d->data + (size_t)4 * d->at) : 0,
                                .size = words * 4,
                                .before = d->instructions.count};
    iri_push(d->arena, &d->comments, comment);
    d->at += words;
}

/* Makes room for what the length fields promise, so that arrays do not move while they grow. */
static void reserve_records(decoder *d)
{
    uint32_t instructions = 0, words = 0, at = 1;
    while (at < d->count) {
        uint32_t token = load_word(d->data + (size_t)4 * at), opcode = token & 0xffffu;
        uint32_t length = d->shader->major < 2 ? 1 : token >> 24 & 0xfu;
        if (token == OPCODE_END)
            break;
        if (opcode == OPCODE_COMMENT) {
            at += 1 + (token >> 16 & 0x7fffu);
            continue;
        }
        instructions++;
        words += length;
        at += 1 + length;
    }
    /* One more: a predicate's place is reserved before it is known to be there. */
    iri_reserve(d->arena, &d->instructions, instructions);
    iri_reserve(d->arena, &d->parameters, words + 1);
}

/* Up to the end token; leaves d->at behind it. */
static void read_stream(decoder *d)
{
    for (;;) {
        uint32_t begin = d->at;
        if (begin >= d->count)
            iri_fail(d->ctx, IRI_MALFORMED_TRUNCATED, offset_of(d, d->count),
                     "the bytes end without an end token (0x0000ffff)");
        uint32_t token = load_word(d->data + (size_t)4 * d->at++);
        if (token == OPCODE_END)
            return;
        if ((token & 0xffffu) == OPCODE_COMMENT) {
            read_comment(d, token, begin);
            continue;
        }
        if (d->instructions.count >= d->ctx->limits.instructions)
            iri_fail(d->ctx, IRI_LIMIT_INSTRUCTIONS, offset_of(d, begin),
                     "more than %u instructions", d->ctx->limits.instructions);
        read_instruction(d, token, begin);
    }
}

static void fill_banks(decoder *d)
{
    static const uint8_t common[32] = {[IRI_D3D9_TYPE_TEMP] = IRI_D3D9_BANK_R,
                                       [IRI_D3D9_TYPE_INPUT] = IRI_D3D9_BANK_V,
                                       [IRI_D3D9_TYPE_CONST] = IRI_D3D9_BANK_C,
                                       [IRI_D3D9_TYPE_ADDR] = IRI_D3D9_BANK_A,
                                       [IRI_D3D9_TYPE_RASTOUT] = IRI_D3D9_BANK_OPOS,
                                       [IRI_D3D9_TYPE_ATTROUT] = IRI_D3D9_BANK_OD,
                                       [IRI_D3D9_TYPE_TEXCRDOUT] = IRI_D3D9_BANK_OT,
                                       [IRI_D3D9_TYPE_CONSTINT] = IRI_D3D9_BANK_I,
                                       [IRI_D3D9_TYPE_COLOROUT] = IRI_D3D9_BANK_OC,
                                       [IRI_D3D9_TYPE_DEPTHOUT] = IRI_D3D9_BANK_ODEPTH,
                                       [IRI_D3D9_TYPE_SAMPLER] = IRI_D3D9_BANK_S,
                                       [IRI_D3D9_TYPE_CONST2] = IRI_D3D9_BANK_C,
                                       [IRI_D3D9_TYPE_CONST3] = IRI_D3D9_BANK_C,
                                       [IRI_D3D9_TYPE_CONST4] = IRI_D3D9_BANK_C,
                                       [IRI_D3D9_TYPE_CONSTBOOL] = IRI_D3D9_BANK_B,
                                       [IRI_D3D9_TYPE_LOOP] = IRI_D3D9_BANK_AL,
                                       [IRI_D3D9_TYPE_TEMPFLOAT16] = IRI_D3D9_BANK_NONE,
                                       [IRI_D3D9_TYPE_MISCTYPE] = IRI_D3D9_BANK_VPOS,
                                       [IRI_D3D9_TYPE_LABEL] = IRI_D3D9_BANK_L,
                                       [IRI_D3D9_TYPE_PREDICATE] = IRI_D3D9_BANK_P};
    memcpy(d->banks, common, sizeof common);
    if (d->shader->stage == IRI_D3D9_PIXEL)
        d->banks[IRI_D3D9_TYPE_ADDR] = IRI_D3D9_BANK_T;
    else if (d->shader->major == 3)
        d->banks[IRI_D3D9_TYPE_TEXCRDOUT] = IRI_D3D9_BANK_O;
}

static void fill_rows(decoder *d)
{
    memset(d->rows, NO_OP, sizeof d->rows);
    for (uint32_t op = 0; op < IRI_D3D9_OP_COUNT; op++) {
        uint32_t number = iri_d3d9_ops[op].number;
        if (number >= OPCODE_SLOTS)
            continue;
        uint8_t *slot = &d->rows[number];
        d->shared[number] |= *slot != NO_OP;
        if (*slot == NO_OP || (!iri_d3d9_model_has_op(d->shader->model, *slot) &&
                               iri_d3d9_model_has_op(d->shader->model, op)))
            *slot = (uint8_t)op;
    }
}

/* Which model the first word names, or why there is none. */
static iri_d3d9_model find_model(iri_ctx *ctx, uint32_t version, uint32_t base)
{
    for (uint32_t model = 0; model < IRI_D3D9_MODEL_COUNT; model++)
        if (iri_d3d9_models[model].version == version)
            return (iri_d3d9_model)model;
    uint32_t kind = version >> 16, swapped = version & 0xffffu;
    if (kind == 0xfffe || kind == 0xffff)
        iri_fail(ctx, IRI_UNSUPPORTED_VERSION, base,
                 "%s shader model %u.%u does not exist in Direct3D 9",
                 kind == 0xffff ? "pixel" : "vertex", version >> 8 & 0xffu, version & 0xffu);
    if ((swapped == 0xfeff || swapped == 0xffff) && kind != 0)
        iri_fail(ctx, IRI_UNKNOWN_FORMAT, base,
                 "the version word 0x%08x is that of a big-endian token stream, which is not read",
                 version);
    iri_fail(ctx, IRI_UNKNOWN_FORMAT, base, "0x%08x is no Direct3D 9 version word", version);
}

const iri_d3d9_shader *iri_d3d9_decode(iri_ctx *ctx, iri_arena *arena, const void *data,
                                       size_t size, uint32_t base)
{
    ctx->format = "d3d9";
    ctx->unit = NULL;
    if (size > UINT32_MAX - base - 8u || base > UINT32_MAX - 8u)
        iri_fail(ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET, "input above 4 GiB");
    if (size < 4)
        iri_fail(ctx, IRI_MALFORMED_TRUNCATED, base + (uint32_t)size,
                 "the bytes end inside the version word");
    iri_d3d9_model model = find_model(ctx, load_word(data), base);
    ctx->unit = iri_d3d9_models[model].name;
    if (size % 4 != 0)
        iri_fail(ctx, IRI_MALFORMED_TRUNCATED, base + (uint32_t)size,
                 "%zu bytes are no whole number of 4-byte words", size);

    iri_d3d9_shader *shader = iri_new(arena, iri_d3d9_shader);
    *shader = (iri_d3d9_shader){.data = data,
                                .base = base,
                                .version = iri_d3d9_models[model].version,
                                .model = (uint8_t)model,
                                .stage = iri_d3d9_models[model].stage,
                                .target = iri_d3d9_models[model].name};
    shader->major = shader->version >> 8 & 0xffu;
    shader->minor = shader->version & 0xffu;
    decoder d = {.ctx = ctx,
                 .arena = arena,
                 .shader = shader,
                 .data = data,
                 .at = 1,
                 .count = (uint32_t)(size / 4)};
    fill_banks(&d);
    fill_rows(&d);
    reserve_records(&d);
    read_stream(&d);

    shader->size = d.at * 4;
    shader->trailing = (uint32_t)size - shader->size;
    shader->instructions = d.instructions.at;
    shader->instruction_count = d.instructions.count;
    shader->operands = d.parameters.at;
    shader->operand_count = d.parameters.count;
    shader->literals = d.literals.at;
    shader->literal_count = d.literals.count;
    shader->comments = d.comments.at;
    shader->comment_count = d.comments.count;
    return shader;
}
