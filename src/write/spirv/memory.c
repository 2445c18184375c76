/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Buffers, workgroup variables, counters, atomics and barriers (SPIR-V unified1, sections 3.52.8, 3.52.18, 3.52.20; the
 * Vulkan specification, "Shader Memory Access"). Memory is an array of u32 words. What is out of range Vulkan leaves
 * open, where Direct3D reads 0 and writes nothing: a load reads word 0 instead and takes 0 for it, a store
 * or atomic stands in a block that only those in range enter.
 */
#include "write/spirv/module.h"

enum {
    SCOPE_DEVICE = 1,
    SCOPE_WORKGROUP = 2,
    ACQUIRE_RELEASE = 0x8,
    UNIFORM_MEMORY = 0x40,
    WORKGROUP_MEMORY = 0x100,
    IMAGE_MEMORY = 0x800
};

/* ---- declarations ---- */

static void decorate_member(iri_spv *s, uint32_t type, uint32_t decoration)
{
    uint32_t *at = iri_spv_put(s, &s->decorations, IRI_SPV_OpMemberDecorate, 4);
    at[0] = type, at[1] = 0, at[2] = decoration;
}

/* struct { uint words[]; } */
static uint32_t words_block(iri_spv *s, const char *name, bool writable, bool coherent)
{
    if (!s->word_array) {
        uint32_t word = iri_spv_type(s, IRI_TYPE_U32);
        s->word_array = iri_spv_new_id(s);
        iri_spv_put2(s, &s->globals, IRI_SPV_OpTypeRuntimeArray, s->word_array, word);
        iri_spv_decorate1(s, s->word_array, IRI_SPV_ArrayStride, 4);
    }
    uint32_t id = iri_spv_new_id(s);
    iri_spv_put2(s, &s->globals, IRI_SPV_OpTypeStruct, id, s->word_array);
    iri_spv_decorate(s, id, IRI_SPV_Block);
    uint32_t *at = iri_spv_put(s, &s->decorations, IRI_SPV_OpMemberDecorate, 5);
    at[0] = id, at[1] = 0, at[2] = IRI_SPV_Offset, at[3] = 0;
    if (!writable)
        decorate_member(s, id, IRI_SPV_NonWritable);
    if (coherent)
        decorate_member(s, id, IRI_SPV_Coherent);
    iri_spv_name(s, id, iri_arena_printf(s->arena, "%.180s_block", name));
    iri_spv_member_name(s, id, 0, "words");
    return id;
}

static uint32_t declare_block(iri_spv *s, const char *name, uint32_t type)
{
    uint32_t pointer = iri_spv_pointer_to(s, IRI_SPV_ClassStorageBuffer, type);
    uint32_t id = iri_spv_new_id(s);
    iri_spv_put3(s, &s->globals, IRI_SPV_OpVariable, pointer, id, IRI_SPV_ClassStorageBuffer);
    iri_spv_name(s, id, name);
    return id;
}

void iri_spv_declare_buffer(iri_spv *s, uint32_t index)
{
    const iri_resource *r = &s->p->interface.resources[index];
    iri_spv_resource *to = &s->resources[index];
    bool writable = r->kind == IRI_RESOURCE_STORAGE_BUFFER && (r->access & 6);
    to->storage = IRI_SPV_ClassStorageBuffer;
    to->type = words_block(s, to->name, writable, (r->flags & IRI_RESOURCE_COHERENT) != 0);
    to->pointer = iri_spv_pointer_to(s, to->storage, to->type);
    if (to->indexed)
        iri_spv_capability(s, IRI_SPV_CapabilityStorageBufferArrayDynamicIndexing);
    to->variable = declare_block(
        s, to->name, r->count == 1 ? to->type : iri_spv_array(s, to->type, r->count, 0));
}

