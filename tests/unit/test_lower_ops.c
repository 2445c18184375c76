/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every instruction of ops.def in every model that has it: a program of nothing but it and what it needs
 * lifts, as read and simplified, and writes as WGSL and SPIR-V. None is refused. And the table of statuses: each
 * that a malformed or unreadable input can end with has a case.
 */
#define _DEFAULT_SOURCE /* dirent.h's opendir */
#include "read/d3d9/decode.h"
#include "tests/unit/test.h"
#include "tests/unit/test_lower.h"

#include <iridia/spirv.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- a program for each instruction ----
 * `$t` stands for coordinates, `$e` for what gives the result; without one it comes last. Declarations,
 * `before`, come first; r0, and r1 where the model writes two, are written before the rest. */

typedef struct sample {
    const char *before, *text;
} sample;

#define IN_REP(text) NULL, "rep i0; " text "; endrep"
#define DWORDS(a, b, c, d, e) "dword " #a "; dword " #b "; dword " #c "; dword " #d "; dword " #e

static const sample samples[IRI_D3D9_OP_COUNT] = {
#define OP(id) [IRI_D3D9_OP_##id]
    OP(NOP) = {NULL, "nop"},
    OP(MOV) = {NULL, "mov r0, c0"},
    OP(ADD) = {NULL, "add r0, r0, c0"},
    OP(SUB) = {NULL, "sub r0, r0, c0"},
    OP(MAD) = {NULL, "mad r0, r0, c0, r0"},
    OP(MUL) = {NULL, "mul r0, r0, c0"},
    OP(RCP) = {NULL, "rcp r0, c0.x"},
    OP(RSQ) = {NULL, "rsq r0, c0.x"},
    OP(DP3) = {NULL, "dp3 r0, r0, c0"},
    OP(DP4) = {NULL, "dp4 r0, r0, c0"},
    OP(MIN) = {NULL, "min r0, r0, c0"},
    OP(MAX) = {NULL, "max r0, r0, c0"},
    OP(SLT) = {NULL, "slt r0, r0, c0"},
    OP(SGE) = {NULL, "sge r0, r0, c0"},
    OP(EXP) = {NULL, "exp r0, c0.x"},
    OP(LOG) = {NULL, "log r0, c0.x"},
    OP(LIT) = {NULL, "lit r0, c0"},
    OP(DST) = {NULL, "dst r0, r0, c0"},
    OP(LRP) = {NULL, "lrp r0, c0, c1, r0"},
    OP(FRC) = {NULL, "frc r0.y, c0"},
    OP(M4X4) = {NULL, "m4x4 r1, r0, c0; mov r0, r1"},
    OP(M4X3) = {NULL, "m4x3 r1.xyz, r0, c0; mov r0.xyz, r1"},
    OP(M3X4) = {NULL, "m3x4 r1, r0, c0; mov r0, r1"},
    OP(M3X3) = {NULL, "m3x3 r1.xyz, r0, c0; mov r0.xyz, r1"},
    OP(M3X2) = {NULL, "m3x2 r1.xy, r0, c0; mov r0.xy, r1"},
    OP(CALL) = {NULL, "call l0; $e; ret; label l0; mov r0, c0; ret"},
    OP(CALLNZ) = {NULL, "callnz l0, b0; $e; ret; label l0; mov r0, c0; ret"},
    OP(LOOP) = {NULL, "loop aL, i0; add r0, r0, c0; endloop"},
    OP(RET) = {NULL, "$e; ret"},
    OP(ENDLOOP) = {NULL, "loop aL, i0; mov r0.x, aL; endloop"},
    OP(LABEL) = {NULL, "$e; ret; label l0; mov r0, c0; ret"},
    OP(DCL) = {NULL, "mov r0, c0"},
    OP(POW) = {NULL, "pow r0, c0.x, c0.y"},
    OP(CRS) = {NULL, "mov r1, c0; crs r0.xyz, r1, c1"},
    OP(SGN) = {NULL, DWORDS(0x04000022, 0x800f0000, 0xa0e40000, 0x80e40001, 0x80e40002)},
    OP(SGN_3) = {NULL, "sgn r0, c0"},
    OP(ABS) = {NULL, "abs r0, c0"},
    OP(NRM) = {NULL, "nrm r0, c0"},
    OP(SINCOS) = {NULL, "sincos r0.xy, c0.x, c1, c2"},
    OP(SINCOS_3) = {NULL, "sincos r0.xy, c0.x"},
    OP(REP) = {IN_REP("add r0, r0, c0")},
    OP(ENDREP) = {IN_REP("mov r0, c0")},
    OP(IF) = {NULL, "if b0; mov r0, c0; endif"},
    OP(IFC) = {NULL, "if_gt r0.x, c0.x; mov r0, c0; endif"},
    OP(ELSE) = {NULL, "if b0; mov r0, c0; else; mov r0, c1; endif"},
    OP(ENDIF) = {NULL, "if !b0; mov r0, c0; endif"},
    OP(BREAK) = {IN_REP("add r0, r0, c0; if_lt r0.x, c0.x; break; endif")},
    OP(BREAKC) = {IN_REP("add r0, r0, c0; break_le r0.x, c0.x")},
    OP(MOVA) = {NULL, "mova a0.x, c0; mov r0, c[a0.x]"},
    OP(DEFB) = {"defb b0, true", "if b0; mov r0, c0; endif"},
    OP(DEFI) = {"defi i0, 2, 0, 1, 0", "rep i0; add r0, r0, c0; endrep"},
    OP(TEXCOORD) = {NULL, "texcoord t0; mov r0, t0"},
    OP(TEXCRD) = {NULL, "texcrd r0.xyz, t0"},
    OP(TEXKILL) = {NULL, "texkill $k"},
    OP(TEX) = {NULL, "tex t0; mov r0, t0"},
    OP(TEXLD_1_4) = {NULL, "texld r0, t0"},
    OP(TEXLD) = {NULL, "texld r0, $t, s0"},
    OP(TEXBEM) = {NULL, "tex t0; texbem t1, t0; mov r0, t1"},
    OP(TEXBEML) = {NULL, "tex t0; texbeml t1, t0; mov r0, t1"},
    OP(TEXREG2AR) = {NULL, "tex t0; texreg2ar t1, t0; mov r0, t1"},
    OP(TEXREG2GB) = {NULL, "tex t0; texreg2gb t1, t0; mov r0, t1"},
    OP(TEXM3X2PAD) = {NULL, "tex t0; texm3x2pad t1, t0; texm3x2tex t2, t0; mov r0, t2"},
    OP(TEXM3X2TEX) = {NULL, "tex t0; texm3x2pad t1, t0; texm3x2tex t2, t0; mov r0, t2"},
    OP(TEXM3X3PAD) =
        {NULL, "tex t0; texm3x3pad t1, t0; texm3x3pad t2, t0; texm3x3tex t3, t0; mov r0, t3"},
    OP(TEXM3X3TEX) =
        {NULL, "tex t0; texm3x3pad t1, t0; texm3x3pad t2, t0; texm3x3tex t3, t0; mov r0, t3"},
    OP(TEXM3X3SPEC) =
        {NULL, "tex t0; texm3x3pad t1, t0; texm3x3pad t2, t0; texm3x3spec t3, t0, c0; mov r0, t3"},
    OP(TEXM3X3VSPEC) =
        {NULL, "tex t0; texm3x3pad t1, t0; texm3x3pad t2, t0; texm3x3vspec t3, t0; mov r0, t3"},
    OP(EXPP) = {NULL, "expp r0, c0.x"},
    OP(LOGP) = {NULL, "logp r0, c0.x"},
    OP(CND) = {NULL, "cnd r0, r0.w, c0, c1"},
    OP(DEF) = {"def c0, 1, 2, 3, 4", "mov r0, c0"},
    OP(TEXREG2RGB) = {NULL, "tex t0; texreg2rgb t1, t0; mov r0, t1"},
    OP(TEXDP3TEX) = {NULL, "tex t0; texdp3tex t1, t0; mov r0, t1"},
    OP(TEXM3X2DEPTH) = {NULL, "tex t0; texm3x2pad t1, t0; texm3x2depth t2, t0"},
    OP(TEXDP3) = {NULL, "tex t0; texdp3 t1, t0; mov r0, t1"},
    OP(TEXM3X3) = {NULL,
                   "tex t0; texm3x3pad t1, t0; texm3x3pad t2, t0; texm3x3 t3, t0; mov r0, t3"},
    OP(TEXDEPTH) = {NULL, "texcrd r5.xyz, t0; phase; texdepth r5; mov r0, c0"},
    OP(CMP) = {NULL, "cmp r0, r0, c0, c1"},
    OP(BEM) = {NULL, "bem r0.xy, r0, c0"},
    OP(DP2ADD) = {NULL, "dp2add r0, r0, c0, c1.x"},
    OP(DSX) = {NULL, "dsx r0, $t"},
    OP(DSY) = {NULL, "dsy r0, $t"},
    OP(TEXLDD) = {NULL, "texldd r0, $t, s0, $t, c0"},
    OP(SETP) = {NULL, "setp_gt p0, r0, c0; (p0) mov r0, c0"},
    OP(TEXLDL) = {NULL, "texldl r0, $t, s0"},
    OP(BREAKP) = {IN_REP("add r0, r0, c0; setp_lt p0, r0, c0; breakp p0.x")},
    OP(PHASE) = {NULL, "texcrd r0.xyz, t0; phase; mov r0, c0"},
#undef OP
};

