/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SHA-256 (FIPS 180-4), for provenance and cache keys.
 */
#ifndef IRI_BASE_SHA256_H
#define IRI_BASE_SHA256_H

#include <iridia/base.h>

typedef struct iri_sha256 {
    uint32_t state[8];
    uint64_t size;
    uint8_t block[64];
} iri_sha256;

void iri_sha256_init(iri_sha256 *hash);
void iri_sha256_add(iri_sha256 *hash, const void *bytes, size_t size);
void iri_sha256_finish(iri_sha256 *hash, uint8_t digest[32]);

#endif
