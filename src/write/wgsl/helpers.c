/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions through which a module reaches memory and texels: each looks whether it is in range, reads 0 where
 * it is not, and writes nothing there. They are made when they are first asked for, those that they call before them.
 */
#include "write/wgsl/memory.h"

#include <stdio.h>
#include <string.h>

/* ---- the list ---- */

static const char *find_helper(const iri_wgsl *w, const char *wanted)
{
    for (uint32_t i = 0; i < w->functions_added.count; i++)
        if (strcmp(w->functions_added.at[i].wanted, wanted) == 0)
            return w->functions_added.at[i].name;
    return NULL;
}

static const char *claim(iri_wgsl *w, const char *wanted)
{
    iri_str name;
    do
        name = iri_names_claim(&w->names, iri_str_of(wanted), IRI_STR("helper"));
    while (!iri_names_is_free(&w->locals, name) && iri_names_is_free(&w->names, name));
    return name.at;
}

static void add_helper(iri_wgsl *w, const char *wanted, const char *name, const char *text)
{
    iri_wgsl_helper helper = {wanted, name, text};
    iri_push(w->arena, &w->functions_added, helper);
}

void iri_wgsl_write_added(iri_wgsl *w, iri_buf *out)
{
    for (uint32_t i = 0; i < w->functions_added.count; i++)
        iri_buf_printf(out, "\n%s", w->functions_added.at[i].text);
}

/* ---- words ---- */

/* Where a memory ends, and how a place in it is said. */
typedef struct place {
    const char *parameters; /* of the helper */
    const char *arguments;  /* to pass them on; `+ 1` goes behind them */
    const char *at;         /* the word's index */
    const char *in_range;
} place;

static place place_of(iri_wgsl *w, const iri_inst *in, iri_memory_op m,
                      const iri_wgsl_memory *memory)
{
    const iri_interface *io = &w->p->interface;
    uint32_t index = iri_immediates(w->p, in)[m.immediate];
    if (m.memory == IRI_MEMORY_SHARED)
        return (place){
            "at: u32", "at", "at",
            iri_arena_printf(w->arena, "at < %uu", (unsigned)io->shared[index].size / 4)};
    if (m.memory == IRI_MEMORY_RAW)
        return (place){"at: u32", "at", "at",
                       iri_arena_printf(w->arena, "at < arrayLength(&%s)", memory->name)};
    unsigned stride = io->resources[index].stride / 4;
    if (stride == 1)
        return (place){
            "element: u32, word: u32", "element, word", "element",
            iri_arena_printf(w->arena, "element < arrayLength(&%s) && word == 0u", memory->name)};
    return (place){"element: u32, word: u32", "element, word",
                   iri_arena_printf(w->arena, "element * %uu + word", stride),
                   iri_arena_printf(w->arena, "element < arrayLength(&%s) / %uu && word < %uu",
                                    memory->name, stride, stride)};
}

static const char *load_helper(iri_wgsl *w, const iri_wgsl_memory *memory, const place *p)
{
    const char *wanted = iri_arena_printf(w->arena, "%s_load", memory->name),
               *name = find_helper(w, wanted);
    const char *type = iri_wgsl_type(w, IRI_TYPE(memory->scalar, 1)).at, *word;
    if (name)
        return name;
    name = claim(w, wanted);
    word = iri_arena_printf(w->arena, memory->atomic ? "atomicLoad(&%s[%s])" : "%s[%s]",
                            memory->name, p->at);
    add_helper(w, wanted, name,
               iri_arena_printf(w->arena,
                                "fn %s(%s) -> %s {\n    if (%s) {\n        return %s;\n    }\n"
                                "    return %s();\n}\n",
                                name, p->parameters, type, p->in_range, word, type));
    return name;
}

static const char *store_helper(iri_wgsl *w, const iri_wgsl_memory *memory, const place *p)
{
    const char *wanted = iri_arena_printf(w->arena, "%s_store", memory->name),
               *name = find_helper(w, wanted), *store;
    if (name)
        return name;
    name = claim(w, wanted);
    store = iri_arena_printf(w->arena,
                             memory->atomic ? "atomicStore(&%s[%s], value)" : "%s[%s] = value",
                             memory->name, p->at);
    add_helper(
        w, wanted, name,
        iri_arena_printf(w->arena, "fn %s(%s, value: %s) {\n    if (%s) {\n        %s;\n    }\n}\n",
                         name, p->parameters, iri_wgsl_type(w, IRI_TYPE(memory->scalar, 1)).at,
                         p->in_range, store));
    return name;
}

