/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parses what stands above the functions: provenance, conventions, inputs, outputs, resources, states,
 * notes.
 */
#include "ir/parse.h"

/* "word 12" */
static bool accept_number(iri_parser *ps, const char *word, uint32_t most, uint32_t *out)
{
    if (!iri_accept_word(ps, word))
        return false;
    *out = iri_take_number(ps, most);
    return true;
}

static bool accept_u8(iri_parser *ps, const char *word, uint8_t *out)
{
    uint32_t value = *out;
    bool is = accept_number(ps, word, UINT8_MAX, &value);
    *out = (uint8_t)value;
    return is;
}

static bool accept_flag(iri_parser *ps, const char *word, uint32_t flag, uint32_t *flags)
{
    bool is = iri_accept_word(ps, word);
    *flags |= is ? flag : 0;
    return is;
}

/* ---- the program ---- */

static void parse_sha256(iri_parser *ps, uint8_t digest[32])
{
    const iri_token *token = &ps->token;
    bool good =
        token->size == 64 && (token->kind == IRI_TOKEN_WORD || token->kind == IRI_TOKEN_NUMBER);
    for (uint32_t i = 0; good && i < 64; i++) {
        const char *digits = "0123456789abcdef", *digit = strchr(digits, token->at[i]);
        good = digit && *digit;
        if (good)
            digest[i / 2] = (uint8_t)(digest[i / 2] << 4 | (uint8_t)(digit - digits));
    }
    if (!good)
        iri_parse_fail(ps, token, "64 hexadecimal digits expected");
    iri_next(ps);
}

static void parse_source(iri_parser *ps)
{
    iri_provenance from = {"", "", "", "", 0, false, {0}, 0, ""};
    for (;;) {
        if (iri_accept_word(ps, "format")) {
            from.format = iri_take_string(ps);
        } else if (iri_accept_word(ps, "target")) {
            from.target = iri_take_string(ps);
        } else if (iri_accept_word(ps, "creator")) {
            from.creator = iri_take_string(ps);
        } else if (iri_accept_word(ps, "lifter")) {
            from.lifter = iri_take_string(ps);
        } else if (iri_accept_word(ps, "policies")) {
            from.policies = iri_take_string(ps);
        } else if (iri_accept_word(ps, "sha256")) {
            from.has_hash = true;
            parse_sha256(ps, from.sha256);
        } else if (!accept_number(ps, "version", UINT32_MAX, &from.lifter_version) &&
                   !accept_number(ps, "instructions", UINT32_MAX, &from.instruction_count)) {
            break;
        }
    }
    iri_set_provenance(ps->b, &from);
}

static void parse_conventions(iri_parser *ps)
{
    iri_conventions c = {0};
    for (;;) {
        if (iri_accept_word(ps, "clip_depth"))
            c.clip_depth = (uint8_t)iri_take_word(ps, IRI_WORDS_CLIP_DEPTH, "a depth range");
        else if (iri_accept_word(ps, "fragment_origin"))
            c.fragment_origin = (uint8_t)iri_take_word(ps, IRI_WORDS_ORIGIN, "an origin");
        else if (iri_accept_word(ps, "pixel_centre"))
            c.pixel_centre = (uint8_t)iri_take_word(ps, IRI_WORDS_PIXEL_CENTRE, "a pixel centre");
        else if (iri_accept_word(ps, "texture_origin"))
            c.texture_origin = (uint8_t)iri_take_word(ps, IRI_WORDS_ORIGIN, "an origin");
        else
            break;
    }
    iri_builder_program(ps->b)->conventions = c;
}

static void parse_float(iri_parser *ps)
{
    static const char *const widths[] = {"f16", "f32", "f64"};
    iri_float_env env = {0};
    for (uint32_t i = 0; i < 3; i++)
        if (iri_accept_word(ps, widths[i])) {
            env.denormals[i] =
                (uint8_t)iri_take_word(ps, IRI_WORDS_DENORMALS, "how denormals are taken");
            env.rounding[i] = (uint8_t)iri_take_word(ps, IRI_WORDS_ROUNDING, "how rounding goes");
        }
    env.contract = iri_accept_word(ps, "contract");
    env.reassociate = iri_accept_word(ps, "reassociate");
    iri_builder_program(ps->b)->float_env = env;
}

