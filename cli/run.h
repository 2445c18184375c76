/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of `iridia run` share. docs/run.md says what the command does.
 */
#ifndef IRI_CLI_RUN_H
#define IRI_CLI_RUN_H

#include "cli.h"

/* ---- what was given: run_given.c ---- */

typedef struct run_row {
    double *numbers;
    size_t count;
} run_row;

/* One NAME=VALUE, from the command line or a file. */
typedef struct run_setting {
    char *name;
    char *where;        /* "--const World" or "FILE:12", for what is said of it */
    char *word;         /* the value as text, where it is no list of numbers: "@mvp", "checker" */
    const char *folder; /* its files lie there; "" for the current one */
    run_row *rows;      /* one an invocation, or one for all */
    size_t row_count;
    bool sweep; /* two rows, and all in between */
} run_setting;

typedef struct run_settings {
    run_setting *items;
    size_t count;
} run_settings;

typedef enum run_list {
    RUN_IN,
    RUN_DDX,
    RUN_DDY,
    RUN_VARY,
    RUN_CONST,
    RUN_TEXTURE,
    RUN_SAMPLER,
    RUN_BUFFER,
    RUN_COUNTER,
    RUN_SAVE,
    RUN_LIST_COUNT
} run_list;

typedef struct run_vector {
    double x, y, z;
} run_vector;

typedef struct run_given {
    run_settings lists[RUN_LIST_COUNT];
    uint32_t count; /* --count; 0: as many as there are rows */
    uint32_t step_limit;
    uint32_t groups[3]; /* of a compute program */
    bool has_groups;    /* --groups was there: it counts before the file's */
    uint32_t width, height, target;
    run_vector eye, at, turn; /* turn: degrees around x, y and z */
    double fov;
    double clear[4];
    iri_cull cull;
    const char *picture, *mesh;
    char *folder; /* the one that the JSON file lies in, or NULL */
    bool alpha, srgb, json, quiet;
    bool trace, raw;
    uint32_t trace_invocation;
    uint32_t trace_x, trace_y; /* of a picture */
} run_given;

/* A line on stderr, "iridia run: WHERE: ...", about what was given; returns false. The command then ends as
 * wrong arguments make it end. */
bool run_fault(const char *where, const char *format, ...) IRI_PRINTF(2, 3);
bool run_had_fault(void);
/* The same about what a file holds. */
bool run_unreadable(const char *where, const char *format, ...) IRI_PRINTF(2, 3);
/* `NAME=VALUE` of an option, or VALUE alone where `may_lack_name`. */
bool run_read_flag(run_settings *to, run_list list, const char *option, const char *text);
/* Adds what a JSON file gives before what the command line gave. */
bool run_read_file(run_given *given, const char *path);
/* `count` numbers with commas, no more and no fewer. */
bool run_read_numbers(const char *where, const char *text, double *numbers, size_t count);
bool run_is_group_count(double number);
/* X, X,Y or X,Y,Z */
bool run_read_groups(const char *where, const char *text, uint32_t groups[3]);
/* WIDTHxHEIGHT */
bool run_read_size(const char *where, const char *text, uint32_t *width, uint32_t *height);
void run_given_free(run_given *given);

/* ---- programs and what is bound to them: run_bind.c ---- */

typedef struct run_texture_memory {
    iri_exec_texture texture;
    iri_sampler sampler;
    float *texels;
} run_texture_memory;

/* What may not have been given, so that it is zero. */
enum { RUN_LACKS_INPUT, RUN_LACKS_CONSTANT, RUN_LACKS_TEXTURE, RUN_LACKS_BUFFER, RUN_LACKS_COUNT };

typedef struct run_stage {
    const char *path;
    cli_listing *source; /* of a trace, where the file has one */
    const char *prefix;  /* "vs" or "ps" */
    iri_program *program;
    const iri_interface *io;
    iri_exec *exec;
    iri_exec_resource *resources;   /* one an element of the interface */
    uint8_t **buffers, **written;   /* of constant buffers: bytes, and which of them were given */
    run_texture_memory *bound;      /* one an element of the interface */
    char *lacking[RUN_LACKS_COUNT]; /* names taken as zero, by kind; "" none */
    struct run_stage *preshader;    /* what is worked out of parameters before; or NULL */
} run_stage;

/* "inputs", "constants" ... */
extern const char *const run_lacks_words[RUN_LACKS_COUNT];

