/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small pictures, checked by hand: coverage and the top-left rule, pixel centres, interpolation, clipping,
 * culling, depth; and constants found and stored by name.
 */
#include "tests/unit/test_exec.h"

#include <math.h>

static const char vertex_text[] =
    "iridia-ir 1\nprogram vertex entry main\n"
    "input POSITION0: vec4<f32>\ninput TEXCOORD0: vec4<f32>\n"
    "output POSITION0: vec4<f32> sv position\noutput TEXCOORD0: vec4<f32>\n"
    "fn main {\n  %0: vec4<f32> = input 0.xyzw\n  %1: vec4<f32> = input 1.xyzw\n"
    "  output 0.xyzw, %0\n  output 1.xyzw, %1\n  return\n}\n";

#define PIXEL(interpolation, body) \
    "iridia-ir 1\nprogram pixel entry main\ninput TEXCOORD0: vec4<f32> " interpolation \
    "\ninput SV_Position0: vec4<f32> sv position linear\ninput FACE0: bool sv is_front_face flat\n" \
    "output SV_Target0: vec4<f32> sv target\nfn main {\n" body "  return\n}\n"

enum { SIDE = 8 };

typedef struct picture {
    iri_program *vertex, *pixel;
    iri_draw draw;
    float target[SIDE][SIDE][4], depth[SIDE][SIDE];
    float positions[6][4], values[6][4];
    iri_exec_array inputs[2];
    iri_draw_counts counts;
} picture;

static bool open_picture(picture *p, const char *pixel)
{
    memset(p, 0, sizeof *p);
    p->vertex = exec_parse(vertex_text);
    p->pixel = exec_parse(pixel);
    if (!p->vertex || !p->pixel)
        return false;
    p->draw.vertex.exec = exec_compile(p->vertex, NULL);
    p->draw.pixel.exec = exec_compile(p->pixel, NULL);
    p->inputs[0] = (iri_exec_array){p->positions, 16, 0};
    p->inputs[1] = (iri_exec_array){p->values, 16, 0};
    p->draw.vertex_inputs = p->inputs;
    p->draw.vertex_count = 6;
    p->draw.targets[0] = p->target[0][0];
    p->draw.target_width = p->draw.target_height = SIDE;
    p->draw.width = p->draw.height = SIDE;
    return p->draw.vertex.exec && p->draw.pixel.exec;
}

static void close_picture(picture *p)
{
    iri_exec_free((iri_exec *)p->draw.vertex.exec);
    iri_exec_free((iri_exec *)p->draw.pixel.exec);
    iri_program_free(p->vertex);
    iri_program_free(p->pixel);
}

/* A vertex at pixel coordinates (x, y), y down. */
static void set_vertex(picture *p, int i, float x, float y, float z, float w, float value)
{
    p->positions[i][0] = (x / SIDE * 2 - 1) * w;
    p->positions[i][1] = (1 - y / SIDE * 2) * w;
    p->positions[i][2] = z * w;
    p->positions[i][3] = w;
    p->values[i][0] = value;
    p->values[i][3] = 1;
}

static const char show_value[] =
    PIXEL("linear", "  %0: vec4<f32> = input 0.xyzw\n  output 0.xyzw, %0\n");

TEST(exec_raster_coverage)
{
    static picture p;
    uint32_t drawn[2] = {0, 0};
    /* A square of two triangles: every pixel once, the diagonal's too. */
    REQUIRE(open_picture(&p, show_value));
    float corners[6][2] = {{0, 0}, {8, 0}, {0, 8}, {8, 0}, {8, 8}, {0, 8}};
    for (int i = 0; i < 6; i++)
        set_vertex(&p, i, corners[i][0], corners[i][1], 0.5f, 1, i < 3 ? 1 : 2);
    CHECK(iri_draw_triangles(&p.draw, &p.counts, NULL) == IRI_OK);
    CHECK_EQ_U64(p.counts.pixels, SIDE * SIDE);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            drawn[p.target[y][x][0] == 2]++;
    /* Centres on the diagonal x + y = 8 belong to the second triangle, whose left edge it is. */
    CHECK_EQ_U32(drawn[0], 28);
    CHECK(p.target[0][7][0] == 2 && p.target[0][6][0] == 1);
    /* Edges through centres: a top and a left one are in, a bottom and a right one out. */
    memset(p.target, 0, sizeof p.target);
    for (int i = 0; i < 6; i++)
        set_vertex(&p, i, corners[i][0] ? 5.5f : 2.5f, corners[i][1] ? 5.5f : 2.5f, 0.5f, 1, 3);
    CHECK(iri_draw_triangles(&p.draw, NULL, NULL) == IRI_OK);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            CHECK((p.target[y][x][0] == 3) == (x >= 2 && x < 5 && y >= 2 && y < 5));
    close_picture(&p);
}

