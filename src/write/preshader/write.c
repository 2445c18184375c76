/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Straight-line code: a statement for each lane of each instruction, in order. Vectors stand only where outputs are
 * set.
 */
#include "write/preshader/write.h"

#include "base/number.h"
#include "write/preshader/internal.h"
#include <string.h>

/* By iri_op: the texts of ops.def, by iri_preshader_language. */
static const char *const texts[IRI_OP_COUNT][3] = {
#define IRI_STRAIGHT(id, c, script, wgsl) [IRI_OP_##id] = {c, script, wgsl},
#include "write/preshader/ops.def"
#undef IRI_STRAIGHT
};

typedef struct lane {
    iri_id value; /* a scalar, or a constant */
    uint32_t lane;
} lane;

typedef struct writer {
    iri_ctx *ctx;
    iri_buf *out;
    iri_preshader_language language;
    const iri_program *p;
    lane (*lanes)[4]; /* of each value: where it comes from */
} writer;

static const char *type_name(const writer *w, iri_scalar scalar)
{
    static const char *const names[2][IRI_SCALAR_COUNT] = {
        {[IRI_BOOL] = "int",
         [IRI_I32] = "int",
         [IRI_U32] = "unsigned",
         [IRI_F32] = "float",
         [IRI_F64] = "double"},
        {[IRI_BOOL] = "bool", [IRI_I32] = "i32", [IRI_U32] = "u32", [IRI_F32] = "f32"}};
    const char *name = names[w->language == IRI_PRESHADER_WGSL][scalar];
    if (!name)
        iri_fail(w->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "a preshader with values of type %s",
                 iri_word(IRI_WORDS_SCALAR, scalar));
    return name;
}

/* ---- operands ---- */

static void put_special(writer *w, double number)
{
    bool script = w->language == IRI_PRESHADER_JAVASCRIPT;
    if (w->language == IRI_PRESHADER_WGSL)
        iri_fail(w->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "WGSL cannot say %s",
                 number != number ? "a NaN" : "an infinity");
    iri_buf_str(w->out, number != number ? (script ? "NaN" : "NAN")
                        : number > 0     ? (script ? "Infinity" : "INFINITY")
                                         : (script ? "-Infinity" : "(-INFINITY)"));
}

/* A float is written as the double that it is, which reads back to it in all three languages. */
static void put_float(writer *w, double number, bool single)
{
    char text[IRI_NUMBER_TEXT];
    uint64_t bits = iri_f64_bits(number);
    if ((bits & UINT64_C(0x7ff0000000000000)) == UINT64_C(0x7ff0000000000000)) {
        put_special(w, number);
        return;
    }
    /* Digits that stand for the largest floats are more than these to Tint. */
    if (w->language == IRI_PRESHADER_WGSL && (number > 1e38 || number < -1e38)) {
        iri_buf_printf(w->out, "bitcast<f32>(0x%08xu)", (unsigned)iri_f32_bits((float)number));
        return;
    }
    iri_print_f64(text, bits);
    bool negative = text[0] == '-';
    iri_buf_str(w->out, negative ? "(" : "");
    iri_buf_str(w->out, text);
    iri_buf_str(w->out, single && w->language != IRI_PRESHADER_JAVASCRIPT ? "f" : "");
    iri_buf_str(w->out, negative ? ")" : "");
}

static void put_constant(writer *w, iri_scalar scalar, uint64_t bits)
{
    bool script = w->language == IRI_PRESHADER_JAVASCRIPT;
    int32_t number = (int32_t)(uint32_t)bits;
    switch (scalar) {
    case IRI_F32: put_float(w, (double)iri_bits_f32((uint32_t)bits), true); return;
    case IRI_F64: put_float(w, iri_bits_f64(bits), false); return;
    case IRI_U32:
        iri_buf_uint(w->out, bits);
        iri_buf_str(w->out, script ? "" : "u");
        return;
    case IRI_BOOL:
        iri_buf_str(w->out, w->language == IRI_PRESHADER_C ? (bits ? "1" : "0")
                                                           : (bits ? "true" : "false"));
        return;
    default: break;
    }
    if (number == INT32_MIN) {
        iri_buf_str(w->out, w->language == IRI_PRESHADER_C ? "(-2147483647 - 1)" : "(-2147483648)");
        return;
    }
    iri_buf_printf(w->out, number < 0 ? "(%d)" : "%d", (int)number);
}

