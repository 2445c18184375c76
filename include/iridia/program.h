/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/program.h: programs and how to look into them. A program is immutable: passes make new ones.
 * Everything returned here is borrowed from the program and lives as long as it does. Programs are
 * independent of each other; one may be read from many threads at once.
 */
#ifndef IRIDIA_PROGRAM_H
#define IRIDIA_PROGRAM_H

#include <iridia/interface.h>
#include <iridia/refusal.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iri_program iri_program;

/* Frees a program and everything borrowed from it. NULL is allowed. */
IRI_API void iri_program_free(iri_program *program);

IRI_API iri_stage iri_program_stage(const iri_program *program);
IRI_API const iri_interface *iri_program_interface(const iri_program *program);
IRI_API const iri_conventions *iri_program_conventions(const iri_program *program);
IRI_API const iri_float_env *iri_program_float_env(const iri_program *program);
IRI_API const iri_provenance *iri_program_provenance(const iri_program *program);
IRI_API size_t iri_note_count(const iri_program *program);
IRI_API const iri_note *iri_note_at(const iri_program *program,
                                    size_t index); /* NULL past the end */

/* Bytes the program holds. */
IRI_API size_t iri_program_memory(const iri_program *program);

/* Functions are 1 .. count; the entry is the one whose stage the program's is, 0 when there is none. */
IRI_API uint32_t iri_program_function_count(const iri_program *program);
IRI_API iri_id iri_program_entry(const iri_program *program);
IRI_API const iri_function *iri_program_function(const iri_program *program, iri_id function);
IRI_API const iri_region *iri_program_region(const iri_program *program, iri_id region);
/* The instruction at position `index` of a region, 0 past its end. */
IRI_API iri_id iri_program_region_inst(const iri_program *program, iri_id region, uint32_t index);
IRI_API const iri_inst *iri_program_inst(const iri_program *program, iri_id inst);
/* The instruction's words: operands, immediates, region ids. */
IRI_API const uint32_t *iri_program_words(const iri_program *program, const iri_inst *inst);
IRI_API const iri_value *iri_program_value(const iri_program *program, iri_id value);
/* The lanes of a constant, one word of 64 bits each (the lane's bits, zero-extended); NULL for others. */
IRI_API const uint64_t *iri_program_constant(const iri_program *program, iri_id value);
IRI_API const iri_local *iri_program_local(const iri_program *program, iri_id local);
IRI_API uint32_t iri_program_inst_count(const iri_program *program);
IRI_API uint32_t iri_program_value_count(const iri_program *program);

/* Which of Direct3D's numeric behaviours the body spells out, derived from its operations. */
enum {
    IRI_MODE_ZERO_WINS = 1,       /* 0 * anything is 0 somewhere */
    IRI_MODE_FINITE_INVERSES = 2, /* rcp, rsq, log2 of 0 are +-FLT_MAX */
    IRI_MODE_SATURATE_NAN = 4     /* saturate of NaN is 0 */
};
IRI_API uint32_t iri_program_modes(const iri_program *program);

/* Whether two programs are the same, field by field, ids up to renumbering in order of appearance. On a
 * difference `what` (may be NULL) gets a line that names the first. */
IRI_API bool iri_program_equal(const iri_program *a, const iri_program *b, char *what,
                               size_t what_size);

/* ---- validation ---- */

/* What a program may use; a validator for a target is this with fewer bits set. */
enum {
    IRI_CAN_F16 = 1,
    IRI_CAN_F64 = 2,
    IRI_CAN_INT16 = 4,
    IRI_CAN_INT64 = 8,
    IRI_CAN_CFG = 16,    /* functions of CFG form */
    IRI_CAN_LOCALS = 32, /* plain locals (indexable ones are always allowed) */
    IRI_CAN_STATE = 64,  /* state values without a source */
    IRI_CAN_ALL = 0x7fffffff
};

typedef struct iri_problem {
    iri_id function, inst; /* 0 where it is about the interface */
    uint32_t offset;       /* of the source instruction, or IRI_NO_OFFSET */
    const char *text;      /* one line */
} iri_problem;

/* Every problem of a program, none when it is valid. */
typedef struct iri_problems {
    iri_problem *items;
    size_t count;
    void *memory; /* owned; freed by iri_problems_free */
} iri_problems;

/* Checks types, dominance, structure, and interface against body. Returns IRI_OK and an empty list for a
 * valid program, IRI_INVALID_PROGRAM with every problem found (at most 1,000) otherwise. `problems` may be
 * NULL; `why` gets the first problem. */
IRI_API iri_status iri_validate(const iri_program *program, uint32_t capabilities,
                                iri_problems *problems, iri_refusal *why);
IRI_API void iri_problems_free(iri_problems *problems);

#ifdef __cplusplus
}
#endif
#endif
