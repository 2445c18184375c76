/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a WebGPU program needs to know of a module: docs/json.md, "manifest".
 */
#ifndef IRI_CLI_MANIFEST_H
#define IRI_CLI_MANIFEST_H

#include "cli.h"

/* One stage: `path` is the module's file, or NULL. */
typedef struct manifest_stage {
    const iri_program *program;
    const iri_wgsl_map *map;
    const char *entry; /* the entry point's name */
    const char *path;
} manifest_stage;

/* The keys of a stage, into the open object. */
void manifest_print_stage(cli_json *json, const manifest_stage *stage);
/* The bind groups of up to two stages that share a pipeline. */
void manifest_print_bindings(cli_json *json, const manifest_stage *stages, size_t count);
/* Features and limits that a device must have been asked for. */
void manifest_print_needs(cli_json *json, const manifest_stage *stages, size_t count);
/* A document of one stage, written whole or not at all. */
bool manifest_write(const manifest_stage *stage, const char *path);

/* map.c: a document that ties the module's lines to the source: docs/json.md, "map". `listing` and `module`, the
 * module's file, may be NULL. */
bool map_write(const iri_wgsl_map *map, const cli_listing *listing, const char *module,
               const char *path);

#endif
