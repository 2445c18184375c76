/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drives Microsoft's d3dcompiler_47.dll, which has to stand beside the built fxc.exe: compiles HLSL,
 * assembles Direct3D 9 shader assembly, disassembles. Only tools/compile-fixtures uses it; it is
 * built with MinGW-w64 and run by Wine. The prototypes are those of Microsoft's d3dcompiler.h and of
 * the DLL's undocumented D3DAssemble, loaded by name so that no import library is needed.
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

static int usage(void)
{
    fputs("usage: fxc compile IN.hlsl OUT PROFILE ENTRY [FLAGS-HEX]\n"
          "       fxc assemble IN.asm OUT [IN.asm OUT]...\n"
          "       fxc disassemble IN OUT.asm\n",
          stderr);
    return 2;
}

/* Writes what a call made, or says why it made nothing. */
static int finish(const char *in, const char *out, HRESULT status, ID3DBlob *result,
                  ID3DBlob *errors, BOOL is_text)
{
    if (errors)
        fprintf(stderr, "%s", (const char *)ID3D10Blob_GetBufferPointer(errors));
    if (FAILED(status) || !result) {
        fprintf(stderr, "fxc: %s: status %08lx\n", in, (unsigned long)status);
        return 1;
    }
    size_t length = ID3D10Blob_GetBufferSize(result);
    if (is_text && length)
        length--; /* its NUL */
    FILE *file = fopen(out, "wb");
    if (!file || fwrite(ID3D10Blob_GetBufferPointer(result), 1, length, file) != length ||
        fclose(file)) {
        fprintf(stderr, "fxc: cannot write %s\n", out);
        return 1;
    }
    ID3D10Blob_Release(result);
    return 0;
}

static int assemble(HMODULE dll, const char *in, const char *out)
{
    assemble_fn call = (assemble_fn)(void *)GetProcAddress(dll, "D3DAssemble");
    ID3DBlob *result = NULL, *errors = NULL;
    size_t size;
    void *source = read_file(in, &size);
    HRESULT status = call(source, size, NULL, NULL, NULL, 0, &result, &errors);
    free(source);
    return finish(in, out, status, result, errors, FALSE);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return usage();
    const char *verb = argv[1], *in = argv[2];
    HMODULE dll = load_compiler();
    size_t size;
    ID3DBlob *result = NULL, *errors = NULL;
    HRESULT status;

    if (!strcmp(verb, "assemble")) {
        int failed = 0;
        for (int i = 2; i + 1 < argc; i += 2)
            failed |= assemble(dll, argv[i], argv[i + 1]);
        return failed;
    }
    void *source = read_file(in, &size);
    if (!strcmp(verb, "compile") && argc >= 6) {
        compile_fn compile = (compile_fn)(void *)GetProcAddress(dll, "D3DCompile");
        UINT flags = argc > 6 ? (UINT)strtoul(argv[6], NULL, 16) : 0;
        const char *name = strrchr(in, '/');
        status = compile(source, size, name ? name + 1 : in, NULL, STANDARD_INCLUDE, argv[5],
                         argv[4], flags, 0, &result, &errors);
    } else if (!strcmp(verb, "disassemble")) {
        disassemble_fn disassemble = (disassemble_fn)(void *)GetProcAddress(dll, "D3DDisassemble");
        status = disassemble(source, size, 0, NULL, &result);
    } else {
        return usage();
    }
    return finish(in, argv[3], status, result, errors, !strcmp(verb, "disassemble"));
}