static void parse_facts(iri_parser *ps)
{
    iri_stage_facts f = {0};
    for (;;) {
        if (iri_accept_word(ps, "workgroup")) {
            for (uint32_t i = 0; i < 3; i++)
                f.workgroup[i] = iri_take_number(ps, UINT32_MAX);
        } else if (!accept_u8(ps, "depth_mode", &f.depth_mode) &&
                   !accept_u8(ps, "early_depth", &f.early_depth) &&
                   !accept_u8(ps, "clip_count", &f.clip_count) &&
                   !accept_u8(ps, "cull_count", &f.cull_count) &&
                   !accept_u8(ps, "tessellator_domain", &f.tessellator_domain) &&
                   !accept_u8(ps, "partitioning", &f.partitioning) &&
                   !accept_u8(ps, "output_topology", &f.output_topology) &&
                   !accept_u8(ps, "input_primitive", &f.input_primitive) &&
                   !accept_u8(ps, "output_primitive_topology", &f.output_primitive_topology) &&
                   !accept_number(ps, "input_points", UINT32_MAX, &f.input_points) &&
                   !accept_number(ps, "output_points", UINT32_MAX, &f.output_points) &&
                   !accept_number(ps, "max_vertices", UINT32_MAX, &f.max_vertices) &&
                   !accept_number(ps, "instances", UINT32_MAX, &f.instances)) {
            break;
        }
    }
    iri_builder_program(ps->b)->interface.facts = f;
}

static void parse_program_line(iri_parser *ps)
{
    iri_builder_program(ps->b)->stage = (iri_stage)iri_take_word(ps, IRI_WORDS_STAGE, "a stage");
    ps->has_program = true;
    if (iri_accept_word(ps, "entry"))
        ps->entry = ps->functions.at[iri_take_function(ps)].id;
}

/* ---- inputs and outputs ---- */

/* A word that ends in digits: the length before them; `number` gets them, unless there are none. */
static uint32_t split_digits(iri_parser *ps, const iri_token *token, uint32_t most,
                             uint32_t *number)
{
    uint32_t size = token->size;
    uint64_t value = 0;
    while (size && token->at[size - 1] >= '0' && token->at[size - 1] <= '9')
        size--;
    if (size == token->size)
        return size;
    bool good = token->size - size <= 10 && (token->at[size] != '0' || token->size - size == 1);
    for (uint32_t i = size; good && i < token->size; i++)
        value = value * 10 + (uint64_t)(token->at[i] - '0');
    if (!good || value > most)
        iri_parse_fail(ps, token, "'%.*s' does not end in a number up to %lu",
                       (int)(token->size < 40 ? token->size : 40), token->at, (unsigned long)most);
    *number = (uint32_t)value;
    return size;
}

static void parse_semantic(iri_parser *ps, iri_io *io)
{
    iri_token token = ps->token;
    if (token.kind == IRI_TOKEN_STRING) {
        io->name = iri_take_string(ps);
        io->index = iri_take_number(ps, UINT32_MAX);
        return;
    }
    iri_take_name(ps);
    uint32_t size = split_digits(ps, &token, UINT32_MAX, &io->index);
    io->name = iri_arena_copy_text(ps->scratch, token.at, size);
}

/* "@v0.xy": the bank's word, the number, the lanes. */
static void parse_register(iri_parser *ps, iri_io *io)
{
    uint32_t number = 0, bank = IRI_BANK_NONE;
    if (ps->token.kind == IRI_TOKEN_NUMBER) {
        number = iri_take_number(ps, UINT16_MAX);
    } else {
        iri_token token = ps->token;
        if (token.kind != IRI_TOKEN_WORD)
            iri_parse_fail(ps, &token, "a register such as v0 expected");
        uint32_t size = split_digits(ps, &token, UINT16_MAX, &number);
        if (!iri_word_value(IRI_WORDS_BANK, token.at, size, &bank) || bank == IRI_BANK_NONE)
            iri_parse_fail(ps, &token, "'%.*s' is no register",
                           (int)(token.size < 40 ? token.size : 40), token.at);
        iri_next(ps);
    }
    io->bank = (uint8_t)bank;
    io->reg = (uint16_t)number;
    if (!iri_is_mark(ps, '.'))
        return;
    if (ps->end - ps->at >= 4 && !memcmp(ps->at, "none", 4)) {
        iri_next(ps);
        iri_expect_word(ps, "none");
        io->lanes = 0;
    } else {
        io->lanes = (uint8_t)iri_lanes_to_bits(iri_take_lanes(ps));
    }
}

