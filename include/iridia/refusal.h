/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/refusal.h: statuses and refusals. iridia never guesses: what it cannot do exactly it
 * refuses, and a refusal says what was refused, where, and why.
 */
#ifndef IRIDIA_REFUSAL_H
#define IRIDIA_REFUSAL_H

#include <iridia/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What every call that can refuse returns. IRI_OK is 0; the rest stand in errors.def. */
typedef enum iri_status {
    IRI_OK = 0,
#define IRI_ERROR(status, group, kind, meaning) IRI_##status,
#include <iridia/errors.def>
#undef IRI_ERROR
    IRI_STATUS_COUNT
} iri_status;

/* What kind of thing went wrong, for callers that do not care which. */
typedef enum iri_status_kind {
    IRI_KIND_OK = 0,
    IRI_KIND_USAGE,       /* the caller's code is wrong */
    IRI_KIND_RESOURCE,    /* memory or a limit */
    IRI_KIND_INPUT,       /* not input of a known format */
    IRI_KIND_MALFORMED,   /* the format is known and broken */
    IRI_KIND_UNSUPPORTED, /* well formed, and cannot be said exactly */
    IRI_KIND_STATE,       /* pipeline state must be given */
    IRI_KIND_PROGRAM,     /* a program is invalid */
    IRI_KIND_TARGET,      /* the target cannot take it */
    IRI_KIND_BUG          /* iridia's fault; please report it */
} iri_status_kind;

#define IRI_NO_OFFSET UINT32_MAX

/* Why a call refused: plain memory of the caller's, filled on refusal, left alone on success. It
 * holds no pointer that must be freed and outlives everything.
 *   group   errors.def's name of the status: what a batch counts refusals by
 *   format  "d3d9", "dxbc", "iridia-ir", "wgsl" ... or ""
 *   unit    what within the format: a target such as "ps_3_0", a profile, a function; or ""
 *   path    where a nested blob lies, such as "technique 0/pass 1/pixel"; or ""
 *   offset  bytes from the start of the caller's input, or IRI_NO_OFFSET
 *   bit     bit within the byte for bit streams, else 0
 *   line, column  1-based, for text input; else 0
 *   reason  one line of plain words, NUL-terminated, cut with "..." when too long */
typedef struct iri_refusal {
    iri_status status;
    const char *group;
    char format[16];
    char unit[48];
    char path[128];
    uint32_t offset;
    uint32_t bit;
    uint32_t line, column;
    char reason[320];
} iri_refusal;

/* The group name of a status ("bad-token"), "ok" for IRI_OK, "unknown" past the end; static. */
IRI_API const char *iri_status_name(iri_status status);

/* One sentence on a status; static. */
IRI_API const char *iri_status_meaning(iri_status status);

IRI_API iri_status_kind iri_status_kind_of(iri_status status);

/* Writes the refusal as the one line `FILE:0x1a4: d3d9 ps_3_0: REASON [group]` (`FILE:LINE:COLUMN:`
 * for text) into `buffer`, always NUL-terminated when `size` is not 0. `file` may be NULL. Returns
 * the length the whole line has, as snprintf does. */
IRI_API size_t iri_refusal_line(const iri_refusal *why, const char *file, char *buffer,
                                size_t size);

#ifdef __cplusplus
}
#endif
#endif
