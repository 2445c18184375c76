/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public builder: the internal one behind landing pads. A call that fails (memory, a limit) leaves the
 * builder refusing everything after it, and the refusal is what check and finish report.
 */
#include "base/options.h"
#include "ir/emit.h"

#include <iridia/build.h>
#include <string.h>

/* What an iri_builder of this API belongs to; found again by its context, which comes first. */
typedef struct owner {
    iri_ctx ctx;
    iri_arena scratch;
    iri_builder *b;
    iri_refusal why; /* of the failed call */
    bool ended;      /* failed or finished: nothing can be built any more */
} owner;

/* Arguments and result of one call, for its body behind the landing pad. */
typedef struct call {
    iri_builder *b;
    const void *data, *more;
    const uint32_t *words;
    uint32_t count, more_count, word_count;
    iri_type type;
    uint32_t number; /* an operation, a label, a stage */
    iri_id *out;
    iri_id result;
    iri_program *program;
} call;

static owner *owner_of(const iri_builder *b)
{
    return (owner *)(void *)iri_builder_ctx(b);
}

static iri_id run(iri_builder *b, void (*body)(iri_ctx *, void *), call *c)
{
    owner *o = owner_of(b);
    c->b = b;
    if (!o->ended && iri_protect(&o->ctx, body, c) != IRI_OK) {
        o->ended = true;
        c->result = 0;
    }
    return c->result;
}

static void fill_zero(iri_id *ids, uint32_t count)
{
    for (uint32_t i = 0; ids && i < count; i++)
        ids[i] = 0;
}

/* ---- the builder ---- */

typedef struct start {
    owner *o;
    iri_stage stage;
    uint32_t flags;
} start;

static void do_make(iri_ctx *ctx, void *argument)
{
    start *s = argument;
    s->o->b = iri_builder_make(ctx, &s->o->scratch, s->stage, s->flags);
}

static void free_owner(owner *o)
{
    iri_allocator allocator = o->ctx.allocator;
    iri_arena_free(&o->scratch);
    allocator.free(allocator.user, o, sizeof *o);
}

iri_builder *iri_build_new(iri_stage stage, const iri_build_options *options)
{
    iri_build_options given;
    iri_ctx ctx;
    iri_take_options(&given, sizeof given, options);
    iri_ctx_init(&ctx, given.allocator, given.limits, NULL);
    owner *o = ctx.allocator.alloc(ctx.allocator.user, sizeof *o);
    if (!o)
        return NULL;
    memset(o, 0, sizeof *o);
    iri_ctx_init(&o->ctx, given.allocator, given.limits, &o->why);
    iri_arena_init(&o->scratch, &o->ctx);
    start s = {o, stage, given.exact ? 0 : IRI_BUILD_OPTIMISE};
    if (iri_protect(&o->ctx, do_make, &s) != IRI_OK) {
        free_owner(o);
        return NULL;
    }
    return o->b;
}

void iri_build_free(iri_builder *b)
{
    if (!b)
        return;
    iri_builder_discard(b);
    free_owner(owner_of(b));
}

iri_status iri_build_check(const iri_builder *b, iri_refusal *why)
{
    const owner *o = owner_of(b);
    uint32_t offset;
    if (o->why.status != IRI_OK) {
        if (why)
            *why = o->why;
        return o->why.status;
    }
    const char *fault = iri_builder_fault(b, &offset);
    if (!fault)
        return IRI_OK;
    iri_refuse(why, IRI_INVALID_BUILD, "", "%s", fault);
    if (why)
        why->offset = offset;
    return IRI_INVALID_BUILD;
}

static void do_finish(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->program = iri_builder_finish(c->b);
}

iri_status iri_build_finish(iri_builder *b, iri_program **out, iri_refusal *why)
{
    owner *o = owner_of(b);
    call c = {0};
    *out = NULL;
    if (o->ended && o->why.status == IRI_OK)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, "", "the builder was finished before");
    run(b, do_finish, &c);
    o->ended = true;
    if (!c.program)
        return iri_build_check(b, why);
    if (iri_validate(c.program, IRI_CAN_ALL, NULL, &o->why) != IRI_OK) {
        iri_program_free(c.program);
        return iri_build_check(b, why);
    }
    *out = c.program;
    return IRI_OK;
}

/* ---- interface ---- */

static void do_add_input(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->result = iri_add_input(c->b, c->data);
}

uint32_t iri_build_add_input(iri_builder *b, const iri_io *io)
{
    return run(b, do_add_input, &(call){.data = io});
}

