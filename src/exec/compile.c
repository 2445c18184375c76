/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a program to steps: everything but control flow (compile_flow.c) and the allocation of columns
 * (compile_regs.c). A lane whose operands are all uniform becomes a uniform operation; renamings make no step.
 */
#include "exec/exec.h"

#include "ir/eval.h"

/* ---- vregs and uniforms ---- */

uint32_t iri_exec_vreg(iri_exec_compiler *c, iri_scalar scalar)
{
    iri_vreg v = {.first = UINT32_MAX, .column = IRI_NO_COLUMN, .wide = iri_is_wide(scalar)};
    iri_push(c->scratch, &c->vregs, v);
    return c->vregs.count - 1;
}

uint32_t iri_exec_define(iri_exec_compiler *c, iri_scalar scalar)
{
    return iri_exec_touch(c, iri_exec_vreg(c, scalar));
}

/* A vreg from before a loop must keep its column until the loop's end: the next pass reads it again. */
uint32_t iri_exec_touch(iri_exec_compiler *c, uint32_t vreg)
{
    iri_vreg *v = &c->vregs.at[vreg];
    uint32_t at = c->steps.count;
    if (v->fixed)
        return vreg;
    if (v->first > at)
        v->first = at;
    if (v->last < at)
        v->last = at;
    for (uint32_t i = 0; i < c->loops.count; i++) {
        iri_loop_span *loop = &c->loops.at[i];
        if (v->first >= loop->start)
            continue;
        if (!loop->outliving.count || loop->outliving.at[loop->outliving.count - 1] != vreg)
            iri_push(c->scratch, &loop->outliving, vreg);
        break;
    }
    return vreg;
}

static uint32_t new_uniform(iri_exec_compiler *c)
{
    iri_push(c->scratch, &c->uniforms, 0);
    return c->uniforms.count - 1;
}

uint32_t iri_exec_uniform(iri_exec_compiler *c, uint64_t bits)
{
    bool added;
    uint32_t *known = iri_map_put(&c->constants, &bits, sizeof bits, &added);
    if (added) {
        *known = c->uniforms.count;
        iri_push(c->scratch, &c->uniforms, bits);
    }
    return *known | IRI_REF_UNIFORM;
}

/* A uniform number's columns differ by how the scalar is held: a word, a mask, two words. */
static uint32_t broadcast(iri_exec_compiler *c, uint32_t uniform, iri_scalar scalar)
{
    uint32_t key[2] = {uniform, scalar == IRI_BOOL ? 1 : iri_is_wide(scalar) ? 2 : 0};
    bool added;
    uint32_t *known = iri_map_put(&c->broadcast_of, key, sizeof key, &added);
    if (added) {
        uint32_t vreg = iri_exec_vreg(c, scalar);
        c->vregs.at[vreg].fixed = true;
        iri_broadcast b = {uniform, vreg, (uint8_t)scalar};
        iri_push(c->scratch, &c->broadcasts, b);
        *known = vreg;
    }
    return *known;
}

uint32_t iri_exec_use(iri_exec_compiler *c, uint32_t ref, iri_scalar scalar)
{
    assert(ref);
    if (ref & IRI_REF_UNIFORM)
        return broadcast(c, ref & ~IRI_REF_UNIFORM, scalar);
    return iri_exec_touch(c, ref);
}

uint32_t *iri_exec_value(iri_exec_compiler *c, iri_id value)
{
    uint32_t *refs = c->values[value];
    if (!refs[0] && iri_is_constant(c->p, value)) {
        const uint64_t *lanes = iri_constant(c->p, value);
        for (uint32_t i = 0; i < IRI_TYPE_LANES(iri_type_of(c->p, value)); i++)
            refs[i] = iri_exec_uniform(c, lanes[i]);
    }
    return refs;
}

uint32_t iri_exec_push(iri_exec_compiler *c, const iri_step *step)
{
    iri_push(c->scratch, &c->steps, *step);
    return c->steps.count - 1;
}

void iri_exec_moves(iri_exec_compiler *c, const uint32_t *to, const uint32_t *refs, uint32_t count,
                    iri_scalar scalar, bool masked)
{
    const iri_kernels *k = c->exec->kernels;
    bool wide = iri_is_wide(scalar);
    iri_step s = {.pure = true};
    s.run = masked ? (wide ? iri_kernel_move64 : k->move) : (wide ? iri_kernel_copy64 : k->copy);
    for (uint32_t i = 0; i < count; i++) {
        if (to[i] == refs[i])
            continue;
        s.d[s.lanes] = iri_exec_touch(c, to[i]);
        s.a[s.lanes++] = iri_exec_use(c, refs[i], scalar);
    }
    if (s.lanes)
        iri_exec_push(c, &s);
}

