/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a pass is: a function from a program to a new program, the old one untouched. `iridia/passes.def`
 * names each once; one file a pass, named for what it does.
 */
#ifndef IRI_PASS_PASS_H
#define IRI_PASS_PASS_H

#include "ir/rewrite.h"
#include <iridia/pass.h>

/* What passes share for one call: `scratch` is emptied between passes by the runner. */
typedef struct iri_pass_ctx {
    iri_ctx *ctx;
    iri_arena *scratch;
    const iri_pass_options *options; /* never NULL here */
    iri_pass_counts *counts;         /* never NULL here */
    uint32_t build;                  /* IRI_BUILD_ flags for the builders of all passes */
    iri_builder *builder;            /* of the pass in progress: discarded when it fails */
    iri_program *own;  /* the pass's program, where nobody else has it: may be changed */
    iri_program *copy; /* iri_pass_copy's: freed when the pass in progress fails */
} iri_pass_ctx;

/* NULL when there is nothing for the pass to do: `program` is already what it would make. A pass that only
 * renames operations may do so in pc->own, where that is not NULL, and give it back. */
typedef iri_program *iri_pass_fn(iri_pass_ctx *pc, const iri_program *program);

/* A pass that replaces instructions where they stand says how; false when there is nothing to do. Those that
 * follow each other in a list share one rewrite, and look at the program as it was before all of them. */
typedef bool iri_hook_fn(iri_pass_ctx *pc, const iri_program *program, iri_hook *hook);
iri_hook_fn iri_hook_fold, iri_hook_if_to_select;
iri_program *iri_pass_run_hooks(iri_pass_ctx *pc, const iri_program *program,
                                iri_hook_fn *const *hooks, size_t count);

#define IRI_PASS(id, name, meaning) iri_pass_fn iri_pass_##name;
#include <iridia/passes.def>
#undef IRI_PASS

/* The builder of a pass's result; with it a pass that fails leaves nothing behind. */
iri_builder *iri_pass_make_builder(iri_pass_ctx *pc, const iri_program *program, uint32_t flags);
/* A copy, through a builder with these flags. */
iri_program *iri_pass_copy(iri_pass_ctx *pc, const iri_program *program, uint32_t flags);

/* Runs one pass, then the validator in debug and test builds (a fault there is IRI_INTERNAL). The old program
 * is not freed; the result is a new one, also where the pass had nothing to do. */
iri_program *iri_pass_run_one(iri_pass_ctx *pc, iri_pass_id pass, const iri_program *program);
/* Runs a list, freeing the programs between, and `program` itself when `owned`, also on failure. Where no
 * pass had anything to do it gives `program` back. */
iri_program *iri_pass_run_list(iri_pass_ctx *pc, const iri_pass_id *passes, size_t count,
                               iri_program *program, bool owned);

#endif
