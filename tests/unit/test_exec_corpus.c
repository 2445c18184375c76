/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Real shaders through every pass, executed: the outputs keep their bits, on finite and on special inputs.
 * The fixtures, and the corpus beside the repository where there is one.
 */
#define _DEFAULT_SOURCE /* dirent.h's opendir */
#include "ir/program.h"
#include "tests/unit/test_exec.h"

#include <dirent.h>
#include <sys/stat.h>

enum {
    PATH_SIZE = 1024,
    INVOCATIONS = 128,
    IO = 32,
    RESOURCES = 64,
    TEXELS = 6 * 16 * 16 * 4 * 2,
    CB = 256 * 16
};

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(1 << 20);
    *size = file && data ? fread(data, 1, 1 << 20, file) : 0;
    if (file)
        fclose(file);
    return data;
}

static uint32_t visit_files(char path[PATH_SIZE], void (*visit)(const char *path, void *user),
                            void *user)
{
    size_t length = strlen(path);
    uint32_t count = 0;
    DIR *dir = opendir(path);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path + length, PATH_SIZE - length, "/%s", entry->d_name);
        if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
            count += visit_files(path, visit, user);
        } else {
            visit(path, user);
            count++;
        }
    }
    path[length] = 0;
    if (dir)
        closedir(dir);
    return count;
}

/* ---- the numbers of a run ---- */

typedef struct world {
    bool special, no_quads;
    uint32_t inputs[IO][INVOCATIONS][4];
    float places[INVOCATIONS][4],
        faces[INVOCATIONS][4]; /* pixels' positions and sides are what they can be */
    uint32_t floats[CB / 4], ints[CB / 4], bools[CB / 4];
    float texels[TEXELS];
    iri_exec_texture textures[IRI_DIMENSION_COUNT];
    iri_sampler samplers[4];
    uint32_t outputs[IO][INVOCATIONS][4];
    uint8_t flags[INVOCATIONS];
} world;

static uint32_t some_word(bool special)
{
    uint64_t r = iri_test_random();
    return special ? exec_some_float() : iri_f32_bits((float)((int32_t)(r >> 40) % 2048) / 256.0f);
}

static void fill_world(world *w, bool special)
{
    w->special = special;
    for (int i = 0; i < IO * INVOCATIONS * 4; i++)
        (&w->inputs[0][0][0])[i] = some_word(special);
    for (int i = 0; i < INVOCATIONS * 4; i++) {
        w->places[i / 4][i % 4] = (float)(i % 251);
        w->faces[i / 4][i % 4] = i / 4 % 3 ? 1 : -1;
    }
    for (int i = 0; i < CB / 4; i++) {
        uint64_t r = iri_test_random();
        w->floats[i] = some_word(special && r % 4 == 0);
        w->ints[i] = (uint32_t)(r % 7);
        w->bools[i] = r >> 20 & 1;
    }
    for (int i = 0; i < TEXELS; i++)
        w->texels[i] = (float)(iri_test_random() >> 56) / 255.0f;
    for (uint32_t d = IRI_DIMENSION_1D; d < IRI_DIMENSION_COUNT; d++)
        w->textures[d] = (iri_exec_texture){d,
                                            16,
                                            d == IRI_DIMENSION_1D ? 1 : 16,
                                            d == IRI_DIMENSION_3D ? 4 : 1,
                                            d == IRI_DIMENSION_CUBE ? 6 : 1,
                                            3,
                                            w->texels};
    for (uint8_t i = 0; i < 4; i++)
        w->samplers[i] = (iri_sampler){.min_filter = i & 1,
                                       .mag_filter = i >> 1,
                                       .mip_filter = i % 3,
                                       .address = {i, (uint8_t)(i + 1), 2},
                                       .compare = IRI_COMPARE_LESS_EQUAL};
}