/* ---- lane operations ---- */

static int kernel_set(iri_scalar scalar)
{
    switch (scalar) {
    case IRI_F32: return IRI_KERNELS_F32;
    case IRI_I32: return IRI_KERNELS_I32;
    case IRI_U32:
    case IRI_BOOL: return IRI_KERNELS_U32;
    default: return -1;
    }
}

static iri_kernel *conversion(const iri_kernels *k, iri_scalar from, iri_scalar to)
{
    if (from == IRI_F32 && to == IRI_I32)
        return k->f32_to_i32;
    if (from == IRI_F32 && to == IRI_U32)
        return k->f32_to_u32;
    if (from == IRI_I32 && to == IRI_F32)
        return k->i32_to_f32;
    if (from == IRI_U32 && to == IRI_F32)
        return k->u32_to_f32;
    return iri_kernel_general;
}

/* The kernel of a lane operation. `seen`: whether the payload of a NaN it makes can be seen. */
static iri_kernel *find_kernel(const iri_kernels *k, uint32_t op, iri_scalar scalar,
                               iri_scalar result, bool seen)
{
    const iri_op_info *info = &iri_op_infos[op];
    int set = kernel_set(scalar);
    if (info->operands[0] == 'C')
        return iri_is_wide(scalar) ? iri_kernel_general : k->select;
    if (set < 0)
        return iri_kernel_general;
    if (info->results[0] == 'I' || info->results[0] == 'F')
        return conversion(k, scalar, result);
    if (scalar == IRI_F32 && !seen && info->results[0] == 'T' &&
        !(info->properties & IRI_PROP_KEEPS_NAN))
        return k->loose[op];
    return k->lane[set][op];
}

static bool all_uniform(const uint32_t *refs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!(refs[i] & IRI_REF_UNIFORM))
            return false;
    return true;
}

/* One lane of uniform operands. */
static uint32_t uniform_lane(iri_exec_compiler *c, uint32_t op, iri_scalar scalar,
                             iri_scalar result, const uint32_t *refs, uint32_t count)
{
    iri_uniform_op u = {.kind = IRI_UNIFORM_LANE,
                        .op = (uint16_t)op,
                        .scalar = (uint8_t)scalar,
                        .result = (uint8_t)result,
                        .to = new_uniform(c)};
    for (uint32_t i = 0; i < 3; i++)
        u.operands[i] = i < count ? refs[i] & ~IRI_REF_UNIFORM : 0;
    iri_push(c->scratch, &c->uniform_ops, u);
    return u.to | IRI_REF_UNIFORM;
}

static void compile_lanes(iri_exec_compiler *c, const iri_inst *in)
{
    const iri_program *p = c->p;
    const uint32_t *operands = iri_operands(p, in);
    iri_type type = iri_type_of(p, in->results);
    iri_scalar result = IRI_TYPE_SCALAR(type);
    iri_type types[3] = {0};
    iri_scalar scalar = IRI_VOID;
    uint32_t *to = c->values[in->results];
    iri_step s = {
        .op = in->op, .pure = true, .inst = (iri_id)(in - p->insts), .result = (uint8_t)result};

    for (uint32_t i = 0; i < in->operand_count && i < 3; i++)
        scalar = IRI_TYPE_SCALAR(types[i] = iri_type_of(p, operands[i]));
    s.scalar = (uint8_t)scalar;
    s.run = find_kernel(c->exec->kernels, in->op, scalar, result, c->payloads[in->results]);
    for (uint32_t lane = 0; lane < IRI_TYPE_LANES(type); lane++) {
        uint32_t refs[3] = {0};
        for (uint32_t i = 0; i < in->operand_count && i < 3; i++)
            refs[i] = iri_exec_value(c, operands[i])[IRI_TYPE_LANES(types[i]) > lane ? lane : 0];
        if (in->op == IRI_OP_ITOI && iri_scalar_bits(scalar) == iri_scalar_bits(result)) {
            to[lane] = refs[0]; /* the same bits */
        } else if (!c->trace && all_uniform(refs, in->operand_count)) {
            to[lane] = uniform_lane(c, in->op, scalar, result, refs, in->operand_count);
        } else {
            s.a[s.lanes] = iri_exec_use(c, refs[0], IRI_TYPE_SCALAR(types[0]));
            s.b[s.lanes] = refs[1] ? iri_exec_use(c, refs[1], IRI_TYPE_SCALAR(types[1])) : 0;
            s.c[s.lanes] = refs[2] ? iri_exec_use(c, refs[2], IRI_TYPE_SCALAR(types[2])) : 0;
            s.d[s.lanes++] = to[lane] = iri_exec_define(c, result);
        }
    }
    if (s.lanes)
        iri_exec_push(c, &s);
}

