/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The SPIR-V of a program with its entry point turned into a function: its input and output variables become
 * private ones, and a new entry point fills them from a storage buffer, calls the function, and writes what it
 * left into another. So every invocation gets its own numbers, bit for bit. Programs of both stages run as
 * fragments, four neighbouring ones a quad. Numbers are of the SPIR-V specification (unified1).
 */
#include "tests/oracle/gpu.h"

#include <stdlib.h>
#include <string.h>

enum {
    OpName = 5,
    OpMemoryModel = 14,
    OpEntryPoint = 15,
    OpExecutionMode = 16,
    OpTypeVoid = 19,
    OpTypeInt = 21,
    OpTypeFloat = 22,
    OpTypeVector = 23,
    OpTypeArray = 28,
    OpTypeRuntimeArray = 29,
    OpTypeStruct = 30,
    OpTypePointer = 32,
    OpTypeFunction = 33,
    OpConstant = 43,
    OpFunction = 54,
    OpFunctionEnd = 56,
    OpFunctionCall = 57,
    OpVariable = 59,
    OpLoad = 61,
    OpStore = 62,
    OpAccessChain = 65,
    OpDecorate = 71,
    OpMemberDecorate = 72,
    OpCompositeExtract = 81,
    OpConvertFToU = 109,
    OpBitcast = 124,
    OpIAdd = 128,
    OpFAdd = 129,
    OpIMul = 132,
    OpINotEqual = 171,
    OpShiftRightLogical = 194,
    OpBitwiseAnd = 199,
    OpLabel = 248,
    OpReturn = 253,
    OpDecorateString = 5632,
    ClassInput = 1,
    ClassOutput = 3,
    ClassPrivate = 6,
    ClassStorageBuffer = 12,
    DecorationBlock = 2,
    DecorationArrayStride = 6,
    DecorationBuiltIn = 11,
    DecorationBinding = 33,
    DecorationDescriptorSet = 34,
    DecorationOffset = 35,
    BuiltInFragCoord = 15,
    ModelFragment = 4,
    ModeOriginUpperLeft = 7,
    ModeDepthReplacing = 12,
    ModeDepthUnchanged = 16,
    HEADER = 5,
    VARIABLES = 128,
    CONSTANTS = 1024
};

typedef struct words {
    uint32_t *at;
    size_t count, capacity;
} words;

typedef struct variable {
    uint32_t id, pointer, storage;
    const char *name;
} variable;

/* A type as it was declared: opcode and first operands. */
typedef struct type {
    uint32_t op, a, b;
} type;

typedef struct wrapping {
    const gpu_job *job;
    const iri_spirv_map *map;
    const uint32_t *in;
    size_t in_count;
    type *types;        /* by id */
    const char **names; /* by id */
    uint32_t old_bound, next, old_main;
    variable variables[VARIABLES];
    uint32_t variable_count;
    words decorations, globals, body, out;
    uint32_t u32, f32, vec4, nothing, function_type;
    uint32_t lane_pointer, fragment, buffers[2];
    uint32_t constants[CONSTANTS]; /* u32 by value, 0 where not made yet */
    bool failed;
} wrapping;

static void put(wrapping *w, words *to, uint32_t op, const uint32_t *operands, size_t count)
{
    if (to->count + count + 1 > to->capacity) {
        size_t capacity = (to->count + count + 1) * 2 + 256;
        uint32_t *at = realloc(to->at, capacity * sizeof *at);
        if (!at) {
            w->failed = true;
            return;
        }
        to->at = at;
        to->capacity = capacity;
    }
    to->at[to->count++] = (uint32_t)(count + 1) << 16 | op;
    memcpy(to->at + to->count, operands, count * sizeof *operands);
    to->count += count;
}

