/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The WGSL writer's inside. A module is written in two steps: uses.c counts what is used how often
 * and where, then flow.c walks each function and builds a tree of statements, in which a value is
 * either the text of an expression that waits for its one use, or a name.
 */
#ifndef IRI_WRITE_WGSL_WGSL_H
#define IRI_WRITE_WGSL_WGSL_H

#include "base/bitset.h"
#include "base/buf.h"
#include "ir/facts/uniform.h"
#include "ir/memory.h"
#include "write/entry_io.h"
#include "write/names.h"
#include "write/plan.h"
#include "write/wgsl.h"

enum {
    IRI_WGSL_LINE = 80,   /* an expression longer than this gets a name, */
    IRI_WGSL_WHOLE = 240, /* one that is all of a statement where it is longer than this */
    IRI_WGSL_BRACES = 127 /* WGSL section 1.4: nesting of brace-enclosed statements */
};

/* How tightly an expression binds, loosest first (WGSL section 8.18). Operators on bits take only
 * unary expressions as operands; so do shifts. */
typedef enum iri_wgsl_level {
    IRI_LEVEL_ANY = 0,
    IRI_LEVEL_OR,      /* a || b */
    IRI_LEVEL_AND,     /* a && b */
    IRI_LEVEL_BITS,    /* a & b, a | b, a ^ b */
    IRI_LEVEL_COMPARE, /* a < b ... */
    IRI_LEVEL_SHIFT,   /* a << b */
    IRI_LEVEL_ADD,
    IRI_LEVEL_MUL,
    IRI_LEVEL_UNARY,
    IRI_LEVEL_POSTFIX
} iri_wgsl_level;

/* The text of an expression. */
typedef struct iri_wgsl_expr {
    iri_str text;  /* none: not said yet */
    uint64_t vars; /* which `var`s it reads: bit (number % 64) */
    uint8_t level; /* iri_wgsl_level */
} iri_wgsl_expr;

/* A lane of a value. */
typedef struct iri_wgsl_lane {
    iri_id value;
    uint8_t lane;
} iri_wgsl_lane;

typedef struct iri_wgsl_value {
    iri_wgsl_expr expr;        /* once defined */
    const iri_wgsl_lane *from; /* of a shuffle: where its lanes come from */
    uint32_t uses;             /* by something other than swizzle, insert, compose, splat */
    iri_id loop;               /* region of the innermost loop around the last use; 0 none */
    iri_id region;             /* of the last use */
    iri_id alias;              /* of a loop's result: the value that every way out gives */
    bool whole;                /* the last use is all of a statement */
    bool shared;               /* a shuffle that gets a name of its own */
    bool named;                /* it has a `let`, a `var` or is a parameter */
    uint8_t lanes_used;        /* bit set */
    uint8_t kept;              /* lanes that its `let` keeps: the first so many, or */
    uint8_t kept_one;          /* lane + 1 when only this one */
} iri_wgsl_value;

/* A statement. */
typedef enum iri_stmt_kind {
    IRI_STMT_LINE,    /* text; */
    IRI_STMT_LET,     /* let to = text; */
    IRI_STMT_VAR,     /* var to = text; */
    IRI_STMT_DECLARE, /* var to: text; */
    IRI_STMT_ASSIGN,  /* to = text; */
    IRI_STMT_IF,      /* if (text) { body } else { other } */
    IRI_STMT_LOOP,    /* loop { body } */
    IRI_STMT_SWITCH,  /* switch text { body: cases } */
    IRI_STMT_CASE,    /* text { body } */
    IRI_STMT_BREAK,
    IRI_STMT_CONTINUE,
    IRI_STMT_RETURN /* return text; */
} iri_stmt_kind;

typedef struct iri_stmt iri_stmt;
typedef struct iri_stmt_list {
    iri_stmt *first, *last;
} iri_stmt_list;

/* What a statement comes from: a run of origin.c's offsets. */
typedef struct iri_wgsl_origin {
    uint32_t first, count;
} iri_wgsl_origin;
typedef struct iri_wgsl_origins iri_wgsl_origins;

struct iri_stmt {
    iri_stmt_kind kind;
    uint8_t level; /* of an `if`'s condition */
    iri_wgsl_origin origin;
    iri_str to, text;
    iri_stmt *next;
    /* Of a statement with statements inside. */
    iri_stmt_list body, other;
    iri_str opposite; /* of an `if`: the condition's opposite when it has a plain one */
};