/* Counters are buffers of one word, where iri_plan_counters puts them. */
void iri_spv_declare_counters(iri_spv *s)
{
    const iri_interface *io = &s->p->interface;
    iri_binding *bindings = iri_new_array(s->arena, iri_binding, io->resource_count);
    bool *counted = iri_new_array(s->arena, bool, io->resource_count);
    char label[32];
    for (uint32_t i = 0; i < io->resource_count; i++) {
        bindings[i] = s->resources[i].binding;
        counted[i] = s->resources[i].counted;
        if (counted[i] && io->resources[i].count != 1)
            iri_fail(s->ctx, IRI_CAPABILITY, io->resources[i].offset,
                     "%s is a range of buffers with counters",
                     iri_resource_label(&io->resources[i], label));
    }
    iri_plan_counters(io, counted, bindings);
    for (uint32_t i = 0; i < io->resource_count; i++) {
        iri_spv_resource *r = &s->resources[i];
        if (!counted[i])
            continue;
        const char *name = iri_arena_printf(s->arena, "%.180s_counter", r->name);
        uint32_t type = words_block(s, name, true, false);
        r->counter = declare_block(s, name, type);
        iri_spv_decorate1(s, r->counter, IRI_SPV_DescriptorSet, bindings[i].group);
        iri_spv_decorate1(s, r->counter, IRI_SPV_Binding, bindings[i].binding);
        if (s->spirv_1_6)
            iri_push(s->arena, &s->variables, r->counter);
        if (s->result->wanted)
            iri_spv_map_name(s, r->name, name, 5, i, &bindings[i], -1);
    }
}

static uint32_t shared_variable(iri_spv *s, uint32_t index)
{
    const iri_shared *shared = &s->p->interface.shared[index];
    char label[32];
    if (!s->shared)
        s->shared = iri_new_array(s->arena, uint32_t, s->p->interface.shared_count);
    if (s->shared[index])
        return s->shared[index];
    uint32_t words = iri_spv_array(s, iri_spv_type(s, IRI_TYPE_U32), shared->size / 4, 0);
    uint32_t pointer = iri_spv_pointer_to(s, IRI_SPV_ClassWorkgroup, words);
    uint32_t id = s->shared[index] = iri_spv_new_id(s);
    iri_spv_put3(s, &s->globals, IRI_SPV_OpVariable, pointer, id, IRI_SPV_ClassWorkgroup);
    iri_spv_name(s, id,
                 shared->name && shared->name[0] ? shared->name : iri_shared_label(shared, label));
    if (s->spirv_1_6)
        iri_push(s->arena, &s->variables, id);
    return id;
}

/* ---- places ---- */

/* Where an access begins: `first` is a word's index, or one within an element that begins at `base`. */
typedef struct place {
    uint32_t storage, base_pointer; /* of the array of words, or of the struct around it */
    uint32_t first, base;           /* ids; `base` 0: none */
    uint32_t end;                   /* id: how many words there are, or an element has */
    uint32_t there;                 /* id of whether the element is there; 0: always */
    uint32_t scope;
    bool atomic;
} place;

static uint32_t u32_op(iri_spv *s, uint32_t code, uint32_t a, uint32_t b)
{
    return iri_spv_op2(s, code, iri_spv_type(s, IRI_TYPE_U32), a, b);
}

static uint32_t less(iri_spv *s, uint32_t a, uint32_t b)
{
    return iri_spv_op2(s, IRI_SPV_OpULessThan, iri_spv_type(s, IRI_TYPE_BOOL), a, b);
}

/* An address in bytes as one in words. */
static uint32_t word_address(iri_spv *s, iri_id value)
{
    if (iri_is_constant(s->p, value))
        return iri_spv_u32(s, (uint32_t)iri_constant(s->p, value)[0] / 4);
    uint32_t id = iri_spv_value(s, value), two = iri_spv_u32(s, 2);
    return u32_op(s, IRI_SPV_OpShiftRightLogical, id, two);
}

/* The buffer itself. */
static uint32_t buffer_pointer(iri_spv *s, uint32_t index, const iri_inst *in)
{
    return iri_spv_resource_pointer(s, index, in, iri_range_operand(in->op));
}

static uint32_t buffer_length(iri_spv *s, uint32_t pointer)
{
    uint32_t id = iri_spv_new_id(s), type = iri_spv_type(s, IRI_TYPE_U32);
    uint32_t *at = iri_spv_put(s, &s->functions, IRI_SPV_OpArrayLength, 5);
    at[0] = type, at[1] = id, at[2] = pointer, at[3] = 0;
    return id;
}

