/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Error bounds of whole shaders: one invocation is traced, and beside each value goes how far the same value of
 * another implementation may lie from it. Each operation adds its own error (precision.def; sums and products one
 * unit in the last place, since they may be contracted) to what its operands' errors become. A comparison
 * whose operands lie closer together than their errors may come out either way; what hangs on it is taken as
 * the distance of the two outcomes, or as not known.
 */
#include "tests/oracle/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct lane {
    double v; /* the number; of integers and bools too */
    double e; /* how far off it may be */
} lane;

typedef struct known {
    lane at[GPU_LANES];
} known;

typedef struct carrier {
    const gpu_job *job;
    const iri_program *p;
    known *values;
    known *locals; /* plain locals, and all elements of an indexable one together */
    known carried[64];
    uint32_t carried_count;
    bool continuing;
    iri_id continuing_loop;
    double *bound;
    bool uncertain;
    uint32_t flips;
    known *derivatives; /* in order, as each pixel's own row and column give them */
    uint32_t derivative_count, derivative_at;
} carrier;

static double number_of(iri_type type, uint64_t bits)
{
    switch (IRI_TYPE_SCALAR(type)) {
    case IRI_F32: return (double)gpu_float((uint32_t)bits);
    case IRI_I32: return (double)(int32_t)bits;
    case IRI_BOOL: return bits != 0;
    default: return (double)(uint32_t)bits;
    }
}

static known *get(carrier *c, iri_id value)
{
    known *k = &c->values[value];
    if (iri_is_constant(c->p, value)) {
        iri_type type = iri_type_of(c->p, value);
        for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++)
            k->at[i] = (lane){number_of(type, iri_constant(c->p, value)[i]), 0};
    }
    return k;
}

static double ulps(double r, double count)
{
    return count * (ldexp(fabs(r), -23) + 0x1p-149) + (count > 0 ? 0x1p-126 : 0);
}

/* Whether the numbers may be equal or in the other order. */
static bool may_flip(lane a, lane b)
{
    double e = a.e + b.e;
    return e > 0 && !(fabs(a.v - b.v) > e);
}

/* Of a step function: whether a whole number (of `step`) lies within the error. */
static bool may_step(lane a, double offset)
{
    return a.e > 0 && !(floor(a.v + offset - a.e) == floor(a.v + offset + a.e));
}

static double log2_error(lane a)
{
    double x = fabs(a.v), l = log2(x);
    if (!(x > 2 * a.e) || x < 0x1p-126)
        return HUGE_VAL;
    return a.e / (x - a.e) / 0.69314718 +
           fmax(gpu_precision_of(IRI_OP_LOG2, 1).absolute,
                ulps(l, gpu_precision_of(IRI_OP_LOG2, HUGE_VAL).ulps));
}

static double exp2_error(double r, double x, double e)
{
    return e < 64
               ? fabs(r) * (exp2(e) - 1) + ulps(r, gpu_precision_of(IRI_OP_EXP2, fabs(x) + e).ulps)
               : HUGE_VAL;
}

static double mul_error(double r, lane a, lane b)
{
    /* A factor that is exactly zero stays one: zero wins. */
    if ((a.v == 0 && a.e == 0) || (b.v == 0 && b.e == 0))
        return 0;
    return fabs(a.v) * b.e + fabs(b.v) * a.e + a.e * b.e + ulps(r, 1);
}

static double pow_error(double r, lane a, lane b)
{
    double le = log2_error(a), l = log2(fabs(a.v));
    if (b.v == 0 && b.e == 0)
        return 0;
    if (a.v == 0 && a.e == 0)
        return b.v > b.e ? 0 : HUGE_VAL;
    /* Near a base of zero the result is what the largest base near it gives. */
    if (le == HUGE_VAL)
        return b.v > b.e && b.e < 1 ? 2 * pow(fabs(a.v) + a.e, b.v - b.e) + 0x1p-126 : HUGE_VAL;
    return exp2_error(r, b.v * l,
                      fabs(b.v) * le + fabs(l) * b.e + le * b.e + ldexp(fabs(b.v * l), -23));
}

