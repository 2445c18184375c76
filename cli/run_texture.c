/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures and samplers of `iridia run`: PNG files and made ones, and the sampler states of Direct3D 9
 * (D3DSAMPLERSTATETYPE), whose defaults are point filters, no mips and wrapping.
 */
#include "run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding ---- */

/* Whether a resource has this name: the source's, or its register's ("t0", and "s0" for both). */
static bool is_called(const iri_resource *r, const char *name)
{
    char label[2][16];
    snprintf(label[0], sizeof label[0], "s%u", (unsigned)r->reg);
    snprintf(label[1], sizeof label[1], "t%u", (unsigned)r->reg);
    return (r->name && !strcmp(r->name, name)) || !strcmp(label[0], name) ||
           (r->kind == IRI_RESOURCE_TEXTURE && !strcmp(label[1], name));
}

/* How messages call it. */
static char *name_of(const iri_resource *r)
{
    if (r->name)
        return cli_printf("%s", r->name);
    return cli_printf("%c%u", r->kind == IRI_RESOURCE_SAMPLER ? 's' : 't', (unsigned)r->reg);
}

static bool fault_unknown(const run_stage *stages, uint32_t count, const run_setting *s,
                          iri_resource_kind kind)
{
    char *list = cli_printf("%s", "");
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < stages[k].io->resource_count; i++) {
            if (stages[k].io->resources[i].kind != kind)
                continue;
            char *name = name_of(&stages[k].io->resources[i]);
            char *longer = cli_printf("%s%s%s", list, *list ? ", " : "", name);
            free(name);
            free(list);
            list = longer;
        }
    run_fault(s->where, "no such %s; there are: %s", iri_word(IRI_WORDS_RESOURCE_KIND, kind),
              *list ? list : "none");
    free(list);
    return false;
}

/* ---- samplers ---- */

static bool is_word(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && !memcmp(text, word, size);
}

static bool set_address(iri_sampler *s, const char *text, size_t size)
{
    int first = 0, last = 2;
    uint32_t mode;
    if (size > 2 && text[1] == '-' && text[0] >= 'u' && text[0] <= 'w') {
        first = last = text[0] - 'u';
        text += 2;
        size -= 2;
    }
    if (!iri_word_value(IRI_WORDS_ADDRESS, text, size, &mode))
        return false;
    for (int k = first; k <= last; k++)
        s->address[k] = (uint8_t)mode;
    return true;
}

/* "bias:0.5", "border:1:0:0:1" and so on; the numbers stand behind colons. */
static bool set_numbers(iri_sampler *s, const char *text, size_t size)
{
    char copy[96], *at, *end;
    double numbers[4] = {0};
    size_t count = 0, name = strcspn(text, ":");
    if (size >= sizeof copy || name >= size)
        return false;
    memcpy(copy, text, size);
    copy[size] = 0;
    for (at = copy + name; *at == ':' && count < 4; at = end) {
        numbers[count++] = strtod(at + 1, &end);
        if (end == at + 1)
            return false;
    }
    if (*at)
        return false;
    copy[name] = 0;
    if (!strcmp(copy, "border") && count == 4) {
        for (int i = 0; i < 4; i++)
            s->border[i] = (float)numbers[i];
        s->address[0] = s->address[1] = s->address[2] = IRI_ADDRESS_BORDER;
    } else if (!strcmp(copy, "bias") && count == 1) {
        s->lod_bias = (float)numbers[0];
    } else if (!strcmp(copy, "max-mip") && count == 1) {
        s->min_lod = (float)numbers[0];
    } else {
        return false;
    }
    return true;
}

static bool set_compare(iri_sampler *s, const char *text, size_t size)
{
    uint32_t compare;
    if (!iri_word_value(IRI_WORDS_COMPARE, text, size, &compare) || !compare)
        return false;
    s->compare = (uint8_t)compare;
    return true;
}

static bool set_filter(iri_sampler *s, const char *text, size_t size)
{
    if (is_word(text, size, "point"))
        s->min_filter = s->mag_filter = IRI_FILTER_POINT;
    else if (is_word(text, size, "linear"))
        s->min_filter = s->mag_filter = IRI_FILTER_LINEAR;
    else if (is_word(text, size, "min-point") || is_word(text, size, "min-linear"))
        s->min_filter = text[4] == 'l' ? IRI_FILTER_LINEAR : IRI_FILTER_POINT;
    else if (is_word(text, size, "mag-point") || is_word(text, size, "mag-linear"))
        s->mag_filter = text[4] == 'l' ? IRI_FILTER_LINEAR : IRI_FILTER_POINT;
    else if (is_word(text, size, "mip-none"))
        s->mip_filter = IRI_MIP_NONE;
    else if (is_word(text, size, "mip-point"))
        s->mip_filter = IRI_MIP_POINT;
    else if (is_word(text, size, "mip-linear"))
        s->mip_filter = IRI_MIP_LINEAR;
    else if (is_word(text, size, "srgb"))
        s->srgb = true;
    else
        return false;
    return true;
}

