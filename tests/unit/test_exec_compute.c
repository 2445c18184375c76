/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The executor's compute stage: programs compared with plain C, each operation on hand-worked numbers,
 * barriers that not everyone reaches, limits, backends.
 */
#include "tests/unit/compute_programs.h"
#include "tests/unit/test_exec.h"

/* ---- programs ---- */

static iri_status dispatch(const iri_program *p, compute_run *run, uint32_t width, iri_refusal *why)
{
    iri_exec_resource resources[16];
    iri_exec_memory memories[16];
    iri_exec_batch batch = {.resources = resources, .resource_count = 16};
    iri_exec *e = exec_compile(p, IRI_EXEC_OPTIONS(.width = width));
    if (!e)
        return IRI_INTERNAL;
    compute_resources(run, p, resources, memories);
    iri_status status = iri_exec_dispatch(e, &batch, run->groups, why);
    for (uint32_t i = 0; i < run->count; i++)
        run->bindings[i].counter = memories[iri_find_resource(p, run->bindings[i].name)].counter;
    iri_exec_free(e);
    return status;
}

static compute_run got, wanted;

static void check_program(const compute_program *program, const iri_program *p, const char *how)
{
    static const uint32_t widths[] = {0, 64, 1000};
    char what[160];
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        iri_refusal why = {0};
        memset(&got, 0, sizeof got);
        memset(&wanted, 0, sizeof wanted);
        program->bind(&got);
        program->bind(&wanted);
        program->compute(&wanted);
        iri_status status = dispatch(p, &got, widths[i], &why);
        if (status != IRI_OK)
            FAIL("%s%s: %s", program->name, how, why.reason);
        else if (!compute_same(&got, &wanted, what, sizeof what))
            FAIL("%s%s: %s", program->name, how, what);
    }
}

TEST(exec_compute_programs)
{
    for (uint32_t i = 0; i < compute_program_count; i++) {
        char *text = compute_read(compute_programs[i].name);
        iri_program *p = text ? exec_parse(text) : NULL, *q = NULL;
        iri_refusal why = {0};
        free(text);
        if (!CHECK(p))
            continue;
        check_program(&compute_programs[i], p, "");
        for (int pass = 1; iri_pass_name((iri_pass_id)pass); pass++) {
            if (iri_pass_apply(p, (iri_pass_id)pass, NULL, &q, NULL, &why) == IRI_OK)
                check_program(&compute_programs[i], q, iri_pass_name((iri_pass_id)pass));
            else
                FAIL("%s: %s: %s", compute_programs[i].name, iri_pass_name((iri_pass_id)pass),
                     why.reason);
            iri_program_free(q);
            q = NULL;
        }
        iri_program_free(p);
    }
}

/* ---- operations, by hand ---- */

/* A body of one invocation with eight words of raw memory in u0, six in elements of three words in u1, and g0 of
 * eight bytes; what it stores in u0 is what is looked at. */
typedef struct memory_row {
    const char *body;
    uint32_t before[8], after[8];
} memory_row;