/* Of asin and acos, whose slope has no end at 1: by the farthest arguments that the error leaves. Past 1 a
 * driver may give anything. */
static double arc_error(double r, lane a, double (*f)(double))
{
    if (!(fabs(a.v) + a.e <= 1))
        return HUGE_VAL;
    return fmax(fabs(f(a.v + a.e) - r), fabs(f(a.v - a.e) - r)) +
           gpu_precision_of(IRI_OP_ASIN, 0).absolute;
}

/* Of the angle of a point that is off by so much; about the cut, and about the origin, it is any. */
static double atan2_error(double r, lane y, lane x)
{
    double e = hypot(x.e, y.e), from = hypot(x.v, y.v);
    bool at_cut = x.v - x.e < 0 && fabs(y.v) <= y.e && e > 0;
    if (at_cut || !(from > 2 * e) || fabs(x.v) < 0x1p-126 || fabs(x.v) > 0x1p126)
        return e > 0 || x.v != 0 || y.v != 0 ? HUGE_VAL : 0;
    return asin(e / from) + ulps(r, gpu_precision_of(IRI_OP_ATAN2, 0).ulps);
}

static double lane_error(iri_op op, double r, lane a, lane b, lane z)
{
    double own = ulps(r, gpu_precision_of(op, HUGE_VAL).ulps); /* in numbers large and small */
    switch ((int)op) {
    case IRI_OP_ADD:
    case IRI_OP_SUB: return a.e + b.e + (a.v == 0 || b.v == 0 ? 0 : ulps(r, 1));
    case IRI_OP_MUL:
    case IRI_OP_MUL_ZERO: return mul_error(r, a, b);
    case IRI_OP_FMA: return mul_error(a.v * b.v, a, b) + z.e + ulps(r, 1);
    case IRI_OP_DIV:
        return fabs(b.v) > 2 * b.e ? (a.e + fabs(r) * b.e) / (fabs(b.v) - b.e) + own : HUGE_VAL;
    case IRI_OP_RCP:
    case IRI_OP_RCP_MAX:
        if (a.v == 0 && a.e == 0)
            return 0;
        return fabs(a.v) > 2 * a.e ? fabs(r) * a.e / (fabs(a.v) - a.e) + own : HUGE_VAL;
    case IRI_OP_SQRT: return (a.v > 2 * a.e ? a.e / (2 * sqrt(a.v - a.e)) : sqrt(2 * a.e)) + own;
    case IRI_OP_RSQ:
    case IRI_OP_RSQ_MAX:
        if (a.v == 0 && a.e == 0)
            return 0;
        return fabs(a.v) > 2 * a.e ? fabs(r) * a.e / (fabs(a.v) - a.e) + own : HUGE_VAL;
    case IRI_OP_EXP2: return exp2_error(r, a.v, a.e);
    case IRI_OP_LOG2:
    case IRI_OP_LOG2_MAX: return a.v == 0 && a.e == 0 ? 0 : log2_error(a);
    case IRI_OP_POW:
    case IRI_OP_POW_ABS: return pow_error(r, a, b);
    case IRI_OP_SIN:
    case IRI_OP_COS: /* WGSL bounds it within pi; drivers reduce first */
        return a.e + gpu_precision_of(op, 0).absolute + ldexp(fabs(a.v), -21);
    case IRI_OP_ASIN: return arc_error(r, a, asin);
    case IRI_OP_ACOS: return arc_error(r, a, acos);
    case IRI_OP_ATAN: return a.e + own;
    case IRI_OP_ATAN2: return atan2_error(r, a, b);
    case IRI_OP_MIN:
    case IRI_OP_MAX:
    case IRI_OP_MIN_LT:
    case IRI_OP_MAX_GE: return fmax(a.e, b.e);
    case IRI_OP_SATURATE:
    case IRI_OP_SATURATE_ZERO: return fmin(a.e, 1);
    case IRI_OP_NEG:
    case IRI_OP_ABS: return a.e;
    case IRI_OP_FLOOR: return may_step(a, 0) ? ceil(a.e) + 1 : 0;
    case IRI_OP_CEIL: return may_step((lane){-a.v, a.e}, 0) ? ceil(a.e) + 1 : 0;
    case IRI_OP_TRUNC:
    case IRI_OP_FTOI:
    case IRI_OP_FTOI_SAT:
        return may_step(a, 0) || may_step((lane){-a.v, a.e}, 0) ? ceil(a.e) + 1 : 0;
    case IRI_OP_ROUND_EVEN:
    case IRI_OP_ROUND_AWAY: return may_step(a, 0.5) ? ceil(a.e) + 1 : 0;
    case IRI_OP_FRACT: return may_step(a, 0) ? 1 : a.e + own;
    case IRI_OP_LT:
    case IRI_OP_LE:
    case IRI_OP_GT:
    case IRI_OP_GE:
    case IRI_OP_EQ:
    case IRI_OP_NE:
    case IRI_OP_ILT:
    case IRI_OP_ILE:
    case IRI_OP_IEQ:
    case IRI_OP_INE: return may_flip(a, b) ? 1 : 0;
    case IRI_OP_SELECT:
        if (a.e > 0)
            return fabs(b.v - z.v) + fmax(b.e, z.e);
        return a.v != 0 ? b.e : z.e;
    case IRI_OP_AND:
    case IRI_OP_OR:
    case IRI_OP_XOR:
    case IRI_OP_NOT: return a.e > 0 || b.e > 0 ? HUGE_VAL : 0;
    case IRI_OP_ITOF: return a.e + (fabs(r) > 0x1p24 ? own : 0); /* exact below */
    case IRI_OP_IADD:
    case IRI_OP_ISUB:
    case IRI_OP_IMIN:
    case IRI_OP_IMAX:
    case IRI_OP_INEG: return a.e + b.e;
    default: return a.e > 0 || b.e > 0 || z.e > 0 ? HUGE_VAL : 0;
    }
}

