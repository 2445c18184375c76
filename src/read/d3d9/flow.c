/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Control flow of Direct3D 9 shaders: what opens is closed, breaks stand in loops, subroutines
 * exist, end, and do not call themselves. Nesting limits: Microsoft's "Flow Control Nesting Limits"
 * (docs/formats/d3d9.md).
 */
#include "read/d3d9/decode.h"

enum {
    IF_LIMIT = 24,  /* of ifs on booleans, and again of ifs on values */
    LOOP_LIMIT = 4, /* 1 in vs_2_0 */
    CALL_LIMIT = 4, /* 1 in vs_2_0 */
    OPEN_LIMIT = 2 * IF_LIMIT + LOOP_LIMIT,
    LABEL_LIMIT = 2048
};

/* What is open. */
typedef enum construct { STATIC_IF, DYNAMIC_IF, LOOP, REP, CONSTRUCT_COUNT } construct;

/* By label. Large, and few shaders have any. */
typedef struct subroutines {
    uint32_t labels[LABEL_LIMIT]; /* index of the label instruction + 1 */
    uint8_t heights[LABEL_LIMIT]; /* calls nested below it, itself included; 0: not known */
} subroutines;

typedef struct flow {
    iri_ctx *ctx;
    const iri_d3d9_shader *shader;
    uint32_t loop_limit, call_limit;
    struct {
        uint32_t offset;
        uint8_t kind;
        bool has_else;
    } open[OPEN_LIMIT];
    uint32_t depth, counts[CONSTRUCT_COUNT];
    bool ended;    /* a ret was the last instruction */
    bool in_label; /* in a subroutine */
    bool has_phase;
    subroutines *subroutines;      /* NULL where no instruction names one */
    uint32_t path[CALL_LIMIT + 1]; /* labels being walked */
} flow;

static void open_construct(flow *f, const iri_d3d9_instruction *in, construct kind)
{
    bool loop = kind == LOOP || kind == REP;
    uint32_t limit = loop ? f->loop_limit : IF_LIMIT;
    uint32_t count = loop ? f->counts[LOOP] + f->counts[REP] : f->counts[kind];
    if (count >= limit)
        iri_fail(f->ctx, IRI_MALFORMED_FLOW, in->offset, "%s nested deeper than the %u of %s",
                 iri_d3d9_ops[in->op].name, limit, f->shader->target);
    if (f->depth >= f->ctx->limits.nesting)
        iri_fail(f->ctx, IRI_LIMIT_NESTING, in->offset, "more than %u levels of nesting",
                 f->ctx->limits.nesting);
    f->open[f->depth].offset = in->offset;
    f->open[f->depth].kind = (uint8_t)kind;
    f->open[f->depth].has_else = false;
    f->depth++;
    f->counts[kind]++;
}

static void close_construct(flow *f, const iri_d3d9_instruction *in, construct a, construct b)
{
    uint32_t kind = f->depth ? f->open[f->depth - 1].kind : CONSTRUCT_COUNT;
    if (kind != (uint32_t)a && kind != (uint32_t)b)
        iri_fail(f->ctx, IRI_MALFORMED_FLOW, in->offset, "%s closes nothing that is open here",
                 iri_d3d9_ops[in->op].name);
    if (in->op == IRI_D3D9_OP_ELSE) {
        if (f->open[f->depth - 1].has_else)
            iri_fail(f->ctx, IRI_MALFORMED_FLOW, in->offset, "a second else of one if");
        f->open[f->depth - 1].has_else = true;
        return;
    }
    f->depth--;
    f->counts[kind]--;
}

static uint32_t label_of(const flow *f, const iri_d3d9_instruction *in)
{
    return f->shader->operands[in->first].number;
}

static void check_closed(const flow *f, const iri_d3d9_instruction *in)
{
    if (f->depth)
        iri_fail(f->ctx, IRI_MALFORMED_FLOW, in->offset, "%s inside what is opened at 0x%x",
                 iri_d3d9_ops[in->op].name, f->open[f->depth - 1].offset);
}

static void define_label(flow *f, const iri_d3d9_instruction *in)
{
    uint32_t label = label_of(f, in);
    check_closed(f, in);
    if (!f->ended)
        iri_fail(f->ctx, IRI_MALFORMED_FLOW, in->offset, "l%u begins before a ret", label);
    if (f->subroutines->labels[label])
        iri_fail(f->ctx, IRI_MALFORMED_FLOW, in->offset, "l%u is defined twice", label);
    f->subroutines->labels[label] = (uint32_t)(in - f->shader->instructions) + 1;
    f->in_label = true;
}

/* aL means something inside a loop, and in subroutines, which a loop may call. */
static void check_counter(const flow *f, const iri_d3d9_instruction *in)
{
    if (f->counts[LOOP] || f->in_label || in->op == IRI_D3D9_OP_LOOP)
        return;
    for (uint32_t i = 0; i < in->count; i++) {
        const iri_d3d9_operand *o = &f->shader->operands[in->first + i];
        if (o->bank == IRI_D3D9_BANK_AL ||
            (o->relative == IRI_D3D9_RELATIVE_TOKEN && o->relative_bank == IRI_D3D9_BANK_AL))
            iri_fail(f->ctx, IRI_MALFORMED_FLOW, o->offset, "aL is read outside any loop");
    }
}

