/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole Direct3D 9 shaders on Wine's Direct3D 9 and on the executor, on random inputs. Each invocation is a point
 * with attributes of its own on a pixel of its own; a vertex program's outputs are shown four at a time by a pixel
 * program. What Wine gives has to lie within the bound that is carried through the executor.
 *
 * Points have no slopes: shaders that take derivatives are left out, and lookups are of the only level. So are
 * software models, which Wine's device does not take.
 *
 * Usage: oracle-wine make JOBS < LIST          the jobs of the shaders that LIST names, one a line
 *        oracle-wine compare RESULTS < LIST    ends with the counts, `wine N N ...` (driver.py sums them)
 */
#include "tests/oracle/wine/wine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SETS = 4, EACH = 64, COUNT = SETS * EACH, WIDTH = 32, HEIGHT = COUNT / WIDTH };

/* A shader being made into jobs, or compared. */
typedef struct item {
    const char *path;
    uint32_t number; /* names its jobs */
    iri_program *p;
    gpu_job job;
    wine_shader w;
    wine_usage shown[WINE_VARYINGS + 1]; /* of a vertex program, in order */
    uint32_t shown_count;
    iri_ctx ctx;
    iri_arena arena;
    iri_refusal refusal;
    uint8_t *bytes;
    size_t size;
    char why[400];
} item;

/* What became of shaders, and of lanes. */
typedef struct tally {
    uint32_t same, different, refused, not_drawn, left_out;
    uint64_t exact, within, uncertain, not_finite, not_finite_there, killed, wrong;
} tally;

/* ---- a shader ---- */

static void decode_body(iri_ctx *ctx, void *argument)
{
    item *t = argument;
    const iri_d3d9_shader *s = iri_d3d9_decode(ctx, &t->arena, t->bytes, t->size, 0);
    iri_d3d9_check(ctx, s);
    bool software = s->minor == 0xff;
    if (software)
        snprintf(t->why, sizeof t->why, "a software model, which Wine's device does not take");
    if (software || !wine_prepare(&t->w, s, t->why))
        t->w.s = NULL;
}

static float some(uint64_t *seed, float range)
{
    return (float)((int32_t)(gpu_random(seed) >> 32)) / 2147483648.0f * range;
}

static void fill_inputs(gpu_job *job)
{
    const iri_interface *io = &job->p->interface;
    uint64_t seed = job->seed;
    for (uint32_t i = 0; i < io->input_count; i++) {
        const iri_io *in = &io->inputs[i];
        uint32_t word = gpu_word_at(io->inputs, i);
        bool colour = strcmp(in->name, "COLOR") == 0;
        bool place = in->system_value == IRI_SV_POSITION && job->p->stage == IRI_STAGE_PIXEL;
        for (uint32_t n = 0; n < job->count; n++)
            for (uint32_t k = 0; k < IRI_TYPE_LANES(in->type); k++) {
                float at[4] = {(float)(n % WIDTH), (float)(n / WIDTH), 0, 1};
                float v = colour ? fabsf(some(&seed, 1)) : some(&seed, 2);
                bool is_float = IRI_TYPE_SCALAR(in->type) == IRI_F32;
                job->in[n * job->in_words + word + k] =
                    is_float ? gpu_bits(place ? at[k] : v) : 1; /* points show their front */
            }
    }
}

static bool has_derivatives(const iri_program *p)
{
    for (uint32_t i = 1; i < p->inst_count; i++)
        if (p->insts[i].op == IRI_OP_DDX || p->insts[i].op == IRI_OP_DDY)
            return true;
    return false;
}

/* What of a vertex program's outputs a pixel program can be given. */
static void choose_shown(item *t)
{
    bool late = t->w.s->major == 3;
    for (uint32_t i = 0; i < t->w.out_count; i++) {
        wine_usage u = t->w.out[i];
        bool position = late && u.usage == IRI_D3D9_USAGE_POSITION && u.index == 0;
        if (u.usage != IRI_D3D9_USAGE_PSIZE)
            t->shown[t->shown_count++] = position ? t->w.position : u;
    }
    if (!late && t->w.position.usage != 0xff)
        t->shown[t->shown_count++] = t->w.position;
}

static void close_item(item *t)
{
    free(t->bytes);
    free(t->job.in);
    iri_arena_free(&t->arena);
    iri_program_free(t->p);
    free(t);
}

