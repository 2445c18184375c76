/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints functions as text: values renumbered in order of appearance, so that equal programs have equal
 * texts. Everything but the few operations with regions or blocks follows the letters of ops.def.
 */
#include "ir/print.h"

#include "base/bitset.h"
#include "base/number.h"
#include "ir/dom.h"

#include <stdio.h>

/* ---- where text goes ---- */

void iri_put_bytes(iri_printer *pr, const char *bytes, size_t size)
{
    if (pr->buf) {
        iri_buf_bytes(pr->buf, bytes, size);
        return;
    }
    for (size_t i = 0; i < size && pr->length + 1 < pr->size; i++)
        pr->text[pr->length++] = bytes[i];
}

void iri_put_str(iri_printer *pr, const char *text)
{
    iri_put_bytes(pr, text, strlen(text));
}

void iri_put(iri_printer *pr, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < sizeof text);
    iri_put_bytes(pr, text, (size_t)length);
}

void iri_put_spaces(iri_printer *pr, uint32_t spaces)
{
    while (spaces-- > 0)
        iri_put_bytes(pr, " ", 1);
}

/* ---- names and numbers ---- */

void iri_put_string(iri_printer *pr, const char *text)
{
    iri_put_str(pr, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            iri_put(pr, "\\%c", c);
        else if (c < 0x20 || c >= 0x7f)
            iri_put(pr, "\\x%02x", c);
        else
            iri_put_bytes(pr, text, 1);
    }
    iri_put_str(pr, "\"");
}

static bool is_identifier(const char *text)
{
    /* isalpha and the like would follow the locale. */
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t length = strlen(text);
    return length > 0 && strspn(text, letters) == length && !(text[0] >= '0' && text[0] <= '9');
}

void iri_put_name(iri_printer *pr, const char *text)
{
    if (is_identifier(text) && strcmp(text, "fn") && strcmp(text, "extern"))
        iri_put_str(pr, text);
    else
        iri_put_string(pr, text);
}

void iri_put_lanes(iri_printer *pr, iri_lanes lanes)
{
    char text[5] = ".";
    uint32_t count = IRI_LANES_COUNT(lanes);
    for (uint32_t i = 0; i < count; i++)
        text[1 + i] = "xyzw"[IRI_LANES_AT(lanes, i)];
    iri_put_bytes(pr, text, 1 + count);
}

void iri_put_word(iri_printer *pr, iri_vocabulary vocabulary, uint32_t value)
{
    const char *word = iri_word(vocabulary, value);
    if (word)
        iri_put_str(pr, word);
    else
        iri_put(pr, "%lu", (unsigned long)value);
}

void iri_put_type(iri_printer *pr, iri_type type)
{
    if (IRI_TYPE_LANES(type) > 1)
        iri_put(pr, "vec%u<", (unsigned)IRI_TYPE_LANES(type));
    iri_put_word(pr, IRI_WORDS_SCALAR, IRI_TYPE_SCALAR(type));
    if (IRI_TYPE_LANES(type) > 1)
        iri_put_str(pr, ">");
}

/* A float lane given the parts of its format: bits of the fraction, all bits, suffix. */
static void put_float(iri_printer *pr, uint64_t bits, uint32_t fraction, uint32_t width)
{
    const char *suffix = width == 16 ? "h" : width == 64 ? "d" : "";
    uint64_t exponent = (UINT64_C(1) << (width - 1 - fraction)) - 1;
    char text[IRI_NUMBER_TEXT];
    if ((bits >> fraction & exponent) != exponent) {
        if (width == 16)
            iri_print_f16(text, (uint16_t)bits);
        else if (width == 32)
            iri_print_f32(text, (uint32_t)bits);
        else
            iri_print_f64(text, bits);
        iri_put(pr, "%s%s", text, suffix);
    } else if (bits & ((UINT64_C(1) << fraction) - 1)) {
        iri_put(pr, "nan%s(0x%0*llx)", suffix, (int)width / 4, (unsigned long long)bits);
    } else {
        iri_put(pr, "%sinf%s", bits >> (width - 1) & 1 ? "-" : "", suffix);
    }
}