/* ---- lookups: nearest, repeating, one level ---- */

enum {
    MARGIN = 64
}; /* drivers place texels to 1/256 or so; this part of a texel is left to them */

static bool texel_is_certain(double coordinate, double e, double size)
{
    double t = coordinate * size, m = e * size + 1.0 / MARGIN + ldexp(fabs(t), -22);
    return m < 1 && floor(t - m) == floor(t + m) && fabs(t) < 65536;
}

static bool cube_is_certain(const known *at)
{
    double size[3], largest = 0, e = 0;
    int major = 0;
    for (int i = 0; i < 3; i++) {
        size[i] = fabs(at->at[i].v);
        e = fmax(e, at->at[i].e);
        if (size[i] > largest) {
            largest = size[i];
            major = i;
        }
    }
    for (int i = 0; i < 3; i++) {
        double q = at->at[i].v / largest / 2 + 0.5;
        if (i != major && (!(largest - size[i] > 4 * e + ldexp(largest, -8)) ||
                           !texel_is_certain(q, 2 * e / largest, 16)))
            return false;
    }
    return largest > 4 * e;
}

static bool lookup_is_certain(carrier *c, const iri_inst *in)
{
    static const double sizes[IRI_DIMENSION_COUNT][3] = {
        {0}, {16, 1, 1}, {16, 16, 1}, {16, 16, 4}, {16, 16, 1}};
    const iri_resource *r = &c->p->interface.resources[iri_immediates(c->p, in)[0]];
    const known *at = get(c, iri_operands(c->p, in)[0]);
    if (r->dimension == IRI_DIMENSION_CUBE)
        return cube_is_certain(at);
    for (int i = 0; i < (r->dimension == IRI_DIMENSION_3D ? 3 : 2); i++)
        if (!texel_is_certain(at->at[i].v, at->at[i].e, sizes[r->dimension][i]))
            return false;
    return true;
}

