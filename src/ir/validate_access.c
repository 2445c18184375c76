/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lookups in textures, accesses of memory, queries and barriers: whether the resource they name is of the kind
 * and shape, and says that it is accessed so, and whether coordinates and values have its types.
 */
#include "ir/memory.h"
#include "ir/validate.h"

const iri_resource *iri_get_resource(iri_validator *v, const iri_inst *in, uint32_t i)
{
    const iri_interface *io = &v->p->interface;
    uint32_t index = iri_immediates(v->p, in)[i], kinds = iri_resource_kinds(in->op, i), kind = 0;
    if (index >= io->resource_count) {
        iri_found(v, "there is no resource %u", (unsigned)index);
        return NULL;
    }
    const iri_resource *r = &io->resources[index];
    if (r->kind >= IRI_RESOURCE_COUNT || !(kinds >> r->kind & 1)) {
        char label[32];
        while (!(kinds >> kind & 1))
            kind++;
        iri_found(v, "%s is no %s", iri_resource_label(r, label),
                  iri_word(IRI_WORDS_RESOURCE_KIND, kind));
        return NULL;
    }
    return r;
}

void iri_check_range_index(iri_validator *v, const iri_resource *r, const iri_inst *in,
                           uint32_t operand)
{
    char label[32];
    if (operand >= in->operand_count || !r)
        return;
    iri_id index = iri_operands(v->p, in)[operand];
    iri_resource_label(r, label);
    if (r->count == 1 && !(iri_is_constant(v->p, index) && !iri_constant(v->p, index)[0]))
        iri_found(v, "%s is one register, not a range to index", label);
    else if (r->count && iri_is_constant(v->p, index) && iri_constant(v->p, index)[0] >= r->count)
        iri_found(v, "%s has no register %llu", label,
                  (unsigned long long)iri_constant(v->p, index)[0]);
}

/* ---- what stands where ---- */

static void want_operand(iri_validator *v, const iri_inst *in, uint32_t i, iri_type exact,
                         const char *what, const char *label)
{
    iri_type type = iri_operand_type(v, in, i);
    if (type != exact)
        iri_found(v, "%s of %s are %s, not %s", what, label, iri_type_name(exact),
                  iri_type_name(type));
}

static void want_result(iri_validator *v, const iri_inst *in, iri_type exact, const char *label)
{
    if (iri_result_type(v, in) != exact)
        iri_found(v, "%s gives %s, not %s", label, iri_type_name(exact),
                  iri_type_name(iri_result_type(v, in)));
}

/* Integer coordinates: i32 or u32. */
static void want_integers(iri_validator *v, const iri_inst *in, const iri_resource *r,
                          const char *label)
{
    iri_type type = iri_operand_type(v, in, 0);
    uint32_t lanes = iri_dimension_lanes(r->dimension) + (r->arrayed ? 1u : 0u);
    bool whole = IRI_TYPE_SCALAR(type) == IRI_I32 || IRI_TYPE_SCALAR(type) == IRI_U32;
    if (lanes <= 4 && (!whole || IRI_TYPE_LANES(type) != lanes))
        iri_found(v, "coordinates of %s are %s, not %s", label,
                  iri_type_name(IRI_TYPE(IRI_I32, lanes)), iri_type_name(type));
}

static void check_texel_offset(iri_validator *v, const iri_resource *texture, uint32_t packed)
{
    uint32_t used = texture->dimension == IRI_DIMENSION_CUBE ? 0 : texture->dimension;
    for (uint32_t i = 0; i < 3; i++) {
        int offset = (int)(int8_t)(packed >> (8 * i) & 0xff);
        if (offset && i >= used)
            iri_found(v, "a texel offset in lane %c of a %s texture", "xyz"[i],
                      iri_word(IRI_WORDS_DIMENSION, texture->dimension));
        else if (offset < -8 || offset > 7)
            iri_found(v, "texel offset %d is not in -8..7", offset);
    }
}

/* ---- lookups ---- */

static bool compares(uint32_t op)
{
    return op == IRI_OP_SAMPLE_CMP || op == IRI_OP_SAMPLE_CMP_LEVEL ||
           op == IRI_OP_SAMPLE_CMP_CLAMP || op == IRI_OP_GATHER_CMP || op == IRI_OP_GATHER_CMP_PO;
}

