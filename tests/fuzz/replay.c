/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a fuzz target without a fuzzer: on every seed of tests/fuzz/seeds/TARGET and of its fixtures,
 * and on a fixed number of changes to each, the same ones on every machine. A broken invariant
 * aborts, so reaching the closing line means that all held. Run from the repository's root.
 * Usage: iri-replay-TARGET [FILE...]    with files: those alone, unchanged
 */
#include "fuzz.h"
#include <dirent.h>
#include <signal.h>

static unsigned runs, seeds;

/* What is running, for the report of an abort: the file, and which change to it (0: none). */
static const char *now_file = "";
static unsigned now_change;

static void report(int signal_number)
{
    fprintf(stderr, "signal %d in %s, change %u\n", signal_number, now_file, now_change);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static uint64_t random_state = UINT64_C(0x9e3779b97f4a7c15);

static uint32_t random_below(uint32_t count)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 32) % count);
}

static void run(const uint8_t *data, size_t size)
{
    /* A buffer of exactly that size, so that the sanitizer sees a read past its end. */
    uint8_t *copy = malloc(size ? size : 1);
    MUST(copy);
    if (size)
        memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    runs++;
}

/* One change: a bit, a byte, a word set to a telling value, a word copied from elsewhere, or the
 * end cut off. */
static size_t change(uint8_t *data, size_t size)
{
    static const uint32_t telling[] = {0,          1,          0xffffffff, 0x7fffffff, 0x80000000,
                                       0x0000ffff, 0xfffe0300, 0xffff0300, 0x0000fffe, 0x7fc00000};
    uint32_t at = random_below((uint32_t)size);
    uint32_t word = size >= 4 ? random_below((uint32_t)(size / 4)) * 4 : 0;
    switch (random_below(5)) {
    case 0: data[at] ^= (uint8_t)(1u << random_below(8)); break;
    case 1: data[at] = (uint8_t)random_below(256); break;
    case 2:
        if (size >= 4)
            memcpy(data + word, &telling[random_below(10)], 4);
        break;
    case 3:
        if (size >= 4)
            memcpy(data + word, data + random_below((uint32_t)(size / 4)) * 4, 4);
        break;
    case 4: return at;
    }
    return size;
}

static void run_file(const char *name, unsigned changes)
{
    FILE *file = fopen(name, "rb");
    if (!file) {
        fprintf(stderr, "cannot read %s\n", name);
        exit(1);
    }
    static uint8_t data[1 << 20], changed[1 << 20];
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    size = fuzz_seed(data, size, sizeof data);
    seeds++;
    now_file = name;
    now_change = 0;
    run(data, size);
    for (unsigned i = 0; i < changes && size; i++) {
        memcpy(changed, data, size);
        size_t now = size;
        now_change = i + 1;
        for (uint32_t n = 1 + random_below(3); n && now; n--)
            now = change(changed, now);
        run(changed, now);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In the order of names: the file system's own differs between machines. */
static void run_folder(const char *folder)
{
    char *names[4096];
    size_t count = 0;
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir)) && count < 4096;) {
        if (entry->d_name[0] == '.')
            continue;
        size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        names[count] = malloc(size);
        MUST(names[count]);
        snprintf(names[count++], size, "%s/%s", folder, entry->d_name);
    }
    closedir(dir);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        run_file(names[i], IRI_FUZZ_CHANGES);
        free(names[i]);
    }
}

int main(int count, char **names)
{
    signal(SIGABRT, report);
    for (int i = 1; i < count; i++)
        run_file(names[i], 0);
    if (count <= 1) {
        run_folder("tests/fuzz/seeds/" IRI_FUZZ_TARGET);
        run_folder("tests/fixtures/" IRI_FUZZ_FIXTURES);
    }
    printf("%u seeds, %u runs\n", seeds, runs);
    printf("%u passed, 0 failed, %u skipped\n", seeds, seeds == 0);
    return 0;
}
