/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the public entries of all writers do alike.
 */
#include "api/written.h"

void iri_require_states(iri_ctx *ctx, const iri_program *p)
{
    for (iri_id i = 1; i < p->inst_count; i++) {
        const iri_inst *in = &p->insts[i];
        const uint32_t *immediates = iri_immediates(p, in);
        bool given = in->op != IRI_OP_STATE;
        for (uint32_t k = 0; k < p->interface.state_count && !given; k++) {
            const iri_state_entry *s = &p->interface.states[k];
            given = s->id == immediates[0] && s->index == immediates[1] &&
                    s->source != IRI_STATE_UNSPECIFIED;
        }
        if (given)
            continue;
        const iri_state_info *info = iri_state_get_info((iri_state_id)immediates[0]);
        if (info->count > 1)
            iri_fail(ctx, IRI_UNSPECIFIED_STATE, in->offset, "the state %s[%u] is not given: %s",
                     info->name, (unsigned)immediates[1], info->meaning);
        iri_fail(ctx, IRI_UNSPECIFIED_STATE, in->offset, "the state %s is not given: %s",
                 info->name, info->meaning);
    }
}

/* What the block begins with. */
typedef struct block_head {
    iri_allocator allocator;
    size_t size;
} block_head;

static const char *put_text(char **at, const char *text)
{
    size_t size = strlen(text) + 1;
    char *to = *at;
    memcpy(to, text, size);
    *at += size;
    return to;
}

iri_written iri_written_copy(iri_ctx *ctx, const iri_emitted_name *names, size_t name_count,
                             const iri_note *notes, size_t note_count)
{
    size_t size = sizeof(block_head) + name_count * sizeof *names + note_count * sizeof *notes;
    for (size_t i = 0; i < name_count; i++)
        size += strlen(names[i].source) + strlen(names[i].emitted) + 2;
    for (size_t i = 0; i < note_count; i++)
        size += strlen(notes[i].kind) + strlen(notes[i].text) + 2;
    block_head *head = iri_ctx_alloc(ctx, size);
    iri_written copy = {.names = (iri_emitted_name *)(head + 1), .memory = head};
    copy.notes = (iri_note *)(copy.names + name_count);
    char *at = (char *)(copy.notes + note_count);
    head->allocator = ctx->allocator;
    head->size = size;
    for (size_t i = 0; i < name_count; i++) {
        copy.names[i] = names[i];
        copy.names[i].source = put_text(&at, names[i].source);
        copy.names[i].emitted = put_text(&at, names[i].emitted);
    }
    for (size_t i = 0; i < note_count; i++) {
        copy.notes[i] = notes[i];
        copy.notes[i].kind = put_text(&at, notes[i].kind);
        copy.notes[i].text = put_text(&at, notes[i].text);
    }
    return copy;
}

void iri_written_free(void *memory)
{
    block_head *head = memory;
    if (head) {
        iri_allocator allocator = head->allocator;
        allocator.free(allocator.user, head, head->size);
    }
}