static place find_place(iri_spv *s, const iri_inst *in, iri_memory_op m)
{
    const iri_id *operands = iri_operands(s->p, in);
    uint32_t index = iri_immediates(s->p, in)[m.immediate];
    place p = {.storage = IRI_SPV_ClassStorageBuffer, .scope = SCOPE_DEVICE};
    if (m.memory == IRI_MEMORY_SHARED) {
        p.storage = IRI_SPV_ClassWorkgroup;
        p.scope = SCOPE_WORKGROUP;
        p.base_pointer = shared_variable(s, index);
        p.first = word_address(s, operands[0]);
        p.end = iri_spv_u32(s, s->p->interface.shared[index].size / 4);
        p.atomic = s->shared_atomic;
        return p;
    }
    p.atomic = s->resources[index].atomic;
    p.base_pointer = buffer_pointer(s, index, in);
    uint32_t length = buffer_length(s, p.base_pointer);
    if (m.memory == IRI_MEMORY_RAW) {
        p.first = word_address(s, operands[0]);
        p.end = length;
        return p;
    }
    uint32_t element = iri_spv_value(s, operands[0]);
    uint32_t stride = iri_spv_u32(s, s->p->interface.resources[index].stride / 4);
    uint32_t count = u32_op(s, IRI_SPV_OpUDiv, length, stride);
    p.there = less(s, element, count);
    p.base = u32_op(s, IRI_SPV_OpIMul, element, stride);
    p.first = word_address(s, operands[1]);
    p.end = stride;
    return p;
}

/* Word `i` of an access: whether it is in range, and its index. */
static uint32_t in_range(iri_spv *s, const place *p, uint32_t i, uint32_t *at)
{
    uint32_t offset = iri_spv_u32(s, i);
    uint32_t word = i ? u32_op(s, IRI_SPV_OpIAdd, p->first, offset) : p->first;
    uint32_t good = less(s, word, p->end);
    *at = p->base ? u32_op(s, IRI_SPV_OpIAdd, p->base, word) : word;
    if (p->there)
        good = iri_spv_op2(s, IRI_SPV_OpLogicalAnd, iri_spv_type(s, IRI_TYPE_BOOL), good, p->there);
    return good;
}

static uint32_t word_pointer(iri_spv *s, const place *p, uint32_t at)
{
    uint32_t type = iri_spv_pointer(s, p->storage, IRI_TYPE_U32), member = iri_spv_u32(s, 0);
    if (p->storage == IRI_SPV_ClassWorkgroup)
        return iri_spv_op2(s, IRI_SPV_OpAccessChain, type, p->base_pointer, at);
    return iri_spv_op3(s, IRI_SPV_OpAccessChain, type, p->base_pointer, member, at);
}

/* ---- accesses ---- */

/* The same bits as another type of as many lanes. */
static uint32_t cast(iri_spv *s, uint32_t id, iri_type from, iri_type to)
{
    return from == to ? id : iri_spv_op1(s, IRI_SPV_OpBitcast, iri_spv_type(s, to), id);
}

static uint32_t load_word(iri_spv *s, const place *p, uint32_t i)
{
    uint32_t at, good = in_range(s, p, i, &at), zero = iri_spv_u32(s, 0);
    uint32_t word = iri_spv_type(s, IRI_TYPE_U32);
    uint32_t inside = iri_spv_op3(s, IRI_SPV_OpSelect, word, good, at, zero);
    uint32_t pointer = word_pointer(s, p, inside), id;
    if (p->atomic) {
        uint32_t scope = iri_spv_u32(s, p->scope), relaxed = iri_spv_u32(s, 0);
        id = iri_spv_op3(s, IRI_SPV_OpAtomicLoad, word, pointer, scope, relaxed);
    } else {
        id = iri_spv_op1(s, IRI_SPV_OpLoad, word, pointer);
    }
    return iri_spv_op3(s, IRI_SPV_OpSelect, word, good, id, zero);
}

