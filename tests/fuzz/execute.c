/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers for a program, and one run on them.
 */
#include "execute.h"

#include "ir/program.h"

#include <stdio.h>

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* ---- numbers ---- */

static bool is_float(iri_scalar s)
{
    return s == IRI_F16 || s == IRI_F32 || s == IRI_F64;
}

/* Sign, exponent and mantissa widths. */
static uint64_t some_float(uint64_t r, iri_scalar scalar, bool special)
{
    uint32_t mantissa = scalar == IRI_F16 ? 10 : scalar == IRI_F32 ? 23 : 52;
    uint32_t exponent = scalar == IRI_F16 ? 5 : scalar == IRI_F32 ? 8 : 11;
    uint64_t ones = (UINT64_C(1) << exponent) - 1, sign = (r & 1) << (mantissa + exponent);
    uint64_t fraction = r >> 8 & ((UINT64_C(1) << mantissa) - 1);
    uint64_t pick = special ? r >> 1 & 15 : 15;
    if (pick == 0)
        return sign;
    if (pick == 1)
        return sign | ones << mantissa;
    if (pick == 2)
        return sign | ones << mantissa | fraction | 1;
    if (pick == 3)
        return sign | fraction;
    if (pick == 4)
        return sign | (ones - 1) << mantissa | fraction;
    if (pick == 5)
        return sign | (r >> 5 & ones) << mantissa | fraction;
    /* Between 1/8 and 8; often a quarter. */
    if (r >> 60 & 1)
        fraction &= UINT64_C(3) << (mantissa - 2);
    return sign | ((ones >> 1) - 3 + (r >> 5) % 6) << mantissa | fraction;
}

static uint64_t some_lane(uint64_t r, iri_scalar scalar, bool special)
{
    uint32_t bits = iri_scalar_bits(scalar);
    if (is_float(scalar))
        return some_float(r, scalar, special);
    if (bits == 1)
        return r & 1;
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    return (r & 3 ? (r >> 2) % 9 : r >> 2) & mask;
}

/* A lane as the executor reads it, from `at` on. */
void execute_put_lane(uint64_t *at, iri_scalar scalar, uint64_t bits)
{
    uint16_t half = (uint16_t)bits;
    uint32_t word = (uint32_t)bits;
    switch (iri_scalar_bits(scalar)) {
    case 16: memcpy(at, &half, sizeof half); break;
    case 64: *at = bits; break;
    default: memcpy(at, &word, sizeof word); break;
    }
}

uint64_t execute_get_lane(const uint64_t *at, iri_scalar scalar)
{
    uint16_t half;
    uint32_t word;
    switch (iri_scalar_bits(scalar)) {
    case 16: memcpy(&half, at, sizeof half); return half;
    case 64: return *at;
    default: memcpy(&word, at, sizeof word); return word;
    }
}

static bool is_graph(const iri_program *p)
{
    for (iri_id f = 1; f < p->function_count; f++)
        if (p->functions[f].form == IRI_FORM_CFG)
            return true;
    return false;
}

/* Only at the top of the entry, and before it may return early, all of a quad takes part for sure. */
static bool may_diverge(const iri_program *p)
{
    iri_id body = p->functions[p->entry].body;
    bool returns = false, derives = iri_has_props(p, IRI_PROP_DERIVATIVE);
    for (iri_id r = 1; r < p->region_count; r++)
        iri_for_each_inst(p, r, in)
        {
            if (r != body && (iri_props(in->op) & IRI_PROP_DERIVATIVE))
                return true;
            returns |= p->regions[r].owner && in->op == IRI_OP_RETURN;
        }
    return derives && (returns || is_graph(p));
}

