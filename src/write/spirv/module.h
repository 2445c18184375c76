/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The SPIR-V writer's inside. A module is written in one walk over the program: each section of the
 * logical layout (SPIR-V unified1, section 2.4) is a growing array of words, and what an instruction
 * needs of types, constants and decorations goes to its section when it is first met.
 */
#ifndef IRI_WRITE_SPIRV_MODULE_H
#define IRI_WRITE_SPIRV_MODULE_H

#include "base/arena.h"
#include "ir/memory.h"
#include "write/entry_io.h"
#include "write/plan.h"
#include "write/spirv/grammar.h"
#include "write/spirv/spirv.h"

enum {
    IRI_SPV_NAME = 200,          /* bytes of a name that are kept */
    IRI_SPV_ROWS_MAX = 65536,    /* rows of one constant buffer, and of its members' table */
    IRI_SPV_UNIFORM_MAX = 65536, /* bytes; a larger constant buffer is a storage buffer */
    IRI_SPV_ID_MAX = 4194303,    /* unified1, section 2.17: largest result id */
    IRI_SPV_ARGUMENTS_MAX = 255, /* of a function */
    IRI_SPV_CASES_MAX = 16383    /* literals of a switch */
};

typedef IRI_VEC(uint32_t) iri_spv_words;

/* A constant: one key for all its lanes. */
typedef struct iri_spv_constant {
    uint64_t lanes[4];
    uint32_t id; /* 0: an empty slot */
    iri_type type;
} iri_spv_constant;

/* A run of rows of a constant buffer under one name. */
typedef struct iri_spv_field {
    const char *name;
    uint32_t row, rows;
} iri_spv_field;

typedef struct iri_spv_resource {
    iri_binding binding;
    const char *name;
    bool used, dynamic, indexed; /* read at all; at run-time offsets; by a run-time register */
    uint8_t scalar;              /* constant buffer: iri_scalar of a word */
    uint8_t storage;             /* IRI_SPV_Class of the variable */
    uint32_t variable, type;     /* ids; `type` of what one register holds */
    uint32_t pointer;            /* constant buffer: to a row; others: to `type` */
    uint32_t sampled;            /* texture: OpTypeSampledImage */
    uint32_t rows;
    iri_spv_field *fields;
    uint16_t *field_of; /* by row */
    uint32_t field_count;
    /* By row, or [0]: ids loaded where all later code of the function sees them. */
    uint32_t *loaded;
    uint32_t row_helper;  /* the function that reads a row at run time */
    bool atomic, counted; /* buffer: atomics touch it, its counter is used */
    uint32_t counter;     /* variable */
} iri_spv_resource;

/* An edge to the end or the continue target of a construct. */
typedef struct iri_spv_edge {
    const iri_id *values;
    uint32_t from; /* the block it leaves */
    struct iri_spv_edge *next;
} iri_spv_edge;

typedef struct iri_spv_edges {
    iri_spv_edge *first, **last;
    uint32_t count;
} iri_spv_edges;

/* A construct that is being written. */
typedef struct iri_spv_frame {
    const struct iri_spv_frame *outer;
    const iri_inst *in;
    uint32_t label;                 /* the program's; 0 for `if` */
    uint32_t merge, continue_block; /* ids */
    iri_spv_edges ends, continues;
} iri_spv_frame;

/* A lane given to an output. */
typedef struct iri_spv_lane {
    iri_id value;
    uint8_t lane;
} iri_spv_lane;

