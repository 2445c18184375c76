/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every operation of ops.def that WGSL can say, on every type, alone in a vertex program, on special and random
 * operands.
 *
 * What a lane may be: the executor's bits; the same with operands or result flushed where they are denormal
 * (WGSL 15.7.2); within the operation's error (WGSL 15.7.4). Where an operand or the result is a NaN or infinite an
 * implementation may assume that it is not, so anything may come, unless the operation says what Direct3D says
 * (docs/numerics.md) or only moves bits. NaNs are equal, and so are zeros of either sign.
 */
#include "tests/oracle/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4096, IN_WORDS = 36, TEXT = 4096 };

typedef struct operation {
    iri_op op;
    const iri_op_info *info;
    iri_type type, result;
    iri_type operands[3];
    uint32_t count;
} operation;

/* ---- programs ---- */

static iri_type letter_type(char letter, iri_type type, iri_scalar given)
{
    switch (letter) {
    case 'S': return IRI_TYPE(IRI_TYPE_SCALAR(type), 1);
    case 'B':
    case 'C': return IRI_TYPE(IRI_BOOL, IRI_TYPE_LANES(type));
    case 'b': return IRI_TYPE_BOOL;
    case 'F':
    case 'I':
    case 'N': return IRI_TYPE(given, IRI_TYPE_LANES(type));
    default: return type;
    }
}

static bool takes(char type_class, iri_scalar s)
{
    switch (type_class) {
    case 'F':
    case 'H': return s == IRI_F32;
    case 'I': return s == IRI_I32 || s == IRI_U32;
    case 'N': return s != IRI_BOOL;
    case 'L': return s != IRI_F32;
    case 'B': return s == IRI_BOOL;
    case 'A': return true;
    default: return false;
    }
}

/* Inputs are nine: three of floats, three of i32, three of u32, four lanes each. */
static uint32_t input_of(iri_type type, uint32_t which)
{
    iri_scalar s = IRI_TYPE_SCALAR(type);
    return (s == IRI_I32 ? 3 : s == IRI_F32 ? 0 : 6) + which;
}

static iri_program *make_program(const operation *o)
{
    static const char *const scalars[] = {"f32", "i32", "u32"};
    static const char *const lanes[] = {"x", "xy", "xyz", "xyzw"};
    char text[TEXT];
    int n = snprintf(text, TEXT, "program vertex entry main\n");
    uint32_t values = 0, named[3];
    iri_program *p = NULL;
    iri_refusal why;
    for (int i = 0; i < 9; i++)
        n += snprintf(text + n, TEXT - (size_t)n, "input TEXCOORD%d: vec4<%s> @v%d\n", i,
                      scalars[i / 3], i);
    uint32_t count = IRI_TYPE_LANES(o->result);
    bool truth = IRI_TYPE_SCALAR(o->result) == IRI_BOOL;
    iri_type shown = truth ? IRI_TYPE(IRI_U32, count) : o->result;
    n += snprintf(
        text + n, TEXT - (size_t)n,
        "output POSITION0: vec4<f32> @oPos sv position\noutput TEXCOORD0: %s @oT0.%s\nfn main {\n",
        iri_type_name(shown), lanes[count - 1]);
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t c = IRI_TYPE_LANES(o->operands[i]);
        bool is_bool = IRI_TYPE_SCALAR(o->operands[i]) == IRI_BOOL;
        iri_type read = is_bool ? IRI_TYPE(IRI_U32, c) : o->operands[i];
        n += snprintf(text + n, TEXT - (size_t)n, "%%%u: %s = input %u.%s\n", (unsigned)values++,
                      iri_type_name(read), (unsigned)input_of(o->operands[i], i), lanes[c - 1]);
        if (is_bool) {
            n += snprintf(text + n, TEXT - (size_t)n,
                          c > 1 ? "%%%u: %s = ilt %%%u, splat%u(0x40000000u)\n"
                                : "%%%u: %s = ilt %%%u, 0x40000000u\n",
                          (unsigned)values, iri_type_name(o->operands[i]), (unsigned)values - 1,
                          (unsigned)c);
            values++;
        }
        named[i] = values - 1;
    }
    n += snprintf(text + n, TEXT - (size_t)n, "%%%u: %s = %s", (unsigned)values++,
                  iri_type_name(o->result), o->info->name);
    for (uint32_t i = 0; i < o->count; i++)
        n += snprintf(text + n, TEXT - (size_t)n, "%s %%%u", i ? "," : "", (unsigned)named[i]);
    n += snprintf(text + n, TEXT - (size_t)n, "\n");
    if (truth) {
        n += snprintf(text + n, TEXT - (size_t)n,
                      count > 1 ? "%%%u: %s = select %%%u, splat%u(1u), splat%u(0u)\n"
                                : "%%%u: %s = select %%%u, 1u, 0u\n",
                      (unsigned)values, iri_type_name(shown), (unsigned)values - 1, (unsigned)count,
                      (unsigned)count);
        values++;
    }
    snprintf(text + n, TEXT - (size_t)n,
             "output 1.%s, %%%u\noutput 0.xyzw, splat4(0.0)\nreturn\n}\n", lanes[count - 1],
             (unsigned)values - 1);
    if (iri_parse_text(text, strlen(text), NULL, &p, &why) != IRI_OK)
        printf("%s\n%s\n", why.reason, text);
    return p;
}