static void put_lane(iri_printer *pr, iri_scalar scalar, uint64_t bits)
{
    switch (scalar) {
    case IRI_BOOL: iri_put_str(pr, bits ? "true" : "false"); break;
    case IRI_F16: put_float(pr, bits & 0xffff, 10, 16); break;
    case IRI_F32: put_float(pr, bits & 0xffffffff, 23, 32); break;
    case IRI_F64: put_float(pr, bits, 52, 64); break;
    case IRI_I16: iri_put(pr, "%di16", (int)(int16_t)(uint16_t)bits); break;
    case IRI_U16: iri_put(pr, "%uu16", (unsigned)(uint16_t)bits); break;
    case IRI_I32: iri_put(pr, "%ldi", (long)(int32_t)(uint32_t)bits); break;
    case IRI_U32: iri_put(pr, "%luu", (unsigned long)(uint32_t)bits); break;
    case IRI_I64: iri_put(pr, "%lldi64", (long long)(int64_t)bits); break;
    case IRI_U64: iri_put(pr, "%lluu64", (unsigned long long)bits); break;
    default: iri_put_str(pr, "void"); break;
    }
}

void iri_put_literal(iri_printer *pr, iri_type type, const uint64_t lanes[4])
{
    uint32_t count = IRI_TYPE_LANES(type);
    bool splat = true;
    for (uint32_t i = 1; i < count; i++)
        splat &= lanes[i] == lanes[0];
    if (count > 1)
        iri_put(pr, "%s%u(", splat ? "splat" : "vec", (unsigned)count);
    for (uint32_t i = 0; i < (splat ? 1 : count); i++) {
        iri_put_str(pr, i ? ", " : "");
        put_lane(pr, IRI_TYPE_SCALAR(type), lanes[i]);
    }
    if (count > 1)
        iri_put_str(pr, ")");
}

void iri_put_function_name(iri_printer *pr, iri_id function)
{
    const iri_program *p = pr->p;
    bool alone = function > 0 && function < p->function_count;
    for (uint32_t i = 1; alone && i < p->function_count; i++)
        alone = i == function || strcmp(p->functions[i].name, p->functions[function].name) != 0;
    if (alone)
        iri_put_name(pr, p->functions[function].name);
    else
        iri_put(pr, "#%lu", (unsigned long)function);
}

static char class_of(const iri_resource *resource)
{
    switch (resource->kind) {
    case IRI_RESOURCE_CBUFFER: return 'b';
    case IRI_RESOURCE_TEXTURE:
    case IRI_RESOURCE_BUFFER: return 't';
    case IRI_RESOURCE_SAMPLER: return 's';
    case IRI_RESOURCE_STORAGE_BUFFER:
    case IRI_RESOURCE_STORAGE_TEXTURE: return 'u';
    default: return '?';
    }
}

void iri_put_resource_label(iri_printer *pr, const iri_resource *resource)
{
    iri_put(pr, "%s%c%lu", resource->kind == IRI_RESOURCE_CBUFFER ? "c" : "", class_of(resource),
            (unsigned long)resource->reg);
    if (resource->space)
        iri_put(pr, "_space%lu", (unsigned long)resource->space);
}

void iri_put_resource_name(iri_printer *pr, uint32_t resource)
{
    const iri_interface *io = &pr->p->interface;
    bool alone = resource < io->resource_count;
    for (uint32_t i = 0; alone && i < io->resource_count; i++) {
        const iri_resource *a = &io->resources[i], *b = &io->resources[resource];
        alone =
            i == resource || class_of(a) != class_of(b) || a->reg != b->reg || a->space != b->space;
    }
    if (alone && class_of(&io->resources[resource]) != '?')
        iri_put_resource_label(pr, &io->resources[resource]);
    else
        iri_put(pr, "#%lu", (unsigned long)resource);
}

/* "#1" counts the function's own locals. */
static void put_local_name(iri_printer *pr, iri_id local)
{
    const iri_program *p = pr->p;
    const iri_function *f = pr->function ? &p->functions[pr->function] : NULL;
    bool alone = f && local >= f->first_local && local - f->first_local < f->local_count;
    if (!alone) {
        iri_put(pr, "#?%lu", (unsigned long)local);
        return;
    }
    for (uint32_t i = f->first_local; alone && i < f->first_local + f->local_count; i++)
        alone = i == local || strcmp(p->locals[i].name, p->locals[local].name) != 0;
    if (alone)
        iri_put_name(pr, p->locals[local].name);
    else
        iri_put(pr, "#%lu", (unsigned long)(local - f->first_local));
}

