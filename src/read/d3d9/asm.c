/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The assembler: a version, then instructions. Syntax: Microsoft's "Asm Shader Reference" and what
 * D3DAssemble takes (docs/formats/d3d9-asm.md). What a model does not have (instructions, registers) is refused;
 * whether a shader makes sense is for its reader to say.
 */
#include "read/d3d9/asm.h"

#include "read/d3d9/asm_internal.h"

#include <string.h>

enum {
    OPERANDS_MAX = 6,
    COMMENT_WORDS_MAX = 0x7fff,
    OPCODE_COMMENT = 0xfffe,
    OPCODE_END = 0xffff,
    NO_ROW = IRI_D3D9_OP_COUNT
};

/* An instruction as written. */
typedef struct statement {
    iri_d3d9_word word; /* the mnemonic, suffixes included */
    const char *name;   /* of rows of ops.def */
    uint32_t control;
    uint32_t usage; /* dcl's word */
    uint32_t modifiers, shift;
    bool coissued, predicated;
    iri_d3d9_written predicate;
    uint32_t count;
    iri_d3d9_written operands[OPERANDS_MAX];
    uint32_t literals[4];
} statement;

static void put_word(iri_d3d9_asm *a, uint32_t word)
{
    const char bytes[4] = {(char)(word & 0xffu), (char)(word >> 8 & 0xffu),
                           (char)(word >> 16 & 0xffu), (char)(word >> 24)};
    iri_buf_bytes(a->out, bytes, sizeof bytes);
}

/* ---- mnemonics ---- */

/* Cuts the part up to the next underscore off the front of `rest`. */
static iri_d3d9_word next_part(iri_d3d9_word *rest)
{
    iri_d3d9_word part = *rest;
    const char *underscore = memchr(rest->text, '_', rest->size);
    part.size = underscore ? (uint32_t)(underscore - rest->text) : rest->size;
    uint32_t gone = part.size + (underscore ? 1 : 0);
    rest->text += gone;
    rest->size -= gone;
    rest->column += gone;
    return part;
}

static bool take_result_modifier(statement *s, const iri_d3d9_word *part)
{
    static const struct {
        const char *text;
        uint8_t modifier, shift;
    } words[] = {{"sat", IRI_D3D9_DST_SAT, 0},
                 {"pp", IRI_D3D9_DST_PP, 0},
                 {"centroid", IRI_D3D9_DST_CENTROID, 0},
                 {"x2", 0, 1},
                 {"x4", 0, 2},
                 {"x8", 0, 3},
                 {"d8", 0, 13},
                 {"d4", 0, 14},
                 {"d2", 0, 15}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!iri_d3d9_word_is(part, words[i].text))
            continue;
        if (s->modifiers & words[i].modifier || (s->shift && words[i].shift))
            return false;
        s->modifiers |= words[i].modifier;
        s->shift |= words[i].shift;
        return true;
    }
    return false;
}

static bool take_comparison(statement *s, const iri_d3d9_word *part)
{
    for (uint32_t c = IRI_D3D9_CMP_GT; c <= IRI_D3D9_CMP_LE; c++)
        if (iri_d3d9_word_is(part, iri_d3d9_comparison_name(c)))
            return s->control = c, true;
    return false;
}

/* What follows dcl: a texture type, or a usage with its index. */
static bool take_usage(statement *s, const iri_d3d9_word *part)
{
    static const char *const textures[] = {"2d", "cube", "volume"};
    iri_d3d9_word name = *part;
    uint32_t index = 0;
    for (uint32_t i = 0; i < 3; i++)
        if (iri_d3d9_word_is(part, textures[i]))
            return s->usage |= (IRI_D3D9_TEXTURE_2D + i) << 27, true;
    while (name.size && name.text[name.size - 1] >= '0' && name.text[name.size - 1] <= '9')
        name.size--;
    const char *at = name.text + name.size;
    if (name.size < part->size &&
        (!iri_d3d9_digits(&at, part->text + part->size, &index) || index > 15))
        return false;
    for (uint32_t usage = 0; usage < IRI_D3D9_USAGE_COUNT; usage++)
        if (iri_d3d9_word_is(&name, iri_d3d9_usage_name(usage)))
            return s->usage |= usage | index << 16, true;
    return false;
}