/* ---- operands ---- */

static uint32_t some_float(uint64_t *seed)
{
    static const uint32_t special[] = {
        0,          0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40490fdb, 0x7f800000,
        0xff800000, 0x7fc00000, 0xffc00001, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff,
        0xff7fffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x3effffff, 0x3f7fffff, 0x3f800001,
        0x4b000001, 0xc0200000, 0x40200000, 0x3e99999a, 0x42c80000, 0xb4000000,
    };
    uint64_t r = gpu_random(seed);
    if (r % 8 == 0)
        return special[(r >> 8) % (sizeof special / sizeof *special)];
    if (r % 8 == 1)
        return (uint32_t)(r >> 20);
    if (r % 8 < 5)
        return gpu_bits((float)((int32_t)(r >> 32)) / 134217728.0f); /* within 16 */
    return gpu_bits((float)((int32_t)(r >> 20) % 4096) / 256.0f);
}

static uint32_t some_integer(uint64_t *seed)
{
    static const uint32_t special[] = {0,          1,  0xffffffff, 0x80000000, 0x7fffffff,
                                       0x80000001, 31, 32,         33,         0x4b000001};
    uint64_t r = gpu_random(seed);
    return r % 4 == 0   ? special[(r >> 8) % (sizeof special / sizeof *special)]
           : r % 4 == 1 ? (uint32_t)(r >> 56)
                        : (uint32_t)(r >> 20);
}

static void fill(uint32_t *in, uint64_t seed)
{
    for (uint32_t i = 0; i < COUNT * IN_WORDS; i++)
        in[i] = i % IN_WORDS < 12 ? some_float(&seed) : some_integer(&seed);
}

/* ---- what a lane may be ---- */

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

static bool is_finite(uint32_t bits)
{
    return (bits & 0x7f800000) != 0x7f800000;
}

static bool is_denormal(uint32_t bits)
{
    return (bits & 0x7f800000) == 0 && (bits & 0x7fffff) != 0;
}

static double ulp_of(double r)
{
    return ldexp(1, r == 0 ? -149 : (int)fmax(ilogb(r) - 23, -149));
}

/* exp2(y * log2(x)), from which both specifications have the error inherited. */
static double pow_error(double r, double x, double y)
{
    double l = log2(fabs(x)), t = y * l;
    gpu_precision log = gpu_precision_of(IRI_OP_LOG2, x), exp = gpu_precision_of(IRI_OP_EXP2, t);
    double el = log.ulps * ldexp(fabs(l), -23) + log.absolute;
    return fabs(r) * (exp2(fabs(y) * el + ldexp(fabs(t), -23)) - 1) + exp.ulps * ulp_of(r);
}

/* How far a finite result may be off. `x`, `y`, `z` are the operands. */
static double error_of(iri_op op, double r, double x, double y, double z)
{
    gpu_precision own = gpu_precision_of(op, x);
    if (op == IRI_OP_POW || op == IRI_OP_POW_ABS)
        return pow_error(r, x, y);
    if (op == IRI_OP_FMA) /* x * y + z, each rounded */
        return ulp_of(r) + ldexp(fabs(x * y), -23) + ldexp(fabs(z), -24);
    return own.ulps * ulp_of(r) + own.absolute;
}

