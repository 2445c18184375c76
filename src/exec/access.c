/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Buffers, storage textures, workgroup variables, counters: the kernel of accesses, invocation by invocation in
 * order. Nothing out of range is touched: a word there reads 0 and is not written. A read-modify-write is whole, since
 * one instruction runs over all invocations before the next.
 */
#include "exec/exec.h"

/* Words that an access may touch, and the first that it does. `count` 0: none. */
typedef struct words {
    uint8_t *at;    /* of the first word of the memory */
    uint64_t first; /* in words */
    uint64_t end;   /* of the memory, or of the element */
} words;

static uint32_t get(const words *w, uint32_t i)
{
    uint32_t word = 0;
    if (w->first + i < w->end)
        memcpy(&word, w->at + (w->first + i) * 4, 4);
    return word;
}

static void put(const words *w, uint32_t i, uint32_t word)
{
    if (w->first + i < w->end)
        memcpy(w->at + (w->first + i) * 4, &word, 4);
}

/* ---- where ---- */

static iri_exec_memory *memory_of(const iri_machine *m, const iri_exec_access *access)
{
    const iri_exec_resource *bound = iri_bound(m, access->resource);
    uint32_t count = bound && bound->memory ? (bound->count ? bound->count : 1) : 0;
    return access->index < count ? bound->memory + access->index : NULL;
}

static words find_shared(const iri_machine *m, const iri_access_site *site, uint32_t invocation,
                         const iri_exec_access *access)
{
    const iri_exec *e = m->exec;
    uint32_t group = (invocation - m->first) / e->group_size;
    uint32_t *at = m->shared + (size_t)group * e->shared_words + e->shared_at[site->resource];
    return (words){(uint8_t *)(void *)at, access->place[0] / 4,
                   e->program->interface.shared[site->resource].size / 4};
}

/* A texel of a storage texture; one out of range has no words. */
static words find_texel(const iri_exec_texture *texture, const iri_exec_memory *memory,
                        const iri_resource *declared, const uint32_t *at)
{
    uint32_t axes = iri_dimension_lanes(declared->dimension);
    uint32_t x = at[0], y = axes > 1 ? at[1] : 0, z = axes > 2 ? at[2] : 0;
    uint32_t layer = declared->arrayed ? at[axes] : 0;
    if (!texture || iri_exec_texture_words(texture) * 4 > memory->size || x >= texture->width ||
        y >= texture->height || z >= texture->depth || layer >= texture->layers)
        return (words){0};
    uint64_t first = iri_exec_texture_at(texture, 0, layer, x, y, z);
    return (words){memory->data, first, first + 4};
}

static words find_words(const iri_machine *m, const iri_access_site *site, uint32_t invocation,
                        const iri_exec_access *access)
{
    const iri_exec_memory *memory;
    const iri_resource *declared;
    if (site->memory.memory == IRI_MEMORY_SHARED)
        return find_shared(m, site, invocation, access);
    memory = memory_of(m, access);
    declared = &m->exec->program->interface.resources[site->resource];
    if (!memory || !memory->data)
        return (words){0};
    uint64_t all = memory->size / 4, stride = declared->stride / 4, element = access->place[0];
    switch ((iri_memory)site->memory.memory) {
    case IRI_MEMORY_RAW: return (words){memory->data, element / 4, all};
    case IRI_MEMORY_STRUCTURED:
        if (element >= all / stride)
            break;
        return (words){memory->data, element * stride + access->place[1] / 4,
                       (element + 1) * stride};
    case IRI_MEMORY_TYPED:
        if (element >= all / 4)
            break;
        return (words){memory->data, element * 4, element * 4 + 4};
    case IRI_MEMORY_IMAGE: {
        const iri_exec_resource *bound = iri_bound(m, access->resource);
        return find_texel(bound->texture ? bound->texture + access->index : NULL, memory, declared,
                          access->place);
    }
    case IRI_MEMORY_SHARED:
    case IRI_MEMORY_NONE: break;
    }
    return (words){0};
}

/* ---- what ---- */

static uint32_t apply(uint32_t function, bool is_signed, uint32_t a, uint32_t b)
{
    bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;
    switch ((iri_atomic)function) {
    case IRI_ATOMIC_ADD: return a + b;
    case IRI_ATOMIC_AND: return a & b;
    case IRI_ATOMIC_OR: return a | b;
    case IRI_ATOMIC_XOR: return a ^ b;
    case IRI_ATOMIC_MIN: return less ? a : b;
    case IRI_ATOMIC_MAX: return less ? b : a;
    case IRI_ATOMIC_EXCHANGE:
    case IRI_ATOMIC_COUNT: break;
    }
    return b;
}