/* Names that say what the control bits do, or that two instructions share. */
static void take_name(const iri_d3d9_asm *a, statement *s, const iri_d3d9_word *base)
{
    if (iri_d3d9_word_is(base, "texldp") || iri_d3d9_word_is(base, "texldb")) {
        bool project = iri_d3d9_word_is(base, "texldp");
        s->name = "texld";
        s->control = project ? IRI_D3D9_TEXLD_PROJECT : IRI_D3D9_TEXLD_BIAS;
        return;
    }
    for (uint32_t op = 0; op < IRI_D3D9_OP_COUNT; op++) {
        bool spelled = op != IRI_D3D9_OP_IFC && op != IRI_D3D9_OP_BREAKC; /* if_gt, break_gt */
        if (spelled && iri_d3d9_word_is(base, iri_d3d9_ops[op].name)) {
            s->name = iri_d3d9_ops[op].name;
            return;
        }
    }
    iri_d3d9_asm_fail(a, base, "'%.*s' is no instruction", (int)(base->size < 60 ? base->size : 60),
                      base->text);
}

static bool is_named(const statement *s, const char *name)
{
    return strcmp(s->name, name) == 0;
}

static void take_mnemonic(iri_d3d9_asm *a, statement *s)
{
    s->word = iri_d3d9_take_word(a, "");
    if (!s->word.size)
        iri_d3d9_asm_fail(a, &s->word, "an instruction must stand here");
    iri_d3d9_word rest = s->word, part = next_part(&rest);
    bool first = true;
    take_name(a, s, &part);
    s->usage = 0x80000000u;
    for (; rest.size; first = false) {
        part = next_part(&rest);
        bool compares = first && (is_named(s, "if") || is_named(s, "break") || is_named(s, "setp"));
        if ((compares && take_comparison(s, &part)) ||
            (first && is_named(s, "dcl") && take_usage(s, &part)) || take_result_modifier(s, &part))
            continue;
        iri_d3d9_asm_fail(a, &part, "'%.*s' says nothing of %s",
                          (int)(part.size < 60 ? part.size : 60), part.text, s->name);
    }
}

/* ---- operands ---- */

static void take_literals(iri_d3d9_asm *a, statement *s)
{
    uint32_t count = is_named(s, "defb") ? 1 : 4;
    for (uint32_t i = 0; i < count; i++) {
        iri_d3d9_expect(a, ',', "before a value");
        s->literals[i] = is_named(s, "def")    ? iri_d3d9_take_float(a)
                         : is_named(s, "defi") ? iri_d3d9_take_int(a)
                                               : iri_d3d9_take_bool(a);
    }
}

/* Whether any instruction of the name has operands. */
static bool takes_operands(const statement *s)
{
    for (uint32_t op = 0; op < IRI_D3D9_OP_COUNT; op++)
        if (is_named(s, iri_d3d9_ops[op].name) && iri_d3d9_ops[op].operands[0])
            return true;
    return is_named(s, "break");
}

static void take_operands(iri_d3d9_asm *a, statement *s)
{
    if (!takes_operands(s) || iri_d3d9_at_line_end(a))
        return;
    do {
        iri_d3d9_word here = iri_d3d9_here(a);
        if (s->count == OPERANDS_MAX)
            iri_d3d9_asm_fail(a, &here, "%s does not take so many operands", s->name);
        iri_d3d9_take_operand(a, &s->operands[s->count++]);
        if (is_named(s, "def") || is_named(s, "defi") || is_named(s, "defb")) {
            take_literals(a, s);
            return;
        }
    } while (iri_d3d9_accept(a, ','));
}

static void take_statement(iri_d3d9_asm *a, statement *s)
{
    s->coissued = iri_d3d9_accept(a, '+');
    if (iri_d3d9_accept(a, '(')) {
        s->predicated = true;
        iri_d3d9_take_operand(a, &s->predicate);
        iri_d3d9_expect(a, ')', "behind a predicate");
        if (s->predicate.type != IRI_D3D9_TYPE_PREDICATE || s->predicate.relative)
            iri_d3d9_asm_fail(a, &s->predicate.word, "this is no predicate");
    }
    take_mnemonic(a, s);
    take_operands(a, s);
}

