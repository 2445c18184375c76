/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/effect.h: compiled effects: Direct3D 9's (fx_2_0), bare or as XNA wraps them, and MonoGame's (MGFX),
 * either also inside a content file (XNB): their parameters, techniques, passes, states and the shaders
 * inside, as stored. Nothing is translated here: a shader's bytes go to `iri_lift`.
 */
#ifndef IRIDIA_EFFECT_H
#define IRIDIA_EFFECT_H

#include <iridia/interface.h>
#include <iridia/refusal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* D3DXPARAMETER_CLASS, with its numbers. */
typedef enum iri_effect_class {
    IRI_EFFECT_SCALAR = 0,
    IRI_EFFECT_VECTOR,
    IRI_EFFECT_MATRIX_ROWS,
    IRI_EFFECT_MATRIX_COLUMNS,
    IRI_EFFECT_OBJECT,
    IRI_EFFECT_STRUCT,
    IRI_EFFECT_CLASS_COUNT
} iri_effect_class;

/* D3DXPARAMETER_TYPE, with its numbers. */
typedef enum iri_effect_type {
    IRI_EFFECT_VOID = 0,
    IRI_EFFECT_BOOL,
    IRI_EFFECT_INT,
    IRI_EFFECT_FLOAT,
    IRI_EFFECT_STRING,
    IRI_EFFECT_TEXTURE,
    IRI_EFFECT_TEXTURE1D,
    IRI_EFFECT_TEXTURE2D,
    IRI_EFFECT_TEXTURE3D,
    IRI_EFFECT_TEXTURECUBE,
    IRI_EFFECT_SAMPLER,
    IRI_EFFECT_SAMPLER1D,
    IRI_EFFECT_SAMPLER2D,
    IRI_EFFECT_SAMPLER3D,
    IRI_EFFECT_SAMPLERCUBE,
    IRI_EFFECT_PIXELSHADER,
    IRI_EFFECT_VERTEXSHADER,
    IRI_EFFECT_PIXELFRAGMENT,
    IRI_EFFECT_VERTEXFRAGMENT,
    IRI_EFFECT_UNSUPPORTED,
    IRI_EFFECT_TYPE_COUNT
} iri_effect_type;

typedef struct iri_effect_state iri_effect_state;

/* A typed value: a parameter, an annotation, a member or element of one, what a state is set to. Text is
 * never NULL; "" where there is none. Offsets count from the start of the caller's bytes. */
typedef struct iri_effect_value {
    const char *name, *semantic;
    uint8_t class_;         /* iri_effect_class */
    uint8_t type;           /* iri_effect_type */
    uint32_t rows, columns; /* 0 for structs and objects */
    uint32_t elements;      /* of an array; 0 when it is none */
    /* The elements of an array of structs or objects, else the members of a struct. */
    const struct iri_effect_value *items;
    uint32_t item_count;
    /* Numbers: rows * columns words, elements after each other, rows after each other; of a matrix of MGFX as
     * stored, constant registers after each other. A boolean is 0 or 1. */
    const uint32_t *words;
    uint32_t word_count;
    uint32_t object; /* of strings, textures, shaders: into iri_effect.objects; else 0 */
    /* What a sampler is set to. */
    const iri_effect_state *states;
    uint32_t state_count;
    uint32_t offset;       /* of its type */
    uint32_t value_offset; /* of its value */
} iri_effect_value;

/* Where a state's value comes from when it is set. */
typedef enum iri_effect_source {
    IRI_EFFECT_CONSTANT = 0, /* `value` holds it; of a shader: the bytes of its object */
    IRI_EFFECT_PARAMETER,    /* the parameter that `reference` names */
    IRI_EFFECT_EXPRESSION,   /* a program over parameters (FXLC): the object's bytes */
    IRI_EFFECT_SELECTOR /* an element of the array that `reference` names, its index an expression */
} iri_effect_source;