static const char *run(const iri_program *p, world *w)
{
    static iri_refusal why;
    const iri_interface *io = &p->interface;
    iri_exec_array in[IO], out[IO];
    iri_exec_resource bound[RESOURCES] = {0};
    for (uint32_t i = 0; i < io->resource_count && i < RESOURCES; i++) {
        const iri_resource *r = &io->resources[i];
        bound[i].data = r->reg == 0 ? w->floats : r->reg == 1 ? w->ints : w->bools;
        bound[i].size = CB;
        bound[i].texture = &w->textures[r->dimension];
        bound[i].sampler = &w->samplers[r->reg % 4];
    }
    for (uint32_t i = 0; i < IO; i++) {
        const char *name = i < io->input_count ? io->inputs[i].name : "";
        uint32_t row = (uint32_t)(name[0] * 7 + name[strlen(name) / 2] +
                                  (i < io->input_count ? io->inputs[i].index : 0));
        in[i] = (iri_exec_array){w->inputs[row % IO], 16, 0};
        if (p->stage == IRI_STAGE_PIXEL && i < io->input_count &&
            io->inputs[i].system_value == IRI_SV_POSITION)
            in[i].data = w->places;
        if (i < io->input_count && io->inputs[i].system_value == IRI_SV_IS_FRONT_FACE)
            in[i].data = w->faces;
        out[i] = (iri_exec_array){w->outputs[i], 16, 0};
    }
    memset(w->outputs, 0, sizeof w->outputs);
    iri_exec *e;
    if (io->input_count > IO || io->output_count > IO || io->resource_count > RESOURCES)
        return "too many inputs, outputs or resources for this test";
    if (iri_exec_compile(p, NULL, &e, &why) != IRI_OK)
        return why.reason;
    iri_exec_batch batch = {.count = INVOCATIONS,
                            .inputs = in,
                            .outputs = out,
                            .resources = bound,
                            .resource_count = io->resource_count,
                            .state = &IRI_STATE_D3D9_DEFAULT,
                            .flags = w->flags,
                            .no_quads = w->no_quads};
    iri_status status = iri_exec_run(e, &batch, &why);
    iri_exec_free(e);
    return status == IRI_OK ? NULL : why.reason;
}

/* ---- comparing ---- */

typedef struct tally {
    uint32_t files, lifted, runs, faults;
} tally;

/* Outputs meet by name: a pass may drop one that nothing writes. */
static bool same(const iri_program *a, const world *x, const iri_program *b, const world *y,
                 char *what, size_t size)
{
    for (uint32_t i = 0; i < b->interface.output_count; i++) {
        const iri_io *io = &b->interface.outputs[i];
        uint32_t k = iri_find_output(a, io->name, io->index);
        if (k == IRI_NOT_FOUND)
            continue;
        for (uint32_t n = 0; n < INVOCATIONS; n++)
            for (uint32_t lane = 0; lane < IRI_TYPE_LANES(io->type); lane++)
                if (x->outputs[k][n][lane] != y->outputs[i][n][lane]) {
                    snprintf(what, size, "invocation %u %s%u lane %u: %08x became %08x%s",
                             (unsigned)n, io->name, (unsigned)io->index, (unsigned)lane,
                             (unsigned)x->outputs[k][n][lane], (unsigned)y->outputs[i][n][lane],
                             x->flags[n] ? " (killed)" : "");
                    return false;
                }
    }
    snprintf(what, size, "killed pixels");
    return memcmp(x->flags, y->flags, sizeof x->flags) == 0;
}

static const iri_pass_id pipeline[] = {
    IRI_PASS_PROMOTE, IRI_PASS_LOWER_STATE, IRI_PASS_FOLD,         IRI_PASS_CSE,
    IRI_PASS_DCE,     IRI_PASS_RELAX,       IRI_PASS_IF_TO_SELECT, IRI_PASS_INLINE,
    IRI_PASS_FOLD,    IRI_PASS_DCE,         IRI_PASS_BREAK_FLAGS,  IRI_PASS_LEGALIZE,
};

static void compare(tally *t, const char *path, const char *step, const iri_program *raw,
                    const world *before, const iri_program *p)
{
    static world after;
    char what[160];
    memcpy(&after, before, sizeof after);
    memset(after.flags, 0, sizeof after.flags);
    for (uint32_t d = 0; d < IRI_DIMENSION_COUNT; d++)
        after.textures[d].texels = after.texels;
    const char *fault = run(p, &after);
    t->runs++;
    if (!fault && !same(raw, before, p, &after, what, sizeof what))
        fault = what;
    if (fault && t->faults++ < 40)
        FAIL("%s: %s, %s: %s", path, before->special ? "special" : "finite", step, fault);
}