/* ---- numbering ---- */

typedef struct counts {
    uint32_t values, labels;
} counts;

static void number_values(iri_id first, uint32_t count, iri_numbering *into, counts *next)
{
    for (uint32_t i = 0; i < count; i++)
        into->values[first + i] = next->values++;
}

static uint32_t label_of(const iri_program *p, const iri_inst *in)
{
    bool has = in->op == IRI_OP_LOOP || in->op == IRI_OP_SWITCH || in->op == IRI_OP_BLOCK;
    return has && in->immediate_count ? iri_immediates(p, in)[0] : 0;
}

static void number_region(const iri_program *p, iri_id region, iri_numbering *into, counts *next)
{
    number_values(p->regions[region].parameters, p->regions[region].parameter_count, into, next);
    iri_for_each_inst(p, region, in)
    {
        uint32_t label = label_of(p, in);
        number_values(in->results, in->result_count, into, next);
        if (label && label < p->label_count)
            into->labels[label] = next->labels++;
        for (uint32_t i = 0; i < in->region_count; i++)
            number_region(p, iri_regions(p, in)[i], into, next);
    }
}

void iri_number_function(iri_arena *scratch, const iri_program *p, iri_id function,
                         iri_numbering *into)
{
    const iri_function *f = &p->functions[function];
    counts next = {0, 1};
    if (!f->body)
        return;
    if (f->form != IRI_FORM_CFG) {
        number_region(p, f->body, into, &next);
        return;
    }
    iri_cfg cfg;
    iri_cfg_make(scratch, p, f, &cfg);
    for (uint32_t i = 0; i < cfg.count; i++)
        number_region(p, cfg.first + cfg.order[i], into, &next);
}

void iri_number_program(iri_arena *arena, const iri_program *p, iri_numbering *out)
{
    out->values = iri_new_array(arena, uint32_t, p->value_count + 1u);
    out->labels = iri_new_array(arena, uint32_t, p->label_count + 1u);
    memset(out->values, 0xff, p->value_count * sizeof *out->values);
    memset(out->labels, 0xff, p->label_count * sizeof *out->labels);
    for (uint32_t i = 1; i < p->function_count; i++)
        iri_number_function(arena, p, i, out);
}

/* ---- instructions ---- */

static void put_value(iri_printer *pr, iri_id value)
{
    const iri_program *p = pr->p;
    const iri_value *v = value && value < p->value_count ? &p->values[value] : NULL;
    if (v && v->kind == IRI_VALUE_CONSTANT && v->def <= p->constant_count &&
        IRI_TYPE_LANES(v->type) <= p->constant_count - v->def) {
        uint64_t lanes[4] = {0};
        memcpy(lanes, p->constants + v->def, IRI_TYPE_LANES(v->type) * sizeof *lanes);
        iri_put_literal(pr, v->type, lanes);
    } else if (v && pr->numbering && pr->numbering->values[value] != IRI_NO_NUMBER) {
        iri_put(pr, "%%%lu", (unsigned long)pr->numbering->values[value]);
    } else {
        iri_put(pr, "%%?%lu", (unsigned long)value);
    }
}

static void put_label(iri_printer *pr, uint32_t label)
{
    if (pr->numbering && label < pr->p->label_count &&
        pr->numbering->labels[label] != IRI_NO_NUMBER)
        iri_put(pr, "@%lu", (unsigned long)pr->numbering->labels[label]);
    else
        iri_put(pr, "@?%lu", (unsigned long)label);
}

/* "%4: f32 relaxed" */
static void put_typed_value(iri_printer *pr, iri_id value)
{
    put_value(pr, value);
    iri_put_str(pr, ": ");
    if (value < pr->p->value_count) {
        iri_put_type(pr, pr->p->values[value].type);
        if (pr->p->values[value].flags & IRI_VALUE_RELAXED)
            iri_put_str(pr, " relaxed");
    }
}

