/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small reader of SPIR-V for tests: checks the structure of a module and lists it in the manner of
 * spirv-dis, with the instructions that iridia writes (src/write/spirv/grammar.def) and no others.
 */
#ifndef IRI_TESTS_UNIT_SPIRV_DIS_H
#define IRI_TESTS_UNIT_SPIRV_DIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL, or what is wrong with the module: its header, an instruction's length or place, an id that is
 * out of bounds, defined twice or never. Static. */
const char *spirv_check(const uint32_t *words, size_t count);

/* Calls `line` for each instruction of a module that `spirv_check` found good. Ids are called by their
 * OpName where only they have it. `only` picks a part: 0 all, 1 without names, decorations, types. */
void spirv_list(const uint32_t *words, size_t count, int only,
                void (*line)(void *user, const char *text), void *user);

#endif
