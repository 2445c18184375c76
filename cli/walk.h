/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files below some directories, in an order that does not depend on the file system.
 */
#ifndef IRI_CLI_WALK_H
#define IRI_CLI_WALK_H

#include "cli.h"

typedef struct cli_file {
    char *path; /* as it is opened */
    /* Below the root it was found in, with the root's own name where there are several. */
    char *relative;
    uint64_t size;
    int64_t modified; /* nanoseconds */
    char *problem; /* why it, or the directory it is, cannot be read; NULL when that is not known */
} cli_file;

typedef struct cli_files {
    cli_file *items;
    size_t count;
} cli_files;

/* Two roots whose outputs would mix, because both have this last name; NULL when none have. The
 * caller frees it. */
char *cli_walk_clash(const cli_list *roots);

/* Collects the regular files below each root (a root may be a file), sorted by name; links to
 * directories are not followed. What `leave_out` names (paths; NULL and missing ones are
 * allowed) is left out. False and a line on stderr when a root cannot be read. */
bool cli_walk(const cli_list *roots, const char *const leave_out[2], cli_files *out);
void cli_files_free(cli_files *files);

#endif
