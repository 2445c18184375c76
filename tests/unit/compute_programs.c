/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The compute programs of tests/fixtures/compute in plain C, invocation by invocation or directly.
 */
#include "tests/unit/compute_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- binding ---- */

static compute_binding *bind_words(compute_run *run, const char *name, uint32_t words)
{
    compute_binding *b = &run->bindings[run->count++];
    b->name = name;
    b->size = words;
    return b;
}

static compute_binding *bind_out(compute_run *run, const char *name, uint32_t words)
{
    compute_binding *b = bind_words(run, name, words);
    b->written = true;
    return b;
}

static compute_binding *bind_texture(compute_run *run, const char *name, iri_exec_texture texture)
{
    compute_binding *b = bind_words(run, name, 0);
    texture.texels = b->words;
    b->texture = texture;
    b->size = (uint32_t)iri_exec_texture_words(&b->texture);
    return b;
}

/* Numbers that look like any. */
static void fill(compute_binding *b, uint32_t seed, uint32_t mask)
{
    for (uint32_t i = 0; i < b->size; i++) {
        seed = seed * 1664525u + 1013904223u;
        b->words[i] = seed >> 8 & mask;
    }
}

static uint32_t from_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float to_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Small whole numbers, so that sums are exact in any order. */
static void fill_floats(compute_binding *b, uint32_t seed)
{
    fill(b, seed, 15);
    for (uint32_t i = 0; i < b->size; i++)
        b->words[i] = from_float((float)b->words[i] - 8);
}

static void set_groups(compute_run *run, uint32_t x, uint32_t y, uint32_t z)
{
    run->groups[0] = x;
    run->groups[1] = y;
    run->groups[2] = z;
}

/* ---- programs ---- */

static void bind_ids(compute_run *run)
{
    set_groups(run, 2, 3, 2);
    bind_out(run, "Out", 8 * 9 * 4 * 10);
}

static void compute_ids(compute_run *run)
{
    uint32_t at[3], *to = run->bindings[0].words;
    static const uint32_t size[3] = {4, 3, 2};
    for (at[2] = 0; at[2] < 4; at[2]++)
        for (at[1] = 0; at[1] < 9; at[1]++)
            for (at[0] = 0; at[0] < 8; at[0]++, to += 10) {
                for (int k = 0; k < 3; k++) {
                    to[k] = at[k];
                    to[3 + k] = at[k] / size[k];
                    to[6 + k] = at[k] % size[k];
                }
                to[9] = to[6] + 4 * to[7] + 12 * to[8];
            }
}

static void bind_reduce(compute_run *run)
{
    set_groups(run, 5, 1, 1);
    fill(bind_words(run, "Numbers", 320), 1, UINT32_MAX);
    bind_out(run, "Sums", 5);
}

static void compute_reduce(compute_run *run)
{
    for (uint32_t i = 0; i < 320; i++)
        run->bindings[1].words[i / 64] += run->bindings[0].words[i];
}

static void bind_scan(compute_run *run)
{
    set_groups(run, 3, 1, 1);
    fill(bind_out(run, "Numbers", 384), 2, UINT32_MAX);
}

static void compute_scan(compute_run *run)
{
    uint32_t *words = run->bindings[0].words;
    for (uint32_t i = 0; i < 384; i++)
        words[i] += i % 128 ? words[i - 1] : 0;
}

static void bind_histogram(compute_run *run)
{
    set_groups(run, 2, 4, 1);
    fill(bind_words(run, "Words", 512), 3, UINT32_MAX);
    bind_out(run, "Bins", 16);
}

static void compute_histogram(compute_run *run)
{
    for (uint32_t i = 0; i < 512; i++)
        for (uint32_t k = 4; k < 32; k += 8)
            run->bindings[1].words[run->bindings[0].words[i] >> k & 15]++;
}

static void bind_atomics(compute_run *run)
{
    set_groups(run, 2, 1, 1);
    fill(bind_words(run, "Numbers", 256), 4, UINT32_MAX);
    compute_binding *results = bind_out(run, "Results", 11);
    results->words[1] = results->words[4] = UINT32_MAX;
    results->words[6] = 0x7fffffff;
    results->words[7] = 0x80000000;
    results->words[10] = 123;
}

static void compute_atomics(compute_run *run)
{
    const uint32_t *numbers = run->bindings[0].words;
    uint32_t *r = run->bindings[1].words;
    for (uint32_t i = 0; i < 128; i++) {
        uint32_t x = numbers[2 * i];
        int32_t y = (int32_t)numbers[2 * i + 1];
        r[0] += x;
        r[1] &= x;
        r[2] |= x;
        r[3] ^= x;
        r[4] = x < r[4] ? x : r[4];
        r[5] = x > r[5] ? x : r[5];
        r[6] = y < (int32_t)r[6] ? (uint32_t)y : r[6];
        r[7] = y > (int32_t)r[7] ? (uint32_t)y : r[7];
        r[8]++;
        r[9] = 77;
    }
}

