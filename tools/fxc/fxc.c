/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drives Microsoft's d3dcompiler_47.dll, which has to stand beside the built fxc.exe: compiles HLSL,
 * assembles Direct3D 9 shader assembly, disassembles. tools/compile-fixtures and
 * tests/oracle/microsoft.py use it; it is built with MinGW-w64 and run by Wine. The prototypes are
 * those of Microsoft's d3dcompiler.h and of the DLL's undocumented D3DAssemble, loaded by name so
 * that no import library is needed.
 */
#define COBJMACROS
#include <windows.h>
#include <d3dcommon.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef HRESULT(WINAPI *compile_fn)(const void *source, SIZE_T size, const char *name,
                                    const void *macros, void *include, const char *entry,
                                    const char *profile, UINT flags, UINT effect_flags,
                                    ID3DBlob **code, ID3DBlob **errors);
typedef HRESULT(WINAPI *assemble_fn)(const void *source, SIZE_T size, const char *name,
                                     const void *macros, void *include, UINT flags, ID3DBlob **code,
                                     ID3DBlob **errors);
typedef HRESULT(WINAPI *disassemble_fn)(const void *code, SIZE_T size, UINT flags,
                                        const char *comments, ID3DBlob **text);

/* D3D_COMPILE_STANDARD_FILE_INCLUDE */
#define STANDARD_INCLUDE ((void *)1)
/* D3DCOMPILE_SKIP_VALIDATION: D3DAssemble then only parses and encodes */
#define SKIP_VALIDATION 2u

static void *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    if (!file) {
        fprintf(stderr, "fxc: cannot read %s\n", name);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    void *data = malloc(*size + 1);
    if (!data || fread(data, 1, *size, file) != *size) {
        fprintf(stderr, "fxc: cannot read %s\n", name);
        exit(1);
    }
    fclose(file);
    return data;
}

static HMODULE load_compiler(void)
{
    char path[MAX_PATH];
    GetModuleFileNameA(NULL, path, sizeof path);
    char *slash = strrchr(path, '\\');
    snprintf(slash ? slash + 1 : path, sizeof path - (size_t)(slash ? slash + 1 - path : 0),
             "d3dcompiler_47.dll");
    HMODULE dll = LoadLibraryA(path);
    if (!dll) {
        fprintf(stderr, "fxc: cannot load %s\n", path);
        exit(1);
    }
    return dll;
}

typedef struct compiler {
    compile_fn compile;
    assemble_fn assemble;
    disassemble_fn disassemble;
} compiler;

static int usage(void)
{
    fputs("usage: fxc compile IN.hlsl OUT PROFILE ENTRY [FLAGS-HEX]\n"
          "       fxc assemble IN.asm OUT [IN.asm OUT]...\n"
          "       fxc tokens IN.asm OUT    assembles without validating\n"
          "       fxc disassemble IN OUT.asm\n"
          "       fxc batch LIST    a command a line, its words separated by tabs\n",
          stderr);
    return 2;
}

static UINT flags_at(int count, char **words, int at)
{
    return count > at ? (UINT)strtoul(words[at], NULL, 16) : 0;
}

/* One command: `compile IN OUT ...` and so on. 0, 1 when refused, 2 when it is none. */
static int run(const compiler *c, int count, char **words)
{
    if (count < 3)
        return usage();
    const char *verb = words[0], *in = words[1];
    size_t size;
    void *source = read_file(in, &size);
    ID3DBlob *result = NULL, *errors = NULL;
    HRESULT status;

    if (!strcmp(verb, "compile") && count >= 5) {
        /* Debug information has the name as a whole path: one that says nothing of this machine. */
        char name[MAX_PATH];
        const char *slash = strrchr(in, '/');
        snprintf(name, sizeof name, "C:\\%s", slash ? slash + 1 : in);
        status = c->compile(source, size, name, NULL, STANDARD_INCLUDE, words[4], words[3],
                            flags_at(count, words, 5), 0, &result, &errors);
    } else if (!strcmp(verb, "assemble") || !strcmp(verb, "tokens")) {
        UINT flags = strcmp(verb, "tokens") ? 0 : SKIP_VALIDATION;
        status = c->assemble(source, size, NULL, NULL, NULL, flags, &result, &errors);
    } else if (!strcmp(verb, "disassemble")) {
        status = c->disassemble(source, size, 0, NULL, &result);
    } else {
        return usage();
    }
    free(source);

    if (errors) {
        fprintf(stderr, "%s", (const char *)ID3D10Blob_GetBufferPointer(errors));
        ID3D10Blob_Release(errors);
    }
    if (FAILED(status) || !result) {
        fprintf(stderr, "fxc: %s: status %08lx\n", in, (unsigned long)status);
        return 1;
    }
    size_t length = ID3D10Blob_GetBufferSize(result);
    if (!strcmp(verb, "disassemble") && length)
        length--; /* the text's NUL */
    FILE *file = fopen(words[2], "wb");
    if (!file || fwrite(ID3D10Blob_GetBufferPointer(result), 1, length, file) != length ||
        fclose(file)) {
        fprintf(stderr, "fxc: cannot write %s\n", words[2]);
        return 1;
    }
    ID3D10Blob_Release(result);
    return 0;
}

/* One process for many commands: starting one takes Wine longer than most commands do. */
static int run_batch(const compiler *c, const char *list)
{
    char line[4096];
    int failed = 0;
    FILE *file = fopen(list, "r");
    if (!file) {
        fprintf(stderr, "fxc: cannot read %s\n", list);
        return 1;
    }
    while (fgets(line, sizeof line, file)) {
        char *words[8];
        int count = 0;
        line[strcspn(line, "\r\n")] = 0;
        for (char *word = strtok(line, "\t"); word && count < 8; word = strtok(NULL, "\t"))
            words[count++] = word;
        failed |= run(c, count, words);
    }
    fclose(file);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return usage();
    HMODULE dll = load_compiler();
    compiler c = {
        .compile = (compile_fn)(void *)GetProcAddress(dll, "D3DCompile"),
        .assemble = (assemble_fn)(void *)GetProcAddress(dll, "D3DAssemble"),
        .disassemble = (disassemble_fn)(void *)GetProcAddress(dll, "D3DDisassemble"),
    };
    if (strcmp(argv[1], "batch") == 0)
        return run_batch(&c, argv[2]);
    if (strcmp(argv[1], "assemble") != 0)
        return run(&c, argc - 1, argv + 1);
    int failed = 0;
    for (int i = 2; i + 1 < argc; i += 2)
        failed |= run(&c, 3, (char *[]){argv[1], argv[i], argv[i + 1]});
    return failed;
}
