/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole shaders on random inputs: a quad of invocations for each of 64 sets of constants and textures. Quads of
 * pixels get inputs that change by the same step in a row and in a column, as interpolated ones do.
 *
 * A lane that lies within the bound carried through the executor agrees. Lanes that are not finite, or hang on a
 * comparison that the errors may flip, are counted and not compared.
 */
#include "tests/oracle/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4 * GPU_SETS };

static float some(uint64_t *seed, float range)
{
    return (float)((int32_t)(gpu_random(seed) >> 32)) / 2147483648.0f * range;
}

static void fill_inputs(gpu_job *job)
{
    const iri_interface *io = &job->p->interface;
    bool pixel = job->p->stage == IRI_STAGE_PIXEL;
    uint64_t seed = job->seed;
    uint32_t word = 0;
    for (uint32_t i = 0; i < io->input_count; i++)
        for (uint32_t k = 0; k < IRI_TYPE_LANES(io->inputs[i].type); k++, word++) {
            const iri_io *in = &io->inputs[i];
            bool colour = strcmp(in->name, "COLOR") == 0;
            float start = 0, right = 0, down = 0;
            for (uint32_t n = 0; n < job->count; n++) {
                uint32_t x = (n / 4 % 32) * 2 + (n & 1), y = n / 128 * 2 + (n >> 1 & 1);
                float v;
                if (!pixel || n % 4 == 0) {
                    start = colour ? fabsf(some(&seed, 1)) : some(&seed, 2);
                    right = some(&seed, 0.0625f);
                    down = some(&seed, 0.0625f);
                }
                v = start + (pixel && n & 1 ? right : 0) + (pixel && n & 2 ? down : 0);
                if (pixel && in->system_value == IRI_SV_POSITION)
                    v = k == 0 ? (float)x : k == 1 ? (float)y : k == 2 ? 0.5f : 1.0f;
                uint32_t bits = gpu_bits(v);
                if (IRI_TYPE_SCALAR(in->type) != IRI_F32)
                    bits = (uint32_t)(start > 0);
                job->in[n * job->in_words + word] = bits;
            }
        }
}

static bool has_derivatives(const iri_program *p)
{
    for (uint32_t i = 1; i < p->inst_count; i++)
        if (p->insts[i].op == IRI_OP_DDX || p->insts[i].op == IRI_OP_DDY)
            return true;
    return false;
}

/* ---- comparing ---- */

static const char *output_of(const iri_program *p, uint32_t word, char to[48])
{
    for (uint32_t i = 0; i < p->interface.output_count; i++) {
        const iri_io *io = &p->interface.outputs[i];
        uint32_t lanes = IRI_TYPE_LANES(io->type);
        if (word < lanes) {
            snprintf(to, 48, "%.32s%u.%c", io->name, (unsigned)io->index, "xyzw"[word]);
            break;
        }
        word -= lanes;
    }
    return to;
}

typedef struct found {
    uint32_t wrong, invocation, word;
    double expected, got, bound;
    bool kill;
} found;

/* Of an output's lane: whether the target says it, whether the program gives it one number whatever it is
 * given, and whether it came out different anywhere. */
typedef struct output_lane {
    bool said, fixed, varies;
} output_lane;

static bool is_fixed(const iri_program *p, iri_id value, uint32_t lane)
{
    const iri_inst *in = iri_def(p, value);
    if (iri_is_constant(p, value))
        return true;
    if (!in)
        return false;
    const uint32_t *operands = iri_operands(p, in), *imm = iri_immediates(p, in);
    switch ((int)in->op) {
    case IRI_OP_SWIZZLE: return is_fixed(p, operands[0], IRI_LANES_AT(imm[0], lane));
    case IRI_OP_SPLAT: return is_fixed(p, operands[0], 0);
    case IRI_OP_INSERT:
        for (uint32_t i = 0; i < IRI_LANES_COUNT(imm[0]); i++)
            if (IRI_LANES_AT(imm[0], i) == lane)
                return is_fixed(p, operands[1], i);
        return is_fixed(p, operands[0], lane);
    case IRI_OP_COMPOSE:
        for (uint32_t i = 0; i < in->operand_count; i++) {
            uint32_t lanes = IRI_TYPE_LANES(iri_type_of(p, operands[i]));
            if (lane < lanes)
                return is_fixed(p, operands[i], lane);
            lane -= lanes;
        }
        return false;
    default: return false;
    }
}