TEST(exec_raster_interpolation)
{
    static picture p;
    /* w 1 on the left, 3 on the right: half way across the screen the value is a quarter of the way. */
    REQUIRE(open_picture(&p, show_value));
    for (int pass = 0; pass < 3; pass++) {
        float corners[6][2] = {{0.5f, 0}, {8.5f, 0}, {0.5f, 8}, {8.5f, 0}, {8.5f, 8}, {0.5f, 8}};
        for (int i = 0; i < 6; i++)
            set_vertex(&p, i, corners[i][0], corners[i][1], 0.5f, corners[i][0] > 1 ? 3 : 1,
                       corners[i][0] > 1 ? 1 : 0);
        CHECK(iri_draw_triangles(&p.draw, NULL, NULL) == IRI_OK);
        float middle = p.target[3][4][0];
        CHECK(fabsf(middle - (pass == 0 ? 0.25f : pass == 1 ? 0.5f : p.target[3][4][0])) < 1e-6f);
        if (pass == 2)
            CHECK(p.target[1][1][0] == 0 && p.target[6][6][0] == 1);
        close_picture(&p);
        if (pass < 2)
            REQUIRE(open_picture(
                &p, pass == 0
                        ? PIXEL("no_perspective",
                                "  %0: vec4<f32> = input 0.xyzw\n  output 0.xyzw, %0\n")
                        : PIXEL("flat", "  %0: vec4<f32> = input 0.xyzw\n  output 0.xyzw, %0\n")));
    }
}

TEST(exec_raster_positions)
{
    static picture p;
    REQUIRE(open_picture(
        &p, PIXEL("linear", "  %0: vec4<f32> = input 1.xyzw\n  %1: bool = input 2.x\n"
                            "  %2: f32 = select %1, 1.0, 0.0\n  %3: vec3<f32> = swizzle %0.xyw\n"
                            "  %4: vec4<f32> = compose %3, %2\n  output 0.xyzw, %4\n")));
    set_vertex(&p, 0, 0, 0, 0.5f, 2, 0);
    set_vertex(&p, 1, 8, 0, 0.5f, 2, 0);
    set_vertex(&p, 2, 0, 8, 0.5f, 2, 0);
    p.draw.vertex_count = 3;
    CHECK(iri_draw_triangles(&p.draw, NULL, NULL) == IRI_OK);
    CHECK(p.target[2][3][0] == 3.5f && p.target[2][3][1] == 2.5f && p.target[2][3][2] == 2 &&
          p.target[2][3][3] == 1);
    uint32_t indices[3] = {0, 2, 1};
    p.draw.indices = indices;
    p.draw.index_count = 3;
    CHECK(iri_draw_triangles(&p.draw, NULL, NULL) == IRI_OK);
    CHECK(p.target[2][3][3] == 0);
    p.draw.cull = IRI_CULL_COUNTER_CLOCKWISE;
    memset(p.target, 0, sizeof p.target);
    CHECK(iri_draw_triangles(&p.draw, &p.counts, NULL) == IRI_OK);
    CHECK(p.target[2][3][0] == 0 && p.counts.culled == 1);
    indices[2] = 7;
    CHECK(iri_draw_triangles(&p.draw, NULL, NULL) == IRI_INVALID_ARGUMENT);
    close_picture(&p);
}

TEST(exec_raster_depth_and_clipping)
{
    static picture p;
    REQUIRE(open_picture(&p, show_value));
    for (int i = 0; i < SIDE * SIDE; i++)
        p.depth[i / SIDE][i % SIDE] = 1;
    /* The first is nearer on the left, the second on the right; then a part behind the eye. */
    float corners[6][2] = {{0, 0}, {16, 0}, {0, 16}, {0, 0}, {16, 0}, {0, 16}};
    for (int i = 0; i < 6; i++)
        set_vertex(&p, i, corners[i][0], corners[i][1],
                   i == 0 || i == 2 ? 0.2f
                   : i == 1         ? 0.8f
                                    : 0.5f,
                   1, i < 3 ? 1 : 2);
    p.draw.depth = p.depth[0];
    p.draw.depth_compare = IRI_COMPARE_LESS;
    p.draw.depth_write = true;
    CHECK(iri_draw_triangles(&p.draw, &p.counts, NULL) == IRI_OK);
    CHECK(p.target[0][0][0] == 1 && p.target[0][7][0] == 1 &&
          fabsf(p.depth[0][0] - 0.21875f) < 1e-5f);
    CHECK_EQ_U64(p.counts.depth_failed, SIDE * SIDE);
    memset(p.target, 0, sizeof p.target);
    p.draw.depth = NULL;
    p.draw.vertex_count = 3;
    set_vertex(&p, 0, 0, 0, 0.5f, 1, 1);
    set_vertex(&p, 2, 0, 8, 0.5f, 1, 1);
    p.positions[1][0] = 4, p.positions[1][1] = 1, p.positions[1][2] = -0.5f, p.positions[1][3] = 1;
    p.values[1][0] = 1;
    CHECK(iri_draw_triangles(&p.draw, &p.counts, NULL) == IRI_OK);
    CHECK(p.target[3][0][0] == 1 && p.target[0][7][0] == 1 && p.counts.clipped == 1);
    p.positions[1][3] = -1; /* behind the eye: the triangle goes on to the right without end */
    CHECK(iri_draw_triangles(&p.draw, NULL, NULL) == IRI_OK);
    close_picture(&p);
}

