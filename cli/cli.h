/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the command share: subcommands, options, input and output. One file a
 * subcommand; only public headers of the library are used.
 */
#ifndef IRI_CLI_H
#define IRI_CLI_H

#include <iridia/iridia.h>
#include <stdio.h>

/* Exit codes, for every subcommand. */
enum { CLI_OK = 0, CLI_REFUSED = 1, CLI_USAGE = 2 };

/* ---- options ---- */

typedef enum cli_kind {
    CLI_FLAG,   /* no value; sets a bool */
    CLI_STRING, /* the last one counts */
    CLI_LIST,   /* each one is kept, in order */
    CLI_NUMBER, /* 0 .. 1,000,000 */
    CLI_OFFSET  /* of a byte: decimal, or hexadecimal behind 0x */
} cli_kind;

typedef struct cli_list {
    const char **items;
    size_t count;
} cli_list;

typedef struct cli_option {
    const char *name;  /* "--state" */
    const char *value; /* how help calls its value; NULL for a flag */
    cli_kind kind;
    void *target; /* bool *, const char **, cli_list * or uint32_t * by kind */
    const char *help;
} cli_option;

/* Reads options and operands. Returns false when the command line is wrong (a line on stderr) or
 * help was asked for; `*exit_code` then says how to exit. `operands` points into argv. */
bool cli_parse(const char *command, const char *usage, const char *teach,
               const cli_option *const *groups, int argc, char **argv, cli_list *operands,
               int *exit_code);
/* The same for a command that takes one FILE and `cli_lift_options`: also finishes those. */
bool cli_begin(const char *command, const char *teach, const cli_option *const *groups, int argc,
               char **argv, const char **path, int *exit_code);
/* A line on stderr about the command line; returns CLI_USAGE. */
int cli_usage(const char *command, const char *format, ...) IRI_PRINTF(2, 3);

/* ---- options that several subcommands share ---- */

/* Where in FILE the shader begins. */
extern uint32_t cli_at;
extern const cli_option cli_at_options[];

/* How bytes become a program. */
typedef struct cli_lift {
    const char *format, *uninitialized, *multiply;
    cli_list states;
    bool strict;
    iri_lift_options options;
    iri_state state;
    iri_state_entry *entries;
} cli_lift;
extern cli_lift cli_lift_given;
extern const cli_option cli_lift_options[];
/* Turns what was given into `options`; false (a line on stderr) when a word is not understood. */
bool cli_lift_finish(const char *command, cli_lift *given);

/* The profiles there are, by the names of --profile, in the order `check --all-targets` asks
 * them. */
typedef struct cli_profile {
    const char *name;
    iri_profile profile;
    bool spirv; /* written as SPIR-V; otherwise as WGSL */
} cli_profile;
extern const cli_profile cli_profiles[IRI_PROFILE_COUNT];
/* `name` among those of SPIR-V or of WGSL, NULL being the first; false (a line on stderr) when
 * it is none. */
bool cli_find_profile(const char *command, const char *name, bool spirv, iri_profile *out);

/* How constants and bindings are laid out. */
typedef struct cli_layout {
    bool raw_constants;
    uint32_t pixel_offset;
    iri_binding_plan plan; /* set by cli_layout_finish */
} cli_layout;
extern cli_layout cli_layout_given;
extern const cli_option cli_layout_options[];
void cli_layout_finish(cli_layout *given);

/* How a program becomes WGSL. Goes with cli_layout_options. */
typedef struct cli_target {
    const char *profile;
    cli_list features;
    iri_wgsl_options options;
} cli_target;
extern cli_target cli_target_given;
extern const cli_option cli_target_options[];
bool cli_target_finish(const char *command, cli_target *given);
/* The i-th WebGPU feature's name and IRI_FEATURE_ bit; NULL past the end. */
const char *cli_feature(size_t i, uint32_t *bit);

/* ---- files ---- */

typedef struct cli_bytes {
    uint8_t *data;
    size_t size;
    uint32_t at; /* the offset in the file of the first of them */
} cli_bytes;

/* Reads a whole file, or standard input for "-". On failure returns false and points `*problem`
 * at a static or strerror text. */
bool cli_read(const char *path, cli_bytes *out, const char **problem);
/* The same, with the line on stderr that a command prints. */
bool cli_read_or_say(const char *path, cli_bytes *out);
/* The shader that begins at an offset of a file (--at), or all of the file from there on where none does. */
bool cli_read_part(const char *path, uint32_t at, cli_bytes *out);
/* Writes a file whole or not at all (a temporary beside it, renamed); NULL or "-" is standard
 * output. False and a line on stderr when that fails. */
