/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The binding plan. Direct3D has four classes of registers (b, t, s, u) and as many spaces as a
 * program likes; WebGPU has four groups by default. So a class is a group, and the registers of
 * spaces beyond 0 follow those of space 0.
 */
#include "write/plan.h"

static const uint8_t group_of[IRI_RESOURCE_COUNT] = {
    [IRI_RESOURCE_CBUFFER] = 0,        [IRI_RESOURCE_TEXTURE] = 1,
    [IRI_RESOURCE_BUFFER] = 1,         [IRI_RESOURCE_SAMPLER] = 2,
    [IRI_RESOURCE_STORAGE_BUFFER] = 3, [IRI_RESOURCE_STORAGE_TEXTURE] = 3,
};

/* How many bindings a resource takes up. */
static uint32_t width(const iri_resource *resource)
{
    return resource->count ? resource->count : 1;
}

/* Orders resources of spaces beyond 0: by space, then register, then place in the interface. */
static bool comes_before(const iri_resource *a, const iri_resource *b)
{
    return a->space != b->space ? a->space < b->space : a->reg < b->reg;
}

/* Gives the resources of one group's spaces beyond 0 the bindings after `next`, in order. */
static void plan_spaces(iri_arena *arena, const iri_interface *io, uint32_t group, uint64_t next,
                        uint64_t *at)
{
    uint32_t *order = iri_new_array(arena, uint32_t, io->resource_count), count = 0;
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        if (group_of[r->kind] != group || r->space == 0)
            continue;
        uint32_t k = count++;
        for (; k > 0 && comes_before(r, &io->resources[order[k - 1]]); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (uint32_t k = 0; k < count; k++) {
        at[order[k]] = next;
        next += width(&io->resources[order[k]]);
    }
}

static void plan_d3d(iri_arena *arena, const iri_program *p, uint32_t offset, iri_binding *bindings,
                     uint64_t *at)
{
    const iri_interface *io = &p->interface;
    uint64_t next[IRI_PLAN_GROUPS] = {0};
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        uint32_t group = group_of[r->kind];
        bindings[i].group = group;
        if (r->space != 0)
            continue;
        at[i] = r->reg;
        if (at[i] + width(r) > next[group])
            next[group] = at[i] + width(r);
    }
    for (uint32_t group = 0; group < IRI_PLAN_GROUPS; group++)
        plan_spaces(arena, io, group, next[group], at);
    for (uint32_t i = 0; i < io->resource_count; i++)
        at[i] += offset;
}

static void check(iri_ctx *ctx, const iri_interface *io, const iri_binding *bindings)
{
    char name[32], other[32];
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *a = &io->resources[i];
        for (uint32_t k = 0; k < i; k++) {
            const iri_resource *b = &io->resources[k];
            if (bindings[i].group == bindings[k].group &&
                bindings[i].binding < bindings[k].binding + width(b) &&
                bindings[k].binding < bindings[i].binding + width(a))
                iri_fail(ctx, IRI_BINDING_COLLISION, a->offset,
                         "%s and %s would both be at group %u, binding %u",
                         iri_resource_label(b, other), iri_resource_label(a, name),
                         bindings[i].group, bindings[i].binding);
        }
    }
}

iri_binding *iri_plan_bindings(iri_ctx *ctx, iri_arena *arena, const iri_program *p,
                               const iri_binding_plan *plan)
{
    const iri_interface *io = &p->interface;
    iri_binding *bindings = iri_new_array(arena, iri_binding, io->resource_count);
    uint64_t *at = iri_new_array(arena, uint64_t, io->resource_count);
    char name[32];
    if (plan->custom) {
        if (plan->custom_count != io->resource_count)
            iri_fail(ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET,
                     "the binding plan has %llu bindings for %u resources",
                     (unsigned long long)plan->custom_count, io->resource_count);
        for (uint32_t i = 0; i < io->resource_count; i++) {
            bindings[i].group = plan->custom[i].group;
            at[i] = plan->custom[i].binding;
        }
    } else {
        uint32_t offset = plan->pixel_offset ? plan->pixel_offset : IRI_PLAN_PIXEL_OFFSET;
        bool moved = p->stage == IRI_STAGE_PIXEL && plan->pixel_offset != IRI_NO_PIXEL_OFFSET;
        plan_d3d(arena, p, moved ? offset : 0, bindings, at);
    }
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        if (bindings[i].group >= IRI_PLAN_GROUPS)
            iri_fail(ctx, IRI_CAPABILITY, r->offset, "%s is in group %u; there are %u",
                     iri_resource_label(r, name), bindings[i].group, IRI_PLAN_GROUPS);
        if (at[i] + width(r) > IRI_PLAN_BINDINGS)
            iri_fail(ctx, IRI_CAPABILITY, r->offset, "%s needs binding %llu; a group has %u",
                     iri_resource_label(r, name), (unsigned long long)(at[i] + width(r) - 1),
                     IRI_PLAN_BINDINGS);
        bindings[i].binding = (uint32_t)at[i];
    }
    check(ctx, io, bindings);
    return bindings;
}

void iri_plan_counters(const iri_interface *io, const bool *counted, iri_binding *bindings)
{
    uint32_t next[IRI_PLAN_GROUPS] = {0};
    for (uint32_t i = 0; i < io->resource_count; i++) {
        uint32_t end = bindings[i].binding + width(&io->resources[i]);
        if (next[bindings[i].group] < end)
            next[bindings[i].group] = end;
    }
    for (uint32_t i = 0; i < io->resource_count; i++)
        if (counted[i])
            bindings[i].binding = next[bindings[i].group]++;
}
