/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ending a build: what the functions hold is numbered anew in order of appearance, and copied with the
 * header into one allocation. With IRI_BUILD_DROP what nothing needs stays behind; so do, always, values
 * nobody uses that no instruction makes (constants, parameters of dropped regions).
 */
#include "ir/emit_drop.h"
#include "ir/emit_internal.h"
#include "ir/signature.h"

typedef struct finish {
    const iri_program *from;
    iri_program *to;
    iri_keep keep;
    iri_id *values;    /* old id -> new id, 0 none yet */
    iri_id *regions;   /* blocks: old id -> new id */
    iri_id *label_ops; /* old label -> the old operation */
    uint32_t *labels;  /* old label -> new label */
    iri_id *locals;    /* old id -> new id, 0 where its function is dropped */
    iri_id *functions; /* old id -> new id */
    uint32_t *inputs;  /* old index -> new index; NULL where all are kept */
    iri_id owner;      /* the old operation whose region is being copied */
} finish;

/* How much there will be, element 0 counted. */
typedef struct sizes {
    size_t insts, values, regions, words, order, constants;
} sizes;

static bool keeps_value(const finish *f, iri_id value)
{
    return iri_keeps(&f->keep, &f->keep.values, value);
}

/* Terminators stand or fall with their region. */
static bool keeps_inst(const finish *f, iri_id inst)
{
    return iri_keeps(&f->keep, &f->keep.insts, inst) ||
           (iri_props(f->from->insts[inst].op) & IRI_PROP_TERMINATOR) != 0;
}

/* An upper bound, close where something is dropped. */
static sizes measure(const finish *f)
{
    const iri_program *p = f->from;
    sizes s = {1, 1, p->region_count, 0, 0, 0};
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        if (!keeps_inst(f, i))
            continue;
        s.insts++;
        s.order++;
        s.words += (size_t)in->operand_count + in->immediate_count + in->region_count;
        s.values += in->result_count;
    }
    for (iri_id v = 1; v < p->value_count; v++) {
        const iri_value *value = &p->values[v];
        if (value->kind == IRI_VALUE_CONSTANT && keeps_value(f, v)) {
            s.constants += IRI_TYPE_LANES(value->type);
            s.values++;
        }
        s.values += value->kind == IRI_VALUE_PARAMETER;
    }
    return s;
}

/* ---- the copy ---- */

static iri_id copy_constant(finish *f, iri_id old)
{
    iri_program *to = f->to;
    const iri_value *value = &f->from->values[old];
    const uint64_t *lanes = f->from->constants + value->def;
    iri_id made = f->values[old] = to->value_count++;
    to->values[made] = *value;
    to->values[made].def = to->constant_count;
    for (uint32_t i = 0; i < IRI_TYPE_LANES(value->type); i++)
        to->constants[to->constant_count++] = lanes[i];
    return made;
}

static iri_id copy_value(finish *f, iri_id old)
{
    return f->values[old] ? f->values[old] : copy_constant(f, old);
}

/* Results or parameters; returns how many are kept. */
static uint32_t define_values(finish *f, iri_id first, uint32_t count, iri_id def, bool all)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!all && !keeps_value(f, first + i))
            continue;
        iri_id made = f->values[first + i] = f->to->value_count++;
        f->to->values[made] = f->from->values[first + i];
        f->to->values[made].def = def;
        f->to->values[made].index = (uint16_t)kept++;
    }
    return kept;
}

/* Where the operands of an edge or a loop go: old values, one each, of which some are dropped. 0: all of
 * them are kept. */
static iri_id places_of(const finish *f, const iri_inst *in)
{
    const iri_program *p = f->from;
    const iri_inst *op = in;
    switch (in->op) {
    case IRI_OP_YIELD: return p->insts[f->owner].results;
    case IRI_OP_BREAK: return p->insts[f->label_ops[iri_immediates(p, in)[0]]].results;
    case IRI_OP_CONTINUE: op = &p->insts[f->label_ops[iri_immediates(p, in)[0]]]; break;
    case IRI_OP_LOOP: break;
    default: return 0;
    }
    return p->regions[iri_regions(p, op)[0]].parameters;
}

