/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder: values, constants, operations, value numbers. What is emitted in dead code is dropped, and
 * the caller gets a zero of the right type in its place.
 */
#include "ir/emit_internal.h"

#include "base/number.h"
#include "ir/memory.h"
#include <stdio.h>
#include <string.h>

enum { COUNT_MAX = 65535 /* of an instruction's operands, immediates, regions, results */ };

/* ---- faults ---- */

static void set_fault(iri_builder *b, const char *format, va_list arguments)
{
    char text[256];
    if (b->fault)
        return;
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = 0;
    b->fault = iri_arena_copy_text(b->scratch, text, strlen(text));
    b->fault_offset = b->offset;
}

void iri_builder_set_fault(iri_builder *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_fault(b, format, arguments);
    va_end(arguments);
}

void iri_op_fault(iri_builder *b, uint32_t op, const char *format, ...)
{
    char text[192];
    va_list arguments;
    if (b->fault)
        return;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = 0;
    va_end(arguments);
    iri_builder_set_fault(b, "%s: %s (instruction %u)",
                          op && op < IRI_OP_COUNT ? iri_op_infos[op].name : "function", text,
                          (unsigned)b->p->inst_count);
}

const char *iri_builder_fault(const iri_builder *b, uint32_t *offset)
{
    if (offset)
        *offset = b->fault ? b->fault_offset : IRI_NO_OFFSET;
    return b->fault;
}

/* ---- the builder ---- */

iri_builder *iri_builder_make(iri_ctx *ctx, iri_arena *scratch, iri_stage stage, uint32_t flags)
{
    iri_builder *b = iri_new(scratch, iri_builder);
    iri_program *p = b->p = iri_new(scratch, iri_program);
    b->ctx = ctx;
    b->scratch = scratch;
    b->flags = flags;
    b->offset = IRI_NO_OFFSET;
    iri_arena_init(&p->arena, ctx);
    p->allocator = ctx->allocator;
    p->stage = stage;
    p->provenance.format = p->provenance.target = p->provenance.creator = "";
    p->provenance.lifter = p->provenance.policies = "";
    iri_map_init(&b->note_map, scratch);
    iri_room(b, functions, function_count, 4);
    iri_room(b, insts, inst_count, 64);
    iri_room(b, values, value_count, 128);
    iri_room(b, regions, region_count, 8);
    iri_room(b, locals, local_count, 8);
    iri_room(b, words, word_count, 256);
    iri_room(b, order, order_count, 64);
    iri_room(b, constants, constant_count, 64);
    iri_reserve(scratch, &b->pending, 64); /* so that none is NULL */
    iri_reserve(scratch, &b->operands, 8);
    iri_reserve(scratch, &b->immediates, 8);
    iri_reserve(scratch, &b->regions, 8);
    iri_reserve(scratch, &b->slots, 8);
    iri_reserve(scratch, &b->wide, 8);
    p->functions[0] = (iri_function){.name = ""};
    p->locals[0] = (iri_local){.name = ""};
    p->insts[0] = (iri_inst){.offset = IRI_NO_OFFSET};
    p->values[0] = (iri_value){0};
    p->regions[0] = (iri_region){0};
    p->function_count = p->inst_count = p->value_count = p->region_count = p->local_count = 1;
    p->label_count = 1;
    return b;
}

void iri_builder_expect(iri_builder *b, const iri_program *like)
{
    iri_room(b, insts, inst_count, like->inst_count);
    iri_room(b, values, value_count, like->value_count);
    iri_room(b, regions, region_count, like->region_count);
    iri_room(b, words, word_count, like->word_count);
    iri_room(b, order, order_count, like->order_count);
    iri_room(b, constants, constant_count, like->constant_count);
}

void iri_builder_discard(iri_builder *b)
{
    if (b && b->p) {
        iri_arena_free(&b->p->arena);
        b->p = NULL;
    }
}

iri_program *iri_builder_program(iri_builder *b)
{
    return b->p;
}

iri_ctx *iri_builder_ctx(const iri_builder *b)
{
    return b->ctx;
}

void iri_set_offset(iri_builder *b, uint32_t offset)
{
    b->offset = offset;
}

void iri_set_relaxed(iri_builder *b, bool relaxed)
{
    b->relaxed = relaxed;
}

void iri_set_precise(iri_builder *b, bool precise)
{
    b->inst_flags = precise ? IRI_INST_PRECISE : 0;
}

