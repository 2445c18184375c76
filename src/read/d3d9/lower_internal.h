/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the Direct3D 9 lowering share: one record of the program being lowered, and the
 * functions each file gives the others.
 */
#ifndef IRI_READ_D3D9_LOWER_INTERNAL_H
#define IRI_READ_D3D9_LOWER_INTERNAL_H

#include "ir/variables.h"
#include "read/d3d9/lower.h"

/* Registers held in locals, one number each. */
enum {
    IRI_L9_R = 0,
    IRI_L9_A = 32,
    IRI_L9_P = 33,
    IRI_L9_T = 34, /* texture registers of ps_1_0 to ps_1_3 */
    IRI_L9_OC = 42,
    IRI_L9_ODEPTH = 46,
    IRI_L9_OPOS = 47,
    IRI_L9_OFOG = 48,
    IRI_L9_OPTS = 49,
    IRI_L9_OD = 50,
    IRI_L9_OT = 52,
    IRI_L9_O = 60,
    IRI_L9_SLOTS = 76,
    IRI_L9_NO_SLOT = 0xff
};

/* Lanes of every register that is held in a local. */
typedef struct iri_l9_lanes {
    uint8_t at[IRI_L9_SLOTS];
} iri_l9_lanes;

/* Where the lanes of an input register come from. */
typedef struct iri_l9_input {
    uint16_t io[4];  /* input + 1; 0: no declaration has the lane */
    uint8_t lane[4]; /* of that input */
} iri_l9_input;

/* An output of the interface and the register whose lanes it carries. */
typedef struct iri_l9_output {
    uint32_t io;
    uint8_t slot, lanes;
    uint8_t own;   /* lanes of the register that are it; the others are zero */
    bool scalar;   /* one lane: the lowest written one */
    bool saturate; /* a colour or fog factor below vs_3_0 */
    bool target;   /* oC0: alpha test and fog apply */
} iri_l9_output;

/* A subroutine. `in` and `out` are what the caller must hand over and gets back. */
typedef struct iri_l9_function {
    uint32_t first; /* instruction after the label; 0: no such label */
    bool known, reads_al, indexes_c;
    bool writes_o; /* where outputs are indexed, all of them go through */
    iri_id id;
    iri_l9_lanes in, out, sure; /* sure: written on every path */
} iri_l9_function;

/* The loop counter aL, and where it is known between which numbers it stays. */
typedef struct iri_l9_counter {
    iri_id value; /* 0 outside loops */
    bool known;
    int64_t low, high;
} iri_l9_counter;

/* Lanes of a register that an instruction reads. */
typedef struct iri_l9_access {
    uint8_t slot, lanes;
} iri_l9_access;

typedef enum iri_l9_flow_kind {
    IRI_L9_FLOW_NONE,
    IRI_L9_FLOW_OPEN, /* a conditional or a loop */
    IRI_L9_FLOW_ELSE,
    IRI_L9_FLOW_CLOSE,
    IRI_L9_FLOW_BREAK,
    IRI_L9_FLOW_BREAK_IF
} iri_l9_flow_kind;

/* A conditional or loop whose registers are variables. */
typedef struct iri_l9_region {
    bool loop, has_else;
    iri_l9_lanes written; /* inside */
    iri_l9_lanes after;   /* live behind it */
    iri_l9_lanes inner;   /* live at the start of the second arm, or at a loop's head */
    iri_join results, parameters;
} iri_l9_region;

typedef struct iri_l9_frame {
    uint8_t op;                  /* IRI_D3D9_OP_IF, LOOP, REP */
    const iri_l9_region *region; /* NULL where registers are locals */
    uint32_t mark;               /* of the variables, before it */
    uint32_t label;
    iri_id counter, al, step;
    struct iri_l9_counter outer;
    iri_l9_lanes before, other; /* written for sure before it, and at the end of its first arm */
    bool has_else;
} iri_l9_frame;

enum {
    IRI_L9_FRAMES = 64,
    IRI_L9_READS = 24,  /* of one instruction: four rows a source at most, and its index */
    IRI_L9_OUTPUTS = 64 /* a lane each of the 16 registers: more cannot be declared */
};

