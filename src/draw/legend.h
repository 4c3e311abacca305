/*
 * Overlays: colour legend, tables of values, help page. Each is placed in a corner or the centre of
 * a canvas on a translucent background and returns its rectangle.
 */
#ifndef MO_DRAW_LEGEND_H
#define MO_DRAW_LEGEND_H

#include "draw/canvas.h"
#include "draw/colormap.h"

typedef struct mo_legend_look {
    double size; /* of the font */
    mo_color text, faint, back, line;
} mo_legend_look;

/* For dark and for light pictures. */
mo_legend_look mo_legend_look_dark(double size);
mo_legend_look mo_legend_look_light(double size);

typedef enum mo_corner {
    MO_TOP_LEFT,
    MO_TOP_RIGHT,
    MO_BOTTOM_LEFT,
    MO_BOTTOM_RIGHT,
    MO_MIDDLE
} mo_corner;

/* A category: a name beside a square of its colour. */
typedef struct mo_legend_entry {
    const char *name;
    mo_color color;
} mo_legend_entry;
enum { MO_LEGEND_ENTRIES = 8 };

/* A field's colours: "label [unit]" above a bar with ticks at round numbers, or categories. */
typedef struct mo_legend {
    const mo_colormap *map;
    const char *label, *unit; /* may be NULL */
    double low, high;         /* range of the map */
    bool log;
    int count; /* of the categories; 0: a bar */
    const mo_legend_entry *entries;
} mo_legend;

/* Its width with a margin on both sides [pixel]. */
double mo_legend_width(const mo_canvas *canvas, const mo_legend_look *look,
                       const mo_legend *legend);

mo_box2 mo_legend_draw(mo_canvas *canvas, mo_corner corner, const mo_legend_look *look,
                       const mo_legend *legend);

/* A title and rows of two texts: a name and its value. A row without a right text is a heading.
 * Scaled down if it does not fit. */
typedef struct mo_table_row {
    const char *left, *right;
} mo_table_row;

typedef struct mo_table {
    const char *title; /* may be NULL */
    int count;
    const mo_table_row *rows;
    bool align_right; /* right-aligned values */
} mo_table;

mo_box2 mo_table_draw(mo_canvas *canvas, mo_corner corner, const mo_legend_look *look,
                      const mo_table *table);

#endif
