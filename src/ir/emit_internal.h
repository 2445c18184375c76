/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder's inside, shared by emit.c (values and operations), emit_check.c (types), emit_fold.c,
 * emit_flow.c (regions), emit_function.c, emit_header.c (interface) and emit_finish.c.
 *
 * While a program is built its arrays live in the builder's scratch arena. A region's instructions wait on
 * one stack, `pending`, until it closes: regions nest, so the innermost's are always on top. Value numbers
 * are a stack too: closing a region pops the entries that were made in it.
 */
#ifndef IRI_IR_EMIT_INTERNAL_H
#define IRI_IR_EMIT_INTERNAL_H

#include "ir/emit.h"

#include "base/map.h"

/* Kinds beside iri_value_kind that never leave the builder. */
enum {
    IRI_VALUE_ALIAS = 4 /* `def`: the value it stands for */
};

/* What the edges that complete an op carry in one place. */
typedef struct iri_slot {
    iri_type type;
    iri_id same; /* the value that all edges carry so far, 0 when they differ */
} iri_slot;

/* An instruction that carries values out of an op. */
typedef struct iri_edge {
    iri_id inst;
    uint32_t next; /* index + 1 */
} iri_edge;

/* A numbered instruction. */
typedef struct iri_number {
    uint32_t hash;
    iri_id inst;
    uint32_t next; /* in its bucket: index + 1 */
    iri_id region; /* that it stands in */
} iri_number;

/* An open op with regions, or a function (op NONE). */
typedef struct iri_frame {
    uint16_t op;
    bool dead;    /* opened where code is dropped: nothing of it is kept */
    bool closed;  /* the open arm has ended: what is emitted is dropped */
    bool carried; /* an edge that completes it exists */
    uint8_t live; /* an `if` on a constant: which arm (1, 2) is emitted into the enclosing region */
    bool left;    /* and that arm ended in something other than yield */
    uint32_t arms; /* opened so far */
    iri_id inst;
    uint32_t label;
    iri_id region;                          /* the open one */
    uint32_t pending;                       /* where its instructions start */
    uint32_t numbers;                       /* how many entries were there before it */
    uint32_t operands, immediates, regions; /* starts in the stacks below */
    uint32_t slots, slot_count;
    uint32_t edges;     /* newest, index + 1 */
    iri_id first_value; /* values from here on were made inside */
    uint32_t offset;
    uint16_t flags;
    bool relaxed;
} iri_frame;

struct iri_builder {
    iri_ctx *ctx;
    iri_arena *scratch;
    iri_program *p;
    uint32_t flags;
    char *fault; /* NULL when none */
    uint32_t fault_offset;

    struct {
        uint32_t functions, insts, values, regions, locals, words, order, constants;
    } capacity;
    uint32_t offset; /* what is stamped */
    uint16_t inst_flags;
    bool relaxed;

    iri_id function; /* the open one, 0 when none */
    IRI_VEC(iri_frame) frames;
    IRI_VEC(iri_id) pending;
    IRI_VEC(uint32_t) operands, immediates, regions; /* of the open ops */
    IRI_VEC(iri_slot) slots;
    IRI_VEC(iri_edge) edges;
    IRI_VEC(iri_id) wide; /* operands of a long operation, resolved */

    IRI_VEC(iri_number) numbers;
    uint32_t *buckets; /* index + 1 */
    uint32_t bucket_count;
    iri_id *constants; /* a hash table of values */
    uint32_t constant_slots, constant_values;
    iri_id first_block, block_count; /* of the open function when it has CFG form */

    IRI_VEC(iri_io) inputs;
    IRI_VEC(iri_io) outputs;
    IRI_VEC(iri_resource) resources;
    IRI_VEC(iri_state_entry) states;
    IRI_VEC(iri_shared) shared;
    IRI_VEC(iri_note) notes;
    iri_map note_map;
};

