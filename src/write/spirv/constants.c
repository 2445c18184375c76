/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constant buffers: a Block of rows, each four words, at its byte offset. Where the source names its
 * constants and no read is at a run-time place, runs of rows are members with those names; rows
 * otherwise. A row is the unit because Direct3D's packing never splits one, because any lane of a
 * register may be read whatever its declaration has, and because an array of rows lies the same in
 * std140, std430 and Direct3D.
 */
#include "write/spirv/module.h"

#include <string.h>

enum { ROW = 16, FIELDS_MAX = 4096 };

/* ---- members ---- */

typedef struct layout {
    iri_spv *s;
    uint32_t resource;
    iri_spv_field *fields;
    uint32_t count, capacity;
} layout;

/* The register at a row: "c4". */
static const char *row_name(iri_spv *s, uint32_t resource, uint32_t row)
{
    const iri_resource *r = &s->p->interface.resources[resource];
    bool d3d9 = strcmp(s->p->provenance.format, "d3d9") == 0 && r->reg < 3 && !r->space;
    return d3d9 ? iri_arena_printf(s->arena, "%c%u", "cib"[r->reg],
                                   (unsigned)(r->reg == 2 ? row * 4 : row))
                : iri_arena_printf(s->arena, "row%u", (unsigned)row);
}

/* Adds a run of rows behind those that are there; false when it begins inside them. */
static bool add_field(layout *l, const char *name, uint32_t row, uint32_t rows)
{
    iri_spv_field *last = l->count ? &l->fields[l->count - 1] : NULL;
    uint32_t end = last ? last->row + last->rows : 0;
    if (l->count + 2 > l->capacity)
        return false;
    if (row < end) {
        /* Constants that share one row are one member with all their names. */
        if (last->rows != 1 || row != last->row || rows != 1)
            return false;
        last->name = iri_arena_printf(l->s->arena, "%.90s_%.90s", last->name, name);
        return true;
    }
    if (row > end)
        l->fields[l->count++] = (iri_spv_field){row_name(l->s, l->resource, end), end, row - end};
    l->fields[l->count++] = (iri_spv_field){name, row, rows};
    return true;
}

typedef struct place {
    const iri_member *member;
    uint32_t order;
} place;

static bool plan_members(iri_spv *s, uint32_t index)
{
    const iri_resource *source = &s->p->interface.resources[index];
    iri_spv_resource *r = &s->resources[index];
    uint32_t count = source->member_count;
    layout l = {.s = s, .resource = index};
    if (!count || count > FIELDS_MAX / 2 || r->dynamic || s->options->raw_constants)
        return false;
    const iri_member **order = iri_new_array(s->arena, const iri_member *, count);
    for (uint32_t i = 0; i < count; i++) { /* tables are nearly sorted */
        uint32_t at = i;
        for (; at > 0 && order[at - 1]->offset > source->members[i].offset; at--)
            order[at] = order[at - 1];
        order[at] = &source->members[i];
    }
    l.capacity = 2 * count + 2;
    l.fields = iri_new_array(s->arena, iri_spv_field, l.capacity);
    for (uint32_t i = 0; i < count; i++) {
        const iri_member *m = order[i];
        uint64_t end = (uint64_t)m->offset + m->size, row = m->offset / ROW;
        if (end > (uint64_t)r->rows * ROW)
            end = (uint64_t)r->rows * ROW;
        if (end <= m->offset)
            continue;
        uint32_t rows = (uint32_t)((end + ROW - 1) / ROW - row);
        if (!add_field(&l, m->name ? m->name : "", (uint32_t)row, rows))
            return false;
    }
    const iri_spv_field *last = l.count ? &l.fields[l.count - 1] : NULL;
    uint32_t end = last ? last->row + last->rows : 0;
    if (end < r->rows)
        l.fields[l.count++] = (iri_spv_field){row_name(s, index, end), end, r->rows - end};
    r->fields = l.fields;
    r->field_count = l.count;
    return true;
}