/* ---- instructions ---- */

static void carry(carrier *c, const iri_inst *in)
{
    c->carried_count = in->operand_count < 64 ? in->operand_count : 64;
    for (uint32_t i = 0; i < c->carried_count; i++)
        c->carried[i] = *get(c, iri_operands(c->p, in)[i]);
}

static double dot_error(const known *a, const known *b, uint32_t lanes)
{
    double sum = 0, e = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        double product = a->at[i].v * b->at[i].v;
        sum += fabs(product);
        e += mul_error(product, a->at[i], b->at[i]);
    }
    return e + ulps(sum, lanes - 1);
}

static bool compares(uint16_t op)
{
    return op >= IRI_OP_LT && op <= IRI_OP_NE;
}

static void give_errors(carrier *c, const iri_inst *in, known *r)
{
    const iri_program *p = c->p;
    const uint32_t *operands = iri_operands(p, in), *imm = iri_immediates(p, in);
    uint32_t lanes = IRI_TYPE_LANES(iri_type_of(p, in->results));
    const known *a = in->operand_count > 0 ? get(c, operands[0]) : NULL;
    const known *b = in->operand_count > 1 ? get(c, operands[1]) : NULL;
    const known *z = in->operand_count > 2 ? get(c, operands[2]) : NULL;
    uint32_t n = 0, from = a ? IRI_TYPE_LANES(iri_type_of(p, operands[0])) : 0;
    double e = 0;
    switch ((iri_op)in->op) {
    case IRI_OP_SWIZZLE:
        for (uint32_t i = 0; i < lanes; i++)
            r->at[i].e = a->at[IRI_LANES_AT(imm[0], i)].e;
        return;
    case IRI_OP_INSERT:
        for (uint32_t i = 0; i < lanes; i++)
            r->at[i].e = a->at[i].e;
        for (uint32_t i = 0; i < IRI_LANES_COUNT(imm[0]); i++)
            r->at[IRI_LANES_AT(imm[0], i)].e = b->at[i].e;
        return;
    case IRI_OP_COMPOSE:
        for (uint32_t k = 0; k < in->operand_count; k++)
            for (uint32_t i = 0; i < IRI_TYPE_LANES(iri_type_of(p, operands[k])); i++)
                r->at[n++].e = get(c, operands[k])->at[i].e;
        return;
    case IRI_OP_SPLAT:
        for (uint32_t i = 0; i < lanes; i++)
            r->at[i].e = a->at[0].e;
        return;
    case IRI_OP_DOT:
    case IRI_OP_DOT_ZERO: r->at[0].e = dot_error(a, b, from); return;
    case IRI_OP_ANY:
    case IRI_OP_ALL:
        for (uint32_t i = 0; i < from; i++) {
            /* One certain lane decides. */
            if (a->at[i].e == 0 && (a->at[i].v != 0) == (in->op == IRI_OP_ANY))
                return;
            e = fmax(e, a->at[i].e);
        }
        r->at[0].e = e > 0;
        return;
    case IRI_OP_NOT:
        for (uint32_t i = 0; i < lanes; i++)
            r->at[i].e = a->at[i].e;
        return;
    case IRI_OP_DDX:
    case IRI_OP_DDY: /* the neighbours' errors are like its own; either row or column may be taken */
        for (uint32_t i = 0; i < lanes; i++) {
            r->at[i].e = 4 * a->at[i].e + ulps(fabs(a->at[i].v) + fabs(r->at[i].v), 2);
            if (c->derivative_at < c->derivative_count)
                r->at[i].e += fabs(c->derivatives[c->derivative_at].at[i].v - r->at[i].v);
        }
        c->derivative_at++;
        return;
    case IRI_OP_LOAD_CB:
        for (uint32_t i = 0; i < lanes; i++)
            r->at[i].e = a->at[0].e > 0 || (b && b->at[0].e > 0) ? HUGE_VAL : 0;
        return;
    case IRI_OP_LOAD_LOCAL:
        for (uint32_t i = 0; i < lanes; i++)
            r->at[i].e = c->locals[imm[0]].at[IRI_LANES_AT(imm[1], i)].e +
                         (a && a->at[0].e > 0 ? HUGE_VAL : 0);
        return;
    case IRI_OP_INPUT:
    case IRI_OP_STATE: return;
    default: break;
    }
    if (iri_op_get_info((iri_op)in->op)->name[0] == 's' &&
        strncmp(iri_op_get_info((iri_op)in->op)->name, "sample", 6) == 0) {
        bool certain = lookup_is_certain(c, in);
        c->flips += !certain;
        e = certain ? 0x1p-20 : 1; /* texels lie in 0..1 */
        for (uint32_t i = 0; i < lanes; i++)
            r->at[i].e = e;
        return;
    }
    for (uint32_t i = 0; i < lanes; i++) {
        static const lane zero;
        lane x = a ? a->at[from > 1 ? i : 0] : zero;
        bool truths = IRI_TYPE_SCALAR(iri_type_of(p, in->results)) == IRI_BOOL;
        r->at[i].e =
            lane_error((iri_op)in->op, r->at[i].v, x, b ? b->at[i] : zero, z ? z->at[i] : zero);
        if (truths && r->at[i].e == HUGE_VAL) /* and, or, xor of truths */
            r->at[i].e = 1;
        c->flips += compares(in->op) && r->at[i].e > 0;
    }
}

