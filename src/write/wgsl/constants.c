/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constant buffers. Where all reads are at known places the buffer is a struct with the source's
 * names, each member at its byte offset (WGSL section 14.4: sizes and alignments); rows otherwise.
 * Direct3D 9's registers are rows of 16 bytes, its booleans words of 4.
 */
#include "write/wgsl/wgsl.h"

#include "write/wgsl/words.h"

enum { MEMBERS_MAX = 1023 /* WGSL section 1.4: members of a structure */ };

static uint32_t static_offset(const iri_program *p, const iri_inst *in)
{
    return (uint32_t)iri_constant(p, iri_operands(p, in)[0])[0];
}

/* Whether a lane of a load at a known place lies in its buffer; what does not is zero. */
static bool is_inside(const iri_wgsl *w, const iri_inst *in, uint32_t lane)
{
    uint64_t size = w->p->interface.resources[iri_immediates(w->p, in)[0]].size;
    return (uint64_t)static_offset(w->p, in) + 4 * lane + 4 <= size;
}

/* Which words of 4 bytes from its offset on a load's users look at. */
static uint32_t words_read(const iri_wgsl *w, const iri_inst *in)
{
    uint32_t lanes = IRI_TYPE_LANES(iri_type_of(w->p, in->results));
    return w->values[in->results].lanes_used & ((1u << lanes) - 1u);
}

/* ---- looking at the reads ---- */

static void note_load(iri_wgsl *w, const iri_inst *in)
{
    uint32_t index = iri_immediates(w->p, in)[0];
    iri_wgsl_resource *r = &w->resources[index];
    iri_scalar scalar = IRI_TYPE_SCALAR(iri_type_of(w->p, in->results));
    char label[32];
    if (in->operand_count > 1)
        iri_fail(w->ctx, IRI_CAPABILITY, in->offset, "%s is chosen at run time from a range",
                 iri_resource_label(&w->p->interface.resources[index], label));
    if (iri_scalar_bits(scalar) == 16)
        iri_fail(w->ctx, IRI_UNWRITABLE, in->offset, "%s is read as halves",
                 iri_resource_label(&w->p->interface.resources[index], label));
    if (iri_wgsl_is_static_load(w->p, in) && !is_inside(w, in, 0))
        return;
    if (!r->read)
        r->scalar = scalar == IRI_I32 || scalar == IRI_F32 ? (uint8_t)scalar : IRI_U32;
    r->read = true;
    if (r->dynamic || iri_wgsl_is_static_load(w->p, in))
        return;
    iri_str name = iri_str_of(iri_resource_label(&w->p->interface.resources[index], label));
    r->dynamic = true;
    r->row_function =
        iri_names_claim(&w->names, IRI_WGSL_JOIN(w, IRI_STR("row_of_"), name), IRI_STR("row_of"));
}

/* ---- members ---- */

typedef struct layout {
    iri_wgsl *w;
    uint32_t resource;
    IRI_VEC(iri_wgsl_member) members;
    iri_names names;
    bool fits; /* false: rows */
} layout;

static uint32_t align_up(uint32_t offset, uint32_t align)
{
    return (offset + align - 1) / align * align;
}

static uint32_t size_of(const iri_wgsl_member *m)
{
    if (m->rows)
        return m->rows * 16;
    return m->columns ? m->columns * 16u : m->lanes * 4u;
}

static uint32_t align_of(const iri_wgsl_member *m)
{
    return m->rows || m->columns || m->lanes > 2 ? 16 : m->lanes * 4u;
}

/* Places members in order of their offsets; the source's tables are nearly sorted. */
static void add_member(layout *l, iri_wgsl_member m)
{
    iri_arena *arena = l->w->arena;
    if (m.offset % 4 || m.offset > UINT32_MAX / 2 || m.size > UINT32_MAX / 2 ||
        l->members.count >= MEMBERS_MAX) {
        l->fits = false;
        return;
    }
    uint32_t at = l->members.count;
    iri_push(arena, &l->members, m);
    for (; at > 0 && l->members.at[at - 1].offset > m.offset; at--)
        l->members.at[at] = l->members.at[at - 1];
    l->members.at[at] = m;
}

