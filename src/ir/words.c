/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words of the vocabulary's enumerations, once, for the text form, JSON and the command line. System values
 * are HLSL's names without SV_; banks are the prefixes of Microsoft's assembler.
 */
#include "ir/program.h"
#include <iridia/sampler.h>

static const char *const stages[IRI_STAGE_COUNT] = {
    [IRI_STAGE_NONE] = "none",
    [IRI_STAGE_VERTEX] = "vertex",
    [IRI_STAGE_PIXEL] = "pixel",
    [IRI_STAGE_COMPUTE] = "compute",
    [IRI_STAGE_GEOMETRY] = "geometry",
    [IRI_STAGE_HULL] = "hull",
    [IRI_STAGE_DOMAIN] = "domain",
    [IRI_STAGE_AMPLIFICATION] = "amplification",
    [IRI_STAGE_MESH] = "mesh",
    [IRI_STAGE_RAY_GENERATION] = "ray_generation",
    [IRI_STAGE_INTERSECTION] = "intersection",
    [IRI_STAGE_ANY_HIT] = "any_hit",
    [IRI_STAGE_CLOSEST_HIT] = "closest_hit",
    [IRI_STAGE_MISS] = "miss",
    [IRI_STAGE_CALLABLE] = "callable",
};

static const char *const scalars[IRI_SCALAR_COUNT] = {
    [IRI_VOID] = "void", [IRI_BOOL] = "bool", [IRI_I16] = "i16", [IRI_U16] = "u16",
    [IRI_F16] = "f16",   [IRI_I32] = "i32",   [IRI_U32] = "u32", [IRI_F32] = "f32",
    [IRI_I64] = "i64",   [IRI_U64] = "u64",   [IRI_F64] = "f64",
};

static const char *const system_values[IRI_SV_COUNT] = {
    [IRI_SV_NONE] = "none",
    [IRI_SV_POSITION] = "position",
    [IRI_SV_CLIP_DISTANCE] = "clip_distance",
    [IRI_SV_CULL_DISTANCE] = "cull_distance",
    [IRI_SV_VERTEX_ID] = "vertex_id",
    [IRI_SV_INSTANCE_ID] = "instance_id",
    [IRI_SV_PRIMITIVE_ID] = "primitive_id",
    [IRI_SV_IS_FRONT_FACE] = "is_front_face",
    [IRI_SV_SAMPLE_INDEX] = "sample_index",
    [IRI_SV_COVERAGE] = "coverage",
    [IRI_SV_TARGET] = "target",
    [IRI_SV_DEPTH] = "depth",
    [IRI_SV_POINT_SIZE] = "point_size",
    [IRI_SV_DISPATCH_THREAD_ID] = "dispatch_thread_id",
    [IRI_SV_GROUP_ID] = "group_id",
    [IRI_SV_GROUP_THREAD_ID] = "group_thread_id",
    [IRI_SV_GROUP_INDEX] = "group_index",
};

static const char *const interpolations[IRI_INTERPOLATION_COUNT] = {
    [IRI_INTERPOLATION_DEFAULT] = "none",
    [IRI_INTERPOLATION_LINEAR] = "linear",
    [IRI_INTERPOLATION_LINEAR_CENTROID] = "linear_centroid",
    [IRI_INTERPOLATION_LINEAR_SAMPLE] = "linear_sample",
    [IRI_INTERPOLATION_NO_PERSPECTIVE] = "no_perspective",
    [IRI_INTERPOLATION_NO_PERSPECTIVE_CENTROID] = "no_perspective_centroid",
    [IRI_INTERPOLATION_NO_PERSPECTIVE_SAMPLE] = "no_perspective_sample",
    [IRI_INTERPOLATION_FLAT] = "flat",
};