static void plan(iri_spv *s, uint32_t index)
{
    iri_spv_resource *r = &s->resources[index];
    if (!plan_members(s, index)) {
        r->field_count = 1;
        r->fields = iri_new(s->arena, iri_spv_field);
        r->fields[0] = (iri_spv_field){r->dynamic ? "rows" : row_name(s, index, 0), 0, r->rows};
        if (r->rows > 1 || r->dynamic)
            r->fields[0].name = "rows";
        return;
    }
    r->field_of = iri_new_array(s->arena, uint16_t, r->rows);
    for (uint32_t i = 0; i < r->field_count; i++)
        for (uint32_t k = 0; k < r->fields[i].rows; k++)
            r->field_of[r->fields[i].row + k] = (uint16_t)i;
}

/* ---- declaring ---- */

/* Whether a member is an array: in a buffer of rows it always is. */
static bool is_array(const iri_spv_resource *r, const iri_spv_field *f)
{
    return f->rows > 1 || !r->field_of;
}

static uint32_t declare_block(iri_spv *s, uint32_t index)
{
    iri_spv_resource *r = &s->resources[index];
    uint32_t row = iri_spv_type(s, IRI_TYPE(r->scalar, 4));
    uint32_t *types = iri_new_array(s->arena, uint32_t, r->field_count);
    for (uint32_t i = 0; i < r->field_count; i++)
        types[i] = is_array(r, &r->fields[i]) ? iri_spv_array(s, row, r->fields[i].rows, ROW) : row;
    uint32_t id = iri_spv_new_id(s);
    uint32_t *at = iri_spv_put(s, &s->globals, IRI_SPV_OpTypeStruct, 2 + r->field_count);
    at[0] = id;
    memcpy(at + 1, types, r->field_count * sizeof *types);
    iri_spv_decorate(s, id, IRI_SPV_Block);
    iri_spv_name(s, id, iri_arena_printf(s->arena, "%.180s_block", r->name));
    for (uint32_t i = 0; i < r->field_count; i++) {
        uint32_t *d = iri_spv_put(s, &s->decorations, IRI_SPV_OpMemberDecorate, 5);
        d[0] = id, d[1] = i, d[2] = IRI_SPV_Offset, d[3] = r->fields[i].row * ROW;
        iri_spv_member_name(s, id, i, r->fields[i].name);
        if (r->storage == IRI_SPV_ClassStorageBuffer) {
            d = iri_spv_put(s, &s->decorations, IRI_SPV_OpMemberDecorate, 4);
            d[0] = id, d[1] = i, d[2] = IRI_SPV_NonWritable;
        }
    }
    return id;
}

static void map_members(iri_spv *s, uint32_t index)
{
    const iri_resource *source = &s->p->interface.resources[index];
    const iri_spv_resource *r = &s->resources[index];
    if (!s->result->wanted || !r->field_of)
        return;
    for (uint32_t i = 0; i < source->member_count; i++) {
        const iri_member *m = &source->members[i];
        if (m->offset / ROW < r->rows && m->size)
            iri_spv_map_name(s, m->name, r->fields[r->field_of[m->offset / ROW]].name, 3, index,
                             &r->binding, -1);
    }
}