static void collect(layout *l, const iri_member *members, uint32_t count, uint32_t offset,
                    iri_str prefix, uint32_t depth)
{
    for (uint32_t i = 0; i < count; i++) {
        const iri_member *m = &members[i];
        iri_str name = iri_str_of(m->name ? m->name : "");
        if (prefix.size)
            name = IRI_WGSL_JOIN(l->w, prefix, name);
        iri_wgsl_member out = {
            .name = name, .source = m, .offset = offset + m->offset, .size = m->size};
        if (m->member_class == IRI_MEMBER_STRUCT && !m->elements && depth < 8) {
            collect(l, m->members, m->member_count, out.offset,
                    IRI_WGSL_JOIN(l->w, name, IRI_STR("_")), depth + 1);
            continue;
        }
        if (m->size == 0)
            continue;
        bool plain = m->member_class == IRI_MEMBER_SCALAR || m->member_class == IRI_MEMBER_VECTOR;
        /* A vector that its table gives more than one register is read by rows. */
        bool rows = !plain || m->elements || m->size > 16;
        out.lanes = m->columns >= 1 && m->columns <= 4 ? m->columns : 4;
        if (rows) {
            out.lanes = 4;
            out.rows = (m->size + 15) / 16;
        }
        if (m->member_class == IRI_MEMBER_MATRIX_COLUMNS && !m->elements && m->rows >= 3 &&
            m->rows <= 4 && m->columns >= 2 && m->columns <= 4 && m->columns == out.rows) {
            out.columns = m->columns;
            out.lanes = m->rows;
            out.rows = 0;
        }
        add_member(l, out);
    }
}

/* The member that a word lies in, NULL when it is between them. */
static iri_wgsl_member *find_member(iri_wgsl_member *members, uint32_t count, uint32_t byte)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (members[middle].offset <= byte)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    iri_wgsl_member *m = &members[low - 1];
    uint32_t extent = m->size > size_of(m) ? m->size : size_of(m);
    return byte - m->offset < extent ? m : NULL;
}

/* A read may look at lanes that the declaration does not have: then the member is as wide as its
 * register. A register that no name covers becomes a member called after it. */
static void fit_word(layout *l, uint32_t byte)
{
    iri_wgsl_member *m = find_member(l->members.at, l->members.count, byte);
    if (!m) {
        uint32_t row = byte / 16 * 16;
        iri_wgsl_member extra = {.offset = row, .size = 16, .lanes = 4, .used = true};
        extra.name = IRI_WGSL_JOIN(l->w, IRI_STR("c"), iri_wgsl_number(l->w, byte / 16));
        for (uint32_t k = 0; k < 4; k++)
            if (find_member(l->members.at, l->members.count, row + 4 * k)) {
                l->fits = false;
                return;
            }
        add_member(l, extra);
        return;
    }
    m->used = true;
    if (m->rows)
        return;
    if (m->columns) {
        if ((byte - m->offset) % 16 / 4 >= m->lanes) {
            m->rows = m->columns;
            m->columns = 0;
            m->lanes = 4;
        }
        return;
    }
    if ((byte - m->offset) / 4 >= m->lanes)
        m->lanes = 4;
}

static void fit_reads(layout *l)
{
    iri_wgsl *w = l->w;
    for (uint32_t i = 0; i < w->load_count && l->fits; i++) {
        const iri_inst *in = w->loads[i];
        if (iri_immediates(w->p, in)[0] != l->resource)
            continue;
        for (uint32_t lane = 0; lane < 4; lane++)
            if ((words_read(w, in) >> lane & 1u) && is_inside(w, in, lane))
                fit_word(l, static_offset(w->p, in) + 4 * lane);
    }
}

/* Whether the members can stand at their offsets. */
static bool is_sayable(const layout *l)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < l->members.count; i++) {
        const iri_wgsl_member *m = &l->members.at[i];
        if (m->offset < end || m->offset % align_of(m))
            return false;
        end = m->offset + size_of(m);
    }
    return l->fits && l->members.count > 0;
}

