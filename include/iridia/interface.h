/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/interface.h: what a shader module cannot say of a program: inputs and outputs by semantic
 * name, resources with layouts, conventions, float environment, provenance, notes, and state. All
 * plain data; pointers are borrowed from the program that holds them and live as long as it does.
 */
#ifndef IRIDIA_INTERFACE_H
#define IRIDIA_INTERFACE_H

#include <iridia/ir.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum iri_stage {
    IRI_STAGE_NONE = 0,
    IRI_STAGE_VERTEX,
    IRI_STAGE_PIXEL,
    IRI_STAGE_COMPUTE,
    IRI_STAGE_GEOMETRY,
    IRI_STAGE_HULL,
    IRI_STAGE_DOMAIN,
    IRI_STAGE_AMPLIFICATION,
    IRI_STAGE_MESH,
    IRI_STAGE_RAY_GENERATION,
    IRI_STAGE_INTERSECTION,
    IRI_STAGE_ANY_HIT,
    IRI_STAGE_CLOSEST_HIT,
    IRI_STAGE_MISS,
    IRI_STAGE_CALLABLE,
    IRI_STAGE_COUNT
} iri_stage;

/* ---- inputs and outputs ---- */

/* What the pipeline, not the neighbouring stage, supplies or takes. The names are HLSL's. */
typedef enum iri_system_value {
    IRI_SV_NONE = 0,
    IRI_SV_POSITION, /* vertex output: clip position; pixel input: where the fragment is */
    IRI_SV_CLIP_DISTANCE,
    IRI_SV_CULL_DISTANCE,
    IRI_SV_VERTEX_ID,
    IRI_SV_INSTANCE_ID,
    IRI_SV_PRIMITIVE_ID,
    IRI_SV_IS_FRONT_FACE, /* a bool */
    IRI_SV_SAMPLE_INDEX,
    IRI_SV_COVERAGE,
    IRI_SV_TARGET, /* a colour; the index is the render target's */
    IRI_SV_DEPTH,
    IRI_SV_POINT_SIZE,         /* Direct3D 9's PSIZE / oPts */
    IRI_SV_DISPATCH_THREAD_ID, /* compute: vec3<u32>, as the next two */
    IRI_SV_GROUP_ID,
    IRI_SV_GROUP_THREAD_ID,
    IRI_SV_GROUP_INDEX, /* compute: u32, the group's invocations counted x first */
    IRI_SV_COUNT
} iri_system_value;

typedef enum iri_interpolation {
    IRI_INTERPOLATION_DEFAULT = 0, /* not a pixel input */
    IRI_INTERPOLATION_LINEAR,      /* perspective-correct */
    IRI_INTERPOLATION_LINEAR_CENTROID,
    IRI_INTERPOLATION_LINEAR_SAMPLE,
    IRI_INTERPOLATION_NO_PERSPECTIVE,
    IRI_INTERPOLATION_NO_PERSPECTIVE_CENTROID,
    IRI_INTERPOLATION_NO_PERSPECTIVE_SAMPLE,
    IRI_INTERPOLATION_FLAT,
    IRI_INTERPOLATION_COUNT
} iri_interpolation;

/* The source's register file of an element; printed as the prefix of its number. */
typedef enum iri_bank {
    IRI_BANK_NONE = 0,
    IRI_BANK_V,                             /* v: inputs */
    IRI_BANK_T,                             /* t: texture coordinates of ps_1_x and ps_2_x */
    IRI_BANK_O,                             /* o: outputs of vs_3_0 and SM4+ */
    IRI_BANK_OD,                            /* oD: vertex colours below vs_3_0 */
    IRI_BANK_OT,                            /* oT: vertex texture coordinates below vs_3_0 */
    IRI_BANK_OPOS,                          /* oPos */
    IRI_BANK_OFOG,                          /* oFog */
    IRI_BANK_OPTS,                          /* oPts */
    IRI_BANK_OC,                            /* oC: pixel colours; r0 in ps_1_x */
    IRI_BANK_ODEPTH,                        /* oDepth */
    IRI_BANK_VPOS,                          /* vPos */
    IRI_BANK_VFACE,                         /* vFace */
    IRI_BANK_VTHREAD_ID,                    /* vThreadID */
    IRI_BANK_VTHREAD_GROUP_ID,              /* vThreadGroupID */
    IRI_BANK_VTHREAD_ID_IN_GROUP,           /* vThreadIDInGroup */
    IRI_BANK_VTHREAD_ID_IN_GROUP_FLATTENED, /* vThreadIDInGroupFlattened */
    IRI_BANK_C,                             /* c, i, b: constants, which a preshader sets */
    IRI_BANK_I,
    IRI_BANK_B,
    IRI_BANK_COUNT
} iri_bank;

