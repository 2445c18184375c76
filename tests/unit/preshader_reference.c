/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preshaders in double precision, straight from their tokens.
 */
#include "preshader_reference.h"
#include <math.h>
#include <string.h>

typedef struct stream {
    const uint8_t *at;
    size_t left; /* words */
} stream;

static uint32_t word(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint32_t take(stream *s)
{
    uint32_t value = s->left ? word(s->at) : 0;
    s->at += s->left ? 4 : 0;
    s->left -= s->left ? 1 : 0;
    return value;
}

/* What follows a tag, at a multiple of 4 from `bytes`. */
static const uint8_t *tag_at(const uint8_t *bytes, size_t size, const char *tag)
{
    for (size_t i = 0; i + 8 <= size; i += 4)
        if (memcmp(bytes + i, tag, 4) == 0)
            return bytes + i + 4;
    return NULL;
}

const uint8_t *reference_find(const uint8_t *bytes, size_t size)
{
    if (size >= 4 && word(bytes) >> 16 == 0x4658)
        return bytes;
    return tag_at(bytes, size, "PRES");
}

typedef struct operand {
    uint32_t index_table, index_at, table, at;
    bool indexed;
} operand;

static operand take_operand(stream *s)
{
    operand o = {0, 0, 0, 0, false};
    o.indexed = take(s) != 0;
    if (o.indexed) {
        o.index_table = take(s);
        o.index_at = take(s);
    }
    o.table = take(s);
    o.at = take(s);
    return o;
}

typedef struct machine {
    reference *r;
    const uint8_t *literals;
    uint32_t rows;
    bool known;
} machine;

static double get(machine *m, uint32_t table, uint32_t at)
{
    double value;
    switch (table) {
    case 1: memcpy(&value, m->literals + (size_t)at * 8, 8); return value;
    case 2: return at < REFERENCE_LANES ? (double)m->r->input[at] : 0;
    case 4: return (double)m->r->c[at % REFERENCE_LANES];
    case 7: return (double)m->r->temp[at % REFERENCE_LANES];
    default: m->known = false; return 0;
    }
}

static double fetch(machine *m, const operand *o, uint32_t lane)
{
    if (!o->indexed)
        return get(m, o->table, o->at + lane);
    double index = rint(get(m, o->index_table, o->index_at));
    uint32_t base = fabs(index) < 2147483648.0 ? (uint32_t)(int32_t)index : 0x80000000u;
    uint32_t at = base * 4 + o->at + lane, reg = at / 4, wrap = 1;
    while (wrap < m->rows)
        wrap *= 2;
    if (reg >= m->rows)
        reg %= wrap;
    return reg >= m->rows ? 0 : get(m, o->table, reg * 4 + at % 4);
}

static double sum(const double *a, const double *b, uint32_t count)
{
    double total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += a[i] * b[i];
    return total;
}

static double compute(machine *m, uint32_t opcode, const double *x, uint32_t count)
{
    double size = fabs(x[0]);
    bool function = (opcode >= 0x105 && opcode <= 0x10c && opcode != 0x107) || opcode == 0x206;
    m->r->function = m->r->function || function;
    switch (opcode) {
    case 0x100: return x[0];
    case 0x101: return -x[0];
    case 0x103: return 1 / x[0];
    case 0x104: return x[0] - floor(x[0]);
    case 0x105: return pow(2, x[0]);
    case 0x106: return size == 0 ? 0 : log2(size);
    case 0x107: return 1 / sqrt(size);
    case 0x108: return sin(x[0]);
    case 0x109: return cos(x[0]);
    case 0x10a: return asin(x[0]);
    case 0x10b: return acos(x[0]);
    case 0x10c: return atan(x[0]);
    case 0x200: return fmin(x[0], x[1]);
    case 0x201: return fmax(x[0], x[1]);
    case 0x202: return x[0] < x[1];
    case 0x203: return x[0] >= x[1];
    case 0x204: return x[0] + x[1];
    case 0x205: return x[0] * x[1];
    case 0x206: return atan2(x[0], x[1]);
    case 0x208: return 0;
    case 0x300: return x[0] >= 0 ? x[1] : x[2];
    case 0x70e: return sum(x, x + count / 2, count / 2);
    default: m->known = false; return 0;
    }
}

static void set(machine *m, const operand *to, uint32_t lane, double value)
{
    uint32_t at = to->at + lane;
    float number = (float)value;
    switch (to->table) {
    case 4: m->r->c[at % REFERENCE_LANES] = number; return;
    case 5: m->r->b[(to->at / 4 + lane) % REFERENCE_LANES] = value != 0; return;
    case 6:
        m->r->i[at % REFERENCE_LANES] =
            fabs(rint(value)) < 2147483648.0 ? (int32_t)rint(value) : INT32_MIN;
        return;
    case 7: m->r->temp[at % REFERENCE_LANES] = number; return;
    default: m->known = false;
    }
}

static void run_instruction(machine *m, stream *s)
{
    uint32_t head = take(s), count = take(s), opcode = head >> 20 & 0x7ff, lanes = head & 0xffff;
    operand x[8];
    double values[2][16];
    if (count > 8 || lanes > 16) {
        m->known = false;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        x[i] = take_operand(s);
    operand to = take_operand(s);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        for (uint32_t i = 0; i < count && opcode != 0x500; i++)
            values[0][i] = fetch(m, &x[i], i == 0 && head >> 31 ? 0 : lane);
        if (opcode != 0x500)
            set(m, &to, lane, compute(m, opcode, values[0], count));
        for (uint32_t i = 0; i < 2 && opcode == 0x500; i++)
            values[i][lane] = fetch(m, &x[i], i == 0 && head >> 31 ? 0 : lane);
    }
    if (opcode == 0x500)
        set(m, &to, 0, sum(values[0], values[1], lanes));
}

bool reference_run(reference *r, const uint8_t *bytes, size_t size, uint32_t rows)
{
    const uint8_t *code = tag_at(bytes, size, "FXLC"), *literals = tag_at(bytes, size, "CLIT");
    machine m = {r, literals ? literals + 4 : NULL, rows, code != NULL};
    memset(r->temp, 0, sizeof r->temp);
    memset(r->c, 0, sizeof r->c);
    memset(r->i, 0, sizeof r->i);
    memset(r->b, 0, sizeof r->b);
    r->function = false;
    if (!code)
        return false;
    stream s = {code, (size - (size_t)(code - bytes)) / 4};
    for (uint32_t left = take(&s); left && m.known; left--)
        run_instruction(&m, &s);
    return m.known;
}