/* One operation of two scalar operands. */
static uint32_t combine(iri_exec_compiler *c, const iri_inst *in, uint32_t op, iri_scalar scalar,
                        uint32_t a, uint32_t b)
{
    uint32_t refs[2] = {a, b};
    if (!c->trace && all_uniform(refs, 2))
        return uniform_lane(c, op, scalar, scalar, refs, 2);
    iri_step s = {.op = (uint16_t)op,
                  .pure = true,
                  .lanes = 1,
                  .inst = (iri_id)(in - c->p->insts),
                  .scalar = (uint8_t)scalar,
                  .result = (uint8_t)scalar};
    s.run = find_kernel(c->exec->kernels, op, scalar, scalar, true);
    s.a[0] = iri_exec_use(c, a, scalar);
    s.b[0] = iri_exec_use(c, b, scalar);
    uint32_t to = s.d[0] = iri_exec_define(c, scalar);
    iri_exec_push(c, &s);
    return to;
}

/* Products summed from lane x on (eval.c's eval_dot); one step for floats. */
static void compile_dot(iri_exec_compiler *c, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(c->p, in);
    iri_type type = iri_type_of(c->p, operands[0]);
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    uint32_t lanes = IRI_TYPE_LANES(type),
             product = in->op == IRI_OP_DOT ? IRI_OP_MUL : IRI_OP_MUL_ZERO;
    const uint32_t *a = iri_exec_value(c, operands[0]), *b = iri_exec_value(c, operands[1]);
    uint32_t *to = c->values[in->results];
    if (scalar != IRI_F32 || (!c->trace && all_uniform(a, lanes) && all_uniform(b, lanes))) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < lanes; i++) {
            uint32_t term = combine(c, in, product, scalar, a[i], b[i]);
            sum = i ? combine(c, in, IRI_OP_ADD, scalar, sum, term) : term;
        }
        to[0] = sum;
        return;
    }
    const iri_kernels *k = c->exec->kernels;
    iri_step s = {.op = in->op, .lanes = (uint8_t)lanes, .inst = (iri_id)(in - c->p->insts)};
    s.run = (in->op == IRI_OP_DOT ? k->dot : k->dot_zero)[lanes - 1];
    for (uint32_t i = 0; i < lanes; i++) {
        s.a[i] = iri_exec_use(c, a[i], scalar);
        s.b[i] = iri_exec_use(c, b[i], scalar);
    }
    s.d[0] = to[0] = iri_exec_define(c, scalar);
    iri_exec_push(c, &s);
}

static void compile_any_all(iri_exec_compiler *c, const iri_inst *in)
{
    iri_id x = iri_operands(c->p, in)[0];
    const uint32_t *refs = iri_exec_value(c, x);
    uint32_t result = refs[0];
    for (uint32_t i = 1; i < IRI_TYPE_LANES(iri_type_of(c->p, x)); i++)
        result = combine(c, in, in->op == IRI_OP_ANY ? IRI_OP_OR : IRI_OP_AND, IRI_BOOL, result,
                         refs[i]);
    c->values[in->results][0] = result;
}

/* Swizzle, insert, compose, splat, bitcast: the lanes under other names. */
static void compile_renaming(iri_exec_compiler *c, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(c->p, in), *z = iri_immediates(c->p, in);
    uint32_t *to = c->values[in->results], n = 0,
             lanes = IRI_TYPE_LANES(iri_type_of(c->p, in->results));
    uint32_t refs[4] = {0};
    memcpy(refs, iri_exec_value(c, operands[0]), sizeof refs);
    switch (in->op) {
    case IRI_OP_SWIZZLE:
        for (uint32_t i = 0; i < lanes; i++)
            to[i] = refs[IRI_LANES_AT(z[0], i)];
        break;
    case IRI_OP_INSERT: {
        const uint32_t *part = iri_exec_value(c, operands[1]);
        memcpy(to, refs, lanes * sizeof *to);
        for (uint32_t i = 0; i < IRI_LANES_COUNT(z[0]); i++)
            to[IRI_LANES_AT(z[0], i)] = part[i];
        break;
    }
    case IRI_OP_COMPOSE:
        for (uint32_t part = 0; part < in->operand_count; part++)
            for (uint32_t i = 0; i < IRI_TYPE_LANES(iri_type_of(c->p, operands[part])) && n < 4;
                 i++)
                to[n++] = iri_exec_value(c, operands[part])[i];
        break;
    default: /* splat, bitcast */
        for (uint32_t i = 0; i < lanes; i++)
            to[i] = refs[in->op == IRI_OP_SPLAT ? 0 : i];
    }
}

