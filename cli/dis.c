/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `iridia dis`: a shader's listing in Microsoft's syntax. `iridia asm`: the way back.
 */
#include "cli.h"
#include <stdlib.h>

static const char *output;
static bool comments;

static const cli_option dis_options[] = {
    {"-o", "FILE", CLI_STRING, &output, "write there instead of to standard output"},
    {"--comments", NULL, CLI_FLAG, &comments,
     "keep the shader's comments as //!comment lines, which asm reads"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char dis_teach[] =
    "Lists a compiled shader as Microsoft's disassembler does, character for character: constant\n"
    "table, preshader, instructions, slots; of a debug build also source lines and variables.\n\n"
    "examples:\n"
    "  iridia dis water.pso\n"
    "  iridia dis water.pso --comments -o water.asm    to edit; `iridia asm` makes a shader of it";

static const cli_option asm_options[] = {
    {"-o", "FILE", CLI_STRING, &output, "write there instead of to standard output"},
    {NULL, NULL, CLI_FLAG, NULL, NULL},
};

static const char asm_teach[] =
    "Assembles shader assembly of the models vs_1_0 to ps_3_sw: what Microsoft's assembler takes,\n"
    "and what `iridia dis` lists.\n\n"
    "examples:\n"
    "  iridia asm water.asm -o water.pso\n"
    "  iridia dis water.pso --comments | sed s/c12/c13/ | iridia asm - -o other.pso";

static int write_out(const char *path, iri_status status, iri_text *out, const iri_refusal *why)
{
    if (status != IRI_OK)
        return cli_refused(why, path);
    bool ok = cli_write(output, out->data, out->size);
    iri_text_free(out);
    return ok ? CLI_OK : CLI_REFUSED;
}

/* Reads the one FILE of the command line. False: exit with `*code`. */
static bool begin(const char *command, const char *teach, const cli_option *options, int argc,
                  char **argv, const char **path, cli_bytes *bytes, int *code)
{
    const cli_option *const groups[] = {options, options == dis_options ? cli_at_options : NULL,
                                        NULL};
    if (!cli_begin(command, teach, groups, argc, argv, path, code))
        return false;
    *code = CLI_REFUSED;
    return cli_read_part(*path, cli_at, bytes);
}

int cli_dis(int argc, char **argv)
{
    const char *path;
    cli_bytes bytes;
    int code;
    if (!begin("dis", dis_teach, dis_options, argc, argv, &path, &bytes, &code))
        return code;
    iri_text out;
    iri_refusal why;
    iri_status status = iri_disassemble(bytes.data, bytes.size,
                                        IRI_DISASSEMBLE_OPTIONS(.comments = comments), &out, &why);
    free(bytes.data);
    return write_out(path, status, &out, &why);
}

int cli_asm(int argc, char **argv)
{
    const char *path;
    cli_bytes bytes;
    int code;
    if (!begin("asm", asm_teach, asm_options, argc, argv, &path, &bytes, &code))
        return code;
    iri_text out;
    iri_refusal why;
    iri_status status = iri_assemble((const char *)bytes.data, bytes.size, NULL, &out, &why);
    free(bytes.data);
    return write_out(path, status, &out, &why);
}
