/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes to draw: made ones within the unit sphere, and Wavefront OBJ files. Direct3D's left-handed space;
 * triangles are clockwise seen from outside; texture coordinates start at the upper left; the tangent points
 * along u, the binormal along v, and cross(normal, tangent) * tangent.w is the binormal.
 */
#include "run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const mesh_semantics[MESH_ATTRIBUTE_COUNT] = {"POSITION",    "NORMAL",      "TEXCOORD",
                                                          "TANGENT",     "BINORMAL",    "COLOR",
                                                          "BLENDWEIGHT", "BLENDINDICES"};

static void allocate(mesh *m, uint32_t vertices, uint32_t indices)
{
    *m = (mesh){.vertex_count = vertices, .index_count = indices};
    for (int i = 0; i < MESH_ATTRIBUTE_COUNT; i++)
        m->attributes[i] = cli_alloc((size_t)vertices * sizeof *m->attributes[i]);
    m->indices = cli_alloc((size_t)indices * sizeof *m->indices);
}

void mesh_free(mesh *m)
{
    for (int i = 0; i < MESH_ATTRIBUTE_COUNT; i++)
        free(m->attributes[i]);
    free(m->indices);
    *m = (mesh){0};
}

static void put(float to[4], double x, double y, double z, double w)
{
    to[0] = (float)x;
    to[1] = (float)y;
    to[2] = (float)z;
    to[3] = (float)w;
}

static void put_vector(float to[4], run_vector v, double w)
{
    put(to, v.x, v.y, v.z, w);
}