static const memory_row memory_rows[] = {
    {"%0: vec2<u32> = load.raw u0, 6u store.raw u0, 12u, %0", {1, 2, 3, 4, 5}, {1, 2, 3, 2, 3}},
    {"%0: vec4<u32> = load.raw u0, 24u store.raw u0, 0u, %0",
     {1, 2, 3, 4, 5, 6, 7, 8},
     {7, 8, 0, 0, 5, 6, 7, 8}},
    {"%0: u32 = load.raw u0, 4294967295u store.raw u0, 0u, %0", {1}, {0}},
    {"store.raw u0, 28u, splat4(9u)", {1}, {1, 0, 0, 0, 0, 0, 0, 9}},
    {"store.raw u0, 32u, splat4(9u)", {1}, {1}},
    {"%0: f32 = load.raw u0, 0u store.raw u0, 4u, %0", {0x7fa12345}, {0x7fa12345, 0x7fa12345}},
    {"%0: vec3<u32> = load.structured u1, 1u, 4u store.raw u0, 0u, %0", {9, 9, 9}, {15, 16, 0}},
    {"%0: u32 = load.structured u1, 2u, 0u store.raw u0, 0u, %0", {9}, {0}},
    {"%0: u32 = load.structured u1, 0u, 12u store.raw u0, 0u, %0", {9}, {0}},
    {"store.structured u1, 0u, 8u, splat2(1u) %0: vec2<u32> = load.structured u1, 0u, 8u "
     "%1: u32 = load.structured u1, 1u, 0u store.raw u0, 0u, %0 store.raw u0, 8u, %1",
     {9, 9},
     {1, 0, 14}},
    {"store.shared g0, 4u, splat2(3u) %0: vec4<u32> = load.shared g0, 1u store.raw u0, 0u, %0",
     {9, 9, 9, 9},
     {0, 3, 0, 0}},
    {"%0: u32 = atomic.raw add, u0, 5u, 4294967295u store.raw u0, 0u, %0", {0, 7}, {7, 6}},
    {"%0: u32 = atomic.raw and, u0, 4u, 6u store.raw u0, 0u, %0", {0, 3}, {3, 2}},
    {"%0: u32 = atomic.raw or, u0, 4u, 6u store.raw u0, 0u, %0", {0, 3}, {3, 7}},
    {"%0: u32 = atomic.raw xor, u0, 4u, 6u store.raw u0, 0u, %0", {0, 3}, {3, 5}},
    {"%0: u32 = atomic.raw min, u0, 4u, 1u store.raw u0, 0u, %0", {0, 0xfffffffe}, {0xfffffffe, 1}},
    {"%0: i32 = atomic.raw min, u0, 4u, 1i store.raw u0, 0u, %0",
     {0, 0xfffffffe},
     {0xfffffffe, 0xfffffffe}},
    {"%0: u32 = atomic.raw max, u0, 4u, 1u store.raw u0, 0u, %0",
     {0, 0xfffffffe},
     {0xfffffffe, 0xfffffffe}},
    {"%0: i32 = atomic.raw max, u0, 4u, 1i store.raw u0, 0u, %0", {0, 0xfffffffe}, {0xfffffffe, 1}},
    {"%0: u32 = atomic.raw exchange, u0, 4u, 5u store.raw u0, 0u, %0", {0, 3}, {3, 5}},
    {"%0: u32 = atomic.raw exchange, u0, 32u, 5u store.raw u0, 0u, %0", {8, 3}, {0, 3}},
    {"%0: u32 = atomic.raw.cas u0, 4u, 3u, 5u store.raw u0, 0u, %0", {0, 3}, {3, 5}},
    {"%0: u32 = atomic.raw.cas u0, 4u, 4u, 5u store.raw u0, 0u, %0", {0, 3}, {3, 3}},
    {"%0: u32 = atomic.structured add, u1, 1u, 8u, 1u %1: u32 = load.structured u1, 1u, 8u "
     "store.raw u0, 0u, %0 store.raw u0, 4u, %1",
     {0},
     {16, 17}},
    {"%0: u32 = atomic.structured add, u1, 0u, 12u, 1u %1: u32 = load.structured u1, 1u, 0u "
     "store.raw u0, 0u, %0 store.raw u0, 4u, %1",
     {5},
     {0, 14}},
    {"%0: u32 = atomic.structured.cas u1, 1u, 0u, 14u, 1u %1: u32 = load.structured u1, 1u, 0u "
     "store.raw u0, 0u, %0 store.raw u0, 4u, %1",
     {5},
     {14, 1}},
    {"%0: u32 = atomic.shared add, g0, 4u, 2u %1: u32 = atomic.shared.cas g0, 4u, 2u, 8u "
     "%2: u32 = load.shared g0, 4u %3: vec3<u32> = compose %0, %1, %2 store.raw u0, 0u, %3",
     {5},
     {0, 2, 8}},
    {"%0: u32 = atomic.shared add, g0, 8u, 2u store.raw u0, 0u, %0", {5}, {0}},
    {"%0: u32 = counter.alloc u1 %1: u32 = counter.alloc u1 %2: u32 = counter.consume u1 "
     "%3: vec3<u32> = compose %0, %1, %2 store.raw u0, 0u, %3",
     {9},
     {4, 5, 5}},
    {"%0: u32 = buffer.size u0 %1: u32 = buffer.size u1 %2: vec2<u32> = compose %0, %1 "
     "store.raw u0, 0u, %2",
     {9},
     {32, 2}},
    {"%0: u32 = load.raw u0, 0u %1: u32 = access.status %0 %2: bool = access.mapped %1 "
     "%3: u32 = select %2, 7u, 8u store.raw u0, 0u, %3",
     {9},
     {7}},
};