/* Several words, each on its own. */
static const char *many_helper(iri_wgsl *w, const char *one, const place *p, iri_type words,
                               bool store)
{
    unsigned lanes = IRI_TYPE_LANES(words);
    const char *wanted = iri_arena_printf(w->arena, "%s%u", one, lanes),
               *name = find_helper(w, wanted);
    const char *type = iri_wgsl_type(w, words).at, *text;
    if (name)
        return name;
    name = claim(w, wanted);
    text = store ? iri_arena_printf(w->arena, "fn %s(%s, value: %s) {\n", name, p->parameters, type)
                 : iri_arena_printf(w->arena, "fn %s(%s) -> %s {\n    return %s(", name,
                                    p->parameters, type, type);
    for (unsigned i = 0; i < lanes; i++) {
        const char *at = i ? iri_arena_printf(w->arena, "%s + %uu", p->arguments, i) : p->arguments;
        text = store ? iri_arena_printf(w->arena, "%s    %s(%s, value.%c);\n", text, one, at,
                                        "xyzw"[i])
                     : iri_arena_printf(w->arena, "%s%s%s(%s)", text, i ? ", " : "", one, at);
    }
    add_helper(w, wanted, name, iri_arena_printf(w->arena, "%s%s}\n", text, store ? "" : ");\n"));
    return name;
}

/* The lines of an atomic that is one function of WGSL's, or a loop around compare and exchange where the words are of
 * the other sign. */
static const char *atomic_lines(iri_wgsl *w, const iri_inst *in, iri_memory_op m,
                                const iri_wgsl_memory *memory, const place *p, iri_type own)
{
    static const char *const names[IRI_ATOMIC_COUNT] = {"Add", "And", "Or",      "Xor",
                                                        "Min", "Max", "Exchange"};
    const char *word = iri_arena_printf(w->arena, "%s[%s]", memory->name, p->at);
    uint32_t function = iri_immediates(w->p, in)[0];
    if (m.act == IRI_MEMORY_CAS)
        return iri_arena_printf(
            w->arena,
            "        loop {\n"
            "            let tried = atomicCompareExchangeWeak(&%s, compare, value);\n"
            "            if (tried.exchanged || tried.old_value != compare) {\n"
            "                return tried.old_value;\n            }\n        }\n",
            word);
    bool ordered = function == IRI_ATOMIC_MIN || function == IRI_ATOMIC_MAX;
    if (!ordered || IRI_TYPE_SCALAR(own) == memory->scalar)
        return iri_arena_printf(w->arena, "        return atomic%s(&%s, value);\n", names[function],
                                word);
    const char *type = iri_wgsl_type(w, own).at;
    const char *words = iri_wgsl_type(w, IRI_TYPE(memory->scalar, 1)).at;
    return iri_arena_printf(
        w->arena,
        "        loop {\n            let old = atomicLoad(&%s);\n"
        "            let new_value = %s(%s(%s(old), %s(value)));\n"
        "            let tried = atomicCompareExchangeWeak(&%s, old, new_value);\n"
        "            if (tried.exchanged) {\n                return old;\n            }\n"
        "        }\n",
        word, words, function == IRI_ATOMIC_MIN ? "min" : "max", type, type, word);
}

static const char *atomic_helper(iri_wgsl *w, const iri_inst *in, iri_memory_op m,
                                 const iri_wgsl_memory *memory, const place *p)
{
    iri_type own = iri_type_of(w->p, in->results);
    const char *function = m.act == IRI_MEMORY_CAS
                               ? "compare_exchange"
                               : iri_word(IRI_WORDS_ATOMIC, iri_immediates(w->p, in)[0]);
    bool other = IRI_TYPE_SCALAR(own) != memory->scalar && (function[0] == 'm');
    const char *wanted =
                   iri_arena_printf(w->arena, "%s_%s%s", memory->name, function,
                                    other ? IRI_TYPE_SCALAR(own) == IRI_I32 ? "_i32" : "_u32" : ""),
               *name = find_helper(w, wanted),
               *type = iri_wgsl_type(w, IRI_TYPE(memory->scalar, 1)).at;
    if (name)
        return name;
    name = claim(w, wanted);
    const char *compare =
        m.act == IRI_MEMORY_CAS ? iri_arena_printf(w->arena, "compare: %s, ", type) : "";
    add_helper(w, wanted, name,
               iri_arena_printf(w->arena,
                                "fn %s(%s, %svalue: %s) -> %s {\n    if (%s) {\n%s    }\n"
                                "    return %s();\n}\n",
                                name, p->parameters, compare, type, type, p->in_range,
                                atomic_lines(w, in, m, memory, p, own), type));
    return name;
}

const char *iri_wgsl_access_helper(iri_wgsl *w, const iri_inst *in, iri_memory_op m,
                                   const iri_wgsl_memory *memory, iri_type words)
{
    place p = place_of(w, in, m, memory);
    if (m.act >= IRI_MEMORY_ATOMIC)
        return atomic_helper(w, in, m, memory, &p);
    const char *one =
        m.act == IRI_MEMORY_STORE ? store_helper(w, memory, &p) : load_helper(w, memory, &p);
    return IRI_TYPE_LANES(words) == 1 ? one
                                      : many_helper(w, one, &p, words, m.act == IRI_MEMORY_STORE);
}

