/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia scan`: every program inside any file.
 */
#include "cli.h"
#include <stdlib.h>

static const char *extract;
static bool as_json;

static const cli_option options[] = {
    {"--json", NULL, CLI_FLAG, &as_json, "print it as JSON (docs/json.md)"},
    {"--extract", "DIR", CLI_STRING, &extract,
     "write each program to a file of DIR, named by offset"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char teach[] =
    "Finds every compiled shader inside any file, at any offset: executables, archives, memory\n"
    "dumps. Prints offset, size, target, and the hashes that other tools know it by: CRC-32, FNV-1\n"
    "and 3DMigoto's.\n\n"
    "examples:\n"
    "  iridia scan game.exe\n"
    "  iridia scan game.exe --extract shaders/\n"
    "  iridia scan game.exe --json | jq '.programs[].target'\n";

typedef struct scan_run {
    const cli_bytes *bytes;
    cli_json json;
    bool failed;
} scan_run;

static bool write_program(const scan_run *run, const iri_scanned *f)
{
    char *path =
        cli_printf("%s/%08zx.%s.%s", extract, f->offset, f->target, iri_format_name(f->format));
    const char *problem = "cannot make its folder";
    bool ok = cli_make_parents(path) &&
              cli_write_quietly(path, run->bytes->data + f->offset, f->size, &problem);
    if (!ok)
        cli_say(path, problem);
    free(path);
    return ok;
}

static void take_program(void *user, const iri_scanned *f)
{
    scan_run *run = user;
    iri_hashes h = iri_hash_shader(run->bytes->data + f->offset, f->size);
    char crc32[16], fnv1[24], migoto[24];
    if (run->failed)
        return;
    snprintf(crc32, sizeof crc32, "%08lx", (unsigned long)h.crc32);
    snprintf(fnv1, sizeof fnv1, "%016llx", (unsigned long long)h.fnv1);
    snprintf(migoto, sizeof migoto, "%016llx", (unsigned long long)h.migoto);
    if (extract && !write_program(run, f))
        run->failed = true;
    if (!as_json) {
        printf("0x%08zx %8zu  %s %-7s  %s %s %s\n", f->offset, f->size, iri_format_name(f->format),
               f->target, crc32, fnv1, migoto);
        return;
    }
    json_open(&run->json, NULL, '{');
    json_number(&run->json, "offset", (int64_t)f->offset);
    json_number(&run->json, "size", (int64_t)f->size);
    json_string(&run->json, "format", iri_format_name(f->format));
    json_string(&run->json, "target", f->target);
    json_string(&run->json, "crc32", crc32);
    json_string(&run->json, "fnv1", fnv1);
    json_string(&run->json, "migoto", migoto);
    json_close(&run->json, '}');
}

int cli_scan(int argc, char **argv)
{
    const cli_option *const groups[] = {options, NULL};
    const char *path;
    cli_bytes bytes;
    int code;
    if (!cli_begin("scan", teach, groups, argc, argv, &path, &code))
        return code;
    if (!cli_read_or_say(path, &bytes))
        return CLI_REFUSED;
    scan_run run = {.bytes = &bytes};
    if (as_json) {
        json_open(&run.json, NULL, '{');
        json_number(&run.json, "schema", 1);
        json_string(&run.json, "file", path);
        json_open(&run.json, "programs", '[');
    } else {
        printf("%-10s %8s  %-12s  %-8s %-16s %s\n", "offset", "size", "target", "crc32", "fnv1",
               "3dmigoto");
    }
    size_t count = iri_scan(bytes.data, bytes.size, NULL, take_program, &run);
    free(bytes.data);
    if (as_json) {
        json_close(&run.json, ']');
        json_close(&run.json, '}');
        run.failed |= !json_finish(&run.json, NULL);
    } else {
        printf("%zu program%s\n", count, count == 1 ? "" : "s");
    }
    return run.failed ? CLI_REFUSED : CLI_OK;
}
