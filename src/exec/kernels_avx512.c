/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels with AVX-512, used on machines that have it. The arithmetic is the same: no operation is
 * contracted.
 */
#include "exec/kernels.h"

#ifdef IRI_EXEC_X86

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC optimize("O3", "no-trapping-math", "no-math-errno", "fp-contract=off")
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,fma,prefer-vector-width=512")
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#pragma GCC diagnostic ignored "-Wsign-compare"
#endif

#define SET avx512
#define SET_NAME "avx512"
#define WIDE
#include "exec/kernels.def"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC diagnostic pop
#pragma GCC pop_options
#endif

const iri_kernels *iri_kernels_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("fma")
               ? &kernels_avx512
               : NULL;
}

#else

const iri_kernels *iri_kernels_avx512(void)
{
    return NULL;
}

#endif
