/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ending a build: what the functions hold is numbered anew in order of appearance, and copied with the
 * header into one allocation of just the size. Values nobody uses that no instruction makes (constants,
 * parameters of dropped regions) stay behind.
 */
#include "ir/emit_internal.h"

typedef struct compaction {
    const iri_program *from;
    iri_id *values, *insts, *regions; /* old id -> new id, 0 none */
    uint32_t *labels, *first;         /* old label -> new; old region -> start of its order */
    iri_id *locals;                   /* old id -> new id: those of the first function come first */
    uint32_t value_count, inst_count, region_count, label_count, order_count;
    size_t word_count, constant_count;
} compaction;

static void number_region(compaction *c, iri_id old);

static void number_inst(compaction *c, iri_id old)
{
    const iri_program *p = c->from;
    const iri_inst *in = &p->insts[old];
    const iri_id *operands = iri_operands(p, in);
    c->insts[old] = c->inst_count++;
    c->word_count += (size_t)in->operand_count + in->immediate_count + in->region_count;
    for (uint32_t i = 0; i < in->operand_count; i++)
        if (!c->values[operands[i]] && iri_is_constant(p, operands[i])) {
            c->values[operands[i]] = c->value_count++;
            c->constant_count += IRI_TYPE_LANES(iri_type_of(p, operands[i]));
        }
    if (in->region_count && iri_op_infos[in->op].immediates[0] == 'L')
        c->labels[iri_immediates(p, in)[0]] = c->label_count++;
    for (uint32_t i = 0; i < in->region_count; i++)
        number_region(c, iri_regions(p, in)[i]);
    for (uint32_t i = 0; i < in->result_count; i++)
        c->values[in->results + i] = c->value_count++;
}

static void number_region(compaction *c, iri_id old)
{
    const iri_region *region = &c->from->regions[old];
    if (!c->regions[old])
        c->regions[old] = c->region_count++;
    for (uint32_t i = 0; i < region->parameter_count; i++)
        c->values[region->parameters + i] = c->value_count++;
    c->first[old] = c->order_count;
    c->order_count += region->count;
    for (uint32_t i = 0; i < region->count; i++)
        number_inst(c, c->from->order[region->first + i]);
}

static void number_all(compaction *c, iri_arena *scratch)
{
    const iri_program *p = c->from;
    c->values = iri_new_array(scratch, iri_id, p->value_count);
    c->insts = iri_new_array(scratch, iri_id, p->inst_count);
    c->regions = iri_new_array(scratch, iri_id, p->region_count);
    c->first = iri_new_array(scratch, uint32_t, p->region_count);
    c->labels = iri_new_array(scratch, uint32_t, p->label_count);
    c->locals = iri_new_array(scratch, iri_id, p->local_count);
    c->value_count = c->inst_count = c->region_count = c->label_count = 1;
    for (uint32_t f = 1, n = 1; f < p->function_count; f++)
        for (uint32_t i = 0; i < p->functions[f].local_count; i++)
            c->locals[p->functions[f].first_local + i] = n++;
    for (uint32_t f = 1; f < p->function_count; f++) {
        const iri_function *function = &p->functions[f];
        uint32_t blocks = function->form == IRI_FORM_CFG ? function->block_count : 1;
        if (!function->body)
            continue;
        for (uint32_t i = 0; i < blocks; i++)
            c->regions[function->body + i] = c->region_count++;
        for (uint32_t i = 0; i < blocks; i++)
            number_region(c, function->body + i);
    }
}

static void fill_values(const compaction *c, iri_program *to)
{
    const iri_program *p = c->from;
    uint32_t lanes = 0;
    for (iri_id old = 1; old < p->value_count; old++) {
        if (!c->values[old])
            continue;
        iri_value *value = &to->values[c->values[old]];
        *value = p->values[old];
        if (value->kind == IRI_VALUE_CONSTANT) {
            uint32_t count = IRI_TYPE_LANES(value->type);
            memcpy(to->constants + lanes, p->constants + value->def, count * sizeof *to->constants);
            value->def = lanes;
            lanes += count;
        } else if (value->kind == IRI_VALUE_PARAMETER) {
            value->def = c->regions[value->def];
        } else {
            value->def = c->insts[value->def];
        }
    }
    to->constant_count = lanes;
}

