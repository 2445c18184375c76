/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constants read at run time: a function for each buffer that is read so takes the number of a row, and gives zero for
 * one that is not there.
 */
#include "write/wgsl/wgsl.h"

/* Where a read's row number comes from: the value `number`, plus `add` rows. `byte` is within the row. */
typedef struct row_of {
    iri_id number;
    uint32_t add, byte;
    bool found;
    bool wraps; /* the number may lose its upper four bits where it becomes an offset */
} row_of;

static bool constant_u32(const iri_program *p, iri_id value, uint32_t *out)
{
    if (!iri_is_constant(p, value))
        return false;
    *out = (uint32_t)iri_constant(p, value)[0];
    return true;
}

static uint32_t rows_of(const iri_program *p, const iri_inst *load)
{
    uint32_t size = p->interface.resources[iri_immediates(p, load)[0]].size;
    return size / 16 + (size % 16 != 0);
}

static row_of find_row(const iri_program *p, const iri_inst *load)
{
    row_of r = {.wraps = true};
    uint32_t k, add = 0, limit;
    iri_id offset = iri_operands(p, load)[0];
    const iri_inst *in = iri_def(p, offset);
    r.number = offset;
    if (in && in->op == IRI_OP_IADD && constant_u32(p, iri_operands(p, in)[1], &add))
        in = iri_def(p, iri_operands(p, in)[0]);
    bool scaled = in && (in->op == IRI_OP_IMUL || in->op == IRI_OP_SHL) &&
                  constant_u32(p, iri_operands(p, in)[1], &k) &&
                  (in->op == IRI_OP_SHL ? k == 4 : k == 16);
    if (!scaled || add % 4 || add % 16 + 4 * IRI_TYPE_LANES(iri_type_of(p, load->results)) > 16)
        return r;
    r.found = true;
    r.byte = add % 16;
    r.add = add / 16;
    r.number = iri_operands(p, in)[0];
    /* A number held below some limit does not wrap when it is scaled. */
    const iri_inst *min = iri_def(p, r.number);
    if (iri_type_of(p, r.number) == IRI_TYPE_U32 && min && min->op == IRI_OP_IMIN &&
        constant_u32(p, iri_operands(p, min)[1], &limit) && limit < (1u << 27) &&
        add < (1u << 30)) {
        r.wraps = false;
        /* All that the limit changes is which row that is not there is read. */
        if (limit >= rows_of(p, load) && r.add == 0)
            r.number = iri_operands(p, min)[0];
    }
    return r;
}

iri_id iri_wgsl_row_operand(const iri_wgsl *w, const iri_inst *in)
{
    return find_row(w->p, in).number;
}

static iri_wgsl_expr row_number(iri_wgsl *w, const row_of *r)
{
    iri_wgsl_expr e = iri_wgsl_operand(w, r->number);
    if (iri_type_of(w->p, r->number) != IRI_TYPE_U32)
        e = iri_wgsl_call(w, IRI_STR("u32"), &e, 1);
    if (r->add)
        e = iri_wgsl_binary(w, e, IRI_LEVEL_ADD, IRI_STR(" + "),
                            iri_wgsl_literal(w, IRI_U32, r->add), IRI_LEVEL_MUL, IRI_LEVEL_ADD);
    if (r->wraps)
        e = iri_wgsl_binary(w, e, IRI_LEVEL_UNARY, IRI_STR(" & "),
                            iri_wgsl_literal(w, IRI_U32, 0x0fffffffu), IRI_LEVEL_UNARY,
                            IRI_LEVEL_BITS);
    return e;
}

iri_wgsl_expr iri_wgsl_dynamic_load(iri_wgsl *w, const iri_inst *in)
{
    const iri_program *p = w->p;
    iri_type type = iri_type_of(p, in->results);
    const iri_wgsl_resource *r = &w->resources[iri_immediates(p, in)[0]];
    row_of row = find_row(p, in);
    uint8_t chosen[4];
    if (!row.found)
        iri_fail(w->ctx, IRI_UNWRITABLE, in->offset,
                 "a constant is read at a run-time offset that is not that of a row");
    if (!rows_of(p, in))
        return iri_wgsl_zero(w, type);
    for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++)
        chosen[i] = (uint8_t)(row.byte / 4 + i);
    iri_wgsl_expr e = row_number(w, &row);
    e = iri_wgsl_call(w, r->row_function, &e, 1);
    e = iri_wgsl_swizzled(w, e, 4, chosen, IRI_TYPE_LANES(type), (iri_scalar)r->scalar);
    return iri_wgsl_as_loaded(w, e, (iri_scalar)r->scalar, type);
}

/* Which lanes of row `row` are there: of the last one perhaps not all. */
static void put_inside(iri_buf *out, uint32_t size)
{
    uint32_t rows = size / 16, rest = size % 16 / 4;
    if (size % 16)
        iri_buf_put(out, IRI_STR("vec4<bool>("));
    for (uint32_t lane = 0; lane < (size % 16 ? 4 : 1); lane++) {
        iri_buf_put(out, lane ? IRI_STR(", row < ") : IRI_STR("row < "));
        iri_buf_uint(out, rows + (lane < rest));
        iri_buf_char(out, 'u');
    }
    if (size % 16)
        iri_buf_char(out, ')');
}

void iri_wgsl_write_row_function(iri_wgsl *w, iri_buf *out, uint32_t resource)
{
    const iri_wgsl_resource *r = &w->resources[resource];
    uint32_t size = w->p->interface.resources[resource].size;
    iri_type type = IRI_TYPE(r->scalar, 4);
    if (!r->dynamic || !size)
        return;
    iri_buf_put(out, IRI_STR("\n// "));
    iri_buf_put(out, r->name);
    iri_buf_put(out, IRI_STR("[row], and zero where there is no such row.\nfn "));
    iri_buf_put(out, r->row_function);
    iri_buf_put(out, IRI_STR("(row: u32) -> "));
    iri_buf_put(out, iri_wgsl_type(w, type));
    iri_buf_put(out, IRI_STR(" {\n    return select("));
    iri_buf_put(out, iri_wgsl_zero(w, type).text);
    iri_buf_put(out, IRI_STR(", "));
    iri_buf_put(out, r->name);
    iri_buf_put(out, IRI_STR("[min(row, "));
    iri_buf_uint(out, (size - 1) / 16);
    iri_buf_put(out, IRI_STR("u)], "));
    put_inside(out, size);
    iri_buf_put(out, IRI_STR(");\n}\n"));
}