static bool gathers(uint32_t op)
{
    return op == IRI_OP_GATHER || op == IRI_OP_GATHER_PO || op == IRI_OP_GATHER_CMP ||
           op == IRI_OP_GATHER_CMP_PO;
}

static void check_gather(iri_validator *v, const iri_inst *in, const iri_resource *texture,
                         const char *label)
{
    bool run_time = in->op == IRI_OP_GATHER_PO || in->op == IRI_OP_GATHER_CMP_PO;
    bool collects = in->op == IRI_OP_GATHER || in->op == IRI_OP_GATHER_PO;
    if (texture->dimension != IRI_DIMENSION_2D &&
        (run_time || texture->dimension != IRI_DIMENSION_CUBE))
        iri_found(v, "%s is %s: it cannot be gathered from%s", label,
                  iri_word(IRI_WORDS_DIMENSION, texture->dimension),
                  run_time ? " with an offset" : "");
    if (run_time)
        want_operand(v, in, 1, IRI_TYPE(IRI_I32, 2), "offsets", label);
    if (collects && iri_immediates(v->p, in)[2] > 3)
        iri_found(v, "there is no lane %u to gather", (unsigned)iri_immediates(v->p, in)[2]);
}

static void check_coordinates(iri_validator *v, const iri_inst *in, const iri_resource *texture,
                              const char *label)
{
    uint32_t lanes = iri_dimension_lanes(texture->dimension);
    bool gradients = in->op == IRI_OP_SAMPLE_GRAD || in->op == IRI_OP_SAMPLE_GRAD_CLAMP;
    uint32_t layer = texture->arrayed && in->op != IRI_OP_LOD ? 1 : 0;
    if (!lanes || lanes + layer > 4)
        return;
    want_operand(v, in, 0, IRI_TYPE(IRI_F32, lanes + layer), "coordinates", label);
    for (uint32_t i = 1; i < 3 && gradients; i++)
        want_operand(v, in, i, IRI_TYPE(IRI_F32, lanes), "derivatives", label);
}

static void check_lookup(iri_validator *v, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(v->p, in);
    const iri_resource *texture = iri_get_resource(v, in, 0), *sampler = iri_get_resource(v, in, 1);
    uint32_t range = iri_range_operand(in->op);
    const char *offset = strchr(iri_op_infos[in->op].immediates, 'x');
    char label[32];
    iri_check_range_index(v, texture, in, range);
    iri_check_range_index(v, sampler, in, range + 1);
    if (sampler && (sampler->comparison != 0) != compares(in->op))
        iri_found(v, "%s %s", iri_resource_label(sampler, label),
                  compares(in->op) ? "is no comparison sampler" : "is a comparison sampler");
    if (!texture)
        return;
    iri_resource_label(texture, label);
    if (compares(in->op) && !texture->comparison)
        iri_found(v, "%s holds no depth to compare", label);
    if (texture->multisampled)
        iri_found(v, "%s is multisampled: it cannot be sampled", label);
    if (in->op == IRI_OP_LOD)
        want_result(v, in, IRI_TYPE_VEC2F, label);
    else if (!compares(in->op))
        want_result(v, in, IRI_TYPE(texture->scalar, 4), label);
    else if (gathers(in->op))
        want_result(v, in, IRI_TYPE_VEC4F, label);
    if (gathers(in->op))
        check_gather(v, in, texture, label);
    check_coordinates(v, in, texture, label);
    if (offset)
        check_texel_offset(v, texture, imm[offset - iri_op_infos[in->op].immediates]);
}

static void check_texel(iri_validator *v, const iri_inst *in)
{
    const iri_resource *texture = iri_get_resource(v, in, 0);
    bool samples = in->op == IRI_OP_LOAD_TEXEL_MS;
    char label[32];
    iri_check_range_index(v, texture, in, iri_range_operand(in->op));
    if (!texture)
        return;
    iri_resource_label(texture, label);
    if ((texture->multisampled != 0) != samples)
        iri_found(v, "%s is %smultisampled", label, samples ? "not " : "");
    if (texture->dimension == IRI_DIMENSION_CUBE)
        iri_found(v, "%s is a cube: its texels cannot be loaded", label);
    want_integers(v, in, texture, label);
    want_result(v, in, IRI_TYPE(texture->scalar, 4), label);
    check_texel_offset(v, texture, iri_immediates(v->p, in)[1]);
}

