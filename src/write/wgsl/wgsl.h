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
    const char *text; /* NULL: none */
    uint8_t level;    /* iri_wgsl_level */
    uint64_t vars;    /* which `var`s it reads: bit (number % 64) */
} iri_wgsl_expr;

/* A lane of a value. */
typedef struct iri_wgsl_lane {
    iri_id value;
    uint8_t lane;
} iri_wgsl_lane;

typedef struct iri_wgsl_value {
    iri_wgsl_expr expr;    /* once defined */
    uint32_t uses;         /* by something other than swizzle, insert, compose, splat */
    iri_id loop;           /* region of the innermost loop around the last use; 0 none */
    iri_id region;         /* of the last use */
    bool whole;            /* the last use is all of a statement */
    uint8_t lanes_used;    /* bit set */
    bool named;            /* it has a `let`, a `var` or is a parameter */
    uint8_t kept;          /* lanes that its `let` keeps: the first so many, or */
    uint8_t kept_one;      /* lane + 1 when only this one */
    iri_id alias;          /* of a loop's result: the value that every way out gives */
    iri_wgsl_lane from[4]; /* where the lanes come from: itself, or what it shuffles */
} iri_wgsl_value;

/* A statement. */
typedef enum iri_stmt_kind {
    IRI_STMT_LINE,   /* text; */
    IRI_STMT_IF,     /* if (text) { body } else { other } */
    IRI_STMT_LOOP,   /* loop { body } */
    IRI_STMT_SWITCH, /* switch text { body: cases } */
    IRI_STMT_CASE,   /* text { body } */
    IRI_STMT_BREAK,
    IRI_STMT_CONTINUE,
    IRI_STMT_RETURN /* return text; */
} iri_stmt_kind;

typedef struct iri_stmt iri_stmt;
typedef struct iri_stmt_list {
    iri_stmt *first, *last;
} iri_stmt_list;

struct iri_stmt {
    iri_stmt_kind kind;
    const char *text;
    const char *opposite; /* of an `if`: the condition's opposite when it has a plain one */
    uint8_t level;        /* of the condition */
    iri_stmt *next;
    iri_stmt_list body, other;
};

/* A resource as declared. */
typedef struct iri_wgsl_member {
    const char *name;         /* emitted */
    const iri_member *source; /* NULL for a register without a name */
    uint32_t offset, size;    /* bytes taken in the buffer */
    uint8_t scalar;           /* iri_scalar that it is declared with */
    uint8_t lanes;            /* of a scalar, a vector, or a row of the others */
    uint8_t columns;          /* of a matCxR, 0 otherwise */
    uint32_t rows;            /* array<vec4, rows>; 0: not an array */
    bool used;                /* some instruction reads it */
} iri_wgsl_member;