static void plan_one(iri_wgsl *w, uint32_t index)
{
    const iri_resource *source = &w->p->interface.resources[index];
    iri_wgsl_resource *r = &w->resources[index];
    layout l = {.w = w, .resource = index, .fits = true};
    r->raw = true;
    if (!r->read)
        r->scalar = source->member_count ? source->members[0].scalar : IRI_F32;
    if (r->scalar != IRI_F32 && r->scalar != IRI_I32)
        r->scalar = IRI_U32;
    if (r->dynamic || w->options->raw_constants || !source->member_count)
        return;
    collect(&l, source->members, source->member_count, 0, IRI_STR_NONE, 0);
    fit_reads(&l);
    if (!is_sayable(&l))
        return;
    r->raw = false;
    r->members = l.members.at;
    r->member_count = l.members.count;
    iri_names_init(&l.names, w->arena, iri_wgsl_is_reserved, NULL);
    for (uint32_t i = 0; i < r->member_count; i++) {
        iri_wgsl_member *m = &r->members[i];
        iri_str wanted = m->name;
        /* The constants of a bank are declared as what reads them; state values as what they are. */
        m->scalar =
            (source->flags & IRI_RESOURCE_STATE) && m->source ? m->source->scalar : r->scalar;
        m->name = iri_names_claim(&l.names, wanted, IRI_STR("constant"));
        iri_wgsl_map_name(w, wanted, m->name, 3, index, &r->binding, -1);
    }
    /* `perFrame: PerFrame`: the struct has the name with its first letter's case turned. */
    char *type = iri_arena_copy_text(w->arena, r->name.at, r->name.size);
    if (type[0] >= 'a' && type[0] <= 'z')
        type[0] = (char)(type[0] - 'a' + 'A');
    r->struct_name =
        iri_names_claim(&w->names, (iri_str){type, r->name.size}, IRI_STR("Constants"));
}

void iri_wgsl_plan_constants(iri_wgsl *w)
{
    const iri_program *p = w->p;
    if (iri_has_op(p, IRI_OP_LOAD_CB)) {
        w->loads = iri_arena_take(w->arena, p->inst_count * sizeof *w->loads);
        for (iri_id i = 1; i < p->inst_count; i++)
            if (p->insts[i].op == IRI_OP_LOAD_CB && w->values[p->insts[i].results].uses)
                w->loads[w->load_count++] = &p->insts[i];
    }
    for (uint32_t i = 0; i < w->load_count; i++)
        note_load(w, w->loads[i]);
    for (uint32_t i = 0; i < p->interface.resource_count; i++)
        if (p->interface.resources[i].kind == IRI_RESOURCE_CBUFFER)
            plan_one(w, i);
}

/* ---- reading ---- */

/* What a word is a lane of. */
typedef struct place {
    const iri_wgsl_member *member; /* NULL in a buffer of rows */
    uint32_t row;                  /* of the member or the buffer, where it has rows */
    uint8_t of, lane;              /* lanes it has, and which one it is */
} place;

static bool has_rows(const place *at)
{
    return !at->member || at->member->rows || at->member->columns;
}

static place find_place(const iri_wgsl_resource *r, uint32_t byte)
{
    place at = {.of = 4, .row = byte / 16, .lane = (uint8_t)(byte % 16 / 4)};
    if (r->raw)
        return at;
    const iri_wgsl_member *m = at.member = find_member(r->members, r->member_count, byte);
    assert(m);
    at.row = (byte - m->offset) / 16;
    if (has_rows(&at)) {
        at.of = m->columns ? m->lanes : 4;
        at.lane = (uint8_t)((byte - m->offset) % 16 / 4);
    } else {
        at.of = m->lanes;
        at.lane = (uint8_t)((byte - m->offset) / 4);
    }
    return at;
}

/* `constants.tint`, `constants.world[2]`, `constants[7]` */
static iri_str place_text(iri_wgsl *w, const iri_wgsl_resource *r, const place *at)
{
    char digits[IRI_UINT_TEXT];
    iri_str pieces[6] = {r->name};
    size_t count = 1;
    if (at->member) {
        pieces[count++] = IRI_STR(".");
        pieces[count++] = at->member->name;
    }
    if (has_rows(at)) {
        pieces[count++] = IRI_STR("[");
        pieces[count++] = (iri_str){digits, iri_print_uint(digits, at->row)};
        pieces[count++] = IRI_STR("]");
    }
    return iri_wgsl_join(w, pieces, count);
}

