#include "draw/image.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint8_t mix(uint8_t over, double over_part, uint8_t under, double under_part)
{
    return (uint8_t)(over * over_part + under * under_part + 0.5);
}

mo_color mo_color_over(mo_color over, mo_color under, double coverage)
{
    double front = coverage * over.a / 255, back = (1 - front) * under.a / 255,
           whole = front + back;
    if (whole <= 0) {
        return (mo_color){0};
    }
    front /= whole;
    back /= whole;
    return (mo_color){mix(over.r, front, under.r, back), mix(over.g, front, under.g, back),
                      mix(over.b, front, under.b, back), (uint8_t)(255 * whole + 0.5)};
}

mote_status mo_image_create(int width, int height, mo_image *image, mote_error *error)
{
    *image = (mo_image){0};
    if (width < 1 || height < 1 || width > MO_IMAGE_SIDE_MAX || height > MO_IMAGE_SIDE_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "an image of %d x %d pixels; allowed: 1 to %d along each axis", width,
                       height, MO_IMAGE_SIDE_MAX);
    }
    size_t bytes = 4 * (size_t)width * (size_t)height;
    uint8_t *pixels = mo_heap_allocate(bytes, 1);
    if (!pixels) {
        return mo_fail_memory(error, bytes);
    }
    *image = (mo_image){width, height, pixels};
    return MOTE_OK;
}

void mo_image_destroy(mo_image *image)
{
    mo_heap_release(image->pixels);
    *image = (mo_image){0};
}

static void set(uint8_t *pixel, mo_color c)
{
    memcpy(pixel, (uint8_t[]){c.r, c.g, c.b, c.a}, 4);
}

void mo_image_fill(mo_image *image, mo_color color)
{
    size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t k = 0; k < count; ++k) {
        set(image->pixels + 4 * k, color);
    }
}

void mo_image_draw(mo_image *image, const mo_image *over, int x, int y)
{
    int left = x < 0 ? -x : 0, top = y < 0 ? -y : 0;
    int right = over->width < image->width - x ? over->width : image->width - x;
    int bottom = over->height < image->height - y ? over->height : image->height - y;
    for (int row = top; row < bottom; ++row) {
        for (int column = left; column < right; ++column) {
            mo_color under = mo_image_color(image, x + column, y + row);
            set(mo_image_pixel(image, x + column, y + row),
                mo_color_over(mo_image_color(over, column, row), under, 1));
        }
    }
}