static void see_effect(carrier *c, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(c->p, in), *imm = iri_immediates(c->p, in);
    const known *a = in->operand_count ? get(c, operands[0]) : NULL;
    uint32_t word = 0, n = 0;
    switch ((iri_op)in->op) {
    case IRI_OP_OUTPUT:
        for (uint32_t i = 0; i < imm[0]; i++)
            word += IRI_TYPE_LANES(c->p->interface.outputs[i].type);
        for (uint32_t i = 0; i < IRI_LANES_COUNT(imm[1]); i++, n++)
            c->bound[word + IRI_LANES_AT(imm[1], i)] = isfinite(a->at[n].v) ? a->at[n].e : HUGE_VAL;
        break;
    case IRI_OP_STORE_LOCAL:
        for (uint32_t i = 0; i < IRI_LANES_COUNT(imm[1]); i++, n++) {
            lane *to = &c->locals[imm[0]].at[IRI_LANES_AT(imm[1], i)];
            bool whole = in->operand_count < 2;
            to->e = whole ? a->at[n].e : fmax(to->e, a->at[n].e);
        }
        break;
    case IRI_OP_DEMOTE: c->uncertain |= a->at[0].e > 0; break;
    case IRI_OP_CONTINUE:
        c->continuing = true;
        carry(c, in);
        break;
    case IRI_OP_YIELD:
    case IRI_OP_BREAK:
    case IRI_OP_RETURN:
        c->continuing = false;
        carry(c, in);
        break;
    default: break;
    }
}

static void see_region(carrier *c, const iri_inst *in, iri_id region)
{
    const iri_region *r = &c->p->regions[region];
    const uint32_t *operands = iri_operands(c->p, in);
    bool again = in->op == IRI_OP_LOOP && c->continuing;
    if ((in->op == IRI_OP_IF || in->op == IRI_OP_SWITCH) && get(c, operands[0])->at[0].e > 0)
        c->uncertain = true;
    for (uint32_t i = 0; i < r->parameter_count; i++) {
        known k = again ? c->carried[i < 64 ? i : 63] : *get(c, operands[i]);
        c->values[r->parameters + i] = k;
    }
    c->continuing = false;
}

