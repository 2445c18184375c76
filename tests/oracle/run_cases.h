/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of iri-run-cases share. A case is one object of a cases.json or one row of a simple.tsv;
 * ../shared/cases/README.md describes both.
 */
#ifndef IRI_TESTS_ORACLE_RUN_CASES_H
#define IRI_TESTS_ORACLE_RUN_CASES_H

#include "tests/oracle/stage.h"
#include "tests/unit/json.h"

enum { CASE_PATH = 1024 };

typedef enum verdict { CASE_PASSED, CASE_FAILED, CASE_SKIPPED } verdict;

/* One case. `why` says what failed, or why it is skipped; on success it may hold a remark. */
typedef struct one_case {
    const char *folder;
    const json *j;
    const json_node *node;
    char why[CASE_WHY];
} one_case;

/* A blob of the case's folder by id; `at` is from malloc, NULL when there is none. */
bytes read_blob(const char *folder, const char *id);

/* Direct3D 9 token streams begin so; containers of later models begin "DXBC". */
bool is_d3d9(bytes b);
bool is_dxbc(bytes b);

/* ---- cases_run.c ---- */

/* A draw and a probed pixel: "run" is ps, vs or vs+ps. */
verdict run_visual(one_case *c);
/* Constants in, words out, no varyings. `cb` is words of the float registers; `expected` has `count` words. */
typedef struct probe {
    const uint32_t *cb;
    uint32_t cb_count;
    float pixel[2];
    char type[8]; /* "f32", "u32", "i32" */
    uint32_t ulps;
    uint32_t expected[8], count;
} probe;
verdict run_probe(bytes shader, const probe *p, char why[CASE_WHY]);

/* ---- cases_formula.c ---- */

/* A formula over x, y and z with C's operators (and Python's spellings of some). False when it does not parse. */
bool formula_value(const char *text, const double xyz[3], double *value);

/* ---- cases_table.c ---- */

/* What a constant table reader reports for a blob. */
verdict run_table(one_case *c);

#endif
