/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a program's interface agrees with itself and its stage. Which system value each stage takes and
 * gives is Microsoft's "Semantics" page of the HLSL reference.
 */
#include "ir/validate.h"

enum { MEMBER_DEPTH = 64 };

/* ---- inputs and outputs ---- */

#define BIT(sv) (1u << IRI_SV_##sv)

/* Bit set of system values; stages without a row are not checked. */
static const struct {
    uint32_t inputs, outputs;
} stages[IRI_STAGE_COUNT] = {
    [IRI_STAGE_VERTEX] = {BIT(NONE) | BIT(VERTEX_ID) | BIT(INSTANCE_ID),
                          BIT(NONE) | BIT(POSITION) | BIT(CLIP_DISTANCE) | BIT(CULL_DISTANCE) |
                              BIT(POINT_SIZE)},
    [IRI_STAGE_PIXEL] = {BIT(NONE) | BIT(POSITION) | BIT(CLIP_DISTANCE) | BIT(CULL_DISTANCE) |
                             BIT(PRIMITIVE_ID) | BIT(IS_FRONT_FACE) | BIT(SAMPLE_INDEX) |
                             BIT(COVERAGE),
                         BIT(TARGET) | BIT(DEPTH) | BIT(COVERAGE)},
    [IRI_STAGE_COMPUTE] = {BIT(DISPATCH_THREAD_ID) | BIT(GROUP_ID) | BIT(GROUP_THREAD_ID) |
                               BIT(GROUP_INDEX),
                           0},
};

static bool same_name(const char *a, const char *b)
{
    /* Semantics do not tell case apart; their letters are ASCII. */
    for (; *a && *b; a++, b++) {
        char x = *a >= 'a' && *a <= 'z' ? (char)(*a - 32) : *a;
        char y = *b >= 'a' && *b <= 'z' ? (char)(*b - 32) : *b;
        if (x != y)
            return false;
    }
    return *a == *b;
}

