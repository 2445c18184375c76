/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a driver computed beside what the executor does, lane by lane: a lane agrees that lies within the bound
 * carried through the executor's trace. Lanes that are not finite, or hang on a comparison that the errors may
 * flip, are counted and not compared.
 */
#include "tests/oracle/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_derivatives(const iri_program *p)
{
    for (uint32_t i = 1; i < p->inst_count; i++)
        if (p->insts[i].op == IRI_OP_DDX || p->insts[i].op == IRI_OP_DDY)
            return true;
    return false;
}

const char *gpu_output_name(const iri_program *p, uint32_t word, char to[48])
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
                               const gpu_bounds *b, const output_lane *lanes, gpu_tally *t,
                               gpu_found *f)
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
            *f = (gpu_found){f->wrong, n, 0, killed, theirs[0] != 1, 0, true};
        return;
    }
    if (killed) {
        t->killed += job->out_words;
        return;
    }
    for (uint32_t w = 0; w < job->out_words; w++) {
        if (!lanes[w].said)
            continue;
        double e = (double)gpu_float(mine[w]), g = (double)gpu_float(theirs[1 + w]);
        double d = fabs(e - g), d2 = fabs((double)gpu_float(other[w]) - g);
        if (!isfinite(e)) {
            if (lanes[w].fixed)
                t->fixed++;
            else
                t->not_finite++;
        } else if (!(b->bound[w] < HUGE_VAL)) {
            t->uncertain++;
        } else if (!(d <= b->bound[w]) && !(d2 <= b->bound[w])) {
            if (!f->wrong++ ||
                d / (b->bound[w] + 1e-30) > fabs(f->expected - f->got) / (f->bound + 1e-30))
                *f = (gpu_found){f->wrong, n, w, e, g, b->bound[w], false};
        } else if (lanes[w].fixed) {
            t->fixed++;
        } else if (!lanes[w].varies) {
            t->constant++;
        } else if (d == 0 || d2 == 0) {
            t->exact++;
        } else {
            t->within++;
        }
    }
}

bool gpu_compare(const gpu_folder *f, const gpu_job *job, gpu_tally *t, gpu_found *worst,
                 char why[400])
{
    size_t words = (size_t)job->count * job->out_words + 1;
    uint32_t *out = malloc(words * 4), *fine = malloc(words * 4);
    uint8_t *flags = malloc(job->count);
    double *bound = calloc(job->out_words + 1, sizeof *bound);
    output_lane *lanes = calloc(job->out_words + 1, sizeof *lanes);
    iri_exec *traced = NULL, *traced_fine = NULL;
    iri_refusal refusal;
    bool derivatives = has_derivatives(job->p);
    memset(worst, 0, sizeof *worst);
    snprintf(why, 400, "the executor does not compile it");
    bool good = out && fine && flags && bound && lanes &&
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
    good = got != NULL;
    if (good)
        look_at_outputs(f, job->p, lanes);
    for (uint32_t w = 0; good && w < job->out_words; w++)
        lanes[w].varies = varies(job, out, w);
    for (uint32_t n = 0; good && n < job->count; n++) {
        gpu_bounds b = {.bound = bound};
        good = gpu_carry_errors(job, traced, traced_fine, n, &b, why);
        if (good)
            compare_invocation(job, out, fine, flags, got, n, &b, lanes, t, worst);
    }
    free(got);
    iri_exec_free(traced);
    iri_exec_free(traced_fine);
    free(lanes);
    free(bound);
    free(flags);
    free(fine);
    free(out);
    return good;
}

void gpu_complain(const gpu_job *job, const gpu_found *f)
{
    char name[48] = "";
    if (f->kill)
        printf("%s: invocation %u: killed %g in exec, %g in the driver; %u so\n", job->name,
               (unsigned)f->invocation, f->expected, f->got, (unsigned)f->wrong);
    else if (f->wrong)
        printf("%s: invocation %u, %s: exec %.9g, driver %.9g, bound %.3g; %u lanes so\n",
               job->name, (unsigned)f->invocation, gpu_output_name(job->p, f->word, name),
               f->expected, f->got, f->bound, (unsigned)f->wrong);
}