/* Whether what Direct3D says holds also for NaN and infinite operands. */
static bool is_guarded(iri_op op, const uint32_t operand[3])
{
    bool a_zero = (operand[0] & 0x7fffffff) == 0, b_zero = (operand[1] & 0x7fffffff) == 0;
    switch ((int)op) {
    case IRI_OP_MUL_ZERO: return a_zero || b_zero;
    case IRI_OP_RCP_MAX:
    case IRI_OP_RSQ_MAX:
    case IRI_OP_LOG2_MAX: return a_zero;
    case IRI_OP_POW_ABS: return b_zero;
    case IRI_OP_SATURATE_ZERO:
    case IRI_OP_MIN_LT:
    case IRI_OP_MAX_GE:
    case IRI_OP_FTOI_SAT:
    case IRI_OP_SELECT:
    case IRI_OP_NEG:
    case IRI_OP_ABS:
    case IRI_OP_BITCAST: return true;
    default: return false;
    }
}

typedef struct seen {
    const operation *o;
    const uint32_t *in; /* of the invocation */
    uint32_t lane;
    uint32_t operand[3];
    bool float_operands, special;
} seen;

static void look(seen *s)
{
    s->special = s->float_operands = false;
    for (uint32_t i = 0; i < s->o->count; i++) {
        uint32_t lanes = IRI_TYPE_LANES(s->o->operands[i]);
        s->operand[i] = s->in[input_of(s->o->operands[i], i) * 4 + (s->lane < lanes ? s->lane : 0)];
        if (IRI_TYPE_SCALAR(s->o->operands[i]) != IRI_F32)
            continue;
        s->float_operands = true;
        bool all = IRI_TYPE_LANES(s->o->result) != lanes;
        for (uint32_t k = 0; k < lanes; k++)
            if (all || k == s->lane)
                s->special |= !is_finite(s->in[input_of(s->o->operands[i], i) * 4 + k]);
    }
}

static double dot_error(const seen *s)
{
    uint32_t lanes = IRI_TYPE_LANES(s->o->operands[0]);
    double sum = 0;
    for (uint32_t k = 0; k < lanes; k++)
        sum += fabs((double)gpu_float(s->in[k]) * (double)gpu_float(s->in[4 + k]));
    return sum * lanes * ldexp(1, -23) + ldexp(lanes, -126);
}

static bool near(const seen *s, uint32_t expected, uint32_t got)
{
    double e = gpu_float(expected), g = gpu_float(got), v[3];
    for (int i = 0; i < 3; i++)
        v[i] = i < (int)s->o->count && IRI_TYPE_SCALAR(s->o->operands[i]) == IRI_F32
                   ? (double)gpu_float(s->operand[i])
                   : 0;
    if (e == g || (is_nan(expected) && is_nan(got)))
        return true;
    if (g == 0 && fabs(e) <= ldexp(1, -126)) /* flushed, before or after rounding */
        return true;
    if (!is_finite(expected) || is_nan(got))
        return false;
    double error = s->o->op == IRI_OP_DOT || s->o->op == IRI_OP_DOT_ZERO
                       ? dot_error(s)
                       : error_of(s->o->op, e, v[0], v[1], v[2]);
    if (!is_finite(got)) /* past the largest number within the error */
        return e * g > 0 && fabs(e) + error > (double)0x1.fffffep127f;
    return fabs(e - g) <= error;
}

static bool is_small(uint32_t bits)
{
    return (bits & 0x7f800000) == 0; /* zero or denormal */
}

/* Compared flushed and moved unflushed: of two that are zero then, either. */
static bool is_flushed_choice(const seen *s, uint32_t got)
{
    bool chooses = s->o->op == IRI_OP_MIN || s->o->op == IRI_OP_MAX || s->o->op == IRI_OP_MIN_LT ||
                   s->o->op == IRI_OP_MAX_GE;
    return chooses && is_small(s->operand[0]) && is_small(s->operand[1]) && is_small(got);
}