typedef struct iri_l9 {
    iri_ctx *ctx;
    iri_arena *scratch;
    iri_builder *b;
    const iri_d3d9_shader *shader;
    const iri_d3d9_ctab *ctab;
    const iri_lift_options *options;
    bool vertex, ieee;
    bool relaxed; /* the instruction being lowered is _pp */
    uint8_t major, minor;

    /* Of the whole program, from the scan. */
    iri_l9_lanes written;
    uint32_t last_write[IRI_L9_SLOTS][4]; /* offset of the last instruction that writes a lane */
    uint32_t main_end;                    /* the first label, or past the last instruction */
    uint32_t float_rows, int_rows, bool_rows; /* registers read, def'd ones left out */
    bool relative_c, relative_v, relative_o;
    bool main_indexes_c, main_indexes_v;
    bool call_writes_o; /* outputs are indexed, and a subroutine writes some */
    uint16_t stages;    /* samplers used */
    const uint32_t **float_def, **int_def, **bool_def; /* per register, or NULL */
    uint32_t float_limit;
    uint32_t def_first, def_end;              /* rows that have a def lie between */
    uint16_t noted;                           /* kinds of notes made */
    uint32_t default_states[IRI_STATE_COUNT]; /* by id, bit i for index i */

    /* Interface. */
    iri_l9_input v[16], t[8];
    uint8_t used_v[16], used_t[8];
    uint32_t vpos, vface, fog_factor, fog_depth; /* input + 1 */
    uint32_t cb[3];                              /* resource + 1 */
    uint32_t textures[16], samplers[16];         /* resource + 1 */
    uint8_t dimension[16];                       /* iri_dimension */
    bool shadow[16];
    iri_l9_output outputs[IRI_L9_OUTPUTS];
    uint8_t declared_o[16]; /* lanes */
    uint32_t output_count;
    uint32_t clip_io[2];
    iri_id clip_value[2];

    /* Registers: variables of SSA form where there are no calls, else locals for promote. */
    bool direct;
    bool unsuited; /* met what only promote can judge */
    iri_variables variables;
    iri_l9_region *
        *region_at; /* instruction -> its region; of a break, the loop's; NULL without flow */

    /* Of the function being lowered. */
    iri_id locals[IRI_L9_SLOTS];
    iri_id v_array, o_array, def_array;
    uint32_t v_length, o_length; /* registers up to the last declared one */
    iri_l9_lanes sure;           /* lanes that every path to this point has written */
    iri_l9_lanes some;           /* lanes that anything before this point in the stream writes */
    uint32_t loops;              /* that are open */
    iri_l9_counter al;
    iri_l9_frame *frames; /* IRI_L9_FRAMES of them, from the first on */
    uint32_t depth;

    iri_l9_function *functions; /* by label number */
    uint32_t function_limit;
    iri_id main;

    /* ps_1_x: rows of a texm3x* sequence so far. */
    iri_id rows[3];
    uint32_t row_stage[3];
    uint32_t row_count;
} iri_l9;

/* Notes of which one a program is enough. */
enum {
    IRI_L9_NOTE_PARTIAL = 1,
    IRI_L9_NOTE_UNDECLARED_LANE = 2,
    IRI_L9_NOTE_PREDICATED = 4,
    IRI_L9_NOTE_SHADOW_LEVEL = 8,
    IRI_L9_NOTE_INDEXED_INPUT = 16,
    IRI_L9_NOTE_INDEXED_OUTPUT = 32
};

static inline uint32_t iri_l9_count_lanes(uint32_t mask)
{
    return (mask & 1u) + (mask >> 1 & 1u) + (mask >> 2 & 1u) + (mask >> 3 & 1u);
}
static inline const iri_d3d9_operand *iri_l9_operand(const iri_l9 *l,
                                                     const iri_d3d9_instruction *in, uint32_t i)
{
    return &l->shader->operands[in->first + i];
}
/* The first operand after the destination. */
static inline const iri_d3d9_operand *iri_l9_source(const iri_l9 *l, const iri_d3d9_instruction *in,
                                                    uint32_t i)
{
    return &l->shader->operands[in->first + 1 + i];
}

/* lower_decl.c: the scan, and the interface. */
uint8_t iri_l9_slot(const iri_l9 *l, uint32_t bank,
                    uint32_t number); /* IRI_L9_NO_SLOT for others */
bool iri_l9_has_dst(const iri_d3d9_instruction *in);
/* The register whose lanes an instruction writes, and which lanes; NO_SLOT when it writes none. */
uint8_t iri_l9_writes(const iri_l9 *l, const iri_d3d9_instruction *in, uint8_t *lanes);
void iri_l9_scan(iri_l9 *l);
void iri_l9_declare(iri_l9 *l);

/* lower_ctab.c: constant buffers, samplers' names. */
void iri_l9_declare_constants(iri_l9 *l);
const iri_d3d9_constant *iri_l9_sampler_constant(const iri_l9 *l, uint32_t number);

/* lower_state.c */
/* The number of a state that lowering must know; false when nothing says it. */
bool iri_l9_state(iri_l9 *l, iri_state_id id, uint32_t index, uint32_t bits[4]);
/* The state as a value: a constant where a number is given, unless the program is to stay raw. */
iri_id iri_l9_emit_state(iri_l9 *l, iri_state_id id, uint32_t index);
/* Notes which of these were Direct3D's defaults. */
void iri_l9_note_states(iri_l9 *l);
/* Everything after the last instruction: fog, alpha test, clip planes, outputs, return. */
void iri_l9_finish_main(iri_l9 *l);
void iri_l9_declare_state(iri_l9 *l);

