/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program's storage and the ways to walk it. Everything lives in the program's own arena; nothing is
 * changed after the builder has finished it. See iridia/ir.h for what the arrays mean.
 */
#ifndef IRI_IR_PROGRAM_H
#define IRI_IR_PROGRAM_H

#include "base/arena.h"
#include <assert.h>
#include <iridia/program.h>

struct iri_program {
    iri_arena arena; /* arena.ctx is NULL once the program is finished */
    iri_allocator allocator;
    iri_stage stage;
    iri_interface interface;
    iri_conventions conventions;
    iri_float_env float_env;
    iri_provenance provenance;
    iri_note *notes;
    uint32_t note_count;
    iri_id entry; /* function */

    /* Element 0 of each is unused, so that id 0 is none. */
    iri_function *functions;
    iri_inst *insts;
    iri_value *values;
    iri_region *regions;
    iri_local *locals;
    uint32_t function_count, inst_count, value_count, region_count,
        local_count;     /* element 0 counted */
    uint32_t *words;     /* operands, immediates, region ids of instructions */
    uint32_t *order;     /* instruction ids of regions */
    uint64_t *constants; /* lanes of constant values */
    uint32_t word_count, order_count, constant_count;
    uint32_t label_count; /* labels are 1 .. label_count - 1 */

    /* Of the build, not part of what the program is. */
    uint64_t ops[(IRI_OP_COUNT + 63) / 64]; /* bit set of the operations it holds */
    uint32_t built;                         /* IRI_BUILD_ flags that held for all of it */
    bool validated; /* the validator found no fault, and nothing changes a finished program */
};

static inline const uint32_t *iri_operands(const iri_program *p, const iri_inst *in)
{
    return p->words + in->words;
}
static inline const uint32_t *iri_immediates(const iri_program *p, const iri_inst *in)
{
    return p->words + in->words + in->operand_count;
}
static inline const uint32_t *iri_regions(const iri_program *p, const iri_inst *in)
{
    return p->words + in->words + in->operand_count + in->immediate_count;
}
static inline iri_type iri_type_of(const iri_program *p, iri_id value)
{
    assert(value < p->value_count);
    return p->values[value].type;
}
static inline bool iri_is_constant(const iri_program *p, iri_id value)
{
    return p->values[value].kind == IRI_VALUE_CONSTANT;
}
/* The lanes of a constant value. */
static inline const uint64_t *iri_constant(const iri_program *p, iri_id value)
{
    assert(iri_is_constant(p, value));
    return p->constants + p->values[value].def;
}
/* The instruction that makes a value, NULL for constants and parameters. */
static inline const iri_inst *iri_def(const iri_program *p, iri_id value)
{
    return p->values[value].kind == IRI_VALUE_RESULT ? &p->insts[p->values[value].def] : NULL;
}

extern const iri_op_info iri_op_infos[IRI_OP_COUNT];

static inline uint32_t iri_props(uint32_t op)
{
    return iri_op_infos[op].properties;
}
static inline bool iri_has_op(const iri_program *p, iri_op op)
{
    return (p->ops[op / 64] >> (op % 64) & 1) != 0;
}
/* Whether it holds an operation with any of these properties. */
bool iri_has_props(const iri_program *p, uint32_t properties);
/* No effect, no local, no memory, no region, not a terminator: may be numbered and removed. */
static inline bool iri_is_pure(uint32_t op)
{
    return (iri_props(op) & (IRI_PROP_EFFECT | IRI_PROP_LOCAL_READ | IRI_PROP_LOCAL_WRITE |
                             IRI_PROP_MEMORY_READ | IRI_PROP_TERMINATOR | IRI_PROP_REGION)) == 0;
}

/* `iri_for_each_inst(p, region, in) { ... }`: the instructions of one region, in order, `in` a
 * `const iri_inst *`. */
#define iri_for_each_inst(p, region_id, each) \
    for (uint32_t each##_i = (p)->regions[region_id].first, \
                  each##_end = each##_i + (p)->regions[region_id].count; \
         each##_i < each##_end; each##_i++) \
        for (const iri_inst *each = &(p)->insts[(p)->order[each##_i]]; each; each = NULL)

/* The last instruction of a region (its terminator in a valid program), NULL when empty. */
static inline const iri_inst *iri_terminator(const iri_program *p, iri_id region)
{
    const iri_region *r = &p->regions[region];
    return r->count ? &p->insts[p->order[r->first + r->count - 1]] : NULL;
}

/* Calls `visit` for each instruction of a region and all regions inside, outer before inner, in order. */
typedef void iri_visit_fn(const iri_program *p, iri_id inst, void *argument);
void iri_walk(const iri_program *p, iri_id region, iri_visit_fn *visit, void *argument);

/* How often each value is an operand (over all functions); an array of value_count in `arena`. */
uint32_t *iri_count_uses(const iri_program *p, iri_arena *arena);

/* The name of a resource by class, register and space: "t0", "cb0", "u3_space1". */
const char *iri_resource_label(const iri_resource *resource, char buffer[32]);
/* "g0" */
const char *iri_shared_label(const iri_shared *shared, char buffer[32]);
/* "TEXCOORD0" */
const char *iri_io_label(const iri_io *io, char buffer[64]);
const char *iri_stage_name(iri_stage stage); /* "pixel" */
const char *iri_type_name(iri_type type);    /* "vec4<f32>", static */

/* What a state is by the caller's entries, the last of them first, and by Direct3D's defaults where he takes them;
 * false when neither says. `given` may be NULL. */
bool iri_find_state(const iri_state *given, iri_state_id id, uint32_t index, iri_state_entry *out,
                    bool *by_default);

/* Prints one instruction as the text form has it (without its regions), for refusals and problems. */
void iri_describe_inst(const iri_program *p, iri_id inst, char *buffer, size_t size);

#endif