typedef enum iri_effect_state_class {
    IRI_EFFECT_RENDER_STATE = 0, /* `number` is D3DRENDERSTATETYPE's */
    IRI_EFFECT_STAGE_STATE,      /* D3DTEXTURESTAGESTATETYPE's; `index` is the stage */
    IRI_EFFECT_SAMPLER_STATE,    /* D3DSAMPLERSTATETYPE's; `index` is the sampler */
    IRI_EFFECT_FIXED_STATE,      /* transforms, materials, lights, FVF, N-patches */
    IRI_EFFECT_SHADER_STATE,     /* VertexShader, PixelShader */
    IRI_EFFECT_CONSTANT_STATE,   /* VertexShaderConstant..., PixelShaderConstant... */
    IRI_EFFECT_TEXTURE_STATE,    /* Texture */
    IRI_EFFECT_SAMPLER_OBJECT    /* Sampler: a whole sampler parameter */
} iri_effect_state_class;

/* One assignment of a pass or a sampler. */
struct iri_effect_state {
    uint32_t operation; /* as stored */
    uint32_t index;     /* "[n]" of the assignment */
    const char *name;   /* of the operation: "AlphaBlendEnable"; static */
    uint8_t class_;     /* iri_effect_state_class */
    uint8_t source;     /* iri_effect_source */
    uint32_t number;    /* Direct3D's own number of the state; 0 where it has none */
    iri_effect_value value;
    const char *reference; /* of PARAMETER and SELECTOR, else "" */
    uint32_t parameter;    /* the index of the parameter of that name, or UINT32_MAX */
    const uint8_t
        *expression; /* of EXPRESSION and SELECTOR: the program, borrowed from the caller's bytes */
    uint32_t expression_size, expression_offset;
    uint32_t offset;
};

typedef struct iri_effect_pass {
    const char *name;
    const iri_effect_value *annotations;
    uint32_t annotation_count;
    const iri_effect_state *states;
    uint32_t state_count;
    uint32_t offset;
} iri_effect_pass;

typedef struct iri_effect_technique {
    const char *name;
    const iri_effect_value *annotations;
    uint32_t annotation_count;
    const iri_effect_pass *passes;
    uint32_t pass_count;
    uint32_t offset;
} iri_effect_technique;

enum {
    IRI_EFFECT_SHARED = 1, /* of iri_effect_parameter.flags: D3DX_PARAMETER_SHARED and so on */
    IRI_EFFECT_LITERAL = 2
};

typedef struct iri_effect_parameter {
    iri_effect_value value;
    uint32_t flags;
    const iri_effect_value *annotations;
    uint32_t annotation_count;
} iri_effect_parameter;

/* Bytes that values refer to by number; object 0 is none. Borrowed from the caller's. */
typedef struct iri_effect_object {
    const uint8_t *data; /* NULL when the file holds nothing for it, such as a texture's */
    uint32_t size, offset;
} iri_effect_object;

/* What a shader inside is written in. */
typedef enum iri_effect_code {
    IRI_EFFECT_D3D9 = 0, /* a token stream */
    IRI_EFFECT_DXBC,
    IRI_EFFECT_DXIL, /* in its DXBC container */
    IRI_EFFECT_GLSL,
    IRI_EFFECT_SPIRV,
    IRI_EFFECT_CODE_COUNT
} iri_effect_code;

/* A texture and its sampler, as an MGFX shader names them. */
typedef struct iri_effect_sampler {
    const char *name; /* in GLSL; may be "" */
    uint8_t type;     /* iri_effect_type: IRI_EFFECT_SAMPLER1D to _SAMPLERCUBE */
    uint8_t texture_slot, sampler_slot;
    uint32_t parameter;             /* of the texture; UINT32_MAX when none */
    const iri_effect_state *states; /* class IRI_EFFECT_SAMPLER_STATE */
    uint32_t state_count;
    uint32_t offset;
} iri_effect_sampler;

/* A vertex attribute of an MGFX shader. */
typedef struct iri_effect_attribute {
    const char *name;     /* in GLSL; may be "" */
    const char *semantic; /* "POSITION"; static */
    uint32_t index;
    int32_t location; /* -1 when the file does not say */
} iri_effect_attribute;

/* Where a parameter lies in a constant buffer. */
typedef struct iri_effect_field {
    uint32_t parameter;
    uint32_t offset; /* in bytes; UINT32_MAX when the file does not say (MGFX version 2) */
} iri_effect_field;