static void load_words(iri_spv *s, const iri_inst *in, const place *p)
{
    iri_type type = iri_type_of(s->p, in->results);
    uint32_t words[4], lanes = IRI_TYPE_LANES(type), id;
    iri_type held = IRI_TYPE(IRI_U32, lanes);
    for (uint32_t i = 0; i < lanes; i++)
        words[i] = load_word(s, p, i);
    id = words[0];
    if (lanes > 1)
        id = iri_spv_op(s, IRI_SPV_OpCompositeConstruct, iri_spv_type(s, held), words, lanes);
    iri_spv_define(s, in, cast(s, id, held, type));
}

static void store_words(iri_spv *s, iri_id value, const place *p)
{
    iri_type type = iri_type_of(s->p, value);
    uint32_t lanes = IRI_TYPE_LANES(type);
    iri_type held = IRI_TYPE(IRI_U32, lanes);
    uint32_t id = cast(s, iri_spv_value(s, value), type, held);
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t word = iri_spv_choose(s, id, held, IRI_LANES1(i)), at;
        uint32_t good = in_range(s, p, i, &at);
        iri_spv_guard guard = iri_spv_begin_guard(s, good);
        uint32_t pointer = word_pointer(s, p, at);
        if (p->atomic) {
            uint32_t scope = iri_spv_u32(s, p->scope), relaxed = iri_spv_u32(s, 0);
            uint32_t *to = iri_spv_put(s, &s->functions, IRI_SPV_OpAtomicStore, 5);
            to[0] = pointer, to[1] = scope, to[2] = relaxed, to[3] = word;
        } else {
            iri_spv_put2(s, &s->functions, IRI_SPV_OpStore, pointer, word);
        }
        iri_spv_end_guard(s, &guard, IRI_TYPE_VOID, 0, 0);
    }
}

uint32_t iri_spv_atomic(iri_spv *s, const iri_inst *in, iri_memory_op m, iri_type held,
                        uint32_t pointer, uint32_t scope_number)
{
    static const uint16_t codes[IRI_ATOMIC_COUNT][2] = {
        [IRI_ATOMIC_ADD] = {IRI_SPV_OpAtomicIAdd, IRI_SPV_OpAtomicIAdd},
        [IRI_ATOMIC_AND] = {IRI_SPV_OpAtomicAnd, IRI_SPV_OpAtomicAnd},
        [IRI_ATOMIC_OR] = {IRI_SPV_OpAtomicOr, IRI_SPV_OpAtomicOr},
        [IRI_ATOMIC_XOR] = {IRI_SPV_OpAtomicXor, IRI_SPV_OpAtomicXor},
        [IRI_ATOMIC_MIN] = {IRI_SPV_OpAtomicUMin, IRI_SPV_OpAtomicSMin},
        [IRI_ATOMIC_MAX] = {IRI_SPV_OpAtomicUMax, IRI_SPV_OpAtomicSMax},
        [IRI_ATOMIC_EXCHANGE] = {IRI_SPV_OpAtomicExchange, IRI_SPV_OpAtomicExchange},
    };
    const iri_id *operands = iri_operands(s->p, in);
    iri_type own = iri_type_of(s->p, in->results);
    uint32_t type = iri_spv_type(s, held), scope = iri_spv_u32(s, scope_number),
             relaxed = iri_spv_u32(s, 0);
    uint32_t value = cast(s, iri_spv_value(s, operands[m.places + m.values - 1u]), own, held);
    if (m.act == IRI_MEMORY_CAS) {
        uint32_t compare = cast(s, iri_spv_value(s, operands[m.places]), own, held);
        const uint32_t words[] = {pointer, scope, relaxed, relaxed, value, compare};
        return iri_spv_op(s, IRI_SPV_OpAtomicCompareExchange, type, words, 6);
    }
    uint32_t code = codes[iri_immediates(s->p, in)[0]][IRI_TYPE_SCALAR(own) == IRI_I32];
    const uint32_t words[] = {pointer, scope, relaxed, value};
    return iri_spv_op(s, code, type, words, 4);
}

static void atomic_word(iri_spv *s, const iri_inst *in, iri_memory_op m, const place *p)
{
    uint32_t at, good = in_range(s, p, 0, &at), zero = iri_spv_u32(s, 0);
    iri_spv_guard guard = iri_spv_begin_guard(s, good);
    uint32_t pointer = word_pointer(s, p, at);
    uint32_t old = iri_spv_atomic(s, in, m, IRI_TYPE_U32, pointer, p->scope);
    uint32_t id = iri_spv_end_guard(s, &guard, IRI_TYPE_U32, old, zero);
    iri_spv_define(s, in, cast(s, id, IRI_TYPE_U32, iri_type_of(s->p, in->results)));
}

