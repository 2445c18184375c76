/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs Direct3D 9 draws on whatever implements d3d9.dll, which here is Wine: reads jobs from a text file, draws each
 * to float targets and writes the pixels. Built with MinGW-w64 and started by tests/oracle/wine/driver.py. One
 * process takes any number of jobs; README.md beside this file describes both files.
 */
#include "companions.h"

#define COBJMACROS
#include <windows.h>
#include <d3d9.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 18, STAGES = 20, TARGETS = 4, ELEMENTS = 16, LINE = 1 << 22 };

/* What no shader here writes: a pixel that still has it was not drawn. */
#define CLEAR_COLOUR 0x11223344

typedef struct words {
    DWORD at[WORDS];
    UINT count;
} words;

typedef struct pair {
    IDirect3DVertexShader9 *vs;
    IDirect3DPixelShader9 *ps;
} pair;

typedef struct job {
    char name[256];
    words vs, ps, vertices;
    UINT element_count, stride, width, height, target_count;
    D3DVERTEXELEMENT9 elements[ELEMENTS + 1];
    BOOL points, has_depth, begun;
    pair programs;
    IDirect3DVertexDeclaration9 *declaration;
    IDirect3DSurface9 *targets[TARGETS], *depth_surface;
    IDirect3DTexture9 *depth;
    char fault[128]; /* of the first call that failed */
} job;

typedef struct host {
    IDirect3DDevice9 *device;
    IDirect3DStateBlock9 *fresh; /* the state of a new device */
    IDirect3DSurface9 *back;
    pair mark;
    IDirect3DBaseTexture9 *textures[STAGES];
    FILE *out;
    char *line;
} host;

static host h;
static job j;

static BOOL failed(const char *what, HRESULT status)
{
    if (FAILED(status) && !j.fault[0])
        snprintf(j.fault, sizeof j.fault, "%s %08lx", what, (unsigned long)status);
    return FAILED(status);
}