#define PUT(w, to, op, ...) \
    put(w, to, op, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* An instruction of the new entry point; its result. */
#define MAKE(w, op, type_id, ...) \
    (PUT(w, &(w)->body, op, type_id, (w)->next, __VA_ARGS__), (w)->next++)

/* ---- what is there ---- */

#define EACH(w, i) \
    size_t i = HEADER; \
    i < (w)->in_count; \
    i += (w)->in[i] >> 16

static void survey(wrapping *w)
{
    for (EACH(w, i)) {
        const uint32_t *at = w->in + i;
        uint32_t op = at[0] & 0xffff, length = at[0] >> 16;
        if (op == OpName)
            w->names[at[1]] = (const char *)(at + 2);
        else if (op == OpEntryPoint)
            w->old_main = at[2];
        else if (op >= OpTypeVoid && op <= OpTypeFunction)
            w->types[at[1]] = (type){op, length > 2 ? at[2] : 0, length > 3 ? at[3] : 0};
        else if (op == OpVariable && w->variable_count < VARIABLES && !w->types[at[2]].op)
            w->variables[w->variable_count++] =
                (variable){at[2], at[1], at[3], w->names[at[2]] ? w->names[at[2]] : ""};
        else if (op == OpFunction)
            return; /* variables of functions are none of the entry's */
    }
}

/* The id of a type: those of numbers and functions may be declared once only. */
static uint32_t find_type(wrapping *w, uint32_t op, uint32_t a, uint32_t b, uint32_t count)
{
    for (uint32_t id = 1; id < w->old_bound; id++)
        if (w->types[id].op == op && w->types[id].a == a && w->types[id].b == b)
            return id;
    const uint32_t operands[3] = {w->next, a, b};
    put(w, &w->globals, op, operands, 1 + count);
    return w->next++;
}

static bool is_io(const variable *v)
{
    return v->storage == ClassInput || v->storage == ClassOutput;
}

static bool is_io_id(const wrapping *w, uint32_t id)
{
    for (uint32_t i = 0; i < w->variable_count; i++)
        if (w->variables[i].id == id)
            return is_io(&w->variables[i]);
    return false;
}

/* ---- new ---- */

static uint32_t constant(wrapping *w, uint32_t value)
{
    if (value >= CONSTANTS) {
        w->failed = true;
        return 0;
    }
    if (!w->constants[value]) {
        w->constants[value] = w->next++;
        PUT(w, &w->globals, OpConstant, w->u32, w->constants[value], value);
    }
    return w->constants[value];
}

static uint32_t new_pointer(wrapping *w, uint32_t storage, uint32_t to)
{
    PUT(w, &w->globals, OpTypePointer, w->next, storage, to);
    return w->next++;
}

static uint32_t new_variable(wrapping *w, uint32_t storage, uint32_t to)
{
    uint32_t pointer = new_pointer(w, storage, to);
    PUT(w, &w->globals, OpVariable, pointer, w->next, storage);
    return w->next++;
}

static void declare(wrapping *w)
{
    w->nothing = find_type(w, OpTypeVoid, 0, 0, 0);
    w->u32 = find_type(w, OpTypeInt, 32, 0, 2);
    w->f32 = find_type(w, OpTypeFloat, 32, 0, 1);
    w->function_type = find_type(w, OpTypeFunction, w->nothing, 0, 1);
    w->vec4 = find_type(w, OpTypeVector, w->f32, 4, 2);
    w->fragment = new_variable(w, ClassInput, w->vec4);
    PUT(w, &w->decorations, OpDecorate, w->fragment, DecorationBuiltIn, BuiltInFragCoord);
    uint32_t array = w->next++, block = w->next++;
    PUT(w, &w->globals, OpTypeRuntimeArray, array, w->u32);
    PUT(w, &w->globals, OpTypeStruct, block, array);
    PUT(w, &w->decorations, OpDecorate, array, DecorationArrayStride, 4);
    PUT(w, &w->decorations, OpDecorate, block, DecorationBlock);
    PUT(w, &w->decorations, OpMemberDecorate, block, 0, DecorationOffset, 0);
    for (int i = 0; i < 2; i++) {
        w->buffers[i] = new_variable(w, ClassStorageBuffer, block);
        PUT(w, &w->decorations, OpDecorate, w->buffers[i], DecorationDescriptorSet, 3);
        PUT(w, &w->decorations, OpDecorate, w->buffers[i], DecorationBinding,
            (uint32_t)(i ? GPU_BINDING_OUT : GPU_BINDING_IN));
    }
    w->lane_pointer = new_pointer(w, ClassStorageBuffer, w->u32);
}

static uint32_t buffer_word(wrapping *w, int buffer, uint32_t base, uint32_t word)
{
    uint32_t zero = constant(w, 0), offset = constant(w, word);
    uint32_t at = MAKE(w, OpIAdd, w->u32, base, offset);
    return MAKE(w, OpAccessChain, w->lane_pointer, w->buffers[buffer], zero, at);
}

/* The place of a lane of a variable, and the type of what is there. */
static uint32_t variable_lane(wrapping *w, const variable *v, uint32_t lane, uint32_t *type_id)
{
    uint32_t whole = w->types[v->pointer].b, op = w->types[whole].op;
    *type_id = op == OpTypeVector || op == OpTypeArray ? w->types[whole].a : whole;
    if (*type_id == whole)
        return v->id;
    uint32_t pointer = new_pointer(w, ClassPrivate, *type_id), index = constant(w, lane);
    return MAKE(w, OpAccessChain, pointer, v->id, index);
}

static uint32_t lanes_of(const wrapping *w, const variable *v)
{
    const type *t = &w->types[w->types[v->pointer].b];
    return t->op == OpTypeVector ? t->b : 1;
}

static const iri_emitted_name *element_of(const wrapping *w, const variable *v)
{
    uint32_t kind = v->storage == ClassInput ? 1 : 2;
    for (size_t i = 0; i < w->map->name_count; i++)
        if (w->map->names[i].kind == kind && strcmp(w->map->names[i].emitted, v->name) == 0)
            return &w->map->names[i];
    return NULL;
}

static void fill_input(wrapping *w, const variable *v, uint32_t base)
{
    const iri_emitted_name *n = element_of(w, v);
    if (!n) {
        w->failed = true;
        return;
    }
    const iri_io *io = &w->job->p->interface.inputs[n->index];
    /* Direct3D 9's pixels lie at whole numbers. */
    bool half = w->job->p->stage == IRI_STAGE_PIXEL && io->system_value == IRI_SV_POSITION &&
                w->job->p->conventions.pixel_centre == IRI_PIXEL_CENTRE_INTEGER;
    uint32_t word = gpu_word_at(w->job->p->interface.inputs, n->index), type_id;
    for (uint32_t k = 0; k < lanes_of(w, v) && k < IRI_TYPE_LANES(io->type); k++) {
        uint32_t place = buffer_word(w, 0, base, word + k);
        uint32_t value = MAKE(w, OpLoad, w->u32, place);
        uint32_t to = variable_lane(w, v, k, &type_id), zero = constant(w, 0);
        if (w->types[type_id].op != OpTypeFloat && w->types[type_id].op != OpTypeInt)
            value = MAKE(w, OpINotEqual, type_id, value, zero); /* bool */
        else if (type_id != w->u32)
            value = MAKE(w, OpBitcast, type_id, value);
        if (half && k < 2) {
            uint32_t middle = w->next++;
            PUT(w, &w->globals, OpConstant, w->f32, middle, 0x3f000000);
            value = MAKE(w, OpFAdd, type_id, value, middle);
        }
        PUT(w, &w->body, OpStore, to, value);
    }
}

static void keep_output(wrapping *w, const variable *v, uint32_t base)
{
    const iri_emitted_name *n = element_of(w, v);
    if (!n) {
        w->failed = true;
        return;
    }
    uint32_t lanes = IRI_TYPE_LANES(w->job->p->interface.outputs[n->index].type), type_id;
    uint32_t word = gpu_word_at(w->job->p->interface.outputs, n->index);
    for (uint32_t k = 0; k < lanes; k++) {
        uint32_t from = variable_lane(w, v, k, &type_id);
        uint32_t value = MAKE(w, OpLoad, type_id, from);
        if (type_id != w->u32)
            value = MAKE(w, OpBitcast, w->u32, value);
        uint32_t place = buffer_word(w, 1, base, 1 + word + k);
        PUT(w, &w->body, OpStore, place, value);
    }
}

/* The invocation's number from its pixel: quads go along rows of the square. */
static uint32_t invocation(wrapping *w)
{
    uint32_t at = MAKE(w, OpLoad, w->vec4, w->fragment), xy[2], low[2], high[2];
    uint32_t one = constant(w, 1), two = constant(w, 2), four = constant(w, 4);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t lane = MAKE(w, OpCompositeExtract, w->f32, at, i);
        xy[i] = MAKE(w, OpConvertFToU, w->u32, lane);
        low[i] = MAKE(w, OpBitwiseAnd, w->u32, xy[i], one);
        high[i] = MAKE(w, OpShiftRightLogical, w->u32, xy[i], one);
    }
    uint32_t row = constant(w, GPU_SIDE / 2);
    uint32_t before = MAKE(w, OpIMul, w->u32, high[1], row);
    uint32_t quad = MAKE(w, OpIAdd, w->u32, before, high[0]);
    uint32_t first = MAKE(w, OpIMul, w->u32, quad, four);
    uint32_t down = MAKE(w, OpIMul, w->u32, low[1], two);
    uint32_t inside = MAKE(w, OpIAdd, w->u32, down, low[0]);
    return MAKE(w, OpIAdd, w->u32, first, inside);
}

