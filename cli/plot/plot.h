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
 * Only writing can fail. What goes wrong before (memory, a wrong call) is remembered and reported
 * then; until then every function takes the NULL that an earlier one may have returned. Texts and
 * numbers are copied.
 *
 * Texts are UTF-8. A '^' before a whole number raises it: "m/s^2", "10^-3".
 */
#ifndef MOTE_CLI_PLOT_PLOT_H
#define MOTE_CLI_PLOT_PLOT_H

#include "mote/base.h"

#include <stdio.h>

typedef struct plot_figure plot_figure;
typedef struct plot_panel plot_panel;

/* How a series looks; to be combined with |. None of them means PLOT_LINE. */
typedef enum plot_style {
    PLOT_LINE = 1,
    PLOT_DASHED = 2, /* a line, dashed */
    PLOT_POINTS = 4,
    PLOT_SAME_COLOUR = 8 /* the colour of the series before: a theory beside what was measured */
} plot_style;

typedef enum plot_direction { PLOT_X, PLOT_Y, PLOT_COLOUR, PLOT_DIRECTIONS } plot_direction;

/* An end of the range that is NaN, or that a log axis cannot show, is taken from the data; so are
 * both if they are equal, as in a definition that leaves them out. Curves end at the range; colours
 * are clamped. */
typedef struct plot_axis {
    const char *label, *unit; /* shown as "label [unit]"; may be NULL */
    bool log;
    double low, high;
} plot_axis;

/* Sizes in pixels. */
plot_figure *plot_create(int columns, int rows, double width, double height);
void plot_destroy(plot_figure *figure);

/* Panels are counted from 0, row by row from the top left. One that nothing is put into stays
 * white. */
plot_panel *plot_panel_at(plot_figure *figure, int index);

void plot_set_title(plot_panel *panel, const char *title);
void plot_set_axis(plot_panel *panel, plot_direction direction, plot_axis axis);

/* A series with a name is in the legend. Where x or y is not finite, or not positive on a log axis,
 * there is a gap. */
void plot_add_series(plot_panel *panel, const char *name, int64_t count, const double *x,
                     const double *y, unsigned style);

/* At most one for each panel. `values` holds rows of `columns` numbers, the row at the bottom
 * first. The ranges are the outer edges of the outermost cells; cells are equally wide on paper, on
 * a log axis too. Values that are not finite leave a blank; on a log colour axis, 0 and less have
 * the lowest colour. */
void plot_add_matrix(plot_panel *panel, int columns, int rows, const double *values,
                     const double x_range[2], const double y_range[2]);

/* A PNG picture if the path ends in ".png", else SVG. The path holds a whole file afterwards, or
 * what it held before. */
mote_status plot_write(const plot_figure *figure, const char *path, mote_error *error);
/* As SVG. */
mote_status plot_write_stream(const plot_figure *figure, FILE *stream, mote_error *error);

/* The data behind the figure, one point a row: panel, series, x, y, and value if there is a matrix
 * (x and y are then the middle of a cell). A panel without a title goes by its number, counted from
 * 1. */
mote_status plot_write_csv(const plot_figure *figure, const char *path, mote_error *error);

#endif
