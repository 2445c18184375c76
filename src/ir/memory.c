/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operands of operations on resources and workgroup variables, by their letters in ops.def.
 */
#include "ir/memory.h"

#include <string.h>

#define BIT(kind) (1u << IRI_RESOURCE_##kind)

iri_memory_op iri_memory_of(uint32_t op)
{
#define ROW(memory, act, places, values, immediate) \
    (iri_memory_op) \
    { \
        IRI_MEMORY_##memory, IRI_MEMORY_##act, places, values, immediate \
    }
    switch (op) {
    case IRI_OP_LOAD_RAW: return ROW(RAW, LOAD, 1, 0, 0);
    case IRI_OP_LOAD_STRUCTURED: return ROW(STRUCTURED, LOAD, 2, 0, 0);
    case IRI_OP_LOAD_TYPED: return ROW(TYPED, LOAD, 1, 0, 0);
    case IRI_OP_LOAD_IMAGE: return ROW(IMAGE, LOAD, 1, 0, 0);
    case IRI_OP_LOAD_SHARED: return ROW(SHARED, LOAD, 1, 0, 0);
    case IRI_OP_STORE_RAW: return ROW(RAW, STORE, 1, 1, 0);
    case IRI_OP_STORE_STRUCTURED: return ROW(STRUCTURED, STORE, 2, 1, 0);
    case IRI_OP_STORE_TYPED: return ROW(TYPED, STORE, 1, 1, 0);
    case IRI_OP_STORE_IMAGE: return ROW(IMAGE, STORE, 1, 1, 0);
    case IRI_OP_STORE_SHARED: return ROW(SHARED, STORE, 1, 1, 0);
    case IRI_OP_ATOMIC_RAW: return ROW(RAW, ATOMIC, 1, 1, 1);
    case IRI_OP_ATOMIC_STRUCTURED: return ROW(STRUCTURED, ATOMIC, 2, 1, 1);
    case IRI_OP_ATOMIC_TYPED: return ROW(TYPED, ATOMIC, 1, 1, 1);
    case IRI_OP_ATOMIC_IMAGE: return ROW(IMAGE, ATOMIC, 1, 1, 1);
    case IRI_OP_ATOMIC_SHARED: return ROW(SHARED, ATOMIC, 1, 1, 1);
    case IRI_OP_ATOMIC_RAW_CAS: return ROW(RAW, CAS, 1, 2, 0);
    case IRI_OP_ATOMIC_STRUCTURED_CAS: return ROW(STRUCTURED, CAS, 2, 2, 0);
    case IRI_OP_ATOMIC_TYPED_CAS: return ROW(TYPED, CAS, 1, 2, 0);
    case IRI_OP_ATOMIC_IMAGE_CAS: return ROW(IMAGE, CAS, 1, 2, 0);
    case IRI_OP_ATOMIC_SHARED_CAS: return ROW(SHARED, CAS, 1, 2, 0);
    default: return ROW(NONE, LOAD, 0, 0, 0);
    }
#undef ROW
}

static uint32_t memory_kinds(iri_memory_op m)
{
    uint32_t written = BIT(STORAGE_BUFFER);
    switch ((iri_memory)m.memory) {
    case IRI_MEMORY_RAW:
    case IRI_MEMORY_STRUCTURED:
    case IRI_MEMORY_TYPED: return m.act == IRI_MEMORY_LOAD ? written | BIT(BUFFER) : written;
    case IRI_MEMORY_IMAGE: return BIT(STORAGE_TEXTURE);
    case IRI_MEMORY_SHARED:
    case IRI_MEMORY_NONE: break;
    }
    return 0;
}

uint32_t iri_resource_kinds(uint32_t op, uint32_t i)
{
    const char *letters = iri_op_infos[op].immediates;
    iri_memory_op m = iri_memory_of(op);
    if (i >= strlen(letters) || letters[i] != 'r')
        return 0;
    if (m.memory)
        return memory_kinds(m);
    switch (op) {
    case IRI_OP_LOAD_CB: return BIT(CBUFFER);
    case IRI_OP_TEXTURE_SIZE: return BIT(TEXTURE) | BIT(STORAGE_TEXTURE);
    case IRI_OP_BUFFER_SIZE: return BIT(BUFFER) | BIT(STORAGE_BUFFER);
    case IRI_OP_COUNTER_ALLOC:
    case IRI_OP_COUNTER_CONSUME: return BIT(STORAGE_BUFFER);
    default: return i == 0 ? BIT(TEXTURE) : BIT(SAMPLER);
    }
}

uint32_t iri_range_operand(uint32_t op)
{
    const char *letters = iri_op_infos[op].operands, *optional = strchr(letters, '?');
    return (uint32_t)(optional ? (size_t)(optional - letters) : strlen(letters));
}

bool iri_reads_constants(const iri_interface *io, uint32_t op, const uint32_t *immediates)
{
    iri_memory_op m = iri_memory_of(op);
    return m.memory && m.memory != IRI_MEMORY_SHARED && m.act == IRI_MEMORY_LOAD &&
           io->resources[immediates[m.immediate]].kind == IRI_RESOURCE_BUFFER;
}

uint32_t iri_dimension_lanes(uint32_t dimension)
{
    static const uint8_t lanes[IRI_DIMENSION_COUNT] = {0, 1, 2, 3, 3};
    return dimension < IRI_DIMENSION_COUNT ? lanes[dimension] : 0;
}
