/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a shader's model allows: instructions, registers, modifiers, declarations. Rules:
 * Microsoft's register tables and instruction pages per model (docs/formats/d3d9.md). Left out on
 * purpose are those that bound hardware and not meaning: read ports, instruction slots, restricted
 * swizzles, co-issue pairing. Control flow is flow.c's.
 */
#include "read/d3d9/decode.h"

#include <stdio.h>

#define BANK(id) (1u << IRI_D3D9_BANK_##id)
#define OUTPUTS (BANK(OPOS) | BANK(OFOG) | BANK(OPTS) | BANK(OD) | BANK(OT) | BANK(O))

typedef struct checker {
    iri_ctx *ctx;
    const iri_d3d9_shader *shader;
    const char *target;
    iri_d3d9_model model;
    bool vertex, extended; /* extended: 2_x and later, which has predicates */
    uint32_t major, minor;
    uint32_t readable, writable;
    uint32_t declared_banks;                   /* those whose registers must be declared */
    uint8_t declared[IRI_D3D9_BANK_COUNT][16]; /* lanes */
    uint16_t usages[2][IRI_D3D9_USAGE_COUNT];  /* seen indices, of inputs and outputs */
    bool executing;                            /* an instruction that executes was seen */
} checker;

/* A register as the assembler spells it. */
typedef struct spelling {
    char text[16];
} spelling;

static spelling spell(uint32_t bank, uint32_t number)
{
    spelling s;
    const iri_d3d9_bank_row *row = &iri_d3d9_banks[bank];
    if (row->numbered)
        snprintf(s.text, sizeof s.text, "%s%u", row->prefix, number);
    else
        snprintf(s.text, sizeof s.text, "%s", row->prefix);
    return s;
}

static void check_register(const checker *c, uint32_t offset, uint32_t token, uint32_t bank,
                           uint32_t number)
{
    uint32_t limit = iri_d3d9_banks[bank].limits[c->model];
    if (bank == IRI_D3D9_BANK_NONE)
        iri_fail(c->ctx, IRI_MALFORMED_REGISTER, offset, "%s has no register of type %u%s",
                 c->target, (token >> 28 & 7u) | (token >> 8 & 0x18u),
                 number ? " and this number" : "");
    if (limit == 0)
        iri_fail(c->ctx, IRI_MALFORMED_REGISTER, offset, "%s has no %s register", c->target,
                 iri_d3d9_banks[bank].prefix);
    if (number >= limit)
        iri_fail(c->ctx, IRI_MALFORMED_REGISTER, offset, "%s is past the %u %s registers of %s",
                 spell(bank, number).text, limit, iri_d3d9_banks[bank].prefix, c->target);
}

static bool relative_allowed(const checker *c, const iri_d3d9_operand *o)
{
    bool loop = o->relative_bank == IRI_D3D9_BANK_AL;
    if (c->vertex && c->major < 3)
        return !o->is_dst && o->bank == IRI_D3D9_BANK_C;
    if (c->vertex)
        return o->is_dst ? o->bank == IRI_D3D9_BANK_O
                         : o->bank == IRI_D3D9_BANK_C || o->bank == IRI_D3D9_BANK_V;
    return c->major == 3 && !o->is_dst && o->bank == IRI_D3D9_BANK_V && loop;
}

static void check_relative(const checker *c, const iri_d3d9_operand *o)
{
    if (!relative_allowed(c, o))
        iri_fail(c->ctx, IRI_MALFORMED_OPERAND, o->offset, "%s does not index %s %s by %s",
                 c->target, iri_d3d9_banks[o->bank].prefix, o->is_dst ? "destinations" : "sources",
                 iri_d3d9_banks[o->relative_bank].prefix);
    if (o->relative == IRI_D3D9_RELATIVE_IMPLICIT)
        return;
    if (o->relative_bank != IRI_D3D9_BANK_A && o->relative_bank != IRI_D3D9_BANK_AL)
        iri_fail(c->ctx, IRI_MALFORMED_OPERAND, o->relative_offset, "%s is no index register",
                 spell(o->relative_bank, o->relative_number).text);
    check_register(c, o->relative_offset, o->relative_token, o->relative_bank, o->relative_number);
    const uint8_t *s = o->relative_swizzle;
    if (o->relative_bank == IRI_D3D9_BANK_A && (s[0] != s[1] || s[0] != s[2] || s[0] != s[3]))
        iri_fail(c->ctx, IRI_MALFORMED_OPERAND, o->relative_offset,
                 "an index of more than one lane of a0");
    if (o->relative_token & 0x0f00e000u)
        iri_fail(c->ctx, IRI_MALFORMED_OPERAND, o->relative_offset,
                 "an index register with a modifier or reserved bits (0x%08x)", o->relative_token);
}

