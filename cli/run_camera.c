/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The matrices that `--const NAME=@mvp` names. Direct3D's conventions: a left-handed space, x right, y up,
 * z away from the viewer, depth 0 to 1, row vectors (v * M); the formulas are those of the documentation of
 * D3DXMatrixLookAtLH and D3DXMatrixPerspectiveFovLH.
 */
#include "run.h"
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
enum { NEAR_TENTHS = 1, FAR = 100 };

static const run_matrix identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

static run_matrix multiply(const run_matrix *a, const run_matrix *b)
{
    run_matrix m = {0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                m.at[i][j] += a->at[i][k] * b->at[k][j];
    return m;
}

static run_matrix transposed(const run_matrix *a)
{
    run_matrix m;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            m.at[i][j] = a->at[j][i];
    return m;
}

/* ---- vectors ---- */

static run_vector minus(run_vector a, run_vector b)
{
    return (run_vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(run_vector a, run_vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static run_vector cross(run_vector a, run_vector b)
{
    return (run_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static run_vector unit(run_vector a)
{
    double length = sqrt(dot(a, a));
    return length > 0 ? (run_vector){a.x / length, a.y / length, a.z / length}
                      : (run_vector){0, 0, 1};
}

/* ---- the matrices ---- */

/* Around x, then y, then z; positive angles turn clockwise looking along the axis, as D3DX has it. */
static run_matrix model(const run_given *given)
{
    double a = given->turn.x * PI / 180, b = given->turn.y * PI / 180, c = given->turn.z * PI / 180;
    run_matrix x = identity, y = identity, z = identity;
    x.at[1][1] = x.at[2][2] = cos(a);
    x.at[1][2] = sin(a);
    x.at[2][1] = -sin(a);
    y.at[0][0] = y.at[2][2] = cos(b);
    y.at[0][2] = -sin(b);
    y.at[2][0] = sin(b);
    z.at[0][0] = z.at[1][1] = cos(c);
    z.at[0][1] = sin(c);
    z.at[1][0] = -sin(c);
    run_matrix xy = multiply(&x, &y);
    return multiply(&xy, &z);
}

static run_matrix view(const run_given *given)
{
    run_vector forward = unit(minus(given->at, given->eye)), up = {0, 1, 0};
    if (fabs(forward.y) > 0.9999)
        up = (run_vector){0, 0, 1};
    run_vector right = unit(cross(up, forward));
    up = cross(forward, right);
    return (run_matrix){
        {{right.x, up.x, forward.x, 0},
         {right.y, up.y, forward.y, 0},
         {right.z, up.z, forward.z, 0},
         {-dot(right, given->eye), -dot(up, given->eye), -dot(forward, given->eye), 1}}};
}

static run_matrix projection(const run_given *given)
{
    double near = NEAR_TENTHS / 10.0, depth = FAR / (FAR - near);
    double y = 1 / tan(given->fov * PI / 360), x = y * given->height / given->width;
    return (run_matrix){{{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, depth, 1}, {0, 0, -near * depth, 0}}};
}

/* The inverse transpose of the upper 3x3: its cofactors over the determinant. */
static run_matrix for_normals(const run_matrix *m)
{
    run_matrix out = identity;
    double determinant = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            out.at[i][j] = m->at[a][c] * m->at[b][d] - m->at[a][d] * m->at[b][c];
        }
    for (int j = 0; j < 3; j++)
        determinant += m->at[0][j] * out.at[0][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.at[i][j] /= determinant;
    return out;
}

bool run_helper(const run_given *given, const char *word, run_matrix *out, bool *vector)
{
    size_t size = strlen(word);
    bool transpose = size > 2 && !strcmp(word + size - 2, ".t");
    run_matrix m = model(given), v = view(given), p = projection(given);
    run_matrix mv = multiply(&m, &v), vp = multiply(&v, &p), mvp = multiply(&m, &vp);
    run_matrix eye = {{{given->eye.x, given->eye.y, given->eye.z, 1}}};
    const struct {
        const char *name;
        run_matrix value;
        bool vector;
    } helpers[] = {
        {"@m", m, false},
        {"@v", v, false},
        {"@p", p, false},
        {"@mv", mv, false},
        {"@vp", vp, false},
        {"@mvp", mvp, false},
        {"@eye", eye, true},
        {"@normal", for_normals(&m), false},
        {"@identity", identity, false},
    };
    if (transpose)
        size -= 2;
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
        if (strlen(helpers[i].name) != size || memcmp(helpers[i].name, word, size) != 0 ||
            (transpose && helpers[i].vector))
            continue;
        *out = transpose ? transposed(&helpers[i].value) : helpers[i].value;
        *vector = helpers[i].vector;
        return true;
    }
    return false;
}