static bool read_sampler(const run_setting *s, iri_sampler *out)
{
    for (const char *at = s->word;; at++) {
        size_t size = strcspn(at, ",");
        if (!set_filter(out, at, size) && !set_address(out, at, size) &&
            !set_numbers(out, at, size) && !set_compare(out, at, size))
            return run_fault(
                s->where,
                "no word '%.*s'; there are point, linear, min-, mag- and mip-linear and "
                "so on, wrap, mirror, clamp, border, mirror-once, also with u-, v- or "
                "w- before it, border:R:G:B:A, bias:N, max-mip:N, srgb, less-equal "
                "and so on",
                (int)(size < 40 ? size : 40), at);
        at += size;
        if (!*at)
            return true;
    }
}

/* The last setting that names a register's sampler counts; one without a name is for all. */
static bool find_sampler(const run_stage *stage, const iri_resource *r, const run_given *given,
                         iri_sampler *out)
{
    const run_settings *list = &given->lists[RUN_SAMPLER];
    *out = (iri_sampler){0};
    for (size_t i = 0; i < list->count; i++) {
        const run_setting *s = &list->items[i];
        const char *name;
        if (!run_is_for(stage, s->name, &name) || (*name && !is_called(r, name)))
            continue;
        *out = (iri_sampler){0};
        if (!read_sampler(s, out))
            return false;
    }
    return true;
}

/* ---- made textures ---- */

typedef void (*maker)(const iri_exec_texture *t, uint32_t layer, const double at[3],
                      const double *numbers, float *texel);

/* The direction that a point of a cube's face stands for, as Direct3D lays faces out. */
static void face_direction(uint32_t face, double s, double t, double out[3])
{
    const double x = 2 * s - 1, y = 2 * t - 1;
    const double directions[6][3] = {{1, -y, -x}, {-1, -y, x}, {x, 1, y},
                                     {x, -1, -y}, {x, -y, 1},  {-x, -y, -1}};
    memcpy(out, directions[face], sizeof directions[face]);
}

static void make_solid(const iri_exec_texture *t, uint32_t layer, const double at[3],
                       const double *numbers, float *texel)
{
    (void)t, (void)layer, (void)at;
    for (int i = 0; i < 4; i++)
        texel[i] = (float)numbers[i];
}

static void make_checker(const iri_exec_texture *t, uint32_t layer, const double at[3],
                         const double *numbers, float *texel)
{
    uint32_t sum = layer;
    (void)t;
    for (int i = 0; i < 3; i++)
        sum += (uint32_t)(at[i] * numbers[0]);
    for (int i = 0; i < 3; i++)
        texel[i] = sum % 2 ? 0.25f : 1;
    texel[3] = 1;
}

static void make_gradient(const iri_exec_texture *t, uint32_t layer, const double at[3],
                          const double *numbers, float *texel)
{
    double direction[3] = {at[0], t->height > 1 ? at[1] : at[0], t->depth > 1 ? at[2] : 0};
    (void)numbers;
    if (t->dimension == IRI_DIMENSION_CUBE) {
        face_direction(layer, at[0], at[1], direction);
        double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] +
                             direction[2] * direction[2]);
        for (int i = 0; i < 3; i++)
            direction[i] = direction[i] / length * 0.5 + 0.5;
    }
    for (int i = 0; i < 3; i++)
        texel[i] = (float)direction[i];
    texel[3] = 1;
}

/* Round bumps in a grid as a normal map (green along v, so downwards), their height in alpha. */
static void make_bumps(const iri_exec_texture *t, uint32_t layer, const double at[3],
                       const double *numbers, float *texel)
{
    double x = at[0] * numbers[0], y = at[1] * numbers[0], normal[3] = {0, 0, 1}, height = 0;
    (void)t, (void)layer;
    x = (x - floor(x)) * 2.5 - 1.25;
    y = (y - floor(y)) * 2.5 - 1.25;
    double square = x * x + y * y;
    if (square < 1) { /* a cap of a ball, its rim at 45 degrees */
        normal[0] = x * sqrt(0.5);
        normal[1] = y * sqrt(0.5);
        normal[2] = sqrt(1 - square / 2);
        height = (normal[2] - sqrt(0.5)) / (1 - sqrt(0.5));
    }
    for (int i = 0; i < 3; i++)
        texel[i] = (float)(normal[i] * 0.5 + 0.5);
    texel[3] = (float)height;
}