static uint32_t make_entry(wrapping *w)
{
    uint32_t entry = w->next++, label = w->next++, called = 0;
    uint32_t in_words = constant(w, w->job->in_words),
             out_words = constant(w, w->job->out_words + 1);
    uint32_t one = constant(w, 1);
    PUT(w, &w->body, OpFunction, w->nothing, entry, 0, w->function_type);
    PUT(w, &w->body, OpLabel, label);
    uint32_t i = invocation(w);
    uint32_t in = MAKE(w, OpIMul, w->u32, i, in_words), out = MAKE(w, OpIMul, w->u32, i, out_words);
    for (uint32_t k = 0; k < w->variable_count; k++)
        if (w->variables[k].storage == ClassInput)
            fill_input(w, &w->variables[k], in);
    called = w->next++;
    PUT(w, &w->body, OpFunctionCall, w->nothing, called, w->old_main);
    uint32_t alive = buffer_word(w, 1, out, 0);
    PUT(w, &w->body, OpStore, alive, one);
    for (uint32_t k = 0; k < w->variable_count; k++)
        if (w->variables[k].storage == ClassOutput)
            keep_output(w, &w->variables[k], out);
    put(w, &w->body, OpReturn, NULL, 0);
    put(w, &w->body, OpFunctionEnd, NULL, 0);
    return entry;
}