static void check_memory_row(const memory_row *row)
{
    char text[1200];
    uint32_t raw[9], elements[8] = {11, 12, 13, 14, 15, 16, 99, 98};
    iri_exec_memory memories[2] = {{raw, 32, 0}, {elements, 24, 4}};
    iri_exec_resource resources[2] = {{.memory = &memories[0]}, {.memory = &memories[1]}};
    iri_exec_batch batch = {.resources = resources, .resource_count = 2};
    memcpy(raw, row->before, sizeof row->before);
    raw[8] = 77;
    snprintf(text, sizeof text,
             "program compute entry main facts workgroup 1 1 1 "
             "storage_buffer u0 raw read write atomic "
             "storage_buffer u1 structured read write atomic stride 12 counter shared g0 size 8 "
             "fn main { %s return }",
             row->body);
    iri_program *p = exec_parse(text);
    iri_exec *e = exec_compile(p, NULL);
    iri_refusal why = {0};
    if (e && iri_exec_dispatch(e, &batch, (uint32_t[3]){1, 1, 1}, &why) != IRI_OK)
        FAIL("%s: %s", row->body, why.reason);
    for (uint32_t i = 0; i < 8; i++)
        if (raw[i] != row->after[i])
            FAIL("%s: word %u is %x, not %x", row->body, (unsigned)i, (unsigned)raw[i],
                 (unsigned)row->after[i]);
    CHECK(raw[8] == 77 && elements[6] == 99 && elements[7] == 98);
    iri_exec_free(e);
    iri_program_free(p);
}

TEST(exec_memory_operations)
{
    for (size_t i = 0; i < sizeof memory_rows / sizeof *memory_rows; i++)
        check_memory_row(&memory_rows[i]);
}

/* ---- texels ---- */

/* Four texels of a row hold 1..16; what is stored in u1 is looked at, from u1's first element. */
typedef struct texel_row {
    const char *body;
    uint32_t format;
    uint32_t after[8];
} texel_row;

#define F(x) exec_bits(x)