static run_vector cross(run_vector a, run_vector b)
{
    return (run_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(run_vector a, run_vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static run_vector add(run_vector a, run_vector b, double scale)
{
    return (run_vector){a.x + b.x * scale, a.y + b.y * scale, a.z + b.z * scale};
}

static run_vector unit(run_vector a, run_vector otherwise)
{
    double length = sqrt(dot(a, a));
    return length > 1e-12 ? (run_vector){a.x / length, a.y / length, a.z / length} : otherwise;
}

/* Two bones: 0 holds what is below, 1 what is above, mixed by height. */
static void put_bones(mesh *m, uint32_t i, double y)
{
    double above = y < -1 ? 0 : y > 1 ? 1 : y * 0.5 + 0.5;
    put(m->attributes[MESH_BLENDWEIGHT][i], 1 - above, above, 0, 0);
    put(m->attributes[MESH_BLENDINDICES][i], 0, 1, 0, 0);
}

static void put_vertex(mesh *m, uint32_t i, run_vector position, run_vector normal,
                       run_vector tangent, double handed, double u, double v)
{
    put_vector(m->attributes[MESH_POSITION][i], position, 1);
    put_vector(m->attributes[MESH_NORMAL][i], normal, 1);
    put_vector(m->attributes[MESH_TANGENT][i], tangent, handed);
    run_vector binormal = cross(normal, tangent);
    put(m->attributes[MESH_BINORMAL][i], binormal.x * handed, binormal.y * handed,
        binormal.z * handed, 1);
    put(m->attributes[MESH_TEXCOORD][i], u, v, 0, 1);
    put(m->attributes[MESH_COLOR][i], 1, 1, 1, 1);
    put_bones(m, i, position.y);
}

/* ---- made ones ---- */

/* A grid of (across + 1) * (down + 1) vertices from `first` on, u and v from 0 to 1, facing the viewer where u
 * runs right and v down. */
static void put_grid_indices(mesh *m, uint32_t index, uint32_t first, uint32_t across,
                             uint32_t down)
{
    for (uint32_t y = 0; y < down; y++)
        for (uint32_t x = 0; x < across; x++) {
            uint32_t a = first + y * (across + 1) + x, b = a + across + 1;
            const uint32_t corners[6] = {a, a + 1, b, a + 1, b + 1, b};
            memcpy(&m->indices[index], corners, sizeof corners);
            index += 6;
        }
}

static void make_sphere(mesh *m)
{
    enum { AROUND = 64, DOWN = 32 };
    const double pi = 3.14159265358979323846;
    allocate(m, (AROUND + 1) * (DOWN + 1), AROUND * DOWN * 6);
    for (uint32_t y = 0; y <= DOWN; y++)
        for (uint32_t x = 0; x <= AROUND; x++) {
            /* The middle of the texture faces the viewer. */
            double u = (double)x / AROUND, v = (double)y / DOWN, a = (u - 0.75) * 2 * pi,
                   b = v * pi;
            run_vector p = {sin(b) * cos(a), cos(b), sin(b) * sin(a)};
            put_vertex(m, y * (AROUND + 1) + x, p, p, (run_vector){-sin(a), 0, cos(a)}, 1, u, v);
        }
    put_grid_indices(m, 0, 0, AROUND, DOWN);
}

/* A square `across` cells wide around `centre`. */
static void put_square(mesh *m, uint32_t first, uint32_t index, uint32_t across, run_vector centre,
                       run_vector right, run_vector down, run_vector normal)
{
    for (uint32_t y = 0; y <= across; y++)
        for (uint32_t x = 0; x <= across; x++) {
            double u = (double)x / across, v = (double)y / across;
            run_vector p = add(add(centre, right, 2 * u - 1), down, 2 * v - 1);
            put_vertex(m, first + y * (across + 1) + x, p, normal, unit(right, right), 1, u, v);
        }
    put_grid_indices(m, index, first, across, across);
}

static void make_square(mesh *m, uint32_t across)
{
    allocate(m, (across + 1) * (across + 1), across * across * 6);
    put_square(m, 0, 0, across, (run_vector){0, 0, 0}, (run_vector){1, 0, 0},
               (run_vector){0, -1, 0}, (run_vector){0, 0, -1});
}

static void make_cube(mesh *m)
{
    /* The normal and what is to the right, seen from outside. */
    static const run_vector faces[6][2] = {{{0, 0, -1}, {1, 0, 0}}, {{1, 0, 0}, {0, 0, 1}},
                                           {{0, 0, 1}, {-1, 0, 0}}, {{-1, 0, 0}, {0, 0, -1}},
                                           {{0, 1, 0}, {1, 0, 0}},  {{0, -1, 0}, {1, 0, 0}}};
    const double half = 0.577350269189625764; /* its corners lie on the unit sphere */
    allocate(m, 24, 36);
    for (uint32_t i = 0; i < 6; i++) {
        run_vector normal = faces[i][0], right = faces[i][1], zero = {0, 0, 0};
        run_vector down = cross(normal, right);
        put_square(m, i * 4, i * 6, 1, add(zero, normal, half), add(zero, right, half),
                   add(zero, down, half), normal);
    }
}

/* ---- OBJ ---- */

enum { MAX_OBJ = 4 << 20 };

typedef struct obj {
    const char *path;
    uint32_t line;
    double (*lists[3])[6]; /* v (with its colour), vt, vn */
    uint32_t counts[3];
    uint32_t (*corners)[3]; /* three a triangle: indices into lists, UINT32_MAX none */
    uint32_t corner_count;
} obj;

static bool obj_fault(const obj *o, const char *problem)
{
    char *where = cli_printf("%s:%u", o->path, (unsigned)o->line);
    run_unreadable(where, "%s", problem);
    free(where);
    return false;
}

/* Grows an array that has `count` items at each power of two. */
static void *grown(void *memory, uint32_t count, size_t size)
{
    return (count & (count - 1)) ? memory : cli_realloc(memory, (count ? count * 2u : 1u) * size);
}

static bool read_list(obj *o, int list, const char *at)
{
    uint32_t count = o->counts[list], numbers = 0;
    if (count >= MAX_OBJ)
        return obj_fault(o, "too large");
    o->lists[list] = grown(o->lists[list], count, sizeof *o->lists[list]);
    double *to = o->lists[list][count], *defaults = (double[6]){0, 0, 0, 1, 1, 1};
    memcpy(to, defaults, 6 * sizeof *to);
    for (char *end; numbers < 6; numbers++, at = end) {
        double number = strtod(at, &end);
        if (end == at)
            break;
        to[numbers] = number;
    }
    if (numbers < (list == 1 ? 2u : 3u))
        return obj_fault(o, "too few numbers");
    if (list == 0 && numbers < 6) /* a fourth is w */
        to[3] = to[4] = to[5] = 1;
    o->counts[list]++;
    return true;
}

/* "7/3/2", "7//2", "7": counted from 1, or from the end where negative. */
static bool read_corner(obj *o, const char **at, uint32_t corner[3])
{
    static const int order[3] = {0, 1, 2};
    corner[0] = corner[1] = corner[2] = UINT32_MAX;
    for (int i = 0; i < 3; i++) {
        char *end;
        long number = strtol(*at, &end, 10);
        uint32_t count = o->counts[order[i]];
        if (end != *at) {
            long index = number < 0 ? (long)count + number : number - 1;
            if (index < 0 || index >= (long)count)
                return obj_fault(o, "a corner that is not there");
            corner[i] = (uint32_t)index;
        } else if (i == 0) {
            return obj_fault(o, "no corner");
        }
        *at = end;
        if (**at != '/')
            return true;
        (*at)++;
    }
    return true;
}

static bool read_face(obj *o, const char *at)
{
    uint32_t corners[3][3], count = 0;
    for (;;) {
        at += strspn(at, " \t\r");
        if (!*at || *at == '#')
            break;
        if (!read_corner(o, &at, corners[count < 2 ? count : 2]))
            return false;
        if (++count < 3)
            continue;
        if (o->corner_count + 3 > MAX_OBJ)
            return obj_fault(o, "too large");
        for (int i = 0; i < 3; i++) { /* a fan, turned: OBJ's front is counter-clockwise */
            o->corners = grown(o->corners, o->corner_count, sizeof *o->corners);
            memcpy(o->corners[o->corner_count++], corners[i ? 3 - i : 0], sizeof corners[i]);
        }
        memcpy(corners[1], corners[2], sizeof corners[1]);
    }
    return count >= 3 || obj_fault(o, "a face of fewer than three corners");
}

static bool read_line(obj *o, const char *at)
{
    at += strspn(at, " \t");
    if (!strncmp(at, "v ", 2) || !strncmp(at, "v\t", 2))
        return read_list(o, 0, at + 2);
    if (!strncmp(at, "vt", 2))
        return read_list(o, 1, at + 2);
    if (!strncmp(at, "vn", 2))
        return read_list(o, 2, at + 2);
    if (!strncmp(at, "f ", 2) || !strncmp(at, "f\t", 2))
        return read_face(o, at + 2);
    return true; /* groups, materials, lines: nothing to draw */
}

static run_vector vector_of(const double *from)
{
    return (run_vector){from[0], from[1], -from[2]}; /* OBJ is right-handed */
}

/* The box's middle goes to the origin and the farthest point to distance 1. */
static void fit(obj *o)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double farthest = 0;
    for (uint32_t i = 0; i < o->counts[0]; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], o->lists[0][i][k]);
            high[k] = fmax(high[k], o->lists[0][i][k]);
        }
    for (uint32_t i = 0; i < o->counts[0]; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            o->lists[0][i][k] -= (low[k] + high[k]) / 2;
            square += o->lists[0][i][k] * o->lists[0][i][k];
        }
        farthest = fmax(farthest, sqrt(square));
    }
    for (uint32_t i = 0; farthest > 0 && i < o->counts[0]; i++)
        for (int k = 0; k < 3; k++)
            o->lists[0][i][k] /= farthest;
}