void iri_spv_declare_constants(iri_spv *s, uint32_t index)
{
    const iri_resource *source = &s->p->interface.resources[index];
    iri_spv_resource *r = &s->resources[index];
    char label[32];
    r->rows = source->size / ROW + (source->size % ROW != 0);
    if (!r->rows || r->rows > IRI_SPV_ROWS_MAX)
        iri_fail(s->ctx, IRI_CAPABILITY, source->offset, "%s has %u bytes",
                 iri_resource_label(source, label), (unsigned)source->size);
    r->storage =
        source->size > IRI_SPV_UNIFORM_MAX ? IRI_SPV_ClassStorageBuffer : IRI_SPV_ClassUniform;
    r->loaded = iri_new_array(s->arena, uint32_t, r->rows);
    plan(s, index);
    uint32_t block = declare_block(s, index), held = block;
    if (source->count != 1)
        held = iri_spv_array(s, block, source->count, 0);
    if (r->indexed)
        iri_spv_capability(s, IRI_SPV_CapabilityUniformBufferArrayDynamicIndexing);
    r->pointer = iri_spv_pointer(s, r->storage, IRI_TYPE(r->scalar, 4));
    r->variable = iri_spv_new_id(s);
    uint32_t pointer = iri_spv_pointer_to(s, r->storage, held);
    iri_spv_put3(s, &s->globals, IRI_SPV_OpVariable, pointer, r->variable, r->storage);
    iri_spv_name(s, r->variable, r->name);
    map_members(s, index);
}

/* ---- reading ---- */

/* Begins the indexes of an access chain: which register of a range. */
static uint32_t begin_chain(iri_spv *s, const iri_inst *in, uint32_t *words)
{
    uint32_t index = iri_immediates(s->p, in)[0], count = 0;
    words[count++] = s->resources[index].variable;
    if (s->p->interface.resources[index].count != 1)
        words[count++] =
            in->operand_count > 1 ? iri_spv_value(s, iri_operands(s->p, in)[1]) : iri_spv_u32(s, 0);
    return count;
}

static uint32_t load_row(iri_spv *s, const iri_inst *in, uint32_t row)
{
    uint32_t index = iri_immediates(s->p, in)[0], words[4];
    iri_spv_resource *r = &s->resources[index];
    bool one = s->p->interface.resources[index].count == 1;
    /* An address of run time that folded to a number may lie outside: it reads 0. */
    if (row >= r->rows)
        return iri_spv_zero(s, IRI_TYPE(r->scalar, 4));
    if (one && r->loaded[row])
        return r->loaded[row];
    uint32_t field = r->field_of ? r->field_of[row] : 0, count = begin_chain(s, in, words);
    words[count++] = iri_spv_u32(s, field);
    if (is_array(r, &r->fields[field]))
        words[count++] = iri_spv_u32(s, row - r->fields[field].row);
    uint32_t pointer = iri_spv_op(s, IRI_SPV_OpAccessChain, r->pointer, words, count);
    uint32_t id = iri_spv_op1(s, IRI_SPV_OpLoad, iri_spv_type(s, IRI_TYPE(r->scalar, 4)), pointer);
    if (one)
        iri_spv_keep(s, &r->loaded[row], id);
    return id;
}

/* `count` words from word `first` on, as one value; they may lie in two rows. */
static uint32_t load_words(iri_spv *s, const iri_inst *in, uint32_t first, uint32_t count)
{
    iri_scalar scalar = s->resources[iri_immediates(s->p, in)[0]].scalar;
    uint32_t parts[4], used = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t row = (first + i) / 4, lane = (first + i) % 4, run = 4 - lane;
        if (run > count - i)
            run = count - i;
        iri_lanes lanes = (run - 1) << 8;
        for (uint32_t k = 0; k < run; k++)
            lanes |= (lane + k) << 2 * k;
        parts[used++] = iri_spv_choose(s, load_row(s, in, row), IRI_TYPE(scalar, 4), lanes);
        i += run;
    }
    if (used == 1)
        return parts[0];
    return iri_spv_op(s, IRI_SPV_OpCompositeConstruct, iri_spv_type(s, IRI_TYPE(scalar, count)),
                      parts, used);
}