/* ---- tokens ---- */

static uint32_t parameters_of(const iri_d3d9_op_row *row)
{
    uint32_t count = 0;
    for (const char *kind = row->operands; *kind; kind++)
        count += *kind >= 'a';
    return count;
}

/* `if` and `break` go by what they compare: two values, a predicate, a constant, nothing. */
static const char *row_name(const statement *s)
{
    bool compares = s->control != 0 && s->count == 2;
    if (is_named(s, "if") && compares)
        return "ifc";
    if (is_named(s, "break"))
        return compares ? "breakc" : s->count == 1 ? "breakp" : "break";
    return s->name;
}

static iri_d3d9_op find_row(const iri_d3d9_asm *a, const statement *s)
{
    const char *name = row_name(s), *target = iri_d3d9_models[a->model].name;
    uint32_t wanted = NO_ROW;
    for (uint32_t op = 0; op < IRI_D3D9_OP_COUNT; op++) {
        if (strcmp(iri_d3d9_ops[op].name, name) != 0 ||
            !iri_d3d9_model_has_op(a->model, (iri_d3d9_op)op))
            continue;
        wanted = op;
        if (parameters_of(&iri_d3d9_ops[op]) == s->count)
            return (iri_d3d9_op)op;
    }
    if (wanted == NO_ROW)
        iri_d3d9_asm_fail(a, &s->word, "%s has no %s", target, name);
    iri_d3d9_asm_fail(a, &s->word, "%s of %s takes %u operands, not %u", name, target,
                      parameters_of(&iri_d3d9_ops[wanted]), s->count);
}

/* Listings show breakp's predicate as if it were a destination: its swizzle as a mask and modifiers, whose top bit
 * is not shown. Of the swizzles that look alike the one is meant that assemblers make. */
static uint32_t listed_predicate(const iri_d3d9_asm *a, const statement *s)
{
    uint32_t token = iri_d3d9_destination_token(a, &s->operands[0], s->modifiers, s->shift);
    uint32_t other = token | 0x800000u;
    return (other >> 16 & 0xffu) % 0x55 == 0 || (other >> 16 & 0xffu) == 0xe4 ? other : token;
}

static bool is_listed_predicate(const statement *s)
{
    const iri_d3d9_written *o = &s->operands[0];
    return s->modifiers || s->shift || (o->has_lanes && o->lane_count == 0);
}

static void put_operand(iri_d3d9_asm *a, const iri_d3d9_written *o, uint32_t token)
{
    put_word(a, token);
    if (iri_d3d9_has_index_word(a, o))
        put_word(a, o->index);
}

/* An operand of vs_1_x without lanes means those that its instruction has: w of a scalar source, a lane for each of a
 * matrix's rows. Microsoft's assembler puts them into the token, in no later model. */
static uint32_t with_implied_lanes(const iri_d3d9_asm *a, iri_d3d9_op op, char kind,
                                   const iri_d3d9_written *o, uint32_t token)
{
    if (!a->vertex || a->major >= 2 || o->has_lanes)
        return token;
    if (kind == 's' && iri_d3d9_is_scalar(op, 0))
        return token | 0xff0000u;
    if (kind == 'd' && iri_d3d9_ops[op].flags & IRI_D3D9_FLAG_MATRIX)
        return (token & ~0xf0000u) | ((1u << iri_d3d9_matrix_rows(op)) - 1u) << 16;
    return token;
}

static void put_parameter(iri_d3d9_asm *a, const statement *s, iri_d3d9_op op, char kind,
                          const iri_d3d9_written *o)
{
    bool listed = kind == 'p' && is_listed_predicate(s);
    uint32_t token = kind == 'd' || kind == 'k'
                         ? iri_d3d9_destination_token(a, o, s->modifiers, s->shift)
                     : listed ? listed_predicate(a, s)
                              : iri_d3d9_source_token(a, o);
    put_operand(a, o, with_implied_lanes(a, op, kind, o, token));
}

