/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Probes: one shader, what it is given, and the numbers that its definition gives by hand. tests/probes/README.md
 * describes the files.
 */
#ifndef IRI_TESTS_ORACLE_PROBES_H
#define IRI_TESTS_ORACLE_PROBES_H

#include "tests/oracle/stage.h"

enum { PROBE_LINES = 32, PROBE_WORDS = 24, PROBE_CODE = 512, PROBE_FRAMES = 32 };

/* One line: its words, the key first. `rest` is what follows the key, as written. */
typedef struct probe_line {
    const char *words[PROBE_WORDS];
    uint32_t count;
    const char *rest;
} probe_line;

/* A probe. Everything borrows the file's text. */
typedef struct probe {
    const char *name, *file;
    const char *const *frames; /* of the file: "NAME TEXT", up to a NULL */
    uint32_t line;             /* of the file */
    probe_line lines[PROBE_LINES];
    uint32_t count;
    uint32_t code[PROBE_CODE], code_count;
} probe;

/* A number as probes write it: C's, inf, nan, max, -max; 0x... is the bits. */
float probe_number(const char *word);
/* The next line with a key, after `from` (NULL: from the start); NULL when there is none. */
const probe_line *probe_next(const probe *p, const char *key, const probe_line *from);

/* Parses a file's text in place and calls `take` for each probe; false and `why` when a line cannot be. */
bool probe_parse(char *text, const char *file, void (*take)(void *user, const probe *p), void *user,
                 char why[CASE_WHY]);

/* ---- probes_run.c ---- */

/* Runs the probe, as read or as lifted, and compares with what it wants. */
bool probe_run(const probe *p, bool raw, char why[CASE_WHY]);
/* Whether one register's recorded numbers are those that are wanted, within the probe's tolerance. */
bool probe_same(const probe *p, const probe_line *want, const float got[LANES], uint32_t count);

/* ---- probes_assemble.c ---- */

/* Whether the library's assembler makes the recorded tokens, which are Microsoft's, of the probe's text. A probe
 * without `asm` has nothing to assemble, and agrees. */
bool probe_assemble(const probe *p, char why[CASE_WHY]);

/* ---- probes_cover.c ---- */

/* Takes note of the instructions, modifiers and registers of a probe's shader. */
bool cover_add(const probe *p, char why[CASE_WHY]);
/* Prints what no probe has; returns how many things that are. */
uint32_t cover_report(void);

#endif
