/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs the unit tests of tests.def: all of them, or those whose names contain one of the arguments.
 * `-v` names each test as it ends, with its milliseconds. Ends with `N passed, N failed, N
 * skipped`; exits 1 when a test failed or no test has the wanted name.
 */
#include "tests/unit/test.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { FAULTS_SHOWN = 8 };

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {
#define IRI_TEST(name) {#name, iri_test_##name},
#include "tests/unit/tests.def"
#undef IRI_TEST
    {NULL, NULL},
};

static struct {
    const char *name;
    const char *skipped;
    uint32_t faults;
    uint64_t random;
} current;

void iri_test_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    if (++current.faults > FAULTS_SHOWN)
        return;
    printf("FAIL %s: %s:%d: ", current.name, file, line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

bool iri_test_check(const char *file, int line, bool held, const char *text)
{
    if (!held)
        iri_test_fail(file, line, "%s", text);
    return held;
}

bool iri_test_u64(const char *file, int line, uint64_t got, uint64_t expected, const char *text)
{
    if (got != expected)
        iri_test_fail(file, line,
                      "%s is %" PRIu64 " (0x%" PRIx64 "), expected %" PRIu64 " (0x%" PRIx64 ")",
                      text, got, got, expected, expected);
    return got == expected;
}

bool iri_test_i64(const char *file, int line, int64_t got, int64_t expected, const char *text)
{
    if (got != expected)
        iri_test_fail(file, line, "%s is %" PRId64 ", expected %" PRId64, text, got, expected);
    return got == expected;
}

bool iri_test_str(const char *file, int line, const char *got, const char *expected,
                  const char *text)
{
    bool same = got && expected ? strcmp(got, expected) == 0 : got == expected;
    if (!same)
        iri_test_fail(file, line, "%s is\n  \"%s\"\nexpected\n  \"%s\"", text, got ? got : "(NULL)",
                      expected ? expected : "(NULL)");
    return same;
}

void iri_test_skip(const char *why)
{
    current.skipped = why;
}

uint64_t iri_test_random(void)
{
    /* Marsaglia's xorshift64, multiplied (Vigna's xorshift64*). */
    current.random ^= current.random >> 12;
    current.random ^= current.random << 25;
    current.random ^= current.random >> 27;
    return current.random * UINT64_C(0x2545f4914f6cdd1d);
}

static bool wanted(const char *name, int count, char **filters)
{
    for (int i = 0; i < count; i++)
        if (strstr(name, filters[i]))
            return true;
    return count == 0;
}

int main(int count, char **arguments)
{
    uint32_t passed = 0, failed = 0, skipped = 0;
    bool verbose = count > 1 && strcmp(arguments[1], "-v") == 0;
    count -= 1 + verbose;
    arguments += 1 + verbose;
    for (size_t i = 0; tests[i].name; i++) {
        if (!wanted(tests[i].name, count, arguments))
            continue;
        clock_t start = clock();
        current.name = tests[i].name;
        current.skipped = NULL;
        current.faults = 0;
        current.random = UINT64_C(0x9e3779b97f4a7c15);
        tests[i].run();
        if (current.faults > FAULTS_SHOWN)
            printf("FAIL %s: %" PRIu32 " faults in all\n", current.name, current.faults);
        else if (!current.faults && current.skipped)
            printf("SKIP %s: %s\n", current.name, current.skipped);
        else if (verbose && !current.faults)
            printf("ok   %s (%ld ms)\n", current.name,
                   (long)((double)(clock() - start) * 1000.0 / CLOCKS_PER_SEC));
        failed += current.faults != 0;
        skipped += !current.faults && current.skipped;
        passed += !current.faults && !current.skipped;
        fflush(stdout);
    }
    printf("%" PRIu32 " passed, %" PRIu32 " failed, %" PRIu32 " skipped\n", passed, failed,
           skipped);
    return failed || (count > 0 && passed + skipped == 0);
}