/* ---- values ---- */

iri_id iri_new_value(iri_builder *b, iri_type type, iri_value_kind kind, iri_id def, uint32_t index,
                     bool relaxed)
{
    iri_room(b, values, value_count, 1);
    b->p->values[b->p->value_count] = (iri_value){.type = type,
                                                  .kind = (uint8_t)kind,
                                                  .flags = relaxed ? IRI_VALUE_RELAXED : 0,
                                                  .index = (uint16_t)index,
                                                  .def = def};
    return b->p->value_count++;
}

iri_type iri_builder_type(const iri_builder *b, iri_id value)
{
    return value < b->p->value_count ? b->p->values[value].type : IRI_TYPE_VOID;
}

static uint32_t hash_constant(iri_type type, const uint64_t *lanes)
{
    uint32_t hash = type;
    bool wide = iri_scalar_bits(IRI_TYPE_SCALAR(type)) > 32;
    for (uint32_t i = 0; i < IRI_TYPE_LANES(type); i++) {
        hash = iri_hash_mix(hash, (uint32_t)lanes[i]);
        hash = wide ? iri_hash_mix(hash, (uint32_t)(lanes[i] >> 32)) : hash;
    }
    return hash;
}

static void grow_constants(iri_builder *b)
{
    uint32_t count = b->constant_slots ? b->constant_slots * 2 : 64;
    iri_id *slots = iri_new_array(b->scratch, iri_id, count);
    for (uint32_t i = 0; i < b->constant_slots; i++) {
        iri_id value = b->constants[i];
        if (!value)
            continue;
        const iri_value *v = &b->p->values[value];
        uint32_t at = hash_constant(v->type, b->p->constants + v->def) & (count - 1);
        while (slots[at])
            at = (at + 1) & (count - 1);
        slots[at] = value;
    }
    b->constants = slots;
    b->constant_slots = count;
}

iri_id iri_const(iri_builder *b, iri_type type, const uint64_t lanes[4])
{
    iri_scalar scalar = IRI_TYPE_SCALAR(type);
    uint32_t count = IRI_TYPE_LANES(type), width = iri_scalar_bits(scalar);
    uint64_t kept[4];
    if (!width) {
        iri_builder_set_fault(b, "a constant of no type (instruction %u)",
                              (unsigned)b->p->inst_count);
        return iri_const_f32(b, 0);
    }
    for (uint32_t i = 0; i < count; i++)
        kept[i] = width == 1    ? lanes[i] != 0
                  : width == 64 ? lanes[i]
                                : lanes[i] & ((UINT64_C(1) << width) - 1);
    if (b->constant_values >= b->constant_slots - b->constant_slots / 4)
        grow_constants(b);
    uint32_t at = hash_constant(type, kept) & (b->constant_slots - 1);
    for (; b->constants[at]; at = (at + 1) & (b->constant_slots - 1)) {
        const iri_value *v = &b->p->values[b->constants[at]];
        if (v->type == type && memcmp(b->p->constants + v->def, kept, count * sizeof kept[0]) == 0)
            return b->constants[at];
    }
    iri_room(b, constants, constant_count, count);
    memcpy(b->p->constants + b->p->constant_count, kept, count * sizeof kept[0]);
    iri_id value = iri_new_value(b, type, IRI_VALUE_CONSTANT, b->p->constant_count, 0, false);
    b->p->constant_count += count;
    b->constants[at] = value;
    b->constant_values++;
    return value;
}

iri_id iri_const_f32(iri_builder *b, float value)
{
    return iri_const(b, IRI_TYPE_F32, (uint64_t[4]){iri_f32_bits(value)});
}

iri_id iri_const_splat_f32(iri_builder *b, float value, uint32_t lanes)
{
    uint64_t bits = iri_f32_bits(value);
    lanes = lanes < 1 ? 1 : lanes > 4 ? 4 : lanes;
    return iri_const(b, IRI_TYPE(IRI_F32, lanes), (uint64_t[4]){bits, bits, bits, bits});
}

iri_id iri_const_u32(iri_builder *b, uint32_t value)
{
    return iri_const(b, IRI_TYPE_U32, (uint64_t[4]){value});
}

iri_id iri_const_i32(iri_builder *b, int32_t value)
{
    return iri_const(b, IRI_TYPE_I32, (uint64_t[4]){(uint32_t)value});
}