static void do_add_output(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->result = iri_add_output(c->b, c->data);
}

uint32_t iri_build_add_output(iri_builder *b, const iri_io *io)
{
    return run(b, do_add_output, &(call){.data = io});
}

static void do_add_resource(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->result = iri_add_resource(c->b, c->data);
}

uint32_t iri_build_add_resource(iri_builder *b, const iri_resource *resource)
{
    return run(b, do_add_resource, &(call){.data = resource});
}

static void do_add_shared(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->result = iri_add_shared(c->b, c->data);
}

uint32_t iri_build_add_shared(iri_builder *b, const iri_shared *shared)
{
    return run(b, do_add_shared, &(call){.data = shared});
}

static void do_set_facts(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    iri_builder_program(c->b)->interface.facts = *(const iri_stage_facts *)c->data;
}

void iri_build_set_facts(iri_builder *b, const iri_stage_facts *facts)
{
    run(b, do_set_facts, &(call){.data = facts});
}

/* ---- functions ---- */

typedef struct function_call {
    const char *name;
    const iri_type *parameter_types, *result_types;
    uint32_t parameter_count, result_count;
} function_call;

static void do_begin_function(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    const function_call *f = c->data;
    (void)ctx;
    c->result = iri_begin_function(c->b, f->name, f->parameter_types, f->parameter_count,
                                   f->result_types, f->result_count, c->out);
}

iri_id iri_build_begin_function(iri_builder *b, const char *name, const iri_type *parameter_types,
                                uint32_t parameter_count, const iri_type *result_types,
                                uint32_t result_count, iri_id *parameters)
{
    function_call f = {name, parameter_types, result_types, parameter_count, result_count};
    fill_zero(parameters, parameter_count);
    return run(b, do_begin_function, &(call){.data = &f, .out = parameters});
}

static void do_declare_function(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    const function_call *f = c->data;
    (void)ctx;
    c->result = iri_declare_function(c->b, f->name, f->parameter_types, f->parameter_count,
                                     f->result_types, f->result_count);
}

iri_id iri_build_declare_function(iri_builder *b, const char *name, const iri_type *parameter_types,
                                  uint32_t parameter_count, const iri_type *result_types,
                                  uint32_t result_count)
{
    function_call f = {name, parameter_types, result_types, parameter_count, result_count};
    return run(b, do_declare_function, &(call){.data = &f});
}

static void do_begin_declared(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    const iri_program *p = iri_builder_program(c->b);
    (void)ctx;
    if (c->number < p->function_count && p->functions[c->number].external_count != c->count)
        iri_builder_set_fault(c->b, "%s is begun with %u parameters, not %u",
                              p->functions[c->number].name, (unsigned)c->count,
                              (unsigned)p->functions[c->number].external_count);
    else
        iri_begin_declared(c->b, c->number, c->out);
}

void iri_build_begin_declared(iri_builder *b, iri_id function, iri_id *parameters,
                              uint32_t parameter_count)
{
    fill_zero(parameters, parameter_count);
    run(b, do_begin_declared,
        &(call){.number = function, .out = parameters, .count = parameter_count});
}

static void do_end_function(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    iri_end_function(c->b);
}

void iri_build_end_function(iri_builder *b)
{
    run(b, do_end_function, &(call){0});
}

static void do_add_local(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->result = iri_add_local(c->b, c->data);
}

iri_id iri_build_add_local(iri_builder *b, const iri_local *local)
{
    return run(b, do_add_local, &(call){.data = local});
}

static void do_begin_cfg(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->result = iri_begin_cfg(c->b, c->count);
}

iri_id iri_build_begin_cfg(iri_builder *b, uint32_t block_count)
{
    return run(b, do_begin_cfg, &(call){.count = block_count});
}

static void do_begin_cfg_block(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    iri_begin_cfg_block(c->b, c->number, c->data, c->count, c->out);
}

void iri_build_begin_cfg_block(iri_builder *b, iri_id block, const iri_type *types, uint32_t count,
                               iri_id *parameters)
{
    fill_zero(parameters, count);
    run(b, do_begin_cfg_block,
        &(call){.number = block, .data = types, .count = count, .out = parameters});
}

/* ---- values and operations ---- */

static void do_constant(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->result = iri_const(c->b, c->type, c->data);
}

iri_id iri_build_constant(iri_builder *b, iri_type type, const uint64_t lanes[4])
{
    return run(b, do_constant, &(call){.type = type, .data = lanes});
}