static uint32_t count_bits(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static void check_system_value(iri_validator *v, const char *what, const char *label,
                               const iri_io *io, bool output)
{
    static const struct {
        uint8_t value;
        iri_type type;
    } types[] = {{IRI_SV_IS_FRONT_FACE, IRI_TYPE_BOOL},
                 {IRI_SV_DEPTH, IRI_TYPE_F32},
                 {IRI_SV_DISPATCH_THREAD_ID, IRI_TYPE(IRI_U32, 3)},
                 {IRI_SV_GROUP_ID, IRI_TYPE(IRI_U32, 3)},
                 {IRI_SV_GROUP_THREAD_ID, IRI_TYPE(IRI_U32, 3)},
                 {IRI_SV_GROUP_INDEX, IRI_TYPE_U32}};
    uint32_t legal = output ? stages[v->p->stage].outputs : stages[v->p->stage].inputs;
    if (io->system_value >= IRI_SV_COUNT)
        iri_found(v, "%s %s: no such system value", what, label);
    else if (legal && !(legal >> io->system_value & 1))
        iri_found(v, "%s %s: a %s program %s no %s", what, label, iri_stage_name(v->p->stage),
                  output ? "gives" : "takes",
                  io->system_value ? iri_word(IRI_WORDS_SYSTEM_VALUE, io->system_value)
                                   : "user semantic");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (io->system_value == types[i].value && io->type != types[i].type)
            iri_found(v, "%s %s: %s is %s, not %s", what, label,
                      iri_word(IRI_WORDS_SYSTEM_VALUE, io->system_value),
                      iri_type_name(types[i].type), iri_type_name(io->type));
}

static void check_io(iri_validator *v, const char *what, const iri_io *io, bool output)
{
    char label[64];
    iri_io_label(io, label);
    if (!iri_is_type(io->type)) {
        iri_found(v, "%s %s: of no type", what, label);
        return;
    }
    iri_check_scalar(v, IRI_TYPE_SCALAR(io->type));
    uint32_t lanes = IRI_TYPE_LANES(io->type);
    if (io->lanes > 15 || (count_bits(io->lanes) != lanes && (io->lanes || io->bank)))
        iri_found(v, "%s %s: %u register lanes for %s", what, label,
                  (unsigned)count_bits(io->lanes), iri_type_name(io->type));
    if (io->used & ~io->lanes)
        iri_found(v, "%s %s: lanes are used that it does not have", what, label);
    if (io->bank >= IRI_BANK_COUNT)
        iri_found(v, "%s %s: no such register bank", what, label);
    check_system_value(v, what, label, io, output);
    bool interpolates = v->p->stage == IRI_STAGE_PIXEL && !output;
    iri_scalar scalar = IRI_TYPE_SCALAR(io->type);
    bool is_float = scalar == IRI_F16 || scalar == IRI_F32 || scalar == IRI_F64;
    if (io->interpolation >= IRI_INTERPOLATION_COUNT)
        iri_found(v, "%s %s: no such interpolation", what, label);
    else if (io->interpolation && !interpolates && v->p->stage != IRI_STAGE_NONE)
        iri_found(v, "%s %s: only pixel inputs are interpolated", what, label);
    else if (io->interpolation && io->interpolation != IRI_INTERPOLATION_FLAT && !is_float)
        iri_found(v, "%s %s: %s cannot be interpolated", what, label, iri_type_name(io->type));
}

static void check_pair(iri_validator *v, const char *what, const iri_io *a, const iri_io *b)
{
    char first[64], second[64];
    iri_io_label(a, first);
    iri_io_label(b, second);
    if (a->index == b->index && a->stream == b->stream && same_name(a->name, b->name))
        iri_found(v, "%s %s: there twice", what, first);
    else if (a->system_value && a->system_value == b->system_value && a->index == b->index)
        iri_found(v, "%ss %s and %s: both are %s %u", what, first, second,
                  iri_word(IRI_WORDS_SYSTEM_VALUE, a->system_value), (unsigned)a->index);
    if (a->bank && a->bank == b->bank && a->reg == b->reg && a->stream == b->stream &&
        (a->lanes & b->lanes))
        iri_found(v, "%ss %s and %s: share lanes of a register", what, first, second);
}

/* False when the list cannot be read. */
static bool check_list(iri_validator *v, const char *what, const iri_io *list, uint32_t count,
                       bool output)
{
    for (uint32_t i = 0; i < count; i++)
        if (!list || !list[i].name) {
            iri_found(v, "%s %u has no name", what, (unsigned)i);
            return false;
        }
    for (uint32_t i = 0; i < count; i++) {
        check_io(v, what, &list[i], output);
        for (uint32_t k = 0; k < i && v->problems.count < IRI_PROBLEMS_MAX; k++)
            check_pair(v, what, &list[k], &list[i]);
    }
    return true;
}

/* ---- resources ---- */

static void check_members(iri_validator *v, const char *label, const iri_member *members,
                          uint32_t count, uint32_t size, uint32_t depth)
{
    for (uint32_t i = 0; i < count; i++) {
        const iri_member *m = &members[i];
        const char *name = m->name ? m->name : "";
        if (m->member_class >= IRI_MEMBER_CLASS_COUNT || m->scalar >= IRI_SCALAR_COUNT)
            iri_found(v, "%s: member %.40s is of no type", label, name);
        if (m->size > size || m->offset > size - m->size)
            iri_found(v, "%s: member %.40s lies beyond its %lu bytes", label, name,
                      (unsigned long)size);
        if (m->member_count && m->member_class != IRI_MEMBER_STRUCT)
            iri_found(v, "%s: member %.40s is no struct and has members", label, name);
        else if (m->member_count && m->members && depth < MEMBER_DEPTH)
            check_members(v, label, m->members, m->member_count,
                          m->elements && m->array_stride ? m->array_stride : m->size, depth + 1);
    }
}

enum { ACCESS_READ = 1, ACCESS_ALL = 7, STRIDE_MAX = 2048 /* D3D11_REQ_..._STRUCTURE_SIZE */ };

/* Storage: what its shape needs, and how it may be accessed. */
static void check_storage(iri_validator *v, const iri_resource *r, const char *label)
{
    bool storage =
        r->kind == IRI_RESOURCE_STORAGE_BUFFER || r->kind == IRI_RESOURCE_STORAGE_TEXTURE;
    bool buffer = storage || r->kind == IRI_RESOURCE_BUFFER;
    bool structured = buffer && r->buffer_shape == IRI_BUFFER_STRUCTURED;
    if (r->access & ~(storage ? ACCESS_ALL : ACCESS_READ))
        iri_found(v, "%s: only read-write resources are written", label);
    if (structured && (!r->stride || r->stride % 4 || r->stride > STRIDE_MAX))
        iri_found(v, "%s: elements of %lu bytes", label, (unsigned long)r->stride);
    if (buffer && r->buffer_shape == IRI_BUFFER_TYPED && r->scalar != IRI_F32 &&
        r->scalar != IRI_I32 && r->scalar != IRI_U32)
        iri_found(v, "%s: elements are f32, i32 or u32", label);
    if (r->flags & IRI_RESOURCE_COUNTER && (r->kind != IRI_RESOURCE_STORAGE_BUFFER || !structured))
        iri_found(v, "%s: only structured storage buffers have a counter", label);
    if (r->kind == IRI_RESOURCE_STORAGE_TEXTURE &&
        (r->dimension == IRI_DIMENSION_CUBE || r->multisampled))
        iri_found(v, "%s: storage textures are neither cubes nor multisampled", label);
}

static void check_resource(iri_validator *v, const iri_resource *r, const char *label)
{
    bool texture = r->kind == IRI_RESOURCE_TEXTURE || r->kind == IRI_RESOURCE_STORAGE_TEXTURE;
    bool buffer = r->kind == IRI_RESOURCE_BUFFER || r->kind == IRI_RESOURCE_STORAGE_BUFFER;
    if (r->kind == IRI_RESOURCE_NONE || r->kind >= IRI_RESOURCE_COUNT) {
        iri_found(v, "%s: no such kind of resource", label);
        return;
    }
    if (texture != (r->dimension != IRI_DIMENSION_NONE) || r->dimension >= IRI_DIMENSION_COUNT)
        iri_found(v, "%s: %s", label,
                  texture ? "a texture without a dimension" : "only textures have a dimension");
    if (texture && r->scalar != IRI_F32 && r->scalar != IRI_I32 && r->scalar != IRI_U32)
        iri_found(v, "%s: texels are f32, i32 or u32", label);
    if (buffer != (r->buffer_shape != IRI_BUFFER_NONE) || r->buffer_shape >= IRI_BUFFER_COUNT)
        iri_found(v, "%s: %s", label,
                  buffer ? "a buffer without a shape" : "only buffers have a shape");
    if (r->comparison && r->kind != IRI_RESOURCE_TEXTURE && r->kind != IRI_RESOURCE_SAMPLER)
        iri_found(v, "%s: only textures and samplers compare", label);
    if (r->dimension == IRI_DIMENSION_3D && r->arrayed)
        iri_found(v, "%s: there are no arrays of 3d textures", label);
    if (r->multisampled && r->dimension != IRI_DIMENSION_2D)
        iri_found(v, "%s: only 2d textures are multisampled", label);
    check_storage(v, r, label);
    if (r->arrayed > 1 || r->multisampled > 1 || r->comparison > 1)
        iri_found(v, "%s: a flag is neither 0 nor 1", label);
    if (r->member_count && (r->kind != IRI_RESOURCE_CBUFFER || !r->members))
        iri_found(v, "%s: only constant buffers have members", label);
    else
        check_members(v, label, r->members, r->member_count, r->size, 0);
}

static char class_of(const iri_resource *r)
{
    static const char classes[IRI_RESOURCE_COUNT] = {0, 'b', 't', 's', 't', 'u', 'u'};
    return r->kind < IRI_RESOURCE_COUNT ? classes[r->kind] : 0;
}

static void check_resources(iri_validator *v, const iri_interface *io)
{
    for (uint32_t i = 0; i < io->resource_count; i++) {
        const iri_resource *r = &io->resources[i];
        char label[32], other[32];
        uint64_t end = r->count ? (uint64_t)r->reg + r->count : UINT64_MAX;
        iri_resource_label(r, label);
        check_resource(v, r, label);
        if (r->count && end > UINT32_MAX)
            iri_found(v, "%s: its registers end beyond the last", label);
        for (uint32_t k = 0; k < i && v->problems.count < IRI_PROBLEMS_MAX; k++) {
            const iri_resource *o = &io->resources[k];
            uint64_t other_end = o->count ? (uint64_t)o->reg + o->count : UINT64_MAX;
            if (class_of(r) && class_of(r) == class_of(o) && r->space == o->space &&
                r->reg < other_end && o->reg < end)
                iri_found(v, "%s and %s: share a register", iri_resource_label(o, other), label);
        }
    }
}

/* ---- workgroups ---- */

/* Direct3D 11's limits (D3D11_CS_THREAD_GROUP_MAX_ and D3D11_CS_TGSM_REGISTER_COUNT). */
enum { GROUP_MAX = 1024, GROUP_MAX_Z = 64, SHARED_MAX = 32768 };

static void check_workgroup(iri_validator *v, const iri_interface *io)
{
    const uint32_t *size = io->facts.workgroup;
    bool grouped = v->p->stage == IRI_STAGE_COMPUTE;
    uint64_t all = (uint64_t)size[0] * size[1];
    if (grouped && (!all || !size[2]))
        iri_found(v, "the workgroup has no size");
    else if (size[0] > GROUP_MAX || size[1] > GROUP_MAX || size[2] > GROUP_MAX_Z ||
             all * size[2] > GROUP_MAX)
        iri_found(v, "a workgroup of %lu x %lu x %lu: it may have %d, and %d in z",
                  (unsigned long)size[0], (unsigned long)size[1], (unsigned long)size[2], GROUP_MAX,
                  GROUP_MAX_Z);
    if (grouped && io->output_count)
        iri_found(v, "a compute program has outputs");
}

static void check_shared(iri_validator *v, const iri_interface *io)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < io->shared_count; i++) {
        const iri_shared *s = &io->shared[i];
        char label[32];
        iri_shared_label(s, label);
        if (!s->size || s->size % 4)
            iri_found(v, "%s: %lu bytes are no whole words", label, (unsigned long)s->size);
        if (s->stride % 4 || (s->stride && s->size % s->stride))
            iri_found(v, "%s: elements of %lu bytes in %lu", label, (unsigned long)s->stride,
                      (unsigned long)s->size);
        for (uint32_t k = 0; k < i && v->problems.count < IRI_PROBLEMS_MAX; k++)
            if (io->shared[k].reg == s->reg)
                iri_found(v, "%s: there twice", label);
        sum += s->size;
    }
    if (sum > SHARED_MAX)
        iri_found(v, "workgroup variables of %llu bytes; a workgroup may have %d",
                  (unsigned long long)sum, SHARED_MAX);
}

