/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What kernels_*.c share: the words that kernels.def is written in.
 */
#ifndef IRI_EXEC_KERNELS_H
#define IRI_EXEC_KERNELS_H

#include "exec/exec.h"
#include "exec/texture.h"
#include "base/math32.h"
#include "base/math32_tables.h"
#include <float.h>
#include <math.h>

#define STRIDE IRI_EXEC_BLOCK

#if defined(__clang__)
/* Rows that call functions stay loops over single lanes. */
#pragma clang diagnostic ignored "-Wpass-failed"
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

#if defined(__x86_64__) && defined(__GNUC__)
#define IRI_EXEC_X86 1
#endif

/* strchr that every compiler folds. */
static inline bool is_member(const char *letters, char letter)
{
    return letters[0] == letter ||
           (letters[0] &&
            (letters[1] == letter ||
             (letters[1] && (letters[2] == letter || (letters[2] && letters[3] == letter)))));
}

#endif
