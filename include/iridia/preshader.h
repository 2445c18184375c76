/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/preshader.h: preshaders, what an effect computes of its parameters before a shader runs, and the
 * expressions of effects, which are the same. Each becomes a program of its own (of no stage):
 *
 *   - its parameters are the members of a constant buffer cb0, as in a shader: float registers, which integers and
 *     truths reach as floats (`iri_find_constant`, `iri_store_constant`, `iri_effect_fill`);
 *   - each output is a register that it sets: bank IRI_BANK_C (floats), IRI_BANK_I (integers), IRI_BANK_B (truths) with
 *     its number. An expression's result is what c0 and on hold.
 *
 * It computes what Direct3D 9's D3DX does: docs/formats/fx.md has the rules. It is a program like any other: it is
 * printed and run.
 *
 *     iri_preshader_lift(shader->data, shader->size, NULL, &preshader, &why);     NULL: the shader has none
 *     iri_exec_compile(preshader, NULL, &exec, &why);
 *     iri_effect_fill(effect, given, 1, preshader, 0, constants, sizeof constants);
 *     iri_preshader_run(exec, constants, sizeof constants, registers, &why);
 */
#ifndef IRIDIA_PRESHADER_H
#define IRIDIA_PRESHADER_H

#include <iridia/effect.h>
#include <iridia/exec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is the default. */
typedef struct iri_preshader_options {
    size_t size;
    const iri_allocator *allocator;
    const iri_limits *limits;
    uint32_t base;    /* what refusals add to offsets: where the bytes begin in the caller's file */
    const char *path; /* what refusals name: where in an effect it stands; or NULL */
    bool
        single; /* no f64 arithmetic, for targets that have none; a note says where Direct3D's differs */
} iri_preshader_options;
#define IRI_PRESHADER_OPTIONS(...) IRI_OPTIONS(iri_preshader_options, __VA_ARGS__)

/* Reads the preshader inside a Direct3D 9 shader, or an expression (iri_effect_state.expression). On success `*out` is
 * its program, which the caller frees, or NULL where a shader has none. On refusal it is NULL and `why` says where and
 * why: IRI_MALFORMED_*, IRI_UNSUPPORTED_OPCODE for what belongs to later effects or is not described anywhere (noise),
 * IRI_UNINITIALIZED. `options` and `why` may be NULL. */
IRI_API iri_status iri_preshader_lift(const void *bytes, size_t size,
                                      const iri_preshader_options *options, iri_program **out,
                                      iri_refusal *why);

/* ---- running ---- */

/* A constant register that a preshader sets. */
typedef struct iri_preshader_register {
    uint8_t bank;  /* IRI_BANK_C, IRI_BANK_I, IRI_BANK_B */
    uint8_t lanes; /* bit set of the lanes that it sets; the others it leaves alone */
    uint16_t number;
    uint32_t words[4]; /* by lane: floats' bits, integers, 0 or 1. Every NaN is 0x7fc00000 */
} iri_preshader_register;

/* Runs a preshader that was compiled: `constants` is what cb0 holds (what lies past `size` is 0); `registers` gets one for
 * each output of its interface, in that order. Any number of threads may run one. */
IRI_API iri_status iri_preshader_run(const iri_exec *exec, const void *constants, size_t size,
                                     iri_preshader_register *registers, iri_refusal *why);

/* ---- writing ---- */

typedef enum iri_preshader_language {
    IRI_PRESHADER_C = 0, /* C11: void NAME(const float *p, float (*c)[4], int (*i)[4], int *b) */
    IRI_PRESHADER_JAVASCRIPT, /* an ES module: NAME(p, c, i, b) with tables of its parameters and registers */
    IRI_PRESHADER_WGSL /* fn NAME(p: ptr<function, array<vec4f, N>>) -> NAME_result; lift with `single` */
} iri_preshader_language;

/* A preshader and the name of the function that it becomes. */
typedef struct iri_preshader_function {
    const char *name;
    const iri_program *program;
    const char *about; /* a line for its comment: where it is from; or NULL */
} iri_preshader_function;

/* Writes a module of functions. Each takes what cb0 holds as floats (p), and sets the registers that it sets: floats c,
 * integers i, truths b (0 or 1), four a register and one a truth; others it leaves alone. C and JavaScript give the bits
 * that `iri_preshader_run` gives, as far as the platform's sin, cos, exp2, log2, asin, acos, atan and atan2 of doubles
 * are good to a double's last digit (a result in a hundred million may be a float's last bit off). WGSL's own
 * precision is less; a program with f64 operations is refused there with IRI_UNWRITABLE, as is any with operations that
 * no preshader has. `out` is the caller's to free. */
IRI_API iri_status iri_write_preshaders(const iri_preshader_function *functions, size_t count,
                                        iri_preshader_language language, iri_text *out,
                                        iri_refusal *why);

/* ---- with an effect's parameters ---- */

/* What a caller sets a parameter of an effect to: its numbers as HLSL writes them, elements after each other, rows after
 * each other. A parameter of integers truncates them, one of truths makes them 0 or 1. `name` may lead into a struct
 * or an array of them: "lights[1].color". */
typedef struct iri_effect_given {
    const char *name;
    const double *numbers;
    size_t count; /* what is missing keeps the effect's value */
} iri_effect_given;

/* Stores an effect's parameters, as the file has them or as given, into a constant buffer (interface index `resource`) of
 * a shader or a preshader, by its members' names. `constants` is otherwise left alone. Returns how many numbers were stored.
 * Later ones of `given` count; unknown names are passed over: `iri_effect_find` knows them. */
IRI_API size_t iri_effect_fill(const iri_effect *effect, const iri_effect_given *given,
                               size_t given_count, const iri_program *program, uint32_t resource,
                               void *constants, size_t size);
/* The parameter, or the member or element of one, that a name leads to; NULL when none. */
IRI_API const iri_effect_value *iri_effect_find(const iri_effect *effect, const char *name);

/* What a state is set to when its pass begins. */
typedef struct iri_effect_result {
    uint32_t words[16]; /* of the state's type: floats' bits, integers, 0 or 1 */
    uint32_t word_count;
    const iri_effect_value
        *value; /* of a reference or a selector: the parameter, or the element of it */
} iri_effect_result;

/* Works out a state: a constant's words, those of an expression, or the parameter or element that is chosen. An index is
 * truncated; -1 counts as 0, as with D3DX, and any other that the array does not have is refused
 * (IRI_INVALID_ARGUMENT). */
IRI_API iri_status iri_effect_evaluate(const iri_effect *effect, const iri_effect_state *state,
                                       const iri_effect_given *given, size_t given_count,
                                       iri_effect_result *result, iri_refusal *why);

#ifdef __cplusplus
}
#endif
#endif