/* ---- texels ---- */

/* Coordinates without the layer, of a parameter that has it. */
static const char *axes_of(iri_wgsl *w, const iri_resource *r)
{
    static const char *const letters[] = {"", "x", "xy", "xyz"};
    return r->arrayed
               ? iri_arena_printf(w->arena, "at.%s", letters[iri_dimension_lanes(r->dimension)])
               : "at";
}

const char *iri_wgsl_texel_helper(iri_wgsl *w, uint32_t resource)
{
    const iri_resource *r = &w->p->interface.resources[resource];
    const char *texture = w->resources[resource].name.at, *axes = axes_of(w, r);
    const char *wanted = iri_arena_printf(w->arena, "%s_load", texture),
               *name = find_helper(w, wanted);
    bool storage = r->kind == IRI_RESOURCE_STORAGE_TEXTURE, samples = r->multisampled != 0;
    uint32_t lanes = iri_dimension_lanes(r->dimension);
    char layer = "xyzw"[lanes];
    if (name)
        return name;
    name = claim(w, wanted);
    const char *type = iri_wgsl_type(w, IRI_TYPE(r->scalar, 4)).at;
    const char *last = samples ? "index" : "level";
    const char *inside = iri_arena_printf(w->arena, "all(%s < textureDimensions(%s%s))", axes,
                                          texture, storage || samples ? "" : ", level");
    if (r->arrayed)
        inside = iri_arena_printf(w->arena, "%s && at.%c < textureNumLayers(%s)", inside, layer,
                                  texture);
    const char *load = iri_arena_printf(w->arena, "textureLoad(%s, %s", texture, axes);
    if (r->arrayed)
        load = iri_arena_printf(w->arena, "%s, at.%c", load, layer);
    load = iri_arena_printf(w->arena, "%s%s%s)", load, storage ? "" : ", ", storage ? "" : last);
    if (r->comparison)
        load = iri_arena_printf(w->arena, "%s(%s, 0.0, 0.0, 1.0)", type, load);
    const char *at_type = iri_wgsl_type(w, IRI_TYPE(IRI_U32, lanes + (r->arrayed ? 1u : 0u))).at;
    const char *parameters = iri_arena_printf(w->arena, "at: %s%s", at_type,
                                              storage   ? ""
                                              : samples ? ", index: u32"
                                                        : ", level: u32");
    const char *body =
        iri_arena_printf(w->arena, "    if (%s) {\n        return %s;\n    }\n", inside, load);
    if (!storage)
        body = iri_arena_printf(w->arena,
                                "    if (%s) {\n        if (%s) {\n            return %s;\n"
                                "        }\n    }\n",
                                iri_arena_printf(w->arena,
                                                 samples ? "index < textureNumSamples(%s)"
                                                         : "level < textureNumLevels(%s)",
                                                 texture),
                                inside, load);
    add_helper(w, wanted, name,
               iri_arena_printf(w->arena, "fn %s(%s) -> %s {\n%s    return %s();\n}\n", name,
                                parameters, type, body, type));
    return name;
}

const char *iri_wgsl_size_helper(iri_wgsl *w, uint32_t resource)
{
    const iri_resource *r = &w->p->interface.resources[resource];
    const char *texture = w->resources[resource].name.at;
    const char *wanted = iri_arena_printf(w->arena, "%s_size", texture),
               *name = find_helper(w, wanted);
    bool one = r->kind == IRI_RESOURCE_STORAGE_TEXTURE || r->multisampled;
    uint32_t lanes = r->dimension == IRI_DIMENSION_CUBE ? 2 : iri_dimension_lanes(r->dimension);
    if (name)
        return name;
    name = claim(w, wanted);
    const char *type = iri_wgsl_type(w, IRI_TYPE(IRI_U32, lanes + (r->arrayed ? 1u : 0u))).at;
    const char *size =
        iri_arena_printf(w->arena, "textureDimensions(%s%s)", texture, one ? "" : ", level");
    if (r->arrayed)
        size = iri_arena_printf(w->arena, "%s(%s, textureNumLayers(%s))", type, size, texture);
    const char *first =
        iri_arena_printf(w->arena, one ? "level == 0u" : "level < textureNumLevels(%s)", texture);
    add_helper(w, wanted, name,
               iri_arena_printf(w->arena,
                                "fn %s(level: u32) -> %s {\n    if (%s) {\n        return %s;\n"
                                "    }\n    return %s();\n}\n",
                                name, type, first, size, type));
    return name;
}
