/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One Direct3D 9 shader with its constants, textures, inputs and outputs, run by the executor: what iri-run-cases
 * and iri-probes share. `why` always has CASE_WHY bytes and says what failed.
 */
#ifndef IRI_TESTS_ORACLE_STAGE_H
#define IRI_TESTS_ORACLE_STAGE_H

#include <iridia/iridia.h>

enum {
    CASE_WHY = 400,
    STATES = 64,
    FLOATS = 8192,
    INTS = 2048,
    STAGES = 20, /* vertex samplers are numbered 0 to 3, pixel samplers 0 to 15 */
    IO = 64,
    LANES = 4,
    QUAD = 4
};

typedef struct bytes {
    uint8_t *at;
    size_t size;
} bytes;

typedef struct picture {
    iri_exec_texture texture;
    iri_sampler sampler;
    float *texels;
    bool bound;
} picture;

/* A shader with what is bound to it, and its numbers for the four pixels of a quad. */
typedef struct stage {
    bytes shader;
    bool raw; /* lift without passes */
    iri_program *p;
    const iri_interface *io;
    float floats[FLOATS][LANES];
    int32_t ints[INTS][LANES];
    uint32_t bools[INTS];
    picture pictures[STAGES];
    uint32_t in[IO][QUAD][LANES], out[IO][QUAD][LANES];
    uint8_t flags[QUAD];
} stage;

/* Pipeline state being gathered. */
typedef struct stage_states {
    iri_state_entry entries[STATES];
    uint32_t count;
} stage_states;

/* A file; `at` is from malloc, NULL when there is none. */
bytes read_bytes(const char *path);

uint32_t stage_bits(float x);
float stage_float(uint32_t bits);
/* Both return false. */
bool stage_fail(char why[CASE_WHY], const char *what, const char *detail);
bool stage_refuse(char why[CASE_WHY], const iri_refusal *refusal);

void stage_add_state(stage_states *states, uint16_t id, uint32_t index, uint32_t bits);

/* Takes the shader's bytes; NULL without memory. */
stage *stage_open(bytes shader);
void stage_free(stage *s);
bool stage_lift(stage *s, const iri_state *state, char why[CASE_WHY]);
/* `count` invocations: one, or a quad. */
bool stage_run(stage *s, uint32_t count, const iri_state *state, char why[CASE_WHY]);

/* Whether an element is what `key` calls it: "texcoord0", "vface", or a plain register "v0". */
bool stage_is_called(const iri_io *io, const char *key);
/* Gives an input the four numbers of its register; its own lanes are those that it occupies. */
void stage_give(stage *s, uint32_t input, uint32_t pixel, const float v[LANES]);
/* Every input what it is when nothing feeds it; `place` is the pixel. */
void stage_give_defaults(stage *s, const float place[2]);
/* The four numbers of an output's register for the first pixel, or vertex; lanes that nothing writes are those of `v`. */
void stage_take(const stage *s, uint32_t output, float v[LANES]);
bool stage_find(const stage *s, const char *key, float v[LANES]);

#endif