static void bind_append(compute_run *run)
{
    set_groups(run, 2, 1, 1);
    fill(bind_words(run, "Numbers", 128), 5, 1023);
    bind_out(run, "Even", 128)->unordered = true;
    compute_binding *stack = bind_words(run, "Stack", 128);
    fill(stack, 6, 1023);
    stack->counter = 128;
    compute_binding *taken = bind_out(run, "Taken", 128);
    taken->unordered = true;
    taken->counter = 2;
}

static void compute_append(compute_run *run)
{
    compute_binding *even = &run->bindings[1], *stack = &run->bindings[2],
                    *taken = &run->bindings[3];
    for (uint32_t i = 0; i < 128; i++) {
        uint32_t x = run->bindings[0].words[i];
        if (x & 1) {
            uint32_t y = stack->words[--stack->counter];
            if (taken->counter < 128)
                taken->words[taken->counter] = y;
            taken->counter++;
        } else {
            even->words[even->counter++] = x;
        }
    }
}

static void bind_blur(compute_run *run)
{
    iri_exec_texture picture = {IRI_DIMENSION_2D, 20, 13, 1, 1, 1, NULL, 0};
    set_groups(run, 3, 2, 1);
    fill_floats(bind_texture(run, "Picture", picture), 7);
    bind_texture(run, "Blurred", picture)->written = true;
}

static void compute_blur(compute_run *run)
{
    const uint32_t *from = run->bindings[0].words;
    uint32_t *to = run->bindings[1].words;
    for (int y = 0; y < 13; y++)
        for (int x = 0; x < 20; x++)
            for (int k = 0; k < 4; k++) {
                float sum = 0;
                for (int v = y - 1; v <= y + 1; v++)
                    for (int u = x - 1; u <= x + 1; u++)
                        if (u >= 0 && u < 20 && v >= 0 && v < 13)
                            sum += to_float(from[(v * 20 + u) * 4 + k]);
                to[(y * 20 + x) * 4 + k] = from_float(sum * 0.125f);
            }
}

enum { INNER = 24 };

static void bind_matmul(compute_run *run)
{
    set_groups(run, 4, 2, 1);
    bind_words(run, "Sizes", 4)->words[0] = INNER;
    fill_floats(bind_words(run, "A", 16 * INNER), 8);
    fill_floats(bind_words(run, "B", INNER * 32), 9);
    bind_out(run, "C", 16 * 32);
}

static void compute_matmul(compute_run *run)
{
    for (uint32_t y = 0; y < 16; y++)
        for (uint32_t x = 0; x < 32; x++) {
            float sum = 0;
            for (uint32_t k = 0; k < INNER; k++)
                sum += to_float(run->bindings[1].words[y * INNER + k]) *
                       to_float(run->bindings[2].words[k * 32 + x]);
            run->bindings[3].words[y * 32 + x] = from_float(sum);
        }
}

/* Buffers end inside what is read and written: at 10 words, 4 elements and 2 words. */
static void bind_bounds(compute_run *run)
{
    set_groups(run, 1, 1, 1);
    fill(bind_words(run, "Raw", 10), 10, UINT32_MAX);
    fill(bind_words(run, "Elements", 14), 11, UINT32_MAX);
    bind_out(run, "Out", 250);
    bind_out(run, "Edge", 28);
}

static void compute_bounds(compute_run *run)
{
    const uint32_t *raw = run->bindings[0].words, *elements = run->bindings[1].words;
    static const uint32_t small[5] = {5, 5, 5, 7, 7};
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t *edge = run->bindings[3].words, row[16] = {0};
        for (uint32_t k = 0; k < 4; k++) {
            row[k] = i + k < 10 ? raw[i + k] : 0;
            row[4 + k] = i < 4 && i + k < 3 ? elements[3 * i + i + k] : 0;
            row[8 + k] = i + k < 5 ? small[i + k] : 0;
            row[12 + k] = 3;
        }
        for (uint32_t k = 0; k < 16 && i * 16 + k < 250; k++)
            run->bindings[2].words[i * 16 + k] = row[k];
        if (i < 9)
            edge[3 * i + 2] = 11;
    }
}

static void bind_queries(compute_run *run)
{
    set_groups(run, 1, 1, 1);
    fill_floats(
        bind_texture(run, "Levels", (iri_exec_texture){IRI_DIMENSION_2D, 4, 2, 1, 3, 3, NULL, 0}),
        12);
    fill_floats(
        bind_texture(run, "Flat", (iri_exec_texture){IRI_DIMENSION_2D, 4, 4, 1, 1, 1, NULL, 0}),
        13);
    bind_texture(run, "Volume", (iri_exec_texture){IRI_DIMENSION_3D, 2, 3, 4, 1, 1, NULL, 0});
    bind_words(run, "Bytes", 7);
    bind_words(run, "Elements", 3 * 5 + 2);
    bind_out(run, "Out", 16 * 28);
}

