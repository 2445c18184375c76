/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the command share: subcommands, options, input and output. One file a subcommand; only
 * public headers of the library are used.
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
    CLI_NUMBER  /* 1 .. 1,000,000 */
} cli_kind;

typedef struct cli_list {
    const char **items;
    size_t count;
} cli_list;

typedef struct cli_option {
    const char *name; /* "--state" */
    const char *value; /* how help calls its value; NULL for a flag */
    cli_kind kind;
    void *target; /* bool *, const char **, cli_list * or uint32_t * by kind */
    const char *help;
} cli_option;

/* Reads options and operands. Returns false when the command line is wrong (a line on stderr) or help was
 * asked for; `*exit_code` then says how to exit. `operands` points into argv. */
bool cli_parse(const char *command, const char *usage, const char *teach, const cli_option *const *groups,
               int argc, char **argv, cli_list *operands, int *exit_code);

/* ---- options that several subcommands share ---- */

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
bool cli_lift_finish(cli_lift *given);

/* How a program becomes WGSL. */
typedef struct cli_target {
    const char *profile;
    cli_list features;
    bool raw_constants;
    uint32_t pixel_offset;
    bool no_pixel_offset;
    iri_wgsl_options options;
} cli_target;
extern cli_target cli_target_given;
extern const cli_option cli_target_options[];
bool cli_target_finish(cli_target *given);

/* ---- files ---- */

typedef struct cli_bytes {
    uint8_t *data;
    size_t size;
} cli_bytes;

/* Reads a whole file, or standard input for "-". On failure returns false and points `*problem` at a static
 * or strerror text. */
bool cli_read(const char *path, cli_bytes *out, const char **problem);
/* The same, with the line on stderr that a command prints. */
bool cli_read_or_say(const char *path, cli_bytes *out);
/* Writes a file whole or not at all (a temporary beside it, renamed); NULL or "-" is standard output. False
 * and a line on stderr when that fails. */
bool cli_write(const char *path, const void *data, size_t size);
/* The same without the line; `*problem` says why. */
bool cli_write_quietly(const char *path, const void *data, size_t size, const char **problem);
/* Makes the directories that `path`'s last component lies in. */
bool cli_make_parents(const char *path);

/* Reads and lifts; says on stderr what went wrong. NULL then. */
iri_program *cli_open(const char *path, const iri_lift_options *options, cli_bytes *bytes);
/* "iridia: FILE:0x1a4: ...": prints a refusal; returns CLI_REFUSED. */
int cli_refused(const iri_refusal *why, const char *path);
int cli_usage(const char *command, const char *format, ...) IRI_PRINTF(2, 3);

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
void json_bool(cli_json *json, const char *key, bool value);
void json_words(cli_json *json, const char *key, const uint32_t *words, size_t count);
void json_refusal(cli_json *json, const char *key, const iri_refusal *why);
void json_notes(cli_json *json, const char *key, const iri_note *const *notes, size_t count);
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
#ifdef IRI_CLI_CROSS
int cli_glsl(int argc, char **argv);
int cli_msl(int argc, char **argv);
int cli_hlsl(int argc, char **argv);
#endif
int cli_info(int argc, char **argv);
int cli_text(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_batch(int argc, char **argv);

#endif