static void parse_io(iri_parser *ps, bool output)
{
    iri_io io = {.offset = IRI_NO_OFFSET};
    uint32_t flags = 0;
    parse_semantic(ps, &io);
    iri_expect_mark(ps, ':');
    io.type = iri_take_type(ps);
    io.lanes = (uint8_t)((1u << IRI_TYPE_LANES(io.type)) - 1);
    if (iri_accept_mark(ps, '@'))
        parse_register(ps, &io);
    io.used = io.lanes;
    for (;;) {
        uint32_t word;
        if (iri_accept_word(ps, "sv")) {
            io.system_value = (uint8_t)iri_take_word(ps, IRI_WORDS_SYSTEM_VALUE, "a system value");
        } else if (iri_accept_word(ps, "used")) {
            io.used = (uint8_t)iri_lanes_to_bits(iri_take_lanes(ps));
        } else if (iri_accept_word(ps, "unused")) {
            io.used = 0;
        } else if (ps->token.kind == IRI_TOKEN_WORD &&
                   iri_word_value(IRI_WORDS_INTERPOLATION, ps->token.at, ps->token.size, &word)) {
            io.interpolation = (uint8_t)word;
            iri_next(ps);
        } else if (accept_number(ps, "flags", UINT8_MAX, &word)) {
            flags |= word;
        } else if (!accept_u8(ps, "stream", &io.stream) &&
                   !accept_flag(ps, "implicit", IRI_IO_IMPLICIT, &flags) &&
                   !accept_flag(ps, "generated", IRI_IO_GENERATED, &flags) &&
                   !accept_number(ps, "offset", UINT32_MAX, &io.offset)) {
            break;
        }
    }
    io.flags = (uint8_t)flags;
    if (output)
        iri_add_output(ps->b, &io);
    else
        iri_add_input(ps->b, &io);
}

/* ---- resources ---- */

typedef IRI_VEC(iri_member) members;

static void parse_members(iri_parser *ps, const iri_member **out, uint32_t *count, uint32_t depth);

static const char *const matrix_scalars[IRI_SCALAR_COUNT] = {
    "void", "bool",  "int16_t", "uint16_t", "float16_t", "int",
    "uint", "float", "int64_t", "uint64_t", "double",
};

/* "float4x3": the word, R, x, C. */
static bool parse_matrix(iri_parser *ps, iri_member *m)
{
    const iri_token *token = &ps->token;
    for (uint32_t scalar = 0; scalar < IRI_SCALAR_COUNT; scalar++) {
        size_t size = strlen(matrix_scalars[scalar]);
        uint32_t dimensions[2] = {0, 0}, which = 0, i = (uint32_t)size;
        if (token->size < size + 3 || memcmp(token->at, matrix_scalars[scalar], size))
            continue;
        for (; i < token->size && which < 2; i++) {
            char c = token->at[i];
            if (c >= '0' && c <= '9' && dimensions[which] < 26)
                dimensions[which] = dimensions[which] * 10 + (uint32_t)(c - '0');
            else if (c == 'x')
                which++;
            else
                break;
        }
        if (i < token->size || which != 1 || dimensions[0] > 255 || dimensions[1] > 255)
            continue;
        m->scalar = (uint8_t)scalar;
        m->rows = (uint8_t)dimensions[0];
        m->columns = (uint8_t)dimensions[1];
        return true;
    }
    return false;
}

