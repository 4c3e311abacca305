/*
 * An image in memory: 8 bits per channel, sRGB, not premultiplied.
 *
 * Blending is in sRGB, not in linear light, as in browsers and toolkits: thin dark strokes on white
 * keep their weight. Images are not part of a world and use malloc.
 */
#ifndef MO_DRAW_IMAGE_H
#define MO_DRAW_IMAGE_H

#include "base/error.h"

#include <stdint.h>

typedef struct mo_image {
    int width, height;
    uint8_t *pixels; /* red, green, blue, opacity (not premultiplied), sRGB; rows from the top */
} mo_image;

typedef struct mo_color {
    uint8_t r, g, b, a;
} mo_color;

enum { MO_IMAGE_SIDE_MAX = 32768 };

/* mo_rgb(0xff8000) is orange; opacity from 0 to 1. */
static inline mo_color mo_rgba(uint32_t hex, double opacity)
{
    return (mo_color){(uint8_t)(hex >> 16), (uint8_t)(hex >> 8), (uint8_t)hex,
                      (uint8_t)(255 * opacity + 0.5)};
}

static inline mo_color mo_rgb(uint32_t hex)
{
    return mo_rgba(hex, 1);
}

/* `over` blended over `under` with a coverage from 0 to 1 (Porter and Duff 1984, "over"). */
mo_color mo_color_over(mo_color over, mo_color under, double coverage);

/* Transparent black. */
mote_status mo_image_create(int width, int height, mo_image *image, mote_error *error);
void mo_image_destroy(mo_image *image);

void mo_image_fill(mo_image *image, mo_color color);

/* x from the left, y from the top; both inside. */
static inline uint8_t *mo_image_pixel(const mo_image *image, int x, int y)
{
    return image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
}

static inline mo_color mo_image_color(const mo_image *image, int x, int y)
{
    const uint8_t *p = mo_image_pixel(image, x, y);
    return (mo_color){p[0], p[1], p[2], p[3]};
}

/* Blends `over` onto `image` with its top left corner at (x, y); clipped to the image. */
void mo_image_draw(mo_image *image, const mo_image *over, int x, int y);

#endif
