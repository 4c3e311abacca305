/*
 * Annotations of a picture: the colour scale and the time.
 */
#ifndef MO_VIEW_SHOW_ANNOTATE_H
#define MO_VIEW_SHOW_ANNOTATE_H

#include "draw/legend.h"
#include "view/show/moment.h"

typedef struct mo_annotation {
    const mo_field *field; /* NULL: no scale */
    int count;             /* of categories, drawn instead of it */
    mo_legend_entry entries[MO_LEGEND_ENTRIES];
    const char *map;
    double low, high;
    double time; /* NaN: none */
    bool dark;   /* dark background */
    int margin;  /* width of the strip at the right reserved for the legend; 0: none */
} mo_annotation;

/* Draws onto a picture, or onto a transparent overlay. */
mote_status mo_annotate(mo_image *image, const mo_annotation *annotation, mote_error *error);

/* The width of the strip required by scale and time beside a picture of this size; 0: there is
 * no scale, or the picture is too narrow. */
mote_status mo_annotation_margin(const mo_annotation *annotation, int width, int height,
                                 int *margin, mote_error *error);

/* Text size for a picture. */
double mo_annotation_size(const mo_image *image);

/* Widens an empty range. */
void mo_range_widen(double *low, double *high);

#endif