typedef struct iri_wgsl_resource {
    const char *name;
    iri_binding binding;
    uint8_t scalar; /* constant buffer: iri_scalar of a word */
    bool read, dynamic,
        mixed; /* constant buffer: read at all, at run-time rows, as several scalars */
    bool raw;  /* constant buffer: rows, not a struct */
    iri_wgsl_member *members;
    uint32_t member_count;
    const char *struct_name;
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

/* A function that the writer adds to the module. */
typedef struct iri_wgsl_helper {
    const char *wanted, *name, *text;
} iri_wgsl_helper;

/* A function as written. */
typedef struct iri_wgsl_function {
    const char *name;
    const char *result;                /* type text, NULL when none */
    const char *const *result_members; /* of a struct of several results */
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
    const char **results;     /* the `var` of each result */
    const char **parameters;  /* loop: the `var` of each parameter */
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
    const char **input_names; /* by place in io.inputs */
    /* The same, but for inputs that functions read too: those are private variables, which the entry
     * point sets. */
    const char **argument_names;
    const char **output_names;
    const char *out_struct;
    iri_wgsl_resource *resources;
    const char **overrides; /* by place in the interface's states */
    iri_wgsl_function *functions;
    iri_wgsl_value *values;
    iri_bitset shared;     /* shuffles that get a name of their own */
    const char *from_bits; /* the helper for NaN and infinities, once needed */
    iri_wgsl_memory *buffer_memory, *group_memory; /* by resource, by workgroup variable */
    IRI_VEC(iri_wgsl_helper) helpers;
    iri_uniform uniform; /* of the function `uniform_of` */
    iri_id uniform_of;
    bool has_read_write_texture, noted_scope;
    bool declared; /* something stands above already */

    /* the function in progress */
    iri_id function;
    iri_names locals;
    const char **local_names; /* of the IR's locals, by local id */
    uint32_t counters[5];     /* next number of v, f, i, u, b */
    uint32_t var_count;
    iri_id loop;   /* region of the innermost loop */
    iri_id region; /* the one being walked */
    bool in_tail;  /* and nothing but expressions is left of it */
    iri_stmt_list *list;
    iri_wgsl_frame *frame;
    uint32_t braces;
    iri_wgsl_lane (*outputs)[4]; /* what was given to each output so far */
} iri_wgsl;

/* literal.c */
const char *iri_wgsl_type(iri_wgsl *w, iri_type type);
iri_wgsl_expr iri_wgsl_literal(iri_wgsl *w, iri_scalar scalar, uint64_t bits);
/* Lanes of a constant as a literal or a constructor. */
iri_wgsl_expr iri_wgsl_constant(iri_wgsl *w, iri_type type, const uint64_t *lanes);

/* uses.c */
bool iri_wgsl_is_shuffle(uint32_t op);
bool iri_wgsl_is_lookup(uint32_t op); /* of a texture */
void iri_wgsl_count_uses(iri_wgsl *w);
/* Runs of lanes of one value each; a run is printed as one part of a constructor. */
uint32_t iri_wgsl_parts(const iri_wgsl_lane *lanes, uint32_t count, const iri_program *p,
                        uint8_t starts[5]);

/* expr.c */
const char *iri_wgsl_printf(iri_wgsl *w, const char *format, ...) IRI_PRINTF(2, 3);
/* The text of an expression, in parentheses when it binds more loosely than `level`. */
const char *iri_wgsl_at(iri_wgsl *w, iri_wgsl_expr e, iri_wgsl_level level);
/* A value wherever it is used. */
iri_wgsl_expr iri_wgsl_operand(iri_wgsl *w, iri_id value);
/* Chosen lanes, as one expression of that many lanes. */
iri_wgsl_expr iri_wgsl_lanes(iri_wgsl *w, const iri_wgsl_lane *lanes, uint32_t count);
/* Lanes of an expression that has `of` of them. */
iri_wgsl_expr iri_wgsl_swizzled(iri_wgsl *w, iri_wgsl_expr e, uint32_t of, const uint8_t *lanes,
                                uint32_t count, iri_scalar scalar);
/* Lanes `first` .. `first + count - 1` of a value, by its own name where it has one. */
iri_wgsl_expr iri_wgsl_slice(iri_wgsl *w, iri_id value, uint32_t first, uint32_t count);
iri_wgsl_expr iri_wgsl_call(iri_wgsl *w, const char *name, const iri_wgsl_expr *arguments,
                            uint32_t count);
/* The same bits as another type of as many lanes. */
iri_wgsl_expr iri_wgsl_cast(iri_wgsl *w, iri_wgsl_expr e, iri_type from, iri_type to);
const char *iri_wgsl_local_name(iri_wgsl *w, iri_type type);

/* ops.c */
/* The expression of an operation. */
iri_wgsl_expr iri_wgsl_operation(iri_wgsl *w, const iri_inst *in);
/* The opposite of a condition where there is one as short, else NULL. */
const char *iri_wgsl_opposite(iri_wgsl *w, iri_id condition);

/* sample.c */
uint32_t iri_wgsl_coordinates(const iri_resource *texture); /* lanes, without an array's layer */
iri_wgsl_expr iri_wgsl_sample(iri_wgsl *w, const iri_inst *in, const char *function);
iri_wgsl_expr iri_wgsl_gather(iri_wgsl *w, const iri_inst *in, const char *function);
const char *iri_wgsl_texture_type(iri_wgsl *w, const iri_resource *resource);

/* constants.c */
void iri_wgsl_plan_constants(iri_wgsl *w);
void iri_wgsl_declare_constants(iri_wgsl *w, iri_buf *out, uint32_t resource);
bool iri_wgsl_is_static_load(const iri_program *p, const iri_inst *in);
/* Lanes of a load whose place is known, named. */
iri_wgsl_expr iri_wgsl_constant_place(iri_wgsl *w, const iri_inst *in, const uint8_t *lanes,
                                      uint32_t count);
iri_wgsl_expr iri_wgsl_dynamic_load(iri_wgsl *w, const iri_inst *in);

/* flow.c */
void iri_wgsl_function_body(iri_wgsl *w, iri_id function, iri_stmt_list *body);

/* wrap.c: a statement's text, broken into lines behind `indent` where it is long. */
void iri_wgsl_put_line(iri_buf *out, const char *text, uint32_t indent);

/* tree.c */
iri_stmt *iri_stmt_add(iri_wgsl *w, iri_stmt_kind kind, const char *text);
void iri_stmt_print(iri_wgsl *w, iri_buf *out, const iri_stmt_list *list, uint32_t indent);

/* module.c */
void iri_wgsl_note(iri_wgsl *w, const char *kind, const char *format, ...) IRI_PRINTF(3, 4);
void iri_wgsl_map_name(iri_wgsl *w, const char *source, const char *emitted, uint32_t kind,
                       uint32_t index, const iri_binding *binding);

#endif