static void parse_member_type(iri_parser *ps, iri_member *m)
{
    iri_token token = ps->token;
    uint32_t columns = 0;
    if (iri_accept_word(ps, "struct")) {
        m->member_class = IRI_MEMBER_STRUCT;
    } else if (token.kind == IRI_TOKEN_WORD && token.size > 3 && !memcmp(token.at, "vec", 3) &&
               split_digits(ps, &token, UINT8_MAX, &columns) == 3) {
        iri_next(ps);
        iri_expect_mark(ps, '<');
        m->member_class = IRI_MEMBER_VECTOR;
        m->scalar = (uint8_t)iri_take_word(ps, IRI_WORDS_SCALAR, "a scalar type");
        m->rows = 1;
        m->columns = (uint8_t)columns;
        iri_expect_mark(ps, '>');
    } else if (token.kind == IRI_TOKEN_WORD && parse_matrix(ps, m)) {
        iri_next(ps);
        m->member_class = IRI_MEMBER_MATRIX_COLUMNS;
    } else {
        m->member_class = IRI_MEMBER_SCALAR;
        m->scalar = (uint8_t)iri_take_word(ps, IRI_WORDS_SCALAR, "a member's type");
        m->rows = m->columns = 1;
    }
    if (iri_accept_mark(ps, '[')) {
        m->elements = iri_take_number(ps, UINT32_MAX);
        iri_expect_mark(ps, ']');
    }
    if (m->member_class == IRI_MEMBER_MATRIX_COLUMNS && iri_accept_word(ps, "row_major"))
        m->member_class = IRI_MEMBER_MATRIX_ROWS;
    else if (m->member_class == IRI_MEMBER_MATRIX_COLUMNS)
        iri_expect_word(ps, "column_major");
}

static void parse_defaults(iri_parser *ps, iri_member *m)
{
    uint32_t count = m->size / 4;
    IRI_VEC(uint32_t) words = {0};
    iri_token where = ps->token;
    iri_expect_mark(ps, '[');
    while (!iri_is_mark(ps, ']')) {
        if (words.count)
            iri_expect_mark(ps, ',');
        iri_push(ps->scratch, &words, iri_take_number(ps, UINT32_MAX));
    }
    iri_next(ps);
    if (words.count != count)
        iri_parse_fail(ps, &where, "%lu words for a member of %lu bytes",
                       (unsigned long)words.count, (unsigned long)m->size);
    iri_reserve(ps->scratch, &words, 1); /* none is still not NULL */
    m->default_words = words.at;
}

static void parse_member(iri_parser *ps, iri_member *m, uint32_t depth)
{
    uint32_t flags;
    bool sized = false;
    m->offset = iri_take_number(ps, UINT32_MAX);
    if (ps->token.kind == IRI_TOKEN_STRING)
        m->name = iri_take_string(ps);
    iri_expect_mark(ps, ':');
    iri_token where = ps->token;
    parse_member_type(ps, m);
    for (;;) {
        if (iri_accept_word(ps, "type")) {
            m->type_name = iri_take_string(ps);
        } else if (iri_accept_word(ps, "scalar")) {
            m->scalar = (uint8_t)iri_take_word(ps, IRI_WORDS_SCALAR, "a scalar type");
        } else if (accept_number(ps, "size", UINT32_MAX, &m->size)) {
            sized = true;
        } else if (accept_number(ps, "flags", UINT32_MAX, &flags)) {
            m->flags |= flags;
        } else if (!accept_u8(ps, "rows", &m->rows) && !accept_u8(ps, "columns", &m->columns) &&
                   !accept_number(ps, "stride", UINT32_MAX, &m->array_stride) &&
                   !accept_number(ps, "matrix_stride", UINT32_MAX, &m->matrix_stride) &&
                   !accept_flag(ps, "unused", IRI_MEMBER_UNUSED, &m->flags)) {
            break;
        }
    }
    bool plain = m->member_class == IRI_MEMBER_SCALAR || m->member_class == IRI_MEMBER_VECTOR;
    if (!sized && (!plain || m->elements))
        iri_parse_fail(ps, &where, "the member's size is missing");
    if (!sized)
        m->size =
            m->columns * (m->scalar == IRI_BOOL ? 4 : iri_scalar_bits((iri_scalar)m->scalar) / 8);
    if (iri_accept_mark(ps, '='))
        parse_defaults(ps, m);
    if (iri_is_mark(ps, '{'))
        parse_members(ps, &m->members, &m->member_count, depth + 1);
}

static void parse_members(iri_parser *ps, const iri_member **out, uint32_t *count, uint32_t depth)
{
    members list = {0};
    if (depth >= IRI_PARSE_MEMBERS)
        iri_parse_fail(ps, &ps->token, "structs nested deeper than %d", IRI_PARSE_MEMBERS);
    iri_expect_mark(ps, '{');
    while (!iri_accept_mark(ps, '}')) {
        iri_member m = {0};
        parse_member(ps, &m, depth);
        iri_push(ps->scratch, &list, m);
    }
    *out = list.at;
    *count = list.count;
}