/* Makes room for `extra` more elements of one of the program's arrays. */
#define iri_room(b, array, count_field, extra) \
    ((b)->p->count_field + (size_t)(extra) > (b)->capacity.array \
         ? (void)((b)->p->array = iri_vec_grow( \
                      (b)->scratch, (b)->p->array, (b)->p->count_field, &(b)->capacity.array, \
                      (b)->p->count_field + (size_t)(extra), sizeof *(b)->p->array)) \
         : (void)0)

static inline iri_frame *iri_top(iri_builder *b)
{
    return b->frames.count ? &b->frames.at[b->frames.count - 1] : NULL;
}
static inline bool iri_is_dropping(const iri_builder *b)
{
    const iri_frame *top = b->frames.count ? &b->frames.at[b->frames.count - 1] : NULL;
    return top && (top->closed || top->dead);
}
/* The value itself, for an alias. 0 for ids that are none. */
static inline iri_id iri_resolve(const iri_builder *b, iri_id value)
{
    if (value >= b->p->value_count)
        return 0;
    while (b->p->values[value].kind == IRI_VALUE_ALIAS)
        value = b->p->values[value].def;
    return value;
}

/* Records a fault of an operation. */
void iri_op_fault(iri_builder *b, uint32_t op, const char *format, ...) IRI_PRINTF(3, 4);

/* emit_check.c: whether the operands and immediates fit the operation; records a fault where not, unless
 * `quiet`. `result` gets the first result's type in any case, void when there is none. Not for regions,
 * terminators and calls. */
bool iri_check_op(iri_builder *b, iri_op op, iri_type given, const iri_id *operands,
                  uint32_t operand_count, const uint32_t *immediates, uint32_t immediate_count,
                  bool quiet, iri_type *result);

/* emit_fold.c: the value that the operation has without being built, 0 when it must be. May reorder the
 * operands of a commutative operation. */
iri_id iri_fold(iri_builder *b, iri_op op, iri_type type, iri_id *operands, uint32_t operand_count,
                const uint32_t *immediates);

/* emit.c */
iri_id iri_new_value(iri_builder *b, iri_type type, iri_value_kind kind, iri_id def, uint32_t index,
                     bool relaxed);
/* A new instruction without words, results or place. */
iri_id iri_new_inst(iri_builder *b, iri_op op, uint32_t flags, uint32_t offset);
void iri_set_words(iri_builder *b, iri_id inst, const uint32_t *operands, uint32_t operand_count,
                   const uint32_t *immediates, uint32_t immediate_count, const uint32_t *regions,
                   uint32_t region_count);
/* Something of the type where there is no value: a zero. */
iri_id iri_no_value(iri_builder *b, iri_type type);
void iri_pop_numbers(iri_builder *b, uint32_t count);

/* emit_flow.c */
iri_id iri_new_region(iri_builder *b, iri_id owner);
iri_frame *iri_push_frame(iri_builder *b, iri_op op);
void iri_open_region(iri_builder *b, iri_frame *f, iri_id region);
/* Ends the open arm, if nothing has, with what goes without saying. */
void iri_end_arm(iri_builder *b, iri_frame *f);
/* Whether a region is a block of the open function, which has CFG form. */
bool iri_is_block(const iri_builder *b, iri_id region);
void iri_emit_terminator(iri_builder *b, iri_op op, const iri_id *operands, uint32_t operand_count,
                         const uint32_t *immediates, uint32_t immediate_count);

/* emit_header.c: copying plain data with everything it points at, in two runs: the first with `at` NULL
 * only counts. */
typedef struct iri_pack {
    uint8_t *at; /* NULL: count */
    size_t size;
} iri_pack;
/* Room for `size` bytes, not filled; NULL while counting. */
void *iri_pack_room(iri_pack *pack, size_t size);
void *iri_pack_bytes(iri_pack *pack, const void *bytes, size_t size);
const char *iri_pack_text(iri_pack *pack, const char *text);
iri_io iri_pack_io(iri_pack *pack, const iri_io *io);
iri_resource iri_pack_resource(iri_pack *pack, const iri_resource *resource);
iri_provenance iri_pack_provenance(iri_pack *pack, const iri_provenance *provenance);

#endif