/* The number of p that a value is, where its place is known and inside; UINT32_MAX for others. */
static uint32_t parameter_of(const writer *w, iri_id value)
{
    const iri_inst *in = iri_def(w->p, value);
    if (!in || in->op != IRI_OP_LOAD_CB || iri_type_of(w->p, value) != IRI_TYPE_F32)
        return UINT32_MAX;
    const uint64_t *place = iri_program_constant(w->p, iri_operands(w->p, in)[0]);
    uint32_t size = w->p->interface.resources[iri_immediates(w->p, in)[0]].size;
    return place && place[0] < size ? (uint32_t)place[0] / 4 : UINT32_MAX;
}

static void put_lane(writer *w, iri_id value, uint32_t at)
{
    lane from = w->lanes[value][at];
    const uint64_t *constant = iri_program_constant(w->p, from.value);
    uint32_t parameter = parameter_of(w, from.value);
    if (parameter != UINT32_MAX && w->language == IRI_PRESHADER_WGSL)
        iri_buf_printf(w->out, "(*p)[%u].%c", parameter / 4, "xyzw"[parameter % 4]);
    else if (parameter != UINT32_MAX)
        iri_buf_printf(w->out, "p[%u]", parameter);
    else if (constant)
        put_constant(w, IRI_TYPE_SCALAR(iri_type_of(w->p, from.value)), constant[from.lane]);
    else
        iri_buf_printf(w->out, "v%u", (unsigned)from.value);
}

/* ---- instructions ---- */

static void begin(writer *w, iri_id value)
{
    static const char *const words[] = {"    const ", "    const ", "    let "};
    iri_buf_str(w->out, words[w->language]);
    if (w->language == IRI_PRESHADER_C)
        iri_buf_printf(w->out, "%s ", type_name(w, IRI_TYPE_SCALAR(iri_type_of(w->p, value))));
    iri_buf_printf(w->out, "v%u = ", (unsigned)value);
}

/* What JavaScript, whose numbers are doubles, has to do to make one of another type. */
static const char *rounding(const char *text, iri_scalar scalar, const char **end)
{
    *end = "";
    if (*text == '=')
        return "";
    *end = scalar == IRI_F32   ? ")"
           : scalar == IRI_U32 ? ") >>> 0"
           : scalar == IRI_I32 ? ") | 0"
                               : "";
    return scalar == IRI_F32 ? "f(" : **end ? "(" : "";
}

static void put_template(writer *w, const iri_inst *in, const char *text, iri_scalar scalar)
{
    const iri_id *operands = iri_operands(w->p, in);
    for (const char *c = text; *c; c++) {
        if (*c == '#')
            iri_buf_str(w->out, scalar == IRI_F32 ? "f" : "");
        else if (*c != '$')
            iri_buf_char(w->out, *c);
        else if (*++c == 'T')
            iri_buf_str(w->out, type_name(w, scalar));
        else
            put_lane(w, operands[*c - 'a'], 0);
    }
}

static void write_operation(writer *w, const iri_inst *in)
{
    const char *text = texts[in->op][w->language], *end = "";
    iri_type type = iri_type_of(w->p, in->results);
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    if (!text || IRI_TYPE_LANES(type) != 1)
        iri_fail(w->ctx, IRI_UNWRITABLE, in->offset, "a preshader with %s%s",
                 iri_op_infos[in->op].name, text ? " of vectors" : "");
    type_name(w, scalar);
    begin(w, in->results);
    if (w->language == IRI_PRESHADER_JAVASCRIPT)
        iri_buf_str(w->out, rounding(text, scalar, &end));
    put_template(w, in, text + (*text == '='), scalar);
    iri_buf_str(w->out, end);
    iri_buf_str(w->out, ";\n");
}