/* "cb0", "t3_space1", with the letters of the kind. */
static void parse_label(iri_parser *ps, iri_resource *r)
{
    static const char *const prefixes[IRI_RESOURCE_COUNT] = {"?", "cb", "t", "s", "t", "u", "u"};
    static const char space_word[] = "_space";
    iri_token token = ps->token, head = token;
    const char *prefix = prefixes[r->kind];
    size_t size = strlen(prefix);
    if (token.kind != IRI_TOKEN_WORD || token.size <= size || memcmp(token.at, prefix, size))
        iri_parse_fail(ps, &token, "a register such as %s0 expected", prefix);
    for (uint32_t i = 0; i + sizeof space_word - 1 < token.size; i++)
        if (!memcmp(token.at + i, space_word, sizeof space_word - 1)) {
            head.size = i;
            if (split_digits(ps, &token, UINT32_MAX, &r->space) != i + sizeof space_word - 1)
                iri_parse_fail(ps, &token, "a register such as %s0_space1 expected", prefix);
            break;
        }
    if (split_digits(ps, &head, UINT32_MAX, &r->reg) != size || head.size == size)
        iri_parse_fail(ps, &token, "a register such as %s0 expected", prefix);
    iri_next(ps);
}

static void parse_resource(iri_parser *ps, uint32_t kind)
{
    iri_resource r = {.kind = (uint8_t)kind, .count = 1, .offset = IRI_NO_OFFSET};
    uint32_t word;
    parse_label(ps, &r);
    if (ps->token.kind == IRI_TOKEN_STRING)
        r.name = iri_take_string(ps);
    if (iri_accept_mark(ps, ':')) {
        r.dimension = (uint8_t)iri_take_word(ps, IRI_WORDS_DIMENSION, "a dimension");
        iri_expect_mark(ps, '<');
        r.scalar = (uint8_t)iri_take_word(ps, IRI_WORDS_SCALAR, "a scalar type");
        iri_expect_mark(ps, '>');
    }
    for (;;) {
        uint32_t set = 0;
        if (accept_flag(ps, "array", 1, &set)) {
            r.arrayed = 1;
        } else if (accept_flag(ps, "multisampled", 1, &set)) {
            r.multisampled = 1;
        } else if (accept_flag(ps, "comparison", 1, &set)) {
            r.comparison = 1;
        } else if (accept_flag(ps, "read", 1, &set) || accept_flag(ps, "write", 2, &set) ||
                   accept_flag(ps, "atomic", 4, &set)) {
            r.access |= (uint8_t)set;
        } else if (ps->token.kind == IRI_TOKEN_WORD &&
                   iri_word_value(IRI_WORDS_BUFFER_SHAPE, ps->token.at, ps->token.size, &word)) {
            r.buffer_shape = (uint8_t)word;
            iri_next(ps);
        } else if (accept_number(ps, "flags", UINT32_MAX, &word)) {
            r.flags |= word;
        } else if (!accept_number(ps, "count", UINT32_MAX, &r.count) &&
                   !accept_number(ps, "stride", UINT32_MAX, &r.stride) &&
                   !accept_number(ps, "format", UINT32_MAX, &r.format) &&
                   !accept_number(ps, "size", UINT32_MAX, &r.size) &&
                   !accept_flag(ps, "dynamic", IRI_RESOURCE_DYNAMIC, &r.flags) &&
                   !accept_flag(ps, "state_values", IRI_RESOURCE_STATE, &r.flags) &&
                   !accept_flag(ps, "counter", IRI_RESOURCE_COUNTER, &r.flags) &&
                   !accept_flag(ps, "coherent", IRI_RESOURCE_COHERENT, &r.flags) &&
                   !accept_number(ps, "offset", UINT32_MAX, &r.offset)) {
            break;
        }
    }
    if (iri_is_mark(ps, '{'))
        parse_members(ps, &r.members, &r.member_count, 0);
    iri_add_resource(ps->b, &r);
}

/* ---- workgroup variables, states, notes ---- */