typedef struct iri_spv {
    iri_ctx *ctx;
    iri_arena *arena;
    const iri_program *p;
    const iri_spirv_options *options;
    iri_write_result *result;
    bool spirv_1_6, demote_flag, kills;
    bool contracts; /* the float environment allows a * b + c as one operation */
    uint32_t next_id;

    /* Sections, in order. */
    iri_spv_words capabilities, extensions, entry, modes, names, decorations, globals, functions;

    uint32_t glsl; /* the imported instruction set */
    uint32_t types[256];
    uint32_t pointers[IRI_SPV_ClassCount][64]; /* by iri_type */
    iri_spv_constant *constants;               /* open addressing */
    uint32_t constant_count, constant_slots;
    iri_spv_words arrays; /* element type, length, id: arrays of rows */
    uint32_t images[256]; /* OpTypeImage by kind, sampled images behind them */
    uint32_t sampler_type;
    uint32_t word_array;          /* OpTypeRuntimeArray of u32 */
    iri_spv_words storage_images; /* scalar, dimension, arrayed, sampled, format, id */
    uint32_t *shared;             /* variables by workgroup variable; NULL: none so far */
    bool shared_atomic;           /* atomics touch workgroup variables */

    iri_entry_io io;
    uint32_t *input_variables, *input_loaded; /* by place in io.inputs */
    uint32_t *output_variables;               /* by place in io.outputs */
    uint32_t point_size;                      /* variable */
    uint32_t *specs;                          /* by place in the interface's states */
    iri_spv_words variables;                  /* what the entry point's interface lists */
    iri_spv_resource *resources;
    uint32_t *function_ids, *function_structs; /* by function; 0: not called so far */
    IRI_VEC(iri_id) called;                    /* functions, in the order of their first calls */
    iri_spv_words signatures; /* function types: how many words, those of the instruction */
    uint32_t *ids;            /* by value */
    uint32_t killed;          /* the flag of demoted invocations */

    iri_spv_words helpers; /* functions of the module's own */
    iri_spv_words spelled; /* operation and types, function */

    /* The function in progress. */
    iri_id function;
    uint32_t block;   /* the id of the open block; 0 when it has ended */
    uint32_t depth;   /* of regions: what stands at 0 is seen by all that follows */
    uint32_t *locals; /* variables by local */
    iri_spv_frame *frame;
    iri_spv_lane (*outputs)[4]; /* by output of the interface */
    IRI_VEC(uint32_t *) kept;   /* what `iri_spv_keep` set */
} iri_spv;

/* Remembers what was loaded from read-only memory for the rest of the function, where all of it comes
 * after this point. */
static inline void iri_spv_keep(iri_spv *s, uint32_t *slot, uint32_t id)
{
    if (s->depth == 0) {
        *slot = id;
        iri_push(s->arena, &s->kept, slot);
    }
}

/* ---- words ---- */

static inline uint32_t iri_spv_new_id(iri_spv *s)
{
    return s->next_id++;
}

/* Room for an instruction of `count` words in all; its first word is written. Gives the place of the
 * second, valid until the next call. */
static inline uint32_t *iri_spv_put(iri_spv *s, iri_spv_words *words, uint32_t opcode,
                                    uint32_t count)
{
    iri_reserve(s->arena, words, count);
    uint32_t *at = words->at + words->count;
    assert(count < 65536);
    words->count += count;
    at[0] = count << 16 | opcode;
    return at + 1;
}
static inline void iri_spv_put1(iri_spv *s, iri_spv_words *words, uint32_t opcode, uint32_t a)
{
    iri_spv_put(s, words, opcode, 2)[0] = a;
}
static inline void iri_spv_put2(iri_spv *s, iri_spv_words *words, uint32_t opcode, uint32_t a,
                                uint32_t b)
{
    uint32_t *at = iri_spv_put(s, words, opcode, 3);
    at[0] = a, at[1] = b;
}
static inline void iri_spv_put3(iri_spv *s, iri_spv_words *words, uint32_t opcode, uint32_t a,
                                uint32_t b, uint32_t c)
{
    uint32_t *at = iri_spv_put(s, words, opcode, 4);
    at[0] = a, at[1] = b, at[2] = c;
}

/* Instructions of the open block; each gives its result. */
static inline uint32_t iri_spv_op1(iri_spv *s, uint32_t opcode, uint32_t type, uint32_t a)
{
    uint32_t id = iri_spv_new_id(s), *at = iri_spv_put(s, &s->functions, opcode, 4);
    at[0] = type, at[1] = id, at[2] = a;
    return id;
}
static inline uint32_t iri_spv_op2(iri_spv *s, uint32_t opcode, uint32_t type, uint32_t a,
                                   uint32_t b)
{
    uint32_t id = iri_spv_new_id(s), *at = iri_spv_put(s, &s->functions, opcode, 5);
    at[0] = type, at[1] = id, at[2] = a, at[3] = b;
    return id;
}
static inline uint32_t iri_spv_op3(iri_spv *s, uint32_t opcode, uint32_t type, uint32_t a,
                                   uint32_t b, uint32_t c)
{
    uint32_t id = iri_spv_new_id(s), *at = iri_spv_put(s, &s->functions, opcode, 6);
    at[0] = type, at[1] = id, at[2] = a, at[3] = b, at[4] = c;
    return id;
}
/* Any count of operands. */
uint32_t iri_spv_op(iri_spv *s, uint32_t opcode, uint32_t type, const uint32_t *operands,
                    uint32_t count);