/* A number of p at a run-time place, or past its end, where it is 0. */
static void write_load(writer *w, const iri_inst *in)
{
    static const char *const parts[3][5] = {
        {"", " / 4 < ", "u ? p[", " / 4] : 0.0f", ""},
        {"", " / 4 < ", " ? p[", " / 4] : 0", ""},
        {"select(0.0, (*p)[min(", " / 16u, ", "u)][", " / 4u % 4u], ", " / 4u < "}};
    const char *const *part = parts[w->language];
    const iri_id offset = iri_operands(w->p, in)[0];
    uint32_t size = w->p->interface.resources[iri_immediates(w->p, in)[0]].size / 4;
    bool wgsl = w->language == IRI_PRESHADER_WGSL;
    if (iri_type_of(w->p, in->results) != IRI_TYPE_F32 || in->operand_count != 1)
        iri_fail(w->ctx, IRI_UNWRITABLE, in->offset, "a preshader that loads other than a float");
    if (parameter_of(w, in->results) != UINT32_MAX)
        return; /* said where it is used */
    begin(w, in->results);
    iri_buf_str(w->out, part[0]);
    put_lane(w, offset, 0);
    iri_buf_printf(w->out, "%s%u%s", part[1], (unsigned)(wgsl ? size / 4 - 1 : size), part[2]);
    put_lane(w, offset, 0);
    iri_buf_str(w->out, part[3]);
    if (wgsl) {
        put_lane(w, offset, 0);
        iri_buf_printf(w->out, "%s%uu)", part[4], (unsigned)size);
    }
    iri_buf_str(w->out, ";\n");
}

static void write_output(writer *w, const iri_inst *in)
{
    const uint32_t *imm = iri_immediates(w->p, in);
    const iri_io *io = &w->p->interface.outputs[imm[0]];
    iri_id value = iri_operands(w->p, in)[0];
    uint32_t lanes[4], count = 0, next = 0;
    for (uint32_t i = 0; i < 4; i++)
        if (io->lanes >> i & 1)
            lanes[count++] = i;
    for (uint32_t i = 0; i < IRI_LANES_COUNT(imm[1]); i++, next++) {
        uint32_t at = IRI_LANES_AT(imm[1], i);
        bool script = w->language == IRI_PRESHADER_JAVASCRIPT, truth = io->bank == IRI_BANK_B;
        if (w->language == IRI_PRESHADER_WGSL)
            iri_buf_printf(w->out,
                           count > 1 ? "    result.%s%u.%c = " : "    result.%s%u = ", io->name,
                           io->index, "xyzw"[at]);
        else if (truth)
            iri_buf_printf(w->out, "    %s[%u] = ", io->name, io->index);
        else if (script)
            iri_buf_printf(w->out, "    %s[%u] = ", io->name, io->index * 4 + lanes[at]);
        else
            iri_buf_printf(w->out, "    %s[%u][%u] = ", io->name, io->index, (unsigned)lanes[at]);
        bool wrapped = io->bank == IRI_BANK_C && w->language != IRI_PRESHADER_WGSL;
        iri_buf_str(w->out, wrapped           ? (script ? "oneNaN(" : "one_nan(")
                            : truth && script ? "Number("
                                              : "");
        put_lane(w, value, i);
        iri_buf_str(w->out, wrapped || (truth && script) ? ");\n" : ";\n");
    }
}