static void check_texel_row(const texel_row *row, const char *scalar)
{
    char text[1200];
    uint32_t image[16], typed[8] = {0}, samples[2 * 2 * 4], flat[2 * 2 * 4];
    bool floats = scalar[0] == 'f';
    for (uint32_t i = 0; i < 16; i++) {
        image[i] = floats ? F((float)i + 1) : i + 1;
        samples[i] = F((float)i);
        flat[i] = F((float)i);
    }
    iri_exec_texture strip = {IRI_DIMENSION_2D, 2, 1, 1, 2, 1, NULL, 0};
    iri_exec_texture multi = {IRI_DIMENSION_2D, 1, 2, 1, 1, 1, samples, 2};
    iri_exec_texture square = {IRI_DIMENSION_2D, 2, 2, 1, 1, 1, flat, 0};
    iri_exec_memory memories[2] = {{image, sizeof image, 0}, {typed, sizeof typed, 0}};
    iri_sampler compare = {.compare = IRI_COMPARE_LESS, .address = {2, 2, 2}};
    iri_exec_resource resources[6] = {{.texture = &strip, .memory = &memories[0]},
                                      {.memory = &memories[1]},
                                      {.texture = &multi},
                                      {.texture = &square},
                                      {0},
                                      {.sampler = &compare}};
    iri_exec_batch batch = {.resources = resources, .resource_count = 6};
    snprintf(text, sizeof text,
             "program compute entry main facts workgroup 1 1 1 "
             "storage_texture u0: 2d<%s> array read write atomic format %u "
             "storage_buffer u1: none<%s> typed read write atomic "
             "texture t0: 2d<f32> multisampled texture t1: 2d<f32> comparison "
             "sampler s0 sampler s1 comparison fn main { %s return }",
             scalar, (unsigned)row->format, scalar, row->body);
    iri_program *p = exec_parse(text);
    iri_exec *e = exec_compile(p, NULL);
    iri_refusal why = {0};
    if (e && iri_exec_dispatch(e, &batch, (uint32_t[3]){1, 1, 1}, &why) != IRI_OK)
        FAIL("%s: %s", row->body, why.reason);
    for (uint32_t i = 0; i < 8; i++)
        if (typed[i] != row->after[i])
            FAIL("%s: word %u is %x, not %x", row->body, (unsigned)i, (unsigned)typed[i],
                 (unsigned)row->after[i]);
    iri_exec_free(e);
    iri_program_free(p);
}

static const texel_row float_rows[] = {
    {"%0: vec4<f32> = load.image u0, vec3(1u, 0u, 1u) store.typed u1, 0u, %0", 0, {0}},
    {"%0: vec4<f32> = load.image u0, vec3(0u, 1u, 0u) store.typed u1, 0u, %0", 0, {0}},
    {"store.image u0, vec3(0i, 0i, 0i), vec4(0.5, -1.0, 2.0, nan(0x7fc00000)) "
     "%0: vec4<f32> = load.image u0, splat3(0i) store.typed u1, 1u, %0",
     28, /* R8G8B8A8_UNORM: 0.5 * 255 = 127.5, up */
     {0}},
    {"store.image u0, splat3(0i), splat4(-0.3) %0: vec4<f32> = load.image u0, splat3(0i) "
     "store.typed u1, 1u, %0",
     51, /* R8G8_SNORM: -38.1 */
     {0}},
    {"store.typed u1, 2u, splat4(1.0) store.typed u1, 4294967295u, splat4(1.0)", 0, {0}},
    {"%0: vec4<f32> = load.typed u1, 2u store.typed u1, 0u, %0", 0, {0}},
    {"%0: vec4<f32> = load.texel.ms t0, vec2(0i, 1i), 1u store.typed u1, 0u, %0", 0, {0}},
    {"%0: vec4<f32> = load.texel.ms t0, vec2(0i, 1i), 2u store.typed u1, 0u, %0", 0, {0}},
    {"%0: u32 = texture.samples t0 %1: f32 = itof %0 %2: vec2<f32> = sample.position t0, 1u "
     "%3: vec4<f32> = compose %1, %2, 0.0 store.typed u1, 0u, %3",
     0,
     {0}},
    {"%0: vec4<f32> = gather t1, s0, 0, splat2(0.5) store.typed u1, 0u, %0 "
     "%1: vec4<f32> = gather.cmp t1, s1, splat2(0.5), 4.0 store.typed u1, 1u, %1",
     0,
     {0}},
    {"%0: vec4<f32> = gather.po t1, s0, 1, splat2(0.5), vec2(33i, -64i) "
     "store.typed u1, 0u, %0 "
     "%1: vec4<f32> = gather.cmp.po t1, s1, splat2(0.5), vec2(1i, 0i), 11.0 "
     "store.typed u1, 1u, %1",
     0,
     {0}},
};