static void check_declared(const checker *c, const iri_d3d9_operand *o)
{
    if (!(c->declared_banks & 1u << o->bank) || o->relative)
        return;
    if (!c->declared[o->bank][o->number])
        iri_fail(c->ctx, IRI_MALFORMED_DECLARATION, o->offset, "%s is used and not declared",
                 spell(o->bank, o->number).text);
}

/* Bank, number, reserved bits and relative addressing of any operand. */
static void check_operand(const checker *c, const iri_d3d9_instruction *in,
                          const iri_d3d9_operand *o, uint32_t banks)
{
    check_register(c, o->offset, o->token, o->bank, o->number);
    if (!(banks & 1u << o->bank))
        iri_fail(c->ctx, IRI_MALFORMED_OPERAND, o->offset, "%s does not take %s as %s here",
                 iri_d3d9_ops[in->op].name, spell(o->bank, o->number).text,
                 o->is_dst ? "its destination" : "a source");
    if (o->token & 0xc000u)
        iri_fail(c->ctx, IRI_MALFORMED_TOKEN, o->offset,
                 "reserved bits of a parameter are set (0x%08x)", o->token);
    if (o->relative)
        check_relative(c, o);
}

static uint32_t destination_banks(const checker *c, iri_d3d9_op op)
{
    bool early_pixel = !c->vertex && c->major == 1 && c->minor < 4;
    switch (op) {
    case IRI_D3D9_OP_MOVA: return BANK(A);
    case IRI_D3D9_OP_SETP: return BANK(P);
    case IRI_D3D9_OP_DEF: return BANK(C);
    case IRI_D3D9_OP_DEFI: return BANK(I);
    case IRI_D3D9_OP_DEFB: return BANK(B);
    case IRI_D3D9_OP_MOV: return c->writable | (c->vertex && c->major == 1 ? BANK(A) : 0);
    case IRI_D3D9_OP_TEXKILL:
        return c->major == 3 ? BANK(R) | BANK(V) : early_pixel ? BANK(T) : BANK(R) | BANK(T);
    default: break;
    }
    if (early_pixel && !(iri_d3d9_ops[op].flags & IRI_D3D9_FLAG_ARITH))
        return BANK(T); /* the tex... instructions */
    return c->writable;
}

/* Lanes that an instruction has a value for, where not all. */
static uint32_t lanes_of(iri_d3d9_op op)
{
    switch (op) {
    case IRI_D3D9_OP_SINCOS:
    case IRI_D3D9_OP_SINCOS_3:
    case IRI_D3D9_OP_M3X2:
    case IRI_D3D9_OP_BEM: return 3;
    case IRI_D3D9_OP_CRS:
    case IRI_D3D9_OP_M3X3:
    case IRI_D3D9_OP_M4X3: return 7;
    default: return 15;
    }
}

static void check_modifiers(const checker *c, const iri_d3d9_instruction *in,
                            const iri_d3d9_operand *o)
{
    uint32_t allowed = 0;
    bool dcl = in->op == IRI_D3D9_OP_DCL,
         arithmetic = iri_d3d9_ops[in->op].flags & IRI_D3D9_FLAG_ARITH;
    if (!dcl && (!c->vertex || c->major == 3))
        allowed |= IRI_D3D9_DST_SAT;
    if (!c->vertex && c->major >= 2)
        allowed |= IRI_D3D9_DST_PP | (dcl ? IRI_D3D9_DST_CENTROID : 0);
    if (o->modifiers & ~allowed)
        iri_fail(c->ctx, IRI_MALFORMED_OPERAND, o->offset,
                 "%s of %s does not take the modifier 0x%x", iri_d3d9_ops[in->op].name, c->target,
                 o->modifiers & ~allowed);
    if (o->shift != 0 &&
        (c->vertex || c->major > 1 || !arithmetic || o->shift > 3 || o->shift < -3))
        iri_fail(c->ctx, IRI_MALFORMED_OPERAND, o->offset, "%s of %s does not take a shift by %d",
                 iri_d3d9_ops[in->op].name, c->target, o->shift);
}

