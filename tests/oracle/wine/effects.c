/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * effects.exe: effects as D3DX has them. Runs a file of jobs (README.md) and writes what it saw.
 *
 * Usage: effects.exe JOBS RESULTS
 */
#define COBJMACROS
#define INITGUID
#include <d3d9.h>
#include <d3dx9.h>
#include <d3dx9effect.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static IDirect3DDevice9 *device;
static ID3DXEffect *effect;
static FILE *out;

static void put_words(const void *data, UINT count)
{
    const unsigned *words = data;
    for (UINT i = 0; i < count; i++)
        fprintf(out, " %x", words[i]);
}

/* A value and all in it. `kind` says what it is of the one around it. */
static void describe(D3DXHANDLE handle, const char *kind, int depth)
{
    D3DXPARAMETER_DESC d;
    if (FAILED(effect->lpVtbl->GetParameterDesc(effect, handle, &d))) {
        fprintf(out, "no description\n");
        return;
    }
    fprintf(out, "%*s%s %s : %s class %d type %d %ux%u elements %u members %u annotations %u",
            depth, "", kind, d.Name ? d.Name : "", d.Semantic ? d.Semantic : "", d.Class, d.Type,
            d.Rows, d.Columns, d.Elements, d.StructMembers, depth ? 0 : d.Annotations);
    if (d.Class <= D3DXPC_MATRIX_COLUMNS && !(d.Bytes % 4)) {
        unsigned *words = malloc(d.Bytes + 4);
        if (SUCCEEDED(effect->lpVtbl->GetValue(effect, handle, words, d.Bytes))) {
            fprintf(out, " =");
            put_words(words, d.Bytes / 4);
        }
        free(words);
    } else if (d.Type == D3DXPT_STRING && !d.Elements) {
        const char *text = NULL;
        if (SUCCEEDED(effect->lpVtbl->GetString(effect, handle, &text)) && text)
            fprintf(out, " = %s", text);
    }
    fputc('\n', out);
    if (d.Class == D3DXPC_STRUCT || d.Class == D3DXPC_OBJECT)
        for (UINT i = 0; i < d.Elements; i++)
            describe(effect->lpVtbl->GetParameterElement(effect, handle, i), "element", depth + 1);
    for (UINT i = 0; i < d.StructMembers && !d.Elements; i++)
        describe(effect->lpVtbl->GetParameter(effect, handle, i), "member", depth + 1);
    for (UINT i = 0; i < d.Annotations && !depth; i++)
        describe(effect->lpVtbl->GetAnnotation(effect, handle, i), "annotation", depth + 1);
}

static void describe_annotations(D3DXHANDLE handle, UINT count)
{
    for (UINT i = 0; i < count; i++)
        describe(effect->lpVtbl->GetAnnotation(effect, handle, i), "annotation", 1);
}

static void describe_effect(void)
{
    D3DXEFFECT_DESC d;
    effect->lpVtbl->GetDesc(effect, &d);
    for (UINT i = 0; i < d.Parameters; i++)
        describe(effect->lpVtbl->GetParameter(effect, NULL, i), "parameter", 0);
    for (UINT i = 0; i < d.Techniques; i++) {
        D3DXHANDLE technique = effect->lpVtbl->GetTechnique(effect, i);
        D3DXTECHNIQUE_DESC t;
        effect->lpVtbl->GetTechniqueDesc(effect, technique, &t);
        fprintf(out, "technique %s passes %u annotations %u\n", t.Name ? t.Name : "", t.Passes,
                t.Annotations);
        describe_annotations(technique, t.Annotations);
        for (UINT k = 0; k < t.Passes; k++) {
            D3DXHANDLE pass = effect->lpVtbl->GetPass(effect, technique, k);
            D3DXPASS_DESC p;
            effect->lpVtbl->GetPassDesc(effect, pass, &p);
            fprintf(out, "pass %s annotations %u\n", p.Name ? p.Name : "", p.Annotations);
            describe_annotations(pass, p.Annotations);
        }
    }
}

static void load(const char *path)
{
    ID3DXBuffer *errors = NULL;
    if (effect)
        effect->lpVtbl->Release(effect);
    effect = NULL;
    fprintf(out, "effect %s\n", path);
    HRESULT hr = D3DXCreateEffectFromFileA(device, path, NULL, NULL, 0, NULL, &effect, &errors);
    if (FAILED(hr)) {
        effect = NULL;
        fprintf(out, "failed %lx\n", hr);
    } else {
        describe_effect();
    }
    fflush(out);
}

static void set_value(char *line)
{
    static unsigned words[65536];
    char *name = line, *at = strchr(line, ' ');
    UINT count = 0;
    if (!effect || !at)
        return;
    *at++ = 0;
    for (; *at && count < 65536; count++)
        words[count] = strtoul(at, &at, 16);
    D3DXHANDLE handle = effect->lpVtbl->GetParameterByName(effect, NULL, name);
    HRESULT hr = effect->lpVtbl->SetValue(effect, handle, words, count * 4);
    if (FAILED(hr))
        fprintf(out, "set %s failed %lx\n", name, hr);
}