/* ---- interface and memory ---- */

static void compile_input(iri_exec_compiler *c, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(c->p, in);
    iri_type type = iri_type_of(c->p, in->results);
    iri_step s = {.run = iri_kernel_input,
                  .op = in->op,
                  .lanes = (uint8_t)IRI_TYPE_LANES(type),
                  .x = imm[0],
                  .result = (uint8_t)IRI_TYPE_SCALAR(type)};
    if (c->p->stage == IRI_STAGE_COMPUTE)
        s.run = iri_kernel_thread;
    for (uint32_t i = 0; i < s.lanes; i++) {
        s.a[i] = IRI_LANES_AT(imm[1], i);
        s.d[i] = c->values[in->results][i] = iri_exec_define(c, IRI_TYPE_SCALAR(type));
    }
    iri_exec_push(c, &s);
}

static void compile_output(iri_exec_compiler *c, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(c->p, in);
    iri_id value = iri_operands(c->p, in)[0];
    iri_scalar scalar = IRI_TYPE_SCALAR(iri_type_of(c->p, value));
    iri_step s = {.run = iri_kernel_output,
                  .op = in->op,
                  .lanes = (uint8_t)IRI_LANES_COUNT(imm[1]),
                  .x = imm[0],
                  .scalar = (uint8_t)scalar};
    for (uint32_t i = 0; i < s.lanes; i++) {
        s.b[i] = IRI_LANES_AT(imm[1], i);
        s.a[i] = iri_exec_use(c, iri_exec_value(c, value)[i], scalar);
    }
    iri_exec_push(c, &s);
}

static void compile_state(iri_exec_compiler *c, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(c->p, in);
    for (uint32_t i = 0; i < IRI_TYPE_LANES(iri_type_of(c->p, in->results)); i++) {
        iri_uniform_op u = {
            .kind = IRI_UNIFORM_STATE, .x = imm[0], .y = imm[1], .lane = i, .to = new_uniform(c)};
        iri_push(c->scratch, &c->uniform_ops, u);
        c->values[in->results][i] = u.to | IRI_REF_UNIFORM;
    }
}

static void compile_load_cb(iri_exec_compiler *c, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(c->p, in);
    iri_type type = iri_type_of(c->p, in->results);
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    uint32_t resource = iri_immediates(c->p, in)[0];
    uint32_t offset = iri_exec_value(c, operands[0])[0];
    uint32_t index = in->operand_count > 1 ? iri_exec_value(c, operands[1])[0] : IRI_REF_UNIFORM;
    uint32_t bytes = iri_is_wide(scalar) ? 8 : iri_scalar_bits(scalar) == 16 ? 2 : 4;
    iri_step s = {.run = iri_kernel_load_cb,
                  .op = in->op,
                  .pure = true,
                  .lanes = (uint8_t)IRI_TYPE_LANES(type),
                  .x = resource,
                  .result = (uint8_t)scalar};
    bool uniform = (offset & index & IRI_REF_UNIFORM) != 0;
    for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++) {
        if (uniform) {
            iri_uniform_op u = {.kind = IRI_UNIFORM_LOAD,
                                .result = (uint8_t)scalar,
                                .x = resource,
                                .y = i * bytes,
                                .to = new_uniform(c)};
            u.operands[0] = offset & ~IRI_REF_UNIFORM;
            u.operands[1] = in->operand_count > 1 ? index & ~IRI_REF_UNIFORM : UINT32_MAX;
            iri_push(c->scratch, &c->uniform_ops, u);
            c->values[in->results][i] = u.to | IRI_REF_UNIFORM;
            continue;
        }
        s.a[i] = iri_exec_use(c, offset, IRI_U32);
        s.b[i] = in->operand_count > 1 ? iri_exec_use(c, index, IRI_U32) : s.a[i];
        s.c[i] = i * bytes;
        s.z = in->operand_count > 1;
        s.d[i] = c->values[in->results][i] = iri_exec_define(c, scalar);
    }
    if (!uniform)
        iri_exec_push(c, &s);
}

