/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The value of an operation on constant lanes: what the builder folds with and the tests check. The lane
 * expressions are those of ops.def, the same that the executor runs. Lanes are 64-bit words holding a
 * lane's bits, zero-extended; f16 is computed as f32 and rounded.
 */
#ifndef IRI_IR_EVAL_H
#define IRI_IR_EVAL_H

#include <iridia/ir.h>

/* One lane: `scalar` is the operands' scalar (of the last operand for `select`), `result` the result's.
 * False when the operation has no lane expression, or not for these types. */
bool iri_eval_lane(iri_op op, iri_scalar scalar, iri_scalar result, const uint64_t operands[3],
                   uint64_t *out);

/* A whole operation: also swizzle, insert, compose, splat, dot (summed from lane x on), any, all, bitcast.
 * `operands[i]` are lanes. False when it cannot be evaluated. */
bool iri_eval(iri_op op, iri_type result_type, const iri_type *types, const uint64_t (*operands)[4],
              uint32_t operand_count, const uint32_t *immediates, uint64_t result[4]);

#endif