/* The guard sees a denormal, the arithmetic behind it zero: as far from Direct3D as an infinity may be. */
static bool is_behind_guard(const seen *s, uint32_t got)
{
    bool guards =
        s->o->op == IRI_OP_RCP_MAX || s->o->op == IRI_OP_RSQ_MAX || s->o->op == IRI_OP_LOG2_MAX;
    if (s->o->op == IRI_OP_POW || s->o->op == IRI_OP_POW_ABS)
        return is_denormal(s->operand[0]);
    return guards && is_denormal(s->operand[0]) && (!is_finite(got) || s->o->op == IRI_OP_LOG2_MAX);
}

/* ftoi says nothing of what the integer cannot hold (ftoi.sat does), WGSL nothing of pow where log2 of the base
 * is not finite: its error is that of exp2(y * log2(x)), and of atan2 beyond the ends of precision.def. */
static bool is_out_of_range(const seen *s)
{
    float x = gpu_float(s->operand[0]);
    if (s->o->op == IRI_OP_POW)
        return s->operand[0] >> 31 || s->operand[0] == 0;
    if (s->o->op == IRI_OP_ATAN2) {
        float denominator = fabsf(gpu_float(s->operand[1]));
        return !(denominator >= 0x1p-126f && denominator <= 0x1p126f) || x == 0 ||
               is_denormal(s->operand[0]);
    }
    bool i32 = IRI_TYPE_SCALAR(s->o->result) == IRI_I32;
    return s->o->op == IRI_OP_FTOI &&
           !(i32 ? x >= -2147483648.0f && x <= 2147483520.0f : x > -1.0f && x <= 4294967040.0f);
}

/* ---- one operation ---- */

typedef enum lane_verdict { LANE_EXACT, LANE_NEAR, LANE_FREE, LANE_WRONG } lane_verdict;

static lane_verdict judge(seen *s, uint32_t *const variants[8], uint32_t variant_count, size_t at,
                          uint32_t got)
{
    bool is_float = IRI_TYPE_SCALAR(s->o->result) == IRI_F32;
    if (variants[0][at] == got)
        return LANE_EXACT;
    look(s);
    for (uint32_t v = 0; v < variant_count; v++)
        if (is_float ? near(s, variants[v][at], got) : variants[v][at] == got)
            return LANE_NEAR;
    if (is_flushed_choice(s, got))
        return LANE_NEAR;
    bool special = s->special;
    for (uint32_t v = 0; v < variant_count; v++)
        special |= is_float && !is_finite(variants[v][at]) && s->float_operands;
    if (is_behind_guard(s, got) || is_out_of_range(s))
        return LANE_FREE;
    return special && !is_guarded(s->o->op, s->operand) ? LANE_FREE : LANE_WRONG;
}

static void show(const seen *s, const char *name, uint32_t expected, uint32_t got, uint32_t times)
{
    printf("%s: lane %u of", name, (unsigned)s->lane);
    for (uint32_t i = 0; i < s->o->count; i++)
        printf(" %08x (%g)", (unsigned)s->operand[i],
               IRI_TYPE_SCALAR(s->o->operands[i]) == IRI_F32 ? (double)gpu_float(s->operand[i])
                                                             : (double)(int32_t)s->operand[i]);
    printf(": exec %08x (%g), driver %08x (%g); %u lanes so\n", (unsigned)expected,
           (double)gpu_float(expected), (unsigned)got, (double)gpu_float(got), (unsigned)times);
}

