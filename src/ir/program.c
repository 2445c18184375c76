/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finished programs: freeing them, and the public ways to look into them.
 */
#include "ir/program.h"

void iri_program_free(iri_program *program)
{
    iri_ctx ctx;
    if (!program)
        return;
    /* The program lies in its own arena. */
    iri_arena arena = program->arena;
    iri_ctx_init(&ctx, &program->allocator, NULL, NULL);
    arena.ctx = &ctx;
    iri_arena_free(&arena);
}

iri_stage iri_program_stage(const iri_program *program)
{
    return program->stage;
}

const iri_interface *iri_program_interface(const iri_program *program)
{
    return &program->interface;
}

const iri_conventions *iri_program_conventions(const iri_program *program)
{
    return &program->conventions;
}

const iri_float_env *iri_program_float_env(const iri_program *program)
{
    return &program->float_env;
}

const iri_provenance *iri_program_provenance(const iri_program *program)
{
    return &program->provenance;
}

size_t iri_note_count(const iri_program *program)
{
    return program->note_count;
}

const iri_note *iri_note_at(const iri_program *program, size_t index)
{
    return index < program->note_count ? &program->notes[index] : NULL;
}

size_t iri_program_memory(const iri_program *program)
{
    return program->arena.held;
}

uint32_t iri_program_function_count(const iri_program *program)
{
    return program->function_count - 1;
}

iri_id iri_program_entry(const iri_program *program)
{
    return program->entry;
}

const iri_function *iri_program_function(const iri_program *program, iri_id function)
{
    return function && function < program->function_count ? &program->functions[function] : NULL;
}

const iri_region *iri_program_region(const iri_program *program, iri_id region)
{
    return region && region < program->region_count ? &program->regions[region] : NULL;
}

iri_id iri_program_region_inst(const iri_program *program, iri_id region, uint32_t index)
{
    const iri_region *r = iri_program_region(program, region);
    return r && index < r->count ? program->order[r->first + index] : 0;
}

const iri_inst *iri_program_inst(const iri_program *program, iri_id inst)
{
    return inst && inst < program->inst_count ? &program->insts[inst] : NULL;
}

const uint32_t *iri_program_words(const iri_program *program, const iri_inst *inst)
{
    return inst ? program->words + inst->words : NULL;
}

const iri_value *iri_program_value(const iri_program *program, iri_id value)
{
    return value && value < program->value_count ? &program->values[value] : NULL;
}

const uint64_t *iri_program_constant(const iri_program *program, iri_id value)
{
    const iri_value *v = iri_program_value(program, value);
    return v && v->kind == IRI_VALUE_CONSTANT ? program->constants + v->def : NULL;
}

const iri_local *iri_program_local(const iri_program *program, iri_id local)
{
    return local && local < program->local_count ? &program->locals[local] : NULL;
}

uint32_t iri_program_inst_count(const iri_program *program)
{
    return program->inst_count - 1;
}

uint32_t iri_program_value_count(const iri_program *program)
{
    return program->value_count - 1;
}

uint32_t iri_program_modes(const iri_program *program)
{
    uint32_t modes = 0;
    for (uint32_t i = 1; i < program->inst_count; i++) {
        uint32_t op = program->insts[i].op;
        if (iri_props(op) & IRI_PROP_ZERO_WINS)
            modes |= IRI_MODE_ZERO_WINS;
        if (op == IRI_OP_RCP_MAX || op == IRI_OP_RSQ_MAX || op == IRI_OP_LOG2_MAX)
            modes |= IRI_MODE_FINITE_INVERSES;
        if (op == IRI_OP_SATURATE_ZERO)
            modes |= IRI_MODE_SATURATE_NAN;
    }
    return modes;
}

bool iri_has_props(const iri_program *p, uint32_t properties)
{
    for (uint32_t i = 0; i < sizeof p->ops / sizeof *p->ops; i++) {
        uint32_t op = i * 64;
        for (uint64_t left = p->ops[i]; left; left >>= 1, op++)
            if ((left & 1) && (iri_props(op) & properties))
                return true;
    }
    return false;
}
