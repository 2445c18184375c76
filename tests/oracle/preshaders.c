/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preshaders in C, JavaScript and the executor: writes a folder that tests/oracle/preshaders runs.
 *
 *     preshaders.c preshaders.mjs   the functions
 *     main.c                        runs those in C, by the tables in it
 *     input.bin                     for each function and each of SETS sets what p holds
 *     expected.bin                  what the executor gives: a word for each lane of each register, in order
 *
 * Usage: oracle-preshaders DIR EFFECT...
 */
#include "tests/unit/preshader_made.h"
#include <iridia/iridia.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 64, MOST = 512 };

static iri_preshader_function functions[MOST];
static size_t function_count;

static void fail(const char *what)
{
    fprintf(stderr, "oracle-preshaders: %s\n", what);
    exit(1);
}

static void add(const char *about, const void *bytes, size_t size)
{
    iri_program *program;
    iri_refusal why;
    char line[600];
    if (iri_preshader_lift(bytes, size, NULL, &program, &why) != IRI_OK) {
        iri_refusal_line(&why, about, line, sizeof line);
        fail(line);
    }
    if (!program || function_count == MOST)
        return;
    char *name = malloc(32);
    snprintf(name, 32, "preshader_%u", (unsigned)function_count);
    functions[function_count++] = (iri_preshader_function){name, program, about};
}

static void add_effect(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    /* Kept to the end: an effect refers to its bytes, and a function to its path. */
    uint8_t *data = malloc(size + 1);
    iri_effect *effect = NULL;
    iri_refusal why;
    if (fread(data, 1, size, file) != size ||
        iri_effect_read(data, size, NULL, &effect, &why) != IRI_OK)
        fail(path);
    fclose(file);
    for (uint32_t i = 0; i < effect->shader_count; i++)
        add(effect->shaders[i].path, effect->shaders[i].data, effect->shaders[i].size);
    for (uint32_t t = 0; t < effect->technique_count; t++)
        for (uint32_t p = 0; p < effect->techniques[t].pass_count; p++) {
            const iri_effect_pass *pass = &effect->techniques[t].passes[p];
            for (uint32_t s = 0; s < pass->state_count; s++)
                if (pass->states[s].expression)
                    add(pass->states[s].name, pass->states[s].expression,
                        pass->states[s].expression_size);
        }
}

static FILE *create(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        fail(path);
    return file;
}

static void write_module(const char *folder, const char *name, iri_preshader_language language)
{
    iri_text text;
    iri_refusal why;
    if (iri_write_preshaders(functions, function_count, language, &text, &why) != IRI_OK)
        fail(why.reason);
    FILE *file = create(folder, name);
    fwrite(text.data, 1, text.size, file);
    fclose(file);
    iri_text_free(&text);
}

static uint64_t state = 88172645463325252u;
static uint32_t random_word(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* Special numbers, whole ones as indexes are, ordinary ones, any bits. */
static uint32_t some_word(void)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x3f000000,
                                       0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x00000001,
                                       0x80400000, 0x7f7fffff, 0xff7fffff, 0x4b800000, 0x40200000,
                                       0xc0200000, 0x4f000000, 0xcf000000};
    uint32_t word = random_word();
    float number = word % 16 < 5 ? (float)((int)(word / 16 % 21) - 5)
                                 : (float)(word / 16 % 100000) / 5000.0f - 10.0f;
    if (word % 16 < 3)
        return special[word / 16 % (sizeof special / sizeof *special)];
    if (word % 16 == 15)
        return random_word();
    memcpy(&word, &number, 4);
    return word;
}

static void run(const iri_preshader_function *f, FILE *input, FILE *expected)
{
    static uint32_t p[65536];
    static iri_preshader_register registers[8192];
    const iri_interface *io = iri_program_interface(f->program);
    size_t size = io->resource_count ? io->resources[0].size / 4 : 0;
    iri_exec *exec;
    iri_refusal why;
    if (size > sizeof p / 4 || io->output_count > sizeof registers / sizeof *registers ||
        iri_exec_compile(f->program, NULL, &exec, &why) != IRI_OK)
        fail(f->name);
    for (int set = 0; set < SETS; set++) {
        for (size_t i = 0; i < size; i++)
            p[i] = some_word();
        if (iri_preshader_run(exec, p, size * 4, registers, &why) != IRI_OK)
            fail(why.reason);
        fwrite(p, 4, size, input);
        for (uint32_t i = 0; i < io->output_count; i++)
            for (int lane = 0; lane < 4; lane++)
                if (registers[i].lanes >> lane & 1)
                    fwrite(&registers[i].words[lane], 4, 1, expected);
    }
    iri_exec_free(exec);
}

static void write_main(FILE *file)
{
    fputs("#include \"preshaders.c\"\n#include <stdio.h>\n#include <string.h>\n"
          "static float p[65536], c[8192][4];\nstatic int i[8192][4], b[8192];\n"
          "static void put(const void *word) { fwrite(word, 4, 1, stdout); }\n"
          "int main(void)\n{\n    size_t size;\n    int set;\n",
          file);
    for (size_t k = 0; k < function_count; k++) {
        const iri_interface *io = iri_program_interface(functions[k].program);
        fprintf(
            file,
            "    size = %u;\n    for (set = 0; set < %d; set++) {\n"
            "        if (fread(p, 4, size, stdin) != size)\n            return 1;\n        %s(p, c, i, b);\n",
            (unsigned)(io->resource_count ? io->resources[0].size / 4 : 0), SETS,
            functions[k].name);
        for (uint32_t o = 0; o < io->output_count; o++)
            for (int lane = 0; lane < 4; lane++) {
                if (!(io->outputs[o].lanes >> lane & 1))
                    continue;
                if (io->outputs[o].bank == IRI_BANK_B)
                    fprintf(file, "        put(&b[%u]);\n", (unsigned)io->outputs[o].index);
                else
                    fprintf(file, "        put(&%s[%u][%d]);\n", io->outputs[o].name,
                            (unsigned)io->outputs[o].index, lane);
            }
        fputs("    }\n", file);
    }
    fputs("    return 0;\n}\n", file);
}

int main(int argc, char **argv)
{
    made m;
    if (argc < 2)
        fail("no folder");
    for (size_t i = 0; i < made_case_count; i++) {
        made_cases[i].build(&m);
        size_t size = made_end(&m);
        add(made_cases[i].name, m.words, size);
    }
    for (int i = 2; i < argc; i++)
        add_effect(argv[i]);
    write_module(argv[1], "preshaders.c", IRI_PRESHADER_C);
    write_module(argv[1], "preshaders.mjs", IRI_PRESHADER_JAVASCRIPT);
    FILE *file = create(argv[1], "main.c"), *input = create(argv[1], "input.bin"),
         *expected = create(argv[1], "expected.bin");
    write_main(file);
    for (size_t i = 0; i < function_count; i++)
        run(&functions[i], input, expected);
    fclose(file);
    fclose(input);
    fclose(expected);
    printf("%u\n", (unsigned)function_count);
    return 0;
}