static uint32_t *copy_operands(finish *f, const iri_inst *in, uint32_t *words)
{
    const uint32_t *operands = iri_operands(f->from, in);
    iri_id places = f->keep.all || !in->operand_count ? 0 : places_of(f, in);
    for (uint32_t i = 0; i < in->operand_count; i++)
        if (!places || keeps_value(f, places + i))
            *words++ = copy_value(f, operands[i]);
    return words;
}

/* Immediates that are ids get the new ones. */
static void copy_immediates(const finish *f, const iri_inst *in, uint32_t *words)
{
    const uint32_t *immediates = iri_immediates(f->from, in);
    for (uint32_t i = 0; i < in->immediate_count; i++)
        words[i] = immediates[i];
    if (!in->immediate_count)
        return;
    switch (iri_signatures[in->op].immediates[0]) {
    case 'L': words[0] = f->labels[words[0]]; break;
    case 'l': words[0] = f->locals[words[0]]; break;
    case 'g': words[0] = f->functions[words[0]]; break;
    case 'n': words[0] = f->inputs ? f->inputs[words[0]] : words[0]; break;
    case 't':
        words[0] = f->regions[words[0]];
        if (in->op == IRI_OP_BR_IF)
            words[1] = f->regions[words[1]];
        for (uint32_t i = 2; in->op == IRI_OP_BR_SWITCH && i + 2 < in->immediate_count; i += 3)
            words[i + 1] = f->regions[words[i + 1]];
        break;
    default: break;
    }
}

static void copy_region(finish *f, iri_id old, iri_id made, iri_id owner);

static void copy_regions(finish *f, iri_id old, const iri_inst *from, iri_id made)
{
    const iri_id *regions = iri_regions(f->from, from);
    iri_id owner = f->owner;
    for (uint32_t i = 0; i < from->region_count; i++) {
        iri_id inner = f->to->region_count++;
        const iri_inst *in = &f->to->insts[made];
        f->to->words[in->words + in->operand_count + in->immediate_count + i] = inner;
        f->owner = old;
        copy_region(f, regions[i], inner, made);
    }
    f->owner = owner;
}

static iri_id copy_inst(finish *f, iri_id old)
{
    iri_program *to = f->to;
    const iri_inst *from = &f->from->insts[old];
    iri_id made = to->inst_count++;
    iri_inst *in = &to->insts[made];
    *in = *from;
    to->ops[from->op / 64] |= UINT64_C(1) << (from->op % 64);
    in->words = to->word_count;
    if (from->region_count && iri_signatures[from->op].immediates[0] == 'L') {
        uint32_t label = iri_immediates(f->from, from)[0];
        f->labels[label] = to->label_count++;
        f->label_ops[label] = old;
    }
    uint32_t *words = to->words + to->word_count, *end = copy_operands(f, from, words);
    in->operand_count = (uint16_t)(end - words);
    copy_immediates(f, from, end);
    to->word_count += (uint32_t)in->operand_count + in->immediate_count + in->region_count;
    if (from->region_count)
        copy_regions(f, old, from, made);
    iri_id first = to->value_count;
    bool all = !(iri_props(from->op) & IRI_PROP_REGION);
    in->result_count = (uint16_t)define_values(f, from->results, from->result_count, made, all);
    in->results = in->result_count ? first : 0;
    return made;
}

static void copy_region(finish *f, iri_id old, iri_id made, iri_id owner)
{
    iri_program *to = f->to;
    const iri_region *from = &f->from->regions[old];
    uint32_t at = to->order_count;
    iri_id parameters = to->value_count;
    bool loop = owner && from->parameter_count;
    uint32_t count = define_values(f, from->parameters, from->parameter_count, made, !loop);
    for (uint32_t i = 0; i < from->count; i++)
        to->order_count += keeps_inst(f, f->from->order[from->first + i]);
    to->regions[made] = (iri_region){.first = at,
                                     .count = to->order_count - at,
                                     .parameters = count ? parameters : 0,
                                     .parameter_count = count,
                                     .owner = owner};
    for (uint32_t i = 0; i < from->count; i++) {
        iri_id inst = f->from->order[from->first + i];
        if (keeps_inst(f, inst))
            to->order[at++] = copy_inst(f, inst);
    }
}