/* ---- putting it together ---- */

static void append(wrapping *w, const words *from)
{
    for (size_t i = 0; i < from->count; i += from->at[i] >> 16)
        put(w, &w->out, from->at[i] & 0xffff, from->at + i + 1, (from->at[i] >> 16) - 1);
}

static void put_entry_point(wrapping *w, uint32_t entry)
{
    uint32_t operands[4 + VARIABLES + 3] = {ModelFragment, entry, 0, 0}, count = 4;
    memcpy(operands + 2, "main\0\0\0", 8);
    operands[count++] = w->fragment;
    if (w->in[1] >= 0x10400) { /* from then on all variables that are used (3.52.3) */
        operands[count++] = w->buffers[0];
        operands[count++] = w->buffers[1];
        for (uint32_t i = 0; i < w->variable_count; i++)
            operands[count++] = w->variables[i].id;
    }
    put(w, &w->out, OpEntryPoint, operands, count);
    PUT(w, &w->out, OpExecutionMode, entry, ModeOriginUpperLeft);
}

static bool begins_globals(uint32_t op)
{
    return (op >= OpTypeVoid && op <= OpTypeFunction) || op == OpConstant || op == OpVariable;
}

static void copy_changed(wrapping *w, uint32_t entry)
{
    bool decorated = false, functions = false;
    for (EACH(w, i)) {
        const uint32_t *at = w->in + i;
        uint32_t op = at[0] & 0xffff, changed[4], length = at[0] >> 16;
        if (op == OpEntryPoint) {
            put_entry_point(w, entry);
            continue;
        }
        if (op == OpExecutionMode && (at[2] == ModeOriginUpperLeft ||
                                      (at[2] >= ModeDepthReplacing && at[2] <= ModeDepthUnchanged)))
            continue;
        if ((op == OpDecorate || op == OpDecorateString) && is_io_id(w, at[1]))
            continue;
        if (begins_globals(op) && !decorated) {
            append(w, &w->decorations);
            decorated = true;
        }
        if (op == OpFunction && !functions) {
            append(w, &w->globals);
            functions = true;
        }
        if (length > 4) {
            put(w, &w->out, op, at + 1, length - 1);
            continue;
        }
        memcpy(changed, at + 1, (length - 1) * 4);
        if (op == OpTypePointer && (changed[1] == ClassInput || changed[1] == ClassOutput))
            changed[1] = ClassPrivate;
        if (op == OpVariable && (changed[2] == ClassInput || changed[2] == ClassOutput))
            changed[2] = ClassPrivate;
        if (op == OpExecutionMode)
            changed[0] = entry;
        put(w, &w->out, op, changed, length - 1);
    }
    append(w, &w->body);
}