iri_wgsl_expr iri_wgsl_as_loaded(iri_wgsl *w, iri_wgsl_expr e, iri_scalar declared, iri_type type)
{
    iri_scalar wanted = IRI_TYPE_SCALAR(type);
    if (wanted == declared)
        return e;
    if (wanted == IRI_BOOL) {
        iri_wgsl_expr zero = iri_wgsl_zero(w, IRI_TYPE(declared, IRI_TYPE_LANES(type)));
        return iri_wgsl_binary(w, e, IRI_LEVEL_SHIFT, IRI_STR(" != "), zero, IRI_LEVEL_SHIFT,
                               IRI_LEVEL_COMPARE);
    }
    e.text = IRI_WGSL_JOIN(w, IRI_STR("bitcast<"), iri_wgsl_type(w, type), IRI_STR(">("), e.text,
                           IRI_STR(")"));
    e.level = IRI_LEVEL_POSTFIX;
    return e;
}

iri_wgsl_expr iri_wgsl_constant_place(iri_wgsl *w, const iri_inst *in, const uint8_t *lanes,
                                      uint32_t count)
{
    const iri_wgsl_resource *r = &w->resources[iri_immediates(w->p, in)[0]];
    uint32_t offset = static_offset(w->p, in), parts = 0;
    iri_scalar wanted = IRI_TYPE_SCALAR(iri_type_of(w->p, in->results));
    iri_wgsl_expr e[4];
    for (uint32_t i = 0; i < count;) {
        uint32_t outside = 0;
        while (i < count && !is_inside(w, in, lanes[i]))
            i++, outside++;
        if (outside) {
            e[parts++] = iri_wgsl_zero(w, IRI_TYPE(wanted, outside));
            continue;
        }
        place first = find_place(r, offset + 4u * lanes[i]);
        iri_scalar declared = (iri_scalar)(first.member ? first.member->scalar : r->scalar);
        uint8_t chosen[4];
        uint32_t run = 0;
        for (; i < count && is_inside(w, in, lanes[i]); i++) {
            place next = find_place(r, offset + 4u * lanes[i]);
            if (next.member != first.member || (has_rows(&first) && next.row != first.row))
                break;
            chosen[run++] = next.lane;
        }
        e[parts] = (iri_wgsl_expr){.text = place_text(w, r, &first), .level = IRI_LEVEL_POSTFIX};
        e[parts] = iri_wgsl_swizzled(w, e[parts], first.of, chosen, run, declared);
        e[parts] = iri_wgsl_as_loaded(w, e[parts], declared, IRI_TYPE(wanted, run));
        parts++;
    }
    if (parts > 1)
        e[0] = iri_wgsl_call(w, iri_wgsl_type(w, IRI_TYPE(wanted, count)), e, parts);
    return e[0];
}

/* ---- declaring ---- */

static void put_member_type(iri_wgsl *w, iri_buf *out, const iri_wgsl_member *m)
{
    iri_scalar scalar = (iri_scalar)m->scalar;
    if (m->rows) {
        iri_buf_put(out, IRI_STR("array<"));
        iri_buf_put(out, iri_wgsl_type(w, IRI_TYPE(scalar, 4)));
        iri_buf_put(out, IRI_STR(", "));
        iri_buf_uint(out, m->rows);
        iri_buf_char(out, '>');
    } else if (m->columns && scalar == IRI_F32) {
        iri_buf_put(out, IRI_STR("mat"));
        iri_buf_uint(out, m->columns);
        iri_buf_char(out, 'x');
        iri_buf_uint(out, m->lanes);
        iri_buf_char(out, 'f');
    } else {
        iri_buf_put(out, iri_wgsl_type(w, IRI_TYPE(scalar, m->lanes)));
    }
}

/* Whether offsets are those of registers: "c4". */
static bool has_registers(const iri_wgsl *w, const iri_resource *source)
{
    return strcmp(w->p->provenance.format, "d3d9") == 0 && source->reg <= 2 && !source->space &&
           !(source->flags & IRI_RESOURCE_STATE);
}

