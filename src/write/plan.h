/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The binding plan: which group and binding each resource gets. iridia/write.h states the rules.
 */
#ifndef IRI_WRITE_PLAN_H
#define IRI_WRITE_PLAN_H

#include "ir/program.h"
#include <iridia/write.h>

enum {
    IRI_PLAN_GROUPS = 4,       /* WebGPU: maxBindGroups */
    IRI_PLAN_BINDINGS = 1000,  /* WebGPU: maxBindingsPerBindGroup */
    IRI_PLAN_PIXEL_OFFSET = 64 /* the default */
};

/* One binding for each resource of the interface, in order, in `arena`. Fails with
 * IRI_BINDING_COLLISION, IRI_CAPABILITY or IRI_INVALID_ARGUMENT, naming the resource. */
iri_binding *iri_plan_bindings(iri_ctx *ctx, iri_arena *arena, const iri_program *program,
                               const iri_binding_plan *plan);

/* Where the counters of buffers go: each behind the last binding of its buffer's group, in the order of the
 * resources. `bindings` has those of all resources; where `counted` says so it gets the counter's instead. */
void iri_plan_counters(const iri_interface *io, const bool *counted, iri_binding *bindings);

#endif