static const char *const banks[IRI_BANK_COUNT] = {
    [IRI_BANK_NONE] = "none",
    [IRI_BANK_V] = "v",
    [IRI_BANK_T] = "t",
    [IRI_BANK_O] = "o",
    [IRI_BANK_OD] = "oD",
    [IRI_BANK_OT] = "oT",
    [IRI_BANK_OPOS] = "oPos",
    [IRI_BANK_OFOG] = "oFog",
    [IRI_BANK_OPTS] = "oPts",
    [IRI_BANK_OC] = "oC",
    [IRI_BANK_ODEPTH] = "oDepth",
    [IRI_BANK_VPOS] = "vPos",
    [IRI_BANK_VFACE] = "vFace",
    [IRI_BANK_VTHREAD_ID] = "vThreadID",
    [IRI_BANK_VTHREAD_GROUP_ID] = "vThreadGroupID",
    [IRI_BANK_VTHREAD_ID_IN_GROUP] = "vThreadIDInGroup",
    [IRI_BANK_VTHREAD_ID_IN_GROUP_FLATTENED] = "vThreadIDInGroupFlattened",
    [IRI_BANK_C] = "c",
    [IRI_BANK_I] = "i",
    [IRI_BANK_B] = "b",
};

static const char *const resource_kinds[IRI_RESOURCE_COUNT] = {
    [IRI_RESOURCE_NONE] = "none",
    [IRI_RESOURCE_CBUFFER] = "cbuffer",
    [IRI_RESOURCE_TEXTURE] = "texture",
    [IRI_RESOURCE_SAMPLER] = "sampler",
    [IRI_RESOURCE_BUFFER] = "buffer",
    [IRI_RESOURCE_STORAGE_BUFFER] = "storage_buffer",
    [IRI_RESOURCE_STORAGE_TEXTURE] = "storage_texture",
};

static const char *const dimensions[IRI_DIMENSION_COUNT] = {
    [IRI_DIMENSION_NONE] = "none", [IRI_DIMENSION_1D] = "1d",     [IRI_DIMENSION_2D] = "2d",
    [IRI_DIMENSION_3D] = "3d",     [IRI_DIMENSION_CUBE] = "cube",
};

static const char *const buffer_shapes[IRI_BUFFER_COUNT] = {
    [IRI_BUFFER_NONE] = "none",
    [IRI_BUFFER_RAW] = "raw",
    [IRI_BUFFER_STRUCTURED] = "structured",
    [IRI_BUFFER_TYPED] = "typed",
};

static const char *const member_classes[IRI_MEMBER_CLASS_COUNT] = {
    [IRI_MEMBER_SCALAR] = "scalar",         [IRI_MEMBER_VECTOR] = "vector",
    [IRI_MEMBER_MATRIX_ROWS] = "row_major", [IRI_MEMBER_MATRIX_COLUMNS] = "column_major",
    [IRI_MEMBER_STRUCT] = "struct",
};

static const char *const state_sources[] = {
    [IRI_STATE_UNSPECIFIED] = "unspecified",
    [IRI_STATE_VALUE] = "value",
    [IRI_STATE_OVERRIDE] = "override",
    [IRI_STATE_UNIFORM] = "uniform",
};

static const char *const clip_depths[] = {
    [IRI_CLIP_DEPTH_ZERO_TO_ONE] = "zero_to_one",
    [IRI_CLIP_DEPTH_MINUS_ONE_TO_ONE] = "minus_one_to_one",
};

static const char *const origins[] = {
    [IRI_ORIGIN_UPPER_LEFT] = "upper_left",
    [IRI_ORIGIN_LOWER_LEFT] = "lower_left",
};

static const char *const pixel_centres[] = {
    [IRI_PIXEL_CENTRE_HALF] = "half",
    [IRI_PIXEL_CENTRE_INTEGER] = "integer",
};

static const char *const denormals[] = {
    [IRI_DENORMALS_ANY] = "any",
    [IRI_DENORMALS_PRESERVE] = "preserve",
    [IRI_DENORMALS_FLUSH] = "flush",
};

static const char *const roundings[] = {
    [IRI_ROUNDING_EVEN] = "even",
    [IRI_ROUNDING_ANY] = "any",
};

static const char *const atomics[IRI_ATOMIC_COUNT] = {
    [IRI_ATOMIC_ADD] = "add",           [IRI_ATOMIC_AND] = "and", [IRI_ATOMIC_OR] = "or",
    [IRI_ATOMIC_XOR] = "xor",           [IRI_ATOMIC_MIN] = "min", [IRI_ATOMIC_MAX] = "max",
    [IRI_ATOMIC_EXCHANGE] = "exchange",
};