static void alias(writer *w, const iri_inst *in)
{
    const iri_id *operands = iri_operands(w->p, in);
    lane *to = w->lanes[in->results];
    uint32_t lanes = IRI_TYPE_LANES(iri_type_of(w->p, in->results)), n = 0;
    for (uint32_t i = 0; i < lanes && in->op == IRI_OP_SWIZZLE; i++)
        to[i] = w->lanes[operands[0]][IRI_LANES_AT(iri_immediates(w->p, in)[0], i)];
    for (uint32_t i = 0; i < lanes && (in->op == IRI_OP_SPLAT || in->op == IRI_OP_FTOF); i++)
        to[i] = w->lanes[operands[0]][0];
    for (uint32_t k = 0; k < in->operand_count && in->op == IRI_OP_COMPOSE; k++)
        for (uint32_t i = 0; i < IRI_TYPE_LANES(iri_type_of(w->p, operands[k])) && n < 4; i++)
            to[n++] = w->lanes[operands[k]][i];
}

static void write_body(writer *w)
{
    const iri_program *p = w->p;
    for (uint32_t v = 1; v < p->value_count; v++)
        for (uint32_t i = 0; i < 4; i++)
            w->lanes[v][i] = (lane){v, i};
    iri_for_each_inst(p, p->functions[p->entry].body, in)
    {
        /* JavaScript's numbers are doubles already. */
        bool widened = in->op == IRI_OP_FTOF && w->language == IRI_PRESHADER_JAVASCRIPT &&
                       iri_type_of(p, in->results) == IRI_TYPE(IRI_F64, 1);
        if (in->op == IRI_OP_COMPOSE || in->op == IRI_OP_SWIZZLE || in->op == IRI_OP_SPLAT ||
            widened)
            alias(w, in);
        else if (in->op == IRI_OP_LOAD_CB)
            write_load(w, in);
        else if (in->op == IRI_OP_OUTPUT)
            write_output(w, in);
        else if (in->op != IRI_OP_RETURN)
            write_operation(w, in);
    }
}

/* ---- functions ---- */

static void write_result_type(writer *w, const char *name)
{
    iri_buf_printf(w->out, "struct %s_result {\n", name);
    for (uint32_t i = 0; i < w->p->interface.output_count; i++) {
        const iri_io *io = &w->p->interface.outputs[i];
        uint32_t lanes = IRI_TYPE_LANES(io->type);
        const char *scalar = type_name(w, IRI_TYPE_SCALAR(io->type));
        if (lanes > 1)
            iri_buf_printf(w->out, "    %s%u: vec%u<%s>,\n", io->name, io->index, (unsigned)lanes,
                           scalar);
        else
            iri_buf_printf(w->out, "    %s%u: %s,\n", io->name, io->index, scalar);
    }
    iri_buf_str(w->out, "}\n\n");
}

static bool sets_bank(const iri_program *p, iri_bank bank)
{
    for (uint32_t i = 0; i < p->interface.output_count; i++)
        if (p->interface.outputs[i].bank == bank)
            return true;
    return false;
}

static void write_head(writer *w, const char *name)
{
    const iri_interface *io = &w->p->interface;
    uint32_t rows = io->resource_count ? io->resources[0].size / 16 : 0;
    if (w->language == IRI_PRESHADER_JAVASCRIPT) {
        iri_buf_printf(w->out, "export function %s(p, c, i, b) {\n", name);
    } else if (w->language == IRI_PRESHADER_WGSL) {
        write_result_type(w, name);
        iri_buf_printf(w->out, "fn %s(", name);
        if (rows)
            iri_buf_printf(w->out, "p: ptr<function, array<vec4<f32>, %u>>", (unsigned)rows);
        iri_buf_printf(w->out, ") -> %s_result {\n    var result: %s_result;\n", name, name);
    } else {
        iri_buf_printf(w->out, "void %s(const float *p, float (*c)[4], int (*i)[4], int *b)\n{\n",
                       name);
        iri_buf_str(w->out, rows ? "" : "    (void)p;\n");
        iri_buf_str(w->out, sets_bank(w->p, IRI_BANK_C) ? "" : "    (void)c;\n");
        iri_buf_str(w->out, sets_bank(w->p, IRI_BANK_I) ? "" : "    (void)i;\n");
        iri_buf_str(w->out, sets_bank(w->p, IRI_BANK_B) ? "" : "    (void)b;\n");
    }
}