/* An instruction of GLSL.std.450. */
uint32_t iri_spv_glsl(iri_spv *s, uint32_t number, uint32_t type, const uint32_t *operands,
                      uint32_t count);

static inline void iri_spv_decorate(iri_spv *s, uint32_t id, uint32_t decoration)
{
    iri_spv_put2(s, &s->decorations, IRI_SPV_OpDecorate, id, decoration);
}
static inline void iri_spv_decorate1(iri_spv *s, uint32_t id, uint32_t decoration, uint32_t value)
{
    iri_spv_put3(s, &s->decorations, IRI_SPV_OpDecorate, id, decoration, value);
}

/* module.c */
void iri_spv_capability(iri_spv *s, uint32_t capability);
void iri_spv_extension(iri_spv *s, const char *name);
void iri_spv_name(iri_spv *s, uint32_t id, const char *name);
void iri_spv_member_name(iri_spv *s, uint32_t id, uint32_t member, const char *name);
/* Words of a NUL-terminated literal string, and the string as words. */
uint32_t iri_spv_string_words(const char *text);
void iri_spv_string(uint32_t *at, const char *text);
void iri_spv_map_name(iri_spv *s, const char *source, const char *emitted, uint32_t kind,
                      uint32_t index, const iri_binding *binding, int32_t location);

/* types.c */
uint32_t iri_spv_make_type(iri_spv *s, iri_type type);
static inline uint32_t iri_spv_type(iri_spv *s, iri_type type)
{
    return s->types[type] ? s->types[type] : iri_spv_make_type(s, type);
}
uint32_t iri_spv_pointer(iri_spv *s, uint32_t storage, iri_type type);
uint32_t iri_spv_pointer_to(iri_spv *s, uint32_t storage, uint32_t type);
/* `length` elements of a type; `stride` 0: none stated. */
uint32_t iri_spv_array(iri_spv *s, uint32_t element, uint32_t length, uint32_t stride);
uint32_t iri_spv_make_constant(iri_spv *s, iri_type type, const uint64_t *lanes);
uint32_t iri_spv_u32(iri_spv *s, uint32_t value);
uint32_t iri_spv_splat(iri_spv *s, iri_type type, uint64_t bits);
/* A float of the type's width in all lanes. */
uint32_t iri_spv_float(iri_spv *s, iri_type type, double value);
uint32_t iri_spv_zero(iri_spv *s, iri_type type);
uint32_t iri_spv_constant_value(iri_spv *s, iri_id value);
/* The id of a value that was written before, or of a constant. */
static inline uint32_t iri_spv_value(iri_spv *s, iri_id value)
{
    return s->ids[value] ? s->ids[value] : iri_spv_constant_value(s, value);
}

/* ops.c: `operation` writes one instruction of the program. */
void iri_spv_operation(iri_spv *s, const iri_inst *in);
/* Chosen lanes of a value of `type`, as one of so many lanes. */
uint32_t iri_spv_choose(iri_spv *s, uint32_t id, iri_type type, iri_lanes lanes);
/* One lane of a value in each of the lanes of `type`. */
uint32_t iri_spv_spread(iri_spv *s, uint32_t id, iri_type type);

typedef struct iri_spv_row iri_spv_row;
typedef void iri_spv_form(iri_spv *s, const iri_inst *in, const iri_spv_row *row);
struct iri_spv_row {
    iri_spv_form *form;
    uint16_t code[3]; /* by the operands' scalar: float or bool, signed, unsigned */
};
enum { IRI_SPV_GLSL_CODE = 0x8000 };

