/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constant buffers. Where all reads are at known places the buffer is a struct with the source's
 * names, each member at its byte offset (WGSL section 14.4: sizes and alignments); rows otherwise.
 * Direct3D 9's registers are rows of 16 bytes, its booleans words of 4.
 */
#include "write/wgsl/wgsl.h"

#include "write/wgsl/words.h"
#include <string.h>

enum { MEMBERS_MAX = 1023 /* WGSL section 1.4: members of a structure */ };

bool iri_wgsl_is_static_load(const iri_program *p, const iri_inst *in)
{
    return iri_is_constant(p, iri_operands(p, in)[0]);
}

static uint32_t static_offset(const iri_program *p, const iri_inst *in)
{
    return (uint32_t)iri_constant(p, iri_operands(p, in)[0])[0];
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
    if (!r->read)
        r->scalar = scalar == IRI_I32 || scalar == IRI_F32 ? (uint8_t)scalar : IRI_U32;
    r->read = true;
    r->dynamic = r->dynamic || !iri_wgsl_is_static_load(w->p, in);
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
                    const char *prefix, uint32_t depth)
{
    for (uint32_t i = 0; i < count; i++) {
        const iri_member *m = &members[i];
        const char *name = iri_wgsl_printf(l->w, "%s%s", prefix, m->name ? m->name : "");
        iri_wgsl_member out = {
            .name = name, .source = m, .offset = offset + m->offset, .size = m->size};
        if (m->member_class == IRI_MEMBER_STRUCT && !m->elements && depth < 8) {
            collect(l, m->members, m->member_count, out.offset, iri_wgsl_printf(l->w, "%s_", name),
                    depth + 1);
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
        extra.name = iri_wgsl_printf(l->w, "c%u", (unsigned)(byte / 16));
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
    for (uint32_t r = 1; r < w->p->region_count && l->fits; r++) {
        iri_for_each_inst(w->p, r, in)
        {
            if (in->op != IRI_OP_LOAD_CB || iri_immediates(w->p, in)[0] != l->resource ||
                !w->values[in->results].uses)
                continue;
            for (uint32_t lane = 0; lane < 4; lane++)
                if (words_read(w, in) >> lane & 1u)
                    fit_word(l, static_offset(w->p, in) + 4 * lane);
        }
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
    collect(&l, source->members, source->member_count, 0, "", 0);
    fit_reads(&l);
    if (!is_sayable(&l))
        return;
    r->raw = false;
    r->members = l.members.at;
    r->member_count = l.members.count;
    iri_names_init(&l.names, w->arena, iri_wgsl_is_reserved, NULL);
    for (uint32_t i = 0; i < r->member_count; i++) {
        iri_wgsl_member *m = &r->members[i];
        const char *wanted = m->name;
        /* The constants of a bank are declared as what reads them; state values as what they are. */
        m->scalar =
            (source->flags & IRI_RESOURCE_STATE) && m->source ? m->source->scalar : r->scalar;
        m->name = iri_names_claim(&l.names, wanted, "constant");
        iri_emitted_name name = {
            wanted, m->name, 3, index, (int32_t)r->binding.group, (int32_t)r->binding.binding, -1};
        iri_push(w->arena, &w->result->names, name);
    }
    /* `perFrame: PerFrame`: the struct has the name with its first letter's case turned. */
    char *type = iri_arena_copy_text(w->arena, r->name, strlen(r->name));
    if (type[0] >= 'a' && type[0] <= 'z')
        type[0] = (char)(type[0] - 'a' + 'A');
    r->struct_name = iri_names_claim(&w->names, type, "Constants");
}

void iri_wgsl_plan_constants(iri_wgsl *w)
{
    for (uint32_t r = 1; r < w->p->region_count; r++)
        iri_for_each_inst(w->p, r, in) if (in->op == IRI_OP_LOAD_CB && w->values[in->results].uses)
            note_load(w, in);
    for (uint32_t i = 0; i < w->p->interface.resource_count; i++)
        if (w->p->interface.resources[i].kind == IRI_RESOURCE_CBUFFER)
            plan_one(w, i);
}

/* ---- reading ---- */

typedef struct place {
    const char *text;
    uint32_t of; /* lanes it has */
    uint8_t lane;
    uint8_t scalar;
} place;

static place find_place(iri_wgsl *w, uint32_t index, uint32_t byte)
{
    iri_wgsl_resource *r = &w->resources[index];
    place at = {.of = 4, .lane = (uint8_t)(byte % 16 / 4), .scalar = r->scalar};
    if (r->raw) {
        at.text = iri_wgsl_printf(w, "%s[%u]", r->name, (unsigned)(byte / 16));
        return at;
    }
    const iri_wgsl_member *m = find_member(r->members, r->member_count, byte);
    assert(m);
    at.scalar = m->scalar;
    const char *name = iri_wgsl_printf(w, "%s.%s", r->name, m->name);
    if (m->rows || m->columns) {
        at.text = iri_wgsl_printf(w, "%s[%u]", name, (unsigned)((byte - m->offset) / 16));
        at.of = m->columns ? m->lanes : 4;
        at.lane = (uint8_t)((byte - m->offset) % 16 / 4);
        return at;
    }
    at.text = name;
    at.of = m->lanes;
    at.lane = (uint8_t)((byte - m->offset) / 4);
    return at;
}

/* From the scalar that the buffer is declared with to the one that the load gives. */
static iri_wgsl_expr as_loaded(iri_wgsl *w, iri_wgsl_expr e, iri_scalar declared, iri_type type)
{
    iri_scalar wanted = IRI_TYPE_SCALAR(type);
    if (wanted == declared)
        return e;
    if (wanted == IRI_BOOL) {
        const uint64_t zeros[4] = {0};
        iri_wgsl_expr zero = iri_wgsl_constant(w, IRI_TYPE(declared, IRI_TYPE_LANES(type)), zeros);
        e.text = iri_wgsl_printf(w, "%s != %s", iri_wgsl_at(w, e, IRI_LEVEL_SHIFT), zero.text);
        e.level = IRI_LEVEL_COMPARE;
        return e;
    }
    return iri_wgsl_call(w, iri_wgsl_printf(w, "bitcast<%s>", iri_wgsl_type(w, type)), &e, 1);
}

iri_wgsl_expr iri_wgsl_constant_place(iri_wgsl *w, const iri_inst *in, const uint8_t *lanes,
                                      uint32_t count)
{
    uint32_t index = iri_immediates(w->p, in)[0], offset = static_offset(w->p, in), parts = 0;
    iri_scalar wanted = IRI_TYPE_SCALAR(iri_type_of(w->p, in->results));
    iri_wgsl_expr e[4];
    for (uint32_t i = 0; i < count;) {
        place first = find_place(w, index, offset + 4u * lanes[i]);
        uint8_t chosen[4];
        uint32_t run = 0;
        for (; i < count; i++) {
            place next = find_place(w, index, offset + 4u * lanes[i]);
            if (strcmp(next.text, first.text) != 0)
                break;
            chosen[run++] = next.lane;
        }
        e[parts] = (iri_wgsl_expr){.text = first.text, .level = IRI_LEVEL_POSTFIX};
        e[parts] = iri_wgsl_swizzled(w, e[parts], first.of, chosen, run, (iri_scalar)first.scalar);
        e[parts] = as_loaded(w, e[parts], (iri_scalar)first.scalar, IRI_TYPE(wanted, run));
        parts++;
    }
    if (parts > 1)
        e[0] = iri_wgsl_call(w, iri_wgsl_type(w, IRI_TYPE(wanted, count)), e, parts);
    return e[0];
}

/* Legalize leaves `row << 4` or `(row << 4) + lane * 4` as the offset of a read at run time, and sees
 * to it that the row exists. */
iri_wgsl_expr iri_wgsl_dynamic_load(iri_wgsl *w, const iri_inst *in)
{
    const iri_program *p = w->p;
    iri_type type = iri_type_of(p, in->results);
    const iri_inst *def = iri_def(p, iri_operands(p, in)[0]);
    uint32_t byte = 0;
    if (def && def->op == IRI_OP_IADD && iri_is_constant(p, iri_operands(p, def)[1])) {
        byte = (uint32_t)iri_constant(p, iri_operands(p, def)[1])[0];
        def = iri_def(p, iri_operands(p, def)[0]);
    }
    bool fits = def && def->op == IRI_OP_SHL && iri_is_constant(p, iri_operands(p, def)[1]) &&
                iri_constant(p, iri_operands(p, def)[1])[0] == 4 && byte % 4 == 0 &&
                byte + 4 * IRI_TYPE_LANES(type) <= 16;
    if (!fits)
        iri_fail(w->ctx, IRI_INTERNAL, in->offset, "load.cb of no row that legalize made");
    iri_wgsl_resource *r = &w->resources[iri_immediates(p, in)[0]];
    iri_wgsl_expr e = iri_wgsl_operand(w, iri_operands(p, def)[0]);
    uint8_t chosen[4];
    for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++)
        chosen[i] = (uint8_t)(byte / 4 + i);
    e.text = iri_wgsl_printf(w, "%s[%s]", r->name, e.text);
    e.level = IRI_LEVEL_POSTFIX;
    e = iri_wgsl_swizzled(w, e, 4, chosen, IRI_TYPE_LANES(type), r->scalar);
    return as_loaded(w, e, r->scalar, type);
}

/* ---- declaring ---- */

static const char *member_type(iri_wgsl *w, const iri_wgsl_member *m)
{
    iri_scalar scalar = (iri_scalar)m->scalar;
    if (m->rows)
        return iri_wgsl_printf(w, "array<%s, %u>", iri_wgsl_type(w, IRI_TYPE(scalar, 4)),
                               (unsigned)m->rows);
    if (m->columns && scalar == IRI_F32)
        return iri_wgsl_printf(w, "mat%ux%uf", m->columns, m->lanes);
    return iri_wgsl_type(w, IRI_TYPE(scalar, m->lanes));
}

/* "c4": the register at an offset, for programs that have such. */
static const char *register_at(iri_wgsl *w, const iri_resource *source, uint32_t offset)
{
    if (strcmp(w->p->provenance.format, "d3d9") != 0 || source->reg > 2 || source->space ||
        (source->flags & IRI_RESOURCE_STATE))
        return NULL;
    return iri_wgsl_printf(w, "%c%u", "cib"[source->reg],
                           (unsigned)(offset / (source->reg == 2 ? 4 : 16)));
}

static void declare_struct(iri_wgsl *w, iri_buf *out, uint32_t index)
{
    const iri_wgsl_resource *r = &w->resources[index];
    const iri_resource *source = &w->p->interface.resources[index];
    if (w->declared)
        iri_buf_char(out, '\n');
    iri_buf_printf(out, "struct %s {\n", r->struct_name);
    if (r->members[0].offset)
        iri_buf_printf(out, "    @size(%u) padding: u32,\n", (unsigned)r->members[0].offset);
    for (uint32_t i = 0; i < r->member_count; i++) {
        const iri_wgsl_member *m = &r->members[i];
        iri_buf_str(out, "    ");
        if (i + 1 < r->member_count &&
            align_up(m->offset + size_of(m), align_of(m + 1)) != m[1].offset)
            iri_buf_printf(out, "@size(%u) ", (unsigned)(m[1].offset - m->offset));
        iri_buf_printf(out, "%s: %s,", m->name, member_type(w, m));
        const char *first = register_at(w, source, m->offset);
        if (first)
            iri_buf_printf(out, " // %s", first);
        iri_buf_char(out, '\n');
    }
    iri_buf_str(out, "}\n");
}

/* What the rows are called in the source. */
static void list_names(iri_wgsl *w, iri_buf *out, const iri_resource *source)
{
    for (uint32_t i = 0; i < source->member_count; i++) {
        const iri_member *m = &source->members[i];
        uint32_t last = m->offset + (m->size ? m->size - 1 : 0);
        const char *name = iri_names_clean(w->arena, m->name, "constant");
        const char *a = register_at(w, source, m->offset), *b = register_at(w, source, last);
        if (!a || !b)
            iri_buf_printf(out, "// %u: %s\n", (unsigned)m->offset, name);
        else if (strcmp(a, b) == 0)
            iri_buf_printf(out, "// %s: %s\n", a, name);
        else
            iri_buf_printf(out, "// %s..%s: %s\n", a, b, name);
    }
}

void iri_wgsl_declare_constants(iri_wgsl *w, iri_buf *out, uint32_t index)
{
    const iri_wgsl_resource *r = &w->resources[index];
    const iri_resource *source = &w->p->interface.resources[index];
    bool storage = source->size > IRI_WGSL_UNIFORM_BYTES;
    if (!r->read && source->size == 0)
        return;
    const char *type = r->struct_name;
    if (r->raw) {
        uint32_t rows = source->size / 16 + (source->size % 16 != 0);
        type = iri_wgsl_printf(w, "array<%s, %u>", iri_wgsl_type(w, IRI_TYPE(r->scalar, 4)),
                               (unsigned)(rows ? rows : 1));
        list_names(w, out, source);
    } else {
        declare_struct(w, out, index);
    }
    w->declared = true;
    iri_buf_printf(out, "@group(%u) @binding(%u) var<%s> %s: %s;\n", (unsigned)r->binding.group,
                   (unsigned)r->binding.binding, storage ? "storage, read" : "uniform", r->name,
                   type);
}
