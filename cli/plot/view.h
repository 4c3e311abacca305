/* A panel on paper: where everything in it goes. */
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
    plot_box cell;             /* all that the panel may use */
    plot_box frame;            /* around the data */
    plot_box bar;              /* of the colours, if there is a matrix */
    plot_box legend;           /* if a series has a name */
    double y_label, bar_label; /* x of their base lines */
    mo_scale scale[PLOT_DIRECTIONS];
    mo_ticks ticks[PLOT_DIRECTIONS];
} plot_view;

enum {
    PLOT_EDGE = 8, /* left free around a panel */
    PLOT_GAP = 6,  /* between things in it */
    PLOT_FRAME_MIN = 20,
    PLOT_TITLE_SIZE = 13, /* of fonts */
    PLOT_FONT_SIZE = 12,
    PLOT_SMALL_SIZE = 11,
    PLOT_TICK_LENGTH = 4
};

/* The room that a panel needs on the left of its frame. */
double plot_left_margin(const plot_panel *panel, plot_box cell);

/* Chooses ranges, ticks and places. Panels above each other look better with the same margin. */
plot_view plot_view_of(const plot_panel *panel, plot_box cell, double left_margin);

/* Puts the legend into a corner of the frame where it hides nothing; without one, makes the frame
 * narrower and puts it on the right. */
void plot_legend_place(const plot_panel *panel, plot_view *view);

/* False if the values have no place in the panel. */
bool plot_view_point(const plot_view *view, double x, double y, plot_point *point);

/* "label [10^-3 unit]", or as much of it as there is. */
void plot_view_label(const plot_view *view, const plot_panel *panel, plot_direction d, char *text,
                     size_t size);

bool plot_inside(const plot_box *box, plot_point p);

/* Cuts off what of the segment from a to b lies outside; false if nothing is left. An end that lies
 * inside stays the same to the last bit. */
bool plot_clip(const plot_box *box, plot_point *a, plot_point *b);

#endif