/* A resource as declared. */
typedef struct iri_wgsl_member {
    iri_str name;             /* emitted */
    const iri_member *source; /* NULL for a register without a name */
    uint32_t offset, size;    /* bytes taken in the buffer */
    uint8_t scalar;           /* iri_scalar that it is declared with */
    uint8_t lanes;            /* of a scalar, a vector, or a row of the others */
    uint8_t columns;          /* of a matCxR, 0 otherwise */
    uint32_t rows;            /* array<vec4, rows>; 0: not an array */
    bool used;                /* some instruction reads it */
} iri_wgsl_member;

typedef struct iri_wgsl_resource {
    iri_str name;
    iri_binding binding;
    uint8_t scalar;     /* constant buffer: iri_scalar of a word */
    bool read, dynamic; /* constant buffer: read at all, at run-time rows */
    bool raw;           /* constant buffer: rows, not a struct */
    iri_wgsl_member *members;
    uint32_t member_count;
    iri_str struct_name;
    iri_str row_function; /* constant buffer read at run-time rows: what gives one */
} iri_wgsl_resource;

/* What the body does with a buffer or workgroup variable. */
typedef struct iri_wgsl_memory {
    const char *name;
    uint8_t scalar; /* iri_scalar of a word: what all accesses have, else u32 */
    bool used, atomic;
    bool counted; /* a buffer whose counter is used: its name and place */
    const char *counter;
    iri_binding counter_at;
} iri_wgsl_memory;

/* A function that helpers.c adds to the module. */
typedef struct iri_wgsl_helper {
    const char *wanted, *name, *text;
} iri_wgsl_helper;

/* A function as written. */
typedef struct iri_wgsl_function {
    iri_str name;
    iri_str result;                /* type text, none when there is none */
    const iri_str *result_members; /* of a struct of several results */
    bool pure;       /* no effect, nothing convergent: a call may stand in an expression */
    bool derivative; /* itself or what it calls needs uniform flow where it does not have it */
    bool written;
    iri_stmt_list body;
} iri_wgsl_function;

/* An enclosing op with regions while its body is walked. */
typedef struct iri_wgsl_frame {
    const iri_inst *in;
    uint32_t label;
    const struct iri_wgsl_frame *outer;
    iri_str *results;         /* the `var` of each result */
    iri_str *parameters;      /* loop: the `var` of each parameter */
    uint32_t *parameter_vars; /* their numbers */
    bool breakable;           /* a `break` in it ends it */
} iri_wgsl_frame;

typedef struct iri_wgsl {
    iri_ctx *ctx;
    iri_arena *arena;
    const iri_program *p;
    const iri_wgsl_options *options;
    iri_write_result *result;
    iri_names names; /* the module's */
    iri_entry_io io;
    iri_str *input_names; /* by place in io.inputs */
    /* The same, but for inputs that functions read too: those are private variables, which the entry
     * point sets. */
    iri_str *argument_names;
    iri_str *output_names;
    iri_str out_struct;
    iri_wgsl_resource *resources;
    iri_str *overrides; /* by place in the interface's states */
    iri_wgsl_function *functions;
    iri_wgsl_value *values;
    const iri_inst **loads; /* that read constants and are used */
    uint32_t load_count;
    /* The floats said last, by their bits: most are said again. */
    struct {
        uint32_t bits;
        iri_str text;
    } floats[64];
    iri_wgsl_memory *buffer_memory, *group_memory; /* by resource, by workgroup variable */
    IRI_VEC(iri_wgsl_helper) functions_added;
    iri_uniform uniform; /* of the function `uniform_of` */
    iri_id uniform_of;
    bool has_read_write_texture, noted_scope;
    uint64_t special[2]; /* which of special.c's functions were called */
    bool from_bits;      /* the function for NaN and infinities was */
    bool declared;       /* something stands above already */

    /* the function in progress */
    iri_id function;
    iri_names locals;
    iri_str *local_names; /* of the IR's locals, by local id */
    bool *
        spare; /* of each local: an array with an element more than the program's; NULL: none is known */
    uint32_t var_count;
    iri_id loop;   /* region of the innermost loop */
    iri_id region; /* the one being walked */
    bool in_tail;  /* and nothing but expressions is left of it */
    iri_stmt_list *list;
    iri_wgsl_frame *frame;
    uint32_t braces;
    iri_wgsl_lane (*outputs)[4]; /* what was given to each output so far */
    iri_wgsl_origins *origins;   /* NULL: nobody asks where lines come from */
    iri_wgsl_origin origin;      /* of the statements that are added */
} iri_wgsl;

/* ---- text ---- */

/* Pieces one after the other, in the arena. */
iri_str iri_wgsl_join(iri_wgsl *w, const iri_str *pieces, size_t count);
#define IRI_WGSL_JOIN(w, ...) \
    iri_wgsl_join(w, (const iri_str[]){__VA_ARGS__}, \
                  sizeof((const iri_str[]){__VA_ARGS__}) / sizeof(iri_str))
