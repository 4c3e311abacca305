/* Pictures as PNG files (ISO/IEC 15948), through libpng. */
#ifndef MO_DRAW_PNG_H
#define MO_DRAW_PNG_H

#include "draw/image.h"

/* The path holds a whole file afterwards, or what it held before. A picture without transparency is
 * written without it, which makes the file smaller. */
mote_status mo_png_write(const char *path, const mo_image *image, mote_error *error);

/* Any PNG, as eight bits a channel. */
mote_status mo_png_read(const char *path, mo_image *image, mote_error *error);

#endif