iri_id iri_const_bool(iri_builder *b, bool value)
{
    return iri_const(b, IRI_TYPE_BOOL, (uint64_t[4]){value});
}

iri_id iri_const_zero(iri_builder *b, iri_type type)
{
    return iri_const(b, type, (uint64_t[4]){0});
}

iri_id iri_no_value(iri_builder *b, iri_type type)
{
    return iri_const_zero(b, iri_scalar_bits(IRI_TYPE_SCALAR(type)) ? type : IRI_TYPE_F32);
}

bool iri_get_const(const iri_builder *b, iri_id value, uint64_t lanes[4])
{
    value = iri_resolve(b, value);
    if (!value || !iri_is_constant(b->p, value))
        return false;
    if (lanes) {
        memset(lanes, 0, 4 * sizeof lanes[0]);
        memcpy(lanes, iri_constant(b->p, value),
               IRI_TYPE_LANES(iri_type_of(b->p, value)) * sizeof lanes[0]);
    }
    return true;
}

/* ---- instructions ---- */

iri_id iri_new_inst(iri_builder *b, iri_op op, uint32_t flags, uint32_t offset)
{
    if (b->p->inst_count > b->ctx->limits.instructions)
        iri_fail(b->ctx, IRI_LIMIT_INSTRUCTIONS, offset, "more than %u instructions",
                 (unsigned)b->ctx->limits.instructions);
    iri_room(b, insts, inst_count, 1);
    b->p->insts[b->p->inst_count] =
        (iri_inst){.op = (uint16_t)op, .flags = (uint16_t)flags, .offset = offset};
    return b->p->inst_count++;
}

void iri_set_words(iri_builder *b, iri_id inst, const uint32_t *operands, uint32_t operand_count,
                   const uint32_t *immediates, uint32_t immediate_count, const uint32_t *regions,
                   uint32_t region_count)
{
    size_t total = (size_t)operand_count + immediate_count + region_count;
    if (operand_count > COUNT_MAX || immediate_count > COUNT_MAX || region_count > COUNT_MAX)
        iri_fail(b->ctx, IRI_LIMIT_INSTRUCTIONS, b->offset, "an operation with more than %u parts",
                 (unsigned)COUNT_MAX);
    iri_room(b, words, word_count, total);
    iri_inst *in = &b->p->insts[inst];
    uint32_t *words = b->p->words + b->p->word_count;
    in->words = b->p->word_count;
    in->operand_count = (uint16_t)operand_count;
    in->immediate_count = (uint16_t)immediate_count;
    in->region_count = (uint16_t)region_count;
    b->p->word_count += (uint32_t)total;
    /* Lists of one to three words, mostly. */
    for (uint32_t i = 0; i < operand_count; i++)
        *words++ = operands[i];
    for (uint32_t i = 0; i < immediate_count; i++)
        *words++ = immediates[i];
    for (uint32_t i = 0; i < region_count; i++)
        *words++ = regions[i];
}

/* ---- value numbers ---- */

static uint32_t hash_inst(iri_op op, iri_type type, const iri_id *operands, uint32_t operand_count,
                          const uint32_t *immediates, uint32_t immediate_count)
{
    uint32_t hash = iri_hash_mix((uint32_t)op, type);
    for (uint32_t i = 0; i < operand_count; i++)
        hash = iri_hash_mix(hash, operands[i]);
    for (uint32_t i = 0; i < immediate_count; i++)
        hash = iri_hash_mix(hash, immediates[i]);
    return hash;
}

