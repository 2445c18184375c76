/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Buffers, workgroup variables, storage textures, atomics, texel loads, queries and barriers (WGSL sections 7.3, 17.5,
 * 17.7, 17.8, 17.11). Memory is an array of words. What is out of range WGSL leaves open, where Direct3D reads 0 and
 * writes nothing; so each access is a call of a small function that looks first (helpers.c).
 */
#include "write/wgsl/memory.h"

#include <string.h>

/* ---- what the body does with memory ---- */

static iri_wgsl_memory *memory_of(iri_wgsl *w, const iri_inst *in, iri_memory_op m)
{
    uint32_t index = iri_immediates(w->p, in)[m.immediate];
    return m.memory == IRI_MEMORY_SHARED ? &w->group_memory[index] : &w->buffer_memory[index];
}

/* What an access moves: of a load its result, of others what they store. */
static iri_type moved_type(const iri_program *p, const iri_inst *in, iri_memory_op m)
{
    return iri_type_of(p, m.act == IRI_MEMORY_LOAD ? in->results : iri_operands(p, in)[m.places]);
}

/* Whether a program has any memory but constants. */
static bool has_memory(const iri_interface *io)
{
    bool any = io->shared_count != 0;
    for (uint32_t i = 0; i < io->resource_count; i++)
        any = any || io->resources[i].kind == IRI_RESOURCE_BUFFER ||
              io->resources[i].kind == IRI_RESOURCE_STORAGE_BUFFER ||
              io->resources[i].kind == IRI_RESOURCE_STORAGE_TEXTURE;
    return any;
}

void iri_wgsl_plan_memory(iri_wgsl *w)
{
    const iri_program *p = w->p;
    const iri_interface *io = &p->interface;
    if (!has_memory(io))
        return;
    w->buffer_memory = iri_new_array(w->arena, iri_wgsl_memory, io->resource_count);
    w->group_memory = iri_new_array(w->arena, iri_wgsl_memory, io->shared_count);
    for (uint32_t i = 0; i < io->resource_count; i++) {
        w->buffer_memory[i].name = w->resources[i].name.at;
        w->has_read_write_texture |= io->resources[i].kind == IRI_RESOURCE_STORAGE_TEXTURE &&
                                     (io->resources[i].access & 3) == 3;
    }
    for (uint32_t i = 0; i < io->shared_count; i++) {
        char label[32];
        const char *name = io->shared[i].name ? io->shared[i].name : "";
        if (!name[0])
            name = iri_shared_label(&io->shared[i], label);
        w->group_memory[i].name =
            iri_names_claim(&w->names, iri_str_of(name), IRI_STR("shared")).at;
    }
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        iri_memory_op m = iri_memory_of(in->op);
        if (in->op == IRI_OP_COUNTER_ALLOC || in->op == IRI_OP_COUNTER_CONSUME)
            w->buffer_memory[iri_immediates(p, in)[0]].counted = true;
        if (!m.memory || m.memory == IRI_MEMORY_IMAGE || m.memory == IRI_MEMORY_TYPED)
            continue;
        iri_wgsl_memory *to = memory_of(w, in, m);
        iri_scalar scalar = IRI_TYPE_SCALAR(moved_type(p, in, m));
        to->atomic |= m.act >= IRI_MEMORY_ATOMIC;
        to->scalar = (uint8_t)(to->used && to->scalar != scalar ? IRI_U32 : scalar);
        to->used = true;
    }
    /* There are atomics of integers only. */
    for (uint32_t i = 0; i < io->resource_count; i++)
        if (w->buffer_memory[i].scalar != IRI_I32 &&
            (w->buffer_memory[i].atomic || !w->buffer_memory[i].used))
            w->buffer_memory[i].scalar = IRI_U32;
    for (uint32_t i = 0; i < io->shared_count; i++)
        if (w->group_memory[i].atomic && w->group_memory[i].scalar != IRI_I32)
            w->group_memory[i].scalar = IRI_U32;
}

/* ---- declarations ---- */

static const char *word_type(iri_wgsl *w, const iri_wgsl_memory *m)
{
    const char *type = iri_wgsl_type(w, IRI_TYPE(m->scalar, 1)).at;
    return m->atomic ? iri_arena_printf(w->arena, "atomic<%s>", type) : type;
}