static const struct made {
    const char *name;
    maker make;
    uint32_t numbers; /* how many must be given; 1 is a number that may be left out */
    double usual;     /* that number */
    uint32_t side;    /* texels a unit of it, or in all without numbers */
} makers[] = {
    {"solid", make_solid, 4, 0, 0},
    {"checker", make_checker, 1, 8, 8},
    {"gradient", make_gradient, 0, 0, 64},
    {"bumps", make_bumps, 1, 4, 32},
};

enum { MAX_WORDS = 1 << 28 };

/* Room for all levels. */
static bool allocate(const run_setting *s, run_texture_memory *to, uint32_t dimension,
                     uint32_t width, uint32_t height, uint32_t depth)
{
    uint32_t longest = width > height ? width : height, levels = 1;
    for (longest = longest > depth ? longest : depth; longest > 1; longest /= 2)
        levels++;
    to->texture = (iri_exec_texture){.dimension = dimension,
                                     .width = width,
                                     .height = height,
                                     .depth = depth,
                                     .layers = dimension == IRI_DIMENSION_CUBE ? 6 : 1,
                                     .levels = levels};
    size_t words = iri_exec_texture_words(&to->texture);
    if (!words || words > MAX_WORDS)
        return run_fault(s->where, "too large a texture");
    to->texels = cli_alloc(words * sizeof *to->texels);
    to->texture.texels = to->texels;
    return true;
}

static bool make_texture(const run_setting *s, const struct made *how, uint32_t dimension,
                         run_texture_memory *to)
{
    const char *text = s->word + strlen(how->name);
    double numbers[4] = {how->usual};
    uint32_t count = how->numbers, side = how->side ? how->side : 1;
    if (*text && (!count || !run_read_numbers(s->where, text + 1, numbers, count)))
        return count ? false : run_fault(s->where, "%s takes no numbers", how->name);
    if (!*text && count > 1)
        return run_fault(s->where, "%s needs %u numbers: %s:1,1,1,1", how->name, (unsigned)count,
                         how->name);
    if (count == 1) {
        if (!(numbers[0] >= 1 && numbers[0] <= 64) || numbers[0] != floor(numbers[0]))
            return run_fault(s->where, "%s takes a whole number from 1 to 64", how->name);
        side *= (uint32_t)numbers[0];
    }
    bool volume = dimension == IRI_DIMENSION_3D, line = dimension == IRI_DIMENSION_1D;
    if (volume && side > 64)
        side = 64;
    if (!allocate(s, to, dimension, side, line ? 1 : side, volume ? side : 1))
        return false;
    const iri_exec_texture *t = &to->texture;
    for (uint32_t layer = 0; layer < t->layers; layer++)
        for (uint32_t z = 0; z < t->depth; z++)
            for (uint32_t y = 0; y < t->height; y++)
                for (uint32_t x = 0; x < t->width; x++) {
                    double at[3] = {(x + 0.5) / t->width, line ? 0 : (y + 0.5) / t->height,
                                    volume ? (z + 0.5) / t->depth : 0};
                    how->make(t, layer, at, numbers,
                              to->texels + iri_exec_texture_at(t, 0, layer, x, y, z));
                }
    return true;
}

/* ---- files ---- */

static bool fits(const run_setting *s, const iri_exec_texture *t, const png_picture *picture)
{
    if (picture->width != t->width || picture->height != t->height)
        return run_fault(s->where, "its files are not of one size");
    if (t->dimension == IRI_DIMENSION_CUBE && picture->width != picture->height)
        return run_fault(s->where, "a cube's faces are square");
    if (t->dimension == IRI_DIMENSION_1D && picture->height != 1)
        return run_fault(s->where, "a 1d texture is one row of pixels");
    return true;
}

/* File `i` of a texture's: a face, a slice, or all of it. The first decides the size. */
static bool load_file(const run_setting *s, const char *path, uint32_t i, uint32_t files,
                      uint32_t dimension, bool srgb, run_texture_memory *to)
{
    png_picture picture;
    bool volume = dimension == IRI_DIMENSION_3D;
    const iri_exec_texture *t = &to->texture;
    if (!png_read(path, &picture))
        return false;
    bool ok =
        i > 0 || allocate(s, to, dimension, picture.width, picture.height, volume ? files : 1);
    ok = ok && fits(s, t, &picture);
    if (ok)
        iri_exec_from_rgba8(picture.rgba, (size_t)t->width * t->height, srgb,
                            to->texels +
                                iri_exec_texture_at(t, 0, volume ? 0 : i, 0, 0, volume ? i : 0));
    free(picture.rgba);
    return ok;
}

