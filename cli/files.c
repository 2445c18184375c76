/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input and output of the command: whole files in, whole files out, one line on stderr for what fails.
 */
#define _POSIX_C_SOURCE 200809L /* stat, getpid */
#include "cli.h"
#include <errno.h>
#include <stdarg.h>
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
    *out = (cli_bytes){NULL, 0};
    if (!strcmp(path, "-"))
        return read_stream(stdin, out, problem);
    struct stat facts;
    if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)) {
        *problem = "is a directory; `iridia batch` takes directories";
        return false;
    }
    FILE *file = fopen(path, "rb");
    if (!file) {
        *problem = strerror(errno);
        return false;
    }
    bool ok = read_stream(file, out, problem);
    fclose(file);
    if (!ok) {
        free(out->data);
        *out = (cli_bytes){NULL, 0};
    }
    return ok;
}

bool cli_read_or_say(const char *path, cli_bytes *out)
{
    const char *problem;
    if (cli_read(path, out, &problem))
        return true;
    fprintf(stderr, "iridia: %s: %s\n", path, problem);
    return false;
}

static bool write_stream(FILE *file, const void *data, size_t size)
{
    return fwrite(data, 1, size, file) == size && fflush(file) == 0;
}

bool cli_write_quietly(const char *path, const void *data, size_t size, const char **problem)
{
    struct stat facts;
    /* A device or a pipe is written in place: there is nothing to rename over. */
    bool in_place = stat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
    char *temporary = in_place ? cli_printf("%s", path) : cli_printf("%s.%ld.part", path, (long)getpid());
    bool ok = false;
    FILE *file = fopen(temporary, "wb");
    if (file) {
        ok = write_stream(file, data, size);
        ok = fclose(file) == 0 && ok;
        if (ok && !in_place)
            ok = rename(temporary, path) == 0;
    }
    if (!ok) {
        *problem = strerror(errno);
        if (file && !in_place)
            remove(temporary);
    }
    free(temporary);
    return ok;
}

bool cli_write(const char *path, const void *data, size_t size)
{
    const char *problem;
    if (!path || !strcmp(path, "-")) {
        if (write_stream(stdout, data, size))
            return true;
        path = "standard output";
        problem = strerror(errno);
    } else if (cli_write_quietly(path, data, size, &problem)) {
        return true;
    }
    fprintf(stderr, "iridia: cannot write %s: %s\n", path, problem);
    return false;
}

bool cli_make_parents(const char *path)
{
    char *copy = cli_printf("%s", path);
    bool ok = true;
    for (char *slash = strchr(copy + 1, '/'); slash && ok; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        ok = mkdir(copy, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    free(copy);
    return ok;
}

int cli_refused(const iri_refusal *why, const char *path)
{
    char line[1024];
    iri_refusal_line(why, path, line, sizeof line);
    fprintf(stderr, "iridia: %s\n", line);
    return CLI_REFUSED;
}

iri_program *cli_open(const char *path, const iri_lift_options *options, cli_bytes *bytes)
{
    if (!cli_read_or_say(path, bytes))
        return NULL;
    iri_program *program;
    iri_refusal why;
    if (iri_lift(bytes->data, bytes->size, options, &program, NULL, &why) == IRI_OK)
        return program;
    cli_refused(&why, path);
    return NULL;
}