/* Default state, and a cube map where a program of ps_1_x looks up by a direction. */
static iri_state state_of(const iri_d3d9_shader *s, iri_state_entry entries[4])
{
    iri_state state = {entries, 0, true};
    for (uint32_t i = 0; i < s->instruction_count && state.count < 4; i++) {
        const iri_d3d9_instruction *in = &s->instructions[i];
        if (in->op == IRI_D3D9_OP_TEXM3X3TEX || in->op == IRI_D3D9_OP_TEXM3X3SPEC ||
            in->op == IRI_D3D9_OP_TEXM3X3VSPEC)
            entries[state.count++] = (iri_state_entry){IRI_STATE_TEXTURE_TYPE,
                                                       s->operands[in->first].number,
                                                       IRI_STATE_VALUE,
                                                       {IRI_D3D9_TEXTURE_CUBE, 0, 0, 0}};
    }
    return state;
}

/* NULL when it is left out; `why` says what for. */
static item *open_item(const char *path, uint32_t number, tally *counts)
{
    item *t = calloc(1, sizeof *t);
    FILE *file = fopen(path, "rb");
    if (!t || !file)
        exit(2);
    t->path = path;
    t->number = number;
    t->bytes = malloc(1 << 20);
    t->size = t->bytes ? fread(t->bytes, 1, 1 << 20, file) : 0;
    fclose(file);
    iri_ctx_init(&t->ctx, NULL, NULL, &t->refusal);
    iri_arena_init(&t->arena, &t->ctx);
    bool good = iri_protect(&t->ctx, decode_body, t) == IRI_OK && t->w.s;
    iri_state_entry entries[4];
    iri_state state = good ? state_of(t->w.s, entries) : IRI_STATE_D3D9_DEFAULT;
    if (iri_lift(t->bytes, t->size,
                 IRI_LIFT_OPTIONS(.state = &state, .uninitialized = IRI_UNINITIALIZED_ZERO), &t->p,
                 NULL, &t->refusal) != IRI_OK) {
        counts->refused++;
        close_item(t);
        return NULL;
    }
    if (!good || has_derivatives(t->p) || t->p->interface.input_count > GPU_IO) {
        if (!good)
            printf("%s: left out: %s\n", path, t->why[0] ? t->why : t->refusal.reason);
        counts->left_out++;
        close_item(t);
        return NULL;
    }
    t->job = (gpu_job){.p = t->p, .count = COUNT, .sets = SETS, .seed = gpu_hash(path)};
    t->job.in_words = gpu_input_words(t->p);
    t->job.out_words = gpu_output_words(t->p);
    t->job.in = calloc((size_t)COUNT * t->job.in_words + 1, 4);
    if (!t->job.in)
        exit(2);
    fill_inputs(&t->job);
    if (t->p->stage == IRI_STAGE_VERTEX)
        choose_shown(t);
    return t;
}

/* Whether an element of the interface is this varying or attribute. */
static bool is_usage(const item *t, const iri_io *io, const wine_usage *u)
{
    if (t->w.s->major < 3 && t->p->stage == IRI_STAGE_PIXEL)
        return io->reg == u->reg &&
               io->bank == (u->usage == IRI_D3D9_USAGE_COLOR ? IRI_BANK_V : IRI_BANK_T);
    return io->index == u->index && strcasecmp(io->name, iri_d3d9_usage_name(u->usage)) == 0;
}

/* ---- jobs ---- */

static void say_words(FILE *to, const char *key, const uint32_t *words, size_t count)
{
    fputs(key, to);
    for (size_t i = 0; i < count; i++)
        fprintf(to, " %x", (unsigned)words[i]);
    fputc('\n', to);
}

/* The four lanes of an attribute for invocation n. */
static void say_attribute(FILE *to, const item *t, const wine_usage *u, uint32_t n)
{
    const iri_interface *io = &t->p->interface;
    uint32_t lanes[4] = {0};
    for (uint32_t i = 0; i < io->input_count; i++) {
        const iri_io *in = &io->inputs[i];
        uint32_t from = n * t->job.in_words + gpu_word_at(io->inputs, i);
        if (!is_usage(t, in, u) || in->system_value == IRI_SV_IS_FRONT_FACE)
            continue;
        for (uint32_t k = 0; k < 4; k++)
            if (in->lanes >> k & 1)
                lanes[k] = t->job.in[from++];
    }
    for (uint32_t k = 0; k < 4; k++)
        fprintf(to, " %x", (unsigned)lanes[k]);
}