static void put_parameters(iri_printer *pr, iri_id first, uint32_t count, const uint32_t *initial)
{
    iri_put_str(pr, "(");
    for (uint32_t i = 0; i < count; i++) {
        iri_put_str(pr, i ? ", " : "");
        put_typed_value(pr, first + i);
        if (initial) {
            iri_put_str(pr, " = ");
            put_value(pr, initial[i]);
        }
    }
    iri_put_str(pr, ")");
}

static void put_block(iri_printer *pr, const iri_cfg_edge *edge)
{
    const iri_function *f = pr->function ? &pr->p->functions[pr->function] : NULL;
    iri_put(pr, "@b%ld", f ? (long)edge->block - (long)f->body : (long)edge->block);
    if (!edge->count)
        return;
    iri_put_str(pr, "(");
    for (uint32_t i = 0; i < edge->count; i++) {
        iri_put_str(pr, i ? ", " : "");
        put_value(pr, edge->arguments[i]);
    }
    iri_put_str(pr, ")");
}

/* br @b1(%2); br.if %0, @b1, @b2(%3); br.switch %0, default @b1, 5 @b2(%3) */
static void put_edges(iri_printer *pr, const iri_inst *in)
{
    iri_cfg_edge edge;
    if (in->op != IRI_OP_BR && in->operand_count) {
        iri_put_str(pr, " ");
        put_value(pr, iri_operands(pr->p, in)[0]);
    }
    for (uint32_t i = 0; i < iri_cfg_edge_count(in) && iri_cfg_get_edge(pr->p, in, i, &edge); i++) {
        iri_put_str(pr, in->op == IRI_OP_BR ? " " : ", ");
        if (edge.is_default)
            iri_put_str(pr, "default ");
        else if (in->op == IRI_OP_BR_SWITCH)
            iri_put(pr, "%lu ", (unsigned long)edge.value);
        put_block(pr, &edge);
    }
}

static void put_offset_operand(iri_printer *pr, uint32_t packed)
{
    iri_put(pr, "offset(%d, %d, %d)", (int)(int8_t)(packed & 0xff),
            (int)(int8_t)(packed >> 8 & 0xff), (int)(int8_t)(packed >> 16 & 0xff));
}

/* "g0", "#1" where another has the label. */
static void put_shared(iri_printer *pr, uint32_t index)
{
    const iri_interface *io = &pr->p->interface;
    bool alone = index < io->shared_count;
    for (uint32_t i = 0; alone && i < io->shared_count; i++)
        alone = i == index || io->shared[i].reg != io->shared[index].reg;
    if (alone)
        iri_put(pr, "g%lu", (unsigned long)io->shared[index].reg);
    else
        iri_put(pr, "#%lu", (unsigned long)index);
}

/* "execution shared", "0" for none, a number behind for bits without a word. */
static void put_barrier(iri_printer *pr, uint32_t bits)
{
    const char *space = "";
    uint32_t rest = bits & ~(uint32_t)IRI_BARRIER_ALL;
    for (uint32_t i = 0; IRI_BARRIER_ALL >> i; i++)
        if (bits >> i & 1) {
            iri_put_str(pr, space);
            iri_put_word(pr, IRI_WORDS_BARRIER, i);
            space = " ";
        }
    if (rest || !bits)
        iri_put(pr, "%s%lu", space, (unsigned long)rest);
}

/* An immediate that stands in the list of operands. */
static void put_immediate(iri_printer *pr, char letter, uint32_t word)
{
    const iri_state_info *state;
    switch (letter) {
    case 'r': iri_put_resource_name(pr, word); break;
    case 'l': put_local_name(pr, word); break;
    case 'g': iri_put_function_name(pr, word); break;
    case 'L': put_label(pr, word); break;
    case 'w': put_shared(pr, word); break;
    case 'a': iri_put_word(pr, IRI_WORDS_ATOMIC, word); break;
    case 'y': put_barrier(pr, word); break;
    case 's':
        state = iri_state_get_info((iri_state_id)word);
        if (state)
            iri_put_str(pr, state->name);
        else
            iri_put(pr, "#%lu", (unsigned long)word);
        break;
    default: iri_put(pr, "%lu", (unsigned long)word); break;
    }
}