static void see(void *user, const iri_exec_event *event)
{
    carrier *c = user;
    const iri_inst *in = &c->p->insts[event->inst];
    if (event->kind == IRI_EVENT_REGION) {
        see_region(c, in, event->region);
        return;
    }
    if (!in->result_count) {
        see_effect(c, in);
        return;
    }
    bool flows = (iri_props(in->op) & IRI_PROP_REGION) || in->op == IRI_OP_CALL;
    for (uint32_t k = 0; k < in->result_count; k++) {
        iri_type type = iri_type_of(c->p, in->results + k);
        known r = {0};
        for (uint32_t i = 0; i < IRI_TYPE_LANES(type) && k < event->count; i++)
            r.at[i].v = number_of(type, event->values[k][i]);
        if (flows && k < c->carried_count)
            for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++) {
                r.at[i].e = c->carried[k].at[i].e;
                if (k >= event->count)
                    r.at[i].v = c->carried[k].at[i].v;
            }
        else if (!flows)
            give_errors(c, in, &r);
        for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++)
            if (!isfinite(r.at[i].v) || isnan(r.at[i].e))
                r.at[i].e = HUGE_VAL;
        c->values[in->results + k] = r;
    }
}

enum { DERIVATIVES = 256 };

/* Keeps what derivatives are, and nothing else. */
static void see_derivatives(void *user, const iri_exec_event *event)
{
    carrier *c = user;
    const iri_inst *in = &c->p->insts[event->inst];
    if (event->kind != IRI_EVENT_RESULT || (in->op != IRI_OP_DDX && in->op != IRI_OP_DDY) ||
        c->derivative_count == DERIVATIVES)
        return;
    known *k = &c->derivatives[c->derivative_count++];
    for (uint32_t i = 0; i < IRI_TYPE_LANES(event->types[0]); i++)
        k->at[i] = (lane){number_of(event->types[0], event->values[0][i]), 0};
}

static iri_status trace(const gpu_job *job, const iri_exec *exec, uint32_t invocation, carrier *c,
                        void (*see_event)(void *user, const iri_exec_event *event),
                        iri_refusal *refusal)
{
    const iri_interface *io = &job->p->interface;
    iri_exec_array in[GPU_IO];
    iri_exec_resource bound[GPU_RESOURCES];
    uint32_t first = invocation / 4 * 4;
    for (uint32_t i = 0; i < io->input_count; i++)
        in[i] =
            (iri_exec_array){job->in + (size_t)first * job->in_words + gpu_word_at(io->inputs, i),
                             job->in_words * 4, 0};
    gpu_bind(job->p, job->first_set + invocation / (job->count / job->sets), bound);
    iri_exec_batch batch = {.count = 4,
                            .inputs = in,
                            .resources = bound,
                            .resource_count = io->resource_count,
                            .state = &IRI_STATE_D3D9_DEFAULT,
                            .trace = see_event,
                            .trace_user = c,
                            .trace_invocation = invocation - first};
    return iri_exec_run(exec, &batch, refusal);
}

bool gpu_carry_errors(const gpu_job *job, const iri_exec *traced, const iri_exec *fine,
                      uint32_t invocation, gpu_bounds *b, char why[400])
{
    const iri_program *p = job->p;
    static known derivatives[DERIVATIVES];
    carrier c = {.job = job, .p = p, .bound = b->bound, .derivatives = derivatives};
    iri_refusal refusal = {.reason = "memory"};
    c.values = calloc(p->value_count, sizeof *c.values);
    c.locals = calloc(p->local_count + 1, sizeof *c.locals);
    for (uint32_t i = 0; i < job->out_words; i++)
        b->bound[i] = 0;
    iri_status status = c.values && c.locals ? IRI_OK : IRI_NO_MEMORY;
    if (status == IRI_OK && fine)
        status = trace(job, fine, invocation, &c, see_derivatives, &refusal);
    if (status == IRI_OK)
        status = trace(job, traced, invocation, &c, see, &refusal);
    if (status != IRI_OK)
        snprintf(why, 400, "tracing: %s", refusal.reason);
    b->uncertain = c.uncertain;
    b->flips = c.flips;
    free(c.values);
    free(c.locals);
    return status == IRI_OK;
}