static void put_statement(iri_d3d9_asm *a, const statement *s)
{
    iri_d3d9_op op = find_row(a, s);
    const iri_d3d9_op_row *row = &iri_d3d9_ops[op];
    const iri_d3d9_written *o = s->operands;
    bool result = row->operands[0] == 'd' || row->operands[0] == 'k' || op == IRI_D3D9_OP_DCL ||
                  op == IRI_D3D9_OP_BREAKP;
    bool predicated = s->predicated;
    if ((s->modifiers || s->shift) && !result)
        iri_d3d9_asm_fail(a, &s->word, "%s has no result to modify", row->name);
    if (s->control && !(row->flags & (IRI_D3D9_FLAG_COMPARE | IRI_D3D9_FLAG_CONTROL)))
        iri_d3d9_asm_fail(a, &s->word, "%s of %s takes no such suffix", row->name,
                          iri_d3d9_models[a->model].name);
    if (op == IRI_D3D9_OP_DCL && a->vertex && s->word.size == 3)
        iri_d3d9_asm_fail(a, &s->word, "a dcl of vertex shaders names a usage");
    if (s->predicated && a->major < 2)
        iri_d3d9_asm_fail(a, &s->word, "%s has no predicates", iri_d3d9_models[a->model].name);
    uint32_t length = s->predicated;
    for (const char *kind = row->operands; *kind; kind++)
        length += *kind == 'F' || *kind == 'I' ? 4 : 1;
    for (uint32_t i = 0; i < s->count; i++)
        length += iri_d3d9_has_index_word(a, &o[i]);
    put_word(a, row->number | s->control << 16 | (a->major >= 2 ? length << 24 : 0) |
                    (s->predicated ? 1u << 28 : 0) | (s->coissued ? 1u << 30 : 0));
    for (const char *kind = row->operands; *kind; kind++) {
        /* The predicate goes behind the destination, or what a listing takes for one, or first. */
        if (predicated && *kind != 'U' && *kind != 'd' && *kind != 'k' &&
            !(*kind == 'p' && is_listed_predicate(s))) {
            put_operand(a, &s->predicate, iri_d3d9_source_token(a, &s->predicate));
            predicated = false;
        }
        if (*kind == 'U')
            put_word(a, s->usage);
        else if (*kind >= 'a')
            put_parameter(a, s, op, *kind, o++);
        else
            for (uint32_t i = 0; i < (*kind == 'B' ? 1 : 4); i++)
                put_word(a, s->literals[i]);
    }
    if (predicated)
        put_operand(a, &s->predicate, iri_d3d9_source_token(a, &s->predicate));
}

/* ---- lines ---- */

/* `//!comment 43544142 ...` and `//!more ...` on the lines behind it: a comment's words, as dis --comments shows
 * them. */
static void take_comment(iri_d3d9_asm *a)
{
    size_t begin = a->out->size;
    iri_d3d9_word first = iri_d3d9_here(a), directive;
    uint32_t count = 0;
    put_word(a, OPCODE_COMMENT);
    for (;;) {
        a->at += 3; /* the slashes and the mark */
        directive = iri_d3d9_take_word(a, "");
        if (!iri_d3d9_word_is(&directive, count ? "more" : "comment"))
            break;
        while (!iri_d3d9_at_line_end(a)) {
            iri_d3d9_word word = iri_d3d9_take_word(a, "");
            uint32_t value = 0, i = 0;
            for (; i < word.size && i < 8; i++) {
                char c = word.text[i];
                uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                                 : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                                 : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                        : 16;
                if (digit == 16)
                    break;
                value = value << 4 | digit;
            }
            if (i != 8 || word.size != 8)
                iri_d3d9_asm_fail(a, &word, "a word of eight hexadecimal digits must stand here");
            if (count++ == COMMENT_WORDS_MAX)
                iri_d3d9_asm_fail(a, &first, "a comment of more than %d words", COMMENT_WORDS_MAX);
            put_word(a, value);
        }
        iri_d3d9_skip_line(a);
        if (a->end - a->at < 7 || memcmp(a->at, "//!more", 7) != 0) {
            a->out->data[begin + 2] = (char)(count & 0xffu);
            a->out->data[begin + 3] = (char)(count >> 8);
            return;
        }
    }
    iri_d3d9_asm_fail(a, &directive, "no such directive: //!comment, or //!more behind it");
}

