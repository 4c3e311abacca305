/* A picture in memory. */
#ifndef MO_DRAW_IMAGE_H
#define MO_DRAW_IMAGE_H

#include <stdint.h>

typedef struct mo_image {
    int width, height;
    uint8_t *pixels; /* red, green, blue, opacity (not premultiplied), sRGB; rows from the top */
} mo_image;

#endif
