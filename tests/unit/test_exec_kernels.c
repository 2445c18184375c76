/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The executor's kernels themselves, each set that this machine has: the same bits from all of them, and the
 * transcendental functions over all floats against base/math32's.
 */
#include "exec/exec.h"

#include "base/math32.h"
#include "tests/unit/test_exec.h"

enum { WIDTH = 256, RESULT = 4, A, B, C, COLUMNS };

static iri_cell file[COLUMNS * WIDTH];
static iri_cell expected[WIDTH];
static iri_machine machine = {.file = file, .width = WIDTH, .blocks = WIDTH / IRI_EXEC_BLOCK};
static const iri_step step = {.lanes = 1, .d = {RESULT}, .a = {A}, .b = {B}, .c = {C}};

static uint32_t find_sets(const iri_kernels *sets[3])
{
    const iri_kernels *all[3] = {iri_kernels_baseline(), iri_kernels_avx2(), iri_kernels_avx512()};
    uint32_t count = 0;
    for (int i = 0; i < 3; i++)
        if (all[i])
            sets[count++] = all[i];
    return count;
}

static iri_cell *column(uint32_t c)
{
    return file + (size_t)c * WIDTH;
}

static void fill_operands(iri_op op)
{
    for (uint32_t i = 0; i < WIDTH; i++) {
        for (uint32_t c = A; c <= C; c++)
            column(c)[i].u = exec_some_float();
        if (iri_op_infos[op].operands[0] == 'C')
            column(A)[i].u = column(A)[i].u & 1 ? UINT32_MAX : 0;
    }
}

/* Bits; any NaN for any other one where `loose`. */
static bool is_same(const iri_cell *x, const iri_cell *y, bool loose)
{
    return x->u == y->u || (loose && x->f != x->f && y->f != y->f);
}

static void compare(const iri_kernels *set, iri_kernel *kernel, iri_kernel *baseline,
                    const char *name, bool loose)
{
    memset(column(RESULT), 0, WIDTH * sizeof(iri_cell));
    baseline(&machine, &step);
    memcpy(expected, column(RESULT), sizeof expected);
    memset(column(RESULT), 0, WIDTH * sizeof(iri_cell));
    kernel(&machine, &step);
    for (uint32_t i = 0; i < WIDTH; i++)
        if (!is_same(&column(RESULT)[i], &expected[i], loose)) {
            FAIL("%s %s(%08x, %08x, %08x): %08x, not %08x", set->name, name,
                 (unsigned)column(A)[i].u, (unsigned)column(B)[i].u, (unsigned)column(C)[i].u,
                 (unsigned)column(RESULT)[i].u, (unsigned)expected[i].u);
            return;
        }
}

TEST(exec_kernel_sets_agree)
{
    const iri_kernels *sets[3], *first = iri_kernels_baseline();
    uint32_t count = find_sets(sets);
    for (uint32_t i = 1; i < count; i++) {
        const iri_kernels *set = sets[i];
        for (uint32_t op = 1; op < IRI_OP_COUNT; op++) {
            const char *name = iri_op_infos[op].name;
            for (uint32_t s = 0; s < IRI_KERNELS_COUNT; s++) {
                fill_operands((iri_op)op);
                compare(set, set->lane[s][op], first->lane[s][op], name, false);
            }
            fill_operands((iri_op)op);
            compare(set, set->loose[op], first->loose[op], name, true);
        }
        for (uint32_t k = 0; k < 4; k++) {
            compare(set, set->dot[k], first->dot[k], "dot", false);
            compare(set, set->dot_zero[k], first->dot_zero[k], "dot.zero", false);
        }
        compare(set, set->f32_to_i32, first->f32_to_i32, "f32 to i32", false);
        compare(set, set->f32_to_u32, first->f32_to_u32, "f32 to u32", false);
        compare(set, set->i32_to_f32, first->i32_to_f32, "i32 to f32", false);
        compare(set, set->u32_to_f32, first->u32_to_f32, "u32 to f32", false);
    }
}

static void check_unary(const iri_kernels *set, iri_op op, float (*reference)(float))
{
    set->lane[IRI_KERNELS_F32][op](&machine, &step);
    for (uint32_t i = 0; i < WIDTH; i++) {
        uint32_t bits = iri_f32_bits(reference(column(A)[i].f));
        if (bits != column(RESULT)[i].u)
            FAIL("%s %s(%08x): %08x, not %08x", set->name, iri_op_infos[op].name,
                 (unsigned)column(A)[i].u, (unsigned)column(RESULT)[i].u, (unsigned)bits);
    }
}

/* Every sign, exponent and a sample of mantissas; they were compared once over all 2^32 (docs/exec.md). */
TEST(exec_kernel_functions)
{
    const iri_kernels *sets[3];
    uint32_t count = find_sets(sets);
    for (uint64_t from = 0; from < UINT64_C(1) << 32; from += UINT64_C(32771) * WIDTH) {
        for (uint32_t i = 0; i < WIDTH; i++)
            column(A)[i].u = i % 8 == 7 ? exec_some_float() : (uint32_t)(from + i * 32771u);
        for (uint32_t i = 0; i < count; i++) {
            check_unary(sets[i], IRI_OP_EXP2, iri_exp2f);
            check_unary(sets[i], IRI_OP_LOG2, iri_log2f);
            check_unary(sets[i], IRI_OP_SIN, iri_sinf);
            check_unary(sets[i], IRI_OP_COS, iri_cosf);
        }
    }
}

TEST(exec_kernel_pow)
{
    static const float whole[] = {-3, -2, -1, 0, 1, 2, 3, 4, 16777215, 16777216, -16777217.0f};
    const iri_kernels *sets[3];
    uint32_t count = find_sets(sets);
    for (uint32_t round = 0; round < 400; round++) {
        for (uint32_t i = 0; i < WIDTH; i++) {
            column(A)[i].u = exec_some_float();
            column(B)[i].u = exec_some_float();
            if (i % 3 == 0)
                column(B)[i].f = whole[(i + round) % (sizeof whole / sizeof *whole)];
        }
        for (uint32_t s = 0; s < count; s++) {
            sets[s]->lane[IRI_KERNELS_F32][IRI_OP_POW](&machine, &step);
            for (uint32_t i = 0; i < WIDTH; i++) {
                uint32_t bits = iri_f32_bits(iri_powf(column(A)[i].f, column(B)[i].f));
                if (bits != column(RESULT)[i].u)
                    FAIL("%s pow(%08x, %08x): %08x, not %08x", sets[s]->name,
                         (unsigned)column(A)[i].u, (unsigned)column(B)[i].u,
                         (unsigned)column(RESULT)[i].u, (unsigned)bits);
            }
        }
    }
}