static void say_place(FILE *to, uint32_t n)
{
    float x = 2 * (float)(n % WIDTH) / WIDTH - 1, y = 1 - 2 * (float)(n / WIDTH) / HEIGHT;
    fprintf(to, " %x %x 0 3f800000", (unsigned)gpu_bits(x), (unsigned)gpu_bits(y));
}

static void say_resources(FILE *to, const item *t, uint32_t set)
{
    static const char *const views[IRI_DIMENSION_COUNT] = {"2d", "2d", "2d", "volume", "cube"};
    static const char *const keys[] = {"floats", "ints", "bools"};
    iri_exec_resource bound[GPU_RESOURCES];
    bool vertex = t->p->stage == IRI_STAGE_VERTEX;
    char line[64];
    gpu_bind(t->p, set, bound);
    for (uint32_t i = 0; i < t->p->interface.resource_count && i < GPU_RESOURCES; i++) {
        const iri_resource *r = &t->p->interface.resources[i];
        if (r->kind == IRI_RESOURCE_CBUFFER) {
            uint32_t rows = r->reg ? 16 : vertex ? 256 : 224;
            snprintf(line, sizeof line, "%s %s 0", keys[r->reg % 3], vertex ? "vs" : "ps");
            say_words(to, line, bound[i].data, r->reg == 2 ? rows : rows * 4);
        } else if (r->kind == IRI_RESOURCE_TEXTURE) {
            const iri_exec_texture *x = bound[i].texture;
            snprintf(line, sizeof line, "texture %u %s %u %u %u 1",
                     (unsigned)(r->reg + (vertex ? 16 : 0)), views[x->dimension],
                     (unsigned)x->width, (unsigned)x->height, (unsigned)x->depth);
            say_words(to, line, x->texels, iri_exec_texture_words(x));
        }
    }
}

static void say_vertices(FILE *to, const item *t, uint32_t set)
{
    fputs("vertex", to);
    for (uint32_t n = set * EACH; n < (set + 1) * EACH; n++) {
        say_place(to, n);
        for (uint32_t i = 0; i < t->w.in_count; i++)
            say_attribute(to, t, &t->w.in[i], n);
    }
    fputs("\npart\n", to);
}

/* The other program: one that shows varyings, or one that passes attributes on. */
static void say_companion(FILE *to, const item *t, const wine_usage *v, uint32_t count)
{
    fprintf(to, "%s %u", t->p->stage == IRI_STAGE_VERTEX ? "show" : "pass", t->w.s->major);
    for (uint32_t i = 0; i < count; i++)
        fprintf(to, " %u %u", v[i].usage, v[i].index);
    fputc('\n', to);
}

static void say_job(FILE *to, const item *t, uint32_t group)
{
    bool vertex = t->p->stage == IRI_STAGE_VERTEX;
    uint32_t left = t->shown_count - group * 4;
    uint32_t targets = vertex ? (left < 4 ? left : 4) : 4;
    /* 166 is D3DRS_POINTSIZE_MAX: no point covers another one's pixel. */
    fprintf(to, "job %u.%u\nsize %d %d\npoints\nrender 166 3f800000\ntargets %u\n",
            (unsigned)t->number, (unsigned)group, WIDTH, HEIGHT, (unsigned)targets);
    say_words(to, vertex ? "vs" : "ps", t->w.tokens, t->w.count);
    say_companion(to, t, vertex ? t->shown + group * 4 : t->w.in, vertex ? targets : t->w.in_count);
    if (vertex)
        fprintf(to, "element %u %u\n", t->w.place.usage, t->w.place.index);
    else
        fputs("element 0 0\n", to);
    for (uint32_t i = 0; i < t->w.in_count; i++)
        fprintf(to, "element %u %u\n",
                vertex ? t->w.in[i].usage : (unsigned)IRI_D3D9_USAGE_TEXCOORD,
                vertex ? t->w.in[i].index : (unsigned)i);
    for (uint32_t set = 0; set < SETS; set++) {
        say_resources(to, t, set);
        say_vertices(to, t, set);
    }
    fputs("draw\n", to);
}

static uint32_t groups_of(const item *t)
{
    return t->p->stage == IRI_STAGE_PIXEL ? 1 : (t->shown_count + 3) / 4;
}