/* lower_operand.c */
/* Positions `at` of a source, after its swizzle and modifier. */
iri_id iri_l9_read(iri_l9 *l, const iri_d3d9_operand *o, iri_lanes at);
/* The same of the register `row` after the operand's. */
iri_id iri_l9_read_row(iri_l9 *l, const iri_d3d9_operand *o, uint32_t row, iri_lanes at);
/* Without the modifier. */
iri_id iri_l9_read_plain(iri_l9 *l, const iri_d3d9_operand *o, iri_lanes at);
iri_id iri_l9_read_scalar(iri_l9 *l, const iri_d3d9_operand *o);
/* Lanes of an input register that is read as such. */
iri_id iri_l9_read_input(iri_l9 *l, const iri_l9_input *in, iri_lanes lanes);
iri_id iri_l9_read_coordinates(iri_l9 *l, uint32_t set, iri_lanes lanes);
/* Whether the pixel is of a front face; only where vFace is declared. */
iri_id iri_l9_read_face(iri_l9 *l);
iri_id iri_l9_read_bool(iri_l9 *l, const iri_d3d9_operand *o);
iri_id iri_l9_read_int(iri_l9 *l, const iri_d3d9_operand *o, uint32_t lane);
/* A lane, or lanes, of the predicate as an instruction's predicate operand gives them. */
iri_id iri_l9_read_predicate(iri_l9 *l, const iri_d3d9_operand *o, iri_lanes at);
/* Arrays of what is indexed at run time: the def'd rows of constants where they are many, filled here; the
 * inputs, filled here; the outputs. */
void iri_l9_begin_def_array(iri_l9 *l);
void iri_l9_begin_input_array(iri_l9 *l);
void iri_l9_begin_output_array(iri_l9 *l);
/* Lanes of a register that is held in a variable. */
iri_id iri_l9_load(iri_l9 *l, uint32_t slot, iri_lanes lanes);
void iri_l9_store(iri_l9 *l, uint32_t slot, iri_lanes mask, iri_id value);
void iri_l9_start_variables(iri_l9 *l);
iri_type iri_l9_slot_type(uint32_t slot, uint32_t lanes);
/* Writes a value (one lane for all, or one for each of the mask) with shift, saturate and predicate. */
void iri_l9_write(iri_l9 *l, const iri_d3d9_instruction *in, iri_id value);

/* lower_alu.c */
/* The value of an arithmetic instruction; 0 when it is none of these. */
iri_id iri_l9_compute(iri_l9 *l, const iri_d3d9_instruction *in);
iri_id iri_l9_compare(iri_l9 *l, uint32_t comparison, iri_id x, iri_id y);
/* Positions (before the swizzle) that an instruction reads of its source `i` for the `wanted` lanes it writes. */
uint8_t iri_l9_reads(const iri_l9 *l, const iri_d3d9_instruction *in, uint32_t i, uint32_t wanted);
iri_id iri_l9_mul(iri_l9 *l, iri_id x, iri_id y);
iri_id iri_l9_dot(iri_l9 *l, iri_id x, iri_id y);

/* lower_tex.c */
/* The value of a texture instruction; 0 for one that writes no register. */
iri_id iri_l9_texture(iri_l9 *l, const iri_d3d9_instruction *in);
bool iri_l9_is_texture(uint32_t op);
uint8_t iri_l9_texture_reads(const iri_l9 *l, const iri_d3d9_instruction *in, uint32_t i);
/* Lanes of texture coordinate sets that a ps_1_0..1_3 instruction reads without naming a source. */
void iri_l9_implicit_coordinates(iri_l9 *l, const iri_d3d9_instruction *in, uint8_t used[8]);

/* lower_joins.c */
iri_l9_flow_kind iri_l9_flow(uint32_t op);
/* The registers an instruction reads for the `wanted` lanes it writes; returns how many entries. */
uint32_t iri_l9_list_reads(const iri_l9 *l, const iri_d3d9_instruction *in, uint32_t wanted,
                           iri_l9_access list[IRI_L9_READS]);
/* Fills `region_at` for the main program. */
void iri_l9_find_joins(iri_l9 *l);

/* lower_flow.c */
/* Fails where nothing more may be nested. */
void iri_l9_check_depth(const iri_l9 *l, const iri_d3d9_instruction *in, uint32_t depth);
void iri_l9_find_functions(iri_l9 *l);
/* Instructions from `first` up to `end`, a label, or a ret. */
void iri_l9_body(iri_l9 *l, uint32_t first, uint32_t end);
void iri_l9_lower_functions(iri_l9 *l);

#endif