/* A constant buffer of MGFX. In MojoShader's GLSL it is the array of that name. */
typedef struct iri_effect_buffer {
    const char *name, *instance; /* may be "" */
    uint32_t size;               /* in bytes */
    const iri_effect_field *fields;
    uint32_t field_count;
    uint32_t offset;
} iri_effect_buffer;

/* A compiled shader inside: of a pass, or the default of a parameter or of an element of one. */
typedef struct iri_effect_shader {
    iri_stage stage;
    uint8_t code; /* iri_effect_code */
    const uint8_t *data;
    uint32_t size, offset;
    uint32_t object;
    uint32_t technique, pass; /* the first pass that sets it; UINT32_MAX for a parameter's */
    uint32_t parameter;       /* UINT32_MAX for a pass's */
    const char
        *path; /* "technique NAME/pass NAME/vertex", "parameter NAME[2]", "shader 3" of none */
    /* MGFX alone. */
    const iri_effect_sampler *samplers;
    uint32_t sampler_count;
    const uint32_t *buffers; /* into iri_effect.buffers */
    uint32_t buffer_count;
    const iri_effect_attribute *attributes;
    uint32_t attribute_count;
} iri_effect_shader;

/* Bytes that nothing refers to. */
typedef struct iri_effect_gap {
    uint32_t offset, size;
    bool zero; /* all of them: padding */
} iri_effect_gap;

typedef enum iri_effect_format {
    IRI_EFFECT_FX_2_0 = 0,
    IRI_EFFECT_MGFX,
    IRI_EFFECT_FORMAT_COUNT
} iri_effect_format;

typedef struct iri_effect {
    uint8_t format;          /* iri_effect_format */
    const char *container;   /* "" or "xnb" */
    const char *compression; /* of the container: "", "lzx" or "lz4" */
    /* What offsets count in: the caller's bytes, or what they unpack to. */
    const uint8_t *bytes;
    size_t byte_count;
    const char *wrapper; /* "" or "xna" */
    /* MGFX alone. */
    uint32_t version, profile; /* as stored: profile 0 is OpenGL, 1 Direct3D 11, 80 Vulkan */
    bool mojoshader;   /* MojoShader wrote the GLSL: said from version 12 on, assumed before */
    bool hash_differs; /* the file's own hash is not that of its bytes */
    const iri_effect_buffer *buffers;
    uint32_t buffer_count;

    const iri_effect_parameter *parameters;
    uint32_t parameter_count;
    const iri_effect_technique *techniques;
    uint32_t technique_count;
    const iri_effect_object *objects;
    uint32_t object_count;
    const iri_effect_shader *shaders;
    uint32_t shader_count;
    const iri_effect_gap *gaps;
    uint32_t gap_count;
} iri_effect;

/* All zero is the default. */
typedef struct iri_effect_options {
    size_t size;
    const iri_allocator *allocator;
    const iri_limits *limits;
} iri_effect_options;
#define IRI_EFFECT_OPTIONS(...) IRI_OPTIONS(iri_effect_options, __VA_ARGS__)

/* Whether bytes begin as an effect that is read. */
IRI_API bool iri_is_effect(const void *bytes, size_t size);
/* Reads an effect. It refers to `bytes`, which have to outlive it unless they were compressed. Freed with iri_effect_free. On refusal
 * `*out` is NULL and `why` says where and why. `options` and `why` may be NULL. */
IRI_API iri_status iri_effect_read(const void *bytes, size_t size,
                                   const iri_effect_options *options, iri_effect **out,
                                   iri_refusal *why);
IRI_API void iri_effect_free(iri_effect *effect);

/* The word that effect source has for a number that a state is set to: "SRCALPHA"; NULL when none; static. */
IRI_API const char *iri_effect_state_word(const iri_effect_state *state, uint32_t value);
/* "d3d9", "dxbc", "dxil", "glsl", "spirv"; NULL past the end; static. */
IRI_API const char *iri_effect_code_name(iri_effect_code code);
/* "fx_2_0", "mgfx"; NULL past the end; static. */
IRI_API const char *iri_effect_format_name(iri_effect_format format);
/* D3DX's names: "matrix_rows", "float"; NULL past the end; static. */
IRI_API const char *iri_effect_class_name(iri_effect_class class_);
IRI_API const char *iri_effect_type_name(iri_effect_type type);

#ifdef __cplusplus
}
#endif
#endif