TEST(exec_texels)
{
    texel_row rows[sizeof float_rows / sizeof *float_rows];
    memcpy(rows, float_rows, sizeof rows);
    /* Numbers that a constant expression cannot hold the bits of. */
    const float numbers[][8] = {
        {13, 14, 15, 16},
        {0},
        {0, 0, 0, 0, 128 / 255.0f, 0, 1, 0},
        {0, 0, 0, 0, -38 / 127.0f, -38 / 127.0f, 0, 1},
        {0},
        {0},
        {12, 13, 14, 15},
        {0},
        {2, -4 / 16.0f, -4 / 16.0f, 0},
        {8, 12, 4, 0, 1, 1, 0, 0},
        {9, 13, 5, 1, 1, 1, 0, 0},
    };
    /* An offset of 33 is -31: an odd number of texels, so the columns change places and the sampler wraps. */
    const float swapped[4] = {13, 9, 1, 5};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint32_t k = 0; k < 8; k++)
            rows[i].after[k] = F(i == 10 && k < 4 ? swapped[k] : numbers[i][k]);
        check_texel_row(&rows[i], "f32");
    }
}

TEST(exec_integer_texels)
{
    static const texel_row rows[] = {
        {"%0: u32 = atomic.image add, u0, vec3(1u, 0u, 0u), 5u "
         "%1: vec4<u32> = load.image u0, vec3(1u, 0u, 0u) "
         "%2: vec4<u32> = insert %1.w, %0 store.typed u1, 0u, %2",
         0,
         {10, 6, 7, 5}},
        {"%0: u32 = atomic.image max, u0, vec3(2u, 0u, 0u), 5u "
         "%1: vec4<u32> = splat %0 store.typed u1, 0u, %1",
         0,
         {0}},
        {"%0: u32 = atomic.image.cas u0, vec3(1u, 0u, 1u), 13u, 2u "
         "%1: vec4<u32> = load.image u0, vec3(1u, 0u, 1u) "
         "%2: vec4<u32> = insert %1.w, %0 store.typed u1, 0u, %2",
         0,
         {2, 14, 15, 13}},
        {"%0: u32 = atomic.typed or, u1, 0u, 5u %1: u32 = atomic.typed.cas u1, 0u, 5u, 6u "
         "%2: u32 = atomic.typed.cas u1, 0u, 5u, 7u %3: vec4<u32> = compose %0, %1, %2, 1u "
         "store.typed u1, 1u, %3",
         0,
         {6, 0, 0, 0, 0, 5, 6, 1}},
        {"store.image u0, splat3(0u), vec4(255u, 256u, 7u, 8u) "
         "%0: vec4<u32> = load.image u0, splat3(0u) store.typed u1, 0u, %0",
         50, /* R8G8_UINT */
         {255, 255, 0, 1}},
    };
    static const texel_row signed_rows[] = {
        {"store.image u0, splat3(0u), vec4(127i, 128i, -128i, -129i) "
         "%0: vec4<i32> = load.image u0, splat3(0u) store.typed u1, 0u, %0",
         32, /* R8G8B8A8_SINT */
         {127, 127, 0xffffff80, 0xffffff80}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_texel_row(&rows[i], "u32");
    check_texel_row(&signed_rows[0], "i32");
}

/* ---- levels ---- */

TEST(exec_levels)
{
    /* A quad whose coordinates are 2 texels apart: level 1. */
    static const char text[] =
        "program pixel entry main\n"
        "input TEXCOORD0: vec2<f32> linear\n"
        "output SV_Target0: vec4<f32> @oC0 sv target\n"
        "texture t0: 2d<f32>\n"
        "sampler s0\n"
        "fn main { %0: vec2<f32> = input 0.xy %1: vec2<f32> = lod t0, s0, %0 "
        "%2: vec4<f32> = sample.clamp t0, s0, %0, 2.0 %3: f32 = swizzle %2.x "
        "%4: vec4<f32> = sample t0, s0, %0 %5: f32 = swizzle %4.x "
        "%6: vec4<f32> = compose %1, %3, %5 output 0.xyzw, %6 return }";
    float texels[(64 + 16 + 4 + 1) * 4],
        in[4][2] = {{0, 0}, {0.25f, 0}, {0, 0.25f}, {0.25f, 0.25f}}, out[4][4];
    for (int i = 0; i < 85; i++)
        texels[4 * i] = i < 64 ? 0.0f : i < 80 ? 1.0f : i < 84 ? 2.0f : 3.0f;
    iri_exec_texture texture = {IRI_DIMENSION_2D, 8, 8, 1, 1, 4, texels, 0};
    iri_sampler sampler = {
        .mip_filter = IRI_MIP_LINEAR, .lod_bias = 0.5f, .max_lod = 1.25f, .limit_lod = true};
    iri_exec_resource resources[2] = {{.texture = &texture}, {.sampler = &sampler}};
    iri_exec_array input = {in, sizeof in[0], 0}, output = {out, sizeof out[0], 0};
    iri_program *p = exec_parse(text);
    iri_exec *e = exec_compile(p, NULL);
    iri_exec_batch batch = {.count = 4,
                            .inputs = &input,
                            .outputs = &output,
                            .resources = resources,
                            .resource_count = 2};
    REQUIRE(e);
    CHECK(iri_exec_run(e, &batch, NULL) == IRI_OK);
    CHECK(out[0][0] == 1.25f && out[0][1] == 1.5f && out[0][3] == 1.25f);
    /* The clamp comes before the sampler's own limits. */
    CHECK(out[0][2] == 1.25f);
    sampler.limit_lod = false;
    CHECK(iri_exec_run(e, &batch, NULL) == IRI_OK);
    CHECK(out[0][0] == 1.5f && out[0][2] == 2.0f && out[0][3] == 1.5f);
    iri_exec_free(e);
    iri_program_free(p);
}

/* ---- what goes wrong ---- */

static iri_status run_text(const char *text, const uint32_t groups[3], uint32_t step_limit,
                           const iri_exec_backend *backend, iri_exec_memory *memory,
                           iri_refusal *why)
{
    iri_program *p = exec_parse(text);
    iri_exec *e = exec_compile(p, NULL);
    iri_exec_resource resource = {.memory = memory};
    iri_exec_batch batch = {
        .resources = &resource, .resource_count = 1, .step_limit = step_limit, .backend = backend};
    iri_status status = e ? iri_exec_dispatch(e, &batch, groups, why) : IRI_INTERNAL;
    iri_exec_free(e);
    iri_program_free(p);
    return status;
}

TEST(exec_barriers)
{
    static const char diverged[] =
        "program compute entry main facts workgroup 4 1 1 "
        "input SV_GroupIndex0: u32 sv group_index input SV_GroupID0: vec3<u32> sv group_id "
        "fn main { %0: u32 = input 0.x %1: u32 = input 1.x %2: bool = ilt %0, %1 "
        "if %2 { barrier execution yield } return }";
    static const char left[] = "program compute entry main facts workgroup 4 1 1 "
                               "input SV_GroupIndex0: u32 sv group_index "
                               "fn main { %0: u32 = input 0.x %1: bool = ieq %0, 3u "
                               "if %1 { return } barrier shared barrier execution return }";
    static const char endless[] =
        "program compute entry main facts workgroup 4 1 1 "
        "fn main { loop @1 { barrier execution continue @1 } unreachable }";
    static const uint32_t groups[3] = {6, 1, 1};
    iri_refusal why = {0};
    /* Group 0 never comes to it, groups 4 and 5 whole; group 1 is the first that does in part. */
    CHECK(run_text(diverged, groups, 0, NULL, NULL, &why) == IRI_DIVERGED_BARRIER);
    CHECK_STR(why.reason, "workgroup 1: not all of its invocations reach a barrier");
    CHECK(run_text(left, groups, 0, NULL, NULL, &why) == IRI_DIVERGED_BARRIER);
    CHECK(run_text(endless, groups, 1000, NULL, NULL, &why) == IRI_LIMIT_STEPS);
    CHECK(run_text(endless, (uint32_t[3]){65536, 1, 1}, 0, NULL, NULL, &why) ==
          IRI_INVALID_ARGUMENT);
    CHECK(run_text(endless, (uint32_t[3]){65535, 65535, 1}, 0, NULL, NULL, &why) ==
          IRI_INVALID_ARGUMENT);
    CHECK(run_text(endless, (uint32_t[3]){65535, 0, 1}, 0, NULL, NULL, &why) == IRI_OK);
}

TEST(exec_dispatch_is_for_compute)
{
    iri_program *compute = exec_parse("program compute entry main facts workgroup 1 1 1 "
                                      "fn main { return }");
    iri_program *none = exec_parse("fn main { return }");
    iri_exec *a = exec_compile(compute, NULL), *b = exec_compile(none, NULL);
    iri_exec_batch batch = {.count = 1};
    REQUIRE(a && b);
    CHECK(iri_exec_run(a, &batch, NULL) == IRI_INVALID_ARGUMENT);
    CHECK(iri_exec_dispatch(b, &batch, (uint32_t[3]){1, 1, 1}, NULL) == IRI_INVALID_ARGUMENT);
    iri_exec_free(a);
    iri_exec_free(b);
    iri_program_free(compute);
    iri_program_free(none);
}

/* A format that the executor does not know is refused rather than stored in as if it were not there. */
TEST(exec_unknown_format)
{
    iri_program *p = exec_parse("program compute entry main facts workgroup 1 1 1 "
                                "storage_texture u0: 2d<f32> write format 26 "
                                "fn main { store.image u0, splat2(0u), splat4(0.5) return }");
    iri_exec *e = NULL;
    iri_refusal why;
    CHECK(iri_exec_compile(p, NULL, &e, &why) == IRI_UNWRITABLE);
    iri_program_free(p);
}

/* ---- backends ---- */

typedef struct model {
    uint32_t loads, stores, atomics;
    uint32_t last;
} model;

static bool answer(void *user, const iri_exec_access *access, uint32_t result[4])
{
    model *m = user;
    switch (access->op) {
    case IRI_OP_LOAD_RAW:
        m->loads++;
        result[0] = access->place[0] + access->invocation;
        return true;
    case IRI_OP_STORE_RAW:
        m->stores++;
        m->last = access->values[0];
        return access->place[0] != 4;
    case IRI_OP_ATOMIC_RAW:
        m->atomics++;
        CHECK(access->function == IRI_ATOMIC_XOR && access->values[0] == 3);
        result[0] = 40;
        return true;
    case IRI_OP_BUFFER_SIZE: result[0] = 100; return true;
    default: return false;
    }
}

TEST(exec_backend_access)
{
    static const char text[] =
        "program compute entry main facts workgroup 2 1 1 "
        "storage_buffer u0 raw read write atomic "
        "fn main { %0: u32 = load.raw u0, 8u %1: u32 = atomic.raw xor, u0, 0u, 3u "
        "%2: u32 = buffer.size u0 %3: u32 = iadd %0, %1 %4: u32 = iadd %3, %2 "
        "store.raw u0, 0u, %4 store.raw u0, 4u, %4 return }";
    uint32_t words[2] = {0};
    model m = {0};
    iri_exec_backend backend = {.user = &m, .access = answer};
    iri_exec_memory memory = {words, sizeof words, 0};
    iri_refusal why = {0};
    CHECK(run_text(text, (uint32_t[3]){1, 1, 1}, 0, &backend, &memory, &why) == IRI_OK);
    CHECK(m.loads == 2 && m.stores == 4 && m.atomics == 2);
    /* The store at 4 was left to the buffer: invocation 1 came last. */
    CHECK_EQ_U32(m.last, 149);
    CHECK(words[0] == 0 && words[1] == 149);
}

/* ---- by hand ---- */

/* Each of eight invocations leaves its number for its neighbour, waits, and adds what it finds to a sum. */
TEST(exec_compute_built)
{
    static const iri_io index = {.name = "SV_GroupIndex",
                                 .type = IRI_TYPE_U32,
                                 .system_value = IRI_SV_GROUP_INDEX,
                                 .lanes = 1,
                                 .used = 1,
                                 .offset = IRI_NO_OFFSET};
    static const iri_resource sums = {.name = "Sums",
                                      .kind = IRI_RESOURCE_STORAGE_BUFFER,
                                      .buffer_shape = IRI_BUFFER_RAW,
                                      .access = 7,
                                      .count = 1,
                                      .offset = IRI_NO_OFFSET};
    static const iri_shared row = {.name = "row", .size = 32, .offset = IRI_NO_OFFSET};
    iri_builder *b = iri_build_new(IRI_STAGE_COMPUTE, NULL);
    iri_program *p = NULL;
    iri_refusal why = {0};
    const uint32_t all = IRI_LANES1(0), shared = 0,
                   barrier = IRI_BARRIER_EXECUTION | IRI_BARRIER_SHARED;
    REQUIRE(b);
    iri_build_set_facts(b, &(iri_stage_facts){.workgroup = {8, 1, 1}});
    uint32_t input = iri_build_add_input(b, &index), buffer = iri_build_add_resource(b, &sums);
    CHECK_EQ_U32(iri_build_add_shared(b, &row), 0);
    iri_build_begin_function(b, "main", NULL, 0, NULL, 0, NULL);
    iri_id i = iri_build(b, IRI_OP_INPUT, IRI_TYPE_VOID, NULL, 0, (uint32_t[]){input, all}, 2);
    iri_id four = iri_build_constant(b, IRI_TYPE_U32, (uint64_t[4]){4});
    iri_id last = iri_build_constant(b, IRI_TYPE_U32, (uint64_t[4]){7});
    iri_id at = iri_build(b, IRI_OP_IMUL, IRI_TYPE_VOID, (iri_id[]){i, four}, 2, NULL, 0);
    iri_build(b, IRI_OP_STORE_SHARED, IRI_TYPE_VOID, (iri_id[]){at, i}, 2, &shared, 1);
    iri_build(b, IRI_OP_BARRIER, IRI_TYPE_VOID, NULL, 0, &barrier, 1);
    iri_id other = iri_build(b, IRI_OP_ISUB, IRI_TYPE_VOID, (iri_id[]){last, i}, 2, NULL, 0);
    iri_id from = iri_build(b, IRI_OP_IMUL, IRI_TYPE_VOID, (iri_id[]){other, four}, 2, NULL, 0);
    iri_id found = iri_build(b, IRI_OP_LOAD_SHARED, IRI_TYPE_U32, &from, 1, &shared, 1);
    iri_build(b, IRI_OP_STORE_RAW, IRI_TYPE_VOID, (iri_id[]){at, found}, 2, &buffer, 1);
    iri_id end = iri_build_constant(b, IRI_TYPE_U32, (uint64_t[4]){32});
    iri_build(b, IRI_OP_ATOMIC_RAW, IRI_TYPE_VOID, (iri_id[]){end, found}, 2,
              (uint32_t[]){IRI_ATOMIC_ADD, buffer}, 2);
    iri_build_return(b, NULL, 0);
    iri_build_end_function(b);
    if (iri_build_finish(b, &p, &why) != IRI_OK)
        FAIL("%s", why.reason);
    iri_build_free(b);
    iri_exec *e = exec_compile(p, NULL);
    uint32_t words[9] = {0};
    iri_exec_memory memory = {words, sizeof words, 0};
    iri_exec_resource resource = {.memory = &memory};
    iri_exec_batch batch = {.resources = &resource, .resource_count = 1};
    if (e)
        CHECK(iri_exec_dispatch(e, &batch, (uint32_t[3]){1, 1, 1}, &why) == IRI_OK);
    for (uint32_t k = 0; k < 8; k++)
        CHECK_EQ_U32(words[k], 7 - k);
    CHECK_EQ_U32(words[8], 28);
    iri_exec_free(e);
    iri_program_free(p);
}