/* A row chosen at run time, zero where it is not there. */
static uint32_t spell_row(iri_spv *s, const iri_inst *in, uint32_t row)
{
    const iri_spv_resource *r = &s->resources[iri_immediates(s->p, in)[0]];
    iri_type type = IRI_TYPE(r->scalar, 4);
    uint32_t u32 = iri_spv_type(s, IRI_TYPE_U32), truth = iri_spv_type(s, IRI_TYPE_BOOL), words[4];
    uint32_t count = begin_chain(s, in, words), field = iri_spv_u32(s, 0);
    const uint32_t held[2] = {row, iri_spv_u32(s, r->rows - 1)};
    uint32_t inside = iri_spv_op2(s, IRI_SPV_OpULessThan, truth, row, iri_spv_u32(s, r->rows));
    words[count++] = field;
    words[count++] = iri_spv_glsl(s, IRI_SPV_GlslUMin, u32, held, 2);
    uint32_t pointer = iri_spv_op(s, IRI_SPV_OpAccessChain, r->pointer, words, count);
    uint32_t id = iri_spv_op1(s, IRI_SPV_OpLoad, iri_spv_type(s, type), pointer);
    if (!s->spirv_1_6)
        inside = iri_spv_spread(s, inside, IRI_TYPE(IRI_BOOL, 4));
    uint32_t type_id = iri_spv_type(s, type), zero = iri_spv_zero(s, type);
    return iri_spv_op3(s, IRI_SPV_OpSelect, type_id, inside, id, zero);
}

static uint32_t load_row_at(iri_spv *s, const iri_inst *in, uint32_t row)
{
    static const iri_type u32 = IRI_TYPE_U32;
    uint32_t index = iri_immediates(s->p, in)[0], parameter;
    iri_spv_resource *r = &s->resources[index];
    iri_type type = IRI_TYPE(r->scalar, 4);
    if (s->p->interface.resources[index].count != 1)
        return spell_row(s, in, row);
    if (!r->row_helper) {
        const char *name = iri_arena_printf(s->arena, "row_of_%.180s", r->name);
        iri_spv_helper open = iri_spv_begin_helper(s, name, type, &u32, 1, &parameter);
        r->row_helper = iri_spv_end_helper(s, &open, spell_row(s, in, parameter));
    }
    return iri_spv_op2(s, IRI_SPV_OpFunctionCall, iri_spv_type(s, type), r->row_helper, row);
}

/* Word by word, for a byte offset of which nothing is known. */
static uint32_t load_anywhere(iri_spv *s, const iri_inst *in, uint32_t lanes)
{
    iri_scalar scalar = s->resources[iri_immediates(s->p, in)[0]].scalar;
    uint32_t u32 = iri_spv_type(s, IRI_TYPE_U32), lane_type = iri_spv_type(s, IRI_TYPE(scalar, 1));
    uint32_t two = iri_spv_u32(s, 2), three = iri_spv_u32(s, 3), parts[4];
    uint32_t word = iri_spv_op2(s, IRI_SPV_OpShiftRightLogical, u32,
                                iri_spv_value(s, iri_operands(s->p, in)[0]), two);
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t at = i ? iri_spv_op2(s, IRI_SPV_OpIAdd, u32, word, iri_spv_u32(s, i)) : word;
        uint32_t row = iri_spv_op2(s, IRI_SPV_OpShiftRightLogical, u32, at, two);
        uint32_t lane = iri_spv_op2(s, IRI_SPV_OpBitwiseAnd, u32, at, three);
        parts[i] = iri_spv_op2(s, IRI_SPV_OpVectorExtractDynamic, lane_type,
                               load_row_at(s, in, row), lane);
    }
    if (lanes == 1)
        return parts[0];
    return iri_spv_op(s, IRI_SPV_OpCompositeConstruct, iri_spv_type(s, IRI_TYPE(scalar, lanes)),
                      parts, lanes);
}

static bool is_constant_word(const iri_program *p, iri_id value, uint32_t *word)
{
    if (!iri_is_constant(p, value))
        return false;
    *word = (uint32_t)iri_constant(p, value)[0];
    return true;
}

/* The number of the row that an offset is the start of, 0 when it may not be one's. The number is there
 * already where it is scaled by 16 and held low enough not to wrap. */
