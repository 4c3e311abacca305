/*
 * Plots as standalone files, SVG or PNG: panels in rows and columns, each with curves, points or a
 * matrix in colour.
 *
 *     plot_figure *figure = plot_create(1, 1, 640, 400);
 *     plot_panel *panel = plot_panel_at(figure, 0);
 *     plot_set_axis(panel, PLOT_X, (plot_axis){.label = "step", .unit = "s", .log = true});
 *     plot_set_axis(panel, PLOT_Y, (plot_axis){.label = "error", .unit = "m", .log = true});
 *     plot_add_series(panel, "rk4", count, step, distance, PLOT_LINE | PLOT_POINTS);
 *     mote_status status = plot_write(figure, "order.svg", &error);
 *     plot_destroy(figure);
 *
 * Only writing can fail. Earlier errors (memory, a wrong call) are recorded and reported then; all
 * functions accept NULL from a failed one. Texts and numbers are copied.
 *
 * Texts are UTF-8. A '^' before an integer makes it a superscript: "m/s^2", "10^-3".
 */
#ifndef MOTE_CLI_PLOT_PLOT_H
#define MOTE_CLI_PLOT_PLOT_H

#include "mote/base.h"

#include <stdio.h>

typedef struct plot_figure plot_figure;
typedef struct plot_panel plot_panel;

/* Styles of a series, combined with |. 0 is PLOT_LINE. */
typedef enum plot_style {
    PLOT_LINE = 1,
    PLOT_DASHED = 2, /* a line, dashed */
    PLOT_POINTS = 4,
    PLOT_SAME_COLOUR = 8 /* the colour of the previous series: theory and measurement */
} plot_style;

typedef enum plot_direction { PLOT_X, PLOT_Y, PLOT_COLOUR, PLOT_DIRECTIONS } plot_direction;

/* An end of the range that is NaN, or invalid on a log axis, is taken from the data; both are if
 * they are equal, as by default. Curves are clipped to the range; colours are clamped. */
typedef struct plot_axis {
    const char *label, *unit; /* shown as "label [unit]"; may be NULL */
    bool log;
    double low, high;
} plot_axis;

/* Sizes in pixels. */
plot_figure *plot_create(int columns, int rows, double width, double height);
void plot_destroy(plot_figure *figure);

/* Panels are counted from 0, row by row from the top left. Empty panels stay white. */
plot_panel *plot_panel_at(plot_figure *figure, int index);

void plot_set_title(plot_panel *panel, const char *title);
void plot_set_axis(plot_panel *panel, plot_direction direction, plot_axis axis);

/* A series with a name is in the legend. Values that are not finite, or not positive on a log
 * axis, make a gap. */
void plot_add_series(plot_panel *panel, const char *name, int64_t count, const double *x,
                     const double *y, unsigned style);

/* At most one per panel. `values` has rows of `columns` values, from the bottom. The ranges are
 * the outer edges of the outermost cells; cells have equal width on paper, also on a log axis.
 * Values that are not finite are blank; on a log colour axis, values up to 0 have the lowest
 * colour. */
void plot_add_matrix(plot_panel *panel, int columns, int rows, const double *values,
                     const double x_range[2], const double y_range[2]);

/* A PNG image if the path ends in ".png", else SVG. Written atomically. */
mote_status plot_write(const plot_figure *figure, const char *path, mote_error *error);
/* As SVG. */
mote_status plot_write_stream(const plot_figure *figure, FILE *stream, mote_error *error);

/* The data of the figure, one point per row: panel, series, x, y, and value if there is a matrix
 * (x and y are then the centre of a cell). A panel without a title is identified by its number,
 * counted from 1. */
mote_status plot_write_csv(const plot_figure *figure, const char *path, mote_error *error);

#endif
