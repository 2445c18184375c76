/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program reads and writes: its interface, constant buffers, indexable locals. What lies out of
 * range reads as zero and is not written (Direct3D 10's rule, which this library takes for all programs).
 */
#include "exec/exec.h"

static size_t lane_bytes(iri_scalar scalar)
{
    return iri_is_wide(scalar) ? 8 : iri_scalar_bits(scalar) == 16 ? 2 : 4;
}

static uint64_t get_bytes(const uint8_t *at, size_t bytes)
{
    uint16_t half;
    uint32_t word;
    uint64_t wide;
    if (bytes == 2)
        return memcpy(&half, at, 2), half;
    if (bytes == 4)
        return memcpy(&word, at, 4), word;
    return memcpy(&wide, at, 8), wide;
}

static uint8_t *array_at(const iri_exec_array *array, uint32_t invocation, uint32_t lane,
                         size_t bytes)
{
    return (uint8_t *)array->data + array->stride * invocation +
           (array->lane_stride ? array->lane_stride : bytes) * lane;
}

/* Four words for each invocation, side by side and aligned. */
static bool is_row_of_4(const iri_exec_array *array)
{
    return array->stride == 16 && (!array->lane_stride || array->lane_stride == 4) &&
           (uintptr_t)array->data % 4 == 0;
}

static void fill(const iri_machine *m, uint32_t column, iri_scalar scalar, uint64_t bits)
{
    if (iri_is_wide(scalar)) {
        uint64_t *wide = iri_column64(m, column);
        for (uint32_t i = 0; i < m->width; i++)
            wide[i] = bits;
    } else {
        iri_cell *cell = iri_column(m, column);
        uint32_t word = scalar == IRI_BOOL ? 0u - (uint32_t)(bits != 0) : (uint32_t)bits;
        for (uint32_t i = 0; i < m->width; i++)
            cell[i].u = word;
    }
}

void iri_kernel_input(iri_machine *m, const iri_step *s)
{
    const iri_exec_array none = {0};
    const iri_exec_array *array = m->batch->inputs ? &m->batch->inputs[s->x] : &none;
    iri_scalar scalar = (iri_scalar)s->result;
    size_t bytes = lane_bytes(scalar);
    for (uint32_t k = 0; k < s->lanes; k++) {
        if (!array->data || !array->stride) {
            fill(m, s->d[k], scalar,
                 array->data ? get_bytes(array_at(array, 0, s->a[k], bytes), bytes) : 0);
            continue;
        }
        const uint8_t *from = array_at(array, m->first, s->a[k], bytes);
        iri_cell *to = iri_column(m, s->d[k]);
        if (bytes == 4 && scalar != IRI_BOOL && is_row_of_4(array)) {
            m->exec->kernels->split4((const iri_cell *)(const void *)from, m->count, to);
        } else if (bytes == 4 && scalar != IRI_BOOL) {
            for (uint32_t i = 0; i < m->count; i++, from += array->stride)
                memcpy(&to[i], from, 4);
        } else {
            for (uint32_t i = 0; i < m->count; i++, from += array->stride) {
                uint64_t bits = get_bytes(from, bytes);
                iri_set_lane(m, s->d[k], scalar, i, scalar == IRI_BOOL ? bits != 0 : bits);
            }
        }
        for (uint32_t i = m->count; i < m->width; i++)
            iri_set_lane(m, s->d[k], scalar, i, 0);
    }
}

static void put_bytes(uint8_t *at, size_t bytes, uint64_t bits)
{
    uint16_t half = (uint16_t)bits;
    uint32_t word = (uint32_t)bits;
    if (bytes == 2)
        memcpy(at, &half, 2);
    else if (bytes == 4)
        memcpy(at, &word, 4);
    else
        memcpy(at, &bits, 8);
}

/* Whether all four lanes of all invocations go to rows of four words. */
static bool writes_rows(const iri_machine *m, const iri_step *s, const iri_exec_array *array)
{
    const iri_cell *mask = iri_column(m, IRI_COLUMN_MASK);
    uint32_t all = UINT32_MAX;
    if (s->lanes != 4 || lane_bytes((iri_scalar)s->scalar) != 4 || s->scalar == IRI_BOOL ||
        !is_row_of_4(array))
        return false;
    for (uint32_t k = 0; k < 4; k++)
        if (s->b[k] != k)
            return false;
    for (uint32_t i = 0; i < m->count; i++)
        all &= mask[i].u;
    return all != 0;
}

void iri_kernel_output(iri_machine *m, const iri_step *s)
{
    const iri_exec_array *array = m->batch->outputs ? &m->batch->outputs[s->x] : NULL;
    const iri_cell *mask = iri_column(m, IRI_COLUMN_MASK);
    size_t bytes = lane_bytes((iri_scalar)s->scalar);
    if (!array || !array->data)
        return;
    if (writes_rows(m, s, array)) {
        m->exec->kernels->join4(iri_column(m, s->a[0]), iri_column(m, s->a[1]),
                                iri_column(m, s->a[2]), iri_column(m, s->a[3]), m->count,
                                (iri_cell *)(void *)array_at(array, m->first, 0, 4));
        return;
    }
    for (uint32_t k = 0; k < s->lanes; k++) {
        uint8_t *to = array_at(array, m->first, s->b[k], bytes);
        const iri_cell *from = iri_column(m, s->a[k]);
        if (bytes == 4 && s->scalar != IRI_BOOL) {
            for (uint32_t i = 0; i < m->count; i++, to += array->stride)
                if (mask[i].u)
                    memcpy(to, &from[i], 4);
        } else {
            for (uint32_t i = 0; i < m->count; i++, to += array->stride)
                if (mask[i].u)
                    put_bytes(to, bytes, iri_get_lane(m, s->a[k], s->scalar, i));
        }
    }
}

/* Each 32-bit word on its own: one past the end is zero though the one before it is not. */
uint64_t iri_load_constant(const iri_machine *m, uint32_t resource, uint32_t index, uint64_t offset,
                           iri_scalar scalar)
{
    const iri_resource *declared = &m->exec->program->interface.resources[resource];
    const iri_exec_resource *bound = m->batch->resources && resource < m->batch->resource_count
                                         ? &m->batch->resources[resource]
                                         : NULL;
    if (!bound || !bound->data || index)
        return 0;
    uint64_t size = declared->size && declared->size < bound->size ? declared->size : bound->size,
             bits = 0;
    size_t bytes = lane_bytes(scalar);
    for (size_t part = 0; part < bytes; part += 4) {
        size_t length = bytes < 4 ? bytes : 4;
        if (offset + part + length <= size)
            bits |= get_bytes((const uint8_t *)bound->data + offset + part, length) << 8 * part;
    }
    return scalar == IRI_BOOL ? bits != 0 : bits;
}

void iri_kernel_load_cb(iri_machine *m, const iri_step *s)
{
    for (uint32_t k = 0; k < s->lanes; k++) {
        const iri_cell *offset = iri_column(m, s->a[k]), *index = iri_column(m, s->b[k]);
        for (uint32_t i = 0; i < m->width; i++) {
            uint64_t at = (uint64_t)offset[i].u + s->c[k];
            iri_set_lane(
                m, s->d[k], s->result, i,
                iri_load_constant(m, s->x, s->z ? index[i].u : 0, at, (iri_scalar)s->result));
        }
    }
}

void iri_kernel_zero_array(iri_machine *m, const iri_step *s)
{
    memset(iri_column(m, s->x), 0, (size_t)s->y * m->width * sizeof(iri_cell));
}

/* x the first column, y elements, z lanes an element; b the index, c the lane. */
static uint32_t element_column(const iri_step *s, uint32_t k, uint32_t index)
{
    return s->x + (index * s->z + s->c[k]) * (iri_is_wide(s->scalar) ? 2 : 1);
}

void iri_kernel_load_array(iri_machine *m, const iri_step *s)
{
    for (uint32_t k = 0; k < s->lanes; k++) {
        const iri_cell *index = iri_column(m, s->b[k]);
        for (uint32_t i = 0; i < m->width; i++) {
            bool in = index[i].u < s->y;
            iri_set_lane(m, s->d[k], s->scalar, i,
                         in ? iri_get_lane(m, element_column(s, k, index[i].u), s->scalar, i) : 0);
        }
    }
}

void iri_kernel_store_array(iri_machine *m, const iri_step *s)
{
    const iri_cell *mask = iri_column(m, IRI_COLUMN_MASK);
    for (uint32_t k = 0; k < s->lanes; k++) {
        const iri_cell *index = iri_column(m, s->b[k]);
        for (uint32_t i = 0; i < m->width; i++)
            if (mask[i].u && index[i].u < s->y)
                iri_set_lane(m, element_column(s, k, index[i].u), s->scalar, i,
                             iri_get_lane(m, s->a[k], s->scalar, i));
    }
}

void iri_kernel_demote(iri_machine *m, const iri_step *s)
{
    const iri_cell *mask = iri_column(m, IRI_COLUMN_MASK), *a = iri_column(m, s->a[0]);
    iri_cell *killed = iri_column(m, IRI_COLUMN_KILLED);
    for (uint32_t i = 0; i < m->width; i++)
        killed[i].u |= mask[i].u & a[i].u;
}
