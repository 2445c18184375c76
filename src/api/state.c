/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pipeline state as text: `alpha_func=greater`, `bump_matrix[1]=1,0,0,1`.
 */
#include "base/ctx.h"
#include "base/number.h"
#include <iridia/read.h>
#include <string.h>

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
