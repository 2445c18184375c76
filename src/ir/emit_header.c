/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder's interface, notes and provenance, and copying such plain data with everything it points at.
 */
#include "ir/emit_internal.h"

#include <stdio.h>
#include <string.h>

enum { STRUCT_DEPTH_MAX = 32 };

/* ---- packing ---- */

void *iri_pack_room(iri_pack *pack, size_t size)
{
    void *room = pack->at ? pack->at + pack->size : NULL;
    pack->size += (size + 7) & ~(size_t)7;
    return room;
}

void *iri_pack_bytes(iri_pack *pack, const void *bytes, size_t size)
{
    void *room = iri_pack_room(pack, size);
    if (room && size)
        memcpy(room, bytes, size);
    return room;
}

const char *iri_pack_text(iri_pack *pack, const char *text)
{
    if (!text)
        return NULL;
    if (!*text)
        return "";
    return iri_pack_bytes(pack, text, strlen(text) + 1);
}

/* Members, copied as a block and then what each points at. Deeper structs than any source has are cut. */
static const iri_member *pack_members(iri_pack *pack, const iri_member *members, uint32_t count,
                                      uint32_t depth)
{
    if (!members || !count || depth > STRUCT_DEPTH_MAX)
        return NULL;
    iri_member *copies = iri_pack_bytes(pack, members, count * sizeof *members);
    for (uint32_t i = 0; i < count; i++) {
        const iri_member *from = &members[i];
        const char *name = iri_pack_text(pack, from->name);
        const char *type_name = iri_pack_text(pack, from->type_name);
        const iri_member *inner = pack_members(pack, from->members, from->member_count, depth + 1);
        const uint32_t *words = NULL;
        if (from->default_words)
            words = iri_pack_bytes(pack, from->default_words, from->size & ~(uint32_t)3);
        if (!copies)
            continue;
        copies[i].name = name;
        copies[i].type_name = type_name;
        copies[i].members = inner;
        copies[i].member_count = inner ? from->member_count : 0;
        copies[i].default_words = words;
    }
    return copies;
}

iri_io iri_pack_io(iri_pack *pack, const iri_io *io)
{
    iri_io copy = *io;
    copy.name = iri_pack_text(pack, io->name ? io->name : "");
    return copy;
}

iri_resource iri_pack_resource(iri_pack *pack, const iri_resource *resource)
{
    iri_resource copy = *resource;
    copy.name = iri_pack_text(pack, resource->name);
    copy.members = pack_members(pack, resource->members, resource->member_count, 0);
    copy.member_count = resource->members ? resource->member_count : 0;
    return copy;
}

iri_provenance iri_pack_provenance(iri_pack *pack, const iri_provenance *provenance)
{
    iri_provenance copy = *provenance;
    copy.format = iri_pack_text(pack, provenance->format ? provenance->format : "");
    copy.target = iri_pack_text(pack, provenance->target ? provenance->target : "");
    copy.creator = iri_pack_text(pack, provenance->creator ? provenance->creator : "");
    copy.lifter = iri_pack_text(pack, provenance->lifter ? provenance->lifter : "");
    copy.policies = iri_pack_text(pack, provenance->policies ? provenance->policies : "");
    return copy;
}

/* ---- adding ---- */

static void start_packing(iri_builder *b, iri_pack *pack)
{
    pack->at = iri_arena_alloc(b->scratch, pack->size, 1);
    pack->size = 0;
}

static iri_io copy_io(iri_builder *b, const iri_io *io)
{
    iri_pack pack = {0};
    iri_pack_io(&pack, io);
    start_packing(b, &pack);
    return iri_pack_io(&pack, io);
}

uint32_t iri_add_input(iri_builder *b, const iri_io *io)
{
    iri_io copy = copy_io(b, io);
    iri_push(b->scratch, &b->inputs, copy);
    b->p->interface.inputs = b->inputs.at;
    return (b->p->interface.input_count = b->inputs.count) - 1;
}