static void take_version(iri_d3d9_asm *a)
{
    iri_d3d9_word word = iri_d3d9_take_word(a, ".");
    for (uint32_t model = 0; model < IRI_D3D9_MODEL_COUNT; model++) {
        const iri_d3d9_model_row *row = &iri_d3d9_models[model];
        char dotted[16];
        memcpy(dotted, row->name, strlen(row->name) + 1);
        for (char *c = dotted; *c; c++)
            if (*c == '_')
                *c = '.';
        if (!iri_d3d9_word_is(&word, row->name) && !iri_d3d9_word_is(&word, dotted))
            continue;
        a->model = (iri_d3d9_model)model;
        a->vertex = row->stage == IRI_D3D9_VERTEX;
        a->major = row->version >> 8 & 0xffu;
        a->minor = row->version & 0xffu;
        a->ctx->unit = row->name;
        put_word(a, row->version);
        if (!iri_d3d9_at_line_end(a)) {
            iri_d3d9_word here = iri_d3d9_here(a);
            iri_d3d9_asm_fail(a, &here, "the line must end behind the version");
        }
        return;
    }
    iri_d3d9_asm_fail(a, &word, "a version such as ps_3_0 must stand here");
}

/* A listing's preshader: code for the CPU, which the PRES comment has. */
static bool skip_preshader(iri_d3d9_asm *a)
{
    iri_d3d9_asm ahead = *a;
    iri_d3d9_word word = iri_d3d9_take_word(&ahead, "");
    if (!iri_d3d9_word_is(&word, "preshader"))
        return false;
    do {
        iri_d3d9_skip_line(&ahead);
        *a = ahead;
        iri_d3d9_skip_blanks(&ahead);
    } while (ahead.at < ahead.end && *ahead.at != '\n');
    return true;
}

void iri_d3d9_assemble(iri_ctx *ctx, iri_buf *out, const char *text, size_t size)
{
    iri_d3d9_asm a = {.ctx = ctx,
                      .out = out,
                      .at = text,
                      .end = text + size,
                      .line_begin = text,
                      .line = 1,
                      .model = IRI_D3D9_MODEL_COUNT};
    uint32_t instructions = 0;
    ctx->format = "d3d9-asm";
    ctx->unit = NULL;
    for (;;) {
        if (iri_d3d9_at_line_end(&a)) {
            if (a.at == a.end)
                break;
            iri_d3d9_skip_line(&a);
            continue;
        }
        iri_d3d9_word here = iri_d3d9_here(&a);
        if (*a.at == '#') { /* of a debug build's listing */
            if (a.end - a.at < 5 || memcmp(a.at, "#line", 5) != 0)
                iri_d3d9_asm_fail(&a, &here, "nothing preprocesses this text");
            iri_d3d9_skip_line(&a);
        } else if (a.model == IRI_D3D9_MODEL_COUNT) {
            if (!skip_preshader(&a))
                take_version(&a);
        } else if (*a.at == '/' && a.end - a.at >= 3 && a.at[1] == '/' && a.at[2] == '!') {
            take_comment(&a);
        } else {
            statement s = {0};
            if (instructions++ >= ctx->limits.instructions)
                iri_fail_at(ctx, IRI_LIMIT_INSTRUCTIONS, here.line, here.column,
                            "more than %u instructions", ctx->limits.instructions);
            take_statement(&a, &s);
            put_statement(&a, &s);
        }
    }
    if (a.model == IRI_D3D9_MODEL_COUNT) {
        iri_d3d9_word here = iri_d3d9_here(&a);
        iri_d3d9_asm_fail(&a, &here, "the text has no version");
    }
    put_word(&a, OPCODE_END);
}