/* A number's digits, in the arena. */
iri_str iri_wgsl_number(iri_wgsl *w, uint64_t number);
/* What goes around an expression that binds more loosely than `level`. */
static inline iri_str iri_wgsl_open(iri_wgsl_expr e, iri_wgsl_level level)
{
    return e.level >= level ? IRI_STR_NONE : IRI_STR("(");
}
static inline iri_str iri_wgsl_close(iri_wgsl_expr e, iri_wgsl_level level)
{
    return e.level >= level ? IRI_STR_NONE : IRI_STR(")");
}

/* literal.c */
iri_str iri_wgsl_type(iri_wgsl *w, iri_type type);
iri_wgsl_expr iri_wgsl_literal(iri_wgsl *w, iri_scalar scalar, uint64_t bits);
/* Lanes of a constant as a literal or a constructor. */
iri_wgsl_expr iri_wgsl_constant(iri_wgsl *w, iri_type type, const uint64_t *lanes);
iri_wgsl_expr iri_wgsl_zero(iri_wgsl *w, iri_type type);

/* uses.c */
static inline bool iri_wgsl_is_shuffle(uint32_t op)
{
    return op == IRI_OP_SWIZZLE || op == IRI_OP_INSERT || op == IRI_OP_COMPOSE ||
           op == IRI_OP_SPLAT;
}
static inline bool iri_wgsl_is_lookup(uint32_t op) /* of a texture */
{
    return iri_op_infos[op].immediates[0] == 'r' && iri_op_infos[op].immediates[1] == 'r';
}
/* The operand, and its lane, that a shuffle moves to a lane of its result. */
iri_wgsl_lane iri_wgsl_shuffled(const iri_program *p, const iri_inst *in, uint32_t lane);
/* Where a lane of a value comes from: the value itself, or what it shuffles. */
static inline iri_wgsl_lane iri_wgsl_from(const iri_wgsl *w, iri_id value, uint32_t lane)
{
    const iri_wgsl_lane *from = w->values[value].from;
    return from ? from[lane] : (iri_wgsl_lane){value, (uint8_t)lane};
}
/* Whether an instruction does nothing but give its result, wherever it stands. */
bool iri_wgsl_is_movable(const iri_wgsl *w, const iri_inst *in);
/* Whether it is left out when nothing uses what it gives. */
bool iri_wgsl_is_removable(const iri_wgsl *w, const iri_inst *in);
void iri_wgsl_count_uses(iri_wgsl *w);
/* Runs of lanes of one value each; a run is printed as one part of a constructor. */
uint32_t iri_wgsl_parts(const iri_wgsl_lane *lanes, uint32_t count, const iri_program *p,
                        uint8_t starts[5]);

/* expr.c */
/* A value wherever it is used. */
iri_wgsl_expr iri_wgsl_operand(iri_wgsl *w, iri_id value);
/* Chosen lanes, as one expression of that many lanes. */
iri_wgsl_expr iri_wgsl_lanes(iri_wgsl *w, const iri_wgsl_lane *lanes, uint32_t count);
/* Lanes of an expression that has `of` of them. */
iri_wgsl_expr iri_wgsl_swizzled(iri_wgsl *w, iri_wgsl_expr e, uint32_t of, const uint8_t *lanes,
                                uint32_t count, iri_scalar scalar);
/* Lanes `first` .. `first + count - 1` of a value, by its own name where it has one. */
iri_wgsl_expr iri_wgsl_slice(iri_wgsl *w, iri_id value, uint32_t first, uint32_t count);
iri_wgsl_expr iri_wgsl_call(iri_wgsl *w, iri_str name, const iri_wgsl_expr *arguments,
                            uint32_t count);
/* The same bits as another type of as many lanes. */
iri_wgsl_expr iri_wgsl_cast(iri_wgsl *w, iri_wgsl_expr e, iri_type from, iri_type to);
iri_wgsl_expr iri_wgsl_binary(iri_wgsl *w, iri_wgsl_expr a, iri_wgsl_level least_a, iri_str text,
                              iri_wgsl_expr b, iri_wgsl_level least_b, iri_wgsl_level level);
/* Whether an input is no name but an expression, which gets a name where it is used more than once. */
bool iri_wgsl_is_computed_input(const iri_wgsl *w, const iri_inst *in);
iri_wgsl_expr iri_wgsl_input(iri_wgsl *w, const iri_inst *in); /* all of its lanes */
iri_str iri_wgsl_local_name(iri_wgsl *w, iri_type type);

