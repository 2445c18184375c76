/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iridia/base.h: what every other public header needs: the export mark, versions, allocators,
 * growing output, and limits.
 */
#ifndef IRIDIA_BASE_H
#define IRIDIA_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(IRI_BUILD_SHARED)
#define IRI_API __declspec(dllexport)
#elif defined(_WIN32) && defined(IRI_USE_SHARED)
#define IRI_API __declspec(dllimport)
#elif defined(__GNUC__)
#define IRI_API __attribute__((visibility("default")))
#else
#define IRI_API
#endif

#if defined(__GNUC__)
#define IRI_PRINTF(format_index, first_index) \
    __attribute__((format(printf, format_index, first_index)))
#else
#define IRI_PRINTF(format_index, first_index)
#endif

/* Options of a call, those named set and the others 0: `IRI_WGSL_OPTIONS(.raw_constants = true)`. They live to
 * the end of the block in C, of the full expression in C++ (which needs C++20). */
#ifdef __cplusplus
#define IRI_OPTIONS(type, ...) (&static_cast<const type &>(type{.size = sizeof(type), __VA_ARGS__}))
#else
#define IRI_OPTIONS(type, ...) (&(type){.size = sizeof(type), __VA_ARGS__})
#endif

/* The version of these headers. `iri_version` gives that of the library in use. */
#define IRI_VERSION_MAJOR 0
#define IRI_VERSION_MINOR 1
#define IRI_VERSION_PATCH 0
#define IRI_VERSION ((IRI_VERSION_MAJOR << 16) | (IRI_VERSION_MINOR << 8) | IRI_VERSION_PATCH)

/* The library's version as IRI_VERSION packs it. Callable from any thread. */
IRI_API uint32_t iri_version(void);

/* Memory for one call or one object. `alloc` returns `size` bytes aligned for any scalar type, or
 * NULL, which makes the call in progress refuse with IRI_NO_MEMORY. `free` gets back the size that
 * was asked for. A NULL `iri_allocator *` anywhere means malloc and free. The functions may be
 * called from any thread that uses an object made with them, and must outlive those objects. */
typedef struct iri_allocator {
    void *(*alloc)(void *user, size_t size);
    void (*free)(void *user, void *memory, size_t size);
    void *user;
} iri_allocator;

/* Bytes a call made for the caller: text (then `data` is NUL-terminated, the NUL not counted in
 * `size`) or words. The caller frees it with `iri_text_free`; a call that refuses leaves it empty. */
typedef struct iri_text {
    char *data;
    size_t size;
    size_t capacity;
    iri_allocator allocator;
} iri_text;

/* Frees what `text` holds and empties it. NULL and empty texts are allowed. */
IRI_API void iri_text_free(iri_text *text);

/* Bounds on one call, each with its own status when met. Zero means the default in brackets. */
typedef struct iri_limits {
    size_t memory;         /* bytes held at once by one call (256 MiB) */
    uint32_t instructions; /* IR instructions of one program (1,000,000) */
    uint32_t nesting;      /* regions inside each other (256) */
    size_t output;         /* bytes written (64 MiB) */
} iri_limits;

#ifdef __cplusplus
}
#endif
#endif
