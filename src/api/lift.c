/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public entries of reading: what format bytes are, and from bytes to a simplified, validated program.
 * Pipelines are data: a list of passes per format.
 */
#include "base/number.h"
#include "base/options.h"
#include "ir/parse.h"
#include "ir/validate.h"
#include "pass/pass.h"
#include "read/d3d9/lower.h"

static const char *const format_names[IRI_FORMAT_COUNT] = {"auto", "d3d9", "text"};

/* What every lifted shader goes through; a pass that has nothing to do costs nothing. All but inline and dce build
 * through the folding builder, so fold is left with what arms and loops hide. State comes first among the
 * simplifications, so that what it turns off is gone before anything else looks at it. */
static const iri_pass_id d3d9_passes[] = {
    IRI_PASS_INLINE, IRI_PASS_PROMOTE,      IRI_PASS_LOWER_STATE, IRI_PASS_FOLD, IRI_PASS_DCE,
    IRI_PASS_RELAX,  IRI_PASS_IF_TO_SELECT, IRI_PASS_FOLD,        IRI_PASS_DCE,
};

typedef struct lift {
    const void *bytes;
    size_t size;
    const iri_lift_options *options;
    iri_format format;
    iri_lift_stats *stats; /* never NULL */
    iri_arena scratch, pass_scratch;
    iri_builder *builder; /* of the text parser */
    iri_program *program; /* what to free on failure, or the result */
} lift;

static uint64_t now(const lift *job)
{
    return job->stats->clock ? job->stats->clock(job->stats->clock_user) : 0;
}

static void run_passes(iri_ctx *ctx, lift *job)
{
    const iri_lift_options *o = job->options;
    iri_pass_options options = {.size = sizeof options,
                                .allocator = o->allocator,
                                .limits = o->limits,
                                .state = o->state,
                                .uninitialized_zero = o->uninitialized == IRI_UNINITIALIZED_ZERO};
    iri_pass_ctx pc = {.ctx = ctx,
                       .scratch = &job->pass_scratch,
                       .options = &options,
                       .counts = &job->stats->passes};
    iri_program *program = job->program;
    job->program = NULL; /* the run frees what it is given, also when it fails */
    job->program = iri_pass_run_list(&pc, d3d9_passes, sizeof d3d9_passes / sizeof *d3d9_passes,
                                     program, true);
}

static void lift_d3d9(iri_ctx *ctx, lift *job)
{
    uint64_t start = now(job);
    const iri_d3d9_shader *shader = iri_d3d9_decode(ctx, &job->scratch, job->bytes, job->size, 0);
    iri_d3d9_check(ctx, shader);
    const iri_d3d9_ctab *ctab = iri_d3d9_ctab_read(ctx, &job->scratch, shader);
    uint64_t decoded = now(job);
    job->program = iri_d3d9_lower(ctx, &job->scratch, shader, ctab, job->options);
    iri_arena_reset(&job->scratch); /* a program keeps nothing of it */
    uint64_t lowered = now(job);
    if (!job->options->raw)
        run_passes(ctx, job);
    job->stats->decode_ns += decoded - start;
    job->stats->lower_ns += lowered - decoded;
    job->stats->pass_ns += now(job) - lowered;
}

static void lift_text(iri_ctx *ctx, lift *job)
{
    uint64_t start = now(job);
    ctx->format = "iridia-ir";
    job->program = iri_parse_program(ctx, &job->scratch, job->bytes, job->size, &job->builder);
    job->builder = NULL;
    job->stats->decode_ns += now(job) - start;
}

static void body(iri_ctx *ctx, void *argument)
{
    lift *job = argument;
    bool text = job->format == IRI_FORMAT_TEXT;
    if (text)
        lift_text(ctx, job);
    else
        lift_d3d9(ctx, job);
    uint64_t start = now(job);
    iri_require_valid(ctx, &job->scratch, job->program, IRI_CAN_ALL,
                      text ? IRI_INVALID_PROGRAM : IRI_INTERNAL);
    job->stats->validate_ns += now(job) - start;
}

iri_status iri_lift(const void *bytes, size_t size, const iri_lift_options *options,
                    iri_program **out, iri_lift_stats *stats, iri_refusal *why)
{
    iri_lift_options known;
    iri_lift_stats own = {0};
    iri_ctx ctx;
    lift job = {.bytes = bytes, .size = size, .options = &known};
    iri_take_options(&known, sizeof known, options);
    job.stats = stats ? stats : &own;
    if (!out || (!bytes && size))
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_lift: an argument is NULL");
    *out = NULL;
    job.format = job.options->format;
    if (job.format == IRI_FORMAT_AUTO)
        job.format = iri_detect_format(bytes, size);
    if (job.format == IRI_FORMAT_AUTO)
        return iri_refuse(why, IRI_UNKNOWN_FORMAT, NULL,
                          size ? "no format that is read begins with these bytes"
                               : "there are no bytes");
    if (job.format >= IRI_FORMAT_COUNT || size >= UINT32_MAX)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                          size >= UINT32_MAX ? "input above 4 GiB" : "iri_lift: no such format");
    iri_ctx_init(&ctx, job.options->allocator, job.options->limits, why);
    iri_arena_init(&job.scratch, &ctx);
    iri_arena_init(&job.pass_scratch, &ctx);
    iri_status status = iri_protect(&ctx, body, &job);
    if (status == IRI_OK) {
        *out = job.program;
    } else {
        if (job.builder)
            iri_builder_discard(job.builder);
        iri_program_free(job.program);
    }
    iri_arena_free(&job.pass_scratch);
    iri_arena_free(&job.scratch);
    job.stats->memory_peak = ctx.memory_peak;
    job.stats->allocations += ctx.allocations;
    return status;
}