static void walk_instruction(flow *f, const iri_d3d9_instruction *in)
{
    uint32_t flags = iri_d3d9_ops[in->op].flags;
    if (f->ended && in->op != IRI_D3D9_OP_LABEL && in->op != IRI_D3D9_OP_NOP &&
        !(flags & IRI_D3D9_FLAG_DECL))
        iri_fail(f->ctx, IRI_MALFORMED_FLOW, in->offset, "%s after a ret, where no label leads",
                 iri_d3d9_ops[in->op].name);
    check_counter(f, in);
    switch ((iri_d3d9_op)in->op) {
    case IRI_D3D9_OP_IF:
        open_construct(
            f, in, f->shader->operands[in->first].bank == IRI_D3D9_BANK_P ? DYNAMIC_IF : STATIC_IF);
        break;
    case IRI_D3D9_OP_IFC: open_construct(f, in, DYNAMIC_IF); break;
    case IRI_D3D9_OP_LOOP: open_construct(f, in, LOOP); break;
    case IRI_D3D9_OP_REP: open_construct(f, in, REP); break;
    case IRI_D3D9_OP_ELSE:
    case IRI_D3D9_OP_ENDIF: close_construct(f, in, STATIC_IF, DYNAMIC_IF); break;
    case IRI_D3D9_OP_ENDLOOP: close_construct(f, in, LOOP, LOOP); break;
    case IRI_D3D9_OP_ENDREP: close_construct(f, in, REP, REP); break;
    case IRI_D3D9_OP_BREAK:
    case IRI_D3D9_OP_BREAKC:
    case IRI_D3D9_OP_BREAKP:
        if (!f->counts[LOOP] && !f->counts[REP])
            iri_fail(f->ctx, IRI_MALFORMED_FLOW, in->offset, "%s outside any loop",
                     iri_d3d9_ops[in->op].name);
        break;
    case IRI_D3D9_OP_LABEL:
        define_label(f, in);
        f->ended = false;
        break;
    case IRI_D3D9_OP_RET:
        check_closed(f, in);
        f->ended = true;
        break;
    case IRI_D3D9_OP_PHASE:
        if (f->has_phase)
            iri_fail(f->ctx, IRI_MALFORMED_FLOW, in->offset, "a second phase");
        f->has_phase = true;
        break;
    default: break; /* straight-line code; calls are followed when all labels are known */
    }
}

/* The calls made from instruction `at` up to the next label, `depth` calls below the main program.
 * The recursion is as deep as CALL_LIMIT. Returns how many calls nest below. */
static uint32_t walk_calls(flow *f, uint32_t at, uint32_t depth)
{
    uint32_t height = 0;
    for (; at < f->shader->instruction_count; at++) {
        const iri_d3d9_instruction *in = &f->shader->instructions[at];
        if (in->op == IRI_D3D9_OP_LABEL)
            break;
        if (in->op != IRI_D3D9_OP_CALL && in->op != IRI_D3D9_OP_CALLNZ)
            continue;
        uint32_t label = label_of(f, in);
        if (!f->subroutines->labels[label])
            iri_fail(f->ctx, IRI_MALFORMED_FLOW, in->offset, "l%u is called and not defined",
                     label);
        for (uint32_t i = 0; i < depth; i++)
            if (f->path[i] == label)
                iri_fail(f->ctx, IRI_MALFORMED_FLOW, in->offset, "l%u calls itself", label);
        if (depth >= CALL_LIMIT ||
            depth + (f->subroutines->heights[label] ? f->subroutines->heights[label] : 1u) >
                f->call_limit)
            iri_fail(f->ctx, IRI_MALFORMED_FLOW, in->offset,
                     "calls nested deeper than the %u of %s", f->call_limit, f->shader->target);
        if (!f->subroutines->heights[label]) {
            f->path[depth] = label;
            f->subroutines->heights[label] =
                (uint8_t)(1 + walk_calls(f, f->subroutines->labels[label], depth + 1));
        }
        if (f->subroutines->heights[label] > height)
            height = f->subroutines->heights[label];
    }
    return height;
}

static bool names_label(const iri_d3d9_shader *shader)
{
    for (uint32_t i = 0; i < shader->instruction_count; i++)
        if (iri_d3d9_ops[shader->instructions[i].op].operands[0] == 'l')
            return true;
    return false;
}

void iri_d3d9_check_flow(iri_ctx *ctx, const iri_d3d9_shader *shader)
{
    bool simple = shader->model == IRI_D3D9_VS_2_0;
    if (shader->major == 1 && shader->model != IRI_D3D9_PS_1_4)
        return; /* no control flow there, and phase in ps_1_4 only */
    subroutines named;
    flow f = {.ctx = ctx,
              .shader = shader,
              .loop_limit = simple ? 1 : LOOP_LIMIT,
              .call_limit = simple ? 1 : CALL_LIMIT};
    uint32_t count = shader->instruction_count, end = shader->base + shader->size - 4;
    if (names_label(shader)) {
        memset(&named, 0, sizeof named);
        f.subroutines = &named;
    }
    for (uint32_t i = 0; i < count; i++)
        walk_instruction(&f, &shader->instructions[i]);
    if (f.depth)
        iri_fail(ctx, IRI_MALFORMED_FLOW, end, "the end stands inside what is opened at 0x%x",
                 f.open[f.depth - 1].offset);
    if (f.in_label && !f.ended)
        iri_fail(ctx, IRI_MALFORMED_FLOW, end, "the last subroutine has no ret");
    walk_calls(&f, 0, 0);
    for (uint32_t i = 0; i < count; i++) /* what is never called calls something, too */
        if (shader->instructions[i].op == IRI_D3D9_OP_LABEL &&
            !named.heights[label_of(&f, &shader->instructions[i])]) {
            f.path[0] = label_of(&f, &shader->instructions[i]);
            walk_calls(&f, i + 1, 1);
        }
}
