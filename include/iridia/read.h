/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/read.h: from bytes of a compiled shader to a program.
 */
#ifndef IRIDIA_READ_H
#define IRIDIA_READ_H

#include <iridia/pass.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum iri_format {
    IRI_FORMAT_AUTO = 0,
    IRI_FORMAT_D3D9, /* Direct3D 9 token streams, shader models 1.0 to 3.0 */
    IRI_FORMAT_TEXT, /* iridia's own text form */
    IRI_FORMAT_COUNT
} iri_format;

/* What the first bytes look like; IRI_FORMAT_AUTO when like nothing known. */
IRI_API iri_format iri_detect_format(const void *bytes, size_t size);
/* "d3d9", "text"; NULL past the end. */
IRI_API const char *iri_format_name(iri_format format);
IRI_API iri_format iri_format_by_name(const char *name);

typedef enum iri_uninitialized {
    IRI_UNINITIALIZED_REFUSE = 0, /* reading a lane that no path writes is refused */
    IRI_UNINITIALIZED_ZERO        /* it is zero, with a note */
} iri_uninitialized;

typedef enum iri_multiply {
    IRI_MULTIPLY_ZERO_WINS = 0, /* 0 * anything is 0, as Direct3D 9 says */
    IRI_MULTIPLY_IEEE
} iri_multiply;

/* All zero is the default. */
typedef struct iri_lift_options {
    size_t size;
    const iri_allocator *allocator;
    const iri_limits *limits;
    iri_format format;
    const iri_state *state; /* NULL: nothing is specified */
    iri_uninitialized uninitialized;
    iri_multiply multiply;
    bool raw; /* stop after reading: locals not promoted, state not lowered, nothing folded */
    uint32_t
        base; /* where the bytes lie in the file they are part of: offsets of refusals, notes and
                      instructions count from that file's start. A text form has lines and takes none */
    const char *path; /* what refusals call that place, as iri_effect_shader.path; or NULL */
} iri_lift_options;
#define IRI_LIFT_OPTIONS(...) IRI_OPTIONS(iri_lift_options, __VA_ARGS__)

/* What one lift counted; see bench/. Times are of the caller's clock, when one is given. */
typedef struct iri_lift_stats {
    uint64_t (*clock)(void *user); /* in: returns nanoseconds; NULL leaves the times 0 */
    void *clock_user;
    uint64_t decode_ns, lower_ns, pass_ns, validate_ns;
    size_t memory_peak;
    uint64_t allocations;
    iri_pass_counts passes;
} iri_lift_stats;

/* Reads, lowers, simplifies and validates a shader. On success `*out` is a program the caller frees; on
 * refusal it is NULL and `why` says where and why. Bytes past the shader's end are a note. `options`, `stats`
 * and `why` may be NULL. */
IRI_API iri_status iri_lift(const void *bytes, size_t size, const iri_lift_options *options,
                            iri_program **out, iri_lift_stats *stats, iri_refusal *why);

/* One entry of state from `name=value` text: `alpha_func=greater`, `alpha_ref=0.5`,
 * `bump_matrix[1]=1,0,0,1`, `alpha_ref=override`, `fog_color=uniform`. */
IRI_API iri_status iri_parse_state(const char *text, iri_state_entry *out, iri_refusal *why);

#ifdef __cplusplus
}
#endif
#endif