static void append(char *to, size_t size, const char *from)
{
    size_t length = strlen(to);
    snprintf(to + length, size - length, "%s", from);
}

/* A name of the sample's text that depends on the model. */
static const char *meaning(char name, bool vertex, uint32_t version)
{
    uint32_t major = version >> 8 & 0xff, minor = version & 0xff;
    switch (name) {
    case 't': return major == 3 ? "v0" : "t0";
    case 'k': return !vertex && major == 1 && minor < 4 ? "t0" : "r0";
    default: /* e */
        return vertex ? (major == 3 ? "mov o0, r0" : "mov oPos, r0")
                      : (major == 1 ? "nop" : "mov oC0, r0");
    }
}

static void spell(iri_d3d9_model model, iri_d3d9_op op, char text[1024])
{
    const iri_d3d9_model_row *row = &iri_d3d9_models[model];
    bool vertex = row->stage == IRI_D3D9_VERTEX;
    uint32_t major = row->version >> 8 & 0xff;
    const sample *s = &samples[op];
    snprintf(text, 1024, "%s\n", row->name);
    if (vertex)
        append(text, 1024, "dcl_position v0\n");
    if (major == 3)
        append(text, 1024,
               vertex ? "dcl_position o0\ndcl_2d s0\n" : "dcl_texcoord v0\ndcl_2d s0\n");
    if (!vertex && major == 2)
        append(text, 1024, "dcl t0\ndcl_2d s0\n");
    append(text, 1024, s->before ? s->before : "");
    append(text, 1024, "\nmov r0, c3\n");
    for (const char *p = s->text; *p; p++) {
        char one[2] = {*p, 0};
        append(text, 1024, *p == '$' ? meaning(*++p, vertex, row->version) : one);
    }
    if (!strstr(s->text, "$e")) {
        append(text, 1024, "\n");
        append(text, 1024, meaning('e', vertex, row->version));
    }
}

