/*
 * The layout of a panel.
 */
#ifndef MOTE_CLI_PLOT_VIEW_H
#define MOTE_CLI_PLOT_VIEW_H

#include "draw/scale.h"
#include "plot/figure.h"

/* In pixels, y downwards. */
typedef struct plot_box {
    double left, top, right, bottom;
} plot_box;

typedef struct plot_point {
    double x, y;
} plot_point;

typedef struct plot_view {
    plot_box cell;             /* all of the panel */
    plot_box frame;            /* around the data */
    plot_box bar;              /* of the colours, if there is a matrix */
    plot_box legend;           /* if a series has a name */
    double y_label, bar_label; /* x coordinates of their base lines */
    mo_scale scale[PLOT_DIRECTIONS];
    mo_ticks ticks[PLOT_DIRECTIONS];
} plot_view;

enum {
    PLOT_EDGE = 8, /* margin around a panel */
    PLOT_GAP = 6,  /* between its parts */
    PLOT_FRAME_MIN = 20,
    PLOT_TITLE_SIZE = 13, /* of fonts */
    PLOT_FONT_SIZE = 12,
    PLOT_SMALL_SIZE = 11,
    PLOT_TICK_LENGTH = 4
};

/* The space required on the left of the frame. */
double plot_left_margin(const plot_panel *panel, plot_box cell);

/* Chooses ranges, ticks and positions. Stacked panels share one margin. */
plot_view plot_view_of(const plot_panel *panel, plot_box cell, double left_margin);

/* Places the legend in a corner of the frame without data; if there is none, narrows the frame
 * and places it on the right. */
void plot_legend_layout(const plot_panel *panel, plot_view *view);

/* False if the point is outside of the panel. */
bool plot_view_point(const plot_view *view, double x, double y, plot_point *point);

/* "label [10^-3 unit]", or the parts that exist. */
void plot_view_label(const plot_view *view, const plot_panel *panel, plot_direction d, char *text,
                     size_t size);

bool plot_inside(const plot_box *box, plot_point p);

/* Clips the segment from a to b to the box; false if nothing remains. An end inside is bitwise
 * unchanged. */
bool plot_clip(const plot_box *box, plot_point *a, plot_point *b);

#endif