static iri_id find_row(const iri_program *p, const iri_inst *scaled)
{
    uint32_t factor = 0, limit = 0;
    bool rows = scaled && (scaled->op == IRI_OP_IMUL || scaled->op == IRI_OP_SHL) &&
                is_constant_word(p, iri_operands(p, scaled)[1], &factor) &&
                factor == (scaled->op == IRI_OP_SHL ? 4u : 16u);
    if (!rows || iri_type_of(p, iri_operands(p, scaled)[0]) != IRI_TYPE_U32)
        return 0;
    iri_id number = iri_operands(p, scaled)[0];
    const iri_inst *min = iri_def(p, number);
    bool low = min && min->op == IRI_OP_IMIN &&
               is_constant_word(p, iri_operands(p, min)[1], &limit) && limit < 1u << 28;
    return low ? number : 0;
}

static uint32_t load_dynamic(iri_spv *s, const iri_inst *in, uint32_t lanes)
{
    const iri_program *p = s->p;
    const iri_inst *def = iri_def(p, iri_operands(p, in)[0]);
    uint32_t byte = 0;
    if (def && def->op == IRI_OP_IADD && is_constant_word(p, iri_operands(p, def)[1], &byte))
        def = iri_def(p, iri_operands(p, def)[0]);
    iri_id row = byte % 4 == 0 && byte + 4 * lanes <= ROW ? find_row(p, def) : 0;
    if (!row)
        return load_anywhere(s, in, lanes);
    iri_scalar scalar = s->resources[iri_immediates(p, in)[0]].scalar;
    uint32_t id = load_row_at(s, in, iri_spv_value(s, row));
    iri_lanes chosen = (lanes - 1) << 8;
    for (uint32_t k = 0; k < lanes; k++)
        chosen |= (byte / 4 + k) << 2 * k;
    return iri_spv_choose(s, id, IRI_TYPE(scalar, 4), chosen);
}

/* Each lane is two words, which are cast together. */
static uint32_t load_doubles(iri_spv *s, const iri_inst *in, uint32_t first, iri_type type)
{
    uint32_t lane = iri_spv_type(s, IRI_TYPE(IRI_TYPE_SCALAR(type), 1)), parts[4];
    uint32_t lanes = IRI_TYPE_LANES(type);
    for (uint32_t i = 0; i < lanes; i++)
        parts[i] = iri_spv_op1(s, IRI_SPV_OpBitcast, lane, load_words(s, in, first + 2 * i, 2));
    if (lanes == 1)
        return parts[0];
    return iri_spv_op(s, IRI_SPV_OpCompositeConstruct, iri_spv_type(s, type), parts, lanes);
}

void iri_spv_form_load_cb(iri_spv *s, const iri_inst *in, const iri_spv_row *row)
{
    iri_type type = iri_type_of(s->p, in->results);
    iri_scalar wanted = IRI_TYPE_SCALAR(type), held;
    uint32_t lanes = IRI_TYPE_LANES(type), bits = iri_scalar_bits(wanted), byte = 0, id;
    (void)row;
    held = s->resources[iri_immediates(s->p, in)[0]].scalar;
    bool known = is_constant_word(s->p, iri_operands(s->p, in)[0], &byte);
    if (bits == 16 || (bits == 64 && !known))
        iri_fail(s->ctx, IRI_CAPABILITY, in->offset, "constants read as %s%s", iri_type_name(type),
                 known ? "" : " at a run-time place");
    if (bits == 64) {
        iri_spv_define(s, in, load_doubles(s, in, byte / 4, type));
        return;
    }
    id = known ? load_words(s, in, byte / 4, lanes) : load_dynamic(s, in, lanes);
    if (wanted != held)
        iri_spv_define(s, in, iri_spv_op1(s, IRI_SPV_OpBitcast, iri_spv_type(s, type), id));
    else
        s->ids[in->results] = id;
}