static bool same_words(const uint32_t *a, const uint32_t *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* What uses the other invocations of a quad must be found where it would be built. */
static iri_id find_number(const iri_builder *b, uint32_t hash, iri_op op, iri_type type,
                          const iri_id *operands, uint32_t operand_count,
                          const uint32_t *immediates, uint32_t immediate_count)
{
    const iri_program *p = b->p;
    iri_id here = b->frames.at[b->frames.count - 1].region;
    if (!b->bucket_count)
        return 0;
    for (uint32_t e = b->buckets[hash & (b->bucket_count - 1)]; e; e = b->numbers.at[e - 1].next) {
        const iri_number *number = &b->numbers.at[e - 1];
        const iri_inst *in = &p->insts[number->inst];
        if (number->hash != hash || in->op != op || p->values[in->results].type != type ||
            in->operand_count != operand_count || in->immediate_count != immediate_count)
            continue;
        if ((iri_props(op) & IRI_PROP_CONVERGENT) && number->region != here)
            continue;
        /* The other may not be less exact than what is asked for. */
        if ((b->inst_flags & IRI_INST_PRECISE) > (in->flags & IRI_INST_PRECISE) ||
            ((p->values[in->results].flags & IRI_VALUE_RELAXED) && !b->relaxed))
            continue;
        if (same_words(iri_operands(p, in), operands, operand_count) &&
            same_words(iri_immediates(p, in), immediates, immediate_count))
            return in->results;
    }
    return 0;
}

static void add_number(iri_builder *b, uint32_t hash, iri_id inst)
{
    if (b->numbers.count >= b->bucket_count) {
        uint32_t count = b->bucket_count ? b->bucket_count * 2 : 64;
        b->buckets = iri_new_array(b->scratch, uint32_t, count);
        b->bucket_count = count;
        for (uint32_t e = 0; e < b->numbers.count; e++) {
            uint32_t *bucket = &b->buckets[b->numbers.at[e].hash & (count - 1)];
            b->numbers.at[e].next = *bucket;
            *bucket = e + 1;
        }
    }
    uint32_t *bucket = &b->buckets[hash & (b->bucket_count - 1)];
    iri_number number = {hash, inst, *bucket, iri_top(b)->region};
    iri_push(b->scratch, &b->numbers, number);
    *bucket = b->numbers.count;
}

/* Entries of a bucket are linked newest first, so the newest of all is its bucket's head. */
void iri_pop_numbers(iri_builder *b, uint32_t count)
{
    while (b->numbers.count > count) {
        const iri_number *number = &b->numbers.at[--b->numbers.count];
        b->buckets[number->hash & (b->bucket_count - 1)] = number->next;
    }
}

/* ---- operations ---- */

static iri_id append(iri_builder *b, iri_op op, iri_type type, const iri_id *operands,
                     uint32_t operand_count, const uint32_t *immediates, uint32_t immediate_count)
{
    iri_id inst = iri_new_inst(b, op, b->inst_flags, b->offset);
    iri_set_words(b, inst, operands, operand_count, immediates, immediate_count, NULL, 0);
    iri_push(b->scratch, &b->pending, inst);
    if (!type)
        return 0;
    iri_id value = iri_new_value(b, type, IRI_VALUE_RESULT, inst, 0, b->relaxed);
    b->p->insts[inst].results = value;
    b->p->insts[inst].result_count = 1;
    return value;
}

static iri_id emit(iri_builder *b, iri_op op, iri_type given, iri_id *operands,
                   uint32_t operand_count, const uint32_t *immediates, uint32_t immediate_count)
{
    iri_type type;
    bool dropped = iri_is_dropping(b);
    bool fits = iri_check_op(b, op, given, operands, operand_count, immediates, immediate_count,
                             dropped, &type);
    if (fits && !b->function)
        iri_op_fault(b, op, "stands outside any function");
    if (!fits || dropped || !b->function)
        return type ? iri_no_value(b, type) : 0;
    bool pure = type && (iri_is_pure(op) ||
                         iri_reads_constants(&b->p->interface, (uint32_t)op, immediates));
    if ((b->flags & IRI_BUILD_FOLD) && op == IRI_OP_DEMOTE && iri_is_constant(b->p, operands[0]) &&
        !iri_constant(b->p, operands[0])[0])
        return 0;
    if ((b->flags & IRI_BUILD_FOLD) && pure && operand_count) {
        iri_id folded = iri_fold(b, op, type, operands, operand_count, immediates);
        if (folded)
            return folded;
    }
    if (!(b->flags & IRI_BUILD_NUMBER) || !pure)
        return append(b, op, type, operands, operand_count, immediates, immediate_count);
    uint32_t hash = hash_inst(op, type, operands, operand_count, immediates, immediate_count);
    iri_id value =
        find_number(b, hash, op, type, operands, operand_count, immediates, immediate_count);
    if (value)
        return value;
    value = append(b, op, type, operands, operand_count, immediates, immediate_count);
    add_number(b, hash, b->p->values[value].def);
    return value;
}

/* The types that a function takes: parameters of its body, or of a declaration. */
static iri_type parameter_type(const iri_program *p, const iri_function *f, uint32_t i)
{
    return f->body ? p->values[p->regions[f->body].parameters + i].type : f->external_types[i];
}

/* Returns the first result. */
static iri_id emit_call(iri_builder *b, iri_id function, const iri_id *arguments, uint32_t count,
                        iri_id *results)
{
    if (function == 0 || function >= b->p->function_count) {
        iri_op_fault(b, IRI_OP_CALL, "no function %u", (unsigned)function);
        return 0;
    }
    iri_function f = b->p->functions[function];
    bool dropped = iri_is_dropping(b), fits = dropped || b->function != 0;
    uint32_t takes = f.body ? b->p->regions[f.body].parameter_count : f.external_count;
    if (!fits)
        iri_op_fault(b, IRI_OP_CALL, "stands outside any function");
    if (!dropped && count != takes) {
        iri_op_fault(b, IRI_OP_CALL, "%u arguments of %s, which takes %u", (unsigned)count, f.name,
                     (unsigned)takes);
        fits = false;
    }
    b->wide.count = 0;
    for (uint32_t i = 0; i < count && fits && !dropped; i++) {
        iri_id value = iri_resolve(b, arguments[i]);
        if (!value || iri_type_of(b->p, value) != parameter_type(b->p, &f, i)) {
            iri_op_fault(b, IRI_OP_CALL, "argument %u of %s is %s, not %s", (unsigned)i + 1, f.name,
                         iri_type_name(iri_builder_type(b, value)),
                         iri_type_name(parameter_type(b->p, &f, i)));
            fits = false;
        }
        iri_push(b->scratch, &b->wide, value);
    }
    if (!fits || dropped) {
        for (uint32_t i = 0; results && i < f.result_count; i++)
            results[i] = iri_no_value(b, f.result_types[i]);
        return f.result_count ? iri_no_value(b, f.result_types[0]) : 0;
    }
    iri_id inst = iri_new_inst(b, IRI_OP_CALL, b->inst_flags, b->offset);
    iri_set_words(b, inst, b->wide.at, count, &function, 1, NULL, 0);
    iri_push(b->scratch, &b->pending, inst);
    for (uint32_t i = 0; i < f.result_count; i++) {
        iri_id value = iri_new_value(b, f.result_types[i], IRI_VALUE_RESULT, inst, i, b->relaxed);
        if (!i)
            b->p->insts[inst].results = value;
        if (results)
            results[i] = value;
    }
    b->p->insts[inst].result_count = (uint16_t)f.result_count;
    return b->p->insts[inst].results;
}

iri_id iri_emit(iri_builder *b, iri_op op, iri_type type, const iri_id *operands,
                uint32_t operand_count, const uint32_t *immediates, uint32_t immediate_count)
{
    iri_id resolved[8];
    if (op <= IRI_OP_NONE || op >= IRI_OP_COUNT || (iri_props(op) & IRI_PROP_REGION)) {
        iri_builder_set_fault(b, "%s cannot be emitted as an operation (instruction %u)",
                              op > IRI_OP_NONE && op < IRI_OP_COUNT ? iri_op_infos[op].name
                                                                    : "no such operation",
                              (unsigned)b->p->inst_count);
        return iri_no_value(b, type);
    }
    if (iri_props(op) & IRI_PROP_TERMINATOR) {
        iri_emit_terminator(b, op, operands, operand_count, immediates, immediate_count);
        return 0;
    }
    if (op == IRI_OP_CALL) {
        if (immediate_count == 1)
            return emit_call(b, immediates[0], operands, operand_count, NULL);
        iri_op_fault(b, op, "%u immediates, not 1", (unsigned)immediate_count);
        return iri_no_value(b, type);
    }
    /* No other operation has as many operands; the check of the count refuses more. */
    for (uint32_t i = 0; i < operand_count && i < 8; i++)
        resolved[i] = iri_resolve(b, operands[i]);
    return emit(b, op, type, resolved, operand_count > 8 ? 9 : operand_count, immediates,
                immediate_count);
}

iri_id iri_emit1(iri_builder *b, iri_op op, iri_id x)
{
    return iri_emit(b, op, IRI_TYPE_VOID, &x, 1, NULL, 0);
}

iri_id iri_emit2(iri_builder *b, iri_op op, iri_id x, iri_id y)
{
    return iri_emit(b, op, IRI_TYPE_VOID, (iri_id[]){x, y}, 2, NULL, 0);
}

iri_id iri_emit3(iri_builder *b, iri_op op, iri_id x, iri_id y, iri_id z)
{
    return iri_emit(b, op, IRI_TYPE_VOID, (iri_id[]){x, y, z}, 3, NULL, 0);
}

iri_id iri_emit_convert(iri_builder *b, iri_op op, iri_scalar scalar, iri_id x)
{
    return iri_emit(b, op, IRI_TYPE(scalar, IRI_TYPE_LANES(iri_builder_type(b, x))), &x, 1, NULL,
                    0);
}

iri_id iri_emit_swizzle(iri_builder *b, iri_id x, iri_lanes lanes)
{
    uint32_t word = lanes;
    if (lanes == iri_lanes_first(IRI_TYPE_LANES(iri_builder_type(b, x))))
        return x;
    return iri_emit(b, IRI_OP_SWIZZLE, IRI_TYPE_VOID, &x, 1, &word, 1);
}

iri_id iri_emit_insert(iri_builder *b, iri_id base, iri_id x, iri_lanes mask)
{
    uint32_t word = mask;
    return iri_emit(b, IRI_OP_INSERT, IRI_TYPE_VOID, (iri_id[]){base, x}, 2, &word, 1);
}

iri_id iri_emit_compose(iri_builder *b, const iri_id *parts, uint32_t count)
{
    return count == 1 ? parts[0]
                      : iri_emit(b, IRI_OP_COMPOSE, IRI_TYPE_VOID, parts, count, NULL, 0);
}

iri_id iri_emit_splat(iri_builder *b, iri_id x, uint32_t lanes)
{
    if (lanes == 1 && IRI_TYPE_LANES(iri_builder_type(b, x)) == 1)
        return x;
    lanes = lanes < 1 ? 1 : lanes > 4 ? 4 : lanes;
    return iri_emit(b, IRI_OP_SPLAT, IRI_TYPE(IRI_TYPE_SCALAR(iri_builder_type(b, x)), lanes), &x,
                    1, NULL, 0);
}

iri_id iri_emit_resize(iri_builder *b, iri_id x, uint32_t lanes)
{
    uint32_t have = IRI_TYPE_LANES(iri_builder_type(b, x));
    if (have == lanes)
        return x;
    return have == 1 ? iri_emit_splat(b, x, lanes) : iri_emit_swizzle(b, x, iri_lanes_first(lanes));
}

iri_id iri_emit_select(iri_builder *b, iri_id condition, iri_id yes, iri_id no)
{
    return iri_emit3(b, IRI_OP_SELECT, condition, yes, no);
}

iri_id iri_emit_input(iri_builder *b, uint32_t input, iri_lanes lanes)
{
    return iri_emit(b, IRI_OP_INPUT, IRI_TYPE_VOID, NULL, 0, (uint32_t[]){input, lanes}, 2);
}

void iri_emit_output(iri_builder *b, uint32_t output, iri_lanes mask, iri_id x)
{
    iri_emit(b, IRI_OP_OUTPUT, IRI_TYPE_VOID, &x, 1, (uint32_t[]){output, mask}, 2);
}

iri_id iri_emit_state(iri_builder *b, iri_state_id state, uint32_t index)
{
    return iri_emit(b, IRI_OP_STATE, IRI_TYPE_VOID, NULL, 0, (uint32_t[]){(uint32_t)state, index},
                    2);
}

iri_id iri_emit_load_cb(iri_builder *b, uint32_t resource, iri_type type, iri_id byte_offset)
{
    return iri_emit(b, IRI_OP_LOAD_CB, type, &byte_offset, 1, &resource, 1);
}

iri_id iri_emit_load_local(iri_builder *b, iri_id local, iri_lanes lanes, iri_id index)
{
    return iri_emit(b, IRI_OP_LOAD_LOCAL, IRI_TYPE_VOID, &index, index != 0,
                    (uint32_t[]){local, lanes}, 2);
}

void iri_emit_store_local(iri_builder *b, iri_id local, iri_lanes mask, iri_id x, iri_id index)
{
    iri_emit(b, IRI_OP_STORE_LOCAL, IRI_TYPE_VOID, (iri_id[]){x, index}, index ? 2 : 1,
             (uint32_t[]){local, mask}, 2);
}

void iri_emit_call(iri_builder *b, iri_id function, const iri_id *arguments, uint32_t count,
                   iri_id *results)
{
    emit_call(b, function, arguments, count, results);
}
