/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: records of a Direct3D 9 shader to an IR program. Registers that instructions write become
 * locals, lane-masked, and stay so until `promote`; constants are reads of cb0, cb1, cb2; pipeline state
 * is `state` values. What each instruction computes is Microsoft's instruction reference; docs/numerics.md
 * names the page of each rule.
 */
#ifndef IRI_READ_D3D9_LOWER_H
#define IRI_READ_D3D9_LOWER_H

#include "ir/emit.h"
#include "read/d3d9/ctab.h"
#include <iridia/read.h>

#define IRI_D3D9_LIFTER "iridia-d3d9"
#define IRI_D3D9_LIFTER_VERSION 1

/* The program of a shader that iri_d3d9_check has accepted. `ctab` may be NULL; `options` may not. Reads of
 * `options`: state, uninitialized, multiply, raw. Fails with MALFORMED_*, UNSUPPORTED_*, UNSPECIFIED_STATE. */
iri_program *iri_d3d9_lower(iri_ctx *ctx, iri_arena *scratch, const iri_d3d9_shader *shader,
                            const iri_d3d9_ctab *ctab, const iri_lift_options *options);

#endif