/* Immediates, then operands, with commas. Lanes are the suffix of what stands before them, or of the first
 * operand; a state's index is its suffix; a texel offset comes last and only when it is not 0. */
static void put_operands(iri_printer *pr, const iri_inst *in)
{
    const uint32_t *immediates = iri_immediates(pr->p, in), *operands = iri_operands(pr->p, in);
    const char *letters = iri_op_infos[in->op].immediates;
    const char *comma = " ";
    const uint32_t *lanes = NULL, *offset = NULL;
    for (uint32_t i = 0; i < in->immediate_count && letters[i]; i++) {
        char letter = letters[i];
        if (letter == '*')
            break;
        if (letter == 'z' || letter == 'm') {
            if (i > 0)
                iri_put_lanes(pr, immediates[i]);
            else
                lanes = &immediates[i];
        } else if (letter == 'x') {
            offset = immediates[i] ? &immediates[i] : NULL;
        } else if (letter == 'k' && i > 0 && letters[i - 1] == 's') {
            if (immediates[i])
                iri_put(pr, "[%lu]", (unsigned long)immediates[i]);
        } else {
            iri_put_str(pr, comma);
            put_immediate(pr, letter, immediates[i]);
            comma = ", ";
        }
    }
    for (uint32_t i = 0; i < in->operand_count; i++) {
        iri_put_str(pr, comma);
        put_value(pr, operands[i]);
        if (lanes && i == 0)
            iri_put_lanes(pr, *lanes);
        comma = ", ";
    }
    if (offset) {
        iri_put_str(pr, comma);
        put_offset_operand(pr, *offset);
    }
}

void iri_put_inst(iri_printer *pr, iri_id inst)
{
    const iri_program *p = pr->p;
    const iri_inst *in = &p->insts[inst];
    for (uint32_t i = 0; i < in->result_count; i++) {
        iri_put_str(pr, i ? ", " : "");
        put_typed_value(pr, in->results + i);
    }
    iri_put_str(pr, in->result_count ? " = " : "");
    iri_put_str(pr, in->flags & IRI_INST_PRECISE ? "precise " : "");
    if (in->op == IRI_OP_NONE || in->op >= IRI_OP_COUNT) {
        iri_put(pr, "op#%u", (unsigned)in->op);
        return;
    }
    iri_put_str(pr, iri_op_infos[in->op].name);
    if (iri_props(in->op) & IRI_PROP_CFG) {
        put_edges(pr, in);
    } else if (in->op == IRI_OP_LOOP && in->operand_count && in->region_count == 1 &&
               p->regions[iri_regions(p, in)[0]].parameter_count == in->operand_count) {
        iri_put_str(pr, " ");
        put_label(pr, label_of(p, in));
        iri_put_str(pr, " ");
        put_parameters(pr, p->regions[iri_regions(p, in)[0]].parameters, in->operand_count,
                       iri_operands(p, in));
    } else {
        put_operands(pr, in);
    }
}

/* ---- bodies ---- */

/* A source offset holds until the next one that is printed; a terminator has its own or none. */
static void put_offset(iri_printer *pr, const iri_inst *in)
{
    bool ends = in->op < IRI_OP_COUNT && (iri_props(in->op) & IRI_PROP_TERMINATOR);
    uint32_t current = ends ? IRI_NO_OFFSET : pr->offset;
    if (pr->offsets && in->offset != current) {
        if (in->offset == IRI_NO_OFFSET)
            iri_put_str(pr, " ; -");
        else
            iri_put(pr, " ; 0x%lx", (unsigned long)in->offset);
        if (!ends)
            pr->offset = in->offset;
    }
    iri_put_str(pr, "\n");
}

static void print_region(iri_printer *pr, iri_id region, uint32_t spaces);

/* The end of an opening line, a region, and the closing brace. */
static void print_braces(iri_printer *pr, iri_id region, uint32_t spaces, const char *after)
{
    print_region(pr, region, spaces + 2);
    iri_put_spaces(pr, spaces);
    iri_put_str(pr, "}");
    iri_put_str(pr, after);
}

