/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/build.h: making programs by hand. The builder is typed and total: what cannot be done is recorded as
 * its first fault, and `iri_build_finish` turns it into a refusal; nothing crashes and nothing needs checking
 * on the way.
 */
#ifndef IRIDIA_BUILD_H
#define IRIDIA_BUILD_H

#include <iridia/program.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iri_builder iri_builder;

typedef struct iri_build_options {
    size_t size;
    const iri_allocator *allocator;
    const iri_limits *limits;
    bool exact; /* neither fold nor number values */
} iri_build_options;
#define IRI_BUILD_OPTIONS(...) IRI_OPTIONS(iri_build_options, __VA_ARGS__)

/* Starts a program; NULL only when memory is out. A builder is used by one thread at a time. */
IRI_API iri_builder *iri_build_new(iri_stage stage, const iri_build_options *options);
/* Frees a builder, and its program when it was not finished. */
IRI_API void iri_build_free(iri_builder *b);
/* Gives the program and validates it. The builder must still be freed. */
IRI_API iri_status iri_build_finish(iri_builder *b, iri_program **out, iri_refusal *why);
/* IRI_OK, or the first fault recorded so far. */
IRI_API iri_status iri_build_check(const iri_builder *b, iri_refusal *why);

/* Interface. Structs are copied. Each returns the index its instructions use. */
IRI_API uint32_t iri_build_add_input(iri_builder *b, const iri_io *io);
IRI_API uint32_t iri_build_add_output(iri_builder *b, const iri_io *io);
IRI_API uint32_t iri_build_add_resource(iri_builder *b, const iri_resource *resource);
IRI_API uint32_t iri_build_add_shared(iri_builder *b, const iri_shared *shared);
IRI_API void iri_build_set_facts(iri_builder *b, const iri_stage_facts *facts);

/* Functions. The first function begun is the entry; it takes and returns nothing. */
IRI_API iri_id iri_build_begin_function(iri_builder *b, const char *name,
                                        const iri_type *parameter_types, uint32_t parameter_count,
                                        const iri_type *result_types, uint32_t result_count,
                                        iri_id *parameters);
/* Declares a function, which may then be called, and begins its body later; `parameters` gets the values of the
 * `parameter_count` types declared. The entry may call only what is declared, since it is the first begun. */
IRI_API iri_id iri_build_declare_function(iri_builder *b, const char *name,
                                          const iri_type *parameter_types, uint32_t parameter_count,
                                          const iri_type *result_types, uint32_t result_count);
IRI_API void iri_build_begin_declared(iri_builder *b, iri_id function, iri_id *parameters,
                                      uint32_t parameter_count);
IRI_API void iri_build_end_function(iri_builder *b);
/* A local of the open function; the struct is copied. `load.local` and `store.local` take its id. */
IRI_API iri_id iri_build_add_local(iri_builder *b, const iri_local *local);

/* CFG form: turns the open function, in which nothing was built yet, into a graph of `block_count` blocks and
 * returns the first, which is open and has no parameters; the others' ids follow it. Each is begun once, with
 * its parameters, after the one before it has ended in br, br.if, br.switch, return or unreachable. */
IRI_API iri_id iri_build_begin_cfg(iri_builder *b, uint32_t block_count);
IRI_API void iri_build_begin_cfg_block(iri_builder *b, iri_id block, const iri_type *types,
                                       uint32_t count, iri_id *parameters);

/* Values and operations: `iri_build` emits any operation of ops.def without regions and returns its first
 * result (0 when it has none). `type` counts only where the row says "given". */
IRI_API iri_id iri_build_constant(iri_builder *b, iri_type type, const uint64_t lanes[4]);
IRI_API iri_id iri_build_f32(iri_builder *b, float value);
IRI_API iri_id iri_build(iri_builder *b, iri_op op, iri_type type, const iri_id *operands,
                         uint32_t operand_count, const uint32_t *immediates,
                         uint32_t immediate_count);
/* Calls a function; `results` gets `result_count` values, as many as the function has. */
IRI_API void iri_build_call(iri_builder *b, iri_id function, const iri_id *arguments,
                            uint32_t count, iri_id *results, uint32_t result_count);
IRI_API iri_type iri_build_type(const iri_builder *b, iri_id value);

/* Structured control flow; see docs/text.md for what each carries. */
IRI_API void iri_build_begin_if(iri_builder *b, iri_id condition);
IRI_API void iri_build_begin_else(iri_builder *b);
IRI_API uint32_t iri_build_begin_loop(iri_builder *b, const iri_id *initial, uint32_t count,
                                      iri_id *parameters);
IRI_API uint32_t iri_build_begin_block(iri_builder *b);
IRI_API uint32_t iri_build_begin_switch(iri_builder *b, iri_id selector);
IRI_API void iri_build_begin_case(iri_builder *b, const uint32_t *values, uint32_t count);
/* Closes the innermost; `results` gets `count` results. */
IRI_API void iri_build_end(iri_builder *b, iri_id *results, uint32_t count);
IRI_API void iri_build_yield(iri_builder *b, const iri_id *values, uint32_t count);
IRI_API void iri_build_break(iri_builder *b, uint32_t label, const iri_id *values, uint32_t count);
IRI_API void iri_build_continue(iri_builder *b, uint32_t label, const iri_id *values,
                                uint32_t count);
IRI_API void iri_build_return(iri_builder *b, const iri_id *values, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif
