/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PNG files in and out, through libpng's simplified interface where there is libpng. Without it pictures are
 * refused.
 */
#include "run.h"
#include <stdlib.h>
#include <string.h>

#ifdef IRI_CLI_PNG
#include <png.h>

enum { MAX_PIXELS = 1 << 24 };

bool png_read(const char *path, png_picture *out)
{
    cli_bytes bytes;
    if (!cli_read_or_say(path, &bytes))
        return false;
    png_image image = {.version = PNG_IMAGE_VERSION};
    *out = (png_picture){0};
    bool ok = png_image_begin_read_from_memory(&image, bytes.data, bytes.size);
    if (ok && (uint64_t)image.width * image.height > MAX_PIXELS) {
        free(bytes.data);
        png_image_free(&image);
        return run_unreadable(path, "more than 16 million pixels");
    }
    if (ok) {
        image.format = PNG_FORMAT_RGBA;
        /* sRGB bytes stay as they are: what they mean is the sampler's to say. */
        image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
        *out = (png_picture){image.width, image.height, cli_alloc(PNG_IMAGE_SIZE(image))};
        ok = png_image_finish_read(&image, NULL, out->rgba, 0, NULL);
    }
    free(bytes.data);
    if (!ok) {
        run_unreadable(path, "no PNG that can be read: %s", image.message);
        png_image_free(&image);
        free(out->rgba);
        out->rgba = NULL;
    }
    return ok;
}

bool png_write(const char *path, const png_picture *picture, bool alpha)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = picture->width,
                       .height = picture->height,
                       .format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB};
    size_t pixels = (size_t)picture->width * picture->height, channels = alpha ? 4 : 3;
    uint8_t *packed = cli_alloc(pixels * channels);
    for (size_t i = 0; i < pixels; i++)
        memcpy(packed + i * channels, picture->rgba + i * 4, channels);
    png_alloc_size_t size = 0;
    bool ok = png_image_write_get_memory_size(image, size, 0, packed, 0, NULL);
    uint8_t *file = cli_alloc(size);
    if (ok)
        ok = png_image_write_to_memory(&image, file, &size, 0, packed, 0, NULL);
    if (!ok)
        run_unreadable(path, "libpng cannot write it: %s", image.message);
    ok = ok && cli_write(path, file, size);
    free(file);
    free(packed);
    return ok;
}

#else

bool png_read(const char *path, png_picture *out)
{
    (void)out;
    return run_unreadable(path, "this iridia was built without libpng and reads no PNG");
}

bool png_write(const char *path, const png_picture *picture, bool alpha)
{
    (void)picture, (void)alpha;
    return run_unreadable(path, "this iridia was built without libpng and writes no PNG");
}

#endif