static void copy_bodies(finish *f)
{
    const iri_program *p = f->from;
    for (iri_id i = 1; i < p->function_count; i++) {
        const iri_function *function = &p->functions[i];
        uint32_t blocks = function->form == IRI_FORM_CFG ? function->block_count : 1;
        if (!function->body || !f->functions[i])
            continue;
        iri_id first = f->to->region_count;
        f->to->region_count += blocks;
        f->to->functions[f->functions[i]].body = first;
        for (uint32_t k = 0; k < blocks; k++)
            f->regions[function->body + k] = first + k;
        f->owner = 0;
        for (uint32_t k = 0; k < blocks; k++)
            copy_region(f, function->body + k, first + k, 0);
    }
}

/* ---- what is numbered before ---- */

static void number_functions(finish *f, iri_arena *scratch, uint32_t *function_count,
                             uint32_t *local_count)
{
    const iri_program *p = f->from;
    f->functions = iri_new_array(scratch, iri_id, p->function_count);
    f->locals = iri_new_array(scratch, iri_id, p->local_count);
    *function_count = *local_count = 1;
    for (iri_id i = 1; i < p->function_count; i++) {
        const iri_function *function = &p->functions[i];
        if (!iri_keeps(&f->keep, &f->keep.functions, i))
            continue;
        f->functions[i] = (*function_count)++;
        for (uint32_t k = 0; k < function->local_count; k++)
            f->locals[function->first_local + k] = (*local_count)++;
    }
}