static float float_of(DWORD bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- the device ---- */

static int open_device(void)
{
    D3DPRESENT_PARAMETERS present = {0};
    HWND window = CreateWindowA("static", "d3d9", WS_POPUP, 0, 0, 64, 64, 0, 0, 0, 0);
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    D3DADAPTER_IDENTIFIER9 id = {0};
    if (!d3d) {
        fputs("d3d9: no Direct3D 9\n", stderr);
        return 1;
    }
    present.Windowed = TRUE;
    present.SwapEffect = D3DSWAPEFFECT_DISCARD;
    present.BackBufferFormat = D3DFMT_X8R8G8B8;
    present.BackBufferWidth = present.BackBufferHeight = 64;
    present.hDeviceWindow = window;
    IDirect3D9_GetAdapterIdentifier(d3d, 0, 0, &id);
    HRESULT status = IDirect3D9_CreateDevice(
        d3d, 0, D3DDEVTYPE_HAL, window, D3DCREATE_HARDWARE_VERTEXPROCESSING, &present, &h.device);
    if (FAILED(status)) {
        fprintf(stderr, "d3d9: no device: %08lx\n", (unsigned long)status);
        return 1;
    }
    IDirect3DDevice9_SetRenderState(h.device, D3DRS_ZENABLE, D3DZB_FALSE);
    IDirect3DDevice9_SetRenderState(h.device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice9_SetRenderState(h.device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_CreateStateBlock(h.device, D3DSBT_ALL, &h.fresh);
    IDirect3DDevice9_GetRenderTarget(h.device, 0, &h.back);
    fprintf(h.out, "adapter %s\n", id.Description);
    return 0;
}

static void drop_textures(void)
{
    for (UINT i = 0; i < STAGES; i++)
        if (h.textures[i]) {
            IDirect3DBaseTexture9_Release(h.textures[i]);
            h.textures[i] = NULL;
        }
}

/* Samplers of vertex shaders are numbered on from 16 in jobs. */
static DWORD sampler_of(UINT stage)
{
    return stage < 16 ? stage : D3DVERTEXTEXTURESAMPLER0 + stage - 16;
}

/* ---- reading jobs ---- */

static char *word(char **at)
{
    char *start = *at + strspn(*at, " \r\n");
    size_t length = strcspn(start, " \r\n");
    *at = start + length + (start[length] != 0);
    start[length] = 0;
    return start;
}

static UINT number(char **at)
{
    return (UINT)strtoul(word(at), NULL, 10);
}

static void read_words(char **at, words *to)
{
    for (char *w = word(at); *w && to->count < WORDS; w = word(at))
        to->at[to->count++] = strtoul(w, NULL, 16);
}

/* Copies one level of float texels: rows of 16 bytes a texel. */
static void copy_level(const DWORD *from, BYTE *to, UINT width, UINT height, UINT depth, INT row,
                       INT slice)
{
    for (UINT z = 0; z < depth; z++)
        for (UINT y = 0; y < height; y++)
            memcpy(to + (INT)z * slice + (INT)y * row, from + 4 * width * (y + height * z),
                   16 * width);
}

static UINT half(UINT size)
{
    return size > 1 ? size / 2 : 1;
}

/* texture STAGE 2d|cube|volume WIDTH HEIGHT DEPTH LEVELS TEXELS: all layers of a level, then the next level. */
static void read_texture(char **at)
{
    static words texels;
    UINT stage = number(at) % STAGES;
    const char *kind = word(at);
    UINT width = number(at), height = number(at), depth = number(at), levels = number(at);
    IDirect3DTexture9 *plain = NULL;
    IDirect3DCubeTexture9 *cube = NULL;
    IDirect3DVolumeTexture9 *volume = NULL;
    const D3DFORMAT format = D3DFMT_A32B32G32R32F;
    HRESULT status;
    texels.count = 0;
    read_words(at, &texels);
    if (!strcmp(kind, "cube"))
        status = IDirect3DDevice9_CreateCubeTexture(h.device, width, levels, 0, format,
                                                    D3DPOOL_MANAGED, &cube, NULL);
    else if (!strcmp(kind, "volume"))
        status = IDirect3DDevice9_CreateVolumeTexture(h.device, width, height, depth, levels, 0,
                                                      format, D3DPOOL_MANAGED, &volume, NULL);
    else
        status = IDirect3DDevice9_CreateTexture(h.device, width, height, levels, 0, format,
                                                D3DPOOL_MANAGED, &plain, NULL);
    if (failed("texture", status))
        return;
    if (h.textures[stage])
        IDirect3DBaseTexture9_Release(h.textures[stage]);
    const DWORD *from = texels.at;
    for (UINT level = 0; level < levels; level++) {
        D3DLOCKED_RECT rect;
        D3DLOCKED_BOX box;
        for (UINT face = 0; cube && face < 6; face++, from += 4 * width * width)
            if (!failed("texture", IDirect3DCubeTexture9_LockRect(cube, (D3DCUBEMAP_FACES)face,
                                                                  level, &rect, NULL, 0))) {
                copy_level(from, rect.pBits, width, width, 1, rect.Pitch, 0);
                IDirect3DCubeTexture9_UnlockRect(cube, (D3DCUBEMAP_FACES)face, level);
            }
        if (volume &&
            !failed("texture", IDirect3DVolumeTexture9_LockBox(volume, level, &box, NULL, 0))) {
            copy_level(from, box.pBits, width, height, depth, box.RowPitch, box.SlicePitch);
            IDirect3DVolumeTexture9_UnlockBox(volume, level);
        }
        if (plain && !failed("texture", IDirect3DTexture9_LockRect(plain, level, &rect, NULL, 0))) {
            copy_level(from, rect.pBits, width, height, 1, rect.Pitch, 0);
            IDirect3DTexture9_UnlockRect(plain, level);
        }
        from += cube ? 0 : 4 * width * height * depth;
        width = half(width);
        height = half(height);
        depth = half(depth);
    }
    h.textures[stage] = plain  ? (IDirect3DBaseTexture9 *)plain
                        : cube ? (IDirect3DBaseTexture9 *)cube
                               : (IDirect3DBaseTexture9 *)volume;
    failed("texture", IDirect3DDevice9_SetTexture(h.device, sampler_of(stage), h.textures[stage]));
}

/* floats|ints|bools vs|ps FIRST WORDS */
static void read_constants(const char *kind, char **at)
{
    static words values;
    BOOL vertex = !strcmp(word(at), "vs");
    UINT first = number(at);
    HRESULT status;
    values.count = 0;
    read_words(at, &values);
    if (!strcmp(kind, "floats")) {
        const float *f = (const float *)(const void *)values.at;
        status =
            vertex ? IDirect3DDevice9_SetVertexShaderConstantF(h.device, first, f, values.count / 4)
                   : IDirect3DDevice9_SetPixelShaderConstantF(h.device, first, f, values.count / 4);
    } else if (!strcmp(kind, "ints")) {
        const int *i = (const int *)(const void *)values.at;
        status =
            vertex ? IDirect3DDevice9_SetVertexShaderConstantI(h.device, first, i, values.count / 4)
                   : IDirect3DDevice9_SetPixelShaderConstantI(h.device, first, i, values.count / 4);
    } else {
        const BOOL *b = (const BOOL *)(const void *)values.at;
        status = vertex
                     ? IDirect3DDevice9_SetVertexShaderConstantB(h.device, first, b, values.count)
                     : IDirect3DDevice9_SetPixelShaderConstantB(h.device, first, b, values.count);
    }
    failed(kind, status);
}

/* pass|show MAJOR, and USAGE INDEX of each varying */
static void read_companion(char **at, words *to,
                           unsigned (*make)(unsigned, const unsigned (*)[2], unsigned, DWORD *))
{
    unsigned varyings[COMPANION_VARYINGS][2], count = 0, major = number(at);
    for (char *w = word(at); *w && count < COMPANION_VARYINGS; w = word(at)) {
        varyings[count][0] = (unsigned)strtoul(w, NULL, 10);
        varyings[count++][1] = number(at);
    }
    to->count = make(major, (const unsigned(*)[2])varyings, count, to->at);
}

static void add_element(BYTE usage, BYTE index)
{
    const D3DVERTEXELEMENT9 end = D3DDECL_END();
    if (j.element_count == ELEMENTS)
        return;
    j.elements[j.element_count++] = (D3DVERTEXELEMENT9){
        0, (WORD)j.stride, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, usage, index};
    j.elements[j.element_count] = end;
    j.stride += 16;
}

static void begin_job(char **at)
{
    memset(&j, 0, sizeof j);
    snprintf(j.name, sizeof j.name, "%s", word(at));
    j.width = j.height = 8;
    j.target_count = 1;
    drop_textures();
    IDirect3DStateBlock9_Apply(h.fresh);
}

/* ---- drawing ---- */

static IDirect3DSurface9 *make_target(UINT i)
{
    IDirect3DSurface9 *target = NULL;
    if (failed("target", IDirect3DDevice9_CreateRenderTarget(
                             h.device, j.width, j.height, D3DFMT_A32B32G32R32F, D3DMULTISAMPLE_NONE,
                             0, FALSE, &target, NULL)))
        return NULL;
    failed("target", IDirect3DDevice9_SetRenderTarget(h.device, i, target));
    return target;
}

/* Wine draws with the program before where OpenGL refuses the one that it wrote. So each job draws this one first:
 * targets filled with MARK, which then says that the job's own did not run. */
#define MARK 0x4b3c614e /* 12345678 */
static const DWORD mark_vs[] = {0xfffe0200, 0x0200001f, 0x80000000, 0x900f0000,
                                0x02000001, 0xc00f0000, 0x90e40000, 0x0000ffff};
static const DWORD mark_ps[] = {
    0xffff0200, 0x05000051, 0xa00f0000, MARK,       MARK,       MARK,       MARK,       0x02000001,
    0x800f0000, 0xa0e40000, 0x02000001, 0x800f0800, 0x80e40000, 0x02000001, 0x800f0801, 0x80e40000,
    0x02000001, 0x800f0802, 0x80e40000, 0x02000001, 0x800f0803, 0x80e40000, 0x0000ffff};

static void write_pixels(IDirect3DSurface9 *target, const char *what)
{
    IDirect3DSurface9 *copy = NULL;
    D3DLOCKED_RECT rect;
    if (failed("read", IDirect3DDevice9_CreateOffscreenPlainSurface(
                           h.device, j.width, j.height, D3DFMT_A32B32G32R32F, D3DPOOL_SYSTEMMEM,
                           &copy, NULL)))
        return;
    if (!failed("read", IDirect3DDevice9_GetRenderTargetData(h.device, target, copy)) &&
        !failed("read", IDirect3DSurface9_LockRect(copy, &rect, NULL, D3DLOCK_READONLY))) {
        fprintf(h.out, "%s", what);
        for (UINT y = 0; y < j.height; y++)
            for (UINT x = 0; x < j.width; x++) {
                const DWORD *p = (const DWORD *)(const void *)((const BYTE *)rect.pBits +
                                                               (INT)y * rect.Pitch + 16 * x);
                BOOL clear = TRUE;
                for (int k = 0; k < 4; k++) {
                    int shift = k == 3 ? 24 : 16 - 8 * k;
                    float apart = float_of(p[k]) - (float)((CLEAR_COLOUR >> shift) & 255) / 255.0f;
                    clear = clear && apart < 1e-6f && apart > -1e-6f;
                }
                if (clear)
                    fputs(" - - - -", h.out);
                else if (p[0] == MARK && p[3] == MARK)
                    snprintf(j.fault, sizeof j.fault, "program-refused");
                else
                    fprintf(h.out, " %lx %lx %lx %lx", (unsigned long)p[0], (unsigned long)p[1],
                            (unsigned long)p[2], (unsigned long)p[3]);
            }
        fputc('\n', h.out);
        IDirect3DSurface9_UnlockRect(copy);
    }
    IDirect3DSurface9_Release(copy);
}

/* The depth buffer is a texture (the format that drivers call INTZ); a second draw copies it to target 0. */
static const DWORD copy_depth[] = {0xffff0200, 0x0200001f, 0x80000000, 0xb0030000, 0x0200001f,
                                   0x90000000, 0xa00f0800, 0x03000042, 0x800f0000, 0xb0e40000,
                                   0xa0e40800, 0x02000001, 0x800f0800, 0x80e40000, 0x0000ffff};

static void write_depth(IDirect3DTexture9 *depth, IDirect3DSurface9 *target)
{
    IDirect3DPixelShader9 *ps = NULL;
    const float w = (float)j.width, x = (float)j.height;
    const float quad[4][6] = {{-0.5f, -0.5f, 0, 1, 0, 0},
                              {w - 0.5f, -0.5f, 0, 1, 1, 0},
                              {-0.5f, x - 0.5f, 0, 1, 0, 1},
                              {w - 0.5f, x - 0.5f, 0, 1, 1, 1}};
    IDirect3DDevice9_SetDepthStencilSurface(h.device, NULL);
    IDirect3DStateBlock9_Apply(h.fresh);
    IDirect3DDevice9_SetRenderTarget(h.device, 0, target);
    IDirect3DDevice9_SetTexture(h.device, 0, (IDirect3DBaseTexture9 *)depth);
    IDirect3DDevice9_SetVertexShader(h.device, NULL);
    if (failed("depth", IDirect3DDevice9_CreatePixelShader(h.device, copy_depth, &ps)))
        return;
    IDirect3DDevice9_SetPixelShader(h.device, ps);
    IDirect3DDevice9_BeginScene(h.device);
    IDirect3DDevice9_SetFVF(h.device, D3DFVF_XYZRHW | D3DFVF_TEX1);
    failed("depth",
           IDirect3DDevice9_DrawPrimitiveUP(h.device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof *quad));
    IDirect3DDevice9_EndScene(h.device);
    write_pixels(target, "depth");
    IDirect3DPixelShader9_Release(ps);
}

/* A pair of programs. */
static void make_pair(const DWORD *vertex, const DWORD *pixel, pair *to)
{
    failed("vertex-shader", IDirect3DDevice9_CreateVertexShader(h.device, vertex, &to->vs));
    failed("pixel-shader", IDirect3DDevice9_CreatePixelShader(h.device, pixel, &to->ps));
}

static void release_pair(pair *p)
{
    if (p->vs)
        IDirect3DVertexShader9_Release(p->vs);
    if (p->ps)
        IDirect3DPixelShader9_Release(p->ps);
}

static void draw_with(const pair *p)
{
    UINT count = j.vertices.count * 4 / j.stride;
    IDirect3DDevice9_SetVertexShader(h.device, p->vs);
    IDirect3DDevice9_SetPixelShader(h.device, p->ps);
    IDirect3DDevice9_BeginScene(h.device);
    failed("draw", IDirect3DDevice9_DrawPrimitiveUP(
                       h.device, j.points ? D3DPT_POINTLIST : D3DPT_TRIANGLESTRIP,
                       j.points ? count : count - 2, j.vertices.at, j.stride));
    IDirect3DDevice9_EndScene(h.device);
}

/* Targets, the mark in them, and a clear. */
static void begin_draw(void)
{
    j.begun = TRUE;
    for (UINT i = 0; i < j.target_count; i++)
        j.targets[i] = make_target(i);
    if (j.has_depth && !failed("depth", IDirect3DDevice9_CreateTexture(
                                            h.device, j.width, j.height, 1, D3DUSAGE_DEPTHSTENCIL,
                                            (D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z'),
                                            D3DPOOL_DEFAULT, &j.depth, NULL))) {
        IDirect3DTexture9_GetSurfaceLevel(j.depth, 0, &j.depth_surface);
        IDirect3DDevice9_SetDepthStencilSurface(h.device, j.depth_surface);
        IDirect3DDevice9_SetRenderState(h.device, D3DRS_ZENABLE, D3DZB_TRUE);
        IDirect3DDevice9_SetRenderState(h.device, D3DRS_ZFUNC, D3DCMP_ALWAYS);
    }
    if (failed("declaration",
               IDirect3DDevice9_CreateVertexDeclaration(h.device, j.elements, &j.declaration)))
        return;
    IDirect3DDevice9_SetVertexDeclaration(h.device, j.declaration);
    if (!h.mark.vs)
        make_pair(mark_vs, mark_ps, &h.mark);
    draw_with(&h.mark);
    failed("clear", IDirect3DDevice9_Clear(h.device, 0, NULL,
                                           D3DCLEAR_TARGET | (j.depth ? D3DCLEAR_ZBUFFER : 0),
                                           CLEAR_COLOUR, 0.5f, 0));
    make_pair(j.vs.at, j.ps.at, &j.programs);
}

/* Draws the vertices read so far with what is set now. */
static void draw_part(void)
{
    if (!j.stride || j.vertices.count * 4 < j.stride)
        return;
    if (!j.begun)
        begin_draw();
    if (!j.fault[0])
        draw_with(&j.programs);
    j.vertices.count = 0;
}

static void release_job(void)
{
    for (UINT i = 0; i < TARGETS; i++)
        if (j.targets[i])
            IDirect3DSurface9_Release(j.targets[i]);
    if (j.depth_surface)
        IDirect3DSurface9_Release(j.depth_surface);
    if (j.depth)
        IDirect3DTexture9_Release(j.depth);
    if (j.declaration)
        IDirect3DVertexDeclaration9_Release(j.declaration);
    release_pair(&j.programs);
}

static void finish_job(void)
{
    draw_part();
    fprintf(h.out, "job %s\n", j.name);
    for (UINT i = 0; i < j.target_count && j.targets[i] && !j.fault[0]; i++) {
        char what[16];
        snprintf(what, sizeof what, "target%u", i);
        write_pixels(j.targets[i], what);
    }
    IDirect3DDevice9_SetRenderTarget(h.device, 0, h.back);
    for (UINT i = 1; i < j.target_count; i++)
        IDirect3DDevice9_SetRenderTarget(h.device, i, NULL);
    if (j.depth && j.targets[0] && !j.fault[0])
        write_depth(j.depth, j.targets[0]);
    IDirect3DDevice9_SetRenderTarget(h.device, 0, h.back);
    IDirect3DDevice9_SetDepthStencilSurface(h.device, NULL);
    if (j.fault[0])
        fprintf(h.out, "failed %s\n", j.fault);
    fflush(h.out);
    release_job();
}

static void take_line(char *at)
{
    const char *key = word(&at);
    if (!strcmp(key, "job")) {
        begin_job(&at);
    } else if (!strcmp(key, "vs")) {
        read_words(&at, &j.vs);
    } else if (!strcmp(key, "ps")) {
        read_words(&at, &j.ps);
    } else if (!strcmp(key, "pass")) {
        read_companion(&at, &j.vs, companion_pass);
    } else if (!strcmp(key, "show")) {
        read_companion(&at, &j.ps, companion_show);
    } else if (!strcmp(key, "element")) {
        BYTE usage = (BYTE)number(&at);
        add_element(usage, (BYTE)number(&at));
    } else if (!strcmp(key, "vertex")) {
        read_words(&at, &j.vertices);
    } else if (!strcmp(key, "floats") || !strcmp(key, "ints") || !strcmp(key, "bools")) {
        read_constants(key, &at);
    } else if (!strcmp(key, "texture")) {
        read_texture(&at);
    } else if (!strcmp(key, "sampler")) {
        DWORD sampler = sampler_of(number(&at)), state = number(&at);
        IDirect3DDevice9_SetSamplerState(h.device, sampler, (D3DSAMPLERSTATETYPE)state,
                                         strtoul(word(&at), NULL, 16));
    } else if (!strcmp(key, "stage")) {
        DWORD stage = number(&at), state = number(&at);
        IDirect3DDevice9_SetTextureStageState(h.device, stage, (D3DTEXTURESTAGESTATETYPE)state,
                                              strtoul(word(&at), NULL, 16));
    } else if (!strcmp(key, "render")) {
        DWORD state = number(&at);
        IDirect3DDevice9_SetRenderState(h.device, (D3DRENDERSTATETYPE)state,
                                        strtoul(word(&at), NULL, 16));
    } else if (!strcmp(key, "plane")) {
        static words plane;
        UINT index = number(&at);
        plane.count = 0;
        read_words(&at, &plane);
        IDirect3DDevice9_SetClipPlane(h.device, index, (const float *)(const void *)plane.at);
    } else if (!strcmp(key, "size")) {
        j.width = number(&at);
        j.height = number(&at);
    } else if (!strcmp(key, "targets")) {
        j.target_count = number(&at);
        if (j.target_count > TARGETS)
            j.target_count = TARGETS;
    } else if (!strcmp(key, "points")) {
        j.points = TRUE;
    } else if (!strcmp(key, "depth")) {
        j.has_depth = TRUE;
    } else if (!strcmp(key, "draw")) {
        finish_job();
    } else if (!strcmp(key, "part")) {
        draw_part();
    } else if (*key) {
        snprintf(j.fault, sizeof j.fault, "no such line: %.64s", key);
    }
}

int main(int argc, char **argv)
{
    FILE *in = argc == 3 ? fopen(argv[1], "r") : NULL;
    h.out = argc == 3 ? fopen(argv[2], "wb") : NULL;
    h.line = malloc(LINE);
    if (!in || !h.out || !h.line) {
        fputs("usage: d3d9 JOBS RESULTS\n", stderr);
        return 2;
    }
    if (open_device())
        return 1;
    while (fgets(h.line, LINE, in))
        take_line(h.line);
    fputs("end\n", h.out);
    fclose(h.out);
    return 0;
}