/* Loads copy, since a later store changes the local under the value. */
static void compile_local(iri_exec_compiler *c, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(c->p, in), *imm = iri_immediates(c->p, in);
    const iri_local *local = &c->p->locals[imm[0]];
    iri_scalar scalar = IRI_TYPE_SCALAR(local->type);
    bool store = in->op == IRI_OP_STORE_LOCAL;
    uint32_t lanes = IRI_LANES_COUNT(imm[1]), columns[4], defined[4];
    if (!local->length) {
        for (uint32_t i = 0; i < lanes; i++) {
            columns[i] = c->locals[imm[0]][IRI_LANES_AT(imm[1], i)];
            defined[i] = store ? 0 : (c->values[in->results][i] = iri_exec_vreg(c, scalar));
        }
        if (store)
            iri_exec_moves(c, columns, iri_exec_value(c, operands[0]), lanes, scalar,
                           c->level + c->call_levels > 0);
        else
            iri_exec_moves(c, defined, columns, lanes, scalar, false);
        return;
    }
    iri_step s = {.run = store ? iri_kernel_store_array : iri_kernel_load_array,
                  .op = in->op,
                  .lanes = (uint8_t)lanes,
                  .x = c->arrays[imm[0]],
                  .y = local->length,
                  .z = IRI_TYPE_LANES(local->type),
                  .scalar = (uint8_t)scalar,
                  .result = (uint8_t)scalar};
    iri_id index = operands[in->operand_count - 1];
    for (uint32_t i = 0; i < lanes; i++) {
        s.b[i] = iri_exec_use(c, iri_exec_value(c, index)[0], IRI_U32);
        s.c[i] = IRI_LANES_AT(imm[1], i);
        if (store)
            s.a[i] = iri_exec_use(c, iri_exec_value(c, operands[0])[i], scalar);
        else
            s.d[i] = c->values[in->results][i] = iri_exec_define(c, scalar);
    }
    iri_exec_push(c, &s);
}

static void compile_derivative(iri_exec_compiler *c, const iri_inst *in)
{
    iri_id x = iri_operands(c->p, in)[0];
    iri_type type = iri_type_of(c->p, x);
    iri_step s = {.run = in->op == IRI_OP_DDX ? iri_kernel_ddx : iri_kernel_ddy,
                  .op = in->op,
                  .pure = true,
                  .lanes = (uint8_t)IRI_TYPE_LANES(type),
                  .scalar = (uint8_t)IRI_TYPE_SCALAR(type),
                  .result = (uint8_t)IRI_TYPE_SCALAR(type)};
    for (uint32_t i = 0; i < s.lanes; i++) {
        s.a[i] = iri_exec_use(c, iri_exec_value(c, x)[i], IRI_TYPE_SCALAR(type));
        s.d[i] = c->values[in->results][i] = iri_exec_define(c, IRI_TYPE_SCALAR(type));
    }
    iri_exec_push(c, &s);
}

static uint32_t dimension_lanes(uint32_t dimension)
{
    return dimension == IRI_DIMENSION_1D ? 1 : dimension == IRI_DIMENSION_2D ? 2 : 3;
}

static void use_lanes(iri_exec_compiler *c, iri_id value, uint32_t *columns, uint32_t most)
{
    iri_type type = iri_type_of(c->p, value);
    for (uint32_t i = 0; i < IRI_TYPE_LANES(type) && i < most; i++)
        columns[i] = iri_exec_use(c, iri_exec_value(c, value)[i], IRI_TYPE_SCALAR(type));
}

/* A bias, level or reference behind the coordinates. */
static bool has_extra(uint32_t op)
{
    switch (op) {
    case IRI_OP_SAMPLE_BIAS:
    case IRI_OP_SAMPLE_LOD:
    case IRI_OP_SAMPLE_CMP:
    case IRI_OP_SAMPLE_CMP_LEVEL:
    case IRI_OP_SAMPLE_BIAS_CLAMP:
    case IRI_OP_SAMPLE_CMP_CLAMP:
    case IRI_OP_GATHER_CMP:
    case IRI_OP_GATHER_CMP_PO: return true;
    default: return false;
    }
}