static void find_resources(const wrapping *w, gpu_module *m)
{
    for (uint32_t i = 0; i < w->variable_count && m->bound_count < GPU_RESOURCES; i++)
        for (size_t k = 0; k < w->map->name_count; k++) {
            const iri_emitted_name *n = &w->map->names[k];
            const variable *v = &w->variables[i];
            if (n->kind == 0 && strcmp(n->emitted, v->name) == 0)
                m->bound[m->bound_count++] =
                    (gpu_bound){(uint32_t)n->group, (uint32_t)n->binding, n->index,
                                v->storage == ClassStorageBuffer};
        }
}

static bool wrap(wrapping *w)
{
    w->old_bound = w->next = w->in[3];
    w->types = calloc(w->old_bound, sizeof *w->types);
    w->names = calloc(w->old_bound, sizeof *w->names);
    if (!w->types || !w->names)
        return false;
    survey(w);
    declare(w);
    uint32_t entry = make_entry(w);
    put(w, &w->out, 0, w->in + 1, HEADER - 1); /* room for the header */
    copy_changed(w, entry);
    if (!w->failed) {
        memcpy(w->out.at, w->in, HEADER * sizeof *w->in);
        w->out.at[3] = w->next;
    }
    return !w->failed;
}

bool gpu_make_spirv(const gpu_job *job, iri_profile profile, gpu_module *m, char why[400])
{
    iri_text text;
    iri_spirv_map map;
    iri_refusal refusal;
    wrapping *w = calloc(1, sizeof *w);
    if (!w || iri_write_spirv(job->p, IRI_SPIRV_OPTIONS(.profile = profile), &text, &map,
                              &refusal) != IRI_OK) {
        iri_refusal_line(&refusal, NULL, why, 400);
        free(w);
        return false;
    }
    w->job = job;
    w->map = &map;
    w->in = (const uint32_t *)(const void *)text.data;
    w->in_count = text.size / 4;
    bool good = wrap(w);
    find_resources(w, m);
    m->bytes = (char *)w->out.at;
    m->size = w->out.count * 4;
    if (!good)
        snprintf(why, 400, "no entry point that can be wrapped");
    free(w->decorations.at);
    free(w->globals.at);
    free(w->body.at);
    free((void *)w->names);
    free(w->types);
    free(w);
    iri_text_free(&text);
    iri_spirv_map_free(&map);
    return good;
}