enum {
    IRI_IO_IMPLICIT = 1, /* only pipeline state makes it used; dropped when nothing reads it */
    IRI_IO_GENERATED = 2 /* not in the source; iridia added it */
};

/* One element of the interface: a semantic and its lanes. `input k.xy` in a body reads lanes of the
 * element's own type, whatever register lanes hold them. */
typedef struct iri_io {
    const char *name; /* semantic, as the source spells it: "TEXCOORD", "SV_Target" */
    uint32_t index;   /* of the semantic */
    iri_type type;
    uint8_t system_value;  /* iri_system_value */
    uint8_t interpolation; /* iri_interpolation; pixel inputs only */
    uint8_t bank;          /* iri_bank */
    uint16_t reg;          /* number within the bank */
    uint8_t lanes;         /* bit set of register lanes it occupies; as many as the type has */
    uint8_t used;          /* bit set of register lanes the source reads or writes */
    uint8_t stream;        /* geometry output stream */
    uint8_t flags;         /* IRI_IO_ */
    uint32_t offset;       /* of its declaration, or IRI_NO_OFFSET */
} iri_io;

/* ---- resources ---- */

typedef enum iri_resource_kind {
    IRI_RESOURCE_NONE = 0,
    IRI_RESOURCE_CBUFFER,         /* constant buffer: class b, printed cbN */
    IRI_RESOURCE_TEXTURE,         /* sampled texture: class t */
    IRI_RESOURCE_SAMPLER,         /* class s */
    IRI_RESOURCE_BUFFER,          /* read-only buffer: class t */
    IRI_RESOURCE_STORAGE_BUFFER,  /* read-write buffer: class u */
    IRI_RESOURCE_STORAGE_TEXTURE, /* read-write texture: class u */
    IRI_RESOURCE_COUNT
} iri_resource_kind;

typedef enum iri_dimension {
    IRI_DIMENSION_NONE = 0,
    IRI_DIMENSION_1D,
    IRI_DIMENSION_2D,
    IRI_DIMENSION_3D,
    IRI_DIMENSION_CUBE,
    IRI_DIMENSION_COUNT
} iri_dimension;

typedef enum iri_buffer_shape {
    IRI_BUFFER_NONE = 0,
    IRI_BUFFER_RAW,        /* bytes, addressed by word */
    IRI_BUFFER_STRUCTURED, /* elements of `stride` bytes */
    IRI_BUFFER_TYPED,      /* texels of a format */
    IRI_BUFFER_COUNT
} iri_buffer_shape;

/* How a constant's registers hold its numbers. */
typedef enum iri_member_class {
    IRI_MEMBER_SCALAR = 0,
    IRI_MEMBER_VECTOR,
    IRI_MEMBER_MATRIX_ROWS,    /* row_major: a row a register */
    IRI_MEMBER_MATRIX_COLUMNS, /* column_major: a column a register */
    IRI_MEMBER_STRUCT,
    IRI_MEMBER_CLASS_COUNT
} iri_member_class;

/* A constant, or a member of a struct. Offsets are bytes from the start of the buffer (for a struct's
 * member: of the struct). A member of a D3D9 bank lies at register * 16 (cb0, cb1) or * 4 (cb2). */
typedef struct iri_member {
    const char *name;
    uint32_t offset;
    uint32_t size; /* bytes allocated, which may be less than the type needs */
    uint8_t member_class;
    uint8_t scalar;                       /* iri_scalar: F32, I32, U32, BOOL, ... */
    uint8_t rows, columns;                /* as HLSL declares it: floatRxC */
    uint32_t elements;                    /* array length, 0 when not an array */
    uint32_t array_stride, matrix_stride; /* bytes; 0 where they do not apply */
    const struct iri_member *members;     /* of a struct */
    uint32_t member_count;
    const char *type_name;         /* the struct's name, or NULL */
    const uint32_t *default_words; /* `size` / 4 words in memory layout, or NULL */
    uint32_t flags;                /* IRI_MEMBER_UNUSED */
} iri_member;

enum { IRI_MEMBER_UNUSED = 1 /* the source says that no instruction reads it */ };