static void compile_sample(iri_exec_compiler *c, const iri_inst *in)
{
    const uint32_t *operands = iri_operands(c->p, in), *imm = iri_immediates(c->p, in);
    const iri_resource *texture = &c->p->interface.resources[imm[0]];
    iri_type type = iri_type_of(c->p, in->results);
    uint32_t next = 1, lanes = dimension_lanes(texture->dimension);
    iri_sample_site site = {.op = in->op,
                            .texture = imm[0],
                            .sampler = imm[1],
                            .dimension = texture->dimension,
                            .arrayed = texture->arrayed,
                            .lanes = (uint8_t)IRI_TYPE_LANES(type)};
    site.coordinate_count = (uint8_t)IRI_TYPE_LANES(iri_type_of(c->p, operands[0]));
    const char *letters = iri_op_infos[in->op].immediates, *offset = strchr(letters, 'x');
    for (uint32_t i = 0; i < 3 && offset; i++)
        site.offset[i] = (int8_t)(imm[offset - letters] >> 8 * i & 0xffu);
    if (strchr(letters, 'k'))
        site.component = (uint8_t)imm[2];
    use_lanes(c, operands[0], site.coordinates, 4);
    if (in->op == IRI_OP_SAMPLE_GRAD || in->op == IRI_OP_SAMPLE_GRAD_CLAMP) {
        site.gradient_count = (uint8_t)lanes;
        use_lanes(c, operands[1], site.ddx, lanes);
        use_lanes(c, operands[2], site.ddy, lanes);
        next = 3;
    }
    site.has_run_time_offset = in->op == IRI_OP_GATHER_PO || in->op == IRI_OP_GATHER_CMP_PO;
    if (site.has_run_time_offset)
        use_lanes(c, operands[next++], site.run_time_offset, 2);
    site.has_extra = has_extra(in->op);
    if (site.has_extra)
        use_lanes(c, operands[next++], &site.extra, 1);
    site.has_clamp = next < iri_range_operand(in->op);
    if (site.has_clamp)
        use_lanes(c, operands[next++], &site.clamp, 1);
    site.has_texture_index = in->operand_count > next;
    if (site.has_texture_index)
        use_lanes(c, operands[next++], &site.texture_index, 1);
    site.has_sampler_index = in->operand_count > next;
    if (site.has_sampler_index)
        use_lanes(c, operands[next++], &site.sampler_index, 1);
    for (uint32_t i = 0; i < site.lanes; i++)
        site.d[i] = c->values[in->results][i] = iri_exec_define(c, IRI_TYPE_SCALAR(type));
    iri_step s = {.run = iri_kernel_sample,
                  .op = in->op,
                  .x = c->samples.count,
                  .inst = (iri_id)(in - c->p->insts)};
    iri_push(c->scratch, &c->samples, site);
    iri_exec_push(c, &s);
}

static void compile_demote(iri_exec_compiler *c, const iri_inst *in)
{
    iri_step s = {.run = iri_kernel_demote, .op = in->op, .lanes = 1};
    s.a[0] = iri_exec_use(c, iri_exec_value(c, iri_operands(c->p, in)[0])[0], IRI_BOOL);
    iri_exec_push(c, &s);
}

void iri_exec_trace(iri_exec_compiler *c, uint32_t kind, const iri_inst *in, iri_id region)
{
    if (!c->trace)
        return;
    iri_trace_site site = {
        .kind = kind, .inst = (iri_id)(in - c->p->insts), .region = region, .offset = in->offset};
    const uint32_t *operands = iri_operands(c->p, in);
    uint32_t count = in->result_count;
    if (kind == IRI_EVENT_RESULT && !count) {
        site.kind = IRI_EVENT_EFFECT;
        count = in->operand_count;
    }
    for (uint32_t i = 0; kind == IRI_EVENT_RESULT && i < count && i < IRI_EVENT_VALUES; i++) {
        iri_id value = in->result_count ? in->results + i : operands[i];
        if (!iri_exec_value(c, value)[0])
            continue;
        site.types[site.count] = iri_type_of(c->p, value);
        use_lanes(c, value, site.columns[site.count++], 4);
    }
    iri_step s = {.run = iri_kernel_trace, .x = c->traces.count};
    iri_push(c->scratch, &c->traces, site);
    iri_exec_push(c, &s);
}