/* Coordinates in 0 .. 3 and, as the sampler wraps, beyond. */
static uint32_t flat(const compute_run *run, uint32_t x, uint32_t y, uint32_t lane)
{
    return run->bindings[1].words[((y & 3) * 4 + (x & 3)) * 4 + lane];
}

static void query(const compute_run *run, uint32_t x, uint32_t y, uint32_t to[28])
{
    static const uint32_t sizes[4][3] = {{4, 2, 3}, {2, 1, 3}, {1, 1, 3}, {0, 0, 0}};
    static const uint32_t corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    static const uint32_t before[3] = {0, 24, 30}; /* texels of levels below */
    const uint32_t rest[9] = {3, 2, 3, 4, 28, 5, 4, 4, 0};
    memcpy(to, sizes[x], sizeof sizes[x]);
    memcpy(to + 3, rest, sizeof rest);
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t *size = sizes[y];
        /* The footprint of a texel's centre: the texel and the one after it on each axis. */
        uint32_t u = x + corners[k][0], v = y + corners[k][1];
        to[12 + k] = x && y ? flat(run, x - 1, y - 1, k) : 0;
        to[16 + k] = 0;
        if (x < size[0] && y < size[1] && x < size[2])
            to[16 + k] =
                run->bindings[0].words[(before[y] + (x * size[1] + y) * size[0] + x) * 4 + k];
        to[20 + k] = flat(run, u, v, 1);
        to[24 + k] = flat(run, u + 1, v - 1, 0);
    }
}

static void compute_queries(compute_run *run)
{
    for (uint32_t i = 0; i < 16; i++)
        query(run, i % 4, i / 4, run->bindings[5].words + (size_t)28 * i);
}

const compute_program compute_programs[] = {
    {"ids", bind_ids, compute_ids},
    {"reduce", bind_reduce, compute_reduce},
    {"scan", bind_scan, compute_scan},
    {"histogram", bind_histogram, compute_histogram},
    {"atomics", bind_atomics, compute_atomics},
    {"append", bind_append, compute_append},
    {"blur", bind_blur, compute_blur},
    {"matmul", bind_matmul, compute_matmul},
    {"bounds", bind_bounds, compute_bounds},
    {"queries", bind_queries, compute_queries},
};
const uint32_t compute_program_count = sizeof compute_programs / sizeof *compute_programs;

/* ---- what is shared ---- */

char *compute_read(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "tests/fixtures/compute/%s.iri", name);
    FILE *file = fopen(path, "rb");
    char *text = file ? calloc(1, 65536) : NULL;
    if (text && fread(text, 1, 65535, file) == 0) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

void compute_resources(compute_run *run, const iri_program *p, iri_exec_resource *resources,
                       iri_exec_memory *memories)
{
    const iri_interface *io = iri_program_interface(p);
    memset(resources, 0, io->resource_count * sizeof *resources);
    for (uint32_t i = 0; i < run->count; i++) {
        compute_binding *b = &run->bindings[i];
        uint32_t at = iri_find_resource(p, b->name);
        if (at == IRI_NOT_FOUND)
            continue;
        memories[at] = (iri_exec_memory){b->words, b->size * sizeof *b->words, b->counter};
        if (b->texture.width)
            resources[at].texture = &b->texture;
        if (io->resources[at].kind == IRI_RESOURCE_CBUFFER) {
            resources[at].data = b->words;
            resources[at].size = b->size * sizeof *b->words;
        } else {
            resources[at].memory = &memories[at];
        }
    }
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool compute_same(const compute_run *a, const compute_run *b, char *what, uint32_t size)
{
    static uint32_t x[COMPUTE_WORDS], y[COMPUTE_WORDS];
    for (uint32_t i = 0; i < a->count; i++) {
        const compute_binding *p = &a->bindings[i], *q = &b->bindings[i];
        memcpy(x, p->words, sizeof x);
        memcpy(y, q->words, sizeof y);
        if (p->unordered) {
            qsort(x, p->size, sizeof *x, by_value);
            qsort(y, p->size, sizeof *y, by_value);
        }
        for (uint32_t k = 0; k < p->size; k++)
            if (x[k] != y[k]) {
                snprintf(what, size, "%s, word %u: %08x and %08x", p->name, (unsigned)k,
                         (unsigned)x[k], (unsigned)y[k]);
                return false;
            }
        if (p->counter != q->counter) {
            snprintf(what, size, "%s: counters %u and %u", p->name, (unsigned)p->counter,
                     (unsigned)q->counter);
            return false;
        }
    }
    return true;
}
