/*
 * The contents of a figure until it is written; plot.h has the functions that fill it.
 */
#ifndef MOTE_CLI_PLOT_FIGURE_H
#define MOTE_CLI_PLOT_FIGURE_H

#include "plot/plot.h"

typedef struct plot_series {
    char *name; /* NULL: not in the legend */
    int64_t count;
    double *x, *y;
    unsigned style;
    int look; /* selects colour and marker */
} plot_series;

typedef struct plot_matrix {
    int columns, rows;
    double *values; /* NULL: no matrix */
    double x[2], y[2];
} plot_matrix;

/* A plot_axis that owns its texts. Automatic ends of the range are NaN. */
typedef struct plot_axis_copy {
    char *label, *unit;
    bool log;
    double low, high;
} plot_axis_copy;

struct plot_panel {
    plot_figure *figure;
    char *title;
    plot_axis_copy axis[PLOT_DIRECTIONS];
    plot_series *series;
    int series_count, series_capacity;
    plot_matrix matrix;
};

struct plot_figure {
    int columns, rows;
    double width, height;
    plot_panel *panels;
    mote_status status;  /* of the first error */
    const char *problem; /* and its text */
};

bool plot_has_matrix(const plot_figure *figure);

/* Whether the figure can be written; `problem` is the reason if not. */
mote_status plot_check(const plot_figure *figure, const char **problem);

#endif