void iri_spv_form_access(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_memory_op m = iri_memory_of(in->op);
    (void)row;
    if (m.memory == IRI_MEMORY_IMAGE || m.memory == IRI_MEMORY_TYPED) {
        iri_spv_access_image(s, in, m);
        return;
    }
    place p = find_place(s, in, m);
    switch ((iri_memory_act)m.act) {
    case IRI_MEMORY_LOAD: load_words(s, in, &p); break;
    case IRI_MEMORY_STORE: store_words(s, iri_operands(s->p, in)[m.places], &p); break;
    case IRI_MEMORY_ATOMIC:
    case IRI_MEMORY_CAS: atomic_word(s, in, m, &p); break;
    }
}

/* ---- the rest ---- */

void iri_spv_form_buffer_size(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    uint32_t index = iri_immediates(s->p, in)[0];
    const iri_resource *r = &s->p->interface.resources[index];
    (void)row;
    if (r->buffer_shape == IRI_BUFFER_TYPED) {
        iri_spv_image_size(s, in);
        return;
    }
    uint32_t pointer = buffer_pointer(s, index, in), length = buffer_length(s, pointer);
    bool raw = r->buffer_shape == IRI_BUFFER_RAW;
    uint32_t unit = iri_spv_u32(s, raw ? 4 : r->stride / 4);
    iri_spv_define(s, in, u32_op(s, raw ? IRI_SPV_OpIMul : IRI_SPV_OpUDiv, length, unit));
}

void iri_spv_form_counter(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    const iri_spv_resource *r = &s->resources[iri_immediates(s->p, in)[0]];
    uint32_t type = iri_spv_pointer(s, IRI_SPV_ClassStorageBuffer, IRI_TYPE_U32);
    uint32_t zero = iri_spv_u32(s, 0), one = iri_spv_u32(s, 1),
             scope = iri_spv_u32(s, SCOPE_DEVICE);
    uint32_t pointer = iri_spv_op3(s, IRI_SPV_OpAccessChain, type, r->counter, zero, zero);
    const uint32_t words[] = {pointer, scope, zero, one};
    bool alloc = in->op == IRI_OP_COUNTER_ALLOC;
    uint32_t id = iri_spv_op(s, alloc ? IRI_SPV_OpAtomicIAdd : IRI_SPV_OpAtomicISub,
                             iri_spv_type(s, IRI_TYPE_U32), words, 4);
    (void)row;
    iri_spv_define(s, in, alloc ? id : u32_op(s, IRI_SPV_OpISub, id, one));
}

/* Everything that is bound is mapped: sparse residency is a feature that no profile has. */
void iri_spv_form_status(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    (void)row;
    s->ids[in->results] = iri_spv_splat(s, iri_type_of(s->p, in->results), 1);
}

void iri_spv_form_barrier(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    uint32_t bits = iri_immediates(s->p, in)[0], semantics = 0;
    bool global = (bits & IRI_BARRIER_GLOBAL) != 0;
    (void)row;
    if (bits & IRI_BARRIER_SHARED)
        semantics |= WORKGROUP_MEMORY;
    if (bits & (IRI_BARRIER_GROUP | IRI_BARRIER_GLOBAL))
        semantics |= UNIFORM_MEMORY | IMAGE_MEMORY;
    if (semantics)
        semantics |= ACQUIRE_RELEASE;
    uint32_t execution = iri_spv_u32(s, SCOPE_WORKGROUP);
    uint32_t scope = iri_spv_u32(s, global ? SCOPE_DEVICE : SCOPE_WORKGROUP);
    uint32_t order = iri_spv_u32(s, semantics);
    if (bits & IRI_BARRIER_EXECUTION)
        iri_spv_put3(s, &s->functions, IRI_SPV_OpControlBarrier, execution, scope, order);
    else
        iri_spv_put2(s, &s->functions, IRI_SPV_OpMemoryBarrier, scope, order);
}
