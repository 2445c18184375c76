/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks directories for `iridia batch`.
 */
#define _XOPEN_SOURCE 700 /* lstat, realpath, st_mtim */
#include "walk.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_PATH_LENGTH = 4096, LEAVE_OUT = 2 };

typedef struct walk {
    cli_files *out;
    struct stat leave_out[LEAVE_OUT];
    size_t leave_out_count;
} walk;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* `problem`: an errno, or 0. */
static void add_file(walk *w, const char *path, const char *relative, const struct stat *facts,
                     int problem)
{
    cli_files *out = w->out;
    if ((out->count & (out->count - 1)) == 0)
        out->items =
            cli_realloc(out->items, (out->count ? out->count * 2 : 1) * sizeof *out->items);
    cli_file *file = &out->items[out->count++];
    *file = (cli_file){.path = cli_printf("%s", path), .relative = cli_printf("%s", relative)};
    if (facts) {
        file->size = (uint64_t)facts->st_size;
        file->modified = (int64_t)facts->st_mtim.tv_sec * 1000000000 + facts->st_mtim.tv_nsec;
    }
    if (problem)
        file->problem = cli_printf("%s", strerror(problem));
}

/* The names in a directory, sorted; NULL, with errno, when it cannot be read. */
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

static bool is_left_out(const walk *w, const struct stat *facts)
{
    for (size_t i = 0; i < w->leave_out_count; i++)
        if (w->leave_out[i].st_dev == facts->st_dev && w->leave_out[i].st_ino == facts->st_ino)
            return true;
    return false;
}

static void walk_directory(walk *w, const char *path, const char *relative);

static void walk_entry(walk *w, const char *path, const char *relative)
{
    struct stat facts, link;
    bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    if (stat(path, &facts) != 0)
        add_file(w, path, relative, NULL, errno);
    else if (is_left_out(w, &facts))
        return;
    else if (S_ISREG(facts.st_mode))
        add_file(w, path, relative, &facts, 0);
    else if (S_ISDIR(facts.st_mode) && !is_link)
        walk_directory(w, path, relative);
}

static void walk_directory(walk *w, const char *path, const char *relative)
{
    size_t count, length = strlen(path);
    errno = ENAMETOOLONG;
    char **names = length < MAX_PATH_LENGTH ? list_directory(path, &count) : NULL;
    if (!names) {
        add_file(w, path, relative, NULL, errno);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        char *below = cli_printf("%s%s%s", path, path[length - 1] == '/' ? "" : "/", names[i]);
        char *name = cli_printf("%s%s%s", relative, *relative ? "/" : "", names[i]);
        walk_entry(w, below, name);
        free(below);
        free(name);
        free(names[i]);
    }
    free(names);
}

/* Without the slashes at its end. */
static char *trimmed(const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    return cli_printf("%.*s", (int)end, path);
}

/* The last component; of "." and "..", the name of the directory that they are. */
static char *base_name(const char *path)
{
    char *own = trimmed(path), *slash = strrchr(own, '/');
    char *name = cli_printf("%s", slash ? slash + 1 : own);
    if (!strcmp(name, ".") || !strcmp(name, "..")) {
        char *real = realpath(own, NULL);
        free(name);
        name = cli_printf("%s", real ? strrchr(real, '/') + 1 : "");
        free(real);
    }
    free(own);
    if (*name)
        return name;
    free(name);
    return cli_printf("root");
}

char *cli_walk_clash(const cli_list *roots)
{
    for (size_t i = 0; i < roots->count; i++) {
        char *a = base_name(roots->items[i]);
        for (size_t j = 0; j < i; j++) {
            char *b = base_name(roots->items[j]);
            bool same = !strcmp(a, b);
            free(b);
            if (same)
                return a;
        }
        free(a);
    }
    return NULL;
}

static bool walk_root(walk *w, const char *given, bool alone)
{
    struct stat facts;
    const char *problem = NULL;
    char *root = trimmed(given);
    char *name = base_name(given);
    if (stat(given, &facts) != 0)
        problem = strerror(errno);
    else if (S_ISDIR(facts.st_mode))
        walk_directory(w, root, alone ? "" : name);
    else if (S_ISREG(facts.st_mode))
        add_file(w, root, name, &facts, 0);
    else
        problem = "neither a directory nor a file";
    if (problem)
        cli_say(given, problem);
    free(root);
    free(name);
    return !problem;
}

bool cli_walk(const cli_list *roots, const char *const leave_out[2], cli_files *out)
{
    walk w = {.out = out};
    *out = (cli_files){0};
    for (size_t i = 0; i < LEAVE_OUT; i++)
        if (leave_out[i] && stat(leave_out[i], &w.leave_out[w.leave_out_count]) == 0)
            w.leave_out_count++;
    for (size_t i = 0; i < roots->count; i++)
        if (!walk_root(&w, roots->items[i], roots->count == 1))
            return false;
    return true;
}

void cli_files_free(cli_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].path);
        free(files->items[i].relative);
        free(files->items[i].problem);
    }
    free(files->items);
}