static const double *uv_of(const obj *o, const uint32_t corner[3])
{
    static const double none[6] = {0};
    return corner[1] == UINT32_MAX ? none : o->lists[1][corner[1]];
}

/* Sums over a position's triangles: the normal by area, and the direction of u. */
static void sum_directions(const obj *o, run_vector *normals, run_vector *tangents,
                           run_vector *binormals)
{
    for (uint32_t i = 0; i + 2 < o->corner_count; i += 3) {
        const uint32_t *c[3] = {o->corners[i], o->corners[i + 1], o->corners[i + 2]};
        run_vector p[3], e, f;
        for (int k = 0; k < 3; k++)
            p[k] = vector_of(o->lists[0][c[k][0]]);
        e = add(p[1], p[0], -1);
        f = add(p[2], p[0], -1);
        const double *uv = uv_of(o, c[0]), *uv1 = uv_of(o, c[1]), *uv2 = uv_of(o, c[2]);
        double s1 = uv1[0] - uv[0], s2 = uv2[0] - uv[0], t1 = uv[1] - uv1[1], t2 = uv[1] - uv2[1];
        double area = s1 * t2 - s2 * t1, sign = area < 0 ? -1 : 1;
        run_vector along_u = {0, 0, 0}, along_v = {0, 0, 0};
        along_u = add(add(along_u, e, t2 * sign), f, -t1 * sign);
        along_v = add(add(along_v, f, s1 * sign), e, -s2 * sign);
        for (int k = 0; k < 3; k++) {
            normals[c[k][0]] = add(normals[c[k][0]], cross(e, f), 1);
            tangents[c[k][0]] = add(tangents[c[k][0]], along_u, 1);
            binormals[c[k][0]] = add(binormals[c[k][0]], along_v, 1);
        }
    }
}

