/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input and output of the command: whole files in, whole files out, one line on stderr for what
 * fails.
 */
#define _XOPEN_SOURCE 700 /* stat, getpid, realpath */
#include "cli.h"
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_INPUT = 256 << 20 }; /* larger files are no shaders */

void *cli_alloc(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (!memory) {
        fputs("iridia: out of memory\n", stderr);
        exit(CLI_REFUSED);
    }
    return memory;
}

void *cli_realloc(void *memory, size_t size)
{
    memory = realloc(memory, size ? size : 1);
    if (!memory) {
        fputs("iridia: out of memory\n", stderr);
        exit(CLI_REFUSED);
    }
    return memory;
}

char *cli_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = cli_alloc((size_t)size + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)size + 1, format, arguments);
    va_end(arguments);
    return text;
}

static bool read_stream(FILE *file, cli_bytes *out, const char **problem)
{
    size_t capacity = 0;
    for (;;) {
        if (out->size == capacity) {
            capacity = capacity ? capacity * 2 : 1 << 16;
            out->data = cli_realloc(out->data, capacity);
        }
        size_t got = fread(out->data + out->size, 1, capacity - out->size, file);
        out->size += got;
        if (out->size > MAX_INPUT) {
            *problem = "larger than 256 MiB, no shader";
            return false;
        }
        if (got == 0)
            break;
    }
    if (ferror(file)) {
        *problem = strerror(errno);
        return false;
    }
    return true;
}

bool cli_read(const char *path, cli_bytes *out, const char **problem)
{
    struct stat facts;
    bool standard = !strcmp(path, "-");
    *out = (cli_bytes){0};
    if (!standard && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)) {
        *problem = "is a directory; `iridia batch` takes directories";
        return false;
    }
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file) {
        *problem = strerror(errno);
        return false;
    }
    bool ok = read_stream(file, out, problem);
    if (!standard)
        fclose(file);
    if (!ok) {
        free(out->data);
        *out = (cli_bytes){0};
    }
    return ok;
}

bool cli_read_or_say(const char *path, cli_bytes *out)
{
    const char *problem;
    if (cli_read(path, out, &problem))
        return true;
    cli_say(strcmp(path, "-") ? path : "standard input", problem);
    return false;
}

static bool write_stream(FILE *file, const void *data, size_t size)
{
    return fwrite(data, 1, size, file) == size && fflush(file) == 0;
}

/* Writes a device or a pipe, where there is nothing to rename over. */
static bool write_in_place(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool ok = file && write_stream(file, data, size);
    int error = errno;
    if (file && fclose(file) != 0 && ok)
        return false;
    errno = error;
    return ok;
}

/* A temporary beside `path`. Its name is short whatever that of `path` is, so that it is never
 * too long. */
static char *temporary_name(const char *path)
{
    static atomic_uint count; /* batch writes from many threads */
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    return cli_printf("%.*s.iridia-%ld-%u.part", folder, path, (long)getpid(),
                      atomic_fetch_add(&count, 1));
}

static bool write_and_rename(const char *path, const void *data, size_t size)
{
    char *temporary = temporary_name(path);
    FILE *file = fopen(temporary, "wb");
    bool ok = file && write_stream(file, data, size);
    int error = errno;
    if (file && fclose(file) != 0 && ok) {
        ok = false;
        error = errno;
    }
    if (ok && rename(temporary, path) != 0) {
        ok = false;
        error = errno;
    }
    if (file && !ok)
        remove(temporary);
    free(temporary);
    errno = error;
    return ok;
}

bool cli_write_quietly(const char *path, const void *data, size_t size, const char **problem)
{
    struct stat facts;
    bool ok;
    /* A link stays one: what it leads to is written. */
    char *target = lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode) ? realpath(path, NULL) : NULL;
    const char *real = target ? target : path;
    if (stat(real, &facts) == 0 && !S_ISREG(facts.st_mode))
        ok = write_in_place(real, data, size);
    else
        ok = write_and_rename(real, data, size);
    if (!ok)
        *problem = strerror(errno);
    free(target);
    return ok;
}

static bool output_failed; /* a line has said so */

bool cli_write(const char *path, const void *data, size_t size)
{
    const char *problem;
    bool standard = !path || !strcmp(path, "-");
    if (standard) {
        if (write_stream(stdout, data, size))
            return true;
        problem = strerror(errno);
        output_failed = true;
    } else if (cli_write_quietly(path, data, size, &problem)) {
        return true;
    }
    char *shown = cli_shown(standard ? "standard output" : path);
    fprintf(stderr, "iridia: cannot write %s: %s\n", shown, problem);
    free(shown);
    return false;
}

int cli_end(int code)
{
    if (output_failed || (fflush(stdout) == 0 && !ferror(stdout)))
        return code;
    fprintf(stderr, "iridia: cannot write standard output: %s\n", strerror(errno));
    return CLI_REFUSED;
}

bool cli_make_parents(const char *path)
{
    char *copy = cli_printf("%s", path);
    bool ok = true;
    for (char *slash = *copy ? strchr(copy + 1, '/') : NULL; slash && ok;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        ok = mkdir(copy, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    free(copy);
    return ok;
}

bool cli_read_part(const char *path, uint32_t at, cli_bytes *out)
{
    if (!cli_read_or_say(path, out))
        return false;
    if (at > out->size) {
        char *problem = cli_printf("--at 0x%x: it has 0x%zx bytes", (unsigned)at, out->size);
        cli_say(path, problem);
        free(problem);
        free(out->data);
        *out = (cli_bytes){0};
        return false;
    }
    if (at) {
        size_t left = out->size - at, size = iri_frame_size(out->data + at, left);
        out->size = size ? size : left;
        memmove(out->data, out->data + at, out->size);
        out->at = at;
    }
    return true;
}

iri_program *cli_open_keeping(const char *path, uint32_t at, iri_lift_stats *stats,
                              cli_bytes *bytes)
{
    if (!cli_read_part(path, at, bytes))
        return NULL;
    iri_lift_options how = cli_lift_given.options;
    iri_program *program;
    iri_refusal why;
    how.base = at;
    iri_status status = iri_lift(bytes->data, bytes->size, &how, &program, stats, &why);
    if (status == IRI_OK)
        return program;
    free(bytes->data);
    *bytes = (cli_bytes){0};
    cli_refused(&why, path);
    return NULL;
}

iri_program *cli_open(const char *path, uint32_t at, iri_lift_stats *stats)
{
    cli_bytes bytes = {0};
    iri_program *program = cli_open_keeping(path, at, stats, &bytes);
    free(bytes.data);
    return program;
}