static void store(const iri_machine *m, const iri_access_site *site, const words *w,
                  const iri_exec_access *access)
{
    uint32_t texel[4];
    bool texels =
        site->memory.memory == IRI_MEMORY_TYPED || site->memory.memory == IRI_MEMORY_IMAGE;
    memcpy(texel, access->values, sizeof texel);
    if (texels)
        iri_format_store(m->exec->program->interface.resources[site->resource].format, texel);
    for (uint32_t i = 0; i < site->lanes; i++)
        put(w, i, texel[i]);
}

static void count(const iri_machine *m, const iri_exec_access *access, uint32_t result[4])
{
    iri_exec_memory *memory = memory_of(m, access);
    if (memory)
        result[0] = access->op == IRI_OP_COUNTER_ALLOC ? memory->counter++ : --memory->counter;
}

static void measure(const iri_machine *m, const iri_exec_access *access, uint32_t result[4])
{
    const iri_exec_memory *memory = memory_of(m, access);
    const iri_resource *declared = &m->exec->program->interface.resources[access->resource];
    size_t unit = declared->buffer_shape == IRI_BUFFER_STRUCTURED ? declared->stride
                  : declared->buffer_shape == IRI_BUFFER_TYPED    ? 16
                                                                  : 1;
    size_t size = memory && memory->data ? memory->size / unit : 0;
    if (unit == 1)
        size &= ~(size_t)3; /* whole words */
    result[0] = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

void iri_access_memory(const iri_machine *m, const iri_access_site *site, uint32_t invocation,
                       const iri_exec_access *access, uint32_t result[4])
{
    if (access->op == IRI_OP_BUFFER_SIZE) {
        measure(m, access, result);
        return;
    }
    if (!site->memory.memory) {
        count(m, access, result);
        return;
    }
    words w = find_words(m, site, invocation, access);
    switch ((iri_memory_act)site->memory.act) {
    case IRI_MEMORY_LOAD:
        for (uint32_t i = 0; i < site->lanes; i++)
            result[i] = get(&w, i);
        break;
    case IRI_MEMORY_STORE: store(m, site, &w, access); break;
    case IRI_MEMORY_ATOMIC:
        result[0] = get(&w, 0);
        put(&w, 0, apply(access->function, site->is_signed, result[0], access->values[0]));
        break;
    case IRI_MEMORY_CAS:
        result[0] = get(&w, 0);
        if (result[0] == access->compare)
            put(&w, 0, access->values[0]);
        break;
    }
}

/* ---- the kernel ---- */

static void fill_access(const iri_machine *m, const iri_access_site *site, uint32_t i,
                        iri_exec_access *access)
{
    for (uint32_t k = 0; k < site->place_count; k++)
        access->place[k] = iri_column(m, site->place[k])[i].u;
    for (uint32_t k = 0; k < site->lanes && site->memory.values; k++)
        access->values[k] = iri_column(m, site->values[k])[i].u;
    access->level = site->has_level ? iri_column(m, site->level)[i].u : 0;
    access->compare = site->memory.act == IRI_MEMORY_CAS ? iri_column(m, site->compare)[i].u : 0;
    access->index = site->has_index ? iri_column(m, site->index)[i].u : 0;
    access->invocation = m->first + i;
}

static bool ask_backend(const iri_machine *m, const iri_exec_access *access, uint32_t result[4])
{
    const iri_exec_backend *backend = m->batch->backend;
    return backend && backend->access && backend->access(backend->user, access, result);
}

static bool is_memory(const iri_access_site *site)
{
    return site->memory.memory || site->op == IRI_OP_BUFFER_SIZE ||
           site->op == IRI_OP_COUNTER_ALLOC || site->op == IRI_OP_COUNTER_CONSUME;
}

void iri_kernel_access(iri_machine *m, const iri_step *step)
{
    const iri_access_site *site = &m->exec->accesses[step->x];
    const iri_cell *mask = iri_column(m, IRI_COLUMN_MASK);
    bool memory = is_memory(site), shared = site->memory.memory == IRI_MEMORY_SHARED;
    bool effect = (iri_props(site->op) & IRI_PROP_EFFECT) != 0;
    bool results = iri_op_infos[site->op].results[0] != 0;
    iri_exec_access access = {.op = site->op,
                              .function = site->function,
                              .resource = site->resource,
                              .lanes = site->lanes};
    memcpy(access.offset, site->offset, sizeof access.offset);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t result[4] = {0};
        if (!mask[i].u)
            continue;
        if (!effect || iri_has_effect(m, i)) {
            fill_access(m, site, i, &access);
            if (shared || !ask_backend(m, &access, result)) {
                if (memory)
                    iri_access_memory(m, site, m->first + i, &access, result);
                else
                    iri_access_texture(m, &access, result);
            }
        }
        for (uint32_t k = 0; k < site->lanes && results; k++)
            iri_column(m, site->d[k])[i].u = result[k];
    }
}