void iri_wgsl_declare_buffer(iri_wgsl *w, iri_buf *out, uint32_t resource)
{
    const iri_resource *r = &w->p->interface.resources[resource];
    const iri_binding *at = &w->resources[resource].binding;
    bool writable = r->kind == IRI_RESOURCE_STORAGE_BUFFER && (r->access & 6);
    iri_buf_printf(out, "@group(%u) @binding(%u) var<storage, %s> %s: array<%s>;\n",
                   (unsigned)at->group, (unsigned)at->binding, writable ? "read_write" : "read",
                   w->resources[resource].name.at, word_type(w, &w->buffer_memory[resource]));
}

const char *iri_wgsl_texel_format(uint32_t format)
{
    static const struct {
        uint8_t format;
        const char *name;
    } formats[] = {
        {2, "rgba32float"}, {3, "rgba32uint"},  {4, "rgba32sint"}, {10, "rgba16float"},
        {12, "rgba16uint"}, {14, "rgba16sint"}, {16, "rg32float"}, {17, "rg32uint"},
        {18, "rg32sint"},   {28, "rgba8unorm"}, {30, "rgba8uint"}, {31, "rgba8snorm"},
        {32, "rgba8sint"},  {41, "r32float"},   {42, "r32uint"},   {43, "r32sint"},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].format == format)
            return formats[i].name;
    return NULL;
}

const char *iri_wgsl_storage_texture_type(iri_wgsl *w, const iri_resource *r)
{
    static const char *const dimensions[IRI_DIMENSION_COUNT] = {"2d", "1d", "2d", "3d", "2d"};
    static const char *const access[4] = {"write", "read", "write", "read_write"};
    char label[32];
    const char *name = iri_wgsl_texel_format(r->format);
    iri_resource_label(r, label);
    if (!r->format)
        iri_fail(w->ctx, IRI_CAPABILITY, r->offset,
                 "%s says no format, and WGSL's storage textures have one", label);
    if (!name)
        iri_fail(w->ctx, IRI_CAPABILITY, r->offset,
                 "%s has DXGI format %u, which WGSL's storage textures lack", label,
                 (unsigned)r->format);
    if ((r->access & 3) == 3 && name[0] == 'r' && name[1] != '3')
        iri_fail(w->ctx, IRI_CAPABILITY, r->offset,
                 "%s is read and written, which WGSL has for formats of one 32-bit lane", label);
    if (r->arrayed && r->dimension != IRI_DIMENSION_2D)
        iri_fail(w->ctx, IRI_CAPABILITY, r->offset, "%s: WGSL has no array of such textures",
                 label);
    return iri_arena_printf(w->arena, "texture_storage_%s%s<%s, %s>", dimensions[r->dimension],
                            r->arrayed ? "_array" : "", name, access[r->access & 3]);
}

/* The counters of buffers, behind the last binding of their groups. */
void iri_wgsl_declare_counters(iri_wgsl *w, iri_buf *out)
{
    const iri_interface *io = &w->p->interface;
    for (uint32_t i = 0; w->buffer_memory && i < io->resource_count; i++) {
        const iri_wgsl_memory *m = &w->buffer_memory[i];
        if (m->counted)
            iri_buf_printf(
                out, "@group(%u) @binding(%u) var<storage, read_write> %s: atomic<u32>;\n",
                (unsigned)m->counter_at.group, (unsigned)m->counter_at.binding, m->counter);
    }
}

void iri_wgsl_name_counters(iri_wgsl *w)
{
    const iri_interface *io = &w->p->interface;
    if (!w->buffer_memory)
        return;
    iri_binding *bindings = iri_new_array(w->arena, iri_binding, io->resource_count);
    bool *counted = iri_new_array(w->arena, bool, io->resource_count);
    for (uint32_t i = 0; i < io->resource_count; i++) {
        bindings[i] = w->resources[i].binding;
        counted[i] = w->buffer_memory[i].counted;
    }
    iri_plan_counters(io, counted, bindings);
    for (uint32_t i = 0; i < io->resource_count; i++) {
        iri_wgsl_memory *m = &w->buffer_memory[i];
        if (!m->counted)
            continue;
        iri_str name = iri_str_of(m->name);
        iri_str counter = iri_names_claim(&w->names, IRI_WGSL_JOIN(w, name, IRI_STR("_counter")),
                                          IRI_STR("counter"));
        m->counter = counter.at;
        m->counter_at = bindings[i];
        iri_wgsl_map_name(w, name, counter, 5, i, &m->counter_at, -1);
    }
}