/* Whether an else region is what the parser puts where none is written. */
static bool is_implicit(const iri_printer *pr, iri_id region)
{
    const iri_inst *in = iri_terminator(pr->p, region);
    return in && pr->p->regions[region].count == 1 && !pr->p->regions[region].parameter_count &&
           in->op == IRI_OP_YIELD && !in->operand_count && !in->flags &&
           (!pr->offsets || in->offset == IRI_NO_OFFSET);
}

static void print_switch(iri_printer *pr, const iri_inst *in, uint32_t spaces)
{
    const iri_program *p = pr->p;
    const uint32_t *immediates = iri_immediates(p, in);
    iri_type type = in->operand_count ? iri_type_of(p, iri_operands(p, in)[0]) : IRI_TYPE_U32;
    uint32_t at = 1;
    for (uint32_t i = 0; i < in->region_count; i++) {
        iri_put_spaces(pr, spaces + 2);
        if (i == 0) {
            iri_put_str(pr, "default");
        } else {
            uint32_t count = at < in->immediate_count ? immediates[at++] : 0;
            iri_put_str(pr, "case");
            for (uint32_t k = 0; k < count && at < in->immediate_count; k++, at++) {
                iri_put_str(pr, k ? ", " : " ");
                if (IRI_TYPE_SCALAR(type) == IRI_I32)
                    iri_put(pr, "%ld", (long)(int32_t)immediates[at]);
                else
                    iri_put(pr, "%lu", (unsigned long)immediates[at]);
            }
        }
        iri_put_str(pr, " {\n");
        print_braces(pr, iri_regions(p, in)[i], spaces + 2, "\n");
    }
    iri_put_spaces(pr, spaces);
    iri_put_str(pr, "}\n");
}

static void print_inst(iri_printer *pr, iri_id inst, uint32_t spaces)
{
    const iri_inst *in = &pr->p->insts[inst];
    const uint32_t *regions = iri_regions(pr->p, in);
    iri_put_spaces(pr, spaces);
    iri_put_inst(pr, inst);
    if (in->region_count)
        iri_put_str(pr, " {");
    put_offset(pr, in);
    if (!in->region_count)
        return;
    if (in->op == IRI_OP_SWITCH) {
        print_switch(pr, in, spaces);
    } else if (in->op == IRI_OP_IF && in->region_count == 2) {
        print_braces(pr, regions[0], spaces, "");
        if (!is_implicit(pr, regions[1])) {
            iri_put_str(pr, " else {\n");
            print_braces(pr, regions[1], spaces, "");
        }
        iri_put_str(pr, "\n");
    } else {
        print_braces(pr, regions[0], spaces, "\n");
    }
}

static void print_region(iri_printer *pr, iri_id region, uint32_t spaces)
{
    const iri_region *r = &pr->p->regions[region];
    for (uint32_t i = 0; i < r->count; i++)
        print_inst(pr, pr->p->order[r->first + i], spaces);
}

/* ---- functions ---- */

static void print_locals(iri_printer *pr, const iri_function *f)
{
    static const char *const inits[] = {"", " zero_noted", " zero"};
    for (uint32_t i = 0; i < f->local_count; i++) {
        const iri_local *local = &pr->p->locals[f->first_local + i];
        iri_put_str(pr, "  local ");
        iri_put_name(pr, local->name);
        iri_put_str(pr, ": ");
        iri_put_type(pr, local->type);
        if (local->length)
            iri_put(pr, "[%lu]", (unsigned long)local->length);
        iri_put_str(pr, inits[local->init <= IRI_LOCAL_ZERO ? local->init : 0]);
        iri_put_str(pr, "\n");
    }
}

/* Blocks stand in an order in which values are defined before they are used; their numbers keep how the
 * program holds them. */
static void print_blocks(iri_printer *pr, iri_arena *scratch, const iri_function *f)
{
    iri_cfg cfg;
    iri_cfg_make(scratch, pr->p, f, &cfg);
    for (uint32_t i = 0; i < cfg.count; i++) {
        const iri_region *block = &pr->p->regions[cfg.first + cfg.order[i]];
        iri_put(pr, "  block @b%lu", (unsigned long)cfg.order[i]);
        if (cfg.order[i] && block->parameter_count)
            put_parameters(pr, block->parameters, block->parameter_count, NULL);
        iri_put_str(pr, " {\n");
        print_braces(pr, cfg.first + cfg.order[i], 2, "\n");
    }
}