static const char *const barriers[] = {"execution", "shared", "group", "global"};

static const char *const filters[] = {
    [IRI_FILTER_POINT] = "point",
    [IRI_FILTER_LINEAR] = "linear",
};

static const char *const mips[] = {
    [IRI_MIP_NONE] = "none",
    [IRI_MIP_POINT] = "point",
    [IRI_MIP_LINEAR] = "linear",
};

static const char *const addresses[] = {
    [IRI_ADDRESS_WRAP] = "wrap",
    [IRI_ADDRESS_MIRROR] = "mirror",
    [IRI_ADDRESS_CLAMP] = "clamp",
    [IRI_ADDRESS_BORDER] = "border",
    [IRI_ADDRESS_MIRROR_ONCE] = "mirror-once",
};

static const char *const compares[] = {
    "none",
    [IRI_COMPARE_NEVER] = "never",
    [IRI_COMPARE_LESS] = "less",
    [IRI_COMPARE_EQUAL] = "equal",
    [IRI_COMPARE_LESS_EQUAL] = "less-equal",
    [IRI_COMPARE_GREATER] = "greater",
    [IRI_COMPARE_NOT_EQUAL] = "not-equal",
    [IRI_COMPARE_GREATER_EQUAL] = "greater-equal",
    [IRI_COMPARE_ALWAYS] = "always",
};

#define WORDS(array) \
    { \
        array, sizeof array / sizeof *array \
    }
static const struct {
    const char *const *words;
    uint32_t count;
} vocabularies[IRI_WORDS_COUNT] = {
    [IRI_WORDS_STAGE] = WORDS(stages),
    [IRI_WORDS_SCALAR] = WORDS(scalars),
    [IRI_WORDS_SYSTEM_VALUE] = WORDS(system_values),
    [IRI_WORDS_INTERPOLATION] = WORDS(interpolations),
    [IRI_WORDS_BANK] = WORDS(banks),
    [IRI_WORDS_RESOURCE_KIND] = WORDS(resource_kinds),
    [IRI_WORDS_DIMENSION] = WORDS(dimensions),
    [IRI_WORDS_BUFFER_SHAPE] = WORDS(buffer_shapes),
    [IRI_WORDS_MEMBER_CLASS] = WORDS(member_classes),
    [IRI_WORDS_STATE_SOURCE] = WORDS(state_sources),
    [IRI_WORDS_CLIP_DEPTH] = WORDS(clip_depths),
    [IRI_WORDS_ORIGIN] = WORDS(origins),
    [IRI_WORDS_PIXEL_CENTRE] = WORDS(pixel_centres),
    [IRI_WORDS_DENORMALS] = WORDS(denormals),
    [IRI_WORDS_ROUNDING] = WORDS(roundings),
    [IRI_WORDS_ATOMIC] = WORDS(atomics),
    [IRI_WORDS_BARRIER] = WORDS(barriers),
    [IRI_WORDS_FILTER] = WORDS(filters),
    [IRI_WORDS_MIP] = WORDS(mips),
    [IRI_WORDS_ADDRESS] = WORDS(addresses),
    [IRI_WORDS_COMPARE] = WORDS(compares),
};

const char *iri_word(iri_vocabulary vocabulary, uint32_t value)
{
    if ((uint32_t)vocabulary >= IRI_WORDS_COUNT || value >= vocabularies[vocabulary].count)
        return NULL;
    return vocabularies[vocabulary].words[value];
}

bool iri_word_value(iri_vocabulary vocabulary, const char *word, size_t size, uint32_t *value)
{
    if ((uint32_t)vocabulary >= IRI_WORDS_COUNT)
        return false;
    for (uint32_t i = 0; i < vocabularies[vocabulary].count; i++) {
        const char *candidate = vocabularies[vocabulary].words[i];
        if (strlen(candidate) == size && !memcmp(candidate, word, size)) {
            *value = i;
            return true;
        }
    }
    return false;
}