void iri_wgsl_declare_group(iri_wgsl *w, iri_buf *out)
{
    const iri_interface *io = &w->p->interface;
    bool any = false;
    for (uint32_t i = 0; i < io->shared_count; i++) {
        if (!w->group_memory[i].used)
            continue;
        iri_buf_printf(out, "%svar<workgroup> %s: array<%s, %u>;\n", any ? "" : "\n",
                       w->group_memory[i].name, word_type(w, &w->group_memory[i]),
                       (unsigned)(io->shared[i].size / 4));
        any = true;
    }
}

/* ---- operands ---- */

/* A value in the words of the memory: its bits as they are. */
static iri_wgsl_expr to_words(iri_wgsl *w, iri_id value, iri_scalar scalar)
{
    iri_type type = iri_type_of(w->p, value), words = IRI_TYPE(scalar, IRI_TYPE_LANES(type));
    if (iri_is_constant(w->p, value))
        return iri_wgsl_constant(w, words, iri_constant(w->p, value));
    return iri_wgsl_cast(w, iri_wgsl_operand(w, value), type, words);
}

/* An address in bytes as one in words. */
static iri_wgsl_expr word_address(iri_wgsl *w, iri_id value)
{
    if (iri_is_constant(w->p, value))
        return iri_wgsl_literal(w, IRI_U32, iri_constant(w->p, value)[0] / 4);
    return iri_wgsl_binary(w, iri_wgsl_operand(w, value), IRI_LEVEL_MUL, IRI_STR(" / "),
                           iri_wgsl_literal(w, IRI_U32, 4), IRI_LEVEL_UNARY, IRI_LEVEL_MUL);
}

static uint32_t places(iri_wgsl *w, const iri_inst *in, iri_memory_op m, iri_wgsl_expr e[2])
{
    const iri_id *operands = iri_operands(w->p, in);
    e[0] = m.memory == IRI_MEMORY_STRUCTURED ? iri_wgsl_operand(w, operands[0])
                                             : word_address(w, operands[0]);
    if (m.places > 1)
        e[1] = word_address(w, operands[1]);
    return m.places;
}

/* Integer coordinates as u32, with an offset that may take them below 0: out of range then. */
static iri_wgsl_expr coordinates(iri_wgsl *w, const iri_inst *in, const iri_resource *r,
                                 uint32_t packed)
{
    iri_id value = iri_operands(w->p, in)[0];
    iri_type type = iri_type_of(w->p, value), whole = IRI_TYPE(IRI_U32, IRI_TYPE_LANES(type));
    iri_wgsl_expr e = iri_is_constant(w->p, value)
                          ? iri_wgsl_constant(w, whole, iri_constant(w->p, value))
                          : iri_wgsl_cast(w, iri_wgsl_operand(w, value), type, whole);
    uint64_t lanes[4] = {0};
    for (uint32_t i = 0; i < iri_dimension_lanes(r->dimension); i++)
        lanes[i] = (uint32_t)(int32_t)(int8_t)(packed >> 8 * i & 0xff);
    if (!packed)
        return e;
    return iri_wgsl_binary(w, e, IRI_LEVEL_ADD, IRI_STR(" + "), iri_wgsl_constant(w, whole, lanes),
                           IRI_LEVEL_MUL, IRI_LEVEL_ADD);
}

/* ---- accesses ---- */