uint32_t iri_add_output(iri_builder *b, const iri_io *io)
{
    iri_io copy = copy_io(b, io);
    iri_push(b->scratch, &b->outputs, copy);
    b->p->interface.outputs = b->outputs.at;
    return (b->p->interface.output_count = b->outputs.count) - 1;
}

uint32_t iri_add_resource(iri_builder *b, const iri_resource *resource)
{
    iri_pack pack = {0};
    iri_pack_resource(&pack, resource);
    start_packing(b, &pack);
    iri_resource copy = iri_pack_resource(&pack, resource);
    iri_push(b->scratch, &b->resources, copy);
    b->p->interface.resources = b->resources.at;
    return (b->p->interface.resource_count = b->resources.count) - 1;
}

uint32_t iri_add_shared(iri_builder *b, const iri_shared *shared)
{
    iri_shared copy = *shared;
    if (copy.name)
        copy.name = iri_arena_copy_text(b->scratch, copy.name, strlen(copy.name));
    iri_push(b->scratch, &b->shared, copy);
    b->p->interface.shared = b->shared.at;
    return (b->p->interface.shared_count = b->shared.count) - 1;
}

void iri_add_state_entry(iri_builder *b, const iri_state_entry *entry)
{
    iri_push(b->scratch, &b->states, *entry);
    b->p->interface.states = b->states.at;
    b->p->interface.state_count = b->states.count;
}

static void add_note(iri_builder *b, const char *kind, uint32_t offset, const char *text)
{
    bool added;
    uint32_t kind_size = (uint32_t)strlen(kind), text_size = (uint32_t)strlen(text);
    uint32_t size = kind_size + 1 + text_size + 1 + (uint32_t)sizeof offset;
    /* The key holds both texts, so the note borrows them from it. */
    char *key = iri_arena_alloc(b->scratch, size, 1);
    memcpy(key, kind, kind_size + 1);
    memcpy(key + kind_size + 1, text, text_size + 1);
    memcpy(key + kind_size + text_size + 2, &offset, sizeof offset);
    iri_map_put(&b->note_map, key, size, &added);
    if (!added)
        return;
    iri_note note = {key, key + kind_size + 1, offset};
    iri_push(b->scratch, &b->notes, note);
    b->p->notes = b->notes.at;
    b->p->note_count = b->notes.count;
}

void iri_add_note(iri_builder *b, const char *kind, uint32_t offset, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0)
        text[0] = 0;
    if (length >= (int)sizeof text)
        memcpy(text + sizeof text - 4, "...", 4);
    add_note(b, kind, offset, text);
}

void iri_set_provenance(iri_builder *b, const iri_provenance *provenance)
{
    iri_pack pack = {0};
    iri_pack_provenance(&pack, provenance);
    start_packing(b, &pack);
    b->p->provenance = iri_pack_provenance(&pack, provenance);
}

void iri_copy_header(iri_builder *b, const iri_program *from)
{
    const iri_interface *io = &from->interface;
    b->p->stage = from->stage;
    b->p->conventions = from->conventions;
    b->p->float_env = from->float_env;
    b->p->interface.facts = io->facts;
    iri_set_provenance(b, &from->provenance);
    for (uint32_t i = 0; i < io->input_count; i++)
        iri_add_input(b, &io->inputs[i]);
    for (uint32_t i = 0; i < io->output_count; i++)
        iri_add_output(b, &io->outputs[i]);
    for (uint32_t i = 0; i < io->resource_count; i++)
        iri_add_resource(b, &io->resources[i]);
    for (uint32_t i = 0; i < io->state_count; i++)
        iri_add_state_entry(b, &io->states[i]);
    for (uint32_t i = 0; i < io->shared_count; i++)
        iri_add_shared(b, &io->shared[i]);
    for (uint32_t i = 0; i < from->note_count; i++)
        add_note(b, from->notes[i].kind, from->notes[i].offset, from->notes[i].text);
}
