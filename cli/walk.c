/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks directories for `iridia batch`.
 */
#define _POSIX_C_SOURCE 200809L /* lstat, getline, clock_gettime */
#include "walk.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_PATH_LENGTH = 4096 };

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_file(cli_files *out, const char *path, const char *relative, const struct stat *facts)
{
    if ((out->count & (out->count - 1)) == 0)
        out->items = cli_realloc(out->items, (out->count ? out->count * 2 : 1) * sizeof *out->items);
    cli_file *file = &out->items[out->count++];
    file->path = cli_printf("%s", path);
    file->relative = cli_printf("%s", relative);
    file->size = (uint64_t)facts->st_size;
    file->modified = (int64_t)facts->st_mtim.tv_sec * 1000000000 + facts->st_mtim.tv_nsec;
}

/* The names in a directory, sorted; NULL when it cannot be read. */
static char **list_directory(const char *path, size_t *count)
{
    DIR *directory = opendir(path);
    if (!directory)
        return NULL;
    char **names = cli_alloc(sizeof *names);
    *count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        names = cli_realloc(names, (*count + 1) * sizeof *names);
        names[(*count)++] = cli_printf("%s", entry->d_name);
    }
    closedir(directory);
    qsort(names, *count, sizeof *names, by_name);
    return names;
}

static void walk_directory(cli_files *out, const char *path, const char *relative)
{
    size_t count;
    char **names = strlen(path) < MAX_PATH_LENGTH ? list_directory(path, &count) : NULL;
    if (!names) {
        fprintf(stderr, "iridia: %s: %s; skipped\n", path, strerror(errno));
        out->unreadable_directories++;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        char *below = cli_printf("%s/%s", path, names[i]);
        char *name = *relative ? cli_printf("%s/%s", relative, names[i]) : cli_printf("%s", names[i]);
        struct stat facts, link;
        bool is_link = lstat(below, &link) == 0 && S_ISLNK(link.st_mode);
        if (stat(below, &facts) == 0) {
            if (S_ISDIR(facts.st_mode) && !is_link)
                walk_directory(out, below, name);
            else if (S_ISREG(facts.st_mode))
                add_file(out, below, name, &facts);
        }
        free(below);
        free(name);
        free(names[i]);
    }
    free(names);
}

/* The last component, without trailing slashes. */
static char *base_name(const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    return cli_printf("%.*s", (int)(end - begin), path + begin);
}

static bool roots_differ(const cli_list *roots)
{
    for (size_t i = 0; i < roots->count; i++) {
        for (size_t j = 0; j < i; j++) {
            char *a = base_name(roots->items[i]), *b = base_name(roots->items[j]);
            bool same = !strcmp(a, b);
            free(a);
            free(b);
            if (same) {
                fprintf(stderr, "iridia: %s and %s have the same last name, their outputs would mix; give them one by one\n",
                        roots->items[j], roots->items[i]);
                return false;
            }
        }
    }
    return true;
}

bool cli_walk(const cli_list *roots, cli_files *out)
{
    *out = (cli_files){0};
    if (!roots_differ(roots))
        return false;
    for (size_t i = 0; i < roots->count; i++) {
        const char *root = roots->items[i];
        struct stat facts;
        if (stat(root, &facts) != 0) {
            fprintf(stderr, "iridia: %s: %s\n", root, strerror(errno));
            return false;
        }
        char *name = base_name(root);
        if (S_ISDIR(facts.st_mode))
            walk_directory(out, root, roots->count > 1 ? name : "");
        else
            add_file(out, root, name, &facts);
        free(name);
    }
    return true;
}

void cli_files_free(cli_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].path);
        free(files->items[i].relative);
    }
    free(files->items);
}