static iri_wgsl_expr access_words(iri_wgsl *w, const iri_inst *in, iri_memory_op m)
{
    const iri_wgsl_memory *memory = memory_of(w, in, m);
    const iri_id *operands = iri_operands(w->p, in);
    iri_type type = moved_type(w->p, in, m), words = IRI_TYPE(memory->scalar, IRI_TYPE_LANES(type));
    iri_wgsl_expr e[6];
    uint32_t count = places(w, in, m, e);
    for (uint32_t i = 0; i < m.values; i++)
        e[count++] = to_words(w, operands[m.places + i], (iri_scalar)memory->scalar);
    iri_wgsl_expr call =
        iri_wgsl_call(w, iri_str_of(iri_wgsl_access_helper(w, in, m, memory, words)), e, count);
    /* A call alone is a statement; what is made of its result is none. */
    bool statement = m.act == IRI_MEMORY_STORE || !w->values[in->results].uses;
    return statement ? call : iri_wgsl_cast(w, call, words, type);
}

static _Noreturn void refuse(iri_wgsl *w, const iri_inst *in, const char *why)
{
    iri_fail(w->ctx, IRI_CAPABILITY, in->offset, "%s: WGSL has no %s", iri_op_infos[in->op].name,
             why);
}

static iri_wgsl_expr store_image(iri_wgsl *w, const iri_inst *in)
{
    uint32_t resource = iri_immediates(w->p, in)[0];
    const iri_resource *r = &w->p->interface.resources[resource];
    iri_wgsl_expr at = coordinates(w, in, r, 0), e[4];
    uint32_t count = 0;
    static const uint8_t lanes[4] = {0, 1, 2, 3};
    uint32_t axes = iri_dimension_lanes(r->dimension);
    e[count++] = (iri_wgsl_expr){.text = w->resources[resource].name};
    if (r->arrayed) {
        e[count++] = iri_wgsl_swizzled(w, at, axes + 1, lanes, axes, IRI_U32);
        e[count++] = iri_wgsl_swizzled(w, at, axes + 1, lanes + axes, 1, IRI_U32);
    } else {
        e[count++] = at;
    }
    e[count++] = iri_wgsl_operand(w, iri_operands(w->p, in)[1]);
    return iri_wgsl_call(w, IRI_STR("textureStore"), e, count);
}

iri_wgsl_expr iri_wgsl_access(iri_wgsl *w, const iri_inst *in)
{
    iri_memory_op m = iri_memory_of(in->op);
    switch ((iri_memory)m.memory) {
    case IRI_MEMORY_RAW:
    case IRI_MEMORY_STRUCTURED:
    case IRI_MEMORY_SHARED: return access_words(w, in, m);
    case IRI_MEMORY_TYPED: refuse(w, in, "typed buffers");
    case IRI_MEMORY_IMAGE: break;
    case IRI_MEMORY_NONE: assert(!"an access of memory");
    }
    if (m.act >= IRI_MEMORY_ATOMIC)
        refuse(w, in, "atomics on textures");
    if (m.act == IRI_MEMORY_STORE)
        return store_image(w, in);
    uint32_t resource = iri_immediates(w->p, in)[0];
    iri_wgsl_expr at = coordinates(w, in, &w->p->interface.resources[resource], 0);
    return iri_wgsl_call(w, iri_str_of(iri_wgsl_texel_helper(w, resource)), &at, 1);
}

iri_wgsl_expr iri_wgsl_texel(iri_wgsl *w, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(w->p, in);
    const iri_resource *r = &w->p->interface.resources[imm[0]];
    iri_id level = iri_operands(w->p, in)[1];
    iri_wgsl_expr e[2] = {coordinates(w, in, r, imm[1]), {.level = 0}};
    e[1] = iri_is_constant(w->p, level) ? iri_wgsl_literal(w, IRI_U32, iri_constant(w->p, level)[0])
                                        : iri_wgsl_cast(w, iri_wgsl_operand(w, level),
                                                        iri_type_of(w->p, level), IRI_TYPE_U32);
    return iri_wgsl_call(w, iri_str_of(iri_wgsl_texel_helper(w, imm[0])), e, 2);
}

/* ---- queries and counters ---- */

static iri_wgsl_expr postfix(const char *text)
{
    return (iri_wgsl_expr){.text = iri_str_of(text), .level = IRI_LEVEL_POSTFIX};
}

static iri_wgsl_expr texture_size(iri_wgsl *w, const iri_inst *in)
{
    uint32_t resource = iri_immediates(w->p, in)[0];
    iri_wgsl_expr level = iri_wgsl_operand(w, iri_operands(w->p, in)[0]);
    return iri_wgsl_call(w, iri_str_of(iri_wgsl_size_helper(w, resource)), &level, 1);
}

