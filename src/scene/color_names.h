/* Colours by name: those of CSS Color Module Level 4, section 6.1, and "#rrggbb". */
#ifndef MO_SCENE_COLOR_NAMES_H
#define MO_SCENE_COLOR_NAMES_H

#include "math/vec3.h"

#include <stdbool.h>

/* The unit of parameters that are colours. */
#define MO_COLOR_UNIT "sRGB"

/* Red, green and blue in [0, 1]; false: there is no such colour. Upper and lower case are equal. */
bool mo_color_named(const char *name, mo_vec3 *color);

/* The colour with the most similar name; NULL: none is similar. */
const char *mo_color_nearest(const char *name);

#endif