static void check_destination(const checker *c, const iri_d3d9_instruction *in,
                              const iri_d3d9_operand *o)
{
    check_operand(c, in, o, destination_banks(c, (iri_d3d9_op)in->op));
    check_modifiers(c, in, o);
    if (o->mask == 0)
        iri_fail(c->ctx, IRI_MALFORMED_OPERAND, o->offset, "%s writes no lane",
                 iri_d3d9_ops[in->op].name);
    if (o->mask & ~lanes_of((iri_d3d9_op)in->op))
        iri_fail(c->ctx, IRI_MALFORMED_OPERAND, o->offset,
                 "%s has no value for all lanes of its mask", iri_d3d9_ops[in->op].name);
    if (o->bank == IRI_D3D9_BANK_A && c->major == 1 && o->mask != 1)
        iri_fail(c->ctx, IRI_MALFORMED_OPERAND, o->offset, "%s has a0.x only", c->target);
    check_declared(c, o);
}

static bool modifier_allowed(const checker *c, const iri_d3d9_instruction *in, char kind,
                             uint32_t modifier)
{
    bool early = !c->vertex && c->major == 1;
    if (modifier == IRI_D3D9_SRC_NONE)
        return true;
    if (kind == 'b' || kind == 'p')
        return modifier == IRI_D3D9_SRC_NOT;
    if (kind != 's')
        return false;
    switch ((iri_d3d9_srcmod)modifier) {
    case IRI_D3D9_SRC_NEG: return true;
    case IRI_D3D9_SRC_BIAS:
    case IRI_D3D9_SRC_BIASNEG:
    case IRI_D3D9_SRC_SIGN:
    case IRI_D3D9_SRC_SIGNNEG:
    case IRI_D3D9_SRC_COMP: return early;
    case IRI_D3D9_SRC_X2:
    case IRI_D3D9_SRC_X2NEG: return early && c->minor == 4;
    case IRI_D3D9_SRC_DZ:
    case IRI_D3D9_SRC_DW: return in->op == IRI_D3D9_OP_TEXLD_1_4 || in->op == IRI_D3D9_OP_TEXCRD;
    case IRI_D3D9_SRC_ABS:
    case IRI_D3D9_SRC_ABSNEG: return c->major == 3;
    case IRI_D3D9_SRC_NONE:
    case IRI_D3D9_SRC_NOT:
    case IRI_D3D9_SRC_COUNT: break;
    }
    return false;
}

static uint32_t source_banks(const checker *c, char kind)
{
    switch (kind) {
    case 't': return BANK(S);
    case 'l': return BANK(L);
    case 'i': return BANK(I);
    case 'b': return BANK(B) | (c->extended ? BANK(P) : 0);
    case 'p': return BANK(P);
    case 'a': return BANK(AL);
    default: return c->readable;
    }
}

static void check_source(const checker *c, const iri_d3d9_instruction *in,
                         const iri_d3d9_operand *o, char kind)
{
    check_operand(c, in, o, source_banks(c, kind));
    if (!modifier_allowed(c, in, kind, o->modifier))
        iri_fail(c->ctx, IRI_MALFORMED_OPERAND, o->offset,
                 "%s of %s does not take the source modifier %u here", iri_d3d9_ops[in->op].name,
                 c->target, o->modifier);
    check_declared(c, o);
}

/* A scalar source names one lane. In vs_1_x it may have no swizzle, and is then read at .w: so the
 * code on the DirectX 8.1 pages, swizzle[3] either way. */
static void check_scalar(const checker *c, const iri_d3d9_instruction *in,
                         const iri_d3d9_operand *o, uint32_t source)
{
    const uint8_t *s = o->swizzle;
    bool replicated = s[0] == s[1] && s[0] == s[2] && s[0] == s[3];
    bool plain = s[0] == 0 && s[1] == 1 && s[2] == 2 && s[3] == 3;
    if (iri_d3d9_is_scalar((iri_d3d9_op)in->op, source) && !replicated &&
        !(plain && c->vertex && c->major == 1))
        iri_fail(c->ctx, IRI_MALFORMED_OPERAND, o->offset,
                 "%s takes one lane of a source, not several", iri_d3d9_ops[in->op].name);
}