/* ---- states, capabilities ---- */

static void check_states(iri_validator *v, const iri_interface *io)
{
    for (uint32_t i = 0; i < io->state_count; i++) {
        const iri_state_entry *entry = &io->states[i];
        const iri_state_info *info = iri_state_get_info((iri_state_id)entry->id);
        if (!info || entry->id == IRI_STATE_NONE) {
            iri_found(v, "state entry %u: no such state", (unsigned)i);
            continue;
        }
        if (entry->index >= info->count)
            iri_found(v, "state %s: there is no %s[%u]", info->name, info->name,
                      (unsigned)entry->index);
        if (entry->source > IRI_STATE_UNIFORM)
            iri_found(v, "state %s: no such source", info->name);
        if (entry->source == IRI_STATE_OVERRIDE && IRI_TYPE_LANES(info->type) != 1)
            iri_found(v, "state %s: a vector cannot be an override", info->name);
        for (uint32_t k = 0; k < i; k++)
            if (io->states[k].id == entry->id && io->states[k].index == entry->index) {
                iri_found(v, "state %s[%u]: there twice", info->name, (unsigned)entry->index);
                break;
            }
    }
}

void iri_check_scalar(iri_validator *v, iri_scalar scalar)
{
    static const struct {
        uint32_t capability;
        const char *name;
    } needs[IRI_SCALAR_COUNT] = {
        [IRI_I16] = {IRI_CAN_INT16, "16-bit integers"},
        [IRI_U16] = {IRI_CAN_INT16, "16-bit integers"},
        [IRI_F16] = {IRI_CAN_F16, "f16"},
        [IRI_I64] = {IRI_CAN_INT64, "64-bit integers"},
        [IRI_U64] = {IRI_CAN_INT64, "64-bit integers"},
        [IRI_F64] = {IRI_CAN_F64, "f64"},
    };
    if (needs[scalar].capability & ~v->capabilities)
        iri_found(v, "uses %s, not allowed here", needs[scalar].name);
}

bool iri_check_interface(iri_validator *v)
{
    const iri_program *p = v->p;
    const iri_interface *io = &p->interface;
    if ((uint32_t)p->stage >= IRI_STAGE_COUNT) {
        iri_found(v, "there is no such stage");
        return false;
    }
    bool readable = check_list(v, "input", io->inputs, io->input_count, false);
    readable &= check_list(v, "output", io->outputs, io->output_count, true);
    check_resources(v, io);
    check_workgroup(v, io);
    check_shared(v, io);
    check_states(v, io);
    return readable;
}
