/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Direct3D 9's render states in WebGPU's words. Which is which: the WebGPU specification's sections "GPUBlendState",
 * "GPUDepthStencilState" and "GPUPrimitiveState", against Microsoft's D3DBLEND, D3DBLENDOP, D3DSTENCILOP, D3DCULL and
 * D3DCMPFUNC.
 */
#include "fx_states.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
#define FX_RENDER_STATE(id, number, default_bits, left) RS_##id = number,
#include "fx_states.def"
#undef FX_RENDER_STATE
};

typedef struct row {
    uint32_t number, bits;
    const char *left;
} row;
static const row rows[] = {
#define FX_RENDER_STATE(id, number, default_bits, left) {number, default_bits, left},
#include "fx_states.def"
#undef FX_RENDER_STATE
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* ---- notes ---- */

void fx_note(fx_notes *notes, const char *kind, uint32_t offset, char *text)
{
    notes->items = cli_realloc(notes->items, (notes->count + 1) * sizeof *notes->items);
    notes->items[notes->count++] = (iri_note){kind, text, offset};
}

void fx_notes_print(cli_json *json, const fx_notes *notes)
{
    const iri_note **items = cli_alloc((notes->count + 1) * sizeof *items);
    for (size_t i = 0; i < notes->count; i++)
        items[i] = &notes->items[i];
    json_notes(json, &(cli_notes){items, notes->count});
    free(items);
}

void fx_notes_free(fx_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free((char *)notes->items[i].text);
    free(notes->items);
    *notes = (fx_notes){0};
}

/* ---- what a pass sets ---- */

static const row *find_row(uint32_t number)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].number == number)
            return &rows[i];
    return NULL;
}

static void add_entry(fx_states *s, iri_state_id id, const uint32_t *bits, uint32_t count)
{
    iri_state_entry entry = {.id = (uint16_t)id, .source = IRI_STATE_VALUE};
    memcpy(entry.bits, bits, count * sizeof *bits);
    s->entries[s->entry_count++] = entry;
}