static void compare_operation(const gpu_folder *f, const operation *o, gpu_job *job, gpu_tally *t)
{
    uint32_t *variants[8] = {0}, count = 0, wrong = 0, first_expected = 0, first_got = 0;
    uint32_t *in = job->in, *flushed = malloc(COUNT * IN_WORDS * 4);
    uint8_t *flags = malloc(COUNT);
    uint32_t lanes = IRI_TYPE_LANES(o->result);
    seen s = {.o = o}, first = {.o = o};
    char why[400] = "";
    bool good = flushed && flags;
    for (uint32_t v = 0; good && v < 8; v++) {
        if (v >> o->count)
            continue;
        memcpy(flushed, in, COUNT * IN_WORDS * 4);
        for (uint32_t i = 0; i < COUNT * IN_WORDS; i++)
            if (i % IN_WORDS < 12 && v >> (i % IN_WORDS / 4) & 1 && is_denormal(flushed[i]))
                flushed[i] &= 0x80000000;
        job->in = flushed;
        variants[count] = malloc((size_t)COUNT * job->out_words * 4);
        good = variants[count] && gpu_execute(job, job->p, false, variants[count], flags, why);
        count++;
    }
    job->in = in;
    uint32_t *got = good ? gpu_read_result(f, job, why) : NULL;
    for (uint32_t i = 0; got && i < COUNT; i++)
        for (uint32_t k = 0; k < lanes; k++) {
            size_t at = (size_t)i * job->out_words + 4 + k;
            uint32_t word = got[(size_t)i * (job->out_words + 1) + 5 + k];
            s.in = in + (size_t)i * IN_WORDS;
            s.lane = k;
            t->lanes++;
            switch (judge(&s, variants, count, at, word)) {
            case LANE_EXACT: t->exact++; break;
            case LANE_NEAR: t->within++; break;
            case LANE_FREE: t->free_lanes++; break;
            case LANE_WRONG:
                if (!wrong++) {
                    first = s;
                    first_expected = variants[0][at];
                    first_got = word;
                }
            }
        }
    if (wrong)
        show(&first, job->name, first_expected, first_got, wrong);
    if (!got)
        printf("%s: %s\n", job->name, why);
    t->failed += wrong || !got;
    t->passed += got && !wrong;
    for (uint32_t v = 0; v < count; v++)
        free(variants[v]);
    free(got);
    free(flushed);
    free(flags);
}

static void do_operation(gpu_folder *f, const operation *o, gpu_mode mode, gpu_tally *t)
{
    static uint32_t in[COUNT * IN_WORDS];
    gpu_job job = {.count = COUNT, .sets = 1, .in = in, .in_words = IN_WORDS};
    iri_program *p = make_program(o);
    char why[400];
    if (!p) {
        t->failed++;
        return;
    }
    snprintf(job.name, sizeof job.name, "%s %s -> %s", o->info->name, iri_type_name(o->type),
             iri_type_name(o->result));
    job.p = p;
    job.out_words = gpu_output_words(p);
    fill(in, gpu_hash(job.name));
    if (mode == GPU_COMPARE) {
        compare_operation(f, o, &job, t);
    } else if (mode == GPU_PASSES) {
        gpu_passes(&job, true, t);
    } else if (!gpu_write_job(f, &job, why)) {
        printf("%s: %s\n", job.name, why);
    }
    iri_program_free(p);
}

void gpu_ops(gpu_folder *f, gpu_mode mode, gpu_tally *t)
{
    static const iri_scalar scalars[] = {IRI_BOOL, IRI_I32, IRI_U32, IRI_F32};
    for (int op = 1; op < IRI_OP_COUNT; op++) {
        const iri_op_info *info = iri_op_get_info((iri_op)op);
        if (info->type_class == '-' || strpbrk(info->operands, "V*") || info->immediates[0] ||
            !info->operands[0] || (info->properties & (IRI_PROP_CFG | IRI_PROP_DERIVATIVE)))
            continue;
        for (uint32_t k = 0; k < 16; k++) {
            operation o = {.op = (iri_op)op, .info = info};
            uint32_t lanes = k % 4 + 1;
            bool whole = strchr("Sb", info->results[0]) != NULL; /* a result of all lanes */
            o.type = IRI_TYPE(scalars[k / 4], lanes);
            if (!takes(info->type_class, scalars[k / 4]) || (!whole && lanes != 1 && lanes != 4))
                continue;
            for (uint32_t g = 1; g < 4; g++) {
                char letter = info->results[0];
                bool fits = letter == 'I'   ? scalars[g] != IRI_F32
                            : letter == 'F' ? scalars[g] == IRI_F32 && op != IRI_OP_FTOF
                            : letter == 'N' ? scalars[g] != scalars[k / 4]
                                            : g == 1;
                if (!fits)
                    continue;
                o.count = 0;
                for (const char *c = info->operands; *c && o.count < 3; c++)
                    o.operands[o.count++] = letter_type(*c, o.type, scalars[g]);
                o.result = letter_type(letter, o.type, scalars[g]);
                do_operation(f, &o, mode, t);
            }
        }
    }
}