TEST(exec_constants_by_name)
{
    iri_program *p = exec_parse(
        "iridia-ir 1\nprogram pixel entry main\n"
        "cbuffer cb0 size 256 { 0 \"Tint\": vec4<f32>  16 \"World\": float4x3 column_major size 48 matrix_stride 16 }\n"
        "output SV_Target0: vec4<f32> sv target\n"
        "fn main {\n  %0: vec4<f32> = load.cb cb0, 0u\n  output 0.xyzw, %0\n  return\n}\n");
    iri_constant_place place;
    float buffer[64] = {0};
    double numbers[12];
    REQUIRE(p);
    for (int i = 0; i < 12; i++)
        numbers[i] = i + 1;
    CHECK(iri_find_constant(p, "c3.y", &place, NULL) == IRI_OK && place.offset == 52 &&
          place.columns == 1);
    CHECK(iri_find_constant(p, "Tint", &place, NULL) == IRI_OK && place.offset == 0 &&
          place.columns == 4);
    CHECK_EQ_U64(iri_store_constant(&place, numbers, 12, buffer, sizeof buffer), 4);
    CHECK(iri_find_constant(p, "World", &place, NULL) == IRI_OK && place.rows == 4 &&
          place.columns == 3);
    CHECK_EQ_U64(iri_store_constant(&place, numbers, 12, buffer, sizeof buffer), 12);
    CHECK(buffer[3] == 4 && buffer[4] == 1 && buffer[5] == 4 &&
          buffer[8] == 2); /* columns lie in registers */
    CHECK(iri_find_constant(p, "World[1]", &place, NULL) == IRI_OK && place.offset == 20);
    CHECK_EQ_U64(iri_store_constant(&place, (double[]){-1, -2, -3}, 3, buffer, sizeof buffer), 3);
    CHECK(buffer[5] == -1 && buffer[9] == -2 && buffer[13] == -3);
    CHECK_EQ_U64(iri_store_constant(&place, numbers, 3, buffer, 24), 1);
    CHECK(iri_find_constant(p, "World[4]", &place, NULL) != IRI_OK);
    CHECK(iri_find_constant(p, "Nothing", &place, NULL) == IRI_INVALID_ARGUMENT);
    CHECK(iri_find_constant(p, "b1", &place, NULL) == IRI_INVALID_ARGUMENT);
    CHECK_EQ_U32(iri_find_output(p, "sv_target", 0), 0);
    CHECK_EQ_U32(iri_find_output(p, "SV_Target", 1), IRI_NOT_FOUND);
    CHECK_EQ_U32(iri_find_resource(p, "cb0"), 0);
    iri_program_free(p);
}

TEST(exec_constants_trimmed)
{
    /* A compiler keeps the columns that are read, and a loop's count may lie in two banks. */
    iri_program *p = exec_parse(
        "program pixel entry main\n"
        "cbuffer cb0 size 64 { 0 \"World\": float4x4 column_major size 48 matrix_stride 16  "
        "48 \"Count\": f32 }\n"
        "cbuffer cb1 size 16 { 0 \"Count\": i32 }\n"
        "output SV_Target0: vec4<f32> sv target\n"
        "fn main {\n  %0: vec4<f32> = load.cb cb0, 0u\n  output 0.xyzw, %0\n  return\n}\n");
    iri_constant_place place;
    float buffer[16] = {0};
    double numbers[16];
    REQUIRE(p);
    for (int i = 0; i < 16; i++)
        numbers[i] = i + 1;
    CHECK(iri_find_constant(p, "World", &place, NULL) == IRI_OK);
    CHECK_EQ_U64(iri_store_constant(&place, numbers, 16, buffer, sizeof buffer), 12);
    /* Column 0 is 1, 5, 9, 13; column 2 is 3, 7, 11, 15; column 3 has no place. */
    CHECK(buffer[0] == 1 && buffer[3] == 13 && buffer[8] == 3 && buffer[11] == 15 &&
          buffer[12] == 0);
    CHECK(iri_find_constant_from(p, "Count", 0, &place, NULL) == IRI_OK && place.resource == 0 &&
          place.scalar == IRI_F32);
    CHECK(iri_find_constant_from(p, "Count", 1, &place, NULL) == IRI_OK && place.resource == 1 &&
          place.scalar == IRI_I32);
    CHECK(iri_find_constant_from(p, "Count", 2, &place, NULL) == IRI_INVALID_ARGUMENT);
    CHECK(iri_find_constant_from(p, "c1", 0, &place, NULL) == IRI_OK);
    CHECK(iri_find_constant_from(p, "c1", 1, &place, NULL) == IRI_INVALID_ARGUMENT);
    iri_program_free(p);
}
