/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a writer tells beside its output: how it called the interface's elements, its notes, where lines come from. Texts live in the
 * writer's arena.
 */
#ifndef IRI_WRITE_RESULT_H
#define IRI_WRITE_RESULT_H

#include "base/arena.h"
#include <iridia/write.h>

typedef struct iri_write_result {
    bool wanted; /* false: nobody asks for the names, and none are collected */
    IRI_VEC(iri_emitted_name) names;
    IRI_VEC(iri_note) notes;
    bool lines_wanted; /* whether where lines come from is collected */
    IRI_VEC(iri_wgsl_line) lines;
    uint32_t features_needed; /* IRI_FEATURE_ bits */
} iri_write_result;

#endif