static void check_pipeline(tally *t, const char *path, const iri_program *raw, const world *before)
{
    const iri_program *p = raw;
    for (uint32_t i = 0; i < sizeof pipeline / sizeof *pipeline; i++) {
        iri_refusal why;
        iri_program *next;
        char step[64];
        if (iri_pass_apply(
                p, pipeline[i],
                IRI_PASS_OPTIONS(.state = &IRI_STATE_D3D9_DEFAULT, .uninitialized_zero = true),
                &next, NULL, &why) != IRI_OK) {
            if (t->faults++ < 40)
                FAIL("%s: %s: %s", path, iri_pass_name(pipeline[i]), why.reason);
            break;
        }
        if (p != raw)
            iri_program_free((iri_program *)p);
        p = next;
        snprintf(step, sizeof step, "after %u, %s", (unsigned)i, iri_pass_name(pipeline[i]));
        compare(t, path, step, raw, before, p);
    }
    if (p != raw)
        iri_program_free((iri_program *)p);
}

/* Derivatives in divergent flow mean nothing in Direct3D: exec makes them 0, legalize moves them to where
 * all take part. Shaders that have some are compared without quads, where every derivative is 0. */
static bool has_divergent_derivative(const iri_program *p)
{
    for (uint32_t r = 1; r < p->region_count; r++)
        if (p->regions[r].owner)
            iri_for_each_inst(p, r, in) if (iri_props(in->op) & IRI_PROP_DERIVATIVE) return true;
    return false;
}

static void check_file(const char *path, void *user)
{
    static world before;
    tally *t = user;
    size_t size;
    uint8_t *bytes = read_file(path, &size);
    iri_program *raw = NULL, *whole = NULL;
    t->files++;
    if (iri_lift(bytes, size,
                 IRI_LIFT_OPTIONS(.raw = true, .uninitialized = IRI_UNINITIALIZED_ZERO,
                                  .state = &IRI_STATE_D3D9_DEFAULT),
                 &raw, NULL, NULL) == IRI_OK &&
        iri_lift(bytes, size,
                 IRI_LIFT_OPTIONS(.uninitialized = IRI_UNINITIALIZED_ZERO,
                                  .state = &IRI_STATE_D3D9_DEFAULT),
                 &whole, NULL, NULL) == IRI_OK) {
        t->lifted++;
        for (int special = 0; special < 2; special++) {
            fill_world(&before, special);
            before.no_quads = has_divergent_derivative(raw);
            memset(before.flags, 0, sizeof before.flags);
            const char *fault = run(raw, &before);
            t->runs++;
            if (fault) {
                FAIL("%s: raw: %s", path, fault);
                continue;
            }
            check_pipeline(t, path, raw, &before);
            compare(t, path, "lifted", raw, &before, whole);
        }
    }
    iri_program_free(raw);
    iri_program_free(whole);
    free(bytes);
}

TEST(exec_fixtures_keep_meaning)
{
    char path[PATH_SIZE] = "tests/fixtures/d3d9";
    tally t = {0};
    visit_files(path, check_file, &t);
    CHECK(t.lifted > 40);
    CHECK_EQ_U32(t.faults, 0);
}

TEST(exec_corpus_keeps_meaning)
{
    char path[PATH_SIZE];
    const char *root = getenv("IRIDIA_SHARED");
    tally t = {0};
    snprintf(path, sizeof path, "%s/corpus/d3d9", root ? root : "../shared");
    if (!visit_files(path, check_file, &t))
        SKIP("no ../shared/corpus/d3d9");
    if (getenv("IRIDIA_VERBOSE"))
        printf("corpus: %u files, %u lifted, %u runs, %u faults\n", t.files, t.lifted, t.runs,
               t.faults);
    CHECK_EQ_U32(t.lifted, t.files);
    CHECK_EQ_U32(t.faults, 0);
}