bool cli_write(const char *path, const void *data, size_t size);
/* The same without the line; `*problem` says why. */
bool cli_write_quietly(const char *path, const void *data, size_t size, const char **problem);
/* Makes the directories that `path`'s last component lies in. */
bool cli_make_parents(const char *path);
/* What a command ends with: writes out what standard output holds. `code`, or CLI_REFUSED with a
 * line on stderr when that fails. */
int cli_end(int code);

/* ---- what is said ---- */

/* `text` with its control characters as \n, \x1b: names come from shaders and file systems. The
 * caller frees it. */
char *cli_shown(const char *text);
/* "iridia: PATH: ..." on stderr, one line. */
void cli_say(const char *path, const char *problem);
/* A refusal as one line, "PATH:0x1a4: ...". The caller frees it. */
char *cli_refusal_line(const iri_refusal *why, const char *path);
/* The same on stderr; returns CLI_REFUSED. */
int cli_refused(const iri_refusal *why, const char *path);
/* Reads and lifts what stands at an offset of a file; says on stderr what went wrong. NULL then. `stats` may be
 * NULL. */
iri_program *cli_open(const char *path, uint32_t at, iri_lift_stats *stats);
/* The same, keeping what was read, for the caller to free. */
iri_program *cli_open_keeping(const char *path, uint32_t at, iri_lift_stats *stats,
                              cli_bytes *bytes);

/* ---- listings: listing.c ---- */

typedef struct cli_listed {
    uint32_t offset, line; /* of an instruction, declaration or label; in the file */
    const char *text;      /* without its indentation */
} cli_listed;

/* The lines of `iridia dis`, by offset. */
typedef struct cli_listing {
    cli_listed *lines;
    size_t count, capacity;
    uint32_t base;
    char *text; /* what `lines` point into */
} cli_listing;

/* The listing of a shader; NULL when there is none. */
cli_listing *cli_listing_read(const char *path, const cli_bytes *bytes);
/* The line of the instruction at `offset`; NULL when it has none, or `listing` is. */
const cli_listed *cli_listing_at(const cli_listing *listing, uint32_t offset);
void cli_listing_free(cli_listing *listing);

/* A program's notes with those of a writer, in that order. The caller frees `items`. */
typedef struct cli_notes {
    const iri_note **items;
    size_t count;
} cli_notes;
cli_notes cli_collect_notes(const iri_program *program, const iri_note *more, size_t count);
/* On stderr, one a line. */
void cli_print_notes(const char *path, const cli_notes *notes);

/* ---- how elements of an interface are said ---- */

void cli_type_text(iri_type type, char *text, size_t size); /* "vec2<f32>" */
/* ".xz" of a bit set of register lanes. */
void cli_lanes_text(uint32_t bits, char text[8]);
/* "v0", "oPos": banks without numbers have one register. */
void cli_register_text(const iri_io *io, char *text, size_t size);
/* "float4x3 column_major", "float4[8]", "struct Light[2]" */
void cli_member_type_text(const iri_member *m, char *text, size_t size);

/* ---- JSON (docs/json.md) ---- */

typedef struct cli_json {
    char *data;
    size_t size, capacity;
    uint32_t depth;
    bool first[32]; /* whether nothing stands in the open array or object of this depth yet */
} cli_json;

void json_open(cli_json *json, const char *key, char bracket); /* '{' or '['; key NULL in arrays */
void json_close(cli_json *json, char bracket);
void json_string(cli_json *json, const char *key, const char *value); /* NULL becomes null */
void json_number(cli_json *json, const char *key, int64_t value);
void json_real(cli_json *json, const char *key, double value); /* finite; to a float's precision */
void json_bool(cli_json *json, const char *key, bool value);
void json_words(cli_json *json, const char *key, const uint32_t *words, size_t count);
void json_refusal(cli_json *json, const char *key, const iri_refusal *why);
void json_notes(cli_json *json, const cli_notes *notes);
void json_members(cli_json *json, const iri_member *members, uint32_t count);
void json_names(cli_json *json, const iri_emitted_name *names, size_t count, bool spirv);
/* Writes it, with a newline, to standard output or `path`; frees it. False when that failed. */
bool json_finish(cli_json *json, const char *path);

void *cli_alloc(size_t size); /* zeroed; exits with a line when memory is out */
void *cli_realloc(void *memory, size_t size);
char *cli_printf(const char *format, ...) IRI_PRINTF(1, 2);

/* ---- subcommands ---- */

typedef struct cli_command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} cli_command;

int cli_wgsl(int argc, char **argv);
int cli_spirv(int argc, char **argv);
int cli_glsl(int argc, char **argv);
int cli_msl(int argc, char **argv);
int cli_hlsl(int argc, char **argv);
int cli_fx(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_text(int argc, char **argv);
int cli_scan(int argc, char **argv);
int cli_dis(int argc, char **argv);
int cli_asm(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_batch(int argc, char **argv);
int cli_run(int argc, char **argv);

#endif