/* Immediates that are ids: a label, a local, or blocks. */
static void fill_immediates(const compaction *c, const iri_inst *in, uint32_t *words)
{
    if (!in->immediate_count)
        return;
    switch (iri_op_infos[in->op].immediates[0]) {
    case 'L': words[0] = c->labels[words[0]]; break;
    case 'l': words[0] = c->locals[words[0]]; break;
    case 't':
        words[0] = c->regions[words[0]];
        if (in->op == IRI_OP_BR_IF)
            words[1] = c->regions[words[1]];
        for (uint32_t i = 2; in->op == IRI_OP_BR_SWITCH && i + 2 < in->immediate_count; i += 3)
            words[i + 1] = c->regions[words[i + 1]];
        break;
    default: break;
    }
}

static void fill_insts(const compaction *c, iri_program *to)
{
    const iri_program *p = c->from;
    for (iri_id old = 1; old < p->inst_count; old++) {
        if (!c->insts[old])
            continue;
        const iri_inst *from = &p->insts[old];
        iri_inst *in = &to->insts[c->insts[old]];
        uint32_t total = (uint32_t)from->operand_count + from->immediate_count + from->region_count;
        uint32_t *words = to->words + to->word_count;
        *in = *from;
        to->ops[from->op / 64] |= UINT64_C(1) << (from->op % 64);
        in->words = to->word_count;
        in->results = in->result_count ? c->values[from->results] : 0;
        to->word_count += total;
        if (total)
            memcpy(words, p->words + from->words, total * sizeof *words);
        for (uint32_t i = 0; i < in->operand_count; i++)
            words[i] = c->values[words[i]];
        words += in->operand_count;
        fill_immediates(c, in, words);
        words += in->immediate_count;
        for (uint32_t i = 0; i < in->region_count; i++)
            words[i] = c->regions[words[i]];
    }
}

static void fill_regions(const compaction *c, iri_program *to)
{
    const iri_program *p = c->from;
    for (iri_id old = 1; old < p->region_count; old++) {
        if (!c->regions[old])
            continue;
        iri_region *region = &to->regions[c->regions[old]];
        *region = p->regions[old];
        for (uint32_t i = 0; i < region->count; i++)
            to->order[c->first[old] + i] = c->insts[p->order[region->first + i]];
        region->first = c->first[old];
        region->parameters = region->parameter_count ? c->values[region->parameters] : 0;
        region->owner = c->insts[region->owner];
    }
    to->order_count = c->order_count;
}