/* ---- results ---- */

static char *results;

/* The line of a job that begins with `key`, behind it; NULL when there is none. */
static const char *result_line(uint32_t number, uint32_t group, const char *key)
{
    char head[48];
    int length = snprintf(head, sizeof head, "\njob %u.%u\n", (unsigned)number, (unsigned)group);
    const char *at = strstr(results, head);
    if (!at)
        return NULL;
    for (at += length; *at && strncmp(at, "job ", 4) != 0; at += strcspn(at, "\n") + 1) {
        if (strncmp(at, key, strlen(key)) == 0)
            return at + strlen(key);
        if (!at[strcspn(at, "\n")])
            return NULL;
    }
    return NULL;
}

/* A target's words, and whether each pixel was drawn. False when there is no such line. */
static bool read_target(const item *t, uint32_t group, uint32_t target, uint32_t words[COUNT][4],
                        bool drawn[COUNT])
{
    char key[16];
    snprintf(key, sizeof key, "target%u", (unsigned)target);
    const char *at = result_line(t->number, group, key);
    for (uint32_t n = 0; at && n < COUNT; n++)
        for (uint32_t k = 0; k < 4; k++) {
            char *end;
            at += strspn(at, " ");
            drawn[n] = *at != '-';
            words[n][k] = *at == '-' ? 0 : (uint32_t)strtoul(at, &end, 16);
            at = *at == '-' ? at + 1 : end;
        }
    return at != NULL;
}

/* Where an output is shown: group and target; false when it is not. */
static bool shown_at(const item *t, const iri_io *io, uint32_t *group, uint32_t *target)
{
    *group = 0;
    *target = io->index;
    if (t->p->stage == IRI_STAGE_PIXEL)
        return io->system_value == IRI_SV_TARGET && io->index < 4;
    bool late = t->w.s->major == 3;
    bool position = io->system_value == IRI_SV_POSITION;
    for (uint32_t i = 0; i < t->shown_count; i++) {
        wine_usage u = t->shown[i], own = t->w.position;
        bool here =
            position ? u.usage == own.usage && u.index == own.index
            : late   ? is_usage(t, io, &u)
                     : io->reg == u.reg &&
                         io->bank == (u.usage == IRI_D3D9_USAGE_COLOR ? IRI_BANK_OD : IRI_BANK_OT);
        if (!position && late && u.usage == own.usage && u.index == own.index)
            here = false;
        if (!position && !late && i + 1 == t->shown_count && own.usage != 0xff)
            here = false; /* the last one is the position */
        *group = i / 4;
        *target = i % 4;
        if (here)
            return true;
    }
    return false;
}

typedef struct difference {
    uint32_t count, invocation;
    double expected, got, bound;
    char what[48];
} difference;

static void differ(difference *d, const iri_io *io, uint32_t lane, uint32_t n, double e, double g,
                   double bound)
{
    if (d->count++)
        return;
    d->invocation = n;
    d->expected = e;
    d->got = g;
    d->bound = bound;
    snprintf(d->what, sizeof d->what, "%.32s%u.%c", io->name, (unsigned)io->index, "xyzw"[lane]);
}

static void compare_lane(const item *t, uint32_t n, uint32_t i, uint32_t lane, double e, double g,
                         double bound, tally *c, difference *d)
{
    if (!isfinite(e)) {
        c->not_finite++;
    } else if (!(bound < HUGE_VAL)) {
        c->uncertain++;
    } else if (!isfinite(g)) {
        c->not_finite_there++;
    } else if (e == g) {
        c->exact++;
    } else if (fabs(e - g) <= bound) {
        c->within++;
    } else {
        c->wrong++;
        differ(d, &t->p->interface.outputs[i], lane, n, e, g, bound);
    }
}

