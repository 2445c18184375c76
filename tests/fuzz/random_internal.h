/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the generator's files share.
 */
#ifndef IRI_TESTS_FUZZ_RANDOM_INTERNAL_H
#define IRI_TESTS_FUZZ_RANDOM_INTERNAL_H

#include "random.h"

enum {
    VALUES_MAX = 600,
    LABELS_MAX = 12,
    CARRY_MAX = 8, /* values that an edge, a call or a return carries */
    LOCALS_MAX = 4,
    FUNCTIONS_MAX = 3,
    BLOCKS_MAX = 10,
    ACCUMULATORS = 2
};

typedef struct random_value {
    iri_id id;
    iri_type type;
    uint16_t uses;
    bool exact; /* a float that every implementation computes to the same bits; others always are */
} random_value;

typedef struct random_types {
    iri_type at[CARRY_MAX];
    uint32_t count;
} random_types;

/* An open op with a label. */
typedef struct random_label {
    uint32_t label;
    bool loop;
    iri_id counter;          /* a loop's */
    random_types results;    /* that leaving it carries */
    random_types parameters; /* that continuing it carries, after the counter */
    bool left;               /* an edge completes it */
} random_label;

typedef struct random_function {
    iri_id id;
    random_types parameters, results;
} random_function;

typedef struct random_gen {
    iri_builder *b;
    const random_options *o;
    uint64_t state;
    size_t drawn; /* of the options' bytes */
    iri_stage stage;
    int budget;
    iri_scalar scalars[IRI_SCALAR_COUNT];
    uint32_t scalar_count;

    random_value values[VALUES_MAX];
    uint32_t value_count;
    random_label labels[LABELS_MAX];
    uint32_t label_count, loop_count;
    bool closed;    /* a terminator ended the open region */
    uint32_t depth; /* of regions */
    bool diverged;  /* some invocations may take no part any more */

    /* What all that is computed goes into: u32, and for a GPU vec4<f32>. Carried along edges, or in locals. */
    uint32_t accumulator_count;
    bool accumulators_in_locals;
    iri_id accumulators[ACCUMULATORS];

    iri_local locals[LOCALS_MAX], arrays[LOCALS_MAX];
    iri_id local_ids[LOCALS_MAX], array_ids[LOCALS_MAX];
    uint32_t local_count, array_count;

    random_function functions[FUNCTIONS_MAX];
    uint32_t function_count;
    uint32_t function; /* being built: its index + 1; 0 the entry */

    iri_io inputs[RANDOM_INPUTS], outputs[RANDOM_OUTPUTS];
    uint32_t input_count, output_count;
    iri_resource resources[RANDOM_RESOURCES_MAX];
    uint32_t resource_count;
} random_gen;

/* ---- random_values.c ---- */

uint32_t random_below(random_gen *g, uint32_t count);
bool random_chance(random_gen *g, uint32_t percent);
static inline bool random_has(const random_gen *g, uint32_t what)
{
    return (g->o->what & what) != 0;
}
static inline bool random_is_float(iri_type type)
{
    iri_scalar s = IRI_TYPE_SCALAR(type);
    return s == IRI_F16 || s == IRI_F32 || s == IRI_F64;
}

iri_type random_type(random_gen *g);
iri_scalar random_scalar_of_class(random_gen *g, char type_class); /* IRI_VOID: none */
iri_lanes random_lanes(random_gen *g, uint32_t count, uint32_t among);
iri_lanes random_mask(random_gen *g, uint32_t among);

iri_id random_emit1(random_gen *g, iri_op op, iri_type type, iri_id x);
iri_id random_emit2(random_gen *g, iri_op op, iri_id x, iri_id y);
iri_id random_emit3(random_gen *g, iri_op op, iri_id x, iri_id y, iri_id z);
iri_id random_swizzle(random_gen *g, iri_id x, iri_lanes lanes);
iri_id random_u32(random_gen *g, uint32_t value);
iri_id random_f32(random_gen *g, float value, uint32_t lanes);

void random_keep(random_gen *g, iri_id value, bool exact);
iri_id random_constant(random_gen *g, iri_type type);
/* A value of the type: one in scope, or a new one. */
iri_id random_pick(random_gen *g, iri_type type);
/* The same, but for a float one without an error where that matters. */
iri_id random_pick_exact(random_gen *g, iri_type type);
/* A whole number below `count`, a power of two. */
iri_id random_index(random_gen *g, uint32_t count);
/* x as another type. */
iri_id random_convert(random_gen *g, iri_id x, iri_type type);

/* ---- random_ops.c ---- */

/* Emits some operation and keeps its result. */
void random_operation(random_gen *g);

/* ---- random_memory.c ---- */

iri_id random_input(random_gen *g, uint32_t input, iri_lanes lanes);
/* A load of some kind that gives the type; 0 when there is none. */
iri_id random_load(random_gen *g, iri_type type);
void random_store(random_gen *g);
void random_lookup(random_gen *g);
iri_id random_state_value(random_gen *g, iri_type *type);
void random_add_interface(random_gen *g);
void random_add_locals(random_gen *g);
void random_write_outputs(random_gen *g);

/* ---- random_flow.c ---- */

iri_type random_accumulator_type(uint32_t i);
iri_id random_get_accumulator(random_gen *g, uint32_t i);
void random_set_accumulator(random_gen *g, uint32_t i, iri_id value);
/* Mixes what was kept since `from` and nothing reads into the accumulators. */
void random_settle(random_gen *g, uint32_t from);
random_types random_carried(random_gen *g, uint32_t most);
uint32_t random_edge(random_gen *g, const random_types *types, iri_id *values);
/* Takes up what an edge brought. */
void random_take(random_gen *g, const random_types *types, const iri_id *values);
void random_statements(random_gen *g);
void random_finish(random_gen *g);
void random_statement_in_block(random_gen *g);

/* ---- random_graph.c ---- */

void random_graph(random_gen *g);

#endif
