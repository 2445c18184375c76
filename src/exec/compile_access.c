/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compiles accesses of memory, texel loads, queries and barriers: each becomes a site that says which columns its
 * operands are, and a step that names the site.
 */
#include "exec/exec.h"

static void use_lanes(iri_exec_compiler *c, iri_id value, uint32_t *columns)
{
    iri_type type = iri_type_of(c->p, value);
    for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++)
        columns[i] = iri_exec_use(c, iri_exec_value(c, value)[i], IRI_TYPE_SCALAR(type));
}

static void use_places(iri_exec_compiler *c, iri_access_site *site, const iri_inst *in,
                       uint32_t operands)
{
    for (uint32_t i = 0; i < operands; i++) {
        iri_id value = iri_operands(c->p, in)[i];
        use_lanes(c, value, site->place + site->place_count);
        site->place_count += (uint8_t)IRI_TYPE_LANES(iri_type_of(c->p, value));
    }
}

static void use_index(iri_exec_compiler *c, iri_access_site *site, const iri_inst *in)
{
    uint32_t operand = iri_range_operand(in->op);
    site->has_index = operand < in->operand_count;
    if (site->has_index)
        use_lanes(c, iri_operands(c->p, in)[operand], &site->index);
}

static void push_site(iri_exec_compiler *c, iri_access_site *site, const iri_inst *in)
{
    if (in->result_count) {
        iri_type type = iri_type_of(c->p, in->results);
        site->lanes = (uint8_t)IRI_TYPE_LANES(type);
        for (uint32_t i = 0; i < site->lanes; i++)
            site->d[i] = c->values[in->results][i] = iri_exec_define(c, IRI_TYPE_SCALAR(type));
    }
    iri_step s = {.run = iri_kernel_access,
                  .op = in->op,
                  .x = c->accesses.count,
                  .inst = (iri_id)(in - c->p->insts)};
    iri_push(c->scratch, &c->accesses, *site);
    iri_exec_push(c, &s);
}

static void check_format(iri_exec_compiler *c, const iri_access_site *site, const iri_inst *in)
{
    const iri_resource *r = &c->p->interface.resources[site->resource];
    bool texels =
        site->memory.memory == IRI_MEMORY_TYPED || site->memory.memory == IRI_MEMORY_IMAGE;
    char label[32];
    if (texels && site->memory.act != IRI_MEMORY_LOAD && r->format &&
        !iri_format_is_known(r->format))
        iri_fail(c->ctx, IRI_UNWRITABLE, in->offset,
                 "%s has DXGI format %u, which the executor cannot store in",
                 iri_resource_label(r, label), (unsigned)r->format);
}

static void compile_memory(iri_exec_compiler *c, const iri_inst *in, iri_memory_op m)
{
    const uint32_t *operands = iri_operands(c->p, in), *imm = iri_immediates(c->p, in);
    iri_access_site site = {.op = in->op, .memory = m, .resource = imm[m.immediate]};
    use_places(c, &site, in, m.places);
    if (m.act == IRI_MEMORY_ATOMIC)
        site.function = (uint8_t)imm[0];
    if (m.act >= IRI_MEMORY_ATOMIC)
        site.is_signed = IRI_TYPE_SCALAR(iri_type_of(c->p, in->results)) == IRI_I32;
    if (m.act == IRI_MEMORY_CAS) {
        use_lanes(c, operands[m.places], &site.compare);
        use_lanes(c, operands[m.places + 1], site.values);
    } else if (m.values) {
        site.lanes = (uint8_t)IRI_TYPE_LANES(iri_type_of(c->p, operands[m.places]));
        use_lanes(c, operands[m.places], site.values);
    }
    if (m.memory != IRI_MEMORY_SHARED) {
        use_index(c, &site, in);
        check_format(c, &site, in);
    }
    push_site(c, &site, in);
}

/* Texel loads have a level or sample behind the coordinates; queries one where in it, or nothing. */
static void compile_query(iri_exec_compiler *c, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(c->p, in);
    iri_access_site site = {.op = in->op, .resource = imm[0]};
    uint32_t own = iri_range_operand(in->op);
    use_places(c, &site, in, own ? 1 : 0);
    site.has_level = own > 1;
    if (site.has_level)
        use_lanes(c, iri_operands(c->p, in)[1], &site.level);
    for (uint32_t i = 0; i < 3 && in->immediate_count > 1; i++)
        site.offset[i] = (int8_t)(imm[1] >> 8 * i & 0xffu);
    use_index(c, &site, in);
    push_site(c, &site, in);
}

static void compile_barrier(iri_exec_compiler *c, const iri_inst *in)
{
    iri_step s = {.run = iri_kernel_barrier, .op = in->op, .inst = (iri_id)(in - c->p->insts)};
    if (iri_immediates(c->p, in)[0] & IRI_BARRIER_EXECUTION)
        iri_exec_push(c, &s);
}

void iri_exec_compile_access(iri_exec_compiler *c, const iri_inst *in)
{
    iri_memory_op m = iri_memory_of(in->op);
    uint32_t *values = in->result_count ? c->values[in->results] : NULL;
    if (m.memory) {
        compile_memory(c, in, m);
        return;
    }
    switch (in->op) {
    case IRI_OP_BARRIER: compile_barrier(c, in); break;
    /* Everything that is bound is mapped. */
    case IRI_OP_ACCESS_STATUS: values[0] = iri_exec_uniform(c, 1) | IRI_REF_UNIFORM; break;
    case IRI_OP_ACCESS_MAPPED: values[0] = iri_exec_uniform(c, 1) | IRI_REF_UNIFORM; break;
    default:
        if (iri_op_infos[in->op].immediates[0] != 'r')
            iri_fail(c->ctx, IRI_INTERNAL, in->offset, "the executor has no way to run %s",
                     iri_op_infos[in->op].name);
        compile_query(c, in);
    }
}