/* One output's register over all invocations. */
static bool compare_output(item *t, uint32_t i, const uint32_t *out, const uint8_t *flags,
                           const double *bounds, const bool *uncertain, tally *c, difference *d)
{
    static uint32_t words[COUNT][4];
    static bool drawn[COUNT];
    const iri_io *io = &t->p->interface.outputs[i];
    uint32_t group, target, at = gpu_word_at(t->p->interface.outputs, i);
    if (!shown_at(t, io, &group, &target))
        return true;
    if (!read_target(t, group, target, words, drawn)) {
        const char *fault = result_line(t->number, group, "failed ");
        snprintf(t->why, sizeof t->why, "%.*s", fault ? (int)strcspn(fault, "\n") : 9,
                 fault ? fault : "no result");
        return false;
    }
    for (uint32_t n = 0; n < COUNT; n++) {
        uint32_t lane = 0, lanes = IRI_TYPE_LANES(io->type);
        bool killed = flags[n] & IRI_INVOCATION_KILLED;
        if (uncertain[n]) {
            c->uncertain += lanes;
            continue;
        }
        if (killed == drawn[n]) {
            c->wrong++;
            differ(d, io, 0, n, killed ? -1 : 1, drawn[n] ? 1 : -1, 0);
            continue;
        }
        c->killed += killed ? lanes : 0;
        for (uint32_t k = 0; k < 4 && !killed; k++)
            if (io->lanes >> k & 1) {
                size_t word = (size_t)n * t->job.out_words + at + lane++;
                compare_lane(t, n, i, k, (double)gpu_float(out[word]),
                             (double)gpu_float(words[n][k]), bounds[word], c, d);
            }
    }
    return true;
}

static void compare_item(item *t, tally *c)
{
    size_t words = (size_t)COUNT * t->job.out_words + 1;
    uint32_t *out = calloc(words, 4);
    double *bounds = calloc(words, sizeof *bounds);
    uint8_t flags[COUNT];
    bool uncertain[COUNT], drawn = true;
    iri_exec *traced = NULL;
    difference d = {0};
    bool run = out && bounds && gpu_execute(&t->job, t->p, false, out, flags, t->why) &&
               iri_exec_compile(t->p, IRI_EXEC_OPTIONS(.trace = true, .width = 64), &traced,
                                &t->refusal) == IRI_OK;
    for (uint32_t n = 0; n < COUNT && run; n++) {
        gpu_bounds b = {.bound = bounds + (size_t)n * t->job.out_words};
        run = gpu_carry_errors(&t->job, traced, NULL, n, &b, t->why);
        uncertain[n] = b.uncertain;
    }
    if (!run) {
        fprintf(stderr, "%s: not run: %s\n", t->path, t->why);
        exit(2);
    }
    for (uint32_t i = 0; i < t->p->interface.output_count && drawn; i++)
        drawn = compare_output(t, i, out, flags, bounds, uncertain, c, &d);
    if (!drawn)
        printf("%s: not drawn: %s\n", t->path, t->why);
    else if (d.count)
        printf("%s: %s of invocation %u: exec %.9g, Wine %.9g, bound %.3g; %u lanes so\n", t->path,
               d.what, (unsigned)d.invocation, d.expected, d.got, d.bound, (unsigned)d.count);
    c->not_drawn += !drawn;
    c->different += drawn && d.count;
    c->same += drawn && !d.count;
    iri_exec_free(traced);
    free(bounds);
    free(out);
}

static char *read_results(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    if (text)
        text[fread(text, 1, size, file)] = 0;
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    static char path[1024];
    tally c = {0};
    bool make = argc == 3 && strcmp(argv[1], "make") == 0;
    FILE *to = make ? fopen(argv[2], "w") : NULL;
    if (argc != 3 || (make && !to) || (!make && !(results = read_results(argv[2])))) {
        fputs("usage: oracle-wine make JOBS | compare RESULTS   < LIST\n", stderr);
        return 2;
    }
    for (uint32_t number = 0; fgets(path, sizeof path, stdin); number++) {
        path[strcspn(path, "\n")] = 0;
        item *t = open_item(path, number, &c);
        if (!t)
            continue;
        for (uint32_t g = 0; make && g < groups_of(t); g++)
            say_job(to, t, g);
        if (!make)
            compare_item(t, &c);
        close_item(t);
    }
    if (to)
        fclose(to);
    free(results);
    printf("wine %u %u %u %u %u %llu %llu %llu %llu %llu %llu %llu\n", (unsigned)c.same,
           (unsigned)c.different, (unsigned)c.refused, (unsigned)c.not_drawn, (unsigned)c.left_out,
           (unsigned long long)c.exact, (unsigned long long)c.within,
           (unsigned long long)c.uncertain, (unsigned long long)c.not_finite,
           (unsigned long long)c.not_finite_there, (unsigned long long)c.killed,
           (unsigned long long)c.wrong);
    return 0;
}