/* Reads and compiles; says what went wrong. */
bool run_open(run_stage *stage, const char *path, bool trace);
/* Binds constants, textures and samplers to the stages, `count` of them. */
bool run_bind(run_stage *stages, uint32_t count, const run_given *given);
void run_close(run_stage *stage);
void run_lacks(run_stage *stage, int what, const char *name);
/* On stderr, one line a stage: what was taken as zero. */
void run_say_lacking(const run_stage *stage);
/* Whether a setting's name is meant for a stage; `*name` is then the rest behind "vs:" or "ps:". */
bool run_is_for(const run_stage *stage, const char *given, const char **name);
/* The index of an input by semantic ("TEXCOORD0") or register ("v0"); IRI_NOT_FOUND. */
uint32_t run_find_input(const run_stage *stage, const char *name);
/* "TEXCOORD0", "v0"; the caller frees it. */
char *run_io_name(const iri_io *io);
char *run_register_name(const iri_io *io);
/* Lines of what there is, for messages: "TEXCOORD0, COLOR0". The caller frees it. */
char *run_input_names(const run_stage *stage);

/* False: a line on stderr about a setting whose input is not there. */
bool run_check_names(const run_stage *stage, const run_settings *list);
/* The last setting for an input, or NULL. */
const run_setting *run_setting_of(const run_stage *stage, const run_settings *list, uint32_t input);
/* Zeroed room for so many elements of so many invocations, laid out with RUN_LANE and RUN_ELEMENT. */
iri_exec_array *run_make_arrays(uint32_t elements, size_t invocations);
void run_free_arrays(iri_exec_array *arrays, uint32_t elements);

/* run_texture.c */
bool run_bind_textures(run_stage *stages, uint32_t count, const run_given *given);

/* ---- matrices for constants: run_camera.c ---- */

typedef struct run_matrix {
    double at[4][4]; /* rows, for row vectors: v' = v * M, as HLSL's mul(v, M) */
} run_matrix;

/* The matrix or vector (`*vector`: row 0 of it) that "@mvp" and so on name. */
bool run_helper(const run_given *given, const char *word, run_matrix *out, bool *vector);

/* ---- running: run_numbers.c, run_trace.c, run_picture.c ---- */

/* Lanes lie 8 bytes apart and elements 32, whatever the type. */
enum { RUN_LANE = 8, RUN_ELEMENT = 32 };

/* Stores numbers as an element's lanes. Missing ones: 0, or in vertex programs 0, 0, 0, 1. */
bool run_store(const run_stage *stage, const iri_io *io, const double *numbers, size_t count,
               uint8_t *to);
/* The shortest text that reads back, as text or in JSON. */
void run_lane_text(iri_scalar scalar, uint64_t bits, char text[32]);
void run_json_lanes(cli_json *json, const char *key, iri_type type, const uint64_t lanes[4]);
void run_json_bits(cli_json *json, const char *key, iri_type type, const uint64_t lanes[4]);
void run_type_text(iri_type type, char text[16]);
void run_json_lacking(cli_json *json, const run_stage *stage);

bool run_numbers(run_stage *stage, const run_given *given);

/* A compute program: run_compute.c. */
bool run_compute(run_stage *stage, const run_given *given);

typedef struct run_trace {
    const run_stage *stage;
    iri_exec_event *events;
    size_t count, capacity, dropped;
} run_trace;

/* To be given to a batch, with the run_trace as its user. */
void run_trace_event(void *user, const iri_exec_event *event);
bool run_trace_print(run_trace *trace);
bool run_trace_json(run_trace *trace, cli_json *json);
void run_trace_free(run_trace *trace);

/* A pixel program over a rectangle. */
bool run_rectangle(run_stage *pixel, const run_given *given);
/* A mesh through both programs. */
bool run_mesh(run_stage *vertex, run_stage *pixel, const run_given *given);

/* ---- meshes: mesh.c ---- */

typedef enum mesh_attribute {
    MESH_POSITION,
    MESH_NORMAL,
    MESH_TEXCOORD,
    MESH_TANGENT,
    MESH_BINORMAL,
    MESH_COLOR,
    MESH_BLENDWEIGHT,
    MESH_BLENDINDICES,
    MESH_ATTRIBUTE_COUNT
} mesh_attribute;

typedef struct mesh {
    float (*attributes[MESH_ATTRIBUTE_COUNT])[4];
    uint32_t vertex_count, index_count;
    uint32_t *indices; /* three a triangle, clockwise from its front */
} mesh;

extern const char *const mesh_semantics[MESH_ATTRIBUTE_COUNT];
/* "sphere", "cube", "quad", "grid" or the path of an OBJ file. False: a line on stderr. */
bool mesh_make(const char *name, mesh *out);
void mesh_free(mesh *m);

/* ---- PNG: png.c ---- */

typedef struct png_picture {
    uint32_t width, height;
    uint8_t *rgba;
} png_picture;

/* False: a line on stderr. Without libpng both always are. */
bool png_read(const char *path, png_picture *out);
bool png_write(const char *path, const png_picture *picture, bool alpha);

#endif