static void look_at_outputs(const gpu_folder *f, const iri_program *p, output_lane *lanes)
{
    for (uint32_t i = 0, w = 0; i < p->interface.output_count; i++)
        for (uint32_t k = 0; k < IRI_TYPE_LANES(p->interface.outputs[i].type); k++)
            lanes[w++] = (output_lane){gpu_is_said(f, &p->interface.outputs[i]), true, false};
    for (iri_id n = 1; n < p->inst_count; n++) {
        const iri_inst *in = &p->insts[n];
        const uint32_t *imm = iri_immediates(p, in);
        if (in->op != IRI_OP_OUTPUT)
            continue;
        for (uint32_t i = 0; i < IRI_LANES_COUNT(imm[1]); i++)
            lanes[gpu_word_at(p->interface.outputs, imm[0]) + IRI_LANES_AT(imm[1], i)].fixed &=
                is_fixed(p, iri_operands(p, in)[0], i);
    }
}

static bool varies(const gpu_job *job, const uint32_t *out, uint32_t word)
{
    for (uint32_t n = 1; n < job->count; n++)
        if (out[(size_t)n * job->out_words + word] != out[word])
            return true;
    return false;
}

static void compare_invocation(const gpu_job *job, const uint32_t *out, const uint32_t *fine,
                               const uint8_t *flags, const uint32_t *got, uint32_t n,
                               const gpu_bounds *b, const output_lane *varying, gpu_tally *t,
                               found *f)
{
    const uint32_t *mine = out + (size_t)n * job->out_words,
                   *other = fine + (size_t)n * job->out_words;
    const uint32_t *theirs = got + (size_t)n * (job->out_words + 1);
    bool killed = flags[n] & IRI_INVOCATION_KILLED;
    t->lanes += job->out_words;
    t->flips += b->flips;
    if (b->uncertain) {
        t->uncertain += job->out_words;
        return;
    }
    if (killed != (theirs[0] != 1)) {
        if (!f->wrong++)
            *f = (found){f->wrong, n, 0, killed, theirs[0] != 1, 0, true};
        return;
    }
    if (killed) {
        t->killed += job->out_words;
        return;
    }
    for (uint32_t w = 0; w < job->out_words; w++) {
        if (!varying[w].said)
            continue;
        double e = (double)gpu_float(mine[w]), g = (double)gpu_float(theirs[1 + w]);
        double d = fabs(e - g), d2 = fabs((double)gpu_float(other[w]) - g);
        if (!isfinite(e)) {
            if (varying[w].fixed)
                t->fixed++;
            else
                t->not_finite++;
        } else if (!(b->bound[w] < HUGE_VAL)) {
            t->uncertain++;
        } else if (!(d <= b->bound[w]) && !(d2 <= b->bound[w])) {
            if (!f->wrong++ ||
                d / (b->bound[w] + 1e-30) > fabs(f->expected - f->got) / (f->bound + 1e-30))
                *f = (found){f->wrong, n, w, e, g, b->bound[w], false};
        } else if (varying[w].fixed) {
            t->fixed++;
        } else if (!varying[w].varies) {
            t->constant++;
        } else if (d == 0 || d2 == 0) {
            t->exact++;
        } else {
            t->within++;
        }
    }
}