/* The registers behind a matrix's first. */
static void check_matrix(const checker *c, const iri_d3d9_instruction *in)
{
    const iri_d3d9_operand *o = &c->shader->operands[in->first + 2];
    uint32_t last = o->number + iri_d3d9_matrix_rows((iri_d3d9_op)in->op) - 1u;
    check_register(c, o->offset, o->token, o->bank, last);
    for (uint32_t n = o->number + 1u;
         n <= last && c->declared_banks & 1u << o->bank && !o->relative; n++)
        if (!c->declared[o->bank][n])
            iri_fail(c->ctx, IRI_MALFORMED_DECLARATION, o->offset, "%s is used and not declared",
                     spell(o->bank, n).text);
}

static uint32_t declarable_banks(const checker *c)
{
    if (c->vertex)
        return BANK(V) | (c->major == 3 ? BANK(O) | BANK(S) : 0);
    return BANK(V) | BANK(S) | (c->major == 3 ? BANK(VPOS) | BANK(VFACE) : BANK(T));
}

static void check_dcl(checker *c, const iri_d3d9_instruction *in)
{
    const iri_d3d9_operand *o = &c->shader->operands[in->first];
    uint32_t word = c->shader->literals[in->literal], usage = iri_d3d9_dcl_usage(word);
    uint32_t index = iri_d3d9_dcl_index(word);
    if (!(word & 0x80000000u))
        iri_fail(c->ctx, IRI_MALFORMED_TOKEN, in->offset + 4,
                 "the usage word 0x%08x of a dcl lacks bit 31", word);
    check_operand(c, in, o, declarable_banks(c));
    check_modifiers(c, in, o);
    uint8_t *lanes = &c->declared[o->bank][o->number];
    if (o->bank == IRI_D3D9_BANK_S) {
        uint32_t texture = iri_d3d9_dcl_texture(word);
        if (texture < IRI_D3D9_TEXTURE_2D || texture > IRI_D3D9_TEXTURE_VOLUME)
            iri_fail(c->ctx, IRI_MALFORMED_DECLARATION, in->offset + 4,
                     "%u is no texture type of a sampler", texture);
        if (*lanes)
            iri_fail(c->ctx, IRI_MALFORMED_DECLARATION, o->offset, "s%u is declared twice",
                     o->number);
        *lanes = 15;
        return;
    }
    if (o->mask == 0 && o->bank != IRI_D3D9_BANK_VFACE && o->bank != IRI_D3D9_BANK_VPOS)
        iri_fail(c->ctx, IRI_MALFORMED_DECLARATION, o->offset, "%s is declared without a lane",
                 spell(o->bank, o->number).text);
    if (*lanes & o->mask)
        iri_fail(c->ctx, IRI_MALFORMED_DECLARATION, o->offset, "lanes of %s are declared twice",
                 spell(o->bank, o->number).text);
    *lanes |= o->mask ? o->mask : 15;
    bool semantic =
        o->bank == IRI_D3D9_BANK_O || (o->bank == IRI_D3D9_BANK_V && (c->vertex || c->major == 3));
    if (!semantic)
        return;
    uint16_t *seen = c->usages[o->bank == IRI_D3D9_BANK_O];
    if (usage >= IRI_D3D9_USAGE_COUNT)
        iri_fail(c->ctx, IRI_MALFORMED_DECLARATION, in->offset + 4, "%u is no usage", usage);
    if (seen[usage] & 1u << index)
        iri_fail(c->ctx, IRI_MALFORMED_DECLARATION, in->offset + 4, "%s%u is declared twice",
                 iri_d3d9_usage_name(usage), index);
    seen[usage] |= (uint16_t)(1u << index);
}

static void check_control(const checker *c, const iri_d3d9_instruction *in)
{
    uint32_t flags = iri_d3d9_ops[in->op].flags, control = in->control;
    bool right = flags & IRI_D3D9_FLAG_COMPARE
                     ? control >= IRI_D3D9_CMP_GT && control <= IRI_D3D9_CMP_LE
                 : flags & IRI_D3D9_FLAG_CONTROL ? control <= IRI_D3D9_TEXLD_BIAS
                                                 : control == 0;
    if (!right)
        iri_fail(c->ctx, IRI_MALFORMED_TOKEN, in->offset, "%s does not take the control bits 0x%x",
                 iri_d3d9_ops[in->op].name, control);
    if (in->token & 0x20000000u)
        iri_fail(c->ctx, IRI_MALFORMED_TOKEN, in->offset, "a reserved bit of 0x%08x is set",
                 in->token);
}

