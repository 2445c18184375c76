/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder as readers, passes and the text parser use it: the only way programs come to be.
 *
 * It is typed and total. An operation asked of values that cannot do it never crashes: the builder
 * records the first fault (with the operation's name, the instruction's position and the source
 * offset), returns a value of the shape asked for, and `iri_builder_finish` fails with IRI_INVALID_BUILD.
 * With IRI_BUILD_FOLD it folds constants and applies exact identities; with IRI_BUILD_NUMBER it returns an
 * earlier equal value that is in scope instead of building a pure operation again. With IRI_BUILD_DROP the
 * finished program holds only what something needs. The text parser sets none, so what was printed is what
 * is parsed.
 *
 * Ids a caller holds (values, locals, labels, functions, inputs ...) are those of the program under
 * construction. Values may be asked for their type at any time with `iri_builder_type`.
 */
#ifndef IRI_IR_EMIT_H
#define IRI_IR_EMIT_H

#include "ir/program.h"

enum { IRI_BUILD_FOLD = 1, IRI_BUILD_NUMBER = 2, IRI_BUILD_OPTIMISE = 3, IRI_BUILD_DROP = 4 };

typedef struct iri_builder iri_builder;

/* Makes a builder whose program will live in an arena of its own on ctx's allocator; the builder's own
 * tables live in `scratch`, which must outlive it and may be shared. */
iri_builder *iri_builder_make(iri_ctx *ctx, iri_arena *scratch, iri_stage stage, uint32_t flags);
/* Makes room at once for a program about as large as another, of which it is a rewriting. */
void iri_builder_expect(iri_builder *b, const iri_program *like);
/* Frees an unfinished builder's program: for landing pads. The scratch arena is the caller's. */
void iri_builder_discard(iri_builder *b);
/* Ends the building and gives the program, compact. Fails with IRI_INVALID_BUILD on a recorded fault or
 * open control flow. */
iri_program *iri_builder_finish(iri_builder *b);
/* The fault recorded first, NULL when there is none. */
const char *iri_builder_fault(const iri_builder *b, uint32_t *offset);
/* Records a fault of the caller's, if none was recorded before. */
void iri_builder_set_fault(iri_builder *b, const char *format, ...) IRI_PRINTF(2, 3);

/* The program under construction: read it, and set its plain fields (conventions, float_env, entry,
 * interface.facts, provenance) directly. Its arrays move; take no pointers across emits. */
iri_program *iri_builder_program(iri_builder *b);
/* The context it was made with. */
iri_ctx *iri_builder_ctx(const iri_builder *b);

/* Copies of everything pointed at are made. Each returns the new index. */
uint32_t iri_add_input(iri_builder *b, const iri_io *io);
uint32_t iri_add_output(iri_builder *b, const iri_io *io);
uint32_t iri_add_resource(iri_builder *b, const iri_resource *resource);
uint32_t iri_add_shared(iri_builder *b, const iri_shared *shared);
void iri_add_state_entry(iri_builder *b, const iri_state_entry *entry);
/* A note with the same kind, text and offset is kept once. */
void iri_add_note(iri_builder *b, const char *kind, uint32_t offset, const char *format, ...)
    IRI_PRINTF(4, 5);
/* Which states Direct3D's defaults were taken for: by id, bit i for index i. */
void iri_note_default_states(iri_builder *b, const uint32_t states[IRI_STATE_COUNT]);
void iri_set_provenance(iri_builder *b, const iri_provenance *provenance);
/* Conventions, float environment, provenance, notes, interface (inputs, outputs, resources, states,
 * workgroup variables, facts) of another program, indexes unchanged. */
void iri_copy_header(iri_builder *b, const iri_program *from);

/* ---- functions ---- */

/* Opens a function, the entry if it is the first and `entry` is not set; `parameters` gets a value for each type. Functions do not nest. */
iri_id iri_begin_function(iri_builder *b, const char *name, const iri_type *parameter_types,
                          uint32_t parameter_count, const iri_type *result_types,
                          uint32_t result_count, iri_id *parameters);
/* Declares a function to be called before its body is built; `iri_begin_declared` opens it. */
iri_id iri_declare_function(iri_builder *b, const char *name, const iri_type *parameter_types,
                            uint32_t parameter_count, const iri_type *result_types,
                            uint32_t result_count);
void iri_begin_declared(iri_builder *b, iri_id function, iri_id *parameters);
void iri_end_function(iri_builder *b);
/* In the open function. */
iri_id iri_add_local(iri_builder *b, const iri_local *local);

/* ---- values ---- */

iri_type iri_builder_type(const iri_builder *b, iri_id value);
/* `lanes[i]` are a lane's bits. Equal constants are one value. */
iri_id iri_const(iri_builder *b, iri_type type, const uint64_t lanes[4]);
iri_id iri_const_f32(iri_builder *b, float value);
iri_id iri_const_splat_f32(iri_builder *b, float value, uint32_t lanes);
iri_id iri_const_u32(iri_builder *b, uint32_t value);
iri_id iri_const_i32(iri_builder *b, int32_t value);
iri_id iri_const_bool(iri_builder *b, bool value);
iri_id iri_const_zero(iri_builder *b, iri_type type);
/* Whether a value is a constant; then `lanes` (may be NULL) gets its lanes. */
bool iri_get_const(const iri_builder *b, iri_id value, uint64_t lanes[4]);

