/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels in the instructions that every machine of the target has, and the choice among the sets. The
 * options change the speed only: traps are not looked at (-fno-trapping-math), which lets conditions become
 * masks; values keep IEEE's rules.
 */
#include "exec/kernels.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC optimize("O3", "no-trapping-math", "no-math-errno", "fp-contract=off")
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#pragma GCC diagnostic ignored "-Wsign-compare"
#endif

#define SET baseline
#define SET_NAME "baseline"
#include "exec/kernels.def"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#pragma GCC pop_options
#endif

const iri_kernels *iri_kernels_baseline(void)
{
    return &kernels_baseline;
}

const iri_kernels *iri_kernels_best(bool portable)
{
    const iri_kernels *best = portable ? NULL : iri_kernels_avx512();
    if (!best && !portable)
        best = iri_kernels_avx2();
    return best ? best : iri_kernels_baseline();
}