static void do_f32(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->result = iri_const_f32(c->b, *(const float *)c->data);
}

iri_id iri_build_f32(iri_builder *b, float value)
{
    return run(b, do_f32, &(call){.data = &value});
}

static void do_emit(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->result =
        iri_emit(c->b, (iri_op)c->number, c->type, c->data, c->count, c->words, c->word_count);
}

iri_id iri_build(iri_builder *b, iri_op op, iri_type type, const iri_id *operands,
                 uint32_t operand_count, const uint32_t *immediates, uint32_t immediate_count)
{
    return run(b, do_emit,
               &(call){.number = (uint32_t)op,
                       .type = type,
                       .data = operands,
                       .count = operand_count,
                       .words = immediates,
                       .word_count = immediate_count});
}

static void do_call(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    const iri_program *p = iri_builder_program(c->b);
    (void)ctx;
    if (c->number < p->function_count && p->functions[c->number].result_count != c->word_count)
        iri_builder_set_fault(c->b, "%s gives %u values, not %u", p->functions[c->number].name,
                              (unsigned)p->functions[c->number].result_count,
                              (unsigned)c->word_count);
    else
        iri_emit_call(c->b, c->number, c->data, c->count, c->out);
}

void iri_build_call(iri_builder *b, iri_id function, const iri_id *arguments, uint32_t count,
                    iri_id *results, uint32_t result_count)
{
    fill_zero(results, result_count);
    run(b, do_call,
        &(call){.number = function,
                .data = arguments,
                .count = count,
                .out = results,
                .word_count = result_count});
}

iri_type iri_build_type(const iri_builder *b, iri_id value)
{
    return owner_of(b)->ended ? IRI_TYPE_VOID : iri_builder_type(b, value);
}

/* ---- control flow ---- */

static void do_begin_if(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    iri_begin_if(c->b, c->number);
}

void iri_build_begin_if(iri_builder *b, iri_id condition)
{
    run(b, do_begin_if, &(call){.number = condition});
}

static void do_begin_else(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    iri_begin_else(c->b);
}

void iri_build_begin_else(iri_builder *b)
{
    run(b, do_begin_else, &(call){0});
}

static void do_begin_loop(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->result = iri_begin_loop(c->b, c->data, c->count, c->out);
}

uint32_t iri_build_begin_loop(iri_builder *b, const iri_id *initial, uint32_t count,
                              iri_id *parameters)
{
    fill_zero(parameters, count);
    return run(b, do_begin_loop, &(call){.data = initial, .count = count, .out = parameters});
}

static void do_begin_block(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->result = iri_begin_block(c->b);
}

uint32_t iri_build_begin_block(iri_builder *b)
{
    return run(b, do_begin_block, &(call){0});
}

static void do_begin_switch(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    c->result = iri_begin_switch(c->b, c->number);
}

uint32_t iri_build_begin_switch(iri_builder *b, iri_id selector)
{
    return run(b, do_begin_switch, &(call){.number = selector});
}

static void do_begin_case(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    iri_begin_case(c->b, c->data, c->count);
}

void iri_build_begin_case(iri_builder *b, const uint32_t *values, uint32_t count)
{
    run(b, do_begin_case, &(call){.data = values, .count = count});
}

static void do_end(iri_ctx *ctx, void *argument)
{
    call *c = argument;
    (void)ctx;
    iri_end_results(c->b, c->out, c->count);
}

void iri_build_end(iri_builder *b, iri_id *results, uint32_t count)
{
    fill_zero(results, count);
    run(b, do_end, &(call){.out = results, .count = count});
}

void iri_build_yield(iri_builder *b, const iri_id *values, uint32_t count)
{
    iri_build(b, IRI_OP_YIELD, IRI_TYPE_VOID, values, count, NULL, 0);
}

void iri_build_break(iri_builder *b, uint32_t label, const iri_id *values, uint32_t count)
{
    iri_build(b, IRI_OP_BREAK, IRI_TYPE_VOID, values, count, &label, 1);
}

void iri_build_continue(iri_builder *b, uint32_t label, const iri_id *values, uint32_t count)
{
    iri_build(b, IRI_OP_CONTINUE, IRI_TYPE_VOID, values, count, &label, 1);
}

void iri_build_return(iri_builder *b, const iri_id *values, uint32_t count)
{
    iri_build(b, IRI_OP_RETURN, IRI_TYPE_VOID, values, count, NULL, 0);
}