static void make_obj(obj *o, mesh *m)
{
    size_t positions = o->counts[0] + 1;
    run_vector *sums = cli_alloc(3 * positions * sizeof *sums);
    fit(o);
    sum_directions(o, sums, sums + positions, sums + 2 * positions);
    allocate(m, o->corner_count, o->corner_count);
    for (uint32_t i = 0; i < o->corner_count; i++) {
        const uint32_t *c = o->corners[i];
        const double *uv = uv_of(o, c), *v = o->lists[0][c[0]];
        run_vector normal = unit(c[2] == UINT32_MAX ? sums[c[0]] : vector_of(o->lists[2][c[2]]),
                                 (run_vector){0, 1, 0});
        run_vector tangent = sums[positions + c[0]];
        run_vector side = fabs(normal.y) < 0.9 ? (run_vector){0, 1, 0} : (run_vector){1, 0, 0};
        tangent = unit(add(tangent, normal, -dot(tangent, normal)),
                       unit(cross(side, normal), (run_vector){1, 0, 0}));
        double handed = dot(cross(normal, tangent), sums[2 * positions + c[0]]) < 0 ? -1 : 1;
        put_vertex(m, i, vector_of(v), normal, tangent, handed, uv[0],
                   c[1] == UINT32_MAX ? 0 : 1 - uv[1]);
        put(m->attributes[MESH_COLOR][i], v[3], v[4], v[5], 1);
        m->indices[i] = i;
    }
    free(sums);
}

static bool read_obj(const char *path, mesh *m)
{
    cli_bytes bytes;
    obj o = {.path = path};
    if (!cli_read_or_say(path, &bytes))
        return false;
    char *text = cli_alloc(bytes.size + 1);
    memcpy(text, bytes.data, bytes.size);
    free(bytes.data);
    bool ok = true;
    for (char *at = text; ok && *at;) {
        char *end = at + strcspn(at, "\n");
        bool more = *end == '\n';
        *end = 0;
        o.line++;
        ok = read_line(&o, at);
        at = more ? end + 1 : end;
    }
    if (ok && !o.corner_count)
        ok = run_unreadable(path, "no OBJ file: no face in it");
    if (ok)
        make_obj(&o, m);
    for (int i = 0; i < 3; i++)
        free(o.lists[i]);
    free(o.corners);
    free(text);
    return ok;
}

bool mesh_make(const char *name, mesh *m)
{
    enum { GRID = 64 };
    size_t size = strlen(name);
    if (!strcmp(name, "sphere"))
        make_sphere(m);
    else if (!strcmp(name, "cube"))
        make_cube(m);
    else if (!strcmp(name, "quad"))
        make_square(m, 1);
    else if (!strcmp(name, "grid"))
        make_square(m, GRID);
    else if (size > 4 && (!strcmp(name + size - 4, ".obj") || !strcmp(name + size - 4, ".OBJ")))
        return read_obj(name, m);
    else
        return run_fault("--mesh", "takes sphere, cube, quad, grid or FILE.obj, not '%s'", name);
    return true;
}