static void check_texture_query(iri_validator *v, const iri_inst *in)
{
    const iri_resource *r = iri_get_resource(v, in, 0);
    char label[32];
    iri_check_range_index(v, r, in, iri_range_operand(in->op));
    if (!r)
        return;
    iri_resource_label(r, label);
    bool samples = in->op == IRI_OP_TEXTURE_SAMPLES || in->op == IRI_OP_SAMPLE_POSITION;
    if (samples != (r->multisampled != 0) && in->op != IRI_OP_TEXTURE_SIZE)
        iri_found(v, "%s is %smultisampled", label, samples ? "not " : "");
    if (in->op == IRI_OP_SAMPLE_POSITION)
        want_result(v, in, IRI_TYPE_VEC2F, label);
    if (in->op != IRI_OP_TEXTURE_SIZE)
        return;
    iri_id level = iri_operands(v->p, in)[0];
    uint32_t lanes = r->dimension == IRI_DIMENSION_CUBE ? 2 : iri_dimension_lanes(r->dimension);
    lanes += r->arrayed ? 1 : 0;
    if (lanes && lanes <= 4)
        want_result(v, in, IRI_TYPE(IRI_U32, lanes), label);
    if ((r->multisampled || r->kind == IRI_RESOURCE_STORAGE_TEXTURE) &&
        !(iri_is_constant(v->p, level) && !iri_constant(v->p, level)[0]))
        iri_found(v, "%s has one level: it is 0", label);
}

/* The word says how one operation went: it stands for that operation, wherever its value is known. */
static void check_status(iri_validator *v, const iri_inst *in)
{
    const iri_inst *def = iri_def(v->p, iri_operands(v->p, in)[0]);
    iri_memory_op m = iri_memory_of(def ? def->op : IRI_OP_NONE);
    bool looks = def && (iri_resource_kinds(def->op, 1) >> IRI_RESOURCE_SAMPLER & 1) &&
                 def->op != IRI_OP_LOD;
    bool texel = def && (def->op == IRI_OP_LOAD_TEXEL || def->op == IRI_OP_LOAD_TEXEL_MS);
    bool loads = m.memory && m.memory != IRI_MEMORY_SHARED && m.act == IRI_MEMORY_LOAD;
    if (!looks && !texel && !loads)
        iri_found(v, "the operand is not what a lookup or load of a resource gave");
}

/* ---- memory ---- */

static void check_values(iri_validator *v, const iri_inst *in, iri_memory_op m,
                         const iri_resource *r, const char *label)
{
    bool texels = m.memory == IRI_MEMORY_TYPED || m.memory == IRI_MEMORY_IMAGE;
    iri_type type =
        m.act == IRI_MEMORY_LOAD ? iri_result_type(v, in) : iri_operand_type(v, in, m.places);
    uint32_t lanes = m.act >= IRI_MEMORY_ATOMIC ? 1 : 4;
    if (iri_scalar_bits(IRI_TYPE_SCALAR(type)) != 32)
        iri_found(v, "memory holds no %s", iri_type_name(type));
    else if (texels && type != IRI_TYPE(r->scalar, lanes))
        iri_found(v, "%s holds %s, not %s", label, iri_type_name(IRI_TYPE(r->scalar, lanes)),
                  iri_type_name(type));
    else if (m.act >= IRI_MEMORY_ATOMIC && IRI_TYPE_LANES(type) != 1)
        iri_found(v, "%s: an atomic is of one lane, not %s", label, iri_type_name(type));
}