static void parse_shared(iri_parser *ps)
{
    iri_shared shared = {.offset = IRI_NO_OFFSET};
    iri_token token = ps->token;
    if (token.kind != IRI_TOKEN_WORD || token.size < 2 || token.at[0] != 'g' ||
        split_digits(ps, &token, UINT32_MAX, &shared.reg) != 1)
        iri_parse_fail(ps, &token, "a register such as g0 expected");
    iri_next(ps);
    if (ps->token.kind == IRI_TOKEN_STRING)
        shared.name = iri_take_string(ps);
    while (accept_number(ps, "size", UINT32_MAX, &shared.size) ||
           accept_number(ps, "stride", UINT32_MAX, &shared.stride) ||
           accept_number(ps, "offset", UINT32_MAX, &shared.offset))
        continue;
    iri_add_shared(ps->b, &shared);
}

static iri_state_id take_state(iri_parser *ps)
{
    iri_token token = ps->token;
    iri_state_id id =
        token.kind == IRI_TOKEN_WORD ? iri_state_by_name(token.at, token.size) : IRI_STATE_NONE;
    if (id == IRI_STATE_NONE)
        iri_parse_fail(ps, &token, "the name of a state expected");
    iri_next(ps);
    return id;
}

static void parse_state(iri_parser *ps)
{
    iri_state_entry entry = {0};
    uint64_t lanes[4];
    entry.id = (uint16_t)take_state(ps);
    if (iri_accept_mark(ps, '[')) {
        entry.index = (uint16_t)iri_take_number(ps, UINT16_MAX);
        iri_expect_mark(ps, ']');
    }
    iri_expect_mark(ps, '=');
    entry.source = iri_take_word(ps, IRI_WORDS_STATE_SOURCE, "a source of state");
    iri_token where = ps->token;
    if (iri_accept_mark(ps, '[')) {
        for (uint32_t i = 0; i < 4; i++) {
            if (i)
                iri_expect_mark(ps, ',');
            entry.bits[i] = iri_take_number(ps, UINT32_MAX);
        }
        iri_expect_mark(ps, ']');
    } else if (iri_is_literal(ps)) {
        iri_type type = iri_take_literal(ps, lanes);
        iri_type wanted = iri_state_get_info((iri_state_id)entry.id)->type;
        if (type != wanted)
            iri_parse_fail(ps, &where, "the state is %s, not %s", iri_type_name(wanted),
                           iri_type_name(type));
        for (uint32_t i = 0; i < 4; i++)
            entry.bits[i] = (uint32_t)lanes[i];
    }
    iri_add_state_entry(ps->b, &entry);
}

static void parse_note(iri_parser *ps)
{
    uint32_t offset = IRI_NO_OFFSET;
    const char *kind = iri_take_string(ps), *text = iri_take_string(ps);
    accept_number(ps, "offset", UINT32_MAX, &offset);
    iri_add_note(ps->b, kind, offset, "%s", text);
}

bool iri_parse_header_line(iri_parser *ps)
{
    uint32_t kind;
    if (iri_accept_word(ps, "program")) {
        parse_program_line(ps);
    } else if (iri_accept_word(ps, "source")) {
        parse_source(ps);
    } else if (iri_accept_word(ps, "conventions")) {
        parse_conventions(ps);
    } else if (iri_accept_word(ps, "float")) {
        parse_float(ps);
    } else if (iri_accept_word(ps, "facts")) {
        parse_facts(ps);
    } else if (iri_is_word(ps, "input") || iri_is_word(ps, "output")) {
        bool output = iri_is_word(ps, "output");
        iri_next(ps);
        parse_io(ps, output);
    } else if (iri_accept_word(ps, "shared")) {
        parse_shared(ps);
    } else if (iri_accept_word(ps, "state")) {
        parse_state(ps);
    } else if (iri_accept_word(ps, "note")) {
        parse_note(ps);
    } else if (ps->token.kind == IRI_TOKEN_WORD &&
               iri_word_value(IRI_WORDS_RESOURCE_KIND, ps->token.at, ps->token.size, &kind) &&
               kind != IRI_RESOURCE_NONE) {
        iri_next(ps);
        parse_resource(ps, kind);
    } else {
        return false;
    }
    return true;
}