/* ---- formats ---- */

iri_format iri_detect_format(const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    static const char *const starts[] = {"iridia-ir ", "fn "};
    if (!p)
        return IRI_FORMAT_AUTO;
    if (size >= 4 && p[3] == 0xff && (p[2] == 0xfe || p[2] == 0xff) && p[1] >= 1 && p[1] <= 3)
        return IRI_FORMAT_D3D9;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (size >= strlen(starts[i]) && memcmp(p, starts[i], strlen(starts[i])) == 0)
            return IRI_FORMAT_TEXT;
    return IRI_FORMAT_AUTO;
}

const char *iri_format_name(iri_format format)
{
    return (unsigned)format < IRI_FORMAT_COUNT ? format_names[format] : NULL;
}

iri_format iri_format_by_name(const char *name)
{
    for (int i = 0; name && i < IRI_FORMAT_COUNT; i++)
        if (strcmp(format_names[i], name) == 0)
            return (iri_format)i;
    return IRI_FORMAT_AUTO;
}

/* ---- state as text ---- */

static const struct {
    uint16_t id;
    uint32_t value;
    const char *word;
} state_words[] = {
    {IRI_STATE_ALPHA_FUNC, 1, "never"},
    {IRI_STATE_ALPHA_FUNC, 2, "less"},
    {IRI_STATE_ALPHA_FUNC, 3, "equal"},
    {IRI_STATE_ALPHA_FUNC, 4, "lessequal"},
    {IRI_STATE_ALPHA_FUNC, 5, "greater"},
    {IRI_STATE_ALPHA_FUNC, 6, "notequal"},
    {IRI_STATE_ALPHA_FUNC, 7, "greaterequal"},
    {IRI_STATE_ALPHA_FUNC, 8, "always"},
    {IRI_STATE_FOG_MODE, 0, "off"},
    {IRI_STATE_FOG_MODE, 1, "exp"},
    {IRI_STATE_FOG_MODE, 2, "exp2"},
    {IRI_STATE_FOG_MODE, 3, "linear"},
    {IRI_STATE_FOG_MODE, 4, "vertex"},
    {IRI_STATE_TEXTURE_TYPE, 2, "2d"},
    {IRI_STATE_TEXTURE_TYPE, 3, "cube"},
    {IRI_STATE_TEXTURE_TYPE, 4, "volume"},
};

static bool parse_decimal(const char **text, uint32_t *value)
{
    const char *p = *text;
    uint64_t x = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        x = x * 10 + (uint64_t)(*p - '0');
        if (x > UINT32_MAX)
            return false;
    }
    if (p == *text)
        return false;
    *text = p;
    *value = (uint32_t)x;
    return true;
}

/* One word or number of a state's value; moves `text` behind it. */
static bool parse_lane(const char **text, iri_state_id id, iri_scalar scalar, uint32_t *bits)
{
    size_t length = strcspn(*text, ",");
    for (size_t i = 0; i < sizeof state_words / sizeof *state_words; i++) {
        if (state_words[i].id == id && strlen(state_words[i].word) == length &&
            memcmp(state_words[i].word, *text, length) == 0) {
            *bits = state_words[i].value;
            *text += length;
            return true;
        }
    }
    if (scalar != IRI_F32)
        return parse_decimal(text, bits);
    size_t read = iri_parse_f32(*text, *text + length, bits);
    *text += read;
    return read != 0;
}

static bool parse_value(const char *text, const iri_state_info *info, iri_state_entry *out)
{
    uint32_t lanes = IRI_TYPE_LANES(info->type);
    if (strcmp(text, "override") == 0 || strcmp(text, "uniform") == 0) {
        out->source = text[0] == 'o' ? IRI_STATE_OVERRIDE : IRI_STATE_UNIFORM;
        return out->source == IRI_STATE_UNIFORM || lanes == 1;
    }
    out->source = IRI_STATE_VALUE;
    for (uint32_t i = 0; i < lanes; i++) {
        if (i && *text++ != ',')
            return false;
        if (!parse_lane(&text, (iri_state_id)out->id, IRI_TYPE_SCALAR(info->type), &out->bits[i]))
            return false;
    }
    return *text == 0;
}

iri_status iri_parse_state(const char *text, iri_state_entry *out, iri_refusal *why)
{
    if (!text || !out)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "iri_parse_state: an argument is NULL");
    memset(out, 0, sizeof *out);
    size_t length = strcspn(text, "[=");
    iri_state_id id = iri_state_by_name(text, length);
    if (id == IRI_STATE_NONE)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "'%.*s' is no state",
                          (int)(length < 60 ? length : 60), text);
    const iri_state_info *info = iri_state_get_info(id);
    const char *at = text + length;
    uint32_t index = 0;
    out->id = (uint16_t)id;
    if (*at == '[') {
        at++;
        if (!parse_decimal(&at, &index) || *at++ != ']')
            return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                              "'%.80s': a number and ] must follow [", text);
    }
    if (index >= info->count)
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "%s[%u]: there are %u of it", info->name,
                          index, info->count);
    out->index = (uint16_t)index;
    if (*at++ != '=')
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL, "'%.80s': NAME=VALUE is meant", text);
    if (!parse_value(at, info, out))
        return iri_refuse(why, IRI_INVALID_ARGUMENT, NULL,
                          "'%.80s' is no value of %s: %u number%s, or %suniform", at, info->name,
                          IRI_TYPE_LANES(info->type),
                          IRI_TYPE_LANES(info->type) > 1 ? "s with commas" : "",
                          IRI_TYPE_LANES(info->type) > 1 ? "" : "override, ");
    return IRI_OK;
}