/* The header, functions and locals: everything whose size follows from texts and lists. */
static void pack_rest(const compaction *c, iri_pack *pack, iri_program *to)
{
    const iri_program *p = c->from;
    const iri_interface *io = &p->interface;
    iri_io *inputs = iri_pack_bytes(pack, io->inputs, io->input_count * sizeof *inputs);
    iri_io *outputs = iri_pack_bytes(pack, io->outputs, io->output_count * sizeof *outputs);
    iri_resource *resources =
        iri_pack_bytes(pack, io->resources, io->resource_count * sizeof *resources);
    iri_state_entry *states = iri_pack_bytes(pack, io->states, io->state_count * sizeof *states);
    iri_shared *shared = iri_pack_bytes(pack, io->shared, io->shared_count * sizeof *shared);
    iri_note *notes = iri_pack_bytes(pack, p->notes, p->note_count * sizeof *notes);
    iri_function *functions =
        iri_pack_bytes(pack, p->functions, p->function_count * sizeof *functions);
    iri_local *locals = iri_pack_bytes(pack, p->locals, p->local_count * sizeof *locals);
    iri_provenance provenance = iri_pack_provenance(pack, &p->provenance);
    for (uint32_t i = 0; i < io->input_count; i++) {
        iri_io copy = iri_pack_io(pack, &io->inputs[i]);
        if (to)
            inputs[i] = copy;
    }
    for (uint32_t i = 0; i < io->output_count; i++) {
        iri_io copy = iri_pack_io(pack, &io->outputs[i]);
        if (to)
            outputs[i] = copy;
    }
    for (uint32_t i = 0; i < io->resource_count; i++) {
        iri_resource copy = iri_pack_resource(pack, &io->resources[i]);
        if (to)
            resources[i] = copy;
    }
    for (uint32_t i = 0; i < io->shared_count; i++) {
        const char *name = iri_pack_text(pack, io->shared[i].name);
        if (to)
            shared[i].name = name;
    }
    for (uint32_t i = 0; i < p->note_count; i++) {
        const char *kind = iri_pack_text(pack, p->notes[i].kind);
        const char *text = iri_pack_text(pack, p->notes[i].text);
        if (to)
            notes[i].kind = kind, notes[i].text = text;
    }
    for (uint32_t i = 0, locals_before = 1; i < p->function_count; i++) {
        const iri_function *f = &p->functions[i];
        const char *name = iri_pack_text(pack, f->name);
        const iri_type *results = iri_pack_bytes(pack, f->result_types, f->result_count);
        const iri_type *external = iri_pack_bytes(pack, f->external_types, f->external_count);
        if (!to)
            continue;
        functions[i].name = name;
        functions[i].result_types = results;
        functions[i].external_types = external;
        functions[i].body = c->regions[f->body];
        functions[i].first_local = i ? locals_before : 0;
        locals_before += f->local_count;
    }
    for (uint32_t i = 0; i < p->local_count; i++) {
        const char *name = iri_pack_text(pack, p->locals[i].name);
        if (!to)
            continue;
        locals[c->locals[i]] = p->locals[i];
        locals[c->locals[i]].name = name;
    }
    if (!to)
        return;
    to->interface = *io;
    to->interface.inputs = inputs;
    to->interface.outputs = outputs;
    to->interface.resources = resources;
    to->interface.states = states;
    to->interface.shared = shared;
    to->provenance = provenance;
    to->notes = notes;
    to->note_count = p->note_count;
    to->functions = functions;
    to->function_count = p->function_count;
    to->locals = locals;
    to->local_count = p->local_count;
}

/* Room for the program itself and its arrays, zeroed but for what is packed. */
static iri_program *pack_arrays(const compaction *c, iri_pack *pack)
{
    iri_program *to = iri_pack_bytes(pack, NULL, 0);
    pack->size += (sizeof *to + 7) & ~(size_t)7;
#define ROOM(field, count) \
    do { \
        void *room = iri_pack_bytes(pack, NULL, 0); \
        pack->size += ((size_t)(count) * sizeof *((iri_program *)0)->field + 7) & ~(size_t)7; \
        if (to) \
            to->field = room; \
    } while (0)
    ROOM(insts, c->inst_count);
    ROOM(values, c->value_count);
    ROOM(regions, c->region_count);
    ROOM(words, c->word_count);
    ROOM(order, c->order_count);
    ROOM(constants, c->constant_count);
#undef ROOM
    return to;
}

iri_program *iri_builder_finish(iri_builder *b)
{
    iri_program *from = b->p;
    compaction c = {from, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0};
    iri_pack pack = {0};
    iri_arena arena;
    if (b->function)
        iri_builder_set_fault(b, "function %s is still open", from->functions[b->function].name);
    if (b->fault)
        iri_fail(b->ctx, IRI_INVALID_BUILD, b->fault_offset, "%s", b->fault);
    number_all(&c, b->scratch);
    pack_arrays(&c, &pack);
    pack_rest(&c, &pack, NULL);
    iri_arena_init(&arena, b->ctx);
    pack.at = iri_arena_alloc(&arena, pack.size, 1);
    pack.size = 0;
    iri_program *to = pack_arrays(&c, &pack);
    pack_rest(&c, &pack, to);
    to->allocator = from->allocator;
    to->stage = from->stage;
    to->conventions = from->conventions;
    to->float_env = from->float_env;
    to->entry = from->entry;
    to->inst_count = c.inst_count;
    to->value_count = c.value_count;
    to->region_count = c.region_count;
    to->label_count = c.label_count;
    to->insts[0] = from->insts[0];
    to->built = b->flags;
    fill_values(&c, to);
    fill_insts(&c, to);
    fill_regions(&c, to);
    iri_builder_discard(b);
    to->arena = arena;
    to->arena.ctx = NULL;
    return to;
}