static void write_about(iri_buf *out, const char *text)
{
    iri_buf_str(out, "// ");
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        iri_buf_char(out, *c < 0x20 || *c >= 0x7f || *c == '\\' ? '?' : (char)*c);
    iri_buf_char(out, '\n');
}

static void write_function(writer *w, const iri_preshader_function *function)
{
    const char *name = function->name;
    const iri_interface *io = &w->p->interface;
    bool script = w->language == IRI_PRESHADER_JAVASCRIPT;
    if (w->p->stage != IRI_STAGE_NONE || !w->p->entry || io->input_count || io->resource_count > 1)
        iri_fail(w->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET, "%s is no preshader", name);
    if (w->language == IRI_PRESHADER_WGSL && !io->output_count)
        iri_fail(w->ctx, IRI_UNWRITABLE, IRI_NO_OFFSET,
                 "%s sets nothing: WGSL has no empty structures", name);
    iri_buf_char(w->out, '\n');
    if (function->about)
        write_about(w->out, function->about);
    if (!script) {
        iri_preshader_write_parameters(w->out, w->p, w->language, name);
        iri_preshader_write_results(w->out, w->p, w->language, name);
    }
    for (size_t i = 0; i < w->p->note_count; i++)
        write_about(w->out, w->p->notes[i].text);
    write_head(w, name);
    write_body(w);
    iri_buf_str(w->out, w->language == IRI_PRESHADER_WGSL ? "    return result;\n}\n" : "}\n");
    if (script) {
        iri_preshader_write_parameters(w->out, w->p, w->language, name);
        iri_preshader_write_results(w->out, w->p, w->language, name);
    }
}

static const char c_prelude[] =
    "/* Preshaders: constants from parameters. Written by iridia. Compile without contraction of floats\n"
    " * (-ffp-contract=off, or -std=c11 with GCC). */\n"
    "#include <math.h>\n"
    "\n"
    "#if defined(__GNUC__)\n"
    "__attribute__((unused))\n"
    "#endif\n"
    "static float one_nan(float x)\n"
    "{\n"
    "    return x != x ? NAN : x;\n"
    "}\n"
    "\n"
    "#if defined(__GNUC__)\n"
    "__attribute__((unused))\n"
    "#endif\n"
    "static int to_int(double x)\n"
    "{\n"
    "    return x >= 2147483648.0   ? 2147483647\n"
    "           : x >= -2147483648.0 ? (int)x\n"
    "           : x != x              ? 0\n"
    "                                 : -2147483647 - 1;\n"
    "}\n";
static const char script_prelude[] =
    "// Preshaders: constants from parameters. Written by iridia.\n"
    "const f = Math.fround;\n"
    "const oneNaN = x => (x !== x ? NaN : x);\n"
    "const toInt = x => Math.max(-2147483648, Math.min(2147483647, Math.trunc(x))) | 0;\n"
    "function roundEven(x) {\n"
    "    const r = Math.round(x);\n"
    "    return r - x === 0.5 && r % 2 !== 0 ? r - 1 : r;\n"
    "}\n"
    "\n";
static const char wgsl_prelude[] =
    "// Preshaders: constants from parameters. Written by iridia. Direct3D computes in double precision and rounds each\n"
    "// result to a float: so do sums and products here, the rest is as good as WGSL's functions are.\n";

static const char *const preludes[] = {c_prelude, script_prelude, wgsl_prelude};

void iri_preshader_write(iri_ctx *ctx, iri_arena *scratch, iri_buf *out,
                         iri_preshader_language language, const iri_preshader_function *functions,
                         size_t count)
{
    iri_buf_str(out, preludes[language]);
    if (language == IRI_PRESHADER_JAVASCRIPT)
        iri_preshader_write_setter(out);
    for (size_t i = 0; i < count; i++) {
        writer w = {.ctx = ctx, .out = out, .language = language, .p = functions[i].program};
        w.lanes = iri_arena_alloc(scratch, w.p->value_count + 1u, sizeof *w.lanes);
        write_function(&w, &functions[i]);
    }
}
