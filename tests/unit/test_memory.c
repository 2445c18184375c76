/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that runs out: on real input of each kind, with an allocator that refuses its k-th call, for every k. The
 * call in progress says IRI_NO_MEMORY, gives back all that it held, and the same again with memory succeeds.
 */
#include "test.h"
#include "test_text.h"

#include <iridia/iridia.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rationed {
    uint64_t calls, refused_call; /* from 1; 0: none */
    bool for_good;                /* calls after that one are refused too */
    size_t held;
} rationed;

static void *rationed_alloc(void *user, size_t size)
{
    rationed *r = user;
    r->calls++;
    if (r->refused_call &&
        (r->for_good ? r->calls >= r->refused_call : r->calls == r->refused_call))
        return NULL;
    void *memory = malloc(size ? size : 1);
    r->held += memory ? size : 0;
    return memory;
}

static void rationed_free(void *user, void *memory, size_t size)
{
    rationed *r = user;
    if (memory)
        r->held -= size;
    free(memory);
}

typedef struct input {
    const void *bytes;
    size_t size;
    const iri_allocator *allocator;
    iri_refusal why;
} input;

/* ---- What is done: each frees all that it made, whether it failed or not ---- */

static iri_status translate(input *in, iri_profile profile)
{
    const iri_state state = IRI_STATE_D3D9_DEFAULT;
    iri_program *p = NULL;
    iri_text out = {0};
    iri_status status = iri_lift(in->bytes, in->size,
                                 IRI_LIFT_OPTIONS(.allocator = in->allocator, .state = &state,
                                                  .uninitialized = IRI_UNINITIALIZED_ZERO),
                                 &p, NULL, &in->why);
    CHECK((status == IRI_OK) == (p != NULL));
    if (status == IRI_OK && profile == IRI_PROFILE_BROWSER) {
        iri_wgsl_map names = {0};
        status =
            iri_write_wgsl(p, IRI_WGSL_OPTIONS(.allocator = in->allocator), &out, &names, &in->why);
        iri_wgsl_map_free(&names);
    } else if (status == IRI_OK) {
        iri_spirv_map names = {0};
        status =
            iri_write_spirv(p, IRI_SPIRV_OPTIONS(.allocator = in->allocator, .profile = profile),
                            &out, &names, &in->why);
        iri_spirv_map_free(&names);
    }
    CHECK((status == IRI_OK) == (out.data != NULL));
    iri_text_free(&out);
    iri_program_free(p);
    return status;
}

static iri_status to_wgsl(input *in)
{
    return translate(in, IRI_PROFILE_BROWSER);
}

static iri_status to_spirv(input *in)
{
    return translate(in, IRI_PROFILE_VULKAN_1_1);
}

static iri_status parse(input *in)
{
    iri_program *p = NULL;
    iri_text out = {0};
    iri_status status = iri_parse_text(in->bytes, in->size,
                                       IRI_TEXT_OPTIONS(.allocator = in->allocator), &p, &in->why);
    CHECK((status == IRI_OK) == (p != NULL));
    if (status == IRI_OK)
        status = iri_print_text(p, IRI_TEXT_OPTIONS(.allocator = in->allocator), &out, &in->why);
    iri_text_free(&out);
    iri_program_free(p);
    return status;
}

static iri_status assemble(input *in)
{
    iri_text tokens = {0}, listing = {0};
    iri_status status = iri_assemble(
        in->bytes, in->size, IRI_ASSEMBLE_OPTIONS(.allocator = in->allocator), &tokens, &in->why);
    CHECK((status == IRI_OK) == (tokens.data != NULL));
    if (status == IRI_OK)
        status =
            iri_disassemble(tokens.data, tokens.size,
                            IRI_DISASSEMBLE_OPTIONS(.allocator = in->allocator, .comments = true),
                            &listing, &in->why);
    iri_text_free(&listing);
    iri_text_free(&tokens);
    return status;
}

static iri_status read_effect(input *in)
{
    iri_effect *effect = NULL;
    iri_status status = iri_effect_read(
        in->bytes, in->size, IRI_EFFECT_OPTIONS(.allocator = in->allocator), &effect, &in->why);
    CHECK((status == IRI_OK) == (effect != NULL));
    iri_effect_free(effect);
    return status;
}

static iri_status compile(input *in, const iri_program *p)
{
    iri_exec *exec = NULL;
    iri_status status =
        iri_exec_compile(p, IRI_EXEC_OPTIONS(.allocator = in->allocator), &exec, &in->why);
    CHECK((status == IRI_OK) == (exec != NULL));
    iri_exec_free(exec);
    return status;
}

