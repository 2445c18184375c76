/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/scan.h: shaders inside other bytes: where one ends, where they are in an executable, an archive or a
 * memory dump, and the hashes that modders' tools know them by.
 */
#ifndef IRIDIA_SCAN_H
#define IRIDIA_SCAN_H

#include <iridia/read.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The length in bytes of the program that `bytes` begin with, through its end token, whatever follows it. The words
 * of comments and operands are passed over, not searched. 0 when no whole program of a known model stands there: its
 * instructions are read, what the model allows is not asked. Linear in the program. */
IRI_API size_t iri_frame_size(const void *bytes, size_t size);

/* A program found by iri_scan. */
typedef struct iri_scanned {
    size_t offset, size;
    iri_format format;
    const char *target; /* "ps_3_0"; static */
} iri_scanned;

/* All zero is the default. */
typedef struct iri_scan_options {
    size_t size;
    size_t program_size; /* longer ones are not looked for; 0: 1 MiB */
} iri_scan_options;
#define IRI_SCAN_OPTIONS(...) IRI_OPTIONS(iri_scan_options, __VA_ARGS__)

/* Calls `found` for each program in `bytes`, at any offset, in order; returns how many there were. None lies inside
 * another; one without instructions is none. `found` may be NULL. Allocates nothing. Callable from any thread. */
IRI_API size_t iri_scan(const void *bytes, size_t size, const iri_scan_options *options,
                        void (*found)(void *user, const iri_scanned *program), void *user);

/* Hashes of a shader's bytes, for finding it in other tools' lists and dumps. */
typedef struct iri_hashes {
    uint32_t crc32;  /* of ISO-HDLC, as zlib's */
    uint64_t fnv1;   /* FNV-1, 64 bits */
    uint64_t migoto; /* 3DMigoto's: FNV-1, 64 bits, from 0 instead of the offset basis */
} iri_hashes;
IRI_API iri_hashes iri_hash_shader(const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