void iri_exec_compile_inst(iri_exec_compiler *c, const iri_inst *in)
{
    switch ((iri_op)in->op) {
    case IRI_OP_SWIZZLE:
    case IRI_OP_INSERT:
    case IRI_OP_COMPOSE:
    case IRI_OP_SPLAT:
    case IRI_OP_BITCAST: compile_renaming(c, in); break;
    case IRI_OP_DOT:
    case IRI_OP_DOT_ZERO: compile_dot(c, in); break;
    case IRI_OP_ANY:
    case IRI_OP_ALL: compile_any_all(c, in); break;
    case IRI_OP_DDX:
    case IRI_OP_DDY: compile_derivative(c, in); break;
    case IRI_OP_INPUT: compile_input(c, in); break;
    case IRI_OP_OUTPUT: compile_output(c, in); break;
    case IRI_OP_STATE: compile_state(c, in); break;
    case IRI_OP_LOAD_CB: compile_load_cb(c, in); break;
    case IRI_OP_LOAD_LOCAL:
    case IRI_OP_STORE_LOCAL: compile_local(c, in); break;
    case IRI_OP_SAMPLE:
    case IRI_OP_SAMPLE_BIAS:
    case IRI_OP_SAMPLE_LOD:
    case IRI_OP_SAMPLE_GRAD:
    case IRI_OP_SAMPLE_CMP:
    case IRI_OP_SAMPLE_CMP_LEVEL:
    case IRI_OP_SAMPLE_CLAMP:
    case IRI_OP_SAMPLE_BIAS_CLAMP:
    case IRI_OP_SAMPLE_GRAD_CLAMP:
    case IRI_OP_SAMPLE_CMP_CLAMP:
    case IRI_OP_GATHER:
    case IRI_OP_GATHER_PO:
    case IRI_OP_GATHER_CMP:
    case IRI_OP_GATHER_CMP_PO:
    case IRI_OP_LOD: compile_sample(c, in); break;
    case IRI_OP_DEMOTE: compile_demote(c, in); break;
    default:
        if (iri_props(in->op) & IRI_PROP_LANE)
            compile_lanes(c, in);
        else
            iri_exec_compile_access(c, in);
    }
    iri_exec_trace(c, IRI_EVENT_RESULT, in, 0);
}

/* ---- the whole ---- */

bool *iri_exec_find_payloads(const iri_program *p, iri_arena *scratch)
{
    bool *seen = iri_new_array(scratch, bool, p->value_count), changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = p->inst_count; i-- > 1;) {
            const iri_inst *in = &p->insts[i];
            uint32_t props = iri_props(in->op);
            bool quiet = ((props & IRI_PROP_LANE) && !(props & IRI_PROP_KEEPS_NAN)) ||
                         in->op == IRI_OP_DOT || in->op == IRI_OP_DOT_ZERO ||
                         (props & IRI_PROP_DERIVATIVE);
            bool passes = (props & IRI_PROP_KEEPS_NAN) || in->op == IRI_OP_SWIZZLE ||
                          in->op == IRI_OP_INSERT || in->op == IRI_OP_COMPOSE ||
                          in->op == IRI_OP_SPLAT;
            if (quiet || (passes && !seen[in->results]))
                continue;
            for (uint32_t k = 0; k < in->operand_count; k++) {
                iri_id x = iri_operands(p, in)[k];
                changed |= !seen[x];
                seen[x] = true;
            }
        }
    }
    return seen;
}

/* As wide as keeps the columns in about what a core's second-level cache holds. */
static uint32_t choose_width(uint32_t wanted, uint32_t columns)
{
    uint32_t width = wanted;
    if (!width) {
        width = 65536 / (columns ? columns : 1);
        width = width > 256 ? 256 : width;
    }
    width = width > 65536 ? 65536 : width;
    width -= width % IRI_EXEC_BLOCK;
    return width < wanted || !width ? width + IRI_EXEC_BLOCK : width;
}

/* A compiler's list as the exec's own array. */
static void *keep_list(iri_exec *e, const void *at, uint32_t count, size_t size)
{
    void *copy = iri_arena_alloc(&e->arena, count + 1u, size);
    if (count)
        memcpy(copy, at, count * size);
    return copy;
}
#define KEEP(e, list) keep_list(e, (list).at, (list).count, sizeof *(list).at)

