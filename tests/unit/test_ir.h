/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building programs in tests: a landing pad around a function that fills a builder.
 */
#ifndef IRI_TESTS_UNIT_TEST_IR_H
#define IRI_TESTS_UNIT_TEST_IR_H

#include "ir/emit.h"
#include "tests/unit/test.h"

#include <string.h>

typedef struct ir_build {
    iri_ctx ctx;
    iri_arena scratch;
    iri_refusal why;
    iri_limits limits;              /* in */
    const iri_allocator *allocator; /* in */
    iri_builder *b;
    uint32_t flags;
    void (*fill)(iri_builder *b, void *argument);
    void *argument;
    bool keep; /* do not finish: the test looks into the builder */
    iri_program *program;
} ir_build;

static inline void ir_build_body(iri_ctx *ctx, void *argument)
{
    ir_build *t = argument;
    t->b = iri_builder_make(ctx, &t->scratch, IRI_STAGE_PIXEL, t->flags);
    t->fill(t->b, t->argument);
    if (!t->keep)
        t->program = iri_builder_finish(t->b);
}

/* Fills a builder and finishes it; IRI_OK or why not. */
static inline iri_status ir_build_run(ir_build *t)
{
    iri_ctx_init(&t->ctx, t->allocator, &t->limits, &t->why);
    iri_arena_init(&t->scratch, &t->ctx);
    return iri_protect(&t->ctx, ir_build_body, t);
}

static inline void ir_build_free(ir_build *t)
{
    if (t->b)
        iri_builder_discard(t->b);
    iri_arena_free(&t->scratch);
    iri_program_free(t->program);
}

/* The interface that the tests' operations name: one input, output and resource of each kind. */
static inline void ir_add_interface(iri_builder *b)
{
    static const iri_io input = {.name = "TEXCOORD",
                                 .type = IRI_TYPE_VEC4F,
                                 .lanes = 15,
                                 .used = 15,
                                 .interpolation = IRI_INTERPOLATION_LINEAR,
                                 .bank = IRI_BANK_V,
                                 .offset = IRI_NO_OFFSET};
    static const iri_io output = {.name = "SV_Target",
                                  .type = IRI_TYPE_VEC4F,
                                  .lanes = 15,
                                  .used = 15,
                                  .bank = IRI_BANK_OC,
                                  .system_value = IRI_SV_TARGET,
                                  .offset = IRI_NO_OFFSET};
    static const iri_resource cbuffer = {
        .kind = IRI_RESOURCE_CBUFFER, .count = 1, .size = 64, .access = 1, .offset = IRI_NO_OFFSET};
    static const iri_resource texture = {.name = "Diffuse",
                                         .kind = IRI_RESOURCE_TEXTURE,
                                         .count = 1,
                                         .dimension = IRI_DIMENSION_2D,
                                         .scalar = IRI_F32,
                                         .access = 1,
                                         .offset = IRI_NO_OFFSET};
    static const iri_resource sampler = {
        .name = "Diffuse", .kind = IRI_RESOURCE_SAMPLER, .count = 1, .offset = IRI_NO_OFFSET};
    iri_add_input(b, &input);
    iri_add_output(b, &output);
    iri_add_resource(b, &cbuffer);
    iri_add_resource(b, &texture);
    iri_add_resource(b, &sampler);
}

#endif
