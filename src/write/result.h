/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a writer tells beside its output: how it called the interface's elements, and its notes. Texts live in the
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
    uint32_t features_needed; /* IRI_FEATURE_ bits */
} iri_write_result;

#endif