/* A resource the body may use. `count` registers from `reg` on; 0 is an unbounded range. */
typedef struct iri_resource {
    const char *name;  /* "Diffuse", or NULL when the source has none */
    uint8_t kind;      /* iri_resource_kind */
    uint8_t dimension; /* iri_dimension of textures */
    uint8_t arrayed, multisampled;
    uint8_t comparison;   /* sampler compares; texture holds depth */
    uint8_t buffer_shape; /* iri_buffer_shape */
    uint8_t scalar;       /* what a sample's or texel's lane is: F32, I32, U32 */
    uint8_t access;       /* bit 0 read, bit 1 write, bit 2 atomic */
    uint32_t space, reg, count;
    uint32_t stride; /* of structured buffers */
    uint32_t format; /* of storage textures and typed buffers: DXGI_FORMAT number, 0 unknown */
    uint32_t size;   /* constant buffer: bytes */
    const iri_member *members; /* constant buffer */
    uint32_t member_count;
    uint32_t flags;  /* IRI_RESOURCE_ */
    uint32_t offset; /* of its declaration, or IRI_NO_OFFSET */
} iri_resource;

enum {
    IRI_RESOURCE_DYNAMIC = 1, /* constant buffer: read at run-time offsets */
    IRI_RESOURCE_STATE = 2,   /* constant buffer made by iridia to hold run-time state values */
    IRI_RESOURCE_COUNTER = 4, /* structured storage buffer: has a counter */
    IRI_RESOURCE_COHERENT = 8 /* storage: writes are seen beyond the workgroup (globallycoherent) */
};

/* A variable that the invocations of a workgroup share (Direct3D's g#): `size` bytes that start as anything.
 * Printed as gN. */
typedef struct iri_shared {
    const char *name; /* or NULL */
    uint32_t reg;
    uint32_t size;   /* bytes, whole words */
    uint32_t stride; /* bytes of an element; 0: it has none */
    uint32_t offset; /* of its declaration, or IRI_NO_OFFSET */
} iri_shared;

/* ---- state ---- */

typedef enum iri_state_id {
    IRI_STATE_NONE = 0,
#define IRI_STATE(id, ...) IRI_STATE_##id,
#include <iridia/states.def>
#undef IRI_STATE
    IRI_STATE_COUNT
} iri_state_id;

typedef struct iri_state_info {
    const char *name;
    iri_type type;
    uint32_t count; /* how many of it there are: stages, planes; 1 for most */
    uint32_t default_bits[4];
    const char *meaning;
} iri_state_info;

IRI_API const iri_state_info *iri_state_get_info(iri_state_id id);
IRI_API iri_state_id iri_state_by_name(const char *name, size_t size);

typedef enum iri_state_source {
    IRI_STATE_UNSPECIFIED = 0,
    IRI_STATE_VALUE,    /* a number, folded in */
    IRI_STATE_OVERRIDE, /* a WGSL `override` (SPIR-V specialisation constant); scalars only */
    IRI_STATE_UNIFORM   /* a member of one extra constant buffer */
} iri_state_source;

/* One state and where its value comes from. `bits` are the lanes' words. */
typedef struct iri_state_entry {
    uint16_t id;     /* iri_state_id */
    uint16_t index;  /* stage or plane */
    uint32_t source; /* iri_state_source */
    uint32_t bits[4];
} iri_state_entry;

/* What a caller says of the pipeline. `defaults`: every state without an entry has Direct3D's default
 * value, with one note. Where two entries name one state the later counts. */
typedef struct iri_state {
    const iri_state_entry *entries;
    uint32_t count;
    bool defaults;
} iri_state;

#define IRI_STATE_D3D9_DEFAULT ((iri_state){NULL, 0, true})

/* ---- the rest of what a program carries ---- */

typedef enum iri_clip_depth {
    IRI_CLIP_DEPTH_ZERO_TO_ONE = 0,
    IRI_CLIP_DEPTH_MINUS_ONE_TO_ONE
} iri_clip_depth;
typedef enum iri_origin { IRI_ORIGIN_UPPER_LEFT = 0, IRI_ORIGIN_LOWER_LEFT } iri_origin;
typedef enum iri_pixel_centre {
    IRI_PIXEL_CENTRE_HALF = 0,
    IRI_PIXEL_CENTRE_INTEGER
} iri_pixel_centre;

/* How the program's numbers relate to the screen. */
typedef struct iri_conventions {
    uint8_t clip_depth, fragment_origin, pixel_centre, texture_origin;
} iri_conventions;

/* Direct3D 10 and later; Direct3D 9 differs in the pixel centre. */
#define IRI_CONVENTIONS_D3D \
    ((iri_conventions){IRI_CLIP_DEPTH_ZERO_TO_ONE, IRI_ORIGIN_UPPER_LEFT, IRI_PIXEL_CENTRE_HALF, \
                       IRI_ORIGIN_UPPER_LEFT})