/* One file; six for a cube (+x -x +y -y +z -z); a slice each for a volume. Commas between them. */
static bool load_texture(const run_setting *s, uint32_t dimension, bool srgb,
                         run_texture_memory *to)
{
    uint32_t files = 1, needed = dimension == IRI_DIMENSION_CUBE ? 6 : 1;
    for (const char *c = s->word; *c; c++)
        files += *c == ',';
    if (dimension != IRI_DIMENSION_3D && files != needed)
        return run_fault(s->where, "%u files; a %s texture takes %u", (unsigned)files,
                         iri_word(IRI_WORDS_DIMENSION, dimension), (unsigned)needed);
    const char *at = s->word;
    for (uint32_t i = 0; i < files; i++) {
        size_t size = strcspn(at, ",");
        char *path = cli_printf("%s%.*s", at[0] == '/' ? "" : s->folder, (int)size, at);
        bool ok = load_file(s, path, i, files, dimension, srgb, to);
        free(path);
        if (!ok)
            return false;
        at += size + 1;
    }
    return true;
}

static const struct made *find_maker(const char *word)
{
    size_t size = strcspn(word, ":");
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (is_word(word, size, makers[i].name))
            return &makers[i];
    return NULL;
}

/* ---- binding ---- */

static bool bind_texture(run_stage *stage, uint32_t index, const run_setting *s,
                         const run_given *given)
{
    const iri_resource *r = &stage->io->resources[index];
    run_texture_memory *to = &stage->bound[index];
    const struct made *how = find_maker(s->word);
    iri_sampler sampler = {0};
    for (uint32_t i = 0; i < stage->io->resource_count; i++) {
        const iri_resource *other = &stage->io->resources[i];
        if (other->kind == IRI_RESOURCE_SAMPLER && other->reg == r->reg &&
            !find_sampler(stage, other, given, &sampler))
            return false;
    }
    if (r->scalar != IRI_F32 || r->arrayed || r->multisampled)
        return run_fault(s->where, "only textures of floats, without layers or samples, are taken");
    free(to->texels);
    *to = (run_texture_memory){0};
    bool ok = how ? make_texture(s, how, r->dimension, to)
                  : load_texture(s, r->dimension, sampler.srgb, to);
    if (!ok)
        return false;
    iri_exec_make_mips(&to->texture, to->texels);
    stage->resources[index].texture = &to->texture;
    return true;
}

static bool bind_named(run_stage *stages, uint32_t count, const run_setting *s,
                       const run_given *given)
{
    bool found = false;
    for (uint32_t k = 0; k < count; k++) {
        const char *name;
        if (!run_is_for(&stages[k], s->name, &name))
            continue;
        for (uint32_t i = 0; i < stages[k].io->resource_count; i++) {
            const iri_resource *r = &stages[k].io->resources[i];
            if (r->kind != IRI_RESOURCE_TEXTURE || !is_called(r, name))
                continue;
            found = true;
            if (!bind_texture(&stages[k], i, s, given))
                return false;
        }
    }
    return found || fault_unknown(stages, count, s, IRI_RESOURCE_TEXTURE);
}

static bool check_sampler_name(const run_stage *stages, uint32_t count, const run_setting *s)
{
    bool found = false;
    iri_sampler sampler = {0};
    for (uint32_t k = 0; k < count; k++) {
        const char *name;
        bool meant = run_is_for(&stages[k], s->name, &name);
        for (uint32_t i = 0; meant && i < stages[k].io->resource_count; i++)
            found |= stages[k].io->resources[i].kind == IRI_RESOURCE_SAMPLER &&
                     (!*name || is_called(&stages[k].io->resources[i], name));
    }
    return found ? read_sampler(s, &sampler)
                 : fault_unknown(stages, count, s, IRI_RESOURCE_SAMPLER);
}

bool run_bind_textures(run_stage *stages, uint32_t count, const run_given *given)
{
    const run_settings *textures = &given->lists[RUN_TEXTURE];
    const run_settings *samplers = &given->lists[RUN_SAMPLER];
    for (size_t i = 0; i < samplers->count; i++)
        if (!check_sampler_name(stages, count, &samplers->items[i]))
            return false;
    for (size_t i = 0; i < textures->count; i++)
        if (!bind_named(stages, count, &textures->items[i], given))
            return false;
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < stages[k].io->resource_count; i++) {
            const iri_resource *r = &stages[k].io->resources[i];
            iri_sampler sampler;
            if (r->kind == IRI_RESOURCE_SAMPLER) {
                if (!find_sampler(&stages[k], r, given, &sampler))
                    return false;
                stages[k].bound[i].sampler = sampler;
                stages[k].resources[i].sampler = &stages[k].bound[i].sampler;
            } else if (r->kind == IRI_RESOURCE_TEXTURE && !stages[k].resources[i].texture) {
                char *name = name_of(r);
                run_lacks(&stages[k], RUN_LACKS_TEXTURE, name);
                free(name);
            }
        }
    return true;
}
