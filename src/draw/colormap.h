/*
 * Colour maps from [0, 1] to colours. A map is a list of equidistant colours with linear
 * interpolation per channel. Perceptual uniformity is tested.
 */
#ifndef MO_DRAW_COLORMAP_H
#define MO_DRAW_COLORMAP_H

#include "draw/image.h"

typedef struct mo_colormap {
    const char *name, *summary;
    int count;
    const uint32_t *colors; /* 0xrrggbb */
} mo_colormap;

/* The names, as choices of a parameter table. */
#define MO_COLORMAP_CHOICES "viridis|magma|inferno|plasma|cividis|rainbow|heat|grey|coolwarm"

/* NULL if there is none. */
const mo_colormap *mo_colormap_find(const char *name);

/* All maps, from 0 on; NULL beyond the last. */
const mo_colormap *mo_colormap_number(int index);

/* t is clamped to [0, 1]; NaN is a grey that is no end colour of a map. */
mo_color mo_colormap_at(const mo_colormap *map, double t);

#endif