static uint32_t float_bits(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* A D3DCOLOR's channels, red first. */
static void unpack(uint32_t color, float channels[4])
{
    static const uint32_t shifts[4] = {16, 8, 0, 24};
    for (uint32_t i = 0; i < 4; i++)
        channels[i] = (float)(color >> shifts[i] & 0xff) / 255.0f;
}

/* What a pixel program has to do itself. */
static void make_entries(fx_states *s)
{
    enum { FOG_OF_VERTEX = 4, FLAT = 1 };
    const uint32_t *v = s->values;
    if (v[RS_ALPHATESTENABLE]) {
        uint32_t reference = float_bits((float)(v[RS_ALPHAREF] & 0xff) / 255.0f);
        add_entry(s, IRI_STATE_ALPHA_FUNC, &v[RS_ALPHAFUNC], 1);
        add_entry(s, IRI_STATE_ALPHA_REF, &reference, 1);
    }
    if (v[RS_SHADEMODE] == FLAT)
        add_entry(s, IRI_STATE_SHADE_FLAT, &v[RS_SHADEMODE], 1);
    if (v[RS_FOGENABLE]) {
        uint32_t mode = v[RS_FOGTABLEMODE] ? v[RS_FOGTABLEMODE] : FOG_OF_VERTEX, bits[4];
        float color[4];
        unpack(v[RS_FOGCOLOR], color);
        memcpy(bits, color, sizeof bits);
        add_entry(s, IRI_STATE_FOG_MODE, &mode, 1);
        add_entry(s, IRI_STATE_FOG_COLOR, bits, 3);
        add_entry(s, IRI_STATE_FOG_START, &v[RS_FOGSTART], 1);
        add_entry(s, IRI_STATE_FOG_END, &v[RS_FOGEND], 1);
        add_entry(s, IRI_STATE_FOG_DENSITY, &v[RS_FOGDENSITY], 1);
    }
}

/* Whether an assignment means something to a pipeline with programs; fixed-function states do not. */
static void take_state(const iri_effect *effect, const iri_effect_state *state, fx_states *out,
                       fx_notes *notes)
{
    iri_effect_result result;
    iri_refusal why;
    const row *r = find_row(state->number);
    if (iri_effect_evaluate(effect, state, NULL, 0, &result, &why) != IRI_OK) {
        fx_note(notes, "state-value", state->offset,
                cli_printf("%s keeps Direct3D's default: %s", state->name, why.reason));
        return;
    }
    if (!result.word_count || state->number >= FX_RENDER_STATES)
        return;
    if (state->source != IRI_EFFECT_CONSTANT)
        fx_note(notes, "state-value", state->offset,
                cli_printf("%s has its value for the parameters' defaults", state->name));
    out->values[state->number] = result.words[0];
    out->set[state->number] = true;
    if (!r || (r->left && result.words[0] != r->bits))
        fx_note(
            notes, "render-state", state->offset,
            cli_printf("%s: %s", state->name,
                       r ? r->left : "no pipeline of WebGPU has it, and no program here does it"));
}

void fx_states_of(const iri_effect *effect, const iri_effect_pass *pass, fx_states *out,
                  fx_notes *notes)
{
    *out = (fx_states){0};
    for (size_t i = 0; i < ROW_COUNT; i++)
        out->values[rows[i].number] = rows[i].bits;
    for (uint32_t i = 0; i < pass->state_count; i++) {
        const iri_effect_state *state = &pass->states[i];
        if (state->class_ == IRI_EFFECT_RENDER_STATE)
            take_state(effect, state, out, notes);
        else if (state->class_ == IRI_EFFECT_STAGE_STATE || state->class_ == IRI_EFFECT_FIXED_STATE)
            fx_note(notes, "fixed-function", state->offset,
                    cli_printf("%s is of the fixed-function pipeline", state->name));
        else if (state->class_ == IRI_EFFECT_CONSTANT_STATE)
            fx_note(
                notes, "shader-constant", state->offset,
                cli_printf("%s sets constants by register: it is left to the caller", state->name));
    }
    make_entries(out);
}

/* ---- descriptors ---- */

static const char *word_of(const char *const *words, size_t count, uint32_t value)
{
    return value < count && words[value] ? words[value] : words[0];
}
/* A number that the enumeration does not have is what stands at 0. */
#define WORD(words, value) word_of(words, sizeof(words) / sizeof *(words), value)

static const char *const compares[] = {"always",    "never",         "less",
                                       "equal",     "less-equal",    "greater",
                                       "not-equal", "greater-equal", "always"};
static const char *const stencil_ops[] = {
    "keep",   "keep",           "zero",          "replace", "increment-clamp", "decrement-clamp",
    "invert", "increment-wrap", "decrement-wrap"};
static const char *const factors[] = {"one",
                                      "zero",
                                      "one",
                                      "src",
                                      "one-minus-src",
                                      "src-alpha",
                                      "one-minus-src-alpha",
                                      "dst-alpha",
                                      "one-minus-dst-alpha",
                                      "dst",
                                      "one-minus-dst",
                                      "src-alpha-saturated",
                                      "src-alpha",
                                      "one-minus-src-alpha",
                                      "constant",
                                      "one-minus-constant"};
static const char *const blend_ops[] = {"add", "add", "subtract", "reverse-subtract", "min", "max"};
static const char *const culls[] = {"back", "none", "front", "back"};

static void print_component(cli_json *json, const char *key, uint32_t op, uint32_t src,
                            uint32_t dst)
{
    enum { MIN = 4, BOTH_SRC = 12, BOTH_INVSRC = 13, SRCALPHA = 5, INVSRCALPHA = 6, ONE = 2 };
    if (src == BOTH_SRC || src == BOTH_INVSRC) /* these say both factors */
        dst = src == BOTH_SRC ? INVSRCALPHA : SRCALPHA;
    if (op >= MIN) /* Direct3D passes over the factors, WebGPU wants them so */
        src = dst = ONE;
    json_open(json, key, '{');
    json_string(json, "operation", WORD(blend_ops, op));
    json_string(json, "srcFactor", WORD(factors, src));
    json_string(json, "dstFactor", WORD(factors, dst));
    json_close(json, '}');
}

static void print_target(cli_json *json, const uint32_t *v, uint32_t index)
{
    static const uint16_t masks[] = {RS_COLORWRITEENABLE, RS_COLORWRITEENABLE1,
                                     RS_COLORWRITEENABLE2, RS_COLORWRITEENABLE3};
    json_open(json, NULL, '{');
    json_string(json, "format", "bgra8unorm");
    if (v[RS_ALPHABLENDENABLE]) {
        bool own = v[RS_SEPARATEALPHABLENDENABLE] != 0;
        json_open(json, "blend", '{');
        print_component(json, "color", v[RS_BLENDOP], v[RS_SRCBLEND], v[RS_DESTBLEND]);
        print_component(json, "alpha", v[own ? RS_BLENDOPALPHA : RS_BLENDOP],
                        v[own ? RS_SRCBLENDALPHA : RS_SRCBLEND],
                        v[own ? RS_DESTBLENDALPHA : RS_DESTBLEND]);
        json_close(json, '}');
    }
    /* D3DCOLORWRITEENABLE and GPUColorWrite have the same bits. */
    json_number(json, "writeMask", index < 4 ? v[masks[index]] & 15 : 15);
    json_close(json, '}');
}

static void print_targets(cli_json *json, const uint32_t *v, const iri_program *pixel)
{
    const iri_interface *io = iri_program_interface(pixel);
    uint32_t used = 0;
    for (uint32_t i = 0; i < io->output_count; i++)
        if (io->outputs[i].system_value == IRI_SV_TARGET && io->outputs[i].index < 8)
            used |= 1u << io->outputs[i].index;
    json_open(json, "targets", '[');
    for (uint32_t i = 0; used >> i; i++)
        if (used >> i & 1)
            print_target(json, v, i);
        else
            json_string(json, NULL, NULL);
    json_close(json, ']');
}

static void print_face(cli_json *json, const char *key, const uint32_t *v, uint32_t fail)
{
    json_open(json, key, '{'); /* the four states have consecutive numbers on both faces */
    json_string(json, "compare", WORD(compares, v[fail + 3]));
    json_string(json, "failOp", WORD(stencil_ops, v[fail]));
    json_string(json, "depthFailOp", WORD(stencil_ops, v[fail + 1]));
    json_string(json, "passOp", WORD(stencil_ops, v[fail + 2]));
    json_close(json, '}');
}

static void print_depth_stencil(cli_json *json, const uint32_t *v)
{
    bool stencil = v[RS_STENCILENABLE] != 0, depth = v[RS_ZENABLE] != 0;
    float slope;
    memcpy(&slope, &v[RS_SLOPESCALEDEPTHBIAS], sizeof slope);
    json_open(json, "depthStencil", '{');
    json_string(json, "format", stencil ? "depth24plus-stencil8" : "depth24plus");
    json_bool(json, "depthWriteEnabled", depth && v[RS_ZWRITEENABLE]);
    json_string(json, "depthCompare", depth ? WORD(compares, v[RS_ZFUNC]) : "always");
    if (slope != 0 && isfinite(slope))
        json_real(json, "depthBiasSlopeScale", (double)slope);
    if (stencil) {
        print_face(json, "stencilFront", v, RS_STENCILFAIL);
        print_face(json, "stencilBack", v,
                   v[RS_TWOSIDEDSTENCILMODE] ? RS_CCW_STENCILFAIL : RS_STENCILFAIL);
        json_number(json, "stencilReadMask", v[RS_STENCILMASK]);
        json_number(json, "stencilWriteMask", v[RS_STENCILWRITEMASK]);
    }
    json_close(json, '}');
}

void fx_states_print(cli_json *json, const fx_states *states, const iri_program *pixel)
{
    const uint32_t *v = states->values;
    float color[4];
    json_open(json, "primitive", '{');
    json_string(json, "frontFace", "cw"); /* so that vFace is Direct3D's */
    json_string(json, "cullMode", WORD(culls, v[RS_CULLMODE]));
    json_close(json, '}');
    print_depth_stencil(json, v);
    if (pixel)
        print_targets(json, v, pixel);
    if (v[RS_ALPHABLENDENABLE] && states->set[RS_BLENDFACTOR]) {
        unpack(v[RS_BLENDFACTOR], color);
        json_open(json, "blendConstant", '[');
        for (uint32_t i = 0; i < 4; i++)
            json_real(json, NULL, (double)color[i]);
        json_close(json, ']');
    }
    if (v[RS_STENCILENABLE])
        json_number(json, "stencilReference", v[RS_STENCILREF]);
}