static uint32_t register_at(const iri_resource *source, uint32_t offset)
{
    return offset / (source->reg == 2 ? 4 : 16);
}

static void put_register(iri_buf *out, const iri_resource *source, uint32_t number)
{
    iri_buf_char(out, "cib"[source->reg]);
    iri_buf_uint(out, number);
}

static void declare_struct(iri_wgsl *w, iri_buf *out, uint32_t index)
{
    const iri_wgsl_resource *r = &w->resources[index];
    const iri_resource *source = &w->p->interface.resources[index];
    bool registers = has_registers(w, source);
    if (w->declared)
        iri_buf_char(out, '\n');
    iri_buf_put(out, IRI_STR("struct "));
    iri_buf_put(out, r->struct_name);
    iri_buf_put(out, IRI_STR(" {\n"));
    if (r->members[0].offset) {
        iri_buf_put(out, IRI_STR("    @size("));
        iri_buf_uint(out, r->members[0].offset);
        iri_buf_put(out, IRI_STR(") padding: u32,\n"));
    }
    for (uint32_t i = 0; i < r->member_count; i++) {
        const iri_wgsl_member *m = &r->members[i];
        iri_buf_put(out, IRI_STR("    "));
        if (i + 1 < r->member_count &&
            align_up(m->offset + size_of(m), align_of(m + 1)) != m[1].offset) {
            iri_buf_put(out, IRI_STR("@size("));
            iri_buf_uint(out, m[1].offset - m->offset);
            iri_buf_put(out, IRI_STR(") "));
        }
        iri_buf_put(out, m->name);
        iri_buf_put(out, IRI_STR(": "));
        put_member_type(w, out, m);
        iri_buf_char(out, ',');
        if (registers) {
            iri_buf_put(out, IRI_STR(" // "));
            put_register(out, source, register_at(source, m->offset));
        }
        iri_buf_char(out, '\n');
    }
    iri_buf_put(out, IRI_STR("}\n"));
}

/* What the rows are called in the source. */
static void list_names(iri_wgsl *w, iri_buf *out, const iri_resource *source)
{
    bool registers = has_registers(w, source);
    for (uint32_t i = 0; i < source->member_count; i++) {
        const iri_member *m = &source->members[i];
        uint32_t last = m->offset + (m->size ? m->size - 1 : 0);
        uint32_t from = register_at(source, m->offset), to = register_at(source, last);
        iri_buf_put(out, IRI_STR("// "));
        if (!registers)
            iri_buf_uint(out, m->offset);
        else
            put_register(out, source, from);
        if (registers && from != to) {
            iri_buf_put(out, IRI_STR(".."));
            put_register(out, source, to);
        }
        iri_buf_put(out, IRI_STR(": "));
        iri_str name = iri_str_of(m->name ? m->name : "");
        iri_buf_put(out, iri_names_clean(w->arena, name, IRI_STR("constant")));
        iri_buf_char(out, '\n');
    }
}

void iri_wgsl_declare_constants(iri_wgsl *w, iri_buf *out, uint32_t index)
{
    const iri_wgsl_resource *r = &w->resources[index];
    const iri_resource *source = &w->p->interface.resources[index];
    bool storage = source->size > IRI_WGSL_UNIFORM_BYTES;
    if (!r->read && source->size == 0)
        return;
    if (r->raw)
        list_names(w, out, source);
    else
        declare_struct(w, out, index);
    iri_wgsl_put_binding(out, &r->binding);
    iri_buf_put(out, storage ? IRI_STR("var<storage, read> ") : IRI_STR("var<uniform> "));
    iri_buf_put(out, r->name);
    iri_buf_put(out, IRI_STR(": "));
    if (r->raw) {
        uint32_t rows = source->size / 16 + (source->size % 16 != 0);
        iri_buf_put(out, IRI_STR("array<"));
        iri_buf_put(out, iri_wgsl_type(w, IRI_TYPE(r->scalar, 4)));
        iri_buf_put(out, IRI_STR(", "));
        iri_buf_uint(out, rows ? rows : 1);
        iri_buf_char(out, '>');
    } else {
        iri_buf_put(out, r->struct_name);
    }
    iri_buf_put(out, IRI_STR(";\n"));
    w->declared = true;
}