static void number_inputs(finish *f, iri_arena *scratch)
{
    uint32_t count = f->from->interface.input_count, kept = 0;
    if (f->keep.all)
        return;
    f->inputs = iri_new_array(scratch, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        if (iri_bitset_has(&f->keep.inputs, i))
            f->inputs[i] = kept++;
}

/* ---- the header ---- */

/* The header, functions and locals: everything whose size follows from texts and lists. */
static void pack_header(const finish *f, iri_pack *pack, iri_program *to)
{
    const iri_program *p = f->from;
    const iri_interface *io = &p->interface;
    iri_interface made = *io;
    iri_io *inputs = iri_pack_bytes(pack, io->inputs, io->input_count * sizeof *inputs);
    iri_io *outputs = iri_pack_bytes(pack, io->outputs, io->output_count * sizeof *outputs);
    iri_resource *resources =
        iri_pack_bytes(pack, io->resources, io->resource_count * sizeof *resources);
    made.states = iri_pack_bytes(pack, io->states, io->state_count * sizeof *io->states);
    iri_shared *shared = iri_pack_bytes(pack, io->shared, io->shared_count * sizeof *shared);
    iri_note *notes = iri_pack_bytes(pack, p->notes, p->note_count * sizeof *notes);
    iri_provenance provenance = iri_pack_provenance(pack, &p->provenance);
    made.input_count = 0;
    for (uint32_t i = 0; i < io->input_count; i++) {
        if (!iri_keeps(&f->keep, &f->keep.inputs, i))
            continue;
        iri_io copy = iri_pack_io(pack, &io->inputs[i]);
        if (to)
            inputs[made.input_count] = copy;
        made.input_count++;
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
    if (!to)
        return;
    made.inputs = inputs;
    made.outputs = outputs;
    made.resources = resources;
    made.shared = shared;
    to->interface = made;
    to->provenance = provenance;
    to->notes = notes;
    to->note_count = p->note_count;
}

static void pack_functions(const finish *f, iri_pack *pack, iri_program *to)
{
    const iri_program *p = f->from;
    iri_function *functions =
        iri_pack_bytes(pack, p->functions, p->function_count * sizeof *functions);
    iri_local *locals = iri_pack_bytes(pack, p->locals, p->local_count * sizeof *locals);
    uint32_t locals_before = 1;
    for (uint32_t i = 0; i < p->function_count; i++) {
        const iri_function *function = &p->functions[i];
        if (i && !f->functions[i])
            continue;
        iri_function copy = *function;
        copy.name = iri_pack_text(pack, function->name);
        copy.result_types = iri_pack_bytes(pack, function->result_types, function->result_count);
        copy.external_types =
            iri_pack_bytes(pack, function->external_types, function->external_count);
        copy.first_local = i ? locals_before : 0;
        locals_before += function->local_count;
        if (to)
            functions[f->functions[i]] = copy;
    }
    for (uint32_t i = 0; i < p->local_count; i++) {
        if (i && !f->locals[i])
            continue;
        iri_local copy = p->locals[i];
        copy.name = iri_pack_text(pack, p->locals[i].name);
        if (to)
            locals[f->locals[i]] = copy;
    }
    if (!to)
        return;
    to->functions = functions;
    to->locals = locals;
}

/* Room for the program itself and its arrays. */
static iri_program *pack_arrays(const sizes *s, iri_pack *pack)
{
    iri_program *to = iri_pack_room(pack, sizeof *to);
    iri_inst *insts = iri_pack_room(pack, s->insts * sizeof *insts);
    iri_value *values = iri_pack_room(pack, s->values * sizeof *values);
    iri_region *regions = iri_pack_room(pack, s->regions * sizeof *regions);
    uint32_t *words = iri_pack_room(pack, s->words * sizeof *words);
    uint32_t *order = iri_pack_room(pack, s->order * sizeof *order);
    uint64_t *constants = iri_pack_room(pack, s->constants * sizeof *constants);
    if (!to)
        return NULL;
    memset(to, 0, sizeof *to);
    to->insts = insts;
    to->values = values;
    to->regions = regions;
    to->words = words;
    to->order = order;
    to->constants = constants;
    return to;
}

/* One allocation that holds everything. */
static iri_program *allocate(finish *f, iri_ctx *ctx, const sizes *s)
{
    iri_pack pack = {0};
    iri_arena arena;
    pack_arrays(s, &pack);
    pack_header(f, &pack, NULL);
    pack_functions(f, &pack, NULL);
    iri_arena_init(&arena, ctx);
    pack.at = iri_arena_take(&arena, pack.size);
    pack.size = 0;
    iri_program *to = pack_arrays(s, &pack);
    pack_header(f, &pack, to);
    pack_functions(f, &pack, to);
    to->arena = arena;
    return to;
}

static void start_program(finish *f)
{
    const iri_program *from = f->from;
    iri_program *to = f->to;
    to->allocator = from->allocator;
    to->stage = from->stage;
    to->conventions = from->conventions;
    to->float_env = from->float_env;
    to->entry = f->functions[from->entry];
    to->insts[0] = from->insts[0];
    to->values[0] = (iri_value){0};
    to->regions[0] = (iri_region){0};
    to->inst_count = to->value_count = to->region_count = to->label_count = 1;
}

iri_program *iri_builder_finish(iri_builder *b)
{
    const iri_program *from = b->p;
    finish f = {.from = from, .keep = {.all = true}};
    uint32_t function_count, local_count;
    if (b->function)
        iri_builder_set_fault(b, "function %s is still open", from->functions[b->function].name);
    if (b->fault)
        iri_fail(b->ctx, IRI_INVALID_BUILD, b->fault_offset, "%s", b->fault);
    if (b->flags & IRI_BUILD_DROP)
        f.keep = iri_find_needed(b->scratch, from);
    f.values = iri_new_array(b->scratch, iri_id, from->value_count);
    f.regions = iri_new_array(b->scratch, iri_id, from->region_count);
    f.labels = iri_new_array(b->scratch, uint32_t, from->label_count);
    f.label_ops = iri_new_array(b->scratch, iri_id, from->label_count);
    number_functions(&f, b->scratch, &function_count, &local_count);
    number_inputs(&f, b->scratch);
    sizes s = measure(&f);
    f.to = allocate(&f, b->ctx, &s);
    f.to->function_count = function_count;
    f.to->local_count = local_count;
    start_program(&f);
    copy_bodies(&f);
    f.to->built = b->flags;
    iri_builder_discard(b);
    f.to->arena.ctx = NULL;
    return f.to;
}