#define IRI_CONVENTIONS_D3D9 \
    ((iri_conventions){IRI_CLIP_DEPTH_ZERO_TO_ONE, IRI_ORIGIN_UPPER_LEFT, \
                       IRI_PIXEL_CENTRE_INTEGER, IRI_ORIGIN_UPPER_LEFT})

typedef enum iri_denormals {
    IRI_DENORMALS_ANY = 0,
    IRI_DENORMALS_PRESERVE,
    IRI_DENORMALS_FLUSH
} iri_denormals;
typedef enum iri_rounding { IRI_ROUNDING_EVEN = 0, IRI_ROUNDING_ANY } iri_rounding;

/* What the source permits of float arithmetic; index 0 f16, 1 f32, 2 f64. */
typedef struct iri_float_env {
    uint8_t denormals[3];
    uint8_t rounding[3];
    bool contract;    /* a * b + c may be one operation */
    bool reassociate; /* sums may be reordered */
} iri_float_env;

/* Where a program came from. A hand-written one has empty strings and zeros. */
typedef struct iri_provenance {
    const char *format;  /* "d3d9" */
    const char *target;  /* "ps_3_0" */
    const char *creator; /* "Microsoft (R) HLSL Shader Compiler 9.29.952.3111" */
    const char *lifter;  /* "iridia-d3d9" */
    uint32_t lifter_version;
    bool has_hash;
    uint8_t sha256[32]; /* of the exact source bytes */
    uint32_t instruction_count;
    const char *policies; /* "multiply=zero-wins uninitialized=refuse", or "" */
} iri_provenance;

/* Something approximated or not sayable, once. `kind` is a stable word for counting. */
typedef struct iri_note {
    const char *kind; /* "partial-precision" */
    const char *text; /* one line */
    uint32_t offset;  /* or IRI_NO_OFFSET */
} iri_note;

/* Stage facts; those of other stages are 0. */
typedef struct iri_stage_facts {
    uint32_t workgroup[3];
    uint8_t depth_mode; /* pixel: 0 none, 1 any, 2 greater, 3 less */
    uint8_t early_depth;
    uint8_t clip_count, cull_count;
    uint8_t tessellator_domain, partitioning, output_topology;
    uint8_t input_primitive, output_primitive_topology;
    uint32_t input_points, output_points, max_vertices, instances;
} iri_stage_facts;

/* The whole interface of a program. Body instructions name inputs, outputs and resources by their index
 * here, so this is also the statement of what is bound to what. `states` says how each state value that
 * still stands in the body gets its number. Workgroup variables are named by their index in `shared`. */
typedef struct iri_interface {
    const iri_io *inputs;
    uint32_t input_count;
    const iri_io *outputs;
    uint32_t output_count;
    const iri_resource *resources;
    uint32_t resource_count;
    const iri_state_entry *states;
    uint32_t state_count;
    const iri_shared *shared;
    uint32_t shared_count;
    iri_stage_facts facts;
} iri_interface;

/* ---- words ---- */

/* The enumerations that have words: in the text form, in JSON, on the command line. */
typedef enum iri_vocabulary {
    IRI_WORDS_STAGE = 0,
    IRI_WORDS_SCALAR,
    IRI_WORDS_SYSTEM_VALUE,
    IRI_WORDS_INTERPOLATION,
    IRI_WORDS_BANK,
    IRI_WORDS_RESOURCE_KIND,
    IRI_WORDS_DIMENSION,
    IRI_WORDS_BUFFER_SHAPE,
    IRI_WORDS_MEMBER_CLASS,
    IRI_WORDS_STATE_SOURCE,
    IRI_WORDS_CLIP_DEPTH,
    IRI_WORDS_ORIGIN,
    IRI_WORDS_PIXEL_CENTRE,
    IRI_WORDS_DENORMALS,
    IRI_WORDS_ROUNDING,
    IRI_WORDS_ATOMIC,
    IRI_WORDS_BARRIER, /* bit numbers of IRI_BARRIER_ */
    IRI_WORDS_FILTER,  /* these four: sampler.h */
    IRI_WORDS_MIP,
    IRI_WORDS_ADDRESS,
    IRI_WORDS_COMPARE,
    IRI_WORDS_COUNT
} iri_vocabulary;

/* The word of a value ("pixel", "f32", "linear_centroid"); "none" for the zero of those that have none, NULL past
 * the end. Static. */
IRI_API const char *iri_word(iri_vocabulary vocabulary, uint32_t value);
/* The value of a word; false when the vocabulary has no such word. */
IRI_API bool iri_word_value(iri_vocabulary vocabulary, const char *word, size_t size,
                            uint32_t *value);

#ifdef __cplusplus
}
#endif
#endif