/* Whole functions by their size and a sum, so that it shows which of several shaders was set. */
static void put_function(const char *what, const unsigned *code, UINT size)
{
    unsigned sum = 0;
    for (UINT i = 0; i < size / 4; i++)
        sum = sum * 31 + code[i];
    fprintf(out, "%s function %u %x\n", what, size, sum);
}

static void show_shaders(void)
{
    static unsigned code[1 << 18];
    UINT size = 0;
    IDirect3DVertexShader9 *vs = NULL;
    IDirect3DPixelShader9 *ps = NULL;
    IDirect3DDevice9_GetVertexShader(device, &vs);
    if (vs && SUCCEEDED(IDirect3DVertexShader9_GetFunction(vs, NULL, &size)) &&
        size <= sizeof code && SUCCEEDED(IDirect3DVertexShader9_GetFunction(vs, code, &size)))
        put_function("vs", code, size);
    IDirect3DDevice9_GetPixelShader(device, &ps);
    if (ps && SUCCEEDED(IDirect3DPixelShader9_GetFunction(ps, NULL, &size)) &&
        size <= sizeof code && SUCCEEDED(IDirect3DPixelShader9_GetFunction(ps, code, &size)))
        put_function("ps", code, size);
    if (vs)
        IDirect3DVertexShader9_Release(vs);
    if (ps)
        IDirect3DPixelShader9_Release(ps);
}

static void show_constants(void)
{
    float c[256][4];
    int i[16][4];
    BOOL b[16];
    IDirect3DDevice9_GetVertexShaderConstantF(device, 0, c[0], 256);
    IDirect3DDevice9_GetVertexShaderConstantI(device, 0, i[0], 16);
    IDirect3DDevice9_GetVertexShaderConstantB(device, 0, b, 16);
    fprintf(out, "vs c");
    put_words(c, 1024);
    fprintf(out, "\nvs i");
    put_words(i, 64);
    fprintf(out, "\nvs b");
    put_words(b, 16);
    IDirect3DDevice9_GetPixelShaderConstantF(device, 0, c[0], 224);
    IDirect3DDevice9_GetPixelShaderConstantI(device, 0, i[0], 16);
    IDirect3DDevice9_GetPixelShaderConstantB(device, 0, b, 16);
    fprintf(out, "\nps c");
    put_words(c, 896);
    fprintf(out, "\nps i");
    put_words(i, 64);
    fprintf(out, "\nps b");
    put_words(b, 16);
    fprintf(out, "\nrender");
    for (unsigned state = 0; state < 210; state++) {
        DWORD value = 0;
        IDirect3DDevice9_GetRenderState(device, (D3DRENDERSTATETYPE)state, &value);
        put_words(&value, 1);
    }
    fputc('\n', out);
}

static void begin_pass(unsigned technique, unsigned pass)
{
    UINT passes;
    if (!effect)
        return;
    effect->lpVtbl->SetTechnique(effect, effect->lpVtbl->GetTechnique(effect, technique));
    effect->lpVtbl->Begin(effect, &passes, 0);
    HRESULT hr = effect->lpVtbl->BeginPass(effect, pass);
    fprintf(out, "begun %u %u %lx\n", technique, pass, hr);
    show_shaders();
    show_constants();
    effect->lpVtbl->EndPass(effect);
    effect->lpVtbl->End(effect);
    fflush(out);
}

static void make_device(void)
{
    D3DPRESENT_PARAMETERS p = {0};
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    p.Windowed = TRUE;
    p.SwapEffect = D3DSWAPEFFECT_DISCARD;
    p.BackBufferFormat = D3DFMT_X8R8G8B8;
    p.BackBufferWidth = p.BackBufferHeight = 64;
    p.hDeviceWindow = CreateWindowA("static", "effects", WS_POPUP, 0, 0, 64, 64, 0, 0, 0, 0);
    if (!d3d || FAILED(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, p.hDeviceWindow,
                                               D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device))) {
        fprintf(stderr, "effects: no device\n");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    static char line[1 << 20];
    FILE *jobs = argc == 3 ? fopen(argv[1], "r") : NULL;
    out = argc == 3 ? fopen(argv[2], "w") : NULL;
    if (!jobs || !out)
        return 1;
    make_device();
    while (fgets(line, sizeof line, jobs)) {
        unsigned technique, pass;
        line[strcspn(line, "\r\n")] = 0;
        if (!strncmp(line, "effect ", 7))
            load(line + 7);
        else if (!strncmp(line, "set ", 4))
            set_value(line + 4);
        else if (sscanf(line, "pass %u %u", &technique, &pass) == 2)
            begin_pass(technique, pass);
    }
    fputs("end\n", out);
    return fclose(out) != 0;
}