static iri_status compile_shader(input *in)
{
    iri_program *p = NULL;
    iri_status status = iri_lift(
        in->bytes, in->size,
        IRI_LIFT_OPTIONS(.allocator = in->allocator, .uninitialized = IRI_UNINITIALIZED_ZERO), &p,
        NULL, &in->why);
    if (status == IRI_OK)
        status = compile(in, p);
    iri_program_free(p);
    return status;
}

static iri_status preshader(input *in)
{
    iri_program *p = NULL;
    iri_status status = iri_preshader_lift(
        in->bytes, in->size, IRI_PRESHADER_OPTIONS(.allocator = in->allocator), &p, &in->why);
    CHECK((status == IRI_OK) == (p != NULL));
    iri_exec *exec = NULL;
    if (status == IRI_OK)
        status = iri_exec_compile(p, IRI_EXEC_OPTIONS(.allocator = in->allocator), &exec, &in->why);
    if (status == IRI_OK) {
        const iri_interface *io = iri_program_interface(p);
        size_t size = io->resource_count ? io->resources[0].size : 0;
        uint8_t *constants = calloc(1, size + 1);
        iri_preshader_register *set = calloc(io->output_count + 1u, sizeof *set);
        if (CHECK(constants && set))
            status = iri_preshader_run(exec, constants, size, set, &in->why);
        free(set);
        free(constants);
    }
    iri_exec_free(exec);
    iri_program_free(p);
    return status;
}

static iri_status pass_through(input *in)
{
    const iri_state state = IRI_STATE_D3D9_DEFAULT;
    iri_program *pixel = NULL, *vertex = NULL;
    iri_status status =
        iri_lift(in->bytes, in->size, IRI_LIFT_OPTIONS(.allocator = in->allocator, .state = &state),
                 &pixel, NULL, &in->why);
    if (status == IRI_OK)
        status = iri_make_pass_through(pixel, IRI_PASS_THROUGH_OPTIONS(.allocator = in->allocator),
                                       &vertex, &in->why);
    CHECK((status == IRI_OK) == (vertex != NULL));
    iri_program_free(vertex);
    iri_program_free(pixel);
    return status;
}

/* ---- The inputs ---- */

static const struct {
    const char *file; /* below tests/fixtures; NULL: the program that has something of everything */
    iri_status (*run)(input *in);
} cases[] = {
    {"d3d9/ps14_phases.d3d9", to_wgsl},
    {"d3d9/switches_ps30.d3d9", to_wgsl},
    {"d3d9/vs2x_calls.d3d9", to_spirv},
    {"d3d9/gbuffer_ps30.d3d9", to_spirv},
    {NULL, parse},
    {"compute/histogram.iri", parse},
    {"asm/vs2x_predicates.asm", assemble},
    {"asm/ps14_depth.asm", assemble},
    {"effects/selectors.fxb", read_effect},
    {"effects/made.mgfx", read_effect},
    {"effects/selectors.lzx.xnb", read_effect},
    {"d3d9/preshader_ps.d3d9", preshader},
    {"d3d9/lights_vs30.d3d9", compile_shader},
    {"d3d9/lambert_ps.d3d9", pass_through},
};

static void *load(const char *name, size_t *size)
{
    char path[200];
    snprintf(path, sizeof path, "tests/fixtures/%s", name);
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL))
        return NULL;
    enum { MOST = 1 << 20 };
    void *bytes = malloc(MOST);
    *size = bytes ? fread(bytes, 1, MOST, file) : 0;
    fclose(file);
    return bytes;
}

/* Whether call k was made; then it was refused. */
static bool try_call(size_t which, const void *bytes, size_t size, uint64_t k, bool for_good)
{
    rationed r = {.refused_call = k, .for_good = for_good};
    const iri_allocator allocator = {rationed_alloc, rationed_free, &r};
    input in = {.bytes = bytes, .size = size, .allocator = &allocator};
    const char *name = cases[which].file ? cases[which].file : "text";
    iri_status status = cases[which].run(&in);
    bool refused = k && r.calls >= k;
    if (status != (refused ? IRI_NO_MEMORY : IRI_OK) || r.held != 0 ||
        (refused && (in.why.status != status || !in.why.reason[0])))
        FAIL("%s, call %llu of %llu: %s (%s), %zu bytes held", name, (unsigned long long)k,
             (unsigned long long)r.calls, iri_status_name(status), in.why.reason, r.held);
    return refused;
}

TEST(memory_runs_out)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = strlen(iri_test_rich_text);
        void *loaded = cases[i].file ? load(cases[i].file, &size) : NULL;
        const void *bytes = cases[i].file ? loaded : iri_test_rich_text;
        for (int for_good = 0; for_good < 2 && bytes; for_good++) {
            uint64_t k = 1;
            while (k < 20000 && try_call(i, bytes, size, k, for_good != 0))
                k++;
            CHECK(k > 2 && k < 20000);
            try_call(i, bytes, size, 0, false);
        }
        free(loaded);
    }
}