iri_spv_form iri_spv_form_plain, iri_spv_form_rounded, iri_spv_form_swizzle, iri_spv_form_insert,
    iri_spv_form_compose, iri_spv_form_splat, iri_spv_form_select, iri_spv_form_shift,
    iri_spv_form_over_lanes, iri_spv_form_convert, iri_spv_form_bitcast, iri_spv_form_refused,
    iri_spv_form_unwritten, iri_spv_form_state, iri_spv_form_pick, iri_spv_form_saturate,
    iri_spv_form_reciprocal, iri_spv_form_dot, iri_spv_form_spelled, iri_spv_form_derivative,
    iri_spv_form_input, iri_spv_form_output, iri_spv_form_load_cb, iri_spv_form_load_local,
    iri_spv_form_store_local, iri_spv_form_sample, iri_spv_form_demote, iri_spv_form_if,
    iri_spv_form_loop, iri_spv_form_switch, iri_spv_form_edge, iri_spv_form_return,
    iri_spv_form_unreachable, iri_spv_form_call, iri_spv_form_access, iri_spv_form_buffer_size,
    iri_spv_form_counter, iri_spv_form_status, iri_spv_form_barrier, iri_spv_form_texel,
    iri_spv_form_query, iri_spv_form_lod, iri_spv_form_gather;

/* The single result of an instruction is `id`, which it has made. */
void iri_spv_define(iri_spv *s, const iri_inst *in, uint32_t id);
/* The same, of arithmetic that must not be contracted where the program forbids it. */
void iri_spv_define_rounded(iri_spv *s, const iri_inst *in, uint32_t id);
void iri_spv_round(iri_spv *s, const iri_inst *in, uint32_t id);

/* resources.c, constants.c */
void iri_spv_declare_resources(iri_spv *s);
void iri_spv_plan_constants(iri_spv *s, uint32_t resource);
void iri_spv_declare_constants(iri_spv *s, uint32_t resource);

/* The image or sampler of a lookup, loaded; `operand` chooses one of a range. */
uint32_t iri_spv_load_resource(iri_spv *s, uint32_t resource, const iri_inst *in, uint32_t operand);
/* The variable itself, of a range the one that is chosen. */
uint32_t iri_spv_resource_pointer(iri_spv *s, uint32_t resource, const iri_inst *in,
                                  uint32_t operand);

/* memory.c, images.c */
void iri_spv_declare_buffer(iri_spv *s, uint32_t resource);
void iri_spv_declare_counters(iri_spv *s);
void iri_spv_declare_storage_image(iri_spv *s, uint32_t resource);
void iri_spv_decorate_storage_image(iri_spv *s, uint32_t resource);
void iri_spv_access_image(iri_spv *s, const iri_inst *in, iri_memory_op m);
void iri_spv_image_size(iri_spv *s, const iri_inst *in);
/* An atomic on what `pointer` points at, of type `held`; gives what was there before. */
uint32_t iri_spv_atomic(iri_spv *s, const iri_inst *in, iri_memory_op m, iri_type held,
                        uint32_t pointer, uint32_t scope);

/* io.c */
void iri_spv_declare_io(iri_spv *s);
void iri_spv_store_outputs(iri_spv *s);

/* A small function of the module's own, written while another one is open. */
typedef struct iri_spv_helper {
    iri_spv_words functions; /* of the function that waits */
    uint32_t id;
} iri_spv_helper;
iri_spv_helper iri_spv_begin_helper(iri_spv *s, const char *name, iri_type result,
                                    const iri_type *types, uint32_t count, uint32_t *parameters);
/* Ends it with what it gives; its id. */
uint32_t iri_spv_end_helper(iri_spv *s, const iri_spv_helper *helper, uint32_t value);

/* flow.c */
/* A block that is entered only where the condition holds. */
typedef struct iri_spv_guard {
    uint32_t before, after; /* blocks */
} iri_spv_guard;
iri_spv_guard iri_spv_begin_guard(iri_spv *s, uint32_t condition);
/* Gives `inside`, of `type` and made in it, or `outside` where it was not entered; nothing where `inside` is 0. */
uint32_t iri_spv_end_guard(iri_spv *s, const iri_spv_guard *guard, iri_type type, uint32_t inside,
                           uint32_t outside);
/* The entry function and all it calls. */
void iri_spv_functions(iri_spv *s, uint32_t entry_id);

#endif