/* Stamps what is emitted from here on: the source offset, and flags for values and instructions. */
void iri_set_offset(iri_builder *b, uint32_t offset);
void iri_set_relaxed(iri_builder *b, bool relaxed);
void iri_set_precise(iri_builder *b, bool precise);

/* ---- operations ---- */

/* Emits any operation without regions at the end of the open region, or finds that it need not be.
 * `type` is the type of the first result (ignored where ops.def derives it). Returns the first result,
 * 0 when there is none. */
iri_id iri_emit(iri_builder *b, iri_op op, iri_type type, const iri_id *operands,
                uint32_t operand_count, const uint32_t *immediates, uint32_t immediate_count);
iri_id iri_emit1(iri_builder *b, iri_op op, iri_id x);
iri_id iri_emit2(iri_builder *b, iri_op op, iri_id x, iri_id y);
iri_id iri_emit3(iri_builder *b, iri_op op, iri_id x, iri_id y, iri_id z);
/* Conversions and bitcast: `scalar` is the result's. */
iri_id iri_emit_convert(iri_builder *b, iri_op op, iri_scalar scalar, iri_id x);

iri_id iri_emit_swizzle(iri_builder *b, iri_id x, iri_lanes lanes); /* the identity gives x back */
iri_id iri_emit_insert(iri_builder *b, iri_id base, iri_id x, iri_lanes mask);
/* Joins scalars and vectors of one scalar type to 1..4 lanes. */
iri_id iri_emit_compose(iri_builder *b, const iri_id *parts, uint32_t count);
iri_id iri_emit_splat(iri_builder *b, iri_id x,
                      uint32_t lanes); /* x has one lane; 1 gives x back */
/* x as `lanes` lanes: itself, its first lanes, or a splat of a scalar. */
iri_id iri_emit_resize(iri_builder *b, iri_id x, uint32_t lanes);
iri_id iri_emit_select(iri_builder *b, iri_id condition, iri_id yes, iri_id no);

iri_id iri_emit_input(iri_builder *b, uint32_t input, iri_lanes lanes);
void iri_emit_output(iri_builder *b, uint32_t output, iri_lanes mask, iri_id x);
iri_id iri_emit_state(iri_builder *b, iri_state_id state, uint32_t index);
iri_id iri_emit_load_cb(iri_builder *b, uint32_t resource, iri_type type, iri_id byte_offset);
/* `index` 0 for plain locals. */
iri_id iri_emit_load_local(iri_builder *b, iri_id local, iri_lanes lanes, iri_id index);
void iri_emit_store_local(iri_builder *b, iri_id local, iri_lanes mask, iri_id x, iri_id index);
/* `results` (may be NULL when there are none) gets a value for each of the function's results. */
void iri_emit_call(iri_builder *b, iri_id function, const iri_id *arguments, uint32_t count,
                   iri_id *results);

/* ---- structured control flow ----
 * After a terminator the region is closed to further emits until the next else, case or end: what is
 * emitted there is dropped silently (dead code), and a second terminator too. An open region that is ended
 * without a terminator gets `yield` without values (`continue` without values in a loop body whose
 * parameters are none). The results of if, switch, block and loop take the types of the first edge that
 * carries values to them; edges that disagree are a fault. */

void iri_begin_if(iri_builder *b, iri_id condition);
void iri_begin_else(iri_builder *b); /* an if without else gets an empty one */
/* Returns the label. `parameters` gets a value for each initial operand. */
uint32_t iri_begin_loop(iri_builder *b, const iri_id *initial, uint32_t count, iri_id *parameters);
uint32_t iri_begin_block(iri_builder *b);
/* Opens the default arm; `iri_begin_case` opens the next, chosen by any of `values`. */
uint32_t iri_begin_switch(iri_builder *b, iri_id selector);
void iri_begin_case(iri_builder *b, const uint32_t *values, uint32_t count);
/* Closes the innermost open op; returns how many results it has, the first in `*first` (may be NULL), the
 * others following it. When no edge completes it, what follows is dead until the enclosing region ends
 * (an `unreachable` is put there). */
uint32_t iri_end(iri_builder *b, iri_id *first);
/* The same, giving each result; under IRI_BUILD_FOLD a result whose edges all carry the same value that
 * is in scope outside is that value. `results` holds `count` = what the edges carry. */
void iri_end_results(iri_builder *b, iri_id *results, uint32_t count);

void iri_emit_yield(iri_builder *b, const iri_id *values, uint32_t count);
void iri_emit_break(iri_builder *b, uint32_t label, const iri_id *values, uint32_t count);
void iri_emit_continue(iri_builder *b, uint32_t label, const iri_id *values, uint32_t count);
void iri_emit_return(iri_builder *b, const iri_id *values, uint32_t count);
void iri_emit_unreachable(iri_builder *b);
/* Whether the open region has ended already, so that what is emitted is dropped. */
bool iri_is_closed(const iri_builder *b);

/* ---- CFG form ---- */

/* Turns the open function (nothing emitted yet) into CFG form with `count` blocks in all; the first is the
 * body, already open. Returns its region id; the others follow it. */
iri_id iri_begin_cfg(iri_builder *b, uint32_t count);
/* Opens block `block` (a region id) with its parameters. */
void iri_begin_cfg_block(iri_builder *b, iri_id block, const iri_type *types, uint32_t count,
                         iri_id *parameters);

#endif