static void put_types(iri_printer *pr, const iri_type *types, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        iri_put_str(pr, i ? ", " : "");
        iri_put_type(pr, types[i]);
    }
}

static void print_function(iri_printer *pr, iri_arena *scratch, iri_id function)
{
    const iri_function *f = &pr->p->functions[function];
    pr->function = function;
    pr->offset = IRI_NO_OFFSET;
    iri_put_str(pr, f->body ? "fn " : "extern fn ");
    iri_put_name(pr, f->name);
    if (!f->body) {
        iri_put_str(pr, "(");
        put_types(pr, f->external_types, f->external_count);
        iri_put_str(pr, ")");
    } else if (pr->p->regions[f->body].parameter_count) {
        put_parameters(pr, pr->p->regions[f->body].parameters,
                       pr->p->regions[f->body].parameter_count, NULL);
    }
    if (f->result_count) {
        iri_put_str(pr, " -> ");
        put_types(pr, f->result_types, f->result_count);
    }
    if (!f->body) {
        iri_put_str(pr, "\n");
        return;
    }
    iri_put_str(pr, f->form == IRI_FORM_CFG ? " cfg {\n" : " {\n");
    print_locals(pr, f);
    if (f->form == IRI_FORM_CFG)
        print_blocks(pr, scratch, f);
    else
        print_region(pr, f->body, 2);
    iri_put_str(pr, "}\n");
}

void iri_print_program(iri_buf *out, iri_arena *scratch, const iri_program *p, bool offsets)
{
    iri_numbering numbering;
    iri_number_program(scratch, p, &numbering);
    iri_printer pr = {.p = p, .buf = out, .numbering = &numbering, .offsets = offsets};
    iri_print_header(&pr);
    for (uint32_t i = 1; i < p->function_count; i++) {
        iri_put_str(&pr, "\n");
        print_function(&pr, scratch, i);
    }
}

/* ---- one instruction alone ---- */

/* The function an instruction stands in: looked for from the outside, since nothing points back. */
static bool holds(const iri_program *p, iri_id region, iri_id inst)
{
    const iri_region *r = &p->regions[region];
    for (uint32_t i = 0; i < r->count; i++) {
        const iri_inst *in = &p->insts[p->order[r->first + i]];
        if (p->order[r->first + i] == inst)
            return true;
        for (uint32_t k = 0; k < in->region_count; k++)
            if (holds(p, iri_regions(p, in)[k], inst))
                return true;
    }
    return false;
}

typedef struct describing {
    iri_printer *pr;
    iri_arena arena;
    iri_numbering numbering;
    iri_id inst;
} describing;

static void describe(iri_ctx *ctx, void *argument)
{
    describing *d = argument;
    const iri_program *p = d->pr->p;
    d->arena.ctx = ctx;
    for (uint32_t i = 1; i < p->function_count && !d->pr->function; i++) {
        const iri_function *f = &p->functions[i];
        uint32_t count = !f->body ? 0 : f->form == IRI_FORM_CFG ? f->block_count : 1;
        for (uint32_t b = 0; b < count; b++)
            if (holds(p, f->body + b, d->inst))
                d->pr->function = i;
    }
    iri_number_program(&d->arena, p, &d->numbering);
    d->pr->numbering = &d->numbering;
    iri_put_inst(d->pr, d->inst);
}

void iri_describe_inst(const iri_program *p, iri_id inst, char *buffer, size_t size)
{
    iri_printer pr = {.p = p, .text = buffer, .size = size};
    describing d = {.pr = &pr, .inst = inst};
    iri_ctx ctx;
    if (!size)
        return;
    iri_ctx_init(&ctx, &p->allocator, NULL, NULL);
    iri_arena_init(&d.arena, &ctx);
    if (iri_protect(&ctx, describe, &d) != IRI_OK)
        pr.length = 0; /* out of memory: nothing is said rather than half */
    iri_arena_free(&d.arena);
    buffer[pr.length] = 0;
}
