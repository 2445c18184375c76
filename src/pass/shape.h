/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What passes share that change the shape of control flow: opening and closing copies of region
 * operations with operands and results of the pass's own, and splicing a region into the open one.
 */
#ifndef IRI_PASS_SHAPE_H
#define IRI_PASS_SHAPE_H

#include "base/bitset.h"
#include "pass/pass.h"

/* Source offset, precision permission and exactness of an old instruction, for what is emitted next. */
void iri_shape_stamp(iri_rewrite *rw, const iri_inst *in);

/* One old instruction, through the pass's visit. */
void iri_shape_inst(iri_rewrite *rw, iri_id inst);
/* The instructions of an old region but its terminator, each through the pass's visit; stops where the
 * open new region has ended. Returns the terminator, NULL when it was not come to. */
const iri_inst *iri_shape_splice(iri_rewrite *rw, iri_id region);
/* The same with the terminator through visit too. */
void iri_shape_region(iri_rewrite *rw, iri_id region);

/* Opens a copy of a region operation in its first region. `parameters` gets a value for each of the
 * `initial` operands of a loop; label and selector or condition are mapped from the old. */
void iri_shape_open(iri_rewrite *rw, const iri_inst *in, const iri_id *initial,
                    uint32_t initial_count, iri_id *parameters);
/* Opens region `index` (from 1 on) of the operation. */
void iri_shape_next(iri_rewrite *rw, const iri_inst *in, uint32_t index);
/* A yield, break, continue or return like the old one with these values. */
void iri_shape_edge(iri_rewrite *rw, const iri_inst *in, const iri_id *values, uint32_t count);

/* New values of an old instruction's operands, in the scratch arena. */
iri_id *iri_shape_operands(iri_rewrite *rw, const iri_inst *in);
/* Maps `count` old values from `first` on to new ones. */
void iri_shape_map(iri_rewrite *rw, iri_id first, const iri_id *values, uint32_t count);

/* Declares functions like the old ones that `keep` (NULL: all) names. */
void iri_shape_declare(iri_rewrite *rw, const iri_bitset *keep);
/* Opens the new function of an old one, its parameters mapped; locals and body are the pass's. */
void iri_shape_begin_function(iri_rewrite *rw, iri_id function);
/* A copy of an old local in the open function, mapped. */
void iri_shape_local(iri_rewrite *rw, iri_id local);

/* Everything of the header but inputs and states. */
void iri_shape_header(iri_rewrite *rw);

/* Whether some function has CFG form. */
bool iri_shape_has_cfg(const iri_program *p);
/* The rewritten program, with the old one's entry. */
iri_program *iri_shape_finish(iri_rewrite *rw);

/* The operation with each label of a program, 0 where there is none. */
iri_id *iri_shape_label_ops(const iri_program *p, iri_arena *arena);
/* The number of values of a switch's region `index` (from 1 on), the values in `*values`. */
uint32_t iri_shape_case(const iri_program *p, const iri_inst *in, uint32_t index,
                        const uint32_t **values);

#endif
