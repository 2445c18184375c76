/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of Direct3D 9's instructions, modifiers and registers the probes have: each row of ops.def in each group of
 * models that has it, each modifier where the models have it, each bank of registers.
 */
#include "read/d3d9/decode.h"
#include "tests/oracle/probes.h"

#include <stdio.h>
#include <string.h>

/* Models that share a reference page: the major version, with ps_1_4 by itself. */
enum { GROUPS = 7 };
static const char *const group_names[GROUPS] = {"vs_1",   "vs_2", "vs_3", "ps_1_1-1_3",
                                                "ps_1_4", "ps_2", "ps_3"};

typedef enum feature {
    FEATURE_COISSUE,
    FEATURE_PREDICATE,
    FEATURE_NOT_PREDICATE,
    FEATURE_RELATIVE_A0,
    FEATURE_RELATIVE_AL,
    FEATURE_SWIZZLE,
    FEATURE_MASK,
    FEATURE_SATURATE,
    FEATURE_PARTIAL,
    FEATURE_CENTROID,
    FEATURE_PROJECT,
    FEATURE_BIAS,
    FEATURE_SHIFT, /* and the next five: x2 x4 x8, d2 d4 d8 */
    FEATURE_COUNT = FEATURE_SHIFT + 6
} feature;

/* What has to be there, and in which groups (a bit each, in the order of group_names). */
static const struct {
    const char *name;
    uint32_t groups;
} features[FEATURE_COUNT] = {
    {"a co-issued instruction", 0x18},
    {"a predicated instruction", 0x66},
    {"a negated predicate", 0x62},
    {"an index by a0", 0x07},
    {"an index by aL", 0x46},
    {"a swizzle", 0x77},
    {"a write mask", 0x7f},
    {"_sat", 0x7c},
    {"_pp", 0x60},
    {"_centroid", 0x60},
    {"texldp", 0x60},
    {"texldb", 0x60},
    {"_x2", 0x18},
    {"_x4", 0x18},
    {"_x8", 0x10},
    {"_d2", 0x18},
    {"_d4", 0x10},
    {"_d8", 0x10},
};

static const struct {
    const char *name;
    uint32_t groups;
} modifiers[IRI_D3D9_SRC_COUNT] = {
    {"no source modifier", 0x7f},
    {"-r", 0x7f},
    {"r_bias", 0x18},
    {"-r_bias", 0x18},
    {"r_bx2", 0x18},
    {"-r_bx2", 0x18},
    {"1-r", 0x18},
    {"r_x2", 0x10},
    {"-r_x2", 0x10},
    {"r_dz", 0x10},
    {"r_dw", 0x10},
    {"r_abs", 0x44},
    {"-r_abs", 0x44},
    {"!b", 0x66},
};

static struct {
    bool ops[IRI_D3D9_OP_COUNT][GROUPS];
    bool features[FEATURE_COUNT][GROUPS];
    bool modifiers[IRI_D3D9_SRC_COUNT][GROUPS];
    bool banks[IRI_D3D9_BANK_COUNT][GROUPS];
    bool comparisons[3][8]; /* of ifc, breakc, setp, in any model */
} seen;

static uint32_t group_of(iri_d3d9_model model)
{
    uint32_t major = iri_d3d9_models[model].version >> 8 & 15;
    if (iri_d3d9_models[model].stage == IRI_D3D9_VERTEX)
        return major - 1;
    return model == IRI_D3D9_PS_1_4 ? 4 : major == 1 ? 3 : major + 3;
}

static void see_operand(const iri_d3d9_operand *o, uint32_t g)
{
    static const uint8_t plain[4] = {0, 1, 2, 3};
    seen.banks[o->bank][g] = true;
    if (o->is_dst) {
        seen.features[FEATURE_MASK][g] |= o->mask != 15;
        seen.features[FEATURE_SATURATE][g] |= (o->modifiers & IRI_D3D9_DST_SAT) != 0;
        seen.features[FEATURE_PARTIAL][g] |= (o->modifiers & IRI_D3D9_DST_PP) != 0;
        seen.features[FEATURE_CENTROID][g] |= (o->modifiers & IRI_D3D9_DST_CENTROID) != 0;
        if (o->shift >= 1 && o->shift <= 3)
            seen.features[FEATURE_SHIFT + o->shift - 1][g] = true;
        if (o->shift <= -1 && o->shift >= -3)
            seen.features[FEATURE_SHIFT + 2 - o->shift][g] = true;
    } else {
        if (o->modifier < IRI_D3D9_SRC_COUNT)
            seen.modifiers[o->modifier][g] = true;
        seen.features[FEATURE_SWIZZLE][g] |= memcmp(o->swizzle, plain, sizeof plain) != 0;
    }
    if (o->relative == IRI_D3D9_RELATIVE_IMPLICIT)
        seen.features[FEATURE_RELATIVE_A0][g] = true;
    if (o->relative == IRI_D3D9_RELATIVE_TOKEN) {
        seen.features[o->relative_bank == IRI_D3D9_BANK_AL ? FEATURE_RELATIVE_AL
                                                           : FEATURE_RELATIVE_A0][g] = true;
        seen.banks[o->relative_bank][g] = true;
    }
}