static void compare_job(const gpu_folder *f, const gpu_job *job, gpu_tally *t)
{
    size_t words = (size_t)job->count * job->out_words + 1;
    uint32_t *out = malloc(words * 4), *fine = malloc(words * 4);
    uint8_t flags[COUNT];
    double *bound = calloc(job->out_words + 1, sizeof *bound);
    output_lane *varying = calloc(job->out_words + 1, sizeof *varying);
    char why[400] = "", name[48] = "";
    iri_exec *traced = NULL, *traced_fine = NULL;
    iri_refusal refusal;
    found worst = {0};
    bool derivatives = has_derivatives(job->p);
    bool good = out && fine && bound && varying &&
                (!derivatives || gpu_execute(job, job->p, true, fine, flags, why)) &&
                gpu_execute(job, job->p, false, out, flags, why) &&
                iri_exec_compile(job->p, IRI_EXEC_OPTIONS(.trace = true, .width = 64), &traced,
                                 &refusal) == IRI_OK;
    if (good && derivatives)
        good = iri_exec_compile(
                   job->p, IRI_EXEC_OPTIONS(.trace = true, .width = 64, .fine_derivatives = true),
                   &traced_fine, &refusal) == IRI_OK;
    if (good && !derivatives)
        memcpy(fine, out, words * 4 - 4);
    uint32_t *got = good ? gpu_read_result(f, job, why) : NULL;
    if (varying)
        look_at_outputs(f, job->p, varying);
    for (uint32_t w = 0; got && w < job->out_words; w++)
        varying[w].varies = varies(job, out, w);
    for (uint32_t n = 0; got && n < job->count; n++) {
        gpu_bounds b = {.bound = bound};
        if (!gpu_carry_errors(job, traced, traced_fine, n, &b, why)) {
            free(got);
            got = NULL;
            break;
        }
        compare_invocation(job, out, fine, flags, got, n, &b, varying, t, &worst);
    }
    if (!got)
        printf("%s: %s\n", job->name, why);
    else if (worst.kill)
        printf("%s: invocation %u: killed %g in exec, %g in the driver; %u so\n", job->name,
               (unsigned)worst.invocation, worst.expected, worst.got, (unsigned)worst.wrong);
    else if (worst.wrong)
        printf("%s: invocation %u, %s: exec %.9g, driver %.9g, bound %.3g; %u lanes so\n",
               job->name, (unsigned)worst.invocation, output_of(job->p, worst.word, name),
               worst.expected, worst.got, worst.bound, (unsigned)worst.wrong);
    t->failed += !got || worst.wrong;
    t->passed += got && !worst.wrong;
    t->sets += got ? job->sets : 0;
    free(got);
    iri_exec_free(traced);
    iri_exec_free(traced_fine);
    free(varying);
    free(bound);
    free(fine);
    free(out);
}

/* ---- a shader ---- */

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    void *data = malloc(1 << 20);
    *size = file && data ? fread(data, 1, 1 << 20, file) : 0;
    if (file)
        fclose(file);
    return data;
}

void gpu_shader(gpu_folder *f, const char *path, gpu_mode mode, gpu_tally *t)
{
    static uint32_t in[COUNT * GPU_IO * GPU_LANES];
    size_t size;
    void *bytes = read_file(path, &size);
    iri_program *p = NULL;
    iri_refusal refusal;
    char why[400];
    const char *tail = path + strlen(path);
    if (iri_lift(bytes, size,
                 IRI_LIFT_OPTIONS(.state = &IRI_STATE_D3D9_DEFAULT,
                                  .uninitialized = IRI_UNINITIALIZED_ZERO,
                                  .raw = mode == GPU_PASSES),
                 &p, NULL, &refusal) != IRI_OK) {
        t->skipped++;
        free(bytes);
        return;
    }
    free(bytes);
    while (tail > path && tail - path > 0 && strlen(tail) < 80)
        tail--;
    gpu_job job = {.p = p, .count = COUNT, .sets = GPU_SETS, .in = in};
    snprintf(job.name, sizeof job.name, "%s", tail);
    job.in_words = gpu_input_words(p);
    job.out_words = gpu_output_words(p);
    job.seed = gpu_hash(job.name);
    if (p->interface.input_count > GPU_IO) {
        printf("%s: more inputs than the harness holds\n", job.name);
    } else {
        fill_inputs(&job);
        if (mode == GPU_COMPARE)
            compare_job(f, &job, t);
        else if (mode == GPU_PASSES)
            gpu_passes(&job, t);
        else if (!gpu_write_job(f, &job, why))
            printf("%s: not written: %s\n", job.name, why);
    }
    iri_program_free(p);
}