static void check_coissue(const checker *c, const iri_d3d9_instruction *in)
{
    const iri_d3d9_instruction *before = in == c->shader->instructions ? NULL : in - 1;
    if (c->vertex || c->major > 1)
        iri_fail(c->ctx, IRI_MALFORMED_TOKEN, in->offset, "%s has no co-issued instructions",
                 c->target);
    if (before == NULL || before->coissue || !(iri_d3d9_ops[in->op].flags & IRI_D3D9_FLAG_ARITH) ||
        !(iri_d3d9_ops[before->op].flags & IRI_D3D9_FLAG_ARITH))
        iri_fail(c->ctx, IRI_MALFORMED_TOKEN, in->offset,
                 "%s has no instruction to be co-issued with", iri_d3d9_ops[in->op].name);
}

static void check_predicate(const checker *c, const iri_d3d9_instruction *in)
{
    const uint32_t may = IRI_D3D9_FLAG_ARITH | IRI_D3D9_FLAG_SAMPLE;
    const iri_d3d9_operand *o = &c->shader->operands[in->predicate];
    if (!c->extended || (!(iri_d3d9_ops[in->op].flags & may) && in->op != IRI_D3D9_OP_TEXKILL))
        iri_fail(c->ctx, IRI_MALFORMED_TOKEN, in->offset, "%s of %s is not predicated",
                 iri_d3d9_ops[in->op].name, c->target);
    check_source(c, in, o, 'p');
}

static void check_instruction(checker *c, const iri_d3d9_instruction *in)
{
    const iri_d3d9_op_row *row = &iri_d3d9_ops[in->op];
    const iri_d3d9_operand *o = &c->shader->operands[in->first];
    if (!iri_d3d9_model_has_op(c->model, (iri_d3d9_op)in->op))
        iri_fail(c->ctx, IRI_MALFORMED_TOKEN, in->offset, "%s has no %s", c->target, row->name);
    check_control(c, in);
    if (in->coissue)
        check_coissue(c, in);
    if (in->predicate != IRI_D3D9_NONE)
        check_predicate(c, in);
    if (!(row->flags & IRI_D3D9_FLAG_DECL)) {
        c->executing |= in->op != IRI_D3D9_OP_NOP;
    } else if (c->executing) {
        iri_fail(c->ctx, IRI_MALFORMED_DECLARATION, in->offset,
                 "a %s after instructions that execute", row->name);
    }
    if (in->op == IRI_D3D9_OP_DCL) {
        check_dcl(c, in);
        return;
    }
    uint32_t sources = 0;
    for (const char *kind = row->operands; *kind; kind++) {
        if (*kind == 'd' || *kind == 'k') {
            check_destination(c, in, o++);
        } else if (*kind >= 'a') {
            check_source(c, in, o, *kind);
            check_scalar(c, in, o++, sources++);
        }
    }
    if (row->flags & IRI_D3D9_FLAG_MATRIX)
        check_matrix(c, in);
}

static void start(checker *c)
{
    c->readable = BANK(R) | BANK(V) | BANK(C);
    if (c->vertex) {
        c->readable |= c->major >= 2 ? BANK(AL) : 0;
        c->writable = BANK(R) | OUTPUTS;
        c->declared_banks = c->major >= 2 ? BANK(V) | BANK(O) | BANK(S) : 0;
    } else if (c->major == 1) {
        c->readable |= BANK(T);
        c->writable = BANK(R) | (c->minor < 4 ? BANK(T) : 0);
    } else {
        c->readable |= c->major == 2 ? BANK(T) : BANK(VPOS) | BANK(VFACE) | BANK(AL);
        c->writable = BANK(R) | BANK(OC) | BANK(ODEPTH);
        c->declared_banks = BANK(V) | BANK(T) | BANK(S) | BANK(VPOS) | BANK(VFACE);
    }
}

void iri_d3d9_check(iri_ctx *ctx, const iri_d3d9_shader *shader)
{
    checker c = {.ctx = ctx,
                 .shader = shader,
                 .target = shader->target,
                 .model = (iri_d3d9_model)shader->model,
                 .vertex = shader->stage == IRI_D3D9_VERTEX,
                 .extended = shader->major == 3 || (shader->major == 2 && shader->minor > 0),
                 .major = shader->major,
                 .minor = shader->minor};
    start(&c);
    for (uint32_t i = 0; i < shader->instruction_count; i++)
        check_instruction(&c, &shader->instructions[i]);
    iri_d3d9_check_flow(ctx, shader);
}