static void see(const iri_d3d9_shader *s)
{
    uint32_t g = group_of(s->model);
    for (uint32_t i = 0; i < s->instruction_count; i++) {
        const iri_d3d9_instruction *in = &s->instructions[i];
        seen.ops[in->op][g] = true;
        seen.features[FEATURE_COISSUE][g] |= in->coissue;
        for (uint32_t k = 0; k < in->count; k++)
            see_operand(&s->operands[in->first + k], g);
        if (in->predicate != IRI_D3D9_NONE) {
            const iri_d3d9_operand *p = &s->operands[in->predicate];
            see_operand(p, g);
            seen.features[p->modifier == IRI_D3D9_SRC_NOT ? FEATURE_NOT_PREDICATE
                                                          : FEATURE_PREDICATE][g] = true;
        }
        if (iri_d3d9_ops[in->op].flags & IRI_D3D9_FLAG_COMPARE)
            seen.comparisons[in->op == IRI_D3D9_OP_IFC      ? 0
                             : in->op == IRI_D3D9_OP_BREAKC ? 1
                                                            : 2][in->control & 7] = true;
        if (iri_d3d9_ops[in->op].flags & IRI_D3D9_FLAG_CONTROL) {
            seen.features[FEATURE_PROJECT][g] |= in->control == IRI_D3D9_TEXLD_PROJECT;
            seen.features[FEATURE_BIAS][g] |= in->control == IRI_D3D9_TEXLD_BIAS;
        }
    }
}

typedef struct cover_job {
    const probe *p;
    iri_arena arena;
    uint8_t bytes[PROBE_CODE * 4];
} cover_job;

static void decode_body(iri_ctx *ctx, void *argument)
{
    cover_job *job = argument;
    const iri_d3d9_shader *s =
        iri_d3d9_decode(ctx, &job->arena, job->bytes, job->p->code_count * 4u, 0);
    iri_d3d9_check(ctx, s);
    see(s);
}

bool cover_add(const probe *p, char why[CASE_WHY])
{
    cover_job job = {.p = p};
    iri_refusal refusal = {0};
    iri_ctx ctx;
    for (uint32_t i = 0; i < p->code_count * 4; i++)
        job.bytes[i] = (uint8_t)(p->code[i / 4] >> 8 * (i % 4));
    iri_ctx_init(&ctx, NULL, NULL, &refusal);
    iri_arena_init(&job.arena, &ctx);
    bool good = iri_protect(&ctx, decode_body, &job) == IRI_OK;
    iri_arena_free(&job.arena);
    return good || stage_refuse(why, &refusal);
}

static bool group_has_op(uint32_t g, iri_d3d9_op op)
{
    for (uint32_t m = 0; m < IRI_D3D9_MODEL_COUNT; m++)
        if (group_of((iri_d3d9_model)m) == g && iri_d3d9_model_has_op((iri_d3d9_model)m, op))
            return true;
    return false;
}

static bool group_has_bank(uint32_t g, uint32_t bank)
{
    for (uint32_t m = 0; m < IRI_D3D9_MODEL_COUNT; m++)
        if (group_of((iri_d3d9_model)m) == g && iri_d3d9_banks[bank].limits[m] > 0)
            return true;
    return false;
}

static uint32_t missing(bool has, const char *what, uint32_t g)
{
    if (!has)
        printf("no probe of %s in %s\n", what, group_names[g]);
    return !has;
}

uint32_t cover_report(void)
{
    static const char *const compares[3] = {"if_", "break_", "setp_"};
    uint32_t count = 0;
    for (uint32_t g = 0; g < GROUPS; g++) {
        for (uint32_t op = 0; op < IRI_D3D9_OP_COUNT; op++)
            if (group_has_op(g, (iri_d3d9_op)op))
                count += missing(seen.ops[op][g], iri_d3d9_ops[op].name, g);
        for (uint32_t f = 0; f < FEATURE_COUNT; f++)
            if (features[f].groups >> g & 1)
                count += missing(seen.features[f][g], features[f].name, g);
        for (uint32_t m = 0; m < IRI_D3D9_SRC_COUNT; m++)
            if (modifiers[m].groups >> g & 1)
                count += missing(seen.modifiers[m][g], modifiers[m].name, g);
        for (uint32_t b = 1; b < IRI_D3D9_BANK_COUNT; b++)
            if (group_has_bank(g, b))
                count += missing(seen.banks[b][g], iri_d3d9_banks[b].prefix, g);
    }
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t c = IRI_D3D9_CMP_GT; c <= IRI_D3D9_CMP_LE; c++)
            if (!seen.comparisons[i][c]) {
                printf("no probe of %s%s\n", compares[i], iri_d3d9_comparison_name(c));
                count++;
            }
    return count;
}