/* Inputs of one name get the same numbers, whatever else a form of the program takes. */
static uint64_t seed_of(uint64_t seed, const iri_io *io)
{
    uint64_t hash = seed ^ io->index * UINT64_C(0xd1342543de82ef95);
    for (const char *c = io->name; *c; c++)
        hash = (hash ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
    return hash;
}

void execute_fill_memory(execute_numbers *n, uint64_t seed)
{
    bool special = next(&seed) % 2 == 0;
    for (uint32_t i = 0; i < EXECUTE_BANK; i++) {
        bool odd = special && next(&seed) % 8 == 0;
        n->constants[0][i] = (uint32_t)some_float(next(&seed), IRI_F32, odd);
        n->constants[1][i] = (uint32_t)(next(&seed) % 5);
        n->constants[2][i] = (uint32_t)(next(&seed) % 2);
    }
    for (uint32_t i = 0; i < EXECUTE_TEXELS * 4; i++)
        n->texels[i] = (uint32_t)some_float(next(&seed), IRI_F32, false);
}

void execute_fill_inputs(execute_numbers *n, const iri_program *p, uint64_t seed)
{
    const iri_interface *io = &p->interface;
    bool special = next(&seed) % 2 == 0;
    for (uint32_t i = 0; i < io->input_count && i < EXECUTE_IO; i++) {
        iri_scalar scalar = IRI_TYPE_SCALAR(io->inputs[i].type);
        uint64_t state = seed_of(seed, &io->inputs[i]);
        memset(n->inputs[i], 0, sizeof n->inputs[i]);
        for (uint32_t k = 0; k < n->count; k++)
            for (uint32_t lane = 0; lane < IRI_TYPE_LANES(io->inputs[i].type); lane++) {
                bool odd = special && next(&state) % 4 == 0;
                uint64_t bits = some_lane(next(&state), scalar, odd);
                execute_put_lane(&n->inputs[i][k][lane], scalar, bits);
            }
    }
    n->no_quads = may_diverge(p);
}

/* ---- executing ---- */

typedef struct bound {
    iri_exec_resource resources[EXECUTE_RESOURCES];
    iri_exec_texture textures[EXECUTE_RESOURCES][2];
    iri_sampler samplers[EXECUTE_RESOURCES];
} bound;

static void bind(const iri_program *p, const execute_numbers *n, bound *to)
{
    memset(to, 0, sizeof *to);
    for (uint32_t i = 0; i < p->interface.resource_count && i < EXECUTE_RESOURCES; i++) {
        const iri_resource *r = &p->interface.resources[i];
        iri_exec_resource *res = &to->resources[i];
        if (r->kind == IRI_RESOURCE_CBUFFER) {
            res->data = n->constants[r->reg % 3];
            res->size = sizeof n->constants[0];
        } else if (r->kind == IRI_RESOURCE_TEXTURE) {
            bool cube = r->dimension == IRI_DIMENSION_CUBE;
            for (uint32_t k = 0; k < 2; k++)
                to->textures[i][k] =
                    (iri_exec_texture){r->dimension,
                                       EXECUTE_SIDE,
                                       r->dimension == IRI_DIMENSION_1D ? 1 : EXECUTE_SIDE,
                                       r->dimension == IRI_DIMENSION_3D ? EXECUTE_SIDE : 1,
                                       (cube ? 6u : 1u) * (r->arrayed ? 2u : 1u),
                                       2,
                                       n->texels + 4 * (r->reg + k)};
            res->texture = to->textures[i];
            res->count = r->count < 2 ? r->count : 2;
        } else {
            to->samplers[i] =
                (iri_sampler){.min_filter = IRI_FILTER_LINEAR,
                              .mag_filter = r->reg % 2,
                              .mip_filter = IRI_MIP_LINEAR,
                              .address = {IRI_ADDRESS_WRAP, IRI_ADDRESS_MIRROR, IRI_ADDRESS_CLAMP},
                              .compare = IRI_COMPARE_LESS_EQUAL};
            res->sampler = &to->samplers[i];
        }
    }
}

/* False and `why` when it cannot be run; a step limit is an outcome. */
bool execute_run(const iri_program *p, const execute_numbers *n, const iri_exec_options *options,
                 execute_outcome *out, iri_refusal *why)
{
    static bound b;
    const iri_interface *io = &p->interface;
    iri_exec_array in[EXECUTE_IO] = {0}, to[EXECUTE_IO] = {0};
    iri_exec *exec;
    iri_exec_options given = {.size = sizeof given};
    memset(out, 0, sizeof *out);
    if (io->input_count > EXECUTE_IO || io->output_count > EXECUTE_IO ||
        io->resource_count > EXECUTE_RESOURCES) {
        snprintf(why->reason, sizeof why->reason,
                 "more inputs, outputs or resources than expected");
        return false;
    }
    for (uint32_t i = 0; i < EXECUTE_IO; i++)
        in[i] = (iri_exec_array){(void *)(uintptr_t)n->inputs[i], sizeof n->inputs[0][0], 8};
    for (uint32_t i = 0; i < EXECUTE_IO; i++)
        to[i] = (iri_exec_array){out->outputs[i], sizeof out->outputs[0][0], 8};
    bind(p, n, &b);
    if (options)
        given = *options;
    given.allocator = n->allocator ? n->allocator : given.allocator;
    given.limits = n->limits ? n->limits : given.limits;
    if (iri_exec_compile(p, &given, &exec, why) != IRI_OK)
        return false;
    iri_exec_batch batch = {.count = n->count,
                            .inputs = in,
                            .outputs = to,
                            .resources = b.resources,
                            .resource_count = io->resource_count,
                            .state = n->state,
                            .flags = out->flags,
                            .step_limit = n->step_limit,
                            .no_quads = n->no_quads};
    out->status = iri_exec_run(exec, &batch, why);
    iri_exec_free(exec);
    return out->status == IRI_OK || out->status == IRI_LIMIT_STEPS;
}

bool execute_same(const iri_program *a, const execute_outcome *x, const iri_program *b,
                  const execute_outcome *y, uint32_t count, char *what, size_t size)
{
    for (uint32_t i = 0; i < b->interface.output_count; i++) {
        const iri_io *io = &b->interface.outputs[i];
        iri_scalar scalar = IRI_TYPE_SCALAR(io->type);
        uint32_t k = iri_find_output(a, io->name, io->index);
        for (uint32_t n = 0; n < count && k != IRI_NOT_FOUND; n++)
            for (uint32_t lane = 0; lane < IRI_TYPE_LANES(io->type); lane++) {
                uint64_t before = execute_get_lane(&x->outputs[k][n][lane], scalar);
                uint64_t after = execute_get_lane(&y->outputs[i][n][lane], scalar);
                if (before == after)
                    continue;
                snprintf(what, size, "invocation %u, %s%u.%c is %llx, not %llx", (unsigned)n,
                         io->name, (unsigned)io->index, "xyzw"[lane], (unsigned long long)after,
                         (unsigned long long)before);
                return false;
            }
    }
    for (uint32_t n = 0; n < count; n++)
        if (x->flags[n] != y->flags[n]) {
            snprintf(what, size, "invocation %u is killed in one and not in the other",
                     (unsigned)n);
            return false;
        }
    return true;
}