/* Whether the stream holds the instruction in just this layout. */
static bool holds(const uint8_t *bytes, uint32_t size, iri_d3d9_op op)
{
    iri_ctx ctx;
    iri_refusal why;
    iri_arena arena;
    bool found = false;
    iri_ctx_init(&ctx, NULL, NULL, &why);
    iri_arena_init(&arena, &ctx);
    const iri_d3d9_shader *shader = iri_d3d9_decode(&ctx, &arena, bytes, size, 0);
    for (uint32_t i = 0; i < shader->instruction_count; i++)
        found |= shader->instructions[i].op == op;
    iri_arena_free(&arena);
    return found;
}

static void write_out(const iri_program *program, const char *name, iri_d3d9_op op)
{
    iri_refusal why = {0};
    iri_text wgsl = {0};
    iri_text spirv = {0};
    if (iri_write_wgsl(program, NULL, &wgsl, NULL, &why) != IRI_OK)
        FAIL("%s %s: WGSL: %s", name, iri_d3d9_ops[op].name, why.reason);
    iri_text_free(&wgsl);
    if (iri_write_spirv(program, NULL, &spirv, NULL, &why) != IRI_OK)
        FAIL("%s %s: SPIR-V: %s", name, iri_d3d9_ops[op].name, why.reason);
    iri_text_free(&spirv);
}

