/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether two programs are the same. iri_builder_finish numbers everything in order of appearance, so equal
 * programs have equal ids and nothing needs to be renumbered here.
 */
#include "ir/program.h"

#include <stdio.h>
#include <string.h>

typedef struct comparison {
    const iri_program *a, *b;
    char *what;
    size_t size;
} comparison;

static bool differ(comparison *c, const char *format, ...) IRI_PRINTF(2, 3);

static bool differ(comparison *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (c->what && c->size)
        vsnprintf(c->what, c->size, format, arguments);
    va_end(arguments);
    return false;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

#define SAME(field) (x->field == y->field)
#define SAME_TEXT(field) same_text(x->field, y->field)

static bool same_io(const iri_io *x, const iri_io *y)
{
    return SAME_TEXT(name) && SAME(index) && SAME(type) && SAME(system_value) &&
           SAME(interpolation) && SAME(bank) && SAME(reg) && SAME(lanes) && SAME(used) &&
           SAME(stream) && SAME(flags) && SAME(offset);
}

static bool same_members(const iri_member *x, const iri_member *y, uint32_t count)
{
    for (; count; count--, x++, y++) {
        if (!(SAME_TEXT(name) && SAME(offset) && SAME(size) && SAME(member_class) && SAME(scalar) &&
              SAME(rows) && SAME(columns) && SAME(elements) && SAME(array_stride) &&
              SAME(matrix_stride) && SAME(member_count) && SAME_TEXT(type_name) && SAME(flags)))
            return false;
        if (!x->default_words != !y->default_words ||
            (x->default_words &&
             memcmp(x->default_words, y->default_words, x->size & ~(uint32_t)3) != 0))
            return false;
        if (!same_members(x->members, y->members, x->member_count))
            return false;
    }
    return true;
}

static bool same_resource(const iri_resource *x, const iri_resource *y)
{
    return SAME_TEXT(name) && SAME(kind) && SAME(dimension) && SAME(arrayed) &&
           SAME(multisampled) && SAME(comparison) && SAME(buffer_shape) && SAME(scalar) &&
           SAME(access) && SAME(space) && SAME(reg) && SAME(count) && SAME(stride) &&
           SAME(format) && SAME(size) && SAME(flags) && SAME(offset) && SAME(member_count) &&
           same_members(x->members, y->members, x->member_count);
}

static bool same_state(const iri_state_entry *x, const iri_state_entry *y)
{
    return SAME(id) && SAME(index) && SAME(source) && memcmp(x->bits, y->bits, sizeof x->bits) == 0;
}

static bool same_shared(const iri_shared *x, const iri_shared *y)
{
    return SAME_TEXT(name) && SAME(reg) && SAME(size) && SAME(stride) && SAME(offset);
}

static bool same_facts(const iri_stage_facts *x, const iri_stage_facts *y)
{
    return memcmp(x->workgroup, y->workgroup, sizeof x->workgroup) == 0 && SAME(depth_mode) &&
           SAME(early_depth) && SAME(clip_count) && SAME(cull_count) && SAME(tessellator_domain) &&
           SAME(partitioning) && SAME(output_topology) && SAME(input_primitive) &&
           SAME(output_primitive_topology) && SAME(input_points) && SAME(output_points) &&
           SAME(max_vertices) && SAME(instances);
}

static bool same_provenance(const iri_provenance *x, const iri_provenance *y)
{
    return SAME_TEXT(format) && SAME_TEXT(target) && SAME_TEXT(creator) && SAME_TEXT(lifter) &&
           SAME(lifter_version) && SAME(has_hash) && SAME(instruction_count) &&
           SAME_TEXT(policies) &&
           (!x->has_hash || memcmp(x->sha256, y->sha256, sizeof x->sha256) == 0);
}

static bool same_float_env(const iri_float_env *x, const iri_float_env *y)
{
    return memcmp(x->denormals, y->denormals, sizeof x->denormals) == 0 &&
           memcmp(x->rounding, y->rounding, sizeof x->rounding) == 0 && SAME(contract) &&
           SAME(reassociate);
}

static bool same_conventions(const iri_conventions *x, const iri_conventions *y)
{
    return SAME(clip_depth) && SAME(fragment_origin) && SAME(pixel_centre) && SAME(texture_origin);
}

static bool compare_interface(comparison *c)
{
    const iri_interface *x = &c->a->interface, *y = &c->b->interface;
    if (!SAME(input_count) || !SAME(output_count) || !SAME(resource_count) || !SAME(state_count))
        return differ(c,
                      "the interfaces have %u, %u, %u, %u and %u, %u, %u, %u inputs, outputs, "
                      "resources, states",
                      (unsigned)x->input_count, (unsigned)x->output_count,
                      (unsigned)x->resource_count, (unsigned)x->state_count,
                      (unsigned)y->input_count, (unsigned)y->output_count,
                      (unsigned)y->resource_count, (unsigned)y->state_count);
    for (uint32_t i = 0; i < x->input_count; i++)
        if (!same_io(&x->inputs[i], &y->inputs[i]))
            return differ(c, "input %u differs", (unsigned)i);
    for (uint32_t i = 0; i < x->output_count; i++)
        if (!same_io(&x->outputs[i], &y->outputs[i]))
            return differ(c, "output %u differs", (unsigned)i);
    for (uint32_t i = 0; i < x->resource_count; i++)
        if (!same_resource(&x->resources[i], &y->resources[i]))
            return differ(c, "resource %u differs", (unsigned)i);
    for (uint32_t i = 0; i < x->state_count; i++)
        if (!same_state(&x->states[i], &y->states[i]))
            return differ(c, "state entry %u differs", (unsigned)i);
    if (!SAME(shared_count))
        return differ(c, "there are %u and %u workgroup variables", (unsigned)x->shared_count,
                      (unsigned)y->shared_count);
    for (uint32_t i = 0; i < x->shared_count; i++)
        if (!same_shared(&x->shared[i], &y->shared[i]))
            return differ(c, "workgroup variable %u differs", (unsigned)i);
    return same_facts(&x->facts, &y->facts) || differ(c, "the stage facts differ");
}

static bool compare_header(comparison *c)
{
    const iri_program *x = c->a, *y = c->b;
    if (!SAME(stage))
        return differ(c, "the stages are %s and %s", iri_stage_name(x->stage),
                      iri_stage_name(y->stage));
    if (!same_conventions(&x->conventions, &y->conventions))
        return differ(c, "the conventions differ");
    if (!same_float_env(&x->float_env, &y->float_env))
        return differ(c, "the float environments differ");
    if (!same_provenance(&x->provenance, &y->provenance))
        return differ(c, "the provenances differ");
    if (!SAME(note_count))
        return differ(c, "there are %u and %u notes", (unsigned)x->note_count,
                      (unsigned)y->note_count);
    for (uint32_t i = 0; i < x->note_count; i++)
        if (!SAME_TEXT(notes[i].kind) || !SAME_TEXT(notes[i].text) || !SAME(notes[i].offset))
            return differ(c, "note %u differs", (unsigned)i);
    return compare_interface(c);
}

static bool same_value(const comparison *c, iri_id value)
{
    const iri_value *x = &c->a->values[value], *y = &c->b->values[value];
    if (!SAME(type) || !SAME(kind) || !SAME(flags))
        return false;
    if (x->kind != IRI_VALUE_CONSTANT)
        return SAME(index) && SAME(def);
    return memcmp(iri_constant(c->a, value), iri_constant(c->b, value),
                  IRI_TYPE_LANES(x->type) * sizeof(uint64_t)) == 0;
}

static bool compare_inst(comparison *c, const char *function, iri_id inst)
{
    const iri_inst *x = &c->a->insts[inst], *y = &c->b->insts[inst];
    const char *name = iri_op_infos[x->op].name;
#define PLACE "function %s, instruction %u (%s): "
    if (!SAME(op))
        return differ(c, PLACE "the other is %s", function, (unsigned)inst, name,
                      iri_op_infos[y->op].name);
    if (!SAME(operand_count) || !SAME(immediate_count) || !SAME(region_count) ||
        !SAME(result_count))
        return differ(c, PLACE "the counts of its parts differ", function, (unsigned)inst, name);
    if (!SAME(flags) || !SAME(offset))
        return differ(c, PLACE "%s differ", function, (unsigned)inst, name,
                      SAME(flags) ? "source offsets" : "flags");
    for (uint32_t i = 0; i < x->operand_count; i++) {
        iri_id value = iri_operands(c->a, x)[i];
        if (value != iri_operands(c->b, y)[i] || !same_value(c, value))
            return differ(c, PLACE "operand %u differs", function, (unsigned)inst, name,
                          (unsigned)i + 1);
    }
    uint32_t rest = (uint32_t)x->immediate_count + x->region_count;
    if (rest &&
        memcmp(iri_immediates(c->a, x), iri_immediates(c->b, y), rest * sizeof(uint32_t)) != 0)
        return differ(c, PLACE "immediates differ", function, (unsigned)inst, name);
    for (uint32_t i = 0; i < x->result_count; i++)
        if (!SAME(results) || !same_value(c, x->results + i))
            return differ(c, PLACE "result %u differs", function, (unsigned)inst, name,
                          (unsigned)i + 1);
#undef PLACE
    return true;
}

static bool compare_region(comparison *c, const char *function, iri_id region)
{
    const iri_region *x = &c->a->regions[region], *y = &c->b->regions[region];
    if (!SAME(parameter_count) || !SAME(parameters) || !SAME(count) || !SAME(owner))
        return differ(c, "function %s: regions of %u and %u instructions, %u and %u parameters",
                      function, (unsigned)x->count, (unsigned)y->count,
                      (unsigned)x->parameter_count, (unsigned)y->parameter_count);
    for (uint32_t i = 0; i < x->parameter_count; i++)
        if (!same_value(c, x->parameters + i))
            return differ(c, "function %s: a region's parameter %u differs", function,
                          (unsigned)i + 1);
    for (uint32_t i = 0; i < x->count; i++) {
        iri_id inst = c->a->order[x->first + i];
        if (inst != c->b->order[y->first + i])
            return differ(c, "function %s: the orders of instructions differ", function);
        if (!compare_inst(c, function, inst))
            return false;
        const iri_inst *in = &c->a->insts[inst];
        for (uint32_t k = 0; k < in->region_count; k++)
            if (!compare_region(c, function, iri_regions(c->a, in)[k]))
                return false;
    }
    return true;
}

static bool compare_function(comparison *c, iri_id function)
{
    const iri_function *x = &c->a->functions[function], *y = &c->b->functions[function];
    if (!SAME_TEXT(name))
        return differ(c, "function %u is %s and %s", (unsigned)function, x->name, y->name);
    if (!SAME(form) || !SAME(body) || !SAME(block_count) || !SAME(result_count) ||
        !SAME(external_count) || !SAME(local_count) || !SAME(first_local) ||
        (x->result_count && memcmp(x->result_types, y->result_types, x->result_count) != 0) ||
        (x->external_count && memcmp(x->external_types, y->external_types, x->external_count) != 0))
        return differ(c, "the declarations of function %s differ", x->name);
    for (uint32_t i = 0; i < x->local_count; i++) {
        const iri_local *p = &c->a->locals[x->first_local + i];
        const iri_local *q = &c->b->locals[y->first_local + i];
        if (!same_text(p->name, q->name) || p->type != q->type || p->init != q->init ||
            p->length != q->length)
            return differ(c, "function %s: local %s differs", x->name, p->name);
    }
    uint32_t blocks = x->form == IRI_FORM_CFG ? x->block_count : x->body != 0;
    for (uint32_t i = 0; i < blocks; i++)
        if (!compare_region(c, x->name, x->body + i))
            return false;
    return true;
}

bool iri_program_equal(const iri_program *a, const iri_program *b, char *what, size_t what_size)
{
    comparison c = {a, b, what, what_size};
    if (what && what_size)
        what[0] = 0;
    if (!compare_header(&c))
        return false;
    if (a->function_count != b->function_count || a->entry != b->entry)
        return differ(&c, "there are %u and %u functions, the entries %u and %u",
                      (unsigned)a->function_count - 1, (unsigned)b->function_count - 1,
                      (unsigned)a->entry, (unsigned)b->entry);
    for (iri_id f = 1; f < a->function_count; f++)
        if (!compare_function(&c, f))
            return false;
    return true;
}
