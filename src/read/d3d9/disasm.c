/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The listing of a token stream: instructions, and around them what comments say. Every rule is D3DDisassemble's,
 * its oddities included: it looks at words and not at what they mean, so a word that stands where a destination is
 * looked for is shown as one (breakp's predicate), and the predicate is the word behind that, whatever it is, or the
 * first behind the instruction's where none is looked for (`(p0) if`).
 */
#include "read/d3d9/disasm.h"

#include "base/number.h"

enum { MARGIN = 4, INDENT = 2 };

/* ---- words ---- */

static uint32_t type_of(uint32_t token)
{
    return (token >> 28 & 7u) | (token >> 8 & 0x18u);
}

static void list_register(iri_buf *buf, const iri_d3d9_shader *shader, uint32_t token)
{
    static const char *const rastout[] = {"oPos", "oFog", "oPts"};
    static const char *const misc[] = {"vPos", "vFace"};
    static const char *const prefixes[32] = {"r", "v", "c", "a", "oX", "oD", "oT", "i", "oC", "",
                                             "s", "c", "c", "c", "b",  "",   "x",  "m", "l",  "p"};
    uint32_t type = type_of(token), number = token & 0x7ffu;
    const char *prefix = prefixes[type] ? prefixes[type] : "x";
    switch (type) {
    case IRI_D3D9_TYPE_ADDR: prefix = shader->stage == IRI_D3D9_PIXEL ? "t" : "a"; break;
    case IRI_D3D9_TYPE_TEXCRDOUT: prefix = shader->major == 3 ? "o" : "oT"; break;
    case IRI_D3D9_TYPE_CONST2: number += 2048; break;
    case IRI_D3D9_TYPE_CONST3: number += 4096; break;
    case IRI_D3D9_TYPE_CONST4: number += 6144; break;
    case IRI_D3D9_TYPE_DEPTHOUT: iri_buf_str(buf, "oDepth"); return;
    case IRI_D3D9_TYPE_LOOP: iri_buf_str(buf, "aL"); return;
    case IRI_D3D9_TYPE_RASTOUT:
        if (number < 3) {
            iri_buf_str(buf, rastout[number]);
            return;
        }
        break;
    case IRI_D3D9_TYPE_MISCTYPE:
        if (number < 2) {
            iri_buf_str(buf, misc[number]);
            return;
        }
        break;
    default: break;
    }
    iri_buf_str(buf, prefix);
    iri_buf_uint(buf, number);
}

static void list_swizzle(iri_buf *buf, uint32_t token)
{
    uint32_t swizzle = token >> 16 & 0xffu;
    if (swizzle == 0xe4)
        return;
    iri_buf_char(buf, '.');
    for (uint32_t lane = 0; lane < (swizzle % 0x55 == 0 ? 1 : 4); lane++)
        iri_buf_char(buf, "xyzw"[swizzle >> 2 * lane & 3u]);
}

static void list_mask(iri_buf *buf, uint32_t token)
{
    uint32_t mask = token >> 16 & 0xfu;
    if (mask == 0xf)
        return;
    iri_buf_char(buf, '.');
    for (uint32_t lane = 0; lane < 4; lane++)
        if (mask >> lane & 1u)
            iri_buf_char(buf, "xyzw"[lane]);
}

static void list_index(iri_buf *buf, const iri_d3d9_shader *shader, const iri_d3d9_operand *o)
{
    if (!o->relative)
        return;
    iri_buf_char(buf, '[');
    if (o->relative == IRI_D3D9_RELATIVE_IMPLICIT) {
        iri_buf_str(buf, shader->stage == IRI_D3D9_PIXEL ? "t0.x" : "a0.x");
    } else {
        list_register(buf, shader, o->relative_token);
        list_swizzle(buf, o->relative_token);
    }
    iri_buf_char(buf, ']');
}

/* `o` is NULL for the predicate, which has no index. */
static void list_source(iri_buf *buf, const iri_d3d9_shader *shader, uint32_t token,
                        const iri_d3d9_operand *o)
{
    static const struct {
        const char *before, *after;
    } modifiers[16] = {{"", ""},      {"-", ""},     {"", "_bias"}, {"-", "_bias"},
                       {"", "_bx2"},  {"-", "_bx2"}, {"1-", ""},    {"", "_x2"},
                       {"-", "_x2"},  {"", "_dz"},   {"", "_dw"},   {"", "_abs"},
                       {"-", "_abs"}, {"!", ""},     {"", ""},      {"", ""}};
    uint32_t modifier = token >> 24 & 0xfu;
    iri_buf_str(buf, modifiers[modifier].before);
    list_register(buf, shader, token);
    if (o)
        list_index(buf, shader, o);
    iri_buf_str(buf, modifiers[modifier].after);
    list_swizzle(buf, token);
}

static void list_result_modifiers(iri_buf *buf, uint32_t token)
{
    static const char *const shifts[16] = {
        [1] = "_x2", [2] = "_x4", [3] = "_x8", [13] = "_d8", [14] = "_d4", [15] = "_d2"};
    const char *shift = shifts[token >> 24 & 0xfu];
    uint32_t modifiers = token >> 20;
    iri_buf_str(buf, shift ? shift : "");
    iri_buf_str(buf, modifiers & IRI_D3D9_DST_SAT ? "_sat" : "");
    iri_buf_str(buf, modifiers & IRI_D3D9_DST_PP ? "_pp" : "");
    iri_buf_str(buf, modifiers & IRI_D3D9_DST_CENTROID ? "_centroid" : "");
}

static void list_destination(iri_buf *buf, const iri_d3d9_shader *shader, const iri_d3d9_operand *o)
{
    list_register(buf, shader, o->token);
    list_index(buf, shader, o);
    list_mask(buf, o->token);
}

/* ---- instructions ---- */

/* What follows dcl: a sampler's texture type or a usage. */
static void list_usage(iri_buf *buf, const iri_d3d9_shader *shader, uint32_t word)
{
    static const char *const textures[] = {[IRI_D3D9_TEXTURE_2D] = "_2d",
                                           [IRI_D3D9_TEXTURE_CUBE] = "_cube",
                                           [IRI_D3D9_TEXTURE_VOLUME] = "_volume"};
    uint32_t texture = iri_d3d9_dcl_texture(word), index = iri_d3d9_dcl_index(word);
    if (texture) {
        bool known = texture >= IRI_D3D9_TEXTURE_2D && texture <= IRI_D3D9_TEXTURE_VOLUME;
        iri_buf_str(buf, known ? textures[texture] : "_unknown");
        return;
    }
    if (shader->stage == IRI_D3D9_PIXEL && (word & 0x7fffffffu) == 0)
        return;
    const char *name = iri_d3d9_usage_name(word & 0xfu);
    iri_buf_char(buf, '_');
    iri_buf_str(buf, name ? name : "unknown");
    if (index)
        iri_buf_uint(buf, index);
}

static void list_name(iri_buf *buf, const iri_d3d9_shader *shader, const iri_d3d9_instruction *in)
{
    const char *comparison = iri_d3d9_comparison_name(in->control);
    switch ((iri_d3d9_op)in->op) {
    case IRI_D3D9_OP_IFC: iri_buf_str(buf, "if"); break;
    case IRI_D3D9_OP_BREAKC:
    case IRI_D3D9_OP_BREAKP: iri_buf_str(buf, "break"); break;
    case IRI_D3D9_OP_TEXCOORD:
    case IRI_D3D9_OP_TEXCRD:
        iri_buf_str(buf, shader->version % 0x10000 < 0x104 ? "texcoord" : "texcrd");
        break;
    case IRI_D3D9_OP_TEX:
    case IRI_D3D9_OP_TEXLD_1_4:
    case IRI_D3D9_OP_TEXLD:
        iri_buf_str(buf, shader->version % 0x10000 < 0x104 ? "tex" : "texld");
        iri_buf_str(buf, in->control == IRI_D3D9_TEXLD_PROJECT ? "p"
                         : in->control == IRI_D3D9_TEXLD_BIAS  ? "b"
                                                               : "");
        break;
    case IRI_D3D9_OP_DCL:
        iri_buf_str(buf, "dcl");
        list_usage(buf, shader, shader->literals[in->literal]);
        break;
    default: iri_buf_str(buf, iri_d3d9_ops[in->op].name); break;
    }
    if (comparison && iri_d3d9_ops[in->op].flags & IRI_D3D9_FLAG_COMPARE) {
        iri_buf_char(buf, '_');
        iri_buf_str(buf, comparison);
    }
}

static void list_literals(iri_buf *buf, const iri_d3d9_shader *shader,
                          const iri_d3d9_instruction *in)
{
    const uint32_t *words = &shader->literals[in->literal];
    if (in->op == IRI_D3D9_OP_DEFB) {
        iri_buf_str(buf, words[0] ? ", true" : ", false");
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        char text[IRI_NUMBER_TEXT];
        iri_buf_str(buf, ", ");
        if (in->op == IRI_D3D9_OP_DEF) {
            iri_print_f64_nine(text, iri_f32_to_f64_bits(words[i]));
            iri_buf_str(buf, text);
        } else {
            bool negative = words[i] >> 31;
            iri_buf_str(buf, negative ? "-" : "");
            iri_buf_uint(buf, negative ? UINT64_C(0x100000000) - words[i] : words[i]);
        }
    }
}

/* Whether the first word behind the instruction is looked at as a destination. */
static bool has_destination(const iri_d3d9_instruction *in)
{
    return in->count &&
           (!(iri_d3d9_ops[in->op].flags & IRI_D3D9_FLAG_FLOW) || in->op == IRI_D3D9_OP_BREAKP);
}

static void list_instruction(iri_buf *buf, const iri_d3d9_shader *shader,
                             const iri_d3d9_instruction *in, uint32_t depth)
{
    const iri_d3d9_operand *o = &shader->operands[in->first];
    bool destination = has_destination(in);
    iri_buf_indent(buf, (in->coissue ? MARGIN - 2 : MARGIN) + depth * INDENT);
    if (in->coissue)
        iri_buf_str(buf, "+ ");
    if (in->predicate != IRI_D3D9_NONE && in->length >= (destination ? 2 : 1)) {
        const uint8_t *p = shader->data + (in->offset - shader->base) + (destination ? 8 : 4);
        uint32_t token =
            (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        iri_buf_char(buf, '(');
        list_source(buf, shader, token, NULL);
        iri_buf_str(buf, ") ");
        if (in->op == IRI_D3D9_OP_BREAKP)
            o = &shader->operands[in->predicate];
    }
    list_name(buf, shader, in);
    if (destination)
        list_result_modifiers(buf, o->token);
    for (uint32_t i = 0; i < in->count; i++) {
        iri_buf_str(buf, i ? ", " : " ");
        if (i == 0 && destination)
            list_destination(buf, shader, o);
        else
            list_source(buf, shader, o[i].token, &o[i]);
    }
    if (in->literal != IRI_D3D9_NONE && in->op != IRI_D3D9_OP_DCL)
        list_literals(buf, shader, in);
}

/* ---- slots ---- */

typedef struct slots {
    uint32_t texture, arithmetic;
    uint32_t last; /* arithmetic ones of the last instruction that takes any slot */
} slots;

/* Arithmetic slots where they are not one. */
static uint32_t arithmetic_slots(iri_d3d9_op op)
{
    switch (op) {
    case IRI_D3D9_OP_NOP:
    case IRI_D3D9_OP_LABEL:
    case IRI_D3D9_OP_DCL:
    case IRI_D3D9_OP_DEF:
    case IRI_D3D9_OP_DEFI:
    case IRI_D3D9_OP_DEFB:
    case IRI_D3D9_OP_PHASE: return 0;
    case IRI_D3D9_OP_M3X2:
    case IRI_D3D9_OP_CALL:
    case IRI_D3D9_OP_ENDLOOP:
    case IRI_D3D9_OP_ENDREP:
    case IRI_D3D9_OP_CRS:
    case IRI_D3D9_OP_BEM:
    case IRI_D3D9_OP_DP2ADD:
    case IRI_D3D9_OP_DSX:
    case IRI_D3D9_OP_DSY:
    case IRI_D3D9_OP_TEXLDD: return 2;
    case IRI_D3D9_OP_M4X3:
    case IRI_D3D9_OP_M3X3:
    case IRI_D3D9_OP_CALLNZ:
    case IRI_D3D9_OP_LOOP:
    case IRI_D3D9_OP_POW:
    case IRI_D3D9_OP_SGN:
    case IRI_D3D9_OP_SGN_3:
    case IRI_D3D9_OP_NRM:
    case IRI_D3D9_OP_REP:
    case IRI_D3D9_OP_IF:
    case IRI_D3D9_OP_IFC:
    case IRI_D3D9_OP_BREAKC:
    case IRI_D3D9_OP_BREAKP: return 3;
    case IRI_D3D9_OP_M4X4:
    case IRI_D3D9_OP_M3X4: return 4;
    case IRI_D3D9_OP_SINCOS:
    case IRI_D3D9_OP_SINCOS_3: return 8;
    default: return 1;
    }
}

static bool is_texture(iri_d3d9_op op)
{
    return op >= IRI_D3D9_OP_TEXCOORD && op != IRI_D3D9_OP_TEXKILL &&
           (op <= IRI_D3D9_OP_TEXM3X3VSPEC ||
            (op >= IRI_D3D9_OP_TEXREG2RGB && op <= IRI_D3D9_OP_TEXM3X3) ||
            op == IRI_D3D9_OP_TEXLDD || op == IRI_D3D9_OP_TEXLDL);
}

static void count_slots(slots *s, const iri_d3d9_shader *shader, const iri_d3d9_instruction *in)
{
    iri_d3d9_op op = (iri_d3d9_op)in->op;
    bool early_pixel = shader->stage == IRI_D3D9_PIXEL && shader->major == 1;
    uint32_t texture = 0, arithmetic = arithmetic_slots(op);
    if (is_texture(op)) {
        texture = op == IRI_D3D9_OP_TEXLDL ? 2 : 1;
        arithmetic = op == IRI_D3D9_OP_TEXLDD ? arithmetic : 0;
    }
    if (shader->model == IRI_D3D9_VS_1_1)
        arithmetic = op == IRI_D3D9_OP_EXP || op == IRI_D3D9_OP_LOG ? 10
                     : op == IRI_D3D9_OP_FRC                        ? 3
                                                                    : arithmetic;
    if (early_pixel && arithmetic > 1)
        arithmetic = 1;
    if (in->predicate != IRI_D3D9_NONE && !early_pixel)
        arithmetic++;
    /* What is co-issued costs what the dearer of the two does. */
    if (in->coissue) {
        uint32_t all = texture + arithmetic, more = all > s->last ? all - s->last : 0;
        s->texture += texture;
        s->arithmetic += more;
        s->arithmetic -= texture;
    } else {
        s->texture += texture;
        s->arithmetic += arithmetic;
    }
    if (texture || arithmetic)
        s->last = arithmetic;
}

static void list_slots(iri_buf *buf, const slots *s)
{
    uint32_t all = s->texture + s->arithmetic;
    iri_buf_printf(buf, "\n// approximately %u instruction slot%s used", all, all == 1 ? "" : "s");
    if (s->texture)
        iri_buf_printf(buf, " (%u texture, %u arithmetic)", s->texture, s->arithmetic);
    iri_buf_char(buf, '\n');
}

/* ---- comments as directives ---- */

static void list_comment(iri_buf *buf, const iri_d3d9_shader *shader, const iri_d3d9_comment *c)
{
    const uint8_t *p = shader->data + (c->offset - shader->base) + 4;
    iri_buf_str(buf, "//!comment");
    for (uint32_t i = 0; i < c->size; i += 4, p += 4) {
        if (i && i % 32 == 0)
            iri_buf_str(buf, "\n//!more");
        iri_buf_printf(buf, " %02x%02x%02x%02x", p[3], p[2], p[1], p[0]);
    }
    iri_buf_char(buf, '\n');
}

/* ---- the whole ---- */

typedef struct lines {
    size_t at; /* how much of the text is counted */
    uint32_t count;
} lines;

static uint32_t line_at_end(lines *l, const iri_buf *buf)
{
    for (; l->at < buf->size; l->at++)
        l->count += buf->data[l->at] == '\n';
    return l->count + 1;
}

/* The stream's first table, of whatever version. */
static const iri_d3d9_ctab *read_table(const iri_d3d9_listing *l, const iri_d3d9_shader *shader)
{
    for (uint32_t i = 0; i < shader->comment_count; i++) {
        const iri_d3d9_comment *c = &shader->comments[i];
        if (c->size >= 4 && c->tag == IRI_D3D9_TAG('C', 'T', 'A', 'B'))
            return iri_d3d9_ctab_parse(l->ctx, l->scratch,
                                       shader->data + (c->offset - shader->base) + 8, c->size - 4,
                                       c->offset + 8, 0);
    }
    return NULL;
}

static void list_version(iri_buf *buf, const iri_d3d9_shader *shader)
{
    iri_buf_indent(buf, MARGIN);
    iri_buf_str(buf, shader->target);
    iri_buf_char(buf, '\n');
}

static bool closes(iri_d3d9_op op)
{
    return op == IRI_D3D9_OP_ENDIF || op == IRI_D3D9_OP_ELSE || op == IRI_D3D9_OP_ENDREP ||
           op == IRI_D3D9_OP_ENDLOOP;
}

static bool opens(iri_d3d9_op op)
{
    return op == IRI_D3D9_OP_IF || op == IRI_D3D9_OP_IFC || op == IRI_D3D9_OP_ELSE ||
           op == IRI_D3D9_OP_REP || op == IRI_D3D9_OP_LOOP;
}

void iri_d3d9_disassemble(const iri_d3d9_listing *l, const iri_d3d9_shader *shader)
{
    iri_buf *buf = l->buf;
    iri_d3d9_debug *debug = iri_d3d9_debug_read(l->ctx, l->scratch, shader);
    const iri_d3d9_ctab *ctab = read_table(l, shader);
    uint32_t depth = 0, comment = 0;
    slots used = {0};
    lines counted = {0};
    iri_d3d9_list_preshader(l->ctx, l->scratch, buf, shader);
    if (ctab)
        iri_d3d9_list_ctab(buf, l->scratch, ctab);
    list_version(buf, shader);
    for (uint32_t i = 0; i <= shader->instruction_count; i++) {
        for (; l->comments && comment < shader->comment_count &&
               shader->comments[comment].before == i;
             comment++)
            list_comment(buf, shader, &shader->comments[comment]);
        if (i == shader->instruction_count)
            break;
        const iri_d3d9_instruction *in = &shader->instructions[i];
        depth -= closes((iri_d3d9_op)in->op) && depth;
        if (debug)
            iri_d3d9_list_place(debug, buf, in->offset - shader->base);
        if (l->on_line)
            l->on_line(l->user, in->offset, line_at_end(&counted, buf));
        list_instruction(buf, shader, in, depth);
        if (debug)
            iri_d3d9_list_variables(debug, buf, in->offset - shader->base);
        iri_buf_char(buf, '\n');
        count_slots(&used, shader, in);
        depth += opens((iri_d3d9_op)in->op);
    }
    list_slots(buf, &used);
}
