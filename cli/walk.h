/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files below some directories, in an order that does not depend on the file system.
 */
#ifndef IRI_CLI_WALK_H
#define IRI_CLI_WALK_H

#include "cli.h"

typedef struct cli_file {
    char *path;     /* as it is opened */
    char *relative; /* below the root it was found in, with the root's own name where there are several */
    uint64_t size;
    int64_t modified; /* nanoseconds */
} cli_file;

typedef struct cli_files {
    cli_file *items;
    size_t count;
    size_t unreadable_directories;
} cli_files;

/* Collects regular files below each root (a root may be a file), sorted by name; links to directories are not
 * followed. False and a line on stderr when a root cannot be read, or two roots would mix. */
bool cli_walk(const cli_list *roots, cli_files *out);
void cli_files_free(cli_files *files);

#endif
