/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What operations on resources and workgroup variables have in common: which kinds of resource they name, what
 * their operands are. One table for the builder, the validator, the executor and the writers.
 */
#ifndef IRI_IR_MEMORY_H
#define IRI_IR_MEMORY_H

#include "ir/program.h"

typedef enum iri_memory {
    IRI_MEMORY_NONE = 0, /* not such an operation */
    IRI_MEMORY_RAW,
    IRI_MEMORY_STRUCTURED,
    IRI_MEMORY_TYPED,
    IRI_MEMORY_IMAGE,
    IRI_MEMORY_SHARED
} iri_memory;

typedef enum iri_memory_act {
    IRI_MEMORY_LOAD,
    IRI_MEMORY_STORE,
    IRI_MEMORY_ATOMIC,
    IRI_MEMORY_CAS
} iri_memory_act;

/* Of load.raw .. atomic.shared.cas. Operands: `places` that say where (an address; an element and a byte;
 * coordinates), `values`, and for a resource the optional index into its range. */
typedef struct iri_memory_op {
    uint8_t memory; /* iri_memory */
    uint8_t act;    /* iri_memory_act */
    uint8_t places, values;
    uint8_t immediate; /* which one names the resource or variable */
} iri_memory_op;

iri_memory_op iri_memory_of(uint32_t op);

/* Bit set of the iri_resource_kinds that immediate `i` of an operation may name; 0 when it names no resource. */
uint32_t iri_resource_kinds(uint32_t op, uint32_t i);
/* The place of the operand that indexes the range of the first resource; a sampler's stands behind it. */
uint32_t iri_range_operand(uint32_t op);
/* Whether an operation reads a resource that nothing in the program can write, so that it is as good as pure. */
bool iri_reads_constants(const iri_interface *io, uint32_t op, const uint32_t *immediates);
/* How many lanes say where in a texture: the layer behind them not counted. */
uint32_t iri_dimension_lanes(uint32_t dimension);

#endif
