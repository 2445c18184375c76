/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a program that shows a fault smaller while it shows it.
 */
#ifndef IRI_TESTS_FUZZ_SHRINK_H
#define IRI_TESTS_FUZZ_SHRINK_H

#include <iridia/iridia.h>

/* Whether a valid program still shows the fault. It may be called many times. */
typedef bool shrink_predicate(const iri_program *program, void *user);

/* The smallest program found within `tries` calls of the predicate, which holds for it as it does for `program`: the
 * caller's to free. NULL when nothing could be left out. Instructions are dropped (what they gave becomes zero) or
 * replaced by an operand, ifs and switches by one of their arms; what nothing reads then goes. */
iri_program *shrink_program(const iri_program *program, shrink_predicate *holds, void *user,
                            uint32_t tries);

#endif