/* ops.c */
/* The expression of an operation. */
iri_wgsl_expr iri_wgsl_operation(iri_wgsl *w, const iri_inst *in);
/* The opposite of a condition where there is one as short, else none. */
iri_str iri_wgsl_opposite(iri_wgsl *w, iri_id condition);

/* special.c: Direct3D's operations, as calls of functions that the module then has */
iri_wgsl_expr iri_wgsl_special(iri_wgsl *w, const iri_inst *in);
void iri_wgsl_write_special(const iri_wgsl *w, iri_buf *out);

/* sample.c */
uint32_t iri_wgsl_coordinates(const iri_resource *texture); /* lanes, without an array's layer */
iri_wgsl_expr iri_wgsl_sample(iri_wgsl *w, const iri_inst *in, iri_str function);
iri_wgsl_expr iri_wgsl_gather(iri_wgsl *w, const iri_inst *in, iri_str function);
iri_str iri_wgsl_texture_type(iri_wgsl *w, const iri_resource *resource);

/* constants.c */
void iri_wgsl_plan_constants(iri_wgsl *w);
/* Lanes of a load whose place is known, named; 0 where it is not in the buffer. */
iri_wgsl_expr iri_wgsl_constant_place(iri_wgsl *w, const iri_inst *in, const uint8_t *lanes,
                                      uint32_t count);
/* From the scalar that a buffer is declared with to the one that a load gives. */
iri_wgsl_expr iri_wgsl_as_loaded(iri_wgsl *w, iri_wgsl_expr e, iri_scalar declared, iri_type type);
void iri_wgsl_declare_constants(iri_wgsl *w, iri_buf *out, uint32_t resource);
static inline bool iri_wgsl_is_static_load(const iri_program *p, const iri_inst *in)
{
    return iri_is_constant(p, iri_operands(p, in)[0]);
}

/* rows.c: constants read at run time */
/* The value that says which row a load at run time reads. */
iri_id iri_wgsl_row_operand(const iri_wgsl *w, const iri_inst *in);
iri_wgsl_expr iri_wgsl_dynamic_load(iri_wgsl *w, const iri_inst *in);
void iri_wgsl_write_row_function(iri_wgsl *w, iri_buf *out, uint32_t resource);

/* declare.c: what a module declares before its functions */
void iri_wgsl_declare(iri_wgsl *w, iri_buf *out);
void iri_wgsl_put_binding(iri_buf *out, const iri_binding *binding);
void iri_wgsl_write_arguments(iri_wgsl *w, iri_buf *out);

/* flow.c */
void iri_wgsl_function_body(iri_wgsl *w, iri_id function, iri_stmt_list *body);

/* wrap.c: text that begins at `column`, broken into lines behind `indent` where it is long. */
void iri_wgsl_put_wrapped(iri_buf *out, iri_str text, uint32_t indent, size_t column);

/* tree.c */
iri_stmt *iri_stmt_add(iri_wgsl *w, iri_stmt_kind kind, iri_str to, iri_str text);
void iri_stmt_print(iri_wgsl *w, iri_buf *out, const iri_stmt_list *list, uint32_t indent);

/* origin.c: where lines come from. To be called where w->origins is there. */
void iri_wgsl_origin_start(iri_wgsl *w);
/* What is added from now on comes from an instruction and from what waits in its operands; */
void iri_wgsl_origin_inst(iri_wgsl *w, const iri_inst *in);
/* from that instruction and from what waits in a value (0: from it alone) or in a lane of one; */
void iri_wgsl_origin_value(iri_wgsl *w, iri_id value);
void iri_wgsl_origin_lane(iri_wgsl *w, iri_id value, uint32_t lane);
/* from what gave lanes of an output. */
void iri_wgsl_origin_output(iri_wgsl *w, uint32_t element, uint32_t first, uint32_t count);
void iri_wgsl_origin_give(iri_wgsl *w, const iri_inst *in); /* an `output` was met */
/* The text from `start` to its end says a statement, or the head of one. */
void iri_wgsl_origin_said(iri_wgsl *w, const iri_stmt *s, const iri_buf *out, size_t start);
/* Lines and offsets for the caller. */
void iri_wgsl_origin_finish(iri_wgsl *w, const iri_buf *out);

/* naming.c: what resources, inputs, outputs, states and functions are called, and which functions are written */
void iri_wgsl_name_all(iri_wgsl *w, iri_str entry);
/* For the caller's map; `source` and `emitted` are NUL-terminated. */
void iri_wgsl_map_name(iri_wgsl *w, iri_str source, iri_str emitted, uint32_t kind, uint32_t index,
                       const iri_binding *binding, int32_t location);

/* module.c */
void iri_wgsl_note(iri_wgsl *w, const char *kind, const char *text);

#endif