static void check_memory(iri_validator *v, const iri_inst *in, iri_memory_op m)
{
    static const uint8_t shapes[] = {
        [IRI_MEMORY_RAW] = IRI_BUFFER_RAW,
        [IRI_MEMORY_STRUCTURED] = IRI_BUFFER_STRUCTURED,
        [IRI_MEMORY_TYPED] = IRI_BUFFER_TYPED,
    };
    static const char *const accesses[] = {"read", "write", "atomic", "atomic"};
    const iri_resource *r = iri_get_resource(v, in, m.immediate);
    char label[32];
    iri_check_range_index(v, r, in, iri_range_operand(in->op));
    if (!r)
        return;
    iri_resource_label(r, label);
    if (m.memory == IRI_MEMORY_IMAGE)
        want_integers(v, in, r, label);
    else if (r->buffer_shape != shapes[m.memory])
        iri_found(v, "%s is no %s buffer", label,
                  iri_word(IRI_WORDS_BUFFER_SHAPE, shapes[m.memory]));
    if (r->kind != IRI_RESOURCE_BUFFER &&
        !(r->access >> (m.act > IRI_MEMORY_ATOMIC ? IRI_MEMORY_ATOMIC : m.act) & 1))
        iri_found(v, "%s is not marked %s", label, accesses[m.act]);
    check_values(v, in, m, r, label);
}

/* Stages without a workgroup, and none. */
static bool has_workgroup(iri_stage stage)
{
    return stage == IRI_STAGE_COMPUTE || stage == IRI_STAGE_AMPLIFICATION ||
           stage == IRI_STAGE_MESH || stage == IRI_STAGE_NONE;
}

static void check_shared(iri_validator *v, const iri_inst *in, iri_memory_op m)
{
    const iri_interface *io = &v->p->interface;
    uint32_t index = iri_immediates(v->p, in)[m.immediate];
    char label[32];
    if (index >= io->shared_count) {
        iri_found(v, "there is no workgroup variable %u", (unsigned)index);
        return;
    }
    if (!has_workgroup(v->p->stage))
        iri_found(v, "a %s program has no workgroup", iri_stage_name(v->p->stage));
    check_values(v, in, m, NULL, iri_shared_label(&io->shared[index], label));
}

static void check_counter(iri_validator *v, const iri_inst *in)
{
    const iri_resource *r = iri_get_resource(v, in, 0);
    char label[32];
    iri_check_range_index(v, r, in, iri_range_operand(in->op));
    if (r && !(r->flags & IRI_RESOURCE_COUNTER))
        iri_found(v, "%s has no counter", iri_resource_label(r, label));
}

static void check_barrier(iri_validator *v, const iri_inst *in)
{
    uint32_t bits = iri_immediates(v->p, in)[0];
    if (!bits || bits & ~(uint32_t)IRI_BARRIER_ALL)
        iri_found(v, "there is no barrier of %lu", (unsigned long)bits);
    else if (bits != IRI_BARRIER_GLOBAL && !has_workgroup(v->p->stage))
        iri_found(v, "a %s program has no workgroup", iri_stage_name(v->p->stage));
}

void iri_check_access(iri_validator *v, const iri_inst *in)
{
    iri_memory_op m = iri_memory_of(in->op);
    const char *letters = iri_op_infos[in->op].immediates;
    if (letters[0] == 'a' && iri_immediates(v->p, in)[0] >= IRI_ATOMIC_COUNT)
        iri_found(v, "there is no atomic function %u", (unsigned)iri_immediates(v->p, in)[0]);
    if (m.memory == IRI_MEMORY_SHARED) {
        check_shared(v, in, m);
        return;
    }
    if (m.memory) {
        check_memory(v, in, m);
        return;
    }
    switch (in->op) {
    case IRI_OP_LOAD_TEXEL:
    case IRI_OP_LOAD_TEXEL_MS: check_texel(v, in); break;
    case IRI_OP_TEXTURE_SIZE:
    case IRI_OP_TEXTURE_LEVELS:
    case IRI_OP_TEXTURE_SAMPLES:
    case IRI_OP_SAMPLE_POSITION: check_texture_query(v, in); break;
    case IRI_OP_ACCESS_STATUS: check_status(v, in); break;
    case IRI_OP_BUFFER_SIZE:
        iri_check_range_index(v, iri_get_resource(v, in, 0), in, iri_range_operand(in->op));
        break;
    case IRI_OP_COUNTER_ALLOC:
    case IRI_OP_COUNTER_CONSUME: check_counter(v, in); break;
    case IRI_OP_BARRIER: check_barrier(v, in); break;
    default:
        if (letters[0] == 'r' && letters[1] == 'r')
            check_lookup(v, in);
        break;
    }
}
