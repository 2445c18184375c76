/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SPIR-V's numbers, as far as they are written here: the specification's names (unified1, chapter
 * 3) and those of GLSL.std.450.
 */
#ifndef IRI_WRITE_SPIRV_GRAMMAR_H
#define IRI_WRITE_SPIRV_GRAMMAR_H

enum { IRI_SPV_MAGIC = 0x07230203, IRI_SPV_1_3 = 0x00010300, IRI_SPV_1_6 = 0x00010600 };

enum {
#define IRI_SPV_OP(name, number, ...) IRI_SPV_Op##name = number,
#include "write/spirv/grammar.def"
#undef IRI_SPV_OP
};

/* GLSL.std.450. */
enum {
    IRI_SPV_GlslRound = 1,
    IRI_SPV_GlslRoundEven = 2,
    IRI_SPV_GlslTrunc = 3,
    IRI_SPV_GlslFAbs = 4,
    IRI_SPV_GlslFSign = 6,
    IRI_SPV_GlslFloor = 8,
    IRI_SPV_GlslCeil = 9,
    IRI_SPV_GlslFract = 10,
    IRI_SPV_GlslSin = 13,
    IRI_SPV_GlslCos = 14,
    IRI_SPV_GlslAsin = 16,
    IRI_SPV_GlslAcos = 17,
    IRI_SPV_GlslAtan = 18,
    IRI_SPV_GlslAtan2 = 25,
    IRI_SPV_GlslPow = 26,
    IRI_SPV_GlslExp2 = 29,
    IRI_SPV_GlslLog2 = 30,
    IRI_SPV_GlslSqrt = 31,
    IRI_SPV_GlslInverseSqrt = 32,
    IRI_SPV_GlslUMin = 38,
    IRI_SPV_GlslSMin = 39,
    IRI_SPV_GlslUMax = 41,
    IRI_SPV_GlslSMax = 42,
    IRI_SPV_GlslFClamp = 43,
    IRI_SPV_GlslFma = 50,
    IRI_SPV_GlslNMin = 79,
    IRI_SPV_GlslNMax = 80,
    IRI_SPV_GlslNClamp = 81
};

enum {
    IRI_SPV_CapabilityShader = 1,
    IRI_SPV_CapabilityFloat16 = 9,
    IRI_SPV_CapabilityFloat64 = 10,
    IRI_SPV_CapabilityInt64 = 11,
    IRI_SPV_CapabilityInt16 = 22,
    IRI_SPV_CapabilityImageGatherExtended = 25,
    IRI_SPV_CapabilityUniformBufferArrayDynamicIndexing = 28,
    IRI_SPV_CapabilitySampledImageArrayDynamicIndexing = 29,
    IRI_SPV_CapabilityStorageBufferArrayDynamicIndexing = 30,
    IRI_SPV_CapabilityStorageImageArrayDynamicIndexing = 31,
    IRI_SPV_CapabilityClipDistance = 32,
    IRI_SPV_CapabilitySampleRateShading = 35,
    IRI_SPV_CapabilitySampled1D = 43,
    IRI_SPV_CapabilityImage1D = 44,
    IRI_SPV_CapabilitySampledCubeArray = 45,
    IRI_SPV_CapabilitySampledBuffer = 46,
    IRI_SPV_CapabilityImageBuffer = 47,
    IRI_SPV_CapabilityStorageImageExtendedFormats = 49,
    IRI_SPV_CapabilityImageQuery = 50,
    IRI_SPV_CapabilityStorageImageReadWithoutFormat = 55,
    IRI_SPV_CapabilityStorageImageWriteWithoutFormat = 56,
    IRI_SPV_CapabilityStorageInputOutput16 = 4436,
    IRI_SPV_CapabilityDemoteToHelperInvocation = 5379
};

enum {
    IRI_SPV_ClassUniformConstant = 0,
    IRI_SPV_ClassInput = 1,
    IRI_SPV_ClassUniform = 2,
    IRI_SPV_ClassOutput = 3,
    IRI_SPV_ClassWorkgroup = 4,
    IRI_SPV_ClassPrivate = 6,
    IRI_SPV_ClassFunction = 7,
    IRI_SPV_ClassImage = 11,
    IRI_SPV_ClassStorageBuffer = 12,
    IRI_SPV_ClassCount = 13
};

enum {
    IRI_SPV_RelaxedPrecision = 0,
    IRI_SPV_SpecId = 1,
    IRI_SPV_Block = 2,
    IRI_SPV_ArrayStride = 6,
    IRI_SPV_BuiltIn = 11,
    IRI_SPV_NoPerspective = 13,
    IRI_SPV_Flat = 14,
    IRI_SPV_Centroid = 16,
    IRI_SPV_Sample = 17,
    IRI_SPV_Coherent = 23,
    IRI_SPV_NonWritable = 24,
    IRI_SPV_NonReadable = 25,
    IRI_SPV_Location = 30,
    IRI_SPV_Binding = 33,
    IRI_SPV_DescriptorSet = 34,
    IRI_SPV_Offset = 35,
    IRI_SPV_NoContraction = 42,
    IRI_SPV_UserSemantic = 5635
};

enum {
    IRI_SPV_BuiltInPosition = 0,
    IRI_SPV_BuiltInPointSize = 1,
    IRI_SPV_BuiltInClipDistance = 3,
    IRI_SPV_BuiltInFragCoord = 15,
    IRI_SPV_BuiltInFrontFacing = 17,
    IRI_SPV_BuiltInSampleId = 18,
    IRI_SPV_BuiltInSampleMask = 20,
    IRI_SPV_BuiltInFragDepth = 22,
    IRI_SPV_BuiltInWorkgroupId = 26,
    IRI_SPV_BuiltInLocalInvocationId = 27,
    IRI_SPV_BuiltInGlobalInvocationId = 28,
    IRI_SPV_BuiltInLocalInvocationIndex = 29,
    IRI_SPV_BuiltInVertexIndex = 42,
    IRI_SPV_BuiltInInstanceIndex = 43
};

enum {
    IRI_SPV_ModelVertex = 0,
    IRI_SPV_ModelFragment = 4,
    IRI_SPV_ModelGLCompute = 5,
    IRI_SPV_ModeOriginUpperLeft = 7,
    IRI_SPV_ModeEarlyFragmentTests = 9,
    IRI_SPV_ModeDepthReplacing = 12,
    IRI_SPV_ModeDepthGreater = 14,
    IRI_SPV_ModeDepthLess = 15,
    IRI_SPV_ModeLocalSize = 17
};

/* Image operands; where several are given their values follow in this order. */
enum {
    IRI_SPV_ImageBias = 1,
    IRI_SPV_ImageLod = 2,
    IRI_SPV_ImageGrad = 4,
    IRI_SPV_ImageConstOffset = 8,
    IRI_SPV_ImageOffset = 16,
    IRI_SPV_ImageSample = 64
};

#endif
