/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels with AVX2, used on machines that have it. The arithmetic is the same: no operation is
 * contracted.
 */
#include "exec/kernels.h"

#ifdef IRI_EXEC_X86

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC optimize("O3", "no-trapping-math", "no-math-errno", "fp-contract=off")
#pragma GCC target("avx2,fma,prefer-vector-width=256")
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#pragma GCC diagnostic ignored "-Wsign-compare"
#endif

#define SET avx2
#define SET_NAME "avx2"
#define WIDE
#include "exec/kernels.def"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC diagnostic pop
#pragma GCC pop_options
#endif

const iri_kernels *iri_kernels_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernels_avx2 : NULL;
}

#else

const iri_kernels *iri_kernels_avx2(void)
{
    return NULL;
}

#endif