static iri_wgsl_expr buffer_size(iri_wgsl *w, const iri_inst *in)
{
    const iri_resource *r = &w->p->interface.resources[iri_immediates(w->p, in)[0]];
    const char *name = w->resources[iri_immediates(w->p, in)[0]].name.at;
    bool raw = r->buffer_shape == IRI_BUFFER_RAW;
    if (r->buffer_shape == IRI_BUFFER_TYPED)
        refuse(w, in, "typed buffers");
    const char *text = iri_arena_printf(w->arena, "arrayLength(&%s) %c %uu", name, raw ? '*' : '/',
                                        raw ? 4u : (unsigned)r->stride / 4);
    return (iri_wgsl_expr){.text = iri_str_of(text), .level = IRI_LEVEL_MUL};
}

iri_wgsl_expr iri_wgsl_query(iri_wgsl *w, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(w->p, in);
    switch (in->op) {
    case IRI_OP_TEXTURE_SIZE: return texture_size(w, in);
    case IRI_OP_TEXTURE_LEVELS:
        return postfix(
            iri_arena_printf(w->arena, "textureNumLevels(%s)", w->resources[imm[0]].name.at));
    case IRI_OP_TEXTURE_SAMPLES:
        return postfix(
            iri_arena_printf(w->arena, "textureNumSamples(%s)", w->resources[imm[0]].name.at));
    case IRI_OP_BUFFER_SIZE: return buffer_size(w, in);
    case IRI_OP_COUNTER_ALLOC:
        return postfix(
            iri_arena_printf(w->arena, "atomicAdd(&%s, 1u)", w->buffer_memory[imm[0]].counter));
    case IRI_OP_COUNTER_CONSUME:
        return (iri_wgsl_expr){
            .text = iri_str_of(iri_arena_printf(w->arena, "atomicSub(&%s, 1u)%s",
                                                w->buffer_memory[imm[0]].counter,
                                                w->values[in->results].uses ? " - 1u" : "")),
            .level = IRI_LEVEL_ADD};
    /* WebGPU has no sparse resources: everything that is bound is mapped. */
    case IRI_OP_ACCESS_STATUS: return postfix("1u");
    case IRI_OP_ACCESS_MAPPED: return postfix("true");
    case IRI_OP_SAMPLE_POSITION: refuse(w, in, "positions of samples");
    case IRI_OP_LOD: refuse(w, in, "query of levels");
    default: refuse(w, in, "such lookup");
    }
}

/* ---- barriers ---- */

static bool is_diverged(iri_wgsl *w, const iri_inst *in)
{
    if (w->uniform_of != w->function) {
        iri_find_uniform(w->arena, w->p, w->function, true, &w->uniform);
        w->uniform_of = w->function;
    }
    return iri_bitset_has(&w->uniform.diverged, (uint32_t)(in - w->p->insts));
}

void iri_wgsl_barrier(iri_wgsl *w, const iri_inst *in)
{
    uint32_t bits = iri_immediates(w->p, in)[0];
    if (w->p->stage != IRI_STAGE_COMPUTE)
        refuse(w, in, "barrier outside compute programs");
    if (is_diverged(w, in))
        refuse(w, in, "barrier in flow that is not uniform");
    if ((bits & IRI_BARRIER_GLOBAL) && !w->noted_scope) {
        w->noted_scope = true;
        iri_wgsl_note(w, "barrier-scope",
                      "a barrier for the whole dispatch: WGSL's orders memory within a workgroup");
    }
    if (bits & (IRI_BARRIER_GROUP | IRI_BARRIER_GLOBAL)) {
        iri_stmt_add(w, IRI_STMT_LINE, IRI_STR_NONE, IRI_STR("storageBarrier()"));
        if (w->has_read_write_texture)
            iri_stmt_add(w, IRI_STMT_LINE, IRI_STR_NONE, IRI_STR("textureBarrier()"));
    }
    if (bits & IRI_BARRIER_SHARED || bits == IRI_BARRIER_EXECUTION)
        iri_stmt_add(w, IRI_STMT_LINE, IRI_STR_NONE, IRI_STR("workgroupBarrier()"));
}
