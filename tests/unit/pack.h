/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An encoder of XNB files for the tests, written for them: no tool of XNA or MonoGame made what they read.
 */
#ifndef IRI_TESTS_UNIT_PACK_H
#define IRI_TESTS_UNIT_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum pack_how { PACK_STORED, PACK_LZ4, PACK_LZX } pack_how;

/* An effect's bytes as a content file; `reader` is the class that is said to read it. Freed by the caller. */
uint8_t *pack_xnb(const uint8_t *effect, size_t size, pack_how how, const char *reader,
                  size_t *packed);

#endif
