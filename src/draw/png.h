/*
 * PNG files (ISO/IEC 15948), through libpng.
 */
#ifndef MO_DRAW_PNG_H
#define MO_DRAW_PNG_H

#include "draw/image.h"

/* Writes atomically. Opaque images are written without an alpha channel. */
mote_status mo_png_write(const char *path, const mo_image *image, mote_error *error);

/* Reads any PNG, converted to 8 bits per channel. */
mote_status mo_png_read(const char *path, mo_image *image, mote_error *error);

#endif