static void keep(iri_exec_compiler *c)
{
    iri_exec *e = c->exec;
    e->steps = KEEP(e, c->steps);
    e->step_count = c->steps.count;
    e->uniform_start = KEEP(e, c->uniforms);
    e->uniform_count = c->uniforms.count;
    e->uniform_ops = KEEP(e, c->uniform_ops);
    e->uniform_op_count = c->uniform_ops.count;
    e->broadcasts = KEEP(e, c->broadcasts);
    e->broadcast_count = c->broadcasts.count;
    e->samples = KEEP(e, c->samples);
    e->accesses = KEEP(e, c->accesses);
    e->traces = KEEP(e, c->traces);
}

/* Written whole at the end of an entry that nobody leaves early or can be stopped in. */
static void find_covered(const iri_exec_compiler *c)
{
    const iri_program *p = c->p;
    iri_exec *e = c->exec;
    iri_id body = p->functions[p->entry].body;
    bool stops = c->facts[body].returns != 1;
    e->covered = iri_new_array(&e->arena, bool, p->interface.output_count + 1u);
    for (uint32_t i = 0; i < e->step_count; i++)
        stops |= e->steps[i].run == iri_kernel_again;
    iri_for_each_inst(p, body, in)
    {
        const uint32_t *imm = iri_immediates(p, in);
        if (in->op == IRI_OP_OUTPUT && !stops)
            e->covered[imm[0]] |=
                IRI_LANES_COUNT(imm[1]) == IRI_TYPE_LANES(p->interface.outputs[imm[0]].type);
    }
}

static void check_forms(iri_ctx *ctx, const iri_program *p)
{
    if (!p->entry)
        iri_fail(ctx, IRI_INVALID_ARGUMENT, IRI_NO_OFFSET, "the program has no entry");
    for (uint32_t f = 1; f < p->function_count; f++)
        if (p->functions[f].form != IRI_FORM_STRUCTURED)
            iri_fail(ctx, IRI_NOT_STRUCTURED, IRI_NO_OFFSET,
                     "function %s is a graph of blocks: run structurize first",
                     p->functions[f].name);
}

/* A workgroup runs in one pass, so that a barrier has all of it before it. */
static void lay_out_group(iri_exec *e)
{
    const iri_interface *io = &e->program->interface;
    const uint32_t *size = io->facts.workgroup;
    e->group_size = 1;
    if (e->program->stage == IRI_STAGE_COMPUTE)
        e->group_size = size[0] * size[1] * size[2];
    if (e->width < e->group_size)
        e->width = (e->group_size + IRI_EXEC_BLOCK - 1) / IRI_EXEC_BLOCK * IRI_EXEC_BLOCK;
    e->shared_at = iri_new_array(&e->arena, uint32_t, io->shared_count + 1u);
    for (uint32_t i = 0; i < io->shared_count; i++) {
        e->shared_at[i] = e->shared_words;
        e->shared_words += io->shared[i].size / 4;
    }
}

void iri_exec_make(iri_ctx *ctx, iri_arena *scratch, iri_exec *e, const iri_program *program,
                   const iri_exec_options *options)
{
    check_forms(ctx, program);
    iri_exec_compiler c = {.ctx = ctx,
                           .scratch = scratch,
                           .exec = e,
                           .p = program,
                           .trace = options && options->trace};
    e->kernels = iri_kernels_best(options && options->portable);
    e->program = program;
    e->allocator = ctx->allocator;
    e->limits = ctx->limits;
    e->trace = c.trace;
    e->fine_derivatives = options && options->fine_derivatives;
    e->d3d9 = program->provenance.format && strcmp(program->provenance.format, "d3d9") == 0;
    c.values = iri_arena_alloc(scratch, program->value_count, sizeof *c.values);
    c.locals = iri_arena_alloc(scratch, program->local_count + 1u, sizeof *c.locals);
    c.arrays = iri_new_array(scratch, uint32_t, program->local_count + 1u);
    c.functions = iri_new_array(scratch, uint8_t, program->function_count);
    c.facts = iri_new_array(scratch, iri_exec_facts, program->region_count);
    c.label_levels = iri_new_array(scratch, int32_t, program->label_count + 1u);
    c.payloads = iri_exec_find_payloads(program, scratch);
    iri_map_init(&c.constants, scratch);
    iri_map_init(&c.broadcast_of, scratch);
    iri_exec_vreg(&c, IRI_U32); /* 0 is none */
    iri_exec_uniform(&c, 0);    /* 0 is zero */
    iri_exec_compile_entry(&c);
    iri_exec_allocate(&c);
    e->width = choose_width(options ? options->width : 0, e->column_count);
    lay_out_group(e);
    keep(&c);
    find_covered(&c);
}