static void run_sample(iri_d3d9_model model, iri_d3d9_op op)
{
    static uint32_t words[IRI_TEST_WORDS];
    static uint8_t bytes[IRI_TEST_WORDS * 4];
    static const iri_state state = {NULL, 0, true};
    const char *name = iri_d3d9_models[model].name;
    char text[1024];
    spell(model, op, text);
    uint32_t count = iri_test_assemble(text, words);
    if (!CHECK(count != 0))
        return;
    iri_test_pack(words, count, bytes);
    if (!holds(bytes, count * 4, op))
        FAIL("%s: the sample lacks %s:\n%s", name, iri_d3d9_ops[op].name, text);
    for (uint32_t raw = 0; raw < 2; raw++) {
        iri_program *program = NULL;
        iri_problems problems = {0};
        iri_refusal why = {0};
        iri_status status =
            iri_lift(bytes, count * 4, IRI_LIFT_OPTIONS(.state = &state, .raw = raw != 0), &program,
                     NULL, &why);
        if (status != IRI_OK) {
            FAIL("%s %s: %s\n%s", name, iri_d3d9_ops[op].name, why.reason, text);
            continue;
        }
        if (iri_validate(program, IRI_CAN_ALL, &problems, NULL) != IRI_OK)
            FAIL("%s %s: %s", name, iri_d3d9_ops[op].name, problems.items[0].text);
        iri_problems_free(&problems);
        if (!raw)
            write_out(program, name, op);
        iri_program_free(program);
    }
}

TEST(lower_every_op)
{
    uint32_t count = 0;
    for (uint32_t op = 0; op < IRI_D3D9_OP_COUNT; op++) {
        if (!samples[op].text) {
            FAIL("%s has no sample", iri_d3d9_ops[op].name);
            continue;
        }
        for (uint32_t model = 0; model < IRI_D3D9_MODEL_COUNT; model++) {
            if (!iri_d3d9_model_has_op((iri_d3d9_model)model, (iri_d3d9_op)op))
                continue;
            run_sample((iri_d3d9_model)model, (iri_d3d9_op)op);
            count++;
        }
    }
    CHECK_EQ_U32(count, 690); /* pairs of ops.def's rows and models */
}

/* ---- a case for each refusal ---- */

static void take_group(const char *path, uint32_t *seen)
{
    char text[16384], group[64];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[size] = 0;
    const char *close = strrchr(text, ']'), *open = close;
    while (open && open > text && *open != '[')
        open--;
    if (!close || strchr(close, '\n') != text + size - 1 || close - open > 60) {
        FAIL("%s does not end with a refusal", path);
        return;
    }
    snprintf(group, sizeof group, "%.*s", (int)(close - open - 1), open + 1);
    for (uint32_t status = 0; status < IRI_STATUS_COUNT; status++)
        if (strcmp(iri_status_name((iri_status)status), group) == 0) {
            seen[status]++;
            return;
        }
    FAIL("%s: [%s] is no group", path, group);
}

static uint32_t visit(const char *folder, uint32_t *seen)
{
    uint32_t count = 0;
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        char path[1024];
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode)) {
            count += visit(path, seen);
        } else {
            take_group(path, seen);
            count++;
        }
    }
    if (dir)
        closedir(dir);
    return count;
}

TEST(lower_every_refusal)
{
    uint32_t seen[IRI_STATUS_COUNT] = {0};
    if (visit("tests/cases/bad", seen) == 0)
        SKIP("not run from the repository's root");
    for (uint32_t status = 1; status < IRI_STATUS_COUNT; status++) {
        iri_status_kind kind = iri_status_kind_of((iri_status)status);
        if ((kind == IRI_KIND_MALFORMED || kind == IRI_KIND_UNSUPPORTED) && !seen[status])
            FAIL("no case in tests/cases/bad ends with [%s]", iri_status_name((iri_status)status));
    }
}
