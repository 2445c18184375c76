/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small facts of types, lanes and labels. Type names are WGSL's, which has a name for each; labels of
 * resources are Direct3D's register classes.
 */
#include "ir/program.h"

#include <stdio.h>

static const struct {
    const char *names[4];
    uint32_t bits;
} scalars[IRI_SCALAR_COUNT] = {
#define ROW(name, bits) \
    { \
        {name, "vec2<" name ">", "vec3<" name ">", "vec4<" name ">"}, bits \
    }
    [IRI_VOID] = {{"void", "void", "void", "void"}, 0},
    [IRI_BOOL] = ROW("bool", 1),
    [IRI_I16] = ROW("i16", 16),
    [IRI_U16] = ROW("u16", 16),
    [IRI_F16] = ROW("f16", 16),
    [IRI_I32] = ROW("i32", 32),
    [IRI_U32] = ROW("u32", 32),
    [IRI_F32] = ROW("f32", 32),
    [IRI_I64] = ROW("i64", 64),
    [IRI_U64] = ROW("u64", 64),
    [IRI_F64] = ROW("f64", 64),
#undef ROW
};

static const char *const class_letters[IRI_RESOURCE_COUNT] = {
    [IRI_RESOURCE_NONE] = "r",
    [IRI_RESOURCE_CBUFFER] = "cb",
    [IRI_RESOURCE_TEXTURE] = "t",
    [IRI_RESOURCE_SAMPLER] = "s",
    [IRI_RESOURCE_BUFFER] = "t",
    [IRI_RESOURCE_STORAGE_BUFFER] = "u",
    [IRI_RESOURCE_STORAGE_TEXTURE] = "u",
};

uint32_t iri_scalar_bits(iri_scalar scalar)
{
    return scalar >= IRI_VOID && scalar < IRI_SCALAR_COUNT ? scalars[scalar].bits : 0;
}

iri_lanes iri_lanes_first(uint32_t count)
{
    count = count < 1 ? 1 : count > 4 ? 4 : count;
    return (0xe4u & ((1u << 2 * count) - 1u)) | (count - 1u) << 8;
}

iri_lanes iri_lanes_from_bits(uint32_t bits)
{
    /* Every choice of x, y, z and w in this order: two bits a lane, and one less than how many above them. */
    static const uint16_t choices[16] = {0x000, 0x000, 0x001, 0x104, 0x002, 0x108, 0x109, 0x224,
                                         0x003, 0x10c, 0x10d, 0x234, 0x10e, 0x238, 0x239, 0x3e4};
    return choices[bits & 15];
}

uint32_t iri_lanes_to_bits(iri_lanes lanes)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < IRI_LANES_COUNT(lanes); i++)
        bits |= 1u << IRI_LANES_AT(lanes, i);
    return bits;
}

const char *iri_type_name(iri_type type)
{
    uint32_t scalar = type >> 2;
    return scalar < IRI_SCALAR_COUNT ? scalars[scalar].names[type & 3u] : "?";
}

const char *iri_stage_name(iri_stage stage)
{
    const char *word = iri_word(IRI_WORDS_STAGE, (uint32_t)stage);
    return word ? word : "?";
}

const char *iri_resource_label(const iri_resource *resource, char buffer[32])
{
    const char *letters = resource->kind < IRI_RESOURCE_COUNT ? class_letters[resource->kind] : "r";
    if (resource->space)
        snprintf(buffer, 32, "%s%u_space%u", letters, (unsigned)resource->reg,
                 (unsigned)resource->space);
    else
        snprintf(buffer, 32, "%s%u", letters, (unsigned)resource->reg);
    return buffer;
}

const char *iri_shared_label(const iri_shared *shared, char buffer[32])
{
    snprintf(buffer, 32, "g%u", (unsigned)shared->reg);
    return buffer;
}

const char *iri_io_label(const iri_io *io, char buffer[64])
{
    snprintf(buffer, 64, "%.48s%u", io->name ? io->name : "", (unsigned)io->index);
    return buffer;
}
