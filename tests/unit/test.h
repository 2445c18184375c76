/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The unit test framework: tests are functions listed in tests.def, run one after another by
 * main.c. A failed check is printed and counted, and the test goes on; REQUIRE leaves the test.
 *
 *     TEST(arena_zeroes)            in tests/unit/test_FOLDER.c
 *     {
 *         CHECK(x == y);
 *     }
 *     IRI_TEST(arena_zeroes)        in tests/unit/tests.def
 */
#ifndef IRI_TESTS_UNIT_TEST_H
#define IRI_TESTS_UNIT_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEST(name) void iri_test_##name(void)

/* The value of each check is whether it held, so that a loop can stop at the first fault:
 * `if (!CHECK(..)) break;`. */
#define CHECK(condition) iri_test_check(__FILE__, __LINE__, (condition), #condition)
#define CHECK_EQ_U32(got, expected) \
    iri_test_u64(__FILE__, __LINE__, (uint32_t)(got), (uint32_t)(expected), #got)
#define CHECK_EQ_U64(got, expected) iri_test_u64(__FILE__, __LINE__, (got), (expected), #got)
#define CHECK_EQ_INT(got, expected) iri_test_i64(__FILE__, __LINE__, (got), (expected), #got)
#define CHECK_STR(got, expected) iri_test_str(__FILE__, __LINE__, (got), (expected), #got)
/* Reports a fault of the test's own finding, with printf-like words. */
#define FAIL(...) iri_test_fail(__FILE__, __LINE__, __VA_ARGS__)

#define REQUIRE(condition) \
    do { \
        if (!CHECK(condition)) \
            return; \
    } while (0)
#define SKIP(why) \
    do { \
        iri_test_skip(why); \
        return; \
    } while (0)

bool iri_test_check(const char *file, int line, bool held, const char *text);
bool iri_test_u64(const char *file, int line, uint64_t got, uint64_t expected, const char *text);
bool iri_test_i64(const char *file, int line, int64_t got, int64_t expected, const char *text);
/* NULL equals NULL only. */
bool iri_test_str(const char *file, int line, const char *got, const char *expected,
                  const char *text);
void iri_test_skip(const char *why);
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void iri_test_fail(const char *file, int line, const char *format, ...);

/* The same random numbers in each run of a test: seeded anew before each. */
uint64_t iri_test_random(void);

#define IRI_TEST(name) TEST(name);
#include "tests/unit/tests.def"
#undef IRI_TEST

#endif
