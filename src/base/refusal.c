/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public functions over statuses and refusals, the library's version, and freeing of texts. The
 * tables come from errors.def.
 */
#include <iridia/refusal.h>

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *meaning;
    iri_status_kind kind;
} statuses[IRI_STATUS_COUNT] = {
    {"ok", "the call did what was asked", IRI_KIND_OK},
#define IRI_ERROR(status, group, kind, meaning) {group, meaning, IRI_KIND_##kind},
#include <iridia/errors.def>
#undef IRI_ERROR
};

uint32_t iri_version(void)
{
    return IRI_VERSION;
}

void iri_text_free(iri_text *text)
{
    if (!text)
        return;
    if (text->data && text->allocator.free)
        text->allocator.free(text->allocator.user, text->data, text->capacity);
    memset(text, 0, sizeof *text);
}

const char *iri_status_name(iri_status status)
{
    return (unsigned)status < IRI_STATUS_COUNT ? statuses[status].name : "unknown";
}

const char *iri_status_meaning(iri_status status)
{
    return (unsigned)status < IRI_STATUS_COUNT ? statuses[status].meaning
                                               : "no status of this version";
}

iri_status_kind iri_status_kind_of(iri_status status)
{
    return (unsigned)status < IRI_STATUS_COUNT ? statuses[status].kind : IRI_KIND_BUG;
}

typedef struct line {
    char *buffer;
    size_t size, length; /* `length` counts what did not fit, too */
} line;

static void add(line *out, const char *text)
{
    for (; *text; text++, out->length++)
        if (out->length + 1 < out->size)
            out->buffer[out->length] = *text;
}

size_t iri_refusal_line(const iri_refusal *why, const char *file, char *buffer, size_t size)
{
    line out = {buffer, size, 0};
    char place[40] = "";
    if (why->line)
        snprintf(place, sizeof place, "%lu:%lu:", (unsigned long)why->line,
                 (unsigned long)why->column);
    else if (why->offset != IRI_NO_OFFSET && why->bit)
        snprintf(place, sizeof place, "0x%lx.%lu:", (unsigned long)why->offset,
                 (unsigned long)why->bit);
    else if (why->offset != IRI_NO_OFFSET)
        snprintf(place, sizeof place, "0x%lx:", (unsigned long)why->offset);
    if (file) {
        add(&out, file);
        add(&out, ":");
    }
    add(&out, place);
    if (out.length)
        add(&out, " ");
    if (why->path[0]) {
        add(&out, why->path);
        add(&out, ": ");
    }
    add(&out, why->format);
    if (why->format[0] && why->unit[0])
        add(&out, " ");
    add(&out, why->unit);
    if (why->format[0] || why->unit[0])
        add(&out, ": ");
    add(&out, why->reason);
    add(&out, " [");
    add(&out, why->group ? why->group : iri_status_name(why->status));
    add(&out, "]");
    if (size)
        buffer[out.length < size ? out.length : size - 1] = 0;
    return out.length;
}
